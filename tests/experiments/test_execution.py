"""Studies played: results, the result folder, resuming, failing, stopping."""

import dataclasses
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import experiments
from experiments import execution, playing, store
from experiments.study import build, plan
from simcore import batch
from simcore.errors import InputError, PlayError

GAMES = 600
ROOT = Path(__file__).resolve().parents[2]


def small(**more):
    return experiments.sweep("snowball", vary={"players": [2, 3]}, games=GAMES, **more)


def numbers(result):
    return result.cells.drop("cell", "parameters").rows()


# --- what comes back --------------------------------------------------------------------------------------------------


def test_a_run_from_python():
    result = experiments.run(
        "snowball", players=3, settings={"gear": 2}, strategies=["greedy", "0=random"], games=GAMES
    )
    assert result.cells.columns[:4] == ["cell", "parameters", "metric", "group"]
    assert result.manifest["players"] == ["random", "greedy", "greedy"]
    assert result.manifest["given"] == {"players": 3, "gear": 2}
    assert result.findings["kind"][0] == "answer"
    shares = [result.get("win_share", f"seat={k}").value for k in range(3)]
    assert sum(shares) == pytest.approx(1 - result.get("capped_rate").value)
    with pytest.raises(KeyError):
        result.get("nothing")


def test_results_do_not_depend_on_threads_or_cell_order():
    one, two = small(threads=1), small(threads=3)
    assert numbers(one) == numbers(two)
    turned = experiments.sweep("snowball", vary={"players": [3, 2]}, games=GAMES)
    assert turned.get("turns", cell=0) == one.get("turns", cell=1)


def test_seeds_and_cells_differ():
    assert small().get("turns") != small(seed=2).get("turns")
    assert small().get("turns", cell=0) != small().get("turns", cell=1)


def test_further_words_join_a_study():
    result = experiments.sweep(
        "snowball/c12-turtle.toml", games=60, vary={"players": [2]}, strategies={"all": "greedy"}, seed=5
    )
    assert [d.cell.players[1].label for d in result.done] == ["greedy"]  # set, so no longer varied
    assert result.manifest["seed"] == 5 and result.manifest["claim"] == "C12"


def test_given_twice():
    with pytest.raises(InputError, match="players: given twice"):
        experiments.run("snowball", players=3, settings={"players": 4})


# --- precision --------------------------------------------------------------------------------------------------------


def test_precision_stops_at_the_first_checkpoint_that_is_narrow_enough():
    result = experiments.run("snowball", players=2, precision=0.012)
    games = result.done[0].games
    looks = list(playing.checkpoints(games))
    assert games in looks and games > looks[0]
    shares = [r for r in result.done[0].rows if r.metric == "win_share" and r.group.startswith(("seat", "order"))]
    assert max(r.estimate.half_width for r in shares) <= 0.012
    before = experiments.run("snowball", players=2, games=looks[looks.index(games) - 1])
    assert max(r.estimate.half_width for r in before.done[0].rows if r.metric == "win_share" and "=" in r.group) > 0.012
    assert numbers(experiments.run("snowball", players=2, games=games)) == numbers(result)
    assert numbers(experiments.run("snowball", players=2, precision=0.012, threads=1)) == numbers(result)


def test_a_stopped_cell_comes_by_the_same_checkpoints_on_fewer_threads(tmp_path):
    """It stopped where a block ended that is smaller than those of one thread."""

    class Stops(execution.Silent):
        def hears(self, cell, heard):
            raise KeyboardInterrupt

    asked = {"players": 2, "precision": 0.02, "out": tmp_path}
    stopped = experiments.run("snowball", **asked, threads=2, observer=Stops())
    assert 0 < stopped.begun < batch.BLOCK
    assert numbers(experiments.run("snowball", **asked, threads=1)) == numbers(
        experiments.run("snowball", players=2, precision=0.02)
    )


def test_checkpoints_grow_and_are_multiples_of_a_block():
    looks = list(playing.checkpoints(10**6))
    assert looks[0] == playing.FIRST_LOOK and looks[-1] >= 10**6 > looks[-2]
    assert all(n % batch.BLOCK == 0 and n % 60 == 0 for n in looks)
    assert all(a < b <= a * 1.1 + batch.BLOCK for a, b in zip(looks, looks[1:], strict=False))


# --- the folder -------------------------------------------------------------------------------------------------------


