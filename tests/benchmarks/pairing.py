"""How many games common random numbers save: paired differences against unpaired ones, for changes of several kinds.

Deterministic: the same games on any machine. A game that a change does not touch adds nothing to a paired difference,
so that pairing should save a factor of about 1 / (share of the games touched); where touched games still resemble each
other it saves more, and less where a change makes those games differ more than chance alone would.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore import batch
from simcore.game import find_game
from strategies import line_up

GAMES = 120_000
LEAST = 0.8  # of 1 / touched share: below that, luck is not shared as it should be
PLAYER = 0  # whose win share is compared


@dataclass(frozen=True)
class Change:
    """One thing that differs from the default: settings, or players by seat of the line-up."""

    what: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Saving:
    """`factor`: games that an unpaired comparison needs for each game of a paired one (inf: nothing differs)."""

    factor: float
    touched: float
    difference: float

    @property
    def promised(self) -> float:
        """The factor that sharing luck in the untouched games alone should nearly give."""
        return LEAST / self.touched if self.touched else 1.0


USUAL = {"snowball": "opportunist", "snallygaster": "detective", "spooktacular": "greedy"}  # who plays on all seats
CHANGES: dict[str, tuple[Change, ...]] = {
    "snowball": (
        Change("a card's number (Icicle +3 to +4)", {"items.icicle.effect.1": 4}),
        Change("a card's copies (Snowball 8: 5 to 6)", {"snowballs.snowball-8.copies": 6}),
        Change("a ruling (hands refilled at once)", {"ruling.refill": "at_once"}),
        Change("a ruling (who starts: present cover)", {"ruling.start_cover": "current"}),
        Change("a weight of one player (alarm 5 to 6)", players={str(PLAYER): "opportunist:alarm=6"}),
        Change("a player's strategy (greedy)", players={str(PLAYER): "greedy"}),
    ),
    "snallygaster": (
        Change("an item's number (Grape Soda: move 3 to 4)", {"items.grape-soda.effect.1": 4}),
        Change("a card's copies (Lost And Found: 2 to 3)", {"search-cards.lost-and-found.copies": 3}),
        Change("a search card's text (Curfew)", {"search-cards.curfew.effect": "feds red 2"}),
        Change("a ruling (hits and wheels)", {"ruling.sent_refreshes": True}),
        Change("a ruling (the rescued Lost Kid is immune)", {"ruling.rescued_lost_kid": "immune"}),
        Change("the Lost Kid's player (random)", players={str(PLAYER): "random"}),
        Change("a Kid's player (random)", players={"1": "random"}),
    ),
    "spooktacular": (
        Change("a card's number (Swarm: 4 at most to 6)", {"cards.swarm.effect.3": 6}),
        Change("a card's copies (Clown Car: 1 to 2)", {"cards.clown-car.copies": 2}),
        Change("a monster's text (Crank Call)", {"monsters.deadline.spaces.crank-call": "gain 3"}),
        Change("a ruling (the Tomb is no door)", {"ruling.tomb_is_a_door": False}),
        Change("a ruling (phones are no figures)", {"ruling.phones_are_monsters": False}),
        Change("a player's strategy (random)", players={str(PLAYER): "random"}),
    ),
}


def saving(one: np.ndarray, other: np.ndarray) -> Saving:
    """From the outcome rows of the same game numbers under two variants."""
    if not np.array_equal(one["number"], other["number"]):
        raise ValueError("pairs are games of the same number")
    a, b = (rows["share"][:, PLAYER].astype(np.int64) for rows in (one, other))
    paired = float(np.var(b - a))
    factor = float(np.var(a) + np.var(b)) / paired if paired else math.inf
    return Saving(factor, float(np.mean(one != other)), float(np.mean(b - a)) / 60)


def outcomes(game: str, change: Change, games: int) -> np.ndarray:
    """Outcome rows of games 0 .. games - 1."""
    configuration = find_game(game).configure(dict(change.settings))
    players = line_up(game, configuration.seats, {"all": USUAL[game], **change.players})
    found: np.ndarray = np.concatenate([b.outcomes for b in batch.play(configuration, players, games=games, keep=True)])
    return found


def savings(game: str, games: int = GAMES, changes: Sequence[Change] | None = None) -> dict[str, Saving]:
    """The table: by what is changed."""
    usual = outcomes(game, Change("nothing"), games)
    return {c.what: saving(usual, outcomes(game, c, games)) for c in (CHANGES[game] if changes is None else changes)}
