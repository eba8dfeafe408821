"""The words of Spooktacular: sources of chance, decisions, options, effects, trace events, what is counted.

``layout.py`` has the records and gives these on; other modules import them from there.
"""

from enum import IntEnum

from simcore import records

SEATS = 5
COLOURS = 5  # of guests, in the order that the solo rules give: red, yellow, green, blue, purple
COLOUR_NAMES = ("red", "yellow", "green", "blue", "purple")
KITS = 26  # monsters in the content
ROUNDS = 24  # rounds counted apart
LEAD_ROUNDS = 6  # rounds whose leader is counted, as they begin: every second one, 2, 4, ..., 12
LEADS = (1, 5, 10)  # points of a lead told apart: 1-4, 5-9, 10 or more


class Stream(IntEnum):
    """Sources of chance. Each has its own key, so that one can be frozen or drawn again alone."""

    BAG = 0  # guests drawn from the bag
    TICKETS = 1  # which tickets are in the pile, and their order
    MONSTERS = 2  # who plays which monster, where it is drawn
    DECK = 3  # one stream a seat: 3..7
    AUTOMATON = 8  # the three decks of the solo bot: 8..10
    STRENGTH = 11  # the rounding of scaled abilities (kit_strength)
    POLICY = 12  # one stream a seat: 12..16


STREAMS = Stream.POLICY + SEATS


class Decision(IntEnum):
    """What a player is asked."""

    CARD = 0  # which card to play from the hand
    ROOM = 1  # where a figure, a guest or a token goes, or in which room something happens
    LEAVE = 2  # Spook: which guest leaves by this door
    GUEST = 3  # which guest is devoured, moved, taken or dropped
    FIGURE = 4  # which figure is moved: a monster's, or a guest of a room
    TOKEN = 5  # which of several own figures or tokens
    PLAYER = 6
    BRANCH = 7  # which side of "choose"
    MAY = 8  # an effect that may be declined, or goes on "up to" a number
    SPACE = 9  # which space of the own board
    SLOT = 10  # which slot of the program
    DISCARD = 11  # which card to discard
    LOAD = 12  # which card goes into the program
    REFILL = 13  # which of the rooms with the fewest figures gets the three guests


class Option(IntEnum):
    """Kinds of answer.

    An option is one integer: kind + 16 a + 65536 b (a below 4096, b below 1024); see ``option_parts``.
    """

    PASS = 0  # no; no more; no guest through this door
    YES = 1
    CARD = 2  # a: card
    ROOM = 3  # a: room
    GUEST = 4  # a: colour, b: room it is in
    FIGURE = 5  # a: 16 seat + figure
    TOKEN = 6  # a: 16 seat + piece
    PLAYER = 7  # a: seat
    BRANCH = 8  # a: side, from 0
    SPACE = 9  # a: ability number of the space
    SLOT = 10  # a: slot, from 0
    LEAVE = 11  # a: colour, b: room behind the door


class Source(IntEnum):
    """Where an effect comes from; points are counted by it."""

    CARD = 0  # a basic card
    UNIQUE = 1  # a unique card
    ABILITY = 2  # turn steps, named abilities, spaces
    STANDING = 3  # a triggered effect
    SETUP = 4


class Points(IntEnum):
    """Where points come from and go to."""

    SPOOK = 0
    TICKET = 1  # at the end
    CONSOLATION = 2  # a set without a ticket left
    BASIC = 3  # a basic card's text (Mash)
    OWN = 4  # unique cards and abilities
    THEFT = 5  # stolen from others
    GIFT = 6  # another player's effect
    STOLEN = 7  # lost to others
    PAID = 8  # lost by an effect of one's own


POINTS = len(Points)


class When(IntEnum):
    """What triggers a standing effect."""

    DEVOUR = 0  # its owner devours a guest
    SET = 1  # its owner turns in a set
    SPOOKED = 2  # its owner has spooked at least one guest
    GUEST_ENTERS = 3  # a guest moves into a place
    MONSTER_ENTERS = 4  # another player's monster comes into a place
    PASSES = 5  # another player's score reaches or passes a token on the score track
    GUEST_PASSES = 6  # a guest goes through a door token
    TURN = 7  # its owner's turn begins
    PUSHED = 8  # another player moves the owner's figure
    ROBBED = 9  # another player steals from the owner


WHENS = len(When)


class Rule(IntEnum):
    """Rules that a standing effect can replace."""

    PLAY = 0
    MOVE = 1
    SPOOK = 2
    DEVOUR = 3
    ADD = 4


REPLACED = len(Rule)


