"""Equal players win equally often: what symmetry demands of each game, over millions of games.

What must be equal with one strategy for all: the players of the line-up, because it turns by one chair a game; and the
chairs, where the rules single none out. What need not be: turn order. A game that has no such symmetry says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

import strategies
from experiments.metrics import metrics_of
from simcore import batch
from simcore.game import How, find_game, games
from simcore.records import NONE, SIXTIETHS, Status
from tests.verify import cells
from tests.verify.against import LEAST, added

pytestmark = pytest.mark.slow

SIGMAS = 4.0


@dataclass(frozen=True)
class Symmetric:
    """Settings under which all players are alike; `chairs`: no chair is special, one is, or it is not asked (None)."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    strategy: str = "greedy"
    chairs: bool | None = True
    seats: tuple[int, ...] = ()  # numbers of players, all if empty
    games: int = 1_000_200


SYMMETRIC: dict[str, list[Symmetric] | str] = {  # or why a game has none
    "snowball": [
        Symmetric(chairs=None),  # see the strategies' own test below
        Symmetric({"first_player": "random"}, "random", seats=(3,), games=300_000),
        Symmetric({"first_player": "first_seat"}, "random", chairs=False, seats=(4,), games=300_000),
        Symmetric({"kids": "random", "events": 6}, "random", seats=(2, 3), games=300_000),
    ],
    "snallygaster": "all players win together, and who is the Lost Kid does not change from game to game",
    "spooktacular": [Symmetric({}, "random", chairs=None, games=300_000)],  # who plays first finds the fullest rooms
}
CASES = [
    pytest.param(name, players, case, id=f"{name}-{players}-{i}")
    for name in games()
    if not isinstance(SYMMETRIC.get(name, ""), str)
    for i, case in enumerate(SYMMETRIC[name])
    for players in (case.seats or range(find_game(name).seats[0], find_game(name).seats[1] + 1))
    if (name, players, i) != (cells.MAIN.game, cells.MAIN.players, 0)  # that one has ten million games, below
]


def test_every_game_says_what_is_symmetric_in_it() -> None:
    assert set(SYMMETRIC) == set(games())


def equal(counts: np.ndarray) -> float:
    """p-value of counts that should be alike."""
    return float(stats.chisquare(counts).pvalue)


@dataclass
class Won:
    """Wins by player and by chair; share and its standard error by player; wins by turn order."""

    players: np.ndarray
    chairs: np.ndarray
    share: np.ndarray
    error: np.ndarray
    order: np.ndarray


def shares(name: str, players: int, settings: Mapping[str, Any], totals: batch.Totals) -> tuple[np.ndarray, ...]:
    """Mean share by player, its standard error, and mean share by turn order."""
    rows = metrics_of(find_game(name).configure({"players": players, **settings}))
    slots = {m.group: m.a for m in rows if m.name == "win_share" and m.how is How.SHARE}
    by_player = [slots[f"seat={k}"] for k in range(players)]
    n = totals.games
    mean = totals.sum[by_player] / n
    error = np.sqrt((totals.square[by_player] / n - mean**2) / n)
    order = np.array([totals.sum[slots[f"order={k}"]] for k in range(players)])
    return mean / SIXTIETHS, error / SIXTIETHS, order / n / SIXTIETHS


