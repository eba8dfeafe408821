"""Several searches at once: each as if it were alone, one table, what the value hangs on, what has none."""

import csv
import dataclasses
import json

import pytest

import experiments
from experiments import store
from experiments.designs import Factor
from experiments.metrics import Row
from experiments.solving import over, places
from experiments.solving.crossing import Answer, Axis, Point
from experiments.solving.question import plain, read, shipped
from experiments.solving.searches import Asked, Search, checked
from experiments.solving.solved import Found
from experiments.speech import Speech
from experiments.statistics import Estimate
from experiments.study import build
from simcore.errors import InputError

FEW = 20_000


@pytest.fixture
def curve(monkeypatch):
    """Put curves in the place of `turns`, by the values of all factors: exact but for 1/games."""

    def put(function):
        def row(self, x):
            games, value = self.places[x].games, function(x, self.search.parameters)
            return Row("turns", "", "", None, value, value - 1 / games, value + 1 / games, games, "t")

        monkeypatch.setattr(places.Table, "row", row)

    return put


# --- playing ---


def test_each_search_is_as_if_it_were_alone():
    both = experiments.solve(
        "snowball", find="gear=1..6", target="turns=37.7", vary={"turn_cap": [60, 300]}, budget=FEW
    )
    assert [f.parameters for f in both.found] == [{"turn_cap": 60}, {"turn_cap": 300}]
    for f in both.found:
        alone = experiments.solve(
            "snowball", find="gear=1..6", target="turns=37.7", settings=dict(f.parameters), budget=FEW
        )
        assert f.answer == dataclasses.replace(alone.answer, wide=f.answer.wide)
        assert f.rows == alone.rows
        assert f.answer.wide[0] <= alone.answer.wide[0] and alone.answer.wide[1] <= f.answer.wide[1]
    table = both.table.to_dicts()
    assert [line["gear"] for line in table] == [f.value for f in both.found]
    assert table[0]["games"] == both.found[0].spent <= FEW
    assert both.result.cells["cell"].n_unique() == sum(len(f.rows) for f in both.found)
    with pytest.raises(ValueError, match="2 of 2 searches are done"):
        both.value  # noqa: B018


def test_over_strategies_and_their_weights():
    solved = experiments.solve(
        "snowball", find="gear=1..4", target="turns=20", vary={"strategy.all": "random,greedy"}, budget=FEW
    )
    assert [f.parameters["strategy.all"] for f in solved.found] == ["random", "greedy"]
    assert solved.found[0].answer != solved.found[1].answer
    assert {p.label for p in solved.found[1].done[0].cell.players} == {"greedy"}
    weighed = experiments.solve(
        "snowball",
        find="strategy.all.progress=1..2:0.5",
        target="long=0.6",
        vary={"strategy.all": ["greedy", "cautious"][:1], "gear": [3]},
        metrics={"long": "turns > 13"},
        budget=FEW,
    )
    assert weighed.found[0].done[0].cell.strategies["all"].startswith("greedy:progress=")


def test_one_table(doomtrack, curve):
    curve(lambda x, at: 10 * x - 5 * at["players"])
    line = (
        f"solve snowball --find gear=1..6 --target turns=19 --vary players=2..4 --vary turn_cap=300,400 --budget {FEW}"
    )
    code, out, _ = doomtrack(line)
    assert code == 0 and "games in 6 searches" in out
    assert "gear for turns = 19: from 3 (players=2, turn_cap=300) to 4 (players=4, turn_cap=300)." in out
    assert "players moves gear: it is 3 at 2 and 4 at 4 (turn_cap=300), at least 1 apart." in out
    assert "turn_cap does not move gear." in out
    assert "Turns rises with gear in all 6 searches that show it." in out
    rows = out.partition("turns there games ")[2]
    assert rows.startswith("2 300 3 20.00") and "4 400 4 20.00" in rows


