"""A contract whose players adapt to the rules of each cell before it is checked there."""

from __future__ import annotations

from dataclasses import replace

from experiments import words
from experiments.adapting.adapt import Hear, adapt, number_of_games
from experiments.adapting.steps import Adapted
from experiments.checking.promises import Ready, ready
from experiments.study import Cell, Study


def tuned(todo: Ready, *, games: object = None, threads: int | None = None, hear: Hear | None = None) -> Ready:
    """The same contract with tuned players in each of its cells, and how they were tuned.

    Each line-up is tuned on the game as the contract and its cell set it; what a line varies of the players is not
    touched. Raises InputError, PlayError.
    """
    number = None if games is None else number_of_games(games)
    found: dict[object, tuple[str, Adapted]] = {}

    def tune(cell: Cell, study: Study) -> Cell:
        settings = {**cell.configuration.settings, **cell.configuration.given}
        key = (cell.configuration.digest, str(settings), tuple(p.label for p in cell.players))
        if key not in found:
            hold = {n.split(".")[2] for n in cell.parameters if n.startswith("strategy.") and n.count(".") == 2}
            (how,) = adapt([cell], [study], games=number, hold=hold, threads=threads, hear=hear)
            name = ", ".join(filter(None, (words.listed(cell.parameters), words.listed(cell.strategies))))
            found[key] = name, how
        return replace(cell, strategies=found[key][1].cell.strategies, players=found[key][1].cell.players)

    again = ready(todo.contract, threads, tune)
    return replace(again, adapted=tuple(found.values()))
