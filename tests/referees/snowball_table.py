"""The table of The Great Snowball Battle as a trace tells it: events read, players asked, every card kept track of.

Cards are numbers in sets and lists, each in one place; whatever the trace draws must lie in the draw deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from simcore.games.snowball.layout import NONE, Decision, Deck, Event, Keyword, Option, Source, Status
from tests.referees.snowball_cards import Box, Kid

SNOWBALLS, LOCATIONS, ITEMS = Deck.SNOWBALLS, Deck.LOCATIONS, Deck.ITEMS
HAND, STACK, AWAY, ANSWER = 1, 2, 3, 4  # b of a DISCARD: where the card comes from
HELD, STACKED, USED, NOT_KEPT, BATTED = 1, 2, 3, 4, 5  # b of a DISCARD_ITEM


class RefereeError(AssertionError):
    """What the trace shows and the rules do not allow: `index` of the event, and a sentence."""

    def __init__(self, index: int, said: str) -> None:
        super().__init__(f"event {index}: {said}")
        self.index, self.said = index, said


def split(option: int) -> tuple[Option, int, int, int]:
    """Kind, a, b, c of an option."""
    return Option(option & 15), option >> 4 & 63, option >> 10 & 63, option >> 16 & 63


def code(kind: Option, a: int = 0, b: int = 0, c: int = 0) -> int:
    """An option as the trace writes it."""
    return int(kind) + 16 * a + 1024 * b + 65536 * c


@dataclass
class Seat:
    """A player: what lies before him and what he holds."""

    chair: int
    gear: int
    living: bool = True
    kid: Kid | None = None
    kid_spent: bool = False
    location: int = NONE
    items: list[int] = field(default_factory=list)
    stack: list[int] = field(default_factory=list)
    stack_items: list[int] = field(default_factory=list)
    total: int = 0
    hand: list[int] = field(default_factory=list)
    may_not_clear: bool = False  # cleared out and threw nothing since (R31)
    covers: int = 0  # lasting: added to all covers until his next turn
    no_quickshots: int = 0
    lasting: bool = False
    reached: bool = False  # the standing stack has its cover's number


class Table:
    """The table as the trace shows it so far.

    `seating[chair]`: which player of the line-up sits there (fixed kids belong to players). `forbid[chair]`: kinds of
    option that this player may not use where another is left.
    """

    def __init__(
        self,
        configuration: Any,
        events: Iterable[Any],
        seating: Sequence[int] = (),
        forbid: Sequence[Iterable[str]] = (),
    ) -> None:
        self.seating = seating or range(configuration.seats)
        self.given = configuration.settings
        self.box = Box(configuration)
        self.events = [(Event(int(e["event"])), *(int(e[k]) for k in ("seat", "a", "b", "c"))) for e in events]
        self.at = 0
        self.forbid = [{Option[k.upper()] for k in kinds} for kinds in forbid] or [set()] * configuration.seats
        self.seats = [Seat(i, configuration.settings["gear"]) for i in range(configuration.seats)]
        self.draw = [set(range(len(deck))) for deck in self.box.decks]
        self.discards: list[set[int]] = [set(), set(), set()]
        self.gone: list[set[int]] = [set(), set(), set()]  # in the box, or left the game
        self.open: list[int] = []  # Events being resolved
        self.air: list[tuple[int, int]] = []  # snowball and modifier of throws being resolved
        self.counts: Counter[str] = Counter()

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
            self.unexpected(why, f"{event.name} {wanted}")
        self.at += 1
        return found[1:]

    def unexpected(self, why: str, expected: str) -> NoReturn:
        event, seat, a, b, c = self.peek()
        if event == Event.END and a == Status.ENDLESS:
            self.fail("the game is broken off as if an effect did not end")
        found = f"{event.name} seat {seat}, a {a}, b {b}, c {c}" if event is not None else "the end of the trace"
        self.fail(f"{why}: expected {expected}, found {found}")

    def take_all(self, expected: Sequence[tuple[Any, ...]], why: str) -> None:
        """The next events are these (event, seat, a, b), in any order."""
        left = Counter(expected)
        while left:
            found = self.peek()[:4]
            if not left[found]:
                self.unexpected(why, str([(e.name, *r) for e, *r in left.elements()]))
            left -= Counter([found])
            self.at += 1

    def demand(self, true: bool, said: str) -> None:
        if not true:
            self.at -= 1  # about the event just read
            self.fail(said)

    def decide(self, seat: int, decision: Decision, legal: Sequence[int], why: str) -> int:
        """A player's answer. What is offered must be what is legal; equal cards may be offered once."""
        kinds = {split(o)[0] for o in legal}
        allowed = [o for o in legal if split(o)[0] not in self.forbid[seat]] or list(legal)
        assert kinds
        if self.peek()[0] == Event.ASKED:
            *_, n, _ = self.take(Event.ASKED, why, seat, a=int(decision))
            offered = [self.take(Event.OPTION, why, seat)[1] for _ in range(n)]
            if len(set(offered)) < n:
                self.fail(f"{why}: an option is offered twice")
            for option in offered:
                if option not in allowed:
                    self.fail(f"{why}: {split(option)} is offered and not legal")
            missing = {self.alike(seat, o) for o in allowed} - {self.alike(seat, o) for o in offered}
            if missing:
                self.fail(f"{why}: {missing} is legal and not offered")
            allowed = offered
        answer = self.take(Event.ANSWER, why, seat, a=int(decision))[2]
        self.demand(answer in allowed, f"{why}: the answer {split(answer)} is not legal")
        return answer

    def alike(self, seat: int, option: int) -> tuple[Any, ...]:
        """The option with what is printed on the cards in place of their slots."""
        kind, a, b, c = split(option)
        me = self.seats[seat]
        if kind == Option.THROW:
            modifier = self.box.items[me.items[(c & 7) - 1]].kind if c & 7 else ""
            return kind, self.box.cards[me.hand[a]].kind, b, modifier, c & 8
        if kind == Option.QUICKSHOT:
            return kind, self.box.cards[me.hand[a]].kind
        if kind == Option.KID:
            return kind, self.box.kids[a].kind
        if kind == Option.KEEP:
            return (kind,)  # which cards they are is not in the trace
        if kind in (Option.BAT, Option.SAVE, Option.ACTION):
            slot = a - 1 if kind == Option.SAVE else a
            return kind, self.box.items[me.items[slot]].kind if slot >= 0 else "", b
        return kind, a, b, c

    # --- where the cards are ---

    def check_cards(self) -> None:
        """Every card is in exactly one place; every hand is full unless there was nothing to draw."""
        for deck, cards in enumerate(self.box.decks):
            there = Counter([*self.draw[deck], *self.discards[deck], *self.gone[deck]])
            for seat in self.seats:
                if deck == SNOWBALLS:
                    there.update([*seat.hand, *seat.stack])
                elif deck == LOCATIONS:
                    there.update([seat.location] if seat.location != NONE else [])
                else:
                    there.update([*seat.items, *seat.stack_items])
            if there != Counter(range(len(cards))):
                self.fail(f"cards of the {Deck(deck).name} deck are lost or double (R40)")

    def reshuffle(self, deck: int) -> None:
        self.take(Event.RESHUFFLE, "R40: the draw deck is empty", NONE, a=deck, b=len(self.discards[deck]))
        self.draw[deck], self.discards[deck] = self.discards[deck], set()
        self.counts["reshuffles"] += deck == SNOWBALLS

    def ready(self, deck: int) -> bool:
        """Before a draw: shuffles the discards in if the deck is empty (R40). False if there is nothing to draw."""
        if not self.draw[deck] and self.discards[deck]:
            self.reshuffle(deck)
        return bool(self.draw[deck])

    def drawn(self, deck: int, card: int) -> None:
        """A card has been drawn; the event just read says which."""
        self.demand(card in self.draw[deck], f"card {card} is drawn and not in the draw deck")
        self.draw[deck].discard(card)

    def emptied(self, deck: int) -> None:
        """By a ruling the discards are shuffled in when the last card is drawn: told before the card itself."""
        if self.given["ruling.reshuffle"] == "when_empty" and not self.draw[deck] and self.discards[deck]:
            self.reshuffle(deck)

    def draw_named(self, deck: int, why: str, events: Sequence[Event], seat: int | None = None) -> tuple[Any, ...]:
        """One card, told by one of `events`. Returns event, seat, a, b, c; None in place of the event: no card."""
        if not self.ready(deck):
            return (None,)
        if len(self.draw[deck]) == 1 and self.given["ruling.reshuffle"] == "when_empty":
            last = self.draw[deck].copy()
            self.draw[deck].clear()
            self.emptied(deck)
            restored, self.draw[deck] = self.draw[deck], last
        else:
            restored = None
        found = self.peek()[0]
        if found not in events:
            self.unexpected(why, f"one of {[e.name for e in events]}")
        row = self.take(found, why, seat)
        self.drawn(deck, row[1])
        if restored is not None:
            self.draw[deck] = restored
        return (found, *row)

    def draw_several(self, deck: int, count: int) -> tuple[int, set[int], set[int]]:
        """`count` cards that the trace does not name yet: how many there are, those known, and where the rest lie."""
        known: set[int] = set()
        drawn = 0
        while drawn < count and self.ready(deck):
            step = min(count - drawn, len(self.draw[deck]))
            drawn += step
            if step == len(self.draw[deck]):
                known |= self.draw[deck]
                self.draw[deck] = set()
                self.emptied(deck)
            else:
                return drawn, known, self.draw[deck]
        return drawn, known, set()

    def choose_card(self, me: Seat, deck: int, count: int) -> int:
        """Several locations or items are drawn, one is kept, the others are discarded. Returns it, or NONE."""
        n, known, among = self.draw_several(deck, count)
        if n == 0:
            return NONE
        decision = Decision.KEEP_ITEM if deck == ITEMS else Decision.KEEP_LOCATION
        self.decide(me.chair, decision, [code(Option.KEEP, i) for i in range(n)], "which card to keep")
        event = Event.DISCARD_ITEM if deck == ITEMS else Event.DISCARD_LOCATION
        others = [self.take(event, "not kept", me.chair, b=NOT_KEPT)[1] for _ in range(n - 1)]
        kept = self.peek()[2]
        seen = {*others, kept}
        if len(seen) < n or not known <= seen or not seen - known <= among:
            self.fail(f"{sorted(seen)} were drawn and cannot have been in the draw deck")
        among -= seen
        self.discards[deck] |= set(others)
        return kept

    # --- what lies before a player ---

    def hand_size(self, me: Seat) -> int:
        return self.given["hand_size"] + (me.kid.hand if me.kid else 0)

    def cover(self, me: Seat) -> int:
        """R7: the printed cover, Conditions, and what lasts; at least 1."""
        conditions = sum(self.box.items[i].cover for i in me.items if self.box.items[i].keyword == Keyword.CONDITION)
        return max(1, self.box.locations[me.location].cover + conditions + sum(s.covers for s in self.seats))

    def living(self) -> list[Seat]:
        return [me for me in self.seats if me.living]

    def clockwise(self, start: int) -> list[Seat]:
        """The living, `start` first."""
        n = len(self.seats)
        return [me for me in (self.seats[(start + k) % n] for k in range(n)) if me.living]

    def use_item(self, me: Seat, slot: int) -> int:
        """A held item is used up: to its discards."""
        item = me.items.pop(slot)
        self.take(Event.DISCARD_ITEM, "a used item is discarded", me.chair, a=item, b=USED)
        self.discards[ITEMS].add(item)
        return item

    def new_item(self, me: Seat, count: int, why: str) -> None:
        kept = self.choose_card(me, ITEMS, count) if count > 1 and self.several(ITEMS, count) else None
        if kept is None:
            found = self.draw_named(ITEMS, why, (Event.ITEM,), me.chair)
            item = found[2] if found[0] is not None else self.take(Event.ITEM, "R42: no item left", me.chair, a=NONE)[1]
        else:
            item = self.take(Event.ITEM, why, me.chair, a=kept)[1]
        if item != NONE:
            me.items.append(item)

    def several(self, deck: int, count: int) -> bool:
        """Whether more than one card can be drawn of those `count`."""
        return min(count, len(self.draw[deck]) + len(self.discards[deck])) > 1

    def new_location(self, me: Seat, count: int, source: Source) -> None:
        if self.several(LOCATIONS, count):
            kept = self.choose_card(me, LOCATIONS, count)
            row = self.take(Event.LOCATION, "R9", me.chair, a=kept, c=int(source))
        else:
            _, *row = self.draw_named(LOCATIONS, "R9: a new location", (Event.LOCATION,), me.chair)
            self.demand(row[3] == source, f"R9: the location is drawn because of {source.name}")
        me.location = row[1]
        self.demand(row[2] == self.box.locations[me.location].cover, "the cover is not the printed one")

    def clear(self, me: Seat, source: Source, best_of: int = 1) -> None:
        """R9: everything before the player goes, then a new location and item are drawn; the hand stays."""
        self.take(Event.CLEAR_OUT, "R9", me.chair, a=int(source))
        self.clear_table(me, "R9: cleared out")
        self.new_location(me, max(best_of, me.kid.locations if me.kid else 1), source)
        self.new_item(me, me.kid.items if me.kid else 1, "R9: a new item")
        if source not in (Source.EVENT, Source.AUTOMATIC) or self.given["ruling.forced_clear_counts"]:
            me.may_not_clear = True
        self.counts["clear outs"] += 1

    def clear_table(self, me: Seat, why: str, gone: bool = False) -> None:
        expected = [(Event.DISCARD_ITEM, me.chair, i, HELD) for i in me.items]
        expected += [(Event.DISCARD_ITEM, me.chair, i, STACKED) for i in me.stack_items]
        expected += [(Event.DISCARD, me.chair, c, STACK) for c in me.stack]
        if gone:
            expected += [(Event.DISCARD, me.chair, c, HAND) for c in me.hand]
        expected.append((Event.DISCARD_LOCATION, me.chair, me.location, 0))
        self.take_all(expected, why)
        to = self.gone if gone and self.given["ruling.eliminated_cards"] == "out_of_game" else self.discards
        to[ITEMS] |= {*me.items, *me.stack_items}
        to[SNOWBALLS] |= {*me.stack, *(me.hand if gone else ())}
        to[LOCATIONS].add(me.location)
        me.items, me.stack, me.stack_items, me.total, me.location = [], [], [], 0, NONE
        me.reached = False
        if gone:
            me.hand = []
