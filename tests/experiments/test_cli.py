"""The command line: what it prints, what it refuses, and with which exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import cli, execution, output
from experiments.commands import show
from simcore import batch
from simcore.game import find_game

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def doomtrack(capfd):
    """Run a command line in this process: (exit code, stdout, stderr)."""

    def call(*arguments):
        code = cli.call([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


# --- what is refused --------------------------------------------------------------------------------------------------

REFUSED = {
    "unknown game": (["run", "snowbal"], "no game 'snowbal'; did you mean 'snowball'"),
    "unknown game, show": (["show", "snowbal"], "did you mean 'snowball'"),
    "unknown parameter": (["run", "snowball", "--set", "geer=2"], "did you mean 'gear'"),
    "unknown card": (["run", "snowball", "--set", "items.pincone.copies=2"], "did you mean 'items.pinecone.copies'"),
    "unknown dotted path": (["run", "snowball", "--set", "items.pinecone.weight=2"], "items.pinecone"),
    "unknown entry": (["show", "snowball", "--content", "pincone"], "did you mean 'pinecone'"),
    "unknown entry of a section": (["show", "snowball", "--content", "item=pincone"], "did you mean 'items.pinecone'"),
    "entry of another section": (["show", "snowball", "--content", "event=pinecone"], "no entry 'event=pinecone'"),
    "unknown strategy": (["run", "snowball", "--strategy", "exprt"], "did you mean 'expert'"),
    "unknown weight": (["run", "snowball", "--strategy", "greedy:progres=1"], "no weight 'progres'"),
    "unknown seat": (
        ["run", "snowball", "--strategy", "7=expert"],
        "--strategy 7=expert: there are 4 seats, numbered 0..3",
    ),
    "no seat": (["run", "snowball", "--strategy", "x=expert"], "is not a seat"),
    "unknown seat, varied": (
        ["sweep", "snowball", "--vary", "players=2,3", "--strategy", "9=expert"],
        "not a seat 0..5",
    ),
    "no folder": (["run", "snowball", "--games", "60", "--out", ""], "--out: no folder is named"),
    "unknown overlay": (["run", "snowball", "--content", "nope"], "content 'nope'"),
    "unknown format": (["run", "snowball", "--format", "xml"], "no such format; known: table, json, csv"),
    "out of bounds": (["run", "snowball", "--set", "gear=99"], "gear: 99 is outside 1..9"),
    "no number": (["run", "snowball", "--set", "gear=three"], "gear: 'three' is not a number"),
    "players not allowed": (["run", "snowball", "-p", "7"], "players: 7 is outside 2..6"),
    "players twice": (["run", "snowball", "-p", "3", "--set", "players=4"], "players: given twice"),
    "no games": (["run", "snowball", "--games", "0"], "games: '0' is not a whole number"),
    "negative games": (["run", "snowball", "--games", "-5"], "games: '-5' is not a whole number"),
    "too many games": (["run", "snowball", "--games", "1e99"], "games: '1e99' is not a whole number"),
    "games and precision": (["run", "snowball", "--games", "9", "--precision", ".1"], "give one of them"),
    "precision": (["run", "snowball", "--precision", "2"], "precision: '2' is not a half-width"),
    "seed": (["run", "snowball", "--seed", "-1"], "seed: -1 is outside"),
    "threads": (["run", "snowball", "--threads", "0"], "--threads: 0 is outside"),
    "no value": (["run", "snowball", "--set", "gear"], "should read NAME=VALUE"),
    "contradiction": (["run", "snowball", "--set", "events=3", "--set", "event_density=1"], "give one of them"),
    "metric": (["run", "snowball", "--metric", "x=foo"], "no column 'foo'"),
    "where": (["trace", "snowball", "--where", "turns"], "is not true or false"),
    "empty range": (["sweep", "snowball", "--vary", "players=5..2"], "the range '5..2' is empty"),
    "step": (["sweep", "snowball", "--vary", "players=2..5:0"], "a step must be above 0"),
    "value twice": (["sweep", "snowball", "--vary", "gear=1,1"], "the value 1 comes twice"),
    "wrong cell": (["sweep", "snowball", "--vary", "players=4,2", "--strategy", "3=greedy"], "cell 1 (players=2): "),
    "no study": (["sweep", "nope.toml"], "there is no such study file"),
    "no plug-in": (["run", "snowball", "--plugin", "nope.py"], "nope.py: cannot be read"),
    "no result": (["trace", "{tmp}", "--cell", "0"], "no result folder"),
    "no report": (["report", "{tmp}"], "{tmp}"),
    "settings of a result": (["trace", "{tmp}", "--set", "gear=2"], "leave them out"),
    "unwritable": (["run", "snowball", "--games", "60", "--out", "/proc/none/r"], "cannot be written to"),
    "no such option": (["run", "snowball", "--gaems", "3"], "No such option: --gaems"),
    "no such command": (["runn", "snowball"], "No such command 'runn'"),
    "no argument": (["run"], "Missing argument"),
    "bench players": (["bench", "snowball", "-p", "9"], "--players: 9 is outside 2..6"),
    "bench seconds": (["bench", "snowball", "--seconds", "long"], "--seconds: 'long' is not"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_one_line_and_exit_2(case, doomtrack, tmp_path):
    arguments, complaint = REFUSED[case]
    code, out, err = doomtrack(*(str(a).format(tmp=tmp_path) for a in arguments))
    assert (code, out) == (2, ""), err
    assert err.startswith("doomtrack: ") and err.count("\n") == 1
    assert complaint.format(tmp=tmp_path) in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["game = ", "factor = 1\ngame = 'snowball'", "[factors]\nplayers = 9\n"])
def test_a_malformed_study(text, doomtrack, tmp_path):
    (tmp_path / "s.toml").write_text(text)
    code, out, err = doomtrack("sweep", tmp_path / "s.toml", "--out", tmp_path / "r")
    assert (code, out) == (2, "") and "s.toml: " in err and err.count("\n") == 1
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("syntax", "line 1"), ("signature", "wrong signature"), ("empty", "no strategy"), ("illegal", "mine")],
)
def test_a_plugin_that_is_wrong(name, complaint, doomtrack, plugins, tmp_path):
    folder = tmp_path / "r"
    line = ["run", "snowball", "--plugin", plugins[name], "--strategy", "0=mine", "--games", "60", "--out", folder]
    code, out, err = doomtrack(*line)
    assert (code, out) == (2, "") and complaint in err and err.count("\n") == 1
    assert not folder.exists()


def test_a_study_that_cannot_be_played_is_named(doomtrack, tmp_path):
    (tmp_path / "s.toml").write_text("game = 'snowball'\n[factors]\ngeer = '1..3'\n")
    code, _, err = doomtrack("sweep", tmp_path / "s.toml")
    assert code == 2 and err.startswith(f"doomtrack: {tmp_path / 's.toml'}: snowball: no parameter 'geer'")
    (tmp_path / "s.toml").write_text("game = 'snowball'\n[factors]\ngear = '1..3'\n")
    code, _, err = doomtrack("sweep", tmp_path / "s.toml", "--set", "geer=2")  # the command line's mistake
    assert code == 2 and "s.toml" not in err and "'geer'" in err


def test_a_game_that_cannot_be_played_on_is_shown_by_the_line_given(doomtrack, plugins):
    line = ["--strategy", "0=mine", "--plugin", plugins["illegal"]]
    _, _, err = doomtrack("run", "snowball", "-p", "3", "--set", "gear=2", *line, "--games", "60")
    said = f"--seed 1 --set players=3 --set gear=2 --strategy 0=mine --plugin {plugins['illegal']}\n"
    assert err.endswith(said)
    _, _, err = doomtrack("sweep", "snowball", "--vary", "gear=2,3", *line, "--games", "60")
    assert "--set gear=2 " in err


def test_a_folder_that_holds_something_else(doomtrack, tmp_path, contents):
    (tmp_path / "diary.txt").write_text("dear")
    code, _, err = doomtrack("run", "snowball", "--games", "60", "--out", tmp_path)
    assert code == 2 and "holds something else" in err
    assert contents(tmp_path) == {"diary.txt": b"dear"}


# --- what is printed --------------------------------------------------------------------------------------------------


def test_run_as_json(doomtrack):
    line = ["run", "snowball", "-p", "3", "--set", "gear=2", "--strategy", "greedy", "--strategy", "0=random"]
    code, out, err = doomtrack(*line, "--games", "1_200", "--seed", "7", "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert list(found) == [
        "schema", "game", "version", "parameters", "strategies", "seed", "games", "seconds", "metrics"
    ]  # fmt: skip
    assert (found["schema"], found["game"], found["seed"], found["games"]) == (1, "snowball", 7, 1200)
    assert found["parameters"]["gear"] == 2 and found["parameters"]["players"] == 3
    assert found["strategies"] == ["random", "greedy", "greedy"]
    for metric in found["metrics"]:
        assert list(metric) == ["metric", "group", "value", "low", "high", "n", "method"]
    names = [(m["metric"], m["group"]) for m in found["metrics"]]
    assert len(set(names)) == len(names)
    assert {("win_share", "seat=2"), ("turns", ""), ("start_edge", ""), ("turns", "quantile=0.5")} <= set(names)


def test_run_as_csv(doomtrack):
    code, out, _ = doomtrack("run", "snowball", "--games", "60", "--format", "csv")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "cell,parameters,metric,group,group2,x,value,low,high,n,method"
    assert lines[1].startswith("0,{},win_share,seat=0,,,")


def test_run_as_a_table(doomtrack):
    code, out, err = doomtrack("run", "snowball", "--games", "600", "--metric", "long=turns > 30")
    assert (code, err) == (0, "")  # no progress in a pipe
    assert "600 games, seed 1" in out and "win_share[seat=3]" in out and "--all" in out
    assert "\nlong " in out and "rule_rate" not in out
    _, longer, _ = doomtrack("run", "snowball", "--games", "600", "--all")
    assert "rule_rate[rule=R7-later-hit]" in longer and "--all" not in longer


def test_sweep_and_trace_of_its_folder(doomtrack, tmp_path):
    line = ["sweep", "snowball", "--vary", "players=2..3", "--games", "600", "--out", tmp_path / "r"]
    code, out, err = doomtrack(*line)
    assert (code, err) == (0, "")
    assert "players" in out and "600" in out and f"doomtrack report {tmp_path / 'r'}" in out
    code, out, _ = doomtrack(*line, "--format", "json")
    found = json.loads(out)
    assert [c["parameters"] for c in found["cells"]] == [{"players": 2}, {"players": 3}]
    assert found["findings"][0]["kind"] == "answer" and found["failed"] == []

    code, out, err = doomtrack("trace", tmp_path / "r", "--cell", "1", "--game", "7")
    assert (code, err) == (0, "") and out.startswith("game 7 of seed 1: random, random, random\n")
    assert out == doomtrack("trace", "snowball", "-p", "3", "--game", "7")[1]
    code, _, err = doomtrack("trace", tmp_path / "r", "--cell", "2")
    assert code == 2 and "no cell 2; it has cells 0..1" in err


def test_the_table_of_a_sweep_fits_the_terminal(doomtrack, monkeypatch):
    line = ["sweep", "snowball", "--vary", "players=2..3", "--vary", "items.pinecone.copies=1,2", "--games", "1200"]
    for columns in (60, 80, 300):
        monkeypatch.setenv("COLUMNS", str(columns))
        table = doomtrack(*line)[1].rpartition("\n\n")[2].splitlines()
        assert max(len(x) for x in table) <= columns and table[0].split()[:3] == [
            "players",
            "pinecone.copies",
            "start_edge",
        ]
        assert all(x.rstrip().endswith(" 1,200") for x in table[1:5])
        assert ("(--format csv has all)" in " ".join(table)) == (columns < 300)


def test_a_strategy_of_a_monster(doomtrack):
    """Who has it is told chair by chair; a wrong name and one that nobody can have are told in a line."""
    line = ["spooktacular", "-p", "3", "--strategy", "deadline=greedy:leader=1", "--strategy", "2=spooker"]
    code, out, err = doomtrack("trace", *line, "--set", "monsters=clown+deadline", "--game", "1")
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "game 1 of seed 1: random, greedy:leader=1, spooker",
        "in the chairs: 0 spooker, 1 random, 2 greedy:leader=1",
    ]
    code, out, _ = doomtrack("trace", *line, "--game", "1", "--where", "monster_0 = 1 OR monster_1 = 1")
    head, chairs = out.splitlines()[:2]
    assert code == 0 and head.endswith("random (deadline=greedy:leader=1), random (deadline=greedy:leader=1), spooker")
    holder = next(line for line in out.splitlines() if line.endswith(" is Deadline.")).split()[1]
    played = dict(said.split(" ") for said in chairs.removeprefix("in the chairs: ").split(", "))
    assert played[holder] == "greedy:leader=1" and sorted(played.values()) == ["greedy:leader=1", "random", "spooker"]
    code, out, err = doomtrack("run", *line, "--strategy", "deadlin=greedy")
    assert (code, out) == (2, "") and err.count("\n") == 1 and "did you mean 'deadline'?" in err


def test_trace_as_json_lines(doomtrack):
    code, out, _ = doomtrack("trace", "snowball", "--game", "3", "--seed", "9", "--format", "jsonl")
    head, *events = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and (head["number"], head["seed"], head["players"]) == (3, 9, ["random"] * 4)
    assert len(head["outcome"]["share"]) == 4
    assert events[-1]["event"] == "end" and set(events[0]) == {"event", "seat", "a", "b", "c"}


def test_trace_where_and_why(doomtrack):
    code, out, _ = doomtrack("trace", "snowball", "--where", "turns > 30 AND tied = false", "--format", "jsonl")
    head = json.loads(out.splitlines()[0])
    assert code == 0 and head["outcome"]["turns"] > 30
    found = head["number"]
    later = doomtrack("trace", "snowball", "--where", "turns > 30", "--game", found + 1, "--format", "jsonl")[1]
    assert json.loads(later.splitlines()[0])["number"] > found
    code, out, err = doomtrack("trace", "snowball", "--where", "turns > 100000", "--games", "1200")
    assert (code, out) == (3, "") and "no game like" in err
    short = doomtrack("trace", "snowball", "--strategy", "greedy")[1]
    long = doomtrack("trace", "snowball", "--strategy", "greedy", "--why")[1]
    assert len(long) > 1.5 * len(short)


def test_games_and_show(doomtrack):
    code, out, _ = doomtrack("games")
    assert code == 0 and "The Great Snowball Battle, 2-6 players" in out and "expert" in out and "c01-waiting" in out
    assert json.loads(doomtrack("games", "--format", "json")[1])["games"][0]["players"] == [2, 6]
    assert doomtrack("games", "--format", "csv")[1].startswith("game,title,fewest,most,strategies\nsnowball,")

    assert "null-items" in out and "overlays (--content NAME)" in out
    found = json.loads(doomtrack("games", "--weights", "--format", "json")[1])["games"][0]["weights"]
    assert list(found[0]) == ["strategy", "weight", "default", "low", "high", "meaning"]
    weight = f"{found[0]['strategy']}:{found[0]['weight']}"
    assert weight in doomtrack("games", "--weights")[1] and weight not in out
    assert doomtrack("games", "--weights", "--format", "csv")[1].startswith("game,strategy,weight,default,low,high")

    out = doomtrack("show", "snowball")[1]
    assert weight in out
    assert "two_player_clear_rule" in out and "ruling.bat_chain" in out and "snowball/c01-waiting.toml" in out
    names = [p["name"] for p in json.loads(doomtrack("show", "snowball", "--format", "json")[1])["parameters"]]
    assert "gear" in names and len(set(names)) == len(names)
    assert doomtrack("show", "snowball", "--format", "csv")[1].startswith("name,kind,default")

    out = doomtrack("show", "snowball", "--content")[1]
    assert "pinecone" in out and "% estimated" in out
    shown = show.content("snowball")
    configuration = find_game("snowball").configure()
    assert shown["estimated_share"] == configuration.estimated_share  # as reports count it: of the cards in play
    assert shown["provenance"] == configuration.provenance
    out = doomtrack("show", "snowball", "--content", "pinecone")[1]
    assert "items.pinecone.copies" in out and "fort" not in out
    found = json.loads(doomtrack("show", "snowball", "--content", "items.pinecone", "--format", "json")[1])
    assert found["sections"]["items"][0]["entry"] == "items.pinecone" and found["parameters"]
    assert "entry," in doomtrack("show", "snowball", "--content", "--format", "csv")[1]
    assert "overlay" not in doomtrack("show", "snowball", "--content", "--overlay", "null-items")[2]


@pytest.mark.parametrize(
    ("game", "entry", "dotted"),
    [
        ("snowball", "item=pinecone", "items.pinecone"),
        ("snowball", "items=pinecone", "items.pinecone"),
        ("snowball", "pinecone", "items.pinecone"),
        ("snallygaster", "story=bloody-mary", "stories.bloody-mary"),
        ("spooktacular", "monster=deadline", "monsters.deadline"),
        ("spooktacular", "card=haunt", "cards.haunt"),
    ],
)
def test_an_entry_can_be_named_with_its_section(game, entry, dotted):
    found = show.content(game, entry)
    assert [e["entry"] for entries in found["sections"].values() for e in entries] == [dotted]
    assert bool(found["explained"]) == (game == "spooktacular")


def test_a_monster_is_shown_in_plain_words(doomtrack):
    code, out, _ = doomtrack("show", "spooktacular", "--content", "monster=deadline")
    assert code == 0 and out.startswith("Deadline: advanced\n") and "  1. Place a phone in any room.\n" in out
    assert out.index("ANSWER THE PHONE") < out.index("monsters.deadline.spaces.party-line.1")
    found = json.loads(doomtrack("show", "spooktacular", "--content", "card=mash", "--format", "json")[1])
    assert found["explained"][0] == "Mash: basic card, in every deck"
    out = doomtrack("show", "spooktacular", "--content", "monsters")[1]
    assert "remover" in out and "Your turn" not in out
    usher = ("show", "spooktacular", "--content", "monster=usher", "--overlay", ROOT / "examples" / "usher")
    assert "+- SHOW TO THE SEATS (estimated) -" in doomtrack(*usher)[1]


def test_names_of_an_overlays_entries_are_choices(tmp_path):
    """A monster of the designer's own is shown among those that can be named, and `all` goes over it."""
    from experiments import words
    from experiments.commands.show import _range, parameters

    kit = 'name = "Ghost"\nsource = "estimated"\ntier = "easy"\nfigures = { figure = 1 }\nsetup = ""\nturn = "spook"\n'
    (tmp_path / "monsters.toml").write_text(f"[ghost]\n{kit}", encoding="utf-8")
    found = {p["name"]: p for p in parameters("spooktacular", [str(tmp_path)])}["monsters"]
    assert found["kind"] == "list" and found["choices"][0] == "random" and found["choices"][-1] == "ghost"
    assert _range(found).endswith("ghost")
    game = find_game("spooktacular")
    known = game.all_parameters(game.load_content([str(tmp_path)]))["monsters"]
    assert words.factor_values(known, "all") == found["choices"][1:]


