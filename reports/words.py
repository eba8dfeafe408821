"""Numbers and names as people read them: percent, intervals, units, groups, factor values."""

from __future__ import annotations

import json
import math
import statistics
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reports.result import Metric, Result, Row, kind_of, name_of

NARROW = "\u202f"  # narrow no-break space, between a number and its unit
MINUS = "\u2212"
DASH = "\u2013"

SHARES = frozenset({"share", "rate", "probability", "fraction", "proportion", "%", "percent", "chance"})
POINTS = frozenset({"points", "point", "pp", "pts", "percentage points", "share difference", "difference of shares"})
SHARE_ENDINGS = ("_share", "_rate", "_probability")
POINT_ENDINGS = ("_edge", "_difference")
SPREAD = ("_distribution", "_histogram")  # metrics whose rows have an x: shares of games, the unit that of x
BARE = frozenset({"", "1", "number", "count", "index", "none"})  # units that say nothing beside a number


@dataclass(frozen=True)
class Measure:
    """How a metric is written: shown value = factor x value, then the suffix."""

    factor: float
    suffix: str
    axis: str  # what an axis says: percent, percentage points, the unit
    signed: bool = False


def measure(metric: Metric) -> Measure:
    """Shares are stored as fractions and shown in percent; differences of shares in percentage points."""
    unit = metric.unit.strip().lower()
    if unit in POINTS or (not unit and metric.name.endswith(POINT_ENDINGS)):
        return Measure(100.0, f"{NARROW}pts", "percentage points", signed=True)
    if metric.name.endswith(SPREAD):  # the unit is that of what is spread
        return Measure(100.0, f"{NARROW}%", "%")
    if unit in SHARES or (not unit and (metric.name.endswith(SHARE_ENDINGS) or metric.name.startswith("win_"))):
        return Measure(100.0, f"{NARROW}%", "%")
    return Measure(1.0, "", "" if unit in BARE else tidy(metric.unit, 40))


def axis(metric: Metric) -> str:
    """What an axis says: ``Win share (%)``; a plain unit that is the metric's own name is not said twice."""
    unit = measure(metric).axis
    return metric.title if not unit or unit.lower() in metric.title.lower() else f"{metric.title} ({unit})"


def digits(rows: Iterable[Row], factor: float) -> int:
    """Decimals that the numbers deserve: the half-width of a typical interval gets one or two figures."""
    rows = list(rows)
    halves = [r.half * factor for r in rows if r.half]
    if halves:
        half = statistics.median(halves)
        return min(max(math.ceil(-math.log10(half) + 0.25), 0), 4)
    sizes = [abs(r.value * factor) for r in rows if r.value]
    if all(float(r.value).is_integer() for r in rows) and factor == 1:
        return 0
    return min(max(2 - math.floor(math.log10(statistics.median(sizes))), 0), 4) if sizes else 1


def number(value: float | None, places: int, *, signed: bool = False) -> str:
    """``1234.5678`` -> ``1,234.57``; a minus is a real minus, and there is no minus zero."""
    if value is None or not math.isfinite(value):
        return DASH
    text = f"{value:+,.{places}f}" if signed else f"{value:,.{places}f}"
    if not any(c in "123456789" for c in text):
        text = text.lstrip("+-")
    return text.replace("-", MINUS)


def shown(value: float | None, how: Measure, places: int) -> str:
    """A value with its suffix: ``25.3 %``."""
    if value is None:
        return DASH
    return number(value * how.factor, places, signed=how.signed) + how.suffix


def interval(low: float | None, high: float | None, how: Measure, places: int) -> str:
    """``25.1–25.5``; with the word to where a sign would make the dash unreadable; empty where there is none.

    An interval with one end is ``at least 21``.
    """
    if low is None and high is None:
        return ""
    if low is None or high is None:
        end = number((high if low is None else low) * how.factor, places, signed=how.signed)  # type: ignore[operator]
        return f"{'at most' if low is None else 'at least'} {end}"
    ends = [number(v * how.factor, places, signed=how.signed) for v in (low, high)]
    between = " to " if how.signed or low < 0 else DASH
    return between.join(ends)


def count(n: float | None) -> str:
    """``100000`` -> ``100,000``."""
    if n is None or not math.isfinite(n):
        return DASH
    return f"{n:,.0f}" if float(n).is_integer() or abs(n) >= 1000 else f"{n:,.1f}"


def counts(rows: Iterable[Row]) -> str:
    """The n of several numbers: ``n = 100,000`` or ``n = 20,000 to 100,000``; empty where none is known."""
    known = [r.n for r in rows if r.n is not None]
    if not known:
        return ""
    least, most = min(known), max(known)
    return f"n\u00a0=\u00a0{count(least)}" + ("" if least == most else f" to {count(most)}")


def methods(rows: Iterable[Row]) -> str:
    """The interval methods in use, as the table names them."""
    names = list(dict.fromkeys(r.method for r in rows if r.method and r.half is not None))
    return ", ".join(tidy(name, 40) for name in names[:4])


def widest(rows: Iterable[Row], how: Measure) -> str:
    """The widest half-width: ``±0.4 pts`` for shares, in the unit for all else; empty where there is no interval."""
    halves = [r.half * how.factor for r in rows if r.half is not None]
    if not halves:
        return ""
    most = max(halves)
    places = min(max(1 - math.floor(math.log10(most)), 0), 4) if most > 0 else 1
    unit = f"{NARROW}pts" if how.factor == 100 else (f" {how.axis}" if how.axis else "")
    return f"±{number(most, places)}{unit}"


