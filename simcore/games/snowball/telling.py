"""A game in sentences: trace events and options in the rulebook's words."""

from collections.abc import Callable

import numpy as np

from simcore.game import Configuration
from simcore.games.snowball.layout import (
    NONE,
    Decision,
    Deck,
    Event,
    Loss,
    Op,
    Option,
    Source,
    Status,
    option_parts,
)

ASKED = {
    Decision.TURN: "what to do",
    Decision.EXTRA_THROW: "where to throw the extra snowball",
    Decision.QUICKSHOT: "whether to answer with a QuickShot",
    Decision.BAT: "whether to deflect the snowball",
    Decision.SAVE: "whether to absorb the hit",
    Decision.GIVE: "who gets the gear",
    Decision.KEEP_LOCATION: "which location to keep",
    Decision.KEEP_ITEM: "which item to keep",
    Decision.KID: "which kid to be",
}
WHY_CLEAR = {
    Source.CHOICE: "clears out",
    Source.ACTION_ITEM: "clears out by the item",
    Source.EVENT: "has to clear out",
    Source.AUTOMATIC: "was hit and clears out at once",
    Source.KID: "clears out with the kid's ability",
}
DISCARDED = {1: "discards", 2: "clears from the stack:", 3: "loses the snowball", 4: "discards the QuickShot"}
LOST_ITEM = {
    1: "discards the item",
    2: "clears from the stack:",
    3: "uses up",
    4: "does not keep",
    5: "loses the modifier",
}


class Names:
    """What the cards of a configuration are called."""

    def __init__(self, configuration: Configuration) -> None:
        content, rules = configuration.content, configuration.rules[0]
        sections = content.sections
        decks = [
            ("card_kind", [*sections["snowballs"].values(), *sections["events"].values()]),
            ("location_kind", list(sections["locations"].values())),
            ("item_kind", list(sections["items"].values())),
        ]
        self._of: list[list[str]] = [[entries[k].name for k in rules[field] if k >= 0] for field, entries in decks]
        self.kids: list[str] = [entry.name for entry in sections["kids"].values() for _ in range(entry.copies)]

    def card(self, card: int) -> str:
        """A card of the snowball deck."""
        return self._of[Deck.SNOWBALLS][card]

    def location(self, card: int) -> str:
        """A location card."""
        return self._of[Deck.LOCATIONS][card]

    def item(self, card: int) -> str:
        """An item card."""
        return self._of[Deck.ITEMS][card] if card != NONE else "no item"


def name_option(configuration: Configuration, option: int) -> str:
    """An option in a few words; cards by their place in the hand, for that is all an option says."""
    return _option_text(Names(configuration), option, [], [])


def _option_text(names: Names, option: int, hand: list[int], held: list[int]) -> str:
    """An option in a few words: the cards by name where `hand` and `held` hold them, else by their place."""
    kind, a, b, c = option_parts(option)

    def card(slot: int) -> str:
        return names.card(hand[slot]) if slot < len(hand) else f"card {slot + 1} of the hand"

    def item(slot: int) -> str:
        return names.item(held[slot]) if slot < len(held) else f"item {slot + 1}"

    if kind == Option.THROW:
        extra = (f" with {item((c & 7) - 1)}" if c & 7 else "") + (" and the kid's power" if c & 8 else "")
        return f"throw {card(a)} at player {b}{extra}"
    if kind == Option.KID:
        return names.kids[a]
    return {
        Option.PASS: "pass",
        Option.CLEAR_OUT: "clear out",
        Option.ACTION: f"use {item(a)}",
        Option.FREE_CLEAR: "clear out with the kid's ability",
        Option.QUICKSHOT: f"answer with {card(a)}",
        Option.BAT: f"deflect to player {b - 1}" if b else "deflect to the discards",
        Option.SAVE: f"absorb with {item(a - 1)}" if a else "absorb with the kid's ability",
        Option.TARGET: f"player {b}",
        Option.KEEP: f"keep card {a + 1}",
    }[kind]


