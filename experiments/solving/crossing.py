"""Where a noisy monotone curve meets a level: the games go where the crossing still may lie.

The curve is measured at a few places first. Then, round by round, the places that cannot be ruled out get more games,
all on the same game numbers, until the budget is spent or nothing is left to tell apart; of reals, a few new places in
the stretch that is left. Places are ruled out on the way only by 99.99 % intervals, so that looking often does no harm
to the last look.

The interval is that of a test at the true place (test inversion; Fieller 1954, JRSS B 16:175): a place stays in it if
the 95 % band of the curve there still holds the level. Between two measured places the band is the mean of theirs; its
half-width is then at least that of the mean of two numbers, however the luck they share makes them go together. That
the curve is nearly straight there is checked by the slopes beside; else all between the two is the interval.
Of whole numbers the answer is the one whose metric is nearest to the level. For a monotone curve it lies between the
last mean of neighbours below the level and the first above, so the same test is made of those means.
The value itself is read off the isotonic fit (Barlow, Bartholomew, Bremner & Brunk 1972).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from experiments import statistics as st
from simcore.errors import InputError

SURE = 0.9999  # level at which a place is ruled out on the way
SCOUTS = 9  # places measured first, of many
SCOUTING = 0.15  # part of the budget for them
FEWEST = 120  # games at a place
ROTATION = 60  # games are multiples of this, so that seats rotate exactly
ALL_PLAYED = 9  # whole numbers left that are all measured
INNER = 3  # new places within the stretch that is left, of a real axis
COARSE = 3  # a stretch so many times as wide as the band's own is first cut up, without more games
POOR = 4  # a real place with so many times fewer games than one on either side of it tells nothing more
GROWTH = 4  # games at a place from round to round there; the last round takes all that is left
ALIKE = 2.001  # stretches whose lengths or slopes differ by no more than this factor
WORTH = 4  # whole numbers are told apart to this part of `within`
DIGITS = 6  # of a real place: as many as are printed

Measure = Callable[[float, int], st.Estimate]  # place, games from number 0 on -> the metric there
Announce = Callable[[Sequence[float], int], None]  # these places will now be brought up to so many games, in this order


@dataclass(frozen=True)
class Axis:
    """Where to look: whole or listed numbers in ascending order, or all reals between two bounds."""

    values: tuple[float, ...] = ()
    span: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest place."""
        return self.span or (self.values[0], self.values[-1])

    def scouts(self) -> list[float]:
        """The places that are measured first, both ends among them."""
        return spaced(list(self.values), SCOUTS) if self.span is None else even(*self.span, SCOUTS)


def spaced(values: Sequence[float], most: int) -> list[float]:
    """At most so many of the values, evenly by their place in the list, with both ends."""
    if len(values) <= most:
        return list(values)
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]


def even(low: float, high: float, many: int) -> list[float]:
    """So many reals from low to high, both ends as they are."""
    inner = [float(f"{low + (high - low) * i / (many - 1):.{DIGITS}g}") for i in range(1, many - 1)]
    return [low, *dict.fromkeys(x for x in inner if low < x < high), high]


@dataclass(frozen=True)
class Point:
    """The metric at one place. `unit`: the step of a metric that has only whole values of it, as a quantile has."""

    x: float
    games: int
    estimate: st.Estimate
    unit: float = 0.0

    @property
    def value(self) -> float:
        """The estimate."""
        return self.estimate.value if self.estimate.value is not None else math.nan

    def bounds(self, level: float = st.LEVEL) -> tuple[float, float]:
        """Its interval at a level; infinite where there is none."""
        value, low, high = self.value, self.estimate.low, self.estimate.high
        if low is None or high is None:
            return -math.inf, math.inf
        if level == st.LEVEL:
            return low, high
        wider = st.z_value(level) / st.z_value()  # for what has no bounds at other levels: order statistics
        further = value - (value - low) * wider - self.unit, value + (high - value) * wider + self.unit
        return st.at_level(self.estimate, level) or further


