"""Expert: weighs what each option does to its win share, with three ideas.

(a) The end game: a hit is followed by the end test at once; with three left a trailing player who knocks out the
weakest loses, so it strikes the leader instead (rulebook, Winning; R25, claim C13). Its own risk of a QuickShot counts.

(b) The exposure clock: what everyone will lose before his next turn, from the gap to the cover, the throwers in between
and the cards unseen (C10). It clears out when its own gap will probably be filled, and prepares no target for another.

(c) Card economy: unseen QuickShots by number, the matching QuickShot held, 1s and 2s kept for exposed targets (C11),
the modifier as a finisher, the Lid and the Bat in time.

Source: the rules and the claims named; weights tuned by a seeded random search in self-play at 2 to 6 players.
"""

from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel, option_a, option_b, option_kind
from simcore.games.snowball.layout import Bat, Op, Option
from simcore.play import weight
from strategies.snowball.manners import BAT, EXTRA_THROW, GIVE, QUICKSHOT, SAVE, TURN, usual_answer
from strategies.snowball.prospects import (
    ACTION,
    CLEAR_DEBT,
    COVER,
    COVER_SCALE,
    DANGER,
    EXTRAS,
    HOLD_QUICKSHOT,
    KEEP_LOW,
    LID,
    MODIFIER,
    NEW_ITEM,
    PREPARE,
    ROOM,
    SHIELDED,
    SPEND,
    SUSPICION,
    TEMPO,
    danger,
    gear_after,
    outlook,
    shields,
    take_stock,
)
from strategies.snowball.prospects import BAT as BAT_WORTH
from strategies.snowball.sight import (
    auto_clear,
    bat,
    best_among,
    card_is_quickshot,
    card_number,
    chance_of_answer,
    clear_rule_binds,
    count_unseen,
    distance,
    gap,
    next_living,
    saves,
    throw_power,
    unseen_of,
    uses_extra,
)

THROW, CLEAR_OUT, FREE_CLEAR = int(Option.THROW), int(Option.CLEAR_OUT), int(Option.FREE_CLEAR)
USE_ACTION, PASS = int(Option.ACTION), int(Option.PASS)
AWAY = int(Bat.DISCARD)
OP_THROW, OP_RECOVER = int(Op.THROW), int(Op.RECOVER)
LOW = 2  # a low card
NUMBERS = 8.0
TIE = 1e-6  # among equals, the next clockwise


# --- what is worth keeping --------------------------------------------------------------------------------------------


@kernel
def card_cost(game, rules, seat, option, hits):
    """What the thrown card would be worth kept, in gear: a QuickShot by how many of its number are left."""
    number = card_number(game, rules, seat, option)
    cost = weight(game, rules, seat, SPEND) * number / NUMBERS
    if card_is_quickshot(game, rules, seat, option) == 1:
        share = NUMBERS * unseen_of(game, seat, number) / max(game["memory"][seat, 0], 1)
        cost += weight(game, rules, seat, HOLD_QUICKSHOT) * share
    if hits == 0 and number <= LOW:
        cost += weight(game, rules, seat, KEEP_LOW)
    return cost


@kernel
def usual_cover(game, rules):
    """Mean cover of a location, lasting effects included."""
    total = 0
    for card in range(rules["location_cards"]):
        total += rules["location_cover"][rules["location_kind"][card]]
    return total // rules["location_cards"] + rules["cover_shift"] + game["cover_bonus"]


@kernel
def fresh_extras(game, rules, seat, cover):
    """What a new location and an unknown item add to one's standing."""
    return weight(game, rules, seat, NEW_ITEM) + weight(game, rules, seat, COVER) * COVER_SCALE * cover


@kernel
def standing(game, work, player):
    """A player's standing as it is."""
    return gear_after(game, player) - work["score"][DANGER + player] + work["score"][EXTRAS + player]


# --- what an option leads to ------------------------------------------------------------------------------------------


