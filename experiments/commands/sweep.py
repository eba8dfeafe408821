"""`doomtrack sweep`: a grid of configurations, from the command line or from a study file."""

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
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Play a grid of configurations and say what the varied things change.

    All of it is checked before the first game. With --out a stopped sweep goes on where it was.
    """
    line = o.Line(players, set_, strategy, content, plugin, games, precision, seed, threads, metric)
    how = o.output_format(format_)
    factors = words.assignments("--vary", vary or ())

    from experiments import execution, output, progress

    with progress.watching(quiet) as observer:
        result = execution.sweep(
            study, vary=factors, out=out, observer=observer, command=execution.command_line(), **line.given
        )
    output.show(result, how)
    raise typer.Exit(output.exit_code(result))
