"""Differences between two variants of a game that play the same game numbers, from sums over full rotations.

The unit is a run of games in which every seat starts equally often: 60 games, or a multiple. A unit's sums are kept,
never its games, so any metric that is a rate, a share, a mean or a ratio of tallies can be compared, and what the two
sides share (the luck, and all games that a change never touches) drops out of the difference unit by unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments import sequences
from experiments import statistics as st
from simcore import records
from simcore.game import How, Metric

if TYPE_CHECKING:
    from simcore.batch import Totals

ROTATION = 60  # games in which 1 to 6 seats start equally often
MOST_UNITS = 4096  # then neighbours are added, two and two
TUNED = 60_000  # games at which the sequences are tightest
COMPARED = (How.RATE, How.SHARE, How.SHARE_OF, How.MEAN, How.RATIO, How.SPAN_MEAN, How.STATUS)
SAME, PAIRED, RARE, SEQUENCE = "the same in all games", "paired", "paired, rare", "paired sequence"


class Change(NamedTuple):
    """What a metric is on both sides, and the difference with its interval. `n`: games on each side.

    `unpaired`: games a side that the same interval would take if the sides had luck of their own.
    """

    metric: str
    group: str
    group2: str
    base: float | None
    variant: float | None
    change: float | None
    low: float | None
    high: float | None
    n: int
    unpaired: int | None
    method: str

    @property
    def label(self) -> str:
        """`metric` or `metric[group]`."""
        groups = ", ".join(g for g in (self.group, self.group2) if g)
        return f"{self.metric}[{groups}]" if groups else self.metric


class Reader:
    """Takes numerator and denominator of each metric from a unit's totals. All of them are integers."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self.metrics = tuple(m for m in metrics if m.how in COMPARED)
        self.place = {(m.name, m.group, m.group2): k for k, m in enumerate(self.metrics)}
        self.scale = np.array([1 / records.SIXTIETHS if m.how in _SHARES else m.scale for m in self.metrics])
        self._index: np.ndarray | None = None
        self.reach: list[float | None] = []  # how much one game can differ from another, at most

    def read(self, totals: Totals) -> np.ndarray:
        """(metrics, 2): numerators and denominators."""
        histogram = totals.histogram
        parts = (totals.fired, totals.status, totals.sum, histogram @ np.arange(histogram.shape[1]))
        flat = np.concatenate([*parts, histogram.sum(axis=1), [totals.games]]).astype(np.int64)
        if self._index is None:
            self._resolve([len(p) for p in parts], len(flat), histogram.shape[1] - 1)
        return np.asarray(flat[self._index])

    def meet(self, totals: Totals) -> None:
        """Totals as they will come: from then on it is known where each metric stands, and how far a game reaches."""
        if self._index is None:
            self.read(totals)

    def _resolve(self, lengths: Sequence[int], all_: int, largest: int) -> None:
        """Where in the flat vector each metric's two sums are."""
        fired = 0
        status, sums, moments, counts = (int(k) for k in np.cumsum(lengths))
        starts = {How.RATE: fired, How.STATUS: status, How.SPAN_MEAN: moments}
        index, reach = [], []
        for m in self.metrics:
            below = counts + m.a if m.how is How.SPAN_MEAN else sums + m.b if m.how in _RATIOS else all_ - 1
            index.append((starts.get(m.how, sums) + m.a, below))
            whole = m.how in (How.RATE, How.STATUS, How.SHARE) or m.name.endswith("_edge")
            reach.append(1.0 if whole else largest * m.scale if m.how is How.SPAN_MEAN else None)
        self.reach = reach
        self._index = np.array(index, dtype=np.int64).reshape(-1, 2)


_SHARES = (How.SHARE, How.SHARE_OF)
_RATIOS = (How.RATIO, How.SHARE_OF)


class Units:
    """Sums of one side, unit by unit, in bounded memory: (units, metrics, 2)."""

    def __init__(self, metrics: int, kept: np.ndarray | None = None) -> None:
        self._kept: np.ndarray = np.zeros((64, metrics, 2), dtype=np.int64) if kept is None else kept
        self.count = 0 if kept is None else len(kept)

    @property
    def sums(self) -> np.ndarray:
        """What is kept so far."""
        return self._kept[: self.count]

    def extend(self, units: np.ndarray) -> None:
        """Some units more."""
        for unit in units:
            self.add(unit)

    def add(self, unit: np.ndarray) -> None:
        """One unit more."""
        if self.count == len(self._kept):
            more = np.zeros((max(64, self.count), *self._kept.shape[1:]), dtype=np.int64)
            self._kept = np.concatenate([self._kept, more])
        self._kept[self.count] = unit
        self.count += 1

    def halve(self) -> None:
        """Units of twice the games. Their number must be even."""
        self._kept = self.sums[0::2] + self.sums[1::2]  # what was handed out as `sums` stays as it was
        self.count = len(self._kept)


