"""What is open for how long: survival curves, and the chance to win by the round that is reached.

One configuration: all survival curves over one clock (turns, rounds) in one panel, all chances by round in another. A
sweep: one line for each value of its first factor, the rest held still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from reports import style, themes
from reports.figures.figure import Figure, Kind, Numbers, drawn_how, foot, slug
from reports.result import Factor, Metric, Result, Row, level_key, name_of
from reports.view import LINES, choose, still, thin
from reports.words import axis, count, digits, factor_name, interval, level, measure, sentence, shown, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

SURVIVED = "_survival"
ROUND = "round"  # the kind of group that is a clock
LEADER = "leader_share"  # the curve that a fair share is drawn beside
CLOCKS = ("turns", "rounds")  # survival curves of one clock share a figure
LEGEND = 50  # letters of a line of the legend that fit
FEWEST = 4  # points of a line
RARE, FEW = 0.02, 30  # points with a smaller part of the games, or fewer games, are left out
MOST = 60  # lines of the table of a figure


@dataclass(frozen=True)
class Line:
    """One curve: its name, its points by place on the clock, and the fair share that it is held against."""

    name: str
    points: tuple[tuple[float, Row], ...]
    fair: float | None = None


def plan(result: Result) -> list[Figure]:
    """Survival curves by clock, then chances by round."""
    return [f for f in (*_survival(result), *_by_round(result)) if f is not None]


def clock_of(result: Result, name: str) -> str:
    """`turns` or `rounds`: what a survival curve is over."""
    base = result.metrics.get(name.removesuffix(SURVIVED))
    unit = base.unit.rstrip("s") + "s" if base is not None and base.unit else ""
    return unit if unit in CLOCKS else CLOCKS[0]


def _survival(result: Result) -> list[Figure | None]:
    names = [n for n in result.metrics if n.endswith(SURVIVED)]
    figures: list[Figure | None] = []
    for clock in CLOCKS:
        mine = [n for n in names if clock_of(result, n) == clock]
        if mine in ([], [f"{clock}{SURVIVED}"]):  # how long games last is drawn as bars
            continue
        if result.single:
            lines = [Line(_short(result.metrics[n]), _points(result.rows(n))) for n in mine]
            title = f"What is open after so many {clock}"
            metric = replace(result.metrics[mine[0]], title=title, theme=themes.SHAPE, meaning="")
            figures.append(_figure(result, metric, lines, title, clock, slug("survival", clock), stepped=True))
            continue
        for name in mine:
            if name.removesuffix(SURVIVED) == clock:  # how long games last has curves of its own
                continue
            metric = replace(result.metrics[name], theme=themes.SHAPE)
            title = _short(metric)
            figures.append(_over_factor(result, metric, title[:1].upper() + title[1:], clock, stepped=True))
    return figures


def _short(metric: Metric) -> str:
    """`games that are still on after so many turns` -> `games that are still on`."""
    return (metric.meaning or metric.title).partition(" after so many")[0]


def _points(rows: Sequence[Row]) -> tuple[tuple[float, Row], ...]:
    found = sorted(((r.x, r) for r in rows if r.x is not None and not r.group), key=lambda p: p[0])
    last = next((k for k, (_, r) in enumerate(found) if r.value <= 0.002), len(found) - 1)
    return tuple(found[: last + 1])


def by_round(result: Result) -> list[Metric]:
    """The shares whose rounds are one figure together: four at most, chances to win first."""
    shares = [m for m in result.metrics.values() if measure(m).factor == 100]
    found = [m for m in shares if result.kinds[m.name].get(ROUND, 0) >= FEWEST]
    return sorted(found, key=lambda m: not m.name.startswith("win"))[:4]


def _by_round(result: Result) -> list[Figure | None]:
    """Shares by round: the chance to win, by the round that a game reaches."""
    found = by_round(result)
    if not found:
        return []
    if result.single:
        parts = [(m, result.grouped(m.name, ROUND)) for m in found]
        lines = [Line(_said(m), _rounds(rows), _fair(result, m, rows)) for m, rows in parts]
        title = "Over the rounds of a game"
        metric = replace(found[0], title="share", unit="share", theme=themes.SHAPE, meaning="")
        note = "Each round is told of the games that begin it"
        return [_figure(result, metric, lines, title, "round", slug("over-the-rounds"), note=note)]
    return [
        _over_factor(result, replace(m, theme=themes.SHAPE), f"{m.title} over the rounds", "round") for m in found[:2]
    ]


def _fair(result: Result, metric: Metric, rows: Sequence[Row]) -> float | None:
    """What each at the table wins if all are alike, the automaton counted; None for what is not held against it."""
    contestants = result.contestants(rows[0].cell) if rows and metric.name == LEADER else None
    return 1 / contestants if contestants else None


def _said(metric: Metric) -> str:
    return metric.meaning if 0 < len(metric.meaning) <= LEGEND else metric.title


def _rounds(rows: Sequence[Row]) -> tuple[tuple[float, Row], ...]:
    most = max((r.n or 0.0 for r in rows), default=0.0)
    found = []
    for row in rows:
        name = name_of(row.group)
        if name.isdigit() and (row.n or 0.0) >= max(RARE * most, FEW):
            found.append((float(name), row))
    return tuple(sorted(found, key=lambda p: p[0]))


def _over_factor(result: Result, metric: Metric, title: str, clock: str, *, stepped: bool = False) -> Figure | None:
    """A line for each value of the first factor, the others held still."""
    view = choose(result, series=False, panels=False)
    if view is None or result.scattered:
        return None
    held = [(f, still(result, f)) for f in result.factors if f is not view.x and len(result.levels(f)) > 1]
    values = thin(view.xs, LINES, 5)
    cells: dict[str, list[int]] = {}
    for cell, place in result.parameters.items():
        if all(level_key(place.get(f.name)) == level_key(v) for f, v in held) and view.x.name in place:
            cells.setdefault(level_key(place[view.x.name]), []).append(cell)
    wanted = [c for v in values for c in cells.get(level_key(v), [])[:1]]
    by_cell: dict[int, list[Row]] = {c: [] for c in wanted}
    names = ("cell", "metric", "group", "group2", "x", "value", "low", "high", "n", "method")
    part = result.frame.filter((pl.col("metric") == metric.name) & pl.col("cell").is_in(wanted)).select(names)
    for row in part.iter_rows():
        by_cell[row[0]].append(Row(*row))
    lines = []
    for value in values:
        for cell in cells.get(level_key(value), [])[:1]:
            rows = by_cell[cell]
            points = _points(rows) if stepped else _rounds([r for r in rows if r.group and not r.group2])
            lines.append(Line(level(value), points, _fair(result, metric, rows)))
    few = (
        f"{len(values)} of {len(view.xs)} values of {factor_name(view.x.name)} are drawn"
        if len(values) < len(view.xs)
        else ""
    )
    kept = ", ".join(f"{factor_name(f.name)} = {level(v)}" for f, v in held)
    note = sentence(
        f"One line for each value of {factor_name(view.x.name)}", few, f"Held still: {kept}" if kept else ""
    )
    key = slug(metric.name, "curves", view.x.name)
    full = f"{title}, by {factor_name(view.x.name)}"
    return _figure(result, metric, lines, full, clock, key, stepped=stepped, note=note, of=view.x, held=held)


def _figure(
    result: Result,
    metric: Metric,
    lines: Sequence[Line],
    title: str,
    clock: str,
    key: str,
    *,
    stepped: bool = False,
    note: str = "",
    of: Factor | None = None,
    held: Sequence[tuple[Factor, Any]] = (),
) -> Figure | None:
    lines = [line for line in lines if len(line.points) >= FEWEST]
    if not lines:
        return None
    rows = [r for line in lines for _, r in line.points]
    how, places = measure(metric), digits(rows, measure(metric).factor)
    told = []
    for line in lines:
        middle = next((x for x, r in line.points if r.value <= 0.5), None) if stepped else None
        half = f", half or less from {clock} {middle:g}" if middle is not None else ""
        ends = [f"{shown(r.value, how, places)} at {x:g}" for x, r in (line.points[0], line.points[-1])]
        told.append(f"{line.name}: {ends[0]}, {ends[1]}{half}")
    fairs = sorted({line.fair for line in lines if line.fair})
    fair = f"Dotted: a fair share{f', 1 / {1 / fairs[0]:g}' if len(fairs) == 1 else ' of each line'}" if fairs else ""
    rare = "" if stepped else f"Rounds that fewer than {100 * RARE:g} % of the games (or {FEW}) reach are left out"
    return Figure(
        key=key,
        kind="curves",
        title=title,
        metric=metric,
        caption=sentence(
            metric.meaning, "Percent of games" if stepped else "", note, fair, rare, drawn_how(rows, metric, "Bands")
        ),
        alt=tidy(f"Line plot. {title}. {'; '.join(told)}.", 900),
        draw=lambda: draw(result, metric, lines, title, clock, stepped=stepped, of=of, held=held),
        numbers=_numbers(metric, lines, clock, places),
    )


def _numbers(metric: Metric, lines: Sequence[Line], clock: str, places: int) -> Numbers:
    """A line for each place on the clock, a column for each curve; of many places evenly spread ones."""
    how = measure(metric)
    found = [dict(line.points) for line in lines]
    xs = sorted({x for part in found for x in part})
    step = -(-len(xs) // MOST)
    body = []
    for x in xs[::step]:
        cells = []
        for part in found:
            row = part.get(x)
            ends = "" if row is None else interval(row.low, row.high, how, places)
            cells.append("" if row is None else shown(row.value, how, places) + (f" ({ends})" if ends else ""))
        body.append((f"{x:g}", *cells))
    n = [f" (n\u00a0=\u00a0{count(line.points[0][1].n)})" for line in lines]
    return Numbers((clock, *(line.name + size for line, size in zip(lines, n, strict=True))), tuple(body))


def draw(
    result: Result,
    metric: Metric,
    lines: Sequence[Line],
    title: str,
    clock: str,
    *,
    stepped: bool,
    of: Factor | None = None,
    held: Sequence[tuple[Factor, Any]] = (),
) -> Canvas:
    """Curves from 0 to 100 %, named at their ends, or above where the names are long."""
    factor = measure(metric).factor
    looks = style.looks(len(lines), ordered=of is not None and of.numeric)
    with style.house():
        long = max(len(line.name) for line in lines) > 18
        figure, (ax,) = style.canvas(height=3.3 + (0.2 * len(lines) if long else 0))
        for line, look in zip(lines, looks, strict=True):
            _curve(ax, line, look, factor, stepped)
        ax.set_ylim(0, 100)
        ax.set_xlim(left=0 if stepped else min(line.points[0][0] for line in lines))
        rounds = sorted({x for line in lines for x, _ in line.points})
        if not stepped and len(rounds) <= 12:
            ax.set_xticks(rounds)
        fairs = _fairs(lines, looks)
        for fair, look in fairs:
            ax.axhline(fair * factor, color=look.color, lw=1.2 if len(fairs) == 1 else 0.9, ls=style.FAIR, zorder=1.5)
        ax.set_xlabel(clock)
        ax.set_ylabel("% of games" if stepped else style.label(axis(metric), 40))
        if long:
            keys = [ax.plot([], [], color=k.color, ls=k.dash, lw=2)[0] for k in looks]
            ax.legend(
                keys,
                [style.label(line.name, 70) for line in lines],
                loc="lower left",
                bbox_to_anchor=(-0.08, 1.0),
                ncols=1,
                frameon=False,
                fontsize=9,
                borderpad=0.1,
            )
        rows = [r for line in lines for _, r in line.points]
        style.finish(figure, title, foot(result, rows, held))
        style.lay_out(figure)
        ends = []
        if not long and len(lines) > 1:
            ends = [
                (line.points[-1][0], line.points[-1][1].value * factor, style.label(line.name, 18), look)
                for line, look in zip(lines, looks, strict=True)
            ]
            if stepped:  # they all end at 0: named where they are half
                _half_names(ax, lines, looks, factor)
        if len(fairs) == 1:
            ends.append((ax.get_xlim()[1], fairs[0][0] * factor, "fair share", fairs[0][1]))
        if ends and not stepped:
            style.end_labels(ax, ends)
        style.settle(figure)
    return figure


def _fairs(lines: Sequence[Line], looks: Sequence[style.Look]) -> list[tuple[float, style.Look]]:
    """The fair shares to draw: one for all lines in grey, or each in the colour of its line."""
    found = [(line.fair, look) for line, look in zip(lines, looks, strict=True) if line.fair is not None]
    if len({fair for fair, _ in found}) == 1:
        return [(found[0][0], style.Look(style.SOFT, "", "-"))]
    return found


def _curve(ax: Axes, line: Line, look: style.Look, factor: float, stepped: bool) -> None:
    xs = [x for x, _ in line.points]
    barred = [(x, r.ends) for x, r in line.points if r.ends]
    low, high = ([e[side] * factor for _, e in barred] for side in (0, 1))
    step: Any = "post" if stepped else None
    ax.fill_between([x for x, _ in barred], low, high, color=look.color, alpha=0.2, lw=0, step=step, zorder=2)
    values = [r.value * factor for _, r in line.points]
    if stepped:
        ax.step(xs, values, where="post", color=look.color, ls=look.dash, lw=1.7, zorder=3)
    else:
        ax.plot(xs, values, color=look.color, ls=look.dash, marker=look.marker, ms=3.5, lw=1.5, zorder=3)


def _half_names(ax: Axes, lines: Sequence[Line], looks: Sequence[style.Look], factor: float) -> None:
    """Names beside the curves, each at another height, so that they do not meet."""
    for k, (line, look) in enumerate(zip(lines, looks, strict=True)):
        height = 0.82 - 0.64 * k / max(len(lines) - 1, 1)
        x, row = next(((x, r) for x, r in line.points if r.value <= height), line.points[-1])
        ax.annotate(
            style.label(line.name, 18),
            (x, height * 100 if row.value <= height else row.value * factor),
            xytext=(4, 2),
            textcoords="offset points",
            fontsize=9.5,
            color=look.color,
            fontweight="bold",
            zorder=4,
        )


KIND = Kind("curves", plan)
