"""What a seat can work out from what it may see: cards unseen, gaps to cover, chances, who leads, who is weakest.

Shared kernels for the strategies. ``count_unseen`` counts, once a decision, the cards that lie in no discard, no stack
and not in the own hand; it keeps them in the seat's own memory, where ``chance_to_fill`` and ``chance_of_answer`` find
them:

    memory[seat, 0]       numbered cards unseen
    memory[seat, v]       unseen cards of number v or more, v = 1..8 (a 9 counts as an 8)
    memory[seat, 9]       unseen QuickShots, four bits a number
    memory[seat, 10, 11]  the same of the whole deck, packed; counted once a game
    memory[seat, 12..15]  free for the strategy
"""

from simcore.games.snowball.kernel import kernel, option_a, option_b, option_c
from simcore.games.snowball.layout import NONE, Deck

SNOWBALLS = int(Deck.SNOWBALLS)
TOP = 8  # the largest number counted apart
QUICKSHOTS_UNSEEN, WHOLE, WHOLE_QUICKSHOTS = 9, 10, 11  # places in the memory
BITS, BITS_MASK = 7, 127  # of a number in the packed counts
NIBBLE = 15
QUICKSHOT_NUMBERS = 15  # QuickShots are counted below this number
BOOST = 8  # in an option's c: the kid's one-time power is used
SURE = 0.95


# --- the table --------------------------------------------------------------------------------------------------------


@kernel
def next_living(game, seat):
    """The living player after `seat`, clockwise; `seat` itself if there is no other."""
    at = seat
    for _ in range(game["seats"]):
        at += 1
        if at >= game["seats"]:
            at = 0
        if game["gear"][at] > 0:
            return at
    return seat


@kernel
def gap(game, player):
    """What is missing until a snowball hits: cover less stack. 1 or less: any snowball hits."""
    return game["cover"][player] - game["total"][player]


@kernel
def most_gear_of_others(game, seat):
    """The most gear of any other living player."""
    most = 0
    for other in range(game["seats"]):
        if other != seat and game["gear"][other] > most:
            most = game["gear"][other]
    return most


@kernel
def least_gear_of_others(game, seat):
    """The least gear of any other living player."""
    least = game["gear"][next_living(game, seat)]
    for other in range(game["seats"]):
        if other != seat and 0 < game["gear"][other] < least:
            least = game["gear"][other]
    return least


@kernel
def auto_clear(game, rules):
    """1 if a hit player clears out at once (5-6 player rule; by the players at the start, or by those left)."""
    players = game["seats"]
    if rules["auto_clear_scope"] == 1:
        players = game["living"]
    if players >= rules["auto_clear_from"]:
        return 1
    return 0


@kernel
def clear_rule_binds(game, rules):
    """1 if clearing out now takes the choice away next turn (two left)."""
    if game["living"] == 2 and rules["two_player_clear_rule"] == 1:
        return 1
    return 0


# --- items before a player (open) -------------------------------------------------------------------------------------


@kernel
def modifier_power(game, rules, player):
    """What the player can add to a snowball: his best Modifier, and an ongoing kid's ability."""
    power = 0
    for slot in range(game["helds"][player]):
        p = rules["item_power"][rules["item_kind"][game["held"][player, slot]]]
        if p > power:
            power = p
    if game["kid"][player] != NONE:
        power += rules["kid_power"][game["kid"][player]]
    return power


@kernel
def saves(game, rules, player):
    """How many hits the player's items and kid can absorb."""
    n = 0
    for slot in range(game["helds"][player]):
        if rules["item_saves"][rules["item_kind"][game["held"][player, slot]]] > 0:
            n += 1
    if game["kid"][player] != NONE and game["kid_used"][player] == 0:
        if rules["kid_saves"][game["kid"][player]] > 0:
            n += 1
    return n


@kernel
def bat(game, rules, player):
    """layout.Bat: what the player's Response item can do to a snowball thrown at him."""
    kind = 0
    for slot in range(game["helds"][player]):
        b = rules["item_bats"][rules["item_kind"][game["held"][player, slot]]]
        if b > 0:
            kind = b
    return kind


# --- options ----------------------------------------------------------------------------------------------------------


@kernel
def card_number(game, rules, seat, option):
    """Printed number of the card in the hand slot that the option names."""
    return rules["number"][rules["card_kind"][game["hand"][seat, option_a(option)]]]


@kernel
def card_is_quickshot(game, rules, seat, option):
    """1 if the card in the hand slot that the option names is a QuickShot."""
    return rules["is_quickshot"][rules["card_kind"][game["hand"][seat, option_a(option)]]]


@kernel
def throw_power(game, rules, seat, option):
    """What a throw adds to the stack: number, modifier, kid."""
    power = card_number(game, rules, seat, option)
    extra = option_c(option)
    if game["kid"][seat] != NONE:
        power += rules["kid_power"][game["kid"][seat]]
        if extra & BOOST:
            power += rules["kid_boost"][game["kid"][seat]]
    modifier = extra & (BOOST - 1)
    if modifier > 0:
        power += rules["item_power"][rules["item_kind"][game["held"][seat, modifier - 1]]]
    return power


