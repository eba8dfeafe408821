"""How numbers are said: each metric in its own unit, with as many digits as its interval is worth."""

from __future__ import annotations

import math
from typing import Any

from experiments.metrics import Row

PERCENT_UNITS = ("share", "rate", "probability", "%")
POINT_UNIT = "percentage points"  # a difference of shares


def is_percent(metric: str, unit: str) -> bool:
    """True for what is said in per cent."""
    return unit in PERCENT_UNITS or unit == POINT_UNIT or metric.endswith(("_share", "_rate", "_edge"))


def is_signed(metric: str, unit: str) -> bool:
    """True for differences of shares, said in points with their sign."""
    return unit == POINT_UNIT or metric.endswith("_edge")


class Speech:
    """Says numbers of each metric in its own unit."""

    def __init__(self, described: dict[str, dict[str, Any]]) -> None:
        self.described = described

    def name(self, metric: str, group: str = "") -> str:
        """`win share of strategy=expert`, `minutes`."""
        said = {"start_edge": "the starting player's edge", "minutes": "length in minutes"}.get(
            metric, metric.replace("_", " ")
        )
        if group.startswith("quantile="):
            return f"{said} ({100 * float(group.partition('=')[2]):g} % quantile)"
        return f"{said} of {group}" if group else said

    def percent(self, metric: str) -> bool:
        """True if the metric is said in per cent."""
        return is_percent(metric, self._unit(metric))

    def signed(self, metric: str) -> bool:
        """True if the metric is a difference of shares, said in points."""
        return is_signed(metric, self._unit(metric))

    def _unit(self, metric: str) -> str:
        return str(self.described.get(metric, {}).get("unit", ""))

    def scale(self, metric: str) -> int:
        """100 for what is said in per cent or points."""
        return 100 if self.percent(metric) else 1

    def value(self, metric: str, x: float | None, width: float | None = None) -> str:
        """A value: `24.3 %`, `-2.1 points`, `12.4`; as many digits as an interval of that width is worth."""
        if x is None:
            return "not defined"
        scale = self.scale(metric)
        number = plain(scale * x) if width is None else _fixed(scale * x, _digits(scale * x, scale * width))
        if self.signed(metric):
            return f"{number if x < 0 else '+' + number} points"
        return f"{number} %" if scale == 100 else number

    def change(self, metric: str, x: float, sign: str = "+") -> str:
        """A difference: `+2.1 points`, `-3.4`."""
        return f"{plain(100 * x, sign)} points" if self.percent(metric) else plain(x, sign)

    def interval(self, row: Row) -> str:
        """`24.0 .. 24.6`; an end that is not known is a question mark; "" where there is none."""
        if row.value is None or (row.low is None and row.high is None):
            return ""
        scale = self.scale(row.metric)
        width = None if row.low is None or row.high is None else scale * (row.high - row.low)
        digits = _digits(scale * row.value, width)
        return " .. ".join("?" if b is None else _fixed(scale * b, digits) for b in (row.low, row.high))

    def row(self, row: Row) -> str:
        """A value with its interval: `24.3 % [24.0, 24.6]`."""
        if row.low is None or row.high is None:
            return self.value(row.metric, row.value)
        interval = self.interval(row).replace(" .. ", ", ")
        return f"{self.value(row.metric, row.value, row.high - row.low)} [{interval}]"


def plain(x: float, sign: str = "") -> str:
    """A number with as many digits as a person wants: 1,234, 12.4, 1.31, 0.21, 0.0021."""
    size = abs(x)
    digits = 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 0.095 or size == 0 else 4
    return _fixed(x, digits, sign)


def _fixed(x: float, digits: int, sign: str = "") -> str:
    text = f"{x:{sign},.{digits}f}"
    return text.lstrip("-+") if not text.strip("-+0.,") else text  # no minus before a zero


def _digits(value: float, width: float | None) -> int:
    """Digits after the point that show an interval of this width; for a width of zero, those of the value."""
    if width is None or width <= 0:
        return 0 if value == int(value) else 2
    return min(6, max(0, 1 - math.floor(math.log10(width) + 1e-9)))
