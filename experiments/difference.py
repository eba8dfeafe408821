"""What changed between two results: the inputs that differ, and the change of each number that both have.

The results are taken as independent, so the interval of a change is put together from the intervals of its halves:
each side adds its own distance from value to bound, as squares (MOVER: Zou & Donner 2008, Statistics in Medicine 27,
1693-1702; for two Wilson intervals it is Newcombe's method 10, 1998). Results that share a seed share luck: such an
interval is then wider than need be, and `doomtrack compare` pairs the games. Cells are matched by what was varied in
either result. Sentences hold together (family-wise 95 %). Reports draw the folder that is written.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from experiments import metrics as mt
from experiments import speech as sp
from experiments import statistics as st
from experiments import store, words
from experiments.kinds import finding
from experiments.lineup import is_lineup
from experiments.metrics import Row
from simcore.errors import InputError

KIND = "difference"
CHANGES = "changes.parquet"
METHOD = "from both intervals"
TOLD = 6  # changes that are told in sentences
UNSAID = ("quantile",)  # groups whose intervals cannot be had at another level
NOT_GIVEN = None  # the value of what one result does not set


class Input(NamedTuple):
    """Something that the two results were not given alike."""

    what: str  # parameter, strategy, factor, content, ...
    name: str
    before: Any
    after: Any


class Change(NamedTuple):
    """A number in both results, and by how much it changed. `distance`: the change in half-widths of its interval."""

    cell: int  # of the matched cells
    metric: str
    group: str
    group2: str
    before: float
    after: float
    change: float
    low: float | None
    high: float | None
    n_before: int
    n_after: int
    distance: float | None


@dataclass(frozen=True)
class Side:
    """A result as it lies in its folder."""

    name: str
    folder: Path
    manifest: Mapping[str, Any]
    rows: Mapping[int, Mapping[tuple[str, str, str], Row]]  # by cell
    parameters: Mapping[int, Mapping[str, Any]]

    @property
    def factors(self) -> dict[str, list[Any]]:
        """What was varied."""
        told = self.manifest.get("factors") or []
        return {str(f["name"]): list(f["values"]) for f in told}

    def setting(self, name: str, cell: int) -> Any:
        """What a cell has for a parameter or `strategy.WHO`."""
        if name in self.parameters[cell]:
            return self.parameters[cell][name]
        if is_lineup(name):
            return (self.manifest.get("strategies") or {}).get(name.partition(".")[2])
        return (self.manifest.get("parameters") or {}).get(name)


@dataclass
class Difference:
    """Two results side by side."""

    before: Side
    after: Side
    inputs: list[Input]
    cells: list[tuple[dict[str, Any], int, int]]  # what a matched cell has, and its number in both
    changes: list[Change]
    manifest: dict[str, Any] = field(default_factory=dict)
    sentences: list[dict[str, Any]] = field(default_factory=list)

    def find(self, metric: str, group: str = "", cell: int = 0) -> Change:
        """One change. Raises KeyError."""
        for change in self.changes:
            if (change.cell, change.metric, change.group, change.group2) == (cell, metric, group, ""):
                return change
        raise KeyError(f"{metric}[{group}] of cell {cell}")


# --- reading ----------------------------------------------------------------------------------------------------------


def read(folder: str | Path, name: str = "") -> Side:
    """A result folder. Raises InputError if it is none, or has no numbers."""
    path = Path(folder)
    manifest = store.read_manifest(path)
    if manifest.get("kind") == KIND:
        raise InputError(f"{path}: is itself a difference of two results; name two results")
    frame = store.read_frame(path / store.CELLS)
    rows: dict[int, dict[tuple[str, str, str], Row]] = {}
    parameters: dict[int, dict[str, Any]] = {}
    for cell, told, *numbers in frame.select(list(mt.schema())).iter_rows():
        row = Row(*numbers)
        parameters.setdefault(cell, json.loads(told or "{}"))
        if row.x is None and row.value is not None and math.isfinite(row.value):
            rows.setdefault(cell, {})[row.metric, row.group, row.group2] = row
    if not rows:
        raise InputError(f"{path}: has no numbers yet; run its command again to finish it")
    return Side(name or path.resolve().name, path, manifest, rows, parameters)


def _names(before: Path, after: Path) -> tuple[str, str]:
    """What the two are called: their folders' names, or as much of the paths as tells them apart."""
    a, b = before.resolve().parts, after.resolve().parts
    for k in range(1, max(len(a), len(b)) + 1):
        if a[-k:] != b[-k:]:
            return "/".join(a[-k:]), "/".join(b[-k:])
    raise InputError(f"{before} and {after} are the same folder; name two results")


# --- inputs -----------------------------------------------------------------------------------------------------------

PLAIN = (("game version", "version"), ("seed", "seed"), ("games a cell", "games"), ("precision", "precision"))


