"""Studies: read, checked as a whole, and turned into cells."""

import pytest

from experiments import study as studies
from experiments.study import build, plan, read, shipped
from simcore.errors import InputError

CLAIMS = [f"C{i}" for i in range(1, 19)]


def test_a_plan_is_a_grid_in_the_order_asked():
    ready = plan(build(game="snowball", factors={"players": "2..3", "gear": [3, 1]}, base={"turn_cap": 200}))
    assert [dict(c.parameters) for c in ready.cells] == [
        {"players": 2, "gear": 3},
        {"players": 2, "gear": 1},
        {"players": 3, "gear": 3},
        {"players": 3, "gear": 1},
    ]
    assert [len(c.players) for c in ready.cells] == [2, 2, 3, 3]
    assert {c.configuration.settings["turn_cap"] for c in ready.cells} == {200}
    assert ready.given == {"turn_cap": 200}
    assert ready.factors[0].meaning == "number of players"
    assert ready.study.games == studies.GAMES_A_CELL
    assert ready.cells[1].name == "cell 1 (players=2, gear=1)"


def test_content_and_rulings_are_varied_by_their_path():
    ready = plan(build(game="snowball", factors={"items.pinecone.copies": [1, 2], "ruling.bat_chain": "all"}))
    assert len(ready.cells) == 4
    assert len({c.configuration.digest for c in ready.cells}) == 4