@kernel
def judge_throw(game, rules, work, seat, option, cover, f_new_danger):
    """Win share after a throw, its QuickShot answer weighed in.

    `cover` and `f_new_danger`: of a new location, for whoever clears out because he was hit.
    """
    target = option_b(option)
    number = card_number(game, rules, seat, option)
    power = throw_power(game, rules, seat, option)
    missing = gap(game, target)
    my_gap = gap(game, seat)
    hits = int(power >= missing)
    clears = auto_clear(game, rules)
    my_gear = game["gear"][seat]
    my_danger = work["score"][DANGER + seat]
    mine = standing(game, work, seat) - card_cost(game, rules, seat, option, hits)
    if uses_extra(option) == 1:
        mine -= weight(game, rules, seat, MODIFIER) * (power - number)
    gear = game["gear"][target]
    before = work["score"][DANGER + target]
    their_danger = before
    theirs = standing(game, work, target)
    batted = bat(game, rules, target)
    if batted > 0 and (hits == 1 or power >= my_gap):
        theirs -= weight(game, rules, seat, BAT_WORTH)
        if batted != AWAY and power >= my_gap:  # it comes back and hits
            mine -= 1.0
            my_gear -= 1
        elif batted != AWAY:
            my_danger = danger(game, rules, work, seat, seat, my_gap - power, shields(game, rules, seat))
            mine -= my_danger - work["score"][DANGER + seat]
    elif hits == 1 and clears == 1:
        their_danger = 0.0
        if saves(game, rules, target) == 0:
            gear -= 1
        theirs = gear + fresh_extras(game, rules, seat, cover)
    else:
        left = int(work["score"][SHIELDED + target])
        if hits == 1:
            left = max(left - 1, 0)
        their_danger = danger(game, rules, work, seat, target, missing - power, left)
        if hits == 0:
            theirs -= (1.0 - weight(game, rules, seat, PREPARE)) * (their_danger - before)
        elif saves(game, rules, target) > 0:
            theirs -= weight(game, rules, seat, LID) + their_danger - before
        else:
            gear -= 1
            theirs -= 1.0 + their_danger - before
    share = outlook(game, rules, work, seat, target, my_gear, gear, mine, my_danger, theirs, their_danger)
    answer = chance_of_answer(game, rules, seat, number, weight(game, rules, seat, SUSPICION))
    if answer > 0.0:
        if saves(game, rules, seat) > 0 and rules["save_from_quickshot"] == 1:
            mine -= weight(game, rules, seat, LID)
        else:
            my_gear -= 1
            mine -= 1.0
        if clears == 1:
            my_danger = f_new_danger
            mine = my_gear - my_danger + fresh_extras(game, rules, seat, cover)
        other = outlook(game, rules, work, seat, target, my_gear, gear, mine, my_danger, theirs, their_danger)
        share += answer * (other - share)
    return share - TIE * distance(game, seat, target)


@kernel
def alone(game, rules, work, seat, my_gear, f_mine, f_my_danger):
    """Win share of `seat` with this gear, standing and danger; everyone else as he is."""
    other = next_living(game, seat)
    their_gear = gear_after(game, other)
    theirs = standing(game, work, other)
    their_danger = work["score"][DANGER + other]
    return outlook(game, rules, work, seat, other, my_gear, their_gear, f_mine, f_my_danger, theirs, their_danger)


@kernel
def judge_clearing(game, rules, work, seat, cover, f_new_danger):
    """Win share after a Clear Out."""
    mine = game["gear"][seat] - f_new_danger + fresh_extras(game, rules, seat, cover)
    cost = weight(game, rules, seat, TEMPO) + weight(game, rules, seat, CLEAR_DEBT) * clear_rule_binds(game, rules)
    return alone(game, rules, work, seat, game["gear"][seat], mine, f_new_danger) - cost / game["living"]


