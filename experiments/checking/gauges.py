"""One number of a cell's running totals, with bounds that hold at every look: what a balance contract decides by.

A gauge is a metric of the game (``simcore.game.Metric``), a strategy's win share, or an expression of the user's own.
Rates and shares are read by ``sequences.proportion``, quantiles by ``sequences.quantile``, all else by
``sequences.mean``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from experiments import sequences
from experiments import statistics as st
from experiments.metrics import metrics_of, seats_by_strategy
from experiments.speech import is_signed
from simcore import records
from simcore.errors import InputError
from simcore.game import Configuration, How, Metric, Player

if TYPE_CHECKING:
    from simcore.batch import Totals

SHARES = (How.RATE, How.RATE_OF, How.STATUS, How.SHARE, How.SHARE_OF)  # numbers in 0..1
UNBOUNDED = (How.SPAN_MAX, How.SPAN_SHARE)  # no interval can be given, or they are whole distributions
METHOD = "confidence sequence"


class Reading(NamedTuple):
    """A value with its bounds, which may be infinite. `value` is None where nothing was seen."""

    value: float | None
    low: float
    high: float


UNKNOWN = Reading(None, -math.inf, math.inf)


class Tuning(NamedTuple):
    """What a confidence sequence is set to before the first game: level, value and games where it is to be tightest."""

    level: float
    expect: float = 0.5
    games: int = sequences.GAMES


@dataclass
class Sums:
    """Sums of a user's expression over the games so far: how many, total, squares, how many not 0."""

    n: int = 0
    total: float = 0.0
    square: float = 0.0
    seen: int = 0


@dataclass(frozen=True)
class Gauge:
    """What is read. `slots`: tallies whose shares are averaged (the seats that play a strategy)."""

    metric: Metric
    slots: tuple[int, ...] = ()
    pair: int = -1  # of the cross-sums, where the metric is a ratio
    expression: str = ""
    flag: bool = False  # the expression is true or false

    @property
    def share(self) -> bool:
        """True for numbers in 0..1."""
        return self.flag if self.expression else self.metric.how in SHARES

    @property
    def edge(self) -> bool:
        """True for numbers in -1..1."""
        return not self.share and is_signed(self.metric.name, self.metric.unit)

    @property
    def kind(self) -> str:
        """`seat` of `seat=2`."""
        return self.metric.group.partition("=")[0]

    def shows(self, game: str) -> list[str]:
        """The words of the command that shows it; settings and line-up follow."""
        return ["run", game]

    def at(self, q: float) -> Gauge:
        """The q-quantile of the length that this gauge's metric is about."""
        return replace(self, metric=replace(self.metric, how=How.SPAN_QUANTILE, q=q, group=f"quantile={q:g}"))

    def read(self, totals: Totals, sums: Mapping[str, Sums], tuning: Tuning) -> Reading:
        """The value and its bounds after the games of `totals` (of `sums` for an expression)."""
        if self.expression:
            return self._expression(sums[self.metric.name], tuning)
        m, level, games = self.metric, tuning.level, tuning.games
        if m.how in (How.RATE, How.RATE_OF, How.STATUS, How.SHARE):
            return self._proportion(totals, tuning)
        if m.how in (How.RATIO, How.SHARE_OF):
            return self._ratio(totals, tuning)
        if m.how is How.SPAN_QUANTILE:
            estimate = st.quantile(totals.histogram[m.a], m.q)
            bounds = sequences.quantile(totals.histogram[m.a], m.q, level, games=games)
            return _scaled(estimate.value, bounds, m.scale)
        if m.how is How.MEAN:
            n, total, square, seen = totals.games, int(totals.sum[m.a]), int(totals.square[m.a]), int(totals.fired[m.a])
        else:
            counts = totals.histogram[m.a]
            n, total, square = st.histogram_moments(counts)
            seen = n - int(counts[0])
        if not n:
            return UNKNOWN
        return _scaled(total / n, sequences.mean(n, total, square, level, games=games, seen=seen), m.scale)

    def _proportion(self, totals: Totals, tuning: Tuning) -> Reading:
        m, n = self.metric, totals.games
        if m.how is How.RATE_OF:  # the games that count, in their order: luck of the others says nothing of them
            n = int(totals.fired[m.b])
        many = 1
        if m.how is How.SHARE:  # a game's shares of several seats add up to at most 1
            slots = self.slots or (m.a,)
            many = len(slots)
            successes = sum(int(totals.sum[a]) for a in slots) / records.SIXTIETHS
        else:
            successes = float(totals.status[m.a] if m.how is How.STATUS else totals.fired[m.a])
        if not n:
            return UNKNOWN
        bounds = sequences.proportion(successes, n, tuning.level, expect=tuning.expect * many, games=tuning.games)
        return _scaled(successes / n, bounds, 1 / many)

    def _ratio(self, totals: Totals, tuning: Tuning) -> Reading:
        """R = sum of a / sum of b: the mean of a - R b is 0, and its bounds over the mean of b are those of R.

        The delta method (Cochran 1977, Sampling Techniques, 6.4) with a confidence sequence in place of the normal.
        """
        m, n = self.metric, totals.games
        unit = records.SIXTIETHS if m.how is How.SHARE_OF else 1
        a, b = int(totals.sum[m.a]), int(totals.sum[m.b]) * unit
        if not n or not b:
            return UNKNOWN
        square_a, square_b = int(totals.square[m.a]), int(totals.square[m.b]) * unit * unit
        cross = int(totals.cross[self.pair]) * unit
        residual = (b * b * square_a - 2 * a * b * cross + a * a * square_b) / (b * b)  # exact up to the division
        low, high = sequences.mean(
            n, 0.0, residual, tuning.level, games=tuning.games, seen=min(int(totals.fired[m.a]), int(totals.fired[m.b]))
        )
        value = a / b
        bounds = (value + low * n / b, value + high * n / b)
        if m.how is How.SHARE_OF:
            bounds = (max(0.0, bounds[0]), min(1.0, bounds[1]))
        return _scaled(value, bounds, m.scale)

    def _expression(self, sums: Sums, tuning: Tuning) -> Reading:
        if not sums.n:
            return UNKNOWN
        if self.flag:
            bounds = sequences.proportion(sums.total, sums.n, tuning.level, expect=tuning.expect, games=tuning.games)
        else:
            bounds = sequences.mean(sums.n, sums.total, sums.square, tuning.level, games=tuning.games, seen=sums.seen)
        return Reading(sums.total / sums.n, *bounds)


