"""Where a noisy curve meets a level: planted roots, coverage, and what cannot be answered. All on synthetic curves."""

import math

import numpy as np
import pytest

from experiments import statistics as st
from experiments.solving import crossing
from experiments.solving.crossing import Axis, FlatError, find
from simcore.errors import InputError

REAL = Axis(span=(0.0, 10.0))
WHOLE = Axis(tuple(float(k) for k in range(1, 11)))
MANY = 1 << 17  # games of a synthetic run


def logistic(middle, width):
    return lambda x: 1 / (1 + math.exp(-(x - middle) / width))


class Coins:
    """Games that are won with chance `curve(x)`: the same luck at all places, luck of their own, or half of each."""

    def __init__(self, curve, seed, luck="common"):
        self.curve, self.seed, self.luck = curve, seed, luck
        self.uniform = np.random.default_rng(seed).random(MANY)
        self.asked = []

    def __call__(self, x, games):
        self.asked.append((x, games))
        draws = self.uniform[:games]
        if self.luck != "common":
            own = np.random.default_rng([self.seed, round(x * 1e6)]).random(games)
            draws = own if self.luck == "apart" else np.where(np.arange(games) % 2, draws, own)
        return st.rate(int((draws < self.curve(x)).sum()), games)


def exact(curve):
    """A curve that is known without noise, but for a little."""
    return lambda x, games: st.Estimate(curve(x), curve(x) - 1 / games, curve(x) + 1 / games, games, "normal")


# --- known roots ---


@pytest.mark.parametrize("sign", [1, -1])
def test_a_planted_real_root_is_found(sign):
    curve = logistic(5.3, sign * 2.0)
    answer = find(REAL, 0.45, Coins(curve, 1), 200_000)
    root = 5.3 + sign * 2.0 * math.log(0.45 / 0.55)
    assert answer.status == "found" and answer.rising == (sign == 1)
    assert answer.low <= root <= answer.high
    assert answer.high - answer.low < 0.15
    assert abs(answer.value - root) < 0.1
    assert answer.games <= 200_000


@pytest.mark.parametrize(("target", "nearest"), [(0.45, 4), (0.5, 5), (0.27, 1), (0.65, 8)])
def test_the_nearest_whole_number_is_found(target, nearest):
    answer = find(WHOLE, target, Coins(logistic(5.2, 4.0), 3), 200_000)
    assert answer.status == "found"
    assert answer.value == nearest and nearest in answer.candidates


def test_two_whole_numbers_as_near_as_each_other_both_stay():
    answer = find(WHOLE, 0.5, Coins(logistic(5.5, 6.0), 2), 60_000)
    assert set(answer.candidates) == {5, 6}


def test_whole_numbers_in_steps_and_over_a_long_range():
    axis = Axis(tuple(float(k) for k in range(0, 1000, 3)))
    answer = find(axis, 0.3, Coins(logistic(500, 40.0), 4), 200_000)
    root = 500 + 40 * math.log(0.3 / 0.7)
    assert abs(answer.value - root) <= 6 and answer.value in axis.values
    assert min(answer.candidates) <= root <= max(answer.candidates)
    assert len(answer.points) < 40


def test_a_clear_answer_stops_early():
    answer = find(WHOLE, 0.5, Coins(logistic(5.0, 1.0), 2), 1_000_000)
    assert answer.candidates == (5,)
    assert answer.games < 200_000


def test_games_are_whole_rotations_of_the_same_numbers_and_go_where_the_crossing_is():
    coins = Coins(logistic(5.3, 3.0), 5)
    answer = find(REAL, 0.45, coins, 100_000)
    assert all(games % crossing.ROTATION == 0 for _, games in coins.asked)
    assert [p.x for p in answer.points] == sorted(p.x for p in answer.points)
    most = max(answer.points, key=lambda p: p.games)
    assert abs(most.x - answer.value) < 2
    assert answer.points[0].games < most.games / 4
    assert 90_000 < answer.games <= 100_000
    again = find(REAL, 0.45, Coins(logistic(5.3, 3.0), 5), 100_000)
    assert again == answer