@kernel
def judge_action(game, rules, seat, option, f_staying, f_clearing, f_throw):
    """Win share after an Action item, from what its text does: clear out, throw, recover."""
    kind = rules["item_kind"][game["held"][seat, option_a(option)]]
    share = f_staying
    if rules["item_clears"][kind] == 1:
        share = f_clearing
    for row in range(rules["item_start"][kind], rules["item_end"][kind]):
        if rules["op"][row] == OP_THROW:
            share += rules["op_a"][row] * (f_throw - f_staying)
        elif rules["op"][row] == OP_RECOVER and game["gear"][seat] < rules["gear"]:
            share += 0.5 / game["living"]
    return share + weight(game, rules, seat, ACTION) / game["living"]


@kernel
def judge_turn(game, rules, work, seat):
    """Score every option of the turn, or of a granted throw."""
    cover = usual_cover(game, rules)
    new_danger = danger(game, rules, work, seat, seat, cover, 0)
    staying = alone(
        game, rules, work, seat, game["gear"][seat], standing(game, work, seat), work["score"][DANGER + seat]
    )
    best_throw = -1.0
    options = min(game["options"], ROOM)
    others = 0
    for i in range(options):
        option = game["option"][i]
        if option_kind(option) == THROW:
            work["score"][i] = judge_throw(game, rules, work, seat, option, cover, new_danger)
            best_throw = max(best_throw, work["score"][i])
        else:
            others += 1
    if others == 0:
        return
    if best_throw < 0.0:
        best_throw = staying
    clearing = judge_clearing(game, rules, work, seat, cover, new_danger)
    for i in range(options):
        option = game["option"][i]
        kind = option_kind(option)
        if kind == CLEAR_OUT:
            work["score"][i] = clearing
        elif kind == USE_ACTION:
            work["score"][i] = judge_action(game, rules, seat, option, staying, clearing, best_throw)
        elif kind == FREE_CLEAR:  # the turn itself comes on top
            work["score"][i] = clearing + best_throw - staying
        elif kind == PASS:
            work["score"][i] = staying


# --- answers ----------------------------------------------------------------------------------------------------------


@kernel
def judge_quickshot(game, rules, work, seat, option):
    """Win share after answering (or not), once this throw's hits are counted together."""
    shooter = game["shooter"][game["window_shooter"]]
    gear = gear_after(game, shooter)
    mine = standing(game, work, seat)
    theirs = standing(game, work, shooter)
    if option_kind(option) != PASS:
        mine -= card_cost(game, rules, seat, option, 1) - TIE
        if saves(game, rules, shooter) > 0 and rules["save_from_quickshot"] == 1:
            theirs -= weight(game, rules, seat, LID)
        else:
            theirs -= 1.0
            gear -= 1
    my_danger = work["score"][DANGER + seat]
    their_danger = work["score"][DANGER + shooter]
    return outlook(
        game, rules, work, seat, shooter, gear_after(game, seat), gear, mine, my_danger, theirs, their_danger
    )


@kernel
def judge_bat(game, rules, work, seat, option):
    """Win share after letting the snowball come, or after batting it to someone (or away)."""
    power = game["thrown_power"]
    missing = gap(game, seat)
    gear = game["gear"][seat]
    mine = standing(game, work, seat)
    my_danger = work["score"][DANGER + seat]
    if option_kind(option) == PASS:
        hits = int(power >= missing and saves(game, rules, seat) == 0)
        my_danger = danger(game, rules, work, seat, seat, missing - power, shields(game, rules, seat))
        mine -= my_danger - work["score"][DANGER + seat]
        return alone(game, rules, work, seat, gear - hits, mine - hits, my_danger)
    mine -= weight(game, rules, seat, BAT_WORTH)
    target = option_b(option) - 1
    if target < 0:
        return alone(game, rules, work, seat, gear, mine, my_danger)
    missing = gap(game, target)
    their_gear = game["gear"][target]
    their_danger = danger(game, rules, work, seat, target, missing - power, shields(game, rules, target))
    theirs = standing(game, work, target) - their_danger + work["score"][DANGER + target]
    if power >= missing and saves(game, rules, target) == 0:
        their_gear -= 1
        theirs -= 1.0
    return outlook(game, rules, work, seat, target, gear, their_gear, mine, my_danger, theirs, their_danger)


