"""Result folders made up for the tests: a run, sweeps of several shapes, an unfinished one, and hostile names."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

METRICS: dict[str, dict[str, Any]] = {
    name: {"unit": unit, "meaning": meaning, "headline": headline}
    for name, unit, meaning, headline in (
        ("win_share", "", "share of the wins, ties split", True),
        ("start_edge", "", "win share of the starting player less the mean share of all", True),
        ("tie_rate", "", "games that end in a tie", True),
        ("capped_rate", "", "games broken off at the turn cap", True),
        ("turns", "turns", "turns in a game, mean", True),
        ("rounds", "rounds", "rounds begun in a game, mean", True),
        ("minutes", "minutes", "length at the stated pace, mean", True),
        ("first_out_wait_minutes", "minutes", "how long the first player out watches, mean", True),
        ("first_out_wait_share", "", "turns that the first player out watches, of all turns", True),
        ("lead_changes", "per game", "times the strict lead in gear passes on", True),
        ("one_sided_rate", "", "games whose winner never had less gear than another", True),
        ("no_choice_share", "", "turns with at most one legal action", False),
        ("hits_per_throw", "", "snowballs that hit", False),
        ("reshuffles", "per game", "reshuffles of the snowball deck", False),
        ("event_drawn", "per game", "times drawn", False),
        ("item_drawn", "per game", "times drawn", False),
        ("item_used", "per game", "times used", False),
        ("component_peak", "cards", "most in use at once in any game seen", False),
        ("rule_rate", "", "games in which the rule came up", False),
        ("rule_count", "per game", "how often the rule came up", False),
        ("turns_distribution", "turns", "share of games by length", False),
    )
}
ITEMS = ("trashcan-lid", "baseball-bat", "hot-cocoa", "pinecone", "ice-ball", "mittens", "sled", "scarf", "thermos")
HOSTILE = (
    "<script>alert('boo')</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>document.title='owned'</script>",
    "a very long name " * 14,
    "雪合戦の達人",
    "метель & Ко",
    "❄️🔥 snow ☃",
    '=HYPERLINK("x")',
    "{{ 7 * 7 }} ${1} $x^2$ %s \\frac",
    "line\nbreak\tand \u202eright-to-left",
)

Line = tuple[str, str, str, float | None, float, float | None, float | None, float, str]  # metric .. method
Placed = tuple[int, dict[str, Any], Line]  # cell, its factor values, one number


def wilson(p: float, n: float) -> tuple[float, float]:
    """The ends of a 95 % Wilson interval."""
    z = 1.96
    middle = (p + z * z / 2 / n) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
    return middle - reach, middle + reach


def cell_lines(
    players: int, tilt: float, *, n: int, names: Sequence[str], luck: random.Random, full: bool
) -> Iterator[Line]:
    """The numbers of one cell; tilt (around 0) moves them, full adds items, rules and the spread of lengths."""

    def rate(metric: str, group: str, p: float, x: float | None = None) -> Line:
        p = min(max(p + luck.gauss(0, math.sqrt(max(p * (1 - p), 1e-9) / n)), 0.0), 1.0)
        return (metric, group, "", x, p, *wilson(p, n), n, "Wilson")

    def mean(metric: str, group: str, value: float, sd: float) -> Line:
        half = 1.96 * sd / math.sqrt(n)
        value += luck.gauss(0, half / 2)
        return (metric, group, "", None, value, value - half, value + half, n, "normal")

    fair = 1 / players
    for seat in range(players):
        yield rate("win_share", f"seat={seat}", fair + (0.06 - 0.03 * seat) * tilt)
    edge = 0.012 * (tilt + 0.3) + 0.002 * (players - 4)
    yield ("start_edge", "", "", None, edge, edge - 0.003, edge + 0.003, n, "normal")
    for order in range(players):
        yield rate("win_share", f"order={order}", fair + 0.02 * (tilt + 0.6) * ((players - 1) / 2 - order) / players)
    for k, name in enumerate(names):
        yield rate("win_share", f"strategy={name}", fair * (0.7 + 0.6 * k / max(len(names) - 1, 1)))
    yield rate("tie_rate", "", 0.021 + 0.01 * abs(tilt))
    capped = max(0.02 * tilt, 0.0) if players == 2 else 0.0
    yield ("capped_rate", "", "", None, capped, *wilson(capped, n), n, "Wilson")
    turns = (17 + 6.5 * players) * (1 + 0.28 * tilt)
    for metric, scale in (("turns", 1.0), ("rounds", 1 / players), ("minutes", 0.3)):
        yield mean(metric, "", turns * scale, turns * scale * 0.35)
        for q, ratio in ((0.05, 0.52), (0.5, 0.96), (0.95, 1.7)):
            value = round(turns * ratio) * scale
            yield (metric, f"quantile={q}", "", None, value, value - scale, value + scale, n, "order statistics")
    if players > 2:
        yield mean("first_out_wait_minutes", "", turns * 0.17 * (1 + 0.1 * players), 4)
    yield rate("first_out_wait_share", "", 0.1 + 0.09 * players)
    yield mean("lead_changes", "", 1.2 + players * 0.4 + tilt, 1.4)
    yield rate("one_sided_rate", "", 0.5 - 0.2 * tilt)
    yield rate("no_choice_share", "", 0.08 + 0.05 * abs(tilt))
    yield mean("hits_per_throw", "", 0.31 - 0.02 * tilt, 0.4)
    yield mean("reshuffles", "", 0.4 + 0.1 * players, 0.5)
    if not full:
        return
    for cover in range(8, 18):
        yield rate("win_share", f"cover={cover}", fair * (0.82 + 0.035 * (cover - 8)))
    for k, item in enumerate(ITEMS):
        yield mean("item_drawn", f"item={item}", 1.9 - 0.15 * k, 1)
        yield mean("item_used", f"item={item}", (1.9 - 0.15 * k) * (0.9 - 0.07 * k), 0.9)
    for k, event in enumerate(("lucky-find", "snowplow", "mom-hollering", "flurry", "ice-storm")):
        yield mean("event_drawn", f"event={event}", 0.8 - 0.1 * k, 0.8)
    for k in range(1, 45):
        share = 0.0 if k in {12, 37, 40} else math.exp(-((k * 7) % 45) / 9)
        if share:
            yield rate("rule_rate", f"rule=R{k}", share)
        else:
            yield ("rule_rate", f"rule=R{k}", "", None, 0.0, *wilson(0.0, n), n, "Wilson")
        yield mean("rule_count", f"rule=R{k}", share * 7, share * 4)
    for name, peak in (("gear-flipped", 14), ("snowball-cards", 55), ("location-cards", 19), ("item-cards", 8)):
        yield ("component_peak", f"component={name}", "", None, float(peak), float(peak), math.nan, n, "largest seen")
    weights = [math.exp(-((math.log(t / turns)) ** 2) / 0.18) / t for t in range(6, 110)]
    for t, w in zip(range(6, 110), weights, strict=True):
        yield rate("turns_distribution", "", w / sum(weights), float(t))


FEW = ("win_share", "start_edge", "capped_rate", "turns")  # headlines where the number of figures does not matter


def manifest(
    kind: str, factors: Sequence[tuple[str, Sequence[Any]]], cells: int, few: Sequence[str] | None = FEW, **more: Any
) -> dict[str, Any]:
    """A manifest with all keys of the schema."""
    return {
        "schema": 1,
        "kind": kind,
        "question": "Does it matter who starts, and how long does it take?",
        "claim": "",
        "game": "snowball",
        "title": "The Great Snowball Battle",
        "version": 1,
        "given": {"players": 4, "events": 4},
        "parameters": {"kids": "off", "hand_size": 2, "turn_cap": 500, "ruling.bat_chain": True, "events": None},
        "overlays": [],
        "players": ["random", "greedy", "cautious", "expert"],
        "strategies": {"0": "random", "1": "greedy", "2": "cautious", "3": "expert"},
        "factors": [{"name": n, "values": list(v), "meaning": f"the {n} of the game", "unit": ""} for n, v in factors],
        "metrics": METRICS if few is None else {k: {**m, "headline": k in few} for k, m in METRICS.items()},
        "seed": 1,
        "games": 100_000,
        "precision": None,
        "cells": cells,
        "finished": True,
        "failed": [],
        "command": "doomtrack run snowball -p 4 --games 1e5 --seed 1 --out results/run",
        "versions": {"doomtrack": "0.1.0", "python": "3.11.9", "numpy": "2.4.0", "numba": "0.68.1"},
        "source_digest": "3f1c9a0b7d",
        "content_digest": "a91be2204c",
        "provenance": {"rulebook": 21, "published": 4, "inferred": 6, "estimated": 48},
        "estimated_share": 48 / 79,
        "notes": ["Kids are off: their texts are estimated."],
        "machine": "Linux x86_64, 2 cores",
        "started": "2026-01-15T10:00:00+00:00",
        "seconds": 12.7,
        **more,
    }


def findings() -> list[dict[str, Any]]:
    """An answer, findings and a warning."""
    told = (
        ("answer", "Starting is worth 0.4 points of win share.", "start_edge", "", 0.0036, 0.0006, 0.0066),
        ("finding", "A game lasts 12.9 minutes [12.8, 13.0] on average.", "minutes", "", 12.9, 12.8, 13.0),
        ("finding", "The expert wins 1.3 times its fair share.", "win_share", "strategy=expert", 0.325, 0.322, 0.328),
        ("warning", "All players follow scripts; people may play differently.", None, None, None, None, None),
    )
    return [
        {"kind": k, "text": t, "metric": m, "group": g, "value": v, "low": lo, "high": hi, "n": v and 100_000}
        for k, t, m, g, v, lo, hi in told
    ]


def write(folder: Path, told: dict[str, Any], lines: Sequence[Placed], found: Any = None) -> Path:
    """Write a folder of one merged table."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    found = findings() if found is None else found
    (folder / "findings.json").write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    table(lines).write_parquet(folder / "cells.parquet")
    return folder


