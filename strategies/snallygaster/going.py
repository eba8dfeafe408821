"""Where a Kid goes: the place that is worth most, the wheel that leads there, stops on the way, the end.

At a wheel the Kid chooses a place and keeps it in its memory (PLAN) until it moves; the rescued Lost Kid, whose memory
may hold something else, chooses as it moves.
"""

from simcore.games.snallygaster.kernel import (
    distance,
    fed_overlaps,
    in_treehouse,
    inline,
    kernel,
    make_option,
    near,
    near_count,
    need,
    option_a,
    option_b,
    option_kind,
)
from simcore.games.snallygaster.layout import MOST_STEPS, NONE, Decision, Op, Option, Part, Place
from simcore.games.snallygaster.rules.doom import may_stop_on_feds
from simcore.games.snallygaster.rules.goals import can_pay
from simcore.games.snallygaster.rules.kid import move_flags, ride_index
from strategies.snallygaster.pooling import best_trade, may_spare, parts_to_pool, payers
from strategies.snallygaster.reacting import turn_item_worth
from strategies.snallygaster.sight import (
    BEST,
    BYSTANDER,
    DELAY,
    GOAL,
    HOME,
    HOPE,
    ITEM,
    NOBODY,
    PATIENCE,
    POOL,
    REFRESH,
    RESCUE,
    RIDE_ON,
    RISK,
    SPARE,
    SPREAD,
    VALUES,
    card_worth,
    count_wants,
    danger_at,
    fill_hope,
    look_at_monster,
    nearer_other,
    others_out,
    value_of,
)

D_WHEEL = int(Decision.WHEEL)
USE, WHEEL, MOVE, VIA = int(Option.USE), int(Option.WHEEL), int(Option.MOVE), int(Option.VIA)
SYMBOL_OPTION, GOAL_OPTION, TRADE = int(Option.SYMBOL), int(Option.GOAL), int(Option.TRADE)
PART_ENTER, PART_RESCUE = int(Part.ENTER), int(Part.RESCUE)
AT_BUILDING, AT_LANDMARK, AT_TREEHOUSE = int(Place.BUILDING), int(Place.LANDMARK), int(Place.TREEHOUSE)
AT_MONSTER, AT_STAR, AT_MIRROR, AT_TREE = int(Place.MONSTER), int(Place.STAR), int(Place.MIRROR), int(Place.TREE)
OP_MOVE = int(Op.MOVE)
PLAN = 40  # memory[seat, PLAN]: 1 + the space that the Kid is on the way to
BEST_WORTH, BEST_SPACE, MOST_PLAIN, MOST_DIAGONAL, HOME_DANGER = BEST, BEST + 1, BEST + 2, BEST + 3, BEST + 4
WAY_PLAIN, WAY_DIAGONAL, KEEPS, RIVALS, SHARE = BEST + 5, BEST + 6, BEST + 7, BEST + 8, BEST + 9
# KEEPS: what a turn's delay leaves of the worth considered; SHARE: what is left where one of the RIVALS is nearer
NEXT, TWO_AT_A_GOAL, EVERYBODY = 0.15, 0.2, 255
# NEXT: worth of being where the next goal is done, as a share of doing it; TWO_AT_A_GOAL: SHARE for a goal
WORTH_A_LOOK = 0.1  # danger at a building's one space that makes the other interesting
USUAL_STEPS = 5.0  # of a turn to come


@kernel
def look_home(game, rules, work, seat):
    """Write HOME_DANGER: doom of leaving the monster nobody to chase."""
    work["score"][HOME_DANGER] = 0.0
    if others_out(game, rules, seat) == 0:
        work["score"][HOME_DANGER] = value_of(work, NOBODY)


# --- where to go ------------------------------------------------------------------------------------------------------


@inline
def end_danger(game, rules, work, space):
    """Doom to be expected from ending on a space; in a treehouse that nobody is left to chase."""
    if rules["treehouse_of"][space] >= 0:
        return work["score"][HOME_DANGER]
    return danger_at(game, rules, work, space)


