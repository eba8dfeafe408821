"""The page of a difference: what two results were given, and how far each number moved, with its interval drawn.

Its folder holds ``manifest.json`` of kind ``difference``, ``changes.parquet`` and ``findings.json``, written by
`doomtrack report A B`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from reports import pages, themes
from reports.changes import Change
from reports.errors import ReportError
from reports.figures import moved as drawing
from reports.figures.figure import Figure
from reports.page import Picture, draw, places, save
from reports.result import Finding, Metric, Result, Row, one_line, read_findings, read_manifest, read_metrics, title
from reports.words import Measure, count, digits, interval, level, long_group, measure, number, shown, tidy

KIND = "difference"
FILE = "changes.parquet"
COLUMNS = {
    "cell": pl.Int64,
    "parameters": pl.String,
    "metric": pl.String,
    "group": pl.String,
    "group2": pl.String,
    "before": pl.Float64,
    "after": pl.Float64,
    "change": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n_before": pl.Int64,
    "n_after": pl.Int64,
    "distance": pl.Float64,
}
MOST_LINES = 600  # of one page; the others are in the folder
FORE = 120  # lines of the headlines


@dataclass(frozen=True)
class Moved:
    """One number of both results."""

    cell: int
    place: str
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
class Line:
    """A number as the page writes it, and its interval on the scale of its metric (shares of the width, 0 to 1)."""

    place: str
    group: str
    before: str
    after: str
    change: str
    interval: str
    n: str
    bar: tuple[float, float, float, float] | None  # left end, right end, value, zero


@dataclass(frozen=True)
class Difference:
    """All that is shown."""

    folder: Path
    manifest: dict[str, Any]
    moved: list[Moved]
    metrics: dict[str, Metric]
    findings: tuple[Finding, ...]
    trouble: tuple[str, ...]

    @cached_property
    def result(self) -> Result:
        """The later result, as far as names need one."""
        return Result(self.folder, self.manifest, pl.DataFrame(), {}, (), self.metrics, self.findings)

    @property
    def names(self) -> tuple[str, str]:
        """What the two results are called."""
        before, after = (self.manifest.get(side) for side in ("before", "after"))
        return tuple(str(s.get("name", "")) if isinstance(s, dict) else "" for s in (before, after))  # type: ignore[return-value]

    @property
    def head(self) -> str:
        """The heading."""
        return f"What changed from {tidy(self.names[0], 60)} to {tidy(self.names[1], 60)}"


def read(folder: Path | str) -> Difference:
    """Read and check the folder of a difference. Raises ReportError."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    path = folder / FILE
    try:
        frame = pl.read_parquet(path)
        frame = frame.select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReportError(f"{str(path)!r} cannot be read as changes: {one_line(error)}") from None
    frame = frame.filter(pl.all_horizontal(pl.col("before", "after", "change").is_finite()))
    if frame.is_empty():
        raise ReportError(f"{str(folder)!r} holds no change of a number")
    places = {text: _place(text) for text in frame["parameters"].unique()}
    moved = [Moved(cell, places[told], *rest) for cell, told, *rest in frame.iter_rows()]
    metrics = read_metrics(manifest, frame["metric"].unique(maintain_order=True).to_list())
    findings, trouble = read_findings(folder)
    return Difference(folder, manifest, moved, metrics, findings, tuple(trouble))


def _place(told: str) -> str:
    try:
        values = json.loads(told or "{}")
    except ValueError:
        values = None
    said = ", ".join(f"{k} = {level(v)}" for k, v in values.items()) if isinstance(values, dict) else told
    return tidy(said, 160)


def inputs(found: Difference) -> list[tuple[str, str, str]]:
    """What the two were not given alike: name, before, after."""
    lines = []
    for entry in found.manifest.get("inputs") or []:
        if isinstance(entry, dict) and entry.get("name"):
            what, name = str(entry.get("what") or ""), str(entry["name"])
            head = name if what in ("parameter", "luck", "rules", "version") else f"{what}: {name}"
            lines.append((head, _value(entry.get("before")), _value(entry.get("after"))))
    return lines


def _value(value: Any) -> str:
    if value is None or value == []:
        return "not given"
    return tidy(", ".join(level(v) for v in value) if isinstance(value, list) else level(value), 200)