def table(lines: Sequence[Placed]) -> pl.DataFrame:
    """The long table of a result."""
    texts = ("parameters", "metric", "group", "group2", "method")
    head = ("cell", "parameters", "metric", "group", "group2", "x", "value", "low", "high", "n", "method")
    kinds = {name: pl.String if name in texts else pl.Int64 if name in {"cell", "n"} else pl.Float64 for name in head}
    rows = [(cell, json.dumps(place, ensure_ascii=False), *line) for cell, place, line in lines]
    return pl.DataFrame(rows, schema=kinds, orient="row")


def grid(
    factors: Sequence[tuple[str, Sequence[Any]]], *, n: int = 100_000, full: bool = False, names: Sequence[str] = ()
) -> list[Placed]:
    """The numbers of a full grid."""
    luck = random.Random(5)
    lines: list[Placed] = []
    for cell, values in enumerate(itertools.product(*(v for _, v in factors))):
        place = dict(zip((f for f, _ in factors), values, strict=True))
        tilt = 0.0
        for k, (name, levels) in enumerate(factors):
            if name != "players":
                position = list(levels).index(place[name]) / max(len(levels) - 1, 1) - 0.5
                tilt += position if k % 2 == 0 else 0.6 * position * (1 + tilt)
        told = cell_lines(place.get("players", 4), tilt, n=n, names=names, luck=luck, full=full)
        lines += [(cell, place, line) for line in told]
    return lines


