"""The same comparison with one strategy after another on all seats: which changes hold for all, and which flip.

A change that is claimed only where every strategy shows it needs no wider intervals than one strategy does: the claim
is wrong only if the least sure of them is (intersection-union test: Berger 1982, Technometrics 24:295).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments import text
from experiments.comparing import adapted, contrast, paired
from experiments.comparing.compare import compare
from experiments.comparing.comparison import Comparison
from experiments.comparing.paired import Change
from experiments.comparing.variants import Against
from experiments.speech import Speech
from simcore.errors import InputError

RAISED, LOWERED, UNSEEN = "raised", "lowered", "not visible"
FLIPS = "flips"


@dataclass(frozen=True)
class Holding:
    """What one change of a metric is with each strategy, in words."""

    against: str
    metric: str
    group: str
    words: dict[str, str]  # strategy -> word
    changes: dict[str, Change]

    @property
    def all(self) -> str:
        """The word that holds for all; FLIPS; or with which strategies something is seen."""
        different = set(self.words.values())
        if len(different) == 1:
            return next(iter(different))
        if {RAISED, LOWERED} <= different or {paired.LARGER, paired.SMALLER} <= different:
            return FLIPS
        open_ = (UNSEEN, paired.UNDECIDED)
        seen = [s for s, w in self.words.items() if w not in open_]
        if len({w for w in different if w not in open_}) == 1:
            return f"{self.words[seen[0]]} with {', '.join(seen)}"
        return "differs"

    @property
    def holds(self) -> bool:
        """Whether it is the same for all, and not that nothing is known."""
        return len(set(self.words.values())) == 1 and not {UNSEEN, paired.UNDECIDED} & set(self.words.values())


def compare_over(
    game: str, against: Against | Sequence[Against], playing: Sequence[str], **words: Any
) -> dict[str, Comparison]:
    """`compare` with each strategy of `playing` on all seats of all sides, by strategy; further words as there.

    With `out`, each has a folder of its own in it. Raises InputError, PlayError.
    """
    names = [p.strip() for p in playing if p.strip()]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(f"--strategies {','.join(playing)}: give two or more different ones, as greedy,expert")
    if words.get("strategies"):
        raise InputError("--strategies puts each of them on all seats; leave --strategy out")
    out = words.pop("out", None)
    found = {}
    for name in names:
        folder = None if out is None else Path(out) / re.sub(r"[^A-Za-z0-9.]+", "-", name)
        try:
            found[name] = compare(game, against, playing=name, out=folder, **words)
        except InputError as error:
            raise InputError(f"--strategies {name}: {error}") from None
    return found


def holdings(found: dict[str, Comparison]) -> list[Holding]:
    """Variant by variant, every change that sentences speak of; first the one that decides, if one does."""
    first = next(iter(found.values()))
    said = []
    for k, variant in enumerate(first.variants):
        if variant.decided is not None:
            decided = {s: c.variants[k].decided for s, c in found.items()}
            changes = {s: d for s, d in decided.items() if d is not None}
            verdicts = {s: c.variants[k].verdict for s, c in found.items()}
            said.append(Holding(variant.side.label, *variant.decided[:2], verdicts, changes))
        for told in variant.told:
            key = told[:3]
            of = {s: next((c for c in x.variants[k].told if c[:3] == key), None) for s, x in found.items()}
            if told.metric == "minutes" and any(c.metric == "turns" for c in variant.told):
                continue  # turns at a pace
            if any(c is None or c.change is None for c in of.values()) or told[:3] == (variant.decided or ())[:3]:
                continue
            changes = {s: c for s, c in of.items() if c is not None}
            said.append(Holding(variant.side.label, *key[:2], {s: word(c) for s, c in changes.items()}, changes))
    return said


def word(change: Change) -> str:
    """What an interval shows."""
    if change.low is not None and change.low > 0:
        return RAISED
    return LOWERED if change.high is not None and change.high < 0 else UNSEEN


def exit_code(found: dict[str, Comparison]) -> int:
    """0 done, 3 a variant is undecided with some strategy."""
    return max(contrast.exit_code(c) for c in found.values())


def show(found: dict[str, Comparison], how: str, *, every: bool = False) -> None:
    """Print it: the table has what holds for all; JSON and CSV have every comparison, too."""
    if how == "json":
        print(json.dumps(as_json(found), indent=1, allow_nan=False))
    elif how == "csv" and all(c.adapted for c in found.values()):
        rows = [[s, *row] for s, c in found.items() for row in adapted.csv_rows(c)]
        print(text.csv(("strategy", *adapted.CSV_HEAD), rows), end="")
    elif how == "csv":
        rows = [[s, v.side.label, *c] for s, x in found.items() for v in x.variants for c in v.changes]
        print(text.csv(("strategy", *contrast.CSV_HEAD), rows), end="")
    else:
        parts = [as_table(found)]
        parts += [f"{s}\n{'-' * len(s)}\n{adapted.table(c)}" for s, c in found.items() if c.adapted]
        if every:
            parts += [contrast.as_table(c, every=True) for c in found.values()]
        print("\n\n".join(parts))


def as_json(found: dict[str, Comparison]) -> dict[str, Any]:
    """The documented schema: what holds, and each comparison by strategy."""
    holds = [
        {
            "against": h.against,
            "metric": h.metric,
            "group": h.group,
            "verdicts": h.words,
            "over_all": h.all,
            "holds": h.holds,
        }
        for h in holdings(found)
    ]
    return {
        "schema": contrast.SCHEMA,
        "strategies": list(found),
        "holds": holds,
        "comparisons": {s: adapted.as_json(c) for s, c in found.items()},
    }


def as_table(found: dict[str, Comparison]) -> str:
    """What each strategy shows beside each other, and what holds for all."""
    first = next(iter(found.values()))
    speech = contrast.speech_of(first)
    game = first.base.cell.configuration.game
    games = max(c.games for c in found.values())
    seconds = sum(c.seconds for c in found.values())
    parts = [
        f"{game.title}: what changes, whoever plays?\n{game.name} version {game.version}, "
        f"one strategy after another on all seats: {', '.join(found)}\n"
        f"up to {games:,} games of each, seed {first.base.study.seed}, {seconds:.1f} s"
    ]
    every, narrow = holdings(found), False
    for k, variant in enumerate(first.variants):
        mine = [h for h in every if h.against == variant.side.label]
        table = _beside(mine, list(found), speech, intervals=True)
        if max(len(line) for line in table.splitlines()) > text.width():
            table, narrow = _beside(mine, list(found), speech, intervals=False), True
        reached = [
            f"{100 * c.variants[k].reached.flipped / c.variants[k].reached.games:.1f} % with {s}"
            for s, c in found.items()
        ]
        head = contrast.doing(variant.side)
        parts.append(f"{text.wrapped(head)}\n{table}\nother results: {', '.join(reached)}")
    note = "shares and rates in points; what is said holds together (95 %, family-wise by strategy)"
    parts.append(text.wrapped(f"{note}; in parentheses: not visible" if narrow else note))
    if first.folder is not None:
        parts.append(f"kept in {first.folder.parent}, one folder a strategy")
    return "\n\n".join(parts)


def _beside(held: Sequence[Holding], names: Sequence[str], speech: Speech, *, intervals: bool) -> str:
    """Changes by strategy; where the intervals do not fit, what is not visible stands in parentheses."""
    body = []
    for h in held:
        cells = []
        for change in h.changes.values():
            size, interval = contrast.amount(speech, change)
            size = size.removesuffix(" points")
            if intervals:
                cells.append(f"{size} ({interval})" if interval else size)
            else:
                cells.append(f"({size})" if word(change) == UNSEEN else size)
        body.append([f"{h.metric}[{h.group}]" if h.group else h.metric, *cells, h.all])
    return text.table(["metric", *names, "over all"], body, right=tuple(range(1, 1 + len(names))))
