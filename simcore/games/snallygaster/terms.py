"""The words of The Snallygaster Situation: sources of chance, decisions, options, effects, trace events, what is
counted.

``layout.py`` has the records and gives these on; other modules import them from there.
"""

from enum import IntEnum

from simcore import records

SEATS = 5


class Stream(IntEnum):
    """Sources of chance. Each has its own key, so that one can be frozen or drawn again alone."""

    LOST_KID = 0
    ITEMS = 1
    SEARCH = 2
    SYMBOLS = 3  # one stream a stack: 3..7
    RIDES = 8
    POWERED = 9
    HIDDEN = 10  # where the Lost Kid is
    TOWN = 11  # where stars, mirrors, bystanders and the like are put
    DENSITY = 12  # which spooky actions are dropped or doubled (event_density)
    THREAT = 13  # which search cards lose or gain a threat (search_threat)
    TOGETHER = 14  # whether a Kid's turn follows the common plan (coordination)
    POLICY = 15  # one stream a seat: 15..19


STREAMS = Stream.POLICY + SEATS


class Decision(IntEnum):
    """What a player is asked."""

    DOUBLE = 0  # the Kids, at set-up with three Kids: which half of the round has the 2x token
    LAIR = 1  # the Lost Kid, at set-up: where the hidden monster begins
    CARD = 2  # which card onto which pile (or the New Hand token)
    ACTION_ICON = 3  # use the card's action icon?
    NEW_HAND = 4  # the New Hand token before step 4?
    PILE = 5  # which pile hides the cards of a New Hand icon
    DISTRICT = 6  # where the monster goes
    TREEHOUSE = 7  # which of the nearest treehouses (the Lost Kid decides)
    BUILDING = 8  # where a token is put
    WHICH_KID = 9  # which Kid is moved by the Lost Kid's action
    KID_TO = 10  # ... and where to
    WHO = 11  # which Kid goes next (the first who may go is asked)
    WHEEL = 12
    MOVE = 13
    SEARCH = 14  # what to search, and free actions after the movement
    CHOICE = 15  # which side of a card
    WINDOW = 16  # an item before the monster acts, a Fed drives on, or a search card is resolved
    SYMBOL = 17  # which kind of symbol
    FEDS = 18  # which Fed an item moves
    LIGHT = 19  # which district gets a searchlight
    MIRROR = 20  # which mirror is smashed
    MAY = 21  # an effect that may be declined


class Option(IntEnum):
    """Kinds of answer.

    An option is one integer: kind + 16 a + 65536 b + 4194304 c (a below 4096, b and c below 64); see ``option_parts``.
    """

    PASS = 0
    PLAY = 1  # a: hand slot, b: pile
    NEW_HAND = 2  # spend the New Hand token
    USE = 3  # a: item or powered card; or plain yes to an action icon or a "may" (a: 0)
    DISTRICT = 4  # a: district
    TREEHOUSE = 5  # a: treehouse
    BUILDING = 6  # a: building
    KID = 7  # a: seat
    WHEEL = 8  # a: wheel, b: 1 if a ride uses it face down
    MOVE = 9  # a: space where the movement ends
    VIA = 10  # a: space to pass and go on from
    SYMBOL = 11  # a: kind of symbol (to spend for more steps, or to take)
    GOAL = 12  # a: part of the open goal to do here as a free action
    SEARCH = 13  # a: Search, b: part of the goal, c: 1 if a guess is spoken (ruling rescue = guess)
    TRADE = 14  # a: item card, or 64 + kind of symbol; b: the other seat; c: 0 give, 1 take
    BRANCH = 15  # a: side of a card, which Fed, or which half has the 2x token; PILE: a: pile


class Search(IntEnum):
    """What is searched."""

    TOKEN = 0  # a building with a search token
    GOAL = 1  # a place that the open goal names
    TREEHOUSE = 2


class Window(IntEnum):
    """When an item can be used."""

    MONSTER = 0  # before a monster action
    FEDS = 1  # before each step of a Fed
    SEARCH = 2  # before a search card is resolved
    TURN = 3  # in one's own turn, while choosing a wheel, moving or searching


WINDOWS = len(Window)


class Mechanics(IntEnum):
    """What a monster does beyond the rules for all (rules/monsters)."""

    CURSE = 0
    MIRRORS = 1
    FIXATION = 2
    SWOOP = 3


