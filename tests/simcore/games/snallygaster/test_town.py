"""The town: steps against searches written here, every line of bad input, and what Lakeview must have."""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from simcore import content as content_files
from simcore.content import Content
from simcore.errors import InputError
from simcore.games.snallygaster import town
from simcore.games.snallygaster.town import Plan

FOLDER = Path(town.__file__).parent / "content"
CONTENT = content_files.load(FOLDER, town.SECTIONS)
LAKEVIEW = town.read_town(CONTENT)
WALK = town.distances(LAKEVIEW, False, False)

# --- a small town for what can be wrong ------------------------------------------------------------------------------

ABOUT = 'source = "estimated"\n'
SMALL = {
    "town": f"""[small]
name = "Small"
{ABOUT}spaces = '''
A A + B B

. . | . .

1 . + . 2
'''
districts = '''
aa+bb
aa+bb
aa+bb
'''
""",
    "buildings": f"""[inn]
name = "Inn"
letter = "A"
number = 1
colour = "red"
{ABOUT}
[barn]
name = "Barn"
letter = "B"
number = 2
colour = "blue"
{ABOUT}""",
    "districts": f"""[left-side]
name = "Left Side"
letter = "a"
east = ["right-side"]
{ABOUT}
[right-side]
name = "Right Side"
letter = "b"
west = ["left-side"]
{ABOUT}""",
    "landmarks": f"""[well]
name = "Well"
at = ["b2"]
kind = "landmark"
{ABOUT}""",
    "feds": f"""[red]
name = "Red"
stops = ["c1", "c3"]
{ABOUT}
[blue]
name = "Blue"
stops = ["c3", "c1"]
{ABOUT}""",
}


def small(folder: Path, *changes: tuple[str, str, str]) -> Content:
    """The small town with (section, old text, new text) exchanged."""
    texts = dict(SMALL)
    for section, old, new in changes:
        assert old in texts[section]
        texts[section] = texts[section].replace(old, new, 1)
    for section, text in texts.items():
        (folder / f"{section}.toml").write_text(text, encoding="utf-8")
    return content_files.load(folder, town.SECTIONS)


def spaces(plan: Plan, *names: str) -> list[int]:
    return [plan.space_at[int(name[1:]) - 1, "abcdefghijklmnopqrstuvwxyz".index(name[0])] for name in names]


def test_a_small_town(tmp_path: Path) -> None:
    plan = town.read_town(small(tmp_path))
    assert (plan.height, plan.width, len(plan.cells)) == (3, 5, 15)
    assert plan.building_spaces.tolist() == [spaces(plan, "a1", "b1"), spaces(plan, "d1", "e1")]
    assert plan.building_of.tolist() == [0, 0, -1, 1, 1] + [-1] * 10
    assert plan.building_colour.tolist() == [0, 1]
    assert plan.treehouse_space.tolist() == spaces(plan, "a3", "e3")
    assert plan.district_bits.tolist() == [1, 1, 3, 2, 2] * 3
    assert plan.building_district_bits.tolist() == [1, 2]
    assert plan.neighbours.tolist() == [[0, 2, 0, 0], [0, 0, 0, 1]]
    assert plan.hops.tolist() == [[0, 1], [1, 0]]
    assert plan.landmark_distance.tolist() == [[1, 3]]
    assert [s.tolist() for s in plan.stops] == [spaces(plan, "c1", "c3"), spaces(plan, "c3", "c1")]
    assert [leg.tolist() for leg in plan.legs[0]] == [spaces(plan, "c2", "c3"), spaces(plan, "c2", "c1")]
    assert [bits.tolist() for bits in plan.stop_district_bits] == [[3, 3], [3, 3]]
    assert town.nearest_treehouses(plan, False).tolist() == [1, 1, 3, 2, 2] * 3
    stop, leg = town.touched(plan, 0, 0)
    assert [np.flatnonzero(row).tolist() for row in stop] == [spaces(plan, "c1"), spaces(plan, "c3")]
    assert [np.flatnonzero(row).tolist() for row in leg] == [spaces(plan, "c2", "c3"), spaces(plan, "c1", "c2")]
    stop, leg = town.touched(plan, 0, 1)
    assert set(np.flatnonzero(stop[0])) == set(spaces(plan, "b1", "c1", "d1", "c2"))
    assert set(np.flatnonzero(leg[0])) == set(spaces(plan, "c1", "b2", "c2", "d2", "b3", "c3", "d3"))


