"""A comparison whose players adapt to each side's rules first: the sides with tuned line-ups, and what is said of it.

What the old habits would have shown stands beside: the same comparison, played with the players as they were.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from experiments import lineup, text
from experiments.adapting import telling
from experiments.adapting.adapt import Hear, adapt
from experiments.adapting.players import line_up as line_up_of
from experiments.adapting.steps import Adapted
from experiments.comparing import contrast, paired
from experiments.comparing.comparison import Comparison
from experiments.comparing.paired import Change
from experiments.comparing.reached import Variant
from experiments.comparing.variants import Side
from experiments.kinds import Finding, finding
from experiments.speech import Speech
from experiments.study import build, plan
from simcore.game import Game

CSV_HEAD = ("players", "base_strategies", "variant_strategies", *contrast.CSV_HEAD)
OLD, NEW = "old habits", "adapted"


def tune(
    chosen: Sequence[Side], *, games: int | None, threads: int | None, hear: Hear | None
) -> tuple[list[Side], list[Adapted]]:
    """The sides with the players of each tuned to its rules, and how. Where nothing is adopted, the sides as they are.

    Weights that the comparison is about are not touched. Raises InputError, PlayError.
    """
    found = adapt(
        [s.cell for s in chosen],
        [s.study for s in chosen],
        games=games,
        hold=compared_weights(chosen),
        threads=threads,
        hear=hear,
    )
    if not any(a.changed for a in found):
        return list(chosen), found
    whole = [line_up_of(a.cell.configuration, a.cell.players) for a in found]
    words = list(dict.fromkeys(who for said in whole for who in said))
    return [_side(s, said, words) for s, said in zip(chosen, whole, strict=True)], found


def compared_weights(chosen: Sequence[Side]) -> set[str]:
    """Names of the weights that some side sets apart: `strategy.0.hold`, or those of `strategy.0=expert:hold=1`."""
    found: set[str] = set()
    for name, value in ((n, v) for s in chosen for n, v in s.changed.items() if lineup.is_lineup(n)):
        who, weight = lineup.split(name)
        parts = [weight] if weight else str(value).partition(":")[2].split(",") if who else []
        found |= {p.partition("=")[0].strip() for p in parts}
    return found - {""}


def _side(side: Side, who: dict[str, str], words: Sequence[str]) -> Side:
    """A side with this line-up; `words`: whom any side names, so that all say the same of each."""
    fields = side.study.model_dump()
    fields["base"] = {k: v for k, v in fields["base"].items() if not lineup.is_lineup(k)}
    fields["strategies"] = who
    study = build(**fields)
    cell = plan(study).cells[0]
    game: Game = cell.configuration.game
    said = {f"{lineup.PREFIX}{w}": lineup.text_for(game, who, w) for w in words if _there(w, cell.configuration.seats)}
    return replace(side, study=study, cell=cell, line_up=said)


def _there(who: str, seats: int) -> bool:
    return not who.isdigit() or int(who) < seats


# --- what is said -----------------------------------------------------------------------------------------------------


def _named(result: Comparison) -> list[tuple[str, Adapted]]:
    labels = ["base", *(v.side.label for v in result.variants)]
    return list(zip(labels, result.adapted, strict=True)) if result.adapted else []


def sentences(result: Comparison) -> list[Finding]:
    """How the players were tuned, and where the old habits would have said something else."""
    found = [finding("finding", said) for side, a in _named(result) for said in telling.sentences(a, _title(side))]
    speech = contrast.speech_of(result)
    for variant, old in _both(result):
        for before, after in _beside(variant, old):
            word = _word(before, after)
            if word in (SAME, UNSEEN):
                continue
            name, sizes = speech.name(after.metric, after.group), [_size(speech, c) for c in (before, after)]
            said = f"{sizes[0]} with the old habits, {sizes[1]} with adapted players"
            said = f"{variant.side.label}: the change of {name} is {word}: {said}."
            found.append(finding("finding", said))
    return found + ([finding("warning", telling.CAUTION)] if result.habits is not None else [])


def _title(side: str) -> str:
    return "Adapting to the base" if side == "base" else f"Adapting to {side}"


def _both(result: Comparison) -> list[tuple[Variant, Variant]]:
    return list(zip(result.variants, result.habits.variants, strict=True)) if result.habits is not None else []


def _beside(variant: Variant, old: Variant) -> list[tuple[Change, Change]]:
    """The changes that sentences speak of, with the old habits and with adapted players."""
    known = {c[:3]: c for c in old.told}
    of = [(known[c[:3]], c) for c in variant.told if c[:3] in known]
    turns = any(c.metric == "turns" for _, c in of)  # minutes are turns at a pace
    return [
        (b, a) for b, a in of if b.change is not None and a.change is not None and not (turns and a.metric == "minutes")
    ]


SAME, FLIPS, UNSEEN = "the same", "turned round", "not visible"
ONLY_NEW, ONLY_OLD = "seen only with adapted players", "seen only with the old habits"
LARGER, SMALLER = "larger with adapted players", "smaller with adapted players"


def _word(before: Change, after: Change) -> str:
    """How the two compare, by their intervals; apart only where these don't meet."""
    signs = [_sign(before), _sign(after)]
    if signs == [0, 0]:
        return UNSEEN
    if 0 in signs:
        return ONLY_NEW if signs[1] else ONLY_OLD
    if signs[0] != signs[1]:
        return FLIPS
    low, high = (after.low or 0) - (before.high or 0), (before.low or 0) - (after.high or 0)
    if low > 0 or high > 0:
        return LARGER if (low > 0) == (signs[0] > 0) else SMALLER
    return SAME


