"""What one search found, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experiments import words
from experiments.metrics import Row
from experiments.solving.crossing import Answer, FlatError
from experiments.solving.searches import Asked
from experiments.speech import Speech

FOUND, UNREACHABLE, NOT_MONOTONE, FLAT = "found", "unreachable", "not monotone", "flat"


def metric_of(asked: Asked, speech: Speech) -> str:
    """What the metric is called."""
    name, *groups = asked.groups
    return speech.name(name, ", ".join(g for g in groups if g))


def goal_of(asked: Asked, speech: Speech) -> str:
    """The metric at the target, in its unit: `turns = 40`, `win rate = 45 %`."""
    name = asked.groups[0]
    if not speech.percent(name):
        return f"{metric_of(asked, speech)} = {asked.target:g}"
    return f"{metric_of(asked, speech)} = {100 * asked.target:g} {'points' if name.endswith('_edge') else '%'}"


@dataclass(frozen=True)
class Words:
    """The answer in sentences."""

    asked: Asked
    found: Answer
    rows: Mapping[float, Row]
    speech: Speech

    @property
    def metric(self) -> str:
        """What the metric is called."""
        return metric_of(self.asked, self.speech)

    @property
    def goal(self) -> str:
        """The metric at the target, in its unit."""
        return goal_of(self.asked, self.speech)

    def at(self, x: float) -> str:
        """`gear = 3`."""
        return f"{self.asked.name} = {words.shown(self.asked.value(x))}"

    def value(self, x: float) -> str:
        """The parameter's value at a place."""
        return words.shown(self.asked.value(x))

    def row(self, x: float) -> str:
        """The metric at a place that was played."""
        return self.speech.row(self.rows[x])

    def answer(self) -> list[str]:
        """The answer, how sure it is, and whether it is near enough."""
        if self.found.status == NOT_MONOTONE:
            return self._not_monotone()
        if self.found.status == UNREACHABLE:
            return self._unreachable()
        return self._whole() if self.found.candidates else self._real()

    def _whole(self) -> list[str]:
        value, candidates = self.found.value or 0.0, self.found.candidates
        there = f": {self.row(value)}" if value in self.rows else ""
        said = [f"{self.at(value)} comes nearest to {self.goal}{there}{self._beside(value)}."]
        if len(candidates) == 1:
            said[0] += " No other value can be nearer (95 %)."
        else:
            listed = [words.shown(self.asked.value(x)) for x in candidates]
            shown = ", ".join(listed) if len(listed) <= 8 else f"{listed[0]} to {listed[-1]}"
            said.append(f"Which value is nearest is not certain: {shown} cannot be excluded (95 %).")
        return said + self._near()

    def _beside(self, value: float) -> str:
        """What the neighbours give: between which two the target is met."""
        values = self.asked.axis.values
        k = values.index(value)
        beside = [values[j] for j in (k - 1, k + 1) if 0 <= j < len(values) and values[j] in self.rows]
        said = [f"{words.shown(self.asked.value(x))} gives {self.row(x)}" for x in beside]
        return f" ({'; '.join(said)})" if said else ""

    def _real(self) -> list[str]:
        value, low, high = self.found.value or 0.0, self.found.low or 0.0, self.found.high or 0.0
        number = Speech({}).row(Row("value", "", "", None, value, low, high, self.found.games, ""))
        said = f"{self.asked.name} = {number} gives {self.goal}."
        ends = [words.shown(e) for e, reached in zip(self.asked.axis.ends, (low, high), strict=True) if e == reached]
        if ends:
            said += f" The interval ends at the bound {' and '.join(ends)}: it may reach beyond."
        x = self.found.at(value).x
        return [said, f"Measured nearest to it, at {words.shown(x)}: {self.row(x)}.", *self._near()]

    def _near(self) -> list[str]:
        """Whether the metric is within what was asked of the target, at the value."""
        if self.asked.within is None:
            return []
        inside = self._inside()
        off = self.speech.change(self.asked.groups[0], self.asked.within, "")
        if inside is False:
            return [f"That is not within {off} of the target."]
        if inside:
            return [f"That is within {off} of the target (95 %)."]
        return [f"Whether that is within {off} of the target is open; more games would tell (--budget)."]

    def _inside(self) -> bool | None:
        """Whether the curve is within what was asked of the target, at the value; None while that is open."""
        low, high = self.found.band
        within, target = self.asked.within or 0.0, self.asked.target
        if high < target - within or low > target + within:
            return False
        return True if target - within <= low and high <= target + within else None

    def _range(self) -> str:
        low, high = (f(self.rows, key=lambda x: self.rows[x].value or 0.0) for f in (min, max))
        return f"it goes from {self.row(low)} at {self.at(low)} to {self.row(high)} at {self.at(high)}"

    def _unreachable(self) -> list[str]:
        first, last = (words.shown(self.asked.value(e)) for e in self.asked.axis.ends)
        value = self.found.at(self.found.value).x
        return [
            f"{self._capital(self.goal)} cannot be reached with {self.asked.name} from {first} to {last}: "
            f"{self._range()}. Nearest is {self.at(value)}."
        ]

    def _not_monotone(self) -> list[str]:
        turn = self.found.turn or ()
        shape = "; ".join(f"{self.row(p.x)} at {words.shown(self.asked.value(p.x))}" for p in turn)
        said = f"{self._capital()} is not monotone in {self.asked.name}: {shape}."
        met = [
            f"between {words.shown(self.asked.value(a))} and {words.shown(self.asked.value(b))}"
            for a, b in self.found.crossings
        ]
        if not met:
            return [f"{said} {self._capital(self.goal)} is met nowhere among the values tried: {self._range()}."]
        first, last = self.found.crossings[0]
        narrower = f"{words.shown(self.asked.value(first))}..{words.shown(self.asked.value(last))}"
        return [
            f"{said} {self._capital(self.goal)} is met {' and '.join(met)}; narrower bounds give an answer "
            f"(--find {self.asked.name}={narrower})."
        ]

    def remark(self) -> str:
        """Why there is no value, or what is to be known of it, in a few words."""
        if self.found.status == UNREACHABLE:
            x = self.found.at(self.found.value).x
            row, target = self.rows[x], self.asked.target
            end = "at most" if (row.value or 0.0) < target else "at least"
            return f"out of reach: {end} {self.speech.value(row.metric, row.value, width(row))} at {self.value(x)}"
        if self.found.status == NOT_MONOTONE:
            return "not monotone: it " + ("rises and falls" if self.found.hill else "falls and rises")
        said = []
        if self.asked.within is not None:
            inside, scale = self._inside(), self.speech.scale(self.asked.groups[0])
            off = f"{scale * self.asked.within:g}{' points' if scale > 1 else ''}"
            said.append(
                f"within {off}" if inside else f"not within {off}" if inside is False else f"within {off}: open"
            )
        ends = (self.found.low, self.found.high)
        if not self.found.candidates and any(a == b for a, b in zip(ends, self.asked.axis.ends, strict=True)):
            said.append("may reach beyond the bound")
        return ", ".join(said)

    def curve(self) -> list[str]:
        """Which way it goes."""
        if self.found.status != FOUND:
            return []
        first, last = self.found.points[0].x, self.found.points[-1].x
        way = "rises" if self.found.rising else "falls"
        return [f"{self._capital()} {way} with {self.asked.name}: {self._range_of(first, last)}."]

    def _range_of(self, first: float, last: float) -> str:
        return f"{self.row(first)} at {self.at(first)}, {self.row(last)} at {self.at(last)}"

    def _capital(self, text: str = "") -> str:
        said = text or self.metric
        return said[:1].upper() + said[1:]


