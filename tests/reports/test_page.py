"""The page: one file that needs nothing else, whose numbers are those of the table, and whose names stay names."""

import base64
import json
import re
import shlex
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import reports
from reports import cautions, command
from reports.page import data_uri, duration

Made = Callable[..., Path]
VOID = {"meta", "link", "img", "input", "br", "hr", "source"}


class Page(HTMLParser):
    """A page taken apart: elements in order, tables as text, headings, pictures, scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = text
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.scripts: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")
        elif tag == "script":
            self.scripts.append("")
        elif tag in {"h1", "h2", "h3", "h4", "h5"}:
            self.headings.append((int(tag[1]), ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            self.scripts[-1] += data
            return
        if "style" in self.open:
            return
        self.words.append(data)
        if "td" in self.open or "th" in self.open:
            # a small element stands on a line of its own
            self.tables[-1][-1][-1] += ("\n" if self.open[-1] == "small" else "") + data
        if self.open and self.open[-1] in {"h1", "h2", "h3", "h4", "h5"}:
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.scripts[0])


def page_of(folder: Path) -> Page:
    return Page((folder / "report.html").read_text("utf-8"))


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return pl.read_parquet(folder / "cells.parquet").filter(pl.col("x").is_null()).to_dicts()


def number(text: str) -> float:
    """``−1,234.5 %`` -> -12.345: the value behind a shown number."""
    plain = text.replace("−", "-").replace(",", "").replace("\u202f", " ").strip()
    match = re.fullmatch(r"([+-]?[0-9.]+)( %| pts)?", plain)
    assert match, text
    return float(match[1]) / (100 if match[2] else 1)


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["run", "sweep", "categorical", "scattered", "unfinished", "hostile"])
def test_numbers_for_the_script_equal_the_table(made: Made, name: str) -> None:
    folder = made(name)
    data = page_of(folder).data
    frames = [folder / "cells.parquet"] if name != "unfinished" else sorted((folder / "parts").iterdir())
    rows = pl.concat([pl.read_parquet(f) for f in frames]).filter(pl.col("x").is_null()).to_dicts()
    found = {(c["metric"], c["group"], c["group2"]): c for c in data["columns"]}
    place = {cell: i for i, cell in enumerate(data["cells"])}
    seen = 0
    for row in rows:
        column = found.get((row["metric"], row["group"], row["group2"]))
        if column is None:
            continue
        i = place[row["cell"]]
        seen += 1
        n = column["n"][i] if isinstance(column["n"], list) else column["n"]
        assert n == row["n"]
        for short, name_of in (("v", "value"), ("l", "low"), ("h", "high")):
            if row[name_of] == row[name_of]:
                assert column[short][i] == pytest.approx(row[name_of], rel=1e-6, abs=1e-12)
            else:
                assert column[short][i] is None
    assert seen == len(rows)  # all of these fit into the page


def test_numbers_of_a_run_as_shown_equal_the_table(made: Made) -> None:
    folder = made("run")
    page, rows = page_of(folder), iter(reports_order(folder))
    tables = [t for t in page.tables if t[0][:2] == ["Metric", "Of"]]
    lines = [line for table in tables for line in table[1:]]
    assert len(lines) == len(rows_of(folder))
    for line in lines:
        row = next(rows)
        value, _, ends = line[2].partition("\n")
        check(value, ends, row)
        assert line[3] == f"{row['n']:,}" and line[4] == row["method"]


def check(value: str, ends: str, row: dict[str, Any]) -> None:
    """A shown value and interval are a row's, rounded no further than the interval allows."""
    factor = 100 if "%" in value or "pts" in value else 1
    places = len(value.replace("\u202f", " ").split(" ")[0].partition(".")[2])
    step = 0.5 * 10**-places * 1.001
    assert number(value) * factor == pytest.approx(row["value"] * factor, abs=step)
    if ends.startswith("at least"):
        assert number(ends.removeprefix("at least ")) == pytest.approx(row["low"], abs=step)
        return
    low, high = ends.split(" to ") if " to " in ends else ends.split("–")
    for text, end in ((low, row["low"]), (high, row["high"])):
        assert number(text) == pytest.approx(end * factor, abs=step)
    if row["high"] > row["low"]:
        assert step <= (row["high"] - row["low"]) * factor  # the rounding is finer than the interval


