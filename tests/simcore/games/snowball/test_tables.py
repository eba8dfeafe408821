"""Snowball's content and its compiled rules: totals, identities, overlays, settings, capacities."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from simcore.content import Content
from simcore.effects import Verb
from simcore.errors import InputError
from simcore.games.snowball import layout, tables
from simcore.games.snowball.layout import NONE, Bat, Keyword, Op, Tally, Whom

DOCS = Path(__file__).resolve().parents[4] / "docs" / "effect-language.md"
SETTINGS: dict[str, Any] = {
    "players": 4,
    "events": None,
    "event_density": None,
    "gear": 3,
    "hand_size": 2,
    "quickshots_per_number": None,
    "cover_shift": 0,
    "kids": "off",
    **{f"kid.{i}": "none" for i in range(6)},
    "first_player": "lowest_cover",
    "auto_clear_from": 5,
    "two_player_clear_rule": True,
    "turn_cap": 500,
    "seconds_per_turn": 18.0,
    **{r.name: r.default for r in tables.RULINGS},
}
CONTENT = tables.load_content()


def make(content: Content = CONTENT, **settings: Any) -> Any:
    given_settings = {k.replace("__", "."): v for k, v in settings.items()}
    return tables.make_rules({**SETTINGS, **given_settings}, content)[0]


def overlay(folder: Path, **files: str) -> Content:
    folder.mkdir(exist_ok=True)
    for section, text in files.items():
        (folder / f"{section}.toml").write_text(text, encoding="utf-8")
    return tables.load_content([folder])


def kind_of(content: Content, section: str, slug: str) -> int:
    """Index of an entry among its kind; Events come after the Snowballs."""
    if section == "events":
        return len(content.sections["snowballs"]) + list(content.sections["events"]).index(slug)
    return list(content.sections[section]).index(slug)


def total(content: Content, section: str) -> int:
    return sum(entry.copies for entry in content.sections[section].values())


# --- what ships ---


def test_totals_are_those_of_the_box() -> None:
    rules = make()
    assert [int(rules[f]) for f in ("cards", "location_cards", "item_cards", "kid_cards")] == [61, 20, 20, 8]
    assert total(CONTENT, "events") == rules["events"] == 13


def quickshots(rules: Any) -> dict[int, int]:
    """QuickShots in the deck, by number, from the bits that stand for them."""
    bits = rules["quickshot_bit"][: rules["cards"]]
    return dict(Counter(int(bit).bit_length() - 1 for bit in bits if bit))


def test_deck_model_a() -> None:
    rules = make()
    snowballs = [e for e in CONTENT.sections["snowballs"].values() if not e.quickshot]
    assert [(e.number, e.copies) for e in snowballs] == [(n, 5) for n in range(1, 9)]
    assert quickshots(rules) == dict.fromkeys(range(1, 9), 1)
    kinds = rules["card_kind"][: rules["cards"]]
    assert int(rules["number"][kinds].sum()) == 6 * 36
    assert int(rules["is_event"][kinds].sum()) == 13
    assert not rules["number"][rules["is_event"] == 1].any()


def test_locations_have_a_mean_cover_of_12_and_a_half() -> None:
    rules = make()
    covers = rules["location_cover"][rules["location_kind"][:20]]
    assert sorted(covers.tolist()) == sorted([*range(8, 18)] * 2)
    assert covers.mean() == 12.5
    named = {slug: CONTENT.sections["locations"][slug].cover for slug in ("open", "woodpile", "fence", "tree", "fort")}
    assert named == {"open": 8, "woodpile": 9, "fence": 9, "tree": 12, "fort": 17}


def test_the_items_are_split_over_the_keywords() -> None:
    rules = make()
    keywords = rules["item_keyword"][rules["item_kind"][:20]]
    assert np.bincount(keywords).tolist() == [7, 4, 6, 3]


def test_items_compile_to_their_fields() -> None:
    rules = make()

    def field(name: str, slug: str) -> int:
        return int(rules[name][kind_of(CONTENT, "items", slug)])

    assert field("item_power", "pinecone") == 2
    assert field("item_cover", "pine-boughs") == 2
    assert field("item_saves", "trashcan-lid") == 1
    assert field("item_bats", "log-bat") == Bat.THROWER
    assert [field("item_clears", s) for s in ("sled", "lookout", "double-armful")] == [1, 1, 0]
    start, end = field("item_start", "sled"), field("item_end", "sled")
    assert [(rules["op"][i], rules["op_a"][i]) for i in range(start, end)] == [(Op.CLEAR_OUT, 1), (Op.THROW, 1)]


def test_events_compile_to_rows() -> None:
    rules = make()

    def rows(slug: str) -> list[tuple[int, int, int]]:
        kind = kind_of(CONTENT, "events", slug)
        span = range(rules["event_start"][kind], rules["event_end"][kind])
        return [(int(rules["op"][i]), int(rules["op_a"][i]), int(rules["op_end"][i]) - span.start) for i in span]

    assert rows("lucky-find") == [(Op.RECOVER, 1, 1)]
    assert rows("snowplow") == [(Op.POOL_HANDS, 0, 1)]
    assert rows("mom-hollering") == [(Op.GIVE, 1, 1)]
    assert rows("everyone-runs") == [(Op.FOR_EACH, Whom.PLAYER, 2), (Op.CLEAR_OUT, 1, 2)]
    assert rows("whiteout") == [(Op.LASTING_COVER, 2, 1)]
    assert rows("numb-fingers") == [(Op.LASTING_NO_QUICKSHOTS, 0, 1)]


def test_kids_compile_to_their_fields() -> None:
    rules = make(kids="random")
    fields = ("power", "hand", "locations", "items", "saves", "saves_quickshot", "boost", "free_clear")
    found = {s: [int(rules[f"kid_{f}"][k]) for f in fields] for k, s in enumerate(CONTENT.sections["kids"])}
    nothing = [0, 0, 1, 1, 0, 0, 0, 0]
    changed = {
        slug: {f: v for f, v, n in zip(fields, values, nothing, strict=True) if v != n}
        for slug, values in found.items()
    }
    assert changed == {
        "strong-arm": {"power": 1},
        "deep-pockets": {"hand": 1},
        "scout": {"locations": 2},
        "scavenger": {"items": 2},
        "thick-coat": {"saves": 1},
        "pitcher": {"boost": 4},
        "sprinter": {"free_clear": 1},
        "quick-eyes": {"saves_quickshot": 1},
    }


def test_every_entry_says_where_it_is_from() -> None:
    count = CONTENT.provenance()
    assert sum(count.values()) == 61 + 20 + 20 + 8
    assert all(count.values())
    assert 0.4 < count["estimated"] / sum(count.values()) < 0.6
    assert all(e.note for s in ("items", "events", "snowballs") for e in CONTENT.sections[s].values())
    assert {e.source for e in CONTENT.sections["kids"].values()} == {"estimated"}


def test_what_a_number_can_be_fits_the_record() -> None:
    """Every number of an effect, at both ends of its bounds, still compiles."""
    for path, parameter in CONTENT.parameters().items():
        if ".effect." in path:
            for value in (parameter.low, parameter.high):
                assert make(CONTENT.changed({path: value}), kids="random")["cards"] == 61


# --- overlays ---

MODELS = {  # numbered Snowballs, QuickShots, Events
    "model-b": ([5] * 8, 16, 5),
    "model-c": ([4] * 8, 16, 13),
    "model-d": ([6] * 8, 8, 5),
    "model-a-bell": ([3, 4, 6, 7, 7, 6, 4, 3], 8, 13),
}


def test_these_overlays_ship() -> None:
    assert set(tables.overlays()) == {
        *MODELS,
        "low-locations",
        "bell-locations",
        "null-items",
        "blank-events",
        "mom-hollering-free",
    }


@pytest.mark.parametrize("name", tables.overlays())
def test_every_overlay_keeps_the_totals_and_says_why(name: str) -> None:
    content = tables.load_content([name])
    (about,) = content.overlays
    assert about.title and about.reason.endswith(".")
    assert [total(content, s) for s in ("locations", "items", "kids")] == [20, 20, 8]
    assert total(content, "snowballs") + total(content, "events") == 61
    assert content.digest != CONTENT.digest
    make(content)


@pytest.mark.parametrize("name", MODELS)
def test_deck_models(name: str) -> None:
    content = tables.load_content([name])
    snowballs, quickshots, events = MODELS[name]
    entries = content.sections["snowballs"].values()
    assert [e.copies for e in entries if not e.quickshot] == snowballs
    assert sum(e.copies for e in entries if e.quickshot) == quickshots
    assert total(content, "events") == make(content)["events"] == events


@pytest.mark.parametrize(
    ("name", "copies"),
    [
        ("low-locations", [3, 3, 3, 2, 2, 2, 2, 1, 1, 1]),
        ("bell-locations", [1, 2, 2, 2, 3, 3, 2, 2, 2, 1]),
    ],
)
def test_location_models(name: str, copies: list[int]) -> None:
    rules = make(tables.load_content([name]))
    covers = rules["location_cover"][rules["location_kind"][:20]]
    assert np.bincount(covers, minlength=18)[8:].tolist() == copies


def test_null_models() -> None:
    rules = make(tables.load_content(["null-items"]))
    assert np.bincount(rules["item_keyword"][rules["item_kind"][:20]]).tolist() == [5, 5, 5, 5]
    rules = make(tables.load_content(["blank-events"]))
    assert rules["events"] == 13 and (rules["event_start"] == rules["event_end"]).all()
    assert np.array_equal(rules["card_id"], make()["card_id"])
    rules = make(tables.load_content(["mom-hollering-free"]))
    assert rules["op"][rules["event_start"][kind_of(CONTENT, "events", "mom-hollering")]] == Op.RECOVER_POORER


# --- cards and their keys ---


def keys(rules: Any, kind_field: str, id_field: str, count: str) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for i in range(rules[count]):
        found.setdefault(int(rules[kind_field][i]), []).append(int(rules[id_field][i]))
    return found


DECKS = {"snowballs": ("card_kind", "card_id", "cards"), "items": ("item_kind", "item_id", "item_cards")}


def test_all_keys_differ() -> None:
    rules = make()
    every = [*rules["card_id"][:61], *rules["location_id"][:20], *rules["item_id"][:20], *rules["kid_id"][:8]]
    assert len(set(map(int, every))) == 109


@examples(max_examples=40)
@given(slug=st.sampled_from(list(CONTENT.sections["items"])), copies=st.integers(0, 12))
def test_more_copies_keep_all_other_keys(slug: str, copies: int) -> None:
    entry = CONTENT.sections["items"][slug]
    changed = make(CONTENT.changed({f"items.{slug}.copies": copies}))
    old, new = keys(make(), *DECKS["items"]), keys(changed, *DECKS["items"])
    kind = kind_of(CONTENT, "items", slug)
    kept = min(copies, entry.copies)
    assert new.pop(kind, [])[:kept] == old.pop(kind)[:kept]
    assert new == old


def test_kinds_lie_together() -> None:
    rules = make()
    for kinds, count in (("card_kind", 61), ("location_kind", 20), ("item_kind", 20)):
        assert (np.diff(rules[kinds][:count]) >= 0).all()
        assert (rules[kinds][count:] == NONE).all()


@pytest.mark.parametrize("section", ["snowballs", "events", "locations", "items", "kids"])
def test_a_blank_card_keeps_its_place_and_key(section: str) -> None:
    before = make(kids="random")
    for slug, entry in CONTENT.sections[section].items():
        after = make(CONTENT.changed({f"{section}.{slug}.blank": True}), kids="random")
        for field in ("card_id", "card_kind", "location_id", "item_id", "kid_id", "component_item", "component_kind"):
            assert np.array_equal(before[field], after[field])
        kind = kind_of(CONTENT, section, slug)
        if section == "snowballs":
            assert after["number"][kind] == after["is_quickshot"][kind] == 0
            assert sum(quickshots(after).values()) == 8 - entry.quickshot
        elif section == "events":
            assert after["is_event"][kind] == 1 and after["event_start"][kind] == after["event_end"][kind]
        elif section == "locations":
            assert after["location_cover"][kind] == 13  # the mean, 12.5, rounded half up
        elif section == "items":
            keyword = Keyword[entry.keyword.upper()]
            assert after["item_keyword"][kind] == (Keyword.CONDITION if keyword == Keyword.ACTION else keyword)
            values = ("item_power", "item_cover", "item_saves", "item_bats", "item_start", "item_end", "item_clears")
            assert not any(after[f][kind] for f in values)
        else:
            values = ("kid_power", "kid_hand", "kid_saves", "kid_saves_quickshot", "kid_boost", "kid_free_clear")
            assert not any(after[f][kind] for f in values)
            assert after["kid_locations"][kind] == after["kid_items"][kind] == 1


# --- settings ---


def test_plain_settings_are_copied() -> None:
    rules = make(
        players=6, gear=5, hand_size=3, cover_shift=-2, auto_clear_from=7, two_player_clear_rule=False, turn_cap=99
    )
    fields = ("seats", "gear", "hand_size", "cover_shift", "auto_clear_from", "two_player_clear_rule", "turn_cap")
    assert [int(rules[f]) for f in fields] == [6, 5, 3, -2, 7, 0, 99]


def test_what_others_fill_is_empty() -> None:
    rules = make()
    assert rules["seed"] == 0 and not rules["policy"].any() and not rules["weight"].any()
    assert (rules["mask"] == np.iinfo(np.uint64).max).all()
    for field in ("stream_number", "deal_item", "deal_location", "deal_hand", "kid_of"):
        assert (rules[field] == NONE).all()


@pytest.mark.parametrize("ruling", tables.RULINGS, ids=lambda r: r.name)
def test_a_ruling_is_its_place_in_the_list(ruling: Any) -> None:
    field = ruling.name.removeprefix("ruling.")
    values = ruling.choices if ruling.kind == "choice" else (False, True)
    found = [int(make(**{ruling.name.replace(".", "__"): value})[field]) for value in values]
    assert found == list(range(len(values)))
    assert int(make()[field]) == values.index(ruling.default)
    assert ruling.source == "ruling" and ruling.meaning


def test_every_ruling_field_of_the_record_has_a_ruling() -> None:
    names = layout.RULES.names
    fields = names[names.index("start_cover") : names.index("cards")]
    assert {r.name.removeprefix("ruling.") for r in tables.RULINGS} == set(fields)


@pytest.mark.parametrize(
    ("settings", "events"),
    [
        ({}, 13),
        ({"events": 0}, 0),
        ({"events": 13}, 13),
        ({"event_density": 0.5}, 7),  # 6.5 rounds half up
        ({"event_density": 0.4}, 5),
        ({"event_density": 1.0}, 13),
    ],
)
def test_the_number_of_events(settings: dict[str, Any], events: int) -> None:
    assert make(**settings)["events"] == events


def test_quickshots_per_number_sets_every_kind() -> None:
    rules = make(quickshots_per_number=3)
    assert rules["cards"] == 61 + 16
    assert quickshots(rules) == dict.fromkeys(range(1, 9), 3)
    none = make(quickshots_per_number=0)
    assert none["cards"] == 53 and not quickshots(none)
    assert set(none["card_id"][:53]) < set(make()["card_id"][:61])


def test_choices_of_first_player_and_kids() -> None:
    assert [int(make(first_player=c)["first_player"]) for c in tables.FIRST_PLAYER] == [0, 1, 2, 3]
    assert [int(make(kids=c)["kids"]) for c in tables.KIDS] == [0, 1, 2, 3]
    rules = make(kids="fixed", kid__0="pitcher", kid__2="strong-arm")
    assert rules["kid_of"].tolist() == [5, NONE, 0, NONE, NONE, NONE]


# --- components ---


def test_components_have_two_slots_each() -> None:
    names = tables.component_names(CONTENT)
    assert [slot for _, slot in names] == list(range(Tally.COMPONENTS, Tally.COMPONENTS + 2 * len(names), 2))
    assert {"event=snowplow", "item=pinecone", "kid=scout"} <= {label for label, _ in names}
    rules, slots = make(), dict(names)
    assert rules["component_item"][kind_of(CONTENT, "items", "log-bat")] == slots["item=log-bat"]
    assert rules["component_kind"][kind_of(CONTENT, "events", "snowplow")] == slots["event=snowplow"]
    assert rules["component_kid"][kind_of(CONTENT, "kids", "scout")] == slots["kid=scout"]
    assert rules["component_kind"][0] == NONE
    assert rules["tallies"] == names[-1][1] + 2 <= layout.TALLIES


# --- what does not fit ---


def refused(content: Content = CONTENT, **settings: Any) -> str:
    with pytest.raises(InputError) as error:
        make(content, **settings)
    assert "\n" not in str(error.value)
    return str(error.value)


def many(n: int, text: str) -> str:
    return "".join(f"[x-{i}]\nname = 'X {i}'\nsource = 'estimated'\n{text}\n" for i in range(n))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"snowballs": "[snowball-1]\ncopies = 99\n"}, f"155 cards in the snowball deck, and {layout.CARDS} fit"),
        ({"snowballs": many(60, "number = 3")}, f"85 different cards in the snowball deck, and {layout.KINDS} fit"),
        ({"locations": "[fort]\ncopies = 50\n"}, f"68 cards in the location deck, and {layout.LOCATIONS} fit"),
        ({"locations": many(30, "cover = 9")}, f"41 different locations, and {layout.LOCATION_KINDS} fit"),
        ({"items": "[sled]\ncopies = 70\n"}, f"89 cards in the item deck, and {layout.ITEMS} fit"),
        ({"items": many(28, "keyword = 'modifier'")}, " fit"),
        ({"kids": many(9, "")}, f"17 kids, and {layout.KIDS} fit"),
        ({"events": many(60, "")}, "different Events, items and kids together, and 40 fit"),
        (
            {"items": many(2, "keyword = 'action'\neffect = '" + "; ".join(["throw 1"] * 130) + "'")},
            f"rows, and {layout.OPS} fit",
        ),
        ({"locations": many(1, "cover = 32")}, "cover = 32 must be 31 or less"),
    ],
    ids=lambda v: next(iter(v)) if isinstance(v, dict) else "",
)
def test_capacities_are_refused_by_name(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as error:
        make(overlay(tmp_path / "big", **files))
    assert said in str(error.value)


def test_a_full_table_names_the_entry(tmp_path: Path) -> None:
    text = "keyword = 'action'\neffect = '" + "; ".join(["throw 1"] * 130) + "'"
    assert "items.toml, [x-1]: the effects up to here need" in refused(overlay(tmp_path / "big", items=many(2, text)))


def test_too_many_options_or_cards_in_hand_are_refused() -> None:
    assert refused(hand_size=9) == "hand_size = 9: a hand of 9 cards, and 8 fit"
    several = CONTENT.changed({"kids.deep-pockets.effect.1": 2})
    assert "hand_size = 7 and a kid's 2 more: a hand of 9 cards, and 8 fit" in refused(
        several, hand_size=7, kids="random"
    )
    make(several, hand_size=7)
    wide = CONTENT.changed({"events.lost-item.effect": "draw item"})
    assert refused(wide, hand_size=6, players=6, kids="fixed", kid__0="pitcher") == (
        f"hand_size = 6 with 6 players: up to 245 options in a turn, and {layout.OPTIONS} fit"
    )
    make(wide, hand_size=6, players=2, kids="fixed", kid__0="pitcher")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"events": 14}, "events = 14: the snowball deck has 13 Events"),
        ({"event_density": 1.2}, "event_density = 1.2 (16 Events): the snowball deck has 13 Events"),
        ({"cover_shift": -8}, "cover_shift = -8 makes the cover of 'open' 0; covers are 1..31"),
        ({"cover_shift": 15}, "cover_shift = 15 makes the cover of 'fort' 32; covers are 1..31"),
        ({"kids": "fixed", "kid__1": "scoot"}, "kid.1: no kid 'scoot'; did you mean 'scout'?"),
    ],
    ids=str,
)
def test_settings_that_do_not_fit_the_content(settings: dict[str, Any], said: str) -> None:
    assert said in refused(**settings)


def test_decks_that_are_too_small_are_refused() -> None:
    nearly_none = CONTENT.changed({f"locations.{s}.copies": 0 for s in list(CONTENT.sections["locations"])[2:]})
    assert refused(nearly_none) == "the location deck has 3 cards, too few for 4 players"
    few = CONTENT.changed({f"snowballs.{s}.copies": 0 for s in list(CONTENT.sections["snowballs"])[1:]})
    assert refused(few) == "the snowball deck has 5 cards besides Events; 4 hands of 2 need more"
    lonely = CONTENT.changed({f"kids.{s}.copies": 0 for s in list(CONTENT.sections["kids"])[1:]})
    assert refused(lonely, kids="random") == "kids = random: 1 kids are too few for 4 players"
    make(lonely)


@pytest.mark.parametrize(
    ("section", "text", "said"),
    [
        ("items", "[pinecone]\neffect = 'save'", "items.toml, [pinecone], effect: no verb 'save' in a Modifier"),
        ("items", "[pinecone]\nkeyword = 'condition'", "no verb 'power +2' in a Condition (at 'power'); did you mean"),
        ("items", "[log-bat]\neffect = 'bat to thowr'", "'thowr' is no place; did you mean 'thrower'?"),
        ("events", "[snowplow]\neffect = 'pool hand'", "[snowplow], effect: no verb 'pool hand' in an Event"),
        ("events", "[whiteout]\neffect = 'covers +2'", "is understood only after 'until your next turn:'"),
        ("kids", "[scout]\neffect = 'save'", "kids.toml, [scout], effect: 'save' is understood only after 'once:'"),
        ("snowballs", "[snowball-1]\nnumber = 0", "snowballs.toml, [snowball-1]: number = 0 must be 1 or more"),
        ("snowball", "", "/snowball.toml: no such section; did you mean 'snowballs.toml'?"),
    ],
)  # fmt: skip
def test_wrong_words_are_refused(tmp_path: Path, section: str, text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        overlay(tmp_path / "mine", **{section: text})
    assert said in str(error.value)


def test_an_effect_said_twice_is_refused() -> None:
    twice = CONTENT.changed({"kids.scout.effect": "always: power +1; always: power +2"})
    assert refused(twice) == "kids.toml, [scout], effect: 'power {n}' is said twice"
    make(CONTENT.changed({"kids.scout.effect": "always: power +1; once: power +4; once: save"}))


# --- the page about the language ---


def test_the_page_lists_every_word_of_the_cards() -> None:
    page = DOCS.read_text(encoding="utf-8")
    languages = (tables.EVENT, tables.KID, *tables.ITEM.values())
    forms = [form for language in languages for form in (*language.verbs, *language.controls)]
    for form in forms:
        assert f"`{form.pattern}{'' if isinstance(form, Verb) else ':'}`" in page, form.pattern
        assert form.meaning
