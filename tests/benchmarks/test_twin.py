"""The C twin plays the simulator's own games, outcome for outcome, and refuses content that it does not implement."""

from collections.abc import Callable
from pathlib import Path

import pytest

from simcore.errors import InputError
from simcore.game import find_game
from tests.benchmarks import twin
from tests.benchmarks.twin import Twin

OVERLAY = 'title = "Changed"\nreason = "One item differs."\n'


@pytest.fixture(scope="module")
def compiler(require_tool: Callable[..., str]) -> str:
    return require_tool("gcc", "cc", "clang")


@pytest.fixture(scope="module")
def compiled(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> Twin:
    return twin.compile_twin(tmp_path_factory.mktemp("twin"), compiler)


def difference(compiled: Twin, players: int, seed: int, first: int, games: int, overlays: tuple[str, ...] = ()) -> str:
    kernel = twin.kernel_outcomes(players, seed, first, games, overlays)
    return twin.first_difference(kernel, compiled.play(players, seed, first, games))


def changed_item(folder: Path, effect: str) -> Path:
    """An overlay in which the Icicle says something else."""
    (folder / "overlay.toml").write_text(OVERLAY, encoding="utf-8")
    (folder / "items.toml").write_text(f'[icicle]\neffect = "{effect}"\n', encoding="utf-8")
    return folder


@pytest.mark.needs_gcc
@pytest.mark.parametrize(("players", "games"), [(2, 6_000), (3, 6_000), (4, 60_000), (5, 6_000), (6, 6_000)])
def test_the_twin_plays_the_same_games(compiled: Twin, players: int, games: int) -> None:
    assert difference(compiled, players, 1, 0, games) == ""


@pytest.mark.needs_gcc
@pytest.mark.parametrize("players", [2, 4, 6])
def test_another_seed_and_numbers_that_are_no_multiple_of_the_players(compiled: Twin, players: int) -> None:
    assert difference(compiled, players, 2**63 - 5, 10**12 + 1, 3_001) == ""


@pytest.mark.slow
@pytest.mark.needs_gcc
@pytest.mark.parametrize(("players", "games"), [(2, 10**5), (3, 10**5), (4, 10**6), (5, 10**5), (6, 10**5)])
def test_the_twin_plays_the_same_games_for_long(compiled: Twin, players: int, games: int) -> None:
    assert difference(compiled, players, 7, 0, games) == ""


@pytest.mark.needs_gcc
@pytest.mark.parametrize("overlay", ["model-c", "low-locations"])
def test_other_cards_change_both(compiler: str, tmp_path: Path, overlay: str) -> None:
    """Model C has two QuickShots of a number: several may answer, and one player twice."""
    changed = twin.compile_twin(tmp_path, compiler, (overlay,))
    assert difference(changed, 5, 1, 0, 6_000, (overlay,)) == ""
    assert "game " in difference(changed, 5, 1, 0, 600)  # the shipped cards play otherwise


@pytest.mark.needs_gcc
def test_another_number_on_a_card_changes_both(compiler: str, tmp_path: Path) -> None:
    overlay = str(changed_item(tmp_path, "power +7"))
    changed = twin.compile_twin(tmp_path, compiler, (overlay,))
    assert difference(changed, 4, 1, 0, 6_000, (overlay,)) == ""
    assert "game " in difference(changed, 4, 1, 0, 600)


def test_an_effect_that_the_twin_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mom-hollering.*does not implement 'recover 1 for poorer'"):
        twin.compile_twin(tmp_path, overlays=("mom-hollering-free",))
    folder = changed_item(tmp_path, "power +3; power +1")
    with pytest.raises(InputError, match="icicle"):
        twin.compile_twin(tmp_path, overlays=(folder,))
    with pytest.raises(InputError, match="does not implement blank"):
        twin.compile_twin(tmp_path, overlays=("blank-events",))


def test_another_rule_is_refused() -> None:
    chosen = find_game("snowball").configure({"players": 4, "ruling.refill": "at_once"})
    with pytest.raises(InputError, match="refill = 0"):
        twin.content_header(chosen)


@pytest.mark.needs_gcc
def test_a_difference_is_told_readably(compiled: Twin) -> None:
    kernel, played = twin.kernel_outcomes(4, 1, 100, 60), compiled.play(4, 1, 100, 60)
    played["hits"][7] += 2
    played["gear"][9, 3] += 1
    said = twin.first_difference(kernel, played)
    hits = int(kernel["hits"][7])
    assert said == f"game 107: hits is {hits} in the kernel, {hits + 2} in the twin (2 of 60 games differ)"


@pytest.mark.needs_gcc
def test_the_ratio_keeps_its_pairs(compiled: Twin) -> None:
    found = twin.measure_ratio(compiled, players=3, pairs=3, games=600)
    assert len(found.pairs) == 3
    assert 0 < found.lowest <= found.median <= found.highest
