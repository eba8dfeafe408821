"""Quick: a rule of thumb for every question. It finishes the turns that the other strategies look ahead to.

A card by what its text gives now, where one stands; out of a door goes the colour that one needs least; devoured is
the colour that one lacks; one moves to where most guests can leave or be eaten, and moves others to where least is to
be had. A decision of the automaton is answered for one's own good: what suits the automaton least.
"""

from simcore.games.spooktacular.kernel import kernel, option_a, option_b, option_kind
from simcore.games.spooktacular.layout import OPTIONS, Decision, Op, Option, Piece
from strategies.spooktacular.sight import (
    CHAIN,
    GIVE,
    MASH,
    MISSING,
    MOVE,
    MOVE_GUESTS,
    PLACE,
    SPARE,
    SPOOK,
    THEY_DRAW,
    card_worth,
    doors_of,
    exits_of,
    missing_in,
    offer_of,
    rows_worth,
    stands_in,
    text_worth,
)

CARD, ROOM, LEAVE, GUEST, FIGURE = (int(d) for d in list(Decision)[:5])
TOKEN, PLAYER, BRANCH, MAY, SPACE, SLOT = (int(d) for d in list(Decision)[5:11])
DISCARD, LOAD, REFILL = int(Decision.DISCARD), int(Decision.LOAD), int(Decision.REFILL)
PASS, OTHERS_FIGURE = int(Option.PASS), int(Option.FIGURE)
OWN, TOKENS = int(Piece.OWN), int(Piece.TOKEN)
DEVOUR, CONSUME, DROP = int(Op.DEVOUR), int(Op.CONSUME), int(Op.DROP)
OTHERWISE = OPTIONS - 1  # place of a note to the follow-up policy
WEIGHTY = (1 << CARD) | (1 << ROOM) | (1 << FIGURE) | (1 << TOKEN) | (1 << BRANCH) | (1 << SPACE)
PLAYS_ON = 1000.0  # marks, while cards are compared, those that let play another one
COUNTED = 0.01  # for what only breaks ties


@kernel
def colour_worth(game, seat, colour):
    """What a guest of a colour is worth on the seat's pile."""
    if game["pile"][seat, colour] == 0:
        return MISSING
    return SPARE / game["pile"][seat, colour]


@kernel
def room_score(game, rules, seat, room):
    """How good a room is in the question that a text asks."""
    row = game["row"]
    op = rules["op"][row]
    a = rules["op_a"][row]
    if op == MASH or (op == MOVE and a != OWN and a < TOKENS):  # others are moved: where least is to be had
        return -offer_of(game, seat, room) - 1.0 * ((game["monsters"][room] >> seat) & 1)
    if op == SPOOK:
        return 1.0 * exits_of(game, seat, room) + COUNTED * game["crowd"][room]
    if op == DEVOUR or op == CONSUME:
        return 1.0 * missing_in(game, seat, room) + COUNTED * game["crowd"][room]
    if op == MOVE_GUESTS:
        if (game["monsters"][room] >> seat) & 1 == 1:
            return 10.0 + game["crowd"][room]
        return 1.0 * game["crowd"][room]
    score = offer_of(game, seat, room)
    if op == PLACE or op == MOVE:
        score += 0.2 * doors_of(game, seat, room)
    return score


@kernel
def branch_score(game, rules, seat, side):
    """What a side of "choose" gives now."""
    row = game["row"] + 1
    for _ in range(side):
        row = rules["op_end"][row]
    room = stands_in(game, rules, seat)
    if room < 0:
        return 0.0
    return text_worth(game, rules, seat, row + 1, rules["op_end"][row], room, game["crowd"][room], CHAIN)


@kernel
def player_score(game, rules, seat, other):
    """Who is to be harmed: who has most points; favoured: who has least."""
    row = game["row"]
    score = 1.0 * game["points"][other] + 6.0 * game["tickets"][other]
    for pc in range(row, min(row + 3, rules["op"].shape[0])):
        if rules["op"][pc] == GIVE or rules["op"][pc] == THEY_DRAW:
            return -score
    return score


@kernel
def leave_score(game, rules, seat, option):
    """Which guest leaves by this door: a colour that one needs least, none towards others."""
    kind = option_kind(option)
    if kind == PASS:
        if game["monsters"][option_b(option)] & ~(1 << seat) != 0:
            return 0.0
        return -5.0
    return -colour_worth(game, seat, option_a(option))


@kernel
def guest_score(game, rules, seat, option):
    """Which guest is eaten, taken or moved: the colour that one lacks, the rarer one first."""
    if option_kind(option) == PASS:
        return 0.0
    colour = option_a(option)
    score = colour_worth(game, seat, colour) + COUNTED * game["bag"][colour]
    if rules["op"][game["row"]] == DROP:
        return 2.0 * MISSING - score
    return score - SPARE * (game["held"][seat, colour] > 0)


