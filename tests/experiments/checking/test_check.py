"""Balance contracts: what is refused, how verdicts come about, that they are right, and what is printed and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import experiments
from experiments import cli, sequences
from experiments import statistics as st
from experiments.checking import contract, junit, verdicts
from experiments.checking.check import looks, settle
from experiments.checking.gauges import UNKNOWN, Gauge, Reading, Sums, Tuning, of_cell
from experiments.checking.outcomes import Verdict, verdict, worst
from experiments.checking.promises import Band, Item, ready
from simcore.batch import BLOCK, Totals
from simcore.errors import InputError, PlayError
from simcore.game import How, Metric

PASS, FAIL, UNDECIDED = Verdict.PASS, Verdict.FAIL, Verdict.UNDECIDED
HEAD = 'game = "snowball"\n'


def toml(text: str) -> str:
    """One line of a contract, with a head."""
    return f"{HEAD}[[line]]\n{text}\n"


@pytest.fixture
def write(tmp_path) -> Callable[[str], str]:
    """Write a contract: its path."""

    def to(text: str, name: str = "targets.toml") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return to


@pytest.fixture
def doomtrack(capfd):
    """Run a command line in this process: (exit code, stdout, stderr)."""

    def call(*arguments):
        code = cli.call([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


# --- what is refused --------------------------------------------------------------------------------------------------

EDGE = 'metric = "start_edge"\n'
REFUSED = {
    "empty file": ("", "is empty; a contract has a game and a [[line]]"),
    "no lines": (HEAD, "promises nothing"),
    "not TOML": ("game = ", "not valid TOML"),
    "no game": ('[[line]]\nmetric = "turns"\nat_most = 3', "'game' is missing"),
    "unknown game": ('game = "snowbal"\n[[line]]\nmetric = "turns"\nat_most = 3', "did you mean 'snowball'"),
    "unknown key": (HEAD + "sed = 2", "no key 'sed'; did you mean 'seed'"),
    "unknown key of a line": (
        toml(EDGE + "witihn = 0.02"),
        "line 1 (start_edge): no key 'witihn'; did you mean 'within'",
    ),
    "one bracket": (HEAD + "[line]\n" + EDGE + "within = 0.1", "write [[line]]"),
    "unknown metric": (
        toml('metric = "start_egde"\nwithin = 0.1'),
        "no metric 'start_egde'; did you mean 'start_edge'",
    ),
    "no metric": (toml("within = 0.1"), "no metric"),
    "metric and expression": (toml(EDGE + 'expression = "turns"\nwithin = 0.1'), "give one of them"),
    "metric of no shape": (toml('metric = "win share"\nwithin = 0.1'), "should read NAME"),
    "no band": (toml(EDGE), "no band"),
    "two bands": (toml(EDGE + "within = 0.1\nat_most = 0.2"), "within and at_most: give one"),
    "upside down": (
        toml(EDGE + "between = [0.1, -0.1]"),
        "impossible band: 0.1 is above -0.1; did you mean [-0.1, 0.1]",
    ),
    "upside down, two ends": (toml(EDGE + "at_least = 0.1\nat_most = 0"), "impossible band"),
    "one end": (toml(EDGE + "between = [0.1]"), "two numbers are needed"),
    "not a number": (toml(EDGE + 'within = "narrow"'), "within"),
    "nan": (toml(EDGE + "within = nan"), "finite number"),
    "no room": (toml(EDGE + "within = 0"), "leaves no room"),
    "a point": (toml('metric = "turns"\nbetween = [20, 20]'), "is exactly 20"),
    "per cent": (toml('metric = "tie_rate"\nat_most = 5'), "a share from 0 to 1, and 5 is outside; 5 % is 0.05"),
    "whatever happens": (toml('metric = "tie_rate"\nat_most = 1'), "an empty promise"),
    "too much for all": (toml('metric = "win_share[seat]"\nat_least = 0.3'), "4 players share one win"),
    "of_fair without 1": (toml('metric = "win_share[seat]"\nof_fair = [1.1, 1.2]'), "1 of fair on average"),
    "of_fair of what": (toml(EDGE + "of_fair = [0.8, 1.2]"), "of_fair is for win shares of groups"),
    "unknown kind": (
        toml('metric = "win_share[monster]"\nof_fair = [0.8, 1.2]'),
        "no win_share by monster; it has it by seat, order, cover",
    ),
    "kind not in play": (toml('metric = "win_share[kid]"\nof_fair = [0.8, 1.2]'), "no win_share by kid"),
    "unknown group": (toml('metric = "win_share[seat=9]"\nof_fair = [0.8, 1.2]'), "no win_share of seat=9"),
    "no whole": (
        toml('metric = "win_share"\nat_most = 0.3'),
        "as a whole; it has it by seat, order, cover (say win_share[seat])",
    ),
    "no groups": (toml('metric = "start_edge[seat]"\nwithin = 0.1'), "only as a whole"),
    "quantile of no length": (toml(EDGE + "quantile = 0.5\nwithin = 0.1"), "has no quantiles; those that have"),
    "quantile": (toml('metric = "turns"\nquantile = 50\nat_most = 9'), "50 is not between 0 and 1"),
    "largest seen": (toml('metric = "component_peak[component]"\nat_most = 9'), "no number of games bounds it"),
    "impact of what": (toml('metric = "impact"\nwithin = 0.05'), "Say impact[item], impact[location] or impact[card]"),
    "impact of a kind": (toml('metric = "impact[itme]"\nwithin = 0.05'), "it can deal: item, location, card"),
    "impact of an entry": (
        toml('metric = "impact[item=sledd]"\nwithin = 0.05'),
        "no item 'sledd'; did you mean 'sled'",
    ),
    "impact of 5": (
        toml('metric = "impact[item]"\nwithin = 5'),
        "impact is a difference from -1 to 1, and 5 is outside",
    ),
    "impact, quantile": (
        toml('metric = "impact[item]"\nquantile = 0.5\nwithin = 0.05'),
        "neither quantile nor of_fair",
    ),
    "impact versus": (toml('metric = "impact[item]"\nversus = "blnk"\nwithin = 0.05'), "did you mean 'blank'"),
    "impact, holder": (toml('metric = "impact[item]"\nholder = 4\nwithin = 0.05'), "player 4 is dealt no item here"),
    "versus of what": (toml(EDGE + 'versus = "blank"\nwithin = 0.1'), "versus: is for what a dealt card does"),
    "causal, another name": (toml('metric = "causal_effect[item]"\nwithin = 0.05'), "chances is impact[item]"),
    "causal, by item": (toml('metric = "win_share[item]"\nof_fair = [0.8, 1.2]'), "no win_share by item; what a dealt"),
    "duplicate line": (toml(EDGE + "within = 0.1") + "[[line]]\n" + EDGE + "within = 0.2", "asks the same as line 1"),
    "duplicate name": (
        toml('name = "a"\n' + EDGE + "within = 0.1") + '[[line]]\nname = "a"\nmetric = "turns"\nat_most = 9',
        "has the same name as line 1",
    ),
    "unknown column": (toml('expression = "turn > 60"\nat_most = 0.1'), "expression 'turn > 60': no column 'turn'"),
    "expression, quantile": (toml('expression = "turns"\nquantile = 0.5\nat_most = 9'), "neither quantile nor of_fair"),
    "unknown parameter": (
        toml(EDGE + "within = 0.1\neach = {playres = [2]}"),
        "line 1 (start_edge at each playres=2): snowball",
    ),
    "players not allowed": (toml(EDGE + 'within = 0.1\neach = {players = "2..9"}'), "outside 2..6"),
    "unknown setting": (HEAD + "[base]\ngeer = 2\n[[line]]\n" + EDGE + "within = 0.1", "did you mean 'gear'"),
    "unknown strategy": (HEAD + 'strategies = ["exprt"]\n[[line]]\n' + EDGE + "within = 0.1", "did you mean 'expert'"),
    "no strategies": (HEAD + "strategies = []\n[[line]]\n" + EDGE + "within = 0.1", "the list is empty"),
    "strategies twice": (HEAD + 'strategies = ["greedy", "greedy"]\n[[line]]\n' + EDGE + "within = 0.1", "comes twice"),
    "who in a list": (HEAD + 'strategies = ["0=expert"]\n[[line]]\n' + EDGE + "within = 0.1", "a table who plays what"),
    "line-ups twice": (
        HEAD + 'strategies = ["greedy", "random"]\n[[line]]\n' + EDGE + 'within = 0.1\neach = {"strategy.all" = "all"}',
        "has several line-ups already",
    ),
    "level": (HEAD + "level = 95\n[[line]]\n" + EDGE + "within = 0.1", "level: 95 is not a level"),
    "budget": (HEAD + "budget = 7\n[[line]]\n" + EDGE + "within = 0.1", "60 is the least"),
    "budget, no number": (HEAD + 'budget = "lots"\n[[line]]\n' + EDGE + "within = 0.1", "budget: 'lots' is not"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_refused_before_the_first_game(case: str, write, monkeypatch) -> None:
    from simcore import batch

    monkeypatch.setattr(batch, "play", lambda *a, **k: pytest.fail("played"))
    text, said = REFUSED[case]
    path = write(text)
    with pytest.raises(InputError) as error:
        experiments.check(path)
    assert said in str(error.value)
    assert path in str(error.value) and "\n" not in str(error.value)


ODD = (3, -1, True, "x", "", [], [1], ["a"], {}, {"a": 1}, [[1, 2]], [{}], float("inf"), None, "0..1", 10**30)


def test_odd_values_are_refused_in_one_line() -> None:
    """Every key with values of every kind: it is a contract, or an error for people."""
    line = {"metric": "start_edge", "within": 0.1}
    asked: list[dict] = [{"line": [line], key: odd} for key in (*contract.Contract.model_fields, "zzz") for odd in ODD]
    asked += [{"line": [{**line, key: odd}]} for key in contract.Line.model_fields for odd in ODD]
    refused = 0
    for fields in asked:
        try:
            ready(contract.build(**{"game": "snowball", **fields}))
        except InputError as error:
            refused += 1
            assert "\n" not in str(error) and ": :" not in str(error) and "dictionary" not in str(error)
    assert refused > 0.7 * len(asked)


def test_a_contract_that_is_not_there(doomtrack, tmp_path) -> None:
    code, out, err = doomtrack("check", "nope.toml")
    assert (code, out) == (
        2,
        "",
    ) and "no such contract file (those that ship: snallygaster, snowball, spooktacular)" in err
    assert doomtrack("check", tmp_path)[0] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--budget", "7"], "60 is the least"),
        (["--level", "95"], "level"),
        (["--strategies", "exprt"], "did you mean 'expert'"),
        (["--set", "players=3"], "asks for each players of its own"),
        (["--junit", "/no/such/folder/j.xml"], "there is no folder"),
        (["--junit", "{tmp}"], "is no name of a file"),
        (["--format", "xml"], "no such format"),
        (["--out", ""], "no folder is named"),
        (["--seed", "-1"], "seed: -1"),
    ],
)
def test_options_are_checked(doomtrack, tmp_path, options: list[str], said: str) -> None:
    code, out, err = doomtrack("check", "snowball", *(o.replace("{tmp}", str(tmp_path)) for o in options))
    assert (code, out) == (2, "") and said in err and err.count("\n") == 1


# --- what a contract comes to -----------------------------------------------------------------------------------------


def promise(*lines: dict, **fields) -> contract.Contract:
    """A contract from keywords."""
    return contract.build(**{"game": "snowball", "budget": 6000, "line": list(lines), **fields})


def test_a_kind_of_group_is_all_its_groups_in_every_cell() -> None:
    line = {"metric": "win_share[seat]", "of_fair": [0.8, 1.2], "each": {"players": "2..4"}}
    todo = ready(promise(line, strategies=["random", "greedy"]))
    assert len(todo.cells) == 6 and len(todo.items) == 2 * (2 + 3 + 4)
    assert todo.level == st.family(0.95, 18)
    bands = {todo.cells[i.cell].configuration.seats: (i.band.low, i.band.high) for i in todo.items}
    assert bands == {n: (0.8 / n, 1.2 / n) for n in (2, 3, 4)}


def test_a_cell_is_played_once_whatever_lines_ask_for_it() -> None:
    """Four players are the default, the base, or a value of a grid: the same games."""
    each = {"metric": "start_edge", "within": 0.1, "each": {"players": [2, 4]}}
    todo = ready(promise(each, {"metric": "turns", "at_most": 99}))
    assert len(todo.cells) == 2
    assert {i.cell for i in todo.items if i.line == 1} < {i.cell for i in todo.items if i.line == 0}
    assert [dict(c.parameters) for c in todo.cells] == [{"players": 2}, {"players": 4}]


def test_cells_stand_in_the_grid_of_all_factors() -> None:
    """So that `trace DIR --cell C` finds them, though no line asks for the whole grid."""
    from experiments import study

    gear = {"metric": "turns", "at_most": 99, "each": {"gear": [2, 3]}}
    players = {"metric": "start_edge", "within": 0.1, "each": {"players": [2, 4]}}
    todo = ready(promise(gear, players, strategies=["random", "greedy"]))
    whole = study.plan(todo.plan.study)
    assert len(todo.cells) == 6 and len(whole.cells) == 8
    for cell in todo.cells:
        assert dict(whole.cells[cell.index].parameters) == dict(cell.parameters)
        assert whole.cells[cell.index].configuration.digest == cell.configuration.digest


def test_a_strategy_in_a_mixed_line_up_is_a_group() -> None:
    line = {"metric": "win_share[strategy]", "at_most": 0.9}
    todo = ready(promise(line, strategies={"all": "random", "0": "greedy"}))
    assert [i.gauge.metric.group for i in todo.items] == ["strategy=greedy", "strategy=random"]
    assert len(todo.items[1].gauge.slots) == 3


# --- verdicts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "band", "wanted"),
    [
        (0.2, 0.3, Band(0.2, 0.3), PASS),
        (0.2, 0.31, Band(0.2, 0.3), UNDECIDED),
        (0.31, 0.4, Band(0.2, 0.3), FAIL),
        (0.1, 0.19, Band(0.2, None), FAIL),
        (0.3, 0.4, Band(0.2, 0.3), UNDECIDED),  # the ends belong to the band
        (0.1, 0.2, Band(None, 0.3), PASS),
        (-np.inf, np.inf, Band(0.2, 0.3), UNDECIDED),
        (-np.inf, 0.1, Band(None, 0.3), PASS),
        (np.nan, np.nan, Band(0.2, 0.3), UNDECIDED),
    ],
)
def test_a_verdict_is_where_the_interval_lies(low: float, high: float, band: Band, wanted: Verdict) -> None:
    assert verdict(Reading(0.25, low, high), band) is wanted


def test_nothing_seen_is_undecided_and_the_worst_verdict_counts() -> None:
    assert verdict(UNKNOWN, Band(None, 1.0)) is UNDECIDED
    assert worst([PASS, UNDECIDED, FAIL]) is FAIL and worst([PASS, UNDECIDED]) is UNDECIDED and worst([PASS]) is PASS


def test_looks_are_blocks_and_end_with_the_budget() -> None:
    found = list(looks(100_000))
    assert all(n % BLOCK == 0 for n in found[:-1]) and found[-1] == 99_960 and found == sorted(set(found))
    assert max(b / a for a, b in zip(found, found[1:], strict=False) if a > 10 * BLOCK) <= 1.35
    assert list(looks(60)) == [60] and list(looks(BLOCK)) == [BLOCK] and list(looks(BLOCK + 59)) == [BLOCK]


def totals(n: int, fired: int) -> Totals:
    """Totals of a game whose one tally is a coin."""
    counts = np.array([fired])
    return Totals(n, 0, counts * 60, counts * 3600, counts, np.zeros(0, int), np.zeros((1, 4), int), np.zeros(6, int))


RATE = Gauge(Metric("rate", How.RATE, 0))


def item(band: Band, gauge: Gauge = RATE, level: float = 0.95, games: int = 20_000) -> Item:
    return Item(0, 0, gauge, band, Tuning(level, 0.25, games))


def test_a_cell_is_played_until_its_last_number_is_decided_and_no_longer() -> None:
    asked: list[tuple[int, int]] = []

    def played(done: int, wanted: int) -> tuple[Totals, dict[str, Sums]]:
        asked.append((done, wanted))
        return totals(wanted, wanted // 4), {}

    outcomes = settle([item(Band(0.0, 0.9)), item(Band(0.24, 0.26)), item(Band(0.3, 0.4))], 10**6, played)
    assert [o.verdict for o in outcomes] == [PASS, PASS, FAIL]
    assert outcomes[0].games == BLOCK < outcomes[2].games < outcomes[1].games == asked[-1][1] < 10**5
    assert [a for a, _ in asked] == [0, *(b for _, b in asked[:-1])]  # contiguous
    asked.clear()
    alone = settle([item(Band(0.0, 0.9))], 10**6, played)
    assert asked == [(0, BLOCK)] and alone[0] == outcomes[0]  # what is decided does not move with its company


def test_the_budget_ends_it() -> None:
    outcome = settle([item(Band(0.2, 0.25))], 3000, lambda done, wanted: (totals(wanted, wanted // 4), {}))[0]
    assert (outcome.verdict, outcome.games) == (UNDECIDED, 3000)
    assert outcome.reading.low < 0.25 == outcome.reading.value < outcome.reading.high


def test_every_way_to_measure_agrees_with_the_ordinary_estimate() -> None:
    """The same value as `run`, within wider bounds."""
    from experiments.metrics import Counter
    from simcore import batch

    todo = ready(promise({"metric": "turns", "at_most": 99}, strategies={"all": "random", "0": "greedy"}))
    cell = todo.cells[0]
    seen = batch.total(cell.configuration, cell.players, games=24_000)
    rows = {(r.metric, r.group): r for r in Counter(cell.configuration, cell.players).rows(seen) if r.x is None}
    hows = set()
    for gauge in of_cell(cell.configuration, cell.players):
        if gauge.metric.how is How.SPAN_MAX:
            continue
        row = rows[gauge.metric.name, gauge.metric.group]
        reading = gauge.read(seen, {}, Tuning(0.95, 0.25))
        if reading.value is None:
            assert row.value is None
            continue
        assert reading.value == pytest.approx(row.value), row.label
        assert reading.low <= reading.value <= reading.high, row.label
        if row.low is None:  # too few games, for the ordinary one
            continue
        if row.method not in ("the same in all games", "Poisson", st.RARE_OF_EITHER_SIGN):
            assert reading.low <= row.low + 1e-9 and row.high - 1e-9 <= reading.high, row.label
            hows.add(gauge.metric.how)
    assert hows >= {How.RATE, How.SHARE, How.SHARE_OF, How.MEAN, How.RATIO, How.SPAN_MEAN, How.SPAN_QUANTILE}


# --- right as often as it says ----------------------------------------------------------------------------------------


def endings(shares: np.ndarray, band: Band, budget: int, repetitions: int, level: float) -> np.ndarray:
    """How each seat ends in each repetition of a synthetic game, with stopping on: 0 undecided, 1 PASS, -1 FAIL.

    The verdict after a look is monotone in the wins on either side of the band: its turning points are found by
    bisection with the real reading, and then all repetitions are judged at once.
    """
    rng = np.random.default_rng(7)
    it = item(band, level=st.family(level, len(shares)))
    wins = np.zeros((repetitions, len(shares)), int)
    ended = np.zeros(wins.shape, int)
    done = 0

    def first(n: int, fits: Callable[[Reading], bool]) -> int:
        few, many = 0, n + 1  # the fewest wins that fit
        while few < many:
            middle = (few + many) // 2
            if fits(it.gauge.read(totals(n, middle), {}, it.tuning)):
                many = middle
            else:
                few = middle + 1
        return few

    for look in looks(budget):
        wins += rng.multinomial(look - done, shares, repetitions)
        done = look
        inside = first(look, lambda r: r.low >= band.low)
        beyond = first(look, lambda r: r.high > band.high)
        below, above = first(look, lambda r: r.high >= band.low), first(look, lambda r: r.low > band.high)
        now = np.where((wins >= inside) & (wins < beyond), 1, np.where((wins < below) | (wins >= above), -1, 0))
        ended = np.where(ended == 0, now, ended)
    return ended


FAIR = np.full(4, 0.25)


def test_a_fair_game_is_hardly_ever_failed() -> None:
    """The band ends exactly at the truth, and after every look it could be failed: the worst case of a false alarm."""
    ended = endings(FAIR, Band(0.25, 0.4), 120_000, 4000, 0.95)
    alarms = (ended == -1).any(axis=1).mean()
    assert 0.001 < alarms <= 0.05


def test_ordinary_intervals_would_fail_it_often(monkeypatch) -> None:
    """So the test before this one can fail: looked at again and again, Wilson's interval cries wolf."""
    monkeypatch.setattr(sequences, "proportion", lambda successes, n, level, **_: st.wilson_bounds(successes, n, level))
    ended = endings(FAIR, Band(0.25, 0.4), 120_000, 4000, 0.95)
    assert (ended == -1).any(axis=1).mean() > 0.1


