"""The record of tuning: what became of each group of players in each round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from experiments import statistics as st
from experiments.adapting.search import Try

if TYPE_CHECKING:
    from experiments.study import Cell


@dataclass(frozen=True)
class Step:
    """What became of one group in one round. All numbers are of fresh games; None: not tested.

    `before`, `after`, `gain`: win share of one who changes, or win rate of the table. `old`: what one would gain who
    keeps the old habits among those who have changed (of several the most), in a competitive game.
    """

    round: int
    who: str
    strategy: str
    changed: Mapping[str, tuple[float, float]]  # of the best try: weight -> present value, new value
    adopted: bool
    verdict: str
    before: float | None = None
    after: float | None = None
    gain: st.Estimate | None = None
    old: st.Estimate | None = None
    searched: int = 0  # games
    tried: tuple[Try, ...] = ()  # the record of the search, the best first


ADOPTED, NOT_SHOWN, FOR_ONE, NO_DIFFERENCE, NO_WEIGHTS, AS_BASE, OWN = (
    "adopted",
    "not shown to be better",
    "better for one, not if all take it",
    "no try changed who wins",
    "no weights to tune",
    "as the base: its own are not shown to be better",
    "keeps its own",
)


@dataclass
class Adapted:
    """A cell with tuned players, and how it came to them."""

    cell: Cell
    together: bool  # what is tuned for: the table's win rate, not one player's share
    steps: list[Step] = field(default_factory=list)
    games: int = 0

    @property
    def changed(self) -> bool:
        """Whether any group took new weights."""
        return any(s.adopted for s in self.steps)

    @property
    def rounds(self) -> int:
        """Rounds of search that were played."""
        return 1 + max((s.round for s in self.steps if s.verdict not in (AS_BASE, OWN)), default=0)
