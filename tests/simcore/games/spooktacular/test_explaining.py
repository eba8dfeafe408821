"""Monsters and cards in plain words: every word has its sentence, and sentences are English."""

import re
from collections.abc import Iterable, Iterator
from itertools import product

import pytest

from simcore.content import Content
from simcore.effects import Form, Language, Node
from simcore.games.spooktacular import plain, words
from simcore.games.spooktacular.explaining import RANGES, WIDTH, explain
from simcore.games.spooktacular.game import GAME
from simcore.games.spooktacular.kits import Card, Monster
from simcore.games.spooktacular.layout import SLOTS
from simcore.games.spooktacular.plain import Plain, many, number, plural, spoken

CONTENT: Content = GAME.load_content(())
MONSTER = Monster(
    name="Test",
    source="estimated",
    tier="easy",
    figures={"figure": 1, "arm": 3},
    tokens={"tesla-coil": 2, "tomb": 1, "dish": 4},
    setup="",
    turn="",
    abilities={"bite": ""},
    spaces={"last-call": ""},
)
OWN = words.vocabularies(MONSTER.kinds, {"bite": 0, "last-call": 1}, {"haunt": 0}, MONSTER.spaces)
FORMS: tuple[Form, ...] = (*words.STANDING_VERBS, *words.VERBS, *words.TRIGGERS, *words.CONTROLS)


def said(text: str, language: Language = words.STANDING) -> list[str]:
    """The lines of a text of the test's monster."""
    return Plain(CONTENT, MONSTER).lines(language.parse(text, "here", OWN).nodes)


ARTICLES = re.compile(r"\b[Aa] [aeiou]|\b[Aa]n [^aeiou]|\b(a|an|the|your|any|each) (a|an|the|your|any|each)\b")
NOUNS = "point|card|guest|space|passenger|time|ticket|colour|door|token|room|player"
PLURALS = re.compile(rf"\b1 ({NOUNS})s\b|\b([02-9]|\)) ({NOUNS})\b(?! with)")
LEFT_OVER = re.compile(r"[{}|_;]|None|  |\bper\b|\bany other\b|\bleader\b")


def english(lines: list[str], kinds: Iterable[str] = ()) -> None:
    """Whether lines are sentences: begin and end, articles, plurals, no leftovers of the effect language."""
    for line in lines:
        text = line.strip().removeprefix("- ")
        assert text[0].isupper() and text.endswith((".", ":")), line
        for wrong in (ARTICLES, PLURALS, LEFT_OVER):
            assert not wrong.search(text), line
        for kind in kinds:
            assert "-" not in kind or kind not in text, line
            assert not re.search(rf"\bof your {spoken(kind)}\b|\b[02-9] {spoken(kind)}\b", text), line


def shown(form: Form, language: Language, number_said: str) -> Iterator[str]:
    """Texts with a form: every word of its vocabularies, with and without optional parts."""
    for variant in form.variants:
        choices: list[list[str]] = []
        for kind, name, vocabulary in variant:
            if kind == "word":
                choices.append([name])
            elif vocabulary:
                choices.append(list(OWN[vocabulary]))
            else:
                low, high = form.bounds_of(name)
                choices.append([number_said if high > 3 else str(SLOTS)])
        for parts in product(*choices) if len([c for c in choices if len(c) > 1]) < 3 else zip_all(choices):
            yield " ".join(parts)


