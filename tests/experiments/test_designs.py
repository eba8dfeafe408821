"""Which cells a study has: every design, its promises, and what is refused."""

import itertools
import json

import pytest

from experiments import designs, findings, store, sweep, traces
from experiments.designs import Factor
from experiments.execution import planned
from experiments.study import build, plan
from simcore.errors import InputError

SMALL = {"games": 120}


def cells(**fields):
    return [dict(c.parameters) for c in plan(build(game="snowball", **fields)).cells]


def span(name, low, high):
    return Factor(name, (), name, span=(low, high))


# --- spread ---


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("points", [1, 2, 7, 50])
def test_a_latin_hypercube_hits_each_stratum_once(points, seed):
    factors = [span("a", 0.0, 1.0), span("b", -3.0, 5.0), span("c", 100.0, 200.0)]
    layout = designs.lay_out("lhs", factors, points, seed)
    assert len(layout.cells) == points and layout.notes == ()
    for factor in factors:
        low, high = factor.span
        places = [(c[factor.name] - low) / (high - low) * points for c in layout.cells]
        off = 1e-3  # values are rounded to six digits, which may move one across the edge of its stratum
        assert all(abs(p - k - 0.5) <= 0.5 + off for k, p in enumerate(sorted(places)))


def test_a_latin_hypercube_of_listed_values_takes_each_as_often():
    layout = designs.lay_out("lhs", [Factor("a", (1, 2, 3, 4), ""), span("b", 0.0, 1.0)], 20, 3)
    assert [sum(c["a"] == v for c in layout.cells) for v in (1, 2, 3, 4)] == [5, 5, 5, 5]


def test_sobol_points_are_even_in_every_square_of_two_factors():
    layout = designs.lay_out("sobol", [span("a", 0.0, 1.0), span("b", 0.0, 1.0)], 64, 1)
    for rows, columns in ((8, 8), (4, 16), (16, 4), (64, 1)):  # a net in base 2: one point in each box of that volume
        boxes = {(int(c["a"] * rows), int(c["b"] * columns)) for c in layout.cells}
        assert len(boxes) == 64


def test_spread_designs_come_again_with_their_seed_only():
    factors = {"gear": "1..6", "event_density": "0..1", "two_player_clear_rule": "all"}
    for design in designs.SPREAD:
        one, again, other = (cells(factors=factors, design=design, points=16, seed=s) for s in (3, 3, 4))
        assert one == again
        assert one != other
        assert all(type(c["gear"]) is int and type(c["two_player_clear_rule"]) is bool for c in one)
        assert all(0 <= c["event_density"] <= 1 for c in one)
        assert all(float(f"{c['event_density']:g}") == c["event_density"] for c in one)  # as printed
    longer = cells(factors=factors, design="sobol", points=16, seed=3)
    assert cells(factors=factors, design="sobol", points=8, seed=3) == longer[:8]  # a sequence goes on


def test_choices_are_taken_by_their_place():
    found = cells(factors={"first_player": "all", "gear": [5, 2]}, design="lhs", points=40)
    assert {c["first_player"] for c in found} == {"lowest_cover", "highest_cover", "random", "first_seat"}
    assert {c["gear"] for c in found} == {2, 5}


def test_points_that_meet_are_one_cell_and_a_note():
    ready = plan(build(game="snowball", factors={"gear": [1, 2], "players": [2, 3]}, design="lhs", points=40))
    assert len(ready.cells) == 4 == len({tuple(c.parameters.values()) for c in ready.cells})
    assert ready.notes == ("36 of the 40 points are configurations of others again, so 4 cells are played.",)
    assert [c.index for c in ready.cells] == [0, 1, 2, 3]


def test_a_number_of_sobol_points_that_is_less_even_is_said():
    assert "less even than 16 or 32" in designs.lay_out("sobol", [span("a", 0.0, 1.0)], 20, 1).notes[0]
    assert designs.lay_out("sobol", [span("a", 0.0, 1.0)], 16, 1).notes == ()


