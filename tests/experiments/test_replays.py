"""Replays of a result: written by run and sweep, for any cell on demand, and what is in them."""

import json
from pathlib import Path

import numpy as np
import pytest

from experiments import replays, traces
from experiments.cli import call
from experiments.execution import run, sweep
from experiments.study import build
from simcore.errors import InputError

GAMES = ("snowball", "snallygaster", "spooktacular")


def index(folder: Path) -> dict:
    return json.loads((folder / "replays" / "index.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("swept") / "r"
    sweep("snowball", vary={"gear": "2,3"}, strategies=["greedy"], games=240, seed=7, out=out)
    return out


def cell_of(game: str, games: int = 240):
    asked = build(game=game, strategies={"all": "greedy"}, games=games, seed=7)
    return traces.cell_of_study(asked), asked


@pytest.mark.parametrize("game", GAMES)
def test_what_is_chosen(game: str) -> None:
    cell, asked = cell_of(game)
    rows = replays.outcomes(cell, seed=7, games=240)
    assert rows["number"].tolist() == list(range(240))
    found = replays.make(cell, seed=7, games=240)
    by_number = {r.told.number: r for r in found}
    assert len(by_number) == len(found)  # no game twice
    titles = " ".join(r.title for r in found).lower()
    assert all(title.lower() in titles for kind, title in replays.TITLES.items() if kind not in ("unfinished", "trace"))
    turns = {r.kind: int(r.told.trace.outcome["turns"]) for r in found}
    assert turns["median"] == np.sort(rows["turns"])[119]
    (longest,) = [r for r in found if "longest" in r.title]
    assert longest.told.trace.outcome["turns"] == rows["turns"].max()
    for replay in found:
        (row,) = rows[rows["number"] == replay.told.number]
        assert replay.told.trace.outcome == row  # the very game


def test_threads_do_not_matter() -> None:
    cell, _ = cell_of("snowball")
    one, two = (replays.make(cell, seed=7, games=240, threads=n) for n in (1, 2))
    assert [(r.kind, r.told.number) for r in one] == [(r.kind, r.told.number) for r in two]


def test_games_that_do_not_end_are_shown_as_such() -> None:
    asked = build(game="snowball", base={"turn_cap": 10}, games=60, seed=1)
    found = replays.make(traces.cell_of_study(asked), seed=1, games=60)
    (capped,) = [r for r in found if r.kind == "unfinished"]
    assert capped.why == "Broken off after 10 turns, as 60 of 60 games were."
    assert [r.kind for r in found] == ["unfinished"]


def test_the_files_are_what_trace_prints(folder: Path, capsys) -> None:
    told = index(folder)
    assert told["cell"] == 0 and told["parameters"] == {"gear": 2} and told["looked_at"] == 240
    names = {f.name for f in (folder / "replays").iterdir()}
    assert names == {"index.json", *(f"{r['kind']}.jsonl" for r in told["replays"])}
    for replay in told["replays"]:
        words = replay["command"].split()
        assert words[:3] == ["doomtrack", "trace", "snowball"]
        assert call([*words[1:], "--format", "jsonl", "--quiet"]) == 0
        assert capsys.readouterr().out == (folder / "replays" / f"{replay['kind']}.jsonl").read_text("utf-8")


def test_another_cell_on_demand(folder: Path, capsys) -> None:
    before = index(folder)
    assert call(["replays", str(folder), "--cell", "1", "--games", "120", "--quiet"]) == 0
    said = capsys.readouterr().out
    now = index(folder)
    assert now["cell"] == 1 and now["parameters"] == {"gear": 3} and now["looked_at"] == 120
    assert all(r["title"] in said and str(r["number"]) in said for r in now["replays"])
    replays.of_folder(folder, 0, games=240)
    assert index(folder) == before


def test_refusals(folder: Path, tmp_path: Path, capsys) -> None:
    for words, part in (
        ([str(tmp_path)], "no result folder"),
        ([str(folder), "--cell", "2"], "no cell 2"),
        ([str(folder), "--games", "0"], "games"),
    ):
        assert call(["replays", *words, "--quiet"]) == 2
        err = capsys.readouterr().err
        assert part in err and err.count("\n") == 1
    with pytest.raises(InputError):
        replays.of_folder(folder, 5)


def test_they_can_be_left_out(tmp_path: Path) -> None:
    run("snowball", games=60, out=tmp_path / "r", replays=False)
    assert not (tmp_path / "r" / "replays").exists()
    assert call(["run", "snowball", "--games", "60", "--no-replays", "--out", str(tmp_path / "q"), "--quiet"]) == 0
    assert not (tmp_path / "q" / "replays").exists()


def test_ctrl_c_leaves_the_result_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replays, "write", stopped)
    result = run("snowball", games=60, out=tmp_path / "r")
    assert not result.interrupted and "doomtrack replays" in result.remarks[0]
    assert json.loads((tmp_path / "r" / "manifest.json").read_text("utf-8"))["finished"]


def test_a_finished_result_is_not_searched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("snowball", games=60, out=tmp_path / "r")
    real = replays.write
    monkeypatch.setattr(replays, "write", lambda *a, **k: pytest.fail("searched again"))
    run("snowball", games=60, out=tmp_path / "r")
    monkeypatch.setattr(replays, "write", real)
    (tmp_path / "r" / "replays" / "index.json").write_text("{")
    run("snowball", games=60, out=tmp_path / "r")
    assert index(tmp_path / "r")["looked_at"] == 60


def test_how_many_games_are_looked_at() -> None:
    assert replays.looked_at(120, 120) == 120
    assert replays.looked_at(6_000, 6_000) == 300
    assert replays.looked_at(20_000, 40_000) == 2_000
    assert replays.looked_at(10**7, 10**9) == 3_000


def test_a_page_of_one_game(capsys) -> None:
    assert call(["trace", "spooktacular", "--game", "3", "--strategy", "greedy", "--format", "html", "--quiet"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    assert "Spooktacular: game 3 of seed 1" in page and page.count('class="replay"') == 1
    assert "doomtrack trace spooktacular --strategy all=greedy --seed 1 --game 3" in page
    assert call(["trace", "spooktacular", "--format", "htm", "--quiet"]) == 2
    assert "html" in capsys.readouterr().err
