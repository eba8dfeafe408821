"""One figure of each kind from a small table written by hand, and how a figure is told from its kept image.

``make images`` draws the images in ``images/`` anew; test_images.py compares.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl
from PIL import Image

import reports
from reports import difference, style
from reports.figures import (
    board,
    changes,
    contract,
    curves,
    distribution,
    dots,
    heat,
    ledger,
    lines,
    pairs,
    scatter,
    search,
)
from reports.figures.figure import Kind
from tests.reports import folders

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

IMAGES = Path(__file__).parent / "images"
SMALLER = 2.5  # the kept images are so much smaller than the files of a report
PATCH = 3  # a place is a square of so many pixels to each side
NEAR = 1  # pixels by which letters and lines may lie elsewhere
MOST = 14.0  # of 255: the difference of a place that is let pass; all drawn by a pixel aside makes some 12

Pixels = npt.NDArray[np.float64]
Row = folders.Placed


@dataclass(frozen=True)
class Case:
    """A kind of figure, what writes a folder with some, and which of them it is."""

    kind: Kind | None  # None: of a difference of two results
    make: Callable[[Path], Path]
    at: int = 0


def row(
    cell: int, place: dict[str, Any], metric: str, group: str, value: float, half: float, *, x: float | None = None
) -> Row:
    """A number of 1,200 games, with an interval of `half` to each side."""
    return (cell, place, (metric, group, "", x, value, value - half, value + half, 1200, "normal"))


def _run(folder: Path, rows: list[Row], *few: str, **more: Any) -> Path:
    return folders.write(folder, folders.manifest("run", [], 1, few, **more), rows)


def _sweep(folder: Path, factors: list[tuple[str, list[Any]]], rows: list[Row], *few: str) -> Path:
    return folders.write(folder, folders.manifest("sweep", factors, len({r[0] for r in rows}), few), rows)


def _lines(folder: Path) -> Path:
    """Mean, median and the outer quantiles over one factor, for two numbers of players."""
    rows = []
    for cell, (gear, players) in enumerate((g, p) for g in (1, 2, 3, 4, 5) for p in (3, 5)):
        place, mean = {"gear": gear, "players": players}, 12.0 + 4 * gear + 3 * players + gear * gear / 2
        rows.append(row(cell, place, "turns", "", mean, 4.0))
        rows += [
            row(cell, place, "turns", f"quantile={q}", mean * r, 1.0)
            for q, r in ((0.05, 0.6), (0.5, 0.95), (0.95, 1.6))
        ]
    return _sweep(folder, [("gear", [1, 2, 3, 4, 5]), ("players", [3, 5])], rows, "turns")


def _scatter(folder: Path) -> Path:
    points = ((2, 0.05), (4, 0.3), (1, 0.22), (6, 0.12), (8, 0.27), (5, 0.02), (3, 0.17), (7, 0.33), (9, 0.08))
    rows = []
    for cell, (gear, density) in enumerate(points):
        place = {"gear": gear, "event_density": density}
        rows.append(row(cell, place, "turns", "", 15 + 3 * gear + 40 * density, 2.5))
    factors = [("gear", sorted(g for g, _ in points)), ("event_density", sorted(d for _, d in points))]
    return _sweep(folder, factors, rows, "turns")


def _dots(folder: Path) -> Path:
    """Five strategies in three tiers."""
    told = (("expert", 0.34), ("greedy", 0.29), ("cautious", 0.28), ("opportunist", 0.22), ("random", 0.12))
    return _run(folder, [row(0, {}, "win_share", f"strategy={n}", v, 0.012) for n, v in told], "win_share")


def _heat(folder: Path) -> Path:
    """Two factors; the fields within the band of a search are outlined."""
    factors: list[tuple[str, list[Any]]] = [("gear", [1, 2, 3, 4, 5]), ("players", [2, 3, 4, 5])]
    cells = [{"gear": g, "players": p} for g in factors[0][1] for p in factors[1][1]]
    rows = [row(k, c, "turns", "", 9.0 + 4 * c["gear"] + 3 * c["players"], 0.9) for k, c in enumerate(cells)]
    asked = {"find": "gear", "over": "1..5", "metric": "turns", "target": 30.0, "within": 3.0, "budget": 60_000}
    answers = [
        {"parameters": {"players": p}, "status": "found", "value": v, "low": v, "high": v, "candidates": [v]}
        for p, v in ((2, 4), (3, 3), (4, 2), (5, 2))
    ]
    told = folders.manifest("solve", factors, len(cells), ("turns",), solve=asked | {"answers": answers})
    return folders.write(folder, told, rows)


def _search(folder: Path) -> Path:
    """One search that found its value; the values played have wide intervals."""
    asked = {"find": "gear", "over": "1..8", "metric": "turns", "target": 39.5, "within": 2.0, "budget": 60_000}
    answer = {"status": "found", "value": 6, "low": 5, "high": 6, "candidates": [5, 6], "games": 9600}
    rows = [row(x - 1, {"gear": x}, "turns", "", 10.0 + 5 * x, 4.0) for x in range(1, 9)]
    told = folders.manifest("solve", [("gear", range(1, 9))], 8, ("turns",), solve=asked | answer)
    return folders.write(folder, told, rows)


def _pairs(folder: Path) -> Path:
    names = ("angler", "clown", "ghost", "mummy")
    rows: list[Row] = []
    for i, name in enumerate(names):
        for j, other in enumerate(names):
            if i != j:
                share = 0.25 + 0.03 * (i - j)
                line = ("win_share", f"monster={name}", f"against={other}", None, share, share - 0.02, share + 0.02)
                rows.append((0, {}, (*line, 1200, "delta")))
    return _run(folder, rows, "win_share")


def _curves(folder: Path) -> Path:
    """Two survival curves over the turns."""
    told = {
        "turns": {"unit": "turns", "meaning": "turns in a game", "headline": True},
        "first_out_turn": {"unit": "turns", "meaning": "when the first is out", "headline": False},
        "turns_survival": {"unit": "share", "meaning": "games that are still on", "headline": False},
        "first_out_turn_survival": {"unit": "share", "meaning": "games in which nobody is out", "headline": False},
    }
    rows = [row(0, {}, "turns", "", 22.0, 0.5)]
    for x in range(0, 41):
        rows.append(row(0, {}, "turns_survival", "", 1 / (1 + (x / 22) ** 6), 0.03, x=float(x)))
        rows.append(row(0, {}, "first_out_turn_survival", "", 1 / (1 + (x / 12) ** 4), 0.03, x=float(x)))
    return _run(folder, rows, "turns", metrics=told)


def _distribution(folder: Path) -> Path:
    shares = (0.02, 0.05, 0.09, 0.14, 0.17, 0.16, 0.13, 0.1, 0.07, 0.04, 0.02, 0.01)
    rows = [row(0, {}, "turns", "", 19.6, 0.4)]
    rows += [row(0, {}, "turns", f"quantile={q}", v, 1.0) for q, v in ((0.05, 15.0), (0.5, 19.0), (0.95, 25.0))]
    rows += [row(0, {}, "turns_distribution", "", p, 0.012, x=15.0 + k) for k, p in enumerate(shares)]
    return _run(folder, rows, "turns")


def _ledger(folder: Path) -> Path:
    """Items drawn and used; one that nobody ever used."""
    told = (("sled", 1.9, 1.5), ("mittens", 1.6, 0.9), ("scarf", 1.2, 0.4), ("thermos", 0.8, 0.0))
    rows = [row(0, {}, "turns", "", 22.0, 0.5)]
    for name, drawn, used in told:
        rows += [row(0, {}, m, f"item={name}", v, 0.09 * v) for m, v in (("item_drawn", drawn), ("item_used", used))]
    return _run(folder, rows, "turns")


def _reach(folder: Path) -> Path:
    """A comparison that few games tell of."""
    told = json.loads((folders.compared(folder) / "manifest.json").read_text("utf-8"))
    for variant in told["variants"]:
        for part in ("touched", "flipped"):
            variant[part] |= {"low": variant[part]["share"] - 0.08, "high": variant[part]["share"] + 0.08}
    (folder / "manifest.json").write_text(json.dumps(told), "utf-8")
    return folder


def _moved(folder: Path) -> Path:
    """Two results: two units, each with a change that is seen and one that is not."""
    folder.mkdir()
    told = (
        ("win_share", "order=0", 0.25, 0.31, 0.03),
        ("win_share", "order=1", 0.25, 0.24, 0.03),
        ("turns", "", 22.0, 28.5, 1.2),
        ("rounds", "", 6.0, 6.1, 0.4),
    )
    rows = [
        (0, "{}", m, g, "", old, new, new - old, new - old - half, new - old + half, 1200, 1000, abs(new - old) / half)
        for m, g, old, new, half in told
    ]
    pl.DataFrame(rows, schema=difference.COLUMNS, orient="row").write_parquet(folder / difference.FILE)
    manifest = folders.manifest(
        "difference", [], 1, ("win_share", "turns", "rounds"), before={"name": "old"}, after={"name": "new"}
    )
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "findings.json").write_text("[]", "utf-8")
    return folder


def _board(told: dict[str, Any]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        _dots(folder)
        (folder / "board.json").write_text(json.dumps(told), "utf-8")
        return folder

    return make


CASES: dict[str, Case] = {
    "search": Case(search.KIND, _search),
    "lines": Case(lines.KIND, _lines),
    "scatter": Case(scatter.KIND, _scatter),
    "dots": Case(dots.KIND, _dots),
    "heat": Case(heat.KIND, _heat),
    "pairs": Case(pairs.KIND, _pairs),
    "curves": Case(curves.KIND, _curves),
    "distribution": Case(distribution.KIND, _distribution),
    "ledger": Case(ledger.KIND, _ledger),
    "town": Case(board.KIND, _board(folders.TOWN)),
    "rooms": Case(board.KIND, _board(folders.THEATER)),
    "changes": Case(changes.KIND, folders.compared),
    "reach": Case(changes.KIND, _reach, at=1),
    "moved": Case(None, _moved),
    "contract": Case(contract.KIND, folders.checked),
}


def drawn(name: str) -> Canvas:
    """The figure of a case."""
    case = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        made = case.make(Path(folder) / "result")
        figures = difference.figures(difference.read(made)) if case.kind is None else case.kind.plan(reports.read(made))
        return figures[case.at].draw()


def small(canvas: Canvas) -> Image.Image:
    """The file that a report would write, made smaller."""
    return smaller(Image.open(io.BytesIO(style.png(canvas)[0])).convert("RGB"))


def smaller(whole: Image.Image) -> Image.Image:
    """A picture of a report in the size of the kept images."""
    return whole.resize((round(whole.width / SMALLER), round(whole.height / SMALLER)), Image.Resampling.BOX)


def apart(one: Image.Image, other: Image.Image) -> float:
    """How far (0 to 255) the farthest place of either is from all that the other has there and up to NEAR pixels off.

    A place is the mean colour of a small square. So a letter or line that is drawn a pixel aside or sharper makes
    little difference, and one that is missing does. 255 where the sizes differ.
    """
    if one.size != other.size:
        return 255.0
    a, b = (_around(np.asarray(i.convert("RGB"), dtype=np.float64), PATCH).mean(axis=(-2, -1)) for i in (one, other))
    return float(max(_beyond(a, b).max(), _beyond(b, a).max()))


def _around(pixels: Pixels, reach: int) -> Pixels:
    """For each pixel the square of pixels around it, as far as it reaches."""
    wide = np.pad(pixels, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(wide, (2 * reach + 1, 2 * reach + 1), axis=(0, 1))


def _beyond(seen: Pixels, known: Pixels) -> Pixels:
    near = _around(known, NEAR)
    return np.maximum(seen - near.max(axis=(-2, -1)), near.min(axis=(-2, -1)) - seen)


if __name__ == "__main__":  # python -m tests.reports.figures.cases: draws all images anew
    for case_name in CASES:
        small(drawn(case_name)).save(IMAGES / f"{case_name}.png", optimize=True)
        print(IMAGES / f"{case_name}.png")