def run(folder: Path) -> Path:
    """One configuration with everything that a run writes."""
    lines = grid([], full=True, names=("cautious", "random", "greedy", "expert"))
    return write(folder, manifest("run", [], 1), lines)


GEAR, PLAYERS = ("gear", range(1, 11)), ("players", range(2, 7))
SWEEP = "doomtrack sweep snowball"


def sweep(folder: Path) -> Path:
    """Ten values of gear by five player counts."""
    command = f"{SWEEP} --vary gear=1..10 --vary players=2..6 --games 1e5 --seed 1 --out results/gear"
    told = manifest("sweep", [GEAR, PLAYERS], 50, command=command, given={"events": 4})
    return write(folder, told, grid([GEAR, PLAYERS]))


def one_factor(folder: Path, *, full: bool = False) -> Path:
    """Ten values of gear, with all groups where full."""
    command = f"{SWEEP} --vary gear=1..10 --strategy 'all=expert:hold_quickshot=0.5' --games=1e5 --seed 1 --quiet"
    return write(folder, manifest("sweep", [GEAR], 10, command=command), grid([GEAR], full=full))


def two_factors(folder: Path) -> Path:
    """Eight by eight."""
    factors = [("hand_size", range(3, 11)), ("event_density", [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35])]
    command = f"{SWEEP} --vary hand_size=3..10 --vary event_density=0..0.35:0.05 --games 1e4"
    return write(folder, manifest("sweep", factors, 64, command=command, games=10_000), grid(factors, n=10_000))


