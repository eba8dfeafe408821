"""Every game in two processes: the first fills the cache, the second loads all from it and plays the same games.

What goes wrong only in the next process (a kernel that cannot be loaded, or is compiled again) is found here.
"""

import sys

from lineups import differing, in_process

GAMES = 120


def main() -> None:
    first = in_process(GAMES)
    second = in_process(GAMES)
    if second["compiled"]:
        sys.exit(f"the second process compiled again: {', '.join(second['compiled'])}")
    if wrong := differing(first, second):
        sys.exit(f"the second process played differently: {', '.join(wrong)}")
    kernels = len(first["compiled"])
    print(f"{len(first['digests'])} line-ups: the same in both processes; compiled {kernels} kernels, then none")


if __name__ == "__main__":
    main()
