"""The Snallygaster Situation: where its cards and tokens lie, how one would cheat, small changes, its capacities."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import Configuration
from simcore.games.snallygaster import layout, tables
from simcore.games.snallygaster.kernel import kernel
from simcore.games.snallygaster.layout import NONE, Decision, Deck, Ledger, Mechanics, Op, Option, Search, Step, Tally
from simcore.play import random_below
from simcore.records import Status
from tests.contract.changes import Change, Mark, Met, capped, either, fired, rulings
from tests.contract.full import RUNAWAY, Filling, copies, effect, gone, many

SEATS = {2: 3, 3: 3, 4: 4, 5: 5}  # the Lost Kid and the Kids on the board; with two players one has two Kids
TOGETHER = True
AUTOMATON = ""
BYTES = 26 * 1024  # 7 kB of it are tallies
NARROW = ("stop_touch", "leg_touch", "need", "near", "near_count", "distance")
UNBOUNDED = {
    *("NONE", "STREAMS", "DECKS", "SPANS", "WINDOWS", "DOOM_SOURCES"),  # of the words there are
    *("ANY_COLOUR", "ANY_SYMBOL", "BELIEF", "SOULS_A_DOOM"),  # no sizes
}
LOST_KID, ITEMS, SEARCH = int(Deck.LOST_KID), int(Deck.ITEMS), int(Deck.SEARCH)


def easy(monster: str) -> dict[str, Any]:
    """Goals that players at random reach, too, and a long doom track."""
    found: dict[str, Any] = {"monster": monster, "doom_length": 40}
    for slug, goal in tables.load_content().sections["goals"].items():
        if goal.monster == monster:
            found[f"goals.{slug}.parts"] = "search a treehouse" if goal.order == 1 else "enter a treehouse"
    return found


RICH: tuple[dict[str, Any], ...] = (
    {"players": 5, "monster": "snallygaster", "doom_length": 30, "starting_items": 3, "coordination": 0.5},
    {"players": 4, "monster": "bloody-mary", "doom_length": 40, "ruling.rescue": "any_end", "ruling.last_doom": "lose"},
    {"players": 3, **easy("jersey-devil"), "ruling.rescue": "guess", "event_density": 1.5, "search_threat": 0.9},
    {
        "players": 2,
        **easy("dover-demon"),
        "starting_items": 4,
        "items.flash-cubes.effect": "may stun; feds any 1",
    },
)

# --- where cards lie ---


def bits(number: Any) -> list[int]:
    """Places of the bits that are set."""
    return [i for i in range(64) if int(number) >> i & 1]


def lies(record: Any) -> dict[str, list[int]]:
    """Every place and what lies in it, in the order in which it lies (sets are sorted)."""
    places: dict[str, list[int]] = {}
    for deck in Deck:
        places[f"deck {deck}"] = record["deck"][deck, record["deck_next"][deck] : record["deck_size"][deck]].tolist()
        places[f"discards {deck}"] = sorted(record["discard"][deck, : record["discards"][deck]].tolist())
    waiting = record["agenda"][: int(record["agenda_size"])].tolist()
    places["open search cards"] = [row >> 12 & 4095 for row in waiting if row & 15 == Step.CLOSE]
    places["hand"] = record["hand"][0, : record["hand_size"][0]].tolist()
    places["buried"] = record["buried"][: record["burieds"]].tolist()
    places["hidden card"] = [int(record["hidden_card"][0])]
    places["powered card"] = [int(record["powered"][0])]
    places["monster"] = [int(record["monster"][0])]
    places["piles"] = [int(card) for card in record["piles"] if card != NONE]
    for kind in range(layout.SYMBOLS):
        places[f"stack {kind}"] = record["stack"][kind, : record["stack_size"][kind]].tolist()
    for seat in range(int(record["seats"])):
        places[f"items {seat}"] = bits(record["items"][seat])
    return places


def check_cards(record: Any, rules: Any) -> None:
    """Every card of the three decks is in one place, once; no Kid has what is the Lost Kid's."""
    places, seats = lies(record), int(record["seats"])
    owned = [card for seat in range(seats) for card in places[f"items {seat}"]]
    regular = [card for card in owned if card < rules["powered_first"]]
    lie = {
        LOST_KID: [*places["hand"], *places["hidden card"], *places["piles"], *places["buried"]],
        ITEMS: regular,
        SEARCH: places["open search cards"],
    }
    for deck, count in ((LOST_KID, "cards"), (ITEMS, "item_cards"), (SEARCH, "search_cards")):
        found = [*places[f"deck {deck}"], *places[f"discards {deck}"], *lie[deck]]
        assert sorted(found) == list(range(rules[count])), Deck(deck)
    assert len(set(regular)) == len(regular) == record["items_out"]
    assert places["discards 1"] == []
    powered = places["powered card"][0]
    assert 0 <= powered - rules["powered_first"] < rules["powered_cards"]
    assert [card for card in owned if card >= rules["powered_first"]] == [powered] * int(record["rescued"])
    assert record["rescued"] == 0 or powered in places["items 0"]
    assert set(bits(record["item_up"])) <= set(owned)
    for name in ("hand_size", "hidden_card", "powered", "monster"):
        assert (record[name][1:seats] == (0 if name == "hand_size" else NONE)).all(), name
    assert record["rescued"] == 1 or not record["cleared"] >> rules["card_building"][places["hidden card"][0]] & 1


