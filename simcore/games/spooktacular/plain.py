"""The effect language in plain English: sentences for clauses, as a board or a card would print them.

Every pattern of ``words.py`` has an entry in ``VERBS`` or ``CONTROLS``. Estimates keep their plausible range: "2 (1 to
4) guests". A clause is a phrase ("gain 2 points"), a control's head stands before the phrases that it governs ("once
a turn, gain 2 points"); what is too long for one sentence becomes lines that are indented below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simcore.content import Content
from simcore.effects import Control, Node
from simcore.games.spooktacular import words
from simcore.games.spooktacular.layout import Op

LONGEST = 150  # letters of a sentence with several clauses
MOST = 3  # clauses that a control governs within a sentence
_ESTIMATE = re.compile(r"\+?\{\s*\+?(-?\d+)\s*\|\s*\+?(-?\d+)\s*\.\.\s*\+?(-?\d+)\s*\}")

Said = Mapping[str, str]  # what the slots of a clause say
Phrase = Callable[["Plain", Said], str]

# --- words -----------------------------------------------------------------------------------------------------------

PLACES = {  # article and the rest; without an article there is only one
    "your room": ("", "your room"),
    "that room": ("", "that room"),
    "any room": ("any", "room"),
    "another room": ("another", "room"),
    "connected room": ("a", "connected room"),
    "room with another monster": ("a", "room with another monster"),
    "room with guests": ("a", "room with guests"),
    "room connected to that room": ("a", "room connected to that room"),
    "room with fewest guests": ("the", "room with the fewest guests"),
    "room with most guests": ("the", "room with the most guests"),
}
PIECES = {
    "your figure": "your figure",
    "that figure": "that figure",
    "that monster": "that monster",
    "another monster": "another player's monster",
    "a figure": "a figure (another player's monster or a guest)",
}
PLAYERS = {
    "that player": "that player",
    "any other player": "another player of your choice",
    "leader": "the other player with the most points",
    "another player in your room": "another player in your room",
}
RULES = {
    "play a card": "play a card",
    "move": "move",
    "spook": "spook",
    "devour": "devour guests",
    "add guests": "add guests",
}
# One, several, and what follows them.
COUNTS = {
    "guests in your room": ("guest", "guests", " in your room"),
    "guests in that room": ("guest", "guests", " in that room"),
    "colours in your room": ("colour", "colours", " among the guests in your room"),
    "colours in that room": ("colour", "colours", " among the guests in that room"),
    "other players in your room": ("other player", "other players", " in your room"),
    "other players in or next to your room": ("other player", "other players", " in or next to your room"),
    "doors of your room": ("door", "doors", " of your room"),
    "guests in your pile": ("guest", "guests", " in your pile"),
    "colours in your pile": ("colour", "colours", " in your pile"),
    "your tickets": ("ticket", "tickets", " you have"),
    "cards in your hand": ("card", "cards", " in your hand"),
    "your passengers": ("passenger", "passengers", " you carry"),
    "colours among your passengers": ("colour", "colours", " among your passengers"),
    "guests spooked this turn": ("guest", "guests", " you have spooked this turn"),
    "guests devoured this turn": ("guest", "guests", " you have devoured this turn"),
    "cards played this turn": ("card", "cards", " you have played this turn"),
    "tokens returned this turn": ("token", "tokens", " you have returned this turn"),
    "points behind": ("point", "points", " you are behind the leading player"),
}
TOKEN_COUNTS = {  # the same about a kind of piece: {a} is one of them, {one} and {many} its name
    "rooms with your {}": ("room", "rooms", " with {a}"),
    "your {} in rooms": ("{one}", "{many}", " you have in rooms"),
    "your {} on the score track": ("{one}", "{many}", " you have on the score track"),
    "your {} on your board": ("{one}", "{many}", " you have on your board"),
    "your {} in your room": ("{one}", "{many}", " you have in your room"),
    "your {} in that room": ("{one}", "{many}", " you have in that room"),
    "guests in rooms with your {}": ("guest", "guests", " in rooms with {a}"),
    "other players in rooms with your {}": ("other player", "other players", " in rooms with {a}"),
    "guests in your {}": ("guest", "guests", " in your {one}"),
}


def upper(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def plural(name: str) -> str:
    """The plural of a piece's name; a name that ends in s already is one."""
    if name.endswith(("ss", "x", "z", "ch", "sh")):
        return f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return name if name.endswith("s") else f"{name}s"


