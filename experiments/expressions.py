"""A user's own words over one game's outcome: extra metrics and the filter that finds a game to trace.

The words are polars SQL expressions (data, not code) over the fields of the game's outcome row; a field with one entry
a player becomes one column a player of the line-up, ``gear_0``, ``gear_1``, ... All are checked before a game is
played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl

from experiments import statistics as st
from experiments.metrics import Row, row
from simcore.errors import InputError, nearest
from simcore.game import Configuration
from simcore.records import Status

# a metric each: number of values, their sum, the sum of their squares, how many of them are not 0
Sums = list[tuple[int, float, float, int]]
# Games whose values are added up apart, from a multiple of it on. Sums of reals hang on their order in the last bit,
# and blocks are cut here or there, but always between two such runs.
RUN = 60


def outcome_frame(outcomes: np.ndarray, seats: int) -> pl.DataFrame:
    """Outcome rows as a frame: one column a field (array fields: one a player), and `won`, `tied`, `capped`.

    Numbers are reals, so that a division by zero is no error but undefined, and left out.
    """
    columns: dict[str, np.ndarray] = {}
    for name in outcomes.dtype.names or ():
        field = outcomes[name]
        if field.ndim == 1:
            columns[name] = field.astype(np.float64)
        else:
            for k in range(min(seats, field.shape[1])):
                columns[f"{name}_{k}"] = field[:, k].astype(np.float64)
    for name, status in (("won", Status.WON), ("tied", Status.TIED), ("capped", Status.CAPPED)):
        columns[name] = columns["status"] == status
    return pl.DataFrame(columns)


def _expression(what: str, text: str, configuration: Configuration) -> tuple[pl.Expr, Any]:
    """The compiled expression and its type. Raises InputError, naming a column that is not there."""
    sample = outcome_frame(np.zeros(3, configuration.game.layout.OUTCOME), configuration.seats)
    try:
        expression = pl.sql_expr(text)
        result = sample.select(expression.alias("it"))
    except pl.exceptions.ColumnNotFoundError as error:
        column = str(error).split("\n")[0].split('"')[1] if '"' in str(error) else str(error).split("\n")[0]
        hint = nearest(column, sample.columns) or f"; columns: {', '.join(sample.columns)}"
        raise InputError(f"{what} {text!r}: no column {column!r}{hint}") from None
    except Exception as error:  # polars raises many kinds, all for a text that it can't read
        raise InputError(f"{what} {text!r}: {str(error).strip().splitlines()[0]}") from None
    if result.height != 3:
        raise InputError(f"{what} {text!r}: must give one value a game; it sums up or holds no column")
    return expression, result.schema["it"]


def _evaluated(what: str, function: Callable[[pl.Expr], pl.DataFrame], expression: pl.Expr) -> pl.DataFrame:
    """What `function` makes of the expression. Raises InputError where values defeat it."""
    try:
        return function(expression)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{what}: {str(error).strip().splitlines()[0]}") from None


class Where:
    """A filter over outcomes."""

    def __init__(self, text: str, configuration: Configuration) -> None:
        self.text = f"--where {text!r}"
        self.expression, kind = _expression("--where", text, configuration)
        if kind != pl.Boolean:
            raise InputError(f"--where {text!r}: is not true or false, as `turns > 60` is")
        self.seats = configuration.seats

    def first(self, outcomes: np.ndarray) -> int | None:
        """The first game number among these outcomes that fits, or None."""
        found = _evaluated(self.text, outcome_frame(outcomes, self.seats).filter, self.expression)
        return int(found["number"][0]) if found.height else None


class Expressions:
    """Extra metrics of one cell.

    Compiled once, fed with outcomes, read as rows. A null or undefined value is left out.
    """

    def __init__(self, texts: Mapping[str, str], configuration: Configuration) -> None:
        self.seats = configuration.seats
        taken = {m.name for m in configuration.game.metrics(configuration)}
        self._compiled: dict[str, tuple[pl.Expr, bool]] = {}
        self._sums: dict[str, list[float]] = {}
        for name, text in texts.items():
            if name in taken:
                raise InputError(f"--metric {name}: the game has a metric of that name; choose another")
            if not name.replace("_", "").isalnum():
                raise InputError(f"--metric {name!r}: a name has letters, digits and underscores only")
            expression, kind = _expression(f"--metric {name}", text, configuration)
            if kind != pl.Boolean and not kind.is_numeric():
                raise InputError(f"--metric {name}: {text!r} is neither a number nor true or false")
            self._compiled[name] = (expression, kind == pl.Boolean)
            self._sums[name] = [0, 0.0, 0.0, 0]

    def __bool__(self) -> bool:
        return bool(self._compiled)

    def sums(self, outcomes: np.ndarray) -> list[Sums]:
        """What each run of games in a block of outcomes adds."""
        table = outcome_frame(outcomes, self.seats)
        run = outcomes["number"] // RUN
        run -= run[0]
        found = []
        for name, (expression, _) in self._compiled.items():
            column = _evaluated(f"--metric {name}", table.select, expression.cast(pl.Float64).alias(name))
            values = column[name].fill_null(np.nan).to_numpy()
            there = np.isfinite(values)
            values = np.where(there, values, 0.0)
            what = (there, values, values * values, values != 0)
            found.append([np.bincount(run, weights).tolist() for weights in what])
        return [
            [(int(n), a, s, int(k)) for n, a, s, k in one]
            for one in zip(*(zip(*f, strict=True) for f in found), strict=True)
        ]

    def count(self, sums: Sums) -> None:
        """Count the sums of a run of games in, in the order of game numbers."""
        for name, added in zip(self._sums, sums, strict=True):
            self._sums[name] = [have + more for have, more in zip(self._sums[name], added, strict=True)]

    def add(self, outcomes: np.ndarray) -> None:
        """Count a block of outcomes in."""
        for sums in self.sums(outcomes):
            self.count(sums)

    def so_far(self) -> Sums:
        """The sums of all games; `count` of them is where to go on from."""
        return [(int(n), total, square, int(seen)) for n, total, square, seen in self._sums.values()]

    def rows(self) -> list[Row]:
        """One row a metric: a rate for true or false, else a mean."""
        found = []
        for name, (_, flag) in self._compiled.items():
            n, total, square, _ = self._sums[name]
            found.append(row(name, st.rate(round(total), int(n)) if flag else st.mean_of_reals(int(n), total, square)))
        return found
