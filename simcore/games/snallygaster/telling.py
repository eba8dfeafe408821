"""A game in sentences: trace events and options in the rulebook's words."""

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from simcore.game import Configuration
from simcore.games.snallygaster.layout import (
    ANY_COLOUR,
    ANY_SYMBOL,
    NONE,
    Ability,
    Decision,
    Direction,
    Event,
    Op,
    Option,
    Part,
    Place,
    Search,
    Source,
    Status,
    option_parts,
)
from simcore.games.snallygaster.steps import VOID
from simcore.games.snallygaster.tables import deck, goals
from simcore.games.snallygaster.town import place
from simcore.games.snallygaster.words import COLOURS, symbol_kinds

WIDTH = 118  # of a line to which something more is joined
DIRECTIONS = [d.name.lower() for d in Direction]
RUN = "\x1f"  # in a sentence: before it stands what is not said again where the same thing happens once more
SYMBOL = 64  # in a trade: a kind of symbol is this and its number

ASKED = {
    Decision.DOUBLE: "which half of the round gets the 2x token",
    Decision.LAIR: "where the Monster hides",
    Decision.CARD: "which card goes onto which pile",
    Decision.ACTION_ICON: "whether to use the Action Icon",
    Decision.NEW_HAND: "whether to spend the New Hand token",
    Decision.PILE: "which pile takes the old hand",
    Decision.DISTRICT: "which District the Monster moves to",
    Decision.TREEHOUSE: "which of the nearest Treehouses it is",
    Decision.BUILDING: "which Building gets a Search token",
    Decision.WHICH_KID: "which Kid is moved",
    Decision.KID_TO: "where the Kid is moved",
    Decision.WHO: "who goes next",
    Decision.WHEEL: "which Wheel to use",
    Decision.MOVE: "where to move",
    Decision.SEARCH: "what to search",
    Decision.CHOICE: "which side of the card to choose",
    Decision.WINDOW: "whether to use an Item now",
    Decision.SYMBOL: "which Symbol to take",
    Decision.FEDS: "which Feds move",
    Decision.LIGHT: "which District gets a Searchlight",
    Decision.MIRROR: "which mirror is smashed",
    Decision.MAY: "whether to do it",
}
DOOM = {  # where the line does not say it already
    Source.PATROL: " (a full patrol)",
    Source.ICON: " (a Spooky Action)",
    Source.SEARCH: " (a Search card)",
    Source.SYMBOL: " (a Symbol tile)",
    Source.NEW_HAND: " (a new hand)",
    Source.MONSTER: " (the third soul)",
    Source.ITEM: " (a card)",
    Source.STORY: " (the story)",
}
TOKENS = {
    Place.STAR: "Star",
    Place.MIRROR: "Mirror",
    Place.TREE: "Tree",
    Place.HATCHLING: "Hatchling",
    Place.BYSTANDER: "Bystander",
    Place.LIGHT: "Searchlight",
}
ABILITIES = {
    Ability.DIAGONAL: "move diagonally",
    Ability.CROSS_FENCES: "cross fences",
    Ability.STOP_ON_FEDS: "stop on a space of the Feds",
    Ability.TRADE_ANYWHERE: "trade with any Kid",
}
CANNOT = ("  The Monster cannot move that way.", "  There is no Kid to chase.")
STOPPED = (
    "The Stun token is discarded: the Monster does nothing.",
    "The Monster's action is cancelled.",
    "The Searchlight goes out: the Monster does not attack.",
)
ENDS = {
    Status.WON: "All Goals are done: the Monster is defeated, all win.",
    Status.LOST: "The Doom marker is at the end of its track: all lose.",
    Status.CAPPED: "The turn cap is reached: nobody wins.",
    Status.ENDLESS: "An effect does not end: the game is broken off.",
    Status.ILLEGAL: "A strategy answers outside its options: the game is broken off.",
}
# Joined to the line before, if that ends with one of these.
JOINED = {
    Event.TOKEN: (Event.SETUP_CARD, Event.ICON),
    Event.FIXED: (Event.ARRIVES, Event.DOOM),
    Event.CURSE: (Event.DOOM,),
    Event.DOOM: (Event.HIT, Event.CAUGHT, Event.CANNOT, Event.ICON, Event.GUESS, Event.FED, Event.SOUL),
    Event.SENT: (Event.HIT, Event.CAUGHT, Event.DOOM, Event.CURSE, Event.FIXED),
    Event.CANNOT: (Event.ICON,),
    Event.MONSTER: (Event.ICON, Event.MONSTER, Event.SHOWN, Event.CHOSE),
    Event.SHOWN: (Event.ICON, Event.MONSTER, Event.USE),
    Event.STUNNED: (Event.ICON, Event.MONSTER),
    Event.ATTACK: (Event.ICON, Event.MONSTER),
    Event.FED: (Event.ICON, Event.FED),
    Event.MOVE: (Event.WHEEL, Event.MOVE, Event.SPEND, Event.CHOSE),
    Event.FAILS: (Event.USE,),
    Event.OPENS: (Event.GOAL,),
    Event.TAKEN: (Event.SEARCH,),
    Event.PART: (Event.SEARCH, Event.TAKEN, Event.MOVE, Event.RESCUE),
    Event.ABILITY: (Event.USE, Event.ABILITY),
}


