"""A result folder, read and checked: the manifest, the numbers and the findings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from reports import themes
from reports.errors import ReportError

SCHEMA = 1  # the newest manifest schema that this version reads
COLUMNS = {
    "cell": pl.Int64,
    "parameters": pl.String,
    "metric": pl.String,
    "group": pl.String,
    "group2": pl.String,
    "x": pl.Float64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Float64,
    "method": pl.String,
}
CHANGES = {  # of changes.parquet; a column `strategy` beside them where a comparison was repeated with several
    **dict.fromkeys(("cell",), pl.Int64),
    **dict.fromkeys(("against", "metric", "group", "group2"), pl.String),
    **dict.fromkeys(("base", "variant", "change", "low", "high", "n", "unpaired"), pl.Float64),
    **dict.fromkeys(("method",), pl.String),
}
AUTOMATON = "automaton_win_share"  # an automaton sits at the table where this has numbers
NEEDED = ("kind", "game")  # keys without which a manifest tells nothing; all others have a default
WRITERS = "`doomtrack run ... --out DIR` and `doomtrack sweep ... --out DIR` write one"


@dataclass(frozen=True)
class Factor:
    """What was varied: its name and the values it took, in order."""

    name: str
    values: tuple[Any, ...]
    meaning: str = ""
    unit: str = ""

    @property
    def numeric(self) -> bool:
        """Whether the values stand on a number line (true and false do not)."""
        return all(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)


@dataclass(frozen=True)
class Metric:
    """What was measured."""

    name: str
    title: str
    unit: str = ""
    meaning: str = ""
    headline: bool = False
    theme: str = themes.REST


@dataclass(frozen=True, slots=True)
class Row:
    """One number of the result, with its interval (low or high is None where that end is not known)."""

    cell: int
    metric: str
    group: str
    group2: str
    x: float | None
    value: float
    low: float | None
    high: float | None
    n: float | None
    method: str

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the interval, if both are known."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True)
class Finding:
    """One sentence that the experiment wrote: an answer, a finding or a warning, and the number that it rests on."""

    kind: str
    text: str
    metric: str = ""
    group: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: float | None = None


@dataclass(frozen=True)
class Result:
    """All that a report may draw."""

    folder: Path
    manifest: dict[str, Any]
    frame: pl.DataFrame  # the columns of COLUMNS, one row a number
    parameters: dict[int, dict[str, Any]]  # by cell: the factor values
    factors: tuple[Factor, ...]
    metrics: dict[str, Metric]  # in the manifest's order, then those that only the table has
    findings: tuple[Finding, ...]
    trouble: tuple[str, ...] = ()  # what was wrong with the folder, yet could be reported around
    board: dict[str, Any] | None = None  # board.json: town or rooms, where the game has them
    changes: pl.DataFrame | None = None  # changes.parquet of a comparison, see reports.changes
    _rows: dict[str, list[Row]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def cells(self) -> list[int]:
        """The cells that there are numbers for, in order."""
        return list(self.parameters)

    @property
    def asked(self) -> int:
        """How many cells the experiment was to have."""
        return max(whole(self.manifest.get("cells")) or 0, len(self.parameters))

    @property
    def finished(self) -> bool:
        """Whether the experiment ran to its end and all its cells are here."""
        return bool(self.manifest.get("finished", False)) and len(self.parameters) + len(self.failed) >= self.asked

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The cells that could not be played: cell, parameters, error."""
        return [f for f in self.manifest.get("failed") or [] if isinstance(f, dict)]

    @property
    def single(self) -> bool:
        """Whether this is one configuration, so that there is nothing to draw a curve over."""
        return len(self.parameters) == 1

    @cached_property
    def scattered(self) -> bool:
        """Whether the cells are points in space (Latin hypercube, Sobol) and not a grid, nor what is dealt."""
        if self.manifest["kind"] == "impact":
            return False
        sizes = [len(f.values) for f in self.factors]
        return len(sizes) > 1 and self.asked > 7 and self.asked < 0.6 * math.prod(sizes)

    @cached_property
    def kinds(self) -> dict[str, dict[str, int]]:
        """By metric: its kinds of group (``""`` for the whole, ``seat``, ...) and how many groups each has."""
        seen: dict[str, dict[str, int]] = {}
        plain = self.frame.filter(pl.col("x").is_null() & (pl.col("group2") == ""))
        for metric, group in plain.select("metric", "group").unique(maintain_order=True).iter_rows():
            kinds = seen.setdefault(metric, {})
            kinds[kind_of(group)] = kinds.get(kind_of(group), 0) + 1
        return {name: seen.get(name, {}) for name in self.metrics}

    @property
    def headline(self) -> list[Metric]:
        """The metrics that the experiment calls headlines; the first six if it names none."""
        chosen = [m for m in self.metrics.values() if m.headline]
        return chosen or [m for m in self.metrics.values() if self.kinds[m.name]][:6]

    def rows(self, metric: str) -> list[Row]:
        """All numbers of one metric, in the order of cells, groups and x."""
        if metric not in self._rows:
            names = ("cell", "metric", "group", "group2", "x", "value", "low", "high", "n", "method")
            part = self.frame.filter(pl.col("metric") == metric).select(names)
            self._rows[metric] = [Row(*row) for row in part.iter_rows()]
        return self._rows[metric]

    def grouped(self, metric: str, kind: str) -> list[Row]:
        """The numbers of one metric by one kind of group: ``""`` the whole, ``seat`` by seat, and so on."""
        return [r for r in self.rows(metric) if r.x is None and not r.group2 and kind_of(r.group) == kind]

    @property
    def alike(self) -> bool:
        """Whether all seats play the same strategy, so that comparing seats of the line-up shows luck alone."""
        listed = self.manifest.get("players")
        if isinstance(listed, list) and listed:
            return len({str(name) for name in listed}) == 1
        told = self.manifest.get("strategies")
        varied = any(f.name.startswith("strategy.") for f in self.factors)
        return isinstance(told, dict) and list(told) == ["all"] and not varied

    def players(self, cell: int) -> int | None:
        """How many players sat at the table in a cell, for the fair-share line."""
        for source in (self.parameters.get(cell), self.manifest.get("given"), self.manifest.get("parameters")):
            count = whole(source.get("players")) if isinstance(source, dict) else None
            if count:
                return count
        listed = self.manifest.get("players")
        return len(listed) if isinstance(listed, list) and listed else None

    def contestants(self, cell: int) -> int | None:
        """How many share the wins of a cell: the players, and the automaton where it has numbers."""
        players = self.players(cell)
        return players + any(r.cell == cell for r in self.rows(AUTOMATON)) if players else None

    def fair(self, cell: int) -> float | None:
        """A fair win share in a cell: 1 / contestants, or what is left of it where nobody wins the capped games."""
        players, contestants = self.players(cell), self.contestants(cell)
        if not players or not contestants:
            return None
        capped = sum(r.value for r in self.grouped("capped_rate", "") if r.cell == cell)
        for kind in ("order", "seat") if capped > 0 else ():
            shares = [r.value for r in self.grouped("win_share", kind) if r.cell == cell]
            if len(shares) == players:
                return (sum(shares) + sum(r.value for r in self.rows(AUTOMATON) if r.cell == cell)) / contestants
        return 1 / contestants

    def levels(self, factor: Factor) -> list[Any]:
        """The values of a factor that have numbers, in the factor's order."""
        here = {level_key(p.get(factor.name)) for p in self.parameters.values()}
        return [v for v in factor.values if level_key(v) in here]