def article(name: str) -> str:
    """`a jar`, `an arm`."""
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def number(said: str) -> str:
    """A number as it is said; an estimate with its plausible range."""
    match = _ESTIMATE.fullmatch(said)
    if match is None:
        return said.removeprefix("+")
    value, low, high = match.groups()
    return value if low == high else f"{value} ({low} to {high})"


def many(said: str, one: str, several: str = "") -> str:
    """So many of something."""
    shown = number(said)
    return f"{shown} {one if shown == '1' else several or f'{one}s'}"


def spoken(name: str) -> str:
    """The name of a space or a piece without its hyphens."""
    return name.replace("-", " ")


def title(name: str) -> str:
    """The name of a space or ability as a heading."""
    return " ".join(upper(word) for word in spoken(name).split())


# --- verbs -----------------------------------------------------------------------------------------------------------


def _in(p: Plain, s: Said, word: str = "in") -> str:
    """Where it happens, unless it is your room."""
    where = s.get("where", "your room")
    return "" if where == "your room" else f" {word} {p.place(where)}"


def _guests(said: str) -> str:
    return many(said, "guest")


def _gain_per(p: Plain, s: Said) -> str:
    one, several, tail = p.count(s["what"])
    step = number(s.get("m", "1"))
    each = f"each {one}" if step == "1" else f"every {step} {several}"
    most = f", at most {many(s['most'], 'point')}" if "most" in s else ""
    return f"gain {many(s['n'], 'point')} for {each}{tail}{most}"


def _do(p: Plain, s: Said) -> str:
    if s["what"] == words.THAT_SPACE:
        return "do what that space says"
    return f"do what the space {title(s['what'])} says" if s["what"] in p.spaces else f"do {title(s['what']).upper()}"


def _move(p: Plain, s: Said) -> str:
    piece = p.piece(s["piece"]) if "piece" in s else ""
    start = f" from {p.place(s['where'])}" if "where" in s else ""
    return f"move{' ' if piece else ''}{piece}{start} to {p.place(s.get('to', 'connected room'))}"


def _mash(p: Plain, s: Said) -> str:
    to = "move all monsters in your room to connected rooms of your choice"
    return f"{to} and gain {many(s['n'], 'point')} for each other player moved"


def _load(p: Plain, s: Said) -> str:
    card = "a card of your hand" if s["what"] == "a card" else p.card(s["what"])
    slot = "any empty slot" if s["where"] == "any slot" else s["where"]
    return f"load {card} into {slot} of your program"


def _as(s: Said) -> str:
    return " as a passenger" if number(s["n"]) == "1" else " as passengers"


def _drop(p: Plain, s: Said) -> str:
    return f"let {many(s['n'], 'passenger')} get off{_in(p, s)}"


