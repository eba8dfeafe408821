"""`experiments.impact`: from its words to the change that each entry makes, its sentences and its folder.

The estimand: the change of the holder's win share (in a co-operative game of the table's win rate) when he is dealt the
entry at set-up, against the ordinary deal (or against the same deal with the entry's text blank), all other luck being
the same. It is causal because nothing but the deal differs; how often those win who happen to use a card is not, for
who gets to use it is often ahead (or behind) already.

Entries are played one after another: a fixed number of games, or until the interval is narrow (`precision`: by its
width only, so the ordinary interval stays right), or until it is known on which side of a margin the change lies
(`until`: by a confidence sequence, family-wise over the entries). What sentences say holds for all entries together.
"""

from __future__ import annotations

import datetime
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments import playing, words
from experiments import statistics as st
from experiments.comparing import paired
from experiments.comparing.compare import margin_of
from experiments.comparing.comparison import looks, whole_rotations
from experiments.execution import with_players
from experiments.impacts import entries as en
from experiments.impacts import telling
from experiments.impacts.folder import Keeper
from experiments.impacts.pairs import Pair, Table, said
from experiments.impacts.result import Effect, Impact, command_of, settings_words
from experiments.study import GAMES_A_CELL, build, plan
from simcore.errors import InputError, PlayError

MOST_GAMES = 1_200_000  # a side, of an entry that is played until something is known
Watcher = Callable[[int, int, int, int | None], None]  # entries done, entries, games of the present side, planned


def impact(
    game: str,
    *,
    of: str | None = None,
    entries: str | Sequence[str] = (),
    versus: str = en.DEAL,
    holder: int | str | None = None,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    games: int | float | str | None = None,
    precision: float | str | None = None,
    until: float | str | None = None,
    seed: int = 1,
    threads: int | None = None,
    out: str | Path | None = None,
    watch: Watcher | None = None,
    command: str = "",
) -> Impact:
    """What being dealt each entry does to its holder's chances: `doomtrack impact`, with the same words.

    `of`: the kind of thing (default: the game's first); `entries`: slugs, "a,b" or a list (default: all that can be
    dealt); `holder`: a player of the line-up (default: the first who can have it); `versus`: "deal" or "blank".
    `games` a side (default 20,040), or `precision`, the half-width to stop at, or `until`, a margin; with these two
    `games` is the most. On Ctrl-C the entries that are finished come back, marked `interrupted`. Raises InputError,
    PlayError.
    """
    clock, started = time.perf_counter(), datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    if precision is not None and until is not None:
        raise InputError("precision and until: give one of them (a half-width, or a margin that decides)")
    width = None if precision is None else words.half_width(precision)
    margin = None if until is None else margin_of(until)
    given = games if games is not None else GAMES_A_CELL if width is None and margin is None else MOST_GAMES
    most = whole_rotations(words.number_of_games(given))
    study = build(
        game=game,
        base=with_players(settings, players),
        strategies=strategies,
        overlays=[str(c) for c in content],
        plugins=[str(p) for p in plugins],
        games=most,
        seed=seed,
    )
    asked = en.asked(plan(study).cells[0], of, entries, versus, holder)
    said_line = command or command_of(asked, study, None, most)
    result = Impact(asked, study, [], width, margin, 0.0, started, said_line)
    keeper = Keeper(result, out)
    try:
        _play(result, keeper, threads, watch)
    except KeyboardInterrupt:
        if not result.effects:
            keeper.discard()
            raise
        result.interrupted = True
    except PlayError as error:
        keeper.discard()
        raise said(error, shlex.join(settings_words(study))) from None
    result.effects.sort(key=lambda e: -(e.change.change or 0.0))
    result.seconds = time.perf_counter() - clock
    result.sentences = telling.sentences(result)
    keeper.close()
    return result


def _play(result: Impact, keeper: Keeper, threads: int | None, watch: Watcher | None) -> None:
    """Every entry that the folder does not hold yet."""
    asked, study = result.asked, result.study
    table, many = Table(asked, study.seed, threads), len(asked.entries)
    for done, entry in enumerate(asked.entries):
        effect = keeper.read(entry)
        if effect is None:

            def tell(games: int, planned: int | None, done: int = done) -> None:
                if watch is not None:
                    watch(done, many, games, planned)

            effect = measured(table.pair(entry), many, study.games or 0, result.precision, result.until, tell)
            keeper.keep(effect)
        result.effects.append(effect)


def measured(
    pair: Pair,
    family: int,
    most: int,
    precision: float | None = None,
    until: float | None = None,
    tell: Callable[[int, int | None], None] = lambda games, planned: None,
) -> Effect:
    """Play one entry as far as it is asked, one of a `family` of so many."""
    level = st.family(st.LEVEL, family)
    fixed = precision is None and until is None
    for games in _looks(most, precision, until):
        pair.play_to(games, lambda n: tell(n, most if fixed else None))
        if precision is not None:
            found = pair.change()
            if found.low is not None and found.high is not None and (found.high - found.low) / 2 <= precision:
                break
        elif until is not None:
            if paired.verdict(pair.change(level, every_look=True), until) != paired.UNDECIDED:
                break
    looked = until is not None
    change, told = pair.change(every_look=looked), pair.change(level, every_look=looked)
    verdict = paired.verdict(told, until) if until is not None else ""
    return Effect(pair.entry, change, told, pair.reached, verdict, pair.where_used())


def _looks(most: int, precision: float | None, until: float | None) -> Iterator[int]:
    """Numbers of games at which it is asked whether there are enough, full rotations; the last is the most."""
    if precision is None and until is None:
        yield most
        return
    ahead = playing.checkpoints(most) if precision is not None else (n for n, _ in looks(most))
    for games in ahead:
        yield min(games, most)
        if games >= most:
            return