def test_the_folder_holds_what_the_report_needs(tmp_path):
    result = small(out=tmp_path / "deep" / "r", settings={"gear": 2})
    folder = result.folder
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["schema"] == 1 and manifest["kind"] == "sweep" and manifest["finished"] is True
    assert manifest["factors"][0] == {
        "name": "players",
        "values": [2, 3],
        "meaning": "number of players",
        "unit": "",
    }
    assert manifest["given"] == {"gear": 2} and manifest["cells"] == 2 and manifest["failed"] == []
    assert "players" not in manifest["parameters"]
    assert set(manifest["provenance"]) == {"rulebook", "published", "inferred", "estimated"}
    assert 0 < manifest["estimated_share"] < 1
    assert set(manifest["versions"]) == {"doomtrack", "python", "numpy", "numba"}
    assert manifest["metrics"]["win_share"]["headline"] and not manifest["metrics"]["throws"]["headline"]
    cells = pl.read_parquet(folder / "cells.parquet")
    assert cells.equals(result.cells)
    assert [json.loads(p) for p in cells["parameters"].unique(maintain_order=True)] == [{"players": 2}, {"players": 3}]
    assert json.loads((folder / "findings.json").read_text()) == result.sentences
    assert len(list((folder / "parts").glob("*.parquet"))) == 2
    assert not list(folder.rglob("*.tmp"))


def test_a_finished_study_is_not_played_again(tmp_path, monkeypatch):
    first = small(out=tmp_path / "r")
    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("played again"))
    again = small(out=tmp_path / "r")
    assert again.cells.equals(first.cells) and [d.games for d in again.done] == [GAMES] * 2


def test_only_the_missing_part_is_played(tmp_path, monkeypatch):
    first = small(out=tmp_path / "r")
    parts = sorted((tmp_path / "r" / "parts").glob("*.parquet"))
    parts[0].unlink()
    (tmp_path / "r" / "parts" / ".x.parquet.1.tmp").write_bytes(b"half")
    played = []
    real = batch.play
    monkeypatch.setattr(batch, "play", lambda c, *a, **k: played.append(c.seats) or real(c, *a, **k))
    again = small(out=tmp_path / "r")
    assert len(played) == 1 and again.cells.equals(first.cells)
    assert sorted((tmp_path / "r" / "parts").iterdir()) == parts


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 2}, "seed is 1 there and 2 here"),
        ({"games": 1200}, "games is 600 there and 1200 here"),
        ({"vary": {"players": [2]}}, "factors players is 2, 3 there and 2 here"),
        ({"settings": {"gear": 2}}, "base gear is not given there and 2 here"),
        ({"strategies": ["greedy"]}, "strategies all is not given there and greedy here"),
        ({"metrics": {"x": "turns"}}, "metrics x is not given there and turns here"),
    ],
)
def test_another_study_is_refused(tmp_path, contents, change, difference):
    small(out=tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InputError, match=difference):
        experiments.sweep("snowball", **{"vary": {"players": [2, 3]}, "games": GAMES, **change}, out=tmp_path)
    assert contents(tmp_path) == before


def test_something_else_is_refused(tmp_path, contents):
    (tmp_path / "letters.txt").write_text("dear")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="holds something else than a result"):
        small(out=tmp_path)
    with pytest.raises(InputError, match="is a file, not a folder"):
        small(out=tmp_path / "letters.txt")
    with pytest.raises(InputError, match="cannot be written to"):
        small(out=tmp_path / "letters.txt" / "below")
    assert contents(tmp_path) == before
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="manifest.json: cannot be read"):
        small(out=tmp_path)
    (tmp_path / "manifest.json").write_text('{"schema": 99}')
    with pytest.raises(InputError, match="not a manifest of schema 1"):
        small(out=tmp_path)


def test_a_damaged_part_is_named_and_the_others_are_left(tmp_path):
    small(out=tmp_path)
    one, other = sorted((tmp_path / "parts").glob("*.parquet"))
    whole = other.read_bytes()
    one.write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match=f"{one.name}: cannot be read .*; delete it and run again"):
        small(out=tmp_path)
    assert other.read_bytes() == whole
    one.unlink()
    assert len(small(out=tmp_path).done) == 2


def test_wrong_input_leaves_no_folder(tmp_path):
    for wrong in ({"settings": {"gear": 99}}, {"strategies": ["nobody"]}, {"vary": {"players": "5..2"}}):
        with pytest.raises(InputError):
            experiments.sweep("snowball", **{"vary": {"turn_cap": [50, 60]}, "games": 60, **wrong}, out=tmp_path / "r")
        assert not (tmp_path / "r").exists()


