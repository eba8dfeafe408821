"""The kinds of figure. A new kind is one file with a ``KIND``, and its name in ``ALL``."""

from __future__ import annotations

from dataclasses import replace

from reports import search as searches
from reports import themes
from reports.figures import (
    board,
    changes,
    contract,
    curves,
    distribution,
    dots,
    heat,
    ledger,
    lines,
    pairs,
    scatter,
    search,
)
from reports.figures.figure import Figure, Kind, differ
from reports.result import Result, Row
from reports.words import digits, measure, shown

ALL: tuple[Kind, ...] = (
    *(search.KIND, lines.KIND, scatter.KIND, dots.KIND, heat.KIND, pairs.KIND),
    *(curves.KIND, distribution.KIND, ledger.KIND, board.KIND),
)
OWN: dict[str, tuple[Kind, ...]] = {  # kinds of result whose own figures say it all: its cells are no curve to look at
    "compare": (changes.KIND, board.KIND),
    "check": (contract.KIND, heat.KIND),
}
MOST = 30  # figures on one page


def plan(result: Result) -> tuple[list[Figure], list[str]]:
    """The figures that suit a result, in the order of the page, and the titles of those left out as too many.

    Figures are ordered by theme, then by metric as the manifest lists them, then by kind. Where there are too many,
    each kind gives up its last ones in turn.
    """
    flat = undrawn(result)
    kinds = kinds_of(result)
    planned = [
        [f for f in kind.plan(result) if kind is distribution.KIND or f.metric.name not in flat] for kind in kinds
    ]
    if kinds is ALL and planned[0]:  # the target's own curve is the search's
        sought = {f.metric.name for f in planned[0]}
        planned = [[f for f in p if f.kind != lines.KIND.name or f.metric.name not in sought] for p in planned]
    kept: list[Figure] = []
    left: list[str] = []
    for turn in range(max((len(p) for p in planned), default=0)):
        for figures in planned:
            if turn < len(figures):
                if len(kept) < MOST:
                    kept.append(figures[turn])
                else:
                    left.append(figures[turn].title)
    places = {name: place for place, name in enumerate(result.metrics)}
    order = [kind.name for kind in kinds]
    kept.sort(key=lambda f: (themes.rank(f.metric.theme), places.get(f.metric.name, 0), order.index(f.kind)))
    return _unique(kept), left


def kinds_of(result: Result) -> tuple[Kind, ...]:
    """The kinds of figure to look for: those of its own where the result has what they draw, else all."""
    own = OWN.get(str(result.manifest["kind"]), ())
    if len(searches.of(result)) > 1:  # each has played values of its own: no grid to draw curves of other numbers over
        own = (search.KIND, heat.KIND)
    return own if own and own[0].plan(result) else ALL


def undrawn(result: Result) -> dict[str, str]:
    """Headline metrics of a sweep that are no picture, by name and in words: the same everywhere, or nowhere off 0."""
    found = {}
    for metric in () if result.single else result.headline:
        rows = result.grouped(metric.name, "")
        if len(rows) < 2 or len(result.kinds[metric.name]) > 1:
            continue
        how = measure(metric)
        most = max(rows, key=lambda r: r.value)
        places = digits(rows, how.factor)
        if not differ(rows):
            found[metric.name] = f"{metric.title} ({shown(most.value, how, places)} everywhere)"
        elif not how.signed and all(map(_about_zero, rows)):
            found[metric.name] = (
                f"{metric.title} (0 within its interval everywhere, at most {shown(most.value, how, places)})"
            )
    return found


def _about_zero(row: Row) -> bool:
    return row.value == 0 or (row.half is not None and abs(row.value) <= row.half)


def _unique(figures: list[Figure]) -> list[Figure]:
    """Gives every figure a file name of its own."""
    seen: dict[str, int] = {}
    named = []
    for figure in figures:
        seen[figure.key] = seen.get(figure.key, 0) + 1
        times = seen[figure.key]
        named.append(figure if times == 1 else replace(figure, key=f"{figure.key}-{times}"))
    return named
