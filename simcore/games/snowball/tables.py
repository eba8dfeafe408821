"""From content and settings to the ``rules`` record: the models of the sections, the words of the cards, the rulings.

``load_content`` reads the TOML files, ``make_rules`` fills every field of ``layout.RULES`` that content and parameters
decide (not the seed, not the line-up). What exceeds a capacity of the record is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from simcore.cards import Shipped, card_id, check_fits
from simcore.content import Content, Entry
from simcore.effects import Control, Effect, Language, OpTable, Verb
from simcore.errors import InputError, nearest
from simcore.games.snowball import layout
from simcore.games.snowball.layout import NONE, Bat, ItemUse, Keyword, Op, Tally, Whom
from simcore.parameter import Parameter, Value

FOLDER = Path(__file__).parent / "content"
MOST_COVER = layout.COVERS - 1  # covers are counted apart from 0 to this

# --- the words of the cards (docs/effect-language.md) ----------------------------------------------------------------

ACTS = (
    Verb("throw {n}", Op.THROW, bounds=(1, 4), meaning="throw so many snowballs, one after the other"),
    Verb("clear out", Op.CLEAR_OUT, fixed=(1,), meaning="clear out"),
    Verb(
        "clear out best of {n}",
        Op.CLEAR_OUT,
        bounds=(1, layout.KEPT),
        meaning="clear out, draw so many locations, keep one",
    ),
    Verb("recover {n}", Op.RECOVER, bounds=(1, 6), meaning="flip so much lost gear back"),
    Verb("recover {n} for poorer", Op.RECOVER_POORER, bounds=(1, 6), meaning="a player with less gear flips gear back"),
    Verb("give {n} gear to poorer", Op.GIVE, bounds=(1, 6), meaning="give gear to a player with less, never the last"),
    Verb("pool hands", Op.POOL_HANDS, meaning="shuffle all hands together, hand back as many"),
    Verb("discard hand", Op.DISCARD_HAND, meaning="discard the whole hand"),
    Verb("discard item", Op.DISCARD_ITEM, meaning="discard the items before one"),
    Verb("draw item", Op.DRAW_ITEM, fixed=(1,), meaning="draw an item beside what is held"),
    Verb("lose {n} gear", Op.LOSE, bounds=(1, 6), meaning="lose gear without a hit"),
    Verb(
        "covers {n}",
        Op.LASTING_COVER,
        bounds=(-20, 20),
        within=("until your next turn",),
        meaning="added to every cover",
    ),
    Verb(
        "no quickshots",
        Op.LASTING_NO_QUICKSHOTS,
        within=("until your next turn",),
        meaning="nobody answers with a QuickShot",
    ),
)
ACT_CONTROLS = (
    Control("for each player", Op.FOR_EACH, fixed=(Whom.PLAYER,), meaning="every living player, clockwise from you"),
    Control("for each other player", Op.FOR_EACH, fixed=(Whom.OTHER_PLAYER,), meaning="the same without you"),
    Control("until your next turn", meaning="lasts until your next turn begins or you are sent inside"),
)
EVENT = Language("an Event", ACTS, ACT_CONTROLS, deepest=1)
ITEM = {
    "modifier": Language(
        "a Modifier",
        (Verb("power {n}", "item_power", bounds=(-10, 20), meaning="added to the snowball it is thrown with"),),
    ),
    "condition": Language(
        "a Condition",
        (Verb("cover {n}", "item_cover", bounds=(-20, 20), meaning="added to the cover while it lies there"),),
    ),
    "response": Language(
        "a Response",
        (
            Verb("save", "item_saves", fixed=(1,), meaning="a hit costs no gear"),
            Verb("bat to {where:place}", "item_bats", meaning="a snowball thrown at you goes elsewhere"),
        ),
        words={"place": {"thrower": Bat.THROWER, "anyone": Bat.ANYONE, "discard": Bat.DISCARD}},
    ),
    "action": Language("an Action", ACTS, ACT_CONTROLS, deepest=1),
}
KID = Language(
    "a Kid",
    (
        Verb("power {n}", "kid_power", bounds=(-8, 20), within=("always",), meaning="added to own throws"),
        Verb("hand {n}", "kid_hand", bounds=(0, 6), within=("always",), meaning="added to the hand size"),
        Verb(
            "locations {n}",
            "kid_locations",
            bounds=(1, layout.KEPT),
            within=("always",),
            meaning="drawn when clearing out, one is kept",
        ),
        Verb(
            "items {n}",
            "kid_items",
            bounds=(1, layout.KEPT),
            within=("always",),
            meaning="drawn when clearing out, one is kept",
        ),
        Verb("save", "kid_saves", fixed=(1,), within=("once",), meaning="a hit costs no gear"),
        Verb(
            "save from quickshot", "kid_saves_quickshot", fixed=(1,), within=("once",), meaning="only a QuickShot's hit"
        ),
        Verb("power {n}", "kid_boost", bounds=(1, 20), within=("once",), meaning="added to one throw"),
        Verb("clear out", "kid_free_clear", fixed=(1,), within=("once",), meaning="before a turn, in addition to it"),
    ),
    (
        Control("always", meaning="all game long"),
        Control("once", meaning="one time in a game; a kid has one use in all"),
    ),
    deepest=1,
)

# --- the sections ----------------------------------------------------------------------------------------------------


class Snowball(Entry):
    """A Snowball or QuickShot of one number."""

    number: int = Field(ge=1, le=20, description="number")
    quickshot: bool = Field(False, description="is a QuickShot")


class Location(Entry):
    """A location."""

    cover: int = Field(ge=1, le=MOST_COVER, description="cover number")


class _Acting(Entry):
    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str = ""


class Item(_Acting):
    """An item; its keyword decides which words its effect may use."""

    keyword: Literal["modifier", "condition", "response", "action"] = Field(description="keyword")

    def language(self, key: str) -> Language:
        return ITEM[self.keyword]


class Event(_Acting):
    """An Event card of the snowball deck."""

    def language(self, key: str) -> Language:
        return EVENT


class Kid(_Acting):
    """A kid."""

    def language(self, key: str) -> Language:
        return KID


def sections() -> dict[str, type[Entry]]:
    """The sections of the content, in the order in which their cards are numbered."""
    return {"snowballs": Snowball, "events": Event, "locations": Location, "items": Item, "kids": Kid}


_SHIPPED = Shipped(FOLDER, sections)
load_content = _SHIPPED.load
overlays = _SHIPPED.overlays

# --- the rulings ----------------------------------------------------------------------------------------------------


def _ruling(name: str, default: str | bool, meaning: str, *choices: str) -> Parameter:
    kind = "choice" if choices else "flag"
    return Parameter(f"ruling.{name}", kind, default, meaning, choices=choices, source="ruling")


# The position of a choice in its list is its value in the record.
RULINGS: tuple[Parameter, ...] = (
    _ruling(
        "start_cover",
        "printed",
        "R3: which cover decides who starts, with or without a Condition",
        "printed",
        "current",
    ),
    _ruling(
        "quickshot_number",
        "printed",
        "R13: what a QuickShot must match: the number on the card, or all that the throw adds (modifier, kid)",
        "printed",
        "total",
    ),
    _ruling(
        "quickshot_responders",
        "all",
        "R14: whose QuickShots count if several answer one throw",
        "all",
        "first_in_order",
        "random",
    ),
    _ruling("quickshot_answers_quickshot", False, "R15: an answer can be answered by a QuickShot of its number"),
    _ruling("save_from_quickshot", True, "R17: an item that saves from a hit also saves from a QuickShot's hit"),
    _ruling("bat_chain", True, "R18: a batted snowball can be batted once more by its new target"),
    _ruling("refill", "after_throw", "R21, B5: when hands are filled up", "after_throw", "at_once"),
    _ruling("quickshot_counts_as_throw", False, "R22: a QuickShot answer counts as a throw for the two-player rule"),
    _ruling("eliminated_cards", "discard", "R24: where the cards of a player sent inside go", "discard", "out_of_game"),
    _ruling("end_test", "any_change", "R27: what can decide between the last two", "any_change", "hits_only"),
    _ruling("action_resets_clear_rule", False, "R31: an Action item between two Clear Outs is enough"),
    _ruling(
        "forced_clear_counts", False, "R31: a Clear Out by Event or the 5-6 player rule counts for the two-player rule"
    ),
    _ruling("auto_clear_after", "any_hit", "R32: after which hits one clears out at once", "any_hit", "gear_lost"),
    _ruling(
        "auto_clear_scope", "starting", "R33: which number of players the 5-6 player rule asks", "starting", "living"
    ),
    _ruling(
        "cover_drop",
        "next_snowball",
        "R8: a cover falls to the stack's total: when it hits",
        "next_snowball",
        "at_once",
    ),
    _ruling("reshuffle", "when_needed", "R40: when discards are shuffled into a deck", "when_needed", "when_empty"),
    _ruling(
        "mom_hollering_eliminated", "out", "R44: whether gear can bring back players without any", "out", "returns"
    ),
)
FIRST_PLAYER = ("lowest_cover", "highest_cover", "random", "first_seat")
KIDS = ("off", "random", "chosen", "fixed")

# --- cards -----------------------------------------------------------------------------------------------------------


def _ids(section: str, slug: str, copies: int) -> list[int]:
    return [card_id(section, slug, copy) for copy in range(copies)]


def _half_up(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def component_names(content: Content) -> list[tuple[str, int]]:
    """What is counted apart, as (group, first tally slot): the slot counts "drawn", the next one "used"."""
    labels = [f"{kind}={slug}" for section, kind in _COUNTED for slug in content.sections[section]]
    room = (layout.TALLIES - Tally.COMPONENTS) // 2
    check_fits("different Events, items and kids together", len(labels), room)
    return [(label, Tally.COMPONENTS + 2 * i) for i, label in enumerate(labels)]


_COUNTED = (("events", "event"), ("items", "item"), ("kids", "kid"))


# --- the record -----------------------------------------------------------------------------------------------------


def make_rules(settings: Mapping[str, Value | None], content: Content) -> np.ndarray:
    """A 1-element array of ``layout.RULES`` without seed and line-up. Raises InputError naming what does not fit."""
    array = np.zeros(1, layout.RULES)
    rules = array[0]
    slots = dict(component_names(content))
    table = OpTable(layout.OPS, width=1)
    for field in ("stream_number", "deal_item", "deal_location", "deal_hand", "kid_of"):
        rules[field] = NONE
    for field in ("component_kind", "component_item", "component_kid"):
        rules[field] = NONE
    rules["mask"] = np.iinfo(np.uint64).max
    rules["tallies"] = Tally.COMPONENTS + 2 * len(slots)
    _settings(rules, settings)
    _snowballs(rules, settings, content, table, slots)
    _locations(rules, content)
    _items(rules, content, table, slots)
    _kids(rules, settings, content, slots)
    table.fill(rules, "op", ("op_a",), "op_end")
    _check_room(rules, content)
    return array


def _settings(rules: Any, settings: Mapping[str, Value | None]) -> None:
    rules["seats"] = settings["players"]
    for name in ("turn_cap", "gear", "hand_size", "cover_shift", "auto_clear_from", "two_player_clear_rule"):
        rules[name] = settings[name]
    rules["first_player"] = FIRST_PLAYER.index(str(settings["first_player"]))
    for ruling in RULINGS:
        value = ruling.read(settings.get(ruling.name, ruling.default))
        rules[ruling.name.removeprefix("ruling.")] = (
            ruling.choices.index(str(value)) if ruling.kind == "choice" else int(value)
        )


def _snowballs(
    rules: Any, settings: Mapping[str, Value | None], content: Content, table: OpTable, slots: Mapping[str, int]
) -> None:
    """The snowball deck: Snowballs and QuickShots, then the Events."""
    snowballs, events = content.sections["snowballs"], content.sections["events"]
    check_fits("different cards in the snowball deck", len(snowballs) + len(events), layout.KINDS)
    each = settings["quickshots_per_number"]
    copies = [e.copies if each is None or not e.quickshot else int(each) for e in snowballs.values()]
    copies += [e.copies for e in events.values()]
    check_fits("cards in the snowball deck", sum(copies), layout.CARDS)
    names = [("snowballs", slug) for slug in snowballs] + [("events", slug) for slug in events]
    _deck(rules, "cards", "card_kind", "card_id", names, copies)
    for kind, entry in enumerate(snowballs.values()):
        rules["number"][kind] = 0 if entry.blank else entry.number
        rules["is_quickshot"][kind] = entry.quickshot and not entry.blank
    kinds = rules["card_kind"][: rules["cards"]]
    rules["quickshot_bit"][: rules["cards"]] = np.where(rules["is_quickshot"][kinds], 1 << rules["number"][kinds], 0)
    for kind, (slug, entry) in enumerate(events.items(), start=len(snowballs)):
        rules["is_event"][kind] = 1
        effect = Effect("") if entry.blank else content.effects["events", slug, "effect"]
        rules["event_start"][kind], rules["event_end"][kind] = table.add(effect.nodes, content.where("events", slug))
        rules["component_kind"][kind] = slots[f"event={slug}"]
    printed = sum(e.copies for e in events.values())
    count, density = settings["events"], settings["event_density"]
    wanted = printed
    if count is not None:
        wanted = int(count)
    elif density is not None:
        wanted = int(float(density) * printed + 0.5)
    if not 0 <= wanted <= printed:
        given = f"events = {count}" if count is not None else f"event_density = {density:g} ({wanted} Events)"
        raise InputError(f"{given}: the snowball deck has {printed} Events")
    check_fits("Events in the box", printed - wanted, layout.BOX)
    rules["events"] = wanted


def _deck(
    rules: Any, count: str, kind_of: str, ids: str, names: Sequence[tuple[str, str]], copies: Sequence[int]
) -> None:
    """Number a deck's cards: those of a kind lie together, each with its own key."""
    at = 0
    for kind, ((section, slug), n) in enumerate(zip(names, copies, strict=True)):
        rules[kind_of][at : at + n] = kind
        rules[ids][at : at + n] = _ids(section, slug, n)
        at += n
    rules[count] = at
    rules[kind_of][at:] = NONE


