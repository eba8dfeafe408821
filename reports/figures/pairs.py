"""Two groups at once, as a heat map: who fares how against whom, guests by room and round, points by source."""

from __future__ import annotations

from reports.figures.figure import FAIR, Figure, Kind, beyond_fair, slug
from reports.figures.heat import MOST, Grid, figure_of
from reports.result import Result
from reports.words import group, group_kind, order_key

AGAINST = "against"  # the second group where both are of one kind
FEWEST = 3
RARE = 0.05  # columns with a smaller part of the games, as the last rounds, are left out


def plan(result: Result) -> list[Figure]:
    """One for each metric of a single cell that has rows of two groups."""
    figures = [_of(result, name) for name in result.metrics] if result.single else []
    return [f for f in figures if f is not None]


def _of(result: Result, name: str) -> Figure | None:
    rows = [r for r in result.rows(name) if r.x is None and r.group2]
    lines = sorted({r.group for r in rows}, key=order_key)
    most = max((r.n or 0 for r in rows), default=0)
    common = {r.group2 for r in rows if (r.n or 0) >= RARE * most}
    columns = sorted(common, key=order_key)
    if not FEWEST <= len(lines) <= MOST or not FEWEST <= len(columns) <= MOST:
        return None
    metric = result.metrics[name]
    if name == FAIR:
        metric, rows = beyond_fair(result, metric, rows)
    found = {(r.group, r.group2): r for r in rows}
    down, across = (group_kind(keys[0].partition("=")[0]) for keys in (lines, columns))
    rivals = columns[0].startswith(f"{AGAINST}=")
    grid = Grid(
        f"where this {down} is at the table" if rivals else across,
        down,
        tuple(c.partition("=")[2] if rivals else group(result, c).removeprefix(f"{across} ") for c in columns),
        tuple(group(result, key) for key in lines),
        tuple(tuple(found.get((a, b)) for b in columns) for a in lines),
    )
    title = f"{metric.title}: who fares how against whom" if rivals else f"{metric.title} by {down} and {across}"
    rare = len({r.group2 for r in rows} - common)
    note = f"Left out: {rare} column{'s' * (rare > 1)} with few games" if rare else ""
    return figure_of(result, metric, grid, title, slug(name, "pairs"), note)


KIND = Kind("pairs", plan)
