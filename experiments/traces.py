"""One game again: by its number, by the cell of a result it was played in, or the first that fits a description."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import store, study
from experiments.study import Cell
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.trace import Trace

SEARCHED = 1_000_000  # games looked at for --where, unless told otherwise


@dataclass(frozen=True)
class Traced:
    """A game with what it was a game of."""

    cell: Cell
    seed: int
    trace: Trace
    looked_at: int = 0  # games searched to find it

    @property
    def number(self) -> int:
        """Its number: with the seed, the settings and the line-up it fixes every draw."""
        return self.trace.number

    def text(self) -> list[str]:
        """The game in sentences."""
        configuration = self.cell.configuration
        return list(configuration.game.tell(configuration, self.trace.events))

    def chairs(self) -> dict[int, str]:
        """Who plays in which chair in this game, the automaton left out."""
        from simcore.batch import entries

        final = self.trace.final
        listed = entries(self.cell.configuration, self.cell.players)
        return {
            chair: replace(listed[final["entry"][chair]], playing_as={}).label
            for chair in range(int(final["seats"]))
            if final["player"][chair] < len(self.cell.players)
        }

    def lines(self) -> list[str]:
        """The game as JSON lines: first what it is, then one event a line."""
        from simcore.trace import as_dicts

        configuration = self.cell.configuration
        head = {
            "schema": 1,
            "game": configuration.game.name,
            "version": configuration.game.version,
            "number": self.number,
            "seed": self.seed,
            "parameters": {**configuration.settings, **configuration.given},
            "players": [p.label for p in self.cell.players],
            "chairs": {str(chair): label for chair, label in self.chairs().items()},
            "outcome": outcome(self.trace.outcome, configuration.seats),
        }
        return [json.dumps(head), *(json.dumps(d) for d in as_dicts(configuration, self.trace))]


def outcome(row: Any, seats: int) -> dict[str, Any]:
    """An outcome row as plain data; fields with one entry a player are cut to the players there are."""
    found: dict[str, Any] = {}
    for name in row.dtype.names:
        value = row[name]
        found[name] = int(value) if not getattr(value, "shape", ()) else [int(v) for v in value[:seats]]
    return found


def cell_of_study(asked: study.Study) -> Cell:
    """The only cell of a study without factors."""
    return study.plan(asked).cells[0]


def cell_of_folder(folder: str | Path, cell: int) -> tuple[Cell, int, list[str]]:
    """A cell of a result folder, its seed, and remarks (played with other sources than today's). Raises InputError."""
    chosen, asked, remarks = cell_and_study(folder, cell)
    return chosen, asked.seed, remarks


def cell_and_study(folder: str | Path, cell: int) -> tuple[Cell, study.Study, list[str]]:
    """A cell of a result folder, what was asked there, and remarks as `cell_of_folder`. Raises InputError."""
    path = Path(folder)
    manifest = store.read_manifest(path)
    asked = manifest.get("asked")
    if manifest.get("kind") == "impact":
        told = f"doomtrack trace {manifest['game']} --deal WHO.KIND=ENTRY, with the settings and line-up of {path}"
        raise InputError(f"{path}: its cells are what is dealt to a player; their games are told by: {told}")
    if not isinstance(asked, dict):
        raise InputError(f"{path / store.MANIFEST}: does not say what was asked, so its games cannot be played again")
    own = {k: v for k, v in asked.items() if k in study.Study.model_fields}  # beside what some commands ask of it
    ready = study.plan(study.build(**own))
    if not 0 <= cell < len(ready.cells):
        raise InputError(f"{path}: no cell {cell}; it has cells 0..{len(ready.cells) - 1}")
    remarks = []
    if manifest.get("source_digest") != store.kernel_source(ready.game):
        remarks.append(
            f"{path} was played by other sources of {ready.game.name}: this game may differ from the one there"
        )
    return ready.cells[cell], ready.study, remarks


def find(
    cell: Cell,
    where: str,
    *,
    seed: int,
    first: int = 0,
    most: int = SEARCHED,
    threads: int | None = None,
    deal: Mapping[int, Mapping[str, Any]] | None = None,
) -> int | None:
    """Number of the first game from `first` on that fits the polars SQL filter `where`; None among `most` games."""
    from experiments.expressions import Where
    from simcore import batch

    wanted = Where(where, cell.configuration)
    blocks = batch.play(
        cell.configuration, cell.players, games=most, first=first, seed=seed, threads=threads, keep=True, deal=deal
    )
    try:
        for block in blocks:
            if block.outcomes is not None and (found := wanted.first(block.outcomes)) is not None:
                return found
    finally:
        close = getattr(blocks, "close", None)
        if close is not None:
            close()
    return None


def trace(
    cell: Cell,
    number: int,
    *,
    seed: int,
    why: bool = False,
    deal: Mapping[int, Mapping[str, Any]] | None = None,
) -> Traced:
    """Game `number` of a cell, event by event; `why` adds the options each policy saw and their scores.

    `deal`: what is dealt to whom on purpose, as ``batch.prepare`` takes it.
    """
    from simcore.trace import play_one

    return Traced(cell, seed, play_one(cell.configuration, cell.players, number, seed=seed, why=why, deal=deal))