def test_every_shown_parameter_can_be_set(doomtrack):
    from experiments.commands.show import content, parameters

    for p in [*parameters("snowball"), *content("snowball", "pinecone")["parameters"]]:
        if p["default"] is not None:
            value = {True: "on", False: "off"}.get(p["default"], p["default"]) if p["kind"] == "flag" else p["default"]
            code, _, err = doomtrack("trace", "snowball", "--set", f"{p['name']}={value}", "--format", "jsonl")
            assert code == 0, err


def test_bench(doomtrack, monkeypatch):
    from experiments import bench

    monkeypatch.setattr(bench, "start_time", lambda game, cache=None: 1.5 if cache is None else 25.0)
    monkeypatch.setattr(bench, "PAIRS", 1)
    line = ["bench", "snowball", "-p", "2", "--strategy", "random", "--seconds", "0.01"]
    code, out, _ = doomtrack(*line)
    assert code == 0 and "two threads play" in out and "25.0 s with an empty cache" in out
    found = json.loads(doomtrack(*line, "--format", "json", "--no-cold")[1])
    assert found["speed"][0]["games_per_s"] > 100 and "cold" not in found["start_seconds"]["snowball"]
    assert doomtrack(*line, "--format", "csv")[1].startswith("game,players,strategy,games_per_s")


