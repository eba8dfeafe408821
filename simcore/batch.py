"""Plays any range of game numbers on all cores, in blocks whose results do not depend on order, size or threads.

A block is a contiguous run of game numbers, played by one call of compiled code that releases the GIL; each thread has
its own ``game`` and ``work``. All totals are integers, so blocks added in any order give the same bits. Blocks come
back in the order of their numbers: what has been yielded is always a contiguous prefix of the games.
"""

from __future__ import annotations

import os
import queue
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np

from simcore import records
from simcore.errors import InputError, PlayError, nearest
from simcore.game import Configuration, How, Metric, Player

BLOCK = 1200  # games in a block by default: some 5 ms of work, a multiple of 60
SMALLER = (600, 300, 240, 120, 60)  # where there are few games, so that every core has some of them
MOST_GAMES = 10**15
LAST_NUMBER = 2**62  # of a game
FAULTS = (records.Status.ENDLESS, records.Status.ILLEGAL)  # statuses of games that could not be played on
T = TypeVar("T")
_FAULTS = np.array(FAULTS)
_ALL_KINDS = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass
class Totals:
    """Integer totals of a run of games.

    `sum`, `square`, `fired`: by tally slot (sum over games, sum of squares, games in which it was not 0); `cross`: by
    pair of `pairs`; `histogram`: games by span and value; `status`: games by records.Status.
    """

    games: int
    decisions: int
    sum: np.ndarray
    square: np.ndarray
    fired: np.ndarray
    cross: np.ndarray
    histogram: np.ndarray
    status: np.ndarray

    def __add__(self, other: Totals) -> Totals:
        """The totals of both."""
        return Totals(
            self.games + other.games,
            self.decisions + other.decisions,
            self.sum + other.sum,
            self.square + other.square,
            self.fired + other.fired,
            self.cross + other.cross,
            self.histogram + other.histogram,
            self.status + other.status,
        )


@dataclass(frozen=True)
class Block:
    """`games` games from number `first` on; `outcomes` (layout.OUTCOME rows) only if they were asked for."""

    first: int
    games: int
    totals: Totals
    outcomes: np.ndarray | None


@lru_cache(maxsize=64)  # most cells of a study have the same metrics
def pairs(metrics: tuple[Metric, ...]) -> tuple[tuple[int, int], ...]:
    """Pairs of tally slots whose products are summed, for the intervals of ratios; in order of first use."""
    needed = ((m.a, m.b) for m in metrics if m.how in (How.RATIO, How.SHARE_OF))
    return tuple(dict.fromkeys(needed))


def option_mask(configuration: Configuration, forbid: Sequence[str]) -> np.uint64:
    """Bits of the kinds of option that are allowed. Raises InputError for a kind that the game lacks."""
    if not forbid:
        return _ALL_KINDS
    kinds = {kind.name.lower(): int(kind) for kind in configuration.game.layout.Option}
    mask = int(_ALL_KINDS)
    for name in forbid:
        if name not in kinds:
            raise InputError(f"forbid: no kind of option {name!r}; known: {', '.join(kinds)}")
        mask &= ~(1 << kinds[name])
    return np.uint64(mask)


def _streams(layout: Any, name: str) -> list[int]:
    """Streams that a source of chance means: the last ones are the seats' own."""
    named = {s.name.lower(): [int(s)] for s in layout.Stream}
    first = layout.Stream.POLICY
    seats = {f"{first.name.lower()}.{i}": [first + i] for i in range(layout.STREAMS - first)}
    named[first.name.lower()] = [stream for streams in seats.values() for stream in streams]
    if name not in named and name not in seats:
        raise InputError(f"no source of chance {name!r}; known: {', '.join(named)}, {first.name.lower()}.SEAT")
    return {**named, **seats}[name]


def entries(configuration: Configuration, players: Sequence[Player]) -> list[Player]:
    """The rows of the line-up in a ``rules`` record: the players, then who plays in their place, each once.

    Raises InputError for more than fit, and for what nobody can play as in this game.
    """
    found = list(players)
    for player in players:
        for what, other in player.playing_as.items():
            if what not in configuration.playable:
                hint = nearest(what, configuration.playable)
                raise InputError(f"{player.label}: nobody plays as {what!r} in {configuration.game.name}{hint}")
            if other not in found[len(players) :]:
                found.append(other)
    room = len(configuration.rules[0]["policy"])
    if len(found) > room:
        raise InputError(f"the line-up has {len(found)} different ways to play, and {room} fit")
    return found


