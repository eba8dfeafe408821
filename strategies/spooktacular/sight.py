"""What a seat sees at a glance: sets of guests, doors, what a room offers, what a text is worth where one stands.

All of it is public or the seat's own. Worths are in points, by rules of thumb: a spook is min(guests, doors), a
missing colour is a fifth of a ticket.
"""

import numpy as np

from simcore.games.spooktacular.kernel import inline, kernel, with_at
from simcore.games.spooktacular.layout import COLOURS, NONE, Count, Op, Piece, Place
from simcore.games.spooktacular.rules.counts import count

HERE, NEXT, THERE = int(Place.HERE), int(Place.NEXT), int(Place.THERE)
DOORS_HERE = int(Count.DOORS_HERE)
OWN = int(Piece.OWN)
(GAIN, GAIN_PER, LOSE, GIVE, STEAL, DRAW, THEY_DRAW, DISCARD, PLAY, COPY, DO_SPACE, DO) = (
    int(op)
    for op in (
        Op.GAIN,
        Op.GAIN_PER,
        Op.LOSE,
        Op.GIVE,
        Op.STEAL,
        Op.DRAW,
        Op.THEY_DRAW,
        Op.DISCARD,
        Op.PLAY,
        Op.COPY,
        Op.DO_SPACE,
        Op.DO,
    )
)
ADD, MOVE_GUESTS, SPOOK, DEVOUR, DEVOUR_COLOUR, CONSUME, TAKE, DROP = (int(op) for op in list(Op)[13:21])
MOVE, MASH, STUN, PLACE, PLACE_DOOR, PLACE_AHEAD = (
    int(op) for op in (Op.MOVE, Op.MASH, Op.STUN, Op.PLACE, Op.PLACE_DOOR, Op.PLACE_AHEAD)
)
CHOOSE, FOR_TOKENS, FOR_ROOMS, FOR_PLAYERS, FOR_COLOURS = (
    int(op) for op in (Op.CHOOSE, Op.FOR_TOKENS, Op.FOR_ROOMS, Op.FOR_PLAYERS, Op.FOR_COLOURS)
)
IF, IF_FEWER, ONCE, REPEAT = int(Op.IF), int(Op.IF_FEWER), int(Op.ONCE), int(Op.REPEAT)

MISSING = 1.3  # worth of a guest of a colour that the pile lacks
SPARE = 0.5  # ... of one that it has
GUEST = 0.3  # of a guest added to where one is
CARD = 0.5  # of a card drawn
CHAIN = 1.5  # of a card that may still be played, beyond what is seen
TOKEN = 0.5  # of a token placed
ELSEWHERE = 1.5  # of a spook or a meal in a room that is still to be chosen


@inline
def bits_in(bits):
    """How many are in a set of at most 16."""
    bits -= (bits >> 1) & 0x5555
    bits = (bits & 0x3333) + ((bits >> 2) & 0x3333)
    bits = (bits + (bits >> 4)) & 0x0F0F
    return (bits + (bits >> 8)) & 31


@kernel
def mean_ticket(game, rules):
    """Expected points of the next set: the mean of the box's tickets while the pile lasts, else the consolation."""
    if game["taken"] >= rules["tickets"]:
        return 1.0 * rules["consolation"]
    return ticket_points(rules)


@kernel
def ticket_points(rules):
    """Mean points of a ticket."""
    n = rules["ticket_cards"]
    if n == 0:
        return 0.0
    total = 0
    for i in range(n):
        total += rules["ticket_value"][i]
    return total / n


@kernel
def missing_in(game, seat, room):
    """How many colours that the seat's pile lacks are in a room."""
    n = 0
    for colour in range(COLOURS):
        n += np.int64(game["guests"][room, colour] > 0 and game["pile"][seat, colour] == 0)
    return n


@kernel
def doors_of(game, seat, room):
    """Doors through which the seat could push guests out of a room."""
    return bits_in(game["joins"][room]) + bits_in(game["own_joins"][seat, room])


@kernel
def exits_of(game, seat, room):
    """Guests that a spook of the seat's would push out of a room."""
    return min(game["crowd"][room], doors_of(game, seat, room))


