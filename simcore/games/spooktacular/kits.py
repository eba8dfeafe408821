"""The monsters and the cards: their models, and from their texts to the rows of the record.

A *kit* is a monster's number in the content. Names of abilities and spaces stand in a text as their places within the
kit; the rows carry them with the kit's own first number, so that two kits with the same texts are two kits. Numbers of
cards are their places in the section. ``fill`` writes all that belongs to cards and monsters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from simcore.cards import card_id, check_fits
from simcore.content import Content, Entry
from simcore.effects import Effect, Language, Node, OpTable, refuse_circles
from simcore.errors import InputError, nearest
from simcore.games.spooktacular import layout, words
from simcore.games.spooktacular.layout import ABILITIES, NONE, Op

TIERS = ("easy", "intermediate", "advanced")
ONCE_BITS = 60  # "once a turn" effects of one monster and its cards
FIGURE = "figure"  # what the usual lone figure is called
PHONE = "phone"  # figures that the ruling phones_are_monsters is about
OWN_TEXTS = ("setup", "turn", "standing", "effect")  # names that no ability can have
_PHRASE = re.compile(r"[a-z][a-z'-]*( [a-z][a-z'-]*)*")
_WORD = re.compile(r"[a-z][a-z0-9'-]*")

# --- the sections ----------------------------------------------------------------------------------------------------


class Monster(Entry):
    """A monster: its pieces, set-up and turn steps, standing rules, named abilities and the spaces of its board."""

    effects: ClassVar[tuple[str, ...]] = ("setup", "turn", "standing", "abilities", "spaces")
    tier: Literal["easy", "intermediate", "advanced"] = Field(description="difficulty")
    placeholder: bool = Field(False, description="stands for a monster whose name is not public")
    figures: dict[str, int] = Field(description="monster figures by kind")
    tokens: dict[str, int] = Field({}, description="other pieces by kind")
    setup: str
    turn: str
    standing: str = ""
    abilities: dict[str, str] = {}
    spaces: dict[str, str] = {}

    @model_validator(mode="after")
    def _has_names(self) -> Monster:
        if not self.figures:
            raise ValueError(f"figures: a monster has one figure at least, as in {{ {FIGURE} = 1 }}")
        for kind, count in (*self.figures.items(), *self.tokens.items()):
            if not _PHRASE.fullmatch(kind):
                raise ValueError(f"{kind!r} cannot be the name of a piece, which is made of words in a-z")
            if f"your {kind}" in words.PLACES or (kind in self.figures and kind in self.tokens):
                raise ValueError(f"{kind!r} is already the name of something else; give the pieces another one")
            if not 1 <= count <= layout.PIECES:
                raise ValueError(f"{kind} = {count}: from 1 to {layout.PIECES} of a kind fit")
        for name in (*self.abilities, *self.spaces):
            if not _WORD.fullmatch(name):
                raise ValueError(f"{name!r} cannot be the name of an ability or space; it is one word in a-z, 0-9, '-'")
            if name in OWN_TEXTS or (name in self.abilities and name in self.spaces):
                raise ValueError(f"{name!r} is already the name of something else; give the ability another one")
        return self

    @property
    def kinds(self) -> dict[str, int]:
        """Pieces by kind, the figures first."""
        return {**self.figures, **self.tokens}

    @property
    def documented(self) -> bool:
        """True if what the board says is known: kit_strength leaves such a monster alone, its estimated cards too."""
        texts = ("setup", "turn", "standing", *(f"abilities.{a}" for a in self.abilities))
        texts += tuple(f"spaces.{space}" for space in self.spaces)
        return all(self.source_of(text) in ("rulebook", "published") for text in texts)

    def language(self, key: str) -> Language:
        return words.STANDING if key == "standing" else words.BOARD

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        return vocabularies(self, sections)

    def called(self, phrase: str) -> tuple[str, ...]:
        return tuple(self.spaces) if phrase == words.THAT_SPACE else (phrase,)


class Card(Entry):
    """An action card: a basic one, or a monster's own."""

    effects: ClassVar[tuple[str, ...]] = ("effect",)
    effect: str
    monster: str = Field("", description="monster that it belongs to; none: a basic card, in every deck")
    copies: int = Field(1, ge=0, le=layout.DECK, description="copies in a deck")

    def language(self, key: str) -> Language:
        return words.CARD

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        if not self.monster:
            return words.vocabularies((), {}, {})
        monsters = sections["monsters"]
        if self.monster not in monsters:
            near = nearest(self.monster, monsters)
            raise InputError(f"cards.toml, {self.name}: monster = {self.monster!r} is no monster{near}")
        return vocabularies(monsters[self.monster], sections)


