"""`doomtrack bench`: how fast this machine plays, and how long it compiles."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from experiments import options as o
from experiments import words

HEAD = ("game", "players", "strategy", "games/s/core", "decisions/s/core", "microseconds/game")


def command(
    game: Annotated[str | None, typer.Argument(help="Default: every game.", show_default=False)] = None,
    players: Annotated[
        str | None,
        typer.Option("-p", "--players", metavar="N,N", help="Default: fewest, middle, most.", show_default=False),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option("--strategy", metavar="NAME", help="Default: every strategy. Repeatable.", show_default=False),
    ] = None,
    seconds: Annotated[
        str, typer.Option("--seconds", metavar="S", help="Play each line-up for so long, roughly.")
    ] = "0.5",
    cold: Annotated[
        bool, typer.Option("--cold/--no-cold", help="Also compile from an empty cache, in a process of its own.")
    ] = True,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Measure games and decisions per second per core, what a second thread brings, compile and start time, memory."""
    how = o.output_format(format_)
    pace = float(words.whole("--seconds", seconds, 0, 600)) if seconds.isdigit() else _real(seconds)

    from experiments import bench, progress, text

    progress.announce_compiling(quiet)
    found = bench.measure(game, players=players, strategies=strategy or (), seconds=pace, cold=cold)
    if how == "json":
        print(json.dumps({"schema": 1, **found}, indent=1))
        return
    rows = [
        [
            r["game"],
            r["players"],
            r["strategy"],
            f"{r['games_per_s']:,.0f}",
            f"{r['decisions_per_s']:,.0f}",
            f"{r['us']:.2f}",
        ]
        for r in found["speed"]
    ]
    if how == "csv":
        print(text.csv(list(found["speed"][0]), [list(r.values()) for r in found["speed"]]), end="")
        return
    print(text.table(HEAD, rows, right=(1, 3, 4, 5)))
    for line in bench.said(found):
        print(line)


def _real(given: str) -> float:
    from simcore.errors import InputError

    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not 0 < number <= 600:
        raise InputError(f"--seconds: {given!r} is not a number of seconds above 0, at most 600")
    return number


def measure(game: str | None = None, **options: Any) -> dict[str, Any]:
    """See `experiments.bench.measure`."""
    from experiments import bench

    return bench.measure(game, **options)
