"""Each interval that the program reports holds the truth as often as it says: by simulation, kind by kind.

Kinds are the members of ``How``, the game's way to say how a number is computed. Each must be here twice: with
synthetic games of known truth, sent through the application's own ``Counter``, and, where a cell has it, with real
games. Wilson's interval for a plain rate is compared with its exact coverage, which swings with the rate (84 % at the
worst, near 0.18 expected events); all others have the bounds that are said below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import strategies
from experiments import statistics as st
from experiments.expressions import Expressions
from experiments.metrics import SETTLED, SURVIVED, Counter, metrics_of
from experiments.playing import play
from experiments.study import build, plan
from simcore import batch
from simcore.batch import Totals, pairs
from simcore.game import How, Metric, find_game, games
from simcore.records import BINS, SIXTIETHS
from tests.verify import cells
from tests.verify.against import added

pytestmark = pytest.mark.slow

REPLICATIONS, GAMES = 4000, 1200
SIGMAS = 4.0
CLOSE = (0.945, 0.955)  # what an interval that is right in the limit may do at 1,200 games
CAREFUL = (0.945, 1.0)  # conservative: ties, discrete values, few events
RARE = (0.93, 1.0)  # a sum of few events of several sizes, taken as a scaled Poisson


def within(covered: float, least: float, most: float, n: int) -> bool:
    """Whether the share of n intervals agrees with a coverage between `least` and `most`."""
    low = least - SIGMAS * np.sqrt(max(least * (1 - least), 1e-4) / n)
    high = most + SIGMAS * np.sqrt(max(most * (1 - most), 1e-4) / n)
    return bool(low <= covered <= high)


def wilson_coverage(p: float, n: int, *, seen: bool = False) -> float:
    """Exact coverage of Wilson's interval for a rate; `seen`: among the samples in which it is not 0."""
    most = int(n * p + 12 * np.sqrt(n * p * (1 - p)) + 30)
    least = max(0, int(n * p - 12 * np.sqrt(n * p * (1 - p)) - 30))
    counts = np.arange(max(least, int(seen)), min(n, most) + 1)
    weight = stats.binom.pmf(counts, n, p)
    bounds = np.array([st.wilson_bounds(int(k), n) for k in counts])
    return float(weight[(bounds[:, 0] <= p) & (p <= bounds[:, 1])].sum() / weight.sum())


# --- synthetic games -------------------------------------------------------------------------------------------------

A, B = 0, 1  # the two tallies of a synthetic game; its one span is 0


@dataclass
class Case:
    """`draw` gives (a, b) or the span's values of so many games; the truth is known."""

    how: How
    draw: Callable[[np.random.Generator, int], Any]
    truth: float
    bounds: tuple[float, float] | None  # None: Wilson's exact coverage
    name: str = "it"
    scale: float = 1.0
    q: float = 0.5


