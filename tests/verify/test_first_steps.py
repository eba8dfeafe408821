"""Facts of a game's first moments at the default content: by counting, against dealt games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

import strategies
from simcore import batch
from simcore.game import find_game
from simcore.games.snowball.layout import Ledger, Tally
from tests.verify.against import FARTHEST

pytestmark = pytest.mark.slow

GAMES = 600_000
NUMBERED, QUICKSHOTS, EVENTS = 48, 8, 13  # deck model A
NO_EVENTS = {f"events.{slug}.copies": 0 for slug in find_game("snowball").load_content(()).sections["events"]}
TABLES = pytest.mark.parametrize("players", [2, 3, 4, 5, 6])


def play(settings: Mapping[str, Any], strategy: str = "random", position: Mapping[str, Any] | None = None) -> Any:
    configuration = find_game("snowball").configure({"turn_cap": 10, **settings})
    start = None if position is None else configuration.game.read_position(configuration, position)
    line_up = strategies.line_up("snowball", configuration.seats, [strategy])
    return batch.total(configuration, line_up, games=GAMES, seed=31, position=start)


def near(times: float, p: float, n: int = GAMES) -> bool:
    """Whether something of probability p happened as often as it should."""
    return abs(times - n * p) < FARTHEST * math.sqrt(n * p * (1 - p)) + 1e-9


@TABLES
@pytest.mark.parametrize("events", [EVENTS, 6])
def test_events_set_aside_while_the_hands_are_dealt(players: int, events: int) -> None:
    """R2: Events that come before the last of 2n numbered cards; negative hypergeometric."""
    hands = 2 * players
    totals = play({"players": players, "events": events})
    slot = Tally.LEDGER + Ledger.OPENING_EVENT
    none = math.comb(NUMBERED, hands) / math.comb(NUMBERED + events, hands)
    assert near(totals.fired[slot], 1 - none)
    mean = events * hands / (NUMBERED + 1)
    variance = mean * (1 - hands / (NUMBERED + 1)) * (NUMBERED + events + 1) / (NUMBERED + 2)
    assert abs(totals.sum[slot] / GAMES - mean) < FARTHEST * math.sqrt(variance / GAMES)
    assert totals.square[slot] / GAMES - mean**2 == pytest.approx(variance, rel=0.02)


@TABLES
@pytest.mark.parametrize("overlay", ["", "low-locations"])
def test_covers_and_ties_for_the_start(players: int, overlay: str) -> None:
    """R3: the lowest of n covers lies before several; and how often each cover is dealt."""
    configuration = find_game("snowball").configure({"players": players, "turn_cap": 10}, [overlay] if overlay else [])
    covers: Counter[int] = Counter()
    for entry in configuration.content.sections["locations"].values():
        covers[entry.cover] += entry.copies
    assert covers.total() == 20
    line_up = strategies.line_up("snowball", players, ["random"])
    totals = batch.total(configuration, line_up, games=GAMES, seed=32)
    ways = math.comb(20, players)
    tied = 0
    for cover, n in covers.items():
        above = sum(m for c, m in covers.items() if c > cover)
        tied += sum(math.comb(n, k) * math.comb(above, players - k) for k in range(2, players + 1))
        assert near(totals.fired[Tally.START_COVER_PLAYERS + cover], 1 - math.comb(20 - n, players) / ways)
    assert near(totals.fired[Tally.LEDGER + Ledger.START_TIE], tied / ways)


@TABLES
@pytest.mark.parametrize("each", [1, 2])
def test_the_first_throw_can_be_answered(players: int, each: int) -> None:
    """R12: a random card of the deck is thrown; someone else's 2n - 2 cards hold a QuickShot of its number."""
    shots = 8 * each
    numbered = NUMBERED - QUICKSHOTS + shots
    others = 2 * (players - 1)
    left = math.comb(numbered - 1, others)
    after_ball = 1 - math.comb(numbered - 1 - each, others) / left
    after_shot = 1 - math.comb(numbered - each, others) / left
    # of two alike the throw shows one: with pairs of equal cards in a hand a card is still as likely as any other
    p = (numbered - shots) / numbered * after_ball + shots / numbered * after_shot
    start = {"turn": 9, "player": [{"location": slug} for slug in ("fort", "tree", "hedge", "shed", "bush", "porch")]}
    start["player"] = start["player"][:players]  # type: ignore[index]
    settings = {"players": players, "quickshots_per_number": each, **NO_EVENTS}
    totals = play(settings, "random:forbid=clear_out+action", start)
    assert totals.sum[Tally.THROWS] == GAMES
    assert near(totals.fired[Tally.RESPONSES], p)
    if each == 1:  # held as often as played
        assert near(totals.fired[Tally.QUICKSHOT_HITS], p / 2)


def test_a_wrong_count_would_be_noticed() -> None:
    """The bounds are narrow: one card more or less in the deck is beyond them."""
    p = 1 - math.comb(NUMBERED, 8) / math.comb(NUMBERED + EVENTS, 8)
    for cards in ((NUMBERED + 1, EVENTS), (NUMBERED, EVENTS - 1)):
        assert not near(GAMES * (1 - math.comb(cards[0], 8) / math.comb(sum(cards), 8)), p)
