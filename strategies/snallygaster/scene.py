"""The position before the Lost Kid's eyes, copied so that cards can be tried on it; where the monster can go, and what
its attack would cost.

The copy lies in cells of work["score"], behind the options' scores. ``foresight`` plays cards on it.
"""

import numpy as np

from simcore.games.snallygaster.kernel import exposed, inline, kernel
from simcore.games.snallygaster.layout import NONE, SOULS_A_DOOM, Mechanics

ROOM = 400  # scores of options lie below
MONSTER, RED, BLUE, DOOM, STUNNED, HELD, LIGHTS, SOULS, BYSTANDERS, FIXED = range(ROOM, ROOM + 10)
OUT = ROOM + 10  # bits of the seats that can be hit, caught and chased
ALL_OUT, RED_TOUCHES, BLUE_TOUCHES = range(ROOM + 11, ROOM + 14)  # at first: the same; of them on each Fed's next leg
SPACE = ROOM + 14  # one a seat
MOVED = ROOM + 19  # 1: a Kid is not where it was at first
AT = ROOM + 20  # bits of the seats that are in a district, one a district
PLANNING, CHOICES = ROOM + 36, ROOM + 37  # 1: the choices follow a plan; how many there were so far
PLAN, WIDTH = ROOM + 38, ROOM + 46  # of each choice: which option is taken, and how many there are
MOST_CHOICES = 8
FREE = ROOM + 54  # cells that strategies use for themselves
FIXATION, MIRROR_WORLD, SWOOP = int(Mechanics.FIXATION), int(Mechanics.MIRRORS), int(Mechanics.SWOOP)
FAR = 1000
COUNTS = 0x4332322132212110  # how many bits of 0, 1, ... 15 are set
FLIGHT = 0.6  # what a whole round that fleeing Feds drive costs, before it is complete
CLOSE, BESIDE = 0.12, 0.06  # what it costs to leave the monster in a Kid's district, or a district away


# --- the position, copied ---------------------------------------------------------------------------------------------


@inline
def cell(work, i):
    """A cell as the integer that it is."""
    return int(work["score"][i])


@inline
def count(seats):
    """How many seats are set."""
    return ((COUNTS >> (4 * (seats & 15))) & 15) + (seats >> 4)


@kernel
def look(game, rules, work):
    """Copy where the Kids are; no plan is followed."""
    work["score"][PLANNING] = 0
    place_kids(game, rules, work)


@kernel
def place_kids(game, rules, work):
    """Copy where the Kids are."""
    work["score"][MOVED] = 0
    for d in range(rules["districts"]):
        work["score"][AT + d] = 0
    out = 0
    red = 0
    blue = 0
    for seat in range(game["seats"]):
        if exposed(game, rules, seat):
            space = game["space"][seat]
            out |= 1 << seat
            work["score"][SPACE + seat] = space
            red |= np.int64(rules["leg_touch"][0, game["fed_at"][0], space]) << seat
            blue |= np.int64(rules["leg_touch"][1, game["fed_at"][1], space]) << seat
            put(rules, work, seat, space)
    work["score"][ALL_OUT] = out
    work["score"][RED_TOUCHES] = red
    work["score"][BLUE_TOUCHES] = blue


@inline
def put(rules, work, seat, space):
    """A seat is in the districts of a space."""
    bits = rules["district_bits"][space]
    d = 0
    while bits != 0:
        if bits & 1:
            work["score"][AT + d] = cell(work, AT + d) | (1 << seat)
        bits >>= 1
        d += 1


@inline
def begin(game, rules, work):
    """Copy what cards change; where a Kid was moved, also where the Kids are."""
    if work["score"][MOVED] == 1.0:
        place_kids(game, rules, work)
    work["score"][MONSTER] = game["monster"][0]
    work["score"][RED] = game["fed_at"][0]
    work["score"][BLUE] = game["fed_at"][1]
    work["score"][DOOM] = 0
    work["score"][STUNNED] = game["stunned"]
    work["score"][HELD] = game["feds_held"]
    work["score"][LIGHTS] = game["lights"]
    work["score"][SOULS] = game["souls"]
    work["score"][BYSTANDERS] = game["bystanders"]
    work["score"][FIXED] = game["fixed_on"]
    work["score"][OUT] = work["score"][ALL_OUT]


# --- where the monster goes -------------------------------------------------------------------------------------------


@inline
def chased(game, rules, work, only):
    """Bits of the districts with a Kid who can be chased (or of one seat's)."""
    out = cell(work, OUT)
    if only != NONE:
        out = 1 << only
    bits = 0
    seat = 0
    while out != 0:
        if out & 1:
            bits |= rules["district_bits"][cell(work, SPACE + seat)]
        out >>= 1
        seat += 1
    return bits


@inline
def around(rules, district):
    """Bits of the neighbours in all directions."""
    near = rules["neighbours"]
    return near[district, 0] | near[district, 1] | near[district, 2] | near[district, 3]


@kernel
def hops_to(rules, district, bits):
    """Districts to the nearest of some; FAR if there is none."""
    if (bits >> district) & 1:
        return 0
    if bits & around(rules, district):
        return 1
    least = FAR
    for d in range(rules["districts"]):
        if (bits >> d) & 1 and rules["hops"][district, d] < least:
            least = rules["hops"][district, d]
    return least


@kernel
def ways_to(rules, district, bits, least):
    """Bits of the neighbours that are a hop nearer to any of the closest of some districts."""
    near = around(rules, district)
    if least == 1:
        return near & bits
    found = 0
    for d in range(rules["districts"]):
        if (near >> d) & 1 and hops_to(rules, d, bits) < least:
            found |= 1 << d
    return found


