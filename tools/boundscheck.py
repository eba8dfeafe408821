"""Every game with each index checked (NUMBA_BOUNDSCHECK=1, in an empty cache), against the same games without.

Without the check a bad index reads or writes whatever lies there, silently. Machine code that was cached without it is
used unchecked, so the cache starts empty. First a kernel with a bad index must be caught, or the check is blind.
"""

import os
import subprocess
import sys
import tempfile

from lineups import ROOT, differing, in_process

GAMES = 120
BLIND = """
import numpy as np
from simcore.jit import build, kernels
from simcore.game import games

for game in games().values():
    layout = game.layout
    field = next(n for n in layout.GAME.names if layout.GAME[n].shape)

    def bad(game, rules, work):
        return np.int64(game[FIELD][game["seats"]])

    bad.__globals__["FIELD"] = field
    kernel = build(kernels(layout.GAME, layout.RULES, layout.WORK)(bad))
    game, rules, work = (np.zeros(1, d)[0] for d in (layout.GAME, layout.RULES, layout.WORK))
    game["seats"] = layout.GAME[field].shape[0]
    try:
        kernel(game, rules, work)
    except IndexError:
        continue
    raise SystemExit("a bad index was not caught")
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="doomtrack-boundscheck-") as cache:
        settings = {"NUMBA_BOUNDSCHECK": "1", "DOOMTRACK_CACHE": cache}
        with tempfile.NamedTemporaryFile(
            "w", suffix=".py", dir=cache
        ) as script:  # numba caches only what stands in a file
            script.write(BLIND)
            script.flush()
            subprocess.run([sys.executable, script.name], env={**os.environ, **settings}, cwd=ROOT, check=True)
        checked = in_process(GAMES, **settings)
    if not checked["boundscheck"]:
        sys.exit("numba does not say that it checks bounds")
    if wrong := differing(checked, in_process(GAMES)):
        sys.exit(f"played differently with bounds checked: {', '.join(wrong)}")
    print(f"{len(checked['digests'])} line-ups: no index out of bounds, and the same games as unchecked")


if __name__ == "__main__":
    main()
