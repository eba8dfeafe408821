"""The effect language's shared part: trees, rows, numbers, and what is refused and how."""

import re
from enum import IntEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.effects import DEEPEST, NONE, Control, Effect, Language, OpTable, Verb, refuse_circles
from simcore.errors import InputError


class Act(IntEnum):
    """Ops of a small language."""

    THROW = 1
    CLEAR = 2
    MOVE = 3
    EACH = 4
    MAY = 5
    CHOOSE = 6
    BRANCH = 7
    COVERS = 8


LANGUAGE = Language(
    "a Card",
    (
        Verb("throw {n}", Act.THROW, bounds=(1, 4)),
        Verb("clear out", Act.CLEAR, fixed=(1,)),
        Verb("clear out best of {n}", Act.CLEAR, bounds=(1, 4)),
        Verb("move [up to {n}] guest[s] [to {where:place}]", Act.MOVE, bounds=(1, 9), defaults={"n": 1}),
        Verb("covers {n}", Act.COVERS, bounds=(-20, 20), within=("until your next turn",)),
        Verb("power {n}", "power", bounds=(-5, 5), within=("always",)),
        Verb("power {n}", "boost", bounds=(1, 9), within=("once",)),
    ),
    (
        Control("for each player", Act.EACH, fixed=(0,)),
        Control("until your next turn"),
        Control("always"),
        Control("once"),
    ),
    words={"place": {"any room": 3, "any": 4, "your room": 5}},
    may=Act.MAY,
    choose=(Act.CHOOSE, Act.BRANCH),
)
FLAT = Language("an Event", LANGUAGE.verbs, LANGUAGE.controls, LANGUAGE.words, deepest=1)


def read(text: str, language: Language = LANGUAGE) -> Effect:
    return language.parse(text, "cards.toml, [sled], effect")


def rows(text: str) -> list[tuple[int, tuple[int, ...], int]]:
    table = OpTable(64)
    table.add(read(text).nodes, "here")
    return [(row.op, row.values, row.end) for row in table.rows]


# --- what is understood ---


@pytest.mark.parametrize("text", ["", "   ", "nothing", " Nothing ", "(nothing)", "nothing; nothing"])
def test_nothing_is_the_empty_effect(text: str) -> None:
    assert read(text).nodes == ()
    assert rows(text) == []


def test_clauses_become_rows() -> None:
    assert rows("clear out; throw 2; clear out best of 3") == [
        (Act.CLEAR, (1, 0), 1),
        (Act.THROW, (2, 0), 2),
        (Act.CLEAR, (3, 0), 3),
    ]


def test_case_space_and_line_breaks_do_not_matter() -> None:
    assert rows("  Clear   OUT;\n\tthrow +2 ") == rows("clear out; throw 2")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("move guest", (1, NONE)),
        ("move guests to any room", (1, 3)),
        ("move up to 3 guests to any", (3, 4)),
        ("move up to {2|1..5} guests", (2, NONE)),
    ],
)
def test_optional_parts_and_the_longest_phrase(text: str, values: tuple[int, int]) -> None:
    assert rows(text) == [(Act.MOVE, values, 1)]


def test_a_control_governs_one_clause_or_one_block() -> None:
    assert rows("for each player: clear out; throw 1") == [
        (Act.EACH, (0, 0), 2),
        (Act.CLEAR, (1, 0), 2),
        (Act.THROW, (1, 0), 3),
    ]
    assert [end for *_, end in rows("for each player: (clear out; throw 1)")] == [3, 2, 3]


def test_ends_are_absolute_in_a_shared_table() -> None:
    table = OpTable(64)
    table.add(read("throw 1").nodes, "one")
    assert table.add(read("for each player: throw 1").nodes, "two") == (1, 3)
    assert table.rows[1].end == 3


def test_a_scope_has_no_row_of_its_own() -> None:
    assert rows("until your next turn: covers +2") == [(Act.COVERS, (2, 0), 1)]
    assert rows("for each player: until your next turn: covers -2") == [(Act.EACH, (0, 0), 2), (Act.COVERS, (-2, 0), 2)]


def test_the_same_words_mean_different_things_in_two_scopes() -> None:
    found = [node.form.op for node in read("always: power -1; once: power 4").walk() if node.values]
    assert found == ["power", "boost"]


def test_may_and_choose() -> None:
    assert rows("may (throw 1; clear out)") == [
        (Act.MAY, (0, 0), 3),
        (Act.THROW, (1, 0), 2),
        (Act.CLEAR, (1, 0), 3),
    ]
    assert rows("choose (throw 1 | clear out; throw 2 | nothing); throw 3") == [
        (Act.CHOOSE, (3, 0), 7),
        (Act.BRANCH, (0, 0), 3),
        (Act.THROW, (1, 0), 3),
        (Act.BRANCH, (0, 0), 6),
        (Act.CLEAR, (1, 0), 5),
        (Act.THROW, (2, 0), 6),
        (Act.BRANCH, (0, 0), 7),
        (Act.THROW, (3, 0), 8),
    ]


