"""`doomtrack impact`: what each card, item, ride, ... does to the chances of the player who is dealt it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from experiments import options as o

EVERY = 0.2  # seconds between two words on the terminal


def command(
    game: o.Game,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="KIND",
            help="The kind of thing: item, location, card, ride, monster, ... Default: the game's first.",
            show_default=False,
        ),
    ] = None,
    entries: Annotated[
        str | None,
        typer.Option(
            "--entries", metavar="A,B,...", help="Only these. Default: all that can be dealt.", show_default=False
        ),
    ] = None,
    versus: Annotated[
        str,
        typer.Option(
            "--versus",
            metavar="deal|blank",
            help="Against the ordinary deal, or against the same deal with the entry's text blank.",
        ),
    ] = "deal",
    holder: Annotated[
        str | None,
        typer.Option(
            "--holder",
            metavar="WHO",
            help="The player of the line-up who is dealt it. Default: the first who can have it.",
            show_default=False,
        ),
    ] = None,
    players: o.Players = None,
    set_: o.Set = None,
    strategy: o.Strategy = None,
    games: Annotated[
        str | None,
        typer.Option(
            "--games",
            metavar="N",
            help="Games of each side, rounded up to multiples of 60. Default: 20,040; with --until or --precision at "
            "most 1.2e6.",
            show_default=False,
        ),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision",
            metavar="H",
            help="Stop each entry when its change is known within ±H (0.005: half a point).",
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="M",
            help="Stop each entry as soon as its change is known to be above +M, below -M, or within ±M.",
            show_default=False,
        ),
    ] = None,
    content: o.Content = None,
    plugin: o.Plugin = None,
    seed: o.Seed = None,
    threads: o.Threads = None,
    out: o.Out = None,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """What being dealt each item, card, ride, ... does to its holder's chances, causally.

    The holder is dealt it at set-up; all other luck is the same as in the ordinary deal. Exit code 3: undecided.
    """
    line = o.Line(players, set_, strategy, content, plugin, games, None, seed, threads)
    how = o.output_format(format_)
    given = {k: v for k, v in line.given.items() if k not in ("metrics", "precision")}

    from experiments import execution, progress
    from experiments.impacts import impact, telling

    given |= {"of": of, "entries": entries or (), "versus": versus, "holder": holder, "precision": precision}
    given |= {"until": until, "out": out, "command": execution.command_line()}
    progress.announce_compiling(quiet)
    with _counting(quiet or not progress.on_terminal()) as watch:
        result = impact.impact(game, watch=watch, **given)
    telling.show(result, how)
    if result.interrupted:
        kept = f"go on with: {result.command}" if result.folder is not None else "with --out DIR it could go on"
        done = f"{len(result.effects)} of {len(result.asked.entries)} entries are finished"
        print(f"doomtrack: stopped: {done}; {kept}", file=sys.stderr)
    raise typer.Exit(telling.exit_code(result))


@contextmanager
def _counting(quiet: bool) -> Iterator[Callable[[int, int, int, int | None], None] | None]:
    """What to call with entries done, entries, games of the present side, and planned; one line on the terminal."""
    if quiet:
        yield None
        return
    said = 0.0

    def watch(done: int, entries: int, games: int, planned: int | None) -> None:
        nonlocal said
        now = time.perf_counter()
        if now - said < EVERY:
            return
        said = now
        share = "" if planned is None else f" of {planned:,}"
        print(f"\rentry {done + 1} of {entries}, {games:,}{share} games\033[K", end="", file=sys.stderr, flush=True)

    try:
        yield watch
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
