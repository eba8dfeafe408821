"""All that the Lost Kid can choose while a card is resolved, tried out: the plan with the least cost.

Each choice that comes up (a district at every hop, the Kid whom an icon moves and where to) is a digit of a plan; the
plans are gone through like the numbers of an odometer, each from the position as it is. What a card is worth at the end
is the doom, how far the Feds have driven, where the monster stands, and what the rest of the hand could do next.
"""

from simcore.games.snallygaster.kernel import inline, kernel
from simcore.games.snallygaster.layout import NONE, Step
from strategies.snallygaster.foresight import (
    act,
    attack,
    do_card,
    do_rows,
    drive,
    drive_all,
    go_on,
    patrolled,
    shift,
    strike,
)
from strategies.snallygaster.scene import (
    AT,
    CHOICES,
    DOOM,
    FREE,
    MONSTER,
    OUT,
    PLAN,
    PLANNING,
    ROOM,
    WIDTH,
    begin,
    beside,
    cell,
    chased,
    cheapest,
    count,
    fixed_on,
    hops_to,
    ways_to,
)

WORTHS = ROOM + 106  # cells: what the strategy thinks things cost, see the names below
COST_PATROL, COST_HERE, COST_NEAR, COST_NEXT = range(4)
BEST_PLAN = FREE + 8  # the best plan so far
KEPT = FREE + 16  # the cells of the position, kept
KEEP = AT + 16 - ROOM
MOST_PLANS = 400
TWICE = -2  # in place of a direction: the demon's double speed
MUCH = 100.0
CARD_ROWS, AFTER_DISTRICT, AFTER_SHIFT, AGENDA_ONLY, ICON_ROWS = range(5)  # what a plan begins with
EFFECT, MONSTER_ACTS, DRIVES, ONE_DRIVE, ATTACKS = (
    int(Step.EFFECT),
    int(Step.MONSTER),
    int(Step.FEDS),
    int(Step.FED_DRIVES),
    int(Step.ATTACK),
)


@inline
def worth(work, name):
    """What the strategy thinks something costs."""
    return work["score"][WORTHS + name]


@kernel
def next_plan(work):
    """Turn the odometer; 0 once all plans were tried."""
    k = cell(work, CHOICES) - 1
    while k >= 0:
        if work["score"][PLAN + k] + 1.0 < work["score"][WIDTH + k]:
            work["score"][PLAN + k] += 1.0
            for later in range(k + 1, WIDTH - PLAN):
                work["score"][PLAN + later] = 0.0
            return 1
        k -= 1
    return 0


@kernel
def run_agenda(game, rules, work):
    """What waits on the agenda, from the top."""
    for back in range(game["agenda_size"]):
        row = game["agenda"][game["agenda_size"] - 1 - back]
        step = row & 15
        a = (row >> 12) & 4095
        b = row >> 24
        if step == EFFECT:
            do_rows(game, rules, work, a, b)
        elif step == MONSTER_ACTS:
            act(game, rules, work, rules["op"][a], rules["op_a"][a])
        elif step == DRIVES:
            drive(game, rules, work, a, b)
        elif step == ONE_DRIVE:
            drive(game, rules, work, a, 1)
        elif step == ATTACKS:
            if a == 0:
                attack(game, rules, work)
            else:
                strike(game, rules, work, cell(work, MONSTER))


@kernel
def finish_move(game, rules, work, district, direction):
    """The monster goes to a district, and on if its movement does (in a direction, or as the demon: TWICE), and
    attacks."""
    work["score"][MONSTER] = district
    if direction >= 0:
        go_on(game, rules, work, direction)
    elif direction == TWICE:
        only = fixed_on(game, rules, work)
        if only != NONE:
            bits = chased(game, rules, work, only)
            least = hops_to(rules, district, bits)
            if least > 0:
                work["score"][MONSTER] = cheapest(game, rules, work, ways_to(rules, district, bits, least), NONE)
    attack(game, rules, work)


@kernel
def feds_to_come(game):
    """1 in the Lost Kid's turn, before its own movement: step 3 comes."""
    return int(game["active"] == 0 and game["moving"] == 0 and game["searched"] == 0)


@kernel
def cost_now(game, rules, work):
    """What the position at the end of a plan costs."""
    doom = work["score"][DOOM]
    if game["doom"] + doom >= rules["doom_length"]:
        return MUCH + doom
    here = cell(work, MONSTER)
    cost = doom + worth(work, COST_PATROL) * patrolled(game, rules, work)
    cost += worth(work, COST_HERE) * count(cell(work, AT + here) & cell(work, OUT))
    return cost + worth(work, COST_NEAR) * beside(rules, work, here)


@kernel
def run(game, rules, work, what, a, b):
    """One plan, to the Feds' step if it comes; its cost."""
    begin(game, rules, work)
    work["score"][CHOICES] = 0
    step_3 = feds_to_come(game)
    if what == CARD_ROWS:
        do_card(game, rules, work, a)
        step_3 = 1
    elif what == AFTER_DISTRICT:
        finish_move(game, rules, work, a, b)
    elif what == AFTER_SHIFT:
        shift(game, rules, work, a, b)
    elif what == ICON_ROWS:
        do_rows(game, rules, work, a, b)
    if what != CARD_ROWS:
        run_agenda(game, rules, work)
    if step_3 == 1:
        drive_all(game, rules, work)
    return cost_now(game, rules, work)


@kernel
def best_plan(game, rules, work, what, a, b):
    """The least cost of all plans; the cells are left as the best plan leaves them. (look has been called.)"""
    work["score"][PLANNING] = 1
    for k in range(WIDTH - PLAN):
        work["score"][PLAN + k] = 0
    least = run(game, rules, work, what, a, b)
    if work["score"][CHOICES] == 0.0:
        work["score"][PLANNING] = 0
        return least
    keep_plan(work)
    for _ in range(MOST_PLANS):
        if next_plan(work) == 0:
            break
        cost = run(game, rules, work, what, a, b)
        if cost < least:
            least = cost
            keep_plan(work)
    for k in range(WIDTH - PLAN):
        work["score"][PLAN + k] = work["score"][BEST_PLAN + k]
    run(game, rules, work, what, a, b)
    work["score"][PLANNING] = 0
    return least


@kernel
def keep_plan(work):
    """Remember the plan that was run."""
    for k in range(WIDTH - PLAN):
        work["score"][BEST_PLAN + k] = work["score"][PLAN + k]


@kernel
def cost_of_next(game, rules, work, played):
    """Doom of the best of the other cards in the hand in the next turn, were the Kids to stay where they are."""
    least = MUCH
    for i in range(KEEP):
        work["score"][KEPT + i] = work["score"][ROOM + i]
    before = work["score"][DOOM]
    for slot in range(game["hand_size"][0]):
        card = game["hand"][0, slot]
        if card != played:
            do_card(game, rules, work, card)
            least = min(least, work["score"][DOOM] - before)
            for i in range(KEEP):
                work["score"][ROOM + i] = work["score"][KEPT + i]
    if least == MUCH:
        return 0.0
    return least


@kernel
def cost_of_card(game, rules, work, card):
    """What a card costs with the best choices (look has been called)."""
    cost = best_plan(game, rules, work, CARD_ROWS, card, 0)
    if worth(work, COST_NEXT) != 0.0:
        cost += worth(work, COST_NEXT) * cost_of_next(game, rules, work, card)
    return cost
