"""Sentences from synthetic rows: what they claim, and what they don't."""

import math
from types import SimpleNamespace

import pytest

from experiments import findings, kinds
from experiments import statistics as st
from experiments.metrics import row
from experiments.speech import Speech
from experiments.study import Factor, build

N = 100_000


def cell(index=0, seats=4, labels=("expert",) * 4, share=0.0, settings=None, unranked=(), **parameters):
    """A cell with just what findings look at."""
    settings = {"seconds_per_turn": 18, "turn_cap": 500, "kids": "random", **(settings or {})}
    players = [SimpleNamespace(label=x, strategies=[SimpleNamespace(name=x.partition(":")[0])]) for x in labels]
    game = SimpleNamespace(unranked=unranked)
    configuration = SimpleNamespace(seats=seats, settings=settings, estimated_share=share, game=game)
    return SimpleNamespace(
        index=index, parameters=parameters, configuration=configuration, players=players, strategies={"all": labels[0]}
    )


def plan(cells, factors=(), **fields):
    return SimpleNamespace(study=build(game="snowball", **fields), cells=cells, factors=tuple(factors), notes=())


def edge(share, n=N, seats=4):
    half, value = st.z_value() * math.sqrt(share * (1 - share) / n), share - 1 / seats
    return row("start_edge", st.Estimate(value, value - half, value + half, n, "normal"))


def told(cells_rows, factors=(), described=None, **fields):
    results = [kinds.Result(c, rows) for c, rows in cells_rows]
    return findings.make(plan([c for c, _ in cells_rows], factors, **fields), results, described or {})


def texts(found, kind=None):
    return [f["text"] for f in found if kind in (None, f["kind"])]


# --- one cell ---------------------------------------------------------------------------------------------------------


def test_starting_is_a_disadvantage():
    found = told([(cell(), [edge(0.22)])])
    assert found[0]["kind"] == "answer"
    assert found[0]["text"].startswith(
        "Starting is a disadvantage: whoever starts wins 22.0 % of the games where 25.0 %"
    )
    assert (found[0]["metric"], found[0]["value"]) == ("start_edge", pytest.approx(-0.03))
    assert found[0]["low"] < -0.03 < found[0]["high"] and found[0]["n"] == N


def test_starting_is_an_advantage():
    assert "Starting is an advantage" in told([(cell(), [edge(0.28)])])[0]["text"]


def test_fair_is_what_is_won_at_all():
    """With capped games neither of two seats may be called worse off for winning less than half."""
    shares = [row("win_share", st.rate(v * 6000, 6000), f"order={k}") for k, v in enumerate((0.458, 0.468))]
    edge = row("start_edge", st.Estimate(-0.005, -0.0177, 0.0077, 6000, "normal"))
    text = told([(cell(seats=2, labels=("cautious",) * 2), [*shares, edge])])[0]["text"]
    assert text.startswith(
        "Too few games to say whether starting matters: whoever starts wins 45.8 % of the games where"
    )
    assert "Taken alone the edge is -0.5 points [-1.8 to 0.8]; counting all that is said" in text and "46.3 %" in text


def test_turn_order_and_strategies_are_held_against_what_is_won_at_all():
    order = [row("win_share", st.rate(0.23 * N, N), f"order={k}") for k in range(4)]
    assert not [t for t in texts(told([(cell(), order)])) if "turn order" in t]
    labels = ("greedy", "expert", "expert", "expert")
    few = [row("win_share", st.rate(230, 1000), "strategy=greedy")]
    few.append(row("win_share", st.rate(690, 1000).scaled(1 / 3), "strategy=expert"))
    found = texts(told([(cell(labels=labels), [*order, *few])]))
    assert any(t.startswith("Too few games to say whether one strategy here does better than another (") for t in found)
    rows = [row("win_share", st.rate(0.23 * N, N), "strategy=greedy")]
    rows.append(row("win_share", st.rate(0.69 * N, N).scaled(1 / 3), "strategy=expert"))
    found = texts(told([(cell(labels=labels), [*order, *rows])]))
    assert any(t.startswith("No strategy here does visibly better than another (fair: 23.0 %)") for t in found)


def test_no_edge_says_how_large_one_could_be():
    text = told([(cell(), [edge(0.2503)])])[0]["text"]
    assert text.startswith("No edge of the starting player is visible") and "at most ±0." in text
    wide = told([(cell(), [edge(0.27, n=1000)])])[0]["text"]  # 2 points off, but known only within 3
    assert wide.startswith("Too few games to say whether starting matters") and "could be up to ±" in wide


