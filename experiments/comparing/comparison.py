"""Plays variants against a base on the same luck, and says by how much each number changes.

All sides play the same game numbers. Without `until` they play a fixed number of games, and intervals are ordinary
paired ones. With `until` (a margin) the change of one metric decides when a variant has been played enough: at fixed
numbers of games it is looked at through a confidence sequence, family-wise over the variants, and a variant is done
with once its change is known to be larger than the margin, smaller than minus the margin, or within. What is looked
at is always a contiguous prefix of the games: no number depends on threads, or on which block finished first.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import metrics as mt
from experiments import statistics as st
from experiments.comparing import paired
from experiments.comparing.paired import Change, Pairing, Reader, Touched, Units
from experiments.comparing.variants import Side, options
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.adapting.steps import Adapted
    from simcore.batch import Block, Totals

GAMES = 120_000  # a side, unless told otherwise
MOST_GAMES = 6_000_000  # a side, of a comparison that stops by itself
FEWEST_GAMES = 120
FIRST_LOOK = paired.ROTATION * 50
GROWTH = 1.25  # from one look to the next
UNITS = 2000  # of a fixed number of games
LARGEST_BLOCK = 2400  # games in a block: bounded by the engine, and a multiple of 60
FLIPPED = 20  # games with another winner that are named

Watcher = Callable[[int, int | None, int], None]  # games done a side, planned, sides still played


@dataclass
class Variant:
    """What became of one variant: its changes against the base, over `reached.games` games of each."""

    side: Side
    changes: list[Change]
    told: list[Change]  # the headlines again, with intervals that hold together with all others of the comparison
    reached: Touched
    rows: list[mt.Row]
    decided: Change | None = None  # with `until`: the metric that decides, by its sequence
    verdict: str = ""

    def find(self, metric: str, group: str = "") -> Change:
        """One change. Raises KeyError."""
        for change in self.changes:
            if (change.metric, change.group, change.group2) == (metric, group, ""):
                return change
        raise KeyError(f"{metric}[{group}]")


@dataclass
class Comparison:
    """What a comparison gave."""

    base: Side
    rows: list[mt.Row]  # of the base
    games: int  # of the base: no variant has more
    variants: list[Variant]
    margin: float | None
    on: tuple[str, str] | None
    seconds: float
    started: str
    command: str = ""
    folder: Path | None = None
    sentences: list[dict[str, Any]] = field(default_factory=list)
    adapted: list[Adapted] = field(default_factory=list)  # with `adapt`: how the players of each side were tuned
    habits: Comparison | None = None  # the same with the players as they were, where any side's have changed

    @property
    def undecided(self) -> bool:
        """Whether a variant was given up undecided."""
        return any(v.verdict == paired.UNDECIDED for v in self.variants)


@dataclass
class _Playing:
    """One side while it is played."""

    side: Side
    reader: Reader
    units: Units
    counter: mt.Counter
    totals: Totals | None = None
    reached: Touched = field(default_factory=Touched)
    pairing: Pairing | None = None  # of a variant, with the base

    @classmethod
    def of(cls, side: Side) -> _Playing:
        reader = Reader(mt.metrics_of(side.cell.configuration))
        return cls(side, reader, Units(len(reader.metrics)), mt.Counter(side.cell.configuration, side.cell.players))

    def take(self, blocks: Sequence[Block]) -> None:
        """A unit of games, in blocks."""
        whole = self.reader.read(blocks[0].totals)
        for block in blocks[1:]:
            whole = whole + self.reader.read(block.totals)
        self.units.add(whole)
        for block in blocks:
            if self.totals is None:
                self.totals = block.totals
            else:
                self.totals.add(block.totals)


# --- how many games, and when they are looked at ----------------------------------------------------------------------


def unit_of(games: int) -> int:
    """Games in a unit when so many are played: 60, or so much more that about UNITS of them are kept."""
    unit = paired.ROTATION * max(1, math.ceil(games / (paired.ROTATION * UNITS)))
    blocks = math.ceil(unit / LARGEST_BLOCK)
    return paired.ROTATION * blocks * math.ceil(unit / (paired.ROTATION * blocks))


def looks(most: int) -> Iterator[tuple[int, int]]:
    """Numbers of games to look at, and the unit until then: 60, doubled as often as MOST_UNITS asks."""
    unit, n = paired.ROTATION, 0
    while n < most:
        wanted = min(most, max(FIRST_LOOK, math.ceil(n * GROWTH)))
        while wanted / unit > paired.MOST_UNITS:
            unit *= 2
        n = max(n + 2 * unit, math.ceil(wanted / (2 * unit)) * 2 * unit)
        yield n, unit


def whole_rotations(games: int) -> int:
    """The number of games, rounded up to full rotations. Raises InputError for too few."""
    if games < FEWEST_GAMES:
        raise InputError(
            f"games: {games} are too few to compare; at least {FEWEST_GAMES} (two full rotations of seats)"
        )
    return math.ceil(games / paired.ROTATION) * paired.ROTATION


def _blocks(side: Side, first: int, games: int, block: int, threads: int | None) -> Generator[Block, None, None]:
    """One side's blocks; where a game cannot be played on, the error has the options that show it."""
    from simcore import batch

    cell, seed = side.cell, side.study.seed
    blocks = batch.play(
        cell.configuration, cell.players, games=games, first=first, seed=seed, threads=threads, block=block, keep=True
    )
    try:
        yield from blocks
    except PlayError as error:
        said = f" {shlex.join(options(side.study))}" if options(side.study) else ""
        raise PlayError(str(error).replace(" (and the same line-up and settings)", said)) from None


