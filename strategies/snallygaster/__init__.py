"""The strategies that ship for The Snallygaster Situation, one file each."""

from simcore.game import Strategy
from strategies.snallygaster import (
    balanced,
    camper,
    cautious,
    clue_first,
    detective,
    expert,
    greedy,
    random,
    threat_averse,
)

ALL: tuple[Strategy, ...] = (
    random.STRATEGY,
    balanced.STRATEGY,
    greedy.STRATEGY,
    cautious.STRATEGY,
    camper.STRATEGY,
    detective.STRATEGY,
    clue_first.STRATEGY,
    threat_averse.STRATEGY,
    expert.STRATEGY,
)
