"""Where a game's compiled rules spend their instructions, by source line: python tools/profile_kernel.py snowball

Runs the machine code itself under valgrind's callgrind: the kernels are compiled with line numbers, linked to a small
C program that plays blocks of games, and every instruction and every conditional branch that callgrind's simple model
foretells wrongly is charged to the line of Python that it comes from. Needs gcc, valgrind and binutils. Counts are
exact and the same on an idle and a busy machine; they are not time.
"""

from __future__ import annotations

import argparse
import ast
import linecache
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = {  # valgrind knows no AVX-512; line numbers cost a few instructions in a hundred
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DEBUGINFO": "1",
}
BLOCK = 60
COUNTED = ("instructions", "branches foretold wrongly")
DRIVER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
extern int play_block(int64_t *, void *, void *, void *, void *, int64_t, int64_t) __asm__("%(play_block)s");
extern int play_turn(void) __asm__("%(play_turn)s");
extern int policy(void) __asm__("%(policy)s");
extern int follow_up(void) __asm__("%(follow_up)s");
extern int redeal(void) __asm__("%(redeal)s");
int main(int argc, char **argv)
{
    long games = atol(argv[1]);
    char *rules = malloc(%(rules)d), *game = calloc(1, %(game)d), *work = calloc(1, %(work)d);
    FILE *file = fopen(argv[2], "rb");
    if (argc != 3 || !file || fread(rules, 1, %(rules)d, file) != %(rules)d)
        return 2;
    for (int entry = 0; entry < %(entries)d; entry++) {
        *(void **)(rules + %(policy_at)d + 8 * entry) = (void *)policy;
        *(void **)(rules + %(follow_up_at)d + 8 * entry) = (void *)follow_up;
    }
    *(void **)(rules + %(redeal_at)d) = (void *)redeal;
    *(void **)(rules + %(play_turn_at)d) = (void *)play_turn;
    for (long first = 0; first < games; first += %(block)d) {
        int64_t result;
        void *error = 0;
        if (play_block(&result, &error, game, rules, work, first, %(block)d))
            return 1;
    }
    return 0;
}
"""


def build(game_name: str, players: int, strategy: str, folder: Path) -> tuple[Path, Path]:
    """The program and its rules record."""
    import strategies
    from simcore import batch, jit
    from simcore.game import find_game

    game = find_game(game_name)
    configuration = game.configure({"players": players})
    line = strategies.line_up(game.name, configuration.seats, [strategy])
    rules, _ = batch.prepare(configuration, line)
    layout = game.layout
    parts = {name: game.kernel(name) for name in ("play_block", "play_turn", "redeal")}
    parts["policy"] = line[0].strategy.policy
    parts["follow_up"] = line[0].strategy.follow_up or game.kernel("follow_up")
    words: dict[str, object] = {"rules": layout.RULES.itemsize, "game": layout.GAME.itemsize}
    words |= {"work": layout.WORK.itemsize, "entries": len(rules[0]["policy"]), "block": BLOCK}
    words |= {f"{name}_at": layout.RULES.fields[name][1] for name in ("policy", "follow_up", "play_turn", "redeal")}
    objects = []
    for name, kernel in parts.items():
        words[name], code = jit.machine_code(kernel)
        objects.append(folder / f"{name}.o")
        objects[-1].write_bytes(code)
    (folder / "driver.c").write_text(DRIVER % words, encoding="utf-8")
    record, program = folder / "rules.bin", folder / "driver"
    record.write_bytes(rules.tobytes())
    loose = [
        "-Wl,--unresolved-symbols=ignore-all",
        "-Wl,-z,muldefs",
    ]  # what is for Python in the objects is never called
    subprocess.run(
        ["gcc", "-O1", "-no-pie", "-o", str(program), str(folder / "driver.c"), *map(str, objects), *loose, "-lm"],
        check=True,
    )
    return program, record


def counts(program: Path, record: Path, games: int, folder: Path) -> dict[int, tuple[int, int]]:
    """By address: instructions, and conditional branches foretold wrongly."""
    out = folder / "callgrind.out"
    subprocess.run(
        [
            *("valgrind", "--tool=callgrind", "--dump-instr=yes", "--branch-sim=yes", "--compress-pos=no"),
            *(f"--callgrind-out-file={out}", str(program), str(games), str(record)),
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    found: dict[int, tuple[int, int]] = {}
    after_call = False
    for text in out.read_text(encoding="utf-8").splitlines():
        if text.startswith("calls="):  # the next line counts what the callee did
            after_call = True
        elif text.startswith("0x"):
            address, _, *numbers = text.split()
            if not after_call:
                n, _, wrong = [int(x) for x in (*numbers, 0, 0, 0)[:3]]
                before = found.get(int(address, 16), (0, 0))
                found[int(address, 16)] = before[0] + n, before[1] + wrong
            after_call = False
    return found


def places(program: Path, addresses: list[int]) -> dict[int, str]:
    """`file:line` by address, for what comes from Python."""
    asked = "\n".join(map(hex, addresses))
    told = subprocess.run(
        ["addr2line", "-a", "-e", str(program)], input=asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    where = zip(told[::2], told[1::2], strict=True)
    return {int(a, 16): re.sub(r" \(.*", "", place) for a, place in where if ".py:" in place}


@cache
def functions(file: str) -> list[tuple[int, int, str]]:
    """First line, last line and name of a file's functions."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [(f.lineno, f.end_lineno or 0, f.name) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)]


def function(place: str) -> str:
    """The function that a line belongs to."""
    file, _, line = place.rpartition(":")
    if not line.isdecimal():
        return f"{Path(file).name} (no line)"
    return next((name for first, last, name in functions(file) if first <= int(line) <= last), "?")


def told(title: str, games: int, by: Counter[str], lines: int) -> None:
    """Print the largest counts, per game."""
    whole = sum(by.values())
    print(f"\n{title}: {whole / games:,.0f} a game")
    by_function: Counter[str] = Counter()
    for place, n in by.items():
        by_function[function(place)] += n
    for name, n in by_function.most_common(lines // 2):
        print(f"{100 * n / whole:5.1f} %  {n / games:9,.1f}  {name}")
    print()
    for place, n in by.most_common(lines):
        file, _, line = place.rpartition(":")
        text = linecache.getline(file, int(line)).strip() if line.isdecimal() else ""
        at = place.removeprefix(f"{ROOT}{os.sep}")
        print(f"{100 * n / whole:5.1f} %  {n / games:9,.1f}  {at}  {text[:90]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--strategy", default="random", help="plays all seats")
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--lines", type=int, default=40)
    given = parser.parse_args()
    if missing := [tool for tool in ("gcc", "valgrind", "addr2line") if shutil.which(tool) is None]:
        sys.exit(f"needs {', '.join(missing)}")
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):  # numba reads them at its start
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **SETTINGS, "PYTHONPATH": path})
    with tempfile.TemporaryDirectory(prefix="doomtrack-profile-") as name:
        folder = Path(name)
        program, record = build(given.game, given.players, given.strategy, folder)
        found = counts(program, record, given.games, folder)
        at = places(program, list(found))
    for k, title in enumerate(COUNTED):
        by: Counter[str] = Counter()
        for address, numbers in found.items():
            if address in at:
                by[at[address]] += numbers[k]
        told(title, given.games, by, given.lines)


if __name__ == "__main__":
    main()
