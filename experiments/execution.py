"""Plays a plan cell by cell, keeps each finished cell, and makes the result: manifest, rows, findings.

One cell that fails never loses the others. What is finished when Ctrl-C comes is kept, and the same call goes on.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from experiments import findings, metrics, store
from experiments.metrics import Row, described_expressions
from experiments.playing import Heard, play
from experiments.study import Cell, Plan, Study, plan
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    import polars as pl


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


@dataclass
class Result:
    """What a study gave. `cells` and `findings` are polars frames; `manifest` says all that is needed to repeat it."""

    plan: Plan
    manifest: dict[str, Any]
    done: list[Done]
    sentences: list[dict[str, Any]]
    folder: Path | None = None
    interrupted: bool = False

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

        frames = [metrics.frame(d.rows, d.cell.index, parameters_text(d.cell)) for d in self.done]
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
    started: str = field(default_factory=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"))
    clock: float = field(default_factory=time.perf_counter)
    done: list[Done] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    errors: list[PlayError] = field(default_factory=list)

    def manifest(self, kind: str, finished: bool) -> dict[str, Any]:
        return manifest(
            self.plan, kind, finished, self.failed, self.command, self.started, time.perf_counter() - self.clock
        )


def run_plan(
    ready: Plan,
    *,
    kind: str,
    out: str | Path | None = None,
    threads: int | None = None,
    observer: Observer | None = None,
    command: str = "",
) -> Result:
    """Play every cell of a plan that the folder does not hold yet. `command`: the line that repeats it.

    Raises InputError if the folder cannot be used, PlayError if no cell at all could be played. On Ctrl-C the result of
    the finished cells comes back, marked `interrupted`.
    """
    if out is not None and not str(out).strip():
        raise InputError("--out: no folder is named (leave --out away to keep nothing)")
    watcher = observer or Silent()
    keys = {c.index: store.cell_key(c, ready.study) for c in ready.cells} if out is not None else {}
    opened = store.Folder.open(out, ready) if out is not None else None  # after all that takes time or may be refused
    run = _Run(ready, opened, command or python_command(ready, kind, out))
    if run.folder is not None:
        run.folder.forget_others(set(keys.values()))
        store.write_json(run.folder.path / store.MANIFEST, run.manifest(kind, False))
    kept = {c.index: p for c in ready.cells if run.folder and (p := run.folder.read_part(keys[c.index])) is not None}
    watcher.begins(ready, len(kept))
    interrupted = False
    try:
        for cell in ready.cells:
            if cell.index in kept:
                run.done.append(_from_frame(cell, kept[cell.index]))
                continue
            _play_one(run, cell, keys.get(cell.index, ""), threads, watcher)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        watcher.ends()
    if run.errors and not run.done and not interrupted:
        if run.folder is not None and run.folder.fresh:
            run.folder.discard()
        raise run.errors[0]
    return _close(run, kind, interrupted)


def _play_one(run: _Run, cell: Cell, key: str, threads: int | None, watcher: Observer) -> None:
    try:
        played = play(cell, run.plan.study, threads=threads, watch=lambda heard: watcher.hears(cell, heard))
    except PlayError as play_error:
        error = _with_options(play_error, run.plan.study, cell)
        run.failed.append({"cell": cell.index, "parameters": dict(cell.parameters), "error": str(error)})
        run.errors.append(error)
        return
    done = Done(cell, played.rows, played.games)
    if run.folder is not None:
        frame = metrics.frame(played.rows, cell.index, parameters_text(cell))
        store.write_frame(run.folder.part(key), frame)
    run.done.append(done)
    watcher.finished(cell)


def _from_frame(cell: Cell, frame: pl.DataFrame) -> Done:
    rows = [Row(*values) for values in frame.select(Row._fields).iter_rows()]
    return Done(cell, rows, max((r.n for r in rows if r.metric == "capped_rate"), default=0))


def _close(run: _Run, kind: str, interrupted: bool) -> Result:
    """Findings and manifest; with a folder, all of it written, the manifest last."""
    whole = not interrupted and len(run.done) + len(run.failed) == len(run.plan.cells)
    written = run.manifest(kind, whole and not run.failed)
    sentences = findings.make(run.plan, [findings.Result(d.cell, d.rows) for d in run.done], written["metrics"])
    result = Result(run.plan, written, run.done, sentences, run.folder.path if run.folder else None, interrupted)
    if run.folder is not None:
        store.write_frame(run.folder.path / store.CELLS, result.cells)
        store.write_json(run.folder.path / store.FINDINGS, sentences)
        store.write_json(run.folder.path / store.MANIFEST, written)
    return result


# --- the manifest -----------------------------------------------------------------------------------------------------


def versions() -> dict[str, str]:
    """Versions that a result depends on."""
    found = {"doomtrack": "unknown", "python": platform.python_version()}
    for name in ("doomtrack", "numpy", "numba"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return found


def manifest(
    ready: Plan,
    kind: str,
    finished: bool,
    failed: Sequence[Mapping[str, Any]],
    command: str,
    started: str,
    seconds: float,
) -> dict[str, Any]:
    """What manifest.json holds: what was asked, of what, by which versions, and how to do it again."""
    study, game, first = ready.study, ready.game, ready.cells[0]
    content = first.configuration.content
    reported = [m for c in _kinds(ready) for m in metrics.metrics_of(c.configuration)]
    described, groups = metrics.described(reported), metrics.described_groups(reported)
    for name in (
        text.partition("[")[0].strip() for text in study.answer
    ):  # what the study asks for is a headline of it
        described.get(name, {})["headline"] = True
    seats = {c.configuration.seats for c in ready.cells}
    varied = {f.name for f in ready.factors}
    return {
        "schema": store.SCHEMA,
        "kind": kind,
        "question": study.question,
        "claim": study.claim,
        "note": study.note,
        "game": game.name,
        "title": study.title or game.title,
        "version": game.version,
        "given": dict(ready.given),
        "parameters": {k: v for k, v in {**first.configuration.settings, **ready.given}.items() if k not in varied},
        "overlays": list(study.overlays),
        "players": [p.label for p in first.players] if len(seats) == 1 else [],
        "strategies": {w: s for w, s in first.strategies.items() if f"strategy.{w}" not in varied},
        "factors": [
            {"name": f.name, "values": list(f.values), "meaning": f.meaning, "unit": f.unit} for f in ready.factors
        ],
        "metrics": {**described, **described_expressions(study.metrics)},
        "groups": groups,
        "seed": study.seed,
        "games": study.games,
        "precision": study.precision,
        "cells": len(ready.cells),
        "finished": finished,
        "failed": [dict(f) for f in failed],
        "command": command,
        "versions": versions(),
        "source_digest": store.kernel_source(game),
        "content_digest": content.digest,
        "provenance": first.configuration.provenance,
        "estimated_share": first.configuration.estimated_share,
        "notes": [n for n in (study.note,) if n],
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "started": started,
        "seconds": round(seconds, 3),
        "asked": store.asked(ready),
    }


def _kinds(ready: Plan) -> list[Cell]:
    """One cell for each number of seats: other settings don't change which metrics there are by name."""
    return list({c.configuration.seats: c for c in ready.cells}.values())


