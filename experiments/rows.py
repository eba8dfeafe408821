"""One row a game, kept as Parquet: a cell's games in parts of fixed size, so that memory does not grow with the games.

The columns are the fields of the game's outcome, under the names that `--metric` and `--where` use (a field with an
entry a player is one column a player, ``gear_0``, ``gear_1``, ...). ``number`` is 64 bits wide; every other column has
the narrowest of 8, 16, 32 and 64 bits that holds all games of the cell. The rows lie in the order of game numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments import store
from simcore.batch import BLOCK

PART = 100 * BLOCK  # games in a file
LEFT_OUT = ("fault_player", "fault_decision", "fault_answer")  # a game with a fault is no result
Columns = dict[str, np.ndarray]


def columns(outcomes: np.ndarray, seats: int) -> Columns:
    """The columns of some games."""
    found: Columns = {}
    for name in outcomes.dtype.names or ():
        field = outcomes[name]
        if name in LEFT_OUT:
            continue
        if field.ndim == 1:
            found[name] = field.copy()
        else:
            found |= {f"{name}_{k}": field[:, k].copy() for k in range(min(seats, field.shape[1]))}
    return found


def narrow(given: Mapping[str, np.ndarray]) -> Columns:
    """The same numbers in as few bytes as hold them, the games' own numbers excepted."""
    return {name: values.astype(_narrowest(name, values), copy=False) for name, values in given.items()}


def _narrowest(name: str, values: np.ndarray) -> type[np.signedinteger]:
    if name != "number" and len(values):
        low, high = int(values.min()), int(values.max())
        for kind in (np.int8, np.int16, np.int32):
            if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
                return kind
    return np.int64


def joined(some: list[Columns]) -> Columns:
    """Columns of games after one another."""
    return {name: np.concatenate([c[name] for c in some]) for name in some[0]}


class Writer:
    """Writes the rows of one cell into its folder. `done`: games that lie there already."""

    def __init__(self, folder: Path, done: int = 0) -> None:
        self.folder = folder
        self._waiting: list[Columns] = []
        self._games = 0  # that wait
        self._part = done // PART
        store.make_folder(folder)
        for path in folder.iterdir():
            if path.suffix == ".tmp" or path not in self.parts():
                path.unlink(missing_ok=True)

    def parts(self) -> list[Path]:
        """The files written so far."""
        return [self.folder / f"part-{k:05}.parquet" for k in range(self._part)]

    def add(self, more: Columns) -> bool:
        """Add games, not across the end of a part. True if a part is full and was written."""
        self._waiting.append(more)
        self._games += len(more["number"])
        if self._games < PART:
            return False
        self._write()
        return True

    def close(self) -> None:
        """Write the last part, and give each column the same type in all parts."""
        import polars as pl

        if self._games:
            self._write()
        schemas = [pl.read_parquet_schema(path) for path in self.parts()]
        widest: dict[Any, pl.DataType] = {name: max((s[name] for s in schemas), key=_bits) for name in schemas[0]}
        for path, schema in zip(self.parts(), schemas, strict=True):
            if dict(schema) != widest:
                store.write_frame(path, pl.read_parquet(path).cast(widest))

    def _write(self) -> None:
        import polars as pl

        frame = pl.DataFrame(narrow(joined(self._waiting)))
        self._part += 1
        store.write_frame(self.parts()[-1], frame)
        self._waiting, self._games = [], 0


def _bits(kind: object) -> int:
    return int(str(kind).removeprefix("Int"))


def _lengths(folder: Path) -> list[int]:
    """Games in each part of a cell's folder, from its first on; of those after a part that cannot be read, nothing."""
    import polars as pl

    found: list[int] = []
    try:
        while (path := folder / f"part-{len(found):05}.parquet").exists():
            found.append(int(pl.scan_parquet(path).select(pl.len()).collect().item()))
    except (OSError, pl.exceptions.PolarsError):
        pass
    return found


def holds(folder: Path, games: int) -> bool:
    """True if a cell's folder holds whole parts up to this number of games."""
    return games % PART == 0 and _lengths(folder)[: games // PART] == [PART] * (games // PART)


def is_complete(folder: Path, games: int) -> bool:
    """True if a cell's folder holds all of its games, with the same types in all parts."""
    import polars as pl

    lengths = _lengths(folder)
    if sum(lengths) != games or len(lengths) != len(list(folder.glob("*.parquet"))):
        return False
    return len({tuple(pl.read_parquet_schema(path).items()) for path in folder.glob("*.parquet")}) == 1
