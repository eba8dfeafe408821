"""What the pieces of a game cost: counting, shuffling, asking, tracing, and the frame around the kernel."""

import time
from typing import Any

import pytest

from strategies import line_up
from tests.benchmarks import kernels
from tests.benchmarks.measuring import BLOCK, GAMES, frame_share, in_alternation
from tests.benchmarks.notes import note

CALLS = 20_000  # of a piece in one round
ROUNDS = 25

every_game = pytest.mark.parametrize("game", GAMES)
by_own_time = pytest.mark.benchmark(group="pieces", timer=time.process_time)


def nanoseconds(benchmark: Any) -> float:
    """Of one call: the fastest round, for what disturbs a round only slows it."""
    return float(benchmark.stats.stats.min) / CALLS * 1e9


@by_own_time
@every_game
def test_counting(benchmark: Any, game: str) -> None:
    """count_game, write_outcome and clear_block: a block against the same games without them."""
    configuration = GAMES[game].configure()
    line = line_up(game, configuration.seats, ["random"])
    bare, play_block = kernels.ready(game).bare, GAMES[game].kernel("play_block")
    assert kernels.bare_plays_the_same(configuration, line)
    table = kernels.table(configuration, line)
    found = benchmark.pedantic(
        in_alternation, (lambda: play_block(*table, 0, BLOCK), lambda: bare(*table, 0, BLOCK)), rounds=1
    )
    cost = f"{(found.one - found.other) / BLOCK * 1e9:.0f} ns"
    note(benchmark, game, "share of a game's time that counts results", 100 * (1 - 1 / found.ratio), "%", cost=cost)


@by_own_time
@every_game
def test_tracing(benchmark: Any, game: str) -> None:
    """The same games with the trace on and off."""
    configuration = GAMES[game].configure()
    line = line_up(game, configuration.seats, ["random"])
    bare = kernels.ready(game).bare
    quiet, traced = kernels.table(configuration, line), kernels.table(configuration, line)
    traced[2]["tracing"] = 1
    found = benchmark.pedantic(
        in_alternation, (lambda: bare(*traced, 0, BLOCK), lambda: bare(*quiet, 0, BLOCK)), rounds=1
    )
    assert traced[2]["traced"] > 0 and quiet[2]["traced"] == 0
    note(benchmark, game, "time of a traced game over that of a silent one", found.ratio)


@by_own_time
@every_game
def test_shuffle(benchmark: Any, game: str) -> None:
    configuration = GAMES[game].configure()
    pieces = kernels.ready(game)
    table = kernels.table(configuration, line_up(game, configuration.seats, ["random"]))
    benchmark.pedantic(pieces.shuffles, (*table, CALLS), rounds=ROUNDS, warmup_rounds=1)
    cards = int(configuration.rules[0][pieces.cards])
    note(benchmark, game, f"shuffling {cards} cards by their own keys", nanoseconds(benchmark), "ns")


@by_own_time
@every_game
def test_decide(benchmark: Any, game: str) -> None:
    """The way from a rule to a policy and back, with a policy that does not think."""
    configuration = GAMES[game].configure()
    pieces = kernels.ready(game)
    table = kernels.asked(configuration)
    taken = benchmark.pedantic(pieces.decides, (*table, CALLS), rounds=ROUNDS, warmup_rounds=1)
    assert taken == CALLS and table[0]["status"] == 0
    note(benchmark, game, "asking a player for a decision", nanoseconds(benchmark), "ns")


@pytest.mark.benchmark(group="pieces")
@every_game
def test_frame(benchmark: Any, game: str) -> None:
    """All in a batch that is not compiled: preparing, blocks, adding them up."""
    configuration = GAMES[game].configure()
    line = line_up(game, configuration.seats, ["random"])
    share, games = benchmark.pedantic(frame_share, (configuration, line), rounds=1)
    note(benchmark, game, "share of a batch's time outside the kernel", 100 * share, "%", most=5, games=games)