def test_an_entry_adds_its_own_words() -> None:
    effect = LANGUAGE.parse("move guest to the-tomb", "here", {"place": {"the-tomb": 9}})
    assert effect.nodes[0].values == (1, 9)
    assert effect.named("place") == {"the-tomb"}


def test_rows_fill_the_fields_of_a_record() -> None:
    record = np.zeros(1, np.dtype([("op", "i8", (4,)), ("a", "i8", (4,)), ("b", "i8", (4,)), ("end", "i8", (4,))]))[0]
    table = OpTable(4)
    table.add(read("for each player: throw 3").nodes, "here")
    table.fill(record, "op", ("a", "b"), "end")
    assert [record[f].tolist() for f in ("op", "a", "b", "end")] == [[4, 1, 0, 0], [0, 3, 0, 0], [0] * 4, [2, 2, 0, 0]]


# --- numbers ---


def test_numbers_are_counted_through_the_whole_text() -> None:
    effect = read("throw +{2|1..3}; for each player: clear out best of 4; move up to 5 guests")
    assert [(n.value, n.low, n.high, n.estimated) for n in effect.numbers] == [
        (2, 1, 3, True),
        (4, 1, 4, False),
        (5, 1, 9, False),
    ]


@pytest.mark.parametrize(
    ("text", "value", "result"),
    [
        ("throw 1; throw 2", 3, "throw 3; throw 2"),
        ("throw +{2|1..4}", 3, "throw +{3|1..4}"),
        ("throw { +2 | 1 .. 4 }", 4, "throw { +4 | 1 .. 4 }"),
        ("always: power +2", -1, "always: power -1"),
        ("always: power -1", 2, "always: power 2"),
        ("always: power +2", 0, "always: power +0"),
        ("always: power +{2|-4..4}", -3, "always: power +{-3|-4..4}"),
    ],
)
def test_a_number_is_replaced_in_the_text(text: str, value: int, result: str) -> None:
    changed = read(text).with_number(1, value)
    assert changed == result
    assert read(changed).numbers[0].value == value


clause = st.one_of(
    st.integers(1, 4).map("throw {}".format),
    st.integers(1, 4).map("throw +{}".format),
    st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4)).map(sorted).map(
        lambda v: f"clear out best of {{{v[1]}|{v[0]}..{v[2]}}}"
    ),
    st.just("clear out"),
    st.just("nothing"),
    st.integers(-20, 20).map("until your next turn: covers {:+d}".format),
)  # fmt: skip
text = st.recursive(
    clause,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda c: "(" + "; ".join(c) + ")"),
        inner.map("for each player: {}".format),
        inner.map("may {}".format),
        st.lists(inner, min_size=2, max_size=3).map(lambda c: "choose (" + " | ".join(c) + ")"),
    ),
    max_leaves=6,
)


@given(st.lists(text, min_size=1, max_size=3).map("; ".join), st.data())
def test_a_changed_number_is_read_back_and_changes_nothing_else(written: str, data: st.DataObject) -> None:
    effect = read(written)
    if not effect.numbers:
        return
    k = data.draw(st.integers(1, len(effect.numbers)))
    number = effect.numbers[k - 1]
    value = data.draw(st.integers(number.low, number.high))
    changed = read(effect.with_number(k, value))
    assert [n.value for n in changed.numbers] == [value if i == k else n.value for i, n in enumerate(effect.numbers, 1)]
    assert [(n.low, n.high) for n in changed.numbers] == [(n.low, n.high) for n in effect.numbers]
    assert [n.form.pattern for n in changed.walk()] == [n.form.pattern for n in effect.walk()]
    assert read(effect.with_number(k, number.value)).nodes == effect.nodes


@given(st.lists(text, min_size=1, max_size=4).map("; ".join))
def test_blocks_nest_in_the_table(written: str) -> None:
    table = OpTable(512)
    start, end = table.add(read(written).nodes, "here")
    ends: list[int] = []
    for i, row in enumerate(table.rows):
        while ends and ends[-1] <= i:
            ends.pop()
        assert i < row.end <= (ends[-1] if ends else end)
        ends.append(row.end)
    assert (start, end) == (0, len(table.rows))


# --- what is refused ---

