"""Bringing symbols together: a price is paid by one Kid alone, so what several hold goes to one of them.

For a part of the open goal that nobody can pay yet, that is whoever of those who hold some is nearest to its place;
else whoever holds most of a kind (the lower seat among equals), or most in all where any kind will do.
"""

from simcore.games.snallygaster.kernel import distance, kernel, option_a, option_b, option_c, option_kind
from simcore.games.snallygaster.layout import ANY_SYMBOL, NONE, Option, Place
from simcore.games.snallygaster.rules.goals import can_pay
from simcore.games.snallygaster.rules.kid import ALL_ITEMS

TRADE = int(Option.TRADE)
AT_BUILDING = int(Place.BUILDING)


@kernel
def held_by(game, rules, seat, symbol):
    """Symbols of a kind (or of any) that a seat holds."""
    if symbol != ANY_SYMBOL:
        return game["symbols"][seat, symbol]
    n = 0
    for kind in range(rules["symbols"]):
        n += game["symbols"][seat, kind]
    return n


@kernel
def payers(game, rules, g, p):
    """Bits of the seats on the board that hold what part p of goal g costs."""
    bits = 0
    for seat in range(game["seats"]):
        if game["space"][seat] >= 0:
            bits |= can_pay(game, rules, seat, rules["part_price"][g, p], rules["part_symbol"][g, p]) << seat
    return bits


@kernel
def keeper(game, rules, symbol):
    """Whoever holds most of a kind (the lower seat among equals); NONE if nobody has any."""
    best = NONE
    most = 0
    for seat in range(game["seats"]):
        n = held_by(game, rules, seat, symbol)
        if n > most:
            most = n
            best = seat
    return best


@kernel
def collector(game, rules, p):
    """Who is to pay for part p of the open goal: whoever can, else the nearest who holds some; NONE."""
    g = game["goal"]
    symbol = rules["part_symbol"][g, p]
    best = keeper(game, rules, symbol)
    if best == NONE or rules["part_place"][g, p] != AT_BUILDING:
        return best
    if can_pay(game, rules, best, rules["part_price"][g, p], symbol) == 1:
        return best
    space = rules["building_space"][rules["part_where"][g, p], 0]
    least = 1000
    for seat in range(game["seats"]):
        if game["space"][seat] >= 0 and held_by(game, rules, seat, symbol) > 0:
            far = distance(rules, 0, space, game["space"][seat])
            if far < least:
                least = far
                best = seat
    return best


@kernel
def hand_over(game, rules, p, seat):
    """Bits of the seats with whom a seat must trade so that part p of the open goal can be paid; 0: no need, no use."""
    g = game["goal"]
    price = rules["part_price"][g, p]
    if price <= 1 or game["part_left"][p] == 0:
        return 0
    symbol = rules["part_symbol"][g, p]
    who = collector(game, rules, p)
    if who == NONE or can_pay(game, rules, who, price, symbol) == 1:
        return 0
    held = 0
    others = 0
    for other in range(game["seats"]):
        n = held_by(game, rules, other, symbol)
        held += n
        if n > 0 and other != who:
            others |= 1 << other
    if held < price:
        return 0
    if seat == who:
        return others
    if (others >> seat) & 1:
        return 1 << who
    return 0


@kernel
def parts_to_pool(game, rules, seat):
    """Bits of the seats with whom a trade makes a part of the open goal payable."""
    bits = 0
    for p in range(rules["parts"][game["goal"]]):
        bits |= hand_over(game, rules, p, seat)
    return bits


@kernel
def wanted_from(game, rules, kind, g):
    """1 if a goal to come asks for this kind by name with a price above 1."""
    for p in range(rules["parts"][g]):
        if rules["part_symbol"][g, p] == kind and rules["part_price"][g, p] > 1:
            return 1
    return 0


@kernel
def keeper_for(game, rules, kind):
    """Who is to have the symbols of a kind; NONE if nobody in particular."""
    g = game["goal"]
    for p in range(rules["parts"][g]):
        if game["part_left"][p] > 0 and rules["part_price"][g, p] > 1 and rules["part_symbol"][g, p] == kind:
            return collector(game, rules, p)
    for p in range(rules["parts"][g]):
        if game["part_left"][p] > 0 and rules["part_price"][g, p] > 1 and rules["part_symbol"][g, p] == ANY_SYMBOL:
            return keeper(game, rules, ANY_SYMBOL)
    for later in range(g + 1, rules["goals"]):
        if wanted_from(game, rules, kind, later) == 1:
            return keeper(game, rules, kind)
    return NONE


@kernel
def may_spare(game, rules, seat, kind):
    """1 if a seat that spends a symbol of a kind takes it from no price that it could pay."""
    held = game["symbols"][seat, kind]
    for g in range(game["goal"], rules["goals"]):
        for p in range(rules["parts"][g]):
            if rules["part_symbol"][g, p] == kind and (g > game["goal"] or game["part_left"][p] > 0):
                if held >= rules["part_price"][g, p] > held - 1:
                    return 0
    return 1


@kernel
def best_trade(game, rules, work, seat):
    """Index of a trade that brings a symbol to its keeper; NONE."""
    for back in range(game["options"]):
        i = game["options"] - 1 - back
        option = game["option"][i]
        if option_kind(option) == TRADE and option_a(option) >= ALL_ITEMS:
            taker = option_b(option)
            if option_c(option) == 1:
                taker = seat
            if keeper_for(game, rules, option_a(option) - ALL_ITEMS) == taker:
                return i
    return NONE
