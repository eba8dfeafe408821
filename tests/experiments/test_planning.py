"""How many games a question needs: formulas against simulation, and the dry run."""

import json
import math

import numpy as np
import pytest

from experiments import planning, run, words
from experiments import statistics as st
from experiments.planning import forecast, games_for_difference, games_for_mean, games_for_mean_difference
from experiments.study import build, plan


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """A sample is taken only of rules that are compiled."""
    run("snowball", games=60)


def study(**fields):
    return plan(build(game="snowball", **fields))


def test_a_mean_is_known_within_what_was_planned():
    assert games_for_mean(10, 0.5) == math.ceil((1.959964 * 20) ** 2)
    n, chance = games_for_mean(3.0, 0.4), np.random.default_rng(1)
    off = np.abs(chance.normal(5, 3, (4000, n)).mean(axis=1) - 5)
    assert 0.935 < (off < 0.4).mean() < 0.965


@pytest.mark.parametrize(("p", "difference"), [(0.5, 0.05), (0.25, 0.05), (0.1, 0.04)])
def test_a_difference_of_shares_is_seen_as_often_as_planned(p, difference):
    n, chance = games_for_difference(p, difference), np.random.default_rng(2)
    a = chance.binomial(n, p - difference / 2, 20_000) / n
    b = chance.binomial(n, p + difference / 2, 20_000) / n
    middle = (a + b) / 2
    seen = np.abs(b - a) > st.z_value() * np.sqrt(2 * middle * (1 - middle) / n)
    assert seen.mean() == pytest.approx(planning.POWER, abs=0.02)


def test_a_textbook_value():
    # Fleiss, Levin & Paik 2003, table A.4 without the continuity correction: .25 against .40, 5 %, power 80 %
    assert games_for_difference(0.325, 0.15) == pytest.approx(152, abs=1)


def test_a_difference_of_means_is_seen_as_often_as_planned():
    n, chance = games_for_mean_difference(3.0, 0.5), np.random.default_rng(3)
    a, b = (chance.normal(m, 3, (4000, n)).mean(axis=1) for m in (5.0, 5.5))
    seen = np.abs(b - a) > st.z_value() * 3 * math.sqrt(2 / n)
    assert seen.mean() == pytest.approx(planning.POWER, abs=0.03)


@pytest.mark.parametrize("p", [0.01, 0.2, 0.5])
def test_a_share_is_known_within_what_was_planned(p):
    n = planning._games_for_width(p, 0.005)
    low, high = st.wilson_bounds(p * n, n)
    assert (high - low) / 2 <= 0.005
    low, high = st.wilson_bounds(p * (n - 1), n - 1)
    assert (high - low) / 2 > 0.005
    assert n <= st.games_for_half_width(0.005)


def test_the_forecast_counts_all_cells(monkeypatch):
    ready = study(factors={"gear": "1..6", "players": "2..3"}, games=1200)
    ahead = forecast(ready)
    assert ahead.games == 12 * 1200
    assert ahead.sample is not None and ahead.sample.cells == 3
    assert ahead.seconds == pytest.approx(ahead.games / ahead.sample.speed)
    assert all(n.games == 12 * n.a_cell for n in ahead.needs)
    assert "difference of 1 point" in ahead.needs[3].question
    assert [n.question for n in ahead.needs[4:]] == [
        "to know turns within ±1 % of it",
        "to see turns differ by 1 % between two cells",
    ]


def test_the_mean_that_is_asked_is_planned_for():
    ahead = forecast(study(answer=["start_edge", "minutes"], games=60_000))
    assert ahead.needs[-1].question == "to know start_edge within ±1 % of it"
    minutes = forecast(study(answer=["minutes"], games=60_000)).needs[-1]
    row = run("snowball", games=minutes.a_cell).get("minutes")
    assert row.estimate.half_width == pytest.approx(0.01 * row.value, rel=0.15)


def test_cold_rules_are_not_compiled_for_a_dry_run(monkeypatch):
    from simcore import batch, jit

    before = list(jit.on_compile)

    def play(*a, **k):
        for tell in jit.on_compile:
            tell("play_turn")
        pytest.fail("it went on compiling")

    monkeypatch.setattr(batch, "play", play)
    ahead = forecast(study(games=1200))
    assert ahead.sample is None and ahead.seconds is None
    text = planning.shown(ahead, "table")
    assert "not compiled yet" in text and "time not known" in text
    assert jit.on_compile == before


def test_precision_is_forecast_from_the_sample():
    ahead = forecast(study(precision=0.01))
    assert ahead.most
    assert 6000 < ahead.a_cell <= st.games_for_half_width(0.01)


@pytest.mark.parametrize(
    ("games", "text"), [(7, "7"), (123, "120"), (38_411, "38,000"), (1_812_345, "1.81 million"), (2e10, "20 thousand")]
)
def test_numbers_of_games_are_rounded(games, text):
    assert planning.rounded(int(games)).startswith(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "time not known"), (0.3, "less than a second"), (41.2, "about 41 s"), (600, "about 10 min"), (7200, "2 h")],
)
def test_times_are_said(seconds, text):
    assert text in planning.said_time(seconds)


def test_the_dry_run_on_the_command_line(capsys, tmp_path):
    from experiments.cli import call

    line = ["sweep", "snowball", "--vary", "gear=1..9", "--vary", "players=2..5", "--dry-run"]
    assert call([*line, "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "36 cells (grid), 20,040 games a cell, 721,440 in all" in " ".join(said.split())
    assert "..." in said and "  35  9     5" in said
    assert not (tmp_path / "out").exists()
    assert call([*line, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["cells"]) == 36 and data["games"] == 721_440 and data["dry_run"]
    assert call([*line, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 37
    assert call(["run", "snowball", "--dry-run"]) == 0
    assert "1 cell, 120,000 games in all" in " ".join(capsys.readouterr().out.split())
    assert call([*line, "--vary", "gear=10"]) == 2


def test_every_need_is_said_with_its_games():
    ahead = forecast(study(factors={"gear": "1..2"}, games=120))
    said = " ".join(planning.shown(ahead, "table").split())
    for need in ahead.needs:
        assert f"({need.a_cell:,} a cell)" in said
    assert words.shown(ahead.plan.cells[1].parameters["gear"]) == "2"
