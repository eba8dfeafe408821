"""What is made of the measurements: the summary, the README's table, the gate; and that nothing is left unmeasured."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import strategies
from simcore.game import find_game, games
from tests.benchmarks import kernels, notes, pairing
from tools import bench_table, speed_gate

GAMES = games()
ROWS = [
    {
        "game": "chess",
        "what": "games, greedy",
        "at": "2 players",
        "value": 22664600.0,
        "unit": "",
        "beside": ["asked", 5.5],
    },
    {"game": "chess", "what": "games, greedy", "at": "4 players", "value": 98.76, "unit": "", "beside": ["asked", 4.0]},
    {"game": "chess", "what": "frame", "at": "", "value": 1.234, "unit": "%", "most": 5.0},
    {"game": "", "what": "help", "at": "", "value": 0.3111, "unit": "s", "beside": ["span", "0.3 to 0.4"], "most": 0.5},
]
SUMMARY = {"machine": "An abacus, 13 rows", "rows": ROWS}
TABLE = """\
| game | what | measured | promised |
| --- | --- | --- | --- |
| chess | games, greedy; 2 / 4 players | 22.7 M / 98.8 (asked: 5.5 / 4) | |
| chess | frame | 1.23 % | at most 5 % |
| (any) | help | 0.311 s (span: 0.3 to 0.4) | at most 0.5 s |

Measured by `make bench` on: An abacus, 13 rows."""


# --- the summary and the table ---------------------------------------------------------------------------------------


def a_run(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What pytest-benchmark would write of it."""
    about = {"machine": "x86_64", "system": "Linux", "python_version": "3.13.0", "processor": ""}
    cpu = {"brand_raw": "Abacus", "count": 2}
    groups = {"help": "start", "frame": "pieces", "games, greedy": "rates"}
    noted = [{"extra_info": {"rows": [row]}, "group": groups[row["what"]]} for row in rows]
    benchmarks = [{"extra_info": {}, "group": None}, *sorted(noted, key=lambda b: b["group"])]
    return {"machine_info": {**about, "cpu": cpu}, "benchmarks": benchmarks}


def test_a_summary_becomes_a_table() -> None:
    assert bench_table.markdown(SUMMARY) == TABLE


def test_the_table_in_a_terminal_says_the_same() -> None:
    said = bench_table.plain(SUMMARY)
    assert "22.7 M / 98.8 (asked: 5.5 / 4)" in said and "[at most 5 %]" in said and "abacus" in said


def test_a_run_becomes_a_summary() -> None:
    found = bench_table.summarize(a_run(ROWS), "0.68")
    assert found["rows"] == ROWS
    assert found["machine"] == "Abacus, 2 cores, Linux x86_64; Python 3.13.0, numba 0.68"


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "summary.json"
    assert bench_table.kept(file)["rows"] == []
    file.write_text(bench_table.written(SUMMARY), encoding="utf-8")
    assert bench_table.kept(file) == SUMMARY


@pytest.mark.parametrize(("anew", "rows_left"), [(False, 4), (True, 3)])
def test_a_part_of_the_benchmarks_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], anew: bool, rows_left: int
) -> None:
    summary, run = tmp_path / "summary.json", tmp_path / "run.json"
    summary.write_text(bench_table.written(SUMMARY), encoding="utf-8")
    run.write_text(json.dumps(a_run(ROWS[1:])), encoding="utf-8")
    assert bench_table.take(run, anew, summary) == anew
    assert "chess, games, greedy, 2 players" in capsys.readouterr().out
    assert len(bench_table.kept(summary)["rows"]) == rows_left


def test_a_whole_run_is_kept(tmp_path: Path) -> None:
    summary, run = tmp_path / "summary.json", tmp_path / "run.json"
    run.write_text(json.dumps(a_run(ROWS)), encoding="utf-8")
    assert bench_table.take(run, summary=summary) and bench_table.take(run, summary=summary)
    assert bench_table.kept(summary)["rows"] == ROWS


def test_a_promise_not_kept_is_named() -> None:
    assert bench_table.missed(SUMMARY) == []
    slow = {**SUMMARY, "rows": [{**ROWS[2], "value": 7.0}, {**ROWS[0], "least": 3e8}]}
    said = bench_table.missed(slow)
    assert said[0] == "chess: frame: 7 %, promised at most 5 %"
    assert "promised at least 300 M" in said[1]


def test_the_table_goes_between_its_markers(tmp_path: Path) -> None:
    page, summary = tmp_path / "page.md", tmp_path / "summary.json"
    summary.write_text(bench_table.written(SUMMARY), encoding="utf-8")
    page.write_text(f"above\n{bench_table.START}\nold\n{bench_table.END}\nbelow\n", encoding="utf-8")
    for _ in range(2):
        bench_table.refresh(page, summary)
        assert page.read_text() == f"above\n{bench_table.START}\n{TABLE}\n{bench_table.END}\nbelow\n"


@pytest.mark.parametrize("page", ["", bench_table.START, f"{bench_table.END}{bench_table.START}", 2 * bench_table.END])
def test_missing_markers_are_said(tmp_path: Path, page: str) -> None:
    file = tmp_path / "page.md"
    file.write_text(page, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"page\.md: the table needs one line <!-- benchmarks:start -->"):
        bench_table.refresh(file, tmp_path / "none.json")
    assert file.read_text() == page


