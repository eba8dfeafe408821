"""Expert: the Lost Kid tries every card with every choice, and weighs the doom that comes against what is told.

(a) Doom: each card's spooky actions are played through with all districts and Kids that can be chosen, then the Feds'
step; the Feds' progress on their patrols, the monster's place and the next turn's best card count as doom to come.
(b) Clues: what Kids who read the tops in view would believe of the true building afterwards, for every card and pile.
A building whose card is shown is out; a misleading top is worth covering, a good one is not.
(c) The token that the rescue needs, tokens near Kids, and once rescued the card's steps.

Source: the rules, and claims D1 and D8; weights tuned by a seeded search with the Kids' strategies that ship.
"""

from simcore.game import Strategy, Weight
from simcore.games.snallygaster.kernel import distance, kernel, option_a, option_b, option_kind
from simcore.games.snallygaster.layout import NONE, Op, Option
from simcore.play import weight
from strategies.snallygaster.clueing import (
    ACTION_ICON,
    BUILDING,
    CARD,
    DISTRICT,
    KID_TO,
    NEW_HAND,
    PILE,
    WHICH_KID,
    aim,
    brings_home,
    first_best,
    hidden_building,
    is_lost_kids,
    length_way,
    nearest_kid,
    usual_lost_kid,
)
from strategies.snallygaster.foresight import ONE_DISTRICT, drive_all, end_of, kid_space
from strategies.snallygaster.moving import usual_kid
from strategies.snallygaster.planning import (
    AFTER_DISTRICT,
    AFTER_SHIFT,
    AGENDA_ONLY,
    COST_HERE,
    COST_NEAR,
    COST_NEXT,
    COST_PATROL,
    ICON_ROWS,
    MUCH,
    TWICE,
    WORTHS,
    best_plan,
    cost_of_card,
    cost_of_next,
)
from strategies.snallygaster.scene import DOOM, FIXATION, begin, chased, fixed_on, hops_to, look, ways_to

CLUE, DOUBT, HOME, PATROL, HERE, NEAR, NEXT, RENEW, TOKEN, STEPS, FADE, GUIDE = range(12)
# in the memory: whom WHICH_KID has named; when the Lost Kid was asked last; 1 if that was for the first of two hops
MOVED_SEAT, LAST_ASKED, FIRST_HOP = 60, 61, 62
BELIEF = 340  # cells: 1 for a building where the Lost Kid can still be, by what all see
PLAYS, USES = int(Option.PLAY), int(Option.USE)
MOVE_KID, NEW_HAND_ICON, PUT_TOKEN = int(Op.MOVE_KID), int(Op.NEW_HAND), int(Op.TOKEN)
REACH = 8.0


# --- what is told -----------------------------------------------------------------------------------------------------


@kernel
def see_buildings(game, rules, work):
    """Where the Lost Kid can still be: not where it was looked, nor where a card lies that all have seen."""
    out = game["cleared"]
    for i in range(game["discards"][0]):
        out |= 1 << rules["card_building"][game["discard"][0, i]]
    for pile in range(rules["pile_count"]):
        if game["piles"][pile] != NONE:
            out |= 1 << rules["card_building"][game["piles"][pile]]
    for b in range(rules["buildings"]):
        work["score"][BELIEF + b] = 1 - ((out >> b) & 1)
    work["score"][BELIEF + hidden_building(game, rules)] = 1.0


@kernel
def belief_after(game, rules, work, card, covered):
    """What the tops in view give to the true building if a card covers a pile (NONE: as it is), and its building is
    out."""
    home = hidden_building(game, rules)
    new_hint = NONE
    out = NONE
    if card != NONE:
        new_hint = rules["card_hint"][card]
        out = rules["card_building"][card]
    everywhere = 0.0
    here = 0.0
    for b in range(rules["buildings"]):
        hope = work["score"][BELIEF + b]
        if hope == 0.0 or (b == out and b != home):
            continue
        for pile in range(rules["pile_count"]):
            if pile != covered and game["pile_told"][pile] == 1 and game["piles"][pile] != NONE:
                hint = rules["card_hint"][game["piles"][pile]]
                if hint != NONE:
                    hope *= rules["hint_weight"][hint, b]
        if new_hint != NONE:
            hope *= rules["hint_weight"][new_hint, b]
        everywhere += hope
        if b == home:
            here = hope
    if everywhere <= 0.0:
        return 0.0
    return here / everywhere


