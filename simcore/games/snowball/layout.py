"""The records of The Great Snowball Battle: what a game is at a moment, who may see which field, and the words for it.

Three records go through the kernels (``game``, ``rules``, ``work``); a fourth, ``outcome``, is one row a game in
``work``. Every number is 8 bytes wide, so that the kernels give the same bits with and without compilation. Cards are
indices into the deck lists of ``rules`` (a *card* is one piece of cardboard, a *kind* is what is printed on it);
``NONE`` is "no card". Seats are chairs around the table, clockwise; the line-up (who sits where) turns by one chair a
game, see ``game["player"]``.
"""

from enum import IntEnum

import numpy as np

from simcore import records
from simcore.records import NONE as NONE
from simcore.records import Status as Status

# --- capacities: what a record can hold; tables.py refuses by name what does not fit
# -------------------------------------
SEATS = 6
HAND = 8  # cards in one hand
HELD = 3  # items before one player (1 by the rules, more only by a card's text)
CARDS = 96  # cards in the snowball deck
KINDS = 64  # different cards in the snowball deck
BOX = 64  # Events that stay in the box
LOCATIONS, LOCATION_KINDS = 48, 32
ITEMS, ITEM_KINDS = 64, 32
KIDS = 16
OPS = 256  # rows of compiled effects
AGENDA = 64  # effects waiting to be resolved
SUSPENDED = 4  # throws interrupted by another throw
SHOOTERS = 16  # snowballs of one throw that can be answered, where answers can be answered
KEPT = 4  # locations or items drawn at once, of which one is kept
STEPS = 2000  # effects resolved in one turn: more is a runaway chain, a counted outcome
OPTIONS = 160  # legal answers to one decision
ANSWERS = 128  # decisions in one turn
MEMORY = 16  # numbers that a policy may keep during a game
WEIGHTS = 24  # named weights of one strategy
COVERS = 32  # cover numbers counted apart (0..31)
LEAD_ROUNDS = 10  # rounds whose leader is counted, as they begin: every second one, 2, 4, ..., 20
TALLIES = 254
PAIRS = 96  # ratios with their own cross-sums


class Stream(IntEnum):
    """Sources of chance. Each has its own key, so that one can be frozen or drawn again alone."""

    SNOWBALLS = 0
    LOCATIONS = 1
    ITEMS = 2
    KIDS = 3
    FIRST_PLAYER = 4
    EVENTS_OUT = 5  # which Events stay in the box
    SNOWPLOW = 6
    RESPONDERS = 7  # who is the fastest, where a ruling lets only one QuickShot answer
    POLICY = 8  # one stream a seat: 8..13


STREAMS = Stream.POLICY + SEATS


class Decision(IntEnum):
    """What a player is asked."""

    TURN = 0  # Throw, Clear Out or an Action item (rulebook, How to Play)
    EXTRA_THROW = 1  # a throw that an item or an Event grants
    QUICKSHOT = 2  # answer this throw with a matching QuickShot?
    BAT = 3  # use a Response item on the snowball just thrown at you?
    SAVE = 4  # use a Response item (or a kid's ability) on the hit just scored on you?
    GIVE = 5  # which player with less gear gets it (Mom Hollering)?
    KEEP_LOCATION = 6  # which of the drawn locations?
    KEEP_ITEM = 7  # which of the drawn items?
    KID = 8  # which kid at set-up?


class Option(IntEnum):
    """Kinds of answer.

    An option is one integer: kind + 16 a + 1024 b + 65536 c (a, b, c below 64); see ``option_parts``.
    """

    PASS = 0  # do nothing: hold the QuickShot, keep the item, or no legal action on one's turn
    # a: hand slot, b: target seat, c: 1 + held slot of the modifier (0: none) + 8 if the kid's one-time power is used
    THROW = 1
    CLEAR_OUT = 2
    ACTION = 3  # a: held slot of the Action item
    FREE_CLEAR = 4  # a kid's one-time free Clear Out, before the turn itself
    QUICKSHOT = 5  # a: hand slot
    BAT = 6  # a: held slot, b: 1 + the new target, or 0 where the snowball is discarded
    SAVE = 7  # a: 1 + held slot, or 0 for the kid's ability
    TARGET = 8  # b: seat
    KEEP = 9  # a: which of the cards drawn
    KID = 10  # a: kid