def big(folder: Path, *, gear: int = 25, cover: int = 20) -> Path:
    """Five hundred cells: 25 by 20."""
    factors = [("gear", range(1, gear + 1)), ("locations.hedge.cover", range(1, cover + 1))]
    asked = {
        "game": "snowball",
        "base": {"kids": "off"},
        "overlays": ["my own/content"],
        "plugins": [],
        "strategies": {"all": "expert"},
        "factors": {name: list(v) for name, v in factors},
        "metrics": {},
        "games": 10_000,
        "precision": None,
        "seed": 7,
    }
    told = manifest("sweep", factors, gear * cover, None, command=f"{SWEEP} study.toml", games=10_000, asked=asked)
    return write(folder, told, grid(factors, n=10_000, names=("cautious", "expert")))


def categorical(folder: Path) -> Path:
    """Names instead of numbers on both sides, one of them on or off."""
    factors = [("ruling.new_hand_icon", ["refill", "discard first", "nothing", "one card"]), ("kids", [False, True])]
    return write(folder, manifest("sweep", factors, 8), grid(factors, n=20_000))


def scattered(folder: Path) -> Path:
    """A Latin hypercube of sixty points."""
    luck = random.Random(3)
    lines: list[Placed] = []
    places: list[dict[str, Any]] = []
    for cell in range(60):
        place = {
            "gear": luck.randint(1, 9),
            "event_density": round(luck.random() / 3, 4),
            "hand_size": luck.randint(3, 9),
        }
        places.append(place)
        tilt = place["gear"] / 9 + place["event_density"] - 0.7
        lines += [(cell, place, line) for line in cell_lines(4, tilt, n=10_000, names=(), luck=luck, full=False)]
    factors = [(name, sorted({p[name] for p in places})) for name in places[0]]
    return write(folder, manifest("sweep", factors, 60), lines)


def unfinished(folder: Path) -> Path:
    """Twenty-three of fifty cells, as parts; two cells failed."""
    lines = [entry for entry in grid([GEAR, PLAYERS]) if entry[0] < 25 and entry[0] not in {7, 8}]
    failed = [
        {"cell": cell, "parameters": {"gear": 2, "players": players}, "error": "an effect did not end"}
        for cell, players in ((7, 4), (8, 5))
    ]
    told = manifest("sweep", [GEAR, PLAYERS], 50, finished=False, failed=failed, seconds=None)
    write(folder, told, lines[:1])
    (folder / "cells.parquet").unlink()
    (folder / "findings.json").unlink()
    (folder / "parts").mkdir()
    for cell in sorted({entry[0] for entry in lines}):
        part = table([entry for entry in lines if entry[0] == cell])
        part.write_parquet(folder / "parts" / f"cell-{cell:04}.parquet")
    return folder


