"""How fast this machine plays: rates by strategy and number of players, threads, compile and start time, memory.

Rates on shared machines wander; what is to be compared (one thread and two) is measured in alternation, in one run, and
given as a ratio.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from experiments import words
from simcore import batch
from simcore.game import Configuration, Player, find_game, games

PAIRS = 5  # measurements of one thread and two, in alternation
FEWEST = 2 * batch.BLOCK


def seat_counts(game: str, given: str | None) -> list[int]:
    """Numbers of players to measure. Raises InputError."""
    fewest, most = find_game(game).seats
    if given is None:
        return sorted({fewest, (fewest + most) // 2, most})
    return [words.whole("--players", part.strip(), fewest, most) for part in given.split(",")]


Clock = Callable[[], float]


def rate(
    configuration: Configuration,
    players: Sequence[Player],
    seconds: float,
    threads: int = 1,
    clock: Clock = time.process_time,
) -> tuple[float, float]:
    """Games and decisions per second of `clock`; the first block only warms up.

    The default clock counts this process's own time on the processors, so that what others do on the machine hardly
    matters: with one thread, seconds of one core.
    """
    batch.total(configuration, players, games=batch.BLOCK, threads=1)
    games, decisions, spent, size = 0, 0, 0.0, FEWEST
    while spent < seconds:
        started = clock()
        totals = batch.total(configuration, players, games=size, first=games, threads=threads)
        spent += clock() - started
        games, decisions = games + totals.games, decisions + totals.decisions
        size = max(FEWEST, int(games / spent * max(0.0, seconds - spent)) // batch.BLOCK * batch.BLOCK)
    return games / spent, decisions / spent


def thread_gain(configuration: Configuration, players: Sequence[Player], seconds: float) -> float:
    """Speed of two threads over that of one, by the clock on the wall: the median of pairs measured in alternation."""
    ratios = []
    for _ in range(PAIRS):
        one, _ = rate(configuration, players, seconds, 1, time.perf_counter)
        two, _ = rate(configuration, players, seconds, 2, time.perf_counter)
        ratios.append(two / one)
    return statistics.median(ratios)


def start_time(game: str, cache: str | None = None) -> float:
    """Seconds that a new process needs for one block of games, from an empty cache folder or a warm one."""
    code = (
        "import sys\n"
        "from simcore import batch\n"
        "from simcore.game import find_game\n"
        "import strategies\n"
        "game = find_game(sys.argv[1])\n"
        "c = game.configure({})\n"
        "batch.total(c, strategies.line_up(game.name, c.seats, ['random']), games=60, threads=1)\n"
    )
    environment = dict(os.environ)
    if cache is not None:
        environment["DOOMTRACK_CACHE"] = cache
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, game], check=True, env=environment, capture_output=True)  # noqa: S603
    return time.perf_counter() - started


def peak_memory() -> float | None:
    """The most memory that this process has had, in MB; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


def measure(
    game: str | None = None,
    *,
    players: str | None = None,
    strategies: Sequence[str] = (),
    seconds: float = 0.5,
    cold: bool = True,
) -> dict[str, Any]:
    """All measurements as plain data. Raises InputError for an unknown game, strategy or number of players."""
    import strategies as known_strategies

    names = [find_game(game).name] if game is not None else list(games())
    speed: list[dict[str, Any]] = []
    threads: dict[str, float] = {}
    starts: dict[str, dict[str, float]] = {}
    for name in names:
        described = find_game(name)
        for seats in seat_counts(name, players):
            configuration = described.configure({"players": seats})
            for strategy in strategies or list(known_strategies.known(name)):
                line_up = known_strategies.line_up(name, seats, [strategy])
                played, asked = rate(configuration, line_up, seconds)
                speed.append(
                    {
                        "game": name,
                        "players": seats,
                        "strategy": strategy,
                        "games_per_s": played,
                        "decisions_per_s": asked,
                        "us": 1e6 / played,
                    }
                )
        configuration = described.configure({})
        everyone = known_strategies.line_up(name, configuration.seats, ["random"])
        if (os.cpu_count() or 1) > 1:
            threads[name] = thread_gain(configuration, everyone, seconds)
        starts[name] = {"warm": start_time(name)}
        if cold:
            with tempfile.TemporaryDirectory(prefix="doomtrack-bench-") as empty:
                starts[name]["cold"] = start_time(name, empty)
    return {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "speed": speed,
        "two_threads": threads,
        "start_seconds": starts,
        "memory_mb": peak_memory(),
    }


def said(found: dict[str, Any]) -> list[str]:
    """What stands below the table of rates."""
    memory = found["memory_mb"]
    lines = [f"machine: {found['machine']}" + ("" if memory is None else f"; memory at its peak: {memory:.0f} MB")]
    for name, gain in found["two_threads"].items():
        lines.append(
            f"{name}: two threads play {gain:.2f} times as fast as one (median of {PAIRS} pairs in alternation)"
        )
    for name, start in found["start_seconds"].items():
        cold = f", {start['cold']:.1f} s with an empty cache (compiling)" if "cold" in start else ""
        lines.append(f"{name}: a new process has played its first games after {start['warm']:.1f} s{cold}")
    return lines
