"""A monster or a card in plain words: what its board or card would print, with what is estimated marked as such."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from simcore.content import Content
from simcore.effects import Effect, Node
from simcore.games.spooktacular.kits import Card, Monster, cards_of
from simcore.games.spooktacular.plain import Plain, many, plural, spoken, title, upper

WIDTH = 100
KNOWN = {
    "rulebook": "known from the rulebook",
    "published": "known from what has been published",
    "inferred": "inferred from what is known",
    "estimated": "all of it estimated",
}
KEYS = {"setup": "set-up", "standing": "standing rules", "tier": "difficulty", "turn": "turn steps"}
RANGES = "A number in brackets says what else an estimate could plausibly be: 2 (1 to 4)."

_RANGE = re.compile(r"\d \(-?\d+ +to +-?\d+\)")


def explain(content: Content, section: str, slug: str) -> list[str]:
    """The lines that explain an entry; none for entries that do nothing."""
    entry = content.sections[section][slug]
    if isinstance(entry, Monster):
        lines = _Page(content, entry, slug).monster()
    elif isinstance(entry, Card):
        lines = _Page(content, content.sections["monsters"].get(entry.monster), entry.monster).card(slug, entry)
    else:
        return []
    return [*lines, *(("", RANGES) if _RANGE.search(" ".join(lines)) else ())]


def _wrapped(text: str, first: str = "", indent: int = 0) -> list[str]:
    """A line broken to the width; `first` stands before it, and the other lines are indented below its own blanks."""
    blanks = len(text) - len(text.lstrip())
    inner = blanks + (2 if text.lstrip().startswith("- ") else 0)
    start = " " * indent + first
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=start + " " * blanks, subsequent_indent=" " * (len(start) + inner)
    )


def _mark(entry: Monster | Card, key: str) -> str:
    source = entry.source_of(key)
    return f" ({source})" if source in ("inferred", "estimated") else ""


class _Page:
    """What is said about one monster (or, without one, about a basic card)."""

    def __init__(self, content: Content, monster: Monster | None, slug: str) -> None:
        self.content, self.entry, self.slug = content, monster, slug
        self.plain = Plain(content, monster)

    # --- texts -------------------------------------------------------------------------------------------------------

    def effect(self, section: str, slug: str, path: str) -> Effect:
        if self.content.sections[section][slug].blank:
            return Effect("")
        return self.content.effects[section, slug, path]

    def own(self, path: str) -> Effect:
        """A text of the monster."""
        return self.effect("monsters", self.slug, path)

    def paragraph(self, nodes: Sequence[Node]) -> list[str]:
        """Clauses as sentences in one line, as far as none needs lines of its own."""
        lines = self.plain.lines(nodes) or ["Nothing."]
        found: list[str] = []
        for line in lines:
            inside = line.startswith(" ") or line.endswith(":")
            if found and not inside and found[-1].endswith(".") and not found[-1].startswith(" "):
                found[-1] += f" {line}"
            else:
                found.append(line)
        return found

    def numbered(self, effect: Effect) -> list[str]:
        """Top-level clauses as steps."""
        found: list[str] = []
        for n, node in enumerate(effect.nodes, 1):
            first, *more = self.plain.lines([node])
            found += _wrapped(first, f"{n}. ", 2)
            for line in more:
                found += _wrapped(line, "", 5)
        return found or ["  Nothing."]

    def bullets(self, effect: Effect) -> list[str]:
        """Standing rules one by one."""
        found: list[str] = []
        for line in self.plain.lines(effect.nodes):
            found += _wrapped(line, "" if line.startswith(" ") else "- ", 4 if line.startswith(" ") else 2)
        return found

    def instead(self, entry: Monster | Card, key: str) -> list[str]:
        """What a text could plausibly say as well."""
        found = []
        for text in entry.alternatives.get(key, ()):
            effect = entry.language(key.partition(".")[0]).parse(text, key, entry.words(self.content.sections))
            found.append(f"Or perhaps: {' '.join(line.strip() for line in self.paragraph(effect.nodes))}")
        return found

    def box(self, name: str) -> list[str]:
        """A named ability as the board prints it."""
        assert self.entry is not None
        heading = f"{title(name).upper()}{_mark(self.entry, f'abilities.{name}')}"
        lines = self.paragraph(self.own(f"abilities.{name}").nodes) + self.instead(self.entry, f"abilities.{name}")
        inside = [part for line in lines for part in _wrapped(line, "", 0)]
        wide = max(len(heading) + 2, *(len(line) for line in inside))
        top = f"  +- {heading} {'-' * (wide - len(heading) - 1)}+"
        return [top, *(f"  | {line:<{wide}} |" for line in inside), f"  +{'-' * (wide + 2)}+"]

    # --- pages -------------------------------------------------------------------------------------------------------

    def card_lines(self, slug: str, card: Card) -> list[str]:
        """A card's text below its name."""
        copies = f", {card.copies} copies" if card.copies != 1 else ""
        body = self.paragraph(self.effect("cards", slug, "effect").nodes) + self.instead(card, "effect")
        found = [f"  {card.name}{copies}{_mark(card, 'effect')}"]
        for line in body:
            found += _wrapped(line, "", 4)
        return found

    def known(self, entry: Monster | Card) -> list[str]:
        """Where an entry is known from, and its note."""
        sources = [k for k in entry.sources if entry.source_of(k) == "estimated" and "." not in k and k != "copies"]
        listed = ", ".join(KEYS.get(key, key) for key in sources)
        but = f", but estimated: {listed}" if sources and entry.source != "estimated" else ""
        note = _wrapped(f"Note: {entry.note}.") if entry.note else []
        return [*_wrapped(f"{upper(KNOWN[entry.source])}{but}."), *note]

    def pieces(self, key: str, kinds: Mapping[str, int]) -> list[str]:
        assert self.entry is not None
        if not kinds:
            return []
        listed = ", ".join(many(str(n), spoken(kind), plural(spoken(kind))) for kind, n in kinds.items())
        return [f"{key.capitalize()}: {listed}{_mark(self.entry, key)}"]

    def card(self, slug: str, card: Card) -> list[str]:
        """A card, with the abilities that it names."""
        whose = f"card of {self.entry.name}" if self.entry is not None else "basic card, in every deck"
        lines = [f"{card.name}: {whose}", *self.known(card), "", *self.card_lines(slug, card)]
        named = self.effect("cards", slug, "effect").named("ability")
        for name in self.entry.abilities if self.entry is not None else ():
            lines += ["", *self.box(name)] if name in named else []
        return lines

    def monster(self) -> list[str]:
        """A monster's whole board, and its own cards."""
        monster = self.entry
        assert monster is not None
        lines = [f"{monster.name}: {monster.tier}{_mark(monster, 'tier')}"]
        lines += ["Not in the box."] if not monster.copies else []
        lines += ["It does nothing (blank)."] if monster.blank else []
        if monster.placeholder:
            lines.append("A placeholder: the real monster's name is not public.")
        lines += [*self.known(monster), ""]
        lines += [*self.pieces("figures", monster.figures), *self.pieces("tokens", monster.tokens)]
        if monster.standing or monster.alternatives.get("standing"):
            lines += ["", f"What all players should know first{_mark(monster, 'standing')}"]
            lines += self.bullets(self.own("standing")) or ["  - Nothing."]
            lines += [part for line in self.instead(monster, "standing") for part in _wrapped(line, "- ", 2)]
        for key, heading in (("setup", "Set-up"), ("turn", "Your turn")):
            lines += ["", f"{heading}{_mark(monster, key)}", *self.numbered(self.own(key))]
            lines += [part for line in self.instead(monster, key) for part in _wrapped(line, "", 5)]
        for name in monster.abilities:
            lines += ["", *self.box(name)]
        if monster.spaces:
            lines += ["", "Spaces of your board, in their order"]
        for n, name in enumerate(monster.spaces, 1):
            first, *more = self.paragraph(self.own(f"spaces.{name}").nodes) + self.instead(monster, f"spaces.{name}")
            lines += _wrapped(f"{title(name)}{_mark(monster, f'spaces.{name}')}: {first}", f"{n}. ", 2)
            lines += [part for line in more for part in _wrapped(line, "", 5)]
        return [*lines, *self.deck()]

    def deck(self) -> list[str]:
        """The monster's own cards, and which basic ones there are besides."""
        cards = self.content.sections["cards"]
        own = [line for slug in cards_of(self.content, self.slug) for line in self.card_lines(slug, cards[slug])]
        basic = ", ".join(cards[slug].name for slug in cards_of(self.content, "") if cards[slug].copies)
        return ["", "Your own cards", *(own or ["  none"]), f"  and the basic ones: {basic}"]
