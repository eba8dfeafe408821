"""The effect language's shared part: from a card's text to a small tree, and from the tree to rows of an op table.

Grammar (``docs/effect-language.md`` shows it with examples)::

    effect  := "" | clause (";" clause)*
    clause  := "nothing"
             | "(" effect ")"                           a block: counts as one clause
             | "may" clause                             the player may decline
             | "choose" "(" effect ("|" effect)+ ")"    one of them, the player's choice
             | control ":" clause                       the control governs one clause, or one block
             | verb
    number  := 2 | +2 | -1 | {2|1..4}                   the last is an estimate with its plausible bounds

Each game owns its words: a ``Language`` lists the patterns of its verbs and controls, and the vocabularies (places,
pieces, names of abilities) that their slots take. A pattern is words, ``{n}`` (a number), ``{where:place}`` (a word or
phrase of the vocabulary "place") and ``[optional parts]``. A control with an op becomes a row whose ``end`` says
how far it reaches; one without is a scope (``always:``, ``once:``), in which only the verbs made for it are known.
Nothing is evaluated here and nothing recurses later: rows are plain numbers.

The k-th number of a text, from 1, has the path ``<section>.<entry>.<key>.<k>``; ``Effect.with_number`` rewrites it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, NoReturn

from simcore.errors import InputError, nearest

NONE = -1  # value of a slot that an optional part left out
DEEPEST = 12  # blocks inside blocks
NOTHING = "nothing"

_TOKEN = re.compile(
    r"\s*(?:(?P<estimate>\+?\{\s*[+-]?\d{1,6}\s*\|\s*[+-]?\d{1,6}\s*\.\.\s*[+-]?\d{1,6}\s*\})"
    r"|(?P<number>[+-]?\d{1,6}(?![\w.]))"
    r"|(?P<word>[A-Za-z][\w'-]*)"
    r"|(?P<mark>[;:()|]))",
    re.ASCII,
)
_ESTIMATE = re.compile(r"\+?\{\s*([+-]?\d+)\s*\|\s*([+-]?\d+)\s*\.\.\s*([+-]?\d+)\s*\}")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


@dataclass(frozen=True)
class Form:
    """A pattern and what it compiles to.

    `op` is a row's op, or (for effects that are no rows) the name of what they fill. The row's values are the slots in
    the order of the pattern (left-out ones take `defaults`, else NONE), then `fixed`. `bounds`: of its numbers, for all
    or by slot.
    """

    pattern: str
    op: int | str | None = None
    fixed: tuple[int, ...] = ()
    bounds: tuple[int, int] | Mapping[str, tuple[int, int]] = (0, 99)
    defaults: Mapping[str, int] = field(default_factory=dict)
    within: tuple[str, ...] = ()  # scopes that it belongs to; none: it stands outside scopes
    meaning: str = ""

    def bounds_of(self, slot: str) -> tuple[int, int]:
        """Inclusive bounds of a number."""
        return self.bounds.get(slot, (0, 99)) if isinstance(self.bounds, Mapping) else self.bounds

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots, in the order of the pattern."""
        return tuple(name for name, _ in _SLOT.findall(self.pattern))

    @cached_property
    def variants(self) -> tuple[tuple[tuple[str, str, str], ...], ...]:
        """The pattern with and without each optional part, as ("word", word, "") and ("slot", name, vocabulary)."""
        texts = [self.pattern]
        while any("[" in t for t in texts):
            texts = [
                t[: t.index("[")] + part + t[t.index("]") + 1 :]
                for t in texts
                for part in (t[t.index("[") + 1 : t.index("]")], "")
            ]
        return tuple(tuple(_element(part) for part in text.split()) for text in dict.fromkeys(texts))


class Verb(Form):
    """What happens: a clause of its own."""


class Control(Form):
    """What governs a clause: written before it with a colon. Without an op it is a scope."""


def _element(part: str) -> tuple[str, str, str]:
    slot = _SLOT.fullmatch(part)
    return ("slot", slot[1], slot[2] or "") if slot else ("word", part.lower(), "")


