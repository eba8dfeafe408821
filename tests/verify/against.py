"""Measured against exact: the same game played by the kernels, and how far off it is, in standard errors.

General for every game: a cell is played with its outcomes kept; rates are compared by their exact standard error,
means by the measured one, and the whole distribution of (status, winner, turns) by chi-square.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from simcore import batch
from simcore.game import Configuration, Player
from simcore.records import MOST_IN_BLOCK, NONE, Status
from tests.verify.enumeration import Law

FARTHEST = 4.5  # standard errors; one in 150,000 by luck, and the seeds are fixed
LEAST = 1e-5  # a p-value below this is a fault
EXPECTED = 10.0  # cells of a chi-square table with less are put together


def added(total: batch.Totals | None, more: batch.Totals) -> batch.Totals:
    """The totals so far, with a block's; None before the first block."""
    return more if total is None else total + more


@dataclass
class Measured:
    """What so many games gave: how often each (status, winner, turns), and sums and squares of what is counted."""

    games: int
    ends: Counter[tuple[str, int | None, int]]
    sums: Mapping[str, tuple[int, int]]  # (sum, sum of squares) by name


def measure(
    configuration: Configuration,
    players: Sequence[Player],
    counts: Mapping[str, tuple[str, int]],
    *,
    games: int,
    seed: int,
    position: np.ndarray | None = None,
) -> Measured:
    """Play. `counts` is name -> ("tally" or "span", slot).

    The winner is told by chair: the line-up turns by one each game, but from a position everybody keeps his chair.
    """
    ends: Counter[tuple[str, int | None, int]] = Counter()
    totals: batch.Totals | None = None
    seats = configuration.seats
    for block in batch.play(
        configuration, players, games=games, seed=seed, position=position, keep=True, block=MOST_IN_BLOCK
    ):
        rows = block.outcomes
        assert rows is not None
        turned = rows["number"] if position is None else 0
        chairs = np.where(rows["winner"] == NONE, seats, (rows["winner"] + turned) % seats)
        codes, n = np.unique((rows["turns"] * 16 + chairs) * 16 + rows["status"], return_counts=True)
        for code, count in zip(codes.tolist(), n.tolist(), strict=True):
            chair = code // 16 % 16
            ends[Status(code % 16).name.lower(), None if chair == seats else chair, code // 256] += count
        totals = added(totals, block.totals)
    assert totals is not None
    sums = {}
    for name, (kind, slot) in counts.items():
        if kind == "tally":
            sums[name] = (int(totals.sum[slot]), int(totals.square[slot]))
        else:
            values = np.arange(totals.histogram.shape[1])
            sums[name] = (int(values @ totals.histogram[slot]), int(values**2 @ totals.histogram[slot]))
    return Measured(games, ends, sums)


@dataclass
class Line:
    """One number: exact, measured, and the difference in standard errors."""

    what: str
    exact: float
    measured: float
    z: float


def lines(law: Law, seen: Measured, seats: int) -> list[Line]:
    """Wins by chair, ties, games broken off, turns, and all that is counted."""
    n, found = seen.games, []

    def line(what: str, exact: float, total: float, variance: float) -> None:
        off = total / n - exact
        error = math.sqrt(variance / n)
        z = off / error if error > 0 else (0.0 if abs(off) < 1e-12 else math.inf)
        found.append(Line(what, exact, total / n, z))

    for what, status, winner in [
        *((f"won by chair {k}", "won", k) for k in range(seats)),
        ("tied", "tied", None),
        ("broken off", "capped", None),
    ]:
        p = float(law.probability(status, winner))
        times = sum(c for (s, w, _), c in seen.ends.items() if s == status and w == winner)
        line(what, p, times, p * (1 - p))
    turns = {t: 0.0 for _, _, t in law.ends}
    for (_, _, t), p in law.ends.items():
        turns[t] += float(p)
    mean = float(law.turns)
    line(
        "turns",
        mean,
        sum(t * c for (_, _, t), c in seen.ends.items()),
        sum(p * (t - mean) ** 2 for t, p in turns.items()),
    )
    for name, (total, square) in seen.sums.items():
        line(name, float(law.counts.get(name, 0)), total, square / n - (total / n) ** 2)
    return found


def fit(law: Law, seen: Measured) -> float:
    """p-value of the whole distribution of (status, winner, turns); 0 if something impossible was seen."""
    if set(seen.ends) - {end for end, p in law.ends.items() if p}:
        return 0.0
    cells = sorted(((float(p) * seen.games, seen.ends.get(end, 0)) for end, p in law.ends.items() if p), reverse=True)
    common = [c for c in cells if c[0] >= EXPECTED]
    rare = [c for c in cells if c[0] < EXPECTED]
    if rare:
        together = (sum(c[0] for c in rare), sum(c[1] for c in rare))
        if together[0] < EXPECTED and common:
            last = common.pop()
            together = (together[0] + last[0], together[1] + last[1])
        common.append(together)
    if len(common) < 2:
        return 1.0
    expected, observed = np.array(common).T
    return float(stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), len(common) - 1))


def worst(law: Law, seen: Measured, seats: int) -> float:
    """The largest difference of all lines, in standard errors."""
    return max(abs(line.z) for line in lines(law, seen, seats))


def table(law: Law, seen: Measured, seats: int) -> str:
    """All lines as text, for a failure's message and for who wants to see them."""
    rows = [f"{x.what:22} {x.exact:.6f} {x.measured:.6f} {x.z:+.2f}" for x in lines(law, seen, seats)]
    return "\n".join(["what                      exact measured     z", *rows, f"chi-square p = {fit(law, seen):.4f}"])
