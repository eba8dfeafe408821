"""Plays one cell: a fixed number of games, or until its intervals are narrow enough.

`precision` looks at widths only, at fixed checkpoints of contiguous prefixes of game numbers, so the ordinary interval
stays right (a rule that looked at the values would need another). Results depend on neither threads nor the order in
which blocks finish, nor on who plays them: a `Source` gives the games in the order of their numbers.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from experiments import rows
from experiments.metrics import Counter, Row
from experiments.state import State
from experiments.statistics import games_for_half_width
from simcore.batch import BLOCK
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.expressions import Expressions, Sums
    from experiments.study import Cell, Study
    from simcore.batch import Block, Totals

FIRST_LOOK = 2 * BLOCK
GROWTH = 1.1  # from one checkpoint to the next: at most a tenth more games than were needed
SAVE_EVERY = 10.0  # seconds between two notes of how far a cell is


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


@dataclass(frozen=True)
class Piece:
    """Contiguous games. `sums`: what they add to the metrics that a person wrote, by runs of games."""

    totals: Totals
    sums: list[Sums]
    rows: rows.Columns | None


class Asked(NamedTuple):
    """What a source will be asked for: at most so many games of a cell, which may end at each of the looks."""

    cell: Cell
    study: Study
    most: int
    looks: Sequence[int] = ()


class Source(Protocol):
    """Who plays the games: this process, or a cluster."""

    def begins(self, coming: Sequence[Asked]) -> None:
        """These cells will be asked for, in this order, each from its first game on."""

    def pieces(self, cell: Cell, study: Study, first: int, most: int, looks: Sequence[int] = ()) -> Iterator[Piece]:
        """Games `first` .. `most - 1` of a cell in order; each of `looks` (multiples of BLOCK) is the end of a piece.

        Of the study it takes the seed and the metrics that a person wrote.
        """

    def expects(self, games: int) -> None:
        """About so many games of the present cell will be needed."""

    def ends(self) -> None:
        """No more games."""

    def remarks(self) -> list[str]:
        """What a person should know of how it was played: one line each."""


class Here:
    """This process plays, on so many threads. `keep`: with one row a game.

    The games of the next cell begin while the last ones of a cell are played: else the threads would wait for its end.
    """

    def __init__(self, threads: int | None = None, keep: bool = False) -> None:
        self.threads, self.keep = threads, keep
        self._coming: deque[Asked] = deque()
        self._begun: dict[int, Iterator[Block]] = {}

    def begins(self, coming: Sequence[Asked]) -> None:
        """Remember them, where each takes so many games for certain."""
        self._coming = deque(coming if not any(asked.looks for asked in coming) else ())

    def pieces(self, cell: Cell, study: Study, first: int, most: int, looks: Sequence[int] = ()) -> Iterator[Piece]:
        """A piece a block."""
        extra = expressions(cell, study)
        while self._coming and self._coming[0].cell.index <= cell.index:
            self._coming.popleft()
        blocks = self._begun.pop(cell.index, None) if first == 0 else None
        if blocks is None:
            self.ends()
            blocks = self._blocks(cell, study, first, most)
        at = first
        try:
            for block in blocks:
                at += block.games
                if self._coming and not self._begun and at < most <= at + 2 * BLOCK:
                    following = self._coming.popleft()
                    self._begun[following.cell.index] = self._blocks(following.cell, following.study, 0, following.most)
                sums, kept = [], None
                if extra is not None and block.outcomes is not None:
                    sums = extra.sums(block.outcomes)
                if self.keep and block.outcomes is not None:
                    kept = rows.columns(block.outcomes, cell.configuration.seats)
                yield Piece(block.totals, sums, kept)
        finally:
            close(blocks)

    def _blocks(self, cell: Cell, study: Study, first: int, most: int) -> Iterator[Block]:
        from simcore import batch

        wanted = self.keep or bool(study.metrics)
        return batch.play(
            cell.configuration,
            cell.players,
            games=most - first,
            first=first,
            seed=study.seed,
            threads=self.threads,
            keep=wanted,
        )

    def expects(self, games: int) -> None:
        """Nothing to prepare."""

    def ends(self) -> None:
        """Drop what was begun."""
        while self._begun:
            close(self._begun.popitem()[1])

    def remarks(self) -> list[str]:
        """Nothing."""
        return []


def close(some: Iterator[object] | None) -> None:
    """Close an iterator, if it can be: what is begun is not played on."""
    end = getattr(some, "close", None)
    if end is not None:
        end()


def expressions(cell: Cell, study: Study) -> Expressions | None:
    """The metrics that a person wrote, ready to count one cell's games."""
    if not study.metrics:
        return None
    from experiments.expressions import Expressions

    return Expressions(study.metrics, cell.configuration)


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