def test_the_readme_has_the_table_of_the_summary() -> None:
    page = bench_table.README.read_text(encoding="utf-8")
    assert bench_table.inserted(page, bench_table.markdown(bench_table.kept())) == page


def test_a_note_keeps_four_digits() -> None:
    benchmark = SimpleNamespace(extra_info={})
    notes.note(benchmark, "chess", "frame", 1.23456, "%", most=5, games_played=12345.6)
    notes.note(benchmark, "chess", "twin", 2, at="2 players", span="1 to 3")
    frame, twin = benchmark.extra_info["rows"]
    assert frame == {**ROWS[2], "value": 1.235, "beside": ["games played", 12350.0]}
    assert twin["beside"] == ["span", "1 to 3"] and "most" not in twin


# --- the gate --------------------------------------------------------------------------------------------------------


def judged(*ratios: float, baseline: dict[int, float] | None = None) -> tuple[list[str], list[str]]:
    """(what fails, what is said) where these ratios are measured, one after the other, all of them."""
    left: Iterator[float] = iter(ratios)
    said: list[str] = []
    failed = speed_gate.judge(lambda players: next(left), baseline or {4: 0.8, 2: 0.5}, said.append)
    assert next(left, None) is None
    return failed, said


def test_the_gate_lets_pass_what_is_fast_enough() -> None:
    assert judged(0.8, 0.5)[0] == []
    assert judged(0.57, 0.36)[0] == []


def test_the_gate_measures_again_before_it_fails() -> None:
    failed, said = judged(0.4, 0.79, 0.5)
    assert failed == [] and "measured again: 0.79" in said


def test_the_gate_fails_for_what_is_twice_too_slow() -> None:
    failed, _ = judged(0.4, 0.5, 0.5)
    assert len(failed) == 1
    assert failed[0].startswith(
        "too slow: snowball, 4 players: 0.40 times the speed of C; baseline 0.80, at least 0.56"
    )


def test_the_gate_says_where_the_baseline_is_too_low() -> None:
    failed, said = judged(0.8, 0.9)
    assert failed == [] and "--update" in said[-1]


def test_the_gate_fails_without_a_baseline() -> None:
    failed, _ = judged(0.8, baseline={4: 0.8})
    assert len(failed) == 1 and "no baseline for snowball with 2 players" in failed[0] and "--update" in failed[0]


def test_the_baseline_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "baseline.toml"
    assert speed_gate.read_baseline(file) == {}
    file.write_text(speed_gate.baseline_text({4: 0.81234, 2: 1.2}), encoding="utf-8")
    assert speed_gate.read_baseline(file) == {2: 1.2, 4: 0.812}


def test_the_baseline_has_what_the_gate_measures() -> None:
    assert set(speed_gate.read_baseline()) == set(speed_gate.PLAYERS)


# --- nothing is left unmeasured --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_pieces_and_changes(game: str) -> None:
    pieces = kernels.PIECES[game]
    layout = find_game(game).layout
    assert pieces.cards in layout.RULES.names
    changes = pairing.CHANGES[game]
    assert len({c.what for c in changes}) == len(changes) >= 4
    assert any(".copies" in name for c in changes for name in c.settings)
    assert any(name.startswith("ruling.") for c in changes for name in c.settings)
    assert any(c.players for c in changes)
    for change in changes:
        configuration = find_game(game).configure(dict(change.settings))
        everyone = {"all": pairing.USUAL[game], **change.players}
        assert strategies.line_up(game, configuration.seats, everyone)


# --- pairing ---------------------------------------------------------------------------------------------------------


def rows(*shares: int) -> np.ndarray:
    found = np.zeros(len(shares), [("number", "i8"), ("share", "i8", (2,))])
    found["number"] = np.arange(len(shares))
    found["share"][:, pairing.PLAYER] = shares
    return found


def test_pairing_saves_what_the_variances_say() -> None:
    found = pairing.saving(rows(60, 0, 60, 0), rows(60, 0, 0, 0))
    assert found.touched == 0.25 and found.difference == -0.25
    assert found.factor == pytest.approx((1 / 4 + 3 / 16) / (3 / 16))
    assert found.promised == pytest.approx(0.8 * 4)


def test_what_changes_nothing_needs_no_games() -> None:
    found = pairing.saving(rows(60, 0), rows(60, 0))
    assert (found.factor, found.touched, found.promised) == (float("inf"), 0, 1)


def test_pairs_are_games_of_the_same_number() -> None:
    with pytest.raises(ValueError, match="same number"):
        pairing.saving(rows(60, 0), rows(60, 0)[::-1])


@pytest.mark.parametrize("game", GAMES)
def test_a_change_leaves_games_alone_and_pairing_gains(game: str) -> None:
    """The promise on which paired comparisons rest, with few games; the benchmark plays more."""
    changes = [c for c in pairing.CHANGES[game] if c.settings]
    for what, found in pairing.savings(game, 6000, changes).items():
        assert 0 < found.touched < 0.95, what
        assert found.factor > found.promised, what
