"""Content and settings of each game at the capacities of its records, and beyond them.

`BEYOND`: by capacity of the layout, what exceeds it and what the refusal has to say. `FULL`: what just fits.
`ELSEWHERE`: capacities that no content and no setting can exceed, and what sees to it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import strategies
from simcore import batch
from simcore.errors import InputError, PlayError
from simcore.game import find_game
from tools.lineups import mixed


@dataclass(frozen=True)
class Filling:
    """Settings and an overlay by section (TOML); `said`: what a refusal has to say, before or while it is played."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    said: str = ""

    @contextmanager
    def overlays(self) -> Iterator[tuple[str, ...]]:
        """The overlay's folder."""
        with tempfile.TemporaryDirectory() as folder:
            for section, text in self.files.items():
                Path(folder, f"{section}.toml").write_text(text, encoding="utf-8")
            yield (folder,) if self.files else ()


def many(count: int, body: str, name: str = "extra") -> str:
    """So many new entries."""
    return "".join(f"[{name}-{i}]\nname = '{name} {i}'\nsource = 'estimated'\n{body}\n" for i in range(count))


def copies(**entries: int) -> str:
    """So many copies of entries ('_' stands for '-')."""
    return "".join(f"[{slug.replace('_', '-')}]\ncopies = {n}\n" for slug, n in entries.items())


def effect(slug: str, text: str, number: int = 1) -> str:
    """Another text, and the number of copies."""
    return f"[{slug}]\ncopies = {number}\neffect = '{text}'\n"


def gone(*slugs: str) -> str:
    """Without these entries."""
    return "".join(f"[{slug}]\nremove = true\n" for slug in slugs)


# --- Snowball: 48 cards with numbers, 13 Events (9 kinds), 20 locations (11), 20 items (10), 8 kids -------------------

THIN = copies(**{f"{kind}_{n}": 1 for kind in ("snowball", "quickshot") for n in range(1, 9)})  # 16 cards with numbers
EVERY_SHOT = {"quickshots_per_number": 4, "ruling.refill": "at_once", "ruling.quickshot_answers_quickshot": True}
CONDITION = "keyword = 'condition'\neffect = 'cover +1'"
MADE_ROOM = {  # TALLIES counts Events, items and kids together: many items fit only without some others
    "kids": gone("strong-arm", "deep-pockets", "scout", "scavenger", "thick-coat", "pitcher", "sprinter", "quick-eyes"),
    "events": gone("snowplow", "mom-hollering", "cold-hands", "lost-item"),
}
RUNAWAY = "a chain of effects did not end or outgrew its log"

