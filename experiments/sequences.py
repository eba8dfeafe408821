"""Confidence sequences: intervals that hold at all looks together, so that what they show may decide when to stop.

An ordinary interval is right at one number of games, fixed beforehand. Whoever looks again and again, and stops when
the value pleases, needs these: with probability `level` the truth lies inside at every look. They cost width (some 1.5
times an ordinary interval near `games` games, to which they are tuned, and more far from it), so nothing else uses
them. Where several of them decide together, `level` is that of ``statistics.family``.

What they take are running totals, looked at after full rotations of the seats. `games` and `expect` must be the same at
every look: they are part of the sequence, chosen before the first game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from experiments.statistics import RARE

GAMES = 20_000  # where a sequence is tightest unless told otherwise
FEWEST = 50  # units before the first interval of a mean: its normal form is a limit for many
STEPS = 200  # halvings of a bisection; it ends when nothing moves


@lru_cache(maxsize=256)
def _hurdle(level: float) -> float:
    """-W(-alpha^2 / e) - 1, W the lower branch of Lambert's function: n / this is the best prior strength for n.

    Howard, Ramdas, McAuliffe & Sekhon 2021, Ann. Stat. 49:1055, proposition 3. Solves x = 1 - 2 log alpha + log x.
    """
    aim = 1 - 2 * math.log(1 - level)
    x = aim
    for _ in range(60):
        x = aim + math.log(x)
    return x - 1


def _log_mixture(p: float, successes: float, n: int, strength: float) -> float:
    """Log of the evidence against mean `p`: the likelihood ratio of a beta mixture around `p` to `p` itself."""
    a, b = strength * p, strength * (1 - p)
    failures = n - successes
    lgamma = math.lgamma
    ratio = lgamma(a + successes) - lgamma(a) + lgamma(b + failures) - lgamma(b) + lgamma(a + b) - lgamma(a + b + n)
    return ratio - successes * math.log(p) - failures * math.log1p(-p)


def _bounds(successes: float, n: int, level: float, strength: float) -> tuple[float, float]:
    """Means that the evidence has not excluded: from the value outwards it grows, so each end is found by bisection."""
    most = -math.log(1 - level)
    value = successes / n

    def edge(inside: float, outside: float) -> float:
        for _ in range(STEPS):
            middle = (inside + outside) / 2
            if middle in (inside, outside):
                break
            if _log_mixture(middle, successes, n, strength) < most:
                inside = middle
            else:
                outside = middle
        return outside

    tiny = 1e-15
    low = 0.0 if value <= tiny or _log_mixture(tiny, successes, n, strength) < most else edge(value, tiny)
    top = 1 - tiny
    high = 1.0 if value >= top or _log_mixture(top, successes, n, strength) < most else edge(value, top)
    return low, high


@lru_cache(maxsize=256)
def _strength(level: float, expect: float, games: int) -> float:
    """The prior strength that gives the narrowest interval at `games` games, of which `expect` are successes."""
    usual = games / _hurdle(level)

    def width(factor: float) -> float:
        low, high = _bounds(expect * games, games, level, usual * factor)
        return high - low

    return usual * min((2.0**k for k in range(-4, 5)), key=width)


def proportion(
    successes: float, n: int, level: float, *, expect: float = 0.5, games: int = GAMES
) -> tuple[float, float]:
    """Bounds for a proportion, or for the mean of numbers in 0..1, at every look: beta-binomial mixture.

    Robbins 1970, Ann. Math. Stat. 41:1397; Howard, Ramdas, McAuliffe & Sekhon 2021, Ann. Stat. 49:1055: the likelihood
    ratio of a beta mixture around p to p is a non-negative martingale that starts at 1, so it ever passes
    1 / (1 - level) with probability 1 - level at most (Ville); p is inside as long as it has not.

    Why fractional shares are right, too: for X in 0..1 with mean p and any q, (q/p)^X ((1-q)/(1-p))^(1-X) is at most
    X q/p + (1-X) (1-q)/(1-p) (weighted means), whose mean is 1. Why seats may rotate: the same holds for the product
    over a full rotation of games with means p_1, p_2, ... whose mean is p (geometric below arithmetic mean).
    """
    if n <= 0:
        return 0.0, 1.0
    successes = min(float(n), max(0.0, float(successes)))
    return _bounds(successes, n, level, _strength(level, min(0.999999, max(0.000001, expect)), games))


def mean(
    n: int, total: float, square: float, level: float, *, games: int = GAMES, seen: int | None = None
) -> tuple[float, float]:
    """Bounds for a mean of any numbers, at every look, from their sum and sum of squares: normal mixture.

    Asymptotic confidence sequence with plug-in variance: Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Ann. Stat.
    52:2613, theorem 2.2. The unit may be a batch of games; `n` and `games` then count batches. Nothing is known (-inf,
    inf) before FEWEST units, while all are the same, and while fewer than RARE are `seen` to be other than 0, or can
    (of integers) be other than the one number that nearly all are: a variance from so few is no variance. For numbers
    within known bounds ``proportion`` has no such limits.
    """
    if n < FEWEST or (seen is not None and seen < RARE):
        return -math.inf, math.inf
    spread = (n * square - total * total) / n / (n - 1)  # exact for integers up to the division
    if spread <= 0:
        return -math.inf, math.inf
    usual = round(total / n)
    if isinstance(total, int) and usual and square - 2 * usual * total + n * usual * usual < RARE:
        return -math.inf, math.inf  # a difference is 1 at least: so few games can be different
    mixed = n * _hurdle(level) / games  # t rho^2 of the paper
    half = math.sqrt(spread * 2 * (mixed + 1) / (n * mixed) * math.log(math.sqrt(mixed + 1) / (1 - level)))
    return total / n - half, total / n + half


def quantile(
    histogram: Sequence[int] | np.ndarray, q: float, level: float, *, games: int = GAMES
) -> tuple[float, float]:
    """Bounds for the q-quantile of the values 0, 1, 2, ... counted in a histogram, at every look.

    Howard & Ramdas 2022, Bernoulli 28:1704: how many values lie at or below the quantile is a count of mean n q, with
    ties split as needed, and the beta-binomial mixture says at all looks together how far it may stray. A bound that so
    few games cannot give is infinite.
    """
    cumulative = np.cumsum(np.asarray(histogram, dtype=np.int64))
    n = int(cumulative[-1]) if len(cumulative) else 0
    if n == 0:
        return -math.inf, math.inf
    strength, most = _strength(level, q, games), -math.log(1 - level)

    def last(step: int, end: int) -> int:
        """The farthest count from n q towards `end` that the evidence allows."""
        inside, outside = math.floor(n * q) if step < 0 else math.ceil(n * q), end + step
        while abs(outside - inside) > 1:
            middle = (inside + outside) // 2
            if _log_mixture(q, middle, n, strength) < most:
                inside = middle
            else:
                outside = middle
        return inside

    fewest, largest = last(-1, 0), last(1, n)

    def of_rank(rank: int) -> float:
        return float(np.searchsorted(cumulative, rank, side="left"))

    return (of_rank(fewest) if fewest >= 1 else -math.inf), (of_rank(largest + 1) if largest < n else math.inf)
