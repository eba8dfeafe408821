"""A result is a folder: manifest.json, parts/<cell key>.parquet, cells.parquet, findings.json. Reports read only this.

Beside them, on request, one row a game in games/<cell key>/; and while a cell is played, parts/<cell key>.partial with
the totals of its first games, so that a long cell goes on where it was killed. What comparisons and contracts decided
by, and how far they are, stands in parts/<key>.npz, also when they are done. Each file is written beside its place and
moved there, so a reader never meets half a file. A cell's key is a digest of all that its numbers depend on: a
finished part is taken as it is, a part whose rules, kernels, strategies or settings have changed since is played again.
A folder that holds something else than this study is refused, and nothing in it is touched.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments import words
from simcore.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from experiments.study import Cell, Plan, Study
    from simcore.game import Configuration, Metric, Player, Strategy

SCHEMA = 1
MANIFEST, CELLS, FINDINGS, PARTS, GAMES = "manifest.json", "cells.parquet", "findings.json", "parts", "games"
BOARD = "board.json"  # what the reports draw of the table, where the game has such a thing
PARTIAL = ".partial"
REACHED = ".npz"


def digest(thing: Any) -> str:
    """Digest of plain data."""
    return hashlib.sha256(json.dumps(thing, sort_keys=True, default=str).encode()).hexdigest()[:20]


def statistics_digest() -> str:
    """Digest of the sources that turn totals into rows: rows of an older formula are not reused."""
    return sources_digest("statistics.py", "metrics.py", "expressions.py", "playing.py", "../simcore/batch.py")


@lru_cache(maxsize=8)
def sources_digest(*files: str) -> str:
    """Digest of source files, by their place beside this one."""
    here = Path(__file__).parent
    return hashlib.sha256(b"\0".join((here / file).read_bytes() for file in files)).hexdigest()[:20]


@lru_cache(maxsize=256)  # most cells of a study have the same ones
def metrics_digest(metrics: tuple[Metric, ...]) -> str:
    """Digest of how each metric is computed from the totals."""
    return digest([dataclasses.astuple(m) for m in metrics])


@lru_cache(maxsize=256)
def strategy_source(strategy: Strategy) -> str:
    """Digest of the source of a strategy's policy and of all that it can reach, plug-ins included."""
    import strategies

    return strategies.source_digest(strategy)


def kernel_source(game: Any) -> str:
    """Digest of the source of a game's kernels."""
    from importlib import import_module

    from simcore import jit

    import_module(game.kernels)
    return jit.source_digest(game.kernels)


def cell_key(cell: Cell, study: Study) -> str:
    """Digest of all that a cell's numbers depend on."""
    from experiments.metrics import metrics_of

    configuration = cell.configuration
    game = configuration.game
    return digest(
        {
            "game": game.name,
            "version": game.version,
            "kernels": kernel_source(game),
            "configuration": configuration.digest,
            "settings": dict(configuration.settings),
            "content": configuration.content.digest,
            "players": [_player(p) for p in cell.players],
            "seed": study.seed,
            "games": study.games,
            "precision": study.precision,
            "metrics": study.metrics,
            "definitions": metrics_digest(metrics_of(configuration)),
            "statistics": statistics_digest(),
        }
    )


def _player(player: Player) -> dict[str, Any]:
    """All that his games depend on."""
    weights = {w.name: float(player.weights.get(w.name, w.default)) for w in player.strategy.weights}
    return {
        "strategy": player.strategy.name,
        "source": strategy_source(player.strategy),
        "weights": weights,
        "forbid": sorted(player.forbid),
        "playing_as": {what: _player(other) for what, other in player.playing_as.items()},
    }


def asked(plan: Plan) -> dict[str, Any]:
    """What a study asks, in plain data: enough to know it again, to go on with it, and to replay one of its games."""
    study = plan.study
    return {
        "game": plan.game.name,
        "base": dict(plan.given),
        "overlays": list(study.overlays),
        "plugins": list(study.plugins),
        "strategies": dict(study.strategies),
        "factors": {f.name: list(f.values) for f in plan.factors},
        "metrics": dict(study.metrics),
        "games": study.games,
        "precision": study.precision,
        "seed": study.seed,
        **plan.asked,
    }


def write_text(path: Path, text: str) -> None:
    """Write a file as a whole or not at all. Raises InputError if the folder cannot be written to."""
    _write(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_json(path: Path, data: Any) -> None:
    """As `write_text`, for data; no NaN gets in."""
    write_text(path, json.dumps(data, indent=1, allow_nan=False, default=str) + "\n")


def write_board(folder: Path, configuration: Configuration) -> None:
    """The game's board as it lies in this configuration, if the game has one."""
    if configuration.game.board is not None:
        write_json(folder / BOARD, configuration.game.board(configuration))


def write_frame(path: Path, frame: pl.DataFrame) -> None:
    """As `write_text`, for a frame as Parquet."""
    _write(path, lambda temporary: frame.write_parquet(temporary))


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """As `write_text`, for arrays by name."""

    def write(temporary: Path) -> None:
        with temporary.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type] # numpy takes its one option for a possible name

    _write(path, write)


def read_arrays(path: Path) -> dict[str, np.ndarray] | None:
    """Arrays by name, or None if there is no such file. Raises InputError if it cannot be read."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            return dict(data.items())
    except FileNotFoundError:
        return None
    except Exception as error:  # a damaged archive raises many kinds
        raise InputError(f"{path}: cannot be read ({error.__class__.__name__}); delete it and run again") from None


def make_folder(path: Path) -> None:
    """A folder for files of the result. Raises InputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made ({error.strerror or error})") from None


