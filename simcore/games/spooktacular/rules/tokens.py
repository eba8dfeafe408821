"""Tokens: placed in rooms, between them and on the score track; the spaces of a monster's board (P26)."""

import numpy as np

from simcore.games.spooktacular.kernel import ctx_piece, kernel, make_option, option_a, with_room
from simcore.games.spooktacular.layout import (
    BETWEEN,
    BOARD,
    MOST_TRACK,
    NONE,
    SUPPLY,
    TRACK,
    Decision,
    Ledger,
    Option,
    Span,
)
from simcore.games.spooktacular.rules.automaton import ask
from simcore.games.spooktacular.rules.pieces import ENTERS, choose_room, has_twin, put_piece
from simcore.games.spooktacular.rules.places import is_room, places
from simcore.play import count_peak, offer


@kernel
def take_piece(game, rules, work, seat, kind, ctx):
    """A piece of a kind to place: from the supply, else from a space of the board, the seat's choice; NONE.

    The token that the effect has picked stays: it is *another* one that is placed (Deadline's board says so).
    """
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    count = rules["kind_count"][kit, kind]
    out = 0
    for i in range(first, first + count):
        out += np.int64(game["piece_at"][seat, i] != SUPPLY)
    if out < count:
        count_peak(game, Span.TOKENS, out + 1)
    for i in range(first, first + count):
        if game["piece_at"][seat, i] == SUPPLY:
            return i
    game["options"] = 0
    for i in range(first, first + count):
        at = game["piece_at"][seat, i]
        if BOARD <= at < TRACK and ctx_piece(ctx) != 16 * seat + i:
            offer(game, make_option(Option.TOKEN, 16 * seat + i, 0))
    if game["options"] == 0:
        game["tally"][Ledger.SUPPLY_EMPTY] += 1
        return NONE
    return option_a(ask(game, rules, work, seat, Decision.TOKEN, NONE)) & 15


@kernel
def place_piece(game, rules, work, seat, kind, code, ctx):
    """Place a figure or token in a room."""
    rooms = places(game, rules, seat, code, ctx) & rules["open"]
    if kind == 0 or rules["piece_figure"][game["kit"][seat], rules["kind_first"][game["kit"][seat], kind]] == 1:
        rooms &= ~game["barred"][seat, ENTERS]
    if rooms == 0:
        return
    piece = take_piece(game, rules, work, seat, kind, ctx)
    if piece == NONE:
        return
    put_piece(game, rules, work, seat, piece, choose_room(game, rules, work, seat, rooms, NONE), seat)


@kernel
def place_door(game, rules, work, seat, kind, code_a, code_b, ctx):
    """A door token between two different rooms."""
    piece = take_piece(game, rules, work, seat, kind, ctx)
    if piece == NONE:
        return
    a = choose_room(game, rules, work, seat, places(game, rules, seat, code_a, ctx) & rules["open"], NONE)
    if a == NONE:
        return
    rooms = places(game, rules, seat, code_b, with_room(ctx, a)) & rules["open"] & ~(1 << a)
    b = choose_room(game, rules, work, seat, rooms, a)
    if b != NONE:
        put_piece(game, rules, work, seat, piece, BETWEEN + 16 * a + b, seat)


@kernel
def to_place(game, rules, seat, kind):
    """1 if a piece of a kind is in the supply or on the board, so that it can be placed."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    for i in range(first, first + rules["kind_count"][kit, kind]):
        if game["piece_at"][seat, i] < TRACK and not is_room(game["piece_at"][seat, i]):
            return 1
    game["tally"][Ledger.SUPPLY_EMPTY] += 1
    return 0


@kernel
def place_ahead(game, rules, work, seat, kind, points, other, ctx):
    """A token on the score track, so many points ahead of a player."""
    if other == NONE:
        return
    piece = take_piece(game, rules, work, seat, kind, ctx)
    if piece != NONE:
        at = min(game["points"][other] + points, MOST_TRACK)
        put_piece(game, rules, work, seat, piece, TRACK + at, seat)


@kernel
def space_taken(game, rules, seat, space):
    """1 if a piece of the seat's is on this space of its board."""
    for i in range(rules["kit_pieces"][game["kit"][seat]]):
        if game["piece_at"][seat, i] == BOARD + space:
            return 1
    return 0


@kernel
def fill_board(game, rules, work, seat, kind):
    """One token from the supply on each space of the board, as far as they go."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    space = 0
    for i in range(first, first + rules["kind_count"][kit, kind]):
        if space < rules["spaces"][kit] and game["piece_at"][seat, i] == SUPPLY:
            put_piece(game, rules, work, seat, i, BOARD + space, seat)
            space += 1


@kernel
def put_on_space(game, rules, work, seat, kind, number):
    """The first token of a kind on a space of the board (an ability number)."""
    kit = game["kit"][seat]
    space = number - rules["space_first"][kit]
    if 0 <= space < rules["spaces"][kit] and rules["kind_count"][kit, kind] > 0:
        put_piece(game, rules, work, seat, rules["kind_first"][kit, kind], BOARD + space, seat)


@kernel
def advance(game, rules, work, seat, kind, n):
    """The first marker of a kind on the board moves on, from the last space to the first; ability number of the space
    that it reaches, NONE: none is on the board."""
    kit = game["kit"][seat]
    spaces = rules["spaces"][kit]
    first = rules["kind_first"][kit, kind]
    for piece in range(first, first + rules["kind_count"][kit, kind]):
        at = game["piece_at"][seat, piece] - BOARD
        if 0 <= at < spaces:
            at = (at + n) % spaces
            put_piece(game, rules, work, seat, piece, BOARD + at, seat)
            return rules["space_first"][kit] + at
    return NONE


@kernel
def choose_space(game, rules, work, seat):
    """A free space of the board, the seat's choice: its ability number; NONE."""
    kit = game["kit"][seat]
    game["options"] = 0
    for space in range(rules["spaces"][kit]):
        if space_taken(game, rules, seat, space) == 0:
            offer(game, make_option(Option.SPACE, rules["space_first"][kit] + space, 0))
    if game["options"] == 0:
        return NONE
    return option_a(ask(game, rules, work, seat, Decision.SPACE, NONE))


@kernel
def return_piece(game, rules, work, seat, piece, number):
    """A token off the map: to the supply (number NONE), or to a space of the board."""
    if piece == NONE or game["piece_at"][seat, piece] == SUPPLY:
        return
    to = np.int64(SUPPLY)
    if number != NONE:
        to = BOARD + number - rules["space_first"][game["kit"][seat]]
    put_piece(game, rules, work, seat, piece, to, seat)
    if seat == game["active"]:
        game["returned"] += 1


@kernel
def return_any(game, rules, work, seat, kind):
    """One of the seat's tokens of a kind to the supply, the seat's choice among those that lie apart."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    game["options"] = 0
    for i in range(first, first + rules["kind_count"][kit, kind]):
        if game["piece_at"][seat, i] != SUPPLY and has_twin(game, rules, seat, i) == 0:
            offer(game, make_option(Option.TOKEN, 16 * seat + i, 0))
    if game["options"] > 0:
        piece = option_a(ask(game, rules, work, seat, Decision.TOKEN, NONE)) & 15
        return_piece(game, rules, work, seat, piece, NONE)
