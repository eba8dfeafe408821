"""What one change of a metric is with each of several strategies, in words, and whether it holds for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.comparing import paired
from experiments.comparing.paired import Change

RAISED, LOWERED, UNSEEN = "raised", "lowered", "not visible"
FLIPS = "flips"


@dataclass(frozen=True)
class Holding:
    """What one change of a metric is with each strategy, in words."""

    against: str
    metric: str
    group: str
    words: dict[str, str]  # strategy -> word
    changes: dict[str, Change]

    @property
    def all(self) -> str:
        """The word that holds for all; FLIPS; or with which strategies something is seen."""
        different = set(self.words.values())
        if len(different) == 1:
            return next(iter(different))
        if {RAISED, LOWERED} <= different or {paired.LARGER, paired.SMALLER} <= different:
            return FLIPS
        open_ = (UNSEEN, paired.UNDECIDED)
        seen = [s for s, w in self.words.items() if w not in open_]
        if len({w for w in different if w not in open_}) == 1:
            return f"{self.words[seen[0]]} with {', '.join(seen)}"
        return "differs"

    @property
    def holds(self) -> bool:
        """Whether it is the same for all, and not that nothing is known."""
        return len(set(self.words.values())) == 1 and not {UNSEEN, paired.UNDECIDED} & set(self.words.values())

    @property
    def data(self) -> dict[str, Any]:
        """In plain data, as JSON output and the folder's manifest have it."""
        return {
            "against": self.against,
            "metric": self.metric,
            "group": self.group,
            "verdicts": self.words,
            "over_all": self.all,
            "holds": self.holds,
        }


def word(change: Change) -> str:
    """What an interval shows."""
    if change.low is not None and change.low > 0:
        return RAISED
    return LOWERED if change.high is not None and change.high < 0 else UNSEEN
