"""Clue first: the Lost Kid plays what tells most, and of equals what harms least.

Source: one side of the publisher's dilemma (claim D1): the best clue, though it may attack a friend.
"""

from simcore.game import Strategy
from simcore.games.snallygaster.kernel import kernel
from strategies.snallygaster.clueing import CARD, first_best, score_cards, usual_answer

SLIGHT = 0.02  # a doom in clues


@kernel
def play(game, rules, work, seat, decision):
    """The best clue, else the usual answer."""
    if decision == CARD:
        score_cards(game, rules, work, 1.0, SLIGHT)
        return first_best(game, work)
    return usual_answer(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="clue_first",
    idea="The Lost Kid plays what tells most, whatever it brings.",
    source="claim D1: the best clue may be the worst threat",
    policy=play,
)