def test_an_unfair_game_is_hardly_ever_passed() -> None:
    """Just outside of the band: PASS would be wrong."""
    shares = np.array([0.3001, 0.2333, 0.2333, 0.2333])
    ended = endings(shares, Band(0.2, 0.3), 120_000, 4000, 0.95)
    assert (ended[:, 0] == 1).mean() <= 0.05
    assert (ended[:, 1:] == 1).mean() > 0.99


def test_a_fair_contract_is_kept() -> None:
    ended = endings(FAIR, Band(0.2, 0.3), 24_000, 2000, 0.95)
    assert (ended == 1).all(axis=1).mean() > 0.99


def test_a_planted_unfairness_is_found() -> None:
    ended = endings(np.array([0.28, 0.24, 0.24, 0.24]), Band(0.9 * 0.25, 1.1 * 0.25), 480_000, 1000, 0.95)
    assert (ended[:, 0] == -1).mean() > 0.95
    assert (ended[:, 1:] == 1).all(axis=1).mean() > 0.95


# --- real games -------------------------------------------------------------------------------------------------------

START = {"name": "the start", "metric": "start_edge", "within": 0.05, "each": {"players": [2, 4]}}
ENDS = {"name": "it ends", "metric": "capped_rate", "at_most": 0.02}


def told(checked) -> dict:
    """All that must not depend on how it was played."""
    data = verdicts.as_json(checked)
    return {k: v for k, v in data.items() if k != "seconds"}


