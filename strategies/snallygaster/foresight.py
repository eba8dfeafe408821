"""What a Lost Kid card does to the doom, worked out beforehand: its spooky actions in order, then the Feds' step.

What the card does is done on the copied position (``scene``) as the rules do it: the monster's way, hits, edge
penalties, attacked Feds who flee, Kids touched on the road, patrols. Where the Lost Kid may choose a district,
``cheapest`` chooses, and answers so too when the rules ask: the doom that is foreseen is the doom that comes, unless
somebody uses an item. What is put by lot is not foreseen.

    look(...) once a decision; then for each card begin(...), do_card(...), drive_all(...): work["score"][DOOM]
"""

import numpy as np

from simcore.games.snallygaster.kernel import distance, inline, kernel, near, near_count
from simcore.games.snallygaster.layout import MOST_STEPS, NONE, SOULS_A_DOOM, Op
from simcore.games.snallygaster.rules.doom import may_stop_on_feds
from strategies.snallygaster.scene import (
    ALL_OUT,
    AT,
    BESIDE,
    BLUE,
    BYSTANDERS,
    CLOSE,
    DOOM,
    FAR,
    FIXATION,
    FIXED,
    HELD,
    LIGHTS,
    MIRROR_WORLD,
    MONSTER,
    MOVED,
    OUT,
    PLANNING,
    RED,
    RED_TOUCHES,
    SOULS,
    SPACE,
    STUNNED,
    SWOOP,
    around,
    begin,
    beside,
    bystander_of,
    cell,
    chased,
    cheapest,
    count,
    fed_cost,
    fixed_on,
    hops_to,
    mirrored,
    planned,
    put,
    touched,
    ways_to,
)

NEAREST, LENGTH, ATTACK, LURE = int(Op.NEAREST), int(Op.LENGTH), int(Op.ATTACK), int(Op.LURE)
ONE_DISTRICT, PUSH, STUN, FEDS = int(Op.MONSTER), int(Op.PUSH), int(Op.STUN), int(Op.FEDS)
HOLD_FEDS, ADD_DOOM, SOUL, IF_RESCUED = int(Op.HOLD_FEDS), int(Op.DOOM), int(Op.SOUL), int(Op.IF_RESCUED)
MOVE_KID = int(Op.MOVE_KID)
EITHER = 2


@kernel
def drive(game, rules, work, fed, stops):
    """A Fed drives some intersections."""
    leg = cell(work, RED + fed)
    out = cell(work, OUT)
    doom = 0
    for _ in range(stops):
        if work["score"][HELD] == 1.0:
            work["score"][HELD] = 0
            continue
        if leg == game["fed_at"][fed] and work["score"][MOVED] == 0.0:
            caught = cell(work, RED_TOUCHES + fed) & out
        else:
            caught = touched(rules, work, fed, leg) & out
        out &= ~caught
        doom += count(caught)
        leg += 1
        if leg >= rules["stops"][fed]:
            leg = 0
            doom += 1
    work["score"][RED + fed] = leg
    work["score"][OUT] = out
    work["score"][DOOM] += doom


@kernel
def drive_all(game, rules, work):
    """Step 3: the red Fed, then the blue one."""
    drive(game, rules, work, 0, rules["patrol_speed"])
    drive(game, rules, work, 1, rules["patrol_speed"])


@kernel
def tree_for(game, rules, space):
    """The space of the nearest tree, to which the Snallygaster carries a Kid; NONE."""
    best = NONE
    least = FAR
    for building in range(rules["buildings"]):
        if (game["trees"] >> building) & 1:
            for side in range(2):
                there = rules["building_space"][building, side]
                far = distance(rules, 0, space, there)
                if far < least:
                    least = far
                    best = there
    return best


@inline
def strike(game, rules, work, district):
    """Every Kid in the district is hit, or else a bystander is pulled into the mirror world."""
    struck = cell(work, AT + district) & cell(work, OUT)
    if struck != 0:
        work["score"][OUT] = cell(work, OUT) & ~struck
        work["score"][DOOM] += rules["attack_doom"] * count(struck)
        if rules["mechanics"] == FIXATION:
            for seat in range(game["seats"]):
                if (struck >> seat) & 1:
                    work["score"][FIXED] = seat
        elif rules["mechanics"] == SWOOP and game["trees"] != 0:
            carry_off(game, rules, work, struck)
    elif rules["mechanics"] == MIRROR_WORLD:
        building = bystander_of(rules, work, district)
        if building != NONE:
            work["score"][BYSTANDERS] = cell(work, BYSTANDERS) & ~(1 << building)
            add_souls(work, 1)


