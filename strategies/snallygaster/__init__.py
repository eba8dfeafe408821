"""The strategies that ship for The Snallygaster Situation, one file each."""

from simcore.game import Strategy
from strategies.snallygaster import random

ALL: tuple[Strategy, ...] = (random.STRATEGY,)
