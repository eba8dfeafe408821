"""All lines of a contract: each number's interval against its band, line by line, each line on its own scale.

Where a line asks for several bands (a share of the fair share at each player count) its axis is the band itself. The
number nearest to failing, or farthest out, is drawn strong; a line has a row for each line-up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reports import contract as ct
from reports import style, themes
from reports.contract import Contract, Line, Number
from reports.figures.figure import Figure, Kind, Numbers, foot
from reports.result import Metric, Result
from reports.words import count, measure, plain, sentence, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MOST = 20  # lines in one figure
LOOKS = {  # colours that the colour-blind tell apart, and a mark each
    ct.PASS: style.Look("#0b5fa5", "o", "-"),
    ct.FAIL: style.Look("#c2410c", "X", "-"),
    ct.UNDECIDED: style.Look("#55606e", "D", "-"),
}
BAND = "#dfe9f2"
OF_FAIR = re.compile(r"([\d.]+)\.\.([\d.]+) of fair")


def plan(result: Result) -> list[Figure]:
    """One figure for every MOST lines."""
    found = ct.of(result)
    if found is None:
        return []
    drawn = [line for line in found.lines if any(x.value is not None for x in line.numbers)]
    parts = [drawn[k : k + MOST] for k in range(0, len(drawn), MOST)]
    return [_figure(result, found, part, k, len(parts)) for k, part in enumerate(parts)]


def _figure(result: Result, found: Contract, lines: Sequence[Line], k: int, parts: int) -> Figure:
    title = "All lines of the contract: intervals against bands" + (f" ({k + 1} of {parts})" if parts > 1 else "")
    told = [
        f"{line.verdict}: {line.name}, {ct.value(line.worst)}"
        + (f" ({ct.ends(line.worst)})" if ct.ends(line.worst) else "")
        + (f", band {ct.band(line.worst)}" if ct.band(line.worst) else "")
        for line in lines
        if line.worst is not None
    ]
    numbers = [x for line in lines for x in line.numbers if x.value is not None]
    methods = ", ".join(dict.fromkeys(tidy(x.method, 40) for x in numbers if x.method))
    sizes = sorted({x.n for x in numbers if x.n is not None})
    many = f"n\u00a0=\u00a0{count(sizes[0])}" + (f" to {count(sizes[-1])}" if len(sizes) > 1 else "") if sizes else ""
    together = f"All intervals hold together ({100 * found.level:g} %)" if found.level is not None else ""
    body = tuple(
        (line.name, x.verdict, x.place or "all games", ct.value(x), ct.ends(x), ct.band(x), count(x.n))
        for line in lines
        for x in line.numbers
    )
    return Figure(
        key="contract" if not k else f"contract-{k + 1}",
        kind="contract",
        title=title,
        metric=Metric("", title, theme=themes.CONTRACT),
        caption=sentence(
            "Shaded: the band that each line promises; a line on its own scale",
            "Strong: the number that is farthest out or nearest to the edge; pale: all others of the line",
            "Circle: PASS; cross: FAIL; diamond: UNDECIDED",
            f"Bars: intervals ({methods})" if methods else "Without intervals",
            together,
            many,
        ),
        alt=tidy(f"Dot plot. {title}. {'; '.join(told)}.", 900),
        draw=lambda: draw(result, lines, title),
        numbers=ct_numbers(body),
        wide=True,
    )


def ct_numbers(body: tuple[tuple[str, ...], ...]) -> Numbers | None:
    """The numbers as a table, where they are few enough to be listed twice on a page."""
    head = ("line", "verdict", "where", "value", "interval", "band", "n")
    return Numbers(head, body) if len(body) <= 240 else None


def rows_of(line: Line) -> list[tuple[str, list[Number]]]:
    """The numbers of a line by line-up; one row where there is one."""
    known = [x for x in line.numbers if x.value is not None]
    names = list(dict.fromkeys(x.strategies for x in known))
    return [(name if len(names) > 1 else "", [x for x in known if x.strategies == name]) for name in names]


def same_band(line: Line) -> bool:
    """Whether all numbers of a line have one band."""
    return len({(x.least, x.most) for x in line.numbers}) < 2


def scaled(line: Line, found: Number) -> Number:
    """A number in the line's own unit; with several bands as a place in its band: -1 and 1 are the ends."""
    if same_band(line):
        factor = measure(found.metric).factor
        middle, half = 0.0, 1 / factor
    elif found.least is not None and found.most is not None:
        middle, half = (found.least + found.most) / 2, (found.most - found.least) / 2 or 1.0
    else:
        end = found.most if found.least is None else found.least
        middle, half = 0.0, abs(end or 1.0) or 1.0

    def at(x: float | None) -> float | None:
        return None if x is None else (x - middle) / half

    return replace(
        found, value=at(found.value), low=at(found.low), high=at(found.high), least=at(found.least), most=at(found.most)
    )


