"""Intervals against textbook references, and their coverage by simulation (larger ones are slow tests)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats

from experiments import statistics as st


def wilson_by_hand(k, n, z=1.959963984540054):
    """The roots of (p - k/n)^2 = z^2 p (1 - p) / n."""
    p = k / n
    a, b, c = 1 + z * z / n, -(2 * p + z * z / n), p * p
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


@pytest.mark.parametrize(("k", "n"), [(1, 10), (5, 10), (30, 100), (499, 1000), (3, 100_000), (99_999, 100_000)])
def test_wilson_is_scipys(k, n):
    reference = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert st.rate(k, n)[1:3] == pytest.approx((reference.low, reference.high), abs=1e-12)
    assert st.wilson_bounds(k, n) == pytest.approx(wilson_by_hand(k, n), abs=1e-9)


def test_wilson_at_the_ends_is_never_of_zero_width():
    none, every = st.rate(0, 1000), st.rate(1000, 1000)
    assert (none.value, none.low) == (0, 0) and none.high == pytest.approx(0.003827, abs=1e-6)
    assert (every.value, every.high) == (1, 1) and every.low == pytest.approx(1 - 0.003827, abs=1e-6)
    assert st.wilson_bounds(0, 0) == (0, 1)
    assert st.rate(0, 0) == st.nothing()


@given(some.integers(1, 10**9), some.floats(0, 1))
def test_wilson_holds_the_value_and_stays_in_bounds(n, share):
    found = st.rate(share * n, n)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_levels_of_a_family():
    assert st.family(0.95, 1) == 0.95
    assert st.family(0.95, 10) == pytest.approx(0.995)
    assert st.z_value() == pytest.approx(stats.norm.ppf(0.975))
    assert st.t_value(5) == pytest.approx(stats.t.ppf(0.975, 5))
    assert st.t_value(st.NORMAL_FROM) == pytest.approx(stats.t.ppf(0.975, st.NORMAL_FROM), rel=7e-4)


@pytest.mark.parametrize("events", [0, 1, 7, 100])
def test_poisson_bounds_are_garwoods(events):
    low, high = st.poisson_bounds(events)
    assert low == pytest.approx(stats.chi2.ppf(0.025, 2 * events) / 2 if events else 0)
    assert high == pytest.approx(stats.chi2.ppf(0.975, 2 * events + 2) / 2)


def test_mean_is_the_t_interval():
    values = np.random.default_rng(1).poisson(4, 50)
    found = st.mean(50, int(values.sum()), int((values**2).sum()), seen=int((values != 0).sum()))
    reference = stats.ttest_1samp(values, 0).confidence_interval()
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high))
    assert found.method == "t"
    reals = st.mean_of_reals(50, float(values.sum()), float((values**2).sum()))
    assert reals[:3] == pytest.approx(found[:3])


def test_mean_of_reals_that_never_differ_is_not_of_zero_width():
    for value, size in ((0.0, 1.0), (-0.25, 1.0), (2.5, 2.5)):
        found = st.mean_of_reals(1000, 1000 * value, 1000 * value**2)
        more = size * stats.chi2.ppf(0.975, 2) / 2 / 1000
        assert (found.low, found.high) == (pytest.approx(value - more), pytest.approx(value + more))


def test_mean_of_huge_numbers_does_not_cancel():
    """1e12 games of 10^5 and 10^5 + 1, half and half: a float's sum of squares would lose the variance."""
    n, base = 10**12, 10**5
    found = st.mean(n, n * base + n // 2, n * base**2 + n // 2 * (2 * base + 1))
    assert found.half_width == pytest.approx(1.959964 * 0.5 / math.sqrt(n), rel=1e-4)


def test_mean_of_something_rare_is_not_of_zero_width():
    none = st.mean(100_000, 0, 0, seen=0)
    assert (none.value, none.low) == (0, 0) and none.high == pytest.approx(3.689 / 100_000, rel=1e-3)
    few = st.mean(100_000, 3, 3, seen=3)
    assert (few.low, few.high) == pytest.approx((0.6187 / 100_000, 8.767 / 100_000), rel=1e-3)
    large = st.mean(100_000, 30, 300, seen=3)  # three games with ten each: as uncertain as three events
    assert (large.low, large.high) == pytest.approx((10 * few.low, 10 * few.high))


def test_mean_with_few_games():
    assert st.mean(0, 0, 0) == st.nothing()
    assert st.mean(1, 7, 49) == (7, None, None, 1, "one game")
    same = st.mean(5, 15, 45)
    assert (same.value, same.method) == (3, "the same in all games")
    assert (same.low, same.high) == pytest.approx((3 - 3.689 / 5, 3 + 3.689 / 5), rel=1e-3)
    assert st.mean(1, 7, 49).half_width == math.inf


def moments(values):
    return len(values), int(values.sum()), int((values * values).sum())


@given(some.lists(some.integers(0, 30), min_size=2, max_size=40), some.integers(0, 30), some.integers(0, 400))
def test_no_more_games_are_said_to_differ_than_do(odd, usual, many):
    values = np.array(odd + [usual] * many)
    n, total, square = moments(values)
    found = st.fewest_apart(n, total, square, seen=int(np.count_nonzero(values)))
    if found is not None:
        assert found <= np.count_nonzero(values != round(total / n)) + 1e-6
        assert st.fewest_apart(n, total, square, apart=3) == 3


def test_mean_of_nearly_the_same_number():
    """Three of 10,000 games differ: as uncertain as three events, though all others say the same."""
    values = np.full(10_000, 7)
    values[:3] = 6
    found = st.mean(*moments(values), seen=10_000)
    assert found.method == st.NEARLY_THE_SAME and found.value == 7 - 3e-4
    assert found.high - found.value == found.value - found.low == pytest.approx((8.767 - 3) / 10_000, rel=1e-3)
    assert st.at_level(found, 0.99) is None
    same = st.at_level(st.mean(100, 700, 4900), 0.99)
    assert same == pytest.approx((7 - 5.298 / 100, 7 + 5.298 / 100), rel=1e-3)
    many = st.mean(*moments(np.where(np.arange(10_000) % 20, 7, 6)))
    assert many.method == "normal"
    both = st.mean(*moments(np.where(np.arange(10_000) % 10, 1, np.arange(10_000) // 10 % 2 * 2)), seen=9_500)
    assert both.method == "normal"  # as many up as down


@pytest.mark.parametrize("usual", [1, 20])
@pytest.mark.parametrize("events", [0.5, 2, 5, 12, 25, 60])
@pytest.mark.parametrize("steps", [(-1,), (1,), (-1, 1), (-1, -1, -1, 4)])
def test_coverage_of_nearly_the_same_number(usual, events, steps, repetitions=2000, n=1200):
    """Where a variance says little: a normal interval covers 85 % with two events expected, 38 % with half a one."""
    rng = np.random.default_rng([usual, round(2 * events), len(steps)])
    truth = usual + np.mean(steps) * events / n
    covered = 0
    for _ in range(repetitions):
        differing = rng.choice(steps, rng.binomial(n, events / n))
        values = np.full(n, usual)
        values[: len(differing)] += differing
        found = st.mean(*moments(values), seen=int(np.count_nonzero(values)))
        covered += found.low <= truth <= found.high
    assert covered >= 0.93 * repetitions


def test_ratio_is_the_delta_method():
    rng = np.random.default_rng(2)
    b = rng.poisson(20, 4000) + 1
    a = rng.binomial(b, rng.beta(2, 5, 4000))
    found = st.ratio(4000, *(int(x) for x in (a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum())))
    r = a.sum() / b.sum()
    error = np.std(a - r * b, ddof=1) / math.sqrt(4000) / b.mean()
    assert found.value == pytest.approx(r)
    assert found.half_width == pytest.approx(1.959964 * error, rel=1e-6)
    assert found.n == b.sum()


def test_ratio_of_nothing_and_at_its_ends():
    assert st.ratio(100, 0, 0, 0, 0, 0).value is None
    none = st.ratio(100, 0, 500, 0, 2600, 0, seen=0, proportion=True)
    assert (none.value, none.low) == (0, 0) and none.high == pytest.approx(wilson_by_hand(0, 500)[1])
    every = st.ratio(100, 500, 500, 2600, 2600, 2600, seen=100, proportion=True)
    assert every.value == 1 and every.low < 1 and every.high == 1
    parts = st.ratio(10, 0, 600, 0, 36_000, 0, seen=0, proportion=True, trials=10)  # sixtieths of ten wins
    assert parts.n == 10 and parts.high == pytest.approx(wilson_by_hand(0, 10)[1])
    rare = st.ratio(10_000, 2, 50_000, 2, 260_000, 11, seen=2)
    assert rare.low > 0 and rare.method == "Poisson"


def test_many_rates_at_once_are_those_one_by_one():
    for n in (1, 7, 1200, 10_000_000):
        counts = np.unique(np.array([0, 1, 2, n // 3, n // 2, n - 1, n]).clip(0, n))
        found = list(zip(*st.rates(counts, n), strict=True))
        assert found == [st.rate(int(k), n)[:3] for k in counts]  # to the last bit


def test_ratio_that_few_games_tell_of():
    """In 1,000 games b is 1 in four, then in five of them: 3, 5, 4, 4, 9 of a."""
    assert st.ratio(1000, 16, 4, 66, 4, 16, seen=4, among=4)[:3] == (4.0, None, None)
    found = st.ratio(1000, 25, 5, 147, 5, 25, seen=5, among=5)
    half = stats.t.ppf(0.975, 4) * np.std([3, 5, 4, 4, 9], ddof=1) / np.sqrt(5)
    assert (found.low, found.high) == (pytest.approx(5 - half), pytest.approx(5 + half))
    assert st.at_level(found, 0.999) is None  # whose games are not told


def test_what_was_never_seen_may_come_in_fives():
    assert st.mean(1000, 0, 0, seen=0, step=5).high == pytest.approx(5 * st.mean(1000, 0, 0, seen=0).high)
    never = st.ratio(1000, 0, 900, 0, 900, 0, seen=0, among=900, step=5)
    assert never.high == pytest.approx(5 * stats.chi2.ppf(0.975, 2) / 2 / 900)


def test_histogram_moments():
    values = np.array([0, 0, 3, 5, 5, 5])
    assert st.histogram_moments(np.bincount(values)) == (6, 18, 84)


def ranks_by_hand(n, q, level=0.95):
    """Ranks from the binomial distribution itself."""
    tail = (1 - level) / 2
    below = stats.binom.cdf(np.arange(-1, n + 1), n, q)  # below[k]: P(count <= k - 1)
    low = max(rank for rank in range(n + 1) if below[rank] <= tail)
    high = min((rank for rank in range(1, n + 2) if below[rank] >= 1 - tail), default=n + 1)
    return low, high


@pytest.mark.parametrize("n", [1, 5, 20, 100, 999])
@pytest.mark.parametrize("q", [0.05, 0.5, 0.95])
def test_quantile_ranks_are_those_of_the_binomial(n, q):
    assert st.quantile_ranks(n, q) == ranks_by_hand(n, q)


def test_quantile_of_known_values():
    counts = np.bincount(np.arange(1, 1001))
    found = st.quantile(counts, 0.5)
    assert found.value == 500
    assert (found.low, found.high) == (469, 532)
    assert st.quantile(np.bincount([4, 4, 4]), 0.5) == (4, None, None, 3, "order statistics")
    assert st.quantile(np.zeros(5, int), 0.5) == st.nothing()
    assert st.quantile(np.bincount([7] * 1000), 0.95)[:3] == (7, 7, 7)


def test_quantile_of_very_many():
    counts = np.zeros(100, np.int64)
    counts[10:20] = 10**9
    assert st.quantile(counts, 0.5)[:3] == (14, 14, 15)


def test_largest():
    assert st.largest(np.bincount([1, 1, 6])) == (6, 6, None, 3, "largest seen")
    assert st.largest(np.zeros(4, int)).value is None


def test_scaled_keeps_the_order_of_the_bounds():
    estimate = st.Estimate(2.0, 1.0, 4.0, 10, "t")
    assert estimate.scaled(3, 1)[:3] == (7, 4, 13)
    assert estimate.scaled(-1)[:3] == (-2, -4, -1)
    assert st.largest(np.bincount([6])).scaled(0.5)[:3] == (3, 3, None)


def test_at_level_widens():
    rate = st.rate(30, 100)
    assert st.at_level(rate, 0.99) == pytest.approx(st.wilson_bounds(30, 100, 0.99))
    mean = st.Estimate(10.0, 9.0, 11.0, 5000, "normal")
    low, high = st.at_level(mean, 0.99)
    assert high - 10 == pytest.approx(10 - low) and high - 10 == pytest.approx(2.5758 / 1.95996, rel=1e-4)
    assert st.at_level(st.nothing(), 0.99) is None


def test_at_level_computes_anew_what_cannot_be_widened():
    few = st.mean(1000, 9, 27, seen=3)  # three games with three each
    assert st.at_level(few, 0.999) == pytest.approx(st.mean(1000, 9, 27, 0.999, seen=3)[1:3])
    none = st.mean(1000, 0, 0, seen=0)
    assert st.at_level(none, 0.999) == pytest.approx(st.mean(1000, 0, 0, 0.999, seen=0)[1:3])
    student = st.mean(5, 15, 55)
    assert st.at_level(student, 0.999) == pytest.approx(st.mean(5, 15, 55, 0.999)[1:3])
    assert st.at_level(st.quantile(np.bincount(np.arange(1000)), 0.5), 0.999) is None
    assert st.at_level(st.mean(1000, -3, 9, seen=3, reach=3), 0.999) is None


def test_rare_events_of_either_sign():
    found = st.mean(1000, -3, 9, seen=1, reach=3)
    assert found.low < found.value == -0.003 < 0 < found.high
    assert found.low == pytest.approx(-0.003 - 3 * (st.poisson_bounds(1)[1] - 1) / 1000)
    none = st.mean(10, 0, 0, seen=0, reach=1)
    assert (none.low, none.value, none.high) == (pytest.approx(-0.3689, abs=1e-4), 0, pytest.approx(0.3689, abs=1e-4))


@given(some.floats(1e-5, 0.4))
def test_games_for_half_width_are_enough_and_not_too_many(width):
    n = st.games_for_half_width(width)
    assert st.rate(n / 2, n).half_width <= width * (1 + 1e-9)
    if n > 20:
        fewer = int(n * 0.97)
        assert st.rate(fewer / 2, fewer).half_width > width


# --- coverage ---------------------------------------------------------------------------------------------------------


def coverage(repetitions, interval, truth, seed=7):
    rng = np.random.default_rng(seed)
    found = [interval(rng) for _ in range(repetitions)]
    return np.mean([f.low <= truth <= f.high for f in found])


def tied_shares(rng, n, p=0.2, tie=0.15):
    """Fractional wins: with probability `tie` a game is shared by two."""
    return np.where(rng.random(n) < tie, 0.5 * (rng.random(n) < 2 * p), rng.random(n) < p).sum()


CASES = {
    "rate, .005": (lambda rng: st.rate(int(rng.binomial(2000, 0.005)), 2000), 0.005),
    "rate, .25": (lambda rng: st.rate(int(rng.binomial(300, 0.25)), 300), 0.25),
    "share with ties": (lambda rng: st.rate(tied_shares(rng, 500), 500), 0.2),
    "mean of a skewed count": (lambda rng: of_values(rng.geometric(0.3, 400) - 1), 0.7 / 0.3),
    "rare count": (lambda rng: of_values(rng.poisson(0.004, 2000)), 0.004),
    "rare bursts": (lambda rng: of_values(rng.poisson(0.005, 3000) * 4), 0.02),
    "ratio": (lambda rng: of_pairs(*clustered(rng, 300)), 0.3),
    "median": (lambda rng: st.quantile(np.bincount(rng.poisson(30.4, 200)), 0.5), 30),
    "95 % quantile": (lambda rng: st.quantile(np.bincount(rng.geometric(0.1, 500)), 0.95), 29),
}


def of_values(values):
    return st.mean(len(values), int(values.sum()), int((values**2).sum()), seen=int((values != 0).sum()))


def clustered(rng, n):
    b = rng.poisson(10, n) + 1
    return rng.binomial(b, rng.beta(3, 7, n)), b


def of_pairs(a, b):
    sums = (a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum())
    return st.ratio(len(a), *(int(s) for s in sums), seen=int((a != 0).sum()), proportion=True)


@pytest.mark.parametrize("case", CASES)
def test_coverage_is_near_nominal(case):
    interval, truth = CASES[case]
    assert coverage(400, interval, truth) >= 0.92  # 2.7 standard errors below 0.95


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_coverage_is_at_least_93_percent(case):
    interval, truth = CASES[case]
    assert coverage(4000, interval, truth) >= 0.935


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.005, 0.05, 0.25, 0.45])
def test_coverage_when_width_decides_when_to_stop(p):
    from experiments.playing import checkpoints

    wanted = 0.01
    looks = list(checkpoints(st.games_for_half_width(wanted)))

    def stopped(rng):
        wins, before = 0, 0
        for n in looks:
            wins, before = wins + int(rng.binomial(n - before, p)), n
            found = st.rate(wins, n)
            if found.half_width <= wanted:
                return found
        raise AssertionError("the last checkpoint is always narrow enough")

    assert coverage(2000, stopped, p) >= 0.93


def test_what_is_as_good_as_known() -> None:
    states = [
        st.rate(990, 1000),  # known, and surely
        st.rate(92, 100),  # known, perhaps not
        st.rate(88, 100),  # open, perhaps not
        st.rate(300, 600),  # open, and surely
        st.rate(0, 200),  # known: lost
        st.nothing(),
    ]
    found = st.settled(states)
    assert found.n == 2000 and found.value == 1300 / 2000
    assert (found.low, found.high) == (1200 / 2000, 1400 / 2000)
    assert st.settled([st.nothing()]).value is None


def test_a_lead_settles_a_game_only_where_it_wins() -> None:
    leads = [st.rate(990, 1000), st.rate(92, 100), st.rate(88, 100), st.rate(0, 200), st.nothing()]
    found = st.settled_by_leads(leads, 2000)  # in 600 of them nobody leads alone: open
    assert found.n == 2000 and found.value == 1100 / 2000
    assert (found.low, found.high) == (1000 / 2000, 1200 / 2000)
    told_too_little = st.Estimate(1.0, None, None, 4, "too few games")
    found = st.settled_by_leads([*leads, told_too_little], 2000)
    assert (found.value, found.low, found.high) == (1104 / 2000, 1000 / 2000, 1204 / 2000)
    assert st.settled_by_leads([], 0).value is None
    assert st.settled_by_leads([st.nothing()], 50).value == 0
