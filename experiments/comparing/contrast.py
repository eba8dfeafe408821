"""Says a comparison: sentences with numbers, the table for people, JSON (schema 1) and CSV for programs.

Sentences about changes hold together with all others of the comparison (family-wise 95 %); the intervals of the table
hold one by one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from experiments import metrics as mt
from experiments import statistics as st
from experiments import text, words
from experiments.comparing import paired
from experiments.comparing.comparison import Comparison, Variant
from experiments.comparing.paired import Change
from experiments.comparing.variants import CONTENT, Side
from experiments.findings import SMALL_PART, SMALL_POINTS
from experiments.kinds import Finding, finding
from experiments.metrics import Row
from experiments.speech import Speech, plain

SCHEMA = 1
NAMED = 10  # flipped games that the table names; JSON has all that are known
CSV_HEAD = ("against", *Change._fields)
LONGER = {"turns": "turns", "minutes": "minutes"}  # metrics that are the length of a game, with their unit


# --- sentences --------------------------------------------------------------------------------------------------------


def speech_of(result: Comparison) -> Speech:
    """Units of all metrics of the comparison."""
    return Speech(mt.described(mt.metrics_of(result.base.cell.configuration)))


def sentences(result: Comparison) -> list[Finding]:
    """All findings: variant by variant, then what to be wary of."""
    speech = speech_of(result)
    found: list[Finding] = []
    for variant in result.variants:
        found += said_of(variant, result, speech)
    return found + _warnings(result)


def doing(side: Side) -> str:
    """`Changing gear from 3 to 4 and letting seat 0 play expert instead of greedy`."""
    parts = []
    for name, value in side.changed.items():
        before = side.before.get(name)
        if name == CONTENT:
            parts.append(f"laying {value} over the content")
        elif name.startswith("strategy.") and name.count(".") == 1:
            who = name.partition(".")[2]
            seat = f"seat {who}" if who.isdigit() else "all seats" if who == "all" else f"the {who}"
            parts.append(f"letting {seat} play {value} instead of {before}")
        elif before is None:
            parts.append(f"setting {name} to {words.shown(value)}")
        else:
            parts.append(f"changing {name} from {words.shown(before)} to {words.shown(value)}")
    said = " and ".join(parts)
    return said[:1].upper() + said[1:]


def said_of(variant: Variant, result: Comparison, speech: Speech) -> list[Finding]:
    """What is said of one variant; the first is the answer."""
    subject = doing(variant.side)
    found = []
    if variant.decided is not None and result.margin is not None:
        found.append(finding("answer", _decided(subject, variant, result.margin, speech), _row(variant.decided)))
    reached = variant.reached
    if not reached.touched:
        said = f"{subject} touches none of the {reached.games:,} games: no outcome differs."
        return [*found, finding("finding" if found else "answer", said)]
    skip = None if variant.decided is None else variant.decided[:3]
    told = [c for c in variant.told if c.change is not None and c[:3] != skip]
    seen = [c for c in told if _visible(c)]
    if any(c.metric == "turns" for c in seen):  # minutes are turns at a pace
        told = [c for c in told if c.metric != "minutes" or variant.side.changed.keys() & {"seconds_per_turn"}]
        seen = [c for c in told if _visible(c)]
    for change in sorted(seen, key=_clearness, reverse=True):
        found.append(finding("finding", _seen(subject, change, speech), _row(change)))
    found += _unseen(subject, [c for c in told if not _visible(c)], speech)
    if found and found[0]["kind"] != "answer":
        found[0] = {**found[0], "kind": "answer"}
    touched, flipped = (st.rate(k, reached.games) for k in (reached.touched, reached.flipped))
    said = (
        f"{subject} touches {plain(100 * (touched.value or 0))} % of the games and gives "
        f"{plain(100 * (flipped.value or 0))} % another result."
    )
    return [*found, finding("finding", said)]


def _row(change: Change) -> Row:
    method = change.method if change.method.startswith("paired") else "paired"
    group, both = change.group, (change.change, change.low, change.high)
    return Row(change.metric, group, change.group2, None, *both, change.n, method)


def _visible(change: Change) -> bool:
    return change.low is not None and change.high is not None and not change.low <= 0 <= change.high


def _clearness(change: Change) -> float:
    """How many half-widths it is from nothing."""
    assert change.low is not None and change.high is not None and change.change is not None  # noqa: S101
    return abs(change.change) / max(1e-300, (change.high - change.low) / 2)


def amount(speech: Speech, change: Change, *, sign: bool = True) -> tuple[str, str]:
    """A change and its interval: `+1.7 points`, `0.6 to 2.6`; without `sign` its size."""
    scale = speech.scale(change.metric)
    x, low, high = change.change or 0.0, change.low, change.high
    if not sign and x < 0:
        x, low, high = -x, None if high is None else -high, None if low is None else -low
    width = None if low is None or high is None else scale * (high - low)
    digits = 2 if not width else min(6, max(0, 1 - math.floor(math.log10(width) + 1e-9)))

    def fixed(y: float | None) -> str:
        if y is None:
            return "?"
        said = f"{scale * y:{'+' if sign else ''},.{digits}f}"
        return said.lstrip("+-") if not said.strip("+-0.,") else said

    unit = " points" if speech.percent(change.metric) else ""
    return f"{fixed(x)}{unit}", "" if low is None and high is None else f"{fixed(low)} to {fixed(high)}"


def _seen(subject: str, change: Change, speech: Speech) -> str:
    size, interval = amount(speech, change, sign=False)
    up = (change.change or 0) > 0
    from_to = _from_to(change, speech)
    if change.metric in LONGER and not change.group:
        longer = "longer" if up else "shorter"
        return f"{subject} makes games {size} {LONGER[change.metric]} {longer} ({interval}{from_to})."
    verb = "raises" if up else "lowers"
    return f"{subject} {verb} {_name(change, speech)} by {size} ({interval}{from_to})."


def _from_to(change: Change, speech: Speech) -> str:
    width = None if change.low is None or change.high is None else change.high - change.low
    ends = [speech.value(change.metric, x, width).removesuffix(" points") for x in (change.base, change.variant)]
    return f"; from {ends[0].removesuffix(' %')} to {ends[1]}"


def _name(change: Change, speech: Speech) -> str:
    return name_of(change.metric, change.group, speech)


def name_of(metric: str, group: str, speech: Speech) -> str:
    """A metric in a sentence: `the tie rate`."""
    said = speech.name(metric, group)
    return said if said.startswith("the ") else f"the {said}"


def _unseen(subject: str, changes: Sequence[Change], speech: Speech) -> list[Finding]:
    """Changes that are not visible: how large they could still be; and where the games are too few to say."""
    none: list[str] = []
    unknown: list[str] = []
    for change in changes:
        if change.low is None or change.high is None:
            continue
        most = max(-change.low, change.high)
        size = max(abs(change.base or 0.0), abs(change.variant or 0.0))
        small = most <= (SMALL_POINTS if speech.percent(change.metric) else SMALL_PART * size)
        (none if small else unknown).append(f"{_name(change, speech)} (±{speech.change(change.metric, most, '')})")
    found = []
    if none:
        found.append(finding("finding", f"{subject} hardly changes, if at all (at most by): {'; '.join(none)}."))
    if unknown:
        said = f"Too few games to say whether {subject[:1].lower()}{subject[1:]} changes (it could be by up to):"
        found.append(finding("finding", f"{said} {'; '.join(unknown)}."))
    return found


def _decided(subject: str, variant: Variant, margin: float, speech: Speech) -> str:
    assert variant.decided is not None  # noqa: S101
    change = variant.decided
    size, interval = amount(speech, change)
    limit = speech.change(change.metric, margin, "")
    name, games = _name(change, speech), f"{change.n:,} games of each"
    numbers = f"{size}{f' ({interval})' if interval else ''} after {games}"
    if variant.verdict == paired.UNDECIDED:
        return f"Undecided: whether {subject[:1].lower()}{subject[1:]} changes {name} by more than ±{limit}: {numbers}."
    if variant.verdict == paired.WITHIN:
        return f"{subject} changes {name} by no more than ±{limit}: {numbers}."
    verb = "raises" if variant.verdict == paired.LARGER else "lowers"
    return f"{subject} {verb} {name} by more than {limit}: {numbers}."


def _warnings(result: Comparison) -> list[Finding]:
    found = []
    seats = {s.cell.configuration.seats for s in (result.base, *(v.side for v in result.variants))}
    if len(seats) > 1:
        said = "The sides have different numbers of players: fair shares differ, so win shares by seat do not compare."
        found.append(finding("warning", said))
    everyone = {p.strategy.name for s in (result.base, *(v.side for v in result.variants)) for p in s.cell.players}
    if everyone == {"random"}:
        said = "All seats choose at random: this shows what rules and luck do by themselves. Try a strategy."
        found.append(finding("warning", said))
    share = result.base.cell.configuration.estimated_share
    if share > 0:
        said = (
            f"{round(100 * share)} % of the base's content is estimated: "
            "numbers that rest on it are no facts of the printed game."
        )
        found.append(finding("warning", said))
    return found


# --- output -----------------------------------------------------------------------------------------------------------


def show(result: Comparison, how: str, *, every: bool = False) -> None:
    """Print it."""
    if how == "json":
        print(json.dumps(as_json(result), indent=1, allow_nan=False))
    elif how == "csv":
        print(as_csv(result), end="")
    else:
        print(as_table(result, every=every))


def exit_code(result: Comparison) -> int:
    """0 done, 3 a variant is undecided."""
    return 3 if result.undecided else 0


def as_json(result: Comparison) -> dict[str, Any]:
    """The documented schema."""
    game = result.base.cell.configuration.game
    return {
        "schema": SCHEMA,
        "game": game.name,
        "version": game.version,
        "parameters": {**result.base.cell.configuration.settings, **result.base.cell.configuration.given},
        "strategies": [p.label for p in result.base.cell.players],
        "seed": result.base.study.seed,
        "games": result.games,
        "seconds": round(result.seconds, 3),
        "until": result.margin,
        "on": None if result.on is None else f"{result.on[0]}[{result.on[1]}]" if result.on[1] else result.on[0],
        "variants": [
            {**variant_data(v, result), "changes": [_change_json(c) for c in v.changes]} for v in result.variants
        ],
        "findings": result.sentences,
    }


def variant_data(variant: Variant, result: Comparison) -> dict[str, Any]:
    """What became of a variant, without the changes themselves: for JSON, and for the manifest of a folder."""
    reached, first = variant.reached, variant.reached.first
    return {
        "against": variant.side.label,
        "changed": dict(variant.side.changed),
        "base": dict(variant.side.before),
        "games": reached.games,
        "touched": _part(reached.touched, reached.games),
        "flipped": {**_part(reached.flipped, reached.games), "first": list(first)},
        "trace": {"base": result.base.trace(first[0]), "variant": variant.side.trace(first[0])} if first else None,
        "verdict": variant.verdict or None,
        "decided": None if variant.decided is None else _change_json(variant.decided),
    }


def _part(games: int, of: int) -> dict[str, Any]:
    share = st.rate(games, of)
    return {"games": games, "share": games / of, "low": share.low, "high": share.high, "method": share.method}


def _change_json(change: Change) -> dict[str, Any]:
    fields = change._asdict()
    second = fields.pop("group2")
    return {**fields, "group": ",".join(g for g in (change.group, second) if g)}


def as_csv(result: Comparison) -> str:
    """All changes of all variants."""
    return text.csv(CSV_HEAD, [[v.side.label, *c] for v in result.variants for c in v.changes])


def as_table(result: Comparison, *, every: bool = False) -> str:
    """Heading; for each variant its sentences, its numbers and the games that flip; what to be wary of."""
    speech = speech_of(result)
    parts = [_heading(result)]
    if len(result.variants) > 1 and result.margin is not None:
        parts.append(_verdicts(result, speech))
    for variant in result.variants:
        said = said_of(variant, result, speech)
        name = variant.side.label
        lines = [
            text.bullets([t], "=" if f["kind"] == "answer" else "-")
            for f, t in zip(said, _short(said, variant), strict=True)
        ]
        parts.append("\n".join([*([name, "-" * len(name)] if len(result.variants) > 1 else []), *lines]))
        parts.append(_numbers(variant, result, speech, every))
        if variant.reached.flipped:
            parts.append(_flips(variant, result))
    wary = [f["text"] for f in result.sentences if f["kind"] == "warning"]
    if wary:
        parts.append("Be wary:\n" + text.bullets(wary))
    if result.folder is not None:
        parts.append(f"kept in {result.folder} (doomtrack report {result.folder})")
    return "\n\n".join(parts)


def _verdicts(result: Comparison, speech: Speech) -> str:
    """One line a variant: what is known of the metric that decides."""
    body = []
    for variant in result.variants:
        change = variant.decided
        size, interval = amount(speech, change) if change is not None and change.change is not None else ("-", "")
        body.append([variant.side.label, size, interval or "-", f"{variant.reached.games:,}", variant.verdict])
    label = result.variants[0].decided.label if result.variants[0].decided is not None else ""
    return text.table(["against", f"change of {label}", "95 % at all looks", "games", "verdict"], body, right=(1, 2, 3))


def _short(said: Sequence[Finding], variant: Variant) -> list[str]:
    """The sentences below each other: what is done is said once."""
    subject = doing(variant.side)
    texts = [str(f["text"]) for f in said]
    return [t if k == 0 else t.replace(subject, "It", 1) for k, t in enumerate(texts)]


def _heading(result: Comparison) -> str:
    game, cell = result.base.cell.configuration.game, result.base.cell
    who = ", ".join(f"{w}: {s}" if w != "all" else s for w, s in cell.strategies.items())
    given = f"; {words.listed(result.base.study.base)}" if result.base.study.base else ""
    over = ", the same luck on all sides"
    return (
        f"{game.title}: what changes?\n{game.name} version {game.version}, {who}{given}\n"
        f"{result.games:,} games of each{over if len(result.variants) > 1 else ', the same luck on both sides'}; "
        f"seed {result.base.study.seed}, {result.seconds:.1f} s"
    )


def _shown(change: Change, variant: Variant, result: Comparison) -> bool:
    """Whether the short table shows it: headlines; of the seats only where they play differently."""
    if not mt.is_headline(change.metric, change.group, change.group2):
        return False
    sides = (result.base, variant.side)
    mixed = any(len({p.label for p in s.cell.players}) > 1 for s in sides)
    return mixed or not change.group.startswith("seat=")


def _numbers(variant: Variant, result: Comparison, speech: Speech, every: bool) -> str:
    shown = [c for c in variant.changes if every or _shown(c, variant, result)]
    body = []
    for change in shown:
        width = None if change.low is None or change.high is None else change.high - change.low
        size, interval = amount(speech, change) if change.change is not None else ("-", "")
        values = [
            "-" if x is None else speech.value(change.metric, x, width or None).removesuffix(" points")
            for x in (change.base, change.variant)
        ]
        needed = "" if change.unpaired is None else f"{change.unpaired:,}"
        body.append([change.label, *values, size, interval or "-", needed])
    sequence = "95 % at all looks" if result.margin is not None else "95 % interval"
    head = ["metric", "before", "after", "change", sequence, "unpaired"]
    said = text.table(head, body, right=(1, 2, 3, 4, 5))
    hidden = len(variant.changes) - len(shown)
    games = f"{variant.reached.games:,} games of each; unpaired: games of each that luck of their own would have taken"
    more = f"\n{hidden} more numbers: --all, --format csv, or --out DIR" if hidden else ""
    return f"{said}\n{games}{more}"


def _flips(variant: Variant, result: Comparison) -> str:
    first = variant.reached.first[:NAMED]
    named = ", ".join(str(n) for n in first)
    lines = [
        text.wrapped(f"{variant.reached.flipped:,} games end with another result, the first are {named}:"),
        f"  {result.base.trace(first[0])}",
        f"  {variant.side.trace(first[0])}",
    ]
    return "\n".join(lines)
