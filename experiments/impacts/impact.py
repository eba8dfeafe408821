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
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import lineup, playing, words
from experiments import statistics as st
from experiments.comparing import paired
from experiments.comparing.compare import margin_of
from experiments.comparing.comparison import looks, whole_rotations
from experiments.comparing.paired import Change, Touched
from experiments.execution import with_players
from experiments.impacts import entries as en
from experiments.impacts.entries import Asked, Entry
from experiments.impacts.pairs import Pair, Table, said
from experiments.manifest import line_up_and_settings
from experiments.study import GAMES_A_CELL, Study, build, plan
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    import polars as pl

MOST_GAMES = 1_200_000  # a side, of an entry that is played until something is known
Watcher = Callable[[int, int, int, int | None], None]  # entries done, entries, games of the present side, planned


@dataclass(frozen=True)
class Effect:
    """What an entry does: the change with its own interval, and with one that holds together with all others."""

    entry: Entry
    change: Change  # base: the other deal; variant: the holder has the entry
    told: Change
    reached: Touched
    verdict: str = ""  # with `until`

    @property
    def seen(self) -> bool:
        """Whether it is visible among all others that it does something."""
        return self.told.low is not None and self.told.high is not None and not self.told.low <= 0 <= self.told.high

    @property
    def most(self) -> float | None:
        """How large the change could be either way."""
        return None if self.told.low is None or self.told.high is None else max(-self.told.low, self.told.high)


@dataclass
class Impact:
    """What `impact` gave. `effects` are ordered by the change, the largest first."""

    asked: Asked
    study: Study
    effects: list[Effect]
    precision: float | None
    until: float | None
    seconds: float
    started: str
    command: str
    folder: Path | None = None
    sentences: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False

    @property
    def games(self) -> int:
        """Most games of a side."""
        return max((e.reached.games for e in self.effects), default=0)

    @property
    def undecided(self) -> bool:
        """Whether an entry was given up undecided."""
        return any(e.verdict == paired.UNDECIDED for e in self.effects)

    def get(self, slug: str) -> Effect:
        """What one entry does. Raises KeyError."""
        for effect in self.effects:
            if effect.entry.slug == slug:
                return effect
        raise KeyError(slug)

    @property
    def cells(self) -> pl.DataFrame:
        """One row an entry: its name, copies, source, change, interval, games, and how many games it touches."""
        from experiments.impacts import folder

        return folder.frame(self)

    def line(self, slug: str) -> str:
        """The command that plays one entry again, as far as it was played."""
        return command_of(self.asked, self.study, slug, self.get(slug).reached.games)


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
    from experiments.impacts import folder as kept
    from experiments.impacts import telling

    keeper = kept.Keeper(result, out)
    try:
        _play(result, keeper, threads, watch)
    except KeyboardInterrupt:
        if not result.effects:
            keeper.discard()
            raise
        result.interrupted = True
    except PlayError as error:
        keeper.discard()
        raise said(error, _options(asked, study)) from None
    result.effects.sort(key=lambda e: -(e.change.change or 0.0))
    result.seconds = time.perf_counter() - clock
    result.sentences = telling.sentences(result)
    keeper.close()
    return result


def _play(result: Impact, keeper: Any, threads: int | None, watch: Watcher | None) -> None:
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
    return Effect(pair.entry, change, told, pair.reached, paired.verdict(told, until) if until is not None else "")


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


def command_of(
    asked: Asked, study: Study, entry: str | None, games: int, parameters: Mapping[str, Any] | None = None
) -> str:
    """The command line that asks the same, of one entry or of all."""
    import shlex

    said_words = ["doomtrack", "impact", study.game, "--of", asked.deal.kind]
    if entry is not None or len(asked.entries) < len(asked.cell.configuration.content.sections[asked.deal.section]):
        said_words += ["--entries", entry or ",".join(e.slug for e in asked.entries)]
    said_words += ["--versus", asked.versus] if asked.versus != en.DEAL else []
    if asked.holder != asked.deal.players(asked.cell.configuration.seats)[0]:
        said_words += ["--holder", str(asked.holder)]
    settings = {**study.base, **{k: v for k, v in (parameters or {}).items() if not lineup.is_lineup(k)}}
    said_words += line_up_and_settings(study, settings)
    return shlex.join([*said_words, "--games", str(games), "--seed", str(study.seed)])


def _options(asked: Asked, study: Study) -> str:
    import shlex

    return shlex.join(line_up_and_settings(study, study.base))
