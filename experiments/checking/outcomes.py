"""How a contract ended: a verdict for every number, for every line, and for the whole."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from experiments import lineup, words
from experiments.checking import gauges
from experiments.checking.contract import Contract, Line
from experiments.checking.gauges import UNKNOWN, Reading
from experiments.checking.promises import Band, Ready
from experiments.metrics import Row


class Verdict(StrEnum):
    """How a promise ends."""

    PASS = "PASS"
    FAIL = "FAIL"
    UNDECIDED = "UNDECIDED"


WORST = (Verdict.FAIL, Verdict.UNDECIDED, Verdict.PASS)  # of several: the first that is among them


class Outcome(NamedTuple):
    """How one item ended: its reading after so many games."""

    verdict: Verdict
    reading: Reading
    games: int


OPEN = Outcome(Verdict.UNDECIDED, UNKNOWN, 0)


def verdict(reading: Reading, band: Band) -> Verdict:
    """PASS where the interval lies in the band, FAIL where it lies outside."""
    low = -math.inf if band.low is None else band.low
    high = math.inf if band.high is None else band.high
    if reading.value is None or math.isnan(reading.low) or math.isnan(reading.high):
        return Verdict.UNDECIDED
    if low <= reading.low and reading.high <= high:
        return Verdict.PASS
    return Verdict.FAIL if reading.high < low or reading.low > high else Verdict.UNDECIDED


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """FAIL if one fails, else UNDECIDED if one is; PASS if all pass."""
    return next(v for v in WORST if v in verdicts)


@dataclass
class Checked:
    """What checking a contract gave: an outcome an item, in their order; `games` and `seconds` by place of the cell."""

    ready: Ready
    outcomes: list[Outcome]
    games: dict[int, int] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)  # cells that could not be played
    manifest: dict[str, Any] = field(default_factory=dict)
    sentences: list[dict[str, Any]] = field(default_factory=list)
    folder: Path | None = None
    settled: set[int] = field(default_factory=set)  # places of cells that need no more games
    begun: int = 0  # games kept of a cell that was stopped
    interrupted: bool = False
    remarks: tuple[str, ...] = ()  # what a person should know of how it was played
    took: float = 0.0

    @property
    def contract(self) -> Contract:
        """What was promised."""
        return self.ready.contract

    @property
    def lines(self) -> list[Told]:
        """The verdict of every line."""
        return [Told(self, k, line) for k, line in enumerate(self.contract.line)]

    @property
    def verdict(self) -> Verdict:
        """That of the contract."""
        return worst([t.verdict for t in self.lines])

    @property
    def exit_code(self) -> int:
        """0 all lines hold, 1 one fails, 4 a cell could not be played, 3 undecided, 130 stopped."""
        if self.verdict is Verdict.FAIL:
            return 1
        if self.interrupted:
            return 130
        return 4 if self.failed else 0 if self.verdict is Verdict.PASS else 3

    def row(self, at: int) -> Row:
        """An item as a row of cells.parquet."""
        item, outcome = self.ready.items[at], self.outcomes[at]
        value, low, high = outcome.reading
        metric = item.gauge.metric
        finite = [b if math.isfinite(b) else None for b in (low, high)]
        return Row(metric.name, metric.group, "", None, value, finite[0], finite[1], outcome.games, gauges.METHOD)

    def command(self, at: int) -> str:
        """The line that plays the same games and shows the same number (with an ordinary interval)."""
        item, contract = self.ready.items[at], self.contract
        cell = self.ready.cells[item.cell]
        settings = {**contract.base, **{k: v for k, v in cell.parameters.items() if v != "unset"}}
        said = ["doomtrack", *item.gauge.shows(contract.game)]
        for name, value in settings.items():
            if lineup.is_lineup(name):  # it is in the line-up
                continue
            said += ["-p", str(value)] if name == "players" else ["--set", f"{name}={words.shown(value)}"]
        for who, text in cell.strategies.items():
            said += ["--strategy", text if who == "all" else f"{who}={text}"]
        said += [w for o in contract.overlays for w in ("--content", o)]
        said += [w for p in contract.plugins for w in ("--plugin", p)]
        if item.gauge.expression:
            said += ["--metric", f"{item.gauge.metric.name}={item.gauge.expression}"]
        elif said[1] == "run" and item.gauge.kind not in ("", "seat", "order", "strategy", "role", "quantile"):
            said += ["--all"]
        games = self.outcomes[at].games or contract.budget // 60 * 60
        return shlex.join([*said, "--games", str(games), "--seed", str(contract.seed)])


@dataclass(frozen=True)
class Told:
    """One line of a checked contract."""

    checked: Checked
    number: int
    line: Line

    @property
    def items(self) -> list[int]:
        """Places of its items."""
        return [at for at, item in enumerate(self.checked.ready.items) if item.line == self.number]

    @property
    def verdict(self) -> Verdict:
        """Its verdict, over all cells, groups and line-ups."""
        return worst([self.checked.outcomes[at].verdict for at in self.items])

    @property
    def worst(self) -> int:
        """Place of the item that is farthest out, or nearest to being so."""

        def strain(at: int) -> tuple[int, float]:
            item, outcome = self.checked.ready.items[at], self.checked.outcomes[at]
            value = outcome.reading.value
            return -WORST.index(outcome.verdict), math.inf if value is None else item.band.strain(value)

        return max(self.items, key=strain)  # of equals the first

    @property
    def games(self) -> int:
        """Games that it took: the sum over its cells of those after which its last group was decided."""
        last: dict[int, int] = {}
        for at in self.items:
            cell = self.checked.ready.items[at].cell
            last[cell] = max(last.get(cell, 0), self.checked.outcomes[at].games)
        return sum(last.values())

    @property
    def seconds(self) -> float:
        """Its part of the time: that of its cells, shared among the lines that ask for them."""
        lines: dict[int, set[int]] = {}
        for item in self.checked.ready.items:
            lines.setdefault(item.cell, set()).add(item.line)
        return sum(s / len(lines[c]) for c, s in self.checked.seconds.items() if self.number in lines[c])

    def by_line_up(self) -> dict[str, Verdict]:
        """The verdict with each line-up."""
        found: dict[str, list[Verdict]] = {}
        for at in self.items:
            label = self.checked.ready.line_up[self.checked.ready.items[at].cell]
            found.setdefault(label, []).append(self.checked.outcomes[at].verdict)
        return {label: worst(verdicts) for label, verdicts in found.items()}

    def cells_with(self, wanted: Verdict, label: str) -> list[int]:
        """Places of the cells of a line-up in which the line ends so."""
        found: dict[int, list[Verdict]] = {}
        for at in self.items:
            cell = self.checked.ready.items[at].cell
            if self.checked.ready.line_up[cell] == label:
                found.setdefault(cell, []).append(self.checked.outcomes[at].verdict)
        return [cell for cell, verdicts in found.items() if worst(verdicts) is wanted]
