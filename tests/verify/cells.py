"""Real cells, played once for all tests of this folder: many replications of 1,200 games, and the truth from them all.

A replication is one block of a long batch: other game numbers, so other luck, and as many games as a short run has.
The rows of each are kept; totals and outcomes of all would not fit into memory. A new game adds its cells to ``CELLS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import strategies
from experiments.metrics import Counter, Row
from simcore import batch, records
from simcore.game import Metric, find_game
from tests.verify.against import added

SIZE = 1200  # games of a replication
Key = tuple[str, str, str, float | None]


@dataclass(frozen=True)
class Cell:
    """What is played: `games` in all, of which the first `kept` replications are looked at one by one."""

    game: str
    players: int
    strategy: str
    games: int
    kept: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    hooks: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(repr(self))


MAIN = Cell("snowball", 4, "greedy", 10_000_800, 2000)
RESCUES = {"ruling.rescue": "any_end", "doom_length": 20, "new_hand_token": False}  # by players at random, too
FOUR_MONSTERS = {"monsters": "killtron+deadline+regoo+clown"}  # drawn ones would make of each row but a few games
CELLS = {
    "snowball, 4 players": MAIN,
    "snowball, 3 players with kids": Cell("snowball", 3, "random", 1_200_000, 1000, {"kids": "random"}),
    "snallygaster, 4 players": Cell("snallygaster", 4, "random", 1_200_000, 1000, RESCUES),
    "spooktacular, 4 players": Cell("spooktacular", 4, "random", 1_200_000, 1000, FOUR_MONSTERS),
}


@dataclass
class Played:
    """A played cell. Arrays have one line a replication and one column a row of the results."""

    totals: batch.Totals
    truth: list[Row]
    metric: dict[Key, Metric]  # what each row is computed from
    keys: dict[Key, int]  # column of a row
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    method: np.ndarray
    share: np.ndarray  # of player 0, in sixtieths, by game of the kept replications
    turns: np.ndarray
    chairs: np.ndarray  # wins by chair, in the kept replications

    def column(self, metric: str, group: str = "") -> int:
        """Column of a row without x."""
        return self.keys[metric, group, "", None]


def key(row: Row) -> Key:
    """What names a row."""
    return row.metric, row.group, row.group2, row.x


@cache
def play(cell: Cell) -> Played:
    """Play a cell."""
    configuration = find_game(cell.game).configure({"players": cell.players, **cell.settings})
    line_up = strategies.line_up(cell.game, cell.players, [cell.strategy])
    counter = Counter(configuration, line_up)
    total: batch.Totals | None = None
    rows: list[list[Row]] = []
    outcomes = []
    chairs = np.zeros(cell.players, int)
    common = {"seed": cell.seed, "block": SIZE, **cell.hooks}
    first = cell.kept * SIZE
    parts = [batch.play(configuration, line_up, games=first, keep=True, **common)]
    if cell.games > first:
        parts.append(batch.play(configuration, line_up, games=cell.games - first, first=first, **common))
    for part in parts:
        for block in part:
            if block.outcomes is not None:
                rows.append(counter.rows(block.totals))
                found = block.outcomes
                outcomes.append((found["share"][:, 0].copy(), found["turns"].copy()))
                won = found[found["winner"] != records.NONE]
                chairs += np.bincount((won["winner"] + won["number"]) % cell.players, minlength=cell.players)
            total = added(total, block.totals)
    assert total is not None
    return _gathered(counter, total, rows, outcomes, chairs)


def _gathered(
    counter: Counter,
    total: batch.Totals,
    rows: list[list[Row]],
    outcomes: list[tuple[np.ndarray, np.ndarray]],
    chairs: np.ndarray,
) -> Played:
    truth = counter.rows(total)
    keys = {key(row): i for i, row in enumerate(truth)}
    shape = (len(rows), len(keys))
    arrays = {name: np.full(shape, np.nan) for name in ("value", "low", "high")}
    method = np.full(shape, "", dtype=object)
    for i, found in enumerate(rows):
        for row in found:
            j = keys[key(row)]
            for name, array in arrays.items():
                x = getattr(row, name)
                array[i, j] = np.nan if x is None else x
            method[i, j] = row.method
    by_name = {(m.name, m.group, m.group2): m for m in counter.metrics}
    metric = {k: by_name[k[:3]] for k in keys if k[:3] in by_name}
    share, turns = (np.stack(x) for x in zip(*outcomes, strict=True))
    return Played(total, truth, metric, keys, *arrays.values(), method, share, turns, chairs)