def test_a_single_factor_is_told_value_by_value(doomtrack, curve):
    curve(lambda x, at: 10 * x - 5 * at["players"])
    _, out, _ = doomtrack(f"solve snowball --find gear=1..6 --target turns=19 --vary players=2,4 --budget {FEW}")
    assert "gear for turns = 19: 3 at players=2; 4 at players=4." in out


def test_out_of_reach_flat_and_turning_beside_an_answer(doomtrack, curve, tmp_path):
    shapes = {2: lambda x: 10 * x, 3: lambda x: x, 4: lambda x: 7.0, 5: lambda x: 30 - (x - 4) ** 2}
    curve(lambda x, at: shapes[at["players"]](x))
    line = f"solve snowball --find gear=1..9 --target turns=28 --vary players=2..5 --budget {FEW} --out"
    code, out, _ = doomtrack(line, tmp_path)
    assert code == 3
    assert "gear for turns = 28: 3 at players=2." in out
    assert "3 of 4 searches have no value for turns = 28: it is out of reach in 1 (players=3), " in out
    assert "the metric is not monotone in 1 (players=5), no effect shows in 1 (players=4)." in out
    assert "out of reach: at most 9.00" in out and "at 9" in out
    assert "gear changes nothing: 7.00" in out and "not monotone: it rises and falls" in out
    told = store.read_manifest(tmp_path)["solve"]["answers"]
    assert [a["status"] for a in told] == ["found", "unreachable", "flat", "not monotone"]
    assert [a["value"] for a in told] == [3, 9, None, None]


def test_no_answer_at_all(doomtrack, curve):
    curve(lambda x, at: x)
    code, out, _ = doomtrack(f"solve snowball --find gear=1..9 --target turns=28 --vary players=2..5 --budget {FEW}")
    assert code == 3
    assert "= 4 of 4 searches have no value for turns = 28: it is out of reach in 4 (players=2; players=3; " in out


def test_one_that_fails_never_loses_the_others(doomtrack, plugins, tmp_path):
    line = f"solve snowball --find gear=1..4 --target turns=20 --vary strategy.all=random,mine --budget {FEW}"
    code, out, err = doomtrack(f"{line} --plugin {plugins['illegal']} --out", tmp_path)
    assert code == 4
    assert "in 1 of 2 searches" in out and "gear for turns = 20: 2 at strategy.all=random." in out
    (said,) = err.splitlines()
    assert said.startswith("doomtrack: the search (strategy.all=mine) failed: ")
    assert "doomtrack trace snowball --game " in said and "--set gear=1" in said
    manifest = store.read_manifest(tmp_path)
    assert not manifest["finished"] and manifest["failed"][0]["parameters"] == {"strategy.all": "mine"}


def test_where_all_fail_the_first_says_why_and_no_folder_stays(doomtrack, plugins, tmp_path):
    line = f"solve snowball --find gear=1..4 --target turns=20 --strategy mine --vary players=2,3 --budget {FEW}"
    code, out, err = doomtrack(f"{line} --plugin {plugins['illegal']} --out", tmp_path / "new")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert not (tmp_path / "new").exists()


def test_a_metric_that_one_search_cannot_read_fails_there_only(doomtrack, monkeypatch):
    real = places.Table.row

    def row(self, x):
        found = real(self, x)
        return found._replace(low=None, method="one game") if self.search.parameters["players"] == 3 else found

    monkeypatch.setattr(places.Table, "row", row)
    code, _, err = doomtrack(f"solve snowball --find gear=1..4 --target turns=20 --vary players=2,3 --budget {FEW}")
    assert code == 4
    assert "the search (players=3) failed: --target turns: it has no interval (one game) at players=3, gear=1" in err


def test_the_order_of_the_values_does_not_matter():
    asked = {"find": "gear=1..6", "target": "turns=37.7", "budget": FEW}
    one = experiments.solve("snowball", **asked, vary={"players": [2, 4]})
    other = experiments.solve("snowball", **asked, vary={"players": [4, 2]}, threads=1)
    assert [f.answer for f in one.found] == [f.answer for f in reversed(other.found)]