def check_town(record: Any, rules: Any) -> None:
    """Tokens: as many as the box has, where they can be; symbol tiles, wheels and rides with who holds them."""
    seats = int(record["seats"])
    for kind in range(int(rules["symbols"])):
        tiles = np.flatnonzero(rules["tile_symbol"][: rules["tiles"]] == kind)
        at = record["tile_at"][tiles]
        stack = record["stack"][kind, : record["stack_size"][kind]]
        assert sorted(stack.tolist()) == tiles[at == NONE].tolist(), kind
        for seat in range(seats):
            assert record["symbols"][seat, kind] == (at == seat).sum(), (kind, seat)
        assert set(at.tolist()) <= {NONE, *range(seats), layout.SEATS}
    assert record["symbols"][:seats, : rules["symbols"]].sum() == record["symbols_out"]
    tokens = record["tokens"][: rules["buildings"]]
    assert tokens.min() >= 0 and tokens.sum() == record["tokens_out"] <= rules["search_tokens"]
    box = {"stars": layout.STARS, "mirrors": layout.MIRRORS, "trees": layout.TREES, "hatchlings": layout.HATCHLINGS}
    for name, most in {**box, "bystanders": layout.BYSTANDERS, "cleared": layout.BUILDINGS}.items():
        found = bits(record[name])
        assert len(found) <= most and all(building < rules["buildings"] for building in found), name
    assert len(bits(record["lights"])) <= layout.LIGHTS and record["lights"] >> rules["districts"] == 0
    assert record["curses"][0] == 0 and (0 <= record["curses"][:seats]).all()
    assert record["curses"][:seats].max() <= layout.CURSES_EACH
    assert record["curses"][:seats].sum() == record["curses_out"] <= layout.CURSES
    wheels = record["wheels"][:seats].tolist()
    assert wheels[0] == 0 and all(w & ~rules["spare_wheels"] == rules["usual_wheels"] for w in wheels[1:])
    spare = [wheel for owned in wheels for wheel in bits(owned & rules["spare_wheels"])]
    assert len(set(spare)) == len(spare)
    assert not (record["wheels_up"][:seats] & ~record["wheels"][:seats]).any()
    rides = [ride for ride in record["ride"][:seats].tolist() if ride != NONE]
    assert record["ride"][0] == NONE and len(set(rides)) == len(rides) and set(rides) <= set(range(rules["ride_cards"]))
    assert (record["fed_at"] >= 0).all() and (record["fed_at"] < rules["stops"]).all()
    assert ((record["space"][:seats] >= NONE) & (record["space"][:seats] < rules["spaces"])).all()
    assert (record["space"][0] == NONE) == (record["rescued"] == 0)


