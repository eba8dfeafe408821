"""The records of The Snallygaster Situation: what a game is at a moment, who may see which field.

Three records go through the kernels (``game``, ``rules``, ``work``); a fourth, ``outcome``, is one row a game in
``work``. A *seat* is a piece on the board: 0 the Lost Kid, 1.. the Kids; with two players one player has two Kids, so
that two and three players are the same game. A *space* is a number of the town's spaces, row by row; sets of
buildings, districts, item cards, seats and wheels are bits of one integer. ``NONE`` is "no card", "not on the
board".
"""

import numpy as np

from simcore import records
from simcore.games.snallygaster.terms import ANY_COLOUR as ANY_COLOUR
from simcore.games.snallygaster.terms import ANY_SYMBOL as ANY_SYMBOL
from simcore.games.snallygaster.terms import BYSTANDERS as BYSTANDERS
from simcore.games.snallygaster.terms import CURSES as CURSES
from simcore.games.snallygaster.terms import CURSES_EACH as CURSES_EACH
from simcore.games.snallygaster.terms import DECKS as DECKS
from simcore.games.snallygaster.terms import DOOM_SOURCES as DOOM_SOURCES
from simcore.games.snallygaster.terms import HATCHLINGS as HATCHLINGS
from simcore.games.snallygaster.terms import LIGHTS as LIGHTS
from simcore.games.snallygaster.terms import MIRRORS as MIRRORS
from simcore.games.snallygaster.terms import SEATS as SEATS
from simcore.games.snallygaster.terms import SOULS_A_DOOM as SOULS_A_DOOM
from simcore.games.snallygaster.terms import SPANS as SPANS
from simcore.games.snallygaster.terms import STARS as STARS
from simcore.games.snallygaster.terms import STREAMS as STREAMS
from simcore.games.snallygaster.terms import TREES as TREES
from simcore.games.snallygaster.terms import WINDOWS as WINDOWS
from simcore.games.snallygaster.terms import Ability as Ability
from simcore.games.snallygaster.terms import Decision as Decision
from simcore.games.snallygaster.terms import Deck as Deck
from simcore.games.snallygaster.terms import Direction as Direction
from simcore.games.snallygaster.terms import Event as Event
from simcore.games.snallygaster.terms import Ledger as Ledger
from simcore.games.snallygaster.terms import Mechanics as Mechanics
from simcore.games.snallygaster.terms import Op as Op
from simcore.games.snallygaster.terms import Option as Option
from simcore.games.snallygaster.terms import Part as Part
from simcore.games.snallygaster.terms import Place as Place
from simcore.games.snallygaster.terms import Search as Search
from simcore.games.snallygaster.terms import Source as Source
from simcore.games.snallygaster.terms import Span as Span
from simcore.games.snallygaster.terms import Step as Step
from simcore.games.snallygaster.terms import Stream as Stream
from simcore.games.snallygaster.terms import Tally as Tally
from simcore.games.snallygaster.terms import Window as Window
from simcore.records import NONE as NONE
from simcore.records import Status as Status

# --- capacities: what a record can hold; tables.py refuses by name what does not fit ---------------------------------
SPACES, DISTRICTS, BUILDINGS, TREEHOUSES, LANDMARKS, STOPS = 256, 16, 40, 8, 20, 16
WAYS = 16  # ways to move (diagonally, over fences, with a ride's bonus) that are told apart
MOST_STEPS = 24  # of one movement, as far as tables reach: who has more can go everywhere that 24 steps lead
CARDS = 64  # in the Lost Kid deck, in the search deck, and different search cards
ITEMS = 60  # item cards and powered cards together: bits of one integer
RIDES, SYMBOLS, TILES, STACK = 12, 5, 40, 12  # STACK: tiles of one symbol
GOALS, PARTS = 8, 6  # goals of one monster, parts of one goal
WHEELS = 8  # different wheel tokens of one Kid, spares included
HAND, PILES = 10, 5
OPS = 512  # rows of compiled effects
AGENDA = 96  # effects waiting to be resolved
STEPS = 1500  # effects resolved in one turn: more is a runaway chain, a counted outcome
TRADES = 6  # trades in one turn: without an end, two Kids could hand an item to and fro for ever
OPTIONS = 512  # legal answers to one decision
ANSWERS = 192  # decisions in one turn
HISTORY = 96  # cards played that are remembered with pile and what they covered
MEMORY = 64  # numbers that a policy may keep during a game; the first BUILDINGS: see BELIEF
WEIGHTS = 24
ROUNDS = 32  # rounds counted apart
STATE_ROUNDS, STATES = 24, 8  # rounds, and doom left (1, 2, ..., STATES or more), told apart together
TALLIES = 896
COMPONENTS = 76  # things that are counted apart
PAIRS = 256
BELIEF = 1_000_000  # a Kid's policy may keep, in memory[building], what it believes of it, in parts of this