class Table:
    """What lies open to the reader of a trace: gear, hands and items, followed from event to event."""

    def __init__(self, configuration: Configuration) -> None:
        self.gear = [int(configuration.settings["gear"])] * configuration.seats
        self.hands: list[list[int]] = [[] for _ in self.gear]
        self.held: list[list[int]] = [[] for _ in self.gear]
        self.pooling = False

    def follow(self, event: Event, seat: int, a: int, b: int, c: int) -> None:
        """Take an event into account."""
        if event == Event.POOL and not self.pooling:
            self.hands = [[] for _ in self.gear]
        self.pooling = event == Event.POOL
        if event == Event.GEAR:
            self.gear[seat] = a
        elif event in (Event.CARD, Event.POOL):
            self.hands[seat].append(a)
        elif event == Event.ITEM and a != NONE:
            self.held[seat].append(a)
        elif event in (Event.THROW, Event.QUICKSHOT) or (event == Event.DISCARD and b == 1):
            self._lose(self.hands[seat], a)
            if event == Event.THROW:
                self._lose(self.held[seat], c)
        elif event == Event.DISCARD_ITEM and b in (1, 3):
            self._lose(self.held[seat], a)

    @staticmethod
    def _lose(cards: list[int], card: int) -> None:
        if card in cards:  # a game that starts from a position does not say what was held before
            cards.remove(card)


def tell(configuration: Configuration, events: np.ndarray) -> list[str]:
    """One sentence an event; what only the records need (answers, single discards) is left out unless options are
    traced."""
    names = Names(configuration)
    table = Table(configuration)
    why = bool((events["event"] == Event.ASKED).any())
    lines = []
    for row in events:
        event = Event(int(row["event"]))
        seat, a, b, c = (int(row[k]) for k in ("seat", "a", "b", "c"))
        if event == Event.OPTION or (event == Event.ANSWER and why):
            option = _option_text(names, a if event == Event.OPTION else b, table.hands[seat], table.held[seat])
            text = f"    -> {option}" if event == Event.ANSWER else f"      {b / 1e6:10.3f}  {option}"
            if event == Event.OPTION and not c:
                text = f"               -  {option}"
        elif event == Event.END and a == Status.WON:
            text = _won(b, table.gear)
        else:
            text = _SENTENCES[event](configuration, names, seat, a, b, c, why)
        table.follow(event, seat, a, b, c)
        if text:
            lines.append(text)
    return lines


Sentence = Callable[[Configuration, Names, int, int, int, int, bool], str]


def _who(seat: int) -> str:
    return f"Player {seat}"