class Keyword(IntEnum):
    """Item keywords (rulebook, Card Keywords)."""

    MODIFIER = 0
    CONDITION = 1
    RESPONSE = 2
    ACTION = 3


class ItemUse(IntEnum):
    """What an item can do, as bits: a rule looks at the items only where one of them matters to it."""

    MODIFIES = 1
    ACTS = 2
    BATS = 4
    SAVES = 8
    COVERS = 16


class Bat(IntEnum):
    """Where a deflected snowball goes."""

    NO = 0
    THROWER = 1
    ANYONE = 2  # any living player but the batter, the batter's choice
    DISCARD = 3


class Op(IntEnum):
    """Compiled verbs of the effect language; the numbers of a row are called a and b."""

    THROW = 1  # a: how many snowballs, one after the other
    CLEAR_OUT = 2  # a: locations drawn, one is kept
    RECOVER = 3  # a: gear flipped back
    RECOVER_POORER = 4  # a: gear that a chosen player with less gear flips back
    GIVE = 5  # a: gear given to a chosen player with less gear, never one's last
    POOL_HANDS = 6  # all hands pooled, shuffled and handed back in the same sizes
    DISCARD_HAND = 7
    DISCARD_ITEM = 8
    DRAW_ITEM = 9  # a: items drawn in addition to what is held
    LOSE = 10  # a: gear lost without a hit
    LASTING_COVER = 11  # a: added to every cover until the drawer's next turn
    LASTING_NO_QUICKSHOTS = 12
    FOR_EACH = 13  # a: Whom; the rows up to `end` are done by each of them, clockwise from the drawer


class Whom(IntEnum):
    """Who a "for each" names."""

    PLAYER = 0  # every living player
    OTHER_PLAYER = 1


class Step(IntEnum):
    """What waits on the agenda."""

    EFFECT = 0  # rows `pc`..`end` of the op table, for `seat`
    REFILL = 1  # draw until the hand is full, for `seat`
    THROW = 2  # one granted throw, for `seat`
    EVENT_DONE = 3  # the Event card `pc` goes to the discard
    GO_ON = 4  # the suspended throw goes on


class Source(IntEnum):
    """Why something happens: decides, for instance, whether a Clear Out counts for the two-player rule."""

    CHOICE = 0  # the player's own turn
    ACTION_ITEM = 1
    EVENT = 2
    AUTOMATIC = 3  # the 5-6 player rule
    KID = 4


class Deck(IntEnum):
    """The three decks."""

    SNOWBALLS = 0
    LOCATIONS = 1
    ITEMS = 2


DECKS = len(Deck)


