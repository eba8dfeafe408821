"""The town as arrays: map, buildings, districts, landmarks and patrols are read, checked, and turned into distances.

``read_town`` refuses a map that cannot be played in one line that names the file, the entry and the place. Places are
written as on a chess board, but from the top left: ``e5`` is the fifth space of the fifth row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters, ascii_lowercase
from typing import Any, Literal, NoReturn

import numpy as np
from pydantic import Field, model_validator

from simcore.content import Content, Entry
from simcore.errors import InputError, nearest
from simcore.games.snallygaster import layout
from simcore.games.snallygaster.steps import (
    GROUND,
    JUNCTION,
    NEVER,
    ROADS,
    STEPS,
    VOID,
    drives,
    neighbours,
    shifted,
    spread,
    touching,
)
from simcore.games.snallygaster.words import COLOURS

SIDES = ("north", "east", "south", "west")  # in the order of layout.Direction
ROUTES = ("red", "blue")
TREEHOUSES = "".join(str(i + 1) for i in range(layout.TREEHOUSES))
SPACE_MARKS = GROUND + ROADS + VOID + TREEHOUSES
BESIDE, BELOW = "!", "="  # fences: between left and right, between upper and lower

# --- the sections ----------------------------------------------------------------------------------------------------


class _Place(Entry):
    """Something of which the town has one."""

    copies: int = Field(1, ge=1, le=1, description="copies")

    @model_validator(mode="after")
    def _is_there(self) -> _Place:
        if self.blank:
            raise ValueError("blank: a part of the town cannot be blank; remove it, or leave it as it is")
        return self


class Town(_Place):
    """The map."""

    spaces: str = Field(description="spaces, and the fences between them")
    districts: str = Field(description="district of every space")


class Building(_Place):
    """A building of two spaces."""

    letter: str = Field(description="letter on the map")
    number: int = Field(ge=1, description="number")
    colour: Literal["red", "blue", "green", "yellow"] = Field(description="colour")


class District(_Place):
    """A district, with the districts to which the monster can go from there."""

    letter: str = Field(description="letter on the map")
    north: list[str] = []
    east: list[str] = []
    south: list[str] = []
    west: list[str] = []

    @model_validator(mode="after")
    def _two_at_most(self) -> District:
        for side in SIDES:
            found = getattr(self, side)
            if len(found) > 2:
                raise ValueError(f"{side}: {len(found)} districts; a move has 2 possible ones at most")
            if len(set(found)) < len(found):
                raise ValueError(f"{side}: {found[0]!r} stands there twice; once is enough")
        return self


class Landmark(_Place):
    """What a Lost Kid card can hint at."""

    at: list[str] = Field(description="spaces that show it")
    kind: Literal["landmark", "street", "building"] = Field(description="kind")

    @model_validator(mode="after")
    def _once(self) -> Landmark:
        for at in self.at:
            if self.at.count(at) > 1:
                raise ValueError(f"at: {at!r} stands there twice; once is enough")
        return self


class Route(_Place):
    """The patrol of a Fed: intersections in driving order."""

    stops: list[str] = Field(description="intersections, the first is the start")


SECTIONS: dict[str, type[Entry]] = {
    "town": Town,
    "buildings": Building,
    "districts": District,
    "landmarks": Landmark,
    "feds": Route,
}

# --- the plan --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Plan:
    """The town in numbers: n spaces row by row; B buildings, D districts, L landmarks in their files' order."""

    height: int
    width: int
    cells: np.ndarray  # (n, 2) row and column of each space
    space_at: Mapping[tuple[int, int], int]
    kind: str  # the map's character of each space
    is_road: np.ndarray  # (n,) bool
    is_junction: np.ndarray  # (n,) bool
    building_of: np.ndarray  # (n,) or -1
    building_spaces: np.ndarray  # (B, 2)
    building_colour: np.ndarray  # (B,) index in COLOURS
    treehouse_of: np.ndarray  # (n,) or -1
    treehouse_space: np.ndarray  # (T,) in the order of their digits
    district_bits: np.ndarray  # (n,) several bits on roads
    building_district_bits: np.ndarray  # (B,)
    neighbours: np.ndarray  # (D, 4) bits of districts, by direction
    hops: np.ndarray  # (D, D)
    landmark_spaces: list[np.ndarray]
    landmark_distance: np.ndarray  # (L, B) walking, between their nearest spaces
    stops: list[np.ndarray]  # spaces, red and blue
    stop_district_bits: list[np.ndarray]
    legs: list[list[np.ndarray]]  # for each stop: the road spaces from there to the next one, which is the last of them
    fence_beside: np.ndarray  # (height, width) bool: a fence between this cell and the one to its right
    fence_below: np.ndarray  # (height, width) bool
    building_slugs: tuple[str, ...]
    district_slugs: tuple[str, ...]
    landmark_slugs: tuple[str, ...]


