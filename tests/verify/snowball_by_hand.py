"""The rules of The Great Snowball Battle once more, for exact probabilities: small decks, players who choose by lot.

Written from the rulebook and the rulings R1-R44, B1-B7; it imports nothing of ``simcore``. A draw deck whose order
nobody knows is a bag: its next card is any of those in it. A player takes any legal option, equal cards counting once.
Kids, and rulings that are not fields of ``Rules``, are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from tests.verify.enumeration import Chance, End

PILES = BALLS, PLACES, ITEMS = ("balls", "places", "items")


@dataclass(frozen=True)
class Rules:
    """What can be played in another way: the rulings, parameters, and mistakes that a test must notice."""

    gear: int = 3
    hand: int = 2
    clear_rule: bool = True  # B1, R31: with two left nobody clears out twice in a row
    auto_clear_from: int = 5  # R32
    responders: str = "all"  # R14
    chain: bool = False  # R15
    save_from_quickshot: bool = True  # R17
    bat_chain: bool = True  # R18
    answers_reset: bool = False  # R22
    action_resets: bool = False  # R31
    forced_clear_counts: bool = False  # R31
    gear_only: bool = False  # R32: auto_clear_after = gear_lost
    hits_only: bool = False  # R27
    mistake: str = ""  # one rule got wrong on purpose, see MISTAKES


MISTAKES = {
    "more than the cover": "a snowball hits only above the cover number",
    "stack is cleared by a hit": "the Thrown stack goes to the discards when it has hit",
    "quickshot to the stack": "a QuickShot answer also needs the thrower's cover to be reached",
    "target cannot answer": "only bystanders answer with QuickShots",
    "answer needs no number": "any QuickShot answers any snowball",
    "duel plays on": "with two left of three or more, a lead in gear does not decide",
    "two win by gear": "a game of two ends as soon as gear differs",
    "modifier is kept": "a modifier goes back to the thrower",
    "condition is off": "a Condition adds nothing",
    "lid takes the snowball": "a snowball that a Response absorbs leaves the stack",
    "bat costs nothing": "a Log Bat is not discarded",
    "action draws an item": "an Action item is replaced at once",
    "discards stay": "a used-up snowball deck is not replenished",
    "discards on top": "a reshuffle leaves the Events in the discards",
    "event ends the refill": "after an Event no further card is drawn",
    "any start": "whoever starts is drawn by lot",
    "highest starts": "the highest cover starts",
    "event in hand": "Events may be dealt into the opening hands, where they are resolved at once",
    "own turn only": "lasting effects end with the next turn of anybody",
    "thrower is safe when the target is out": "a player who is sent inside gives no answer",
}


@dataclass(frozen=True)
class Cards:
    """The decks: how many of each card, and what each card says. Slugs are those of the content."""

    number: Mapping[str, int] = field(default_factory=dict)
    quickshot: Sequence[str] = ()
    cover: Mapping[str, int] = field(default_factory=dict)
    item: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # (keyword, effect)
    event: Mapping[str, str] = field(default_factory=dict)  # effect
    copies: Mapping[str, int] = field(default_factory=dict)

    def deck(self, *names: Mapping[str, Any]) -> Counter[str]:
        """A full deck of these cards."""
        return Counter({slug: self.copies[slug] for cards in names for slug in cards if self.copies[slug]})


class Over(Exception):
    """The game has ended."""

    def __init__(self, end: End) -> None:
        self.end = end


@dataclass
class Seat:
    """What lies before a player, and his hand."""

    gear: int
    place: str | None = None
    items: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    modifiers: list[str] = field(default_factory=list)  # in the stack
    cleared: bool = False  # cleared out, and has thrown nothing since
    covers: int = 0  # lasts until his next turn
    silence: bool = False  # likewise: no QuickShots

    def frozen(self) -> tuple[Any, ...]:
        found = (getattr(self, f.name) for f in fields(self))
        return tuple(tuple(sorted(x)) if isinstance(x, list) else x for x in found)


def thaw(row: Sequence[Any]) -> Seat:
    return Seat(*(list(x) if isinstance(x, tuple) else x for x in row))


class Table:
    """A game at a moment; it plays on by asking `chance`."""

    def __init__(self, cards: Cards, rules: Rules, players: int, chance: Chance) -> None:
        self.cards, self.rules, self.chance = cards, rules, chance
        self.seats = [Seat(rules.gear) for _ in range(players)]
        self.draw = {
            BALLS: cards.deck(cards.number, cards.event),
            PLACES: cards.deck(cards.cover),
            ITEMS: cards.deck(cards.item),
        }
        self.discards: dict[str, Counter[str]] = {pile: Counter() for pile in self.draw}
        self.active = 0
        self.counts: Counter[str] = Counter()

    def frozen(self) -> tuple[Any, ...]:
        piles = tuple(tuple(sorted((+p[k]).items())) for p in (self.draw, self.discards) for k in PILES)
        return self.active, tuple(me.frozen() for me in self.seats), piles

    def restore(self, state: Any) -> None:
        self.active, seats, piles = state
        self.seats = [thaw(row) for row in seats]
        for i, pile in enumerate(PILES):
            self.draw[pile], self.discards[pile] = Counter(dict(piles[i])), Counter(dict(piles[i + 3]))

    # --- cards ---

    def take(self, pile: str) -> str | None:
        """R40: the next card; discards are shuffled in when a card is needed and none is there."""
        deck = self.draw[pile]
        if not deck.total():
            stay = self.rules.mistake == "discards stay" and pile == BALLS
            if stay or not self.discards[pile].total():
                return None
            back = self.discards[pile]
            if self.rules.mistake == "discards on top":
                back = Counter({slug: n for slug, n in back.items() if slug not in self.cards.event})
            deck += back
            self.discards[pile] -= back
            self.counts[f"reshuffles of {pile}"] += 1
        if not deck.total():
            return None
        slug: str = self.chance.pick(sorted(((n, s) for s, n in deck.items() if n), key=lambda pair: pair[1]))
        deck[slug] -= 1
        return slug

    def drop(self, pile: str, slugs: list[str]) -> None:
        self.discards[pile].update(slugs)
        slugs.clear()

    def cover(self, me: Seat) -> int:
        more = [int(self.cards.item[i][1].split()[-1]) for i in me.items if self.cards.item[i][0] == "condition"]
        if self.rules.mistake == "condition is off":
            more = []
        return max(1, self.cards.cover[me.place or ""] + sum(more) + sum(s.covers for s in self.seats))

    def total(self, me: Seat) -> int:
        return sum(self.cards.number[c] for c in me.stack) + sum(self.power(m) for m in me.modifiers)

    def power(self, item: str) -> int:
        return int(self.cards.item[item][1].split()[-1])

    def living(self) -> list[Seat]:
        return [me for me in self.seats if me.gear > 0]

    def clockwise(self, me: Seat) -> list[Seat]:
        """All chairs from this one on."""
        i = next(k for k, s in enumerate(self.seats) if s is me)
        return self.seats[i:] + self.seats[:i]

    # --- set-up: R1-R3 ---

    def set_up(self) -> None:
        events = Counter({e: self.draw[BALLS].pop(e) for e in self.cards.event if e in self.draw[BALLS]})
        if self.rules.mistake == "event in hand":
            self.draw[BALLS] += events
        for me in self.seats:
            me.place = self.take(PLACES)
            item = self.take(ITEMS)
            me.items = [item] if item else []
        for me in self.seats:
            while len(me.hand) < self.rules.hand:
                card = self.take(BALLS)
                assert card is not None, "too few numbered cards for the opening hands"
                if card in self.cards.event:
                    self.discards[BALLS][card] += 1
                else:
                    me.hand.append(card)
        if self.rules.mistake != "event in hand":
            self.draw[BALLS] += events
        covers = [self.cards.cover[me.place or ""] for me in self.seats]  # printed: a Condition does not count
        best = max(covers) if self.rules.mistake == "highest starts" else min(covers)
        tied = [k for k, c in enumerate(covers) if c == best or self.rules.mistake == "any start"]
        self.active = self.chance.any_of(tied)

    # --- a turn: R4, R31 ---

    def turn(self) -> None:
        me = self.seats[self.active]
        ended = self.seats if self.rules.mistake == "own turn only" else [me]
        for seat in ended:
            seat.covers, seat.silence = 0, False
        clear = not (self.rules.clear_rule and len(self.living()) == 2 and me.cleared)
        options: list[tuple[Any, ...]] = [("throw", *how) for how in self.throws(me)]
        options += [("clear",)] if clear else []
        for item in me.items:
            keyword, effect = self.cards.item[item]
            if keyword == "action" and (clear or "clear out" not in effect):
                options.append(("action", item))
        what, *how = self.chance.any_of(options or [("pass",)])
        if what == "throw":
            self.throw(me, *how)
        elif what == "clear":
            self.clear(me, own=True)
        elif what == "action":
            me.items.remove(how[0])
            self.discards[ITEMS][how[0]] += 1
            self.counts["actions"] += 1
            if self.rules.mistake == "action draws an item":
                me.items += [i for i in [self.take(ITEMS)] if i]
            effect = self.cards.item[how[0]][1]
            if self.rules.action_resets and "clear out" not in effect:
                me.cleared = False
            self.resolve(me, effect, own=True)
        after = self.clockwise(me)[1:]
        self.active = next(k for s in after if s.gear > 0 for k, other in enumerate(self.seats) if other is s)

    def clear(self, me: Seat, own: bool, best_of: int = 1) -> None:
        """R9: all goes to the discards first, then a location and an item are drawn."""
        self.discards[PLACES][me.place or ""] += 1
        self.drop(BALLS, me.stack)
        self.drop(ITEMS, me.modifiers)
        self.drop(ITEMS, me.items)
        drawn = [p for p in (self.take(PLACES) for _ in range(best_of)) if p]
        me.place = self.chance.any_of(drawn)
        drawn.remove(me.place)
        self.discards[PLACES].update(drawn)
        item = self.take(ITEMS)
        me.items = [item] if item else []
        if own or self.rules.forced_clear_counts:
            me.cleared = True
        self.counts["clear outs" if own else "forced clears"] += 1

    # --- one throw ---

    def throws(self, me: Seat) -> list[tuple[str, Seat, str | None]]:
        """R5, R6: any card at any living opponent, with a modifier or without."""
        modifiers: list[str | None] = [i for i in sorted(set(me.items)) if self.cards.item[i][0] == "modifier"]
        targets = [t for t in self.living() if t is not me]
        return [(card, at, m) for card in sorted(set(me.hand)) for at in targets for m in [None, *modifiers]]

    def throw(self, me: Seat, card: str, target: Seat, modifier: str | None) -> None:
        me.hand.remove(card)
        if modifier:
            me.items.remove(modifier)
        me.cleared = False
        self.counts["throws"] += 1
        hits: list[tuple[Seat, bool]] = []  # (who, by a QuickShot answer)
        at = self.bats(me, target)
        if at is None:
            self.discards[BALLS][card] += 1
            self.discards[ITEMS].update([modifier] if modifier else [])
        else:
            at.stack.append(card)
            at.modifiers += [modifier] if modifier else []
            needed = self.cover(at) + (self.rules.mistake == "more than the cover")
            if self.total(at) >= needed:
                hits.append((at, False))
                self.counts["hits"] += 1
            if modifier and self.rules.mistake == "modifier is kept":
                at.modifiers.remove(modifier)
                me.items.append(modifier)
        dead = at if self.rules.mistake.startswith("thrower is safe") and hits and at and at.gear == 1 else None
        answered = self.answers(me, target, self.cards.number[card], hits, dead)
        self.score(me, hits)
        for who in self.clockwise(me):
            if who is me or any(who is other for other in answered):
                self.refill(who)

    def bats(self, me: Seat, target: Seat) -> Seat | None:
        """R18: where the snowball comes down, None for the discards. Each player may send it on once."""
        at, sender, done = target, me, list[Seat]()
        while True:
            bats = [i for i in sorted(set(at.items)) if self.cards.item[i][1].startswith("bat to ")]
            if not bats or any(at is s for s in done) or (done and not self.rules.bat_chain):
                return at
            options: list[tuple[str, Seat | None] | None] = [None]
            for bat in bats:
                where = self.cards.item[bat][1].removeprefix("bat to ")
                if where == "anyone":
                    options += [(bat, s) for s in self.living() if s is not at]
                else:
                    options.append((bat, sender if where == "thrower" else None))
            answer = self.chance.any_of(options)
            if answer is None:
                return at
            if self.rules.mistake != "bat costs nothing":
                at.items.remove(answer[0])
                self.discards[ITEMS][answer[0]] += 1
            done.append(at)
            self.counts["batted"] += 1
            if answer[1] is None:
                return None
            at, sender = answer[1], at

    def answers(
        self, me: Seat, target: Seat, number: int, hits: list[tuple[Seat, bool]], dead: Seat | None
    ) -> list[Seat]:
        """R12-R16, R22: QuickShots of the thrown number, once round the table from the thrower."""
        answered: list[Seat] = []
        windows = [(me, number)]
        wrong = self.rules.mistake
        for shooter, wanted in windows:
            closed = False
            for who in self.clockwise(shooter)[1:]:
                if closed or who.gear == 0 or who is dead or (wrong == "target cannot answer" and who is target):
                    continue
                while not any(s.silence for s in self.seats):
                    fitting = sorted(
                        {
                            c
                            for c in who.hand
                            if c in self.cards.quickshot
                            and (self.cards.number[c] == wanted or wrong == "answer needs no number")
                        }
                    )
                    if not fitting or closed:
                        break
                    card = self.chance.any_of([None, *fitting])
                    if card is None:
                        break
                    who.hand.remove(card)
                    self.discards[BALLS][card] += 1
                    self.counts["quickshot hits"] += 1
                    answered.append(who)
                    if wrong != "quickshot to the stack" or self.total(shooter) >= self.cover(shooter):
                        hits.append((shooter, True))
                    if self.rules.answers_reset:
                        who.cleared = False
                    if self.rules.chain:
                        windows.append((who, self.cards.number[card]))
                    closed = self.rules.responders == "first_in_order"
        return answered

    def score(self, thrower: Seat, hits: Sequence[tuple[Seat, bool]]) -> None:
        """R17, R19-R23, R32: saves, then gear together, the end test, and Clear Outs of those who were hit."""
        order = self.clockwise(thrower)
        lost = [0] * len(order)
        for k, me in enumerate(order):
            for _, shot in sorted((h for h in hits if h[0] is me), key=lambda hit: hit[1]):
                lost[k] += not self.saved(me, shot)
        out = []
        for me, n in zip(order, lost, strict=True):
            gone = min(n, me.gear)
            self.counts["gear lost"] += gone
            me.gear -= gone
            if gone and me.gear == 0:
                out.append(me)
        self.leave(out)
        if hits:
            self.end_test(hit=True)
        if self.rules.mistake == "stack is cleared by a hit":
            for me, _ in hits:
                self.drop(BALLS, me.stack)
                self.drop(ITEMS, me.modifiers)
        if len(self.seats) >= self.rules.auto_clear_from:
            for me, n in zip(order, lost, strict=True):
                if me.gear > 0 and (n if self.rules.gear_only else any(h[0] is me for h in hits)):
                    self.clear(me, own=False)

    def saved(self, me: Seat, shot: bool) -> bool:
        """R17, R19, R20: a Response item may absorb this hit; the snowball stays in the stack."""
        items = [i for i in sorted(set(me.items)) if self.cards.item[i][1] == "save"]
        if not items or (shot and not self.rules.save_from_quickshot):
            return False
        item = self.chance.any_of([None, *items])
        if item is None:
            return False
        me.items.remove(item)
        self.discards[ITEMS][item] += 1
        self.counts["saved"] += 1
        if self.rules.mistake == "lid takes the snowball" and not shot:
            self.discards[BALLS][me.stack.pop()] += 1
        return True

    def leave(self, out: Sequence[Seat]) -> None:
        """R24: the cards of those sent inside go to the discards."""
        self.counts["double outs"] += len(out) > 1
        for me in out:
            self.discards[PLACES][me.place or ""] += 1
            for pile, slugs in ((BALLS, me.hand), (BALLS, me.stack), (ITEMS, me.modifiers), (ITEMS, me.items)):
                self.drop(pile, slugs)
            me.place, me.cleared, me.covers, me.silence = None, False, 0, False

    def end_test(self, hit: bool) -> None:
        """R25-R30."""
        left = [k for k, me in enumerate(self.seats) if me.gear > 0]
        if not left:
            raise Over(End("tied", None))
        if len(left) == 1:
            raise Over(End("won", left[0]))
        wrong = self.rules.mistake
        duel = (len(self.seats) > 2 and wrong != "duel plays on") or (wrong == "two win by gear" and hit)
        if len(left) == 2 and duel and (hit or not self.rules.hits_only):
            a, b = left
            if self.seats[a].gear != self.seats[b].gear:
                raise Over(End("won", a if self.seats[a].gear > self.seats[b].gear else b))

    # --- refills and effects ---

    def refill(self, me: Seat) -> None:
        """R35, R36, R42."""
        while me.gear > 0 and len(me.hand) < self.rules.hand:
            if not any(p[BALLS][c] for p in (self.draw, self.discards) for c in self.cards.number):
                return
            card = self.take(BALLS)
            if card is None:
                return
            if card not in self.cards.event:
                me.hand.append(card)
                continue
            self.counts["events"] += 1
            self.resolve(me, self.cards.event[card], own=False)
            self.discards[BALLS][card] += 1
            if self.rules.mistake == "event ends the refill":
                return

    def resolve(self, me: Seat, effect: str, own: bool) -> None:
        """An Event's or an Action's text."""
        for clause in effect.split("; "):
            if clause.startswith("for each player: "):
                for who in self.clockwise(me):
                    if who.gear > 0:
                        self.clause(who, clause.removeprefix("for each player: "), own)
            else:
                self.clause(me, clause.removeprefix("until your next turn: "), own)

    def clause(self, me: Seat, text: str, own: bool) -> None:
        if me.gear == 0:
            return
        if text.startswith("throw "):
            for _ in range(int(text.split()[-1])):
                options = self.throws(me) if me.gear > 0 else []
                if options:
                    self.throw(me, *self.chance.any_of(options))
        elif text.startswith("clear out"):
            self.clear(me, own, int(text.removeprefix("clear out best of ")) if "best" in text else 1)
        elif text == "recover 1":
            self.change_gear([(me, 1 if me.gear < self.rules.gear else 0)])
        elif text == "lose 1 gear":
            self.change_gear([(me, -1)])
        elif text == "give 1 gear to poorer":
            poorer = [s for s in self.living() if s.gear < me.gear]
            if poorer:  # whoever is poorer has one at least, so it is never the giver's last
                self.change_gear([(me, -1), (self.chance.any_of(poorer), 1)])
        elif text == "pool hands":
            self.pool(me)
        elif text == "discard hand":
            self.drop(BALLS, me.hand)
            self.refill(me)
        elif text == "discard item":
            self.drop(ITEMS, me.items)
        elif text.startswith("covers "):
            me.covers += int(text.split()[-1])
        elif text == "no quickshots":
            me.silence = True
        else:
            raise NotImplementedError(text)

    def change_gear(self, changes: Sequence[tuple[Seat, int]]) -> None:
        """Gear that comes and goes without a hit: R27."""
        for me, by in changes:
            me.gear += by
            self.counts["gear lost"] += max(0, -by)
        self.leave([me for me, by in changes if by and me.gear == 0])
        if any(by for _, by in changes):
            self.end_test(hit=False)

    def pool(self, me: Seat) -> None:
        """R37: all hands together, shuffled, each gets as many as he put in."""
        pool = Counter(c for s in self.living() for c in s.hand)
        for who in self.clockwise(me):
            n, who.hand = len(who.hand), []
            for _ in range(n):
                card = self.chance.pick(sorted(((k, c) for c, k in pool.items() if k), key=lambda pair: pair[1]))
                pool[card] -= 1
                who.hand.append(card)


def one_turn(cards: Cards, rules: Rules, state: Any, chance: Chance) -> tuple[Any, Counter[str]]:
    """The state after one turn, or its End, and what was counted."""
    table = Table(cards, rules, len(state[1]), chance)
    table.restore(state)
    try:
        table.turn()
    except Over as over:
        return over.end, table.counts
    return table.frozen(), table.counts


def opening(
    cards: Cards, rules: Rules, players: int, chance: Chance, position: Mapping[str, Any] | None = None
) -> tuple[Any, Counter[str]]:
    """The start of a game, by set-up or from a position (a mapping as ``position.py`` of the game reads it)."""
    table = Table(cards, rules, players, chance)
    if position is None:
        table.set_up()
        return table.frozen(), table.counts
    table.active = position.get("active", 0)
    for pile, key in ((BALLS, "discards"), (PLACES, "location_discards"), (ITEMS, "item_discards")):
        table.discards[pile].update(position.get(key, ()))
        table.draw[pile] -= table.discards[pile]
    for me, row in zip(table.seats, position["player"], strict=True):
        me.gear = row.get("gear", rules.gear)
        me.place, me.cleared = row.get("location"), row.get("cleared_last", False)
        for name, key, pile in (
            ("items", "items", ITEMS),
            ("hand", "hand", BALLS),
            ("stack", "stack", BALLS),
            ("modifiers", "stack_items", ITEMS),
        ):
            setattr(me, name, list(row.get(key, ())))
            table.draw[pile] -= Counter(getattr(me, name))
        if me.place:
            table.draw[PLACES] -= Counter([me.place])
    numbered = Counter({c: n for c, n in table.draw[BALLS].items() if c in cards.number})
    for me in table.living():
        while len(me.hand) < rules.hand:
            card = chance.pick(sorted(((n, c) for c, n in numbered.items() if n), key=lambda pair: pair[1]))
            me.hand.append(card)
            for bag in (numbered, table.draw[BALLS]):
                bag[card] -= 1
    return table.frozen(), table.counts