def hostile(folder: Path, *, single: bool = False) -> Path:
    """Names that try to break out of HTML, scripts, figures, file names and tables, wherever a name can stand."""
    first, second, third = HOSTILE[:3]
    factors: list[tuple[str, Sequence[Any]]] = [] if single else [("gear", [1, 2, 3]), (first, list(HOSTILE[1:5]))]
    lines = grid(factors, names=HOSTILE, full=single, n=5_000)
    for cell, place in {c: p for c, p, _ in lines}.items():
        for k, name in enumerate(HOSTILE):
            value = 0.2 + 0.01 * k
            lines.append((cell, place, ("win_share", f"kid={name}", "", None, value, value - 0.05, 0.4, 100, name)))
            lines.append((cell, place, ("item_used", f"item={name}", "", None, 1 + k, 0.9, 12.4, 100, "normal")))
        for k, name in enumerate(HOSTILE[:3]):
            lines.append((cell, place, (name, "", "", None, 0.5 + 0.01 * (cell + k), 0.4, 0.7, 100, name)))
    everything = f"{first} {second} {HOSTILE[6]}"
    told = manifest(
        "sweep" if not single else "run",
        factors,
        12 if not single else 1,
        metrics={**METRICS, first: {"unit": second, "meaning": third, "headline": True}},
        players=list(HOSTILE[:4]),
        notes=list(HOSTILE),
        overlays=list(HOSTILE[:2]),
        versions={first: second},
        given={first: second, "players": 4},
        parameters={first: third},
        failed=[{"cell": 3, "parameters": {first: second}, "error": third}],
        provenance={first: 3, "estimated": 1},
        groups={f"kid={name}": third for name in HOSTILE},
        **dict.fromkeys(("question", "claim", "title", "command", "machine", "source_digest", "started"), everything),
    )
    kinds = ("answer", "finding", "warning", "<b>odd</b>") * 3
    numbers = {"metric": first, "group": second, "value": 1, "low": 0, "high": 2, "n": 3}
    found = [{"kind": k, "text": f"{k}: {name}", **numbers} for k, name in zip(kinds, HOSTILE, strict=False)]
    return write(folder, told, lines, found)


ALL = {f.__name__: f for f in (run, sweep, one_factor, two_factors, big, categorical, scattered, unfinished, hostile)}


if __name__ == "__main__":  # python tests/reports/folders.py DIR: all of them, to look at
    import sys

    for made, make in ALL.items():
        make(Path(sys.argv[1]) / made)
    one_factor(Path(sys.argv[1]) / "one_factor_full", full=True)
    hostile(Path(sys.argv[1]) / "hostile_run", single=True)


# --- contracts, comparisons, searches ---------------------------------------------------------------------------------

CHANGED = ("win_share", "start_edge", "turns", "lead_changes")


