"""Replays in the page: what the folder holds is there as text, in order; hostile names stay inert; faults are said."""

import html
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reports
from reports import boards, replays

Played = Callable[[str], Path]
GAMES = ("snowball", "snallygaster", "spooktacular")
TAG = re.compile(r"<[^>]+>")


def index(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "replays" / "index.json").read_text("utf-8"))


def changed(folder: Path, to: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy of a result folder, its index of replays changed."""
    shutil.copytree(folder, to)
    told = index(to)
    change(told)
    (to / "replays" / "index.json").write_text(json.dumps(told), "utf-8")
    return to


def text_of(page: str) -> str:
    return html.unescape(TAG.sub("", page))


@pytest.mark.parametrize("game", GAMES)
def test_every_turn_is_in_the_page_as_text(played: Played, game: str) -> None:
    folder = played(game)
    page = (folder / "report.html").read_text("utf-8")
    articles = re.findall(r'<article class="replay".*?</article>', page, re.DOTALL)
    told = index(folder)["replays"]
    assert len(articles) == len(told) > 1
    for article, replay in zip(articles, told, strict=True):
        turns = re.findall(r"<li><h4>(.*?)</h4>(.*?)</li>", article, re.DOTALL)
        assert [text_of(title) for title, _ in turns] == [t["title"] for t in replay["turns"]]
        for (_, body), turn in zip(turns, replay["turns"], strict=True):
            lines = [text_of(line) for line in re.findall(r"<p[^>]*>(.*?)</p>", body, re.DOTALL)]
            assert lines == [line.strip() for line in turn["lines"]]
        assert replay["command"] in text_of(article)
    assert page.count('id="replay-board"') == (game != "snowball")


def test_the_scripts_data_are_those_of_the_folder(played: Played) -> None:
    folder = played("spooktacular")
    page = (folder / "report.html").read_text("utf-8")
    (data,) = re.findall(r'<script type="application/json" id="replay-data">(.*?)</script>', page, re.DOTALL)
    told = json.loads(data)
    for shown, replay in zip(told["replays"], index(folder)["replays"], strict=True):
        assert shown["things"] == replay["things"]
        assert shown["turns"] == [[t["rows"], t["tracks"], t["at"]] for t in replay["turns"]]
    board = json.loads((folder / "board.json").read_text("utf-8"))
    assert told["board"]["names"]["room"] == [room["name"] for room in board["rooms"]]


def test_hostile_texts_stay_inert(played: Played, folders: Any, tmp_path: Path) -> None:
    names = list(folders.HOSTILE)

    def change(told: dict[str, Any]) -> None:
        for k, replay in enumerate(told["replays"]):
            replay.update(title=names[k], why=names[k + 1], command=names[k + 2], heads=names[:5])
            for t, turn in enumerate(replay["turns"]):
                turn.update(title=names[t % 10], lines=names, rows=[names[:5]], tracks=[[names[0], 1, 2]])
            for t, thing in enumerate(replay["things"]):
                thing.update(label=names[t % 10], name=names[(t + 1) % 10], kind=names[t % 3])
        told["parameters"] = {names[0]: names[1]}

    folder = changed(played("snallygaster"), tmp_path / "r", change)
    board = json.loads((folder / "replays" / "board.json").read_text("utf-8"))
    for kind in ("buildings", "districts"):
        for k, entry in enumerate(board[kind]):
            entry["name"] = names[k % 10]
    board["buildings"][0]["colour"] = names[1]
    (folder / "replays" / "board.json").write_text(json.dumps(board), "utf-8")
    page = reports.render(folder).read_text("utf-8")
    body = page[page.index('<section id="replays"') : page.index('<section id="numbers"')]
    assert "<script>" not in body and "<img" not in body and "alert('boo')" in text_of(body)
    assert len(re.findall(r"<script", body)) == 1 == len(re.findall(r"</script", body))
    assert "\u202e" not in body


@pytest.mark.parametrize(
    "fault",
    [
        lambda told: told.update(schema=2),
        lambda told: told.update(replays=3),
        lambda told: told["replays"][0].update(turns=[]),
        lambda told: told["replays"][0].pop("why"),
        lambda told: told["replays"][0]["turns"][1].pop("rows"),
        lambda told: told["replays"][0]["turns"][1].update(at=[[99, 0, 1]]),
        lambda told: told["replays"][0]["turns"][1].update(at=[3]),
        lambda told: told["replays"][0].update(things=[{"label": "x"}]),
        lambda told: told["replays"].append([]),
    ],
)
def test_replays_that_cannot_be_read_are_said(played: Played, tmp_path: Path, fault: Callable[..., Any]) -> None:
    folder = changed(played("snallygaster"), tmp_path / "r", fault)
    found = replays.section(folder)
    assert found is not None and "The replays cannot be read" in found.trouble and not found.replays


def test_an_index_that_is_no_json_is_said(played: Played, tmp_path: Path) -> None:
    folder = changed(played("snowball"), tmp_path / "r", lambda told: None)
    (folder / "replays" / "index.json").write_text('{"schema": 1', "utf-8")
    page = reports.render(folder).read_text("utf-8")
    assert "The replays cannot be read" in page and 'class="replay"' not in page


def test_a_folder_without_replays_has_no_section(made: Callable[..., Path]) -> None:
    assert 'id="replays"' not in (made("run") / "report.html").read_text("utf-8")


def test_what_a_page_has_no_room_for_is_named(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = changed(played("snowball"), tmp_path / "r", lambda told: None)
    first, *others = index(folder)["replays"]
    monkeypatch.setattr(replays, "MOST", len(json.dumps(first, ensure_ascii=False)))
    found = replays.section(folder)
    assert found is not None and [r["title"] for r in found.replays] == [first["title"]]
    assert all(other["title"] in found.trouble for other in others)


def test_a_single_game_is_a_page_of_its_own(played: Played, tmp_path: Path) -> None:
    page = reports.replay(played("snowball"))
    assert page.startswith("<!doctype html>") and page.count('class="replay"') == len(
        index(played("snowball"))["replays"]
    )
    with pytest.raises(reports.ReportError, match="holds no replay"):
        reports.replay(tmp_path)


@pytest.mark.parametrize("game", GAMES[1:])
def test_each_place_that_a_thing_lies_on_is_drawn(played: Played, game: str) -> None:
    folder = played(game)
    drawing = boards.draw(json.loads((folder / "replays" / "board.json").read_text("utf-8")))
    for replay in index(folder)["replays"]:
        for turn in replay["turns"]:
            for thing, place, _ in turn["at"]:
                on = replay["things"][thing]["on"]
                x, y = drawing.points[on][place]
                assert 0 <= x <= drawing.size[0] and 0 <= y <= drawing.size[1]
                assert drawing.names[on][place]
