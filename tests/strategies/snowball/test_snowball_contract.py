"""What every Snowball strategy owes the game: legal answers, the same again, none from what its seat cannot see."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import strategies
from simcore import batch
from simcore.game import Player, Strategy, find_game
from simcore.games.snowball import layout
from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import Decision, Deck, Stream
from simcore.play import random_below
from tests.contract.games.snowball import hand_of_the_next, top_of_the_deck
from tests.strategies.snowball.positions import WORK, Caught, ask, collection, kept_rules, player

NAMES = tuple(strategies.known("snowball"))
SNOWBALLS = int(Deck.SNOWBALLS)
every_strategy = pytest.mark.parametrize("name", NAMES)


# --- what a seat cannot see, made something else ---------------------------------------------------------------------


def scramble(position: Caught, chance: np.random.Generator) -> Caught:
    """The same position to its seat's eyes; noise in all that it cannot see, others' notes included."""
    fresh = position.copy()
    row, seat = fresh.game[0], fresh.seat
    own_key = row["key"][Stream.POLICY + seat].copy()
    for name in layout.HIDDEN:
        row[name] = chance.integers(0, 40, row[name].shape)
    for name in layout.SEAT_ONLY:
        own = row[name][seat].copy()
        row[name] = chance.integers(0, 40, row[name].shape)
        row[name][seat] = own
    for name in layout.UNREAD:
        if name not in (
            "asked",
            "drawn",
            "answers",
        ):  # these two key the policy's own chance; a look-ahead counts answers
            row[name] = chance.integers(0, 40, np.shape(row[name]))
    row["key"] = chance.integers(0, 2**63, row["key"].shape)
    row["key"][Stream.POLICY + seat] = own_key
    return fresh


def permute(position: Caught, chance: np.random.Generator) -> Caught:
    """As `scramble`, but a possible game: new keys, and plain snowballs swapped between others' hands and the deck.

    For strategies that play on from the start of the turn. What was played since then stays as it was: the hand of the
    player on turn is left alone, and so is all once a card was drawn.
    """
    fresh = position.copy()
    row, start, seat = fresh.game[0], fresh.turn_start[0], fresh.seat
    rules = position.configuration.rules[0]
    if not np.array_equal(row["shuffles"], start["shuffles"]):  # chance has been used since
        return fresh
    own_key = row["key"][Stream.POLICY + seat].copy()
    for record in (row, start):
        record["key"] = chance.integers(0, 2**63, record["key"].shape)
        record["key"][Stream.POLICY + seat] = own_key
    first, last = start["deck_next"][SNOWBALLS], start["deck_size"][SNOWBALLS]
    if not all(np.array_equal(row[n], start[n]) for n in ("deck_next", "deck_size", "deck")):
        return fresh
    places: list[tuple[str, tuple[int, ...]]] = [("deck", (SNOWBALLS, i)) for i in range(first, last)]
    for other in range(row["seats"]):
        if other != seat and (other != row["active"] or row["answers"] == 0):
            if row["hand_size"][other] == start["hand_size"][other]:
                places += [("hand", (other, i)) for i in range(row["hand_size"][other])]
    kinds = rules["card_kind"]
    places = [
        (f, i) for f, i in places if not rules["is_event"][k := kinds[row[f][i]]] and not rules["is_quickshot"][k]
    ]
    cards = chance.permutation([row[f][i] for f, i in places])
    for (name, index), card in zip(places, cards, strict=True):
        row[name][index] = start[name][index] = card
    return fresh


def told_apart(strategy: Strategy, disguise: Callable = scramble, rounds: int = 2) -> Counter[Decision]:
    """In how many positions, by decision, the strategy answers otherwise when only the unseen differs."""
    chance = np.random.default_rng(7)
    who = Player(strategy)
    found: Counter[Decision] = Counter()
    for position in collection():
        usual = ask(position.copy(), who)
        for _ in range(rounds):
            found[position.decision] += ask(disguise(position, chance), who) != usual
    return found


@every_strategy
def test_answers_do_not_depend_on_what_the_seat_cannot_see(name: str) -> None:
    strategy = player(name).strategy
    assert sum(told_apart(strategy, permute if strategy.looks_ahead else scramble).values()) == 0


@kernel
def memory_of_the_next(game, rules, work, seat, decision):
    return abs(game["memory"][(seat + 1) % game["seats"], 0]) % game["options"]


@kernel
def chance_of_the_next(game, rules, work, seat, decision):
    return random_below(game, rules, (seat + 1) % game["seats"], game["options"])


@kernel
def declined_answers(game, rules, work, seat, decision):
    return game["answer"][0] % game["options"]


@kernel
def what_is_counted(game, rules, work, seat, decision):
    return (game["tally"][69] + game["number"]) % game["options"]


CHEATS = (
    top_of_the_deck,
    hand_of_the_next,
    memory_of_the_next,
    chance_of_the_next,
    declined_answers,
    what_is_counted,
)


@pytest.mark.parametrize("policy", CHEATS, ids=lambda k: getattr(k, "__name__", "cheat"))
def test_a_cheat_is_caught(policy) -> None:  # type: ignore[no-untyped-def]
    assert sum(told_apart(Strategy("cheat", "", "", policy)).values()) > 20


def test_a_cheat_is_caught_by_the_gentler_disguise() -> None:
    assert sum(told_apart(Strategy("cheat", "", "", hand_of_the_next), permute).values()) > 20


# --- answers ---------------------------------------------------------------------------------------------------------


def test_the_positions_ask_every_question() -> None:
    assert {position.decision for position in collection()} == set(Decision)


@every_strategy
def test_every_question_gets_a_legal_answer_and_the_same_again(name: str) -> None:
    for position in collection():
        first = ask(position.copy(), player(name))
        assert 0 <= first < len(position.options), position.decision
        assert ask(position.copy(), player(name)) == first


@every_strategy
def test_a_policy_changes_nothing_but_its_own_memory(name: str) -> None:
    who = player(name)
    may = {"score", "scores", "kept_score"}  # of the work record
    if who.strategy.looks_ahead:
        may |= {"scratch", "sort_key", "sorted_key", "sort_count", "aside"}
    for position in collection()[::3]:
        fresh = position.copy()
        rules = kept_rules(position.configuration, who)
        rules_before = rules.tobytes()
        WORK[0]["turn_start"] = position.turn_start[0]
        work_before = {n: WORK[0][n].copy() for n in WORK.dtype.names or () if n not in may}
        ask(fresh, who)
        for field in layout.GAME.names or ():
            before, after = position.game[0][field], fresh.game[0][field]
            if field == "memory":
                others = [s for s in range(layout.SEATS) if s != position.seat]
                before, after = before[others], after[others]
            if field != "drawn":
                assert np.array_equal(before, after), field
        assert rules.tobytes() == rules_before
        assert all(np.array_equal(WORK[0][n], before) for n, before in work_before.items())


@every_strategy
def test_scores_are_finite_and_name_the_answer(name: str) -> None:
    if name == "random":  # thinks nothing of anything
        return
    for position in collection()[::2]:
        index = ask(position.copy(), player(name))
        count = int(WORK[0]["scores"])
        assert count == len(position.options)
        seen = WORK[0]["score"][:count]
        assert np.isfinite(seen).all()
        assert seen[index] == seen.max()


def test_random_takes_every_option_alike() -> None:
    position = next(p for p in collection() if p.decision == Decision.TURN and len(p.options) >= 5)
    counts = np.zeros(len(position.options))
    for asked in range(6000):
        fresh = position.copy()
        fresh.game[0]["asked"] = asked
        counts[ask(fresh, player("random"))] += 1
    expected = counts.sum() / len(counts)
    assert ((counts - expected) ** 2 / expected).sum() < 3 * len(counts)


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
@every_strategy
def test_whole_games_with_everything_on(name: str, seats: int) -> None:
    games = 12 if name == "lookahead" else 120
    settings = {
        "players": seats,
        "kids": "chosen",
        "quickshots_per_number": 2,
        "ruling.mom_hollering_eliminated": "returns",
    }
    configuration = find_game("snowball").configure(settings)
    others = [player(n) for n in ("cautious", "random", "greedy", "opportunist", "expert")]
    totals = batch.total(configuration, [player(name), *others[: seats - 1]], games=games)
    assert totals.games == games and totals.status[4:].sum() == 0


@every_strategy
def test_games_are_the_same_on_two_threads_and_in_small_blocks(name: str) -> None:
    configuration = find_game("snowball").configure({"players": 3})
    line_up = [player(name), player("cautious"), player("expert")]
    games = 24 if name == "lookahead" else 240
    one = batch.total(configuration, line_up, games=games, threads=1)
    two = batch.total(configuration, line_up, games=games, threads=2, block=12)
    assert np.array_equal(one.sum, two.sum) and np.array_equal(one.histogram, two.histogram)


# --- weights ----------------------------------------------------------------------------------------------------------


WEIGHTS = [(s.name, w.name) for s in strategies.known("snowball").values() for w in s.weights]


@pytest.mark.parametrize(("name", "weight"), WEIGHTS)
def test_every_weight_has_an_effect(name: str, weight: str) -> None:
    """Somewhere, a score changes with the weight."""
    found = next(w for w in player(name).strategy.weights if w.name == weight)
    values = {max(found.low, min(found.high, v)) for v in (found.low, found.high, found.default + 1, 2.0, 0.5)}
    for position in collection():
        ask(position.copy(), player(name))
        usual = WORK[0]["score"][: WORK[0]["scores"]].copy()
        for value in values - {found.default}:
            ask(position.copy(), Player(player(name).strategy, {weight: value}))
            if not np.array_equal(usual, WORK[0]["score"][: WORK[0]["scores"]]):
                return
    pytest.fail(f"{name}:{weight} changes nothing")
