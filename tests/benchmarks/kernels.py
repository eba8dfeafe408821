"""Kernels for measuring one piece each: a game's own play without its counting, its shuffle, `decide` with no policy.

They are compiled as any kernel is, and in a process of their own (`ready`): code compiled beside its callees would call
copies of them that are not optimized.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore import batch, jit
from simcore.game import Configuration, Player, Strategy
from simcore.games.snallygaster.kernel import kernel as snallygaster_kernel
from simcore.games.snallygaster.layout import Deck as SnallygasterDeck
from simcore.games.snallygaster.rules.decks import fill_deck as fill_snallygaster_deck
from simcore.games.snallygaster.turn import play_game as snallygaster_game
from simcore.games.snowball.kernel import kernel as snowball_kernel
from simcore.games.snowball.layout import Deck
from simcore.games.snowball.rules.decks import set_up_deck as set_up_snowball_deck
from simcore.games.snowball.turn import play_game as snowball_game
from simcore.games.spooktacular.kernel import kernel as spooktacular_kernel
from simcore.games.spooktacular.rules.ending import turn_up_tickets as turn_up_spooktacular_tickets
from simcore.games.spooktacular.turn import play_game as spooktacular_game
from simcore.play import decide

ROOT = Path(__file__).resolve().parent.parent.parent
SNOWBALLS = int(Deck.SNOWBALLS)
SEARCH = int(SnallygasterDeck.SEARCH)
OPTIONS = 3  # on offer at each decision that is timed


@snowball_kernel
def snowball_bare(game, rules, work, first, games):  # type: ignore[no-untyped-def]
    """The games of a block, played and not counted; each fills the trace from its start, where tracing is on."""
    for i in range(games):
        work["traced"] = 0
        snowball_game(game, rules, work, first + i)
    return 0


@snowball_kernel
def snowball_shuffles(game, rules, work, times):  # type: ignore[no-untyped-def]
    """Shuffle the whole snowball deck so many times, each time with new keys."""
    for _ in range(times):
        set_up_snowball_deck(game, rules, work, SNOWBALLS, rules["cards"])
    return game["deck"][SNOWBALLS, 0]


@snowball_kernel
def snowball_decides(game, rules, work, times):  # type: ignore[no-untyped-def]
    """Ask the first seat so many times: how often it took the first option."""
    taken = 0
    for option in range(OPTIONS):
        game["option"][option] = option + 1
    for _ in range(times):
        game["options"] = OPTIONS
        game["answers"] = 0
        taken += decide(game, rules, work, 0, 0)
    return taken


@snowball_kernel
def snowball_first(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """A policy without a thought: the first option."""
    return 0


@snallygaster_kernel
def snallygaster_bare(game, rules, work, first, games):  # type: ignore[no-untyped-def]
    """The games of a block, played and not counted; each fills the trace from its start, where tracing is on."""
    for i in range(games):
        work["traced"] = 0
        snallygaster_game(game, rules, work, first + i)
    return 0


@snallygaster_kernel
def snallygaster_shuffles(game, rules, work, times):  # type: ignore[no-untyped-def]
    """Shuffle the whole search deck so many times, each time with new keys."""
    for _ in range(times):
        fill_snallygaster_deck(game, rules, work, SEARCH, rules["search_cards"])
    return game["deck"][SEARCH, 0]


@snallygaster_kernel
def snallygaster_decides(game, rules, work, times):  # type: ignore[no-untyped-def]
    """Ask the Lost Kid so many times: how often it took the first option."""
    taken = 0
    for option in range(OPTIONS):
        game["option"][option] = option + 1
    for _ in range(times):
        game["options"] = OPTIONS
        game["answers"] = 0
        taken += decide(game, rules, work, 0, 0)
    return taken


@snallygaster_kernel
def snallygaster_first(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """A policy without a thought: the first option."""
    return 0


@spooktacular_kernel
def spooktacular_bare(game, rules, work, first, games):  # type: ignore[no-untyped-def]
    """The games of a block, played and not counted; each fills the trace from its start, where tracing is on."""
    for i in range(games):
        work["traced"] = 0
        spooktacular_game(game, rules, work, first + i)
    return 0


@spooktacular_kernel
def spooktacular_shuffles(game, rules, work, times):  # type: ignore[no-untyped-def]
    """Shuffle all tickets so many times, each time with new keys; none is taken."""
    game["taken"] = 0
    for _ in range(times):
        turn_up_spooktacular_tickets(game, rules, work)
    return np.int64(work["sorted_key"][0] & np.uint64(255))


@spooktacular_kernel
def spooktacular_decides(game, rules, work, times):  # type: ignore[no-untyped-def]
    """Ask the first seat so many times: how often it took the first option."""
    taken = 0
    for option in range(OPTIONS):
        game["option"][option] = option + 1
    for _ in range(times):
        game["options"] = OPTIONS
        game["answers"] = 0
        taken += decide(game, rules, work, 0, 0)
    return taken


@spooktacular_kernel
def spooktacular_first(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """A policy without a thought: the first option."""
    return 0


@dataclass(frozen=True)
class Pieces:
    """One game's kernels for measuring; `cards`: the field of rules with the size of the deck that is shuffled."""

    bare: Any
    shuffles: Any
    decides: Any
    first: Any
    cards: str


