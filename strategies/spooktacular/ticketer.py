"""Ticketer: the road of sets. Eats what it lacks, and spooks where nothing is to be eaten.

The same machine as ``greedy``, with sets worth more than their points. Source: the other of the two main roads
(Devour: sets, tickets).
"""

from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel
from strategies.spooktacular.ahead import choose, weights
from strategies.spooktacular.quick import quick


@kernel
def play(game, rules, work, seat, decision):
    """The option that brings the next ticket nearest."""
    return choose(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="ticketer",
    idea="The road of sets: eats the colours that it lacks, and spooks where nothing is to be eaten.",
    source="rulebook, Devour",
    policy=play,
    weights=weights(ticket=1.6, colour=1.3, room=0.3, breadth=5.0, sure=8.0),
    looks_ahead=True,
    follow_up=quick,
)