def _sign(change: Change) -> int:
    if change.low is not None and change.low > 0:
        return 1
    return -1 if change.high is not None and change.high < 0 else 0


def _size(speech: Speech, change: Change) -> str:
    size, interval = contrast.amount(speech, change)
    return f"{size} ({interval})" if interval else size


def table(result: Comparison) -> str:
    """How the players were tuned; then the changes with the old habits beside those with adapted players."""
    parts = [telling.table(_named(result))]
    if result.habits is None:
        parts.append("The players stay as they were on all sides: what follows is the comparison without --adapt.")
        return "\n\n".join(parts)
    speech = contrast.speech_of(result)
    for variant, old in _both(result):
        body = []
        if variant.verdict:
            assert variant.decided is not None  # noqa: S101 - it has a verdict
            body.append([variant.decided.label, old.verdict, variant.verdict, _agreed(old.verdict, variant.verdict)])
        for before, after in _beside(variant, old):
            label = after.label
            body.append([label, _size(speech, before), _size(speech, after), _word(before, after)])
        head = contrast.doing(old.side)
        parts.append(text.wrapped(f"{head}:") + "\n" + text.table(["metric", OLD, NEW, ""], body, right=(1, 2)))
    return "\n\n".join(parts)


def _agreed(old: str, new: str) -> str:
    if old == new:
        return SAME
    return FLIPS if {old, new} == {paired.LARGER, paired.SMALLER} else "another verdict"


def show(result: Comparison, how: str, *, every: bool = False) -> None:
    """Print a comparison, with what was adapted."""
    if not result.adapted:
        contrast.show(result, how, every=every)
    elif how == "json":
        print(json.dumps(as_json(result), indent=1, allow_nan=False))
    elif how == "csv":
        print(text.csv(CSV_HEAD, csv_rows(result)), end="")
    else:
        print(contrast.as_table(result, every=every, beside=[table(result)]))


def as_json(result: Comparison) -> dict[str, Any]:
    """The schema of a comparison; with `adapted` (a side each) and `old_habits` (the comparison without, or null)."""
    if not result.adapted:
        return contrast.as_json(result)
    old = None if result.habits is None else {**contrast.as_json(result.habits), "findings": []}
    return {**contrast.as_json(result), "adapted": as_data(result), "old_habits": old}


def as_data(result: Comparison) -> list[dict[str, Any]]:
    """What was tuned, a side each."""
    return [telling.as_data(a, side) for side, a in _named(result)]


def csv_rows(result: Comparison) -> list[list[Any]]:
    """All changes, first those with adapted players, then those with the old habits; who plays in front."""
    rows = []
    for players, found in ((NEW, result), (OLD, result.habits)):
        for variant in found.variants if found is not None else ():
            who = [telling.line(s.cell.strategies) for s in (found.base, variant.side)] if found is not None else []
            rows += [[players, *who, variant.side.label, *c] for c in variant.changes]
    return rows
