"""Positions for the strategies' tests: caught in real games just before an answer, or laid out by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import strategies
from simcore import batch, jit
from simcore.game import Configuration, Player, Strategy, find_game
from simcore.games.snowball import layout, turn
from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import NONE, Decision, Deck, Option
from simcore.jit import copy_record
from simcore.play import random_below

SNOWBALLS, LOCATIONS, ITEMS = int(Deck.SNOWBALLS), int(Deck.LOCATIONS), int(Deck.ITEMS)


# --- caught in a game ------------------------------------------------------------------------------------------------


@kernel
def catch(game, rules, work, seat, decision):
    """Plays at random; at the decision numbered by its first weight it keeps the game and stops (an illegal answer)."""
    if game["asked"] == int(rules["weight"][game["player"][seat], 0]):
        copy_record(work["position"], game)
        work["position"]["fault_seat"] = seat
        return -1
    return random_below(game, rules, seat, game["options"])


@dataclass
class Caught:
    """A game just before `seat` answers `decision`, and the same game at the start of this turn."""

    configuration: Configuration
    game: np.ndarray
    turn_start: np.ndarray
    seat: int
    decision: Decision

    def copy(self) -> Caught:
        return Caught(self.configuration, self.game.copy(), self.turn_start.copy(), self.seat, self.decision)

    @property
    def options(self) -> list[int]:
        return [int(o) for o in self.game[0]["option"][: self.game[0]["options"]]]


WORK = np.zeros(1, layout.WORK)  # a record of a megabyte: one for all


@cache
def _rules(configuration_number: int, label: str) -> np.ndarray:
    return rules_for(_configurations[configuration_number], _players[label])


_configurations: dict[int, Configuration] = {}
_players: dict[str, Player] = {}


def rules_for(configuration: Configuration, who: Player, seed: int = 1) -> np.ndarray:
    """The rules record of a game in which everyone plays like `who`."""
    return batch.prepare(configuration, [who] * configuration.seats, seed=seed)[0]


def kept_rules(configuration: Configuration, who: Player) -> np.ndarray:
    """The same, made once for a configuration and a player."""
    _configurations[id(configuration)] = configuration
    _players[who.label] = who
    return _rules(id(configuration), who.label)


SPY = Player(Strategy("spy", "", "", catch, (), looks_ahead=True))


def caught(configuration: Configuration, number: int, asked: int) -> Caught | None:
    """Game `number` of random play at decision `asked`; None if it ends before."""
    rules = kept_rules(configuration, SPY)
    rules[0]["weight"][:, 0] = asked
    game = np.zeros(1, layout.GAME)
    WORK[0]["position"]["fault_seat"] = NONE
    configuration.game.kernel("play_block")(game[0], rules[0], WORK[0], number, 1)
    position = np.array([WORK[0]["position"]])
    seat = int(position[0]["fault_seat"])
    if seat == NONE:
        return None
    position[0]["fault_seat"] = NONE
    turn_start = np.array([WORK[0]["turn_start"]])
    return Caught(configuration, position, turn_start, seat, Decision(int(position[0]["decision"])))


MANY = (  # configurations that between them ask every question
    {"players": 2},
    {"players": 3},
    {"players": 4, "kids": "random"},
    {"players": 5, "kids": "chosen", "quickshots_per_number": 2},
    {"players": 6, "ruling.quickshot_answers_quickshot": True, "ruling.mom_hollering_eliminated": "returns"},
)


@cache
def collection(each: int = 12) -> tuple[Caught, ...]:
    """Positions from random games, up to `each` of every decision and configuration."""
    found = []
    for settings in MANY:
        configuration = find_game("snowball").configure(settings)
        seen: dict[Decision, int] = {}
        for number in range(60):
            for asked in (*range(1, 8), *range(8, 40, 3)):
                position = caught(configuration, number, asked)
                if position is None:
                    break
                if seen.get(position.decision, 0) < each:
                    seen[position.decision] = seen.get(position.decision, 0) + 1
                    found.append(position)
    return tuple(found)


# --- asking ----------------------------------------------------------------------------------------------------------


@cache
def player(text: str) -> Player:
    return strategies.player("snowball", text)


def ask(position: Caught, who: Player, work: np.ndarray = WORK) -> int:
    """Index of the option that `who` takes; `position` is changed as the policy changes it."""
    rules = kept_rules(position.configuration, who)
    position.game[0]["drawn"] = 0
    work[0]["turn_start"] = position.turn_start[0]
    policy = jit.build(who.strategy.policy)
    return int(policy(position.game[0], rules[0], work[0], position.seat, int(position.decision)))


def answer(position: Caught, text: str) -> tuple[Option, int, int, int]:
    """The option that the strategy `text` takes, in parts; `position` stays as it is."""
    fresh = position.copy()
    index = ask(fresh, player(text))
    return layout.option_parts(fresh.options[index])


def scores(position: Caught, text: str) -> dict[int, float]:
    """What the strategy thought of each option."""
    fresh = position.copy()
    ask(fresh, player(text))
    return {o: float(WORK[0]["score"][i]) for i, o in enumerate(fresh.options[: WORK[0]["scores"]])}


# --- laid out by hand ------------------------------------------------------------------------------------------------


@dataclass
class Kid:
    """One player of a position laid out by hand. `hand` and `stack`: numbers, a QuickShot negative."""

    gear: int = 3
    cover: int = 12
    stack: Sequence[int] = ()
    hand: Sequence[int] = (4, 5)
    item: str = ""
    cleared_last: int = 0


@dataclass
class Box:
    """The cards of a configuration, taken one by one."""

    configuration: Configuration
    taken: set[tuple[int, int]] = field(default_factory=set)

    def _take(self, deck: int, cards: Iterator[int], what: str) -> int:
        for card in cards:
            if (deck, card) not in self.taken:
                self.taken.add((deck, card))
                return card
        raise LookupError(f"no {what} left")

    def snowball(self, number: int) -> int:
        rules = self.configuration.rules[0]

        def fits(card: int) -> bool:
            kind = rules["card_kind"][card]
            return rules["number"][kind] == abs(number) and rules["is_quickshot"][kind] == (number < 0)

        return self._take(SNOWBALLS, filter(fits, range(rules["cards"])), f"snowball {number}")

    def location(self, cover: int) -> int:
        """A location with this cover, or, where they are all taken, any: the position says the cover anyway."""
        rules = self.configuration.rules[0]
        cards = range(rules["location_cards"])
        fitting = [c for c in cards if rules["location_cover"][rules["location_kind"][c]] == cover]
        return self._take(LOCATIONS, iter([*fitting, *cards]), f"location {cover}")

    def item(self, slug: str) -> int:
        rules = self.configuration.rules[0]
        kind = list(self.configuration.content.sections["items"]).index(slug)
        return self._take(ITEMS, (c for c in range(rules["item_cards"]) if rules["item_kind"][c] == kind), slug)


def lay_out(kids: Sequence[Kid], seat: int = 0, gone: Sequence[int] = (), **settings: Any) -> Caught:
    """A position at the start of `seat`'s turn; `gone`: numbers in the discards, a QuickShot negative."""
    configuration = find_game("snowball").configure({"players": len(kids), **settings})
    rules = configuration.rules[0]
    game = np.zeros(1, layout.GAME)
    row, box = game[0], Box(configuration)
    row["seats"], row["active"], row["winner"], row["decision"] = len(kids), seat, NONE, Decision.TURN
    row["living"] = sum(kid.gear > 0 for kid in kids)
    for name in ("location", "stack", "stack_item", "kid", "under", "item_under"):
        row[name] = NONE
    row["thrown_item"] = row["thrown"] = row["first_out"] = row["fault_seat"] = NONE
    for i, kid in enumerate(kids):
        row["player"][i], row["gear"][i], row["cleared_last"][i] = i, kid.gear, kid.cleared_last
        if kid.gear == 0:
            continue
        row["location"][i] = box.location(kid.cover)
        row["cover"][i] = kid.cover
        for card in kid.stack:
            put(row, box.snowball(card), i, abs(card))
        for slot, card in enumerate(kid.hand):
            row["hand"][i, slot] = box.snowball(card)
        row["hand_size"][i] = len(kid.hand)
        row["hand_quickshots"][i] = np.bitwise_or.reduce(rules["quickshot_bit"][row["hand"][i, : len(kid.hand)]])
        if kid.item:
            row["held"][i, 0], row["helds"][i] = box.item(kid.item), 1
            row["cover"][i] += rules["item_cover"][rules["item_kind"][row["held"][i, 0]]]
            row["held_uses"][i] = rules["item_use"][row["held"][i, 0]]
    for card in gone:
        row["discard"][SNOWBALLS, row["discards"][SNOWBALLS]] = box.snowball(card)
        row["discards"][SNOWBALLS] += 1
    for deck, size in ((SNOWBALLS, rules["cards"]), (LOCATIONS, rules["location_cards"]), (ITEMS, rules["item_cards"])):
        rest = [c for c in range(size) if (deck, c) not in box.taken]
        row["deck"][deck, : len(rest)] = rest
        row["deck_size"][deck] = len(rest)
    position = Caught(configuration, game, game, seat, Decision.TURN)
    barred = int(row["living"] == 2 and rules["two_player_clear_rule"] and row["cleared_last"][seat])
    jit.build(turn.offer_turn)(row, rules, seat, barred)
    return position


