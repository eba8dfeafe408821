"""What a replay shows of a game beside its text: the table as it is at the end of each turn, as plain data.

Each game has a ``replay.py`` that follows a trace and says what lies where, and which of many games are worth telling:
``closest`` and ``lopsided`` choose one of many outcome rows, ``comebacks`` marks the rows that may hold one, ``behind``
says of a traced game how far back its winner was, ``said`` why a game was chosen, ``show`` what is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simcore.game import Player
from simcore.records import Status
from simcore.trace import Trace

FINISHED = (Status.WON, Status.TIED, Status.LOST)
Row = tuple[int, int, int, int, int]  # event, seat, a, b, c


@dataclass(frozen=True)
class Thing:
    """What may lie on the board. `on` says what its places are: "space", "building", "district" or "room"."""

    label: str  # a letter or two
    name: str
    kind: str  # player, figure, monster, fed, token, guest red, ...
    on: str


@dataclass(frozen=True)
class View:
    """The table at the end of a turn: a row a player, tracks (name, at, of), things (number, place, how many)."""

    rows: list[list[str]]
    tracks: list[tuple[str, int, int]]
    at: list[tuple[int, int, int]]


@dataclass(frozen=True)
class Shown:
    """A game as a replay shows it: heads of the rows, all things that come up, a view for the set-up and each turn."""

    heads: tuple[str, ...]
    things: list[Thing]
    views: list[View]


def turns(trace: Trace, turn: int) -> Iterator[list[Row]]:
    """The events of the set-up, then those of each turn; `turn` is the number of the event with which one begins."""
    starts = [0, *np.flatnonzero(trace.events["event"] == turn).tolist(), len(trace.events)]
    for first, last in zip(starts, starts[1:], strict=False):
        yield [
            (int(r["event"]), int(r["seat"]), int(r["a"]), int(r["b"]), int(r["c"])) for r in trace.events[first:last]
        ]


def first_by(mask: np.ndarray, *keys: np.ndarray) -> int | None:
    """The row of `mask` with the least first key, among these the least second, and so on; None if there is none."""
    found = np.flatnonzero(mask)
    if not len(found):
        return None
    order = np.lexsort([found, *(key[found] for key in reversed(keys))])
    return int(found[order[0]])


def finished(rows: np.ndarray) -> np.ndarray:
    """Which games came to their end, and not to the turn cap."""
    return np.isin(rows["status"], FINISHED)


def player_at(players: Sequence[Player], trace: Trace, seat: int) -> str:
    """How the player who sits there plays; "" for a seat of nobody in the line-up."""
    player = int(trace.final["player"][seat])
    return players[player].label if 0 <= player < len(players) else ""