# --- one at a time ---


def test_one_at_a_time_leaves_the_others_at_the_base():
    found = cells(factors={"gear": "2..4", "players": [3, 5]}, design="one-at-a-time")
    assert found == [
        {"gear": 3, "players": 4},
        {"gear": 2, "players": 4},
        {"gear": 4, "players": 4},
        {"gear": 3, "players": 3},
        {"gear": 3, "players": 5},
    ]


def test_what_is_set_is_the_base_of_one_at_a_time():
    base = {"gear": 5, "items.pinecone.copies": 3, "strategy.all.progress": 0.5}
    words = {"base": base, "strategies": {"all": "greedy"}}
    factors = {"gear": [1], "items.pinecone.copies": [0], "strategy.all.progress": [0], "strategy.0": "random"}
    found = cells(**words, factors=factors, design="one-at-a-time")
    assert found[0] == {
        "gear": 5,
        "items.pinecone.copies": 3,
        "strategy.all.progress": 0.5,
        "strategy.0": "greedy",
    }
    assert len(found) == 5
    assert [sum(a[n] != found[0][n] for n in a) for a in found] == [0, 1, 1, 1, 1]
    ready = planned("snowball", vary={"gear": "1..2"}, design="one-at-a-time", settings={"gear": 4}, **NOTHING)
    assert [c.parameters["gear"] for c in ready.cells] == [4, 1, 2]
    assert ready.given == {}  # the base is a cell, not what all cells share
    assert ready.factors[0].values == (1, 2, 4)


NOTHING = {"strategies": (), "content": (), "plugins": (), "metrics": None, "games": None, "precision": None}


def test_a_factor_without_a_base_is_refused():
    with pytest.raises(InputError, match="events: is not set by default, so there is no base"):
        cells(factors={"events": [3, 4]}, design="one-at-a-time")
    assert cells(factors={"events": [3]}, base={"events": 9}, design="one-at-a-time") == [{"events": 9}, {"events": 3}]


# --- a list ---


def test_a_list_is_played_as_it_stands():
    given = [{"gear": 2, "players": 3}, {"gear": "4"}, {"strategy.0": "greedy:progress=1,waste=0.5"}]
    ready = plan(build(game="snowball", cell=given))
    assert ready.study.design == "list"
    assert [dict(c.parameters) for c in ready.cells] == [
        {"gear": 2, "players": 3, "strategy.0": "random"},
        {"gear": 4, "players": 4, "strategy.0": "random"},
        {"gear": 3, "players": 4, "strategy.0": "greedy:progress=1,waste=0.5"},
    ]
    assert {f.name: f.values for f in ready.factors}["gear"] == (2, 3, 4)
    twice = plan(build(game="snowball", cell=[{"gear": 3}, {"gear": 2}, {"gear": "3"}]))
    assert [c.parameters["gear"] for c in twice.cells] == [3, 2]
    assert "1 of the 3 cells listed is another's configuration" in twice.notes[0]


def test_a_cell_is_read_from_text():
    assert designs.cell_text("gear=2, players=3") == {"gear": "2", "players": "3"}
    assert designs.cell_text("strategy.0=greedy:a=1,b=2; gear=3") == {"strategy.0": "greedy:a=1,b=2", "gear": "3"}
    for wrong in ("", ",", "gear", "gear=1,gear=2"):
        with pytest.raises(InputError, match="--cell"):
            designs.cell_text(wrong)