@dataclass(frozen=True)
class Answer:
    """What was found. `status`: found, unreachable or not monotone; the last has no value."""

    status: str
    target: float
    rising: bool
    points: tuple[Point, ...]
    value: float | None = None
    low: float | None = None
    high: float | None = None
    candidates: tuple[float, ...] = ()  # whole numbers that cannot be excluded
    crossings: tuple[tuple[float, float], ...] = ()  # of a curve that is not monotone
    turn: tuple[Point, Point, Point] | None = None  # three points that show it
    band: tuple[float, float] = (-math.inf, math.inf)  # the curve's 95 % interval at the value
    wide: tuple[float, float] | None = None  # the value's interval at the level of `find`; not beyond SURE

    @property
    def games(self) -> int:
        """Games at all places together."""
        return sum(p.games for p in self.points)

    @property
    def hill(self) -> bool:
        """Whether a curve that is not monotone rises before it falls."""
        return self.turn is not None and self.turn[1].value > self.turn[0].value

    def at(self, x: float | None) -> Point:
        """The measured point nearest to a place; of equal ones that with more games."""
        return min(self.points, key=lambda p: (abs(p.x - (x if x is not None else 0.0)), -p.games))


class FlatError(Exception):
    """No difference between any two places is visible."""

    def __init__(self, points: Sequence[Point], identical: bool) -> None:
        super().__init__("flat")
        self.points = tuple(points)
        self.identical = identical


class NoIntervalError(InputError):
    """The metric has no value with an interval at some place."""


def least_budget(axis: Axis) -> int:
    """The fewest games with which a search makes sense."""
    return 4 * FEWEST * len(axis.scouts())


def find(
    axis: Axis,
    target: float,
    measure: Measure,
    budget: int,
    within: float | None = None,
    unit: float = 0.0,
    *,
    level: float = st.LEVEL,
    announce: Announce | None = None,
) -> Answer:
    """Where the curve meets the target; `unit` as of a Point, `level` of the further interval `wide` of the answer.

    What is asked of `measure`, and in which order, hangs on nothing but what it answered before. Raises FlatError,
    NoIntervalError, and InputError for too small a budget.
    """
    if budget < least_budget(axis):
        raise InputError(
            f"budget: {budget} games are too few for {len(axis.scouts())} values; at least "
            f"{least_budget(axis)} are needed"
        )
    search = _Search(axis, target, measure, budget, within, unit, min(level, SURE), announce)
    search.scout()
    if search.turn() is None and search.bracketed():
        search.focus()
    return search.answer()