def kind_of(group: str) -> str:
    """``seat=2`` -> ``seat``; the whole (``""``) has no kind."""
    return group.partition("=")[0] if "=" in group else ("" if not group else "group")


def name_of(group: str) -> str:
    """``seat=2`` -> ``2``."""
    return group.partition("=")[2] if "=" in group else group


def level_key(value: Any) -> str:
    """A value as a key: 1 and 1.0 are one level, true and 1 are two."""
    if isinstance(value, str):
        return f'"{value}'
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(int(value)) if math.isfinite(value) and float(value).is_integer() else repr(value)
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def whole(value: Any) -> int | None:
    """A positive whole number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 1:
        return None
    return int(value)


def read(folder: Path | str) -> Result:
    """Read and check a result folder; an unfinished one is read as far as it goes. Raises ReportError."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    frame, trouble = _numbers(folder, finished=bool(manifest.get("finished", False)))
    parameters = _parameters(frame, folder)
    findings, trouble_too = read_findings(folder)
    metrics = read_metrics(manifest, frame["metric"].unique(maintain_order=True).to_list())
    factors = _factors(manifest, list(parameters.values()))
    board, trouble_three = read_board(folder)
    compared, trouble_four = _changes(folder) if manifest["kind"] == "compare" else (None, [])
    wrong = (*trouble, *trouble_too, *trouble_three, *trouble_four)
    return Result(folder, manifest, frame, parameters, factors, metrics, findings, wrong, board, compared)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a result folder. Raises ReportError."""
    if not folder.exists():
        raise ReportError(f"there is no folder {str(folder)!r}; {WRITERS}")
    if not folder.is_dir():
        raise ReportError(f"{str(folder)!r} is a file; a report is made of the result folder that holds it")
    if not any(folder.iterdir()):
        raise ReportError(f"{str(folder)!r} is empty; a result folder holds manifest.json and cells.parquet: {WRITERS}")
    path = folder / "manifest.json"
    if not path.is_file():
        raise ReportError(f"{str(folder)!r} is no result folder: it has no manifest.json; {WRITERS}")
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ReportError(f"{str(path)!r} cannot be read as JSON: {one_line(error)}") from None
    if not isinstance(manifest, dict):
        raise ReportError(f"{str(path)!r} is no manifest: it holds a {type(manifest).__name__}, not an object")
    schema = manifest.get("schema")
    if isinstance(schema, bool) or not isinstance(schema, int):
        raise ReportError(f"{str(path)!r} names no schema version; this Doomtrack reads schema {SCHEMA}")
    if schema > SCHEMA:
        raise ReportError(
            f"{str(folder)!r} was written by a newer Doomtrack (schema {schema}; this one reads up to {SCHEMA}): "
            "update Doomtrack to report it"
        )
    for key in NEEDED:
        if not isinstance(manifest.get(key), str) or not manifest[key]:
            raise ReportError(f"{str(path)!r} lacks {key!r}; a manifest names at least {' and '.join(NEEDED)}")
    return manifest


def _numbers(folder: Path, *, finished: bool) -> tuple[pl.DataFrame, list[str]]:
    """The long table. Of an unfinished result the parts are the truth: the merged file may be older than they are."""
    merged, parts = folder / "cells.parquet", sorted((folder / "parts").glob("*.parquet"))
    trouble: list[str] = []
    frames: list[pl.DataFrame] = []
    if merged.is_file() and (finished or not parts):
        frames.append(_table(merged))
    else:
        for part in parts:
            try:
                frames.append(_table(part))
            except ReportError as error:
                if len(parts) == 1:
                    raise
                trouble.append(f"One cell is left out: {error}")
    if not frames:
        raise ReportError(
            f"{str(folder)!r} has a manifest but no numbers yet: neither cells.parquet nor parts/; "
            "run its command again to finish it"
        )
    frame = pl.concat(frames) if len(frames) > 1 else frames[0]
    frame = frame.filter(pl.col("value").is_not_null() & pl.col("value").is_finite() & pl.col("cell").is_not_null())
    if frame.is_empty():
        raise ReportError(f"{str(folder)!r} has no rows with a value; run its command again to finish it")
    frame = frame.with_columns(
        pl.col("group", "group2", "method", "parameters", "metric").fill_null(""),
        *(pl.when(pl.col(end).is_finite()).then(pl.col(end)).alias(end) for end in ("low", "high", "n")),
    )
    frame = frame.unique(["cell", "metric", "group", "group2", "x"], keep="last", maintain_order=True)
    return frame.sort("cell", maintain_order=True), trouble


def _table(path: Path) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReportError(f"{path.name} of {str(path.parent)!r} cannot be read as parquet: {one_line(error)}") from None
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        names = ", ".join(repr(name) for name in missing)
        raise ReportError(
            f"{path.name} of {str(path.parent)!r} lacks the column{'s' * (len(missing) > 1)} {names}; "
            f"a table of cells has {', '.join(COLUMNS)}"
        )
    try:
        return frame.select(pl.col(name).cast(dtype) for name, dtype in COLUMNS.items())
    except pl.exceptions.PolarsError as error:
        raise ReportError(
            f"{path.name} of {str(path.parent)!r}: a column is of the wrong type: {one_line(error)}"
        ) from None


def _parameters(frame: pl.DataFrame, folder: Path) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for cell, text in frame.select("cell", "parameters").unique("cell", keep="first", maintain_order=True).iter_rows():
        try:
            values = json.loads(text) if text else {}
        except ValueError:
            values = None
        if not isinstance(values, dict):
            raise ReportError(f"cell {cell} of {str(folder)!r}: its parameters are no JSON object: {text[:60]!r}")
        found[cell] = values
    return found


def _factors(manifest: dict[str, Any], cells: Sequence[dict[str, Any]]) -> tuple[Factor, ...]:
    """What really varies: the manifest's factors with the values that it lists, and any that only the cells know."""
    told = {
        f["name"]: f for f in manifest.get("factors") or [] if isinstance(f, dict) and isinstance(f.get("name"), str)
    }
    names = list(dict.fromkeys([*told, *(name for cell in cells for name in cell)]))
    factors = []
    for name in names:
        entry = told.get(name, {})
        listed = entry.get("values")
        listed = listed if isinstance(listed, list) else []
        values = {level_key(v): v for v in [*listed, *(c[name] for c in cells if name in c)]}
        factor = Factor(name, tuple(values.values()), text(entry.get("meaning")), text(entry.get("unit")))
        if factor.numeric:
            factor = Factor(name, tuple(sorted(factor.values)), factor.meaning, factor.unit)
        if len(factor.values) > 1:
            factors.append(factor)
    return tuple(factors)


