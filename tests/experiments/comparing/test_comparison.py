"""Comparisons of Snowball variants: what is untouched is exactly the same, what is planted is found, pairing pays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import experiments
import reports
from experiments import cli, sequences, store
from experiments.comparing import comparison, contrast, over_strategies, paired, together, variants
from experiments.comparing.compare import compare
from experiments.comparing.comparison import Comparison
from experiments.playing import Here
from simcore.errors import InputError
from simcore.game import find_game

GAME = find_game("snowball")
USUAL = {"all": "opportunist"}
UNTOUCHED = {"kids.pitcher.effect.1": 2}  # no kid plays


def result(against: Any, **more: Any) -> Comparison:
    given: dict[str, Any] = {"strategies": USUAL, "games": 2400, **more}
    return compare("snowball", against, **given)


# --- the words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("gear=4", {"gear": "4"}),
        ("gear=4, players=5", {"gear": "4", "players": "5"}),
        ("strategy.0=greedy:progress=2,risk=1", {"strategy.0": "greedy:progress=2,risk=1"}),
        ("strategy.0=greedy:progress=2,ruling.refill=at_once", None),
        ("strategy.0=greedy:progress=2,content=model-b", None),
        ("strategy.0=greedy,gear=4", {"strategy.0": "greedy", "gear": "4"}),
        ("a.b=x, then y,gear=4", {"a.b": "x, then y", "gear": "4"}),
    ],
)
def test_commas_part_words_but_not_values(text: str, read: dict[str, str] | None) -> None:
    found = variants.read_words(text, GAME)
    if read is None:
        assert len(found) == 2 and found["strategy.0"] == "greedy:progress=2"
    else:
        assert found == read


def test_a_variant_is_the_base_with_some_words_changed() -> None:
    found = result(["strategy.0=greedy,gear=4", {"players": 3}], settings={"gear": 2}, games=120)
    one, two = (v.side for v in found.variants)
    assert [p.label for p in one.cell.players] == ["greedy", *["opportunist"] * 3]
    assert (one.before, one.changed) == ({"strategy.0": "opportunist", "gear": 2}, {"strategy.0": "greedy", "gear": 4})
    assert (two.cell.configuration.seats, two.cell.configuration.settings["gear"]) == (3, 2)
    assert two.changed == {"players": 3}


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "unknown key": ("gaer=3", {}, "--against gaer=3: snowball: no parameter 'gaer'; did you mean 'gear'"),
    "nothing differs": ("gear=3", {}, "--against gear=3: nothing differs: gear is 3 on both sides"),
    "same strategy": ("strategy.0=opportunist", {}, "nothing differs: strategy.0 is opportunist on both sides"),
    "twice": (["gear=4", "gear=4.0"], {}, "the same as --against gear=4; leave one out"),
    "no variant": ([], {}, "nothing to compare with"),
    "empty": ({}, {}, "changes nothing"),
    "no value": ("gear", {}, "should read NAME=VALUE"),
    "out of bounds": (["gear=4", "gear=99"], {}, "--against gear=99: gear: 99 is outside 1..9"),
    "unknown overlay": ("content=nope", {}, "--against content=nope: content 'nope'"),
    "unknown strategy": ("strategy.0=exprt", {}, "--against strategy.0=exprt: "),
    "no such seat": ("strategy.5=greedy", {}, "--against strategy.5=greedy: "),
    "wrong base": ("gear=4", {"settings": {"gear": 99}}, "gear: 99 is outside 1..9"),
    "few games": ("gear=4", {"games": 60}, "at least 120"),
    "no margin": ("gear=4", {"until": "x"}, "until: 'x' is not a margin above 0"),
    "zero margin": ("gear=4", {"until": 0}, "is not a margin above 0"),
    "on alone": ("gear=4", {"on": "turns"}, "give --until, too"),
    "unknown metric": ("gear=4", {"on": "turnz", "until": 1}, "no metric 'turnz' on all sides; did you mean 'turns'"),
    "unknown group": ("gear=4", {"on": "win_share[seat=7]", "until": 1}, "no such group on all sides"),
    "group of one side": ("players=3", {"on": "win_share[seat=3]", "until": 1}, "no such group on all sides"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case: str) -> None:
    against, more, said = REFUSED[case]
    with pytest.raises(InputError) as caught:
        result(against, **more)
    assert said in str(caught.value)


# --- untouched, and planted -------------------------------------------------------------------------------------------


def test_what_is_untouched_is_exactly_the_same() -> None:
    found = result(UNTOUCHED).variants[0]
    assert (found.reached.games, found.reached.touched, found.reached.flipped) == (2400, 0, 0)
    assert all(c.change in (0.0, None) for c in found.changes)
    assert {c.method for c in found.changes} <= {paired.SAME, "never occurred"}
    edge = found.find("start_edge")
    assert edge.low is not None and edge.high is not None and edge.low < 0 < edge.high < 0.002


def test_a_setting_that_only_renames_minutes_touches_no_game() -> None:
    found = result({"seconds_per_turn": 36}).variants[0]
    turns, minutes = found.find("turns"), found.find("minutes")
    assert found.reached.touched == 0 and turns.change == 0
    assert minutes.base is not None and minutes.variant == pytest.approx(2 * minutes.base)
    assert minutes.low is not None and minutes.low > 0.9 * minutes.base


def test_both_sides_say_what_a_run_says() -> None:
    found = result("gear=4")
    alone = experiments.run("snowball", settings={"gear": 4}, strategies=USUAL, games=2400)
    assert found.variants[0].rows == alone.done[0].rows
    for name, group in (("turns", ""), ("start_edge", ""), ("win_share", "seat=2"), ("first_out_wait_share", "")):
        change, row = found.variants[0].find(name, group), alone.get(name, group)
        assert change.variant == pytest.approx(row.value)
        assert change.change == pytest.approx(change.variant - change.base)


@pytest.mark.slow
def test_a_planted_effect_is_covered_over_seeds() -> None:
    """One gear more: the truth from many games (6.36 turns), in nearly all of 100 small comparisons."""
    truth = result("gear=4", games=60_000, seed=999).variants[0].find("turns").change
    assert truth is not None
    inside = 0
    for seed in range(100):
        found = result("gear=4", games=600, seed=seed).variants[0].find("turns")
        assert found.low is not None and found.high is not None
        inside += found.low <= truth <= found.high
    assert inside >= 89  # 95 are expected; fewer than 89 has a chance of 0.4 %


PAYS = {
    "a card's number": {"items.icicle.effect.1": 4},
    "a card's copies": {"snowballs.snowball-8.copies": 6},
    "a rule": {"ruling.refill": "at_once"},
    "a strategy": {"strategy.0": "greedy"},
}


def test_pairing_pays() -> None:
    found = result(list(PAYS.values()), games=30_000)
    for what, variant in zip(PAYS, found.variants, strict=True):
        share = variant.find("win_share", "seat=0")
        touched = variant.reached.touched / variant.reached.games
        assert share.unpaired is not None
        saved = share.unpaired / share.n
        print(f"{what}: {100 * touched:.1f} % touched, {saved:.2f} times the games unpaired ({saved * touched:.2f})")
        assert saved >= 0.8 / touched


# --- how it is played -------------------------------------------------------------------------------------------------


def plain(found: Comparison) -> dict[str, Any]:
    said = contrast.as_json(found)
    del said["seconds"]
    return said


@pytest.mark.parametrize("until", [None, 0.02])
def test_threads_do_not_matter(until: float | None) -> None:
    against = ["gear=4", UNTOUCHED]
    one = result(against, until=until, games=12_000, threads=1)
    two = result(against, until=until, games=12_000, threads=2)
    assert plain(one) == plain(two)


def test_until_decides_and_stops() -> None:
    against = [{"strategy.0": "greedy"}, UNTOUCHED, {"gear": 4}]
    found = result(against, until=0.02, on="win_share[seat=0]", games=60_000)
    lower, same, close = found.variants
    assert (lower.verdict, same.verdict, close.verdict) == ("smaller", "within the margin", "within the margin")
    assert same.reached.games <= lower.reached.games < close.reached.games == found.games < 60_000
    assert lower.decided is not None and lower.decided.high is not None and lower.decided.high < -0.02
    assert not found.undecided and contrast.exit_code(found) == 0


def test_the_order_of_variants_does_not_matter() -> None:
    against: list[Any] = [UNTOUCHED, {"strategy.0": "greedy"}]
    one, two = (plain(result(a, until=0.02, on="turns"))["variants"] for a in (against, against[::-1]))
    assert one == two[::-1]


def test_too_few_games_leave_it_undecided() -> None:
    found = result("gear=4", until=0.0001, games=6000)
    assert found.variants[0].verdict == "undecided" and contrast.exit_code(found) == 3
    assert found.sentences[0]["text"].startswith("Undecided: whether changing gear from 3 to 4")


def test_the_metric_that_decides() -> None:
    base = variants.sides(experiments.study.build(game="snowball"), ["gear=4"])
    assert comparison.metric_to_decide(None, base) == ("start_edge", "")
    seat = variants.sides(experiments.study.build(game="snowball"), ["strategy.2=greedy"])
    assert comparison.metric_to_decide(None, seat) == ("win_share", "seat=2")
    assert comparison.metric_to_decide("turns", seat) == ("turns", "")


@pytest.mark.parametrize("most", [3000, 100_000, 6_000_000, 10**9])
def test_looks_are_whole_units(most: int) -> None:
    before, unit = 0, 60
    for n, now in comparison.looks(most):
        while unit < now:
            assert (before // unit) % 2 == 0  # can be halved
            unit *= 2
        assert now == unit and n % (2 * unit) == 0 and before < n
        assert n / unit <= paired.MOST_UNITS + 2
        before = n
    assert most <= before <= most * 1.01 + 120
    assert comparison.FIRST_LOOK >= 60 * sequences.FEWEST


@pytest.mark.parametrize("games", [120, 120_000, 10**6, 10**9 + 7])
def test_units_are_full_rotations(games: int) -> None:
    unit = comparison.unit_of(comparison.whole_rotations(games))
    assert unit % 60 == 0 and comparison.whole_rotations(games) % 60 == 0
    assert games / unit <= comparison.UNITS + 1
    blocks = -(-unit // comparison.LARGEST_BLOCK)
    assert unit % blocks == 0 and (unit // blocks) % 60 == 0 and unit // blocks <= comparison.LARGEST_BLOCK


def test_large_units_hold_all_games() -> None:
    """Units of several blocks, and a short last one: the same means as in units of 60."""
    sides = variants.sides(experiments.study.build(game="snowball", strategies=USUAL, games=120), ["gear=4"])
    playing = [comparison._Playing.of(s) for s in sides]
    for part in together.parts(sides, [(10_800, 4800)], 0, {0, 1}, Here(), None):
        for k, p in enumerate(playing):
            p.take(part, k)
    assert [p.units.count for p in playing] == [3, 3]
    pairing = paired.Pairing(playing[0].reader, playing[1].reader)
    change = pairing.change(("turns", "", ""), playing[0].units, playing[1].units, 10_800)
    usual = result("gear=4", games=10_800).variants[0].find("turns")
    assert change[3:6] == pytest.approx(usual[3:6])


# --- folder, output ---------------------------------------------------------------------------------------------------


def test_a_result_folder_can_be_drawn_and_replayed(tmp_path: Path, doomtrack: Any) -> None:
    out = tmp_path / "it"
    found = result(["gear=4", "strategy.0=greedy"], out=out)
    manifest = store.read_manifest(out)
    assert manifest["kind"] == "compare" and manifest["compare"]["against"] == ["gear=4", "strategy.0=greedy"]
    cells = store.read_frame(out / "cells.parquet")
    assert cells["cell"].unique().to_list() == [0, 1, 2]
    assert json.loads(cells.filter(pl.col("cell") == 2)["parameters"][0]) == {"gear": 3, "strategy.0": "greedy"}
    changes = pl.read_parquet(out / "changes.parquet")
    turns = changes.filter((pl.col("metric") == "turns") & (pl.col("group") == "") & (pl.col("cell") == 1))
    assert turns["change"].to_list() == [found.variants[0].find("turns").change]
    sentences = json.loads((out / "findings.json").read_text())
    assert any("makes games" in s["text"] and "turns longer" in s["text"] for s in sentences)
    assert doomtrack("report", out)[0] == 0
    page = (out / "report.html").read_text()
    assert "Changing gear from 3 to 4 makes games" in page
    code, told, _ = doomtrack("trace", out, "--cell", 2, "--game", 5)
    assert code == 0 and told.startswith("game 5 of seed 1: greedy, opportunist")
    result(["gear=4", "strategy.0=greedy"], out=out)  # the same again
    with pytest.raises(InputError, match="choose another folder"):
        result("gear=5", out=out)


def test_a_changed_content_folder_can_be_read(tmp_path: Path) -> None:
    out = tmp_path / "it"
    found = result("content=model-b", out=out, games=600)
    assert "Laying model-b over the content" in found.sentences[0]["text"]
    assert reports.read(out).cells == [0, 1]


@pytest.fixture
def doomtrack(capfd: pytest.CaptureFixture[str]) -> Any:
    """Run a command line in this process: (exit code, stdout, stderr)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.call([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def test_the_table(doomtrack: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = doomtrack(
        *("compare", "snowball", "--strategy", "opportunist", "--against", "gear=4", "--games", "6000")
    )
    assert (code, err) == (0, "") and max(map(len, out.splitlines())) <= 100
    assert "= Changing gear from 3 to 4 makes games 6." in out
    assert "turns longer" in out and "unpaired" in out
    assert "doomtrack trace snowball --set gear=4 --strategy opportunist --game 5 --seed 1" in out


def test_the_line_to_trace_a_flipped_game_shows_it(doomtrack: Any) -> None:
    found = result("items.icicle.effect.1=4,strategy.0=greedy", settings={"gear": 2}).variants[0]
    number = found.reached.first[0]
    line = found.side.trace(number).split()
    code, out, _ = doomtrack(*line[1:])
    assert code == 0 and out.startswith(f"game {number} of seed 1: greedy, opportunist")


def test_json_and_csv(doomtrack: Any) -> None:
    words = ("compare", "snowball", "--strategy", "opportunist", "--against", "gear=4", "--against", "players=3")
    code, out, _ = doomtrack(*words, "--games", "2400", "--format", "json")
    said = json.loads(out)
    assert code == 0 and said["schema"] == 1 and [v["against"] for v in said["variants"]] == ["gear=4", "players=3"]
    first = said["variants"][0]
    assert first["touched"]["games"] == 2400 and len(first["flipped"]["first"]) == 20
    assert first["trace"]["base"].startswith("doomtrack trace snowball")
    assert set(first["changes"][0]) >= {"metric", "group", "base", "variant", "change", "low", "high", "n", "unpaired"}
    assert not any(c["group"] == "seat=3" for c in said["variants"][1]["changes"])
    assert any("different numbers of players" in f["text"] for f in said["findings"])
    code, out, _ = doomtrack(*words, "--games", "2400", "--format", "csv")
    assert out.splitlines()[0] == "against,metric,group,group2,base,variant,change,low,high,n,unpaired,method"


def test_exit_codes(doomtrack: Any) -> None:
    words = ("compare", "snowball", "--strategy", "opportunist", "--games", "6000")
    assert doomtrack(*words, "--against", "gear=4", "--until", "0.0001", "--format", "csv")[0] == 3
    code, out, err = doomtrack(*words, "--against", "gear=3")
    assert (code, out) == (2, "") and err == "doomtrack: --against gear=3: nothing differs: gear is 3 on both sides\n"
    assert doomtrack(*words)[0] == 2


# --- over strategies --------------------------------------------------------------------------------------------------


def test_what_holds_whoever_plays(doomtrack: Any) -> None:
    words = ("compare", "snowball", "--against", "gear=4", "--games", "2400", "--strategies", "greedy,opportunist")
    code, out, _ = doomtrack(*words, "--format", "json")
    said = json.loads(out)
    turns = next(h for h in said["holds"] if h["metric"] == "turns")
    assert code == 0 and turns["verdicts"] == {"greedy": "raised", "opportunist": "raised"} and turns["holds"]
    assert list(said["comparisons"]) == ["greedy", "opportunist"]
    code, out, _ = doomtrack(*words)
    assert code == 0 and "raised" in out and "over all" in out


def test_where_it_flips() -> None:
    up = paired.Change("m", "", "", 0.0, 0.1, 0.1, 0.05, 0.15, 60, None, "")
    down = up._replace(change=-0.1, low=-0.15, high=-0.05)
    unseen = up._replace(low=-0.01)

    def over(*changes: paired.Change) -> over_strategies.Holding:
        named = dict(zip("abc", changes, strict=False))
        return over_strategies.Holding("x=1", "m", "", {s: over_strategies.word(c) for s, c in named.items()}, named)

    assert (over(up, up).all, over(up, up).holds) == ("raised", True)
    assert (over(up, down, unseen).all, over(up, down).holds) == ("flips", False)
    assert (over(unseen, unseen).all, over(unseen, unseen).holds) == ("not visible", False)
    assert over(unseen, down).all == "lowered with b"


@pytest.mark.parametrize("given", ["greedy", "greedy,greedy", "greedy,exprt"])
def test_strategies_that_are_none(given: str, doomtrack: Any) -> None:
    code, out, err = doomtrack("compare", "snowball", "--against", "gear=4", "--games", "120", "--strategies", given)
    assert (code, out) == (2, "") and err.startswith("doomtrack: --strategies")


def test_a_game_that_cannot_be_played_on_is_said_with_its_side(plugins: dict[str, str], doomtrack: Any) -> None:
    words = ("compare", "snowball", "--plugin", plugins["illegal"], "--against", "strategy.1=mine", "--games", "120")
    code, out, err = doomtrack(*words, "--seed", "3")
    assert (code, out) == (2, "") and "--strategy 1=mine" in err and len(err.splitlines()) == 1
