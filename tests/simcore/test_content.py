"""Content: files to entries, overlays, dotted paths, sources, and what is refused and how."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from simcore import content
from simcore.content import Content, Entry
from simcore.effects import Language, Verb
from simcore.errors import InputError

LANGUAGE = Language("a Card", (Verb("throw {n}", 1, bounds=(0, 9)), Verb("call {what:ability}", 2)), calls=("ability",))


class Card(Entry):
    """A card with every kind of key."""

    effects: ClassVar[tuple[str, ...]] = ("effect", "abilities")
    effect: str = ""
    abilities: dict[str, str] = {}
    kind: Literal["snow", "ice"] = Field("snow", description="kind")
    cover: int = Field(3, ge=1, le=20, description="cover number")
    weight: float = Field(0.5, ge=0, le=1)

    def language(self, key: str) -> Language:
        return LANGUAGE

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        return {"ability": {name: i for i, name in enumerate(self.abilities)}}


class Place(Entry):
    """A place without effects."""

    cover: int = Field(ge=1, le=20, description="cover number")


SECTIONS: dict[str, type[Entry]] = {"cards": Card, "places": Place}
CARDS = """
[lid]
name = "Lid"
source = "rulebook"
sources = { copies = "estimated" }
copies = 4
effect = "throw 1; throw +{2|1..4}"
alternatives = { effect = ["throw 3"] }

[boughs]
name = "Boughs"
source = "published"
sources = { effect = "estimated" }
copies = 2
effect = "throw {3|2..5}"
"""
PLACES = """
[fort]
name = "Fort"
source = "rulebook"
cover = 17

