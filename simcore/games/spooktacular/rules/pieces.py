"""Figures and tokens: where they are, how they move, Mash, stuns (rulebook, Move and FAQ; P1, P8)."""

import numpy as np

from simcore.games.spooktacular.kernel import (
    inline,
    kernel,
    make_option,
    option_a,
    option_b,
    option_kind,
    with_piece,
    with_room,
    with_who,
)
from simcore.games.spooktacular.layout import (
    COLOURS,
    NONE,
    ROOMS,
    Bar,
    Decision,
    Event,
    Ledger,
    Option,
    Place,
    When,
)
from simcore.games.spooktacular.rules.automaton import ask
from simcore.games.spooktacular.rules.guests import GUEST_ENTERS, GUEST_LEAVES, bars, door_between, move_guest
from simcore.games.spooktacular.rules.places import (
    acting_figure,
    here,
    is_room,
    joined,
    own_room,
    places,
    refresh_theater,
)
from simcore.games.spooktacular.rules.scoring import change_points
from simcore.games.spooktacular.rules.triggers import fire, fire_at
from simcore.play import log, offer

LEAVES, ENTERS = int(Bar.MONSTER_LEAVES), int(Bar.MONSTER_ENTERS)


@kernel
def figures_in(game, rules, seat, room):
    """How many figures of the seat's are in a room."""
    kit = game["kit"][seat]
    n = 0
    for i in range(rules["kit_pieces"][kit]):
        n += np.int64(rules["piece_figure"][kit, i] == 1 and game["piece_at"][seat, i] == room)
    return n


@kernel
def put_piece(game, rules, work, owner, piece, to, by):
    """A figure or token is somewhere else now, by an effect of seat `by`."""
    kit = game["kit"][owner]
    before = game["piece_at"][owner, piece]
    game["piece_at"][owner, piece] = to
    figure = rules["piece_figure"][kit, piece]
    if figure == 1:
        if is_room(before):
            game["figures"][before] -= 1
            if figures_in(game, rules, owner, before) == 0:
                game["monsters"][before] &= ~(1 << owner)
        if is_room(to):
            game["figures"][to] += 1
            game["monsters"][to] |= 1 << owner
    if figure == 1 and is_room(to):
        log(game, work, Event.FIGURE, owner, piece, to, by)
    else:
        log(game, work, Event.TOKEN, owner, piece, to, 0)
    if rules["changes_theater"][kit] == 1:
        refresh_theater(game, rules)
    if figure == 1 and is_room(to) and to != before:
        ctx = with_piece(with_who(with_room(0, to), owner), 16 * owner + piece)
        if game["listens"][When.MONSTER_ENTERS] & ~(1 << owner) != 0:
            fire_at(game, rules, When.MONSTER_ENTERS, to, owner, ctx)
        if by != owner:
            fire(game, rules, owner, When.PUSHED, with_who(0, by))


# --- choices ----------------------------------------------------------------------------------------------------------


@kernel
def choose_room(game, rules, work, seat, rooms, about):
    """One of a set of rooms, the seat's choice; NONE if it is empty."""
    if rooms == 0:
        return NONE
    n = 0
    for room in range(ROOMS):  # without branches, which could not be foretold: each is written, and kept if it is meant
        game["option"][n] = make_option(Option.ROOM, room, 0)
        n += (rooms >> room) & 1
    game["options"] = n
    return option_a(ask(game, rules, work, seat, Decision.ROOM, about))


@kernel
def choose_place(game, rules, work, seat, code, ctx):
    """The room that a text means, the seat's choice among several; NONE."""
    place = code & 31
    if place == Place.HERE:
        return here(game, rules, seat, ctx)
    return choose_room(game, rules, work, seat, places(game, rules, seat, code, ctx), NONE)


