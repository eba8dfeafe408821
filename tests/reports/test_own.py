"""Reports of comparisons, contracts and searches: figures and tables have the folder's numbers, names stay names."""

import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import reports
from reports import changes, contract, search, style, targets
from reports.figures import plan
from reports.figures.dots import tiers
from reports.figures.figure import Figure
from reports.result import Metric, Result, Row

Made = Callable[..., Path]
Folder = Callable[..., Result]


@pytest.fixture(scope="module")
def result(folders: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """``result("compared", ...)``: that folder, read."""
    done: dict[str, Result] = {}

    def get(name: str, **options: Any) -> Result:
        key = name + json.dumps(options)
        if key not in done:
            done[key] = reports.read(getattr(folders, name)(tmp_path_factory.mktemp("decided"), **options))
        return done[key]

    return get


def figures(found: Result) -> dict[str, Figure]:
    return {f.key: f for f in plan(found)[0]}


def real(text: str) -> float:
    return float(re.sub(r"[^\d.+-]", "", text.replace("−", "-")))


class Page(HTMLParser):
    """Elements, and the cells of the tables of one class."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def raw(self) -> list[list[Any]]:
        return [json.loads(a["data-raw"]) for _, a in self.elements if "data-raw" in a]


def page(folder: Path) -> Page:
    return Page((folder / "report.html").read_text("utf-8"))


# --- comparisons ------------------------------------------------------------------------------------------------------


def test_differences_are_those_of_the_table(result: Folder) -> None:
    found = result("compared")
    figure = figures(found)["changes-gear-4-gear-5"]
    assert found.changes is not None and figure.numbers is not None
    table = {(r["metric"], r["group"], r["against"]): r for r in found.changes.iter_rows(named=True)}
    seen = set()
    for name, variant, change, ends, unit, n in figure.numbers.rows:
        metric = {"Start edge": "start_edge", "Turns": "turns", "Lead changes": "lead_changes"}.get(name, "win_share")
        group = f"order={'1234'.index(name[11])}" if metric == "win_share" else ""
        row = table[metric, group, variant]
        scale = 100 if unit == "percentage points" else 1
        assert [real(change), *map(real, ends.split(" to "))] == pytest.approx(
            [scale * row[k] for k in ("change", "low", "high")], abs=0.06
        )
        assert n == "12,000"
        seen.add((metric, group, variant))
    assert len(seen) == 2 * 7  # items are no headline that is drawn
    reach = figures(found)["changes-reach"]
    assert reach.numbers is not None and reach.numbers.rows[1] == (
        "gear=5",
        "50.0\u202f% (49.0–51.0)",
        "20.0\u202f% (19.0–21.0)",
    )
    assert "intervals (Wilson)" in reach.caption and "n\u00a0=\u00a012,000 to 24,000" in reach.caption
    assert "the margin of --until, for Start edge only" in figure.caption
    assert "paired sequence" in figure.caption and "n\u00a0=\u00a012,000" in figure.caption


def test_the_tables_of_changes_hold_all(made: Made) -> None:
    folder = made("compared")
    rows = page(folder).raw()
    table = pl.read_parquet(folder / "changes.parquet")
    names = [
        "against",
        "metric",
        "group",
        "group2",
        "base",
        "variant",
        "change",
        "low",
        "high",
        "n",
        "unpaired",
        "method",
    ]
    assert sorted(map(str, rows)) == sorted(
        str([float(v) if isinstance(v, int) else v for v in r]) for r in table.select(names).iter_rows()
    )
    words = " ".join("".join(page(folder).words).split())
    assert "50.0 % (49.0–51.0) of the games are touched at all; 20.0 % (19.0–21.0) end with another result" in words
    assert "▲ larger" in words and "doomtrack trace snowball --game 5" in words


def test_over_strategies_what_holds_and_what_flips(result: Folder, made: Made) -> None:
    found = figures(result("compared", strategies=["greedy", "expert"]))
    drawn = [f for key, f in found.items() if key.startswith("changes-gear")]
    assert len(drawn) == 2 and all("One mark for each strategy: greedy and expert" in f.caption for f in drawn)
    assert all(f.numbers is not None and {row[1] for row in f.numbers.rows} == {"greedy", "expert"} for f in drawn)
    words = " ".join(" ".join(page(made("compared", strategies=["greedy", "expert"])).words).split())
    assert "With all" in words and "Lead changes lowered raised flips" in words


def test_many_variants_have_a_figure_each(result: Folder) -> None:
    found = [key for key in figures(result("compared", many=7)) if key.startswith("changes-gear")]
    assert len(found) == 7


@pytest.mark.parametrize("wrong", ["missing", "column", "broken", "empty"])
def test_changes_that_cannot_be_read_are_said(folders: ModuleType, tmp_path: Path, wrong: str) -> None:
    folder = folders.compared(tmp_path / "r")
    path = folder / "changes.parquet"
    if wrong == "missing":
        path.unlink()
    elif wrong == "column":
        pl.read_parquet(path).drop("change", "n").write_parquet(path)
    elif wrong == "broken":
        path.write_bytes(b"no parquet")
    else:
        pl.read_parquet(path).head(0).write_parquet(path)
    words = Page(reports.render(folder).read_text("utf-8")).words
    said = {
        "missing": "changes.parquet is not there",
        "column": "changes.parquet lacks the columns 'change', 'n', so the changes are missing here.",
        "broken": "changes.parquet cannot be read",
        "empty": "All cells",
    }
    assert any(said[wrong] in w for w in words)
    assert {f.kind for f in plan(reports.read(folder))[0]} & {"dots", "lines"}  # the sides are still drawn


# --- contracts --------------------------------------------------------------------------------------------------------


def test_every_line_has_verdict_number_and_command(made: Made) -> None:
    folder = made("checked")
    found = page(folder)
    words = " ".join("".join(found.words).split())
    for said in ("✗ FAIL", "? UNDECIDED", "✓ PASS", "26.0 turns", "25.0–27.0", "at most 20 turns", "nothing measured"):
        assert said in words, said
    told = json.loads((folder / "manifest.json").read_text("utf-8"))["contract"]["verdicts"]["lines"]
    numbers = [n for line in told for n in line["numbers"]]
    keys = ("metric", "value", "low", "high", "n", "at_least", "at_most", "verdict")
    plain = [[float(v) if isinstance(v, int) else v for v in (n[k] for k in keys)] for n in numbers]
    assert sorted(str([r[0], *r[2:]]) for r in found.raw()) == sorted(map(str, plain))
    drawings = [a for tag, a in found.elements if tag == "svg"]
    assert all(a["role"] == "img" and "band: " in a["aria-label"] for a in drawings)
    assert len(drawings) == 3 + len(numbers) - 1  # the line without a number has no drawing
    assert words.count("doomtrack run snowball -p 4 --seed 1") == 4


def test_the_figure_of_a_contract_has_all_its_numbers(result: Folder) -> None:
    figure = figures(result("checked"))["contract"]
    assert figure.numbers is not None and len(figure.numbers.rows) == 5  # the line without a number has none
    assert figure.numbers.rows[4][:4] == ("games are short", "FAIL", "4 players, median, expert", "26.0 turns")
    assert "FAIL: games are short, 26.0 turns (25.0–27.0), band at most 20 turns" in figure.alt


places = st.floats(-1e3, 1e3).map(lambda x: round(x, 4))


@given(value=places, halves=st.tuples(st.floats(0.001, 50), st.floats(0.001, 50)), band=st.tuples(places, places))
def test_a_drawing_keeps_the_order_of_things(
    value: float, halves: tuple[float, float], band: tuple[float, float]
) -> None:
    least, most = sorted(band)
    low, high = value - halves[0], value + halves[1]
    number = contract.Number(
        Metric("turns", "Turns", unit="turns"), "", "PASS", "", "", value, low, high, 100.0, "", least, most, ""
    )
    drawn = contract.gauge(number)
    assert drawn is not None
    left, width = drawn["band"]
    inside = [0 <= x <= contract.WIDE for x in (*drawn["ends"], *drawn["interval"], drawn["value"])]
    assert all(inside)
    assert drawn["interval"][0] <= drawn["value"] <= drawn["interval"][1]
    slack = 0.11  # places are rounded to a tenth
    if least <= low and high <= most:
        assert left <= drawn["interval"][0] + slack and drawn["interval"][1] <= left + max(width, 1) + slack
    if low > most:
        assert drawn["interval"][0] >= left + (width if width > 1 else 0) - slack
    if high < least:
        assert drawn["interval"][1] <= left + slack


def test_a_contract_that_was_stopped_is_reported_as_far_as_it_went(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.checked(tmp_path / "r")
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps(told | {"contract": {"asked": {}}, "finished": False}), "utf-8")
    text = reports.render(folder).read_text("utf-8")
    assert "Unfinished" in text and "The contract, line by line" not in text and "All cells" in text


# --- searches ---------------------------------------------------------------------------------------------------------


def test_the_curve_of_a_search(result: Folder) -> None:
    found = figures(result("solved"))
    figure = found["solve-turns-over-gear"]
    assert figure.title == "Turns over gear: where it meets 39.5 turns"
    assert figure.numbers is not None
    assert [(real(x), real(v)) for x, v, _, _ in figure.numbers.rows] == [(x, 10 + 5 * x) for x in range(1, 9)]
    assert "Ringed: values that cannot be excluded" in figure.caption
    assert "turns-over-gear" not in found  # the same curve without its target


def test_several_searches(result: Folder, made: Made) -> None:
    found = search.of(result("solved", searches=4))
    assert [search.answer(s) for s in found] == [
        "6 (5 or 6)",
        "5.91 (5.72–6.08)",
        "out of reach (nearest: 8)",
        "not monotone",
    ]
    assert [s.name for s in found] == [f"board = map {k}" for k in range(4)]
    assert all([p.x for p in s.points] == list(range(1, 9)) for s in found)
    assert figures(result("solved", searches=4))["solve-turns-over-gear"].wide
    many = figures(result("solved", searches=12))
    assert many["solve-answers-gear"].numbers is not None and len(many["solve-answers-gear"].numbers.rows) == 12
    assert "6 of 12 searches are drawn" in many["solve-turns-over-gear"].caption
    rows = page(made("solved", searches=12)).raw()
    assert len(rows) == 12 and rows[1][1] == "5.91 (5.72–6.08)" and rows[1][3] == "40.0 (39.5–40.5) at 6"


def test_a_search_without_answers_yet(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.solved(tmp_path / "r", searches=3)
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    told["solve"]["answers"] = []
    (folder / "manifest.json").write_text(json.dumps(told | {"finished": False}), "utf-8")
    text = reports.render(folder).read_text("utf-8")
    assert "Unfinished" in text and "What was found" not in text


# --- tiers ------------------------------------------------------------------------------------------------------------


def ranked(*ends: tuple[float, float]) -> list[Row]:
    return [Row(0, "m", "", "", None, (a + b) / 2, a, b, 10, "") for a, b in ends]


def test_tiers_part_what_is_apart() -> None:
    assert tiers(ranked((8, 9), (5, 7), (4, 6), (1, 2))) == [1, 3]
    assert tiers(ranked((8, 9), (1, 8.5), (0, 2))) == []  # the wide one joins all
    assert tiers([*ranked((1, 2)), Row(0, "m", "", "", None, 0.0, None, None, 10, "")]) == []


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0, 3)), min_size=1, max_size=12))
def test_between_tiers_no_intervals_meet(drawn: list[tuple[float, float]]) -> None:
    rows = ranked(*sorted(((v - h, v + h) for v, h in drawn), key=lambda e: -(e[0] + e[1])))
    starts = [0, *tiers(rows), len(rows)]
    for k in range(1, len(starts) - 1):
        above, below = rows[: starts[k]], rows[starts[k] :]
        assert all(a.ends and b.ends and a.ends[0] > b.ends[1] for a in above for b in below)


# --- all of them ------------------------------------------------------------------------------------------------------

NAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("compared", {}),
    ("compared", {"strategies": ["greedy", "expert"]}),
    ("checked", {}),
    ("solved", {}),
    ("solved", {"searches": 12}),
    ("compared", {"hostile": True, "many": 4, "strategies": ["a", "b", "c"]}),
    ("checked", {"hostile": True}),
    ("solved", {"hostile": True, "searches": 8}),
)


@pytest.mark.parametrize(("name", "options"), NAMES)
def test_each_figure_is_drawn_within_its_edges(result: Folder, name: str, options: dict[str, Any]) -> None:
    own = [f for f in figures(result(name, **options)).values() if f.kind in ("changes", "contract", "search")]
    assert own
    for figure in own:
        assert figure.title in figure.alt and 40 < len(figure.alt) <= 900 and figure.caption.endswith(".")
        picture = Image.open(io.BytesIO(style.png(figure.draw())[0])).convert("L")
        for edge in ((0, 0, 3, picture.height), (picture.width - 3, 0, picture.width, picture.height)):
            assert min(picture.crop(edge).tobytes()) > 200, (figure.key, edge)
        assert sum(picture.histogram()[:128]) > 300
        drawing = style.svg(figure.draw())
        assert drawing == style.svg(figure.draw()) and b"alert" not in drawing


@pytest.mark.parametrize(("name", "options"), [n for n in NAMES if "hostile" in n[1]])
def test_hostile_names_stay_names(made: Made, folders: ModuleType, name: str, options: dict[str, Any]) -> None:
    folder = made(name, **options)
    found = page(folder)
    assert [tag for tag, _ in found.elements].count("script") == 2
    assert {tag for tag, _ in found.elements} & {"iframe", "object", "link", "base"} == set()
    assert all(a["src"].startswith("data:image/") for tag, a in found.elements if tag == "img")
    for _, attrs in found.elements:
        assert "style" not in attrs and not any(key.startswith("on") for key in attrs)
    text = "".join(found.words)
    assert folders.HOSTILE[0] in text and folders.HOSTILE[1] in text
    assert "\u202e" not in found.text.replace("\\u202e", "")
    ids = [a["id"] for _, a in found.elements if "id" in a]
    assert len(ids) == len(set(ids))


def test_what_is_written_of_a_change_has_its_sign(result: Folder) -> None:
    found = result("compared")
    compared = changes.of(found)
    assert compared is not None and compared.margin == 0.005 and compared.on == ("start_edge", "")
    line = changes.listed(found, compared)[0]["first"][0]
    assert (line["metric"], line["change"]) == ("Start edge", "+0.40\u202fpts") and line["interval"] == "+0.28 to +0.52"


# --- bands on maps ----------------------------------------------------------------------------------------------------


def test_fields_in_the_band_are_outlined(folders: ModuleType, tmp_path: Path) -> None:
    """Of 4 x 3 fields with 2 to 10 turns, those of a promise of 4 to 8 turns; at its ends the intervals reach out."""
    cells = [("gear", [1, 2, 3, 4]), ("players", [2, 3, 4])]
    numbers, lines = [], []
    for cell in range(12):
        place = {"gear": 1 + cell // 3, "players": 2 + cell % 3}
        value = 2.0 + cell * 8 / 11
        row = {"verdict": "PASS", "parameters": place, "metric": "turns", "group": "", "n": 600, "at_least": 4.0}
        numbers.append({**row, "value": value, "low": value - 0.3, "high": value + 0.3, "at_most": 8.0})
        lines.append((cell, place, ("turns", "", "", None, value, value - 0.3, value + 0.3, 600, "t")))
    line = {"line": "short", "verdict": "PASS", "worst": numbers[0], "numbers": numbers}
    verdicts = {"verdict": "PASS", "strategies": ["expert"], "lines": [line]}
    told = folders.manifest("check", cells, 12, ("turns",), contract={"verdicts": verdicts})
    result = reports.read(folders.write(tmp_path / "r", told, lines))
    band = targets.of(result)["turns"]
    inside = [n for n in numbers if band.holds(Row(0, "", "", "", None, n["value"], n["low"], n["high"], 1, ""))]
    assert [round(n["value"], 2) for n in inside] == [4.18, 4.91, 5.64, 6.36, 7.09, 7.82]
    sure = [n for n in inside if band.sure(Row(0, "", "", "", None, n["value"], n["low"], n["high"], 1, ""))]
    assert len(sure) == 4
    figure = figures(result)["turns-map-gear-players"]
    assert "Outlined: the 6 of 12 fields whose value lies in the target band, 4–8 turns" in figure.caption
    axes = figure.draw().axes[0]
    frames = [p for p in axes.patches if p.get_width() == 0.9]
    assert len(frames) == 6 and sum(p.get_linestyle() in ("-", "solid") for p in frames) == 4


def test_several_bands_of_one_metric_are_no_target(result: Folder) -> None:
    assert "turns" not in targets.of(result("checked"))  # its line asks for a quantile
    assert targets.of(result("solved"))["turns"] == targets.Target(37.5, 41.5)


# --- what a hand or a newer version may have put there ----------------------------------------------------------------

ODD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("compared", {"variants": {"a": 1}, "holds": "x", "compare": [1]}),
    ("compared", {"variants": [None, {"against": 3, "touched": "x", "games": "y"}], "holds": [None, {"verdicts": {}}]}),
    ("compared", {"compare": {"until": "x", "on": [1, 2]}, "variants": None}),
    ("checked", {"contract": "x"}),
    ("checked", {"contract": {"verdicts": {"lines": [None, {}, {"line": None, "numbers": [None, {"value": "x"}]}]}}}),
    (
        "checked",
        {"contract": {"verdicts": {"lines": [{"numbers": [{"metric": "turns", "value": 5.0}]}], "level": "x"}}},
    ),
    ("solved", {"solve": None}),
    ("solved", {"solve": [None, {}, {"find": "gear", "metric": "turns", "target": "x"}]}),
    (
        "solved",
        {"solve": [{"find": "gear", "metric": "turns[", "target": 3, "candidates": "abc", "parameters": {"a": None}}]},
    ),
)


@pytest.mark.parametrize(("name", "odd"), ODD)
def test_odd_manifests_still_give_a_page(folders: ModuleType, tmp_path: Path, name: str, odd: dict[str, Any]) -> None:
    folder = getattr(folders, name)(tmp_path / "r")
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps(told | odd), "utf-8")
    text = reports.render(folder).read_text("utf-8")
    assert (
        "<h1>" in text
        and "How it was made" in text
        and "None" not in re.sub(r"<script.*?</script>", "", text, flags=re.S)
    )
