"""What any strategy can fall back on for a piece on the board: wheels, movements, searches, items, trades.

``kid_answer`` answers every decision of a Kid from what things are worth (``sight.VALUE_NAMES``), which a strategy
writes first. ``usual_kid`` does it with middling values and the hints in view.
"""

from simcore.games.snallygaster.kernel import (
    distance,
    exposed,
    in_treehouse,
    kernel,
    need,
    option_a,
    option_c,
    option_kind,
)
from simcore.games.snallygaster.layout import NONE, Decision, Op, Option, Part, Place, Search
from simcore.games.snallygaster.rules.goals import can_pay
from simcore.games.snallygaster.rules.kid import ride_index
from strategies.snallygaster.going import choose_move, choose_wheel, end_danger, free_ride, look_home
from strategies.snallygaster.pooling import best_trade
from strategies.snallygaster.reacting import react, turn_item_worth
from strategies.snallygaster.sight import (
    BY_BELIEF,
    BYSTANDER,
    CLOSE,
    DANGER,
    DELAY,
    FED_LATER,
    FED_NEXT,
    GOAL,
    HIT_FAR,
    HIT_HERE,
    HIT_NEAR,
    HOME,
    HOPE,
    ITEM,
    LATER_SYMBOL,
    NOBODY,
    PATIENCE,
    POOL,
    REFRESH,
    RESCUE,
    RIDE_ON,
    RISK,
    ROOM,
    SPREAD,
    SYMBOL,
    USE_ITEM,
    VALUES,
    WANT,
    count_wants,
    danger_at,
    feds_cost,
    fill_hope,
    look_at_monster,
    rows_worth,
    symbol_worth,
    value_of,
)

D_DISTRICT, D_BUILDING, D_WHO = int(Decision.DISTRICT), int(Decision.BUILDING), int(Decision.WHO)
D_WHEEL, D_MOVE, D_SEARCH = int(Decision.WHEEL), int(Decision.MOVE), int(Decision.SEARCH)
D_CHOICE, D_WINDOW, D_SYMBOL = int(Decision.CHOICE), int(Decision.WINDOW), int(Decision.SYMBOL)
D_FEDS, D_LIGHT, D_MAY = int(Decision.FEDS), int(Decision.LIGHT), int(Decision.MAY)
D_WHICH, D_TO = int(Decision.WHICH_KID), int(Decision.KID_TO)
USE, GOAL_OPTION, SEARCH, TRADE = int(Option.USE), int(Option.GOAL), int(Option.SEARCH), int(Option.TRADE)
SEARCH_TOKEN, SEARCH_GOAL = int(Search.TOKEN), int(Search.GOAL)
PART_RESCUE, AT_BUILDING = int(Part.RESCUE), int(Place.BUILDING)
OP_CHOOSE = int(Op.CHOOSE)


# --- searching and the small questions --------------------------------------------------------------------------------


@kernel
def search_worth(game, rules, work, seat, option):
    """What an option of the search is worth: a part of the goal first, then an item, then the search."""
    kind = option_kind(option)
    if kind == GOAL_OPTION:
        return 100.0
    if kind == SEARCH:
        what = option_a(option)
        if what == SEARCH_GOAL:
            return 10.0
        if what == SEARCH_TOKEN and option_c(option) == 0:
            return 1.0
        if what == SEARCH_TOKEN:  # a guess spoken costs doom where it is wrong
            f_hope = work["score"][HOPE + rules["building_of"][game["space"][seat]]]
            return (value_of(work, RESCUE) + 1.0) * f_hope
        return 0.9
    if kind == USE:
        f_worth = turn_item_worth(game, rules, work, seat, option_a(option), D_SEARCH)
        if f_worth > 0.0:
            return 20.0 + f_worth
    return 0.0


@kernel
def choose_search(game, rules, work, seat):
    """A part of the goal first, then a trade, an item, a search."""
    kinds = 0
    for i in range(game["options"]):
        kinds |= 1 << option_kind(game["option"][i])
    if rules["rescue"] == 3:
        fill_hope(game, rules, work, seat)
    if (kinds >> TRADE) & 1 and (kinds >> GOAL_OPTION) & 1 == 0:
        traded = best_trade(game, rules, work, seat)
        if traded != NONE:
            return traded
    best = 0
    f_best = 0.0
    for i in range(game["options"]):
        f_worth = search_worth(game, rules, work, seat, game["option"][i])
        if f_worth > f_best:
            f_best = f_worth
            best = i
    return best


