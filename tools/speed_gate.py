"""Fails where the compiled rules have become slow: their speed relative to the same game in C, against a baseline.

A ratio of two programs that run in alternation says little of the machine and much of the code. What is too low is
measured once more before it counts. `--update` writes what is measured as the baseline.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "tests" / "benchmarks" / "baseline.toml"
GAME = "snowball"  # whose twin in C there is
PLAYERS = (4, 2)
MOST_LOSS = 0.3  # of the baseline
UPDATE = "python tools/speed_gate.py --update"

Measure = Callable[[int], float]  # number of players -> speed over that of the twin


def read_baseline(path: Path = BASELINE) -> dict[int, float]:
    """Ratios by number of players; empty where the file or an entry is missing."""
    if not path.exists():
        return {}
    ratios = tomllib.loads(path.read_text(encoding="utf-8")).get(GAME, {})
    return {int(key.removeprefix("players_")): float(ratio) for key, ratio in ratios.items()}


def baseline_text(ratios: Mapping[int, float]) -> str:
    """The baseline's file."""
    entries = [f"players_{players} = {ratio:.3f}" for players, ratio in sorted(ratios.items())]
    head = f"# Speed of the compiled rules over that of the same game in C (1 = as fast). Written by {UPDATE}"
    return "\n".join([head, "", f"[{GAME}]", *entries]) + "\n"


def judge(measure: Measure, baseline: Mapping[int, float], say: Callable[[str], None] = print) -> list[str]:
    """What is too slow, one line each; nothing if all is well."""
    failed = []
    for players in PLAYERS:
        usual = baseline.get(players)
        if usual is None:
            failed.append(f"no baseline for {GAME} with {players} players (write one: {UPDATE})")
            continue
        least = usual * (1 - MOST_LOSS)
        ratio = measure(players)
        said = (
            f"{GAME}, {players} players: {ratio:.2f} times the speed of C; baseline {usual:.2f}, at least {least:.2f}"
        )
        say(said)
        if ratio < least:
            ratio = measure(players)
            say(f"measured again: {ratio:.2f}")
        if ratio < least:
            failed.append(f"too slow: {said}; measured again: {ratio:.2f}")
        elif ratio > usual * (1 + MOST_LOSS):
            say(f"much faster than the baseline: raise it with {UPDATE}")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write what is measured as the baseline")
    update = parser.parse_args().update
    compiler = next(filter(shutil.which, ("gcc", "cc", "clang")), None)
    if compiler is None:
        said = "no C compiler (gcc, cc, clang): the speed is not compared with that of C"
        if update or os.environ.get("DOOMTRACK_REQUIRE_TOOLS"):
            sys.exit(said)
        print(said)
        return
    sys.path.insert(0, str(ROOT))
    from simcore.errors import InputError
    from tests.benchmarks import twin

    with tempfile.TemporaryDirectory(prefix="doomtrack-twin-") as folder:
        try:
            compiled = twin.compile_twin(Path(folder), compiler)
        except InputError as error:
            sys.exit(str(error))

        def measure(players: int) -> float:
            return twin.measure_ratio(compiled, players).median

        if update:
            ratios = {players: measure(players) for players in PLAYERS}
            BASELINE.write_text(baseline_text(ratios), encoding="utf-8")
            print(f"{BASELINE.relative_to(ROOT)}: " + ", ".join(f"{n} players {r:.2f}" for n, r in ratios.items()))
        elif failed := judge(measure, read_baseline()):
            sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
