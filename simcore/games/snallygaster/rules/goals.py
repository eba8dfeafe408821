"""The open goal and its parts, what they cost, and the rescue (rulebook, Searching Goal Locations, Completing Quests
and Goals; L1, L20, L31)."""

import numpy as np

from simcore.games.snallygaster.kernel import kernel, make_option
from simcore.games.snallygaster.layout import (
    ANY_SYMBOL,
    NONE,
    SEATS,
    Event,
    Ledger,
    Option,
    Part,
    Place,
    Source,
    Span,
    Status,
    Step,
    Tally,
)
from simcore.games.snallygaster.rules.steps import push, push_rows
from simcore.games.snallygaster.rules.tokens import take
from simcore.play import log, offer


@kernel
def at_place(game, rules, space, place, where):
    """1 if a space is a place that a goal names."""
    building = rules["building_of"][space]
    if place == Place.LANDMARK:
        return (rules["landmark_bits"][space] >> where) & 1
    if place == Place.TREEHOUSE:
        return np.int64(rules["treehouse_of"][space] >= 0)
    if place == Place.MONSTER:
        return (rules["district_bits"][space] >> game["monster"][0]) & 1
    if building < 0:
        return 0
    if place == Place.BUILDING:
        return np.int64(building == where)
    if place == Place.STAR:
        return (game["stars"] >> building) & 1
    if place == Place.MIRROR:
        return (game["mirrors"] >> building) & 1
    if place == Place.TREE:
        return (game["trees"] >> building) & 1
    return (game["hatchlings"] >> building) & 1


@kernel
def can_pay(game, rules, seat, price, symbol):
    """1 if a seat holds the symbols of a price."""
    if symbol != ANY_SYMBOL:
        return np.int64(game["symbols"][seat, symbol] >= price)
    held = 0
    for kind in range(rules["symbols"]):
        held += game["symbols"][seat, kind]
    return np.int64(held >= price)


@kernel
def spend(game, rules, work, seat, kind, for_goal):
    """One symbol of a kind to the spent tiles [L19, L31]."""
    game["symbols"][seat, kind] -= 1
    game["symbols_out"] -= 1
    for tile in range(rules["tiles"]):
        if rules["tile_symbol"][tile] == kind and game["tile_at"][tile] == seat:
            game["tile_at"][tile] = SEATS
            break
    component = rules["component_symbol"][kind]
    game["used"][component] = 1
    game["tally"][Tally.COMPONENTS + 3 * component + 1] += 1
    log(game, work, Event.SPEND, seat, kind, for_goal, 0)


@kernel
def pay(game, rules, work, seat, price, symbol):
    """The symbols of a price: of the named kind, or of the kinds held most [L31]."""
    for _ in range(price):
        kind = symbol
        if symbol == ANY_SYMBOL:
            kind = 0
            for other in range(1, rules["symbols"]):
                if game["symbols"][seat, other] > game["symbols"][seat, kind]:
                    kind = other
        spend(game, rules, work, seat, kind, 1)


@kernel
def is_open_here(game, rules, seat, p, kind):
    """1 if a seat can do part p of the open goal, of this kind, where it is: the place is right, the price is there."""
    g = game["goal"]
    if game["part_left"][p] == 0 or rules["part_kind"][g, p] != kind:
        return 0
    if at_place(game, rules, game["space"][seat], rules["part_place"][g, p], rules["part_where"][g, p]) == 0:
        return 0
    return can_pay(game, rules, seat, rules["part_price"][g, p], rules["part_symbol"][g, p])


@kernel
def begin_goal(game, rules, work, g):
    """Goal g is the open one: its parts, and what its card does as it opens waits."""
    game["goal"] = g
    game["tally"][Tally.COMPONENTS + 3 * rules["component_goal"][g]] += 1
    for p in range(rules["parts"][g]):
        game["part_left"][p] = rules["part_times"][g, p]
        if rules["part_kind"][g, p] == Part.RESCUE and game["rescued"] == 1:
            game["part_left"][p] = 0
    log(game, work, Event.OPENS, game["active"], g, 0, 0)
    push_rows(game, game["active"], Source.ITEM, rules["goal_opens"][g], rules["goal_opens_end"][g])