@kernel
def choose_piece(game, rules, work, seat, kind, rooms):
    """One of the seat's pieces of a kind in a set of rooms, the first of each room; NONE."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    n = 0
    left = rooms
    for i in range(first, first + rules["kind_count"][kit, kind]):
        at = game["piece_at"][seat, i] & 63
        game["option"][n] = make_option(Option.TOKEN, 16 * seat + i, 0)
        found = np.int64(game["piece_at"][seat, i] == at) & (left >> at)
        found &= 1
        left &= ~(found << at)
        n += found
    game["options"] = n
    if n == 0:
        return NONE
    return option_a(ask(game, rules, work, seat, Decision.TOKEN, NONE)) & 15


@kernel
def choose_player(game, rules, work, seat, seats):
    """One of a set of other players, the seat's choice; NONE."""
    game["options"] = 0
    for other in range(game["seats"]):
        if other != seat and (seats >> other) & 1 == 1:
            offer(game, make_option(Option.PLAYER, other, 0))
    if game["options"] == 0:
        return NONE
    return option_a(ask(game, rules, work, seat, Decision.PLAYER, NONE))


# --- movement ---------------------------------------------------------------------------------------------------------


@inline
def may_leave(game, owner, room):
    """1 if a figure of the owner's may move out of its room: neither stunned nor kept by a standing rule."""
    if game["stunned"][owner] != 0:
        return 0
    if is_room(room) and (game["barred"][owner, LEAVES] >> room) & 1 == 1:
        return 0
    return 1


@inline
def note_kept(game, owner):
    """A figure does not move: why."""
    if game["stunned"][owner] != 0:
        game["tally"][Ledger.STUNNED] += 1
    else:
        game["tally"][Ledger.NOT_LEFT] += 1


@inline
def ways(game, owner, room):
    """Rooms that a figure of the owner's can move to through one door."""
    return joined(game, owner, room) & ~game["barred"][owner, ENTERS]


@kernel
def move_figure(game, rules, work, seat, owner, piece, to, ctx):
    """Move or place one figure; 1 if it has moved. `to`: Place; connected room: through a door of its own room."""
    room = game["piece_at"][owner, piece]
    game["moved_seat"] = owner
    if may_leave(game, owner, room) == 0:
        note_kept(game, owner)
        return 0
    rooms = figure_ways(game, rules, seat, owner, room, to, ctx)
    if rooms == 0:
        game["tally"][Ledger.NO_MOVE] += 1
        return 0
    there = choose_room(game, rules, work, seat, rooms, room)
    put_piece(game, rules, work, owner, piece, there, seat)
    return 1


@kernel
def move_own(game, rules, work, seat, to, ctx):
    """The figure from which one's effects work (rulebook, Move)."""
    figure = acting_figure(game, rules, seat)
    if figure == NONE and to & 31 != Place.NEXT:  # none is on the map: a text may place the one that has acted
        figure = game["acting"][seat]
    if figure == NONE:
        return 0
    return move_figure(game, rules, work, seat, seat, figure, to, ctx)


@kernel
def move_token(game, rules, work, seat, kind, source, to, ctx):
    """One of the seat's tokens or figures of a kind."""
    kit = game["kit"][seat]
    rooms = places(game, rules, seat, source, ctx) | token_room(source)
    if rules["piece_figure"][kit, rules["kind_first"][kit, kind]] == 1:
        piece = choose_piece(game, rules, work, seat, kind, movable(game, rules, seat, rooms, to))
        if piece != NONE:
            move_figure(game, rules, work, seat, seat, piece, to, ctx)
        return
    piece = choose_piece(game, rules, work, seat, kind, rooms)
    if piece != NONE:
        shift_token(game, rules, work, seat, seat, piece, to, ctx)


@kernel
def movable(game, rules, seat, rooms, to):
    """Of a set of rooms those out of which a figure of the seat's can move."""
    kept = np.int64(0)
    for room in range(ROOMS):
        if (rooms >> room) & 1 == 1 and may_leave(game, seat, room) == 1:
            if to & 31 != Place.NEXT or ways(game, seat, room) != 0:
                kept |= 1 << room
    return kept