# --- what is refused ---


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--find gear=1..6 --target turns=40 --vary gear=2,3", "gear: both sought and varied; leave one out"),
        ("--find gear=1..6 --target turns=40 --vary players=1..3", "players: 1 is outside 2..6"),
        ("--find gear=1..6 --target turns=40 --vary geer=1", "no parameter 'geer' to vary; did you mean 'gear'"),
        ("--find gear=1..6 --target turns=40 --vary strategy.all=greedy,expret", "no strategy 'expret'"),
        ("--find gear=1..6 --target turns=40 --vary players=2..3 --set players=2", "players: both set (2) and varied"),
        ("--find gear=1..6 --target turns=40 --vary players=2 --budget 9", "at least 2880 in each search"),
        (
            "--find gear=1..6 --target win_share[seat=2]=0.3 --vary players=3,2",
            "no metric 'win_share[seat=2]' at players=2",
        ),
        (
            "--find event_density=0..1 --target turns=40 --vary players=2..3 --strategy 2=greedy",
            "cell 0 (players=2, event_density=0): --strategy 2=greedy: there are 2 seats",
        ),
        ("--find gear=1..6 --target turns=40 --vary two_player_clear_rule", "should read NAME=VALUE"),
    ],
)
def test_the_whole_is_refused_before_the_first_game(doomtrack, monkeypatch, words, complaint):
    from simcore import batch

    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("a game was played"))
    code, out, err = doomtrack(f"solve snowball {words}")
    assert (code, out) == (2, "")
    assert complaint in err and len(err.splitlines()) == 1


# --- formats, the folder ---


def test_json_and_csv(doomtrack):
    line = f"solve snowball --find gear=1..6 --target turns=30 --vary players=2,4 --budget {FEW} --format"
    code, out, _ = doomtrack(f"{line} json")
    data = json.loads(out)
    assert code == 0 and "status" not in data and data["find"] == "gear"
    assert [f["name"] for f in data["factors"]] == ["players"]
    assert [a["parameters"] for a in data["answers"]] == [{"players": 2}, {"players": 4}]
    for answer in data["answers"]:
        assert answer["status"] == "found" and answer["low"] <= answer["value"] <= answer["high"]
        there = next(p for p in answer["curve"] if p["x"] == answer["nearest"])
        assert answer["there"] == {k: there[k] for k in ("value", "low", "high")}
        assert answer["games"] == sum(p["games"] for p in answer["curve"])
    assert data["games"] == sum(a["games"] for a in data["answers"])
    rows = list(csv.DictReader(doomtrack(f"{line} csv")[1].splitlines()))
    assert [r["remark"] for r in rows].count("nearest") == 2
    assert {r["players"] for r in rows} == {"2", "4"} and len(rows) == sum(len(a["curve"]) for a in data["answers"])


def test_the_folder_is_reported_and_its_games_are_told(doomtrack, tmp_path):
    import reports

    line = f"solve snowball --find gear=1..4 --target turns=25 --vary players=2,4 --budget {FEW} --out"
    assert doomtrack(line, tmp_path)[0] == 0
    manifest = store.read_manifest(tmp_path)
    assert [f["name"] for f in manifest["factors"]] == ["players", "gear"]
    assert manifest["finished"] and manifest["cells"] == 8
    page = reports.render(tmp_path).read_text()
    assert "gear for turns = 25:" in page and "players" in page
    assert (tmp_path / "figures" / "solve-turns-over-gear.png").exists()
    code, told, _ = doomtrack(f"trace {tmp_path} --cell 5 --game 2 --format text")
    same = doomtrack("trace snowball -p 4 --set gear=2 --game 2 --format text")
    assert (code, told) == (0, same[1])
    assert doomtrack(f"trace {tmp_path} --cell 8 --format text")[0] == 2
    assert "holds another search (factors players is" in doomtrack(line.replace("2,4", "2,3"), tmp_path)[2]
    code, _, err = doomtrack("run snowball --games 120 --out", tmp_path)
    assert code == 2 and "holds another study" in err


