"""The records of Spooktacular: what a game is at a moment, who may see which field.

Three records go through the kernels (``game``, ``rules``, ``work``); a fourth, ``outcome``, is one row a game in
``work``. A *seat* is a chair at the table in turn order; with the automaton, seat 0 is the automaton and the players
sit at 1, 2, ... A *kit* is a monster's number in the content. A *piece* is a figure or token of one seat; where it is:
``SUPPLY``, a room, ``BOARD`` + a space of its board, ``TRACK`` + points on the score track, or a door token's two rooms
(``BETWEEN`` + 16 a + b). Rooms 0.. are those of the map; ``EXTRA`` + seat is the room that a token of that seat is (the
Mummy's Tomb). Sets of rooms and of seats are bits of one integer.
"""

import numpy as np

from simcore import records
from simcore.games.spooktacular.terms import BARS as BARS
from simcore.games.spooktacular.terms import COLOUR_NAMES as COLOUR_NAMES
from simcore.games.spooktacular.terms import COLOURS as COLOURS
from simcore.games.spooktacular.terms import KITS as KITS
from simcore.games.spooktacular.terms import LEAD_ROUNDS as LEAD_ROUNDS
from simcore.games.spooktacular.terms import LEADS as LEADS
from simcore.games.spooktacular.terms import POINTS as POINTS
from simcore.games.spooktacular.terms import REPLACED as REPLACED
from simcore.games.spooktacular.terms import ROUNDS as ROUNDS
from simcore.games.spooktacular.terms import SEATS as SEATS
from simcore.games.spooktacular.terms import SPANS as SPANS
from simcore.games.spooktacular.terms import STREAMS as STREAMS
from simcore.games.spooktacular.terms import WHENS as WHENS
from simcore.games.spooktacular.terms import Bar as Bar
from simcore.games.spooktacular.terms import Count as Count
from simcore.games.spooktacular.terms import Decision as Decision
from simcore.games.spooktacular.terms import Event as Event
from simcore.games.spooktacular.terms import Ledger as Ledger
from simcore.games.spooktacular.terms import Op as Op
from simcore.games.spooktacular.terms import Option as Option
from simcore.games.spooktacular.terms import Piece as Piece
from simcore.games.spooktacular.terms import Place as Place
from simcore.games.spooktacular.terms import Points as Points
from simcore.games.spooktacular.terms import Rule as Rule
from simcore.games.spooktacular.terms import Source as Source
from simcore.games.spooktacular.terms import Span as Span
from simcore.games.spooktacular.terms import Step as Step
from simcore.games.spooktacular.terms import Stream as Stream
from simcore.games.spooktacular.terms import Tally as Tally
from simcore.games.spooktacular.terms import When as When
from simcore.games.spooktacular.terms import Who as Who
from simcore.records import NONE as NONE
from simcore.records import Status as Status

# --- capacities: what a record can hold; tables.py refuses by name what does not fit ---------------------------------
MAP_ROOMS = 11
EXTRA = 11  # first of the rooms that are tokens, one a seat
ROOMS = EXTRA + SEATS
DOORS = 8  # of one room of the map
SPOOK_DOORS = 24  # through which one spook can push: doors, tombs and door tokens
PIECES = 16  # of one monster
KINDS = 8  # of pieces of one monster
ABILITIES = 24  # named abilities and spaces of one monster
TRIGGERS = 8  # of one monster
CARDS = 160  # different cards, basic and unique
DECK = 16  # cards of one player
HAND = 16
SLOTS = 3  # of a program
TICKETS = 24
GUESTS = 250
OPS = 2048  # rows of compiled effects
AGENDA = 96  # effects waiting to be resolved
QUEUE = 64  # standing effects that one clause sets off
STEPS = 600  # effects resolved in one turn: more is a runaway chain, a counted outcome
OPTIONS = 96  # legal answers to one decision
ANSWERS = 384  # decisions in one turn
MEMORY = 16
WEIGHTS = 24
PAIRS = 1408
TALLIES = 2560

