"""Rooms: which are joined, where a seat is, and which ones a text means.

A set of rooms is bits of one integer.
"""

from simcore.games.spooktacular.kernel import ctx_at, ctx_room, inline, kernel
from simcore.games.spooktacular.layout import (
    BARS,
    BETWEEN,
    EXTRA,
    NONE,
    ROOMS,
    Bar,
    Place,
)

BY_KIND = 32


@inline
def is_room(at):
    """1 if a piece at this place is in a room."""
    return 0 <= at < ROOMS


@inline
def count_bits(bits):
    """How many are in the set."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@kernel
def acting_figure(game, rules, seat):
    """The figure from which the seat's effects work: the one it has chosen, else its first one on the map; NONE."""
    if is_room(game["piece_at"][seat, game["acting"][seat]]):
        return game["acting"][seat]
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, 0]
    for i in range(first, first + rules["kind_count"][kit, 0]):
        if is_room(game["piece_at"][seat, i]):
            return i
    return NONE


@kernel
def own_room(game, rules, seat):
    """Room of the figure from which the seat's effects work; NONE."""
    figure = acting_figure(game, rules, seat)
    if figure == NONE:
        return NONE
    return game["piece_at"][seat, figure]


@inline
def here(game, rules, seat, ctx):
    """The room from which an effect works."""
    at = ctx_at(ctx)
    if at != NONE:
        return at
    return own_room(game, rules, seat)


@inline
def joined(game, seat, room):
    """Rooms that the seat's figures and effects reach from a room through one door."""
    if room < 0:
        return 0
    return game["joins"][room] | game["own_joins"][seat, room]


@kernel
def token_rooms(game, rules, seat, kind):
    """Rooms with a piece of a kind of the seat's."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    rooms = 0
    for i in range(first, first + rules["kind_count"][kit, kind]):
        at = game["piece_at"][seat, i]
        if is_room(at):
            rooms |= 1 << at
    return rooms


@kernel
def rooms_with_others(game, seat):
    """Rooms with a figure of another player's."""
    rooms = 0
    for room in range(ROOMS):
        if game["monsters"][room] & ~(1 << seat) != 0:
            rooms |= 1 << room
    return rooms


@kernel
def by_guests(game, rules, most):
    """Open rooms with the most guests, or the fewest."""
    best = NONE
    rooms = 0
    for room in range(rules["rooms"]):
        if (rules["open"] >> room) & 1 == 1:
            n = game["crowd"][room]
            if most == 0:
                n = 1000 - n
            if n > best:
                best = n
                rooms = 0
            if n == best:
                rooms |= 1 << room
    return rooms


@kernel
def places(game, rules, seat, code, ctx):
    """The rooms that a text means by a place (layout.Place; about tokens, 32 times the kind is added)."""
    place = code & 31
    if place == Place.HERE:
        room = here(game, rules, seat, ctx)
        if room < 0:
            return 0
        return 1 << room
    if place == Place.THERE:
        room = ctx_room(ctx)
        if room < 0:
            return 0
        return 1 << room
    if place == Place.ANY:
        return rules["open"]
    if place == Place.NEXT:
        return joined(game, seat, here(game, rules, seat, ctx))
    if place == Place.OTHER:
        room = here(game, rules, seat, ctx)
        if room < 0:
            return rules["open"]
        return rules["open"] & ~(1 << room)
    if place == Place.MONSTER:
        return rooms_with_others(game, seat) & rules["open"]
    if place == Place.GUESTS:
        rooms = 0
        for room in range(rules["rooms"]):
            if game["crowd"][room] > 0:
                rooms |= 1 << room
        return rooms
    if place == Place.NEXT_THERE:
        return joined(game, seat, ctx_room(ctx))
    if place == Place.FEWEST:
        return by_guests(game, rules, 0)
    if place == Place.MOST:
        return by_guests(game, rules, 1)
    kind = code >> 5
    rooms = token_rooms(game, rules, seat, kind)
    if place == Place.WITH:
        return rooms & rules["open"]
    if place == Place.WITHOUT:
        return rules["open"] & ~rooms
    if rooms != 0 and kind == rules["room_kind"][game["kit"][seat]]:  # INSIDE: the room that the token is
        return 1 << (EXTRA + seat)
    return 0


@kernel
def bar_rooms(game, rules, owner, bar):
    """Lay one standing rule of the owner's over the rooms that it names: guests for all, others' monsters."""
    code = rules["bar"][game["kit"][owner], bar]
    if code == 0:
        return
    rooms = places(game, rules, owner, code - 1, 0)
    for seat in range(game["seats"]):
        if bar <= Bar.GUEST_ADDED or seat != owner:
            game["barred"][seat, bar] |= rooms


@kernel
def join_tokens(game, rules, owner):
    """What the owner's tokens add to the theater: a room, doors."""
    kit = game["kit"][owner]
    kind = rules["room_kind"][kit]
    if kind != NONE:
        at = game["piece_at"][owner, rules["kind_first"][kit, kind]]
        if is_room(at):
            game["joins"][EXTRA + owner] |= 1 << at
            game["joins"][at] |= 1 << (EXTRA + owner)
    kind = rules["door_kind"][kit]
    if kind == NONE:
        return
    first = rules["kind_first"][kit, kind]
    for i in range(first, first + rules["kind_count"][kit, kind]):
        at = game["piece_at"][owner, i] - BETWEEN
        if at >= 0:
            a = at >> 4
            b = at & 15
            for seat in range(game["seats"]):
                if seat == owner or rules["doors_for_all"][kit] == 1:
                    game["own_joins"][seat, a] |= 1 << b
                    game["own_joins"][seat, b] |= 1 << a


@kernel
def refresh_theater(game, rules):
    """Work out what tokens and standing rules make of the theater."""
    for room in range(ROOMS):
        game["joins"][room] = rules["map_joins"][room]
        for seat in range(game["seats"]):
            game["own_joins"][seat, room] = 0
    for seat in range(game["seats"]):
        for bar in range(BARS):
            game["barred"][seat, bar] = 0
    for owner in range(rules["bot"], game["seats"]):  # the automaton uses no board
        if rules["changes_theater"][game["kit"][owner]] == 1:
            join_tokens(game, rules, owner)
            for bar in range(BARS):
                bar_rooms(game, rules, owner, bar)
