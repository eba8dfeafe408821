"""A real scheduler and real workers on this machine: the same bits as here, whatever becomes of the workers."""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import experiments
from experiments import cluster, playing, store, worker
from experiments.checking import contract, verdicts
from experiments.comparing import contrast, over_strategies, together
from experiments.comparing.compare import compare, prepared
from simcore.errors import InputError, PlayError

distributed = pytest.importorskip("distributed")
ROOT = Path(__file__).resolve().parents[2]
GAMES = 18_000
WAIT = 120.0  # seconds, for what takes a few
pytestmark = [  # dask's own: sockets and loops that it leaves to the end of the process
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:tornado"),
]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """So that few games are many chunks."""
    monkeypatch.setattr(cluster, "CHUNK", 4 * playing.BLOCK)


class Dask:
    """A scheduler and workers, each a process of its own, in a folder that holds nothing of the caller's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-show")

    def start(self, module: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        known = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", **environment}
        command = [sys.executable, "-P", "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, cwd=self.folder, env=known, **quiet)
        self.processes.append(process)
        return process

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        where = ["--host", "127.0.0.1", "--local-directory", str(self.folder)]
        return self.start("dask_worker", self.address, "--no-nanny", "--nthreads", "1", *where, **environment)

    def wait(self, workers: int) -> None:
        """Until so many workers are there."""
        if not workers:
            return self._answers()
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            try:
                with cluster.connected(self.address) as connected:
                    if len(connected._workers()) == workers:
                        return
            except InputError as error:
                if "install the same" in str(error):
                    raise
            time.sleep(0.1)
        pytest.fail(f"no {workers} workers after {WAIT} s")

    def _answers(self) -> None:
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            try:
                return cluster._check_there(self.address)
            except InputError:
                time.sleep(0.1)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def start(tmp_path):
    """Starts a cluster: `start(3)` has three workers."""
    started: list[Dask] = []

    def make(workers: int, **environment: str) -> Dask:
        dask = Dask(tmp_path)
        started.append(dask)
        for _ in range(workers):
            dask.worker(**environment)
        dask.wait(workers)
        return dask

    yield make
    for dask in started:
        dask.close()


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A scheduler with three workers."""
    dask = Dask(tmp_path_factory.mktemp("dask"))
    for _ in range(3):
        dask.worker()
    dask.wait(3)
    yield dask
    dask.close()


class Watching:
    """An observer that does something once, after so many blocks."""

    def __init__(self, after: int, what) -> None:
        self.left, self.what, self.heard = after, what, []

    def begins(self, plan, kept):
        pass

    def hears(self, cell, heard):
        self.heard.append(heard.done)
        self.left -= 1
        if self.left == 0:
            self.what()

    def finished(self, cell):
        pass

    def ends(self):
        pass


def sweep(**more):
    asked = {"vary": {"players": [2, 3, 4]}, "games": GAMES, "metrics": {"x": "turns / (gear_0 + 1)"}}
    return experiments.sweep("snowball", **{**asked, **more})


# --- the same bits ----------------------------------------------------------------------------------------------------


def test_three_workers_give_the_same_bits(three):
    assert sweep(scheduler=three.address).cells.equals(sweep().cells)


def test_precision_stops_at_the_same_game(three):
    here, there = (
        sweep(games=None, precision=0.006, strategies=["greedy"], **m) for m in ({}, {"scheduler": three.address})
    )
    assert there.cells.equals(here.cells) and len({d.games for d in here.done}) > 1


def test_one_worker_killed_and_one_added_midway(start):
    dask = start(3)

    def lose_one() -> None:
        dask.processes[1].send_signal(signal.SIGKILL)
        dask.worker()

    watching = Watching(3, lose_one)
    there = sweep(games=4 * GAMES, scheduler=dask.address, observer=watching)
    assert watching.left < 0 and dask.processes[1].wait() == -signal.SIGKILL
    assert there.cells.equals(sweep(games=4 * GAMES).cells)
    assert max(watching.heard) == 4 * GAMES and not there.remarks


