"""Spooktacular's TOML files against the rulebook's component list: counts, cross references, the printed texts."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import simcore.games
from simcore.content import SOURCES

FOLDER = Path(simcore.games.__file__).parent / "spooktacular" / "content"
Entries = dict[str, dict[str, Any]]


def read(section: str) -> Entries:
    return tomllib.loads((FOLDER / f"{section}.toml").read_text(encoding="utf-8"))


SECTIONS = ("maps", "rooms", "locks", "cards", "monsters", "automaton")
DATA = {section: read(section) for section in SECTIONS}
MONSTERS, CARDS, ROOMS, LOCKS = DATA["monsters"], DATA["cards"], DATA["rooms"], DATA["locks"]
BASIC = {slug: card for slug, card in CARDS.items() if not card.get("monster")}
PLAYERS = 5  # sets of basic cards in the box
FIGURES = 39
TIERS = {"easy": 9, "intermediate": 7, "advanced": 4}
TOKENS = {
    "doombox": {"cassette": 5},
    "hell-chef": {"dish": 6},
    "doctor-terror": {"tesla-coil": 2, "flamejet": 2, "secret-door": 1, "cloning-chamber": 1},  # the six traps
    "grimhive": {"hive": 6},
    "mummygator": {"jar": 7, "tomb": 1},
    "remover": {"dumbbell": 1},
    "screamin-eagle": {"teammate": 9},
    "angler": {"door": 7},
    "beasts-of-business": {"future": 4},
}  # the rulebook's list of components: whose tokens
KNOWN_NAMES = {
    "Killtron 3000",
    "Deadline",
    "Remover",
    "Doctor Terror",
    "Mummygator",
    "ReGoo",
    "Doombox",
    "Hell Chef",
    "Grimhive",
    "Screamin' Eagle",
    "Angler",
    "Beasts of Business",
    "Nightslayerr",
    "Killer Car",
}
COMPASS = {
    "north": (0, -1),
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (1, 1),
    "south": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (-1, -1),
}
COUNTS = ("two", "three", "four", "five")
READINGS = ("captions", "nested", "third")


def copies(entries: Entries) -> int:
    return sum(entry.get("copies", 1) for entry in entries.values())


def plain(text: str) -> str:
    """A text without the line breaks of the file."""
    return " ".join(text.split())


def texts() -> list[tuple[str, str, dict[str, Any]]]:
    """All texts, with the key as `sources` names it, and their entry."""
    found = [("effect", card["effect"], card) for card in CARDS.values()]
    for monster in MONSTERS.values():
        found += [(key, monster[key], monster) for key in ("setup", "turn", "standing") if key in monster]
        for table in ("abilities", "spaces"):
            found += [(f"{table}.{name}", text, monster) for name, text in monster.get(table, {}).items()]
    return found


def source_of(entry: dict[str, Any], key: str) -> str:
    sources = entry.get("sources", {})
    return str(sources.get(key, sources.get(key.partition(".")[0], entry["source"])))


# --- counts ----------------------------------------------------------------------------------------------------------


def test_there_are_25_basic_cards_five_for_each_player() -> None:
    assert list(BASIC) == ["haunt", "consume", "mash", "search", "jumpscare"]
    assert copies(BASIC) * PLAYERS == 25


def test_there_are_62_unique_cards_five_of_killtron_and_three_of_each_other() -> None:
    unique: Counter[str] = Counter()
    for card in CARDS.values():
        if card.get("monster"):
            unique[card["monster"]] += card.get("copies", 1)
    assert unique == {slug: 5 if slug == "killtron" else 3 for slug in MONSTERS}
    assert sum(unique.values()) == 62


def test_there_are_39_figures() -> None:
    figures = {slug: sum(monster["figures"].values()) for slug, monster in MONSTERS.items()}
    assert sum(figures.values()) == FIGURES
    several = {slug: n for slug, n in figures.items() if n > 1}
    assert several["deadline"] == 8
    assert several["regoo"] > 1, "rulebook, FAQ: more than one figure"
    assert several["beasts-of-business"] > 1, "plural"


def test_the_tokens_are_those_of_the_list() -> None:
    assert {slug: monster["tokens"] for slug, monster in MONSTERS.items() if "tokens" in monster} == TOKENS
    assert sum(TOKENS["doctor-terror"].values()) == 6


def test_twenty_monsters_in_three_tiers() -> None:
    assert len(MONSTERS) == 20
    assert Counter(monster["tier"] for monster in MONSTERS.values()) == TIERS
    known = {"doombox": "easy", "killtron": "intermediate", "deadline": "advanced"}
    assert {slug: MONSTERS[slug]["tier"] for slug in known} == known
    sure = {s for s, m in MONSTERS.items() if source_of(m, "tier") in {"rulebook", "published"}}
    assert sure == set(known), "the tiers of the others are not public"


def test_fourteen_names_are_known_and_six_stand_for_others() -> None:
    named = {m["name"] for m in MONSTERS.values() if not m.get("placeholder", False)}
    assert named == KNOWN_NAMES
    placeholders = [m for m in MONSTERS.values() if m.get("placeholder", False)]
    assert len(placeholders) == 6
    for monster in placeholders:
        assert monster["name"].startswith("Placeholder: ")
        assert monster["source"] == "estimated"
        assert not monster.get("tokens"), "all tokens of the list belong to known monsters"


# --- the theaters ----------------------------------------------------------------------------------------------------


def rooms_of(map_: str) -> Entries:
    return {slug: room for slug, room in ROOMS.items() if room["map"] == map_}


def test_the_default_theater_is_the_graph_of_the_estimate() -> None:
    rooms = rooms_of("theater-8")
    letter = dict(zip(rooms, "ABCDEFGH", strict=True))
    edges = {"".join(sorted((letter[a], letter[b]))) for a, room in rooms.items() for b in room["doors"]}
    assert edges == set("AB BC AD AE BE BF CF CG DE EF FG DH EH".split())


@pytest.mark.parametrize("map_", DATA["maps"])
def test_a_theater_is_whole(map_: str) -> None:
    rooms = rooms_of(map_)
    assert len(rooms) == int(map_.removeprefix("theater-"))
    doors = sorted(len(room["doors"]) for room in rooms.values())
    assert 2.8 <= sum(doors) / len(doors) <= 3.6
    assert doors[-1] > doors[-2], "the automaton begins in the room with the most doors"
    assert len({tuple(room["at"]) for room in rooms.values()}) == len(rooms)
    for slug, room in rooms.items():
        assert len(set(room["doors"].values())) == len(room["doors"]), slug
        for other, way in room["doors"].items():
            (x, y), (x2, y2) = room["at"], rooms[other]["at"]
            towards = ((x2 > x) - (x2 < x), (y2 > y) - (y2 < y))
            assert COMPASS[way] == towards, f"{slug} -> {other}"
            back = COMPASS[rooms[other]["doors"][slug]]
            assert back == (-towards[0], -towards[1])


@pytest.mark.parametrize("map_", DATA["maps"])
def test_no_door_is_drawn_across_a_room(map_: str) -> None:
    rooms = rooms_of(map_)
    for slug, room in rooms.items():
        for other in room["doors"]:
            (x, y), (x2, y2) = room["at"], rooms[other]["at"]
            for third, between in rooms.items():
                x3, y3 = between["at"]
                on_line = (x2 - x) * (y3 - y) == (y2 - y) * (x3 - x)
                inside = min(x, x2) <= x3 <= max(x, x2) and min(y, y2) <= y3 <= max(y, y2)
                assert third in (slug, other) or not (on_line and inside), f"{slug} - {other} crosses {third}"


@pytest.mark.parametrize("map_", DATA["maps"])
@pytest.mark.parametrize("reading", READINGS)
def test_locks(map_: str, reading: str) -> None:
    rooms = rooms_of(map_)
    found = [lock for lock in LOCKS.values() if (lock["map"], lock["reading"]) == (map_, reading)]
    assert len(found) == 1
    locked = {count: found[0][count].split() for count in COUNTS}
    bottom = max(rooms, key=lambda slug: rooms[slug]["at"][1])
    assert sum(room["at"][1] == rooms[bottom]["at"][1] for room in rooms.values()) == 1, "a lone bottom room"
    corner = max((s for s in rooms if rooms[s]["at"][1] == 0), key=lambda slug: rooms[slug]["at"][0])
    assert locked["five"] == []
    assert locked["four"] == [bottom]
    both = {corner, bottom}
    assert set(locked["three"]) == ({corner} if reading == "captions" else both)
    assert set(locked["two"]) >= set(locked["three"])
    assert len(locked["two"]) == {"captions": 1, "nested": 2, "third": 3}[reading], "the box has three locks"
    for closed in locked.values():
        opened = set(rooms) - set(closed)
        reached, todo = set[str](), [min(opened)]
        while todo:
            slug = todo.pop()
            if slug not in reached:
                reached.add(slug)
                todo += [other for other in rooms[slug]["doors"] if other in opened]
        assert reached == opened


# --- cross references ------------------------------------------------------------------------------------------------


def test_the_automaton_has_three_decks_of_killtrons_cards() -> None:
    decks = {slug: deck["cards"].split() for slug, deck in DATA["automaton"].items()}
    assert decks == {
        "deck-a": ["grapple", "roll-out", "jumpscare"],
        "deck-b": ["mash", "search", "arc-lightning"],
        "deck-c": ["haunt", "exterminate", "consume"],
    }
    for deck in DATA["automaton"].values():
        assert deck["monster"] == "killtron"
        assert all(CARDS[slug].get("monster", "killtron") == "killtron" for slug in deck["cards"].split())


def test_every_set_up_and_every_turn_ends_with_drawing_up() -> None:
    for slug, monster in MONSTERS.items():
        assert plain(monster["setup"]).endswith("; draw up"), slug
        assert plain(monster["turn"]).endswith("; draw up"), slug


def test_every_ability_is_used_by_the_monster_or_its_cards() -> None:
    for slug, monster in MONSTERS.items():
        own = [text for _, text, entry in texts() if entry is monster or entry.get("monster") == slug]
        for name in monster.get("abilities", {}):
            assert any(re.search(rf"\bdo {re.escape(name)}(?![\w-])", text) for text in own), f"{slug}: {name}"


# --- what is printed, and what is said about the rest ----------------------------------------------------------------


def test_every_entry_says_where_it_comes_from_and_why() -> None:
    for section, entries in DATA.items():
        for slug, entry in entries.items():
            where = f"{section}.{slug}"
            assert entry["source"] in SOURCES, where
            assert set(entry.get("sources", {}).values()) <= set(SOURCES), where
            assert entry["name"] and entry["note"], where


def test_every_estimated_number_stands_in_an_estimated_text() -> None:
    for key, text, entry in texts():
        if re.search(r"\{\s*\d+\s*\|", text):
            assert source_of(entry, key) == "estimated", f"{entry['name']}: {key}"


def test_names_are_unique() -> None:
    for section in ("maps", "locks", "cards", "monsters", "automaton"):
        names = Counter(entry["name"] for entry in DATA[section].values())
        assert max(names.values()) == 1, section
    places = Counter((room["map"], room["name"]) for room in ROOMS.values())
    assert max(places.values()) == 1


def test_the_basic_cards_are_as_printed() -> None:
    assert {slug: card["effect"] for slug, card in BASIC.items()} == {
        "haunt": "spook; spook",
        "consume": "devour each colour",
        "mash": "mash for 2",
        "search": "add 3 guests; play a card",
        "jumpscare": "move; play a card",
    }


def test_killtron_is_as_printed() -> None:
    killtron = MONSTERS["killtron"]
    assert {c: CARDS[c]["effect"] for c in ("grapple", "roll-out", "arc-lightning", "exterminate")} == {
        "grapple": "move a figure from connected room to your room",
        "roll-out": "move",
        "arc-lightning": "for each other player in or next to your room: steal 1 from that player",
        "exterminate": "spook",
    }
    assert source_of(CARDS["guidance-system"], "effect") == "estimated"
    assert len(CARDS["guidance-system"]["alternatives"]["effect"]) == 2
    assert killtron["standing"] == "instead of play a card: nothing"
    assert killtron["abilities"] == {
        "execute-program": "run slot 1; run slot 2; run slot 3",
        "update-program": "discard slot 3; shift slots; load a card in slot 1",
    }
    assert re.findall(r"load (\S+) in any slot", killtron["setup"]) == ["guidance-system", "roll-out", "grapple"]


def test_deadline_is_as_printed() -> None:
    deadline = MONSTERS["deadline"]
    assert deadline["figures"] == {"phone": 8}
    assert deadline["setup"] == "place phone in any room; fill your board with phone; draw up"
    assert deadline["turn"].split("; ") == [
        "act from your phone",
        "play a card",
        "do answer-the-phone",
        "place phone in room without your phone",
        "draw up",
    ]
    assert plain(deadline["abilities"]["answer-the-phone"]) == (
        "until none: ( pick your phone in room with another monster; return that phone to free space; do that space )"
    )
    assert list(deadline["spaces"].values()) == [
        "gain 1 per tokens returned this turn",
        "draw 2; that player draws 2",
        "place phone in room without your phone",
        "gain 2; that player gains 2",
        "add 2 guests to that room; gain 2",
        "move that monster",
        "devour 1 in that room",
    ]
    assert deadline.get("sources", {}) == {}


def test_what_the_rulebook_prints_of_the_others() -> None:
    remover, terror, gator = (MONSTERS[slug] for slug in ("remover", "doctor-terror", "mummygator"))
    assert list(remover["spaces"].values())[:3] == ["nothing", "draw 3", "add 2 guests; gain 2"]
    assert all(source_of(remover, f"spaces.{name}") == "rulebook" for name in list(remover["spaces"])[:3])
    assert remover["abilities"]["fearsonal-fitness"] == "do the space of your dumbbell"
    assert remover["turn"].startswith("play a card; do fearsonal-fitness; ")
    assert CARDS["flex"]["effect"] == "do fearsonal-fitness"
    assert CARDS["coaching"]["monster"] == "remover"
    assert CARDS["clown-car"]["effect"] == "add 3 guests; spook"
    assert source_of(CARDS["clown-car"], "monster") == "estimated"
    traps = ("tesla-coil", "flamejet", "secret-door", "cloning-chamber")
    assert set(terror["tokens"]) == set(traps)
    for trap in traps:
        assert f"pick your {trap} in any room; at that room: do {trap}" in plain(terror["abilities"]["trigger-a-trap"])
    assert plain(gator["standing"]).split("; ")[:4] == [
        "always: tomb is a room joined to its place",
        "always: no guest may leave your tomb",
        "always: no guest may be added to your tomb",
        "always: no other monster may enter your tomb",
    ]
