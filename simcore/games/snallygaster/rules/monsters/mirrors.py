"""Bloody Mary: steps from mirror to mirror, and draws bystanders into the mirror world: a second timer (estimated)."""

from simcore.games.snallygaster.kernel import kernel
from simcore.games.snallygaster.layout import SOULS_A_DOOM, Event, Place, Source
from simcore.games.snallygaster.rules.doom import add_doom
from simcore.games.snallygaster.rules.tokens import take
from simcore.play import log


@kernel
def add_souls(game, rules, work, n):
    """Souls in the mirror world; every third is a doom."""
    for _ in range(n):
        game["souls"] += 1
        log(game, work, Event.SOUL, game["active"], game["souls"], 0, 0)
        if game["souls"] % SOULS_A_DOOM == 0:
            add_doom(game, rules, work, 1, Source.MONSTER)


@kernel
def pull_bystander(game, rules, work, district):
    """An attack that hits no Kid pulls a bystander of the district in: that of the lowest building."""
    for building in range(rules["buildings"]):
        if (game["bystanders"] >> building) & 1 and (rules["building_district_bits"][building] >> district) & 1:
            take(game, work, Place.BYSTANDER, building)
            add_souls(game, rules, work, 1)
            return


@kernel
def mirror_districts(game, rules, district):
    """Bits of the districts that a step through a mirror leads to from here; 0 without a mirror here."""
    bits = 0
    for building in range(rules["buildings"]):
        if (game["mirrors"] >> building) & 1:
            bits |= rules["building_district_bits"][building]
    if (bits >> district) & 1 == 0:
        return 0
    return bits & ~(1 << district)
