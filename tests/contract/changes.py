"""Small changes of a game, and how a finished game shows whether the change was met in it.

A game in which a change was not met has to be the same game, outcome for outcome: that is what keyed randomness is for.
The mark is a slot of the rule ledger or of a component, or a card that still lies where it was shuffled to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from simcore.game import Configuration
from simcore.records import Status

Met = Callable[[Any], bool]  # of the game record at the end: was the change met?
Mark = Callable[[Configuration], Met]


@dataclass(frozen=True)
class Change:
    """One thing changed in `base`, and its mark, asked of the game as it is and of the changed game."""

    name: str
    change: Mapping[str, Any]
    mark: Mark
    base: Mapping[str, Any] = field(default_factory=dict)
    games: int = 600
    strategy: str = "random"  # a strategy that counts the cards there are meets every card more in every game
    policy: Any = None  # in place of a strategy that ships: one whose answers show whether the change was met


def fired(*slots: int) -> Mark:
    """One of these tally slots is not 0."""
    return lambda configuration: lambda game: bool(game["tally"][list(slots)].any())


def capped(configuration: Configuration) -> Met:
    """The game was broken off."""
    return lambda game: bool(game["status"] == Status.CAPPED)


def either(*marks: Mark) -> Mark:
    """One of these marks."""

    def mark(configuration: Configuration) -> Met:
        asked = [one(configuration) for one in marks]
        return lambda game: any(met(game) for met in asked)

    return mark


def rulings(known: Mapping[str, tuple[Mark, dict[str, Any]]], parameters: Any) -> tuple[Change, ...]:
    """A change for every other value of every ruling, by the ruling's name, or by `name value` where a value has a mark
    of its own: the mark, and further settings without which the question does not come up at all."""
    found = []
    for parameter in parameters:
        ruling = parameter.name.removeprefix("ruling.")
        for value in parameter.choices or (True, False):
            if value != parameter.default:
                name = f"{ruling} {value}"
                mark, base = known.get(name) or known[ruling]
                policy = base.get("policy")
                base = {k: v for k, v in base.items() if k != "policy"}
                found.append(Change(name, {parameter.name: value}, mark, base, 1200, policy=policy))
    return tuple(found)
