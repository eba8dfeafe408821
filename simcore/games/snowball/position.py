"""A position as the start of a game, at the beginning of a turn: who holds what, and what is known of the decks.

From TOML (or the same as a mapping)::

    active = 0                       # whose turn it is; `start` (default: the same) is the seat that began the game
    deck_top = ["snowball-2", "lucky-find"]     # the next cards, where they are known; likewise location_top,
    item_top discards = ["quickshot-6"]       # likewise location_discards, item_discards; everything else is in the
    draw decks [[player]] gear = 3                         # 0: sent inside (nothing else may be given then) location
    = "tree" items = ["log-bat"] hand = ["snowball-5"]            # cards not named are dealt from the unknown ones,
    anew in every game stack = ["snowball-4"]           # the Thrown stack, lowest first; stack_items likewise
    cleared_last = false             # cleared out last and has thrown nothing since kid = "none" kid_used = false

Cards are named by their slug in the content. Raises InputError with what is wrong and the nearest name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcore import reading
from simcore.deals import Deal, Deals
from simcore.errors import InputError, nearest
from simcore.game import Configuration
from simcore.games.snowball import layout
from simcore.games.snowball.layout import NONE, Deck

TOP_KEYS = (
    *("active", "start", "turn", "player", "deck_top", "location_top", "item_top"),
    *("discards", "location_discards", "item_discards"),
)
PLAYER_KEYS = ("gear", "location", "items", "hand", "stack", "stack_items", "cleared_last", "kid", "kid_used")
PILES = {Deck.SNOWBALLS: ("deck_top", "discards"), Deck.LOCATIONS: ("location_top", "location_discards")}
PILES[Deck.ITEMS] = ("item_top", "item_discards")


class _Box:
    """The cards of a configuration that the position has not placed yet."""

    def __init__(self, configuration: Configuration) -> None:
        sections, rules = configuration.content.sections, configuration.rules[0]
        self.names = {
            Deck.SNOWBALLS: [*sections["snowballs"], *sections["events"]],
            Deck.LOCATIONS: list(sections["locations"]),
            Deck.ITEMS: list(sections["items"]),
        }
        counts = {Deck.SNOWBALLS: "cards", Deck.LOCATIONS: "location_cards", Deck.ITEMS: "item_cards"}
        kinds = {Deck.SNOWBALLS: "card_kind", Deck.LOCATIONS: "location_kind", Deck.ITEMS: "item_kind"}
        self.kind = {deck: rules[kinds[deck]] for deck in Deck}
        self.left = {deck: list(range(int(rules[counts[deck]]))) for deck in Deck}

    def take(self, deck: Deck, slug: str, where: str) -> int:
        """A card of this name that has not been placed."""
        if slug not in self.names[deck]:
            raise InputError(f"{where}: no card {slug!r}{nearest(slug, self.names[deck])}")
        kind = self.names[deck].index(slug)
        for card in self.left[deck]:
            if self.kind[deck][card] == kind:
                self.left[deck].remove(card)
                return card
        raise InputError(f"{where}: all copies of {slug!r} are placed already")

    def take_all(self, deck: Deck, slugs: Sequence[str], where: str) -> list[int]:
        """Cards of these names."""
        return [self.take(deck, slug, where) for slug in slugs]


def read_position(configuration: Configuration, data: Mapping[str, Any]) -> np.ndarray:
    """A 1-element GAME array for `batch.prepare(position=...)`. Raises InputError."""
    reading.check_keys(TOP_KEYS, data, "position")
    players = data.get("player", [])
    if not isinstance(players, list) or not all(isinstance(player, Mapping) for player in players):
        raise InputError(f"position: player is a list of [[player]] tables, not {players!r}")
    if len(players) != configuration.seats:
        raise InputError(f"position: {len(players)} [[player]] tables for {configuration.seats} players")
    array = np.zeros(1, layout.GAME)
    game, box = array[0], _Box(configuration)
    for name in (
        "leader",
        "first_out",
        "first_exposed",
        "leader_at_three",
        "thrower",
        "thrown",
        "thrown_item",
        "thrown_at",
    ):
        game[name] = NONE
    for name in ("location", "stack", "stack_item", "kid", "round_leader"):
        game[name][:] = NONE
    game["seats"] = configuration.seats
    game["active"] = _seat(data.get("active", 0), configuration.seats, "active")
    game["start"] = _seat(data.get("start", data.get("active", 0)), configuration.seats, "start")
    game["turn"] = reading.whole(data.get("turn", 0), 0, int(configuration.rules[0]["turn_cap"]) - 1, "position, turn")
    for seat, player in enumerate(players):
        _place(configuration, game, box, seat, player)
    game["living"] = int((game["gear"] > 0).sum())
    if game["gear"][game["active"]] == 0 or game["living"] < 2:
        raise InputError("position: it must be the turn of a player who is still in, and two or more must be")
    for deck in Deck:
        top, discards = PILES[deck]
        fixed = box.take_all(deck, reading.names(data, top, "position"), top)
        thrown_away = box.take_all(deck, reading.names(data, discards, "position"), discards)
        order = fixed + box.left[deck]
        game["deck"][deck, : len(order)] = order
        game["deck_size"][deck], game["deck_fixed"][deck] = len(order), len(fixed)
        game["discard"][deck, : len(thrown_away)] = thrown_away
        game["discards"][deck] = len(thrown_away)
    rules = configuration.rules[0]
    game["events_in"] = int(rules["is_event"][rules["card_kind"][: rules["cards"]]].sum())
    if rules["events"] < game["events_in"]:
        raise InputError("position: all Events of the content must be in; leave `events` and `event_density` unset")
    return array


KEYS = ("item", "location", "hand")


def force_deal(configuration: Configuration, rules: Any, deal: Mapping[int, Mapping[str, Any]]) -> None:
    """Write a forced deal into a `rules` record: what players of the line-up are dealt at set-up, by slug.

    `deal` is player -> {"item": slug, "location": slug, "hand": [slugs]}; what is not named is dealt by the shuffle.
    Raises InputError.
    """
    box = _Box(configuration)
    for player, cards in deal.items():
        where = f"player {player}"
        reading.check_keys(KEYS, cards, f"deal, {where}")
        player = _seat(player, configuration.seats, "deal")
        if "item" in cards:
            card = box.take(Deck.ITEMS, cards["item"], where)
            rules["deal_item"][player] = box.kind[Deck.ITEMS][card]
        if "location" in cards:
            card = box.take(Deck.LOCATIONS, cards["location"], where)
            rules["deal_location"][player] = box.kind[Deck.LOCATIONS][card]
        hand = box.take_all(Deck.SNOWBALLS, reading.names(cards, "hand", f"deal, {where}"), where)
        kinds = [int(box.kind[Deck.SNOWBALLS][card]) for card in hand]
        if any(rules["is_event"][kind] for kind in kinds) or len(kinds) > rules["hand_size"]:
            raise InputError(f"deal, {where}: a hand is at most {int(rules['hand_size'])} numbered cards")
        rules["deal_hand"][player, : len(kinds)] = kinds


DEALS = Deals(
    (
        Deal("item", "items", "the item dealt at set-up"),
        Deal("location", "locations", "the location dealt at set-up"),
        Deal("card", "snowballs", "a numbered card of the opening hand", key="hand", many=True),
    ),
    force_deal,
)


def _seat(value: Any, seats: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < seats:
        raise InputError(f"position, {where}: {value!r} is no seat; seats are 0..{seats - 1}")
    return value


def _place(configuration: Configuration, game: Any, box: _Box, seat: int, player: Mapping[str, Any]) -> None:
    """What lies before one player, and his hand."""
    where = f"player {seat}"
    reading.check_keys(PLAYER_KEYS, player, f"position, {where}")
    rules = configuration.rules[0]
    gear = reading.whole(player.get("gear", int(rules["gear"])), 0, int(rules["gear"]), f"position, {where}, gear")
    game["gear"][seat] = gear
    game["flipped"] += int(rules["gear"]) - gear
    if gear == 0:
        if len(player) > 1:
            raise InputError(f"position, {where}: sent inside (gear = 0), so nothing else may be given")
        return
    if "location" not in player:
        raise InputError(f"position, {where}: location is missing")
    game["location"][seat] = box.take(Deck.LOCATIONS, player["location"], where)
    kids = [slug for slug, entry in configuration.content.sections["kids"].items() for _ in range(entry.copies)]
    kid = player.get("kid", "none")
    if kid != "none":
        if kid not in kids:
            raise InputError(f"position, {where}: no kid {kid!r}{nearest(kid, kids)}")
        game["kid"][seat] = kids.index(kid)
    limit = int(rules["hand_size"]) + (int(rules["kid_hand"][game["kid"][seat]]) if kid != "none" else 0)
    held = box.take_all(Deck.ITEMS, reading.names(player, "items", where), where)
    hand = box.take_all(Deck.SNOWBALLS, reading.names(player, "hand", where), where)
    stack = box.take_all(Deck.SNOWBALLS, reading.names(player, "stack", where), where)
    modifiers = box.take_all(Deck.ITEMS, reading.names(player, "stack_items", where), where)
    kind = rules["card_kind"]
    if any(rules["is_event"][kind[card]] for card in hand + stack):
        raise InputError(f"position, {where}: an Event is never in a hand or stack")
    if len(held) > layout.HELD or len(hand) > limit:
        raise InputError(f"position, {where}: at most {layout.HELD} items and {limit} cards in hand")
    game["held"][seat, : len(held)], game["helds"][seat] = held, len(held)
    game["hand"][seat, : len(hand)], game["hand_size"][seat] = hand, len(hand)
    for card in stack:
        game["under"][card], game["stack"][seat] = game["stack"][seat], card
        game["total"][seat] += rules["number"][kind[card]]
    for card in modifiers:
        game["item_under"][card], game["stack_item"][seat] = game["stack_item"][seat], card
        game["total"][seat] += rules["item_power"][rules["item_kind"][card]]
    game["stack_size"][seat] = len(stack)
    cover = int(rules["location_cover"][rules["location_kind"][game["location"][seat]]]) + int(rules["cover_shift"])
    game["start_cover"][seat] = min(max(cover, 1), layout.COVERS - 1)
    bonus = sum(int(rules["item_cover"][rules["item_kind"][card]]) for card in held)
    game["reached"][seat] = int(len(stack) > 0 and game["total"][seat] >= max(cover + bonus, 1))
    game["cleared_last"][seat] = int(bool(player.get("cleared_last", False)))
    game["kid_used"][seat] = int(bool(player.get("kid_used", False)))
