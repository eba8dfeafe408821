"""`python -m experiments` is `doomtrack`."""

from experiments.cli import main

main()
