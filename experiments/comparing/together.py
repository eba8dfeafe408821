"""Plays the same games on all sides of a comparison, here or on a cluster, and adds them up unit by unit.

What a comparison takes of its games is little: each side's sums over a unit (full rotations of the seats), its totals,
and how far the outcomes of a variant differ from those of the base, game by game. So it is summed up where the games
are played, and a cluster's worker plays all sides of its games. All of it is integers: who plays which games where
changes no bit.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments import cluster, store, worker
from experiments import metrics as mt
from experiments.comparing.paired import Reader, Touched
from experiments.playing import Source, close
from simcore import batch
from simcore.batch import Totals
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.comparing.variants import Side
    from experiments.study import Cell
    from simcore.batch import Block

LARGEST_BLOCK = 2400  # games in a block: bounded by the engine, and a multiple of 60
FLIPPED = 20  # games with another winner that are named
SOURCES = ("comparing/together.py", "comparing/paired.py")
AHEAD = 2  # a cluster may play so many times the games of the next look

Schedule = Sequence[tuple[int, int]]  # numbers of games to look at, and the unit until then


class Unplayable(batch.SideError):
    """A game of a side cannot be played on: its place among all sides."""


class Part(NamedTuple):
    """What contiguous games gave, by place of the side (0: the base); `units`: (units, metrics, 2)."""

    games: int
    units: Mapping[int, np.ndarray]
    totals: Mapping[int, Totals]
    reached: Mapping[int, Touched]  # of the variants


def parts(
    sides: Sequence[Side], schedule: Schedule, first: int, live: Collection[int], source: Source, threads: int | None
) -> Iterator[Part]:
    """The games from `first` on, in order; parts end at each look of the schedule.

    `live`: sides that are played; it may lose some on the way, never the base. Raises Unplayable, InputError.
    """
    if isinstance(source, cluster.Cluster):
        return _there(source, sides, schedule, first, live)
    return _here([s.cell for s in sides], sides[0].study.seed, schedule, first, live, threads)


# --- here -------------------------------------------------------------------------------------------------------------


def stretches(schedule: Schedule, first: int) -> list[tuple[int, int, list[int]]]:
    """End, unit and looks of each run of games with the same unit, from `first` on."""
    found: list[tuple[int, int, list[int]]] = []
    for n, unit in schedule:
        if n > first:
            if found and found[-1][1] == unit:
                found[-1] = (n, unit, [*found[-1][2], n])
            else:
                found.append((n, unit, [n]))
    return found


def _here(
    cells: Sequence[Cell], seed: int, schedule: Schedule, first: int, live: Collection[int], threads: int | None
) -> Iterator[Part]:
    """A part a unit."""
    readers = {k: Reader(mt.metrics_of(cells[k].configuration)) for k in live}
    for end, unit, _ in stretches(schedule, first):
        while first < end:
            places = sorted(live)
            for part in _units(cells, places, readers, seed, first, end, unit, threads):
                first += part.games
                yield part
                if len(live) < len(places):
                    break


def _units(
    cells: Sequence[Cell],
    places: Sequence[int],
    readers: Mapping[int, Reader],
    seed: int,
    first: int,
    end: int,
    unit: int,
    threads: int | None,
) -> Iterator[Part]:
    """The units of these sides, in blocks; the last one may be shorter."""
    many = math.ceil(unit / LARGEST_BLOCK)

    def see(blocks: Sequence[Block]) -> Part:
        units, totals, reached = {}, {}, {}
        for k, block in zip(places, blocks, strict=True):
            totals[k], units[k] = block.totals, readers[k].read(block.totals)[None]
            if k and block.outcomes is not None and blocks[0].outcomes is not None:
                reached[k] = Touched()
                reached[k].add(blocks[0].outcomes, block.outcomes, FLIPPED)
        return Part(blocks[0].games, units, totals, reached)

    sides = [(cells[k].configuration, cells[k].players) for k in places]
    seen = batch.play_together(
        sides, see, games=end - first, first=first, seed=seed, block=unit // many, threads=threads
    )
    try:
        while some := list(islice(seen, many)):
            part = some[0]
            if many > 1:
                part = joined(some)
                part = Part(part.games, {k: u.sum(axis=0, keepdims=True) for k, u in part.units.items()}, *part[2:])
            yield part
    except batch.SideError as error:
        raise Unplayable(places[error.side], str(error)) from None
    finally:
        close(seen)


def joined(some: Sequence[Part]) -> Part:
    """Parts after one another as one."""
    totals = dict(some[0].totals)
    reached = dict(some[0].reached)
    for part in some[1:]:
        for k, t in part.totals.items():
            totals[k] += t
        for k, r in part.reached.items():
            reached[k] = reached[k].plus(r, FLIPPED)
    units = {k: np.concatenate([p.units[k] for p in some]) for k in totals}
    return Part(sum(p.games for p in some), units, totals, reached)


# --- there ------------------------------------------------------------------------------------------------------------


def sources_here() -> dict[str, str]:
    """What must be the same on both sides beside what a sweep's cells need."""
    return {"comparison": store.sources_digest(*SOURCES)}