@kernel
def consider(game, rules, work, seat, space, f_worth):
    """Weigh a space as the place to go to, and keep the best; 1 if it can be reached in this turn."""
    if f_worth <= work["score"][BEST_WORTH]:
        return 0
    here = game["space"][seat]
    plain = need(rules, int(work["score"][WAY_PLAIN]), here, space)
    now = 0
    if plain <= work["score"][MOST_PLAIN]:
        now = 1
    elif work["score"][MOST_DIAGONAL] > 0.0:
        if need(rules, int(work["score"][WAY_DIAGONAL]), here, space) <= work["score"][MOST_DIAGONAL]:
            now = 1
    if now == 1 and fed_overlaps(game, rules, space) == 1 and may_stop_on_feds(game, rules, seat) == 0:
        now = 0
        plain += 3
    if now == 1:
        f_total = f_worth - work["score"][VALUES + RISK] * end_danger(game, rules, work, space)
    else:
        f_total = f_worth
        left = plain - work["score"][MOST_PLAIN]
        while True:
            f_total *= work["score"][KEEPS]
            left -= USUAL_STEPS
            if left <= 0.0:
                break
        if (
            f_total > work["score"][BEST_WORTH]
            and nearer_other(game, rules, seat, space, int(work["score"][RIVALS])) == 1
        ):
            f_total *= work["score"][SHARE]
    f_total -= 0.002 * plain
    if f_total > work["score"][BEST_WORTH]:
        work["score"][BEST_WORTH] = f_total
        work["score"][BEST_SPACE] = space
    return now


@kernel
def consider_building(game, rules, work, seat, building, f_worth):
    """Weigh a building's nearer space, and where that is dangerous the other."""
    if f_worth <= work["score"][BEST_WORTH]:
        return
    here = game["space"][seat]
    way = int(work["score"][WAY_PLAIN])
    one = rules["building_space"][building, 0]
    two = rules["building_space"][building, 1]
    if need(rules, way, here, two) < need(rules, way, here, one):
        two = one
        one = rules["building_space"][building, 1]
    if consider(game, rules, work, seat, one, f_worth) == 1 or fed_overlaps(game, rules, one) == 1:
        if work["score"][BEST_WORTH] < f_worth - WORTH_A_LOOK:
            consider(game, rules, work, seat, two, f_worth)


@kernel
def consider_district(game, rules, work, seat, district, f_worth):
    """Weigh the nearest space of a district."""
    way = rules["way"][ride_index(game, seat), move_flags(game, rules, seat)]
    here = game["space"][seat]
    for i in range(near_count(rules, way, here, MOST_STEPS)):
        space = near(rules, way, here, i)
        if (rules["district_bits"][space] >> district) & 1:
            consider(game, rules, work, seat, space, f_worth)
            return


@kernel
def consider_part(game, rules, work, seat, p, f_worth):
    """Weigh the places where a part of the open goal can be done."""
    g = game["goal"]
    place = rules["part_place"][g, p]
    where = rules["part_where"][g, p]
    if place == AT_BUILDING:
        consider_building(game, rules, work, seat, where, f_worth)
    elif place == AT_LANDMARK:
        for space in range(rules["spaces"]):
            if (rules["landmark_bits"][space] >> where) & 1:
                consider(game, rules, work, seat, space, f_worth)
    elif place == AT_TREEHOUSE:
        for treehouse in range(rules["treehouses"]):
            consider(game, rules, work, seat, rules["treehouse_space"][treehouse], f_worth)
    elif place == AT_MONSTER:
        if game["monster_seen"] != NONE:
            consider_district(game, rules, work, seat, game["monster_seen"], f_worth)
        else:
            for d in range(rules["districts"]):
                if (game["monster_maybe"] >> d) & 1:
                    consider_district(game, rules, work, seat, d, 0.4 * f_worth)
    else:
        bits = game["hatchlings"]
        if place == AT_STAR:
            bits = game["stars"]
        elif place == AT_MIRROR:
            bits = game["mirrors"]
        elif place == AT_TREE:
            bits = game["trees"]
        b = 0
        while bits != 0:
            if bits & 1:
                consider_building(game, rules, work, seat, b, f_worth)
            bits >>= 1
            b += 1


