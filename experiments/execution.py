"""Plays a plan cell by cell, keeps each finished cell, and makes the result: manifest, rows, findings.

One cell that fails never loses the others. What is finished when Ctrl-C comes is kept, and the same call goes on.
"""

from __future__ import annotations

import datetime
import gc
import json
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from experiments import designs, findings, kinds, metrics, rows, state, store
from experiments.manifest import manifest, python_command, with_options
from experiments.metrics import Row
from experiments.playing import Asked, Heard, Source, looks, most_games, play
from experiments.study import Cell, Plan, Study, plan
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    import polars as pl

    from experiments.state import State


class Observer(Protocol):
    """Hears how a study goes on; the terminal's progress bar is one."""

    def begins(self, plan: Plan, kept: int) -> None:
        """`kept` cells are finished already."""

    def hears(self, cell: Cell, heard: Heard) -> None:
        """After each block of games."""

    def finished(self, cell: Cell) -> None:
        """A cell is finished."""

    def ends(self) -> None:
        """No more games."""


class Silent:
    """An observer that says nothing."""

    def begins(self, plan: Plan, kept: int) -> None:
        """Say nothing."""

    def hears(self, cell: Cell, heard: Heard) -> None:
        """Say nothing."""

    def finished(self, cell: Cell) -> None:
        """Say nothing."""

    def ends(self) -> None:
        """Say nothing."""


@dataclass
class Done:
    """A finished cell: its rows, and how many games they rest on."""

    cell: Cell
    rows: list[Row]
    games: int

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The rows in the form of `cells.parquet`."""
        return metrics.frame(self.rows, self.cell.index, parameters_text(self.cell))


@dataclass
class Result:
    """What a study gave. `cells` and `findings` are polars frames; `manifest` says all that is needed to repeat it."""

    plan: Plan
    manifest: dict[str, Any]
    done: list[Done]
    sentences: list[dict[str, Any]]
    folder: Path | None = None
    interrupted: bool = False
    begun: int = 0  # games kept of a cell that was stopped
    remarks: tuple[str, ...] = ()  # what a person should know of how it was played

    @property
    def study(self) -> Study:
        """What was asked."""
        return self.plan.study

    @cached_property
    def cells(self) -> pl.DataFrame:
        """Long form, one row a number.

        Cell, parameters (JSON), metric, group, group2, x, value, low, high, n, method.
        """
        import polars as pl

        frames = [d.frame for d in self.done]
        return pl.concat(frames) if frames else pl.DataFrame(schema=metrics.schema())

    @cached_property
    def findings(self) -> pl.DataFrame:
        """Sentences in order of importance: kind, text, metric, group, value, low, high, n."""
        import polars as pl

        text, real = pl.String, pl.Float64
        schema = {"kind": text, "text": text, "metric": text, "group": text, "value": real, "low": real, "high": real}
        return pl.DataFrame([list(f.values()) for f in self.sentences], schema={**schema, "n": pl.Int64}, orient="row")

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Cells that could not be played, with the reason."""
        failed: list[dict[str, Any]] = self.manifest["failed"]
        return failed

    def get(self, metric: str, group: str = "", cell: int = 0) -> Row:
        """One number. Raises KeyError if there is none."""
        for d in self.done:
            if d.cell.index == cell:
                for row in d.rows:
                    if (row.metric, row.group, row.group2, row.x) == (metric, group, "", None):
                        return row
        raise KeyError(f"{metric}[{group}] of cell {cell}")


def parameters_text(cell: Cell) -> str:
    """The factors' values of a cell as JSON text."""
    return json.dumps(dict(cell.parameters))


