"""Positions of any game, caught just before an answer, and what the contract's tests do with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import strategies
from simcore import batch, jit
from simcore import records as records_of_all
from simcore.game import Configuration, Game, Player, Strategy, find_game
from simcore.jit import copy_record
from simcore.play import ENDLESS, fail, own_stream, play_on, random_below
from tests.contract.games import table

NONE = -1


def catch(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """A policy: plays at random; at the decision numbered by its first weight it keeps the game and stops."""
    if game["asked"] == int(rules["weight"][game["player"][seat], 0]):
        copy_record(work["position"], game)
        work["position"]["fault_seat"] = seat
        return -1
    return random_below(game, rules, seat, game["options"])


def keep(game, rules, work, seat):  # type: ignore[no-untyped-def]
    """In place of a game's redeal: nothing is dealt, and the game is kept as it is at the last forced answer."""
    copy_record(work["position"], game)
    return 0


def play_option(game, rules, work, seat, index, sample):  # type: ignore[no-untyped-def]
    """Look ahead: the rest of the turn with option `index`."""
    return play_on(game, rules, work, seat, index, sample)


def peek(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """A cheat: answers by the key of the first stream, which fixes the future."""
    return np.int64(game["key"][0] % np.uint64(game["options"]))


def in_sequence(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """A fault: chance drawn in sequence, from how often anybody was asked in the whole batch."""
    work["position"]["asked"] += 1
    return (work["position"]["asked"] * 7919) % game["options"]


# --- faults of a policy: it is legal but for one answer ---


def beyond_its_options(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Once it was asked often enough, one more than there is."""
    if game["asked"] >= 5:
        return game["options"]
    return random_below(game, rules, seat, game["options"])


def below_its_options(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Less than there is."""
    if game["asked"] >= 5:
        return -7
    return random_below(game, rules, seat, game["options"])


def gives_up(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Says that the game does not end, as a rule does whose effects are too many."""
    if game["asked"] >= 5:
        fail(game, ENDLESS, seat)
    return 0


def divides(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Raises an error."""
    return 1 // (game["options"] - game["options"])


# --- cheats that any game can be told to try: they read, or write, what is shared by all games ---


def memory_of_the_next(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Reads another seat's notes."""
    return abs(game["memory"][(seat + 1) % game["seats"], 0]) % game["options"]


def chance_of_the_next(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Draws from another seat's chance."""
    return random_below(game, rules, (seat + 1) % game["seats"], game["options"])


def answers_of_others(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Reads what others have answered in this turn."""
    return abs(game["answer"][0]) % game["options"]


def start_of_the_turn(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Reads a key of chance in the record that look-aheads play on from."""
    return np.int64(work["turn_start"]["key"][0] % np.uint64(game["options"]))


def what_is_counted(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Reads what the statistics count, and the number of the game."""
    return abs(game["tally"][0] + game["tally"][1] + game["number"]) % game["options"]


def writes_to_the_next(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Spoils another seat's notes."""
    game["memory"][(seat + 1) % game["seats"], 1] += 1
    return 0


def changes_the_future(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Gives a source of chance another key."""
    game["key"][0] += np.uint64(1)
    return 0


def changes_its_chance(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Gives its own chance another key."""
    game["key"][own_stream(game, seat)] += np.uint64(1)
    return 0


def changes_the_count(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Polishes the statistics."""
    game["tally"][2] += 1
    return 0


def makes_options(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Offers itself what the rules do not."""
    game["option"][0] = game["option"][game["options"] - 1]
    return 0


def changes_the_rules(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Writes to what all games share."""
    rules["turn_cap"] += 1
    return 0


def changes_the_turn_start(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Spoils the record that look-aheads play on from."""
    work["turn_start"]["turn"] += 1
    return 0


def changes_the_results(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Wins games that nobody has played."""
    work["games"] += 1
    return 0


def keeps_notes(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """No cheat: notes of its own, scores, and chance of its own."""
    game["memory"][seat, 0] += 1
    work["score"][0] = 1.0
    work["scores"] = 1
    return random_below(game, rules, seat, game["options"])


def deal_nothing(game, rules, work, seat):  # type: ignore[no-untyped-def]
    """In place of a game's redeal: a look-ahead that plays on with the true deal and the true keys."""
    return 0


def own_key(game, rules, work, seat):  # type: ignore[no-untyped-def]
    """Number of the stream of a seat."""
    return own_stream(game, seat)


@cache
def planted(name: str, kernel: str) -> Any:
    """One of the functions above as a kernel of a game."""
    layout = find_game(name).layout
    return jit.kernels(layout.GAME, layout.RULES, layout.WORK)(globals()[kernel])


def copied(record: Any) -> int:
    """Bytes of a game record that a look-ahead copies: all, or up to the mark from which on it does without."""
    marked = records_of_all.UNCOPIED in record.names
    return int(record.fields[records_of_all.UNCOPIED][1] if marked else record.itemsize)


def uncopied(game: str) -> set[str]:
    """Fields that a look-ahead does not copy: it counts on in its own, and writes the others before it reads them."""
    record = find_game(game).layout.GAME
    return {name for name in record.names if record.fields[name][1] >= copied(record)}


@dataclass
class Caught:
    """A game just before `seat` answers, and the same game at the start of this turn."""

    configuration: Configuration
    game: np.ndarray
    turn_start: np.ndarray
    seat: int

    def copy(self) -> Caught:
        return Caught(self.configuration, self.game.copy(), self.turn_start.copy(), self.seat)

    @property
    def within_a_turn(self) -> bool:
        """Whether a turn has begun: not what is asked at set-up."""
        return bool(self.turn_start[0]["number"] == self.game[0]["number"])

    @property
    def at_the_start(self) -> bool:
        """Whether this is the first question of a turn, and chance has given nothing in the turn."""
        drawn = ("shuffles", *table("DRAWN")[self.configuration.game.name])
        first = self.game[0]["answers"] == 0 and self.game[0]["asked"] == self.turn_start[0]["asked"] + 1
        return bool(first) and all(np.array_equal(self.game[0][name], self.turn_start[0][name]) for name in drawn)

    @property
    def decision(self) -> int:
        return int(self.game[0]["decision"])


@cache
def records(name: str) -> tuple[np.ndarray, np.ndarray]:
    """A game and a work record of a game: work is a megabyte, so one for all."""
    layout = find_game(name).layout
    return np.zeros(1, layout.GAME), np.zeros(1, layout.WORK)


@cache
def configurations(name: str) -> tuple[Configuration, ...]:
    """The default with each number of players."""
    game = find_game(name)
    return tuple(game.configure({"players": n}) for n in range(game.seats[0], game.seats[1] + 1))


_rules: dict[tuple[int, str], tuple[Configuration, np.ndarray]] = {}  # keeps its configurations, so no id comes again
MOST_RULES = 40  # records that are kept: one can have megabytes


def rules_for(configuration: Configuration, strategy: Strategy) -> np.ndarray:
    """The rules record of a game in which everyone plays this strategy."""
    key = (id(configuration), strategy.name)
    if key not in _rules:
        if len(_rules) >= MOST_RULES:
            del _rules[next(iter(_rules))]
        rules, _ = batch.prepare(configuration, [Player(strategy)] * configuration.seats)
        _rules[key] = configuration, rules
    return _rules[key][1]


def caught(configuration: Configuration, number: int, asked: int) -> Caught | None:
    """Game `number` of random play at the decision numbered `asked`; None if it ends before."""
    name = configuration.game.name
    rules = rules_for(configuration, Strategy("spy", "", "", planted(name, "catch"), (), looks_ahead=True))
    rules[0]["weight"][:, 0] = asked
    game, work = records(name)
    work[0]["position"]["fault_seat"] = NONE
    work[0]["turn_start"]["number"] = NONE
    configuration.game.kernel("play_block")(game[0], rules[0], work[0], number, 1)
    position = np.array([work[0]["position"]])
    seat = int(position[0]["fault_seat"])
    if seat == NONE:
        return None
    position[0]["fault_seat"] = NONE
    return Caught(configuration, position, np.array([work[0]["turn_start"]]), seat)


@cache
def collection(name: str, each: int = 6) -> tuple[Caught, ...]:
    """Positions of a game within its turns, up to `each` of every decision and configuration."""
    found = []
    for configuration in (*configurations(name), *map(find_game(name).configure, table("RICH")[name])):
        seen: dict[int, int] = {}
        for number in range(20):
            for asked in (*range(1, 12), 17, 23, 30, 38, 55, 80, 110):
                position = caught(configuration, number, asked)
                if position is None:
                    break
                if position.within_a_turn and seen.get(position.decision, 0) < each:
                    seen[position.decision] = seen.get(position.decision, 0) + 1
                    found.append(position)
    return tuple(found)


def ask(position: Caught, strategy: Strategy) -> int:
    """Index of the option that the strategy takes; `position` is changed as the policy changes it."""
    rules = rules_for(position.configuration, strategy)
    _, work = records(position.configuration.game.name)
    position.game[0]["drawn"] = 0
    work[0]["turn_start"] = position.turn_start[0]
    policy = jit.build(strategy.policy)
    return int(policy(position.game[0], rules[0], work[0], position.seat, position.decision))


def redeal(record: Any, position: Caught, sample: int = 0) -> None:
    """What the seat cannot know, dealt anew in `record`; its own stream keeps its key, as a policy needs it."""
    game: Game = position.configuration.game
    rules = rules_for(position.configuration, next(iter(strategies.known(game.name).values())))
    _, work = records(game.name)
    at = int(jit.build(planted(game.name, "own_key"))(record, rules[0], work[0], position.seat))
    key = record["key"][at].copy()
    record["replay_sample"] = sample
    jit.build(game.kernel("redeal"))(record, rules[0], work[0], position.seat)
    record["key"][at] = key