def level(value: Any) -> str:
    """A factor's value as people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    if isinstance(value, int):
        return number(value, 0) if abs(value) >= 10_000 else str(value).replace("-", MINUS)
    if isinstance(value, float):
        return f"{value:g}".replace("-", MINUS)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def setting(value: Any) -> str:
    """A factor's value as the command line takes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, default=str)


def factor_name(name: str) -> str:
    """``hand_size`` -> ``hand size``; a dotted path stays as it is typed."""
    return name if "." in name else name.replace("_", " ")


NAME = 80  # letters of a name that are shown


def setting_in(factor: str, value: Any, width: int) -> str:
    """``gear = 4`` within width letters: of a long name the end is kept, as dotted paths tell most there."""
    name, right = tidy(factor_name(factor), 400), f" = {tidy(level(value), max(width - 7, 8))}"
    room = max(width - len(right), 4)
    return (name if len(name) <= room else "…" + name[1 - room :]) + right


ORDINALS = ("1st", "2nd", "3rd")
GROUP_KINDS = {
    "seat": "seat of the line-up",
    "order": "turn order",
    "strategy": "strategy",
    "cover": "first cover number",
    "kid": "kid",
    "item": "item",
    "event": "event",
    "rule": "rule",
    "component": "component",
    "quantile": "quantile",
}


def group_kind(kind: str) -> str:
    """What a kind of group is called on an axis."""
    return GROUP_KINDS.get(kind, kind.replace("_", " "))


def group(result: Result, key: str) -> str:
    """A group's name: ``order=0`` -> ``1st to play``, ``seat=2`` -> ``seat 2 (expert)``."""
    kind, name = kind_of(key), tidy(name_of(key), NAME)
    if kind == "order" and name.isdigit():
        place = int(name)
        return f"{ORDINALS[place] if place < 3 else f'{place + 1}th'} to play"
    if kind == "seat" and name.isdigit():
        listed = result.manifest.get("players")
        who = listed[int(name)] if isinstance(listed, list) and int(name) < len(listed) else None
        return f"seat {name}" if not isinstance(who, str) or result.alike else f"seat {name} ({tidy(who, NAME)})"
    if kind == "quantile":
        return quantile(name)
    if kind == "cover":
        return f"cover {name}"
    return name or tidy(key, NAME)


def meaning(result: Result, key: str) -> str:
    """What a group means, where the manifest has a text for it (``groups``: by ``rule=R7`` and the like)."""
    told = result.manifest.get("groups")
    text = told.get(key) if isinstance(told, dict) else None
    return tidy(text, 200) if isinstance(text, str) else ""


def long_group(result: Result, key: str) -> str:
    """A group's name where its kind is not said elsewhere: ``strategy: expert``."""
    kind, name, told = kind_of(key), group(result, key), meaning(result, key)
    if kind not in {"", "group", "order", "seat", "quantile", "cover"}:
        name = f"{group_kind(kind)}: {name}"
    return f"{name} ({told})" if told else name


def quantile(name: str) -> str:
    """``0.5`` -> ``median``, ``0.05`` -> ``5 % quantile``."""
    try:
        share = float(name)
    except ValueError:
        return name
    return "median" if share == 0.5 else f"{share * 100:g}{NARROW}% quantile"


def order_key(key: str) -> tuple[int, float, str]:
    """Sorts groups: by number where the name is one or begins a band (`5-9`, `10+`), else by name."""
    name = name_of(key)
    low = name.removesuffix("+") if name.endswith("+") else name.partition("-")[0]
    if low.isdecimal() and name[len(low) :].strip("+-").isdecimal() | name.endswith("+"):
        return (0, float(low), name)
    try:
        return (0, float(name), name)
    except ValueError:
        pass
    digits_in = "".join(c for c in name if c.isdecimal())
    return (1, float(digits_in) if digits_in and name[:1].isalpha() and name[1:].isdecimal() else 0.0, name)


TURNING = frozenset(
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
)  # turn the direction of what follows


def clean(text: str) -> str:
    """A text without control characters and without those that turn the direction of what follows."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if c.isspace() and c not in SPACES else c for c in text if c.isspace() or not _stray(c))


SPACES = frozenset({NARROW, "\u00a0", "\u2009"})


def _stray(char: str) -> bool:
    return char in TURNING or unicodedata.category(char) in {"Cc", "Cs"}


def tidy(text: str, width: int) -> str:
    """A text on one line, cleaned, cut with an ellipsis where it is longer than width."""
    flat = " ".join(part for part in clean(text).split(" ") if part)
    return flat if len(flat) <= width else flat[: max(width - 1, 1)].rstrip() + "…"


def plain(text: str, width: int) -> str:
    """As ``tidy``, and without what a figure cannot draw: joiners, and the marks that make an emoji colourful."""
    return tidy("".join(c for c in text if unicodedata.category(c) != "Cf" and c not in "\ufe0e\ufe0f"), width)


def listing(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def sentence(*parts: str) -> str:
    """The parts that are not empty, each ended by one full stop."""
    whole = [p if p.startswith("n\u00a0") else capital(p) for p in map(str.strip, parts) if p]
    return " ".join(p if p.endswith((".", "!", "?")) else p + "." for p in whole)


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
