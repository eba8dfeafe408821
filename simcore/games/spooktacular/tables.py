"""From content and settings to the ``rules`` record: the sections, the rulings, the tickets, the automaton, who is who.

``load_content`` reads the TOML files, ``make_rules`` fills every field of ``layout.RULES`` that content and parameters
decide (not the seed, not the line-up). What exceeds a capacity of the record is refused by name. ``theater.py`` reads
the map, ``kits.py`` monsters and cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from simcore.cards import Shipped, card_id, check_fits
from simcore.content import Content, Entry
from simcore.errors import InputError, nearest
from simcore.games.spooktacular import kits, layout, theater
from simcore.games.spooktacular.layout import NONE, Tally
from simcore.parameter import UNNAMED, Parameter, Value

FOLDER = Path(__file__).parent / "content"
LEVELS = {"easy": 5, "normal": 10, "hard": 15, "nightmare": 20}  # what the automaton starts with (rulebook, Solo Mode)
OFF = "off"
BOT_DECKS, BOT_CARDS = 3, 3
MOST_TICKET = 99

# --- the sections ----------------------------------------------------------------------------------------------------


class BotDeck(Entry):
    """One of the automaton's decks."""

    cards: str = Field(description="its cards, in order")
    monster: str = Field(description="the monster that the automaton is")


def sections() -> dict[str, type[Entry]]:
    """The sections of the content; cards and monsters are numbered in the order of their files."""
    return {**theater.SECTIONS, "cards": kits.Card, "monsters": kits.Monster, "automaton": BotDeck}


_SHIPPED = Shipped(FOLDER, sections)
load_content = _SHIPPED.load
overlays = _SHIPPED.overlays

# --- the rulings ----------------------------------------------------------------------------------------------------


def _ruling(name: str, default: str | bool, meaning: str, *choices: str) -> Parameter:
    kind = "choice" if choices else "flag"
    return Parameter(f"ruling.{name}", kind, default, meaning, choices=choices, source="ruling")


# The position of a choice in its list is its value in the record.
RULINGS: tuple[Parameter, ...] = (
    _ruling("phones_are_monsters", True, "P1: every phone in a room is a figure of Deadline's monster"),
    _ruling("end_latched", True, "P5: the round is the last one even if the points are stolen back"),
    _ruling(
        "locked_doors",
        "counted",
        "P7: doors to a locked room count as printed for set-up and ties, or not at all",
        *("counted", "absent"),
    ),
    _ruling("mash_moves_masher", False, "P8: Mash also moves the Masher, unpaid"),
    _ruling(
        "trigger_order",
        "active_first",
        "P9: whose triggered effects come first: the active player's or the first player's; then clockwise",
        *("active_first", "first_player_first"),
    ),
    _ruling("tomb_is_a_door", True, "P2: a room that is a token is behind a door of its room, also for a spook"),
)

# --- settings that say more than a number ----------------------------------------------------------------------------


def automaton(settings: Mapping[str, Value | None]) -> str:
    """The automaton's level, or "off": where nothing is said, normal for one player and off for more."""
    level = settings["automaton"]
    if level is None:
        return "normal" if int(settings["players"] or 0) == 1 else OFF
    return str(level)


def with_automaton(settings: Mapping[str, Value | None]) -> int:
    """Players at the table, the automaton among them."""
    return int(settings["players"] or 0) + (automaton(settings) != OFF)


def named_monsters(settings: Mapping[str, Value | None]) -> list[str]:
    """What each player of the line-up plays: a monster, or UNNAMED where it is drawn."""
    names = str(settings["monsters"]).split("+")
    return names + [UNNAMED] * (int(settings["players"] or 0) - len(names))


def ticket_values(settings: Mapping[str, Value | None]) -> list[int]:
    """The values of all tickets in the box. Raises InputError."""
    text = str(settings["ticket_values"])
    found = []
    for part in text.split("+"):
        word = part.strip()
        if not word.isdecimal() or int(word) > MOST_TICKET:
            raise InputError(
                f"ticket_values: {word!r} in {text!r} is no number from 0 to {MOST_TICKET}; write them as in 4+5+6"
            )
        found.append(int(word))
    return found


def read_theater(settings: Mapping[str, Value | None], content: Content) -> theater.Theater:
    """The theater as it is played with these settings."""
    absent = settings.get("ruling.locked_doors", "counted") == "absent"
    return theater.read_theater(content, str(settings["map"]), str(settings["locks"]), with_automaton(settings), absent)


def component_names(settings: Mapping[str, Value | None], content: Content) -> list[tuple[str, int]]:
    """What is counted apart, as (group, first of three tally slots: times played, the win share of those who played it,
    how many they are)."""
    return [(f"card={slug}", Tally.COMPONENTS + 3 * c) for c, slug in enumerate(content.sections["cards"])]


# --- the record -----------------------------------------------------------------------------------------------------