def reports_order(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run in the order of the page: by theme, then as its columns are ordered."""
    from reports import cells, themes

    found, _ = cells.columns(reports.read(folder))
    by_theme: dict[str, dict[str, list[cells.Column]]] = {}
    for c in found:
        by_theme.setdefault(c.metric.theme, {}).setdefault(c.metric.name, []).append(c)
    order = [c for t in sorted(by_theme, key=themes.rank) for group in by_theme[t].values() for c in group]
    rows = {(r["metric"], r["group"], r["group2"]): r for r in rows_of(folder)}
    return [rows[c.metric.name, c.group, c.group2] for c in order]


def test_numbers_of_a_sweep_as_shown_equal_the_table(made: Made) -> None:
    folder = made("sweep")
    page = page_of(folder)
    rows = {(r["cell"], r["metric"], r["group"]): r for r in rows_of(folder)}
    data = page.data
    head = [data["columns"][i] for i in data["sets"][0]["columns"]]
    assert [c["metric"] for c in head][:3] == ["start_edge", "capped_rate", "turns"]
    (table,) = [t for t in page.tables if t[0][0] == "Cell"]
    assert len(table) == 51 and table[0][1:3] == ["gear", "players"]
    for line in table[1:]:
        cell = int(line[0])
        assert [int(line[1]), int(line[2])] == [1 + cell // 5, 2 + cell % 5]
        for text, column in zip(line[3:], head, strict=True):
            row = rows.get((cell, column["metric"], column["group"]))
            if row is None:
                assert text == "–"
            else:
                check(*text.split("\n"), row)


# --- the file ---------------------------------------------------------------------------------------------------------

NAMES = ("run", "sweep", "one_factor", "categorical", "scattered", "unfinished", "hostile")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_needs_nothing_else(made: Made, name: str) -> None:
    page = page_of(made(name))
    for _, attrs in page.elements:
        for key in ("src", "href", "action", "data", "poster", "srcset", "background"):
            assert attrs.get(key, "#").startswith(("#", "data:image/")), attrs
        assert "style" not in attrs and not any(key.startswith("on") for key in attrs)
    assert not page.all("link") and not page.all("iframe")
    (style,) = re.findall(r"<style>(.*?)</style>", page.text, re.S)
    assert "url(" not in style and "@import" not in style and "http" not in style
    assert "http" not in page.scripts[1] and "fetch(" not in page.scripts[1]
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:;") and "unsafe" not in policy
    # what the drawings name as their vocabulary is no address that is fetched; nothing else looks like one
    drawn = re.compile(
        r"http://www\.w3\.org/(2000/svg|1999/xlink)|http://www\.w3\.org/Graphics/SVG/1\.1/DTD/svg11\.dtd"
    )
    sources = " ".join(img["src"] for img in page.all("img"))
    assert "http" not in drawn.sub("", sources)
    rest = re.sub(r'src="data:image/[^"]*"', "", page.text)
    assert "http" not in rest.replace("http-equiv", "")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_sound(made: Made, name: str) -> None:
    page = page_of(made(name))
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in page.elements:
        for key in ("aria-labelledby",):
            assert attrs.get(key, ids[0]) in ids
        if attrs.get("href", "").startswith("#"):
            assert attrs["href"][1:] in ids
    for img in page.all("img"):
        assert len(img["alt"]) > 30 and int(img["width"]) > 300 and int(img["height"]) > 50
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("figure")) == len(page.all("img")) == len(page.all("figcaption")) > 0
    for row in (attrs for tag, attrs in page.elements if tag == "th"):
        assert row["scope"] in {"col", "row"}


@pytest.mark.parametrize("most", [2_950_000, 400_000])
def test_a_page_keeps_to_its_size(
    folders: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Narrow drawings go first, then the last figures; all lie in the folder of figures."""
    monkeypatch.setattr("reports.page.PAGE", most)
    folder = folders.sweep(tmp_path / "sweep")
    html = reports.render(folder).read_text("utf-8")
    assert len(html.encode()) <= most
    few = most < 1_000_000
    assert ("<source media" in html) != few and ("would grow too large" in html) == few
    drawn, files = html.count("<figcaption>"), len(list((folder / "figures").glob("*.png")))
    assert 0 < drawn < files if few else drawn == files


def test_size_and_speed_of_500_cells(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.big(tmp_path / "big")
    start = time.process_time()
    path = reports.render(folder)
    assert time.process_time() - start < 20  # of the processor: other work on the machine does not count
    assert path.stat().st_size < 3_000_000
    page = page_of(folder)
    assert len(page.data["cells"]) == 500
    written = sorted(p.name for p in (folder / "figures").glob("*.png"))
    assert written == sorted(json.loads((folder / "figures" / "figures.json").read_text("utf-8")))
    apart = [name for name in written if name.removesuffix(".png") not in {f["id"][7:] for f in page.all("figure")}]
    assert all(f"({name})" in "".join(page.words) for name in apart)
    asked = "--set kids=off --strategy all=expert --content 'my own/content' --games 10000 --seed 7"
    assert page.data["command"] == f"doomtrack run snowball {asked}"


def test_ten_thousand_cells(folders: ModuleType, tmp_path: Path) -> None:
    """A sensible page, and all of the first headlines in it; only some numbers, so that this test is quick."""
    lines = [
        (
            cell,
            {"a": cell // 100, "b": cell % 100},
            (metric, "", "", None, 0.2 + cell / 20_000, 0.1, 0.9, 1000, "Wilson"),
        )
        for cell in range(10_000)
        for metric in ("tie_rate", "one_sided_rate")
    ]
    told = folders.manifest("sweep", [("a", range(100)), ("b", range(100))], 10_000)
    folder = folders.write(tmp_path / "huge", told, lines)
    assert reports.render(folder).stat().st_size < 5_000_000
    page = page_of(folder)
    assert len(page.data["cells"]) == 10_000 and len(page.tables[-2]) == 501
    assert "500 of 10000 cells" in "".join(page.words)


def test_paths_and_leftovers(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.one_factor(tmp_path / "result")
    path = reports.render(folder, html=tmp_path / "new" / "page.html", png=tmp_path / "pictures")
    assert path == tmp_path / "new" / "page.html" and path.is_file()
    assert not (folder / "report.html").exists() and not (folder / "figures").exists()
    (tmp_path / "pictures" / "mine.png").write_bytes(b"x")
    before = {p.name for p in (tmp_path / "pictures").iterdir()}
    assert "turns-over-gear.png" in before
    other = folders.categorical(tmp_path / "other")
    reports.render(other, html=path, png=tmp_path / "pictures")
    after = {p.name for p in (tmp_path / "pictures").iterdir()}
    assert "mine.png" in after and "turns-over-gear.png" not in after and "turns-by-ruling-new-hand-icon.png" in after
    assert not list(tmp_path.rglob(".*"))  # no temporary file is left


def test_the_same_folder_gives_the_same_page(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.categorical(tmp_path / "result")
    first = reports.render(folder).read_bytes()
    assert reports.render(folder).read_bytes() == first


def test_drawings_in_the_page_are_whole() -> None:
    drawing = "<?xml version='1.0'?>\n<svg xmlns=\"x\"><a b='#1'>5 % & “ü”</a></svg>".encode()
    uri = data_uri(drawing, "image/svg+xml")
    assert '"' not in uri and "<" not in uri and "#" not in uri and "&" not in uri
    assert data_uri(b"\x00\xff", "image/png") == "data:image/png;base64," + base64.b64encode(b"\x00\xff").decode()


# --- what the page says -----------------------------------------------------------------------------------------------


def said(folder: Path) -> str:
    return " ".join(" ".join(page_of(folder).words).split())


def test_answers_findings_and_warnings_stand_at_the_top(made: Made) -> None:
    text = said(made("run"))
    order = [
        "Does it matter who starts",
        "Starting is worth 0.4 points of win share.",
        "61 % of this configuration's content is estimated (21 rulebook, 4 published, 6 inferred, 48 estimated)",
        "All players follow scripts",
        "Kids are off",
        "A game lasts 12.9 minutes [12.8, 13.0] on average.",
        "The expert wins",
        "Figures",
        "How it was made",
    ]
    place = 0
    for part in order:
        place = text.index(part, place)
    assert "interval +0.06 to +0.66, n = 100,000" in text  # the sentence has none of its own
    assert "interval 12.8" not in text  # this one has


def test_a_warning_is_said_once(folders: ModuleType, tmp_path: Path) -> None:
    found = [{"kind": "warning", "text": "61 % of this configuration's content is estimated: so it is."}]
    folder = folders.write(tmp_path / "r", folders.manifest("run", [], 1), folders.grid([]), found)
    assert sum("estimated" in w for w in cautions.of(reports.read(folder))) == 2  # this one, and the note on kids


def test_an_unfinished_result_says_so(made: Made) -> None:
    text = said(made("unfinished"))
    assert "Unfinished: 23 of 50 cells are here." in text
    assert "2 cells failed and are not shown; the first: gear = 2 and players = 4: an effect did not end" in text
    assert "Findings are written when the experiment is finished." in text
    assert "Cells that failed" in text


def test_capped_games_are_said(made: Made, folders: ModuleType, tmp_path: Path) -> None:
    assert (
        "Turn cap: in 5 of 50 cells games were stopped at the turn cap, at most 1 % (gear = 10 and players = 2)"
        in said(made("sweep"))
    )
    line = ("capped_rate", "", "", None, 1.0, 0.99, 1.0, 500, "Wilson")
    folder = folders.write(tmp_path / "capped", folders.manifest("run", [], 1), [(0, {}, line)])
    reports.render(folder)
    assert "Turn cap: all games were stopped at the turn cap." in said(folder)


def test_no_findings_means_nothing_notable(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.write(tmp_path / "r", folders.manifest("run", [], 1), folders.grid([]), [])
    reports.render(folder)
    assert "This result shows nothing notable." in said(folder)


def test_how_it_was_made(made: Made) -> None:
    text = said(made("one_factor"))
    parts = ("snowball, version 1", "seat 3: expert", "gear (1, 2, 3", "Seed 1", "3f1c9a0b7d", "a91be2204c")
    for part in (*parts, "numba 0.68.1", "Linux x86_64, 2 cores", "12.7 s", "hand_size = 2", "ruling.bat_chain = on"):
        assert part in text, part


def test_commands_to_play_a_cell_again(made: Made) -> None:
    result = reports.read(made("one_factor"))
    words = shlex.split(command.of_cell(result, 3))
    assert words[:3] == ["doomtrack", "run", "snowball"]
    assert words[3:] == ["--strategy", "all=expert:hold_quickshot=0.5", "--games=1e5", "--seed", "1", "--set", "gear=4"]
    result = reports.read(made("sweep"))
    assert command.of_cell(result, 7) == "doomtrack run snowball --games 1e5 --seed 1 --set gear=2 -p 4"
    result.manifest["command"] = "doomtrack sweep my-study.toml"
    assert command.of_cell(result, 7) == (
        "doomtrack run snowball --set events=4 --strategy 0=random --strategy 1=greedy --strategy 2=cautious "
        "--strategy 3=expert --games 100000 --seed 1 --set gear=2 -p 4"
    )
    result.manifest["command"] = "doomtrack 'unclosed"
    assert command.of_cell(result, 7).startswith("doomtrack run snowball --set events=4")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (12.7, "12.7 s"), (200, "3 min 20 s"), (7300, "2 h 1 min"), (None, ""), ("x", "")],
)
def test_durations(seconds: Any, text: str) -> None:
    assert duration(seconds) == text


# --- hostile names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("single", [False, True])
def test_hostile_names_stay_names(folders: ModuleType, made: Made, single: bool) -> None:
    folder = made("hostile", single=True) if single else made("hostile")
    page = page_of(folder)
    assert len(page.scripts) == 2  # the data and the page's own
    own = (Path(reports.__file__).parent / "templates" / "page.js").read_text("utf-8")
    assert page.scripts[1] == own
    assert "<" not in page.scripts[0] and ">" not in page.scripts[0] and "&" not in page.scripts[0]
    allowed = """html head meta title style body a header p h1 h2 h3 h4 nav ul li main section div span details summary
        figure img figcaption table thead tbody tr th td small label input button select dialog form code dl dt dd
        footer script noscript"""
    assert {tag for tag, _ in page.elements} <= set(allowed.split())
    for img in page.all("img"):
        assert img["src"].startswith("data:image/") and "onerror" not in img
    text = "".join(page.words)
    for name in folders.HOSTILE[:3]:
        assert name in text
    assert "\u202e" not in page.text.replace("\\u202e", "")
    for path in (folder / "figures").iterdir():
        assert re.fullmatch(r"[a-z0-9.-]+", path.name)
    groups = {c["group"] for c in page.data["columns"]}
    assert {f"strategy={name}" for name in folders.HOSTILE} <= groups  # as they are: the data is not changed


def test_drawings_hold_no_text_of_names(made: Made) -> None:
    """Names in SVG figures are outlines, and comments hold none of them either."""
    for img in page_of(made("hostile", single=True)).all("img"):
        assert "alert" not in img["src"] and "%3Cscript" not in img["src"]


@pytest.mark.parametrize(("claim", "said"), [("C6", False), ("", False), ("The lowest cover starts at a loss", True)])
def test_a_heading_tells_what_varies_and_a_claim_is_more_than_a_code(
    folders: ModuleType, tmp_path: Path, claim: str, said: bool
) -> None:
    folder = folders.one_factor(tmp_path)
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps(told | {"claim": claim, "question": ""}), "utf-8")
    page = reports.render(folder).read_text("utf-8")
    assert "<h1>The Great Snowball Battle: gear</h1>" in page
    assert ("The claim:" in page) == said


@pytest.mark.parametrize(
    "text, low, high, told",
    [
        ("It is 6.6 turns longer (5.9 to 7.2; from 25.0 to 31.6).", 5.91, 7.24, True),
        ("A game lasts 6.5 minutes [5.9, 7.2] on average.", 5.91, 7.24, True),
        ("It is 6.6 turns shorter (5.9 to 7.2).", -7.24, -5.91, True),
        ("It takes 1,234.5 (1,200 to 1,300) turns.", 1200.4, 1299.6, True),
        ("It is 6.6 turns longer (9 players, 5 to 8 cards).", 5.91, 7.24, False),
        ("Of 25 to 31 turns, 6.6.", 5.91, 7.24, False),
        ("It is 6.6 at least (5.9).", 5.91, None, False),
    ],
)
def test_an_interval_is_said_once(
    folders: ModuleType, tmp_path: Path, text: str, low: float, high: float | None, told: bool
) -> None:
    found = {"kind": "answer", "text": text, "metric": "turns", "group": "", "value": 6.6, "n": 2000}
    lines = folders.grid([], n=1000)
    folder = folders.write(tmp_path / "r", folders.manifest("run", [], 1), lines, [found | {"low": low, "high": high}])
    page = reports.render(folder).read_text("utf-8")
    answer = page[page.index('class="answers"') :].partition("</div>")[0]
    assert ("interval" in answer) != told and "n\u00a0=\u00a02,000" in answer
