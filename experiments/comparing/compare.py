"""`experiments.compare`: a comparison from its words to its sentences and its folder.

``prepared`` checks the words before the first game, ``run`` plays what was prepared: one comparison, or one for each of
several strategies. With a folder, how far it is is kept now and then (``comparing.reached``). Players who adapt are
tuned first; the comparison with the players as they were is then one of its own, in a folder within the folder.
"""

from __future__ import annotations

import datetime
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments import words
from experiments.adapting.adapt import Hear, number_of_games
from experiments.adapting.steps import Adapted
from experiments.comparing import adapted, comparison, contrast
from experiments.comparing import folder as kept
from experiments.comparing.comparison import (
    GAMES,
    MOST_GAMES,
    Comparison,
    Watcher,
    metric_to_decide,
    whole_rotations,
)
from experiments.comparing.reached import Reached
from experiments.comparing.variants import Against, Side, options, sides
from experiments.execution import with_players
from experiments.playing import Source
from experiments.study import build
from simcore.errors import InputError, PlayError


@dataclass(frozen=True)
class Ready:
    """A comparison, checked: its sides, the games of each (with a margin: the most), and what decides.

    `how`: how the players of each side were tuned; `habits`: the same with the players as they were.
    """

    sides: Sequence[Side]
    games: int
    margin: float | None
    on: tuple[str, str] | None
    how: Sequence[Adapted] = ()
    habits: Ready | None = None


def compare(
    game: str,
    against: Against | Sequence[Against],
    *,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    games: int | float | str | None = None,
    until: float | str | None = None,
    on: str | None = None,
    seed: int = 1,
    threads: int | None = None,
    out: str | Path | None = None,
    watch: Watcher | None = None,
    command: str = "",
    playing: str | None = None,
    scheduler: str | None = None,
    adapt: bool = False,
    adapt_games: int | float | str | None = None,
    hear: Hear | None = None,
) -> Comparison:
    """Compare variants with a base on the same luck: `doomtrack compare`, with the same words.

    `against`: what a variant changes, `{"gear": 4}` or `"gear=4,players=5"`; a list of them for several. `until`: a
    margin, in the metric's own unit (0.005 is half a point of a share), that decides when to stop, by the metric `on`
    (`win_share[seat=0]`; default: the game's first headline); `games` is then the most. `playing`: a strategy for all
    seats on all sides. `adapt`: tune the players' weights to each side's rules first (experiments.adapting), with
    `adapt_games` a side at most; `hear` is told how far that is. With `out` a comparison that was stopped goes on, and
    a finished one is not played again (tuning is). `scheduler`: a dask cluster plays, see experiments.cluster. On
    Ctrl-C the variants that were done with come back, marked `interrupted`. Raises InputError, PlayError.
    """
    ready = prepared(
        game,
        against,
        players=players,
        settings=settings,
        strategies=strategies,
        content=content,
        plugins=plugins,
        games=games,
        until=until,
        on=on,
        seed=seed,
        playing=playing,
    )
    return run(
        [(ready, out)],
        threads=threads,
        watch=watch,
        command=command,
        scheduler=scheduler,
        adapt=adapt,
        adapt_games=adapt_games,
        hear=hear,
    )[0]


def prepared(
    game: str,
    against: Against | Sequence[Against],
    *,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    games: int | float | str | None = None,
    until: float | str | None = None,
    on: str | None = None,
    seed: int = 1,
    playing: str | None = None,
) -> Ready:
    """What `compare` is asked, checked: every side is built. Raises InputError."""
    variants = [against] if isinstance(against, str | Mapping) else list(against)
    margin = None if until is None else margin_of(until)
    if on is not None and margin is None:
        raise InputError("--on names the metric that --until looks at; give --until, too")
    asked = MOST_GAMES if margin is not None and games is None else GAMES if games is None else games
    number = whole_rotations(words.number_of_games(asked))
    base = build(
        game=game,
        base=with_players(settings, players),
        strategies=strategies,
        overlays=[str(c) for c in content],
        plugins=[str(p) for p in plugins],
        games=number,
        seed=seed,
    )
    chosen = sides(base, variants, strategy=playing)
    return Ready(chosen, number, margin, metric_to_decide(on, chosen) if margin is not None else None)


