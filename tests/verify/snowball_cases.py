"""Small games of Snowball, each about other rules: their cards, rulings and starting positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import strategies
from simcore.game import find_game
from simcore.games.snowball.layout import Ledger, Span, Tally
from tests.verify.against import Measured, measure
from tests.verify.enumeration import Law, law
from tests.verify.snowball_by_hand import Cards, Rules, one_turn, opening

GAMES, SEED = 1_002_000, 20  # whole blocks
COUNTS = {
    "throws": ("tally", int(Tally.THROWS)),
    "hits": ("tally", int(Tally.HITS)),
    "quickshot hits": ("tally", int(Tally.QUICKSHOT_HITS)),
    "gear lost": ("tally", int(Tally.GEAR_LOST)),
    "clear outs": ("tally", int(Tally.CLEAR_OUTS)),
    "forced clears": ("tally", int(Tally.FORCED_CLEARS)),
    "actions": ("tally", int(Tally.ACTIONS)),
    "events": ("tally", int(Tally.EVENTS)),
    "batted": ("tally", Tally.LEDGER + Ledger.BATTED),
    "saved": ("tally", Tally.LEDGER + Ledger.SAVED),
    "double outs": ("tally", Tally.LEDGER + Ledger.DOUBLE_OUT),
    "reshuffles of balls": ("span", int(Span.RESHUFFLES)),
    "reshuffles of places": ("tally", Tally.LEDGER + Ledger.RESHUFFLE_LOCATIONS),
    "reshuffles of items": ("tally", Tally.LEDGER + Ledger.RESHUFFLE_ITEMS),
}
NAMES = {  # ruling of the program -> (field of Rules, what its value is there)
    "two_player_clear_rule": ("clear_rule", {}),
    "gear": ("gear", {}),
    "hand_size": ("hand", {}),
    "auto_clear_from": ("auto_clear_from", {}),
    "ruling.quickshot_responders": ("responders", {}),
    "ruling.quickshot_answers_quickshot": ("chain", {}),
    "ruling.save_from_quickshot": ("save_from_quickshot", {}),
    "ruling.bat_chain": ("bat_chain", {}),
    "ruling.quickshot_counts_as_throw": ("answers_reset", {}),
    "ruling.action_resets_clear_rule": ("action_resets", {}),
    "ruling.forced_clear_counts": ("forced_clear_counts", {}),
    "ruling.auto_clear_after": ("gear_only", {"gear_lost": True, "any_hit": False}),
    "ruling.end_test": ("hits_only", {"hits_only": True, "any_change": False}),
}


def rules_of(settings: Mapping[str, Any]) -> Rules:
    """The solver's rules under settings of the program."""
    found = {}
    for name, value in settings.items():
        field_name, meaning = NAMES[name]
        found[field_name] = meaning.get(value, value)
    return Rules(**found)


@dataclass(frozen=True)
class Case:
    """One small game. `turns`: how many are played at most; `position`: where it starts, else by set-up."""

    about: str
    players: int
    cards: Cards
    settings: Mapping[str, Any] = field(default_factory=dict)
    position: Mapping[str, Any] | None = None
    turns: int = 10

    def under(self, **settings: Any) -> Case:
        """The same under other settings."""
        return replace(self, settings={**self.settings, **{k.replace("__", "."): v for k, v in settings.items()}})


def exact(case: Case, mistake: str = "") -> Law:
    """What the solver says."""
    rules = replace(rules_of(case.settings), mistake=mistake)
    first = 0 if case.position is None else FIRST
    return law(
        lambda chance: opening(case.cards, rules, case.players, chance, case.position),
        lambda state, chance: one_turn(case.cards, rules, state, chance),
        first=first,
        cap=first + case.turns,
    )


FIRST = 10  # a position starts here, so that the turn cap (10 at least) can be near


def played(case: Case, seed: int = SEED, games: int = GAMES) -> Measured:
    """What the kernels give, with random players."""
    game = find_game("snowball")
    with TemporaryDirectory() as folder:
        write_overlay(Path(folder), case.cards)
        cap = case.turns + (0 if case.position is None else FIRST)
        settings = {"players": case.players, "turn_cap": cap, **case.settings}
        configuration = game.configure(settings, [folder])
    position = None if case.position is None else game.read_position(configuration, {"turn": FIRST, **case.position})
    line_up = strategies.line_up("snowball", case.players, ["random"])
    return measure(configuration, line_up, COUNTS, games=games, seed=seed, position=position)


