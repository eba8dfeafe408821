"""Spooktacular: where its cards, guests and pieces lie, how one would cheat, small changes, and its capacities."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from simcore.game import Configuration
from simcore.games.spooktacular import tables
from simcore.games.spooktacular.kernel import kernel
from simcore.games.spooktacular.layout import NONE, Decision, Ledger, Op, Option, Stream, Tally
from simcore.play import random_below
from simcore.rng import card_key, scale, value
from tests.contract import conserved
from tests.contract.changes import Change, Mark, Met, capped, either, fired, rulings
from tests.contract.full import RUNAWAY, Filling, copies, effect, many

SEATS = {1: 2, **{players: players for players in range(2, 6)}}  # alone one plays against the automaton
TOGETHER = False
AUTOMATON = "bot"
BYTES = 16 * 1024
NARROW: tuple[str, ...] = ()
UNBOUNDED = {
    *("NONE", "STREAMS", "SPANS", "COLOURS", "POINTS", "WHENS", "REPLACED", "BARS"),  # of the words there are
    *("EXTRA", "ROOMS", "SUPPLY", "BOARD", "TRACK", "BETWEEN"),  # places, which follow from other capacities
}

LUCKY = "add 3 guests; devour each colour"  # whether it is worth its price hangs on who comes out of the bag
RICH: tuple[dict[str, Any], ...] = (
    {"players": 4, "monsters": "killtron+deadline+mummygator+killer-car", "target_score": 80},
    {
        "players": 5,
        "monsters": "doctor-terror+clown+beasts-of-business+possessed-puppet+vengeful-ghost",
        "hand_size": 5,
        "ruling.mash_moves_masher": True,
        "kit_strength": 1.3,
    },
    {"players": 3, "monsters": "regoo+doombox", "automaton": "nightmare", "target_score": 70},
    {"players": 1, "monsters": "hell-chef", "automaton": "easy"},
    {
        "players": 4,
        "monsters": "clown+nightslayerr+taxidermist+killer-car",
        "guest_density": 0.2,
        "target_score": 30,
        "monsters.taxidermist.turn": f"choose (gain 4 | {LUCKY}; {LUCKY}); play a card; draw up",
        "monsters.killer-car.turn": f"may (lose 2; {LUCKY}); play a card; draw up",
        "monsters.clown.turn": f"choose (gain 3 | {LUCKY}); play a card; draw up",
        "monsters.nightslayerr.turn": f"may (lose 4; {LUCKY}); play a card; draw up",
        "cards.search.effect": LUCKY,
        "cards.haunt.effect": "gain 3",
    },
    {
        "players": 2,
        "monsters": "screamin-eagle+mimic",
        "locks": "third",
        "ruling.end_latched": False,
        "guest_density": 0.2,
        "target_score": 30,
        "monsters.mimic.turn": f"choose (gain 3 | {LUCKY}); play a card; do mimicry; draw up",
        "monsters.screamin-eagle.turn": f"may (lose 4; {LUCKY}); play a card; do huddle; draw up",
    },
    {
        "players": 5,
        "monsters": "angler+twins+taxidermist+grimhive+remover",
        "map": "theater-10",
        "guest_density": 1.8,
        "ruling.trigger_order": "first_player_first",
    },
)

# --- what is hidden ---


def next_card(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """The card on top of one's own deck, and the chance to guess it."""
    left = conserved.lies(record)[f"deck {seat}"]
    return (left[0], 1 / len(left)) if len(left) > 1 else None


