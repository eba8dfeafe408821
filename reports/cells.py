"""The table of all cells, as the page needs it: columns with their formats, sets of columns, compact JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports import command, themes
from reports.result import Metric, Result, Row, kind_of, level_key
from reports.words import (
    TURNING,
    Measure,
    axis,
    digits,
    factor_name,
    interval,
    level,
    long_group,
    measure,
    order_key,
    shown,
    tidy,
)

HEADLINES = 14  # columns of the first set
FEW = 6  # groups of a headline metric that still are headlines
MOST = 60  # columns of one set
NUMBERS = 45_000  # values in the page, each with its interval; more stay in cells.parquet
KINDS = ("", "quantile", "order", "seat", "strategy")  # kinds of group that come first


@dataclass(frozen=True)
class Column:
    """One number of every cell: by place in ``Result.cells``, None where a cell lacks it."""

    metric: Metric
    group: str
    group2: str
    label: str
    how: Measure
    places: int
    value: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    n: tuple[float | None, ...]
    method: str

    def text(self, place: int) -> str:
        """The value of a cell as it is shown."""
        return shown(self.value[place], self.how, self.places)

    def ends(self, place: int) -> str:
        """The interval of a cell as it is shown; empty where there is none."""
        return interval(self.low[place], self.high[place], self.how, self.places)


def columns(result: Result) -> tuple[list[Column], int]:
    """The columns, headlines first, and how many there are in all: a page holds NUMBERS values at most."""
    flat = result.frame.filter(pl.col("x").is_null())
    keys = flat.select("metric", "group", "group2").unique(maintain_order=True).rows()
    places = {name: i for i, name in enumerate(result.metrics)}

    def rank(key: tuple[str, str, str]) -> tuple[Any, ...]:
        metric, kind = result.metrics[key[0]], kind_of(key[1])
        at = KINDS.index(kind) if kind in KINDS else len(KINDS)
        return (not metric.headline, places[key[0]], at, kind, order_key(key[1]), order_key(key[2]))

    keys.sort(key=rank)
    first = sorted(keys, key=lambda key: (not result.metrics[key[0]].headline, bool(key[1])))
    kept = set(first[: max(NUMBERS // len(result.cells), HEADLINES)])
    at = {cell: i for i, cell in enumerate(result.cells)}
    found = []
    for part in flat.partition_by("metric", "group", "group2", maintain_order=True):
        key = (part["metric"][0], part["group"][0], part["group2"][0])
        if key in kept:
            found.append(_column(result, key, part, at))
    found.sort(key=lambda c: rank((c.metric.name, c.group, c.group2)))
    return found, len(keys)


def _column(result: Result, key: tuple[str, str, str], part: pl.DataFrame, at: dict[int, int]) -> Column:
    metric = result.metrics[key[0]]
    how = measure(metric)
    blank: list[float | None] = [None] * len(at)
    lists = {name: blank.copy() for name in ("value", "low", "high", "n")}
    for cell, *numbers in part.select("cell", "value", "low", "high", "n").iter_rows():
        for name, number in zip(lists, numbers, strict=True):
            lists[name][at[cell]] = short(number)  # so that the script writes what the page has
    sample = [
        Row(0, *key, None, v, low, high, None, "")
        for v, low, high in part.select("value", "low", "high").head(400).iter_rows()
    ]
    groups = ", ".join(long_group(result, g) for g in key[1:] if g)
    methods = part["method"].unique(maintain_order=True).to_list()
    return Column(
        metric,
        key[1],
        key[2],
        label=groups,
        how=how,
        places=digits(sample, how.factor),
        value=tuple(lists["value"]),
        low=tuple(lists["low"]),
        high=tuple(lists["high"]),
        n=tuple(lists["n"]),
        method=", ".join(m for m in methods if m),
    )


def sets(result: Result, found: Sequence[Column]) -> list[tuple[str, list[int]]]:
    """Sets of columns to choose from: the headlines, then all by theme."""
    names = {m.name for m in result.headline}
    head = [i for i, c in enumerate(found) if c.metric.name in names and not c.group and not c.group2]
    few = [
        i
        for i, c in enumerate(found)
        if c.metric.name in names
        and not c.group2
        and "" not in result.kinds[c.metric.name]
        and result.kinds[c.metric.name][kind_of(c.group)] <= FEW
        and not (kind_of(c.group) == "seat" and result.alike)
    ]
    room = max(HEADLINES - len(head), 0)
    head = (few + head if len(few) <= room else head + few[:room])[:HEADLINES]
    chosen = [("Headlines", head or list(range(min(len(found), HEADLINES))))]
    for theme in sorted({c.metric.theme for c in found}, key=themes.rank):
        of_theme = [i for i, c in enumerate(found) if c.metric.theme == theme]
        for start in range(0, len(of_theme), MOST):
            part = of_theme[start : start + MOST]
            more = f" ({start + 1} to {start + len(part)})" if len(of_theme) > MOST else ""
            chosen.append((theme + more, part))
    return chosen


def data(result: Result, found: Sequence[Column]) -> dict[str, Any]:
    """What the page's script needs: factors with levels and shell words, cells as level numbers, columns, sets."""
    factors, numbers = [], []
    for factor in result.factors:
        index = {level_key(v): i for i, v in enumerate(factor.values)}
        factors.append(
            {
                "name": factor_name(factor.name),
                "key": factor.name,
                "numeric": factor.numeric,
                "levels": [tidy(level(v), 200) for v in factor.values],
                "raw": [v if isinstance(v, int | float | str) else level(v) for v in factor.values],
                "words": [command.words_for(result, factor, v) for v in factor.values],
            }
        )
        numbers.append(
            [index[level_key(p[factor.name])] if factor.name in p else -1 for p in result.parameters.values()]
        )
    return {
        "cells": result.cells,
        "factors": factors,
        "at": numbers,
        "command": command.base(result),
        "columns": [_packed(c) for c in found],
        "sets": [{"name": name, "columns": part} for name, part in sets(result, found)],
    }


def _packed(column: Column) -> dict[str, Any]:
    n = set(column.n)
    return {
        "metric": column.metric.name,
        "title": axis(column.metric) if column.how.factor == 1 else column.metric.title,
        "group": column.group,
        "group2": column.group2,
        "label": column.label,
        "factor": column.how.factor,
        "suffix": column.how.suffix,
        "signed": column.how.signed,
        "places": column.places,
        "method": column.method,
        "v": column.value,
        "l": column.low,
        "h": column.high,
        "n": n.pop() if len(n) == 1 else column.n,
    }


def short(value: float | None) -> float | int | None:
    """Seven figures: more than any interval deserves, and half the size."""
    if value is None:
        return None
    cut = float(f"{value:.7g}")
    return int(cut) if cut.is_integer() and abs(cut) < 1e15 else cut


def as_json(value: Any) -> str:
    """JSON that can stand inside a script element: no character that HTML could take for a tag or an entity."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char in ("<", ">", "&", "\u2028", "\u2029", *TURNING):
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
