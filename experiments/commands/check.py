"""`doomtrack check`: does a game keep its balance contract."""

from __future__ import annotations

from typing import Annotated

import typer

from experiments import options as o
from experiments import words


def command(
    targets: Annotated[
        str,
        typer.Argument(
            metavar="TARGETS.toml|GAME",
            help="A contract file, or a game whose contract ships (see: experiments/contracts).",
            show_default=False,
        ),
    ],
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            metavar="A,B,...",
            help="Ask every line for each of these line-ups, in place of the contract's: it must hold for all.",
            show_default=False,
        ),
    ] = None,
    set_: o.Set = None,
    content: o.Content = None,
    plugin: o.Plugin = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget", metavar="N", help="Most games a cell, in place of the contract's.", show_default=False
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level", metavar="L", help="Confidence of all verdicts together. Default: 0.95.", show_default=False
        ),
    ] = None,
    adapt: o.Adapt = False,
    adapt_games: o.AdaptGames = None,
    junit: Annotated[
        str | None,
        typer.Option("--junit", metavar="FILE", help="Write the verdicts as JUnit XML, too.", show_default=False),
    ] = None,
    seed: o.Seed = None,
    threads: o.Threads = None,
    out: o.Out = None,
    scheduler: o.Scheduler = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every group and cell in the table, not only the worst.")
    ] = False,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Check a balance contract: PASS, FAIL or UNDECIDED for every line.

    Exit code 0: all lines hold; 1: one fails; 3: none fails, but the budget did not decide all; 2: bad input. With
    --out a stopped check goes on where it was.
    """
    how = o.output_format(format_)
    settings = words.assignments("--set", set_ or ())

    from experiments import execution, progress
    from experiments.adapting import telling
    from experiments.checking import check as checking
    from experiments.checking import verdicts

    with progress.watching(quiet) as observer, telling.watching(quiet) as hear:
        checked = checking.check(
            targets,
            strategies=strategies,
            settings=settings,
            content=content or (),
            plugins=plugin or (),
            budget=budget,
            level=level,
            seed=None if seed is None else words.seed_number(seed),
            threads=o.thread_count(threads),
            out=out,
            junit=junit,
            observer=observer,
            command=execution.command_line(),
            scheduler=scheduler,
            adapt=adapt,
            adapt_games=adapt_games,
            hear=hear,
        )
    verdicts.show(checked, how, every=every)
    raise typer.Exit(checked.exit_code)
