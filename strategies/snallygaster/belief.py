"""Where the Lost Kid may be, for all that has been public: Bayes' rule over every card played, read one by one.

The Lost Kid is presumed to choose for the clue. If it is in building h, a play is the more likely

    the more the hint played points to h:            (1 - a) + a w(played, h), up to twice
    the less the hint covered pointed to h:          1 / ((1 - b) + b w(covered, h))
    the more the hints left in view point to h:      (1 - c) + c w(left, h), each

with w = rules["hint_weight"] (1: tells nothing); hints of the set-up tell nothing (ruling L2). A token that the Lost
Kid may put on any building of a colour goes to h if it can. Cards seen cannot be the hidden one, nor can it be where
it was looked. What is believed is kept in the seat's own memory, in parts of layout.BELIEF:

    memory[seat, building]   belief
    memory[seat, READ..]     plays read, cards seen, discards read, buildings cleared, tokens as they last lay
    memory[seat, MEMORY-1]   1: a belief is kept
"""

from simcore.games.snallygaster.kernel import kernel
from simcore.games.snallygaster.layout import ANY_COLOUR, BELIEF, HISTORY, MEMORY, NONE, Op

READ, SEEN, DISCARDS_READ, CLEARED_READ, TOKENS_READ = 41, 42, 43, 44, 45  # two numbers of tokens
KEPT = MEMORY - 1
FACTOR = 384 - 48  # work["score"]: a factor for each building, before what sight keeps
TOKEN = int(Op.TOKEN)
BITS, EACH, ALL = 3, 20, 7  # tokens of a building are remembered in 3 bits, 20 buildings in a number
LOST_KID_DECK = 0
TOKEN_SURE = 0.95  # how much of the belief in the others of the colour a token elsewhere can take


@kernel
def strike_card(game, rules, seat, card):
    """A card was seen, so it is not the hidden one: its building is left with the other cards that show it."""
    bit = 1 << card
    seen = game["memory"][seat, SEEN]
    if seen & bit != 0:
        return
    game["memory"][seat, SEEN] = seen | bit
    if rules["card_hides"][card] == 0:
        return
    building = rules["card_building"][card]
    left = 0
    for other in range(rules["cards"]):
        if rules["card_building"][other] == building and rules["card_hides"][other] == 1 and (seen >> other) & 1 == 0:
            left += 1
    if left > 0:
        game["memory"][seat, building] = game["memory"][seat, building] * (left - 1) // left


@kernel
def begin_belief(game, rules, seat):
    """Before anything is known: every card that could be the hidden one is as likely."""
    total = 0
    for card in range(rules["cards"]):
        total += rules["card_hides"][card]
    for building in range(rules["buildings"]):
        game["memory"][seat, building] = 0
    for card in range(rules["cards"]):
        if rules["card_hides"][card] == 1:
            game["memory"][seat, rules["card_building"][card]] += BELIEF // max(total, 1)
    game["memory"][seat, READ] = 0
    game["memory"][seat, SEEN] = 0
    game["memory"][seat, DISCARDS_READ] = 0
    game["memory"][seat, CLEARED_READ] = 0
    game["memory"][seat, KEPT] = 1
    remember_tokens(game, rules, seat)


@kernel
def strike_seen(game, rules, seat):
    """Strike the cards that lie open or have been discarded since the last look."""
    for pile in range(rules["pile_count"]):
        if game["piles"][pile] != NONE:
            strike_card(game, rules, seat, game["piles"][pile])
    n = game["discards"][LOST_KID_DECK]
    first = game["memory"][seat, DISCARDS_READ]
    if first > n:
        first = 0
    for i in range(first, n):
        strike_card(game, rules, seat, game["discard"][LOST_KID_DECK, i])
    game["memory"][seat, DISCARDS_READ] = n


# --- plays ------------------------------------------------------------------------------------------------------------


@kernel
def was_told(game, pile, card, before):
    """1 if the top card of a pile before play `before` had been played there."""
    for back in range(before):
        row = game["history"][before - 1 - back]
        if (row >> 8) & 15 == pile:
            return 1 if row & 255 == card else 0
    return 0


@kernel
def top_after(game, pile, play):
    """The top card of a pile just after a play elsewhere: what the next play there covered, or what lies now."""
    for n in range(play + 1, min(game["plays"], HISTORY)):
        row = game["history"][n]
        if (row >> 8) & 15 == pile:
            return (row >> 12) - 1
    return game["piles"][pile]


@kernel
def hint_of(rules, card):
    """The landmark that a card hints at; NONE for an action icon or no card."""
    if card == NONE:
        return NONE
    return rules["card_hint"][card]


@kernel
def multiply(rules, work, hint, f_share):
    """Factors of a hint chosen for its clue with this probability."""
    f_rest = 1.0 - f_share
    for b in range(rules["buildings"]):
        work["score"][FACTOR + b] *= f_rest + f_share * rules["hint_weight"][hint, b]


@kernel
def divide(rules, work, hint, f_share):
    """Factors of a hint covered because it misled."""
    f_rest = 1.0 - f_share
    for b in range(rules["buildings"]):
        work["score"][FACTOR + b] /= f_rest + f_share * rules["hint_weight"][hint, b]