class Event(IntEnum):
    """Trace events: (event, seat, a, b, c). What a, b and c are stands beside each."""

    LEFT_OUT = 0  # a: snowball-deck card that stays in the box
    KID = 1  # a: kid
    LOCATION = 2  # a: location card, b: its printed cover, c: Source (CHOICE also at set-up)
    ITEM = 3  # a: item card (NONE: the item deck and its discards are empty)
    CARD = 4  # a: snowball-deck card drawn to the hand
    SET_ASIDE = 5  # a: Event card drawn while the opening hands are dealt, shuffled back
    START = 6  # seat starts; a: number of players tied for it
    TURN = 7  # seat begins turn a (0, 1, ...) of round b
    THROW = 11  # seat throws card a at seat b, c: item card of the modifier or NONE
    BOOST = 12  # seat's kid adds a to this throw
    BAT = 13  # seat uses item card a; the snowball goes to seat b (NONE: discard)
    LAND = 14  # at seat: stack total a after the snowball, cover b, c: 1 if it is a hit
    QUICKSHOT = 15  # seat answers with card a; hits seat b
    SAVE = 16  # seat uses item card a (NONE: the kid's ability) against a hit; b: 1 if a QuickShot hit
    GEAR = 17  # seat now has gear a (was b), c: Source-like Loss
    OUT = 18  # seat is sent inside
    BACK = 19  # seat returns with gear a (longer game variant)
    CLEAR_OUT = 20  # seat clears out; a: Source
    # seat discards snowball-deck card a; b: 1 from the hand, 2 from the stack, 3 batted away or its target is gone,
    # 4 a QuickShot answer
    DISCARD = 21
    DISCARD_ITEM = (
        22  # seat discards item card a (b: 1 held, 2 from the stack, 3 used, 4 drawn and not kept, 5 batted away)
    )
    DISCARD_LOCATION = 23  # seat discards location card a (b: 4 drawn and not kept)
    EVENT = 24  # seat draws Event card a and resolves it
    EVENT_DONE = 25  # Event card a goes to the discard
    POOL = 26  # Snowplow: seat gets card a
    LASTING = 27  # seat starts a lasting effect: Op a, amount b
    LASTING_ENDS = 28  # seat's lasting effects end
    PASS = 29  # seat has no legal action
    RESHUFFLE = 30  # a: Deck, b: cards shuffled in
    SHORT = 31  # seat stays short of a hand (no numbered card left to draw)
    ACTION = 32  # seat uses Action item card a
    END = 33  # a: Status, b: winning seat or NONE
    ASKED = records.ASKED  # seat is asked Decision a with b options (only with --why)
    OPTION = (
        records.OPTION
    )  # a: option, b: score in millionths as the policy wrote it, c: 1 if it was scored (only with --why)
    ANSWER = records.ANSWER  # seat answers Decision a with option b


class Loss(IntEnum):
    """Why gear changed (``c`` of a GEAR event)."""

    HIT = 0
    QUICKSHOT = 1
    EVENT = 2


class Ledger(IntEnum):
    """The rule ledger: how often each rule that is rare, or that a ruling decides, was needed. Tally slots."""

    OPENING_EVENT = 0  # R2: an Event drawn in an opening hand is shuffled back
    START_TIE = 1  # R3: tie for the lowest cover
    FORCED_PASS = 2  # R4
    LATER_HIT = 3  # R7: a further snowball on a standing, already reached stack hits
    CONDITION_SAVED = 4  # R7: a Condition (or lasting effect) made the difference
    COVER_DROP = 5  # R8: a cover fell to or below the total of a standing stack
    UNUSED_ITEM = 6  # R9: an unused item lost by clearing out
    QUICKSHOT_HIT = 7  # R12
    SEVERAL_QUICKSHOTS = 8  # R14: more than one QuickShot could answer one throw
    QUICKSHOT_ANSWERED = 9  # R15: an answer was answered
    THROWN_QUICKSHOT = 10  # R16: a QuickShot thrown as a plain snowball
    SAVED_FROM_QUICKSHOT = 11  # R17
    BATTED = 12  # R18
    BATTED_BACK = 13  # R18: bat against bat
    SAVED = 14  # R19: a hit absorbed by an item or kid
    HELD_QUICKSHOT = 15  # R20: a QuickShot answer was possible and declined
    DOUBLE_HIT = 16  # R23: target and thrower hit by one throw
    DOUBLE_OUT = 17  # R23, R28: two sent inside together
    DUEL_DECIDED = 18  # R25: more gear wins as two remain
    DUEL_TIED = 19  # R26: two left with equal gear
    WON_BY_EVENT = 20  # R27: a gear change without a hit ended the game
    SURVIVOR = 21  # R28: one left after a double elimination from three
    ALL_OUT = 22  # R28: nobody left: a tie
    CLEAR_BARRED = 23  # R31: the two-player rule forbade a Clear Out
    AUTO_CLEAR = 24  # R32
    AUTO_CLEAR_SAVED = 25  # R32: an automatic Clear Out though the hit was absorbed
    AUTO_CLEAR_SHRUNK = 26  # R33: an automatic Clear Out with four or fewer left in a 5-6 player game
    EVENT_CHAIN = 27  # R36: an Event drawn while another one's refill is open
    SHORT_POOL = 28  # R37: Snowplow with a hand below its size
    NO_TARGET = 29  # R38: an Event without a possible effect
    EVENT_OFF_TURN = 30  # R39: drawn on another player's turn
    RESHUFFLE_SNOWBALLS = 31  # R40
    RESHUFFLE_LOCATIONS = 32
    RESHUFFLE_ITEMS = 33
    SHORT_HAND = 34  # R42: no numbered card left
    NO_ITEM = 35  # R42: item deck and discards empty
    RETURNED = 36  # R44: an eliminated player came back
    THROWER_OUT = 37  # B2: a granted throw lapsed because its thrower was out
    QUICKSHOT_NUMBER = 39  # R13: a throw whose total is not its printed number
    LATE_QUICKSHOT = 40  # R21, B5: a refill after a throw draws a QuickShot of its number
    ANSWER_BETWEEN = 41  # R22: with two left, the only thing thrown since a Clear Out is an answer
    LEFT_CARDS = 42  # R24: a player sent inside leaves cards
    ACTION_BETWEEN = 43  # R31: with two left, an Action item since a Clear Out
    FORCED_CLEAR = 44  # R31: a forced Clear Out with two left
    LASTING_LAPSED = 38  # B3: a lasting effect ended with its drawer's elimination


