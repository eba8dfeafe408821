"""Bars of what happened how often in one configuration: the rule ledger, items and events, component peaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports import style
from reports.figures.figure import Figure, Kind, Numbers, drawn_how, foot, slug
from reports.result import Metric, Result, Row
from reports.words import (
    capital,
    count,
    digits,
    group,
    group_kind,
    interval,
    listing,
    meaning,
    measure,
    order_key,
    sentence,
    shown,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

KINDS = ("rule", "item", "event", "component")
MOST = 24  # bars in one figure
NAME, LONG = 34, 84  # letters of a name beside a bar: on half the page, on all of it
RATE = "rule_rate"
ALONE = ("rule_count",)  # written beside the bars of rule_rate, not drawn with them


def plan(result: Result) -> list[Figure]:
    """One configuration: for each kind of thing its metrics; those in one unit share a figure."""
    if not result.single:
        return []
    figures = []
    for kind in KINDS:
        metrics = [m for m in result.metrics.values() if result.kinds[m.name].get(kind, 0) > 0]
        beside = next((m for m in metrics if m.name in ALONE and len(metrics) > 1), None)
        units: dict[tuple[str, float], list[Metric]] = {}
        for metric in metrics:
            if metric is not beside:
                how = measure(metric)
                units.setdefault((how.axis, how.factor), []).append(metric)
        for same in units.values():
            figures.append(_figure(result, kind, same[:3], beside))
    return figures


def _figure(result: Result, kind: str, metrics: Sequence[Metric], beside: Metric | None) -> Figure:
    by_group: dict[str, list[Row | None]] = {}
    for place, metric in enumerate(metrics):
        for row in result.grouped(metric.name, kind):
            by_group.setdefault(row.group, [None] * len(metrics))[place] = row
    seen = {r.group for m in result.metrics.values() for r in result.grouped(m.name, kind) if r.value}
    never = sorted((k for k in by_group if k not in seen), key=order_key)
    often = sorted((k for k in by_group if k not in set(never)), key=lambda k: -max(r.value for r in by_group[k] if r))
    drawn = [(key, tuple(by_group[key])) for key in often[:MOST]]
    rows = [r for _, part in drawn for r in part if r is not None]
    spoken = group_kind(kind)
    title = (
        metrics[0].title if len(metrics) == 1 else f"{capital(spoken)}s: {listing([_short(m, kind) for m in metrics])}"
    )
    meanings = " ".join(dict.fromkeys(sentence(m.meaning) for m in metrics if m.meaning))
    if kind == "rule" and metrics[0].name == RATE:
        title = "Rule ledger: how often each rule came up"
        meanings = "Share of the games in which it came up, the most frequent first."
    how = measure(metrics[0])
    places = digits(rows, how.factor) if rows else 1
    few = f"The {MOST} most frequent of {len(often)} are drawn" if len(often) > MOST else ""
    none = ""
    if never:
        names = listing([tidy(group(result, k), 24) for k in never[:30]])
        none = f"Never in these games: {names}" + (f" and {len(never) - 30} more" if len(never) > 30 else "")
    extra = f"At the right also: {beside.title.lower()} ({beside.unit or 'a game'})" if beside else ""
    told = [
        f"{group(result, k)} " + " / ".join(shown(r.value, how, places) for r in part if r) for k, part in drawn[:10]
    ]
    more = f" and {len(drawn) - 10} more" if len(drawn) > 10 else ""
    return Figure(
        key=slug(kind, *(m.name for m in metrics)),
        kind="ledger",
        title=title,
        metric=metrics[0],
        caption=sentence(meanings, drawn_how(rows, metrics[0], "Thin bars") if rows else "", extra, few, none),
        alt=tidy(f"Bar chart. {title}. {', '.join(told)}{more}.", 900),
        draw=lambda: draw(result, kind, metrics, drawn, beside, title),
        wide=_wide(result, drawn),
        numbers=_numbers(result, kind, metrics, [(k, tuple(by_group[k])) for k in (*often, *never)], places),
    )


def named(result: Result, key: str) -> str:
    """A group with its meaning where the manifest tells it: ``R7 a later hit``."""
    told = meaning(result, key)
    return f"{group(result, key)} {told}" if told else group(result, key)


def _wide(result: Result, lines: Sequence[tuple[str, tuple[Row | None, ...]]]) -> bool:
    """Whether the names need the whole page."""
    return any(len(named(result, key)) > NAME for key, _ in lines)


def _short(metric: Metric, kind: str) -> str:
    return metric.name.removeprefix(f"{kind}_").replace("_", " ")


def _numbers(
    result: Result,
    kind: str,
    metrics: Sequence[Metric],
    lines: Sequence[tuple[str, tuple[Row | None, ...]]],
    places: int,
) -> Numbers:
    head = (group_kind(kind), *(h for m in metrics for h in (m.title, "interval", "n")))
    body = []
    for key, rows in lines[:120]:
        cells: list[str] = [named(result, key)]
        for metric, row in zip(metrics, rows, strict=True):
            how = measure(metric)
            if row is None:
                cells += ["", "", ""]
            else:
                cells += [shown(row.value, how, places), interval(row.low, row.high, how, places), count(row.n)]
        body.append(tuple(cells))
    return Numbers(head, tuple(body))


def draw(
    result: Result,
    kind: str,
    metrics: Sequence[Metric],
    lines: Sequence[tuple[str, tuple[Row | None, ...]]],
    beside: Metric | None,
    title: str,
) -> Canvas:
    """Bars from zero for one metric; for two or three a mark each, joined by a line."""
    how = measure(metrics[0])
    rows = [r for _, part in lines for r in part if r is not None]
    places = digits(rows, how.factor) if rows else 1
    counts = {r.group: r for r in result.grouped(beside.name, kind)} if beside else {}
    looks = style.looks(len(metrics))
    wide = _wide(result, lines)
    with style.house():
        figure, (ax,) = style.canvas(
            width=style.WIDE if wide else style.WIDTH, height=max(0.235 * len(lines) + 0.8, 1.4)
        )
        for y, (key, part) in enumerate(lines):
            known = [r for r in part if r is not None]
            if len(metrics) == 1:
                ax.barh(y, known[0].value * how.factor, height=0.66, color="#9cc3e4")
            elif len(known) > 1:
                values = [r.value * how.factor for r in known]
                ax.hlines(y, min(values), max(values), color=style.FAINT, lw=1.0, zorder=1)
            for row, look in zip(part, looks, strict=True):
                if row is None:
                    continue
                ink = style.INK if len(metrics) == 1 else look.color
                if row.low is not None and row.high is not None:
                    ax.hlines(y, row.low * how.factor, row.high * how.factor, color=ink, lw=1.6, zorder=2)
                if len(metrics) > 1:
                    ax.plot(
                        [row.value * how.factor], [y], color=look.color, marker=look.marker, ls="none", ms=5, zorder=3
                    )
            text = " · ".join(shown(r.value if r else None, how, places) for r in part)
            if key in counts:
                text += f" · {_per_game(counts[key].value)}"
            style.beside(ax, y, text, size=8.5)
        ax.set_ylim(len(lines) - 0.4, -0.6)
        ax.set_xlim(left=0)
        ax.set_yticks(
            range(len(lines)), [style.label(named(result, key), LONG if wide else NAME) for key, _ in lines], fontsize=9
        )
        ax.spines["left"].set_visible(False)
        ax.grid(axis="y", visible=False)
        ax.set_xlabel(style.label(how.axis or metrics[0].title, 50))
        if beside:
            heading = f"{_short(metrics[0], kind)} · {_short(beside, kind)}"
            ax.annotate(
                style.label(heading, 24),
                (1.0, 1.0),
                xycoords="axes fraction",
                xytext=(6, 2),
                textcoords="offset points",
                fontsize=8.5,
                color=style.SOFT,
            )
        heads = [_short(m, kind) for m in metrics] if len(metrics) > 1 else []
        if heads:
            keys = [ax.plot([], [], color=k.color, marker=k.marker, ls="none", ms=5)[0] for k in looks]
            ax.legend(
                keys,
                [style.label(h, 24) for h in heads],
                loc="lower left",
                bbox_to_anchor=(0, 1.0),
                ncols=len(heads),
                frameon=False,
                fontsize=9.5,
                handletextpad=0.1,
                borderpad=0.1,
            )
        style.finish(figure, title, foot(result, rows))
        style.settle(figure)
    return figure


def _per_game(value: float) -> str:
    """A count beside a bar, in three figures."""
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


KIND = Kind("ledger", plan)
