"""`doomtrack run`: one configuration, played and measured."""

from __future__ import annotations

from typing import Annotated

import typer

from experiments import options as o


def command(
    game: o.Game,
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
    every: Annotated[bool, typer.Option("--all", help="Every number in the table: items, events, rules, too.")] = False,
    dry_run: o.DryRun = False,
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Play one configuration and measure it.

    Every number comes with a 95 % interval.
    """
    line = o.Line(players, set_, strategy, content, plugin, games, precision, seed, threads, metric)
    how = o.output_format(format_)

    from experiments import execution, output, planning, progress

    if dry_run:
        asked = {"vary": None, **line.given}
        if asked["games"] is None and asked["precision"] is None:
            asked["games"] = execution.RUN_GAMES
        print(planning.shown(planning.forecast(execution.planned(game, **asked), line.given["threads"]), how))
        return
    with progress.watching(quiet) as observer:
        result = execution.run(
            game,
            out=out,
            observer=observer,
            command=execution.command_line(),
            keep_games=keep_games,
            scheduler=scheduler,
            replays=replays,
            **line.given,
        )
    output.show(result, how, every=every)
    raise typer.Exit(output.exit_code(result))