@kernel
def carry_off(game, rules, work, struck):
    """The first Kid hit lands on the nearest tree, where it is not safe."""
    seat = 0
    while (struck >> seat) & 1 == 0:
        seat += 1
    space = tree_for(game, rules, cell(work, SPACE + seat))
    for d in range(rules["districts"]):
        work["score"][AT + d] = cell(work, AT + d) & ~(1 << seat)
    work["score"][SPACE + seat] = space
    work["score"][MOVED] = 1
    put(rules, work, seat, space)
    work["score"][OUT] = cell(work, OUT) | (1 << seat)


@kernel
def add_souls(work, n):
    """Souls in the mirror world; every third is a doom."""
    for _ in range(n):
        souls = cell(work, SOULS) + 1
        work["score"][SOULS] = souls
        if souls % SOULS_A_DOOM == 0:
            work["score"][DOOM] += 1


@kernel
def attack(game, rules, work):
    """The monster attacks where it is."""
    district = cell(work, MONSTER)
    if (cell(work, LIGHTS) >> district) & 1:
        work["score"][LIGHTS] = cell(work, LIGHTS) & ~(1 << district)
        return
    red = (rules["stop_district_bits"][0, cell(work, RED)] >> district) & 1
    blue = (rules["stop_district_bits"][1, cell(work, BLUE)] >> district) & 1
    if rules["attack_order"] == 0:
        strike(game, rules, work, district)
    if red:
        drive(game, rules, work, 0, rules["feds_flight"])
    if blue:
        drive(game, rules, work, 1, rules["feds_flight"])
    if rules["attack_order"] == 1:
        strike(game, rules, work, district)


@inline
def chase(game, rules, work):
    """Towards the closest Kid; 1 if an attack follows."""
    here = cell(work, MONSTER)
    only = fixed_on(game, rules, work)
    bits = chased(game, rules, work, only)
    if bits == 0:
        work["score"][DOOM] += 1
        return 0
    least = hops_to(rules, here, bits)
    if least == 0:
        return 1
    ways = ways_to(rules, here, bits, least)
    if rules["mechanics"] == MIRROR_WORLD:
        ways |= mirrored(game, rules, here)
    there = cheapest(game, rules, work, ways, NONE)
    if only != NONE:
        least = hops_to(rules, there, bits)
        if least > 0:
            there = cheapest(game, rules, work, ways_to(rules, there, bits, least), NONE)
    work["score"][MONSTER] = there
    return 1


@kernel
def go_on(game, rules, work, direction):
    """On in a direction as far as it goes."""
    bits = rules["neighbours"][cell(work, MONSTER), direction]
    while bits != 0:
        there = cheapest(game, rules, work, bits, direction)
        work["score"][MONSTER] = there
        bits = rules["neighbours"][there, direction]


@inline
def go(game, rules, work, direction, whole):
    """In a direction; 1 if an attack follows."""
    bits = rules["neighbours"][cell(work, MONSTER), direction]
    if bits == 0:
        work["score"][DOOM] += 1
        return 0
    if whole == 1:
        go_on(game, rules, work, direction)
    else:
        work["score"][MONSTER] = cheapest(game, rules, work, bits, NONE)
    return 1


@inline
def act(game, rules, work, op, a):
    """A monster action, and the attack after it."""
    if cell(work, STUNNED) == 1:
        work["score"][STUNNED] = 0
        if rules["stun"] == 1 and op != PUSH:
            attack(game, rules, work)
        return
    attacks = 1
    if op == NEAREST:
        attacks = chase(game, rules, work)
    elif op == ONE_DISTRICT:
        attacks = go(game, rules, work, a, 0)
    elif op == LENGTH:
        attacks = go(game, rules, work, a, 1)
    elif op != ATTACK:
        for _ in range(a):
            bits = around(rules, cell(work, MONSTER))
            if bits != 0:
                work["score"][MONSTER] = cheapest(game, rules, work, bits, NONE)
        attacks = int(op == LURE)
    if attacks == 1:
        attack(game, rules, work)


@kernel
def kid_space(game, work, seat):
    """Where a Kid is that can be moved; NONE for one who was sent off in this foresight."""
    if (cell(work, OUT) >> seat) & 1:
        return cell(work, SPACE + seat)
    if (cell(work, ALL_OUT) >> seat) & 1:
        return NONE
    return game["space"][seat]


