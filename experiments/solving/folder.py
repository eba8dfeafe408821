"""The result of a question, and its folder: one of kind `solve`, with the cells of all searches.

`manifest["solve"]` says what was asked and, in `answers`, what each search found; of a single search the same stands
there beside them. `cells` are a list of those that were played, so that `trace DIR --cell C` plays any of them again.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments import designs, findings, kinds, lineup, manifest, store, words
from experiments import statistics as st
from experiments.designs import Factor
from experiments.execution import Done, Result
from experiments.metrics import described, described_expressions, metrics_of
from experiments.solving import over, places
from experiments.solving.searches import KIND, Ready
from experiments.solving.solved import Found, Solved
from experiments.speech import Speech
from experiments.study import Plan
from simcore.errors import InputError


def asked(ready: Ready) -> dict[str, Any]:
    """All that makes two questions the same."""
    return {**store.asked(ready.plan), KIND: ready.asked.data}


def opened(out: str | Path, ready: Ready) -> store.Folder:
    """The folder for this question: new, empty, or holding the same one. Raises InputError for anything else."""
    if not str(out).strip():
        raise InputError("--out: no folder is named (leave --out away to keep nothing)")
    path, whole = Path(out), ready.plan
    if (path / store.MANIFEST).is_file():
        there = store.read_manifest(path)
        if there.get("kind") != KIND:
            raise InputError(f"--out {out}: holds a {there.get('kind')}, not a search; choose another folder")
        differs = store.difference(there.get(KIND, {}).get("asked", {}), asked(ready))
        if differs:
            raise InputError(f"--out {out}: holds another search ({differs}); choose another folder")
        whole = dataclasses.replace(whole, asked=there.get("asked", {}))  # its cells are those that it came to
    return store.Folder.open(path, whole)


def begin(folder: store.Folder, ready: Ready, command: str, started: str) -> None:
    """The manifest of what is not finished; that of a folder that holds some of it stays."""
    if (folder.path / store.MANIFEST).exists():
        return
    told = manifest.manifest(ready.plan, KIND, False, [], command, started, 0.0, {})
    told[KIND] = {**ready.asked.data, "asked": asked(ready), "answers": []}
    store.write_json(folder.path / store.MANIFEST, told)
    store.write_board(folder.path, ready.plan.cells[0].configuration)


def result(
    ready: Ready,
    found: Sequence[Found],
    failed: Sequence[Mapping[str, Any]],
    command: str,
    started: str,
    seconds: float,
    interrupted: bool = False,
) -> Solved:
    """All that the searches gave: a list of the cells that were played, with the answers' sentences."""
    done = [d for f in found for d in f.done]
    for k, d in enumerate(done):
        d.cell = dataclasses.replace(d.cell, index=k)
    listed = _plan(ready, done)
    written = manifest.manifest(listed, KIND, not interrupted and not failed, failed, command, started, seconds, {})
    written |= {"games": None, "cells": len(done)}
    if lineup.is_lineup(ready.asked.name):  # a weight that is sought is none of the line-up's own
        written["strategies"] = {"all": lineup.DEFAULT, **ready.study.strategies}
    written["metrics"].get(ready.asked.groups[0], {})["headline"] = True
    written[KIND] = _told(ready, found)
    sentences = _sentences(ready, found, listed, written["metrics"])
    return Solved(
        ready.asked,
        ready.searches,
        list(found),
        Result(listed, written, done, sentences, None, interrupted),
    )


def speech(ready: Ready) -> Speech:
    """How the numbers of a question are said."""
    known = described(metrics_of(ready.plan.cells[0].configuration))
    return Speech({**known, **described_expressions(ready.study.metrics)})


def _plan(ready: Ready, done: Sequence[Done]) -> Plan:
    """The cells that were played, as a list; those that are known beforehand where there are none yet."""
    if not done:
        return ready.plan
    cells = tuple(d.cell for d in done)
    name = ready.asked.name
    values = sorted({c.parameters[name] for c in cells}, key=lambda v: float(str(v)))
    sought = dataclasses.replace(ready.plan.factors[-1], values=tuple(values))
    met: list[Factor] = []
    for factor in ready.factors:
        there = {words.shown(c.parameters[factor.name]) for c in cells}
        met.append(dataclasses.replace(factor, values=tuple(v for v in factor.values if words.shown(v) in there)))
    again = {"design": designs.LIST, "cell": [dict(c.parameters) for c in cells], "factors": {}}
    return Plan(ready.study, ready.plan.game, (*met, sought), cells, ready.plan.given, (), again)