def put(row: Any, card: int, seat: int, number: int) -> None:
    """Put a snowball on a stack."""
    row["under"][card], row["stack"][seat] = row["stack"][seat], card
    row["stack_size"][seat] += 1
    row["total"][seat] += number
    row["reached"][seat] |= row["total"][seat] >= row["cover"][seat]


def thrown_at(position: Caught, thrower: int, target: int, number: int, decision: Decision, seat: int) -> Caught:
    """The same table while `thrower` throws `number` at `target`, and `seat` is asked."""
    row = position.game[0]
    row["active"] = row["thrower"] = row["shooter"][0] = thrower
    row["thrown_at"], row["thrown_power"], row["thrown_number"], row["decision"] = target, number, number, decision
    row["options"] = 0
    if decision == Decision.QUICKSHOT:
        row["shooters"] = 1
        row["total"][target] += number
        row["hit"][target] = row["total"][target] >= row["cover"][target]
        rules = position.configuration.rules[0]
        kinds = [rules["card_kind"][c] for c in row["hand"][seat, : row["hand_size"][seat]]]
        slot = next(i for i, k in enumerate(kinds) if rules["number"][k] == number and rules["is_quickshot"][k])
        offer(row, option(Option.PASS), option(Option.QUICKSHOT, slot))
    elif decision == Decision.BAT:
        offer(row, option(Option.PASS), option(Option.BAT, 0, 1 + thrower))
    return Caught(position.configuration, position.game, position.game, seat, decision)


def option(kind: Option, a: int = 0, b: int = 0, c: int = 0) -> int:
    return kind + 16 * a + 1024 * b + 65536 * c


def offer(row: Any, *options: int) -> None:
    row["option"][: len(options)] = options
    row["options"] = len(options)


def number_thrown(position: Caught, chosen: tuple[Option, int, int, int]) -> int:
    """Number of the card that a THROW names."""
    rules = position.configuration.rules[0]
    return int(rules["number"][rules["card_kind"][position.game[0]["hand"][position.seat, chosen[1]]]])
