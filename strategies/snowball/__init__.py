"""The strategies that ship for The Great Snowball Battle, one file each."""

from simcore.game import Strategy
from strategies.snowball import cautious, expert, greedy, lookahead, opportunist, random

ALL: tuple[Strategy, ...] = (
    random.STRATEGY,
    greedy.STRATEGY,
    cautious.STRATEGY,
    opportunist.STRATEGY,
    expert.STRATEGY,
    lookahead.STRATEGY,
)
