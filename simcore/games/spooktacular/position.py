"""A position as the start of a game, at a turn's beginning: who is where, who holds what, what is known.

From TOML (or the same as a mapping)::

    round = 6                        # the round of the next turn; the first is 1
    active = 1                       # the seat whose turn it is; seats are numbered in turn order
    last_round = true                # the end has been triggered; not named: if somebody has the points for it, or all
    trigger = 0                      # tickets are taken. trigger: the seat that has triggered it
    [guests]                         # guests in rooms, by colour; all that are named nowhere are in the bag
    balcony-8 = { red = 2, blue = 1 }
    [automaton]                      # only with the automaton, which sits at seat 0: room, points, tickets, pile,
    room = "stage-8"                 # last_card, stunned_by as for a player
    [[player]]                       # one for each player
    monster = "mummygator"           # may be left out where the configuration names it
    points = 23
    tickets = 1
    pile = { red = 1, green = 2 }    # devoured guests
    passengers = { blue = 1 }
    hand = ["haunt", "search"]       # cards by their names in the content; not named: dealt anew in every game
    deck_top = ["mash"]              # the next cards, where they are known
    discards = ["consume"]           # all cards that are named nowhere are in the deck, shuffled anew in every game
    program = ["haunt", "none", "mash"]         # of a monster that has one, from slot 1
    last_card = "consume"            # the card played last, where somebody can copy it
    inside = { red = 1 }             # guests in the room that is this player's token
    stunned_by = [0]                 # seats that hold the monster stunned
    [player.pieces]                  # figures and tokens by kind: "supply", a room, a space of the board by name,
    figure = ["crypt-8"]             # "track 27", for a door two rooms ("crypt-8 stage-8"); an own figure may be in
    jar = ["balcony-8", "one"]       # the room that is a token by its kind ("tomb"). Those not named: in the supply

The lone figure of a monster has a room. With the automaton player 0 sits at seat 1; its decks are shuffled. Raises
InputError with what is wrong and the nearest name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcore import reading
from simcore.deals import Deal, Deals
from simcore.errors import InputError, nearest
from simcore.game import Configuration
from simcore.games.spooktacular import layout
from simcore.games.spooktacular.layout import BETWEEN, BOARD, COLOUR_NAMES, EXTRA, NONE, SUPPLY, TRACK, Op
from simcore.games.spooktacular.metrics import in_play, won_where_used
from simcore.games.spooktacular.naming import rooms

TOP_KEYS = ("round", "active", "last_round", "trigger", "guests", "automaton", "player")
PLAYER_KEYS = (
    *("monster", "points", "tickets", "pile", "passengers", "hand", "deck_top", "discards", "program", "last_card"),
    *("inside", "stunned_by", "pieces"),
)
AUTOMATON_KEYS = ("room", "points", "tickets", "pile", "last_card", "stunned_by")
MOST_ROUNDS = 10_000
MOST_POINTS = 1_000
PROGRAM = {Op.RUN, Op.LOAD, Op.SHIFT, Op.DISCARD_SLOT, Op.REORDER}  # whose monster uses them has a program


class _Deck:
    """The cards of one monster that have not been placed yet, as places in its list."""

    def __init__(self, rules: Any, kit: int, slugs: Sequence[str], monster: str) -> None:
        self.monster = monster
        self.cards = [slugs[int(card)] for card in rules["kit_card"][kit, : int(rules["kit_cards"][kit])]]
        self.left = list(range(len(self.cards)))

    def take(self, slug: Any, where: str) -> int:
        """A card of this name that has not been placed. Raises InputError."""
        if slug not in self.cards:
            raise InputError(f"{where}: {self.monster} has no card {slug!r}{nearest(str(slug), self.cards)}")
        for place in self.left:
            if self.cards[place] == slug:
                self.left.remove(place)
                return place
        raise InputError(f"{where}: {slug!r} is placed already; {self.monster} has {self.cards.count(slug)}")


def read_position(configuration: Configuration, data: Mapping[str, Any]) -> np.ndarray:
    """A 1-element GAME array for `batch.prepare(position=...)`. Raises InputError."""
    array = np.zeros(1, layout.GAME)
    reader = _Reader(configuration, array[0], data)
    reader.order()
    reader.automaton()
    reader.players()
    reader.guests()
    reader.end()
    return array


class _Reader:
    """One position being read into a record."""

    def __init__(self, configuration: Configuration, game: Any, data: Mapping[str, Any]) -> None:
        self.configuration, self.game, self.data, self.where = configuration, game, data, "position"
        self.rules = configuration.rules[0]
        self.bot, self.seats = int(self.rules["bot"]), int(self.rules["seats"])
        sections = configuration.content.sections
        self.monsters, self.cards = list(sections["monsters"]), list(sections["cards"])
        self.entries = list(sections["monsters"].values())
        self.rooms = list(rooms(configuration))
        self.most = int(self.rules["guests_each"])
        reading.check_keys(TOP_KEYS, data, self.where)
        game["seats"] = configuration.seats  # the line-up's: the automaton is no part of it
        for name in ("taker", "piece_at", "program", "last_card", "bot_card", "trigger_seat", "for_seat"):
            game[name] = NONE
        for name in ("row", "about_room", "winner"):
            game[name] = NONE

    def seat(self, value: Any, where: str) -> int:
        """A seat at the table. Raises InputError."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self.seats:
            raise InputError(f"{where}: {value!r} is no seat; seats are 0..{self.seats - 1}")
        return value

    def order(self) -> None:
        """Round, turn, whose turn it is."""
        game, data, where = self.game, self.data, self.where
        game["active"] = self.seat(data.get("active", 0), f"{where}, active")
        number = reading.whole(data.get("round", 1), 1, MOST_ROUNDS, f"{where}, round")
        game["round"] = number - 1
        game["turn"] = (number - 1) * self.seats + int(game["active"])
        if game["turn"] >= self.rules["turn_cap"]:
            raise InputError(f"{where}, round: turn {int(game['turn']) + 1} is after turn_cap {self.rules['turn_cap']}")

    # --- seats -------------------------------------------------------------------------------------------------------

    def automaton(self) -> None:
        """The automaton at seat 0, where there is one."""
        if not self.bot:
            if "automaton" in self.data:
                raise InputError(f"{self.where}, automaton: there is none in this configuration; set `automaton`")
            return
        game, kit, where = self.game, int(self.rules["bot_kit"]), f"{self.where}, automaton"
        given = reading.table(self.data, "automaton", self.where)
        reading.check_keys(AUTOMATON_KEYS, given, where)
        game["kit"][0], game["player"][0] = kit, NONE
        self.score(0, given, int(self.rules["bot_points"]), where)
        self.last_card(0, given, where)
        if "room" not in given:
            raise InputError(f"{where}: room is missing")
        self.acting(0, kit, [self.room(given["room"], where)])

    def players(self) -> None:
        """The [[player]] tables."""
        players = self.data.get("player", [])
        if not isinstance(players, list) or not all(isinstance(player, Mapping) for player in players):
            raise InputError(f"{self.where}: player is a list of [[player]] tables, not {players!r}")
        if len(players) != self.configuration.seats:
            raise InputError(
                f"{self.where}: {len(players)} [[player]] tables for {self.configuration.seats} "
                f"{'player' if self.configuration.seats == 1 else 'players'}"
            )
        for i, player in enumerate(players):
            self.player(i, player, f"{self.where}, player {i}")

    def player(self, i: int, given: Mapping[str, Any], where: str) -> None:
        """One of them; with the automaton, player 0 sits at seat 1."""
        game, seat = self.game, i + self.bot
        reading.check_keys(PLAYER_KEYS, given, where)
        game["player"][seat] = i
        kit = self.kit(i, seat, given, where)
        game["kit"][seat] = kit
        self.score(seat, given, int(self.rules["start_score"]), where)
        self.last_card(seat, given, where)
        self.hand(seat, kit, given, where)
        self.pieces(seat, kit, reading.table(given, "pieces", where), f"{where}, pieces")

    def kit(self, i: int, seat: int, given: Mapping[str, Any], where: str) -> int:
        """The monster: of the file, or of the configuration."""
        fixed = int(self.rules["monster_of"][i])
        if "monster" not in given:
            if fixed == NONE:
                raise InputError(f"{where}: monster is missing, and the configuration names none for this player")
            return fixed
        kit = reading.number_of(given["monster"], self.monsters, "monster", f"{where}, monster")
        if fixed not in (NONE, kit):
            raise InputError(
                f"{where}: monster = {given['monster']!r}, but the configuration gives this player "
                f"{self.monsters[fixed]!r}"
            )
        if kit not in in_play(self.configuration):
            raise InputError(f"{where}: monster = {given['monster']!r} is not in play in this configuration")
        if not self.rules["same_monsters"] and kit in self.game["kit"][:seat]:
            raise InputError(f"{where}: {given['monster']!r} is played already; same_monsters = on allows that")
        return kit

    def score(self, seat: int, given: Mapping[str, Any], start: int, where: str) -> None:
        """Points, tickets, devour pile, stuns: of players and the automaton."""
        game, rules = self.game, self.rules
        game["points"][seat] = reading.whole(given.get("points", start), 0, MOST_POINTS, f"{where}, points")
        tickets = reading.whole(given.get("tickets", 0), 0, int(rules["tickets"]), f"{where}, tickets")
        taken = int(game["taken"])
        if taken + tickets > rules["tickets"]:
            raise InputError(f"{where}, tickets: {taken + tickets} are taken, and there are {rules['tickets']}")
        game["tickets"][seat], game["taken"] = tickets, taken + tickets
        game["taker"][taken : taken + tickets] = seat
        self.colours(game["pile"][seat], given, "pile", where)
        if game["pile"][seat].all():
            raise InputError(f"{where}, pile: a guest of each colour; such a set is turned in at once")
        stunned = given.get("stunned_by", [])
        if not isinstance(stunned, list):
            raise InputError(f"{where}: stunned_by is a list of seats, not {stunned!r}")
        for other in stunned:
            if self.seat(other, f"{where}, stunned_by") == seat:
                raise InputError(f"{where}, stunned_by: nobody is stunned by his own monster")
            game["stunned"][seat] |= 1 << other

    def last_card(self, seat: int, given: Mapping[str, Any], where: str) -> None:
        """The card played last, of the seat's own monster."""
        if "last_card" in given:
            kit = int(self.game["kit"][seat])
            deck = _Deck(self.rules, kit, self.cards, self.monsters[kit])
            place = deck.take(given["last_card"], f"{where}, last_card")
            self.game["last_card"][seat] = self.rules["kit_card"][kit, place]

    def hand(self, seat: int, kit: int, given: Mapping[str, Any], where: str) -> None:
        """Hand, program, discards; the rest is the deck."""
        game, deck = self.game, _Deck(self.rules, kit, self.cards, self.monsters[kit])

        def take(key: str) -> list[int]:
            return [deck.take(slug, f"{where}, {key}") for slug in reading.names(given, key, where)]

        hand, top, discards = take("hand"), take("deck_top"), take("discards")
        program = reading.names(given, "program", where)
        if program and not self.has_program(kit):
            raise InputError(f"{where}, program: {self.monsters[kit]} has none")
        if len(program) > layout.SLOTS:
            raise InputError(f"{where}, program: {len(program)} cards, and there are {layout.SLOTS} slots")
        for slot, slug in enumerate(program):
            if slug != "none":
                game["program"][seat, slot] = deck.take(slug, f"{where}, program")
        order = top + deck.left
        game["hand"][seat, : len(hand)] = hand
        game["hand_size"][seat] = len(hand) if "hand" in given else NONE  # NONE: dealt anew in every game
        game["deck"][seat, : len(order)], game["deck_size"][seat] = order, len(order)
        game["deck_fixed"][seat] = len(top)
        game["discard"][seat, : len(discards)], game["discards"][seat] = discards, len(discards)

    def has_program(self, kit: int) -> bool:
        """Whether a text of the monster is about slots."""
        slug, content = self.monsters[kit], self.configuration.content
        cards = {name for name, card in content.sections["cards"].items() if card.monster == slug}
        return any(
            node.form.op in PROGRAM
            for (section, entry, _), effect in content.effects.items()
            if (section, entry) == ("monsters", slug) or (section == "cards" and entry in cards)
            for node in effect.walk()
        )

    # --- rooms and pieces --------------------------------------------------------------------------------------------

    def room(self, slug: Any, where: str) -> int:
        """A room of the map that is not locked. Raises InputError."""
        room = reading.number_of(slug, self.rooms, "room", where)
        if not int(self.rules["open"]) >> room & 1:
            raise InputError(f"{where}: the room {slug!r} is locked with {self.seats} at the table")
        return room

    def pieces(self, seat: int, kit: int, given: Mapping[str, Any], where: str) -> None:
        """Figures and tokens by kind. The token that is a room comes first: a figure may be in it."""
        rules, kinds = self.rules, list(self.entries[kit].kinds)
        reading.check_keys(kinds, given, where)
        own = int(rules["room_kind"][kit])
        figures: list[int] = []
        for k in sorted(range(len(kinds)), key=lambda k: k != own):
            kind, first, count = kinds[k], int(rules["kind_first"][kit, k]), int(rules["kind_count"][kit, k])
            places = reading.names(given, kind, where)
            if len(places) > count:
                raise InputError(f"{where}, {kind}: {len(places)}, and {self.monsters[kit]} has {count}")
            at = [self.place(seat, kit, k, text, f"{where}, {kind}") for text in places]
            spaces = [place for place in at if BOARD <= place < TRACK]
            if len(set(spaces)) < len(spaces):
                raise InputError(f"{where}, {kind}: two of them are on the same space of the board")
            self.game["piece_at"][seat, first : first + len(at)] = at
            if rules["piece_figure"][kit, first]:
                figures += [place for place in at if 0 <= place < layout.ROOMS]
        if int(rules["piece_figure"][kit].sum()) == 1 and not figures:
            raise InputError(f"{where}: the room of the {self.figure(kit)} of {self.monsters[kit]} is missing")
        self.acting(seat, kit, None)

    def figure(self, kit: int) -> str:
        """What the first figure is called."""
        return str(next(iter(self.entries[kit].kinds)))

    def acting(self, seat: int, kit: int, at: Sequence[int] | None) -> None:
        """Pieces of the automaton; of all, the figure from which effects work: the first that is in a room."""
        pieces = self.game["piece_at"][seat]
        if at is not None:
            pieces[: len(at)] = at
        figures = np.flatnonzero(self.rules["piece_figure"][kit])
        there = [i for i in figures if 0 <= pieces[i] < layout.ROOMS]
        self.game["acting"][seat] = there[0] if there else 0

    def place(self, seat: int, kit: int, k: int, text: str, where: str) -> int:
        """Where a piece is: the words of the file as a place of the record. Raises InputError."""
        rules, entry = self.rules, self.entries[kit]
        spaces, kinds = list(entry.spaces), list(entry.kinds)
        own, figure = int(rules["room_kind"][kit]), bool(rules["piece_figure"][kit, int(rules["kind_first"][kit, k])])
        if text == "supply":
            return SUPPLY
        if found := re.fullmatch(r"track (\d{1,6})", text):
            return TRACK + reading.whole(int(found[1]), 0, layout.MOST_TRACK, f"{where}, track")
        if text in spaces:
            return BOARD + spaces.index(text)
        if own != NONE and text == kinds[own]:
            if not figure:
                raise InputError(f"{where}: only figures can be in the {text}")
            if not 0 <= self.game["piece_at"][seat, int(rules["kind_first"][kit, own])] < layout.ROOMS:
                raise InputError(f"{where}: the {text} is in no room, so nothing is in it")
            return EXTRA + seat
        words = text.split()
        if k == int(rules["door_kind"][kit]) and len(words) == 2:
            a, b = (self.room(word, where) for word in words)
            if a == b:
                raise InputError(f"{where}: a door leads from {words[0]!r} to itself; name two rooms")
            return BETWEEN + 16 * a + b
        if text not in self.rooms:
            known = [*self.rooms, *spaces, "supply", *([kinds[own]] if own != NONE and figure else [])]
            near = nearest(text, known) or "; places are rooms, spaces of the board, 'supply' and 'track N'"
            raise InputError(f"{where}: {text!r} is no place{near}")
        return self.room(text, where)

    # --- guests ------------------------------------------------------------------------------------------------------

    def colours(self, row: Any, given: Mapping[str, Any], key: str, where: str) -> None:
        """Guests by colour into a row of the record. Raises InputError."""
        for colour, n in reading.table(given, key, where).items():
            c = reading.number_of(colour, COLOUR_NAMES, "colour", f"{where}, {key}")
            row[c] = reading.whole(n, 0, self.most, f"{where}, {key}, {colour}")

    def guests(self) -> None:
        """Guests in rooms and with passengers; the bag has the others."""
        game, where = self.game, f"{self.where}, guests"
        for slug, _ in reading.table(self.data, "guests", self.where).items():
            self.colours(game["guests"][self.room(slug, where)], self.data["guests"], slug, where)
        for i, player in enumerate(self.data["player"]):
            seat, told = i + self.bot, f"{self.where}, player {i}"
            self.colours(game["held"][seat], player, "passengers", told)
            self.colours(game["guests"][EXTRA + seat], player, "inside", told)
            if game["guests"][EXTRA + seat].any() and not self.has_room(seat):
                raise InputError(
                    f"{told}, inside: no token of {self.monsters[game['kit'][seat]]} that is a room is out"
                )
        out = game["guests"].sum(axis=0) + game["pile"].sum(axis=0) + game["held"].sum(axis=0)
        for c, n in enumerate(out):
            if n > self.most:
                raise InputError(f"{self.where}: {n} {COLOUR_NAMES[c]} guests, and there are {self.most}")
        game["bag"] = self.most - out
        game["bag_size"] = game["bag"].sum()
        game["crowd"] = game["guests"].sum(axis=1)

    def has_room(self, seat: int) -> bool:
        """Whether a token of the seat's is a room now."""
        kit = int(self.game["kit"][seat])
        kind = int(self.rules["room_kind"][kit])
        if kind == NONE:
            return False
        return 0 <= int(self.game["piece_at"][seat, int(self.rules["kind_first"][kit, kind])]) < layout.ROOMS

    # --- the end -----------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """Whether this is the last round, and who has triggered it."""
        game, rules, where, data = self.game, self.rules, self.where, self.data
        reached = [seat for seat in range(self.seats) if game["points"][seat] >= rules["target_score"]]
        over = bool(reached) or int(game["taken"]) == int(rules["tickets"])
        last = data.get("last_round", over)
        if not isinstance(last, bool):
            raise InputError(f"{where}: last_round is true or false, not {last!r}")
        if over and not last:
            why = f"player {reached[0]} has {rules['target_score']} points" if reached else "all tickets are taken"
            raise InputError(f"{where}, last_round: {why}, so that this is the last round")
        if last and not over and not rules["end_latched"]:
            raise InputError(
                f"{where}, last_round: nobody has {rules['target_score']} points (ruling.end_latched = off)"
            )
        if last and game["active"] == 0:
            raise InputError(f"{where}, last_round: the round has ended where it is seat 0's turn; the game is over")
        if not last and "trigger" in data:
            raise InputError(f"{where}, trigger: nothing has triggered the end; leave it out")
        game["last_round"] = int(last)
        if last:
            seat = data.get("trigger", reached[0] if reached else int(game["active"]) - 1)
            game["trigger_seat"] = self.seat(seat, f"{where}, trigger")


