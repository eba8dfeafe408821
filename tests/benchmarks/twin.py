"""The C twin: Snowball with random players in plain C, compiled with the present content, as the kernel's limit."""

import ctypes
import re
import statistics
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import strategies
from simcore import batch
from simcore.errors import InputError
from simcore.game import Configuration, find_game

SOURCE = Path(__file__).parent / "c" / "snowball.c"
FLAGS = ("-O3", "-march=native", "-std=gnu11", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror")
SEATS = 6

i1, i2 = "i1", "i2"
OUTCOME = np.dtype(  # struct Outcome in snowball.c
    [
        *((name, i1) for name in ("status", "winner", "starter", "first_out")),
        *((name, i2) for name in ("turns", "rounds", "first_out_turn", "lead_changes", "throws", "hits")),
        *((name, i2) for name in ("quickshot_hits", "events", "reshuffles", "double_outs")),
        ("share", i1, (SEATS,)),
        ("gear", i1, (SEATS,)),
    ]
)

# What the C code implements, word for word. Estimates are compared by their value, without their bounds.
EVENTS = {
    "recover 1": "LUCKY_FIND",
    "pool hands": "SNOWPLOW",
    "give 1 gear to poorer": "MOM_HOLLERING",
    "discard hand": "COLD_HANDS",
    "discard item": "LOST_ITEM",
    "throw 1": "EXTRA_THROW",
    "for each player: clear out": "EVERYONE_RUNS",
    "until your next turn: covers +2": "WHITEOUT",
    "until your next turn: no quickshots": "NUMB",
}
ITEMS = {
    ("response", "save"): "LID",
    ("response", "bat to thrower"): "BAT",
    ("action", "clear out; throw 1"): "SLED",
    ("action", "clear out best of 2"): "LOOKOUT",
    ("action", "throw 2"): "ARMFUL",
}
NUMBERED_ITEMS = {"modifier": (r"power \+?\d+", "MODIFIER"), "condition": (r"cover \+?\d+", "CONDITION")}
RULES = {  # the parameters and rulings that the C code takes for granted
    "hand_size": 2,
    "cover_shift": 0,
    "kids": 0,
    "first_player": 0,
    "two_player_clear_rule": 1,
    "start_cover": 0,
    "quickshot_number": 0,
    "quickshot_responders": 0,
    "quickshot_answers_quickshot": 0,
    "save_from_quickshot": 1,
    "bat_chain": 1,
    "refill": 0,
    "quickshot_counts_as_throw": 0,
    "eliminated_cards": 0,
    "end_test": 0,
    "action_resets_clear_rule": 0,
    "forced_clear_counts": 0,
    "auto_clear_after": 0,
    "auto_clear_scope": 0,
    "cover_drop": 0,
    "reshuffle": 0,
    "mom_hollering_eliminated": 0,
}
_ESTIMATE = re.compile(r"\{([+-]?\d+)\|[^}]*\}")


# --- content.h -------------------------------------------------------------------------------------------------------


def configuration(players: int, overlays: Sequence[str | Path] = ()) -> Configuration:
    """Snowball as the twin plays it: all settings are the defaults."""
    return find_game("snowball").configure({"players": players}, overlays)


def content_header(chosen: Configuration) -> str:
    """The text of content.h. Raises InputError naming whatever the C code does not implement."""
    line_up = strategies.line_up("snowball", chosen.seats, ["random"])
    rules, _ = batch.prepare(chosen, line_up)
    row = rules[0]
    for name, value in RULES.items():
        if row[name] != value:
            raise InputError(f"the C twin plays by {name} = {value} only, not {int(row[name])}")
    cards, locations, items = (int(row[name]) for name in ("cards", "location_cards", "item_cards"))
    kinds = row["card_kind"][:cards]
    numbered = cards - int(row["is_event"][kinds].sum())
    for what, count in (("snowball", cards), ("location", locations), ("item", items)):
        if count > 64:
            raise InputError(f"the {what} deck has {count} cards, and the C twin takes 64 at most")
    if numbered == cards or row["events"] != cards - numbered:
        raise InputError("the C twin plays with all Events of the content, and with one at least")
    numbers = row["number"][kinds[:numbered]]
    covers = row["location_cover"][row["location_kind"][:locations]]
    item_kinds = row["item_kind"][:items]
    quickshots = [
        sum(1 << card for card in range(numbered) if row["is_quickshot"][kinds[card]] and numbers[card] == number)
        for number in range(int(numbers.max()) + 1)
    ]
    return "\n".join(
        (
            *(f"#define {name} {value}" for name, value in _sizes(row, cards, numbered, locations, items)),
            _array("uint8_t", "NUMBER", numbers),
            _array("uint8_t", "KIND", kinds[:numbered]),
            _array("uint64_t", "QUICKSHOTS", map(_hex, quickshots)),
            _array("uint8_t", "EVENT", _events(chosen)),
            _array("uint64_t", "SNOWBALL_KEY", map(_hex, row["card_id"][:cards])),
            _array("uint8_t", "COVER", covers),
            _array("uint64_t", "LOCATION_KEY", map(_hex, row["location_id"][:locations])),
            _array("uint8_t", "ITEM_USE", _uses(chosen)),
            _array("int8_t", "ITEM_POWER", row["item_power"][item_kinds]),
            _array("int8_t", "ITEM_COVER", row["item_cover"][item_kinds]),
            _array("uint64_t", "ITEM_KEY", map(_hex, row["item_id"][:items])),
            "",
        )
    )


def _sizes(row: Any, cards: int, numbered: int, locations: int, items: int) -> Iterable[tuple[str, int]]:
    yield from (("CARDS", cards), ("NUMBERED", numbered), ("LOCATIONS", locations), ("ITEMS", items))
    yield from ((name.upper(), int(row[name])) for name in ("gear", "turn_cap", "auto_clear_from"))


def _array(kind: str, name: str, values: Iterable[object]) -> str:
    return f"static const {kind} {name}[] = {{{', '.join(map(str, values))}}};"


def _hex(value: int) -> str:
    return f"UINT64_C({int(value):#x})"


def _said(text: str) -> str:
    """An effect without the bounds of its estimates and without needless spaces."""
    return " ".join(_ESTIMATE.sub(r"\1", text).split())


def _refuse(chosen: Configuration, section: str, slug: str, known: Iterable[str]) -> InputError:
    entry = chosen.content.sections[section][slug]
    effect = "blank" if entry.blank else repr(_said(entry.effect))
    return InputError(
        f"{chosen.content.where(section, slug)}: the C twin does not implement {effect}; it knows {', '.join(known)}"
    )


def _events(chosen: Configuration) -> list[str]:
    """What each Event card does, in the words of snowball.c."""
    found = []
    for slug, entry in chosen.content.sections["events"].items():
        if entry.blank or _said(entry.effect) not in EVENTS:
            raise _refuse(chosen, "events", slug, map(repr, EVENTS))
        found += [EVENTS[_said(entry.effect)]] * entry.copies
    return found


def _uses(chosen: Configuration) -> list[str]:
    """What each item card does, in the words of snowball.c."""
    found = []
    for slug, entry in chosen.content.sections["items"].items():
        effect = _said(entry.effect)
        pattern, use = NUMBERED_ITEMS.get(entry.keyword, ("", ""))
        if not pattern or not re.fullmatch(pattern, effect):
            use = ITEMS.get((entry.keyword, effect), "")
        if entry.blank or not use:
            known = [repr(text) for keyword, text in ITEMS if keyword == entry.keyword]
            raise _refuse(chosen, "items", slug, known or [pattern])
        found += [use] * entry.copies
    return found


# --- playing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Twin:
    """The compiled twin."""

    function: Any  # snowball_play of the shared library

    def play(self, players: int, seed: int, first: int, games: int) -> np.ndarray:
        """Outcomes of games `first` .. `first + games - 1`, by player of the line-up."""
        outcomes = np.zeros(games, OUTCOME)
        self.function(players, seed, first, games, outcomes.ctypes.data)
        return outcomes

    def time(self, players: int, seed: int, first: int, games: int) -> float:
        """Seconds of processor time for these games; the outcomes go into a buffer that exists already."""
        outcomes = np.zeros(games, OUTCOME)
        outcomes.fill(0)  # touches the pages
        address = outcomes.ctypes.data
        before = time.process_time()
        self.function(players, seed, first, games, address)
        return time.process_time() - before


def compile_twin(folder: Path, compiler: str = "gcc", overlays: Sequence[str | Path] = ()) -> Twin:
    """Compile the twin in `folder`, for the content with these overlays.

    Raises InputError where the content goes beyond what the C code implements.
    """
    (folder / "content.h").write_text(content_header(configuration(4, overlays)), encoding="utf-8")
    library = folder / "snowball.so"
    command = [compiler, *FLAGS, f"-I{folder}", "-o", str(library), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise InputError(f"{' '.join(command)} failed:\n{done.stderr}")
    function = ctypes.CDLL(str(library)).snowball_play
    function.argtypes = [ctypes.c_int, *[ctypes.c_uint64] * 3, ctypes.c_void_p]
    function.restype = None
    return Twin(function)


def kernel_outcomes(players: int, seed: int, first: int, games: int, overlays: Sequence[str | Path] = ()) -> np.ndarray:
    """The same games as the simulator plays them (layout.OUTCOME rows)."""
    line_up = strategies.line_up("snowball", players, ["random"])
    blocks = batch.play(
        configuration(players, overlays), line_up, games=games, first=first, seed=seed, threads=1, keep=True
    )
    return np.concatenate([block.outcomes for block in blocks if block.outcomes is not None])


def first_difference(kernel: np.ndarray, twin: np.ndarray) -> str:
    """Where the outcomes differ first, for people: game number, field and both values; "" where they agree."""
    names = OUTCOME.names or ()
    unequal = {name: (kernel[name] != twin[name]).reshape(len(kernel), -1).any(axis=1) for name in names}
    differs = np.any(list(unequal.values()), axis=0)
    if not differs.any():
        return ""
    row = int(differs.argmax())
    said = [
        f"{name} is {kernel[name][row].tolist()} in the kernel, {twin[name][row].tolist()} in the twin"
        for name in names
        if unequal[name][row]
    ]
    return f"game {int(kernel['number'][row])}: {'; '.join(said)} ({int(differs.sum())} of {len(kernel)} games differ)"


# --- the ratio -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratio:
    """The kernel's speed as a share of the twin's: 1 is as fast. `pairs` holds (kernel, twin) in seconds a game."""

    players: int
    games: int
    pairs: tuple[tuple[float, float], ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Of each pair."""
        return tuple(twin / kernel for kernel, twin in self.pairs)

    @property
    def median(self) -> float:
        """Of all pairs."""
        return statistics.median(self.ratios)

    @property
    def lowest(self) -> float:
        """Of all pairs."""
        return min(self.ratios)

    @property
    def highest(self) -> float:
        """Of all pairs."""
        return max(self.ratios)


def measure_ratio(twin: Twin, players: int = 4, pairs: int = 7, games: int = 60_000, seed: int = 1) -> Ratio:
    """Kernel and twin in alternation, on one thread, the same games; processor time, so that others matter less."""
    chosen = configuration(players)
    line_up = strategies.line_up("snowball", players, ["random"])
    rules, position = batch.prepare(chosen, line_up, seed=seed)
    game, work = batch.new_work(chosen, position)

    def kernel(first: int) -> float:
        before = time.process_time()
        for start in range(first, first + games, batch.BLOCK):
            batch.call_kernel(chosen, rules, game, work, start, min(batch.BLOCK, first + games - start))
        return time.process_time() - before

    kernel(0)  # both warm up
    twin.time(players, seed, 0, games)
    found = []
    for pair in range(pairs):
        first = pair * games
        if pair % 2:
            own = twin.time(players, seed, first, games)
            found.append((kernel(first) / games, own / games))
        else:
            found.append((kernel(first) / games, twin.time(players, seed, first, games) / games))
    return Ratio(players, games, tuple(found))
