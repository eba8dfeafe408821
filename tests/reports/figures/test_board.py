"""The board as a figure: what it says, that it is on the page, and what a broken board.json does."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import reports
from reports.figures import board
from reports.result import read
from tests.reports.folders import THEATER, TOWN


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


# --- rooms ------------------------------------------------------------------------------------------------------------


def theater(folder: Path, **changes: Any) -> Path:
    (folder / "board.json").write_text(json.dumps({**THEATER, **changes}), encoding="utf-8")
    return folder


def test_the_figure_tells_the_rooms(folder: Path) -> None:
    (figure,) = board.plan(read(theater(folder)))
    assert (
        "3 rooms, 3 ways" in figure.caption and "1 room is locked" in figure.caption and "13 in all" in figure.caption
    )
    assert figure.numbers is not None
    assert figure.numbers.rows[1] == ("Orchestra Pit", "2", "12", "no", "Stage, Crypt")
    assert figure.numbers.rows[2][:4] == ("Crypt", "2", "0", "yes")
    axes = figure.draw().axes[0]
    assert {"Stage", "Crypt", "locked", "(12)"} <= {text.get_text() for text in axes.texts}
    lines = [line.get_linestyle() for line in axes.lines if len(line.get_xdata()) == 2]
    assert sorted(lines) == ["-", ":", ":"]


def test_without_locks_nothing_is_said_of_them(folder: Path) -> None:
    rooms = [{**room, "locked": False} for room in THEATER["rooms"]]
    (figure,) = board.plan(read(theater(folder, rooms=rooms)))
    assert "locked" not in figure.caption


def test_rooms_are_on_the_page(folder: Path) -> None:
    page = reports.render(theater(folder)).read_text(encoding="utf-8")
    assert "The Theater" in page and (folder / "figures" / "board.png").is_file()


@pytest.mark.parametrize("changes", [{"kind": "sea"}, {"rooms": [{"name": "x"}]}, {"doors": None}])
def test_broken_rooms_are_said_and_left_out(changes: dict[str, Any], folder: Path) -> None:
    result = read(theater(folder, **changes))
    assert result.board is None and any("board.json" in line for line in result.trouble)
