"""Line plots over what was varied: one line a value of a second factor or a group, a band for each interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports import style
from reports.figures.figure import (
    FAIR,
    Figure,
    Kind,
    axis_name,
    beyond_fair,
    differ,
    drawn_how,
    foot,
    panel_names,
    slug,
    table,
)
from reports.result import Metric, Result, Row, name_of
from reports.view import LINES, Lookup, View, choose
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
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

GROUPS = ("seat", "order", "strategy")  # kinds of group that are few enough for lines


@dataclass(frozen=True)
class Line:
    """One line: its name, its look, its rows along the axis."""

    name: str
    look: style.Look
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Panel:
    """One panel: its heading, its lines, the fair share by x, and the rows of the spread of games (low, high)."""

    name: str
    lines: tuple[Line, ...]
    fair: tuple[tuple[Any, float], ...] = ()
    spread: tuple[tuple[Row, Row], ...] = ()


def plan(result: Result) -> list[Figure]:
    """For a sweep over numbers: each headline metric, whole, by quantile and by group."""
    if result.single or result.scattered:
        return []
    view = choose(result)
    if view is None or not view.x.numeric:
        return []
    figures = []
    for metric in result.headline:
        kinds = result.kinds[metric.name]
        if "quantile" in kinds:
            figures.append(_with_quantiles(result, metric))
        elif "" in kinds:
            figures.append(_whole(result, view, metric))
        shown_kinds = [kind for kind in GROUPS if kind != "seat" or not result.alike]
        figures += [_by_group(result, metric, kind) for kind in shown_kinds if 1 < kinds.get(kind, 0) <= LINES]
    return [f for f in figures if f is not None]


def _whole(result: Result, view: View, metric: Metric) -> Figure | None:
    """One number a cell: lines are the levels of the second factor, panels those of the third."""
    rows = result.grouped(metric.name, "")
    lookup = Lookup(result, view, rows)
    looks = style.looks(len(view.lines), ordered=view.series is not None and view.series.numeric)
    panels = []
    for box, heading in zip(view.boxes, panel_names(view.panels, view.boxes)[1], strict=True):
        lines = []
        for value, look in zip(view.lines, looks, strict=True):
            found = [lookup.get(x, value, box, view=view) for x in view.xs]
            name = level(value) if view.series is not None else ""
            lines.append(Line(name, look, tuple(r for r in found if r is not None)))
        panels.append(Panel(heading, tuple(line for line in lines if line.rows)))
    what = f"One line for each value of {factor_name(view.series.name)}" if view.series is not None else ""
    return _figure(result, view, metric, panels, what, key=slug(metric.name, "over", view.x.name))


def _by_group(result: Result, metric: Metric, kind: str) -> Figure | None:
    """A line a group, and panels for the second factor."""
    view = choose(result, series=False)
    if view is None:
        return None
    rows = result.grouped(metric.name, kind)
    named = slug(metric.name, "by", kind, "over", view.x.name)
    if metric.name == FAIR and view.x.name == "players":
        metric, rows = beyond_fair(result, metric, rows)
    lookup = Lookup(result, view, rows)
    keys = sorted({r.group for r in rows}, key=order_key)
    looks = style.looks(len(keys))
    panels = []
    for box, heading in zip(view.boxes, panel_names(view.panels, view.boxes)[1], strict=True):
        lines = []
        for key, look in zip(keys, looks, strict=True):
            found = [lookup.get(x, None, box, view=view, group=key) for x in view.xs]
            name = group(result, key).removesuffix(" to play")
            name = name.partition(" (")[0] if kind == "seat" and view.panels is not None else name
            lines.append(Line(name, look, tuple(r for r in found if r is not None)))
        drawn = tuple(line for line in lines if line.rows)
        panels.append(Panel(heading, drawn, _fair(result, view, metric, drawn)))
    what = f"One line for each {group_kind(kind)}"
    if any(p.fair for p in panels):
        cells = {r.cell for p in panels if p.fair for line in p.lines for r in line.rows}
        broken = any((n := result.contestants(c)) and abs((result.fair(c) or 0) * n - 1) > 1e-9 for c in cells)
        what += "; dotted: a fair share, 1 / players"
        what += " and the automaton" if any(result.contestants(c) != result.players(c) for c in cells) else ""
        what += " (less where games were broken off: nobody wins those)" if broken else ""
        what += "; panels share one scale, each around its fair share" if len(panels) > 1 else ""
    title = f"{metric.title} by {group_kind(kind)}"
    return _figure(result, view, metric, panels, what, title=title, key=named)


def _with_quantiles(result: Result, metric: Metric) -> Figure | None:
    """Mean and median as lines; the range between the outer quantiles as the spread of single games."""
    view = choose(result, series=False)
    if view is None:
        return None
    rows = [*result.grouped(metric.name, ""), *result.grouped(metric.name, "quantile")]
    lookup = Lookup(result, view, rows)
    keys = sorted({r.group for r in rows if r.group}, key=order_key)
    middle = [k for k in keys if name_of(k) in {"0.5", ".5", "0.50"}]
    outer = (keys[0], keys[-1]) if len(keys) > 1 else None
    looks = style.looks(2)
    panels = []
    for box, heading in zip(view.boxes, panel_names(view.panels, view.boxes)[1], strict=True):
        lines = []
        for key, name, look in (("", "mean", looks[0]), *((k, "median", looks[1]) for k in middle)):
            found = [lookup.get(x, None, box, view=view, group=key) for x in view.xs]
            lines.append(Line(name, look, tuple(r for r in found if r is not None)))
        spread = []
        if outer:
            for x in view.xs:
                ends = [lookup.get(x, None, box, view=view, group=key) for key in outer]
                if ends[0] is not None and ends[1] is not None:
                    spread.append((ends[0], ends[1]))
        panels.append(Panel(heading, tuple(line for line in lines if line.rows), spread=tuple(spread)))
    what = "Lines: mean and median" if middle else "Line: mean"
    if outer:
        shares = [f"{float(name_of(k)) * 100:g}" for k in outer]
        what += f". Grey: where single games lie, from the {shares[0]} % to the {shares[1]} % quantile"
    return _figure(result, view, metric, panels, what, key=slug(metric.name, "over", view.x.name))


def _fair(result: Result, view: View, metric: Metric, lines: Sequence[Line]) -> tuple[tuple[Any, float], ...]:
    if metric.name != FAIR or measure(metric).signed or not lines:
        return ()
    places: dict[Any, float] = {}
    for line in lines:
        for row in line.rows:
            fair = result.fair(row.cell)
            if fair is not None:
                places[result.parameters[row.cell].get(view.x.name)] = fair
    return tuple(sorted(places.items()))


def _figure(
    result: Result, view: View, metric: Metric, panels: Sequence[Panel], what: str, *, key: str, title: str = ""
) -> Figure | None:
    panels = [p for p in panels if p.lines]
    if not panels or not any(len(line.rows) > 1 for p in panels for line in p.lines):
        return None
    rows = [r for p in panels for line in p.lines for r in line.rows]
    if not differ(rows):
        return None
    everything = rows + [r for p in panels for pair in p.spread for r in pair]
    full = f"{title or metric.title} over {factor_name(view.x.name)}"
    each = f"One panel for each value of {factor_name(view.panels.name)}" if view.panels is not None else ""
    caption = sentence(metric.meaning, what, each, drawn_how(rows, metric, "Bands"), view.note())
    return Figure(
        key=key,
        kind="lines",
        title=full,
        metric=metric,
        caption=caption,
        alt=_alt(result, view, metric, panels, full),
        draw=lambda: draw(result, view, metric, panels, full, wide=len(panels) > 4),
        numbers=table(result, everything, metric, digits(rows, measure(metric).factor)),
        wide=len(panels) > 4,
        narrow=(lambda: draw(result, view, metric, panels, full, wide=False)) if len(panels) > 4 else None,
    )


def _alt(result: Result, view: View, metric: Metric, panels: Sequence[Panel], title: str) -> str:
    """Each line from its first to its last point; of many panels the first four."""
    how = measure(metric)
    parts = []
    for panel in panels[:4]:
        for line in panel.lines:
            first, last = line.rows[0], line.rows[-1]
            places = digits(line.rows, how.factor)
            name = " ".join(filter(None, (f"{panel.name}," if panel.name else "", line.name or metric.title)))
            ends = [level(result.parameters[r.cell].get(view.x.name)) for r in (first, last)]
            parts.append(
                f"{name}: {shown(first.value, how, places)} at {ends[0]}, {shown(last.value, how, places)} at {ends[1]}"
            )
    more = f"; and {len(panels) - 4} more panels" if len(panels) > 4 else ""
    return tidy(f"Line plot. {title}. " + "; ".join(parts) + more + ".", 900)


def draw(
    result: Result, view: View, metric: Metric, panels: Sequence[Panel], title: str, *, wide: bool = False
) -> Canvas:
    """The line plot: one panel, or small multiples on one scale, two beside each other (wide: three)."""
    columns = 1 if len(panels) == 1 else (3 if wide else 2)
    rows = -(-len(panels) // columns)
    over = panel_names(view.panels, view.boxes)[0]
    with style.house():
        figure, axes = style.canvas(
            rows,
            columns,
            width=style.WIDE if wide else style.WIDTH,
            height=3.3 if len(panels) == 1 else 2.35 * rows + (0.2 if over else 0),
            sharex=True,
            sharey=not any(p.fair for p in panels),
        )
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        for place, (ax, panel) in enumerate(zip(axes, panels, strict=False)):
            _panel(ax, result, view, metric, panel)
            if panel.name:
                ax.set_title(style.label(panel.name, 26))
            if place + columns >= len(panels):
                ax.tick_params(labelbottom=True)
                ax.set_xlabel(axis_name(view.x))
            if place % columns == 0:
                ax.set_ylabel(style.label(axis(metric), 40) if len(panels) == 1 else style.wrapped(axis(metric), 20))
        if over:
            style.heading(axes[0], over)
        if any(p.fair for p in panels):
            _around_fair(axes, panels)
        else:
            _roomy(axes[0], measure(metric).factor)
        for ax, panel in zip(axes if any(p.fair for p in panels) else axes[:1], panels, strict=False):
            _bound(ax, metric, [panel] if any(p.fair for p in panels) else panels)
        drawn = [r for p in panels for line in p.lines for r in line.rows]
        style.finish(figure, title, foot(result, drawn, view.held))
        style.lay_out(figure)
        for place, (ax, panel) in enumerate(zip(axes, panels, strict=False)):
            _names(ax, result, view, metric, panel, first=place == 0)
        style.settle(figure)
    return figure


def at(result: Result, view: View, row: Row) -> float:
    """Where a number stands on the axis."""
    return float(result.parameters[row.cell][view.x.name])


def _panel(ax: Axes, result: Result, view: View, metric: Metric, panel: Panel) -> None:
    factor = measure(metric).factor
    if panel.spread:
        xs = [at(result, view, low) for low, _ in panel.spread]
        bottom, top = ([r.value * factor for r in side] for side in zip(*panel.spread, strict=True))
        ax.fill_between(xs, bottom, top, color="#eceff3", lw=0, zorder=0.5)
        for ends in (bottom, top):
            ax.plot(xs, ends, color=style.FAINT, lw=0.8, zorder=0.6)
    if measure(metric).signed:
        ax.axhline(0, color=style.FAINT, lw=1.0, zorder=1)
    if panel.fair:
        ax.plot(
            *zip(*((x, y * factor) for x, y in panel.fair), strict=True),
            color=style.SOFT,
            lw=1.1,
            ls=style.FAIR,
            zorder=1.5,
        )
    for line in panel.lines:
        xs = [at(result, view, r) for r in line.rows if r.ends]
        low, high = ([r.ends[end] * factor for r in line.rows if r.ends] for end in (0, 1))
        ax.fill_between(
            xs, low, high, color=line.look.color, alpha=0.18 if len(panel.lines) < 5 else 0.12, lw=0, zorder=2
        )
        if len(xs) <= 15:
            ax.vlines(xs, low, high, color=line.look.color, lw=1.0, zorder=2.5)
        ax.plot(
            [at(result, view, r) for r in line.rows],
            [r.value * factor for r in line.rows],
            color=line.look.color,
            marker=line.look.marker,
            ls=line.look.dash,
            ms=4.2 if len(line.rows) <= 15 else 2.6,
            lw=1.6,
            markevery=max(len(line.rows) // 14, 1) if len(line.rows) > 30 else 1,
            zorder=3,
            clip_on=False,
        )
    ax.grid(axis="x", visible=False)
    if len(view.xs) <= 12:
        ax.set_xticks(list(view.xs), [style.label(level(x), 10) for x in view.xs])


def _names(ax: Axes, result: Result, view: View, metric: Metric, panel: Panel, *, first: bool) -> None:
    """Direct labels at the right end of each line, of the fair share (in the first panel), and of the spread."""
    factor = measure(metric).factor
    ends = [
        (at(result, view, line.rows[-1]), line.rows[-1].value * factor, style.label(line.name, 22), line.look)
        for line in panel.lines
        if line.name
    ]
    quiet = style.Look(style.SOFT, "", "-")
    if panel.fair and first:
        ends.append((panel.fair[-1][0], panel.fair[-1][1] * factor, "fair share", quiet))
    if panel.spread:
        for row in panel.spread[-1]:
            share = f"{float(name_of(row.group)) * 100:g} %"
            ends.append((at(result, view, row), row.value * factor, share, quiet))
    if ends:
        style.end_labels(ax, ends)
    if view.series is not None and panel.lines and panel.lines[0].name:
        ax.annotate(
            style.label(factor_name(view.series.name), 22),
            (1.03, 1.0),
            xycoords="axes fraction",
            xytext=(0, 7),
            textcoords="offset points",
            fontsize=9,
            color=style.SOFT,
        )


def _roomy(ax: Axes, factor: float) -> None:
    """Keeps a flat line flat: a percent axis spans two points at least, so that noise does not look like a trend."""
    low, high = ax.get_ylim()
    least = 2.0 if factor == 100 else 0.02 * max(abs(low), abs(high))
    if high - low < least:
        middle = (high + low) / 2
        ax.set_ylim(middle - least / 2, middle + least / 2)


def _bound(ax: Axes, metric: Metric, panels: Sequence[Panel]) -> None:
    """No axis below 0 where nothing drawn is below 0, none above 100 %."""
    how = measure(metric)
    rows = [r for p in panels for line in p.lines for r in line.rows]
    rows += [r for p in panels for pair in p.spread for r in pair]
    ends = [v * how.factor for r in rows for v in (r.value, *(r.ends or ()))]
    if ends and not how.signed:
        ax.set_ylim(style.bounded(*ax.get_ylim(), min(ends), max(ends), percent=how.factor == 100))


def _around_fair(axes: Sequence[Axes], panels: Sequence[Panel]) -> None:
    """One scale for all panels, each around its own fair share: what counts is the distance from it."""
    middles, reach = [], 1.0
    for ax, panel in zip(axes, panels, strict=False):
        fair = [y * 100 for _, y in panel.fair]
        middle = (min(fair) + max(fair)) / 2 if fair else sum(ax.get_ylim()) / 2
        middles.append(middle)
        reach = max(reach, *(abs(end - middle) for end in ax.get_ylim()))
    for ax, middle in zip(axes, middles, strict=False):
        ax.set_ylim(middle - reach, middle + reach)


KIND = Kind("lines", plan)