def zip_all(choices: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """Each word of each vocabulary once, where all combinations are too many."""
    for i in range(max(map(len, choices))):
        yield tuple(words_[i % len(words_)] for words_ in choices)


# --- every word ------------------------------------------------------------------------------------------------------


def test_every_pattern_has_a_sentence() -> None:
    assert set(plain.VERBS) == {f.pattern for f in (*words.VERBS, *words.STANDING_VERBS)}
    assert set(plain.CONTROLS) == {f.pattern for f in (*words.CONTROLS, *words.TRIGGERS)}


def test_every_word_of_the_vocabularies_has_its_english() -> None:
    pairs = (
        (plain.PLACES, words.PLACES),
        (plain.PIECES, words.PIECES),
        (plain.PLAYERS, words.PLAYERS),
        (plain.COUNTS, words.COUNTS),
        (plain.RULES, words.RULES),
    )
    for ours, theirs in pairs:
        assert list(ours) == list(theirs)
    plainly = Plain(CONTENT, MONSTER)
    assert all(plainly.place(p) and plainly.place(p, each=True) for p in OWN["place"])
    assert all(plainly.piece(p) for p in OWN["piece"]) and all(plainly.count(c) for c in OWN["count"])
    with pytest.raises(KeyError):
        plainly.count("your jar in rooms")


@pytest.mark.parametrize("number_said", ["1", "4", "{2|1..4}"])
@pytest.mark.parametrize("form", FORMS, ids=[f.pattern for f in FORMS])
def test_every_form_reads_as_english(form: Form, number_said: str) -> None:
    control = form in (*words.CONTROLS, *words.TRIGGERS)
    for text in shown(form, words.STANDING, number_said):
        if form.pattern == "always":
            whole = "always: no guest may leave your room"
        elif form in words.STANDING_VERBS:
            whole = f"always: {text}"
        else:
            whole = f"{text}: gain 2" if control else text
        lines = said(whole)
        english(lines, MONSTER.kinds)
        if control and form.pattern != "always":
            for more in (": (spook; draw 2; play a card; draw up)", ": choose (spook | gain 1; draw 1 | nothing)"):
                english(said(text + more))


def shipped() -> Iterator[tuple[str, str, list[str]]]:
    """All texts in the box, alternatives too: entry, path, lines."""
    for section in ("monsters", "cards"):
        for slug, entry in CONTENT.sections[section].items():
            monster = entry if isinstance(entry, Monster) else CONTENT.sections["monsters"].get(entry.monster)
            texts = {path: effect for (s, e, path), effect in CONTENT.effects.items() if (s, e) == (section, slug)}
            for path, effect in texts.items():
                yield slug, path, Plain(CONTENT, monster).lines(effect.nodes)
                for other in entry.alternatives.get(path, ()):
                    parsed = entry.language(path.partition(".")[0]).parse(other, path, entry.words(CONTENT.sections))
                    yield slug, path, Plain(CONTENT, monster).lines(parsed.nodes)


def test_every_text_in_the_box_reads_as_english() -> None:
    count = 0
    for slug, path, lines in shipped():
        kinds = CONTENT.sections["monsters"][slug].kinds if slug in CONTENT.sections["monsters"] else ()
        english(lines, kinds)
        count += len(lines)
        assert all(len(line) < 260 for line in lines), (slug, path)
    assert count > 200


def test_every_entry_is_explained_within_the_width() -> None:
    for section, kind in (("monsters", Monster), ("cards", Card)):
        for slug, entry in CONTENT.sections[section].items():
            assert isinstance(entry, kind)
            lines = explain(CONTENT, section, slug)
            assert entry.name in lines[0] and max(map(len, lines)) <= WIDTH + 6
            assert all(line.isascii() and line == line.rstrip() for line in lines), slug
            assert (lines[-1] == RANGES) == estimates(section, slug), slug
    assert explain(CONTENT, "rooms", next(iter(CONTENT.sections["rooms"]))) == []


def estimates(section: str, slug: str) -> bool:
    """Whether an explanation has estimated numbers: of the entry, of a monster's cards, or of what a card does."""
    effects, cards = CONTENT.effects, CONTENT.sections["cards"]
    own = [e for (s, k, _), e in effects.items() if (s, k) == (section, slug)]
    entries = [CONTENT.sections[section][slug]]
    if section == "monsters":
        own += [effects["cards", card, "effect"] for card, c in cards.items() if c.monster == slug]
        entries += [c for c in cards.values() if c.monster == slug]
    else:
        names = effects["cards", slug, "effect"].named("ability")
        monster = cards[slug].monster
        own += [e for (_, k, p), e in effects.items() if k == monster and p in {f"abilities.{n}" for n in names}]
    texts = [text for entry in entries for other in entry.alternatives.values() for text in other]
    return any(n.estimated for effect in own for n in effect.numbers) or any("{" in text for text in texts)


# --- single sentences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("gain {2|1..4}", ["Gain 2 (1 to 4) points."]),
        ("gain {1|1..1}", ["Gain 1 point."]),
        ("gain {1|0..2}; draw 1", ["Gain 1 (0 to 2) points.", "Draw 1 card."]),
        ("gain 1 per your tickets up to 3", ["Gain 1 point for each ticket you have, at most 3 points."]),
        ("gain 2 per {3|2..5} your dish in rooms", ["Gain 2 points for every 3 (2 to 5) dishes you have in rooms."]),
        ("place tomb; place arm in room without your arm", ["Place your tomb in your room.",
            "Place an arm in a room with none of your arms."]),
        ("move; move your tesla-coil to any room", ["Move to a connected room.",
            "Move one of your tesla coils to any room."]),
        ("for each another room: spook in that room", ["For each other room, spook in that room."]),
        ("for each your arm: (spook in that room; gain 1)",
            ["For each of your arms and its room, spook in that room, then gain 1 point."]),
        ("if fewer than 1 your tickets: draw 1", ["If you have no tickets, draw 1 card."]),
        ("if 1 or more guests in your tomb: draw 1", ["If there is at least 1 guest in your tomb, draw 1 card."]),
        ("if 2 or more guests spooked this turn: spook", ["If you have spooked at least 2 guests this turn, spook."]),
        ("if 8 or more points behind: move",
            ["If you are at least 8 points behind the leading player, move to a connected room."]),
        ("repeat 3: spook; repeat 2: (spook; move)",
            ["Spook, 3 times.", "Do this 2 times: spook, then move to a connected room."]),
        ("may (that player draws 1; gain 1)", ["You may let that player draw 1 card, then gain 1 point."]),
        ("may for each room with guests: spook in that room",
            ["You may do this: for each room with guests, spook in that room."]),
        ("choose (spook | nothing)", ["Either spook or do nothing."]),
        ("choose (spook; move | nothing | do bite)", ["Choose one:", "  - Spook.", "    Move to a connected room.",
            "  - Nothing.", "  - Do BITE."]),
        ("do last-call; do that space", ["Do what the space Last Call says.", "Do what that space says."]),
        ("instead of play a card: nothing", ["Whenever you would play a card, do nothing instead."]),
        ("instead of move: (spook; spook; spook; spook)",
            ["Whenever you would move, do this instead:", *["  Spook."] * 4]),
        ("when you devour: once a turn: gain 1", ["Once a turn, when you devour a guest, gain 1 point."]),
        ("when you spook: (if 1 or more your tickets: spook; draw 1)",
            ["When you have spooked guests:", "  If you have at least 1 ticket, spook.", "  Draw 1 card."]),
        ("always: (your tomb are doors for all; your arm are doors for you alone)",
            ["Your tomb is a door for everybody.", "Your arms are doors for you alone."]),
        ("load haunt in slot 2; load a card in any slot", ["Load Haunt into slot 2 of your program.",
            "Load a card of your hand into any empty slot of your program."]),
    ],
)  # fmt: skip
def test_sentences(text: str, lines: list[str]) -> None:
    assert said(text) == lines


