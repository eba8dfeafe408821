"""Moving: wheels, ends and stops, free actions on the way (rulebook, The Kids' Turns; L12, L13, L15, L24, L30, L34)."""

import numpy as np

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
    option_c,
    option_kind,
)
from simcore.games.snallygaster.layout import (
    MOST_STEPS,
    NONE,
    RIDES,
    TRADES,
    Ability,
    Decision,
    Event,
    Ledger,
    Option,
    Part,
    Place,
    Span,
    Status,
    Tally,
    Window,
)
from simcore.games.snallygaster.rules.doom import may_stop_on_feds, refresh_wheels
from simcore.games.snallygaster.rules.goals import arrive, offer_parts, rescue, spend
from simcore.games.snallygaster.rules.monsters.fixation import fix_on
from simcore.games.snallygaster.rules.windows import offer_items
from simcore.play import count_peak, decide, log, offer

ALL_ITEMS = 64  # TRADE: a kind of symbol is this and its number


@inline
def ride_index(game, seat):
    """The seat's ride in the rules' tables; the last entry is "none"."""
    ride = game["ride"][seat]
    return RIDES if ride == NONE else ride


@kernel
def move_flags(game, rules, seat):
    """How the seat moves this turn: 1 diagonally, 2 over fences."""
    abilities = rules["ride_ability"][ride_index(game, seat)]
    if seat == game["active"]:
        abilities |= game["abilities"]
    return abilities & (Ability.DIAGONAL | Ability.CROSS_FENCES)


@kernel
def offer_ends(game, rules, seat, way, steps):
    """Every space where a movement of so many steps may end; the own space if there is no other."""
    if steps > MOST_STEPS:
        steps = np.int64(MOST_STEPS)
    here = game["space"][seat]
    anywhere = may_stop_on_feds(game, rules, seat)
    first = game["options"]
    n = first  # written directly: there are at most SPACES of them, and OPTIONS is more than that
    for i in range(near_count(rules, way, here, steps)):
        space = near(rules, way, here, i)
        game["option"][n] = make_option(Option.MOVE, space, 0, 0)
        if anywhere or fed_overlaps(game, rules, space) == 0:
            n += 1
    game["options"] = n
    if n == first:
        offer(game, make_option(Option.MOVE, here, 0, 0))


@kernel
def can_go_on(game, rules, seat, flags, space, steps):
    """1 if a movement with so many steps left leads on from a space."""
    if steps > 0:
        return 1
    return np.int64(near_count(rules, rules["way"][ride_index(game, seat), flags], space, 0) > 1)


@kernel
def offer_stop(game, rules, seat, flags, space):
    """Offer to stop on a space and go on, if the steps (or the bonus of the road) lead further from there."""
    far = distance(rules, flags, game["space"][seat], space)
    if 0 < far <= game["steps"] and can_go_on(game, rules, seat, flags, space, game["steps"] - far) == 1:
        option = make_option(Option.VIA, space, 0, 0)
        i = game["options"] - 1  # stops stand behind the ends
        while i >= 0 and option_kind(game["option"][i]) == Option.VIA:
            if game["option"][i] == option:
                return
            i -= 1
        offer(game, option)


@kernel
def offer_building_stop(game, rules, seat, flags, building):
    """The same for the nearer space of a building."""
    here = game["space"][seat]
    one = rules["building_space"][building, 0]
    two = rules["building_space"][building, 1]
    if distance(rules, flags, here, two) < distance(rules, flags, here, one):
        one = two
    offer_stop(game, rules, seat, flags, one)


@kernel
def has_goods(game, rules, seat):
    """1 if the seat has something to trade."""
    if game["items"][seat] & ~rules["powered_bits"] != 0:
        return 1
    for kind in range(rules["symbols"]):
        if game["symbols"][seat, kind] > 0:
            return 1
    return 0


@kernel
def may_trade(game, rules, seat, other):
    """1 if the seat can trade with another: same space, both in treehouses, a ride's reach, an item's word [L30]."""
    here = game["space"][seat]
    there = game["space"][other]
    if there < 0:
        return 0
    if trades_without_ride(game, rules, here, there):
        return 1
    reach = rules["ride_trade"][ride_index(game, seat)]
    return np.int64(reach > 0 and distance(rules, 0, here, there) <= reach)


@kernel
def trades_without_ride(game, rules, here, there):
    """1 if a trade between two spaces needs no ride."""
    if here == there or game["abilities"] & Ability.TRADE_ANYWHERE:
        return 1
    return np.int64(rules["treehouse_of"][here] >= 0 and rules["treehouse_of"][there] >= 0)


