"""How a number is spread over the games: the rows of the table that have an x, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from reports import style
from reports.figures.figure import Figure, Kind, Numbers, drawn_how, foot, slug, table
from reports.result import Metric, Result, Row, kind_of, level_key, name_of
from reports.view import choose, still, thin
from reports.words import (
    SPREAD,
    Measure,
    capital,
    digits,
    factor_name,
    group,
    level,
    measure,
    number,
    order_key,
    quantile,
    sentence,
    setting_in,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

ENDINGS = ("_share", "_distribution", "_histogram", "_density")
BARS, SMALL_BARS = 90, 24  # more values than that are drawn as an outline
NAMED = frozenset({"span", "of", "metric"})  # kinds of group whose name is that of the metric that is spread


def plan(result: Result) -> list[Figure]:
    """One figure for each metric and group that has rows with an x."""
    spread = result.frame.filter(pl.col("x").is_not_null() & (pl.col("group2") == ""))
    pairs = spread.select("metric", "group").unique(maintain_order=True).rows()
    figures = []
    for name, key in pairs[:12]:
        panels = _panels(result, [r for r in result.rows(name) if r.x is not None and not r.group2 and r.group == key])
        if panels:
            figures.append(_figure(result, result.metrics[name], key, panels))
    return figures


def _panels(result: Result, rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """One panel for one configuration; for a sweep up to six values of its first factor, the rest held still."""
    if result.single:
        return [("", _sorted(rows))] if len(rows) > 1 else []
    view = choose(result, series=False, panels=False)
    if view is None or result.scattered:
        return []
    held = [(f, still(result, f)) for f in result.factors if f is not view.x and len(result.levels(f)) > 1]
    panels = []
    for value in thin(view.xs, 6, 6):
        here = [
            r
            for r in rows
            if level_key(result.parameters[r.cell].get(view.x.name)) == level_key(value)
            and all(level_key(result.parameters[r.cell].get(f.name)) == level_key(v) for f, v in held)
        ]
        if len(here) > 1:
            panels.append((setting_in(view.x.name, value, 26), _sorted(here)))
    return panels


def _sorted(rows: Sequence[Row]) -> list[Row]:
    """By x, without the empty ends."""
    rows = sorted(rows, key=lambda r: r.x or 0.0)
    full = [i for i, r in enumerate(rows) if r.value]
    return rows[full[0] : full[-1] + 1] if full else list(rows)


def base(result: Result, metric: Metric, key: str) -> str:
    """The metric that is spread: the group's name where the group is a span, else the name without its ending."""
    if kind_of(key) in NAMED:
        return name_of(key)
    for ending in ENDINGS:
        if metric.name.endswith(ending) and metric.name.removesuffix(ending) in result.metrics:
            return metric.name.removesuffix(ending)
    return metric.name


def _figure(result: Result, metric: Metric, key: str, panels: Sequence[tuple[str, list[Row]]]) -> Figure:
    of = base(result, metric, key)
    named = result.metrics[of].title if of in result.metrics else capital(of.replace("_", " "))
    title = f"{named}: how games are spread"
    if key and kind_of(key) not in NAMED:
        title += f", {group(result, key)}"
    rows = [r for _, part in panels for r in part]
    how = measure(metric)
    marks = any(_quantiles(result, of, part[0].cell) for _, part in panels)
    held = [] if result.single else [f for f in result.factors if len(result.levels(f)) > 1]
    view = None if result.single else choose(result, series=False, panels=False)
    note = ""
    if view is not None:
        still_ones = [f for f in held if f is not view.x]
        few = (
            f"{len(panels)} of {len(view.xs)} values of {factor_name(view.x.name)} are drawn"
            if len(panels) < len(view.xs)
            else ""
        )
        stand = ", ".join(f"{factor_name(f.name)} = {level(still(result, f))}" for f in still_ones)
        note = sentence(few, f"Held still: {stand}" if stand else "")
    return Figure(
        key=slug(of, "spread", key if kind_of(key) not in NAMED else ""),
        kind="distribution",
        title=title,
        metric=result.metrics.get(of, metric),
        caption=sentence(
            metric.meaning, "Upright lines: quantiles" if marks else "", drawn_how(rows, metric, "Thin bars"), note
        ),
        alt=_alt(panels, title, how),
        draw=lambda: draw(result, metric, of, panels, title),
        numbers=table(result, rows, metric, digits(rows, how.factor))
        if len(panels) > 1
        else _numbers(result, metric, rows, named),
        wide=len(panels) > 2 and len(panels) != 4,
    )


def _numbers(result: Result, metric: Metric, rows: Sequence[Row], named: str) -> Numbers | None:
    plain = table(result, rows, metric, digits(rows, measure(metric).factor), groups=False, most=120)
    if plain is None:
        return None
    return Numbers((named, *plain.head), tuple((f"{r.x:g}", *line) for r, line in zip(rows, plain.rows, strict=True)))