@kernel
def card_open(game):
    """The search card that is being resolved; NONE."""
    for back in range(game["agenda_size"]):
        row = game["agenda"][game["agenda_size"] - 1 - back]
        if row & 15 == CLOSE:
            return (row >> 12) & 4095
    return NONE


@kernel
def choose_side(game, rules, work, seat):
    """The side of a search card that is worth most."""
    card = card_open(game)
    if card == NONE:
        return 0
    look_at_monster(game, rules, work, seat)
    count_wants(game, rules, work)
    pc = rules["search_start"][card]
    while pc < rules["search_end"][card] and rules["op"][pc] != OP_CHOOSE:
        pc += 1
    if pc >= rules["search_end"][card] or rules["op_a"][pc] != game["options"]:
        return 0
    best = 0
    f_best = -1000.0
    at = pc + 1
    for side in range(game["options"]):
        f_worth = rows_worth(game, rules, work, seat, at + 1, rules["op_end"][at])
        work["score"][side] = f_worth
        if f_worth > f_best:
            f_best = f_worth
            best = side
        at = rules["op_end"][at]
    work["scores"] = game["options"]
    return best


@kernel
def choose_building(game, rules, work, seat):
    """The building for a search token: where the Lost Kid may be, no token lies, and a Kid is near."""
    best = 0
    f_best = -1000.0
    for i in range(game["options"]):
        b = option_a(game["option"][i])
        f_score = value_of(work, RESCUE) * work["score"][HOPE + b]
        if game["tokens"][b] > 0:
            f_score = -0.5
        if f_score > f_best:
            least = 30
            for other in range(game["seats"]):
                if game["space"][other] >= 0:
                    far = distance(rules, 0, rules["building_space"][b, 0], game["space"][other])
                    least = min(least, far)
            f_score -= 0.02 * least
            if least <= 1:
                f_score -= 0.02
        work["score"][i] = f_score
        if f_score > f_best:
            f_best = f_score
            best = i
    work["scores"] = game["options"]
    return best


@kernel
def choose_who(game, rules, work):
    """Who goes next: who stands in danger, and who can do something at once."""
    best = 0
    f_best = -1000.0
    for i in range(game["options"]):
        kid = option_a(game["option"][i])
        f_score = 0.0
        if game["space"][kid] >= 0:
            f_score += value_of(work, RISK) * danger_at(game, rules, work, game["space"][kid])
            if in_treehouse(game, rules, kid) == 1:
                f_score += 0.3
            f_score += can_do_goal(game, rules, work, kid)
        work["score"][i] = f_score
        if f_score > f_best:
            f_best = f_score
            best = i
    work["scores"] = game["options"]
    return best


@kernel
def can_do_goal(game, rules, work, kid):
    """Worth of a part of the open goal that a Kid can do with a wheel that is up."""
    g = game["goal"]
    most = 1
    for wheel in range(rules["wheel_value"].shape[0]):
        if (game["wheels_up"][kid] >> wheel) & 1 and rules["wheel_value"][wheel] > most:
            most = rules["wheel_value"][wheel]
    way = rules["way"][ride_index(game, kid), 0]
    for p in range(rules["parts"][g]):
        if (
            game["part_left"][p] > 0
            and rules["part_kind"][g, p] != PART_RESCUE
            and rules["part_place"][g, p] == AT_BUILDING
        ):
            if can_pay(game, rules, kid, rules["part_price"][g, p], rules["part_symbol"][g, p]) == 1:
                b = rules["part_where"][g, p]
                if need(rules, way, game["space"][kid], rules["building_space"][b, 0]) <= most:
                    return value_of(work, GOAL)
                if need(rules, way, game["space"][kid], rules["building_space"][b, 1]) <= most:
                    return value_of(work, GOAL)
    return 0.0


@kernel
def choose_district(game, rules, work, seat, sign):
    """A district: for a light (sign 1) where Kids are in danger, for the monster (-1) where they are not."""
    best = 0
    f_best = -1000.0
    for i in range(game["options"]):
        d = option_a(game["option"][i])
        f_score = 0.1 * sign * work["score"][DANGER + d]
        for other in range(game["seats"]):
            if exposed(game, rules, other) == 1:
                bits = rules["district_bits"][game["space"][other]]
                if (bits >> d) & 1:
                    f_score += 1.0 * sign
                elif sign < 0:
                    for e in range(rules["districts"]):
                        if (bits >> e) & 1 and rules["hops"][d, e] == 1:
                            f_score -= 0.2
                            break
        work["score"][i] = f_score
        if f_score > f_best:
            f_best = f_score
            best = i
    work["scores"] = game["options"]
    return best


