"""Cards' own keys, room in a record, and the shipped content read once."""

from pathlib import Path

import pytest

from simcore import cards
from simcore.errors import InputError
from simcore.game import games


def test_a_cards_key_is_its_own() -> None:
    """By section, name and copy; the same in every version of Python and every process (a key changes all games)."""
    assert cards.card_id("items", "sled", 0) == 0x93BFC22BCA647595
    keys = {cards.card_id(s, n, c) for s in ("items", "kids") for n in ("sled", "lid") for c in (0, 1)}
    assert len(keys) == 8
    assert all(0 <= cards.card_id("items", "sled", copy) < 2**64 for copy in range(9))


def test_what_has_no_room_is_refused_by_name() -> None:
    cards.check_fits("kids", 4, 4)
    with pytest.raises(InputError, match="the content has 5 kids, and 4 fit"):
        cards.check_fits("kids", 5, 4)


@pytest.mark.parametrize("game", games())
def test_what_ships_is_read_once_and_a_designers_folder_each_time(game: str, tmp_path: Path) -> None:
    load = games()[game].load_content
    assert load() is load() and load([]) is load(())
    section = next(s for s in load().sections if load().sections[s])
    slug, entry = next(iter(load().sections[section].items()))
    (tmp_path / f"{section}.toml").write_text(f'[{slug}]\nname = "Another"\n', encoding="utf-8")
    first = load([tmp_path])
    assert first is not load([tmp_path]) and first.sections[section][slug].name == "Another" != entry.name