def run(
    ready: Sequence[tuple[Ready, str | Path | None]],
    *,
    threads: int | None = None,
    watch: Watcher | None = None,
    command: str = "",
    scheduler: str | None = None,
    adapt: bool = False,
    adapt_games: int | float | str | None = None,
    hear: Hear | None = None,
) -> list[Comparison]:
    """Play comparisons one after another, each with its folder or none; all folders are opened before the first game.

    On Ctrl-C the last one is marked `interrupted`, and those after it are missing. Raises InputError, PlayError.
    """
    from experiments.cluster import source as source_of

    if adapt_games is not None and not adapt:
        raise InputError("--adapt-games says how much --adapt may play; give --adapt, too")
    if adapt:
        tuning = None if adapt_games is None else number_of_games(adapt_games)
        for one, out in ready:
            kept.refuse_another(out, one.sides, one.margin, one.on, adapting=True)
        ready = [(_tuned(one, tuning, threads, hear), out) for one, out in ready]
    more = ["--adapt", *([] if adapt_games is None else ["--adapt-games", str(adapt_games)])] if adapt else []

    def place(one: Ready, out: str | Path | None, within: str = "") -> kept.Place | None:
        if out is None:
            return None
        said = command or _command(one.habits or one, out, more)
        return kept.Place(Path(out) / within, one.sides, one.margin, one.on, said, adapting=adapt and not within)

    found = []
    with source_of(scheduler, threads) as source:
        places = [
            (place(r, out), place(r.habits, out, kept.OLD_HABITS) if r.habits is not None else None) for r, out in ready
        ]
        for (one, _), (own, old) in zip(ready, places, strict=True):
            found.append(_with_habits(one, own, old, source, threads, watch, command))
            if found[-1].interrupted:
                break
        remarks = tuple(source.remarks())
    for comparison_ in found:
        comparison_.remarks = remarks
    return found


def _tuned(ready: Ready, games: int | None, threads: int | None, hear: Hear | None) -> Ready:
    """The same with the players of each side tuned to its rules."""
    chosen, how = adapted.tune(ready.sides, games=games, threads=threads, hear=hear)
    return replace(ready, sides=chosen, how=how, habits=ready if any(a.changed for a in how) else None)


def _with_habits(
    ready: Ready,
    own: kept.Place | None,
    old: kept.Place | None,
    source: Source,
    threads: int | None,
    watch: Watcher | None,
    command: str,
) -> Comparison:
    """A comparison, and before it the one with the players as they were, where adapting has changed any."""
    habits = None
    if ready.habits is not None:
        habits = _run(ready.habits, old, source, threads, watch, command)
        if habits.interrupted:
            return habits
    return _run(ready, own, source, threads, watch, command, habits)


def _run(
    ready: Ready,
    place: kept.Place | None,
    source: Source,
    threads: int | None,
    watch: Watcher | None,
    command: str,
    habits: Comparison | None = None,
) -> Comparison:
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    start = place.reached() if place is not None else None
    now, interrupted = start or Reached(), False

    def save(further: Reached) -> None:
        nonlocal now
        if place is not None:
            place.reach(further)
        now = further

    try:
        comparison.play(
            ready.sides,
            games=ready.games,
            margin=ready.margin,
            on=ready.on,
            threads=threads,
            watch=watch,
            source=source,
            start=start,
            save=save,
        )
    except KeyboardInterrupt:
        interrupted = True
    except PlayError:
        if place is not None:
            place.discard()
        raise
    rows = comparison.rows_of(ready.sides[0], now) if now.games else []
    variants = [now.finished[k] for k in sorted(now.finished)]
    result = Comparison(ready.sides[0], rows, now.games, variants, ready.margin, ready.on, now.seconds, started)
    result.command = command if place is None else place.command
    result.folder = None if place is None else place.path
    if interrupted:
        result.interrupted, result.begun = True, now.games if place is not None else 0
        return result
    result.adapted, result.habits = list(ready.how), habits
    result.sentences = [*contrast.sentences(result), *adapted.sentences(result)]
    if place is not None:
        place.write(result)
    return result


def _command(ready: Ready, out: str | Path, more: Sequence[str] = ()) -> str:
    """The command line that compares the same."""
    base = ready.sides[0].study
    said = ["doomtrack", "compare", base.game, *options(base)]
    said += [w for s in ready.sides[1:] for w in ("--against", s.label)]
    said += ["--games", str(ready.games), "--seed", str(base.seed)]
    if ready.margin is not None and ready.on is not None:
        metric, group = ready.on
        said += ["--until", f"{ready.margin:g}", "--on", f"{metric}[{group}]" if group else metric]
    return shlex.join([*said, *more, "--out", str(out)])


def margin_of(given: object) -> float:
    """`--until`: a margin above 0. Raises InputError."""
    try:
        number = float(str(given))
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise InputError(f"until: {given!r} is not a margin above 0 (0.005: half a point of a share; 2: two turns)")
    return number
