"""From content and settings to the ``rules`` record: the models of the sections, the rulings, the decks of a monster.

``load_content`` reads the TOML files, ``make_rules`` fills every field of ``layout.RULES`` that content and parameters
decide (not the seed, not the line-up). What exceeds a capacity of the record is refused by name. The town's part of the
record is worked out in ``ways.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from simcore.cards import Shipped, card_id, check_fits
from simcore.content import Content, Entry
from simcore.effects import Effect, Language, Node, OpTable
from simcore.errors import InputError, nearest
from simcore.games.snallygaster import layout, town, ways, words
from simcore.games.snallygaster.layout import NONE, Part, Place, Tally
from simcore.parameter import Parameter, Value

FOLDER = Path(__file__).parent / "content"
KIDS = {2: 2, 3: 2, 4: 3, 5: 4}  # Kids on the board by number of players (rulebook, Kids & Pick a Monster)
RIDES = ("random", "fixed", "off")

# --- the sections ----------------------------------------------------------------------------------------------------


class _Card(Entry):
    """An entry whose texts are in the words of the cards."""

    def language(self, key: str) -> Language:
        return words.ACT

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        return words.vocabularies(sections)


class LostKidCard(_Card):
    """A Lost Kid card."""

    effects: ClassVar[tuple[str, ...]] = ("spooky", "action")
    spooky: str
    hint: str = Field("", description="landmark that its hint symbol shows")
    action: str = ""
    movement: int = Field(ge=1, le=12, description="movement of the rescued Lost Kid")
    diagonal: bool = Field(False, description="the movement may be diagonal")
    building: str = Field(description="building at the bottom of the card")
    monster: str = Field("", description="monster it belongs to")


class Item(_Card):
    """An item card."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str
    when: Literal["any", "own turn"] = Field("any", description="when it can be used")
    monster: str = Field("", description="monster it belongs to")


class Ride(Entry):
    """A ride card."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str

    def language(self, key: str) -> Language:
        return words.RIDE


class SearchCard(_Card):
    """A search card."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str
    monster: str = Field("", description="monster it belongs to")


class PoweredCard(_Card):
    """A powered card."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str


class SymbolTile(_Card):
    """A symbol tile."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    symbol: str = Field(min_length=1, description="kind of symbol")
    effect: str = ""


class Goal(_Card):
    """A goal card."""

    effects: ClassVar[tuple[str, ...]] = ("parts", "opens", "reward")
    monster: str = Field(description="monster it belongs to")
    order: int = Field(ge=1, le=layout.GOALS, description="place in the monster's order")
    parts: str
    opens: str = ""
    reward: str = ""

    def language(self, key: str) -> Language:
        return words.GOAL if key == "parts" else words.ACT


class Story(_Card):
    """A monster's story card."""

    effects: ClassVar[tuple[str, ...]] = ("setup", "quest")
    mechanics: Literal["curse", "mirrors", "fixation", "swoop"] = Field(description="the monster's own rule")
    label: Literal["easy", "medium", "hard"] = Field(description="difficulty label")
    start: str = Field(description="building where the Kids begin")
    lair: str = Field(description="district where the monster begins")
    setup: str = ""
    quest: str = ""


class Wheel(Entry):
    """A wheel token."""

    value: int = Field(ge=1, le=12, description="spaces")
    diagonal: bool = Field(False, description="the movement may be diagonal")
    spare: bool = Field(False, description="not among a Kid's usual ones")


