"""Plays a balance contract: only what is undecided, cell by cell, until every number's interval has shown its side.

Each number is looked at after fixed numbers of games, contiguous prefixes of the game numbers, by a confidence sequence
(``experiments.sequences``), which is right at all looks together; the levels are those of a family (Bonferroni), so
that all verdicts hold together. A number PASSes when its interval lies in the band, FAILs when it lies outside, and is
UNDECIDED when the budget is spent; what it then shows is what it showed when it was decided. A cell is played on while
one of its numbers is undecided. Nothing depends on threads, on the order of the cells, or on which block is finished
first.
"""

from __future__ import annotations

import datetime
import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import lineup, words
from experiments.checking import adapted, gauges, verdicts
from experiments.checking import contract as contracts
from experiments.checking import junit as xml
from experiments.checking.contract import Contract
from experiments.checking.gauges import Sums
from experiments.checking.outcomes import OPEN, Checked, Outcome, Verdict, verdict
from experiments.checking.promises import Item, Ready, ready
from simcore.batch import BLOCK
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.adapting.adapt import Hear
    from experiments.execution import Observer
    from experiments.study import Cell
    from simcore.batch import Totals

GROWTH = 1.2  # from one look to the next


def looks(budget: int) -> Iterator[int]:
    """Numbers of games after which a cell is looked at.

    Multiples of BLOCK, growing by GROWTH; the last is the budget, cut to full rotations of the seats.
    """
    most = budget // 60 * 60
    n = BLOCK
    while n < most:
        yield n
        n = max(n + BLOCK, math.ceil(n * GROWTH / BLOCK) * BLOCK)
    yield most


# --- one cell ---------------------------------------------------------------------------------------------------------

Played = Callable[[int, int], "tuple[Totals, Mapping[str, Sums]]"]  # (games so far, games wanted) -> all so far


def settle(items: Sequence[Item], budget: int, played: Played) -> list[Outcome]:
    """Decide the items of one cell. `played` is asked to go on to each look, as long as something is undecided."""
    found = [OPEN] * len(items)
    done = 0
    for look in looks(budget):
        totals, sums = played(done, look)
        done = look
        for k, item in enumerate(items):
            if found[k].verdict is Verdict.UNDECIDED:
                reading = item.gauge.read(totals, sums, item.tuning)
                found[k] = Outcome(verdict(reading, item.band), reading, done)
        if all(f.verdict is not Verdict.UNDECIDED for f in found):
            break
    return found


class Table:
    """Plays the games of one cell, and keeps its totals."""

    def __init__(self, cell: Cell, items: Sequence[Item], seed: int, threads: int | None, watch: Callable[..., None]):
        self.cell, self.seed, self.threads, self.watch = cell, seed, threads, watch
        self.expressions = [i.gauge for i in items if i.gauge.expression]
        self.sums = {g.metric.name: Sums() for g in self.expressions}
        self.totals: Totals | None = None

    def __call__(self, done: int, wanted: int) -> tuple[Totals, Mapping[str, Sums]]:
        """Go on from `done` games to `wanted`."""
        from simcore import batch

        cell, keep = self.cell, bool(self.expressions)
        for block in batch.play(
            cell.configuration,
            cell.players,
            games=wanted - done,
            first=done,
            seed=self.seed,
            threads=self.threads,
            keep=keep,
        ):
            if self.totals is None:
                self.totals = block.totals
            else:
                self.totals.add(block.totals)
            if keep and block.outcomes is not None:
                for name, values in gauges.evaluated(
                    self.expressions, block.outcomes, cell.configuration.seats
                ).items():
                    self.sums[name].add(values)
            self.watch(self.totals)
        assert self.totals is not None  # noqa: S101 - wanted > done
        return self.totals, self.sums


# --- the whole --------------------------------------------------------------------------------------------------------


