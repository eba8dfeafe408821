"""Greedy: takes the most points, tickets and missing colours that this turn can bring; no thought of the others.

One ply: at each decision that matters the turn is played on with each promising option, so that Search and Jumpscare
get the worth of what they let follow. Source: the one-turn greedy play that the
facts file's claim C2 compares.
"""

from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel
from strategies.spooktacular.ahead import choose, weights
from strategies.spooktacular.quick import quick


@kernel
def play(game, rules, work, seat, decision):
    """The option with the most points, tickets and colours at the end of the turn."""
    return choose(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="greedy",
    idea="Takes the most points, tickets and missing colours of this turn; no thought of others or the next.",
    source="one-turn play, as claim C2 of the facts file compares it",
    policy=play,
    weights=weights(),
    looks_ahead=True,
    follow_up=quick,
)
