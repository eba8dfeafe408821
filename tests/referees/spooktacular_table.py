"""The table of Spooktacular as a trace tells it: events read, players asked, guests, pieces and cards kept track of.

Rooms are numbers; those from ``EXTRA`` on are tombs. A piece is in the supply, in a room, on a space of its board, on
the score track, or a door between two rooms; the numbers for it are those of the trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from simcore.games.spooktacular.layout import (
    BETWEEN,
    BOARD,
    COLOURS,
    EXTRA,
    NONE,
    SUPPLY,
    TRACK,
    Bar,
    Decision,
    Event,
    Op,
    Option,
    Place,
    Points,
    Status,
    When,
)
from simcore.games.spooktacular.tables import LEVELS, automaton, read_theater, with_automaton

BY_KIND = 32  # a place or count about a token of kind k: 32 k more
MOST_GUESTS = 12  # of a colour; a parameter may say otherwise
Choice = tuple[int, int, int]  # an option: kind, a, b; b is left out where it says nothing
WITHOUT_B = (Option.CARD, Option.PASS)  # their b is a place in the hand, or the door that is left alone


class RefereeError(AssertionError):
    """What the trace shows and the rules do not allow: `index` of the event, and a sentence."""

    def __init__(self, index: int, said: str) -> None:
        super().__init__(f"event {index}: {said}")
        self.index, self.said = index, said


class RunawayError(Exception):
    """The trace says that a chain of effects is broken off (P29)."""


def split(option: int) -> Choice:
    """An option of the trace."""
    kind = Option(option & 15)
    return int(kind), 0 if kind == Option.PASS else option >> 4 & 4095, 0 if kind in WITHOUT_B else option >> 16 & 1023


def option(kind: Option, a: int = 0, b: int = 0) -> Choice:
    return int(kind), a, b


PASS, YES = option(Option.PASS), option(Option.YES)


@dataclass
class Seat:
    """A player: his monster, what lies before him and what he holds. Cards are numbers of the content."""

    chair: int
    kit: str
    monster: Any
    number: int  # of the monster in the content
    points: int
    bot: bool = False
    kinds: list[str] = field(default_factory=list)
    kind_of: list[int] = field(default_factory=list)  # of each piece
    is_figure: list[bool] = field(default_factory=list)  # a monster figure
    acts: list[bool] = field(default_factory=list)  # of a kind of figures, also where phones are no monsters
    at: list[int] = field(default_factory=list)
    acting: int = 0
    tickets: int = 0
    pile: Counter[int] = field(default_factory=Counter)
    held: Counter[int] = field(default_factory=Counter)
    hand: list[int] = field(default_factory=list)
    deck: Counter[int] = field(default_factory=Counter)
    discards: Counter[int] = field(default_factory=Counter)
    program: list[int] = field(default_factory=lambda: [NONE] * 3)
    playing: list[int] = field(default_factory=list)
    last_card: int = NONE
    stunned_by: set[int] = field(default_factory=set)
    once: set[int] = field(default_factory=set)
    triggers: list[Any] = field(default_factory=list)  # nodes "when ..."
    instead: dict[int, Any] = field(default_factory=dict)  # Rule -> node
    bars: list[tuple[int, int]] = field(default_factory=list)  # (Place, Bar)
    room_kind: int = NONE
    door_kind: int = NONE
    doors_for_all: bool = False

    def pieces(self, kind: int) -> list[int]:
        return [i for i, k in enumerate(self.kind_of) if k == kind]


@dataclass
class Pending:
    """A triggered effect that waits: whose, which, and what it is about."""

    owner: int
    node: Any
    when: int
    about: dict[str, Any]


class Table:
    """The table as the trace shows it so far. `seating[chair]`: which player of the line-up sits there."""

    def __init__(self, configuration: Any, events: Iterable[Any], seating: Sequence[int] = ()) -> None:
        self.given = configuration.settings
        self.content = configuration.content
        self.monsters = list(self.content.sections["monsters"])
        self.cards = list(self.content.sections["cards"])
        self.events: list[tuple[Any, int, int, int, int]] = [
            (Event(int(e["event"])), int(e["seat"]), int(e["a"]), int(e["b"]), int(e["c"])) for e in events
        ]
        self.at = 0
        self.bot = automaton(self.given) != "off"
        self.bot_points = LEVELS.get(automaton(self.given), 0)
        self.players = with_automaton(self.given)
        self.seating = seating
        self.theater = read_theater(self.given, self.content)
        self.rooms = [r for r in range(len(self.theater.rooms)) if self.theater.open[r]]
        self.guests: dict[int, Counter[int]] = {
            r: Counter() for r in [*self.rooms, *range(EXTRA, EXTRA + self.players)]
        }
        self.bag: Counter[int] = Counter({c: int(self.given["guests_each"]) for c in range(COLOURS)})
        self.all_guests = self.bag.copy()
        self.seats: list[Seat] = []
        self.active = 0
        self.taken = 0
        self.tickets = int(self.given["tickets_per_player"]) * self.players
        self.last_round = False
        self.pending: list[Pending] = []
        self.ticket_owners: list[int] = []
        self.steps = 0  # effects done in the turn
        self.guesses: list[bool] = []  # of points that kit_strength may have made none: whether they are told
        self.asked = 0
        self.turn_counts: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.bot_last = NONE
        self.turns = self.rounds = 0

    # --- reading the trace ---

    def fail(self, said: str) -> NoReturn:
        raise RefereeError(min(self.at, len(self.events) - 1), said)

    def peek(self) -> tuple[Any, int, int, int, int]:
        return self.events[self.at] if self.at < len(self.events) else (None, NONE, NONE, NONE, NONE)

    def take(self, event: Event, why: str, seat: int | None = None, **wanted: int) -> tuple[int, int, int, int]:
        """The next event, which must be this one; returns seat, a, b, c."""
        found = self.peek()
        named = dict(zip(("seat", "a", "b", "c"), found[1:], strict=True))
        if seat is not None:
            wanted["seat"] = seat
        if found[0] != event or any(named[k] != v for k, v in wanted.items()):
            event_, seat_, a, b, c = found
            if event_ == Event.RUNAWAY:
                raise RunawayError
            if event_ == Event.END and a == Status.ENDLESS:
                self.fail("the game is broken off as if an effect did not end")
            said = f"{event_.name} seat {seat_}, a {a}, b {b}, c {c}" if event_ is not None else "the end of the trace"
            self.fail(f"{why}: expected {event.name} {wanted}, found {said}")
        self.at += 1
        return found[1:]

    def demand(self, true: bool, said: str) -> None:
        if not true:
            self.at -= 1  # about the event just read
            self.fail(said)

    def decider(self, seat: int) -> int:
        """Who decides for a seat: for the automaton, the player after it (P3)."""
        return 1 if self.seats[seat].bot else seat

    def decide(self, seat: int, decision: Decision, legal: Iterable[Choice], why: str) -> Choice:
        """A player's answer. One choice is no question; all legal ones must be offered, and only they."""
        choices = sorted(set(legal))
        if len(choices) == 1:
            return choices[0]
        assert choices, why
        who = self.decider(seat)
        if self.peek()[0] == Event.ASKED:
            *_, n, _ = self.take(Event.ASKED, why, who, a=int(decision))
            offered = [split(self.take(Event.OPTION, why, who)[1]) for _ in range(n)]
            for choice in offered:
                if choice not in choices:
                    self.at -= 1
                    self.fail(f"{why}: {Option(choice[0]).name} {choice[1:]} is offered and not legal; {choices}")
            missing = set(choices) - set(offered)
            if missing:
                self.at -= 1
                self.fail(f"{why}: {sorted(missing)} is legal and not offered")
        answer = split(self.take(Event.ANSWER, why, who, a=int(decision))[2])
        self.demand(answer in choices, f"{why}: the answer {answer} is not legal")
        return answer

    def choose_room(self, seat: int, rooms: Sequence[int], why: str, decision: Decision = Decision.ROOM) -> int:
        if not rooms:
            return NONE
        return self.decide(seat, decision, [option(Option.ROOM, r) for r in rooms], why)[1]

    def choose_player(self, seat: int, players: Sequence[int], why: str) -> int:
        if not players:
            return NONE
        return self.decide(seat, Decision.PLAYER, [option(Option.PLAYER, p) for p in players], why)[1]

    def choose_piece(self, seat: int, pieces: Sequence[int], why: str) -> int:
        """One of a seat's own pieces, by its number."""
        if not pieces:
            return NONE
        choices = [option(Option.TOKEN, 16 * seat + p) for p in self.first_of_equals(seat, pieces)]
        return self.decide(seat, Decision.TOKEN, choices, why)[1] & 15

    def first_of_equals(self, seat: int, pieces: Iterable[int]) -> list[int]:
        """One of those of a kind that lie in the same place: the others are no other choice."""
        me = self.seats[seat]
        found: dict[tuple[int, int], int] = {}
        for piece in sorted(pieces):
            found.setdefault((me.kind_of[piece], me.at[piece]), piece)
        return [*found.values()]

    # --- who and where ---

    def clockwise(self, start: int) -> list[int]:
        return [(start + k) % self.players for k in range(self.players)]

    def others(self, seat: int) -> list[int]:
        """Clockwise from a seat, without it."""
        return self.clockwise(seat)[1:]

    @staticmethod
    def is_room(place: int) -> bool:
        return 0 <= place < BOARD

    def in_room(self, room: int, seat: int) -> list[int]:
        """A seat's monster figures in a room."""
        me = self.seats[seat]
        return [i for i, at in enumerate(me.at) if at == room and me.is_figure[i]]

    def has_monster(self, room: int, seat: int) -> bool:
        return bool(self.in_room(room, seat))

    def figures(self, room: int) -> int:
        """Guests and monsters in a room."""
        return self.guests[room].total() + sum(len(self.in_room(room, s.chair)) for s in self.seats)

    def tomb_of(self, seat: int) -> int:
        """The room in which a seat's token that is a room lies, NONE."""
        me = self.seats[seat]
        if me.room_kind == NONE:
            return NONE
        at = me.at[me.pieces(me.room_kind)[0]]
        return at if self.is_room(at) else NONE

    def door_tokens(self, seat: int) -> Iterator[tuple[int, int, int, int]]:
        """Door tokens that a seat may use: owner, piece, room, room."""
        for owner in self.seats:
            if owner.door_kind != NONE and (owner.chair == seat or owner.doors_for_all):
                for piece in owner.pieces(owner.door_kind):
                    if owner.at[piece] >= BETWEEN:
                        between = owner.at[piece] - BETWEEN
                        yield owner.chair, piece, between >> 4, between & 15

    def exits(self, seat: int, room: int, spook: bool = False) -> list[tuple[int, tuple[int, int] | None]]:
        """Doors of a room for a seat: the room behind, and the door token if it is one (owner, piece)."""
        found: list[tuple[int, tuple[int, int] | None]] = []
        tombs = not spook or bool(self.given["ruling.tomb_is_a_door"])
        if room >= EXTRA:
            at = self.tomb_of(room - EXTRA)
            found += [(at, None)] if at != NONE and tombs else []
        else:
            found += [(other, None) for other in self.theater.passable(room)]
            found += [(EXTRA + s.chair, None) for s in self.seats if tombs and self.tomb_of(s.chair) == room]
        for owner, piece, a, b in self.door_tokens(seat):
            if room in (a, b):
                found.append((b if room == a else a, (owner, piece)))
        return found

    def joined(self, seat: int, room: int) -> list[int]:
        if room == NONE:
            return []
        return sorted({other for other, _ in self.exits(seat, room)})

    def here(self, seat: int) -> int:
        """The room of a seat's acting figure (P12)."""
        me = self.seats[seat]
        figures = [i for i, acts in enumerate(me.acts) if acts]
        order = sorted(figures, key=lambda i: (i - me.acting) % len(me.at))
        return next((me.at[i] for i in order if self.is_room(me.at[i])), NONE)

    def acting_piece(self, seat: int) -> int:
        me = self.seats[seat]
        figures = [i for i, acts in enumerate(me.acts) if acts]
        order = sorted(figures, key=lambda i: (i - me.acting) % len(me.at))
        return next((i for i in order if self.is_room(me.at[i])), NONE)

    # --- bars and stuns ---

    def bar_rooms(self, owner: int, place: int) -> set[int]:
        """Rooms that a place of a standing rule stands for."""
        me, what, kind = self.seats[owner], place % BY_KIND, place // BY_KIND
        if what == Place.HERE:
            return {self.here(owner)} - {NONE}
        if what == Place.INSIDE:
            return {EXTRA + owner} if self.tomb_of(owner) != NONE else set()
        if what == Place.WITH:
            return {me.at[i] for i in me.pieces(kind) if self.is_room(me.at[i])}
        raise NotImplementedError(f"place {place} in a standing rule")

    def barred(self, room: int, bar: Bar, seat: int = NONE) -> bool:
        """Whether guests, or the figures of a seat, may not do it there."""
        return any(
            room in self.bar_rooms(owner.chair, place)
            for owner in self.seats
            if owner.chair != seat
            for place, what in owner.bars
            if what == bar
        )

    def guest_may_go(self, a: int, b: int) -> bool:
        return not self.barred(a, Bar.GUEST_LEAVES) and not self.barred(b, Bar.GUEST_ENTERS)

    def may_leave(self, owner: int, room: int) -> bool:
        return not self.seats[owner].stunned_by and not self.barred(room, Bar.MONSTER_LEAVES, owner)

    def may_enter(self, owner: int, room: int) -> bool:
        return not self.barred(room, Bar.MONSTER_ENTERS, owner)

    # --- guests ---

    def check_guests(self) -> None:
        there = self.bag.copy()
        for counter in self.guests.values():
            there.update(counter)
        for seat in self.seats:
            there.update(seat.pile)
            there.update(seat.held)
        if +there != +self.all_guests:
            self.fail(f"guests are lost or double: {there}")

    def shift(self, colour: int, source: Counter[int], to: Counter[int]) -> None:
        """One guest from one place to another."""
        self.demand(source[colour] > 0, f"there is no guest of colour {colour}")
        source[colour] -= 1
        to[colour] += 1
        self.check_guests()

    def add_guest(self, seat: int, room: int, how: int, why: str) -> None:
        """From the bag."""
        colour = self.take(Event.ADD, why, seat, a=room, c=how)[2]
        self.shift(colour, self.bag, self.guests[room])

    def colours(self, room: int) -> list[int]:
        return [c for c in range(COLOURS) if self.guests[room][c]]

    def move_guest(self, mover: int, colour: int, a: int, b: int, token: tuple[int, int] | None) -> None:
        """A guest goes from one room to another, through a door token or not; what waits for it is noted."""
        self.take(Event.GUEST, "a guest moves", mover, a=colour, b=a, c=b)
        self.shift(colour, self.guests[a], self.guests[b])
        for owner in self.seats:
            for node in owner.triggers:
                place, when = node.values
                if when == When.GUEST_ENTERS and b in self.places_for(owner.chair, place):
                    self.trigger(owner.chair, node, room=b, colour=colour)
                if when == When.GUEST_PASSES and place == owner.door_kind:
                    if token and token[0] == owner.chair:
                        self.trigger(owner.chair, node, room=b, colour=colour, piece=token)

    def places_for(self, owner: int, place: int) -> set[int]:
        """Rooms of a trigger's place, from its owner's view."""
        what = place % BY_KIND
        if what == Place.ANY:
            return {*self.rooms}
        if what == Place.NEXT:
            return {*self.joined(owner, self.here(owner))}
        if what == Place.WITHOUT:
            return {*self.rooms} - self.bar_rooms(owner, place - Place.WITHOUT + Place.WITH)
        return self.bar_rooms(owner, place)

    # --- triggers ---

    def trigger(self, owner: int, node: Any, **about: Any) -> None:
        if not self.turns:
            return  # P20: not before the last set-up is over
        self.pending.append(Pending(owner, node, node.values[1], about))

    def triggers_of(self, seat: int, when: When, **about: Any) -> None:
        for node in self.seats[seat].triggers:
            if node.values[1] == when:
                self.trigger(seat, node, **about)

    # --- points ---

    def score(self, seat: int, points: int, kinds: Sequence[Points], why: str) -> None:
        """Points gained or lost; nothing is told of none."""
        if points == 0:
            return
        me = self.seats[seat]
        _, _, kind, _ = self.take(Event.POINTS, why, seat, a=points, c=me.points + points)
        self.demand(kind in kinds, f"{why}: points of the kind {Points(kind).name}")
        before, me.points = me.points, me.points + points
        self.counts["stolen"] += points if kind == Points.THEFT and not me.bot else 0
        for owner in self.seats:
            for node in owner.triggers if owner.chair != seat else ():
                kind, when = node.values
                for piece in sorted(owner.pieces(kind), key=lambda p: owner.at[p]) if when == When.PASSES else ():
                    if owner.at[piece] >= TRACK and before < owner.at[piece] - TRACK <= me.points:
                        self.trigger(owner.chair, node, who=seat, piece=(owner.chair, piece))
        self.end_test()

    def end_test(self) -> None:
        """P5: whether this is the last round; told once."""
        by_points = any(s.points >= self.given["target_score"] for s in self.seats)
        by_tickets = self.taken == self.tickets
        if not self.last_round and (by_points or by_tickets):
            _, how, *_ = self.take(Event.LAST_ROUND, "the end is triggered")
            self.demand(how == (0 if by_points else 1), "what triggers the end")
            self.last_round = True
            self.counts["ended_by"] = how

    # --- cards ---

    def card_text(self, card: int) -> tuple[str, Any]:
        slug = self.cards[card]
        return slug, self.content.sections["cards"][slug]

    def draw(self, seat: int, count: int) -> None:
        """Cards from the deck; the discards are shuffled in when it is empty. The automaton draws none."""
        me = self.seats[seat]
        for _ in range(0 if me.bot else count):
            if not me.deck.total():
                if not me.discards.total():
                    return
                self.take(Event.RESHUFFLE, "P6: the deck is empty", seat, a=me.discards.total())
                me.deck, me.discards = me.discards, Counter()
            card = self.take(Event.DRAW, "a card is drawn", seat)[1]
            self.demand(me.deck[card] > 0, f"card {card} is drawn and not in the deck")
            me.deck[card] -= 1
            me.hand.append(card)

    def draw_up(self, seat: int) -> None:
        self.draw(seat, max(0, int(self.given["hand_size"]) - len(self.seats[seat].hand)))

    def discard(self, seat: int, card: int, how: int, slot: int | None = None) -> None:
        wanted = {} if slot is None else {"c": slot}
        self.take(Event.DISCARD, "a card is discarded", seat, a=card, b=how, **wanted)
        self.seats[seat].discards[card] += 1

    def check_cards(self) -> None:
        """Every card of a player is in exactly one place."""
        for me in self.seats:
            if not me.bot:
                there = me.deck + me.discards + Counter(me.hand) + Counter(me.playing)
                there.update(c for c in me.program if c != NONE)
                if there != self.full_deck(me.kit):
                    self.fail(f"cards of seat {me.chair} are lost or double")

    def full_deck(self, kit: str) -> Counter[int]:
        entries = self.content.sections["cards"].values()
        return +Counter({i: e.copies for i, e in enumerate(entries) if e.monster in ("", kit)})

    # --- pieces ---

    def put_figure(self, owner: int, piece: int, room: int, mover: int, why: str) -> None:
        """A piece comes into a room: a monster's figure is told as such, and what waits for it is noted."""
        me = self.seats[owner]
        before = me.at[piece]
        if not me.is_figure[piece]:
            self.put_token(owner, piece, room, why)
            return
        self.take(Event.FIGURE, why, owner, a=piece, b=room, c=mover)
        me.at[piece] = room
        if room == before:
            return
        for other in self.seats:
            for node in other.triggers:
                place, when = node.values
                if when == When.MONSTER_ENTERS and other is not me and room in self.places_for(other.chair, place):
                    self.trigger(other.chair, node, room=room, who=owner, piece=(owner, piece))
        if mover != owner and self.is_room(before):
            self.triggers_of(owner, When.PUSHED, who=mover)

    def put_token(self, owner: int, piece: int, place: int, why: str) -> None:
        self.take(Event.TOKEN, why, owner, a=piece, b=place)
        self.seats[owner].at[piece] = place

    def spare(self, seat: int, kind: int) -> list[int]:
        me = self.seats[seat]
        return [i for i in me.pieces(kind) if me.at[i] == SUPPLY]

    def on_board(self, seat: int, kind: int) -> list[int]:
        me = self.seats[seat]
        return [i for i in me.pieces(kind) if BOARD <= me.at[i] < TRACK]

    def free_spaces(self, seat: int) -> list[int]:
        """Empty spaces of a seat's board, from 0."""
        me = self.seats[seat]
        taken = {at - BOARD for at in me.at if BOARD <= at < TRACK}
        return [i for i in range(len(me.monster.spaces)) if i not in taken]

    # --- the kits ---

    def make_seat(self, chair: int, number: int, points: int, bot: bool) -> Seat:
        slug = self.monsters[number]
        monster = self.content.sections["monsters"][slug]
        me = Seat(chair, slug, monster, number, points, bot)
        phones = bool(self.given["ruling.phones_are_monsters"])
        for k, (kind, count) in enumerate(monster.kinds.items()):
            me.kinds.append(kind)
            for _ in range(count):
                me.kind_of.append(k)
                me.is_figure.append(kind in monster.figures and (kind != "phone" or phones))
                me.acts.append(kind in monster.figures)
                me.at.append(SUPPLY)
        me.deck = Counter() if bot else self.full_deck(slug)
        for node in self.text("monsters", slug, "standing"):
            op = node.form.op
            if op == Op.WHEN:
                me.triggers.append(node)
            elif op == Op.INSTEAD:
                me.instead[node.values[0]] = node
            else:
                for always in node.body:
                    self.standing_rule(me, always)
        return me

    @staticmethod
    def standing_rule(me: Seat, node: Any) -> None:
        op, values = node.form.op, node.values
        if op == Op.EXTRA_ROOM:
            me.room_kind = values[0]
        elif op == Op.DOORS:
            me.door_kind, me.doors_for_all = values[0], bool(values[1])
        elif op == Op.BAR:
            me.bars.append((values[0], values[1]))

    def text(self, section: str, slug: str, path: str) -> Sequence[Any]:
        """The clauses of a text; a blank entry says nothing."""
        if self.content.sections[section][slug].blank:
            return ()
        nodes: Sequence[Any] = self.content.effects[section, slug, path].nodes
        return nodes

    def estimated(self, section: str, slug: str, path: str) -> bool:
        entry = self.content.sections[section][slug]
        owner = slug if section == "monsters" else entry.monster
        documented = bool(owner) and self.content.sections["monsters"][owner].documented
        return bool(entry.source_of(path) == "estimated" and owner and not documented)
