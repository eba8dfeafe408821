"""What a text counts: guests, colours, players, doors, tokens (layout.Count)."""

import numpy as np

from simcore.games.spooktacular.kernel import ctx_room, inline, kernel
from simcore.games.spooktacular.layout import (
    BETWEEN,
    BOARD,
    COLOURS,
    EXTRA,
    ROOMS,
    TRACK,
    Count,
)
from simcore.games.spooktacular.rules.guests import list_exits
from simcore.games.spooktacular.rules.places import count_bits, here, is_room, joined, token_rooms


@inline
def colours_of(game, room):
    """Different colours of the guests in a room."""
    n = 0
    for colour in range(COLOURS):
        n += np.int64(game["guests"][room, colour] > 0)
    return n


@kernel
def players_in(game, seat, rooms):
    """Other players with a monster in one of the rooms."""
    seats = 0
    for room in range(ROOMS):
        if (rooms >> room) & 1 == 1:
            seats |= game["monsters"][room]
    return count_bits(seats & ~(1 << seat))


@kernel
def count_tokens(game, rules, seat, what, kind, room):
    """How many of the seat's pieces of a kind are where the count says."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    n = 0
    for i in range(first, first + rules["kind_count"][kit, kind]):
        at = game["piece_at"][seat, i]
        if what == Count.TOKENS_OUT:
            n += np.int64(is_room(at) or at >= BETWEEN)
        elif what == Count.TOKENS_TRACK:
            n += np.int64(TRACK <= at < BETWEEN)
        elif what == Count.TOKENS_BOARD:
            n += np.int64(BOARD <= at < TRACK)
        else:
            n += np.int64(is_room(at) and at == room)
    return n


@kernel
def count_own(game, rules, seat, what):
    """What the seat has."""
    n = np.int64(0)
    if what == Count.PILE or what == Count.PASSENGERS:
        for colour in range(COLOURS):
            if what == Count.PILE:
                n += game["pile"][seat, colour]
            else:
                n += game["held"][seat, colour]
    elif what == Count.PILE_COLOURS or what == Count.PASSENGER_COLOURS:
        for colour in range(COLOURS):
            if what == Count.PILE_COLOURS:
                n += np.int64(game["pile"][seat, colour] > 0)
            else:
                n += np.int64(game["held"][seat, colour] > 0)
    elif what == Count.TICKETS:
        n = game["tickets"][seat]
    elif what == Count.HAND:
        n = game["hand_size"][seat]
    elif what == Count.BEHIND:
        for other in range(game["seats"]):
            n = max(n, game["points"][other] - game["points"][seat])
    elif seat == game["active"]:
        if what == Count.SPOOKED:
            n = game["spooked"]
        elif what == Count.DEVOURED:
            n = game["devoured"]
        elif what == Count.PLAYED:
            n = game["played"]
        elif what == Count.RETURNED:
            n = game["returned"]
    return n


@kernel
def count(game, rules, seat, code, ctx):
    """The number that a text names."""
    what = code & 31
    kind = code >> 5
    room = here(game, rules, seat, ctx)
    there = ctx_room(ctx)
    n = np.int64(0)
    if what <= Count.COLOURS_THERE:
        if what == Count.GUESTS_THERE or what == Count.COLOURS_THERE:
            room = np.int64(there)
        if room >= 0:
            n = game["crowd"][room]
            if what == Count.COLOURS_HERE or what == Count.COLOURS_THERE:
                n = np.int64(colours_of(game, room))
    elif what == Count.PLAYERS_HERE:
        if room >= 0:
            n = np.int64(players_in(game, seat, 1 << room))
    elif what == Count.PLAYERS_NEAR:
        if room >= 0:
            n = np.int64(players_in(game, seat, (1 << room) | joined(game, seat, room)))
    elif what == Count.DOORS_HERE:
        if room >= 0:
            list_exits(game, rules, seat, room)
            n = game["exits"]
    elif what == Count.TOKEN_ROOMS:
        n = np.int64(count_bits(token_rooms(game, rules, seat, kind)))
    elif what == Count.TOKEN_GUESTS or what == Count.TOKEN_PLAYERS:
        rooms = token_rooms(game, rules, seat, kind)
        if what == Count.TOKEN_PLAYERS:
            n = np.int64(players_in(game, seat, rooms))
        else:
            for r in range(ROOMS):
                if (rooms >> r) & 1 == 1:
                    n += game["crowd"][r]
    elif what == Count.INSIDE and kind != rules["room_kind"][game["kit"][seat]]:
        return n
    elif what == Count.INSIDE:
        n = game["crowd"][EXTRA + seat]
    elif what == Count.TOKENS_THERE:
        n = np.int64(count_tokens(game, rules, seat, what, kind, there))
    elif what >= Count.TOKENS_OUT and what <= Count.TOKENS_HERE:
        n = np.int64(count_tokens(game, rules, seat, what, kind, room))
    else:
        n = count_own(game, rules, seat, what)
    return n
