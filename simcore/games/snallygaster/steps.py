"""What lies a step apart: neighbours on foot and by road, and how far things spread step by step.

Pure functions of arrays; the town that they are about is read and checked in ``town``. Spaces are numbered row by row,
and their kind is a character of the map.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

GROUND, JUNCTION, VOID, ROADS = ".", "+", "#", "+-|/\\"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))  # the four straight ones first
NEVER = 255  # steps to where no way leads


def shifted(cells: np.ndarray, down: int, right: int, outside: Any) -> np.ndarray:
    """For each cell what lies so far from it."""
    height, width = cells.shape
    padded = np.pad(cells, 1, constant_values=outside)
    return padded[1 + down : 1 + down + height, 1 + right : 1 + right + width]


def neighbours(
    inside: np.ndarray, beside: np.ndarray, below: np.ndarray, diagonal: bool = False, cross_fences: bool = False
) -> np.ndarray:
    """(n, 4 or 8) the spaces one step away in the order of STEPS; itself where no step is possible."""
    index = np.full(inside.shape, -1)
    index[inside] = np.arange(inside.sum())
    open_east = inside & shifted(inside, 0, 1, False) & (~beside | cross_fences)
    open_south = inside & shifted(inside, 1, 0, False) & (~below | cross_fences)
    way = {
        (-1, 0): shifted(open_south, -1, 0, False),
        (0, 1): open_east,
        (1, 0): open_south,
        (0, -1): shifted(open_east, 0, -1, False),
    }
    for down, right in STEPS[4:] if diagonal else ():
        first_down = way[down, 0] & shifted(way[0, right], down, 0, False)
        first_right = way[0, right] & shifted(way[down, 0], 0, right, False)
        way[down, right] = first_down | first_right
    found = [np.where(way[step], shifted(index, *step, -1), index)[inside] for step in STEPS if step in way]
    return np.stack(found, axis=1)


def spread(steps: np.ndarray, start: np.ndarray) -> np.ndarray:
    """(n, n) after how many rounds b is in the set of a; NEVER where it does not get there.

    The sets begin as `start` and take in those of their neighbours each round. They are bits of 64-bit words.
    """
    count = len(start)
    sets = np.packbits(np.pad(start, ((0, 0), (0, -count % 64))), axis=1, bitorder="little").view(np.uint64)
    rounds = np.zeros((count, count), np.uint8)
    while True:
        lacking = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, :count] == 0
        grown = sets | np.bitwise_or.reduce(sets[steps], axis=1)
        if np.array_equal(grown, sets):
            rounds[lacking] = NEVER
            return rounds
        rounds += lacking
        sets = grown


def drives(start: int, kind: str, cells: np.ndarray, space_at: Mapping[tuple[int, int], int]) -> dict[int, list[int]]:
    """The intersections next on the roads from `start`, each with the spaces of the shortest way there.

    A road runs diagonally only where it has no road in the corner: there it turns, and does not cut the corner.
    """
    ways: dict[int, list[int]] = {start: []}
    ahead = deque([start])
    while ahead:
        here = ahead.popleft()
        row, column = (int(x) for x in cells[here])
        for down, right in STEPS:
            corners = {space_at.get((row + down, column)), space_at.get((row, column + right))}
            if down and right and any(c is not None and kind[c] in ROADS for c in corners):
                continue
            there = space_at.get((row + down, column + right))
            if there is not None and there not in ways and kind[there] in ROADS:
                ways[there] = [*ways[here], there]
                if kind[there] != JUNCTION:
                    ahead.append(there)
    return {end: way for end, way in ways.items() if kind[end] == JUNCTION and end != start}


def touching(
    count: int, kind: str, bits: np.ndarray, cells: np.ndarray, space_at: Mapping[tuple[int, int], int]
) -> np.ndarray:
    """Which districts lie beside each other, or on the same piece of road."""
    found = np.zeros((count, count), bool)
    for i, (row, column) in enumerate(cells):
        joint = bits[i]
        if kind[i] not in ROADS:
            beside = [space_at[at] for at in ((row + 1, column), (row, column + 1)) if at in space_at]
            joint |= sum({int(bits[j]) for j in beside if kind[j] not in ROADS} - {int(joint)})
        here = np.flatnonzero((joint >> np.arange(count)) & 1)
        found[np.ix_(here, here)] = True
    np.fill_diagonal(found, False)
    return found
