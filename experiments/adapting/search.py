"""Random search over named weights with successive halving: which of many tries is worth a test on fresh games.

Tries lie around the present values, some of them anywhere in the range; each changes a few weights only (random search
beats a grid where few of many weights matter: Bergstra & Bengio 2012, JMLR 13:281). All tries and the present weights
play the same games; the better third plays on, three times as long each (successive halving: Jamieson & Talwalkar 2016,
AISTATS). What wins here is the luckiest, too: it is a proposal, and how much better it is must be seen elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from simcore.errors import PlayError
from simcore.game import Weight

ROTATION = 60  # games in which every seat starts equally often
KEPT = 3  # one of so many tries plays on, and so many reach the last stage
MOST_TRIES, FEWEST_TRIES = 81, 4
FIRST_STAGE = 120  # games of each try in the first stage, where the budget allows
CHANGED = 2.5  # weights that a try changes, on average
ANYWHERE = 0.25  # of the tries take what they change from the whole range
WIDTH = 0.5  # of the others: standard deviation, in present values ...
LEAST_WIDTH = 0.05  # ... but no less than this part of the range
DIGITS = 3  # of a value: it is to be read, and typed again

Weights = Mapping[str, float]
Play = Callable[[Weights | None, int, int], np.ndarray]  # weights (None: the present ones), first game, games -> gains


class Stage(NamedTuple):
    """So many tries play so many games each."""

    tries: int
    games: int


@dataclass
class Try:
    """Weights that were tried. `gain`: sum over its games of what it won less what the present weights won there."""

    weights: dict[str, float]
    games: int = 0
    gain: float = 0.0
    differs: bool = False  # whether any game ended otherwise

    @property
    def mean(self) -> float:
        """Gain a game, in the unit of `Play`."""
        return self.gain / self.games if self.games else 0.0


def stages(games: int) -> tuple[Stage, ...]:
    """How a budget is spent: as many tries as FIRST_STAGE allows, equal parts for all stages, two for the last one.

    The present weights play along in every stage. The last one is for the KEPT best.
    """
    for first in range(MOST_TRIES, FEWEST_TRIES - 1, -1):
        tries = [first]
        while tries[-1] > KEPT:
            tries.append(max(KEPT, math.ceil(tries[-1] / KEPT)))
        parts = [*(1 for _ in tries[1:]), 2]
        found = tuple(Stage(n, _whole(games * k / sum(parts) / (n + 1))) for n, k in zip(tries, parts, strict=True))
        if found[0].games >= FIRST_STAGE:
            break
    return found


def fewest_games() -> int:
    """The smallest budget of `stages` that it keeps to."""
    return 3 * (FEWEST_TRIES + 1) * ROTATION  # two stages, and the last counts twice


def _whole(games: float) -> int:
    return max(1, int(games / ROTATION)) * ROTATION


def propose(weights: Sequence[Weight], present: Weights, many: int, luck: np.random.Generator) -> list[Try]:
    """So many tries, none twice. The first are the defaults, where the present values are others."""
    now = {w.name: float(present.get(w.name, w.default)) for w in weights}
    usual = {w.name: float(w.default) for w in weights}
    found = [usual] if usual != now else []
    for _ in range(20 * many):  # where the ranges are narrow there may be no more to try
        if len(found) >= many:
            break
        chosen = luck.random(len(weights)) < CHANGED / len(weights)
        chosen[int(luck.integers(len(weights)))] = True
        anywhere = bool(luck.random() < ANYWHERE)
        values = dict(now)
        for w, changes, normal, uniform in zip(
            weights, chosen, luck.normal(size=len(weights)), luck.random(len(weights)), strict=True
        ):
            if changes:
                width = max(WIDTH * abs(now[w.name]), LEAST_WIDTH * (w.high - w.low))
                value = w.low + uniform * (w.high - w.low) if anywhere else now[w.name] + width * normal
                values[w.name] = rounded(float(min(w.high, max(w.low, value))), w)
        if values != now and values not in found:
            found.append(values)
    return [Try(values) for values in found]


def rounded(value: float, weight: Weight) -> float:
    """A value of a few digits, within the weight's bounds."""
    return min(weight.high, max(weight.low, float(f"{value:.{DIGITS}g}")))


def halve(tries: Sequence[Try], plan: Sequence[Stage], play: Play) -> list[Try]:
    """Play all stages but the last: the tries that are left, the best first. Nothing depends on who plays when.

    Where no try differs from the present weights in any game, none is left.
    """
    left, first = list(tries), 0
    for stage, following in pairwise(plan):
        left = play_stage(left, first, stage.games, play)
        first += stage.games
        if not any(t.differs for t in left):
            return []
        left = left[: following.tries]
    return left


def play_stage(tries: Sequence[Try], first: int, games: int, play: Play) -> list[Try]:
    """Let all tries play these games, too: in the order of their gains; of equals, the earlier.

    One that cannot play on with its weights drops out.
    """
    present, left = play(None, first, games), []
    for t in tries:
        try:
            gains = play(t.weights, first, games) - present
        except PlayError:
            continue
        left.append(t)
        t.games += games
        t.gain += float(gains.sum())
        t.differs = t.differs or bool(gains.any())
    return sorted(left, key=lambda t: -t.mean)