@kernel
def shift_token(game, rules, work, seat, owner, piece, to, ctx):
    """A token, which is no figure, goes to a joined room or to where the text says."""
    room = game["piece_at"][owner, piece]
    if to & 31 == Place.NEXT:
        rooms = joined(game, seat, room)
    else:
        rooms = places(game, rules, seat, to, ctx)
    there = choose_room(game, rules, work, seat, rooms & rules["open"], room)
    if there != NONE:
        put_piece(game, rules, work, owner, piece, there, seat)


@inline
def token_room(source):
    """All rooms, tombs too, where a text says nothing of where the piece is."""
    if source == Place.ANY:
        return (1 << ROOMS) - 1
    return 0


@kernel
def has_twin(game, rules, owner, piece):
    """1 if an earlier piece of the same kind is in the same place: one of them is enough to choose from."""
    kit = game["kit"][owner]
    for i in range(rules["kind_first"][kit, rules["piece_kind"][kit, piece]], piece):
        if game["piece_at"][owner, i] == game["piece_at"][owner, piece]:
            return 1
    return 0


@kernel
def guest_ways(game, rules, seat, room, to, ctx):
    """Rooms to which an effect of the seat's can move a guest out of a room."""
    if game["crowd"][room] == 0 or bars(game, GUEST_LEAVES, room) == 1:
        return 0
    if to & 31 == Place.NEXT:
        there = joined(game, seat, room)
    else:
        there = places(game, rules, seat, to, ctx)
    return there & ~game["barred"][seat, GUEST_ENTERS] & ~(1 << room)


@kernel
def figure_ways(game, rules, seat, owner, room, to, ctx):
    """Rooms to which an effect of the seat's can move a figure of the owner's out of a room."""
    if to & 31 == Place.NEXT:
        return ways(game, owner, room)
    return places(game, rules, seat, to, ctx) & ~game["barred"][owner, ENTERS]


@kernel
def offer_figures(game, rules, seat, seats, rooms, to, ctx):
    """Other players' figures in a set of rooms, one for each player, kind and room: that can move `to` a place, or all
    (NONE)."""
    game["options"] = 0
    for other in range(game["seats"]):
        if other == seat or (seats >> other) & 1 == 0:
            continue
        kit = game["kit"][other]
        for i in range(rules["kit_pieces"][kit]):
            room = game["piece_at"][other, i]
            if rules["piece_figure"][kit, i] == 0 or not is_room(room) or (rooms >> room) & 1 == 0:
                continue
            if has_twin(game, rules, other, i) == 1:
                continue
            if to != NONE:
                if may_leave(game, other, room) == 0:
                    note_kept(game, other)
                    continue
                if figure_ways(game, rules, seat, other, room, to, ctx) == 0:
                    continue
            offer(game, make_option(Option.FIGURE, 16 * other + i, room))


@kernel
def move_other(game, rules, work, seat, guests_too, source, to, ctx):
    """Another player's figure, or with `guests_too` any figure, from where the text says to where it says."""
    rooms = places(game, rules, seat, source, ctx)
    if source == Place.ANY:
        rooms = np.int64((1 << ROOMS) - 1)
    offer_figures(game, rules, seat, (1 << game["seats"]) - 1, rooms, to, ctx)
    if guests_too == 1:
        for room in range(ROOMS):
            if (rooms >> room) & 1 == 1 and guest_ways(game, rules, seat, room, to, ctx) != 0:
                for colour in range(COLOURS):
                    if game["guests"][room, colour] > 0:
                        offer(game, make_option(Option.GUEST, colour, room))
    if game["options"] == 0:
        game["tally"][Ledger.NO_MOVE] += 1
        return ctx
    option = ask(game, rules, work, seat, Decision.FIGURE, NONE)
    if option_kind(option) == Option.FIGURE:
        figure = option_a(option)
        move_figure(game, rules, work, seat, figure >> 4, figure & 15, to, ctx)
        return with_who(with_piece(ctx, figure), figure >> 4)
    colour = option_a(option)
    room = option_b(option)
    target = choose_room(game, rules, work, seat, guest_ways(game, rules, seat, room, to, ctx), room)
    if target != NONE:
        door = door_between(game, rules, seat, room, target)
        move_guest(game, rules, work, seat, colour, room, target, door)
    return ctx


