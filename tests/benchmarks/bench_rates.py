"""Games and decisions per second and core, by strategy and number of players; and what a second thread brings."""

import os
from typing import Any

import pytest

from experiments import bench
from strategies import known, line_up
from tests.benchmarks.measuring import GAMES
from tests.benchmarks.notes import note

SECONDS = 1.0
LINE_UPS = [
    pytest.param(game, strategy, players, id=f"{game}-{strategy}-{players}")
    for game in GAMES
    for strategy in known(game)
    for players in bench.seat_counts(game, None)
]


@pytest.mark.benchmark(group="rates")
@pytest.mark.parametrize(("game", "strategy", "players"), LINE_UPS)
def test_rate(benchmark: Any, game: str, strategy: str, players: int) -> None:
    configuration = GAMES[game].configure({"players": players})
    line = line_up(game, players, [strategy])
    games, decisions = benchmark.pedantic(bench.rate, (configuration, line, SECONDS), rounds=1)
    what = f"games per second and core, {strategy}"
    note(benchmark, game, what, games, at=f"{players} players", decisions_a_second=decisions)


@pytest.mark.benchmark(group="rates")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core")
def test_two_threads(benchmark: Any, game: str) -> None:
    configuration = GAMES[game].configure()
    line = line_up(game, configuration.seats, ["random"])
    gain = benchmark.pedantic(bench.thread_gain, (configuration, line, SECONDS), rounds=1)
    note(benchmark, game, "speed of two threads over that of one", gain)
