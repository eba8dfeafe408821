"""Spooker: the road of points. Fills its room and empties it again, eats only in passing.

The same machine as ``greedy``, with a set worth little and a room full of guests worth something. Source: one of the
two main roads that the rulebook names (Spook).
"""

from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel
from strategies.spooktacular.ahead import choose, weights
from strategies.spooktacular.quick import quick


@kernel
def play(game, rules, work, seat, decision):
    """The option with the most points, and guests to spook in the next turn."""
    return choose(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="spooker",
    idea="The road of points: spooks and mashes, and eats only in passing.",
    source="rulebook, Spook",
    policy=play,
    weights=weights(ticket=0.6, colour=0.7, room=0.3, breadth=5.0, sure=8.0),
    looks_ahead=True,
    follow_up=quick,
)
