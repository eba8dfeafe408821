"""The bands that numbers of a result are to lie in, by metric: what a search aims at, what a contract promises."""

from __future__ import annotations

from dataclasses import dataclass

from reports import contract, search
from reports.result import Result, Row


@dataclass(frozen=True)
class Target:
    """A band; None where that end is open."""

    low: float | None
    high: float | None

    def holds(self, row: Row) -> bool:
        """Whether the value lies in the band."""
        return self._inside(row.value)

    def sure(self, row: Row) -> bool:
        """Whether all of its interval does."""
        return row.ends is not None and all(map(self._inside, row.ends))

    def _inside(self, x: float) -> bool:
        return (self.low is None or x >= self.low) and (self.high is None or x <= self.high)


def of(result: Result) -> dict[str, Target]:
    """By metric the one band that its whole (no group of it) is to lie in; metrics with several bands have none."""
    found: dict[str, set[Target]] = {}
    for one in search.of(result):
        if one.within and not one.group:
            found.setdefault(one.metric.name, set()).add(Target(one.target - one.within, one.target + one.within))
    checked = contract.of(result)
    for line in checked.lines if checked else ():
        for number in line.numbers:
            if not number.group:
                found.setdefault(number.metric.name, set()).add(Target(number.least, number.most))
    return {name: next(iter(bands)) for name, bands in found.items() if len(bands) == 1}