@kernel
def check_goal(game, rules, work):
    """Where every part of the open goal is done: its reward, and the next goal; after the last the Kids win [L20]."""
    while game["status"] == Status.PLAYING:
        g = game["goal"]
        for p in range(rules["parts"][g]):
            if game["part_left"][p] > 0:
                return
        component = rules["component_goal"][g]
        game["used"][component] = 1
        game["tally"][Tally.COMPONENTS + 3 * component + 1] += 1
        game["tally"][Tally.GOALS] += 1
        log(game, work, Event.GOAL, game["active"], g, 0, 0)
        last = g + 1 >= rules["goals"]
        if last:
            if rules["goal_reward"][g] < rules["goal_reward_end"][g]:
                game["tally"][Ledger.TOGETHER_END] += 1
            if rules["last_doom"] == 0:
                game["status"] = Status.WON
                return
            push(game, Step.WIN, game["active"], 0, 0, 0)
            game["part_left"][0] = 1  # nothing is left to do; it only waits
            push_rows(game, game["active"], Source.ITEM, rules["goal_reward"][g], rules["goal_reward_end"][g])
            return
        begin_goal(game, rules, work, g + 1)
        push_rows(game, game["active"], Source.ITEM, rules["goal_reward"][g], rules["goal_reward_end"][g])


@kernel
def do_part(game, rules, work, seat, p):
    """Part p of the open goal is done once by a seat, which pays for it; the token searched is taken away."""
    g = game["goal"]
    pay(game, rules, work, seat, rules["part_price"][g, p], rules["part_symbol"][g, p])
    place = rules["part_place"][g, p]
    if rules["part_kind"][g, p] == Part.SEARCH and Place.STAR <= place <= Place.HATCHLING:
        take(game, work, place, rules["building_of"][game["space"][seat]])
    game["part_left"][p] -= 1
    log(game, work, Event.PART, seat, p, game["part_left"][p], 0)
    check_goal(game, rules, work)


@kernel
def arrive(game, rules, work, seat):
    """A seat has moved into a space and stops there: parts of the open goal that only ask for that, and a bystander."""
    building = rules["building_of"][game["space"][seat]]
    if building >= 0 and (game["bystanders"] >> building) & 1:
        take(game, work, Place.BYSTANDER, building)
        push_rows(game, seat, Source.STORY, rules["quest_start"], rules["quest_end"])
    for p in range(rules["parts"][game["goal"]]):
        g = game["goal"]
        if p < rules["parts"][g] and rules["part_price"][g, p] == 0 and is_open_here(game, rules, seat, p, Part.ENTER):
            if rules["part_place"][g, p] == Place.MONSTER:
                show_monster(game, work)
            do_part(game, rules, work, seat, p)
            if game["goal"] != g or game["status"] != Status.PLAYING:
                return


@kernel
def show_monster(game, work):
    """A hidden monster is shown until it moves."""
    if game["monster_seen"] == NONE:
        game["monster_seen"] = game["monster"][0]
        log(game, work, Event.SHOWN, 0, 1, game["monster"][0], 0)
    game["monster_maybe"] = 1 << game["monster"][0]


@kernel
def offer_parts(game, rules, seat):
    """Free actions of the open goal here: places to enter that have a price."""
    g = game["goal"]
    for p in range(rules["parts"][g]):
        if rules["part_price"][g, p] > 0 and is_open_here(game, rules, seat, p, Part.ENTER):
            offer(game, make_option(Option.GOAL, p, 0, 0))


@kernel
def rescue(game, rules, work, seat):
    """The Lost Kid is free: on the board where it was hidden, with its powered card (rulebook, After They Are
    Rescued)."""
    building = rules["card_building"][game["hidden_card"][0]]
    card = game["powered"][0]
    game["rescued"] = 1
    game["freed_at"] = building
    game["rescue_round"] = game["round"]
    game["space"][0] = rules["building_space"][building, 0]
    game["items"][0] |= 1 << card
    game["item_up"] |= 1 << card
    game["tally"][Tally.RESCUED] = 1
    game["tally"][Ledger.RESCUED] += 1
    component = rules["component_item"][card]
    game["tally"][Tally.COMPONENTS + 3 * component] += 1
    game["span"][Span.RESCUE_ROUND] = game["round"] + 1
    log(game, work, Event.RESCUE, seat, building, card, 0)
    g = game["goal"]
    for p in range(rules["parts"][g]):
        if rules["part_kind"][g, p] == Part.RESCUE and game["part_left"][p] > 0:
            game["part_left"][p] = 0
            log(game, work, Event.PART, seat, p, 0, 0)
    check_goal(game, rules, work)


@kernel
def asks_for_rescue(game, rules):
    """1 if the open goal has a part that the rescue does."""
    g = game["goal"]
    for p in range(rules["parts"][g]):
        if rules["part_kind"][g, p] == Part.RESCUE and game["part_left"][p] > 0:
            return 1
    return 0