# --- codes ------------------------------------------------------------------------------------------------------------


def test_some_cells_failed(doomtrack, plugins, tmp_path):
    line = ["sweep", "snowball", "--vary", "strategy.0=random,mine", "--plugin", plugins["illegal"], "--games", "60"]
    code, out, err = doomtrack(*line, "--out", tmp_path / "r")
    assert code == 4 and "60" in out
    assert "cell 1 (strategy.0=mine) failed: " in err and err.count("\n") == 1
    assert json.loads((tmp_path / "r" / "manifest.json").read_text())["failed"][0]["cell"] == 1


def test_ctrl_c(doomtrack, monkeypatch, tmp_path):
    real, calls = batch.play, []

    def play(*arguments, **options):
        calls.append(1)
        if len(calls) % 2 == 0:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(batch, "play", play)
    monkeypatch.setattr(execution, "command_line", lambda: "doomtrack sweep snowball --again")
    line = ["sweep", "snowball", "--vary", "players=2..3", "--games", "60"]
    code, out, err = doomtrack(*line, "--out", tmp_path / "r")
    assert code == 130 and "60" in out
    assert "stopped: 1 of 2 cells are finished and kept in" in err
    assert "go on with: doomtrack sweep snowball --again" in err
    code, _, err = doomtrack(*line)
    assert code == 130 and "nothing is kept (with --out DIR it could go on)" in err