@kernel
def weigh_play(game, rules, work, play, f_clue, f_cover, f_left):
    """Factors of a play: the hint played, the one covered, those left in view."""
    row = game["history"][play]
    card = row & 255
    pile = (row >> 8) & 15
    covered = (row >> 12) - 1
    hint = hint_of(rules, card)
    if hint != NONE and f_clue > 0.0:
        multiply(rules, work, hint, min(f_clue, 1.0))
        if f_clue > 1.0:
            multiply(rules, work, hint, f_clue - 1.0)
    hint = hint_of(rules, covered)
    if hint != NONE and f_cover > 0.0 and was_told(game, pile, covered, play) == 1:
        divide(rules, work, hint, f_cover)
    if f_left > 0.0:
        for other in range(rules["pile_count"]):
            if other != pile:
                top = top_after(game, other, play)
                hint = hint_of(rules, top)
                if hint != NONE and was_told(game, other, top, play) == 1:
                    multiply(rules, work, hint, f_left)


# --- tokens -----------------------------------------------------------------------------------------------------------


@kernel
def remembered(game, seat, building):
    """Search tokens on a building at the last look."""
    packed = game["memory"][seat, TOKENS_READ + building // EACH]
    return (packed >> (BITS * (building % EACH))) & ALL


@kernel
def remember_tokens(game, rules, seat):
    """Keep how the search tokens lie."""
    game["memory"][seat, TOKENS_READ] = 0
    game["memory"][seat, TOKENS_READ + 1] = 0
    for b in range(rules["buildings"]):
        n = min(game["tokens"][b], ALL)
        if n > 0:
            game["memory"][seat, TOKENS_READ + b // EACH] |= n << (BITS * (b % EACH))


@kernel
def note_own_token(game, seat, building):
    """The seat itself puts a token: that tells it nothing."""
    if remembered(game, seat, building) < ALL:
        game["memory"][seat, TOKENS_READ + building // EACH] += 1 << (BITS * (building % EACH))


@kernel
def weigh_tokens(game, rules, work, seat, play, colour, f_token):
    """Factors of a token that the Lost Kid put on a building of a colour: on its own, if it could."""
    card = game["history"][play] & 255
    found = 0
    for b in range(rules["buildings"]):
        if rules["building_colour"][b] == colour or colour == ANY_COLOUR:
            more = game["tokens"][b] - remembered(game, seat, b) - (1 if b == rules["card_building"][card] else 0)
            if more > 0:
                found += 1
    if found == 0:
        return
    for b in range(rules["buildings"]):
        if rules["building_colour"][b] == colour or colour == ANY_COLOUR:
            more = game["tokens"][b] - remembered(game, seat, b) - (1 if b == rules["card_building"][card] else 0)
            if more > 0:
                work["score"][FACTOR + b] *= 1.0 + 6.0 * f_token / found
            elif game["tokens"][b] == 0:
                work["score"][FACTOR + b] *= 1.0 - TOKEN_SURE * f_token


@kernel
def weigh_token_rows(game, rules, work, seat, play, start, end, f_token):
    """The same for every row of a card that puts a token."""
    for pc in range(start, end):
        if rules["op"][pc] == TOKEN:
            weigh_tokens(game, rules, work, seat, play, rules["op_a"][pc], f_token)


# --- all of it --------------------------------------------------------------------------------------------------------


@kernel
def apply_factors(game, rules, work, seat):
    """Beliefs times factors, brought to a sum of about BELIEF; nothing that is possible is given up for good."""
    f_sum = 0.0
    for b in range(rules["buildings"]):
        work["score"][FACTOR + b] *= game["memory"][seat, b]
        f_sum += work["score"][FACTOR + b]
    if f_sum <= 0.0:
        return
    f_scale = BELIEF / f_sum
    for b in range(rules["buildings"]):
        if game["memory"][seat, b] > 0:
            game["memory"][seat, b] = max(int(work["score"][FACTOR + b] * f_scale), 1)


@kernel
def update_belief(game, rules, work, seat, f_clue, f_cover, f_left, f_token):
    """Read what has been played since the last look."""
    if game["memory"][seat, KEPT] != 1:
        begin_belief(game, rules, seat)
    elif game["plays"] == game["memory"][seat, READ] and game["cleared"] == game["memory"][seat, CLEARED_READ]:
        return
    strike_seen(game, rules, seat)
    cleared = game["cleared"] & ~game["memory"][seat, CLEARED_READ]
    game["memory"][seat, CLEARED_READ] = game["cleared"]
    b = 0
    while cleared != 0:
        if cleared & 1:
            game["memory"][seat, b] = 0
        cleared >>= 1
        b += 1
    for b in range(rules["buildings"]):
        work["score"][FACTOR + b] = 1.0
    last = min(game["plays"], HISTORY)
    for play in range(game["memory"][seat, READ], last):
        weigh_play(game, rules, work, play, f_clue, f_cover, f_left)
        card = game["history"][play] & 255
        if f_token > 0.0:
            weigh_token_rows(game, rules, work, seat, play, rules["card_start"][card], rules["card_end"][card], f_token)
            if rules["card_action"][card] != NONE:
                start = rules["card_action"][card]
                weigh_token_rows(game, rules, work, seat, play, start, rules["card_action_end"][card], f_token)
    if game["plays"] > game["memory"][seat, READ]:
        remember_tokens(game, rules, seat)
    game["memory"][seat, READ] = game["plays"]
    apply_factors(game, rules, work, seat)
