"""What any strategy can fall back on for the Lost Kid: cards, piles, the monster's choices."""

from simcore.games.snallygaster.kernel import kernel
from simcore.play import random_below


@kernel
def usual_lost_kid(game, rules, work, seat, decision):
    """Index of a sensible answer to any decision that is the Lost Kid's alone."""
    return random_below(game, rules, seat, game["options"])