def test_designs_are_read_from_toml(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(
        'game = "snowball"\ndesign = "list"\ngames = 120\n\n[[cell]]\ngear = 2\n\n[[cell]]\ngear = 3\nplayers = 5\n'
    )
    result = sweep(file)
    assert [dict(d.cell.parameters) for d in result.done] == [{"gear": 2, "players": 4}, {"gear": 3, "players": 5}]
    file.write_text(
        'game = "snowball"\ndesign = "sobol"\npoints = 4\ngames = 120\n\n[factors]\nevent_density = "0..1"\n'
    )
    assert len(sweep(file).done) == 4
    assert len(sweep(file, points=8).done) == 8
    assert len(sweep(file, design="grid", vary={"event_density": [0, 1]}).done) == 2


# --- what is refused ---


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"design": "gird", "factors": {"gear": "1..2"}}, "no design 'gird'; did you mean 'grid'"),
        ({"design": "lhs", "factors": {"gear": "1..2"}}, "design lhs: needs a number of points"),
        ({"design": "grid", "points": 3, "factors": {"gear": "1..2"}}, "points: 3 are asked for"),
        ({"design": "lhs", "points": 0, "factors": {"gear": "1..2"}}, "points: 0 is outside 1..100000"),
        ({"design": "lhs", "points": 3}, "design lhs: nothing is varied"),
        ({"design": "one-at-a-time"}, "nothing is varied"),
        ({"design": "list"}, "no cells are given"),
        ({"cell": [{"gear": 1}], "factors": {"players": "2..3"}}, "players is varied; a list says all of it"),
        ({"design": "grid", "cell": [{"gear": 1}], "factors": {"players": "2..3"}}, "cells are listed"),
        ({"cell": [{"gear": 1}, {}]}, r"cell 1: is empty"),
        ({"cell": [{"gear": 1}, {"geer": 1}]}, r"cell 1 \(geer=1\): snowball: no parameter 'geer' to vary; did you"),
        ({"cell": [{"gear": 1}, {"gear": 77}]}, r"cell 1 \(gear=77\): gear: 77 is outside"),
        ({"design": "lhs", "points": 4, "factors": {"event_density": "1..0"}}, "the range '1..0' is empty"),
        ({"design": "lhs", "points": 4, "factors": {"event_density": "0..7"}}, "event_density: 7 is outside 0..1"),
        ({"design": "grid", "factors": {"event_density": "0..1"}}, "needs a step"),
    ],
)
def test_what_does_not_go_together_is_refused(fields, complaint):
    with pytest.raises(InputError, match=complaint):
        plan(build(game="snowball", **fields))


