"""Paired differences of a comparison: a dot and its interval for each headline metric and variant, around zero.

Metrics of one unit share an axis, units have a panel each. Marks tell variants apart, or, where a comparison was
repeated with several strategies, the strategies; then each variant has a figure of its own, and at the right stands
what holds for all. A second figure has the share of games that a change touches, and that end with another result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports import changes as ch
from reports import style, themes
from reports.changes import Change, Changes, Variant
from reports.figures.figure import Figure, Kind, Numbers, drawn_how, foot, slug
from reports.result import Metric, Result, Row
from reports.words import Measure, count, digits, interval, listing, number, sentence, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MARKS = 5  # marks on one line
LEGEND = 80  # letters beside each other in the legend of a wide figure
NARROW = 3  # marks up to which half the page is enough
LINES = 36  # lines in one figure


@dataclass(frozen=True)
class Line:
    """One line of a panel: its name, a change for each mark (None: there is none), what is said at the right."""

    name: str
    changes: tuple[Change | None, ...]
    said: str = ""
    margin: float | None = None


@dataclass(frozen=True)
class Panel:
    """The lines of one unit."""

    how: Measure
    lines: tuple[Line, ...]

    @property
    def changes(self) -> list[Change]:
        """All that it draws."""
        return [c for line in self.lines for c in line.changes if c is not None]


def plan(result: Result) -> list[Figure]:
    """One figure for all variants; with many variants or several strategies one each; then how far they reach."""
    found = ch.of(result)
    if found is None:
        return []
    figures = []
    if len(found.strategies) > 1:
        for against in dict.fromkeys(v.against for v in found.variants):
            marks = [k for k, v in enumerate(found.variants) if v.against == against]
            figures.append(_figure(result, found, marks, _named(result, found.variants[marks[0]]), over=True))
    else:
        every = list(range(len(found.variants)))
        parts = [every] if len(every) <= MARKS else [[k] for k in every]
        for marks in parts:
            title = _named(result, found.variants[marks[0]]) if len(marks) == 1 else f"{len(marks)} variants"
            figures.append(_figure(result, found, marks, title, over=False))
    figures.append(_reach(result, found))
    return [f for f in figures if f is not None]


def _named(result: Result, variant: Variant) -> str:
    """`gear = 4 instead of 3`."""
    new, old = variant.told.get("changed"), variant.told.get("base")
    if isinstance(new, dict) and isinstance(old, dict) and len(new) == 1 and old.get(next(iter(new))) is not None:
        return f"{ch.settings(new)} instead of {ch.settings(old).partition(' = ')[2]}"
    return tidy(variant.against, 60)


def metric_of(result: Result, title: str) -> Metric:
    """What the figure is about: its theme puts it first on the page."""
    return Metric("", title, theme=themes.CHANGE)


def _panels(result: Result, found: Changes, marks: Sequence[int], over: bool) -> list[Panel]:
    by_key = [{(c.metric, c.group): c for c in found.of(at) if not c.group2} for at in marks]
    units: dict[tuple[str, float], tuple[Measure, list[Line]]] = {}
    holds = _holds(result, found.variants[marks[0]].against) if over else {}
    total = 0
    for metric, key in ch.drawn(result, found):
        row = tuple(one.get((metric.name, key)) for one in by_key)
        if not any(row) or total >= LINES:
            continue
        how = ch.scale(metric)
        total += 1
        beside = holds.get((metric.name, key), "") if over else said(row[0], how) if len(marks) == 1 else ""
        margin = found.margin if (metric.name, key) == found.on else None
        line = Line(ch.name(result, metric, key), row, beside, margin)
        units.setdefault((how.axis, how.factor), (how, []))[1].append(line)
    return [Panel(how, tuple(lines)) for how, lines in units.values()]


def _holds(result: Result, against: str) -> dict[tuple[str, str], str]:
    told = result.manifest.get("holds")
    entries = [e for e in (told if isinstance(told, list) else ()) if isinstance(e, dict)]
    return {
        (str(e.get("metric")), str(e.get("group") or "")): str(e.get("over_all") or "")
        for e in entries
        if e.get("against") == against
    }


def said(change: Change | None, how: Measure) -> str:
    """A difference with its interval, as it stands at the right of a line; empty where there is none."""
    if change is None:
        return ""
    places = digits([change.row], how.factor)
    ends = interval(change.low, change.high, how, places)
    return number(change.change * how.factor, places, signed=True) + (f"  ({ends})" if ends else "")


def _figure(result: Result, found: Changes, marks: Sequence[int], what: str, *, over: bool) -> Figure | None:
    panels = _panels(result, found, marks, over)
    if not panels:
        return None
    names = [found.variants[k].strategy if over else found.variants[k].against for k in marks]
    title = f"What changes: {what}"
    rows = [c.row for p in panels for c in p.changes]
    # n and methods are those of all; widths are of several units, so none is named
    sizes = sorted({r.n for r in rows if r.n is not None})
    many = (
        f"n\u00a0=\u00a0{count(sizes[0])}"
        + (f" to {count(sizes[-1])}" if len(sizes) > 1 else "")
        + " games of each side"
        if sizes
        else ""
    )
    methods = ", ".join(dict.fromkeys(tidy(r.method, 40) for r in rows if r.method))
    marked = (
        f"One mark for each {'strategy' if over else 'variant'}: {listing([tidy(n, 60) for n in names])}"
        if len(names) > 1
        else ""
    )
    lines = [line for p in panels for line in p.lines if line.margin is not None]
    band = f"Shaded: the margin of --until, for {lines[0].name} only" if lines else ""
    note = "At the right: what it is with all strategies" if over else ""
    spoken = "; ".join(
        f"{line.name}: "
        + ", ".join(
            f"{n + ' ' if len(names) > 1 else ''}{said(c, p.how)}"
            for n, c in zip(names, line.changes, strict=True)
            if c is not None
        )
        + (f" {p.how.axis}" if p.how.axis else "")
        for p in panels
        for line in p.lines[:6]
    )
    bare = (
        f"Bars: intervals of the difference ({methods})"
        if any(r.half is not None for r in rows)
        else "Without intervals"
    )
    return Figure(
        key=slug("changes", *(found.variants[k].against for k in marks[:3])),
        kind="changes",
        title=title,
        metric=metric_of(result, title),
        caption=sentence(
            "Each number of the variant less that of the base, in the same games",
            "The line at 0: no change. Each panel has its own unit",
            marked,
            band,
            note,
            bare,
            many,
        ),
        alt=tidy(f"Dot plot of paired differences. {title}. {spoken}.", 900),
        draw=lambda: draw(panels, names, title, foot(result, rows)),
        numbers=_numbers(panels, names),
        wide=len(names) > NARROW,
    )


def _numbers(panels: Sequence[Panel], names: Sequence[str]) -> Numbers:
    body = []
    for panel in panels:
        for line in panel.lines:
            for name, change in zip(names, line.changes, strict=True):
                if change is None:
                    continue
                places = digits([change.row], panel.how.factor)
                body.append(
                    (
                        line.name,
                        name,
                        number(change.change * panel.how.factor, places, signed=True),
                        interval(change.low, change.high, panel.how, places),
                        panel.how.axis,
                        f"{change.n:,.0f}" if change.n is not None else "",
                    )
                )
    return Numbers(("metric", "variant", "change", "interval", "unit", "n"), tuple(body))


def draw(panels: Sequence[Panel], names: Sequence[str], title: str, note: str) -> Canvas:
    """Panels below each other, as high as they have lines; note: the footnote."""
    looks = style.looks(len(names))
    wide = len(names) > NARROW
    step = 0.31 if len(names) == 1 else 0.17 + 0.13 * len(names)
    heights = [step * len(p.lines) + 0.5 for p in panels]
    with style.house():
        figure, axes = style.canvas(
            len(panels),
            1,
            width=style.WIDE if wide else style.WIDTH,
            height=sum(heights) + 0.25,
            gridspec_kw={"height_ratios": [step * len(p.lines) + 0.1 for p in panels]},
        )
        for ax, panel in zip(axes, panels, strict=True):
            ax.locator_params(axis="x", nbins=4)  # names at the left and numbers at the right leave little room
            _panel(ax, panel, looks)
        if len(names) > 1:
            keys = [axes[0].plot([], [], color=k.color, marker=k.marker, ls="none", ms=5.5)[0] for k in looks]
            legend = [style.label(n, 30) for n in names]
            axes[0].legend(
                keys,
                legend,
                loc="lower left",
                bbox_to_anchor=(0, 1.0),
                ncols=max(1, min(len(names), (LEGEND if wide else LEGEND // 2) // max(map(len, legend)))),
                frameon=False,
                fontsize=9.5,
                handletextpad=0.1,
                columnspacing=1.2,
                borderpad=0.1,
            )
        style.finish(figure, title, note)
        style.settle(figure)
    return figure


def _panel(ax: Axes, panel: Panel, looks: Sequence[style.Look]) -> None:
    factor = panel.how.factor
    for y, line in enumerate(panel.lines):
        if line.margin is not None:
            ax.fill_between(
                [-line.margin * factor, line.margin * factor], y - 0.45, y + 0.45, color="#e3e7ec", lw=0, zorder=0.5
            )
            for end in (-line.margin, line.margin):
                ax.vlines(end * factor, y - 0.45, y + 0.45, color=style.SOFT, lw=0.9, ls=style.FAIR, zorder=0.6)
        for s, (change, look) in enumerate(zip(line.changes, looks, strict=True)):
            if change is None:
                continue
            at = y + (s - (len(looks) - 1) / 2) * 0.66 / max(len(looks), 1)
            if change.low is not None and change.high is not None:
                ax.hlines(at, change.low * factor, change.high * factor, color=look.color, lw=2.2, alpha=0.75)
            ax.plot([change.change * factor], [at], color=look.color, marker=look.marker, ms=5, ls="none", zorder=3)
        if line.said:
            style.beside(ax, y, style.label(line.said, 40))
    ax.axvline(0, color=style.INK, lw=1.1, zorder=1)
    ax.set_ylim(len(panel.lines) - 0.4, -0.6)
    ax.set_yticks(range(len(panel.lines)), [style.label(line.name, 34) for line in panel.lines])
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.06)
    low, high = ax.get_xlim()
    reach = max(abs(low), abs(high))
    if reach == 0:
        ax.set_xlim(-1, 1)
    ax.set_xlabel(style.label(panel.how.axis or "difference", 50))


# --- how far a change reaches -----------------------------------------------------------------------------------------

PARTS = (("touched", "touched: anything in the game differs"), ("flipped", "flipped: another result"))


def _reach(result: Result, found: Changes) -> Figure | None:
    """The share of games touched and flipped, by variant and strategy."""
    reaching = [v for v in found.variants if any(v.part(name) for name, _ in PARTS)]
    if not reaching:
        return None
    drawn = reaching[:LINES]
    lines = [(v.label, tuple(v.part(name) for name, _ in PARTS)) for v in drawn]
    title = "How many games a change reaches"
    told = [f"{v.label}: {ch.reach(v)}" for v in drawn]
    left = len(reaching) - len(drawn)
    rows = [
        Row(0, "", "", "", None, *part, v.games, v.method(name))
        for v in drawn
        for name, _ in PARTS
        if (part := v.part(name)) is not None
    ]
    metric = Metric("", title, unit="share", theme=themes.CHANGE)
    body = tuple((name, *(_share(p) for p in parts)) for name, parts in lines)
    return Figure(
        key="changes-reach",
        kind="changes",
        title=title,
        metric=metric,
        caption=sentence(
            "Touched: something differs from the same game of the base. Flipped: it ends with another result",
            drawn_how(rows, metric, "Bars"),
            f"{left} more are in the table" if left > 0 else "",
        ),
        alt=tidy(f"Dot plot. {title}. {'. '.join(told)}.", 900),
        draw=lambda: _draw_reach(result, lines, title, rows),
        numbers=Numbers(("variant", "touched", "flipped"), body),
    )


def _share(part: Any) -> str:
    if part is None:
        return "–"
    share, low, high = part
    ends = interval(low, high, Measure(100.0, "", "%"), 1)
    return f"{number(100 * share, 1)}\u202f%" + (f" ({ends})" if ends else "")


def _draw_reach(
    result: Result, lines: Sequence[tuple[str, tuple[Any, ...]]], title: str, rows: Sequence[Row]
) -> Canvas:
    looks = style.looks(len(PARTS))
    with style.house():
        figure, (ax,) = style.canvas(height=max(0.36 * len(lines) + 0.95, 1.4))
        for y, (_, parts) in enumerate(lines):
            for s, (part, look) in enumerate(zip(parts, looks, strict=True)):
                if part is None:
                    continue
                at = y + (s - 0.5) * 0.3
                share, low, high = part
                if low is not None and high is not None:
                    ax.hlines(at, 100 * low, 100 * high, color=look.color, lw=2.2, alpha=0.75)
                ax.plot(
                    [100 * share],
                    [at],
                    color=look.color,
                    marker=look.marker,
                    ms=5.5,
                    ls="none",
                    clip_on=False,
                    zorder=3,
                )
            said = " · ".join("–" if p is None else f"{100 * p[0]:.1f} %" for p in parts)
            ax.annotate(
                said,
                (1.0, y),
                xycoords=ax.get_yaxis_transform(),
                xytext=(8, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        ax.set_ylim(len(lines) - 0.4, -0.6)
        ax.set_xlim(0, 100)
        ax.set_yticks(range(len(lines)), [style.label(name, 30) for name, _ in lines])
        ax.spines["left"].set_visible(False)
        ax.set_xlabel("% of games")
        keys = [ax.plot([], [], color=k.color, marker=k.marker, ls="none", ms=5.5)[0] for k in looks]
        ax.legend(
            keys,
            [what for _, what in PARTS],
            loc="lower left",
            bbox_to_anchor=(-0.1, 1.0),
            ncols=1,
            frameon=False,
            fontsize=9,
            handletextpad=0.1,
            borderpad=0.1,
        )
        style.finish(figure, title, foot(result, rows))
        style.settle(figure)
    return figure


KIND = Kind("changes", plan)
