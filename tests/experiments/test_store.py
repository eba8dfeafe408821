"""A full disk, a damaged file, a kill within a cell: one line is said, and what is finished is kept."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import experiments
from experiments import store
from simcore import batch
from simcore.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
GAMES = 300_000
CODE = (
    "import experiments, sys; from experiments import playing; playing.SAVE_EVERY = 0.05; "
    "experiments.run('snowball', games={games}, precision={precision}, metrics={metrics}, out=sys.argv[1])"
)


def sweep(folder):
    return experiments.sweep("snowball", vary={"players": [2, 3, 4]}, games=1200, out=folder)


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def parts(folder):
    return {p.name: p.read_bytes() for p in (folder / "parts").iterdir()}


# --- a full disk ------------------------------------------------------------------------------------------------------


def test_a_full_disk_keeps_the_cells_before(tmp_path, monkeypatch):
    real, written = os.replace, []

    def replace(source, target):
        if Path(target).parent.name == "parts":
            written.append(target)
            if len(written) > 2:
                full()
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(InputError, match=r"parquet: cannot be written \(No space left on device\)$"):
        sweep(tmp_path)
    monkeypatch.setattr(os, "replace", real)
    before = parts(tmp_path)
    assert len(before) == 2 and all(name.endswith(".parquet") for name in before)
    again = sweep(tmp_path)
    assert before.items() <= parts(tmp_path).items() and len(again.done) == 3


def test_a_full_disk_under_polars(tmp_path, monkeypatch):
    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)$"):
        sweep(tmp_path)
    assert not parts(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_what_polars_says_of_a_full_disk_is_one_line(tmp_path, monkeypatch):
    real = pl.DataFrame.write_parquet
    monkeypatch.setattr(pl.DataFrame, "write_parquet", lambda frame, path: real(frame, "/dev/full"))
    with pytest.raises(InputError, match="cannot be written") as caught:
        store.write_frame(tmp_path / "x.parquet", pl.DataFrame({"a": list(range(100_000))}))
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())


# --- damaged files ----------------------------------------------------------------------------------------------------


def test_a_damaged_part_is_named_and_the_rest_is_left(tmp_path):
    sweep(tmp_path)
    before = parts(tmp_path)
    name = min(before)
    (tmp_path / "parts" / name).write_bytes(before[name][:100])
    with pytest.raises(InputError, match=f"{name}: cannot be read .*; delete it and run again"):
        sweep(tmp_path)
    assert {n: b for n, b in parts(tmp_path).items() if n != name} == {n: b for n, b in before.items() if n != name}


def test_a_damaged_note_of_progress_is_named(tmp_path, monkeypatch):
    stop_after(monkeypatch, 3)
    assert experiments.run("snowball", games=GAMES, out=tmp_path).interrupted
    (note,) = (tmp_path / "parts").glob("*.partial")
    note.write_bytes(note.read_bytes()[:200])
    with pytest.raises(InputError, match=r"\.partial: cannot be read .*; delete it and run again"):
        experiments.run("snowball", games=GAMES, out=tmp_path)


# --- stopped within a cell --------------------------------------------------------------------------------------------


def stop_after(monkeypatch, blocks):
    """Ctrl-C comes after so many blocks."""
    real = batch.play

    def play(*arguments, **options):
        for k, block in enumerate(real(*arguments, **options)):
            if k == blocks:
                monkeypatch.setattr(batch, "play", real)
                raise KeyboardInterrupt
            yield block

    monkeypatch.setattr(batch, "play", play)


@pytest.mark.parametrize("how", [{"games": 24_000}, {"precision": 0.006}], ids=str)
@pytest.mark.parametrize("blocks", [1, 2, 4, 19])
def test_ctrl_c_within_a_cell_keeps_its_games(tmp_path, monkeypatch, how, blocks):
    asked = {**how, "metrics": {"x": "turns / (gear_0 + 1)"}}
    stop_after(monkeypatch, blocks)
    stopped = experiments.run("snowball", **asked, out=tmp_path)
    if stopped.interrupted:  # with precision it may have been done before
        assert stopped.begun == blocks * batch.BLOCK and not stopped.done
    firsts = []
    real = batch.play
    monkeypatch.setattr(batch, "play", lambda *a, **k: firsts.append(k["first"]) or real(*a, **k))
    resumed = experiments.run("snowball", **asked, out=tmp_path, replays=False)
    assert firsts == ([blocks * batch.BLOCK] if stopped.interrupted else [])
    assert resumed.cells.equals(experiments.run("snowball", **asked).cells)
    assert not list((tmp_path / "parts").glob("*.partial"))


def test_stopping_is_said_with_the_games_that_are_kept(tmp_path, monkeypatch):
    from experiments import output

    stop_after(monkeypatch, 3)
    said = output.stopped(experiments.run("snowball", games=GAMES, out=tmp_path, command="doomtrack run x"))
    assert said == f"stopped: 3,600 games of the present one are kept in {tmp_path}; go on with: doomtrack run x"


@pytest.mark.parametrize("how", [{"games": GAMES, "precision": None}, {"games": None, "precision": 0.002}], ids=str)
def test_a_cell_that_is_killed_goes_on_where_it_was(tmp_path, monkeypatch, how):
    metrics = {"x": "turns / (gear_0 + 1)"} if how["games"] else {}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = CODE.format(**how, metrics=metrics)
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=environment)
    deadline = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        if list((tmp_path / "parts").glob("*.partial")):
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.005)
    assert process.wait() == -signal.SIGKILL
    firsts = []
    real = batch.play
    monkeypatch.setattr(batch, "play", lambda *a, **k: firsts.append(k["first"]) or real(*a, **k))
    resumed = experiments.run("snowball", **how, metrics=metrics, out=tmp_path, replays=False)
    assert firsts[0] > 0 and firsts[0] % batch.BLOCK == 0
    assert resumed.cells.equals(experiments.run("snowball", **how, metrics=metrics).cells)
