"""Which factor goes along the axis, which becomes lines, which becomes panels, and what is held still."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reports.result import Factor, Result, Row, level_key
from reports.words import factor_name, level

LINES, PANELS = 7, 6  # as many as an eye can follow


@dataclass(frozen=True)
class View:
    """A way to look at a result: factors by role with the levels that are drawn."""

    x: Factor
    xs: tuple[Any, ...]
    series: Factor | None = None
    lines: tuple[Any, ...] = (None,)
    panels: Factor | None = None
    boxes: tuple[Any, ...] = (None,)
    held: tuple[tuple[Factor, Any], ...] = ()

    def note(self) -> str:
        """What the view leaves out: levels not drawn, factors held still."""
        parts = []
        for factor, levels in ((self.series, self.lines), (self.panels, self.boxes)):
            if factor is not None and len(levels) < len(factor.values):
                parts.append(f"{len(levels)} of {len(factor.values)} values of {factor_name(factor.name)} are drawn")
        if self.held:
            parts.append("Held still: " + ", ".join(f"{factor_name(f.name)} = {level(v)}" for f, v in self.held))
        return ". ".join(parts)


def choose(result: Result, *, series: bool = True, panels: bool = True) -> View | None:
    """The view of a sweep: the longest number line along the axis, then lines, then panels; the rest held still.

    ``series=False`` keeps the lines free for groups (seats, strategies). None where nothing varies.
    """
    factors = [f for f in result.factors if len(result.levels(f)) > 1]
    if not factors:
        return None
    by_length = sorted(factors, key=lambda f: (not f.numeric, f.name == "players", -len(result.levels(f))))
    x, rest = by_length[0], by_length[1:]
    rest.sort(key=lambda f: len(result.levels(f)))
    lines_of = rest.pop(0) if series and rest else None
    panels_of = rest.pop(0) if panels and rest else None
    return View(
        x,
        tuple(result.levels(x)),
        lines_of,
        thin(result.levels(lines_of), LINES, 5) if lines_of else (None,),
        panels_of,
        thin(result.levels(panels_of), PANELS, 6) if panels_of else (None,),
        tuple((f, still(result, f)) for f in rest),
    )


def thin(levels: Sequence[Any], most: int, kept: int) -> tuple[Any, ...]:
    """All levels where they are few enough, else kept of them, evenly spaced with both ends."""
    if len(levels) <= most:
        return tuple(levels)
    return tuple(levels[round(i * (len(levels) - 1) / (kept - 1))] for i in range(kept))


def still(result: Result, factor: Factor) -> Any:
    """The value at which a factor is held: the configuration's own where it was swept over it, else the middle one."""
    levels = result.levels(factor)
    given = result.manifest.get("given")
    own = given.get(factor.name) if isinstance(given, dict) else None
    return next((v for v in levels if level_key(v) == level_key(own)), levels[len(levels) // 2])


class Lookup:
    """Rows by factor levels (and group), for the cells that match what is held still."""

    def __init__(self, result: Result, view: View, rows: Iterable[Row]) -> None:
        """Sort the rows into the view's levels."""
        self.found: dict[tuple[str, str, str, str], Row] = {}
        used = [f for f in (view.x, view.series, view.panels) if f is not None]
        for row in rows:
            place = result.parameters[row.cell]
            if any(level_key(place.get(f.name)) != level_key(v) for f, v in view.held):
                continue
            if all(f.name in place for f in used):
                self.found.setdefault(self.key(view, place, row.group), row)

    @staticmethod
    def key(view: View, place: dict[str, Any], group: str) -> tuple[str, str, str, str]:
        """The levels of a cell as a key."""
        roles = (view.x, view.series, view.panels)
        x, series, panels = (level_key(place.get(f.name)) if f is not None else "" for f in roles)
        return (x, series, panels, group)

    def get(self, x: Any, line: Any = None, box: Any = None, *, view: View, group: str = "") -> Row | None:
        """The row at these levels, if it is there."""
        return self.found.get(
            (
                level_key(x),
                level_key(line) if view.series is not None else "",
                level_key(box) if view.panels is not None else "",
                group,
            )
        )
