"""Survival curves and chances by round: what they draw is what the folder holds."""

import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

import reports
from reports import style
from reports.figures import curves, plan
from reports.figures.figure import Figure

TOLD = {
    "turns": {"unit": "turns", "meaning": "turns in a game", "headline": True},
    "first_out_turn": {"unit": "turns", "meaning": "when the first is out", "headline": False},
    "turns_survival": {"unit": "share", "meaning": "games that are still on after so many turns", "headline": False},
    "first_out_turn_survival": {"unit": "share", "meaning": "games in which nobody is out after so many turns"},
    "win_rate_from_round": {"unit": "share", "meaning": "games won, of those that reach this round"},
}


def lines(folders: ModuleType, cell: int, place: dict[str, Any], last: int) -> list[Any]:
    def rate(metric: str, group: str, p: float, n: float, x: float | None = None) -> Any:
        return (cell, place, (metric, group, "", x, p, *folders.wilson(p, n), n, "Wilson"))

    found = [(cell, place, ("turns", "", "", None, last / 2, last / 2 - 1, last / 2 + 1, 3000, "normal"))]
    for x in range(last + 1):
        found.append(rate("turns_survival", "", 1 - x / last, 3000, float(x)))
        found.append(rate("first_out_turn_survival", "", max(1 - 2 * x / last, 0.0), 3000, float(x)))
    for r in range(1, 12):
        found.append(rate("win_rate_from_round", f"round={r}", 0.4 + 0.03 * r, 3000 / 2**r))
    return found


@pytest.fixture
def drawn(folders: ModuleType, tmp_path: Path) -> Callable[[list[int]], dict[str, Figure]]:
    """The figures of one configuration, or of a sweep over gear."""

    def make(gear: list[int]) -> dict[str, Figure]:
        single = len(gear) == 1
        every = [e for k, g in enumerate(gear) for e in lines(folders, k, {} if single else {"gear": g}, 10 * g)]
        told = folders.manifest("run" if single else "sweep", [] if single else [("gear", gear)], len(gear))
        return {
            f.key: f
            for f in plan(reports.read(folders.write(tmp_path / "r", told | {"metrics": TOLD}, every)))[0]
            if f.kind == "curves"
        }

    return make


def test_one_configuration_has_its_curves_by_clock(drawn: Callable[[list[int]], dict[str, Figure]]) -> None:
    found = drawn([4])
    assert set(found) == {"survival-turns", "over-the-rounds"}
    numbers = found["survival-turns"].numbers
    assert numbers is not None
    assert numbers.head[1].startswith("games that are still on") and "n\u00a0=\u00a03,000" in numbers.head[1]
    by_x = {row[0]: row[1:] for row in numbers.rows}
    assert by_x["10"][0].startswith("75.0\u202f% (") and by_x["10"][1].startswith("50.0\u202f% (")
    assert by_x["30"][0].startswith("25.0\u202f% (") and by_x["30"][1] == ""  # it has come to 0 before
    assert "half or less from turns 10" in found["survival-turns"].alt
    rounds = found["over-the-rounds"].numbers
    assert rounds is not None and [row[0] for row in rounds.rows] == list("123456")  # the others are rare
    assert rounds.rows[0][1].startswith("43")


def test_a_sweep_has_a_line_for_each_value(drawn: Callable[[list[int]], dict[str, Figure]]) -> None:
    found = drawn([2, 3, 4])
    assert set(found) == {"first-out-turn-survival-curves-gear", "win-rate-from-round-curves-gear"}
    numbers = found["first-out-turn-survival-curves-gear"].numbers
    assert numbers is not None and [h[:1] for h in numbers.head[1:]] == ["2", "3", "4"]
    assert dict((row[0], row[1][:4]) for row in numbers.rows)["5"] == "50.0"


@pytest.mark.parametrize("gear", [[4], [2, 3, 4]])
def test_they_are_drawn_the_same_each_time(drawn: Callable[[list[int]], dict[str, Figure]], gear: list[int]) -> None:
    for figure in drawn(gear).values():
        assert figure.caption.endswith(".") and "Wilson" in figure.caption
        assert style.svg(figure.draw()) == style.svg(figure.draw())
        picture = Image.open(io.BytesIO(style.png(figure.draw())[0])).convert("L")
        for edge in ((0, 0, 3, picture.height), (picture.width - 3, 0, picture.width, picture.height)):
            assert min(picture.crop(edge).tobytes()) > 200


def test_the_clock_is_that_of_the_metric(folders: ModuleType, tmp_path: Path) -> None:
    told = folders.manifest("run", [], 1) | {"metrics": TOLD | {"rescue_round": {"unit": "round"}}}
    result = reports.read(folders.write(tmp_path / "r", told, lines(folders, 0, {}, 20)))
    assert curves.clock_of(result, "turns_survival") == "turns"
    assert curves.clock_of(result, "rescue_round_survival") == "turns"  # it has no numbers here
