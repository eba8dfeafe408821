"""Snowball: where its cards lie, how one would cheat, small changes, and its capacities."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import Configuration
from simcore.games.snowball import layout, tables
from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import NONE, Deck, Keyword, Ledger, Step, Tally
from tests.contract.changes import Change, Mark, Met, capped, fired, rulings
from tests.contract.full import RUNAWAY, Filling, copies, effect, gone, many

SEATS = {players: players for players in range(2, 7)}
TOGETHER = False
AUTOMATON = ""
BYTES = 16 * 1024
NARROW: tuple[str, ...] = ()
UNBOUNDED = {"NONE", "STREAMS", "DECKS", "SPANS"}  # of the words there are

RICH: tuple[dict[str, Any], ...] = (
    {"players": 4, "kids": "chosen", "quickshots_per_number": 2, "ruling.quickshot_answers_quickshot": True},
    {"players": 5, "kids": "random", "ruling.refill": "at_once", "ruling.mom_hollering_eliminated": "returns"},
    {"players": 6, "ruling.cover_drop": "at_once", "ruling.quickshot_responders": "random", "events": 9},
)

# --- where cards lie ---

SNOWBALLS, LOCATIONS, ITEMS = int(Deck.SNOWBALLS), int(Deck.LOCATIONS), int(Deck.ITEMS)


def _pile(record: Any, top: int, below: str) -> list[int]:
    found = []
    while top != NONE:
        found.append(top)
        top = int(record[below][top])
    return found


def lies(record: Any) -> dict[str, list[int]]:
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


def check(record: Any, rules: Any) -> None:
    """Every card of the three decks is in one place, once; cards out of the game (a ruling) are in none. The bits that
    stand for what hands and items are good for say what lies there."""
    places = lies(record)
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


def lose(record: Any) -> None:
    """A fault: the same card twice in the draw deck."""
    first = record["deck_next"][SNOWBALLS]
    record["deck"][SNOWBALLS, first] = record["deck"][SNOWBALLS, first + 1]


def next_location(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
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


# --- faults that would be noticed ---


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


CHECKS, LOSE, LIES = check, lose, lies
HEAPS = ("deck", "left_out", "hand")
NEXT = {"location": next_location}
CHEATS = {"deck": top_of_the_deck, "hand": hand_of_the_next}
SPOIL = {"deck": stacks_the_deck, "hand": swaps_hands, "gear": heals}
DRAWN: tuple[str, ...] = ()

# --- small changes ---


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


def condition_drawn(configuration: Configuration) -> Met:
    """A Condition came into play: only then differ a printed and a present cover."""
    keywords = configuration.rules[0]["item_keyword"]
    slots = dict(tables.component_names(configuration.content))
    items = enumerate(configuration.content.sections["items"])
    conditions = [slots[f"item={slug}"] for kind, slug in items if keywords[kind] == Keyword.CONDITION]
    return fired(*conditions)(configuration)


QUICKSHOTS = {"quickshots_per_number": 3}
SMALL_DECK = {f"snowballs.snowball-{n}.copies": 1 for n in range(1, 9)}
SMALL = (
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
RULINGS: dict[str, tuple[Mark, dict[str, Any]]] = {
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


CHANGES: tuple[Change, ...] = (*SMALL, *rulings(RULINGS, tables.RULINGS))
EVEN = tuple({"players": n, "first_player": "random"} for n in range(2, 7))

# --- Snowball: 48 cards with numbers, 13 Events (9 kinds), 20 locations (11), 20 items (10), 8 kids -------------------

THIN = copies(**{f"{kind}_{n}": 1 for kind in ("snowball", "quickshot") for n in range(1, 9)})  # 16 cards with numbers
EVERY_SHOT = {"quickshots_per_number": 4, "ruling.refill": "at_once", "ruling.quickshot_answers_quickshot": True}
CONDITION = "keyword = 'condition'\neffect = 'cover +1'"
MADE_ROOM = {  # TALLIES counts Events, items and kids together: many items fit only without some others
    "kids": gone("strong-arm", "deep-pockets", "scout", "scavenger", "thick-coat", "pitcher", "sprinter", "quick-eyes"),
    "events": gone("snowplow", "mom-hollering", "cold-hands", "lost-item"),
}

BEYOND: dict[str, Filling] = {
    "SEATS": Filling({"players": 7}, {}, "players: 7 is outside 2..6"),
    "HAND": Filling(
        {"hand_size": 6, "kids": "random"},
        {"kids": effect("deep-pockets", "always: hand +3")},
        "a hand of 9 cards, and 8 fit",
    ),
    "CARDS": Filling({}, {"snowballs": copies(snowball_1=41)}, "97 cards in the snowball deck, and 96 fit"),
    "KINDS": Filling(
        {}, {"snowballs": many(40, "number = 3\ncopies = 0")}, "65 different cards in the snowball deck, and 64 fit"
    ),
    "BOX": Filling(
        {"events": 14}, {"snowballs": THIN, "events": copies(lucky_find=68)}, "65 Events in the box, and 64 fit"
    ),
    "LOCATIONS": Filling({}, {"locations": copies(open=31)}, "49 cards in the location deck, and 48 fit"),
    "LOCATION_KINDS": Filling({}, {"locations": many(22, "cover = 9")}, "33 different locations, and 32 fit"),
    "ITEMS": Filling({}, {"items": copies(sled=46)}, "65 cards in the item deck, and 64 fit"),
    "ITEM_KINDS": Filling({}, {"items": many(23, CONDITION), **MADE_ROOM}, "33 different items, and 32 fit"),
    "KIDS": Filling({}, {"kids": many(9, "effect = 'always: hand +0'")}, "17 kids, and 16 fit"),
    "OPS": Filling({}, {"events": effect("lucky-find", "; ".join(["recover 1"] * 260))}, "and 256 fit"),
    "KEPT": Filling({}, {"items": effect("lookout", "clear out best of 5")}, "is outside 1..4"),
    "OPTIONS": Filling(
        {"hand_size": 4, "players": 6, "kids": "random"},
        {"events": effect("extra-throw", "draw item"), "kids": effect("deep-pockets", "once: clear out")},
        "up to 165 options in a turn, and 160 fit",
    ),
    "COVERS": Filling({}, {"locations": "[fort]\ncover = 32\n"}, "must be 31 or less"),
    "TALLIES": Filling({}, {"events": many(14, "")}, "Events, items and kids together, and 40 fit"),
}
FULL: dict[str, Filling] = {
    "HAND": Filling({"hand_size": 6, "kids": "random"}, {"kids": effect("deep-pockets", "always: hand +2")}),
    "CARDS": Filling({}, {"snowballs": copies(snowball_1=40)}),
    "KINDS": Filling({}, {"snowballs": many(39, "number = 3\ncopies = 0")}),
    "LOCATIONS": Filling({"players": 6}, {"locations": copies(open=30)}),
    "LOCATION_KINDS": Filling({}, {"locations": many(21, "cover = 9")}),
    "ITEMS": Filling({}, {"items": copies(sled=45)}),
    "ITEM_KINDS": Filling({}, {"items": many(22, f"{CONDITION}\ncopies = 2"), **MADE_ROOM}),
    "KIDS": Filling({"players": 6, "kids": "chosen"}, {"kids": many(8, "effect = 'always: items 4'")}),
    "OPS": Filling({}, {"events": effect("lucky-find", "; ".join(["recover 1"] * 240), 10)}),
    "KEPT": Filling({"players": 6}, {"items": effect("lookout", "clear out best of 4", 40)}),
    "OPTIONS": Filling(
        {"hand_size": 3, "players": 6, "kids": "random"},
        {
            "events": effect("extra-throw", "draw item", 20),
            "items": effect("pinecone", "power +1", 40),
            "kids": effect("deep-pockets", "once: clear out"),
        },
    ),
    "COVERS": Filling(
        {"players": 6, "turn_cap": 60},
        {
            "locations": "[fort]\ncover = 31\ncopies = 20\n",
            "items": effect("pine-boughs", "cover +20", 40),
            "events": effect("whiteout", "until your next turn: covers +20", 20),
        },
    ),
    "TALLIES": Filling({}, {"events": many(13, "")}),
    "HELD": Filling({}, {"events": effect("extra-throw", "draw item; draw item; draw item; draw item", 20)}),
    "SUSPENDED, SHOOTERS": Filling(
        {"players": 6, **EVERY_SHOT}, {"snowballs": THIN, "events": effect("extra-throw", "throw 2", 6)}
    ),
    "AGENDA": Filling({"players": 6}, {"events": effect("everyone-runs", "for each player: clear out; throw 1", 3)}),
    "AGENDA, ANSWERS, STEPS": Filling(
        {"players": 6, **EVERY_SHOT},
        {"snowballs": THIN, "events": effect("extra-throw", "for each player: throw 4", 20)},
        RUNAWAY,
    ),
    "numbers": Filling(
        {"players": 6, "kids": "random", "gear": 9},
        {
            "snowballs": "[snowball-8]\nnumber = 20\n[quickshot-8]\nnumber = 20\n",
            "items": "[pinecone]\neffect = 'power +20'\n[gravel]\neffect = 'power -10'\n",
            "kids": "[pitcher]\neffect = 'once: power +20'\n[scout]\neffect = 'always: power -8'\n",
        },
    ),
    "many Events": Filling(
        {"events": 60, "players": 2, "turn_cap": 60}, {"snowballs": THIN, "events": copies(lucky_find=50)}
    ),
    "BOX": Filling({"events": 15}, {"snowballs": THIN, "events": copies(lucky_find=68)}),
}
ELSEWHERE: dict[str, str] = {
    "HELD": "the rule that draws an item",
    "SUSPENDED": "throws that are interrupted: such a throw goes on without",
    "SHOOTERS": "answers to answers: the last ones cannot be answered",
    "AGENDA": "refused while it is played: ENDLESS",
    "STEPS": "refused while it is played: ENDLESS",
    "ANSWERS": "refused while it is played: ENDLESS",
    "PAIRS": "batch.prepare; 31 covers, 40 components, 10 rounds and a handful of ratios are fewer",
    "LEAD_ROUNDS": "the rule that counts leaders by round: what comes later is not counted apart",
    "MEMORY": "a policy's own; the bounds check",
    "WEIGHTS": "batch.prepare, for a strategy",
}