def looks(study: Study) -> list[int]:
    """The checkpoints of a study's cells; none where the number of games is fixed."""
    return list(checkpoints(games_for_half_width(study.precision))) if study.precision else []


def most_games(study: Study) -> int:
    """Games that a cell may take."""
    return study.games or list(checkpoints(games_for_half_width(study.precision or 0.5)))[-1]


def play(
    cell: Cell,
    study: Study,
    *,
    threads: int | None = None,
    watch: Watcher | None = None,
    source: Source | None = None,
    start: State | None = None,
    save: Callable[[State], None] | None = None,
    writer: rows.Writer | None = None,
) -> Played:
    """Play a cell as the study asks, or go on from `start`.

    `save` is told now and then how far the cell is, and when it is stopped; with a `writer` of one row a game only
    where a part of the rows ends. Raises PlayError if a game cannot be played on, KeyboardInterrupt on Ctrl-C.
    """
    source = source or Here(threads, writer is not None)
    counter = Counter(cell.configuration, cell.players)
    extra = expressions(cell, study)
    first = start.totals.games if start is not None else 0
    most, state, checked = most_games(study), start, looks(study)
    ahead = iter([n for n in checked if n >= first])
    look, width = next(ahead, None), None
    started = saved = time.perf_counter()

    def enough(totals: Totals) -> bool:
        nonlocal look, width
        if look is None or totals.games < look:
            return totals.games >= most
        width = counter.widest(totals)
        look = next(ahead, None)
        source.expects(_projected(totals.games, width, study.precision or 1, most))
        return width <= (study.precision or 0) or totals.games >= most

    over = state is not None and enough(state.totals)
    pieces = source.pieces(cell, study, first, most, checked) if not over else iter(())
    try:
        for piece in pieces:
            state = added(state, piece)
            over = enough(state.totals)
            part = writer is not None and piece.rows is not None and writer.add(piece.rows)
            now = time.perf_counter()
            if save is not None and (part if writer is not None else now - saved > SAVE_EVERY):
                save(state)
                saved = now
            if watch is not None:
                planned = study.games or (
                    None if width is None else _projected(state.totals.games, width, study.precision or 1, most)
                )
                watch(Heard(state.totals.games, planned, width, state.totals, counter))
            if over:
                break
    except (KeyboardInterrupt, InputError):
        if save is not None and state is not None and writer is None:
            save(state)
        raise
    finally:
        close(pieces)
    if writer is not None:
        writer.close()
    assert state is not None  # noqa: S101 - games >= 1
    if extra is not None:
        extra.count(state.sums)
    found = counter.rows(state.totals) + (extra.rows() if extra else [])
    return Played(found, state.totals.games, state.totals.decisions, time.perf_counter() - started)


def added(state: State | None, piece: Piece) -> State:
    """A state with a piece more; the one before stays as it is, for Ctrl-C may come at any moment."""
    totals = piece.totals if state is None else state.totals + piece.totals
    sums = state.sums if state is not None else [(0, 0.0, 0.0, 0)] * len(piece.sums[0]) if piece.sums else []
    for more in piece.sums:  # in the order of game numbers: sums of reals depend on it in the last bit
        sums = [(n + m, a + b, s + t, k + j) for (n, a, s, k), (m, b, t, j) in zip(sums, more, strict=True)]
    return State(totals, sums)


def _projected(done: int, width: float, wanted: float, most: int) -> int:
    """Games until the width is likely reached: it shrinks with the square root."""
    return min(most, max(done, math.ceil(done * (width / wanted) ** 2)))