PIECES = {
    "snowball": Pieces(snowball_bare, snowball_shuffles, snowball_decides, snowball_first, "cards"),
    "snallygaster": Pieces(
        snallygaster_bare, snallygaster_shuffles, snallygaster_decides, snallygaster_first, "search_cards"
    ),
    "spooktacular": Pieces(
        spooktacular_bare, spooktacular_shuffles, spooktacular_decides, spooktacular_first, "ticket_cards"
    ),
}
_ready: set[str] = set()


def ready(game: str) -> Pieces:
    """A game's pieces, compiled."""
    pieces = PIECES[game]
    kernels = (pieces.bare, pieces.shuffles, pieces.decides, pieces.first)
    if game not in _ready and not jit.DISABLED:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        names = [f"{k.py_func.__module__}:{k.py_func.__name__}" for k in kernels]
        subprocess.run(
            [sys.executable, "-P", "-m", "simcore.compile", *names],
            env={**os.environ, "PYTHONPATH": path, "DOOMTRACK_CACHE": str(jit.cache_root())},
            check=True,
        )
    _ready.add(game)
    for kernel in kernels:
        jit.build(kernel)
    return pieces


def table(configuration: Configuration, players: Sequence[Player]) -> tuple[Any, Any, Any]:
    """The three records of a line-up, after its first game."""
    rules, position = batch.prepare(configuration, players)
    game, work = batch.new_work(configuration, position)
    batch.call_kernel(configuration, rules, game, work, 0, 1)
    return game[0], rules[0], work[0]


def asked(configuration: Configuration) -> tuple[Any, Any, Any]:
    """The records for `decides`: a game that goes on, of players who take the first option of whatever is asked."""
    policy = ready(configuration.game.name).first
    game, rules, work = table(configuration, [Player(Strategy("first", "", "", policy))] * configuration.seats)
    game["forced"], game["status"] = 0, 0
    return game, rules, work


def bare_plays_the_same(configuration: Configuration, players: tuple[Player, ...]) -> bool:
    """Whether the piece without counting plays the game's own games: else what is compared is not counting."""
    pieces = ready(configuration.game.name)
    played, rules, work = table(configuration, players)
    configuration.game.kernel("play_block")(played, rules, work, 7, 5)
    other, _, _ = table(configuration, players)
    pieces.bare(other, rules, work, 7, 5)
    return bool(np.array_equal(np.frombuffer(played.tobytes(), "u1"), np.frombuffer(other.tobytes(), "u1")))
