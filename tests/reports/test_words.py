"""Numbers and names as the page and the figures write them."""

import math

import pytest

from reports import style, words
from reports.result import Metric, Row


def row(value: float, low: float | None = None, high: float | None = None, n: float | None = None) -> Row:
    return Row(0, "m", "", "", None, value, low, high, n, "Wilson" if low is not None else "")


SHARE, EDGE, TURNS = (
    words.measure(Metric(name, name, unit)) for name, unit in (("tie_rate", ""), ("start_edge", ""), ("turns", "turns"))
)


def test_shares_are_percent_and_differences_points() -> None:
    assert words.shown(0.2534, SHARE, 1) == "25.3\u202f%"
    assert words.shown(-0.0047, EDGE, 1) == "−0.5\u202fpts"
    assert words.shown(0.0123, EDGE, 2) == "+1.23\u202fpts"
    assert words.shown(1234.5678, TURNS, 2) == "1,234.57"
    assert words.shown(None, TURNS, 2) == "–"
    assert words.measure(Metric("x", "X", "probability")).factor == 100
    assert words.measure(Metric("hits_per_throw", "Hits", "")).factor == 1
    assert words.measure(Metric("turns_distribution", "Turns", "turns")).axis == "%"


def test_no_minus_zero() -> None:
    assert words.number(-0.00001, 2) == "0.00"
    assert words.number(-0.00001, 2, signed=True) == "0.00"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.1, 0.2, "10.0–20.0"),
        (-0.1, 0.2, "−10.0 to 20.0"),
        (None, None, ""),
        (0.21, None, "at least 21.0"),
        (None, 0.5, "at most 50.0"),
    ],
)
def test_intervals(low: float | None, high: float | None, text: str) -> None:
    assert words.interval(low, high, SHARE, 1) == text


@pytest.mark.parametrize(("half", "places"), [(3.0, 0), (0.3, 1), (0.05, 2), (0.0004, 4), (1e-9, 4)])
def test_decimals_follow_the_interval(half: float, places: int) -> None:
    assert words.digits([row(20, 20 - half, 20 + half)], 1.0) == places


def test_decimals_without_intervals() -> None:
    assert words.digits([row(3), row(41)], 1.0) == 0
    assert words.digits([row(0.123)], 1.0) == 3
    assert words.digits([row(0)], 100.0) == 1
    assert words.digits([], 1.0) == 0


def test_what_a_caption_says() -> None:
    rows = [row(0.5, 0.4, 0.6, 100), row(0.5, 0.45, 0.55, 400)]
    assert words.counts(rows) == "n\u00a0=\u00a0100 to 400"
    assert words.widest([row(0.5, 0.375, 0.625), *rows], SHARE) == "±12\u202fpts"
    assert words.methods(rows) == "Wilson"
    assert words.sentence("one", "", "n\u00a0=\u00a05", "Three.") == "One. n\u00a0=\u00a05. Three."
    assert words.listing(["a", "b", "c"]) == "a, b and c"
    assert words.listing(["a"]) == "a" and words.listing([]) == ""


def test_levels_and_settings() -> None:
    assert [words.level(v) for v in (True, None, 3, 0.10, -2, 12345, "x", [1])] == [
        "on",
        "none",
        "3",
        "0.1",
        "−2",
        "12,345",
        "x",
        "[1]",
    ]
    assert [words.setting(v) for v in (True, None, 3.0, 0.1, "a b")] == ["on", "null", "3", "0.1", "a b"]
    assert words.setting_in("locations.hedge.cover", 12, 22) == "…ions.hedge.cover = 12"
    assert len(words.setting_in("a" * 90, "b" * 90, 26)) <= 26


def test_names_are_cut_and_cleaned() -> None:
    assert words.tidy("a\nb\tc\u202ed\x00  e", 20) == "a b cd e"
    assert words.tidy("x" * 50, 10) == "x" * 9 + "…"
    assert words.clean("\u202fnarrow\u00a0spaces stay") == "\u202fnarrow\u00a0spaces stay"
    assert style.label("snow \U0001f525\ufe0f", 20).startswith("snow ")


def test_labels_keep_their_distance() -> None:
    wished = [1.0, 1.0, 1.1, 5.0, 9.9, 10.0]
    places = style.spread(wished, 1.0, 0.0, 10.0)
    assert all(b - a >= 1 - 1e-9 for a, b in zip(places, places[1:], strict=False))
    assert places[0] >= 0 and places[-1] <= 10
    assert style.spread([5.0], 1.0, 0.0, 10.0) == [5.0]
    crowded = style.spread([5.0] * 30, 1.0, 0.0, 10.0)
    assert crowded[0] == pytest.approx(0) and crowded[-1] == pytest.approx(10)
    assert style.spread([], 1.0, 0.0, 1.0) == []


def contrast(color: str) -> float:
    """The contrast ratio to white (WCAG 2)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 1.05 / (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)


def test_colours_stand_out_on_white() -> None:
    assert all(contrast(c) >= 3 for c in style.PALETTE)
    assert contrast(style.INK) >= 7 and contrast(style.SOFT) >= 4.5
    assert len(set(style.MARKERS)) == len(style.PALETTE) == len(style.DASHES)


def test_ordered_series_grow_lighter() -> None:
    lights = [
        0.2126 * look.color[0] + 0.7152 * look.color[1] + 0.0722 * look.color[2]
        for look in style.looks(6, ordered=True)
    ]
    assert lights == sorted(lights) and math.isfinite(lights[0])