def write_overlay(folder: Path, cards: Cards) -> None:
    """A content folder with these cards and no others."""
    shipped = find_game("snowball").load_content(()).sections
    tables: dict[str, dict[str, list[str]]] = {"snowballs": {}, "events": {}, "locations": {}, "items": {}}
    for slug, number in cards.number.items():
        quickshot = "true" if slug in cards.quickshot else "false"
        tables["snowballs"][slug] = [f"number = {number}", f"quickshot = {quickshot}"]
    for slug, cover in cards.cover.items():
        tables["locations"][slug] = [f"cover = {cover}"]
    for slug, (keyword, effect) in cards.item.items():
        tables["items"][slug] = [f'keyword = "{keyword}"', f'effect = "{effect}"']
    for slug, effect in cards.event.items():
        tables["events"][slug] = [f'effect = "{effect}"']
    for section, entries in tables.items():
        lines = [f"[{slug}]\nremove = true\n" for slug in shipped[section]]
        for slug, keys in entries.items():
            keys = [f'name = "{slug}"', *keys, f"copies = {cards.copies[slug]}", 'source = "estimated"']
            lines.append("\n".join([f"[{slug}]", *keys, ""]))
        (folder / f"{section}.toml").write_text("\n".join(lines), encoding="utf-8")


def cards(
    balls: Mapping[str, int],
    places: Mapping[int, int],
    items: Mapping[str, tuple[str, str, int]] | None = None,
    events: Mapping[str, tuple[str, int]] | None = None,
) -> Cards:
    """Decks: `balls` like {"3": 4, "3q": 2}, `places` cover -> copies, items and events with their copies last."""
    number, quickshot, copies = {}, [], {}
    for text, n in balls.items():
        slug = f"{'quick' if text.endswith('q') else 'ball'}-{text.rstrip('q')}"
        number[slug], copies[slug] = int(text.rstrip("q")), n
        if text.endswith("q"):
            quickshot.append(slug)
    cover = {f"place-{c}": c for c in places}
    copies |= {f"place-{c}": n for c, n in places.items()}
    copies |= {slug: n for slug, (*_, n) in (items or {}).items()} | {s: n for s, (_, n) in (events or {}).items()}
    return Cards(
        number=number,
        quickshot=tuple(quickshot),
        cover=cover,
        item={slug: (keyword, effect) for slug, (keyword, effect, _) in (items or {}).items()},
        event={slug: effect for slug, (effect, _) in (events or {}).items()},
        copies=copies,
    )


def seat(gear: int, place: int, **more: Any) -> dict[str, Any]:
    return {"gear": gear, "location": f"place-{place}", **more}


TWO = ["ball-3", "quick-3"]
PLAIN = {"2": 3, "4": 3}
LID = {"lid": ("response", "save", 2)}

