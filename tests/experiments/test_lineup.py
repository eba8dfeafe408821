"""Who plays: the more particular text wins, and so does the more particular weight, whatever is said first."""

from dataclasses import replace

import pytest

from experiments import lineup
from simcore.errors import InputError
from simcore.game import Game, find_game


@pytest.fixture
def game() -> Game:
    """A game with a role of several players."""
    return replace(find_game("snowball"), roles={"host": (0,), "guests": (1, 2, 3)})


@pytest.mark.parametrize("order", [1, -1])
def test_a_weight_of_a_seat_comes_before_its_roles_and_that_before_all(game: Game, order: int) -> None:
    settings = {"strategy.all.progress": 0.25, "strategy.guests.progress": 0.5, "strategy.2.progress": 1.0}
    found = lineup.texts(dict(list(settings.items())[::order]), {"all": "greedy"}, game, ())
    assert found == {"all": "greedy:progress=0.25", "guests": "greedy:progress=0.5", "2": "greedy:progress=1.0"}


def test_a_weight_of_a_role_changes_the_strategies_that_its_seats_have(game: Game) -> None:
    given = {"all": "random", "guests": "greedy", "2": "expert", "3": "greedy:progress=2"}
    assert lineup.texts({"strategy.2.lid": 1}, given, game, ()) == {**given, "2": "expert:lid=1"}
    found = lineup.texts({"strategy.1.progress": 0.5}, given, game, ())
    assert found == {**given, "1": "greedy:progress=0.5"}
    assert lineup.texts({"strategy.guests.lid": 1}, given, game, ()) == {**given, "2": "expert:lid=1"}
    assert lineup.texts({"strategy.0": "expert"}, given, game, ()) == {**given, "0": "expert"}
    with pytest.raises(InputError, match="no weight 'progress' in random"):
        lineup.texts({"strategy.0.progress": 1}, given, game, ())


def test_a_seat_inherits_the_weights_of_its_role(game: Game) -> None:
    settings = {"strategy.1.lid": 2, "strategy.guests.end_game": 0.5}
    found = lineup.texts(settings, {"guests": "expert"}, game, ())
    assert found == {"all": "random", "guests": "expert:end_game=0.5", "1": "expert:end_game=0.5,lid=2"}


def test_what_is_varied_is_looked_for_in_the_strategy_of_the_role(game: Game) -> None:
    playing = {"all": ["random"], "guests": ["greedy"]}
    assert lineup.parameter("strategy.3.progress", playing, game, ()).default is not None
    assert lineup.text_for(game, {"all": "random", "guests": "greedy"}, "3") == "greedy"
    assert lineup.text_for(game, {"all": "random", "guests": "greedy"}, "0") == "random"
    assert lineup.text_for(game, {}, "0") == lineup.DEFAULT
    with pytest.raises(InputError, match="no weight 'progress' in random"):
        lineup.parameter("strategy.host.progress", playing, game, ())


@pytest.mark.parametrize("who", ["gests", "9", "-1"])
def test_an_unknown_player_is_refused(game: Game, who: str) -> None:
    with pytest.raises(InputError, match=r"a role \(host, guests\) or all"):
        lineup.check_who(game, who, f"strategy.{who}")
