"""The decorator for Snowball's kernels, and options as one integer."""

from simcore.games.snowball.layout import GAME, RULES, WORK
from simcore.jit import kernels

kernel = kernels(GAME, RULES, WORK)
inline = kernels(GAME, RULES, WORK, forceinline=True)  # for what is called at every turn from one or two places


@inline
def make_option(kind, a, b, c):
    """The integer for an option; see layout.Option."""
    return kind + 16 * a + 1024 * b + 65536 * c


@inline
def option_kind(option):
    """layout.Option"""
    return option & 15


@inline
def option_a(option):
    """First part: hand slot, held slot, or which of the cards drawn."""
    return (option >> 4) & 63


@inline
def option_b(option):
    """Second part: the target seat."""
    return (option >> 10) & 63


@inline
def option_c(option):
    """Third part: the modifier and the kid's boost of a throw."""
    return (option >> 16) & 63