def force_deal(configuration: Configuration, rules: Any, deal: Mapping[int, Mapping[str, Any]]) -> None:
    """Write a forced deal into a `rules` record: monsters and first cards of the hands of players, by slug.

    `deal` is player -> {"monster": slug, "hand": [slugs]}; what is not named is drawn and dealt as usual. Raises
    InputError.
    """
    cards = configuration.content.sections["cards"]
    slugs, monsters = list(cards), list(configuration.content.sections["monsters"])
    for player, given in deal.items():
        where = f"deal, player {player}"
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < configuration.seats:
            raise InputError(f"deal: {player!r} is no player; players are 0..{configuration.seats - 1}")
        reading.check_keys(("monster", "hand"), given, where)
        if "monster" in given:
            _force_monster(
                rules, player, reading.number_of(given["monster"], monsters, "monster", where), monsters, where
            )
        hand = reading.names(given, "hand", where)
        if len(hand) > rules["hand_size"]:
            raise InputError(f"{where}: {len(hand)} cards, and a hand is drawn up to {rules['hand_size']}")
        kit = int(rules["monster_of"][player])
        if kit != NONE:
            deck = _Deck(rules, kit, slugs, monsters[kit])
            chosen = [int(rules["kit_card"][kit, deck.take(slug, where)]) for slug in hand]
        else:
            chosen = [reading.number_of(slug, slugs, "card", where) for slug in hand]
            for slug, n in Counter(hand).items():
                if cards[slug].monster:
                    raise InputError(
                        f"{where}: {slug!r} is a card of {cards[slug].monster}, and this player's monster is drawn"
                    )
                if n > cards[slug].copies:
                    raise InputError(f"{where}: {slug!r} {n} times, and a deck has {cards[slug].copies}")
        rules["deal_hand"][player, : len(chosen)] = chosen


def _force_monster(rules: Any, player: int, kit: int, monsters: Sequence[str], where: str) -> None:
    """The monster of a player whose monster is drawn."""
    if rules["monster_of"][player] not in (NONE, kit):
        raise InputError(f"{where}: the configuration gives this player {monsters[int(rules['monster_of'][player])]!r}")
    if not rules["kit_in_box"][kit]:
        raise InputError(f"{where}: {monsters[kit]!r} is not in the box")
    others = [int(k) for p, k in enumerate(rules["monster_of"]) if p != player]
    if kit in others and not rules["same_monsters"]:
        raise InputError(f"{where}: {monsters[kit]!r} is played already; same_monsters = on allows that")
    rules["monster_of"][player] = kit


DEALS = Deals(
    (
        Deal("monster", "monsters", "the monster"),
        Deal(
            "card",
            "cards",
            "a card of the opening hand",
            key="hand",
            many=True,
            used=lambda configuration, slug: won_where_used(configuration, f"card={slug}"),
        ),
    ),
    force_deal,
)