def prepare(
    configuration: Configuration,
    players: Sequence[Player],
    *,
    seed: int = 1,
    follow_up: Any = None,
    freeze: Mapping[str, int] | None = None,
    redraw: Mapping[str, int] | None = None,
    deal: Mapping[int, Mapping[str, Any]] | None = None,
    position: np.ndarray | None = None,
    script: Sequence[int] = (),
) -> tuple[np.ndarray, np.ndarray | None]:
    """The `rules` record of a batch: configuration, seed, line-up; compiles what is needed.

    `freeze`: source of chance -> game number whose luck it repeats in every game. `redraw`: source of chance -> n, it
    takes the luck of the n-th game after each, all others keep theirs. Sources are the game's streams by name; "policy"
    is all seats' own, "policy.2" one seat's. `deal`: player -> what he is dealt at set-up (see Game.force_deal).
    `position`: a 1-element GAME array as the start of each game, at a turn's start (see Game.read_position). `script`:
    options (not indices) for the first decisions of each game. Raises InputError.
    """
    from simcore import jit

    game, layout = configuration.game, configuration.game.layout
    if len(players) != configuration.seats:
        raise InputError(f"{configuration.seats} players need a line-up of {configuration.seats}, not {len(players)}")
    if not 0 <= seed < 2**63:
        raise InputError(f"seed {seed} is outside 0..2^63-1")
    own = {name: game.kernel(name) for name in ("play_turn", "play_block", "redeal")}
    usual = follow_up or game.kernel("follow_up")
    everyone = entries(configuration, players)
    follow_ups = [follow_up or player.strategy.follow_up or usual for player in everyone]
    policies = [player.strategy.policy for player in everyone]
    called = list(dict.fromkeys([*own.values(), usual, *follow_ups, *policies]))
    jit.build_all(called)
    address = {kernel: jit.address(kernel) for kernel in called if kernel is not own["play_block"]}
    rules = configuration.rules.copy()
    row = rules[0]
    row["seed"] = seed
    row["stream_number"] = records.NONE
    for name, number in (freeze or {}).items():
        if not 0 <= number <= LAST_NUMBER:
            raise InputError(f"freeze: {name} needs a game number from 0 on, not {number}")
        row["stream_number"][_streams(layout, name)] = number
    for name, shift in (redraw or {}).items():
        if not 1 <= shift <= MOST_GAMES:
            raise InputError(f"redraw: {name} takes the luck of a later game, 1 or more after its own, not {shift}")
        row["stream_number"][_streams(layout, name)] = records.NONE - shift
    if deal:
        game.force_deal(configuration, row, deal)
    for i, player in enumerate(everyone):
        row["policy"][i] = address[player.strategy.policy]
        if len(player.strategy.weights) > len(row["weight"][i]):
            room = len(row["weight"][i])
            raise InputError(f"{player.label}: {len(player.strategy.weights)} weights, and {room} fit")
        for k, weight in enumerate(player.strategy.weights):
            row["weight"][i, k] = player.weights.get(weight.name, weight.default)
        row["mask"][i] = option_mask(configuration, player.forbid)
        row["looks_ahead"] |= int(player.strategy.looks_ahead)
    for i, player in enumerate(players if configuration.playable else ()):
        row["entry_of"][i] = i
        for what, other in player.playing_as.items():
            row["entry_of"][i, configuration.playable.index(what)] = everyone.index(other, len(players))
    row["follow_up"] = address[usual]
    for i, kernel in enumerate(follow_ups):
        row["follow_up"][i] = address[kernel]
    row["play_turn"], row["redeal"] = address[own["play_turn"]], address[own["redeal"]]
    used = pairs(configuration.metrics)
    if len(used) > len(row["pair_a"]):
        raise InputError(f"{game.name}: {len(used)} ratios are asked for, and {len(row['pair_a'])} fit")
    row["pairs"] = len(used)
    row["pair_a"][: len(used)], row["pair_b"][: len(used)] = np.array(used, np.int64).reshape(-1, 2).T
    if len(script) > len(row["script"]):
        raise InputError(f"the script has {len(script)} answers, and {len(row['script'])} fit")
    row["scripted"] = len(script)
    row["script"][: len(script)] = script
    if position is not None and position[0]["seats"] != configuration.seats:
        raise InputError(f"the position has {position[0]['seats']} players, the configuration {configuration.seats}")
    row["from_position"] = int(position is not None)
    return rules, position


