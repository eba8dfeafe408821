"""`doomtrack solve`: the value of a parameter that hits a target."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from experiments import options as o
from experiments import words

if TYPE_CHECKING:
    from experiments.solving.places import Watch
    from experiments.solving.searches import Search


def command(
    study: Annotated[
        str,
        typer.Argument(
            metavar="GAME|SEARCH.toml", help="A game, or a file that says what to find.", show_default=False
        ),
    ],
    find: Annotated[
        str | None,
        typer.Option(
            "--find",
            metavar="K=LO..HI[:STEP]",
            help="The parameter to solve for, and where to look: any number that --vary takes.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="METRIC=VALUE",
            help="What should come out, as turns=40 or win_share[seat=0]=0.3.",
            show_default=False,
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="K=VALUES",
            help="Solve for each value of K, as a,b,c or lo..hi[:step] or all, and for each combination of several.",
            show_default=False,
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(
            "--within",
            metavar="X",
            help="How far from the target the metric may be; games are played until that can be told.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget", metavar="N", help="Games of one search, at most. Default: 600,000.", show_default=False
        ),
    ] = None,
    players: o.Players = None,
    set_: o.Set = None,
    strategy: o.Strategy = None,
    metric: o.Metric = None,
    content: o.Content = None,
    plugin: o.Plugin = None,
    seed: o.Seed = None,
    threads: o.Threads = None,
    out: o.Out = None,
    scheduler: o.Scheduler = None,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Find the value of a parameter at which a metric meets a target, with its interval.

    With --vary one for each combination; all of it is checked before the first game. With --out a stopped search goes
    on where it was. Exit code 3 if one of them has no value: the target is out of reach, or the metric rises and falls;
    4 if one failed.
    """
    line = o.Line(players, set_, strategy, content, plugin, None, None, seed, threads, metric)
    how = o.output_format(format_)
    asked = {k: v for k, v in line.given.items() if k not in ("games", "precision")}
    asked |= {"find": find, "target": target, "within": within, "budget": budget}
    factors = words.assignments("--vary", vary or ())

    from experiments import execution
    from experiments.solving import output
    from experiments.solving.solve import solve

    with watching(quiet) as watch:
        solved = solve(
            study,
            vary=factors,
            out=out,
            scheduler=scheduler,
            watch=watch,
            command=execution.command_line(),
            **asked,
        )
    output.show(solved, how)
    raise typer.Exit(solved.exit_code)


@contextmanager
def watching(quiet: bool) -> Iterator[Watch | None]:
    """A line on the terminal; None in a pipe or if `quiet`."""
    from experiments import progress

    if quiet or not progress.on_terminal():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    progress.announce_compiling()
    parts = (TextColumn("solving"), BarColumn(bar_width=24), TextColumn("{task.fields[said]}"), TimeElapsedColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, said="")

        def tell(search: Search, many: int, budget: int, games: int, x: float) -> None:
            which = f"search {search.number + 1} of {many}, " if many > 1 else ""
            said = f"{which}{games:,} of {budget:,} games, at {search.name} = {x:g}"
            bar.update(task, total=many * budget, completed=search.number * budget + games, said=said)

        yield tell
    sys.stderr.flush()