VERBS: dict[str, Phrase] = {
    "gain {n}": lambda p, s: f"gain {many(s['n'], 'point')}",
    "gain {n} per [{m}] {what:count} [up to {most}]": _gain_per,
    "lose {n}": lambda p, s: f"lose {many(s['n'], 'point')}",
    "that player gains {n}": lambda p, s: f"that player gains {many(s['n'], 'point')}",
    "steal {n} from {who:player}": lambda p, s: f"steal {many(s['n'], 'point')} from {PLAYERS[s['who']]}",
    "draw {n}": lambda p, s: f"draw {many(s['n'], 'card')}",
    "draw up": lambda p, s: "draw cards until your hand is full",
    "that player draws {n}": lambda p, s: f"that player draws {many(s['n'], 'card')}",
    "discard {n}": lambda p, s: f"discard {many(s['n'], 'card')} of your hand",
    "play a card": lambda p, s: "play a card",
    "copy the last card of {who:player}": lambda p, s: f"do what the card says that {PLAYERS[s['who']]} played last",
    "do {what:ability}": _do,
    "do the space of your {token:token}": lambda p, s: f"do what the space says on which {p.own(s['token'])} lies",
    "add {n} guest[s] [to {where:place}]": lambda p, s: (
        f"add {_guests(s['n'])} to {p.place(s.get('where', 'your room'))}"
    ),
    "move up to {n} guest[s] from {a:place} to {b:place}": lambda p, s: (
        f"move up to {_guests(s['n'])} from {p.place(s['a'])} to {p.place(s['b'])}"
    ),
    "move {n} guest[s] from {a:place} to {b:place}": lambda p, s: (
        f"move {_guests(s['n'])} from {p.place(s['a'])} to {p.place(s['b'])}"
    ),
    "spook [in {where:place}]": lambda p, s: f"spook{_in(p, s)}",
    "devour that colour [in {where:place}]": lambda p, s: f"devour a guest of that colour{_in(p, s)}",
    "devour each colour [in {where:place}]": lambda p, s: f"devour one guest of each colour{_in(p, s)}",
    "devour up to {n} [in {where:place}]": lambda p, s: f"devour up to {_guests(s['n'])}{_in(p, s)}",
    "devour {n} [in {where:place}]": lambda p, s: f"devour {_guests(s['n'])}{_in(p, s)}",
    "take up to {n} guest[s] [from {where:place}]": lambda p, s: (
        f"take up to {_guests(s['n'])}{_in(p, s, 'from')} along{_as(s)}"
    ),
    "take {n} guest[s] [from {where:place}]": lambda p, s: f"take {_guests(s['n'])}{_in(p, s, 'from')} along{_as(s)}",
    "drop {n} guest[s] [in {where:place}]": _drop,
    "move [{piece:piece}] [from {where:place}] [to {to:place}]": _move,
    "mash for {n}": _mash,
    "swap with that figure": lambda p, s: "your figure and that figure change places",
    "stun {who:player}": lambda p, s: f"stun {PLAYERS[s['who']]} until your next turn",
    "act from your {token:token}": lambda p, s: f"choose {p.own(s['token'])} to act from",
    "place {token:token} between {a:place} and {b:place}": lambda p, s: (
        f"place {p.new(s['token'])} between {p.place(s['a'])} and {p.place(s['b'])}"
    ),
    "place {token:token} {n} ahead of {who:player}": lambda p, s: (
        f"place {p.new(s['token'])} on the score track, {many(s['n'], 'space')} ahead of {PLAYERS[s['who']]}"
    ),
    "place {token:token} in {where:place}": lambda p, s: f"place {p.new(s['token'])} in {p.place(s['where'])}",
    "place {token:token}": lambda p, s: f"place {p.new(s['token'])} in your room",
    "fill your board with {token:token}": lambda p, s: f"fill your board with {p.all(s['token'])}, one on each space",
    "put {token:token} on {space:space}": lambda p, s: f"put {p.new(s['token'])} on the space {title(s['space'])}",
    "advance {token:token} {n}": lambda p, s: f"advance {p.own(s['token'])} {many(s['n'], 'space')}",
    "return {that:that} to free space": lambda p, s: f"return {spoken(s['that'])} to a free space of your board",
    "return {that:that}": lambda p, s: f"return {spoken(s['that'])} to your supply",
    "return your {token:token}": lambda p, s: f"return {p.own(s['token'])} to your supply",
    "pick your {token:token} in {where:place}": lambda p, s: f"choose {p.own(s['token'])} in {p.place(s['where'])}",
    "pick another monster in {where:place}": lambda p, s: f"choose another player's monster in {p.place(s['where'])}",
    "pick another player": lambda p, s: "choose another player",
    "pick leader": lambda p, s: f"choose {PLAYERS['leader']}",
    "pick {where:place}": lambda p, s: f"choose {p.place(s['where'])}",
    "run slot {n}": lambda p, s: f"do what the card in slot {number(s['n'])} says",
    "discard slot {n}": lambda p, s: f"discard the card in slot {number(s['n'])}",
    "shift slots": lambda p, s: "shift the other cards of your program one slot to the right",
    "load {what:card} in {where:slot}": _load,
    "reorder slots": lambda p, s: "put the cards of your program in another order",
    "{token:token} is a room joined to its place": lambda p, s: (
        f"your {spoken(s['token'])} is a room of its own, joined to the room it lies in"
    ),
    "no guest may leave {where:place}": lambda p, s: f"no guest may leave {p.place(s['where'])}",
    "no guest may enter {where:place}": lambda p, s: f"no guest may enter {p.place(s['where'])}",
    "no guest may be added to {where:place}": lambda p, s: f"no guest may be added to {p.place(s['where'])}",
    "no other monster may leave {where:place}": lambda p, s: f"no other monster may leave {p.place(s['where'])}",
    "no other monster may enter {where:place}": lambda p, s: f"no other monster may enter {p.place(s['where'])}",
    "your {token:token} are doors for you alone": lambda p, s: f"{p.doors(s['token'])} for you alone",
    "your {token:token} are doors for all": lambda p, s: f"{p.doors(s['token'])} for everybody",
}

