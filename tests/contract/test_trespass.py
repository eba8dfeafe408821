"""What a policy may read and write: noise in what its seat cannot see, planted cheats, look-aheads that know."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import strategies
from simcore import jit
from simcore.game import Strategy, games
from tests.contract.caught import Caught, ask, collection, planted, records, rules_for
from tests.contract.games import table

GAMES = games()
SPOIL = table("SPOIL")
ROOT = Path(__file__).resolve().parent.parent.parent
STRATEGIES = [(game, name) for game in GAMES for name in strategies.known(game)]
QUICK = [(game, name) for game, name in STRATEGIES if not strategies.known(game)[name].looks_ahead]
AHEAD = [(game, name) for game, name in STRATEGIES if strategies.known(game)[name].looks_ahead]
every_game = pytest.mark.parametrize("game", GAMES)
every_strategy = pytest.mark.parametrize(("game", "name"), STRATEGIES)
KEYS_OF_CHANCE = ("asked", "drawn", "answers")  # they key a policy's own chance, and say how long the turn is
MOST = 40  # noise is 0 to this: a card or a seat that a policy takes it for can be looked up


# --- reading ---------------------------------------------------------------------------------------------------------


def scramble(position: Caught, chance: np.random.Generator) -> Caught:
    """The same position to the eyes of its seat; noise in all else, in others' notes and in every other key.

    Likewise in the record of the turn's start, which holds as much of what is hidden.
    """
    fresh = position.copy()
    seat, layout = fresh.seat, position.configuration.game.layout
    own = own_stream_of(position)
    for row in (fresh.game[0], fresh.turn_start[0]):
        own_key = row["key"][own].copy()
        for name in (*layout.HIDDEN, *layout.UNREAD):
            if name not in KEYS_OF_CHANCE:
                row[name] = chance.integers(0, MOST, np.shape(row[name]))
        for name in layout.SEAT_ONLY:
            kept = row[name][seat].copy()
            row[name] = chance.integers(0, MOST, row[name].shape)
            row[name][seat] = kept
        row["key"] = chance.integers(0, 2**63, row["key"].shape)
        row["key"][own] = own_key
    return fresh


def own_stream_of(position: Caught) -> int:
    """Number of the stream of the seat: the last ones are the seats'."""
    row = position.game[0]
    return len(row["key"]) - len(row["policy"]) + position.seat


def told_apart(game: str, strategy: Strategy) -> int:
    """In how many positions, told twice with other noise, the answer is another one."""
    chance = np.random.default_rng(7)
    found = 0
    for position in collection(game):
        usual = ask(position.copy(), strategy)
        found += sum(ask(scramble(position, chance), strategy) != usual for _ in range(2))
    return found


@pytest.mark.parametrize(("game", "name"), QUICK)
def test_noise_that_the_seat_cannot_see_changes_no_answer(game: str, name: str) -> None:
    assert told_apart(game, strategies.known(game)[name]) == 0


@every_game
@pytest.mark.parametrize(
    "cheat",
    ["peek", "memory_of_the_next", "chance_of_the_next", "answers_of_others", "what_is_counted", "start_of_the_turn"],
)
def test_a_cheat_that_reads_is_caught(game: str, cheat: str) -> None:
    assert told_apart(game, Strategy(cheat, "", "", planted(game, cheat))) > 10


@every_game
def test_who_keeps_notes_is_no_cheat(game: str) -> None:
    assert told_apart(game, Strategy("keeps_notes", "", "", planted(game, "keeps_notes"))) == 0


@every_game
def test_every_field_of_the_game_is_public_or_said_not_to_be(game: str) -> None:
    layout = GAMES[game].layout
    said = (*layout.HIDDEN, *layout.SEAT_ONLY, *layout.UNREAD)
    assert len(set(said)) == len(said) and set(said) <= set(layout.GAME.names)
    assert {"key", "shuffles", "answer"} <= set(layout.HIDDEN) and "memory" in layout.SEAT_ONLY
    assert {"tally", "span", "number"} <= set(layout.UNREAD)


# --- writing ---------------------------------------------------------------------------------------------------------

OWN_WORK = {"score", "scores", "kept_score"}
OF_LOOK_AHEADS = {"scratch", "sort_key", "sorted_key", "sort_count", "aside"}  # what a turn played again writes to


def written(position: Caught, strategy: Strategy) -> set[str]:
    """Fields of the three records that an answer changes, but for what a policy may write."""
    rules = rules_for(position.configuration, strategy).copy()
    _, work = records(position.configuration.game.name)
    fresh = position.copy()
    fresh.game[0]["drawn"] = 0
    work[0]["turn_start"] = position.turn_start[0]
    may = {"drawn"} | OWN_WORK | (OF_LOOK_AHEADS if strategy.looks_ahead else set())
    before = {"game": fresh.game.copy(), "rules": rules.copy(), "work": work.copy()}
    jit.build(strategy.policy)(fresh.game[0], rules[0], work[0], position.seat, position.decision)
    found = set()
    for record, now in (("game", fresh.game), ("rules", rules), ("work", work)):
        for name in set(now.dtype.names or ()) - may:
            one, other = before[record][0][name], now[0][name]
            if name == "memory":
                one, other = (np.delete(value, position.seat, axis=0) for value in (one, other))
            if not np.array_equal(one, other):
                found.add(f"{record} {name}")
    return found


