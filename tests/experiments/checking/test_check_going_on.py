"""A contract that was stopped goes on, a checked one is not played again, and its folder is known again."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import experiments
from experiments import cli, store
from experiments.checking import check, contract, folder, verdicts
from experiments.checking.gauges import Reading
from experiments.checking.outcomes import OPEN, Outcome, Verdict
from experiments.execution import Silent
from experiments.state import State
from simcore import batch
from simcore.batch import BLOCK, Totals
from simcore.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
LINES = (
    {"name": "the start", "metric": "start_edge", "within": 0.05, "each": {"players": [2, 3]}},
    {"name": "gear", "expression": "turns / (gear_0 + 1)", "between": [3, 5.2], "each": {"players": [3]}},
    {"name": "last seat", "expression": "share_3 > 30", "at_most": 0.25, "each": {"players": [4]}},  # not in all cells
)
ASKED = {"game": "snowball", "budget": 30_000, "strategies": ["greedy"], "line": list(LINES)}


def promise(**more):
    return contract.build(**{**ASKED, **more})


def told(checked) -> dict:
    """All that must not depend on how it was played."""
    return {k: v for k, v in verdicts.as_json(checked).items() if k != "seconds"}


class Stopping(Silent):
    """Ctrl-C after so many blocks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def hears(self, cell, heard) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def whole() -> dict:
    return told(experiments.check(promise()))


@pytest.fixture
def firsts(monkeypatch) -> list[int]:
    """Where each batch that is played begins."""
    found: list[int] = []
    real = batch.play
    monkeypatch.setattr(batch, "play", lambda *a, **k: found.append(k["first"]) or real(*a, **k))
    return found


