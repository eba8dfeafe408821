"""A strategy of your own, in ten lines: throw the largest snowball you can; clear out when any snowball would hit.

Play it:  doomtrack run snowball --plugin examples/my_strategy.py --strategy 0=mine:alarm=2

A policy sees three records (simcore/games/snowball/layout.py says what is in them) and answers with the index of one
of game["option"][0 : game["options"]]; strategies/snowball/sight.py has helpers. It may read what its seat may see,
write to game["memory"][seat] only, and must give the same answer for the same position: its chance comes from
random_below.
"""

from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel, option_kind
from simcore.games.snowball.layout import Option
from simcore.play import weight
from strategies.snowball.sight import best_option, gap, throw_power

THROW, CLEAR_OUT = int(Option.THROW), int(Option.CLEAR_OUT)


@kernel
def mine(game, rules, work, seat, decision):
    """Score every option; take the best. Options that are not scored here (answers to others' throws) count 1."""
    for i in range(game["options"]):
        option = game["option"][i]
        work["score"][i] = 1.0
        if option_kind(option) == THROW:
            work["score"][i] = 1.0 * throw_power(game, rules, seat, option)
        elif option_kind(option) == CLEAR_OUT:
            work["score"][i] = 99.0 * (gap(game, seat) <= weight(game, rules, seat, 0))
    return best_option(game, work)


STRATEGIES = (
    Strategy(
        name="mine",
        idea="Throws its largest snowball; clears out when any snowball would hit.",
        source="an example",
        policy=mine,
        weights=(Weight("alarm", 1.0, "clears out when its cover less its stack is at or below this", 0.0, 20.0),),
    ),
)