@kernel
def telling(game, rules, work, seat, card, covered):
    """Worth of what is told, 0..1: a belief of `doubt` is worth a half."""
    belief = belief_after(game, rules, work, card, covered)
    return belief / (belief + weight(game, rules, seat, DOUBT))


@kernel
def left_to_play(game, rules, seat):
    """What a clue is worth now: less as the doom track runs out."""
    gone = game["doom"] / rules["doom_length"]
    return weight(game, rules, seat, CLUE) * (1.0 - weight(game, rules, seat, FADE) * gone)


# --- cards ------------------------------------------------------------------------------------------------------------


@kernel
def set_worths(game, rules, work, seat):
    """Tell the planning what things cost."""
    work["score"][WORTHS + COST_PATROL] = weight(game, rules, seat, PATROL)
    work["score"][WORTHS + COST_HERE] = weight(game, rules, seat, HERE)
    work["score"][WORTHS + COST_NEAR] = weight(game, rules, seat, NEAR)
    work["score"][WORTHS + COST_NEXT] = weight(game, rules, seat, NEXT)


@kernel
def token_worth(game, rules, seat, building):
    """What a search token on a building is worth: more near Kids, less where one lies already."""
    near = max(1.0 - nearest_kid(game, rules, building) / REACH, 0.0)
    return weight(game, rules, seat, TOKEN) * near / (1.0 + game["tokens"][building])


@kernel
def card_value(game, rules, work, seat, card):
    """A card's worth apart from what its hint tells and covers: minus its cost; its token; its steps."""
    value = -cost_of_card(game, rules, work, card)
    value += token_worth(game, rules, seat, rules["card_building"][card])
    if game["rescued"] == 1:
        return value + weight(game, rules, seat, STEPS) * rules["card_movement"][card]
    return value + weight(game, rules, seat, HOME) * brings_home(game, rules, card)


@kernel
def renewal_value(game, rules, work, seat):
    """What the New Hand token is worth: a doom, the Feds' step, an average best card, the clues as they are."""
    begin(game, rules, work)
    drive_all(game, rules, work)
    cost = 1.0 + work["score"][DOOM] + weight(game, rules, seat, RENEW)
    if game["doom"] + 1.0 + work["score"][DOOM] >= rules["doom_length"]:
        cost += MUCH
    if game["rescued"] == 1:
        return -cost
    return left_to_play(game, rules, seat) * telling(game, rules, work, seat, NONE, NONE) - cost


@kernel
def choose_card(game, rules, work, seat):
    """Every card on every pile, or the New Hand token."""
    look(game, rules, work)
    see_buildings(game, rules, work)
    last = NONE
    value = 0.0
    clue = left_to_play(game, rules, seat)
    for i in range(game["options"]):
        option = game["option"][i]
        if option_kind(option) != PLAYS:
            work["score"][i] = renewal_value(game, rules, work, seat)
            continue
        slot = option_a(option)
        card = game["hand"][0, slot]
        if slot != last:
            last = slot
            value = card_value(game, rules, work, seat, card)
        work["score"][i] = value
        if game["rescued"] == 0:
            work["score"][i] += clue * telling(game, rules, work, seat, card, option_b(option))
    return first_best(game, work)


# --- choices while a card is resolved ---------------------------------------------------------------------------------


@kernel
def is_first_hop(game, rules, work, seat):
    """1 if the demon, at double speed, takes the first of two hops: the options lead to the Kid whom it is fixed on, no
    icon of the card in play names their direction, and nothing says that the first hop was done just before."""
    begin(game, rules, work)
    only = fixed_on(game, rules, work)
    if only == NONE:
        return 0
    here = game["monster"][0]
    bits = 0
    for i in range(game["options"]):
        bits |= 1 << option_a(game["option"][i])
    kid = chased(game, rules, work, only)
    if bits != ways_to(rules, here, kid, hops_to(rules, here, kid)):
        return 0
    card = game["played"]
    if game["active"] == 0 and card != NONE:
        for pc in range(rules["card_start"][card], rules["card_end"][card]):
            if rules["op"][pc] == ONE_DISTRICT and rules["neighbours"][here, rules["op_a"][pc]] == bits:
                return 0
    since = game["asked"] - game["memory"][seat, LAST_ASKED]
    return int(since != 2 - game["memory"][seat, FIRST_HOP])


