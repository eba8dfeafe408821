"""Plays an entry's two sides on the same luck, and reads the change of the holder's wins off them.

A side is a configuration, a line-up and a deal. It keeps of each game what the holder won and two digests, one of the
whole outcome and one of the result, so that one ordinary deal serves all entries, however far each of them is played:
games are compared by number, and every number looked at rests on a contiguous prefix of them. Intervals are those of
``comparing.paired``, the unit is a full rotation of the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np

from experiments import statistics as st
from experiments.comparing.paired import ROTATION, Change, Pairing, Reader, Touched, Units
from experiments.impacts.entries import DEAL, Asked, Entry
from experiments.impacts.uses import Uses
from simcore import records
from simcore.errors import PlayError
from simcore.game import Configuration, How, Metric, Player

ELSE = "(and the same line-up and settings)"  # how the engine ends the line that shows a game
FLIPPED = 5  # games with another result that are named
Watcher = Callable[[int], None]  # games played so far on the side that is being played

_ODD = np.random.default_rng(20).integers(0, 2**63, 4096, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def _digests(words: np.ndarray) -> np.ndarray:
    """One 64-bit digest a row of 64-bit words: a sum with odd factors, of words that are mixed first."""
    mixed = words.astype(np.uint64, copy=True)
    mixed ^= mixed >> np.uint64(33)
    mixed += np.arange(mixed.shape[1], dtype=np.uint64)
    mixed *= np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(33)
    return np.asarray((mixed * _ODD[: mixed.shape[1]]).sum(axis=1, dtype=np.uint64))


class Side:
    """One side, played as far as it was asked for."""

    def __init__(
        self,
        configuration: Configuration,
        players: tuple[Player, ...],
        metric: Metric,
        holder: int,
        deal: Mapping[int, Mapping[str, Any]] | None,
        seed: int,
        threads: int | None,
        shown: str = "",
        uses: Uses | None = None,
    ) -> None:
        self.configuration, self.players, self.holder, self.uses = configuration, players, holder, uses
        self.deal, self.seed, self.threads, self.shown = deal, seed, threads, shown
        self.reader, self.units = Reader((metric,)), Units(1)
        self.games = self._forgotten = 0
        self._whole: list[np.ndarray] = []
        self._end: list[np.ndarray] = []

    def play_to(self, games: int, watch: Watcher | None = None) -> None:
        """Go on to so many games, a multiple of 60. Raises PlayError."""
        from simcore import batch

        if games <= self.games:
            return
        blocks = batch.play(
            self.configuration,
            self.players,
            games=games - self.games,
            first=self.games,
            seed=self.seed,
            threads=self.threads,
            keep=True,
            deal=self.deal,
        )
        try:
            for block in blocks:
                assert block.outcomes is not None  # noqa: S101 - keep
                if not self.games:
                    self.reader.read(block.totals)  # it then knows how far one game can move the metric
                self._take(block.outcomes)
                if self.uses is not None:
                    self.uses.add(block.totals)
                if watch is not None:
                    watch(self.games)
        except PlayError as error:
            raise said(error, f"{self.shown} {ELSE}".strip()) from None
        finally:
            if (close := getattr(blocks, "close", None)) is not None:
                close()

    def _take(self, rows: np.ndarray) -> None:
        for first in range(0, len(rows), ROTATION):
            won = self._won(rows[first : first + ROTATION])
            self.units.add(np.array([[int(won.sum()), len(won)]], dtype=np.int64))
        self._whole.append(_digests(rows.view(np.int64).reshape(len(rows), -1)))
        self._end.append(_digests(np.column_stack([rows["status"], rows["share"]])))
        self.games += len(rows)

    def _won(self, rows: np.ndarray) -> np.ndarray:
        """What the holder has won, in the unit of the metric's numerator."""
        if self.reader.metrics[0].how is How.SHARE:
            return np.asarray(rows["share"][:, self.holder])
        return np.asarray(rows["status"] == records.Status.WON)

    def digests(self, first: int, games: int) -> tuple[np.ndarray, np.ndarray]:
        """Of the games from `first` to before `games`: the whole outcome, and the result."""
        for kept in (self._whole, self._end):
            if len(kept) > 1:
                kept[:] = [np.concatenate(kept)]
        part = slice(first - self._forgotten, games - self._forgotten)
        return self._whole[0][part], self._end[0][part]

    def forget(self) -> None:
        """Drop the digests so far: nobody compares these games any more."""
        self._whole, self._end, self._forgotten = [], [], self.games

    def first(self, games: int) -> Units:
        """The units of the first games."""
        found = copy(self.units)
        found.count = games // ROTATION
        return found


