"""The town's part of the ``rules`` record: districts, routes, and how far each way to move leads, worked out once.

A *way* is a manner of moving: diagonally or not, over fences or not, with so many steps more after ending on or off a
road. For each the record has, from every space, the wheel value that each other space needs and the spaces in that
order: what a rule offers as ends of a movement is then read off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simcore.content import Content
from simcore.errors import InputError
from simcore.games.snallygaster import layout, town
from simcore.games.snallygaster.layout import NONE, Ability
from simcore.parameter import Value

FAR = 255  # a `need` that no wheel meets
_COPIED = (
    *("spaces", "districts", "buildings", "treehouses", "landmarks", "is_road", "building_of", "treehouse_of"),
    *("district_bits", "building_space", "building_colour", "building_district_bits", "treehouse_space"),
    *("nearest_treehouses", "neighbours", "hops", "landmark_bits", "hint_weight", "stops", "stop_space"),
    *("stop_district_bits", "stop_touch", "leg_touch", "need", "near", "near_count", "distance", "way", "plain_way"),
)


def fill(
    rules: Any, settings: Mapping[str, Value | None], content: Content, rides: Sequence[tuple[int, int, int]]
) -> None:
    """Write the town into a record. `rides`: (road, off road, abilities) of each ride card, the last of nobody."""
    names = ("treehouses", "fences", "feds_reach", "clue_reach", "hint_clarity", "ruling.free_move_road_bonus")
    given = tuple((name, settings[name]) for name in (*names, "ruling.nearest_treehouse"))
    key = (_dumped(content), given, tuple(rides))
    _waiting[key] = content
    try:
        found = _town(key)
    finally:
        _waiting.pop(key, None)
    for name in _COPIED:
        rules[name] = found[name]


@lru_cache(maxsize=32)
def _dumped(content: Content) -> str:
    """The town's texts: contents that differ elsewhere have the same town."""
    sections = [[(slug, e.model_dump()) for slug, e in content.sections[s].items()] for s in town.SECTIONS]
    return json.dumps(sections, sort_keys=True)


_waiting: dict[Any, Content] = {}


@lru_cache(maxsize=32)
def _town(key: Any) -> Any:
    """The town's fields as a RULES row; the same for every cell of a study that leaves the town as it is."""
    content, settings, rides = _waiting[key], dict(key[1]), key[2]
    row = np.zeros(1, layout.RULES)[0]
    plan = town.read_town(content)
    _places(row, plan, settings)
    _hints(row, plan, float(settings["clue_reach"]), float(settings["hint_clarity"]))
    _routes(row, plan, int(settings["feds_reach"]))
    _ways(row, plan, settings, rides)
    return row


def _places(row: Any, plan: Any, settings: Mapping[str, Any]) -> None:
    n, buildings, treehouses = len(plan.cells), len(plan.building_spaces), len(plan.treehouse_space)
    row["spaces"], row["districts"], row["buildings"] = n, len(plan.neighbours), buildings
    row["landmarks"] = len(plan.landmark_spaces)
    open_ones = treehouses if settings["treehouses"] is None else int(settings["treehouses"])
    if open_ones > treehouses:
        raise InputError(f"treehouses = {open_ones}: the town has {treehouses}")
    row["treehouses"] = open_ones
    row["building_of"] = row["treehouse_of"] = NONE
    row["is_road"][:n] = plan.is_road
    row["building_of"][:n] = plan.building_of
    row["treehouse_of"][:n] = np.where(plan.treehouse_of < open_ones, plan.treehouse_of, NONE)
    row["district_bits"][:n] = plan.district_bits
    row["building_space"][:buildings] = plan.building_spaces
    row["building_colour"][:buildings] = plan.building_colour
    row["building_district_bits"][:buildings] = plan.building_district_bits
    row["treehouse_space"][:treehouses] = plan.treehouse_space
    row["nearest_treehouses"][:n] = _nearest(plan, open_ones, bool(settings["fences"]), settings)
    count = len(plan.neighbours)
    row["neighbours"][:count] = plan.neighbours
    row["hops"][:count, :count] = plan.hops
    for i, spaces in enumerate(plan.landmark_spaces):
        row["landmark_bits"][list(spaces)] |= 1 << i


