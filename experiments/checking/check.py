"""Plays a balance contract: only what is undecided, cell by cell, until every number's interval has shown its side.

Each number is looked at after fixed numbers of games, contiguous prefixes of the game numbers, by a confidence sequence
(``experiments.sequences``), which is right at all looks together; the levels are those of a family (Bonferroni), so
that all verdicts hold together. A number PASSes when its interval lies in the band, FAILs when it lies outside, and is
UNDECIDED when the budget is spent; what it then shows is what it showed when it was decided. A cell is played on while
one of its numbers is undecided. Nothing depends on threads, on the order of the cells, or on which block is finished
first.
"""

from __future__ import annotations

import datetime
import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import lineup, words
from experiments.checking import adapted, folder
from experiments.checking import contract as contracts
from experiments.checking import junit as xml
from experiments.checking.contract import Contract
from experiments.checking.folder import Keeper, Progress, study_of
from experiments.checking.gauges import Sums
from experiments.checking.outcomes import OPEN, Checked, Outcome, Verdict, verdict
from experiments.checking.promises import Item, Ready, ready
from experiments.playing import SAVE_EVERY, Asked, Piece, Source, added, close
from simcore.batch import BLOCK
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.adapting.adapt import Hear
    from experiments.execution import Observer
    from experiments.study import Cell, Study
    from simcore.batch import Totals

GROWTH = 1.2  # from one look to the next
AHEAD = 2  # a cluster may play so many times the games of the next look: a cell ends sooner only by its last verdict


def looks(budget: int) -> Iterator[int]:
    """Numbers of games after which a cell is looked at.

    Multiples of BLOCK, growing by GROWTH; the last is the budget, cut to full rotations of the seats.
    """
    most = budget // 60 * 60
    n = BLOCK
    while n < most:
        yield n
        n = max(n + BLOCK, math.ceil(n * GROWTH / BLOCK) * BLOCK)
    yield most


# --- one cell ---------------------------------------------------------------------------------------------------------

Played = Callable[[int, int], "tuple[Totals, Mapping[str, Sums]]"]  # (games so far, games wanted) -> all so far
Looked = Callable[[int, Sequence[Outcome]], None]  # after a look: at so many games, and all outcomes


def settle(
    items: Sequence[Item],
    budget: int,
    played: Played,
    *,
    start: Progress | None = None,
    looked: Looked = lambda games, outcomes: None,
) -> list[Outcome]:
    """Decide the items of one cell, or go on deciding from `start`.

    `played` is asked to go on to each look, as long as something is undecided.
    """
    found, done = ([OPEN] * len(items), 0) if start is None else (list(start.outcomes), start.looked)
    for look in looks(budget):
        if all(f.verdict is not Verdict.UNDECIDED for f in found):
            break
        if look <= done:
            continue
        totals, sums = played(done, look)
        done = look
        found = [
            f if f.verdict is not Verdict.UNDECIDED else _outcome(item, totals, sums, look)
            for f, item in zip(found, items, strict=True)
        ]
        looked(look, found)
    return found


def _outcome(item: Item, totals: Totals, sums: Mapping[str, Sums], games: int) -> Outcome:
    reading = item.gauge.read(totals, sums, item.tuning)
    return Outcome(verdict(reading, item.band), reading, games)