class Tally(IntEnum):
    """Counted in every game, summed over a block (with squares, and with cross-sums for the ratios of metrics.py).

    A share is counted in sixtieths, so that a tie among k players splits exactly.
    """

    LEDGER = 0  # one slot a Ledger member
    SHARE_ORDER = 45  # win share by turn order, 0 = the starting player
    SHARE_PLAYER = 51  # win share by player of the line-up
    THROWS = 57
    HITS = 58  # snowballs that hit, absorbed ones included
    QUICKSHOT_HITS = 59
    RESPONSES = 60  # QuickShot answers possible
    GEAR_LOST = 61
    CLEAR_OUTS = 62  # chosen ones
    FORCED_CLEARS = 63  # Clear Outs by the 5-6 player rule or by an Event
    ACTIONS = 64
    EVENTS = 65  # Events resolved
    TURNS = 66
    NO_CHOICE = 67  # turns with at most one legal option
    DECISIONS = 68  # questions asked
    INTERVALS = 69  # spans between two own turns (players still in at the start of the span)
    INTERVALS_HIT_TWICE = 70  # ... in which the player lost two gear or more
    INTERVALS_OUT = 71  # ... in which he was sent inside
    OUT_BEFORE_TURN = 72  # players sent inside before their first turn
    WAITED = 73  # turns that the first player sent inside watches
    ONE_SIDED = 74  # the winner never had less gear than another living player
    LEADER_AT_THREE = 75  # games with a strict leader at the moment when three are left
    LEADER_AT_THREE_SHARE = 76  # his win share, sixtieths
    FIRST_EXPOSED = 77  # games in which someone's cover was reached
    FIRST_EXPOSED_SHARE = 78  # win share of the first player whose cover was reached
    START_EDGE = 79  # the starting player's share times the number of players, less all shares: sixtieths
    START_COVER_PLAYERS = 80  # players by first cover, one slot a cover
    START_COVER_SHARE = 112  # their win share, sixtieths
    LEAD_BEGUN = 144  # games in which round 2, 4, ... begins: LEAD_ROUNDS slots
    LEAD_GAMES = 154  # ... and one player alone has the most gear then
    LEAD_SHARE = 164  # his win share, sixtieths
    COMPONENTS = 174  # from here: drawn and used, two slots a component (see rules["component_*"])


