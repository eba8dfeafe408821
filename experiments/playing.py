"""Plays one cell: a fixed number of games, or until its intervals are narrow enough.

`precision` looks at widths only, at fixed checkpoints of contiguous prefixes of game numbers, so the ordinary interval
stays right (a rule that looked at the values would need another). Results depend on neither threads nor the order in
which blocks finish.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.metrics import Counter, Row
from experiments.statistics import games_for_half_width
from simcore.batch import BLOCK

if TYPE_CHECKING:
    from experiments.study import Cell, Study
    from simcore.batch import Totals

FIRST_LOOK = 2 * BLOCK
GROWTH = 1.1  # from one checkpoint to the next: at most a tenth more games than were needed


@dataclass
class Played:
    """What playing a cell gave. `seconds` is wall time, no part of the result's identity."""

    rows: list[Row]
    games: int
    decisions: int
    seconds: float


@dataclass
class Heard:
    """What a watcher is told after each block: games done and planned (None: not known yet) and the totals so far."""

    done: int
    planned: int | None
    width: float | None  # widest half-width at the last checkpoint, where precision decides
    totals: Totals
    counter: Counter


Watcher = Callable[[Heard], None]


def checkpoints(most: int) -> Iterator[int]:
    """Numbers of games at which precision is looked at.

    Multiples of BLOCK, growing by GROWTH, up to at least `most`.
    """
    n = FIRST_LOOK
    while True:
        yield n
        if n >= most:
            return
        n = max(n + BLOCK, math.ceil(n * GROWTH / BLOCK) * BLOCK)


def play(cell: Cell, study: Study, *, threads: int | None = None, watch: Watcher | None = None) -> Played:
    """Play a cell as the study asks. Raises PlayError if a game cannot be played on, KeyboardInterrupt on Ctrl-C."""
    from simcore import batch

    counter = Counter(cell.configuration, cell.players)
    extra = None
    if study.metrics:
        from experiments.expressions import Expressions

        extra = Expressions(study.metrics, cell.configuration)
    looks = checkpoints(games_for_half_width(study.precision)) if study.precision else iter(())
    most = study.games or list(checkpoints(games_for_half_width(study.precision or 0.5)))[-1]
    look = next(looks, None)
    totals: Totals | None = None
    width: float | None = None
    started = time.perf_counter()
    blocks = batch.play(
        cell.configuration, cell.players, games=most, seed=study.seed, threads=threads, keep=extra is not None
    )
    try:
        for block in blocks:
            if totals is None:
                totals = block.totals
            else:
                totals.add(block.totals)
            if extra is not None and block.outcomes is not None:
                extra.add(block.outcomes)
            enough = False
            if look is not None and totals.games >= look:
                width = counter.widest(totals)
                enough = width <= (study.precision or 0)
                look = next(looks, None)
            if watch is not None:
                planned = study.games or (
                    None if width is None else _projected(totals.games, width, study.precision or 1, most)
                )
                watch(Heard(totals.games, planned, width, totals, counter))
            if enough:
                break
    finally:
        close = getattr(blocks, "close", None)
        if close is not None:
            close()
    assert totals is not None  # noqa: S101 - games >= 1
    rows = counter.rows(totals) + (extra.rows() if extra else [])
    return Played(rows, totals.games, totals.decisions, time.perf_counter() - started)


def _projected(done: int, width: float, wanted: float, most: int) -> int:
    """Games until the width is likely reached: it shrinks with the square root."""
    return min(most, max(done, math.ceil(done * (width / wanted) ** 2)))