@kernel
def offer_stops(game, rules, seat, flags):
    """Places where something can be done on the way: bystanders, places of the open goal to enter, Kids to trade with,
    treehouses from which to trade."""
    if game["steps"] < 1:
        return
    left = game["bystanders"]
    building = 0
    while left != 0:
        if left & 1:
            offer_building_stop(game, rules, seat, flags, building)
        left >>= 1
        building += 1
    g = game["goal"]
    for p in range(rules["parts"][g]):
        if game["part_left"][p] > 0 and rules["part_kind"][g, p] == Part.ENTER:
            offer_part_stops(game, rules, seat, flags, rules["part_place"][g, p], rules["part_where"][g, p])
    if game["traded"] >= TRADES:
        return
    mine = has_goods(game, rules, seat)
    housed = 0
    for other in range(game["seats"]):
        if other != seat and game["space"][other] >= 0 and (mine == 1 or has_goods(game, rules, other) == 1):
            offer_stop(game, rules, seat, flags, game["space"][other])
            if rules["ride_trade"][ride_index(game, seat)] > 0:
                offer_trading_stop(game, rules, seat, flags, game["space"][other])
            housed |= in_treehouse(game, rules, other)
    if housed == 1:
        for treehouse in range(rules["treehouses"]):
            offer_stop(game, rules, seat, flags, rules["treehouse_space"][treehouse])


@kernel
def offer_trading_stop(game, rules, seat, flags, there):
    """A ride that trades at a distance: the nearest space (the lowest among several) from which it reaches another."""
    reach = rules["ride_trade"][ride_index(game, seat)]
    best = NONE
    least = np.int64(255)
    for space in range(rules["spaces"]):
        far = distance(rules, flags, game["space"][seat], space)
        if far < least and distance(rules, 0, space, there) <= reach:
            least = far
            best = space
    if best != NONE:
        offer_stop(game, rules, seat, flags, best)


@kernel
def offer_part_stops(game, rules, seat, flags, place, where):
    """Stops at a place to enter."""
    if place == Place.BUILDING:
        offer_building_stop(game, rules, seat, flags, where)
    elif place == Place.TREEHOUSE:
        for treehouse in range(rules["treehouses"]):
            offer_stop(game, rules, seat, flags, rules["treehouse_space"][treehouse])
    elif place == Place.LANDMARK:
        for space in range(rules["spaces"]):
            if (rules["landmark_bits"][space] >> where) & 1:
                offer_stop(game, rules, seat, flags, space)
    elif place == Place.MONSTER:
        if game["monster_seen"] != NONE:
            nearest_of_district(game, rules, seat, flags, game["monster_seen"])
    else:
        bits = game["stars"]
        if place == Place.MIRROR:
            bits = game["mirrors"]
        elif place == Place.TREE:
            bits = game["trees"]
        elif place == Place.HATCHLING:
            bits = game["hatchlings"]
        for building in range(rules["buildings"]):
            if (bits >> building) & 1:
                offer_building_stop(game, rules, seat, flags, building)


@kernel
def nearest_of_district(game, rules, seat, flags, district):
    """A stop at the nearest space of a district (the lowest among several)."""
    best = NONE
    least = np.int64(255)
    for space in range(rules["spaces"]):
        if (rules["district_bits"][space] >> district) & 1:
            far = distance(rules, flags, game["space"][seat], space)
            if far < least:
                least = far
                best = space
    if best != NONE:
        offer_stop(game, rules, seat, flags, best)


@kernel
def offer_trades(game, rules, seat):
    """Everything that can change hands with those within reach."""
    if game["traded"] >= TRADES:
        return
    if game["symbols_out"] == 0 and game["items_out"] == 0:
        return
    for other in range(game["seats"]):
        if other != seat and may_trade(game, rules, seat, other):
            for way in range(2):
                giver = seat if way == 0 else other
                goods = game["items"][giver] & ~rules["powered_bits"]
                if goods != 0:
                    for card in range(rules["item_cards"]):
                        if (goods >> card) & 1:
                            offer(game, make_option(Option.TRADE, card, other, way))
                for kind in range(rules["symbols"]):
                    if game["symbols"][giver, kind] > 0:
                        offer(game, make_option(Option.TRADE, ALL_ITEMS + kind, other, way))


