"""A few games with the kernels as plain Python (NUMBA_DISABLE_JIT=1), under coverage, against the compiled ones."""

import subprocess
import sys
import tempfile
from pathlib import Path

from lineups import ROOT, differing, in_process

sys.path.insert(0, str(ROOT))
from simcore.game import games as all_games  # noqa: E402

GAMES = 6  # plain Python is some 500 times slower
# A game of hundreds of decisions takes seconds: one of each strategy; its other settings are the contract suite's.
LONG = {"snallygaster": 1, "spooktacular": 1}


def main() -> None:
    count = 0
    with tempfile.TemporaryDirectory(prefix="doomtrack-coverage-") as folder:
        data = f"--data-file={Path(folder) / 'coverage'}"
        before = ("-W", "ignore:overflow encountered", "-m", "coverage", "run", "--append", data)
        for name in all_games():
            games, brief = LONG.get(name, GAMES), name in LONG
            plain = in_process(games, brief=brief, only=name, before=before, NUMBA_DISABLE_JIT="1")
            if not plain["disabled"]:
                sys.exit("the kernels were compiled all the same")
            if wrong := differing(plain, in_process(games, brief=brief, only=name)):
                sys.exit(f"plain Python played differently: {', '.join(wrong)}")
            count += len(plain["digests"])
        subprocess.run([sys.executable, "-m", "coverage", "report", data], cwd=ROOT, check=True)
    print(f"{count} line-ups: plain Python plays the same games as the compiled kernels")


if __name__ == "__main__":
    main()
