"""Answers to the small questions, shared by the simple strategies: respond, save, give, keep, choose a kid.

A strategy that has no view of its own on such a question takes the answer from here. Each scores the options that it
knows, so that ``best_option`` and ``--why`` can use them.
"""

from simcore.games.snowball.kernel import kernel, option_a, option_b, option_kind
from simcore.games.snowball.layout import NONE, Decision, Keyword, Option
from strategies.snowball.sight import best_option, distance, gap

TURN, EXTRA_THROW = int(Decision.TURN), int(Decision.EXTRA_THROW)
QUICKSHOT, BAT, SAVE, GIVE = int(Decision.QUICKSHOT), int(Decision.BAT), int(Decision.SAVE), int(Decision.GIVE)
KEEP_LOCATION, KEEP_ITEM, KID = int(Decision.KEEP_LOCATION), int(Decision.KEEP_ITEM), int(Decision.KID)
PASS = int(Option.PASS)
CONDITION, RESPONSE, ACTION = int(Keyword.CONDITION), int(Keyword.RESPONSE), int(Keyword.ACTION)


@kernel
def item_worth(rules, card):
    """How good an item is to hold, roughly in points of a snowball."""
    if card == NONE:
        return 0.0
    kind = rules["item_kind"][card]
    worth = 1.0 * rules["item_power"][kind]
    if rules["item_saves"][kind] > 0:
        worth += 6.0
    if rules["item_bats"][kind] > 0:
        worth += 4.0
    if rules["item_keyword"][kind] == CONDITION:
        worth += 1.0 * rules["item_cover"][kind]
    if rules["item_keyword"][kind] == ACTION:
        worth += 3.0
    return worth


@kernel
def kid_worth(rules, kid):
    """How good a kid's ability is, roughly in points of a snowball."""
    worth = 2.0 * rules["kid_power"][kid] + 2.0 * rules["kid_hand"][kid] + 0.5 * rules["kid_boost"][kid]
    worth += 1.0 * rules["kid_locations"][kid] + 0.8 * rules["kid_items"][kid]
    if rules["kid_saves"][kid] > 0:
        worth += 4.0
    if rules["kid_saves_quickshot"][kid] > 0:
        worth += 1.5
    if rules["kid_free_clear"][kid] > 0:
        worth += 2.0
    return worth


@kernel
def bat_worth(game, seat, option):
    """What batting the snowball away does: saves a hit (1), scores one (1, more on a player with more gear)."""
    if option_kind(option) == PASS:
        return 0.0
    worth = 0.0
    if game["thrown_power"] >= gap(game, seat):
        worth += 1.0
    target = option_b(option) - 1
    if target >= 0 and game["thrown_power"] >= gap(game, target):
        worth += 1.0 + 0.01 * game["gear"][target]
    return worth - 0.5  # kept for a better moment if it does neither


@kernel
def give_worth(game, seat, option):
    """Who gets gear: whoever has least, then the next clockwise."""
    player = option_b(option)
    return -1.0 * game["gear"][player] - 0.01 * distance(game, seat, player)


@kernel
def usual_score(game, rules, seat, decision, option):
    """How good an option is in a small question."""
    kind = option_kind(option)
    if decision == QUICKSHOT:
        if kind == PASS:
            return 0.0
        return 1.0
    if decision == BAT:
        return bat_worth(game, seat, option)
    if decision == SAVE:
        if kind == PASS:
            return 0.0
        return 1.0 + (option_a(option) > 0)  # an item first: the kid's ability outlives a Clear Out
    if decision == GIVE:
        return give_worth(game, seat, option)
    if decision == KEEP_LOCATION:
        return 1.0 * rules["location_cover"][rules["location_kind"][game["offer"][option_a(option)]]]
    if decision == KEEP_ITEM:
        return item_worth(rules, game["offer"][option_a(option)])
    if decision == KID:
        return kid_worth(rules, option_a(option))
    return 0.0


@kernel
def usual_answer(game, rules, work, seat, decision):
    """Index of the usual answer to a small question."""
    for i in range(game["options"]):
        work["score"][i] = usual_score(game, rules, seat, decision, game["option"][i])
    return best_option(game, work)