@kernel
def judge_gift(game, rules, work, seat, option):
    """Win share once the chosen player has one gear more."""
    target = option_b(option)
    mine = standing(game, work, seat)
    theirs = standing(game, work, target) + 1.0
    my_danger = work["score"][DANGER + seat]
    their_danger = work["score"][DANGER + target]
    gear = game["gear"][target] + 1
    return outlook(game, rules, work, seat, target, game["gear"][seat], gear, mine, my_danger, theirs, their_danger)


@kernel
def play(game, rules, work, seat, decision):
    """The option with the best win share."""
    if decision > GIVE or decision == SAVE:
        return usual_answer(game, rules, work, seat, decision)
    count_unseen(game, rules, seat)
    take_stock(game, rules, work, seat)
    if decision == TURN or decision == EXTRA_THROW:
        judge_turn(game, rules, work, seat)
    else:
        for i in range(game["options"]):
            option = game["option"][i]
            if decision == QUICKSHOT:
                work["score"][i] = judge_quickshot(game, rules, work, seat, option)
            elif decision == BAT:
                work["score"][i] = judge_bat(game, rules, work, seat, option)
            else:
                work["score"][i] = judge_gift(game, rules, work, seat, option)
    return best_among(game, work, ROOM)


STRATEGY = Strategy(
    name="expert",
    idea="Weighs each option's win share: the end test at three left, the exposure clock, card economy.",
    source="the rules and claims C10-C13; weights from a seeded search in self-play",
    policy=play,
    weights=(
        Weight("two_gear", 1.9, "strength of two gear, in strengths of one", 1.0, 20.0),
        Weight("three_gear", 3.2, "strength of three gear, in strengths of one", 1.0, 40.0),
        Weight("final_two_gear", 3.0, "the same for two gear with three players left", 1.0, 20.0),
        Weight("final_three_gear", 11.0, "the same for three gear with three players left", 1.0, 40.0),
        Weight("end_game", 0.5, "how often others see that knocking out the weakest of three would lose", 0.0, 1.0),
        Weight("spread", 0.85, "how far each player beyond two draws throws away from one that can be hit", 0.0, 5.0),
        Weight("crowd", 0.03, "how far other exposed players draw throws away", 0.0, 5.0),
        Weight("drift", 5.0, "by how much each throw in between narrows a gap, in points", 0.0, 8.0),
        Weight("suspicion", 0.8, "how much likelier a QuickShot lies in a hand than in the deck", 0.0, 5.0),
        Weight("prepare", 0.03, "how little hits by others on a target that this throw prepared count", -1.0, 3.0),
        Weight("cover", 0.02, "standing that twelve points of gap are worth, in gear", 0.0, 2.0),
        Weight("lid", 0.05, "standing that a saving item is worth, in gear", 0.0, 2.0),
        Weight("bat", 0.2, "standing that a Bat is worth, in gear", 0.0, 2.0),
        Weight("modifier", 0.02, "standing that a point of a modifier is worth, in gear", 0.0, 0.5),
        Weight("new_item", 0.0, "standing that an unknown new item is worth, in gear", 0.0, 2.0),
        Weight(
            "hold_quickshot",
            0.16,
            "gear that a kept QuickShot is worth, its number being thrown as often as any",
            0.0,
            2.0,
        ),
        Weight("keep_low", 0.01, "gear that a kept 1 or 2 is worth", 0.0, 1.0),
        Weight("spend", 0.017, "gear that a kept 8 is worth; smaller numbers in proportion", -0.5, 1.0),
        Weight("tempo", 0.01, "cost of a turn spent on clearing out, in fair shares", -1.0, 1.0),
        Weight("clear_debt", 0.085, "cost of a Clear Out that bars the next one, in fair shares", -1.0, 1.0),
        Weight("action", 0.02, "worth of using an Action item now, in fair shares", -1.0, 1.0),
    ),
)