def test_threads_and_the_order_of_lines_do_not_matter() -> None:
    lines = (START, ENDS, {"name": "long", "expression": "turns > 40", "at_most": 0.5})
    once = told(experiments.check(promise(*lines, strategies="greedy"), threads=1))
    assert once == told(experiments.check(promise(*lines, strategies="greedy"), threads=3))
    turned = told(experiments.check(promise(*lines[::-1], strategies="greedy")))
    key = lambda data: sorted((line["line"], line["numbers"]) for line in data["lines"])  # noqa: E731
    assert [k for k, _ in key(once)] == [k for k, _ in key(turned)]
    strip = ("cell", "parameters")
    for (_, these), (_, those) in zip(key(once), key(turned), strict=True):
        assert [{k: v for k, v in n.items() if k not in strip} for n in these] == [
            {k: v for k, v in n.items() if k not in strip} for n in those
        ]


def test_it_says_where_a_line_flips_and_names_the_worst() -> None:
    """Greedy players leave whoever starts behind; careful ones do so less."""
    checked = experiments.check(promise(START, ENDS, strategies=["greedy", "opportunist"], budget=24_000))
    start, ends = checked.lines
    assert (start.verdict, ends.verdict, checked.verdict, checked.exit_code) == (FAIL, PASS, FAIL, 1)
    assert start.by_line_up() == {"greedy": FAIL, "opportunist": PASS}
    row = checked.row(start.worst)
    assert row.value < -0.1 and row.high < -0.05
    voice = verdicts.Voice(checked)
    assert voice.place(start.worst) == "players=4, greedy"
    assert voice.flips(
        start
    ) == "fails with greedy at players=4; is undecided with greedy at players=2; holds with opportunist" or (
        voice.flips(start).startswith("fails with greedy")
    )
    table = verdicts.as_table(checked)
    where = "fails with greedy at players=4; is undecided with greedy at players=2; holds with opportunist"
    assert voice.flips(start) == where
    table = verdicts.as_table(checked)
    assert (
        "FAIL  the start" in table and checked.command(start.worst) in table and "BROKEN: 1 of 2 lines fails" in table
    )
    texts = [f["text"] for f in checked.sentences]
    assert any(t.startswith("FAIL: the start") and "players=4, greedy" in t for t in texts)
    assert any(t.startswith("PASS: it ends") for t in texts)


