"""Solving for a parameter: the words, the refusals, the result folder; the search itself is in test_crossing."""

import csv
import json
import math

import pytest

import experiments
from experiments import store
from experiments.metrics import Row
from experiments.solving import places
from experiments.solving.question import target_of
from simcore.errors import InputError

FEW = 20_000


@pytest.fixture
def curve(monkeypatch):
    """Put a curve in the place of `turns`: exact but for 1/games."""

    def put(function):
        def row(self, x):
            games = self.places[x].games
            return Row("turns", "", "", None, function(x), function(x) - 1 / games, function(x) + 1 / games, games, "t")

        monkeypatch.setattr(places.Table, "row", row)

    return put


# --- whole numbers ---


def test_gear_for_forty_turns(doomtrack):
    code, out, _ = doomtrack(f"solve snowball --find gear=1..6 --target turns=40 --budget {FEW}")
    assert code == 0
    assert "gear = 5 comes nearest to turns = 40: 4" in out
    assert "(4 gives 3" in out and "; 6 gives " in out
    assert "No other value can be nearer (95 %)" in out
    assert "Turns rises with gear" in out
    assert "Be wary: - " in out and "All seats choose at random" in out


def test_values_that_cannot_be_told_apart_are_listed(doomtrack):
    code, out, _ = doomtrack(f"solve snowball --find turn_cap=10..200 --target capped_rate=2% --budget {FEW}")
    assert code == 0
    assert "comes nearest to capped rate = 2 %" in out
    assert "Which value is nearest is not certain" in out and "cannot be excluded" in out
    assert "not excluded" in out


def test_from_python_with_the_same_numbers_as_a_sweep():
    found = experiments.solve("snowball", find={"gear": [6, 2, 4]}, target={"turns": 33}, budget=FEW)
    assert (found.status, found.value, found.candidates, found.interval) == ("found", 4, [4], (4, 4))
    assert found.curve["x"].to_list() == [2, 4, 6]
    games = found.games(4.0)
    same = experiments.run("snowball", settings={"gear": 4}, games=games).get("turns")
    assert found.rows[4.0] == same
    assert found.sentences[0].startswith("gear = 4 comes nearest to turns = 33")


def test_games_are_played_on_not_anew():
    """The rows after several rounds are those of all games in one go, and do not depend on threads."""
    found = experiments.solve("snowball", find="gear=1..6", target="turns=37.7", budget=60_000, threads=1)
    most = max(found.answer.points, key=lambda p: p.games)
    assert most.games > found.answer.points[0].games
    same = experiments.run("snowball", settings={"gear": int(most.x)}, games=most.games).get("turns")
    assert found.rows[most.x] == same
    other = experiments.solve("snowball", find="gear=1..6", target="turns=37.7", budget=60_000, threads=2)
    assert other.answer == found.answer


# --- reals ---


def test_a_real_parameter():
    found = experiments.solve("snowball", find={"seconds_per_turn": "5..60"}, target={"minutes": 15}, budget=60_000)
    low, high = found.interval
    turns = experiments.run("snowball", games=100_000).get("turns").value
    assert low < 15 * 60 / turns < high and high - low < 1
    assert found.candidates == []
    assert "gives length in minutes = 15" in found.sentences[0]
    assert found.games(found.answer.points[0].x) > 0


def test_a_weight_a_content_number_and_a_written_metric():
    found = experiments.solve(
        "snowball",
        find="strategy.all.progress=1..2",
        target="long=0.4",
        metrics={"long": "turns > 13"},
        strategies="greedy",
        budget=FEW,
    )
    assert found.status == "found" and 1 < found.value < 2
    assert found.result.manifest["strategies"] == {"all": "greedy"}
    found = experiments.solve("snowball", find="items.pinecone.copies=0..9:3", target="turns=26", budget=FEW)
    assert found.value in (0, 3, 6, 9)


def test_a_quantile_goes_in_steps():
    found = experiments.solve("snowball", find="gear=1..6", target="turns[quantile=0.5]=20", budget=FEW)
    assert (found.status, found.value) == ("found", 2)
    with pytest.raises(InputError, match="a quantile goes in whole steps"):
        experiments.solve("snowball", find="event_density=0..1", target="turns[quantile=0.5]=20", budget=FEW)
    listed = {"find": "seconds_per_turn=10..40:10", "target": "minutes[quantile=0.5]=8"}
    assert experiments.solve("snowball", **listed, budget=FEW).value == 20


def test_within_is_told(doomtrack):
    line = "solve snowball --find gear=1..6 --target turns=40 --budget 60000 --within"
    assert "That is within 3.00 of the target (95 %)." in doomtrack(line, 3)[1]
    assert "That is not within 0.50 of the target." in doomtrack(line, 0.5)[1]


# --- no answer ---


