"""What a position is worth to a seat: points, tickets and colours; who leads; what its rooms offer; the end.

Everything is in points. The weights are the same for all strategies that look ahead, by their places (``ahead.py``
makes the named fields); a strategy is a set of defaults.
"""

from simcore import records
from simcore.games.spooktacular.kernel import inline, kernel
from simcore.games.spooktacular.layout import COLOURS, SLOTS
from simcore.play import weight
from strategies.spooktacular.sight import exits_of, mean_ticket, missing_in, stands_in, text_worth, ticket_points

WON, TIED = int(records.Status.WON), int(records.Status.TIED)  # all tickets are turned up
SIXTIETHS = records.SIXTIETHS
(
    SAMPLES,
    BREADTH,
    SURE,
    FINE,
    TICKET,
    COLOUR,
    SPARE,
    LEADER,
    OTHERS,
    WIN,
    ROOM,
    NEAR,
    DENY,
    CARD,
    TOKEN,
    PASSENGER,
    PACE,
    SPREAD,
    TRIES,
    URGENCY,
    PATIENCE,
    PROGRAM,
) = range(22)
USUAL_CROWD = 3  # guests in the rooms where a card of the program will be run later
LATER = 0.7  # what a run is worth that comes in later turns


@inline
def is_over(game):
    """True if the game has a winner, or several; at the turn cap it is only broken off."""
    return game["status"] == WON or game["status"] == TIED


@kernel
def colours_worth(game, rules, seat, player, f_set):
    """What a player's pile is worth: a fifth of a set for each colour, less for what is there twice."""
    spare = weight(game, rules, seat, SPARE)
    parts = 0.0
    for colour in range(COLOURS):
        n = game["pile"][player, colour]
        if n > 0:
            parts += 1.0 + spare * (n - 1)
    return weight(game, rules, seat, COLOUR) * f_set * parts / COLOURS


@kernel
def standing(game, rules, seat, player):
    """What a player has, in points, by the weights of `seat`. With the game over, its points."""
    worth = 1.0 * game["points"][player]
    if is_over(game):
        return worth
    value = weight(game, rules, seat, TICKET)
    worth += value * ticket_points(rules) * game["tickets"][player]
    if game["last_round"] == 1 and player < game["active"]:  # it has no turn any more (set by the end of this turn)
        return worth
    return worth + colours_worth(game, rules, seat, player, value * mean_ticket(game, rules))


@kernel
def room_offer(game, rules, seat, player, room):
    """What a room offers a player for a turn, by the weights of `seat`."""
    part = weight(game, rules, seat, COLOUR) * weight(game, rules, seat, TICKET) * mean_ticket(game, rules) / COLOURS
    return max(1.0 * exits_of(game, player, room), part * missing_in(game, player, room))


@kernel
def outlook(game, rules, seat, player):
    """The best that a player's rooms offer for a turn: those with a figure of its, and less what lies next door."""
    here = 0.0
    beyond = 0.0
    ways = 0
    for room in range(rules["rooms"]):
        if (game["monsters"][room] >> player) & 1 == 1:
            ways |= game["joins"][room] | game["own_joins"][player, room]
            here = max(here, room_offer(game, rules, seat, player, room))
    for room in range(rules["rooms"]):
        if (ways >> room) & 1 == 1:
            beyond = max(beyond, room_offer(game, rules, seat, player, room))
    return max(here, weight(game, rules, seat, NEAR) * beyond)


@kernel
def tokens_out(game, rules, player):
    """How many of a player's pieces are off its supply, beyond its first figure."""
    n = 0
    for piece in range(1, rules["kit_pieces"][game["kit"][player]]):
        if game["piece_at"][player, piece] >= 0:
            n += 1
    return n


@kernel
def program_worth(game, rules, seat):
    """What the cards of the program will bring: each once in the next turn, those further left also in later ones."""
    room = stands_in(game, rules, seat)
    if room < 0:
        return 0.0
    worth = 0.0
    for slot in range(SLOTS):
        place = game["program"][seat, slot]
        if place < 0:
            continue
        card = rules["kit_card"][game["kit"][seat], place]
        start = rules["card_start"][card]
        end = rules["card_end"][card]
        worth += text_worth(game, rules, seat, start, end, room, game["crowd"][room], 0.0)
        if slot + 1 < SLOTS:
            runs = SLOTS - 1 - slot
            worth += LATER * runs * text_worth(game, rules, seat, start, end, room, USUAL_CROWD, 0.0)
    return worth


@kernel
def prospects(game, rules, seat):
    """What the seat's next turn will find, as far as it can be seen now."""
    worth = 0.0
    factor = weight(game, rules, seat, ROOM)
    if factor != 0.0:
        worth += factor * outlook(game, rules, seat, seat)
    factor = weight(game, rules, seat, CARD)
    if factor != 0.0:
        worth += factor * game["hand_size"][seat]
    factor = weight(game, rules, seat, TOKEN)
    if factor != 0.0:
        worth += factor * tokens_out(game, rules, seat)
    factor = weight(game, rules, seat, PASSENGER)
    if factor != 0.0:
        aboard = 0
        for colour in range(COLOURS):
            aboard += game["held"][seat, colour]
        worth += factor * aboard
    factor = weight(game, rules, seat, PROGRAM)
    if factor != 0.0 and rules["instead"][game["kit"][seat]] != 0:
        worth += factor * program_worth(game, rules, seat)
    return worth


@kernel
def chance_of(game, rules, seat, f_lead):
    """The chance to win in the last round, by the lead over the best other player."""
    chance = 0.5 + 0.5 * f_lead / max(weight(game, rules, seat, SPREAD), 0.1)
    return max(0.0, min(1.0, chance))


@kernel
def judge(game, rules, seat):
    """What the position at the end of a turn is worth to `seat`."""
    over = is_over(game)
    own = standing(game, rules, seat, seat)
    leader = weight(game, rules, seat, LEADER)
    others = weight(game, rules, seat, OTHERS)
    win = weight(game, rules, seat, WIN)
    if over:
        own += win * (game["share"][seat] / SIXTIETHS - weight(game, rules, seat, PATIENCE))
    elif game["last_round"] == 0 or seat >= game["active"]:
        own += prospects(game, rules, seat)
    if leader == 0.0 and others == 0.0 and win == 0.0:
        return own
    deny = weight(game, rules, seat, DENY)
    best = -1000.0
    total = 0.0
    nearest = 0
    for other in range(game["seats"]):
        if other == seat:
            continue
        theirs = standing(game, rules, seat, other)
        if not over and (game["last_round"] == 0 or other >= game["active"]):
            if deny != 0.0:
                theirs += deny * outlook(game, rules, seat, other)
            if game["last_round"] == 1:
                theirs += weight(game, rules, seat, PACE)
        best = max(best, theirs)
        total += theirs
        nearest = max(nearest, game["points"][other])
    if not over and game["last_round"] == 1:
        lead = own - best
        if seat >= game["active"] and game["active"] > 0:
            lead += weight(game, rules, seat, PACE)
        own += win * (chance_of(game, rules, seat, lead) - weight(game, rules, seat, PATIENCE))
    close = nearest / max(rules["target_score"], 1)
    leader *= 1.0 + weight(game, rules, seat, URGENCY) * close * close
    return own - leader * best - others * total / max(game["seats"] - 1, 1)