def test_a_group_that_is_treated_unfairly_is_found_and_its_command_shows_it(doomtrack) -> None:
    line = {"metric": "win_share[order]", "of_fair": [0.8, 1.25]}
    checked = experiments.check(promise(line, strategies="greedy"))
    at = checked.lines[0].worst
    row = checked.row(at)
    assert (checked.exit_code, row.group) == (1, "order=0") and row.high < 0.2
    code, out, _ = doomtrack(*checked.command(at).split()[1:], "--format", "json")
    same = [m for m in json.loads(out)["metrics"] if (m["metric"], m["group"]) == ("win_share", "order=0")]
    assert code == 0 and same[0]["value"] == pytest.approx(row.value) and same[0]["n"] == row.n


def test_a_changed_game_can_be_held_against_its_contract() -> None:
    line = {"name": "short", "metric": "turns", "quantile": 0.5, "between": [4, 14]}
    kept = experiments.check(promise(line, strategies="greedy"))
    changed = experiments.check(promise(line, strategies="greedy"), settings={"gear": 9})
    assert (kept.exit_code, changed.exit_code) == (0, 1)


def test_a_cell_that_cannot_be_played_does_not_lose_the_others(plugins, tmp_path) -> None:
    asked = promise(ENDS, strategies=["greedy", "mine"], plugins=[plugins["illegal"]])
    file = tmp_path / "j.xml"
    checked = experiments.check(asked, junit=file, out=tmp_path / "out")
    assert checked.exit_code == 4 and checked.lines[0].by_line_up() == {"greedy": PASS, "mine": UNDECIDED}
    assert len(checked.manifest["failed"]) == 1 and "not played" in verdicts.as_table(checked)
    assert ET.parse(file).find(".//error") is not None
    with pytest.raises(PlayError):
        experiments.check(promise(ENDS, strategies="mine", plugins=[plugins["illegal"]]), out=tmp_path / "none")
    assert not (tmp_path / "none" / "manifest.json").exists()


