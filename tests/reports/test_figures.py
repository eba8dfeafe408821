"""Which figures suit a result, what they say in words, and that each kind can be drawn."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from PIL import Image

import reports
from reports import style
from reports.figures import ALL, MOST, plan, undrawn
from reports.figures.figure import Figure, foot, panel_names
from reports.result import Factor, Result

Made = Callable[..., Path]


@pytest.fixture(scope="session")
def results(folders: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Result]:
    """``results("sweep")``: that folder, read; made once."""
    done: dict[str, Result] = {}

    def get(name: str, **options: Any) -> Result:
        key = name + json.dumps(options)
        if key not in done:
            done[key] = reports.read(getattr(folders, name)(tmp_path_factory.mktemp("read"), **options))
        return done[key]

    return get


def figures(result: Result) -> dict[str, Figure]:
    found, left = plan(result)
    assert len({f.key for f in found}) == len(found) and not left
    return {f.key: f for f in found}


def test_a_run_shows_groups_lengths_and_the_ledger(results: Callable[..., Result]) -> None:
    found = figures(results("run"))
    kinds = {key: f.kind for key, f in found.items()}
    assert kinds == {
        "win-share-by-seat": "dots",
        "win-share-by-order": "dots",
        "win-share-by-strategy": "dots",
        "win-share-by-cover": "dots",
        "turns-spread": "distribution",
        "item-item-drawn-item-used": "ledger",
        "event-event-drawn": "ledger",
        "component-component-peak": "ledger",
        "rule-rule-rate": "ledger",
    }
    assert "R12, R37 and R40" in found["rule-rule-rate"].caption
    assert "a fair share, 1 / 4" in found["win-share-by-order"].caption
    assert "largest seen" in found["component-component-peak"].caption


def test_a_sweep_shows_curves_and_maps(results: Callable[..., Result]) -> None:
    found = figures(results("sweep"))
    for metric in ("start-edge", "capped-rate", "turns"):
        assert found[f"{metric}-over-gear"].kind == "lines"
        assert found[f"{metric}-map-gear-players"].kind == "heat"
    assert found["win-share-by-order-over-gear"].wide
    caption = found["turns-over-gear"].caption
    assert "from the 5 % to the 95 % quantile" in caption and "n\u00a0=\u00a0100,000 each" in caption


def test_missing_cells_are_counted(results: Callable[..., Result]) -> None:
    found = figures(results("unfinished"))
    assert "2 fields without a number" in found["turns-map-gear-players"].caption


def test_one_factor_has_curves_and_maps_of_many_groups(results: Callable[..., Result]) -> None:
    found = figures(results("one_factor", full=True))
    assert found["win-share-map-cover-gear"].kind == "heat"
    assert found["turns-spread"].kind == "distribution" and "6 of 10 values of gear" in found["turns-spread"].caption
    assert not any(f.kind == "heat" and "players" in f.key for f in found.values())


def test_names_are_dots_and_scattered_cells_are_points(results: Callable[..., Result]) -> None:
    found = figures(results("categorical"))
    assert found and {f.kind for f in found.values()} == {"dots"}
    assert "One mark for each value of kids" in found["turns-by-ruling-new-hand-icon"].caption
    found = figures(results("scattered"))
    assert found and {f.kind for f in found.values()} == {"scatter"}


def test_a_number_that_is_the_same_everywhere_is_no_picture(results: Callable[..., Result]) -> None:
    found = figures(results("one_factor"))
    assert "capped-rate-over-gear" not in found


def test_seats_that_play_alike_are_not_compared(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.run(tmp_path)
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    told |= {"players": [], "strategies": {"all": "expert"}}
    (folder / "manifest.json").write_text(json.dumps(told), "utf-8")
    found = figures(reports.read(folder))
    assert "win-share-by-seat" not in found and "win-share-by-order" in found


def test_too_many_figures_are_named(folders: ModuleType, tmp_path: Path) -> None:
    lines = folders.grid([folders.GEAR])
    told = folders.manifest("sweep", [folders.GEAR], 10)
    told["metrics"] = {f"extra_{k}_rate": {"unit": "rate", "meaning": "", "headline": True} for k in range(40)}
    for cell, place in {c: p for c, p, _ in lines}.items():
        for k in range(40):
            value = 0.1 + 0.001 * (k + cell)
            lines.append(
                (cell, place, (f"extra_{k}_rate", "", "", None, value, value - 0.01, value + 0.01, 99, "Wilson"))
            )
    found, left = plan(reports.read(folders.write(tmp_path / "many", told, lines)))
    assert len(found) == MOST and len(left) == 10 and "Extra 39 rate over gear" in left


def test_levels_that_are_too_many_are_thinned_and_said(results: Callable[..., Result]) -> None:
    found = figures(results("big"))
    assert "5 of 20 values of locations.hedge.cover are drawn" in found["start-edge-over-gear"].caption
    assert "6 of 20 values" in found["turns-over-gear"].caption
    assert "of 20 values" not in found["start-edge-map-gear-locations-hedge-cover"].caption


NAMES = ("run", "sweep", "one_factor", "two_factors", "categorical", "scattered", "unfinished")


@pytest.mark.parametrize("name", NAMES)
def test_words_come_from_the_data(results: Callable[..., Result], name: str) -> None:
    """Every figure has a caption with n and intervals, and an alternative text with at least two numbers."""
    result = results(name)
    for figure in figures(result).values():
        assert figure.title in figure.alt
        assert sum(c.isdigit() for c in figure.alt) >= 2 and 40 < len(figure.alt) <= 900
        assert "n\u00a0=\u00a0" in figure.caption
        assert "nterval" in figure.caption
        assert figure.caption.endswith(".")


def test_an_alternative_text_in_full(results: Callable[..., Result]) -> None:
    result = results("one_factor")
    rows = {r.cell: r for r in result.grouped("start_edge", "")}
    alt = figures(result)["start-edge-over-gear"].alt
    first, last = (f"{100 * rows[cell].value:+.1f}\u202fpts at {place}" for cell, place in ((0, 1), (9, 10)))
    assert alt == f"Line plot. Start edge over gear. Start edge: {first}, {last}.".replace("-", "−")


@pytest.mark.parametrize("kind", [kind.name for kind in ALL if kind.name not in ("board", "pairs", "search", "curves")])
def test_each_kind_is_drawn(results: Callable[..., Result], kind: str) -> None:
    """Drawn without a warning (the tests turn warnings into errors), the same each time, dark on light."""
    source = {"scatter": "scattered", "dots": "categorical", "distribution": "run", "ledger": "run"}.get(kind, "sweep")
    figure = next(f for f in figures(results(source)).values() if f.kind == kind)
    whole, cut = style.png(figure.draw())
    again, _ = style.png(figure.draw())
    assert whole == again
    picture, inner = Image.open(io.BytesIO(whole)).convert("L"), Image.open(io.BytesIO(cut)).convert("L")
    assert picture.width == inner.width and inner.height < picture.height
    histogram = picture.histogram()
    assert sum(histogram[250:]) > 0.2 * picture.width * picture.height
    assert sum(histogram[:128]) > 500
    drawing = style.svg(figure.draw())
    assert drawing == style.svg(figure.draw()) and b"<svg" in drawing and b"<dc:date>" not in drawing


def test_nothing_is_drawn_over_the_edge(results: Callable[..., Result]) -> None:
    """The outermost pixels of each figure are paper: no label is cut off."""
    seen = set()
    for name in ("run", "sweep", "categorical", "scattered", "hostile"):
        for figure in figures(results(name)).values():
            if (figure.kind, figure.wide, name == "hostile") in seen:
                continue
            seen.add((figure.kind, figure.wide, name == "hostile"))
            picture = Image.open(io.BytesIO(style.png(figure.draw())[0])).convert("L")
            for edge in ((0, 0, 3, picture.height), (picture.width - 3, 0, picture.width, picture.height)):
                assert min(picture.crop(edge).tobytes()) > 200, (name, figure.key, edge)


def test_numbers_of_a_figure_are_those_of_the_table(results: Callable[..., Result]) -> None:
    result = results("one_factor")
    numbers = figures(result)["start-edge-over-gear"].numbers
    assert numbers is not None
    assert numbers.head == ("gear", "Start edge", "interval", "n")
    for line, row in zip(numbers.rows, result.grouped("start_edge", ""), strict=True):
        assert row.low is not None and row.high is not None
        shown = [line[1].removesuffix("\u202fpts"), *line[2].split(" to ")]
        numbers_shown = [float(text.replace("−", "-")) for text in shown]
        assert numbers_shown == pytest.approx([100 * row.value, 100 * row.low, 100 * row.high], abs=0.051)
        assert line[3] == "100,000"


def test_rows_without_interval_are_drawn(folders: ModuleType, tmp_path: Path) -> None:
    for make in (folders.run, folders.categorical):
        folder = make(tmp_path / make.__name__)
        table = pl.read_parquet(folder / "cells.parquet")
        table.with_columns(low=None, high=None, n=None).write_parquet(folder / "cells.parquet")
        for figure in figures(reports.read(folder)).values():
            assert "Without intervals" in figure.caption
            style.png(figure.draw())


# --- the fair share ---------------------------------------------------------------------------------------------------


def capped(folder: Path, folders: ModuleType, factors: list[tuple[str, list[int]]], rate: float) -> Result:
    """A result in which nobody wins a share of the games."""
    lines = []
    for cell, place, line in folders.grid(factors, names=("random", "expert")):
        metric, group, group2, x, value, low, high, n, method = line
        if metric == "win_share":
            value, low, high = (end * (1 - rate) for end in (value, low, high))
        elif metric == "capped_rate":
            value, low, high = rate, rate - 0.001, rate + 0.001
        lines.append((cell, place, (metric, group, group2, x, value, low, high, n, method)))
    kind = "sweep" if factors else "run"
    return reports.read(folders.write(folder, folders.manifest(kind, factors, max(len(factors), 1) * 2), lines))


def test_fair_is_what_is_won_at_all(folders: ModuleType, tmp_path: Path) -> None:
    result = capped(tmp_path, folders, [], 0.2)
    assert result.fair(0) == pytest.approx(0.2, abs=0.003)
    found = figures(result)
    for key in ("win-share-by-order", "win-share-by-strategy"):
        assert "a fair share, 20." in found[key].caption or "a fair share, 19." in found[key].caption
        assert "1 / 4" not in found[key].caption
        found[key].draw()


def test_lines_show_what_is_won_at_all(folders: ModuleType, tmp_path: Path) -> None:
    result = capped(tmp_path, folders, [("gear", [1, 2])], 0.2)
    figure = figures(result)["win-share-by-order-over-gear"]
    assert "less where games were broken off" in figure.caption
    assert result.fair(1) == pytest.approx(0.2, abs=0.003)
    figure.draw()


def test_fair_without_capped_games_is_one_over_the_players(results: Callable[..., Result]) -> None:
    result = results("run")
    assert result.fair(0) == 1 / 4


def test_an_automaton_has_its_fair_share_too(folders: ModuleType, tmp_path: Path) -> None:
    """Three players and the automaton: a quarter each; with a fifth of the games won by nobody, a fifth."""
    told = folders.manifest("run", [], 1) | {"given": {"players": 3}}
    for capped_rate, share in ((0.0, 0.25), (0.2, 0.2)):
        lines = [(0, {}, ("capped_rate", "", "", None, capped_rate, 0.0, 1.0, 6000, "Wilson"))]
        lines += [
            (0, {}, ("win_share", f"seat={k}", "", None, share + by, 0.0, 1.0, 6000, "Wilson"))
            for k, by in enumerate((0.01, 0.02, 0.03))
        ]
        lines.append((0, {}, ("automaton_win_share", "", "", None, share - 0.06, 0.0, 1.0, 6000, "Wilson")))
        result = reports.read(folders.write(tmp_path / f"{capped_rate}", told, lines))
        assert result.contestants(0) == 4 and result.fair(0) == pytest.approx(share)
    whole = reports.read(tmp_path / "0.0")
    assert "a fair share, 1 / 4" in figures(whole)["win-share-by-seat"].caption


def test_letters_stand_out_on_every_colour() -> None:
    def light(color: tuple[float, ...]) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for step in range(101):
        paper = (step / 100,) * 3
        name = style.ink_on(paper)
        ink = (1.0, 1.0, 1.0) if name == "white" else tuple(int(name[k : k + 2], 16) / 255 for k in (1, 3, 5))
        low, high = sorted((light(paper), light(ink)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_axes_of_shares_end_at_nothing_and_at_all() -> None:
    assert style.bounded(-0.5, 1.9, 0.1, 1.5, percent=True) == (0.0, 1.9)
    assert style.bounded(-1.0, 1.0, 0.0, 0.1, percent=True) == (0.0, 2.0)
    assert style.bounded(96.0, 101.0, 97.0, 100.0, percent=True) == (96.0, 100.0)
    assert style.bounded(-3.0, 5.0, -2.0, 4.0, percent=False) == (-3.0, 5.0)


def test_long_headings_of_panels_share_what_they_have_in_common() -> None:
    assert panel_names(Factor("gear", (2, 3)), (2, 3)) == ("", ["gear = 2", "gear = 3"])
    names = ("lowest_cover", "highest_cover_of_all")
    assert panel_names(Factor("first_player", names), names) == ("first player:", list(names))


def test_win_shares_over_players_are_distances_from_the_fair_share(folders: ModuleType, tmp_path: Path) -> None:
    factors = [("players", (2, 3, 4))]
    result = reports.read(
        folders.write(tmp_path / "players", folders.manifest("sweep", factors, 3), folders.grid(factors, full=True))
    )
    found = figures(result)
    lines = found["win-share-by-order-over-players"]
    assert lines.title.startswith("Win share minus fair share") and "0 is fair" in lines.caption
    assert lines.metric.unit == "points" and lines.numbers is not None
    first = next(r for r in result.grouped("win_share", "order") if r.cell == 0)
    told = next(line for line in lines.numbers.rows if line[0] == "2" and line[1] == "1st to play")
    assert float(told[2].split("\u202f")[0].replace("−", "-")) == pytest.approx(100 * (first.value - 0.5), abs=0.051)
    assert found["win-share-map-cover-players"].title.startswith("Win share minus fair share")


def test_a_rate_of_nothing_is_named_and_not_drawn(results: Callable[..., Result]) -> None:
    assert "Capped rate (0" in undrawn(results("one_factor"))["capped_rate"]
    assert undrawn(results("run")) == {} and "turns" not in undrawn(results("sweep"))


def test_every_spread_has_its_numbers_and_names_its_lines(results: Callable[..., Result]) -> None:
    for name in ("run", "one_factor"):
        options = {"full": True} if name == "one_factor" else {}
        figure = figures(results(name, **options))["turns-spread"]
        assert figure.caption.startswith("Share of games by turns in a game.")
        assert "5\u202f% quantile, median and 95\u202f% quantile" in figure.caption
        assert figure.numbers is not None and len(figure.numbers.rows) > 20
        assert all(len(line) == len(figure.numbers.head) for line in figure.numbers.rows)


def test_what_was_drawn_is_not_called_never(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.run(tmp_path)
    table = pl.read_parquet(folder / "cells.parquet")
    unused = (pl.col("metric") == "item_used") & (pl.col("group") == "item=scarf")
    zero = [pl.when(unused).then(0.0).otherwise(pl.col(c)).alias(c) for c in ("value", "low", "high")]
    table.with_columns(zero).write_parquet(folder / "cells.parquet")
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    told["metrics"]["item_used"]["unit"] = "per draw"
    (folder / "manifest.json").write_text(json.dumps(told), "utf-8")
    figure = figures(reports.read(folder))["item-item-used"]
    assert "Never" not in figure.caption and "scarf" in str(figure.numbers)


def test_a_png_alone_says_what_is_held_and_who_plays(results: Callable[..., Result]) -> None:
    first, second = foot(results("run"), []).split("\n")
    assert first.startswith("Held still: players = 4") and "expert" in first
    assert second.startswith("The Great Snowball Battle")
