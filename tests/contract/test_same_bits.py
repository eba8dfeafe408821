"""The same bits: however a batch is cut and whoever plays it, on any threads, in another process, and uncompiled."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import strategies
from simcore import batch, jit, trace
from simcore.batch import Block
from simcore.game import Configuration, Player, Strategy, games
from tests.contract import bits
from tests.contract.bits import digest
from tests.contract.caught import ask, collection, planted
from tests.contract.games import table

GAMES = games()
RICH = table("RICH")
STRATEGIES = [(game, name) for game in GAMES for name in strategies.known(game)]
every_strategy = pytest.mark.parametrize(("game", "name"), STRATEGIES)
every_game = pytest.mark.parametrize("game", GAMES)
COUNT, SLOW_COUNT = 240, 24
FIRST = 7


@cache
def case(game: str, name: str) -> tuple[Configuration, tuple[Player, ...], int]:
    """What is played: everybody of this strategy, with settings that ask much; and how many games."""
    configuration = GAMES[game].configure(RICH[game][0])
    players = strategies.line_up(game, configuration.seats, [name])
    return configuration, players, SLOW_COUNT if players[0].strategy.looks_ahead else COUNT


def play(game: str, name: str, first: int = FIRST, count: int = 0, threads: int = 1, block: int = 1200) -> list[Block]:
    configuration, players, games_of_case = case(game, name)
    wanted = {"games": count or games_of_case, "first": first, "seed": 11, "threads": threads, "block": block}
    return list(batch.play(configuration, players, keep=True, **wanted))


@cache
def whole(game: str, name: str) -> tuple[Block, ...]:
    return tuple(play(game, name))


def outcomes(blocks: Sequence[Block]) -> np.ndarray:
    return np.concatenate([block.outcomes for block in blocks if block.outcomes is not None])


@every_strategy
@pytest.mark.parametrize(("threads", "block"), [(1, 60), (2, 60), (3, 7), (4, 1)])
def test_threads_and_blocks_do_not_matter(game: str, name: str, threads: int, block: int) -> None:
    assert digest(play(game, name, threads=threads, block=block)) == digest(whole(game, name))


@every_strategy
def test_where_a_batch_is_resumed_does_not_matter(game: str, name: str) -> None:
    last = FIRST + case(game, name)[2]
    cuts = [FIRST, FIRST + 1, FIRST + 13, last - 1, last]
    parts = [part for a, b in reversed(list(pairwise(cuts))) for part in play(game, name, a, b - a, block=60)]
    assert digest(sorted(parts, key=lambda block: block.first)) == digest(whole(game, name))


@every_strategy
def test_some_of_the_games_are_the_same_games(game: str, name: str) -> None:
    """A range of numbers alone, and one game alone, traced."""
    all_rows = outcomes(whole(game, name))
    assert all_rows["number"].tolist() == list(range(FIRST, FIRST + len(all_rows)))
    assert outcomes(play(game, name, FIRST + 5, 9)).tobytes() == all_rows[5:14].tobytes()
    configuration, players, _ = case(game, name)
    for row in (all_rows[0], all_rows[-1]):
        alone = trace.play_one(configuration, players, int(row["number"]), seed=11)
        assert alone.outcome.tobytes() == row.tobytes()


@every_strategy
def test_the_same_again(game: str, name: str) -> None:
    assert digest(play(game, name)) == digest(whole(game, name))


@every_strategy
def test_what_was_played_before_does_not_matter(game: str, name: str) -> None:
    """A record that holds nothing, another game, or noise: a game starts from nothing, and is told alike."""
    configuration, players, _ = case(game, name)
    rules, _ = batch.prepare(configuration, players, seed=11)
    record, work = batch.new_work(configuration, None)
    row = outcomes(whole(game, name))[3]
    nothing = record.copy()
    batch.call_kernel(configuration, rules, record, work, FIRST + 90, 1)
    noise = np.frombuffer(np.random.default_rng(5).bytes(record.nbytes), record.dtype).copy()
    work["tracing"], told = 1, set()
    for what, held in (("nothing", nothing), ("another game", record), ("noise", noise)):
        work["traced"] = 0
        batch.call_kernel(configuration, rules, held, work, FIRST + 3, 1)
        assert work[0]["outcome"][0].tobytes() == row.tobytes(), what
        told.add((int(work[0]["traced"]), work[0]["trace"][: work[0]["traced"]].tobytes()))
        assert len(told) == 1, what


@every_strategy
def test_the_same_position_gets_the_same_answer(game: str, name: str) -> None:
    """Whatever the scratch records hold from other questions."""
    strategy = strategies.known(game)[name]
    positions = collection(game)[::3]
    answers = [ask(position.copy(), strategy) for position in positions]
    assert [ask(position.copy(), strategy) for position in reversed(positions)][::-1] == answers


# --- faults that would be noticed ------------------------------------------------------------------------------------


@every_game
def test_a_policy_that_remembers_other_games_would_be_noticed(game: str) -> None:
    configuration, _, _ = case(game, "random")
    players = [Player(Strategy("sequence", "", "", planted(game, "in_sequence")))] * configuration.seats
    usual = list(batch.play(configuration, players, games=120, keep=True, threads=1))
    other = list(batch.play(configuration, players, games=60, first=60, keep=True, threads=1))
    assert outcomes(other).tobytes() != outcomes(usual)[60:].tobytes()


# --- processes -------------------------------------------------------------------------------------------------------

FEW = 2
PLAYED = f"bits.played({FEW})"


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    found: dict[str, str] = bits.played(FEW)["digests"]
    return found


@every_game
def test_every_strategy_and_rich_settings_are_compared(game: str, here: dict[str, str]) -> None:
    expected = [f"{game} {name}" for name in strategies.known(game)] + [
        f"{game} rich {i}" for i in range(len(RICH[game]))
    ]
    expected += [f"{game} by {GAMES[game].played_as}"] if GAMES[game].played_as else []
    assert [label for label in here if label.startswith(f"{game} ")] == expected
    assert len(set(here.values())) == len(here)


def test_a_process_with_a_warm_cache_compiles_nothing_and_plays_the_same(
    here: dict[str, str], kernel_cache: Path
) -> None:
    there = bits.in_process(PLAYED, DOOMTRACK_CACHE=str(kernel_cache))
    assert there == {"digests": here, "compiled": [], "disabled": jit.DISABLED}


@pytest.mark.skipif(jit.DISABLED, reason="kernels are not compiled here either")
def test_plain_python_plays_the_same(here: dict[str, str]) -> None:
    there = bits.in_process(PLAYED, NUMBA_DISABLE_JIT="1")
    assert there == {"digests": here, "compiled": [], "disabled": True}
