"""The theater: doors clockwise, guests at set-up, locks by reading and players, and every line of bad input."""

import json
from pathlib import Path

import numpy as np
import pytest

from simcore import content as content_files
from simcore.content import Content
from simcore.errors import InputError
from simcore.games.spooktacular import layout, theater
from simcore.games.spooktacular.theater import READINGS, Theater, read_theater

FOLDER = Path(theater.__file__).parent / "content"
SMALL = Path(__file__).parents[2] / "data" / "theater"  # a - b - c over d - e, see there
ROOMS = ["a", "b", "c", "d", "e"]


def small(folder: Path | None = None, **files: str) -> Content:
    """The small theater, with an overlay of files."""
    for section, text in files.items():
        assert folder is not None
        (folder / f"{section}.toml").write_text(text, encoding="utf-8")
    return content_files.load(SMALL, theater.SECTIONS, [folder] if folder else [])


def plan(content: Content, players: int = 5, reading: str = "captions", absent: bool = False) -> Theater:
    return read_theater(content, "theater-8", reading, players, absent)


def refused(folder: Path, players: int = 5, reading: str = "captions", **files: str) -> str:
    with pytest.raises(InputError) as error:
        plan(small(folder, **files), players, reading)
    assert "\n" not in str(error.value)
    return str(error.value)


def names(found: Theater, rooms: tuple[int, ...]) -> list[str]:
    return [found.rooms[r] for r in rooms]


def room(slug: str, doors: str, extra: str = "", at: str = "[5, 5]") -> str:
    head = f'[{slug}]\nname = "X"\nsource = "estimated"\nmap = "theater-8"\nat = {at}\n'
    return f"{head}doors = {{ {doors} }}\n{extra}"


def test_doors_lie_clockwise_from_the_top() -> None:
    found = plan(small())
    assert list(found.rooms) == ROOMS
    assert names(found, found.doors[1]) == ["c", "e", "d", "a"]  # east, southeast, southwest, west
    assert names(found, found.doors[3]) == ["a", "b"]  # north, northeast


def test_doors_in_the_same_direction_lie_as_in_the_file(tmp_path: Path) -> None:
    same = '[b]\ndoors = { d = "east", e = "east", c = "east", a = "north" }\n'
    found = plan(small(tmp_path, rooms=same))
    assert names(found, found.doors[1]) == ["a", "e", "c", "d"]  # the overlay merges: e, c and d keep their order


def test_locks_by_players_and_reading() -> None:
    content = small()
    locked = {
        (reading, players): [
            r for r, is_open in zip(ROOMS, plan(content, players, reading).open, strict=True) if not is_open
        ]
        for reading in ("captions", "nested")
        for players in (2, 4, 5)
    }
    assert locked["captions", 2] == ["c"] and locked["captions", 4] == ["e"] and locked["captions", 5] == []
    assert locked["nested", 2] == ["c", "e"] and locked["nested", 4] == ["e"]


def test_a_locked_door_counts_as_printed_unless_it_is_absent() -> None:
    """P7: b has four doors, one of them to the locked room c."""
    counted, absent = plan(small(), 2), plan(small(), 2, absent=True)
    assert (counted.counted(1), len(counted.passable(1)), counted.guests(1, 1.0)) == (4, 3, 3)
    assert (absent.counted(1), len(absent.passable(1)), absent.guests(1, 1.0)) == (3, 3, 2)
    assert counted.passable(2) == () and counted.guests(2, 1.0) == 0  # the locked room itself


@pytest.mark.parametrize(
    ("density", "guests"), [(0.0, [0] * 5), (0.5, [1, 2, 1, 1, 1]), (1.0, [1, 3, 1, 1, 1]), (1.5, [2, 5, 2, 2, 2])]
)
def test_guests_at_set_up(density: float, guests: list[int]) -> None:
    """Doors - 1, times the density, half up."""
    found = plan(small())
    assert [found.guests(r, density) for r in range(5)] == guests