def _told(ready: Ready, found: Sequence[Found]) -> dict[str, Any]:
    """`manifest["solve"]`."""
    answers = [_answer(f) for f in found]
    single = {k: v for k, v in answers[0].items() if k != "parameters"} if len(ready.searches) == 1 and found else {}
    games = sum(f.spent for f in found)
    return {**ready.asked.data, **single, "games": games, "asked": asked(ready), "answers": answers}


def _answer(found: Found) -> dict[str, Any]:
    low, high = found.interval or (None, None)
    there, nearest = found.there, found.nearest
    return {
        "parameters": dict(found.parameters),
        "status": found.status,
        "value": found.value,
        "low": low,
        "high": high,
        "candidates": found.candidates,
        "nearest": None if nearest is None else found.asked.value(nearest),
        "there": None if there is None else {"value": there.value, "low": there.low, "high": there.high},
        "games": found.spent,
        "remark": found.remark,
    }


def _sentences(
    ready: Ready, found: Sequence[Found], listed: Plan, metrics: dict[str, dict[str, Any]]
) -> list[kinds.Finding]:
    """The answers, what else they show, and what to be wary of."""
    if not found:
        return [kinds.finding("warning", "No search was finished: there is nothing to report.")]
    said: list[kinds.Finding] = []
    if len(ready.searches) == 1:
        only = found[0]
        main = only.there or next(iter(only.rows.values()))
        said += [kinds.finding("answer", t, main) for t in only.said]
        said += [kinds.finding("finding", t, main) for t in only.curve_said]
    else:
        said += over.told(ready.factors, found, level(ready), Speech(metrics))
    nearest = [_nearest(f) for f in found]
    others = findings.make(listed, [kinds.Result(d.cell, d.rows) for d in nearest], metrics)
    return said + [f for f in others if f["kind"] == "warning"]


def _nearest(found: Found) -> Done:
    """The cell at the answer; of a search without one, a cell that was played."""
    at = found.nearest
    return next((d for d in found.done if at is not None and _place(d, found) == at), found.done[0])


def _place(done: Done, found: Found) -> float:
    return float(str(done.cell.parameters[found.asked.name]))


def level(ready: Ready) -> float:
    """The level of each search's interval so that all hold together."""
    return st.family(st.LEVEL, len(ready.searches))


# --- the folder -------------------------------------------------------------------------------------------------------


def keep(folder: store.Folder, solved: Solved) -> None:
    """Write the result, the manifest last; of what is finished, nothing of older kernels or strategies stays."""
    told = solved.result
    if told.done:
        store.write_frame(folder.path / store.CELLS, told.cells)
    store.write_json(folder.path / store.FINDINGS, told.sentences)
    store.write_json(folder.path / store.MANIFEST, told.manifest)
    told.folder = folder.path
    if told.manifest["finished"]:
        study = told.plan.study
        keys = {store.cell_key(d.cell, study) for d in told.done}
        folder.forget_others(keys)
        for path in (folder.path / store.PARTS).glob(f"*{places.JOURNAL}"):
            if path.stem not in keys:
                path.unlink(missing_ok=True)


def command(ready: Ready, out: str | Path | None) -> str:
    """The command line that asks the same."""
    question, sought = ready.question, ready.asked
    said = ["doomtrack", KIND, question.game, "--find", f"{sought.name}={sought.given}"]
    said += ["--target", f"{sought.metric}={sought.target:.12g}"]
    said += ["--within", f"{sought.within:g}"] if sought.within is not None else []
    said += designs.options(question.study, ready.factors)
    said += manifest.line_up_and_settings(question.study, question.base)
    said += ["--budget", str(sought.budget), "--seed", str(question.seed)]
    said += [w for k, v in question.metrics.items() for w in ("--metric", f"{k}={v}")]
    return shlex.join([*said, *(["--out", str(out)] if out is not None else [])])
