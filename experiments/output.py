"""Prints a result: a table for people, JSON (schema 1) or CSV for programs; and its exit code."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable
from typing import Any

from experiments import text, words
from experiments.execution import Done, Result
from experiments.metrics import Row
from experiments.speech import Speech

SCHEMA = 1
QUIET_GROUPS = ("quantile", "seat", "order", "strategy", "role")  # groups that the short table shows
MOST_COLUMNS = 6  # metrics beside each other in the table of a sweep
MOST_VALUE = 24  # characters of a factor's value in that table
CSV_HEAD = ("cell", "parameters", *Row._fields)


def exit_code(result: Result) -> int:
    """0 done, 4 some cells failed, 130 stopped."""
    return 130 if result.interrupted else 4 if result.failed else 0


def show(result: Result, how: str, *, every: bool = False) -> None:
    """Print a result to stdout; what went wrong, and how to go on, to stderr."""
    if result.interrupted and not result.done:
        pass  # there is nothing to show
    elif how == "json":
        print(json.dumps(as_json(result), indent=1, allow_nan=False))
    elif how == "csv":
        print(as_csv(result), end="")
    else:
        print(as_table(result, every=every))
    for failed in result.failed:
        from experiments.study import cell_name

        print(
            f"doomtrack: {cell_name(failed['cell'], failed['parameters'])} failed: {failed['error']}", file=sys.stderr
        )
    for remark in result.remarks:
        print(f"doomtrack: {remark}", file=sys.stderr)
    if result.interrupted:
        print(f"doomtrack: {stopped(result)}", file=sys.stderr)


def stopped(result: Result) -> str:
    """What to say after Ctrl-C."""
    if result.begun:
        cells = f"{len(result.done)} of {len(result.plan.cells)} cells and " if len(result.plan.cells) > 1 else ""
        return (
            f"stopped: {cells}{result.begun:,} games of the present one are kept in {result.folder}; "
            f"go on with: {result.manifest['command']}"
        )
    if not result.done:
        return "stopped: nothing was finished; the same command starts anew"
    so_far = f"stopped: {len(result.done)} of {len(result.plan.cells)} cells are finished"
    if result.folder is None:
        return f"{so_far} and nothing is kept (with --out DIR it could go on)"
    return f"{so_far} and kept in {result.folder}; go on with: {result.manifest['command']}"


def _clean(x: float | None) -> float | None:
    return None if x is None or not math.isfinite(x) else x


def _metrics(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Rows for JSON; distributions (rows with an x) stay in the folder."""
    return [
        {
            "metric": r.metric,
            "group": ",".join(g for g in (r.group, r.group2) if g),
            "value": _clean(r.value),
            "low": _clean(r.low),
            "high": _clean(r.high),
            "n": r.n,
            "method": r.method,
        }
        for r in rows
        if r.x is None
    ]


def as_json(result: Result) -> dict[str, Any]:
    """The documented schema: of a run, or of a sweep (with one entry a cell)."""
    m = result.manifest
    head = {"schema": SCHEMA, "game": m["game"], "version": m["version"], "parameters": m["parameters"]}
    if m["kind"] == "run":
        done = result.done[0] if result.done else None
        return {
            **head,
            "strategies": m["players"],
            "seed": m["seed"],
            "games": done.games if done else 0,
            "seconds": m["seconds"],
            "metrics": _metrics(done.rows) if done else [],
        }
    return {
        **head,
        "strategies": m["strategies"],
        "seed": m["seed"],
        "games": m["games"],
        "seconds": m["seconds"],
        "factors": m["factors"],
        "cells": [
            {"cell": d.cell.index, "parameters": dict(d.cell.parameters), "games": d.games, "metrics": _metrics(d.rows)}
            for d in result.done
        ],
        "findings": result.sentences,
        "failed": m["failed"],
    }


def as_csv(result: Result) -> str:
    """All rows, in the long form of cells.parquet."""
    from experiments.execution import parameters_text

    return text.csv(CSV_HEAD, [[d.cell.index, parameters_text(d.cell), *r] for d in result.done for r in d.rows])