def _many(n: int, what: str) -> str:
    return f"{n} {what}" + ("s" if n != 1 else "")


def _who(seat: int) -> str:
    return f"Kid {seat}" if seat > 0 else "The Lost Kid"


def _whom(seat: int) -> str:
    return f"Kid {seat}" if seat > 0 else "the Lost Kid"


@lru_cache(maxsize=8)
def coordinates(spaces: str) -> tuple[str, ...]:
    """Names of a map's spaces in their order: `e5` is the fifth of the fifth row."""
    rows = spaces.strip("\n").split("\n")[::2]
    return tuple(place(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row[::2]) if mark != VOID)


class Names:
    """What the cards and places of a configuration are called."""

    def __init__(self, configuration: Configuration) -> None:
        content, monster = configuration.content, str(configuration.settings["monster"])
        sections = content.sections

        def cards(section: str, with_monster: str = monster) -> list[str]:
            return [sections[section][slug].name for slug, _ in deck(content, section, with_monster)]

        def entries(section: str) -> list[str]:
            return [entry.name for entry in sections[section].values()]

        self.rules = configuration.rules[0]
        self.cards, self.search_cards = cards("lost-kid-cards"), cards("search-cards")
        self.items, self.rides = cards("items") + cards("powered-cards", ""), cards("rides", "")
        self.tiles, self.symbols = cards("symbols", ""), symbol_kinds(sections)
        self.buildings, self.districts = entries("buildings"), entries("districts")
        self.landmarks = entries("landmarks")
        self.wheels = [e.name for e in sections["wheels"].values() for _ in range(e.copies)]
        self.goals = [sections["goals"][slug].name for slug in goals(content, monster)]
        self.feds = ["red Feds", "blue Feds"]
        self.at = coordinates(next(iter(sections["town"].values())).spaces)

    def space(self, space: int) -> str:
        """A space by its coordinates, and what is there."""
        if space == NONE:
            return "nowhere"
        building, treehouse = int(self.rules["building_of"][space]), int(self.rules["treehouse_of"][space])
        if building != NONE:
            return f"{self.at[space]} ({self.buildings[building]})"
        if treehouse != NONE:
            return f"{self.at[space]} (Treehouse {treehouse + 1})"
        return f"{self.at[space]} (road)" if self.rules["is_road"][space] else self.at[space]

    def treehouse(self, treehouse: int) -> str:
        """A treehouse by its number, and where it is."""
        return f"Treehouse {treehouse + 1} ({self.at[int(self.rules['treehouse_space'][treehouse])]})"

    def card(self, card: int) -> str:
        """A Lost Kid card, and what it hints at."""
        hint = int(self.rules["card_hint"][card])
        return self.cards[card] + (f" (hint: {self.landmarks[hint]})" if hint != NONE else " (Action Icon)")

    def where(self, kind: int, number: int) -> str:
        """A building, or for a searchlight a district."""
        return self.districts[number] if kind == Place.LIGHT else self.buildings[number]

    def goods(self, what: int) -> str:
        """What changes hands in a trade."""
        return self.items[what] if what < SYMBOL else f"a {self.symbols[what - SYMBOL]} Symbol"

    def part(self, goal: int, part: int) -> str:
        """What a part of a goal asks for."""
        rules = self.rules
        kind, kind_of_place = int(rules["part_kind"][goal, part]), int(rules["part_place"][goal, part])
        if kind == Part.RESCUE:
            return "rescue the Lost Kid"
        number, price = int(rules["part_where"][goal, part]), int(rules["part_price"][goal, part])
        if kind_of_place in (Place.BUILDING, Place.LANDMARK):
            what = (self.buildings if kind_of_place == Place.BUILDING else self.landmarks)[number]
        else:
            what = {Place.TREEHOUSE: "a Treehouse", Place.MONSTER: "the Monster's District"}.get(
                Place(kind_of_place), f"a {TOKENS.get(Place(kind_of_place))}"
            )
        symbol = int(rules["part_symbol"][goal, part])
        paid = "" if symbol == ANY_SYMBOL else f"{self.symbols[symbol]} "
        verb = "search" if kind == Part.SEARCH else "move into"
        return f"{verb} {what}" + (f" for {_many(price, f'{paid}Symbol')}" if price else "")

    def effect(self, start: int, end: int) -> str:
        """What compiled rows of a card say."""
        said, at = [], start
        while at < end:
            said.append(self.row(at))
            at = int(self.rules["op_end"][at])
        return "; ".join(said) or "nothing"

    def sides(self, row: int) -> list[tuple[int, int]]:
        """The rows of each side of a choice."""
        found, at = [], row + 1
        for _ in range(int(self.rules["op_a"][row])):
            end = int(self.rules["op_end"][at])
            found.append((at + 1, end))
            at = end
        return found

    def row(self, at: int) -> str:
        """What one row says, with all that it governs."""
        op, a, b = (int(self.rules[field][at]) for field in ("op", "op_a", "op_b"))
        if op == Op.CHOOSE:
            return "choose: " + ", or ".join(self.effect(*rows) for rows in self.sides(at))
        if op in _CONTROLS:
            return f"{_CONTROLS[Op(op)](a)}: {self.effect(at + 1, int(self.rules['op_end'][at]))}"
        if op in _COUNTED:
            return _many(a, _COUNTED[Op(op)])
        return _EFFECTS[Op(op)](self, a, b) if op in _EFFECTS else "nothing"  # a blank card has no row of its own