class Pair:
    """An entry's two sides; `own`: those that no other pair compares with; `place`: of the entry among all."""

    def __init__(self, entry: Entry, before: Side, after: Side, own: tuple[Side, ...], place: int) -> None:
        self.entry, self.before, self.after, self.own, self.place = entry, before, after, own, place
        self.games = 0
        self.reached = Touched()
        metric = before.reader.metrics[0]
        self.key = (metric.name, metric.group, metric.group2)

    def play_to(self, games: int, watch: Watcher | None = None) -> None:
        """Go on to so many games of both, a multiple of 60. Raises PlayError."""
        for side in (self.before, self.after):
            side.play_to(games, watch)
        if games <= self.games:
            return
        (one, end), (other, other_end) = (s.digests(self.games, games) for s in (self.before, self.after))
        flipped, old = np.flatnonzero(end != other_end), self.reached
        first = (*old.first, *(self.games + int(k) for k in flipped[:FLIPPED]))[:FLIPPED]
        self.reached = Touched(games, old.touched + int((one != other).sum()), old.flipped + len(flipped), first)
        self.games = games
        for side in self.own:
            side.forget()

    def change(self, level: float = st.LEVEL, *, every_look: bool = False) -> Change:
        """The change of the holder's wins over the games so far; `every_look`: with bounds that hold at all looks."""
        pairing = Pairing(self.before.reader, self.after.reader)
        units = self.before.first(self.games), self.after.first(self.games)
        if every_look:
            return pairing.sequence(self.key, *units, self.reached, level)
        return pairing.change(self.key, *units, self.games, level)

    def where_used(self) -> st.Estimate | None:
        """How those fare who use it in the ordinary deal; None without one, and where that is not counted."""
        uses = self.before.uses
        return None if uses is None or not self.games else uses.told(self.place, self.games)


class Table:
    """Plays the entries of one question; the ordinary deal is played once for all of them."""

    def __init__(self, asked: Asked, seed: int, threads: int | None = None) -> None:
        self.asked, self.seed, self.threads = asked, seed, threads
        self._ordinary = self._side(asked.cell.configuration, None)

    def _side(self, configuration: Configuration, entry: Entry | None) -> Side:
        asked, uses = self.asked, None
        deal, shown = (None, "") if entry is None else (asked.forced(entry), f"--deal {asked.word(entry)}")
        if entry is None and asked.deal.used is not None:
            uses = Uses([asked.deal.used(configuration, e.slug) for e in asked.entries])
        players, metric, holder = asked.cell.players, asked.metric, asked.holder
        return Side(configuration, players, metric, holder, deal, self.seed, self.threads, shown, uses)

    def pair(self, entry: Entry) -> Pair:
        """An entry's two sides, nothing played yet (of the ordinary deal: whatever others have asked for)."""
        asked = self.asked
        after, place = self._side(asked.cell.configuration, entry), asked.entries.index(entry)
        if asked.versus == DEAL:
            return Pair(entry, self._ordinary, after, (after,), place)
        before = self._side(asked.blanked(entry), entry)
        return Pair(entry, before, after, (before, after), place)


def said(error: PlayError, words: str) -> PlayError:
    """The error with the words that show its game."""
    return PlayError(str(error).replace(f" {ELSE}", f" {words}" if words else ""))
