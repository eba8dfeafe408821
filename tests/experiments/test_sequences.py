"""Confidence sequences: coverage with the meanest stopping rule (stop once the truth is outside), widths, edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from experiments import sequences, statistics

REPETITIONS = 2000
Draw = Callable[[np.random.Generator, int], np.ndarray]
LEVEL = 0.95
MOST_MISSES = 0.05  # promised; the mixtures stay well below it, so chance hardly matters
LOOKS = [60 * math.ceil(10 * 1.45**k) for k in range(14)]  # 600 to 75,000 games


def totals(
    draw: Callable[[np.random.Generator, int], np.ndarray], seed: int
) -> Iterator[list[tuple[int, float, float]]]:
    """For each repetition: games, sum and sum of squares at each look. `draw` gives sums over 60 games, n of them."""
    for repetition in range(REPETITIONS):
        rng = np.random.default_rng([seed, repetition])
        units = draw(rng, LOOKS[-1] // 60)
        sums, squares = np.cumsum(units), np.cumsum(np.square(units))
        yield [(n // 60, float(sums[n // 60 - 1]), float(squares[n // 60 - 1])) for n in LOOKS]


def coin(p: float) -> Draw:
    return lambda rng, n: rng.binomial(60, p, n).astype(float)


def rotated(rng: np.random.Generator, n: int) -> np.ndarray:
    """Wins of a seat whose chance depends on who starts: 0.9 in every other game, 0.1 in the rest."""
    return (rng.binomial(30, 0.9, n) + rng.binomial(30, 0.1, n)).astype(float)


def split(rng: np.random.Generator, n: int) -> np.ndarray:
    """Shares of a win: 0, 1/2 or 1, as ties leave them."""
    counts = rng.multinomial(60, [0.55, 0.2, 0.25], n)
    return counts[:, 1] * 0.5 + counts[:, 2]


PROPORTIONS = {
    "rate of 0.2": (coin(0.2), 0.2),
    "rare": (coin(0.0005), 0.0005),
    "seats rotate": (rotated, 0.5),
    "shares": (split, 0.35),
    "even": (coin(0.5), 0.5),
}


def misses_of_proportion(case: str) -> float:
    draw, truth = PROPORTIONS[case]
    missed = 0
    for looks in totals(draw, len(case)):
        for n, total, _ in looks:
            low, high = sequences.proportion(total, 60 * n, LEVEL)
            if not low <= truth <= high:
                missed += 1
                break
    return missed / REPETITIONS


def test_a_proportion_holds_at_all_looks_together() -> None:
    missed = misses_of_proportion("rate of 0.2")
    print(f"missed {missed:.2%}")
    assert missed <= MOST_MISSES


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in PROPORTIONS if c != "rate of 0.2"])
def test_other_proportions_hold_too(case: str) -> None:
    missed = misses_of_proportion(case)
    print(f"{case}: missed {missed:.2%}")
    assert missed <= MOST_MISSES


def skew(rng: np.random.Generator, n: int) -> np.ndarray:
    """Differences as a change gives them: mostly 0, and long-tailed where not."""
    hit = rng.binomial(60, 0.1, n)
    return rng.standard_gamma(np.maximum(hit, 1e-9)) * 10 * (hit > 0)


def exponential(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_gamma(60.0, n)


MEANS = {"coins": (coin(0.5), 30.0), "exponential": (exponential, 60.0), "touched seldom": (skew, 60.0)}


@pytest.mark.parametrize("case", MEANS)
def test_a_mean_holds_at_all_looks_together(case: str) -> None:
    """Units are batches of 60 games, from FEWEST of them on."""
    draw, truth = MEANS[case]
    missed = 0
    for looks in totals(draw, len(case) + 50):
        bounds = [sequences.mean(*look, LEVEL, games=333) for look in looks]
        missed += any(not low <= truth <= high for low, high in bounds)
    print(f"{case}: missed {missed / REPETITIONS:.2%}")
    assert missed / REPETITIONS <= MOST_MISSES


@pytest.mark.parametrize("q", [0.5, 0.95])
def test_a_quantile_holds_at_all_looks_together(q: float) -> None:
    p = np.exp(-np.arange(60) / 9)
    p /= p.sum()
    truth = int(np.searchsorted(np.cumsum(p), q))
    missed = 0
    for repetition in range(REPETITIONS):
        rng = np.random.default_rng([7, repetition])
        histogram = np.zeros(60, dtype=np.int64)
        before = 0
        for n in LOOKS[:8]:
            histogram += rng.multinomial(n - before, p)
            before = n
            low, high = sequences.quantile(histogram, q, LEVEL)
            if not low <= truth <= high:
                missed += 1
                break
    print(f"{q}: missed {missed / REPETITIONS:.2%}")
    assert missed / REPETITIONS <= MOST_MISSES


@pytest.mark.parametrize("n", [1200, 5040, 20_040, 100_020, 1_000_020])
@pytest.mark.parametrize("p", [0.02, 0.35, 0.5])
def test_a_sequence_costs_width_but_not_much(n: int, p: float) -> None:
    ordinary = statistics.rate(p * n, n).half_width
    low, high = sequences.proportion(p * n, n, LEVEL)
    ratio = (high - low) / 2 / ordinary
    print(f"{p}, {n:,} games: {ratio:.2f} times the ordinary width")
    assert 1.5 <= ratio <= 5.5
    variance = p * (1 - p)
    low, high = sequences.mean(n, 0, n * variance, LEVEL)
    assert 1.5 <= (high - low) / 2 / (1.96 * math.sqrt(variance / n)) <= 5.5


def test_it_is_tightest_near_the_games_it_is_tuned_to() -> None:
    def relative(n: int, games: int) -> float:
        low, high = sequences.proportion(0.3 * n, n, LEVEL, games=games)
        return (high - low) * math.sqrt(n)

    for games in (2000, 20_000, 200_000):
        assert min((2000, 20_000, 200_000), key=lambda n: relative(n, games)) == games
        assert min((2000, 20_000, 200_000), key=lambda other: relative(games, other)) == games


def test_what_is_expected_helps_where_nothing_is_seen() -> None:
    usual = sequences.proportion(0, 20_000, LEVEL)[1]
    expected = sequences.proportion(0, 20_000, LEVEL, expect=1e-4)[1]
    assert expected < usual < 3e-4


def test_edges_of_a_proportion() -> None:
    assert sequences.proportion(0, 0, LEVEL) == (0.0, 1.0)
    low, high = sequences.proportion(0, 60, LEVEL)
    assert low == 0 and 0 < high < 1
    low, high = sequences.proportion(60, 60, LEVEL)
    assert 0 < low < 1 and high == 1
    assert sequences.proportion(1, 1, LEVEL)[1] == 1
    low, high = sequences.proportion(3e10, 10**11, LEVEL)
    assert low < 0.3 < high and high - low < 5e-5
    near = sequences.proportion(12.5, 100, LEVEL)
    mirrored = sequences.proportion(87.5, 100, LEVEL)
    assert near == pytest.approx((1 - mirrored[1], 1 - mirrored[0]))


def test_a_higher_level_is_wider_and_the_value_is_inside() -> None:
    for successes, n in ((1, 40), (0.25, 60), (7, 1000), (999.5, 1000)):
        low, high = sequences.proportion(successes, n, LEVEL)
        wider = sequences.proportion(successes, n, 0.999)
        assert wider[0] <= low <= successes / n <= high <= wider[1]


def test_a_mean_says_nothing_too_early() -> None:
    unknown = (-math.inf, math.inf)
    few = sequences.FEWEST
    assert sequences.mean(0, 0, 0, LEVEL) == unknown
    assert sequences.mean(few - 1, 5, 9, LEVEL) == unknown
    assert sequences.mean(1000, 0, 0, LEVEL) == unknown  # all the same: how others would be is not known
    assert sequences.mean(1000, 5000, 25_000, LEVEL) == unknown
    assert sequences.mean(1000, 3, 3, LEVEL, seen=3) == unknown
    low, high = sequences.mean(few, 5, 9, LEVEL)
    assert low < 5 / few < high


def test_edges_of_a_quantile() -> None:
    unknown = (-math.inf, math.inf)
    assert sequences.quantile([], 0.5, LEVEL) == unknown
    assert sequences.quantile([0, 0], 0.5, LEVEL) == unknown
    assert sequences.quantile([0, 1], 0.5, LEVEL) == unknown
    assert sequences.quantile([0, 0, 5000], 0.5, LEVEL) == (2.0, 2.0)
    low, high = sequences.quantile([500, 0, 500], 0.5, LEVEL)
    assert (low, high) == (0.0, 2.0)
    low, high = sequences.quantile([1000] * 20, 0.95, LEVEL)
    assert low <= 18 <= high and high - low <= 1
