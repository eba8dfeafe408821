"""What any strategy can fall back on for the Lost Kid: which card onto which pile, and all that it alone decides.

A clue is worth what it gives to the true building: with w = rules["hint_weight"] (1: tells nothing), the worth is
(w - 1) / (w + 1), between -1 and 1. Only tops that were played tell something (ruling L2): covering one loses its
worth, so that a misleading one is what a new card goes onto. Doom is foreseen by ``foresight``.
"""

import numpy as np

from simcore.games.snallygaster.kernel import (
    distance,
    exposed,
    inline,
    kernel,
    option_a,
    option_b,
    option_kind,
)
from simcore.games.snallygaster.layout import ANY_COLOUR, NONE, Decision, Op, Option
from strategies.snallygaster.foresight import LENGTH, doom_of, drive_all, milder_fed, nearness, patrolled
from strategies.snallygaster.moving import usual_kid
from strategies.snallygaster.scene import (
    DOOM,
    FREE,
    MONSTER,
    OUT,
    RED,
    ROOM,
    SPACE,
    begin,
    cell,
    cheapest,
    hops_to,
    look,
)

CARD, ACTION_ICON, NEW_HAND, PILE, LAIR, DISTRICT = (
    int(Decision.CARD),
    int(Decision.ACTION_ICON),
    int(Decision.NEW_HAND),
    int(Decision.PILE),
    int(Decision.LAIR),
    int(Decision.DISTRICT),
)
TREEHOUSE, WHICH_KID, KID_TO, BUILDING, FEDS, LIGHT = (
    int(Decision.TREEHOUSE),
    int(Decision.WHICH_KID),
    int(Decision.KID_TO),
    int(Decision.BUILDING),
    int(Decision.FEDS),
    int(Decision.LIGHT),
)
RENEW, USE = int(Option.NEW_HAND), int(Option.USE)
TOKEN, MOVE_KID = int(Op.TOKEN), int(Op.MOVE_KID)
PILES_AT = FREE  # cells: what covering each pile gains
MUCH = 100.0  # a choice that loses the game at once
PATROL = 0.6  # doom that a Fed's whole round is worth before it is complete
NEW_CARD_DOOM = 2.0  # doom that the best card of a new hand can be expected to bring
TOKEN_HOME = 1.5  # clues that a token on the true building is worth
STEPS = 0.02  # doom that a step of the rescued Lost Kid's is worth
REACH = 12.0  # spaces at which a Kid hardly matters
NO_WAY = 255


# --- clues ------------------------------------------------------------------------------------------------------------


@inline
def hidden_building(game, rules):
    """Where the Lost Kid is."""
    return rules["card_building"][game["hidden_card"][0]]


@inline
def clue_worth(game, rules, card):
    """What a card's hint gives to the true building, -1..1; 0 for an action icon."""
    if rules["card_hint"][card] == NONE:
        return 0.0
    told = rules["hint_weight"][rules["card_hint"][card], hidden_building(game, rules)]
    return (told - 1.0) / (told + 1.0)


@inline
def cover_gain(game, rules, pile):
    """What covering a pile gains: minus the worth of what was told there."""
    if game["pile_told"][pile] == 0 or game["piles"][pile] == NONE:
        return 0.0
    return -clue_worth(game, rules, game["piles"][pile])


@kernel
def worst_told(game, rules):
    """Index of the option (each a pile) whose top is the least loss."""
    best = 0
    for i in range(game["options"]):
        work_gain = cover_gain(game, rules, option_a(game["option"][i]))
        if work_gain > cover_gain(game, rules, option_a(game["option"][best])):
            best = i
    return best


@kernel
def token_rows(game, rules, start, end):
    """1 if rows put a search token on a building of the true one's colour, at the Lost Kid's choice."""
    colour = rules["building_colour"][hidden_building(game, rules)]
    for pc in range(start, end):
        if rules["op"][pc] == TOKEN and (rules["op_a"][pc] == ANY_COLOUR or rules["op_a"][pc] == colour):
            return 1
    return 0


@inline
def brings_home(game, rules, card):
    """1 if a card can put the token that the rescue needs, and none is there."""
    home = hidden_building(game, rules)
    if game["tokens"][home] > 0:
        return 0
    if rules["card_building"][card] == home:
        return 1
    if token_rows(game, rules, rules["card_start"][card], rules["card_end"][card]):
        return 1
    if rules["card_action"][card] != NONE:
        return token_rows(game, rules, rules["card_action"][card], rules["card_action_end"][card])
    return 0


@inline
def fresh_value(game, rules, card):
    """What a card tells, the token for the rescue included; once rescued, what its movement is worth, in clues."""
    if game["rescued"] == 1:
        return STEPS * rules["card_movement"][card]
    return clue_worth(game, rules, card) + TOKEN_HOME * brings_home(game, rules, card)


