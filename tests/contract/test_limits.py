"""What does not fit is refused by name, what just fits is played within bounds, and faults say who, where and how."""

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, trace
from simcore.errors import InputError, PlayError
from simcore.game import Player, Strategy, Weight, games
from simcore.records import Status
from tests.contract import bits
from tests.contract.caught import caught, configurations, copied, planted
from tests.contract.full import Filling
from tests.contract.games import TABLES, files, table
from tools.lineups import mixed

GAMES = games()
ROOT = Path(__file__).resolve().parents[2]
every_game = pytest.mark.parametrize("game", GAMES)
RICH, BEYOND, FULL, ELSEWHERE = (table(name) for name in ("RICH", "BEYOND", "FULL", "ELSEWHERE"))


@every_game
def test_every_table_of_the_suite_has_an_entry_for_every_game(game: str) -> None:
    assert game in files()
    assert [name for name in TABLES if game not in table(name)] == []


def test_every_file_of_the_suite_is_about_a_game() -> None:
    assert files().keys() == GAMES.keys()


# --- records ---------------------------------------------------------------------------------------------------------


@every_game
def test_a_game_is_small_and_its_numbers_are_wide(game: str) -> None:
    layout = GAMES[game].layout
    assert copied(layout.GAME) < table("BYTES")[game]
    narrow = set()
    for record in (layout.GAME, layout.RULES, layout.OUTCOME):
        for name in record.names:
            kind = record[name].base
            assert kind.kind in "iuf", name
            if kind.itemsize < 8:
                narrow.add(name)
                assert record is layout.RULES and kind.kind == "u", name
    assert narrow == set(table("NARROW")[game])


@every_game
def test_narrow_numbers_are_made_wide_as_they_are_read(game: str) -> None:
    """They overflow differently in compiled code: a kernel only widens or compares them."""
    narrow, read = set(table("NARROW")[game]), set()
    for folder in (Path(GAMES[game].layout.__file__).parent, ROOT / "strategies" / game):
        for path in folder.rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "rules":
                    name = node.slice.value if isinstance(node.slice, ast.Constant) else ""
                    if name in narrow and isinstance(above[node], ast.Subscript) and not written(above[node]):
                        wide = ast.unparse(getattr(above[above[node]], "func", above[above[node]]))
                        assert wide == "np.int64" or isinstance(above[above[node]], ast.Compare), (path, node.lineno)
                        read.add(name)
    assert read == narrow


def written(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def capacities(game: str) -> set[str]:
    """Names of the numbers in a layout that say how much a record holds."""
    layout = GAMES[game].layout
    numbers = {n for n, v in vars(layout).items() if n.isupper() and type(v) is int}
    assert numbers >= table("UNBOUNDED")[game]
    return numbers - table("UNBOUNDED")[game]


@every_game
def test_every_capacity_is_refused_or_cannot_be_exceeded(game: str) -> None:
    assert BEYOND[game].keys() | ELSEWHERE[game].keys() == capacities(game)


def cases(table: dict[str, dict[str, Filling]]) -> list[Any]:
    return [pytest.param(game, label, id=f"{game}-{label}") for game, fillings in table.items() for label in fillings]


@pytest.mark.parametrize(("game", "capacity"), cases(BEYOND))
def test_what_exceeds_a_capacity_is_refused_by_name(game: str, capacity: str) -> None:
    filling = BEYOND[game][capacity]
    with filling.overlays() as overlays, pytest.raises(InputError) as refused:
        GAMES[game].configure(dict(filling.settings), overlays)
    said = str(refused.value)
    assert filling.said in said and re.search(r"\d", said) and "\n" not in said


@pytest.fixture(scope="module")
def played() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = bits.in_process("full.all_played(1)", NUMBA_DISABLE_JIT="1")
    return found


@pytest.mark.parametrize(("game", "label"), cases(FULL))
def test_what_just_fits_is_played_within_bounds(game: str, label: str, played: dict[str, dict[str, str]]) -> None:
    """In plain Python, where a bad index raises an error instead of writing elsewhere; a runaway chain is refused."""
    said, expected = played[game][label], FULL[game][label].said
    assert expected in said if expected else said == ""


@every_game
def test_more_weights_than_fit_are_refused_by_name(game: str) -> None:
    room = GAMES[game].layout.WEIGHTS
    configuration = GAMES[game].configure()
    weights = tuple(Weight(f"w{i}", 1.0, "") for i in range(room + 1))
    strategy = replace(strategies.known(game)["random"], name="heavy", weights=weights)
    with pytest.raises(InputError, match=rf"heavy.*{room + 1} weights.*{room}"):
        batch.prepare(configuration, [Player(strategy)] * configuration.seats)


@every_game
def test_more_ratios_than_fit_are_refused_by_name(game: str) -> None:
    room = len(GAMES[game].configure().rules[0]["pair_a"])
    usual = GAMES[game].metrics(GAMES[game].configure())
    ratio = next(m for m in usual if m.b >= 0)
    many = tuple(replace(ratio, a=i) for i in range(room + 1))
    configuration = replace(GAMES[game], metrics=lambda configuration: many).configure()
    with pytest.raises(InputError, match=rf"{room + 1} ratios are asked for, and {room} fit"):
        batch.prepare(configuration, strategies.line_up(game, configuration.seats, ["random"]))


# --- games end, or are counted ---------------------------------------------------------------------------------------


@every_game
def test_a_game_that_does_not_end_is_broken_off_and_counted(game: str) -> None:
    """The cap is reached in some games, and the others are as they are without it."""
    long = GAMES[game].configure()
    players = strategies.line_up(game, long.seats, ["random"])
    rows = next(batch.play(long, players, games=240, block=240, keep=True)).outcomes
    assert rows is not None
    cap = int(np.median(rows["turns"]))
    short = GAMES[game].configure({"turn_cap": cap})
    block = next(batch.play(short, players, games=240, block=240, keep=True))
    capped = block.outcomes["status"] == Status.CAPPED
    assert (capped == (rows["turns"] > cap))[rows["turns"] != cap].all()
    assert 0 < capped.sum() == block.totals.status[Status.CAPPED] < 240
    assert block.totals.status.sum() == block.totals.games == 240
    assert (block.outcomes["turns"][capped] == cap).all() and (block.outcomes["share"][capped] == 0).all()
    assert block.outcomes[~capped].tobytes() == rows[~capped].tobytes()


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "settings"), [pytest.param(g, s, id=f"{g}-{i}") for g in GAMES for i, s in enumerate(({}, *RICH[g]))]
)
def test_options_are_offered_once_and_one_of_them_is_taken(game: str, settings: dict[str, Any]) -> None:
    """Of a kind that the layout knows, by every strategy that does not look ahead."""
    layout, configuration = GAMES[game].layout, GAMES[game].configure(settings)
    players = strategies.line_up(game, configuration.seats, mixed(GAMES[game], configuration.seats))
    questions = 0
    for number in range(12):
        offered: list[int] = []
        for row in trace.play_one(configuration, players, number, why=True).events:
            if row["event"] == layout.Event.ASKED:
                assert not offered
                questions, expected = questions + 1, int(row["b"])
            elif row["event"] == layout.Event.OPTION:
                offered.append(int(row["a"]))
                layout.Option(int(row["a"]) & 15)
            elif row["event"] == layout.Event.ANSWER:
                assert int(row["b"]) in offered and len(offered) == len(set(offered)) == expected
                offered = []
    assert questions > 100


