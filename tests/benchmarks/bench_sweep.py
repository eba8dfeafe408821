"""What a study costs beside its games: many short cells, one long one, with a row a game; and how memory grows."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import experiments
from experiments.study import build, plan
from simcore import batch
from tests.benchmarks.kernels import ROOT
from tests.benchmarks.measuring import GAMES
from tests.benchmarks.notes import note

CELLS, SHORT = 1000, 10_000
LONG = 10_000_000
ROWS = (1_200_000, 4_800_000)  # games of two runs that keep a row a game
SLICE = 10  # the bare kernel's games are spread over a study: the machine is not always as fast
# getrusage's peak would be that of the process that started this one, as long as it was the larger
PEAK = """
import experiments, pathlib, re, sys
experiments.run(sys.argv[1], games=int(sys.argv[2]), keep_games=True, out=sys.argv[3])
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) / 1024)
"""

every_game = pytest.mark.parametrize("game", GAMES)
by_own_time = pytest.mark.benchmark(group="sweep", timer=time.process_time)


def spent(call: Callable[[], Any]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def bare(game: str, games: int, number: int = 0) -> float:
    """Seconds for the games alone, all in one batch."""
    configuration = GAMES[game].configure()
    players = plan(build(game=game, games=60)).cells[0].players
    return spent(lambda: batch.total(configuration, players, games=games, first=number))


def share(game: str, folder: Path, cells: int, games: int) -> float:
    """Speed of a study, from its words to its folder, over that of the same number of games in bare batches.

    Without the replays of its first cell: each slice would choose its own.
    """
    seeds = [f"{k}" for k in range(SLICE)]
    parameter = next(p for p in GAMES[game].parameters if p.name == "turn_cap")
    low = int(parameter.default)
    alone = whole = 0.0
    for k in seeds:
        alone += bare(game, cells * games // SLICE)
        caps = [low + n for n in range(max(1, cells // SLICE))]
        each = games if cells > 1 else games // SLICE
        whole += spent(
            lambda caps=caps, each=each, k=k: experiments.sweep(
                game, vary={"turn_cap": caps}, games=each, seed=int(k), out=folder / k, replays=False
            )
        )
    return alone / whole


@by_own_time
@every_game
def test_many_short_cells(benchmark: Any, game: str, tmp_path: Path) -> None:
    bare(game, SHORT)
    found = benchmark.pedantic(share, (game, tmp_path, CELLS, SHORT), rounds=1)
    what = f"speed of {CELLS:,} cells of {SHORT:,} games over that of the games alone"
    note(benchmark, game, what, 100 * found, "%", least=90)


@by_own_time
@every_game
def test_one_long_cell(benchmark: Any, game: str, tmp_path: Path) -> None:
    bare(game, SHORT)
    found = benchmark.pedantic(share, (game, tmp_path, 1, LONG), rounds=1)
    note(benchmark, game, f"share of a run of {LONG:,} games that is not games", 100 * (1 - found), "%", most=5)


def peak(game: str, games: int, folder: Path) -> float:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-c", PEAK, game, str(games), str(folder / str(games))]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True)
    return float(done.stdout)


@pytest.mark.benchmark(group="sweep", timer=time.perf_counter)
@every_game
def test_rows_in_bounded_memory(benchmark: Any, game: str, tmp_path: Path) -> None:
    small = peak(game, ROWS[0], tmp_path)
    large = benchmark.pedantic(peak, (game, ROWS[1], tmp_path), rounds=1)
    what = f"memory of a run that keeps {ROWS[1]:,} rows"
    size = sum(p.stat().st_size for p in (tmp_path / str(ROWS[1])).rglob("part-*.parquet")) / ROWS[1]
    grown = f"{large - small:.0f} MB, {size:.1f} bytes a game on disk"
    note(benchmark, game, what, large, "MB", most=2000, more_than_a_quarter_of_them=grown)
