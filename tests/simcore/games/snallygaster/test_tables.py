"""The content of the Snallygaster Situation and its compiled rules: words, decks by monster, settings, bad input."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore.effects import Verb
from simcore.errors import InputError
from simcore.game import Configuration
from simcore.games.snallygaster import layout, tables, words
from simcore.games.snallygaster.game import GAME, MONSTERS
from simcore.games.snallygaster.layout import NONE, Op, Part, Tally, Window

DOCS = Path(__file__).resolve().parents[4] / "docs" / "effect-language.md"
CONTENT = tables.load_content()


def configured(settings: dict[str, Any] | None = None, overlay: Path | None = None, **files: str) -> Configuration:
    """A configuration with an overlay of files (`search_cards="..."`)."""
    if overlay is None:
        return GAME.configure(settings)
    for name, text in files.items():
        (overlay / f"{name.replace('_', '-')}.toml").write_text(text, encoding="utf-8")
    return GAME.configure(settings, [overlay])


def refused(settings: dict[str, Any] | None = None, overlay: Path | None = None, **files: str) -> str:
    with pytest.raises(InputError) as error:
        configured(settings, overlay, **files)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("monster", MONSTERS)
def test_only_the_chosen_monsters_cards_are_in_play(monster: str) -> None:
    rules = GAME.configure({"monster": monster}).rules[0]
    assert (rules["cards"], rules["item_cards"], rules["search_cards"]) == (32, 21, 27)
    assert rules["powered_cards"] == 4 and rules["tiles"] == 20 and rules["symbols"] == 4
    assert layout.Mechanics(int(rules["mechanics"])).name.lower() == CONTENT.sections["stories"][monster].mechanics


def test_kids_on_the_board_by_number_of_players() -> None:
    """Rulebook, Kids & Pick a Monster: two Kids at 2 and 3 players, three at 4, four at 5."""
    found = {p: GAME.configure({"players": p}).rules[0] for p in range(2, 6)}
    assert {p: int(r["kids"]) for p, r in found.items()} == {2: 2, 3: 2, 4: 3, 5: 4}
    assert found[2]["player_of"].tolist() == [0, 1, 1, 1, 1]
    assert found[5]["player_of"].tolist() == [0, 1, 2, 3, 4]


def test_goals_are_compiled_in_their_order() -> None:
    rules = GAME.configure({"monster": "dover-demon"}).rules[0]
    first = rules["part_kind"][0, 0], rules["part_where"][0, 0], rules["part_price"][0, 0]
    drug_store = list(CONTENT.sections["buildings"]).index("harris-drug-store")
    assert first == (Part.SEARCH, drug_store, 0)
    assert rules["goals"] == len(tables.goals(CONTENT, "dover-demon"))


def test_items_are_offered_where_they_can_matter() -> None:
    """A dodge answers the monster and the Feds and is no use in the own turn; an own-turn card is only for that."""
    dodge = words.ACT.parse("dodge", "")
    assert words.windows(dodge, own_turn=False) == {Window.MONSTER, Window.FEDS}
    assert words.windows(words.ACT.parse("refresh wheels", ""), own_turn=True) == {Window.TURN}
    assert Window.MONSTER in words.windows(words.ACT.parse("within 1: lure 1", ""), own_turn=False)


def test_event_density_and_search_threat_become_limits() -> None:
    assert GAME.configure({"event_density": 1}).rules[0]["density"] == 0
    thin = GAME.configure({"event_density": 0.75}).rules[0]
    more = GAME.configure({"event_density": 1.5}).rules[0]
    assert thin["density"] == 1 and abs(float(thin["density_limit"]) / 2**64 - 0.25) < 1e-9
    assert more["density"] == 2 and abs(float(more["density_limit"]) / 2**64 - 0.5) < 1e-9
    none = GAME.configure({"search_threat": 0}).rules[0]
    assert none["threat"] == 1 and float(none["threat_limit"]) / 2**64 == pytest.approx(1)
    assert GAME.configure({"search_threat": 1}).rules[0]["threat"] == 2


def test_ways_to_move_match_the_rides() -> None:
    """The skateboard's road bonus, the mountain bike's off the road, and no ride at all."""
    configuration = GAME.configure()
    rules, slugs = configuration.rules[0], list(CONTENT.sections["rides"])
    n = int(rules["spaces"])
    plain = rules["need"][rules["way"][layout.RIDES, 0], :n, :n].astype(int)
    assert (plain <= rules["distance"][0, :n, :n]).all()
    for slug in ("skateboard", "mountain-bike"):
        own = rules["need"][rules["way"][slugs.index(slug), 0], :n, :n].astype(int)
        assert (own <= plain).all() and (own < plain).any()
    counts = (rules["need"][0, :n, :n] <= 5).sum(axis=1)
    assert (counts == rules["near_count"][0, :n, 5]).all()


def test_a_treehouse_that_is_closed_is_no_treehouse() -> None:
    rules = GAME.configure({"treehouses": 2}).rules[0]
    assert sorted(set(rules["treehouse_of"][: rules["spaces"]].tolist())) == [NONE, 0, 1]
    assert int(rules["nearest_treehouses"][: rules["spaces"]].max()) <= 3
    assert "the town has 4" in refused({"treehouses": 5})


def test_hidden_buildings_are_the_lowest_numbers() -> None:
    rules = GAME.configure({"hidden_buildings": 12}).rules[0]
    numbers = [b.number for b in CONTENT.sections["buildings"].values()]
    hides = [numbers[int(rules["card_building"][c])] for c in range(rules["cards"]) if rules["card_hides"][c]]
    assert max(hides) == 12
    assert "none may be left" in refused({"hidden_buildings": 2})


def test_hints_weigh_more_where_they_are_near() -> None:
    clear = GAME.configure({"hint_clarity": 1}).rules[0]["hint_weight"]
    count = len(CONTENT.sections["landmarks"]), len(CONTENT.sections["buildings"])
    assert np.allclose(clear[: count[0], : count[1]].mean(axis=1), 1)
    blind = GAME.configure({"hint_clarity": 0}).rules[0]["hint_weight"]
    assert np.allclose(blind[: count[0], : count[1]], 1)


def test_every_component_has_its_three_slots() -> None:
    configuration = GAME.configure({"monster": "bloody-mary"})
    names = tables.component_names(configuration.settings, configuration.content)
    slots = [slot for _, slot in names]
    assert slots == [Tally.COMPONENTS + 3 * i for i in range(len(names))]
    assert configuration.rules[0]["tallies"] == slots[-1] + 3
    off = GAME.configure({"rides": "off"})
    assert not any(label.startswith("ride=") for label, _ in tables.component_names(off.settings, off.content))


def test_the_page_of_words_is_complete() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for language in (words.ACT, words.RIDE, words.GOAL):
        for form in (*language.verbs, *language.controls):
            assert f"`{form.pattern}{'' if isinstance(form, Verb) else ':'}`" in page, form.pattern
            assert form.meaning


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"monster": "krampus"}, "krampus"),
        ({"players": 6}, "2..5"),
        ({"doom_length": 0}, "1..60"),
        ({"event_density": 3}, "0..2"),
        ({"ride.1": "skateboard"}, "needs rides = fixed"),
        ({"rides": "fixed", "ride.1": "scateboard"}, "did you mean 'skateboard'"),
        ({"rides": "fixed", "ride.1": "skateboard", "ride.2": "skateboard"}, "the same ride"),
        ({"setup_tokens": 12, "search_tokens": 5}, "more than there are"),
        ({"ruling.rescue": "finding"}, "rescue"),
        ({"doom_lenght": 9}, "doom_length"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], said: str) -> None:
    assert said in refused(settings)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"search_cards": '[bad]\nname = "Bad"\nsource = "estimated"\neffect = "summon 2"\n'}, "no verb 'summon 2'"),
        ({"goals": "[talk-to-lance]\norder = 2\n"}, "in order 1, 2"),
        (
            {"goals": '[extra]\nname = "X"\nsource = "estimated"\nmonster = "krampus"\norder = 1\nparts = "rescue"\n'},
            "krampus",
        ),
        ({"stories": '[dover-demon]\nstart = "harris-drugstore"\n'}, "did you mean 'harris-drug-store'"),
        ({"lost_kid_cards": '[high-school]\naction = "doom 1"\n'}, "either a hint or an action"),
        ({"wheels": "\n".join(f"[{w}]\nspare = true\n" for w in ("three", "four", "five", "six"))}, "no spare"),
    ],
)
def test_bad_content_is_refused(files: dict[str, str], said: str, tmp_path: Path) -> None:
    if "goals" in files and "talk-to-lance" in files["goals"]:
        slug = tables.goals(CONTENT, "dover-demon")[0]
        files = {"goals": files["goals"].replace("talk-to-lance", slug)}
    assert said in refused(None, tmp_path, **files)


def test_a_deck_too_small_for_the_set_up_is_refused(tmp_path: Path) -> None:
    slugs = [s for s, e in CONTENT.sections["lost-kid-cards"].items() if not e.monster]
    gone = "\n".join(f"[{slug}]\nremove = true\n" for slug in slugs[8:])
    assert "the set-up alone takes" in refused(None, tmp_path, lost_kid_cards=gone)


def test_a_deck_beyond_the_records_capacity_is_refused(tmp_path: Path) -> None:
    slug = next(iter(CONTENT.sections["items"]))
    assert "60 fit" in refused(None, tmp_path, items=f"[{slug}]\ncopies = 50\n")


def test_a_copied_threat_is_told_from_a_kind_word() -> None:
    assert words.threatens(words.ACT.parse("choose(free move 5 | feds red 2)", ""))
    assert not words.threatens(words.ACT.parse("item 1; token any", ""))
    assert int(Op.FEDS) in {int(op) for op in words.THREATS}
