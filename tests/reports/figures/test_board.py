"""The board as a figure: what it says, that it is on the page, and what a broken board.json does."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import reports
from reports.figures import board
from reports.result import read

TOWN: dict[str, Any] = {
    "name": "Little <Lakeview>",
    "height": 2,
    "width": 4,
    "cells": [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3]],
    "kinds": ["building", "building", "intersection", "treehouse", "ground", "ground", "intersection", "ground"],
    "space_districts": [[0], [0], [0, 1], [1], [0], [0], [0, 1], [1]],
    "fences": [[0, 0, "below"], [1, 0, "beside"]],
    "buildings": [{"name": "Drug Store", "number": 7, "colour": "red", "spaces": [0, 1]}],
    "districts": [{"name": "The Burbs"}, {"name": "Old Town"}],
    "landmarks": [{"name": "Dog House", "spaces": [5]}],
    "treehouses": [3],
    "feds": [{"name": "Red Sedan", "stops": [2, 6], "legs": [[6], [2]]}],
}


@pytest.fixture
def folder(folders: ModuleType, tmp_path: Path) -> Path:
    made: Path = folders.sweep(tmp_path / "with-a-board")
    (made / "board.json").write_text(json.dumps(TOWN), encoding="utf-8")
    return made


def test_a_result_without_a_board_has_no_such_figure(folders: ModuleType, tmp_path: Path) -> None:
    assert board.plan(read(folders.sweep(tmp_path / "plain"))) == []


def test_the_figure_tells_the_town(folder: Path) -> None:
    (figure,) = board.plan(read(folder))
    assert "8 spaces, 2 districts" in figure.caption and "2 fences" in figure.caption
    assert "Red Sedan: 2 intersections" in figure.caption
    assert figure.numbers is not None and figure.numbers.rows == (("7", "Drug Store", "red", "The Burbs"),)
    canvas = figure.draw()
    said = {text.get_text() for text in canvas.axes[0].texts}
    assert {"7", "Dog House", "THE BURBS", "OLD TOWN"} <= said


def test_the_board_is_on_the_page_and_among_the_pictures(folder: Path) -> None:
    page = reports.render(folder).read_text(encoding="utf-8")
    assert "The board" in page and "Little &lt;Lakeview&gt;" in page and "<Lakeview>" not in page
    assert (folder / "figures" / "board.png").is_file()


@pytest.mark.parametrize("text", ["not json", "[]", json.dumps({**TOWN, "feds": [{"name": "x"}]})])
def test_a_broken_board_is_said_and_left_out(folder: Path, text: str) -> None:
    (folder / "board.json").write_text(text, encoding="utf-8")
    result = read(folder)
    assert result.board is None and any("board.json" in line for line in result.trouble)
