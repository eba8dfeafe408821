"""What a replay shows of a night in Lakeview: Kids, Monster, Feds and tokens on the map; which games are worth telling.

All win or lose together, so a game is close when it is won with little doom left, and one-sided when it is lost with
few goals done; a comeback is a game that is won though doom was far ahead of the goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from simcore.game import Configuration, Player
from simcore.games.snallygaster.layout import NONE, Event, Place, Search, Status
from simcore.games.snallygaster.telling import TOKENS, Names
from simcore.replay import Shown, Thing, View, first_by, player_at, turns
from simcore.trace import Trace

HEADS = ("Who", "Plays", "Ride", "Where")
FEDS = (Thing("R", "Red Feds", "fed red", "space"), Thing("B", "Blue Feds", "fed blue", "space"))
MONSTER = Thing("M", "The Monster", "monster", "district")
HIDDEN = Thing("M", "The Monster, hidden", "monster hidden", "district")
LOST = Thing("?", "The Lost Kid, hidden", "player hidden", "building")
SEARCH = Thing("S", "Search token", "token", "building")
ON_DISTRICTS = (Place.LIGHT,)


def doom_left(configuration: Configuration, rows: np.ndarray) -> np.ndarray:
    """Steps of the doom track that were left."""
    return np.asarray(int(configuration.rules[0]["doom_length"]) - rows["doom"])


def closest(configuration: Configuration, rows: np.ndarray) -> int | None:
    """The game won with the least doom left; where none is won, the one lost with the most goals done."""
    won = first_by(rows["status"] == Status.WON, doom_left(configuration, rows), -rows["turns"])
    return won if won is not None else first_by(rows["status"] == Status.LOST, -rows["goals"], -rows["turns"])


def lopsided(configuration: Configuration, rows: np.ndarray) -> int | None:
    """The game lost soonest with the fewest goals done; where none is lost, the one won with the most doom left."""
    lost = first_by(rows["status"] == Status.LOST, rows["goals"], rows["turns"])
    if lost is not None:
        return lost
    return first_by(rows["status"] == Status.WON, -doom_left(configuration, rows), rows["turns"])


def comebacks(configuration: Configuration, rows: np.ndarray) -> np.ndarray:
    """Games that are won."""
    return np.asarray(rows["status"] == Status.WON)


def _progress(trace: Trace) -> Iterator[tuple[int, int]]:
    """Doom and goals done at the end of the set-up and of each turn."""
    doom = goals = 0
    for events in turns(trace, Event.TURN):
        for event, _, _, b, _ in events:
            doom = b if event == Event.DOOM else doom
            goals += event == Event.GOAL
        yield doom, goals


def behind(configuration: Configuration, trace: Trace) -> tuple[float, int]:
    """By which share doom was ahead of the goals at worst, each as a part of its track, and in which turn (from 0)."""
    rules = configuration.rules[0]
    worst, when = 0.0, 0
    for turn, (doom, goals) in enumerate(_progress(trace), -1):
        gap = doom / int(rules["doom_length"]) - goals / int(rules["goals"])
        if gap > worst:
            worst, when = gap, turn
    return worst, when


def said(kind: str, configuration: Configuration, trace: Trace) -> str:
    """Why this is the game of its kind."""
    rules = configuration.rules[0]
    length, all_goals = int(rules["doom_length"]), int(rules["goals"])
    progress = list(_progress(trace))
    doom, goals = progress[-1]
    if kind == "comeback":
        _, when = behind(configuration, trace)
        then, done = progress[when + 1]
        return (
            f"Won, though after turn {when + 1} doom stood at {then} of {length} with {done} of {all_goals} goals done."
        )
    if int(trace.final["status"]) == Status.WON:
        return f"Won with the doom marker at {doom} of {length}."
    return f"Lost with {goals} of {all_goals} goals done."


def show(configuration: Configuration, players: Sequence[Player], trace: Trace) -> Shown:
    """Where everything is at the end of each turn; what is hidden at the table is shown, and marked so."""
    return _Board(configuration, players, trace).shown()


class _Board:
    """The town as a trace has it so far."""

    def __init__(self, configuration: Configuration, players: Sequence[Player], trace: Trace) -> None:
        self.names, self.trace, self.players = Names(configuration), trace, players
        self.rules = configuration.rules[0]
        self.things: list[Thing] = []
        self.space: dict[int, int] = {}  # by seat
        self.ride: dict[int, str] = {}
        self.fed = [0, 0]
        self.monster, self.unseen = NONE, False
        self.lost = NONE
        self.search: dict[int, int] = {}
        self.tokens: set[tuple[int, int]] = set()
        self.doom = self.goals = 0
        self.seats = configuration.seats

    def shown(self) -> Shown:
        """All views."""
        views = []
        for events in turns(self.trace, Event.TURN):
            for event, seat, a, b, c in events:
                self._follow(Event(event), seat, a, b, c)
            views.append(self._view())
        return Shown(HEADS, self.things, views)

    def _follow(self, event: Event, seat: int, a: int, b: int, c: int) -> None:
        if event in (Event.ARRIVES, Event.MOVE, Event.SENT):
            self.space[seat] = a
        elif event == Event.RESCUE:
            self.space[0], self.lost = int(self.rules["building_space"][a, 0]), NONE
        elif event == Event.RIDE:
            self.ride[seat] = self.names.rides[a]
        elif event == Event.HIDDEN:
            self.lost = b
        elif event == Event.MONSTER_AT:
            self.monster, self.unseen = a, bool(b)
        elif event == Event.MONSTER:
            self.monster, self.unseen = a, bool(c)
        elif event == Event.SHOWN:
            self.unseen = not a
        elif event == Event.FED:
            self.fed[a] = b
        elif event == Event.TOKEN and not c:
            self.search[a] = self.search.get(a, 0) + 1
        elif event == Event.SEARCH and a == Search.TOKEN:
            self.search[b] -= 1
        elif event == Event.PUT:
            self.tokens.add((a, b))
        elif event == Event.TAKEN:
            self.tokens.discard((a, b))
        elif event == Event.DOOM:
            self.doom = b
        elif event == Event.GOAL:
            self.goals += 1

    def _number(self, thing: Thing) -> int:
        if thing not in self.things:
            self.things.append(thing)
        return self.things.index(thing)

    def _view(self) -> View:
        at = [(HIDDEN if self.unseen else MONSTER, self.monster, 1)] if self.monster != NONE else []
        at += [(SEARCH, building, n) for building, n in sorted(self.search.items()) if n > 0]
        for kind, where in sorted(self.tokens):
            name = TOKENS[Place(kind)]
            on = "district" if kind in ON_DISTRICTS else "building"
            at.append((Thing(name[:2], name, "token", on), where, 1))
        at += [(LOST, self.lost, 1)] if self.lost != NONE else []
        at += [(FEDS[f], int(self.rules["stop_space"][f, stop]), 1) for f, stop in enumerate(self.fed)]
        kids = [(seat, space) for seat, space in sorted(self.space.items()) if space != NONE]
        at += [(Thing(str(seat) if seat else "L", _name(seat), "player", "space"), space, 1) for seat, space in kids]
        tracks = [("Doom", self.doom, int(self.rules["doom_length"])), ("Goals", self.goals, int(self.rules["goals"]))]
        return View([self._row(s) for s in range(self.seats)], tracks, [(self._number(t), p, n) for t, p, n in at])

    def _row(self, seat: int) -> list[str]:
        where = self.names.space(self.space[seat]) if seat in self.space else "not on the board yet"
        if seat == 0 and self.lost != NONE:
            where = f"hidden in {self.names.buildings[self.lost]}"
        return [_name(seat), player_at(self.players, self.trace, seat), self.ride.get(seat, ""), where]


def _name(seat: int) -> str:
    return f"Kid {seat}" if seat else "The Lost Kid"
