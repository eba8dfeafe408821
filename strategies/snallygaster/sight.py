"""What a seat can work out from what it may see: danger by place, symbols still needed, what a card's rows would do.

Shared kernels for the Kids' strategies. Worths are in doom: 1.0 is one step of the doom track. What is worked out once
a decision lies behind the options' scores in work["score"], which a policy may use as it likes:

    HOPE + building     what the seat believes of each building: the Lost Kid is there (sums to about 1)
    DANGER + district   chance that the monster hits there before the seat's next turn
    WANT + kind         symbols of the kind that the open goal still lacks, all Kids' together
    LATER + kind        ... that the later goals will lack
    SPARE + kind        ... that no goal will ask for
    VALUES + name       what the strategy thinks things are worth (its named weights, see VALUE_NAMES)
"""

import numpy as np

from simcore.games.snallygaster.kernel import distance, exposed, inline, kernel
from simcore.games.snallygaster.layout import ANY_SYMBOL, BELIEF, NONE, Mechanics, Op, Step
from simcore.games.snallygaster.rules.monster import kids_hops
from simcore.games.snallygaster.rules.monsters.mirrors import mirror_districts

ROOM = 384  # options that are scored; beyond them lies what is worked out
HOPE, DANGER, WANT, LATER, VALUES, BEST, CHANCE, SPARE = 384, 424, 440, 445, 450, 480, 490, 495
FAR = 1000
PART_OF_ALL = 1.0 / BELIEF
LAST_DOOM = 5.0  # what ends the game
VALUE_COUNT = 20  # without by_belief

# Places of the values from VALUES on; a strategy writes all of them before it asks anything here.
VALUE_NAMES = (
    *("goal", "symbol", "later", "item", "rescue", "home", "refresh", "risk", "hit_here", "hit_near", "patience"),
    *(
        "fed_next",
        "fed_later",
        "delay",
        "nobody",
        "pool",
        "spread",
        "use_item",
        "bystander",
        "ride_on",
        "by_belief",
        "hit_far",
    ),
)
GOAL, SYMBOL, LATER_SYMBOL, ITEM, RESCUE, HOME, REFRESH, RISK, HIT_HERE, HIT_NEAR = range(10)
PATIENCE, FED_NEXT, FED_LATER, DELAY, NOBODY, POOL, SPREAD, USE_ITEM, BYSTANDER, RIDE_ON = range(10, 20)
BY_BELIEF, HIT_FAR = 20, 21

OP_MONSTER, OP_NEAREST, OP_LENGTH, OP_ATTACK = int(Op.MONSTER), int(Op.NEAREST), int(Op.LENGTH), int(Op.ATTACK)
OP_FEDS, OP_DOOM, OP_SYMBOL, OP_ITEM, OP_TOKEN = int(Op.FEDS), int(Op.DOOM), int(Op.SYMBOL), int(Op.ITEM), int(Op.TOKEN)
OP_FREE_MOVE, OP_SOUL, OP_CURSE, OP_LIGHT, OP_LIFT = (
    int(Op.FREE_MOVE),
    int(Op.SOUL),
    int(Op.CURSE),
    int(Op.LIGHT),
    int(Op.LIFT_CURSE),
)
OP_REFRESH_ITEMS, OP_REFRESH_WHEELS = int(Op.REFRESH_ITEMS), int(Op.REFRESH_WHEELS)
MIRRORS, FIXATION = int(Mechanics.MIRRORS), int(Mechanics.FIXATION)
CLOSE = int(Step.CLOSE)


@inline
def value_of(work, name):
    """A value that the strategy has written."""
    return work["score"][VALUES + name]


# --- danger -----------------------------------------------------------------------------------------------------------


@inline
def fill_chances(work, f_part):
    """Write CHANCE: how likely a monster 0, 1, 2, 3 and more districts away hits here before the next turn."""
    work["score"][CHANCE] = f_part * work["score"][VALUES + HIT_HERE]
    work["score"][CHANCE + 1] = f_part * work["score"][VALUES + HIT_NEAR]
    work["score"][CHANCE + 2] = work["score"][VALUES + HIT_FAR] * work["score"][CHANCE + 1]
    work["score"][CHANCE + 3] = 0.3 * work["score"][CHANCE + 2]


@kernel
def others_out(game, rules, seat):
    """How many others on the board can be chased."""
    n = 0
    for other in range(game["seats"]):
        if other != seat and exposed(game, rules, other) == 1:
            n += 1
    return n


