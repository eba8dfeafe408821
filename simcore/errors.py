"""Errors for people: what was wrong, where, and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Bad input of any kind: one readable line. The command line prints it and exits with 2."""


class PlayError(RuntimeError):
    """A game could not be played on: a policy answered outside its options, or an effect did not end."""


def nearest(word: str, words: Iterable[str]) -> str:
    """`; did you mean ...?` with the closest valid word, or the valid words if none is close and they are few."""
    known = [str(w) for w in words]
    close = get_close_matches(str(word), known, n=1, cutoff=0.55)
    if close:
        return f"; did you mean {close[0]!r}?"
    if known and len(known) <= 12:
        return f"; known: {', '.join(known)}"
    return ""
