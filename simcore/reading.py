"""Reads what a person wrote into a mapping (a position, a deal): each value checked, errors in one line.

`where` begins each message; every function raises InputError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simcore.errors import InputError, nearest


def whole(value: Any, low: int, high: int, where: str) -> int:
    """A whole number within inclusive bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{where}: {value!r} is no whole number from {low} to {high}")
    return value


def names(given: Mapping[str, Any], key: str, where: str) -> list[str]:
    """A list of names; empty where the key is absent."""
    value = given.get(key, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(f"{where}: {key} is a list of names, not {value!r}")
    return value


def table(given: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """A table; empty where the key is absent."""
    value = given.get(key, {})
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: {key} is a table, not {value!r}")
    return value


def number_of(slug: Any, known: Sequence[str], what: str, where: str) -> int:
    """The number of an entry that is called so."""
    if slug not in known:
        raise InputError(f"{where}: no {what} {slug!r}{nearest(str(slug), known)}")
    return known.index(slug)


def check_keys(keys: Sequence[str], given: Mapping[str, Any], where: str) -> None:
    """Refuse a key that is none of these."""
    for key in given:
        if key not in keys:
            raise InputError(f"{where}: no key {key!r}{nearest(key, keys)}")