@kernel
def uses_extra(option):
    """1 if a throw spends a modifier or the kid's one-time power."""
    if option_c(option) > 0:
        return 1
    return 0


@kernel
def reaches(game, rules, seat, option):
    """1 if the throw reaches its target's cover."""
    if throw_power(game, rules, seat, option) >= gap(game, option_b(option)):
        return 1
    return 0


@kernel
def distance(game, seat, player):
    """Chairs from `seat` to `player`, clockwise: ties are broken by who comes next, whichever chair one has."""
    d = player - seat
    if d < 0:
        d += game["seats"]
    return d


@kernel
def best_among(game, work, most):
    """Index of the option with the highest score among the first `most`; the first of equals."""
    options = min(game["options"], most)
    best = 0
    for i in range(1, options):
        if work["score"][i] > work["score"][best]:
            best = i
    work["scores"] = options
    return best


@kernel
def best_option(game, work):
    """Index of the option with the highest score; the first of equals."""
    return best_among(game, work, game["options"])


# --- cards unseen, and chances ----------------------------------------------------------------------------------------


@kernel
def packed_card(rules, card):
    """A card as one more in the packed counts: 7 bits a number, 1 to 8; 0 for an Event."""
    number = rules["number"][rules["card_kind"][card]]
    if number <= 0:
        return 0
    if number > TOP:
        number = TOP
    return 1 << (BITS * (number - 1))


@kernel
def packed_quickshot(rules, card):
    """A QuickShot as one more in the packed counts: 4 bits a number; 0 for other cards."""
    kind = rules["card_kind"][card]
    if rules["is_quickshot"][kind] == 1 and rules["number"][kind] < QUICKSHOT_NUMBERS:
        return 1 << (4 * rules["number"][kind])
    return 0


@kernel
def count_deck(game, rules, seat):
    """Once a game: the whole snowball deck's counts, packed."""
    cards = 0
    quickshots = 0
    for card in range(rules["cards"]):
        cards += packed_card(rules, card)
        quickshots += packed_quickshot(rules, card)
    game["memory"][seat, WHOLE] = cards
    game["memory"][seat, WHOLE_QUICKSHOTS] = quickshots


@kernel
def count_unseen(game, rules, seat):
    """Count the cards that `seat` has not before his eyes (see the module's text)."""
    if game["memory"][seat, WHOLE] == 0:
        count_deck(game, rules, seat)
    cards = game["memory"][seat, WHOLE]
    quickshots = game["memory"][seat, WHOLE_QUICKSHOTS]
    for i in range(game["discards"][SNOWBALLS]):
        card = game["discard"][SNOWBALLS, i]
        cards -= packed_card(rules, card)
        quickshots -= packed_quickshot(rules, card)
    for player in range(game["seats"]):
        card = game["stack"][player]
        while card != NONE:
            cards -= packed_card(rules, card)
            quickshots -= packed_quickshot(rules, card)
            card = game["under"][card]
    for slot in range(game["hand_size"][seat]):
        card = game["hand"][seat, slot]
        cards -= packed_card(rules, card)
        quickshots -= packed_quickshot(rules, card)
    game["memory"][seat, QUICKSHOTS_UNSEEN] = quickshots
    more = 0
    for number in range(TOP, 0, -1):
        more += (cards >> (BITS * (number - 1))) & BITS_MASK
        game["memory"][seat, number] = more
    game["memory"][seat, 0] = more


@kernel
def unseen_of(game, seat, number):
    """Unseen cards of this number."""
    if number < 1:
        return 0
    if number >= TOP:
        return game["memory"][seat, TOP]
    return game["memory"][seat, number] - game["memory"][seat, number + 1]


@kernel
def quickshots_unseen(game, seat, number):
    """Unseen QuickShots of this number."""
    if number < 1 or number >= QUICKSHOT_NUMBERS:
        return 0
    return (game["memory"][seat, QUICKSHOTS_UNSEEN] >> (4 * number)) & NIBBLE


@kernel
def chance_to_fill(game, rules, seat, missing):
    """Chance that a player with a full, unknown hand holds a card of `missing` or more."""
    if missing <= 1:
        return 1.0
    unseen = game["memory"][seat, 0]
    if missing > TOP or unseen <= 0:
        return 0.0
    without = 1.0 - game["memory"][seat, missing] / unseen
    none = 1.0
    for _ in range(rules["hand_size"]):
        none *= without
    return 1.0 - none


@kernel
def chance_of_answer(game, rules, seat, number, f_suspicion):
    """Chance that a throw of this number is answered by someone's QuickShot.

    Each unseen QuickShot of the number lies in another's hand as often as any unseen card does, times `f_suspicion`
    (players hold QuickShots back, so that hands hold more of them than the deck).
    """
    copies = quickshots_unseen(game, seat, number)
    unseen = game["memory"][seat, 0]
    if copies == 0 or unseen <= 0 or game["no_quickshots"] > 0:
        return 0.0
    in_hands = 0
    for player in range(game["seats"]):
        if player != seat and game["gear"][player] > 0:
            in_hands += game["hand_size"][player]
    held = f_suspicion * in_hands / unseen
    if held > SURE:
        held = SURE
    none = 1.0
    for _ in range(copies):
        none *= 1.0 - held
    return 1.0 - none
