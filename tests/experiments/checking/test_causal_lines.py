"""Lines of a contract about what a dealt card does: how they are decided, and what is said of one that fails."""

from __future__ import annotations

import shlex

import experiments
from experiments import statistics as st
from experiments.checking import contract, verdicts
from experiments.checking.outcomes import Verdict
from experiments.checking.promises import ready
from experiments.impacts import pairs
from experiments.impacts.impact import impact


def promise(**line: object) -> contract.Contract:
    return contract.build(
        game="snowball", strategies="greedy", budget=24_000, line=[{"metric": "impact[item]", **line}]
    )


def test_an_entry_is_a_number_and_all_hold_together() -> None:
    todo = ready(promise(within=0.2, each={"players": [2, 4]}))
    assert len(todo.items) == 20 and todo.level == st.family(0.95, 20)
    assert {i.gauge.metric.group for i in todo.items if i.cell == 0} == {i.gauge.metric.group for i in todo.items}
    one = ready(promise(metric="impact[item=sled]", within=0.2, versus="blank", holder=1))
    assert [i.gauge.metric.group for i in one.items] == ["item=sled"]


def test_a_line_is_kept_or_broken_and_the_entry_named() -> None:
    kept = experiments.check(promise(within=0.2))
    assert kept.verdict is Verdict.PASS
    broken = experiments.check(promise(within=0.01))
    assert broken.verdict is Verdict.FAIL and broken.exit_code == 1
    told = broken.lines[0]
    group = broken.row(told.worst).group
    said = verdicts.as_table(broken)
    assert group in said and "within 1 points" in said and "points [" in said
    words = shlex.split(broken.command(told.worst))
    assert words[:3] == ["doomtrack", "impact", "snowball"] and group.partition("=")[2] in words
    games, entry = int(words[words.index("--games") + 1]), group.partition("=")[2]
    shown = impact("snowball", entries=entry, strategies="greedy", games=games).get(entry)
    assert shown.change.change == broken.row(told.worst).value, "the command shows the same number"


def test_only_what_is_undecided_is_played_on(monkeypatch) -> None:
    played: dict[str, int] = {}
    original = pairs.Pair.play_to

    def counting(pair: pairs.Pair, games: int, watch: object = None) -> None:
        played[pair.entry.slug] = max(played.get(pair.entry.slug, 0), games)
        original(pair, games)

    monkeypatch.setattr(pairs.Pair, "play_to", counting)
    checked = experiments.check(promise(within=0.06))
    decided = {
        i.gauge.metric.group.partition("=")[2]: o for i, o in zip(checked.ready.items, checked.outcomes, strict=True)
    }
    assert {slug: o.games for slug, o in decided.items()} == played
    assert len(set(played.values())) > 1


def test_threads_make_no_difference() -> None:
    one, two = (experiments.check(promise(within=0.1), threads=n) for n in (1, 2))
    assert one.outcomes == two.outcomes


def test_a_folder_holds_them(tmp_path) -> None:
    checked = experiments.check(promise(within=0.2), out=tmp_path / "it")
    assert any(f["metric"] == "impact" and f["group"].startswith("item=") for f in checked.sentences)
    assert (tmp_path / "it" / "cells.parquet").is_file()