@kernel
def offer_of(game, seat, room):
    """What a room offers to whoever stands there, in points."""
    return exits_of(game, seat, room) + MISSING * missing_in(game, seat, room) + 0.1 * game["crowd"][room]


@kernel
def stands_in(game, rules, seat):
    """The room of the seat's acting figure, else any with a figure of its own; NONE."""
    at = game["piece_at"][seat, game["acting"][seat]]
    if 0 <= at < game["crowd"].shape[0]:
        return at
    for room in range(game["crowd"].shape[0]):
        if (game["monsters"][room] >> seat) & 1 == 1:
            return np.int64(room)
    return np.int64(NONE)


@kernel
def best_near(game, rules, seat, room):
    """The room behind a door of `room` that offers the seat most; `room` itself without doors."""
    best = np.int64(room)
    most = -1.0
    ways = game["joins"][room] | game["own_joins"][seat, room]
    for to in range(rules["rooms"]):
        if (ways >> to) & 1 == 1:
            worth = offer_of(game, seat, to)
            if worth > most:
                most = worth
                best = np.int64(to)
    return best


@kernel
def many(game, rules, seat, pc, room):
    """How often a "for each" or "repeat" is done, about."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if op == REPEAT:
        return a
    if op == FOR_PLAYERS:
        if rules["op_b"][pc] == 0:
            return np.int64(game["seats"] - 1)
        rooms = game["monsters"][room]
        if rules["op_b"][pc] == 2:
            ways = game["joins"][room] | game["own_joins"][seat, room]
            for to in range(game["crowd"].shape[0]):
                if (ways >> to) & 1 == 1:
                    rooms |= game["monsters"][to]
        return np.int64(bits_in(rooms & ~(1 << seat)))
    if op == FOR_COLOURS:
        n = 0
        for colour in range(COLOURS):
            if game["guests"][room, colour] > 0:
                n += 1
        return np.int64(n)
    if op == FOR_ROOMS and a & 31 == NEXT:
        return np.int64(doors_of(game, seat, room))
    if op == FOR_TOKENS:
        kit = game["kit"][seat]
        first = rules["kind_first"][kit, a]
        n = 0
        for piece in range(first, first + rules["kind_count"][kit, a]):
            if 0 <= game["piece_at"][seat, piece] < game["crowd"].shape[0]:
                n += 1
        return np.int64(n)
    return np.int64(2)


@kernel
def counted(game, rules, seat, code, room):
    """What a text counts from a room. Doors are counted here: the rules list them in the game, amid a spook perhaps."""
    if code & 31 == DOORS_HERE:
        return np.int64(doors_of(game, seat, room))
    return np.int64(count(game, rules, seat, code, with_at(0, room)))


@kernel
def row_worth(game, rules, seat, pc, room, crowd):
    """What one row is worth in a room with so many guests (of which the colours are those that are there now)."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    b = rules["op_b"][pc]
    if op == GAIN:
        return 1.0 * a
    if op == GAIN_PER:
        n = a * (counted(game, rules, seat, rules["op_c"][pc], room) // max(b, 1))
        if rules["op_d"][pc] > 0:
            n = min(n, rules["op_d"][pc])
        return 1.0 * n
    if op == LOSE:
        return -1.0 * a
    if op == GIVE:
        return -0.4 * a
    if op == STEAL:
        return 1.4 * a
    if op == DRAW:
        return CARD * a
    if op == THEY_DRAW:
        return -0.2 * a
    if op == DISCARD:
        return -CARD * a
    if op == COPY or op == DO_SPACE or op == DO:
        return ELSEWHERE
    if op == ADD:
        if b == HERE:
            return GUEST * a
        return 0.5 * GUEST * a
    if op == MOVE_GUESTS:
        return GUEST
    if op == SPOOK:
        if a == HERE:
            return 1.0 * min(crowd, doors_of(game, seat, room))
        return ELSEWHERE
    if op == DEVOUR:
        if b == HERE:
            n = min(a, missing_in(game, seat, room))
            return MISSING * n + SPARE * (min(a, crowd) - n)
        return ELSEWHERE
    if op == CONSUME:
        n = missing_in(game, seat, room)
        present = 0
        for colour in range(COLOURS):
            if game["guests"][room, colour] > 0:
                present += 1
        return MISSING * n + SPARE * (present - n)
    if op == DEVOUR_COLOUR or op == TAKE:
        return SPARE
    if op == MASH:
        return 1.0 * a * bits_in(game["monsters"][room] & ~(1 << seat))
    if op == PLACE or op == PLACE_DOOR or op == PLACE_AHEAD or op == STUN:
        return TOKEN
    return 0.0


@kernel
def rows_worth(game, rules, seat, start, end, room, crowd, f_chain):
    """What rows start..end are worth if done now in a room; each "play a card" adds `f_chain`.

    Conditions are looked at, "for each" counts, of "choose" the first side stands for all; guests that are added or
    have left are thought of, what is placed or picked is not.
    """
    if room < 0:
        return 0.0
    worth = 0.0
    times = 1
    until = np.int64(-1)
    side_end = np.int64(-1)
    choice_end = np.int64(-1)
    pc = np.int64(start)
    at = np.int64(room)
    there = np.int64(crowd)
    moved = 0.0  # how much better the room is to which one has moved
    steps = 0
    while pc < end and steps < 40:
        steps += 1
        if pc == side_end:
            pc = choice_end
            side_end = np.int64(-1)
            continue
        if until >= 0 and pc >= until:
            times = 1
            until = np.int64(-1)
        op = rules["op"][pc]
        a = rules["op_a"][pc]
        if op == CHOOSE:
            choice_end = rules["op_end"][pc]
            side_end = rules["op_end"][pc + 1]
            pc += 2
            continue
        if op == IF or op == IF_FEWER:
            n = counted(game, rules, seat, rules["op_b"][pc], at)
            if (op == IF and n < a) or (op == IF_FEWER and n >= a):
                pc = rules["op_end"][pc]
                continue
        elif op == ONCE:
            if (game["once"][seat] >> a) & 1 == 1:
                pc = rules["op_end"][pc]
                continue
        elif op == REPEAT or op == FOR_PLAYERS or op == FOR_TOKENS or op == FOR_ROOMS or op == FOR_COLOURS:
            times = many(game, rules, seat, pc, at)
            until = rules["op_end"][pc]
        elif op == PLAY:
            worth += f_chain + moved
            moved = 0.0
        elif op == MOVE:
            if a == OWN and rules["op_c"][pc] == NEXT:
                moved = -offer_of(game, seat, at)
                at = best_near(game, rules, seat, at)
                moved += offer_of(game, seat, at)
                there = game["crowd"][at]
            else:
                worth += GUEST
        elif op == SPOOK and a == HERE:
            out = min(there, doors_of(game, seat, at))
            worth += out * times
            there -= out
        else:
            worth += times * row_worth(game, rules, seat, pc, at, there)
            if op == ADD and rules["op_b"][pc] == HERE:
                there += a
        pc += 1
    return worth


@kernel
def text_worth(game, rules, seat, start, end, room, crowd, f_chain):
    """The same, and what the abilities are worth that the text says to do."""
    worth = rows_worth(game, rules, seat, start, end, room, crowd, f_chain)
    for pc in range(start, end):
        if rules["op"][pc] == DO and rules["op_a"][pc] >= 0:
            ability = rules["op_a"][pc]
            inner = rules["ability_start"][ability]
            worth += rows_worth(game, rules, seat, inner, rules["ability_end"][ability], room, crowd, CHAIN)
            worth -= ELSEWHERE
    return worth


@kernel
def card_worth(game, rules, seat, card, f_chain):
    """What a card is worth now; each "play a card" in it adds `f_chain`."""
    room = stands_in(game, rules, seat)
    if room < 0:
        return 0.0
    start = rules["card_start"][card]
    return text_worth(game, rules, seat, start, rules["card_end"][card], room, game["crowd"][room], f_chain)