def _nearest(plan: Any, open_ones: int, fences: bool, settings: Mapping[str, Any]) -> np.ndarray:
    """Bits of the nearest open treehouses of each space, ties included."""
    spaces = np.asarray(plan.treehouse_space)[:open_ones]
    if settings["ruling.nearest_treehouse"] == "straight":
        cells = np.asarray(plan.cells)
        far = ((cells[:, None, :] - cells[spaces][None, :, :]) ** 2).sum(axis=2)
    else:
        far = town.distances(plan, False, not fences)[:, spaces].astype(int)
    ties = far == far.min(axis=1, keepdims=True)
    bits: np.ndarray = (ties * (1 << np.arange(len(spaces)))).sum(axis=1)
    return bits


def _hints(row: Any, plan: Any, reach: float, clarity: float) -> None:
    """How likely a hint is for each building, relative to the mean: a clear part that falls off with the distance (in
    spaces, e-fold at `reach`), and the rest that tells nothing."""
    far = np.asarray(plan.landmark_distance, float)
    near = np.exp(-far / reach)
    landmarks, buildings = far.shape
    row["hint_weight"][:landmarks, :buildings] = clarity * near / near.mean(axis=1, keepdims=True) + 1 - clarity


def _routes(row: Any, plan: Any, reach: int) -> None:
    for fed, stops in enumerate(plan.stops):
        k = len(stops)
        row["stops"][fed] = k
        row["stop_space"][fed, :k] = stops
        row["stop_district_bits"][fed, :k] = plan.stop_district_bits[fed]
        standing, driving = town.touched(plan, fed, reach)
        n = standing.shape[1]
        row["stop_touch"][fed, :k, :n] = standing
        row["leg_touch"][fed, :k, :n] = driving


def _ways(row: Any, plan: Any, settings: Mapping[str, Any], rides: Sequence[tuple[int, int, int]]) -> None:
    """The ways that rides, wheels, items and free moves lead, numbered as they are met."""
    n = len(plan.cells)
    fences = bool(settings["fences"])
    numbers: dict[tuple[bool, bool, int, int], int] = {}
    row["need"] = FAR

    def way(diagonal: bool, cross: bool, road: int, off_road: int) -> int:
        what = (diagonal, cross or not fences, road, off_road)
        if what not in numbers:
            number = numbers[what] = len(numbers)
            if number >= layout.WAYS:
                raise InputError(f"the rides have more than {layout.WAYS} ways to move, and {layout.WAYS} fit")
            need = town.needs(plan, *what)
            row["need"][number, :n, :n] = need
            order = np.argsort(need, axis=1, kind="stable")
            row["near"][number, :n, :n] = order
            for steps in range(layout.MOST_STEPS + 1):
                row["near_count"][number, :n, steps] = (need <= steps).sum(axis=1)
        return numbers[what]

    for r, (road, off_road, abilities) in enumerate(rides):
        for flags in range(4):
            both = flags | (abilities & 3)
            number = way(bool(both & Ability.DIAGONAL), bool(both & Ability.CROSS_FENCES), road, off_road)
            row["way"][layout.RIDES if r == len(rides) - 1 else r, flags] = number
    for flags in range(4):
        diagonal, cross = bool(flags & Ability.DIAGONAL), bool(flags & Ability.CROSS_FENCES)
        row["distance"][flags] = FAR
        row["distance"][flags, :n, :n] = town.distances(plan, diagonal, cross or not fences)
        plain = flags in (0, 1) or not settings["ruling.free_move_road_bonus"]
        row["plain_way"][flags] = way(diagonal, cross, 0, 0) if plain else NONE
