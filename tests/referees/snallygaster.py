"""A referee for The Snallygaster Situation: follows a game's trace in its own way and objects to what is not allowed.

Written from the rulebook and the rulings alone. It shares with the simulator the words of a trace (the enums), the
parsed content and the map, nothing else: decks are sets, effects are done by recursion. Where chance or a player
decides, the referee takes what the trace says and asks whether it was possible; all else it works out itself and
demands that the trace says the same. ``L12`` is the name of a ruling.
"""

from __future__ import annotations

from typing import Any

from simcore.games.snallygaster.layout import (
    NONE,
    TRADES,
    Ability,
    Decision,
    Deck,
    Event,
    Option,
    Part,
    Place,
    Search,
    Source,
    Status,
    Window,
)
from tests.referees.snallygaster_cards import op_of
from tests.referees.snallygaster_effects import Effects
from tests.referees.snallygaster_table import GameOver, RefereeError, Seat, code

__all__ = ["Referee", "RefereeError"]
BY_SYMBOL = 64  # a TRADE of a symbol: 64 + kind


class Referee(Effects):
    """Follows one game; the arguments are those of ``Table``."""

    status = Status.PLAYING
    double_half = NONE  # L17
    waiting = 0  # steps of the own movement while somebody makes a free move

    # --- set-up ---

    def set_up(self) -> None:
        piles = len(self.tops)
        for i in range(self.given["setup_tokens"]):
            _, card, pile, _ = self.take(Event.SETUP_CARD, "set-up", 0, b=i % piles)
            self.demand(card in self.draw[Deck.LOST_KID], f"set-up: card {card} is not in the deck")
            self.draw[Deck.LOST_KID].discard(card)
            self.cover(pile, card)
            self.search_token(self.box.clues[card].building, 3)
        _, card, building, _ = self.take(Event.HIDDEN, "the hidden location", 0)
        self.demand(card in self.draw[Deck.LOST_KID], f"set-up: card {card} is not in the deck")
        self.demand(building == self.box.clues[card].building, "the hidden location is that of the card")
        self.demand(self.box.may_hide[building], f"hidden_buildings: building {building} cannot hide the Lost Kid")
        self.draw[Deck.LOST_KID].discard(card)
        self.hiding = card
        for _ in range(self.given["hand_size"]):
            self.draw_clue("the hand")
        self.deal_rides()
        for me in self.seats[1:]:
            for _ in range(self.given["starting_items"] + me.ride.pocket):
                self.gain_item(me)
        self.double_half = NONE
        if self.kids == 3 and self.given["double_token"]:
            legal = [code(Option.BRANCH, h) for h in (0, 1)]
            self.double_half = self.decide(1, Decision.DOUBLE, legal, "L17")[1]
            self.take(Event.DOUBLE, "L17", a=self.double_half)
        self.resolve(self.seats[1], self.box.setup, Source.STORY)
        self.place_monster()
        self.open_goal()
        self.resolve(self.seats[1], self.box.goals[0].opens, Source.ITEM)
        if not self.given["immunity"]:
            for me in self.seats[1:]:
                self.arrive(me)

    def deal_rides(self) -> None:
        how = self.given["rides"]
        free = set(range(len(self.box.rides)))
        for me in self.seats[1:] if how != "off" else ():
            named = self.given[f"ride.{me.chair}"]
            if how == "fixed" and named == "none":
                continue
            ride = self.take(Event.RIDE, "a ride each", me.chair)[1]
            self.demand(ride in free, f"ride {ride} is another Kid's")
            self.demand(how == "random" or self.box.ride_slugs[ride] == named, f"the ride is {named}")
            free.discard(ride)
            me.ride = self.box.rides[ride]

    def place_monster(self) -> None:
        self.monster = self.box.lair
        if self.hidden or self.box.mechanics == "swoop":
            trees = set().union(*(self.town.building_districts[b] for b in self.lying[Place.TREE]), set())
            if trees:
                legal = [code(Option.DISTRICT, d) for d in trees]
                self.monster = self.decide(0, Decision.LAIR, legal, "the hidden monster's lair")[1]
        self.take(Event.MONSTER_AT, "the lair", a=self.monster, b=int(self.hidden))

    # --- the game ---

    def run(self) -> dict[str, Any]:
        """The whole game; returns what the outcome must say. Raises RefereeError."""
        try:
            self.set_up()
            self.cycle: list[int] = []
            while True:
                self.lost_kid_turn()
                left = self.given["kid_turns"]
                while left:
                    self.kid_turn()
                    left -= 1
                self.round += 1
        except GameOver:
            pass
        if self.at != len(self.events):
            self.fail("the trace goes on after the end")
        return {
            "status": int(self.status),
            "won": int(self.status == Status.WON),
            "doom": self.doom,
            "goals": self.goal,
            "turns": self.turn,
            "rescue_round": 1 + self.counts["rescue round"] if self.rescued else NONE,
            "searches": self.counts["searches"],
            "hits": self.counts["hits"],
            "catches": self.counts["catches"],
            "doom_by": [self.doom_by[s] for s in Source],
        }

    def begin_turn(self, chair: int, alone: int | None) -> None:
        self.check_all()
        self.check_cap()
        self.active = chair
        wanted = {} if alone is None else {"c": alone}
        self.take(Event.TURN, "whose turn it is", chair, a=self.turn, b=self.round, **wanted)
        self.turn += 1
        self.abilities = self.steps = self.trades = 0
        self.moving = self.sent = self.searched = self.had_new_hand = False

    def check_cap(self) -> None:
        if self.turn == self.given["turn_cap"]:
            self.end(Status.CAPPED)

    def settle(self) -> None:
        """L20: the last goal counts when the action is over, by that ruling."""
        if self.winning:
            self.end(Status.WON)

    # --- the Lost Kid ---

    def lost_kid_turn(self) -> None:
        self.begin_turn(0, 0)
        me = self.seats[0]
        while True:
            legal = [code(Option.PLAY, s, p) for s in range(len(self.hand)) for p in range(len(self.tops))]
            if self.token_left:
                legal.append(code(Option.NEW_HAND))
            kind, slot, pile, _ = self.decide(0, Decision.CARD, legal, "a card onto a pile")
            if kind == Option.PLAY:
                break
            self.new_hand_token()
            self.had_new_hand = False
        card = self.hand.pop(slot)
        self.take(Event.PLAY, "the card played", 0, a=card, b=pile, c=self.tops[pile])
        self.cover(pile, card)
        clue = self.box.clues[card]
        for i, node in enumerate(clue.spooky):
            self.icon(me, card, i, node)
            self.settle()
        self.search_token(clue.building, 0)
        if clue.action:
            kind, *_ = self.decide(0, Decision.ACTION_ICON, [code(Option.PASS), code(Option.USE)], "L5")
            if kind == Option.USE:
                self.told_icon(clue.action[0], 0)
                self.resolve(me, clue.action, Source.ICON)
        for fed in (0, 1):
            self.drive(fed, self.given["patrol_speed"])
        if self.token_left:
            kind, *_ = self.decide(0, Decision.NEW_HAND, [code(Option.PASS), code(Option.NEW_HAND)], "step 4")
            if kind == Option.NEW_HAND:
                self.new_hand_token()
        if not (self.had_new_hand and self.given["ruling.new_hand_before_draw"] == "four"):
            self.draw_clue("step 4: one card")
        self.settle()
        if self.rescued:
            self.sent = False
            self.steps = clue.movement
            self.walk_and_search(me, clue.diagonal)
        self.settle()

    def icon(self, me: Seat, card: int, i: int, node: Any) -> None:
        """One spooky action: as often as the deck was built to have it (L23)."""
        density = self.given["event_density"]
        dropped = self.peek()[0] == Event.DROPPED
        right = {1} if density == 1 else {0, 1} if density < 1 else {1, 2}
        right -= {1} if density in (0, 2) else set()
        known = self.times.get((card, i))
        right = {known} & right if known is not None else right
        if dropped:
            self.told_icon(node, 0, Event.DROPPED)
            self.demand(0 in right, f"L23: action {i} of card {card} cannot be dropped")
            self.times[card, i] = 0
            return
        if right == {0}:
            self.fail(f"L23: action {i} of card {card} must be dropped")
        self.told_icon(node, 0)
        self.resolve(me, [node], Source.ICON)
        twice = self.again(node)
        self.times[card, i] = 1 + twice
        if twice:
            self.demand(2 in right, f"L23: action {i} of card {card} cannot be doubled")
            self.told_icon(node, 1)
            self.resolve(me, [node], Source.ICON)
        elif right == {2}:
            self.fail(f"L23: action {i} of card {card} must be doubled")

    def again(self, node: Any) -> bool:
        return self.peek()[0] == Event.ICON and self.peek()[4] == 1

    def told_icon(self, node: Any, c: int, event: Event = Event.ICON) -> None:
        row = self.take(event, "an icon", 0)[1]
        self.demand(int(self.rules["op"][row]) == op_of(node), f"the next icon is {op_of(node).name}")
        if event == Event.ICON:
            self.demand(self.events[self.at - 1][4] == c, "L23: once or twice")

    # --- a Kid's turn ---

    def kid_turn(self) -> None:
        self.check_cap()
        chair, alone = self.who_goes()
        self.begin_turn(chair, alone)
        me = self.seats[chair]
        if not self.on_board(me):
            self.arrive(me)
        wheel = self.choose_wheel(me)
        self.walk_and_search(me, wheel.diagonal)
        self.settle()
        if not me.up:
            self.refresh_wheels(me)

    def who_goes(self) -> tuple[int, int | None]:
        """L17, L22: nobody twice before all have gone; beside the 2x token one goes twice."""
        double = self.double_half
        slots = 4 if double != NONE else self.kids
        if len(self.cycle) == slots:
            self.cycle = []
        at = len(self.cycle)
        if double != NONE and at == 2 * double + 1:
            self.cycle.append(self.cycle[-1])
            return self.cycle[-1], None
        free = [s for s in range(1, 1 + self.kids) if s not in self.cycle]
        if len(free) == 1:
            self.cycle.append(free[0])
            return free[0], (0 if self.given["coordination"] == 1 else None)
        if self.peek()[0] == Event.TURN:
            chair = self.peek()[1]
            if self.given["coordination"] >= 1:
                self.fail("L22: with coordination 1 the Kids choose who goes")
            if chair not in free:
                self.fail(f"it is the turn of one of {free}")
            self.cycle.append(chair)
            return chair, 1
        if self.given["coordination"] == 0 and self.given["coordination"] is not None:
            self.fail("L22: without coordination who goes is drawn by lot")
        chair = self.decide(free[0], Decision.WHO, [code(Option.KID, s) for s in free], "L17: who goes")[1]
        self.cycle.append(chair)
        return chair, 0

    def arrive(self, me: Seat) -> None:
        space = self.town.building_spaces[self.box.start][0]
        self.take(Event.ARRIVES, "on the first turn the Kid is placed", me.chair, a=space)
        me.space = space
        if self.box.mechanics == "fixation" and self.fixed_on == NONE:
            self.fix(me)

    def choose_wheel(self, me: Seat) -> Any:
        self.moving = True
        while True:
            legal = [code(Option.WHEEL, w) for w in me.up]
            if me.ride.reuse and not me.reused:
                legal += [code(Option.WHEEL, w, 1) for w in me.wheels - me.up]
            legal += [code(Option.USE, i) for i in self.usable(me, Window.TURN)]
            kind, a, again, _ = self.decide(me.chair, Decision.WHEEL, legal, "a wheel")
            if kind == Option.WHEEL:
                break
            self.use(me, a, Window.TURN)
        self.sent = False  # L24: who was hit before moves all the same
        me.up.discard(a)
        me.reused |= bool(again)
        wheel = self.box.wheels[a]
        self.steps += max(1, wheel.value - me.curses)
        self.take(Event.WHEEL, "the wheel's number, less the curses", me.chair, a=a, b=self.steps, c=again)
        return wheel

    def walk_and_search(self, me: Seat, diagonal: bool) -> None:
        self.moving = True
        if diagonal:
            self.abilities |= Ability.DIAGONAL
        self.movement(me, 1)
        self.moving = False
        self.search(me)

    # --- movement ---

    def partners(self, me: Seat, space: int) -> list[Seat]:
        """L30: with whom the active seat could trade if it stood there."""
        found = []
        for who in self.seats:
            if who is me or not self.on_board(who):
                continue
            near = self.town.walk(space)[who.space] <= me.ride.trade
            sheltered = space in self.town.house and self.sheltered(who)
            if who.space == space or near or sheltered or self.can(me, Ability.TRADE_ANYWHERE):
                found.append(who)
        return found

    def goods(self, me: Seat) -> list[int]:
        items = [i for i in me.items if not self.box.items[i].powered]
        return [*items, *{BY_SYMBOL + self.box.tiles[t].kind for t in me.tiles}]

    def trade_options(self, me: Seat) -> list[int]:
        if self.trades >= TRADES:
            return []
        legal = []
        for who in self.partners(me, me.space):
            legal += [code(Option.TRADE, x, who.chair, 0) for x in self.goods(me)]
            legal += [code(Option.TRADE, x, who.chair, 1) for x in self.goods(who)]
        return legal

    def trade(self, me: Seat, what: int, other: int, taken: int) -> None:
        giver, getter = (self.seats[other], me) if taken else (me, self.seats[other])
        self.take(Event.TRADE, "L30", giver.chair, a=what, b=getter.chair)
        self.trades += 1
        if what >= BY_SYMBOL:
            tile = self.kind_held(giver, what - BY_SYMBOL)[0]
            giver.tiles.discard(tile)
            getter.tiles.add(tile)
        else:
            giver.items.discard(what)
            getter.items.add(what)

    def free_actions(self, me: Seat) -> list[int]:
        legal = [code(Option.USE, i) for i in self.usable(me, Window.TURN)]
        legal += self.trade_options(me)
        priced = [p for p in self.open_parts(me, Part.ENTER) if self.box.goals[self.goal].needs[p].price]
        legal += [code(Option.GOAL, p) for p in priced]
        return legal

    def act(self, me: Seat, kind: Option, a: int, b: int, c: int) -> None:
        if kind == Option.USE:
            self.use(me, a, Window.TURN)
        elif kind == Option.TRADE:
            self.trade(me, a, b, c)
        else:
            self.do_part(me, a)
        self.settle()

    def stops(self, me: Seat, walk: dict[int, int]) -> list[set[int]]:
        """Where a stop on the way is worth an option: a bystander, a seat to trade with, a part to do by entering.

        Sets of spaces: one of each set must be offered, any may be, and NONE says that none need be. The nearest spaces
        are enough. A step must be left, or the bonus to come; if that is so for some of the nearest only: NONE.
        """
        wanted = [self.town.building_spaces[b] for b in self.lying[Place.BYSTANDER]]
        if self.trades < TRADES:
            partners = [who for who in self.seats if who is not me and self.on_board(who) and self.goods_of(me, who)]
            wanted += [[who.space] for who in partners]
            if any(self.sheltered(who) for who in partners):
                wanted += [[h] for h in self.town.houses]
            if me.ride.trade:
                wanted += [[s for s in walk if self.town.walk(s)[who.space] <= me.ride.trade] for who in partners]
        needed = [True] * len(wanted)
        for spaces, paid in self.entrances(me, walk):
            wanted.append(spaces)
            needed.append(paid)
        found = []
        for spaces, need in zip(wanted, needed, strict=True):
            near = min((walk[s] for s in spaces), default=0)
            nearest = {s for s in spaces if walk[s] == near}
            able = {s for s in nearest if 0 < near < self.steps + self.leads_on(me, s)}
            found.append(able if able == nearest and need else able | {NONE})
            found.append({s for s in spaces if 0 < walk[s] < self.steps + self.leads_on(me, s)} | {NONE})
        return found

    def leads_on(self, me: Seat, space: int) -> bool:
        """Whether a bonus step is to come there."""
        return bool(me.ride.road if self.town.is_road[space] else me.ride.off_road)

    def goods_of(self, me: Seat, who: Seat) -> bool:
        return bool(self.goods(me) or self.goods(who))

    def entrances(self, me: Seat, walk: dict[int, int]) -> list[tuple[list[int], bool]]:
        """For each part of the open goal that is done by entering: the spaces, and whether the seat can pay for it."""
        found, here = [], me.space
        needs = () if self.winning else self.box.goals[self.goal].needs
        for left, need in zip(self.left, needs, strict=not self.winning):
            if left and need.what == Part.ENTER:
                spaces = []
                for me.space in walk:
                    if self.is_at(me, need):
                        spaces.append(me.space)
                found.append((spaces, self.can_pay(me, need)))
        me.space = here
        return found

    def movement(self, me: Seat, how: int) -> None:
        """Up to `steps` spaces, with stops on the way; how: 1 the own movement, 2 a free move."""
        bonus = how == 1 or self.given["ruling.free_move_road_bonus"]
        while True:
            diag = self.can(me, Ability.DIAGONAL)
            over = self.can(me, Ability.CROSS_FENCES)
            road, off = (me.ride.road, me.ride.off_road) if bonus else (0, 0)
            ends = set(self.town.ends(me.space, self.steps, diag, over, road, off))
            if not self.can(me, Ability.STOP_ON_FEDS):
                ends -= self.fed_spaces()
            legal = [code(Option.MOVE, s) for s in ends]
            walk = self.town.walk(me.space, diag, over)
            stops = []
            if how == 1:
                stops = [{code(Option.VIA, s) if s >= 0 else NONE for s in spaces} for spaces in self.stops(me, walk)]
                legal += self.free_actions(me)
            if how == 1 and self.given["symbol_steps"]:
                legal += [code(Option.SYMBOL, k) for k in {self.box.tiles[t].kind for t in me.tiles}]
            kind, a, b, c = self.decide(me.chair, Decision.MOVE, legal, "the movement", stops)
            if kind == Option.MOVE:
                self.steps = 0
                self.take(Event.MOVE, "the movement ends", me.chair, a=a, b=how, c=0 if how == 1 else self.waiting)
                if how == 1:
                    self.moving = False
                self.enter(me, a, how)
                if how == 1:
                    self.settle()
                return
            if kind == Option.VIA:
                self.steps -= walk[a]
                self.take(Event.MOVE, "a stop on the way", me.chair, a=a, b=0, c=self.steps)
                self.enter(me, a)
                self.settle()
            elif kind == Option.SYMBOL:
                self.spend(me, a, 0)
                self.steps += self.given["symbol_steps"]
            else:
                self.act(me, kind, a, b, c)
            if how == 1 and self.sent and self.given["ruling.hit_ends_move"]:
                return

    def free_move(self, me: Seat, n: int) -> None:
        """L12, L15: no search afterwards."""
        waiting, moving = self.steps, self.moving
        self.steps, self.moving, self.waiting = n, False, waiting
        self.movement(me, 2)
        self.steps, self.moving = waiting, moving

    def enter(self, me: Seat, space: int, how: int = 0) -> None:
        """Whoever moves into a space with a bystander takes it: the quest. `how`: as in `movement`, at its end."""
        me.space = space
        building = self.town.building[space]
        quest = building >= 0 and building in self.lying[Place.BYSTANDER]
        if quest:
            self.take_away(Place.BYSTANDER, building, "the quest")
        self.enter_parts(me)
        if how:
            self.ended(me)
        if quest:
            self.resolve(me, self.box.quest, Source.STORY)

    def enter_parts(self, me: Seat) -> None:
        """Parts that are done by entering and cost nothing are done at once."""
        for part in self.open_parts(me, Part.ENTER):
            if not self.box.goals[self.goal].needs[part].price:
                self.do_part(me, part)
                break

    def ended(self, me: Seat) -> None:
        """A movement has ended here."""
        building = self.town.building[me.space]
        if self.given["ruling.rescue"] == "any_end" and not self.rescued:
            if building == self.box.clues[self.hiding].building:
                self.rescue(me, building)
        if me.chair == 0 and self.sheltered(me):
            self.face_up.add(self.powered)

    # --- search ---

    def search_options(self, me: Seat) -> list[int]:
        legal = []
        building = self.town.building[me.space]
        if building >= 0 and self.tokens[building]:
            legal.append(code(Option.SEARCH, Search.TOKEN))
            if self.given["ruling.rescue"] == "guess" and not self.rescued:
                legal.append(code(Option.SEARCH, Search.TOKEN, 0, 1))
        legal += [code(Option.SEARCH, Search.GOAL, p) for p in self.open_parts(me, Part.SEARCH)]
        if self.sheltered(me):
            legal.append(code(Option.SEARCH, Search.TREEHOUSE))
        return legal

    def search(self, me: Seat) -> None:
        may = True
        while True:
            legal = self.free_actions(me)
            legal += self.search_options(me) if may and not (self.sent and self.given["ruling.hit_ends_move"]) else []
            if not legal:
                return
            kind, a, b, c = self.decide(me.chair, Decision.SEARCH, [code(Option.PASS), *legal], "search")
            if kind == Option.PASS:
                return
            if kind == Option.SEARCH:
                may = False
                self.search_there(me, Search(a), b, c)
                self.settle()
            else:
                self.act(me, kind, a, b, c)

    def search_there(self, me: Seat, what: Search, part: int, guess: int) -> None:
        if what == Search.GOAL:
            self.take(Event.SEARCH, "a goal's place", me.chair, a=int(what), b=part)
            self.do_part(me, part)
        elif what == Search.TREEHOUSE:
            self.take(Event.SEARCH, "the treehouse", me.chair, a=int(what), b=self.town.house[me.space])
            self.refresh(me)
            if self.box.mechanics == "curse":
                self.lift(me)
            legal = [code(Option.BUILDING, b) for b in range(len(self.box.colours))]
            b = self.decide(me.chair, Decision.BUILDING, legal, "a treehouse scouts any building")[1]
            self.search_token(b, 2)
        else:
            building = self.town.building[me.space]
            self.take(Event.SEARCH, "the token", me.chair, a=int(what), b=building)
            self.tokens[building] -= 1
            if self.finds(building, guess):
                self.rescue(me, building)
                return
            if guess:
                self.take(Event.GUESS, "L1: a wrong guess", me.chair)
                self.add_doom(1, Source.GUESS)
            self.search_card(me)

    def finds(self, building: int, guess: int) -> bool:
        """L1."""
        if self.rescued or building != self.box.clues[self.hiding].building:
            return False
        how = self.given["ruling.rescue"]
        if how == "goal":
            needs = self.box.goals[self.goal].needs
            return any(n.what == Part.RESCUE and left for n, left in zip(needs, self.left, strict=True))
        return bool(how == "search" or (how == "guess" and guess))
