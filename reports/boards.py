"""The board as an SVG drawing on which a replay lays things, and where each place of it is.

It is drawn anew, not taken from the figure of the board: the page needs the places, its colours follow light and dark,
and it must be small. Nothing in it is text of a user but names, which are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import combinations
from textwrap import wrap
from typing import Any

from reports.words import clean

UNIT = 20  # of a space of a town, in the drawing's own units
WIDE, HIGH, APART = 148, 150, 184  # of a room, and from the middle of one to that of the next
LINE = 20  # letters in one line of a room

Point = tuple[float, float]


@dataclass(frozen=True)
class Drawing:
    """The drawing, and by kind of place ("space", "building", "district", "room") its points and its names."""

    svg: str
    size: tuple[float, float]
    points: dict[str, list[Point]]
    names: dict[str, list[str]]
    room: bool  # whether places are rooms, in which things stand in rows


def draw(board: dict[str, Any]) -> Drawing:
    """The drawing of a board of either kind (see result.BOARDS)."""
    return _rooms(board) if board.get("kind") == "rooms" else _town(board)


def _element(tag: str, text: str | None = None, **attributes: Any) -> str:
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return f"<{tag}{said}/>" if text is None else f"<{tag}{said}>{escape(clean(text))}</{tag}>"


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


# --- a town of spaces -------------------------------------------------------------------------------------------------


def _town(board: dict[str, Any]) -> Drawing:
    cells = [(int(row), int(column)) for row, column in board["cells"]]
    middle = [((column + 0.5) * UNIT, (row + 0.5) * UNIT) for row, column in cells]
    parts = [*_ground(board, cells), *_areas(board, cells), *_fences(board), *_routes(board, middle)]
    buildings = []
    for building in board["buildings"]:
        points = [middle[s] for s in building["spaces"]]
        at = _mean(points)
        buildings.append(at)
        left, top = (min(p[k] for p in points) - UNIT / 2 + 2 for k in (0, 1))
        right, low = (max(p[k] for p in points) + UNIT / 2 - 2 for k in (0, 1))
        kind = "building " + "".join(c for c in str(building["colour"]) if c.isalnum())
        parts.append(_element("rect", x=left, y=top, width=right - left, height=low - top, rx=3, class_=kind))
        parts.append(_element("text", str(building["number"]), x=at[0], y=at[1] + 3, class_="number"))
    for space in board["treehouses"]:
        x, y = middle[space]
        parts.append(_element("path", d=f"M{x - 7} {y + 6}L{x} {y - 7}L{x + 7} {y + 6}z", class_="treehouse"))
    districts = []
    for d, district in enumerate(board["districts"]):
        at = _mean([middle[s] for s, inside in enumerate(board["space_districts"]) if d in inside] or [(0.0, 0.0)])
        districts.append(at)
        parts.append(_element("text", str(district["name"]), x=at[0], y=at[1], class_="area"))
    size = (float(board["width"]) * UNIT, float(board["height"]) * UNIT)
    names = {
        "space": [str(p) for p in board.get("places") or range(len(cells))],
        "building": [str(b["name"]) for b in board["buildings"]],
        "district": [str(d["name"]) for d in board["districts"]],
    }
    places: dict[str, list[Point]] = {"space": middle, "building": buildings, "district": districts}
    return Drawing("".join(parts), size, places, names, room=False)


def _mean(points: Iterable[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _ground(board: dict[str, Any], cells: list[tuple[int, int]]) -> list[str]:
    """The spaces, one path for all of a kind."""
    paths: dict[str, list[str]] = {}
    for (row, column), kind, districts in zip(cells, board["kinds"], board["space_districts"], strict=True):
        name = kind if kind in ("road", "intersection") else f"ground g{(districts[0] if districts else 0) % 6}"
        paths.setdefault(name, []).append(_square(row, column))
    return [_element("path", d="".join(d), class_=name) for name, d in paths.items()]


def _square(row: int, column: int) -> str:
    return f"M{column * UNIT} {row * UNIT}h{UNIT}v{UNIT}h-{UNIT}z"


def _areas(board: dict[str, Any], cells: list[tuple[int, int]]) -> list[str]:
    """A layer over each district, to be lit up."""
    return [
        _element(
            "path",
            d="".join(_square(*cells[s]) for s, inside in enumerate(board["space_districts"]) if d in inside),
            class_="lit",
            data_district=d,
        )
        for d in range(len(board["districts"]))
    ]


def _fences(board: dict[str, Any]) -> list[str]:
    lines = []
    for row, column, side in board["fences"]:
        x, y = ((column + 1) * UNIT, row * UNIT) if side == "beside" else (column * UNIT, (row + 1) * UNIT)
        lines.append(f"M{x} {y}" + (f"v{UNIT}" if side == "beside" else f"h{UNIT}"))
    return [_element("path", d="".join(lines), class_="fence")] if lines else []


def _routes(board: dict[str, Any], middle: list[Point]) -> list[str]:
    found = []
    for k, fed in enumerate(board["feds"]):
        aside = 2.4 if k % 2 == 0 else -2.4
        spaces = [fed["stops"][0], *(s for leg in fed["legs"] for s in leg)]
        line = "L".join(f"{_number(middle[s][0] + aside)} {_number(middle[s][1] + aside)}" for s in spaces)
        found.append(_element("path", d=f"M{line}", class_=f"route r{k % 2}"))
    return found


# --- a board of rooms -------------------------------------------------------------------------------------------------


def _rooms(board: dict[str, Any]) -> Drawing:
    rooms = board["rooms"]
    at = [(float(room["at"][0]), float(room["at"][1])) for room in rooms]
    unit = min((max(abs(x - u), abs(y - v)) for (x, y), (u, v) in combinations(at, 2)), default=1.0) or 1.0
    left, top = min(x for x, _ in at), min(y for _, y in at)
    middle = [
        ((x - left) / unit * APART + WIDE / 2 + 6, (y - top) / unit * APART * HIGH / WIDE + HIGH / 2 + 6) for x, y in at
    ]
    parts = []
    for a, b in board["doors"]:
        closed = rooms[a]["locked"] or rooms[b]["locked"]
        (x1, y1), (x2, y2) = middle[a], middle[b]
        parts.append(_element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="door closed" if closed else "door"))
    for room, (x, y) in zip(rooms, middle, strict=True):
        kind = "room locked" if room["locked"] else "room"
        parts.append(_element("rect", x=x - WIDE / 2, y=y - HIGH / 2, width=WIDE, height=HIGH, rx=8, class_=kind))
        for k, line in enumerate(wrap(str(room["name"])[:60], LINE)[:2]):
            parts.append(_element("text", line, x=x, y=y - HIGH / 2 + 18 + 15 * k, class_="name"))
    size = (max(x for x, _ in middle) + WIDE / 2 + 6, max(y for _, y in middle) + HIGH / 2 + 6)
    names = {"room": [str(room["name"]) for room in rooms]}
    return Drawing("".join(parts), size, {"room": middle}, names, room=True)
