"""Compiles kernels, named as module:kernel, into the cache: `python -m simcore.compile
simcore.games.snowball.turn:play_turn`.

What `jit.build_all` starts, one process a core.
"""

import sys
from importlib import import_module

from simcore import jit


def main(names: list[str]) -> None:
    """Build each kernel."""
    for name in names:
        module, _, kernel = name.partition(":")
        jit.build(getattr(import_module(module), kernel))


if __name__ == "__main__":
    main(sys.argv[1:])
