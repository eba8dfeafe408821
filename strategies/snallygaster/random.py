"""Random: any legal option, all alike. The floor that other strategies are measured against.

Source: the uniformly random agent, the usual baseline of game-playing agents.
"""

from simcore.game import Strategy
from simcore.games.snallygaster.kernel import kernel
from simcore.play import random_below


@kernel
def play(game, rules, work, seat, decision):
    """Any option."""
    return random_below(game, rules, seat, game["options"])


STRATEGY = Strategy(
    name="random",
    idea="Any legal option, all alike.",
    source="the usual baseline",
    policy=play,
)
