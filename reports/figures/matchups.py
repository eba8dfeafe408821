"""Matchups: how each of many fares where each other one is at the table, as a heat map; lines against columns."""

from __future__ import annotations

from reports.figures.figure import FAIR, Figure, Kind, beyond_fair, slug
from reports.figures.heat import MOST, Grid, figure_of
from reports.result import Result
from reports.words import group, group_kind, order_key

AGAINST = "against="  # the second group of such a row
FEWEST = 3


def plan(result: Result) -> list[Figure]:
    """One for each metric of a single cell that has rows of somebody against somebody."""
    figures = [_of(result, name) for name in result.metrics] if result.single else []
    return [f for f in figures if f is not None]


def _of(result: Result, name: str) -> Figure | None:
    rows = [r for r in result.rows(name) if r.x is None and r.group2.startswith(AGAINST)]
    lines = sorted({r.group for r in rows}, key=order_key)
    columns = sorted({r.group2 for r in rows}, key=order_key)
    if not FEWEST <= len(lines) <= MOST or not FEWEST <= len(columns) <= MOST:
        return None
    metric = result.metrics[name]
    if name == FAIR:
        metric, rows = beyond_fair(result, metric, rows)
    found = {(r.group, r.group2): r for r in rows}
    kind = group_kind(lines[0].partition("=")[0])
    grid = Grid(
        f"where this {kind} is at the table",
        kind,
        tuple(c.removeprefix(AGAINST) for c in columns),
        tuple(group(result, key) for key in lines),
        tuple(tuple(found.get((a, b)) for b in columns) for a in lines),
    )
    return figure_of(result, metric, grid, f"{metric.title}: who fares how against whom", slug(name, "matchups"), "")


KIND = Kind("matchups", plan)
