"""The page of two results: inputs and changes as in its folder, hostile names inert, faults said in one line."""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reports
from reports import difference

TAG = re.compile(r"<[^>]+>")


def folder_of(place: Path, names: list[str], cells: int = 2) -> Path:
    """A difference as experiments writes one, with these names wherever a name can stand."""
    place.mkdir(parents=True)
    rows = []
    for cell in range(cells):
        for k, metric in enumerate(("turns", "tie_rate", names[0])):
            for j, group in enumerate(("", f"kid={names[1]}")):
                value = 0.3 + 0.1 * k + 0.01 * cell
                change = 0.02 * (j + 1) - 0.01 * cell
                rows.append(
                    (cell, json.dumps({names[2]: names[3], "gear": cell}), metric, group, "", value, value + change)
                    + (change, change - 0.015, None if k == 2 else change + 0.015, 1000, 1200, abs(change) / 0.015)
                )
    pl.DataFrame(rows, schema=difference.COLUMNS, orient="row").write_parquet(place / "changes.parquet")
    manifest = {
        "schema": 1,
        "kind": "difference",
        "game": "snowball",
        "title": names[4],
        "before": {"name": names[0], "command": f"doomtrack run {names[1]}"},
        "after": {"name": names[2], "command": "doomtrack run snowball"},
        "inputs": [{"what": "parameter", "name": names[1], "before": names[0], "after": None}],
        "cells": cells,
        "metrics": {m: {"unit": "", "meaning": names[3], "headline": m != "turns"} for m in ("turns", "tie_rate")},
        "players": ["expert"] * 4,
    }
    (place / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    kinds = ("answer", "finding", "warning")
    found = [{"kind": k, "text": f"{k}: {n}"} for k, n in zip(kinds, names, strict=False)]
    (place / "findings.json").write_text(json.dumps(found), "utf-8")
    return place


PLAIN = ["mine", "yours", "place", "here", "Snowball"]


def test_the_numbers_are_those_of_the_folder(tmp_path: Path) -> None:
    page = reports.render(folder_of(tmp_path / "d", PLAIN)).read_text("utf-8")
    text = html.unescape(TAG.sub("\n", page))
    tables = html.unescape(TAG.sub("\n", page[page.index('<table class="moved">') - 400 :]))
    assert "What changed from mine to place" in text and "answer: mine" in text
    part = tables[tables.index("Tie rate") :]
    said = [" ".join(cell.split()) for cell in part.split("\n") if cell.strip()]
    start = next(k for k, cell in enumerate(said) if "gear = 1" in cell)
    assert said[start + 1 : start + 6] == ["all", "41.0 %", "42.0 %", "+1.0 pts", "−0.5 to +2.5"]
    assert page.count('class="bar"') == 8  # those with both ends of an interval
    assert "at least" in text


def test_bars_lie_on_the_scale_of_their_metric(tmp_path: Path) -> None:
    found = difference.read(folder_of(tmp_path / "d", PLAIN))
    for _, lines in difference.by_metric(found, found.moved):
        bars = [line.bar for line in lines if line.bar is not None]
        for low, high, value, zero in bars:
            assert 0 <= low <= value <= high <= 1 and 0 <= zero <= 1
        assert len({zero for *_, zero in bars}) <= 1


def test_hostile_names_stay_inert(folders: Any, tmp_path: Path) -> None:
    names = list(folders.HOSTILE)
    folder = folder_of(tmp_path / "d", names)
    page = reports.render(folder).read_text("utf-8")
    body = page[page.index("<body>") :]
    assert len(re.findall("<script", body)) == 1 and "<img src=x" not in body and "alert('boo')" in html.unescape(body)
    text = reports.summary(folder)
    outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"<[a-z/!]", outside) and "](" not in outside


def test_long_differences_are_cut(tmp_path: Path) -> None:
    page = reports.render(folder_of(tmp_path / "d", PLAIN, cells=400)).read_text("utf-8")
    assert page.count("<tr>") < difference.MOST_LINES + 50 and "more headline numbers are in" in page
    assert "those that moved most" in page


@pytest.mark.parametrize(
    "fault, said",
    [
        (lambda d: (d / "changes.parquet").unlink(), "cannot be read as changes"),
        (lambda d: (d / "changes.parquet").write_bytes(b"no"), "cannot be read as changes"),
        (lambda d: pl.DataFrame({"cell": [1]}).write_parquet(d / "changes.parquet"), "cannot be read as changes"),
        (lambda d: pl.DataFrame(schema=difference.COLUMNS).write_parquet(d / "changes.parquet"), "holds no change"),
        (lambda d: (d / "manifest.json").write_text("{"), "cannot be read as JSON"),
    ],
)
def test_faults_are_said(tmp_path: Path, fault: Callable[[Path], Any], said: str) -> None:
    folder = folder_of(tmp_path / "d", PLAIN)
    fault(folder)
    with pytest.raises(reports.ReportError, match=said) as caught:
        reports.render(folder)
    assert "\n" not in str(caught.value) and not (folder / "report.html").exists()


def test_changes_are_drawn_with_the_numbers_of_the_folder(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "one", PLAIN, cells=1)
    (figure,) = difference.figures(difference.read(folder))
    assert figure.numbers is not None and len(figure.numbers.rows) == len(difference.headlines(difference.read(folder)))
    assert figure.numbers.rows[0] == (
        *("Tie rate", "40.0\u202f%", "42.0\u202f%", "+2.0", "+0.5 to +3.5", "percentage points", "1,000", "1,200"),
    )
    assert "n\u00a0=\u00a01,000 before, 1,200 after" in figure.caption and "independent" in figure.caption
    page = reports.render(folder, png=tmp_path / "png").read_text("utf-8")
    assert [p.name for p in tmp_path.glob("png/*.png")] == ["moved-all.png"] and page.count("<figure") == 1
    text = reports.summary(folder, png=tmp_path / "png", beside=tmp_path)
    assert "](png/moved-all.png)" in text and text.index("### Figures") < text.index("### To reproduce")


def test_several_cells_have_a_figure_for_each_metric(tmp_path: Path) -> None:
    found = difference.read(folder_of(tmp_path / "d", PLAIN, cells=50))
    (figure,) = difference.figures(found)
    assert figure.key == "moved-tie-rate" and figure.numbers is not None
    assert len(figure.numbers.rows) == 36 and "Left out: 14 that moved less" in figure.caption
    figure.draw()


@pytest.mark.needs_browser
@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_overflows_or_fails(
    tmp_path: Path, folders: Any, look: Callable[..., dict[str, Any]], width: int
) -> None:
    script = """
    const width = document.documentElement.clientWidth;
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    const out = [...document.querySelectorAll("body *")].filter((e) => {
      const box = e.getBoundingClientRect();
      return box.width && box.right > width + 1 && !e.closest(".scroll, .skip, .again");
    }).map((e) => e.tagName);
    const buttons = document.querySelectorAll("[data-copy]:not([hidden])").length;
    tell({ page: document.documentElement.scrollWidth, out, buttons,
           fetched: performance.getEntriesByType("resource").length });
    """
    folder = folder_of(tmp_path / "d", list(folders.HOSTILE))
    reports.render(folder)
    found = look(folder, script, width)
    assert found["page"] <= width and found["out"] == [] and found["fetched"] == 0 and found["buttons"] == 2
