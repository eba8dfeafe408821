"""One row a game: what is in it, in how many bytes, and that nothing is lost by a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import experiments
from experiments import rows, store
from simcore import batch
from simcore.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
SMALL = 2 * batch.BLOCK  # games in a part, here
GAMES = 3 * SMALL + 600


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(rows, "PART", SMALL)


def run(folder, **more):
    asked = {"players": 3, "strategies": ["greedy"], "games": GAMES, "keep_games": True, "out": folder}
    return experiments.run("snowball", **{**asked, **more})


def kept(folder: Path) -> Path:
    """The folder of the only cell's rows."""
    (found,) = (folder / "games").iterdir()
    return found


def test_rows_are_the_games(tmp_path):
    result = run(tmp_path)
    folder = kept(tmp_path)
    assert sorted(p.name for p in folder.iterdir()) == [f"part-0000{k}.parquet" for k in range(4)]
    assert json.loads((tmp_path / "manifest.json").read_text())["kept_games"] == {"0": f"games/{folder.name}"}
    found = pl.read_parquet(folder / "*.parquet")
    assert found["number"].to_list() == list(range(GAMES))
    assert {"turns", "status", "winner", "gear_0", "gear_2"} <= set(found.columns)
    assert not {"gear_3", "fault_player"} & set(found.columns)
    assert found["turns"].mean() == pytest.approx(result.get("turns").value)
    assert found["share_1"].sum() / 60 / GAMES == pytest.approx(result.get("win_share", "seat=1").value)
    assert found.schema["number"] == pl.Int64 and found.schema["winner"] == pl.Int8
    cell = result.done[0].cell
    blocks = batch.play(cell.configuration, cell.players, games=GAMES, keep=True)
    outcomes = np.concatenate([b.outcomes for b in blocks])
    assert all(np.array_equal(found[n].to_numpy(), outcomes[n]) for n in ("turns", "winner", "throws", "starter"))


def test_a_column_has_one_type_in_all_parts(tmp_path):
    folder = tmp_path / "games"
    writer = rows.Writer(folder)
    for k, most in enumerate((5, 200, 100_000)):
        number = np.arange(k * SMALL, (k + 1) * SMALL)
        assert writer.add({"number": number, "turns": np.where(number % 7 == 0, most, -1)})
    writer.close()
    assert {str(pl.read_parquet_schema(p)["turns"]) for p in folder.iterdir()} == {"Int32"}
    assert pl.read_parquet(folder / "*.parquet")["turns"].max() == 100_000
    assert rows.is_complete(folder, 3 * SMALL) and not rows.is_complete(folder, 2 * SMALL)


@pytest.mark.parametrize(
    ("low", "high", "kind"), [(-1, 127, "int8"), (0, 128, "int16"), (-129, 0, "int16"), (0, 40_000, "int32")]
)
def test_numbers_take_as_few_bytes_as_hold_them(low, high, kind):
    found = rows.narrow({"number": np.array([1, 2]), "x": np.array([low, high])})
    assert found["x"].dtype == kind and found["number"].dtype == "int64"


def test_a_folder_is_needed(tmp_path):
    with pytest.raises(InputError, match="--keep-games: needs a folder"):
        run(None)


def test_rows_are_asked_for_later(tmp_path, contents, monkeypatch):
    first = run(tmp_path / "r", keep_games=False)
    assert not (tmp_path / "r" / "games").exists()
    again = run(tmp_path / "r")
    assert again.cells.equals(first.cells)
    whole = contents(tmp_path / "r" / "games")
    (kept(tmp_path / "r") / "part-00001.parquet").unlink()  # or one is lost
    run(tmp_path / "r")
    assert contents(tmp_path / "r" / "games") == whole
    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("played again"))
    run(tmp_path / "r")
    run(tmp_path / "r", keep_games=False)
    assert contents(tmp_path / "r" / "games") == whole


def test_rows_of_a_cell_that_fails_are_not_kept(tmp_path, plugins):
    vary = {"strategy.0": ["mine", "greedy"]}
    asked = {"vary": vary, "plugins": [plugins["illegal"]], "games": 6000, "out": tmp_path, "keep_games": True}
    result = experiments.sweep("snowball", **asked)
    assert [d.cell.index for d in result.done] == [1] and kept(tmp_path)


def test_a_killed_run_goes_on_with_the_same_files(tmp_path, contents):
    games = 150 * SMALL
    code = (
        f"import experiments, sys; from experiments import rows; rows.PART = {SMALL}; "
        "experiments.run('snowball', players=3, strategies=['greedy'], "
        f"games={games}, keep_games=True, out=sys.argv[1])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "killed")], env=environment)
    deadline = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        if len(list((tmp_path / "killed").glob("games/*/part-*.parquet"))) > 3:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.005)
    assert process.wait() == -signal.SIGKILL
    assert list((tmp_path / "killed" / "parts").glob("*.partial"))
    less = {"games": 60 * SMALL}
    with pytest.raises(InputError, match="holds another study"):
        run(tmp_path / "killed", **less)
    resumed, whole = run(tmp_path / "killed", games=games), run(tmp_path / "whole", games=games)
    assert resumed.cells.equals(whole.cells)
    assert contents(tmp_path / "killed" / "games") == contents(tmp_path / "whole" / "games")
    assert not list((tmp_path / "killed" / "parts").glob("*.partial"))


def test_rows_that_were_only_begun_do_not_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(rows.Writer, "close", lambda writer: interrupt())
    assert run(tmp_path).interrupted and kept(tmp_path)
    run(tmp_path, keep_games=False)
    assert not (tmp_path / "games").exists()


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.slow
def test_memory_does_not_grow_with_the_games(tmp_path):
    code = (
        "import experiments, pathlib, re, sys\n"
        "def peak():\n"  # not getrusage's, which is that of the test's own process as long as that is the larger
        "    return int(re.search(r'VmHWM:\\s+(\\d+)', pathlib.Path('/proc/self/status').read_text())[1]) / 1024\n"
        "for games in (240_000, 2_040_000):\n"
        "    experiments.run('snowball', games=games, keep_games=True, out=f'{sys.argv[1]}/{games}')\n"
        "    print(peak())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    small, large = map(float, done.stdout.split())
    assert large < 1000 and large - small < 200  # MB; and flat: 10^8 games stay below 2 GB


def test_what_is_no_folder(tmp_path):
    (tmp_path / "r").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        store.make_folder(tmp_path / "r" / "games")