i8, u8, f8, u1 = records.i8, records.u8, records.f8, "u1"

GAME = np.dtype(
    [
        *records.game_fields(
            seats=SEATS, streams=STREAMS, options=OPTIONS, answers=ANSWERS, memory=MEMORY, tallies=TALLIES, spans=SPANS
        ),
        ("doom", i8),
        # turn order (public)
        ("cycle", i8),  # Kid turns since the turn order tokens were home
        ("kid_turns_left", i8),  # before the Lost Kid's next turn
        ("slots_taken", i8),  # bits of the Kids who have had their slot
        ("double_half", i8),  # half whose slot gives two turns, NONE without the 2x token
        ("again", i8),  # seat that takes its second turn of a 2x, NONE
        ("alone", i8),  # 1: this Kid's turn does not follow the common plan
        # the Kids and the rescued Lost Kid
        ("space", i8, (SEATS,)),  # NONE: not on the board yet
        ("ride", i8, (SEATS,)),
        ("wheels", i8, (SEATS,)),  # bits of the wheel tokens owned
        ("wheels_up", i8, (SEATS,)),
        ("reused", i8, (SEATS,)),  # the ride's reuse is spent until a refresh
        ("items", i8, (SEATS,)),  # bits of item cards (of powered cards for the rescued Lost Kid)
        ("item_up", i8),  # bits of all that lie face up
        ("symbols", i8, (SEATS, SYMBOLS)),  # held, by kind
        ("curses", i8, (SEATS,)),
        ("steps", i8),  # left in the movement that is going on
        ("moving", i8),  # 1 the own movement goes on, 2 a wheel is being chosen for it, 0 neither
        ("abilities", i8),  # bits of Ability, of the active seat until the end of its turn
        ("traded", i8),  # trades in this turn
        ("sent", i8),  # 1: the active seat was hit or caught in this turn
        # the town
        ("tokens", i8, (BUILDINGS,)),  # search tokens
        ("tokens_out", i8),
        ("stars", i8),  # bits of buildings
        ("mirrors", i8),
        ("trees", i8),
        ("hatchlings", i8),
        ("bystanders", i8),
        ("lights", i8),  # bits of districts
        ("cleared", i8),  # bits of buildings where the Lost Kid is known not to be
        ("fed_at", i8, (2,)),  # stop
        ("feds_held", i8),  # steps that the Feds do not make
        # the monster
        ("monster", i8, (SEATS,)),  # its district, in row 0: only the Lost Kid always knows
        ("monster_seen", i8),  # the same for all, NONE while it is hidden
        ("monster_maybe", i8),  # bits of districts where it can be for all that is public
        ("fixed_on", i8),  # seat, NONE
        ("souls", i8),
        ("stunned", i8),  # the Lost Kid has the stun token
        ("cancelled", i8),  # the monster action about to happen does not
        ("dodging", i8),  # bits of seats that the next hit or catch spares
        # the Lost Kid
        ("hand", i8, (SEATS, HAND)),  # row 0
        ("hand_size", i8, (SEATS,)),
        ("hidden_card", i8, (SEATS,)),  # row 0
        ("powered", i8, (SEATS,)),  # row 0: powered card, as an item card; hidden until the rescue
        ("rescued", i8),
        ("freed_at", i8),  # building, NONE
        ("new_hand_token", i8),
        ("piles", i8, (PILES,)),  # top cards
        ("pile_told", i8, (PILES,)),  # 1 if its top was played, not laid at set-up
        ("buried", i8, (CARDS,)),  # put face down under a pile by a New Hand icon: among the discards, but unseen
        ("burieds", i8),
        ("played", i8),  # this turn's card
        ("history", i8, (HISTORY,)),  # card + 256 pile + 4096 (1 + card covered)
        ("plays", i8),
        ("times", i8, (CARDS,)),  # of each Lost Kid card: 2 bits a spooky action: 0 dropped, 1, 2 doubled
        # decks: deck[d, next:size] is what is left to draw, in order; the discards are sets
        ("deck", i8, (DECKS, CARDS)),
        ("deck_next", i8, (DECKS,)),
        ("deck_size", i8, (DECKS,)),
        ("deck_fixed", i8, (DECKS,)),
        ("discard", i8, (DECKS, CARDS)),
        ("discards", i8, (DECKS,)),
        ("stack", i8, (SYMBOLS, STACK)),  # tiles of a kind left to draw, in order
        ("stack_size", i8, (SYMBOLS,)),
        ("tile_at", i8, (TILES,)),  # NONE in its stack, seat who holds it, SEATS: spent
        ("mood", i8, (CARDS,)),  # of each search card: 0 as printed, 1 without threat, 2 with one more
        ("card_mood", i8),  # of the card being resolved
        # goals
        ("goal", i8),  # the open one
        ("part_left", i8, (PARTS,)),  # how often each part must still be done
        # effects waiting: a bounded stack, so that nothing recurses
        ("agenda", i8, (AGENDA,)),
        ("agenda_size", i8),
        ("effects", i8),  # resolved in this turn
        # what is counted
        ("threatened", i8),  # a search card was drawn in this turn, and the monster or a Fed moved since
        ("searched", i8),  # search cards drawn in this turn
        ("doom_before", i8),  # doom as the turn's first search card was drawn
        ("rescue_round", i8),
        ("last_doom_round", i8),
        ("curses_out", i8),
        ("items_out", i8),
        ("symbols_out", i8),
        ("used", i8, (COMPONENTS,)),  # 1 for each component used
    ],
    align=True,
)

