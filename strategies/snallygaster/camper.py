"""Camper: into the nearest treehouse and out only for what can be searched at once.

In a treehouse it is safe, everything is refreshed, and a token comes onto the board every turn; it leaves for a part of
the goal that is not far, or for a search token that it reaches in this turn. Source: tension D5 of the facts file: is
camping dominant, or does "no Kid to chase" make it dear? With `sally` at 0 it never leaves, and what doom is left
nobody can avoid (C3).
"""

from simcore.game import Strategy, Weight
from simcore.games.snallygaster.kernel import kernel
from simcore.play import weight
from strategies.snallygaster.clueing import is_lost_kids, usual_lost_kid
from strategies.snallygaster.moving import kid_answer, usual_values
from strategies.snallygaster.sight import (
    BYSTANDER,
    DELAY,
    GOAL,
    HOME,
    NOBODY,
    PATIENCE,
    POOL,
    RESCUE,
    RISK,
    SYMBOL,
    VALUES,
)


@kernel
def play(game, rules, work, seat, decision):
    """Home, unless something can be done at once."""
    if is_lost_kids(game, seat, decision) == 1:
        return usual_lost_kid(game, rules, work, seat, decision)
    usual_values(work)
    sally = weight(game, rules, seat, 1)
    work["score"][VALUES + HOME] = weight(game, rules, seat, 0)
    work["score"][VALUES + GOAL] = 4.0 * sally
    work["score"][VALUES + SYMBOL] = 2.0 * sally
    work["score"][VALUES + RESCUE] = 5.0 * sally
    work["score"][VALUES + POOL] = sally
    work["score"][VALUES + BYSTANDER] = 0.0
    work["score"][VALUES + DELAY] = 0.1
    work["score"][VALUES + PATIENCE] = weight(game, rules, seat, 2)
    work["score"][VALUES + RISK] = 1.0
    work["score"][VALUES + NOBODY] = 0.0
    return kid_answer(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="camper",
    idea="Into the nearest treehouse, and out only for what can be searched at once.",
    source="tension D5 of the facts file: treehouses are safe and refresh everything",
    policy=play,
    weights=(
        Weight("home", 1.5, "worth of being in a treehouse, in doom", 0.0, 20.0),
        Weight("sally", 1.0, "worth of leaving it for what can be done at once; 0: never", 0.0, 10.0),
        Weight("errand", 0.5, "what a turn's way leaves of the worth of a goal", 0.0, 1.0),
    ),
)