def test_what_is_kept_of_games_is_the_same(three, tmp_path, contents):
    asked = {"vary": {"players": [2, 5]}, "games": 126_000, "metrics": {}}
    here = sweep(out=tmp_path / "here", keep_games=True, **asked)
    there = sweep(out=tmp_path / "there", keep_games=True, scheduler=three.address, **asked)
    assert there.cells.equals(here.cells)
    assert contents(tmp_path / "here" / "games") == contents(tmp_path / "there" / "games")


def test_a_cell_begun_here_goes_on_there(three, tmp_path):
    def stop():
        raise KeyboardInterrupt

    stopped = sweep(out=tmp_path, observer=Watching(7, stop))
    assert stopped.interrupted and 0 < stopped.begun < GAMES
    assert sweep(out=tmp_path, scheduler=three.address).cells.equals(sweep().cells)


@pytest.mark.slow
def test_a_study_on_processes_of_this_machine(tmp_path):
    assert sweep(scheduler="local:2", games=24_000).cells.equals(sweep(games=24_000).cells)


PROMISED = {  # lines with expressions that not all cells have the columns for
    "game": "snowball",
    "budget": 48_000,
    "strategies": ["greedy", "random"],
    "line": [
        {"metric": "start_edge", "within": 0.05, "each": {"players": [2, 3]}},
        {"name": "gear", "expression": "turns / (gear_0 + 1)", "between": [3, 5.2], "each": {"players": [3]}},
        {"name": "last", "expression": "share_3 > 30", "at_most": 0.25, "each": {"players": [4]}},
    ],
}


def verdicts_of(**more):
    checked = experiments.check(contract.build(**PROMISED), **more)
    return {k: v for k, v in verdicts.as_json(checked).items() if k != "seconds"}


def test_a_contract_is_checked_with_the_same_bits(start, tmp_path):
    dask = start(3)

    def lose_one() -> None:
        dask.processes[1].send_signal(signal.SIGKILL)
        dask.worker()

    def stop():
        raise KeyboardInterrupt

    here, watching = verdicts_of(), Watching(3, lose_one)
    there = verdicts_of(scheduler=dask.address, observer=watching)
    assert there == here and dask.processes[1].wait() == -signal.SIGKILL
    stopped = verdicts_of(scheduler=dask.address, out=tmp_path / "r", observer=Watching(20, stop))
    assert stopped != here  # begun there, it goes on here
    assert verdicts_of(out=tmp_path / "r") == here


def numbers_of(against=("gear=4", "strategy.0=greedy"), **more):
    found = compare("snowball", against, **{"games": GAMES, "strategies": ["opportunist"], **more})
    said = contrast.as_json(found)
    del said["seconds"]
    return {
        **said,
        "rows": found.rows,
        "told": [v.told for v in found.variants],
        "own": [v.rows for v in found.variants],
    }


def once(what, after=1):
    """A watcher of a comparison that does something once."""
    left = itertools.count(after, -1)

    def watch(done, planned, variants):
        if next(left) == 1:
            what()

    return watch


@pytest.mark.parametrize("how", [{}, {"until": 0.012, "on": "win_share[seat=0]"}], ids=["fixed", "until"])
def test_a_comparison_has_the_same_bits(three, how, tmp_path):
    def stop():
        raise KeyboardInterrupt

    here = numbers_of(**how)
    assert numbers_of(scheduler=three.address, **how) == here
    stopped = numbers_of(scheduler=three.address, out=tmp_path / "r", watch=once(stop, 2), **how)
    assert stopped != here  # begun there, it goes on here
    assert numbers_of(out=tmp_path / "r", **how) == here


def test_a_comparison_may_lose_a_worker(start):
    dask = start(3)

    def lose_one() -> None:
        dask.processes[1].send_signal(signal.SIGKILL)
        dask.worker()

    there = numbers_of(games=3 * GAMES, scheduler=dask.address, watch=once(lose_one))
    assert dask.processes[1].wait() == -signal.SIGKILL
    assert there == numbers_of(games=3 * GAMES)


