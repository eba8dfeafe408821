"""Solve curves: the metric over the sought parameter, its target line, and the answer with its interval.

One panel a search; where there are many, their answers one a row instead, over the values of the parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reports import search as se
from reports import style, themes
from reports.figures.figure import Figure, Kind, Numbers, drawn_how, foot, slug
from reports.result import Result
from reports.search import Search
from reports.words import axis, count, digits, factor_name, group, interval, measure, sentence, shown, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

PANELS, ROWS = 6, 40
SHADE = "#f3e3c3"
ANSWER = style.Look("#d1600c", "D", "-")


def plan(result: Result) -> list[Figure]:
    """Curves for few searches; for many their answers, and the curves of the first."""
    found = se.of(result)
    curves = [s for s in found if s.points]
    figures = []
    if len(found) > PANELS:
        figures.append(_answers(result, found))
    if curves:
        figures.append(_curves(result, curves[:PANELS], len(curves)))
    return figures


def _named(result: Result, search: Search) -> str:
    kinds = [group(result, g) for g in search.group.split(",") if g]
    return f"{search.metric.title}{', ' + ', '.join(kinds) if kinds else ''}"


def _curves(result: Result, found: Sequence[Search], many: int) -> Figure:
    one = found[0]
    title = f"{_named(result, one)} over {factor_name(one.find)}: where it meets {se.goal(one)}"
    rows = [p.row for s in found for p in s.points]
    how, places = measure(one.metric), digits(rows, measure(one.metric).factor)
    told = "; ".join(f"{s.name + ': ' if s.name else ''}{s.find} {se.answer(s)}, measured {se.there(s)}" for s in found)
    shaded = "Shaded: the 95 % interval of the answer" if any(_shaded(s) for s in found) else ""
    ringed = "Ringed: values that cannot be excluded (95 %)" if any(len(s.candidates) > 1 for s in found) else ""
    within = "Dotted: how far from the target it may be" if any(s.within for s in found) else ""
    marked = (
        "Diamond on the axis: the answer" if any(s.value is not None and s.status == se.FOUND for s in found) else ""
    )
    few = f"{len(found)} of {many} searches are drawn" if len(found) < many else ""
    body = tuple(
        (
            *((s.name,) if len(found) > 1 else ()),
            se.at(p.x),
            shown(p.row.value, how, places),
            interval(p.row.low, p.row.high, how, places),
            count(p.row.n),
        )
        for s in found
        for p in s.points
    )
    return Figure(
        key=slug("solve", one.metric.name, "over", one.find),
        kind="search",
        title=title,
        metric=replace(one.metric, theme=themes.SEARCH),
        caption=sentence(
            one.metric.meaning,
            "Dashed: the target",
            within,
            marked,
            shaded,
            ringed,
            drawn_how(rows, one.metric, "Upright bars"),
            few,
        ),
        alt=tidy(f"Line plot. {title}. {told}.", 900),
        draw=lambda: draw(result, found, title, wide=len(found) > 2),
        numbers=Numbers((*(("search",) if len(found) > 1 else ()), one.find, one.metric.title, "interval", "n"), body),
        wide=len(found) > 2,
        narrow=(lambda: draw(result, found, title)) if len(found) > 2 else None,
    )


def _shaded(search: Search) -> bool:
    return search.status == se.FOUND and search.low is not None and search.high is not None and not search.candidates


def draw(result: Result, found: Sequence[Search], title: str, *, wide: bool = False) -> Canvas:
    """A panel a search, on one scale, two beside each other (wide: three)."""
    columns = 1 if len(found) == 1 else 3 if wide and len(found) != 4 else 2
    lines = -(-len(found) // columns)
    with style.house():
        figure, axes = style.canvas(
            lines,
            columns,
            width=style.WIDE if wide else style.WIDTH,
            height=3.4 if len(found) == 1 else 2.5 * lines,
            sharex=True,
            sharey=True,
        )
        for ax in axes[len(found) :]:
            ax.set_visible(False)
        for place, (ax, search) in enumerate(zip(axes, found, strict=False)):
            _panel(ax, search)
            if search.name:
                ax.set_title(style.label(search.name, 40 if wide else 30))
            if place + columns >= len(found):
                ax.tick_params(labelbottom=True)
                ax.set_xlabel(style.label(factor_name(search.find), 40))
            if place % columns == 0:
                ax.set_ylabel(
                    style.label(axis(search.metric), 40) if len(found) == 1 else style.wrapped(axis(search.metric), 20)
                )
        _reach(axes[0], found)
        rows = [p.row for s in found for p in s.points]
        style.finish(figure, title, foot(result, rows))
        style.settle(figure)
    return figure


def _panel(ax: Axes, search: Search) -> None:
    factor = measure(search.metric).factor
    xs = [p.x for p in search.points]
    target = search.target * factor
    ax.axhline(target, color=style.INK, lw=1.2, ls=(0, (5, 2)), zorder=1.5)
    ax.annotate(
        style.label(f"target {se.goal(search)}", 24),
        (0.0, target + (search.within or 0.0) * factor),
        xycoords=ax.get_yaxis_transform(),
        xytext=(3, 3),
        textcoords="offset points",
        fontsize=8.5,
        color=style.SOFT,
        va="bottom",
    )
    if search.within:
        for end in (search.target - search.within, search.target + search.within):
            ax.axhline(end * factor, color=style.SOFT, lw=1.0, ls=style.FAIR, zorder=1.2)
    if _shaded(search) and search.low is not None and search.high is not None:
        ax.axvspan(search.low, search.high, color=SHADE, lw=0, zorder=0.5)
    barred = [(p.x, p.row.ends) for p in search.points if p.row.ends]
    ax.vlines(
        [x for x, _ in barred],
        [e[0] * factor for _, e in barred],
        [e[1] * factor for _, e in barred],
        color=style.ACCENT,
        lw=1.6,
        zorder=2.5,
    )
    ax.plot(xs, [p.row.value * factor for p in search.points], color=style.ACCENT, marker="o", ms=4.2, lw=1.5, zorder=3)
    if len(search.candidates) > 1:
        ringed = [p for p in search.points if p.x in search.candidates]
        ax.plot(
            [p.x for p in ringed],
            [p.row.value * factor for p in ringed],
            ls="none",
            marker="o",
            ms=11,
            mfc="none",
            mec=ANSWER.color,
            mew=1.6,
            zorder=3.5,
        )
    if search.value is not None and search.status == se.FOUND:
        ax.axvline(search.value, color=ANSWER.color, lw=1.3, zorder=1.4)
        ax.plot(
            [search.value],
            [0],
            transform=ax.get_xaxis_transform(),
            color=ANSWER.color,
            marker=ANSWER.marker,
            ms=7,
            clip_on=False,
            zorder=4,
        )
    said = se.answer(search)
    ax.annotate(
        style.label(f"{factor_name(search.find)} = {said}" if search.status == se.FOUND else said, 44),
        (1, 1),
        xycoords="axes fraction",
        xytext=(-4, -4),
        textcoords="offset points",
        fontsize=9,
        color=style.INK,
        ha="right",
        va="top",
        bbox={"boxstyle": "square,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.85},
        zorder=5,
    )
    ax.grid(axis="x", visible=False)
    if len(set(xs)) <= 12:
        ax.set_xticks(sorted(set(xs)), [style.label(se.at(x), 8) for x in sorted(set(xs))])


def _reach(ax: Axes, found: Sequence[Search]) -> None:
    """Room for the target, and at the top for the answer's words."""
    factor = measure(found[0].metric).factor
    ends = [e * factor for s in found for p in s.points for e in (p.row.value, *(p.row.ends or ()))]
    ends += [s.target * factor for s in found]
    low, high = min(ends), max(ends)
    air = (high - low) * 0.06 or max(abs(high) * 0.05, 1e-3)
    low, high = style.bounded(low - air, high + 4.0 * air, low, high, percent=False)
    ax.set_ylim(low, high)


