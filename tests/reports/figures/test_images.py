"""Each kind of figure looks as its kept image; a figure that lacks one interval, label or band does not."""

import io
from functools import cache
from typing import Any

import pytest
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.text import Text
from PIL import Image, ImageChops

from reports import style
from reports.figures import ALL, OWN
from tests.reports.figures import cases

PARTS: dict[str, tuple[type, ...]] = {
    "interval": (LineCollection, PolyCollection),
    "label": (Text,),
    "band, bar or field": (Rectangle, FancyBboxPatch),
    "axis": (Axis,),
}


@cache
def kept(name: str) -> Image.Image:
    return Image.open(cases.IMAGES / f"{name}.png").convert("RGB")


@pytest.mark.parametrize("name", cases.CASES)
def test_figures_look_as_their_images(name: str, tmp_path: Any) -> None:
    now = cases.small(cases.drawn(name))
    now.save(tmp_path / "now.png")
    difference = cases.apart(kept(name), now)
    assert difference <= cases.MOST, (
        f"{name} looks different by {difference:g} of 255: compare {tmp_path / 'now.png'} with images/{name}.png; "
        "if that is meant, `make images` and look at what has changed"
    )


def test_every_kind_has_an_image() -> None:
    known = {kind.name for kind in (*ALL, *(kind for kinds in OWN.values() for kind in kinds))}
    assert known == {case.kind.name for case in cases.CASES.values() if case.kind}, (
        "a kind of figure without a case in cases.py"
    )
    files = {path.stem for path in cases.IMAGES.iterdir()}
    assert files == set(cases.CASES), "`make images` draws the image of a new case"
    assert sum(path.stat().st_size for path in cases.IMAGES.iterdir()) < 1_000_000


@pytest.mark.parametrize("name", cases.CASES)
def test_what_is_missing_is_noticed(name: str) -> None:
    canvas = cases.drawn(name)
    artists = [
        a
        for axes in canvas.axes
        for a in axes.get_children()
        if a.get_visible() and a is not axes.patch and (axes.axison or not isinstance(a, Axis))
    ]
    for part, kinds in PARTS.items():
        mine = [a for a in artists if isinstance(a, kinds) and not (isinstance(a, Text) and not a.get_text())]
        for artist in mine[-1:] if part == "label" else mine[:1]:
            artist.set_visible(False)
            assert cases.apart(kept(name), cases.small(canvas)) > cases.MOST, f"{part}: {artist}"
            artist.set_visible(True)


def test_wider_intervals_are_noticed() -> None:
    canvas = cases.drawn("dots")
    (axes,) = canvas.axes
    interval = next(a for a in axes.collections if isinstance(a, LineCollection))
    before = interval.get_segments()
    interval.set_segments([[(x + (0.4 if k else -0.4), y) for k, (x, y) in enumerate(s)] for s in before])
    assert cases.apart(kept("dots"), cases.small(canvas)) > cases.MOST


@pytest.mark.parametrize("name", ["dots", "heat", "lines"])
def test_a_pixel_aside_makes_no_difference(name: str) -> None:
    whole = Image.open(io.BytesIO(style.png(cases.drawn(name))[0])).convert("RGB")
    for aside in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        assert cases.apart(kept(name), cases.smaller(ImageChops.offset(whole, *aside))) <= cases.MOST
