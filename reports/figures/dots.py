"""Dots with their intervals: groups side by side (seats, strategies, kids), or the levels of a factor of names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports import style
from reports.figures import curves
from reports.figures.figure import FAIR, Figure, Kind, axis_name, drawn_how, fair_share, foot, slug, table
from reports.result import Factor, Metric, Result, Row
from reports.view import Lookup, choose
from reports.words import (
    axis,
    digits,
    factor_name,
    group,
    group_kind,
    level,
    measure,
    order_key,
    sentence,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

RANKED = frozenset({"strategy"})  # kinds of group in order of value; cards and monsters are not ranked: their texts
# may be estimates
ELSEWHERE = frozenset({"", "quantile", "rule", "item", "event", "component"})  # drawn as quantiles or in the ledger
MOST = 40  # lines in one figure
TIERS = "Rules part tiers: all intervals above one lie above all below it; within a tier order may be chance"


@dataclass(frozen=True)
class Entry:
    """One line of the figure: its name and a dot for each series (None where there is no number)."""

    name: str
    rows: tuple[Row | None, ...]


def tiers(rows: Sequence[Row]) -> list[int]:
    """Where tiers begin in rows of falling value, the first place left out.

    A tier ends where every interval above lies wholly above every one below: neighbours in a tier are not told apart.
    """
    if any(r.ends is None for r in rows):
        return []
    low, high = [r.ends[0] for r in rows if r.ends], [r.ends[1] for r in rows if r.ends]
    return [k for k in range(1, len(rows)) if min(low[:k]) > max(high[k:])]


def plan(result: Result) -> list[Figure]:
    """One configuration: each metric that has groups. A sweep over names: each headline metric by those names."""
    if result.single:
        figures = []
        curved = {metric.name for metric in curves.by_round(result)}
        for metric in result.metrics.values():
            for kind, size in result.kinds[metric.name].items():
                if kind == curves.ROUND and metric.name in curved:  # drawn as curves over the rounds
                    continue
                if kind not in ELSEWHERE and size > 1 and not (kind == "seat" and result.alike):
                    figures.append(_by_group(result, metric, kind))
        return figures
    view = choose(result, panels=False)
    if result.scattered or view is None or view.x.numeric:
        return []
    return [f for m in result.headline if "" in result.kinds[m.name] and (f := _by_level(result, m)) is not None]


def _by_group(result: Result, metric: Metric, kind: str) -> Figure:
    rows = result.grouped(metric.name, kind)
    rows.sort(key=(lambda r: -r.value) if kind in RANKED else lambda r: order_key(r.group))
    left = len(rows) - MOST
    drawn = rows[:MOST]
    entries = [Entry(group(result, r.group), (r,)) for r in drawn]
    contestants = result.contestants(rows[0].cell)
    fair = result.fair(rows[0].cell) if metric.name == FAIR else None
    title = f"{metric.title} by {group_kind(kind)}"
    line = f"Dotted: {fair_share(fair, contestants)}" if fair and contestants else ""
    note = f"{left} more are in the table" if left > 0 else ""
    parted = tiers(drawn) if kind in RANKED else []
    ranks = _ranks(len(drawn), parted) if kind in RANKED else ""
    return _figure(
        result,
        metric,
        entries,
        ("",),
        title,
        slug(metric.name, "by", kind),
        "",
        fair,
        sentence(line, ranks, note),
        parted=parted,
    )


def _ranks(many: int, parted: Sequence[int]) -> str:
    """What the caption says of tiers."""
    if many < 2:
        return ""
    return (
        TIERS if parted else "One tier: some interval of each part reaches into the other, so the order may be chance"
    )


def _by_level(result: Result, metric: Metric) -> Figure | None:
    """Levels of the factor down, a dot for each level of a second factor."""
    view = choose(result, panels=False)
    if view is None:
        return None
    lookup = Lookup(result, view, result.grouped(metric.name, ""))
    entries = [Entry(level(x), tuple(lookup.get(x, s, view=view) for s in view.lines)) for x in view.xs[:MOST]]
    entries = [e for e in entries if any(e.rows)]
    if not entries:
        return None
    parted: list[int] = []
    ranks = ""
    if view.x.name.startswith("strategy.") and view.series is None:  # who plays how may be ranked
        entries.sort(key=lambda e: -(e.rows[0].value if e.rows[0] else 0.0))
        parted = tiers([e.rows[0] for e in entries if e.rows[0]])
        ranks = _ranks(len(entries), parted)
    names = tuple(level(s) for s in view.lines) if view.series is not None else ("",)
    title = f"{metric.title} by {factor_name(view.x.name)}"
    what = f"One mark for each value of {factor_name(view.series.name)}" if view.series is not None else ""
    left = f"{len(view.xs) - MOST} more values are in the table" if len(view.xs) > MOST else ""
    of = axis_name(view.series) if view.series is not None else ""
    return _figure(
        result,
        metric,
        entries,
        names,
        title,
        slug(metric.name, "by", view.x.name),
        of,
        None,
        sentence(what, ranks, view.note(), left),
        view.held,
        parted,
    )


def _figure(
    result: Result,
    metric: Metric,
    entries: Sequence[Entry],
    names: tuple[str, ...],
    title: str,
    key: str,
    of: str,
    fair: float | None,
    note: str,
    held: Sequence[tuple[Factor, Any]] = (),
    parted: Sequence[int] = (),
) -> Figure:
    rows = [r for e in entries for r in e.rows if r is not None]
    how = measure(metric)
    places = digits(rows, how.factor)
    told = [
        f"{e.name}{f' ({n})' if n else ''} {shown(r.value, how, places)}"
        for e in entries[:12]
        for n, r in zip(names, e.rows, strict=True)
        if r is not None
    ]
    more = f" and {len(entries) - 12} more" if len(entries) > 12 else ""
    return Figure(
        key=key,
        kind="dots",
        title=title,
        metric=metric,
        caption=sentence(metric.meaning, drawn_how(rows, metric, "Bars"), note),
        alt=tidy(f"Dot plot. {title}. {', '.join(told)}{more}.", 900),
        draw=lambda: draw(result, metric, entries, names, title, of=of, fair=fair, held=held, parted=parted),
        numbers=table(result, rows, metric, places),
    )


def draw(
    result: Result,
    metric: Metric,
    entries: Sequence[Entry],
    names: Sequence[str],
    title: str,
    *,
    of: str = "",
    fair: float | None = None,
    held: Sequence[tuple[Factor, Any]] = (),
    parted: Sequence[int] = (),
) -> Canvas:
    """Names down the side, a dot and its interval each, the value at the right."""
    how = measure(metric)
    rows = [r for e in entries for r in e.rows if r is not None]
    places = digits(rows, how.factor)
    looks = style.looks(len(names))
    step = 0.30 if len(names) == 1 else 0.16 + 0.14 * len(names)
    with style.house():
        figure, (ax,) = style.canvas(height=max(step * len(entries) + 0.75, 1.3))
        for y, entry in enumerate(entries):
            for s, (row, look) in enumerate(zip(entry.rows, looks, strict=True)):
                if row is None:
                    continue
                at = y + (s - (len(names) - 1) / 2) * 0.62 / max(len(names), 1)
                if row.low is not None and row.high is not None:
                    ax.hlines(at, row.low * how.factor, row.high * how.factor, color=look.color, lw=2.2, alpha=0.75)
                ax.plot(
                    [row.value * how.factor],
                    [at],
                    color=look.color,
                    marker=look.marker,
                    ms=5.5,
                    ls="none",
                    zorder=3,
                    clip_on=False,
                )
                if len(names) == 1:
                    style.beside(ax, at, shown(row.value, how, places), size=9.5)
        for place in parted:
            ax.axhline(place - 0.5, color=style.INK, lw=1.0, zorder=1)
        ax.set_ylim(len(entries) - 0.4, -0.6)
        ax.set_yticks(range(len(entries)), [style.label(e.name, 30) for e in entries])
        ax.spines["left"].set_visible(False)
        ax.margins(x=0.08)
        ax.set_xlabel(style.label(axis(metric), 60))
        if fair is not None:
            ax.axvline(fair * how.factor, color=style.SOFT, lw=1.2, ls=style.FAIR, zorder=1)
            ax.annotate(
                "fair share",
                (fair * how.factor, 1.0),
                xycoords=ax.get_xaxis_transform(),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=9,
                color=style.SOFT,
            )
        low, high = ax.get_xlim()
        if how.factor == 100 and high - low < 2:
            low, high = (low + high) / 2 - 1, (low + high) / 2 + 1
        if not how.signed:
            ends = [v * how.factor for r in rows for v in (r.value, *(r.ends or ()))]
            low, high = style.bounded(low, high, min(ends), max(ends), percent=how.factor == 100)
        ax.set_xlim(low, high)
        if len(names) > 1:
            keys = [ax.plot([], [], color=k.color, marker=k.marker, ls="none", ms=5.5)[0] for k in looks]
            ax.legend(
                keys,
                [style.label(n, 18) for n in names],
                title=of,
                loc="lower left",
                bbox_to_anchor=(0, 1.0),
                ncols=min(len(names), 5),
                frameon=False,
                fontsize=9.5,
                title_fontsize=9,
                alignment="left",
                handletextpad=0.1,
                columnspacing=1.2,
                borderpad=0.1,
            )
        style.finish(figure, title, foot(result, rows, held))
        style.settle(figure)
    return figure


KIND = Kind("dots", plan)
