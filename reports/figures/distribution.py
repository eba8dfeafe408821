"""How a number is spread over the games: the rows of the table that have an x, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from reports import style
from reports.figures.figure import Figure, Kind, Numbers, drawn_how, foot, panel_names, slug
from reports.result import Factor, Metric, Result, Row, kind_of, level_key, name_of
from reports.view import choose, still, thin
from reports.words import (
    SPREAD,
    Measure,
    capital,
    digits,
    factor_name,
    group,
    interval,
    level,
    listing,
    measure,
    number,
    order_key,
    quantile,
    sentence,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

SURVIVED = "_survival"  # curves, not bars: see curves.py
LINES = 600  # lines of the table of a figure
ENDINGS = ("_share", "_distribution", "_histogram", "_density")
BARS, SMALL_BARS = 90, 24  # more values than that are drawn as an outline
NAMED = frozenset({"span", "of", "metric"})  # kinds of group whose name is that of the metric that is spread


def plan(result: Result) -> list[Figure]:
    """One figure for each metric and group that has rows with an x."""
    told = pl.col("x").is_not_null() & (pl.col("group2") == "") & ~pl.col("metric").str.ends_with(SURVIVED)
    spread = result.frame.filter(told)
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
    values = thin(view.xs, 6, 6)
    for value, name in zip(values, panel_names(view.x, values, 30)[1], strict=True):
        here = [
            r
            for r in rows
            if level_key(result.parameters[r.cell].get(view.x.name)) == level_key(value)
            and all(level_key(result.parameters[r.cell].get(f.name)) == level_key(v) for f, v in held)
        ]
        if len(here) > 1:
            panels.append((name, _sorted(here)))
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
    keys = sorted({r.group for _, part in panels for r in _quantiles(result, of, part[0].cell)}, key=order_key)
    marks = f"Upright lines: {listing([_mark_name(k) for k in keys])}" if keys else ""
    told = metric.meaning
    if of in result.metrics and of != metric.name and result.metrics[of].meaning:
        told = f"Share of games by {result.metrics[of].meaning.rstrip('.').removesuffix(', mean')}"
    held = [] if result.single else [f for f in result.factors if len(result.levels(f)) > 1]
    view = None if result.single else choose(result, series=False, panels=False)
    note, over = "", ""
    stand: list[tuple[Factor, Any]] = []
    if view is not None:
        still_ones = [f for f in held if f is not view.x]
        few = (
            f"{len(panels)} of {len(view.xs)} values of {factor_name(view.x.name)} are drawn"
            if len(panels) < len(view.xs)
            else ""
        )
        stand = [(f, still(result, f)) for f in still_ones]
        over = panel_names(view.x, thin(view.xs, 6, 6), 30)[0]
        each = f"One panel for each value of {over.rstrip(':')}" if over else ""
        kept = ", ".join(f"{factor_name(f.name)} = {level(v)}" for f, v in stand)
        note = sentence(each, few, f"Held still: {kept}" if kept else "")
    return Figure(
        key=slug(of, "spread", key if kind_of(key) not in NAMED else ""),
        kind="distribution",
        title=title,
        metric=result.metrics.get(of, metric),
        caption=sentence(told, marks, drawn_how(rows, metric, "Thin bars"), note),
        alt=_alt(panels, title, how),
        draw=lambda: draw(result, metric, of, panels, title, stand, over),
        numbers=_numbers(metric, panels, named),
        wide=len(panels) > 2 and len(panels) != 4,
    )


def _numbers(metric: Metric, panels: Sequence[tuple[str, list[Row]]], named: str) -> Numbers:
    """A line for each x, a column for each panel: value and interval, and of a single panel n."""
    how = measure(metric)
    places = digits([r for _, rows in panels for r in rows], how.factor)
    found = [{r.x or 0.0: r for r in rows} for _, rows in panels]
    xs = sorted({x for part in found for x in part})
    alone = len(panels) == 1
    head = (named, *((metric.title, "interval", "n") if alone else tuple(name for name, _ in panels)))
    body: list[tuple[str, ...]] = []
    for x in xs[:LINES]:
        rows = [part.get(x) for part in found]
        if alone and rows[0] is not None:
            row = rows[0]
            body.append((f"{x:g}", *_said(row, how, places), f"{row.n:,.0f}" if row.n is not None else ""))
        else:
            pairs = [("", "") if r is None else _said(r, how, places) for r in rows]
            body.append((f"{x:g}", *(f"{value} ({ends})" if ends else value for value, ends in pairs)))
    if len(xs) > LINES:
        body.append((f"{len(xs) - LINES} more in cells.parquet", *("" for _ in head[1:])))
    return Numbers(head, tuple(body))


def _said(row: Row, how: Measure, places: int) -> tuple[str, str]:
    return shown(row.value, how, places), interval(row.low, row.high, how, places)


def _mark_name(key: str) -> str:
    return quantile(name_of(key))


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


def draw(
    result: Result,
    metric: Metric,
    of: str,
    panels: Sequence[tuple[str, list[Row]]],
    title: str,
    held: Sequence[tuple[Factor, Any]] = (),
    over: str = "",
) -> Canvas:
    """Bars (or an outline where they are many) with their intervals, quantiles as upright lines."""
    how = measure(metric)
    unit = result.metrics[of].unit if of in result.metrics and of != metric.name else ""
    unit = metric.unit if metric.name.endswith(SPREAD) else unit
    wide = len(panels) > 2 and len(panels) != 4
    columns = 1 if len(panels) == 1 else (3 if wide else 2)
    lines = -(-len(panels) // columns)
    marked = any(_quantiles(result, of, rows[0].cell) for _, rows in panels)
    with style.house():
        figure, axes = style.canvas(
            lines,
            columns,
            width=style.WIDE if wide else style.WIDTH,
            height=3.0 if len(panels) == 1 else 2.3 * lines + (0.2 if over else 0),
            sharex=True,
            sharey=True,
        )
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        for place, (ax, (name, rows)) in enumerate(zip(axes, panels, strict=False)):
            _bars(ax, rows, how.factor, most=BARS if len(panels) == 1 else SMALL_BARS)
            ax.grid(axis="x", visible=False)
            if name:
                ax.set_title(style.label(name, 40), pad=18 if marked else 6)
            if place + columns >= len(panels):
                ax.tick_params(labelbottom=True)
                ax.set_xlabel(style.label(unit or of.replace("_", " "), 40))
            if place % columns == 0:
                ax.set_ylabel(style.label(f"{how.axis} of games" if how.axis == "%" else how.axis or metric.title, 40))
        if over:
            style.heading(axes[0], over, 34 if marked else 22)
        axes[0].set_ylim(0, axes[0].get_ylim()[1] * 1.02)
        style.finish(figure, title, foot(result, [r for _, rows in panels for r in rows], held))
        style.lay_out(figure)
        for ax, (_, rows) in zip(axes, panels, strict=False):
            _marks(ax, _quantiles(result, of, rows[0].cell))
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


def _marks(ax: Axes, rows: Sequence[Row]) -> None:
    """Upright lines at the quantiles, each named above its top; names that would touch are moved apart."""
    if not rows:
        return
    middle = len(rows) // 2
    named = list(rows) if len(rows) <= 4 else [rows[0], rows[middle], rows[-1]]
    for row in rows:
        ax.axvline(row.value, color=style.SOFT, lw=1.0, ls=style.FAIR)
    texts = []
    for row in named:
        places = 0 if float(row.value).is_integer() else 1
        texts.append(f"{_mark_name(row.group).removesuffix(' quantile')} {number(row.value, places)}")
    scale = ax.figure.dpi / style.POINTS
    box = ax.get_window_extent()
    wished = [float(ax.transData.transform((r.value, 0))[0]) for r in named]
    gap = (max(map(len, texts)) * 4.9 + 3) * scale
    for row, text, place in zip(
        named, texts, style.spread(wished, gap, box.x0 + gap / 4, box.x1 - gap / 3), strict=True
    ):
        ax.annotate(
            text,
            (row.value, 1.0),
            xycoords=ax.get_xaxis_transform(),
            xytext=((place - float(ax.transData.transform((row.value, 0))[0])) / scale, 4),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8.5,
            color=style.SOFT,
        )


KIND = Kind("distribution", plan)