def test_numbers_and_plurals() -> None:
    assert [number(n) for n in ("+2", "{2|1..4}", "+{ 3 | 3 .. 3 }", "{0|-2..2}")] == [
        "2",
        "2 (1 to 4)",
        "3",
        "0 (-2 to 2)",
    ]
    assert [many(n, "dish", "dishes") for n in ("1", "2", "{1|0..2}")] == ["1 dish", "2 dishes", "1 (0 to 2) dishes"]
    assert [plural(w) for w in ("jar", "dish", "box", "spy", "toy", "boss", "wings")] == [
        *("jars", "dishes", "boxes", "spies", "toys", "bosses", "wings")
    ]


# --- whole pages -----------------------------------------------------------------------------------------------------


def test_a_monster_as_its_board_says_it() -> None:
    page = "\n".join(explain(CONTENT, "monsters", "deadline"))
    assert page.startswith("Deadline: advanced\nKnown from the rulebook.\n")
    assert "Figures: 8 phones\n" in page and "Tokens" not in page and "What all players" not in page
    assert (
        """
Set-up
  1. Place a phone in any room.
  2. Fill your board with phones, one on each space.
  3. Draw cards until your hand is full.

Your turn
  1. Choose one of your phones to act from.
  2. Play a card.
  3. Do ANSWER THE PHONE.
  4. Place a phone in a room with none of your phones.
  5. Draw cards until your hand is full.

  +- ANSWER THE PHONE -----------------------------------------------------------------------------------+
  | Again and again, until there is none left to choose, choose one of your phones in a room with        |
  | another monster, then return that phone to a free space of your board, then do what that space says. |
  +------------------------------------------------------------------------------------------------------+

Spaces of your board, in their order
  1. Call Waiting: Gain 1 point for each token you have returned this turn.
  2. Party Line: Draw 2 cards. That player draws 2 cards.
"""
        in page
    )
    assert "  Speed Dial (estimated)\n    Place a phone in a room with none of your phones. Play a card.\n" in page
    assert "  and the basic ones: Haunt, Consume, Mash, Search, Jumpscare\n" in page


def test_what_is_estimated_is_marked() -> None:
    page = "\n".join(explain(CONTENT, "monsters", "remover"))
    assert "but estimated: standing rules, spaces." in page and "What all players should know first (estimated)" in page
    assert "  2. Warm Up: Draw 3 cards.\n" in page and "  5. Cheat Day (estimated): Devour 2 (1 to 3) guests.\n" in page
    assert page.splitlines()[0] == "Remover: easy (inferred)"
    clown = explain(CONTENT, "monsters", "clown")
    assert clown[1:3] == ["A placeholder: the real monster's name is not public.", "All of it estimated."]


def test_cards() -> None:
    assert explain(CONTENT, "cards", "mash")[0] == "Mash: basic card, in every deck"
    flex = explain(CONTENT, "cards", "flex")
    assert flex[0] == "Flex: card of Remover" and any("+- FEARSONAL FITNESS -" in line for line in flex)
    system = "\n".join(explain(CONTENT, "cards", "guidance-system"))
    assert "    Or perhaps: Nothing.\n    Or perhaps: Move to a connected room. Draw 1 card." in system


def test_what_does_nothing_or_is_left_out() -> None:
    changed = CONTENT.changed(
        {"monsters.killtron.blank": True, "monsters.killtron.copies": 0, "cards.mash.blank": True}
    )
    page = explain(changed, "monsters", "killtron")
    assert page[1:3] == ["Not in the box.", "It does nothing (blank)."] and "  Nothing." in page
    assert "    Nothing." in explain(changed, "cards", "mash")


def test_a_node_without_words_is_refused() -> None:
    with pytest.raises(KeyError):
        Plain(CONTENT).phrase(Node(Form("dance")))