class Table:
    """Plays the games of one cell, and keeps how far it is.

    `save` is told now and then, at a multiple of BLOCK, where the games can be gone on with in blocks of any size.
    """

    def __init__(
        self,
        cell: Cell,
        study: Study,
        budget: int,
        source: Source,
        watch: Callable[[Totals], None],
        save: Callable[[Progress], None],
        start: Progress | None,
        numbers: int,
    ) -> None:
        self.cell, self.study, self.looks = cell, study, list(looks(budget))
        self.source, self.watch, self.save = source, watch, save
        self._state = start.state if start is not None else None
        self._looked, self._outcomes = (start.looked, start.outcomes) if start is not None else (0, [OPEN] * numbers)
        self._before = start.seconds if start is not None else 0.0
        self._kept = start
        self._clock = self._saved = time.perf_counter()
        self._stopped: float | None = self._clock if start is not None and is_settled(start, self.looks[-1]) else None
        self._pieces: Iterator[Piece] | None = None

    @property
    def games(self) -> int:
        """Games so far."""
        return self._state.totals.games if self._state is not None else 0

    @property
    def seconds(self) -> float:
        """What it has taken."""
        return self._before + (self._stopped or time.perf_counter()) - self._clock

    def __call__(self, done: int, wanted: int) -> tuple[Totals, Mapping[str, Sums]]:
        """Go on to `wanted` games."""
        most = self.looks[-1]
        if self._pieces is None and self.games < wanted:
            self._pieces = self.source.pieces(self.cell, self.study, self.games, most, self.looks[:-1])
        self.source.expects(min(most, AHEAD * wanted))
        while self.games < wanted:
            assert self._pieces is not None  # noqa: S101 - set above
            self._state = added(self._state, next(self._pieces))
            if self.games % BLOCK == 0 or self.games == most:
                self._note()
            self.watch(self._state.totals)
        assert self._state is not None  # noqa: S101 - wanted > 0
        return self._state.totals, dict(zip(self.study.metrics, (Sums(*s) for s in self._state.sums), strict=True))

    def looked(self, games: int, outcomes: Sequence[Outcome]) -> None:
        """After a look."""
        self._outcomes, self._looked = outcomes, games
        self._note()

    def _note(self) -> None:
        assert self._state is not None  # noqa: S101 - some games have been played
        self._kept = Progress(self._state, self._looked, self._outcomes, self.seconds)
        if time.perf_counter() - self._saved > SAVE_EVERY:
            self.keep()

    def keep(self) -> int:
        """Keep how far it is: after how many games."""
        if self._kept is None:
            return 0
        self._kept = replace(self._kept, seconds=self.seconds)
        self.save(self._kept)
        self._saved = time.perf_counter()
        return self._kept.state.totals.games

    def end(self) -> None:
        """All is decided."""
        self._stopped = time.perf_counter()
        self.keep()

    def close(self) -> None:
        """No more games."""
        close(self._pieces)


# --- the whole --------------------------------------------------------------------------------------------------------


def check(
    contract: Contract | str | Path,
    *,
    strategies: str | Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    budget: int | float | str | None = None,
    level: float | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    junit: str | Path | None = None,
    observer: Observer | None = None,
    command: str = "",
    scheduler: str | None = None,
    adapt: bool = False,
    adapt_games: int | float | str | None = None,
    hear: Hear | None = None,
) -> Checked:
    """Check a balance contract: `doomtrack check`, with the same words.

    `contract`: a `Contract`, the path of one in TOML, or the name of a game whose contract ships. `strategies` takes
    the place of its line-ups ("greedy,expert": every line for both); `settings`, `content` and `plugins` are added, as
    a change that must not break it. `adapt`: tune the players' weights to the rules of each cell first, with
    `adapt_games` a cell at most; `hear` is told how far that is. With `out` a contract that was stopped goes on (after
    tuning anew), and one that was checked is not played again. `scheduler`: a dask cluster plays, see
    experiments.cluster. Raises InputError, and PlayError if no cell at all could be played. On Ctrl-C what is decided
    comes back, marked `interrupted`.
    """
    from experiments.cluster import source as source_of
    from experiments.execution import Silent

    given = contract if isinstance(contract, Contract) else contracts.read(contract)
    asked = _with(given, strategies, settings, content, plugins, budget, level, seed)
    try:
        todo = ready(asked, threads)
    except InputError as error:
        raise InputError(str(error) if isinstance(contract, Contract) else f"{contract}: {error}") from None
    if junit is not None:
        xml.writable(junit)
    if adapt_games is not None and not adapt:
        raise InputError("--adapt-games says how much --adapt may play; give --adapt, too")
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    said = command or _command(contract, asked, given, out, adapt, adapt_games)
    if adapt:
        folder.refuse_another(out, todo, adapting=True)
        todo = adapted.tuned(todo, games=adapt_games, threads=threads, hear=hear)
    with source_of(scheduler, threads) as source:
        keeper = Keeper(todo, out, said, started)
        checked = play(todo, source=source, keeper=keeper, observer=observer or Silent())
        checked.remarks = tuple(source.remarks())
    if len(checked.failed) == len(todo.cells) and not checked.interrupted:
        keeper.discard()
        raise PlayError(next(iter(checked.failed.values())))
    keeper.close(checked)
    if junit is not None:
        xml.write(junit, checked, started)
    return checked


