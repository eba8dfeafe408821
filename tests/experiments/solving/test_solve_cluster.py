"""A real dask cluster on this machine plays the searches: the same bits as here, and it is told what is wrong."""

import socket

import pytest

import experiments
from experiments import cluster, playing, store

pytest.importorskip("distributed")
pytestmark = [  # dask's own: sockets and loops that it leaves to the end of the process
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:tornado"),
]
ASKED = {
    "find": "event_density=0..1",
    "target": "turns=20.9",
    "vary": {"gear": [2, 3]},
    "metrics": {"x": "turns / (gear_0 + 1)"},
    "budget": 60_000,
}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """So that few games are many chunks."""
    monkeypatch.setattr(cluster, "CHUNK", 2 * playing.BLOCK)


def test_the_same_bits_as_here_and_goes_on_there_what_was_stopped_here(tmp_path, monkeypatch):
    here = experiments.solve("snowball", **ASKED)
    heard = []
    real = cluster.Cluster.pieces

    def pieces(self, cell, study, first, most):
        for piece in real(self, cell, study, first, most):
            heard.append(piece.totals.games)
            yield piece

    monkeypatch.setattr(cluster.Cluster, "pieces", pieces)

    def stop(*told):
        if len(stopped_after) == 12:
            raise KeyboardInterrupt
        stopped_after.append(told)

    stopped_after = []
    assert experiments.solve("snowball", **ASKED, out=tmp_path, watch=stop).result.interrupted
    there = experiments.solve("snowball", **ASKED, out=tmp_path, scheduler="local:2")
    assert [f.answer for f in there.found] == [f.answer for f in here.found]
    assert there.result.cells.equals(here.result.cells)
    assert store.read_frame(tmp_path / "cells.parquet").equals(here.result.cells)
    assert len(heard) > 20 and sum(heard) < sum(f.spent for f in here.found)  # what was kept is not played again


def test_a_scheduler_that_is_not_there_is_one_line_and_leaves_no_folder(doomtrack, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    line = f"solve snowball --find gear=1..6 --target turns=40 --scheduler tcp://127.0.0.1:{port} --out"
    code, out, err = doomtrack(line, tmp_path / "new")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "no scheduler answers there" in err and not (tmp_path / "new").exists()