def test_turn_order_is_told_only_if_it_shows():
    def shares(*values):
        return [row("win_share", st.rate(v * N, N), f"order={k}") for k, v in enumerate(values)]

    assert not [t for t in texts(told([(cell(), shares(0.25, 0.251, 0.249, 0.25))])) if "turn order" in t]
    found = texts(told([(cell(), shares(0.20, 0.25, 0.25, 0.30))]))[0]
    assert "best for the player who sits 3 after the starting player (30.00 %" in found
    assert "worst for the player who starts (20.00 %" in found


def test_strategies():
    labels = ("greedy", "expert", "expert", "expert")

    def shares(greedy, expert):
        rows = [
            ("strategy=greedy", st.rate(greedy * N, N)),
            ("strategy=expert", st.rate(3 * expert * N, N).scaled(1 / 3)),
        ]
        return [row("win_share", e, g) for g, e in rows]

    text = texts(told([(cell(labels=labels), shares(0.10, 0.30))]))[0]
    assert text.startswith("Win share of a seat by how it is played (fair: 25.0 %): expert 30.00 %")
    text = texts(told([(cell(labels=labels), shares(0.251, 0.2497))]))[0]
    assert text.startswith("No strategy here does visibly better")


def test_length_and_wait():
    rows = [
        row("minutes", st.Estimate(9.6, 9.5, 9.7, N, "normal")),
        row("minutes", st.Estimate(5.0, 5.0, 5.0, N, "order statistics"), "quantile=0.05"),
        row("minutes", st.Estimate(15.0, 15.0, 15.0, N, "order statistics"), "quantile=0.95"),
        row("turns", st.Estimate(32.0, 31.9, 32.1, N, "normal")),
        row("first_out_wait_share", st.Estimate(0.48, 0.47, 0.49, N, "delta")),
        row("first_out_wait_minutes", st.Estimate(5.2, 5.1, 5.3, N, "normal")),
    ]
    length, wait = texts(told([(cell(), rows)]))[:2]
    assert length == (
        "A game takes 9.60 [9.50, 9.70] minutes on average, nine of ten games between 5.00 and 15.0 "
        "(32.0 turns at 18 seconds a turn)."
    )
    assert wait == "Whoever is out first waits 5.20 [5.10, 5.30] minutes, 48.0 % [47.0, 49.0] of the game for the end."


def test_a_result_that_shows_nothing_says_so():
    assert "Nothing here departs visibly from fair play" in texts(told([(cell(), [])]))[0]
    none = findings.make(plan([cell()]), [], {})
    assert none[0]["text"] == "No cell was played to its end: there is nothing to report."


# --- warnings ---------------------------------------------------------------------------------------------------------


def test_warnings():
    rows = [
        row("capped_rate", st.rate(120, N)),
        row("tie_rate", st.rate(0.2 * N, N)),
        row("win_share", st.rate(250, 1000), "seat=0"),
    ]
    one = cell(share=0.61, settings={"kids": "off"}, labels=("random",) * 4)
    found = texts(told([(one, rows)], note="Only half an answer."), "warning")
    assert found[0] == "Only half an answer."
    assert any("0.120 % [0.100, 0.143] of the games reached the turn cap of 500" in t for t in found)
    assert any(t.startswith("Many ties: 20.00 %") for t in found)
    assert any(t.startswith("Few games") and "±2.68 points" in t for t in found)
    assert any(t.startswith("All seats choose at random") for t in found)
    assert any(t.startswith("61 % of this configuration's content is estimated") for t in found)
    assert any(t.startswith("Kids are off") for t in found)


def test_no_warnings_without_cause():
    rows = [
        row("capped_rate", st.rate(5, N)),
        row("tie_rate", st.rate(10, N)),
        row("win_share", st.rate(N / 4, N), "seat=0"),
    ]
    assert texts(told([(cell(), rows)]), "warning") == []


def test_printed_things_never_make_a_headline():
    rows = [
        edge(0.22),
        *(row("win_share", st.rate(0.4 * N, N), g) for g in ("kid=cat", "item=pinecone", "cover=8")),
        row("item_used", st.rate(0.9 * N, N), "item=pinecone"),
    ]
    assert all(f["group"] in ("", None) for f in told([(cell(), rows)]))


# --- several cells ----------------------------------------------------------------------------------------------------


def sweep(values, metric=edge, factor="gear", **fields):
    cells = [(cell(i, gear=i + 1), [metric(v)]) for i, v in enumerate(values)]
    return told(cells, [Factor(factor, tuple(range(1, len(values) + 1)), "gear")], **fields)