@kernel
def choose_district(game, rules, work, seat):
    """The district from which all that follows costs least."""
    look(game, rules, work)
    direction = length_way(game, rules)
    if rules["mechanics"] == FIXATION:
        first = is_first_hop(game, rules, work, seat)
        if first == 1:
            direction = TWICE
        game["memory"][seat, FIRST_HOP] = first
        game["memory"][seat, LAST_ASKED] = game["asked"]
    for i in range(game["options"]):
        there = option_a(game["option"][i])
        work["score"][i] = -best_plan(game, rules, work, AFTER_DISTRICT, there, direction)
    return first_best(game, work)


@kernel
def guided(game, rules, seat, space):
    """What a space is worth to a Kid who is put there: nearer to where the Kids should go."""
    there = aim(game, rules)
    if there == NONE:
        return 0.0
    return -weight(game, rules, seat, GUIDE) * distance(rules, 0, space, there)


@kernel
def value_of_shift(game, rules, work, seat, kid, space):
    """Worth of moving a Kid to a space."""
    cost = best_plan(game, rules, work, AFTER_SHIFT, kid, space)
    return guided(game, rules, seat, space) - cost


@kernel
def best_shift(game, rules, work, seat, kid, steps):
    """Worth of the best space for a Kid."""
    best = -2.0 * MUCH
    n = 0
    begin(game, rules, work)
    here = kid_space(game, work, kid)
    while True:
        begin(game, rules, work)
        space = end_of(game, rules, work, kid, steps, n)
        if space == NONE:
            return best
        value = value_of_shift(game, rules, work, seat, kid, space) - guided(game, rules, seat, here)
        best = max(best, value)
        n += 1


@kernel
def steps_of_icon(game, rules):
    """Spaces that the card in play lets the Lost Kid move a Kid (or the powered card)."""
    card = game["played"]
    if card != NONE:
        for pc in range(rules["card_start"][card], rules["card_end"][card]):
            if rules["op"][pc] == MOVE_KID:
                return rules["op_a"][pc]
        if rules["card_action"][card] != NONE:
            for pc in range(rules["card_action"][card], rules["card_action_end"][card]):
                if rules["op"][pc] == MOVE_KID:
                    return rules["op_a"][pc]
    return 2


@kernel
def choose_kid(game, rules, work, seat):
    """The Kid for whom there is the best space."""
    look(game, rules, work)
    steps = steps_of_icon(game, rules)
    for i in range(game["options"]):
        work["score"][i] = best_shift(game, rules, work, seat, option_a(game["option"][i]), steps)
    best = first_best(game, work)
    game["memory"][seat, MOVED_SEAT] = option_a(game["option"][best])
    return best


@kernel
def choose_space(game, rules, work, seat):
    """The best space for the Kid who was chosen."""
    look(game, rules, work)
    kid = game["memory"][seat, MOVED_SEAT]
    if kid < 1 or kid >= game["seats"] or game["space"][kid] < 0:
        kid = 1
        while kid < game["seats"] - 1 and game["space"][kid] < 0:
            kid += 1
    for i in range(game["options"]):
        work["score"][i] = value_of_shift(game, rules, work, seat, kid, option_a(game["option"][i]))
    return first_best(game, work)


@kernel
def icon_value(game, rules, work, seat, passed):
    """Worth of using the action icon of the card in play; `passed`: nothing, its cost is `passed`."""
    start = rules["card_action"][game["played"]]
    op = rules["op"][start]
    if op == NEW_HAND_ICON:
        return -1.0 - weight(game, rules, seat, RENEW)
    if op == MOVE_KID:
        best = -2.0 * MUCH
        for kid in range(1, game["seats"]):
            if game["space"][kid] >= 0:
                best = max(best, best_shift(game, rules, work, seat, kid, rules["op_a"][start]))
        return best
    cost = best_plan(game, rules, work, ICON_ROWS, start, rules["card_action_end"][game["played"]])
    if op == PUT_TOKEN:
        return 0.1 - cost
    return -cost