# --- cards ------------------------------------------------------------------------------------------------------------


@inline
def danger_of(game, rules, work, card):
    """Doom of a card, a little for where it leaves the monster, and much where it ends the game."""
    doom = doom_of(game, rules, work, card)
    if game["doom"] + doom >= rules["doom_length"]:
        return MUCH + doom
    return doom + nearness(rules, work) + PATROL * patrolled(game, rules, work)


@kernel
def renewal_cost(game, rules, work):
    """What the New Hand token costs: a doom, the Feds' step that comes all the same, and an average best card."""
    begin(game, rules, work)
    drive_all(game, rules, work)
    cost = 1.0 + NEW_CARD_DOOM + work["score"][DOOM]
    if game["doom"] + 1.0 + work["score"][DOOM] >= rules["doom_length"]:
        return MUCH + cost
    return cost


@kernel
def score_cards(game, rules, work, f_clue, f_threat):
    """Score every card on every pile: what it tells less what it brings. The New Hand token: an average hand for a
    doom."""
    look(game, rules, work)
    told = 1 - game["rescued"]
    for pile in range(rules["pile_count"]):
        work["score"][PILES_AT + pile] = told * cover_gain(game, rules, pile)
    last = NONE
    value = 0.0
    for i in range(game["options"]):
        option = game["option"][i]
        if option_kind(option) == RENEW:
            work["score"][i] = -f_threat * renewal_cost(game, rules, work)
            continue
        slot = option_a(option)
        if slot != last:
            last = slot
            card = game["hand"][0, slot]
            value = f_clue * fresh_value(game, rules, card) - f_threat * danger_of(game, rules, work, card)
        work["score"][i] = value + f_clue * work["score"][PILES_AT + option_b(option)]


@inline
def first_best(game, work):
    """Index of the option with the highest score; the first of equals."""
    best = 0
    options = min(game["options"], ROOM)
    for i in range(1, options):
        if work["score"][i] > work["score"][best]:
            best = i
    work["scores"] = options
    return best


# --- the monster's way ------------------------------------------------------------------------------------------------


@kernel
def length_way(game, rules):
    """Direction of the whole-length move of the card played that leads to these options; NONE if they are something
    else."""
    card = game["played"]
    if game["active"] != 0 or card == NONE or game["moving"] == 1:
        return NONE
    bits = 0
    for i in range(game["options"]):
        bits |= 1 << option_a(game["option"][i])
    here = game["monster"][0]
    for pc in range(rules["card_start"][card], rules["card_end"][card]):
        if rules["op"][pc] == LENGTH and rules["neighbours"][here, rules["op_a"][pc]] == bits:
            return rules["op_a"][pc]
    return NONE


@kernel
def choose_district(game, rules, work):
    """The district that costs least to attack."""
    look(game, rules, work)
    begin(game, rules, work)
    bits = 0
    for i in range(game["options"]):
        bits |= 1 << option_a(game["option"][i])
    best = cheapest(game, rules, work, bits, length_way(game, rules))
    for i in range(game["options"]):
        if option_a(game["option"][i]) == best:
            return i
    return 0


@kernel
def choose_lair(game, rules):
    """As far as possible from where the Kids begin."""
    bits = rules["building_district_bits"][rules["start_building"]]
    best = 0
    most = -1
    for i in range(game["options"]):
        far = hops_to(rules, option_a(game["option"][i]), bits)
        if far > most:
            most = far
            best = i
    return best


# --- Kids -------------------------------------------------------------------------------------------------------------


@kernel
def aim(game, rules):
    """The space where the Kids should go: the true building, or once rescued the first building of the open goal."""
    if game["rescued"] == 0:
        return rules["building_space"][hidden_building(game, rules), 0]
    return NONE


@kernel
def choose_treehouse(game, rules, work):
    """The treehouse nearest to where the Kids should go."""
    space = aim(game, rules)
    if space == NONE:
        return 0
    for i in range(game["options"]):
        there = rules["treehouse_space"][option_a(game["option"][i])]
        work["score"][i] = -distance(rules, 0, there, space)
    return first_best(game, work)


@kernel
def feds_danger(rules, work, space):
    """Doom if a Kid stands on a space as both Feds drive on."""
    red = np.int64(rules["leg_touch"][0, cell(work, RED), space])
    blue = np.int64(rules["leg_touch"][1, cell(work, RED + 1), space])
    return int(red | blue)


@kernel
def place_danger(game, rules, work, space):
    """Doom that threatens a Kid on a space: the Feds' next step, and the monster's nearness."""
    if rules["treehouse_of"][space] >= 0:
        return 0.0
    danger = 1.0 * feds_danger(rules, work, space)
    far = hops_to(rules, cell(work, MONSTER), rules["district_bits"][space])
    if far == 0:
        danger += 0.5
    elif far == 1:
        danger += 0.25
    return danger