# --- places of a piece ------------------------------------------------------------------------------------------------
SUPPLY = -1
BOARD = 32
TRACK = 64
BETWEEN = 512
MOST_TRACK = 400  # points on the score track that a token can lie at

i8, u8, f8 = records.i8, records.u8, records.f8

GAME = np.dtype(
    [
        *records.game_fields(seats=SEATS, streams=STREAMS, memory=MEMORY),
        # the table (public)
        ("points", i8, (SEATS,)),
        ("tickets", i8, (SEATS,)),
        ("taken", i8),  # tickets taken by all
        ("taker", i8, (TICKETS,)),  # seat that took the k-th
        ("guests", i8, (ROOMS, COLOURS)),
        ("crowd", i8, (ROOMS,)),  # guests in a room
        ("bag", i8, (COLOURS,)),
        ("bag_size", i8),
        ("guests_drawn", i8),  # from the bag, so far
        ("pile", i8, (SEATS, COLOURS)),  # devoured
        ("held", i8, (SEATS, COLOURS)),  # passengers
        # monsters (public)
        ("kit", i8, (SEATS,)),
        ("piece_at", i8, (SEATS, PIECES)),
        ("acting", i8, (SEATS,)),  # the figure from which the seat's effects work
        ("monsters", i8, (ROOMS,)),  # bits of the seats with a figure there
        ("figures", i8, (ROOMS,)),  # monster figures there
        ("stunned", i8, (SEATS,)),  # bits of the seats that hold the seat's monster stunned
        ("stunning", i8),  # bits of the seats that hold somebody's monster stunned
        ("program", i8, (SEATS, SLOTS)),  # places in the kit's list of cards, NONE: empty
        # what standing rules and tokens make of the theater
        ("joins", i8, (ROOMS,)),  # bits of the rooms joined to a room for all
        ("own_joins", i8, (SEATS, ROOMS)),  # ... by the seat's own door tokens, for it alone
        ("barred", i8, (SEATS, BARS)),  # bits of the rooms where a standing rule forbids it to the seat's monsters (or
        # to guests: the same in all rows)
        ("listens", i8, (WHENS,)),  # bits of the seats with a standing effect for it
        # hands and decks hold places in the kit's list of cards (rules["kit_card"] says which card that is); what is
        # left to draw is deck[s, next:size], in order; the discards are sets
        ("hand", i8, (SEATS, HAND)),
        ("hand_size", i8, (SEATS,)),
        ("deck", i8, (SEATS, DECK)),
        ("deck_next", i8, (SEATS,)),
        ("deck_size", i8, (SEATS,)),
        ("deck_fixed", i8, (SEATS,)),  # a position may fix the next so many cards
        ("discard", i8, (SEATS, DECK)),
        ("discards", i8, (SEATS,)),
        ("last_card", i8, (SEATS,)),  # the card that the seat played last, NONE
        # the automaton's three decks
        ("bot_deck", i8, (3, DECK)),
        ("bot_next", i8),
        ("bot_card", i8),  # the last card that it has revealed in this turn (its movement hangs on it)
        # the turn
        ("setting_up", i8),  # seats that have still to do their set-up steps
        ("last_round", i8),  # 1: the end has been triggered
        ("trigger_seat", i8),
        ("once", i8, (SEATS,)),  # bits of "once a turn" effects used
        ("replacing", i8),  # bits of the rules that are being replaced: 8 seat + Rule
        ("spooked", i8),  # guests, by the active seat in this turn
        ("devoured", i8),
        ("played", i8),
        ("returned", i8),
        # the decision that is asked
        ("for_seat", i8),  # whose effect asks (with the automaton, not the one who answers)
        ("row", i8),  # row of the effect that asks
        ("moved_seat", i8),  # whose figure is being moved
        ("about_room", i8),  # the room that it is about: where the guest, figure or spook is; NONE
        ("exits", i8),
        # effects waiting: a bounded stack, so that nothing recurses
        ("agenda_size", i8),
        ("agenda", i8, (AGENDA,)),  # step + 16 seat + 256 source + 4096 pc + 2^28 end
        ("context", i8, (AGENDA,)),  # what was picked, see kernel.py
        ("queued", i8),
        ("effects", i8),
        # what is counted
        ("round_leader", i8, (ROUNDS,)),  # who alone had the most points at the end of a round, NONE
        *records.uncopied_fields(
            [
                ("exit_to", i8, (SPOOK_DOORS,)),  # rooms behind the doors of the spook that is going on
                ("exit_door", i8, (SPOOK_DOORS,)),  # door tokens (16 seat + piece) that these doors are, NONE
                ("queue", i8, (QUEUE,)),  # standing effects that the present clause has set off: 16 i + owner
                ("queue_context", i8, (QUEUE,)),
                ("used", i8, (CARDS,)),  # bits of the seats that have played a card
            ],
            options=OPTIONS,
            answers=ANSWERS,
            tallies=TALLIES,
            spans=SPANS,
        ),
    ],
    align=True,
)

