"""A referee for The Great Snowball Battle: follows the trace of a game in its own plain way and objects to what is not allowed.

Written from the rulebook and the rulings alone. It shares with the simulator the words of a trace (``layout``'s enums) and
the content files, nothing else: cards are Python objects, hands are lists, effects are read from their texts and done by
recursion. Where chance or a player decides, the referee takes what the trace says and asks whether it was possible; all
else it works out itself and demands that the trace says the same. ``R12``, ``B5`` are the rulings' names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from simcore.games.snowball.layout import NONE, Bat, Deck, Decision, Event, Keyword, Loss, Op, Option, Source, Status

SNOWBALLS, LOCATIONS, ITEMS = Deck.SNOWBALLS, Deck.LOCATIONS, Deck.ITEMS
HAND, STACK, AWAY, ANSWER = 1, 2, 3, 4  # b of a DISCARD: where the card comes from
HELD, STACKED, USED, NOT_KEPT, BATTED = 1, 2, 3, 4, 5  # b of a DISCARD_ITEM
MOST_HELD = 3
SIXTIETHS = 60


class RefereeError(AssertionError):
    """What the trace shows and the rules do not allow: `index` of the event, and a sentence."""

    def __init__(self, index: int, said: str) -> None:
        super().__init__(f"event {index}: {said}")
        self.index, self.said = index, said


class GameOver(Exception):
    """The end test has ended the game; raised to leave whatever was being resolved."""


# --- the cards, read from the content ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """One card: what is printed on it. Unused fields keep their defaults."""

    kind: str
    number: int = 0
    quickshot: bool = False
    event: bool = False
    cover: int = 0  # of a location; added by a Condition
    keyword: Keyword | None = None
    power: int = 0  # added by a Modifier
    save: bool = False
    bat: Bat = Bat.NO
    effect: tuple[Any, ...] = ()  # (verb, number) or ("each", others only, effect)
    clears: bool = False  # an Action that makes its own user clear out


@dataclass(frozen=True)
class Kid:
    """What a kid can do all game long, and once."""

    kind: str
    power: int = 0
    hand: int = 0
    locations: int = 1
    items: int = 1
    once: dict[str, int] = field(default_factory=dict)


VERBS = {
    r"throw (\d+)": Op.THROW,
    r"clear out": Op.CLEAR_OUT,
    r"clear out best of (\d+)": Op.CLEAR_OUT,
    r"recover (\d+)": Op.RECOVER,
    r"recover (\d+) for poorer": Op.RECOVER_POORER,
    r"give (\d+) gear to poorer": Op.GIVE,
    r"pool hands": Op.POOL_HANDS,
    r"discard hand": Op.DISCARD_HAND,
    r"discard item": Op.DISCARD_ITEM,
    r"draw item": Op.DRAW_ITEM,
    r"lose (\d+) gear": Op.LOSE,
    r"covers ([+-]?\d+)": Op.LASTING_COVER,
    r"no quickshots": Op.LASTING_NO_QUICKSHOTS,
}
CONTROLS = ("for each player", "for each other player", "until your next turn", "always", "once")


def clauses(text: str) -> list[tuple[str, str]]:
    """(control or "", clause) of a text, numbers without their bounds; a block's clauses each get its control."""
    text = re.sub(r"\{\s*([+-]?\d+)\s*\|[^}]*\}", r"\1", " ".join(text.lower().split())).replace("+", "")
    found: list[tuple[str, str]] = []
    for part in re.findall(r"[^;(]*\([^)]*\)|[^;]+", text):
        control, colon, body = part.partition(":")
        for clause in (body if colon else part).strip(" ()").split(";"):
            if clause.strip() not in ("", "nothing"):
                found.append((control.strip() if colon else "", clause.strip()))
    assert all(control in ("", *CONTROLS) for control, _ in found), text
    return found


def read_effect(text: str) -> tuple[Any, ...]:
    """An Event's or Action's text as (op, number) pairs; what each player does stands in ("each", others only, pairs)."""
    effect: list[Any] = []
    for control, clause in clauses(text):
        for pattern, op in VERBS.items():
            if match := re.fullmatch(pattern, clause):
                step = (op, int(match[1]) if match.groups() else 1)
                break
        else:
            raise ValueError(f"the referee does not know {clause!r}")
        if not control.startswith("for each"):
            effect.append(step)
        elif effect and effect[-1][0] == "each" and text.count(control) == 1:
            effect[-1][2].append(step)  # the next clause of the same block
        else:
            effect.append(("each", "other" in control, [step]))
    return tuple(effect)


