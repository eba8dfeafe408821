"""Small changes of each game, and how a finished game shows whether the change was met in it.

A game in which a change was not met has to be the same game, outcome for outcome: that is what keyed randomness is for.
The mark is a slot of the rule ledger or of a component, or a card that still lies where it was shuffled to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from simcore.game import Configuration
from simcore.games.snowball import tables
from simcore.games.snowball.layout import Deck, Keyword, Ledger, Tally
from simcore.records import Status

Met = Callable[[Any], bool]  # of the game record at the end: was the change met?
Mark = Callable[[Configuration], Met]


@dataclass(frozen=True)
class Change:
    """One thing changed in `base`, and its mark, asked of the game as it is and of the changed game."""

    name: str
    change: Mapping[str, Any]
    mark: Mark
    base: Mapping[str, Any] = field(default_factory=dict)
    games: int = 600
    strategy: str = "random"  # a strategy that counts the cards there are meets every card more in every game


# --- Snowball --------------------------------------------------------------------------------------------------------


def fired(*slots: int) -> Mark:
    """One of these tally slots is not 0."""
    return lambda configuration: lambda game: bool(game["tally"][list(slots)].any())


def drawn(component: str) -> Mark:
    """An Event, an item or a kid came into play."""
    return lambda configuration: fired(dict(tables.component_names(configuration.content))[component])(configuration)


def card_left(deck: Deck, kind_field: str, section: str, slug: str) -> Mark:
    """The last copy of a card has left its draw deck, or a shuffle came after the first."""

    def mark(configuration: Configuration) -> Met:
        kinds = configuration.rules[0][kind_field].tolist()
        kind = list(configuration.content.sections[section]).index(slug)
        card = len(kinds) - 1 - kinds[::-1].index(kind)
        shuffles = Ledger.RESHUFFLE_SNOWBALLS + deck

        def met(game: Any) -> bool:
            left = game["deck"][deck, game["deck_next"][deck] : game["deck_size"][deck]]
            return bool(game["tally"][shuffles]) or card not in left

        return met

    return mark


def capped(configuration: Configuration) -> Met:
    """The game was broken off."""
    return lambda game: bool(game["status"] == Status.CAPPED)


def condition_drawn(configuration: Configuration) -> Met:
    """A Condition came into play: only then differ a printed and a present cover."""
    keywords = configuration.rules[0]["item_keyword"]
    slots = dict(tables.component_names(configuration.content))
    items = enumerate(configuration.content.sections["items"])
    conditions = [slots[f"item={slug}"] for kind, slug in items if keywords[kind] == Keyword.CONDITION]
    return fired(*conditions)(configuration)


QUICKSHOTS = {"quickshots_per_number": 3}
SMALL_DECK = {f"snowballs.snowball-{n}.copies": 1 for n in range(1, 9)}
SNOWBALL = (
    Change("an item more", {"items.pinecone.copies": 4}, card_left(Deck.ITEMS, "item_kind", "items", "pinecone")),
    Change(
        "a location more",
        {"locations.fort.copies": 3},
        card_left(Deck.LOCATIONS, "location_kind", "locations", "fort"),
    ),
    Change(
        "a snowball more",
        {"snowballs.snowball-8.copies": 6},
        card_left(Deck.SNOWBALLS, "card_kind", "snowballs", "snowball-8"),
        {"players": 2},
        1200,
    ),
    Change("an Event's text", {"events.snowplow.effect": "discard hand"}, drawn("event=snowplow")),
    Change("an Event's number", {"events.whiteout.effect.1": 4}, drawn("event=whiteout"), strategy="expert"),
    Change("an item's number", {"items.icicle.effect.1": 4}, drawn("item=icicle")),
    Change("a kid's text", {"kids.pitcher.effect": "always: power +2"}, drawn("kid=pitcher"), {"kids": "random"}),
    Change("a later cap", {"turn_cap": 60}, capped, {"turn_cap": 30}),
    Change("no two-player rule", {"two_player_clear_rule": False}, fired(Ledger.CLEAR_BARRED), {"turn_cap": 30}),
    Change("no automatic Clear Out", {"auto_clear_from": 7}, fired(Ledger.AUTO_CLEAR), {"players": 5, "gear": 1}),
)
# Each ruling's other values: the ledger's entry, and further slots without which the question does not come up at all.
SNOWBALL_RULINGS: dict[str, tuple[Mark, dict[str, Any]]] = {
    "start_cover": (condition_drawn, {"items.pine-boughs.copies": 1}),
    "quickshot_number": (fired(Ledger.QUICKSHOT_NUMBER), {"gear": 1}),
    # who is asked first matters where two could answer and hold: a policy's chance is keyed by the question's number
    "quickshot_responders": (fired(Ledger.SEVERAL_QUICKSHOTS, Ledger.HELD_QUICKSHOT), QUICKSHOTS),
    "quickshot_answers_quickshot": (fired(Ledger.QUICKSHOT_HIT), QUICKSHOTS),
    "save_from_quickshot": (fired(Ledger.QUICKSHOT_HIT), {}),
    "bat_chain": (fired(Ledger.BATTED), {"items.log-bat.copies": 6}),
    "refill": (fired(Ledger.QUICKSHOT_HIT, Tally.EVENTS, Ledger.LATE_QUICKSHOT), {"events": 3}),
    "quickshot_counts_as_throw": (fired(Ledger.ANSWER_BETWEEN), {"players": 2, **QUICKSHOTS}),
    "eliminated_cards": (fired(Ledger.LEFT_CARDS), {"gear": 1, "turn_cap": 20, "players": 5, **SMALL_DECK}),
    "end_test": (fired(Ledger.WON_BY_EVENT), {}),
    "action_resets_clear_rule": (fired(Ledger.ACTION_BETWEEN), {"players": 2, "items.lookout.effect": "recover 1"}),
    "forced_clear_counts": (fired(Ledger.FORCED_CLEAR), {"players": 2}),
    "auto_clear_after": (fired(Ledger.AUTO_CLEAR_SAVED), {"players": 5}),
    "auto_clear_scope": (fired(Ledger.AUTO_CLEAR_SHRUNK), {"players": 5}),
    "cover_drop": (fired(Ledger.COVER_DROP), {}),
    "reshuffle": (
        fired(Ledger.RESHUFFLE_SNOWBALLS, Ledger.RESHUFFLE_LOCATIONS, Ledger.RESHUFFLE_ITEMS),
        {},
    ),
    "mom_hollering_eliminated": (drawn("event=mom-hollering"), {}),
}


def rulings(known: Mapping[str, tuple[Mark, dict[str, Any]]], parameters: Any) -> tuple[Change, ...]:
    """A change for every other value of every ruling."""
    found = []
    for parameter in parameters:
        mark, base = known[parameter.name.removeprefix("ruling.")]
        for value in parameter.choices or (True, False):
            if value != parameter.default:
                name = f"{parameter.name.removeprefix('ruling.')} {value}"
                found.append(Change(name, {parameter.name: value}, mark, base, 1200))
    return tuple(found)


CHANGES: dict[str, tuple[Change, ...]] = {"snowball": (*SNOWBALL, *rulings(SNOWBALL_RULINGS, tables.RULINGS))}

# Settings in which no chair is better than another, once more for each number of players.
EVEN: dict[str, tuple[dict[str, Any], ...]] = {
    "snowball": tuple({"players": n, "first_player": "random"} for n in range(2, 7)),
}
