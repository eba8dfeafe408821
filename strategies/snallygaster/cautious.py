"""Cautious: never ends a turn where the monster or the Feds can be next turn, if it can help it.

It does what the usual Kid does, but a doom to be expected costs it many times what it costs others, and a district that
the monster reaches in one move counts as hit. Source: claim C3, that losses are hard to avoid: what is left where
everyone tries.
"""

from simcore.game import Strategy, Weight
from simcore.games.snallygaster.kernel import kernel
from simcore.play import weight
from strategies.snallygaster.clueing import is_lost_kids, usual_lost_kid
from strategies.snallygaster.moving import kid_answer, usual_values
from strategies.snallygaster.sight import FED_LATER, FED_NEXT, HIT_FAR, HIT_HERE, HIT_NEAR, RISK, VALUES


@kernel
def play(game, rules, work, seat, decision):
    """The usual answer of somebody who fears everything."""
    if is_lost_kids(game, seat, decision) == 1:
        return usual_lost_kid(game, rules, work, seat, decision)
    usual_values(work)
    work["score"][VALUES + RISK] = weight(game, rules, seat, 0)
    work["score"][VALUES + HIT_HERE] = 1.0
    work["score"][VALUES + HIT_NEAR] = weight(game, rules, seat, 1)
    work["score"][VALUES + HIT_FAR] = 0.0
    work["score"][VALUES + FED_NEXT] = 1.0
    work["score"][VALUES + FED_LATER] = weight(game, rules, seat, 2)
    return kid_answer(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="cautious",
    idea="Never ends where the monster or the Feds can be next turn, if it can help it.",
    source="claim C3: what doom is left to those who avoid all they can",
    policy=play,
    weights=(
        Weight("fear", 10.0, "cost of a doom to be expected, in doom", 0.0, 100.0),
        Weight("near", 0.8, "chance that it fears of a hit a district away from the monster", 0.0, 1.0),
        Weight("later", 0.3, "chance that it fears of a Fed's step after the next", 0.0, 1.0),
    ),
)