@cache
def won(name: str, players: int, case: int) -> Won:
    given = SYMMETRIC[name][case]
    assert isinstance(given, Symmetric)
    configuration = find_game(name).configure({"players": players, **given.settings})
    line_up = strategies.line_up(name, players, [given.strategy])
    totals = None
    by_player, by_chair = np.zeros((2, players), int)
    for block in batch.play(configuration, line_up, games=given.games // 60 * 60, seed=9, keep=True, block=3000):
        rows = block.outcomes
        assert rows is not None
        rows = rows[(rows["status"] == Status.WON) & (rows["winner"] != NONE)]
        by_player += np.bincount(rows["winner"], minlength=players)
        by_chair += np.bincount((rows["winner"] + rows["number"]) % players, minlength=players)
        totals = added(totals, block.totals)
    assert totals is not None
    return Won(by_player, by_chair, *shares(name, players, given.settings, totals))


@pytest.mark.parametrize(("name", "players", "case"), CASES)
def test_players_who_are_alike_win_alike(name: str, players: int, case: Symmetric) -> None:
    found = won(name, players, SYMMETRIC[name].index(case))
    assert found.players.sum() > 0.9 * case.games, "hardly any game is won"
    assert equal(found.players) > LEAST, found.players
    # shares of all add up to what is not broken off: the fair one is their mean
    off = (found.share - found.share.mean()) / found.error
    assert np.abs(off).max() < SIGMAS, off


@pytest.mark.parametrize(("name", "players", "case"), [c for c in CASES if c.values[2].chairs is not None])
def test_no_chair_is_special_unless_the_rules_say_so(name: str, players: int, case: Symmetric) -> None:
    found = won(name, players, SYMMETRIC[name].index(case))
    if case.chairs:
        assert equal(found.chairs) > LEAST, found.chairs
    else:  # who sits first starts: chairs are the turn order, and that is no symmetry
        assert equal(found.chairs) < LEAST, found.chairs
        by_order = found.order / found.order.sum()
        assert np.abs(found.chairs / found.chairs.sum() - by_order).max() < 0.01


def test_ten_million_games_of_four() -> None:
    played = cells.play(cells.MAIN)
    share, error, order = shares(cells.MAIN.game, cells.MAIN.players, {}, played.totals)
    assert played.totals.games >= 10_000_000
    whole = 1 - played.totals.status[Status.CAPPED] / played.totals.games
    assert share.sum() == pytest.approx(whole, abs=1e-12)
    off = (share - whole / cells.MAIN.players) / error
    assert np.abs(off).max() < SIGMAS, off
    n = cells.MAIN.players
    statistic = float((off**2).sum() * (n - 1) / n)  # shares of a game add up to 1: n - 1 degrees of freedom
    assert stats.chi2.sf(statistic, n - 1) > LEAST
    assert np.abs(order - share.mean()).max() > 20 * error.max(), "turn order makes no difference: a weak test"


def test_a_player_who_differs_is_noticed() -> None:
    """The test can fail: one of four who plays at random, and shares that are off by a quarter of a percent."""
    played = cells.play(cells.MAIN)
    fair = np.full(4, played.totals.games / 4)
    assert equal(fair + [0, 0.0025 * fair[0], -0.0025 * fair[0], 0]) < LEAST
    configuration = find_game("snowball").configure({"players": 4})
    line_up = strategies.line_up("snowball", 4, {"all": "greedy", "2": "random"})
    share, error, _ = shares("snowball", 4, {}, batch.total(configuration, line_up, games=60_000, seed=9))
    off = (share - 0.25) / error
    assert abs(off[2]) > 4 * SIGMAS and np.abs(off[[0, 1, 3]] - off[[0, 1, 3]].mean()).max() < SIGMAS


# --- strategies that know what their chair is called -----------------------------------------------------------------

STRATEGIES = [
    pytest.param(game, name, id=f"{game}-{name}")
    for game in games()
    if not isinstance(SYMMETRIC.get(game, ""), str) and any(case.chairs for case in SYMMETRIC[game])
    for name, strategy in strategies.known(game).items()
    if not strategy.looks_ahead
]


@pytest.mark.parametrize(("game", "name"), STRATEGIES)
def test_no_strategy_prefers_a_chair(game: str, name: str) -> None:
    """With five at the table, all alike, and a start that the cards decide, every chair wins as often."""
    configuration = find_game(game).configure({"players": 5})
    line_up = strategies.line_up(game, 5, [name])
    chairs = np.zeros(5, int)
    for block in batch.play(configuration, line_up, games=60_000, seed=9, keep=True, block=3000):
        rows = block.outcomes
        assert rows is not None
        rows = rows[rows["winner"] != NONE]
        chairs += np.bincount((rows["winner"] + rows["number"]) % 5, minlength=5)
    assert equal(chairs) > LEAST, chairs