def test_the_folder_of_something_else_is_refused(doomtrack, tmp_path):
    doomtrack("run snowball --games 120 --out", tmp_path)
    code, _, err = doomtrack("solve snowball --find gear=1..4 --target turns=25 --out", tmp_path)
    assert code == 2 and f"--out {tmp_path}: holds a run, not a search; choose another folder" in err


# --- what is said of estimated texts ---


def test_monsters_with_estimated_texts_are_not_ranked(doomtrack, tmp_path):
    line = "solve snallygaster --find doom_length=6..14:2 --target win_rate=45% --strategy detective"
    code, out, _ = doomtrack(
        f"{line} --vary monster=dover-demon,snallygaster --vary players=4,5 --budget 2400 --out", tmp_path
    )
    assert code in (0, 3)
    findings = json.loads((tmp_path / "findings.json").read_text())
    told = [f["text"] for f in findings if f["kind"] in ("answer", "finding")]
    assert told and not [t for t in told if "dover" in t or "snallygaster" in t]
    assert any("Over monster, as this content has it" in t and "no order of the printed ones" in t for t in told)
    assert "is estimated: numbers that rest on it are no facts of the printed game" in out
    assert out.index("dover-demon 4") < out.index("snallygaster 4")  # as they are asked for, not by what comes out


# --- sentences on planted answers ---


def planted(ends, factors):
    """Searches whose values are known: one for each pair of parameters and (low, value, high)."""
    ready = checked(plain(build(game="snowball")).model_copy(update={"find": {"gear": "1..9"}, "target": {"turns": 9}}))
    done = [experiments.execution.Done(ready.plan.cells[0], [], 60)]
    asked: Asked = ready.asked
    found = []
    for k, (parameters, (low, value, high)) in enumerate(ends):
        estimate = Estimate(9.0, 8.0, 10.0, 60, "t")
        within = tuple(float(x) for x in range(low, high + 1))
        answer = Answer("found", 9, True, (Point(value, 60, estimate),), value, low, high, within, wide=(low, high))
        rows = {float(value): Row("turns", "", "", None, *estimate)}
        found.append(Found(asked, Search(k, parameters, ready.study, "gear", {}), answer, done, rows))
    made = [Factor(n, tuple(v), n) for n, v in factors.items()]
    return [f["text"] for f in over.told(made, found, 0.99, Speech({}))]


def test_what_the_value_hangs_on_is_said_only_where_it_is_sure():
    at = [{"players": p, "x": x} for p in (2, 3) for x in "ab"]
    factors = {"players": (2, 3), "x": ("a", "b")}
    said = planted(zip(at, [(2, 3, 4), (2, 3, 4), (6, 7, 8), (4, 5, 6)], strict=True), factors)
    assert "players moves gear: it is 3 [2, 4] at 2 and 7 [6, 8] at 3 (x=a), at least 2 apart." in said[2]
    assert "It is not sure that x moves gear: by 4 at most." in said
    said = planted(zip(at, [(3, 3, 3)] * 4, strict=True), factors)
    assert "players does not move gear." in said and "x does not move gear." in said
    assert said[0] == "gear for turns = 9: 3 in all searches that find one."


def test_no_shared_statement_where_there_are_more_searches_than_places_are_ruled_out_for():
    at = [{"players": 2}, {"players": 3}]
    made = zip(at, [(1, 1, 1), (9, 9, 9)], strict=True)
    assert any("moves" in t for t in planted(made, {"players": (2, 3)}))


# --- files ---


