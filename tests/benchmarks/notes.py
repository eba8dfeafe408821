"""What a benchmark found, noted for the summary: a figure, its unit, and what was promised of it."""

from __future__ import annotations

from typing import Any


def note(
    benchmark: Any,
    game: str,
    what: str,
    value: float,
    unit: str = "",
    *,
    at: str = "",
    most: float | None = None,
    least: float | None = None,
    **beside: float | str,
) -> None:
    """Add a figure to a benchmark's extra_info.

    Figures of one `what` become one row of the table, by `at` ("2 players"). `most`, `least`: a promise. `beside`: a
    second figure with its name, given in brackets; "_" in the name stands for a blank.
    """
    row: dict[str, Any] = {"game": game, "what": what, "at": at, "value": rounded(value), "unit": unit}
    row |= {name: rounded(limit) for name, limit in (("most", most), ("least", least)) if limit is not None}
    for name, other in beside.items():
        row["beside"] = [name.replace("_", " "), other if isinstance(other, str) else rounded(other)]
    benchmark.extra_info.setdefault("rows", []).append(row)


def rounded(value: float) -> float:
    """Four digits: more would say that the fifth meant something."""
    return float(f"{value:.4g}")
