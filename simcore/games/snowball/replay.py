"""What a replay shows of a snowball fight: gear, cover, stack, items and hands; and which games are worth telling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from simcore.game import Configuration, Player
from simcore.games.snowball.layout import NONE, Event, Status
from simcore.games.snowball.telling import Names, Table
from simcore.replay import Shown, View, finished, first_by, player_at, turns
from simcore.trace import Trace

HEADS = ("Player", "Plays", "Gear", "Location", "Printed cover", "Stack", "Items", "Hand")


def ahead(rows: np.ndarray) -> np.ndarray:
    """Gear of each game's best player less that of the second: 0 where the last two went inside together."""
    ordered = np.sort(rows["gear"], axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2])


def closest(configuration: Configuration, rows: np.ndarray) -> int | None:
    """The game decided by the least gear; among these the one in which the lead changed most often."""
    return first_by(finished(rows), ahead(rows), -rows["lead_changes"], -rows["turns"])


def lopsided(configuration: Configuration, rows: np.ndarray) -> int | None:
    """The game won with the most gear more than anybody; among these the one with the fewest changes of the lead."""
    return first_by(rows["status"] == Status.WON, -ahead(rows), rows["lead_changes"], rows["turns"])


def comebacks(configuration: Configuration, rows: np.ndarray) -> np.ndarray:
    """Games whose winner may have been behind."""
    return np.asarray((rows["status"] == Status.WON) & (rows["lead_changes"] > 0))


def behind(configuration: Configuration, trace: Trace) -> tuple[float, int]:
    """How much gear the winner was behind the leader at worst, and in which turn (from 0) that was so last."""
    winner = int(trace.final["winner"])
    gear = [int(configuration.settings["gear"])] * configuration.seats
    worst, when = 0, 0
    for turn, events in enumerate(turns(trace, Event.TURN), -1):
        for event, seat, a, _, _ in events:
            if event in (Event.GEAR, Event.BACK):
                gear[seat] = a
        gap = max(gear) - gear[winner] if winner != NONE else 0
        if gap > 0 and gap >= worst:
            worst, when = gap, turn
    return float(worst), when


def said(kind: str, configuration: Configuration, trace: Trace) -> str:
    """Why this is the game of its kind."""
    gear = [int(g) for g in trace.final["gear"][: configuration.seats]]
    winner = int(trace.final["winner"])
    if kind == "comeback":
        worst, when = behind(configuration, trace)
        return f"Player {winner} wins after being {worst:g} gear behind the leader, still so after turn {when + 1}."
    if winner == NONE:
        return "The last two are sent inside together: a tie."
    second = max(g for seat, g in enumerate(gear) if seat != winner)
    return f"Player {winner} wins with {gear[winner]} gear left; the second has {second}."


def show(configuration: Configuration, players: Sequence[Player], trace: Trace) -> Shown:
    """What lies before each player at the end of each turn."""
    return Shown(HEADS, [], list(_views(configuration, players, trace)))


def _views(configuration: Configuration, players: Sequence[Player], trace: Trace) -> Iterator[View]:
    names, table, seats = Names(configuration), Table(configuration), range(configuration.seats)
    where: list[tuple[str, str]] = [("", "")] * len(seats)
    stack = [0] * len(seats)
    for events in turns(trace, Event.TURN):
        for event, seat, a, b, c in events:
            table.follow(Event(event), seat, a, b, c)
            if event == Event.LOCATION:
                where[seat], stack[seat] = (names.location(a), str(b)), 0
            elif event == Event.LAND:
                stack[seat] = a
        yield View([_row(names, table, players, trace, seat, where[seat], stack[seat]) for seat in seats], [], [])


def _row(
    names: Names, table: Table, players: Sequence[Player], trace: Trace, seat: int, where: tuple[str, str], stack: int
) -> list[str]:
    head = [f"Player {seat}", player_at(players, trace, seat)]
    if not table.gear[seat]:
        return [*head, "inside", "", "", "", "", ""]
    items, hand = (
        ", ".join(cards) for cards in (map(names.item, table.held[seat]), map(names.card, table.hands[seat]))
    )
    return [*head, str(table.gear[seat]), where[0], where[1], str(stack), items, hand]