def by_metric(found: Difference, moved: Sequence[Moved]) -> list[tuple[Metric, list[Line]]]:
    """The lines of each metric, on one scale a metric."""
    several = len({m.cell for m in found.moved}) > 1
    parts: dict[str, list[Moved]] = {}
    for m in moved:
        parts.setdefault(m.metric, []).append(m)
    return [(found.metrics[name], _lines(found, found.metrics[name], part, several)) for name, part in parts.items()]


def _lines(found: Difference, metric: Metric, moved: list[Moved], several: bool) -> list[Line]:
    how = measure(metric)
    signed = Measure(how.factor, "\u202fpts" if how.factor == 100 else "", "", signed=True)
    rows = [Row(m.cell, "", "", "", None, m.change, m.low, m.high, None, "") for m in moved]
    places = digits(rows, how.factor)
    ends = [v for m in moved for v in (m.low, m.high, m.change, 0.0) if v is not None]
    left, right = min(ends), max(ends)
    width = (right - left) or 1.0
    return [
        Line(
            m.place if several else "",
            ", ".join(long_group(found.result, g) for g in (m.group, m.group2) if g) or "all",
            shown(m.before, how, places),
            shown(m.after, how, places),
            number(m.change * how.factor, places, signed=True) + signed.suffix,
            interval(m.low, m.high, signed, places),
            f"{count(m.n_before)} / {count(m.n_after)}",
            None
            if m.low is None or m.high is None
            else tuple((v - left) / width for v in (m.low, m.high, m.change, 0.0)),  # type: ignore[arg-type]
        )
        for m in moved
    ]


def headlines(found: Difference) -> list[Moved]:
    """The headline metrics as a whole, by turn order and strategy, and by seat where the seats play differently."""
    kinds = ("", *(() if found.result.alike else ("seat",)), "order", "strategy", "role", "quantile")
    return [
        m
        for m in found.moved
        if found.metrics[m.metric].headline and m.group.partition("=")[0] in kinds and not m.group2
    ]


def figures(found: Difference) -> list[Figure]:
    """The headline changes, drawn: by number, or with several cells by metric."""
    entries = [
        drawing.Entry(
            m.place,
            found.metrics[m.metric],
            long_group(found.result, m.group) if m.group else "",
            Change(0, m.metric, m.group, "", m.before, m.after, m.change, m.low, m.high, None, None, ""),
            (m.n_before, m.n_after),
            m.distance or 0.0,
        )
        for m in headlines(found)
        if not m.group.startswith("quantile=")  # the table has them
    ]
    name = str(found.manifest.get("title") or title(str(found.manifest["game"])))
    return drawing.plan(entries, found.names, f"{name} · {found.names[1]} less {found.names[0]}")


def render(found: Difference, pictures: Sequence[Picture] = ()) -> str:
    """The page as text."""
    fore = headlines(found)
    taken = set(fore)
    rest = [m for m in found.moved if m not in taken]
    rest.sort(key=lambda m: -(m.distance if m.distance is not None else -1.0))
    room = max(MOST_LINES - len(fore[:FORE]), 0)
    shown_rest = sorted(rest[:room], key=lambda m: (themes.rank(found.metrics[m.metric].theme), m.metric))
    said = {kind: [f.text for f in found.findings if f.kind == kind] for kind in ("answer", "finding", "warning")}
    return pages.filled(
        "difference.html.j2",
        ("page", "difference"),
        ("copy",),
        head=found.head,
        line=" · ".join((str(found.manifest.get("title") or title(str(found.manifest["game"]))), "two results")),
        names=found.names,
        answers=said["answer"],
        findings=said["finding"],
        warnings=[*found.trouble, *said["warning"]],
        inputs=inputs(found),
        pictures=[p for p in pictures if p.source],
        cells=found.manifest.get("cells"),
        fore=by_metric(found, fore[:FORE]),
        fore_left=len(fore[FORE:]),
        rest=by_metric(found, shown_rest),
        rest_left=len(rest[room:]),
        made=[
            (name, side if isinstance(side, dict) else {})
            for name, side in zip(found.names, (found.manifest.get(s) for s in ("before", "after")), strict=True)
        ],
    )


def write(folder: Path | str, html: Path | str | None = None, png: Path | str | None = None) -> Path:
    """Draw the figures of a difference, write them and the page; returns its path. Raises ReportError."""
    found = read(folder)
    page, figures_at = places(found.folder, html, png)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        save(page, render(found, draw(figures(found), figures_at)))
    except OSError as error:
        raise ReportError(f"the report cannot be written: {one_line(error)}") from None
    return page
