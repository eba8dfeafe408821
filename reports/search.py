"""What a solve folder answers: for each search the value that meets the target, its interval or candidates.

A folder holds one answer, or a list of them where other factors were varied; an answer then says which values of them
it is about, and its curve are the cells with these values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reports.result import Metric, Result, Row, level_key, title
from reports.words import digits, factor_name, interval, level, measure, number, shown, tidy

KIND = "solve"
PLACES = ("parameters", "at", "place", "varied", "vary", "factors", "cell", "where")  # what names the values of others
FOUND, UNREACHABLE, NOT_MONOTONE = "found", "unreachable", "not monotone"


@dataclass(frozen=True)
class Point:
    """The metric at one value of the parameter."""

    x: float
    row: Row


@dataclass(frozen=True)
class Search:
    """One search: what was sought, what was found, and the curve that was played."""

    find: str
    metric: Metric
    group: str
    target: float
    within: float | None
    status: str
    value: float | None
    low: float | None
    high: float | None
    candidates: tuple[float, ...]
    games: float | None
    closest: float | None  # the value that comes nearest, also where the target is not met
    remark: str
    place: dict[str, Any]
    points: tuple[Point, ...]

    @property
    def name(self) -> str:
        """`players = 3, monster = jersey-devil`; empty for the only search."""
        return ", ".join(f"{factor_name(k)} = {tidy(level(v), 40)}" for k, v in self.place.items())

    @property
    def nearest(self) -> Point | None:
        """What was measured nearest to the answer."""
        at = self.value if self.closest is None else self.closest
        if at is None or not self.points:
            return None
        return min(self.points, key=lambda p: abs(p.x - at))


def of(result: Result) -> list[Search]:
    """All searches of a result; none where it is no solve, or its answers are not there."""
    told = result.manifest.get(KIND)
    entries = told.get("answers") if isinstance(told, dict) and isinstance(told.get("answers"), list) else told
    shared = {k: v for k, v in told.items() if k != "answers"} if isinstance(told, dict) else {}
    listed = entries if isinstance(entries, list) else [entries]
    found = [_search(result, {**shared, **e}) for e in listed if isinstance(e, dict)]
    return [s for s in found if s is not None]


def _search(result: Result, entry: dict[str, Any]) -> Search | None:
    find, asked, target = entry.get("find"), str(entry.get("metric") or ""), _real(entry.get("target"))
    if not isinstance(find, str) or not asked or target is None:
        return None
    name, _, rest = asked.partition("[")
    name, group = name.strip(), rest.rstrip("] ").replace(" ", "")
    place: dict[str, Any] = next((entry[k] for k in PLACES if isinstance(entry.get(k), dict)), {})
    place = {k: v for k, v in place.items() if k != find}
    key, _, key2 = group.partition(",")
    points = []
    for row in result.rows(name):
        here = result.parameters[row.cell]
        x = _real(here.get(find))
        same = all(level_key(here.get(k)) == level_key(v) for k, v in place.items())
        if x is not None and same and row.x is None and (row.group.replace(" ", ""), row.group2) == (key, key2):
            points.append(Point(x, row))
    points.sort(key=lambda p: p.x)
    candidates = entry.get("candidates")
    real = [_real(c) for c in (candidates if isinstance(candidates, list) else ())]
    return Search(
        find=find,
        metric=result.metrics.get(name) or Metric(name, title(name)),
        group=group,
        target=target,
        within=_real(entry.get("within")),
        status=str(entry.get("status") or ""),
        value=_real(entry.get("value")),
        low=_real(entry.get("low")),
        high=_real(entry.get("high")),
        candidates=tuple(c for c in real if c is not None),
        games=_real(entry.get("games")),
        closest=_real(entry.get("nearest")),
        remark=tidy(str(entry.get("remark") or ""), 300),
        place=place,
        points=tuple(points),
    )


def _real(value: Any) -> float | None:
    real = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if real else None


# --- words ------------------------------------------------------------------------------------------------------------


def at(x: float | None) -> str:
    """A value of the parameter."""
    return "–" if x is None else f"{x:.4g}".replace("-", "\u2212")


def goal(search: Search) -> str:
    """The target in the unit of the metric: `40 turns`, `45 %`."""
    how = measure(search.metric)
    unit = how.suffix or (f" {how.axis}" if how.axis else "")
    return f"{search.target * how.factor:g}".replace("-", "\u2212") + unit


def answer(search: Search) -> str:
    """`6`, `0.43 (0.41–0.45)`, `3 (2, 3 or 4)`, `out of reach`, `not monotone`."""
    if search.status == UNREACHABLE:
        near = search.value if search.closest is None else search.closest
        return "out of reach" + (f" (nearest: {at(near)})" if near is not None else "")
    if search.status == NOT_MONOTONE or search.value is None:
        return search.status or "none"
    said = at(search.value)
    if len(search.candidates) > 1:
        listed = [at(c) for c in search.candidates]
        return f"{said} ({', '.join(listed[:-1])} or {listed[-1]})"
    if search.candidates or search.low is None or search.high is None:
        return said
    return f"{said} ({at(search.low)}–{at(search.high)})"


def there(search: Search) -> str:
    """The metric where it was measured nearest to the answer."""
    point = search.nearest
    if point is None:
        return "–"
    how = measure(search.metric)
    places = digits([point.row], how.factor)
    ends = interval(point.row.low, point.row.high, how, places)
    return shown(point.row.value, how, places) + (f" ({ends})" if ends else "") + f" at {at(point.x)}"


def listed(found: Sequence[Search]) -> list[dict[str, str]]:
    """The table of answers, a row a search."""
    return [
        {
            "name": s.name or s.find,
            "answer": answer(s),
            "status": s.status or "–",
            "remark": s.remark,
            "there": there(s),
            "games": "–" if s.games is None else number(s.games, 0),
        }
        for s in found
    ]