@kernel
def mirrored(game, rules, district):
    """Bits of the districts to which a mirror leads from here."""
    if game["mirrors"] == 0:
        return 0
    bits = 0
    for building in range(rules["buildings"]):
        if (game["mirrors"] >> building) & 1:
            bits |= rules["building_district_bits"][building]
    if (bits >> district) & 1 == 0:
        return 0
    return bits & ~(1 << district)


@inline
def fixed_on(game, rules, work):
    """The seat that the demon chases alone; NONE."""
    if rules["mechanics"] != FIXATION:
        return NONE
    seat = cell(work, FIXED)
    if seat == NONE or (cell(work, OUT) >> seat) & 1 == 0:
        return NONE
    return seat


@kernel
def touched(rules, work, fed, leg):
    """Bits of the seats that a Fed touches as it drives on from a stop."""
    out = cell(work, OUT)
    found = 0
    for seat in range(5):
        if (out >> seat) & 1:
            found |= np.int64(rules["leg_touch"][fed, leg, cell(work, SPACE + seat)]) << seat
    return found


@kernel
def fed_cost(rules, work, fed, stops, safe):
    """Doom if a Fed drives so far from where it is now; `safe`: bits of seats that it does not catch."""
    cost = 0
    stop = cell(work, RED + fed)
    for _ in range(stops):
        caught = touched(rules, work, fed, stop) & ~safe
        safe |= caught
        cost += count(caught)
        stop += 1
        if stop >= rules["stops"][fed]:
            stop = 0
            cost += 1
    return cost


@kernel
def attack_cost(game, rules, work, district):
    """What an attack on a district costs now, in doom, and a little for the Kids near to it afterwards."""
    if (cell(work, LIGHTS) >> district) & 1:
        return 0.0
    struck = cell(work, AT + district) & cell(work, OUT)
    cost = BESIDE * beside(rules, work, district) + rules["attack_doom"] * count(struck)
    for fed in range(2):
        if (rules["stop_district_bits"][fed, cell(work, RED + fed)] >> district) & 1:
            cost += fed_cost(rules, work, fed, rules["feds_flight"], struck)
            cost += FLIGHT * rules["feds_flight"] / rules["stops"][fed]
    if rules["mechanics"] == MIRROR_WORLD and struck == 0 and cell(work, BYSTANDERS) != 0:
        cost += pull_cost(rules, work, district)
    return cost


@inline
def beside(rules, work, district):
    """Kids a district away."""
    near = around(rules, district)
    out = cell(work, OUT) & ~cell(work, AT + district)
    found = 0
    seat = 0
    while out != 0:
        if out & 1:
            found += (rules["district_bits"][cell(work, SPACE + seat)] & near) != 0
        out >>= 1
        seat += 1
    return found


@kernel
def bystander_of(rules, work, district):
    """The building whose bystander an attack on a district would pull in; NONE."""
    bystanders = cell(work, BYSTANDERS)
    for building in range(rules["buildings"]):
        if (bystanders >> building) & 1 and (rules["building_district_bits"][building] >> district) & 1:
            return building
    return NONE


@kernel
def pull_cost(rules, work, district):
    """What the soul costs that an attack on nobody would pull in: a third of a doom now or later."""
    if bystander_of(rules, work, district) == NONE:
        return 0.0
    if (cell(work, SOULS) + 1) % SOULS_A_DOOM == 0:
        return 1.0
    return 1.0 / SOULS_A_DOOM


@kernel
def ends_of(rules, district, direction):
    """Bits of the districts where a whole-length move that has come here can end."""
    ends = 0
    here = 1 << district
    for _ in range(rules["districts"]):
        further = 0
        for d in range(rules["districts"]):
            if (here >> d) & 1:
                if rules["neighbours"][d, direction] == 0:
                    ends |= 1 << d
                further |= rules["neighbours"][d, direction]
        if further == 0:
            break
        here = further
    return ends


@kernel
def least_cost(game, rules, work, ends):
    """The cost of the cheapest district of some to attack."""
    least = 1000.0
    for d in range(rules["districts"]):
        if (ends >> d) & 1:
            least = min(least, attack_cost(game, rules, work, d))
    return least


@kernel
def count_bits(bits):
    """How many are set."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@kernel
def nth_bit(bits, n):
    """Number of the n-th bit that is set."""
    for _ in range(n):
        bits &= bits - 1
    d = 0
    while (bits >> d) & 1 == 0:
        d += 1
    return d


@kernel
def planned(work, options):
    """Which of several options the plan takes now."""
    k = cell(work, CHOICES)
    if k >= MOST_CHOICES:
        return 0
    work["score"][CHOICES] = k + 1
    work["score"][WIDTH + k] = options
    return cell(work, PLAN + k)


@kernel
def cheapest(game, rules, work, bits, direction):
    """The district of some that costs least to attack, the first of equals, or the one that is planned; `direction`: of
    a whole-length move that goes on, else NONE."""
    if bits & (bits - 1) == 0:
        return nth_bit(bits, 0)
    if work["score"][PLANNING] == 1.0:
        return nth_bit(bits, planned(work, count_bits(bits)))
    best = NONE
    least = 0.0
    for d in range(rules["districts"]):
        if (bits >> d) & 1:
            if direction == NONE:
                cost = attack_cost(game, rules, work, d)
            else:
                cost = least_cost(game, rules, work, ends_of(rules, d, direction))
            if best == NONE or cost < least:
                least = cost
                best = d
    return best
