"""Which cells a study has: the full grid, one factor at a time, points spread evenly (two ways), or a list.

A design takes the factors with their values read and gives the cells' values in a fixed order. Spread designs are
drawn with the study's seed: the same study has the same cells.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments import words
from simcore.errors import InputError, nearest
from simcore.parameter import Parameter, Value

GRID, ONE, LHS, SOBOL, LIST = "grid", "one-at-a-time", "lhs", "sobol", "list"
DESIGNS = (GRID, LHS, SOBOL, ONE, LIST)
SPREAD = (LHS, SOBOL)  # those that take a number of points
DIGITS = 6  # of a real value that a spread design draws: as many as are printed, so that a cell can be typed again


@dataclass(frozen=True)
class Factor:
    """What is varied: values in the order asked, with meaning and unit for the report.

    `span`: bounds of a real factor that a spread design draws from; its values are then those that were drawn. `base`:
    the value it has where others are varied.
    """

    name: str
    values: tuple[Value, ...]
    meaning: str
    unit: str = ""
    span: tuple[float, float] | None = None
    base: Value | None = None


@dataclass(frozen=True)
class Layout:
    """The cells of a design, as values by factor, and what a reader should know of how they came about."""

    factors: tuple[Factor, ...]
    cells: tuple[Mapping[str, Value], ...]
    notes: tuple[str, ...] = ()


def checked(design: str | None, points: int | None, cells: Sequence[Any], factors: Mapping[str, Any]) -> str:
    """The design that is meant, with what it needs and nothing that it cannot use. Raises InputError."""
    if design is not None and design not in DESIGNS:
        raise InputError(f"design: no design {design!r}{nearest(design, DESIGNS) or '; known: ' + ', '.join(DESIGNS)}")
    meant = design or (LIST if cells else GRID)
    if meant in SPREAD and points is None:
        raise InputError(f"design {meant}: needs a number of points (--points 64, or points = 64)")
    if meant not in SPREAD and points is not None:
        raise InputError(f"points: {points} are asked for, but the design {meant} has its own; leave them out")
    if meant == LIST and not cells:
        raise InputError("design list: no cells are given (--cell k=v,k=v, or [[cell]] tables)")
    if meant == LIST and factors:
        raise InputError(f"design list: {next(iter(factors))} is varied; a list says all of it in its cells")
    if meant != LIST and cells:
        raise InputError(f"design {meant}: cells are listed; only the design list takes them")
    if meant not in (LIST, GRID) and not factors:
        raise InputError(f"design {meant}: nothing is varied (--vary k=values, or [factors])")
    return meant


def number_of_points(given: object) -> int:
    """`--points`: a whole number. Raises InputError."""
    return words.whole("points", given, 1, words.MOST_CELLS)


def cell_text(given: str) -> dict[str, str]:
    """`--cell "gear=2,players=3"` as a dict.

    With a `;` in it that is the separator, so that a strategy with weights can be named.
    """
    parts = [p for p in given.split(";" if ";" in given else ",") if p.strip()]
    if not parts:
        raise InputError(f"--cell {given!r}: should read k=v,k=v")
    return words.assignments(f"--cell {given!r}:", parts)


def span(parameter: Parameter, given: Any) -> tuple[float, float] | None:
    """The bounds of `lo..hi` without a step for a real parameter, else None. Raises InputError."""
    if parameter.kind != "number" or not isinstance(given, str) or "," in given or ":" in given or ".." not in given:
        return None
    low, high = (parameter.read(part.strip()) for part in given.split("..", 1))
    assert not isinstance(low, str) and not isinstance(high, str)  # noqa: S101 - numbers, by their kind
    if not low < high:
        raise InputError(f"{parameter.name}: the range {given!r} is empty; it should go from low to high")
    return float(low), float(high)


def lay_out(design: str, factors: Sequence[Factor], points: int | None, seed: int) -> Layout:
    """The cells of every design but a list. Raises InputError if they are too many, or if a base is missing."""
    if design == ONE:
        return _one_at_a_time(factors)
    if design in SPREAD:
        return _spread(design, factors, points or 1, seed)
    cells = math.prod(len(f.values) for f in factors)
    if cells > words.MOST_CELLS:
        raise InputError(f"the sweep has {cells} cells, more than {words.MOST_CELLS}: vary less, or in larger steps")
    names = [f.name for f in factors]
    grid = itertools.product(*(f.values for f in factors))
    return Layout(tuple(factors), tuple(dict(zip(names, values, strict=True)) for values in grid))


def _key(cell: Mapping[str, Value]) -> tuple[Any, ...]:
    """What makes two cells the same: on is not 1."""
    return tuple((name, type(v) is bool, v) for name, v in sorted(cell.items()))


def _distinct(cells: Sequence[Mapping[str, Value]]) -> list[Mapping[str, Value]]:
    found: dict[tuple[Any, ...], Mapping[str, Value]] = {}
    for cell in cells:
        found.setdefault(_key(cell), cell)
    return list(found.values())


def _without_repeats(cells: Sequence[Mapping[str, Value]], what: str) -> tuple[list[Mapping[str, Value]], list[str]]:
    kept = _distinct(cells)
    gone = len(cells) - len(kept)
    if not gone:
        return kept, []
    are = "is another's configuration" if gone == 1 else "are configurations of others"
    return kept, [f"{gone} of the {len(cells)} {what} {are} again, so {len(kept)} cells are played."]


def _ordered(values: Sequence[Value]) -> tuple[Value, ...]:
    """Without repeats; numbers by size, all else as it comes."""
    seen = list({(type(v) is bool, v): v for v in values}.values())
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in seen):
        return tuple(sorted(seen, key=float))
    return tuple(seen)


def _one_at_a_time(factors: Sequence[Factor]) -> Layout:
    """The base, then each value of each factor alone, all others at the base."""
    base = _base(factors)
    cells: list[Mapping[str, Value]] = [base]
    for factor in factors:
        cells.extend({**base, factor.name: value} for value in factor.values)
    widened = [
        f if _has(f.values, base[f.name]) else replace(f, values=_ordered((base[f.name], *f.values))) for f in factors
    ]
    return Layout(tuple(widened), tuple(_distinct(cells)))


def _has(values: Sequence[Value], value: Value) -> bool:
    return any(v == value and (type(v) is bool) == (type(value) is bool) for v in values)


def _base(factors: Sequence[Factor]) -> dict[str, Value]:
    base: dict[str, Value] = {}
    for factor in factors:
        if factor.base is None:
            raise InputError(
                f"{factor.name}: is not set by default, so there is no base to go back to; set one (--set "
                f"{factor.name}={words.shown(factor.values[0])}), or take another design"
            )
        base[factor.name] = factor.base
    return base


def _spread(design: str, factors: Sequence[Factor], points: int, seed: int) -> Layout:
    """Points that fill the space of the factors evenly, each coordinate scaled to its factor's values.

    `lhs`: a Latin hypercube, every factor's range is cut into as many strata as there are points and each is hit once
    (McKay, Beckman & Conover 1979, Technometrics 21:239). `sobol`: Sobol's sequence with Owen's scrambling, even also
    in several factors together, most so for 2^k points (Sobol' 1967; Owen 1998, J. Complexity 14:466). Both from
    scipy.stats.qmc. A value out of a list is taken by its place in it.
    """
    import numpy as np
    from scipy.stats import qmc

    chance = np.random.default_rng(seed)
    notes: list[str] = []
    if design == LHS:
        places = qmc.LatinHypercube(len(factors), rng=chance).random(points)
    else:
        whole = math.ceil(math.log2(points))
        places = qmc.Sobol(len(factors), rng=chance).random_base2(whole)[:points]
        if 2**whole != points:
            notes.append(f"{points} Sobol' points are less even than {2 ** (whole - 1)} or {2**whole} would be.")
    names = [f.name for f in factors]
    drawn = [{n: _at(f, float(u)) for n, f, u in zip(names, factors, row, strict=True)} for row in places]
    cells, repeats = _without_repeats(drawn, "points")
    met = {n: _ordered([c[n] for c in cells]) for n in names}
    shown = [replace(f, values=tuple(v for v in f.values if _has(met[f.name], v)) or met[f.name]) for f in factors]
    if len(shown) == 1:  # a line of cells is read from end to end
        cells = [{names[0]: v} for v in shown[0].values]
    return Layout(tuple(shown), tuple(cells), tuple(notes + repeats))


def _at(factor: Factor, place: float) -> Value:
    """The value at a place from 0 to 1 of a factor's range."""
    if factor.span is None:
        return factor.values[min(len(factor.values) - 1, int(place * len(factor.values)))]
    low, high = factor.span
    return min(high, max(low, float(f"{low + place * (high - low):.{DIGITS}g}")))


def listed(cells: Sequence[Mapping[str, Value]], factors: Sequence[Factor]) -> Layout:
    """The cells of a list, each with the base's value for what it does not name. Raises InputError."""
    named = {name for cell in cells for name in cell}
    missing = [f for f in factors if f.name in named and any(f.name not in c for c in cells)]
    base = _base(missing)
    full = [{f.name: cell[f.name] if f.name in cell else base[f.name] for f in factors} for cell in cells]
    kept, notes = _without_repeats(full, "cells listed")
    shown = [replace(f, values=_ordered([c[f.name] for c in kept])) for f in factors]
    return Layout(tuple(shown), tuple(kept), tuple(notes))


def asked(design: str, cells: Sequence[Mapping[str, Value]]) -> dict[str, Any]:
    """What a result folder says of a design, to know it again and to build its cells again: a list of them.

    Nothing for a grid, which its factors tell.
    """
    return {} if design == GRID else {"design": LIST, "cell": [dict(c) for c in cells], "factors": {}}


def changed(fields: Mapping[str, Any], design: str | None, points: Any, cells: Sequence[Any]) -> dict[str, Any]:
    """The design's fields of a study after further words: what belongs to another design than the new one goes."""
    new = {"design": fields["design"], "points": fields["points"], "cell": fields["cell"]}
    if design is not None or cells:
        new["design"] = design or LIST
        new["points"] = fields["points"] if new["design"] in SPREAD else None
        new["cell"] = fields["cell"] if new["design"] == LIST else []
    if points is not None:
        new["points"] = points
    if cells:
        new["cell"] = [cell_text(c) if isinstance(c, str) else dict(c) for c in cells]
    return new


def options(study: Any, factors: Sequence[Factor]) -> list[str]:
    """The options of the command line that give a study's cells again."""
    design = study.design or GRID
    given: list[tuple[str, Any]] = list(study.factors.items())
    if design == GRID:
        given = [(f.name, list(f.values)) for f in factors]
    said = [] if design == GRID else ["--design", design]
    said += ["--points", str(study.points)] if design in SPREAD else []
    said += [w for n, v in given for w in ("--vary", f"{n}={v if isinstance(v, str) else ','.join(map(_word, v))}")]
    for cell in study.cell:
        values = [f"{k}={_word(v)}" for k, v in cell.items()]
        said += ["--cell", (";" if any("," in v for v in values) else ",").join(values)]
    return said


def _word(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
