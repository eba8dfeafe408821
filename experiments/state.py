"""How far a cell is: the totals of its first games, enough to go on from there with the same bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    store.write_arrays(path, arrays(state))


def read(path: Path) -> State | None:
    """The state that was kept, or None if there is none. Raises InputError if it cannot be read."""
    found = store.read_arrays(path)
    if found is None:
        return None
    with readable(path):
        return of_arrays(found)


def arrays(state: State, prefix: str = "") -> dict[str, np.ndarray]:
    """A state as arrays by name."""
    sums = np.array(state.sums, np.float64).reshape(-1, 4)
    return {f"{prefix}sums": sums, **totals_arrays(state.totals, prefix)}


def of_arrays(found: Mapping[str, np.ndarray], prefix: str = "") -> State:
    """The state that `arrays` made so."""
    sums = [(int(n), float(a), float(b), int(k)) for n, a, b, k in found[f"{prefix}sums"]]
    return State(totals_of(found, prefix), sums)


def totals_arrays(totals: Totals, prefix: str = "") -> dict[str, np.ndarray]:
    """Totals as arrays by name."""
    return {f"{prefix}total_{f.name}": np.asarray(getattr(totals, f.name)) for f in fields(Totals)}


def totals_of(found: Mapping[str, np.ndarray], prefix: str = "") -> Totals:
    """The totals that `totals_arrays` made so."""
    given: dict[str, Any] = {f.name: found[f"{prefix}total_{f.name}"] for f in fields(Totals)}
    given |= {name: int(given[name]) for name in ("games", "decisions")}
    return Totals(**given)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """What cannot be made of the arrays of a file is said with its name. Raises InputError."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error.__class__.__name__}); delete it and run again") from None