def test_a_file_with_what_to_find(tmp_path, doomtrack):
    file = tmp_path / "length.toml"
    file.write_text(
        'game = "snowball"\nquestion = "How much gear?"\nfind = "gear=1..4"\ntarget = "turns=25"\nbudget = 20_000\n'
        'strategies = "random"\n[factors]\nplayers = "2..3"\n'
    )
    code, out, _ = doomtrack(f"solve {file}")
    assert code in (0, 3) and out.startswith("How much gear? snowball version 2, random;") and "in 2 searches" in out
    _, out, _ = doomtrack(f"solve {file} -p 2 --target turns=20 --strategy greedy --budget 5_000 --find gear=2..4")
    assert "in 2 searches" not in out and "greedy; players=2" in out and "urns = 20" in out
    question = read(file)
    assert (question.find, question.target, question.budget) == ({"gear": "1..4"}, {"turns": 25}, 20_000)
    same = experiments.Question(game="snowball", find={"gear": "1..4"}, target={"turns": 25})
    assert checked(same).asked.axis == Axis((1.0, 2.0, 3.0, 4.0))


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("games = 100", "games: has no meaning in a search; a search has a budget in its place"),
        ("precision = 0.1", "precision: has no meaning in a search"),
        ("design = 'lhs'", "design: has no meaning in a search; searches are all combinations"),
        ("bugdet = 3", "no key 'bugdet'; did you mean 'budget'?"),
        ("budget = 30", "--budget 30: too few games for 4 values; at least 1920"),
        ("budget = true", "budget: True is not a whole number"),
        ("within = 0", "--within 0: must be above 0"),
        ("base = {gear = 2}", "gear: both set (2) and varied"),
    ],
)
def test_a_file_that_is_refused_is_named(tmp_path, doomtrack, more, complaint):
    file = tmp_path / "bad.toml"
    file.write_text(f"game = 'snowball'\nfind = 'gear=1..4'\ntarget = 'turns=25'\n{more}\n")
    code, out, err = doomtrack(f"solve {file}")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"doomtrack: {file}: {complaint}")


def test_a_sweeps_file_gives_its_factors_and_a_search_is_not_swept(tmp_path, doomtrack):
    file = tmp_path / "study.toml"
    file.write_text("game = 'snowball'\ngames = 60\n[factors]\nplayers = '2..3'\n")
    code, _, err = doomtrack(f"solve {file}")
    assert code == 2 and "needs --find K=LO..HI and --target METRIC=VALUE" in err
    assert "in 2 searches" in doomtrack(f"solve {file} --find gear=1..4 --target turns=25 --budget {FEW}")[1]
    file.write_text("game = 'snowball'\nfind = 'gear=1..4'\ntarget = 'turns=25'\n")
    code, _, err = doomtrack(f"sweep {file}")
    assert code == 2 and f"{file}: has 'find': it is a search, which doomtrack solve plays" in err
    file.write_text("game = 'snowball'\ndesign = 'one-at-a-time'\n[factors]\nplayers = '2..3'\n")
    assert "solve needs a grid of factors" in doomtrack(f"solve {file} --find gear=1..4 --target turns=25")[2]


def every_search_that_ships():
    from simcore.game import games

    return [f"{game}/{path.name}" for game in games() for path in shipped(game).values()]


@pytest.mark.parametrize("name", every_search_that_ships())
def test_a_search_that_ships_is_valid(name, doomtrack):
    question = read(name)
    assert question.title and question.question.endswith("?") and question.note
    ready = checked(question)
    assert len(ready.searches) > 1
    listed = json.loads(doomtrack("games --format json")[1])["games"]
    assert (
        name.partition("/")[2].removesuffix(".toml")
        in next(g for g in listed if g["game"] == question.game)["searches"]
    )


def test_the_doom_track_is_solved_for_each_monster_and_number_of_players():
    question = read("snallygaster/doom-length.toml")
    assert (question.find, question.target) == ({"doom_length": "4..20"}, {"win_rate": 0.45})
    assert question.factors == {"monster": "all", "players": "2..5"} and question.strategies["kids"] == "detective"
    with pytest.raises(InputError, match="there is no such study file"):
        read("snallygaster/doom-lenght.toml")
