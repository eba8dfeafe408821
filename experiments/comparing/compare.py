"""`experiments.compare`: a comparison from its words to its sentences and its folder."""

from __future__ import annotations

import datetime
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments import words
from experiments.adapting.adapt import Hear, number_of_games
from experiments.adapting.steps import Adapted
from experiments.comparing import adapted, contrast
from experiments.comparing import folder as kept
from experiments.comparing.comparison import (
    GAMES,
    MOST_GAMES,
    Comparison,
    Watcher,
    metric_to_decide,
    play,
    whole_rotations,
)
from experiments.comparing.variants import Against, Side, sides
from experiments.execution import with_players
from experiments.study import build
from simcore.errors import InputError


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
    adapt: bool = False,
    adapt_games: int | float | str | None = None,
    hear: Hear | None = None,
) -> Comparison:
    """Compare variants with a base on the same luck: `doomtrack compare`, with the same words.

    `against`: what a variant changes, `{"gear": 4}` or `"gear=4,players=5"`; a list of them for several. `until`: a
    margin, in the metric's own unit (0.005 is half a point of a share), that decides when to stop, by the metric `on`
    (`win_share[seat=0]`; default: the game's first headline); `games` is then the most. `playing`: a strategy for all
    seats on all sides. `adapt`: tune the players' weights to each side's rules first (experiments.adapting), with
    `adapt_games` a side at most; `hear` is told how far that is. Raises InputError, PlayError.
    """
    clock, started = time.perf_counter(), datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    variants = [against] if isinstance(against, str | Mapping) else list(against)
    margin = None if until is None else margin_of(until)
    if on is not None and margin is None:
        raise InputError("--on names the metric that --until looks at; give --until, too")
    asked = MOST_GAMES if margin is not None and games is None else GAMES if games is None else games
    number = whole_rotations(words.number_of_games(asked))
    if adapt_games is not None and not adapt:
        raise InputError("--adapt-games says how much --adapt may play; give --adapt, too")
    tuning = None if adapt_games is None else number_of_games(adapt_games)
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
    decides = metric_to_decide(on, chosen) if margin is not None else None
    as_they_were: Sequence[Side] = chosen
    how: list[Adapted] = []
    if adapt:
        kept.refuse_another(out, chosen, margin, decides, adapting=True)
        chosen, how = adapted.tune(chosen, games=tuning, threads=threads, hear=hear)
    folder = None
    if out is not None:
        folder = kept.opened(out, chosen, margin, decides, adapting=adapt)

    def played(these: Sequence[Side]) -> Comparison:
        rows, done, found = play(these, games=number, margin=margin, on=decides, threads=threads, watch=watch)
        return Comparison(these[0], rows, done, found, margin, decides, time.perf_counter() - clock, started, command)

    habits = played(as_they_were) if any(a.changed for a in how) else None
    result = played(chosen)
    result.adapted, result.habits = how, habits
    result.sentences = [*contrast.sentences(result), *adapted.sentences(result)]
    if folder is not None:
        kept.write(folder, result)
    return result


def margin_of(given: object) -> float:
    """`--until`: a margin above 0. Raises InputError."""
    try:
        number = float(str(given))
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise InputError(f"until: {given!r} is not a margin above 0 (0.005: half a point of a share; 2: two turns)")
    return number
