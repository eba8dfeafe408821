"""Six Spooktacular kits in the effect language: what a far richer game needs of tokenizer, tree and table."""

from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar

import pytest

from simcore import content
from simcore.effects import Control, Language, OpTable, Verb
from simcore.errors import InputError

KITS = Path(__file__).parent / "data" / "kits"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "effect-language.md"
SIX = {"deadline", "mummygator", "angler", "beasts-of-business", "regoo", "killtron"}

Act = IntEnum(
    "Act",
    "PLACE PLACE_DOOR PLACE_AHEAD FILL DRAW DRAW_TO PLAY DO ACT_FROM PICK RETURN GAIN GAIN_PER STEAL ADD MOVE "
    "MOVE_SOME MOVE_THROUGH DEVOUR DEVOUR_COLOUR SPOOK ADVANCE RUN DISCARD SHIFT LOAD REORDER "
    "EXTRA_ROOM NOT_LEAVE NOT_ADD NOT_ENTER OWN_DOORS UNTIL_NONE FOR_THAT FOR_COLOUR FOR_OTHERS FOR_PIECES IF "
    "WHEN_ENTERS WHEN_PASSES WHEN_TURN INSTEAD_OF_PLAY ONCE_A_TURN MAY CHOOSE BRANCH",
)


def numbered(*phrases: str) -> dict[str, int]:
    return {phrase: i for i, phrase in enumerate(phrases)}


WORDS = {
    "place": numbered(
        "your room", "that room", "any room", "connected room", "tomb", "room with your phone",
        "room without your phone", "room without your figure", "room with another monster", "its other side",
        "free space", "score track", "supply",
    ),
    "piece": numbered(
        "figure", "a figure", "your figure", "that figure", "phone", "your phone", "another phone", "that phone",
        "another monster", "other monster", "that monster", "another player", "all their figures", "guest", "a guest",
        "tomb", "jar", "door", "your door", "future", "your future", "that future",
    ),
    "count": numbered(
        "guests", "your futures", "future on score track", "rooms with your figure", "phone returned this turn"
    ),
    "player": numbered("that player", "any player"),
    "slot": numbered("any slot", "slot 1"),
}  # fmt: skip
ALWAYS = ("always",)
LANGUAGE = Language(
    "a kit",
    (
        Verb("place {piece:piece} [in {place:place}]", Act.PLACE, defaults={"place": 0}),
        Verb("place door between {place:place} and {other:place}", Act.PLACE_DOOR),
        Verb("place {piece:piece} {n} ahead of {who:player}", Act.PLACE_AHEAD),
        Verb("fill switchboard with {piece:piece}", Act.FILL),
        Verb("draw {n}", Act.DRAW, bounds=(1, 9)),
        Verb("draw to {n}", Act.DRAW_TO, bounds=(1, 9)),
        Verb("play a card", Act.PLAY),
        Verb("do {what:ability}", Act.DO),
        Verb("act from {piece:piece}", Act.ACT_FROM),
        Verb("pick {piece:piece} in {place:place}", Act.PICK),
        Verb("return {piece:piece} to {place:place}", Act.RETURN),
        Verb("gain {n}", Act.GAIN, bounds=(0, 20)),
        Verb("gain {n} per [{m}] {count:count}", Act.GAIN_PER, bounds={"n": (0, 20), "m": (1, 9)}, defaults={"m": 1}),
        Verb("steal {n} from {who:player}", Act.STEAL, bounds=(1, 9)),
        Verb("add {n} guest[s] [to {place:place}]", Act.ADD, bounds=(1, 9), defaults={"place": 0}),
        Verb("move [{piece:piece}] [from {place:place}] [to {other:place}]", Act.MOVE),
        Verb("move up to {n} guests from {place:place} to {other:place}", Act.MOVE_SOME, bounds=(1, 9)),
        Verb("move through {piece:piece}", Act.MOVE_THROUGH),
        Verb("devour [up to {n}] [in {place:place}]", Act.DEVOUR, bounds=(1, 9), defaults={"n": 1, "place": 0}),
        Verb("devour that colour", Act.DEVOUR_COLOUR),
        Verb("spook [in {place:place}]", Act.SPOOK, defaults={"place": 0}),
        Verb("advance {piece:piece} {n}", Act.ADVANCE, bounds=(1, 9)),
        Verb("run slot {n}", Act.RUN, bounds=(1, 3)),
        Verb("discard slot {n}", Act.DISCARD, bounds=(1, 3)),
        Verb("shift slots", Act.SHIFT),
        Verb("load {what:card} in {where:slot}", Act.LOAD),
        Verb("reorder slots", Act.REORDER),
        Verb("{piece:piece} is a room joined to its place", Act.EXTRA_ROOM, within=ALWAYS),
        Verb("no {piece:piece} may leave {place:place}", Act.NOT_LEAVE, within=ALWAYS),
        Verb("no {piece:piece} may be added to {place:place}", Act.NOT_ADD, within=ALWAYS),
        Verb("no {piece:piece} may enter {place:place}", Act.NOT_ENTER, within=ALWAYS),
        Verb("your doors are doors for you alone", Act.OWN_DOORS, within=ALWAYS),
    ),
    (
        Control("always"),
        Control("until none", Act.UNTIL_NONE),
        Control("for that player", Act.FOR_THAT),
        Control("for each colour in {place:place}", Act.FOR_COLOUR),
        Control("for each other player in[ or next to] {place:place}", Act.FOR_OTHERS),
        Control("for each {piece:piece} [in {place:place}]", Act.FOR_PIECES),
        Control("if {n} or more {count:count} [in {place:place}] [on {track:place}]", Act.IF, bounds=(1, 20)),
        Control("when {piece:piece} enters {place:place}", Act.WHEN_ENTERS),
        Control("when {piece:piece} passes {other:piece}", Act.WHEN_PASSES),
        Control("when your turn begins", Act.WHEN_TURN),
        Control("instead of play a card", Act.INSTEAD_OF_PLAY),
        Control("once a turn", Act.ONCE_A_TURN),
    ),
    words=WORDS,
    may=Act.MAY,
    choose=(Act.CHOOSE, Act.BRANCH),
    calls=("ability",),
)
ANY_SPACE = ("that space", "reached space")  # found out in play: may be any of them