def inputs(before: Side, after: Side) -> list[Input]:
    """All in which what was asked, and of what, is not the same in both."""
    a, b = before.manifest, after.manifest
    found = [Input("rules", name, a.get(key), b.get(key)) for name, key in PLAIN[:1]]
    varied = {**before.factors, **after.factors}
    for name in varied:
        was, now = before.factors.get(name), after.factors.get(name)
        found.append(Input("varied", name, was or _still(before, name), now or _still(after, name)))
    for what, key in (("parameter", "parameters"), ("strategy", "strategies")):
        old, new = (m.get(key) or {} for m in (a, b))
        prefix = "strategy." if what == "strategy" else ""
        names = [n for n in dict.fromkeys([*old, *new]) if prefix + n not in varied]
        found += [Input(what, name, old.get(name, NOT_GIVEN), new.get(name, NOT_GIVEN)) for name in names]
    found += [Input("content", "overlays", a.get("overlays") or [], b.get("overlays") or [])]
    found += [Input("content", "digest", a.get("content_digest"), b.get("content_digest"))]
    found += [Input("sources", "digest of the rules", a.get("source_digest"), b.get("source_digest"))]
    found += [Input("luck", name, a.get(key), b.get(key)) for name, key in PLAIN[1:]]
    old, new = (m.get("versions") or {} for m in (a, b))
    found += [Input("version", name, old.get(name), new.get(name)) for name in dict.fromkeys([*old, *new])]
    return [i for i in found if _plain(i.before) != _plain(i.after)]


def _still(side: Side, name: str) -> Any:
    return side.setting(name, next(iter(side.parameters)))