@kernel
def end_of(game, rules, work, seat, steps, n):
    """The n-th space where a card can move a Kid to; NONE if there are fewer. Feds' spaces are no end."""
    space = kid_space(game, work, seat)
    if space < 0:
        return NONE
    way = rules["plain_way"][1 - rules["move_kid"]]
    anywhere = may_stop_on_feds(game, rules, seat)
    found = 0
    for i in range(near_count(rules, way, space, min(steps, MOST_STEPS))):
        there = near(rules, way, space, i)
        red = np.int64(rules["stop_touch"][0, cell(work, RED), there])
        blue = np.int64(rules["stop_touch"][1, cell(work, BLUE), there])
        if anywhere or red | blue == 0:
            if found == n:
                return there
            found += 1
    if found == 0 and n == 0:
        return space
    return NONE


@kernel
def shift(game, rules, work, seat, space):
    """A Kid is moved to a space."""
    for d in range(rules["districts"]):
        work["score"][AT + d] = cell(work, AT + d) & ~(1 << seat)
    work["score"][OUT] = cell(work, OUT) & ~(1 << seat)
    work["score"][SPACE + seat] = space
    work["score"][MOVED] = 1
    if rules["treehouse_of"][space] < 0:
        work["score"][OUT] = cell(work, OUT) | (1 << seat)
        put(rules, work, seat, space)


@kernel
def move_any(game, rules, work, steps):
    """A Kid is moved as the plan says: any Kid to any end."""
    options = 0
    for seat in range(1, game["seats"]):
        n = 0
        while end_of(game, rules, work, seat, steps, n) != NONE:
            n += 1
        options += n
    if options == 0:
        return
    pick = 0
    if options > 1:
        pick = planned(work, options)
    for seat in range(1, game["seats"]):
        n = 0
        while True:
            space = end_of(game, rules, work, seat, steps, n)
            if space == NONE:
                break
            if pick == 0:
                shift(game, rules, work, seat, space)
                return
            pick -= 1
            n += 1


@kernel
def do_rows(game, rules, work, start, end):
    """The rows of an effect of the Lost Kid's; what others would choose, and what is put by lot, is left out."""
    pc = start
    while pc < end:
        op = rules["op"][pc]
        a = rules["op_a"][pc]
        if op <= PUSH:
            act(game, rules, work, op, a)
        elif op == STUN:
            work["score"][STUNNED] = 1
        elif op == FEDS:
            fed = a
            if a == EITHER:
                fed = milder_fed(rules, work, rules["op_b"][pc])
            drive(game, rules, work, fed, rules["op_b"][pc])
        elif op == HOLD_FEDS:
            work["score"][HELD] = 1
        elif op == ADD_DOOM:
            work["score"][DOOM] += a
        elif op == SOUL:
            add_souls(work, a)
        elif op == MOVE_KID and work["score"][PLANNING] == 1.0:
            move_any(game, rules, work, a)
        if op == IF_RESCUED and game["rescued"] == 1:
            pc += 1
        else:
            pc = rules["op_end"][pc]


@kernel
def milder_fed(rules, work, stops):
    """The Fed whose drive costs less."""
    return int(fed_cost(rules, work, 1, stops, 0) < fed_cost(rules, work, 0, stops, 0))


@inline
def do_card(game, rules, work, card):
    """Step 1: the spooky actions of a card, as often as event_density has made of each."""
    if rules["density"] == 0:
        do_rows(game, rules, work, rules["card_start"][card], rules["card_end"][card])
        return
    k = 0
    at = rules["card_start"][card]
    while at < rules["card_end"][card]:
        for _ in range((game["times"][card] >> (2 * k)) & 3):
            do_rows(game, rules, work, at, rules["op_end"][at])
        k += 1
        at = rules["op_end"][at]


@kernel
def patrolled(game, rules, work):
    """How much nearer the Feds are to their next full patrols than at first, in patrols."""
    red = (cell(work, RED) - game["fed_at"][0]) / rules["stops"][0]
    return red + (cell(work, BLUE) - game["fed_at"][1]) / rules["stops"][1]


@inline
def nearness(rules, work):
    """What the monster's place at the end costs: Kids in its district, or a district away."""
    here = cell(work, MONSTER)
    cost = BESIDE * beside(rules, work, here)
    return cost + CLOSE * count(cell(work, AT + here) & cell(work, OUT))


@inline
def doom_of(game, rules, work, card):
    """Doom of a card after step 3 (look has been called)."""
    begin(game, rules, work)
    do_card(game, rules, work, card)
    drive_all(game, rules, work)
    return work["score"][DOOM]