# --- controls --------------------------------------------------------------------------------------------------------


def _if(p: Plain, s: Said, quantity: str) -> str:
    """A condition: `there are at least 3 guests in your room`, `you have at least 1 ticket`."""
    one, several, tail = p.count(s["what"])
    single = quantity == "at least" and number(s["n"]) == "1"
    amount = "no" if quantity == "fewer than" and s["n"] == "1" else f"{quantity} {number(s['n'])}"
    noun = one if single else several
    if tail.startswith(" you "):  # what you have, carry, or have done
        if s["what"] == "points behind":
            return f"if you are {amount} {noun} behind the leading player"
        about = re.fullmatch(r" (you (?:have|carry)(?: \w+ed)?)(.*)", tail)
        assert about is not None, tail
        return f"if {about[1]} {amount} {noun}{about[2]}"
    return f"if there {'is' if single else 'are'} {amount} {noun}{tail}"


def _for_tokens(p: Plain, s: Said) -> str:
    where = f" in {p.place(s['where'])}" if "where" in s else " and its room"
    return f"for {p.each(s['token'])}{where}"


def _passes(p: Plain, s: Said) -> str:
    return f"when another player's score reaches or passes {p.own(s['token'])}"


CONTROLS: dict[str, Phrase] = {
    "until none": lambda p, s: "again and again, until there is none left to choose",
    "for each your {token:token} [in {where:place}]": _for_tokens,
    "for each other player in or next to {where:place}": lambda p, s: (
        f"for each other player in or next to {p.place(s['where'])}"
    ),
    "for each other player in {where:place}": lambda p, s: f"for each other player in {p.place(s['where'])}",
    "for each other player": lambda p, s: "for each other player",
    "for each colour in {where:place}": lambda p, s: f"for each colour among the guests in {p.place(s['where'])}",
    "for each {where:place}": lambda p, s: f"for {p.place(s['where'], each=True)}",
    "if {n} or more {what:count}": lambda p, s: _if(p, s, "at least"),
    "if fewer than {n} {what:count}": lambda p, s: _if(p, s, "fewer than"),
    "at {where:place}": lambda p, s: f"as if you were in {p.place(s['where'])}",
    "once a turn": lambda p, s: "once a turn",
    "repeat {n}": lambda p, s: f"do this {many(s['n'], 'time')}",
    "always": lambda p, s: "always",
    "when you devour": lambda p, s: "when you devour a guest",
    "when you turn in a set": lambda p, s: "when you turn in a set",
    "when you spook": lambda p, s: "when you have spooked guests",
    "when a guest enters {where:place}": lambda p, s: f"when a guest enters {p.place(s['where'])}",
    "when another monster enters {where:place}": lambda p, s: f"when another monster enters {p.place(s['where'])}",
    "when another player passes your {token:token}": _passes,
    "when a guest passes your {token:token}": lambda p, s: f"when a guest passes {p.own(s['token'])}",
    "when your turn begins": lambda p, s: "when your turn begins",
    "when another player moves your figure": lambda p, s: "when another player moves your figure",
    "when another player steals from you": lambda p, s: "when another player steals from you",
    "instead of {rule:rule}": lambda p, s: f"whenever you would {RULES[s['rule']]}",
}
LET = {"that player gains": "let that player gain", "that player draws": "let that player draw"}