def read_metrics(manifest: dict[str, Any], present: Iterable[str]) -> dict[str, Metric]:
    """What the manifest says of the metrics that there are, and titles for those of which it says nothing."""
    told = manifest.get("metrics")
    told = told if isinstance(told, dict) else {}
    present = list(present)
    metrics = {}
    for name in [*(n for n in told if n in set(present)), *(n for n in present if n not in told)]:
        entry = told.get(name)
        entry = entry if isinstance(entry, dict) else {}
        metrics[name] = Metric(
            name,
            title=text(entry.get("title")) or title(name),
            unit=text(entry.get("unit")),
            meaning=text(entry.get("meaning")),
            headline=bool(entry.get("headline")),
            theme=text(entry.get("theme")) or themes.of(name),
        )
    return metrics


def read_findings(folder: Path) -> tuple[tuple[Finding, ...], list[str]]:
    """The findings of a folder, and what is wrong with them."""
    path = folder / "findings.json"
    if not path.is_file():
        return (), []
    try:
        entries = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        return (), [f"findings.json cannot be read, so the findings are missing here: {one_line(error)}"]
    if not isinstance(entries, list):
        return (), ["findings.json holds no list, so the findings are missing here."]
    found = []
    for entry in entries:
        if not isinstance(entry, dict) or not text(entry.get("text")):
            continue
        numbers = {k: _number(entry.get(k)) for k in ("value", "low", "high", "n")}
        kind = text(entry.get("kind")) or "finding"
        found.append(Finding(kind, text(entry["text"]), text(entry.get("metric")), text(entry.get("group")), **numbers))
    return tuple(found), []


