"""The same comparison with one strategy after another on all seats: which changes hold for all, and which flip.

A change that is claimed only where every strategy shows it needs no wider intervals than one strategy does: the claim
is wrong only if the least sure of them is (intersection-union test: Berger 1982, Technometrics 24:295).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments import text
from experiments.comparing import adapted, contrast, joined_folder
from experiments.comparing.compare import prepared, run
from experiments.comparing.comparison import Comparison
from experiments.comparing.holding import UNSEEN, Holding, word
from experiments.comparing.variants import Against
from experiments.speech import Speech
from simcore.errors import InputError


def compare_over(
    game: str, against: Against | Sequence[Against], playing: Sequence[str], **words: Any
) -> dict[str, Comparison]:
    """`compare` with each strategy of `playing` on all seats of all sides, by strategy; further words as there.

    With `out`, each has a folder of its own in it, and goes on there. All of them are checked before the first game.
    On Ctrl-C the last one is marked `interrupted`, and those after it are missing. Raises InputError, PlayError.
    """
    names = [p.strip() for p in playing if p.strip()]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(f"--strategies {','.join(playing)}: give two or more different ones, as greedy,expert")
    if words.get("strategies"):
        raise InputError("--strategies puts each of them on all seats; leave --strategy out")
    playing_words = ("threads", "watch", "command", "scheduler", "adapt", "adapt_games", "hear")
    how = {k: words.pop(k) for k in playing_words if k in words}
    out = words.pop("out", None)
    folders = _folders(out, names)
    ready = []
    for name in names:
        try:
            ready.append((prepared(game, against, playing=name, **words), folders[name]))
        except InputError as error:
            raise InputError(f"--strategies {name}: {error}") from None
    found = dict(zip(names, run(ready, **how), strict=False))
    if out is not None and len(found) == len(names) and not any(c.interrupted for c in found.values()):
        joined_folder.write(Path(out), found, holdings(found), how.get("command", ""))
    return found


def _folders(out: str | Path | None, names: Sequence[str]) -> dict[str, Path | None]:
    """A folder a strategy. Raises InputError if there is anything else in `out`."""
    if out is None:
        return dict.fromkeys(names)
    if not str(out).strip():
        raise InputError("--out: no folder is named (leave --out away to keep nothing)")
    found = {name: Path(out) / re.sub(r"[^A-Za-z0-9.]+", "-", name) for name in names}
    if len(set(found.values())) < len(names):
        raise InputError(f"--strategies {','.join(names)}: two of them would have the same folder in {out}")
    if Path(out).is_file():
        raise InputError(f"--out {out}: is a file, not a folder")
    if joined_folder.is_there(out):
        return dict(found)
    for path in sorted(Path(out).iterdir()) if Path(out).is_dir() else ():
        if path not in found.values():
            raise InputError(f"--out {out}: holds something else ({path.name}); choose a new or empty folder")
    return dict(found)


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


def exit_code(found: dict[str, Comparison]) -> int:
    """0 done, 3 a variant is undecided with some strategy."""
    return max(contrast.exit_code(c) for c in found.values())


def show(found: dict[str, Comparison], how: str, *, every: bool = False) -> None:
    """Print it: the table has what holds for all; JSON and CSV have every comparison, too."""
    last = next(reversed(found.values()))
    if last.interrupted:  # what holds for all is not known
        print(f"doomtrack: {stopped(found)}", file=sys.stderr)
        return
    for remark in last.remarks:
        print(f"doomtrack: {remark}", file=sys.stderr)
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


def stopped(found: dict[str, Comparison]) -> str:
    """What to say after Ctrl-C."""
    last, done = next(reversed(found.values())), list(found)[:-1]
    if last.folder is None:
        return contrast.stopped(last)
    kept = [f"{len(done)} strateg{'y' if len(done) == 1 else 'ies'} ({', '.join(done)})"] if done else []
    kept += [f"{last.begun:,} games of each side with {list(found)[-1]}"] if last.begun else []
    are = f"{' and '.join(kept)} are kept in {last.folder.parent}" if kept else "nothing was finished"
    return f"stopped: {are}; go on with: {last.command}"


def as_json(found: dict[str, Comparison]) -> dict[str, Any]:
    """The documented schema: what holds, and each comparison by strategy."""
    holds = [h.data for h in holdings(found)]
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