@kernel
def choose_symbol(game, rules, work):
    """The kind that is needed most."""
    for i in range(game["options"]):
        work["score"][i] = (
            symbol_worth(rules, work, option_a(game["option"][i]))
            + 0.001 * (work["score"][WANT + option_a(game["option"][i])])
        )
    return first_best(game, work)


@kernel
def first_best(game, work):
    """Index of the option with the highest score; the first of equals."""
    options = min(game["options"], ROOM)
    best = 0
    for i in range(1, options):
        if work["score"][i] > work["score"][best]:
            best = i
    work["scores"] = options
    return best


@kernel
def choose_fed(game, rules, work):
    """The Fed whose drive costs less."""
    for i in range(game["options"]):
        work["score"][i] = -feds_cost(game, rules, option_a(game["option"][i]), 1)
    return first_best(game, work)


@kernel
def choose_place_for(game, rules, work, seat):
    """Where another Kid is moved to: out of danger."""
    for i in range(game["options"]):
        if i < ROOM:
            work["score"][i] = -end_danger(game, rules, work, option_a(game["option"][i])) - 0.01 * i
    return first_best(game, work)


@kernel
def choose_kid(game, rules, work):
    """Which Kid is moved: who stands in most danger."""
    for i in range(game["options"]):
        work["score"][i] = danger_at(game, rules, work, game["space"][option_a(game["option"][i])])
    return first_best(game, work)


@kernel
def kid_answer(game, rules, work, seat, decision):
    """Index of the answer that is worth most, for any decision of a piece on the board (the values are written)."""
    if decision == D_WHEEL:
        return choose_wheel(game, rules, work, seat)
    if decision == D_MOVE:
        if game["moving"] == 1 and seat == game["active"]:
            return choose_move(game, rules, work, seat)
        return free_ride(game, rules, work, seat)
    if decision == D_SEARCH:
        return choose_search(game, rules, work, seat)
    if decision == D_WINDOW:
        return react(game, rules, work, seat)
    if decision == D_CHOICE:
        return choose_side(game, rules, work, seat)
    if decision == D_BUILDING:
        fill_hope(game, rules, work, seat)
        return choose_building(game, rules, work, seat)
    if decision == D_SYMBOL:
        count_wants(game, rules, work)
        return choose_symbol(game, rules, work)
    if decision == D_FEDS:
        return choose_fed(game, rules, work)
    if decision == D_MAY:
        return game["options"] - 1
    look_at_monster(game, rules, work, seat)
    if decision == D_WHO:
        return choose_who(game, rules, work)
    if decision == D_DISTRICT:
        return choose_district(game, rules, work, seat, -1)
    if decision == D_LIGHT:
        return choose_district(game, rules, work, seat, 1)
    look_home(game, rules, work, seat)
    if decision == D_WHICH:
        return choose_kid(game, rules, work)
    if decision == D_TO:
        return choose_place_for(game, rules, work, seat)
    return 0  # DOUBLE: the first half; MIRROR: the first


@kernel
def usual_values(work):
    """Middling values, and no belief of one's own."""
    work["score"][VALUES + BY_BELIEF] = 0.0
    work["score"][VALUES + GOAL] = 3.0
    work["score"][VALUES + SYMBOL] = 1.2
    work["score"][VALUES + LATER_SYMBOL] = 0.7
    work["score"][VALUES + ITEM] = 0.4
    work["score"][VALUES + RESCUE] = 4.0
    work["score"][VALUES + HOME] = 0.1
    work["score"][VALUES + REFRESH] = 0.03
    work["score"][VALUES + RISK] = 1.0
    work["score"][VALUES + HIT_HERE] = 0.4
    work["score"][VALUES + HIT_NEAR] = 0.25
    work["score"][VALUES + HIT_FAR] = 0.3
    work["score"][VALUES + PATIENCE] = 0.85
    work["score"][VALUES + FED_NEXT] = 0.95
    work["score"][VALUES + FED_LATER] = 0.3
    work["score"][VALUES + DELAY] = 0.75
    work["score"][VALUES + NOBODY] = 0.3
    work["score"][VALUES + POOL] = 1.5
    work["score"][VALUES + SPREAD] = 0.6
    work["score"][VALUES + USE_ITEM] = 0.6
    work["score"][VALUES + BYSTANDER] = 0.4
    work["score"][VALUES + RIDE_ON] = 0.1


@kernel
def usual_kid(game, rules, work, seat, decision):
    """Index of a sensible answer to any decision of a Kid (or of the rescued Lost Kid on the move)."""
    usual_values(work)
    return kid_answer(game, rules, work, seat, decision)