def _locations(rules: Any, content: Content) -> None:
    locations = content.sections["locations"]
    cards = sum(e.copies for e in locations.values())
    check_fits("different locations", len(locations), layout.LOCATION_KINDS)
    check_fits("cards in the location deck", cards, layout.LOCATIONS)
    if cards < rules["seats"]:
        raise InputError(f"the location deck has {cards} cards, too few for {rules['seats']} players")
    copies = [e.copies for e in locations.values()]
    _deck(rules, "location_cards", "location_kind", "location_id", [("locations", s) for s in locations], copies)
    mean = _half_up(sum(e.copies * e.cover for e in locations.values()), cards)
    shift = int(rules["cover_shift"])
    for kind, (slug, entry) in enumerate(locations.items()):
        cover = mean if entry.blank else entry.cover
        if not 1 <= cover + shift <= MOST_COVER:
            raise InputError(
                f"cover_shift = {shift} makes the cover of {slug!r} {cover + shift}; covers are 1..{MOST_COVER}"
            )
        rules["location_cover"][kind] = cover


def _items(rules: Any, content: Content, table: OpTable, slots: Mapping[str, int]) -> None:
    items = content.sections["items"]
    copies = [e.copies for e in items.values()]
    check_fits("different items", len(items), layout.ITEM_KINDS)
    check_fits("cards in the item deck", sum(copies), layout.ITEMS)
    _deck(rules, "item_cards", "item_kind", "item_id", [("items", s) for s in items], copies)
    for kind, (slug, entry) in enumerate(items.items()):
        rules["component_item"][kind] = slots[f"item={slug}"]
        keyword = Keyword[entry.keyword.upper()]
        if entry.blank:  # keeps its keyword; an Action without effect would be a free pass, so it cannot be used
            rules["item_keyword"][kind] = Keyword.CONDITION if keyword == Keyword.ACTION else keyword
            continue
        rules["item_keyword"][kind] = keyword
        effect = content.effects["items", slug, "effect"]
        if keyword == Keyword.ACTION:
            rules["item_start"][kind], rules["item_end"][kind] = table.add(effect.nodes, content.where("items", slug))
            rules["item_clears"][kind] = _clears_user(effect)
        else:
            _fill(rules, kind, effect, content.where("items", slug))
    uses = np.zeros(layout.ITEM_KINDS, np.int64)
    for use, does in (
        (ItemUse.MODIFIES, rules["item_keyword"] == Keyword.MODIFIER),
        (ItemUse.ACTS, rules["item_keyword"] == Keyword.ACTION),
        (ItemUse.BATS, rules["item_bats"] != 0),
        (ItemUse.SAVES, rules["item_saves"] != 0),
        (ItemUse.COVERS, rules["item_cover"] != 0),
    ):
        uses |= np.where(does, use, 0)
    cards = slice(int(rules["item_cards"]))
    rules["item_use"][cards] = uses[rules["item_kind"][cards]]


