"""Snallygaster's TOML files against the rulebook's component list: counts, cross references, the printed samples."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import simcore.games
from simcore.content import SOURCES

FOLDER = Path(simcore.games.__file__).parent / "snallygaster" / "content"
Entries = dict[str, dict[str, Any]]


def read(section: str) -> Entries:
    return tomllib.loads((FOLDER / f"{section}.toml").read_text(encoding="utf-8"))


CARDS = {
    "stories": 4,
    "powered-cards": 4,
    "lost-kid-cards": 38,
    "items": 27,
    "rides": 7,
    "search-cards": 33,
    "goals": 19,
    "symbols": 20,
}  # the rulebook's list of components
DECKS = {"lost-kid-cards": 30, "items": 19, "search-cards": 25}  # cards without a monster's mark
SECTIONS = (*CARDS, "wheels")
DATA = {section: read(section) for section in SECTIONS}
TOWN = {section: read(section) for section in ("buildings", "districts", "landmarks")}
LOST_KID, GOALS, STORIES = DATA["lost-kid-cards"], DATA["goals"], DATA["stories"]
TOKEN_PLACES = {"a treehouse", "a star", "a mirror", "a tree", "a hatchling", "the monster"}
MOST_TOKENS = {"star": 4, "mirror": 4, "tree": 4, "hatchling": 2, "searchlight": 3, "bystander": 12}


def copies(entries: Entries) -> int:
    return sum(entry.get("copies", 1) for entry in entries.values())


def regular(section: str) -> Entries:
    return {slug: entry for slug, entry in DATA[section].items() if not entry.get("monster")}


def phrases(*sections: str) -> set[str]:
    return {slug.replace("-", " ") for section in sections for slug in TOWN[section]}


def icons(entry: dict[str, Any]) -> list[str]:
    return [clause.strip() for clause in entry["spooky"].split(";")]


def texts() -> list[str]:
    keys = ("spooky", "action", "effect", "parts", "opens", "reward", "setup", "quest")
    return [entry[key] for entries in DATA.values() for entry in entries.values() for key in keys if key in entry]


# --- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("section", "count"), CARDS.items())
def test_every_deck_has_its_printed_size(section: str, count: int) -> None:
    assert copies(DATA[section]) == count


def test_there_are_four_stacks_of_five_symbol_tiles() -> None:
    stacks: Counter[str] = Counter()
    for entry in DATA["symbols"].values():
        stacks[entry["symbol"]] += entry.get("copies", 1)
    assert sorted(stacks.values()) == [5, 5, 5, 5]


def test_eighteen_wheel_tokens_are_four_sets_and_two_spares() -> None:
    wheels = DATA["wheels"].values()
    usual, spares = ([w for w in wheels if w["spare"] is spare] for spare in (False, True))
    assert (len(usual), len(spares)) == (4, 2)
    assert 4 * len(usual) + len(spares) == 18


@pytest.mark.parametrize(("section", "count"), DECKS.items())
def test_a_deck_has_two_cards_more_for_each_monster(section: str, count: int) -> None:
    marked: Counter[str] = Counter()
    for entry in DATA[section].values():
        marked[entry.get("monster", "")] += entry.get("copies", 1)
    assert marked == {"": count, **dict.fromkeys(STORIES, 2)}


def test_goals_are_five_five_five_four_each_in_order_and_with_one_rescue() -> None:
    counts = []
    for monster in STORIES:
        goals = [goal for goal in GOALS.values() if goal["monster"] == monster]
        assert sorted(goal["order"] for goal in goals) == list(range(1, len(goals) + 1))
        assert sum("rescue" in goal["parts"] for goal in goals) == 1, monster
        counts.append(len(goals))
    assert sorted(counts) == [4, 5, 5, 5]
    assert {goal["monster"] for goal in GOALS.values()} == set(STORIES)


def test_search_cards_and_items_are_varied() -> None:
    assert len(regular("search-cards")) >= 15
    assert len(regular("items")) >= 15


# --- cross references ------------------------------------------------------------------------------------------------


def test_the_thirty_regular_lost_kid_cards_show_each_building_once() -> None:
    assert sorted(entry["building"] for entry in regular("lost-kid-cards").values()) == sorted(TOWN["buildings"])


@pytest.mark.parametrize("slug", LOST_KID)
def test_a_lost_kid_card_is_whole(slug: str) -> None:
    card = LOST_KID[slug]
    assert card["building"] in TOWN["buildings"]
    assert ("hint" in card) != ("action" in card)
    assert card.get("hint", next(iter(TOWN["landmarks"]))) in TOWN["landmarks"]
    assert 1 <= len(icons(card)) <= 3
    assert card.get("copies", 1) == 1
    assert 3 <= card["movement"] <= 6


def test_each_landmark_stands_on_two_or_three_lost_kid_cards() -> None:
    shown = Counter(card["hint"] for card in LOST_KID.values() if "hint" in card)
    assert set(shown) == set(TOWN["landmarks"])
    assert set(shown.values()) <= {2, 3}


def test_about_a_fifth_of_the_regular_lost_kid_cards_has_an_action_icon() -> None:
    assert 4 <= sum("action" in card for card in regular("lost-kid-cards").values()) <= 10


def test_directions_are_balanced() -> None:
    shown = Counter(icon for card in regular("lost-kid-cards").values() for icon in icons(card))
    assert len({shown[f"monster {way}"] for way in ("north", "east", "south", "west")}) == 1
    for verb in ("monster", "monster length"):
        assert shown[f"{verb} north"] == shown[f"{verb} south"]
        assert shown[f"{verb} east"] == shown[f"{verb} west"]


def test_stories_begin_somewhere() -> None:
    assert [story["mechanics"] for story in STORIES.values()] == ["curse", "mirrors", "fixation", "swoop"]
    for story in STORIES.values():
        assert story["start"] in TOWN["buildings"]
        assert story["lair"] in TOWN["districts"]
        assert story["label"] in {"easy", "medium", "hard"}


def test_goals_name_places_and_symbols_that_exist() -> None:
    places = phrases("buildings", "landmarks") | TOKEN_PLACES
    kinds = {entry["symbol"] for entry in DATA["symbols"].values()} | {"any"}
    for slug, goal in GOALS.items():
        for part in goal["parts"].split(";"):
            clause = part.rpartition(":")[2].strip()
            if clause == "rescue":
                continue
            match = re.fullmatch(r"(?:search|enter) (.+?)(?: paying (?:\d+|\{.+\}) (\S+))?", clause)
            assert match, f"{slug}: {clause}"
            assert match[1] in places, f"{slug}: {match[1]}"
            assert match[2] is None or match[2] in kinds, f"{slug}: {match[2]}"


def test_no_text_puts_out_more_tokens_than_there_are() -> None:
    for text in texts():
        for token, number in re.findall(r"\b(star|mirror|tree|hatchling|searchlight|bystander) \{?(\d+)", text):
            assert int(number) <= MOST_TOKENS[token], text


def test_no_goal_can_run_out_of_the_tokens_that_it_needs() -> None:
    """Tokens on the board after set-up, opened and rewarded goals suffice for every search that takes one away."""
    for monster, story in STORIES.items():
        goals = sorted((g for g in GOALS.values() if g["monster"] == monster), key=lambda goal: goal["order"])
        out: Counter[str] = Counter()

        def put(text: str, out: Counter[str] = out) -> None:
            for token, number in re.findall(r"\b(star|mirror|tree|hatchling) \{?(\d+)", text):
                out[token] = min(out[token] + int(number), MOST_TOKENS[token])

        put(story["setup"])
        for goal in goals:
            put(goal.get("opens", ""))
            for part in goal["parts"].split(";"):
                times = re.match(r"\s*\{?(\d+)[^:]* times:", part)
                taken = re.search(r"search a (star|mirror|tree|hatchling)\b", part)
                if taken:
                    out[taken[1]] -= int(times[1]) if times else 1
                    assert out[taken[1]] >= 0, f"{monster}: {goal['name']}"
            put(goal.get("reward", ""))


def test_nothing_takes_a_mirror_away_for_good() -> None:
    for text in texts():
        assert text.count("smash mirror") <= len(re.findall(r"smash mirror; mirror 1", text)), text


# --- what is printed, and what is said about the rest ----------------------------------------------------------------


def test_every_entry_says_where_it_comes_from_and_why() -> None:
    for section, entries in DATA.items():
        for slug, entry in entries.items():
            where = f"{section}.{slug}"
            assert entry["source"] in SOURCES, where
            assert set(entry.get("sources", {}).values()) <= set(SOURCES), where
            assert entry["name"] and entry["note"], where


def test_every_estimated_text_is_said_to_be_estimated() -> None:
    """Bounds inside a text belong to an estimate, so its key must not pass for a printed fact."""
    for section, entries in DATA.items():
        for slug, entry in entries.items():
            for key, value in entry.items():
                if isinstance(value, str) and re.search(r"\{\s*\d+\s*\|", value):
                    assert entry.get("sources", {}).get(key, entry["source"]) == "estimated", f"{section}.{slug}.{key}"


def test_names_are_unique() -> None:
    names = Counter((section, entry["name"]) for section, entries in DATA.items() for entry in entries.values())
    assert max(names.values()) == 1


def test_the_samples_of_the_rulebook_are_there() -> None:
    first = next(g for g in GOALS.values() if g["monster"] == "dover-demon" and g["order"] == 1)
    assert first["parts"] == "search harris drug store"
    sample = DATA["search-cards"]["phone-in-the-lobby"]["effect"]
    assert re.fullmatch(r"choose\(free move 5 \| feds red 2; symbol \w+\)", sample)
    assert any(tile["effect"] == "monster nearest" for tile in DATA["symbols"].values())
    assert any(tile["effect"] == "" for tile in DATA["symbols"].values())
    shown = [icon for card in LOST_KID.values() for icon in icons(card)]
    assert {"monster east", "feds blue 2", "monster nearest", "attack", "doom 1"} <= set(shown)
    assert any(icon.startswith("monster length") for icon in shown)
    actions = {card["action"] for card in LOST_KID.values() if "action" in card}
    assert {"move kid 2", "new hand"} <= actions
    assert any(action.startswith("token ") for action in actions)
    assert any(card["movement"] == 5 for card in LOST_KID.values())
    assert {"jenkins-savings-and-loan", "abandoned-house", "duttons-house"} <= {
        card["building"] for card in LOST_KID.values()
    }
    assert {"dog-house", "celia-dempsey-park-sign"} <= {card.get("hint") for card in LOST_KID.values()}
    named = {"skateboard", "inline-skates", "dirt-bike", "mountain-bike"}
    assert {s for s, ride in DATA["rides"].items() if ride["source"] == "published"} == named
    for item in ("cherry-bombs", "basket-ram", "danger-zone"):
        assert DATA["items"][item]["effect"].startswith("within "), item
