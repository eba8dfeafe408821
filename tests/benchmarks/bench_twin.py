"""Speed of the compiled Python relative to the same game written in C: the ratio is what the gate watches."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.benchmarks import twin
from tests.benchmarks.notes import note

GAME = "snowball"  # whose twin it is


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, require_tool: Callable[..., str]) -> Any:
    return twin.compile_twin(tmp_path_factory.mktemp("twin"), require_tool("gcc", "cc", "clang"))


@pytest.mark.needs_gcc
@pytest.mark.benchmark(group="twin")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_ratio(benchmark: Any, compiled: Any, players: int) -> None:
    found = benchmark.pedantic(twin.measure_ratio, (compiled,), {"players": players}, rounds=1)
    span = f"{found.lowest:.2f}-{found.highest:.2f}"
    note(benchmark, GAME, "speed over that of a C program", found.median, "x", at=f"{players} players", span=span)
