"""The referee resolves what cards say: clause by clause, by recursion."""

from __future__ import annotations

from typing import Any

from simcore.games.snallygaster.layout import (
    ANY_COLOUR,
    ANY_SYMBOL,
    NONE,
    Ability,
    Decision,
    Deck,
    Event,
    Op,
    Option,
    Part,
    Place,
    Source,
    Status,
    Window,
)
from tests.referees.snallygaster_board import Board
from tests.referees.snallygaster_cards import THREATS, Need, op_of
from tests.referees.snallygaster_table import MOST, Seat, code

PUT = {
    Op.BYSTANDER: Place.BYSTANDER,
    Op.STAR: Place.STAR,
    Op.MIRROR: Place.MIRROR,
    Op.TREE: Place.TREE,
    Op.HATCHLING: Place.HATCHLING,
}


class Effects(Board):
    """What the words do."""

    def resolve(self, me: Seat, clauses: Any, source: Source, calm: bool = False) -> None:
        """A text, for `me`; calm: without its threats (search_threat)."""
        for node in clauses:
            op = op_of(node)
            if not (calm and op in THREATS):
                self.clause(me, op, node, source, calm)

    def clause(self, me: Seat, op: Op, node: Any, source: Source, calm: bool) -> None:
        n = node.values[0] if node.values else 0
        if op == Op.WITHIN:
            if self.far(me, self.monster) <= n:
                self.resolve(me, node.body, source, calm)
            else:
                self.take(Event.FAILS, "L11: the monster is not that near", me.chair)
        elif op == Op.IF_RESCUED:
            if self.rescued:
                self.resolve(me, node.body, source, calm)
        elif op == Op.EACH_KID:
            for who in self.seats:
                if self.on_board(who):
                    self.resolve(who, node.body, source, calm)
        elif op == Op.MAY:
            legal = [code(Option.PASS), code(Option.USE)]
            if self.decide(me.chair, Decision.MAY, legal, "may")[0] == Option.USE:
                self.resolve(me, node.body, source, calm)
        elif op == Op.CHOOSE:
            legal = [code(Option.BRANCH, i) for i in range(len(node.body))]
            side = self.decide(me.chair, Decision.CHOICE, legal, "one of them")[1]
            self.take(Event.CHOSE, "one side of the card", me.chair, a=side)
            self.resolve(me, node.body[side].body, source, calm)
        else:
            self.verb(me, op, n, source)
            if op == Op.FEDS:
                self.feds(me, n, node.values[1])

    def feds(self, me: Seat, which: int, n: int) -> None:
        if which == 2:
            which = self.decide(me.chair, Decision.FEDS, [code(Option.BRANCH, f) for f in (0, 1)], "which Fed")[1]
        self.drive(which, n)

    def verb(self, me: Seat, op: Op, n: int, source: Source) -> None:  # noqa: C901, PLR0912
        if op == Op.MONSTER:
            self.monster_action("go", n)
        elif op == Op.NEAREST:
            self.monster_action("nearest")
        elif op == Op.LENGTH:
            self.monster_action("length", n)
        elif op == Op.ATTACK:
            self.monster_action("attack")
        elif op in (Op.LURE, Op.PUSH):
            self.driven(me, n, op == Op.LURE)
        elif op == Op.STUN:
            self.stunned = True
        elif op == Op.CANCEL:
            self.cancelled = True
        elif op == Op.DODGE:
            me.dodging = True
        elif op == Op.HOLD_FEDS:
            self.held += 1
        elif op == Op.DOOM:
            self.add_doom(n, source)
        elif op == Op.TOKEN:
            legal = [code(Option.BUILDING, b) for b, c in enumerate(self.box.colours) if n in (ANY_COLOUR, c)]
            if legal:
                b = self.decide(me.chair, Decision.BUILDING, legal, "a building of this colour")[1]
                self.search_token(b, 1)
        elif op == Op.MOVE_KID:
            self.move_kid(me, n)
        elif op == Op.NEW_HAND:
            self.new_hand_icon(me)
        elif op == Op.FREE_MOVE:
            self.free_move(me, n)
        elif op == Op.MOVE:
            if me.chair == self.active and self.moving:
                self.steps += n
            else:
                self.free_move(me, n)
        elif op == Op.SYMBOL:
            self.gain_symbol(me, n)
        elif op == Op.ITEM:
            for _ in range(n):
                self.gain_item(me)
        elif op == Op.REFRESH_WHEELS:
            if me.chair:
                self.refresh_wheels(me)
        elif op == Op.REFRESH_ITEMS:
            self.refresh_items(me)
        elif op == Op.SPARE_WHEEL:
            if self.spares and me.chair:
                wheel = min(self.spares)
                self.take(Event.SPARE, "L21: a spare wheel", me.chair, a=wheel)
                self.spares.discard(wheel)
                me.wheels.add(wheel)
                me.up.add(wheel)
        elif op == Op.ABILITY:
            self.take(Event.ABILITY, "until the end of the turn", me.chair, a=n)
            self.abilities |= n
        elif op == Op.SEARCH:
            self.search_card(me)
        elif op in PUT:
            self.put_by_lot(PUT[op], n)
        elif op == Op.LIGHT:
            self.lights(me, n)
        elif op == Op.CURSE:
            self.curse(me)
        elif op == Op.LIFT_CURSE:
            self.lift(me)
        elif op == Op.SMASH:
            if self.lying[Place.MIRROR]:
                legal = [code(Option.BUILDING, b) for b in self.lying[Place.MIRROR]]
                b = self.decide(me.chair, Decision.MIRROR, legal, "which mirror")[1]
                self.take_away(Place.MIRROR, b, "a smashed mirror")
        elif op == Op.SOUL:
            self.soul(n)
        elif op == Op.REVEAL:
            self.show()
        elif op == Op.HIDE:
            if not self.hidden:
                self.hide()
        else:
            assert op == Op.FEDS, op

    def driven(self, me: Seat, n: int, attacks: bool) -> None:
        """L26: lured or pushed; the actor chooses each hop."""
        self.window(Window.MONSTER)
        if self.cancelled or self.stunned:
            self.take(Event.STUNNED, "L26, L10: it is not moved", a=int(self.cancelled))
            if self.cancelled:
                self.cancelled = False
            else:
                self.stunned = False
                if attacks and self.stands():
                    self.attack()
            self.no_dodging()
            return
        if n:
            self.show()  # L11
        for _ in range(n):
            self.hop(set().union(*self.town.sides[self.monster]), me.chair, "L26", by_itself=False)
        if attacks:
            self.attack()
        self.no_dodging()

    def lights(self, me: Seat, n: int) -> None:
        for _ in range(n):
            free = set(range(len(self.town.sides))) - self.lying[Place.LIGHT]
            if free and len(self.lying[Place.LIGHT]) < MOST[Place.LIGHT]:
                d = self.decide(me.chair, Decision.LIGHT, [code(Option.DISTRICT, f) for f in free], "a searchlight")[1]
                self.take(Event.PUT, "a searchlight", a=int(Place.LIGHT), b=d)
                self.lying[Place.LIGHT].add(d)

    def move_kid(self, me: Seat, n: int) -> None:
        """L5: any Kid on the board up to n spaces; fences block, Feds' spaces are no end."""
        kids = [who for who in self.seats if self.on_board(who) and (who.chair or self.rescued)]
        if me.chair == 0:
            kids = [who for who in kids if who.chair]
        if not kids:
            return
        legal = [code(Option.KID, who.chair) for who in kids]
        who = self.seats[self.decide(me.chair, Decision.WHICH_KID, legal, "L5: which Kid")[1]]
        diagonal = self.given["ruling.move_kid"] == "any"
        ends = {s for s, far in self.town.walk(who.space, diagonal).items() if far <= n}
        if not self.can(who, Ability.STOP_ON_FEDS):
            ends -= self.fed_spaces()
        if not ends:
            return
        space = self.decide(me.chair, Decision.KID_TO, [code(Option.MOVE, s) for s in ends], "L5: where to")[1]
        self.take(Event.MOVE, "L5", who.chair, a=space, b=3)
        self.enter(who, space)

    # --- the hand ---

    def draw_clue(self, why: str) -> None:
        deck = self.draw[Deck.LOST_KID]
        if not deck:
            keep = self.given["ruling.lost_kid_reshuffle"] == "keep_tops"
            cards = set().union(*self.under, [] if keep else set(self.tops) - {NONE})
            self.under = [set() for _ in self.tops]
            self.tops = self.tops if keep else [NONE] * len(self.tops)
            if not cards:
                return
            self.reshuffle(int(Deck.LOST_KID), cards, deck, "L3")
        card = self.take(Event.DRAW, why, 0)[1]
        self.demand(card in deck, f"Lost Kid card {card} is drawn and not in the deck")
        deck.discard(card)
        self.hand.append(card)

    def new_hand_icon(self, me: Seat) -> None:
        """L4: the hand goes under the top of a pile that the Lost Kid chooses (or on top)."""
        self.add_doom(1, Source.NEW_HAND)
        legal = [code(Option.BRANCH, p) for p in range(len(self.tops))]
        pile = self.decide(0, Decision.PILE, legal, "L4: which pile hides the hand")[1]
        self.take(Event.NEW_HAND, "L4", 0, a=1, b=pile)
        for card in self.hand:
            self.take(Event.DISCARD, "L4", 0, a=card, b=pile)
        if self.given["ruling.new_hand_icon"] == "on_top" and self.hand:
            self.cover(pile, self.hand.pop())
        self.under[pile] |= set(self.hand)
        self.hand = []
        self.fresh_hand()

    def cover(self, pile: int, card: int) -> None:
        self.under[pile] |= {self.tops[pile]} - {NONE}
        self.tops[pile] = card

    def new_hand_token(self) -> None:
        """The hand is shuffled into the deck."""
        self.token_left = False
        self.take(Event.NEW_HAND, "the New Hand token", 0, a=0)
        self.add_doom(1, Source.NEW_HAND)
        for card in self.hand:
            self.take(Event.DISCARD, "L4: shuffled back", 0, a=card, b=NONE)
        self.draw[Deck.LOST_KID] |= set(self.hand)
        self.hand = []
        self.fresh_hand()

    def fresh_hand(self) -> None:
        self.had_new_hand = True
        for _ in range(self.given["hand_size"]):
            self.draw_clue("L4: a new hand")

    # --- symbols, items, search cards ---

    def gain_symbol(self, me: Seat, kind: int) -> None:
        if kind == ANY_SYMBOL:
            legal = [code(Option.SYMBOL, k) for k in range(len(self.box.kinds))]
            kind = self.decide(me.chair, Decision.SYMBOL, legal, "which symbol")[1]
        if not self.stacks[kind] and self.spent[kind]:
            self.reshuffle(3 + kind, self.spent[kind], self.stacks[kind], "L19")
            self.spent[kind] = set()
        if not self.stacks[kind]:
            self.take(Event.SYMBOL, "L19: no tile is left", me.chair, a=NONE)
            return
        tile = self.take(Event.SYMBOL, "a symbol", me.chair)[1]
        self.demand(tile in self.stacks[kind], f"tile {tile} does not lie in the stack of symbol {kind}")
        self.stacks[kind].discard(tile)
        me.tiles.add(tile)
        self.counts["symbols"] += 1
        self.resolve(me, self.box.tiles[tile].effect, Source.SYMBOL)

    def spend(self, me: Seat, kind: int, goal: int) -> None:
        """L31: the lowest numbered tile of the kind."""
        self.take(Event.SPEND, "a symbol is spent", me.chair, a=kind, b=goal)
        tile = self.kind_held(me, kind)[0]
        me.tiles.discard(tile)
        self.spent[kind].add(tile)

    def gain_item(self, me: Seat) -> None:
        deck = self.draw[Deck.ITEMS]
        card = self.take(Event.ITEM, "an item", me.chair)[1]
        if not deck:
            self.demand(card == NONE, "there is no item left")
            return
        self.demand(card in deck, f"item {card} is drawn and not in the deck")
        deck.discard(card)
        me.items.add(card)
        self.face_up.add(card)

    def search_card(self, me: Seat) -> None:
        """Drawn, windowed, resolved, discarded."""
        deck = self.draw[Deck.SEARCH]
        if not deck and self.discards[Deck.SEARCH]:
            cards, self.discards[Deck.SEARCH] = self.discards[Deck.SEARCH], set()
            self.reshuffle(int(Deck.SEARCH), cards, deck, "the search deck runs out")
        if not deck:
            return
        _, card, mood, _ = self.take(Event.CARD, "a search card", me.chair)
        self.demand(card in deck, f"search card {card} is drawn and not in the deck")
        deck.discard(card)
        self.counts["searches"] += 1
        threat, wanted = self.box.searches[card].threat, self.given["search_threat"]
        share = sum(c.threat for c in self.box.searches) / len(self.box.searches)
        right = {0}
        if wanted is not None and wanted < share and threat:
            right = {0, 1} if wanted else {1}
        if wanted is not None and wanted > share and not threat:
            right = {0, 2} if wanted < 1 else {2}
        self.demand(mood in right, f"search_threat: card {card} cannot be resolved in the way {mood}")
        self.demand(self.moods.setdefault(card, mood) == mood, f"search_threat: card {card} was resolved otherwise")
        self.open_cards.append(card)
        self.window(Window.SEARCH)
        if mood == 2:
            self.monster_action("nearest")
        self.resolve(me, self.box.searches[card].effect, Source.SEARCH, calm=mood == 1)
        self.open_cards.remove(card)
        self.discards[Deck.SEARCH].add(card)

    def use(self, me: Seat, card: int, window: Window) -> None:
        self.face_up.discard(card)
        self.take(Event.USE, "an item is used", me.chair, a=card, b=int(window))
        self.resolve(me, self.box.items[card].effect, Source.ITEM)

    # --- goals ---

    def is_at(self, me: Seat, need: Need) -> bool:
        """Whether the seat stands where a part of a goal is done."""
        place, building = need.place, self.town.building[me.space]
        if place == Place.BUILDING:
            return building == need.where
        if place == Place.LANDMARK:
            return me.space in {int(s) for s in self.town.plan.landmark_spaces[need.where]}
        if place == Place.TREEHOUSE:
            return self.sheltered(me)
        if place == Place.MONSTER:
            return self.monster in self.town.districts[me.space]
        return building >= 0 and building in self.lying[Place(place)]

    def can_pay(self, me: Seat, need: Need) -> bool:
        held = len(me.tiles) if need.kind == ANY_SYMBOL else len(self.kind_held(me, need.kind))
        return held >= need.price

    def open_parts(self, me: Seat, what: Part) -> list[int]:
        """Parts of the open goal that the seat can do where it stands."""
        if self.winning:
            return []
        return [
            i
            for i, need in enumerate(self.box.goals[self.goal].needs)
            if need.what == what and self.left[i] and self.is_at(me, need) and self.can_pay(me, need)
        ]

    def do_part(self, me: Seat, part: int) -> None:
        need = self.box.goals[self.goal].needs[part]
        for _ in range(need.price):
            kind = need.kind
            if kind == ANY_SYMBOL:
                held = [len(self.kind_held(me, k)) for k in range(len(self.box.kinds))]
                kind = held.index(max(held))
            self.spend(me, kind, 1)
        if need.what == Part.SEARCH and need.place in (Place.STAR, Place.MIRROR, Place.TREE, Place.HATCHLING):
            self.take_away(Place(need.place), self.town.building[me.space], "a searched token is removed")
        self.part_done(me, part)

    def part_done(self, me: Seat, part: int) -> None:
        self.left[part] -= 1
        self.take(Event.PART, "a part of the goal is done", me.chair, a=part, b=self.left[part])
        texts: list[Any] = []
        while not any(self.left) and not self.winning:  # the next goal may have been done before, by the rescue
            self.take(Event.GOAL, "the goal is done", a=self.goal)
            texts.append(self.box.goals[self.goal].reward)
            self.goal += 1
            if self.goal < len(self.box.goals):
                self.open_goal()
                texts.append(self.box.goals[self.goal].opens)
            elif self.given["ruling.last_doom"] == "lose":
                self.winning = True
            else:
                self.end(Status.WON)
        for text in texts:
            self.resolve(me, text, Source.ITEM)

    def open_goal(self) -> None:
        self.take(Event.OPENS, "the next goal", a=self.goal)
        goal = self.box.goals[self.goal]
        self.left = [0 if n.what == Part.RESCUE and self.rescued else n.times for n in goal.needs]

    def rescue(self, me: Seat, building: int) -> None:
        self.powered = self.take(Event.RESCUE, "L1: the Lost Kid is free", me.chair, a=building)[2]
        powered = range(self.box.item_cards, len(self.box.items))
        self.demand(self.powered in powered, "L18: the Lost Kid has one of the powered cards")
        self.rescued = True
        lost = self.seats[0]
        lost.space = self.town.building_spaces[building][0]
        lost.items.add(self.powered)
        self.face_up.add(self.powered)
        self.counts["rescue round"] = self.round
        for i, need in enumerate(self.box.goals[self.goal].needs):
            if need.what == Part.RESCUE and self.left[i]:
                self.part_done(me, i)

    # --- in the referee's main file ---

    def free_move(self, me: Seat, n: int) -> None:
        raise NotImplementedError

    def enter(self, me: Seat, space: int, how: int = 0) -> None:
        raise NotImplementedError