@kernel
def choose_kid(game, rules, work):
    """The Kid in most danger."""
    look(game, rules, work)
    begin(game, rules, work)
    for i in range(game["options"]):
        seat = option_a(game["option"][i])
        work["score"][i] = 0.0
        if exposed(game, rules, seat):
            work["score"][i] = place_danger(game, rules, work, game["space"][seat])
    return first_best(game, work)


@kernel
def choose_space(game, rules, work):
    """Out of danger, and nearer to where the Kids should go."""
    look(game, rules, work)
    begin(game, rules, work)
    space = aim(game, rules)
    options = min(game["options"], ROOM)
    for i in range(options):
        there = option_a(game["option"][i])
        work["score"][i] = -place_danger(game, rules, work, there)
        if space != NONE:
            work["score"][i] -= 0.01 * distance(rules, 0, there, space)
    return first_best(game, work)


# --- tokens, icons ----------------------------------------------------------------------------------------------------


@kernel
def nearest_kid(game, rules, building):
    """Spaces from a building to the Kid nearest to it."""
    space = rules["building_space"][building, 0]
    least = NO_WAY
    for seat in range(1, game["seats"]):
        if game["space"][seat] >= 0:
            least = min(least, distance(rules, 0, game["space"][seat], space))
    return least


@kernel
def choose_building(game, rules, work):
    """The true building if it may get the token that the rescue needs; else where a Kid is near, and the Lost Kid is
    known not to be."""
    home = hidden_building(game, rules)
    for i in range(game["options"]):
        building = option_a(game["option"][i])
        score = -1.0 * nearest_kid(game, rules, building) / REACH
        if (game["cleared"] >> building) & 1:
            score += 1.0
        score -= game["tokens"][building]
        if building == home:
            score = 5.0 * (game["tokens"][home] == 0)
        work["score"][i] = score
    return first_best(game, work)


@kernel
def worst_danger(game, rules, work):
    """The most danger that any Kid is in."""
    most = 0.0
    for seat in range(1, game["seats"]):
        if (cell(work, OUT) >> seat) & 1:
            most = max(most, place_danger(game, rules, work, cell(work, SPACE + seat)))
    return most


@kernel
def use_icon(game, rules, work):
    """Move a Kid out of danger, put a token; no monster, no doom, no new hand."""
    look(game, rules, work)
    begin(game, rules, work)
    op = rules["op"][rules["card_action"][game["played"]]]
    if op == TOKEN:
        return 1
    if op == MOVE_KID:
        return int(worst_danger(game, rules, work) > 0.0)
    return 0


@kernel
def choose_fed(game, rules, work):
    """Which Fed an icon moves: what costs less."""
    look(game, rules, work)
    begin(game, rules, work)
    return milder_fed(rules, work, 2)


@kernel
def answer(game, rules, work, decision):
    """What the Lost Kid alone decides, the card apart."""
    if decision == DISTRICT:
        return choose_district(game, rules, work)
    if decision == TREEHOUSE:
        return choose_treehouse(game, rules, work)
    if decision == BUILDING:
        return choose_building(game, rules, work)
    if decision == ACTION_ICON:
        return use_icon(game, rules, work)
    if decision == WHICH_KID:
        return choose_kid(game, rules, work)
    if decision == KID_TO:
        return choose_space(game, rules, work)
    if decision == PILE:
        return worst_told(game, rules)
    if decision == LAIR:
        return choose_lair(game, rules)
    if decision == FEDS:
        return choose_fed(game, rules, work)
    return 0  # NEW_HAND: pass; what a card of a variant lets it choose before it is on the board: the first


@inline
def is_lost_kids(game, seat, decision):
    """1 if a decision is the Lost Kid's alone: it names one, or the seat is not on the board yet."""
    if seat != 0:
        return 0
    if decision == CARD or decision == ACTION_ICON or decision == NEW_HAND or decision == PILE or decision == LAIR:
        return 1
    if decision == DISTRICT or decision == TREEHOUSE or decision == WHICH_KID or decision == KID_TO:
        return 1
    return int(game["rescued"] == 0)


@kernel
def usual_lost_kid(game, rules, work, seat, decision):
    """Index of a sensible answer to any decision that is the Lost Kid's alone."""
    if decision == CARD:
        score_cards(game, rules, work, CLUE, THREAT)
        return first_best(game, work)
    return answer(game, rules, work, decision)


CLUE, THREAT = 0.3, 1.0


@kernel
def usual_answer(game, rules, work, seat, decision):
    """What any seat answers to a decision other than a card."""
    if is_lost_kids(game, seat, decision):
        return usual_lost_kid(game, rules, work, seat, decision)
    return usual_kid(game, rules, work, seat, decision)