def test_out_of_reach(doomtrack):
    code, out, _ = doomtrack(f"solve snowball --find gear=1..3 --target turns=90 --budget {FEW}")
    assert code == 3
    assert "Turns = 90 cannot be reached with gear from 1 to 3: it goes from 1" in out
    assert "at gear = 1 to 2" in out and "at gear = 3. Nearest is gear = 3." in out


def test_a_parameter_that_changes_nothing(doomtrack):
    code, out, err = doomtrack(f"solve snowball -p 3 --find auto_clear_from=6..7 --target turns=30 --budget {FEW}")
    assert (code, out) == (2, "")
    assert "auto_clear_from: changes nothing: turns is 19" in err and "at each of the 2 values tried from 6 to 7" in err


def test_a_parameter_without_a_visible_effect(doomtrack):
    code, _, err = doomtrack(
        f"solve snowball --find items.trashcan-lid.copies=0..3 --target win_share[seat=0]=25% --budget {FEW}"
    )
    assert code == 2
    assert "shows no effect on win_share[seat=0]: from 2" in err and "games each of 4 values from 0 to 3" in err


def test_not_monotone(doomtrack, curve):
    curve(lambda x: 30 - (x - 4) ** 2)
    code, out, _ = doomtrack(f"solve snowball --find gear=1..9 --target turns=28 --budget {FEW}")
    assert code == 3
    assert "Turns is not monotone in gear: " in out and "at 1; " in out and "at 4; " in out and "at 9." in out
    assert "Turns = 28 is met between 2 and 3 and between 5 and 6; narrower bounds give an answer" in out
    assert "--find gear=2..3" in out
    _, out, _ = doomtrack(f"solve snowball --find gear=1..9 --target turns=70 --budget {FEW}")
    assert "Turns = 70 is met nowhere among the values tried: it goes from 5" in out


def test_a_real_interval_at_a_bound_may_reach_beyond(doomtrack, curve):
    curve(lambda x: 20 + 1e-4 * x)
    _, out, _ = doomtrack(f"solve snowball --find seconds_per_turn=100..600 --target turns=20.0101 --budget {FEW}")
    assert "The interval ends at the bound 100: it may reach beyond." in out


# --- what is refused ---


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--find gear=1..6", "needs --find K=LO..HI and --target METRIC=VALUE"),
        ("--target turns=3", "needs --find K=LO..HI and --target METRIC=VALUE"),
        ("--find gear --target turns=3", "--find 'gear': should read NAME=VALUE"),
        ("--find gear=1..6 --target turns", "--target 'turns': should read METRIC=VALUE"),
        ("--find gear=1..6 --target turns=many", "--target: 'many' is not a number"),
        ("--find gear=1..6 --target turns=nan", "--target: 'nan' is not a number"),
        ("--find gear=1..6 --target trns=40", "no metric 'trns'; did you mean 'turns'?"),
        ("--find gear=1..6 --target win_share=0.3", "of that name there are: win_share[seat=0], "),
        ("--find gear=1..6 --target win_share[seat=0]=30", "30 is outside 0..1; did you mean 0.3 or 30%?"),
        ("--find players=2..4 --target win_share[seat=3]=0.3", "no metric 'win_share[seat=3]' at players=2"),
        ("--find geer=1..6 --target turns=40", "no parameter 'geer' to vary; did you mean 'gear'"),
        ("--find gear=1..10 --target turns=40", "gear: 10 is outside 1..9"),
        ("--find gear=6..1 --target turns=40", "the range '6..1' is empty"),
        ("--find gear=3 --target turns=40", "gear: has one value; a range is needed"),
        ("--find gear=1..6 --set gear=2 --target turns=40", "gear: both set (2) and varied"),
        ("--find kids=off --target turns=40", "kids: is no number (choice)"),
        ("--find two_player_clear_rule=all --target turns=40", "is no number (flag)"),
        ("--find strategy.all=random,greedy --target turns=40", "a strategy is no number"),
        ("--find strategy.all.hold=0..1 --target turns=40", "no weight 'hold' in random"),
        ("--find gear=1..6 --target turns=40 --within 0", "--within 0: must be above 0"),
        ("--find gear=1..6 --target turns=40 --within -1%", "must be above 0"),
        ("--find gear=1..6 --target turns=40 --budget 100", "--budget 100: too few games for 6 values; at least 2880"),
        ("--find gear=1..6 --target turns=40 --budget lots", "budget: 'lots' is not a whole number"),
        ("--find gear=1..6 --target turns=40 --format xml", "no such format"),
    ],
)
def test_refused_before_the_first_game(doomtrack, monkeypatch, words, complaint):
    from simcore import batch

    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("a game was played"))
    code, out, err = doomtrack(f"solve snowball {words}")
    assert (code, out) == (2, "")
    assert complaint in err and len(err.splitlines()) == 1