def _symbol(names: Names, a: int) -> str:
    return "any Symbol" if a == ANY_SYMBOL else f"a {names.symbols[a]} Symbol"


_COUNTED = {Op.ITEM: "Item", Op.SOUL: "soul", Op.BYSTANDER: "Bystander", Op.STAR: "Star", Op.MIRROR: "Mirror"}
_COUNTED |= {Op.TREE: "Tree", Op.HATCHLING: "Hatchling", Op.LIGHT: "Searchlight"}
_CONTROLS: dict[Op, Callable[[int], str]] = {
    Op.WITHIN: lambda a: f"if the Monster is within {_many(a, 'District')}",
    Op.IF_RESCUED: lambda a: "if the Lost Kid is free",
    Op.EACH_KID: lambda a: "each Kid",
    Op.MAY: lambda a: "may",
}
_EFFECTS: dict[Op, Callable[[Names, int, int], str]] = {
    Op.MONSTER: lambda n, a, b: f"Monster {DIRECTIONS[a]}",
    Op.NEAREST: lambda n, a, b: "Monster towards the nearest Kid",
    Op.LENGTH: lambda n, a, b: f"Monster the entire length of the board {DIRECTIONS[a]}",
    Op.ATTACK: lambda n, a, b: "Monster attacks",
    Op.LURE: lambda n, a, b: f"lure the Monster {_many(a, 'District')}",
    Op.PUSH: lambda n, a, b: f"push the Monster {_many(a, 'District')}",
    Op.STUN: lambda n, a, b: "give the Lost Kid the Stun token",
    Op.CANCEL: lambda n, a, b: "cancel the Monster's action",
    Op.DODGE: lambda n, a, b: "dodge",
    Op.FEDS: lambda n, a, b: f"{n.feds[a] if a < 2 else 'red or blue Feds'} {_many(b, 'Intersection')}",
    Op.HOLD_FEDS: lambda n, a, b: "hold the Feds",
    Op.DOOM: lambda n, a, b: f"Doom {a:+d}",
    Op.TOKEN: lambda n, a, b: f"a Search token on any {'' if a == ANY_COLOUR else f'{COLOURS[a]} '}Building",
    Op.MOVE_KID: lambda n, a, b: f"move a Kid {_many(a, 'space')}",
    Op.NEW_HAND: lambda n, a, b: "New Hand",
    Op.FREE_MOVE: lambda n, a, b: f"free move of {_many(a, 'space')}",
    Op.MOVE: lambda n, a, b: f"move {_many(a, 'more space')}",
    Op.SYMBOL: lambda n, a, b: _symbol(n, a),
    Op.REFRESH_WHEELS: lambda n, a, b: "Wheels face up",
    Op.REFRESH_ITEMS: lambda n, a, b: "Items face up",
    Op.SPARE_WHEEL: lambda n, a, b: "a spare Wheel",
    Op.ABILITY: lambda n, a, b: ABILITIES[Ability(a)],
    Op.SEARCH: lambda n, a, b: "draw a Search card",
    Op.CURSE: lambda n, a, b: "a Curse",
    Op.LIFT_CURSE: lambda n, a, b: "Curses go back",
    Op.SMASH: lambda n, a, b: "smash a Mirror",
    Op.REVEAL: lambda n, a, b: "the Monster is revealed",
    Op.HIDE: lambda n, a, b: "the Monster hides",
}


