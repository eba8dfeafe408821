"""What a reader of a game knows and how it is called: cards, monsters, rooms, pieces, the texts in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from simcore.effects import Effect, Node
from simcore.game import Configuration
from simcore.games.spooktacular.layout import (
    ABILITIES,
    BETWEEN,
    BOARD,
    EXTRA,
    NONE,
    SUPPLY,
    TRACK,
    Event,
    Op,
    Option,
    option_parts,
)


def phrase(nodes: Sequence[Node]) -> str:
    """What parsed clauses say, in the words of the effect language; estimates without their bounds."""
    return "; ".join(_clause(node) for node in nodes) or "nothing"


def _clause(node: Node) -> str:
    if node.form.op == Op.CHOOSE:
        return "choose (" + " | ".join(phrase(side.body) for side in node.body) + ")"
    said = _said(node)
    if not node.body:
        return said
    body = phrase(node.body)
    inner = f"({body})" if len(node.body) > 1 else body
    return f"may {inner}" if node.form.op == Op.MAY else f"{said}: {inner}"


def _said(node: Node) -> str:
    """The words of one clause: the variant of its pattern that has the slots which were filled."""
    slots = dict(zip(node.form.slots, node.values, strict=False))
    fits = [v for v in node.form.variants if {name for kind, name, _ in v if kind == "slot"} == set(node.said)]
    chosen = fits[-1 if slots.get("n") == 1 else 0]  # "1 guest", "2 guests"
    return " ".join(
        name if kind == "word" else node.said[name] if vocabulary else str(slots[name])
        for kind, name, vocabulary in chosen
    )


class Names:
    """What cards, monsters, rooms and pieces of a configuration are called."""

    def __init__(self, configuration: Configuration) -> None:
        content = configuration.content
        sections = content.sections
        self.rules = configuration.rules[0]
        self.effects: Mapping[tuple[str, str, str], Effect] = content.effects
        self.monster_slugs = list(sections["monsters"])
        self.entries: list[Any] = list(sections["monsters"].values())
        self.monsters = [entry.name for entry in self.entries]
        self.card_slugs = list(sections["cards"])
        self.cards = [entry.name for entry in sections["cards"].values()]
        self.rooms = [entry.name for entry in rooms(configuration).values()]
        self.bot = int(self.rules["bot"])

    def who(self, seat: int) -> str:
        """A seat in the middle of a sentence."""
        return "the automaton" if self.bot and seat == 0 else f"player {seat}"

    def kinds(self, kit: int) -> list[str]:
        """Names of a monster's figures and tokens, by kind."""
        return list(self.entries[kit].kinds)

    def kind(self, kit: int, piece: int) -> str:
        """What a piece of a monster is."""
        return self.kinds(kit)[int(self.rules["piece_kind"][kit, piece])].replace("-", " ")

    def count(self, kit: int, piece: int) -> int:
        """How many pieces of this one's kind the monster has."""
        return int(self.rules["kind_count"][kit, int(self.rules["piece_kind"][kit, piece])])

    def lone(self, kit: int, piece: int) -> bool:
        """Whether a piece is the monster's one figure."""
        figures = self.rules["piece_figure"][kit, : int(self.rules["kit_pieces"][kit])]
        return bool(figures[piece] == 1 and figures.sum() == 1)

    def ability(self, number: int) -> str:
        """A named ability or space of a monster."""
        kit, place = divmod(number, ABILITIES)
        names = [*self.entries[kit].abilities, *self.entries[kit].spaces]
        return names[place] if place < len(names) else f"ability {place + 1}"

    def doing(self, number: int) -> str:
        """An ability as boards print it, in capitals; a space as a space."""
        name = self.ability(number).replace("-", " ")
        return f"the space {name}" if self.is_space(number) else name.upper()

    def is_space(self, number: int) -> bool:
        """Whether an ability's number is that of a space of the board."""
        kit, place = divmod(number, ABILITIES)
        return place >= len(self.entries[kit].abilities)

    def card_text(self, card: int) -> Effect | None:
        """A card's effect."""
        return self.effects.get(("cards", self.card_slugs[card], "effect"))

    def ability_text(self, number: int) -> Effect | None:
        """The effect of an ability or space."""
        key = "spaces" if self.is_space(number) else "abilities"
        return self.effects.get(("monsters", self.monster_slugs[number // ABILITIES], f"{key}.{self.ability(number)}"))

    def monster_text(self, kit: int, key: str) -> Effect | None:
        """The set-up, turn or standing rules of a monster."""
        return self.effects.get(("monsters", self.monster_slugs[kit], key))


def rooms(configuration: Configuration) -> dict[str, Any]:
    """The rooms of the map that is played on, by slug, in the order of their numbers."""
    sections = configuration.content.sections
    chosen = str(configuration.settings["map"])
    return {slug: entry for slug, entry in sections["rooms"].items() if entry.map == chosen}


class Table:
    """What a reader of the trace knows: who plays which monster, where pieces lie, points, the texts in play."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.kit: dict[int, int] = {}
        self.at: dict[tuple[int, int], int] = {}
        self.points: dict[int, int] = {}
        self.tickets: Counter[int] = Counter()
        self.texts: list[Sequence[Node]] = []
        self.told: set[str] = set()  # what texts have been quoted

    def follow(self, event: Event, seat: int, a: int, b: int, c: int) -> None:
        """Take an event into account."""
        if event == Event.KIT:
            self.kit[seat], self.points[seat] = a, b
        elif event == Event.POINTS:
            self.points[seat] = c
        elif event == Event.TICKET:
            self.tickets[seat] = a
        elif event in (Event.FIGURE, Event.TOKEN):
            self.at[seat, a] = b
        elif event in (Event.TURN, Event.SETUP) and seat in self.kit:
            self.texts = []
            self.note(self.names.monster_text(self.kit[seat], "turn" if event == Event.TURN else "setup"))
        elif event == Event.CARD:
            self.note(self.names.card_text(a))
        elif event == Event.ABILITY:
            self.note(self.names.ability_text(a))
        elif event == Event.TRIGGER:
            self.texts += self.standing(seat, a)
        elif event == Event.ANSWER and option_parts(b)[0] == Option.BRANCH and (side := self.branch(b)) is not None:
            self.texts.append(side)

    def standing(self, seat: int, when: int) -> list[Sequence[Node]]:
        """The standing effects of a seat's monster that this sets off."""
        text = self.names.monster_text(self.kit[seat], "standing") if seat in self.kit else None
        nodes = text.nodes if text is not None else ()
        return [node.body for node in nodes if node.form.op == Op.WHEN and node.values[-1] == when]

    def note(self, text: Effect | None) -> None:
        """A text begins to be resolved."""
        if text is not None:
            self.texts.append(text.nodes)

    def branch(self, option: int) -> Sequence[Node] | None:
        """The side of the choice that is open: the one of the last text that has so many sides."""
        side = option_parts(option)[1]
        for nodes in reversed(self.texts):
            for node in (inner for outer in nodes for inner in outer.walk()):
                if node.form.op == Op.CHOOSE and side < len(node.body):
                    return node.body[side].body
        return None

    def monster(self, seat: int) -> str:
        """A monster by name, as far as it is known."""
        return self.names.monsters[self.kit[seat]] if seat in self.kit else f"the monster of {self.names.who(seat)}"

    def seat(self, seat: int) -> str:
        """`player 2 (Remover)`."""
        who = self.names.who(seat)
        return f"{who} ({self.monster(seat)})" if seat in self.kit else who

    def room(self, room: int) -> str:
        """A room by name; a token that is a room by whose it is."""
        if room < 0:
            return "nowhere"
        if room >= EXTRA:
            seat = room - EXTRA
            kind = int(self.names.rules["room_kind"][self.kit[seat]]) if seat in self.kit else NONE
            what = self.names.kinds(self.kit[seat])[kind].replace("-", " ") if kind != NONE else "extra room"
            return f"the {what} of {self.names.who(seat)}"
        name = self.names.rooms[room] if room < len(self.names.rooms) else f"room {room + 1}"
        return name if name.startswith("The ") else f"the {name}"

    def piece(self, seat: int, piece: int, placed: bool = True) -> str:
        """A figure or token of a seat, and, where it is known, its place."""
        if seat not in self.kit:
            return f"piece {piece + 1} of {self.names.who(seat)}"
        kit = self.kit[seat]
        lone = self.names.lone(kit, piece)
        name = self.monster(seat) if lone else f"{self.names.kind(kit, piece)} of {self.monster(seat)}"
        where = self.at.get((seat, piece))
        return name if not placed or where is None else f"{name} {self.place(seat, where)}"

    def place(self, seat: int, place: int) -> str:
        """Where a piece is: `in the Crypt`, `at 27 on the score track`."""
        if place == SUPPLY:
            return "in the supply"
        if place >= BETWEEN:
            a, b = divmod(place - BETWEEN, 16)
            return f"between {self.room(a)} and {self.room(b)}"
        if place >= TRACK:
            return f"at {place - TRACK} on the score track"
        if place >= BOARD:
            kit = self.kit.get(seat, NONE)
            spaces = list(self.names.entries[kit].spaces) if kit != NONE else []
            space = place - BOARD
            return f"on the space {spaces[space].replace('-', ' ') if space < len(spaces) else space + 1}"
        return f"in {self.room(place)}"
