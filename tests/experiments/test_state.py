"""How far a cell is, written and read."""

import numpy as np
import pytest

import experiments
from experiments import playing, state, store
from simcore.errors import InputError


def test_a_state_is_read_as_it_was_written(tmp_path):
    ready = experiments.run("snowball", games=1200).plan
    (piece,) = playing.Here(1).pieces(ready.cells[0], ready.study, 0, 1200)
    state.write(tmp_path / "x.partial", state.State(piece.totals, [(3, 0.1, 0.2, 2)]))
    found = state.read(tmp_path / "x.partial")
    assert found.sums == [(3, 0.1, 0.2, 2)] and found.totals.games == 1200
    assert (found.totals.histogram == piece.totals.histogram).all()
    assert state.read(tmp_path / "y.partial") is None


def test_another_archive_is_refused(tmp_path):
    store.write_arrays(tmp_path / "x.partial", {"sums": np.zeros((0, 4))})
    with pytest.raises(InputError, match="x.partial: cannot be read .KeyError.; delete it and run again"):
        state.read(tmp_path / "x.partial")
