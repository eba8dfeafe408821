"""What can be dealt to a player on purpose at set-up: the kinds of thing that a game names, and how a deal is written.

A game's ``force_deal`` is a ``Deals``: called, it writes a deal into a ``rules`` record, as it always did; its `kinds`
say what may stand in a deal and whose it may be. Whoever asks what a card does to its holder needs no more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simcore.game import Configuration, Game, Metric


@dataclass(frozen=True)
class Deal:
    """A kind of thing that can be dealt: an entry of `section` to a player of the line-up.

    `key`: its word in a deal, where that is not `kind`; `noun`: what sentences call it, likewise. `many`: there stands
    a list of entries. `holders`: the players who can have it, None for all. `blank`: whether an entry can be left
    without its text. `used`: the metric, not among those of the results, that tells how those fare who use the entry of
    that slug (RATE_OF or SHARE_OF); None where the game does not count it.
    """

    kind: str
    section: str
    meaning: str
    key: str = ""
    many: bool = False
    holders: tuple[int, ...] | None = None
    blank: bool = True
    noun: str = ""
    used: Callable[[Configuration, str], Metric | None] | None = None

    @property
    def called(self) -> str:
        """What sentences call it."""
        return self.noun or self.kind

    def to(self, player: int, slug: str) -> dict[int, dict[str, Any]]:
        """The deal that gives an entry to a player, as ``batch.prepare`` takes it."""
        return {player: {self.key or self.kind: [slug] if self.many else slug}}

    def players(self, seats: int) -> tuple[int, ...]:
        """Players of the line-up who can have it at a table of so many."""
        return tuple(p for p in range(seats) if self.holders is None or p in self.holders)


@dataclass(frozen=True)
class Deals:
    """The kinds of a game, the first one what people ask of most; and the function that writes a deal."""

    kinds: tuple[Deal, ...]
    write: Callable[[Any, Any, Mapping[int, Mapping[str, Any]]], None]

    def __call__(self, configuration: Any, rules: Any, deal: Mapping[int, Mapping[str, Any]]) -> None:
        """Write a deal into a ``rules`` record: player -> what he is dealt. Raises InputError."""
        self.write(configuration, rules, deal)


def kinds_of(game: Game) -> tuple[Deal, ...]:
    """What can be dealt in a game; nothing where it does not say."""
    return game.force_deal.kinds if isinstance(game.force_deal, Deals) else ()
