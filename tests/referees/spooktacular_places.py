"""What Spooktacular's effects refer to: rooms, players, pieces and counts, from the view of whose effect it is.

A ``Run`` is an effect that is being done: whose it is, from which monster's text, and what it has picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import floor

from simcore.games.spooktacular.layout import (
    BOARD,
    COLOURS,
    EXTRA,
    NONE,
    TRACK,
    Bar,
    Count,
    Event,
    Option,
    Place,
    Points,
    Rule,
    Who,
)
from tests.referees.spooktacular_table import BY_KIND, Choice, Table, option


@dataclass
class Picked:
    """What an effect goes on about: that room, that player, that figure or token, that colour, that space."""

    room: int = NONE
    who: int = NONE
    piece: tuple[int, int] | None = None  # owner and piece
    colour: int = NONE
    space: int = NONE  # of the board, from 0


@dataclass
class Run:
    """An effect that is being done."""

    seat: int
    kit: str  # whose text it is: names of abilities, spaces and tokens are that monster's
    basic: bool = False  # a basic card's text
    scaled: bool = False  # an estimated text
    at: int = NONE  # the room from which it works, NONE: the acting figure's
    picked: Picked = field(default_factory=Picked)


class Places(Table):
    """The table, and what a text means by its words."""

    def room_of(self, run: Run) -> int:
        return run.at if run.at != NONE else self.here(run.seat)

    def kind(self, run: Run, kind: int) -> int:
        """The seat's own kind of pieces that a text means; NONE if it has none (P23)."""
        me = self.seats[run.seat]
        if run.kit == me.kit:
            return kind
        other = self.content.sections["monsters"][run.kit]
        if kind < min(len(other.figures), len(me.monster.figures)):
            return kind  # figures stand for figures
        name = list(other.kinds)[kind]
        return me.kinds.index(name) if name in me.kinds else NONE

    def pieces_of(self, run: Run, kind: int) -> list[int]:
        own = self.kind(run, kind)
        return [] if own == NONE else self.seats[run.seat].pieces(own)

    def piece_rooms(self, run: Run, kind: int) -> set[int]:
        """Rooms in which the seat's pieces of a kind are."""
        me = self.seats[run.seat]
        return {me.at[i] for i in self.pieces_of(run, kind) if self.is_room(me.at[i])}

    # --- rooms ---

    def places(self, run: Run, place: int, origin: int | None = None) -> list[int]:
        """The rooms that a place stands for; `origin`: it is a destination from there."""
        what, kind = place % BY_KIND, place // BY_KIND
        here = self.room_of(run)
        start = here if origin is None else origin
        if what == Place.HERE:
            return [here] if here != NONE else []
        if what == Place.THERE:
            return [run.picked.room] if run.picked.room != NONE else []
        if what == Place.ANY:
            return [*self.rooms]
        if what == Place.OTHER:
            return [r for r in self.rooms if r != start]
        if what == Place.NEXT:
            return self.joined(run.seat, start)
        if what == Place.NEXT_THERE:
            return self.joined(run.seat, run.picked.room)
        if what == Place.MONSTER:
            return [r for r in self.rooms if any(self.has_monster(r, s) for s in self.others(run.seat))]
        if what == Place.GUESTS:
            return [r for r in self.rooms if self.guests[r].total()]
        if what in (Place.FEWEST, Place.MOST):
            best = (min if what == Place.FEWEST else max)(self.guests[r].total() for r in self.rooms)
            return [r for r in self.rooms if self.guests[r].total() == best]
        if what == Place.WITH:
            return [r for r in self.rooms if r in self.piece_rooms(run, kind)]
        if what == Place.WITHOUT:
            return [r for r in self.rooms if r not in self.piece_rooms(run, kind)]
        assert what == Place.INSIDE
        own = self.kind(run, kind)
        inside = own != NONE and own == self.seats[run.seat].room_kind
        return [EXTRA + run.seat] if inside and self.tomb_of(run.seat) != NONE else []

    def near(self, run: Run, room: int) -> set[int]:
        """A room and those joined to it."""
        return {room, *self.joined(run.seat, room)} - {NONE}

    def spook_doors(self, seat: int, room: int) -> list[tuple[int, tuple[int, int] | None]]:
        """Doors of a room through which a guest may leave."""
        if self.barred(room, Bar.GUEST_LEAVES):
            return []
        return [(to, token) for to, token in self.exits(seat, room, True) if self.guest_may_go(room, to)]

    # --- players ---

    def players_in(self, run: Run, rooms: set[int]) -> list[int]:
        """Other players with a monster in one of these rooms, clockwise."""
        return [s for s in self.others(run.seat) if any(self.has_monster(r, s) for r in rooms)]

    def who(self, run: Run, who: int, why: str) -> int:
        """The other player that a text means; NONE if there is none."""
        others = self.others(run.seat)
        if who == Who.THAT:
            return run.picked.who
        if who == Who.LEADER:
            most = max(self.seats[s].points for s in others)
            others = [s for s in others if self.seats[s].points == most]
        elif who == Who.HERE:
            others = self.players_in(run, {self.room_of(run)})
        return self.choose_player(run.seat, others, why)

    # --- numbers ---

    def count(self, run: Run, count: int) -> int:
        what, kind = count % BY_KIND, count // BY_KIND
        me, here, there = self.seats[run.seat], self.room_of(run), run.picked.room
        nobody = self.guests.get(NONE, None)
        assert nobody is None
        if what in (Count.GUESTS_HERE, Count.COLOURS_HERE, Count.GUESTS_THERE, Count.COLOURS_THERE):
            room = here if what in (Count.GUESTS_HERE, Count.COLOURS_HERE) else there
            if room == NONE:
                return 0
            guests = what in (Count.GUESTS_HERE, Count.GUESTS_THERE)
            return self.guests[room].total() if guests else len(self.colours(room))
        if what == Count.PLAYERS_HERE:
            return len(self.players_in(run, {here}))
        if what == Count.PLAYERS_NEAR:
            return len(self.players_in(run, self.near(run, here)))
        if what == Count.DOORS_HERE:
            return len(self.spook_doors(run.seat, here)) if here != NONE else 0
        if what == Count.INSIDE:
            return sum(self.guests[r].total() for r in self.places(run, Place.INSIDE + BY_KIND * kind))
        if what >= Count.TOKEN_ROOMS:
            return self.count_tokens(run, what, kind, here, there)
        return {
            Count.PILE: me.pile.total(),
            Count.PILE_COLOURS: len(+me.pile),
            Count.TICKETS: me.tickets,
            Count.HAND: len(me.hand),
            Count.PASSENGERS: me.held.total(),
            Count.PASSENGER_COLOURS: len(+me.held),
            Count.SPOOKED: self.turn_counts["spooked"],
            Count.DEVOURED: self.turn_counts["devoured"],
            Count.PLAYED: self.turn_counts["played"],
            Count.RETURNED: self.turn_counts["returned"],
            Count.BEHIND: max(0, max(self.seats[s].points for s in self.others(run.seat)) - me.points),
        }[Count(what)]

    def count_tokens(self, run: Run, what: int, kind: int, here: int, there: int) -> int:
        me = self.seats[run.seat]
        at = [me.at[i] for i in self.pieces_of(run, kind)]
        rooms = {a for a in at if self.is_room(a)}
        return {
            Count.TOKEN_ROOMS: len(rooms),
            Count.TOKENS_OUT: sum(self.is_room(a) for a in at),
            Count.TOKENS_TRACK: sum(TRACK <= a for a in at),
            Count.TOKENS_BOARD: sum(BOARD <= a < TRACK for a in at),
            Count.TOKENS_HERE: at.count(here) if here != NONE else 0,
            Count.TOKENS_THERE: at.count(there) if there != NONE else 0,
            Count.TOKEN_GUESTS: sum(self.guests[r].total() for r in rooms),
            Count.TOKEN_PLAYERS: len(self.players_in(run, rooms)),
        }[Count(what)]

    def amounts(self, run: Run, number: int) -> tuple[int, int]:
        """Least and most of a number of a text, by kit_strength: floor(n s + u), u below 1."""
        exact = number * float(self.given["kit_strength"]) if run.scaled else number
        return floor(exact), floor(exact) + (exact != floor(exact))

    def is_meant(self) -> bool:
        """Whether the points told next are those that may also be none; another text's may look alike."""
        self.asked += 1
        if self.asked > len(self.guesses):
            self.guesses.append(True)
        return self.guesses[self.asked - 1]

    def told(self, low: int, high: int, seat: int, kinds: Sequence[Points], sign: int = 1) -> int:
        """Which of two amounts the trace tells next."""
        if low == high:
            return low
        event, who, points, kind, _ = self.peek()
        if event == Event.POINTS and who == seat and kind in kinds and points in (sign * low, sign * high):
            return abs(points) if low or self.is_meant() else 0
        if low:
            self.fail(f"{low} or {high} points of seat {seat} are expected")
        return 0

    def replaced(self, run: Run, rule: Rule) -> bool:
        """Does what stands in place of a rule; False if nothing does."""
        raise NotImplementedError

    # --- choices ---

    def guest_choices(self, rooms: Sequence[int]) -> list[Choice]:
        return [option(Option.GUEST, c, r) for r in rooms for c in range(COLOURS) if self.guests[r][c]]