def read_kid(slug: str, text: str) -> Kid:
    """A kid's text."""
    always: dict[str, int] = {}
    once: dict[str, int] = {}
    for control, clause in clauses(text):
        words, number = re.fullmatch(r"([a-z ]+?)\s*(-?\d+)?", clause).groups()
        (always if control == "always" else once)[words] = int(number or 1)
    return Kid(slug, once=once, **always)


def read_item(slug: str, entry: Any) -> Card:
    """An item."""
    keyword = Keyword[entry.keyword.upper()]
    if entry.blank:
        return Card(slug, keyword=Keyword.CONDITION if keyword == Keyword.ACTION else keyword)
    if keyword == Keyword.ACTION:
        effect = read_effect(entry.effect)
        own = [s[2] if s[0] == "each" else [s] for s in effect if s[0] != "each" or not s[1]]
        return Card(slug, keyword=keyword, effect=effect, clears=any(s[0] == Op.CLEAR_OUT for steps in own for s in steps))
    said = dict(re.fullmatch(r"([a-z ]+?)\s*(-?\d+)?", clause).groups() for _, clause in clauses(entry.effect))
    bat = next((Bat[words.split()[-1].upper()] for words in said if words.startswith("bat to ")), Bat.NO)
    return Card(
        slug, keyword=keyword, power=int(said.get("power", 0)), cover=int(said.get("cover", 0)), save="save" in said, bat=bat
    )


class Box:
    """All cards of a configuration, by their numbers in the trace: sections and entries in order, copies together."""

    def __init__(self, configuration: Any) -> None:
        content, given = configuration.content.sections, configuration.settings
        self.cards: list[Card] = []
        for slug, entry in content["snowballs"].items():
            each = given["quickshots_per_number"]
            copies = entry.copies if each is None or not entry.quickshot else each
            number = 0 if entry.blank else entry.number
            self.cards += [Card(slug, number, entry.quickshot and not entry.blank)] * copies
        for slug, entry in content["events"].items():
            effect = () if entry.blank else read_effect(entry.effect)
            self.cards += [Card("event " + slug, event=True, effect=effect)] * entry.copies
        places = content["locations"]
        cards = sum(e.copies for e in places.values())
        mean = int(sum(e.copies * e.cover for e in places.values()) / cards + 0.5)
        shift = given["cover_shift"]
        self.locations = [
            Card(slug, cover=(mean if e.blank else e.cover) + shift) for slug, e in places.items() for _ in range(e.copies)
        ]
        self.items = [read_item(slug, e) for slug, e in content["items"].items() for _ in range(e.copies)]
        self.kids = [
            Kid(slug) if e.blank else read_kid(slug, e.effect) for slug, e in content["kids"].items() for _ in range(e.copies)
        ]
        self.decks = (self.cards, self.locations, self.items)


# --- the referee -------------------------------------------------------------------------------------------------------


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


