"""Balanced: the Lost Kid weighs what a card tells against the doom that it brings.

Source: the publisher's core dilemma, that the best clue may be the card that attacks a friend (claim D1): its two
weights are the two sides of that. As a Kid it plays the usual moves.
"""

from simcore.game import Strategy, Weight
from simcore.games.snallygaster.kernel import kernel
from simcore.play import weight
from strategies.snallygaster.clueing import CARD, first_best, score_cards, usual_answer

CLUE, THREAT = range(2)


@kernel
def play(game, rules, work, seat, decision):
    """The card with the best sum, else the usual answer."""
    if decision == CARD:
        score_cards(game, rules, work, weight(game, rules, seat, CLUE), weight(game, rules, seat, THREAT))
        return first_best(game, work)
    return usual_answer(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="balanced",
    idea="The Lost Kid weighs what a card tells against the doom that it brings.",
    source="claim D1: the best clue may be the worst threat",
    policy=play,
    weights=(
        Weight("clue", 0.3, "doom that a perfect clue is worth", -10.0, 20.0),
        Weight("threat", 1.0, "what a doom that the card brings costs", -10.0, 20.0),
    ),
)