REFUSED = [
    ("thorw 2", "no verb 'thorw 2' in a Card (at 'thorw'); did you mean 'throw {n}'?"),
    ("throw two", "(at 'two'); did you mean 'throw {n}'?"),
    ("clear out best of", "(it ends too early); did you mean 'clear out best of {n}'?"),
    ("dance", "no verb 'dance' in a Card (at 'dance'); known: throw {n}, clear out, "),
    ("throw 5", "'throw 5': 5 is outside 1..4"),
    ("throw {2|1..9}", "'throw {2|1..9}': 9 is outside 1..4"),
    ("throw {5|1..4}", "'{5|1..4}': 5 is outside its own bounds 1..4"),
    ("throw 1.5", "'1.5' cannot be read; numbers are whole"),
    ("throw 3x", "'3x' cannot be read"),
    ("throw " + "9" * 5000, "cannot be read; numbers are whole"),
    ("throw -{2|1..4}", "'-{2|1..4}' cannot be read; an estimate is written {2|1..4}"),
    ("throw {2}", "'{2}' cannot be read; an estimate is written {2|1..4}"),
    ("throw 1, throw 1", "',' cannot be read; clauses are separated by ';'"),
    ("throw 1 & clear out", "'&' cannot be read"),
    ("move guests to an room", "'an room' is no place; did you mean 'any room'?"),
    ("move guests to mars", "'mars' is no place; known: any room, any, your room"),
    (
        "for each playr: clear out",
        "no control 'for each playr' in a Card (at 'playr'); did you mean 'for each player'?",
    ),
    ("for each player clear out", "a ':' is missing after 'for each player'"),
    ("for each player:", "a clause is missing before the end"),
    ("throw 1;", "a clause is missing before the end"),
    ("throw 1;; throw 1", "a clause is missing before ';'"),
    ("()", "a clause is missing before ')'"),
    (": throw 1", "a clause is missing before ':'"),
    ("(throw 1", "a '(' is not closed"),
    ("throw 1)", "')' without a beginning after 'throw 1'"),
    ("throw 1 | throw 2", "'|' without a beginning after 'throw 1'"),
    ("throw (1)", "'(' after 'throw': a block follows a ':' or a ';'"),
    ("choose (throw 1)", "'choose' needs two or more effects between '|'"),
    ("choose (throw 1 | throw 2", "a '(' is not closed"),
    ("may", "a clause is missing before the end"),
    ("covers +2", "'covers +2' is understood only after 'until your next turn:'"),
    ("power +2", "'power +2' is understood only after 'always:' or 'once:'"),
    ("always: throw 1", "'throw 1' is not understood after 'always:'; known there: power {n}"),
    ("(" * 60 + "throw 1" + ")" * 60, f"blocks lie more than {DEEPEST} deep in one another"),
    ("may " * 60 + "throw 1", f"blocks lie more than {DEEPEST} deep in one another"),
    (
        "for each player: " * 60 + "throw 1",
        "'for each player' stands inside another control, which a Card does not allow",
    ),
    ("__import__('os').system('x')", "'__import__' cannot be read"),
    ("{n.__class__}", "cannot be read"),
]


@pytest.mark.parametrize(("written", "said"), REFUSED, ids=[r[0][:24] for r in REFUSED])
def test_what_is_not_understood_is_refused_in_one_line(written: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        read(written)
    message = str(error.value)
    assert message.startswith("cards.toml, [sled], effect: ")
    assert said in message
    assert "\n" not in message and len(message) < 320


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("may throw 1", "'may' is not understood in an Event"),
        ("choose (throw 1 | clear out)", "'choose' is not understood in an Event"),
        ("for each player: for each player: throw 1", "which an Event does not allow"),
    ],
)
def test_a_language_says_what_it_supports(written: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        read(written, FLAT)


@given(st.text(alphabet="throw clear out best of 12+-{}|.():;,eachplyr\n", max_size=60))
def test_any_text_is_read_or_refused_in_one_line(written: str) -> None:
    try:
        effect = read(written)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert all(n.low <= n.value <= n.high for n in effect.numbers)


def test_a_full_table_is_refused_by_name() -> None:
    table = OpTable(3)
    table.add(read("throw 1; throw 1").nodes, "cards.toml, [a]")
    with pytest.raises(InputError, match=r"cards.toml, \[b\]: the effects up to here need 4 rows, and 3 fit"):
        table.add(read("throw 1; throw 1").nodes, "cards.toml, [b]")


def test_circles_are_refused_and_other_calls_are_not() -> None:
    refuse_circles({"a": ["b", "c"], "b": ["c"], "c": [], "d": ["elsewhere"]}, "kits.toml, [x]")
    with pytest.raises(InputError, match=r"kits.toml, \[x\]: \w -> \w -> \w call each other in a circle"):
        refuse_circles({"a": ["b"], "b": ["a"], "c": ["a"]}, "kits.toml, [x]")
    with pytest.raises(InputError, match=r"a -> a call each other in a circle"):
        refuse_circles({"a": ["a"]}, "x")