@pytest.mark.parametrize("axis", [REAL, WHOLE], ids=["real", "whole"])
def test_within_stops_at_a_width(axis):
    coins = Coins(logistic(5.3, 3.0), 6)
    answer = find(axis, 0.45, coins, 250_000, within=0.05)
    assert answer.games < 100_000
    assert all(games % crossing.ROTATION == 0 for _, games in coins.asked)
    assert answer.band[1] - answer.band[0] <= 0.1


# --- coverage ---

CASES = {
    "steep": (REAL, logistic(5.3, 2.0), 0.45),
    "flat": (REAL, logistic(5.3, 20.0), 0.5),
    "falling": (REAL, logistic(5.3, -5.0), 0.6),
    "near an end": (REAL, logistic(5.3, 2.0), 0.08),
    "curved": (REAL, lambda x: 0.05 + 0.9 * (x / 10) ** 3, 0.2),
    "whole": (WHOLE, logistic(5.3, 6.0), 0.45),
    "whole, nearly a tie": (WHOLE, logistic(5.48, 6.0), 0.5),
    "whole, many": (Axis(tuple(float(k) for k in range(1, 61))), logistic(30.2, 40.0), 0.55),
}


def root(curve, target):
    low, high = 0.0, 10.0
    rising = curve(high) > curve(low)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (curve(middle) < target) == rising else (low, middle)
    return low


def covered(case, luck, repetitions):
    """How often the interval holds the truth."""
    axis, curve, target = CASES[case]
    hit = 0
    for seed in range(repetitions):
        answer = find(axis, target, Coins(curve, seed, luck), 60_000)
        assert answer.status == "found"
        if axis.span is None:
            hit += min(axis.values, key=lambda x: abs(curve(x) - target)) in answer.candidates
        else:
            hit += answer.low <= root(curve, target) <= answer.high
    return hit / repetitions


@pytest.mark.parametrize("case", CASES)
def test_the_interval_holds_the_truth(case):
    assert covered(case, "common", 300) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("luck", ["common", "half", "apart"])
@pytest.mark.parametrize("case", CASES)
def test_the_interval_holds_the_truth_however_luck_is_shared(case, luck):
    assert covered(case, luck, 2000 if luck == "common" else 400) >= (0.94 if luck == "common" else 0.93)


# --- what cannot be answered ---


@pytest.mark.parametrize("axis", [REAL, WHOLE], ids=["real", "whole"])
@pytest.mark.parametrize("target", [0.02, 0.99])
def test_a_target_out_of_reach_is_said(axis, target):
    answer = find(axis, target, Coins(logistic(5.3, 4.0), 1), 60_000)
    assert answer.status == "unreachable"
    assert answer.value == (axis.ends[0] if target < 0.5 else axis.ends[1])


def test_a_target_just_out_of_reach_is_within_reach_where_that_is_near_enough():
    curve = exact(lambda x: x)
    assert find(REAL, 10.4, curve, 100_000).status == "unreachable"
    assert find(REAL, 10.4, curve, 100_000, within=0.5).status == "found"
    assert find(WHOLE, 10.4, curve, 100_000, within=0.5).status == "found"


def test_a_curve_that_stays_level_is_no_curve():
    with pytest.raises(FlatError) as same:
        find(WHOLE, 0.5, Coins(lambda x: 0.5, 1), 60_000)
    assert same.value.identical and sum(p.games for p in same.value.points) < 20_000  # seen at once
    coins = Coins(lambda x: 0.5, 1, "apart")
    with pytest.raises(FlatError) as noise:
        find(WHOLE, 0.5, coins, 60_000)
    assert not noise.value.identical
    assert sum(p.games for p in noise.value.points) > 25_000  # only after many games


def test_a_level_curve_is_not_taken_for_one_that_changes():
    wrong = 0
    for seed in range(100):
        try:
            find(WHOLE, 0.5, Coins(lambda x: 0.5, seed, "apart"), 30_000)
            wrong += 1
        except FlatError:
            pass
    assert wrong <= 5