def sections() -> dict[str, type[Entry]]:
    """The sections of the content, in the order in which their cards are numbered."""
    return {
        **town.SECTIONS,
        "lost-kid-cards": LostKidCard,
        "items": Item,
        "powered-cards": PoweredCard,
        "rides": Ride,
        "search-cards": SearchCard,
        "symbols": SymbolTile,
        "goals": Goal,
        "stories": Story,
        "wheels": Wheel,
    }


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
        "rescue",
        "search",
        "L1: how the Lost Kid is found: a search of the hidden building's token, any end of a movement there, a search "
        "while a goal asks for it, or a search with a spoken guess (a wrong one costs 1 doom)",
        *("search", "any_end", "goal", "guess"),
    ),
    _ruling(
        "lost_kid_reshuffle", "keep_tops", "L3: the Lost Kid deck runs out: what is shuffled in", "keep_tops", "all"
    ),
    _ruling("new_hand_icon", "under", "L4: where the cards of a New Hand icon go in a pile", "under", "on_top"),
    _ruling("new_hand_before_draw", "five", "L4: a new hand before step 4 makes five cards, or four", "five", "four"),
    _ruling("move_kid", "any", "L5: 'in any direction' includes diagonals", "any", "orthogonal"),
    _ruling("attack_order", "kids_first", "L7: who is dealt with first in an attack", "kids_first", "feds_first"),
    _ruling("stun", "action", "L10: what the Stun token cancels", "action", "movement"),
    _ruling("free_move_road_bonus", True, "L15: a free move by a card has the road bonus"),
    _ruling("nearest_treehouse", "walking", "L16: how near a treehouse is", "walking", "straight"),
    _ruling(
        "rescued_lost_kid", "kid", "L18: the rescued Lost Kid can be hit, caught and chased, or not", "kid", "immune"
    ),
    _ruling("last_doom", "listed", "L20: the last goal and the last doom in one action", "listed", "lose"),
    _ruling("sent_refreshes", False, "L12: being sent to a treehouse turns wheels and items up"),
    _ruling("hit_ends_move", True, "L24: a Kid hit in his own movement has ended it"),
)

# --- cards -----------------------------------------------------------------------------------------------------------


def in_play(content: Content, section: str, monster: str) -> dict[str, Any]:
    """The entries of a section that are in play with a monster (rulebook, Game Setup), in the file's order."""
    return {slug: e for slug, e in content.sections[section].items() if getattr(e, "monster", "") in ("", monster)}


def deck(content: Content, section: str, monster: str) -> list[tuple[str, int]]:
    """(slug, copy) of every card of a section that is in play with a monster: card i of the record is the i-th."""
    return [(slug, copy) for slug, entry in in_play(content, section, monster).items() for copy in range(entry.copies)]


def goals(content: Content, monster: str) -> list[str]:
    """Slugs of a monster's goals in their order."""
    own = {slug: e for slug, e in content.sections["goals"].items() if e.monster == monster and e.copies}
    return sorted(own, key=lambda slug: own[slug].order)


def component_names(settings: Mapping[str, Value | None], content: Content) -> list[tuple[str, int]]:
    """What is counted apart with this monster, as (group, first of three tally slots: seen, used, won where used)."""
    monster = str(settings["monster"])
    labels = [f"ride={slug}" for slug in content.sections["rides"]] if settings["rides"] != "off" else []
    labels += [f"item={slug}" for slug in in_play(content, "items", monster)]
    labels += [f"powered={slug}" for slug in content.sections["powered-cards"]]
    labels += [f"search={slug}" for slug in in_play(content, "search-cards", monster)]
    labels += [f"symbol={kind}" for kind in words.symbol_kinds(content.sections)]
    labels += [f"goal={slug}" for slug in goals(content, monster)]
    room = (layout.TALLIES - Tally.COMPONENTS) // 3
    check_fits("different rides, items, powered and search cards, symbols and goals together", len(labels), room)
    return [(label, Tally.COMPONENTS + 3 * i) for i, label in enumerate(labels)]


# --- the record -----------------------------------------------------------------------------------------------------


def make_rules(settings: Mapping[str, Value | None], content: Content) -> np.ndarray:
    """A 1-element array of ``layout.RULES`` without seed and line-up. Raises InputError naming what does not fit."""
    array = np.zeros(1, layout.RULES)
    rules = array[0]
    builder = _Builder(rules, settings, content)
    builder.settings_and_rulings()
    ways.fill(rules, settings, content, builder.rides())
    builder.town_keys()
    builder.lost_kid_cards()
    builder.items()
    builder.search_cards()
    builder.symbols()
    builder.wheels()
    builder.story()
    builder.goals()
    builder.chance()
    builder.finish()
    return array