@dataclass
class Touched:
    """How far a change reaches: games whose outcome rows differ, games with another winner."""

    games: int = 0
    touched: int = 0
    flipped: int = 0
    first: tuple[int, ...] = ()  # numbers of the first games with another winner

    def add(self, one: np.ndarray, other: np.ndarray, most: int) -> None:
        """Outcome rows of the same games on both sides."""
        whole, share = _as_bytes(one.dtype)
        self.games += len(one)
        self.touched += int(np.count_nonzero(one.view(whole) != other.view(whole)))
        shares = one.view(share)["share"] != other.view(share)["share"]
        flipped = np.flatnonzero(shares | (one["status"] != other["status"]))
        self.flipped += len(flipped)
        if len(self.first) < most:
            self.first += tuple(one["number"][flipped[: most - len(self.first)]].tolist())

    def plus(self, other: Touched, most: int) -> Touched:
        """These games and later ones; of the first ones at most so many are named."""
        counts = (self.games + other.games, self.touched + other.touched, self.flipped + other.flipped)
        return Touched(*counts, (*self.first, *other.first)[:most])


@lru_cache(maxsize=8)
def _as_bytes(outcome: np.dtype[Any]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """Types by which a whole outcome row, or its shares, are compared in one go: no float is in them."""
    assert outcome.fields is not None  # noqa: S101 - a record
    kind, offset = outcome.fields["share"][:2]
    share = {"names": ["share"], "formats": [(np.void, kind.itemsize)], "offsets": [offset]}
    return np.dtype((np.void, outcome.itemsize)), np.dtype({**share, "itemsize": outcome.itemsize})  # type: ignore[call-overload]


class _Pair(NamedTuple):
    """One metric on both sides: values, and each unit's pull on them (they add up to 0)."""

    base: float
    variant: float
    own: np.ndarray
    other: np.ndarray
    differing: int  # units in which the sums differ
    moved: float  # by how much their numerators do, altogether
    games: int


class Pairing:
    """Compares two sides by the metrics that both have."""

    def __init__(self, base: Reader, variant: Reader) -> None:
        self.base, self.variant = base, variant
        self.keys = [
            k for k in base.place if k in variant.place and self._how(base, k) is self._how(variant, k)
        ]  # in the base's order

    @staticmethod
    def _how(reader: Reader, key: tuple[str, str, str]) -> How:
        return reader.metrics[reader.place[key]].how

    def _pair(self, key: tuple[str, str, str], base: Units, variant: Units, games: int) -> _Pair | None:
        """Linearized at both sides' values: for a ratio a/b, unit i pulls by (a_i - R b_i) / sum b.

        That is the delta method (Cochran 1977, Sampling Techniques, 6.4) with units as the independent parts; a mean is
        the case that b counts games.
        """
        i, j = self.base.place[key], self.variant.place[key]
        a, b = base.sums[:, i], variant.sums[:, j]
        if not a[:, 1].sum() or not b[:, 1].sum():
            return None
        values, pulls = [], []
        for sums, scale in ((a, float(self.base.scale[i])), (b, float(self.variant.scale[j]))):
            above, below = int(sums[:, 0].sum()), int(sums[:, 1].sum())
            values.append(above / below * scale)
            pulls.append((sums[:, 0] * scale - values[-1] * sums[:, 1]) / below)
        same = self.base.scale[i] == self.variant.scale[j]
        differing = int((a != b).any(axis=1).sum()) if same else len(a)
        moved = float(np.abs(a[:, 0] - b[:, 0]).sum()) * abs(float(self.base.scale[i]))
        return _Pair(values[0], values[1], pulls[0], pulls[1], differing, moved if same else 0.0, games)

    def reach(self, key: tuple[str, str, str]) -> float | None:
        """The most by which one game's part in this metric can differ between the sides; None: not known."""
        both = self.base.reach[self.base.place[key]], self.variant.reach[self.variant.place[key]]
        return None if both[0] is None or both[1] is None else max(both[0], both[1])

    def change(
        self, key: tuple[str, str, str], base: Units, variant: Units, games: int, level: float = st.LEVEL
    ) -> Change:
        """The difference with the interval for a number of games fixed beforehand: Student's t over the units' pulls.

        Where the units that differ are few (st.RARE) their variance says little: then the interval is what so many more
        of them than were seen could do, each by as much as a game can (`reach`), as ``statistics.mean`` does it; with
        no known reach there is none. Nothing that was never seen to differ gets an interval of zero width.
        """
        pair = self._pair(key, base, variant, games)
        if pair is None:
            return Change(*key, None, None, None, None, None, games, None, "never occurred")
        units, value = len(pair.own), pair.variant - pair.base
        if pair.differing < st.RARE and (pair.differing * 3 < units or not pair.differing):
            method = RARE if pair.differing else SAME
            bounds: tuple[float | None, float | None] = (None, None)
            reach = self.reach(key)
            if reach is not None:
                events = max(pair.differing, pair.moved / reach)  # a unit may hold several games that differ
                more = reach * (st.poisson_bounds(events, level)[1] - events) / games
                bounds = value - more, value + more
            return self._said(key, pair, value, bounds, method)
        if units < 2:
            return self._said(key, pair, value, (None, None), "one unit")
        half = st.t_value(units - 1, level) * math.sqrt(_variance(pair.other - pair.own))
        return self._said(key, pair, value, (value - half, value + half), PAIRED)

    def sequence(
        self,
        key: tuple[str, str, str],
        base: Units,
        variant: Units,
        reached: Touched,
        level: float = st.LEVEL,
    ) -> Change:
        """The difference with bounds that hold at every look: what three confidence sequences together allow.

        Half of the error goes to the mean of the units (``sequences.mean``). The rest goes to ``sequences.proportion``:
        the share of touched games, times the `reach` of one; and, of a rate or share, its value on each side. These
        know something where hardly a game differs, or hardly one counts, and a variance would say little. Where more
        units differ in this metric than games were touched, outcome rows don't tell all: then units are counted.
        """
        pair = self._pair(key, base, variant, reached.games)
        if pair is None:
            return Change(*key, None, None, None, None, None, reached.games, None, "never occurred")
        units, value, n = len(pair.own), pair.variant - pair.base, reached.games
        moved = value + units * (pair.other - pair.own)
        low, high = sequences.mean(
            units,
            float(moved.sum()),
            float(np.square(moved).sum()),
            st.family(level, 2),
            games=max(1, round(TUNED * units / n)),
            seen=pair.differing,
        )
        part, reach = st.family(level, 6), self.reach(key)
        if reach is not None:
            hit, of = (reached.touched, n) if pair.differing <= reached.touched else (pair.differing, units)
            most = reach * sequences.proportion(hit, of, part, expect=0.001, games=TUNED if of == n else 1000)[1]
            low, high = max(low, -most), min(high, most)
        if self._how(self.base, key) in (How.RATE, How.STATUS, How.SHARE):
            one, other = (
                sequences.proportion(x * n, n, part, expect=0.001, games=TUNED) for x in (pair.base, pair.variant)
            )
            low, high = max(low, other[0] - one[1]), min(high, other[1] - one[0])
        bounds = (low if math.isfinite(low) else None, high if math.isfinite(high) else None)
        return self._said(key, pair, value, bounds, SEQUENCE)

    def _said(
        self,
        key: tuple[str, str, str],
        pair: _Pair,
        value: float,
        bounds: tuple[float | None, float | None],
        method: str,
    ) -> Change:
        paired = _variance(pair.other - pair.own)
        apart = _variance(pair.own) + _variance(pair.other)
        unpaired = round(pair.games * apart / paired) if paired > 0 and pair.differing >= st.RARE else None
        return Change(*key, pair.base, pair.variant, value, *bounds, pair.games, unpaired, method)


def _variance(pulls: np.ndarray) -> float:
    """Variance of the sum of independent pulls whose sum is 0."""
    n = len(pulls)
    return float(np.square(pulls).sum()) * n / (n - 1) if n > 1 else 0.0


def verdict(change: Change, margin: float) -> str:
    """What the bounds show: larger than +margin, smaller than -margin, within both, or undecided."""
    if change.low is not None and change.low > margin:
        return LARGER
    if change.high is not None and change.high < -margin:
        return SMALLER
    if change.low is not None and change.high is not None and -margin <= change.low and change.high <= margin:
        return WITHIN
    return UNDECIDED


LARGER, SMALLER, WITHIN, UNDECIDED = "larger", "smaller", "within the margin", "undecided"
