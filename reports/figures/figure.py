"""What a figure is before it is drawn: its title, what it shows in words, its numbers, and how to draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reports import style
from reports.result import Factor, Metric, Result, Row
from reports.words import (
    capital,
    counts,
    factor_name,
    group,
    interval,
    level,
    measure,
    methods,
    sentence,
    setting_in,
    shown,
    tidy,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


FAIR = "win_share"  # the metric that has a fair share


@dataclass(frozen=True)
class Numbers:
    """The figure as a table, for those who cannot see it or want to copy it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """One figure of a report. ``draw`` gives the canvas; nothing is drawn before it is called."""

    key: str  # its file name without the ending; unique in a report
    kind: str
    title: str
    metric: Metric  # what it is about: its theme is the heading, its place in the manifest the order
    caption: str
    alt: str
    draw: Callable[[], Canvas]
    numbers: Numbers | None = None
    wide: bool = False  # spans the whole page
    narrow: Callable[[], Canvas] | None = None  # of a wide one: the same as wide as one column, for a phone


@dataclass(frozen=True)
class Kind:
    """A kind of figure: its name, and which figures of it suit a result."""

    name: str
    plan: Callable[[Result], list[Figure]]


def drawn_how(rows: Iterable[Row], metric: Metric, mark: str) -> str:
    """The sentence on intervals and n that each caption ends with; mark: what shows the interval (bands, bars)."""
    rows = list(rows)
    how, half, n = methods(rows), widest(rows, measure(metric)), counts(rows)
    many = " each" if len(rows) > 1 else ""
    if not half:
        names = ", ".join(dict.fromkeys(r.method for r in rows if r.method))
        return sentence(f"Without intervals{f' ({names})' if names else ''}", f"{n}{many}" if n else "")
    return sentence(f"{mark}: intervals{f' ({how})' if how else ''}, the widest {half}", f"{n}{many}" if n else "")


def fair_share(fair: float, contestants: int) -> str:
    """What the dotted line of a fair share stands for: `a fair share, 1 / 4`."""
    if abs(fair * contestants - 1) < 1e-9:
        return f"a fair share, 1 / {contestants}"
    return f"a fair share, {100 * fair:.1f} % (nobody wins the games that were broken off)"


def beyond_fair(result: Result, metric: Metric, rows: Iterable[Row]) -> tuple[Metric, list[Row]]:
    """Win shares as distances from the fair share of their cell, for figures along which the players vary."""
    rows = list(rows)
    fair = {cell: result.fair(cell) or 0.0 for cell in dict.fromkeys(r.cell for r in rows)}
    moved = [
        replace(
            r,
            value=r.value - fair[r.cell],
            low=None if r.low is None else r.low - fair[r.cell],
            high=None if r.high is None else r.high - fair[r.cell],
        )
        for r in rows
    ]
    told = (
        f"{metric.meaning.rstrip('.') or metric.title}, minus the fair share of that number of players, "
        "in percentage points: 0 is fair"
    )
    return replace(metric, title=f"{metric.title} minus fair share", unit="points", meaning=told), moved


def panel_names(factor: Factor | None, values: Sequence[Any], width: int = 26) -> tuple[str, list[str]]:
    """The headings of panels: ``gear = 4``; where these are too long, one heading for all and the values alone."""
    if factor is None:
        return "", ["" for _ in values]
    name = factor_name(factor.name)
    if all(len(f"{name} = {level(v)}") <= width for v in values):
        return "", [setting_in(factor.name, v, width) for v in values]
    return f"{name}:", [tidy(level(v), width) for v in values]


def table(
    result: Result, rows: Iterable[Row], metric: Metric, places: int, *, groups: bool = True, most: int = 240
) -> Numbers | None:
    """The numbers of a figure: factor levels, group, value, interval, n. None where they are too many for a list."""
    rows = list(rows)
    if not rows or len(rows) > most:
        return None
    how = measure(metric)
    factors = [f for f in result.factors if len(result.levels(f)) > 1]
    named = groups and any(r.group for r in rows)
    head = (*(f.name for f in factors), *(("group",) if named else ()), metric.title, "interval", "n")
    body = tuple(
        (
            *(level(result.parameters[r.cell].get(f.name)) for f in factors),
            *((group(result, r.group) if r.group else "all",) if named else ()),
            shown(r.value, how, places),
            interval(r.low, r.high, how, places),
            f"{r.n:,.0f}" if r.n is not None else "",
        )
        for r in rows
    )
    return Numbers(head, body)


def differ(rows: Iterable[Row]) -> bool:
    """Whether the numbers are not all the same: a picture of one value says less than the value."""
    return len({r.value for r in rows}) > 1


def axis_name(factor: Factor) -> str:
    """The axis label of a factor: its name and unit."""
    unit = f" ({style.label(factor.unit, 20)})" if factor.unit and factor.unit not in {"1", factor.name} else ""
    return style.label(factor_name(factor.name), 50) + unit


def foot(result: Result, rows: Sequence[Row], held: Iterable[tuple[Factor, Any]] = ()) -> str:
    """The footnote of a PNG that travels alone: what is held still and who plays; game, n, interval method, seed."""
    m = result.manifest
    name = str(m.get("title") or m.get("game"))
    parts = [name + (f" v{m['version']}" if m.get("version") is not None else ""), counts(rows), methods(rows)]
    if m.get("seed") is not None:
        parts.append(f"seed {m['seed']}")
    fixed, who = _still(result, held), who_plays(result)
    still = " · ".join(filter(None, (f"held still: {', '.join(fixed)}" if fixed else "", who)))
    lines = (capital(still), " · ".join(filter(None, parts)))
    return "\n".join(filter(None, lines))


def _still(result: Result, held: Iterable[tuple[Factor, Any]]) -> list[str]:
    """Factors held still, number of players, settings that are not the game's own."""
    m = result.manifest
    varied = {f.name for f in result.factors}
    given = m.get("given")
    fixed = {name: value for name, value in (given.items() if isinstance(given, dict) else ()) if name not in varied}
    players = result.players(result.cells[0])
    if players and "players" not in varied:
        fixed = {"players": players, **fixed}
    parts = [f"{factor_name(f.name)} = {level(v)}" for f, v in held]
    parts += [f"{factor_name(str(name))} = {tidy(level(value), 30)}" for name, value in fixed.items()]
    return parts


def who_plays(result: Result) -> str:
    """The strategies in a few words: ``all play expert``; empty where they vary or nothing is told."""
    if any(f.name.startswith("strateg") for f in result.factors):
        return ""
    told = result.manifest.get("strategies")
    named = [str(s) for s in result.manifest.get("players") or []] or (
        [str(s) if who == "all" else f"{who}: {s}" for who, s in told.items()] if isinstance(told, dict) else []
    )
    if not named:
        return ""
    return f"all play {named[0]}" if len(set(named)) == 1 and ": " not in named[0] else tidy(", ".join(named), 80)


def slug(*parts: str) -> str:
    """A file name of plain letters and digits from any names."""
    joined = "-".join(parts)
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in joined.lower())
    short = "-".join(filter(None, plain.split("-")))[:60].strip("-")
    return short or "figure"