@dataclass
class _Run:
    """The state of a study while it is played."""

    plan: Plan
    folder: store.Folder | None
    command: str
    source: Source
    keep_games: bool = False
    keys: Mapping[int, str] = field(default_factory=dict)  # of the cells, where there is a folder
    started: str = field(default_factory=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"))
    clock: float = field(default_factory=time.perf_counter)
    done: list[Done] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    errors: list[PlayError] = field(default_factory=list)

    def manifest(self, kind: str, finished: bool) -> dict[str, Any]:
        seconds = time.perf_counter() - self.clock
        kept = {str(d.cell.index): f"{store.GAMES}/{self.keys[d.cell.index]}" for d in self.done if self.keep_games}
        return manifest(self.plan, kind, finished, self.failed, self.command, self.started, seconds, kept)


def run_plan(
    ready: Plan,
    *,
    kind: str,
    out: str | Path | None = None,
    threads: int | None = None,
    observer: Observer | None = None,
    command: str = "",
    keep_games: bool = False,
    scheduler: str | None = None,
    replays: bool = True,
) -> Result:
    """Play every cell of a plan that the folder does not hold yet. `command`: the line that repeats it.

    `keep_games`: with one row a game in the folder. `scheduler`: a dask cluster plays, see experiments.cluster.
    `replays`: with some games of the first cell in the folder, to be read turn by turn. Raises InputError if the folder
    or the cluster cannot be used, PlayError if no cell at all could be played. On Ctrl-C the result of the finished
    cells comes back, marked `interrupted`.
    """
    if out is not None and not str(out).strip():
        raise InputError("--out: no folder is named (leave --out away to keep nothing)")
    if keep_games and out is None:
        raise InputError("--keep-games: needs a folder to keep them in (--out DIR)")
    from experiments.cluster import source as source_of

    with source_of(scheduler, threads, keep_games) as source:
        result = _run_plan(ready, kind, out, observer, command, source, keep_games)
        result.remarks += tuple(source.remarks())
    return _with_replays(result, threads) if replays else result


def _with_replays(result: Result, threads: int | None) -> Result:
    """The result, with replays of its first cell in the folder once it is whole."""
    if result.folder is not None and result.done and not result.interrupted:
        from experiments import replays

        games = replays.looked_at(result.done[0].games, sum(d.games for d in result.done))
        cell = result.done[0].cell
        try:
            if not replays.are_there(result.folder, cell, result.study, games):
                replays.write(result.folder, cell, result.study, games=games, threads=threads)
        except KeyboardInterrupt:  # the result itself is whole
            result.remarks += (f"stopped before its replays were written: doomtrack replays {result.folder}",)
    return result


def _run_plan(
    ready: Plan,
    kind: str,
    out: str | Path | None,
    observer: Observer | None,
    command: str,
    source: Source,
    keep_games: bool,
) -> Result:
    watcher = observer or Silent()
    keys = {c.index: store.cell_key(c, ready.study) for c in ready.cells} if out is not None else {}
    opened = store.Folder.open(out, ready) if out is not None else None  # after all that takes time or may be refused
    run = _Run(ready, opened, command or python_command(ready, kind, out, keep_games), source, keep_games, keys)
    if run.folder is not None:
        run.folder.forget_others(set(keys.values()))
        store.write_json(run.folder.path / store.MANIFEST, run.manifest(kind, False))
        store.write_board(run.folder.path, ready.cells[0].configuration)
    kept = {c.index: d for c in ready.cells if run.folder and (d := _kept(run, c, keys[c.index])) is not None}
    watcher.begins(ready, len(kept))
    most, checked = most_games(ready.study), looks(ready.study)
    source.begins([Asked(c, ready.study, most, checked) for c in ready.cells if c.index not in kept])
    interrupted, begun = False, 0
    ours = not gc.get_freeze_count()  # else whoever calls has done it already
    if ours:  # each cell makes hundreds of rows: the collector need not search what was there before them each time
        gc.freeze()
    try:
        for cell in ready.cells:
            if cell.index in kept:
                run.done.append(kept[cell.index])
                continue
            _play_one(run, cell, keys.get(cell.index, ""), watcher)
    except KeyboardInterrupt:
        interrupted = True
        reached = state.read(run.folder.partial(keys[cell.index])) if run.folder is not None else None
        begun = reached.totals.games if reached is not None else 0
    finally:
        if ours:
            gc.unfreeze()
        source.ends()
        watcher.ends()
    if run.errors and not run.done and not interrupted:
        if run.folder is not None and run.folder.fresh:
            run.folder.discard()
        raise run.errors[0]
    result = _close(run, kind, interrupted)
    result.begun = begun
    return result


def _kept(run: _Run, cell: Cell, key: str) -> Done | None:
    """A cell that the folder holds, with its rows if they are asked for."""
    assert run.folder is not None  # noqa: S101
    frame = run.folder.read_part(key)
    if frame is None:
        return None
    done = _from_frame(cell, frame)
    return done if not run.keep_games or rows.is_complete(run.folder.games(key), done.games) else None


def _play_one(run: _Run, cell: Cell, key: str, watcher: Observer) -> None:
    start, save, writer = None, None, None
    if (folder := run.folder) is not None:
        partial = folder.partial(key)
        start = state.read(partial)
        if run.keep_games:
            games = folder.games(key)
            if start is not None and not rows.holds(games, start.totals.games):
                start = None
            writer = rows.Writer(games, start.totals.games if start is not None else 0)
        else:
            folder.forget_games(key)  # an older run may have begun them

        def save(reached: State) -> None:
            state.write(partial, reached)

    try:
        played = play(
            cell,
            run.plan.study,
            watch=lambda heard: watcher.hears(cell, heard),
            source=run.source,
            start=start,
            save=save,
            writer=writer,
        )
    except PlayError as play_error:
        error = with_options(play_error, run.plan.study, cell)
        run.failed.append({"cell": cell.index, "parameters": dict(cell.parameters), "error": str(error)})
        run.errors.append(error)
        if folder is not None:
            folder.forget(key)
            if run.keep_games:
                folder.forget_games(key)
        return
    done = Done(cell, played.rows, played.games)
    if folder is not None:
        store.write_frame(folder.part(key), done.frame)
        folder.forget(key)
    run.done.append(done)
    watcher.finished(cell)


def _from_frame(cell: Cell, frame: pl.DataFrame) -> Done:
    rows = [Row(*values) for values in frame.select(Row._fields).iter_rows()]
    return Done(cell, rows, max((r.n for r in rows if r.metric == "capped_rate"), default=0))


def _close(run: _Run, kind: str, interrupted: bool) -> Result:
    """Findings and manifest; with a folder, all of it written, the manifest last."""
    whole = not interrupted and len(run.done) + len(run.failed) == len(run.plan.cells)
    written = run.manifest(kind, whole and not run.failed)
    sentences = findings.make(run.plan, [kinds.Result(d.cell, d.rows) for d in run.done], written["metrics"])
    result = Result(run.plan, written, run.done, sentences, run.folder.path if run.folder else None, interrupted)
    if run.folder is not None:
        store.write_frame(run.folder.path / store.CELLS, result.cells)
        store.write_json(run.folder.path / store.FINDINGS, sentences)
        store.write_json(run.folder.path / store.MANIFEST, written)
    return result


# --- from Python ------------------------------------------------------------------------------------------------------


def run(
    game: str,
    *,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    metrics: Mapping[str, str] | None = None,
    games: int | float | str | None = None,
    precision: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    out: str | Path | None = None,
    observer: Observer | None = None,
    command: str = "",
    keep_games: bool = False,
    scheduler: str | None = None,
    replays: bool = True,
) -> Result:
    """Play one configuration: `doomtrack run`, with the same words.

    `settings` is `--set`, `content` and `plugins` are `--content` and `--plugin`; `strategies` is `{"all": "random",
    "0": "expert"}` or a list as on the command line. `games` defaults to 120,000; `precision` (half-width of every win
    share and headline rate) takes its place; `keep_games`, `scheduler` and `replays` are `--keep-games`, `--scheduler`
    and `--no-replays`. Raises InputError, PlayError.
    """
    from experiments.study import build

    if games is None and precision is None:
        games = RUN_GAMES
    study = build(
        game=game,
        base=with_players(settings, players),
        strategies=strategies,
        overlays=[str(c) for c in content],
        plugins=[str(p) for p in plugins],
        metrics=dict(metrics or {}),
        games=games,
        precision=precision,
        seed=seed,
    )
    return run_plan(
        plan(study),
        kind="run",
        out=out,
        threads=threads,
        observer=observer,
        command=command,
        keep_games=keep_games,
        scheduler=scheduler,
        replays=replays,
    )


RUN_GAMES = 120_000  # of a run that says neither games nor precision; a multiple of 60, so that seats rotate exactly


def with_players(settings: Mapping[str, Any] | None, players: int | None) -> dict[str, Any]:
    """Settings with the number of players, which may be given in one place only."""
    found = dict(settings or {})
    if players is not None:
        if "players" in found:
            raise InputError(f"players: given twice ({players} and {found['players']})")
        found = {"players": players, **found}
    return found


def sweep(
    study: Study | str | Path,
    *,
    vary: Mapping[str, str | Sequence[Any]] | None = None,
    design: str | None = None,
    points: int | str | None = None,
    cells: Sequence[Mapping[str, Any] | str] = (),
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    metrics: Mapping[str, str] | None = None,
    games: int | float | str | None = None,
    precision: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    observer: Observer | None = None,
    command: str = "",
    keep_games: bool = False,
    scheduler: str | None = None,
    replays: bool = True,
) -> Result:
    """Play a grid of configurations, or another design: `doomtrack sweep`, with the same words.

    `study`: the name of a game, a `Study`, or the path of a study in TOML, to which the other words are added. `vary`
    is `{"players": "2..6", "gear": [1, 2, 3]}`; `design`, `points` and `cells` are `--design`, `--points` and `--cell`.
    The whole is checked before the first game. Raises InputError,
    PlayError.
    """
    ready = planned(
        study,
        vary=vary,
        design=design,
        points=points,
        cells=cells,
        players=players,
        settings=settings,
        strategies=strategies,
        content=content,
        plugins=plugins,
        metrics=metrics,
        games=games,
        precision=precision,
        seed=seed,
    )
    return run_plan(
        ready,
        kind="sweep",
        out=out,
        threads=threads,
        observer=observer,
        command=command,
        keep_games=keep_games,
        scheduler=scheduler,
        replays=replays,
    )


def planned(
    study: Study | str | Path,
    *,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    threads: int | None = None,
    **words: Any,
) -> Plan:
    """What `sweep` would play with the same words; no plan depends on `threads`.

    What is wrong in a study file is said with its name, what was added to it is not. Raises InputError.
    """
    from experiments.study import read

    asked = combined(study, settings=with_players(settings, players), **{"seed": None, **words})
    try:
        return plan(asked)
    except InputError as error:
        if isinstance(study, Study) or not str(study).endswith(".toml"):
            raise
        try:
            plan(read(study))
        except InputError:
            raise InputError(f"{study}: {error}") from None
        raise


def combined(
    study: Study | str | Path,
    *,
    vary: Mapping[str, str | Sequence[Any]] | None,
    design: str | None = None,
    points: int | str | None = None,
    cells: Sequence[Mapping[str, Any] | str] = (),
    settings: Mapping[str, Any],
    strategies: Mapping[str, str] | Sequence[str] | str,
    content: Sequence[str | Path],
    plugins: Sequence[str | Path],
    metrics: Mapping[str, str] | None,
    games: int | float | str | None,
    precision: float | None,
    seed: int | None,
) -> Study:
    """A study (of that name, from that file, or as given) with further words added or put in place of its own."""
    from experiments.study import build, read

    if isinstance(study, Study):
        base = study
    elif str(study).endswith(".toml"):
        base = read(study)
    else:
        base = build(game=str(study))
    fields = base.model_dump()
    added = build(game=base.game, strategies=strategies).strategies
    fields["base"].update(settings)
    fields["strategies"].update(added)
    fields.update(designs.changed(fields, design, points, cells))
    free = fields["design"] == designs.ONE  # there, what is set is the base; else it is no longer varied
    for name in () if free else (*settings, *(f"strategy.{w}" for w in added)):
        fields["factors"].pop(name, None)
    for name, values in (vary or {}).items():
        fields["base"].pop(name, None) if name in base.base and not free else None
        fields["factors"][name] = values if isinstance(values, str) else list(values)
    fields["overlays"] += [str(c) for c in content]
    fields["plugins"] += [str(p) for p in plugins]
    fields["metrics"].update(metrics or {})
    if games is not None or precision is not None:
        fields["games"], fields["precision"] = games, precision
    if seed is not None:
        fields["seed"] = seed
    return build(**fields)


def command_line() -> str:
    """The present command line, as a person would type it."""
    return shlex.join(["doomtrack", *sys.argv[1:]])
