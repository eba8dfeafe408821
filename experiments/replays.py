"""Story replays: a configuration's median, closest, longest and most lopsided game, and the biggest comeback.

The games are chosen from the outcome rows of the configuration's first games, which are played again for it; what the
rows do not say (how far back a winner was) from a few hundred traces. Each chosen game is traced into
``replays/KIND.jsonl`` as `doomtrack trace --format jsonl` prints it; ``replays/index.json`` holds what the page shows,
turn by turn, and ``replays/board.json`` the board. What makes a game close or one-sided says the game's ``replay.py``.
"""

from __future__ import annotations

import json
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from experiments import store, traces
from experiments.manifest import line_up_and_settings
from experiments.study import Cell, Study
from experiments.traces import Traced
from simcore.errors import InputError

SCHEMA = 1
FOLDER, INDEX = "replays", "index.json"
MOST_GAMES, FEWEST_GAMES = 3_000, 300  # looked at, if there are so many
PART = 20  # at most this part of a study's games is played again for it
MOST_TRACED = 300  # games traced in search of a comeback
HEAD = "-- "  # before the line with which a turn begins
TITLES = {
    "median": "The median game",
    "closest": "The closest game",
    "longest": "The longest game",
    "comeback": "The biggest comeback",
    "lopsided": "The most lopsided game",
    "unfinished": "A game that did not end",
    "trace": "One game",
}


@dataclass(frozen=True)
class Replay:
    """A game that is worth telling: of which kind, and why."""

    kind: str
    title: str
    why: str
    told: Traced