def python_command(ready: Plan, kind: str, out: str | Path | None) -> str:
    """The command line that asks the same study."""
    study = ready.study
    words = ["doomtrack", "run" if kind == "run" else "sweep", study.game, *_line_up_and_settings(study, study.base)]
    words += [w for f in ready.factors for w in ("--vary", f"{f.name}={','.join(_word(v) for v in f.values)}")]
    words += [w for k, v in study.metrics.items() for w in ("--metric", f"{k}={v}")]
    words += ["--games", str(study.games)] if study.games else ["--precision", f"{study.precision:g}"]
    words += ["--seed", str(study.seed)]
    words += ["--out", str(out)] if out is not None else []
    return shlex.join(words)


def _line_up_and_settings(study: Study, settings: Mapping[str, Any]) -> list[str]:
    """The options that say what is played, and by whom."""
    words = [w for k, v in settings.items() for w in ("--set", f"{k}={_word(v)}")]
    words += [w for k, v in study.strategies.items() for w in ("--strategy", f"{k}={v}")]
    words += [w for o in study.overlays for w in ("--content", o)]
    return words + [w for p in study.plugins for w in ("--plugin", p)]


def _with_options(error: PlayError, study: Study, cell: Cell) -> PlayError:
    """The error with the options of its cell in the line that shows the game."""
    words = _line_up_and_settings(study, {**study.base, **cell.parameters})
    said = f" {shlex.join(words)}" if words else ""
    return PlayError(str(error).replace(" (and the same line-up and settings)", said))


def _word(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


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
) -> Result:
    """Play one configuration: `doomtrack run`, with the same words.

    `settings` is `--set`, `content` and `plugins` are `--content` and `--plugin`; `strategies` is `{"all": "random",
    "0": "expert"}` or a list as on the command line. `games` defaults to 120,000; `precision` (half-width of every win
    share and headline rate) takes its place. Raises InputError, PlayError.
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
    return run_plan(plan(study), kind="run", out=out, threads=threads, observer=observer, command=command)


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
) -> Result:
    """Play a grid of configurations: `doomtrack sweep`, with the same words.

    `study`: the name of a game, a `Study`, or the path of a study in TOML, to which the other words are added. `vary`
    is `{"players": "2..6", "gear": [1, 2, 3]}`. The whole is checked before the first game. Raises InputError,
    PlayError.
    """
    asked = combined(
        study,
        vary=vary,
        settings=with_players(settings, players),
        strategies=strategies,
        content=content,
        plugins=plugins,
        metrics=metrics,
        games=games,
        precision=precision,
        seed=seed,
    )
    return run_plan(_planned(asked, study), kind="sweep", out=out, threads=threads, observer=observer, command=command)


def _planned(asked: Study, study: Study | str | Path) -> Plan:
    """The plan; what is wrong in a study file is said with its name, what was added to it is not."""
    from experiments.study import read

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
    for name in (*settings, *(f"strategy.{w}" for w in added)):  # what is set is no longer varied
        fields["factors"].pop(name, None)
    for name, values in (vary or {}).items():
        fields["base"].pop(name, None) if name in base.base else None
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