class Span(IntEnum):
    """Per-game numbers with a full histogram (quantiles come from it)."""

    TURNS = 0
    ROUNDS = 1
    FIRST_OUT_TURN = 2  # turns played when the first player was sent inside
    FIRST_OUT_WAIT = 3  # turns he watched
    LEAD_CHANGES = 4
    HITS_BETWEEN_TURNS = 5  # the most gear a player lost between two own turns
    RESHUFFLES = 6  # of the snowball deck
    WINNER_GEAR = 7
    DECK_USED = 8  # peak number of snowball-deck cards outside the draw deck
    ITEMS_USED = 9  # peak number of item cards outside the draw deck
    LOCATIONS_USED = 10
    GEAR_FLIPPED = 11  # peak number of gear cards flipped
    STACK = 12  # tallest stack, in cards


SPANS = len(Span)

i8, u8 = records.i8, records.u8

GAME = np.dtype(
    [
        *records.game_fields(seats=SEATS, streams=STREAMS, memory=MEMORY),
        ("living", i8),
        ("start", i8),
        # what lies before each player (public)
        ("gear", i8, (SEATS,)),
        ("kid", i8, (SEATS,)),
        ("kid_used", i8, (SEATS,)),
        ("location", i8, (SEATS,)),
        ("printed", i8, (SEATS,)),  # its cover number, with the study's shift
        ("cover", i8, (SEATS,)),  # present cover number, Conditions and lasting effects included
        ("held", i8, (SEATS, HELD)),  # item cards
        ("helds", i8, (SEATS,)),
        ("held_uses", i8, (SEATS,)),  # bits of what the items held are good for: ItemUse
        ("total", i8, (SEATS,)),  # of the Thrown stack
        ("stack", i8, (SEATS,)),  # top card of the stack, then game["under"]
        ("stack_size", i8, (SEATS,)),
        ("stack_item", i8, (SEATS,)),  # top modifier in the stack, then game["item_under"]
        ("reached", i8, (SEATS,)),  # 1 once the standing stack has reached the cover
        ("cleared_last", i8, (SEATS,)),  # cleared out, and threw nothing since (two-player rule)
        ("lasting_cover", i8, (SEATS,)),  # added to all covers until this player's next turn
        ("lasting_no_quickshots", i8, (SEATS,)),
        ("cover_bonus", i8),  # sum of lasting_cover
        ("no_quickshots", i8),  # sum of lasting_no_quickshots
        # hands
        ("hand", i8, (SEATS, HAND)),
        ("hand_size", i8, (SEATS,)),
        ("hand_quickshots", i8, (SEATS,)),  # bits of the numbers of the QuickShots in each hand
        # the three decks: deck[d, next:size] is what is left to draw, in order; the discards are sets
        ("deck", i8, (DECKS, CARDS)),
        ("deck_next", i8, (DECKS,)),
        ("deck_size", i8, (DECKS,)),
        ("deck_fixed", i8, (DECKS,)),  # a position may fix the next so many cards
        ("discard", i8, (DECKS, CARDS)),
        ("discards", i8, (DECKS,)),
        ("under", i8, (CARDS,)),  # stacks: the snowball below
        ("item_under", i8, (ITEMS,)),  # stacks: the modifier below
        ("events_in", i8),  # Events shuffled in; the others stay in the box
        ("events_open", i8),  # Events being resolved, not yet discarded
        ("left_out", i8, (BOX,)),  # Event cards in the box
        ("left_outs", i8),
        # the throw that is being resolved; an interrupted one is kept in `suspended`
        ("throws", i8),  # so far
        ("thrower", i8),
        ("thrown", i8),  # snowball-deck card in the air
        ("thrown_item", i8),  # its modifier, NONE
        ("thrown_number", i8),  # the number that a QuickShot must match
        ("thrown_power", i8),  # what it adds to a stack: number, modifier and kid
        ("thrown_at", i8),
        ("shooter", i8, (SHOOTERS,)),  # who can be answered: the thrower, and by a ruling those who answered
        ("shooters", i8),
        ("window_shooter", i8),  # where the QuickShot window stands
        ("window_seat", i8),
        ("hit", i8, (SEATS,)),  # hits by the snowball
        ("shot", i8, (SEATS,)),  # hits by QuickShots
        ("answered", i8),  # bits of the seats that played a QuickShot, or threw: they refill
        ("struck", i8),  # bits of the seats that are hit
        ("struck_seat", i8, (SEATS,)),  # the same in turn order, while hits are resolved
        # covers that have dropped to a stack's total (ruling cover_drop = at_once)
        ("drops", i8),
        ("dropped", i8, (SEATS,)),
        ("drop_owner", i8),
        ("saving", i8),  # Decision.SAVE is about: 0 the snowball, 1 a QuickShot
        ("suspended", i8, (SUSPENDED, 48)),
        ("suspensions", i8),
        # cards drawn of which one is to be kept (Decision.KEEP_...)
        ("offer", i8, (KEPT,)),
        ("offers", i8),
        # effects waiting: a bounded stack, so that nothing recurses
        ("agenda", i8, (AGENDA,)),  # step + 16 seat + 256 source + 4096 pc + 2^24 end
        ("agenda_size", i8),
        ("steps", i8),
        # what is counted
        ("gear_changed", i8),  # this turn
        ("flipped", i8),  # gear cards lying face down
        ("leader", i8),
        ("behind", i8),  # bits of the seats that were ever behind another living player
        ("lost_between", i8, (SEATS,)),  # gear lost since the end of the own last turn
        ("turns_taken", i8, (SEATS,)),
        ("start_cover", i8, (SEATS,)),
        ("first_out", i8),
        ("first_out_turn", i8),
        ("first_exposed", i8),
        ("leader_at_three", i8),
        ("three_seen", i8),
        *records.uncopied_fields(
            [("round_leader", i8, (LEAD_ROUNDS,))],  # who alone had the most gear as round 2, 4, ... began, NONE
            options=OPTIONS,
            answers=ANSWERS,
            tallies=TALLIES,
            spans=SPANS,
        ),
    ],
    align=True,
)