@kernel
def trade(game, rules, work, seat, option):
    """One item or symbol changes hands; an item lies as it lay."""
    what = option_a(option)
    giver = seat
    taker = option_b(option)
    if option_c(option) == 1:
        giver = option_b(option)
        taker = seat
    game["traded"] += 1
    game["tally"][Ledger.TRADED] += 1
    if trades_without_ride(game, rules, game["space"][seat], game["space"][option_b(option)]) == 0:
        note_ride(game, rules, seat)
    if what < ALL_ITEMS:
        game["items"][giver] &= ~(1 << what)
        game["items"][taker] |= 1 << what
    else:
        kind = what - ALL_ITEMS
        game["symbols"][giver, kind] -= 1
        game["symbols"][taker, kind] += 1
        for tile in range(rules["tiles"]):
            if rules["tile_symbol"][tile] == kind and game["tile_at"][tile] == giver:
                game["tile_at"][tile] = taker
                break
    log(game, work, Event.TRADE, giver, what, taker, 0)


@kernel
def offer_free_actions(game, rules, seat):
    """What can be done at any point of the own turn: parts of the goal with a price, trades, items."""
    offer_parts(game, rules, seat)
    offer_trades(game, rules, seat)
    offer_items(game, rules, seat, Window.TURN)


@kernel
def offer_spending(game, rules, seat):
    """Symbols to spend for more steps (rulebook, Using Symbols)."""
    if rules["symbol_steps"] == 0:
        return
    for kind in range(rules["symbols"]):
        if game["symbols"][seat, kind] > 0:
            offer(game, make_option(Option.SYMBOL, kind, 0, 0))


@kernel
def step_to(game, rules, work, seat, space, how):
    """The piece comes to a space; `how` as in the trace. Ending in a treehouse, the Lost Kid turns the powered card up
    [L18]; by a ruling ending in the hidden building frees it [L1]."""
    game["space"][seat] = space
    log(game, work, Event.MOVE, seat, space, how, game["steps"])
    arrive(game, rules, work, seat)
    if how == 0 or game["status"] != Status.PLAYING:
        return
    if game["rescued"] == 1:
        if seat == 0 and rules["treehouse_of"][space] >= 0:
            game["item_up"] |= game["items"][0] & rules["powered_bits"]
    elif rules["rescue"] == 1 and how != 3 and rules["building_of"][space] >= 0:
        found_at_end(game, rules, work, seat)


@kernel
def end_movement(game, rules, work, seat, space):
    """The movement ends on a space: what the ride was worth, the road bonus, who is found there."""
    here = game["space"][seat]
    flags = move_flags(game, rules, seat)
    if distance(rules, flags, here, space) > game["steps"]:
        game["tally"][Ledger.ROAD_BONUS] += 1
    ride = game["ride"][seat]
    if ride != NONE:
        own = game["abilities"]
        way = rules["way"][RIDES, own & (Ability.DIAGONAL | Ability.CROSS_FENCES)]
        on_fed = own & Ability.STOP_ON_FEDS == 0 and fed_overlaps(game, rules, space) == 1
        if on_fed or need(rules, way, here, space) > game["steps"]:
            note_ride(game, rules, seat)
    game["steps"] = 0
    game["moving"] = 0
    step_to(game, rules, work, seat, space, 1)


@kernel
def note_ride(game, rules, seat):
    """The ride made something possible."""
    component = rules["component_ride"][game["ride"][seat]]
    if component != NONE:
        game["used"][component] = 1
        game["tally"][Tally.COMPONENTS + 3 * component + 1] += 1


@kernel
def found_at_end(game, rules, work, seat):
    """Ruling rescue = any_end: a movement that ends in the hidden building frees the Lost Kid [L1]."""
    building = rules["building_of"][game["space"][seat]]
    if building == rules["card_building"][game["hidden_card"][0]]:
        rescue(game, rules, work, seat)
    else:
        game["cleared"] |= 1 << building


@kernel
def spend_for_steps(game, rules, work, seat, kind):
    """A symbol for more steps."""
    spend(game, rules, work, seat, kind, 0)
    game["steps"] += rules["symbol_steps"]
    game["tally"][Ledger.SYMBOL_STEPS] += 1


@kernel
def free_move(game, rules, work, seat, steps, how):
    """A movement that a card gives: it ends somewhere within reach, without a search [L12, L15]."""
    if game["space"][seat] < 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    flags = move_flags(game, rules, seat)
    way = rules["way"][ride_index(game, seat), flags]
    if rules["free_move_road_bonus"] == 0:
        way = rules["plain_way"][flags]
    game["options"] = 0
    offer_ends(game, rules, seat, way, steps)
    here = game["space"][seat]
    space = option_a(decide(game, rules, work, seat, Decision.MOVE))
    if distance(rules, flags, here, space) > steps:
        game["tally"][Ledger.FREE_MOVE_BONUS] += 1
    if rules["treehouse_of"][space] >= 0:
        game["tally"][Ledger.FREE_MOVE_HOME] += 1
    step_to(game, rules, work, seat, space, how)