@dataclass
class _Search:
    axis: Axis
    target: float
    measure: Measure
    budget: int
    within: float | None
    unit: float = 0.0
    level: float = st.LEVEL
    announce: Announce | None = None
    points: dict[float, Point] = field(default_factory=dict)
    sign: int = 1  # -1 where the curve falls

    # --- playing ---

    def spent(self) -> int:
        return sum(p.games for p in self.points.values())

    def play(self, places: Sequence[float], games: int) -> None:
        """Bring these places up to so many games."""
        todo = [x for x in places if x not in self.points or self.points[x].games < games]
        if self.announce is not None:
            self.announce(todo, games)
        for x in todo:
            estimate = self.measure(x, games)
            if None in (estimate.value, estimate.low, estimate.high):
                raise NoIntervalError(f"at {x:g}: the metric has no value with an interval ({estimate.method})")
            self.points[x] = Point(x, games, estimate, self.unit)
        self.points = dict(sorted(self.points.items()))

    def affordable(self, places: Sequence[float], wanted: int) -> int:
        """The games, at most `wanted`, that all these places can be brought up to."""
        have = sorted(self.points[x].games if x in self.points else 0 for x in places)
        left = self.budget - self.spent()
        best = 0
        for k in range(1, len(have) + 1):  # the k places with the fewest games share what is left
            level = (left + sum(have[:k])) // k
            if level >= have[k - 1]:
                best = max(best, level) if k == len(have) else (level if level <= have[k] else best)
        return min(-(-wanted // ROTATION), best // ROTATION) * ROTATION

    # --- scouting ---

    def scout(self) -> None:
        """Measure the first places; where no two differ, with more and more games."""
        places = self.axis.scouts()
        games = max(FEWEST, int(self.budget * SCOUTING / len(places)) // ROTATION * ROTATION)
        self.play(places, games)
        while not self.visible():
            if len({(p.estimate.value, p.estimate.low, p.estimate.high) for p in self.points.values()}) == 1:
                raise FlatError(tuple(self.points.values()), True)
            more = self.affordable(places, 2 * games)
            if more <= games:
                raise FlatError(tuple(self.points.values()), False)
            games = more
            self.play(places, games)
        self.sign = self.direction()

    def visible(self) -> bool:
        """Whether any two places differ, family-wise 95 %."""
        pairs = len(self.points) * (len(self.points) - 1) // 2
        bounds = [p.bounds(st.family(st.LEVEL, pairs)) for p in self.points.values()]
        return max(b[0] for b in bounds) > min(b[1] for b in bounds)

    def direction(self) -> int:
        """1 where a rising curve fits better than a falling one, else -1."""
        values = np.array([p.value for p in self.points.values()])
        games = np.array([float(p.games) for p in self.points.values()])
        misfit = {s: float((games * (isotonic(s * values, games) - s * values) ** 2).sum()) for s in (1, -1)}
        if misfit[1] == misfit[-1]:
            return 1 if values[-1] >= values[0] else -1
        return 1 if misfit[1] < misfit[-1] else -1

    def turn(self) -> tuple[Point, Point, Point] | None:
        """Three places that show that the curve is not monotone: up and surely down again, or the other way."""
        points = list(self.points.values())
        bounds = [p.bounds(SURE) for p in points]
        found: list[tuple[float, int, int, int]] = []
        for s in (1, -1):
            low = [b[0] if s == 1 else -b[1] for b in bounds]
            high = [b[1] if s == 1 else -b[0] for b in bounds]
            for j in range(1, len(points) - 1):
                i = min(range(j), key=lambda k: high[k])
                k = min(range(j + 1, len(points)), key=lambda k: high[k])
                found.append((low[j] - max(high[i], high[k]), i, j, k))
        clear, *places = max(found, default=(-1.0, 0, 0, 0))
        return (points[places[0]], points[places[1]], points[places[2]]) if clear > 0 else None

    # --- what is left ---

    def trusted(self) -> list[Point]:
        """The points that the curve is drawn through: of reals, without those among others with far more games."""
        points = list(self.points.values())
        if self.axis.span is None:
            return points
        games = [p.games for p in points]
        beside = [min(max(games[: k + 1]), max(games[k:])) for k in range(len(games))]
        return [p for p, most in zip(points, beside, strict=True) if p.games * POOR > most]

    def band(self, x: float, level: float = st.LEVEL) -> tuple[float, float]:
        """The curve's interval at a place, from the points beside it."""
        points = self.trusted()
        xs, bounds = [p.x for p in points], [p.bounds(level) for p in points]
        return float(np.interp(x, xs, [b[0] for b in bounds])), float(np.interp(x, xs, [b[1] for b in bounds]))

    def oriented(self, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """Places, lower and upper bounds of a rising curve, and the level that it should meet."""
        points = self.trusted()
        bounds = [p.bounds(level) for p in points]
        low = np.array([b[0] if self.sign == 1 else -b[1] for b in bounds])
        high = np.array([b[1] if self.sign == 1 else -b[0] for b in bounds])
        return np.array([p.x for p in points]), low, high, self.sign * self.target

    def bracketed(self, level: float = SURE) -> bool:
        """Whether the target is not surely beyond all places."""
        _, low, high, target = self.oriented(level)
        return bool((high >= target).any() and (low <= target).any())

    def left(self, level: float) -> list[float]:
        """Whole numbers that may be the nearest one. What is not measured lies between its neighbours."""
        places, low, high, target = self.oriented(level)
        values = np.array(self.axis.values)
        before = np.searchsorted(places, values, side="right") - 1
        after = np.searchsorted(places, values, side="left")
        lows, highs = low[before], high[after]
        middle_low, middle_high = (lows[:-1] + lows[1:]) / 2, (highs[:-1] + highs[1:]) / 2
        later = np.append(middle_high < target, False)  # the nearest one comes later
        earlier = np.append(False, middle_low > target)
        kept = np.flatnonzero(~(later | earlier))
        return [] if not len(kept) else values[kept[0] : kept[-1] + 1].tolist()

    def stretch(self, level: float) -> tuple[float, float]:
        """Between which places the crossing lies."""
        places, low, high, target = self.oriented(level)
        before, after = places[high < target], places[low > target]
        first = float(before.max()) if len(before) else float(places[0])
        later = after[after > first]
        return first, float(later.min()) if len(later) else float(places[-1])

    def focus(self) -> None:
        """Round by round, more games where the crossing may lie."""
        while not self.enough():
            places = self.candidates()
            games = self.next_games(places)
            if games < FEWEST or not any(x not in self.points or self.points[x].games < games for x in places):
                return
            self.play(places, games)

    def candidates(self) -> list[float]:
        """The places that the next round plays."""
        if self.axis.span is not None:
            return even(*self.stretch(SURE), INNER + 2)[1:-1]
        left = self.left(SURE) or [self.best()]
        values = list(self.axis.values)
        first, last = values.index(left[0]), values.index(left[-1])
        around = values[max(0, first - 1) : last + 2]
        return sorted({*spaced(around, ALL_PLAYED), *(x for x in around if x in self.points)})

    def next_games(self, places: Sequence[float]) -> int:
        """The games that the next round brings them to."""
        if self.axis.span is None:
            most = max((self.points[x].games for x in places if x in self.points), default=FEWEST)
            fresh = any(x not in self.points or self.points[x].games < most for x in places)
            wanted = 2 * most
            if self.within is not None:
                wanted = min(wanted, math.ceil(1.1 * most * (WORTH * self.half_width() / self.within) ** 2))
            return self.affordable(places, most if fresh else wanted)
        most = max(p.games for p in self.points.values())
        low, high = self.stretch(SURE)
        band = self.held(SURE)
        if band is None or high - low > COARSE * (band[1] - band[0]):
            return self.affordable(places, most)
        last = GROWTH * (GROWTH + 1) * most  # more than this and the round after it can be paid, too
        wanted = last if self.affordable(places, last) < last else GROWTH * most
        if self.within is not None:
            wanted = min(wanted, max(2 * most, math.ceil(1.1 * most * (self.half_width() / self.within) ** 2)))
        return self.affordable(places, wanted)

    def half_width(self) -> float:
        """Of the curve's band at the place that is best so far."""
        low, high = self.band(self.best())
        return (high - low) / 2

    def enough(self) -> bool:
        """Whether more games would tell nothing that is asked."""
        best = self.best()
        if self.axis.span is None:
            if best not in self.points:
                return False
            alone = len(self.left(SURE)) == 1
            return alone if self.within is None else self.told(best, alone)
        if self.within is None:
            return False
        points = self.trusted()
        beside = max((p for p in points if p.x <= best), key=lambda p: p.x), next(p for p in points if p.x >= best)
        near = all(abs(p.value - self.target) <= 2 * self.within for p in beside)
        return near and self.half_width() <= self.within

    def told(self, best: float, alone: bool) -> bool:
        """Whether it is known of a whole number, narrowly or surely, if it is within what is asked."""
        if self.half_width() <= (self.within or 0.0) / WORTH:
            return True
        off = [b - self.target for b in self.band(best, SURE)]
        inside = max(map(abs, off)) <= (self.within or 0.0)
        outside = min(map(abs, off)) > (self.within or 0.0) and off[0] * off[1] > 0
        return alone and (inside or outside)

    # --- the answer ---

    def fit(self) -> np.ndarray:
        """The isotonic fit at the measured places, as a rising curve."""
        points = self.trusted()
        return isotonic(np.array([self.sign * p.value for p in points]), np.array([float(p.games) for p in points]))

    def best(self) -> float:
        """The place where the fit is nearest to the target, or meets it."""
        places = np.array([p.x for p in self.trusted()])
        fitted, target = self.fit(), self.sign * self.target
        if self.axis.span is None:
            values = np.array(self.axis.values)
            return float(values[int(np.argmin(np.abs(np.interp(values, places, fitted) - target)))])
        first = int(np.searchsorted(fitted, target, side="left"))  # fitted[first - 1] < target <= fitted[first]
        last = int(np.searchsorted(fitted, target, side="right"))
        if first == len(fitted):
            return float(places[-1])
        if last > first:  # level with the target for a while: its middle
            return float((places[first] + places[last - 1]) / 2)
        if first == 0:
            return float(places[0])
        part = (target - fitted[first - 1]) / (fitted[first] - fitted[first - 1])
        return float(places[first - 1] + part * (places[first] - places[first - 1]))

    def answer(self) -> Answer:
        """What the games so far say."""
        points, rising = tuple(self.points.values()), self.sign == 1
        turn = self.turn()
        if turn is not None:
            pairs = zip(points[:-1], points[1:], strict=True)
            met = [(a.x, b.x) for a, b in pairs if (a.value - self.target) * (b.value - self.target) <= 0]
            return Answer("not monotone", self.target, rising, points, crossings=tuple(met), turn=turn)
        value = self.best()
        band = self.band(value)
        if self.axis.span is None:
            kept, further = [*self.left(st.LEVEL), value], [*self.left(self.level), value]
            candidates = tuple(x for x in self.axis.values if min(kept) <= x <= max(kept))
            status = "found" if self.bracketed(st.LEVEL) or self.near(value) else "unreachable"
            ends, wide = (candidates[0], candidates[-1]), (min(further), max(further))
            return Answer(status, self.target, rising, points, value, *ends, candidates, band=band, wide=wide)
        held = self.held()
        if held is None:
            status = "found" if self.near(value) else "unreachable"
            return Answer(status, self.target, rising, points, value, value, value, band=band)
        ends = self.stretched(min(held[0], value), max(held[1], value))
        outer = self.held(self.level) or held
        wide = self.stretched(min(outer[0], ends[0]), max(outer[1], ends[1]))
        return Answer("found", self.target, rising, points, value, *ends, band=band, wide=wide)

    def stretched(self, low: float, high: float) -> tuple[float, float]:
        """The interval; if it lies between two places where the curve is not nearly straight, all between them."""
        points = self.trusted()
        if any(low <= p.x <= high for p in points):
            return low, high
        k = next(k for k, p in enumerate(points) if p.x > high)  # between k - 1 and k
        long = [b.x - a.x for a, b in zip(points[:-1], points[1:], strict=True)]
        slopes = [(b.value - a.value) / d for a, b, d in zip(points[:-1], points[1:], long, strict=True)]
        own = slopes[k - 1]
        beside = [slopes[j] for j in (k - 2, k) if 0 <= j < len(slopes) and long[j] <= ALIKE * long[k - 1]]
        if beside and all(abs(own) <= ALIKE * abs(s) and abs(s) <= ALIKE * abs(own) and s * own > 0 for s in beside):
            return low, high
        return points[k - 1].x, points[k].x

    def near(self, value: float) -> bool:
        """Whether a target beyond the curve is within reach all the same."""
        low, high = self.band(value)
        return self.within is not None and abs((low + high) / 2 - self.target) <= self.within

    def held(self, level: float = st.LEVEL) -> tuple[float, float] | None:
        """From the first to the last real place whose band holds the target; None if there is none.

        Only within the stretch that is left: a place of few games beyond it is ruled out by those before it.
        """
        places, low, high, target = self.oriented(level)
        start_of, end_of = self.stretch(SURE)
        found: list[float] = []
        for k in range(len(places) - 1):
            if places[k] < start_of or places[k + 1] > end_of:
                continue
            first = _part(high[k] - target, high[k + 1] - target)  # where the upper bound is not below it
            second = _part(target - low[k], target - low[k + 1])  # where the lower bound is not above it
            if first is not None and second is not None:
                start, end = max(first[0], second[0]), min(first[1], second[1])
                if start <= end:
                    found += [float(places[k] + (places[k + 1] - places[k]) * f) for f in (start, end)]
        return (min(found), max(found)) if found else None


def _part(a: float, b: float) -> tuple[float, float] | None:
    """Where on 0..1 the line from a to b is not negative."""
    if a >= 0 and b >= 0:
        return 0.0, 1.0
    if a < 0 and b < 0:
        return None
    zero = a / (a - b)
    return (zero, 1.0) if a < 0 else (0.0, zero)


def isotonic(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rising sequence nearest to these values (least squares; scipy's pool-adjacent-violators)."""
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(values, weights=weights).x)