def vocabularies(monster: Monster, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """The vocabularies of a monster's texts and cards; abilities and spaces by their places within the kit."""
    monsters = sections["monsters"]
    slug = next((s for s, m in monsters.items() if m is monster), None)
    if slug is None:  # a changed one, not yet among the others
        slug = next((s for s, m in monsters.items() if m.name == monster.name), "")
    own = {name: c for c, (name, card) in enumerate(sections["cards"].items()) if card.monster in ("", slug)}
    return words.vocabularies(
        monster.kinds, words.ability_numbers(0, monster.abilities, monster.spaces), own, monster.spaces
    )


def cards_of(content: Content, monster: str) -> list[str]:
    """Slugs of a monster's own cards, of the basic ones for "". Those without copies too."""
    return [slug for slug, card in content.sections["cards"].items() if card.monster == monster]


# --- the record -----------------------------------------------------------------------------------------------------


def fill(rules: Any, content: Content, phones_are_monsters: bool) -> None:
    """Write cards, monsters and their compiled texts into a rules record. Raises InputError."""
    compiler = _Compiler(rules, content)
    compiler.cards("")
    for kit, slug in enumerate(content.sections["monsters"]):
        compiler.monster(kit, slug, phones_are_monsters)
        compiler.cards(slug)
    compiler.finish()


class _Compiler:
    """One record being filled with texts. "Once a turn" bits of the basic cards come before those of a monster."""

    def __init__(self, rules: Any, content: Content) -> None:
        self.rules, self.content = rules, content
        self.monsters: Mapping[str, Monster] = content.sections["monsters"]
        self.all_cards: Mapping[str, Card] = content.sections["cards"]
        check_fits("monsters", len(self.monsters), layout.KITS)
        check_fits("different cards", len(self.all_cards), layout.CARDS)
        self.table = OpTable(layout.OPS, width=4)
        self.basic_once = self.once = 0
        self.scaled: list[int] = []
        rules["kits"], rules["cards"] = len(self.monsters), len(self.all_cards)
        rules["component_card"] = rules["kit_card"] = rules["room_kind"] = rules["door_kind"] = NONE
        rules["piece_kind"] = NONE
        if not any(not card.monster and card.copies for card in self.all_cards.values()):
            raise InputError("cards.toml: one basic card at least is needed")

    # --- texts -------------------------------------------------------------------------------------------------------

    def text(self, section: str, slug: str, path: str) -> Effect:
        """An effect text; that of a blank entry says nothing."""
        return Effect("") if self.content.sections[section][slug].blank else self.content.effects[section, slug, path]

    def add(self, nodes: tuple[Node, ...], kit: int, where: str, scaled: bool) -> tuple[int, int]:
        """Compile nodes; names of abilities get the kit's own numbers, "once a turn" its bit."""
        start, end = self.table.add(nodes, where)
        for at in range(start, end):
            row = self.table.rows[at]
            a, b, c, d = row.values
            if row.op == Op.DO and a != NONE:
                a += ABILITIES * kit
            elif row.op == Op.PUT and b != NONE:
                b += ABILITIES * kit
            elif row.op == Op.ONCE:
                if self.once == ONCE_BITS:
                    raise InputError(f"{where}: more than {ONCE_BITS} times 'once a turn' in one monster and its cards")
                a, self.once = self.once, self.once + 1
            self.table.rows[at] = replace(row, values=(a, b, c, d))
        self.scaled += range(start, end) if scaled else ()
        return start, end

    def rows(self, section: str, slug: str, path: str, kit: int) -> tuple[int, int]:
        """The rows of a text."""
        where = f"{self.content.where(section, slug)}, {path}"
        entry, effect = self.content.sections[section][slug], self.text(section, slug, path)
        monster = slug if section == "monsters" else entry.monster
        estimated = bool(monster) and entry.source_of(path) == "estimated"
        return self.add(effect.nodes, kit, where, estimated and not self.monsters[monster].documented)

    # --- cards -------------------------------------------------------------------------------------------------------

    def cards(self, monster: str) -> None:
        """Compile the basic cards, or a monster's own."""
        rules = self.rules
        kit = list(self.monsters).index(monster) if monster else 0
        for c, (slug, card) in enumerate(self.all_cards.items()):
            if card.monster == monster:
                rules["card_start"][c], rules["card_end"][c] = self.rows("cards", slug, "effect", kit)
                rules["card_basic"][c] = not monster
                effect = self.text("cards", slug, "effect")
                rules["bot_chases_guests"][c] = any(node.form.op == Op.SPOOK for node in effect.walk())
                rules["card_uncopied"][c] = self.uncopied(monster, effect)
        if not monster:
            self.basic_once = self.once

    def uncopied(self, monster: str, effect: Effect) -> bool:
        """True if a card cannot be copied: it, or an ability that it does, copies a card, or names a piece of the
        monster's own beyond its first kind of figure, which the copier has not got [P23]."""
        kit = self.monsters[monster] if monster else None
        others = list(kit.kinds)[1:] if kit else []
        for node in effect.walk():
            if node.form.op == Op.COPY:
                return True
            if any(re.search(rf"\b{kind}\b", said) for kind in others for said in node.said.values()):
                return True
        called = [name for name in effect.named("ability") if kit and name in kit.abilities]
        return any(self.uncopied(monster, self.text("monsters", monster, f"abilities.{name}")) for name in called)

    def deck(self, kit: int, monster: str) -> None:
        """A monster's deck. Keys of its own cards do not tell the monster, so that equal kits shuffle alike."""
        numbers = {slug: c for c, slug in enumerate(self.all_cards)}
        deck: list[tuple[int, int]] = []
        for slug in cards_of(self.content, ""):
            deck += [(numbers[slug], card_id("cards", slug, copy)) for copy in range(self.all_cards[slug].copies)]
        for place, slug in enumerate(cards_of(self.content, monster)):
            copies = range(self.all_cards[slug].copies)
            deck += [(numbers[slug], card_id("unique", str(place), copy)) for copy in copies]
        check_fits(f"cards in the deck of {monster}", len(deck), layout.DECK)
        self.rules["kit_cards"][kit] = len(deck)
        for i, (card_number, key) in enumerate(deck):
            self.rules["kit_card"][kit, i], self.rules["kit_card_id"][kit, i] = card_number, key

    # --- monsters ----------------------------------------------------------------------------------------------------

    def monster(self, kit: int, slug: str, phones_are_monsters: bool) -> None:
        """One monster: pieces, deck, and all its texts."""
        rules, monster = self.rules, self.monsters[slug]
        self.once = self.basic_once
        rules["kit_id"][kit] = card_id("monsters", slug, 0)
        rules["kit_in_box"][kit] = monster.copies > 0
        rules["kit_tier"][kit] = TIERS.index(monster.tier)
        self.pieces(kit, slug, phones_are_monsters)
        self.deck(kit, slug)
        for key in ("setup", "turn"):
            rules[f"{key}_start"][kit], rules[f"{key}_end"][kit] = self.rows("monsters", slug, key, kit)
        named = [f"abilities.{name}" for name in monster.abilities] + [f"spaces.{name}" for name in monster.spaces]
        check_fits(f"abilities and spaces of {slug}", len(named), ABILITIES)
        for i, path in enumerate(named):
            number = ABILITIES * kit + i
            rules["ability_start"][number], rules["ability_end"][number] = self.rows("monsters", slug, path, kit)
        rules["space_first"][kit] = ABILITIES * kit + len(monster.abilities)
        rules["spaces"][kit] = len(monster.spaces)
        self.standing(kit, slug)
        self.refuse_circles(slug)

    def refuse_circles(self, slug: str) -> None:
        """Refuse abilities that call each other in a circle over the space of a token, found out in play."""
        monster = self.monsters[slug]
        calls: dict[str, set[str]] = {}
        for path in ("setup", "turn", "standing", *(f"abilities.{a}" for a in monster.abilities)):
            calls[path.rpartition(".")[2]] = self.called(monster, self.text("monsters", slug, path))
        calls.update({s: self.called(monster, self.text("monsters", slug, f"spaces.{s}")) for s in monster.spaces})
        refuse_circles(calls, self.content.where("monsters", slug))

    def called(self, monster: Monster, effect: Effect) -> set[str]:
        """Abilities and spaces that a text may do."""
        found = {name for node in effect.walk() if node.form.op == Op.DO for name in monster.called(node.said["what"])}
        return found.union(monster.spaces if any(node.form.op == Op.DO_SPACE for node in effect.walk()) else ())

    def pieces(self, kit: int, slug: str, phones_are_monsters: bool) -> None:
        """Pieces of a kind lie together, the figures first."""
        rules, monster = self.rules, self.monsters[slug]
        check_fits(f"kinds of piece of {slug}", len(monster.kinds), layout.KINDS)
        check_fits(f"pieces of {slug}", sum(monster.kinds.values()), layout.PIECES)
        first = 0
        for k, (kind, count) in enumerate(monster.kinds.items()):
            rules["kind_first"][kit, k], rules["kind_count"][kit, k] = first, count
            rules["piece_kind"][kit, first : first + count] = k
            figure = kind in monster.figures and (kind != PHONE or phones_are_monsters)
            rules["piece_figure"][kit, first : first + count] = figure
            first += count
        rules["kit_pieces"][kit] = first

    def standing(self, kit: int, slug: str) -> None:
        """Standing rules: what triggers, what is replaced, and what always holds."""
        rules = self.rules
        where = f"{self.content.where('monsters', slug)}, standing"
        effect = self.text("monsters", slug, "standing")
        monster = self.monsters[slug]
        scaled = monster.source_of("standing") == "estimated" and not monster.documented
        for node in effect.nodes:
            inner = [below for child in node.body for below in child.walk()]
            for below in inner:
                if below.form.op in (Op.WHEN, Op.INSTEAD) or (below.form.op is None and below.form.pattern == "always"):
                    raise InputError(f"{where}: {below.form.pattern!r} stands inside {node.form.pattern!r}")
            if node.form.op == Op.WHEN:
                self.trigger(kit, slug, node, where, scaled)
            elif node.form.op == Op.INSTEAD:
                rule = node.values[0]
                if rules["instead"][kit] >> rule & 1:
                    raise InputError(f"{where}: {node.said['rule']!r} is replaced twice")
                rules["instead"][kit] |= 1 << rule
                rows = self.add(node.body, kit, where, scaled)
                rules["instead_start"][kit, rule], rules["instead_end"][kit, rule] = rows
            elif node.form.op is None and node.form.pattern == "always":
                for always in node.body:
                    self.always(kit, slug, always, where)
            else:
                raise InputError(
                    f"{where}: {node.form.pattern!r} stands outside 'when ...:', 'instead of ...:' and 'always:'"
                )
        barred = bool(rules["bar"][kit].any())
        rules["changes_theater"][kit] = (
            barred or int(rules["room_kind"][kit]) != NONE or int(rules["door_kind"][kit]) != NONE
        )

    def trigger(self, kit: int, slug: str, node: Node, where: str, scaled: bool) -> None:
        rules, t = self.rules, int(self.rules["triggers"][kit])
        count = sum(other.form.op == Op.WHEN for other in self.text("monsters", slug, "standing").nodes)
        check_fits(f"triggered effects of {slug}", count, layout.TRIGGERS)
        rules["triggers"][kit] = t + 1
        rules["trigger_what"][kit, t], rules["trigger_when"][kit, t] = node.values
        rows = self.add(node.body, kit, where, scaled)
        rules["trigger_start"][kit, t], rules["trigger_end"][kit, t] = rows

    def always(self, kit: int, slug: str, node: Node, where: str) -> None:
        rules = self.rules
        if node.form.op == Op.BAR:
            place, bar = node.values
            if rules["bar"][kit, bar] not in (0, place + 1):
                raise InputError(f"{where}: {node.form.pattern!r} is said of two places")
            rules["bar"][kit, bar] = place + 1
            return
        if node.form.op not in (Op.EXTRA_ROOM, Op.DOORS):
            raise InputError(f"{where}: {node.form.pattern!r} cannot hold always")
        field, kind = ("room_kind" if node.form.op == Op.EXTRA_ROOM else "door_kind"), node.values[0]
        if rules[field][kit] not in (NONE, kind):
            raise InputError(f"{where}: {node.form.pattern!r} is said of two kinds of piece")
        rules[field][kit] = kind
        if node.form.op == Op.DOORS:
            rules["doors_for_all"][kit] = node.values[1]
        elif rules["kind_count"][kit, kind] > 1:
            name = list(self.monsters[slug].kinds)[kind]
            raise InputError(f"{where}: {int(rules['kind_count'][kit, kind])} {name}: only a lone piece can be a room")

    def finish(self) -> None:
        """Write the rows."""
        self.table.fill(self.rules, "op", ("op_a", "op_b", "op_c", "op_d"), "op_end")
        self.rules["op_scaled"][self.scaled] = 1
