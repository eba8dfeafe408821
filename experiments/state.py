"""How far a cell is: the totals of its first games, enough to go on from there with the same bits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments import store
from simcore.batch import Totals
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.expressions import Sums


@dataclass(frozen=True)
class State:
    """Totals of a cell's first games, and sums of the metrics that a person wrote."""

    totals: Totals
    sums: Sums


def write(path: Path, state: State) -> None:
    """Keep a state. Raises InputError."""
    arrays = {f"total_{f.name}": np.asarray(getattr(state.totals, f.name)) for f in fields(Totals)}
    store.write_arrays(path, {"sums": np.array(state.sums, np.float64).reshape(-1, 3), **arrays})


def read(path: Path) -> State | None:
    """The state that was kept, or None if there is none. Raises InputError if it cannot be read."""
    found = store.read_arrays(path)
    if found is None:
        return None
    try:
        given: dict[str, Any] = {f.name: found[f"total_{f.name}"] for f in fields(Totals)}
        given |= {name: int(given[name]) for name in ("games", "decisions")}
        return State(Totals(**given), [(int(n), float(a), float(b)) for n, a, b in found["sums"]])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error.__class__.__name__}); delete it and run again") from None