@kernel
def move_kid(game, rules, work, actor, steps):
    """The Lost Kid (or a card) moves any Kid up to so many spaces [L5]."""
    game["options"] = 0
    for seat in range(game["seats"]):
        if game["space"][seat] >= 0 and (seat > 0 or actor > 0):
            offer(game, make_option(Option.KID, seat, 0, 0))
    if game["options"] == 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    seat = option_a(decide(game, rules, work, actor, Decision.WHICH_KID))
    game["options"] = 0
    offer_ends(game, rules, seat, rules["plain_way"][1 - rules["move_kid"]], steps)
    space = option_a(decide(game, rules, work, actor, Decision.KID_TO))
    game["tally"][Ledger.MOVE_KID] += 1
    step_to(game, rules, work, seat, space, 3)


@kernel
def begin_turn(game, rules, work, seat):
    """Nothing used yet in this turn; on the first one the Kid is placed (rulebook, A Kid's First Turn)."""
    if game["space"][seat] < 0:
        place_kid(game, rules, work, seat)
    game["moving"] = 2
    game["steps"] = 0


@kernel
def place_kid(game, rules, work, seat):
    """A Kid comes onto the board, on the story's start building."""
    game["space"][seat] = rules["building_space"][rules["start_building"], 0]
    log(game, work, Event.ARRIVES, seat, game["space"][seat], 0, 0)
    if game["fixed_on"] == NONE:
        fix_on(game, rules, work, seat)


@kernel
def offer_wheels(game, rules, seat):
    """Wheel tokens that are up, and with a ride that allows it one that is down."""
    up = game["wheels_up"][seat]
    for wheel in range(rules["wheel_value"].shape[0]):
        if (up >> wheel) & 1:
            offer(game, make_option(Option.WHEEL, wheel, 0, 0))
    if game["reused"][seat] == 0 and rules["ride_reuse"][ride_index(game, seat)] == 1:
        down = game["wheels"][seat] & ~up
        for wheel in range(rules["wheel_value"].shape[0]):
            if (down >> wheel) & 1:
                offer(game, make_option(Option.WHEEL, wheel, 1, 0))


@kernel
def use_wheel(game, rules, work, seat, wheel, face_down):
    """The wheel gives the steps of this turn, less a curse each [L34]."""
    if face_down == 1:
        game["reused"][seat] = 1
        note_ride(game, rules, seat)
    game["wheels_up"][seat] &= ~(1 << wheel)
    steps = rules["wheel_value"][wheel] - game["curses"][seat]
    if steps < 1:
        steps = np.int64(1)
    game["steps"] += steps
    if rules["wheel_diagonal"][wheel] == 1:
        game["abilities"] |= Ability.DIAGONAL
    log(game, work, Event.WHEEL, seat, wheel, game["steps"], face_down)


@kernel
def end_turn(game, rules, work, seat):
    """Where the last wheel was used, all come up again [L13]."""
    if game["status"] != Status.PLAYING:
        return
    if seat != 0 and game["wheels_up"][seat] == 0:
        game["tally"][Ledger.WHEELS_USED_UP] += 1
        if game["again"] == seat:
            game["tally"][Ledger.DOUBLE_USED_UP] += 1
        refresh_wheels(game, rules, work, seat)
    if seat != 0 and in_treehouse(game, rules, seat):
        game["tally"][Tally.IN_TREEHOUSE] += 1


@kernel
def gain_item(game, rules, work, seat, card):
    """An item card, face up."""
    log(game, work, Event.ITEM, seat, card, 0, 0)
    if card == NONE:
        game["tally"][Ledger.NO_ITEM] += 1
        return
    game["items"][seat] |= 1 << card
    game["item_up"] |= 1 << card
    game["items_out"] += 1
    count_peak(game, Span.ITEMS, game["items_out"])
    game["tally"][Tally.COMPONENTS + 3 * rules["component_item"][card]] += 1


@kernel
def spare_wheel(game, rules, work, seat):
    """One of the spare wheels that nobody has, face up [L21]."""
    owned = 0
    for other in range(game["seats"]):
        owned |= game["wheels"][other]
    free = rules["spare_wheels"] & ~owned
    if free == 0 or seat == 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    for wheel in range(rules["wheel_value"].shape[0]):
        if (free >> wheel) & 1:
            game["wheels"][seat] |= 1 << wheel
            game["wheels_up"][seat] |= 1 << wheel
            game["tally"][Ledger.SPARE_WHEEL] += 1
            log(game, work, Event.SPARE, seat, wheel, 0, 0)
            return
