"""`doomtrack trace`: one game, turn by turn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from experiments import options as o
from experiments import words
from simcore.errors import InputError

NOT_FOUND = 3
MOST_NUMBER = 10**15


def command(
    game: Annotated[
        str, typer.Argument(metavar="GAME|DIR", help="A game, or a result folder (with --cell).", show_default=False)
    ],
    number: Annotated[
        str, typer.Option("--game", metavar="K", help="Number of the game; with --where: search from it.")
    ] = "0",
    cell: Annotated[
        str | None,
        typer.Option("--cell", metavar="C", help="Cell of the result folder. Default: 0.", show_default=False),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            "--where",
            metavar="EXPR",
            help="Find the first game like this: 'turns > 60' (polars SQL). Exit code 3 if there is none.",
            show_default=False,
        ),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Also the options that each policy saw, and their scores.")
    ] = False,
    deal: Annotated[
        list[str] | None,
        typer.Option(
            "--deal",
            metavar="WHO.KIND=ENTRY",
            help="Deal this to a player at set-up, as 0.item=sled (see: doomtrack impact). Repeatable.",
            show_default=False,
        ),
    ] = None,
    players: o.Players = None,
    set_: o.Set = None,
    strategy: o.Strategy = None,
    content: o.Content = None,
    plugin: o.Plugin = None,
    games: Annotated[
        str | None,
        typer.Option("--games", metavar="N", help="Games to search for --where. Default: 1e6.", show_default=False),
    ] = None,
    seed: o.Seed = None,
    threads: o.Threads = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="text|jsonl|html", help="How to print; html: a page to step through.")
    ] = "text",
    quiet: o.Quiet = False,
) -> None:
    """Tell one game, turn by turn. The same settings, line-up and seed give the same game as in `run`."""
    line = o.Line(players, set_, strategy, content, plugin, games, None, seed, threads)
    how = o.output_format(format_, ("text", "jsonl", "html"))
    first = words.whole("--game", number, 0, MOST_NUMBER)
    folder = Path(game)
    inside = folder.is_dir() or cell is not None
    if inside and (players or set_ or strategy or content or plugin or seed):
        raise InputError("trace DIR: settings, line-up and seed are those of the result; leave them out")
    index = words.whole("--cell", cell or "0", 0, words.MOST_CELLS)

    from experiments import progress, traces
    from experiments.study import build

    progress.announce_compiling(quiet)
    if inside:
        chosen, asked, remarks = traces.cell_and_study(folder, index)
        for remark in remarks:
            print(f"doomtrack: {remark}", file=sys.stderr)
    else:
        asked = build(
            game=game,
            base=line.given["settings"],
            strategies=line.given["strategies"],
            overlays=line.given["content"],
            plugins=line.given["plugins"],
            games=1,
            seed=line.given.get("seed", 1),
        )
        chosen = traces.cell_of_study(asked)
    from experiments.impacts.entries import read_deals

    dealt = read_deals(chosen.configuration, deal or ())
    if where is not None:
        most = line.given["games"] or traces.SEARCHED
        found = traces.find(
            chosen, where, seed=asked.seed, first=first, most=most, threads=line.given["threads"], deal=dealt
        )
        if found is None:
            print(f"doomtrack: no game like {where!r} among the {most:,} from number {first} on", file=sys.stderr)
            raise typer.Exit(NOT_FOUND)
        first = found
    told = traces.trace(chosen, first, seed=asked.seed, why=why, deal=dealt)
    if how == "html":
        from experiments import replays

        print(replays.alone(told, asked), end="")
        return
    if how == "jsonl":
        print("\n".join(told.lines()))
        return
    print(f"game {told.number} of seed {told.seed}: {', '.join(p.label for p in chosen.players)}")
    chairs = told.chairs()
    if len({*chairs.values(), *(p.label for p in chosen.players)}) > 1:
        print(f"in the chairs: {', '.join(f'{chair} {label}' for chair, label in chairs.items())}")
    print("\n".join(told.text()))
