"""Reports in Markdown: numbers as in the table, names that mean nothing to Markdown, figures linked where they lie."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reports
from reports import markdown

Made = Callable[..., Path]


def rows_of(text: str, heading: str) -> list[list[str]]:
    """The body of the first table under a heading, cell by cell."""
    part = text[text.index(f"### {heading}") :].split("\n### ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1  # every row has all columns
    return [[c.strip() for c in line.strip("|").split("|")] for line in lines[2:]]


def test_a_run(made: Made) -> None:
    folder = made("run")
    text = reports.summary(folder)
    assert text.startswith("## ") and "**Starting is worth 0.4 points of win share.**" in text
    assert "Before you use these numbers" in text and "estimated" in text
    frame = pl.read_parquet(folder / "cells.parquet")
    (turns,) = frame.filter((pl.col("metric") == "turns") & (pl.col("group") == ""))["value"]
    (told,) = [row for row in rows_of(text, "Numbers") if row[:2] == ["Turns", "all"]]
    assert float(told[2]) == pytest.approx(turns, abs=0.05) and told[4] == "100,000"
    low, high = (float(end) for end in told[3].split("–"))
    assert low < float(told[2]) < high
    assert "```\ndoomtrack run snowball -p 4 --games 1e5 --seed 1 --out results/run\n```" in text
    assert "### Figures" not in text


def test_a_sweep_is_cut(made: Made) -> None:
    text = reports.summary(made("sweep"))
    rows = rows_of(text, "Numbers")
    assert len(rows) == markdown.MOST_CELLS and f"{50 - markdown.MOST_CELLS} more cells" in text
    assert rows[0][:3] == ["0", "1", "2"] and "[" in rows[0][3]


def test_figures_are_linked_where_they_lie(made: Made, tmp_path: Path) -> None:
    out = tmp_path / "docs" / "summary.md"
    out.parent.mkdir()
    text = reports.summary(made("one_factor"), png=tmp_path / "my figures", beside=out.parent)
    links = re.findall(r"!\[.*?\]\((.+?)\)", text)
    assert len(links) == len(list((tmp_path / "my figures").glob("*.png"))) > 1
    for link in links:
        assert link.startswith("../my%20figures/")
        assert (out.parent / link.replace("%20", " ")).is_file()


def test_figures_that_cannot_be_written_are_said(made: Made, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(reports.ReportError) as caught:
            reports.summary(made("one_factor"), png=place)
        assert "\n" not in str(caught.value)


def test_names_mean_nothing_to_markdown(made: Made, folders: Any) -> None:
    for options in ({}, {"single": True}):
        text = reports.summary(made("hostile", **options))
        rows_of(text, "Numbers")  # no name breaks the table
        outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"<[a-z/!]", outside) and "](" not in outside and "\u202e" not in outside


@pytest.mark.parametrize(
    "said, told",
    [
        ("a*b_c", r"a\*b\_c"),
        ("x | y", "x &#124; y"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("[here](http://x.org)", r"\[here\](http:&#47;&#47;x.org)"),
        ("ask @somebody", "ask &#64;somebody"),
        ("# no heading", "&#35; no heading"),
        ("- no item\n- nor this", "&#45; no item - nor this"),
        ("1. no list", "&#49;. no list"),
        ("a `b` ~c~", r"a \`b\` \~c\~"),
        ("5 > 3", "5 &gt; 3"),
    ],
)
def test_escaping(said: str, told: str) -> None:
    assert markdown.escaped(said) == told


def test_a_command_cannot_leave_its_fence() -> None:
    assert markdown.fenced("x ``` y\n````z")[0] == "`````"
    assert markdown.fenced("x\ny")[1] == "x y"


def test_verdicts_of_a_contract(made: Made, folders: Any, tmp_path: Path) -> None:
    folder = folders.one_factor(tmp_path / "check")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    worst = {"metric": "tie_rate", "group": "", "value": 0.012, "low": 0.008, "high": 0.018, "n": 4800}
    line = {"line": "ties | are rare", "asks": "tie_rate", "wants": "at most 0.05", "verdict": "PASS", "worst": worst}
    lost = {
        **line,
        "line": "long",
        "verdict": "FAIL",
        "worst": {**worst, "metric": "turns", "value": 50.0, "low": None},
    }
    manifest.update(kind="check", contract={"verdicts": {"verdict": "FAIL", "lines": [line, lost, 3, {}]}})
    path.write_text(json.dumps(manifest), "utf-8")
    text = reports.summary(folder)
    assert "### Contract: ❌ FAIL" in text
    first, second = rows_of(text, "Contract")
    assert first[:3] == ["✅ PASS", "ties &#124; are rare", r"tie\_rate: at most 0.05"]
    assert first[4:] == ["1.2\u202f%", "0.8–1.8", "4,800"]
    assert second[0] == "❌ FAIL" and second[5].startswith("at most")


def test_an_unfinished_result_says_so(made: Made) -> None:
    assert "Unfinished" in reports.summary(made("unfinished"))


@pytest.mark.parametrize(
    "said, escaped",
    [
        ("say `doomtrack run -p 4 --set a_b=2` *now*", "say `doomtrack run -p 4 --set a_b=2` \\*now\\*"),
        ("one ` alone", "one \\` alone"),
        ("``two``", "\\`\\`two\\`\\`"),
        ("`<b>` and `@all`", "\\`&lt;b&gt;\\` and \\`&#64;all\\`"),
    ],
)
def test_commands_in_sentences_stay_code(said: str, escaped: str) -> None:
    assert markdown.sentence(said) == escaped
