"""Threat averse: the Lost Kid plays what harms least, and of equals what tells most.

Source: the other side of the publisher's dilemma (claim D1): spare the friends, though they search in the dark.
"""

from simcore.game import Strategy
from simcore.games.snallygaster.kernel import kernel
from strategies.snallygaster.clueing import CARD, first_best, score_cards, usual_answer

SLIGHT = 0.02  # a clue in dooms


@kernel
def play(game, rules, work, seat, decision):
    """The least doom, else the usual answer."""
    if decision == CARD:
        score_cards(game, rules, work, SLIGHT, 1.0)
        return first_best(game, work)
    return usual_answer(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="threat_averse",
    idea="The Lost Kid plays what harms least, whatever it tells.",
    source="claim D1: the best clue may be the worst threat",
    policy=play,
)
