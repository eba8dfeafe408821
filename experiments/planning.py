"""How many games a question needs, and how long they take: what `--dry-run` prints.

Formulas where there are some; the speed, the spread of a number and its size from a short sample of a few cells.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from experiments import speech, text, words
from experiments import statistics as st
from experiments.findings import asked_metrics
from experiments.metrics import Counter, Row, is_headline
from experiments.study import Cell, Plan

SAMPLED = 3  # cells of a sample: the first, the one in the middle, the last
SAMPLE_SECONDS = 0.25  # for each of them
SAMPLE_GAMES = 6000  # at most, and a tenth of what is asked at most
POWER = 0.8
WIDTHS = (0.01, 0.005, 0.002)  # half-widths of a share that are planned for
EFFECT = 0.01  # difference of two shares that is planned for
PART = 0.01  # half-width and difference of a mean that are planned for, as a part of it
ENDS = 5  # cells shown from either end


def games_for_mean(deviation: float, half_width: float, level: float = st.LEVEL) -> int:
    """Games after which a mean is known within `half_width`: (z s / h)^2 (Cochran 1977, Sampling Techniques, 4.7)."""
    return max(2, math.ceil((st.z_value(level) * deviation / half_width) ** 2))


def games_for_difference(p: float, difference: float, level: float = st.LEVEL, power: float = POWER) -> int:
    """Games a cell to see that two shares around `p` differ by `difference`, each with games of its own.

    A two-sided test of two proportions (Fleiss, Levin & Paik 2003, Statistical Methods for Rates and Proportions, 4.2).
    Common random numbers need fewer; how many fewer depends on what is changed.
    """
    first = min(1 - difference, max(0.0, p - difference / 2)) if difference < 1 else 0.0
    second = first + difference
    middle = (first + second) / 2
    alike = st.z_value(level) * math.sqrt(2 * middle * (1 - middle))
    apart = st.z_value(2 * power - 1) * math.sqrt(first * (1 - first) + second * (1 - second))
    return math.ceil(((alike + apart) / difference) ** 2)


def games_for_mean_difference(
    deviation: float, difference: float, level: float = st.LEVEL, power: float = POWER
) -> int:
    """The same for two means of that deviation: 2 s^2 (z + z')^2 / d^2 (Cochran 1977, 4.12; normal approximation)."""
    total = st.z_value(level) + st.z_value(2 * power - 1)
    return math.ceil(2 * (deviation * total / difference) ** 2)


@dataclass(frozen=True)
class Sample:
    """A few games of a few cells: how fast they are played, and the rows they gave (None: nothing was played)."""

    games: int
    a_game: float  # seconds, the mean of the cells
    cells: int
    rows: tuple[tuple[Row, ...], ...]

    @property
    def speed(self) -> float:
        """Games a second, with as many games of each cell."""
        return 1 / max(self.a_game, 1e-9)


class _ColdError(Exception):
    """The rules are not compiled yet."""


def sample(plan: Plan, threads: int | None = None) -> Sample | None:
    """A timed sample of the first, the middle and the last cell; None where the rules would first be compiled."""
    from simcore import jit

    def refuse(name: str) -> None:
        raise _ColdError(name)

    cells = plan.cells
    chosen = list({c.index: c for c in (cells[0], cells[len(cells) // 2], cells[-1])}.values())[:SAMPLED]
    jit.on_compile.insert(0, refuse)
    try:
        played = [_sample(cell, plan, threads) for cell in chosen]
    except _ColdError:
        return None
    finally:
        jit.on_compile.remove(refuse)
    return Sample(
        sum(games for games, _, _ in played),
        sum(seconds / games for games, seconds, _ in played) / len(played),
        len(played),
        tuple(rows for _, _, rows in played),
    )


def _sample(cell: Cell, plan: Plan, threads: int | None) -> tuple[int, float, tuple[Row, ...]]:
    from simcore import batch

    most = SAMPLE_GAMES if plan.study.games is None else min(SAMPLE_GAMES, max(60, plan.study.games // 10))
    for _ in batch.play(cell.configuration, cell.players, games=1, seed=plan.study.seed):  # loads what is compiled
        pass
    started = time.perf_counter()
    totals = None
    block = min(batch.BLOCK, max(60, most // 10))
    blocks = batch.play(
        cell.configuration, cell.players, games=most, seed=plan.study.seed, threads=threads, block=block
    )
    for played in blocks:
        totals = played.totals if totals is None else totals + played.totals
        if time.perf_counter() - started > SAMPLE_SECONDS:
            break
    close = getattr(blocks, "close", None)
    if close is not None:
        close()
    assert totals is not None  # noqa: S101 - games >= 1
    seconds = time.perf_counter() - started
    return totals.games, seconds, tuple(Counter(cell.configuration, cell.players).rows(totals))


@dataclass(frozen=True)
class Need:
    """Games for one question, a cell and in all, with the seconds where the speed is known."""

    question: str
    a_cell: int
    games: int
    seconds: float | None


@dataclass(frozen=True)
class Forecast:
    """What a plan would cost, and what its games are worth."""

    plan: Plan
    sample: Sample | None
    a_cell: int
    most: bool  # the number of games is what precision will need, about
    needs: tuple[Need, ...]

    @property
    def games(self) -> int:
        """In all cells."""
        return self.a_cell * len(self.plan.cells)

    @property
    def seconds(self) -> float | None:
        """For all cells; None where the speed is not known."""
        return None if self.sample is None else self.games / self.sample.speed


def forecast(plan: Plan, threads: int | None = None) -> Forecast:
    """Games and time of a plan, and what other questions would need."""
    measured = sample(plan, threads)
    study = plan.study
    p = _worst_share(measured)
    most = study.games is None
    a_cell = study.games or _games_for_width(p, study.precision or WIDTHS[0])
    cells = len(plan.cells)

    def need(question: str, games: int) -> Need:
        seconds = None if measured is None else games * cells / measured.speed
        return Need(question, games, games * cells, seconds)

    needs = [need(f"to know each win share within ±{100 * w:g} %", _games_for_width(p, w)) for w in WIDTHS]
    if cells > 1:
        question = f"to see a difference of {100 * EFFECT:g} point between two cells"
        needs.append(need(question, games_for_difference(p, EFFECT)))
    mean = _widest_mean(plan, measured)
    if mean is not None:
        name, value, deviation = mean
        part = PART * abs(value)
        needs.append(need(f"to know {name} within ±{100 * PART:g} % of it", games_for_mean(deviation, part)))
        if cells > 1:
            question = f"to see {name} differ by {100 * PART:g} % between two cells"
            needs.append(need(question, games_for_mean_difference(deviation, part)))
    return Forecast(plan, measured, a_cell, most, tuple(needs))


def _games_for_width(p: float, half_width: float) -> int:
    """Games after which Wilson's half-width is at most this for a share of p: where it is so by bisection."""
    low, high = 1, st.games_for_half_width(half_width)
    while low < high:
        middle = (low + high) // 2
        bounds = st.wilson_bounds(p * middle, middle)
        if bounds[1] - bounds[0] <= 2 * half_width:
            high = middle
        else:
            low = middle + 1
    return low


def _worst_share(measured: Sample | None) -> float:
    """The share nearest to one half among the win shares and headline rates of a sample; one half without one."""
    rows = [r for rows in measured.rows for r in rows] if measured is not None else []
    shares = [
        r.value
        for r in rows
        if r.value is not None and r.method == "Wilson" and r.x is None and is_headline(r.metric, r.group, r.group2)
    ]
    return min(shares, key=lambda p: abs(p - 0.5), default=0.5)


def _widest_mean(plan: Plan, measured: Sample | None) -> tuple[str, float, float] | None:
    """A mean that the study asks for, else the number of turns, where it spreads most: name, mean, deviation."""
    for metric, group in (*asked_metrics(plan), ("turns", "")):
        found = [
            (r.label, r.value, r.estimate.half_width / st.t_value(r.n - 1) * math.sqrt(r.n))
            for rows in (measured.rows if measured is not None else ())
            for r in rows
            if (r.metric, r.group, r.group2, r.x) == (metric, group, "", None)
            and r.method in ("t", "normal")
            and r.value
        ]
        if found:
            return max(found, key=lambda f: f[2] / abs(f[1]))
    return None


# --- how it is said ---------------------------------------------------------------------------------------------------


def shown(ahead: Forecast, how: str) -> str:
    """What `--dry-run` prints, in a format of the command line."""
    if how == "json":
        return json.dumps(as_json(ahead), indent=1, allow_nan=False)
    if how == "csv":
        names = [f.name for f in ahead.plan.factors]
        rows = [[c.index, *(words.shown(c.parameters[n]) for n in names)] for c in ahead.plan.cells]
        return text.csv(["cell", *names], rows).rstrip("\n")
    return _as_text(ahead)


def as_json(ahead: Forecast) -> dict[str, Any]:
    """The forecast as data."""
    plan = ahead.plan
    return {
        "schema": 1,
        "game": plan.game.name,
        "dry_run": True,
        "design": plan.study.design,
        "cells": [{"cell": c.index, "parameters": dict(c.parameters)} for c in plan.cells],
        "games_a_cell": ahead.a_cell,
        "games": ahead.games,
        "seconds": ahead.seconds,
        "games_a_second": None if ahead.sample is None else round(ahead.sample.speed),
        "notes": list(plan.notes),
        "needs": [
            {"question": n.question, "games_a_cell": n.a_cell, "games": n.games, "seconds": n.seconds}
            for n in ahead.needs
        ],
    }


def _as_text(ahead: Forecast) -> str:
    plan, cells = ahead.plan, len(ahead.plan.cells)
    many = "1 cell" if cells == 1 else f"{cells:,} cells ({plan.study.design})"
    head = f"{plan.game.name} version {plan.game.version}: {many}, {_said(ahead, ahead.a_cell)} games "
    head += "a cell" if cells > 1 else "in all"
    total = f", {_said(ahead, ahead.games)} in all" if cells > 1 else ""
    parts = [text.wrapped(f"{head}{total}; {said_time(ahead.seconds)}. Nothing is kept or reported: a dry run.")]
    if ahead.sample is not None:
        where = "this cell" if cells == 1 else f"{ahead.sample.cells} of the cells"
        parts.append(
            text.wrapped(
                f"Speed, and the share nearest to one half, from a sample of {ahead.sample.games:,} games of {where}: "
                f"{ahead.sample.speed:,.0f} games a second."
            )
        )
    else:
        parts.append(
            text.wrapped(
                "The rules are not compiled yet, so there is no sample: times are not known, and shares are taken as "
                "one half, which needs the most games. The first game will wait for the compiler."
            )
        )
    if plan.factors:
        parts.append(_cells(plan))
    if plan.notes:
        parts.append(text.bullets(plan.notes))
    parts.append(text.bullets([_need(n, cells) for n in ahead.needs]))
    if cells > 1:
        parts.append(
            text.wrapped(
                f"Differences: two-sided 95 %, seen in {100 * POWER:g} of 100 such studies, each cell taken by itself; "
                "the cells share their luck, which is not counted on here."
            )
        )
    return "\n\n".join(parts)


def _said(ahead: Forecast, games: int) -> str:
    """Games of the plan: exact, or about so many where precision decides."""
    return f"about {rounded(games)}" if ahead.most else f"{games:,}"


def _need(need: Need, cells: int) -> str:
    each = "" if cells == 1 else f" ({need.a_cell:,} a cell)"
    return f"about {rounded(need.games)} games{each}, {said_time(need.seconds)}, {need.question}"


def _cells(plan: Plan) -> str:
    names = [f.name for f in plan.factors]

    def line(cell: Cell) -> list[str]:
        return [str(cell.index), *(words.shown(cell.parameters[n]) for n in names)]

    cells: Sequence[Cell] = plan.cells
    if len(cells) <= 2 * ENDS + 1:
        body = [line(c) for c in cells]
    else:
        gap = ["...", *("" for _ in names)]
        body = [*map(line, cells[:ENDS]), gap, *map(line, cells[-ENDS:])]
    return text.table(["cell", *names], body, right=(0,))


def rounded(games: int) -> str:
    """`1.8 million`, `38,000`: two or three digits."""
    if games >= 1_000_000_000:
        return f"{games / 1e9:.3g} thousand million"
    if games >= 1_000_000:
        return f"{games / 1e6:.3g} million"
    return f"{int(float(f'{games:.2g}')):,}"


def said_time(seconds: float | None) -> str:
    """`about 40 s`, `about 3 min`; what it says where nothing is known."""
    if seconds is None:
        return "time not known"
    if seconds < 1:
        return "less than a second"
    if seconds < 100:
        return f"about {seconds:.2g} s"
    if seconds < 6000:
        return f"about {speech.plain(round(seconds / 60)).partition('.')[0]} min"
    return f"about {seconds / 3600:.2g} hours"