@kernel
def parts_open(game, rules):
    """How often parts of the open goal are still to be done."""
    n = 0
    for p in range(rules["parts"][game["goal"]]):
        n += game["part_left"][p]
    return n


@kernel
def look_far(game, rules, work, seat, g, p):
    """Where part p of goal g draws: 1 if this seat can pay for it; how delay and the others who can are counted."""
    work["score"][KEEPS] = value_of(work, PATIENCE)
    bits = payers(game, rules, g, p)
    work["score"][RIVALS] = bits
    work["score"][SHARE] = TWO_AT_A_GOAL
    if game["alone"] == 1:
        work["score"][SHARE] = 1.0
    return (bits >> seat) & 1


@kernel
def look_near(game, work):
    """The same for what any Kid can do."""
    work["score"][KEEPS] = value_of(work, DELAY)
    work["score"][RIVALS] = EVERYBODY
    work["score"][SHARE] = value_of(work, SPREAD)
    if game["alone"] == 1:
        work["score"][SHARE] = 1.0


@kernel
def consider_goal(game, rules, work, seat):
    """Weigh the open goal's places, where this Kid can do something there."""
    g = game["goal"]
    f_worth = value_of(work, GOAL)
    if g + 1 >= rules["goals"] and parts_open(game, rules) == 1:
        f_worth *= 3.0
    for p in range(rules["parts"][g]):
        if game["part_left"][p] > 0 and rules["part_kind"][g, p] != PART_RESCUE:
            if look_far(game, rules, work, seat, g, p) == 1:
                consider_part(game, rules, work, seat, p, f_worth)


@kernel
def consider_next(game, rules, work, seat):
    """Weigh the places of the next goal, where this Kid could do something, to be there in time."""
    g = game["goal"] + 1
    if g >= rules["goals"]:
        return
    for p in range(rules["parts"][g]):
        if rules["part_kind"][g, p] != PART_RESCUE and rules["part_place"][g, p] == AT_BUILDING:
            if look_far(game, rules, work, seat, g, p) == 1:
                consider_building(game, rules, work, seat, rules["part_where"][g, p], NEXT * value_of(work, GOAL))


@kernel
def best_hope(game, rules, work):
    """The most that is believed of any building without a search token."""
    f_best = 0.0
    for b in range(rules["buildings"]):
        if game["tokens"][b] == 0 and work["score"][HOPE + b] > f_best:
            f_best = work["score"][HOPE + b]
    return f_best


@kernel
def wheels_down(game, rules, seat):
    """Sum of the wheel numbers that lie face down."""
    n = 0
    down = game["wheels"][seat] & ~game["wheels_up"][seat]
    for wheel in range(rules["wheel_value"].shape[0]):
        if (down >> wheel) & 1:
            n += rules["wheel_value"][wheel]
    return n


@kernel
def home_worth(game, rules, work, seat):
    """What searching a treehouse is worth: a token where the Lost Kid may be, wheels, items, curses."""
    f_worth = value_of(work, HOME)
    if game["tokens_out"] < rules["search_tokens"]:
        f_worth += 0.6 * value_of(work, RESCUE) * best_hope(game, rules, work)
        if game["tokens_out"] <= 1:
            f_worth += 0.5 * card_worth(rules, work)
    if seat != 0:
        f_worth += value_of(work, REFRESH) * wheels_down(game, rules, seat)
    down = game["items"][seat] & ~game["item_up"] & ~rules["powered_bits"]
    if down != 0:
        f_worth += 0.5 * value_of(work, ITEM)
        if down & (down - 1) != 0:
            f_worth += 0.3 * value_of(work, ITEM)
    return f_worth + 0.6 * game["curses"][seat]