@every_strategy
def test_a_policy_writes_only_to_its_notes_and_scores(game: str, name: str) -> None:
    strategy = strategies.known(game)[name]
    for position in collection(game)[::3]:
        assert written(position, strategy) == set(), position.decision


@every_game
def test_what_a_policy_may_write_to_is_there(game: str) -> None:
    assert set(GAMES[game].layout.WORK.names) >= OWN_WORK | OF_LOOK_AHEADS


CULPRITS = {  # a planted policy -> what it writes to
    "writes_to_the_next": "game memory",
    "changes_the_future": "game key",
    "changes_its_chance": "game key",
    "changes_the_count": "game tally",
    "changes_the_rules": "rules turn_cap",
    "changes_the_turn_start": "work turn_start",
    "changes_the_results": "work games",
}


@every_game
@pytest.mark.parametrize(("culprit", "field"), CULPRITS.items())
def test_a_policy_that_writes_elsewhere_is_caught(game: str, culprit: str, field: str) -> None:
    for position in [p for p in collection(game) if p.configuration.seats > 1][:6]:  # alone there is no next seat
        assert written(position, Strategy(culprit, "", "", planted(game, culprit))) == {field}


@every_game
def test_a_policy_that_makes_its_options_is_caught(game: str) -> None:
    found = [written(p, Strategy("options", "", "", planted(game, "makes_options"))) for p in collection(game)]
    assert set().union(*found) == {"game option"}


@every_game
def test_a_policy_that_moves_what_lies_on_the_table_is_caught(game: str) -> None:
    for field, culprit in SPOIL[game].items():
        position = collection(game)[-1]  # a rich one, of several players
        assert written(position, Strategy(f"spoils {field}", "", "", culprit)) == {f"game {field}"}


@every_game
def test_notes_and_scores_may_be_written(game: str) -> None:
    assert written(collection(game)[0], Strategy("keeps_notes", "", "", planted(game, "keeps_notes"))) == set()


# --- looking ahead ---------------------------------------------------------------------------------------------------


@cache
def at_the_start(game: str) -> tuple[Caught, ...]:
    """Positions at the first question of a turn: the rest of the turn is all unknown."""
    return tuple(p for p in collection(game) if p.at_the_start)


def future_counts(game: str, strategy: Strategy, dealer: object) -> int:
    """In how many positions another order of what nobody can see makes another answer, looking ahead with `dealer`."""
    address = jit.address(dealer)
    _, work = records(game)
    found = 0
    for position in at_the_start(game):
        rules = rules_for(position.configuration, strategy).copy()
        rules[0]["redeal"] = address
        answers = []
        for sample in range(6):
            fresh = position.copy()
            if sample:
                shuffled(fresh, sample)
            work[0]["turn_start"] = fresh.turn_start[0]
            answers.append(
                int(jit.build(strategy.policy)(fresh.game[0], rules[0], work[0], fresh.seat, fresh.decision))
            )
        found += len(set(answers)) > 1
    return found


def shuffled(position: Caught, sample: int) -> None:
    """Make a position another one, alike to the seat: dealt by the game itself, from a key of no game."""
    layout = position.configuration.game.layout
    rules = rules_for(position.configuration, next(iter(strategies.known(position.configuration.game.name).values())))
    _, work = records(position.configuration.game.name)
    row = position.game[0]
    own = own_stream_of(position)
    key = row["key"][own].copy()
    row["key"][own] = np.uint64(0x9E3779B97F4A7C15 * sample % 2**64)
    jit.build(position.configuration.game.kernel("redeal"))(row, rules[0], work[0], position.seat)
    row["key"][own] = key
    row["replay_sample"] = 0
    position.turn_start[0]["key"] = row["key"]
    for field in (*layout.HIDDEN, *layout.SEAT_ONLY):
        if field != "answer":
            position.turn_start[0][field] = row[field]


@pytest.mark.parametrize(("game", "name"), AHEAD)
def test_a_look_ahead_is_as_wise_whatever_comes(game: str, name: str) -> None:
    assert len(at_the_start(game)) >= 15
    assert future_counts(game, strategies.known(game)[name], GAMES[game].kernel("redeal")) == 0


@pytest.mark.parametrize(("game", "name"), AHEAD)
def test_a_look_ahead_at_the_true_future_is_caught(game: str, name: str) -> None:
    assert future_counts(game, strategies.known(game)[name], planted(game, "deal_nothing")) > 5


# --- nobody is left out ----------------------------------------------------------------------------------------------


@every_game
def test_every_strategy_that_there_is_takes_part(game: str) -> None:
    """A file with a STRATEGY that is not in ALL would be played by nobody and tested by nothing."""
    files = {p for p in (ROOT / "strategies" / game).glob("*.py") if "\nSTRATEGY = " in p.read_text(encoding="utf-8")}
    assert len(files) == len(strategies.known(game))
    assert {"random"} <= set(strategies.known(game))