@pytest.fixture
def doomtrack(capfd):
    def call(*arguments):
        code = cli.call([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


# --- going on ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [1, 9, 26, 40])
def test_a_stopped_check_goes_on_with_the_same_numbers(tmp_path, whole, blocks, firsts) -> None:
    stopped = experiments.check(promise(), out=tmp_path / "r", observer=Stopping(blocks))
    assert stopped.interrupted and not store.read_manifest(tmp_path / "r")["finished"]
    assert stopped.begun == stopped.games[len(stopped.settled)] > 0
    firsts.clear()
    resumed = experiments.check(promise(), out=tmp_path / "r")
    assert firsts[0] == stopped.begun and len(firsts) == 3 - len(stopped.settled)
    assert told(resumed) == whole
    assert store.read_manifest(tmp_path / "r")["finished"]


def test_it_may_be_stopped_again_and_again_on_any_number_of_threads(tmp_path, whole) -> None:
    for threads in itertools.cycle((1, 2, 3)):
        checked = experiments.check(promise(), out=tmp_path / "r", observer=Stopping(7), threads=threads)
        if not checked.interrupted:
            break
    assert told(checked) == whole


def test_few_games_are_played_in_smaller_blocks_and_gone_on_with_in_any(tmp_path) -> None:
    asked = promise(budget=3000, line=[LINES[0]])
    stopped = experiments.check(asked, out=tmp_path / "r", observer=Stopping(1), threads=4)
    assert stopped.interrupted
    assert told(experiments.check(asked, out=tmp_path / "r", threads=1)) == told(experiments.check(asked))


def test_a_checked_contract_is_not_played_again(tmp_path, whole, firsts, doomtrack) -> None:
    file = tmp_path / "it.toml"
    file.write_text(
        'game = "snowball"\nbudget = 6000\nstrategies = ["greedy", "random"]\n'
        '[[line]]\nmetric = "turns"\nat_most = 30\neach = {players = [2, 3]}\n'
    )
    words = ("check", file, "--out", tmp_path / "r")
    first = doomtrack(*words)
    assert len(firsts) == 4 and first[0] == 0
    firsts.clear()
    assert doomtrack(*words) == first  # its time, too, is what playing took
    assert not firsts
    assert doomtrack(*words, "--seed", 2)[0] == 2


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(tmp_path, doomtrack, monkeypatch) -> None:
    real = check.play
    monkeypatch.setattr(check, "play", lambda *a, **k: real(*a, **{**k, "observer": Stopping(14)}))
    code, _, err = doomtrack("check", "snowball", "--out", tmp_path / "r")
    assert code == 130 and err.startswith("doomtrack: stopped: ") and err.count("\n") == 1
    assert f" kept in {tmp_path / 'r'}; go on with: doomtrack" in err
    code, _, err = doomtrack("check", "snowball")
    assert code == 130 and err == "doomtrack: stopped: nothing is kept (with --out DIR it could go on)\n"


CODE = """
import sys
from experiments.checking import check, contract
check.SAVE_EVERY = 0.0
check.check(contract.build(**{asked!r}), out=sys.argv[1], threads=1)
"""


def test_a_killed_check_goes_on_with_the_same_numbers(tmp_path) -> None:
    asked = {**ASKED, "budget": 240_000}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", CODE.format(asked=asked), str(tmp_path / "r")], env=environment)
    parts, deadline = tmp_path / "r" / "parts", time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        if parts.is_dir() and len(list(parts.glob("*.npz"))) >= 2:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    assert process.wait() == -signal.SIGKILL
    kept = [p for p in map(folder.read, parts.glob("*.npz")) if p is not None]
    assert len(kept) == 2 and any(p.state.totals.games < 240_000 for p in kept)
    resumed = experiments.check(contract.build(**asked), out=tmp_path / "r")
    assert told(resumed) == told(experiments.check(contract.build(**asked)))
    assert not list(parts.glob(".*"))


# --- the folder -------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_read_as_it_was_written(tmp_path) -> None:
    totals = Totals(60, 7, *(np.arange(k + 1) for k in range(6)))
    outcomes = [OPEN, Outcome(Verdict.FAIL, Reading(0.1 + 0.2, -np.inf, 1 / 3), 60)]
    progress = folder.Progress(State(totals, [(3, 0.1, 0.2, 2)]), 60, outcomes, 1.5)
    folder.write(tmp_path / "x.npz", progress)
    found = folder.read(tmp_path / "x.npz")
    assert found is not None and (found.looked, found.outcomes, found.seconds) == (60, outcomes, 1.5)
    assert found.state.sums == progress.state.sums and (found.state.totals.histogram == totals.histogram).all()
    assert folder.read(tmp_path / "y.npz") is None


def test_a_damaged_file_is_named(tmp_path) -> None:
    experiments.check(promise(budget=1200), out=tmp_path / "r")
    (broken, *others) = sorted((tmp_path / "r" / "parts").glob("*.npz"))
    broken.write_bytes(b"no archive")
    with pytest.raises(InputError, match=f"{broken.name}: cannot be read .*; delete it and run again"):
        experiments.check(promise(budget=1200), out=tmp_path / "r")
    assert all(p.exists() for p in others)
    broken.unlink()
    assert told(experiments.check(promise(budget=1200), out=tmp_path / "r")) == told(
        experiments.check(promise(budget=1200))
    )


def test_what_verdicts_depend_on_is_in_the_key() -> None:
    """A band, its level, the budget, who plays: nothing of another one is taken up."""
    one = check.ready(promise())
    keys = set()
    for todo in (
        one,
        check.ready(promise(budget=24_000)),
        check.ready(promise(level=0.9)),
        check.ready(promise(seed=2)),
        check.ready(promise(strategies=["random"])),
        check.ready(promise(line=[{**LINES[0], "within": 0.03}, *LINES[1:]])),
    ):
        mine = [i for i in todo.items if i.cell == 0]
        keys.add(folder.key_of(todo, 0, mine, folder.study_of(todo, mine)))
    assert len(keys) == 6


def test_a_killed_run_leaves_a_folder_that_is_known_again(tmp_path) -> None:
    stopped = experiments.check(promise(), out=tmp_path / "r", observer=Stopping(2))
    assert stopped.interrupted
    with pytest.raises(InputError, match=r"holds another contract \(budget is 30000 there and 24000 here\)"):
        experiments.check(promise(budget=24_000), out=tmp_path / "r")
    with pytest.raises(InputError, match="choose another folder"):
        experiments.run("snowball", games=60, out=tmp_path / "r")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("x")
    with pytest.raises(InputError, match="holds something else"):
        experiments.check(promise(), out=tmp_path / "other")
    assert [p.name for p in (tmp_path / "other").iterdir()] == ["mine.txt"]
    assert json.loads((tmp_path / "r" / "manifest.json").read_text())["kind"] == "check"


def test_blocks_are_what_looks_are_made_of() -> None:
    assert all(n % BLOCK == 0 for n in list(check.looks(10**6))[:-1])
