"""Strategies by name, their weights as text, line-ups, restrictions; and what is said when a name is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

import strategies
from simcore import batch
from simcore.errors import InputError
from simcore.game import Game, Player, find_game
from simcore.games.snowball.layout import Tally

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "my_strategy.py"


def test_the_strategies_that_ship() -> None:
    known = strategies.known("snowball")
    assert tuple(known) == ("random", "greedy", "cautious", "opportunist", "expert", "lookahead")
    for name, strategy in known.items():
        assert strategy.name == name and strategy.idea.endswith(".") and strategy.source
        assert all(w.meaning and w.low <= w.default <= w.high for w in strategy.weights)
    assert known["lookahead"].looks_ahead


def test_importing_loads_no_numba() -> None:
    code = "import sys, strategies; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_player_with_weights_and_restrictions() -> None:
    player = strategies.player("snowball", "expert:hold_quickshot=0.5, end_game=1e-1,forbid=clear_out+Action")
    assert player.strategy.name == "expert"
    assert player.weights == {"hold_quickshot": 0.5, "end_game": 0.1}
    assert player.forbid == ("clear_out", "action")
    assert player.label.startswith("expert:end_game=0.1,hold_quickshot=0.5")
    assert strategies.player("snowball", "greedy").weights == {}
    assert strategies.player("snowball", "greedy", forbid=["throw"]).forbid == ("throw",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expart", "no strategy 'expart'; did you mean 'expert'?"),
        ("", "no strategy ''; known: random, greedy"),
        ("expert:hold_quickshots=1", "no weight 'hold_quickshots'; did you mean 'hold_quickshot'?"),
        ("expert:zzz=1", "no weight 'zzz'; known: two_gear"),
        ("random:x=1", "no weight 'x'; it has none"),
        ("expert:hold_quickshot", "'hold_quickshot' is not weight=number"),
        ("expert:hold_quickshot=", "is not weight=number"),
        ("expert:hold_quickshot=lots", "hold_quickshot=lots: not a number"),
        ("expert:hold_quickshot=nan", "hold_quickshot=nan is outside 0..2"),
        ("expert:hold_quickshot=99", "hold_quickshot=99 is outside 0..2"),
        ("expert:hold_quickshot=1,hold_quickshot=1", "'hold_quickshot' is given twice"),
        ("expert:forbid=clear", "no kind of option 'clear' to forbid; did you mean 'clear_out'?"),
    ],
)
def test_wrong_players(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        strategies.player("snowball", text)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_unknown_game() -> None:
    with pytest.raises(InputError, match="no game 'snowbal'; did you mean 'snowball'"):
        strategies.known("snowbal")


def names(line_up: tuple[Player, ...]) -> list[str]:
    return [player.label for player in line_up]


def test_line_ups() -> None:
    line_up = strategies.line_up
    assert names(line_up("snowball", 3, ["expert"])) == ["expert"] * 3
    assert names(line_up("snowball", 3, [])) == ["random"] * 3
    assert names(line_up("snowball", 3, "greedy")) == ["greedy"] * 3
    assert names(line_up("snowball", 2, ["expert", "greedy"])) == ["expert", "greedy"]
    assert names(line_up("snowball", 3, {"1": "expert"})) == ["random", "expert", "random"]
    assert names(line_up("snowball", 3, {"0": "expert:lid=1", "all": "greedy"})) == ["expert:lid=1", "greedy", "greedy"]


def test_a_seat_comes_before_its_role_and_that_before_all() -> None:
    """Whatever is said first: of The Snallygaster Situation, in which one role has several players."""
    quiet, on_foot = "random:forbid=trade", "random:forbid=via"
    for order in (1, -1):
        given = dict([("all", "random:forbid=use"), ("kids", quiet), ("2", on_foot)][::order])
        found = names(strategies.line_up("snallygaster", 5, given))
        assert found == ["random:no use", "random:no trade", "random:no via", "random:no trade", "random:no trade"]
    alone = strategies.line_up("snallygaster", 2, {"kids": quiet, "lost_kid": on_foot})
    assert names(alone) == ["random:no via", "random:no trade"]
    assert names(strategies.line_up("snallygaster", 3, {"1": quiet})) == ["random", "random:no trade", "random"]


@pytest.mark.parametrize("given", [{"1": "random", "01": "random"}, {"kids": "random", "2": "random", "002": "random"}])
def test_one_seat_has_one_strategy(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"seat [12] has two strategies \(random and random\)"):
        strategies.line_up("snallygaster", 4, given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["greedy", "expert"], "2 strategies for 3 players"),
        ({"3": "greedy"}, "no player '3'; say a seat 0..2 or all"),
        ({"kids": "greedy"}, "no player 'kids'"),
        ({"-1": "greedy"}, "no player '-1'"),
        ({"0": "greedi"}, "did you mean 'greedy'?"),
    ],
)
def test_wrong_line_ups(given: object, said: str) -> None:
    with pytest.raises(InputError) as error:
        strategies.line_up("snowball", 3, given)  # type: ignore[arg-type]
    assert said in str(error.value)


@pytest.fixture
def game() -> Game:
    return find_game("snowball")


def test_restrictions_hold(game: Game) -> None:
    configuration = game.configure({"players": 3})
    free = batch.total(configuration, strategies.line_up("snowball", 3, ["cautious"]), games=60)
    bound = batch.total(configuration, strategies.line_up("snowball", 3, ["cautious:forbid=clear_out"]), games=60)
    assert free.sum[Tally.CLEAR_OUTS] > 0
    assert bound.sum[Tally.CLEAR_OUTS] < free.sum[Tally.CLEAR_OUTS] / 10  # Action items may still clear out


def test_weights_reach_the_policy(game: Game) -> None:
    configuration = game.configure({"players": 3})
    turtles = batch.total(configuration, strategies.line_up("snowball", 3, ["cautious:alarm=40"]), games=12)
    brave = batch.total(configuration, strategies.line_up("snowball", 3, ["cautious:alarm=-20"]), games=12)
    threw = [totals.sum[Tally.THROWS] / totals.sum[Tally.TURNS] for totals in (turtles, brave)]
    assert threw[0] < 0.6 < 0.9 < threw[1]


def test_source_digests_tell_strategies_apart() -> None:
    digests = {strategies.source_digest(s) for s in strategies.known("snowball").values()}
    assert len(digests) == 6 and all(len(d) == 20 for d in digests)
    mine = strategies.load_plugin(EXAMPLE, "snowball")["mine"]
    assert strategies.source_digest(mine) not in digests