CASES: dict[str, Case] = {
    "throws": Case(
        "R3-R9, R29, R31, R40: set-up, who starts, throws, hits, Clear Outs, reshuffles; no items at all",
        2,
        cards(PLAIN, {4: 2, 5: 2}),
        {"gear": 1},
    ),
    "two gear": Case(
        "R7: later hits on a standing stack; R29: a lead in gear does not end a game of two",
        2,
        cards({"2": 4, "3": 3}, {3: 3}),
        {"gear": 2},
        turns=10,
    ),
    "no clear rule": Case("B1 off", 2, cards(PLAIN, {4: 2, 5: 2}), {"gear": 1, "two_player_clear_rule": False}),
    "quickshots": Case(
        "R12, R14, R16, R23: answers by target and bystander, several to one throw, out together",
        3,
        cards({"2": 3, "2q": 3, "3": 2}, {4: 4}),
        {"gear": 1},
        {"player": [seat(1, 4), seat(1, 4), seat(1, 4)]},
        turns=3,
    ),
    "first answer only": Case(
        "R14, the other reading",
        3,
        cards({"2": 2, "2q": 4}, {4: 4}),
        {"gear": 2, "ruling.quickshot_responders": "first_in_order"},
        {"player": [seat(2, 4), seat(1, 4), seat(2, 4)]},
        turns=3,
    ),
    "answer to an answer": Case(
        "R15, the other reading: chains",
        3,
        cards({"2": 2, "2q": 4}, {4: 4}),
        {"gear": 2, "ruling.quickshot_answers_quickshot": True},
        {"player": [seat(2, 4), seat(2, 4), seat(1, 4)]},
        turns=3,
    ),
    "duel of two": Case(
        "R12, R22, R23, R26, R31: QuickShots with two left from the start; ties",
        2,
        cards({"2": 2, "2q": 3, "4": 1}, {4: 3}),
        {"gear": 2},
    ),
    "duel of three": Case(
        "R25, R26, R28, R31: three players, the last two compare gear or play on",
        3,
        cards({"3": 5, "3q": 3}, {3: 4}),
        {"gear": 2},
        {"player": [seat(2, 3), seat(1, 3), seat(1, 3)]},
        turns=4,
    ),
    "saves": Case(
        "R17, R19, R20: a Trashcan Lid, against snowballs and QuickShots",
        2,
        cards({"3": 4, "3q": 2}, {3: 3}, LID),
        {"gear": 1},
        turns=10,
    ),
    "bats": Case(
        "R18: a Log Bat to the thrower, bat against bat",
        2,
        cards({"3": 4, "3q": 2}, {3: 3}, {"bat": ("response", "bat to thrower", 3)}),
        {"gear": 2},
        turns=10,
    ),
    "bats to anyone": Case(
        "R18: to anyone of three, or to the discards; each bats once",
        3,
        cards({"3": 8}, {3: 5}, {"bat": ("response", "bat to anyone", 3), "broom": ("response", "bat to discard", 1)}),
        {"gear": 1},
        {"player": [seat(1, 3, items=["bat"]), seat(1, 3, items=["bat"]), seat(1, 3, items=["bat"])]},
        turns=3,
    ),
    "modifiers": Case(
        "R6, R42: a Pinecone goes with a snowball and stays in the stack; the item deck runs out",
        2,
        cards({"2": 4, "3": 2}, {5: 2, 6: 1}, {"cone": ("modifier", "power +2", 2)}),
        {"gear": 1},
        turns=10,
    ),
    "conditions": Case(
        "R3, R7: Boughs add to the cover while they lie there, and not to the number that decides who starts",
        2,
        cards({"2": 4, "3": 2}, {3: 2, 4: 1}, {"boughs": ("condition", "cover +2", 2)}),
        {"gear": 1},
        turns=10,
    ),
    "actions": Case(
        "R10, R31, B2: clear out and throw, throw twice, choose a location",
        2,
        cards(
            {"2": 3, "4": 3},
            {3: 2, 5: 1},
            {
                "sledge": ("action", "clear out; throw 1", 1),
                "armful": ("action", "throw 2", 1),
                "whistle": ("action", "until your next turn: no quickshots", 1),
                "watch": ("action", "clear out best of 2", 1),
            },
        ),
        {"gear": 1},
        {"player": [seat(1, 3), seat(1, 3)]},
        turns=5,
    ),
    "automatic clear outs": Case(
        "R32: who was hit clears out at once, also if the hit was absorbed",
        2,
        cards({"3": 4, "3q": 2}, {3: 2, 6: 2}, LID),
        {"gear": 2, "auto_clear_from": 2},
        {"player": [seat(2, 3), seat(1, 3)]},
        turns=6,
    ),
}
EVENTS: dict[str, tuple[int, int] | None] = {  # effect, and how much gear the two have; None: one each, by set-up
    "recover 1": (2, 2),
    "pool hands": None,
    "give 1 gear to poorer": (3, 2),
    "discard hand": None,
    "discard item": (2, 1),
    "throw 1": None,
    "for each player: clear out": None,
    "until your next turn: covers +2": None,
    "until your next turn: no quickshots": None,
    "lose 1 gear": (2, 2),
}
for effect, gear in EVENTS.items():
    hands = (["ball-2", "ball-3"], ["ball-2", "quick-3"])
    CASES[f"event: {effect}"] = Case(
        "R36-R41: an Event drawn at a refill, on one's own turn or another's, again after a reshuffle",
        2,
        cards({"2": 2, "3": 2, "3q": 2}, {3: 2, 4: 1}, LID if "item" in effect else None, {"event": (effect, 1)}),
        {"gear": max(gear or (1,))},
        {"player": [seat(g, 3, hand=hand) for g, hand in zip(gear, hands, strict=True)]} if gear else None,
        turns=6 if gear else 10,
    )
CASES["events by set-up"] = Case(
    "R2, R36, R40: two Events that do nothing, never in an opening hand; chains",
    2,
    cards({"2": 3, "3": 3}, {3: 3}, None, {"blank": ("discard item", 2)}),
    {"gear": 1},
)
CASES["found in a duel"] = Case(
    "R27, R37, R39: gear that comes back without a hit decides between the last two of three",
    3,
    cards({"3": 4, "3q": 3}, {3: 4}, None, {"event": ("recover 1", 2)}),
    {"gear": 2},
    {"player": [seat(1, 3, hand=TWO), seat(1, 3, hand=["ball-3", "ball-3"]), seat(1, 3, hand=TWO)]},
    turns=4,
)


@cache
def answer(name: str) -> tuple[Law, Measured]:
    """A case by name: exact and measured, once for all tests.

    Each has a seed of its own: cards of the same name have the same luck in any deck, so the cases' errors would agree.
    """
    return exact(CASES[name]), played(CASES[name], SEED + list(CASES).index(name))