def as_table(result: Result, *, every: bool = False) -> str:
    """Findings, then numbers."""
    m = result.manifest
    speech = Speech(m["metrics"])
    parts = [_heading(result)]
    for kind, title in (("answer", ""), ("finding", ""), ("warning", "Be wary:")):
        lines = [f["text"] for f in result.sentences if f["kind"] == kind]
        if lines:
            parts.append((f"{title}\n" if title else "") + text.bullets(lines, "=" if kind == "answer" else "-"))
    if len(result.plan.cells) == 1 and result.done:
        parts.append(_numbers(result.done[0], speech, every))
    elif result.done:
        parts.append(_grid(result, speech))
    if result.folder is not None:
        parts.append(f"kept in {result.folder} (doomtrack report {result.folder})")
    return "\n\n".join(parts)


def _heading(result: Result) -> str:
    m = result.manifest
    played = sum(d.games for d in result.done)
    what = m["question"] or m["title"]
    here = {re.split("[ :]", label)[0] for label in m.get("players") or ()}
    played_by = {  # "all" is left out where seats and roles leave it nobody
        w: s for w, s in m["strategies"].items() if w != "all" or not here or s.partition(":")[0] in here
    }
    strategies = ", ".join(f"{w}: {s}" if w != "all" else s for w, s in played_by.items())
    given = f"; {words.listed(m['given'])}" if m["given"] else ""
    cells, done = len(result.plan.cells), len(result.done)
    many = "" if cells == 1 else f" in {cells} cells" if done == cells else f" in {done} of {cells} cells"
    return (
        f"{what}\n{m['game']} version {m['version']}, {strategies}{given}; {played:,} games{many}, "
        f"seed {m['seed']}, {m['seconds']:.1f} s"
    )


def _value(row: Row, speech: Speech) -> str:
    width = None if row.low is None or row.high is None else row.high - row.low
    return "-" if row.value is None else speech.value(row.metric, row.value, width)


def _numbers(done: Done, speech: Speech, every: bool) -> str:
    rows = [r for r in done.rows if r.x is None]
    shown = (
        rows
        if every
        else [r for r in rows if not r.group or (r.group.partition("=")[0] in QUIET_GROUPS and not r.group2)]
    )
    body = [[r.label, _value(r, speech), speech.interval(r), f"{r.n:,}", r.method] for r in shown]
    said = text.table(["metric", "value", "95 % interval", "n", "method"], body, right=(1, 2, 3))
    hidden = len(rows) - len(shown)
    return said + (
        f"\n{hidden} more numbers (items, events, rules, ...): --all, --format csv, or --out DIR" if hidden else ""
    )


def _grid(result: Result, speech: Speech) -> str:
    """One line a cell: the factors, and the metrics that the findings speak of."""
    told = [(f["metric"], f["group"] or "") for f in result.sentences if f["metric"]]
    columns = list(dict.fromkeys(told))[:MOST_COLUMNS]
    names = [f.name for f in result.plan.factors]
    titles = [f"{m}[{g}]" if g else m for m, g in columns]
    body = []
    for d in result.done:
        line = [_cut(words.shown(d.cell.parameters[n])) for n in names]
        for metric, group in columns:
            row = next((r for r in d.rows if (r.metric, r.group, r.group2, r.x) == (metric, group, "", None)), None)
            line.append("" if row is None else speech.row(row))
        body.append([*line, f"{d.games:,}"])
    head = [*_shortened(names), *titles, "games"]
    widths = [max(len(line[i]) for line in (head, *body)) for i in range(len(head))]
    left = len(columns)
    while left > 1 and sum(widths) + 2 * (len(widths) - 1) > text.width():
        left -= 1
        at = len(names) + left
        del widths[at]
        for line in (head, *body):
            del line[at]
    said = text.table(head, body, right=tuple(range(len(names), len(head))))
    if left == len(columns):
        return said
    return f"{said}\n" + text.wrapped(
        f"left out, as the terminal is too narrow: {', '.join(titles[left:])} (--format csv has all)"
    )


def _cut(value: str) -> str:
    """A factor's value, not too long for a column: effect texts and strategies with many weights lose their middle."""
    return value if len(value) <= MOST_VALUE else f"{value[: MOST_VALUE // 2 - 2]}...{value[-MOST_VALUE // 2 + 1 :]}"


def _shortened(names: list[str]) -> list[str]:
    """Parameter paths by their last two parts, where that tells them apart."""
    short = [".".join(n.split(".")[-2:]) for n in names]
    return [s if short.count(s) == 1 else n for s, n in zip(short, names, strict=True)]
