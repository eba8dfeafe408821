"""The house style of figures: colours that the colour-blind tell apart, markers and dashes for grey, direct labels."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from reports.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK, SOFT, FAINT, GRID, PAPER = "#1b2430", "#55606e", "#8b95a1", "#e3e7ec", "#ffffff"
ACCENT = "#0b5fa5"
# at least 3:1 on white, told apart by the colour-blind, and of different lightness where they stand side by side
PALETTE = ("#0b5fa5", "#d1600c", "#00785a", "#a3458f", "#1b2430", "#a87b00", "#3d93c4")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.6)),
    (0, (1.4, 1.4)),
    (0, (7, 1.6, 1.4, 1.6)),
    (0, (3, 1.2)),
    (0, (9, 2)),
    (0, (5, 1.4, 1.4, 1.4, 1.4, 1.4)),
)
FAIR = (0, (2, 2))

DPI, WIDE_DPI = 192, 160  # about two dots a CSS pixel, as the page shows them
CUT = 0.85  # of the strips, what the page cuts off: a little air stays
WIDTH, WIDE = 5.5, 10.5  # inches: one column of the page, and both
TITLE, FOOT = 0.52, 0.44  # inches kept free above and below, for the PNG's own title and footnote; cut off in the page
POINTS = 72.0
LETTERS = 135.0  # letters of one point that fit into an inch; at 10 points 13

RC: Any = {
    "font.size": 10,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.8,
    "axes.labelcolor": SOFT,
    "axes.labelsize": 10,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.titlepad": 6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "errorbar.capsize": 0,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "path",
    "svg.hashsalt": "doomtrack",
    "path.simplify": True,
}

# after DejaVu Sans, which comes with matplotlib: fonts that know other scripts, used where the machine has them
OTHER_SCRIPTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "WenQuanYi Zen Hei",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Emoji",
    "Symbola",
)
MISSING = "\u25a1"  # what stands for a character that no font at hand can draw


@dataclass(frozen=True)
class Look:
    """How one series is drawn."""

    color: Any
    marker: str
    dash: Any


@cache
def fonts() -> tuple[tuple[str, ...], frozenset[int]]:
    """The font families to use, and the code points that they can draw."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    names = ["DejaVu Sans"]
    paths: list[Any] = [font_manager.findfont("DejaVu Sans")]
    known = {entry.name: entry.fname for entry in font_manager.fontManager.ttflist}
    for name in OTHER_SCRIPTS:
        if name in known:
            names.append(name)
            paths.append(known[name])
    points: set[int] = set()
    for path in paths:
        points.update(FT2Font(path).get_charmap())
    return tuple(names), frozenset(points)


def label(text: str, width: int = 28) -> str:
    """A name for use inside a figure: one line, cut to width, with a box for what no font can draw."""
    points = fonts()[1]
    flat = "".join(c if ord(c) in points else MISSING for c in plain(text, width))
    while MISSING * 3 in flat:
        flat = flat.replace(MISSING * 3, MISSING * 2)
    return flat


def wrapped(text: str, width: int, lines: int = 3) -> str:
    """A name on several lines, for the side of a small panel; a unit in brackets begins a line."""
    name, bracket, unit = label(text, width * lines).partition(" (")
    if len(name + bracket + unit) <= width:
        return name + bracket + unit
    parts = textwrap.wrap(name, width) + (textwrap.wrap(f"({unit}", width) if unit else [])
    return "\n".join(parts[:lines])


@contextmanager
def house() -> Iterator[None]:
    """The house style, for the time of one figure."""
    import matplotlib

    with matplotlib.rc_context({**RC, "font.family": list(fonts()[0])}):
        yield


