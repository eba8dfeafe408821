"""`compare --adapt`: both sides are tuned on their own rules; what is kept says so and can be replayed."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from experiments import cli, store, traces
from experiments.adapting import telling
from experiments.comparing import adapted, folder, over_strategies, variants
from experiments.comparing.compare import compare
from experiments.comparing.comparison import Comparison
from experiments.study import build
from simcore.errors import InputError

UNTOUCHED = {"kids.pitcher.effect.1": 2}  # no kid plays
FEW = 12_000  # of a side's tuning


@pytest.fixture(scope="module")
def gear(learners: str, tmp_path_factory: Any) -> Comparison:
    """A comparison in which both sides adapt, kept in a folder."""
    out = tmp_path_factory.mktemp("adapted") / "kept"
    return _compare(learners, "gear=2", out=out, command="doomtrack compare ...")


def _compare(learners: str, against: Any, **more: Any) -> Comparison:
    given = {"strategies": "aimed", "plugins": [learners], "games": 1200, "adapt": True, "adapt_games": FEW, **more}
    return compare("snowball", against, **given)


def test_both_sides_play_with_tuned_weights(gear: Comparison) -> None:
    sides = [gear.base, gear.variants[0].side]
    assert [a.changed for a in gear.adapted] == [True, True]
    for side, how in zip(sides, gear.adapted, strict=True):
        aims = {p.weights["aim"] for p in side.cell.players}
        assert len(aims) == 1 and abs(aims.pop() - 0.7) < 0.35
        assert side.cell.strategies == how.cell.strategies == side.study.strategies
        assert side.line_up == {"strategy.all": side.cell.strategies["all"]}
    assert gear.variants[0].side.changed == {"gear": 2} and gear.variants[0].side.label == "gear=2"
    assert "with adapted players" in gear.sentences[0]["text"]
    assert telling.CAUTION in [f["text"] for f in gear.sentences if f["kind"] == "warning"]


def test_the_old_habits_are_the_comparison_without(gear: Comparison, learners: str) -> None:
    plain = _compare(learners, "gear=2", adapt=False, adapt_games=None)
    assert gear.habits is not None
    assert gear.habits.variants[0].changes == plain.variants[0].changes
    assert gear.variants[0].changes != plain.variants[0].changes
    assert not plain.adapted and plain.habits is None


def test_the_same_rules_on_both_sides_stay_the_same_game(learners: str) -> None:
    found = _compare(learners, UNTOUCHED)
    one, other = found.adapted
    assert one.changed and one.cell.strategies == other.cell.strategies
    assert [s for s in one.steps] == [s for s in other.steps]
    assert found.variants[0].reached.touched == 0


def test_threads_do_not_matter(learners: str) -> None:
    def said(threads: int) -> dict[str, Any]:
        found = adapted.as_json(_compare(learners, "gear=2", threads=threads, games=240))
        for part in (found, found["old_habits"]):
            part.pop("seconds")
        return found

    assert said(1) == said(3)


def test_where_nothing_is_adopted_it_is_the_comparison_without(learners: str) -> None:
    found = _compare(learners, "gear=2", strategies="deaf", games=240)
    plain = _compare(learners, "gear=2", strategies="deaf", games=240, adapt=False, adapt_games=None)
    assert found.habits is None and found.variants[0].changes == plain.variants[0].changes
    assert adapted.as_json(found)["old_habits"] is None
    assert "stay as they were on all sides" in adapted.table(found)
    assert "with adapted players" not in found.sentences[0]["text"]


def test_what_is_compared_is_not_tuned(learners: str) -> None:
    found = _compare(learners, "strategy.0.aim=0.6")
    assert found.adapted[0].steps[0].verdict == "no weights to tune" and found.habits is None
    players = [p.weights.get("aim", 0.2) for p in found.variants[0].side.cell.players]
    assert players == [0.6, 0.2, 0.2, 0.2]
    base = build(game="snowball", strategies="expert")
    chosen = variants.sides(base, ["strategy.0=greedy:waste=1,action=0", "strategy.all.spread=1,gear=4"])
    assert adapted.compared_weights(chosen) == {"waste", "action", "spread"}


# --- what is printed and kept -----------------------------------------------------------------------------------------


def test_the_folder_keeps_the_tuned_weights_and_replays_their_games(gear: Comparison) -> None:
    assert gear.folder is not None
    manifest = json.loads((gear.folder / store.MANIFEST).read_text())
    assert [a["side"] for a in manifest["adapted"]] == ["base", "gear=2"]
    assert manifest["compare"]["adapt"] is True
    for k, side in enumerate([gear.base, gear.variants[0].side]):
        assert manifest["adapted"][k]["strategies"] == dict(side.cell.strategies)
        cell, seed, remarks = traces.cell_of_folder(gear.folder, k)
        assert [p.label for p in cell.players] == [p.label for p in side.cell.players]
        assert (seed, remarks) == (1, [])
        assert cell.configuration.settings["gear"] == (3, 2)[k]
    old, new = (pl.read_parquet(p / folder.CHANGES) for p in (gear.folder / folder.OLD_HABITS, gear.folder))
    assert old.shape == new.shape and not old.equals(new)
    assert any("on fresh games" in f["text"] for f in json.loads((gear.folder / store.FINDINGS).read_text()))


def test_the_folder_takes_the_same_again_and_refuses_others(gear: Comparison, learners: str) -> None:
    again = _compare(learners, "gear=2", out=gear.folder)
    assert again.variants[0].changes == gear.variants[0].changes
    with pytest.raises(InputError, match="choose another folder"):
        _compare(learners, "gear=2", out=gear.folder, adapt=False, adapt_games=None)
    with pytest.raises(InputError, match="holds another comparison"):
        _compare(learners, "gear=4", out=gear.folder)


def test_the_line_that_repeats_a_side_plays_the_same_games(gear: Comparison) -> None:
    side = gear.variants[0].side
    words = shlex.split(adapted.as_data(gear)[1]["option"])
    assert words == ["--strategy", side.cell.strategies["all"]]
    line = side.trace(3)
    assert words[1] in line and "--set gear=2" in line


def test_csv_has_both_and_says_who_plays(gear: Comparison) -> None:
    rows = [dict(zip(adapted.CSV_HEAD, r, strict=True)) for r in adapted.csv_rows(gear)]
    assert {r["players"] for r in rows} == {"adapted", "old habits"}
    assert {r["variant_strategies"] for r in rows if r["players"] == "old habits"} == {"aimed"}
    assert {r["variant_strategies"] for r in rows if r["players"] == "adapted"} == {
        gear.variants[0].side.cell.strategies["all"]
    }


def test_the_command_prints_all_forms(learners: str, capfd: Any) -> None:
    line = ["compare", "snowball", "--plugin", learners, "--strategy", "aimed", "--against", "gear=2", "--games", "240"]
    line += ["--adapt", "--adapt-games", str(FEW)]
    said = {}
    for how in ("table", "json", "csv"):
        assert cli.call([*line, "--format", how]) == 0
        said[how] = capfd.readouterr().out
    assert "Players adapted to the rules of each side" in said["table"]
    assert "old habits" in said["table"] and "--strategy aimed:aim=" in said["table"]
    data = json.loads(said["json"])
    assert data["schema"] == 1 and len(data["adapted"]) == 2 and data["old_habits"]["variants"][0]["changes"]
    head, *rows = list(csv.reader(io.StringIO(said["csv"])))
    assert tuple(head) == adapted.CSV_HEAD and all(len(r) == len(head) for r in rows)


def test_over_strategies_each_is_tuned(learners: str, tmp_path: Path, capsys: Any) -> None:
    words = {"plugins": [learners], "games": 240, "adapt": True, "adapt_games": FEW, "out": tmp_path / "over"}
    found = over_strategies.compare_over("snowball", "gear=2", ["aimed", "deaf"], **words)
    assert [any(a.changed for a in c.adapted) for c in found.values()] == [True, False]
    over_strategies.show(found, "table")
    said = capsys.readouterr().out
    assert "aimed:aim=" in said and "no try changed who wins" in said
    over_strategies.show(found, "json")
    assert set(json.loads(capsys.readouterr().out)["comparisons"]["aimed"]) >= {"adapted", "old_habits"}
    over_strategies.show(found, "csv")
    head, *rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert head[:2] == ["strategy", "players"] and all(len(r) == len(head) for r in rows)


def test_until_decides_with_both(learners: str) -> None:
    found = _compare(learners, "gear=2", until=1.0, on="turns", games=6000)
    assert found.habits is not None
    assert found.variants[0].verdict and found.habits.variants[0].verdict
    assert found.variants[0].verdict in adapted.table(found)


REFUSED = {
    "games without adapt": ({"adapt": False}, "give --adapt, too"),
    "no number": ({"adapt_games": "some"}, "adapt-games: 'some' is not a whole number"),
    "too few": ({"adapt_games": 100}, "adapt-games: 100 are too few"),
    "unknown strategy": ({"strategies": "nobody"}, "no strategy 'nobody'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case: str, learners: str) -> None:
    more, said = REFUSED[case]
    with pytest.raises(InputError) as caught:
        _compare(learners, "gear=2", **more)
    assert said in str(caught.value) and "\n" not in str(caught.value)
