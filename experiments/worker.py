"""What a worker of a cluster does: it makes a cell anew from plain words, checks that it is the same, and plays games.

`play_chunk` is all that a worker imports of ours by name. What travels to it are words, numbers and the texts of
overlays and plug-ins; what travels back are numbers. A worker whose version, kernels or content differ from the
caller's answers with a refusal instead of games.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.playing import Piece
    from experiments.study import Cell, Study

REMEMBERED = 64  # cells that a worker keeps ready
SENT = "k-sent"  # folders of what travelled, in the cache: its pruning takes them, too

_lock = threading.Lock()
_ready: dict[str, tuple[Cell, Study]] = {}


def versions_here(game_name: str) -> dict[str, str]:
    """What must be the same on both sides before a cell can be made."""
    from experiments import store
    from experiments.manifest import versions
    from simcore.game import find_game

    found = versions()
    return {
        "doomtrack": found["doomtrack"],
        "numba": found.get("numba", "unknown"),
        "kernels": store.kernel_source(find_game(game_name)),
        "statistics": store.statistics_digest(),
    }


def cell_here(cell: Cell) -> dict[str, str]:
    """What must be the same on both sides once a cell is made."""
    from experiments import store

    policies = json.dumps([[p.label, *map(store.strategy_source, p.strategies)] for p in cell.players])
    return {
        "content": cell.configuration.content.digest,
        "configuration": cell.configuration.digest,
        "strategies": hashlib.sha256(policies.encode()).hexdigest()[:20],
    }


def words_of(cell: Cell, study: Study, keep: bool) -> dict[str, Any]:
    """All that a worker needs to know of a cell, as plain data."""
    import strategies

    game = cell.configuration.game
    overlays = []
    for name in study.overlays:
        folder = Path(name).expanduser()
        ships = name in game.overlays() or not folder.is_dir()
        overlays.append({"name": name, "files": {} if ships else texts(folder, folder.glob("*.toml"))})
    plugins = []
    for name in study.plugins:
        file, *beside = strategies.plugin_files(name, game.name)
        plugins.append({"name": file.name, "files": texts(file.parent, [file, *beside])})
    return {
        "game": game.name,
        "settings": dict(cell.configuration.given),
        "overlays": overlays,
        "plugins": plugins,
        "strategies": dict(cell.strategies),
        "metrics": dict(study.metrics),
        "seed": study.seed,
        "keep": keep,
        "versions": versions_here(game.name),
        "same": cell_here(cell),
    }


def texts(folder: Path, files: Any) -> dict[str, str]:
    """Files by their place in the folder, with their texts. Raises InputError if one cannot be read."""
    try:
        return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(files)}
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{folder}: cannot be sent to the workers ({error})") from None


def play_chunk(asked: Mapping[str, Any], first: int, games: int, cuts: Sequence[int]) -> dict[str, Any]:
    """Play games `first` .. `first + games - 1`. Each of `cuts` ends a piece.

    Answers `worker` (its address) and `pieces`; or `refused`, `wrong` or `failed` with a text. `failed`: the game after
    those of the pieces cannot be played on.
    """
    answer: dict[str, Any] = {"worker": address(), "pieces": []}
    try:
        cell, study = same_cell(asked)
        _play(answer["pieces"], cell, study, asked["keep"], first, games, cuts)
    except Refused as refused:
        answer["refused"] = str(refused)
    except PlayError as error:
        answer["failed"] = str(error)
    except InputError as error:
        answer["wrong"] = str(error)
    return answer


class Refused(Exception):
    """This worker would play other games than those that are asked for."""


def same_cell(asked: Mapping[str, Any]) -> tuple[Cell, Study]:
    """The cell of `words_of`, compiled. Raises Refused if it is not the same here; InputError."""
    with _lock:  # compiling is not for two threads
        different = difference(asked["versions"], versions_here(asked["game"]))
        if not different:
            cell, study = _made(asked)
            different = difference(asked["same"], cell_here(cell))
        if different:
            raise Refused(different)
    return cell, study


def address() -> str:
    """That of the worker which runs this."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):  # called without a cluster
        return "here"


def difference(asked: Mapping[str, str], found: Mapping[str, str]) -> str:
    """The first thing that is not the same: `kernels differ (ab12 there, cd34 here)`; else an empty text."""
    for name, value in asked.items():
        if found.get(name) != value:
            return f"{name} {'differs' if name == 'content' else 'differ'} ({found.get(name)} there, {value} here)"
    return ""


def _made(asked: Mapping[str, Any]) -> tuple[Cell, Study]:
    """The cell, compiled."""
    from experiments import lineup
    from experiments.study import Cell, build
    from simcore import batch
    from simcore.game import find_game

    key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    if key not in _ready:
        game = find_game(asked["game"])
        overlays = [str(_unpacked(o["files"])) if o["files"] else o["name"] for o in asked["overlays"]]
        plugins = [str(_unpacked(p["files"]) / p["name"]) for p in asked["plugins"]]
        configuration = game.configure(asked["settings"], overlays)
        who = asked["strategies"]
        players = lineup.players(game, configuration.seats, who, plugins, configuration)
        batch.prepare(configuration, players, seed=asked["seed"])
        study = build(game=game.name, metrics=asked["metrics"], seed=asked["seed"], games=60)
        while len(_ready) >= REMEMBERED:
            del _ready[next(iter(_ready))]
        _ready[key] = Cell(0, {}, configuration, who, players), study
    return _ready[key]


def _unpacked(files: Mapping[str, str]) -> Path:
    """A folder of the cache that holds these texts; the same texts lie in the same folder."""
    from simcore import jit

    digest = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:20]
    folder = jit.cache_root() / f"{SENT}-{digest}"
    for name, text in files.items():
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise InputError(f"{name}: lies outside its folder")
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, path)
    os.utime(folder)
    return folder


def _play(found: list[Any], cell: Cell, study: Study, keep: bool, first: int, games: int, cuts: Sequence[int]) -> None:
    from experiments import playing

    ends = iter([*cuts, first + games])
    end, at = next(ends), first
    some: list[Piece] = []
    for piece in playing.Here(1, keep).pieces(cell, study, first, first + games):
        some.append(piece)
        at += piece.totals.games
        if at == end:
            found.append(_packed(some))
            some, end = [], next(ends, 0)


def _packed(some: Sequence[Piece]) -> dict[str, Any]:
    """Pieces after one another as one, in plain data."""
    from experiments import rows

    totals = some[0].totals
    for piece in some[1:]:
        totals += piece.totals
    kept = [piece.rows for piece in some if piece.rows is not None]
    return {
        "totals": {f.name: getattr(totals, f.name) for f in fields(totals)},
        "sums": [sums for piece in some for sums in piece.sums],
        "rows": rows.narrow(rows.joined(kept)) if kept else None,
    }


def unpacked(given: Mapping[str, Any]) -> Piece:
    """A piece as it came from a worker."""
    from experiments.playing import Piece
    from simcore.batch import Totals

    return Piece(Totals(**given["totals"]), [[tuple(s) for s in sums] for sums in given["sums"]], given["rows"])