def test_the_room_with_the_most_doors_is_open_and_the_first(tmp_path: Path) -> None:
    assert plan(small()).most_doors == 1
    locked = small(tmp_path, locks='[captions]\nfive = "a"\n')
    assert plan(locked).most_doors == 1
    absent = plan(small(tmp_path, locks='[captions]\nfive = "c d"\n'), absent=True)
    assert absent.rooms[absent.most_doors] == "b" and absent.counted(0) == 1


def test_the_record_holds_the_theater() -> None:
    rules = np.zeros(1, layout.RULES)[0]
    theater.fill(rules, plan(small(), 2), 1.0)
    assert (rules["rooms"], rules["open"], rules["most_doors"]) == (5, 0b11011, 1)
    assert rules["printed_doors"][:5].tolist() == [2, 4, 2, 2, 2]
    assert rules["doors"][:5].tolist() == [2, 3, 0, 2, 1]
    assert rules["door_to"][1].tolist() == [4, 3, 0, -1, -1, -1, -1, -1]
    assert rules["map_joins"][:5].tolist() == [0b01010, 0b11001, 0, 0b00011, 0b00010]
    assert rules["setup_guests"][:5].tolist() == [1, 3, 0, 1, 1]


def test_the_drawing_is_plain_data() -> None:
    board = json.loads(json.dumps(theater.board(plan(small(), 2), small(), 1.0)))
    assert (board["kind"], board["name"]) == ("rooms", "Small Theater")
    assert board["doors"] == [[0, 1], [0, 3], [1, 2], [1, 3], [1, 4], [2, 4]]
    assert board["rooms"][2] == {
        "slug": "c",
        "name": "Catwalk",
        "at": [2, 0],
        "doors": 2,
        "guests": 0,
        "locked": True,
    }


def test_a_map_without_locks_is_open(tmp_path: Path) -> None:
    content = small(tmp_path, locks="[captions]\nremove = true\n[nested]\nremove = true\n")
    assert all(plan(content, 2, "third").open)


# --- what ships -------------------------------------------------------------------------------------------------------

SHIPPED = content_files.load(FOLDER, theater.SECTIONS)


@pytest.mark.parametrize("slug", list(SHIPPED.sections["maps"]))
def test_every_map_that_ships_can_be_played(slug: str) -> None:
    """At every number of players, by every reading: its doors, its locks, its guests fit."""
    for players in range(2, 6):
        for reading in READINGS:
            found = read_theater(SHIPPED, slug, reading, players)
            guests = sum(found.guests(r, 1.0) for r in range(len(found.rooms)))
            assert 10 <= guests <= 30
            assert (sum(not o for o in found.open) == 0) == (players == 5)


def test_the_theater_of_eight_is_the_one_of_the_facts() -> None:
    """Facts 3.1: 8 rooms, 13 connections, 18 guests with nothing locked, 17, 16 and 15 with the locks."""
    found = read_theater(SHIPPED, "theater-8", "captions", 5)
    assert sorted(len(d) for d in found.doors) == [2, 2, 3, 3, 3, 4, 4, 5]
    guests = {
        (reading, players): sum(read_theater(SHIPPED, "theater-8", reading, players).guests(r, 1.0) for r in range(8))
        for reading, players in (("captions", 5), ("captions", 4), ("captions", 3), ("nested", 2))
    }
    assert list(guests.values()) == [18, 17, 16, 15]


