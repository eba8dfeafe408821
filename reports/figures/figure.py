"""What a figure is before it is drawn: its title, what it shows in words, its numbers, and how to draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports import style
from reports.result import Factor, Metric, Result, Row
from reports.words import counts, factor_name, group, interval, level, measure, methods, sentence, shown, widest

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


FAIR = "win_share"  # the metric that has a fair share: one over the number of players


@dataclass(frozen=True)
class Numbers:
    """The figure as a table, for those who cannot see it or want to copy it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """One figure of a report. ``draw`` gives the canvas; nothing is drawn before it is called."""

    key: str  # its file name without the ending; unique in a report
    kind: str
    title: str
    metric: Metric  # what it is about: its theme is the heading, its place in the manifest the order
    caption: str
    alt: str
    draw: Callable[[], Canvas]
    numbers: Numbers | None = None
    wide: bool = False  # spans the whole page


@dataclass(frozen=True)
class Kind:
    """A kind of figure: its name, and which figures of it suit a result."""

    name: str
    plan: Callable[[Result], list[Figure]]


def drawn_how(rows: Iterable[Row], metric: Metric, mark: str) -> str:
    """The sentence on intervals and n that each caption ends with; mark: what shows the interval (bands, bars)."""
    rows = list(rows)
    how, half, n = methods(rows), widest(rows, measure(metric)), counts(rows)
    many = " each" if len(rows) > 1 else ""
    if not half:
        names = ", ".join(dict.fromkeys(r.method for r in rows if r.method))
        return sentence(f"Without intervals{f' ({names})' if names else ''}", f"{n}{many}" if n else "")
    return sentence(f"{mark}: intervals{f' ({how})' if how else ''}, the widest {half}", f"{n}{many}" if n else "")


def table(
    result: Result, rows: Iterable[Row], metric: Metric, places: int, *, groups: bool = True, most: int = 60
) -> Numbers | None:
    """The numbers of a figure: factor levels, group, value, interval, n. None where they are too many for a list."""
    rows = list(rows)
    if not rows or len(rows) > most:
        return None
    how = measure(metric)
    factors = [f for f in result.factors if len(result.levels(f)) > 1]
    named = groups and any(r.group for r in rows)
    head = (*(f.name for f in factors), *(("group",) if named else ()), metric.title, "interval", "n")
    body = tuple(
        (
            *(level(result.parameters[r.cell].get(f.name)) for f in factors),
            *((group(result, r.group) if r.group else "all",) if named else ()),
            shown(r.value, how, places),
            interval(r.low, r.high, how, places),
            f"{r.n:,.0f}" if r.n is not None else "",
        )
        for r in rows
    )
    return Numbers(head, body)


def differ(rows: Iterable[Row]) -> bool:
    """Whether the numbers are not all the same: a picture of one value says less than the value."""
    return len({r.value for r in rows}) > 1


def axis_name(factor: Factor) -> str:
    """The axis label of a factor: its name and unit."""
    unit = f" ({style.label(factor.unit, 20)})" if factor.unit and factor.unit not in {"1", factor.name} else ""
    return style.label(factor_name(factor.name), 50) + unit


def foot(result: Result, rows: Sequence[Row]) -> str:
    """The footnote of a PNG that travels alone: game, n, interval method, seed."""
    m = result.manifest
    name = str(m.get("title") or m.get("game"))
    parts = [name + (f" v{m['version']}" if m.get("version") is not None else ""), counts(rows), methods(rows)]
    if m.get("seed") is not None:
        parts.append(f"seed {m['seed']}")
    return " · ".join(filter(None, parts))


def slug(*parts: str) -> str:
    """A file name of plain letters and digits from any names."""
    joined = "-".join(parts)
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in joined.lower())
    short = "-".join(filter(None, plain.split("-")))[:60].strip("-")
    return short or "figure"
