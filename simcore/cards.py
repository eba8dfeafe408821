"""What every game's tables do with cards: their own keys, room in the record, and the shipped content read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

from simcore import content
from simcore.content import Content, Entry
from simcore.errors import InputError


@cache
def card_id(section: str, slug: str, copy: int) -> int:
    """A card's own 64-bit key: what it is called and which copy it is. Other cards of the deck do not enter."""
    return int.from_bytes(blake2b(f"{section}/{slug}#{copy}".encode(), digest_size=8).digest(), "little")


def check_fits(what: str, count: int, capacity: int) -> None:
    """Refuse by name what a record has no room for. Raises InputError."""
    if count > capacity:
        raise InputError(f"the content has {count} {what}, and {capacity} fit")


class Shipped:
    """A game's content folder. What ships does not change while the program runs, so that a sweep reads it once; a
    designer's own folder may, and is read each time."""

    def __init__(self, folder: Path, sections: Callable[[], Mapping[str, type[Entry]]]) -> None:
        self.folder, self.sections = folder, sections
        self._read = cache(lambda names: content.load(self.folder, self.sections(), names))
        self._names = cache(lambda: tuple(content.shipped_overlays(self.folder / "overlays")))

    def load(self, overlays: Sequence[str | Path] = ()) -> Content:
        """The shipped content with overlays (names of shipped ones, or folders). Raises InputError."""
        names = tuple(str(overlay) for overlay in overlays)
        if set(names) <= set(self.overlays()):
            return self._read(names)
        return content.load(self.folder, self.sections(), overlays)

    def overlays(self) -> tuple[str, ...]:
        """Names of the overlays that ship."""
        return self._names()
