"""What the box of The Snallygaster Situation holds with one monster: cards in their order, as the content says them.

Texts are taken as the content's parser leaves them (a tree of clauses); the compiled rows of the simulator are not
looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simcore.games.snallygaster.layout import Ability, Op, Part, Window
from simcore.games.snallygaster.words import COLOURS

Clauses = tuple[Any, ...]  # nodes of the parser

MATTERS = {  # L14: where the effect of an item can matter outside its owner's own movement and search
    Window.MONSTER: {Op.LURE, Op.PUSH, Op.STUN, Op.CANCEL, Op.DODGE, Op.MOVE, Op.FREE_MOVE},
    Window.FEDS: {Op.DODGE, Op.FEDS, Op.HOLD_FEDS, Op.MOVE, Op.FREE_MOVE},
    Window.SEARCH: {Op.STUN, Op.HOLD_FEDS},
}
ANSWERS = {Op.CANCEL, Op.DODGE}  # these answer something about to happen, and are nothing without it
THREATS = {Op.MONSTER, Op.NEAREST, Op.LENGTH, Op.ATTACK, Op.FEDS, Op.DOOM, Op.SOUL, Op.CURSE}


def op_of(node: Any) -> Op:
    return Op(int(node.form.op))


def ops(clauses: Clauses) -> set[Op]:
    """All verbs and controls of a text."""
    return {op_of(inner) for node in clauses for inner in node.walk() if op_of(inner) != Op.BRANCH}


@dataclass(frozen=True)
class Clue:
    """A Lost Kid card."""

    slug: str
    spooky: Clauses
    action: Clauses
    movement: int
    diagonal: bool
    building: int


@dataclass(frozen=True)
class Thing:
    """An item, powered or search card, or a symbol tile."""

    slug: str
    effect: Clauses
    windows: frozenset[Window] = frozenset()
    powered: bool = False
    threat: bool = False
    kind: int = -1  # of a tile


@dataclass(frozen=True)
class Ride:
    """A ride; without one: the defaults."""

    road: int
    off_road: int = 0
    abilities: int = 0
    trade: int = 0
    reuse: bool = False
    pocket: int = 0


@dataclass(frozen=True)
class Need:
    """A part of a goal."""

    what: Part
    place: int = 0
    where: int = 0
    times: int = 1
    price: int = 0
    kind: int = 0


@dataclass(frozen=True)
class Goal:
    """A goal card."""

    needs: tuple[Need, ...]
    opens: Clauses
    reward: Clauses


@dataclass(frozen=True)
class Wheel:
    """A wheel token."""

    value: int
    diagonal: bool
    spare: bool


class Box:
    """All cards in play with the configuration's monster."""

    def __init__(self, configuration: Any) -> None:
        self.content = configuration.content
        sections, settings = self.content.sections, configuration.settings
        self.monster = settings["monster"]
        buildings = list(sections["buildings"])
        self.colours = [COLOURS.index(b.colour) for b in sections["buildings"].values()]
        self.clues = [
            Clue(
                slug,
                self.text("lost-kid-cards", slug, "spooky"),
                self.text("lost-kid-cards", slug, "action") if entry.action else (),
                entry.movement,
                entry.diagonal,
                buildings.index(entry.building),
            )
            for slug, entry in self.cards("lost-kid-cards")
        ]
        numbers = sorted(b.number for b in sections["buildings"].values())
        allowed = settings["hidden_buildings"]
        lowest = numbers[: len(numbers) if allowed is None else int(allowed)]
        self.may_hide = [b.number in lowest for b in sections["buildings"].values()]
        self.items = [self.item(slug, entry) for slug, entry in self.cards("items")]
        self.item_cards = len(self.items)
        self.items += [
            Thing(slug, self.text("powered-cards", slug, "effect"), self.windows("powered-cards", slug, False), True)
            for slug, _ in self.cards("powered-cards")
        ]
        self.searches = []
        for slug, _ in self.cards("search-cards"):
            effect = self.text("search-cards", slug, "effect")
            self.searches.append(Thing(slug, effect, threat=bool(ops(effect) & THREATS)))
        self.kinds = list(dict.fromkeys(e.symbol for e in sections["symbols"].values()))
        self.tiles = [
            Thing(slug, self.text("symbols", slug, "effect"), kind=self.kinds.index(entry.symbol))
            for slug, entry in self.cards("symbols")
        ]
        self.wheels = [Wheel(e.value, e.diagonal, e.spare) for _, e in self.cards("wheels")]
        self.no_ride = Ride(settings["road_bonus"])
        self.ride_slugs = [slug for slug, _ in self.cards("rides")]
        self.rides = [self.ride(slug) for slug in self.ride_slugs]
        story = sections["stories"][self.monster]
        self.mechanics = story.mechanics
        self.start = buildings.index(story.start)
        self.lair = list(sections["districts"]).index(story.lair)
        self.setup = self.text("stories", self.monster, "setup")
        self.quest = self.text("stories", self.monster, "quest")
        goals = [(e.order, slug) for slug, e in sections["goals"].items() if e.monster == self.monster and e.copies]
        self.goals = [self.goal(slug) for _, slug in sorted(goals)]

    def cards(self, section: str) -> list[tuple[str, Any]]:
        """Every card of a section that is in play, in the order of the file, each copy by itself."""
        entries = self.content.sections[section].items()
        in_play = [(s, e) for s, e in entries if getattr(e, "monster", "") in ("", self.monster)]
        return [(slug, entry) for slug, entry in in_play for _ in range(entry.copies)]

    def text(self, section: str, slug: str, key: str) -> Clauses:
        blank = self.content.sections[section][slug].blank
        return () if blank else tuple(self.content.effects[section, slug, key].nodes)

    def item(self, slug: str, entry: Any) -> Thing:
        return Thing(slug, self.text("items", slug, "effect"), self.windows("items", slug, entry.when == "own turn"))

    def windows(self, section: str, slug: str, own_turn: bool) -> frozenset[Window]:
        said = ops(self.text(section, slug, "effect"))
        if not said:
            return frozenset()
        found = {w for w, matters in MATTERS.items() if said & matters and not own_turn}
        if own_turn or not said & ANSWERS:
            found.add(Window.TURN)
        return frozenset(found)

    def ride(self, slug: str) -> Ride:
        found: dict[str, Any] = {"road": self.no_ride.road}
        for node in self.text("rides", slug, "effect"):
            words, number = node.form.pattern.split(" {")[0], node.values[0] if node.values else 0
            if words in ("road", "off road", "pocket"):
                found[words.replace(" ", "_")] = number
            elif words == "trade within":
                found["trade"] = number
            elif words == "reuse wheel":
                found["reuse"] = True
            else:
                found["abilities"] = found.get("abilities", 0) | int(Ability[words.upper().replace(" ", "_")])
        return Ride(**found)

    def goal(self, slug: str) -> Goal:
        needs: list[Need] = []

        def read(node: Any, times: int) -> None:
            if node.body:
                for inner in node.body:
                    read(inner, times * node.values[0])
            elif int(node.form.op) == Part.RESCUE:
                needs.append(Need(Part.RESCUE))
            else:
                place, price, kind = node.values
                needs.append(Need(Part(int(node.form.op)), place // 64, place % 64, times, price, kind))

        for node in self.text("goals", slug, "parts"):
            read(node, 1)
        return Goal(tuple(needs), self.text("goals", slug, "opens"), self.text("goals", slug, "reward"))
