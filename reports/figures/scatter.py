"""Scattered cells (Latin hypercube, Sobol): each headline metric against each factor, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports import style
from reports.figures.figure import Figure, Kind, axis_name, differ, drawn_how, foot, slug
from reports.result import Factor, Metric, Result, Row
from reports.words import axis, digits, factor_name, listing, measure, sentence, shown, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MOST = 6  # factors in one figure


def plan(result: Result) -> list[Figure]:
    """For a design of scattered points: each headline metric."""
    factors = [f for f in result.factors if f.numeric and len(result.levels(f)) > 1][:MOST]
    if not result.scattered or not factors:
        return []
    rows = {m.name: result.grouped(m.name, "") for m in result.headline}
    return [_figure(result, m, rows[m.name], factors) for m in result.headline if differ(rows[m.name])]


def _figure(result: Result, metric: Metric, rows: Sequence[Row], factors: Sequence[Factor]) -> Figure:
    title = f"{metric.title} against {listing([factor_name(f.name) for f in factors])}"
    how, places = measure(metric), digits(rows, measure(metric).factor)
    least, most = min(rows, key=lambda r: r.value), max(rows, key=lambda r: r.value)
    ends = [f"{shown(r.value, how, places)} (cell {r.cell})" for r in (least, most)]
    what = "Each point is one cell, drawn once in each panel"
    return Figure(
        key=slug(metric.name, "against", *(f.name for f in factors)),
        kind="scatter",
        title=title,
        metric=metric,
        caption=sentence(metric.meaning, what, drawn_how(rows, metric, "Upright bars")),
        alt=tidy(f"Scatter plot. {title}. {len(rows)} cells, from {ends[0]} to {ends[1]}.", 600),
        draw=lambda: draw(result, metric, rows, factors, title),
        wide=len(factors) > 2,
    )


def draw(result: Result, metric: Metric, rows: Sequence[Row], factors: Sequence[Factor], title: str) -> Canvas:
    """A panel for each factor, all on one scale."""
    factor = measure(metric).factor
    columns = min(len(factors), 3)
    lines = -(-len(factors) // columns)
    width = style.WIDE if len(factors) > 2 else style.WIDTH
    with style.house():
        figure, axes = style.canvas(lines, columns, width=width, height=2.6 * lines, sharey=True)
        for ax in axes[len(factors) :]:
            ax.set_visible(False)
        for place, (ax, of) in enumerate(zip(axes, factors, strict=False)):
            here = [
                (float(result.parameters[r.cell][of.name]), r) for r in rows if of.name in result.parameters[r.cell]
            ]
            barred = [(x, r.ends) for x, r in here if r.ends]
            ax.vlines(
                [x for x, _ in barred],
                [low * factor for _, (low, _) in barred],
                [high * factor for _, (_, high) in barred],
                color=style.ACCENT,
                lw=0.8,
                alpha=0.5,
            )
            values = [r.value * factor for _, r in here]
            ax.plot([x for x, _ in here], values, "o", ms=3.2, color=style.ACCENT, alpha=0.75, mec="none")
            ax.set_xlabel(axis_name(of))
            if place % columns == 0:
                ax.set_ylabel(style.label(axis(metric), 40))
        how = measure(metric)
        if not how.signed:
            ends = [v * factor for r in rows for v in (r.value, *(r.ends or ()))]
            axes[0].set_ylim(style.bounded(*axes[0].get_ylim(), min(ends), max(ends), percent=factor == 100))
        style.finish(figure, title, foot(result, rows))
        style.settle(figure)
    return figure


KIND = Kind("scatter", plan)