class Place(IntEnum):
    """Which rooms. Those about a token: 32 times its kind is added."""

    HERE = 0  # the room from which one's effects work
    THERE = 1  # the room that was picked
    ANY = 2  # any room of the theater, the present one too
    OTHER = 3  # any but the present one
    NEXT = 4  # joined to the present one
    MONSTER = 5  # with another player's monster
    GUESTS = 6  # with a guest
    NEXT_THERE = 7  # joined to the room that was picked
    FEWEST = 8  # with the fewest guests
    MOST = 9  # with the most guests
    WITH = 10  # with one's own token of a kind
    WITHOUT = 11  # without one
    INSIDE = 12  # the room that one's token is


class Piece(IntEnum):
    """What is moved."""

    OWN = 0  # the figure from which one's effects work
    THAT = 1  # the piece that was picked
    MONSTER = 2  # another player's monster, chosen
    FIGURE = 3  # any figure: another player's monster, or a guest
    THEIRS = 4  # that player's figure: the one that was picked, or the one in that room
    TOKEN = 8  # one's own token of kind k: TOKEN + k


class Who(IntEnum):
    """Which other player."""

    THAT = 0  # who was picked
    ANY = 1
    LEADER = 2  # with the most points
    HERE = 3  # with a monster in one's room


class Count(IntEnum):
    """What is counted. Those about a token: 32 times its kind is added."""

    GUESTS_HERE = 0
    GUESTS_THERE = 1
    COLOURS_HERE = 2
    COLOURS_THERE = 3
    PLAYERS_HERE = 4  # other players with a monster in one's room
    PLAYERS_NEAR = 5  # ... in it or next to it
    DOORS_HERE = 6
    PILE = 7  # guests devoured that lie in one's pile
    PILE_COLOURS = 8
    TICKETS = 9
    HAND = 10
    PASSENGERS = 11
    PASSENGER_COLOURS = 12
    SPOOKED = 13  # guests that one has spooked in this turn
    DEVOURED = 14
    PLAYED = 15  # cards played in this turn
    RETURNED = 16  # tokens returned in this turn
    BEHIND = 17  # points behind the leading other player
    TOKEN_ROOMS = 18  # rooms with one's token
    TOKENS_OUT = 19  # ... tokens in rooms
    TOKENS_TRACK = 20  # ... on the score track
    TOKENS_BOARD = 21  # ... on one's board
    TOKENS_HERE = 22
    TOKENS_THERE = 23
    TOKEN_GUESTS = 24  # guests in rooms with one's token
    TOKEN_PLAYERS = 25  # other players with a monster in such a room
    INSIDE = 26  # guests in the room that one's token is


class Op(IntEnum):
    """Compiled verbs and controls of the effect language; the numbers of a row are called a, b, c and d."""

    # points and cards
    GAIN = 1  # a
    GAIN_PER = 2  # a points for each b of c, d: at most (0: no bound)
    LOSE = 3  # a
    GIVE = 4  # that player gains a
    STEAL = 5  # a, b: Who
    DRAW = 6  # a
    DRAW_UP = 7
    THEY_DRAW = 8  # a
    DISCARD = 9  # a
    PLAY = 10
    COPY = 11  # a: Who
    DO_SPACE = 12  # a: kind, of the first token of which the space is done
    DO = 13  # a: number of an ability or space, NONE: the space that was reached
    # guests
    ADD = 14  # a, b: Place
    MOVE_GUESTS = 15  # a, b: Place from, c: Place to, d: 1 may stop
    SPOOK = 16  # a: Place
    DEVOUR = 17  # a, b: Place, c: 1 may stop
    DEVOUR_COLOUR = 18  # that colour, a: Place
    CONSUME = 19  # one of each colour, a: Place
    TAKE = 20  # a, b: Place, c: 1 may stop
    DROP = 21  # a, b: Place
    # figures and tokens
    MOVE = 22  # a: Piece, b: Place from, c: Place to
    MASH = 23  # a: points for each player moved
    SWAP = 24  # with that figure
    STUN = 25  # a: Who
    ACT_FROM = 26  # a: kind
    PLACE = 27  # a: kind, b: Place
    PLACE_DOOR = 28  # a: kind, b: Place, c: Place
    PLACE_AHEAD = 29  # a: kind, b: points, c: Who
    FILL = 30  # a: kind
    PUT = 31  # a: kind, b: number of a space
    ADVANCE = 32  # a: kind, b: spaces
    RETURN = 33  # a: kind, NONE: the token that was picked; b: 0 to the supply, 1 to a free space
    PICK_TOKEN = 34  # a: kind, b: Place
    PICK_MONSTER = 35  # a: Place
    PICK_ROOM = 36  # a: Place
    PICK_PLAYER = 37  # a: Who
    # the program
    RUN = 38  # a: slot
    DISCARD_SLOT = 39  # a: slot
    SHIFT = 40
    LOAD = 41  # a: card, NONE: one of the hand; b: slot, NONE: any
    REORDER = 42
    # controls
    MAY = 43
    CHOOSE = 44  # a: sides
    BRANCH = 45
    UNTIL_NONE = 46
    FOR_TOKENS = 47  # a: kind, b: Place
    FOR_ROOMS = 48  # a: Place
    FOR_PLAYERS = 49  # a: Place, b: 0 all others, 1 with a monster in the place, 2 in it or next to it
    FOR_COLOURS = 50  # a: Place
    IF = 51  # a: at least, b: Count
    IF_FEWER = 52  # a: fewer than, b: Count
    AT = 53  # a: Place
    ONCE = 54  # a: bit of the kit
    REPEAT = 55  # a
    # standing rules: rows that tables.py reads; the game never meets them
    WHEN = 56  # a: Place or kind, b: When
    INSTEAD = 57  # a: Rule
    EXTRA_ROOM = 58  # a: kind
    BAR = 59  # a: Place, b: Bar
    DOORS = 60  # a: kind, b: 1 for all players


