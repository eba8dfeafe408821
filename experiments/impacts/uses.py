"""How those fare who use an entry in the ordinary deal: a number told beside its impact, and no effect of it.

Who gets to use a card is not drawn by lot: it may be used by who is ahead anyway, or as the last resort of who is
behind. So the games of the ordinary deal in which an entry is used say how it is used, never what it does. People ask
for the number all the same; it stands only where the impact stands beside it. A game says what counts as a use
(``simcore.deals.Deal``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments import statistics as st
from simcore.batch import Totals
from simcore.game import How, Metric
from simcore.records import SIXTIETHS


class Uses:
    """Counts by entry, block after block, so that they can be told of the first so many games."""

    def __init__(self, metrics: Sequence[Metric | None]) -> None:
        self.metrics = tuple(metrics)
        self._ends: list[int] = []
        self._counts: list[np.ndarray] = []  # (entries, 2): wins and uses of the games up to there

    def add(self, totals: Totals) -> None:
        """Count a block's games, which follow on those before."""
        more = np.array([_counts(m, totals) for m in self.metrics], dtype=np.int64)
        self._counts.append(more + self._counts[-1] if self._counts else more)
        self._ends.append(totals.games + (self._ends[-1] if self._ends else 0))

    def told(self, entry: int, games: int) -> st.Estimate | None:
        """Wins a use in the first `games`, the end of a block; None where uses are not counted.

        With Wilson's interval over uses, conservative where several players of a game have used it: their shares of one
        win add up to 1 at most.
        """
        metric = self.metrics[entry]
        if metric is None:
            return None
        wins, uses = self._counts[self._ends.index(games)][entry].tolist()
        return st.rate(wins / (SIXTIETHS if metric.how is How.SHARE_OF else 1), uses)


def _counts(metric: Metric | None, totals: Totals) -> tuple[int, int]:
    if metric is None:
        return 0, 0
    read = totals.sum if metric.how is How.SHARE_OF else totals.fired
    return int(read[metric.a]), int(read[metric.b])
