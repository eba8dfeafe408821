"""`doomtrack replays`: games of one cell of a result folder, chosen and told for its report."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from experiments import options as o
from experiments import words


def command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A result folder (of --out).", show_default=False)],
    cell: Annotated[str, typer.Option("--cell", metavar="C", help="The cell whose games are told.")] = "0",
    games: Annotated[
        str | None,
        typer.Option(
            "--games",
            metavar="N",
            help="Choose among its first N games. Default: 3000, or as many as there are.",
            show_default=False,
        ),
    ] = None,
    threads: o.Threads = None,
    quiet: o.Quiet = False,
) -> None:
    """Choose telling games of a cell, for the report to show turn by turn.

    The median, the closest and the longest game, the biggest comeback and the most lopsided one. `run` and `sweep` do
    it by themselves for their first cell.
    """
    index = words.whole("--cell", cell, 0, words.MOST_CELLS)
    among = None if games is None else words.number_of_games(games)
    thread_count = o.thread_count(threads)

    from experiments import progress, replays, text

    progress.announce_compiling(quiet)
    found, remarks = replays.of_folder(folder, index, games=among, threads=thread_count)
    for remark in remarks:
        print(f"doomtrack: {remark}", file=sys.stderr)
    told = [(r["title"], f"game {r['number']}: {r['why']}") for r in found["replays"]]
    print(text.table(("game", "why"), told, heading=False))
    print(f"\nkept in {folder}/{replays.FOLDER} (doomtrack report {folder})")