def check_story(record: Any, rules: Any) -> None:
    """The doom track, and where the monster can be for all that is public."""
    doom = [int(record["tally"][Tally.DOOM + source]) for source in range(layout.DOOM_SOURCES)]
    assert sum(doom) == record["tally"][Tally.DOOM_ALL] == record["doom"] <= rules["doom_length"]
    if record["status"] != Status.CAPPED:
        assert (record["status"] == Status.LOST) == (record["doom"] == rules["doom_length"])
    assert 0 <= record["goal"] < rules["goals"]
    district = int(record["monster"][0])
    assert 0 <= district < rules["districts"] and record["monster_seen"] in (NONE, district)
    assert rules["mechanics"] == Mechanics.SWOOP or record["monster_seen"] == district
    asked = record["status"] == Status.PLAYING and record["options"] > 0 and record["silent"] == 0
    if not (asked and record["decision"] == Decision.DISTRICT):  # a step that is being chosen is not yet taken
        assert record["monster_maybe"] >> district & 1
    if record["monster_seen"] != NONE:
        assert record["monster_maybe"] >> district & 1


def check(record: Any, rules: Any) -> None:
    """All of it."""
    check_cards(record, rules)
    check_town(record, rules)
    check_story(record, rules)


def lose(record: Any) -> None:
    """A fault: the same card twice in the search deck."""
    first = record["deck_next"][SEARCH]
    record["deck"][SEARCH, first] = record["deck"][SEARCH, first + 1]


# --- what is hidden ---