@kernel
def choose_target(game, rules, work, seat):
    """The space to go to: BEST_SPACE; MOST_PLAIN and MOST_DIAGONAL have been written."""
    work["score"][BEST_WORTH] = -1000.0
    work["score"][BEST_SPACE] = game["space"][seat]
    ride = ride_index(game, seat)
    flags = move_flags(game, rules, seat)
    work["score"][WAY_PLAIN] = rules["way"][ride, flags]
    work["score"][WAY_DIAGONAL] = rules["way"][ride, flags | 1]
    look_home(game, rules, work, seat)
    fill_hope(game, rules, work, seat)
    look_at_monster(game, rules, work, seat)
    count_wants(game, rules, work)
    consider_goal(game, rules, work, seat)
    consider_next(game, rules, work, seat)
    look_near(game, work)
    f_card = card_worth(rules, work)
    for b in range(rules["buildings"]):
        if game["tokens"][b] > 0:
            consider_building(game, rules, work, seat, b, f_card + value_of(work, RESCUE) * work["score"][HOPE + b])
    f_home = home_worth(game, rules, work, seat)
    pools = parts_to_pool(game, rules, seat)
    if pools != 0:
        f_home += 0.5 * value_of(work, POOL)
        for other in range(game["seats"]):
            if (pools >> other) & 1 and game["space"][other] >= 0:
                f_pool = value_of(work, POOL)
                if in_treehouse(game, rules, other) == 1:
                    f_home += 0.5 * f_pool
                else:
                    work["score"][KEEPS] = value_of(work, PATIENCE)
                    consider(game, rules, work, seat, game["space"][other], f_pool)
                    work["score"][KEEPS] = value_of(work, DELAY)
    for treehouse in range(rules["treehouses"]):
        consider(game, rules, work, seat, rules["treehouse_space"][treehouse], f_home)
    if game["bystanders"] != 0:
        for b in range(rules["buildings"]):
            if (game["bystanders"] >> b) & 1:
                consider_building(game, rules, work, seat, b, value_of(work, BYSTANDER))


# --- wheels -----------------------------------------------------------------------------------------------------------


@inline
def steps_of(game, rules, seat, wheel):
    """Steps that a wheel gives, with those gained before."""
    return max(rules["wheel_value"][wheel] - game["curses"][seat], 1) + game["steps"]


@kernel
def choose_wheel(game, rules, work, seat):
    """The smallest wheel that leads to the best place, or that which leads nearest to it."""
    best = 0
    f_best = 0.0
    for i in range(game["options"]):
        option = game["option"][i]
        if option_kind(option) == USE:
            f_worth = turn_item_worth(game, rules, work, seat, option_a(option), D_WHEEL)
            if f_worth > f_best:
                f_best = f_worth
                best = i
    if f_best > 0.0:
        return best
    work["score"][MOST_PLAIN] = 0.0
    work["score"][MOST_DIAGONAL] = 0.0
    for i in range(game["options"]):
        option = game["option"][i]
        if option_kind(option) == WHEEL:
            wheel = option_a(option)
            slot = MOST_PLAIN
            if rules["wheel_diagonal"][wheel] == 1:
                slot = MOST_DIAGONAL
            work["score"][slot] = max(work["score"][slot], 1.0 * steps_of(game, rules, seat, wheel))
    choose_target(game, rules, work, seat)
    target = int(work["score"][BEST_SPACE])
    if seat != 0:
        game["memory"][seat, PLAN] = target + 1
    here = game["space"][seat]
    flags = move_flags(game, rules, seat)
    ride = ride_index(game, seat)
    plain = need(rules, rules["way"][ride, flags], here, target)
    diagonal = need(rules, rules["way"][ride, flags | 1], here, target)
    f_best = -1000.0
    for i in range(game["options"]):
        option = game["option"][i]
        if option_kind(option) == WHEEL:
            wheel = option_a(option)
            steps = steps_of(game, rules, seat, wheel)
            wanted = plain
            if rules["wheel_diagonal"][wheel] == 1:
                wanted = diagonal
            if steps >= wanted:
                f_score = 100.0 - steps
            else:
                f_score = 1.0 * (steps - wanted)
            f_score -= 0.5 * option_b(option)
            if f_score > f_best:
                f_best = f_score
                best = i
    return best