[hedge]
name = "Hedge"
source = "estimated"
cover = 10
bounds = { cover = [9, 12] }
"""


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "content", cards=CARDS, places=PLACES)
    about = 'title = "Cold"\nreason = "A test."\n'
    write(tmp_path / "content" / "overlays" / "cold-snap", places="[fort]\ncover = 12\n", overlay=about)
    return tmp_path / "content"


def load(folder: Path, *overlays: str | Path) -> Content:
    return content.load(folder, SECTIONS, overlays)


def refused(folder: Path, *overlays: str | Path) -> str:
    with pytest.raises(InputError) as error:
        load(folder, *overlays)
    assert "\n" not in str(error.value)
    return str(error.value)


# --- what is read ---


def test_sections_keep_the_order_of_the_files(folder: Path) -> None:
    loaded = load(folder)
    assert {s: list(entries) for s, entries in loaded.sections.items()} == {
        "cards": ["lid", "boughs"],
        "places": ["fort", "hedge"],
    }
    assert loaded.effects["cards", "lid", "effect"].numbers[1].value == 2
    assert loaded.where("cards", "lid") == "cards.toml, [lid]"


def test_content_is_frozen(folder: Path) -> None:
    loaded = load(folder)
    with pytest.raises(TypeError):
        loaded.sections["cards"]["new"] = None  # type: ignore[index]
    with pytest.raises(ValueError, match="frozen"):
        loaded.sections["cards"]["lid"].copies = 9


def test_parameters_have_bounds_meaning_and_source(folder: Path) -> None:
    found = load(folder).parameters()
    read = {name: (p.kind, p.default, p.low, p.high, p.source) for name, p in found.items()}
    assert read["cards.lid.copies"] == ("integer", 4, 0, 99, "estimated")
    assert read["cards.lid.blank"] == ("flag", False, None, None, "rulebook")
    assert read["cards.lid.kind"] == ("choice", "snow", None, None, "rulebook")
    assert read["cards.lid.weight"] == ("number", 0.5, 0, 1, "rulebook")
    assert read["cards.lid.effect"] == ("text", "throw 1; throw +{2|1..4}", None, None, "rulebook")
    assert read["cards.lid.effect.1"] == ("integer", 1, 0, 9, "rulebook")
    assert read["cards.lid.effect.2"] == ("integer", 2, 1, 4, "estimated")
    assert read["cards.boughs.effect"][-1] == "estimated"
    assert read["places.hedge.cover"] == ("integer", 10, 9, 12, "estimated")
    assert found["cards.lid.kind"].choices == ("snow", "ice")
    assert found["cards.lid.effect"].choices == ("throw 3",)
    assert found["places.fort.cover"].meaning == "Fort: cover number"
    assert not any(name.endswith((".name", ".source", ".note", ".bounds")) for name in found)


def test_provenance_counts_cards_and_shares(folder: Path) -> None:
    loaded = load(folder)
    # lid: 1 rulebook + 3 whose number is estimated; boughs: 2 with an estimated effect; fort; hedge
    assert loaded.provenance() == {"rulebook": 2, "published": 0, "inferred": 0, "estimated": 6}
    assert loaded.provenance(without=["cards"]) == {"rulebook": 1, "published": 0, "inferred": 0, "estimated": 1}
    assert loaded.provenance(without=["cards.lid", "places"]) == {
        "rulebook": 0,
        "published": 0,
        "inferred": 0,
        "estimated": 2,
    }
    assert loaded.changed({"cards.lid.copies": 0}).provenance()["estimated"] == 3


def test_the_digest_follows_every_value(folder: Path) -> None:
    loaded = load(folder)
    assert load(folder).digest == loaded.digest
    assert len({loaded.digest, *(loaded.changed(c).digest for c in CHANGES)}) == len(CHANGES) + 1


# --- what is changed ---

CHANGES: list[dict[str, object]] = [
    {"cards.lid.copies": 5},
    {"cards.lid.blank": True},
    {"cards.lid.kind": "ice"},
    {"cards.lid.weight": "0.25"},
    {"cards.lid.effect": "throw 3"},
    {"cards.lid.effect.2": 4},
    {"places.fort.cover": 18},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: next(iter(c)))
def test_a_change_is_the_new_default_and_nothing_else(folder: Path, change: dict[str, object]) -> None:
    loaded = load(folder)
    before, after = loaded.parameters(), loaded.changed(change).parameters()
    ((path, value),) = change.items()
    assert str(after[path].default) == str(value)
    assert after[path].source == "estimated"
    others = {k for k in before if not k.startswith("cards.lid.effect" if ".effect" in path else path)}
    assert {k: before[k].default for k in others} == {k: after[k].default for k in others}
    assert loaded.parameters() == before


def test_a_changed_number_rewrites_the_text(folder: Path) -> None:
    changed = load(folder).changed({"cards.lid.effect.2": "3", "cards.lid.effect.1": 4})
    assert changed.sections["cards"]["lid"].effect == "throw 4; throw +{3|1..4}"
    assert [n.value for n in changed.effects["cards", "lid", "effect"].numbers] == [4, 3]
    assert changed.parameters()["cards.lid.effect.2"].default == 3


def test_a_text_is_set_before_its_numbers(folder: Path) -> None:
    for order in (1, -1):
        change = dict([("cards.lid.effect.1", 7), ("cards.lid.effect", "throw 2; throw 3")][::order])
        assert load(folder).changed(change).sections["cards"]["lid"].effect == "throw 7; throw 3"


def test_no_change_is_the_same_content(folder: Path) -> None:
    loaded = load(folder)
    assert loaded.changed({}) is loaded
    same = loaded.changed({"cards.lid.copies": 4, "cards.lid.effect.2": 2})
    assert (same.digest, same.provenance()) == (loaded.digest, loaded.provenance())


@given(first=st.integers(0, 9), second=st.integers(1, 4), copies=st.integers(0, 99))
def test_changes_add_up_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, first: int, second: int, copies: int
) -> None:
    loaded = load(write(tmp_path_factory.getbasetemp() / "any", cards=CARDS, places=PLACES))
    change = {"cards.lid.effect.1": first, "cards.lid.effect.2": second, "cards.lid.copies": copies}
    whole, steps = loaded.changed(change), loaded
    for path, value in reversed(change.items()):
        steps = steps.changed({path: value})
    assert whole.digest == steps.digest
    assert {path: whole.parameters()[path].default for path in change} == change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cards.lidd.copies": 1}, "no content 'cards.lidd.copies'; did you mean 'cards.lid.copies'?"),
        ({"cards.lid.copys": 1}, "no content 'cards.lid.copys'; did you mean 'cards.lid.copies'?"),
        ({"cards.lid": 1}, "no content 'cards.lid'"),
        ({"lid": 1}, "no content 'lid'"),
        ({"cards.lid.name": "x"}, "no content 'cards.lid.name'"),
        ({"cards.lid.effect.3": 1}, "no content 'cards.lid.effect.3'; did you mean 'cards.lid.effect.2'?"),
        ({"cards.lid.effect.0": 1}, "no content 'cards.lid.effect.0'"),
        ({"cards.lid.effect.2": 5}, "cards.lid.effect.2: 5 is outside 1..4"),
        ({"cards.lid.copies": -1}, "cards.lid.copies: -1 is outside 0..99"),
        ({"places.hedge.cover": 13}, "places.hedge.cover: 13 is outside 9..12"),
        ({"cards.lid.kind": "icy"}, "cards.lid.kind: no choice 'icy'; did you mean 'ice'?"),
        ({"cards.lid.effect": "trow 1"}, "no verb 'trow 1' in a Card (at 'trow'); did you mean 'throw {n}'?"),
    ],
    ids=lambda c: next(iter(c)) if isinstance(c, dict) else "",
)
def test_a_wrong_change_is_refused(folder: Path, change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as error:
        load(folder).changed(change)
    assert said in str(error.value)
    assert next(iter(change)) in str(error.value)


# --- overlays ---


def test_an_overlay_that_ships_is_known_by_name(folder: Path) -> None:
    loaded = load(folder, "cold-snap")
    assert loaded.sections["places"]["fort"].cover == 12
    assert loaded.sections["places"]["fort"].name == "Fort"
    assert [(o.name, o.title, o.reason) for o in loaded.overlays] == [("cold-snap", "Cold", "A test.")]
    assert list(content.shipped_overlays(folder / "overlays")) == ["cold-snap"]


def test_a_designers_folder_changes_adds_and_removes(folder: Path, tmp_path: Path) -> None:
    own = write(
        tmp_path / "mine",
        places='[hedge]\nremove = true\n[igloo]\nname = "Igloo"\nsource = "estimated"\ncover = 19\n',
        cards='[lid]\neffect = "throw 2"\n',
    )
    loaded = load(folder, own)
    assert list(loaded.sections["places"]) == ["fort", "igloo"]
    assert loaded.sections["cards"]["lid"].copies == 4
    assert loaded.parameters()["cards.lid.effect"].source == "estimated"  # no fact of the printed game
    assert loaded.parameters()["cards.lid.copies"].source == "estimated"
    assert loaded.parameters()["cards.lid.kind"].source == "rulebook"
    assert loaded.where("cards", "lid") == f"{own}/cards.toml, [lid]"
    assert str(own) in load(folder, str(own)).overlays[0].name


def test_who_owns_the_box_can_say_so(folder: Path, tmp_path: Path) -> None:
    own = write(tmp_path / "box", cards='[boughs]\nsource = "published"\neffect = "throw 2"\n')
    loaded = load(folder, own)
    assert loaded.parameters()["cards.boughs.effect"].source == "published"
    assert loaded.sections["cards"]["boughs"].certainty == "published"


def test_bounds_of_another_value_do_not_hold(folder: Path, tmp_path: Path) -> None:
    loaded = load(folder, write(tmp_path / "mine", places="[hedge]\ncover = 15\n"))
    assert (loaded.parameters()["places.hedge.cover"].low, loaded.parameters()["places.hedge.cover"].high) == (1, 20)


def test_overlays_apply_in_their_order(folder: Path, tmp_path: Path) -> None:
    own = write(tmp_path / "mine", places="[fort]\ncover = 9\n")
    assert load(folder, "cold-snap", own).sections["places"]["fort"].cover == 9
    assert load(folder, own, "cold-snap").sections["places"]["fort"].cover == 12


# --- what is refused ---

BAD_FILES = [
    ({"cards": "[lid]\ncopys = 3\n"}, "cards.toml, [lid]: unknown key 'copys'; did you mean 'copies'?"),
    ({"cards": "[lid]\ncopies = -3\n"}, "cards.toml, [lid]: copies = -3 must be 0 or more"),
    ({"cards": "[lid]\ncopies = 300\n"}, "cards.toml, [lid]: copies = 300 must be 99 or less"),
    ({"cards": '[lid]\ncopies = "3"\n'}, "cards.toml, [lid]: copies = '3' must be a whole number"),
    ({"cards": "[lid]\ncopies = 2.5\n"}, "cards.toml, [lid]: copies = 2.5 must be a whole number"),
    ({"cards": "[lid]\nblank = 1\n"}, "cards.toml, [lid]: blank = 1 must be true or false"),
    ({"cards": "[lid]\neffect = 3\n"}, 'cards.toml, [lid]: effect = 3 must be a text in "quotes"'),
    ({"cards": '[lid]\nname = ""\n'}, "cards.toml, [lid]: name = '' must not be empty"),
    ({"cards": '[lid]\nkind = "icy"\n'}, "cards.toml, [lid]: kind = 'icy' is not valid; did you mean 'ice'?"),
    ({"cards": '[lid]\nsource = "guessed"\n'}, "[lid]: source = 'guessed' is not valid; known: rulebook, published,"),
    ({"cards": '[lid]\nsources = { effct = "estimated" }\n'}, "[lid]: sources: no key 'effct'; did you mean 'effect'?"),
    ({"cards": '[lid]\nsources = { effect = "estimted" }\n'}, "'estimted' is not valid; did you mean 'estimated'?"),
    ({"cards": "[lid]\nbounds = { cover = [4, 2] }\n"}, "[lid]: bounds: cover needs [lowest, highest]"),
    ({"cards": "[lid]\nbounds = { cover = [4, 9] }\n"}, "[lid]: cover: 3 is outside its own bounds 4..9"),
    ({"cards": "[lid]\nbounds = { effect = [4, 9] }\n"}, "[lid]: bounds: 'effect' is no number"),
    ({"cards": '[lid]\neffect = "thorw 1"\n'}, "cards.toml, [lid], effect: no verb 'thorw 1' in a Card (at 'thorw')"),
    ({"cards": '[lid.abilities]\ndig = "dance"\n'}, "cards.toml, [lid], abilities.dig: no verb 'dance'"),
    ({"cards": '[lid.abilities]\ndig = "call dig"\n'}, "cards.toml, [lid]: dig -> dig call each other in a circle"),
    ({"cards": '[lid]\nalternatives = { effect = ["dance"] }\n'}, "[lid], alternatives.effect: no verb 'dance'"),
    ({"cards": "[lid]\nremove = false\n"}, "cards.toml, [lid]: 'remove' is written alone, as remove = true"),
    ({"cards": "[lidd]\nremove = true\n"}, "cards.toml, [lidd]: nothing to remove; did you mean 'lid'?"),
    ({"cards": "[lidd]\ncopies = 3\n"}, "[lidd]: a new entry also needs name, source; did you mean 'lid'?"),
    ({"cards": "copies = 3\n"}, "cards.toml: 'copies' stands outside any [entry]"),
    ({"cards": '["big lid"]\ncopies = 3\n'}, "cards.toml, [big lid]: an entry's name is made of a-z, 0-9 and '-'"),
    ({"cards": "[lid.more]\ncopies = 3\n"}, "cards.toml, [lid]: unknown key 'more'"),
    ({"cards": "[lid]\ncopies 3\n"}, "cards.toml, line 2: Expected '=' after a key"),
    ({"cards": "[lid]\n[lid]\n"}, "cards.toml, line 2: Cannot declare ('lid',) twice"),
    ({"cards": '[lid]\n\n\nname = "x\n'}, "cards.toml, line 4: "),
    ({"cards": '[lid]\nname = """x\n'}, "cards.toml, line 3: "),
    ({"card": "[lid]\ncopies = 3\n"}, "/card.toml: no such section; did you mean 'cards.toml'?"),
    ({}, "has no content file; known: cards.toml, places.toml"),
    ({"places": "", "overlay": "titel = 'x'\n"}, "/overlay.toml: unknown key 'titel'; did you mean 'title'?"),
    ({"places": "", "overlay": "reason = 'x'\n"}, "/overlay.toml: 'title' is missing"),
]


