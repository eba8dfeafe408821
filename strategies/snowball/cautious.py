"""Cautious: a turtle. Clears out whenever that is allowed and one snowball could hit; throws only from safety.

Source: hypothesis C12 of the facts file (a fresh location is hardly ever hit by one snowball). From safety it throws
what a QuickShot is least likely to answer, at whoever is nearest to being hit.
"""

from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel, option_b, option_kind
from simcore.games.snowball.layout import Option
from simcore.play import weight
from strategies.snowball.manners import EXTRA_THROW, TURN, usual_answer
from strategies.snowball.sight import (
    bat,
    best_option,
    card_number,
    chance_of_answer,
    count_unseen,
    distance,
    gap,
    saves,
    throw_power,
)

THROW, CLEAR_OUT, ACTION, FREE_CLEAR = (
    int(Option.THROW),
    int(Option.CLEAR_OUT),
    int(Option.ACTION),
    int(Option.FREE_CLEAR),
)
ALARM, RISK, ACT = range(3)


@kernel
def threatened(game, rules, seat):
    """1 if the own gap is at or below the alarm and no item would absorb the hit."""
    if gap(game, seat) <= weight(game, rules, seat, ALARM) and saves(game, rules, seat) == 0:
        return 1
    return 0


@kernel
def throw_score(game, rules, seat, option):
    """Hits first, then full stacks; less the risk of an answer."""
    target = option_b(option)
    missing = gap(game, target)
    power = throw_power(game, rules, seat, option)
    score = -0.001 * distance(game, seat, target)
    if power < missing:
        score += 0.4 * (1.0 - (missing - power) / game["cover"][target])
    elif saves(game, rules, target) == 0 and bat(game, rules, target) == 0:
        score += 1.0
    answer = chance_of_answer(game, rules, seat, card_number(game, rules, seat, option), 1.0)
    return score - weight(game, rules, seat, RISK) * answer


@kernel
def turn_score(game, rules, seat, option, danger):
    """How good an option of the turn is."""
    kind = option_kind(option)
    if kind == THROW:
        return throw_score(game, rules, seat, option)
    if kind == CLEAR_OUT or kind == FREE_CLEAR:
        return 10.0 * danger - 5.0
    if kind == ACTION:
        return weight(game, rules, seat, ACT)
    return -6.0


@kernel
def play(game, rules, work, seat, decision):
    """Clear out if threatened, else the safest good throw."""
    if decision != TURN and decision != EXTRA_THROW:
        return usual_answer(game, rules, work, seat, decision)
    count_unseen(game, rules, seat)
    danger = threatened(game, rules, seat)
    for i in range(game["options"]):
        work["score"][i] = turn_score(game, rules, seat, game["option"][i], danger)
    return best_option(game, work)


STRATEGY = Strategy(
    name="cautious",
    idea="A turtle: clears out whenever allowed and threatened, throws only from safety.",
    source="hypothesis C12: a fresh location can hardly be hit",
    policy=play,
    weights=(
        Weight("alarm", 8.0, "clears out when its cover less its stack is at or below this", -20.0, 40.0),
        Weight("risk", 1.0, "cost of a QuickShot's answer, in hits", 0.0, 20.0),
        Weight("action", 0.4, "worth of using an Action item, in hits", -1.0, 2.0),
    ),
)