def make_rules(settings: Mapping[str, Value | None], content: Content) -> np.ndarray:
    """A 1-element array of ``layout.RULES`` without seed and line-up. Raises InputError naming what does not fit."""
    array = np.zeros(1, layout.RULES)
    rules = array[0]
    for field in ("stream_number", "deal_hand", "monster_of", "bot_card"):
        rules[field] = NONE
    rules["mask"] = np.iinfo(np.uint64).max
    _settings(rules, settings)
    _tickets(rules, settings)
    theater.fill(rules, read_theater(settings, content), float(settings["guest_density"] or 0.0))
    kits.fill(rules, content, bool(settings.get("ruling.phones_are_monsters", True)))
    _automaton(rules, settings, content)
    _who_is_who(rules, settings, content)
    _counting(rules, settings, content)
    return array


def _settings(rules: Any, settings: Mapping[str, Value | None]) -> None:
    level = automaton(settings)
    rules["players"] = settings["players"]
    rules["bot"] = level != OFF
    rules["seats"] = with_automaton(settings)
    rules["bot_points"] = LEVELS.get(level, 0)
    for name in (
        *("target_score", "start_score", "hand_size", "consolation", "refill", "guests_each"),
        *("kit_strength", "same_monsters", "turn_cap"),
    ):
        rules[name] = settings[name]
    for ruling in RULINGS:
        value = ruling.read(settings.get(ruling.name, ruling.default))
        rules[ruling.name.removeprefix("ruling.")] = (
            ruling.choices.index(str(value)) if ruling.kind == "choice" else int(value)
        )


def _tickets(rules: Any, settings: Mapping[str, Value | None]) -> None:
    values = ticket_values(settings)
    check_fits("tickets", len(values), layout.TICKETS)
    rules["ticket_cards"] = len(values)
    for i, value in enumerate(values):
        rules["ticket_value"][i], rules["ticket_id"][i] = value, card_id("tickets", str(i), 0)
    each, table = int(settings["tickets_per_player"] or 0), with_automaton(settings)
    rules["tickets"] = each * table
    if each * table > len(values):
        raise InputError(
            f"tickets_per_player = {each}: {table} players need {each * table} tickets, and ticket_values has "
            f"{len(values)}"
        )


def _automaton(rules: Any, settings: Mapping[str, Value | None], content: Content) -> None:
    """Its monster and its three decks; without it the content need not have them."""
    rules["bot_kit"] = NONE
    if automaton(settings) == OFF:
        return
    decks, cards, monsters = (content.sections[s] for s in ("automaton", "cards", "monsters"))
    if len(decks) != BOT_DECKS:
        raise InputError(f"automaton.toml has {len(decks)} decks; the automaton plays from {BOT_DECKS}")
    for d, (slug, deck) in enumerate(decks.items()):
        where = content.where("automaton", slug)
        if deck.monster not in monsters:
            raise InputError(f"{where}: monster = {deck.monster!r} is no monster{nearest(deck.monster, monsters)}")
        kit = list(monsters).index(deck.monster)
        if rules["bot_kit"] not in (NONE, kit):
            raise InputError(f"{where}: monster = {deck.monster!r}, and another deck's is another one")
        rules["bot_kit"] = kit
        named = deck.cards.split()
        if len(named) != BOT_CARDS:
            raise InputError(f"{where}: {len(named)} cards; a deck of the automaton has {BOT_CARDS}")
        own = [name for name, card in cards.items() if card.monster in ("", deck.monster)]
        for i, name in enumerate(named):
            if name not in own:
                raise InputError(f"{where}: cards: {name!r} is no card of {deck.monster}{nearest(name, own)}")
            rules["bot_card"][d, i] = list(cards).index(name)
            rules["bot_card_id"][d, i] = card_id("automaton", f"{slug}.{name}", i)


def _who_is_who(rules: Any, settings: Mapping[str, Value | None], content: Content) -> None:
    """Named monsters by player; the others must be enough to draw from."""
    monsters = list(content.sections["monsters"])
    same = bool(settings["same_monsters"])
    names = named_monsters(settings)
    bot = int(rules["bot_kit"])
    if bot != NONE and not same:
        rules["kit_in_box"][bot] = 0
    for player, name in enumerate(names):
        if name == UNNAMED:
            continue
        if name not in monsters:
            raise InputError(f"monsters: no monster {name!r}{nearest(name, [UNNAMED, *monsters])}")
        kit = monsters.index(name)
        if kit == bot and not same:
            raise InputError(f"monsters: the automaton is {name}; name another one, or set same_monsters = on")
        if not rules["kit_in_box"][kit]:
            raise InputError(f"monsters: {name} has no copies in the content (monsters.{name}.copies = 0)")
        rules["monster_of"][player] = kit
    free = [kit for kit in np.flatnonzero(rules["kit_in_box"]) if same or monsters[kit] not in names]
    drawn = names.count(UNNAMED)
    if len(free) < (min(drawn, 1) if same else drawn):
        raise InputError(f"monsters: {drawn} are drawn, and the box has {len(free)} to draw from")


def _counting(rules: Any, settings: Mapping[str, Value | None], content: Content) -> None:
    names = component_names(settings, content)
    rules["components"] = len(names)
    rules["component_card"][: len(names)] = range(len(names))
    used = Tally.COMPONENTS + 3 * len(names)
    check_fits("tally slots", used, layout.TALLIES)
    matchups = 2 * int(rules["kits"]) ** 2
    counted = used + matchups <= layout.TALLIES
    rules["matchup_first"] = used if counted else NONE
    rules["tallies"] = used + matchups if counted else used
