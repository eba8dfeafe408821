"""A trace with a fault put in, and what a referee says of it: for the tests that referees see faults."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np


class Tampered:
    """A game in which much happens, found when it is first asked for; its copies with faults.

    `find` gives the trace; `judge` follows one and raises `error`, whose `said` is the objection.
    """

    def __init__(
        self, find: Callable[[], np.ndarray], judge: Callable[[np.ndarray], object], error: type[Exception]
    ) -> None:
        self._find, self._judge, self._error = find, judge, error

    @cached_property
    def events(self) -> np.ndarray:
        """The trace as it was told."""
        return self._find()

    def objects(self, events: np.ndarray) -> str:
        """What the referee says of a trace, "" for nothing."""
        try:
            self._judge(events)
        except self._error as error:
            said: str = error.said  # type: ignore[attr-defined]
            return said
        return ""

    def rows_of(self, event: Any) -> list[int]:
        """The first, a middle and the last of an event's rows."""
        rows = np.flatnonzero(self.events["event"] == event)
        return sorted({int(rows[0]), int(rows[len(rows) // 2]), int(rows[-1])})

    def changed(self, at: int, **fields: int) -> np.ndarray:
        """The trace with other numbers in one event."""
        events = self.events.copy()
        for name, value in fields.items():
            events[name][at] = value
        return events