def test_a_comparison_over_strategies_there(three):
    def over(**more):
        found = over_strategies.compare_over("snowball", "gear=4", ["greedy", "random"], games=GAMES, **more)
        return over_strategies.as_json(found)["holds"], [c.variants[0].changes for c in found.values()]

    assert over(scheduler=three.address) == over()


def test_a_side_that_cannot_be_played_is_named_from_there(three, plugins):
    asked = {"against": "strategy.1=mine", "plugins": [plugins["illegal"]], "games": 1200}
    said = []
    for more in ({}, {"scheduler": three.address}):
        with pytest.raises(PlayError, match="--strategy 1=mine") as caught:
            numbers_of(**asked, **more)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_other_sums_of_a_comparison_are_refused(monkeypatch):
    sides = prepared("snowball", "gear=4", games=1200).sides
    asked = {"sides": [worker.words_of(s.cell, s.study, False) for s in sides], "versions": together.sources_here()}
    (part,) = together.play_chunk(asked, 0, 1200, 600, [0, 1], [])["parts"]
    assert part["games"] == 1200 and {k: len(u) for k, u in part["units"].items()} == {0: 2, 1: 2}
    refused = together.play_chunk({**asked, "versions": {"comparison": "9.9"}}, 0, 1200, 600, [0, 1], [])["refused"]
    assert refused.startswith("comparison differ") and refused.endswith("there, 9.9 here)")
    assert json.loads(json.dumps(asked)) == asked  # words and numbers


def test_plugins_and_overlays_travel(three, tmp_path, plugins):
    text = Path(plugins["good"]).read_text().replace("game['options'] - 1", "game['options'] - last()")
    helper = "from simcore.jit import shared\n\n\n@shared\ndef last():\n    return 1\n"
    (tmp_path / "beside.py").write_text(helper)
    (tmp_path / "mine.py").write_text(text.replace("\n\n\n@kernel", "\nfrom beside import last\n\n\n@kernel", 1))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "items.toml").write_text("[pinecone]\ncopies = 5\n")
    asked = {
        "plugins": [tmp_path / "mine.py"],
        "strategies": ["random", "0=mine"],
        "content": ["null-items", tmp_path / "more"],
    }
    here, there = sweep(**asked), sweep(**asked, scheduler=three.address)
    assert there.cells.equals(here.cells)
    assert not here.cells.equals(sweep().cells)


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_one_failing_cell_does_not_lose_the_others(three, plugins):
    asked = {"vary": {"strategy.0": ["random", "mine", "greedy"]}, "plugins": [plugins["illegal"]], "games": 6000}
    here, there = sweep(**asked), sweep(**asked, scheduler=three.address)
    assert there.cells.equals(here.cells) and there.failed == here.failed
    assert [f["cell"] for f in there.failed] == [1]


def test_a_worker_with_other_kernels_is_refused(start):
    dask = start(1, NUMBA_OPT="2")
    began = r"worker tcp://127.0.0.1:\d+: kernels differ \(\w+ there, \w+ here\); install the same version there$"
    with pytest.raises(InputError, match=began):
        sweep(scheduler=dask.address)
    dask.worker()  # and others play
    dask.wait(2)
    there = sweep(scheduler=dask.address)
    assert there.cells.equals(sweep().cells)
    assert [r for r in there.remarks if "kernels differ" in r] == list(there.remarks)


def test_a_worker_without_doomtrack(start, monkeypatch, tmp_path):
    """Something else goes by our name there; an installed doomtrack would come after it."""
    (tmp_path / "experiments.py").touch()
    dask = start(0)
    dask.worker(PYTHONPATH=str(tmp_path))
    monkeypatch.setattr(cluster, "CONNECT", WAIT)
    with pytest.raises(InputError, match=r"worker tcp://\S+: has no doomtrack, or another \(No module named 'exp"):
        sweep(scheduler=dask.address)