def _clears_user(effect: Effect) -> bool:
    """Whether an Action item makes its own user clear out."""
    own = [n for n in effect.nodes if n.values[:1] != (Whom.OTHER_PLAYER,) or n.form.op != Op.FOR_EACH]
    return any(inner.form.op == Op.CLEAR_OUT for n in own for inner in n.walk())


def _fill(rules: Any, kind: int, effect: Effect, where: str) -> None:
    """Write the effects that are no rows into the fields that their verbs name; each may be said once."""
    said: set[str] = set()
    for node in effect.walk():
        if isinstance(node.form.op, str):
            if node.form.op in said:
                raise InputError(f"{where}, effect: {node.form.pattern!r} is said twice")
            said.add(node.form.op)
            rules[node.form.op][kind] = node.values[0]


def _kids(rules: Any, settings: Mapping[str, Value | None], content: Content, slots: Mapping[str, int]) -> None:
    """One row a kid card, copies of a kid one after the other."""
    kids = content.sections["kids"]
    cards = [(slug, copy) for slug, entry in kids.items() for copy in range(entry.copies)]
    check_fits("kids", len(cards), layout.KIDS)
    rules["kid_cards"] = len(cards)
    rules["kid_locations"] = rules["kid_items"] = 1
    for row, (slug, copy) in enumerate(cards):
        rules["kid_id"][row] = card_id("kids", slug, copy)
        rules["component_kid"][row] = slots[f"kid={slug}"]
        if not kids[slug].blank:
            _fill(rules, row, content.effects["kids", slug, "effect"], content.where("kids", slug))
    how = KIDS.index(str(settings["kids"]))
    rules["kids"] = how
    seats = int(rules["seats"])
    if KIDS[how] in ("random", "chosen") and len(cards) < seats:
        raise InputError(f"kids = {KIDS[how]}: {len(cards)} kids are too few for {seats} players")
    if KIDS[how] == "fixed":
        named = [slug for slug, _ in cards]
        for player in range(seats):
            slug = str(settings.get(f"kid.{player}") or "none")
            if slug != "none" and slug not in named:
                raise InputError(f"kid.{player}: no kid {slug!r}{nearest(slug, [*named, 'none'])}")
            rules["kid_of"][player] = NONE if slug == "none" else named.index(slug)