def draw(result: Result, lines: Sequence[Line], title: str) -> Canvas:
    """A strip a line: verdict and name at the left, wanted and worst at the right."""
    rows = [rows_of(line) for line in lines]
    heights = [0.24 * len(r) + 0.46 for r in rows]
    with style.house():
        figure, axes = style.canvas(
            len(lines),
            1,
            width=style.WIDE,
            height=sum(heights) + 0.2,
            gridspec_kw={"height_ratios": [0.24 * len(r) + 0.1 for r in rows]},
        )
        for ax, line, parts in zip(axes, lines, rows, strict=True):
            _strip(ax, line, parts)
        drawn = [x.row for line in lines for x in line.numbers if x.value is not None]
        style.finish(figure, title, foot(result, drawn))
        style.settle(figure)
    return figure


def _strip(ax: Axes, line: Line, parts: Sequence[tuple[str, list[Number]]]) -> None:
    look = LOOKS[line.verdict]
    shown = [scaled(line, x) for _, numbers in parts for x in numbers]
    stretch = ct.span(shown) or (0.0, 1.0)
    ax.set_xlim(*stretch)
    least, most = shown[0].least, shown[0].most
    ax.axvspan(stretch[0] if least is None else least, stretch[1] if most is None else most, color=BAND, lw=0, zorder=0)
    for end in (least, most):
        if end is not None:
            ax.axvline(end, color=style.SOFT, lw=1.1, ls=style.FAIR, zorder=0.5)
    for y, (_, numbers) in enumerate(parts):
        strong = _strong(line, numbers)
        for found in sorted(numbers, key=lambda x: x is strong):
            mine, at = LOOKS[found.verdict], scaled(line, found)
            low, high = (stretch[0] if at.low is None else at.low), (stretch[1] if at.high is None else at.high)
            pale = found is not strong
            if found.low is not None or found.high is not None:
                ax.hlines(
                    y,
                    low,
                    high,
                    color=mine.color,
                    lw=4.5 if pale else 2.0,
                    alpha=0.22 if pale else 1.0,
                    zorder=2 if pale else 3,
                )
            ax.plot(
                [at.value or 0.0],
                [y],
                color=mine.color,
                marker=mine.marker,
                ms=3 if pale else 6,
                ls="none",
                alpha=0.4 if pale else 1.0,
                zorder=2.5 if pale else 4,
                clip_on=False,
            )
    ax.set_ylim(len(parts) - 0.45, -0.55)
    ax.set_yticks(range(len(parts)), [style.label(name, 20) for name, _ in parts], fontsize=8.5)
    ax.grid(visible=False)
    ax.spines["left"].set_visible(False)
    ticks = sorted({x for x in (least, most) if x is not None})
    named = OF_FAIR.fullmatch(line.wants)
    if same_band(line):
        how = measure(line.numbers[0].metric)
        names = [ct.exact(x) + (how.suffix or (f" {how.axis}" if how.axis else "")) for x in ticks]
    elif named and len(ticks) == 2:
        names = [f"{end} of fair" for end in named.groups()]
    else:
        names = ["lower end", "upper end"] if len(ticks) == 2 else ["end of the band"]
    ax.set_xticks(ticks, [style.label(name, 24) for name in names[: len(ticks)]], fontsize=8.5)
    if len(ticks) == 2 and ticks[1] - ticks[0] < 0.2 * (stretch[1] - stretch[0]):  # side by side, not on each other
        for name, side in zip(ax.get_xticklabels(), ("right", "left"), strict=True):
            name.set(horizontalalignment=side)
    ax.annotate(
        style.label(f"{ct.MARKS[line.verdict]} {line.verdict}  {line.name}", 64),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 4),
        textcoords="offset points",
        fontsize=9.5,
        fontweight="bold",
        color=look.color,
        va="bottom",
    )
    if line.worst is not None:
        said = ct.value(line.worst) + (f" ({ct.ends(line.worst)})" if ct.ends(line.worst) else "")
        where = f"{said}, {plain(line.worst.place, 40)}" if line.worst.place else said
        ax.annotate(
            style.label(where, 74),
            (1, 1),
            xycoords="axes fraction",
            xytext=(0, 4),
            textcoords="offset points",
            fontsize=8.5,
            color=style.SOFT,
            ha="right",
            va="bottom",
        )


def _strong(line: Line, numbers: Sequence[Number]) -> Number | None:
    """The worst number of the line where it is of this row, else the gravest of the row that lies nearest to an end."""
    for found in numbers:
        if found == line.worst:
            return found

    def out(found: Number) -> tuple[int, float]:
        at = scaled(line, found)
        value = at.value or 0.0
        gaps = [value - at.least if at.least is not None else None, at.most - value if at.most is not None else None]
        return ct.VERDICTS.index(found.verdict), min(g for g in (*gaps, 1e9) if g is not None)

    return min(numbers, key=out) if numbers else None


KIND = Kind("contract", plan)
