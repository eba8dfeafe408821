"""A few games with the kernels as plain Python (NUMBA_DISABLE_JIT=1), under coverage, against the compiled ones."""

import subprocess
import sys
import tempfile
from pathlib import Path

from lineups import ROOT, differing, in_process

GAMES = 6  # plain Python is some 500 times slower


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="doomtrack-coverage-") as folder:
        data = f"--data-file={Path(folder) / 'coverage'}"
        before = ("-W", "ignore:overflow encountered", "-m", "coverage", "run", data)
        plain = in_process(GAMES, before=before, NUMBA_DISABLE_JIT="1")
        if not plain["disabled"]:
            sys.exit("the kernels were compiled all the same")
        if wrong := differing(plain, in_process(GAMES)):
            sys.exit(f"plain Python played differently: {', '.join(wrong)}")
        subprocess.run([sys.executable, "-m", "coverage", "report", data], cwd=ROOT, check=True)
    print(f"{len(plain['digests'])} line-ups: plain Python plays the same games as the compiled kernels")


if __name__ == "__main__":
    main()
