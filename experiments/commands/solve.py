"""`doomtrack solve`: the value of a parameter that hits a target."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments import options as o
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.solving import Solved, Watch

SCHEMA = 1
NOTHING_FOUND = 3


def command(
    game: o.Game,
    find: Annotated[
        str | None,
        typer.Option(
            "--find",
            metavar="K=LO..HI[:STEP]",
            help="The parameter to solve for, and where to look: any number that --vary takes. Required.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="METRIC=VALUE",
            help="What should come out, as turns=40 or win_share[seat=0]=0.3. Required.",
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
        typer.Option("--budget", metavar="N", help="Games in all, at most. Default: 600,000.", show_default=False),
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
    format_: o.FormatOption = "table",
    quiet: o.Quiet = False,
) -> None:
    """Find the value of a parameter at which a metric meets a target, with its interval.

    Exit code 3 if there is none: the target is out of reach, or the metric rises and falls.
    """
    if find is None or target is None:
        raise InputError(
            "solve: needs --find K=LO..HI and --target METRIC=VALUE, as --find gear=1..6 --target turns=40"
        )
    line = o.Line(players, set_, strategy, content, plugin, None, None, seed, threads, metric)
    how = o.output_format(format_)
    asked = {k: v for k, v in line.given.items() if k not in ("games", "precision")}

    from experiments import execution, solving

    asked |= {"find": find, "target": target, "within": within, "budget": budget, "out": out}
    try:
        with watching(quiet, solving.BUDGET if budget is None else budget) as watch:
            solved = solving.solve(game, watch=watch, command=execution.command_line(), **asked)
    except KeyboardInterrupt:
        print("doomtrack: stopped: nothing is kept", file=sys.stderr)
        raise
    print({"json": as_json, "csv": as_csv}.get(how, as_table)(solved))
    raise typer.Exit(0 if solved.status == solving.FOUND else NOTHING_FOUND)


@contextmanager
def watching(quiet: bool, budget: object) -> Iterator[Watch | None]:
    """A line on the terminal; None in a pipe or if `quiet`."""
    from experiments import progress, words

    if quiet or not progress.on_terminal():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    progress.announce_compiling()
    total = words.number_of_games(budget)
    parts = (TextColumn("solving"), BarColumn(bar_width=24), TextColumn("{task.fields[said]}"), TimeElapsedColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, said="")
        yield lambda games, x: bar.update(task, completed=games, said=f"{games:,} of {total:,} games, at {x:g}")
    sys.stderr.flush()


def as_json(solved: Solved) -> str:
    """The answer and the curve as data."""
    m = solved.result.manifest
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "game": m["game"],
        "version": m["version"],
        "parameters": m["parameters"],
        "strategies": m["strategies"],
        "seed": m["seed"],
        "seconds": m["seconds"],
        **m["solve"],
        "curve": [
            {
                "x": solved.asked.value(x),
                "value": r.value,
                "low": r.low,
                "high": r.high,
                "games": solved.games(x),
                "n": r.n,
                "method": r.method,
            }
            for x, r in solved.rows.items()
        ],
        "findings": solved.result.sentences,
    }
    return json.dumps(data, indent=1, allow_nan=False)


def as_csv(solved: Solved) -> str:
    """The curve: one line a value."""
    from experiments import text

    head = (solved.asked.name, "metric", "group", "group2", "value", "low", "high", "games", "n", "method", "remark")
    rows = [
        [solved.asked.value(x), r.metric, r.group, r.group2, r.value, r.low, r.high, solved.games(x), r.n, r.method]
        + [remark(solved, x)]
        for x, r in solved.rows.items()
    ]
    return text.csv(head, rows).rstrip("\n")


def remark(solved: Solved, x: float) -> str:
    """What a value of the curve is to the answer."""
    if solved.answer.value is not None and x == solved.answer.at(solved.answer.value).x:
        return "nearest"
    if x in solved.answer.candidates:
        return "not excluded"
    low, high = solved.answer.low, solved.answer.high
    return "within the interval" if low is not None and high is not None and low <= x <= high else ""


def as_table(solved: Solved) -> str:
    """The answer, then the curve."""
    from experiments import text, words
    from experiments.speech import Speech

    m = solved.result.manifest
    speech = Speech(m["metrics"])
    strategies = ", ".join(f"{w}: {s}" if w != "all" else s for w, s in m["strategies"].items())
    given = f"; {words.listed(m['given'])}" if m["given"] else ""
    head = (
        f"{m['title']}\n{m['game']} version {m['version']}, {strategies}{given}; {solved.answer.games:,} games, "
        f"seed {m['seed']}, {m['seconds']:.1f} s"
    )
    parts = [head]
    for kind, title, mark in (("answer", "", "="), ("finding", "", "-"), ("warning", "Be wary:\n", "-")):
        lines = [f["text"] for f in solved.result.sentences if f["kind"] == kind]
        if lines:
            parts.append(title + text.bullets(lines, mark))
    label = next(iter(solved.rows.values())).label
    body = [
        [words.shown(solved.asked.value(x)), speech.row(r), f"{solved.games(x):,}", remark(solved, x)]
        for x, r in solved.rows.items()
    ]
    parts.append(text.table([solved.asked.name, label, "games", ""], body, right=(1, 2)))
    if solved.result.folder is not None:
        parts.append(f"kept in {solved.result.folder} (doomtrack report {solved.result.folder})")
    return "\n\n".join(parts)
