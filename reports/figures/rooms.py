"""A board of rooms: boxes with name, doors and guests at set-up, lines for the doors between them, locks."""

from __future__ import annotations

from itertools import combinations
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from reports import style, themes
from reports.figures.figure import Figure, Numbers
from reports.result import Metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

OPEN, LOCKED, INK, DOOR = "#e6eef5", "#e4e4e0", "#2b2b2b", "#6b4226"
WIDE, HIGH = 0.74, 0.56  # of a room, where the nearest ones are 1 apart
LINE = 14  # letters in one line of a room


def figure(board: dict[str, Any], name: str) -> Figure:
    """The figure with its caption and its numbers."""
    rooms, doors = board["rooms"], board["doors"]
    locked = [str(room["name"]) for room in rooms if room["locked"]]
    guests = sum(int(room["guests"]) for room in rooms)
    count = f"{len(locked)} {'room is' if len(locked) == 1 else 'rooms are'}"
    said = f"; {count} locked (grey, broken lines: nothing passes)" if locked else ""
    caption = (
        f"{len(rooms)} rooms, {len(doors)} ways between them{said}. In a corner: the printed doors of a room; circles: "
        f"guests at set-up, {guests} in all."
    )
    beside: list[list[str]] = [[] for _ in rooms]
    for a, b in doors:
        beside[a].append(str(rooms[b]["name"]))
        beside[b].append(str(rooms[a]["name"]))
    rows = tuple(
        (str(r["name"]), str(r["doors"]), str(r["guests"]), "yes" if r["locked"] else "no", ", ".join(names))
        for r, names in zip(rooms, beside, strict=True)
    )
    numbers = Numbers(("room", "doors", "guests at set-up", "locked", "doors to"), rows)
    metric = Metric("board", name, theme=themes.BOARD)
    alt = f"Plan of {name}: {caption}"
    return Figure("board", "board", name, metric, caption, alt, lambda: draw(board, name), numbers)


def draw(board: dict[str, Any], name: str) -> Canvas:
    """The plan."""
    at = _places(board["rooms"])
    xs, ys = zip(*at, strict=True)
    wide, high = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    with style.house():
        canvas, (ax,) = style.canvas(width=style.WIDTH, height=style.WIDTH * min(1.4, max(0.3, high / wide)))
        ax.set_xlim(min(xs) - 0.5, max(xs) + 0.5)
        ax.set_ylim(max(ys) + 0.5, min(ys) - 0.5)
        ax.set_aspect("equal")
        ax.set_axis_off()
        for a, b in board["doors"]:
            closed = board["rooms"][a]["locked"] or board["rooms"][b]["locked"]
            _door(ax, (at[a], at[b]), closed)
        for room, place in zip(board["rooms"], at, strict=True):
            _room(ax, room, place)
        style.finish(canvas, name, "")
        style.settle(canvas)
    return canvas


def _places(rooms: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Middles of the rooms, drawn apart or together so that no two boxes meet."""
    at = [(float(room["at"][0]), float(room["at"][1])) for room in rooms]
    apart = [max(abs(x - u), abs(y - v)) for (x, y), (u, v) in combinations(at, 2)]
    unit = min(apart, default=1.0) or 1.0
    return [(x / unit, y / unit) for x, y in at]


def _door(ax: Axes, ends: tuple[tuple[float, float], tuple[float, float]], closed: bool) -> None:
    ax.plot(
        *zip(*ends, strict=True),
        color=DOOR,
        linewidth=2.0,
        linestyle=":" if closed else "-",
        alpha=0.5 if closed else 0.9,
        zorder=2,
    )


def _room(ax: Axes, room: dict[str, Any], place: tuple[float, float]) -> None:
    from matplotlib.patches import FancyBboxPatch

    x, y = place
    color = LOCKED if room["locked"] else OPEN
    box = FancyBboxPatch(
        (x - WIDE / 2, y - HIGH / 2), WIDE, HIGH, boxstyle="round,pad=0,rounding_size=0.06", facecolor=color
    )
    box.set(edgecolor=INK, linewidth=0.9, linestyle="--" if room["locked"] else "-", zorder=3)
    ax.add_patch(box)
    title = "\n".join(wrap(style.label(str(room["name"]), 2 * LINE), LINE))
    ax.text(x, y - 0.06, title, fontsize=7, fontweight="bold", ha="center", va="center", zorder=5)
    corner = (x + WIDE / 2 - 0.05, y - HIGH / 2 + 0.04)
    ax.text(*corner, str(room["doors"]), fontsize=7, color=DOOR, ha="right", va="top", zorder=5)
    if room["locked"]:
        ax.text(x, y + 0.15, "locked", fontsize=6.5, style="italic", color=INK, ha="center", va="center", zorder=5)
        return
    guests = int(room["guests"])
    shown = min(guests, 9)
    for i in range(shown):
        ax.plot([x + 0.07 * (i - (shown - 1) / 2)], [y + 0.15], marker="o", color=INK, markersize=3.6, zorder=5)
    if guests > shown:
        ax.text(x + 0.34, y + 0.15, f"({guests})", fontsize=6, ha="center", va="center", zorder=5)