def card_of_another(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """The first card of another player's hand."""
    other = int(rules["bot"]) + (seat == int(rules["bot"]))
    if other >= record["seats"]:
        return None
    hand, deck = (conserved.lies(record)[f"{place} {other}"] for place in ("hand", "deck"))
    return (hand[0], 1 / len(hand + deck)) if hand and deck else None


def next_revealed(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """The card that the automaton reveals next."""
    left = conserved.lies(record)["automaton 0"]
    return (left[0], 1 / len(left)) if rules["bot"] and len(left) > 1 else None


def next_guest(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """Which guest comes out of the bag next: it lies in the key alone."""
    size = int(record["bag_size"])
    if size < 2:
        return None
    drawn = value(np.uint64(record["key"][Stream.BAG]), int(record["guests_drawn"]))
    return int(scale(np.uint64(drawn), size)), 1 / size


def first_ticket(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """Which ticket is turned up first."""
    key, shuffle = np.uint64(record["key"][Stream.TICKETS]), int(record["shuffles"][Stream.TICKETS])
    keys = [int(card_key(key, shuffle, card)) for card in rules["ticket_id"][: rules["ticket_cards"]]]
    return keys.index(min(keys)), 1 / len(keys)


@kernel
def top_of_the_deck(game, rules, work, seat, decision):
    return game["deck"][seat, game["deck_next"][seat] % 16] % game["options"]


@kernel
def hand_of_the_next(game, rules, work, seat, decision):
    return game["hand"][(seat + 1) % game["seats"], 0] % game["options"]


@kernel
def decks_of_the_automaton(game, rules, work, seat, decision):
    return abs(game["bot_deck"][0, min(game["bot_next"], 2)]) % game["options"]


# --- faults that would be noticed ---


@kernel
def stacks_the_deck(game, rules, work, seat, decision):
    """The two top cards change places."""
    first = game["deck_next"][seat] % 10
    card = game["deck"][seat, first]
    game["deck"][seat, first] = game["deck"][seat, first + 1] + 1
    game["deck"][seat, first + 1] = card
    return 0


@kernel
def swaps_hands(game, rules, work, seat, decision):
    """Another seat's hand is what it likes."""
    other = (seat + 1) % game["seats"]
    game["hand"][other, 0] = (game["hand"][other, 0] + 1) % 8
    return 0


@kernel
def scores(game, rules, work, seat, decision):
    """A point for nothing."""
    game["points"][seat] += 1
    return 0


@kernel
def lets_guests_in(game, rules, work, seat, decision):
    """A guest more in the first room."""
    game["guests"][0, 0] += 1
    return 0


@kernel
def walks_away(game, rules, work, seat, decision):
    """Its first figure is elsewhere."""
    game["piece_at"][seat, 0] = (game["piece_at"][seat, 0] + 1) % 8
    return 0


CHECKS, LOSE, LIES = conserved.check, conserved.lose, conserved.lies
HEAPS = ("deck", "hand")
NEXT = {
    "deck": next_card,
    "hand": card_of_another,
    "automaton": next_revealed,
    "guest": next_guest,
    "ticket": first_ticket,
}
CHEATS = {"deck": top_of_the_deck, "hand": hand_of_the_next, "automaton": decks_of_the_automaton}
SPOIL = {
    "deck": stacks_the_deck,
    "hand": swaps_hands,
    "points": scores,
    "guests": lets_guests_in,
    "piece_at": walks_away,
}
DRAWN = ("guests_drawn",)

# --- small changes ---


def played(*cards: str) -> Mark:
    """A player has played one of these cards."""

    def mark(configuration: Configuration) -> Met:
        slots = dict(tables.component_names(configuration.settings, configuration.content))
        return fired(*(slots[f"card={card}"] for card in cards))(configuration)

    return mark


def plays(*monsters: str) -> Mark:
    """One of these monsters is at the table."""

    def mark(configuration: Configuration) -> Met:
        kits = [list(configuration.content.sections["monsters"]).index(monster) for monster in monsters]
        return lambda game: bool(np.isin(game["kit"][: game["seats"]], kits).any())

    return mark


def says(op: Op) -> Mark:
    """A card that says this was played, or a monster is at the table in whose own texts it is."""

    def mark(configuration: Configuration) -> Met:
        found = {
            (s, e) for (s, e, _), text in configuration.content.effects.items() for n in text.walk() if n.form.op == op
        }
        marks = [played(*(e for s, e in found if s == "cards")), plays(*(e for s, e in found if s == "monsters"))]
        return either(*marks)(configuration)

    return mark


def has_a_room(configuration: Configuration) -> Met:
    """A monster is at the table with a token that is a room."""
    kits = np.flatnonzero(configuration.rules[0]["room_kind"] != NONE)
    return lambda game: bool(np.isin(game["kit"][: game["seats"]], kits).any())


def several_answer(configuration: Configuration) -> Met:
    """Two players have standing effects that answer to something: one clause can set both off."""
    answers = configuration.rules[0]["triggers"]
    return lambda game: int((answers[game["kit"][: game["seats"]]] > 0).sum()) > 1


def takes_a_ticket(configuration: Configuration) -> Met:
    """A ticket was taken."""
    return lambda game: bool(game["taken"])


def automaton_moves(configuration: Configuration) -> Met:
    """The automaton has revealed its Jumpscare, or all that it has."""
    jumpscare = list(configuration.content.sections["cards"]).index("jumpscare")

    def met(game: Any) -> bool:
        return bool(game["round"] > 2 or jumpscare in game["bot_deck"][0, : game["bot_next"]])

    return met


@kernel
def keeps_out(game, rules, work, seat, decision):
    """Any option but those that name one of the last two rooms; one of them once in a while, and then it is noted.

    It is noted, too, where they are all that there is, or all but one: without them nobody would be asked.
    """
    others = 0
    for i in range(game["options"]):
        others += np.int64(names_late_room(game["option"][i]) == 0)
    chance = random_below(game, rules, seat, 60)
    if others == game["options"]:
        return random_below(game, rules, seat, others)
    if others < 2 or chance == 0 or decision == Decision.LEAVE:
        game["memory"][seat, 0] = 1
        return random_below(game, rules, seat, game["options"])
    wanted = random_below(game, rules, seat, others)
    for i in range(game["options"]):
        if names_late_room(game["option"][i]) == 0:
            if wanted == 0:
                return i
            wanted -= 1
    return 0


@kernel
def names_late_room(option):
    """1 if the option is one of the last two rooms, or a guest or figure there."""
    kind, room = option & 15, (option >> 16) & 1023
    if kind == Option.ROOM:
        room = (option >> 4) & 4095
    elif kind != Option.LEAVE and kind != Option.GUEST and kind != Option.FIGURE:
        return 0
    return np.int64(room == 6 or room == 7)


def not_kept_out(configuration: Configuration) -> Met:
    """A room that one reading locks was gone to, or may have got guests after a set."""
    told = fired(Tally.SETS)(configuration)

    def met(game: Any) -> bool:
        seats = int(game["seats"])
        return bool(
            game["memory"][:seats, 0].any() or game["crowd"][6:8].any() or game["figures"][6:8].any() or told(game)
        )

    return met


EARLY = {"turn_cap": 10}
SOON = {"target_score": 20}
ROBBERY = "when a guest enters any room: once a turn: steal 9 from leader"
SMALL = (
    Change("a card's number", {"cards.clown-car.effect.1": 4}, played("clown-car")),
    Change("a card's text", {"cards.sting.effect": "gain 3"}, played("sting")),
    Change("a card more", {"cards.sting.copies": 2}, plays("grimhive")),
    Change("a basic card's text", {"cards.consume.effect": "devour 2"}, played("consume"), EARLY),
    Change("a monster's turn", {"monsters.clown.turn": "play a card; draw up"}, plays("clown")),
    Change("a standing rule", {"monsters.grimhive.standing": "when you spook: gain 1"}, plays("grimhive")),
    Change("a space's text", {"monsters.deadline.spaces.crank-call": "gain 2"}, plays("deadline")),
    Change("a monster out of the box", {"monsters.clown.copies": 0}, plays("clown")),
    Change("a later cap", {"turn_cap": 60}, capped, {"turn_cap": 40}),
    Change("a ticket more in the box", {"ticket_values": "4+4+5+5+6+6+7+7+8+8+9"}, takes_a_ticket, SOON),
    Change(
        "a ticket more for each",
        {"tickets_per_player": 2},
        fired(Tally.BY_TICKETS, Ledger.CONSOLATION),
        {"tickets_per_player": 1},
    ),
    Change("no consolation", {"consolation": 0}, fired(Ledger.CONSOLATION), {"tickets_per_player": 1}),
    Change("fewer guests after a set", {"refill": 2}, fired(Tally.SETS), {"turn_cap": 25}),
    Change("a later end", {"target_score": 52}, fired(Tally.BY_POINTS), {"turn_cap": 40}),
    Change(
        "stronger kits",
        {"kit_strength": 1.5},
        fired(Ledger.STRENGTH),
        {"players": 2, "monsters": "killtron+remover", **EARLY},
    ),
)
# Each ruling's other values: what shows that it was met, and further settings.
RULINGS: dict[str, tuple[Mark, dict[str, Any]]] = {
    "phones_are_monsters": (plays("deadline"), {}),
    "end_latched": (fired(Ledger.LATCHED), {"players": 5, "target_score": 16}),
    # where guests are laid out by the doors all games differ: here are none, and one card with which ties are broken
    "locked_doors": (
        automaton_moves,
        {
            **{"players": 2, "automaton": "easy", "guest_density": 0, "target_score": 11},
            **{f"cards.{card}.effect": "nothing" for card in ("roll-out", "mash")},
        },
    ),
    "mash_moves_masher": (says(Op.MASH), EARLY),
    "trigger_order": (
        several_answer,
        {"players": 4, **{f"monsters.{slug}.standing": ROBBERY for slug in ("clown", "nightslayerr", "mimic")}},
    ),
    "tomb_is_a_door": (has_a_room, {}),
}
# Guests that are laid out by the doors make all games differ, and a spook counts doors: here is neither.
EMPTY = {"guest_density": 0, "cards.haunt.effect": "gain 1", **EARLY}
LOCKS = (
    Change(
        "locks nested",
        {"locks": "nested"},
        not_kept_out,
        {"players": 3, "monsters": "taxidermist+mimic+beasts-of-business", **EMPTY},
        policy=keeps_out,
    ),
    Change(
        "locks third",
        {"locks": "third"},
        not_kept_out,
        {"players": 2, "monsters": "taxidermist+mimic", **EMPTY},
        policy=keeps_out,
    ),
)
CHANGES: tuple[Change, ...] = (*SMALL, *rulings(RULINGS, tables.RULINGS), *LOCKS)
EVEN = "who plays first finds the rooms as full as nobody after him, and the rules give the others nothing for it"

# --- capacities: 20 monsters, 67 cards, rooms on four maps ---

PLAIN = "setup = 'place figure in any room; draw up'\nturn = 'play a card; draw up'"
MONSTER = f"tier = 'easy'\nfigures = {{ figure = 1 }}\n{PLAIN}"
CARD = "monster = 'clown'\neffect = 'gain 1'"


def monster(slug: str = "clown", **keys: str) -> str:
    """A monster with other texts; tables and numbers are written as in TOML."""
    return f"[{slug}]\n" + "".join(
        f"{key} = {said if said[:1] in '{[' else repr(said)}\n" for key, said in keys.items()
    )


def named(count: int, text: str, name: str = "x") -> str:
    """So many abilities, spaces or kinds of piece as a TOML table."""
    return "{ " + ", ".join(f"{name}{chr(97 + i // 26)}{chr(97 + i % 26)} = {text}" for i in range(count)) + " }"


def star(count: int, beams: int) -> dict[str, str]:
    """A map of so many rooms: one in the middle with so many doors, the others in a ring."""
    points = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
    ways: dict[int, dict[int, str]] = {room: {} for room in range(count)}
    for k in range(1, count):
        if k <= beams:
            ways[0][k], ways[k][0] = points[(k - 1) % 8], points[(k + 3) % 8]
        after = k % (count - 1) + 1
        ways[k][after], ways[after][k] = "east", "west"
    said = ""
    for room, doors in ways.items():
        behind = ", ".join(f"star-{other} = '{point}'" for other, point in doors.items())
        said += f"[star-{room}]\nname = 'star {room}'\nsource = 'estimated'\nmap = 'star'\nat = [{room}, {room}]\n"
        said += f"doors = {{ {behind} }}\n"
    return {"maps": "[star]\nname = 'Star'\nsource = 'estimated'\n", "rooms": said}


CROWDED = {  # five monsters with 16 figures each, in every room
    "monsters": "".join(
        monster(
            slug, figures="{ figure = 16 }", tokens="{}", setup="repeat 8: repeat 2: place figure in any room; draw up"
        )
        for slug in ("clown", "nightslayerr", "taxidermist", "mimic", "killer-car")
    ),
    "cards": effect("haunt", "move a figure from any room to any room", 5),
}
FIVE = {"players": 5, "monsters": "clown+nightslayerr+taxidermist+mimic+killer-car"}
BEYOND: dict[str, Filling] = {
    "SEATS": Filling({"players": 6}, {}, "players: 6 is outside 1..5"),
    "KITS": Filling({}, {"monsters": many(7, MONSTER)}, "27 monsters, and 26 fit"),
    "MAP_ROOMS": Filling({"map": "star"}, star(12, 8), "12 rooms on the map star, and 11 fit"),
    "DOORS": Filling({"map": "star"}, star(11, 9), "9 doors, and 8 fit"),
    "PIECES": Filling({}, {"monsters": monster(tokens="{ pie = 16 }")}, "17 pieces of clown, and 16 fit"),
    "KINDS": Filling({}, {"monsters": monster(tokens=named(8, "1"))}, "9 kinds of piece of clown, and 8 fit"),
    "ABILITIES": Filling(
        {}, {"monsters": monster(spaces=named(24, "'gain 1'"))}, "25 abilities and spaces of clown, and 24 fit"
    ),
    "TRIGGERS": Filling(
        {}, {"monsters": monster(standing="; ".join(["when you devour: gain 1"] * 9))}, "9 triggered effects of clown"
    ),
    "CARDS": Filling({}, {"cards": many(94, f"{CARD}\ncopies = 0")}, "161 different cards, and 160 fit"),
    "DECK": Filling({}, {"cards": copies(clown_car=10)}, "17 cards in the deck of clown, and 16 fit"),
    "SLOTS": Filling({}, {"cards": effect("roll-out", "run slot 4")}, "is outside 1..3"),
    "TICKETS": Filling({"ticket_values": "+".join(["5"] * 25)}, {}, "25 tickets, and 24 fit"),
    "GUESTS": Filling({"guests_each": 51}, {}, "guests_each: 51 is outside 1..50"),
    "OPS": Filling({}, {"cards": effect("haunt", "; ".join(["gain 1"] * 2048))}, "and 2048 fit"),
}
FULL: dict[str, Filling] = {
    "SEATS, KITS": Filling({"players": 5}, {"monsters": many(6, MONSTER)}),
    "SEATS with the automaton": Filling({"players": 4, "automaton": "hard"}),
    "MAP_ROOMS, DOORS": Filling({"map": "star", "players": 5, "guest_density": 3, "guests_each": 50}, star(11, 8)),
    "PIECES, KINDS, ABILITIES, TRIGGERS": Filling(
        {**FIVE, "hand_size": 8},
        {
            "monsters": monster(
                tokens=named(6, "2", "y")[:-2] + ", pie = 3 }",
                spaces=named(23, "'gain 1; place pie'"),
                setup="place figure in any room; fill your board with pie; draw up",
                turn="play a card; advance pie 1; do that space; place pie in another room; draw up",
                standing="; ".join(["when another monster enters room with your pie: once a turn: gain 1"] * 8),
            )
        },
    ),
    "CARDS, DECK, HAND": Filling(
        {**FIVE, "hand_size": 8},
        {
            "cards": many(93, f"{CARD}\ncopies = 0")
            + copies(clown_car=9)
            + effect("haunt", "draw 9; draw 9; spook")
            + effect("custard-pie", "discard 9; draw 9")
        },
    ),
    "SLOTS": Filling(
        {"monsters": "killtron"},
        {"cards": effect("guidance-system", "load a card in any slot; reorder slots; shift slots; discard slot 2", 5)},
    ),
    "TICKETS": Filling(
        {
            "players": 2,
            "tickets_per_player": 12,
            "ticket_values": "+".join(["99"] * 24),
            "target_score": 200,
            "refill": 12,
        },
        {"cards": effect("haunt", "devour 9 in room with most guests")},
    ),
    "GUESTS": Filling(
        {"guests_each": 50, "guest_density": 3, "refill": 12, "players": 5},
        {"cards": effect("haunt", "add 12 guests; add 12 guests; spook")},
    ),
    "OPS": Filling(
        {}, {"cards": effect("haunt", f"if 99 or more cards in your hand: ({'; '.join(['gain 1'] * 1500)})")}
    ),
    "SPOOK_DOORS": Filling(
        {**FIVE, "monsters": "angler+clown+clown+clown+mummygator", "same_monsters": True, "guests_each": 50},
        {
            "monsters": "".join(
                monster(
                    slug,
                    tokens="{ door = 15 }",
                    setup="place figure in any room; draw up",
                    turn="place door between your room and another room; play a card; draw up",
                    standing="always: your door are doors for all; when a guest passes your door: gain 1",
                )
                for slug in ("angler", "clown")
            ),
            "cards": effect("haunt", "add 12 guests; spook"),
        },
    ),
    "MOST_TRACK": Filling(
        {"players": 3, "monsters": "beasts-of-business+beasts-of-business", "same_monsters": True, "target_score": 200},
        {"cards": effect("dividend", "repeat 9: gain 30; place future 20 ahead of any other player", 9)},
    ),
    "passengers": Filling(
        {"monsters": "killer-car", "guests_each": 50, "guest_density": 3},
        {
            "cards": effect(
                "last-stop", "take 60 guests; take 60 guests from room with guests; drop 60 guests in any room", 9
            )
        },
    ),
    "numbers": Filling({"kit_strength": 4, "players": 5, "target_score": 200, "start_score": 100, "consolation": 30}),
    "OPTIONS": Filling({**FIVE, "guests_each": 50, "guest_density": 3, "map": "theater-10"}, CROWDED),
    "AGENDA": Filling(
        {"monsters": "clown"},
        {
            "monsters": monster(turn="do step-a")
            + "[clown.abilities]\n"
            + "".join(f"step-{a} = 'repeat 9: do step-{b}'\n" for a, b in pairwise("abcdefghijklmnop"))
            + "step-p = 'gain 1'\n"
        },
    ),
    "STEPS": Filling({"players": 2, "turn_cap": 20}, {"cards": effect("haunt", "until none: gain 0", 5)}),
    "QUEUE": Filling(
        {"players": 5, "monsters": "clown+clown+clown+clown+clown", "same_monsters": True, "turn_cap": 20},
        {
            "monsters": monster(standing="; ".join(["when a guest enters any room: gain 1"] * 8)),
            "cards": effect("haunt", "move 60 guests from room with most guests to another room", 5),
        },
    ),
    "ANSWERS": Filling(
        {"guests_each": 50, "guest_density": 3},
        {"cards": effect("haunt", "repeat 9: repeat 4: move 60 guests from room with most guests to another room")},
        RUNAWAY,
    ),
}
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("OPTIONS", "ANSWERS"), "refused while it is played: ENDLESS"),
    **dict.fromkeys(("AGENDA", "QUEUE", "STEPS"), "the rules: a runaway chain is broken off, and counted"),
    "SPOOK_DOORS": "the rule that lists the doors of a spook",
    "HAND": "the rule that draws a card",
    "MOST_TRACK": "the rule that places a token ahead of a player",
    **dict.fromkeys(("ROUNDS", "LEAD_ROUNDS"), "the rules that count by round: what comes later is not counted apart"),
    "TALLIES": "160 cards, 26 monsters and their pairs are fewer",
    "PAIRS": "batch.prepare; 26 monsters with their pairs, and some eighty ratios, are fewer",
    "MEMORY": "a policy's own; the bounds check",
    "WEIGHTS": "batch.prepare, for a strategy",
}