def check(
    contract: Contract | str | Path,
    *,
    strategies: str | Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    budget: int | float | str | None = None,
    level: float | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    junit: str | Path | None = None,
    observer: Observer | None = None,
    command: str = "",
    adapt: bool = False,
    adapt_games: int | float | str | None = None,
    hear: Hear | None = None,
) -> Checked:
    """Check a balance contract: `doomtrack check`, with the same words.

    `contract`: a `Contract`, the path of one in TOML, or the name of a game whose contract ships. `strategies` takes
    the place of its line-ups ("greedy,expert": every line for both); `settings`, `content` and `plugins` are added, as
    a change that must not break it. `adapt`: tune the players' weights to the rules of each cell first, with
    `adapt_games` a cell at most; `hear` is told how far that is. Raises InputError, and PlayError if no cell at all
    could be played.
    """
    from experiments.execution import Silent

    given = contract if isinstance(contract, Contract) else contracts.read(contract)
    asked = _with(given, strategies, settings, content, plugins, budget, level, seed)
    try:
        todo = ready(asked)
    except InputError as error:
        raise InputError(str(error) if isinstance(contract, Contract) else f"{contract}: {error}") from None
    if junit is not None:
        xml.writable(junit)
    if adapt_games is not None and not adapt:
        raise InputError("--adapt-games says how much --adapt may play; give --adapt, too")
    started, clock = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), time.perf_counter()
    said = command or _command(contract, asked, given, out, adapt, adapt_games)
    if adapt:
        verdicts.refuse_another(out, todo, adapting=True)
        todo = adapted.tuned(todo, games=adapt_games, threads=threads, hear=hear)
    keeper = verdicts.Keeper(todo, out, said, started)
    checked = play(todo, threads=threads, observer=observer or Silent())
    checked.took = time.perf_counter() - clock
    if len(checked.failed) == len(todo.cells) and not checked.interrupted:
        keeper.discard()
        raise PlayError(next(iter(checked.failed.values())))
    keeper.close(checked)
    if junit is not None:
        xml.write(junit, checked, started)
    return checked


def _command(
    named: Contract | str | Path,
    asked: Contract,
    given: Contract,
    out: str | Path | None,
    adapt: bool,
    adapt_games: object,
) -> str:
    """The command line that checks the same; of a contract made in Python, with a file name to be filled in."""
    said = ["doomtrack", "check", "TARGETS.toml" if isinstance(named, Contract) else str(named)]
    if asked.strategies != given.strategies:
        said += ["--strategies", ",".join(asked.line_ups)]
    said += [w for k, v in asked.base.items() if given.base.get(k) != v for w in ("--set", f"{k}={words.shown(v)}")]
    said += [w for o in asked.overlays[len(given.overlays) :] for w in ("--content", o)]
    said += [w for p in asked.plugins[len(given.plugins) :] for w in ("--plugin", p)]
    for name in ("budget", "level", "seed"):
        if (value := getattr(asked, name)) != getattr(given, name):
            said += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    said += ["--adapt"] if adapt else []
    said += ["--adapt-games", str(adapt_games)] if adapt_games is not None else []
    return shlex.join([*said, *(["--out", str(out)] if out is not None else [])])


def _with(
    contract: Contract,
    strategies: str | Sequence[str] | None,
    settings: Mapping[str, Any] | None,
    content: Sequence[str | Path],
    plugins: Sequence[str | Path],
    budget: Any,
    level: Any,
    seed: Any,
) -> Contract:
    """The contract with further words added or put in place of its own, checked anew."""
    from simcore.game import find_game

    fields = contract.model_dump()
    fields["overlays"] += [str(c) for c in content]
    fields["plugins"] += [str(p) for p in plugins]
    if strategies is not None:
        fields["strategies"] = lineup.strategy_values("--strategies", strategies, find_game(contract.game))
    for name, value in (settings or {}).items():
        for line in contract.line:
            if name in line.each:
                raise InputError(f"--set {name}: line {line.title!r} asks for each {name} of its own")
        fields["base"][name] = value
    for name, value in (("budget", budget), ("level", level), ("seed", seed)):
        if value is not None:
            fields[name] = value
    return contracts.build(**fields)


def play(todo: Ready, *, threads: int | None = None, observer: Observer) -> Checked:
    """Decide every item. On Ctrl-C what is not decided is UNDECIDED, and the result says that it was stopped."""
    from experiments.manifest import with_options
    from experiments.metrics import Counter
    from experiments.playing import Heard

    contract = todo.contract
    checked = Checked(todo, [OPEN] * len(todo.items))
    observer.begins(todo.plan, 0)
    try:
        for at, cell in enumerate(todo.cells):
            mine = [k for k, item in enumerate(todo.items) if item.cell == at]
            counter = Counter(cell.configuration, cell.players)

            def watch(totals: Totals, cell: Cell = cell, counter: Counter = counter) -> None:
                observer.hears(cell, Heard(totals.games, contract.budget, None, totals, counter))

            table = Table(cell, [todo.items[k] for k in mine], contract.seed, threads, watch)
            clock = time.perf_counter()
            try:
                for k, outcome in zip(mine, settle([todo.items[k] for k in mine], contract.budget, table), strict=True):
                    checked.outcomes[k] = outcome
            except PlayError as error:
                checked.failed[at] = str(with_options(error, todo.plan.study, cell))
            finally:
                checked.seconds[at] = time.perf_counter() - clock
                checked.games[at] = table.totals.games if table.totals is not None else 0
            observer.finished(cell)
    except KeyboardInterrupt:
        checked.interrupted = True
    finally:
        observer.ends()
    return checked