def test_a_wrong_value_in_a_long_range_is_named_before_the_first_game(doomtrack):
    code, _, err = doomtrack("solve snowball --find players=2..6 --target turns=40 --strategy 4=greedy")
    assert code == 2 and "cell 0 (players=2): --strategy 4=greedy: there are 2 seats" in err


def test_targets_are_read():
    assert target_of("turns=40") == ("turns", 40)
    assert target_of(" win_share[seat=0] = 30 % ") == ("win_share[seat=0]", 0.3)
    assert target_of("start_edge=-0.01") == ("start_edge", -0.01)
    for wrong in ("turns", "=3", "turns=", "win_share[seat=0]"):
        with pytest.raises(InputError, match="should read METRIC=VALUE"):
            target_of(wrong)
    with pytest.raises(InputError, match="one parameter to find and one target"):
        experiments.solve("snowball", find={"gear": "1..3", "players": "2..3"}, target="turns=3")


def test_a_metric_without_a_value_is_refused(monkeypatch):
    monkeypatch.setattr(
        places.Table, "row", lambda self, x: Row("turns", "", "", None, None, None, None, 0, "never occurred")
    )
    with pytest.raises(InputError, match=r"--target turns: it has no interval \(never occurred\) at gear=1"):
        experiments.solve("snowball", find="gear=1..3", target="turns=3", budget=FEW)


def test_ctrl_c_before_the_first_game_is_said(doomtrack, monkeypatch, tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(places.Table, "measure", stop)
    line = "solve snowball --find gear=1..6 --target turns=40 --out"
    said = "doomtrack: stopped: nothing was finished; the same command starts anew\n"
    assert doomtrack(line, tmp_path / "new") == (130, "", said)
    without = doomtrack(line.removesuffix("--out"))
    assert without == (130, "", "doomtrack: stopped: nothing is kept (with --out DIR it could go on)\n")


# --- formats, the folder ---


def test_json_and_csv(doomtrack):
    line = f"solve snowball --find gear=1..6 --target turns=40 --budget {FEW} --format"
    data = json.loads(doomtrack(f"{line} json")[1])
    assert (data["schema"], data["status"], data["value"], data["candidates"]) == (1, "found", 5, [5])
    assert (data["find"], data["metric"], data["target"], data["low"], data["high"]) == ("gear", "turns", 40, 5, 5)
    assert [p["x"] for p in data["curve"]] == [1, 2, 3, 4, 5, 6]
    assert all(p["low"] < p["value"] < p["high"] for p in data["curve"])
    rows = list(csv.DictReader(doomtrack(f"{line} csv")[1].splitlines()))
    assert [r["gear"] for r in rows] == ["1", "2", "3", "4", "5", "6"]
    assert [r["remark"] for r in rows].count("nearest") == 1
    assert math.isclose(float(rows[2]["value"]), data["curve"][2]["value"])


def test_the_folder_is_drawn_like_a_sweep(doomtrack, tmp_path):
    import reports

    line = f"solve snowball --find gear=1..6 --target turns=40 --budget {FEW} --out"
    assert f"kept in {tmp_path}" in doomtrack(line, tmp_path)[1]
    manifest = store.read_manifest(tmp_path)
    assert manifest["kind"] == "solve" and manifest["finished"]
    assert manifest["solve"]["value"] == 5 and manifest["factors"][0]["values"] == [1, 2, 3, 4, 5, 6]
    assert json.loads((tmp_path / "findings.json").read_text())[0]["kind"] == "answer"
    page = reports.render(tmp_path).read_text()
    assert "gear = 5 comes nearest to turns = 40" in page
    before = store.read_frame(tmp_path / "cells.parquet")
    doomtrack(line, tmp_path)
    assert store.read_frame(tmp_path / "cells.parquet").equals(before)
    code, _, err = doomtrack(line.replace("=40", "=41"), tmp_path)
    assert code == 2 and "holds another search (solve target is 40 there and 41 here)" in err


def test_a_search_that_is_refused_leaves_no_folder(doomtrack, tmp_path):
    line = f"solve snowball -p 3 --find auto_clear_from=6..7 --target turns=30 --budget {FEW} --out"
    assert doomtrack(line, tmp_path / "new")[0] == 2
    assert not (tmp_path / "new").exists()


def test_the_command_in_the_manifest_asks_the_same():
    found = experiments.solve(
        "snowball", find="gear=1..6", target="turns=40", settings={"turn_cap": 400}, strategies="random", budget=FEW
    )
    said = found.result.manifest["command"]
    assert said == (
        "doomtrack solve snowball --find gear=1..6 --target turns=40 --set turn_cap=400 --strategy all=random "
        f"--budget {FEW} --seed 1"
    )