def place(row: int, column: int) -> str:
    """How messages and files name a cell."""
    return f"{ascii_lowercase[column]}{row + 1}"


def read_town(content: Content) -> Plan:
    """The town of the content. Raises InputError in one line."""
    sections = content.sections
    if len(sections["town"]) != 1:
        raise InputError(f"town.toml has {len(sections['town'])} towns; a game is played in 1: remove the others")
    for section, most in _MOST.items():
        if not 1 <= len(sections[section]) <= most:
            raise InputError(f"{section}.toml has {len(sections[section])} entries; from 1 to {most} fit")
    slug, town = next(iter(sections["town"].items()))
    where = content.where("town", slug)
    marks, beside, below = _read_spaces(town.spaces, where)
    cells = np.argwhere(marks != VOID)
    space_at = {(int(r), int(c)): i for i, (r, c) in enumerate(cells)}
    kind = "".join(marks[r, c] for r, c in cells)
    is_road = np.array([mark in ROADS for mark in kind])
    building_of, building_spaces = _read_buildings(content, kind, cells, where)
    treehouse_of, treehouse_space = _read_treehouses(kind, cells, where)
    bits = _read_districts(content, town.districts, marks, cells, where)
    steps = neighbours(marks != VOID, beside, below)
    walk = spread(steps, np.eye(len(cells), dtype=bool))
    _check_reachable(walk, building_of, cells, content, where)
    sides, hops = _read_sides(content, kind, bits, cells, space_at)
    at = [_spaces(entry.at, space_at, content.where("landmarks", s)) for s, entry in sections["landmarks"].items()]
    stops, legs = _read_routes(content, kind, cells, space_at)
    near = [[walk[np.ix_(a, b)].min() for b in building_spaces] for a in at]
    return Plan(
        height=marks.shape[0],
        width=marks.shape[1],
        cells=cells,
        space_at=space_at,
        kind=kind,
        is_road=is_road,
        is_junction=np.array([mark == JUNCTION for mark in kind]),
        building_of=building_of,
        building_spaces=building_spaces,
        building_colour=np.array([COLOURS.index(b.colour) for b in sections["buildings"].values()]),
        treehouse_of=treehouse_of,
        treehouse_space=treehouse_space,
        district_bits=bits,
        building_district_bits=np.bitwise_or.reduce(bits[building_spaces], axis=1),
        neighbours=sides,
        hops=hops,
        landmark_spaces=at,
        landmark_distance=np.array(near, np.uint8),
        stops=stops,
        stop_district_bits=[bits[s] for s in stops],
        legs=legs,
        fence_beside=beside,
        fence_below=below,
        building_slugs=tuple(sections["buildings"]),
        district_slugs=tuple(sections["districts"]),
        landmark_slugs=tuple(sections["landmarks"]),
    )


_MOST = {"buildings": layout.BUILDINGS, "districts": layout.DISTRICTS, "landmarks": layout.LANDMARKS}