# Who may see a field: "public", "seat" (row of the own seat only; the sizes are public) or "hidden" (nobody).
HIDDEN = ("key", "shuffles", "deck", "left_out", "answer")
SEAT_ONLY = ("hand", "hand_quickshots", "memory")
# `answer` holds other players' answers of this turn (declined QuickShots among them); `tally` and the counters behind
# it
# count declined answers too: no policy reads them.
UNREAD = (
    "tally",
    "span",
    "number",
    "policy",
    "forced",
    "replay_seat",
    "replay_sample",
    "silent",
    "asked",
    "drawn",
    "answers",
    "deck_fixed",
    "suspended",
)

RULES = np.dtype(
    [
        *records.rules_fields(seats=SEATS, streams=STREAMS, weights=WEIGHTS, pairs=PAIRS),
        # parameters
        ("gear", i8),
        ("hand_size", i8),
        ("events", i8),  # Events shuffled in
        ("cover_shift", i8),
        ("kids", i8),  # 0 off, 1 random, 2 chosen, 3 fixed
        ("kid_of", i8, (SEATS,)),  # fixed kids, by player of the line-up
        ("first_player", i8),  # 0 lowest cover, 1 highest cover, 2 random, 3 first seat
        ("auto_clear_from", i8),
        ("two_player_clear_rule", i8),
        # rulings; the values are the positions in tables.RULINGS' lists
        ("start_cover", i8),
        ("quickshot_number", i8),
        ("quickshot_responders", i8),
        ("quickshot_answers_quickshot", i8),
        ("save_from_quickshot", i8),
        ("bat_chain", i8),
        ("refill", i8),
        ("quickshot_counts_as_throw", i8),
        ("eliminated_cards", i8),
        ("end_test", i8),
        ("action_resets_clear_rule", i8),
        ("forced_clear_counts", i8),
        ("auto_clear_after", i8),
        ("auto_clear_scope", i8),
        ("cover_drop", i8),
        ("reshuffle", i8),
        ("mom_hollering_eliminated", i8),
        # the snowball deck
        ("cards", i8),
        ("card_kind", i8, (CARDS,)),
        ("card_id", u8, (CARDS,)),  # the card's own key: name and copy number
        ("number", i8, (KINDS,)),  # 1-8, 0 for an Event
        ("is_quickshot", i8, (KINDS,)),
        ("is_event", i8, (KINDS,)),
        ("event_start", i8, (KINDS,)),  # rows of `op_*`
        ("event_end", i8, (KINDS,)),
        ("quickshot_bit", i8, (CARDS,)),  # 1 << number for a QuickShot, 0 for any other card
        # locations
        ("location_cards", i8),
        ("location_kind", i8, (LOCATIONS,)),
        ("location_id", u8, (LOCATIONS,)),
        ("location_cover", i8, (LOCATION_KINDS,)),
        # items
        ("item_cards", i8),
        ("item_kind", i8, (ITEMS,)),
        ("item_id", u8, (ITEMS,)),
        ("item_keyword", i8, (ITEM_KINDS,)),
        ("item_use", i8, (ITEMS,)),  # by card: ItemUse
        ("item_power", i8, (ITEM_KINDS,)),  # Modifier: added to the snowball
        ("item_cover", i8, (ITEM_KINDS,)),  # Condition: added to the cover
        ("item_saves", i8, (ITEM_KINDS,)),  # Response: absorbs a hit
        ("item_bats", i8, (ITEM_KINDS,)),  # Response: Bat
        ("item_start", i8, (ITEM_KINDS,)),  # Action: rows of `op_*`
        ("item_end", i8, (ITEM_KINDS,)),
        ("item_clears", i8, (ITEM_KINDS,)),  # Action: 1 if it makes its user Clear Out
        # kids
        ("kid_cards", i8),
        ("kid_id", u8, (KIDS,)),
        ("kid_power", i8, (KIDS,)),  # ongoing: added to own throws
        ("kid_hand", i8, (KIDS,)),  # ongoing: added to the hand size
        ("kid_locations", i8, (KIDS,)),  # ongoing: locations drawn at a Clear Out, one is kept
        ("kid_items", i8, (KIDS,)),  # ongoing: items drawn at a Clear Out, one is kept
        ("kid_saves", i8, (KIDS,)),  # one-time: absorbs a hit
        ("kid_saves_quickshot", i8, (KIDS,)),  # one-time: absorbs a QuickShot hit
        ("kid_boost", i8, (KIDS,)),  # one-time: added to one throw
        ("kid_free_clear", i8, (KIDS,)),  # one-time
        # compiled effects
        ("op", i8, (OPS,)),
        ("op_a", i8, (OPS,)),
        ("op_end", i8, (OPS,)),  # end of the block of a FOR_EACH
        # components counted (drawn, used): number of the first tally slot of each kind, NONE: not counted
        ("component_kind", i8, (KINDS,)),
        ("component_item", i8, (ITEM_KINDS,)),
        ("component_kid", i8, (KIDS,)),
        # a forced deal: what the player of the line-up is dealt at set-up, NONE: by the shuffle
        ("deal_item", i8, (SEATS,)),
        ("deal_location", i8, (SEATS,)),
        ("deal_hand", i8, (SEATS, HAND)),
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        *records.outcome_fields(seats=SEATS),
        ("starter", i8),  # player of the line-up who started
        ("gear", i8, (SEATS,)),  # at the end
        ("first_out", i8),
        ("first_out_turn", i8),
        ("lead_changes", i8),
        ("throws", i8),
        ("hits", i8),
        ("quickshot_hits", i8),
        ("events", i8),
        ("reshuffles", i8),
        ("double_outs", i8),
    ],
    align=True,
)

WORK = np.dtype(
    records.work_fields(GAME, OUTCOME, options=OPTIONS, cards=CARDS, tallies=TALLIES, pairs=PAIRS, spans=SPANS),
    align=True,
)


def option_parts(option: int) -> tuple[Option, int, int, int]:
    """Kind, a, b and c of an option (see ``Option``)."""
    return Option(option & 15), (option >> 4) & 63, (option >> 10) & 63, (option >> 16) & 63
