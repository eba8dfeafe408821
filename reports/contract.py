"""The lines of a checked contract as the report shows them: verdicts, numbers, bands. Read from the manifest.

A verdict is a word and a mark, so that it is readable without colour. What is drawn of a number is the place of its
interval against its band; both stand beside it in figures, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from reports.result import Metric, Result, Row, title
from reports.words import digits, factor_name, group, interval, level, measure, number, shown, tidy

PASS, FAIL, UNDECIDED = "PASS", "FAIL", "UNDECIDED"
VERDICTS = (FAIL, UNDECIDED, PASS)  # the gravest first
MARKS = {PASS: "✓", FAIL: "✗", UNDECIDED: "?"}
MOST = 3000  # numbers that the page lists


@dataclass(frozen=True)
class Number:
    """One number of a line with its interval and its band (None where that end is open or not known)."""

    metric: Metric
    group: str
    verdict: str
    strategies: str
    place: str  # where it is: `4 players, 1st to play`
    value: float | None
    low: float | None
    high: float | None
    n: float | None
    method: str
    least: float | None
    most: float | None
    command: str

    @property
    def row(self) -> Row:
        """As a number of the result, to be written as others are."""
        return Row(0, self.metric.name, "", "", None, self.value or 0.0, self.low, self.high, self.n, self.method)


@dataclass(frozen=True)
class Line:
    """One line of the contract."""

    name: str
    asks: str
    wants: str
    why: str
    verdict: str
    games: float | None
    worst: Number | None
    numbers: tuple[Number, ...]
    by_strategy: tuple[tuple[str, str], ...]  # line-up and verdict


@dataclass(frozen=True)
class Contract:
    """A checked contract."""

    verdict: str
    level: float | None
    lines: tuple[Line, ...]


def of(result: Result) -> Contract | None:
    """The contract of a result; None where it has none that was checked to its end."""
    told = result.manifest.get("contract")
    told = told.get("verdicts") if isinstance(told, dict) else None
    entries = told.get("lines") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(entries, list):
        return None
    several = len(told.get("strategies") or []) > 1
    lines = tuple(_line(result, e, several) for e in entries if isinstance(e, dict))
    return Contract(_verdict(told), _real(told.get("level")), lines) if lines else None


def _line(result: Result, entry: dict[str, Any], several: bool) -> Line:
    listed = entry.get("numbers")
    numbers = tuple(
        _number(result, e, several) for e in (listed if isinstance(listed, list) else ()) if isinstance(e, dict)
    )
    worst = entry.get("worst")
    by = entry.get("strategies")
    return Line(
        name=str(entry.get("line") or entry.get("asks") or "a line"),
        asks=str(entry.get("asks") or ""),
        wants=str(entry.get("wants") or ""),
        why=" ".join(str(entry.get("why") or "").split()),
        verdict=_verdict(entry),
        games=_real(entry.get("games")),
        worst=_number(result, worst, several) if isinstance(worst, dict) else None,
        numbers=numbers,
        by_strategy=tuple((str(k), str(v)) for k, v in by.items()) if isinstance(by, dict) else (),
    )


def _number(result: Result, entry: dict[str, Any], several: bool) -> Number:
    name = str(entry.get("metric") or "")
    metric = result.metrics.get(name) or Metric(name, title(name))
    told = result.manifest.get("metrics")
    if name not in result.metrics and isinstance(told, dict) and isinstance(told.get(name), dict):
        metric = Metric(name, title(name), unit=str(told[name].get("unit") or ""))
    parameters = entry.get("parameters")
    pairs = parameters.items() if isinstance(parameters, dict) else ()
    parts = [_setting(str(k), v) for k, v in pairs if v != "unset" and not (several and k == "strategy.all")]
    key = str(entry.get("group") or "")
    parts += [group(result, key)] if key else []
    strategies = str(entry.get("strategies") or "")
    parts += [strategies] if several and strategies else []
    value, low, high, n = (_real(entry.get(k)) for k in ("value", "low", "high", "n"))
    return Number(
        metric,
        key,
        _verdict(entry),
        strategies,
        tidy(", ".join(parts), 160),
        value,
        low,
        high,
        n,
        str(entry.get("method") or ""),
        _real(entry.get("at_least")),
        _real(entry.get("at_most")),
        str(entry.get("command") or ""),
    )


def _setting(name: str, value: Any) -> str:
    return f"{level(value)} players" if name == "players" else f"{factor_name(name)} = {level(value)}"


def _verdict(entry: dict[str, Any]) -> str:
    said = str(entry.get("verdict") or UNDECIDED)
    return said if said in VERDICTS else UNDECIDED


def _real(value: Any) -> float | None:
    real = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if real else None


# --- words ------------------------------------------------------------------------------------------------------------


def value(found: Number) -> str:
    """`−4.1 pts`; `nothing measured` where there is no number."""
    if found.value is None:
        return "nothing measured"
    how = measure(found.metric)
    unit = f" {how.axis}" if how.factor == 1 and how.axis and len(how.axis) < 14 else ""
    return shown(found.value, how, _places(found)) + unit


def ends(found: Number) -> str:
    """Its interval."""
    how = measure(found.metric)
    return interval(found.low, found.high, how, _places(found))


def _places(found: Number) -> int:
    """Decimals: one at least of what is shown in percent, as bands are narrow."""
    how = measure(found.metric)
    return max(digits([found.row], how.factor), 1 if how.factor == 100 else 0)


def band(found: Number) -> str:
    """The band that it is to lie in."""
    return bounds(found.metric, found.least, found.most)


def bounds(metric: Metric, least: float | None, most: float | None) -> str:
    """`42.5–57.5 %`, `at most 60 minutes`: all digits that it was given."""
    how = measure(metric)
    unit = how.suffix or (f" {how.axis}" if how.axis else "")
    sides = [None if x is None else exact(x * how.factor) for x in (least, most)]
    if sides[0] is None or sides[1] is None:
        side = sides[0] if sides[1] is None else sides[1]
        return "" if side is None else f"{'at least' if sides[1] is None else 'at most'} {side}{unit}"
    between = " to " if how.signed or (least or 0) < 0 else "–"
    return f"{sides[0]}{between}{sides[1]}{unit}"


def exact(x: float) -> str:
    """A bound with the digits that it was given."""
    text = f"{x:.6g}"
    return text.replace("-", "\u2212") if "e" not in text else number(x, 4)


# --- the small drawing ------------------------------------------------------------------------------------------------

WIDE, HIGH, PAD = 168.0, 26.0, 6.0


def span(numbers: list[Number]) -> tuple[float, float] | None:
    """The stretch of the number line that shows the numbers' intervals and bands, with a little air."""
    places = [
        x for found in numbers for x in (found.value, found.low, found.high, found.least, found.most) if x is not None
    ]
    if not places or all(found.value is None for found in numbers):
        return None
    low, high = min(places), max(places)
    air = 0.12 * (high - low) or max(abs(high) * 0.1, 1e-3)
    return low - air, high + air