# --- reading and checking --------------------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def _read_spaces(text: str, where: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Marks of all cells (height, width), fences beside and below them."""
    where = f"{where}, spaces"
    lines = _lines(text)
    if not any(lines):
        raise InputError(f"{where}: the map is empty; it needs rows of spaces")
    if len(lines) % 2 == 0:
        raise InputError(
            f"{where}: {len(lines)} lines; rows of spaces with one line between each two make an odd number"
        )
    height, width = (len(lines) + 1) // 2, (max(map(len, lines)) + 1) // 2
    if width > len(ascii_lowercase):
        raise InputError(f"{where}: {width} spaces in a row; at most {len(ascii_lowercase)} have a letter")
    marks = np.full((height, width), VOID)
    fences = {BESIDE: np.zeros((height, width), bool), BELOW: np.zeros((height, width), bool)}
    for i, line in enumerate(lines):
        row = i // 2
        for j, mark in enumerate(line.ljust(2 * width - 1)):
            column = j // 2
            if i % 2 == 0 and j % 2 == 0:
                if mark not in SPACE_MARKS + ascii_letters:
                    _no_space(where, mark, place(row, column), short=j >= len(line))
                marks[row, column] = mark
                continue
            here = BESIDE if i % 2 == 0 else BELOW if j % 2 == 0 else ""
            if mark == " ":
                continue
            if mark != here or column + (here == BESIDE) >= width:
                fence = f"; a fence there is {here!r}" if here and mark != here else ""
                side = "to the right of" if i % 2 == 0 else "below" if here else "diagonally below"
                raise InputError(f"{where}: {mark!r} {side} {place(row, column)} is no fence between two spaces{fence}")
            fences[here][row, column] = True
    count = int((marks != VOID).sum())
    if not 1 <= count <= layout.SPACES:
        raise InputError(f"{where}: the town has {count} spaces; from 1 to {layout.SPACES} fit")
    return marks, fences[BESIDE], fences[BELOW]


def _no_space(where: str, mark: str, at: str, short: bool) -> NoReturn:
    if short:
        raise InputError(f"{where}: {at} is missing, the line is too short; write {VOID} where there is no space")
    if mark.isdigit():
        raise InputError(f"{where}: {at}: {mark!r} is no treehouse; they are 1 to {layout.TREEHOUSES}")
    known = " ".join(GROUND + ROADS + VOID)
    raise InputError(f"{where}: {at}: {mark!r} is no space; known: {known}, a letter (building), a digit (treehouse)")


def _letters(content: Content, section: str) -> dict[str, str]:
    """Letter -> slug of a section whose entries stand on a map by letter."""
    found: dict[str, str] = {}
    for slug, entry in content.sections[section].items():
        where = content.where(section, slug)
        if len(entry.letter) != 1 or entry.letter not in ascii_letters:
            raise InputError(f"{where}: letter = {entry.letter!r} is not valid; it must be one letter, a-z or A-Z")
        if entry.letter in found:
            free = next(c for c in ascii_letters if c not in {e.letter for e in content.sections[section].values()})
            raise InputError(f"{where}: letter {entry.letter!r} is that of {found[entry.letter]!r}; {free!r} is free")
        found[entry.letter] = slug
    return found


def _read_buildings(content: Content, kind: str, cells: np.ndarray, where: str) -> tuple[np.ndarray, np.ndarray]:
    letters = _letters(content, "buildings")
    for i, mark in enumerate(kind):
        if mark in ascii_letters and mark not in letters:
            unused = [letter for letter in letters if letter not in kind]
            raise InputError(
                f"{where}, spaces: {place(*cells[i])}: no building in buildings.toml has the letter {mark!r}; "
                + (f"{', '.join(unused)} not yet on the map" if unused else "give it an entry, or write another mark")
            )
    building_of = np.full(len(kind), -1)
    spaces, numbers = [], dict[int, str]()
    for b, (letter, slug) in enumerate(letters.items()):
        at = np.array([i for i, mark in enumerate(kind) if mark == letter], int)
        shown = ", ".join(place(*cells[i]) for i in at) or "nowhere"
        if len(at) != 2 or abs(cells[at[0]] - cells[at[1]]).sum() != 1:
            raise InputError(
                f"{content.where('buildings', slug)}: {letter!r} stands at {shown} on the map of {where}; a building "
                "stands on exactly 2 spaces that lie beside or below each other"
            )
        number = content.sections["buildings"][slug].number
        if number in numbers:
            free = next(n for n in range(1, len(letters) + 2) if n not in _numbers(content))
            raise InputError(
                f"{content.where('buildings', slug)}: number {number} is that of {numbers[number]!r}; {free} is free"
            )
        numbers[number] = slug
        building_of[at] = b
        spaces.append(at)
    return building_of, np.array(spaces)


def _numbers(content: Content) -> set[int]:
    return {b.number for b in content.sections["buildings"].values()}