@dataclass(frozen=True)
class Number:
    """One number of a text: value, inclusive bounds, whether it is an estimate, and where it stands."""

    value: int
    low: int
    high: int
    estimated: bool
    span: tuple[int, int]  # of the digits with their sign


@dataclass(frozen=True)
class Node:
    """One clause: its form, the values of its row, what the slots said, and the clauses that it governs."""

    form: Form
    values: tuple[int, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    body: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for node in self.body:
            yield from node.walk()


@dataclass(frozen=True)
class Effect:
    """A parsed text."""

    text: str
    nodes: tuple[Node, ...] = ()
    numbers: tuple[Number, ...] = ()

    def walk(self) -> Iterator[Node]:
        """All nodes."""
        for node in self.nodes:
            yield from node.walk()

    def named(self, vocabulary: str) -> frozenset[str]:
        """The words of a vocabulary that the text uses (which abilities it calls, for instance)."""
        found = set()
        for node in self.walk():
            for name, kind in _SLOT.findall(node.form.pattern):
                if kind == vocabulary and name in node.said:
                    found.add(node.said[name])
        return frozenset(found)

    def with_number(self, k: int, value: int) -> str:
        """The text with its k-th number (from 1) replaced; sign and bounds stay as they are written."""
        start, end = self.numbers[k - 1].span
        sign = "+" if self.text[start] == "+" and value >= 0 else ""
        return f"{self.text[:start]}{sign}{value}{self.text[end:]}"


@dataclass(frozen=True)
class _Token:
    kind: str  # word, number, mark
    text: str
    start: int
    end: int
    number: int = NONE  # index into the numbers


@dataclass(frozen=True)
class Language:
    """The words that one kind of card of one game understands. `name` reads after "in": "a Modifier", "an Event"."""

    name: str
    verbs: tuple[Verb, ...]
    controls: tuple[Control, ...] = ()
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # vocabulary -> phrase -> value
    may: int | None = None  # op of "may", None: not understood
    choose: tuple[int, int] | None = None  # ops of "choose" and of each branch
    deepest: int = DEEPEST  # controls inside controls
    calls: tuple[str, ...] = ()  # vocabularies whose words are effects of the same entry: no circles allowed

    def parse(self, text: str, where: str, words: Mapping[str, Mapping[str, int]] | None = None) -> Effect:
        """The effect that `text` says; `words` adds an entry's own vocabularies. InputErrors begin with `where`."""
        return _Parser(self, text, where, {**self.words, **(words or {})}).effect()


class _Parser:
    """One text being read."""

    def __init__(self, language: Language, text: str, where: str, words: Mapping[str, Mapping[str, int]]) -> None:
        self.language, self.text, self.where, self.words = language, text, where, words
        self.numbers: list[Number] = []
        self.tokens = self.tokenize()
        self.at = 0

    def fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.where}: {message}")

    def tokenize(self) -> list[_Token]:
        tokens, at, text = [], 0, self.text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                rest = text[at:].lstrip()
                word = re.split(r"[\s;:()]", rest)[0] or rest[0]
                hint = ""
                if rest.startswith(","):
                    word, hint = ",", "; clauses are separated by ';'"
                elif "{" in word:
                    hint = "; an estimate is written {2|1..4}"
                elif word[:1].isdigit() or word[:2].strip("+-")[:1].isdigit():
                    hint = "; numbers are whole: 2, +2, -1 or {2|1..4}"
                self.fail(f"{_short(word)!r} cannot be read{hint}")
            kind = str(match.lastgroup)
            start, end = match.span(kind)
            if kind == "word" or kind == "mark":
                tokens.append(_Token(kind, match[kind].lower(), start, end))
            else:
                tokens.append(
                    _Token("number", match[kind], start, end, self.read_number(kind, match[kind], start, end))
                )
            at = match.end()
        return tokens

    def read_number(self, kind: str, written: str, start: int, end: int) -> int:
        if kind == "number":
            self.numbers.append(Number(int(written), -(10**6), 10**6, False, (start, end)))
        else:
            match = _ESTIMATE.fullmatch(written)
            assert match is not None
            value, low, high = (int(match[i]) for i in (1, 2, 3))
            if not low <= value <= high:
                self.fail(f"{written!r}: {value} is outside its own bounds {low}..{high}")
            self.numbers.append(Number(value, low, high, True, (start + match.start(1), start + match.end(1))))
        return len(self.numbers) - 1

    # --- structure ---------------------------------------------------------------------------------------------------

    def peek(self) -> str:
        """The mark that comes next, "" at the end, the token's text otherwise."""
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def effect(self) -> Effect:
        nodes: tuple[Node, ...] = ()
        if self.tokens:
            nodes = self.sequence("", 0, 0)
            if self.at < len(self.tokens):
                self.fail(
                    f"{self.peek()!r} without a beginning after {self.text[: self.tokens[self.at].start].strip()!r}"
                )
        return Effect(self.text, nodes, tuple(self.numbers))

    def sequence(self, scope: str, depth: int, controls: int) -> tuple[Node, ...]:
        if depth > DEEPEST:
            self.fail(f"blocks lie more than {DEEPEST} deep in one another")
        nodes = list(self.clause(scope, depth, controls))
        while self.peek() == ";":
            self.at += 1
            nodes += self.clause(scope, depth, controls)
        return tuple(nodes)

    def block(self, scope: str, depth: int, controls: int) -> tuple[Node, ...]:
        self.at += 1
        nodes = self.sequence(scope, depth + 1, controls)
        self.close()
        return nodes

    def close(self) -> None:
        if self.peek() != ")":
            self.fail("a '(' is not closed")
        self.at += 1

    def clause(self, scope: str, depth: int, controls: int) -> tuple[Node, ...]:
        if depth > DEEPEST:
            self.fail(f"blocks lie more than {DEEPEST} deep in one another")
        if self.peek() == "(":
            return self.block(scope, depth, controls)
        head = self.head()
        following = self.peek()
        if head and head[0].text == "may":
            if self.language.may is None:
                self.fail(f"'may' is not understood in {self.language.name}")
            self.at -= len(head) - 1
            return (Node(Control("may", self.language.may), body=self.clause(scope, depth + 1, controls)),)
        if len(head) == 1 and head[0].text == "choose" and following == "(":
            return (self.choice(scope, depth, controls),)
        if not head:
            found = f"{following!r}" if following else "the end"
            self.fail(f"a clause is missing before {found}")
        if following == ":":
            self.at += 1
            if controls >= self.language.deepest:
                said = _said(self.text, head)
                self.fail(f"{said!r} stands inside another control, which {self.language.name} does not allow")
            form, values, words = self.bind(head, self.language.controls, "control", scope)
            inner = form.pattern if form.op is None else scope
            body = self.clause(inner, depth + 1, controls + 1)
            return (Node(form, values, words, body),)
        if following == "(":
            self.fail(f"'(' after {_said(self.text, head)!r}: a block follows a ':' or a ';'")
        if len(head) == 1 and head[0].text == NOTHING:
            return ()
        form, values, words = self.bind(head, self.language.verbs, "verb", scope)
        return (Node(form, values, words),)

    def head(self) -> list[_Token]:
        """The words and numbers up to the next mark."""
        start = self.at
        while self.at < len(self.tokens) and self.tokens[self.at].kind != "mark":
            self.at += 1
        return self.tokens[start : self.at]

    def choice(self, scope: str, depth: int, controls: int) -> Node:
        if self.language.choose is None:
            self.fail(f"'choose' is not understood in {self.language.name}")
        choose, branch = self.language.choose
        self.at += 1
        branches = [self.sequence(scope, depth + 1, controls)]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.sequence(scope, depth + 1, controls))
        self.close()
        if len(branches) < 2:
            self.fail("'choose' needs two or more effects between '|'")
        body = tuple(Node(Control("|", branch), body=nodes) for nodes in branches)
        return Node(Control("choose", choose), (len(body),), body=body)

    # --- words -------------------------------------------------------------------------------------------------------

    def bind(
        self, head: Sequence[_Token], forms: Sequence[Form], kind: str, scope: str
    ) -> tuple[Form, tuple[int, ...], dict[str, str]]:
        """The form that `head` matches, its row's values, and what its slots said."""
        furthest = (0, "")
        elsewhere: list[Form] = []  # what fits but belongs to other scopes
        for form in forms:
            for variant in form.variants:
                found = self.match(variant, head)
                if isinstance(found, tuple):
                    furthest = max(furthest, found)
                elif _belongs(form, scope):
                    return form, self.values(form, found, head), {k: v for k, (v, _) in found.items()}
                else:
                    elsewhere.append(form)
        if elsewhere:
            self.misplaced(head, elsewhere, forms, scope)
        self.unknown(head, forms, kind, scope, *furthest)

    def match(
        self, variant: Sequence[tuple[str, str, str]], head: Sequence[_Token], i: int = 0, k: int = 0
    ) -> dict[str, tuple[str, int]] | tuple[int, str]:
        """What the slots say (phrase, and its value or the number's index), from element i and token k on.

        Where the variant does not fit: how many tokens did, and the vocabulary that lacks the next one.
        """
        if i == len(variant) or k == len(head):
            return {} if i == len(variant) and k == len(head) else (k, "")
        kind, name, vocabulary = variant[i]
        token = head[k]
        if kind == "word":
            return self.match(variant, head, i + 1, k + 1) if token.text == name else (k, "")
        if not vocabulary:
            rest = self.match(variant, head, i + 1, k + 1) if token.kind == "number" else (k, "")
            return rest if isinstance(rest, tuple) else {name: (token.text, token.number), **rest}
        furthest = (k, vocabulary)
        known = self.words.get(vocabulary, {})
        for end in range(len(head), k, -1):  # the longest phrase first
            phrase = " ".join(t.text for t in head[k:end])
            if phrase in known:
                rest = self.match(variant, head, i + 1, end)
                if not isinstance(rest, tuple):
                    return {name: (phrase, known[phrase]), **rest}
                furthest = max(furthest, rest)
        return furthest

    def values(self, form: Form, found: Mapping[str, tuple[str, int]], head: Sequence[_Token]) -> tuple[int, ...]:
        """The row's values; the form's bounds are applied to its numbers."""
        row = []
        kinds = dict(_SLOT.findall(form.pattern))
        for slot in form.slots:
            if slot not in found:
                row.append(form.defaults.get(slot, NONE))
            elif kinds[slot]:
                row.append(found[slot][1])
            else:
                index = found[slot][1]
                number, (low, high) = self.numbers[index], form.bounds_of(slot)
                worst = next((v for v in (number.value, number.low, number.high) if not low <= v <= high), None)
                if worst is not None and (number.estimated or worst == number.value):
                    self.fail(f"{_said(self.text, head)!r}: {worst} is outside {low}..{high}")
                if not number.estimated:
                    self.numbers[index] = Number(number.value, low, high, False, number.span)
                row.append(number.value)
        return (*row, *form.fixed)

    def misplaced(
        self, head: Sequence[_Token], elsewhere: Sequence[Form], forms: Sequence[Form], scope: str
    ) -> NoReturn:
        said = _said(self.text, head)
        scopes = dict.fromkeys(w for form in elsewhere for w in form.within)
        if scopes:
            self.fail(f"{said!r} is understood only after {' or '.join(repr(w + ':') for w in scopes)}")
        known = ", ".join(self.shown(f) for f in forms if _belongs(f, scope))
        self.fail(f"{said!r} is not understood after {scope + ':'!r}; known there: {known}")

    def unknown(
        self, head: Sequence[_Token], forms: Sequence[Form], kind: str, scope: str, furthest: int, vocabulary: str
    ) -> NoReturn:
        """No form fits: say where the text leaves the nearest one."""
        said, name = _said(self.text, head), self.language.name
        if kind == "verb":
            for end in range(len(head), 0, -1):
                fits = (self.match(v, head[:end]) for f in self.language.controls for v in f.variants)
                if any(not isinstance(found, tuple) for found in fits):
                    self.fail(f"a ':' is missing after {_said(self.text, head[:end])!r}")
        if vocabulary and furthest < len(head):
            rest = _said(self.text, head[furthest:])
            near = nearest(rest.lower(), self.words.get(vocabulary, {}))
            self.fail(f"no {kind} {said!r} in {name}: {rest!r} is no {vocabulary}{near}")
        known = [f for f in forms if _belongs(f, scope)] or list(forms)
        if not known:
            self.fail(f"no {kind} {said!r} in {name}, which has no {kind}s")
        at = f"at {_said(self.text, head[furthest : furthest + 1])!r}" if furthest < len(head) else "it ends too early"
        best = max(known, key=lambda form: _likeness(form, " ".join(t.text for t in head)))
        if _likeness(best, " ".join(t.text for t in head)) > 0.9:
            self.fail(f"no {kind} {said!r} in {name} ({at}); did you mean {self.shown(best)!r}?")
        listed = ", ".join(dict.fromkeys(self.shown(f) for f in known[:12])) + (", ..." if len(known) > 12 else "")
        self.fail(f"no {kind} {said!r} in {name} ({at}); known: {listed}")

    def shown(self, form: Form) -> str:
        """A pattern for people: short vocabularies are spelt out."""

        def slot(match: re.Match[str]) -> str:
            words = self.words.get(match[2] or "", {})
            return "|".join(words) if 0 < len(words) <= 4 else f"{{{match[2] or match[1]}}}"

        return _SLOT.sub(slot, form.pattern)


