"""Intervals from integer totals: rates, shares, means, ratios, quantiles. Two-sided, 95 % unless told otherwise.

Everything here takes the counts that a batch adds up (games, sums, sums of squares, cross-sums, histograms), never
single games, and gives an ``Estimate``: value, low, high, the number of games (or trials) behind it, and the method's
name. All sums are Python integers until the last division, so nothing cancels however many games there are. A bound
that cannot be given is None; nothing that was never seen gets an interval of zero width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

LEVEL = 0.95
RARE = 30  # a count seen in fewer games than this gets a Poisson interval: a normal one would be too short on the right
RARE_OF_EITHER_SIGN = "Poisson, either sign"
NEARLY_THE_SAME = "Poisson, few games differ"
FEW_GAMES = 100  # a ratio that fewer games tell of is not taken to other levels: its interval is Student's
TOO_FEW = 5  # a ratio whose denominator occurs in fewer games than this gets no interval: nothing says how they vary
THE_SAME = "the same in all games"
DELTA_OF_FEW = "delta, few games"
NORMAL_FROM = 2000  # games from which Student's t is replaced by the normal quantile (they differ by less than 0.07 %)


class Estimate(NamedTuple):
    """A number with its interval. `n` counts games, or trials where the method says so."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str

    def scaled(self, scale: float, shift: float = 0.0) -> Estimate:
        """The same in another unit: times `scale`, plus `shift`."""
        if scale == 1 and not shift:
            return self

        def change(x: float | None) -> float | None:
            return None if x is None else x * scale + shift

        low, high = change(self.low), change(self.high)
        if scale < 0:
            low, high = high, low
        return Estimate(change(self.value), low, high, self.n, self.method)

    @property
    def half_width(self) -> float:
        """Half the interval's width; infinite where a bound is missing."""
        return math.inf if self.low is None or self.high is None else (self.high - self.low) / 2


def nothing(method: str = "no games") -> Estimate:
    """The estimate from no games at all."""
    return Estimate(None, None, None, 0, method)


@lru_cache(maxsize=256)
def z_value(level: float = LEVEL) -> float:
    """Two-sided standard normal quantile: 1.959964 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


@lru_cache(maxsize=256)
def t_value(degrees: int, level: float = LEVEL) -> float:
    """Two-sided quantile of Student's t; the normal one from NORMAL_FROM degrees of freedom on."""
    if degrees >= NORMAL_FROM:
        return z_value(level)
    from scipy.special import stdtrit  # late: a fifth of a second that most runs don't need

    return float(stdtrit(degrees, 0.5 + level / 2))


def family(level: float, members: int) -> float:
    """Level of each of `members` intervals so that all hold together with `level` (Bonferroni)."""
    return 1 - (1 - level) / max(1, members)


