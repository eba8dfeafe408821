"""Compiles every game's kernels and strategies into the cache, before test processes start side by side.

Each would compile them anew otherwise: a cache is filled by the first process that needs a kernel.
"""

from simcore import jit
from simcore.game import games

ENTRIES = ("play_turn", "play_block", "redeal", "follow_up")


def main() -> None:
    import strategies

    wanted = []
    for name, game in games().items():
        wanted += [game.kernel(entry) for entry in ENTRIES]
        for strategy in strategies.known(name).values():
            wanted += [strategy.policy, *([strategy.follow_up] if strategy.follow_up else [])]
    jit.build_all(list(dict.fromkeys(wanted)))


if __name__ == "__main__":
    main()
