"""The board as the result's board.json has it: a town of spaces, roads, districts, buildings and patrol routes.

A board of rooms that doors join is drawn by ``rooms.py``.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from reports import style, themes
from reports.figures import rooms
from reports.figures.figure import Figure, Kind, Numbers
from reports.result import Metric, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

TINTS = ("#f4f1e6", "#e9f0e4", "#e6eef5", "#f5e9e6", "#efe8f4", "#f6efd9")
COLOURS = {"red": "#d9776c", "blue": "#6f9fd8", "green": "#7fb77e", "yellow": "#e3c04f"}
ROUTES = ("#b3261e", "#1f4e9e")
ROAD, WATER, FENCE, TREEHOUSE, INK = "#c9c9c4", "#ffffff", "#6b4226", "#2d5a27", "#2b2b2b"


def plan(result: Result) -> list[Figure]:
    """The board, if the result has one."""
    board = result.board
    if board is None:
        return []
    name = str(board.get("name") or "The board")
    if board.get("kind") == "rooms":
        return [rooms.figure(board, name)]
    metric = Metric("board", name, theme=themes.BOARD)
    buildings, districts = board["buildings"], board["districts"]
    caption = (
        f"{len(board['cells'])} spaces, {len(districts)} districts (tints, names in capitals), {len(buildings)} "
        f"buildings by number and colour, {len(board['treehouses'])} treehouses (triangles), {len(board['fences'])} "
        "fences (thick brown lines); diamonds are landmarks. "
        + " ".join(
            f"{fed['name']}: {len(fed['stops'])} intersections from the square on, in the direction of the arrows."
            for fed in board["feds"]
        )
    )
    rows = tuple(
        (str(b["number"]), str(b["name"]), str(b["colour"]), _districts(board, b["spaces"]))
        for b in sorted(buildings, key=lambda b: int(b["number"]))
    )
    numbers = Numbers(("number", "building", "colour", "district"), rows)
    alt = f"Map of {name}: {caption}"
    return [Figure("board", "board", name, metric, caption, alt, lambda: draw(board, name), numbers)]


def _districts(board: dict[str, Any], spaces: list[int]) -> str:
    """Names of the districts that some spaces lie in."""
    found = dict.fromkeys(d for space in spaces for d in board["space_districts"][space])
    return ", ".join(str(board["districts"][d]["name"]) for d in found)


def draw(board: dict[str, Any], name: str) -> Canvas:
    """The map."""
    height, width = int(board["height"]), int(board["width"])
    with style.house():
        figure, (ax,) = style.canvas(width=style.WIDTH, height=style.WIDTH * height / width)
        ax.set_xlim(0, width)
        ax.set_ylim(height, 0)
        ax.set_aspect("equal")
        ax.grid(visible=False)
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0, labelsize=7)
        ax.set_xticks([c + 0.5 for c in range(width)], [chr(ord("a") + c) for c in range(width)])
        ax.set_yticks([r + 0.5 for r in range(height)], [str(r + 1) for r in range(height)])
        ax.xaxis.tick_top()
        _spaces(ax, board)
        _fences(ax, board)
        for fed, color in zip(board["feds"], ROUTES, strict=False):
            _route(ax, board, fed, color)
        _buildings(ax, board)
        _marks(ax, board)
        _names(ax, board)
        style.finish(figure, name, "")
        style.settle(figure)
    return figure


def _centre(board: dict[str, Any], space: int) -> tuple[float, float]:
    row, column = board["cells"][space]
    return column + 0.5, row + 0.5


def _spaces(ax: Axes, board: dict[str, Any]) -> None:
    from matplotlib.patches import Rectangle

    for (row, column), kind, districts in zip(board["cells"], board["kinds"], board["space_districts"], strict=True):
        road = kind in ("road", "intersection")
        color = ROAD if road else TINTS[districts[0] % len(TINTS)]
        ax.add_patch(Rectangle((column, row), 1, 1, facecolor=color, edgecolor="white", linewidth=0.6))
        if kind == "intersection":
            ax.add_patch(Rectangle((column + 0.3, row + 0.3), 0.4, 0.4, facecolor="#a9a9a3", edgecolor="none"))


def _fences(ax: Axes, board: dict[str, Any]) -> None:
    for row, column, side in board["fences"]:
        ends = (
            ((column + 1, row), (column + 1, row + 1))
            if side == "beside"
            else ((column, row + 1), (column + 1, row + 1))
        )
        ax.plot(*zip(*ends, strict=True), color=FENCE, linewidth=2.6, solid_capstyle="butt", zorder=4)


def _route(ax: Axes, board: dict[str, Any], fed: dict[str, Any], color: str) -> None:
    """A patrol, a little beside the middle of the road, so that both are seen where they share it."""
    aside = 0.12 if color == ROUTES[0] else -0.12
    here = _centre(board, fed["stops"][0])
    for leg in fed["legs"]:
        points = [here, *(_centre(board, s) for s in leg)]
        xs, ys = [x + aside for x, _ in points], [y + aside for _, y in points]
        ax.plot(xs, ys, color=color, linewidth=1.5, alpha=0.85, zorder=5)
        k = len(points) // 2
        ax.annotate(
            "",
            xy=(xs[k], ys[k]),
            xytext=(xs[k - 1], ys[k - 1]),
            arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 0, "mutation_scale": 9},
            zorder=6,
        )
        here = points[-1]
    x, y = _centre(board, fed["stops"][0])
    ax.plot([x + aside], [y + aside], marker="s", color=color, markersize=7, markeredgecolor="white", zorder=7)


def _buildings(ax: Axes, board: dict[str, Any]) -> None:
    from matplotlib.patches import FancyBboxPatch

    for building in board["buildings"]:
        rows = [board["cells"][s][0] for s in building["spaces"]]
        columns = [board["cells"][s][1] for s in building["spaces"]]
        left, top = min(columns) + 0.12, min(rows) + 0.12
        wide, high = max(columns) - min(columns) + 0.76, max(rows) - min(rows) + 0.76
        color = COLOURS.get(str(building["colour"]), "#bbbbbb")
        box = FancyBboxPatch((left, top), wide, high, boxstyle="round,pad=0,rounding_size=0.12", facecolor=color)
        box.set(edgecolor=INK, linewidth=0.7, zorder=8)
        ax.add_patch(box)
        ax.text(
            left + wide / 2, top + high / 2, str(building["number"]), fontsize=7.5, ha="center", va="center", zorder=9
        )


def _marks(ax: Axes, board: dict[str, Any]) -> None:
    for space in board["treehouses"]:
        x, y = _centre(board, space)
        ax.plot([x], [y], marker="^", color=TREEHOUSE, markersize=11, markeredgecolor="white", zorder=9)
    for landmark in board["landmarks"]:
        x, y = _centre(board, landmark["spaces"][len(landmark["spaces"]) // 2])
        ax.plot([x], [y], marker="D", color="white", markersize=4.5, markeredgecolor=INK, markeredgewidth=0.8, zorder=8)
        ax.annotate(
            style.label(str(landmark["name"]), 22),
            (x, y),
            xytext=(0, -5),
            textcoords="offset points",
            fontsize=5,
            ha="center",
            va="top",
            zorder=10,
            bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.6},
        )


def _names(ax: Axes, board: dict[str, Any]) -> None:
    """District names: in the free space nearest to the district's middle that has the most room beside it."""
    inside: dict[int, list[int]] = defaultdict(list)
    for space, districts in enumerate(board["space_districts"]):
        if len(districts) == 1 and board["kinds"][space] not in ("road", "intersection"):
            inside[districts[0]].append(space)
    marked = {*board["treehouses"], *(s for b in board["buildings"] for s in b["spaces"])}
    marked |= {landmark["spaces"][len(landmark["spaces"]) // 2] for landmark in board["landmarks"]}
    free = {tuple(board["cells"][s]) for s in range(len(board["cells"])) if s not in marked}
    for d, spaces in inside.items():
        points = [_centre(board, s) for s in spaces]
        x, y = (sum(values) / len(points) for values in zip(*points, strict=True))

        def crowded(space: int, x: float = x, y: float = y) -> float:
            row, column = board["cells"][space]
            beside = sum((row, column + k) not in free for k in (-1, 1)) + 4 * ((row, column) not in free)
            return float(2 * beside + abs(column + 0.5 - x) + abs(row + 0.5 - y))

        ax.text(
            *_centre(board, min(spaces, key=crowded)),
            style.label(str(board["districts"][d]["name"]).upper(), 20),
            fontsize=6,
            fontweight="bold",
            color="#555555",
            ha="center",
            va="center",
            zorder=3,
        )


KIND = Kind("board", plan)