def _read_treehouses(kind: str, cells: np.ndarray, where: str) -> tuple[np.ndarray, np.ndarray]:
    found = sorted((mark, i) for i, mark in enumerate(kind) if mark in TREEHOUSES)
    if not found:
        raise InputError(f"{where}, spaces: the town has no treehouse; write 1 to {layout.TREEHOUSES} on spaces")
    for (mark, a), (other, b) in zip(found, found[1:], strict=False):
        if mark == other:
            free = next((t for t in TREEHOUSES if t not in kind), "")
            right = f"; {free} is free" if free else f"; at most {layout.TREEHOUSES} fit"
            raise InputError(
                f"{where}, spaces: treehouse {mark} stands at {place(*cells[a])} and {place(*cells[b])}{right}"
            )
    spaces = np.array([i for _, i in found])
    treehouse_of = np.full(len(kind), -1)
    treehouse_of[spaces] = np.arange(len(spaces))
    return treehouse_of, spaces


def _read_districts(content: Content, text: str, marks: np.ndarray, cells: np.ndarray, where: str) -> np.ndarray:
    """The bits of the districts of every space."""
    where = f"{where}, districts"
    letters, lines = _letters(content, "districts"), _lines(text)
    height, width = marks.shape
    if len(lines) != height:
        raise InputError(f"{where}: {len(lines)} lines; the map of the spaces has {height} rows")
    index = {letter: 1 << i for i, letter in enumerate(letters)}
    bits = np.zeros((height, width), np.int64)
    for row, line in enumerate(lines):
        if len(line) != width:
            raise InputError(
                f"{where}: row {row + 1} has {len(line)} characters; the map of the spaces has {width} in a row"
            )
        for column, letter in enumerate(line):
            at, mark = place(row, column), str(marks[row, column])
            if mark == VOID or mark in ROADS:
                right, what = (VOID, "no space") if mark == VOID else (JUNCTION, "a road")
                if letter != right:
                    raise InputError(f"{where}: {at} is {letter!r}, but {what} ({mark!r}) on the map; write {right!r}")
            elif letter in index:
                bits[row, column] = index[letter]
            else:
                what = "a building" if mark in ascii_letters else "a treehouse" if mark in TREEHOUSES else "a space"
                known = nearest(letter, sorted(letters)) or f"; known: {', '.join(sorted(letters))}"
                raise InputError(f"{where}: {at} ({what}, {mark!r}) is in no district: {letter!r}{known}")
    for letter, slug in letters.items():
        if letter not in text:
            raise InputError(f"{content.where('districts', slug)}: {letter!r} has no space on the map of {where}")
    around = bits.copy()
    for step in STEPS:
        around |= shifted(bits, *step, 0)
    for r, c in cells:
        if not around[r, c]:
            raise InputError(f"{where}: the road at {place(r, c)} touches no district; one of its 8 sides must")
    bits[np.isin(marks, list(ROADS))] = around[np.isin(marks, list(ROADS))]
    found: np.ndarray = bits[cells[:, 0], cells[:, 1]]
    return found


def _check_reachable(
    walk: np.ndarray, building_of: np.ndarray, cells: np.ndarray, content: Content, where: str
) -> None:
    """Refuse what cannot be reached on foot from where most spaces can be reached."""
    start = int((walk < NEVER).sum(1).argmax())
    for i in np.flatnonzero(walk[start] == NEVER):
        slugs = list(content.sections["buildings"])
        what = f" (a space of {slugs[building_of[i]]!r})" if building_of[i] >= 0 else ""
        raise InputError(
            f"{where}, spaces: {place(*cells[i])}{what} cannot be reached on foot from {place(*cells[start])}; "
            "take away a fence, or join it to the other spaces"
        )


