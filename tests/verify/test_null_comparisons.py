"""Nothing against nothing: the same configuration twice must differ as often as chance says, and no more.

2,000 pairs of runs of 1,200 games. Runs of different seeds are compared by the standard errors that their intervals
imply; runs on the same luck by the per-game difference, whose interval is the program's ``mean``. A change that touches
nothing must give the same games to the last bit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import strategies
from experiments import statistics as st
from experiments.metrics import Counter
from simcore import batch
from simcore.game import Configuration, find_game, games
from simcore.records import SIXTIETHS
from tests.verify import cells
from tests.verify.against import LEAST
from tests.verify.cells import MAIN, SIZE, Played, play

pytestmark = pytest.mark.slow

PAIRS = MAIN.kept
OTHER = replace(MAIN, seed=2, games=PAIRS * SIZE)
SHIFT = 1_000_000_000  # games further on: luck that no game of the batch has
SIGMAS = 4.0
ASKED = [
    *(("win_share", f"{by}={k}") for by in ("seat", "order") for k in range(MAIN.players)),
    *(("win_share", "cover=12"), ("start_edge", ""), ("one_sided_rate", "")),
    *(("turns", ""), ("rounds", ""), ("first_out_wait_share", ""), ("lead_changes", ""), ("first_out_turn", "")),
    *(("hits_per_throw", ""), ("quickshot_hits_per_throw", ""), ("throws", ""), ("clear_outs", ""), ("events", "")),
]
UNTOUCHED = {  # game -> changes that nothing in play can feel
    "snowball": [{"seconds_per_turn": 30.0}, {"kids.pitcher.effect.1": 2}, {"turn_cap": 900}, {"auto_clear_from": 6}],
    "snallygaster": [  # with three players there are two Kids, and no 2x token; other monsters stay in the box
        {"seconds_per_turn": 30.0},
        {"turn_cap": 900},
        {"double_token": False},
        {"items.bedsheet.copies": 3},
        {"lost-kid-cards.beating-wings.movement": 6},
        {"stories.jersey-devil.quest": "item 1", "goals.missing-hens.parts": "rescue"},
    ],
    "spooktacular": [
        {"seconds_per_turn": 30.0},
        {"turn_cap": 900},
        {"automaton": "off"},
        {"monsters": "random+random"},
    ],
}


def near(rate: float, wanted: float, n: int = PAIRS) -> bool:
    """Whether a share of n pairs agrees with the nominal rate."""
    return bool(abs(rate - wanted) <= SIGMAS * np.sqrt(wanted * (1 - wanted) / n))


def error(played: Played, j: int) -> np.ndarray:
    """Standard errors that the 95 % intervals of a row imply, by replication."""
    width = played.high[:, j] - played.low[:, j]
    return np.asarray(width / (2 * st.z_value()))


def apart(one: Played, other: Played, metric: str, group: str) -> np.ndarray:
    """Differences of a row between two runs, in standard errors, by pair."""
    i, j = one.column(metric, group), other.column(metric, group)
    return np.asarray((one.value[:, i] - other.value[:, j]) / np.hypot(error(one, i), error(other, j)))


@pytest.mark.parametrize(("metric", "group"), ASKED, ids=lambda x: x or "all")
def test_two_seeds_differ_at_the_nominal_rate(metric: str, group: str) -> None:
    z = apart(play(MAIN), play(OTHER), metric, group)
    assert np.isfinite(z).all() and len(z) == PAIRS
    for level in (0.9, 0.95, 0.99):
        rate = float((np.abs(z) > st.z_value(level)).mean())
        assert near(rate, 1 - level), f"{rate:.4f} of {PAIRS} pairs differ at {level}"
    p = 2 * stats.norm.sf(np.abs(z))
    assert stats.kstest(p, "uniform").pvalue > LEAST
    assert stats.kstest(z, "norm").pvalue > LEAST


def test_a_rare_rate_differs_less_often() -> None:
    """Two or three ties in a run: Wilson's interval is wider than a difference needs, so this errs on the safe side."""
    z = apart(play(MAIN), play(OTHER), "tie_rate", "")
    assert float((np.abs(z) > st.z_value()).mean()) < 0.05


def test_a_small_fault_of_the_errors_would_be_noticed() -> None:
    """The tests above can fail: one run's value moved by a seventh of an error, or errors a seventh too small."""
    z = apart(play(MAIN), play(OTHER), "turns", "")
    assert stats.kstest(z + 0.15, "norm").pvalue < LEAST
    assert not near(float((np.abs(z / 0.85) > st.z_value()).mean()), 0.05)


