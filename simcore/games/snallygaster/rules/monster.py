"""The monster: where an action takes it, and whom it hits (rulebook, Moving the Monster, Monster Attacks; L7-L11,
L26-L29, L36)."""

import numpy as np

from simcore.games.snallygaster.kernel import exposed, kernel, make_option, option_a
from simcore.games.snallygaster.layout import (
    NONE,
    Decision,
    Event,
    Ledger,
    Mechanics,
    Op,
    Option,
    Place,
    Source,
    Status,
    Step,
    Tally,
)
from simcore.games.snallygaster.rules.doom import add_doom, send, send_home
from simcore.games.snallygaster.rules.goals import show_monster
from simcore.games.snallygaster.rules.monsters.curse import add_curse
from simcore.games.snallygaster.rules.monsters.fixation import chased_alone, fix_on
from simcore.games.snallygaster.rules.monsters.mirrors import mirror_districts, pull_bystander
from simcore.games.snallygaster.rules.monsters.swoop import nearest_tree
from simcore.games.snallygaster.rules.steps import push
from simcore.games.snallygaster.rules.tokens import take
from simcore.play import decide, log, offer

FAR = 1000


@kernel
def all_neighbours(rules, district):
    """Bits of the neighbours of a district in all directions."""
    near = rules["neighbours"]
    return near[district, 0] | near[district, 1] | near[district, 2] | near[district, 3]


@kernel
def seat_hops(game, rules, seat, district):
    """Districts between a seat and a district: the least over the seat's districts [L29]."""
    bits = rules["district_bits"][game["space"][seat]]
    least = FAR
    for d in range(rules["districts"]):
        if (bits >> d) & 1 and rules["hops"][district, d] < least:
            least = rules["hops"][district, d]
    return least


@kernel
def kids_hops(game, rules, district, only):
    """Districts to the closest Kid who can be chased (or to one seat); FAR if there is none [L8]."""
    least = FAR
    for seat in range(game["seats"]):
        if (only == NONE or seat == only) and exposed(game, rules, seat):
            far = seat_hops(game, rules, seat, district)
            if far < least:
                least = far
    return least


@kernel
def towards(game, rules, district, only):
    """Bits of the neighbours that are a hop nearer to any of the closest Kids [L28]. Some Kid can be chased and is
    elsewhere."""
    least = kids_hops(game, rules, district, only)
    around = all_neighbours(rules, district)
    bits = 0
    for seat in range(game["seats"]):
        if (only == NONE or seat == only) and exposed(game, rules, seat):
            if seat_hops(game, rules, seat, district) == least:
                for d in range(rules["districts"]):
                    if (around >> d) & 1 and seat_hops(game, rules, seat, d) == least - 1:
                        bits |= 1 << d
    return bits


@kernel
def choose_district(game, rules, work, seat, bits):
    """One of several districts, the choice of `seat`."""
    game["options"] = 0
    for d in range(rules["districts"]):
        if (bits >> d) & 1:
            offer(game, make_option(Option.DISTRICT, d, 0, 0))
    return option_a(decide(game, rules, work, seat, Decision.DISTRICT))


@kernel
def place_monster(game, rules, work, district, shown):
    """Put the monster into a district; one that hides is hidden by its own movement, not where it is moved openly."""
    before = game["monster"][0]
    for seat in range(game["monster"].shape[0]):
        game["monster"][seat] = NONE
    game["monster"][0] = district
    hidden = rules["mechanics"] == Mechanics.SWOOP and shown == 0
    if hidden:
        if game["monster_seen"] != NONE:
            log(game, work, Event.SHOWN, 0, 0, before, 0)
        game["monster_seen"] = NONE
    else:
        game["monster_seen"] = district
        game["monster_maybe"] = 1 << district
    log(game, work, Event.MONSTER, 0, district, before, np.int64(hidden))


@kernel
def step_bits(game, rules, op, a, district):
    """Bits of the districts that one step of an action can lead to from a district; 0: it cannot be done."""
    if op == Op.NEAREST:
        if kids_hops(game, rules, district, NONE) == 0:
            return 1 << district
        return towards(game, rules, district, NONE)
    return rules["neighbours"][district, a]