class Table:
    """What a reader of the trace knows: the Lost Kid's hand, the open goal, what can be chosen on the cards."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.hand: list[int] = []
        self.goal = NONE
        self.decision: int = NONE
        self.texts: list[tuple[int, int]] = []  # rows of the cards resolved in this turn

    def follow(self, event: Event, seat: int, a: int, b: int) -> None:
        """Take an event into account."""
        rules = self.names.rules
        if event == Event.DRAW:
            self.hand.append(a)
        elif event in (Event.PLAY, Event.DISCARD) and a in self.hand:
            self.hand.remove(a)
        elif event == Event.OPENS:
            self.goal = a
        elif event == Event.ASKED:
            self.decision = a
        elif event == Event.TURN:
            self.texts = []
        elif event == Event.ICON:
            self.texts.append((a, int(rules["op_end"][a])))
        elif event == Event.CARD:
            self.texts.append((int(rules["search_start"][a]), int(rules["search_end"][a])))
        elif event == Event.USE:
            self.texts.append((int(rules["item_start"][a]), int(rules["item_end"][a])))
        elif event == Event.SYMBOL and a != NONE:
            self.texts.append((int(rules["tile_start"][a]), int(rules["tile_end"][a])))
        elif event == Event.CHOSE and (row := self.choice(a)) != NONE:
            self.texts.append(self.names.sides(row)[a])

    def choice(self, side: int) -> int:
        """The row of the choice that is open: the last one with so many sides."""
        for start, end in reversed(self.texts):
            for row in range(start, end):
                if self.names.rules["op"][row] == Op.CHOOSE and side < self.names.rules["op_a"][row]:
                    return row
        return NONE

    def side(self, side: int) -> str:
        """What a side of the open choice says."""
        row = self.choice(side)
        return self.names.effect(*self.names.sides(row)[side]) if row != NONE else f"side {side + 1}"

    def part(self, part: int) -> str:
        """A part of the open goal."""
        return f"part {part + 1} of the Goal" if self.goal == NONE else self.names.part(self.goal, part)


# --- options ---------------------------------------------------------------------------------------------------------


def name_option(configuration: Configuration, option: int) -> str:
    """An option in a few words; cards of the hand by their place, for that is all an option says."""
    return _option_text(Table(Names(configuration)), option)


def _branch(table: Table, a: int) -> str:
    if table.decision == Decision.CHOICE:
        return table.side(a)
    said: dict[int, str] = {
        Decision.DOUBLE: f"the {('first', 'second')[a % 2]} half of the round",
        Decision.FEDS: f"the {table.names.feds[a % 2]}",
        Decision.PILE: f"pile {a + 1}",
    }
    return said.get(table.decision, f"side {a + 1}")


def _symbol_text(table: Table, a: int) -> str:
    steps = int(table.names.rules["symbol_steps"])
    spent = table.decision == Decision.MOVE
    return f"spend a {table.names.symbols[a]} Symbol for {steps} spaces" if spent else _symbol(table.names, a)


def _searched(table: Table, a: int, b: int, c: int) -> str:
    what = ("search the Building's token", f"search for the Goal: {table.part(b)}", "search the Treehouse")[a]
    return what + (", saying that the Lost Kid is here" if c else "")


def _option_text(table: Table, option: int) -> str:
    kind, a, b, c = option_parts(option)
    names = table.names
    if kind == Option.PLAY:
        card = names.card(table.hand[a]) if a < len(table.hand) else f"card {a + 1} of the hand"
        return f"play {card} onto pile {b + 1}"
    if kind == Option.TRADE:
        return f"take {names.goods(a)} from {_whom(b)}" if c else f"give {names.goods(a)} to {_whom(b)}"
    if kind == Option.USE and table.decision in (Decision.ACTION_ICON, Decision.MAY):
        return "yes"
    named: dict[Option, Callable[[], str]] = {
        Option.PASS: lambda: "pass",
        Option.NEW_HAND: lambda: "spend the New Hand token",
        Option.USE: lambda: f"use {names.items[a]}",
        Option.DISTRICT: lambda: names.districts[a],
        Option.TREEHOUSE: lambda: names.treehouse(a),
        Option.BUILDING: lambda: names.buildings[a],
        Option.KID: lambda: _whom(a),
        Option.WHEEL: lambda: names.wheels[a] + (", face down, by the Ride" if b else ""),
        Option.MOVE: lambda: f"end at {names.space(a)}",
        Option.VIA: lambda: f"go by way of {names.space(a)}",
        Option.SYMBOL: lambda: _symbol_text(table, a),
        Option.GOAL: lambda: f"for the Goal: {table.part(a)}",
        Option.SEARCH: lambda: _searched(table, a, b, c),
        Option.BRANCH: lambda: _branch(table, a),
    }
    return named[kind]()


# --- events ----------------------------------------------------------------------------------------------------------

Sentence = Callable[[Table, int, int, int, int], str]


def _play(t: Table, s: int, a: int, b: int, c: int) -> str:
    covered = f", covering {t.names.cards[c]}" if c != NONE else ""
    return f"The Lost Kid plays {t.names.card(a)} onto pile {b + 1}{covered}."


def _token(t: Table, s: int, a: int, b: int, c: int) -> str:
    if c:
        return f"  No Search token is left for {t.names.buildings[a]}."
    return f"  A Search token is placed on {t.names.buildings[a]}."


def _icon(t: Table, s: int, a: int, b: int, c: int) -> str:
    head = "Action Icon" if b == 1 else "Spooky Action"
    return f"  {head}{', once more' if c else ''}: {t.names.row(a)}."


def _doom(t: Table, s: int, a: int, b: int, c: int) -> str:
    more = f" {a:+d}:" if a != 1 else ""
    return f"  DOOM{more} {b} of {int(t.names.rules['doom_length'])}{DOOM.get(Source(c), '')}."


def _wheel(t: Table, s: int, a: int, b: int, c: int) -> str:
    again = ", which lies face down" if c else ""
    return f"{_who(s)} uses {t.names.wheels[a]}{again}: {_many(b, 'space')}."


def _move(t: Table, s: int, a: int, b: int, c: int) -> str:
    where = t.names.space(a)
    if b == 0:
        return f"{_who(s)} passes {where}, {c} left."
    if b == 3:
        return f"  {_who(s)} is moved to {where}."
    return f"{_who(s)} {'moves freely' if b == 2 else 'moves'} to {where}."


def _search(t: Table, s: int, a: int, b: int, c: int) -> str:
    if a == Search.GOAL:
        return f"{_who(s)} searches."
    return f"{_who(s)} searches {t.names.treehouse(b) if a == Search.TREEHOUSE else t.names.buildings[b]}."


def _drawn(t: Table, s: int, a: int, b: int, c: int) -> str:
    mood = (".", ", without its threat.", ", and the Monster comes nearer.")[b]
    start, end = (int(t.names.rules[field][a]) for field in ("search_start", "search_end"))
    return f"  {_who(s)} draws the Search card {t.names.search_cards[a]} ({t.names.effect(start, end)}){mood}"


def _symbol_tile(t: Table, s: int, a: int, b: int, c: int) -> str:
    if a == NONE:
        return "  No Symbol of this kind is left."
    start, end = (int(t.names.rules[field][a]) for field in ("tile_start", "tile_end"))
    kind = t.names.symbols[int(t.names.rules["tile_symbol"][a])]
    return f"  {_who(s)} takes a {kind} Symbol ({t.names.effect(start, end)})."


def _use(t: Table, s: int, a: int, b: int, c: int) -> str:
    start, end = (int(t.names.rules[field][a]) for field in ("item_start", "item_end"))
    return f"{_who(s)} uses {t.names.items[a]} ({t.names.effect(start, end)})."


def _opens(t: Table, s: int, a: int, b: int, c: int) -> str:
    n = t.names
    times = [int(n.rules["part_times"][a, p]) for p in range(int(n.rules["parts"][a]))]
    parts = "; ".join(n.part(a, p) + (f", {k} times" if k > 1 else "") for p, k in enumerate(times))
    return f"Goal {a + 1}: {n.goals[a]} ({parts})."


def _shown(t: Table, s: int, a: int, b: int, c: int) -> str:
    where = t.names.districts[b]
    return f"  The Monster is revealed in {where}." if a else f"  The Monster leaves {where}, hidden again."


def _discard(t: Table, s: int, a: int, b: int, c: int) -> str:
    where = "are shuffled back" if b == NONE else f"go to pile {b + 1}"
    return f"    These cards {where}: {RUN}{t.names.cards[a]}."


def _reshuffle(t: Table, s: int, a: int, b: int, c: int) -> str:
    if a >= 3:
        return f"  The {b} spent {t.names.symbols[a - 3]} Symbols are shuffled into a new stack."
    deck_name = ("Lost Kid", "Item", "Search")[a]
    return f"  The {b} discards of the {deck_name} deck are shuffled into a new deck."


_SENTENCES: dict[Event, Sentence] = {
    Event.RIDE: lambda t, s, a, b, c: f"{_who(s)} has the Ride {t.names.rides[a]}.",
    Event.ITEM: lambda t, s, a, b, c: (
        f"{_who(s)} gets the Item {RUN}{t.names.items[a]}." if a != NONE else f"No Item is left for {_whom(s)}."
    ),
    Event.DOUBLE: lambda t, s, a, b, c: f"The 2x token lies in the {('first', 'second')[a]} half of the round.",
    Event.SETUP_CARD: lambda t, s, a, b, c: f"Set-up card onto pile {b + 1}: {t.names.cards[a]}.",
    Event.HIDDEN: lambda t, s, a, b, c: f"The Lost Kid is hidden in {t.names.buildings[b]}.",
    Event.DRAW: lambda t, s, a, b, c: f"The Lost Kid draws {RUN}{t.names.cards[a]}.",
    Event.MONSTER_AT: lambda t, s, a, b, c: f"The Monster {'hides' if b else 'is'} in {t.names.districts[a]}.",
    Event.TURN: lambda t, s, a, b, c: (
        f"-- Round {b + 1}, turn {a + 1}: {_whom(s)}" + (", without the common plan" if c else "")
    ),
    Event.ARRIVES: lambda t, s, a, b, c: f"{_who(s)} begins at {t.names.space(a)}.",
    Event.PLAY: _play,
    Event.TOKEN: _token,
    Event.ICON: _icon,
    Event.DROPPED: lambda t, s, a, b, c: f"  Spooky Action left out: {t.names.row(a)}.",
    Event.MONSTER: lambda t, s, a, b, c: f"  The Monster moves {'unseen ' if c else ''}to {RUN}{t.names.districts[a]}.",
    Event.CANNOT: lambda t, s, a, b, c: (
        f"  {'There is no Kid to chase' if a == Source.NOBODY else 'The Monster cannot move that way'}."
    ),
    Event.ATTACK: lambda t, s, a, b, c: f"  The Monster attacks {t.names.districts[a]}.",
    Event.STUNNED: lambda t, s, a, b, c: f"  {STOPPED[a]}",
    Event.HIT: lambda t, s, a, b, c: f"  {_who(s)} is HIT.",
    Event.CAUGHT: lambda t, s, a, b, c: f"  {_who(s)} is CAUGHT by the {t.names.feds[a]}.",
    Event.SENT: lambda t, s, a, b, c: f"  {_who(s)} is {'carried' if b else 'sent'} to {t.names.space(a)}.",
    Event.DODGED: lambda t, s, a, b, c: f"  {_who(s)} dodges.",
    Event.FED: lambda t, s, a, b, c: (
        f"  The {t.names.feds[a]} drive to {RUN}{t.names.at[int(t.names.rules['stop_space'][a, b])]}."
    ),
    Event.HELD: lambda t, s, a, b, c: f"  The {t.names.feds[a]} are held where they are.",
    Event.DOOM: _doom,
    Event.NEW_HAND: lambda t, s, a, b, c: (
        f"  New Hand: the old one goes to pile {b + 1}." if a else "The Lost Kid spends the New Hand token."
    ),
    Event.WHEEL: _wheel,
    Event.REFRESH: lambda t, s, a, b, c: f"  {_who(s)} flips all {'Items' if a else 'Wheels'} face up.",
    Event.MOVE: _move,
    Event.SPEND: lambda t, s, a, b, c: (
        f"  {_who(s)} spends a {t.names.symbols[a]} Symbol for {'the Goal' if b else 'more spaces'}."
    ),
    Event.SEARCH: _search,
    Event.CARD: _drawn,
    Event.CHOSE: lambda t, s, a, b, c: f"  {_who(s)} chooses: {t.side(a)}.",
    Event.SYMBOL: _symbol_tile,
    Event.USE: _use,
    Event.TRADE: lambda t, s, a, b, c: f"{_who(s)} gives {t.names.goods(a)} to {_whom(b)}.",
    Event.PART: lambda t, s, a, b, c: (
        f"  {_who(s)} does a part of the Goal: {t.part(a)}" + (f"; {b} more to do." if b else ".")
    ),
    Event.GOAL: lambda t, s, a, b, c: f"Goal {a + 1} is DONE: {t.names.goals[a]}.",
    Event.OPENS: _opens,
    Event.RESCUE: lambda t, s, a, b, c: (
        f"{_who(s)} RESCUES the Lost Kid from {t.names.buildings[a]}; the Powered card is {t.names.items[b]}."
    ),
    Event.GUESS: lambda t, s, a, b, c: f"  The Lost Kid is not in {t.names.buildings[a]}.",
    Event.PUT: lambda t, s, a, b, c: f"  {TOKENS[Place(a)]} token on {RUN}{t.names.where(a, b)}.",
    Event.TAKEN: lambda t, s, a, b, c: f"  The {TOKENS[Place(a)]} token is taken off {t.names.where(a, b)}.",
    Event.CURSE: lambda t, s, a, b, c: f"  {_who(s)} {'has ' + _many(a, 'Curse') if a else 'is free of Curses'}.",
    Event.SOUL: lambda t, s, a, b, c: f"  Souls in the mirror world: {a}.",
    Event.FIXED: lambda t, s, a, b, c: f"  The Monster is fixed on {_whom(s)}.",
    Event.SHOWN: _shown,
    Event.RESHUFFLE: _reshuffle,
    Event.ABILITY: lambda t, s, a, b, c: f"  {_who(s)} may {ABILITIES[Ability(a)]} this turn.",
    Event.SPARE: lambda t, s, a, b, c: f"  {_who(s)} gets {t.names.wheels[a]}.",
    Event.DISCARD: _discard,
    Event.END: lambda t, s, a, b, c: ENDS[Status(a)],
    Event.FAILS: lambda t, s, a, b, c: "  It fails: the Monster is not that near.",
    Event.ASKED: lambda t, s, a, b, c: f"    {_who(s)} is asked {ASKED[Decision(a)]} ({_many(b, 'option')}):",
    Event.OPTION: lambda t, s, a, b, c: (
        f"      {b / 1e6:10.3f}  {_option_text(t, a)}" if c else f"               -  {_option_text(t, a)}"
    ),
    Event.ANSWER: lambda t, s, a, b, c: f"    -> {_option_text(t, b)}",
}


def _join(line: str, head: str, last_head: str, text: str) -> str:
    """A sentence after others in one line: a run goes on, the same subject is not named again."""
    if RUN in text and head == last_head:
        return f"{line[:-1]}, {text.split(RUN)[1]}"
    text = text.strip().replace(RUN, "")
    subject = next((who for who in ("The Lost Kid ", *(f"Kid {s} " for s in range(1, 9))) if text.startswith(who)), "")
    if subject and line.split(". ")[-1].strip().startswith(subject):
        return f"{line[:-1]}, {text[len(subject) :]}"
    return f"{line} {text}"


def _written(told: Iterable[tuple[Event, str]]) -> list[str]:
    """Sentences as lines: what belongs together stands in one, as far as it has room."""
    lines: list[str] = []
    before: Event | None = None
    last_head = ""
    for event, text in told:
        head = text.split(RUN)[0] if RUN in text else ""
        goes_on = before in JOINED.get(event, ()) or (bool(head) and before == event and head == last_head)
        joined = _join(lines[-1], head, last_head, text) if lines and goes_on else ""
        if joined and len(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append(text.replace(RUN, ""))
        before, last_head = event, head
    return lines


def tell(configuration: Configuration, events: np.ndarray) -> list[str]:
    """The events in sentences, some in one line; answers only where options are traced."""
    table = Table(Names(configuration))
    why = bool((events["event"] == Event.ASKED).any())
    told: list[tuple[Event, str]] = []
    for row in events:
        event = Event(int(row["event"]))
        seat, a, b, c = (int(row[k]) for k in ("seat", "a", "b", "c"))
        if event != Event.ANSWER or why:
            told.append((event, _SENTENCES[event](table, seat, a, b, c)))
        table.follow(event, seat, a, b)
    return _written(told)
