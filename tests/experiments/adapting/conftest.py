"""Strategies for Snowball with planted weights: one that matters, one that does not, one that only moves the luck."""

from __future__ import annotations

import pytest

LEARNERS = '''"""Strategies for tests."""
from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel, option_kind
from simcore.games.snowball.layout import Option
from simcore.play import random_below, weight
from strategies.snowball.sight import best_option, gap, throw_power

THROW, CLEAR_OUT = int(Option.THROW), int(Option.CLEAR_OUT)


@kernel
def aimed(game, rules, work, seat, decision):
    """Plays well, but errs the more often the farther its first weight is from 0.7."""
    if random_below(game, rules, seat, 1000) < 1500.0 * abs(weight(game, rules, seat, 0) - 0.7):
        return random_below(game, rules, seat, game["options"])
    for i in range(game["options"]):
        option = game["option"][i]
        work["score"][i] = 1.0
        if option_kind(option) == THROW:
            work["score"][i] = 1.0 * throw_power(game, rules, seat, option)
        elif option_kind(option) == CLEAR_OUT:
            work["score"][i] = 99.0 * (gap(game, seat) <= 10)
    return best_option(game, work)


@kernel
def coin(game, rules, work, seat, decision):
    """Any option, and the weight only says which."""
    n = game["options"]
    return (random_below(game, rules, seat, n) + int(1000.0 * weight(game, rules, seat, 0))) % n


@kernel
def deaf(game, rules, work, seat, decision):
    """Any option; the weight is never read."""
    return random_below(game, rules, seat, game["options"])


@kernel
def fragile(game, rules, work, seat, decision):
    """Any option; no game can be played on where the weight is above its default."""
    if weight(game, rules, seat, 0) > 0.5:
        return game["options"]
    return random_below(game, rules, seat, game["options"])


STRATEGIES = (
    Strategy("aimed", "errs", "a test", aimed, (Weight("aim", 0.2, "best at 0.7", 0.0, 1.0),)),
    Strategy("coin", "any", "a test", coin, (Weight("side", 0.5, "moves the luck", 0.0, 1.0),)),
    Strategy("deaf", "any", "a test", deaf, (Weight("idle", 0.5, "nothing", 0.0, 1.0),)),
    Strategy("fragile", "any", "a test", fragile, (Weight("breaks", 0.5, "ends games", 0.0, 1.0),)),
    Strategy("plain", "any", "a test", deaf),
)
'''


@pytest.fixture(scope="session")
def learners(tmp_path_factory) -> str:
    """Path of a plug-in with all of them."""
    path = tmp_path_factory.mktemp("learners") / "learners.py"
    path.write_text(LEARNERS)
    return str(path)