BEYOND: dict[str, dict[str, Filling]] = {
    "snowball": {
        "SEATS": Filling({"players": 7}, {}, "players: 7 is outside 2..6"),
        "HAND": Filling(
            {"hand_size": 6, "kids": "random"},
            {"kids": effect("deep-pockets", "always: hand +3")},
            "a hand of 9 cards, and 8 fit",
        ),
        "CARDS": Filling({}, {"snowballs": copies(snowball_1=41)}, "97 cards in the snowball deck, and 96 fit"),
        "KINDS": Filling(
            {}, {"snowballs": many(40, "number = 3\ncopies = 0")}, "65 different cards in the snowball deck, and 64 fit"
        ),
        "BOX": Filling(
            {"events": 14}, {"snowballs": THIN, "events": copies(lucky_find=68)}, "65 Events in the box, and 64 fit"
        ),
        "LOCATIONS": Filling({}, {"locations": copies(open=31)}, "49 cards in the location deck, and 48 fit"),
        "LOCATION_KINDS": Filling({}, {"locations": many(22, "cover = 9")}, "33 different locations, and 32 fit"),
        "ITEMS": Filling({}, {"items": copies(sled=46)}, "65 cards in the item deck, and 64 fit"),
        "ITEM_KINDS": Filling({}, {"items": many(23, CONDITION), **MADE_ROOM}, "33 different items, and 32 fit"),
        "KIDS": Filling({}, {"kids": many(9, "effect = 'always: hand +0'")}, "17 kids, and 16 fit"),
        "OPS": Filling({}, {"events": effect("lucky-find", "; ".join(["recover 1"] * 260))}, "and 256 fit"),
        "KEPT": Filling({}, {"items": effect("lookout", "clear out best of 5")}, "is outside 1..4"),
        "OPTIONS": Filling(
            {"hand_size": 4, "players": 6, "kids": "random"},
            {"events": effect("extra-throw", "draw item"), "kids": effect("deep-pockets", "once: clear out")},
            "up to 165 options in a turn, and 160 fit",
        ),
        "COVERS": Filling({}, {"locations": "[fort]\ncover = 32\n"}, "must be 31 or less"),
        "TALLIES": Filling({}, {"events": many(14, "")}, "Events, items and kids together, and 40 fit"),
    }
}
FULL: dict[str, dict[str, Filling]] = {
    "snowball": {
        "HAND": Filling({"hand_size": 6, "kids": "random"}, {"kids": effect("deep-pockets", "always: hand +2")}),
        "CARDS": Filling({}, {"snowballs": copies(snowball_1=40)}),
        "KINDS": Filling({}, {"snowballs": many(39, "number = 3\ncopies = 0")}),
        "LOCATIONS": Filling({"players": 6}, {"locations": copies(open=30)}),
        "LOCATION_KINDS": Filling({}, {"locations": many(21, "cover = 9")}),
        "ITEMS": Filling({}, {"items": copies(sled=45)}),
        "ITEM_KINDS": Filling({}, {"items": many(22, f"{CONDITION}\ncopies = 2"), **MADE_ROOM}),
        "KIDS": Filling({"players": 6, "kids": "chosen"}, {"kids": many(8, "effect = 'always: items 4'")}),
        "OPS": Filling({}, {"events": effect("lucky-find", "; ".join(["recover 1"] * 240), 10)}),
        "KEPT": Filling({"players": 6}, {"items": effect("lookout", "clear out best of 4", 40)}),
        "OPTIONS": Filling(
            {"hand_size": 3, "players": 6, "kids": "random"},
            {
                "events": effect("extra-throw", "draw item", 20),
                "items": effect("pinecone", "power +1", 40),
                "kids": effect("deep-pockets", "once: clear out"),
            },
        ),
        "COVERS": Filling(
            {"players": 6, "turn_cap": 60},
            {
                "locations": "[fort]\ncover = 31\ncopies = 20\n",
                "items": effect("pine-boughs", "cover +20", 40),
                "events": effect("whiteout", "until your next turn: covers +20", 20),
            },
        ),
        "TALLIES": Filling({}, {"events": many(13, "")}),
        "HELD": Filling({}, {"events": effect("extra-throw", "draw item; draw item; draw item; draw item", 20)}),
        "SUSPENDED, SHOOTERS": Filling(
            {"players": 6, **EVERY_SHOT}, {"snowballs": THIN, "events": effect("extra-throw", "throw 2", 6)}
        ),
        "AGENDA": Filling(
            {"players": 6}, {"events": effect("everyone-runs", "for each player: clear out; throw 1", 3)}
        ),
        "AGENDA, ANSWERS, STEPS": Filling(
            {"players": 6, **EVERY_SHOT},
            {"snowballs": THIN, "events": effect("extra-throw", "for each player: throw 4", 20)},
            RUNAWAY,
        ),
        "numbers": Filling(
            {"players": 6, "kids": "random", "gear": 9},
            {
                "snowballs": "[snowball-8]\nnumber = 20\n[quickshot-8]\nnumber = 20\n",
                "items": "[pinecone]\neffect = 'power +20'\n[gravel]\neffect = 'power -10'\n",
                "kids": "[pitcher]\neffect = 'once: power +20'\n[scout]\neffect = 'always: power -8'\n",
            },
        ),
        "many Events": Filling(
            {"events": 60, "players": 2, "turn_cap": 60}, {"snowballs": THIN, "events": copies(lucky_find=50)}
        ),
        "BOX": Filling({"events": 15}, {"snowballs": THIN, "events": copies(lucky_find=68)}),
    }
}
ELSEWHERE: dict[str, dict[str, str]] = {
    "snowball": {
        "HELD": "the rule that draws an item",
        "SUSPENDED": "throws that are interrupted: such a throw goes on without",
        "SHOOTERS": "answers to answers: the last ones cannot be answered",
        "AGENDA": "refused while it is played: ENDLESS",
        "STEPS": "refused while it is played: ENDLESS",
        "ANSWERS": "refused while it is played: ENDLESS",
        "PAIRS": "batch.prepare; 31 covers, 40 components and a handful of ratios are fewer",
        "MEMORY": "a policy's own; the bounds check",
        "WEIGHTS": "batch.prepare, for a strategy",
    }
}


def played(game_name: str, label: str, games: int) -> str:
    """'' if the content of `FULL` can be played by all kinds of players, else what went wrong."""
    game, filling = find_game(game_name), FULL[game_name][label]
    try:
        with filling.overlays() as overlays:
            configuration = game.configure(dict(filling.settings), overlays)
        seats = configuration.seats
        for names in (["random"], mixed(game, seats)):
            totals = batch.total(configuration, strategies.line_up(game_name, seats, names), games=games, threads=1)
            if totals.games != totals.status[1:4].sum():
                return f"{totals.status.tolist()} games by status"
    except (InputError, PlayError) as error:
        return str(error)
    return ""


def all_played(games: int) -> dict[str, dict[str, str]]:
    """`played` of all, by game and label."""
    return {game: {label: played(game, label, games) for label in FULL[game]} for game in FULL}