def compared(folder: Path, *, strategies: Sequence[str] = (), hostile: bool = False, many: int = 2) -> Path:
    """A base and variants; with strategies, each of them on all seats of all sides."""
    luck = random.Random(11)
    against = HOSTILE[:many] if hostile else [f"gear={4 + k}" for k in range(many)]
    players: Sequence[str] = strategies or [""]
    if hostile and strategies:
        players = HOSTILE[1 : 1 + len(strategies)]
    lines: list[Placed] = []
    rows, told, holds = [], [], []
    cell = 0
    for name in players:
        first = cell
        for k in range(len(against) + 1):
            place: dict[str, Any] = {"gear": 3 + k, **({"strategy.all": name} if name else {})}
            lines += [(cell, place, line) for line in cell_lines(4, 0.1 * k, n=12_000, names=(), luck=luck, full=False)]
            cell += 1
        for k, label in enumerate(against, 1):
            for metric, group, size in (
                ("start_edge", "", 0.004 * k),
                *(("win_share", f"order={o}", 0.01 * (1.5 - o)) for o in range(4)),
                ("turns", "", 6.25 * k),
                ("lead_changes", "", -0.4 if name == players[0] else 0.4),
                ("item_used", f"item={HOSTILE[0] if hostile else 'sled'}", 0.1),
            ):
                half = abs(size) / 20 + 0.001
                numbers = (0.2, 0.2 + size, size, size - half, size + half, 12_000, 30_000, "paired sequence")
                rows.append((first + k, label, metric, group, "", *numbers, *([name] if strategies else [])))
            share = {"games": 6000, "share": 0.5, "low": 0.49, "high": 0.51, "method": "Wilson"}
            told.append(
                {
                    "against": label,
                    **({"strategy": name} if name else {}),
                    "changed": {"gear": 3 + k},
                    "base": {"gear": 3},
                    "games": 12_000 * k,
                    "touched": share,
                    "flipped": {**share, "games": 2400, "share": 0.2, "low": 0.19, "high": 0.21, "first": [5]},
                    "trace": {"base": "doomtrack trace snowball --game 5", "variant": "doomtrack trace snowball -p 4"},
                    "verdict": "larger",
                }
            )
    for label in against if strategies else ():
        for metric, word in (("turns", "raised"), ("lead_changes", "flips")):
            words = {p: ("lowered" if word == "flips" and p == players[0] else "raised") for p in players}
            holds.append({"against": label, "metric": metric, "group": "", "verdicts": words, "over_all": word})
    factors = [("gear", [3 + k for k in range(len(against) + 1)])]
    factors += [("strategy.all", list(players))] if strategies else []
    few = (*CHANGED, "item_used")
    asked = {"base": "A", "against": list(against), "until": 0.005, "on": ["start_edge", ""]}
    made = manifest("compare", factors, cell, few, compare=asked, variants=told, holds=holds, question="")
    write(folder, made, lines)
    texts = ("against", "metric", "group", "group2", "method", "strategy")
    head = ["cell", *texts[:4], "base", "variant", "change", "low", "high", "n", "unpaired", "method"]
    head += ["strategy"] if strategies else []
    kinds = {h: pl.String if h in texts else pl.Int64 if h in ("cell", "n", "unpaired") else pl.Float64 for h in head}
    pl.DataFrame(rows, schema=kinds, orient="row").write_parquet(folder / "changes.parquet")
    return folder


def checked(folder: Path, *, hostile: bool = False) -> Path:
    """A contract with lines of each verdict, one of them without a number."""
    names = list(HOSTILE) if hostile else ["ties are rare", "the start is fair", "games are short", "nobody measured"]
    who = HOSTILE[0] if hostile else "expert"

    def number(verdict: str, value: float | None, low: float | None, high: float | None, **more: Any) -> dict[str, Any]:
        told = {"verdict": verdict, "cell": 0, "parameters": {"players": 4}, "strategies": who, "metric": "tie_rate"}
        told |= {"group": "", "value": value, "low": low, "high": high, "n": 6000, "method": "confidence sequence"}
        return told | {"at_least": None, "at_most": 0.03, "command": "doomtrack run snowball -p 4 --seed 1"} | more

    edge = {"metric": "start_edge", "at_least": -0.05, "at_most": 0.05}
    turns = {"metric": "turns", "at_most": 20.0, "group": "quantile=0.5"}
    each = [
        [number("PASS", 0.01, 0.008, 0.013), number("PASS", 0.012, 0.009, 0.02, strategies="greedy")],
        [number("UNDECIDED", 0.04, 0.02, 0.06, **edge), number("PASS", 0.0, -0.02, 0.02, **edge, strategies="greedy")],
        [number("FAIL", 26.0, 25.0, 27.0, **turns)],
        [number("UNDECIDED", None, None, None)],
    ]
    lines = []
    for k, name in enumerate(names):
        numbers = each[k % 4]
        worst = numbers[0]
        by = {str(n["strategies"]): n["verdict"] for n in numbers}
        lines.append(
            {
                "line": name,
                "asks": worst["metric"],
                "wants": "at most 0.03",
                "why": f"Because of {name}.",
                "verdict": worst["verdict"],
                "strategies": by,
                "games": 12_000,
                "worst": worst,
                "numbers": numbers,
            }
        )
    verdicts = {"verdict": "FAIL", "level": 0.95, "strategies": [who, "greedy"], "lines": lines, "games": 12_000}
    cells = [("players", [2, 3, 4])]
    told = manifest("check", cells, 3, contract={"asked": {}, "verdicts": verdicts}, question="", games=None)
    return write(folder, told, grid(cells, n=6000))


