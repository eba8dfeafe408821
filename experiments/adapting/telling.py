"""Says what tuning did: sentences, a table, plain data for JSON and result folders, and a line while it goes on."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from experiments import speech, text
from experiments.adapting.steps import (
    ADOPTED,
    AS_BASE,
    FOR_ONE,
    NO_DIFFERENCE,
    NO_WEIGHTS,
    OWN,
    Adapted,
    Step,
)
from experiments.statistics import Estimate
from simcore.records import SIXTIETHS

CAUTION = (
    "Players adapted by a random search play better than before, not best: another seed finds other weights. What "
    "holds with the players of several seeds is more likely to hold at a table."
)
RECORDED = 10  # of the tries of a search that JSON and folders keep, the best first
EVERY = 0.2  # seconds between two words on the terminal


def sentences(adapted: Adapted, side: str) -> list[str]:
    """One sentence a step; `side`: of which side, cell or game they speak."""
    return [f"{side}: {_said(step, adapted.together)}" for step in adapted.steps]


def _said(step: Step, together: bool) -> str:
    again = " again" if step.round else ""
    who = f"{step.who} ({step.strategy})"
    if step.verdict == NO_WEIGHTS:
        return f"{who} have no weights to tune, and stay as they are."
    if step.verdict == OWN:
        return f"{who} need weights of their own: {_numbers(step, together, 'the players of the base')} on fresh games."
    if step.verdict == AS_BASE:
        return (
            f"{who} take the base's weights, {weights(step)}: their own are not shown to do better ({gain(step.gain)})."
        )
    if step.verdict == NO_DIFFERENCE:
        return f"{who} stay as they are{again}: none of {len(step.tried)} tries gave any game another winner."
    if step.verdict == ADOPTED:
        return f"{who} take {weights(step)}{again}: {_numbers(step, together)} on fresh games."
    if step.verdict == FOR_ONE:
        return (
            f"{who} stay as they are{again}: the best of {len(step.tried)} tries pays for one of them "
            f"({gain(step.gain)}), but among players who all have it, one who keeps the old habits gains, too "
            f"({gain(step.old)})."
        )
    return (
        f"{who} stay as they are{again}: the best of {len(step.tried)} tries is not shown to be better on fresh games "
        f"({gain(step.gain)})."
    )


def weights(step: Step) -> str:
    """`alarm 11.4 (was 5), finish 1.52 (was 1)`."""
    return ", ".join(f"{name} {new:g} (was {old:g})" for name, (old, new) in step.changed.items())


def _numbers(step: Step, together: bool, others: str = "the others as they were") -> str:
    values = [f"{speech.plain(100 * x)} %" for x in (step.before, step.after) if x is not None]
    if together:
        return f"the table wins {values[1]} instead of {values[0]} ({gain(step.gain)})"
    old = "" if step.old is None else f"; one who keeps the old habits among them does not gain ({gain(step.old)})"
    return f"one such player among {others} wins {values[1]} instead of {values[0]} ({gain(step.gain)}){old}"


def gain(found: Estimate | None, unit: str = " points") -> str:
    """`+11.2 points, +10.0 to +12.4`."""
    if found is None or found.value is None:
        return "-"
    ends = [found.low, found.high]
    interval = "" if None in ends else ", " + " to ".join(f"{100 * (e or 0):+.1f}" for e in ends)
    return f"{100 * found.value:+.1f}{unit}{interval}"


def option(adapted: Adapted) -> str:
    """The `--strategy` options that play this line-up."""
    return shlex.join(w for part in _parts(adapted.cell.strategies) for w in ("--strategy", part))


def line(strategies: Mapping[str, str]) -> str:
    """A line-up in one text: `detective; lost_kid=expert`."""
    return "; ".join(_parts(strategies))


def _parts(strategies: Mapping[str, str]) -> list[str]:
    return [t if who == "all" else f"{who}={t}" for who, t in strategies.items()]


def table(named: Sequence[tuple[str, Adapted]], what: str = "side") -> str:
    """What changed on each side, by how much it was shown to be better, and the options that repeat it.

    `what`: what those that are named are called (side, cell).
    """
    together = all(a.together for _, a in named)
    body = []
    for side, adapted in named:
        for step in adapted.steps:
            changed = weights(step) if step.adopted else f"- ({step.verdict})"
            changed = f"{step.verdict}: {changed}" if step.verdict == AS_BASE else changed
            last = step.verdict in (AS_BASE, OWN)
            turn = ", over the base's" if last else f", round {step.round + 1}" if step.round else ""
            cells = [side, f"{step.who}{turn}", gain(step.gain, "")]
            body.append([*cells, *([] if together else [gain(step.old, "")]), changed])
    games = max((a.games for _, a in named), default=0)
    tries = max((len(s.tried) for _, a in named for s in a.steps), default=0)
    said = (
        f"Players adapted to the rules of each {what}: {tries} tries of named weights at a time, up to {games:,} "
        f"games of a {what}. "
    )
    if together:
        head = ["gain"]
        said += "What fresh games show to raise the table's win rate is adopted (points of win rate)."
    else:
        head = ["one new", "one old"]
        said += (
            "What fresh games show to be better is adopted by all: one new player among the old ones gains by it, and "
            "one old player among the new ones does not (points of win share)."
        )
    parts = [text.wrapped(said), text.table([what, "who", *head, "weights"], body)]
    repeat = [[side, option(adapted)] for side, adapted in named if adapted.changed]
    if repeat:
        width = max(len(side) for side, _ in repeat)  # each in one piece, to be copied
        parts.append("\n".join(["played by:", *(f"  {side.ljust(width)}  {said}" for side, said in repeat)]))
    return "\n".join(parts)


def as_data(adapted: Adapted, side: str) -> dict[str, Any]:
    """Plain data: the line-up, and each step with the best of its tries."""
    return {
        "side": side,
        "changed": adapted.changed,
        "strategies": dict(adapted.cell.strategies),
        "option": option(adapted),
        "tuned_for": "win_rate" if adapted.together else "win_share",
        "games": adapted.games,
        "steps": [_step(step) for step in adapted.steps],
    }


def _step(step: Step) -> dict[str, Any]:
    found = step.gain
    tested = {"before": step.before, "after": step.after, "gain": None, "low": None, "high": None, "games": 0}
    if found is not None:
        tested |= {"gain": found.value, "low": found.low, "high": found.high, "games": found.n}
    if step.old is not None:
        tested |= {"old": step.old.value, "old_low": step.old.low, "old_high": step.old.high}
    return {
        "round": step.round + 1,
        "who": step.who,
        "strategy": step.strategy,
        "verdict": step.verdict,
        "weights": {n: {"before": old, "after": new} for n, (old, new) in step.changed.items()},
        "fresh_games": tested,
        "searched": step.searched,
        "tries": len(step.tried),
        "best_tries": [
            {"weights": t.weights, "games": t.games, "gain": t.mean / SIXTIETHS} for t in step.tried[:RECORDED]
        ],
    }


@contextmanager
def watching(quiet: bool) -> Iterator[Callable[..., None] | None]:
    """What to call with games played, of at most so many; it keeps one line on the terminal."""
    from experiments import progress

    if quiet or not progress.on_terminal():
        yield None
        return
    said = 0.0

    def hear(done: int, most: int, where: str = "") -> None:
        nonlocal said
        now = time.perf_counter()
        if now - said >= EVERY:
            said = now
            line = f"adapting the players{where}: {done:,} of {most:,} games"
            print(f"\r{line}\033[K", end="", file=sys.stderr, flush=True)

    try:
        yield hear
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
