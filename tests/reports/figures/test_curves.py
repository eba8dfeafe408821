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


# --- who leads --------------------------------------------------------------------------------------------------------

LEADS = {
    "leader_share": {"unit": "share", "meaning": "win share of who alone leads as a round begins"},
    "clear_leader_rate": {"unit": "share", "meaning": "games with one clear leader as a round begins"},
    "automaton_win_share": {"unit": "share", "meaning": "wins of the automaton"},
}


def leading(folders: ModuleType, cell: int, place: dict[str, Any], *, automaton: bool = False) -> list[Any]:
    def rate(metric: str, group: str, group2: str, p: float, n: float) -> Any:
        return (cell, place, (metric, group, group2, None, p, *folders.wilson(p, n), n, "Wilson"))

    found = [rate("automaton_win_share", "", "", 0.3, 3000)] if automaton else []
    for r in range(2, 14, 2):
        found.append(rate("leader_share", f"round={r}", "", 0.3 + 0.03 * r, 2000))
        found.append(rate("clear_leader_rate", f"round={r}", "", 0.6, 3000))
        for i, band in enumerate(("10+", "1-4", "5-9")):
            found.append(rate("leader_share", f"lead={band}", f"round={r}", (0.9, 0.3, 0.6)[i], 500))
    return found


def read(folders: ModuleType, path: Path, *, automaton: bool = False, players: tuple[int, ...] = (4,)) -> Any:
    single = len(players) == 1
    every = [
        e
        for k, p in enumerate(players)
        for e in leading(folders, k, {} if single else {"players": p}, automaton=automaton)
    ]
    told = folders.manifest("run" if single else "sweep", [] if single else [("players", list(players))], len(players))
    given = {"players": players[0]} if single else {}
    return reports.read(folders.write(path, told | {"metrics": LEADS, "given": given}, every))


@pytest.mark.parametrize(("automaton", "players"), [(False, 4), (True, 5)])
def test_who_leads_is_held_against_a_fair_share(
    folders: ModuleType, tmp_path: Path, automaton: bool, players: int
) -> None:
    result = read(folders, tmp_path / "r", automaton=automaton)
    figures = {f.key: f for f in plan(result)[0]}
    figure = figures["over-the-rounds"]
    assert f"Dotted: a fair share, 1 / {players}" in figure.caption
    axes = figure.draw().axes[0]
    level = [
        line for line in axes.lines if list(line.get_ydata()) == [100 / players] * 2 and line.get_linestyle() != "-"
    ]
    assert len(level) == 1 and "fair share" in [text.get_text() for text in axes.texts]
    assert [tick for tick in axes.get_xticks()] == [2, 4, 6, 8, 10, 12]
    assert figure.numbers is not None and [row[0] for row in figure.numbers.rows] == ["2", "4", "6", "8", "10", "12"]
    assert figure.numbers.rows[1][1].startswith("42"), "the leads by size are no rounds"
    assert not any(
        f.kind == "dots" and f.metric.name in ("leader_share", "clear_leader_rate") for f in figures.values()
    )


def test_leads_are_drawn_from_small_to_large(folders: ModuleType, tmp_path: Path) -> None:
    figure = next(f for f in plan(read(folders, tmp_path / "r"))[0] if f.key == "leader-share-pairs")
    names = [text.get_text() for text in figure.draw().axes[0].get_yticklabels()]
    assert [name.removeprefix("lead ") for name in names] == ["1-4", "5-9", "10+"]


def test_each_number_of_players_has_its_own_fair_share(folders: ModuleType, tmp_path: Path) -> None:
    result = read(folders, tmp_path / "r", players=(2, 4))
    figure = next(f for f in plan(result)[0] if f.key == "leader-share-curves-players")
    assert "Dotted: a fair share of each line" in figure.caption
    levels = {line.get_ydata()[0] for line in figure.draw().axes[0].lines if len(set(line.get_ydata())) == 1}
    assert {50.0, 25.0} <= levels