def _check_room(rules: Any, content: Content) -> None:
    """Hands and options must fit at their largest, and the opening hands must be there."""
    how, seats, hand = KIDS[int(rules["kids"])], int(rules["seats"]), int(rules["hand_size"])
    kids = (
        [k for k in rules["kid_of"] if k != NONE]
        if how == "fixed"
        else range(rules["kid_cards"] if how != "off" else 0)
    )
    more = max((int(rules["kid_hand"][k]) for k in kids), default=0)
    boost = any(rules["kid_boost"][k] for k in kids)
    largest = hand + more
    said = f"hand_size = {hand}" + (f" and a kid's {more} more" if more else "")
    if largest > layout.HAND:
        raise InputError(f"{said}: a hand of {largest} cards, and {layout.HAND} fit")
    draws = bool((rules["op"] == int(Op.DRAW_ITEM)).any())
    modifiers = (
        (layout.HELD if draws else 1)
        if Keyword.MODIFIER in rules["item_keyword"][: len(content.sections["items"])]
        else 0
    )
    options = largest * (seats - 1) * (1 + modifiers) * (2 if boost else 1) + layout.HELD + 2
    if options > layout.OPTIONS:
        raise InputError(f"{said} with {seats} players: up to {options} options in a turn, and {layout.OPTIONS} fit")
    numbered = int(rules["cards"]) - int(np.count_nonzero(rules["is_event"][rules["card_kind"][: rules["cards"]]]))
    if numbered < seats * largest:
        raise InputError(f"the snowball deck has {numbered} cards besides Events; {seats} hands of {largest} need more")
