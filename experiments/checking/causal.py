"""Promises about what a dealt card does: `metric = "impact[item]"`, one number an entry.

Each entry is a gauge that plays its own pair of sides (``experiments.impacts``), as far as the cell is played, whenever
it is read: an entry that is decided is not played on. Its bounds are those of ``Pairing.sequence``, which hold at every
look.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from experiments.checking.contract import Line
from experiments.checking.gauges import UNKNOWN, Gauge, Reading, Sums, Tuning
from experiments.impacts import entries as en
from experiments.impacts.entries import METRIC, UNIT, Entry
from experiments.impacts.pairs import Pair, Table
from experiments.study import Cell
from simcore.deals import kinds_of
from simcore.errors import InputError
from simcore.game import Game, How, Metric

if TYPE_CHECKING:
    from simcore.batch import Totals

CAUSAL = re.compile(r"impact|causal|influence|effect", re.IGNORECASE)


@dataclass(frozen=True)
class Impact(Gauge):
    """The change of the holder's wins by one entry. `table` is shared by all entries of a line in a cell."""

    table: Table = field(kw_only=True, repr=False, compare=False)
    entry: Entry = field(kw_only=True)

    @cached_property
    def _pair(self) -> Pair:
        return self.table.pair(self.entry)

    def read(self, totals: Totals, sums: Mapping[str, Sums], tuning: Tuning) -> Reading:
        """The change and its bounds after as many games as the cell has been played. Raises PlayError."""
        if not totals.games:
            return UNKNOWN
        self._pair.play_to(totals.games)
        change = self._pair.change(tuning.level, every_look=True)
        low = -math.inf if change.low is None else change.low
        high = math.inf if change.high is None else change.high
        return Reading(change.change, low, high)

    def shows(self, game: str) -> list[str]:
        """The words of the command that shows it."""
        return ["impact", game, *en.options(self.table.asked, self.entry.slug)]


def gauges(line: Line, group: str, cell: Cell, seed: int, threads: int | None) -> list[Gauge]:
    """What a line promises in a cell: a gauge an entry. `group`: a kind, or `kind=entry`. Raises InputError."""
    game = cell.configuration.game
    if not group:
        raise InputError(f"{METRIC} of what? Say {called(game)}")
    if line.quantile is not None or line.of_fair is not None:
        raise InputError(f"{METRIC} is a change, in parts of a win: it has neither quantile nor of_fair")
    kind, _, entry = group.partition("=")
    asked = en.asked(cell, kind.strip(), entry.strip(), line.versus or en.DEAL, line.holder)
    table = Table(asked, seed, threads)
    meaning = f"change of the chances of player {asked.holder} when he is dealt it, versus {asked.versus}"
    return [
        Impact(Metric(METRIC, How.MEAN, -1, group=f"{kind}={e.slug}", unit=UNIT, meaning=meaning), table=table, entry=e)
        for e in asked.entries
    ]


def called(game: Game) -> str:
    """How a game's promises of this kind are called: `impact[item] or impact[ride]`."""
    kinds = [f"{METRIC}[{deal.kind}]" for deal in kinds_of(game)]
    return " or ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1]))) if kinds else "nothing can be dealt here"