# --- sentences -------------------------------------------------------------------------------------------------------


class Plain:
    """The texts of one monster and its cards, or (without a monster) of the basic cards."""

    def __init__(self, content: Content, monster: Any = None) -> None:
        self.kinds: Mapping[str, int] = monster.kinds if monster is not None else {}
        self.spaces = frozenset(monster.spaces if monster is not None else ())
        self.cards: Mapping[str, Any] = content.sections["cards"]

    # --- pieces, places, counts --------------------------------------------------------------------------------------

    def lone(self, kind: str) -> bool:
        """Whether there is one piece of a kind only."""
        return self.kinds[kind] == 1

    def own(self, kind: str) -> str:
        """One of them that is in play: `your tomb`, `one of your jars`."""
        return f"your {spoken(kind)}" if self.lone(kind) else f"one of your {plural(spoken(kind))}"

    def new(self, kind: str) -> str:
        """One of them that comes into play: `your tomb`, `a jar`."""
        return f"your {spoken(kind)}" if self.lone(kind) else article(spoken(kind))

    def each(self, kind: str) -> str:
        """`your tomb`, `each of your jars`."""
        return f"your {spoken(kind)}" if self.lone(kind) else f"each of your {plural(spoken(kind))}"

    def all(self, kind: str) -> str:
        """`your tomb`, `jars`."""
        return f"your {spoken(kind)}" if self.lone(kind) else plural(spoken(kind))

    def doors(self, kind: str) -> str:
        """`your doors are doors`, `your hatch is a door`."""
        name = spoken(kind)
        return f"your {name} is a door" if self.lone(kind) else f"your {plural(name)} are doors"

    def piece(self, phrase: str) -> str:
        """What is moved."""
        if phrase in PIECES:
            return PIECES[phrase]
        first, _, kind = phrase.partition(" ")
        return self.own(kind) if first == "your" else spoken(phrase)

    def place(self, phrase: str, each: bool = False) -> str:
        """A room or rooms, with the article; `each`: as what a clause is done for."""
        start, rest = PLACES.get(phrase) or self._token_place(phrase)
        if each and start:
            return f"each other {rest}" if start == "another" else f"each {rest}"
        return f"{start} {rest}".lstrip()

    def _token_place(self, phrase: str) -> tuple[str, str]:
        before, _, kind = phrase.partition("your ")
        name = spoken(kind)
        if not before:
            return "", f"your {name}"
        if before == "room with ":
            return ("the", f"room with your {name}") if self.lone(kind) else ("a", f"room with {self.own(kind)}")
        return "a", f"room without your {name}" if self.lone(kind) else f"room with none of your {plural(name)}"

    def count(self, phrase: str) -> tuple[str, str, str]:
        """What is counted: one, several, and what follows."""
        if phrase in COUNTS:
            return COUNTS[phrase]
        for kind in self.kinds:
            for pattern, said in TOKEN_COUNTS.items():
                if phrase == pattern.format(kind):
                    names = {"one": spoken(kind), "many": plural(spoken(kind)), "a": self.own(kind)}
                    one, several, tail = (part.format(**names) for part in said)
                    return one, several, tail
        raise KeyError(phrase)

    def card(self, slug: str) -> str:
        """A card's name."""
        return str(self.cards[slug].name)

    # --- clauses -----------------------------------------------------------------------------------------------------

    def head(self, node: Node) -> str:
        """What a control says, before the clauses that it governs."""
        if node.form.op == Op.MAY:
            return "you may"
        said = CONTROLS[node.form.pattern](self, node.said)
        return f"once a turn, {said}" if _once(node) else said

    def phrase(self, node: Node) -> str | None:
        """A clause within a sentence; None if it needs lines of its own."""
        op, body = node.form.op, _body(node)
        if op == Op.CHOOSE:
            sides = [self.joined(side.body) for side in body]
            short = len(sides) == 2 and all(len(side.body) <= 1 and not _governs(side.body) for side in body)
            return f"either {sides[0]} or {sides[1]}" if short else None
        if not isinstance(node.form, Control):
            return VERBS[node.form.pattern](self, node.said)
        inner = self.joined(body)
        if inner is None:
            return None
        if op == Op.INSTEAD:
            return f"{self.head(node)}, {f'instead {inner}' if body else 'do nothing instead'}"
        if op == Op.REPEAT:
            times = many(node.said["n"], "time")
            return f"{self.head(node)}: {inner}" if len(body) > 1 or _governs(body) else f"{inner}, {times}"
        if op != Op.MAY:
            return f"{self.head(node)}, {inner}"
        if _governs(body):
            return f"you may do this: {inner}"
        for they, let in LET.items():
            inner = f"{let}{inner.removeprefix(they)}" if inner.startswith(they) else inner
        return f"you may {inner}"

    def joined(self, nodes: Sequence[Node]) -> str | None:
        """Clauses that a control governs within a sentence; only what may be done may stand at their end."""
        if not nodes:
            return "do nothing"
        *first, last = nodes
        if first and (len(nodes) > MOST or _governs(first) or (_governs((last,)) and last.form.op != Op.MAY)):
            return None
        phrases = [phrase for node in nodes if (phrase := self.phrase(node)) is not None]
        said = ", then ".join(phrases)
        return said if len(phrases) == len(nodes) and len(said) <= LONGEST else None

    def lines(self, nodes: Sequence[Node]) -> list[str]:
        """Sentences, one a line; what a control governs, or sides to choose from, are indented below it."""
        found: list[str] = []
        for node in nodes:
            if node.form.op is None:  # "always"
                found += self.lines(node.body)
            elif (said := self.phrase(node)) is not None:
                found.append(f"{upper(said)}.")
            elif node.form.op == Op.CHOOSE:
                found.append("Choose one:")
                for side in node.body:
                    first, *more = self.lines(side.body) or ["Nothing."]
                    found += [f"  - {first}", *(f"    {line}" for line in more)]
            else:
                end = ", do this instead" if node.form.op == Op.INSTEAD else " do this" * (node.form.op == Op.MAY)
                found.append(f"{upper(self.head(node))}{end}:")
                found += [f"  {line}" for line in self.lines(_body(node))]
        return found


def _once(node: Node) -> bool:
    """Whether all that a trigger sets off happens once a turn."""
    return node.form.op == Op.WHEN and len(node.body) == 1 and node.body[0].form.op == Op.ONCE


def _body(node: Node) -> tuple[Node, ...]:
    """What a control governs."""
    return node.body[0].body if _once(node) else node.body


def _governs(nodes: Sequence[Node]) -> bool:
    """Whether controls or choices are among clauses."""
    return any(isinstance(node.form, Control) for node in nodes)
