"""Paired differences: known answers on synthetic sums, coverage, and what few differing games are worth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments import statistics as st
from experiments.comparing import paired
from experiments.comparing.paired import Change, Pairing, Reader, Touched, Units, verdict
from simcore.batch import Totals
from simcore.game import How, Metric

RATE, MEAN, RATIO, SPAN = ("one", "", ""), ("long", "", ""), ("each", "", ""), ("span", "", "")
METRICS = (
    Metric("one", How.RATE, 0),
    Metric("long", How.MEAN, 1, scale=0.5),
    Metric("each", How.RATIO, 1, 2),
    Metric("span", How.SPAN_MEAN, 0),
    Metric("span", How.SPAN_QUANTILE, 0, group="quantile=0.5"),
)
SIZE = 60


def totals(one: np.ndarray, long: np.ndarray, trials: np.ndarray) -> Totals:
    """Totals of the games with these numbers; the span is `long`."""
    tallies = np.stack([one, long, trials]).astype(np.int64)
    return Totals(
        len(one),
        0,
        tallies.sum(axis=1),
        np.square(tallies).sum(axis=1),
        (tallies != 0).sum(axis=1),
        np.zeros(1, np.int64),
        np.bincount(long, minlength=12).reshape(1, -1),
        np.zeros(6, np.int64),
    )


def units(one: np.ndarray, long: np.ndarray, trials: np.ndarray) -> tuple[Reader, Units]:
    """Units of 60 games."""
    reader = Reader(METRICS)
    found = Units(len(reader.metrics))
    for k in range(0, len(one), SIZE):
        part = slice(k, k + SIZE)
        found.add(reader.read(totals(one[part], long[part], trials[part])))
    return reader, found


def games(rng: np.random.Generator, n: int) -> list[np.ndarray]:
    return [rng.binomial(1, 0.3, n), rng.integers(0, 10, n), rng.integers(1, 5, n)]


def changed(rng: np.random.Generator, base: list[np.ndarray], share: float) -> list[np.ndarray]:
    """A share of the games played with other luck, and 1 longer (mean 4.5 to 5.5 in those)."""
    hit = rng.random(len(base[0])) < share
    one, long, trials = games(rng, len(hit))
    new = [one, long + 1, trials]
    return [np.where(hit, b, a) for a, b in zip(base, new, strict=True)]


@pytest.fixture(scope="module")
def pair() -> tuple[Pairing, Units, Units, list[np.ndarray], list[np.ndarray]]:
    rng = np.random.default_rng(1)
    base = games(rng, 6000)
    other = changed(rng, base, 0.3)
    one, two = units(*base), units(*other)
    return Pairing(one[0], two[0]), one[1], two[1], base, other


def test_known_answers(pair) -> None:  # type: ignore[no-untyped-def]
    pairing, one, two, base, other = pair
    assert pairing.keys == [RATE, MEAN, RATIO, SPAN]  # a quantile is no sum
    differences = {RATE: other[0] - base[0], MEAN: (other[1] - base[1]) / 2, SPAN: other[1] - base[1]}
    for key, difference in differences.items():
        found = pairing.change(key, one, two, 6000)
        sums = difference.reshape(-1, SIZE).mean(axis=1)
        half = st.t_value(99) * sums.std(ddof=1) / 10
        assert found.change == pytest.approx(difference.mean(), abs=1e-12)
        assert (found.low, found.high) == pytest.approx((difference.mean() - half, difference.mean() + half))
        assert (found.n, found.method) == (6000, "paired")
    found = pairing.change(MEAN, one, two, 6000)
    apart = sum(x.reshape(-1, SIZE).mean(axis=1).var() for x in (base[1], other[1]))
    assert found.unpaired == pytest.approx(
        6000 * apart / (other[1] - base[1]).reshape(-1, SIZE).mean(axis=1).var(), abs=1
    )


def test_a_ratio_is_linearized(pair) -> None:  # type: ignore[no-untyped-def]
    pairing, one, two, base, other = pair
    found = pairing.change(RATIO, one, two, 6000)
    a, b = (x[1].sum() / x[2].sum() for x in (base, other))
    assert (found.base, found.variant, found.change) == pytest.approx((a, b, b - a))
    pull = (other[1] - b * other[2]) / other[2].mean() - (base[1] - a * base[2]) / base[2].mean()
    assert found.high - found.change == pytest.approx(
        st.t_value(99) * pull.reshape(-1, SIZE).mean(axis=1).std(ddof=1) / 10
    )


def test_merged_units_say_nearly_the_same(pair) -> None:  # type: ignore[no-untyped-def]
    pairing, one, two, *_ = pair
    before = pairing.change(SPAN, one, two, 6000)
    sides = []
    for side in (one, two):
        copy = Units(side.sums.shape[1])
        for unit in side.sums:
            copy.add(unit)
        copy.halve()
        sides.append(copy)
    after = pairing.change(SPAN, *sides, 6000)
    assert (sides[0].count, after.change) == (50, before.change)
    assert after.high - after.low == pytest.approx(before.high - before.low, rel=0.3)


def test_nothing_differs() -> None:
    reader, same = units(*games(np.random.default_rng(2), 12_000))
    pairing = Pairing(reader, reader)
    for key in pairing.keys:
        found = pairing.change(key, same, same, 12_000)
        assert (found.change, found.method, found.unpaired) == (0.0, "the same in all games", None)
    rate = pairing.change(RATE, same, same, 12_000)
    assert rate.high == -rate.low == pytest.approx(3.689 / 12_000, rel=1e-3)  # never of zero width
    assert pairing.change(RATIO, same, same, 12_000).low is None  # how far one game could reach is not known
    whole = Touched(12_000, 0, 0)
    found = pairing.sequence(RATE, same, same, whole)
    assert found.change == 0 and 0 < found.high == -found.low < 0.002


def test_few_differing_games_get_a_wide_interval() -> None:
    rng = np.random.default_rng(3)
    base = games(rng, 60_000)
    other = [x.copy() for x in base]
    at = np.flatnonzero(base[0] == 0)[::15_000][:3]
    other[0][at] = 1
    one, two = units(*base), units(*other)
    found = Pairing(one[0], two[0]).change(RATE, one[1], two[1], 60_000)
    more = (st.poisson_bounds(3)[1] - 3) / 60_000
    assert found.method == "paired, rare" and found.unpaired is None
    assert (found.low, found.high) == pytest.approx((3 / 60_000 - more, 3 / 60_000 + more))


def test_no_games_of_the_kind() -> None:
    zero = np.zeros(600, np.int64)
    reader, none = units(zero, zero, zero)
    found = Pairing(reader, reader).change(RATIO, none, none, 600)
    assert found[3:8] == (None,) * 5 and found.method == "never occurred"
    assert Pairing(reader, reader).sequence(RATIO, none, none, Touched(600)).low is None


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_coverage_of_a_planted_effect(share: float, repetitions: int = 200) -> None:
    """Rate 0, length +share; 120 units each time. Missed at the nominal rate."""
    inside = {RATE: 0, SPAN: 0}
    for k in range(repetitions):
        rng = np.random.default_rng([k, round(100 * share)])
        base = games(rng, 7200)
        other = changed(rng, base, share)
        one, two = units(*base), units(*other)
        pairing = Pairing(one[0], two[0])
        for key, truth in ((RATE, 0.0), (SPAN, share)):
            found = pairing.change(key, one[1], two[1], 7200)
            inside[key] += found.low <= truth <= found.high
    print(share, {k[0]: v / repetitions for k, v in inside.items()})
    assert all((0.93 if repetitions >= 2000 else 0.9) <= v / repetitions for v in inside.values())


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.002, 0.02, 0.5])
def test_coverage_of_many(share: float) -> None:
    test_coverage_of_a_planted_effect(share, 2000)


def rotations(rng: np.random.Generator, n: int, share: float, effect: float) -> np.ndarray:
    """(n, 2) sums over 60 games of a rate on both sides: a share of the games is played anew, `effect` more likely."""
    hit = rng.binomial(SIZE, share, n)
    kept = rng.binomial(SIZE - hit, 0.3)
    return np.stack([kept + rng.binomial(hit, 0.3), kept + rng.binomial(hit, 0.3 + effect / share)], axis=1)


def false_verdicts(share: float, effect: float, margin: float, repetitions: int, most: int = 10**9) -> float:
    """Share of repetitions in which the sequence, looked at again and again, ever says what is not so.

    Units grow so that there are never more than `most`.
    """
    looks = [math.ceil(50 * 1.3**k) for k in range(12)]
    reader = Reader(METRICS[:1])
    pairing, wrong = Pairing(reader, reader), 0
    reader.reach = [1.0]
    for k in range(repetitions):
        rng = np.random.default_rng([k, round(1e5 * share)])
        sums = rotations(rng, looks[-1], share, effect)
        hit = np.cumsum(rng.binomial(SIZE, share, looks[-1]))
        sides = []
        for side in (0, 1):
            sides.append(np.stack([sums[:, side], np.full(len(sums), SIZE)], axis=1)[:, None, :])
        for look in looks:
            merged = 2 ** max(0, math.ceil(math.log2(look / most)))
            n = look // merged * merged
            kept = [Units(1, s[:n].reshape(-1, merged, 1, 2).sum(axis=1)) for s in sides]
            found = pairing.sequence(RATE, *kept, Touched(n * SIZE, max(int(hit[n - 1]), n)))
            said = verdict(found, margin)
            truth = "larger" if effect > margin else "smaller" if effect < -margin else "within the margin"
            if said != "undecided":
                wrong += said != truth
                break
    return wrong / repetitions


@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, 0.00999, 0.01001, -0.01001])
@pytest.mark.parametrize("share", [0.05, 0.6])
@pytest.mark.parametrize("most", [100, 10**9])
def test_false_verdicts_are_rare(share: float, effect: float, most: int) -> None:
    """At the edge of the margin, where each verdict is as hard as it can be, 2,000 times; in small and large units."""
    rate = false_verdicts(share, effect, 0.01, 2000, most)
    print(f"touched {share}, change {effect}: {rate:.2%} wrong")
    assert rate <= 0.05


def test_false_verdicts_are_rare_here_too() -> None:
    assert false_verdicts(0.3, 0.01001, 0.01, 150) <= 0.05


def change(low: float | None, high: float | None) -> Change:
    return Change("m", "", "", 0.0, 0.0, 0.0, low, high, 1, None, "")


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.011, 0.02, "larger"),
        (-0.02, -0.011, "smaller"),
        (-0.01, 0.01, "within the margin"),
        (0.005, 0.009, "within the margin"),
        (0.005, 0.011, "undecided"),
        (0.01, 0.02, "undecided"),
        (None, None, "undecided"),
        (0.02, None, "larger"),
        (None, 0.0, "undecided"),
    ],
)
def test_verdicts(low: float | None, high: float | None, said: str) -> None:
    assert verdict(change(low, high), 0.01) == said


def test_units_grow_and_halve() -> None:
    kept = Units(2)
    for k in range(130):
        kept.add(np.full((2, 2), k))
    assert kept.sums.shape == (130, 2, 2)
    kept.halve()
    assert kept.sums[:, 0, 0].tolist() == [4 * k + 1 for k in range(65)]


def test_touched_games_are_counted_and_named() -> None:
    row = np.dtype([("number", "i8"), ("status", "i8"), ("turns", "i8"), ("share", "i8", (3,))])
    one = np.zeros(5, row)
    one["number"] = range(100, 105)
    other = one.copy()
    other["turns"][1] = 7  # touched, same winner
    other["share"][3] = (60, 0, 0)
    other["status"][4] = 1
    found = Touched()
    found.add(one, other, 1)
    assert (found.games, found.touched, found.flipped, found.first) == (5, 3, 2, (103,))
    found.add(one, other, 3)
    assert found.first == (103, 103, 104)
    assert paired.ROTATION == SIZE