@kernel
def look_at_monster(game, rules, work, seat):
    """Work out DANGER for a seat: from the monster's district, or from all where it can be."""
    f_part = 1.0
    if game["stunned"] == 1:
        f_part = 0.5
    closer = 0
    if rules["mechanics"] == FIXATION and game["fixed_on"] != NONE:
        if game["fixed_on"] == seat:
            closer = 1
        elif exposed(game, rules, game["fixed_on"]) == 1:
            f_part *= 0.7
    fill_chances(work, f_part)
    seen = game["monster_seen"]
    if seen != NONE:
        near = 0
        if rules["mechanics"] == MIRRORS and game["mirrors"] != 0:
            near = mirror_districts(game, rules, seen)
        for d in range(rules["districts"]):
            hops = max(rules["hops"][seen, d] - closer, 0)
            if hops > 1 and (near >> d) & 1:
                hops = 1
            work["score"][DANGER + d] = work["score"][CHANCE + min(hops, 3)]
    else:
        look_for_hidden(game, rules, work)
    if game["lights"] != 0:
        for d in range(rules["districts"]):
            if (game["lights"] >> d) & 1:
                work["score"][DANGER + d] *= 0.2


@kernel
def look_for_hidden(game, rules, work):
    """DANGER of a monster that is not seen: the mean over where it can be."""
    places = 0
    for d in range(rules["districts"]):
        work["score"][DANGER + d] = 0.0
    for m in range(rules["districts"]):
        if (game["monster_maybe"] >> m) & 1:
            places += 1
            for d in range(rules["districts"]):
                work["score"][DANGER + d] += work["score"][CHANCE + min(rules["hops"][m, d], 3)]
    if places > 0:
        for d in range(rules["districts"]):
            work["score"][DANGER + d] /= places


@inline
def fed_danger(game, rules, work, space):
    """Chance that a Fed touches a space before the next turn; with three Kids or more it drives twice till then."""
    f_sum = 0.0
    f_second = work["score"][VALUES + FED_LATER]
    f_third = 0.0
    if rules["kids"] > rules["kid_turns"]:
        f_third = 0.7 * f_second
        f_second = 0.5 * (f_second + work["score"][VALUES + FED_NEXT])
    for fed in range(2):
        leg = game["fed_at"][fed]
        if np.int64(rules["leg_touch"][fed, leg, space]) == 1:
            f_sum += work["score"][VALUES + FED_NEXT]
            continue
        leg += 1
        if leg >= rules["stops"][fed]:
            leg = 0
        if np.int64(rules["leg_touch"][fed, leg, space]) == 1:
            f_sum += f_second
        elif f_third > 0.0:
            leg += 1
            if leg >= rules["stops"][fed]:
                leg = 0
            f_sum += f_third * np.int64(rules["leg_touch"][fed, leg, space])
    return f_sum


@inline
def danger_at(game, rules, work, space):
    """Doom to be expected from ending on a space (look_at_monster has been called)."""
    if rules["treehouse_of"][space] >= 0:
        return 0.0
    bits = rules["district_bits"][space]
    f_most = 0.0
    d = 0
    while bits != 0:
        if bits & 1 and work["score"][DANGER + d] > f_most:
            f_most = work["score"][DANGER + d]
        bits >>= 1
        d += 1
    return f_most + fed_danger(game, rules, work, space)


# --- what is needed ---------------------------------------------------------------------------------------------------


@kernel
def count_wants(game, rules, work):
    """Work out WANT and LATER, the symbols that the goals still lack."""
    kinds = rules["symbols"]
    f_any = 0.0
    f_any_later = 0.0
    for kind in range(kinds):
        work["score"][WANT + kind] = 0.0
        work["score"][LATER + kind] = 0.0
    for g in range(game["goal"], rules["goals"]):
        for p in range(rules["parts"][g]):
            price = rules["part_price"][g, p]
            if price == 0:
                continue
            symbol = rules["part_symbol"][g, p]
            if g == game["goal"]:
                price *= game["part_left"][p]
                if symbol == ANY_SYMBOL:
                    f_any += price
                else:
                    work["score"][WANT + symbol] += price
            else:
                price *= rules["part_times"][g, p]
                if symbol == ANY_SYMBOL:
                    f_any_later += price
                else:
                    work["score"][LATER + symbol] += price
    for kind in range(kinds):
        held = 0
        for seat in range(game["seats"]):
            held += game["symbols"][seat, kind]
        f_left = held - work["score"][WANT + kind]
        work["score"][WANT + kind] = max(-f_left, 0.0)
        f_left = max(f_left, 0.0) - work["score"][LATER + kind]
        work["score"][LATER + kind] = max(-f_left, 0.0)
        f_left = max(f_left, 0.0)
        if f_left > 0.0:  # spare ones pay what any kind pays
            f_spare = max(f_left - f_any - f_any_later, 0.0)
            f_any -= f_left
            f_left = f_spare
            if f_any < 0.0:
                f_any_later += f_any
                f_any = 0.0
        work["score"][SPARE + kind] = f_left
    for kind in range(kinds):
        if f_any > 0.0:
            work["score"][WANT + kind] += 1.0
        elif f_any_later > 0.0:
            work["score"][LATER + kind] += 1.0


