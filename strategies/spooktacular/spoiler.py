"""Spoiler: takes from the leader, and denies what it cannot have.

The same machine as ``greedy``; what the best other player has counts against it nearly as much as its own for it, and
so do the guests in the rooms where others stand. Source: the usual "take that" play.
"""

from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel
from strategies.spooktacular.ahead import choose, weights
from strategies.spooktacular.quick import quick


@kernel
def play(game, rules, work, seat, decision):
    """The option that leaves the leader least."""
    return choose(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="spoiler",
    idea="Takes from the leader and denies the others their guests.",
    source="the usual take-that play",
    policy=play,
    weights=weights(leader=0.7, others=0.7, deny=0.3, urgency=1.0, breadth=5.0, sure=3.0),
    looks_ahead=True,
    follow_up=quick,
)