class Direction(IntEnum):
    """Of the monster's movement."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


class Ability(IntEnum):
    """Bits of what a Kid may do until the end of the turn."""

    DIAGONAL = 1
    CROSS_FENCES = 2
    STOP_ON_FEDS = 4
    TRADE_ANYWHERE = 8


class Op(IntEnum):
    """Compiled verbs of the effect language; the numbers of a row are called a and b."""

    MONSTER = 1  # a: Direction
    NEAREST = 2
    LENGTH = 3  # a: Direction
    ATTACK = 4
    LURE = 5  # a: districts; it attacks where it ends
    PUSH = 6  # a: districts; no attack
    STUN = 7
    CANCEL = 8
    DODGE = 9
    FEDS = 10  # a: 0 red, 1 blue, 2 either; b: intersections
    HOLD_FEDS = 11
    DOOM = 12  # a: doom
    TOKEN = 13  # a: colour, ANY_COLOUR
    MOVE_KID = 14  # a: spaces
    NEW_HAND = 15
    FREE_MOVE = 16  # a: spaces
    MOVE = 17  # a: steps
    SYMBOL = 18  # a: kind, ANY_SYMBOL
    ITEM = 19  # a: cards
    REFRESH_WHEELS = 20
    REFRESH_ITEMS = 21
    SPARE_WHEEL = 22
    ABILITY = 23  # a: Ability
    SEARCH = 24
    BYSTANDER = 25  # a: how many
    STAR = 26
    MIRROR = 27
    TREE = 28
    HATCHLING = 29
    LIGHT = 30
    CURSE = 31
    LIFT_CURSE = 32
    SMASH = 33
    SOUL = 34
    REVEAL = 35
    HIDE = 36
    # controls
    WITHIN = 40  # a: districts
    IF_RESCUED = 41
    EACH_KID = 42
    MAY = 43
    CHOOSE = 44  # a: branches, each a BRANCH row
    BRANCH = 45


# Tokens in the box (rulebook, Components).
STARS, MIRRORS, TREES, HATCHLINGS, LIGHTS, BYSTANDERS, CURSES, CURSES_EACH = 4, 4, 4, 2, 3, 12, 8, 2
SOULS_A_DOOM = 3

ANY_COLOUR = 63
ANY_SYMBOL = 63


class Part(IntEnum):
    """Kinds of part of a goal."""

    SEARCH = 0
    ENTER = 1
    RESCUE = 2


class Place(IntEnum):
    """Where a part is done; the number beside it says which building or landmark. Also what lies on the town."""

    BUILDING = 0
    LANDMARK = 1
    TREEHOUSE = 2
    STAR = 3
    MIRROR = 4
    TREE = 5
    HATCHLING = 6
    MONSTER = 7  # the monster's district
    BYSTANDER = 8
    LIGHT = 9  # a searchlight, on a district


class Step(IntEnum):
    """What waits on the agenda: step + 16 seat + 256 source + 4096 a + 2^24 b."""

    EFFECT = 0  # rows a..b of the op table, for `seat`
    WINDOW = 1  # items before what waits below; a: Window, b: seats asked already
    MONSTER = 2  # the monster action in row a is done
    FEDS = 3  # a: Fed, b: intersections left
    FED_DRIVES = 4  # a: Fed: one intersection
    ATTACK = 5  # the monster attacks where it is
    CLOSE = 6  # a search card a is discarded
    WIN = 7  # ruling last_doom = lose: the Kids win if the doom has not ended meanwhile


class Source(IntEnum):
    """Why something happens; also where doom comes from."""

    ATTACK = 0  # a Kid hit by the monster
    CAUGHT = 1  # a Kid touched by a Fed
    PATROL = 2  # a Fed back at its start
    CANNOT_MOVE = 3
    NOBODY = 4  # no Kid to chase
    ICON = 5  # a spooky doom icon
    SEARCH = 6  # a search card
    SYMBOL = 7  # a symbol tile
    NEW_HAND = 8
    GUESS = 9  # ruling rescue = guess
    MONSTER = 10  # a monster's own rule (souls)
    ITEM = 11  # an item, a powered card, a goal's text
    STORY = 12  # set-up and quests


DOOM_SOURCES = len(Source)


class Deck(IntEnum):
    """The decks that are drawn from and reshuffled; each symbol has a stack of its own."""

    LOST_KID = 0
    ITEMS = 1
    SEARCH = 2


DECKS = len(Deck)


class Event(IntEnum):
    """Trace events: (event, seat, a, b, c). What a, b and c are stands beside each."""

    RIDE = 0  # seat gets ride a
    ITEM = 1  # seat gets item card a (NONE: none is left)
    DOUBLE = 2  # the 2x token lies in half a
    SETUP_CARD = 3  # Lost Kid card a, onto pile b
    HIDDEN = 4  # the Lost Kid's location: card a, building b (only the Lost Kid sees it)
    DRAW = 5  # the Lost Kid draws card a
    MONSTER_AT = 6  # the monster begins in district a; b: 1 if hidden
    TURN = 7  # seat begins turn a of round b; c: 1 if this turn does not follow the common plan
    ARRIVES = 8  # seat is placed at space a, its first turn
    PLAY = 9  # card a onto pile b, covering card c
    TOKEN = 10  # a search token on building a; b: 0 step 2, 1 effect, 2 treehouse, 3 set-up; c: 1 none is left
    ICON = 11  # the icon in op row a is resolved; b: 0 spooky, 1 action icon; c: 1 the second time (event_density)
    DROPPED = 12  # the spooky action in op row a is dropped (event_density)
    MONSTER = 13  # the monster moves to district a from b; c: 1 if hidden
    CANNOT = 14  # the monster cannot move; a: Source of the doom
    ATTACK = 15  # the monster attacks district a
    STUNNED = 16  # the stun token (a = 0), a cancel (1) or a light (2) keeps the monster from acting
    HIT = 17  # seat is hit by the monster
    CAUGHT = 18  # seat is caught by Fed a
    SENT = 19  # seat goes to space a (b: 0 a treehouse, 1 a tree)
    DODGED = 20  # seat is not hit
    FED = 21  # Fed a drives to stop b
    HELD = 22  # Fed a does not drive
    DOOM = 23  # the doom marker goes forward by a to b; c: Source
    NEW_HAND = 24  # a: 0 token, 1 icon; b: pile that hides the discards
    WHEEL = 25  # seat uses wheel a, has b steps; c: 1 face down
    REFRESH = 26  # seat's wheels (a = 0) or items (1) are face up again
    MOVE = 27  # seat moves to space a; b: 0 on the way, 1 end, 2 free move, 3 by the Lost Kid; c: steps left
    SPEND = 28  # seat spends symbol a; b: 0 for steps, 1 for a goal
    SEARCH = 29  # seat searches: a Search, b building, treehouse or part
    CARD = 30  # seat draws search card a; b: 0 as printed, 1 without threat, 2 with a threat more
    CHOSE = 31  # seat takes side a of the choice in op row b
    SYMBOL = 32  # seat gets symbol tile a (NONE: none is left)
    USE = 33  # seat uses item or powered card a; b: Window; c: 1 if it fails (the monster is not there)
    TRADE = 34  # seat gives a (item card, or 64 + kind) to seat b
    PART = 35  # part a of the open goal is done by seat; b: how often still
    GOAL = 36  # goal a is done
    OPENS = 37  # goal a is open
    RESCUE = 38  # seat frees the Lost Kid in building a; b: powered card
    GUESS = 39  # seat's guess was wrong
    PUT = 40  # a: Place of the token, b: building or district
    TAKEN = 41  # the same, taken away
    CURSE = 42  # seat has a curses
    SOUL = 43  # a souls
    FIXED = 44  # the monster is fixed on seat
    SHOWN = 45  # a: 1 the monster is revealed in district b, 0 it is hidden again
    RESHUFFLE = 46  # a: Deck (or 3 + kind of symbol), b: cards
    ABILITY = 47  # seat has Ability a until the end of the turn
    SPARE = 48  # seat gets spare wheel a
    DISCARD = 49  # a Lost Kid card a is discarded (b: pile it lies under) or shuffled back (b: NONE)
    END = 50  # a: Status
    FAILS = 51  # seat's item fails: the monster is not that near
    ASKED = records.ASKED
    OPTION = records.OPTION
    ANSWER = records.ANSWER


class Ledger(IntEnum):
    """The rule ledger: how often each rule that is rare, or that a ruling decides, was needed. Tally slots."""

    RESCUED = 0  # L1
    WRONG_GUESS = 1  # L1
    HIDDEN_PASSED = 2  # L1: a Kid ends at the hidden building without freeing the Lost Kid
    LOST_KID_RESHUFFLE = 3  # L3
    NEW_HAND_ICON = 4  # L4
    FIVE_CARDS = 5  # L4: a new hand before step 4
    ACTION_USED = 6  # L5
    ACTION_DECLINED = 7  # L5
    NEW_HAND_TOKEN = 8  # L6
    FEDS_FLEE = 9  # L7
    FLIGHT_CAUGHT = 10  # L7: a fleeing Fed catches a Kid
    NOBODY = 11  # L8
    TWO_DISTRICTS = 12  # L9: the monster's way leaves a choice
    TIED_KIDS = 13  # L9: more than one way towards the closest Kids
    ROAD_HIT = 14  # L9: a Kid hit on a space of several districts
    STUNNED = 15  # L10
    STUN_WASTED = 16  # L10: a second stun token
    NOT_THERE = 17  # L11: an item fails because the hidden monster is elsewhere
    FREE_MOVE_HOME = 18  # L12: a free move ends in a treehouse
    WHEELS_USED_UP = 19  # L13
    DOUBLE_USED_UP = 20  # L13: ... between the two turns of a 2x
    REACTION = 21  # L14: an item used in a window
    ROAD_BONUS = 22  # L15
    FREE_MOVE_BONUS = 23  # L15: ... by a free move
    TREEHOUSE_TIE = 24  # L16
    DOUBLE_TURN = 25  # L17
    LOST_KID_HIT = 26  # L18
    NO_TOKEN = 27  # L19
    STACK_SHUFFLED = 28  # L19
    NO_SYMBOL = 29  # L19
    TOGETHER_END = 30  # L20: the last goal and the last doom in one action
    SPARE_WHEEL = 31  # L21
    SPLIT = 32  # L22: a turn that does not follow the common plan
    DROPPED = 33  # L23
    DOUBLED = 34  # L23
    OFF_BOARD = 35  # the monster cannot move
    PATROL = 36
    IMMUNE = 37  # Kids not yet placed as the monster attacks
    ITEM_RESHUFFLE = 38
    SEARCH_RESHUFFLE = 39
    NO_ITEM = 40
    TRADED = 41
    SYMBOL_STEPS = 42  # a symbol spent for steps
    MOVE_CUT = 43  # L24: a Kid hit in his own movement
    NOTHING_TO_DO = 44  # L25: an effect without anything to do
    THREAT_CHANGED = 45  # search_threat
    ICON_CARDS = 46  # L4: cards hidden by a New Hand icon
    MOVE_KID = 47  # L5: a Kid moved by an action icon


class Tally(IntEnum):
    """Counted in every game, summed over a block (with squares, and with cross-sums for the ratios of metrics.py)."""

    LEDGER = 0  # one slot a Ledger member
    WON = 48
    SHARE_PLAYER = 49  # win share by player of the line-up, sixtieths: all win together
    DOOM = 54  # by Source, one slot each
    DOOM_ALL = 67
    ROUNDS = 68
    TURNS = 69  # of Kids, and of the Lost Kid
    KID_TURNS = 70
    NO_CHOICE = 71  # moments in a Kid's movement with nothing to choose
    IN_TREEHOUSE = 72  # Kid turns that end in a treehouse
    SEARCHES = 73  # search cards drawn
    THREATENED = 74  # turns in which the monster or a Fed moved after a search card
    SEARCH_DOOM = 75  # doom of all sources in those turns, after the card
    TREEHOUSE_SEARCHES = 76
    SYMBOLS = 77  # symbols gained
    RESCUED = 78  # games
    RESCUED_WON = 79
    LOST_BEFORE_RESCUE = 80
    GOALS = 81  # goals done
    HITS = 82
    CATCHES = 83
    DECISIONS = 84
    BEYOND = 85  # doom from icons, edge penalties, patrols, new hands: no Kid's turn prevents it
    BELIEF_COUNT = 86  # Kids' turns for which a belief was kept, before the rescue
    BELIEF_TRUE = 87  # what it gave to the true building, millionths
    TREEHOUSE_SENT = 88
    DOOM_LEFT = 89  # when won
    SEARCH_TURNS = 90  # turns in which a search card is drawn
    ALIVE_ROUND = 92  # games that reach round r, one slot a round
    WON_ROUND = 124  # ... and are won
    BELIEF_ROUND = 156  # Kids' turns with a belief, by round
    BELIEF_ROUND_TRUE = 188
    RESCUE_ROUND = 220  # games rescued in round r
    RESCUE_ROUND_WON = 252
    STATE = 284  # games that begin round r with k doom left: STATES slots a round, for STATE_ROUNDS rounds
    STATE_WON = 476  # ... and are won
    COMPONENTS = 668  # from here: seen, used, and won where it was used: three slots a component


class Span(IntEnum):
    """Per-game numbers with a full histogram (quantiles come from it)."""

    ROUNDS = 0
    TURNS = 1
    RESCUE_ROUND = 2
    DOOM = 3
    DOOM_LEFT = 4  # when won
    GOALS_LOST = 5  # goals done when lost
    SEARCHES = 6
    TOKENS = 7  # most search tokens on the board
    SYMBOLS = 8  # most symbol tiles with Kids
    ITEMS = 9  # most item cards with Kids
    CURSES = 10
    BYSTANDERS = 11
    LAST_DOOM_ROUND = 12  # round of the last doom


SPANS = len(Span)
