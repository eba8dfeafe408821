"""Asking a player, restrictions, forced answers, a policy's own chance, and counting, one kernel at a time."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore import jit, play, records
from simcore.games.snowball import layout
from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import Event, Status, Stream
from simcore.play import clear_block, count_game, log, new_keys, offer, own_stream, random_below, restrict
from tests.simcore.chance import LEAST, alike

decide_ = play.decide
EVERY_KIND = np.uint64(2**64 - 1)


@kernel
def offer_upto(game, rules, work, n):
    game["options"] = 0
    for i in range(n):
        offer(game, i)
    return game["options"]


@kernel
def restrict_to(game, rules, work, u_mask):
    restrict(game, u_mask)
    return game["options"]


@kernel
def decide(game, rules, work, seat, decision):
    return decide_(game, rules, work, seat, decision)


@kernel
def says_what_the_rules_say(game, rules, work, seat, decision):
    """Its answer is its first weight; it counts in its memory how often it was asked."""
    game["memory"][seat, 0] += 1
    return int(rules["weight"][game["player"][seat], 0])


@kernel
def draw_below(game, rules, work, seat, n):
    return random_below(game, rules, seat, n)


@kernel
def make_new_keys(game, rules, work, seat):
    new_keys(game, seat)
    return own_stream(game, seat)


@kernel
def count(game, rules, work, clear):
    if clear == 1:
        clear_block(rules, work)
    count_game(game, rules, work)
    return 0


@kernel
def write_log(game, rules, work, n):
    for i in range(n):
        log(game, work, 7, 1, i, -i, 2 * i)
    return work["traced"]


@kernel
def deal_nothing(game, rules, work, seat):
    game["fault_answer"] = 100 + seat  # a mark: it was called
    return 0


Records = tuple[Any, Any, Any]


@pytest.fixture
def three() -> Records:
    """Fresh records: four seats, nothing offered, everybody answers what the rules say."""
    game, rules, work = (np.zeros(1, d)[0] for d in (layout.GAME, layout.RULES, layout.WORK))
    game["seats"] = 4
    game["player"] = game["entry"] = [2, 3, 0, 1, 0, 0]
    game["fault_seat"] = records.NONE
    game["policy"] = jit.address(says_what_the_rules_say)
    rules["mask"] = EVERY_KIND
    rules["redeal"] = jit.address(deal_nothing)
    return game, rules, work


def put(game: Any, *options: int) -> None:
    game["option"][: len(options)] = options
    game["options"] = len(options)


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, layout.OPTIONS])
def test_options_are_offered_in_order(three: Records, n: int) -> None:
    assert jit.build(offer_upto)(*three, n) == n
    assert three[0]["option"][:n].tolist() == list(range(n)) and three[0]["status"] == Status.PLAYING


def test_one_option_too_many_is_a_fault_not_a_wrong_game(three: Records) -> None:
    assert jit.build(offer_upto)(*three, layout.OPTIONS + 1) == layout.OPTIONS
    assert three[0]["status"] == Status.ENDLESS


@given(st.lists(st.integers(0, 2**20), min_size=1, max_size=20), st.integers(0, 2**16 - 1))
def test_a_restriction_keeps_the_allowed_kinds_in_order(options: list[int], mask: int) -> None:
    game, rules, work = (np.zeros(1, d)[0] for d in (layout.GAME, layout.RULES, layout.WORK))
    put(game, *options)
    left = jit.build(restrict_to)(game, rules, work, np.uint64(mask))
    allowed = [o for o in options if mask >> (o & 15) & 1]
    assert game["option"][:left].tolist() == (allowed or options)


# --- a decision ------------------------------------------------------------------------------------------------------


def test_a_player_is_asked_and_the_answer_kept(three: Records) -> None:
    game, rules, work = three
    work["tracing"] = 1
    rules["weight"][0, 0] = 2  # player 0 sits on seat 2
    put(game, 30, 31, 32)
    assert jit.build(decide)(*three, 2, 5) == 32
    assert (game["decision"], game["asked"], game["answers"], game["answer"][0]) == (5, 1, 1, 2)
    assert game["memory"][:, 0].tolist() == [0, 0, 1, 0, 0, 0]
    assert work["traced"] == 1
    assert work["trace"][0].tolist() == (Event.ANSWER, 2, 5, 32, 0)


def test_who_has_no_choice_is_not_asked(three: Records) -> None:
    game, *_ = three
    put(game, 30)
    assert jit.build(decide)(*three, 2, 5) == 30
    assert not game["memory"].any() and game["asked"] == game["answers"] == 1


@pytest.mark.parametrize("answer", [-1, 3, 10**9, -(2**40)])
def test_an_answer_outside_the_options_is_a_fault(three: Records, answer: int) -> None:
    game, rules, _ = three
    rules["weight"][:, 0] = answer
    put(game, 30, 31, 32)
    assert jit.build(decide)(*three, 1, 5) == 30
    assert (game["status"], game["fault_seat"], game["fault_answer"]) == (Status.ILLEGAL, 1, answer)
    rules["weight"][:, 0] = 77  # the first fault counts
    jit.build(decide)(*three, 3, 6)
    assert (game["fault_seat"], game["fault_answer"]) == (1, answer)


def test_a_mask_is_its_players(three: Records) -> None:
    game, rules, _ = three
    rules["mask"][0] = np.uint64(0b10)
    rules["weight"][:, 0] = 1
    for seat, expected in ((2, 17), (1, 18)):
        put(game, 16, 18, 17, 33)
        if seat == 2:
            rules["weight"][0, 0] = 0
        assert jit.build(decide)(*three, seat, 0) == expected


def test_forced_answers_are_given_and_the_rest_dealt_anew_at_the_last(three: Records) -> None:
    game, _, _ = three
    game["answer"][:2], game["forced"], game["replay_seat"] = [2, 1], 2, 3
    put(game, 30, 31, 32)
    assert jit.build(decide)(*three, 0, 0) == 32 and game["fault_answer"] == 0
    assert jit.build(decide)(*three, 1, 0) == 31 and game["fault_answer"] == 103
    assert not game["memory"].any()
    assert jit.build(decide)(*three, 1, 0) == 30 and game["memory"][1, 0] == 1
    assert game["answers"] == 3 and game["status"] == Status.PLAYING


def test_too_many_decisions_in_a_turn_are_a_fault(three: Records) -> None:
    game, *_ = three
    for _ in range(layout.ANSWERS + 1):
        put(game, 30, 31)
        assert jit.build(decide)(*three, 0, 0) == 30
    assert game["status"] == Status.ENDLESS and game["answers"] == layout.ANSWERS


def test_a_script_comes_before_the_policy_but_not_in_a_scratch_game(three: Records) -> None:
    game, rules, work = three
    rules["script"][:2], rules["scripted"] = [32, 31], 2
    put(game, 30, 31, 32)
    game["silent"] = 1
    assert jit.build(decide)(*three, 0, 0) == 30
    game["silent"] = 0
    assert [jit.build(decide)(*three, 0, 0) for _ in range(3)] == [32, 31, 30]
    assert work["script_next"] == 2


# --- log -------------------------------------------------------------------------------------------------------------


def test_the_log_holds_so_many_events_from_the_first_wanted(three: Records) -> None:
    game, _, work = three
    assert jit.build(write_log)(*three, 5) == 0  # not tracing
    work["tracing"] = 1
    game["silent"] = 1
    assert jit.build(write_log)(*three, 5) == 0
    game["silent"] = 0
    work["trace_first"] = 10
    assert jit.build(write_log)(*three, records.TRACE + 50) == records.TRACE + 50
    assert work["trace"]["a"].tolist() == list(range(10, records.TRACE + 10))
    assert work["trace"][0].tolist() == (7, 1, 10, -10, 20)


# --- a policy's own chance -------------------------------------------------------------------------------------------


def test_draws_depend_on_seat_decision_and_draw_only(three: Records) -> None:
    game, *_ = three
    game["key"] = np.arange(1, layout.STREAMS + 1, dtype=np.uint64) * np.uint64(0x9E37)
    seen: dict[tuple[int, int, int], int] = {}
    for seat in (0, 3):
        for asked in range(40):
            game["asked"], game["drawn"] = asked, 0
            for drawn in range(3):
                seen[seat, asked, drawn] = jit.build(draw_below)(*three, seat, 10**9)
            assert game["drawn"] == 3
    assert len(set(seen.values())) == len(seen)
    game["key"][: Stream.POLICY] += np.uint64(5)  # other streams do not matter
    game["asked"], game["drawn"] = 7, 0
    assert jit.build(draw_below)(*three, 3, 10**9) == seen[3, 7, 0]


def test_draws_are_uniform(three: Records) -> None:
    game, *_ = three
    game["key"][Stream.POLICY] = np.uint64(99)
    below = jit.build(draw_below)
    counts = np.zeros(5, int)
    for asked in range(3000):
        game["asked"], game["drawn"] = asked, 0
        counts[below(*three, 0, 5)] += 1
        counts[below(*three, 0, 5)] += 1
    assert alike(counts) > LEAST


def test_new_keys_come_from_the_own_stream_decision_and_sample_alone(three: Records) -> None:
    game, rules, work = three
    chance = np.random.default_rng(1)

    def keys(own: int, asked: int, sample: int, seat: int = 2) -> tuple[int, ...]:
        game["key"] = chance.integers(0, 2**63, layout.STREAMS).astype(np.uint64)
        game["key"][Stream.POLICY + seat] = np.uint64(own)
        game["asked"], game["replay_sample"], game["shuffles"] = asked, sample, 5
        assert jit.build(make_new_keys)(game, rules, work, seat) == Stream.POLICY + seat
        assert not game["shuffles"].any()
        return tuple(game["key"].tolist())

    assert keys(1, 2, 3) == keys(1, 2, 3) == keys(1, 2, 3, seat=0)
    many = [keys(own, asked, sample) for own in (1, 2) for asked in range(1, 9) for sample in range(9)]
    flat = [k for row in many for k in row]
    assert len(set(flat)) == len(flat)


# --- counting --------------------------------------------------------------------------------------------------------


def test_games_are_counted(three: Records) -> None:
    game, rules, work = three
    rules["tallies"], rules["pairs"] = 3, 2
    rules["pair_a"][:2], rules["pair_b"][:2] = [0, 2], [1, 2]
    for name in ("sum", "square", "fired", "cross", "ended"):
        work[name] = 999  # of the block before
    work["histogram"] = 999
    for i, (tally, span, status) in enumerate(
        [([1, -2, 3], 4, Status.WON), ([0, 5, 7], -1, Status.TIED), ([2, 2, 0], 10**6, Status.CAPPED)]
    ):
        game["tally"][:3], game["span"], game["status"], game["asked"] = tally, span, status, 10
        jit.build(count)(*three, int(i == 0))
    assert (work["games"], work["decisions"]) == (3, 30)
    assert work["sum"][:3].tolist() == [3, 5, 10]
    assert work["square"][:3].tolist() == [5, 33, 58]
    assert work["fired"][:3].tolist() == [2, 3, 2]
    assert work["cross"][:2].tolist() == [1 * -2 + 0 + 4, 58]
    assert work["ended"].tolist() == [0, 1, 1, 1, 0, 0, 0]
    expected = np.zeros(records.BINS, int)
    expected[4] = expected[records.BINS - 1] = 1
    assert (work["histogram"] == expected).all()