BOARDS: dict[str, dict[str, tuple[str, ...]]] = {  # by kind: the lists that are drawn, and what each entry needs
    "town": {
        "cells": (),
        "kinds": (),
        "space_districts": (),
        "fences": (),
        "buildings": ("name", "number", "colour", "spaces"),
        "districts": ("name",),
        "landmarks": ("name", "spaces"),
        "treehouses": (),
        "feds": ("name", "stops", "legs"),
    },
    "rooms": {"rooms": ("name", "at", "doors", "guests", "locked"), "doors": ()},
}


def read_board(folder: Path) -> tuple[dict[str, Any] | None, list[str]]:
    """The board of a folder, if it has one that can be drawn, and what is wrong with it."""
    path = folder / "board.json"
    if not path.is_file():
        return None, []
    try:
        board = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        return None, [f"board.json cannot be read, so the board is not drawn: {one_line(error)}"]
    kind = str(board.get("kind", "town")) if isinstance(board, dict) else "town"
    if kind not in BOARDS:
        return None, [f"board.json has a board of a kind that is not known ({kind!r}), so it is not drawn."]
    for key, needed in BOARDS[kind].items():
        entries = board.get(key) if isinstance(board, dict) else None
        if not isinstance(entries, list) or any(k not in e for e in entries for k in needed):
            return None, [f"board.json lacks {key!r} (or a part of it), so the board is not drawn."]
    return board, []


def _changes(folder: Path) -> tuple[pl.DataFrame | None, list[str]]:
    """The changes of a comparison, or what is wrong with them: the report goes on without."""
    path, lost = folder / "changes.parquet", "so the changes are missing here"
    if not path.is_file():
        return None, [f"{path.name} is not there, {lost}."]
    try:
        frame = pl.read_parquet(path)
        missing = [repr(name) for name in CHANGES if name not in frame.columns]
        if missing:
            return None, [f"{path.name} lacks the column{'s' * (len(missing) > 1)} {', '.join(missing)}, {lost}."]
        strategy = pl.col("strategy").cast(pl.String) if "strategy" in frame.columns else pl.lit("")
        frame = frame.select(*(pl.col(name).cast(kind) for name, kind in CHANGES.items()), strategy.alias("strategy"))
    except (OSError, pl.exceptions.PolarsError) as error:
        return None, [f"{path.name} cannot be read, {lost}: {one_line(error)}"]
    frame = frame.filter(pl.col("change").is_not_null() & pl.col("change").is_finite())
    texts = pl.col("against", "metric", "group", "group2", "method", "strategy").fill_null("")
    ends = (pl.when(pl.col(end).is_finite()).then(pl.col(end)).alias(end) for end in ("low", "high", "n", "unpaired"))
    return frame.with_columns(texts, *ends), []


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def text(value: Any) -> str:
    """A text of the manifest, or nothing where it is of another type."""
    return value if isinstance(value, str) else ""


def title(name: str) -> str:
    """``first_out_turn`` -> ``First out turn``."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def one_line(error: Exception) -> str:
    """The first line of an error."""
    lines = str(error).strip().splitlines()
    return lines[0][:160] if lines else type(error).__name__
