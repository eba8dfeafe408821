"""The strategies that ship for Spooktacular, one file each."""

from simcore.game import Strategy
from strategies.spooktacular import greedy, planner, random, spoiler, spooker, ticketer

ALL: tuple[Strategy, ...] = (
    random.STRATEGY,
    greedy.STRATEGY,
    spooker.STRATEGY,
    ticketer.STRATEGY,
    spoiler.STRATEGY,
    planner.STRATEGY,
)
