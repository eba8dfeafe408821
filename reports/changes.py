"""The changes that a comparison holds beside its cells, by variant: what of them is drawn, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reports.result import CHANGES, Metric, Result, Row
from reports.words import (
    Measure,
    digits,
    factor_name,
    group,
    interval,
    level,
    long_group,
    measure,
    number,
    order_key,
    tidy,
)

KINDS = ("", "order", "strategy", "role", "monster")  # kinds of group of headline metrics that are drawn
FEW = 8  # groups of one metric that are drawn
MOST = 4000  # changes that the page lists


@dataclass(frozen=True, slots=True)
class Change:
    """One number on both sides, and the difference with its interval (None where that is not known)."""

    variant_at: int  # place in Changes.variants
    metric: str
    group: str
    group2: str
    base: float | None
    variant: float | None
    change: float
    low: float | None
    high: float | None
    n: float | None
    unpaired: float | None
    method: str

    @property
    def row(self) -> Row:
        """The difference as a number of the result, to be written as others are."""
        return Row(0, self.metric, self.group, self.group2, None, self.change, self.low, self.high, self.n, self.method)


@dataclass(frozen=True)
class Variant:
    """What was changed, with which strategy (empty where there is one for all), and what became of it."""

    against: str
    strategy: str
    told: dict[str, Any]  # of the manifest: games, touched, flipped, verdict, decided, trace

    @property
    def label(self) -> str:
        """`gear=4`, with the strategy where there are several."""
        return f"{self.against}, {self.strategy}" if self.strategy else self.against

    def part(self, name: str) -> tuple[float, float | None, float | None] | None:
        """Share of the games (`touched`, `flipped`) with its interval."""
        entry = self.told.get(name)
        entry = entry if isinstance(entry, dict) else {}
        share, low, high = (_real(entry.get(key)) for key in ("share", "low", "high"))
        return None if share is None else (share, low, high)

    def method(self, name: str) -> str:
        """How the interval of a share was made."""
        entry = self.told.get(name)
        return str(entry.get("method") or "") if isinstance(entry, dict) else ""

    @property
    def games(self) -> float | None:
        """Games of each side."""
        return _real(self.told.get("games"))


@dataclass(frozen=True)
class Changes:
    """All changes of a comparison."""

    variants: tuple[Variant, ...]
    rows: tuple[Change, ...]
    margin: float | None
    on: tuple[str, str] | None  # metric and group that the margin is about

    @property
    def strategies(self) -> list[str]:
        """The strategies that the comparison was repeated with; one empty name where it was not."""
        return list(dict.fromkeys(v.strategy for v in self.variants))

    def of(self, at: int) -> list[Change]:
        """The changes of one variant."""
        return [c for c in self.rows if c.variant_at == at]


def _real(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def of(result: Result) -> Changes | None:
    """The changes of a result; None where it holds none."""
    frame = result.changes
    if frame is None or frame.is_empty():
        return None
    told = result.manifest.get("variants")
    entries = {
        (str(e.get("against")), str(e.get("strategy") or "")): e
        for e in (told if isinstance(told, list) else ())
        if isinstance(e, dict)
    }
    keys = frame.select("against", "strategy").unique(maintain_order=True).rows()
    at = {key: k for k, key in enumerate(keys)}
    variants = tuple(Variant(a, s, entries.get((a, s), {})) for a, s in keys)
    names = [name for name in CHANGES if name not in ("cell", "against", "strategy")]
    rows = tuple(
        Change(at[against, strategy], *rest)
        for against, strategy, *rest in frame.select("against", "strategy", *names).iter_rows()
    )
    asked = result.manifest.get("compare")
    asked = asked if isinstance(asked, dict) else {}
    until, on = asked.get("until"), asked.get("on")
    key = (str(on[0]), str(on[1])) if isinstance(on, list) and len(on) == 2 else None
    return Changes(variants, rows, _real(until) if key else None, key)


def drawn(result: Result, found: Changes) -> list[tuple[Metric, str]]:
    """Metric and group of each change that is drawn: headlines, and what the margin is about first."""
    have: dict[tuple[str, str], None] = {}
    for change in found.rows:
        if not change.group2:
            have[change.metric, change.group] = None
    kept: list[tuple[Metric, str]] = []
    for metric in result.headline:
        kinds: dict[str, list[str]] = {}
        for name, key in have:
            if name == metric.name:
                kinds.setdefault(key.partition("=")[0] if key else "", []).append(key)
        for kind, keys in kinds.items():
            if (kind in KINDS or (kind == "seat" and not result.alike)) and len(keys) <= FEW:
                kept += [(metric, key) for key in sorted(keys, key=order_key)]
    if found.on is not None and found.on in have and found.on[0] in result.metrics:
        first = (result.metrics[found.on[0]], found.on[1])
        kept = [first, *(k for k in kept if (k[0].name, k[1]) != found.on)]
    return kept


def scale(metric: Metric) -> Measure:
    """How a difference of a metric is written: of shares in percentage points, always with its sign."""
    how = measure(metric)
    if how.factor == 100:
        return Measure(100.0, "\u202fpts", "percentage points", signed=True)
    return Measure(how.factor, how.suffix, how.axis, signed=True)


def name(result: Result, metric: Metric, key: str) -> str:
    """A metric and its group beside a dot: `Win share, 1st to play`."""
    return f"{metric.title}, {group(result, key)}" if key else metric.title


def settings(words: Any) -> str:
    """What a variant changes: `gear = 4, hand size = 3`."""
    pairs = words.items() if isinstance(words, dict) else ()
    return ", ".join(f"{factor_name(str(k))} = {tidy(level(v), 60)}" for k, v in pairs)


def listed(result: Result, found: Changes) -> list[dict[str, Any]]:
    """The section of the page: by variant what became of it, its headline changes, and all others."""
    heads = [(m.name, key) for m, key in drawn(result, found)]
    left = MOST
    sections = []
    for at, variant in enumerate(found.variants):
        mine = found.of(at)
        by_key = {(c.metric, c.group): c for c in mine if not c.group2}
        first = [by_key[key] for key in heads if key in by_key]
        rest = [c for c in mine if c.group2 or (c.metric, c.group) not in set(heads)]
        shown, left = rest[: max(left, 0)], left - len(rest)
        told = variant.told
        trace = told.get("trace") if isinstance(told.get("trace"), dict) else {}
        sections.append(
            {
                "label": variant.label,
                "changed": settings(told.get("changed")),
                "before": settings(told.get("base")),
                "verdict": str(told.get("verdict") or ""),
                "reach": reach(variant),
                "first": [_line(result, c) for c in first],
                "rest": [_line(result, c) for c in shown],
                "unlisted": len(rest) - len(shown),
                "traces": [(str(k), str(v)) for k, v in (trace or {}).items() if v],
            }
        )
    return sections


def reach(variant: Variant) -> str:
    """How far it reaches: `touches 100.0 % of the games [..], 54.5 % [..] end with another result; n = 36,480`."""
    parts = []
    for key, what in (("touched", "{} of the games are touched at all"), ("flipped", "{} end with another result")):
        part = variant.part(key)
        if part is not None:
            share, low, high = part
            ends = interval(low, high, Measure(100.0, "", "%"), 1)
            parts.append(what.format(f"{number(100 * share, 1)}\u202f%{f' ({ends})' if ends else ''}"))
    if variant.games:
        parts.append(f"n\u00a0=\u00a0{variant.games:,.0f} games of each side")
    return "; ".join(parts)


def _line(result: Result, change: Change) -> dict[str, Any]:
    metric = result.metrics.get(change.metric) or Metric(change.metric, change.metric)
    how, plain = scale(metric), measure(metric)
    places = max(digits([change.row], how.factor), 1 if how.factor == 100 else 0)
    groups = ", ".join(long_group(result, g) for g in (change.group, change.group2) if g)
    unit = how.suffix or (f" {how.axis}" if how.axis and len(how.axis) < 14 else "")
    return {
        "metric": metric.title,
        "group": groups,
        "before": _value(change.base, plain, places),
        "after": _value(change.variant, plain, places),
        "change": number(change.change * how.factor, places, signed=True) + unit,
        "interval": interval(change.low, change.high, how, places),
        "seen": "" if change.low is None or change.high is None or change.low <= 0 <= change.high else "seen",
        "n": f"{change.n:,.0f}" if change.n is not None else "–",
        "unpaired": f"{change.unpaired:,.0f}" if change.unpaired is not None else "–",
        "method": change.method,
        "raw": [
            change.metric,
            change.group,
            change.group2,
            change.base,
            change.variant,
            change.change,
            change.low,
            change.high,
            change.n,
            change.unpaired,
            change.method,
        ],
    }


def _value(value: float | None, how: Measure, places: int) -> str:
    if value is None:
        return "–"
    return number(value * how.factor, places, signed=how.signed) + how.suffix
