"""Greedy: always to the nearest useful search, and never a thought of the monster or the Feds.

The open goal's place if it can be done there, else a search token, a treehouse where the Lost Kid might be found with
one token more. It reads the hints that lie in view, no more. Source: the obvious play of the facts file, section 1a
("what searching yields").
"""

from simcore.game import Strategy, Weight
from simcore.games.snallygaster.kernel import kernel
from simcore.play import weight
from strategies.snallygaster.clueing import is_lost_kids, usual_lost_kid
from strategies.snallygaster.moving import kid_answer, usual_values
from strategies.snallygaster.sight import DELAY, GOAL, HOME, RISK, SYMBOL, VALUES


@kernel
def play(game, rules, work, seat, decision):
    """The answer that gets something done soonest."""
    if is_lost_kids(game, seat, decision) == 1:
        return usual_lost_kid(game, rules, work, seat, decision)
    usual_values(work)
    work["score"][VALUES + GOAL] = weight(game, rules, seat, 0)
    work["score"][VALUES + SYMBOL] = weight(game, rules, seat, 1)
    work["score"][VALUES + HOME] = weight(game, rules, seat, 2)
    work["score"][VALUES + DELAY] = weight(game, rules, seat, 3)
    work["score"][VALUES + RISK] = 0.0
    return kid_answer(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="greedy",
    idea="Always to the nearest useful search; no thought of the monster or the Feds.",
    source="the obvious play; facts file, section 1a",
    policy=play,
    weights=(
        Weight("goal", 3.0, "worth of a part of the open goal done", 0.0, 20.0),
        Weight("symbol", 1.2, "worth of a symbol that is needed", 0.0, 10.0),
        Weight("home", 0.1, "worth of a treehouse's search in itself", -2.0, 10.0),
        Weight("delay", 0.75, "what a turn's delay leaves of a worth", 0.0, 1.0),
    ),
)
