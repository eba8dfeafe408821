"""What the contract's tests must know of each game: one file a game, with these tables.

Seats and results
    ``SEATS``: seats by number of players. ``TOGETHER``: all players win together, or lose (``Status.LOST``); else one
    player wins. ``AUTOMATON``: field of the rules that is 1 where somebody plays, and can win, who is none of the
    players; "" where nobody can. ``BYTES``: most bytes of a game record that a look-ahead copies (16 kB take 50-100
    ns). ``NARROW``: fields of the rules with numbers below 8 bytes. ``UNBOUNDED``: numbers of the layout that are no
    capacities.
Positions
    ``RICH``: settings that between them ask every question, deep inside effects.
Where cards lie (``CHECKS``, ``LOSE``, ``LIES``, ``HEAPS``)
    The check that all is there, once; a fault that it must notice; every place and what lies in it, sets sorted; fields
    in which, beyond their sizes, lies what once was there.
What is hidden (``NEXT``, ``CHEATS``, ``SPOIL``, ``DRAWN``)
    By name, something that a seat cannot see, and the chance to guess it; policies that read it; by field, policies
    that write what they may not. Fields that count draws of chance, beside "shuffles".
Luck (``CHANGES``, ``EVEN``)
    Small changes with a mark (``changes.Change``), one for every value of every ruling; settings in which no chair is
    better than another, or why there are none.
Capacities (``BEYOND``, ``FULL``, ``ELSEWHERE``)
    By capacity of the layout, what exceeds it and what the refusal has to say; what just fits; and capacities that no
    content and no setting can exceed, with what sees to it.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.records import Status

TABLES = (
    *("SEATS", "TOGETHER", "AUTOMATON", "BYTES", "NARROW", "UNBOUNDED", "RICH", "CHECKS", "LOSE", "LIES", "HEAPS"),
    *("NEXT", "CHEATS", "SPOIL", "DRAWN", "CHANGES", "EVEN", "BEYOND", "FULL", "ELSEWHERE"),
)


@cache
def files() -> dict[str, ModuleType]:
    """The files of this folder by game."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")
    return {name: import_module(f"{__name__}.{name}") for name in names}


def ends(game: str) -> tuple[Status, ...]:
    """How a game can end: somebody wins or several tie; or all win together, or lose."""
    alone = (Status.WON, Status.TIED, Status.CAPPED)
    return (Status.WON, Status.LOST, Status.CAPPED) if table("TOGETHER")[game] else alone


def table(name: str) -> dict[str, Any]:
    """A table of all games, by game."""
    assert name in TABLES, name
    return {game: getattr(module, name) for game, module in files().items() if hasattr(module, name)}
