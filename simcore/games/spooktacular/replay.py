"""What a replay shows of a night at the theater: guests and figures by room, points; which games are worth telling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from simcore.game import Configuration, Player
from simcore.games.spooktacular.layout import COLOUR_NAMES, NONE, ROOMS, Event
from simcore.games.spooktacular.naming import Names, Table
from simcore.replay import Shown, Thing, View, finished, first_by, player_at, turns
from simcore.trace import Trace

HEADS = ("Who", "Monster", "Plays", "Points", "Tickets")
GUESTS = [Thing(name[:1].upper(), f"{name} guest", f"guest {name}", "room") for name in COLOUR_NAMES]


def closest(configuration: Configuration, rows: np.ndarray) -> int | None:
    """The game decided by the fewest points; among these the one in which the lead changed most often."""
    return first_by(finished(rows), rows["margin"], -rows["lead_changes"])


def lopsided(configuration: Configuration, rows: np.ndarray) -> int | None:
    """The game in which the best player had the most points more than the second; among these the shortest."""
    return first_by(finished(rows), -rows["margin"], rows["turns"])


def comebacks(configuration: Configuration, rows: np.ndarray) -> np.ndarray:
    """Games won by one player in which the lead changed."""
    return np.asarray((rows["winner"] != NONE) & (rows["lead_changes"] > 0))


def behind(configuration: Configuration, trace: Trace) -> tuple[float, int]:
    """How many points the winner was behind the leader at worst, and in which turn (from 0)."""
    winner = int(trace.final["winner"])
    points: dict[int, int] = {}
    worst, when = 0, 0
    for turn, events in enumerate(turns(trace, Event.TURN), -1):
        for event, seat, _, b, c in events:
            if event == Event.KIT:
                points[seat] = b
            elif event == Event.POINTS:
                points[seat] = c
        gap = max(points.values(), default=0) - points.get(winner, 0)
        if winner != NONE and gap > worst:
            worst, when = gap, turn
    return float(worst), when


def said(kind: str, configuration: Configuration, trace: Trace) -> str:
    """Why this is the game of its kind."""
    names, winner = Names(configuration), int(trace.final["winner"])
    points = [int(p) for p in trace.final["points"][: int(trace.final["seats"])]]
    if kind == "comeback":
        worst, when = behind(configuration, trace)
        return f"{_upper(names.who(winner))} wins after being {worst:g} points behind the leader after turn {when + 1}."
    if winner == NONE:
        return f"The victory is shared, with {max(points)} points."
    second = max(p for seat, p in enumerate(points) if seat != winner)
    tie = ": the tickets decide" if second == points[winner] else ""
    return f"{_upper(names.who(winner))} wins with {points[winner]} points; the second has {second}{tie}."


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def show(configuration: Configuration, players: Sequence[Player], trace: Trace) -> Shown:
    """Where guests and figures are at the end of each turn, and the points."""
    return _Theater(configuration, players, trace).shown()


class _Theater:
    """The theater as a trace has it so far."""

    def __init__(self, configuration: Configuration, players: Sequence[Player], trace: Trace) -> None:
        self.names, self.trace, self.players = Names(configuration), trace, players
        self.table = Table(self.names)
        self.guests: Counter[tuple[int, int]] = Counter()  # by room and colour
        self.things: list[Thing] = []

    def shown(self) -> Shown:
        """All views."""
        views = []
        for events in turns(self.trace, Event.TURN):
            for event, seat, a, b, c in events:
                self.table.follow(Event(event), seat, a, b, c)
                self._count(Event(event), a, b, c)
            views.append(self._view())
        return Shown(HEADS, self.things, views)

    def _count(self, event: Event, a: int, b: int, c: int) -> None:
        if event == Event.ADD:
            self.guests[a, b] += 1
        elif event == Event.GUEST:
            self.guests[b, a] -= 1
            self.guests[c, a] += 1
        elif event in (Event.DEVOUR, Event.TAKE):
            self.guests[b, a] -= 1
        elif event == Event.DROP:
            self.guests[b, a] += 1

    def _number(self, thing: Thing) -> int:
        if thing not in self.things:
            self.things.append(thing)
        return self.things.index(thing)

    def _view(self) -> View:
        rooms = len(self.names.rooms)
        at = [(GUESTS[colour], room, n) for (room, colour), n in sorted(self.guests.items()) if n > 0 and room < rooms]
        pieces = Counter(
            (self._thing(seat, piece), place)
            for (seat, piece), place in sorted(self.table.at.items())
            if 0 <= place < min(rooms, ROOMS)
        )
        at += [(thing, room, n) for (thing, room), n in pieces.items()]
        seats = range(int(self.trace.final["seats"]))
        return View([self._row(s) for s in seats], [], [(self._number(t), p, n) for t, p, n in at])

    def _thing(self, seat: int, piece: int) -> Thing:
        """A figure is told by its player, another piece by its first letters, too."""
        kit = self.table.kit[seat]
        who = "A" if self.names.bot and seat == 0 else str(seat)
        if self.names.rules["piece_figure"][kit, piece]:
            return Thing(who, f"{self.table.monster(seat)} ({self.names.who(seat)})", "figure", "room")
        kind = self.names.kind(kit, piece)
        return Thing(f"{kind[:1]}{who}", f"{kind} of {self.names.who(seat)}", "token", "room")

    def _row(self, seat: int) -> list[str]:
        table, who = self.table, self.names.who(seat)
        plays = player_at(self.players, self.trace, seat) if not (self.names.bot and seat == 0) else "by its cards"
        tickets = str(table.tickets[seat])
        return [_upper(who), table.monster(seat), plays, str(table.points.get(seat, 0)), tickets]