def canvas(
    rows: int = 1, columns: int = 1, *, width: float = WIDTH, height: float = 3.4, **options: Any
) -> tuple[Canvas, list[Axes]]:
    """A figure of rows x columns panels; width and height in inches: of the panels, without title and footnote."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    total = height + TITLE + FOOT
    figure = Figure(figsize=(width, total), dpi=DPI if width < WIDE else WIDE_DPI)
    FigureCanvasAgg(figure)
    figure.set_layout_engine("constrained", rect=(0.0, FOOT / total, 1.0, height / total), w_pad=0.06, h_pad=0.06)
    axes = list(figure.subplots(rows, columns, squeeze=False, **options).ravel())
    for ax in axes:
        # a fixed number of ticks: matplotlib's own choice depends on the resolution: SVG and PNG would differ
        ax.xaxis.set_major_locator(MaxNLocator(7 if columns == 1 else 5, steps=(1, 2, 2.5, 5, 10)))
        ax.yaxis.set_major_locator(MaxNLocator(6 if rows == 1 else 5, steps=(1, 2, 2.5, 5, 10)))
    return figure, axes


def looks(size: int, *, ordered: bool = False) -> list[Look]:
    """Size looks: the palette, or for values on a number line dark to light, so that grey keeps their order."""
    colors: Sequence[Any] = PALETTE
    if ordered and size > 1:
        import matplotlib

        shades = matplotlib.colormaps["plasma"]
        colors = [shades(0.02 + 0.64 * i / (size - 1)) for i in range(size)]
    return [Look(colors[i % len(colors)], MARKERS[i % len(MARKERS)], DASHES[i % len(DASHES)]) for i in range(size)]


def beside(axes: Axes, y: float, text: str, *, size: float = 9) -> None:
    """Text at the right of the axes, at a height of the data."""
    axes.annotate(
        text,
        (1.0, y),
        xycoords=axes.get_yaxis_transform(),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        fontsize=size,
    )


def end_labels(axes: Axes, ends: Sequence[tuple[float, float, str, Look]], *, x: float | None = None) -> None:
    """Names the series at the right of the axes: its marker, its name, and a thin line to its last point (x, y).

    The names keep their distance from each other; call when all panels are drawn, before the figure is laid out last.
    """
    figure = axes.figure
    ends = sorted(ends, key=lambda e: e[1])
    to_points = axes.transData.transform
    box = axes.get_window_extent()
    dpi = figure.dpi
    gap = 12.5 * dpi / POINTS
    wished = [float(to_points((0, e[1]))[1]) for e in ends]
    places = spread(wished, gap, box.y0 + 0.3 * gap, box.y1 - 0.3 * gap)
    trans = axes.get_yaxis_transform()
    for (px, py, name, look), place in zip(ends, places, strict=True):
        y = axes.transData.inverted().transform((0, place))[1]
        start = axes.transAxes.inverted().transform(to_points((px, py)))[0]
        axes.plot(
            [min(start, 1.0), 1.025, 1.045],
            [py, y, y],
            transform=trans,
            color=look.color,
            lw=0.7,
            alpha=0.7,
            clip_on=False,
            zorder=1,
        )
        axes.plot([1.055], [y], transform=trans, color=look.color, marker=look.marker, ms=4.5, ls="none", clip_on=False)
        axes.annotate(
            name, (1.055, y), xycoords=trans, xytext=(6, 0), textcoords="offset points", va="center", fontsize=9.5
        )


def numerals(axes: Axes, marks: Sequence[tuple[float, float, str, str, float]]) -> None:
    """Many short texts, each (x, y, text, colour, size in points), centred at their places, as one collection.

    matplotlib lays out and draws each text apart, a millisecond each: seconds for a heat map of 500 fields.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.transforms import Affine2D

    paths, places, colors = [], [], []
    for x, y, text, color, size in marks:
        left = -sum(glyph(c, size)[1] for c in text) / 2
        for char in text:
            drawn, advance = glyph(char, size)
            if len(drawn.vertices):
                paths.append(Affine2D().translate(left, -0.36 * size).transform_path(drawn))
                places.append((x, y))
                colors.append(color)
            left += advance
    if paths:
        to_pixels = Affine2D().scale(1 / POINTS) + axes.figure.dpi_scale_trans
        drawing = PathCollection(
            paths, offsets=places, offset_transform=axes.transData, facecolors=colors, lw=0, zorder=3
        )
        drawing.set_transform(to_pixels)
        drawing.set_in_layout(False)
        axes.add_collection(drawing, autolim=False)


@cache
def glyph(char: str, size: float) -> tuple[Any, float]:
    """The outline of a character in points, and how far it moves the next one on."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath, text_to_path

    font = FontProperties(family="DejaVu Sans", size=size)
    width = text_to_path.get_text_width_height_descent(char, font, ismath=False)[0]
    return TextPath((0, 0), char, size=size, prop=font), float(width)


def ink_on(color: Sequence[float]) -> str:
    """Dark or white letters, whichever stand out more on a colour (red, green, blue from 0 to 1): 4.5 to 1 at least.

    The ratio is that of WCAG. On a middle tone neither the house's ink nor white reaches it; black does.
    """
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    light = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    dark, white = (light + 0.05) / 0.066, 1.05 / (light + 0.05)
    if max(dark, white) < 4.5:
        return "#000000"
    return INK if dark > white else "white"


def spread(wished: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near the wished ones (ascending), gap apart and inside low..high where they fit."""
    if not wished:
        return []
    if gap * (len(wished) - 1) > high - low:
        gap = max(high - low, 0.0) / max(len(wished) - 1, 1)
    blocks: list[list[float]] = []  # [centre of the block, members]
    for w in wished:
        blocks.append([w, 1.0])
        while True:
            centre, size = blocks[-1]
            reach = gap * (size - 1) / 2
            centre = min(max(centre, low + reach), high - reach)
            blocks[-1][0] = centre
            if len(blocks) < 2:
                break
            before, members = blocks[-2]
            if centre - reach - (before + gap * (members - 1) / 2) >= gap - 1e-9:
                break
            blocks.pop()
            blocks[-1] = [(before * members + centre * size) / (members + size), members + size]
    return [c + gap * (k - (m - 1) / 2) for c, m in blocks for k in range(int(m))]