@kernel
def use_icon(game, rules, work, seat):
    """Use the icon if what follows is better than without it."""
    look(game, rules, work)
    cost = best_plan(game, rules, work, AGENDA_ONLY, 0, 0)
    passed = -cost
    if rules["op"][rules["card_action"][game["played"]]] == NEW_HAND_ICON:
        passed = -cost_of_next(game, rules, work, NONE)
    used = icon_value(game, rules, work, seat, cost)
    for i in range(game["options"]):
        work["score"][i] = passed
        if option_kind(game["option"][i]) == USES:
            work["score"][i] = used
    return first_best(game, work)


@kernel
def renew_hand(game, rules, work, seat):
    """The token before step 4: only where all cards left would cost more than a new hand does."""
    look(game, rules, work)
    begin(game, rules, work)
    passed = -cost_of_next(game, rules, work, NONE)
    used = -1.0 - weight(game, rules, seat, RENEW)
    if game["doom"] + 1 >= rules["doom_length"]:
        used -= MUCH
    for i in range(game["options"]):
        work["score"][i] = passed if i == 0 else used
    return first_best(game, work)


@kernel
def choose_building(game, rules, work, seat):
    """The true building for the token that the rescue needs; else near Kids, where the Lost Kid is known not to be."""
    see_buildings(game, rules, work)
    home = hidden_building(game, rules)
    for i in range(game["options"]):
        building = option_a(game["option"][i])
        work["score"][i] = token_worth(game, rules, seat, building) - 0.5 * work["score"][BELIEF + building]
        if building == home and game["tokens"][home] == 0:
            work["score"][i] = 10.0
    return first_best(game, work)


@kernel
def cover_with_hand(game, rules, work, seat):
    """The pile for the cards of a New Hand icon: under its top; or on it, where that loses least."""
    see_buildings(game, rules, work)
    for i in range(game["options"]):
        covered = option_a(game["option"][i]) if rules["new_hand_icon"] == 1 else NONE
        work["score"][i] = telling(game, rules, work, seat, NONE, covered)
    return first_best(game, work)


@kernel
def play(game, rules, work, seat, decision):
    """All that is the Lost Kid's alone; else the usual moves of a Kid."""
    if is_lost_kids(game, seat, decision) == 0:
        return usual_kid(game, rules, work, seat, decision)
    set_worths(game, rules, work, seat)
    if decision == CARD:
        game["memory"][seat, FIRST_HOP] = 0
        game["memory"][seat, LAST_ASKED] = game["asked"]
        return choose_card(game, rules, work, seat)
    if decision == DISTRICT:
        return choose_district(game, rules, work, seat)
    if decision == ACTION_ICON:
        return use_icon(game, rules, work, seat)
    if decision == WHICH_KID:
        return choose_kid(game, rules, work, seat)
    if decision == KID_TO:
        return choose_space(game, rules, work, seat)
    if decision == BUILDING:
        return choose_building(game, rules, work, seat)
    if decision == NEW_HAND:
        return renew_hand(game, rules, work, seat)
    if decision == PILE and game["rescued"] == 0:
        return cover_with_hand(game, rules, work, seat)
    return usual_lost_kid(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="expert",
    idea="The Lost Kid tries every card, pile and choice: the doom that comes against what is told.",
    source="the rules; claims D1 and D8",
    policy=play,
    weights=(
        Weight("clue", 0.5, "doom that certainty about the true building is worth", -10.0, 50.0),
        Weight("doubt", 0.15, "belief in the true building that is worth half of certainty", 0.001, 1.0),
        Weight("home", 0.5, "doom that the token for the rescue is worth", -10.0, 20.0),
        Weight("patrol", 0.8, "doom that a Fed's whole round is worth before it is complete", -2.0, 2.0),
        Weight("here", 0.12, "cost of the monster in a Kid's district at the end", -2.0, 2.0),
        Weight("near", 0.06, "cost of the monster a district away from a Kid", -2.0, 2.0),
        Weight("next", 0.3, "share of the doom of the next turn's best card", -1.0, 2.0),
        Weight("renew", 2.0, "doom that a new hand's best card can be expected to bring", -5.0, 10.0),
        Weight("token", 0.05, "worth of a search token beside a Kid", -2.0, 5.0),
        Weight("steps", 0.03, "worth of a step of the rescued Lost Kid's", -1.0, 2.0),
        Weight("fade", 0.5, "share of a clue's worth that is gone at the end of the doom track", 0.0, 1.0),
        Weight("guide", 0.01, "worth of a Kid's being a space nearer to where the Kids should go", -1.0, 1.0),
    ),
)