def wilson_bounds(successes: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score bounds for a proportion (Wilson 1927, JASA 22:209; Brown, Cai & DasGupta 2001, Stat. Sci. 16:101).

    `successes` may be fractional, for shares that are split in ties: a variable in [0, 1] with mean p varies at most as
    much as a coin with that p, so the bounds are then conservative.
    """
    if n <= 0:
        return 0.0, 1.0
    z = z_value(level)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n) / n)
    low = 0.0 if successes <= 0 else min(p, max(0.0, centre - half))  # a rounding error must not pass the value
    high = 1.0 if successes >= n else max(p, min(1.0, centre + half))
    return low, high


def rate(successes: float, n: int, level: float = LEVEL) -> Estimate:
    """A proportion with Wilson's interval; `successes` may be fractional."""
    if n <= 0:
        return nothing()
    return Estimate(successes / n, *wilson_bounds(successes, n, level), n, "Wilson")


def rates(successes: np.ndarray, n: int | np.ndarray) -> tuple[list[float], list[float], list[float]]:
    """Values, lower and upper bounds of many proportions, of one n > 0 or each of its own.

    To the last bit as `rate` gives each, as long as no count passes 2^51.
    """
    z = z_value()
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(np.maximum(0.0, p * (1 - p)) / n + z * z / (4 * n) / n)
    low = np.where(successes <= 0, 0.0, np.minimum(p, np.maximum(0.0, centre - half)))
    high = np.where(successes >= n, 1.0, np.maximum(p, np.minimum(1.0, centre + half)))
    return p.tolist(), low.tolist(), high.tolist()


@lru_cache(maxsize=4096)  # most counts of rare things are the same few
def poisson_bounds(events: float, level: float = LEVEL) -> tuple[float, float]:
    """Exact bounds for the mean of a Poisson count (Garwood 1936, Biometrika 28:437); `events` may be fractional."""
    from scipy.special import gammaincinv

    tail = (1 - level) / 2
    low = 0.0 if events <= 0 else float(gammaincinv(events, tail))
    return low, float(gammaincinv(events + 1, 1 - tail))


def _rare(total: int, square: int, level: float, step: int = 1) -> tuple[float, float]:
    """Bounds for a sum of rare non-negative integers: a scaled Poisson (Bohm & Zech 2014, NIM A 748:1).

    The sum behaves like total^2 / square events of size square / total each; with none seen, like none of size `step`.
    """
    if total == 0:
        return 0.0, poisson_bounds(0, level)[1] * step
    size = square / total
    low, high = poisson_bounds(total / size, level)
    return low * size, high * size


def fewest_apart(n: int, total: int, square: int, seen: int | None = None, apart: int | None = None) -> float | None:
    """Of n integers that hardly vary around a whole number c other than 0: at least so many of them are not c.

    None where they do vary (mean square from c of a third or more), or hardly anything happens at all (c = 0). `apart`
    is that number, where it is known. Else three things bound it, with s the sum of the differences from c and q that
    of their squares: s^2 / q (Cauchy-Schwarz); how many are 0 (n - `seen`); and, of numbers of 0 or more, that a
    difference downwards is c at most, so that m + 1 of them reach q only if (s + m c)^2 + m c^2 does.
    """
    c = round(total / n)
    s, q = total - n * c, square - 2 * c * total + n * c * c
    if c == 0 or 3 * q >= n:
        return None
    if apart is not None or q == 0:
        return apart or 0
    least = max(s * s / q, 1.0, 0 if seen is None else n - seen)
    if c > 0:
        b = 2 * s * c + c * c  # c^2 m^2 + b m + s^2 = q
        least = max(least, 1 + (math.sqrt(max(0, b * b + 4 * c * c * (q - s * s))) - b) / (2 * c * c))
    return least


def mean(
    n: int,
    total: int,
    square: int,
    level: float = LEVEL,
    *,
    seen: int | None = None,
    reach: float | None = None,
    apart: int | None = None,
    step: int = 1,
) -> Estimate:
    """Mean of n integers from their sum and sum of squares, with Student's t interval (normal when n is large).

    `seen`: in how many games the number was not 0. Below RARE the numbers are taken as rare counts and the interval is
    a scaled Poisson one (`step`: the size of an event, as long as none was seen); with numbers that may be negative,
    `reach` is the largest size of one, and both sides get what so many events more of that size could add.

    Where nearly all games have the same number, the few that differ are the events: a variance from a handful of them
    is no variance. While there may be fewer than RARE (``fewest_apart``; `apart`: exactly so many), both sides get what
    so many more than were seen could add by a Poisson count (Garwood 1936), each of the differences' root mean square
    (the scaled Poisson of Bohm & Zech 2014); if none was seen, each of 1. So no interval has zero width.
    """
    if n <= 0:
        return nothing()
    value = total / n
    if seen is not None and seen < RARE and seen * 3 < n:
        if reach is not None:
            more = reach * (poisson_bounds(seen, level)[1] - seen) / n
            return Estimate(value, max(-reach, value - more), min(reach, value + more), n, RARE_OF_EITHER_SIGN)
        low, high = _rare(total, square, level, step)
        return Estimate(value, low / n, high / n, n, "Poisson")
    if n == 1:
        return Estimate(value, None, None, 1, "one game")
    events = fewest_apart(n, total, square, seen, apart)
    spread = n * square - total * total  # n (n - 1) times the variance, exactly
    if spread <= 0 or (events is not None and events < RARE):
        events = events or 0.0
        c = round(value)
        size = math.sqrt((square - 2 * c * total + n * c * c) / events) if events else 1.0
        more = size * (poisson_bounds(events, level)[1] - events) / n
        return Estimate(value, value - more, value + more, n, NEARLY_THE_SAME if spread > 0 else THE_SAME)
    half = t_value(n - 1, level) * math.sqrt(spread / (n * (n - 1)) / n)
    return Estimate(value, value - half, value + half, n, "t" if n - 1 < NORMAL_FROM else "normal")


def mean_of_reals(n: int, total: float, square: float, level: float = LEVEL) -> Estimate:
    """As `mean`, for real numbers: for a metric that a person wrote as an expression.

    What was the same in all games is bounded as there; the size of a difference that was never seen is taken as that of
    the number itself, or 1 where that is less.
    """
    if n <= 0:
        return nothing()
    value = total / n
    if n == 1:
        return Estimate(value, None, None, 1, "one game")
    variance = max(0.0, square / n - value * value) * n / (n - 1)
    if variance <= 1e-24 * max(1.0, value * value):
        more = max(1.0, abs(value)) * poisson_bounds(0, level)[1] / n
        return Estimate(value, value - more, value + more, n, THE_SAME)
    half = t_value(n - 1, level) * math.sqrt(variance / n)
    return Estimate(value, value - half, value + half, n, "t" if n - 1 < NORMAL_FROM else "normal")


def ratio(
    n: int,
    sum_a: int,
    sum_b: int,
    square_a: int,
    square_b: int,
    cross: int,
    level: float = LEVEL,
    *,
    seen: int | None = None,
    proportion: bool = False,
    trials: int | None = None,
    among: int | None = None,
    step: int = 1,
) -> Estimate:
    """Ratio of two sums over n games, with the delta method's interval (Cochran 1977, Sampling Techniques, 6.4).

    Var(a/b) = sum over games of (a_i - R b_i)^2, from the sums of squares and of products: games are the independent
    units, however many trials b there are in each. `among`: games in which b was not 0 (a neither, then), where they
    are not all; only they say how the ratio varies, so they count as its games, and fewer than TOO_FEW of them give no
    interval. `seen`: games in which a was not 0; below RARE, and where they are few of those, the interval is a scaled
    Poisson one for a, with b as given (`step`: the size of an event, as long as none was seen). `proportion`: a never
    exceeds b, so the bounds are cut to 0..1, and a = 0 or a = b gets Wilson's bound. `trials`: how many trials b stands
    for where it counts parts of them (sixtieths of a win); it is what Wilson's bound rests on, and `n` of the result.
    Without it both are b, what the ratio is *of*.
    """
    if n <= 0 or sum_b == 0:
        return nothing("never occurred")
    of = sum_b if trials is None else trials
    value = sum_a / sum_b
    games = n if among is None else among
    if among is not None and among < TOO_FEW:
        return Estimate(value, None, None, of, "too few games")
    if proportion and (sum_a == 0 or sum_a == sum_b):
        return Estimate(value, *wilson_bounds(value * of, of, level), of, "Wilson")
    if seen is not None and seen < RARE and seen * 3 < games:
        low, high = _rare(sum_a, square_a, level, step)
        return Estimate(value, low / sum_b, min(1.0, high / sum_b) if proportion else high / sum_b, of, "Poisson")
    if games == 1:
        return Estimate(value, None, None, of, "one game")
    # sum (a - R b)^2 with R = A/B, times B^2: integers, so that nothing cancels
    residual = square_a * sum_b * sum_b - 2 * sum_a * sum_b * cross + sum_a * sum_a * square_b
    if residual <= 0:  # what one more of a in so many games could do
        more = poisson_bounds(0, level)[1] * step / sum_b
        low, high = value - more, value + more
        return Estimate(
            value, max(0.0, low) if proportion else low, min(1.0, high) if proportion else high, of, THE_SAME
        )
    spread = residual / (sum_b * sum_b)
    half = t_value(games - 1, level) * math.sqrt(spread * games / (games - 1)) / sum_b
    low, high = value - half, value + half
    if proportion:
        low, high = max(0.0, low), min(1.0, high)
    return Estimate(value, low, high, of, "delta" if games >= FEW_GAMES else DELTA_OF_FEW)


def histogram_moments(histogram: Sequence[int] | np.ndarray) -> tuple[int, int, int]:
    """Count, sum and sum of squares of the values 0, 1, 2, ... counted in a histogram, as exact integers."""
    counts = np.asarray(histogram)
    values = counts.nonzero()[0]
    counts = counts[values]
    n = int(counts.sum())
    if n and n * int(values[-1]) ** 2 >= 2**63:  # Python's integers have no largest
        counts, values = counts.astype(object), values.astype(object)
    sums = counts * values
    return n, int(sums.sum()), int((sums * values).sum())


@lru_cache(maxsize=4096)  # cells of a study often have the same number of games
def quantile_ranks(n: int, q: float, level: float = LEVEL) -> tuple[int, int]:
    """Ranks (1-based) of the two order statistics that enclose the q-quantile with at least `level`.

    A rank of 0 or n + 1 means that none does. The number of values below the quantile is binomial(n, q), whatever the
    distribution; with ties the interval is conservative (Conover 1999, Practical Nonparametric Statistics, 3.2).
    """
    from scipy.special import bdtr, bdtrik

    tail = (1 - level) / 2

    def last_below(p: float) -> int:  # the largest k with P(count <= k) <= p, or -1
        k = int(math.floor(float(np.nan_to_num(bdtrik(p, n, q), nan=-1.0))))
        k = min(n, max(-1, k))
        while k >= 0 and bdtr(k, n, q) > p:
            k -= 1
        while k + 1 <= n and bdtr(k + 1, n, q) <= p:
            k += 1
        return k

    low = last_below(tail) + 1  # P(count < low) <= tail
    # the smallest rank u with P(count >= u) <= tail, that is P(count <= u - 1) >= 1 - tail
    upper = last_below(1 - tail)
    high = upper + 1 if upper >= 0 and bdtr(upper, n, q) >= 1 - tail else upper + 2
    return low, min(n + 1, high)


def quantile(histogram: Sequence[int] | np.ndarray, q: float, level: float = LEVEL) -> Estimate:
    """The q-quantile of the values 0, 1, 2, ... counted in a histogram, with an exact binomial interval.

    The value is that of rank ceil(n q). A bound is None where so few games cannot give one.
    """
    counts = np.asarray(histogram, dtype=np.int64)
    cumulative = np.cumsum(counts)
    n = int(cumulative[-1]) if len(cumulative) else 0
    if n == 0:
        return nothing()

    low_rank, high_rank = quantile_ranks(n, q, level)
    ranks = (min(n, max(1, math.ceil(n * q))), low_rank, high_rank)
    value, low, high = cumulative.searchsorted(ranks, side="left").tolist()
    return Estimate(
        float(value),
        float(low) if low_rank >= 1 else None,
        float(high) if high_rank <= n else None,
        n,
        "order statistics",
    )


def largest(histogram: Sequence[int] | np.ndarray) -> Estimate:
    """The largest value seen. It is a fact about these games and a lower bound for all: no upper bound is given."""
    seen = np.flatnonzero(np.asarray(histogram))
    n = int(np.sum(histogram))
    if not len(seen):
        return nothing()
    return Estimate(float(seen[-1]), float(seen[-1]), None, n, "largest seen")


KNOWN = 0.9  # a result is as good as known where one side wins so often


def settled(states: Sequence[Estimate], known: float = KNOWN) -> Estimate:
    """Share of games in states whose win rate is at least `known`, or at most 1 - `known`: as good as known.

    The bounds take the states whose whole interval says so, and all but those whose whole interval says otherwise (a
    state without an interval may be either): which states they are is what is unsure, the share itself hardly.
    """
    return _settled(states, sum(s.n for s in states if s.value is not None), 1 - known, known)


def settled_by_leads(leads: Sequence[Estimate], games: int, known: float = KNOWN) -> Estimate:
    """The same where one of several contestants leads: share of `games` whose leader wins at least `known` of the time.

    Games without a leader are open. That a leader hardly ever wins does not say who does, and settles nothing.
    """
    return _settled(leads, games, -math.inf, known)


def _settled(states: Sequence[Estimate], games: int, lost: float, won: float) -> Estimate:
    if games == 0:
        return nothing()
    value = low = high = 0
    for state in states:
        if state.value is None:
            continue
        least, most = (-math.inf, math.inf) if state.low is None or state.high is None else (state.low, state.high)
        value += state.n * (not lost < state.value < won)
        low += state.n * (most <= lost or least >= won)
        high += state.n * (not (least > lost and most < won))
    return Estimate(value / games, low / games, high / games, games, "intervals of the states")


def at_level(estimate: Estimate, level: float) -> tuple[float, float] | None:
    """Bounds of a stored 95 % estimate at another level.

    Wilson's and Poisson's anew, those of means and ratios widened by the ratio of the quantiles. None if unbounded, and
    for what needs the counts themselves: order statistics, rare events of either sign, few games that differ, and
    ratios of few games.
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    value, low, high, n, method = estimate.value, estimate.low, estimate.high, estimate.n, estimate.method
    if method in ("order statistics", RARE_OF_EITHER_SIGN, NEARLY_THE_SAME, DELTA_OF_FEW):
        return None
    if method == THE_SAME:
        widen = poisson_bounds(0, level)[1] / poisson_bounds(0)[1]
        return value - (value - low) * widen, value + (high - value) * widen
    if method == "Wilson" and 0 <= value <= 1:
        return wilson_bounds(value * n, n, level)
    if method == "Poisson":
        return _poisson_at_level(value, high, level)
    widen = t_value(n - 1, level) / t_value(n - 1) if method == "t" else z_value(level) / z_value(LEVEL)
    return value - (value - low) * widen, value + (high - value) * widen


def _poisson_at_level(value: float, high: float, level: float) -> tuple[float, float]:
    """A scaled Poisson's bounds at another level: the number of events is that whose 95 % bound is as far off."""
    if value <= 0:
        return 0.0, high * poisson_bounds(0, level)[1] / poisson_bounds(0)[1]
    if high <= value:  # cut at the end of its range
        return value, high
    few, many = 1e-3, 1e6
    for _ in range(60):  # bisection: the more events, the nearer the bound
        events = math.sqrt(few * many)
        if poisson_bounds(events)[1] / events > high / value:
            few = events
        else:
            many = events
    low, top = poisson_bounds(few, level)
    return value * low / few, value * top / few


def games_for_half_width(half_width: float, level: float = LEVEL) -> int:
    """Games after which Wilson's half-width is at most `half_width` for every proportion (worst at one half)."""
    z = z_value(level)
    return math.ceil(max(1.0, z * z * (1 / (4 * half_width * half_width) - 1)))
