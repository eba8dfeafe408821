"""What the cards of The Great Snowball Battle say, read from the content files' own words, for the referee.

The compiled rows of the simulator are not looked at: texts are split into clauses by a few patterns of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from simcore.games.snowball.layout import Bat, Keyword, Op


@dataclass(frozen=True)
class Card:
    """One card: what is printed on it. Unused fields keep their defaults."""

    kind: str
    number: int = 0
    quickshot: bool = False
    event: bool = False
    cover: int = 0  # of a location; added by a Condition
    keyword: Keyword | None = None
    power: int = 0  # added by a Modifier
    save: bool = False
    bat: Bat = Bat.NO
    effect: tuple[Any, ...] = ()  # (verb, number) or ("each", others only, effect)
    clears: bool = False  # an Action that makes its own user clear out


@dataclass(frozen=True)
class Kid:
    """What a kid can do all game long, and once."""

    kind: str
    power: int = 0
    hand: int = 0
    locations: int = 1
    items: int = 1
    once: dict[str, int] = field(default_factory=dict)


VERBS = {
    r"throw (\d+)": Op.THROW,
    r"clear out": Op.CLEAR_OUT,
    r"clear out best of (\d+)": Op.CLEAR_OUT,
    r"recover (\d+)": Op.RECOVER,
    r"recover (\d+) for poorer": Op.RECOVER_POORER,
    r"give (\d+) gear to poorer": Op.GIVE,
    r"pool hands": Op.POOL_HANDS,
    r"discard hand": Op.DISCARD_HAND,
    r"discard item": Op.DISCARD_ITEM,
    r"draw item": Op.DRAW_ITEM,
    r"lose (\d+) gear": Op.LOSE,
    r"covers ([+-]?\d+)": Op.LASTING_COVER,
    r"no quickshots": Op.LASTING_NO_QUICKSHOTS,
}
CONTROLS = ("for each player", "for each other player", "until your next turn", "always", "once")


def clauses(text: str) -> list[tuple[str, str]]:
    """(control or "", clause) of a text, numbers without their bounds; a block's clauses each get its control."""
    text = re.sub(r"\{\s*([+-]?\d+)\s*\|[^}]*\}", r"\1", " ".join(text.lower().split())).replace("+", "")
    found: list[tuple[str, str]] = []
    for part in re.findall(r"[^;(]*\([^)]*\)|[^;]+", text):
        control, colon, body = part.partition(":")
        for clause in (body if colon else part).strip(" ()").split(";"):
            if clause.strip() not in ("", "nothing"):
                found.append((control.strip() if colon else "", clause.strip()))
    assert all(control in ("", *CONTROLS) for control, _ in found), text
    return found


def read_effect(text: str) -> tuple[Any, ...]:
    """An Event's or Action's text as (op, number) pairs; ("each", others only, pairs) is what each player does."""
    effect: list[Any] = []
    for control, clause in clauses(text):
        for pattern, op in VERBS.items():
            if match := re.fullmatch(pattern, clause):
                step = (op, int(match[1]) if match.groups() else 1)
                break
        else:
            raise ValueError(f"the referee does not know {clause!r}")
        if not control.startswith("for each"):
            effect.append(step)
        elif effect and effect[-1][0] == "each" and text.count(control) == 1:
            effect[-1][2].append(step)  # the next clause of the same block
        else:
            effect.append(("each", "other" in control, [step]))
    return tuple(effect)


def read_kid(slug: str, text: str) -> Kid:
    """A kid's text."""
    always: dict[str, int] = {}
    once: dict[str, int] = {}
    for control, clause in clauses(text):
        words, number = re.fullmatch(r"([a-z ]+?)\s*(-?\d+)?", clause).groups()
        (always if control == "always" else once)[words] = int(number or 1)
    return Kid(slug, once=once, **always)


def read_item(slug: str, entry: Any) -> Card:
    """An item."""
    keyword = Keyword[entry.keyword.upper()]
    if entry.blank:
        return Card(slug, keyword=Keyword.CONDITION if keyword == Keyword.ACTION else keyword)
    if keyword == Keyword.ACTION:
        effect = read_effect(entry.effect)
        own = [s[2] if s[0] == "each" else [s] for s in effect if s[0] != "each" or not s[1]]
        clears = any(step[0] == Op.CLEAR_OUT for steps in own for step in steps)
        return Card(slug, keyword=keyword, effect=effect, clears=clears)
    said = dict(re.fullmatch(r"([a-z ]+?)\s*(-?\d+)?", clause).groups() for _, clause in clauses(entry.effect))
    bat = next((Bat[words.split()[-1].upper()] for words in said if words.startswith("bat to ")), Bat.NO)
    power, cover = int(said.get("power", 0)), int(said.get("cover", 0))
    return Card(slug, keyword=keyword, power=power, cover=cover, save="save" in said, bat=bat)


class Box:
    """All cards of a configuration, by their numbers in the trace: sections and entries in order, copies together."""

    def __init__(self, configuration: Any) -> None:
        content, given = configuration.content.sections, configuration.settings
        self.cards: list[Card] = []
        for slug, entry in content["snowballs"].items():
            each = given["quickshots_per_number"]
            copies = entry.copies if each is None or not entry.quickshot else each
            number = 0 if entry.blank else entry.number
            self.cards += [Card(slug, number, entry.quickshot and not entry.blank)] * copies
        for slug, entry in content["events"].items():
            effect = () if entry.blank else read_effect(entry.effect)
            self.cards += [Card("event " + slug, event=True, effect=effect)] * entry.copies
        places = content["locations"]
        cards = sum(e.copies for e in places.values())
        mean = int(sum(e.copies * e.cover for e in places.values()) / cards + 0.5)
        shift = given["cover_shift"]
        self.locations = [
            Card(slug, cover=(mean if e.blank else e.cover) + shift)
            for slug, e in places.items()
            for _ in range(e.copies)
        ]
        self.items = [read_item(slug, e) for slug, e in content["items"].items() for _ in range(e.copies)]
        self.kids = [
            read_kid(slug, "" if e.blank else e.effect) for slug, e in content["kids"].items() for _ in range(e.copies)
        ]
        self.decks = (self.cards, self.locations, self.items)