def _there(
    source: cluster.Cluster, sides: Sequence[Side], schedule: Schedule, first: int, live: Collection[int]
) -> Iterator[Part]:
    """A part from look to look, or a chunk."""
    asked = {"sides": [worker.words_of(s.cell, s.study, False) for s in sides], "versions": sources_here()}
    runs, most = stretches(schedule, first), schedule[-1][0]

    def cut(start: int) -> tuple[int, tuple[Any, ...]]:
        end, unit, looks = next(run for run in runs if run[0] > start)
        end = min(end, start + max(unit, cluster.CHUNK // unit * unit))
        return end, (unit, sorted(live), [n for n in looks if start < n < end])

    wanted = most if len(schedule) == 1 else min(most, first + cluster.CHUNK)
    line = cluster.Line(play_chunk, asked, cut, first, most, wanted)
    at, ahead = first, iter([n for n, _ in schedule if n > first])
    look = next(ahead)
    for answer in source.answers(line):
        for given in answer["parts"]:
            part = unpacked(given)
            at += part.games
            if at >= look and len(schedule) > 1:
                look = next(ahead, most)
                source.expects(min(most, AHEAD * look))
            yield part
        if "failed" in answer:
            raise Unplayable(answer["side"], answer["failed"])
        if "wrong" in answer:
            raise InputError(answer["wrong"])


def play_chunk(
    asked: Mapping[str, Any], first: int, games: int, unit: int, live: Sequence[int], cuts: Sequence[int]
) -> dict[str, Any]:
    """Play games `first` .. `first + games - 1` of these sides. Each of `cuts` ends a part.

    Answers as ``worker.play_chunk`` does, with `parts` in place of pieces; `side`: whose game cannot be played on.
    """
    answer: dict[str, Any] = {"worker": worker.address(), "parts": []}
    try:
        different = worker.difference(asked["versions"], sources_here())
        if different:
            raise worker.Refused(different)
        made = {k: worker.same_cell(asked["sides"][k]) for k in live}
        cells = [made[k][0] if k in made else made[live[0]][0] for k in range(len(asked["sides"]))]
        at = first
        for end in (*cuts, first + games):
            some = list(_here(cells, made[live[0]][1].seed, [(end, unit)], at, live, 1))
            answer["parts"].append(packed(joined(some)))
            at = end
    except worker.Refused as refused:
        answer["refused"] = str(refused)
    except Unplayable as error:
        answer |= {"failed": str(error), "side": error.side}
    except InputError as error:
        answer["wrong"] = str(error)
    return answer


def packed(part: Part) -> dict[str, Any]:
    """A part as plain data."""
    return {
        "games": part.games,
        "units": dict(part.units),
        "totals": {k: vars(t) for k, t in part.totals.items()},
        "reached": {k: vars(r) for k, r in part.reached.items()},
    }


def unpacked(given: Mapping[str, Any]) -> Part:
    """A part as it came from a worker."""
    totals = {k: Totals(**t) for k, t in given["totals"].items()}
    return Part(given["games"], given["units"], totals, {k: Touched(**r) for k, r in given["reached"].items()})
