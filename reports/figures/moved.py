"""What changed between two results: a dot and its interval for each number, around no change.

One cell: all headline numbers, a panel for each unit. Several: a figure for each headline metric, a line for each cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports import changes as ch
from reports import themes
from reports.changes import Change
from reports.figures import changes
from reports.figures.changes import LINES, Line, Panel
from reports.figures.figure import Figure, Numbers, slug
from reports.result import Metric
from reports.words import count, digits, interval, measure, sentence, shown, tidy

KIND = "moved"  # no Kind: it suits a difference, which is no result


@dataclass(frozen=True)
class Entry:
    """A number of both results: the cell in words, its metric, its group in words, and what it was, is and moved by."""

    place: str
    metric: Metric
    group: str
    change: Change
    n: tuple[int, int]  # games before and after
    distance: float  # how far it moved, measured by its interval: the most are drawn

    @property
    def name(self) -> str:
        """A metric and its group beside a dot."""
        return f"{self.metric.title}, {self.group}" if self.group else self.metric.title


def plan(entries: Sequence[Entry], names: tuple[str, str], note: str) -> list[Figure]:
    """The figures of a difference. names: what the two results are called; note: the footnote of a PNG."""
    if len({e.place for e in entries}) < 2:
        return [_figure(entries, [e.name for e in entries], "the headline numbers", "all", names, note)] * bool(entries)
    parts: dict[str, list[Entry]] = {}
    for entry in entries:
        if not entry.group:
            parts.setdefault(entry.metric.name, []).append(entry)
    return [
        _figure(part, [e.place for e in part], f"{part[0].metric.title} by cell", metric, names, note)
        for metric, part in parts.items()
        if any(e.change.change for e in part)
    ]


def _figure(
    entries: Sequence[Entry], labels: Sequence[str], what: str, key: str, names: tuple[str, str], note: str
) -> Figure:
    title = f"What changed: {what}"
    kept = sorted(sorted(range(len(entries)), key=lambda k: -entries[k].distance)[:LINES])
    left = len(entries) - len(kept)
    units: dict[tuple[str, float], Panel] = {}
    body = []
    spoken = []
    for entry, label in ((entries[k], labels[k]) for k in kept):
        how, plain = ch.scale(entry.metric), measure(entry.metric)
        said = changes.said(entry.change, how)
        before = units.get((how.axis, how.factor), Panel(how, ()))
        units[how.axis, how.factor] = Panel(how, (*before.lines, Line(label, (entry.change,), said)))
        places = digits([entry.change.row], how.factor)
        sides = (shown(v, plain, places) for v in (entry.change.base, entry.change.variant))
        ends = interval(entry.change.low, entry.change.high, how, places)
        body.append((label, *sides, said.partition("  ")[0], ends, how.axis, *map(count, entry.n)))
        spoken.append(f"{label}: {said} {how.axis}".strip())
    panels = list(units.values())
    sizes = [sorted({entries[k].n[side] for k in kept}) for side in (0, 1)]
    told = [f"{count(s[0])}" + (f" to {count(s[-1])}" if len(s) > 1 else "") for s in sizes]
    n = f"n\u00a0=\u00a0{told[0]} before, {told[1]} after"
    return Figure(
        key=slug("moved", key),
        kind=KIND,
        title=title,
        metric=Metric("", title, theme=themes.CHANGE),
        caption=sentence(
            f"Each number of {tidy(names[1], 60)} less that of {tidy(names[0], 60)}",
            "The line at 0: no change" + (". Each panel has its own unit" if len(panels) > 1 else ""),
            "Bars: intervals (95 %, of each alone), as if the two results were independent",
            f"Left out: {left} that moved less, measured by their intervals" if left else "",
            n,
        ),
        alt=tidy(f"Dot plot of differences. {title}. {'; '.join(spoken)}.", 900),
        draw=lambda: changes.draw(panels, [names[1]], title, f"{note}\n{n}"),
        numbers=Numbers(
            ("number", "before", "after", "change", "interval", "unit", "n before", "n after"), tuple(body)
        ),
    )