def looked_at(cell_games: int, all_games: int) -> int:
    """Games of a cell from which the replays are chosen, where its study plays so many in all."""
    return min(cell_games, max(FEWEST_GAMES, min(MOST_GAMES, all_games // PART)))


def outcomes(cell: Cell, *, seed: int, games: int, threads: int | None = None) -> np.ndarray:
    """Outcome rows of a cell's first games, in the order of their numbers."""
    from simcore import batch

    blocks = batch.play(cell.configuration, cell.players, games=games, seed=seed, threads=threads, keep=True)
    found = [block.outcomes for block in blocks if block.outcomes is not None]
    rows = np.concatenate(found)
    return rows[np.argsort(rows["number"], kind="stable")]


def choose(cell: Cell, rows: np.ndarray) -> dict[str, int]:
    """Game numbers by kind, as far as outcome rows tell: all but the comeback. What there is not is left out."""
    from simcore.replay import finished, first_by

    game = rules_of_replays(cell)
    done = finished(rows)
    median = np.sort(rows["turns"][done])[(int(done.sum()) - 1) // 2] if done.any() else -1
    places = {
        "median": first_by(done & (rows["turns"] == median)),
        "closest": game.closest(cell.configuration, rows),
        "longest": first_by(done, -rows["turns"]),
        "lopsided": game.lopsided(cell.configuration, rows),
        "unfinished": first_by(~done),
    }
    return {kind: int(rows["number"][place]) for kind, place in places.items() if place is not None}


def comeback(cell: Cell, rows: np.ndarray, *, seed: int) -> int | None:
    """Number of the game whose winner was farthest back, among the first that may hold a comeback; None without any."""
    game = rules_of_replays(cell)
    numbers = rows["number"][game.comebacks(cell.configuration, rows)][: min(MOST_TRACED, max(30, len(rows) // PART))]
    best: tuple[float, int] = (0.0, 0)
    found = None
    for number in numbers.tolist():
        size = game.behind(cell.configuration, traces.trace(cell, number, seed=seed).trace)
        if size[0] > 0 and size > best:
            best, found = size, number
    return found


def rules_of_replays(cell: Cell) -> Any:
    """The game's ``replay.py``."""
    return import_module(f"simcore.games.{cell.configuration.game.name}.replay")


def make(cell: Cell, *, seed: int, games: int, threads: int | None = None) -> list[Replay]:
    """The replays of a cell, chosen among its first `games` games; a game that is two things is told once."""
    rows = outcomes(cell, seed=seed, games=games, threads=threads)
    numbers = choose(cell, rows)
    back = comeback(cell, rows, seed=seed)
    if back is not None:
        numbers["comeback"] = back
    found, unfinished = [], int((~_finished(rows)).sum())
    for number in dict.fromkeys(numbers[kind] for kind in TITLES if kind in numbers):
        kinds = [kind for kind in TITLES if numbers.get(kind) == number]
        told = traces.trace(cell, number, seed=seed)
        said = " ".join(_why(kind, cell, told, unfinished, len(rows)) for kind in kinds)
        found.append(Replay(kinds[0], _title(kinds), said, told))
    return found


def _title(kinds: Sequence[str]) -> str:
    first, *others = [TITLES[kind] for kind in kinds]
    return ", ".join([first, *(other[:1].lower() + other[1:] for other in others)])


def _why(kind: str, cell: Cell, told: Traced, unfinished: int = 0, games: int = 0) -> str:
    turns = int(told.trace.outcome["turns"])
    if kind == "median":
        return f"{turns} turns, the median of the games that ended."
    if kind == "longest":
        return f"{turns} turns, the most of the games that ended."
    if kind == "unfinished":
        return f"Broken off after {turns} turns, as {unfinished:,} of {games:,} games were."
    if not _finished(np.array([told.trace.outcome]))[0]:
        return f"Broken off after {turns} turns."
    said: str = rules_of_replays(cell).said(kind, cell.configuration, told.trace)
    return said


def _finished(rows: np.ndarray) -> np.ndarray:
    from simcore.replay import finished

    return finished(rows)


def page(replay: Replay, study: Study) -> dict[str, Any]:
    """What a page shows of a game: heads, things on the board, and of each turn its text and the table at its end."""
    told = replay.told
    configuration = told.cell.configuration
    shown = rules_of_replays(told.cell).show(configuration, told.cell.players, told.trace)
    texts: list[tuple[str, list[str]]] = [("Set-up", [])]
    for line in told.text():
        if line.startswith(f"{HEAD}Round"):
            texts.append((line.removeprefix(HEAD), []))
        else:
            texts[-1][1].append(line.removeprefix(HEAD))
    turns = [
        {"title": title, "lines": lines, "rows": view.rows, "tracks": view.tracks, "at": view.at}
        for (title, lines), view in zip(texts, shown.views, strict=True)
    ]
    return {
        "kind": replay.kind,
        "title": replay.title,
        "why": replay.why,
        "number": told.number,
        "command": command_of(told, study),
        "heads": list(shown.heads),
        "things": [asdict(thing) for thing in shown.things],
        "turns": turns,
    }


def command_of(told: Traced, study: Study) -> str:
    """The command line that traces this game of a cell of `study`."""
    words = line_up_and_settings(study, {**study.base, **told.cell.parameters})
    return shlex.join(
        [
            "doomtrack",
            "trace",
            told.cell.configuration.game.name,
            *words,
            "--seed",
            str(told.seed),
            "--game",
            str(told.number),
        ]
    )


def write(folder: Path, cell: Cell, study: Study, *, games: int, threads: int | None = None) -> dict[str, Any]:
    """Choose the replays of a cell and write them into ``replays/`` of a result folder: what index.json holds.

    Raises InputError if the folder cannot be written to.
    """
    found = make(cell, seed=study.seed, games=games, threads=threads)
    return keep(folder, cell, study, found, games)


def keep(folder: Path, cell: Cell, study: Study, found: Sequence[Replay], games: int) -> dict[str, Any]:
    """Write replays into ``replays/`` of a folder, the index last; those of another kind that lay there are gone."""
    pages = [page(replay, study) for replay in found]
    configuration = cell.configuration
    index = {
        "schema": SCHEMA,
        "game": configuration.game.name,
        "title": configuration.game.title,
        "version": configuration.game.version,
        "seed": study.seed,
        "key": store.cell_key(cell, study),
        "cell": cell.index,
        "parameters": dict(cell.parameters),
        "looked_at": games,
        "replays": pages,
    }
    place = folder / FOLDER
    store.make_folder(place)
    (place / INDEX).unlink(missing_ok=True)
    for old in place.glob("*.jsonl"):
        if old.stem in TITLES:
            old.unlink()
    for replay in found:
        store.write_text(place / f"{replay.kind}.jsonl", "\n".join(replay.told.lines()) + "\n")
    store.write_board(place, configuration)
    store.write_text(place / INDEX, json.dumps(index, allow_nan=False, default=str) + "\n")
    return index


def are_there(folder: Path, cell: Cell, study: Study, games: int) -> bool:
    """Whether a folder holds the replays of this very cell, chosen among so many games."""
    try:
        index = json.loads((folder / FOLDER / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    wanted = {"schema": SCHEMA, "looked_at": games, "key": store.cell_key(cell, study)}
    return isinstance(index, dict) and all(index.get(name) == value for name, value in wanted.items())


def of_folder(
    folder: str | Path, cell: int = 0, *, games: int | None = None, threads: int | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Replays of a cell of a result folder, written there: what index.json holds, and remarks. Raises InputError."""
    chosen, study, remarks = traces.cell_and_study(folder, cell)
    played = store.read_manifest(Path(folder)).get("games")
    return write(
        Path(folder), chosen, study, games=games or min(played or MOST_GAMES, MOST_GAMES), threads=threads
    ), remarks


def alone(told: Traced, study: Study) -> str:
    """The page of one game of a cell of `study`, to step through. Raises InputError."""
    import reports

    with tempfile.TemporaryDirectory() as folder:
        replay = Replay("trace", f"Game {told.number} of seed {told.seed}", _why("trace", told.cell, told), told)
        keep(Path(folder), told.cell, study, [replay], 1)
        try:
            return reports.replay(folder)
        except reports.ReportError as error:
            raise InputError(str(error)) from None
