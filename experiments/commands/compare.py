"""`doomtrack compare`: what a change does, by playing both sides on the same luck."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from experiments import options as o


def command(
    game: o.Game,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="K=V[,K=V...]",
            help="What a variant changes: as --set, or strategy.WHO=NAME, or content=OVERLAY. Repeatable.",
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
            help="Games of each side, rounded up to multiples of 60. Default: 120,000; with --until at most 6e6.",
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="M",
            help="Stop as soon as a change is known to be above +M, below -M, or within ±M (0.005: half a point).",
            show_default=False,
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="METRIC[GROUP]",
            help="The metric that --until looks at, as win_share[seat=0]. Default: the first headline of the game.",
            show_default=False,
        ),
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            metavar="NAME,NAME...",
            help="Do it once with each of these on all seats, and say which changes hold for all and which flip.",
            show_default=False,
        ),
    ] = None,
    adapt: o.Adapt = False,
    adapt_games: o.AdaptGames = None,
    content: o.Content = None,
    plugin: o.Plugin = None,
    seed: o.Seed = None,
    threads: o.Threads = None,
    out: o.Out = None,
    scheduler: o.Scheduler = None,
    every: Annotated[bool, typer.Option("--all", help="Every number in the table: items, events, rules, too.")] = False,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Compare variants with a base: how much each number changes, and in which games.

    All sides play the same luck, so far fewer games are needed than by comparing two runs. Exit code 3: undecided. With
    --out a stopped comparison goes on where it was.
    """
    line = o.Line(players, set_, strategy, content, plugin, games, None, seed, threads)
    how = o.output_format(format_)
    given = {k: v for k, v in line.given.items() if k not in ("metrics", "precision")}

    from experiments import execution, progress
    from experiments.adapting import telling
    from experiments.comparing import adapted, compare, contrast, over_strategies, variants

    given |= {"until": until, "on": on, "out": out, "command": execution.command_line(), "scheduler": scheduler}
    given |= {"adapt": adapt, "adapt_games": adapt_games}
    progress.announce_compiling(quiet)
    with _counting(quiet or not progress.on_terminal()) as watch, telling.watching(quiet) as hear:
        given["hear"] = hear
        if strategies is not None:
            playing = variants.parted_strategies(strategies)
            many = over_strategies.compare_over(game, against or [], playing, watch=watch, **given)
        else:
            result = compare.compare(game, against or [], watch=watch, **given)
    if strategies is not None:
        over_strategies.show(many, how, every=every)
        raise typer.Exit(over_strategies.exit_code(many))
    adapted.show(result, how, every=every)
    raise typer.Exit(contrast.exit_code(result))


EVERY = 0.2  # seconds between two words on the terminal


@contextmanager
def _counting(quiet: bool) -> Iterator[Callable[[int, int | None, int], None] | None]:
    """What to call with games done, planned, and variants still played; it keeps one line on the terminal."""
    if quiet:
        yield None
        return
    started, said = time.perf_counter(), 0.0

    def watch(done: int, planned: int | None, variants: int) -> None:
        nonlocal said
        now = time.perf_counter()
        if now - said < EVERY:
            return
        said = now
        share = "" if planned is None else f" of {planned:,}"
        many = "" if variants == 1 else f", {variants} variants"
        speed = done * (variants + 1) / max(1e-9, now - started)
        print(f"\r{done:,}{share} games of each{many}, {speed:,.0f}/s\033[K", end="", file=sys.stderr, flush=True)

    try:
        yield watch
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