def test_a_cells_key_depends_on_all_that_matters():
    def key(**fields):
        ready = plan(build(**{"game": "snowball", "games": 60, "strategies": {"all": "greedy"}, **fields}))
        return store.cell_key(ready.cells[0], ready.study)

    base = key()
    assert key() == base
    others = [
        key(games=120),
        key(seed=2),
        key(base={"gear": 2}),
        key(base={"seconds_per_turn": 20}),  # in no record, but in the minutes
        key(base={"items.pinecone.copies": 1}),
        key(strategies={"all": "greedy:progress=1"}),
        key(strategies={"all": "greedy", "0": "random"}),
        key(metrics={"x": "turns"}),
        key(overlays=["null-items"]),
        key(games=None, precision=0.1),
    ]
    assert len({base, *others}) == len(others) + 1
    assert key(factors={"turn_cap": [500]}, question="?") == base  # asked in another way, the same games


def test_a_cells_key_depends_on_how_its_metrics_are_defined():
    ready = plan(build(game="snowball", games=60))
    cell = ready.cells[0]
    before = store.cell_key(cell, ready.study)
    real = cell.configuration.game.metrics
    changed = dataclasses.replace(
        cell.configuration.game, metrics=lambda c: tuple(dataclasses.replace(m, scale=2 * m.scale) for m in real(c))
    )
    other = dataclasses.replace(cell, configuration=dataclasses.replace(cell.configuration, game=changed))
    assert store.cell_key(other, ready.study) != before


def test_the_batch_is_part_of_the_statistics(monkeypatch):
    read = []
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or real(path))
    store.sources_digest.cache_clear()
    store.statistics_digest()
    assert {"batch.py", "metrics.py", "statistics.py"} <= set(read)


def test_shipped_numbers_of_games_let_the_seats_rotate_exactly():
    from experiments import demo, study

    shipped = {path.name: study.read(path).games for path in study.shipped("snowball").values()}
    shipped |= {"run": execution.RUN_GAMES, "sweep": study.GAMES_A_CELL, "other demos": demo.OTHERWISE["games"]}
    shipped |= {game: asked["games"] for game, asked in demo.SWEEPS.items()}
    assert {name: games for name, games in shipped.items() if games is not None and games % 60} == {}


def test_writing_is_all_or_nothing(tmp_path):
    target = tmp_path / "x.json"
    store.write_json(target, {"a": 1})

    def fails(temporary):
        temporary.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="x.json: cannot be written .No space left on device."):
        store._write(target, fails)
    assert json.loads(target.read_text()) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]
    with pytest.raises(ValueError):
        store.write_json(target, {"a": float("nan")})
    assert json.loads(target.read_text()) == {"a": 1}


# --- failing and stopping ---------------------------------------------------------------------------------------------


def test_one_failing_cell_does_not_lose_the_others(tmp_path, plugins):
    def again(**more):
        return experiments.sweep(
            "snowball",
            vary={"strategy.0": ["random", "mine", "greedy"]},
            plugins=[plugins["illegal"]],
            games=GAMES,
            out=tmp_path,
            **more,
        )

    result = again()
    assert [d.cell.index for d in result.done] == [0, 2]
    assert [f["cell"] for f in result.failed] == [1]
    assert "mine" in result.failed[0]["error"] and "trace" in result.failed[0]["error"]
    assert result.manifest["finished"] is False
    assert len(list((tmp_path / "parts").glob("*.parquet"))) == 2
    assert again().cells.equals(result.cells)


def test_all_cells_failing_is_an_error(plugins):
    with pytest.raises(PlayError, match="mine"):
        experiments.run("snowball", strategies=["mine"], plugins=[plugins["illegal"]], games=60)


@pytest.mark.parametrize("there", ["nothing", "folder", "hardly begun"])
def test_an_illegal_answer_leaves_nothing_in_a_new_folder(tmp_path, plugins, there):
    out = tmp_path / "deep" / "r"
    if there != "nothing":
        out.mkdir(parents=True)
    if there == "hardly begun":
        (out / "parts").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(PlayError, match="mine"):
        experiments.run("snowball", strategies=["mine"], plugins=[plugins["illegal"]], games=60, out=out)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_illegal_answer_keeps_an_older_folder(tmp_path, plugins):
    def run(name):
        (tmp_path / "mine.py").write_text(Path(plugins[name]).read_text())
        plugin = [tmp_path / "mine.py"]
        return experiments.run("snowball", strategies=["mine"], plugins=plugin, games=60, out=tmp_path / "r")

    run("good")
    with pytest.raises(PlayError):
        run("illegal")
    assert (tmp_path / "r" / "manifest.json").exists()


