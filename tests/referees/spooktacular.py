"""A referee for Spooktacular: follows a game's trace in its own way and objects to what is not allowed.

Written from the rulebook, the rulings (``content/rulings.md``, ``P4`` and so on) and the meaning of the effect language
alone. It shares with the simulator the words of a trace (``layout``'s enums), the parsed texts and the theater's doors,
nothing else. Where chance or a player decides, the referee takes what the trace says and asks whether it was possible;
all else it works out itself and demands that the trace says the same.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from simcore.games.spooktacular.layout import NONE, Event, Points, Status, When
from simcore.games.spooktacular.tables import ticket_values
from tests.referees.spooktacular_effects import Effects
from tests.referees.spooktacular_places import Run
from tests.referees.spooktacular_table import RefereeError, RunawayError

__all__ = ["Referee", "RefereeError", "follow"]
SIXTIETHS = 60
DEEP = 20000  # Python frames: a chain of effects that is broken off is done by recursion, too
LONG = 100  # effects in a turn before a chain may be broken off; by P29 it is 600 steps, counted in another way


MOST_GUESSES = 60


def follow(*given: Any) -> Referee:
    """A referee that has followed a game; where kit_strength leaves open whether points were given, both are tried."""
    guesses: list[bool] = []
    for _ in range(MOST_GUESSES):
        referee = Referee(*given)
        referee.guesses = guesses
        try:
            referee.run()
            return referee
        except RefereeError:
            guesses = referee.guesses[: referee.asked]
            while guesses and not guesses[-1]:
                guesses.pop()
            if not guesses:
                raise
            guesses[-1] = False
    raise AssertionError("too many guesses")


class Referee(Effects):
    """Follows one game; the arguments are those of ``Table``."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.status, self.winner = Status.PLAYING, NONE
        self.share = [0] * self.players
        decks = self.content.sections["automaton"].values() if self.bot else ()
        self.bot_decks = [Counter(self.cards.index(name) for name in deck.cards.split()) for deck in decks]
        self.bot_left = [deck.copy() for deck in self.bot_decks]

    # --- set-up ---

    def set_up(self) -> None:
        box = {i for i, m in enumerate(self.content.sections["monsters"].values()) if m.copies}
        for chair in range(self.players):
            bot = self.bot and chair == 0
            points = self.bot_points if bot else int(self.given["start_score"])
            number = self.take(Event.KIT, "who plays which monster", chair, b=points)[1]
            self.check_kit(chair, number, bot, box)
            self.seats.append(self.make_seat(chair, number, points, bot))
        for room in self.rooms:
            count = min(self.theater.guests(room, float(self.given["guest_density"])), self.bag.total())
            for _ in range(count):
                self.add_guest(NONE, room, 0, "guests of the set-up")
        for me in (*self.seats[self.bot :], *self.seats[: self.bot]):  # the automaton is placed last
            self.take(Event.SETUP, "set-up steps, from the first player on", me.chair)
            if me.bot:
                most = self.best(self.rooms, self.doors_of)
                room = self.peek()[3]
                self.put_figure(me.chair, 0, room, me.chair, "the automaton is placed")
                self.demand(room in most, f"the automaton begins in a room with the most doors: {most}")
            else:
                self.do_text("monsters", me.kit, "setup", Run(me.chair, me.kit))
            self.check_cards()

    def check_kit(self, chair: int, number: int, bot: bool, box: set[int]) -> None:
        """Named monsters are played by whom they are named for; the others are drawn from the box."""
        slug = self.monsters[number]
        if bot:
            deck = next(iter(self.content.sections["automaton"].values()))
            self.demand(slug == deck.monster, f"the automaton is {deck.monster}")
            return
        names = str(self.given["monsters"]).split("+")
        player = self.seating[chair] if self.seating else NONE
        name = names[player] if 0 <= player < len(names) else "random"
        self.demand(number in box, f"{slug} is not in the box")
        self.demand(name in ("random", slug) or not self.seating, f"seat {chair} plays {name}")
        same = bool(self.given["same_monsters"])
        self.demand(same or slug not in [s.kit for s in self.seats], f"{slug} is there twice")

    # --- turns ---

    def run(self) -> dict[str, Any]:
        """The whole game; returns what ``said`` says. Raises RefereeError."""
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, DEEP))
        try:
            self.set_up()
            while self.status == Status.PLAYING:
                self.play_round()
        finally:
            sys.setrecursionlimit(before)
        if self.at != len(self.events):
            self.fail("the trace goes on after the end")
        return self.said()

    def said(self) -> dict[str, Any]:
        """What the outcome must say, by chair."""
        return {
            "status": int(self.status),
            "winner": self.winner,
            "share": self.share,
            "turns": self.turns,
            "rounds": self.rounds,
            "points": [s.points for s in self.seats],
            "tickets": [s.tickets for s in self.seats],
            "monster": [s.number for s in self.seats],
            **{k: self.counts[k] for k in ("stolen", "spooked", "devoured")},
        }

    def play_round(self) -> None:
        """P5: the round is finished; then it is seen whether it was the last."""
        self.rounds += 1
        for chair in range(self.players):
            if self.turns == int(self.given["turn_cap"]):
                self.rounds -= chair == 0
                self.end(Status.CAPPED, [])
                return
            self.play_turn(chair)
        if self.last_round and not self.given["ruling.end_latched"]:
            by_points = any(s.points >= self.given["target_score"] for s in self.seats)
            self.last_round = by_points or self.taken == self.tickets
        if self.last_round:
            self.finish()

    def play_turn(self, chair: int) -> None:
        me = self.seats[chair]
        self.active = chair
        self.turn_counts.clear()
        for seat in self.seats:
            seat.once.clear()
        self.take(Event.TURN, "the next player clockwise", chair, a=self.turns, b=self.rounds - 1)
        self.turns += 1
        for seat in self.seats:
            if chair in seat.stunned_by:
                self.take(Event.STUN_ENDS, "the turn of who stunned begins", seat.chair, a=chair)
                seat.stunned_by.discard(chair)
        self.steps = 0
        try:
            self.triggers_of(chair, When.TURN)
            self.settle()
            if me.bot:
                self.bot_turn(chair)
            else:
                self.do_text("monsters", me.kit, "turn", Run(chair, me.kit))
            if self.peek()[0] == Event.RUNAWAY:
                raise RunawayError
        except RunawayError:
            self.break_off()
        self.check_cards()

    def break_off(self) -> None:
        """P29: what waits is dropped, cards that are being played are discarded."""
        if self.steps < LONG:
            self.fail(f"a chain of {self.steps} effects is broken off")
        self.take(Event.RUNAWAY, "a chain of effects is broken off")
        self.pending.clear()
        self.replacing.clear()
        self.loops = 0
        for seat in self.seats:
            for card in reversed(seat.playing):
                self.discard(seat.chair, card, 0)
            seat.playing.clear()

    def bot_turn(self, chair: int) -> None:
        """The top card of each deck at once, then their effects in order."""
        revealed = []
        for d, left in enumerate(self.bot_left):
            if not left.total():
                left.update(self.bot_decks[d])
            card = self.take(Event.CARD, "the automaton reveals a card of each deck", chair, b=3, c=d)[1]
            self.demand(left[card] > 0, f"card {card} is not in the automaton's deck {d}")
            left[card] -= 1
            revealed.append(card)
        self.bot_last = revealed[-1]
        for card in revealed:
            self.turn_counts["played"] += 1
            self.do_text("cards", self.cards[card], "effect", Run(chair, self.seats[chair].kit))

    # --- the end ---

    def finish(self) -> None:
        """Tickets count; most points, then most tickets, then shared."""
        values = Counter(ticket_values(self.given))
        for k, seat in enumerate(self.ticket_owners):
            value = self.take(Event.TICKET_VALUE, "the tickets count", seat, b=k)[1]
            self.demand(values[value] > 0, f"no ticket of {value} is left in the box")
            values[value] -= 1
            if value:
                me = self.seats[seat]
                self.take(Event.POINTS, "the tickets count", seat, a=value, b=int(Points.TICKET), c=me.points + value)
                me.points += value
        best = max((s.points, s.tickets) for s in self.seats)
        self.end(Status.WON, [s.chair for s in self.seats if (s.points, s.tickets) == best])

    def end(self, status: Status, winners: list[int]) -> None:
        shared = len(winners) > 1
        status = Status.TIED if status == Status.WON and shared else status
        winner = winners[0] if len(winners) == 1 else NONE
        self.take(Event.END, f"the game is over ({status.name})", a=int(status), b=winner)
        self.status, self.winner = status, winner
        for seat in winners:
            self.share[seat] = SIXTIETHS // len(winners)