def test_ctrl_c_leaves_the_rest_undecided() -> None:
    from experiments.execution import Silent

    class Impatient(Silent):
        def finished(self, cell) -> None:
            raise KeyboardInterrupt

    line = {"metric": "capped_rate", "at_most": 0.02, "each": {"players": [2, 3]}}
    checked = experiments.check(promise(line), observer=Impatient())
    assert checked.exit_code == 130 and checked.interrupted
    assert [o.verdict for o in checked.outcomes] == [PASS, UNDECIDED]


# --- the command ------------------------------------------------------------------------------------------------------


def test_exit_codes(doomtrack, write) -> None:
    kept = write(toml('name = "ends"\nmetric = "capped_rate"\nat_most = 0.02'), "kept.toml")
    broken = write(toml('metric = "turns"\nat_most = 2'), "broken.toml")
    code, out, _ = doomtrack("check", kept)
    assert code == 0 and "KEPT: its one line holds" in out
    code, out, _ = doomtrack("check", broken)
    assert code == 1 and "BROKEN: 1 of 1 lines fails" in out
    code, out, _ = doomtrack("check", kept, "--budget", "60")
    assert code == 3 and "UNDECIDED: 1 of 1 lines is undecided after 60 games a cell" in out
    code, out, _ = doomtrack("check", broken, "--format", "csv")
    assert code == 1 and out.splitlines()[0].startswith("line,verdict,cell") and len(out.splitlines()) == 2
    code, out, _ = doomtrack("check", broken, "--format", "json", "--strategies", "random,greedy")
    data = json.loads(out)
    assert code == 1 and data["verdict"] == "FAIL" and data["strategies"] == ["random", "greedy"]
    assert data["lines"][0]["worst"]["low"] > 2 and data["lines"][0]["strategies"] == {
        "random": "FAIL",
        "greedy": "FAIL",
    }