def _write(path: Path, write: Any) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            write(temporary)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    except Exception as error:  # polars wraps what the system says
        if type(error).__module__.partition(".")[0] != "polars":
            raise
        raise InputError(f"{path}: cannot be written ({str(error).strip().splitlines()[0]})") from None


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a result folder. Raises InputError if it is none."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: no result folder (it holds no {MANIFEST})") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{folder / MANIFEST}: cannot be read ({error.__class__.__name__})") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise InputError(f"{folder / MANIFEST}: not a manifest of schema {SCHEMA}")
    return manifest


def difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """The first thing in which two studies differ: `seed is 1 there and 2 here`; "" if they are the same."""
    for name in dict.fromkeys(["design", *here, *there]):
        old, new = there.get(name), json.loads(json.dumps(here.get(name), default=str))
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            inner = next((k for k in [*new, *old] if old.get(k) != new.get(k)), None)
            if inner is None:  # the same values in another order
                continue
            return f"{name} {inner} is {_said(old.get(inner))} there and {_said(new.get(inner))} here"
        return f"{name} is {_said(old)} there and {_said(new)} here"
    return ""


def _said(value: Any) -> str:
    if value is None or value == []:
        return "not given"
    if not isinstance(value, list):
        return words.shown(value)
    if any(isinstance(v, dict) for v in value):
        return f"{len(value)} cells, the first {words.listed(value[0])},"
    return ", ".join(words.shown(v) for v in value)


class Folder:
    """The result folder of one study."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fresh = True  # it held nothing when it was opened
        self.made: list[Path] = []  # folders that opening it made, outermost first

    @classmethod
    def open(cls, out: str | Path, plan: Plan) -> Folder:
        """The folder for this study: new, empty, or holding the same study. Raises InputError for anything else."""
        path = Path(out)
        folder = cls(path)
        try:
            if path.exists() and not path.is_dir():
                raise InputError(f"--out {path}: is a file, not a folder")
            if path.exists() and not _hardly_begun(path):
                folder.fresh = False
                if not (path / MANIFEST).exists():
                    raise InputError(f"--out {path}: holds something else than a result; choose a new or empty folder")
                manifest = read_manifest(path)
                differs = difference(manifest.get("asked", {}), asked(plan))
                if differs:
                    raise InputError(f"--out {path}: holds another study ({differs}); choose another folder")
            parts = path / PARTS
            folder.made = [p for p in (*reversed(parts.parents), parts) if not p.exists()]
            parts.mkdir(parents=True, exist_ok=True)
            probe = path / PARTS / f".{os.getpid()}.tmp"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            raise InputError(f"--out {path}: cannot be written to ({error.strerror or error})") from None
        return folder

    def discard(self) -> None:
        """Take back what was written into a folder that was new: its manifest, and the folders made for it."""
        (self.path / MANIFEST).unlink(missing_ok=True)
        for made in reversed(self.made):
            try:
                made.rmdir()
            except OSError:  # somebody else put something there
                return

    def part(self, key: str) -> Path:
        """Where a cell's part lies."""
        return self.path / PARTS / f"{key}.parquet"

    def read_part(self, key: str) -> pl.DataFrame | None:
        """A finished part, or None. Raises InputError if it is there and cannot be read: the others are not touched."""
        path = self.part(key)
        if not path.exists():
            return None
        return read_frame(path)

    def reached(self, key: str) -> Path:
        """Where it lies how far a comparison or a contract's cell is, and what it showed."""
        return self.path / PARTS / f"{key}{REACHED}"

    def partial(self, key: str) -> Path:
        """Where it lies how far a cell is."""
        return self.path / PARTS / f"{key}{PARTIAL}"

    def games(self, key: str) -> Path:
        """The folder of a cell's rows, one a game."""
        return self.path / GAMES / key

    def forget(self, key: str) -> None:
        """Delete what was noted of a cell on the way."""
        self.partial(key).unlink(missing_ok=True)

    def forget_games(self, key: str) -> None:
        """Delete a cell's rows, and the folder of all rows if there are none left."""
        shutil.rmtree(self.games(key), ignore_errors=True)
        try:
            (self.path / GAMES).rmdir()
        except OSError:  # not there, or holds those of other cells
            pass

    def forget_others(self, keys: set[str]) -> None:
        """Delete the parts of older kernels or strategies, and what a killed run left half-written."""
        for path in (self.path / PARTS).iterdir():
            if path.suffix == ".tmp" or (path.suffix in (".parquet", PARTIAL, REACHED) and path.stem not in keys):
                path.unlink(missing_ok=True)
        if (self.path / GAMES).is_dir():
            for path in (self.path / GAMES).iterdir():
                if path.name not in keys:
                    self.forget_games(path.name)


def _hardly_begun(path: Path) -> bool:
    """Whether a folder is empty, or as a run leaves it that was stopped before its first manifest."""
    inside = [p for p in path.iterdir() if not (p.name.startswith(f".{MANIFEST}.") and p.suffix == ".tmp")]
    if inside != [path / PARTS]:
        return not inside
    return inside[0].is_dir() and all(p.name.startswith(".") and p.suffix == ".tmp" for p in inside[0].iterdir())


def read_frame(path: Path) -> pl.DataFrame:
    """A frame of rows. Raises InputError naming a file that cannot be read."""
    import polars as pl

    from experiments.metrics import schema

    try:
        frame = pl.read_parquet(path)
    except FileNotFoundError:
        raise InputError(f"{path}: is not there; the study is not finished") from None
    except Exception as error:  # polars has its own kinds of error for a damaged file
        raise InputError(f"{path}: cannot be read ({error.__class__.__name__}); delete it and run again") from None
    missing = set(schema()) - set(frame.columns)
    if missing:
        raise InputError(f"{path}: lacks the columns {', '.join(sorted(missing))}; delete it and run again")
    return frame
