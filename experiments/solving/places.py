"""The cells of one search: each is played on from where it was, and the metric read off it after so many games.

With a folder, each measure is noted in `parts/<cell key>.journal`, and the totals it rests on in
`parts/<cell key>.partial`. What a search asks hangs on nothing but what it was answered before, so one that was stopped
or killed goes through its journals again and plays on where they end: the same games, the same bits. When the search is
over, a place's rows lie in `parts/<cell key>.parquet`, as those of a sweep.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from experiments import metrics, playing, state, store, words
from experiments import statistics as st
from experiments.execution import parameters_text
from experiments.manifest import with_options
from experiments.metrics import Counter, Row
from experiments.playing import SAVE_EVERY, Source, expressions
from experiments.solving.crossing import NoIntervalError
from experiments.solving.searches import Asked, Search
from experiments.state import State
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.expressions import Expressions
    from experiments.study import Cell
    from simcore.batch import Totals

JOURNAL = ".journal"

Watch = Callable[[Search, int, int, int, float], None]  # the search, of how many, its budget, its games, the place


class RefusedError(InputError):
    """A place that the game refuses: this search cannot go on, others can."""


@dataclass
class Place:
    """One value of the parameter: the games it has played, and what was read off them after how many."""

    cell: Cell
    counter: Counter
    extra: Expressions | None
    key: str = ""  # of the cell, where there is a folder
    state: State | None = None  # of the games that it has played
    games: int = 0  # after the last measure
    journal: dict[int, st.Estimate] = field(default_factory=dict)  # by games
    read: tuple[int, list[Row]] | None = None  # after how many games, and all rows then

    @property
    def totals(self) -> Totals | None:
        """Of the games that it has played."""
        return None if self.state is None else self.state.totals

    def rows(self) -> list[Row]:
        """All rows of the totals."""
        assert self.totals is not None  # noqa: S101
        return self.counter.rows(self.totals) + (self.extra.rows() if self.extra is not None else [])


class Table:
    """The places of a search."""

    def __init__(
        self,
        search: Search,
        asked: Asked,
        source: Source,
        folder: store.Folder | None = None,
        watch: Callable[[int, float], None] | None = None,
    ) -> None:
        self.search, self.asked, self.source, self.folder, self.watch = search, asked, source, folder, watch
        self.study = search.study
        self.places: dict[float, Place] = {}

    # --- what the search asks ---

    def announce(self, xs: Sequence[float], games: int) -> None:
        """These places will be asked for; the games of new ones may begin while those before them are played."""
        places = [self._place(x) for x in xs]
        new = [p for p in places if not p.journal and p.totals is None and not self._begun(p)]
        if len(new) == len(places) > 1:
            self.source.begins([playing.Asked(p.cell, self.study, games) for p in new])

    def measure(self, x: float, games: int) -> st.Estimate:
        """The metric at a place after so many games, from number 0 on.

        Raises NoIntervalError where it has no interval, PlayError, and RefusedError for a value that cannot be.
        """
        place = self._place(x)
        place.games = games
        if games in place.journal:
            return place.journal[games]
        self._bring(place, games)
        row = self.row(x)
        if row is None or None in (row.value, row.low, row.high):
            why = "there is none" if row is None else f"it has no interval ({row.method})"
            raise NoIntervalError(f"--target {self.asked.metric}: {why} at {words.listed(place.cell.parameters)}")
        place.journal[games] = row.estimate
        if self.folder is not None:
            self._save(place)
            _write_journal(self._journal(place), place.journal)
        return row.estimate

    def rows(self, x: float) -> list[Row]:
        """All rows of a place, of the games of its last measure."""
        place = self.places[x]
        if place.read is None or place.read[0] != place.games:
            place.read = place.games, self._kept(place) or self._played(place)
        return place.read[1]

    def _kept(self, place: Place) -> list[Row] | None:
        """The rows of a place that the folder holds, if they are of so many games."""
        frame = self.folder.read_part(place.key) if self.folder is not None and place.totals is None else None
        if frame is None:
            return None
        rows = [Row(*values) for values in frame.select(Row._fields).iter_rows()]
        return rows if max((r.n for r in rows if r.metric == "capped_rate"), default=0) == place.games else None

    def _played(self, place: Place) -> list[Row]:
        if place.totals is None or place.totals.games != place.games:
            self._bring(place, place.games)
        return place.rows()

    def row(self, x: float) -> Row | None:
        """The metric's row."""
        return self.asked.row(self.rows(x))

    @property
    def begun(self) -> int:
        """Games that are kept of what was stopped."""
        return sum(p.totals.games if p.totals is not None else max(p.journal, default=0) for p in self.places.values())

    # --- the folder ---

    def finish(self) -> None:
        """Keep the rows of all places, and nothing more of how they came about than the journals."""
        if self.folder is None:
            return
        for k, (x, place) in enumerate(self.places.items()):
            frame = metrics.frame(self.rows(x), k, parameters_text(place.cell))
            store.write_frame(self.folder.part(place.key), frame)
            self.folder.forget(place.key)

    def forget(self) -> None:
        """Delete all that is kept of this search."""
        if self.folder is None:
            return
        for place in self.places.values():
            for path in (self.folder.part(place.key), self._journal(place)):
                path.unlink(missing_ok=True)
            self.folder.forget(place.key)

    def _journal(self, place: Place) -> Path:
        return journal_of(self.folder, place.key) if self.folder is not None else Path()

    def _begun(self, place: Place) -> bool:
        return self.folder is not None and self.folder.partial(place.key).exists()

    def _save(self, place: Place) -> None:
        if self.folder is not None and place.state is not None:
            state.write(self.folder.partial(place.key), place.state)

    # --- playing ---

    def _place(self, x: float) -> Place:
        if x not in self.places:
            try:
                cell = self.search.cell(x, self.asked.value(x))
            except InputError as error:
                at = words.listed({**self.search.parameters, self.asked.name: self.asked.value(x)})
                raise RefusedError(f"{at}: {error}") from None
            cell = dataclasses.replace(cell, index=len(self.places))  # a source knows cells by it
            place = Place(cell, Counter(cell.configuration, cell.players), expressions(cell, self.study))
            if self.folder is not None:
                place.key = store.cell_key(cell, self.study)
                place.journal = _read_journal(self._journal(place))
            self.places[x] = place
        return self.places[x]

    def _bring(self, place: Place, games: int) -> None:
        """Play a place up to so many games."""
        if place.state is None and self.folder is not None:
            place.state = state.read(self.folder.partial(place.key))
            if place.state is not None and place.extra is not None:
                place.extra.count(place.state.sums)
        if place.totals is not None and place.totals.games > games:  # of another way to search: from the start
            place.state, place.extra = None, expressions(place.cell, self.study)
        try:
            self._play(place, games)
        except (KeyboardInterrupt, InputError):
            self._save(place)
            raise
        except PlayError as error:
            sought = {self.asked.name: place.cell.parameters[self.asked.name]}
            raise with_options(error, self.study, dataclasses.replace(place.cell, parameters=sought)) from None

    def _play(self, place: Place, games: int) -> None:
        saved = time.perf_counter()
        done = 0 if place.totals is None else place.totals.games
        elsewhere = sum(p.games for p in self.places.values() if p is not place)
        if done >= games:
            return
        for piece in self.source.pieces(place.cell, self.study, done, games):
            if place.extra is not None:
                for sums in piece.sums:
                    place.extra.count(sums)
            totals = piece.totals if place.totals is None else place.totals + piece.totals
            sums_so_far = place.extra.so_far() if place.extra is not None else []
            place.state = State(totals, sums_so_far)  # at once, for Ctrl-C may come at any moment
            if self.watch is not None:
                self.watch(elsewhere + totals.games, float(place.cell.parameters[self.asked.name]))
            if time.perf_counter() - saved > SAVE_EVERY:
                self._save(place)
                saved = time.perf_counter()


def journal_of(folder: store.Folder, key: str) -> Path:
    """Where the measures of a cell are noted."""
    return folder.path / store.PARTS / f"{key}{JOURNAL}"


def _write_journal(path: Path, measures: dict[int, st.Estimate]) -> None:
    store.write_json(path, {"measures": [[games, *estimate] for games, estimate in measures.items()]})


def _read_journal(path: Path) -> dict[int, st.Estimate]:
    """What was measured at a place. Raises InputError if it cannot be read."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["measures"]
        return {
            int(games): st.Estimate(float(value), float(low), float(high), int(n), str(how))
            for games, value, low, high, n, how in entries
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: cannot be read ({error.__class__.__name__}); delete it and run again") from None
