"""What people type, turned into values: numbers of games, `k=v`, lists and ranges.

Every refusal is one readable line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from simcore.errors import InputError
from simcore.parameter import UNNAMED, Parameter, Value

MOST_GAMES = 10**12
MOST_VALUES = 10_000  # values of one factor
MOST_CELLS = 100_000
NARROWEST = 1e-6  # half-width: 2.4e11 games for a rate of one half


def number_of_games(given: object) -> int:
    """A number of games from 1 to 10^12: `1e6`, `1_000_000` or a whole number. Raises InputError."""
    wrong = InputError(f"games: {given!r} is not a whole number from 1 to 1e12 (such as 100000, 1e6 or 1_000_000)")
    if isinstance(given, bool):
        raise wrong
    try:
        number = Decimal(str(given).strip().replace("_", ""))
    except InvalidOperation:
        raise wrong from None
    if not number.is_finite() or number != number.to_integral_value() or not 1 <= number <= MOST_GAMES:
        raise wrong
    return int(number)


def half_width(given: object) -> float:
    """A half-width of an interval, as a share: above 0, at most 0.5. Raises InputError."""
    try:
        number = float(str(given))
    except ValueError:
        number = math.nan
    if not NARROWEST <= number <= 0.5:
        raise InputError(f"precision: {given!r} is not a half-width from {NARROWEST:g} to 0.5 (such as 0.005)")
    return number


def whole(name: str, given: object, low: int, high: int) -> int:
    """A whole number within bounds. Raises InputError naming `name`."""
    try:
        number = int(str(given).replace("_", ""))
    except ValueError:
        raise InputError(f"{name}: {given!r} is not a whole number") from None
    if not low <= number <= high:
        raise InputError(f"{name}: {given} is outside {low}..{high}")
    return number


def seed_number(given: object) -> int:
    """A seed: a whole number from 0 to 2^63 - 1. Raises InputError."""
    return whole("seed", given, 0, 2**63 - 1)


def assignments(option: str, given: Iterable[str]) -> dict[str, str]:
    """`k=v` texts as a dict. Raises InputError for a text without `=` and for a name given twice."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise InputError(f"{option} {text!r}: should read NAME=VALUE")
        if name in found:
            raise InputError(f"{option} {name}: given twice ({found[name]!r} and {value.strip()!r})")
        found[name] = value.strip()
    return found


def strategies(given: Iterable[str]) -> dict[str, str]:
    """`WHO=NAME[:weight=x,...]` or `NAME[...]` (= all) texts as {who: name}.

    Raises InputError if one WHO is given twice.
    """
    found: dict[str, str] = {}
    for text in given:
        head = text.partition(":")[0]
        if "=" in head:
            who, _, name = text.partition("=")
        else:
            who, name = "all", text
        who, name = who.strip(), name.strip()
        if not who or not name or name.startswith(":"):
            raise InputError(f"--strategy {text!r}: should read NAME, WHO=NAME or WHO=NAME:weight=x,...")
        if who in found:
            raise InputError(f"--strategy {who}: given twice ({found[who]!r} and {name!r})")
        found[who] = name
    return found


def _decimal(name: str, text: str) -> Decimal:
    try:
        number = Decimal(text.strip().replace("_", ""))
    except InvalidOperation:
        raise InputError(f"{name}: {text.strip()!r} is not a number") from None
    if not number.is_finite():
        raise InputError(f"{name}: {text.strip()!r} is not a finite number")
    return number


def _range(name: str, text: str, parameter: Parameter) -> list[str]:
    """The values of `lo..hi[:step]`, as texts; decimal arithmetic, so that 0.1 steps stay exact."""
    span, colon, step_text = text.partition(":")
    low_text, _, high_text = span.partition("..")
    low, high = _decimal(name, low_text), _decimal(name, high_text)
    if not colon and parameter.kind != "integer":
        raise InputError(f"{name}: {text!r} needs a step, as in {low}..{high}:{(high - low) / 10 or 1}")
    step = _decimal(name, step_text) if colon else Decimal(1)
    if step <= 0:
        raise InputError(f"{name}: {text!r} has a step of {step}; a step must be above 0")
    if high < low:
        raise InputError(
            f"{name}: the range {text!r} is empty; did you mean {high_text}..{low_text}{colon}{step_text}?"
        )
    count = int((high - low) / step) + 1
    if count > MOST_VALUES:
        raise InputError(f"{name}: {text!r} has {count} values, more than {MOST_VALUES}")
    return [format((low + step * i).normalize(), "f") for i in range(count)]


def factor_values(parameter: Parameter, given: str | Sequence[Any]) -> list[Value]:
    """The values that a parameter is varied over: `a,b,c`, `lo..hi[:step]`, `all`, or a list. Raises InputError.

    Each value is read and checked by the parameter; a value that comes twice is refused.
    """
    name = parameter.name
    texts: list[Any] = []
    parts = [p.strip() for p in given.split(",")] if isinstance(given, str) else list(given)
    for part in parts:
        if part == "":
            raise InputError(f"{name}: no value in {given!r}")
        if isinstance(part, str) and part == "all" and "all" not in parameter.choices:
            if parameter.kind == "flag":
                texts.extend(["off", "on"])
            elif parameter.kind == "list":
                texts.extend(choice for choice in parameter.choices if choice != UNNAMED)
            elif parameter.choices:
                texts.extend(parameter.choices)
            else:
                raise InputError(f"{name}: 'all' is for parameters with choices; give values or a range")
        elif isinstance(part, str) and ".." in part and parameter.kind in ("integer", "number"):
            texts.extend(_range(name, part, parameter))
        else:
            texts.append(part)
    if not texts:
        raise InputError(f"{name}: no values to vary it over")
    values: list[Value] = []
    for text in texts:
        value = parameter.read(text)
        if value in values and any(type(v) is type(value) for v in values if v == value):
            raise InputError(f"{name}: the value {shown(value)} comes twice")
        values.append(value)
    return values


def plain(value: Value) -> Value:
    """A number where a text is one, else the value as it is."""
    if not isinstance(value, str):
        return value
    try:
        return float(value.replace("_", ""))
    except ValueError:
        return value


def shown(value: object) -> str:
    """A value as people type it: on/off for switches, plain numbers."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def listed(values: Mapping[str, Any]) -> str:
    """`a=1, b=off` for a mapping."""
    return ", ".join(f"{k}={shown(v)}" for k, v in values.items())
