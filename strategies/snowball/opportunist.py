"""Opportunist: holds its QuickShots for an answer, finishes exposed targets with the smallest card that does.

Source: claims C10 and C11 of the facts file (whoever is exposed is hit by anything; a 1 is as good as an 8 there).
Nobody to finish: it clears out if it is exposed itself, else throws its smallest card at the player with most gear.
"""

from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel, option_b, option_kind
from simcore.games.snowball.layout import Option
from simcore.play import weight
from strategies.snowball.manners import EXTRA_THROW, TURN, usual_answer
from strategies.snowball.sight import (
    bat,
    best_option,
    card_is_quickshot,
    distance,
    gap,
    saves,
    throw_power,
    uses_extra,
)

THROW, CLEAR_OUT, ACTION, FREE_CLEAR = (
    int(Option.THROW),
    int(Option.CLEAR_OUT),
    int(Option.ACTION),
    int(Option.FREE_CLEAR),
)
HOLD, ALARM, FINISH, FLEE, LEADER, ACT = range(6)


@kernel
def throw_score(game, rules, seat, option):
    """Finish first; else a small card at the player with most gear."""
    target = option_b(option)
    power = throw_power(game, rules, seat, option)
    score = (
        weight(game, rules, seat, LEADER) * game["gear"][target] - 0.01 * power - 0.001 * distance(game, seat, target)
    )
    if power >= gap(game, target) and saves(game, rules, target) == 0 and bat(game, rules, target) == 0:
        score += weight(game, rules, seat, FINISH)
    elif uses_extra(option) == 1:
        score -= 0.5  # a modifier only finishes
    if card_is_quickshot(game, rules, seat, option) == 1:
        score -= weight(game, rules, seat, HOLD)
    return score


@kernel
def turn_score(game, rules, seat, option, exposed):
    """How good an option of the turn is."""
    kind = option_kind(option)
    if kind == THROW:
        return throw_score(game, rules, seat, option)
    if kind == CLEAR_OUT or kind == FREE_CLEAR:
        return weight(game, rules, seat, FLEE) * (2.0 * exposed - 1.0)
    if kind == ACTION:
        return weight(game, rules, seat, ACT)
    return -9.0


@kernel
def play(game, rules, work, seat, decision):
    """Finish, flee or wait."""
    if decision != TURN and decision != EXTRA_THROW:
        return usual_answer(game, rules, work, seat, decision)
    exposed = 0
    if gap(game, seat) <= weight(game, rules, seat, ALARM):
        exposed = 1
    for i in range(game["options"]):
        work["score"][i] = turn_score(game, rules, seat, game["option"][i], exposed)
    return best_option(game, work)


STRATEGY = Strategy(
    name="opportunist",
    idea="Holds its QuickShots, finishes exposed targets with the smallest card that does, waits otherwise.",
    source="claims C10 (gang-up) and C11 (value inversion)",
    policy=play,
    weights=(
        Weight("hold_quickshot", 0.4, "cost of throwing a QuickShot as a plain snowball, in hits", 0.0, 5.0),
        Weight("alarm", 5.0, "counts itself exposed when its cover less its stack is at or below this", -20.0, 40.0),
        Weight("finish", 1.0, "worth of a hit", 0.0, 5.0),
        Weight("flee", 0.7, "worth of clearing out when exposed, in hits", 0.0, 5.0),
        Weight("leader", 0.1, "preference for a target, for each gear it has", -1.0, 1.0),
        Weight("action", 0.5, "worth of using an Action item, in hits", -1.0, 2.0),
    ),
)