def solved(folder: Path, *, searches: int = 1, hostile: bool = False) -> Path:
    """One search, or several with an answer each: found (whole and real), out of reach, not monotone."""
    values = list(range(1, 9))
    names = (list(HOSTILE) if hostile else [f"map {k}" for k in range(40)])[:searches]
    factors: list[tuple[str, Sequence[Any]]] = [("gear", values)]
    factors += [("board", names)] if searches > 1 else []
    lines: list[Placed] = []
    cell = 0
    for name in names if searches > 1 else [""]:
        for x in values:
            place = {"gear": x, **({"board": name} if searches > 1 else {})}
            lines.append(
                (cell, place, ("turns", "", "", None, 10.0 + 5 * x, 9.5 + 5 * x, 10.5 + 5 * x, 3000, "normal"))
            )
            cell += 1
    shapes: list[dict[str, Any]] = [
        {"status": "found", "value": 6, "low": 5, "high": 6, "candidates": [5, 6], "games": 12_000},
        {"status": "found", "value": 5.91, "low": 5.72, "high": 6.08, "candidates": [], "games": 9000},
        {"status": "unreachable", "value": 8, "low": None, "high": None, "candidates": [], "games": 800},
        {"status": "not monotone", "value": None, "low": None, "high": None, "candidates": [], "games": 700},
    ]
    asked = {"find": "gear", "over": "1..8", "metric": "turns", "target": 39.5, "within": 2.0, "budget": 60_000}
    answers = [{"parameters": {"board": name}, **shapes[k % 4]} for k, name in enumerate(names)]
    told = {**asked, **shapes[0]} if searches == 1 else {**asked, "answers": answers}
    made = manifest("solve", factors, cell, ("turns",), solve=told, question="", games=None)
    return write(folder, made, lines)


# --- boards -----------------------------------------------------------------------------------------------------------

TOWN: dict[str, Any] = {
    "name": "Little <Lakeview>",
    "height": 2,
    "width": 4,
    "cells": [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3]],
    "kinds": ["building", "building", "intersection", "treehouse", "ground", "ground", "intersection", "ground"],
    "space_districts": [[0], [0], [0, 1], [1], [0], [0], [0, 1], [1]],
    "fences": [[0, 0, "below"], [1, 0, "beside"]],
    "buildings": [{"name": "Drug Store", "number": 7, "colour": "red", "spaces": [0, 1]}],
    "districts": [{"name": "The Burbs"}, {"name": "Old Town"}],
    "landmarks": [{"name": "Dog House", "spaces": [5]}],
    "treehouses": [3],
    "feds": [{"name": "Red Sedan", "stops": [2, 6], "legs": [[6], [2]]}],
}

THEATER: dict[str, Any] = {
    "kind": "rooms",
    "name": "The Theater",
    "rooms": [
        {"slug": "stage", "name": "Stage", "at": [0, 0], "doors": 2, "guests": 1, "locked": False},
        {"slug": "pit", "name": "Orchestra Pit", "at": [1, 0], "doors": 2, "guests": 12, "locked": False},
        {"slug": "crypt", "name": "Crypt", "at": [1, 1], "doors": 2, "guests": 0, "locked": True},
    ],
    "doors": [[0, 1], [0, 2], [1, 2]],
}
