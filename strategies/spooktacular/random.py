"""Random: any legal option, all alike. The baseline.

Source: the usual null player of a simulation; no thought at all, so that what it wins is what the rules give away.
"""

from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel
from simcore.play import random_below


@kernel
def play(game, rules, work, seat, decision):
    """Any option."""
    return random_below(game, rules, seat, game["options"])


STRATEGY = Strategy(
    name="random",
    idea="Takes any legal option, all alike.",
    source="the usual null player",
    policy=play,
)