@kernel
def symbol_worth(rules, work, kind):
    """What one more symbol of a kind is worth (count_wants has been called)."""
    if kind == ANY_SYMBOL:
        f_best = 0.0
        for other in range(rules["symbols"]):
            f_worth = symbol_worth_of(work, other)
            if f_worth > f_best:
                f_best = f_worth
        return f_best
    return symbol_worth_of(work, kind)


@inline
def symbol_worth_of(work, kind):
    """The same for a named kind."""
    if work["score"][WANT + kind] > 0.0:
        return work["score"][VALUES + SYMBOL] * (1.0 + 0.2 * work["score"][WANT + kind])
    if work["score"][LATER + kind] > 0.0:
        return work["score"][VALUES + SYMBOL] * work["score"][VALUES + LATER_SYMBOL]
    return 0.1 * work["score"][VALUES + SYMBOL]


@kernel
def card_worth(rules, work):
    """What a search card drawn is worth: a symbol of some kind about every other time, else an item or an escape."""
    f_sum = 0.0
    for kind in range(rules["symbols"]):
        f_sum += symbol_worth_of(work, kind)
    return 0.55 * f_sum / max(rules["symbols"], 1) + 0.25 * work["score"][VALUES + ITEM]


# --- what a card's rows would do --------------------------------------------------------------------------------------


@inline
def struck_in(game, rules, district):
    """Kids whom an attack on a district hits."""
    if (game["lights"] >> district) & 1:
        return 0
    n = 0
    for seat in range(game["seats"]):
        if exposed(game, rules, seat) == 1 and (rules["district_bits"][game["space"][seat]] >> district) & 1:
            n += 1
    return n


@kernel
def nearest_cost(game, rules, m):
    """Doom of a movement of the monster from a district towards the closest Kid."""
    only = NONE
    reach = 1
    if rules["mechanics"] == FIXATION and game["fixed_on"] != NONE and exposed(game, rules, game["fixed_on"]) == 1:
        only = game["fixed_on"]
        reach = 2
    least = kids_hops(game, rules, m, only)
    if least >= FAR:
        return 1.0
    if least == 0:
        return 1.0 * struck_in(game, rules, m)
    if least <= reach:
        return 1.1
    if least == reach + 1:
        return 0.3
    return 0.1


@kernel
def direction_cost(game, rules, m, direction):
    """Doom of a movement of the monster by one district."""
    bits = rules["neighbours"][m, direction]
    if bits == 0:
        return 1.0
    f_least = 10.0  # the Lost Kid chooses, and means well
    for d in range(rules["districts"]):
        if (bits >> d) & 1 and struck_in(game, rules, d) < f_least:
            f_least = 1.0 * struck_in(game, rules, d)
    return f_least


@kernel
def action_cost_from(game, rules, pc, m):
    """Doom of the monster action in a row, from a district."""
    op = rules["op"][pc]
    if op == OP_NEAREST:
        return nearest_cost(game, rules, m)
    if op == OP_MONSTER or op == OP_LENGTH:
        return direction_cost(game, rules, m, rules["op_a"][pc])
    if op == OP_ATTACK:
        return 1.0 * struck_in(game, rules, m)
    return 0.0


@kernel
def action_cost(game, rules, pc):
    """Doom of the monster action in a row: the mean over where the monster can be."""
    if game["stunned"] == 1:
        return 0.0
    if game["monster_seen"] != NONE:
        return action_cost_from(game, rules, pc, game["monster_seen"])
    f_sum = 0.0
    places = 0
    for m in range(rules["districts"]):
        if (game["monster_maybe"] >> m) & 1:
            f_sum += action_cost_from(game, rules, pc, m)
            places += 1
    return f_sum / max(places, 1)


@kernel
def feds_cost(game, rules, fed, steps):
    """Doom of a Fed driving so many intersections: Kids caught, and its share of a full patrol."""
    caught = 0
    f_cost = 0.0
    stop = game["fed_at"][fed]
    for i in range(steps):
        if i == 0 and game["feds_held"] == 1:
            continue
        leg = stop
        stop += 1
        if stop >= rules["stops"][fed]:
            stop = 0
            if game["doom"] + 1 >= rules["doom_length"]:
                f_cost += LAST_DOOM
        for seat in range(game["seats"]):
            if exposed(game, rules, seat) == 1 and (caught >> seat) & 1 == 0:
                if np.int64(rules["leg_touch"][fed, leg, game["space"][seat]]) == 1:
                    caught |= 1 << seat
                    f_cost += 1.0
    return f_cost + steps / rules["stops"][fed]  # each step brings the full round nearer


