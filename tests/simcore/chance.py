"""Is it by chance? Chi-square tests for counts, strict enough never to fail by luck: the seeds are fixed anyway."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

LEAST = 1e-4  # a p-value below this is a fault


def alike(counts: np.ndarray, expected: np.ndarray | None = None) -> float:
    """p-value of counts that should be alike (or like `expected`)."""
    counts = np.asarray(counts, float).ravel()
    if expected is None:
        expected = np.full(len(counts), counts.sum() / len(counts))
    assert expected.min() >= 5, "too few cases for a chi-square test"
    return float(stats.chisquare(counts, expected).pvalue)


def all_alike(rows: Sequence[np.ndarray] | np.ndarray) -> float:
    """The lowest p-value of several rows, times their number (Bonferroni: the rows may depend on each other)."""
    found = [alike(row) for row in rows]
    return min(1.0, min(found) * len(found))


def independent(table: np.ndarray) -> float:
    """p-value of the independence of a table's rows and columns."""
    return float(stats.chi2_contingency(np.asarray(table)).pvalue)


def places(order: np.ndarray, cards: int) -> np.ndarray:
    """How often each card (row) lies in each place (column) of `order` (games, places); NONE is skipped."""
    table = np.zeros((cards, order.shape[1]), int)
    for place in range(order.shape[1]):
        column = order[:, place]
        column = column[(column >= 0) & (column < cards)]
        table[:, place] = np.bincount(column, minlength=cards)
    return table
