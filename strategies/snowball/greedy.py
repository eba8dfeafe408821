"""Greedy: takes the most gear off others now and never thinks of its own safety.

Source: the "hit whoever can be hit" play that the rulebook's example shows; the sanity simulation of the facts file
(4.9) used a greedy bot. Where no throw hits, it fills the stack that is nearest to its cover. It clears out only if it
must.
"""

from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel, option_b, option_kind
from simcore.games.snowball.layout import Option
from simcore.play import weight
from strategies.snowball.manners import EXTRA_THROW, TURN, usual_answer
from strategies.snowball.sight import bat, best_option, distance, gap, saves, throw_power, uses_extra

THROW, CLEAR_OUT, ACTION = int(Option.THROW), int(Option.CLEAR_OUT), int(Option.ACTION)
PROGRESS, SAVED, RICHER, WASTE, ACT, CLEAR = range(6)


@kernel
def throw_score(game, rules, seat, option):
    """Gear that the throw takes, or how near it brings the stack to the cover."""
    target = option_b(option)
    missing = gap(game, target)
    power = throw_power(game, rules, seat, option)
    score = -0.001 * distance(game, seat, target) + weight(game, rules, seat, RICHER) * game["gear"][target]
    if power >= missing:
        score += 1.0
        if saves(game, rules, target) > 0 or bat(game, rules, target) > 0:
            score -= 1.0 - weight(game, rules, seat, SAVED)
        score -= 0.002 * power  # a smaller snowball hits as well
    else:
        score += weight(game, rules, seat, PROGRESS) * (1.0 - (missing - power) / game["cover"][target])
    if uses_extra(option) == 1:
        score -= weight(game, rules, seat, WASTE)
    return score


@kernel
def turn_score(game, rules, seat, option):
    """How good an option of the turn is."""
    kind = option_kind(option)
    if kind == THROW:
        return throw_score(game, rules, seat, option)
    if kind == ACTION:
        return weight(game, rules, seat, ACT)
    if kind == CLEAR_OUT:
        return weight(game, rules, seat, CLEAR)
    return -1.0


@kernel
def play(game, rules, work, seat, decision):
    """The option that takes most gear now."""
    if decision != TURN and decision != EXTRA_THROW:
        return usual_answer(game, rules, work, seat, decision)
    for i in range(game["options"]):
        work["score"][i] = turn_score(game, rules, seat, game["option"][i])
    return best_option(game, work)


STRATEGY = Strategy(
    name="greedy",
    idea="Takes the most gear off others now; no thought of its own safety.",
    source="the play of the rulebook's example; facts file, section 4.9",
    policy=play,
    weights=(
        Weight("progress", 0.5, "worth of a stack that is nearly full, in hits", 0.0, 2.0),
        Weight("saved", 0.25, "worth of a hit that an item will absorb or turn away, in hits", -1.0, 1.0),
        Weight("richer", 0.03, "preference for a target, for each gear it has", -1.0, 1.0),
        Weight("waste", 0.05, "cost of using a modifier or a kid's one-time power, in hits", 0.0, 2.0),
        Weight("action", 0.45, "worth of using an Action item, in hits", -1.0, 2.0),
        Weight("clear_out", -0.5, "worth of clearing out, in hits", -2.0, 2.0),
    ),
)
