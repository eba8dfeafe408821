"""A search that is stopped, killed or repeated: the same numbers, and nothing is played twice."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import experiments
from experiments import playing, store
from experiments.solving import places
from simcore.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
ASKED = {
    "find": "event_density=0..1",
    "target": "turns=20.9",
    "vary": {"gear": [2, 3]},  # the second is out of reach
    "metrics": {"x": "turns / (gear_0 + 1)"},  # a sum of reals: in its last bit it hangs on the blocks
    "budget": 24_000,
    "seed": 3,
}


def solve(out, **more):
    return experiments.solve("snowball", **{**ASKED, **more}, out=out, command="doomtrack solve ...")


def numbers(folder):
    """All that must be the same, whatever happened on the way."""
    manifest = store.read_manifest(folder)
    told = {k: manifest[k] for k in ("solve", "asked", "factors", "finished", "failed", "cells")}
    cells = store.read_frame(folder / "cells.parquet").to_dicts()
    return told, cells, json.loads((folder / "findings.json").read_text())


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """The folder of a search that nobody stops, and how many pieces of games it took."""
    folder, pieces = tmp_path_factory.mktemp("unbroken"), []
    solve(folder, watch=lambda *told: pieces.append(told))
    return folder, len(pieces)


class Stop:
    """Ctrl-C after so many pieces of games."""

    def __init__(self, after):
        self.left = after

    def __call__(self, *told):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("part", [0.05, 0.45, 0.8])
def test_a_stopped_search_goes_on_with_the_same_bits(tmp_path, unbroken, part):
    folder, pieces = unbroken
    stopped = solve(tmp_path, watch=Stop(round(part * pieces)))
    assert stopped.result.interrupted and stopped.exit_code == 130
    assert not store.read_manifest(tmp_path)["finished"]
    rest = []
    solved = solve(tmp_path, watch=lambda *told: rest.append(told))
    assert solved.exit_code == 3
    assert numbers(tmp_path) == numbers(folder)
    assert len(rest) <= pieces * (1 - part) + 2  # what was played is not played again
    assert not list((tmp_path / "parts").glob("*.partial"))


def test_it_may_be_stopped_again_and_again(tmp_path, unbroken):
    for _ in range(200):
        solved = solve(tmp_path, watch=Stop(8))
        if not solved.result.interrupted:
            break
    assert numbers(tmp_path) == numbers(unbroken[0])


def test_a_search_that_is_stopped_within_a_place_keeps_its_games(tmp_path, monkeypatch):
    monkeypatch.setattr(playing.Here, "begins", lambda *_: None)
    asked = {"find": "gear=1..3", "target": "turns=20", "budget": 400_000, "threads": 1}
    stopped = experiments.solve("snowball", **asked, out=tmp_path, watch=Stop(3))
    assert stopped.result.begun == 3 * playing.BLOCK
    (partial,) = (tmp_path / "parts").glob("*.partial")
    assert partial.stat().st_size > 0


def test_a_finished_search_is_taken_as_it_is(tmp_path, unbroken, monkeypatch):
    from simcore import batch

    before = numbers(unbroken[0])
    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("a game was played"))
    again = solve(unbroken[0])
    assert numbers(unbroken[0]) == before
    assert [f.value for f in again.found] == [a["value"] for a in before[0]["solve"]["answers"]]


def test_lost_parts_are_played_again(unbroken):
    """In one go, where the search went on from measure to measure."""
    before = numbers(unbroken[0])
    for path in (unbroken[0] / "parts").glob("*.parquet"):
        path.unlink()
    solve(unbroken[0])
    assert numbers(unbroken[0]) == before


@pytest.mark.parametrize("kind", ["journal", "parquet"])
def test_a_damaged_file_is_named(unbroken, kind):
    path = next(iter((unbroken[0] / "parts").glob(f"*.{kind}")))
    good = path.read_bytes()
    path.write_bytes(b"{")
    with pytest.raises(InputError, match=f"{path.name}: cannot be read .* delete it and run again"):
        solve(unbroken[0])
    path.unlink()
    solve(unbroken[0])
    assert path.read_bytes() == good or kind == "parquet"


def test_older_measures_are_not_believed(tmp_path, unbroken):
    """A journal that another way to search has left: what it does not ask is passed over, what it lacks is played."""
    solve(tmp_path, watch=Stop(unbroken[1] // 2))
    for path in (tmp_path / "parts").glob("*.journal"):
        entries = json.loads(path.read_text())["measures"]
        path.write_text(json.dumps({"measures": [[n + 60, *rest] for n, *rest in entries]}))
    solve(tmp_path)
    assert numbers(tmp_path) == numbers(unbroken[0])


def test_ctrl_c_says_how_to_go_on(doomtrack, tmp_path, monkeypatch):
    line = "solve snowball --find gear=1..3 --target turns=20 --vary turn_cap=300,400,500 --budget 20000"
    real, calls = places.Table.measure, []

    def measure(self, x, games):
        calls.append(x)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(self, x, games)

    monkeypatch.setattr(places.Table, "measure", measure)
    code, out, err = doomtrack(f"{line} --out", tmp_path)
    assert code == 130
    assert "in 1 of 3 searches" in out or "in 2 of 3 searches" in out
    assert "of 3 searches are finished and " in err and " games of the present one are kept in " in err
    assert "; go on with: doomtrack" in err
    calls.clear()
    code, out, err = doomtrack(line)
    assert code == 130 and "of 3 searches are finished and nothing is kept (with --out DIR it could go on)" in err


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path, unbroken):
    """By SIGKILL, as soon as there are so many measures."""
    out = tmp_path / "out"
    asked = {**ASKED, "out": str(out), "command": "doomtrack solve ..."}
    text = f"import experiments\nexperiments.solve('snowball', **{asked!r})"
    kills = 0
    for measured in (1, 5, 10, 14, 18):
        process = subprocess.Popen([sys.executable, "-c", text], cwd=ROOT)
        while process.poll() is None and len(list((out / "parts").glob("*.journal"))) < measured:
            time.sleep(0.002)
        kills += process.poll() is None
        process.kill()
        process.wait()
    assert kills >= 3
    solve(out)
    assert numbers(out) == numbers(unbroken[0])