# Who may see a field: "public", "seat" (row of the own seat only; the sizes are public) or "hidden" (nobody).
HIDDEN = ("key", "shuffles", "deck", "bot_deck", "answer")
SEAT_ONLY = ("hand", "memory")
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
    "agenda",
    "context",
    "agenda_size",
    "queue",
    "queue_context",
    "queued",
    "effects",
    "guests_drawn",
)

RULES = np.dtype(
    [
        *records.rules_fields(seats=SEATS, streams=STREAMS, weights=WEIGHTS, pairs=PAIRS, played_as=KITS),
        # parameters
        ("players", i8),
        ("bot", i8),  # 1 with the automaton, which sits at seat 0
        ("bot_points", i8),
        ("target_score", i8),
        ("start_score", i8),
        ("tickets", i8),  # in the pile
        ("ticket_cards", i8),  # in the box
        ("ticket_value", i8, (TICKETS,)),
        ("ticket_id", u8, (TICKETS,)),
        ("hand_size", i8),
        ("consolation", i8),
        ("refill", i8),  # guests added after a set
        ("guests_each", i8),  # guests of each colour
        ("kit_strength", f8),
        ("monster_of", i8, (SEATS,)),  # by player of the line-up; NONE: drawn
        ("same_monsters", i8),  # 1: drawn ones may be the same
        # rulings; the values are the positions in tables.RULINGS' lists
        ("phones_are_monsters", i8),
        ("end_latched", i8),
        ("locked_doors", i8),  # 0 counted, 1 absent
        ("mash_moves_masher", i8),
        ("trigger_order", i8),  # 0 active player first, 1 first player first
        ("tomb_is_a_door", i8),
        # the map
        ("rooms", i8),
        ("open", i8),  # bits of the rooms that are not locked
        ("printed_doors", i8, (MAP_ROOMS,)),  # for set-up and tie-breaks
        ("doors", i8, (MAP_ROOMS,)),  # that can be passed
        ("door_to", i8, (MAP_ROOMS, DOORS)),  # rooms behind them, clockwise from the top
        ("map_joins", i8, (ROOMS,)),  # the same as bits
        ("setup_guests", i8, (MAP_ROOMS,)),
        ("most_doors", i8),  # the room with the most doors, where the automaton begins
        # cards: op rows
        ("cards", i8),
        ("card_start", i8, (CARDS,)),
        ("card_end", i8, (CARDS,)),
        ("card_basic", i8, (CARDS,)),
        ("card_uncopied", i8, (CARDS,)),  # 1: it cannot be copied: it copies itself, or names tokens of its monster
        ("component_card", i8, (CARDS,)),  # number among what is counted apart, NONE
        # monsters
        ("kits", i8),
        ("kit_id", u8, (KITS,)),
        ("kit_in_box", i8, (KITS,)),  # may be drawn
        ("kit_tier", i8, (KITS,)),  # 0 easy, 1 intermediate, 2 advanced
        ("kit_cards", i8, (KITS,)),
        ("kit_card", i8, (KITS, DECK)),
        ("kit_card_id", u8, (KITS, DECK)),
        ("kit_pieces", i8, (KITS,)),
        ("piece_kind", i8, (KITS, PIECES)),
        ("piece_figure", i8, (KITS, PIECES)),  # 1: a monster figure
        ("kind_first", i8, (KITS, KINDS)),  # first piece of a kind
        ("kind_count", i8, (KITS, KINDS)),
        ("setup_start", i8, (KITS,)),
        ("setup_end", i8, (KITS,)),
        ("turn_start", i8, (KITS,)),
        ("turn_end", i8, (KITS,)),
        ("ability_start", i8, (KITS * ABILITIES,)),  # ability number = ABILITIES * kit + place in the kit
        ("ability_end", i8, (KITS * ABILITIES,)),
        ("space_first", i8, (KITS,)),  # ability number of the first space of its board
        ("spaces", i8, (KITS,)),
        ("triggers", i8, (KITS,)),
        ("trigger_when", i8, (KITS, TRIGGERS)),
        ("trigger_what", i8, (KITS, TRIGGERS)),  # Place or kind
        ("trigger_start", i8, (KITS, TRIGGERS)),
        ("trigger_end", i8, (KITS, TRIGGERS)),
        ("instead", i8, (KITS,)),  # bits of the rules that it replaces
        ("instead_start", i8, (KITS, REPLACED)),
        ("instead_end", i8, (KITS, REPLACED)),
        ("room_kind", i8, (KITS,)),  # kind of the token that is a room, NONE
        ("door_kind", i8, (KITS,)),  # kind of the tokens that are doors, NONE
        ("doors_for_all", i8, (KITS,)),
        ("bar", i8, (KITS, BARS)),  # Place + 1 where it is forbidden, 0: nowhere
        ("changes_theater", i8, (KITS,)),  # 1: its tokens change joins or bars
        # the automaton
        ("bot_kit", i8),
        ("bot_card", i8, (3, 3)),
        ("bot_card_id", u8, (3, 3)),
        ("bot_chases_guests", i8, (CARDS,)),  # 1: with it revealed last, the automaton moves to the most guests
        # compiled effects
        ("op", i8, (OPS,)),
        ("op_a", i8, (OPS,)),
        ("op_b", i8, (OPS,)),
        ("op_c", i8, (OPS,)),
        ("op_d", i8, (OPS,)),
        ("op_end", i8, (OPS,)),
        ("op_scaled", i8, (OPS,)),  # 1: an estimated text of a monster, scaled by kit_strength
        # counting
        ("components", i8),
        ("matchup_first", i8),  # tally slots: games together and win share, by pair of kits; NONE: not counted
        # a forced deal, by player of the line-up: the first cards of the hand; NONE: by the shuffle
        ("deal_hand", i8, (SEATS, HAND)),
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        *records.outcome_fields(seats=SEATS),
        ("starter", i8),  # player of the line-up who played first
        ("points", i8, (SEATS,)),  # at the end, with tickets
        ("tickets", i8, (SEATS,)),
        ("monster", i8, (SEATS,)),  # kit, by player of the line-up
        ("bot_points", i8),
        ("ended_by", i8),  # 0 points, 1 tickets, NONE
        ("lead_changes", i8),
        ("stolen", i8),
        ("spooked", i8),
        ("devoured", i8),
        ("margin", i8),
    ],
    align=True,
)

WORK = np.dtype(
    records.work_fields(GAME, OUTCOME, options=OPTIONS, cards=256, tallies=TALLIES, pairs=PAIRS, spans=SPANS),
    align=True,
)


def option_parts(option: int) -> tuple[Option, int, int]:
    """Kind, a and b of an option (see ``Option``)."""
    return Option(option & 15), (option >> 4) & 4095, (option >> 16) & 1023
