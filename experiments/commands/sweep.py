"""`doomtrack sweep`: a grid of configurations, or another design, from the command line or from a study file."""

from __future__ import annotations

from typing import Annotated

import typer

from experiments import options as o
from experiments import words


def command(
    study: Annotated[
        str, typer.Argument(metavar="GAME|STUDY.toml", help="A game, or a study file.", show_default=False)
    ],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="K=VALUES",
            help="Vary K over a,b,c, or lo..hi[:step], or all (its choices). K: as in --set, or strategy.WHO.",
            show_default=False,
        ),
    ] = None,
    design: Annotated[
        str | None,
        typer.Option(
            "--design",
            metavar="grid|lhs|sobol|one-at-a-time|list",
            help="Which cells: all combinations (default), points spread evenly over the ranges (Latin hypercube, "
            "Sobol'), the base and each value of each factor alone, or those of --cell.",
            show_default=False,
        ),
    ] = None,
    points: Annotated[
        str | None,
        typer.Option("--points", metavar="N", help="Cells of the designs lhs and sobol.", show_default=False),
    ] = None,
    cell: Annotated[
        list[str] | None,
        typer.Option(
            "--cell",
            metavar="K=V,K=V",
            help="A cell of the design list; what it does not name is as in --set. Repeatable.",
            show_default=False,
        ),
    ] = None,
    players: o.Players = None,
    set_: o.Set = None,
    strategy: o.Strategy = None,
    games: o.Games = None,
    precision: o.Precision = None,
    metric: o.Metric = None,
    content: o.Content = None,
    plugin: o.Plugin = None,
    seed: o.Seed = None,
    threads: o.Threads = None,
    out: o.Out = None,
    keep_games: o.KeepGames = False,
    replays: o.Replays = True,
    scheduler: o.Scheduler = None,
    dry_run: o.DryRun = False,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Play a grid of configurations, or another design, and say what the varied things change.

    All of it is checked before the first game. With --out a stopped sweep goes on where it was.
    """
    line = o.Line(players, set_, strategy, content, plugin, games, precision, seed, threads, metric)
    how = o.output_format(format_)
    factors = words.assignments("--vary", vary or ())

    from experiments import execution, output, planning, progress

    asked = {"vary": factors, "design": design, "points": points, "cells": cell or (), **line.given}
    if dry_run:
        print(planning.shown(planning.forecast(execution.planned(study, **asked), line.given["threads"]), how))
        return
    with progress.watching(quiet) as observer:
        result = execution.sweep(
            study,
            out=out,
            observer=observer,
            command=execution.command_line(),
            keep_games=keep_games,
            scheduler=scheduler,
            replays=replays,
            **asked,
        )
    output.show(result, how)
    raise typer.Exit(output.exit_code(result))