def _command(
    named: Contract | str | Path,
    asked: Contract,
    given: Contract,
    out: str | Path | None,
    adapt: bool,
    adapt_games: object,
) -> str:
    """The command line that checks the same; of a contract made in Python, with a file name to be filled in."""
    said = ["doomtrack", "check", "TARGETS.toml" if isinstance(named, Contract) else str(named)]
    if asked.strategies != given.strategies:
        said += ["--strategies", ",".join(asked.line_ups)]
    said += [w for k, v in asked.base.items() if given.base.get(k) != v for w in ("--set", f"{k}={words.shown(v)}")]
    said += [w for o in asked.overlays[len(given.overlays) :] for w in ("--content", o)]
    said += [w for p in asked.plugins[len(given.plugins) :] for w in ("--plugin", p)]
    for name in ("budget", "level", "seed"):
        if (value := getattr(asked, name)) != getattr(given, name):
            said += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    said += ["--adapt"] if adapt else []
    said += ["--adapt-games", str(adapt_games)] if adapt_games is not None else []
    return shlex.join([*said, *(["--out", str(out)] if out is not None else [])])


def _with(
    contract: Contract,
    strategies: str | Sequence[str] | None,
    settings: Mapping[str, Any] | None,
    content: Sequence[str | Path],
    plugins: Sequence[str | Path],
    budget: Any,
    level: Any,
    seed: Any,
) -> Contract:
    """The contract with further words added or put in place of its own, checked anew."""
    from simcore.game import find_game

    fields = contract.model_dump()
    fields["overlays"] += [str(c) for c in content]
    fields["plugins"] += [str(p) for p in plugins]
    if strategies is not None:
        fields["strategies"] = lineup.strategy_values("--strategies", strategies, find_game(contract.game))
    for name, value in (settings or {}).items():
        for line in contract.line:
            if name in line.each:
                raise InputError(f"--set {name}: line {line.title!r} asks for each {name} of its own")
        fields["base"][name] = value
    for name, value in (("budget", budget), ("level", level), ("seed", seed)):
        if value is not None:
            fields[name] = value
    return contracts.build(**fields)


def play(todo: Ready, *, source: Source, keeper: Keeper, observer: Observer) -> Checked:
    """Decide every item. On Ctrl-C what is not decided is UNDECIDED, and the result says that it was stopped."""
    from experiments.manifest import with_options
    from experiments.metrics import Counter
    from experiments.playing import Heard

    budget, checked = todo.contract.budget, Checked(todo, [OPEN] * len(todo.items))
    cells = range(len(todo.cells))
    items = [[k for k, item in enumerate(todo.items) if item.cell == at] for at in cells]
    studies = [study_of(todo, [todo.items[k] for k in mine]) for mine in items]
    kept = [keeper.reached(at) for at in cells]
    most = list(looks(budget))
    checked.settled = {at for at, p in enumerate(kept) if p is not None and is_settled(p, most[-1])}
    observer.begins(todo.plan, len(checked.settled))
    fresh = [at for at in cells if kept[at] is None]
    source.begins([Asked(todo.cells[at], studies[at], most[-1], most[:-1]) for at in fresh])
    try:
        for at, cell in enumerate(todo.cells):
            counter, was_settled = Counter(cell.configuration, cell.players), at in checked.settled

            def watch(totals: Totals, cell: Cell = cell, counter: Counter = counter) -> None:
                observer.hears(cell, Heard(totals.games, budget, None, totals, counter))

            def save(progress: Progress, at: int = at) -> None:
                keeper.reach(at, progress)

            mine = [todo.items[k] for k in items[at]]
            table = Table(cell, studies[at], budget, source, watch, save, kept[at], len(mine))
            try:
                found = settle(mine, budget, table, start=kept[at], looked=table.looked)
                if not was_settled:
                    table.end()
                checked.settled.add(at)
            except PlayError as error:
                checked.failed[at] = str(with_options(error, todo.plan.study, cell))
                found = [OPEN] * len(mine)
            except (KeyboardInterrupt, InputError):
                checked.begun = table.keep()
                raise
            finally:
                table.close()
                checked.seconds[at], checked.games[at] = table.seconds, table.games
            for k, outcome in zip(items[at], found, strict=True):
                checked.outcomes[k] = outcome
            if not was_settled:
                observer.finished(cell)
    except KeyboardInterrupt:
        checked.interrupted = True
    finally:
        source.ends()
        observer.ends()
    checked.took = sum(checked.seconds.values())
    return checked


def is_settled(progress: Progress, most: int) -> bool:
    """Whether a cell needs no more games: all is decided, or the budget is spent."""
    return progress.looked >= most or all(o.verdict is not Verdict.UNDECIDED for o in progress.outcomes)