@kernel
def follow_maybe(game, rules, op, a, moved):
    """What all know of a monster that moves unseen: where it can be after an action that it could do, or could
    not."""
    if rules["mechanics"] != Mechanics.SWOOP:
        return
    bits = 0
    for d in range(rules["districts"]):
        if (game["monster_maybe"] >> d) & 1:
            step = step_bits(game, rules, op, a, d)
            if moved == 0:
                if step == 0:
                    bits |= 1 << d
            elif op == Op.LENGTH:
                frontier = step
                while frontier != 0:
                    further = 0
                    for e in range(rules["districts"]):
                        if (frontier >> e) & 1:
                            if rules["neighbours"][e, a] == 0:
                                bits |= 1 << e
                            further |= rules["neighbours"][e, a]
                    frontier = further
            else:
                bits |= step
    game["monster_maybe"] = bits


@kernel
def penalty(game, rules, work, source):
    """The movement cannot be done: +1 doom, and nothing else [L8, L27]."""
    if source == Source.NOBODY:
        game["tally"][Ledger.NOBODY] += 1
    else:
        game["tally"][Ledger.OFF_BOARD] += 1
    log(game, work, Event.CANNOT, 0, source, 0, 0)
    add_doom(game, rules, work, 1, source)


@kernel
def go_towards(game, rules, work):
    """One district towards the closest Kid, or none where one is; the Lost Kid's choice among several ways."""
    here = game["monster"][0]
    alone = chased_alone(game, rules)
    least = kids_hops(game, rules, here, alone)
    if least == FAR:
        penalty(game, rules, work, Source.NOBODY)
        return 0
    if least == 0:
        return 1
    bits = towards(game, rules, here, alone)
    if rules["mechanics"] == Mechanics.MIRRORS:
        bits |= mirror_districts(game, rules, here)
    if bits & (bits - 1) != 0:
        game["tally"][Ledger.TIED_KIDS] += 1
    follow_maybe(game, rules, Op.NEAREST, 0, 1)
    there = choose_district(game, rules, work, 0, bits)
    place_monster(game, rules, work, there, 0)
    if alone != NONE and seat_hops(game, rules, alone, there) > 0:  # the demon's double speed
        there = choose_district(game, rules, work, 0, towards(game, rules, there, alone))
        place_monster(game, rules, work, there, 0)
    return 1


@kernel
def go_direction(game, rules, work, direction, whole):
    """One district in a direction, or as many as there are; the Lost Kid's choice at every hop [L9, L27]."""
    bits = rules["neighbours"][game["monster"][0], direction]
    op = Op.LENGTH if whole == 1 else Op.MONSTER
    follow_maybe(game, rules, op, direction, np.int64(bits != 0))
    if bits == 0:
        penalty(game, rules, work, Source.CANNOT_MOVE)
        return 0
    while bits != 0:
        if bits & (bits - 1) != 0:
            game["tally"][Ledger.TWO_DISTRICTS] += 1
        place_monster(game, rules, work, choose_district(game, rules, work, 0, bits), 0)
        bits = rules["neighbours"][game["monster"][0], direction] if whole == 1 else 0
    return 1


@kernel
def lead_monster(game, rules, work, seat, hops):
    """A card moves the monster openly, hop by hop, as `seat` chooses [L26]."""
    show_monster(game, work)
    for _ in range(hops):
        around = all_neighbours(rules, game["monster"][0])
        if around == 0:
            return
        there = choose_district(game, rules, work, seat, around)
        place_monster(game, rules, work, there, 1)


@kernel
def is_stopped(game, work):
    """1 if a card cancels the action about to happen."""
    if game["cancelled"] == 0:
        return 0
    game["cancelled"] = 0
    game["dodging"] = 0
    log(game, work, Event.STUNNED, 0, 1, 0, 0)
    return 1


