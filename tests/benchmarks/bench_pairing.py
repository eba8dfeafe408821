"""Games that common random numbers save, for changes of several kinds: the same figures on any machine."""

from typing import Any

import pytest

from tests.benchmarks import pairing
from tests.benchmarks.measuring import GAMES
from tests.benchmarks.notes import note


@pytest.mark.benchmark(group="pairing")
@pytest.mark.parametrize("game", GAMES)
def test_pairing(benchmark: Any, game: str) -> None:
    for what, found in benchmark.pedantic(pairing.savings, (game,), rounds=1).items():
        touched = f"{100 * found.touched:.1f} %"
        row = f"games needed with pairing: {what}"
        least = found.promised if found.promised > 1 else None  # a factor below 1 is no promise
        note(benchmark, game, row, found.factor, "x fewer", least=least, games_touched=touched)
