"""Plays a line-up in which a group of players changes its weights, and counts what these players want."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from experiments import statistics as st
from experiments.adapting.players import Group, changed_at
from experiments.adapting.search import ROTATION, Weights
from experiments.adapting.steps import Adapted
from experiments.manifest import with_options
from experiments.study import Study
from simcore.errors import PlayError
from simcore.game import Configuration, Player
from simcore.records import SIXTIETHS as WIN


@dataclass
class Side:
    """One cell while it is tuned. `past`: its line-ups before the present one, the first as it was given."""

    study: Study
    players: tuple[Player, ...]
    configuration: Configuration
    adapted: Adapted
    past: list[tuple[Player, ...]] = field(default_factory=list)

    def take(self, group: Group, weights: Weights) -> None:
        """Let a group play with these weights."""
        self.past.append(self.players)
        self.players = changed_at(self.players, group.seats, weights)


def derived_seed(seed: int, *words: object) -> int:
    """A seed of its own for each purpose, fixed by that of the study."""
    said = "\0".join(["adapt", str(seed), *map(str, words)])
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8], "big") >> 1


@dataclass
class Trial:
    """Plays a line-up in which a group changes its weights, and counts what is wanted."""

    side: Side
    players: tuple[Player, ...]
    group: Group
    seed: int
    threads: int | None
    count: Callable[[int], None]

    def __call__(self, weights: Weights | None, first: int, games: int) -> np.ndarray:
        """(games,): sixtieths of wins, of the changing seat or of all."""
        seats, found = len(self.players), []
        for mine, start, count in self._runs(first, games):
            players = changed_at(self.players, mine, weights or {})
            for outcomes in self._outcomes(players, start, count):
                share = outcomes["share"][:, :seats] if self.side.adapted.together else outcomes["share"][:, mine]
                found.append(share.sum(axis=1))
        self.side.adapted.games += games
        self.count(games)
        return np.concatenate(found)

    def _runs(self, first: int, games: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """Who changes in which games: all seats of the group, or one after the other."""
        mine = self.group.seats
        if self.side.adapted.together:
            yield mine, first, games
            return
        rotations = games // ROTATION
        parts = min(len(mine), rotations)
        ends = [first + rotations * k // parts * ROTATION for k in range(parts + 1)]
        for k, (start, end) in enumerate(zip(ends, ends[1:], strict=False)):
            yield (mine[(first // ROTATION + k) % len(mine)],), start, end - start

    def _outcomes(self, players: Sequence[Player], first: int, games: int) -> Iterator[np.ndarray]:
        from simcore import batch

        size = batch.block_for(games, self.threads or os.cpu_count() or 1)
        blocks = batch.play(
            self.side.configuration,
            players,
            games=games,
            first=first,
            seed=self.seed,
            threads=self.threads,
            block=size,
            keep=True,
        )
        try:
            for block in blocks:
                assert block.outcomes is not None  # noqa: S101 - they are kept
                yield block.outcomes
        except PlayError as error:
            raise with_options(error, self.side.study, self.side.adapted.cell) from None


def gain(more: np.ndarray, level: float) -> st.Estimate:
    """Wins a game more, from differences of sixtieths in each game: paired.

    Student's t over rotations of the seats; where few games differ, what so many more of them than were seen could do.
    """
    seen, total = int(np.count_nonzero(more)), int(more.sum())
    if seen < st.RARE and seen * 3 < len(more):
        square = int(np.square(more).sum())
        found, scale = st.mean(len(more), total, square, level, seen=seen, reach=WIN), WIN
    else:
        sums = more.reshape(-1, ROTATION).sum(axis=1)
        found, scale = st.mean(len(sums), total, int(np.square(sums).sum()), level), WIN * ROTATION
    value, low, high = (None if x is None else x / scale for x in (found.value, found.low, found.high))
    return st.Estimate(value, low, high, len(more), found.method)


def share(wins: np.ndarray) -> float:
    """Wins a game, from sixtieths in each."""
    return float(wins.sum()) / len(wins) / WIN


def shown(estimate: st.Estimate) -> bool:
    """Whether a gain is above 0 by its interval."""
    return estimate.low is not None and estimate.low > 0