def test_a_change_is_told_with_what_it_is_at_least():
    found = sweep([0.20, 0.22, 0.25])
    assert found[0]["kind"] == "answer"
    assert found[0]["text"].startswith("The starting player's edge: gear=1: -5.00 points [")
    change = found[1]
    assert change["text"].startswith("gear changes the starting player's edge: -5.00 points at 1, +0.00 points at 3")
    assert change["value"] == pytest.approx(0.05) and 0.04 < change["low"] < 0.05 < change["high"] < 0.06


def test_a_fall_is_negative():
    change = sweep([0.25, 0.20])[1]
    assert change["value"] == pytest.approx(-0.05) and change["low"] < -0.05 < change["high"] < 0
    assert "a change of -5.00 points, at least -4." in change["text"]


def test_no_visible_effect_says_within_what():
    found = texts(sweep([0.2500, 0.2510, 0.2495], lambda v: edge(v, 10 * N)))
    assert found[1].startswith("gear shows no visible effect on the starting player's edge (at most ±0.")
    found = texts(sweep([0.250, 0.251, 0.249], lambda v: edge(v, N // 2)))
    assert found[1].startswith(
        "Too few games to say whether gear changes the starting player's edge: it could be by up to ±1"
    )


def test_no_visible_effect_says_the_largest_that_there_could_be():
    """Of all pairs of values, not of the two that are surest apart."""
    bounds = [(1.0, 1.2), (1.1, 5.0), (0.0, 3.0)]
    cells = [
        (cell(i, gear=i + 1), [row("throws", st.Estimate((a + b) / 2, a, b, N, "normal"))])
        for i, (a, b) in enumerate(bounds)
    ]
    factor = Factor("gear", (1, 2, 3), "gear")
    text = texts(told(cells, [factor], answer=["throws"]))[1]
    said = float(text.partition("±")[2].rstrip("."))
    widest = max(b for _, b in bounds) - min(a for a, _ in bounds)
    assert text.startswith("Too few games to say whether gear changes throws: it could be by up to") and said > widest


def test_quantiles_make_no_claim_over_all_cells():
    rows = [[row("turns", st.Estimate(t, t, t, N, "order statistics"), "quantile=0.95")] for t in (50.0, 51.0)]
    cells = [(cell(i, gear=i + 1), r) for i, r in enumerate(rows)]
    found = texts(told(cells, [Factor("gear", (1, 2), "gear")], answer=["turns[quantile=0.95]"]))
    assert "gear=1: 50" in found[0] and not any("changes" in t or "no visible effect" in t for t in found)


def test_equal_cells_raise_no_false_alarm():
    """Twenty equal cells, each with its own luck: at 95 % a cell, most such sweeps would cry wolf."""
    import numpy as np

    rng = np.random.default_rng(5)
    alarms = sum(
        any(
            t.startswith("gear changes")
            for t in texts(sweep(rng.binomial(2000, 0.25, 20) / 2000, lambda v: edge(v, 2000)))
        )
        for _ in range(100)
    )
    assert alarms <= 5


def test_an_effect_in_one_setting_only_is_found_and_named():
    def capped(rate):
        return row("capped_rate", st.rate(rate * N, N))

    values = {("on", "a"): 0.0, ("on", "b"): 0.0, ("off", "a"): 0.0, ("off", "b"): 0.09}
    cells = [(cell(i, rule=r, style=s), [capped(v)]) for i, ((r, s), v) in enumerate(values.items())]
    found = texts(told(cells, [Factor("rule", ("on", "off"), ""), Factor("style", ("a", "b"), "")]), "finding")
    assert found[0].startswith("rule changes capped rate: 0.00 % at on, 9.00 % at off (style=b; visible in 1 of 2")


def test_the_asked_metrics_come_first():
    def rows(x):
        return [edge(0.2 + x / 10), row("throws", st.Estimate(10 + x, 9.9 + x, 10.1 + x, N, "normal"))]

    cells = [(cell(i, gear=i + 1), rows(i)) for i in range(2)]
    found = told(cells, [Factor("gear", (1, 2), "gear")], answer=["throws"])
    assert found[0]["text"].startswith("Throws: gear=1: 10.00 [9.90, 10.10]; gear=2:")
    assert found[0]["kind"] == "answer" and found[1]["text"].startswith("gear changes throws")


def test_the_starting_player_comes_before_larger_effects():
    """However many other things change more: each factor's effect on the edge is told first."""
    others = ("turns", "minutes", "tie_rate", "lead_changes", "one_sided_rate", "first_out_wait_share")
    cells = []
    for i in range(4):
        gear, rule = divmod(i, 2)
        rows = [row(m, st.Estimate(0.1 + gear / 2, 0.09 + gear / 2, 0.11 + gear / 2, N, "normal")) for m in others]
        cells.append((cell(i, gear=gear, rule=rule), [edge(0.22 + gear / 50), *rows]))
    found = texts(told(cells, [Factor("gear", (0, 1), "gear"), Factor("rule", (0, 1), "rule")]))
    assert found[0].startswith("The starting player's edge: from -3.0")
    assert found[1].startswith("gear changes the starting player's edge: ")
    assert found[2].startswith("rule shows no visible effect on the starting player's edge (at most ±0.84 points).")
    assert found[3].startswith("gear changes ")


def test_win_shares_over_numbers_of_players_are_told_less_the_fair_share():
    cells = [
        (cell(i, seats=n, players=n), [row("win_share", st.rate(v * N, N), "cover=17")])
        for i, (n, v) in enumerate(((2, 0.524), (6, 1 / 6)))
    ]
    factor = Factor("players", (2, 6), "players")
    answer, change = told(cells, [factor], answer=["win_share[cover=17]"])[:2]
    assert answer["text"].startswith(
        "Win share of cover=17 minus the fair share: players=2: +2.40 points [2.09, 2.71]; "
    )
    assert change["text"].startswith("players changes win share of cover=17 minus the fair share: +2.40 points at 2, ")
    assert (change["metric"], change["value"]) == ("win_share", pytest.approx(-0.024))
    assert answer["value"] == pytest.approx(0.524)


def test_one_sweep_value_is_no_comparison():
    assert not any("effect" in t or "changes" in t for t in texts(sweep([0.25])))


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "value", "low", "high", "said"),
    [
        ("win_share", 0.2431, 0.2401, 0.2461, "24.31 % [24.01, 24.61]"),
        ("win_share", 0.25, 0.20, 0.30, "25 % [20, 30]"),
        ("start_edge", -0.0271, -0.0296, -0.0245, "-2.71 points [-2.96, -2.45]"),
        ("start_edge", 0.0271, 0.0245, 0.0296, "+2.71 points [2.45, 2.96]"),
        ("turns", 53.97, 53.76, 54.19, "53.97 [53.76, 54.19]"),
        ("turns", 1234.5, 1000, 1500, "1,234 [1,000, 1,500]"),
        ("turns", 45.0, 45.0, 45.0, "45 [45, 45]"),
        ("capped_rate", 0.0, 0.0, 0.0000384, "0.0000 % [0.0000, 0.0038]"),
        ("start_edge", -0.00001, -0.05, 0.05, "0 points [-5, 5]"),
        ("component_peak", 7.0, 7.0, None, "7.00"),
        ("turns", None, None, None, "not defined"),
    ],
)
def test_how_numbers_are_said(metric, value, low, high, said):
    assert Speech({}).row(row(metric, st.Estimate(value, low, high, 10, ""))) == said


# --- co-operative games -----------------------------------------------------------------------------------------------


def won(share, n=N):
    return row("win_rate", st.rate(round(share * n), n))


def test_a_co_operative_game_is_told_by_its_wins_its_doom_and_its_rescue():
    doom = [
        row("doom_per_round", st.Estimate(0.41, 0.40, 0.42, N, "delta")),
        row("doom_share", st.Estimate(0.62, 0.61, 0.63, N, "delta"), "doom_source=patrol"),
        row("doom_share", st.Estimate(0.3, 0.29, 0.31, N, "delta"), "doom_source=no-kid-to-chase"),
        row("doom_share", st.Estimate(0.0, 0.0, 0.0, N, "delta"), "doom_source=story"),
        row("doom_beyond_reach", st.Estimate(0.7, 0.69, 0.71, N, "delta")),
    ]
    rescue = [
        row("rescue_rate", st.rate(round(0.9 * N), N)),
        row("rescue_round", st.Estimate(6.25, 6.2, 6.3, N, "normal")),
        row("win_rate_rescued", st.Estimate(0.55, 0.54, 0.56, N, "delta")),
    ]
    found = texts(told([(cell(), [won(0.5), *doom, *rescue])]))
    assert found[0].startswith("The players win 50.00 %")
    assert found[1].startswith("Doom comes at 0.41")
    assert "patrol 62.0 %, no kid to chase 30.0 %." in found[1] and "story" not in found[1]
    assert found[1].endswith("70.0 % of it is beyond what a turn of theirs can prevent.")
    assert "in round 6.25 on average; of these games 55.0 % are won." in found[2]


def test_what_is_estimated_is_not_ranked():
    """How far monsters lie apart is said, but not which is the hardest; other factors are told as ever."""
    unranked = ("monster",)
    rows = {("ogre", 8): 0.2, ("ogre", 10): 0.4, ("imp", 8): 0.5, ("imp", 10): 0.7}
    cells = [
        (cell(i, unranked=unranked, monster=m, doom_length=d), [won(share)])
        for i, ((m, d), share) in enumerate(rows.items())
    ]
    factors = (Factor("monster", ("ogre", "imp"), ""), Factor("doom_length", (8, 10), ""))
    found = texts(told(cells, factors, answer=["win_rate"]))
    spread = next(t for t in found if t.startswith("Over monster, as this content has it, win rate lies 30.0 points"))
    assert "no order of the printed ones follows" in spread
    assert not any("monster=ogre" in t or "monster=imp" in t for t in found[:1])
    assert (
        found[0].startswith("Win rate: from 20.") and "(doom_length=8)" in found[0] and "(doom_length=10)" in found[0]
    )
    assert any("doom_length" in t and "20.0 points" in t for t in found[1:])


def test_one_unranked_factor_names_no_extreme():
    cells = [
        (cell(i, unranked=("monster",), monster=m), [won(s)]) for i, (m, s) in enumerate({"a": 0.2, "b": 0.6}.items())
    ]
    found = texts(told(cells, (Factor("monster", ("a", "b"), ""),), answer=["win_rate"]))
    assert "monster=" not in found[0] and found[0].startswith("Win rate: from 20.")


# --- who leads --------------------------------------------------------------------------------------------------------


def by_round(*counts):
    """Rows of rounds 2, 4, ...: each (games that begin it, of these with a leader, of these won by him)."""
    found = []
    for k, (begun, alone, won) in enumerate(counts):
        group = f"round={2 * k + 2}"
        found += [
            row("leader_share", st.rate(won, alone), group),
            row("clear_leader_rate", st.rate(alone, begun), group),
        ]
    return found


SHARES = {"leader_share": {"unit": "share"}, "as_good_as_known": {"unit": "share"}}


def test_who_leads_early_and_late():
    rows = by_round((10_000, 500, 450), (9_000, 4_000, 1_400), (6_000, 3_000, 1_800), (4_000, 3_000, 2_900))
    said = texts(told([(cell(), rows)], described=SHARES))
    assert len(said) == 1
    assert said[0].startswith("Who alone leads as round 4 begins wins 35.0 % ["), "in round 2 a leader is rare"
    assert "as round 6 begins 60.0 % [" in said[0], "round 8 is begun by fewer than half of the games"
    assert said[0].endswith("a fair share of 4 is 25.0 %.")


def test_the_automaton_is_a_contestant():
    rows = [*by_round((1000, 800, 400)), row("automaton_win_share", st.rate(300, 1000))]
    assert "a fair share of 3 is 33.3 %" in texts(told([(cell(seats=2, labels=("expert",) * 2), rows)]))[-1]


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ((0, 0), "Games stay open: lead and round never tell the result nine times in ten, as far as these games show"),
        ((100, 300), "Games stay open: in no round are most of them decided nine times in ten by lead and round"),
        ((100, 900), "From round 4 on, which 100.0 % of the games reach, lead and round tell the result nine times"),
    ],
)
def test_whether_the_lead_settles_it(known, says):
    rows = by_round((1000, 900, 400), (1000, 900, 600))
    rows += [row("as_good_as_known", st.rate(k, 1000), f"round={2 * i + 2}") for i, k in enumerate(known)]
    assert texts(told([(cell(), rows)], described=SHARES))[-1].startswith(says)


def test_where_no_interval_leaves_a_doubt_none_is_told():
    never = st.Estimate(0.0, 0.0, 0.0, 1000, "intervals of the states")
    rows = [*by_round((1000, 900, 400)), row("as_good_as_known", never, "round=2")]
    said = texts(told([(cell(), rows)], described=SHARES))[-1]
    assert said == "Games stay open: lead and round never tell the result nine times in ten."


def test_nothing_is_said_of_leads_where_nobody_leads():
    assert not any("leads" in text for text in texts(told([(cell(), by_round((1000, 0, 0), (900, 10, 4)))])))