# --- the end of a movement --------------------------------------------------------------------------------------------


@kernel
def approach(game, rules, work, seat, target):
    """Index of the end that leads nearest to a space, at little danger."""
    best = 0
    f_best = 1000.0
    flags = move_flags(game, rules, seat)
    last = -1
    for i in range(game["options"]):
        if option_kind(game["option"][i]) != MOVE:
            break
        last = i
    f_step = value_of(work, RIDE_ON)
    f_risk = value_of(work, RISK)
    for back in range(last + 1):
        i = last - back  # the farthest ends first: most others are then out of the question without looking
        space = option_a(game["option"][i])
        f_cost = f_step * distance(rules, flags, target, space)
        if f_cost < f_best:
            f_cost += f_risk * end_danger(game, rules, work, space)
            if f_cost < f_best:
                f_best = f_cost
                best = i
    return best


@kernel
def free_ride(game, rules, work, seat):
    """Index of the end of a movement without a search: out of danger, and on the way to the best place."""
    work["score"][MOST_PLAIN] = 6.0
    work["score"][MOST_DIAGONAL] = 0.0
    choose_target(game, rules, work, seat)
    return approach(game, rules, work, seat, int(work["score"][BEST_SPACE]))


@kernel
def index_of_end(game, space):
    """Index of the option to end a movement on a space; NONE."""
    option = make_option(MOVE, space, 0, 0)
    for i in range(game["options"]):
        if game["option"][i] == option:
            return i
    return NONE


@kernel
def stop_worth(game, rules, work, seat, space):
    """What a stop on the way is worth: a part to pay for, symbols to pool, a bystander."""
    g = game["goal"]
    for p in range(rules["parts"][g]):
        if game["part_left"][p] > 0 and rules["part_kind"][g, p] == PART_ENTER:
            if can_pay(game, rules, seat, rules["part_price"][g, p], rules["part_symbol"][g, p]) == 1:
                if is_place(game, rules, space, rules["part_place"][g, p], rules["part_where"][g, p]) == 1:
                    return value_of(work, GOAL)
    pools = parts_to_pool(game, rules, seat)
    if pools != 0:
        house = rules["treehouse_of"][space] >= 0
        for other in range(game["seats"]):
            if (pools >> other) & 1 and game["space"][other] >= 0:
                if game["space"][other] == space or (house and in_treehouse(game, rules, other) == 1):
                    return value_of(work, POOL)
    building = rules["building_of"][space]
    if building >= 0 and (game["bystanders"] >> building) & 1:
        return value_of(work, BYSTANDER)
    return 0.0


@kernel
def is_place(game, rules, space, place, where):
    """1 if a space is, for all that is seen, a place that a goal names."""
    building = rules["building_of"][space]
    if place == AT_LANDMARK:
        return (rules["landmark_bits"][space] >> where) & 1
    if place == AT_TREEHOUSE:
        return 1 if rules["treehouse_of"][space] >= 0 else 0
    if place == AT_MONSTER:
        if game["monster_seen"] == NONE:
            return 0
        return (rules["district_bits"][space] >> game["monster_seen"]) & 1
    if building < 0:
        return 0
    if place == AT_BUILDING:
        return 1 if building == where else 0
    bits = game["hatchlings"]
    if place == AT_STAR:
        bits = game["stars"]
    elif place == AT_MIRROR:
        bits = game["mirrors"]
    elif place == AT_TREE:
        bits = game["trees"]
    return (bits >> building) & 1


