"""The theater: rooms, doors and locks are read, checked, and turned into what the record and the drawing need.

``read_theater`` reads one map under a reading of its locks and a number of players (the automaton counts as one) and
refuses in one line what cannot be played. Doors of a room lie clockwise from the top, for a spook goes in that order;
ties lie as in the file. A room's printed doors are all that it has; passable ones lead to rooms that are not locked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any, Literal

from pydantic import Field, model_validator

from simcore.cards import check_fits
from simcore.content import Content, Entry
from simcore.errors import InputError, nearest
from simcore.games.spooktacular import layout

DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")  # clockwise
NO_DOOR = "none"  # in an overlay: takes a door away
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}  # keys of the locks, by number of players
READINGS = ("captions", "nested", "third")
FEWEST = 3  # rooms that are not locked

# --- the sections ----------------------------------------------------------------------------------------------------


class _Part(Entry):
    """Something of which the theater has one."""

    copies: int = Field(1, ge=1, le=1, description="copies")

    @model_validator(mode="after")
    def _is_there(self) -> _Part:
        if self.blank:
            raise ValueError("blank: a part of the theater cannot be blank; remove it, or leave it as it is")
        return self


class Map(_Part):
    """A map, to which rooms belong."""


class Room(_Part):
    """A room, with the rooms behind its doors and where these doors lie."""

    map: str = Field(description="map that it belongs to")
    at: list[int] = Field(description="column and row in the drawing, from the top left")
    doors: dict[str, str] = Field(description="room behind each door, and the direction in which the door lies")

    @model_validator(mode="after")
    def _can_be_drawn(self) -> Room:
        if len(self.at) != 2 or not all(0 <= x <= 99 for x in self.at):
            raise ValueError(f"at: {self.at} is no place in the drawing; write [column, row], as in [2, 0]")
        for room, direction in self.doors.items():
            if direction not in (*DIRECTIONS, NO_DOOR):
                raise ValueError(f"doors: {room} = {direction!r} is no direction{nearest(direction, DIRECTIONS)}")
        return self

    @property
    def ways(self) -> dict[str, str]:
        """The doors that there are."""
        return {room: direction for room, direction in self.doors.items() if direction != NO_DOOR}


class Lock(_Part):
    """Which rooms of a map are locked at each number of players, by one reading of the rulebook (P7)."""

    map: str = Field(description="map that it belongs to")
    reading: Literal["captions", "nested", "third"] = Field(description="reading of the rulebook")
    two: str = Field("", description="rooms locked at 2 players")
    three: str = Field("", description="rooms locked at 3 players")
    four: str = Field("", description="rooms locked at 4 players")
    five: str = Field("", description="rooms locked at 5 players")


SECTIONS: dict[str, type[Entry]] = {"maps": Map, "rooms": Room, "locks": Lock}

# --- a theater -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Theater:
    """One map as it is played; rooms are numbered in the order of the file."""

    slug: str
    rooms: tuple[str, ...]
    doors: tuple[tuple[int, ...], ...]  # rooms behind all printed doors, clockwise from the top
    open: tuple[bool, ...]  # not locked
    absent: bool  # doors to locked rooms count for nothing (ruling locked_doors)

    def passable(self, room: int) -> tuple[int, ...]:
        """Rooms behind the doors that can be passed; of a locked room none."""
        return tuple(other for other in self.doors[room] if self.open[other]) if self.open[room] else ()

    def counted(self, room: int) -> int:
        """Doors that count at set-up and for ties."""
        return len(self.passable(room)) if self.absent else len(self.doors[room])

    def guests(self, room: int, density: float) -> int:
        """Guests at set-up: doors - 1, times the density, half up; none in a locked room."""
        return max(0, floor(density * (self.counted(room) - 1) + 0.5)) if self.open[room] else 0

    @property
    def most_doors(self) -> int:
        """The open room with the most doors; the first in the file of several."""
        return max((r for r in range(len(self.rooms)) if self.open[r]), key=self.counted)


def read_theater(content: Content, slug: str, reading: str, players: int, absent: bool = False) -> Theater:
    """The map `slug` of the content as it lies for so many players. Raises InputError in one line."""
    maps, rooms = content.sections["maps"], content.sections["rooms"]
    if slug not in maps:
        raise InputError(f"map: no map {slug!r}{nearest(slug, maps)}")
    for section in ("rooms", "locks"):
        for name, entry in content.sections[section].items():
            if entry.map not in maps:
                where = content.where(section, name)
                raise InputError(f"{where}: map = {entry.map!r} is no map{nearest(entry.map, maps)}")
    own = {name: room for name, room in rooms.items() if room.map == slug}
    check_fits(f"rooms on the map {slug}", len(own), layout.MAP_ROOMS)
    if len(own) < FEWEST:
        raise InputError(f"rooms.toml: the map {slug} has {len(own)} rooms; it needs {FEWEST} at least")
    names = list(own)
    doors = tuple(_doors(content, slug, own, name) for name in names)
    _refuse_same_place(content, own)
    lost = _cut_off(doors, [True] * len(names))
    if lost is not None:
        raise InputError(f"{content.where('rooms', names[lost])}: no way through doors leads there from {names[0]!r}")
    locked = _locked(content, slug, reading, players, names)
    is_open = [name not in locked for name in names]
    if sum(is_open) < FEWEST:
        raise InputError(
            f"{_lock_where(content, slug, reading)}: with {players} players {sum(is_open)} rooms are left; "
            f"{FEWEST} at least are needed"
        )
    lost = _cut_off(doors, is_open)
    if lost is not None:
        first = names[is_open.index(True)]
        raise InputError(
            f"{_lock_where(content, slug, reading)}: with {players} players the lock on {', '.join(locked)} cuts the "
            f"theater in two: no way leads from {first!r} to {names[lost]!r}"
        )
    return Theater(slug, tuple(names), doors, tuple(is_open), absent)


def _doors(content: Content, slug: str, own: Mapping[str, Any], name: str) -> tuple[int, ...]:
    """Rooms behind the doors of a room, clockwise from the top."""
    where, names = content.where("rooms", name), list(own)
    doors = own[name].ways
    for other in doors:
        if other == name:
            raise InputError(f"{where}: a door leads from {name!r} to itself; name the rooms beside it")
        if other not in own:
            what = "lies on another map, not on" if other in content.sections["rooms"] else "is no room of"
            raise InputError(f"{where}: doors: {other!r} {what} {slug}{nearest(other, names)}")
        if name not in own[other].ways:
            raise InputError(
                f"{where}: a door leads to {other!r}, and none leads back: {content.where('rooms', other)} must name "
                f"{name!r} among its doors too"
            )
    if len(doors) > layout.DOORS:
        raise InputError(f"{where}: {len(doors)} doors, and {layout.DOORS} fit")
    if not doors:
        raise InputError(f"{where}: a room needs a door; name the rooms beside it")
    return tuple(names.index(other) for other in sorted(doors, key=lambda d: DIRECTIONS.index(doors[d])))


def _refuse_same_place(content: Content, own: Mapping[str, Any]) -> None:
    taken: dict[tuple[int, ...], str] = {}
    for name, room in own.items():
        at = tuple(room.at)
        if at in taken:
            raise InputError(f"{content.where('rooms', name)}: at = {room.at} is the place of {taken[at]!r}")
        taken[at] = name


def _cut_off(doors: tuple[tuple[int, ...], ...], is_open: list[bool]) -> int | None:
    """The first open room that cannot be reached from the first open one, if any."""
    reached, waiting = set[int](), [is_open.index(True)]
    while waiting:
        room = waiting.pop()
        if room not in reached:
            reached.add(room)
            waiting += [other for other in doors[room] if is_open[other]]
    return next((r for r in range(len(doors)) if is_open[r] and r not in reached), None)


def _lock(content: Content, slug: str, reading: str) -> str | None:
    """The entry with the locks of a map by one reading; a map without any has no locks."""
    readings: dict[str, str] = {}
    for name, lock in content.sections["locks"].items():
        if lock.map == slug:
            if lock.reading in readings:
                raise InputError(
                    f"{content.where('locks', name)}: {readings[lock.reading]!r} is already the reading "
                    f"{lock.reading!r} of {slug}"
                )
            readings[lock.reading] = name
    if readings and reading not in readings:
        raise InputError(f"locks = {reading}: locks.toml has no such reading of {slug}{nearest(reading, readings)}")
    return readings.get(reading)


def _lock_where(content: Content, slug: str, reading: str) -> str:
    name = _lock(content, slug, reading)
    return "rooms.toml" if name is None else content.where("locks", name)


def _locked(content: Content, slug: str, reading: str, players: int, names: list[str]) -> list[str]:
    """Slugs of the rooms locked with so many players. All numbers of players are checked."""
    name = _lock(content, slug, reading)
    if name is None:
        return []
    lock, found = content.sections["locks"][name], list[str]()
    for number, key in NUMBERS.items():
        rooms = re.findall(r"[^\s,]+", getattr(lock, key))
        for room in rooms:
            if room not in names:
                where = content.where("locks", name)
                raise InputError(f"{where}: {key} = {room!r} is no room of {slug}{nearest(room, names)}")
        if number == players:
            found = list(dict.fromkeys(rooms))
    return found


# --- the record and the drawing --------------------------------------------------------------------------------------


def fill(rules: Any, theater: Theater, density: float) -> None:
    """Write a theater into a rules record."""
    rules["rooms"] = len(theater.rooms)
    rules["door_to"] = layout.NONE
    rules["most_doors"] = theater.most_doors
    for room in range(len(theater.rooms)):
        passable = theater.passable(room)
        rules["open"] |= int(theater.open[room]) << room
        rules["printed_doors"][room] = theater.counted(room)
        rules["doors"][room] = len(passable)
        rules["door_to"][room, : len(passable)] = passable
        rules["map_joins"][room] = sum(1 << other for other in passable)
        rules["setup_guests"][room] = theater.guests(room, density)


def board(theater: Theater, content: Content, density: float) -> dict[str, Any]:
    """The theater as plain values for JSON: what a drawing needs. Doors are pairs of rooms."""
    rooms = content.sections["rooms"]
    return {
        "kind": "rooms",
        "name": content.sections["maps"][theater.slug].name,
        "rooms": [
            {
                "slug": slug,
                "name": rooms[slug].name,
                "at": [*rooms[slug].at],
                "doors": len(theater.doors[r]),
                "guests": theater.guests(r, density),
                "locked": not theater.open[r],
            }
            for r, slug in enumerate(theater.rooms)
        ],
        "doors": [[a, b] for a in range(len(theater.rooms)) for b in sorted(theater.doors[a]) if a < b],
    }