def width(row: Row) -> float | None:
    """Of a row's interval."""
    return None if row.low is None or row.high is None else row.high - row.low


def flat(asked: Asked, error: FlatError, rows: Mapping[float, Row], speech: Speech) -> str:
    """Why there is nothing to solve for, with the numbers."""
    low, high = min(error.points, key=lambda p: p.value), max(error.points, key=lambda p: p.value)
    games = max(p.games for p in error.points)
    over = f"{words.shown(asked.value(error.points[0].x))} to {words.shown(asked.value(error.points[-1].x))}"
    ends = [f"{speech.row(rows[p.x])} at {words.shown(asked.value(p.x))}" for p in (low, high)]
    if error.identical:
        return (
            f"--find {asked.name}: changes nothing: {asked.metric} is {speech.row(rows[low.x])} at each of the "
            f"{len(error.points)} values tried from {over} ({games:,} games each, the same ones)"
        )
    return (
        f"--find {asked.name}: shows no effect on {asked.metric}: from {ends[0]} to {ends[1]}, {games:,} games each of "
        f"{len(error.points)} values from {over}; ask for wider bounds, or more games (--budget)"
    )


def flat_remark(asked: Asked, error: FlatError, rows: Mapping[float, Row], speech: Speech) -> str:
    """The same in a few words."""
    low, high = min(error.points, key=lambda p: p.value), max(error.points, key=lambda p: p.value)
    if error.identical:
        return f"{asked.name} changes nothing: {speech.row(rows[low.x])} throughout"
    return f"no effect shows: {speech.row(rows[low.x])} to {speech.row(rows[high.x])}"