def new_work(configuration: Configuration, position: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """`game` and `work` records of one thread."""
    layout = configuration.game.layout
    game, work = np.zeros(1, layout.GAME), np.zeros(1, layout.WORK)
    if position is not None:
        work["position"] = position
    return game, work


# By layout: the records of threads that play nothing, with what they were used for last. A study of many short cells
# would spend much of its time on new memory, a page at a time.
_spare: dict[Any, list[tuple[np.ndarray, np.ndarray, object]]] = {}


@contextmanager
def _records(
    configuration: Configuration, position: np.ndarray | None, use: object
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """`game` and `work` for a block of one `use` (same configuration and position): as new in the first one."""
    spare = _spare.setdefault(configuration.game.layout, [])
    try:
        game, work, last = spare.pop()
    except IndexError:
        game, work = new_work(configuration, position)
        last = use
    if last is not use:
        game.view(np.uint8).fill(0)
        work.view(np.uint8).fill(0)
        if position is not None:
            work["position"] = position
    try:
        yield game, work
    finally:
        spare.append((game, work, use))


def block_for(games: int, threads: int) -> int:
    """Games in a block: BLOCK, or the largest smaller one that gives each thread two blocks of these games."""
    if threads == 1:
        return BLOCK
    return next((size for size in (BLOCK, *SMALLER) if games >= 2 * threads * size), SMALLER[-1])


def play(
    configuration: Configuration,
    players: Sequence[Player],
    *,
    games: int,
    first: int = 0,
    seed: int = 1,
    threads: int | None = None,
    block: int | None = None,
    keep: bool = False,
    **hooks: Any,
) -> Iterator[Block]:
    """Play games `first` .. `first + games - 1`: their blocks in order; further `hooks` as for `prepare`.

    `block`: games in a block; None: BLOCK, or less where there are so few games that a core would have none. Blocks end
    at multiples of that size, so that whoever goes on from where another stopped comes by the same numbers of games.
    With several threads the first blocks are begun at once, and played while the caller does other things.
    Raises InputError for bad input and PlayError where a policy answers outside its options or an effect does not end.
    """
    if not 0 < games <= MOST_GAMES or not 0 <= first <= LAST_NUMBER:
        raise InputError(f"games must be 1..{MOST_GAMES:.0e} from a number 0..2^62, not {games} from {first}")
    threads = threads or os.cpu_count() or 1
    if block is None:
        block = block_for(games, threads)
    if not 0 < block <= records.MOST_IN_BLOCK:
        raise InputError(f"a block has 1..{records.MOST_IN_BLOCK} games, not {block}")
    rules, position = prepare(configuration, players, seed=seed, **hooks)
    after = range(first - first % block + block, first + games, block)
    workers = min(threads, 1 + len(after))
    starts = chain((first,), after)
    ours = object()

    def one(start: int) -> Block:
        with _records(configuration, position, ours) as (game, work):
            end = min(start - start % block + block, first + games)
            return _play_block(configuration, rules, game, work, start, end - start, keep)

    def checked(block: Block) -> Block:
        return _checked(configuration, players, seed, block)

    if workers == 1:
        return (checked(one(start)) for start in starts)
    pool = _pool(workers)
    return _InOrder((pool.submit(one, start) for start in starts), 2 * workers, checked)


@lru_cache(maxsize=8)
def _pool(workers: int) -> ThreadPoolExecutor:
    """Threads that stay: a study of many short cells would spend much of its time starting them."""
    return ThreadPoolExecutor(workers, thread_name_prefix="doomtrack")


class SideError(PlayError):
    """A game of one of several sides cannot be played on: its place among them."""

    def __init__(self, side: int, text: str) -> None:
        super().__init__(text)
        self.side = side


def play_together(
    sides: Sequence[tuple[Configuration, Sequence[Player]]],
    see: Callable[[Sequence[Block]], T],
    *,
    games: int,
    first: int,
    seed: int,
    block: int,
    threads: int | None = None,
) -> Iterator[T]:
    """Play the same games on several sides: what `see` makes of each block of all of them, in order.

    A thread plays a block of one side after the other and calls `see` on them at once, so that no outcome is copied:
    the outcomes are overwritten by the next games. Raises SideError as `play` does PlayError, and InputError.
    """
    prepared = [prepare(configuration, players, seed=seed) for configuration, players in sides]
    starts = range(first, first + games, block)
    workers = max(1, min(threads or os.cpu_count() or 1, len(starts)))
    idle: queue.SimpleQueue[list[tuple[np.ndarray, np.ndarray]]] = queue.SimpleQueue()
    for _ in range(workers):
        idle.put([new_work(configuration, None) for configuration, _ in sides])

    def one(start: int) -> T:
        count, records_ = min(block, first + games - start), idle.get()
        try:
            blocks = []
            for k, ((configuration, players), (rules, _), (game, work)) in enumerate(
                zip(sides, prepared, records_, strict=True)
            ):
                try:
                    call_kernel(configuration, rules, game, work, start, count)
                    played = Block(start, count, _totals(work, count), work[0]["outcome"][:count])
                    blocks.append(_checked(configuration, players, seed, played))
                except PlayError as error:
                    raise SideError(k, str(error)) from None
            return see(blocks)
        finally:
            idle.put(records_)

    if workers == 1:
        return (one(start) for start in starts)
    return _InOrder((_pool(workers).submit(one, start) for start in starts), 2 * workers, lambda seen: seen)


class _InOrder(Iterator[T]):
    """Blocks in the order of their numbers, so many of them begun ahead."""

    def __init__(self, begun: Iterator[Future[T]], ahead: int, checked: Callable[[T], T]) -> None:
        self._further, self._checked = begun, checked
        self._waiting = deque(islice(begun, ahead))

    def __next__(self) -> T:
        if not self._waiting:
            raise StopIteration
        try:
            block = self._waiting[0].result()
            self._waiting.popleft()
            self._waiting.extend(islice(self._further, 1))
            return self._checked(block)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ctrl-C, an error, or nobody wants more: do not play what was only waiting."""
        for future in self._waiting:
            future.cancel()
        wait(self._waiting)
        self._waiting.clear()
        self._further = iter(())


def call_kernel(
    configuration: Configuration, rules: np.ndarray, game: np.ndarray, work: np.ndarray, start: int, count: int
) -> None:
    """Play `count` games from `start` on. Raises PlayError where a policy raises (a division by zero, a bad index)."""
    try:
        configuration.game.kernel("play_block")(game[0], rules[0], work[0], start, count)
    except (ArithmeticError, LookupError, ValueError) as error:
        row = game[0]
        decision = configuration.game.layout.Decision(int(row["decision"])).name.lower()
        raise PlayError(
            f"game {int(row['number'])} of seed {int(rules[0]['seed'])} could not be played on: a strategy raised "
            f"{type(error).__name__} ({error}); last asked: decision {decision!r} in turn {int(row['turn']) + 1}"
        ) from None


def _play_block(
    configuration: Configuration,
    rules: np.ndarray,
    game: np.ndarray,
    work: np.ndarray,
    start: int,
    count: int,
    keep: bool,
) -> Block:
    call_kernel(configuration, rules, game, work, start, count)
    row, totals = work[0], _totals(work, count)
    faults = totals.status[_FAULTS].any()
    outcomes = row["outcome"][:count].copy() if keep or faults else None
    return Block(start, count, totals, outcomes)


def _totals(work: np.ndarray, count: int) -> Totals:
    """The totals of the games that were played last."""
    row = work[0]
    return Totals(
        count,
        int(row["decisions"]),
        *(row[name].copy() for name in ("sum", "square", "fired", "cross", "histogram", "ended")),
    )


def _checked(configuration: Configuration, players: Sequence[Player], seed: int, block: Block) -> Block:
    if block.outcomes is None or not block.totals.status[_FAULTS].any():
        return block
    for row in block.outcomes[np.isin(block.outcomes["status"], FAULTS)]:
        layout = configuration.game.layout
        number = int(row["number"])
        player = int(row["fault_player"])
        who = f"player {player} ({players[player].label})" if 0 <= player < len(players) else "nobody"
        decision = layout.Decision(int(row["fault_decision"])).name.lower()
        if row["status"] == records.Status.ILLEGAL:
            what = (
                f"{who} answered {int(row['fault_answer'])} to the decision {decision!r}, which is none of its options"
            )
        else:
            what = f"a chain of effects did not end or outgrew its log (last asked: {who}, decision {decision!r})"
        raise PlayError(
            f"game {number} of seed {seed} could not be played on: {what}; see it with: doomtrack trace "
            f"{configuration.game.name} --game {number} --seed {seed} (and the same line-up and settings)"
        )
    return block


def total(configuration: Configuration, players: Sequence[Player], **options: Any) -> Totals:
    """All totals of `play` in one; options as for `play`."""
    blocks = play(configuration, players, **options)
    result = next(blocks).totals
    for block in blocks:
        result += block.totals
    return result