def test_a_road_turns_at_a_corner_and_does_not_cut_it(tmp_path: Path) -> None:
    """Down from c1 the road meets the intersection at c2: no way leads past it over its corner."""
    changed = [
        ("town", "A A + B B\n\n. . | . .\n\n1 . + . 2", "A A | B B\n\n. - + + .\n\n1 . | . 2"),
        ("town", "aa+bb\naa+bb", "aa+bb\na+++b"),
        ("feds", '"c1", "c3"', '"c2", "d2"'),
        ("feds", '"c3", "c1"', '"d2", "c2"'),
    ]
    plan = town.read_town(small(tmp_path, *changed))
    assert [leg.tolist() for leg in plan.legs[0]] == [spaces(plan, "d2"), spaces(plan, "c2")]


SPACES, DISTRICTS, BARN = "town.toml, [small], spaces", "town.toml, [small], districts", "buildings.toml, [barn]"
LEFT, RIGHT = "districts.toml, [left-side]", "districts.toml, [right-side]"
BAD: list[tuple[tuple[str, str, str], str]] = [
    # the map
    (("town", "A A + B B", "A A + B ?"), f"{SPACES}: e1: '?' is no space; known: . + - | / \\ #"),
    (("town", "A A + B B", "A A + B"), f"{SPACES}: e1 is missing, the line is too short"),
    (("town", "1 . + . 2", "1 . + . 9"), f"{SPACES}: e3: '9' is no treehouse; they are 1 to 8"),
    (("town", ". . | . .\n\n", ". . | . .\n=   x\n"), f"{SPACES}: 'x' below c2 is no fence between two spaces"),
    (("town", ". . | . .\n\n", ". . | . .\n!\n"), f"{SPACES}: '!' below a2 is no fence between two spaces; a fence"),
    (("town", ". . | . .\n\n", ". . | . .\n =\n"), f"{SPACES}: '=' diagonally below a2 is no fence"),
    (("town", ". . | . .\n\n", ".=. | . .\n\n"), f"{SPACES}: '=' to the right of a2 is no fence between two spaces; a"),
    (("town", ". . | . .\n\n", ". . | . .!\n\n"), f"{SPACES}: '!' to the right of e2 is no fence between two spaces"),
    (("town", ". . | . .\n\n", ". . | . .\n"), f"{SPACES}: 4 lines; rows of spaces with one line between each two"),
    (("town", "A A + B B\n\n. . | . .\n\n1 . + . 2", ""), f"{SPACES}: the map is empty"),
    (("town", "A A + B B", "A A + B B" + " ." * 22), f"{SPACES}: 27 spaces in a row; at most 26"),
    (("town", "1 . + . 2", "1 . + . 1"), f"{SPACES}: treehouse 1 stands at a3 and e3; 2 is free"),
    (("town", "1 . + . 2", ". . + . ."), f"{SPACES}: the town has no treehouse; write 1 to 8"),
    (
        ("town", "[small]", "[other]\nname='Other'\nsource='estimated'\nspaces=''\ndistricts=''\n[small]"),
        "town.toml has 2",
    ),
    # buildings
    (("town", "A A + B B", "A A + B Q"), f"{SPACES}: e1: no building in buildings.toml has the letter 'Q'; give it an"),
    (
        ("town", "A A + B B", "A A + Q Q"),
        f"{SPACES}: d1: no building in buildings.toml has the letter 'Q'; B not yet on",
    ),
    (
        ("town", "A A + B B", "A A + B ."),
        f"{BARN}: 'B' stands at d1 on the map of town.toml, [small]; a building stands on",
    ),
    (("town", "A A + B B", "A A + . ."), f"{BARN}: 'B' stands at nowhere on the map of"),
    (("town", ". . | . .\n\n", ". . | . B\n\n"), f"{BARN}: 'B' stands at d1, e1, e2 on the map"),
    (("town", "B B\n\n. . | . .", ". B\n\n. . | B ."), f"{BARN}: 'B' stands at e1, d2 on the map"),
    (("buildings", 'letter = "B"', 'letter = "BB"'), f"{BARN}: letter = 'BB' is not valid; it must be one letter"),
    (("buildings", 'letter = "B"', 'letter = "A"'), f"{BARN}: letter 'A' is that of 'inn'; 'a' is free"),
    (("buildings", "number = 2", "number = 1"), f"{BARN}: number 1 is that of 'inn'; 2 is free"),
    (("buildings", "number = 2", "number = 2\nblank = true"), f"{BARN}: blank: a part of the town cannot be blank"),
    (("buildings", "number = 2", "number = 2\ncopies = 2"), f"{BARN}: copies = 2 must be 1 or less"),
    (("buildings", '"blue"', '"pink"'), f"{BARN}: colour = 'pink' is not valid; known: red, blue, green, yellow"),
    # walking
    (
        ("town", "A A + B B\n\n", "A A + B!B\n        =\n"),
        f"{SPACES}: e1 (a space of 'barn') cannot be reached on foot from",
    ),
    (("town", "\n\n1 . + . 2", "\n=\n1!. + . 2"), f"{SPACES}: a3 cannot be reached on foot from a1; take away a fence"),
    # districts on the map
    (("town", "aa+bb\naa+bb\naa+bb", "aa+bb\naa+bb"), f"{DISTRICTS}: 2 lines; the map of the spaces has 3 rows"),
    (
        ("town", "aa+bb\naa+bb", "aa+bb\naa+b"),
        f"{DISTRICTS}: row 2 has 4 characters; the map of the spaces has 5 in a row",
    ),
    (("town", "aa+bb", "aaabb"), f"{DISTRICTS}: c1 is 'a', but a road ('+') on the map; write '+'"),
    (("town", "aa+bb", "aa+b+"), f"{DISTRICTS}: e1 (a building, 'B') is in no district: '+'; known: a, b"),
    (("town", "aa+bb\naa+bb", "aa+bb\naz+bb"), f"{DISTRICTS}: b2 (a space, '.') is in no district: 'z'; known: a, b"),
    (("town", "1 . + . 2", "1 . + # 2"), f"{DISTRICTS}: d3 is 'b', but no space ('#') on the map; write '#'"),
    (("districts", 'letter = "b"', 'letter = "a"'), f"{RIGHT}: letter 'a' is that of 'left-side'; 'b' is free"),
    # districts beside each other
    (
        ("districts", 'east = ["right-side"]', "east = []"),
        f"{LEFT}: no neighbour on any side; on the map it touches right",
    ),
    (
        ("districts", 'east = ["right-side"]', 'east = ["rigth-side"]'),
        f"{LEFT}: east = 'rigth-side' is no district; did you",
    ),
    (
        ("districts", 'east = ["right-side"]', 'east = ["left-side"]'),
        f"{LEFT}: east = 'left-side' is the district itself",
    ),
    (
        ("districts", 'east = ["right-side"]', 'north = ["right-side"]'),
        f"{LEFT}: 'right-side' lies north, so 'left-side' must be in south of {RIGHT}, which has []",
    ),
    (
        ("districts", 'east = ["right-side"]', 'east = ["right-side", "x", "y"]'),
        f"{LEFT}: east: 3 districts; a move has 2",
    ),
    (("districts", 'east = ["right-side"]', 'east = ["x", "x"]'), f"{LEFT}: east: 'x' stands there twice"),
    # landmarks
    (
        ("landmarks", '"b2"', '"2b"'),
        "landmarks.toml, [well]: '2b' is no space; write its column and its row, as in 'e5'",
    ),
    (("landmarks", '"b2"', '"b9"'), "landmarks.toml, [well]: 'b9' is no space of the map, which reaches from a1 to e3"),
    (("landmarks", '"b2"', ""), "landmarks.toml, [well]: the list of spaces is empty"),
    (("landmarks", '"b2"', '"b2", "b2"'), "landmarks.toml, [well]: at: 'b2' stands there twice"),
    # patrols
    (("feds", '"c1", "c3"', '"c1", "c2"'), "feds.toml, [red]: c2 is no intersection ('|'); stops stand on '+'"),
    (("feds", '"c1", "c3"', '"c1"'), "feds.toml, [red]: 1 stops; from 2 to 16 fit"),
    (("feds", '"c1", "c3"', ", ".join(['"c1", "c3"'] * 9)), "feds.toml, [red]: 18 stops; from 2 to 16 fit"),
    (
        ("feds", '"c1", "c3"', '"c1", "c3", "c1"'),
        "feds.toml, [red]: no road without an intersection between leads from c1 to c1 (the last stop joins the "
        "first); from c1 roads lead to c3",
    ),
    (
        ("town", ". . | . .", ". . + . ."),
        "feds.toml, [red]: no road without an intersection between leads from c1 to c3; f",
    ),
    (("feds", "[blue]", "[bleu]"), "feds.toml, [bleu]: no such Fed; did you mean 'blue'?"),
]


