"""A referee for The Great Snowball Battle: follows a game's trace in its own way and objects to what is not allowed.

Written from the rulebook and the rulings alone. It shares with the simulator the words of a trace (``layout``'s enums)
and the content files, nothing else: hands are lists, effects are read from their texts and done by recursion. Where
chance or a player decides, the referee takes what the trace says and asks whether it was possible; all else it works
out itself and demands that the trace says the same. ``R12`` and ``B5`` are the names of rulings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from simcore.games.snowball.layout import NONE, Bat, Decision, Event, Keyword, Loss, Op, Option, Source, Status
from tests.referees.snowball_table import (
    ANSWER,
    AWAY,
    BATTED,
    HAND,
    HELD,
    ITEMS,
    LOCATIONS,
    SNOWBALLS,
    RefereeError,
    Seat,
    Table,
    code,
    split,
)

__all__ = ["Referee", "RefereeError"]
MOST_HELD = 3
COUNTED = ("throws", "hits", "quickshot_hits", "events", "reshuffles", "double_outs")
SIXTIETHS = 60
TOGETHER = True  # R8: stacks that a fallen cover hits are hit at the same time, or one after the other in any order


class GameOver(Exception):
    """The end test has ended the game; raised to leave whatever was being resolved."""


class Referee(Table):
    """Follows one game; the arguments are those of ``Table``."""

    def __init__(
        self,
        configuration: Any,
        events: Iterable[Any],
        seating: Sequence[int] = (),
        forbid: Sequence[Iterable[str]] = (),
    ) -> None:
        super().__init__(configuration, events, seating, forbid)
        self.active = self.starter = 0
        self.turns = self.rounds = 0
        self.first_out = NONE
        self.status, self.winner = Status.PLAYING, NONE
        self.share = [0] * configuration.seats
        self.last_out: list[int] = []

    # --- set-up ---

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
        self.demand(tied == len(lowest), f"R3: {len(lowest)} players are tied for it")
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
            self.demand((event == Event.SET_ASIDE) == self.box.cards[card].event, "R2: Events are set aside, only they")
            if event == Event.SET_ASIDE:
                aside.add(card)
            else:
                self.seats[seat].hand.append(card)
                self.demand(len(self.seats[seat].hand) <= wanted.get(seat, 0), "R2: too many cards in a hand")
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

    # --- gear, elimination, the end ---

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

    # --- turns ---

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
            **{k: self.counts[k.replace("_", " ")] for k in COUNTED},
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

    # --- one throw ---

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
        """R18: the target may bat the snowball away, the next one too, each once. Returns where it ends, or None."""
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
            lost = [(Event.DISCARD, who, card, AWAY)]
            lost += [(Event.DISCARD_ITEM, who, item, BATTED)] if item != NONE else []
            self.take_all(lost, "R18: the snowball and its modifier are discarded")
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
            if TOGETHER:
                self.score(first, fallen)
                return
            while fallen := [f for f in fallen if f[0].living and f[0].total >= self.cover(f[0])]:
                one = next((f for f in fallen if f[0].chair == self.peek()[1]), fallen[0])
                fallen.remove(one)
                self.score(first, [one])

    # --- refills and effects ---

    def refill(self, me: Seat) -> None:
        """R35, R36, R42: draw to a full hand; Events interrupt."""
        while me.living and len(me.hand) < self.hand_size(me):
            left = self.draw[SNOWBALLS] | self.discards[SNOWBALLS]
            if all(self.box.cards[c].event for c in left):
                self.take(Event.SHORT, "R42: no numbered card left", me.chair)
                return
            told = (Event.CARD, Event.EVENT)
            event, _, card, *_ = self.draw_named(SNOWBALLS, "R35: hands are filled up", told, me.chair)
            self.demand((event == Event.EVENT) == self.box.cards[card].event, "R36: Events are resolved, only they")
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
        """Mom Hollering (F13, R38, R44): a chosen player with less gear gets some; M1: the drawer's, never his last."""
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