def _segment(
    playing: Sequence[_Playing],
    first: int,
    games: int,
    unit: int,
    threads: int | None,
    tell: Callable[[int], None],
) -> None:
    """Play games first .. first + games - 1 on all these sides, block by block; the first is the base."""
    parts = math.ceil(unit / LARGEST_BLOCK)
    with ExitStack() as stack:
        streams = [stack.enter_context(closing(_blocks(p.side, first, games, unit // parts, threads))) for p in playing]
        held: list[tuple[Block, ...]] = []
        for together in zip(*streams, strict=True):
            base = together[0].outcomes
            for p, block in zip(playing[1:], together[1:], strict=True):
                if base is not None and block.outcomes is not None:
                    p.reached.add(base, block.outcomes, FLIPPED)
            held.append(together)
            if len(held) == parts:
                _take(playing, held)
                held = []
                tell(together[0].first + together[0].games)
        if held:
            _take(playing, held)


def _take(playing: Sequence[_Playing], held: Sequence[tuple[Block, ...]]) -> None:
    for k, p in enumerate(playing):
        p.take([together[k] for together in held])


# --- playing ----------------------------------------------------------------------------------------------------------


def play(
    chosen: Sequence[Side],
    *,
    games: int,
    margin: float | None,
    on: tuple[str, str] | None,
    threads: int | None,
    watch: Watcher | None = None,
) -> tuple[list[mt.Row], int, list[Variant]]:
    """Rows of the base, its games, and the variants in the order given."""
    base, *others = [_Playing.of(s) for s in chosen]
    for p in others:
        p.pairing = Pairing(base.reader, p.reader)
    level = st.family(st.LEVEL, len(others))
    schedule = [(games, unit_of(games))] if margin is None else list(looks(games))
    left, done, unit_before = list(others), 0, schedule[0][1]
    finished: dict[int, Variant] = {}
    for n, unit in schedule:
        while unit_before < unit:
            for p in (base, *left):
                p.units.halve()
            unit_before *= 2
        here = len(left)

        def tell(played: int, here: int = here) -> None:
            if watch is not None:
                watch(played, games if margin is None else None, here)

        _segment([base, *left], done, n - done, unit, threads, tell)
        done = n
        for p in list(left):
            decided = None
            if margin is not None and on is not None:
                assert p.pairing is not None  # noqa: S101 - set above
                decided = p.pairing.sequence((*on, ""), base.units, p.units, p.reached, level)
                if paired.verdict(decided, margin) == paired.UNDECIDED and n < schedule[-1][0]:
                    continue
            finished[id(p)] = _finish(p, base, decided, margin, len(others))
            left.remove(p)
        if not left:
            break
    assert base.totals is not None  # noqa: S101 - games >= 1
    return base.counter.rows(base.totals), done, [finished[id(p)] for p in others]


def _finish(p: _Playing, base: _Playing, decided: Change | None, margin: float | None, variants: int) -> Variant:
    """All changes of a variant, as far as it has been played."""
    pairing, games = p.pairing, p.reached.games
    assert pairing is not None and p.totals is not None  # noqa: S101 - it has been played

    def changes(keys: Sequence[tuple[str, str, str]], level: float) -> list[Change]:
        if margin is None:
            return [pairing.change(key, base.units, p.units, games, level) for key in keys]
        return [pairing.sequence(key, base.units, p.units, p.reached, level) for key in keys]

    heads = [k for k in pairing.keys if is_told(k, base.side, p.side)]
    together = st.family(st.LEVEL, variants * max(1, len(heads)))
    return Variant(
        p.side,
        changes(pairing.keys, st.LEVEL),
        changes(heads, together),
        p.reached,
        p.counter.rows(p.totals),
        decided,
        paired.verdict(decided, margin) if decided is not None and margin is not None else "",
    )


UNTOLD = ("rounds", "first_out_wait_minutes")  # they say again what other headlines say


def is_told(key: tuple[str, str, str], base: Side, variant: Side) -> bool:
    """Whether sentences speak of it: headlines of the whole, and win shares of seats that a line-up changes."""
    metric, group, group2 = key
    if not mt.is_headline(metric, group, group2) or metric in UNTOLD:
        return False
    if metric != "win_share":
        return not group
    if group.startswith("role="):
        return True
    one, other = base.cell.players, variant.cell.players
    if not group.startswith("seat=") or len(one) != len(other):
        return False
    labels = [p.label for p in one], [p.label for p in other]
    return any(len(set(names)) > 1 for names in labels) and labels[0] != labels[1]


def metric_to_decide(text: str | None, chosen: Sequence[Side]) -> tuple[str, str]:
    """`metric` or `metric[group]` that `until` looks at; without it the first headline there is. Raises InputError."""
    from simcore.errors import nearest

    readers = [Reader(mt.metrics_of(s.cell.configuration)) for s in chosen]
    keys = [k for k in readers[0].place if not k[2] and all(k in r.place for r in readers)]
    if text is None:
        seats = {n.partition(".")[2] for s in chosen[1:] for n in s.changed}
        mine = ("win_share", f"seat={min(seats)}", "")
        if len(seats) == 1 and mine in keys and all(n.startswith("strategy.") for s in chosen[1:] for n in s.changed):
            return mine[:2]  # another player on one seat
        order = [h for h in mt.HEADLINES for k in keys if k[:2] == (h, "")]
        return (order[0], "") if order else (keys[0][0], keys[0][1])
    metric, _, group = text.strip().partition("[")
    wanted = metric.strip(), group.rstrip("] ").strip()
    if (*wanted, "") in keys:
        return wanted
    groups = [k[1] for k in keys if k[0] == wanted[0]]
    if groups:
        known = ", ".join(f"{wanted[0]}[{g}]" if g else wanted[0] for g in groups[:8])
        raise InputError(f"--on {text}: no such group on all sides; there are {known}")
    names = list(dict.fromkeys(k[0] for k in keys))
    hint = nearest(wanted[0], names) or f"; there are {', '.join(n for n in names if n in mt.HEADLINES)}"
    raise InputError(f"--on {text}: no metric {wanted[0]!r} on all sides{hint}")


def sides_and_rows(result: Comparison) -> list[tuple[Side, list[mt.Row], int]]:
    """Base and variants, each with its own numbers and its games."""
    return [
        (result.base, result.rows, result.games),
        *((v.side, v.rows, v.reached.games) for v in result.variants),
    ]