def _read_sides(
    content: Content, kind: str, bits: np.ndarray, cells: np.ndarray, space_at: Mapping[tuple[int, int], int]
) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours of the districts by direction (bits), and how many moves lie between any two."""
    districts = content.sections["districts"]
    slugs = list(districts)
    beside_each_other = touching(len(slugs), kind, bits, cells, space_at)
    sides = np.zeros((len(slugs), len(SIDES)), np.int64)
    for d, (slug, district) in enumerate(districts.items()):
        where = content.where("districts", slug)
        if len(slugs) > 1 and not any(getattr(district, side) for side in SIDES):
            beside = [slugs[i] for i in np.flatnonzero(beside_each_other[d])]
            raise InputError(f"{where}: no neighbour on any side; on the map it touches {', '.join(beside) or 'none'}")
        for s, side in enumerate(SIDES):
            for other in getattr(district, side):
                if other not in districts:
                    raise InputError(f"{where}: {side} = {other!r} is no district{nearest(other, slugs)}")
                if other == slug:
                    raise InputError(f"{where}: {side} = {other!r} is the district itself; name those beside it")
                back = SIDES[(s + 2) % 4]
                if slug not in getattr(districts[other], back):
                    raise InputError(
                        f"{where}: {other!r} lies {side}, so {slug!r} must be in {back} of "
                        f"{content.where('districts', other)}, which has {getattr(districts[other], back)}"
                    )
                if not beside_each_other[d, slugs.index(other)]:
                    beside = [slugs[i] for i in np.flatnonzero(beside_each_other[d])]
                    raise InputError(
                        f"{where}: {side} = {other!r} does not touch it, not even across a road; on the map it touches "
                        f"{', '.join(beside) or 'none'}"
                    )
                sides[d, s] |= 1 << slugs.index(other)
    joined = (np.bitwise_or.reduce(sides, axis=1)[:, None] >> np.arange(len(slugs))) & 1
    own = np.arange(len(slugs))
    hops = spread(np.where(joined, own, own[:, None]), np.eye(len(slugs), dtype=bool))
    for lost in np.flatnonzero(hops[0] == NEVER):
        raise InputError(
            f"{content.where('districts', slugs[lost])}: no way of the monster leads there from {slugs[0]!r}; name "
            "neighbours that join all districts"
        )
    return sides, hops.astype(np.int64)


def _spaces(at: Sequence[str], space_at: Mapping[tuple[int, int], int], where: str) -> np.ndarray:
    """The spaces of a list of coordinates."""
    if not at:
        raise InputError(f'{where}: the list of spaces is empty; name one at least, as in ["e5"]')
    found = []
    for text in at:
        parts = re.fullmatch(r"([a-z])([1-9][0-9]?)", text)
        if not parts:
            raise InputError(f"{where}: {text!r} is no space; write its column and its row, as in 'e5'")
        cell = int(parts[2]) - 1, ascii_lowercase.index(parts[1])
        if cell not in space_at:
            rows, columns = (max(c[i] for c in space_at) for i in (0, 1))
            raise InputError(
                f"{where}: {text!r} is no space of the map, which reaches from a1 to {place(rows, columns)}"
            )
        found.append(space_at[cell])
    return np.array(found)


def _read_routes(
    content: Content, kind: str, cells: np.ndarray, space_at: Mapping[tuple[int, int], int]
) -> tuple[list[np.ndarray], list[list[np.ndarray]]]:
    """Stops of both Feds, and the road spaces from each stop to the next one."""
    feds = content.sections["feds"]
    for slug in feds:
        if slug not in ROUTES:
            raise InputError(f"{content.where('feds', slug)}: no such Fed{nearest(slug, ROUTES)}")
    all_stops, all_legs = [], []
    for slug in ROUTES:
        if slug not in feds:
            raise InputError(f"feds.toml: [{slug}] is missing; both {' and '.join(ROUTES)} are needed")
        names, where = feds[slug].stops, content.where("feds", slug)
        if not 2 <= len(names) <= layout.STOPS:
            raise InputError(f"{where}: {len(names)} stops; from 2 to {layout.STOPS} fit")
        stops = _spaces(names, space_at, where)
        for name, stop in zip(names, stops, strict=True):
            if kind[stop] != JUNCTION:
                raise InputError(f"{where}: {name} is no intersection ({kind[stop]!r}); stops stand on {JUNCTION!r}")
        legs = []
        for i, stop in enumerate(stops):
            j = (i + 1) % len(stops)
            ways = drives(int(stop), kind, cells, space_at)
            if int(stops[j]) not in ways:
                known = ", ".join(place(*cells[end]) for end in sorted(ways)) or "nowhere"
                last = " (the last stop joins the first)" if j == 0 else ""
                raise InputError(
                    f"{where}: no road without an intersection between leads from {names[i]} to {names[j]}{last}; "
                    f"from {names[i]} roads lead to {known}"
                )
            legs.append(np.array(ways[int(stops[j])]))
        all_stops.append(stops)
        all_legs.append(legs)
    return all_stops, all_legs


# --- steps -----------------------------------------------------------------------------------------------------------


def distances(plan: Plan, diagonal: bool, cross_fences: bool) -> np.ndarray:
    """(n, n) uint8: steps from each space to each other one.

    A diagonal step needs one way round the corner: over a space, with no fence on its two edges.
    """
    steps = neighbours(_inside(plan), plan.fence_beside, plan.fence_below, diagonal, cross_fences)
    return spread(steps, np.eye(len(plan.cells), dtype=bool))


def needs(plan: Plan, diagonal: bool, cross_fences: bool, road: int, off_road: int) -> np.ndarray:
    """(n, n) uint8: the smallest wheel value with which a Kid at a can end on b.

    Whoever has ended a movement on a road moves up to `road` spaces more, elsewhere up to `off_road`, once.
    """
    steps = neighbours(_inside(plan), plan.fence_beside, plan.fence_below, diagonal, cross_fences)
    plain = spread(steps, np.eye(len(plan.cells), dtype=bool))
    further = np.where(plan.is_road, road, off_road)
    return spread(steps, plain <= further[:, None])


def _inside(plan: Plan) -> np.ndarray:
    inside = np.zeros((plan.height, plan.width), bool)
    inside[plan.cells[:, 0], plan.cells[:, 1]] = True
    return inside


def nearest_treehouses(plan: Plan, straight: bool) -> np.ndarray:
    """(n,) bits of the nearest treehouses, several if tied: by walking distance, or in a straight line."""
    if straight:
        apart = plan.cells[:, None] - plan.cells[plan.treehouse_space]
        far = (apart**2).sum(2)
    else:
        far = distances(plan, False, False)[:, plan.treehouse_space].astype(np.int64)
    tied = far == far.min(1, keepdims=True)
    bits: np.ndarray = (tied << np.arange(len(plan.treehouse_space))).sum(1)
    return bits


def touched(plan: Plan, route: int, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """(k, n) bool each: spaces that a Fed touches at stop i, and while it drives from there to the next stop.

    A Fed touches the road spaces that it passes (not the one that it leaves) and all within `reach`, counted in
    straight steps whatever stands between.
    """
    apart = np.abs(plan.cells[:, None] - plan.cells).sum(2) <= reach
    return apart[plan.stops[route]], np.stack([apart[leg].any(0) for leg in plan.legs[route]])


# --- for drawing -----------------------------------------------------------------------------------------------------


def board(plan: Plan, content: Content) -> dict[str, Any]:
    """The town as plain values for JSON: what a drawing needs. Spaces are numbers, cells are [row, column] from 0."""
    section = content.sections
    (town,) = section["town"].values()
    fences = [[int(r), int(c), "beside"] for r, c in np.argwhere(plan.fence_beside)]
    fences += [[int(r), int(c), "below"] for r, c in np.argwhere(plan.fence_below)]
    return {
        "name": town.name,
        "height": plan.height,
        "width": plan.width,
        "cells": plan.cells.tolist(),
        "marks": plan.kind,
        "places": [place(*cell) for cell in plan.cells],
        "kinds": [_kind(mark) for mark in plan.kind],
        "space_districts": [_members(bits, len(plan.district_slugs)) for bits in plan.district_bits],
        "fences": fences,
        "buildings": [
            {"slug": slug, "name": b.name, "number": b.number, "colour": b.colour, "spaces": spaces}
            for (slug, b), spaces in zip(section["buildings"].items(), plan.building_spaces.tolist(), strict=True)
        ],
        "districts": [
            {"slug": slug, "name": d.name} | {side: [*getattr(d, side)] for side in SIDES}
            for slug, d in section["districts"].items()
        ],
        "landmarks": [
            {"slug": slug, "name": m.name, "kind": m.kind, "spaces": at.tolist()}
            for (slug, m), at in zip(section["landmarks"].items(), plan.landmark_spaces, strict=True)
        ],
        "treehouses": plan.treehouse_space.tolist(),
        "feds": [
            {
                "slug": slug,
                "name": section["feds"][slug].name,
                "stops": plan.stops[i].tolist(),
                "legs": [leg.tolist() for leg in plan.legs[i]],
            }
            for i, slug in enumerate(ROUTES)
        ],
    }


def _kind(mark: str) -> str:
    if mark in ROADS:
        return "intersection" if mark == JUNCTION else "road"
    return "building" if mark in ascii_letters else "treehouse" if mark in TREEHOUSES else "ground"


def _members(bits: int, count: int) -> list[int]:
    return [i for i in range(count) if bits >> i & 1]
