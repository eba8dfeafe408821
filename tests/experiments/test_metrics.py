"""Rows from totals, checked against the same games one by one."""

import copy
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from experiments import metrics
from experiments.checking import gauges
from experiments.expressions import Expressions, Where, outcome_frame
from experiments.metrics import Counter, Row, is_headline
from simcore import batch, leads
from simcore.errors import InputError
from simcore.game import How, find_game

GAMES = 1200


@pytest.fixture(scope="module")
def played():
    game = find_game("snowball")
    configuration = game.configure({"players": 4})
    players = strategies.line_up("snowball", 4, {"all": "random", "1": "greedy", "3": "greedy"})
    blocks = list(batch.play(configuration, players, games=GAMES, keep=True))
    totals = blocks[0].totals
    for block in blocks[1:]:
        totals += block.totals
    return configuration, players, totals, np.concatenate([b.outcomes for b in blocks])


@pytest.fixture(scope="module")
def rows(played):
    configuration, players, totals, _ = played
    return {(r.metric, r.group): r for r in Counter(configuration, players).rows(totals) if r.x is None}


def test_win_shares(played, rows):
    *_, outcomes = played
    shares = outcomes["share"][:, :4] / 60
    for seat in range(4):
        assert rows["win_share", f"seat={seat}"].value == pytest.approx(shares[:, seat].mean())
    assert rows["win_share", "strategy=greedy"].value == pytest.approx(shares[:, [1, 3]].mean())
    assert rows["win_share", "strategy=random"].value == pytest.approx(shares[:, [0, 2]].mean())
    starter = shares[np.arange(GAMES), outcomes["starter"]].mean()
    assert rows["win_share", "order=0"].value == pytest.approx(starter)
    assert rows["start_edge", ""].value == pytest.approx(starter - shares.sum(axis=1).mean() / 4)
    assert rows["start_edge", ""].estimate.half_width == pytest.approx(
        rows["win_share", "order=0"].estimate.half_width, rel=0.02
    )


def test_an_edge_is_measured_against_what_is_won_at_all():
    """Where games are capped, a fair share is less than 1 / players."""
    configuration = find_game("snowball").configure({"players": 2, "two_player_clear_rule": "off"})
    players = strategies.line_up("snowball", 2, ["cautious"])
    totals = batch.total(configuration, players, games=GAMES)
    rows = {(r.metric, r.group): r for r in Counter(configuration, players).rows(totals) if r.x is None}
    first, second = (rows["win_share", f"order={k}"].value for k in range(2))
    assert rows["capped_rate", ""].value > 0.03 and first + second < 0.97
    assert rows["start_edge", ""].value == pytest.approx(first - (first + second) / 2)


def test_an_edge_seldom_seen_may_still_be_of_either_sign(played):
    configuration, players, totals, _ = played
    counter = Counter(configuration, players)
    edge = next(m for m in counter.metrics if m.name == "start_edge")
    few = copy.deepcopy(totals)
    few.fired[edge.a], few.sum[edge.a], few.square[edge.a] = 2, -240, 2 * 120**2
    (found,) = counter._rows(edge, few)
    assert found.low < found.value == pytest.approx(-1 / GAMES) and found.high > 0
    few.fired[edge.a] = few.sum[edge.a] = few.square[edge.a] = 0
    (none,) = counter._rows(edge, few)
    assert none.value == 0 and none.high == -none.low == pytest.approx(3.689 / GAMES, rel=1e-3)


def test_a_group_that_never_wins_rests_on_its_trials(played):
    configuration, players, totals, _ = played
    counter = Counter(configuration, players)
    m = next(m for m in counter.metrics if m.how is How.SHARE_OF)
    none = copy.deepcopy(totals)
    none.sum[m.a] = none.square[m.a] = none.fired[m.a] = 0
    none.sum[m.b] = 10
    none.cross[counter.of.pair[m.a, m.b]] = 0
    (found,) = counter._rows(m, none)
    assert (found.value, found.low, found.n) == (0, 0, 10) and found.high == pytest.approx(0.2775, abs=1e-3)
    none.sum[m.a] = 600
    (found,) = counter._rows(m, none)
    assert (found.value, found.high) == (1, 1) and found.low == pytest.approx(1 - 0.2775, abs=1e-3)


