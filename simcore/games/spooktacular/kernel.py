"""The decorator for this game's kernels, options as one integer, and the context of an effect.

A *context* is what an effect has picked so far, packed into one integer that travels with its rows: the room from which
it works if that is not its owner's ("at"), "that room", "that player", "that token", "that colour" and "that space".
Each part is kept as value + 1, so that 0 is an empty context.
"""

from simcore.games.spooktacular.layout import GAME, RULES, WORK
from simcore.jit import kernels

kernel = kernels(GAME, RULES, WORK)
inline = kernels(GAME, RULES, WORK, forceinline=True)  # for what is called at every turn from one or two places


@inline
def make_option(kind, a, b):
    """The integer for an option; see layout.Option."""
    return kind + 16 * a + 65536 * b


@inline
def option_kind(option):
    """layout.Option"""
    return option & 15


@inline
def option_a(option):
    """First part: a card, room, colour, figure, seat, side, space or slot."""
    return (option >> 4) & 4095


@inline
def option_b(option):
    """Second part: a room."""
    return (option >> 16) & 1023


@inline
def ctx_at(ctx):
    """The room from which the effect works, NONE: its owner's own."""
    return (ctx & 31) - 1


@inline
def ctx_room(ctx):
    """That room, NONE."""
    return ((ctx >> 5) & 31) - 1


@inline
def ctx_who(ctx):
    """That player's seat, NONE."""
    return ((ctx >> 10) & 7) - 1


@inline
def ctx_piece(ctx):
    """That figure or token, 16 seat + piece; NONE."""
    return ((ctx >> 13) & 127) - 1


@inline
def ctx_colour(ctx):
    """That colour, NONE."""
    return ((ctx >> 20) & 7) - 1


@inline
def ctx_space(ctx):
    """Ability number of that space, NONE."""
    return ((ctx >> 23) & 1023) - 1


@inline
def with_at(ctx, room):
    """The context with another room to work from."""
    return (ctx & ~31) | (room + 1)


@inline
def with_room(ctx, room):
    """The context with another "that room"."""
    return (ctx & ~(31 << 5)) | ((room + 1) << 5)


@inline
def with_who(ctx, seat):
    """The context with another "that player"."""
    return (ctx & ~(7 << 10)) | ((seat + 1) << 10)


@inline
def with_piece(ctx, piece):
    """The context with another "that figure" or "that token"."""
    return (ctx & ~(127 << 13)) | ((piece + 1) << 13)


@inline
def with_colour(ctx, colour):
    """The context with another "that colour"."""
    return (ctx & ~(7 << 20)) | ((colour + 1) << 20)


@inline
def with_space(ctx, space):
    """The context with another "that space"."""
    return (ctx & ~(1023 << 23)) | ((space + 1) << 23)