def _limit(share: float) -> int:
    """The 64-bit number that a uniform key is below with this probability."""
    return min(int(share * 2.0**64), 2**64 - 1)


class _Builder:
    """One record being filled."""

    def __init__(self, rules: Any, settings: Mapping[str, Value | None], content: Content) -> None:
        self.rules, self.settings, self.content = rules, settings, content
        self.monster = str(settings["monster"])
        if self.monster not in content.sections["stories"]:
            raise InputError(f"monster: no story {self.monster!r}{nearest(self.monster, content.sections['stories'])}")
        self.table = OpTable(layout.OPS)
        self.components = {label: (slot - Tally.COMPONENTS) // 3 for label, slot in component_names(settings, content)}

    def text(self, section: str, slug: str, key: str) -> Effect:
        """An effect text; that of a blank entry says nothing."""
        return Effect("") if self.content.sections[section][slug].blank else self.content.effects[section, slug, key]

    def rows(self, section: str, slug: str, key: str) -> tuple[int, int]:
        """The op rows of a text, compiled."""
        return self.table.add(self.text(section, slug, key).nodes, self.content.where(section, slug))

    def number(self, section: str, slug: str, owner_section: str, owner: str, key: str) -> int:
        """The number of an entry that another one names. Raises InputError."""
        known = list(self.content.sections[section])
        if slug not in known:
            where = self.content.where(owner_section, owner)
            raise InputError(f"{where}: {key} = {slug!r} is none of {section}{nearest(slug, known)}")
        return known.index(slug)

    def settings_and_rulings(self) -> None:
        rules, settings = self.rules, self.settings
        for field in ("stream_number", "ride_of", "deal_item", "deal_ride", "deal_hidden"):
            rules[field] = NONE
        for field in ("component_item", "component_ride", "component_search", "component_symbol", "component_goal"):
            rules[field] = NONE
        rules["mask"] = np.iinfo(np.uint64).max
        players = int(settings["players"] or 0)
        rules["kids"] = KIDS[players]
        rules["seats"] = 1 + KIDS[players]
        rules["player_of"] = [min(seat, players - 1) for seat in range(layout.SEATS)]
        for name in (
            *("doom_length", "search_tokens", "setup_tokens", "patrol_speed", "attack_doom", "starting_items"),
            *("hand_size", "kid_turns", "feds_flight", "symbol_steps", "immunity", "new_hand_token", "double_token"),
            *("turn_cap", "hint_clarity", "coordination"),
        ):
            rules[name] = settings[name]
        rules["pile_count"] = settings["piles"]
        rules["rides"] = RIDES.index(str(settings["rides"]))
        for ruling in RULINGS:
            name = ruling.name.removeprefix("ruling.")
            value = ruling.read(settings.get(ruling.name, ruling.default))
            if name in (layout.RULES.names or ()):  # the others are read where the town is worked out
                rules[name] = ruling.choices.index(str(value)) if ruling.kind == "choice" else int(value)

    def rides(self) -> list[tuple[int, int, int]]:
        """Fills the ride cards; (road, off road, abilities) of each, the last: none."""
        rules = self.rules
        cards = deck(self.content, "rides", "")
        check_fits("ride cards", len(cards), layout.RIDES)
        rules["ride_cards"] = len(cards)
        rules["ride_road"] = self.settings["road_bonus"]
        for i, (slug, copy) in enumerate(cards):
            rules["ride_id"][i] = card_id("rides", slug, copy)
            said: set[str] = set()
            for node in self.text("rides", slug, "effect").walk():
                field = str(node.form.op)
                if field == "ride_ability":
                    rules[field][i] |= node.values[0]
                elif field in said:
                    where = self.content.where("rides", slug)
                    raise InputError(f"{where}, effect: {node.form.pattern!r} is said twice")
                else:
                    rules[field][i] = node.values[0]
                said.add(field)
            if f"ride={slug}" in self.components:
                rules["component_ride"][i] = self.components[f"ride={slug}"]
        if RIDES[int(rules["rides"])] == "random" and len(cards) < rules["kids"]:
            raise InputError(f"rides = random: {len(cards)} ride cards are too few for {int(rules['kids'])} Kids")
        if RIDES[int(rules["rides"])] == "fixed":
            named = [slug for slug, _ in cards]
            for seat in range(1, 1 + int(rules["kids"])):
                slug = str(self.settings[f"ride.{seat}"])
                if slug != "none" and slug not in named:
                    raise InputError(f"ride.{seat}: no ride {slug!r}{nearest(slug, [*named, 'none'])}")
                rules["ride_of"][seat] = NONE if slug == "none" else named.index(slug)
        last = layout.RIDES
        return [
            (int(rules["ride_road"][r]), int(rules["ride_off_road"][r]), int(rules["ride_ability"][r]))
            for r in (*range(len(cards)), last)
        ]

    def town_keys(self) -> None:
        for i, slug in enumerate(self.content.sections["buildings"]):
            self.rules["building_id"][i] = card_id("buildings", slug, 0)

    def lost_kid_cards(self) -> None:
        rules = self.rules
        entries = self.content.sections["lost-kid-cards"]
        for slug, entry in entries.items():
            where = self.content.where("lost-kid-cards", slug)
            if bool(entry.hint) == bool(entry.action):
                raise InputError(f"{where}: a card has either a hint or an action, exactly one of them")
            if entry.monster:
                self.number("stories", entry.monster, "lost-kid-cards", slug, "monster")
            if len(self.text("lost-kid-cards", slug, "spooky").nodes) > 6:
                raise InputError(f"{where}, spooky: more than 6 actions")
        cards = deck(self.content, "lost-kid-cards", self.monster)
        check_fits("cards in the Lost Kid deck", len(cards), layout.CARDS)
        needed = int(rules["setup_tokens"]) + 1 + int(rules["hand_size"])
        if len(cards) < needed + 1:
            raise InputError(f"the Lost Kid deck has {len(cards)} cards, and the set-up alone takes {needed}")
        rules["cards"] = len(cards)
        rules["card_hint"] = rules["card_action"] = NONE
        hidden = self.settings["hidden_buildings"]
        buildings = list(self.content.sections["buildings"].values())
        lowest = sorted(b.number for b in buildings)[: len(buildings) if hidden is None else int(hidden)]
        compiled: dict[str, tuple[int, int, int, int]] = {}
        for i, (slug, copy) in enumerate(cards):
            entry = entries[slug]
            if slug not in compiled:
                action = (
                    self.rows("lost-kid-cards", slug, "action") if entry.action and not entry.blank else (NONE, NONE)
                )
                compiled[slug] = (*self.rows("lost-kid-cards", slug, "spooky"), *action)
            rules["card_id"][i] = card_id("lost-kid-cards", slug, copy)
            fields = ("card_start", "card_end", "card_action", "card_action_end")
            for field, value in zip(fields, compiled[slug], strict=True):
                rules[field][i] = value
            if entry.hint:
                rules["card_hint"][i] = self.number("landmarks", entry.hint, "lost-kid-cards", slug, "hint")
            rules["card_movement"][i], rules["card_diagonal"][i] = entry.movement, entry.diagonal
            building = self.number("buildings", entry.building, "lost-kid-cards", slug, "building")
            rules["card_building"][i] = building
            rules["card_hides"][i] = buildings[building].number in lowest
        if int(rules["card_hides"].sum()) <= int(rules["setup_tokens"]):
            raise InputError(
                f"hidden_buildings = {hidden}: after the {int(rules['setup_tokens'])} cards of the set-up none may be "
                "left that can hide the Lost Kid"
            )

    def items(self) -> None:
        """Item cards, then powered cards."""
        rules = self.rules
        cards = [("items", *card) for card in deck(self.content, "items", self.monster)]
        rules["item_cards"] = rules["powered_first"] = len(cards)
        powered = [("powered-cards", *card) for card in deck(self.content, "powered-cards", "")]
        rules["powered_cards"] = len(powered)
        if not powered:
            raise InputError("powered-cards.toml: one powered card at least is needed")
        check_fits("item and powered cards together", len(cards) + len(powered), layout.ITEMS)
        for slug, entry in self.content.sections["items"].items():
            if entry.monster:
                self.number("stories", entry.monster, "items", slug, "monster")
        compiled: dict[tuple[str, str], tuple[int, int]] = {}
        for i, (section, slug, copy) in enumerate([*cards, *powered]):
            if (section, slug) not in compiled:
                compiled[section, slug] = self.rows(section, slug, "effect")
            rules["item_id"][i] = card_id(section, slug, copy)
            rules["item_start"][i], rules["item_end"][i] = compiled[section, slug]
            kind = "item" if section == "items" else "powered"
            rules["component_item"][i] = self.components[f"{kind}={slug}"]
            own_turn = getattr(self.content.sections[section][slug], "when", "any") == "own turn"
            effect = self.text(section, slug, "effect")
            for window in words.windows(effect, own_turn) if effect.nodes else ():
                rules["window_items"][window] |= 1 << i
            if kind == "powered":
                rules["powered_bits"] |= 1 << i

    def search_cards(self) -> None:
        rules = self.rules
        for slug, entry in self.content.sections["search-cards"].items():
            if entry.monster:
                self.number("stories", entry.monster, "search-cards", slug, "monster")
        cards = deck(self.content, "search-cards", self.monster)
        check_fits("cards in the search deck", len(cards), layout.CARDS)
        if not cards:
            raise InputError("search-cards.toml: one search card at least is needed")
        rules["search_cards"] = len(cards)
        compiled: dict[str, tuple[int, int]] = {}
        for i, (slug, copy) in enumerate(cards):
            if slug not in compiled:
                compiled[slug] = self.rows("search-cards", slug, "effect")
            rules["search_id"][i] = card_id("search-cards", slug, copy)
            rules["search_start"][i], rules["search_end"][i] = compiled[slug]
            rules["search_threat"][i] = words.threatens(self.text("search-cards", slug, "effect"))
            rules["component_search"][i] = self.components[f"search={slug}"]
        more = words.ACT.parse("monster nearest", "search_threat")
        rules["threat_op"] = self.table.add(more.nodes, "search_threat")[0]

    def symbols(self) -> None:
        rules = self.rules
        kinds = words.symbol_kinds(self.content.sections)
        check_fits("kinds of symbol", len(kinds), layout.SYMBOLS)
        tiles = deck(self.content, "symbols", "")
        check_fits("symbol tiles", len(tiles), layout.TILES)
        rules["symbols"], rules["tiles"] = len(kinds), len(tiles)
        entries = self.content.sections["symbols"]
        compiled: dict[str, tuple[int, int]] = {}
        for i, (slug, copy) in enumerate(tiles):
            if slug not in compiled:
                compiled[slug] = self.rows("symbols", slug, "effect")
            rules["tile_id"][i] = card_id("symbols", slug, copy)
            rules["tile_symbol"][i] = kinds.index(entries[slug].symbol)
            rules["tile_start"][i], rules["tile_end"][i] = compiled[slug]
        for k, kind in enumerate(kinds):
            check_fits(
                f"tiles of the symbol {kind}", int((rules["tile_symbol"][: len(tiles)] == k).sum()), layout.STACK
            )
            rules["component_symbol"][k] = self.components[f"symbol={kind}"]

    def wheels(self) -> None:
        rules = self.rules
        wheels = [e for e in self.content.sections["wheels"].values() for _ in range(e.copies)]
        check_fits("wheel tokens of a Kid, spares included", len(wheels), layout.WHEELS)
        for i, wheel in enumerate(wheels):
            rules["wheel_value"][i], rules["wheel_diagonal"][i] = wheel.value, wheel.diagonal
            rules["spare_wheels" if wheel.spare else "usual_wheels"] |= 1 << i
        if not rules["usual_wheels"]:
            raise InputError("wheels.toml: one wheel that is no spare at least is needed")

    def story(self) -> None:
        rules, story = self.rules, self.content.sections["stories"][self.monster]
        rules["mechanics"] = layout.Mechanics[story.mechanics.upper()]
        rules["start_building"] = self.number("buildings", story.start, "stories", self.monster, "start")
        rules["lair"] = self.number("districts", story.lair, "stories", self.monster, "lair")
        rules["setup_start"], rules["setup_end"] = self.rows("stories", self.monster, "setup")
        rules["quest_start"], rules["quest_end"] = self.rows("stories", self.monster, "quest")

    def goals(self) -> None:
        rules, entries = self.rules, self.content.sections["goals"]
        for slug, entry in entries.items():
            self.number("stories", entry.monster, "goals", slug, "monster")
        slugs = goals(self.content, self.monster)
        check_fits(f"goals of {self.monster}", len(slugs), layout.GOALS)
        if [entries[slug].order for slug in slugs] != list(range(1, 1 + len(slugs))) or not slugs:
            found = ", ".join(f"{slug} {entries[slug].order}" for slug in slugs) or "none"
            raise InputError(f"goals.toml: the goals of {self.monster} must be in order 1, 2, ... ({found})")
        rules["goals"] = len(slugs)
        for g, slug in enumerate(slugs):
            where = self.content.where("goals", slug)
            parts = [
                (times, inner)
                for node in self.text("goals", slug, "parts").nodes
                for times, inner in self.repeated(node, 1)
            ]
            check_fits(f"parts in {where}", len(parts), layout.PARTS)
            if not parts:
                raise InputError(f"{where}: a goal has one part at least")
            rules["parts"][g] = len(parts)
            for p, (times, node) in enumerate(parts):
                self.part(g, p, times, node, where)
            rules["goal_opens"][g], rules["goal_opens_end"][g] = self.rows("goals", slug, "opens")
            rules["goal_reward"][g], rules["goal_reward_end"][g] = self.rows("goals", slug, "reward")
            rules["component_goal"][g] = self.components[f"goal={slug}"]

    def repeated(self, node: Node, times: int) -> list[tuple[int, Node]]:
        """The parts below a node of a goal, with how often each is to be done."""
        if not node.body:
            return [(times, node)]
        return [part for inner in node.body for part in self.repeated(inner, times * node.values[0])]

    def part(self, g: int, p: int, times: int, node: Node, where: str) -> None:
        rules, kind = self.rules, Part(int(node.form.op or 0))
        rules["part_kind"][g, p] = kind
        if kind == Part.RESCUE:
            times = 1
        else:
            place, price, symbol = node.values
            rules["part_place"][g, p], rules["part_where"][g, p] = place // 64, place % 64
            rules["part_price"][g, p], rules["part_symbol"][g, p] = price, symbol
            if kind == Part.SEARCH and place // 64 == Place.MONSTER:
                raise InputError(f"{where}: the monster's district is entered, not searched")
        rules["part_times"][g, p] = times

    def chance(self) -> None:
        rules, settings = self.rules, self.settings
        density = float(settings["event_density"] or 0.0)
        rules["density"] = 0 if density == 1 else 1 if density < 1 else 2
        rules["density_limit"] = _limit(abs(1 - density))
        together = float(settings["coordination"] or 0.0)
        rules["together_always"] = together >= 1
        rules["together_limit"] = _limit(together)
        wanted = settings["search_threat"]
        cards = int(rules["search_cards"])
        share = float(rules["search_threat"][:cards].mean())
        if wanted is not None and float(wanted) < share:
            rules["threat"], rules["threat_limit"] = 1, _limit(1 - float(wanted) / share)
        elif wanted is not None and float(wanted) > share:
            rules["threat"], rules["threat_limit"] = 2, _limit((float(wanted) - share) / (1 - share))

    def finish(self) -> None:
        rules = self.rules
        self.table.fill(rules, "op", ("op_a", "op_b"), "op_end")
        rules["op_threat"] = np.isin(rules["op"], [int(op) for op in words.THREATS])
        rules["components"] = len(self.components)
        rules["tallies"] = Tally.COMPONENTS + 3 * len(self.components)