@kernel
def best_stop(game, rules, work, seat, target, way):
    """Index of a stop that costs nothing on the way to the target, or is worth the detour; NONE."""
    best = NONE
    f_best = 0.0
    flags = move_flags(game, rules, seat)
    here = game["space"][seat]
    for back in range(game["options"]):
        i = game["options"] - 1 - back
        option = game["option"][i]
        kind = option_kind(option)
        if kind == MOVE:
            break
        if kind == VIA and option_a(option) != target:
            space = option_a(option)
            f_worth = stop_worth(game, rules, work, seat, space)
            if f_worth > f_best:
                left = game["steps"] - distance(rules, flags, here, space)
                if need(rules, way, space, target) <= left or f_worth >= 1.0:
                    f_best = f_worth
                    best = i
    return best


@kernel
def more_steps(game, rules, work, seat, missing):
    """Index of an item or a spare symbol that gives the steps still missing; NONE."""
    for i in range(game["options"]):
        option = game["option"][i]
        kind = option_kind(option)
        if kind == USE:
            if turn_item_steps(rules, option_a(option)) >= missing:
                return i
        elif kind == SYMBOL_OPTION and rules["symbol_steps"] >= missing:
            if work["score"][SPARE + option_a(option)] >= 1.0 and may_spare(game, rules, seat, option_a(option)) == 1:
                return i
    return NONE


@kernel
def turn_item_steps(rules, card):
    """Steps that an item gives in the own movement."""
    steps = 0
    for pc in range(rules["item_start"][card], rules["item_end"][card]):
        if rules["op"][pc] == OP_MOVE:
            steps += rules["op_a"][pc]
    return steps


@kernel
def kinds_offered(game):
    """Bits of the kinds of option that come after the ends of a movement."""
    bits = 0
    for back in range(game["options"]):
        kind = option_kind(game["option"][game["options"] - 1 - back])
        if kind == MOVE:
            break
        bits |= 1 << kind
    return bits


@kernel
def first_of_kind(game, kind):
    """Index of the first option of a kind."""
    for i in range(game["options"]):
        if option_kind(game["option"][i]) == kind:
            return i
    return 0


@kernel
def choose_move(game, rules, work, seat):
    """A free action, a stop, or the end of the turn's movement."""
    kinds = kinds_offered(game)
    if (kinds >> GOAL_OPTION) & 1:
        return first_of_kind(game, GOAL_OPTION)
    if (kinds >> TRADE) & 1:
        traded = best_trade(game, rules, work, seat)
        if traded != NONE:
            return traded
    way = rules["way"][ride_index(game, seat), move_flags(game, rules, seat)]
    target = NONE
    if seat != 0:
        target = game["memory"][seat, PLAN] - 1
        game["memory"][seat, PLAN] = 0
    if target < 0:
        work["score"][MOST_PLAIN] = 1.0 * game["steps"]
        work["score"][MOST_DIAGONAL] = 0.0
        choose_target(game, rules, work, seat)
        target = int(work["score"][BEST_SPACE])
    if (kinds >> VIA) & 1:
        stop = best_stop(game, rules, work, seat, target, way)
        if stop != NONE:
            return stop
    missing = need(rules, way, game["space"][seat], target) - game["steps"]
    if missing <= 0:
        end = index_of_end(game, target)
        if end != NONE:
            return end
    elif (kinds >> USE) & 1 or (kinds >> SYMBOL_OPTION) & 1:
        count_wants(game, rules, work)
        more = more_steps(game, rules, work, seat, missing)
        if more != NONE:
            if seat != 0:
                game["memory"][seat, PLAN] = target + 1
            return more
    look_at_monster(game, rules, work, seat)
    look_home(game, rules, work, seat)
    return approach(game, rules, work, seat, target)