def test_the_table_fits_a_terminal_and_shows_all_on_request(doomtrack, write, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    path = write(toml('metric = "win_share[seat]"\nof_fair = [0.5, 1.5]'))
    code, out, _ = doomtrack("check", path, "--all")
    assert code == 0 and max(map(len, out.splitlines())) <= 100
    assert all(f"seat={k}" in out for k in range(4))


def test_a_result_folder_can_be_drawn_and_belongs_to_its_contract(doomtrack, write, tmp_path) -> None:
    shares = 'metric = "win_share[seat]"\nof_fair = [0.5, 1.5]\neach = {players = [2, 3]}'
    lines = f'[[line]]\n{shares}\n[[line]]\nmetric = "turns"\nat_most = 3\n'
    path = write(f'{HEAD}strategies = ["random", "greedy"]\nbudget = 1200\n{lines}')
    out = tmp_path / "out"
    assert doomtrack("check", path, "--out", out)[0] == 1
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["kind"] == "check" and manifest["finished"]
    assert manifest["contract"]["verdicts"]["verdict"] == "FAIL"
    sentences = json.loads((out / "findings.json").read_text())
    assert sentences[0]["text"].startswith("BROKEN: 1 of 2 lines fails") and sentences[0]["kind"] == "answer"
    code, page, err = doomtrack("report", out)
    assert code == 0, err
    assert "FAIL: turns" in (out / "report.html").read_text(encoding="utf-8")
    assert doomtrack("trace", out, "--cell", "1", "--game", "3")[0] == 0
    before = (out / "cells.parquet").read_bytes()
    assert doomtrack("check", path, "--out", out)[0] == 1 and (out / "cells.parquet").read_bytes() == before
    code, _, err = doomtrack("check", path, "--out", out, "--level", "0.9")
    assert code == 2 and "holds another contract (level is 0.95 there and 0.9 here)" in err
    assert doomtrack("run", "snowball", "--games", "60", "--out", tmp_path / "run")[0] == 0
    code, _, err = doomtrack("check", path, "--out", tmp_path / "run")
    assert code == 2 and "the result of a run" in err


# --- JUnit ------------------------------------------------------------------------------------------------------------

HOSTILE = '<a & "b"> ]]> \x1b[31m \' \u2603'
COUNTS = ("tests", "failures", "errors", "skipped")
SUITE = {*COUNTS, "name", "time", "timestamp", "hostname", "id", "package"}  # attributes that the schema knows


def test_junit_says_what_the_table_says(tmp_path) -> None:
    lines = (
        {"name": f"{HOSTILE}\nnext", "why": HOSTILE, "metric": "turns", "at_most": 2},
        {"name": "open", "metric": "capped_rate", "at_most": 0.0001},
        {"name": "fine", "metric": "capped_rate", "at_most": 0.5, "each": {"players": [2]}},
    )
    file = tmp_path / "j.xml"
    checked = experiments.check(promise(*lines, title=HOSTILE, budget=1200), junit=file)
    assert [t.verdict for t in checked.lines] == [FAIL, UNDECIDED, PASS]
    root = ET.parse(file).getroot()
    assert root.tag == "testsuites" and len(root) == 1
    suite = root[0]
    assert suite.tag == "testsuite" and set(suite.attrib) == SUITE
    assert [suite.get(k) for k in COUNTS] == ["3", "1", "0", "1"]
    assert [child.tag for child in suite] == ["properties", "testcase", "testcase", "testcase"]
    cases = suite.findall("testcase")
    assert all(set(c.attrib) == {"name", "classname", "time"} and float(c.get("time", "")) >= 0 for c in cases)
    assert sum(float(c.get("time", "")) for c in cases) <= float(suite.get("time", "")) + 0.01
    assert [[k.tag for k in c] for c in cases] == [["failure"], ["skipped"], []]
    assert cases[0].get("name") == HOSTILE.replace("\x1b", "\ufffd") + " next" == checked.lines[0].line.title
    failure = cases[0][0]
    assert failure.get("type") == "FAIL" and "wanted at most 2 turns" in failure.get("message", "")
    assert "doomtrack run snowball" in (failure.text or "")
    assert "undecided" in cases[1][0].get("message", "")


def test_junit_holds_no_character_that_xml_forbids() -> None:
    text = junit.clean("".join(map(chr, range(0x100))) + "\ud800\ufffe\uffff\U0001f600")
    element = ET.fromstring(ET.tostring(ET.Element("a", b=text), encoding="unicode"))
    assert element.get("b", "").endswith("\ufffd\ufffd\ufffd\U0001f600")


# --- what ships -------------------------------------------------------------------------------------------------------


def test_what_ships_can_be_checked() -> None:
    for path in contract.CONTRACTS.glob("*.toml"):
        asked = contract.read(path.stem)
        todo = ready(asked)
        assert asked.game == path.stem and todo.items and asked.note


@pytest.mark.slow
def test_what_ships_is_kept() -> None:
    for path in contract.CONTRACTS.glob("*.toml"):
        checked = experiments.check(path.stem)
        assert checked.exit_code == 0, verdicts.as_table(checked)


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.02, 0.25, 0.5])
def test_false_alarms_of_rates_from_rare_to_even(truth: float) -> None:
    shares = np.array([truth, 1 - truth])
    for band in (Band(truth, 0.99), Band(0.001, truth)):
        ended = endings(shares, band, 480_000, 4000, 0.95)
        assert (ended[:, 0] == -1).mean() <= 0.025 + 0.008  # one of two numbers