class Monster(content.Entry):
    """A kit: set-up, turn, standing rules, named abilities, spaces that a marker can reach."""

    effects: ClassVar[tuple[str, ...]] = ("setup", "turn", "standing", "abilities", "spaces")
    components: dict[str, int]
    setup: str
    turn: str
    standing: str = ""
    abilities: dict[str, str] = {}
    spaces: dict[str, str] = {}

    def language(self, key: str) -> Language:
        return LANGUAGE

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        named = numbered(*self.abilities, *self.spaces, *ANY_SPACE)
        return {"ability": named, "card": numbered("a card", *sections["cards"])}

    def called(self, phrase: str) -> tuple[str, ...]:
        return tuple(self.spaces) if phrase in ANY_SPACE else (phrase,)


class Card(content.Entry):
    """A card, of everybody or of one monster."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str
    monster: str = ""

    def language(self, key: str) -> Language:
        return LANGUAGE

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        return sections["monsters"][self.monster].words(sections) if self.monster else {"ability": {}}


def kits(*overlays: Path) -> content.Content:
    return content.load(KITS, {"monsters": Monster, "cards": Card}, overlays)


def overlay(folder: Path, **files: str) -> Path:
    for section, text in files.items():
        (folder / f"{section}.toml").write_text(text, encoding="utf-8")
    return folder


def test_all_six_kits_compile_to_rows() -> None:
    loaded = kits()
    assert set(loaded.sections["monsters"]) == SIX
    table = OpTable(512, width=4)
    for (section, slug, _), effect in loaded.effects.items():
        start, end = table.add(effect.nodes, loaded.where(section, slug))
        assert all(start < row.end <= end for row in table.rows[start:end])
        assert (end > start) == bool(effect.text)
    assert {int(row.op) for row in table.rows} <= set(Act)
    assert len(table.rows) > 150


def test_every_word_of_the_language_is_used() -> None:
    used = {node.form.pattern for effect in kits().effects.values() for node in effect.walk()}
    assert {f.pattern for f in (*LANGUAGE.verbs, *LANGUAGE.controls)} <= used


def test_an_answering_loop_covers_its_block() -> None:
    effect = kits().effects["monsters", "deadline", "abilities.answer-the-phone"]
    table = OpTable(8, width=4)
    table.add(effect.nodes, "here")
    assert [(row.op, row.end) for row in table.rows] == [
        (Act.UNTIL_NONE, 4),
        (Act.PICK, 2),
        (Act.RETURN, 3),
        (Act.DO, 4),
    ]


def test_a_choice_is_a_row_with_branches() -> None:
    effect = kits().effects["monsters", "beasts-of-business", "abilities.trade"]
    table = OpTable(8, width=4)
    table.add(effect.nodes, "here")
    assert [(row.op, row.values[0], row.end) for row in table.rows] == [
        (Act.CHOOSE, 2, 5),
        (Act.BRANCH, 0, 3),
        (Act.PLACE_AHEAD, WORDS["piece"]["future"], 3),
        (Act.BRANCH, 0, 5),
        (Act.GAIN_PER, 1, 5),
    ]


def test_standing_rules_are_a_scope_and_triggers_are_rows() -> None:
    effect = kits().effects["monsters", "mummygator", "standing"]
    table = OpTable(16, width=4)
    table.add(effect.nodes, "here")
    assert [row.op for row in table.rows] == [
        Act.EXTRA_ROOM,
        Act.NOT_LEAVE,
        Act.NOT_ADD,
        Act.NOT_ENTER,
        Act.WHEN_ENTERS,
        Act.GAIN,
    ]
    assert table.rows[4].end == 6


def test_a_replaced_rule_may_have_nothing_in_it() -> None:
    (node,) = kits().effects["monsters", "killtron", "standing"].nodes
    assert (node.form.op, node.body) == (Act.INSTEAD_OF_PLAY, ())


def test_numbers_in_tables_of_texts_have_paths() -> None:
    loaded = kits()
    found = loaded.parameters()["monsters.mummygator.spaces.jar-7.1"]
    assert (found.default, found.low, found.high, found.source) == (4, 2, 6, "estimated")
    changed = loaded.changed(
        {"monsters.mummygator.spaces.jar-7.1": 6, "monsters.mummygator.abilities.feed-the-tomb.2": 1}
    )
    assert changed.sections["monsters"]["mummygator"].spaces["jar-7"] == "gain {6|2..6}"
    assert changed.effects["monsters", "mummygator", "abilities.feed-the-tomb"].numbers[1].value == 1
    assert loaded.sections["monsters"]["mummygator"].spaces["jar-7"] == "gain {4|2..6}"


def test_a_card_names_its_monsters_abilities_and_no_others(tmp_path: Path) -> None:
    folder = overlay(tmp_path, cards='[split]\neffect = "do cast-the-line"\n')
    with pytest.raises(
        InputError, match=r"cards.toml, \[split\], effect: .*'cast-the-line' is no ability; known: spread"
    ):
        kits(folder)


def test_abilities_must_not_call_in_a_circle(tmp_path: Path) -> None:
    texts = '[mummygator.abilities]\nfeed-the-tomb = "do fill-a-jar"\nfill-a-jar = "do feed-the-tomb"\n'
    with pytest.raises(InputError, match=r"monsters.toml, \[mummygator\]: .* call each other in a circle"):
        kits(overlay(tmp_path, monsters=texts))


def test_a_call_found_out_in_play_counts_as_all_it_may_be(tmp_path: Path) -> None:
    texts = '[deadline.spaces]\nbusy-line = "gain 1; do answer-the-phone"\n'
    with pytest.raises(InputError, match=r"answer-the-phone.* -> busy-line.* call each other in a circle"):
        kits(overlay(tmp_path, monsters=texts))


def test_the_page_shows_the_kits_as_they_are_tested() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for file in ("monsters.toml", "cards.toml"):
        for block in (KITS / file).read_text(encoding="utf-8").split("\n\n")[1:]:
            assert block.strip() in page