def shares(rng: np.random.Generator, n: int, p: float, tie: float) -> np.ndarray:
    """Sixtieths of a win: with probability `tie` two share it. The mean is p."""
    tied = rng.random(n) < tie
    return np.where(tied, SIXTIETHS // 2 * (rng.random(n) < 2 * p), SIXTIETHS * (rng.random(n) < p))


def group_shares(rng: np.random.Generator, n: int, most: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    """Up to `most` players of a group in a game; one of four wins, with luck one of the group."""
    b = rng.binomial(most, 0.5, n)
    return SIXTIETHS * (rng.random(n) < b * p), b


def among(rng: np.random.Generator, n: int, p: float, q: float) -> tuple[np.ndarray, np.ndarray]:
    """What happens with probability q in the games, a part p of all, where it can."""
    b = rng.random(n) < p
    return b & (rng.random(n) < q), b


def clustered(rng: np.random.Generator, n: int, mean: float, p: float) -> tuple[np.ndarray, np.ndarray]:
    """Trials that are alike within a game."""
    b = rng.poisson(mean, n) + 1
    return rng.binomial(b, rng.beta(10 * p, 10 * (1 - p), n)), b


def few_games(rng: np.random.Generator, n: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    """What is counted in few games, such as guests in the rounds that hardly any game reaches."""
    b = rng.random(n) < p
    return b * rng.poisson(3.0, n), b


def edge(rng: np.random.Generator, n: int, rare: float) -> np.ndarray:
    """Either sign, of mean 0."""
    return rng.choice([-180, 0, 0, 0, 60, 60, 60], n) * (rng.random(n) < rare)


CASES = {
    "rate .3": Case(How.RATE, lambda g, n: (g.random(n) < 0.3, None), 0.3, None),
    "rate .01": Case(How.RATE, lambda g, n: (g.random(n) < 0.01, None), 0.01, None),
    "rate .0005": Case(How.RATE, lambda g, n: (g.random(n) < 0.0005, None), 0.0005, None),
    "rate of some": Case(How.RATE_OF, lambda g, n: among(g, n, 0.25, 0.3), 0.3, CAREFUL),
    "rate of few": Case(How.RATE_OF, lambda g, n: among(g, n, 0.02, 0.1), 0.1, (0.925, 1.0)),
    "status .02": Case(How.STATUS, lambda g, n: (g.random(n) < 0.02, None), 0.02, None),
    "distribution": Case(How.SPAN_SHARE, lambda g, n: np.where(g.random(n) < 0.05, 7, 9), 0.05, None),
    "share with few ties": Case(How.SHARE, lambda g, n: (shares(g, n, 0.25, 0.02), None), 0.25, CAREFUL),
    "share with many ties": Case(How.SHARE, lambda g, n: (shares(g, n, 0.25, 0.5), None), 0.25, CAREFUL),
    "small share": Case(How.SHARE, lambda g, n: (shares(g, n, 0.02, 0.1), None), 0.02, (0.93, 1.0)),
    "share of a group": Case(How.SHARE_OF, lambda g, n: group_shares(g, n, 4, 0.2), 0.2, CLOSE),
    "share of a small group": Case(How.SHARE_OF, lambda g, n: group_shares(g, n, 1, 0.05), 0.05, (0.925, 1.0)),
    "mean of a skewed count": Case(How.MEAN, lambda g, n: (g.geometric(0.2, n) - 1, None), 4.0, CLOSE),
    "mean of a rare count": Case(How.MEAN, lambda g, n: (g.poisson(0.005, n), None), 0.005, CAREFUL),
    "mean of rare bursts": Case(How.MEAN, lambda g, n: (g.poisson(0.005, n) * 4, None), 0.02, CAREFUL),
    "mean of rare mixed bursts": Case(
        How.MEAN, lambda g, n: ((g.random(n) < 0.01) * g.choice([1, 1, 1, 5], n), None), 0.02, RARE
    ),
    "mean of nearly the same": Case(How.MEAN, lambda g, n: (20 - (g.random(n) < 0.002), None), 19.998, CAREFUL),
    "nearly the same, both ways": Case(
        How.MEAN, lambda g, n: (3 + (g.random(n) < 0.004) * g.choice([-1, 1, 2, -2], n), None), 3.0, CAREFUL
    ),
    "span of nearly the same": Case(How.SPAN_MEAN, lambda g, n: 20 - 2 * (g.random(n) < 0.004), 19.992, CAREFUL),
    "edge": Case(How.MEAN, lambda g, n: (edge(g, n, 1.0), None), 0.0, CLOSE, "an_edge", 1 / 240),
    "rare edge": Case(How.MEAN, lambda g, n: (edge(g, n, 0.005), None), 0.0, CAREFUL, "an_edge", 1 / 240),
    "ratio": Case(How.RATIO, lambda g, n: clustered(g, n, 10, 0.3), 0.3, CLOSE),
    "small ratio": Case(How.RATIO, lambda g, n: clustered(g, n, 10, 0.02), 0.02, (0.935, 0.96)),
    "rare ratio": Case(How.RATIO, lambda g, n: (g.binomial(21, 0.0005, n), np.full(n, 21)), 0.0005, CAREFUL),
    "ratio of a few games": Case(How.RATIO, lambda g, n: few_games(g, n, 0.01), 3.0, (0.925, 1.0)),
    "mean span": Case(How.SPAN_MEAN, lambda g, n: g.negative_binomial(3, 0.1, n), 27.0, CLOSE),
    "mean span in minutes": Case(
        How.SPAN_MEAN, lambda g, n: g.negative_binomial(3, 0.1, n), 27 * 0.3, CLOSE, scale=0.3
    ),
    "median": Case(How.SPAN_QUANTILE, lambda g, n: g.poisson(30.4, n), 30.0, CAREFUL),
    "fine median": Case(How.SPAN_QUANTILE, lambda g, n: g.integers(0, 1001, n), 500.0, CAREFUL),
    "5 % quantile": Case(How.SPAN_QUANTILE, lambda g, n: g.integers(1, 1001, n), 50.0, CAREFUL, q=0.05),
    "95 % quantile": Case(How.SPAN_QUANTILE, lambda g, n: g.geometric(0.1, n), 29.0, CAREFUL, q=0.95),
    "largest": Case(How.SPAN_MAX, lambda g, n: g.binomial(12, 0.3, n), 12.0, (1.0, 1.0)),
}


def totals(case: Case, drawn: Any) -> Totals:
    """What a batch of these games would have added up."""
    spans = not isinstance(drawn, tuple)
    a, b = (np.zeros(1, int), None) if spans else drawn
    a = a.astype(int)
    b = np.zeros_like(a) if b is None else b.astype(int)
    n = len(drawn) if spans else len(a)
    status = np.array([0, n - a.sum(), a.sum(), 0, 0, 0]) if case.how is How.STATUS else np.zeros(6, int)
    histogram = np.bincount(drawn, minlength=BINS)[None, :] if spans else np.zeros((1, BINS), int)
    both = np.stack([a, b])
    cross = np.array([(a * b).sum()])
    return Totals(n, 0, both.sum(1), (both**2).sum(1), (both != 0).sum(1), cross, histogram, status)


def counter(case: Case) -> Counter:
    """The application's own way from totals to rows, for a game with one metric."""
    slot = {How.STATUS: 2}.get(case.how, 0)
    b = B if case.how in (How.RATIO, How.SHARE_OF, How.RATE_OF) else -1
    metric = Metric(case.name, case.how, slot, b, scale=case.scale, q=case.q)
    assert len(pairs((metric,))) <= 1
    return Counter(SimpleNamespace(metrics=(metric,)), [])  # type: ignore[arg-type]


def test_every_kind_has_synthetic_games() -> None:
    assert {case.how for case in CASES.values()} == set(How)


def covered_by(case: Case, narrower: float = 1.0) -> tuple[float, int]:
    """Share of intervals that hold the truth, and how many there were; `narrower`: shrunk by this factor."""
    rng, count = np.random.default_rng(11), counter(case)
    covered = asked = 0
    for _ in range(REPLICATIONS):
        for row in count.rows(totals(case, case.draw(rng, GAMES))):
            if row.x in (None, 7) and row.low is not None and row.value is not None:
                low = row.value - (row.value - row.low) * narrower
                high = np.inf if row.high is None else row.value + (row.high - row.value) * narrower
                asked += 1
                covered += bool(low <= case.truth <= high)
    return covered / max(1, asked), asked


def bounds_of(case: Case) -> tuple[float, float]:
    return case.bounds or (wilson_coverage(case.truth, GAMES, seen=case.how is How.SPAN_SHARE),) * 2


@pytest.mark.parametrize("name", CASES)
def test_coverage_with_synthetic_games(name: str) -> None:
    covered, asked = covered_by(CASES[name])
    assert asked > 0.95 * REPLICATIONS
    bounds = bounds_of(CASES[name])
    assert within(covered, *bounds, asked), f"{covered:.4f} of {asked}, wanted {bounds}"


@pytest.mark.parametrize(
    "name", ["rate .3", "distribution", "share with few ties", "share of a group", "edge", "ratio"]
)
def test_intervals_a_tenth_too_narrow_are_noticed(name: str) -> None:
    covered, asked = covered_by(CASES[name], 0.9)
    assert not within(covered, *bounds_of(CASES[name]), asked), f"{covered:.4f} passes"


# --- real games ------------------------------------------------------------------------------------------------------

REAL: dict[How, tuple[float, float] | None] = {  # what a row of the kind may cover; None: Wilson's exact coverage
    How.RATE: None,
    How.STATUS: None,
    How.RATE_OF: (0.92, 1.0),  # few games
    How.SPAN_SHARE: None,
    How.SHARE: CAREFUL,
    How.SHARE_OF: (0.935, 1.0),  # small groups
    How.MEAN: (0.935, 1.0),  # counts of some fifty events in a replication
    How.RATIO: (0.935, 1.0),
    How.SPAN_MEAN: (0.935, 1.0),
    How.SPAN_QUANTILE: CAREFUL,
    How.SPAN_MAX: (1.0, 1.0),
}


def judged(played: cells.Played) -> list[tuple[cells.Key, How, float, int, tuple[float, float]]]:
    """Each row of a real cell with its coverage, how often it had an interval, and what it should cover."""
    found = []
    for row in played.truth:
        if row.metric.endswith(SURVIVED) or row.metric == SETTLED:
            continue  # made of others: rates of all games, and bounds that are no interval of one number
        key = cells.key(row)
        metric, j = played.metric[key], played.keys[key]
        low, high = played.low[:, j], played.high[:, j]
        there = ~np.isnan(low)
        if there.sum() < 200 or row.value is None:
            continue
        covered = ((low <= row.value) & (np.isnan(high) | (row.value <= high)))[there].mean()
        bounds = REAL[metric.how]
        if bounds is None:
            spans, there_is = metric.how is How.SPAN_SHARE, 1.0
            if spans:  # of the games in which there is such a number, as many as there are in a replication
                there_is = played.totals.histogram[metric.a].sum() / played.totals.games
            spread = np.sqrt(GAMES * there_is * (1 - there_is))
            counts = {round(GAMES * there_is + k * spread) for k in (-2, -1, 0, 1, 2)}
            exact = [wilson_coverage(row.value, games, seen=spans) for games in counts if games > 0]
            bounds = min(exact), max(exact)
        found.append((key, metric.how, float(covered), int(there.sum()), bounds))
    return found


def test_every_kind_and_every_game_is_judged() -> None:
    assert set(REAL) == set(How)
    assert {cell.game for cell in cells.CELLS.values()} == set(games())


@pytest.mark.parametrize("name", cells.CELLS)
def test_coverage_with_real_games(name: str) -> None:
    cell, wrong, seen = cells.CELLS[name], [], set()
    for key, how, covered, n, bounds in judged(cells.play(cell)):
        seen.add(how)
        if not within(covered, *bounds, n):
            wrong.append(f"{key}: {how.value} covers {covered:.4f} of {n}, wanted {bounds[0]:.4f}..{bounds[1]:.4f}")
    assert not wrong, "\n".join(wrong)
    configuration = find_game(cell.game).configure({"players": cell.players, **cell.settings})
    assert seen == {metric.how for metric in metrics_of(configuration)}, "a kind was never judged"


# --- what is added to the game's own numbers -------------------------------------------------------------------------


def test_coverage_of_a_metric_of_a_users_own() -> None:
    """A mean and a rate of an expression over outcomes."""
    played = cells.play(cells.MAIN)
    configuration = find_game("snowball").configure({"players": 4})
    outcomes = np.zeros(GAMES, configuration.game.layout.OUTCOME)
    covered = {"length": 0, "first_wins": 0}
    exact = {"length": played.turns.mean(), "first_wins": (played.share > SIXTIETHS // 2).mean()}
    for turns, share in zip(played.turns, played.share, strict=True):
        outcomes["turns"], outcomes["share"][:, 0] = turns, share
        own = Expressions({"length": "turns", "first_wins": "share_0 > 30"}, configuration)
        own.add(outcomes)
        for row in own.rows():
            covered[row.metric] += row.low <= exact[row.metric] <= row.high  # type: ignore[operator]
    for name, n in covered.items():
        assert within(n / len(played.turns), *CLOSE, len(played.turns)), (name, n)


@pytest.mark.parametrize("level", [0.8, 0.99, 0.9999])
def test_coverage_at_other_levels(level: float) -> None:
    """`at_level`, on which all family-wise statements rest, for a share, a mean, a ratio and a rare count."""
    played = cells.play(cells.MAIN)
    for metric, group in (("win_share", "seat=0"), ("start_edge", ""), ("turns", ""), ("hits_per_throw", "")):
        j = played.column(metric, group)
        truth = played.truth[j].value
        covered = 0
        for value, low, high, method in zip(
            played.value[:, j], played.low[:, j], played.high[:, j], played.method[:, j], strict=True
        ):
            bounds = st.at_level(st.Estimate(value, low, high, GAMES, method), level)
            covered += bounds[0] <= truth <= bounds[1]
        n = len(played.value)
        assert within(covered / n, level - 0.007 * (level < 0.99), level + 0.007 * (level < 0.99), n), (metric, covered)


def test_coverage_when_precision_decides_when_to_stop() -> None:
    """The program's own loop, real games: win shares and headline rates of 500 runs that stop at one of two looks."""
    precision, runs = 0.01626, 500
    base = build(game="snowball", base={"players": 3}, strategies=["greedy"], precision=precision, games=None)
    truth = {cells.key(r): r.value for r in cells.play(cells.Cell("snowball", 3, "greedy", 2_400_000, 2)).truth}
    asked = [("win_share", f"{by}={k}") for by in ("seat", "order") for k in range(3)]
    asked += [("tie_rate", ""), ("one_sided_rate", "")]
    covered, lengths = dict.fromkeys(asked, 0), set()
    for seed in range(100, 100 + runs):
        study = base.model_copy(update={"seed": seed})
        played = play(plan(study).cells[0], study)
        lengths.add(played.games)
        for row in played.rows:
            if (row.metric, row.group) in covered and row.low is not None and row.high is not None:
                covered[row.metric, row.group] += row.low <= truth[cells.key(row)] <= row.high
                assert row.high - row.low <= 2 * precision
    assert len(lengths) > 1, "the stopping rule never had a choice"
    for name, n in covered.items():
        assert within(n / runs, *CAREFUL, runs), (name, n / runs, lengths)


def test_the_share_of_several_seats_is_conservative() -> None:
    """Win share by strategy: two of four seats play alike, the mean of their shares has one interval."""
    configuration = find_game("snowball").configure({"players": 4})
    line_up = strategies.line_up("snowball", 4, {"all": "random", "0": "greedy", "2": "greedy"})
    count = Counter(configuration, line_up)
    rows, total = [], None
    for block in batch.play(configuration, line_up, games=600 * GAMES, seed=3):
        rows.append({r.group: r for r in count.rows(block.totals) if r.metric == "win_share"})
        total = added(total, block.totals)
    assert total is not None
    for row in count.rows(total):
        if row.metric == "win_share" and row.group.startswith("strategy="):
            covered = np.mean([r[row.group].low <= row.value <= r[row.group].high for r in rows])
            assert within(float(covered), *CAREFUL, len(rows)), (row.group, covered)
