"""How pieces are timed: what is compared runs in alternation, by this process's own time, and is given as a median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest import mock

from experiments import bench
from simcore import batch
from simcore.game import Configuration, Player, games

GAMES = games()
PAIRS = 25
BLOCK = 1200  # games of one call where kernels are timed
LONGEST = 5.0  # seconds for which the frame is watched, at most
MILLION = 1_000_000


class Pair(NamedTuple):
    """Medians over pairs: seconds of the one, seconds of the other, and one over other."""

    one: float
    other: float
    ratio: float


def in_alternation(
    one: Callable[[], Any],
    other: Callable[[], Any],
    pairs: int = PAIRS,
    clock: Callable[[], float] = time.process_time,
) -> Pair:
    """Time both, one after the other, the first place going from one to the other."""

    def spent(call: Callable[[], Any]) -> float:
        started = clock()
        call()
        return clock() - started

    times = []
    for k in range(pairs + 1):
        if k % 2:
            b = spent(other)
            a = spent(one)
        else:
            a = spent(one)
            b = spent(other)
        if k:  # the first pair only warms up
            times.append((a, b))
    return Pair(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )


def frame_share(configuration: Configuration, players: tuple[Player, ...], most: int = MILLION) -> tuple[float, int]:
    """Share of the time of `batch.total` on one thread that is not spent in the kernel, and games played."""
    speed, _ = bench.rate(configuration, players, 0.2)
    count = max(1, min(most, int(speed * LONGEST)) // batch.BLOCK) * batch.BLOCK
    inside = 0.0
    usual = batch.call_kernel

    def timed(*arguments: Any) -> None:
        nonlocal inside
        started = time.perf_counter()
        usual(*arguments)
        inside += time.perf_counter() - started

    with mock.patch.object(batch, "call_kernel", timed):
        started = time.perf_counter()
        batch.total(configuration, players, games=count, threads=1)
        whole = time.perf_counter() - started
    return 1 - inside / whole, count