def gauge(found: Number) -> dict[str, Any] | None:
    """Where in a drawing of WIDE x HIGH band, interval and value lie; None where there is no number."""
    stretch = span([found])
    if stretch is None or found.value is None:
        return None

    def at(x: float) -> float:
        return round(PAD + (x - stretch[0]) / (stretch[1] - stretch[0]) * (WIDE - 2 * PAD), 1)

    left = 0.0 if found.least is None else at(found.least)
    right = WIDE if found.most is None else at(found.most)
    said = f"{value(found)}{f', interval {ends(found)}' if ends(found) else ''}; band: {band(found) or 'none'}"
    return {
        "band": (left, round(max(right - left, 1.0), 1)),
        "ends": [x for x, known in ((left, found.least), (right, found.most)) if known is not None],
        "interval": (
            PAD if found.low is None else at(found.low),
            WIDE - PAD if found.high is None else at(found.high),
        )
        if found.low is not None or found.high is not None
        else None,
        "value": at(found.value),
        "said": said,
    }


def listed(result: Result, found: Contract) -> dict[str, Any]:
    """The section of the page: a row a line, and under it all of its numbers, the gravest first."""
    left = MOST
    lines = []
    for line in found.lines:
        order = sorted(line.numbers, key=lambda x: VERDICTS.index(x.verdict))
        kept, left = order[: max(left, 0)], left - len(order)
        counts = [sum(x.verdict == v for x in order) for v in VERDICTS]
        parts = [f"{k} {v}" for k, v in zip(counts, VERDICTS, strict=True) if k]
        lines.append(
            {
                "name": line.name,
                "asks": line.asks,
                "wants": line.wants,
                "why": line.why,
                "verdict": line.verdict,
                "mark": MARKS[line.verdict],
                "games": "–" if line.games is None else f"{line.games:,.0f}",
                "worst": None if line.worst is None else _told(line.worst),
                "numbers": [_told(x) for x in kept],
                "unlisted": len(order) - len(kept),
                "counted": ", ".join(parts),
                "by": [(who, MARKS.get(v, "?"), v) for who, v in line.by_strategy] if len(line.by_strategy) > 1 else [],
            }
        )
    sums = {v: sum(line.verdict == v for line in found.lines) for v in VERDICTS}
    return {"lines": lines, "sums": [(v, MARKS[v], k) for v, k in sums.items() if k]}


def _told(found: Number) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "mark": MARKS[found.verdict],
        "place": found.place or "all games",
        "value": value(found),
        "interval": ends(found),
        "band": band(found),
        "n": "–" if found.n is None else f"{found.n:,.0f}",
        "command": found.command,
        "gauge": gauge(found),
        "raw": [
            found.metric.name,
            found.place,
            found.value,
            found.low,
            found.high,
            found.n,
            found.least,
            found.most,
            found.verdict,
        ],
    }