@every_game
def test_the_rich_settings_ask_every_question(game: str) -> None:
    layout, asked = GAMES[game].layout, set()
    for settings in RICH[game]:
        configuration = GAMES[game].configure(settings)
        players = strategies.line_up(game, configuration.seats, ["random"])
        for number in range(24):
            events = trace.play_one(configuration, players, number, why=True).events
            asked |= set(events["a"][events["event"] == layout.Event.ASKED].tolist())
    assert {layout.Decision(decision) for decision in asked} == set(layout.Decision)


# --- faults ----------------------------------------------------------------------------------------------------------

FAULTS = {  # a planted policy that is legal but for one answer -> what is said of it
    "beyond_its_options": r"answered \d+ to the decision '{decision}', which is none of its options",
    "below_its_options": r"answered -7 to the decision '{decision}', which is none of its options",
    "gives_up": r"a chain of effects did not end or outgrew its log",
}


@every_game
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_fault_names_strategy_seat_decision_seed_game_and_command(game: str, fault: str, threads: int) -> None:
    configuration = configurations(game)[-1]
    culprit = configuration.seats - 1
    players = list(strategies.line_up(game, configuration.seats, ["random"]))
    players[culprit] = Player(Strategy(fault, "", "", planted(game, fault)))
    with pytest.raises(PlayError) as broken:
        batch.total(configuration, players, games=600, first=120, seed=9, threads=threads, block=60)
    said = str(broken.value)
    number = int(said.split()[1])
    outcome = trace.play_one(configuration, players, number, seed=9).outcome
    decision = GAMES[game].layout.Decision(int(outcome["fault_decision"])).name.lower()
    assert 120 <= number < 720 and said.startswith(f"game {number} of seed 9 ")
    assert f"player {culprit} ({fault})" in said
    assert re.search(FAULTS[fault].format(decision=decision), said) and repr(decision) in said
    assert f"doomtrack trace {game} --game {number} --seed 9" in said
    assert "\n" not in said
    assert outcome["status"] == (Status.ENDLESS if fault == "gives_up" else Status.ILLEGAL)
    assert outcome["fault_player"] == culprit and outcome["share"].sum() == 0


@every_game
def test_the_first_fault_in_order_is_told_whoever_finds_it(game: str) -> None:
    configuration = configurations(game)[0]
    players = [Player(Strategy("wrong", "", "", planted(game, "beyond_its_options")))] * configuration.seats
    said = set()
    for threads, block in ((1, 600), (2, 60), (3, 7)):
        with pytest.raises(PlayError) as broken:
            batch.total(configuration, players, games=600, threads=threads, block=block)
        said.add(str(broken.value))
    assert len(said) == 1


@every_game
def test_a_policy_that_raises_is_told_with_its_game(game: str) -> None:
    configuration = configurations(game)[0]
    players = [Player(Strategy("divides", "", "", planted(game, "divides")))] * configuration.seats
    with pytest.raises(PlayError, match=r"game \d+ of seed 5 .* ZeroDivisionError"):
        batch.total(configuration, players, games=60, seed=5)


@every_game
def test_a_caught_position_is_no_fault_of_the_game(game: str) -> None:
    """The same numbers again: a game that was broken off leaves nothing behind."""
    usual, players = configurations(game)[0], strategies.line_up(game, configurations(game)[0].seats, ["random"])
    before = batch.total(usual, players, games=60)
    assert caught(usual, 3, 2) is not None
    assert (batch.total(usual, players, games=60).sum == before.sum).all()