def test_strategies_and_weights_are_varied():
    ready = plan(
        build(game="snowball", strategies={"all": "random", "1": "greedy"}, factors={"strategy.1.progress": [0, 0.25]})
    )
    assert [p.label for p in ready.cells[1].players] == ["random", "greedy:progress=0.25", "random", "random"]
    ready = plan(build(game="snowball", factors={"strategy.0": ["random", "greedy"], "strategy.all": ["greedy"]}))
    assert [[p.label for p in c.players][:2] for c in ready.cells] == [["random", "greedy"], ["greedy", "greedy"]]
    ready = plan(build(game="snowball", strategies={"0": "greedy"}, base={"strategy.all.progress": 1.5}))
    assert [p.label for p in ready.cells[0].players] == ["greedy:progress=1.5", "random", "random", "random"]
    ready = plan(build(game="snowball", factors={"strategy.0": "greedy:progress=1,waste=0.5,random"}))
    assert [c.players[0].label for c in ready.cells] == ["greedy:progress=1,waste=0.5", "random"]
    everyone = plan(build(game="snowball", factors={"strategy.0": "all"}))
    assert {"random", "greedy", "expert"} <= {c.players[0].label for c in everyone.cells}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"game": "snowbal"}, "no game 'snowbal'; did you mean 'snowball'"),
        ({"base": {"geer": 2}}, "no parameter 'geer'; did you mean 'gear'"),
        ({"base": {"gear": 99}}, r"gear: 99 is outside 1\.\.9"),
        ({"base": {"players": 7}}, r"players: 7 is outside 2\.\.6"),
        ({"factors": {"players": "2..7"}}, r"players: 7 is outside 2\.\.6"),
        ({"factors": {"players": "5..2"}}, "the range '5..2' is empty"),
        ({"factors": {"geer": "1..2"}}, "no parameter 'geer' to vary; did you mean 'gear'"),
        ({"factors": {"items.pincone.copies": "1..2"}}, "did you mean 'items.pinecone.copies'"),
        ({"factors": {"gear": [1, 1]}}, "gear: the value 1 comes twice"),
        ({"factors": {"gear": [1]}, "base": {"gear": 2}}, "gear: both set"),
        ({"factors": {"strategy.0": ["random"]}, "strategies": {"0": "expert"}}, "strategy.0: both set"),
        ({"factors": {"strategy.0": ["randm"]}}, r"cell 0 \(strategy.0=randm\): .*no strategy 'randm'"),
        ({"factors": {"strategy.0": ["random", "random"]}}, "the value random comes twice"),
        ({"factors": {"strategy.0": []}}, "no strategies"),
        ({"factors": {"strategy.9": ["random"]}}, r"strategy.9: '9' is not a seat 0\.\.5"),
        ({"factors": {"strategy.0.progres": [1]}, "strategies": {"0": "greedy"}}, "no weight 'progres' in greedy; did"),
        ({"factors": {"strategy.0.progress": [3]}, "strategies": {"0": "greedy"}}, r"progress: 3 is outside 0\.\.2"),
        ({"factors": {"strategy.0.progress": [1]}}, "no weight 'progress' in random; it has no weights"),
        ({"base": {"strategy.0.progress": 1}}, "no weight 'progress' in random"),
        ({"base": {"strategy": 1}}, "no parameter 'strategy'"),
        ({"base": {"strategy.0.a.b": 1}}, "should read strategy.WHO or strategy.WHO.WEIGHT"),
        ({"strategies": {"nobody": "random"}}, "'nobody' is not a seat"),
        ({"strategies": {"5": "random"}}, r"there are 4 seats, numbered 0\.\.3"),
        ({"overlays": ["nope"]}, "nope"),
        ({"metrics": {"x": "foo + 1"}}, "no column 'foo'"),
        ({"metrics": {"x": "turns > 3"}, "factors": {"players": [2]}, "base": {"gear": 10}}, "gear: 10 is outside"),
        ({"games": 0}, "games: 0 is not a whole number"),
        ({"games": 10, "precision": 0.1}, "games and precision: give one of them"),
        ({"seed": -1}, "seed: -1 is outside"),
        ({"factors": {"seconds_per_turn": "1..600:0.5", "gear": "1..9", "turn_cap": "10..1000"}}, "cells, more than"),
        ({"colour": "red"}, "no key 'colour'"),
        ({"qestion": "red"}, "no key 'qestion'; did you mean 'question'"),
        ({"base": {"gear": [1]}}, "base.gear"),
        ({"answer": "minutes"}, "answer: "),
    ],
)
def test_what_is_refused(fields, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        plan(build(**{"game": "snowball", **fields}))
    assert "\n" not in str(caught.value)


def test_the_message_names_the_wrong_cell():
    contradiction = {"events": [3], "players": [2, 3], "event_density": [0.5]}
    with pytest.raises(InputError, match=r"cell 0 \(events=3, players=2, event_density=0.5\): events and event"):
        plan(build(game="snowball", factors=contradiction))
    with pytest.raises(InputError, match=r"cell 1 \(players=2\): .*there are 2 seats"):
        plan(build(game="snowball", strategies={"3": "greedy"}, factors={"players": [4, 2]}))


def test_a_metric_is_checked_in_every_cell():
    with pytest.raises(InputError, match=r"cell 1 \(players=2\): --metric x 'gear_3': no column 'gear_3'"):
        plan(build(game="snowball", metrics={"x": "gear_3"}, factors={"players": [4, 2]}))


def test_a_setting_that_only_some_cells_allow():
    ready = plan(build(game="snowball", base={"kid.0": "none", "events": 3}, factors={"players": [2]}))
    assert ready.cells[0].configuration.settings["events"] == 3
    with pytest.raises(InputError, match="two ways to say the same"):
        plan(build(game="snowball", base={"event_density": 0.5, "events": 3}, factors={"players": [2]}))


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_study_from_a_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'game = "snowball"\nquestion = "?"\ngames = 1_000\nstrategies = ["greedy", "0=random"]\nplugins = ["mine.py"]\n'
        '[base]\ngear = 2\n[factors]\nplayers = "2..3"\nturn_cap = 100\n'
    )
    (tmp_path / "mine.py").write_text("")
    study = read(file)
    assert (study.games, study.base, study.strategies) == (1000, {"gear": 2}, {"all": "greedy", "0": "random"})
    assert study.factors == {"players": "2..3", "turn_cap": [100]}
    assert study.plugins == [str(tmp_path / "mine.py")]  # looked for beside the study


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("game = ", "not valid TOML"),
        ('question = "?"', "'game' is missing"),
        ('game = "snowball"\nfactor = 1', "no key 'factor'; did you mean 'factors'"),
        ('game = "snowball"\ngames = 0', "games: 0 is not"),
        ('game = "snowball"\ngames = "lots"', "games: 'lots' is not"),
    ],
)
def test_a_file_that_is_refused(tmp_path, text, complaint):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=complaint) as caught:
        read(file)
    assert str(caught.value).startswith(str(file)) and "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="there is no such study file"):
        read(tmp_path / "nope.toml")
    (tmp_path / "latin.toml").write_bytes(b"game = '\xff'")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "latin.toml")


# --- the studies that ship --------------------------------------------------------------------------------------------


def test_there_is_a_study_for_each_claim():
    assert [read(path).claim for path in shipped("snowball").values()] == CLAIMS


@pytest.mark.parametrize("name", shipped("snowball"))
def test_a_shipped_study_is_valid(name):
    from experiments.metrics import metrics_of

    study = read(f"snowball/{name}.toml")
    assert study.title and study.question.endswith("?") and study.note and study.answer
    ready = plan(study)
    known = {f"{m.name}[{m.group}]" if m.group else m.name for m in metrics_of(ready.cells[-1].configuration)}
    assert set(study.answer) <= known
    assert 2 <= len(ready.cells) <= 20


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped("snowball"))
def test_a_shipped_study_runs(name):
    import experiments

    result = experiments.sweep(f"snowball/{name}.toml", games=120)
    assert not result.failed
    assert result.sentences[0]["kind"] == "answer"