def test_ctrl_c_in_the_first_cell_promises_nothing(doomtrack, monkeypatch, tmp_path):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "play", stop)
    said = "doomtrack: stopped: nothing was finished; the same command starts anew\n"
    assert doomtrack("run", "snowball", "--games", "60", "--out", tmp_path / "r") == (130, "", said)


def test_ctrl_c_while_the_program_starts():
    for start in ("runpy.run_module('experiments', run_name='__main__')", "import experiments.cli"):
        code = (
            f"import sys, runpy; sys.path.insert(0, {str(ROOT)!r})\n"
            "class Stop:\n"
            "    def find_spec(self, name, *_):\n"
            "        if name == 'typer': raise KeyboardInterrupt\n"
            f"sys.meta_path.insert(0, Stop()); {start}"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (130, "doomtrack: stopped\n")


def test_ctrl_c_before_the_first_game(doomtrack, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(execution, "plan", stop)
    assert doomtrack("run", "snowball", "--games", "60") == (130, "", "doomtrack: stopped\n")


def test_a_reader_that_leaves_is_no_error(doomtrack, monkeypatch):
    def leave(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr(output, "show", leave)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    code, _, err = doomtrack("run", "snowball", "--games", "60")
    assert (code, err) == (0, "")


def test_the_code_of_nothing_found_is_in_the_help(doomtrack):
    assert "Exit code 3" in " ".join(doomtrack("trace", "--help")[1].split())


def test_help(doomtrack):
    code, out, _ = doomtrack("--help")
    assert code == 0 and all(
        f"\n  {name} " in out for name in ("games", "show", "run", "sweep", "trace", "report", "bench")
    )
    for name in ("run", "sweep", "trace", "show", "report", "bench", "games"):
        assert doomtrack(name, "--help")[0] == 0


# --- in a process of its own ------------------------------------------------------------------------------------------

START = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from experiments.cli import main; "


def test_nothing_heavy_is_imported_for_help():
    code = START + (
        "import atexit; heavy = {'numba', 'numpy', 'pandas', 'polars', 'matplotlib', 'scipy', 'pydantic', 'rich'};"
        "atexit.register(lambda: print(sorted(heavy & set(sys.modules)))); main(['--help'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("[]\n")


def test_it_runs_beside_other_things_of_the_same_name(tmp_path):
    """The four import names are common words: a user's own `reports/` and `strategies.py` must not get in the way."""
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "__init__.py").write_text("raise SystemExit('not ours')")
    (tmp_path / "strategies.py").write_text("raise SystemExit('not ours')")
    script = tmp_path / "bin" / "doomtrack"  # as a console script: its own folder, not this one, is on the path
    script.parent.mkdir()
    script.write_text(START + "main()")
    done = subprocess.run(
        [sys.executable, script, "run", "snowball", "--games", "60", "--format", "csv"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith("cell,")
