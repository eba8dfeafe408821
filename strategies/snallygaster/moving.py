"""What any strategy can fall back on for a piece on the board: wheels, movements, searches, items, trades."""

from simcore.games.snallygaster.kernel import kernel
from simcore.play import random_below


@kernel
def usual_kid(game, rules, work, seat, decision):
    """Index of a sensible answer to any decision of a Kid (or of the rescued Lost Kid on the move)."""
    return random_below(game, rules, seat, game["options"])
