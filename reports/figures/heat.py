"""Heat maps: two factors, or a factor and many groups, the value written in each field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports import style, targets
from reports.contract import bounds
from reports.figures.figure import FAIR, Figure, Kind, axis_name, beyond_fair, differ, drawn_how, foot, slug, table
from reports.result import Factor, Metric, Result, Row
from reports.targets import Target
from reports.view import LINES, Lookup, View, choose
from reports.words import (
    digits,
    factor_name,
    group,
    group_kind,
    level,
    measure,
    number,
    order_key,
    sentence,
    shown,
    tidy,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MOST = 120  # columns or rows that a page can hold
NARROW = 12  # columns up to which it fits half the page
WRITTEN = 26  # columns or lines up to which values can be written
TALL = 8.0  # inches
HALF = 7.7  # points of the half-widths: 7 in print, where the page is 130 mm wide for 5.5 inches


@dataclass(frozen=True)
class Grid:
    """The fields of a heat map: rows from top to bottom, columns from left to right; None where there is no number."""

    across: str  # what the columns are
    down: str
    columns: tuple[str, ...]
    lines: tuple[str, ...]
    fields: tuple[tuple[Row | None, ...], ...]

    @property
    def rows(self) -> list[Row]:
        """The fields that have a number."""
        return [r for line in self.fields for r in line if r is not None]


def plan(result: Result) -> list[Figure]:
    """For each headline metric: the two longest factors; groups that are too many for lines over one factor."""
    if result.single or result.scattered:
        return []
    view = choose(result, panels=False)
    if view is None:
        return []
    figures = []
    for metric in result.headline:
        if "" in result.kinds[metric.name]:
            figures.append(_of_factors(result, view, metric))
        for kind, size in result.kinds[metric.name].items():
            if kind not in {"", "quantile"} and LINES < size <= MOST:
                figures.append(_of_groups(result, metric, kind))
    return [f for f in figures if f is not None]


def _of_factors(result: Result, view: View, metric: Metric) -> Figure | None:
    if view.series is None:
        return None
    columns, down = view.xs, tuple(result.levels(view.series))
    if min(len(columns), len(down)) < 3 or max(len(columns), len(down)) > MOST:
        return None
    if view.series.numeric:
        down = down[::-1]  # a number line rises
    lookup = Lookup(result, view, result.grouped(metric.name, ""))
    grid = Grid(
        axis_name(view.x),
        axis_name(view.series),
        tuple(level(x) for x in columns),
        tuple(level(y) for y in down),
        tuple(tuple(lookup.get(x, y, view=view) for x in columns) for y in down),
    )
    title = f"{metric.title} by {factor_name(view.x.name)} and {factor_name(view.series.name)}"
    held = View(view.x, view.xs, held=view.held).note()
    key = slug(metric.name, "map", view.x.name, view.series.name)
    return figure_of(result, metric, grid, title, key, held, view.held, targets.of(result).get(metric.name))


def _of_groups(result: Result, metric: Metric, kind: str) -> Figure | None:
    view = choose(result, series=False, panels=False)
    if view is None or len(view.xs) > MOST:
        return None
    rows = result.grouped(metric.name, kind)
    named = slug(metric.name, "map", kind, view.x.name)
    if metric.name == FAIR and view.x.name == "players":
        metric, rows = beyond_fair(result, metric, rows)
    lookup = Lookup(result, view, rows)
    keys = sorted({r.group for r in rows}, key=order_key)
    grid = Grid(
        axis_name(view.x),
        group_kind(kind),
        tuple(level(x) for x in view.xs),
        tuple(group(result, key).removeprefix("cover ") for key in keys),
        tuple(tuple(lookup.get(x, view=view, group=key) for x in view.xs) for key in keys),
    )
    title = f"{metric.title} by {group_kind(kind)} over {factor_name(view.x.name)}"
    return figure_of(result, metric, grid, title, named, view.note(), view.held)


def figure_of(
    result: Result,
    metric: Metric,
    grid: Grid,
    title: str,
    key: str,
    note: str,
    held: Sequence[tuple[Factor, Any]] = (),
    target: Target | None = None,
) -> Figure | None:
    """The figure of a grid; None if all its fields are alike."""
    rows = grid.rows
    if not differ(rows):
        return None
    how = measure(metric)
    places = _places(rows, metric)
    unit = f"Values {'' if how.axis.startswith('per ') else 'in '}{how.axis}" if how.axis else ""
    missing = len(grid.columns) * len(grid.lines) - len(rows)
    gap = f"{missing} field{'s' * (missing > 1)} without a number" if missing else ""
    least, most = min(rows, key=lambda r: r.value), max(rows, key=lambda r: r.value)
    where = {
        id(r): (x, y)
        for y, line in zip(grid.lines, grid.fields, strict=True)
        for x, r in zip(grid.columns, line, strict=True)
    }
    ends = [
        f"{shown(r.value, how, places)} at {grid.across} {where[id(r)][0]}, {grid.down} {where[id(r)][1]}"
        for r in (least, most)
    ]
    aim = ""
    if target is not None:
        inside, ends_of = sum(target.holds(r) for r in rows), bounds(metric, target.low, target.high)
        aim = f"Outlined: the {inside} of {len(rows)} fields whose value lies in the target band, {ends_of}"
        aim += "; dashed where the interval reaches out of it"
    written = "" if _written(grid) else "Too many fields to write the values in; the table below has them"
    return Figure(
        key=key,
        kind="heat",
        title=title,
        metric=metric,
        caption=sentence(metric.meaning, unit, aim, drawn_how(rows, metric, _mark(grid, metric)), written, gap, note),
        alt=tidy(f"Heat map. {title}. Lowest {ends[0]}; highest {ends[1]}.", 600),
        draw=lambda: draw(result, metric, grid, title, held, target),
        numbers=table(result, rows, metric, digits(rows, how.factor)),
        wide=len(grid.columns) > NARROW,
    )


def _mark(grid: Grid, metric: Metric) -> str:
    return "Small figures" if _small(grid, metric) else "Not drawn, but in the table below"


def _small(grid: Grid, metric: Metric) -> bool:
    """Whether the fields have room for the half-width under the value."""
    if len(grid.columns) > NARROW or not _written(grid):
        return False
    names = max(len(style.label(n, 24)) for n in grid.lines)
    room = (style.WIDTH - 0.5) * style.POINTS - 5.6 * names  # points for all columns
    longest = max(
        (len(_half(r, metric, _places(grid.rows, metric))) for r in grid.rows if r.half is not None), default=0
    )
    return longest * 0.62 * HALF + 2 <= room / len(grid.columns)


def _half(row: Row, metric: Metric, places: int) -> str:
    return "±" + number((row.half or 0) * measure(metric).factor, max(places, 1))


def _written(grid: Grid) -> bool:
    """Whether the fields have room for their values."""
    return len(grid.columns) <= WRITTEN and len(grid.lines) <= WRITTEN


def _places(rows: Sequence[Row], metric: Metric) -> int:
    """Two decimals at most, as fields are small; a difference has one at least."""
    how = measure(metric)
    return max(min(digits(rows, how.factor), 2), 1 if how.signed else 0)


def draw(
    result: Result,
    metric: Metric,
    grid: Grid,
    title: str,
    held: Sequence[tuple[Factor, Any]] = (),
    target: Target | None = None,
) -> Canvas:
    """The heat map; fields in the target band are outlined."""
    import matplotlib
    import numpy as np

    how = measure(metric)
    places = _places(grid.rows, metric)
    wide = len(grid.columns) > NARROW
    small = _small(grid, metric)
    width = style.WIDE if wide else style.WIDTH
    height = max(min(len(grid.lines) * (0.45 if small else 0.3), TALL) + 0.75, 2.0)
    written = _written(grid)
    values = np.array([[np.nan if r is None else r.value * how.factor for r in line] for line in grid.fields])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if how.signed and low < 0 < high:
        high = max(high, -low)
        low, shades, ends = -high, matplotlib.colormaps["PuOr_r"], (0.24, 0.76)
    else:
        shades, ends = matplotlib.colormaps["YlGnBu"], (0.03, 0.56)
    # where values are written all fields are light: neither dark nor white letters read well on a middle blue
    if high <= low:
        low, high = low - 1, high + 1
    with style.house():
        figure, (ax,) = style.canvas(width=width, height=height)
        fields = matplotlib.colors.ListedColormap(shades(np.linspace(*(ends if written else (0.03, 0.88)), 256)))
        mesh = ax.pcolormesh(
            np.ma.masked_invalid(values),
            cmap=fields,
            vmin=low,
            vmax=high,
            edgecolors="white" if written else "none",
            linewidth=1.2 if written else 0,
        )
        if target is not None:
            _outline(ax, grid, target)
        ax.invert_yaxis()
        ax.grid(visible=False)
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        room = 10 if len(grid.columns) <= 8 else 6
        slanted = written and max(map(len, grid.columns)) > room  # names that do not fit side by side
        for axis_of, names, letters in ((ax.xaxis, grid.columns, 18 if slanted else room), (ax.yaxis, grid.lines, 24)):
            step = 1 if len(names) <= WRITTEN else -(-len(names) // 20)
            axis_of.set_ticks(
                [k + 0.5 for k in range(0, len(names), step)], [style.label(n, letters) for n in names[::step]]
            )
        if slanted:
            ax.tick_params(axis="x", rotation=50)
            for name in ax.get_xticklabels():
                name.set(horizontalalignment="right", rotation_mode="anchor")
        ax.set_xlabel(style.label(grid.across, 60))
        ax.set_ylabel(style.label(grid.down, 40))
        if written:
            _write(ax, grid, metric, places, fields, low, high, small)
        else:
            bar = figure.colorbar(mesh, ax=ax, pad=0.01, aspect=30)
            bar.outline.set_visible(False)
            bar.set_label(style.label(how.axis, 30))
        half = widest(grid.rows, how)
        note = " · ".join(filter(None, (foot(result, grid.rows, held), f"widest interval {half}" if half else "")))
        style.finish(
            figure, title + (f" ({how.axis if how.factor == 1 else how.suffix.strip()})" if how.axis else ""), note
        )
        style.settle(figure)
    return figure


def _outline(ax: Axes, grid: Grid, target: Target) -> None:
    """A frame inside each field that lies in the band: dashed where its interval reaches out."""
    from matplotlib.patches import Rectangle

    for y, line in enumerate(grid.fields):
        for x, row in enumerate(line):
            if row is not None and target.holds(row):
                dash = "-" if target.sure(row) else (0, (2.5, 1.5))
                ax.add_patch(
                    Rectangle((x + 0.05, y + 0.06), 0.9, 0.88, fill=False, ec=style.INK, lw=1.5, ls=dash, zorder=2.5)
                )


def _write(
    ax: Axes,
    grid: Grid,
    metric: Metric,
    places: int,
    shades: Callable[[float], Any],
    low: float,
    high: float,
    small: bool,
) -> None:
    """The value in each field, and the half-width under it where there is room."""
    how = measure(metric)
    columns = len(grid.columns)
    size = 9.0 if columns <= 8 else 8.0 if columns <= NARROW else 7.6 if columns <= 20 else 6.6
    marks = []
    for y, line in enumerate(grid.fields):
        for x, row in enumerate(line):
            if row is None:
                marks.append((x + 0.5, y + 0.5, "–", style.FAINT, size))
                continue
            value = row.value * how.factor
            ink = style.ink_on(shades((value - low) / (high - low)))
            with_half = small and row.half is not None
            marks.append(
                (x + 0.5, y + (0.34 if with_half else 0.5), number(value, places, signed=how.signed), ink, size)
            )
            if with_half:
                marks.append((x + 0.5, y + 0.76, _half(row, metric, places), ink, HALF))
    style.numerals(ax, marks)


KIND = Kind("heat", plan)