def _scaled(value: float | None, bounds: tuple[float, float], scale: float) -> Reading:
    low, high = sorted(b * scale for b in bounds)
    return Reading(None if value is None else value * scale, low, high)


def of_cell(configuration: Configuration, players: Sequence[Player]) -> list[Gauge]:
    """Every gauge that a cell has: the game's metrics, and win share by strategy where the line-up is mixed."""
    from simcore.batch import pairs

    metrics = metrics_of(configuration)
    place = {pair: k for k, pair in enumerate(pairs(metrics))}
    found = [Gauge(m, pair=place.get((m.a, m.b), -1)) for m in metrics if not m.group2 and m.how is not How.SPAN_SHARE]
    seats = {m.group: m for m in metrics if m.name == "win_share" and m.how is How.SHARE}
    if all(f"seat={k}" in seats for k in range(len(players))):
        for label, who in seats_by_strategy(players).items():
            mine = [seats[f"seat={k}"] for k in who]
            metric = replace(mine[0], group=f"strategy={label}", meaning="... by strategy")
            found.append(Gauge(metric, slots=tuple(m.a for m in mine)))
    return found


def of_expression(name: str, text: str, configuration: Configuration) -> Gauge:
    """The gauge of a user's expression over one game's outcome. Raises InputError."""
    import polars as pl

    from experiments.expressions import Expressions, outcome_frame

    try:
        Expressions({name: text}, configuration)
    except InputError as error:
        raise InputError(str(error).replace(f"--metric {name}", "expression", 1)) from None
    sample = outcome_frame(np.zeros(1, configuration.game.layout.OUTCOME), configuration.seats)
    flag = sample.select(pl.sql_expr(text).alias("it")).schema["it"] == pl.Boolean
    metric = Metric(name, How.RATE if flag else How.MEAN, -1, unit="share" if flag else "", meaning=f"per game: {text}")
    return Gauge(metric, expression=text, flag=flag)
