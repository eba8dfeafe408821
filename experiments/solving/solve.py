"""Solves for a parameter, once for each combination of what is varied: `doomtrack solve`, with the same words.

Every value plays the same game numbers (common random numbers). How the games of a search are shared out, and what its
interval means, stands in ``experiments.solving.crossing``; here games are put behind it, and words to the answers. One
search that fails never loses the others; what is finished when Ctrl-C comes is kept, and the same call goes on.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import store
from experiments.execution import Done
from experiments.playing import Source
from experiments.solving import crossing, folder
from experiments.solving import question as questions
from experiments.solving.crossing import Answer, FlatError, NoIntervalError
from experiments.solving.places import RefusedError, Table, Watch
from experiments.solving.question import Question
from experiments.solving.searches import Ready, Search, checked
from experiments.solving.solved import Found, Solved
from experiments.solving.telling import FLAT, Words, flat, flat_remark
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.study import Study


def solve(
    study: Study | str | Path,
    *,
    find: Mapping[str, str | Sequence[Any]] | str | None = None,
    target: Mapping[str, float] | str | None = None,
    vary: Mapping[str, str | Sequence[Any]] | None = None,
    within: float | str | None = None,
    budget: int | float | str | None = None,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    metrics: Mapping[str, str] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    watch: Watch | None = None,
    command: str = "",
    scheduler: str | None = None,
) -> Solved:
    """The value of a parameter at which a metric meets a target: `doomtrack solve`, with the same words.

    `study`: the name of a game, a `Question`, a `Study`, or the path of one in TOML, to which the other words are
    added. `find` is `{"gear": "1..6"}` or `"gear=1..6"`, `target` is `{"turns": 40}` or `"turns=40"`; `vary` is
    `{"players": "2..5"}`: one search for each combination, each with the whole `budget` of games. `within`: how far
    from the target the metric may be; games are then played until that can be told. With `out` a search that was
    stopped goes on with the same bits. The whole is checked before the first game. Raises InputError, also where the
    parameter of a single search changes nothing, and PlayError if no search at all could be played.
    """
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    clock = time.perf_counter()
    asked = questions.asked(
        study,
        find=find,
        target=target,
        within=within,
        budget=budget,
        vary=vary,
        players=players,
        settings=settings,
        strategies=strategies,
        content=content,
        plugins=plugins,
        metrics=metrics,
        seed=seed,
    )
    ready = _checked(study, asked)
    from experiments.cluster import source as source_of

    said = command or folder.command(ready, out)
    with source_of(scheduler, threads) as source:
        opened = folder.opened(out, ready) if out is not None else None  # after all that may be refused
        run = _Run(ready, source, opened, watch)
        if opened is not None:
            folder.begin(opened, ready, said, started)
        _play(run)
        if opened is not None and run.nothing:
            _take_back(run, opened)
        _refuse(run)
        seconds = time.perf_counter() - clock
        solved = folder.result(ready, run.found, run.failed, said, started, seconds, run.interrupted)
        solved.result.begun = run.begun if opened is not None else 0
        if opened is not None:
            folder.keep(opened, solved)
        solved.result.remarks += tuple(source.remarks())
    return solved


def _checked(study: Study | str | Path, asked: Question) -> Ready:
    """The searches; what is wrong in a file is said with its name, what was added to it is not."""
    try:
        return checked(asked)
    except InputError as error:
        if isinstance(study, str | Path) and str(study).endswith(".toml"):
            own = questions.read(study)
            if own.find and own.target and str(error) == _complaint(own):
                raise InputError(f"{study}: {error}") from None
        raise


def _complaint(asked: Question) -> str:
    try:
        checked(asked)
    except InputError as error:
        return str(error)
    return ""


@dataclass
class _Run:
    """The state of a question while it is played."""

    ready: Ready
    source: Source
    folder: store.Folder | None
    watch: Watch | None
    found: list[Found] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    interrupted: bool = False
    begun: int = 0  # games of a search that was stopped

    @property
    def nothing(self) -> bool:
        """Whether no search has anything to tell."""
        return not self.interrupted and not self.found or self.refusal is not None

    def heard(self, search: Search) -> Callable[[int, float], None] | None:
        """What a search tells of its games goes on with what it is."""
        if self.watch is None:
            return None
        watch, many, budget = self.watch, len(self.ready.searches), self.ready.asked.budget
        return lambda games, x: watch(search, many, budget, games, x)

    @property
    def refusal(self) -> InputError | None:
        """Why a single search found nothing to solve for."""
        if len(self.ready.searches) == 1 and self.found and self.found[0].status == FLAT:
            return InputError(" ".join(self.found[0].said))
        return None


def _play(run: _Run) -> None:
    """Search by search, until all are over or somebody stops it."""
    for search in run.ready.searches:
        table = Table(search, run.ready.asked, run.source, run.folder, run.heard(search))
        run.tables.append(table)
        try:
            run.found.append(_search(run.ready, search, table))
            table.finish()
        except KeyboardInterrupt:
            run.interrupted, run.begun = True, table.begun
            run.found = [f for f in run.found if f.search is not search]
            return
        except (PlayError, NoIntervalError, RefusedError) as error:
            run.failed.append({"cell": None, "parameters": dict(search.parameters), "error": str(error)})
            run.errors.append(error)
            table.forget()
        finally:
            run.source.ends()  # nothing that was begun of this search is of use to the next


def _search(ready: Ready, search: Search, table: Table) -> Found:
    """One search, with its words."""
    asked, speech = ready.asked, folder.speech(ready)
    flatness: FlatError | None = None
    try:
        answer = crossing.find(
            asked.axis,
            asked.target,
            table.measure,
            asked.budget,
            asked.within,
            asked.unit,
            level=folder.level(ready),
            announce=table.announce,
        )
    except FlatError as error:
        flatness, answer = error, Answer(FLAT, asked.target, True, error.points)
    done, rows = [], {}
    for point in answer.points:
        every, row = table.rows(point.x), table.row(point.x)
        assert row is not None  # noqa: S101 - it was measured
        rows[point.x] = row
        done.append(Done(table.places[point.x].cell, every, point.games))
    if flatness is not None:
        remark, said = (f(asked, flatness, rows, speech) for f in (flat_remark, flat))
        return Found(asked, search, answer, done, rows, remark, [said])
    told = Words(asked, answer, rows, speech)
    return Found(asked, search, answer, done, rows, told.remark(), told.answer(), told.curve())


def _take_back(run: _Run, opened: store.Folder) -> None:
    """What was written into a folder that was new, where there is nothing to tell."""
    if opened.fresh:
        for table in run.tables:
            table.forget()
        (opened.path / store.BOARD).unlink(missing_ok=True)
        opened.discard()


def _refuse(run: _Run) -> None:
    """Raise what there is to say instead of an answer."""
    if run.refusal is not None:
        raise run.refusal
    if run.errors and not run.found and not run.interrupted:
        raise run.errors[0]
