"""The words of the cards: what spooky actions, search cards, items, symbols, rides and goals can say
(docs/effect-language.md).

Colours, directions and Feds are fixed words; symbols, buildings and landmarks are words that the content itself gives
(``vocabularies``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simcore.effects import Control, Effect, Language, Verb
from simcore.games.snallygaster.layout import ANY_COLOUR, ANY_SYMBOL, Ability, Direction, Op, Part, Place, Window

COLOURS = ("red", "blue", "green", "yellow")
FEDS = ("red", "blue", "any")
DIRECTIONS = {d.name.lower(): int(d) for d in Direction}
WORDS: dict[str, dict[str, int]] = {
    "direction": DIRECTIONS,
    "fed": {name: i for i, name in enumerate(FEDS)},
    "colour": {**{name: i for i, name in enumerate(COLOURS)}, "any": ANY_COLOUR},
}

VERBS = (
    Verb("monster {where:direction}", Op.MONSTER, meaning="the monster goes one district that way and attacks"),
    Verb("monster nearest", Op.NEAREST, meaning="it goes one district towards the closest Kid and attacks"),
    Verb("monster length {where:direction}", Op.LENGTH, meaning="it goes as far as it can that way and attacks"),
    Verb("attack", Op.ATTACK, meaning="it attacks where it is"),
    Verb("lure {n}", Op.LURE, bounds=(0, 4), meaning="you move it so many districts; it attacks where it ends"),
    Verb("push {n}", Op.PUSH, bounds=(0, 4), meaning="the same without an attack"),
    Verb("stun", Op.STUN, meaning="the Lost Kid gets the Stun token: the next monster action does not happen"),
    Verb("cancel", Op.CANCEL, meaning="the monster action about to happen does not"),
    Verb("dodge", Op.DODGE, meaning="you are not hit by what is about to happen"),
    Verb("feds {who:fed} {n}", Op.FEDS, bounds=(0, 6), meaning="this Fed drives so many intersections"),
    Verb("hold feds", Op.HOLD_FEDS, meaning="the Feds' next step does not happen"),
    Verb("doom {n}", Op.DOOM, bounds=(0, 5), meaning="the doom marker goes forward"),
    Verb("token {where:colour}", Op.TOKEN, meaning="a search token on a building of this colour"),
    Verb("move kid {n}", Op.MOVE_KID, bounds=(0, 8), meaning="move any Kid up to so many spaces in any direction"),
    Verb("new hand", Op.NEW_HAND, meaning="discard the hand, draw a new one, +1 doom"),
    Verb("free move {n}", Op.FREE_MOVE, bounds=(0, 12), meaning="move up to so many spaces; no search afterwards"),
    Verb("move {n}", Op.MOVE, bounds=(0, 12), meaning="more steps in your movement; at another time a free move"),
    Verb("symbol {what:symbol}", Op.SYMBOL, meaning="take the top tile of this symbol and do what it says"),
    Verb("item {n}", Op.ITEM, bounds=(0, 4), meaning="draw so many item cards"),
    Verb("refresh wheels", Op.REFRESH_WHEELS, meaning="turn all your wheels up"),
    Verb("refresh items", Op.REFRESH_ITEMS, meaning="turn all your items up"),
    Verb("spare wheel", Op.SPARE_WHEEL, meaning="get one of the two spare wheel tokens, face up"),
    Verb("diagonal", Op.ABILITY, fixed=(Ability.DIAGONAL,), meaning="move diagonally until the end of the turn"),
    Verb("cross fences", Op.ABILITY, fixed=(Ability.CROSS_FENCES,), meaning="fences do not stop you this turn"),
    Verb("stop on feds", Op.ABILITY, fixed=(Ability.STOP_ON_FEDS,), meaning="end a movement on a Fed this turn"),
    Verb("trade anywhere", Op.ABILITY, fixed=(Ability.TRADE_ANYWHERE,), meaning="trade with any Kid this turn"),
    Verb("search", Op.SEARCH, meaning="draw a search card"),
    Verb("bystander {n}", Op.BYSTANDER, bounds=(0, 12), meaning="bystanders on buildings, by lot"),
    Verb("star {n}", Op.STAR, bounds=(0, 8), meaning="star tokens on buildings, by lot"),
    Verb("mirror {n}", Op.MIRROR, bounds=(0, 8), meaning="reflection tokens on buildings, by lot"),
    Verb("tree {n}", Op.TREE, bounds=(0, 8), meaning="tree tokens on buildings, by lot"),
    Verb("hatchling {n}", Op.HATCHLING, bounds=(0, 4), meaning="hatchlings on trees, by lot"),
    Verb("searchlight {n}", Op.LIGHT, bounds=(0, 4), meaning="searchlights on districts that you choose"),
    Verb("curse", Op.CURSE, meaning="you get a curse token"),
    Verb("lift curse", Op.LIFT_CURSE, meaning="your curse tokens go back"),
    Verb("smash mirror", Op.SMASH, meaning="a reflection token that you choose goes back"),
    Verb("soul {n}", Op.SOUL, bounds=(0, 6), meaning="souls more in the mirror world; every third is +1 doom"),
    Verb("reveal", Op.REVEAL, meaning="a hidden monster is shown until it moves"),
    Verb("hide", Op.HIDE, meaning="the monster is hidden again"),
)
CONTROLS = (
    Control("within {n}", Op.WITHIN, bounds=(0, 8), meaning="only if the monster is at most so many districts away"),
    Control("if rescued", Op.IF_RESCUED, meaning="only once the Lost Kid is free"),
    Control("each kid", Op.EACH_KID, meaning="every Kid on the board"),
)
ACT = Language(
    "a card", VERBS, CONTROLS, words=WORDS, may=int(Op.MAY), choose=(int(Op.CHOOSE), int(Op.BRANCH)), deepest=3
)
RIDE = Language(
    "a Ride",
    (
        Verb("road {n}", "ride_road", bounds=(0, 6), meaning="steps more after ending on a road, instead of the usual"),
        Verb("off road {n}", "ride_off_road", bounds=(0, 6), meaning="steps more after ending off the road"),
        Verb("diagonal", "ride_ability", fixed=(Ability.DIAGONAL,), meaning="always moves diagonally, too"),
        Verb("cross fences", "ride_ability", fixed=(Ability.CROSS_FENCES,), meaning="fences do not stop it"),
        Verb("stop on feds", "ride_ability", fixed=(Ability.STOP_ON_FEDS,), meaning="may end on a Fed's space"),
        Verb("trade within {n}", "ride_trade", bounds=(0, 30), meaning="trades with Kids so many spaces away"),
        Verb("reuse wheel", "ride_reuse", fixed=(1,), meaning="one wheel a second time, once per refresh"),
        Verb("pocket {n}", "ride_pocket", bounds=(0, 4), meaning="so many more items at the start"),
    ),
)
_PAYING = "[paying {price} {kind:symbol}]"
GOAL = Language(
    "a Goal",
    (
        Verb(
            f"search {{place:place}} {_PAYING}",
            int(Part.SEARCH),
            bounds=(0, 9),
            defaults={"price": 0, "kind": ANY_SYMBOL},
            meaning="a Kid ends his movement there and searches",
        ),
        Verb(
            f"enter {{place:place}} {_PAYING}",
            int(Part.ENTER),
            bounds=(0, 9),
            defaults={"price": 0, "kind": ANY_SYMBOL},
            meaning="a Kid moves into it",
        ),
        Verb("rescue", int(Part.RESCUE), meaning="the Lost Kid is free"),
    ),
    (Control("{n} times", 9, bounds=(1, 9), meaning="so often"),),
    deepest=1,
)
TOKENS = {
    "a treehouse": Place.TREEHOUSE,
    "a star": Place.STAR,
    "a mirror": Place.MIRROR,
    "a tree": Place.TREE,
    "a hatchling": Place.HATCHLING,
    "the monster": Place.MONSTER,
}

# What an item can be good for outside its owner's own movement; a control needs what it governs.
_REACTS = {
    Op.LURE: (Window.MONSTER,),
    Op.PUSH: (Window.MONSTER,),
    Op.STUN: (Window.MONSTER, Window.SEARCH),
    Op.CANCEL: (Window.MONSTER,),
    Op.DODGE: (Window.MONSTER, Window.FEDS),
    Op.FEDS: (Window.FEDS,),
    Op.HOLD_FEDS: (Window.FEDS, Window.SEARCH),
    Op.MOVE: (Window.MONSTER, Window.FEDS),
    Op.FREE_MOVE: (Window.MONSTER, Window.FEDS),
}
_ONLY_REACTS = {Op.CANCEL, Op.DODGE}
THREATS = {Op.MONSTER, Op.NEAREST, Op.LENGTH, Op.ATTACK, Op.FEDS, Op.DOOM, Op.SOUL, Op.CURSE}


def windows(effect: Effect, own_turn: bool) -> set[Window]:
    """The windows in which an item with this effect can be used."""
    ops = {Op(int(node.form.op)) for node in effect.walk() if isinstance(node.form.op, int)}
    found: set[Window] = set() if own_turn else {w for op in ops for w in _REACTS.get(op, ())}
    if own_turn or not ops & _ONLY_REACTS:
        found.add(Window.TURN)
    return found


def threatens(effect: Effect) -> bool:
    """Whether a search card has a threat: the monster, the Feds or doom."""
    return any(node.form.op in THREATS for node in effect.walk())


def phrase(slug: str) -> str:
    """How a text names an entry: its slug's words."""
    return slug.replace("-", " ")


def vocabularies(sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """The words that the content gives: kinds of symbol, and places as 64 Place + number."""
    kinds = symbol_kinds(sections)
    places = {words: 64 * int(place) for words, place in TOKENS.items()}
    for section, place in (("buildings", Place.BUILDING), ("landmarks", Place.LANDMARK)):
        for i, slug in enumerate(sections.get(section, ())):
            places[phrase(slug)] = 64 * int(place) + i
    return {"symbol": {**{kind: i for i, kind in enumerate(kinds)}, "any": ANY_SYMBOL}, "place": places}


def symbol_kinds(sections: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The kinds of symbol, in the order of the file."""
    return list(dict.fromkeys(entry.symbol for entry in sections.get("symbols", {}).values()))