@kernel
def move_that(game, rules, work, seat, figure, to, ctx):
    """The figure or token that was picked."""
    if figure == NONE:
        return
    owner = figure >> 4
    piece = figure & 15
    room = game["piece_at"][owner, piece]
    if not is_room(room):
        return
    if rules["piece_figure"][game["kit"][owner], piece] == 1:
        move_figure(game, rules, work, seat, owner, piece, to, ctx)
        return
    shift_token(game, rules, work, seat, owner, piece, to, ctx)


@kernel
def swap(game, rules, work, seat, figure):
    """The acting figure and another player's change rooms, if both may move."""
    own = acting_figure(game, rules, seat)
    if figure == NONE or own == NONE:
        return
    mine = game["piece_at"][seat, own]
    owner = figure >> 4
    theirs = game["piece_at"][owner, figure & 15]
    if owner == seat or not is_room(theirs) or theirs == mine:
        return
    if may_leave(game, owner, theirs) == 0 or may_leave(game, seat, mine) == 0:
        note_kept(game, owner)
        return
    if (game["barred"][owner, ENTERS] >> mine) & 1 == 1 or (game["barred"][seat, ENTERS] >> theirs) & 1 == 1:
        game["tally"][Ledger.NOT_LEFT] += 1
        return
    put_piece(game, rules, work, owner, figure & 15, mine, seat)
    put_piece(game, rules, work, seat, own, theirs, seat)


# --- mash, stuns ------------------------------------------------------------------------------------------------------


@kernel
def push_out(game, rules, work, seat, owner, room):
    """All figures of a player in a room move out through doors, where the Masher says; how many did."""
    kit = game["kit"][owner]
    moved = 0
    for i in range(rules["kit_pieces"][kit]):
        if rules["piece_figure"][kit, i] == 1 and game["piece_at"][owner, i] == room:
            moved += move_figure(game, rules, work, seat, owner, i, Place.NEXT, 0)
    return moved


@kernel
def mash(game, rules, work, seat, points, kind, ctx):
    """Move all monsters in the room; points (of a kind) for each other player of whom a figure moved [P8]."""
    room = here(game, rules, seat, ctx)
    if room == NONE:
        return
    for step in range(1, game["seats"]):
        other = seat + step
        if other >= game["seats"]:
            other -= game["seats"]
        if (game["monsters"][room] >> other) & 1 == 0:
            continue
        moved = push_out(game, rules, work, seat, other, room)
        if moved > 1:
            game["tally"][Ledger.MASH_FIGURES] += 1
        if moved > 0:
            change_points(game, rules, work, seat, points, kind)
    if rules["mash_moves_masher"] == 1 and own_room(game, rules, seat) == room:
        game["tally"][Ledger.MASH_SELF] += move_own(game, rules, work, seat, Place.NEXT, 0)


@kernel
def stun(game, work, seat, other):
    """The other player's figures do not move until the seat's next turn begins."""
    if (game["stunned"][other] >> seat) & 1 == 0:
        game["stunned"][other] |= 1 << seat
        game["stunning"] |= 1 << seat
        log(game, work, Event.STUN, other, seat, 0, 0)


@kernel
def end_stuns(game, work, seat):
    """The seat's turn begins: whom it has stunned may move again."""
    if (game["stunning"] >> seat) & 1 == 0:
        return
    game["stunning"] &= ~(1 << seat)
    for other in range(game["seats"]):
        if (game["stunned"][other] >> seat) & 1 == 1:
            game["stunned"][other] &= ~(1 << seat)
            log(game, work, Event.STUN_ENDS, other, seat, 0, 0)