def test_a_curve_that_turns_is_said_with_its_crossings():
    hill = lambda x: 0.2 + 0.6 * math.exp(-((x - 5) ** 2) / 8)  # noqa: E731
    answer = find(REAL, 0.5, Coins(hill, 1), 100_000)
    assert answer.status == "not monotone" and answer.value is None
    assert len(answer.crossings) == 2
    assert all(a < b for a, b in answer.crossings)
    assert answer.turn[0].value < answer.turn[1].value > answer.turn[2].value
    assert find(REAL, 0.95, Coins(hill, 1), 100_000).crossings == ()
    valley = find(WHOLE, 0.5, Coins(lambda x: 1 - hill(x), 1), 100_000)
    assert valley.turn[0].value > valley.turn[1].value < valley.turn[2].value
    half = find(Axis(span=(0.0, 5.0)), 0.5, Coins(hill, 1), 100_000)
    assert half.status == "found"


def test_a_monotone_curve_is_not_said_to_turn():
    for seed in range(60):
        answer = find(REAL, 0.5, Coins(lambda x: 0.3 + 0.3 * (x > 5), seed, "apart"), 30_000)
        assert answer.status == "found"


def test_a_jump_across_the_target_is_narrowed_down():
    answer = find(REAL, 0.5, Coins(lambda x: 0.2 if x < math.pi else 0.8, 1), 200_000)
    assert answer.status == "found" and answer.low <= math.pi <= answer.high
    assert answer.high - answer.low < 0.01


def test_too_small_a_budget_and_a_metric_without_an_interval_are_refused():
    with pytest.raises(InputError, match="too few for 9 values"):
        find(REAL, 0.5, Coins(logistic(5, 1), 1), 100)
    with pytest.raises(InputError, match="no value with an interval"):
        find(REAL, 0.5, lambda x, games: st.Estimate(1.0, 1.0, None, games, "largest seen"), 100_000)


def test_the_smallest_budget_is_kept():
    for axis in (REAL, WHOLE):
        answer = find(axis, 0.45, Coins(logistic(5.3, 2.0), 1), crossing.least_budget(axis))
        assert answer.games <= crossing.least_budget(axis)


def test_bounds_at_another_level_are_wider():
    for estimate in (
        st.rate(30, 100),
        st.mean(50, 500, 5600),
        st.Estimate(5.0, 4.0, 7.0, 100, "order statistics"),
    ):
        point = crossing.Point(1.0, 100, estimate)
        (a, b), (low, high) = point.bounds(), point.bounds(crossing.SURE)
        assert low < a < b < high


def test_a_quantile_is_ruled_out_by_a_whole_step_only():
    median = crossing.Point(1.0, 100, st.Estimate(20.0, 20.0, 20.0, 100, "order statistics"), 1.0)
    assert median.bounds() == (20.0, 20.0)
    assert median.bounds(crossing.SURE) == (19.0, 21.0)


@pytest.mark.parametrize("axis", [REAL, WHOLE], ids=["real", "whole"])
def test_the_interval_for_many_searches_holds_the_one_for_this(axis):
    for seed in range(10):
        coins = Coins(logistic(5.3, 3.0), seed)
        answer = find(axis, 0.45, coins, 60_000, level=0.999)
        assert answer.wide[0] <= answer.low <= answer.high <= answer.wide[1]
        alone = find(axis, 0.45, coins, 60_000)
        assert (alone.low, alone.high, alone.candidates) == (answer.low, answer.high, answer.candidates)
        if axis is REAL:
            assert answer.wide[1] - answer.wide[0] > answer.high - answer.low


def test_places_are_announced_before_they_are_asked_for():
    coins, announced = Coins(logistic(5.3, 3.0), 3), []
    find(REAL, 0.45, coins, 60_000, announce=lambda places, games: announced.extend((x, games) for x in places))
    assert announced == coins.asked