class Bar(IntEnum):
    """What a standing rule forbids."""

    GUEST_LEAVES = 0
    GUEST_ENTERS = 1
    GUEST_ADDED = 2
    MONSTER_LEAVES = 3  # other players' monsters
    MONSTER_ENTERS = 4


BARS = len(Bar)


class Step(IntEnum):
    """What waits on the agenda."""

    EFFECT = 0  # rows pc..end of an effect
    UNTIL = 1  # come back to the loop whose control is row pc
    CARD_DONE = 2  # a card that was played goes to the discards; pc: card
    TRIGGER = 3  # rows pc..end of a standing effect; the source is its When
    REPLACED = 4  # the replacement of a rule is over; pc: Rule


class Event(IntEnum):
    """What a trace tells; a, b and c of each."""

    KIT = 0  # a: monster, b: points
    SETUP = 1
    TURN = 2  # a: turn, b: round
    CARD = 3  # a: card, b: 0 from the hand, 1 from the program (c: slot), 2 copied (c: seat), 3 revealed by the
    # automaton (c: deck)
    DISCARD = 4  # a: card, b: 0 it was played, 1 from the hand by an effect, 2 from the program (c: slot)
    DRAW = 5  # a: card
    RESHUFFLE = 6  # a: cards
    ABILITY = 7  # a: ability number
    TRIGGER = 8  # a: When
    ADD = 9  # a: room, b: colour, c: 0 set-up, 1 an effect, 2 after a set
    GUEST = 10  # a guest moves; a: colour, b: from, c: to
    FIGURE = 11  # a figure comes into a room; seat: its owner, a: figure, b: room, c: seat that moves it
    TOKEN = 12  # a: piece, b: place (see layout), c: other room of a door
    SPOOK = 13  # a: room, b: guests
    DEVOUR = 14  # a: colour, b: room
    SET = 15  # a set is turned in; a: tickets left before
    TICKET = 16  # a: how many tickets the seat has
    POINTS = 17  # a: points (below 0: lost), b: Points, c: points afterwards
    TAKE = 18  # a passenger; a: colour, b: room
    DROP = 19  # a: colour, b: room
    PROGRAM = 20  # a: card, b: slot
    STUN = 21  # seat: who is stunned, a: by whom
    STUN_ENDS = 22  # a: by whom it was
    LAST_ROUND = 23  # a: 0 points, 1 tickets
    TICKET_VALUE = 24  # a: points, b: which ticket taken
    END = 25  # a: status, b: winner
    RUNAWAY = 26  # a chain of effects is broken off; a: effects dropped
    ASKED = records.ASKED  # a: Decision, b: number of options
    OPTION = records.OPTION  # a: option, b: the policy's score in millionths, c: 1 if it gave one
    ANSWER = records.ANSWER  # a: Decision, b: option


