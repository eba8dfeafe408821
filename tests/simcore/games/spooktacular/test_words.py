"""The effect language of Spooktacular: its page, what it reads and compiles to, and a monster of one's own."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from simcore import trace
from simcore.content import Content
from simcore.effects import Effect, Form, Node, OpTable
from simcore.game import Player, Strategy
from simcore.games.spooktacular import turn, words
from simcore.games.spooktacular.game import GAME
from simcore.games.spooktacular.layout import NONE, Op, Status

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / "docs" / "effect-language.md"
EXAMPLE = ROOT / "examples" / "usher"
ANYONE = Player(Strategy("any", "", "", turn.follow_up))
FORMS: tuple[Form, ...] = (*words.STANDING_VERBS, *words.VERBS, *words.TRIGGERS, *words.CONTROLS)
VOCABULARIES = (words.PLACES, words.PIECES, words.PLAYERS, words.COUNTS, words.RULES)
# Words that no monster in the box uses, for a monster with blobs (several) and a tomb (one).
SPARE = """
always: (no other monster may leave room with your blob; your blob are doors for all);
instead of spook: gain 1; instead of devour: nothing; instead of add guests: spook
"""


@cache
def shipped(*overlays: Path) -> Content:
    return GAME.load_content(overlays)


def read(text: str) -> Effect:
    """A text of the spare monster."""
    own = words.vocabularies(["blob", "tomb"], {"bite": 0, "one": 1}, {"haunt": 0}, ["one"])
    language = words.STANDING if text.strip().startswith(("always", "when", "instead")) else words.BOARD
    return language.parse(text, "here", own)


def rows(effect: Effect) -> list[tuple[int, tuple[int, ...], int]]:
    table = OpTable(64, width=4)
    table.add(effect.nodes, "here")
    return [(row.op, row.values, row.end) for row in table.rows]


def said(node: Node) -> set[str]:
    """The phrases in the slots of a clause."""
    return set(node.said.values())


# --- the page --------------------------------------------------------------------------------------------------------


def section() -> str:
    """What the page says about this game."""
    page = PAGE.read_text(encoding="utf-8")
    return page.partition("\n## The words of Spooktacular\n")[2].partition("\n## ")[0]


def code() -> set[str]:
    """All that stands between single backticks, without the colons of controls."""
    text = re.sub(r"\s+", " ", re.sub(r"```.*?```", "", section(), flags=re.S))
    return {found.rstrip(":") for found in re.findall(r"`([^`]+)`", text)}


def blocks(file: str) -> dict[str, dict[str, object]]:
    """Entries of the page's TOML blocks that begin with this file's name."""
    found = re.findall(r"```toml\n# ([\w/.]+)\n(.*?)```", section(), re.S)
    return {slug: table for name, text in found if name == file for slug, table in tomllib.loads(text).items()}


def test_the_page_names_every_pattern_and_every_word() -> None:
    assert {form.pattern for form in FORMS} <= code()
    named = {word for vocabulary in VOCABULARIES for word in vocabulary}
    assert named <= code()
    of_pieces = words.vocabularies(["K"], {}, {})
    for name in ("place", "piece", "count", "that"):
        assert set(of_pieces[name]) <= code() | named, name


def test_the_page_gives_the_bounds_of_the_numbers() -> None:
    """In the last column, of the number n."""
    for form in FORMS:
        if "n" in form.slots:
            row = re.search(rf"^\| `{re.escape(form.pattern)}:?` \|.*\| (\S*) \|$", section(), re.M)
            assert row is not None and row[1] == "{}..{}".format(*form.bounds_of("n")), form.pattern


@pytest.mark.parametrize("slug", ["deadline", "mummygator"])
def test_the_page_shows_monsters_as_they_are(slug: str) -> None:
    file = ROOT / "simcore/games/spooktacular/content/monsters.toml"
    assert blocks("monsters.toml")[slug] == tomllib.loads(file.read_text(encoding="utf-8"))[slug]


def test_the_page_shows_the_example_as_it_is() -> None:
    for name in ("monsters", "cards"):
        file = (EXAMPLE / f"{name}.toml").read_text(encoding="utf-8")
        assert blocks(f"usher/{name}.toml") == tomllib.loads(file)


# --- a monster of one's own ------------------------------------------------------------------------------------------


def test_a_monster_of_ones_own_is_one_more() -> None:
    before, after = shipped().sections, shipped(EXAMPLE).sections
    assert [*after["monsters"]] == [*before["monsters"], "usher"] and len(after["monsters"]) == 21
    rules = GAME.configure({}, [str(EXAMPLE)]).rules[0]
    assert rules["kits"] == 21 and rules["kit_cards"][20] == 8 and rules["doors_for_all"][20]


def test_a_monster_of_ones_own_plays() -> None:
    configuration = GAME.configure({"players": 3, "monsters": "usher"}, [str(EXAMPLE)])
    for number in range(5):
        outcome = trace.play_one(configuration, [ANYONE] * 3, number).outcome
        assert outcome["status"] not in (Status.ENDLESS, Status.ILLEGAL, Status.CAPPED)


# --- what is read ----------------------------------------------------------------------------------------------------


def test_every_word_is_used() -> None:
    nodes = [node for effect in (*shipped().effects.values(), read(SPARE)) for node in effect.walk()]
    assert {form.pattern for form in FORMS} <= {node.form.pattern for node in nodes}
    used = {phrase for node in nodes for phrase in said(node)}
    assert {word for vocabulary in VOCABULARIES for word in vocabulary} <= used


def test_an_answering_loop_covers_its_block() -> None:
    effect = shipped().effects["monsters", "deadline", "abilities.answer-the-phone"]
    assert [(op, end) for op, _, end in rows(effect)] == [
        (Op.UNTIL_NONE, 4),
        (Op.PICK_TOKEN, 2),
        (Op.RETURN, 3),
        (Op.DO, 4),
    ]


def test_a_choice_is_a_row_with_branches() -> None:
    assert rows(read("choose (place blob | gain 1 per 2 your blob in rooms up to 3; spook)")) == [
        (Op.CHOOSE, (2, 0, 0, 0), 6),
        (Op.BRANCH, (0, 0, 0, 0), 3),
        (Op.PLACE, (0, 0, 0, 0), 3),
        (Op.BRANCH, (0, 0, 0, 0), 6),
        (Op.GAIN_PER, (1, 2, words.vocabularies(["blob"], {}, {})["count"]["your blob in rooms"], 3), 5),
        (Op.SPOOK, (0, 0, 0, 0), 6),
    ]


def test_controls_stand_inside_one_another() -> None:
    effect = read("when a guest passes your blob: once a turn: for each colour in your room: may devour that colour")
    assert [op for op, *_ in rows(effect)] == [Op.WHEN, Op.ONCE, Op.FOR_COLOURS, Op.MAY, Op.DEVOUR_COLOUR]
    assert {end for *_, end in rows(effect)} == {5}


def test_a_replaced_rule_may_have_nothing_in_it() -> None:
    (node,) = shipped().effects["monsters", "killtron", "standing"].nodes
    assert (node.form.op, node.body) == (Op.INSTEAD, ())


def test_that_stands_for_what_was_picked() -> None:
    assert [values[0] for _, values, _ in rows(read("return that token; return that blob; do that space"))] == [
        NONE
    ] * 3


def test_numbers_in_tables_of_texts_have_paths() -> None:
    before = shipped()
    path = "monsters.remover.spaces.cheat-day"
    found = before.parameters()[f"{path}.1"]
    assert (found.default, found.low, found.high, found.source) == (2, 1, 3, "estimated")
    changed = before.changed({f"{path}.1": 3})
    assert changed.sections["monsters"]["remover"].spaces["cheat-day"] == "devour {3|1..3}"
    assert changed.effects["monsters", "remover", "spaces.cheat-day"].numbers[0].value == 3
    assert before.sections["monsters"]["remover"].spaces["cheat-day"] == "devour {2|1..3}"