def _likeness(form: Form, text: str) -> float:
    """How near a text comes to a pattern, 0..2: as a whole, and its first word."""
    plain = _SLOT.sub(lambda m: m[1] if m[2] else "1", form.pattern.replace("[", "").replace("]", ""))
    first = SequenceMatcher(None, text.split()[0], plain.split()[0]).ratio()
    return SequenceMatcher(None, text, plain).ratio() + first


def _belongs(form: Form, scope: str) -> bool:
    return scope in form.within if scope else not form.within


def _said(text: str, head: Sequence[_Token]) -> str:
    return _short(" ".join(text[head[0].start : head[-1].end].split()))


def _short(words: str) -> str:
    return words if len(words) <= 60 else words[:57] + "..."


# --- tables ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One row of an op table. `end` is the row after the last one that a control governs; for a verb, the next row."""

    op: int
    values: tuple[int, ...]
    end: int


class OpTable:
    """Rows of compiled effects, within a capacity; `width` is how many values a row has."""

    def __init__(self, capacity: int, width: int = 2) -> None:
        self.capacity, self.width = capacity, width
        self.rows: list[Row] = []

    def add(self, nodes: Iterable[Node], where: str) -> tuple[int, int]:
        """Append an effect's nodes; first row and the row after the last. Raises InputError where they do not fit."""
        start = len(self.rows)
        for node in nodes:
            self._add(node)
        if len(self.rows) > self.capacity:
            raise InputError(f"{where}: the effects up to here need {len(self.rows)} rows, and {self.capacity} fit")
        return start, len(self.rows)

    def _add(self, node: Node) -> None:
        if node.form.op is None:  # a scope has no row of its own
            for inner in node.body:
                self._add(inner)
            return
        if not isinstance(node.form.op, int) or len(node.values) > self.width:
            raise TypeError(f"{node.form.pattern!r} is no row of this table")
        at = len(self.rows)
        values = (*node.values, *[0] * (self.width - len(node.values)))
        self.rows.append(Row(int(node.form.op), values, at + 1))
        for inner in node.body:
            self._add(inner)
        self.rows[at] = Row(int(node.form.op), values, len(self.rows))

    def fill(self, record: Any, op: str, columns: Sequence[str], end: str) -> None:
        """Write the rows into a record's fields of these names."""
        for i, row in enumerate(self.rows):
            record[op][i], record[end][i] = row.op, row.end
            for column, value in zip(columns, row.values, strict=True):
                record[column][i] = value


def refuse_circles(calls: Mapping[str, Iterable[str]], where: str) -> None:
    """Raise InputError if named effects call each other in a circle (they would never end)."""
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise InputError(f"{where}: {circle} call each other in a circle and would never end") from None