class Referee:
    """Follows one game. `seating[chair]`: which player of the line-up sits there, where fixed kids ask for it.

    `forbid[chair]`: kinds of option that this chair's player may not use where another is left.
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
        self.active = self.starter = 0
        self.turns = self.rounds = 0
        self.counts: Counter[str] = Counter()
        self.first_out = NONE
        self.status, self.winner = Status.PLAYING, NONE
        self.share = [0] * configuration.seats
        self.last_out: list[int] = []

    # --- reading the trace ---------------------------------------------------------------------------------------------

    def fail(self, said: str) -> NoReturn:
        raise RefereeError(min(self.at, len(self.events) - 1), said)

    def peek(self) -> tuple[Any, int, int, int, int]:
        return self.events[self.at] if self.at < len(self.events) else (None, NONE, NONE, NONE, NONE)

    def take(self, event: Event, why: str, seat: int | None = None, **wanted: int) -> tuple[int, int, int, int]:
        """The next event, which must be this one; returns seat, a, b, c."""
        found = self.peek()
        if found[0] == Event.END and found[2] == Status.ENDLESS:
            self.fail("the game is broken off as if an effect did not end")
        named = dict(zip(("seat", "a", "b", "c"), found[1:], strict=True))
        if seat is not None:
            wanted["seat"] = seat
        if found[0] != event or any(named[k] != v for k, v in wanted.items()):
            name = found[0].name if found[0] is not None else "the end of the trace"
            self.fail(f"{why}: expected {event.name} {wanted}, found {name} {named}")
        self.at += 1
        return found[1:]

    def take_all(self, expected: Sequence[tuple[Any, ...]], why: str) -> None:
        """The next events are these (event, seat, a, b), in any order."""
        left = Counter(expected)
        while left:
            found = self.peek()[:4]
            if not left[found]:
                self.fail(f"{why}: expected {[(e.name, *r) for e, *r in left.elements()]}, found {found}")
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
            missing = {self.alike(seat, decision, o) for o in allowed} - {self.alike(seat, decision, o) for o in offered}
            if missing:
                self.fail(f"{why}: {missing} is legal and not offered")
            allowed = offered
        answer = self.take(Event.ANSWER, why, seat, a=int(decision))[2]
        self.demand(answer in allowed, f"{why}: the answer {split(answer)} is not legal")
        return answer

    def alike(self, seat: int, decision: Decision, option: int) -> tuple[Any, ...]:
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

    # --- where the cards are -------------------------------------------------------------------------------------------

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
        """One card, told by one of `events`. Returns event and its seat, a, b, c; None in place of an event: no card."""
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
            self.fail(f"{why}: expected one of {[e.name for e in events]}, found {found.name if found is not None else 'the end'}")
        row = self.take(found, why, seat)
        self.drawn(deck, row[1])
        if restored is not None:
            self.draw[deck] = restored
        return (found, *row)

    def draw_several(self, deck: int, count: int) -> tuple[int, set[int], set[int]]:
        """`count` cards of which the trace names none yet: how many there are, those known, those the rest are among."""
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

    # --- set-up ------------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """R1-R3, B6."""
        events = [i for i, card in enumerate(self.box.cards) if card.event]
        wanted = len(events)
        if self.given["events"] is not None:
            wanted = self.given["events"]
        elif self.given["event_density"] is not None:
            wanted = int(self.given["event_density"] * len(events) + 0.5)
        for _ in range(len(events) - wanted):
            card = self.take(Event.LEFT_OUT, "B6: Events stay in the box")[1]
            self.demand(card in events and card in self.draw[SNOWBALLS], f"B6: card {card} cannot stay in the box")
            self.draw[SNOWBALLS].discard(card)
            self.gone[SNOWBALLS].add(card)
        self.choose_kids()
        for me in self.seats:
            _, card, cover, _ = self.take(Event.LOCATION, "R1: one location each", me.chair, c=int(Source.CHOICE))
            self.drawn(LOCATIONS, card)
            me.location = card
            self.demand(cover == self.box.locations[card].cover, "the cover is not the printed one")
        for me in self.seats:
            self.new_item(me, 1, "R1: one item each")
        self.deal(self.seats)
        lowest = self.first_players()
        seat, tied, *_ = self.take(Event.START, "R3: who starts")
        self.demand(seat in lowest, f"R3: seat {seat} cannot start, only {lowest}")
        self.demand(tied == len(lowest) or self.given["first_player"] not in ("lowest_cover", "highest_cover"), "R3: number tied")
        self.starter = self.active = seat

    def choose_kids(self) -> None:
        how = self.given["kids"]
        free = set(range(len(self.box.kids)))
        for me in self.seats if how != "off" else ():
            named = self.given[f"kid.{self.seating[me.chair]}"]
            if how == "fixed" and named == "none":
                continue
            wanted = {}
            if how == "chosen":
                options = [code(Option.KID, k) for k in sorted(free)]
                wanted["a"] = split(self.decide(me.chair, Decision.KID, options, "R1: which kid"))[1]
            kid = self.take(Event.KID, "R1: one kid each", me.chair, **wanted)[1]
            self.demand(kid in free, f"R1: kid {kid} is taken")
            self.demand(how != "fixed" or self.box.kids[kid].kind == named, f"R1: the kid is {named}")
            free.discard(kid)
            me.kid = self.box.kids[kid]

    def deal(self, players: Sequence[Seat]) -> None:
        """R2: hands without Events, which are set aside and shuffled back when all hands are complete."""
        aside: set[int] = set()
        wanted = {me.chair: self.hand_size(me) for me in players}
        while any(len(self.seats[i].hand) < n for i, n in wanted.items()):
            if not any(not self.box.cards[c].event for c in self.draw[SNOWBALLS] | self.discards[SNOWBALLS]):
                for i in wanted:
                    if len(self.seats[i].hand) < wanted[i]:
                        self.take(Event.SHORT, "R42: no numbered card left", i)
                break
            event, seat, card, *_ = self.draw_named(SNOWBALLS, "R2: opening hands", (Event.CARD, Event.SET_ASIDE))
            self.demand((event == Event.SET_ASIDE) == self.box.cards[card].event, "R2: Events are set aside, others are not")
            if event == Event.SET_ASIDE:
                aside.add(card)
            else:
                self.seats[seat].hand.append(card)
                self.demand(seat in wanted and len(self.seats[seat].hand) <= wanted[seat], "R2: too many cards in a hand")
        self.draw[SNOWBALLS] |= aside

    def first_players(self) -> list[int]:
        how = self.given["first_player"]
        if how == "first_seat":
            return [0]
        if how == "random":
            return [me.chair for me in self.seats]
        covers = [self.box.locations[me.location].cover for me in self.seats]
        if self.given["ruling.start_cover"] == "current":
            covers = [self.cover(me) for me in self.seats]
        best = min(covers) if how == "lowest_cover" else max(covers)
        return [i for i, c in enumerate(covers) if c == best]

    # --- what lies before a player ---------------------------------------------------------------------------------------

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

    # --- gear, elimination, the end ------------------------------------------------------------------------------------

    def change_gear(self, me: Seat, by: int, loss: Loss) -> None:
        new = max(0, min(self.given["gear"], me.gear + by))
        self.take(Event.GEAR, "gear", me.chair, a=new, b=me.gear, c=int(loss))
        me.gear = new

    def send_inside(self, players: Sequence[Seat]) -> None:
        """R24: everybody without gear is out at the same time, and his cards are discarded."""
        out = {me.chair: me for me in players}
        self.counts["double outs"] += len(out) > 1
        self.last_out = sorted(out) or self.last_out
        for me in players:
            me.living = False
        while out:
            seat = self.take(Event.OUT, "R23: without gear one is sent inside")[0]
            self.demand(seat in out, f"R23: seat {seat} still has gear")
            me = out.pop(seat)
            if self.first_out == NONE:
                self.first_out = seat
                self.counts["first out turn"] = self.turns
            self.clear_table(me, "R24: the cards of who is sent inside are discarded", gone=True)
            self.end_lasting(me)
            me.may_not_clear = False

    def end_lasting(self, me: Seat) -> None:
        """F10, B3: what lasts until a player's next turn ends then, or when he is sent inside."""
        if me.lasting:
            self.take(Event.LASTING_ENDS, "B3", me.chair)
            me.lasting = False
            me.covers = me.no_quickshots = 0

    def end_test(self, hit: bool) -> None:
        """R25-R29."""
        left = self.living()
        if not left:
            self.end(Status.TIED, self.last_out)
        if len(left) == 1:
            self.end(Status.WON, [left[0].chair])
        if len(left) == 2 and len(self.seats) > 2 and (hit or self.given["ruling.end_test"] == "any_change"):
            a, b = left
            if a.gear != b.gear:
                self.end(Status.WON, [a.chair if a.gear > b.gear else b.chair])

    def end(self, status: Status, winners: Sequence[int]) -> NoReturn:
        winner = winners[0] if status == Status.WON else NONE
        self.take(Event.END, f"the game is over ({status.name})", a=int(status), b=winner)
        self.status, self.winner = status, winner
        for seat in winners:
            self.share[seat] = SIXTIETHS // len(winners)
        raise GameOver

    # --- turns -------------------------------------------------------------------------------------------------------

    def run(self) -> dict[str, Any]:
        """The whole game; returns what the outcome must say, by chair. Raises RefereeError."""
        try:
            self.set_up()
            while True:
                self.play_turn()
        except GameOver:
            pass
        if self.at != len(self.events):
            self.fail("the trace goes on after the end")
        return {
            "status": int(self.status),
            "winner": self.winner,
            "share": self.share,
            "turns": self.turns,
            "rounds": self.counts["rounds"],
            "starter": self.starter,
            "gear": [me.gear for me in self.seats],
            "first_out": self.first_out,
            "first_out_turn": self.counts["first out turn"],
            **{k: self.counts[k.replace("_", " ")] for k in ("throws", "hits", "quickshot_hits", "events", "reshuffles", "double_outs")},
        }

    def play_turn(self) -> None:
        me = self.seats[self.active]
        self.check_cards()
        if self.turns == self.given["turn_cap"]:
            self.end(Status.CAPPED, [])
        self.take(Event.TURN, "R3: the next living player, clockwise", me.chair, a=self.turns, b=self.rounds)
        self.turns += 1
        self.counts["rounds"] = self.rounds + 1
        self.end_lasting(me)
        self.cover_drops(me.chair)
        if me.living:
            self.act(me)
        after = self.active
        n = len(self.seats)
        while True:
            after = (after + 1) % n
            self.rounds += after == self.starter
            if self.seats[after].living:
                break
        self.active = after

    def act(self, me: Seat) -> None:
        """R4: exactly one of Throw, Clear Out, Action item; a kid's free Clear Out may come before."""
        clear = not (self.given["two_player_clear_rule"] and len(self.living()) == 2 and me.may_not_clear)
        legal = self.throws(me)
        if clear:
            legal.append(code(Option.CLEAR_OUT))
            if me.kid and "clear out" in me.kid.once and not me.kid_spent:
                legal.append(code(Option.FREE_CLEAR))
        for slot, item in enumerate(me.items):
            card = self.box.items[item]
            if card.keyword == Keyword.ACTION and (clear or not card.clears):
                legal.append(code(Option.ACTION, slot))
        kind, a, b, c = split(self.decide(me.chair, Decision.TURN, legal or [code(Option.PASS)], "R4"))
        if kind == Option.PASS:
            self.take(Event.PASS, "R4: forced pass", me.chair)
        elif kind == Option.THROW:
            self.throw(me, a, b, c)
        elif kind == Option.CLEAR_OUT:
            self.clear(me, Source.CHOICE)
        elif kind == Option.FREE_CLEAR:
            me.kid_spent = True
            self.clear(me, Source.KID)
            self.act(me)
        else:
            self.act_item(me, a)

    def act_item(self, me: Seat, slot: int) -> None:
        """R10: discard it, do it; no new item."""
        item = me.items[slot]
        card = self.box.items[item]
        self.take(Event.ACTION, "R10", me.chair, a=item)
        self.use_item(me, slot)
        if self.given["ruling.action_resets_clear_rule"] and not card.clears:
            me.may_not_clear = False
        self.resolve(me, card.effect, Source.ACTION_ITEM)

    def throws(self, me: Seat) -> list[int]:
        """R5, R6: any card at any living opponent, with a modifier or without; a kid's one-time power may be added."""
        modifiers = [0, *(1 + i for i, item in enumerate(me.items) if self.box.items[item].keyword == Keyword.MODIFIER)]
        boosts = [0, 8] if me.kid and "power" in me.kid.once and not me.kid_spent else [0]
        targets = [t.chair for t in self.living() if t is not me]
        return [
            code(Option.THROW, slot, target, modifier + boost)
            for slot in range(len(me.hand))
            for target in targets
            for modifier in modifiers
            for boost in boosts
        ]

    # --- one throw -----------------------------------------------------------------------------------------------------

    def throw(self, me: Seat, slot: int, target: int, extra: int) -> None:
        """R6-R8, R12-R23: from the declaration to the refills."""
        card = me.hand.pop(slot)
        item = me.items.pop((extra & 7) - 1) if extra & 7 else NONE
        self.take(Event.THROW, "R5", me.chair, a=card, b=target, c=item)
        self.counts["throws"] += 1
        me.may_not_clear = False
        number = self.box.cards[card].number
        modifier = self.box.items[item].power if item != NONE else 0
        power = number + modifier + (me.kid.power if me.kid else 0)
        if extra & 8:
            me.kid_spent = True
            power += me.kid.once["power"]
            self.take(Event.BOOST, "a kid's power", me.chair, a=me.kid.once["power"])
        at_once = self.given["ruling.refill"] == "at_once"
        self.air.append((card, item))
        if at_once:
            self.refill(me)
        at = self.bats(me, target)
        hits: list[tuple[Seat, bool]] = []  # (who, whether a QuickShot hit)
        if self.land(at, me, card, item, power):
            hits.append((at, False))
        self.air.pop()
        match = power if self.given["ruling.quickshot_number"] == "total" else number
        shots, refills = self.quickshots(me, match)
        hits += shots
        self.score(me.chair, hits)
        for who in self.clockwise(me.chair) if not at_once else ():
            if who is me or who.chair in refills:
                self.refill(who)

    def bats(self, me: Seat, target: int) -> Seat | None:
        """R18: the target may bat the snowball away, the new one too, each at most once. Returns where it ends, or None."""
        at, came_from, batted = self.seats[target], me, set()
        while True:
            slots = [i for i, item in enumerate(at.items) if self.box.items[item].bat != Bat.NO]
            if not at.living or not slots or at.chair in batted or (batted and not self.given["ruling.bat_chain"]):
                return at
            legal = [code(Option.PASS)]
            for slot in slots:
                bat = self.box.items[at.items[slot]].bat
                if bat == Bat.DISCARD:
                    legal.append(code(Option.BAT, slot))
                elif bat == Bat.THROWER:
                    legal += [code(Option.BAT, slot, 1 + came_from.chair)] if came_from.living else []
                else:
                    legal += [code(Option.BAT, slot, 1 + t.chair) for t in self.living() if t is not at]
            if len(legal) == 1:
                return at
            kind, slot, to, _ = split(self.decide(at.chair, Decision.BAT, legal, "R18"))
            if kind == Option.PASS:
                return at
            self.take(Event.BAT, "R18", at.chair, a=at.items[slot], b=to - 1)
            self.use_item(at, slot)
            batted.add(at.chair)
            came_from = at
            if to == 0:
                return None
            at = self.seats[to - 1]

    def land(self, at: Seat | None, thrower: Seat, card: int, item: int, power: int) -> bool:
        """R7: the snowball and its modifier enter a stack; a total of the cover or more is a hit."""
        if at is None or not at.living:
            who = self.peek()[1]
            self.take_all(
                [(Event.DISCARD, who, card, AWAY)] + ([(Event.DISCARD_ITEM, who, item, BATTED)] if item != NONE else []),
                "R18: the snowball and its modifier are discarded",
            )
            self.discards[SNOWBALLS].add(card)
            self.discards[ITEMS] |= {item} - {NONE}
            return False
        at.stack.append(card)
        at.stack_items += [item] if item != NONE else []
        at.total += power
        cover = self.cover(at)
        self.take(Event.LAND, "R7", at.chair, a=at.total, b=cover, c=int(at.total >= cover))
        hit = at.total >= cover
        at.reached |= hit
        self.counts["hits"] += hit
        return hit

    def quickshots(self, thrower: Seat, match: int) -> tuple[list[tuple[Seat, bool]], set[int]]:
        """R12-R16: the hits by answers, and who gave them."""
        shots: list[tuple[Seat, bool]] = []
        answered: set[int] = set()
        shooters = [(thrower, match)]
        for shooter, number in shooters:
            asked: set[int] = set()
            while (me := self.next_answerer(shooter, number, asked)) is not None:
                slots = self.matching(me, number)
                legal = [code(Option.PASS)] + [code(Option.QUICKSHOT, s) for s in slots]
                kind, slot, *_ = split(self.decide(me.chair, Decision.QUICKSHOT, legal, "R12"))
                if kind == Option.PASS:
                    asked.add(me.chair)
                    continue
                card = me.hand.pop(slot)
                self.take(Event.QUICKSHOT, "R12", me.chair, a=card, b=shooter.chair)
                self.take(Event.DISCARD, "R12: the QuickShot is discarded", me.chair, a=card, b=ANSWER)
                self.discards[SNOWBALLS].add(card)
                answered.add(me.chair)
                shots.append((shooter, True))
                self.counts["quickshot hits"] += 1
                if self.given["ruling.quickshot_counts_as_throw"]:
                    me.may_not_clear = False
                if self.given["ruling.refill"] == "at_once":
                    self.refill(me)
                if self.given["ruling.quickshot_answers_quickshot"]:
                    shooters.append((me, self.box.cards[card].number))
                if self.given["ruling.quickshot_responders"] != "all":
                    break
        return shots, answered

    def matching(self, me: Seat, number: int) -> list[int]:
        return [i for i, c in enumerate(me.hand) if self.box.cards[c].quickshot and self.box.cards[c].number == number]

    def next_answerer(self, shooter: Seat, number: int, asked: set[int]) -> Seat | None:
        """Who is asked next for a QuickShot: once around from who threw, or by lot where only the fastest counts."""
        if not shooter.living or any(me.no_quickshots for me in self.seats):
            return None
        by_lot = self.given["ruling.quickshot_responders"] == "random"
        able = []
        for me in self.clockwise(shooter.chair):
            if me is shooter or me.chair in asked:
                continue
            if self.matching(me, number):
                if not by_lot:
                    return me
                able.append(me)
            elif not by_lot:
                asked.add(me.chair)  # has had his chance
        return next((me for me in able if me.chair == self.peek()[1]), able[0] if able else None)

    def score(self, first: int, hits: Sequence[tuple[Seat, bool]]) -> None:
        """R19-R23, R32: saves, gear together, eliminations together, end test, automatic Clear Outs."""
        lost: Counter[int] = Counter()
        causes: dict[int, set[bool]] = {}
        order = self.clockwise(first)
        for me in order:
            for who, shot in sorted(hits, key=lambda h: h[1]):
                if who is me and not self.saved(me, shot):
                    lost[me.chair] += 1
                    causes.setdefault(me.chair, set()).add(shot)
        left = {chair: self.seats[chair] for chair in lost}
        while left:
            chair = self.peek()[1]
            if chair not in left:
                self.fail(f"R23: {sorted(left)} lose gear")
            me = left.pop(chair)
            new = max(0, me.gear - lost[chair])
            *_, loss = self.take(Event.GEAR, "R23: gear lost by a hit", chair, a=new, b=me.gear)
            self.demand((loss == Loss.QUICKSHOT) in causes[chair] and loss != Loss.EVENT, "R23: what cost the gear")
            me.gear = new
        self.send_inside([me for me in order if me.gear == 0])
        if hits:
            self.end_test(hit=True)
        count = len(self.seats) if self.given["ruling.auto_clear_scope"] == "starting" else len(self.living())
        if count >= self.given["auto_clear_from"]:
            hit = {who.chair for who, _ in hits} if self.given["ruling.auto_clear_after"] == "any_hit" else set(lost)
            for me in order:
                if me.living and me.chair in hit:
                    self.clear(me, Source.AUTOMATIC)
        self.cover_drops(first)

    def saved(self, me: Seat, shot: bool) -> bool:
        """R17, R19: a Response item or a kid may absorb this hit."""
        legal = [code(Option.PASS)]
        if not shot or self.given["ruling.save_from_quickshot"]:
            legal += [code(Option.SAVE, 1 + i) for i, item in enumerate(me.items) if self.box.items[item].save]
        if me.kid and not me.kid_spent and ("save" in me.kid.once or shot and "save from quickshot" in me.kid.once):
            legal.append(code(Option.SAVE))
        if len(legal) == 1:
            return False
        kind, a, *_ = split(self.decide(me.chair, Decision.SAVE, legal, "R19"))
        if kind == Option.PASS:
            return False
        item = me.items[a - 1] if a else NONE
        self.take(Event.SAVE, "R19", me.chair, a=item, b=int(shot))
        if a:
            self.use_item(me, a - 1)
        else:
            me.kid_spent = True
        return True

    def cover_drops(self, first: int) -> None:
        """R8: by a ruling a cover that falls to the total of a standing stack is a hit at once."""
        fallen = []
        for me in self.clockwise(first):
            reached = bool(me.stack) and me.total >= self.cover(me)
            if reached and not me.reached:
                fallen.append((me, False))
            me.reached |= reached
        if fallen and self.given["ruling.cover_drop"] == "at_once":
            self.score(first, fallen)

    # --- refills and effects -------------------------------------------------------------------------------------------

    def refill(self, me: Seat) -> None:
        """R35, R36, R42: draw to a full hand; Events interrupt."""
        while me.living and len(me.hand) < self.hand_size(me):
            left = self.draw[SNOWBALLS] | self.discards[SNOWBALLS]
            if all(self.box.cards[c].event for c in left):
                self.take(Event.SHORT, "R42: no numbered card left", me.chair)
                return
            event, _, card, *_ = self.draw_named(SNOWBALLS, "R35: hands are filled up", (Event.CARD, Event.EVENT), me.chair)
            self.demand((event == Event.EVENT) == self.box.cards[card].event, "R36: Events are resolved, others are not")
            if event == Event.CARD:
                me.hand.append(card)
                continue
            self.gone[SNOWBALLS].add(card)  # being resolved: in no other place
            self.open.append(card)
            self.counts["events"] += 1
            self.resolve(me, self.box.cards[card].effect, Source.EVENT)
            self.take(Event.EVENT_DONE, "R36: the Event is discarded", me.chair, a=card)
            self.open.remove(card)
            self.gone[SNOWBALLS].remove(card)
            self.discards[SNOWBALLS].add(card)

    def resolve(self, me: Seat, effect: Sequence[Any], source: Source) -> None:
        """An Event's or Action's text, for `me` (R39)."""
        for step in effect:
            if step[0] != "each":
                self.step(me, step[0], step[1], source)
                continue
            for who in self.clockwise(me.chair):
                if who.living and (who is not me or not step[1]):
                    for op, n in step[2]:
                        self.step(who, op, n, source)

    def step(self, me: Seat, op: Op, n: int, source: Source) -> None:
        """One clause."""
        if not me.living:
            return
        if op == Op.THROW:
            for _ in range(n):
                if me.living and (legal := self.throws(me)):
                    _, slot, target, extra = split(self.decide(me.chair, Decision.EXTRA_THROW, legal, "B2"))
                    self.throw(me, slot, target, extra)
        elif op == Op.CLEAR_OUT:
            self.clear(me, source, n)
        elif op == Op.RECOVER:
            if me.gear < self.given["gear"]:  # R38
                self.change_gear(me, n, Loss.EVENT)
                self.end_test(hit=False)
        elif op in (Op.RECOVER_POORER, Op.GIVE):
            self.help_poorer(me, op, n)
        elif op == Op.POOL_HANDS:
            self.pool()
        elif op == Op.DISCARD_HAND:
            self.take_all([(Event.DISCARD, me.chair, c, HAND) for c in me.hand], "the hand is discarded")
            self.discards[SNOWBALLS] |= set(me.hand)
            me.hand = []
            self.refill(me)
        elif op == Op.DISCARD_ITEM:
            self.take_all([(Event.DISCARD_ITEM, me.chair, i, HELD) for i in me.items], "the items are discarded")
            self.discards[ITEMS] |= set(me.items)
            me.items = []
            self.cover_drops(me.chair)
        elif op == Op.DRAW_ITEM:
            self.new_item(me, 1, "a drawn item")
            if len(me.items) > MOST_HELD:  # there is no room before him
                self.take(Event.DISCARD_ITEM, "no room for an item", me.chair, a=me.items[-1], b=HELD)
                self.discards[ITEMS].add(me.items.pop())
            self.cover_drops(me.chair)
        elif op == Op.LOSE:
            self.change_gear(me, -n, Loss.EVENT)
            if me.gear == 0:
                self.send_inside([me])
            self.end_test(hit=False)
        else:
            self.take(Event.LASTING, "F10: a lasting effect", me.chair, a=int(op), b=n if op == Op.LASTING_COVER else 0)
            me.lasting = True
            if op == Op.LASTING_COVER:
                me.covers += n
            else:
                me.no_quickshots += 1
            self.cover_drops(me.chair)

    def help_poorer(self, me: Seat, op: Op, n: int) -> None:
        """Mom Hollering (F13, R38, R44): a chosen player with less gear gets some back, M1: from the drawer, never his last."""
        back = self.given["ruling.mom_hollering_eliminated"] == "returns"
        poorer = [t for t in self.seats if (t.living or back) and t.gear < me.gear]
        if op == Op.GIVE and me.gear < 2 or not poorer:
            return
        legal = [code(Option.TARGET, 0, t.chair) for t in poorer]
        to = self.seats[split(self.decide(me.chair, Decision.GIVE, legal, "F13"))[2]]
        if op == Op.GIVE:
            n = min(n, me.gear - 1, self.given["gear"] - to.gear)
            self.change_gear(me, -n, Loss.EVENT)
        self.change_gear(to, n, Loss.EVENT)
        if not to.living:  # B4
            self.take(Event.BACK, "R44", to.chair, a=to.gear)
            to.living = True
            self.new_location(to, 1, Source.EVENT)
            self.new_item(to, 1, "B4")
            self.deal([to])
        self.end_test(hit=False)

    def pool(self) -> None:
        """Snowplow (R37): everybody gets back as many cards as he put in."""
        cards = {c for me in self.living() for c in me.hand}
        wanted = {me.chair: len(me.hand) for me in self.living()}
        for me in self.living():
            me.hand = []
        for _ in range(len(cards)):
            seat, card, *_ = self.take(Event.POOL, "R37")
            self.demand(card in cards, f"R37: card {card} is not in the pool")
            cards.discard(card)
            self.seats[seat].hand.append(card)
            self.demand(len(self.seats[seat].hand) <= wanted.get(seat, 0), f"R37: seat {seat} put in fewer cards")