def _alt(panels: Sequence[tuple[str, list[Row]]], title: str, how: Measure) -> str:
    parts = []
    for name, rows in panels[:6]:
        top = max(rows, key=lambda r: r.value)
        places = digits(rows, how.factor)
        ends = f"from {rows[0].x:g} to {rows[-1].x:g}, highest at {top.x:g} with {shown(top.value, how, places)}"
        parts.append(f"{name}: {ends}" if name else ends)
    return tidy(f"Bar chart. {title}. {'; '.join(parts)}.", 900)


def _quantiles(result: Result, of: str, cell: int) -> list[Row]:
    if of not in result.metrics:
        return []
    found = [r for r in result.grouped(of, "quantile") if r.cell == cell]
    return sorted(found, key=lambda r: order_key(r.group))


def draw(result: Result, metric: Metric, of: str, panels: Sequence[tuple[str, list[Row]]], title: str) -> Canvas:
    """Bars (or an outline where they are many) with their intervals, quantiles as upright lines."""
    how = measure(metric)
    unit = result.metrics[of].unit if of in result.metrics and of != metric.name else ""
    unit = metric.unit if metric.name.endswith(SPREAD) else unit
    wide = len(panels) > 2 and len(panels) != 4
    columns = 1 if len(panels) == 1 else (3 if wide else 2)
    lines = -(-len(panels) // columns)
    with style.house():
        figure, axes = style.canvas(
            lines,
            columns,
            width=style.WIDE if wide else style.WIDTH,
            height=3.0 if len(panels) == 1 else 2.2 * lines,
            sharex=True,
            sharey=True,
        )
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        for place, (ax, (name, rows)) in enumerate(zip(axes, panels, strict=False)):
            _bars(ax, rows, how.factor, most=BARS if len(panels) == 1 else SMALL_BARS)
            ax.grid(axis="x", visible=False)
            if name:
                ax.set_title(style.label(name, 40))
            if place + columns >= len(panels):
                ax.tick_params(labelbottom=True)
                ax.set_xlabel(style.label(unit or of.replace("_", " "), 40))
            if place % columns == 0:
                ax.set_ylabel(style.label(f"{how.axis} of games" if how.axis == "%" else how.axis or metric.title, 40))
        top = axes[0].get_ylim()[1]
        axes[0].set_ylim(0, top * (1.16 if any(_quantiles(result, of, rows[0].cell) for _, rows in panels) else 1.02))
        for ax, (_, rows) in zip(axes, panels, strict=False):
            _marks(ax, _quantiles(result, of, rows[0].cell), small=len(panels) > 1)
        style.finish(figure, title, foot(result, [r for _, rows in panels for r in rows]))
        style.settle(figure)
    return figure


def _bars(ax: Axes, rows: Sequence[Row], factor: float, *, most: int) -> None:
    xs = [r.x or 0.0 for r in rows]
    values = [r.value * factor for r in rows]
    barred = [(r.x or 0.0, r.ends) for r in rows if r.ends]
    where = [x for x, _ in barred]
    low, high = ([ends[side] * factor for _, ends in barred] for side in (0, 1))
    if len(rows) <= most:
        step = min((b - a for a, b in zip(xs, xs[1:], strict=False) if b > a), default=1.0)
        ax.bar(
            xs,
            values,
            width=step * 0.86,
            color="#9cc3e4",
            edgecolor=style.ACCENT,
            linewidth=0.6 if len(rows) < 50 else 0.3,
        )
        ax.vlines(where, low, high, color=style.INK, lw=1.0)
    else:
        ax.fill_between(xs, values, color="#9cc3e4", lw=0, step="mid")
        ax.step(xs, values, where="mid", color=style.ACCENT, lw=1.0)
        ax.fill_between(where, low, high, color=style.INK, alpha=0.35, lw=0, step="mid")


def _marks(ax: Axes, rows: Sequence[Row], *, small: bool) -> None:
    """Upright lines at the quantiles, named at the top."""
    top = ax.get_ylim()[1]
    for place, row in enumerate(rows):
        side = "right" if place == 0 else "left" if place == len(rows) - 1 else "center"  # away from each other
        name = quantile(name_of(row.group)).removesuffix(" quantile")
        ax.vlines(row.value, 0, top * 0.93, color=style.SOFT, lw=1.0, ls=style.FAIR)
        if not small or name == "median":
            places = 0 if float(row.value).is_integer() else 1
            ax.annotate(
                f"{name} {number(row.value, places)}",
                (row.value, top * (0.86 if small else 0.94)),
                xytext=(4 if small else 0, 0),
                textcoords="offset points",
                ha="left" if small else side if len(rows) > 1 else "center",
                va="bottom",
                fontsize=8.5,
                color=style.SOFT,
                bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.6},
            )


KIND = Kind("distribution", plan)