def test_opposite_doors_lie_opposite() -> None:
    """Nothing demands it, but a map that can be drawn has it."""
    for slug, entry in SHIPPED.sections["rooms"].items():
        for other, direction in entry.doors.items():
            back = SHIPPED.sections["rooms"][other].doors[slug]
            turn = theater.DIRECTIONS.index(direction) - theater.DIRECTIONS.index(back)
            assert turn % 8 == 4, (slug, other)


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"rooms": '[b]\ndoors = { atic = "north" }\n'}, "rooms.toml, [b]: doors: 'atic' is no room of theater-8"),
        ({"rooms": '[b]\ndoors = { b = "north" }\n'}, "from 'b' to itself"),
        ({"rooms": '[a]\ndoors = { c = "east" }\n'}, "none leads back"),
        ({"rooms": '[a]\ndoors = { b = "easd" }\n'}, "b = 'easd' is no direction; did you mean 'east'"),
        ({"rooms": "[a]\nat = [1]\n"}, "at: [1] is no place in the drawing"),
        ({"rooms": "[a]\nat = [1, 0]\n"}, "is the place of 'a'"),
        ({"rooms": '[a]\nmap = "theatre-8"\n'}, "map = 'theatre-8' is no map; did you mean 'theater-8'"),
        ({"rooms": "[a]\nblank = true\n"}, "cannot be blank"),
        ({"rooms": room("f", "")}, "a room needs a door"),
        ({"rooms": room("f", 'g = "north"') + room("g", 'f = "south"', at="[5, 4]")}, "no way through doors"),
        ({"locks": '[captions]\nfive = "f"\n'}, "locks.toml, [captions]: five = 'f' is no room of theater-8"),
        ({"locks": '[captions]\ntwo = "f"\n'}, "two = 'f' is no room"),  # also where others play
        ({"locks": '[captions]\nmap = "theatre"\n'}, "map = 'theatre' is no map"),
        ({"locks": '[nested]\nreading = "captions"\n'}, "'captions' is already the reading 'captions'"),
        ({"locks": '[captions]\nreading = "caption"\n'}, "did you mean 'captions'"),
        ({"locks": '[captions]\nfive = "a c d"\n'}, "with 5 players 2 rooms are left; 3 at least"),
        ({"locks": '[captions]\nfive = "b"\n'}, "the lock on b cuts the theater in two: no way leads from 'a' to 'c'"),
    ],
)
def test_bad_theaters_are_refused(files: dict[str, str], said: str, tmp_path: Path) -> None:
    assert said in refused(tmp_path, **files)


def test_a_room_of_another_map_is_no_neighbour(tmp_path: Path) -> None:
    maps = '[other]\nname = "Other"\nsource = "estimated"\n'
    rooms = room("f", 'a = "north"').replace("theater-8", "other") + '[a]\ndoors = { f = "south" }\n'
    assert "'f' lies on another map, not on theater-8" in refused(tmp_path, maps=maps, rooms=rooms)


def test_a_reading_that_a_map_lacks_is_refused() -> None:
    with pytest.raises(InputError, match="locks = third: locks.toml has no such reading of theater-8"):
        plan(small(), 5, "third")
    with pytest.raises(InputError, match="map: no map 'theater-9'; did you mean 'theater-8'"):
        read_theater(small(), "theater-9", "captions", 5)


def test_an_overlay_takes_a_door_away_on_both_sides(tmp_path: Path) -> None:
    one = '[a]\ndoors = { b = "none" }\n'
    assert "none leads back" in refused(tmp_path, rooms=one)
    found = plan(small(tmp_path, rooms=one + '[b]\ndoors = { a = "none" }\n'))
    assert names(found, found.doors[0]) == ["d"] and found.guests(0, 1.0) == 0


@pytest.mark.parametrize(
    ("count", "said"), [(7, "12 rooms on the map theater-8, and 11 fit"), (6, "rooms.toml, [b]: 10 doors, and 8 fit")]
)
def test_what_does_not_fit_is_refused(count: int, said: str, tmp_path: Path) -> None:
    extra = [f"f{i}" for i in range(count)]
    rooms = "".join(room(f, 'b = "north"', at=f"[{i}, 9]") for i, f in enumerate(extra))
    hub = "[b]\ndoors = { " + ", ".join(f'{f} = "south"' for f in extra) + " }\n"
    assert said in refused(tmp_path, rooms=rooms + hub)
