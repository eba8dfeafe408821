"""How long one waits: the program's help, a new process's first games with warm kernels, and with none compiled."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from experiments import bench
from tests.benchmarks.kernels import ROOT
from tests.benchmarks.measuring import GAMES
from tests.benchmarks.notes import note

every_game = pytest.mark.parametrize("game", GAMES)
on_the_wall = pytest.mark.benchmark(group="start", timer=time.perf_counter)


def ask_for_help() -> None:
    """`doomtrack --help`; what it must not import is a test of the house."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-P", "-m", "experiments", "--help"]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True)


@on_the_wall
def test_help(benchmark: Any) -> None:
    benchmark.pedantic(ask_for_help, rounds=9, warmup_rounds=1)
    note(benchmark, "", "doomtrack --help", benchmark.stats.stats.median, "s", most=0.5)


@on_the_wall
@every_game
def test_warm_start(benchmark: Any, game: str) -> None:
    benchmark.pedantic(bench.start_time, (game,), rounds=5, warmup_rounds=1)
    note(benchmark, game, "first games of a new process, compiled before", benchmark.stats.stats.median, "s")


@on_the_wall
@every_game
def test_cold_start(benchmark: Any, game: str, tmp_path: Path) -> None:
    benchmark.pedantic(bench.start_time, (game, str(tmp_path)), rounds=1)
    note(benchmark, game, "first games of a new process, compiling everything", benchmark.stats.stats.median, "s")