@kernel
def score_for(game, rules, seat, decision, option):
    """How good an option is for a seat, by rule of thumb."""
    a = option_a(option)
    if decision == CARD or decision == LOAD:
        return card_worth(game, rules, seat, a, CHAIN)
    if decision == DISCARD:
        return -card_worth(game, rules, seat, a, CHAIN)
    if decision == ROOM:
        return room_score(game, rules, seat, a)
    if decision == LEAVE:
        return leave_score(game, rules, seat, option)
    if decision == GUEST:
        return guest_score(game, rules, seat, option)
    if decision == FIGURE:
        if option_kind(option) == OTHERS_FIGURE:
            return 1.0 + COUNTED * game["points"][a >> 4]
        return colour_worth(game, seat, a) + COUNTED * game["crowd"][option_b(option)]
    if decision == TOKEN:
        at = game["piece_at"][a >> 4, a & 15]
        if 0 <= at < rules["rooms"]:
            return offer_of(game, seat, at)
        return 0.0
    if decision == PLAYER:
        return player_score(game, rules, seat, a)
    if decision == BRANCH:
        return branch_score(game, rules, seat, a)
    if decision == SPACE:
        room = stands_in(game, rules, seat)
        if room < 0:
            return 0.0
        start = rules["ability_start"][a]
        return rows_worth(game, rules, seat, start, rules["ability_end"][a], room, game["crowd"][room], CHAIN)
    if decision == MAY:
        if option_kind(option) == PASS:
            return 0.0
        row = game["row"]
        room = stands_in(game, rules, seat)
        if room < 0:
            return 1.0
        crowd = game["crowd"][room]
        return COUNTED + rows_worth(game, rules, seat, row + 1, rules["op_end"][row], room, crowd, CHAIN)
    if decision == REFILL:
        return offer_of(game, seat, a) + 4.0 * ((game["monsters"][a] >> seat) & 1)
    return 0.0


@kernel
def quick_score(game, rules, seat, decision, option):
    """How good an option is for `seat`, who may be asked for the automaton."""
    other = game["for_seat"]
    if other != seat:
        return -score_for(game, rules, other, decision, option)
    return score_for(game, rules, seat, decision, option)


@kernel
def rate_cards(game, rules, work, seat):
    """Write the scores of the cards to play: one that lets play on is worth the best of the others besides."""
    best = 0.0
    for i in range(game["options"]):
        score = card_worth(game, rules, seat, option_a(game["option"][i]), PLAYS_ON)
        work["score"][i] = score
        if score < PLAYS_ON / 2:
            best = max(best, score)
    if game["options"] == 1:
        best = 0.0
    for i in range(game["options"]):
        if work["score"][i] >= PLAYS_ON / 2:
            while work["score"][i] >= PLAYS_ON / 2:
                work["score"][i] -= PLAYS_ON
            work["score"][i] += max(best, CHAIN)


@kernel
def rate(game, rules, work, seat, decision):
    """Write every option's score by rule of thumb; the index of the best, the first of equals."""
    if decision == LEAVE and game["for_seat"] == seat:  # the two most frequent questions first
        for i in range(game["options"]):
            work["score"][i] = leave_score(game, rules, seat, game["option"][i])
    elif decision == ROOM and game["for_seat"] == seat:
        for i in range(game["options"]):
            work["score"][i] = room_score(game, rules, seat, option_a(game["option"][i]))
    elif decision == CARD and game["for_seat"] == seat:
        rate_cards(game, rules, work, seat)
    else:
        for i in range(game["options"]):
            work["score"][i] = quick_score(game, rules, seat, decision, game["option"][i])
    best = 0
    for i in range(1, game["options"]):
        if work["score"][i] > work["score"][best]:
            best = i
    return best


@kernel
def quick(game, rules, work, seat, decision):
    """The option that the rules of thumb like best."""
    return rate(game, rules, work, seat, decision)


@kernel
def quick_but_once(game, rules, work, seat, decision):
    """The same, but at one question of the turn the second best: the one that work["score"][OTHERWISE] counts down to.

    So a look-ahead sees what else could follow. Whoever looks ahead writes the number (0: always the best) there,
    beyond the scores of any decision.
    """
    best = rate(game, rules, work, seat, decision)
    if work["score"][OTHERWISE] <= 0.0 or (WEIGHTY >> decision) & 1 == 0 or seat != game["active"]:
        return best
    work["score"][OTHERWISE] -= 1.0
    if work["score"][OTHERWISE] > 0.0:
        return best
    second = best
    for i in range(game["options"]):
        if i != best and (second == best or work["score"][i] > work["score"][second]):
            second = i
    return second
