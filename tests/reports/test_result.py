"""Reading a result folder: what is refused, in which words, and what is read all the same."""

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import reports
from reports.result import level_key, read


@pytest.fixture
def folder(folders: ModuleType, tmp_path: Path) -> Path:
    return folders.one_factor(tmp_path / "result")


def manifest(folder: Path, **changes: Any) -> None:
    """Change the manifest; a value of None takes the key out."""
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    told = {k: v for k, v in {**told, **changes}.items() if v is not None}
    (folder / "manifest.json").write_text(json.dumps(told), "utf-8")


def cells(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    change(pl.read_parquet(folder / "cells.parquet")).write_parquet(folder / "cells.parquet")


def refused(folder: Path, *words: str) -> None:
    """The folder is refused in one line that has these words, and nothing is written."""
    before = sorted(folder.rglob("*")) if folder.is_dir() else []
    with pytest.raises(reports.ReportError) as caught:
        reports.render(folder)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 500
    for word in words:
        assert word in message
    assert before == (sorted(folder.rglob("*")) if folder.is_dir() else [])


def test_refuses_what_is_no_result(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "there is no folder", "doomtrack run")
    (tmp_path / "file").write_text("x")
    refused(tmp_path / "file", "is a file")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "is empty", "manifest.json", "--out")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("x")
    refused(tmp_path / "other", "no result folder", "manifest.json")


def test_refuses_a_broken_manifest(folder: Path) -> None:
    path = folder / "manifest.json"
    whole = path.read_text("utf-8")
    path.write_text(whole[:100], "utf-8")
    refused(folder, "cannot be read as JSON", "manifest.json")
    path.write_bytes(b"\xff\xfe\x00")
    refused(folder, "cannot be read as JSON")
    path.write_text("[1, 2]", "utf-8")
    refused(folder, "no manifest", "list")
    path.write_text(whole, "utf-8")
    manifest(folder, schema=2)
    refused(folder, "newer Doomtrack", "schema 2", "update")
    manifest(folder, schema="one")
    refused(folder, "schema")
    manifest(folder, schema=1, game=None)
    refused(folder, "lacks 'game'")


def test_refuses_a_broken_table(folder: Path) -> None:
    path = folder / "cells.parquet"
    whole = path.read_bytes()
    cells(folder, lambda t: t.drop("low", "high"))
    refused(folder, "lacks the columns 'low', 'high'", "cells.parquet")
    path.write_bytes(whole)
    cells(folder, lambda t: t.drop("method"))
    refused(folder, "lacks the column 'method'")
    path.write_bytes(whole)
    cells(folder, lambda t: t.head(0))
    refused(folder, "no rows")
    path.write_bytes(whole)
    cells(folder, lambda t: t.with_columns(value=pl.lit(math.nan)))
    refused(folder, "no rows")
    path.write_bytes(whole)
    cells(folder, lambda t: t.with_columns(value=pl.lit("many")))
    refused(folder, "wrong type")
    path.write_bytes(whole)
    cells(folder, lambda t: t.with_columns(parameters=pl.lit("{gear: 1")))
    refused(folder, "cell 0", "no JSON object")
    path.write_bytes(whole[:500])
    refused(folder, "cannot be read as parquet")
    path.unlink()
    refused(folder, "no numbers yet", "run its command again")


def test_refuses_paths_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(reports.ReportError, match="is a folder"):
        reports.render(folder, html=tmp_path)
    (tmp_path / "taken").write_text("x")
    with pytest.raises(reports.ReportError, match="is a file"):
        reports.render(folder, png=tmp_path / "taken")
    with pytest.raises(reports.ReportError, match="cannot be written"):
        reports.render(folder, html=tmp_path / "taken" / "report.html", png=tmp_path / "figures")


def test_reads_an_unfinished_result_as_far_as_it_goes(folders: ModuleType, tmp_path: Path) -> None:
    folder = folders.unfinished(tmp_path / "result")
    result = read(folder)
    assert not result.finished and len(result.cells) == 23 and result.asked == 50 and len(result.failed) == 2
    assert result.findings == ()
    broken = folder / "parts" / "cell-0000.parquet"
    broken.write_bytes(broken.read_bytes()[:200])
    result = read(folder)
    assert len(result.cells) == 22
    assert "One cell is left out" in result.trouble[0]
    # an older merged table beside the parts does not hide them
    shutil.copy(folder / "parts" / "cell-0003.parquet", folder / "cells.parquet")
    assert len(read(folder).cells) == 22


def test_findings_that_cannot_be_read_are_said_and_not_fatal(folder: Path) -> None:
    path = folder / "findings.json"
    path.write_text("{", "utf-8")
    assert "findings.json cannot be read" in read(folder).trouble[0]
    path.write_text('{"a": 1}', "utf-8")
    assert "holds no list" in read(folder).trouble[0]
    path.write_text('[1, {"kind": "answer"}, {"text": "So it is.", "value": "x", "n": true}]', "utf-8")
    (finding,) = read(folder).findings
    assert (finding.kind, finding.text, finding.value, finding.n) == ("finding", "So it is.", None, None)


def test_an_odd_manifest_is_read_without_a_traceback(folder: Path) -> None:
    manifest(
        folder,
        factors="gear",
        metrics=[1],
        failed=[3],
        players="expert",
        given=[],
        parameters=7,
        provenance=[],
        estimated_share="much",
        notes="One note.",
        overlays=None,
        versions=None,
        seconds="long",
        games="many",
        cells="all",
        strategies=None,
        claim=5,
        question=3,
        asked=None,
        command=5,
        title=None,
    )
    page = reports.render(folder).read_text("utf-8")
    assert "One note." in page and "doomtrack run snowball" in page


def test_factors_come_from_the_cells_where_the_manifest_has_none(folder: Path) -> None:
    manifest(folder, factors=[])
    (factor,) = read(folder).factors
    assert factor.name == "gear" and factor.values == tuple(range(1, 11)) and factor.numeric


def test_levels_are_told_apart() -> None:
    keys = [level_key(v) for v in (1, True, "1", None, "null", "true", 1.5, [1], "[1]")]
    assert len(set(keys)) == len(keys)
    assert level_key(1) == level_key(1.0)


def test_importing_reports_is_cheap() -> None:
    heavy = ("polars", "pandas", "matplotlib", "numpy", "jinja2")
    code = f"import sys, reports; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
