"""Snallygaster: hidden on the Secret Map Board until it hits, and carries the first Kid it hits to a tree (estimated;
L11, L32)."""

from simcore.games.snallygaster.kernel import distance, kernel
from simcore.games.snallygaster.layout import NONE, Stream
from simcore.games.snallygaster.rules.tokens import count_bits
from simcore.rng import scale, value


@kernel
def nearest_tree(game, rules, seat):
    """The space of the nearest tree: of its building the nearer space; NONE if no tree is out [L32]."""
    best = NONE
    least = 1000
    here = game["space"][seat]
    for building in range(rules["buildings"]):
        if (game["trees"] >> building) & 1:
            for side in range(2):
                space = rules["building_space"][building, side]
                far = distance(rules, 0, here, space)
                if far < least:
                    least = far
                    best = space
    return best


@kernel
def districts_with_tree(game, rules):
    """Bits of the districts that have a tree."""
    bits = 0
    for building in range(rules["buildings"]):
        if (game["trees"] >> building) & 1:
            bits |= rules["building_district_bits"][building]
    return bits


@kernel
def monster_by_lot(game, rules, counter):
    """A hidden monster whose place is not known is in one of the districts that all that is public leaves."""
    n = count_bits(game["monster_maybe"])
    if n == 0:
        return
    k = scale(value(game["key"][Stream.TOWN], counter), n)
    for d in range(rules["districts"]):
        if (game["monster_maybe"] >> d) & 1:
            if k == 0:
                game["monster"][0] = d
                return
            k -= 1