@pytest.mark.parametrize(("files", "said"), BAD_FILES, ids=[said[-40:] for _, said in BAD_FILES])
def test_a_bad_file_is_refused_in_one_line(folder: Path, tmp_path: Path, files: dict[str, str], said: str) -> None:
    message = refused(folder, write(tmp_path / "mine", **files))
    assert said in message
    assert str(tmp_path / "mine") in message


def test_a_missing_key_or_file_of_the_content_itself_is_named(folder: Path) -> None:
    write(folder, places='[fort]\nname = "Fort"\nsource = "rulebook"\n')
    assert refused(folder) == "places.toml, [fort]: 'cover' is missing"
    write(folder, places="[fort]\nremove = true\n")
    assert "places.toml, [fort]: " in refused(folder)
    (folder / "places.toml").unlink()
    assert refused(folder).startswith("places.toml: cannot be read")


def test_bytes_that_are_no_text_are_refused(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "mine")
    (tmp_path / "mine" / "cards.toml").write_bytes(b"[lid]\nname = '\xff\xfe'\n")
    assert refused(folder, tmp_path / "mine").endswith("cards.toml: not a text file in UTF-8")
    (tmp_path / "mine" / "cards.toml").write_text("x = " + "[" * 5000, encoding="utf-8")
    assert "cards.toml" in refused(folder, tmp_path / "mine")


def test_an_unknown_overlay_is_refused_with_the_nearest_name(folder: Path, tmp_path: Path) -> None:
    message = refused(folder, "cold-snip")
    assert message == ("content 'cold-snip' is neither a folder nor an overlay that ships; did you mean 'cold-snap'?")
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "is a file, not a folder of TOML files" in refused(folder, tmp_path / "file")