def finish(figure: Canvas, title: str, foot: str) -> None:
    """Puts title and footnote (its lines) into the strips that the PNG shows and the page cuts off."""
    width, height = figure.get_size_inches()
    room = width - 0.2
    fits = [s for s in (12.0, 10.0, 9.0) if len(title) <= room * LETTERS / s * 0.86]  # bold letters are wider
    size = fits[0] if fits else 9.0
    short = label(title, int(room * LETTERS / size * 0.86))
    figure.text(0.10 / width, 1 - 0.12 / height, short, fontsize=size, fontweight="bold", va="top", ha="left")
    for up, line in enumerate(reversed(foot.split("\n"))):
        figure.text(
            0.10 / width,
            (0.09 + 0.14 * up) / height,
            label(line, int(room * LETTERS / 7.5)),
            fontsize=7.5,
            color=SOFT,
            va="bottom",
            ha="left",
        )


def heading(axes: Axes, text: str, up: float = 22) -> None:
    """One heading above the titles of all panels, from the left end of the first."""
    axes.annotate(
        label(text, 60),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, up),
        textcoords="offset points",
        fontsize=9.5,
        color=SOFT,
    )


def bounded(low: float, high: float, least: float, most: float, *, percent: bool) -> tuple[float, float]:
    """The ends of an axis, not below 0 where nothing drawn is (least, most), and of percent not above 100.

    What is cut off at one end is added at the other, so that a flat line stays flat.
    """
    if least >= -1e-9 and low < 0:
        low, high = 0.0, max(high - low if high - low <= 2.0 and percent else high, 1e-9)
    if percent and most <= 100 + 1e-9 and high > 100:
        low, high = min(low, 100 - min(high - low, 2.0)), 100.0
    return low, high


def lay_out(figure: Canvas) -> None:
    """Places the axes, without drawing them: enough to compute where labels go."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def settle(figure: Canvas) -> None:
    """Lays the figure out for the last time, so that saving it costs no other layout.

    The solver of the layout may differ in the last digits from time to time: places are rounded, so that the same
    numbers give the same drawing.
    """
    lay_out(figure)
    figure.set_layout_engine("none")
    for axes in figure.axes:
        if axes.get_axes_locator() is None:
            left, bottom, width, height = (round(v, 6) for v in axes.get_position(original=True).bounds)
            axes.set_position((left, bottom, width, height))


def svg(figure: Canvas) -> bytes:
    """The figure for the page as SVG, without the title strip and the footnote; without comments and metadata."""
    from matplotlib.transforms import Bbox

    width, height = figure.get_size_inches()
    inner = Bbox([[0, FOOT * CUT], [width, height - TITLE * CUT]])
    buffer = io.BytesIO()
    with house():
        figure.savefig(buffer, format="svg", bbox_inches=inner, metadata={"Date": None, "Creator": None})
    return re.sub(rb"<!--.*?-->\s*|<metadata>.*?</metadata>\s*", b"", buffer.getvalue(), flags=re.DOTALL)


def png(figure: Canvas) -> tuple[bytes, bytes]:
    """The figure as PNG: whole, with title and footnote, and cut for the page, without them. Drawn once.

    256 colours are a third of the size, and no difference that an eye sees.
    """
    from PIL import Image

    dpi = figure.dpi
    surface: Any = figure.canvas
    with house():
        surface.draw()
    whole = Image.frombuffer("RGBA", surface.get_width_height(), bytes(surface.buffer_rgba())).convert("RGB")
    flat = whole.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    cut = flat.crop((0, round(TITLE * CUT * dpi), flat.width, flat.height - round(FOOT * CUT * dpi)))
    return _png(flat), _png(cut)


def _png(image: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", compress_level=7)
    return buffer.getvalue()