def test_a_folder_of_a_run_stopped_before_its_manifest_is_used(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / ".17.tmp").write_bytes(b"")
    (tmp_path / ".manifest.json.17.tmp").write_text("{")
    assert len(small(out=tmp_path).done) == 2
    (tmp_path / "other" / "parts").mkdir(parents=True)
    (tmp_path / "other" / "parts" / "mine.txt").write_text("dear")
    with pytest.raises(InputError, match="holds something else than a result"):
        small(out=tmp_path / "other")


def test_keys_come_before_the_folder(tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "cell_key", stopped)
    with pytest.raises(KeyboardInterrupt):
        small(out=tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_a_changed_plugin_is_played_again(tmp_path, plugins):
    text = Path(plugins["good"]).read_text()
    mine = tmp_path / "mine.py"

    def run():
        return experiments.run("snowball", strategies=["mine"], plugins=[mine], games=GAMES, out=tmp_path / "r")

    mine.write_text(text)
    first = run()
    mine.write_text(text.replace("return game['options'] - 1", "return game['options'] - 2"))
    second = run()
    assert numbers(first) != numbers(second)
    assert len(list((tmp_path / "r" / "parts").iterdir())) == 1  # the older part is gone


def test_ctrl_c_keeps_what_is_finished(tmp_path, monkeypatch):
    def three(**more):
        return experiments.sweep("snowball", vary={"players": [2, 3, 4]}, games=GAMES, **more)

    real, calls = batch.play, []

    def play(*arguments, **options):
        calls.append(1)
        if len(calls) == 3:  # the third cell begins while the second is played
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(batch, "play", play)
    stopped = three(out=tmp_path)
    assert stopped.interrupted and len(stopped.done) == 1
    manifest = store.read_manifest(tmp_path)
    assert manifest["finished"] is False
    assert pl.read_parquet(tmp_path / "cells.parquet").equals(stopped.cells)
    monkeypatch.setattr(batch, "play", real)
    whole = three(out=tmp_path)
    assert not whole.interrupted and numbers(whole) == numbers(three())


def test_a_killed_sweep_goes_on_with_the_same_numbers(tmp_path):
    code = (
        "import experiments, sys; "
        "experiments.sweep('snowball', vary={'turn_cap': '100..139'}, games=6000, out=sys.argv[1], threads=1)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "r")], env=environment)
    parts, deadline = tmp_path / "r" / "parts", time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        if parts.is_dir() and len(list(parts.glob("*.parquet"))) >= 2:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.01)
    assert process.wait() == -signal.SIGKILL
    kept = {p.name: p.stat().st_mtime_ns for p in parts.glob("*.parquet")}
    assert 2 <= len(kept) < 40
    vary = {"turn_cap": "100..139"}
    resumed = experiments.sweep("snowball", vary=vary, games=6000, out=tmp_path / "r")
    assert {n: (parts / n).stat().st_mtime_ns for n in kept} == kept  # not played again
    assert resumed.cells.equals(experiments.sweep("snowball", vary=vary, games=6000).cells)


def test_the_command_in_the_manifest_asks_the_same(tmp_path):
    from experiments import options, words

    result = experiments.sweep(
        "snowball",
        vary={"two_player_clear_rule": [True, False]},
        settings={"players": 2, "strategy.0.progress": 0.25},
        strategies={"0": "greedy", "all": "random"},
        metrics={"long": "turns > 20"},
        games=60,
        out=tmp_path,
    )
    line = shlex.split(result.manifest["command"])
    assert line[:3] == ["doomtrack", "sweep", "snowball"]
    given: dict[str, list[str]] = {}
    for option, value in zip(line[3::2], line[4::2], strict=True):
        given.setdefault(option, []).append(value)
    asked = options.Line(
        set=given["--set"], strategy=given["--strategy"], metric=given["--metric"], games=given["--games"][0]
    ).given
    again = execution.sweep("snowball", vary=words.assignments("--vary", given["--vary"]), out=tmp_path, **asked)
    assert again.cells.equals(result.cells)
