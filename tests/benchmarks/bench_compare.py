"""What a comparison costs beside its games: reading both sides, unit by unit, and telling what differs."""

from typing import Any

from experiments.comparing.compare import Ready, prepared, run
from simcore import batch
from tests.benchmarks.bench_sweep import by_own_time, every_game, spent
from tests.benchmarks.notes import note

GAMES_A_SIDE = 120_000  # as many as a comparison takes unless told otherwise
SLICES = 6  # in alternation with the bare kernel's: the machine is not always as fast
AGAINST = {"snowball": "gear=4", "snallygaster": "doom_length=14", "spooktacular": "turn_cap=300"}


def bare(ready: Ready) -> None:
    for side in ready.sides:
        cell = side.cell
        batch.total(cell.configuration, cell.players, games=ready.games, seed=side.study.seed)


def frame(game: str, games: int) -> float:
    """Share of a comparison's time, from its words to its sentences, that is not the games of both sides."""
    alone = whole = 0.0
    for seed in range(1, SLICES + 1):
        ready = prepared(game, AGAINST[game], games=games, seed=seed)
        alone += spent(lambda ready=ready: bare(ready))
        whole += spent(lambda seed=seed: run([(prepared(game, AGAINST[game], games=games, seed=seed), None)]))
    return 1 - alone / whole


@by_own_time
@every_game
def test_a_comparison_of_two_sides(benchmark: Any, game: str) -> None:
    frame(game, 120)
    found = benchmark.pedantic(frame, (game, GAMES_A_SIDE), rounds=1)
    what = f"share of a comparison of two sides, {GAMES_A_SIDE:,} games each, that is not games"
    note(benchmark, game, what, 100 * found, "%", most=5)