class Ledger(IntEnum):
    """Tally slots of rules, rulings and tie-breaks: how often each fired."""

    BAG_SHORT = 40  # fewer guests in the bag than to be added
    REFILL_TIE = 41
    REFILL_HERE = 42  # the three guests come to the eater's own room
    SET_IN_CARD = 43  # a set is turned in while the effect that devours goes on [P4]
    CONSOLATION = 44
    SPOOK_FEWER = 45  # fewer guests than doors: the spooker chooses doors
    SPOOK_NOTHING = 46
    STEAL_SHORT = 47
    NO_CARD = 48  # "play a card" with an empty hand
    NO_MOVE = 49  # a movement that is not possible
    NOT_LEFT = 50  # kept by a standing rule or a stun
    RESHUFFLE = 51
    NO_DRAW = 52  # neither deck nor discards [P6]
    HAND_ABOVE = 53  # more cards than the hand size when drawing up [P6]
    LATCHED = 54  # the end stands though the points were stolen back [P5]
    OTHERS_TURN = 55  # 50 points reached in another player's turn [P5]
    LOCKED_DOOR = 56  # a spook in a room with a locked door
    MASH_SELF = 57  # the Masher was moved too [P8]
    MASH_FIGURES = 58  # a player with several figures counted once
    TIE_TICKETS = 59  # a tie in points broken by tickets
    SHARED = 60
    REPLACED = 61  # a rule replaced by a standing effect
    STUNNED = 62  # a figure did not move for it was stunned
    STRENGTH = 63  # numbers rounded by kit_strength
    ASKED_NEXT = 64  # a decision of the automaton by the next player
    BOT_DREW = 65  # a draw that the automaton ignored
    SUPPLY_EMPTY = 66  # no token left to place
    RUNAWAY = 67  # a chain of effects that used up the turn's budget and was broken off


class Tally(IntEnum):
    """Slots of game["tally"]: integer totals of a game that a batch sums (see metrics.py). Blocks of slots by their
    first one."""

    TURNS = 0
    ROUNDS = 1
    DECISIONS = 2
    NO_CHOICE = 3  # turns without a decision of more than one option
    NO_POINTS = 4  # turns in which the active player's points did not rise
    BY_POINTS = 5  # the last round was triggered by points
    BY_TICKETS = 6
    LEAD_CHANGES = 7
    OVERTURNED = 8  # the leader on the track before tickets are counted does not win
    SHARED = 9  # games won by several
    CARDS_PLAYED = 10
    SPOOKED = 11  # guests
    DEVOURED = 12
    SETS = 13
    MOVED_POINTS = 14  # points stolen
    FINAL_LEAD = 15  # round from which the winner led for good (games with one winner)
    ONE_WINNER = 16
    TRIGGER_WON = 17  # who triggered the end wins: share
    TRIGGER_GAMES = 18
    BOT_WON = 19  # the automaton's share
    BOT_POINTS = 20
    PLAYERS_WON = 21  # solo: the players' share
    START_EDGE = 23  # sixtieths of the first player times the players, less those of all
    LEAD_BEGUN = 24  # games in which round 2, 4, ... begins
    LEDGER = 40
    SHARE_ORDER = 70  # win share by place in turn order: 5 slots
    SHARE_PLAYER = 75
    POINTS = 80  # points of all seats by Points: 10 slots
    ROOM_GUESTS = 90  # guests in all rooms at the end of a round, by round
    ROUND_GAMES = 114
    LEAD_SHARE = 138  # win share of who alone has the most points as round 2, 4, ... begins: LEAD_ROUNDS slots
    LEAD_GAMES = 144
    LEAD_SIZE_SHARE = 150  # the same by the size of the lead: len(LEADS) slots a round
    LEAD_SIZE_GAMES = 168
    TIER_GAMES = 186  # player-games by tier: 3 slots
    TIER_SHARE = 189
    MONSTER_GAMES = 192  # by monster
    MONSTER_SHARE = 224
    MONSTER_POINTS = 256  # points by monster and Points: 32 x 9
    MONSTER_TICKETS = 544
    MONSTER_DECISIONS = 576  # decisions of more than one option in own turns
    GUESTS_IN_ROOM = 608  # guests in each room of the map at the end of a round: by room, 11 x 24
    COMPONENTS = 872  # cards: times played or run, win share of the players who did, and how many they are


class Span(IntEnum):
    """Per-game numbers with a histogram."""

    ROUNDS = 0
    TURNS = 1
    WINNER_POINTS = 2
    MARGIN = 3  # of the winner over the second
    TICKETS_LEFT = 4
    LEAD_CHANGES = 5
    FINAL_LEAD = 6  # round from which the winner led for good
    GUESTS = 7  # most guests in one room
    PASSENGERS = 8
    OUT = 9  # most guests out of the bag at once
    HAND = 10  # most cards in a hand
    TOKENS = 11  # most tokens of one player in play at once
    AGENDA = 12  # most effects waiting at once


SPANS = len(Span)
