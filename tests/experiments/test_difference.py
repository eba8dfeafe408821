"""What changed between two results: the inputs, the matched cells, the changes and their intervals."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from experiments import difference as d
from experiments import statistics as st
from experiments.cli import call
from experiments.execution import run, sweep
from simcore.errors import InputError


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("results")
    few = {"games": 1200, "replays": False}
    run("snowball", strategies="greedy", out=home / "three", seed=1, **few)
    run("snowball", strategies="greedy", settings={"gear": 4}, out=home / "four", seed=2, **few)
    run("snowball", strategies="greedy", out=home / "again", seed=3, **few)
    run("snowball", strategies={"all": "greedy", "0": "random"}, out=home / "mixed", seed=1, **few)
    sweep("snowball", vary={"gear": "3,4", "players": "3,4"}, strategies="greedy", out=home / "grid", seed=4, **few)
    sweep("snowball", vary={"players": "2..4"}, strategies="greedy", out=home / "players", seed=5, **few)
    run("snowball", players=2, games=60, out=home / "pair", replays=False)
    run("snallygaster", out=home / "other", games=60, replays=False)
    return {p.name: p for p in home.iterdir()}


def given(found: d.Difference) -> dict[str, tuple]:
    return {i.name: (i.before, i.after) for i in found.inputs}


def test_inputs_that_differ(results) -> None:
    found = d.difference(results["three"], results["four"])
    told = given(found)
    assert told.pop("gear") == (3, 4) and told.pop("seed") == (1, 2)
    assert set(told) == set()
    told = given(d.difference(results["three"], results["mixed"]))
    assert told == {"0": (None, "random")}
    told = given(d.difference(results["players"], results["grid"]))
    assert told["players"] == ([2, 3, 4], [3, 4]) and told["gear"] == (3, [3, 4])


def test_each_change_is_that_of_the_tables(results) -> None:
    found = d.difference(results["three"], results["four"])
    a, b = (pl.read_parquet(results[name] / "cells.parquet") for name in ("three", "four"))
    keys = ["metric", "group", "group2"]
    wanted = a.filter(pl.col("x").is_null()).join(b.filter(pl.col("x").is_null()), on=keys, suffix="_b")
    assert len(found.changes) == len(wanted.filter(pl.col("value").is_not_null() & pl.col("value_b").is_not_null()))
    for row in wanted.iter_rows(named=True):
        if row["value"] is None or row["value_b"] is None or row["group2"]:
            continue
        change = found.find(row["metric"], row["group"])
        assert change.change == pytest.approx(row["value_b"] - row["value"])
        assert (change.before, change.after) == (row["value"], row["value_b"])
        if change.low is not None:
            assert change.low <= change.change
        if change.high is not None:
            assert change.change <= change.high


def test_known_intervals() -> None:
    """Newcombe (1998), Statistics in Medicine 17, 873-890, table II: method 10 for 56/70 less 48/80 and others."""
    cases = (  # a, m, b, n: a/m - b/n, and its interval as printed
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (10, 10, 0, 10, 0.6075, 1.0),
    )
    for a, m, b, n, low, high in cases:
        found = d.between(st.rate(b, n), st.rate(a, m))
        assert found == pytest.approx((low, high), abs=6e-5)


def test_means_add_their_variances() -> None:
    a, b = st.Estimate(10.0, 9.0, 11.0, 5000, "normal"), st.Estimate(12.0, 11.5, 12.5, 5000, "normal")
    half = math.hypot(1, 0.5)
    assert d.between(a, b) == pytest.approx((2 - half, 2 + half))
    wider = d.between(a, b, 0.99)
    z = st.z_value(0.99) / st.z_value(0.95)
    assert wider == pytest.approx((2 - z * half, 2 + z * half))
    assert d.between(a._replace(high=None), b) == (None, pytest.approx(2 + half))
    assert d.between(a._replace(method="order statistics"), b, 0.99) == (None, None)


def test_intervals_cover() -> None:
    """Two independent rates, many times: the truth is in the interval about as often as promised."""
    luck = np.random.default_rng(11)
    a, b = luck.binomial(400, 0.2, 2000), luck.binomial(900, 0.26, 2000)
    inside = 0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        low, high = d.between(st.rate(x, 400), st.rate(y, 900))
        inside += low <= 0.06 <= high
    assert 0.935 <= inside / 2000 <= 0.965


def test_cells_are_matched_by_what_they_are(results) -> None:
    found = d.difference(results["players"], results["grid"])
    places = [(place, found.before.parameters[a], found.after.parameters[b]) for place, a, b in found.cells]
    assert [p for p, _, _ in places] == [{"gear": 3, "players": 3}, {"gear": 3, "players": 4}]
    assert all(b["players"] == a["players"] and b["gear"] == 3 for _, a, b in places)
    said = [s["text"] for s in found.sentences if s["kind"] == "warning"]
    assert any("1 of 3 cells of players" in s for s in said) and any("2 of 4 cells of grid" in s for s in said)
    one = d.difference(results["four"], results["grid"])
    assert [place for place, _, _ in one.cells] == [{"gear": 4, "players": 4}]


def test_what_is_said(results) -> None:
    found = d.difference(results["three"], results["four"])
    kinds = ("answer", "finding", "warning")
    said = {kind: [s["text"] for s in found.sentences if s["kind"] == kind] for kind in kinds}
    assert said["answer"][0] == "Gear is 3 before and 4 after." and "a change of" in said["answer"][1]
    assert any(s.startswith("Turns: ") and "a change of +" in s for s in said["answer"] + said["finding"])
    assert said["warning"] == ["Unpaired: the intervals are those of two independent results."]
    chance = d.difference(results["three"], results["again"])
    assert chance.sentences[0]["text"] == "Both play the same game; what differs is the seed: any change is chance."
    assert any("None of" in s["text"] for s in chance.sentences)


def test_results_of_one_seed_are_sent_to_compare(results, capsys) -> None:
    found = d.difference(results["three"], results["mixed"])
    (said,) = [s["text"] for s in found.sentences if s["kind"] == "warning"]
    assert "unpaired" in said and "doomtrack compare" in said
    assert d.command(found) == ""  # 'nothing' cannot be put in the place of what was not given
    run("snowball", strategies="greedy", settings={"gear": 2}, games=120, seed=1, out=results["three"].parent / "two")
    found = d.difference(results["three"], results["three"].parent / "two")
    words = d.command(found).split()
    assert words == ["doomtrack", "compare", "snowball", "--strategy", "all=greedy", "--against", "gear=2"]
    assert call([*words[1:], "--games", "120", "--quiet"]) == 0
    assert "gear" in capsys.readouterr().out


FILES = ["changes.parquet", "findings.json", "manifest.json"]


def test_kept_and_reported_again(results, tmp_path: Path, capsys) -> None:
    words = ["report", str(results["three"]), str(results["four"])]
    assert call([*words, "--out", str(tmp_path / "d"), "--html", str(tmp_path / "page.html")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "page.html")
    assert sorted(p.name for p in (tmp_path / "d").iterdir() if p.is_file()) == FILES
    kept = pl.read_parquet(tmp_path / "d" / "changes.parquet")
    assert kept.rows()[0][2:5] == ("win_share", "seat=0", "")
    assert call(["report", str(tmp_path / "d")]) == 0
    again = (tmp_path / "d" / "report.html").read_text("utf-8")
    assert again == (tmp_path / "page.html").read_text("utf-8")
    assert call([*words, "--out", str(tmp_path / "d")]) == 0  # the same place again
    assert (results["four"] / "difference.html").read_text("utf-8") == again
    manifest = json.loads((tmp_path / "d" / "manifest.json").read_text("utf-8"))
    assert manifest["kind"] == "difference" and manifest["before"]["name"] == "three"


def test_in_markdown(results, tmp_path: Path, capsys) -> None:
    words = ["report", str(results["three"]), str(results["four"]), "--format", "md"]
    assert call(words) == 0
    text = capsys.readouterr().out
    assert "| gear | 3 | 4 |" in text and text.startswith("## What changed from three to four")
    change = d.difference(results["three"], results["four"]).find("turns").change
    (row,) = [line for line in text.splitlines() if line.startswith("| Turns | all |")]
    assert float(row.split("|")[5]) == pytest.approx(change, abs=0.06)
    assert call([*words, "--out", str(tmp_path / "new" / "x.md")]) == 0
    assert (tmp_path / "new" / "x.md").read_text("utf-8") == text
    assert call(["report", str(results["three"]), "--format", "md", "--out", str(tmp_path)]) == 2
    assert "is a folder" in capsys.readouterr().err


def test_refusals(results, tmp_path: Path, capsys) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("mine")
    three, four = str(results["three"]), str(results["four"])
    cases = (
        ([three, str(results["other"])], "only results of one game"),
        ([three, three], "the same folder"),
        ([three, str(tmp_path)], "no result folder"),
        ([three, str(tmp_path / "none")], "no result folder"),
        ([three, "--out", "x"], "--out"),
        ([three, four, "--out", str(tmp_path / "full")], "holds something else"),
        ([three, "--format", "md", "--html", "x"], "--html"),
        ([three, "--format", "text"], "no such format"),
        ([str(results["pair"]), str(results["grid"])], "no cell in common"),
    )
    for words, part in cases:
        assert call(["report", *words]) == 2, words
        err = capsys.readouterr().err
        assert part in err and err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["full"]
    with pytest.raises(InputError):
        d.difference(three, tmp_path)