@kernel
def row_worth(game, rules, work, seat, pc):
    """What a row of a card is worth to the Kids (look_at_monster and count_wants have been called)."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if OP_MONSTER <= op <= OP_ATTACK:
        return -work["score"][VALUES + RISK] * action_cost(game, rules, pc)
    if op == OP_FEDS:
        if a == 2:
            f_cost = min(feds_cost(game, rules, 0, rules["op_b"][pc]), feds_cost(game, rules, 1, rules["op_b"][pc]))
        else:
            f_cost = feds_cost(game, rules, a, rules["op_b"][pc])
        return -work["score"][VALUES + RISK] * f_cost
    if op == OP_DOOM:
        return -work["score"][VALUES + RISK] * a
    if op == OP_SYMBOL:
        return symbol_worth(rules, work, a) - 0.1
    if op == OP_ITEM:
        return a * work["score"][VALUES + ITEM]
    if op == OP_FREE_MOVE:
        f_here = danger_at(game, rules, work, game["space"][seat])
        return work["score"][VALUES + RISK] * f_here * 0.8 + work["score"][VALUES + RIDE_ON] * a
    if op == OP_SOUL:
        return -0.34 * work["score"][VALUES + RISK] * a
    if op == OP_CURSE:
        return -0.4 * work["score"][VALUES + RISK]
    if op == OP_TOKEN or op == OP_LIGHT or op == OP_LIFT or op == OP_REFRESH_WHEELS:
        return 0.3
    if op == OP_REFRESH_ITEMS:
        down = game["items"][seat] & ~game["item_up"]
        return work["score"][VALUES + ITEM] * min(1.0 * down, 1.0) * 0.9
    return 0.0


@kernel
def rows_worth(game, rules, work, seat, start, end):
    """What the rows of an effect are worth; controls count as what they govern."""
    f_sum = 0.0
    for pc in range(start, end):
        if game["card_mood"] == 1 and rules["op_threat"][pc] == 1:
            continue
        f_sum += row_worth(game, rules, work, seat, pc)
    return f_sum


# --- where the Lost Kid may be, at a glance ---------------------------------------------------------------------------


@kernel
def hope_at_a_glance(game, rules, work):
    """HOPE from the hints in view alone; not where it was looked, nor the building of a card that was seen."""
    seen = game["cleared"]
    for i in range(game["discards"][0]):
        seen |= 1 << rules["card_building"][game["discard"][0, i]]
    for pile in range(rules["pile_count"]):
        if game["piles"][pile] != NONE:
            seen |= 1 << rules["card_building"][game["piles"][pile]]
    f_sum = 0.0
    for b in range(rules["buildings"]):
        f_hope = 0.0
        if (seen >> b) & 1 == 0:
            f_hope = 1.0
            for pile in range(rules["pile_count"]):
                if game["piles"][pile] != NONE and game["pile_told"][pile] == 1:
                    hint = rules["card_hint"][game["piles"][pile]]
                    if hint != NONE:
                        f_hope *= rules["hint_weight"][hint, b]
        work["score"][HOPE + b] = f_hope
        f_sum += f_hope
    if f_sum > 0.0:
        for b in range(rules["buildings"]):
            work["score"][HOPE + b] /= f_sum


@kernel
def hope_by_belief(game, rules, work, seat):
    """HOPE from the seat's own belief (belief.py)."""
    for b in range(rules["buildings"]):
        work["score"][HOPE + b] = game["memory"][seat, b] * PART_OF_ALL


@kernel
def no_hope(rules, work):
    """HOPE once the Lost Kid is free: nowhere."""
    for b in range(rules["buildings"]):
        work["score"][HOPE + b] = 0.0


@kernel
def fill_hope(game, rules, work, seat):
    """Write HOPE: by the seat's own belief where it keeps one, else from the hints in view."""
    if game["rescued"] == 1:
        no_hope(rules, work)
    elif work["score"][VALUES + BY_BELIEF] > 0.0:
        hope_by_belief(game, rules, work, seat)
    else:
        hope_at_a_glance(game, rules, work)


# --- the others -------------------------------------------------------------------------------------------------------


@kernel
def nearer_other(game, rules, seat, space, rivals):
    """1 if another seat of some (bits) is nearer to a space."""
    mine = distance(rules, 0, space, game["space"][seat])
    for other in range(game["seats"]):
        if (rivals >> other) & 1 and other != seat and game["space"][other] >= 0:
            if distance(rules, 0, space, game["space"][other]) < mine:
                return 1
    return 0