@kernel
def act(game, rules, work, seat, pc, source):
    """The monster action in row `pc`, unless a card or the stun token stops it [L10]."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if is_stopped(game, work):
        return
    if game["searched"] > 0:
        game["threatened"] = 1
    if game["stunned"] == 1:
        game["stunned"] = 0
        game["tally"][Ledger.STUNNED] += 1
        log(game, work, Event.STUNNED, 0, 0, 0, 0)
        if rules["stun"] == 1 and op != Op.PUSH:
            push(game, Step.ATTACK, seat, source, 0, 0)
        else:
            game["dodging"] = 0
        return
    attacks = 1
    if op == Op.NEAREST:
        attacks = go_towards(game, rules, work)
    elif op == Op.MONSTER:
        attacks = go_direction(game, rules, work, a, 0)
    elif op == Op.LENGTH:
        attacks = go_direction(game, rules, work, a, 1)
    elif op != Op.ATTACK:
        lead_monster(game, rules, work, seat, a)
        attacks = np.int64(op == Op.LURE)
    if attacks == 1:
        push(game, Step.ATTACK, seat, source, 0, 0)
    else:
        game["dodging"] = 0


@kernel
def hit(game, rules, work, seat, first):
    """One Kid is hit: doom, the monster's own rule, the way to a treehouse."""
    game["tally"][Tally.HITS] += 1
    if seat == 0:
        game["tally"][Ledger.LOST_KID_HIT] += 1
    bits = rules["district_bits"][game["space"][seat]]
    if bits & (bits - 1) != 0:
        game["tally"][Ledger.ROAD_HIT] += 1
    log(game, work, Event.HIT, seat, 0, 0, 0)
    add_doom(game, rules, work, rules["attack_doom"], Source.ATTACK)
    if game["status"] != Status.PLAYING:
        return
    mechanics = rules["mechanics"]
    if mechanics == Mechanics.CURSE:
        add_curse(game, work, seat)
    elif mechanics == Mechanics.FIXATION:
        fix_on(game, rules, work, seat)
    elif mechanics == Mechanics.SWOOP and first == 1:
        tree = nearest_tree(game, rules, seat)
        if tree != NONE:
            send(game, rules, work, seat, tree, 1)
            return
    send_home(game, rules, work, seat)


@kernel
def hit_kids(game, rules, work):
    """Every Kid in the monster's district, roads on its edge included, who is in no treehouse [L9]."""
    district = game["monster"][0]
    struck = 0
    for seat in range(game["seats"]):
        if exposed(game, rules, seat):
            if (rules["district_bits"][game["space"][seat]] >> district) & 1:
                struck |= 1 << seat
        elif seat > 0 and game["space"][seat] < 0:
            game["tally"][Ledger.IMMUNE] += 1
    if struck == 0:
        game["monster_maybe"] &= ~districts_of_kids(game, rules)
        if rules["mechanics"] == Mechanics.MIRRORS:
            pull_bystander(game, rules, work, district)
        game["dodging"] = 0
        return
    if struck & ~game["dodging"] != 0:
        show_monster(game, work)
    else:  # who dodges has seen it come: it is in one of his districts
        game["monster_maybe"] &= districts_of(game, rules, struck)
    first = 1
    for seat in range(game["seats"]):
        if (struck >> seat) & 1 and game["status"] == Status.PLAYING:
            if (game["dodging"] >> seat) & 1:
                log(game, work, Event.DODGED, seat, 0, 0, 0)
                continue
            hit(game, rules, work, seat, first)
            first = 0
    if first == 1 and rules["mechanics"] == Mechanics.MIRRORS:  # all of them dodged
        pull_bystander(game, rules, work, district)
    game["dodging"] = 0


@kernel
def districts_of(game, rules, seats):
    """Bits of the districts of some seats."""
    bits = 0
    for seat in range(game["seats"]):
        if (seats >> seat) & 1:
            bits |= rules["district_bits"][game["space"][seat]]
    return bits


@kernel
def districts_of_kids(game, rules):
    """Bits of the districts with a Kid who can be hit: an attack on any of them would have been seen."""
    seats = 0
    for seat in range(game["seats"]):
        seats |= exposed(game, rules, seat) << seat
    return districts_of(game, rules, seats)


@kernel
def attack(game, rules, work, seat, part, source):
    """The monster attacks its district; part 0 the whole of it, 1 only the Kids (after the Feds) [L7, L36]."""
    district = game["monster"][0]
    if part == 0:
        if (game["lights"] >> district) & 1:
            take(game, work, Place.LIGHT, district)
            log(game, work, Event.STUNNED, 0, 2, 0, 0)
            game["dodging"] = 0
            return
        log(game, work, Event.ATTACK, 0, district, 0, 0)
        fleeing = 0
        for fed in range(2):
            if (rules["stop_district_bits"][fed, game["fed_at"][fed]] >> district) & 1:
                fleeing |= 1 << fed
        if fleeing == 0:
            for fed in range(2):
                game["monster_maybe"] &= ~rules["stop_district_bits"][fed, game["fed_at"][fed]]
        if rules["attack_order"] == 1:
            push(game, Step.ATTACK, seat, source, 1, 0)
        for fed in range(2):  # the red one, pushed last, goes first
            other = 1 - fed
            if (fleeing >> other) & 1:
                game["monster_maybe"] &= rules["stop_district_bits"][other, game["fed_at"][other]]
                game["tally"][Ledger.FEDS_FLEE] += 1
                push(game, Step.FEDS, 0, Source.ATTACK, other, rules["feds_flight"])
        if rules["attack_order"] == 1:
            return
    hit_kids(game, rules, work)
