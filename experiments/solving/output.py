"""Prints what was found: a table for people, JSON (schema 1) or CSV for programs."""

from __future__ import annotations

import json
import sys
from typing import Any

from experiments import text, words
from experiments.solving.searches import KIND
from experiments.solving.solved import Found, Solved
from experiments.solving.telling import FOUND
from experiments.speech import Speech

SCHEMA = 1


def show(solved: Solved, how: str) -> None:
    """Print a result to stdout; what went wrong, and how to go on, to stderr."""
    result = solved.result
    if solved.found or not result.interrupted:
        print({"json": as_json, "csv": as_csv}.get(how, as_table)(solved))
    for failed in result.failed:
        where = f" ({words.listed(failed['parameters'])})" if failed["parameters"] else ""
        print(f"doomtrack: the search{where} failed: {failed['error']}", file=sys.stderr)
    for remark in result.remarks:
        print(f"doomtrack: {remark}", file=sys.stderr)
    if result.interrupted:
        print(f"doomtrack: {stopped(solved)}", file=sys.stderr)


def stopped(solved: Solved) -> str:
    """What to say after Ctrl-C."""
    many, done, result = len(solved.searches), len(solved.found), solved.result
    parts = [f"{done} of {many} searches are finished"] if many > 1 else []
    if result.folder is None:
        said = f"stopped: {parts[0]} and nothing is kept" if parts else "stopped: nothing is kept"
        return f"{said} (with --out DIR it could go on)"
    if result.begun:
        parts.append(f"{result.begun:,} games of the {'present one' if many > 1 else 'search'} are kept")
    if not done and not result.begun:
        return "stopped: nothing was finished; the same command starts anew"
    said = " and ".join(parts)
    return f"stopped: {said} in {result.folder}; go on with: {result.manifest['command']}"


def as_json(solved: Solved) -> str:
    """The answers and the curves as data. Of a single search, its answer also stands outside of `answers`."""
    m = solved.result.manifest
    told = {k: v for k, v in m[KIND].items() if k != "asked"}
    told["answers"] = [{**a, "curve": _curve(f)} for a, f in zip(told["answers"], solved.found, strict=True)]
    if len(solved.searches) == 1 and solved.found:
        told["curve"] = told["answers"][0]["curve"]
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "game": m["game"],
        "version": m["version"],
        "parameters": m["parameters"],
        "strategies": m["strategies"],
        "seed": m["seed"],
        "seconds": m["seconds"],
        "factors": m["factors"][:-1],
        **told,
        "findings": solved.result.sentences,
        "failed": m["failed"],
    }
    return json.dumps(data, indent=1, allow_nan=False)


def _curve(found: Found) -> list[dict[str, Any]]:
    """The metric at each value that was played."""
    return [
        {
            "x": found.asked.value(x),
            "value": r.value,
            "low": r.low,
            "high": r.high,
            "games": found.games(x),
            "n": r.n,
            "method": r.method,
        }
        for x, r in found.rows.items()
    ]


def as_csv(solved: Solved) -> str:
    """The curves: one line a value, those of a search together."""
    names = list(solved.searches[0].parameters)
    head = (solved.asked.name, "metric", "group", "group2", "value", "low", "high", "games", "n", "method", "remark")
    rows = []
    for f in solved.found:
        for x, r in f.rows.items():
            line = [f.asked.value(x), r.metric, r.group, r.group2, r.value, r.low, r.high, f.games(x), r.n, r.method]
            rows.append([*(f.parameters[n] for n in names), *line, remark(f, x)])
    return text.csv((*names, *head), rows).rstrip("\n")


def remark(found: Found, x: float) -> str:
    """What a value of the curve is to the answer."""
    if x == found.nearest:
        return "nearest"
    if x in found.answer.candidates:
        return "not excluded"
    low, high = found.answer.low, found.answer.high
    return "within the interval" if low is not None and high is not None and low <= x <= high else ""


def as_table(solved: Solved) -> str:
    """The answer, then the curve; of several searches a line for each."""
    m = solved.result.manifest
    speech = Speech(m["metrics"])
    parts = [_heading(solved)]
    for kind, title, mark in (("answer", "", "="), ("finding", "", "-"), ("warning", "Be wary:\n", "-")):
        lines = [f["text"] for f in solved.result.sentences if f["kind"] == kind]
        if lines:
            parts.append(title + text.bullets(lines, mark))
    if solved.found:
        parts.append(_curve_table(solved.found[0], speech) if len(solved.searches) == 1 else _table(solved, speech))
    if solved.result.folder is not None:
        parts.append(f"kept in {solved.result.folder} (doomtrack report {solved.result.folder})")
    return "\n\n".join(parts)


def _heading(solved: Solved) -> str:
    m = solved.result.manifest
    played = {p.strategy.name for d in solved.result.done for p in d.cell.players}
    told = {w: s for w, s in m["strategies"].items() if w != "all" or not played or s.partition(":")[0] in played}
    strategies = ", ".join(f"{w}: {s}" if w != "all" else s for w, s in told.items())
    given = f"; {words.listed(m['given'])}" if m["given"] else ""
    done, many = len(solved.found), len(solved.searches)
    searches = "" if many == 1 else f" in {many} searches" if done == many else f" in {done} of {many} searches"
    return (
        f"{m['question'] or m['title']}\n{m['game']} version {m['version']}, {strategies}{given}; "
        f"{m[KIND]['games']:,} games{searches}, seed {m['seed']}, {m['seconds']:.1f} s"
    )


def _curve_table(found: Found, speech: Speech) -> str:
    label = next(iter(found.rows.values())).label
    body = [
        [words.shown(found.asked.value(x)), speech.row(r), f"{found.games(x):,}", remark(found, x)]
        for x, r in found.rows.items()
    ]
    return text.table([found.asked.name, label, "games", ""], body, right=(1, 2))


def _table(solved: Solved, speech: Speech) -> str:
    """What is varied, the value with what cannot be excluded, the metric there, games, or why there is no value."""
    names = list(solved.searches[0].parameters)
    listed = solved.asked.axis.span is None
    body = []
    for f in solved.found:
        ok = f.status == FOUND
        there = _there(f, speech)
        cells = [words.shown(v) for v in f.parameters.values()]
        body.append([*cells, f.number if ok else "-", f.bounds if ok else "", there, f"{f.spent:,}", f.remark])
    head = [*(n.removeprefix("strategy.") for n in names), solved.asked.name]
    head += ["not excluded" if listed else "95 % interval", f"{solved.asked.metric} there", "games", ""]
    first = len(names)
    if not any(f.remark for f in solved.found):
        head, body = head[:-1], [line[:-1] for line in body]
    if not any(line[first + 1] for line in body):
        head, body = _without(head, first + 1), [_without(line, first + 1) for line in body]
    return text.table(head, body, right=tuple(range(first, len(head) - bool(head[-1] == ""))))


def _there(found: Found, speech: Speech) -> str:
    """The metric at the value: as it was measured; between the measured places of a real parameter its interval."""
    row = found.there
    if row is None:
        return ""
    if found.status != FOUND or found.answer.candidates or found.nearest == found.answer.value:
        return speech.row(row)
    low, high = found.answer.band
    return speech.interval(row._replace(value=found.asked.target, low=low, high=high)).replace(" .. ", " to ")


def _without(line: list[str], at: int) -> list[str]:
    return line[:at] + line[at + 1 :]
