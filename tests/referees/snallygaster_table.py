"""The table of The Snallygaster Situation as a trace tells it: events read, players asked, everything kept track of.

Cards, tiles and tokens are numbers in sets and lists, each in one place; whatever the trace draws must lie where it is
drawn from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from simcore.games.snallygaster.layout import (
    BYSTANDERS,
    CURSES,
    HATCHLINGS,
    LIGHTS,
    MIRRORS,
    NONE,
    STARS,
    TREES,
    Ability,
    Decision,
    Deck,
    Event,
    Option,
    Place,
    Source,
    Status,
)
from tests.referees.snallygaster_cards import Box, Ride
from tests.referees.snallygaster_town import town_of

KIDS = {2: 2, 3: 2, 4: 3, 5: 4}
MOST = {
    Place.STAR: STARS,
    Place.MIRROR: MIRRORS,
    Place.TREE: TREES,
    Place.HATCHLING: HATCHLINGS,
    Place.BYSTANDER: BYSTANDERS,
    Place.LIGHT: LIGHTS,
}


class RefereeError(AssertionError):
    """What the trace shows and the rules do not allow: `index` of the event, and a sentence."""

    def __init__(self, index: int, said: str) -> None:
        super().__init__(f"event {index}: {said}")
        self.index, self.said = index, said


class GameOver(Exception):
    """The game has ended; raised to leave whatever was being resolved."""


def split(option: int) -> tuple[Option, int, int, int]:
    """Kind, a, b, c of an option."""
    return Option(option & 15), option >> 4 & 4095, option >> 16 & 63, option >> 22 & 63


def code(kind: Option, a: int = 0, b: int = 0, c: int = 0) -> int:
    """An option as the trace writes it."""
    return int(kind) + 16 * a + 65536 * b + 4194304 * c


@dataclass
class Seat:
    """The Lost Kid (chair 0) or a Kid."""

    chair: int
    ride: Ride
    space: int = NONE
    wheels: set[int] = field(default_factory=set)
    up: set[int] = field(default_factory=set)  # wheels that lie number side up
    reused: bool = False
    items: set[int] = field(default_factory=set)
    tiles: set[int] = field(default_factory=set)
    curses: int = 0
    dodging: bool = False


class Table:
    """The table as the trace shows it so far."""

    def __init__(
        self, configuration: Any, events: Iterable[Any], seating: Sequence[int] = (), forbid: Sequence[Any] = ()
    ) -> None:
        self.given = given = configuration.settings
        self.box, self.town = Box(configuration), town_of(configuration)
        self.rules = configuration.rules[0]  # only to read which op row an ICON names
        self.events: list[tuple[Any, int, int, int, int]] = [
            (Event(int(e["event"])), int(e["seat"]), int(e["a"]), int(e["b"]), int(e["c"])) for e in events
        ]
        self.at = 0
        self.kids = KIDS[given["players"]]
        self.seats = [Seat(i, self.box.no_ride) for i in range(1 + self.kids)]
        self.forbid = [{Option[k.upper()] for k in kinds} for kinds in forbid] or [set()] * len(self.seats)
        self.active = 1  # at set-up the first Kid acts for all
        self.turn = self.round = 0
        self.doom = 0
        self.doom_by: Counter[Source] = Counter()
        self.counts: Counter[str] = Counter()
        # the town
        self.tokens: Counter[int] = Counter()
        self.lying: dict[Place, set[int]] = {place: set() for place in MOST}
        self.fed_at = [0, 0]
        self.held = 0
        self.monster = NONE
        self.hidden = self.box.mechanics == "swoop"  # on the Secret Map Board from the start
        self.fixed_on = NONE
        self.souls = 0
        self.stunned = self.cancelled = False
        # the Lost Kid
        self.hand: list[int] = []
        self.hiding = NONE
        self.powered = NONE
        self.rescued = False
        self.token_left = bool(given["new_hand_token"])
        self.tops = [NONE] * given["piles"]
        self.under: list[set[int]] = [set() for _ in self.tops]
        self.times: dict[tuple[int, int], int] = {}  # card and action: 0, 1, 2
        # decks
        self.draw = {
            Deck.LOST_KID: set(range(len(self.box.clues))),
            Deck.ITEMS: set(range(self.box.item_cards)),
            Deck.SEARCH: set(range(len(self.box.searches))),
        }
        self.discards: dict[int, set[int]] = {d: set() for d in Deck}
        self.open_cards: list[int] = []  # search cards being resolved
        self.moods: dict[int, int] = {}
        self.stacks = [
            {t for t, tile in enumerate(self.box.tiles) if tile.kind == k} for k in range(len(self.box.kinds))
        ]
        self.spent: list[set[int]] = [set() for _ in self.box.kinds]
        self.face_up: set[int] = set()
        self.spares = {i for i, w in enumerate(self.box.wheels) if w.spare}
        # goals
        self.goal = 0
        self.left: list[int] = []
        # this turn
        self.abilities = 0
        self.steps = 0
        self.moving = False  # in the own movement of the turn
        self.sent = False
        self.searched = False
        self.trades = 0
        self.winning = False
        for me in self.seats[1:]:
            me.wheels = {i for i, w in enumerate(self.box.wheels) if not w.spare}
            me.up = set(me.wheels)

    # --- reading the trace ---

    def fail(self, said: str) -> NoReturn:
        raise RefereeError(min(self.at, len(self.events) - 1), f"turn {self.turn}: {said}")

    def peek(self, ahead: int = 0) -> tuple[Any, int, int, int, int]:
        at = self.at + ahead
        return self.events[at] if at < len(self.events) else (None, NONE, NONE, NONE, NONE)

    def take(self, event: Event, why: str, seat: int | None = None, **wanted: int) -> tuple[int, int, int, int]:
        """The next event, which must be this one; returns seat, a, b, c."""
        found = self.peek()
        named = dict(zip(("seat", "a", "b", "c"), found[1:], strict=True))
        if seat is not None:
            wanted["seat"] = seat
        if found[0] != event or any(named[k] != v for k, v in wanted.items()):
            self.unexpected(why, f"{event.name} { {k: int(v) for k, v in wanted.items()} }")
        self.at += 1
        return found[1:]

    def unexpected(self, why: str, expected: str) -> NoReturn:
        event, seat, a, b, c = self.peek()
        if event == Event.END and a == Status.ENDLESS:
            self.fail("the game is broken off as if an effect did not end")
        found = f"{event.name} seat {seat}, a {a}, b {b}, c {c}" if event is not None else "the end of the trace"
        if event in (Event.ASKED, Event.ANSWER):
            found += f" ({Decision(a).name})"
        self.fail(f"{why}: expected {expected}, found {found}")

    def demand(self, true: bool, said: str) -> None:
        if not true:
            self.at -= 1  # about the event just read
            self.fail(said)

    def decide(
        self, seat: int, decision: Decision, legal: Iterable[int], why: str, alike: Sequence[set[int]] = ()
    ) -> tuple[Option, int, int, int]:
        """A player's answer. What is offered must be what is legal; of each set of `alike` one at least."""
        legal = set(legal).union(*alike) - {NONE}
        if not legal:
            self.fail(f"{why}: no option is legal for {decision.name}")
        allowed = {o for o in legal if split(o)[0] not in self.forbid[seat]} or legal
        if self.peek()[0] == Event.ASKED:
            *_, n, _ = self.take(Event.ASKED, why, seat, a=int(decision))
            offered = [self.take(Event.OPTION, why, seat)[1] for _ in range(n)]
            if len(set(offered)) < n:
                self.fail(f"{why}: an option is offered twice")
            more, fewer = set(offered) - allowed, allowed - set(offered)
            fewer -= set().union(*alike)
            fewer |= set().union(*(one for one in alike if one <= allowed and not one & set(offered)))
            if more:
                self.fail(f"{why}: {self.named(more)} offered and not legal")
            if fewer:
                self.fail(f"{why}: {self.named(fewer)} legal and not offered")
        answer = self.take(Event.ANSWER, why, seat, a=int(decision))[2]
        self.demand(answer in allowed, f"{why}: the answer {split(answer)} is not legal")
        return split(answer)

    def named(self, options: Iterable[int]) -> str:
        return ", ".join(f"{k.name}{tuple(r)}" for k, *r in map(split, sorted(options)))

    # --- what lies where ---

    def active_seat(self) -> Seat:
        return self.seats[self.active]

    def around(self) -> list[Seat]:
        """The active seat first, then clockwise."""
        n = len(self.seats)
        return [self.seats[(self.active + i) % n] for i in range(n)]

    def on_board(self, me: Seat) -> bool:
        return me.space != NONE

    def sheltered(self, me: Seat) -> bool:
        return me.space in self.town.house

    def exposed(self) -> list[Seat]:
        """Who can be hit, caught and chased (L18: the rescued Lost Kid too, or not)."""
        immune = self.given["ruling.rescued_lost_kid"] == "immune"
        return [
            me for me in self.seats if self.on_board(me) and not self.sheltered(me) and not (me.chair == 0 and immune)
        ]

    def can(self, me: Seat, ability: Ability) -> bool:
        """By the ride, or by what the active seat has used in this turn."""
        return bool((me.ride.abilities | (self.abilities if me.chair == self.active else 0)) & ability)

    def fed_spaces(self) -> set[int]:
        return self.town.under(0, self.fed_at[0]) | self.town.under(1, self.fed_at[1])

    def kind_held(self, me: Seat, kind: int) -> list[int]:
        return sorted(t for t in me.tiles if self.box.tiles[t].kind == kind)

    def reshuffle(self, deck: int, cards: set[int], into: set[int], why: str) -> None:
        self.take(Event.RESHUFFLE, why, a=deck, b=len(cards))
        into |= cards

    def check_all(self) -> None:
        """Every card, tile and token is in one place; nothing exceeds what is in the box."""
        places = Counter([*self.draw[Deck.LOST_KID], *self.hand, *(c for pile in self.under for c in pile)])
        places.update([self.hiding, *(c for c in self.tops if c != NONE)])
        if places != Counter(range(len(self.box.clues))):
            self.fail("Lost Kid cards are lost or double")
        places = Counter(
            [*self.draw[Deck.ITEMS], *(i for me in self.seats for i in me.items if i < self.box.item_cards)]
        )
        if places != Counter(range(self.box.item_cards)):
            self.fail("item cards are lost or double")
        places = Counter([*self.draw[Deck.SEARCH], *self.discards[Deck.SEARCH], *self.open_cards])
        if places != Counter(range(len(self.box.searches))):
            self.fail("search cards are lost or double")
        places = Counter([t for s in (*self.stacks, *self.spent, *(me.tiles for me in self.seats)) for t in s])
        if places != Counter(range(len(self.box.tiles))):
            self.fail("symbol tiles are lost or double")
        if self.tokens.total() > self.given["search_tokens"] or any(n < 0 for n in self.tokens.values()):
            self.fail("L19: more search tokens lie on the town than are in the box")
        if any(len(lying) > MOST[place] for place, lying in self.lying.items()):
            self.fail("more tokens lie on the town than are in the box")
        if sum(me.curses for me in self.seats) > CURSES:
            self.fail("more curses than are in the box")
