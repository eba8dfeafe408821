"""A comparison over strategies as one result folder beside those of each strategy."""

import json
from pathlib import Path

import polars as pl
import pytest

import reports
from experiments import store
from experiments.comparing.over_strategies import compare_over, holdings
from experiments.traces import cell_of_folder
from simcore.errors import InputError

NAMES = ["random", "greedy"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    out = tmp_path_factory.mktemp("over") / "both"
    return out, compare_over("snowball", ["gear=4", "gear=2"], NAMES, games=240, out=out)


def test_it_holds_the_cells_and_changes_of_all(kept):
    out, found = kept
    whole = pl.read_parquet(out / "changes.parquet")
    for name in NAMES:
        own = pl.read_parquet(out / name / "changes.parquet")
        mine = whole.filter(pl.col("strategy") == name).drop("strategy")
        assert mine.drop("cell").equals(own.drop("cell"))
    cells = pl.read_parquet(out / store.CELLS)
    places = [json.loads(t) for t in cells.select("cell", "parameters").unique(maintain_order=True)["parameters"]]
    assert [(p["strategy.all"], p["gear"]) for p in places] == [(s, g) for s in NAMES for g in (3, 4, 2)]
    assert set(whole["cell"].unique()) == {1, 2, 4, 5}


def test_the_manifest_says_what_holds_and_how_far_it_reaches(kept):
    out, found = kept
    told = store.read_manifest(out)
    assert told["kind"] == "compare" and told["finished"] and told["compare"]["strategies"] == NAMES
    assert [(v["strategy"], v["against"]) for v in told["variants"]] == [
        (s, a) for s in NAMES for a in ("gear=4", "gear=2")
    ]
    for entry in told["variants"]:
        reached = next(v.reached for v in found[entry["strategy"]].variants if v.side.label == entry["against"])
        assert (entry["touched"]["games"], entry["flipped"]["games"]) == (reached.touched, reached.flipped)
        for part in (entry["touched"], entry["flipped"]):
            assert 0 <= part["low"] <= part["share"] <= part["high"] <= 1
    assert [(h["metric"], h["over_all"]) for h in told["holds"]] == [(h.metric, h.all) for h in holdings(found)]
    sentences = json.loads((out / store.FINDINGS).read_text())
    assert [f["kind"] for f in sentences].count("answer") == 2
    assert "with each of random and greedy" in sentences[0]["text"]


def test_it_is_reported_and_its_games_can_be_told(kept):
    out, _ = kept
    result = reports.read(out)
    assert result.changes is not None and not result.trouble and result.finished
    cell, seed, _ = cell_of_folder(out, 4)
    assert seed == 1 and {p.strategy.name for p in cell.players} == {"greedy"}
    assert cell.configuration.given["gear"] == 4


def test_another_result_is_not_overwritten(kept, tmp_path):
    out, _ = kept
    with pytest.raises(InputError, match="another result"):
        compare_over("snowball", "gear=4", NAMES, games=120, out=out / "random")
