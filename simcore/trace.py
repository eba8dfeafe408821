"""Plays one game again, by seed and number, and tells it as events.

The production kernel writes the events. A game with more events than the buffer holds is played again from an offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import batch, records
from simcore.errors import InputError
from simcore.game import Configuration, Player


@dataclass(frozen=True)
class Trace:
    """One game: its events (records.TRACE_EVENT rows), its outcome row, and the record at its end."""

    number: int
    seed: int
    events: np.ndarray
    outcome: Any
    final: Any


def play_one(
    configuration: Configuration,
    players: Sequence[Player],
    number: int,
    *,
    seed: int = 1,
    why: bool = False,
    **hooks: Any,
) -> Trace:
    """Game `number`, traced; `why` adds what each policy saw and thought.

    Hooks as for batch.prepare. Raises InputError.
    """
    if not 0 <= number <= batch.LAST_NUMBER:
        raise InputError(f"game numbers are 0..2^62, not {number}")
    rules, position = batch.prepare(configuration, players, seed=seed, **hooks)
    game, work = batch.new_work(configuration, position)
    work["tracing"], work["why"] = 1, int(why)
    parts: list[np.ndarray] = []
    seen, all_events = 0, 1
    while seen < all_events:
        work["trace_first"], work["traced"] = seen, 0
        batch.call_kernel(configuration, rules, game, work, number, 1)
        all_events = int(work["traced"][0])
        parts.append(work[0]["trace"][: min(records.TRACE, all_events - seen)].copy())
        seen += len(parts[-1])
    return Trace(number, seed, np.concatenate(parts), work[0]["outcome"][0].copy(), game[0].copy())


def as_dicts(configuration: Configuration, trace: Trace) -> list[dict[str, Any]]:
    """The events as plain dicts, for JSON lines: event name, seat, a, b, c."""
    names = configuration.game.layout.Event
    return [
        {"event": names(int(row["event"])).name.lower(), **{k: int(row[k]) for k in ("seat", "a", "b", "c")}}
        for row in trace.events
    ]
