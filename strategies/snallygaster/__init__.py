"""The strategies that ship for The Snallygaster Situation, one file each."""

from simcore.game import Strategy
from strategies.snallygaster import balanced, detective, greedy, random

ALL: tuple[Strategy, ...] = (random.STRATEGY, balanced.STRATEGY, greedy.STRATEGY, detective.STRATEGY)