# Who may see a field: "public", "seat" (row of the own seat only; the sizes are public) or "hidden" (nobody).
HIDDEN = ("key", "shuffles", "deck", "stack", "buried", "answer")
SEAT_ONLY = ("hand", "hidden_card", "powered", "monster", "memory")
UNREAD = (
    *("tally", "span", "number", "policy", "forced", "replay_seat", "replay_sample", "silent", "asked", "drawn"),
    *("answers", "deck_fixed", "used"),
)

RULES = np.dtype(
    [
        *records.rules_fields(seats=SEATS, streams=STREAMS, weights=WEIGHTS, pairs=PAIRS),
        # parameters
        ("kids", i8),  # on the board; `seats` is one more
        ("player_of", i8, (SEATS,)),  # player of the line-up who has the seat
        ("mechanics", i8),  # Mechanics
        ("start_building", i8),
        ("lair", i8),  # district
        ("doom_length", i8),
        ("search_tokens", i8),  # supply
        ("setup_tokens", i8),
        ("patrol_speed", i8),
        ("attack_doom", i8),
        ("starting_items", i8),
        ("rides", i8),  # 0 random, 1 fixed, 2 off
        ("ride_of", i8, (SEATS,)),
        ("hand_size", i8),
        ("pile_count", i8),
        ("kid_turns", i8),
        ("feds_flight", i8),
        ("symbol_steps", i8),
        ("immunity", i8),
        ("new_hand_token", i8),
        ("double_token", i8),
        ("density", i8),  # 0 as printed, 1 thinned, 2 doubled
        ("density_limit", u8),  # an action whose key is below it is dropped (or doubled)
        ("threat", i8),  # 0 as printed, 1 thinned, 2 more
        ("threat_limit", u8),
        ("together_limit", u8),  # a turn whose key is below it follows the common plan
        ("together_always", i8),
        ("hint_clarity", f8),
        ("coordination", f8),
        # rulings; the values are the positions in tables.RULINGS' lists
        ("rescue", i8),
        ("lost_kid_reshuffle", i8),
        ("new_hand_icon", i8),
        ("new_hand_before_draw", i8),
        ("move_kid", i8),
        ("attack_order", i8),
        ("stun", i8),
        ("free_move_road_bonus", i8),
        ("rescued_lost_kid", i8),
        ("last_doom", i8),
        ("sent_refreshes", i8),
        ("hit_ends_move", i8),
        # the town
        ("spaces", i8),
        ("districts", i8),
        ("buildings", i8),
        ("treehouses", i8),
        ("landmarks", i8),
        ("is_road", i8, (SPACES,)),
        ("building_of", i8, (SPACES,)),
        ("treehouse_of", i8, (SPACES,)),  # NONE also where the parameter `treehouses` closes it
        ("district_bits", i8, (SPACES,)),
        ("building_space", i8, (BUILDINGS, 2)),
        ("building_colour", i8, (BUILDINGS,)),
        ("building_district_bits", i8, (BUILDINGS,)),
        ("building_id", u8, (BUILDINGS,)),  # its own key, for tokens put at random
        ("treehouse_space", i8, (TREEHOUSES,)),
        ("nearest_treehouses", i8, (SPACES,)),  # bits
        ("neighbours", i8, (DISTRICTS, 4)),  # bits, by Direction
        ("hops", i8, (DISTRICTS, DISTRICTS)),
        ("landmark_bits", i8, (SPACES,)),  # landmarks whose place this is
        ("hint_weight", f8, (LANDMARKS, BUILDINGS)),  # how likely this hint is for this building, relative to the mean
        ("stops", i8, (2,)),
        ("stop_space", i8, (2, STOPS)),
        ("stop_district_bits", i8, (2, STOPS)),
        ("stop_touch", u1, (2, STOPS, SPACES)),  # 1: a Fed standing there overlaps the space
        ("leg_touch", u1, (2, STOPS, SPACES)),  # 1: a Fed driving on from there touches it
        # ways to move; kernel.py reads these (bytes, so that a row stays in the cache)
        ("need", u1, (WAYS, SPACES, SPACES)),  # wheel value needed from a to b, bonus steps included; 255: never
        ("near", u1, (WAYS, SPACES, SPACES)),  # the spaces in the order of `need`
        ("near_count", "u2", (WAYS, SPACES, MOST_STEPS + 1)),  # how many of them a wheel value reaches
        ("distance", u1, (4, SPACES, SPACES)),  # plain steps; 1 diagonally + 2 over fences
        ("way", i8, (RIDES + 1, 4)),  # way of a ride (the last: none); 1 diagonally + 2 over fences
        ("plain_way", i8, (4,)),  # the same without any bonus
        # the Lost Kid deck
        ("cards", i8),
        ("card_id", u8, (CARDS,)),
        ("card_start", i8, (CARDS,)),  # rows of `op_*` of the spooky actions
        ("card_end", i8, (CARDS,)),
        ("card_hint", i8, (CARDS,)),  # landmark, NONE
        ("card_action", i8, (CARDS,)),  # rows of the action icon, NONE
        ("card_action_end", i8, (CARDS,)),
        ("card_movement", i8, (CARDS,)),
        ("card_diagonal", i8, (CARDS,)),
        ("card_building", i8, (CARDS,)),
        ("card_hides", i8, (CARDS,)),  # 1 if it can be the hidden location (parameter `hidden_buildings`)
        # items, then powered cards
        ("item_cards", i8),
        ("powered_first", i8),
        ("powered_cards", i8),
        ("item_id", u8, (ITEMS,)),
        ("item_start", i8, (ITEMS,)),
        ("item_end", i8, (ITEMS,)),
        ("window_items", i8, (WINDOWS,)),  # bits of the cards that can be used then
        ("powered_bits", i8),
        # rides
        ("ride_cards", i8),
        ("ride_id", u8, (RIDES,)),
        ("ride_road", i8, (RIDES + 1,)),
        ("ride_off_road", i8, (RIDES + 1,)),
        ("ride_ability", i8, (RIDES + 1,)),  # bits of Ability
        ("ride_trade", i8, (RIDES + 1,)),
        ("ride_reuse", i8, (RIDES + 1,)),
        ("ride_pocket", i8, (RIDES + 1,)),
        # search cards
        ("search_cards", i8),
        ("search_id", u8, (CARDS,)),
        ("search_start", i8, (CARDS,)),
        ("search_end", i8, (CARDS,)),
        ("search_threat", i8, (CARDS,)),  # 1 if it has a threat
        ("threat_op", i8),  # row of the threat that a card gains
        # symbols
        ("symbols", i8),
        ("tiles", i8),
        ("tile_id", u8, (TILES,)),
        ("tile_symbol", i8, (TILES,)),
        ("tile_start", i8, (TILES,)),
        ("tile_end", i8, (TILES,)),
        # wheels
        ("wheel_value", i8, (WHEELS,)),
        ("wheel_diagonal", i8, (WHEELS,)),
        ("usual_wheels", i8),  # bits
        ("spare_wheels", i8),
        # story and goals
        ("setup_start", i8),
        ("setup_end", i8),
        ("quest_start", i8),
        ("quest_end", i8),
        ("goals", i8),
        ("parts", i8, (GOALS,)),
        ("part_kind", i8, (GOALS, PARTS)),  # Part
        ("part_place", i8, (GOALS, PARTS)),  # Place
        ("part_where", i8, (GOALS, PARTS)),
        ("part_times", i8, (GOALS, PARTS)),
        ("part_price", i8, (GOALS, PARTS)),  # symbols to pay
        ("part_symbol", i8, (GOALS, PARTS)),  # of this kind, ANY_SYMBOL
        ("goal_opens", i8, (GOALS,)),  # rows of `op_*`
        ("goal_opens_end", i8, (GOALS,)),
        ("goal_reward", i8, (GOALS,)),
        ("goal_reward_end", i8, (GOALS,)),
        # compiled effects
        ("op", i8, (OPS,)),
        ("op_a", i8, (OPS,)),
        ("op_b", i8, (OPS,)),
        ("op_end", i8, (OPS,)),  # row after the last that a control governs
        ("op_threat", i8, (OPS,)),  # 1 for what a search card without threat leaves out
        # components counted: number of the component, NONE
        ("component_item", i8, (ITEMS,)),
        ("component_ride", i8, (RIDES,)),
        ("component_search", i8, (CARDS,)),
        ("component_symbol", i8, (SYMBOLS,)),
        ("component_goal", i8, (GOALS,)),
        ("components", i8),
        # a forced deal: by seat; NONE: by the shuffle
        ("deal_item", i8, (SEATS,)),
        ("deal_ride", i8, (SEATS,)),
        ("deal_hidden", i8),
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        *records.outcome_fields(seats=SEATS),
        ("won", i8),
        ("doom", i8),
        ("goals", i8),
        ("rescue_round", i8),
        ("searches", i8),
        ("hits", i8),
        ("catches", i8),
        ("doom_by", i8, (DOOM_SOURCES,)),
    ],
    align=True,
)

WORK = np.dtype(
    records.work_fields(GAME, OUTCOME, options=OPTIONS, cards=CARDS, tallies=TALLIES, pairs=PAIRS, spans=SPANS),
    align=True,
)


def option_parts(option: int) -> tuple[Option, int, int, int]:
    """Kind, a, b and c of an option (see ``Option``)."""
    return Option(option & 15), (option >> 4) & 4095, (option >> 16) & 63, (option >> 22) & 63