class Deadly:
    """A client of a cluster whose workers die of what they get."""

    def nthreads(self):
        return {"tcp://somewhere:1": 1}

    def run(self, *_, **__):
        return {}

    def submit(self, *_, **__):
        return self

    def cancel(self, *_, **__):
        pass

    def result(self, timeout):
        raise distributed.KilledWorker("chunk", None, 3)


def test_games_that_kill_every_worker_fail_their_cell_only():
    ready = sweep(games=1200).plan
    source = cluster.Cluster("tcp://somewhere:2", Deadly(), False)
    source.begins([playing.Asked(ready.cells[0], ready.study, 1200)])
    with pytest.raises(PlayError, match="games 0 to 1199: every worker that plays them dies"):
        next(source.pieces(ready.cells[0], ready.study, 0, 1200))


def test_another_version_is_refused():
    ready = sweep(games=1200).plan
    asked = worker.words_of(ready.cells[0], ready.study, False)
    assert [p["totals"]["games"] for p in worker.play_chunk(asked, 0, 2400, [1200])["pieces"]] == [1200, 1200]
    for name in ("versions", "same"):
        for key in asked[name]:
            other = {**asked, name: {**asked[name], key: "9.9"}}
            refused = worker.play_chunk(other, 0, 1200, [])["refused"]
            assert refused.startswith(f"{key} differ") and refused.endswith("there, 9.9 here)")
    assert json.loads(json.dumps(asked)) == asked  # words and numbers


@pytest.mark.slow
def test_the_scheduler_goes_away(start, tmp_path):
    dask = start(1)
    with pytest.raises(InputError, match="the scheduler is gone; what is finished is kept"):
        sweep(scheduler=dask.address, out=tmp_path / "r", games=40 * GAMES, observer=Watching(2, dask.scheduler.kill))
    assert list((tmp_path / "r" / "parts").glob("*.partial"))


def test_a_scheduler_without_workers(start, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    dask = start(0)
    with pytest.raises(InputError, match="it has no workers; start some with: dask worker tcp://127"):
        sweep(scheduler=dask.address)


def test_no_scheduler(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    command = [sys.executable, "-P", "-m", "experiments", "run", "snowball", "--scheduler", address]
    began = time.monotonic()
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "r")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert time.monotonic() - began < 5
    assert done.returncode == 2 and not done.stdout and not (tmp_path / "r").exists()
    assert done.stderr.count("\n") == 1 and f"--scheduler {address}: no scheduler answers there" in done.stderr


def test_something_else_answers(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        with pytest.raises(InputError, match="no scheduler answers there"):
            sweep(scheduler=f"tcp://127.0.0.1:{other.getsockname()[1]}")


@pytest.mark.parametrize("wrong", ["", "here", "tcp://host", "local:", "local:0", "local:x", "http://a:1"])
def test_an_address_that_is_none(wrong):
    with pytest.raises(InputError, match="--scheduler"):
        sweep(scheduler=wrong)


def test_dask_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"dask is not installed \(in a clone: pip install .\.\[dask\].\)"):
        sweep(scheduler="local:2")


def test_ctrl_c_calls_the_chunks_back(three, tmp_path):
    def stop():
        raise KeyboardInterrupt

    stopped = sweep(out=tmp_path, scheduler=three.address, games=4 * GAMES, observer=Watching(2, stop))
    assert stopped.interrupted and stopped.begun == 2 * cluster.CHUNK
    with distributed.Client(three.address, set_as_default=False) as client:
        until = time.monotonic() + WAIT
        while any(client.processing().values()) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(client.processing().values())
    assert not store.read_manifest(tmp_path)["finished"]


def test_chunks_are_whole_blocks():
    assert cluster.CHUNK % playing.BLOCK == 0 and cluster.CHUNK % 60 == 0
