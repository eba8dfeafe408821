"""The options that commands share, each in one place: its flags, its help, and how its text is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

import typer

from experiments import words
from simcore.errors import InputError, nearest


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


Game = Annotated[str, typer.Argument(help="Name of a game (see: doomtrack games).", show_default=False)]
Players = Annotated[
    str | None, typer.Option("-p", "--players", metavar="N", help="Number of players.", show_default=False)
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="K=V",
        help="Set a parameter, a ruling, a content number by its dotted path, or strategy.WHO.WEIGHT. Repeatable.",
        show_default=False,
    ),
]
Strategy = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="[WHO=]NAME[:W=X,...]",
        help="Who plays how: WHO is a seat 0..n-1, a monster, a role or all. Default: random for all. Repeatable.",
        show_default=False,
    ),
]
Content = Annotated[
    list[str] | None,
    typer.Option(
        "--content",
        metavar="DIR|NAME",
        help="Lay a folder of content, or an overlay that ships, over the game's own. Repeatable.",
        show_default=False,
    ),
]
Plugin = Annotated[
    list[str] | None,
    typer.Option("--plugin", metavar="FILE.py", help="A Python file with strategies. Repeatable.", show_default=False),
]
Games = Annotated[
    str | None,
    typer.Option(
        "--games",
        metavar="N",
        help="Games a cell: 1 to 1e12; 1e6 and 1_000_000 both work. Seats take turns exactly in multiples of 60.",
        show_default=False,
    ),
]
Precision = Annotated[
    str | None,
    typer.Option(
        "--precision",
        metavar="H",
        help="In place of --games: stop when every win share and headline rate is known within ±H (0.005: 0.5 %).",
        show_default=False,
    ),
]
Seed = Annotated[str | None, typer.Option("--seed", metavar="S", help="Seed of all chance. Default: 1.")]
Threads = Annotated[
    str | None,
    typer.Option(
        "--threads", metavar="N", help="Threads. Default: all cores. No result depends on it.", show_default=False
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Keep the result in this folder, and go on with it if it is there.",
        show_default=False,
    ),
]
Metric = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar='NAME="EXPR"',
        help="A further metric: polars SQL over one game's outcome, as long='turns > 60'. Repeatable.",
        show_default=False,
    ),
]
Adapt = Annotated[
    bool,
    typer.Option(
        "--adapt",
        help="First tune the players' named weights to the rules that they play by (each side's or cell's own).",
    ),
]
AdaptGames = Annotated[
    str | None,
    typer.Option(
        "--adapt-games",
        metavar="N",
        help="Most games that --adapt plays a side or cell. Default: 180,000; 12,000 with players who look ahead.",
        show_default=False,
    ),
]
KeepGames = Annotated[
    bool, typer.Option("--keep-games", help="Keep one row a game, too: Parquet files in games/ of the folder of --out.")
]
Replays = Annotated[
    bool,
    typer.Option(
        "--replays/--no-replays",
        help="With --out: some games of the first cell, told turn by turn in the report.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDR",
        help="Play on a dask cluster: tcp://host:port of its scheduler, or local:N for N processes here.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Play nothing: print the cells, the games, the time, and what they are worth.")
]
FormatOption = Annotated[str, typer.Option("--format", metavar="table|json|csv", help="How to print.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no remarks on the terminal.")]


@dataclass
class Line:
    """The shared options of one command line, read: keywords for `experiments.run` and `experiments.sweep`."""

    players: str | None = None
    set: list[str] | None = None
    strategy: list[str] | None = None
    content: list[str] | None = None
    plugin: list[str] | None = None
    games: str | None = None
    precision: str | None = None
    seed: str | None = None
    threads: str | None = None
    metric: list[str] | None = None
    given: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        settings: dict[str, Any] = dict(words.assignments("--set", self.set or ()))
        if self.players is not None:
            if "players" in settings:
                raise InputError(f"players: given twice ({self.players} and {settings['players']})")
            settings = {"players": self.players, **settings}
        if self.games is not None and self.precision is not None:
            raise InputError("--games and --precision: give one of them")
        self.given = {
            "settings": settings,
            "strategies": words.strategies(self.strategy or ()),
            "content": list(self.content or ()),
            "plugins": list(self.plugin or ()),
            "metrics": words.assignments("--metric", self.metric or ()),
            "games": None if self.games is None else words.number_of_games(self.games),
            "precision": None if self.precision is None else words.half_width(self.precision),
            "threads": thread_count(self.threads),
        }
        if self.seed is not None:
            self.given["seed"] = words.seed_number(self.seed)


def thread_count(given: str | None) -> int | None:
    """`--threads`: 1 to 1024. Raises InputError."""
    return None if given is None else words.whole("--threads", given, 1, 1024)


def output_format(given: str, formats: tuple[str, ...] = tuple(Format)) -> str:
    """`--format`, checked. Raises InputError."""
    if given not in formats:
        raise InputError(f"--format {given!r}: no such format{nearest(given, formats)}")
    return given
