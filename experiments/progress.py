"""What a terminal shows while games are played: games done, speed, widest interval, time left. Nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.execution import Observer
    from experiments.playing import Heard
    from experiments.study import Cell, Plan

COMPILE_SECONDS = 30  # a cold compile of one game on two cores, roughly
EVERY = 0.4  # seconds between two looks at the widths


def on_terminal() -> bool:
    """True if remarks would be read by a person: they go to stderr, so that stdout can be piped."""
    return sys.stderr.isatty()


@contextmanager
def watching(quiet: bool) -> Iterator[Observer | None]:
    """An observer for a study: a progress bar on a terminal, None in a pipe or if `quiet`."""
    bar = None if quiet or not on_terminal() else Bar()
    if bar is not None:
        announce_compiling()
    try:
        yield bar
    except KeyboardInterrupt:  # before the first game: later ones are caught where the games are played
        print("doomtrack: stopped", file=sys.stderr)
        raise
    finally:
        if bar is not None:
            bar.ends()


def announce_compiling(quiet: bool = False) -> None:
    """Say once on the terminal when the rules are compiled, since the first call waits for it."""
    if quiet or not on_terminal():
        return
    from simcore import jit

    said: list[str] = []

    def tell(name: str) -> None:
        if not said:
            said.append(name)
            print(f"compiling the rules (first time only, about {COMPILE_SECONDS} s) ...", file=sys.stderr)

    jit.on_compile.append(tell)


class Bar:
    """A line on the terminal."""

    def __init__(self) -> None:
        self._progress: Any = None
        self._task: Any = None
        self._plan: Plan | None = None
        self._base = 0  # games of the finished cells
        self._cells = 0
        self._done = 0
        self._looked = 0.0
        self._width: float | None = None
        self._started = time.perf_counter()

    def begins(self, plan: Plan, kept: int) -> None:
        """Open the line."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._plan, self._cells = plan, kept
        self._progress = Progress(
            TextColumn("{task.fields[what]}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[said]}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=True,
        )
        games = plan.study.games
        total = None if games is None else games * (len(plan.cells) - kept)
        self._task = self._progress.add_task("", total=total, what=self._what(), said="")
        self._progress.start()
        self._started = time.perf_counter()

    def hears(self, cell: Cell, heard: Heard) -> None:
        """Move the line on."""
        if self._progress is None:
            return
        now = time.perf_counter()
        self._done = heard.done
        if heard.width is not None:
            self._width = heard.width
        elif now - self._looked > EVERY:
            self._width, self._looked = heard.counter.widest(heard.totals), now
        done = self._base + heard.done
        speed = done / max(1e-9, now - self._started)
        width = f", ±{100 * self._width:.2f} points" if self._width is not None and self._width < 1 else ""
        fields: dict[str, Any] = {
            "completed": done,
            "said": f"{done:,} games, {speed:,.0f}/s{width}",
            "what": self._what(),
        }
        if self._plan is not None and self._plan.study.games is None and heard.planned is not None:
            fields["total"] = self._base + heard.planned
        self._progress.update(self._task, **fields)

    def finished(self, cell: Cell) -> None:
        """A cell more."""
        self._base += self._done
        self._cells += 1

    def ends(self) -> None:
        """Close the line."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _what(self) -> str:
        cells = len(self._plan.cells) if self._plan is not None else 1
        return f"cell {min(cells, self._cells + 1)} of {cells}" if cells > 1 else "playing"