def test_the_57th_cell_is_named_and_nothing_is_played(monkeypatch, tmp_path):
    from simcore import batch

    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("a game was played"))
    given = [{"gear": 1 + k % 9, "hand_size": 1 + k // 9, "players": 2} for k in range(54)]
    given += [{"gear": 3, "players": p} for p in (3, 4)]
    with pytest.raises(InputError, match=r"cell 56 \(gear=99\): gear: 99 is outside"):
        sweep("snowball", cells=[*given, {"gear": 99}], out=tmp_path / "out", **SMALL)
    grid = {"players": [6, 5, 4], "gear": "1..7", "hand_size": "1..4"}
    with pytest.raises(InputError, match=r"cell 56 \(players=4, gear=1, hand_size=1\): .*there are 4 seats"):
        sweep("snowball", vary=grid, strategies={"4": "greedy"}, out=tmp_path / "out", **SMALL)
    assert not (tmp_path / "out").exists()


# --- the store, findings, commands ---


def test_a_result_folder_knows_its_design(tmp_path):
    words = {"vary": {"gear": "1..3", "event_density": "0..1"}, "design": "lhs", "points": 4, **SMALL}
    first = sweep("snowball", **words, out=tmp_path)
    again = sweep("snowball", **words, out=tmp_path)
    assert again.cells.equals(first.cells)
    with pytest.raises(InputError, match="holds another study"):
        sweep("snowball", **{**words, "points": 5}, out=tmp_path)
    with pytest.raises(InputError, match="holds another study"):
        sweep("snowball", **{**words, "design": "sobol"}, out=tmp_path)
    manifest = store.read_manifest(tmp_path)
    assert manifest["asked"]["design"] == "list" and len(manifest["asked"]["cell"]) == 4
    assert "--design lhs --points 4 --vary gear=1..3 --vary event_density=0..1" in manifest["command"]


@pytest.mark.parametrize("design", ["lhs", "one-at-a-time"])
def test_a_game_of_any_design_can_be_told(tmp_path, design):
    """The folder says enough of its cells to build them again."""
    more = {"points": 4} if design == "lhs" else {"settings": {"events": 9}}
    made = sweep("snowball", vary={"gear": "1..3", "events": "8..13"}, design=design, **more, out=tmp_path, **SMALL)
    for done in made.done:
        cell, seed, _ = traces.cell_of_folder(tmp_path, done.cell.index)
        assert (cell.parameters, cell.configuration.digest) == (done.cell.parameters, done.cell.configuration.digest)
        assert seed == 1


def test_a_list_is_not_taken_for_the_grid_of_its_values(tmp_path):
    pairs = [{"gear": g, "players": p} for g, p in itertools.product((2, 3), (2, 3))]
    sweep("snowball", cells=pairs[:3] + pairs[3:], out=tmp_path, **SMALL)
    with pytest.raises(InputError, match="design is list there"):
        sweep("snowball", vary={"gear": [2, 3], "players": [2, 3]}, out=tmp_path, **SMALL)


def test_the_command_asks_the_same_again():
    for words in (
        {"cells": [{"strategy.0": "greedy:progress=1,waste=0.5", "two_player_clear_rule": True}, {"gear": 2}]},
        {"vary": {"gear": [2, 3]}, "design": "one-at-a-time"},
        {"vary": {"event_density": "0..1"}, "design": "sobol", "points": 4},
    ):
        ready = planned("snowball", **{**NOTHING, "vary": None, **words})
        said = designs.options(ready.study, ready.factors)
        options = [tuple(said[k : k + 2]) for k in range(0, len(said), 2)]
        again = planned(
            "snowball",
            **NOTHING,
            vary=dict(v.split("=", 1) for o, v in options if o == "--vary"),
            design=dict(options)["--design"],
            points=dict(options).get("--points"),
            cells=[v for o, v in options if o == "--cell"],
        )
        assert [c.parameters for c in again.cells] == [c.parameters for c in ready.cells]


def test_no_effect_is_told_of_spread_points():
    result = sweep("snowball", vary={"gear": "1..9", "event_density": "0..1"}, design="lhs", points=6, games=1200)
    texts = [f["text"] for f in result.sentences]
    assert any("spread over the ranges of 2 factors" in t for t in texts)
    assert not any(t.startswith(("gear changes", "event_density changes", "gear shows", "Too few")) for t in texts)


def test_effects_of_one_at_a_time_say_where_the_others_stood():
    result = sweep("snowball", vary={"gear": [1, 6], "players": [2]}, design="one-at-a-time", games=1200)
    turns = next(f["text"] for f in result.sentences if f["text"].startswith("gear changes turns"))
    assert "at 1" in turns and "at 6" in turns and "(players=4)" in turns
    grid = sweep("snowball", vary={"gear": [1, 6]}, games=1200)
    text = next(f["text"] for f in grid.sentences if f["text"].startswith("gear changes turns"))
    assert "(players" not in text


def test_an_effect_that_is_not_visible_says_at_which_setting():
    assert findings._there({"": 1}) == ""
    assert findings._there({"players=4": 1}) == " at players=4"
    assert findings._there({"players=4": 1, "players=5": 1}) == " in 2 settings of the others"


def test_designs_on_the_command_line(capsys):
    from experiments.cli import call

    assert call("sweep snowball --cell gear=2,players=3 --cell gear=4 --games 120 --format json".split()) == 0
    data = json.loads(capsys.readouterr().out)
    assert [c["parameters"] for c in data["cells"]] == [{"gear": 2, "players": 3}, {"gear": 4, "players": 4}]
    assert call("sweep snowball --vary gear=1..9 --design lhs --points 3 --games 120 --seed 2".split()) == 0
    assert "in 3 cells" in capsys.readouterr().out
    assert call("sweep snowball --vary gear=1..9 --design lhs --games 120".split()) == 2
    assert "needs a number of points (--points 64" in capsys.readouterr().err