def _plain(value: Any) -> str:
    """A value as a key: 1 and 1.0 are the same, true and 1 are not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, list):
        return json.dumps([_plain(v) for v in value])
    return json.dumps(value, sort_keys=True, default=str)


# --- numbers ----------------------------------------------------------------------------------------------------------


def matched(before: Side, after: Side) -> list[tuple[dict[str, Any], int, int]]:
    """Cells that are the same in both but for the inputs that differ. Raises InputError if there are none."""
    if len(before.rows) == len(after.rows) == 1:
        (a,), (b,) = before.rows, after.rows
        both = set(before.parameters[a]) & set(after.parameters[b])
        return [({n: v for n, v in after.parameters[b].items() if n in both}, a, b)]
    names = list(dict.fromkeys([*after.factors, *before.factors]))
    there = {tuple(_plain(before.setting(n, cell)) for n in names): cell for cell in before.rows}
    found = []
    for cell in after.rows:
        place = {n: after.setting(n, cell) for n in names}
        old = there.get(tuple(_plain(v) for v in place.values()))
        if old is not None:
            found.append((place, old, cell))
    if not found:
        said = [f"{s.name} has {_levels(s, names)}" for s in (before, after)]
        raise InputError(f"the results have no cell in common: {'; '.join(said)}")
    return found


def _levels(side: Side, names: Sequence[str]) -> str:
    levels = {n: dict.fromkeys(words.shown(side.setting(n, cell)) for cell in side.rows) for n in names}
    return ", ".join(f"{n} = {', '.join(values)}" for n, values in levels.items())


def between(before: st.Estimate, after: st.Estimate, level: float = st.LEVEL) -> tuple[float | None, float | None]:
    """Bounds of after - before for independent estimates (MOVER); None where a half lacks the bound it takes."""
    if level != st.LEVEL:
        wider = [st.at_level(e, level) for e in (before, after)]
        if any(w is None for w in wider):
            return None, None
        before, after = (e._replace(low=w[0], high=w[1]) for e, w in zip((before, after), wider, strict=True) if w)
    assert before.value is not None and after.value is not None  # noqa: S101 - rows without a value are not read
    change = after.value - before.value
    low = high = None
    if after.low is not None and before.high is not None:
        low = change - math.hypot(after.value - after.low, before.high - before.value)
    if after.high is not None and before.low is not None:
        high = change + math.hypot(after.high - after.value, before.value - before.low)
    return low, high


def changes(before: Side, after: Side, cells: Sequence[tuple[dict[str, Any], int, int]]) -> list[Change]:
    """The change of every number that both have, cell by cell in the order of the later result."""
    return list(_changes(before, after, cells))


def _changes(before: Side, after: Side, cells: Sequence[tuple[dict[str, Any], int, int]]) -> Iterator[Change]:
    for k, (_, a, b) in enumerate(cells):
        for key, new in after.rows[b].items():
            old = before.rows[a].get(key)
            if old is None or old.value is None or new.value is None:
                continue
            low, high = between(old.estimate, new.estimate)
            half = (high - low) / 2 if low is not None and high is not None else None
            change = new.value - old.value
            distance = abs(change) / half if half else None
            yield Change(k, *key, old.value, new.value, change, low, high, old.n, new.n, distance)


# --- what is said -----------------------------------------------------------------------------------------------------


def _sentences(found: Difference, described: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    speech = sp.Speech(described)
    said = [finding("answer", _what_differs(found))]
    heads = [c for c in found.changes if _tellable(c, found.after)]
    level = st.family(st.LEVEL, len(heads)) if heads else st.LEVEL
    visible = []
    for change in heads:
        _, a, b = found.cells[change.cell]
        key = (change.metric, change.group, change.group2)
        low, high = between(found.before.rows[a][key].estimate, found.after.rows[b][key].estimate, level)
        if low is not None and high is not None and (low > 0 or high < 0):
            visible.append((change, low, high))
    visible.sort(key=lambda v: -(v[0].distance or 0))
    first = min(visible, key=lambda v: mt.HEADLINES.index(v[0].metric), default=None)  # what people ask first
    visible = [*([first] if first is not None else []), *(v for v in visible if v is not first)]
    for k, (change, low, high) in enumerate(visible[:TOLD]):
        said.append(_finding("finding" if k else "answer", _said(found, change, low, high, speech), change))
    if len(visible) > TOLD:
        said.append(finding("finding", f"{len(visible) - TOLD} more headline numbers differ visibly."))
    if not visible and heads:
        said.append(finding("answer", f"None of {len(heads)} headline numbers differs visibly."))
    return [*said, *(finding("warning", text) for text in _warnings(found))]


def _tellable(change: Change, side: Side) -> bool:
    kind = change.group.partition("=")[0]
    return mt.is_headline(change.metric, change.group, change.group2) and kind not in UNSAID


def _finding(kind: str, text: str, change: Change) -> dict[str, Any]:
    n = min(change.n_before, change.n_after)
    numbers = {"value": change.change, "low": change.low, "high": change.high, "n": n}
    return {**finding(kind, text), "metric": change.metric, "group": change.group, **numbers}


def _said(found: Difference, change: Change, low: float, high: float, speech: sp.Speech) -> str:
    name = speech.name(change.metric, change.group)
    place = words.listed(found.cells[change.cell][0])
    where = f" at {place}" if place and len(found.cells) > 1 else ""
    ends = [speech.change(change.metric, x) for x in (low, high)]
    unit = " points" if speech.percent(change.metric) else ""
    return (
        f"{name[:1].upper()}{name[1:]}{where}: {speech.value(change.metric, change.before)} before, "
        f"{speech.value(change.metric, change.after)} after, a change of "
        f"{speech.change(change.metric, change.change).removesuffix(' points')} "
        f"[{', '.join(e.removesuffix(' points') for e in ends)}]{unit}."
    )


def _what_differs(found: Difference) -> str:
    """The inputs that differ in one sentence: those that make another game first."""
    makes = [i for i in found.inputs if i.what in ("rules", "varied", "parameter", "strategy")]
    told = [f"{_input_name(i)} is {_value(i.before)} before and {_value(i.after)} after" for i in makes[:4]]
    if len(makes) > 4:
        told.append(f"{len(makes) - 4} more things differ")
    if not makes and any(i.what in ("content", "sources") for i in found.inputs):
        told = ["the content or the sources of the rules differ, no setting does"]
    if not told:
        luck = [i.name for i in found.inputs if i.what == "luck"]
        differs = f"; what differs is the {_listing(luck)}" if luck else ""
        return f"Both play the same game{differs}: any change is chance."
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}."


def _input_name(entry: Input) -> str:
    if entry.what != "strategy":
        return entry.name
    return "the strategy" if entry.name == "all" else f"the strategy of {entry.name}"


def _listing(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _value(value: Any) -> str:
    if value is None or value == []:
        return "not given"
    return ", ".join(words.shown(v) for v in value) if isinstance(value, list) else words.shown(value)


def _warnings(found: Difference) -> list[str]:
    a, b = found.before.manifest, found.after.manifest
    said = []
    if a.get("seed") == b.get("seed"):
        hint = command(found)
        said.append(
            "Both results have the same seed and share luck, which the intervals here, for independent results, do not "
            "use: they are unpaired. `doomtrack compare` pairs the games and needs fewer of them"
            + (f": {hint}" if hint else ".")
        )
    else:
        said.append("Unpaired: the intervals are those of two independent results.")
    if any(i.what == "sources" for i in found.inputs) and a.get("version") == b.get("version"):
        said.append("The rules were played by other sources, though the game's version is the same.")
    for side, cells in ((found.before, {x for _, x, _ in found.cells}), (found.after, {x for _, _, x in found.cells})):
        left = len(side.rows) - len(cells)
        if left:
            said.append(f"{left} of {len(side.rows)} cells of {side.name} have no like in the other result.")
        if not side.manifest.get("finished", False):
            said.append(f"{side.name} is unfinished.")
    return said


def command(found: Difference) -> str:
    """The `doomtrack compare` that pairs what differs; "" where its words cannot say it."""
    a, b = found.before.manifest, found.after.manifest
    asked = a.get("asked")
    makes = [i for i in found.inputs if i.what not in ("luck", "version")]
    single = (
        len(found.before.rows) == len(found.after.rows) == 1 and not found.before.factors and not found.after.factors
    )
    simple = all(i.what in ("parameter", "strategy", "content") and i.name != "overlays" for i in makes)
    if not (single and simple and isinstance(asked, dict)) or a.get("overlays") != b.get("overlays"):
        return ""
    changed = [i for i in makes if i.what in ("parameter", "strategy")]
    if not changed or any(i.before is NOT_GIVEN or i.after is NOT_GIVEN or "," in _value(i.after) for i in changed):
        return ""
    base = {**asked.get("base", {}), **{f"strategy.{w}": s for w, s in asked.get("strategies", {}).items()}}
    settings = [w for k, v in base.items() if not is_lineup(k) for w in ("--set", f"{k}={words.shown(v)}")]
    settings += [w for k, v in base.items() if is_lineup(k) for w in ("--strategy", f"{k.partition('.')[2]}={v}")]
    settings += [w for o in asked.get("overlays", []) for w in ("--content", str(o))]
    against = ",".join(f"{'strategy.' if i.what == 'strategy' else ''}{i.name}={_value(i.after)}" for i in changed)
    seed = ["--seed", str(a["seed"])] if a.get("seed") != 1 else []
    return shlex.join(["doomtrack", "compare", str(a["game"]), *settings, "--against", against, *seed])


# --- the whole --------------------------------------------------------------------------------------------------------


def difference(before: str | Path, after: str | Path) -> Difference:
    """What changed from one result folder to another. Raises InputError."""
    names = _names(Path(before), Path(after))
    a, b = (read(folder, name) for folder, name in zip((before, after), names, strict=True))
    if a.manifest.get("game") != b.manifest.get("game"):
        raise InputError(
            f"{a.name} is of {a.manifest.get('game')} and {b.name} of {b.manifest.get('game')}: "
            "only results of one game can be set side by side"
        )
    cells = matched(a, b)
    found = Difference(a, b, inputs(a, b), cells, changes(a, b, cells))
    if not found.changes:
        raise InputError(f"{a.name} and {b.name} have no number in common")
    described = {**(a.manifest.get("metrics") or {}), **(b.manifest.get("metrics") or {})}
    found.sentences = _sentences(found, described)
    found.manifest = {
        "schema": store.SCHEMA,
        "kind": KIND,
        "game": b.manifest["game"],
        "title": b.manifest.get("title", ""),
        "before": _summary(a),
        "after": _summary(b),
        "inputs": [i._asdict() for i in found.inputs],
        "cells": len(cells),
        "metrics": described,
        "players": b.manifest.get("players") or [],
        "strategies": b.manifest.get("strategies") or {},
        "method": METHOD,
        "finished": True,
    }
    return found


def _summary(side: Side) -> dict[str, Any]:
    keys = ("kind", "command", "seed", "games", "version", "versions", "started", "finished", "estimated_share")
    return {"name": side.name, "cells": len(side.rows), **{k: side.manifest.get(k) for k in keys}}


def frame(found: Difference) -> Any:
    """All changes: the matched cell and what it has (JSON), and the columns of a change."""
    import polars as pl

    real, text, whole = pl.Float64, pl.String, pl.Int64
    schema = {"cell": whole, "parameters": text, "metric": text, "group": text, "group2": text}
    schema |= dict.fromkeys(("before", "after", "change", "low", "high"), real)
    schema |= {"n_before": whole, "n_after": whole, "distance": real}
    places = [json.dumps(place) for place, _, _ in found.cells]
    return pl.DataFrame([(c.cell, places[c.cell], *c[1:]) for c in found.changes], schema=schema, orient="row")


def write(folder: str | Path, found: Difference) -> Path:
    """Keep a difference as a small result folder: new, empty, or holding one. Raises InputError for anything else."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError(f"--out {path}: is a file, not a folder")
    if path.is_dir() and any(path.iterdir()):
        kind = store.read_manifest(path).get("kind") if (path / store.MANIFEST).exists() else None
        if kind != KIND:
            raise InputError(f"--out {path}: holds something else than a difference; choose a new or empty folder")
    store.make_folder(path)
    store.write_frame(path / CHANGES, frame(found))
    store.write_json(path / store.FINDINGS, found.sentences)
    store.write_json(path / store.MANIFEST, found.manifest)
    return path
