"""Random search with halving: it keeps to its budget and to the ranges, and finds what was planted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from experiments.adapting import search
from experiments.adapting.search import ROTATION, Stage, Try
from simcore.errors import PlayError
from simcore.game import Weight

WEIGHTS = (
    Weight("one", 1.0, "", 0.0, 4.0),
    Weight("two", 0.0, "", -1.0, 1.0),
    Weight("three", 30.0, "", 0.0, 1000.0),
)


def luck(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(some.integers(search.fewest_games(), 2_000_000))
def test_stages_keep_to_the_budget(games: int) -> None:
    plan = search.stages(games)
    assert sum((stage.tries + 1) * stage.games for stage in plan) <= games
    assert all(stage.games % ROTATION == 0 and stage.games > 0 for stage in plan)
    tries = [stage.tries for stage in plan]
    assert search.FEWEST_TRIES <= tries[0] <= search.MOST_TRIES and tries[-1] == search.KEPT
    assert tries == sorted(tries, reverse=True)


@given(some.floats(0, 4), some.floats(-1, 1), some.floats(0, 1000), some.integers(0, 1000))
def test_tries_lie_in_their_ranges_and_none_comes_twice(one: float, two: float, three: float, seed: int) -> None:
    present = {"one": one, "two": two, "three": three}
    found = [t.weights for t in search.propose(WEIGHTS, present, 30, luck(seed))]
    assert len(found) == 30
    for k, weights in enumerate(found):
        assert set(weights) == set(present) and weights != present and weights not in found[:k]
        assert all(w.low <= weights[w.name] <= w.high for w in WEIGHTS)
    assert found == [t.weights for t in search.propose(WEIGHTS, present, 30, luck(seed))]


def test_the_defaults_are_tried_where_others_are_set() -> None:
    usual = {w.name: w.default for w in WEIGHTS}
    assert search.propose(WEIGHTS, {"one": 2.5}, 5, luck())[0].weights == usual
    assert usual not in [t.weights for t in search.propose(WEIGHTS, {}, 50, luck())]


def test_tries_lie_near_the_present_values_and_some_anywhere() -> None:
    found = np.array([t.weights["three"] for t in search.propose(WEIGHTS, {}, 400, luck())])
    moved = found[found != 30]
    assert 0.5 < np.mean(np.abs(moved - 30) < 150) < 0.95  # three standard deviations of the near ones
    assert (moved > 500).sum() > 10
    assert np.mean(found != 30) > 0.7


def test_a_range_without_room_ends_the_search_for_tries() -> None:
    nothing = (Weight("only", 0.5, "", 0.5, 0.5 + 1e-9),)
    assert len(search.propose(nothing, {}, 10, luck())) <= 1


def noisy(optimum: float, noise: float):
    """Wins fall with the distance of `one` from the optimum; games have luck of their own, the same for all tries."""

    def play(weights, first: int, games: int) -> np.ndarray:
        at = 1.0 if weights is None else weights["one"]
        lucky = np.random.default_rng(first).normal(size=games)
        return noise * lucky * (1 + 0.1 * at) - (at - optimum) ** 2

    return play


@pytest.mark.parametrize("optimum", [0.3, 2.2, 3.6])
def test_halving_ends_with_tries_near_a_planted_optimum(optimum: float) -> None:
    tries = search.propose(WEIGHTS, {}, 60, luck())
    plan = search.stages(40_000)
    left = search.halve(tries, plan, noisy(optimum, 1.0))
    assert len(left) == plan[-1].tries
    best = min(abs(t.weights["one"] - optimum) for t in tries)
    assert abs(left[0].weights["one"] - optimum) < best + 0.2
    played = [t.games for t in tries]
    assert max(played) == sum(s.games for s in plan[:-1]) and min(played) == plan[0].games


def test_where_nothing_differs_nothing_is_left() -> None:
    tries = search.propose(WEIGHTS, {}, 20, luck())
    assert search.halve(tries, search.stages(5_000), lambda weights, first, games: np.zeros(games)) == []


def test_a_try_that_cannot_be_played_drops_out() -> None:
    def play(weights, first: int, games: int) -> np.ndarray:
        if weights is not None and weights["one"] > 1.0:
            raise PlayError("no")
        return noisy(4.0, 0.0)(weights, first, games)

    tries = [Try({"one": x, "two": 0.0, "three": 0.0}) for x in (0.5, 3.0, 0.9, 0.7, 2.0)]
    left = search.halve(tries, (Stage(5, 60), Stage(3, 60)), play)
    assert [t.weights["one"] for t in left] == [0.9, 0.7, 0.5]


def test_present_players_that_cannot_play_on_are_an_error() -> None:
    def play(weights, first: int, games: int) -> np.ndarray:
        raise PlayError("no")

    with pytest.raises(PlayError):
        search.halve([Try({"one": 1.0})], (Stage(4, 60), Stage(3, 60)), play)
