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
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import metrics as mt
from experiments import statistics as st
from experiments.comparing import paired, together
from experiments.comparing.paired import Change, Pairing, Reader, Touched, Units
from experiments.comparing.reached import Reached, Tally, Variant
from experiments.comparing.together import FLIPPED, LARGEST_BLOCK, Part, Unplayable
from experiments.comparing.variants import Side, options
from experiments.playing import SAVE_EVERY, Here, Source, close
from simcore.batch import BLOCK, Totals
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.adapting.steps import Adapted

GAMES = 120_000  # a side, unless told otherwise
MOST_GAMES = 6_000_000  # a side, of a comparison that stops by itself
FEWEST_GAMES = 120
FIRST_LOOK = paired.ROTATION * 50
GROWTH = 1.25  # from one look to the next
UNITS = 2000  # of a fixed number of games, at most
FEW = 100  # units are enough for Student's t: of more games a unit has more, up to BLOCK, for small ones take time
SOME = 400  # ... and for a sequence

Watcher = Callable[[int, int | None, int], None]  # games done a side, planned, sides still played
Save = Callable[[Reached], None]


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
    interrupted: bool = False  # then `variants` are those that were done with
    begun: int = 0  # games of each side that are kept of a comparison that was stopped
    remarks: tuple[str, ...] = ()  # what a person should know of how it was played
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
    def of(cls, side: Side, tally: Tally | None = None) -> _Playing:
        reader = Reader(mt.metrics_of(side.cell.configuration))
        counter = mt.Counter(side.cell.configuration, side.cell.players)
        if tally is None:
            return cls(side, reader, Units(len(reader.metrics)), counter)
        reader.meet(tally.totals)
        return cls(side, reader, Units(len(reader.metrics), tally.units), counter, tally.totals, tally.reached)

    def take(self, part: Part, place: int) -> None:
        """Some games more. What `tally` gave before stays as it was."""
        self.units.extend(part.units[place])
        more = part.totals[place]
        if self.totals is None:
            self.reader.meet(more)
            self.totals = more
        else:
            self.totals += more
        if place:
            self.reached = self.reached.plus(part.reached[place], FLIPPED)

    def tally(self) -> Tally:
        """How far it is."""
        assert self.totals is not None  # noqa: S101 - some games have been played
        return Tally(self.units.sums, self.totals, self.reached)


# --- how many games, and when they are looked at ----------------------------------------------------------------------


def unit_of(games: int) -> int:
    """Games in a unit when so many are played: FEW units, of BLOCK games at most, or as many games as UNITS asks."""
    least = min(BLOCK // paired.ROTATION, games // (FEW * paired.ROTATION))
    unit = paired.ROTATION * max(1, least, math.ceil(games / (paired.ROTATION * UNITS)))
    blocks = math.ceil(unit / LARGEST_BLOCK)
    return paired.ROTATION * blocks * math.ceil(unit / (paired.ROTATION * blocks))


def looks(most: int) -> Iterator[tuple[int, int]]:
    """Numbers of games to look at, and the unit until then.

    Units have 60 games, doubled while there are more than 2 SOME of less than BLOCK, or more than MOST_UNITS asks.
    """
    unit, n = paired.ROTATION, 0
    while n < most:
        wanted = min(most, max(FIRST_LOOK, math.ceil(n * GROWTH)))
        while wanted / unit > (2 * SOME if 2 * unit <= BLOCK else paired.MOST_UNITS):
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


# --- playing ----------------------------------------------------------------------------------------------------------


def play(
    chosen: Sequence[Side],
    *,
    games: int,
    margin: float | None,
    on: tuple[str, str] | None,
    threads: int | None,
    watch: Watcher | None = None,
    source: Source | None = None,
    start: Reached | None = None,
    save: Save | None = None,
) -> Reached:
    """Play the sides, or go on from `start`, until every variant is done with.

    `save` is told now and then how far it is, when it is stopped, and at the end. Raises InputError, PlayError;
    KeyboardInterrupt on Ctrl-C.
    """
    now = start or Reached()
    places = range(1, len(chosen))
    tallies = now.tallies
    base = _Playing.of(chosen[0], tallies.get(0))
    others = {k: _Playing.of(chosen[k], tallies.get(k)) for k in places if k not in now.finished}
    for p in others.values():
        p.pairing = Pairing(base.reader, p.reader)
    level = st.family(st.LEVEL, len(places))
    schedule = [(games, unit_of(games))] if margin is None else list(looks(games))
    live, started, saved = {0, *others}, time.perf_counter() - now.seconds, time.perf_counter()
    source = source or Here(threads)
    pieces = together.parts(chosen, schedule, now.games, live, source, threads) if now.games < games else iter(())
    unit_before = now.unit or schedule[0][1]
    try:
        for n, unit in schedule:
            if n < now.games or not others:
                continue
            while unit_before < unit:
                for p in (base, *others.values()):
                    p.units.halve()
                unit_before *= 2
            while now.games < n:
                part = next(pieces)
                for k in live:
                    (others[k] if k else base).take(part, k)
                seconds = time.perf_counter() - started
                mine = {k: (others[k] if k else base).tally() for k in live}
                now = Reached(now.games + part.games, unit, mine, now.finished, seconds)
                if save is not None and time.perf_counter() - saved > SAVE_EVERY:
                    save(now)
                    saved = time.perf_counter()
                if watch is not None:
                    watch(now.games, games if margin is None else None, len(others))
            for k, p in list(others.items()):
                decided = None
                if margin is not None and on is not None:
                    assert p.pairing is not None  # noqa: S101 - set above
                    decided = p.pairing.sequence((*on, ""), base.units, p.units, p.reached, level)
                    if paired.verdict(decided, margin) == paired.UNDECIDED and n < schedule[-1][0]:
                        continue
                finished = {**now.finished, k: _finish(p, base, decided, margin, len(places))}
                left = {j: t for j, t in now.tallies.items() if j != k}
                now = replace(now, tallies=left, finished=finished)
                live.remove(k)
                del others[k]
    except Unplayable as error:
        study = chosen[error.side].study
        said = f" {shlex.join(options(study))}" if options(study) else ""
        raise PlayError(str(error).replace(" (and the same line-up and settings)", said)) from None
    except (KeyboardInterrupt, InputError, PlayError):
        if save is not None and now.games:
            save(now)
        raise
    finally:
        close(pieces)
    if start is None or now is not start:
        now = replace(now, seconds=time.perf_counter() - started)
        if save is not None:
            save(now)
    return now


def rows_of(base: Side, reached: Reached) -> list[mt.Row]:
    """The base's own numbers."""
    counter = mt.Counter(base.cell.configuration, base.cell.players)
    return counter.rows(reached.tallies[0].totals)


def _finish(p: _Playing, base: _Playing, decided: Change | None, margin: float | None, variants: int) -> Variant:
    """All changes of a variant, as far as it has been played."""
    pairing, games = p.pairing, p.reached.games
    assert pairing is not None and p.totals is not None  # noqa: S101 - it has been played

    def changes(keys: Sequence[tuple[str, str, str]], level: float) -> list[Change]:
        if margin is None:
            return [pairing.change(key, base.units, p.units, games, level) for key in keys]
        return [pairing.sequence(key, base.units, p.units, p.reached, level) for key in keys]

    heads = [k for k in pairing.keys if is_told(k, base.side, p.side)]
    jointly = st.family(st.LEVEL, variants * max(1, len(heads)))
    return Variant(
        p.side,
        changes(pairing.keys, st.LEVEL),
        changes(heads, jointly),
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
