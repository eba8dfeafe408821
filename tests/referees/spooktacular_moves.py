"""Spooking, devouring and moving in Spooktacular, with the automaton's printed priorities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcore.games.spooktacular.layout import (
    COLOURS,
    EXTRA,
    NONE,
    Bar,
    Decision,
    Event,
    Option,
    Piece,
    Place,
    Points,
    Rule,
    When,
)
from tests.referees.spooktacular_places import Places, Run
from tests.referees.spooktacular_table import PASS, Choice, option


class Moves(Places):
    """The table, and what moves on it."""

    # --- guests ---

    def spook(self, seat: int, room: int) -> None:
        """A guest out of each door in order; with fewer guests than doors the spooker says which door stays unused."""
        doors = self.spook_doors(seat, room)
        went = 0
        for k, (to, token) in enumerate(doors):
            left = self.guests[room].total()
            if not left:
                break
            choices = [option(Option.LEAVE, c, to) for c in self.colours(room)]
            if left < len(doors) - k:
                choices.append(PASS)
            if self.seats[seat].bot:  # solo rule 3: from the top clockwise, red, yellow, green, blue, purple
                choices = choices[:1]
            kind, colour, _ = self.decide(seat, Decision.LEAVE, choices, f"who leaves for room {to}")
            if kind == Option.LEAVE:
                self.move_guest(seat, colour, room, to, token)
                went += 1
        self.take(Event.SPOOK, "so many guests were spooked", seat, a=room, b=went)
        self.turn_counts["spooked"] += went if seat == self.active else 0
        self.counts["spooked"] += went if not self.seats[seat].bot else 0
        self.score(seat, went, [Points.SPOOK], "a point for each guest that went through a door")
        if went:
            self.triggers_of(seat, When.SPOOKED, room=room)

    def token_between(self, seat: int, a: int, b: int) -> tuple[int, int] | None:
        """The door token by which two rooms are joined."""
        found = [(owner, piece) for owner, piece, x, y in self.door_tokens(seat) if {x, y} == {a, b}]
        return found[0] if found else None

    def devour(self, seat: int, colour: int, room: int) -> None:
        me = self.seats[seat]
        self.take(Event.DEVOUR, "a guest is devoured", seat, a=colour, b=room)
        self.shift(colour, self.guests[room], me.pile)
        self.turn_counts["devoured"] += seat == self.active
        self.counts["devoured"] += not me.bot
        self.triggers_of(seat, When.DEVOUR, colour=colour, room=room)
        if all(me.pile[c] for c in range(COLOURS)):
            self.turn_in(seat)

    def turn_in(self, seat: int) -> None:
        """P4: the guests go back, a ticket or points, three guests to the room with the fewest figures."""
        me = self.seats[seat]
        self.take(Event.SET, "the fifth colour: a set is turned in", seat, a=self.tickets - self.taken)
        for colour in range(COLOURS):
            self.shift(colour, me.pile, self.bag)
        if self.taken < self.tickets:
            me.tickets += 1
            self.taken += 1
            self.ticket_owners.append(seat)
            self.take(Event.TICKET, "a ticket for the set", seat, a=me.tickets)
            self.end_test()
        else:
            self.score(seat, int(self.given["consolation"]), [Points.CONSOLATION], "no ticket is left")
        self.triggers_of(seat, When.SET)
        count = min(int(self.given["refill"]), self.bag.total())
        if count:
            rooms = [r for r in self.rooms if not self.barred(r, Bar.GUEST_ADDED)]
            fewest = min(self.figures(r) for r in rooms)
            rooms = [r for r in rooms if self.figures(r) == fewest]
            room = self.choose_room(seat, rooms, "a room with the fewest figures", Decision.REFILL)
            for _ in range(count):
                self.add_guest(seat, room, 2, "guests after a set")

    # --- figures and tokens ---

    def goals(self, run: Run, owner: int, piece: int, to: int) -> list[int]:
        """Rooms to which an effect may bring a piece that is in a room."""
        me = self.seats[owner]
        room = me.at[piece]
        if not self.is_room(room):
            return []
        rooms = self.joined(owner, room) if to == Place.NEXT else self.places(run, to, room)
        if not me.acts[piece]:
            return [r for r in rooms if r < EXTRA]
        if not self.may_leave(owner, room):
            return []
        return [r for r in rooms if self.may_enter(owner, r)]

    def guest_goals(self, run: Run, room: int, to: int) -> list[int]:
        return [r for r in self.places(run, to, room) if r != room and self.guest_may_go(room, r)]

    def do_move(self, run: Run, node: Any) -> None:
        piece, where, to = node.values
        if piece == Piece.OWN and self.replaced(run, Rule.MOVE):
            return
        choices = self.movable(run, piece, where, to)
        if not choices:
            return
        decision = Decision.TOKEN if choices[0][0] == Option.TOKEN else Decision.FIGURE
        if self.seats[run.seat].bot:
            choices = self.bot_pulls(run.seat, choices)
        kind, a, b = self.decide(run.seat, decision, choices, "what is moved")
        if kind == Option.GUEST:
            room = self.choose_room(run.seat, self.guest_goals(run, b, to), "where the guest goes")
            if room == NONE:
                return
            self.move_guest(run.seat, a, b, room, self.token_between(run.seat, b, room))
            return
        owner, piece = a >> 4, a & 15
        rooms = self.goals(run, owner, piece, to)
        if self.seats[run.seat].bot and owner == run.seat:
            rooms = self.bot_ways(rooms)
        room = self.choose_room(run.seat, rooms, "where it moves")
        if room == NONE:
            return
        self.put_figure(owner, piece, room, run.seat, "a move")

    def movable(self, run: Run, piece: int, where: int, to: int) -> list[Choice]:
        """What a "move" may move: own pieces as tokens, others' figures, guests."""
        me = self.seats[run.seat]
        rooms = {*self.guests} if where == Place.ANY else {*self.places(run, where)}
        own: list[int] = []
        if piece == Piece.OWN:
            own = [self.acting_piece(run.seat)]
        elif piece >= Piece.TOKEN:
            own = self.pieces_of(run, piece - Piece.TOKEN)
        elif piece == Piece.THAT and run.picked.piece and run.picked.piece[0] == run.seat:
            own = [run.picked.piece[1]]
        if own:
            own = [i for i in own if i != NONE and me.at[i] in rooms and self.goals(run, run.seat, i, to)]
            return [option(Option.TOKEN, 16 * run.seat + i) for i in self.first_of_equals(run.seat, own)]
        found = []
        for seat in self.others(run.seat):
            figures: list[int] = []
            for i, at in enumerate(self.seats[seat].at):
                if at in rooms and self.seats[seat].is_figure[i] and self.means(run, piece, seat, i):
                    figures.append(i) if self.goals(run, seat, i, to) else None
            figures = self.first_of_equals(seat, figures)
            found += [option(Option.FIGURE, 16 * seat + i, self.seats[seat].at[i]) for i in figures]
        if piece == Piece.FIGURE:
            found += self.guest_choices([r for r in rooms if self.guest_goals(run, r, to)])
        return found

    def means(self, run: Run, piece: int, seat: int, figure: int) -> bool:
        """Whether "that monster", "another monster" or "a figure" may be this one."""
        if piece in (Piece.MONSTER, Piece.FIGURE):
            return True
        picked = run.picked
        if picked.piece and picked.piece[0] != run.seat:
            return picked.piece == (seat, figure)
        return piece == Piece.THEIRS and seat == picked.who and self.seats[seat].at[figure] == picked.room

    def do_mash(self, run: Run, node: Any) -> None:
        """P8."""
        here, kinds = self.room_of(run), [Points.BASIC if run.basic else Points.OWN]
        if here == NONE:
            return
        for seat in self.others(run.seat):
            went = 0
            for figure in self.in_room(here, seat):
                went += self.mashed(run, seat, figure, here)
            if went:
                low, high = self.amounts(run, node.values[0])
                self.score(run.seat, self.told(low, high, run.seat, kinds), kinds, "for each player moved")
        if self.given["ruling.mash_moves_masher"]:
            piece = self.acting_piece(run.seat)
            if piece != NONE and self.seats[run.seat].at[piece] == here:
                self.mashed(run, run.seat, piece, here)

    def mashed(self, run: Run, seat: int, figure: int, here: int) -> bool:
        if not self.may_leave(seat, here):
            return False
        rooms = [r for r in self.joined(seat, here) if self.may_enter(seat, r)]
        if self.seats[run.seat].bot:
            rooms = self.bot_pushes(rooms) if seat != run.seat else self.bot_ways(rooms)
        room = self.choose_room(run.seat, rooms, "where it is mashed")
        if room == NONE:
            return False
        self.put_figure(seat, figure, room, run.seat, "a monster is mashed")
        return True

    def do_swap(self, run: Run, node: Any) -> None:
        mine = self.acting_piece(run.seat)
        owner, figure = run.picked.piece or (NONE, NONE)
        if mine == NONE or owner == NONE:
            return
        a, b = self.seats[run.seat].at[mine], self.seats[owner].at[figure]
        if a == b or not self.is_room(b):
            return
        free = self.may_leave(run.seat, a) and self.may_leave(owner, b)
        if free and self.may_enter(run.seat, b) and self.may_enter(owner, a):
            self.put_figure(owner, figure, a, run.seat, "a swap")
            self.put_figure(run.seat, mine, b, run.seat, "a swap")

    # --- the automaton ---

    def best(self, rooms: Sequence[int], *scores: Any) -> list[int]:
        """The rooms with the highest first score, of these those with the highest second, ..."""
        left = [*rooms]
        for score in scores:
            if left:
                most = max(score(r) for r in left)
                left = [r for r in left if score(r) == most]
        return left

    def doors_of(self, room: int) -> int:
        return self.theater.counted(room) if room < EXTRA else 1

    def bot_ways(self, rooms: Sequence[int]) -> list[int]:
        """Solo rules 1 and 2: by the last card that was revealed."""
        slug = self.cards[self.bot_last] if self.bot_last != NONE else ""
        if slug in ("haunt", "exterminate"):
            return self.best(rooms, lambda r: self.guests[r].total(), self.doors_of)
        if slug == "consume":
            pile = self.seats[0].pile
            return self.best(rooms, lambda r: sum(not pile[c] for c in self.colours(r)), lambda r: len(self.colours(r)))
        return [*rooms]

    def bot_pulls(self, seat: int, choices: Sequence[Choice]) -> list[Choice]:
        """Solo rule 4: a player, the one with the most points; else a guest of a colour not in the pile."""
        players = [c for c in choices if c[0] == Option.FIGURE]
        if players:
            most = max(self.seats[a >> 4].points for _, a, _ in players)
            return [c for c in players if self.seats[c[1] >> 4].points == most]
        if choices[0][0] != Option.GUEST:
            return [*choices]
        new = [c for c in choices if not self.seats[seat].pile[c[1]]]
        first = min(c[1] for c in new or choices)
        return [c for c in new or choices if c[1] == first]

    def bot_pushes(self, rooms: Sequence[int]) -> list[int]:
        """Solo rule 5: into the room with the fewest guests, then with fewer doors."""
        return self.best(rooms, lambda r: -self.guests[r].total(), lambda r: -self.doors_of(r))
