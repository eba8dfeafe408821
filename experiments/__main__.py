"""`python -m experiments` is `doomtrack`."""

import sys

try:
    from experiments.cli import main
except KeyboardInterrupt:
    print("doomtrack: stopped", file=sys.stderr)
    sys.exit(130)

main()