def next_search_card(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """The card on top of the search deck, and the chance to guess it."""
    first, size = int(record["deck_next"][SEARCH]), int(record["deck_size"][SEARCH])
    return (int(record["deck"][SEARCH, first]), 1 / (size - first)) if size - first > 1 else None


def hidden_card(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """Where the Lost Kid is, to a Kid: any card not seen whose building is not ruled out."""
    if seat == 0 or record["rescued"] == 1:
        return None
    places = lies(record)
    pool = [*places["hand"], *places["deck 0"], *places["buried"], *places["hidden card"]]
    left = [c for c in pool if rules["card_hides"][c] and not record["cleared"] >> rules["card_building"][c] & 1]
    return (int(record["hidden_card"][0]), 1 / len(left)) if len(left) > 1 else None


def hidden_monster(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """The monster's district while it is hidden."""
    maybe = bits(record["monster_maybe"])
    if seat == 0 or record["monster_seen"] != NONE or len(maybe) < 2:
        return None
    return int(record["monster"][0]), 1 / len(maybe)


def top_tile(record: Any, rules: Any, seat: int) -> tuple[int, float] | None:
    """The top tile of the first symbol."""
    size = int(record["stack_size"][0])
    return (int(record["stack"][0, size - 1]), 1 / size) if size > 1 else None


@kernel
def reads_the_search_deck(game, rules, work, seat, decision):
    return game["deck"][SEARCH, game["deck_next"][SEARCH] % 60] % game["options"]


@kernel
def reads_the_hidden_card(game, rules, work, seat, decision):
    return abs(game["hidden_card"][0]) % game["options"]


@kernel
def reads_the_hand(game, rules, work, seat, decision):
    return game["hand"][0, 0] % game["options"]


@kernel
def reads_the_powered_card(game, rules, work, seat, decision):
    return abs(game["powered"][0]) % game["options"]


@kernel
def reads_the_monsters_district(game, rules, work, seat, decision):
    return abs(game["monster"][0]) % game["options"]


@kernel
def reads_the_stack(game, rules, work, seat, decision):
    return game["stack"][0, max(0, game["stack_size"][0] - 1)] % game["options"]


# --- faults that would be noticed ---


@kernel
def stacks_the_deck(game, rules, work, seat, decision):
    """The two top cards of the search deck change places."""
    first = game["deck_next"][SEARCH] % 10
    card = game["deck"][SEARCH, first]
    game["deck"][SEARCH, first] = game["deck"][SEARCH, first + 1]
    game["deck"][SEARCH, first + 1] = card
    return 0


@kernel
def goes_elsewhere(game, rules, work, seat, decision):
    """The Lost Kid hides anew."""
    game["hidden_card"][0] = (game["hidden_card"][0] + 1) % 30
    return 0


@kernel
def turns_back(game, rules, work, seat, decision):
    """A doom step for nothing."""
    game["doom"] -= 1
    return 0


@kernel
def tames(game, rules, work, seat, decision):
    """The monster is elsewhere."""
    game["monster"][0] = (game["monster"][0] + 1) % 8
    return 0


CHECKS, LOSE, LIES = check, lose, lies
HEAPS = ("deck", "stack", "buried", "hand")
NEXT = {"search": next_search_card, "hidden": hidden_card, "monster": hidden_monster, "tile": top_tile}
CHEATS = {
    "search": reads_the_search_deck,
    "hidden": reads_the_hidden_card,
    "hand": reads_the_hand,
    "powered": reads_the_powered_card,
    "monster": reads_the_monsters_district,
    "tile": reads_the_stack,
}
SPOIL = {"deck": stacks_the_deck, "hidden_card": goes_elsewhere, "doom": turns_back, "monster": tames}
DRAWN: tuple[str, ...] = ()

# --- small changes ---


@kernel
def seeks(game, rules, work, seat, decision):
    """Whoever can take a search token does, with a spoken guess where there is one; else anything."""
    token = -1
    for i in range(game["options"]):
        option = game["option"][i]
        if option & 15 == Option.SEARCH and (option >> 4) & 4095 == Search.TOKEN:
            token = i
    if token >= 0:
        return np.int64(token)
    return random_below(game, rules, seat, game["options"])


def slots(configuration: Configuration, *components: str) -> list[int]:
    """The first of three tally slots of these components: seen, used, won where used."""
    known = dict(tables.component_names(configuration.settings, configuration.content))
    return [known[component] for component in components if component in known]


def seen(*components: str) -> Mark:
    """One of these was dealt, drawn or opened."""
    return lambda configuration: fired(*slots(configuration, *components))(configuration)


def used(*components: str) -> Mark:
    """One of these was used, or done."""
    return lambda configuration: fired(*(slot + 1 for slot in slots(configuration, *components)))(configuration)


def moves_freely(configuration: Configuration) -> Met:
    """A card gave a free move: one was drawn or used that can."""
    rules, content = configuration.rules[0], configuration.content
    rows = {"items": ("item", used), "powered-cards": ("powered", used), "search-cards": ("search", seen)}
    marks = []
    for section, (kind, mark) in rows.items():
        for slug in content.sections[section]:
            ops = {node.form.op for node in content.effects[section, slug, "effect"].walk()}
            if ops & {Op.FREE_MOVE, Op.MOVE}:
                marks.append(mark(f"{kind}={slug}"))
    quest = rules["op"][rules["quest_start"] : rules["quest_end"]]
    assert not np.isin(quest, [Op.FREE_MOVE, Op.MOVE]).any()
    return either(*marks)(configuration)


def card_left(deck: Deck, id_field: str, section: str, slug: str, *moved: int) -> Mark:
    """The last copy of a card has left its draw deck, or a shuffle (`moved`) came after the first."""

    def mark(configuration: Configuration) -> Met:
        copies = configuration.content.sections[section][slug].copies
        card = configuration.rules[0][id_field].tolist().index(tables.card_id(section, slug, copies - 1))

        def met(game: Any) -> bool:
            left = game["deck"][deck, game["deck_next"][deck] : game["deck_size"][deck]]
            return bool(game["tally"][list(moved)].any()) or card not in left

        return met

    return mark


SHORT = {"doom_length": 3}
LONG = {"doom_length": 30}
SENT = fired(Tally.TREEHOUSE_SENT)
LAST = {**easy("dover-demon"), "goals.pull-the-plug.reward": "doom 5; doom 5; doom 5; doom 5"}
SMALL = (
    Change(
        "an item more",
        {"items.flash-cubes.copies": 2},
        card_left(Deck.ITEMS, "item_id", "items", "flash-cubes", Ledger.ITEM_RESHUFFLE),
    ),
    Change(
        "a search card more",
        {"search-cards.curfew.copies": 2},
        card_left(Deck.SEARCH, "search_id", "search-cards", "curfew", Ledger.SEARCH_RESHUFFLE),
        LONG,
    ),
    Change(
        "a Lost Kid card more",
        {"lost-kid-cards.lake-lodge.copies": 2},
        card_left(
            *(Deck.LOST_KID, "card_id", "lost-kid-cards", "lake-lodge"),
            *(Ledger.LOST_KID_RESHUFFLE, Ledger.NEW_HAND_TOKEN),
        ),
        {"new_hand_token": False},
    ),
    Change(
        "a search card's text",
        {"search-cards.curfew.effect": "attack"},
        seen("search=curfew"),
        LONG,
    ),
    Change("an item's number", {"items.grape-soda.effect.1": 4}, used("item=grape-soda")),
    Change("a ride's number", {"rides.skateboard.effect.1": 3}, seen("ride=skateboard")),
    Change("a tile's text", {"symbols.radio-luck.effect": "token any"}, seen("symbol=radio"), LONG),
    Change("a goal's text", {"goals.talk-to-lance.reward": "doom 1"}, used("goal=talk-to-lance"), LONG),
    Change("a later cap", {"turn_cap": 60}, capped, {"turn_cap": 30}),
    Change("Feds who flee less", {"feds_flight": 2}, fired(Ledger.FEDS_FLEE), SHORT),
    Change("symbols for fewer steps", {"symbol_steps": 2}, fired(Ledger.SYMBOL_STEPS), LONG),
    Change("spooky actions dropped", {"event_density": 0.97}, fired(Ledger.DROPPED)),
    Change("spooky actions doubled", {"event_density": 1.03}, fired(Ledger.DOUBLED)),
    Change("more threats", {"search_threat": 0.97}, fired(Tally.SEARCHES)),
    Change("turns without the common plan", {"coordination": 0.97}, fired(Ledger.SPLIT)),
)
# Each ruling's other values: what shows that it was met, and further settings.
RULINGS: dict[str, tuple[Mark, dict[str, Any]]] = {
    "rescue any_end": (fired(Ledger.RESCUED), {"doom_length": 20}),
    "rescue goal": (fired(Ledger.RESCUED, Ledger.HIDDEN_PASSED), {"policy": seeks, "doom_length": 60}),
    "rescue guess": (fired(Ledger.RESCUED, Ledger.WRONG_GUESS), {"policy": seeks, **SHORT, "setup_tokens": 1}),
    "lost_kid_reshuffle": (fired(Ledger.LOST_KID_RESHUFFLE), LONG),
    "new_hand_icon": (fired(Ledger.NEW_HAND_ICON), {"doom_length": 50}),  # what lies on top stays out of a reshuffle
    "new_hand_before_draw": (fired(Ledger.FIVE_CARDS), SHORT),
    "move_kid": (fired(Ledger.MOVE_KID), {}),
    "attack_order": (fired(Ledger.FEDS_FLEE), SHORT),
    "stun": (fired(Ledger.STUNNED), {}),
    "free_move_road_bonus": (moves_freely, {"stories.dover-demon.quest": "token any"}),
    "nearest_treehouse": (SENT, SHORT),
    "rescued_lost_kid": (fired(Ledger.RESCUED), {"ruling.rescue": "any_end", "doom_length": 20}),
    "last_doom": (fired(Ledger.TOGETHER_END), LAST),
    "sent_refreshes": (SENT, SHORT),
    "hit_ends_move": (
        either(fired(Ledger.MOVE_CUT), used("item=cherry-bombs", "item=prank-call", "item=casefile")),
        {},
    ),
}
CHANGES: tuple[Change, ...] = (*SMALL, *rulings(RULINGS, tables.RULINGS))
EVEN = "all win together, and who is the Lost Kid does not change from game to game"

# --- capacities: 32 Lost Kid cards, 21 items and 4 powered cards, 7 rides, 27 search cards, 20 tiles of 4 symbols ---

MAP = tables.load_content().sections["town"]["lakeview"].spaces
SIDES = (("north", -4), ("east", 1), ("south", 4), ("west", -1))


def full_town() -> dict[str, str]:
    """16 x 16 spaces without a lake, 4 x 4 districts, 40 buildings, 8 treehouses, a ring of road with 16 stops."""
    ring = [(3, c) for c in range(3, 13)] + [(r, 12) for r in range(4, 13)]
    ring += [(12, c) for c in range(11, 2, -1)] + [(r, 3) for r in range(11, 3, -1)]
    marks = np.full((16, 16), ".")
    districts = np.array([[chr(ord("A") + r // 4 * 4 + c // 4) for c in range(16)] for r in range(16)])
    for i, at in enumerate(ring):
        marks[at], districts[at] = "+" if i < 32 and i % 2 == 0 else "-", "+"
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn")
    for r, c in np.ndindex(16, 14):
        if (marks[r, c : c + 2] == ".").all() and (c == 0 or marks[r, c - 1] in ".+-"):
            marks[r, c : c + 2] = next(letters, ".")
    marks[:8, 15] = list("12345678")
    stops = [f"{chr(ord('a') + c)}{r + 1}" for r, c in ring[:32:2]]
    known = list(tables.load_content().sections["districts"])
    names = [*known, *(f"new-{i}" for i in range(len(known), layout.DISTRICTS))]
    sides = ""
    for i, name in enumerate(names):
        if name not in known:
            sides += f"[{name}]\nname = '{name}'\nsource = 'estimated'\nletter = '{chr(ord('A') + i)}'\n"
        else:
            sides += f"[{name}]\n"
        for side, step in SIDES:
            there = abs(step) == 4 and 0 <= i + step < 16 or abs(step) == 1 and (i + step) // 4 == i // 4
            sides += f"{side} = {[names[i + step]] if there else []}\n"
    buildings = "".join(
        f"[new-{i}]\nname = 'new {i}'\nsource = 'estimated'\nletter = '{letter}'\nnumber = {i}\ncolour = 'red'\n"
        for i, letter in enumerate("efghijklmn", 31)
    )
    rows = "\n\n".join(" ".join(row) for row in marks)
    return {
        "town": f"[lakeview]\nspaces = '''\n{rows}'''\ndistricts = '''\n" + "\n".join(map("".join, districts)) + "'''",
        "districts": sides,
        "buildings": buildings,
        "feds": f"[red]\nstops = {stops}\n[blue]\nstops = {stops[::-1]}\n",
        "landmarks": many(layout.LANDMARKS - 12, "kind = 'street'\nat = ['e5']"),
    }


def tiles(number: int) -> str:
    """So many tiles more, each of which gives a symbol."""
    return many(1, f"symbol = 'torch'\neffect = 'symbol any'\ncopies = {number}")


def new_ride(road: int) -> str:
    """A ride with one way to move of its own."""
    return many(1, f"effect = 'diagonal; cross fences; road {road}'", f"ride-{road}")


def long_goal(order: int) -> str:
    """A goal of the Dover Demon with six parts."""
    parts = "; ".join(["9 times: enter a treehouse"] * 5)
    said = f"monster = 'dover-demon'\norder = {min(order, 8)}\nparts = '{parts}; rescue'\nopens = 'star 8; tree 8'"
    return many(1, said, f"goal-{order}")


SEARCHES = [s for s, card in tables.load_content().sections["search-cards"].items() if not card.monster]
LOST_KID_CARD = "spooky = 'new hand; attack; token any'\naction = 'move kid 8'\nmovement = 12\nbuilding = 'lake-lodge'"
COMPONENTS = "different rides, items, powered and search cards, symbols and goals together, and 76 fit"
BEYOND: dict[str, Filling] = {
    "SEATS": Filling({"players": 6}, {}, "players: 6 is outside 2..5"),
    "SPACES": Filling({}, {"town": "[lakeview]\nspaces = '''\n" + "\n\n".join([". " * 17] * 17) + "'''"}, "289 spaces"),
    "DISTRICTS": Filling({}, {"districts": many(5, "letter = 'x'")}, "17 entries; from 1 to 16 fit"),
    "BUILDINGS": Filling(
        {}, {"buildings": many(11, "letter = 'x'\nnumber = 1\ncolour = 'red'")}, "41 entries; from 1 to 40 fit"
    ),
    "TREEHOUSES": Filling(
        {}, {"town": f"[lakeview]\nspaces = '''{MAP.replace(' 4', ' 9', 1)}'''"}, "'9' is no treehouse; they are 1 to 8"
    ),
    "LANDMARKS": Filling({}, {"landmarks": many(9, "kind = 'street'\nat = ['e5']")}, "21 entries; from 1 to 20 fit"),
    "STOPS": Filling({}, {"feds": f"[red]\nstops = {['g1'] * 17}"}, "17 stops; from 2 to 16 fit"),
    "WAYS": Filling({}, {"rides": many(2, "effect = 'road 6; off road 5'")}, "more than 16 ways to move, and 16 fit"),
    "CARDS": Filling({}, {"lost-kid-cards": copies(lake_lodge=34)}, "65 cards in the Lost Kid deck, and 64 fit"),
    "ITEMS": Filling({}, {"items": copies(flash_cubes=37)}, "61 item and powered cards together, and 60 fit"),
    "RIDES": Filling({}, {"rides": copies(skateboard=7)}, "13 ride cards, and 12 fit"),
    "SYMBOLS": Filling({}, {"symbols": tiles(1) + many(1, "symbol = 'key'", "key")}, "6 kinds of symbol, and 5 fit"),
    "TILES": Filling({}, {"symbols": tiles(21)}, "41 symbol tiles, and 40 fit"),
    "STACK": Filling({}, {"symbols": tiles(13)}, "13 tiles of the symbol torch, and 12 fit"),
    "GOALS": Filling({}, {"goals": "".join(map(long_goal, range(5, 10)))}, "9 goals of dover-demon, and 8 fit"),
    "PARTS": Filling({}, {"goals": "[talk-to-lance]\nparts = '" + "rescue; " * 6 + "rescue'"}, "7 parts in "),
    "WHEELS": Filling({}, {"wheels": copies(three=4)}, "9 wheel tokens of a Kid, spares included, and 8 fit"),
    "HAND": Filling({"hand_size": 9}, {}, "hand_size: 9 is outside 1..8"),
    "PILES": Filling({"piles": 6}, {}, "piles: 6 is outside 1..5"),
    "OPS": Filling({}, {"items": effect("flash-cubes", "; ".join(["stun"] * 273))}, "need 513 rows, and 512 fit"),
    "TALLIES": Filling({}, {"search-cards": many(30, "effect = 'stun'\ncopies = 0")}, COMPONENTS),
    "COMPONENTS": Filling({}, {"items": many(30, "effect = 'stun'\ncopies = 0")}, COMPONENTS),
}
LONGER = {"doom_length": 60, "turn_cap": 150}
FULL: dict[str, Filling] = {
    "the town": Filling({"players": 5, **LONGER}, full_town()),
    "WAYS": Filling({"players": 5}, {"rides": new_ride(5) + new_ride(6)}),
    "CARDS": Filling(
        {"players": 5, "hand_size": 8, "piles": 5, "setup_tokens": 12, **LONGER},
        {"lost-kid-cards": many(1, f"{LOST_KID_CARD}\ncopies = 32"), "search-cards": copies(curfew=38)},
    ),
    "HAND, HISTORY": Filling({"players": 2, "hand_size": 8, "doom_length": 60, "kid_turns": 1, "turn_cap": 1000}),
    "ITEMS": Filling(
        {"players": 5, "starting_items": 4, "monster": "bloody-mary"},
        {"items": effect("flash-cubes", "trade anywhere; item 4; symbol any", 36)},
    ),
    "RIDES": Filling({"players": 5}, {"rides": copies(kick_scooter=6)}),
    "TILES, STACK, SYMBOLS": Filling(
        {"players": 5, "starting_items": 4},
        {"symbols": tiles(12) + "[book-chill]\ncopies = 8\n", "items": effect("flash-cubes", "symbol any", 20)},
    ),
    "GOALS, PARTS": Filling({"players": 5, **easy("dover-demon")}, {"goals": "".join(map(long_goal, range(5, 9)))}),
    "WHEELS": Filling({"players": 5}, {"wheels": "[three]\ncopies = 3\nvalue = 12\ndiagonal = true"}),
    "OPS": Filling({"starting_items": 4}, {"items": effect("flash-cubes", "; ".join(["stun"] * 272), 10)}),
    "COMPONENTS": Filling({}, {"search-cards": many(11, "effect = 'stun'\ncopies = 3")}),
    "STARS, TREES, LIGHTS, CURSES": Filling(
        {"players": 5, "monster": "jersey-devil"},
        {
            "stories": "[jersey-devil]\nsetup = 'star 8; mirror 8; tree 8; hatchling 4; bystander 12; searchlight 4'",
            "items": effect("flash-cubes", "each kid: curse; searchlight 4; bystander 12", 30),
        },
    ),
    "SUPPLY, TRADES": Filling({"players": 5, "search_tokens": 60, "setup_tokens": 12, "starting_items": 4}),
    "OPTIONS": Filling(
        {"players": 5, "starting_items": 4, "monster": "bloody-mary", **LONGER},
        {**full_town(), "items": effect("flash-cubes", "diagonal; move 12; trade anywhere; item 4; symbol any", 36)},
    ),
    "AGENDA": Filling(
        {},
        {
            "stories": "[dover-demon]\nsetup = 'search'",
            "search-cards": many(1, "effect = 'search; search'\ncopies = 60") + gone(*SEARCHES),
        },
        RUNAWAY,
    ),
}
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("OPTIONS", "ANSWERS", "AGENDA", "STEPS"), "refused while it is played: ENDLESS"),
    **dict.fromkeys(("STARS", "MIRRORS", "TREES", "HATCHLINGS", "BYSTANDERS"), "the rule that scatters tokens"),
    **dict.fromkeys(("CURSES", "CURSES_EACH"), "the rule that gives a curse"),
    "LIGHTS": "the rule that puts a searchlight",
    "MOST_STEPS": "the rule that offers ends: who has more goes as far as with 24",
    "TRADES": "the rule that offers trades",
    "HISTORY": "the rule that plays a card: what comes later is not noted",
    **dict.fromkeys(("ROUNDS", "STATE_ROUNDS"), "the rules that count by round: what comes later is not counted apart"),
    "STATES": "the rule that counts by the doom left: the last state holds all that is more",
    "PAIRS": "batch.prepare; 32 rounds and a handful of ratios are fewer",
    "MEMORY": "a policy's own; the bounds check",
    "WEIGHTS": "batch.prepare, for a strategy",
}
