"""A position as the start of a game, at a turn's beginning: who is where, who holds what, what is known.

From TOML (or the same as a mapping)::

    doom = 4
    round = 6                        # the round of the next turn; the first is 1
    kid_turns_left = 1               # Kid turns before the Lost Kid's next turn; 0: it is the Lost Kid's turn
    slots_taken = [2]                # Kids whose Turn Order token lies in a slot
    double = "first"                 # with three Kids: the half of the round with the 2x token
    again = 0                        # the Kid whose second turn of a 2x comes next
    hidden = "gas-station"           # where the Lost Kid is (was, once rescued)
    powered = "far-reach"
    hand = ["junkyard"]              # Lost Kid cards; what lacks to a full hand is dealt anew in every game
    piles = ["chapel", "none", "sawmill"]       # tops of the discard piles; the cards below are among the discards
    untold = [3]                     # piles whose top was not played, and tells nothing
    discards = ["bus-depot"]         # Lost Kid cards; search_discards likewise, symbols_spent are Symbol tiles
    played = [["bus-depot", 1, "none"], ["chapel", 1, "bus-depot"]]  # cards played, pile, what was covered
    lost_kid_top = ["greenhouse"]    # next cards, where they are known; likewise item_top, search_top, symbol_top
    new_hand_token = false           # spent
    cleared = ["bait-and-tackle"]    # Buildings where the Lost Kid is known not to be
    tokens = { sawmill = 2 }         # Search tokens
    stars = ["chapel"]               # Buildings; likewise mirrors, trees, hatchlings, bystanders; lights are Districts
    monster = "old-town"             # District (not named: the lair; if it is hidden: drawn by lot from monster_maybe)
    shown = false                    # the monster is hidden (only one that hides), somewhere in ...
    monster_maybe = ["old-town", "tower-hill"]  # ... these Districts (not named: all)
    fixed_on = 2                     # the Kid on whom the monster is fixed
    souls = 1
    stun = true                      # the Lost Kid has the Stun token
    feds = { red = "n1", blue = "e6" }          # Intersections of their patrols (not named: their starts)
    goal = 2                         # the open one; parts_left: how often each part must still be done
    parts_left = [2]
    [lost_kid]                       # once rescued: space, items, face_down (with the powered card), symbols
    space = "e5"
    rescue_round = 4
    [[kid]]                          # one for each Kid
    space = "e5"                     # or "treehouse 2"; "none" before the first turn (the same as no space)
    ride = "skateboard"              # or "none"; not named: by lot from those left
    wheels = ["three", "four", "five", "six"]   # wheel tokens; wheels_up: those number side up (not named: all)
    wheels_up = ["four", "six"]
    items = ["grape-soda", "flash-cubes"]       # face_down: those of them that are used
    face_down = ["grape-soda"]
    symbols = ["radio", "book-howl"] # kinds (the tile by lot), or tiles
    curses = 1
    reused = true                    # a Ride's second use of a wheel is spent

Cards and places are named by their slug in the content. What is not named is drawn by lot anew in each game: powered
card, hidden location, hand, rides, the order of the decks. Raises InputError with what is wrong and the nearest name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import gcd
from typing import Any

import numpy as np

from simcore import reading
from simcore.deals import Deal, Deals
from simcore.errors import InputError, nearest
from simcore.game import Configuration, Metric
from simcore.games.snallygaster import layout, metrics
from simcore.games.snallygaster.layout import NONE, Deck, Mechanics, Part
from simcore.games.snallygaster.tables import RIDES
from simcore.games.snallygaster.tables import deck as cards_of
from simcore.games.snallygaster.telling import coordinates
from simcore.games.snallygaster.words import symbol_kinds

BY_LOT, POWERED_DOWN = -2, 1 << 62  # as in rules/setup.py
RANDOM, OFF = RIDES.index("random"), RIDES.index("off")
TOKENS = {
    "stars": layout.STARS,
    "mirrors": layout.MIRRORS,
    "trees": layout.TREES,
    "hatchlings": layout.HATCHLINGS,
    "bystanders": layout.BYSTANDERS,
    "lights": layout.LIGHTS,
}
TOP_KEYS = (
    *("doom", "round", "kid_turns_left", "slots_taken", "double", "again", "hidden", "powered", "hand", "piles"),
    *("untold", "discards", "search_discards", "symbols_spent", "played", "lost_kid_top", "item_top", "search_top"),
    *("symbol_top", "new_hand_token", "cleared", "tokens", *TOKENS, "monster", "shown", "monster_maybe", "fixed_on"),
    *("souls", "stun", "feds", "goal", "parts_left", "lost_kid", "kid"),
)
LOST_KID_KEYS = ("space", "items", "face_down", "symbols", "rescue_round")
KID_KEYS = ("space", "ride", "wheels", "wheels_up", "items", "face_down", "symbols", "curses", "reused")
HALVES = ("first", "second")
MOST_ROUNDS = 10_000
SYMBOLS, POWERED = "symbols", "powered-cards"
DECKS = {Deck.LOST_KID: "lost-kid-cards", Deck.ITEMS: "items", Deck.SEARCH: "search-cards"}
TOPS = {Deck.LOST_KID: "lost_kid_top", Deck.ITEMS: "item_top", Deck.SEARCH: "search_top"}


class _Box:
    """The cards of a configuration that the position has not placed yet, by section."""

    def __init__(self, configuration: Configuration) -> None:
        content, monster = configuration.content, str(configuration.settings["monster"])
        self.slugs = {
            section: [slug for slug, _ in cards_of(content, section, monster)]
            for section in (*DECKS.values(), "rides", SYMBOLS, POWERED)
        }
        self.left = {section: list(range(len(slugs))) for section, slugs in self.slugs.items()}

    def take(self, section: str, slug: str, where: str) -> int:
        """A card of this name that has not been placed. Raises InputError."""
        slugs = self.slugs[section]
        if slug not in slugs:
            raise InputError(f"{where}: no card {slug!r} of {section}{nearest(slug, slugs)}")
        for card in self.left[section]:
            if slugs[card] == slug:
                self.left[section].remove(card)
                return card
        raise InputError(f"{where}: all copies of {slug!r} are placed already")

    def take_all(self, section: str, slugs: Sequence[str], where: str) -> list[int]:
        """Cards of these names."""
        return [self.take(section, slug, where) for slug in slugs]


def _flag(given: Mapping[str, Any], key: str, default: bool, where: str) -> int:
    value = given.get(key, default)
    if not isinstance(value, bool):
        raise InputError(f"{where}: {key} is true or false, not {value!r}")
    return int(value)


def _bits(given: Mapping[str, Any], key: str, known: Sequence[str], what: str, where: str) -> int:
    """A list of names as bits. Raises InputError for a name that stands there twice."""
    bits = 0
    for slug in reading.names(given, key, where):
        bit = 1 << reading.number_of(slug, known, what, f"{where}, {key}")
        if bits & bit:
            raise InputError(f"{where}, {key}: {slug!r} stands there twice")
        bits |= bit
    return bits


def read_position(configuration: Configuration, data: Mapping[str, Any]) -> np.ndarray:
    """A 1-element GAME array for `batch.prepare(position=...)`. Raises InputError."""
    array = np.zeros(1, layout.GAME)
    reader = _Reader(configuration, array[0], data)
    reader.order()
    reader.town()
    reader.kids()
    reader.lost_kid()
    reader.monster()
    reader.goal()
    reader.decks()
    return array


class _Reader:
    """One position being read into a record."""

    def __init__(self, configuration: Configuration, game: Any, data: Mapping[str, Any]) -> None:
        self.configuration, self.game, self.data = configuration, game, data
        self.rules, self.box, self.where = configuration.rules[0], _Box(configuration), "position"
        sections = configuration.content.sections
        self.buildings, self.districts = list(sections["buildings"]), list(sections["districts"])
        self.wheels = [slug for slug, e in sections["wheels"].items() for _ in range(e.copies)]
        self.kinds = symbol_kinds(sections)
        self.spaces = coordinates(next(iter(sections["town"].values())).spaces)
        self.kids_there = int(self.rules["kids"])
        reading.check_keys(TOP_KEYS, data, self.where)
        game["seats"] = configuration.seats
        for name in ("space", "ride", "hidden_card", "powered", "monster", "piles", "tile_at"):
            game[name] = NONE
        for name in ("double_half", "again", "fixed_on", "freed_at", "played", "rescue_round", "last_doom_round"):
            game[name] = NONE

    def number(self, key: str, low: int, high: int, default: int) -> int:
        """A whole number of the position."""
        return reading.whole(self.data.get(key, default), low, high, f"{self.where}, {key}")

    def space(self, value: Any, where: str) -> int:
        """`e5`, `treehouse 2` or `none`."""
        if value == "none":
            return NONE
        treehouses = int(self.rules["treehouses"])
        if isinstance(value, str) and (found := re.fullmatch(r"treehouse (\d+)", value)):
            number = reading.whole(int(found[1]), 1, treehouses, f"{where}, space, treehouse")
            return int(self.rules["treehouse_space"][number - 1])
        if value not in self.spaces:
            raise InputError(f"{where}: no space {value!r}; spaces are like {self.spaces[0]}, 'treehouse 1' or 'none'")
        return self.spaces.index(value)

    def order(self) -> None:
        """Doom, round, whose turn it is."""
        game, rules, kids = self.game, self.rules, self.kids_there
        game["doom"] = self.number("doom", 0, int(rules["doom_length"]) - 1, 0)
        each = int(rules["kid_turns"])
        left = self.number("kid_turns_left", 0, each, 0)
        number = self.number("round", 1, MOST_ROUNDS, 1)
        game["kid_turns_left"] = left
        game["turn"] = (number - 1) * (1 + each) + (1 + each - left if left else 0)
        game["round"] = number - 1 if left or number == 1 else number - 2  # the Lost Kid's turn begins the round
        if game["turn"] >= rules["turn_cap"]:
            raise InputError(f"{self.where}, round: turn {int(game['turn']) + 1} is after turn_cap {rules['turn_cap']}")
        taken = self.data.get("slots_taken", [])
        if not isinstance(taken, list):
            raise InputError(f"{self.where}: slots_taken is a list of Kids, not {taken!r}")
        for seat in taken:
            game["slots_taken"] |= 1 << reading.whole(seat, 1, kids, f"{self.where}, slots_taken")
        self.slots(bin(int(game["slots_taken"])).count("1"), left)

    def slots(self, taken: int, left: int) -> None:
        """The Turn Order board: Kid turns since the tokens were home, and the 2x token."""
        game, kids, each = self.game, self.kids_there, int(self.rules["kid_turns"])
        doubles = kids == 3 and bool(self.rules["double_token"])
        for key in ("double", "again"):
            if key in self.data and not doubles:
                raise InputError(f"{self.where}: {key} is only for three Kids with the 2x token")
        again = self.number("again", 0, kids, 0)
        half = (
            reading.number_of(self.data.get("double", "first"), HALVES, "half", f"{self.where}, double")
            if doubles
            else NONE
        )
        game["double_half"] = half
        double_slot = 2 * half + 1  # the slot that gives two turns
        if again and (taken != double_slot or not int(game["slots_taken"]) >> again & 1):
            raise InputError(f"{self.where}, again: Kid {again} has not just taken the slot beside the 2x token")
        if taken == kids and not again:
            raise InputError(f"{self.where}, slots_taken: with all slots taken the tokens go home; leave it out")
        game["again"] = again or NONE
        game["cycle"] = taken + int(doubles and taken >= double_slot) - int(bool(again))
        turns = kids + int(doubles)
        if (int(game["cycle"]) + left) % gcd(turns, each):
            raise InputError(
                f"{self.where}: kid_turns_left = {left} does not go with {taken} slots taken; after each Lost Kid turn "
                f"there are {each} Kid turns"
            )

    def town(self) -> None:
        """What lies on buildings and districts, and the Feds."""
        game, data, where = self.game, self.data, self.where
        for slug, count in reading.table(data, "tokens", where).items():
            building = reading.number_of(slug, self.buildings, "building", f"{where}, tokens")
            game["tokens"][building] = reading.whole(
                count, 0, int(self.rules["search_tokens"]), f"{where}, tokens, {slug}"
            )
        game["tokens_out"] = game["tokens"].sum()
        if game["tokens_out"] > self.rules["search_tokens"]:
            raise InputError(f"{where}, tokens: {game['tokens_out']}, and there are {self.rules['search_tokens']}")
        for key, most in TOKENS.items():
            known, what = (self.districts, "district") if key == "lights" else (self.buildings, "building")
            game[key] = _bits(data, key, known, what, where)
            if (count := bin(int(game[key])).count("1")) > most:
                raise InputError(f"{where}, {key}: {count}, and there are {most}")
        if int(game["hatchlings"]) & ~int(game["trees"]):
            raise InputError(f"{where}, hatchlings: they sit on trees")
        game["cleared"] = _bits(data, "cleared", self.buildings, "building", where)
        feds = reading.table(data, "feds", where)
        reading.check_keys(("red", "blue"), feds, f"{where}, feds")
        for fed, name in enumerate(("red", "blue")):
            stops = [self.spaces[s] for s in self.rules["stop_space"][fed, : int(self.rules["stops"][fed])]]
            game["fed_at"][fed] = reading.number_of(feds.get(name, stops[0]), stops, "stop", f"{where}, feds, {name}")

    def kids(self) -> None:
        """The [[kid]] tables."""
        kids = self.data.get("kid", [])
        if not isinstance(kids, list) or not all(isinstance(kid, Mapping) for kid in kids):
            raise InputError(f"{self.where}: kid is a list of [[kid]] tables, not {kids!r}")
        if len(kids) != self.kids_there:
            raise InputError(f"{self.where}: {len(kids)} [[kid]] tables for {self.kids_there} Kids")
        for seat, kid in enumerate(kids, 1):
            self.kid(seat, kid, f"{self.where}, Kid {seat}")
        game = self.game
        game["curses_out"], game["symbols_out"] = game["curses"].sum(), game["symbols"].sum()
        if game["curses_out"] > layout.CURSES:
            raise InputError(f"{self.where}: {game['curses_out']} curses, and there are {layout.CURSES}")
        spares = [int(w) & int(self.rules["spare_wheels"]) for w in game["wheels"]]
        if sum(spares) != int(np.bitwise_or.reduce(spares)):
            raise InputError(f"{self.where}: two Kids have the same spare wheel")

    def kid(self, seat: int, kid: Mapping[str, Any], where: str) -> None:
        """One of them."""
        game, rules = self.game, self.rules
        reading.check_keys(KID_KEYS, kid, where)
        game["space"][seat] = self.space(kid.get("space", "none"), where)
        if game["space"][seat] == NONE and (int(game["slots_taken"]) >> seat & 1 or game["again"] == seat):
            raise InputError(f"{where}: who has taken a turn is on the board; space is missing")
        self.ride(seat, kid, where)
        owned = _bits(kid, "wheels", self.wheels, "wheel", where) if "wheels" in kid else int(rules["usual_wheels"])
        up = _bits(kid, "wheels_up", self.wheels, "wheel", where) if "wheels_up" in kid else owned
        if not up or up & ~owned:
            raise InputError(f"{where}, wheels_up: one at least of the Kid's own wheels lies number side up")
        game["wheels"][seat], game["wheels_up"][seat] = owned, up
        game["reused"][seat] = _flag(kid, "reused", False, where)
        game["curses"][seat] = reading.whole(kid.get("curses", 0), 0, layout.CURSES_EACH, f"{where}, curses")
        if game["curses"][seat] and rules["mechanics"] != Mechanics.CURSE:
            raise InputError(f"{where}: this monster has no curses")
        self.items(seat, kid, where, [])
        self.symbols(seat, kid, where)

    def ride(self, seat: int, kid: Mapping[str, Any], where: str) -> None:
        """The ride: named, none, or by lot."""
        rides = int(self.rules["rides"])
        slug = kid.get("ride", "none" if rides == OFF else "")
        if slug == "":
            self.game["ride"][seat] = BY_LOT if rides == RANDOM else self.rules["ride_of"][seat]
        elif slug != "none":
            if rides == OFF:
                raise InputError(f"{where}: rides = off; leave ride out")
            self.game["ride"][seat] = self.box.take("rides", slug, where)

    def items(self, seat: int, given: Mapping[str, Any], where: str, powered: Sequence[str]) -> None:
        """The items; `powered`: names of powered cards that may lie face down."""
        game, slugs = self.game, reading.names(given, "items", where)
        down = [slug for slug in reading.names(given, "face_down", where) if slug not in powered]
        for slug, card in zip(slugs, self.box.take_all(DECKS[Deck.ITEMS], slugs, where), strict=True):
            game["items"][seat] |= 1 << card
            if slug in down:
                down.remove(slug)
            else:
                game["item_up"] |= 1 << card
        if down:
            raise InputError(f"{where}, face_down: {down[0]!r} is none of the items{nearest(down[0], slugs)}")
        game["items_out"] += len(slugs)

    def symbols(self, seat: int, given: Mapping[str, Any], where: str) -> None:
        """Kinds of symbol, or tiles."""
        for slug in reading.names(given, "symbols", where):
            if slug in self.kinds:
                kind = self.kinds.index(slug)
            else:
                tile = self.box.take(SYMBOLS, slug, f"{where}, symbols (or a kind: {', '.join(self.kinds)})")
                self.game["tile_at"][tile] = seat
                kind = int(self.rules["tile_symbol"][tile])
            self.game["symbols"][seat, kind] += 1

    def lost_kid(self) -> None:
        """Hidden location, powered card, hand, piles; once rescued the piece on the board."""
        game, rules, data, where = self.game, self.rules, self.data, self.where
        if "powered" in data:
            card = self.box.take(POWERED, data["powered"], f"{where}, powered")
            game["powered"][0] = int(rules["powered_first"]) + card
        hand = self.box.take_all(DECKS[Deck.LOST_KID], reading.names(data, "hand", where), f"{where}, hand")
        if len(hand) > layout.HAND:
            raise InputError(f"{where}: at most {layout.HAND} cards fit into the hand")
        game["hand"][0, : len(hand)], game["hand_size"][0] = hand, len(hand)
        game["new_hand_token"] = _flag(data, "new_hand_token", bool(rules["new_hand_token"]), where)
        self.piles()
        self.played()
        if "lost_kid" in data:
            self.freed(reading.table(data, "lost_kid", where), f"{where}, lost_kid")

    def hiding_card(self, slug: Any) -> int:
        """A card of the deck for a building that can hide the Lost Kid."""
        building = reading.number_of(slug, self.buildings, "building", f"{self.where}, hidden")
        if int(self.game["cleared"]) >> building & 1:
            raise InputError(f"{self.where}, hidden: {slug!r} is cleared")
        left = self.box.left[DECKS[Deck.LOST_KID]]
        for card in left:
            if self.building(card) == building and self.can_hide(card):
                left.remove(card)
                return card
        raise InputError(f"{self.where}, hidden: no card of the Lost Kid deck can hide him in {slug!r}")

    def piles(self) -> None:
        """Tops of the discard piles."""
        game, where, count = self.game, f"{self.where}, piles", int(self.rules["pile_count"])
        tops = reading.names(self.data, "piles", self.where)
        if len(tops) > count:
            raise InputError(f"{where}: {len(tops)}, and there are {count}")
        for pile, slug in enumerate(tops):
            if slug != "none":
                game["piles"][pile] = self.box.take(DECKS[Deck.LOST_KID], slug, where)
                game["pile_told"][pile] = 1
        untold = self.data.get("untold", [])
        if not isinstance(untold, list):
            raise InputError(f"{self.where}: untold is a list of piles, not {untold!r}")
        for pile in untold:
            game["pile_told"][reading.whole(pile, 1, count, f"{self.where}, untold") - 1] = 0

    def played(self) -> None:
        """The cards played so far, oldest first: card, pile, card covered or none."""
        game, where, slugs = self.game, f"{self.where}, played", self.box.slugs[DECKS[Deck.LOST_KID]]
        plays = self.data.get("played", [])
        if not isinstance(plays, list) or not all(isinstance(play, list) and len(play) == 3 for play in plays):
            raise InputError(f"{where}: a list of [card, pile, card covered or 'none'], not {plays!r}")
        if len(plays) > layout.HISTORY:
            raise InputError(f"{where}: {len(plays)} cards, and {layout.HISTORY} are remembered")
        for n, (card, pile, covered) in enumerate(plays):
            number = reading.number_of(card, slugs, "Lost Kid card", where)
            under = NONE if covered == "none" else reading.number_of(covered, slugs, "Lost Kid card", where)
            place = reading.whole(pile, 1, int(self.rules["pile_count"]), f"{where}, pile") - 1
            game["history"][n] = number + 256 * place + 4096 * (1 + under)
        game["plays"] = len(plays)

    def freed(self, given: Mapping[str, Any], where: str) -> None:
        """The rescued Lost Kid."""
        game = self.game
        reading.check_keys(LOST_KID_KEYS, given, where)
        if "hidden" not in self.data:
            raise InputError(f"{where}: hidden is missing: where the Lost Kid was found")
        game["space"][0] = self.space(given.get("space"), where)
        if game["space"][0] == NONE:
            raise InputError(f"{where}: who is rescued is on the board; leave the table out before that")
        building = reading.number_of(self.data["hidden"], self.buildings, "building", f"{self.where}, hidden")
        game["rescued"], game["freed_at"] = 1, building
        last = int(self.data.get("round", 1))
        game["rescue_round"] = reading.whole(given.get("rescue_round", last), 1, last, f"{where}, rescue_round") - 1
        powered = self.box.slugs[POWERED]
        own = [str(self.data["powered"])] if "powered" in self.data else powered
        self.items(0, given, where, own)
        if any(slug in powered for slug in reading.names(given, "face_down", where)):
            game["items"][0] |= POWERED_DOWN
        self.symbols(0, given, where)
        game["symbols_out"] = game["symbols"].sum()

    def monster(self) -> None:
        """The monster, and what belongs to it."""
        game, rules, data, where = self.game, self.rules, self.data, self.where
        swoops = rules["mechanics"] == Mechanics.SWOOP
        shown = _flag(data, "shown", not swoops, where)
        if not shown and not swoops:
            raise InputError(f"{where}: this monster does not hide; leave shown out")
        if "monster_maybe" in data and shown:
            raise InputError(f"{where}: monster_maybe is only for a hidden monster (shown = false)")
        maybe = (1 << len(self.districts)) - 1
        if "monster_maybe" in data:
            maybe = _bits(data, "monster_maybe", self.districts, "district", where)
        if "monster" in data:
            game["monster"][0] = reading.number_of(data["monster"], self.districts, "district", f"{where}, monster")
        elif shown:
            game["monster"][0] = rules["lair"]
        district = int(game["monster"][0])
        if not maybe or (district != NONE and not maybe >> district & 1):
            raise InputError(f"{where}, monster_maybe: the monster's district is not among them")
        game["monster_seen"] = district if shown else NONE
        game["monster_maybe"] = 1 << district if shown else maybe
        if "fixed_on" in data:
            if rules["mechanics"] != Mechanics.FIXATION:
                raise InputError(f"{where}: this monster is not fixed on anybody; leave fixed_on out")
            game["fixed_on"] = seat = self.number("fixed_on", 0, self.kids_there, 0)
            if game["space"][seat] == NONE:
                raise InputError(f"{where}, fixed_on: seat {seat} is not on the board")
        game["souls"] = self.number("souls", 0, 99, 0)
        game["stunned"] = _flag(data, "stun", False, where)

    def goal(self) -> None:
        """The open goal, and what is left of it."""
        game, rules, where = self.game, self.rules, f"{self.where}, parts_left"
        g = self.number("goal", 1, int(rules["goals"]), 1) - 1
        count = int(rules["parts"][g])
        usual = [int(n) for n in rules["part_times"][g, :count]]
        usual = [0 if rules["part_kind"][g, p] == Part.RESCUE and game["rescued"] else n for p, n in enumerate(usual)]
        left = self.data.get("parts_left", usual)
        if not isinstance(left, list) or len(left) != count:
            raise InputError(f"{where}: goal {g + 1} has {count} parts, not {left!r}")
        game["goal"] = g
        for p, n in enumerate(left):
            game["part_left"][p] = reading.whole(n, 0, int(rules["part_times"][g, p]), f"{where}, part {p + 1}")
            if rules["part_kind"][g, p] == Part.RESCUE and n == game["rescued"]:
                raise InputError(f"{where}, part {p + 1}: it is done by the rescue, and only by it")
        if not any(left):
            raise InputError(f"{where}: nothing is left to do, so the next goal is open")

    def decks(self) -> None:
        """Known tops, discards, the hidden location; all else is left to draw."""
        game, data, where = self.game, self.data, self.where
        discards = {Deck.LOST_KID: "discards", Deck.SEARCH: "search_discards"}
        fixed: dict[Deck, list[int]] = {}
        for deck, section in DECKS.items():
            fixed[deck] = self.box.take_all(section, reading.names(data, TOPS[deck], where), f"{where}, {TOPS[deck]}")
            key = discards.get(deck, "")
            gone = self.box.take_all(section, reading.names(data, key, where) if key else [], f"{where}, {key}")
            game["discard"][deck, : len(gone)], game["discards"][deck] = gone, len(gone)
        if "hidden" in data:
            game["hidden_card"][0] = self.hiding_card(data["hidden"])
        elif not any(self.can_hide(card) for card in self.box.left[DECKS[Deck.LOST_KID]]):
            raise InputError(f"{where}: no card is left that can hide the Lost Kid")
        for deck, section in DECKS.items():
            order = fixed[deck] + self.box.left[section]
            game["deck"][deck, : len(order)] = order
            game["deck_size"][deck], game["deck_fixed"][deck] = len(order), len(fixed[deck])
        self.stacks()

    def can_hide(self, card: int) -> bool:
        """Whether a Lost Kid card can be the hidden location."""
        return bool(self.rules["card_hides"][card]) and not int(self.game["cleared"]) >> self.building(card) & 1

    def building(self, card: int) -> int:
        """The building of a Lost Kid card."""
        return int(self.rules["card_building"][card])

    def stacks(self) -> None:
        """Symbol tiles: spent, on top of their stacks, and enough of them for what the Kids hold."""
        game, where, kind_of = self.game, self.where, [int(kind) for kind in self.rules["tile_symbol"]]
        spent, top = (reading.names(self.data, key, where) for key in ("symbols_spent", "symbol_top"))
        for tile in self.box.take_all(SYMBOLS, spent, f"{where}, symbols_spent"):
            game["tile_at"][tile] = layout.SEATS
        for tile in self.box.take_all(SYMBOLS, top, f"{where}, symbol_top"):
            game["stack"][kind_of[tile], int(game["stack_size"][kind_of[tile]])] = tile
            game["stack_size"][kind_of[tile]] += 1
        for k, kind in enumerate(self.kinds):
            held = int(game["symbols"][:, k].sum())
            named = sum(
                kind_of[tile] == k and 0 <= game["tile_at"][tile] < layout.SEATS
                for tile in range(int(self.rules["tiles"]))
            )
            if held - named > sum(kind_of[tile] == k for tile in self.box.left[SYMBOLS]):
                raise InputError(f"{where}: {held} {kind} symbols are more than there are tiles left")


KEYS = ("item", "ride", "hidden")


def force_deal(configuration: Configuration, rules: Any, deal: Mapping[int, Mapping[str, Any]]) -> None:
    """Write a forced deal into a `rules` record: what pieces are dealt at set-up, by slug.

    `deal` is seat -> {"item": slug, "ride": slug} for Kids, and 0 -> {"hidden": building} for the Lost Kid; what is not
    named is dealt by the shuffle. Raises InputError.
    """
    box, kids = _Box(configuration), int(rules["kids"])
    for seat, cards in deal.items():
        seat = reading.whole(seat, 0, kids, "deal, seat")
        where = f"deal, {f'Kid {seat}' if seat else 'the Lost Kid'}"
        reading.check_keys(KEYS[2:] if seat == 0 else KEYS[:2], cards, where)
        if "item" in cards:
            rules["deal_item"][seat] = box.take(DECKS[Deck.ITEMS], cards["item"], where)
        if "ride" in cards:
            if rules["rides"] == OFF:
                raise InputError(f"{where}: rides = off; no ride is dealt")
            rules["deal_ride"][seat] = box.take("rides", cards["ride"], where)
        if "hidden" in cards:
            buildings = list(configuration.content.sections["buildings"])
            building = reading.number_of(cards["hidden"], buildings, "building", f"{where}, hidden")
            found = np.flatnonzero((rules["card_building"] == building) & (rules["card_hides"] == 1))
            if not len(found):
                raise InputError(f"{where}: no card of the Lost Kid deck can hide him in {cards['hidden']!r}")
            rules["deal_hidden"] = found[0]


def _used(kind: str) -> Callable[[Configuration, str], Metric | None]:
    return lambda configuration, slug: metrics.won_where_used(configuration, f"{kind}={slug}")


KIDS = tuple(range(1, layout.SEATS))
DEALS = Deals(
    (
        Deal("item", "items", "the first item dealt at set-up", holders=KIDS, used=_used("item")),
        Deal("ride", "rides", "the ride", holders=KIDS, used=_used("ride")),
        Deal(
            "hidden",
            "buildings",
            "the building where the Lost Kid hides",
            holders=(0,),
            blank=False,
            noun="hiding place",
        ),
    ),
    force_deal,
)