@pytest.mark.parametrize(("change", "message"), BAD, ids=[message[:70] for _, message in BAD])
def test_bad_input_is_refused_in_one_line(tmp_path: Path, change: tuple[str, str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        town.read_town(small(tmp_path, change))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def refused(folder: Path, *changes: tuple[str, str, str]) -> str:
    with pytest.raises(InputError) as error:
        town.read_town(small(folder, *changes))
    return str(error.value)


def three_districts(beside: str, own: str) -> list[tuple[str, str, str]]:
    """A third district on the far side of the second, which is said to lie east of `beside`, whose entry is `own`."""
    third = f'\n[far-side]\nname = "Far Side"\nletter = "c"\nwest = ["{beside}"]\n{ABOUT}'
    return [
        ("town", "A A + B B", "A A + B B . ."),
        ("town", ". . | . .", ". . | . . . ."),
        ("town", "1 . + . 2", "1 . + . 2 . ."),
        ("town", "aa+bb\naa+bb\naa+bb", "aa+bbcc\naa+bbcc\naa+bbcc"),
        ("districts", SMALL["districts"], SMALL["districts"] + third),
        ("districts", own, 'east = ["right-side", "far-side"]' if "east" in own else f'{own}\neast = ["far-side"]'),
    ]


def test_districts_must_touch(tmp_path: Path) -> None:
    assert refused(tmp_path, *three_districts("left-side", 'east = ["right-side"]')) == (
        f"{LEFT}: east = 'far-side' does not touch it, not even across a road; on the map it touches right-side"
    )


def test_districts_may_touch_without_a_road(tmp_path: Path) -> None:
    plan = town.read_town(small(tmp_path, *three_districts("right-side", 'west = ["left-side"]')))
    assert plan.hops.tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


def test_all_districts_are_joined(tmp_path: Path) -> None:
    more = "".join(
        f'\n[{slug}]\nname = "{slug}"\nletter = "{letter}"\n{side} = ["{other}"]\n{ABOUT}'
        for slug, letter, side, other in (("up", "c", "south", "down"), ("down", "d", "north", "up"))
    )
    message = refused(
        tmp_path,
        ("town", "aa+bb\naa+bb\naa+bb", "ac+bb\nad+bb\naa+bb"),
        ("districts", f'west = ["left-side"]\n{ABOUT}', f'west = ["left-side"]\n{ABOUT}{more}'),
    )
    assert message.startswith("districts.toml, [up]: no way of the monster leads there from 'left-side'")


def test_a_district_needs_a_space(tmp_path: Path) -> None:
    third = f'\n[nowhere]\nname = "Nowhere"\nletter = "c"\nwest = ["left-side"]\n{ABOUT}'
    message = refused(tmp_path, ("districts", "[right-side]", third + "\n[right-side]"))
    assert message == f"districts.toml, [nowhere]: 'c' has no space on the map of {DISTRICTS}"


def test_a_road_must_touch_a_district(tmp_path: Path) -> None:
    wide = [
        ("town", "A A + B B", "A A + B B - - -"),
        ("town", ". . | . .", ". . | . . - - -"),
        ("town", "1 . + . 2", "1 . + . 2 - - -"),
        ("town", "aa+bb\naa+bb\naa+bb", "aa+bb+++\naa+bb+++\naa+bb+++"),
    ]
    assert refused(tmp_path, *wide).startswith(f"{DISTRICTS}: the road at g1 touches no district")


@pytest.mark.parametrize(("section", "most"), [("buildings", 40), ("districts", 16), ("landmarks", 20)])
def test_too_much_is_refused_by_name(tmp_path: Path, section: str, most: int) -> None:
    first = SMALL[section].split("\n\n")[0].partition("\n")[2]
    more = "".join(f"\n[more-{i}]\n{first}\n" for i in range(most))
    message = refused(tmp_path, (section, SMALL[section], SMALL[section] + more))
    assert message == f"{section}.toml has {most + (1 if section == 'landmarks' else 2)} entries; from 1 to {most} fit"


def test_too_many_spaces(tmp_path: Path) -> None:
    rows = "\n\n".join([" ".join("." * 16)] * 17)
    message = refused(tmp_path, ("town", "A A + B B\n\n. . | . .\n\n1 . + . 2", rows))
    assert message == f"{SPACES}: the town has 272 spaces; from 1 to 256 fit"


def test_both_feds_are_needed(tmp_path: Path) -> None:
    text = SMALL["feds"]
    assert refused(tmp_path, ("feds", text, text[: text.index("[blue]")])) == (
        "feds.toml: [blue] is missing; both red and blue are needed"
    )


# --- steps -----------------------------------------------------------------------------------------------------------


@st.composite
def towns(draw: st.DrawFn) -> Plan:
    """A few spaces with roads and fences: as much of a town as steps are about."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    cells = [(r, c) for r in range(height) for c in range(width)]
    marks = draw(st.lists(st.sampled_from("..+-#"), min_size=len(cells), max_size=len(cells)))
    fences = [
        np.array(draw(st.lists(st.sampled_from([0, 0, 1]), min_size=len(cells), max_size=len(cells))), bool)
        for _ in range(2)
    ]
    kept = [(cell, mark) for cell, mark in zip(cells, marks, strict=True) if mark != "#"] or [((0, 0), ".")]
    treehouses = draw(st.lists(st.integers(0, len(kept) - 1), min_size=1, max_size=3, unique=True))
    return replace(
        LAKEVIEW,
        height=height,
        width=width,
        cells=np.array([cell for cell, _ in kept]),
        space_at={cell: i for i, (cell, _) in enumerate(kept)},
        is_road=np.array([mark != "." for _, mark in kept]),
        treehouse_space=np.array(treehouses),
        fence_beside=fences[0].reshape(height, width),
        fence_below=fences[1].reshape(height, width),
    )


def can_step(plan: Plan, a: tuple[int, int], b: tuple[int, int], cross_fences: bool) -> bool:
    """A straight step between two cells."""
    if a not in plan.space_at or b not in plan.space_at:
        return False
    first = min(a, b)
    fence = plan.fence_beside[first] if a[0] == b[0] else plan.fence_below[first]
    return bool(cross_fences or not fence)


def next_cells(plan: Plan, cell: tuple[int, int], diagonal: bool, cross_fences: bool) -> Iterator[tuple[int, int]]:
    r, c = cell
    for other in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
        if can_step(plan, cell, other, cross_fences):
            yield other
    for other in ((r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1)) if diagonal else ():
        for corner in ((r, other[1]), (other[0], c)):
            if can_step(plan, cell, corner, cross_fences) and can_step(plan, corner, other, cross_fences):
                yield other


def search(plan: Plan, start: int, diagonal: bool, cross_fences: bool) -> dict[int, int]:
    """Steps to every space that can be reached."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        row, column = plan.cells[here]
        for cell in next_cells(plan, (int(row), int(column)), diagonal, cross_fences):
            there = plan.space_at[cell]
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@given(towns(), st.booleans(), st.booleans())
@examples(max_examples=150)
def test_distances_are_those_of_a_plain_search(plan: Plan, diagonal: bool, cross_fences: bool) -> None:
    found = town.distances(plan, diagonal, cross_fences)
    for a in range(len(plan.cells)):
        steps = search(plan, a, diagonal, cross_fences)
        assert found[a].tolist() == [steps.get(b, 255) for b in range(len(plan.cells))]


@given(towns(), st.booleans(), st.booleans(), st.integers(0, 3), st.integers(0, 2))
@examples(max_examples=100)
def test_needs_are_those_of_trying_out(
    plan: Plan, diagonal: bool, cross_fences: bool, road: int, off_road: int
) -> None:
    found = town.needs(plan, diagonal, cross_fences, road, off_road)
    spaces = range(len(plan.cells))
    steps = [search(plan, a, diagonal, cross_fences) for a in spaces]
    for a in spaces:
        for b in spaces:
            values = [
                value
                for via, value in steps[a].items()
                if steps[via].get(b, 255) <= (road if plan.is_road[via] else off_road)
            ]
            assert found[a, b] == min(values, default=255)
    assert (found <= town.distances(plan, diagonal, cross_fences)).all()


@given(towns(), st.booleans())
@examples(max_examples=100)
def test_nearest_treehouses_are_all_that_tie(plan: Plan, straight: bool) -> None:
    for space, bits in enumerate(town.nearest_treehouses(plan, straight)):
        steps = search(plan, space, False, False)
        here = plan.cells[space]
        far = [
            int(((plan.cells[t] - here) ** 2).sum()) if straight else steps.get(int(t), 255)
            for t in plan.treehouse_space
        ]
        assert bits == sum(1 << i for i, f in enumerate(far) if f == min(far))


@given(st.integers(0, 1), st.integers(0, 3))
def test_what_a_fed_touches(route: int, reach: int) -> None:
    stop, leg = town.touched(LAKEVIEW, route, reach)
    assert stop.shape == leg.shape == (len(LAKEVIEW.stops[route]), len(LAKEVIEW.cells))
    cells = LAKEVIEW.cells.tolist()
    for i, at in enumerate(LAKEVIEW.stops[route]):
        for seen, road in ((stop[i], [at]), (leg[i], LAKEVIEW.legs[route][i])):
            near = [min(abs(r - cells[s][0]) + abs(c - cells[s][1]) for s in road) <= reach for r, c in cells]
            assert seen.tolist() == near
        assert stop[(i + 1) % len(stop)][leg[i]].any()  # the arrival is touched on the way
        assert leg[i][LAKEVIEW.stops[route][(i + 1) % len(stop)]]


# --- Lakeview --------------------------------------------------------------------------------------------------------


def test_lakeview_has_the_estimated_size() -> None:
    buildings = CONTENT.sections["buildings"].values()
    assert len(LAKEVIEW.district_slugs) == 12
    assert len(LAKEVIEW.landmark_slugs) == 12
    assert len(LAKEVIEW.treehouse_space) == 4
    assert 240 <= len(LAKEVIEW.cells) <= 255
    assert 0.25 <= LAKEVIEW.is_road.mean() <= 0.35
    assert sorted(b.number for b in buildings) == list(range(1, 31))
    assert set(np.bincount(LAKEVIEW.building_colour).tolist()) <= {7, 8}
    quarters = {
        (r >= LAKEVIEW.height / 2, c >= LAKEVIEW.width / 2) for r, c in LAKEVIEW.cells[LAKEVIEW.treehouse_space]
    }
    assert len(quarters) == 4
    edges = sum(((r, c + 1) in LAKEVIEW.space_at) + ((r + 1, c) in LAKEVIEW.space_at) for r, c in LAKEVIEW.space_at)
    assert 0.05 <= (LAKEVIEW.fence_beside.sum() + LAKEVIEW.fence_below.sum()) / edges <= 0.08


def test_every_district_has_two_buildings() -> None:
    bits = LAKEVIEW.building_district_bits[:, None] >> np.arange(12) & 1
    assert bits.sum(0).min() >= 2
    assert (bits.sum(1) == 1).all()


def test_what_the_rulebook_names() -> None:
    buildings = {slug: b.name for slug, b in CONTENT.sections["buildings"].items()}
    named = {
        "jenkins-savings-and-loan": "Jenkin's Savings & Loan",
        "abandoned-house": "Abandoned House",
        "duttons-house": "The Duttons' House",
        "duchess-house": "The Duchess' House",
        "clemency-hotel": "Clemency Hotel",
        "harris-drug-store": "Harris Drug Store",
    }
    assert named.items() <= buildings.items()
    assert CONTENT.sections["buildings"]["duttons-house"].number == 16
    known = {slug for slug, b in CONTENT.sections["buildings"].items() if b.source == "rulebook"}
    assert known == set(named)
    burbs = 1 << LAKEVIEW.district_slugs.index("the-burbs")
    dog_house = LAKEVIEW.landmark_spaces[LAKEVIEW.landmark_slugs.index("dog-house")]
    assert (LAKEVIEW.district_bits[dog_house] == burbs).all()


def test_some_moves_of_the_monster_offer_two_districts() -> None:
    offered = np.array([[int(bits).bit_count() for bits in row] for row in LAKEVIEW.neighbours])
    assert offered.max() == 2
    assert (offered == 2).sum() >= 6
    assert LAKEVIEW.hops.max() == 5
    rows, columns = (
        np.array([LAKEVIEW.cells[LAKEVIEW.district_bits == 1 << d][:, axis].mean() for d in range(12)])
        for axis in (0, 1)
    )
    for side, (middle, sign) in enumerate(((rows, -1), (columns, 1), (rows, 1), (columns, -1))):
        for d, bits in enumerate(LAKEVIEW.neighbours[:, side]):
            assert all((middle[e] - middle[d]) * sign > 2 for e in range(12) if bits >> e & 1)


def test_nearest_treehouses_tie_somewhere() -> None:
    for straight in (False, True):
        bits = town.nearest_treehouses(LAKEVIEW, straight)
        assert sum(int(b).bit_count() > 1 for b in bits) >= 5
        assert min(sum(int(b) >> t & 1 for b in bits) for t in range(4)) >= 40


def test_patrols_are_long_and_share_little() -> None:
    assert [len(s) for s in LAKEVIEW.stops] == [13, 11]
    assert all(len(set(s.tolist())) == len(s) for s in LAKEVIEW.stops)
    red, blue = ({int(s) for leg in legs for s in leg} for legs in LAKEVIEW.legs)
    assert len(red | blue) >= 0.8 * LAKEVIEW.is_road.sum()
    assert len(red & blue) <= len(red | blue) / 4
    for legs, stops in zip(LAKEVIEW.legs, LAKEVIEW.stops, strict=True):
        assert [int(leg[-1]) for leg in legs] == [*stops[1:].tolist(), int(stops[0])]


def test_a_passing_fed_touches_the_duchess_house() -> None:
    """The rulebook's example: moving two intersections it drives by, and stands elsewhere at the end."""
    house = LAKEVIEW.building_spaces[LAKEVIEW.building_slugs.index("duchess-house")]
    for route in (0, 1):
        stop, leg = town.touched(LAKEVIEW, route, 1)
        assert leg[:, house].any()
        assert not stop[:, house].any()


def test_the_duttons_live_between_their_landmarks() -> None:
    house = LAKEVIEW.building_slugs.index("duttons-house")
    marks = [LAKEVIEW.landmark_slugs.index(slug) for slug in ("dog-house", "celia-dempsey-park-sign")]
    assert all((LAKEVIEW.landmark_distance[m] < LAKEVIEW.landmark_distance[m, house]).sum() <= 3 for m in marks)
    both = LAKEVIEW.landmark_distance[marks].astype(int).sum(0)
    assert both[house] == both.min()
    (dog,), (sign,) = (LAKEVIEW.landmark_spaces[m] for m in marks)
    assert both[house] <= WALK[dog, sign] + 1


def test_hints_say_something() -> None:
    """Every building is near a landmark or two, and no landmark is near them all."""
    near = LAKEVIEW.landmark_distance <= 4
    assert 1 <= near.sum(0).min() <= near.sum(0).mean() <= 3
    assert near.sum(1).min() >= 2
    assert near.sum(1).max() <= 15
    for entry in CONTENT.sections["landmarks"].values():
        assert entry.kind != "street" or len(entry.at) >= 3


def test_landmark_distances_are_walks() -> None:
    for at, row in zip(LAKEVIEW.landmark_spaces, LAKEVIEW.landmark_distance, strict=True):
        assert [WALK[np.ix_(at, b)].min() for b in LAKEVIEW.building_spaces] == row.tolist()


def test_the_drawing_is_plain() -> None:
    plain: dict[str, Any] = town.board(LAKEVIEW, CONTENT)
    assert json.loads(json.dumps(plain)) == plain
    assert len(plain["cells"]) == len(plain["kinds"]) == len(plain["space_districts"]) == len(LAKEVIEW.cells)
    assert [len(fed["stops"]) for fed in plain["feds"]] == [13, 11]
    assert plain["kinds"].count("building") == 60