@pytest.mark.parametrize(("metric", "group"), ASKED, ids=lambda x: x or "all")
def test_intervals_that_do_not_overlap_are_rarer_still(metric: str, group: str) -> None:
    """What findings call a visible effect between two cells: 0.56 % of A/A pairs instead of 5 %."""
    one, other = play(MAIN), play(OTHER)
    i, j = one.column(metric, group), other.column(metric, group)
    rate = float(((one.low[:, i] > other.high[:, j]) | (other.low[:, j] > one.high[:, i])).mean())
    assert near(rate, 2 * stats.norm.sf(np.sqrt(2) * st.z_value())), rate


def test_all_seats_at_once_hold_together() -> None:
    """Four equal seats, each by its own interval: one of them is off far too often; by the family's, at most 5 %."""
    played = play(MAIN)
    columns = [played.column("win_share", f"seat={k}") for k in range(MAIN.players)]
    fair = 1 / MAIN.players

    def alarms(level: float) -> float:
        off = np.zeros(PAIRS, bool)
        for j in columns:
            bounds = np.array([st.wilson_bounds(v * SIZE, SIZE, level) for v in played.value[:, j]])
            off |= (bounds[:, 0] > fair) | (bounds[:, 1] < fair)
        return float(off.mean())

    assert alarms(st.LEVEL) > 0.12
    assert alarms(st.family(st.LEVEL, len(columns))) < 0.05 + SIGMAS * np.sqrt(0.05 * 0.95 / PAIRS)


# --- on the same luck ------------------------------------------------------------------------------------------------


def totals(configuration: Configuration, games: int) -> tuple[Counter, batch.Totals]:
    line_up = strategies.line_up(configuration.game.name, configuration.seats, ["random"])
    return Counter(configuration, line_up), batch.total(configuration, line_up, games=games, seed=5)


@pytest.mark.parametrize("name", games())
def test_an_untouched_change_gives_the_same_games(name: str) -> None:
    """On the same seed the difference is exactly nothing, in every row that is not in the unit that was changed."""
    assert UNTOUCHED.get(name), "say which changes of this game nothing in play can feel"
    players = find_game(name).seats[0] + 1
    counter, base = totals(find_game(name).configure({"players": players}), 24_000)
    usual = {cells.key(row): row for row in counter.rows(base)}
    for change in UNTOUCHED[name]:
        counter, found = totals(find_game(name).configure({"players": players, **change}), 24_000)
        for field, array in vars(base).items():
            assert np.array_equal(getattr(found, field), array), (change, field)
        rows = {cells.key(row): row for row in counter.rows(found)}
        changed = {k for k in usual if rows.get(k) != usual[k]}
        assert not {k for k in changed if "minutes" not in k[0]}, (change, changed)


REDRAWN = replace(OTHER, seed=MAIN.seed, hooks={"redraw": {"first_player": SHIFT, "snowplow": SHIFT, "items": SHIFT}})


@pytest.mark.parametrize("what", ["share", "turns"])
def test_paired_differences_hold_at_the_nominal_rate(what: str) -> None:
    """Same seed, some of the luck drawn again: the difference per game has mean 0, and its interval says so."""
    one, other = getattr(play(MAIN), what), getattr(play(REDRAWN), what)
    difference = (one - other)[:PAIRS]
    reach = {"share": SIXTIETHS, "turns": None}[what]
    off, z = 0, []
    for d in difference:
        found = st.mean(
            len(d), int(d.sum()), int((d * d).sum()), seen=int((d != 0).sum()) if reach else None, reach=reach
        )
        assert found.low is not None and found.high is not None and found.value is not None
        off += not found.low <= 0 <= found.high
        z.append(found.value / (found.half_width / st.z_value()))
    alike = float((difference == 0).mean())
    assert 0.02 < alike < 0.98, f"{alike:.3f} of the games are alike: no test of pairing"
    assert near(off / len(difference), 0.05), off / len(difference)
    assert stats.kstest(z, "norm").pvalue > LEAST


def test_errors_as_if_independent_are_too_wide_for_pairs() -> None:
    """Why pairs need their own interval: by the two runs' errors far fewer than 5 % of A/A pairs differ."""
    one, other = play(MAIN), play(REDRAWN)
    z = apart(one, other, "win_share", "seat=0")
    rate, spread = float((np.abs(z) > st.z_value()).mean()), float(z.std())
    assert rate < 0.05 and spread < 0.97, (rate, spread)