def _answers(result: Result, found: Sequence[Search]) -> Figure:
    """One row a search: the answer and its interval over the parameter."""
    one = found[0]
    drawn = found[:ROWS]
    title = f"{factor_name(one.find).capitalize()} at which {_named(result, one).lower()} meets {se.goal(one)}"
    told = "; ".join(f"{s.name}: {se.answer(s)}" for s in drawn)
    left = len(found) - len(drawn)
    body = tuple((s.name, se.answer(s), se.there(s), count(s.games)) for s in found)
    return Figure(
        key=slug("solve", "answers", one.find),
        kind="search",
        title=title,
        metric=replace(one.metric, theme=themes.SEARCH),
        caption=sentence(
            "Diamonds: the value; bars: its 95 % interval, or all values that cannot be excluded",
            "A search without an answer says why",
            f"{left} more are in the table" if left else "",
        ),
        alt=tidy(f"Dot plot. {title}. {told}.", 900),
        draw=lambda: draw_answers(result, drawn, title),
        numbers=Numbers(("search", one.find, one.metric.title, "games"), body),
    )


def draw_answers(result: Result, found: Sequence[Search], title: str) -> Canvas:
    """Names down the side, the answers over the parameter, what was found at the right."""
    with style.house():
        figure, (ax,) = style.canvas(height=max(0.3 * len(found) + 0.8, 1.5))
        xs = [p.x for s in found for p in s.points] or [s.value for s in found if s.value is not None] or [0.0]
        for y, search in enumerate(found):
            ends = (min(search.candidates), max(search.candidates)) if search.candidates else (search.low, search.high)
            if search.status == se.FOUND and search.value is not None:
                if ends[0] is not None and ends[1] is not None:
                    ax.hlines(y, ends[0], ends[1], color=ANSWER.color, lw=2.2, alpha=0.75)
                ax.plot(
                    [search.value],
                    [y],
                    color=ANSWER.color,
                    marker=ANSWER.marker,
                    ms=5.5,
                    ls="none",
                    zorder=3,
                    clip_on=False,
                )
            style.beside(ax, y, style.label(se.answer(search), 30))
        air = (max(xs) - min(xs)) * 0.04 or 0.5
        ax.set_xlim(min(xs) - air, max(xs) + air)
        ax.set_ylim(len(found) - 0.4, -0.6)
        ax.set_yticks(range(len(found)), [style.label(s.name or s.find, 34) for s in found])
        ax.spines["left"].set_visible(False)
        ax.set_xlabel(style.label(factor_name(found[0].find), 40))
        style.finish(figure, title, foot(result, [p.row for s in found for p in s.points]))
        style.settle(figure)
    return figure


KIND = Kind("search", plan)