def test_means_and_rates(played, rows):
    *_, outcomes = played
    assert rows["turns", ""].value == pytest.approx(outcomes["turns"].mean())
    half = 1.959964 * outcomes["turns"].std(ddof=1) / math.sqrt(GAMES)
    assert rows["turns", ""].estimate.half_width == pytest.approx(half, rel=2e-3)
    assert rows["turns", "quantile=0.5"].value == np.sort(outcomes["turns"])[GAMES // 2 - 1]
    assert rows["throws", ""].value == pytest.approx(outcomes["throws"].mean())
    assert rows["hits_per_throw", ""].value == pytest.approx(outcomes["hits"].sum() / outcomes["throws"].sum())
    assert rows["tie_rate", ""].value == pytest.approx((outcomes["status"] == 2).mean())
    assert rows["minutes", ""].value == pytest.approx(outcomes["turns"].mean() * 18 / 60)


def test_every_row_holds_its_value(rows):
    assert len(rows) > 100
    for row in rows.values():
        if row.value is None:
            assert row.low is None and row.high is None
            continue
        assert math.isfinite(row.value)
        assert row.low is None or row.low <= row.value
        assert row.high is None or row.high >= row.value
        if row.value == 0 and row.method in ("Wilson", "Poisson", "delta"):
            assert row.high > 0, row  # 0 of n is never shown without an interval


def test_distributions_add_up(played):
    configuration, players, totals, _ = played
    shares = [r for r in Counter(configuration, players).rows(totals) if r.metric == "turns_distribution"]
    assert len(shares) > 5
    assert sum(r.value for r in shares) == pytest.approx(1)
    assert [r.x for r in shares] == sorted(r.x for r in shares)


def test_every_way_to_compute_is_known():
    assert set(metrics._ESTIMATES) | {How.SPAN_SHARE} == set(How)


@pytest.mark.parametrize(
    ("monsters", "given", "groups"),
    [
        ("killtron+clown+angler", {"0": "greedy", "clown": "spoiler"}, {"greedy": [0], "spoiler": [1], "random": [2]}),
        ("killtron+clown+angler", {"clown": "greedy", "2": "greedy"}, {"random": [0], "greedy": [1, 2]}),
        ("random", {"0": "greedy", "deadline": "spoiler"}, {"greedy": [0]}),  # the others play now this, now that
        ("random+clown", {"0": "greedy", "deadline": "spoiler"}, {"greedy": [0], "random": [1]}),
        ("random", {"deadline": "spoiler"}, {}),
    ],
)
def test_win_share_by_strategy_where_strategies_go_by_monster(monsters, given, groups):
    configuration = find_game("spooktacular").configure({"players": 3, "monsters": monsters})
    players = strategies.line_up("spooktacular", 3, {"all": "random", **given}, configuration=configuration)
    assert metrics.seats_by_strategy(players) == groups
    found = gauges.of_cell(configuration, players)
    named = [g.metric.group for g in found if g.metric.name == "win_share" and g.metric.group.startswith("strategy=")]
    assert named == [f"strategy={label}" for label in groups]


def test_equal_strategies_have_no_win_share_by_strategy(played):
    configuration, _, totals, _ = played
    same = strategies.line_up("snowball", 4, ["random"])
    assert not any(r.group.startswith("strategy=") for r in Counter(configuration, same).rows(totals))


def test_the_widest_is_a_headline_share(played):
    configuration, players, totals, _ = played
    counter = Counter(configuration, players)
    widest = counter.widest(totals)
    assert widest == max(
        r.estimate.half_width
        for r in counter.rows(totals)
        if (r.metric, r.group.partition("=")[0]) in {("win_share", "seat"), ("win_share", "order")}
        or r.metric in ("tie_rate", "capped_rate", "one_sided_rate")
    )


def test_no_headline_is_about_a_printed_thing():
    assert is_headline("win_share", "seat=0") and is_headline("minutes")
    for group in ("kid=cat", "item=pinecone", "event=snowplow", "cover=8", "rule=R7"):
        assert not is_headline("win_share", group)


def test_the_frame_is_in_long_form(played):
    configuration, players, totals, _ = played
    frame = metrics.frame(Counter(configuration, players).rows(totals), 3, '{"gear": 2}')
    assert frame.schema == pl.Schema(metrics.schema())
    assert frame["cell"].unique().to_list() == [3]
    assert Row._fields == tuple(frame.columns[2:])


# --- a user's own words -----------------------------------------------------------------------------------------------


def test_states_are_the_games_that_reach_a_round():
    game = find_game("snallygaster")
    configuration = game.configure({"doom_length": 5})
    players = strategies.line_up("snallygaster", configuration.seats, {"all": "random"})
    totals = batch.total(configuration, players, games=GAMES)
    by_name = {}
    for r in Counter(configuration, players).rows(totals):
        by_name.setdefault(r.metric, []).append(r)
    for reached in by_name["win_rate_from_round"]:
        states = [r for r in by_name[metrics.STATE] if r.group2 == reached.group]
        if states:
            assert sum(r.n for r in states) == reached.n
            assert math.isclose(sum(r.n * (r.value or 0) for r in states), reached.n * (reached.value or 0))
    first = [r for r in by_name[metrics.STATE] if r.group2 == "round=1" and r.n]
    assert [(r.group, r.n) for r in first] == [("doom_left=5", GAMES)]
    known = {r.group: r for r in by_name[metrics.SETTLED]}
    assert known["round=1"].n == GAMES and known["round=1"].value == (first[0].value < 0.1)


def test_what_is_known_by_the_lead_follows_from_the_shares_by_lead():
    game = find_game("spooktacular")
    configuration = game.configure({"players": 2})
    players = strategies.line_up("spooktacular", 2, {"all": "random"})
    made = Counter(configuration, players).rows(batch.total(configuration, players, games=1200))
    begun = {r.group: r.n for r in made if r.metric == leads.CLEAR}
    known = {r.group: r for r in made if r.metric == metrics.SETTLED}
    assert set(known) == set(begun) and begun["round=2"] == 1200
    for moment, found in known.items():
        sure = [r for r in made if r.metric == leads.SHARE and r.group2 == moment and (r.value or 0) >= 0.9]
        assert found.n == begun[moment]
        if found.n:
            assert found.value == sum(r.n for r in sure) / found.n and found.low <= found.value <= found.high
    told = metrics.described(configuration.metrics)
    assert told[leads.SHARE]["unit"] == "share" and "90 %" in told[metrics.SETTLED]["meaning"]
    snow = metrics.described(find_game("snowball").configure({}).metrics)
    assert leads.SHARE in snow and metrics.SETTLED not in snow


def test_expressions_are_means_and_rates(played):
    configuration, _, _, outcomes = played
    words = {"long": "turns > 20", "left": "gear_0 + gear_1", "per": "hits / throws", "none": "1.0 / (turns - turns)"}
    expressions = Expressions(words, configuration)
    for part in np.array_split(outcomes, 3):
        expressions.add(part)
    long, left, per, none = expressions.rows()
    assert long.value == (outcomes["turns"] > 20).mean() and long.method == "Wilson"
    assert left.value == pytest.approx(outcomes["gear"][:, :2].sum(axis=1).mean())
    assert per.n == (outcomes["throws"] > 0).sum()
    assert none.value is None and none.n == 0  # undefined in every game, so left out


@settings(max_examples=30, deadline=None)
@given(cuts=st.sets(st.integers(1, GAMES // 60 - 1)))
def test_expressions_do_not_hang_on_the_blocks(played, cuts):
    """To the last bit: a cell that was stopped, or played on other machines, was cut elsewhere."""
    configuration, _, _, outcomes = played
    words = {"per": "hits / throws", "x": "sqrt(turns) / (gear_0 + 1)"}
    whole = Expressions(words, configuration)
    whole.add(outcomes)
    parted = Expressions(words, configuration)
    for part in np.split(outcomes, [60 * cut for cut in sorted(cuts)]):
        parted.add(part)
    assert parted.so_far() == whole.so_far()


def test_where_finds_the_first(played):
    configuration, _, _, outcomes = played
    wanted = Where("turns > 25 AND NOT tied", configuration)
    first = wanted.first(outcomes)
    assert first == next(int(o["number"]) for o in outcomes if o["turns"] > 25 and o["status"] != 2)
    assert Where("turns > 100000", configuration).first(outcomes) is None


def test_outcome_columns(played):
    configuration, _, _, outcomes = played
    frame = outcome_frame(outcomes, configuration.seats)
    assert {"turns", "share_0", "share_3", "gear_3", "won", "tied", "capped"} <= set(frame.columns)
    assert "share_4" not in frame.columns


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("foo + 1", "no column 'foo'"),
        ("turn > 3", "no column 'turn'; did you mean 'turns'"),
        ("turns >", "unable to parse"),
        ("avg(turns)", "one value a game"),
        ("3", "one value a game"),
        ("'text'", "one value a game"),
        ("CAST(turns AS VARCHAR)", "neither a number nor true or false"),
        ("read_csv('x')", "--metric"),
        ("", "--metric"),
    ],
)
def test_expressions_that_are_refused(text, complaint):
    configuration = find_game("snowball").configure({})
    with pytest.raises(InputError, match=complaint) as caught:
        Expressions({"x": text}, configuration)
    assert "\n" not in str(caught.value)


def test_names_that_are_refused():
    configuration = find_game("snowball").configure({})
    with pytest.raises(InputError, match="the game has a metric of that name"):
        Expressions({"turns": "turns"}, configuration)
    with pytest.raises(InputError, match="letters, digits and underscores"):
        Expressions({"a b": "turns"}, configuration)
    with pytest.raises(InputError, match="is not true or false"):
        Where("turns", configuration)


def test_what_has_not_happened_yet_and_what_has_add_up(played):
    """At every turn: the share of games still on is one minus the shares of all shorter lengths."""
    configuration, players, totals, _ = played
    rows = Counter(configuration, players).rows(totals)
    shares = {r.x: r.value for r in rows if r.metric == "turns_distribution"}
    left = {r.x: r for r in rows if r.metric == "turns_survival"}
    assert set(left) == {0.0, *shares}
    for x, row in left.items():
        assert row.value == pytest.approx(1 - sum(v for y, v in shares.items() if y <= x), abs=1e-12)
        assert row.n == totals.games and row.method == "Wilson" and row.low <= row.value <= row.high
    values = [left[x].value for x in sorted(left)]
    assert values == sorted(values, reverse=True) and values[-1] == 0
    described = metrics.described(configuration.metrics)
    assert described["turns_survival"]["unit"] == "share" and not described["turns_survival"]["headline"]


def test_games_in_which_it_never_happens_stay_open(played):
    configuration, players, totals, _ = played
    counter = Counter(configuration, players)
    rows = [r for r in counter.rows(totals) if r.metric == "first_out_turn_survival"]
    if not rows:
        assert "first_out_turn" not in {m.name for m in counter.of.survivals}
        return
    span = next(m.a for m in counter.of.survivals if m.name == "first_out_turn")
    assert rows[-1].value == pytest.approx(1 - int(totals.histogram[span].sum()) / totals.games)
