"""The decorator for this game's kernels, options as one integer, and how the town's byte tables are read."""

import numpy as np

from simcore.games.snallygaster.layout import GAME, RULES, WORK
from simcore.jit import kernels

kernel = kernels(GAME, RULES, WORK)
inline = kernels(GAME, RULES, WORK, forceinline=True)  # for what is called at every turn from one or two places


@inline
def make_option(kind, a, b, c):
    """The integer for an option; see layout.Option."""
    return kind + 16 * a + 65536 * b + 4194304 * c


@inline
def option_kind(option):
    """layout.Option"""
    return option & 15


@inline
def option_a(option):
    """First part: a space, card, building, district, seat, wheel or kind."""
    return (option >> 4) & 4095


@inline
def option_b(option):
    """Second part: the pile, the part of a goal, the other seat."""
    return (option >> 16) & 63


@inline
def option_c(option):
    """Third part: 1 for a spoken guess, or for taking in a trade."""
    return (option >> 22) & 63


@inline
def need(rules, way, a, b):
    """Wheel value with which a Kid who moves in this way can end on space b from a; 255: none."""
    return np.int64(rules["need"][way, a, b])


@inline
def near(rules, way, a, i):
    """The i-th space in the order of `need` from a."""
    return np.int64(rules["near"][way, a, i])


@inline
def near_count(rules, way, a, steps):
    """How many spaces a wheel value reaches from a."""
    return np.int64(rules["near_count"][way, a, steps])


@inline
def distance(rules, flags, a, b):
    """Plain steps from a to b; flags: 1 diagonally, 2 over fences."""
    return np.int64(rules["distance"][flags, a, b])


@inline
def fed_overlaps(game, rules, space):
    """1 if a Fed stands so that it overlaps the space."""
    one = np.int64(rules["stop_touch"][0, game["fed_at"][0], space])
    return one | np.int64(rules["stop_touch"][1, game["fed_at"][1], space])


@inline
def in_treehouse(game, rules, seat):
    """1 if the seat is on the board and in a treehouse."""
    space = game["space"][seat]
    return np.int64(space >= 0 and rules["treehouse_of"][space] >= 0)


@inline
def exposed(game, rules, seat):
    """1 if the seat can be hit, caught and chased: on the board, in no treehouse [L8, L18]."""
    space = game["space"][seat]
    if space < 0 or rules["treehouse_of"][space] >= 0:
        return 0
    if seat == 0 and rules["rescued_lost_kid"] == 1:
        return 0
    return 1