def _turn(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    return f"-- Round {b + 1}, turn {a + 1}: player {seat}"


def _start(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    return f"{_who(seat)} starts" + (f" ({a} tied, by lot)." if a > 1 else ".")


def _throw(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    extra = f" with {names.item(c)}" if c != NONE else ""
    return f"{_who(seat)} throws {names.card(a)}{extra} at player {b}."


def _bat(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    return f"{_who(seat)} uses {names.item(a)}: the snowball " + (
        f"goes to player {b}." if b != NONE else "is discarded."
    )


def _land(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    return f"  Stack of player {seat}: {a}, cover {b}: " + ("HIT." if c else "no hit.")


def _save(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    what = names.item(a) if a != NONE else "the kid's ability"
    return f"{_who(seat)} absorbs the {'QuickShot' if b else 'hit'} with {what}."


def _gear(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    verb = "loses" if a < b else "gains"
    cause = {Loss.HIT: "", Loss.QUICKSHOT: " to a QuickShot", Loss.EVENT: " by a card"}[Loss(c)]
    return f"{_who(seat)} {verb} {abs(a - b)} gear{cause}, {a} left."


def _lasting(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    what = f"all covers {b:+d}" if a == Op.LASTING_COVER else "no QuickShot answers"
    return f"Until player {seat}'s next turn: {what}."


def _won(winner: int, gear: list[int]) -> str:
    others = [n for seat, n in enumerate(gear) if n > 0 and seat != winner]
    if not others:
        return f"Nobody else is left: player {winner} wins."
    return f"Two are left, with {gear[winner]} and {others[0]} gear: player {winner} wins."


def _end(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    return {
        Status.TIED: "The last two are sent inside together: a tie.",
        Status.CAPPED: "The turn cap is reached: no winner.",
        Status.ENDLESS: "An effect does not end: the game is broken off.",
        Status.ILLEGAL: "A strategy answers outside its options: the game is broken off.",
    }[Status(a)]


def _asked(configuration: Configuration, names: Names, seat: int, a: int, b: int, c: int, why: bool) -> str:
    return f"    Player {seat} is asked {ASKED[Decision(a)]} ({b} option{'s' if b != 1 else ''}):"


_SENTENCES: dict[Event, Sentence] = {
    Event.LEFT_OUT: lambda k, n, s, a, b, c, w: f"{n.card(a)} stays in the box.",
    Event.KID: lambda k, n, s, a, b, c, w: f"{_who(s)} is {n.kids[a]}.",
    Event.LOCATION: lambda k, n, s, a, b, c, w: f"{_who(s)} is now at {n.location(a)} (cover {b}).",
    Event.ITEM: lambda k, n, s, a, b, c, w: f"{_who(s)} gets {n.item(a)}.",
    Event.CARD: lambda k, n, s, a, b, c, w: f"{_who(s)} draws {n.card(a)}.",
    Event.SET_ASIDE: lambda k, n, s, a, b, c, w: f"{n.card(a)} is set aside and shuffled back.",
    Event.START: _start,
    Event.TURN: _turn,
    Event.THROW: _throw,
    Event.BOOST: lambda k, n, s, a, b, c, w: f"{_who(s)} uses the kid's power: {a:+d}.",
    Event.BAT: _bat,
    Event.LAND: _land,
    Event.QUICKSHOT: lambda k, n, s, a, b, c, w: f"{_who(s)} answers with {n.card(a)}: player {b} is HIT.",
    Event.SAVE: _save,
    Event.GEAR: _gear,
    Event.OUT: lambda k, n, s, a, b, c, w: f"{_who(s)} is sent inside.",
    Event.BACK: lambda k, n, s, a, b, c, w: f"{_who(s)} comes back with {a} gear.",
    Event.CLEAR_OUT: lambda k, n, s, a, b, c, w: f"{_who(s)} {WHY_CLEAR[Source(a)]}.",
    Event.DISCARD: lambda k, n, s, a, b, c, w: f"    {_who(s)} {DISCARDED[b]} {n.card(a)}." if w or b == 1 else "",
    Event.DISCARD_ITEM: lambda k, n, s, a, b, c, w: f"    {_who(s)} {LOST_ITEM[b]} {n.item(a)}." if w else "",
    Event.DISCARD_LOCATION: lambda k, n, s, a, b, c, w: f"    {_who(s)} leaves {n.location(a)}." if w else "",
    Event.EVENT: lambda k, n, s, a, b, c, w: f"{_who(s)} draws the Event {n.card(a)}.",
    Event.EVENT_DONE: lambda k, n, s, a, b, c, w: f"    {n.card(a)} is discarded." if w else "",
    Event.POOL: lambda k, n, s, a, b, c, w: f"  {_who(s)} gets {n.card(a)} from the pool.",
    Event.LASTING: _lasting,
    Event.LASTING_ENDS: lambda k, n, s, a, b, c, w: f"The effect that player {s} started is over.",
    Event.PASS: lambda k, n, s, a, b, c, w: f"{_who(s)} has no legal action and passes.",
    Event.RESHUFFLE: lambda k, n, s, a, b, c, w: (
        f"The {b} discards of the {Deck(a).name.lower().rstrip('s')} deck are shuffled into a new deck."
    ),
    Event.SHORT: lambda k, n, s, a, b, c, w: f"{_who(s)} stays short: no numbered card is left.",
    Event.ACTION: lambda k, n, s, a, b, c, w: f"{_who(s)} uses {n.item(a)}.",
    Event.END: _end,
    Event.ASKED: _asked,
    Event.OPTION: lambda k, n, s, a, b, c, w: "",
    Event.ANSWER: lambda k, n, s, a, b, c, w: "",
}
