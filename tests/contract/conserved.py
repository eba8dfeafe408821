"""What the contract's tests must know of each game: where its cards lie, and how one would cheat."""

from typing import Any

import numpy as np

from simcore.games.snowball import layout
from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import NONE, Deck, Step

SNOWBALLS, LOCATIONS, ITEMS = int(Deck.SNOWBALLS), int(Deck.LOCATIONS), int(Deck.ITEMS)


def _pile(record: Any, top: int, below: str) -> list[int]:
    found = []
    while top != NONE:
        found.append(top)
        top = int(record[below][top])
    return found


def snowball_cards(record: Any) -> dict[str, list[int]]:
    """Every place and the cards in it, in the order in which they lie (sets are sorted)."""
    places: dict[str, list[int]] = {}
    for deck in Deck:
        places[f"deck {deck}"] = record["deck"][deck, record["deck_next"][deck] : record["deck_size"][deck]].tolist()
        places[f"discards {deck}"] = sorted(record["discard"][deck, : record["discards"][deck]].tolist())
    places["box"] = sorted(record["left_out"][: record["left_outs"]].tolist())
    for seat in range(int(record["seats"])):
        places[f"hand {seat}"] = record["hand"][seat, : record["hand_size"][seat]].tolist()
        places[f"stack {seat}"] = _pile(record, int(record["stack"][seat]), "under")
        places[f"stack items {seat}"] = _pile(record, int(record["stack_item"][seat]), "item_under")
        places[f"held {seat}"] = record["held"][seat, : record["helds"][seat]].tolist()
        places[f"location {seat}"] = [int(c) for c in record["location"][seat : seat + 1] if c != NONE]
    waiting = range(int(record["agenda_size"]))
    places["open events"] = [
        int(record["agenda"][i] >> 12) & 4095 for i in waiting if record["agenda"][i] & 15 == Step.EVENT_DONE
    ]
    aside = [record["suspended"][i] for i in range(int(record["suspensions"])) if record["suspended"][i, 6] == 0]
    places["in the air"] = [int(row[1]) for row in aside]
    places["in the air, items"] = [int(row[2]) for row in aside if row[2] != NONE]
    return places


# A thrown card between hand and stack, and cards on offer, lie in no place while their decision is asked.
_IN_FLIGHT = {layout.Decision.BAT}
_ON_OFFER = {layout.Decision.KEEP_LOCATION: LOCATIONS, layout.Decision.KEEP_ITEM: ITEMS}


def check_snowball(record: Any, rules: Any) -> None:
    """Every card of the three decks is in one place, once; cards out of the game (a ruling) are in none. The bits that
    stand for what hands and items are good for say what lies there."""
    places = snowball_cards(record)
    lie: list[list[int]] = [[], [], []]
    for place, cards in places.items():
        words = place.split()
        if words[-1].isdecimal() and words[0] in ("deck", "discards"):
            deck = int(words[-1])
        elif words[0] == "location":
            deck = LOCATIONS
        else:
            deck = ITEMS if "items" in words or words[0] == "held" else SNOWBALLS
        lie[deck] += cards
    if record["status"] == layout.Status.PLAYING and record["options"] > 0 and record["silent"] == 0:
        if record["decision"] in _IN_FLIGHT:
            lie[SNOWBALLS].append(int(record["thrown"]))
            if record["thrown_item"] != NONE:
                lie[ITEMS].append(int(record["thrown_item"]))
        if record["decision"] in _ON_OFFER:
            lie[_ON_OFFER[record["decision"]]] += record["offer"][: record["offers"]].tolist()
    for deck, count in zip(Deck, ("cards", "location_cards", "item_cards"), strict=True):
        found = sorted(lie[deck])
        if rules["eliminated_cards"] == 1:
            assert len(set(found)) == len(found) and set(found) <= set(range(rules[count])), deck
        else:
            assert found == list(range(rules[count])), deck
    for seat in range(int(record["seats"])):
        for bits, of, cards in (
            ("hand_quickshots", "quickshot_bit", places[f"hand {seat}"]),
            ("held_uses", "item_use", places[f"held {seat}"]),
        ):
            assert record[bits][seat] == np.bitwise_or.reduce(rules[of][cards]), (bits, seat)


def lose_snowball(record: Any) -> None:
    """A fault: the same card twice in the draw deck."""
    first = record["deck_next"][SNOWBALLS]
    record["deck"][SNOWBALLS, first] = record["deck"][SNOWBALLS, first + 1]


def next_snowball(record: Any) -> tuple[int, float] | None:
    """The card on top of the location deck, and the chance to guess it."""
    first, size = int(record["deck_next"][LOCATIONS]), int(record["deck_size"][LOCATIONS])
    if size - first < 2:
        return None
    return int(record["deck"][LOCATIONS, first]), 1 / (size - first)


@kernel
def top_of_the_deck(game, rules, work, seat, decision):
    return game["deck"][SNOWBALLS, game["deck_next"][SNOWBALLS] % 50] % game["options"]


@kernel
def hand_of_the_next(game, rules, work, seat, decision):
    return game["hand"][(seat + 1) % game["seats"], 0] % game["options"]


RICH: dict[str, tuple[dict[str, Any], ...]] = {  # settings that between them ask every question, deep inside effects
    "snowball": (
        {"players": 4, "kids": "chosen", "quickshots_per_number": 2, "ruling.quickshot_answers_quickshot": True},
        {"players": 5, "kids": "random", "ruling.refill": "at_once", "ruling.mom_hollering_eliminated": "returns"},
        {"players": 6, "ruling.cover_drop": "at_once", "ruling.quickshot_responders": "random", "events": 9},
    ),
}
CHECKS = {"snowball": check_snowball}
LOSE = {"snowball": lose_snowball}
LIES = {"snowball": snowball_cards}
NEXT = {"snowball": next_snowball}
CHEATS = {"snowball": {"deck": top_of_the_deck, "hand": hand_of_the_next}}
HEAPS = {"snowball": ("deck", "left_out", "hand")}  # fields in which, beyond their sizes, lies what once was there


@kernel
def stacks_the_deck(game, rules, work, seat, decision):
    """The two top cards change places."""
    first = game["deck_next"][LOCATIONS] % 10
    card = game["deck"][LOCATIONS, first]
    game["deck"][LOCATIONS, first] = game["deck"][LOCATIONS, first + 1]
    game["deck"][LOCATIONS, first + 1] = card
    return 0


@kernel
def swaps_hands(game, rules, work, seat, decision):
    """Another seat's hand is what it likes."""
    game["hand"][(seat + 1) % game["seats"], 0] = (game["hand"][(seat + 1) % game["seats"], 0] + 1) % 50
    return 0


@kernel
def heals(game, rules, work, seat, decision):
    """Gear for nothing."""
    game["gear"][seat] += 1
    return 0


SPOIL = {"snowball": {"deck": stacks_the_deck, "hand": swaps_hands, "gear": heals}}
TABLES = (RICH, CHECKS, LOSE, LIES, NEXT, CHEATS, HEAPS, SPOIL)  # each has an entry for every game
