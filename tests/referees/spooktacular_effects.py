"""The effect language of Spooktacular, done clause by clause on the referee's table.

A text is the tree that the content's parser gives; every clause is a method. What a clause sets off waits and is
resolved after it. Where chance or a player decides, the trace says what happened; all else is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from simcore.games.spooktacular.layout import (
    ABILITIES,
    BOARD,
    NONE,
    TRACK,
    Bar,
    Decision,
    Event,
    Op,
    Option,
    Place,
    Points,
    Rule,
    When,
)
from tests.referees.spooktacular_places import Picked, Run
from tests.referees.spooktacular_table import PASS, YES, option
from tests.referees.spooktacular_tokens import NothingLeft, Tokens

DEEPEST = 150  # effects within one another
LOOPS = 400


class Effects(Tokens):
    """The table, and how effects are done on it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.replacing: set[tuple[int, int]] = set()
        self.verbs: dict[int, Callable[[Run, Any], None]] = {
            int(op): getattr(self, f"do_{op.name.lower()}") for op in Op if hasattr(self, f"do_{op.name.lower()}")
        }

    # --- effects, clauses, and what they set off ---

    def do_text(self, section: str, slug: str, path: str, run: Run) -> None:
        basic = section == "cards" and not self.content.sections[section][slug].monster
        run = replace(run, scaled=self.estimated(section, slug, path), basic=basic)
        self.walk(self.text(section, slug, path), run)

    def walk(self, nodes: Sequence[Any], run: Run) -> None:
        for node in nodes:
            self.steps += 1
            self.verbs[int(node.form.op)](run, node)
            self.settle()

    def settle(self) -> None:
        """What has been set off: the active player's first, then clockwise (P9)."""
        if not self.pending:
            return
        first = self.active if self.given["ruling.trigger_order"] == "active_first" else 0
        waiting, self.pending = self.pending, []
        order = self.clockwise(first)
        waiting.sort(key=lambda p: order.index(p.owner))
        for one in waiting:
            self.take(Event.TRIGGER, "what was set off", one.owner, a=one.when)
            kit = self.seats[one.owner].kit
            run = Run(one.owner, kit, scaled=self.estimated("monsters", kit, "standing"), picked=Picked(**one.about))
            self.outside_loops(partial(self.walk, one.node.body, run))

    def every(self, section: str, slug: str, path: str) -> list[Any]:
        """All clauses of a text, those within others too."""
        return [inner for node in self.text(section, slug, path) for inner in node.walk()]

    def outside_loops(self, what: Callable[[], None]) -> None:
        """An effect of its own: a loop around it does not end by what it cannot pick."""
        loops, self.loops = self.loops, 0
        what()
        self.loops = loops

    def replaced(self, run: Run, rule: Rule) -> bool:
        """Does what stands in place of a rule (P25); False if nothing does."""
        node = self.seats[run.seat].instead.get(int(rule))
        key = (run.seat, int(rule))
        if node is None or key in self.replacing or self.seats[run.seat].bot:
            return False
        kit = self.seats[run.seat].kit
        self.replacing.add(key)
        self.walk(node.body, replace(run, kit=kit, scaled=self.estimated("monsters", kit, "standing")))
        self.replacing.discard(key)
        return True

    # --- points ---

    def own(self, run: Run) -> list[Points]:
        return [Points.BASIC] if run.basic else [Points.OWN]

    def do_gain(self, run: Run, node: Any) -> None:
        low, high = self.amounts(run, node.values[0])
        kinds = self.own(run)
        self.score(run.seat, self.told(low, high, run.seat, kinds), kinds, "gain")

    def do_gain_per(self, run: Run, node: Any) -> None:
        n, m, count, most = node.values
        times = self.count(run, count) // m
        low, high = self.amounts(run, n)
        low, high = (min(x * times, most) if most else x * times for x in (low, high))
        kinds = self.own(run)
        if run.scaled and float(self.given["kit_strength"]) != 1:
            low, high = self.amounts(run, min(n * times, most) if most else n * times)
        self.score(run.seat, self.told(low, high, run.seat, kinds), kinds, "gain per")

    def do_lose(self, run: Run, node: Any) -> None:
        have = self.seats[run.seat].points
        low, high = (min(x, have) for x in self.amounts(run, node.values[0]))
        self.score(run.seat, -self.told(low, high, run.seat, [Points.PAID], -1), [Points.PAID], "lose")

    def do_give(self, run: Run, node: Any) -> None:
        who = run.picked.who
        if who != NONE:
            low, high = self.amounts(run, node.values[0])
            self.score(who, self.told(low, high, who, [Points.GIFT]), [Points.GIFT], "that player gains")

    def do_steal(self, run: Run, node: Any) -> None:
        who = self.who(run, node.values[1], "from whom to steal")
        if who == NONE:
            return
        low, high = (min(x, self.seats[who].points) for x in self.amounts(run, node.values[0]))
        points = self.told(low, high, who, [Points.STOLEN], -1)
        self.score(who, -points, [Points.STOLEN], "stolen")
        self.score(run.seat, points, [Points.THEFT], "stolen")
        if points:
            self.triggers_of(who, When.ROBBED, who=run.seat)

    # --- cards ---

    def do_draw(self, run: Run, node: Any) -> None:
        self.draw(run.seat, node.values[0])

    def do_draw_up(self, run: Run, node: Any) -> None:
        self.draw_up(run.seat)

    def do_they_draw(self, run: Run, node: Any) -> None:
        if run.picked.who != NONE:
            self.draw(run.picked.who, node.values[0])

    def do_discard(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        for _ in range(min(node.values[0], len(me.hand))):
            choices = [option(Option.CARD, c) for c in me.hand]
            card = self.decide(run.seat, Decision.DISCARD, choices, "which card to discard")[1]
            me.hand.remove(card)
            self.discard(run.seat, card, 1)

    def do_play(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        if self.replaced(run, Rule.PLAY) or me.bot or not me.hand:
            return
        card = self.decide(run.seat, Decision.CARD, [option(Option.CARD, c) for c in me.hand], "which card to play")[1]
        me.hand.remove(card)
        me.playing.append(card)
        self.do_card(run.seat, card, 0, 0)
        self.settle()
        self.discard(run.seat, card, 0)
        me.playing.remove(card)

    def do_card(self, seat: int, card: int, how: int, where: int) -> None:
        """A card's text, told how it comes to be done; an effect of its own."""
        slug, _ = self.card_text(card)
        self.take(Event.CARD, "a card", seat, a=card, b=how, c=where)
        if how != 2:
            self.seats[seat].last_card = card
            self.turn_counts["played"] += seat == self.active
        kit = self.content.sections["cards"][slug].monster or self.seats[seat].kit
        self.outside_loops(lambda: self.do_text("cards", slug, "effect", Run(seat, kit)))

    def do_copy(self, run: Run, node: Any) -> None:
        who = self.who(run, node.values[0], "whose card to copy")
        card = self.seats[who].last_card if who != NONE else NONE
        if card == NONE or self.uncopied(card):
            return
        self.do_card(run.seat, card, 2, who)

    def uncopied(self, card: int) -> bool:
        """P23: a card that copies, or that names a piece of its monster's beyond the first kind of figure; itself, or
        in an ability that it does."""
        slug = self.cards[card]
        owner = self.content.sections["cards"][slug].monster
        kit = self.content.sections["monsters"][owner] if owner else None
        kinds = set(list(kit.kinds)[1:] if kit else ())
        waiting = self.every("cards", slug, "effect")
        while waiting:
            node = waiting.pop()
            words = {word for said in node.said.values() for word in said.split()}
            if node.form.op == Op.COPY or kinds & words:
                return True
            if node.form.op == Op.DO and kit and node.said["what"] in kit.abilities:
                waiting += self.every("monsters", owner, f"abilities.{node.said['what']}")
        return False

    # --- abilities and spaces ---

    def do_ability(self, run: Run, number: int) -> None:
        """The k-th ability or, after them, space of the text's monster."""
        monster = self.content.sections["monsters"][run.kit]
        names = [f"abilities.{a}" for a in monster.abilities] + [f"spaces.{s}" for s in monster.spaces]
        self.take(Event.ABILITY, "an ability", run.seat, a=ABILITIES * self.monsters.index(run.kit) + number)
        self.do_text("monsters", run.kit, names[number], run)

    def do_do(self, run: Run, node: Any) -> None:
        number = node.values[0]
        if number == NONE:
            if run.picked.space == NONE:
                return
            number = len(self.content.sections["monsters"][run.kit].abilities) + run.picked.space
        self.do_ability(run, number)

    def do_do_space(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        found = [me.at[i] - BOARD for i in self.pieces_of(run, node.values[0]) if BOARD <= me.at[i] < TRACK]
        if found:
            self.do_ability(run, len(me.monster.abilities) + found[0])

    # --- guests ---

    def do_add(self, run: Run, node: Any) -> None:
        if self.replaced(run, Rule.ADD):
            return
        number, place = node.values
        low, high = self.amounts(run, number)
        if not high or not self.bag.total():
            return
        rooms = [r for r in self.places(run, place) if not self.barred(r, Bar.GUEST_ADDED)]
        event, _, decision = self.peek()[:3]
        asked = event in (Event.ASKED, Event.ANSWER) and decision == Decision.ROOM
        if low < high and not low and len(rooms) > 1 and not asked:
            return  # none, by kit_strength
        room = self.choose_room(run.seat, rooms, "where guests are added")
        if room == NONE:
            return
        for k in range(high):
            if not self.bag.total():
                return
            if k >= low and self.peek()[:3] != (Event.ADD, run.seat, room):
                return
            self.add_guest(run.seat, room, 1, "guests are added")

    def do_move_guests(self, run: Run, node: Any) -> None:
        number, a, b, may_stop = node.values
        start = self.choose_room(run.seat, self.starts(run, a, b), "from where guests move")
        if start == NONE:
            return
        inner = replace(run, picked=replace(run.picked, room=start)) if b % 32 == Place.NEXT_THERE else run
        to = self.choose_room(run.seat, self.ends(inner, start, b), "to where guests move")
        if to == NONE or not self.guest_may_go(start, to):
            return
        for _ in range(number):
            choices = self.guest_choices([start])
            if not choices:
                return
            choices += [PASS] if may_stop else []
            kind, colour, _ = self.decide(run.seat, Decision.GUEST, choices, "which guest moves")
            if kind == Option.PASS:
                return
            self.move_guest(run.seat, colour, start, to, self.token_between(run.seat, start, to))

    def starts(self, run: Run, a: int, b: int) -> list[int]:
        """Rooms from which a guest can move to where it shall."""
        return [r for r in self.places(run, a) if self.guests[r].total() and self.ends(run, r, b)]

    def ends(self, run: Run, start: int, b: int) -> list[int]:
        return [r for r in self.places(run, b, start) if r != start and self.guest_may_go(start, r)]

    def do_spook(self, run: Run, node: Any) -> None:
        if self.replaced(run, Rule.SPOOK):
            return
        low, high = self.amounts(run, 1)
        if not high:
            return
        room = self.choose_room(run.seat, self.with_guests(self.places(run, node.values[0])), "where to spook")
        if room == NONE:
            return
        for k in range(high):
            if k >= low and not self.spooks_again(run.seat, room):
                return
            self.spook(run.seat, room)

    def spooks_again(self, seat: int, room: int) -> bool:
        """Whether the trace goes on with a spook; another text's would look alike."""
        for event, who, a, *_ in self.events[self.at :]:
            if event == Event.SPOOK:
                return who == seat and a == room
            if event not in (Event.ASKED, Event.OPTION, Event.ANSWER, Event.GUEST):
                break
            if event == Event.ASKED and a != Decision.LEAVE:
                break
        return False

    def devour_room(self, run: Run, place: int) -> int:
        return self.choose_room(run.seat, self.with_guests(self.places(run, place)), "where to devour")

    def with_guests(self, rooms: list[int]) -> list[int]:
        """P15: the rooms in which there is something to do, if there is one."""
        return [r for r in rooms if self.guests[r].total()] or rooms

    def do_devour(self, run: Run, node: Any) -> None:
        if self.replaced(run, Rule.DEVOUR):
            return
        number, place, may_stop = node.values
        room = self.devour_room(run, place)
        for _ in range(number if room != NONE else 0):
            choices = self.guest_choices([room])
            if not choices:
                return
            choices += [PASS] if may_stop else []
            kind, colour, _ = self.decide(run.seat, Decision.GUEST, choices, "which guest is devoured")
            if kind == Option.PASS:
                return
            self.devour(run.seat, colour, room)

    def do_devour_colour(self, run: Run, node: Any) -> None:
        if self.replaced(run, Rule.DEVOUR):
            return
        colour = run.picked.colour
        rooms = [r for r in self.places(run, node.values[0]) if colour != NONE and self.guests[r][colour]]
        room = self.choose_room(run.seat, rooms, "where to devour")
        if room != NONE:
            self.devour(run.seat, colour, room)

    def do_consume(self, run: Run, node: Any) -> None:
        """P11."""
        if self.replaced(run, Rule.DEVOUR):
            return
        room = self.devour_room(run, node.values[0])
        for colour in self.colours(room) if room != NONE else ():
            if self.guests[room][colour]:
                self.devour(run.seat, colour, room)

    def do_take(self, run: Run, node: Any) -> None:
        number, place, may_stop = node.values
        room = self.choose_room(
            run.seat,
            self.with_guests(self.places(run, place)),
            "from where guests are taken",
        )
        for _ in range(number if room != NONE else 0):
            choices = self.guest_choices([room])
            if not choices:
                return
            choices += [PASS] if may_stop else []
            kind, colour, _ = self.decide(run.seat, Decision.GUEST, choices, "which guest is taken")
            if kind == Option.PASS:
                return
            self.take(Event.TAKE, "a passenger", run.seat, a=colour, b=room)
            self.shift(colour, self.guests[room], self.seats[run.seat].held)

    def do_drop(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        if not me.held.total():
            return
        room = self.choose_room(run.seat, self.places(run, node.values[1]), "where passengers get off")
        for _ in range(node.values[0] if room != NONE else 0):
            choices = [option(Option.GUEST, c, room) for c in +me.held]
            if not choices:
                return
            colour = self.decide(run.seat, Decision.GUEST, choices, "which passenger gets off")[1]
            self.take(Event.DROP, "a passenger gets off", run.seat, a=colour, b=room)
            self.shift(colour, me.held, self.guests[room])

    # --- the program ---

    def do_run(self, run: Run, node: Any) -> None:
        slot = node.values[0] - 1
        card = self.seats[run.seat].program[slot]
        if card != NONE:
            self.do_card(run.seat, card, 1, slot)

    def do_discard_slot(self, run: Run, node: Any) -> None:
        me, slot = self.seats[run.seat], node.values[0] - 1
        if me.program[slot] != NONE:
            self.discard(run.seat, me.program[slot], 2, slot)
            me.program[slot] = NONE

    def to_slot(self, seat: int, card: int, slot: int) -> None:
        self.take(Event.PROGRAM, "the program", seat, a=card, b=slot)
        self.seats[seat].program[slot] = card

    def do_shift(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        for slot in range(len(me.program) - 2, -1, -1):
            if me.program[slot] != NONE and me.program[slot + 1] == NONE:
                card, me.program[slot] = me.program[slot], NONE
                self.to_slot(run.seat, card, slot + 1)

    def do_load(self, run: Run, node: Any) -> None:
        card, slot = node.values
        me = self.seats[run.seat]
        free = [i for i, c in enumerate(me.program) if c == NONE and slot in (NONE, i)]
        if me.bot or not free or (not me.hand if card == NONE else not me.deck[card]):
            return
        if card == NONE:
            choices = [option(Option.CARD, c) for c in me.hand]
            card = self.decide(run.seat, Decision.LOAD, choices, "which card is loaded")[1]
            me.hand.remove(card)
        else:
            me.deck[card] -= 1
        slot = self.decide(run.seat, Decision.SLOT, [option(Option.SLOT, i) for i in free], "into which slot")[1]
        self.to_slot(run.seat, card, slot)

    def do_reorder(self, run: Run, node: Any) -> None:
        """For each slot but the last: which of the cards from there on is there."""
        me = self.seats[run.seat]
        for slot in range(len(me.program) - 1 if me.program != [NONE] * 3 else 0):
            choices = [option(Option.SLOT, i) for i in range(slot, len(me.program))]
            other = self.decide(run.seat, Decision.SLOT, choices, "which card comes next")[1]
            if other != slot:
                a, b = me.program[slot], me.program[other]
                self.to_slot(run.seat, a, other)
                self.to_slot(run.seat, b, slot)

    # --- controls ---

    def do_may(self, run: Run, node: Any) -> None:
        if self.decide(run.seat, Decision.MAY, [YES, PASS], "whether to do it") == YES:
            self.walk(node.body, run)

    def do_choose(self, run: Run, node: Any) -> None:
        choices = [option(Option.BRANCH, i) for i in range(len(node.body))]
        side = self.decide(run.seat, Decision.BRANCH, choices, "which side")[1]
        self.walk(node.body[side].body, run)

    def do_until_none(self, run: Run, node: Any) -> None:
        self.loops += 1
        try:
            for _ in range(LOOPS):
                self.walk(node.body, run)
            self.fail("a loop does not end")
        except NothingLeft:
            pass
        self.loops -= 1
        self.settle()

    def do_for_tokens(self, run: Run, node: Any) -> None:
        kind, place = node.values
        me = self.seats[run.seat]
        rooms = {*self.places(run, place)} if place != Place.ANY else {*self.rooms, *self.guests}
        for piece, at in [(i, me.at[i]) for i in self.pieces_of(run, kind) if me.at[i] in rooms]:
            self.walk(node.body, replace(run, picked=replace(run.picked, piece=(run.seat, piece), room=at)))

    def do_for_rooms(self, run: Run, node: Any) -> None:
        for room in self.places(run, node.values[0]):
            self.walk(node.body, replace(run, picked=replace(run.picked, room=room)))

    def do_for_players(self, run: Run, node: Any) -> None:
        place, near = node.values
        players = self.others(run.seat)
        if near:
            rooms = self.places(run, place)
            wide = {x for r in rooms for x in (self.near(run, r) if near == 2 else {r})}
            players = self.players_in(run, wide)
        for player in players:
            self.walk(node.body, replace(run, picked=replace(run.picked, who=player)))

    def do_for_colours(self, run: Run, node: Any) -> None:
        rooms = self.places(run, node.values[0])
        room = self.choose_room(run.seat, rooms, "which room's colours")
        for colour in self.colours(room) if room != NONE else ():
            self.walk(node.body, replace(run, picked=replace(run.picked, colour=colour)))

    def do_if(self, run: Run, node: Any) -> None:
        if self.count(run, node.values[1]) >= node.values[0]:
            self.walk(node.body, run)

    def do_if_fewer(self, run: Run, node: Any) -> None:
        if self.count(run, node.values[1]) < node.values[0]:
            self.walk(node.body, run)

    def do_at(self, run: Run, node: Any) -> None:
        room = self.choose_room(run.seat, self.places(run, node.values[0]), "from which room")
        if room != NONE:
            self.walk(node.body, replace(run, at=room))

    def do_once(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        if id(node) not in me.once:
            me.once.add(id(node))
            self.walk(node.body, run)

    def do_repeat(self, run: Run, node: Any) -> None:
        for _ in range(node.values[0]):
            self.walk(node.body, run)

    def do_stun(self, run: Run, node: Any) -> None:
        who = self.who(run, node.values[0], "whom to stun")
        if who != NONE and run.seat not in self.seats[who].stunned_by:
            self.take(Event.STUN, "stunned", who, a=run.seat)
            self.seats[who].stunned_by.add(run.seat)

    def do_act_from(self, run: Run, node: Any) -> None:
        me = self.seats[run.seat]
        pieces = [i for i in self.pieces_of(run, node.values[0]) if self.is_room(me.at[i])]
        piece = self.choose_piece(run.seat, pieces, "which figure acts")
        if piece != NONE:
            me.acting = piece
