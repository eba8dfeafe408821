"""Who plays: the more particular text wins, and so does the more particular weight, whatever is said first."""

from dataclasses import replace
from typing import Any

import pytest

from experiments import lineup, store, study
from simcore.errors import InputError
from simcore.game import Configuration, Game, find_game


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


# --- by what one plays as --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn() -> Configuration:
    return find_game("spooktacular").configure({"players": 3, "monsters": "clown"})  # player 0's; two are drawn


def texts(configuration: Configuration, settings: dict[str, Any], **strategies: str) -> dict[str, str]:
    given = {who.removeprefix("seat_"): text for who, text in strategies.items()}
    return lineup.texts(settings, given, configuration.game, (), configuration)


@pytest.mark.parametrize("order", [1, -1])
def test_a_weight_of_a_seat_comes_before_its_monsters_and_that_before_all(drawn: Configuration, order: int) -> None:
    settings = {"strategy.all.leader": 1, "strategy.deadline.leader": 2, "strategy.1.leader": 3}
    found = texts(drawn, dict(list(settings.items())[::order]), all="greedy")
    assert found == {"all": "greedy:leader=1", "deadline": "greedy:leader=2", "1": "greedy:leader=3"}
    assert texts(drawn, {"strategy.deadline": "spoiler"}, all="greedy") == {"all": "greedy", "deadline": "spoiler"}


def test_a_weight_of_a_monster_changes_its_strategy_and_that_of_the_player_who_is_given_it(
    drawn: Configuration,
) -> None:
    given = {"all": "random", "deadline": "spoiler", "clown": "greedy"}
    assert texts(drawn, {"strategy.deadline.deny": 1}, **given) == {**given, "deadline": "spoiler:deny=1"}
    assert texts(drawn, {"strategy.all.deny": 1}, **given) == {
        **given,
        "deadline": "spoiler:deny=1",
        "clown": "greedy:deny=1",
    }
    found = texts(drawn, {"strategy.0.deny": 1, "strategy.clown.room": 2}, **given)
    assert found == {**given, "clown": "greedy:room=2", "0": "greedy:room=2,deny=1"}
    with pytest.raises(InputError, match="no weight 'deny' in random"):  # what he draws is not known
        texts(drawn, {"strategy.1.deny": 1}, **given)


def test_what_is_varied_is_looked_for_in_the_strategy_of_the_monster(drawn: Configuration) -> None:
    playing = {"all": ["random"], "clown": ["greedy"]}
    for who in ("0", "clown", "all"):
        found = lineup.parameter(f"strategy.{who}.leader", playing, drawn.game, (), drawn)
        assert found.default == 0
    for who in ("1", "deadline"):
        with pytest.raises(InputError, match="no weight 'leader' in random"):
            lineup.parameter(f"strategy.{who}.leader", playing, drawn.game, (), drawn)


@pytest.mark.parametrize(("who", "nearest"), [("deadlin", "did you mean 'deadline'"), ("7", "")])
def test_an_unknown_monster_is_refused_with_the_nearest(drawn: Configuration, who: str, nearest: str) -> None:
    with pytest.raises(InputError, match=rf"'{who}' is not a seat 0..4, one of the monsters or all.*{nearest}"):
        lineup.check_who(drawn.game, who, f"strategy.{who}", drawn.playable)
    with pytest.raises(InputError, match=who):
        texts(drawn, {f"strategy.{who}": "greedy"})
    with pytest.raises(InputError, match=who):
        study.plan(study.build(game="spooktacular", strategies={who: "greedy"}, base={"players": 2}))


def test_who_plays_for_a_seat_a_monster_and_all(drawn: Configuration) -> None:
    who = {"all": "random", "deadline": "spoiler", "clown": "greedy", "2": "planner"}
    players = lineup.players(drawn.game, 3, who, (), drawn)
    assert [p.label for p in players] == ["greedy", "random (deadline=spoiler)", "planner"]
    found = {name: lineup.player_of(drawn, players, name).strategy.name for name in ("0", "2", "clown", "deadline")}
    assert found == {"0": "greedy", "2": "planner", "clown": "greedy", "deadline": "spoiler"}
    assert lineup.player_of(drawn, players, "1").label == "random (deadline=spoiler)"
    assert lineup.player_of(drawn, players, "all") is players[0]


def test_a_strategy_that_is_never_played_is_noticed(drawn: Configuration) -> None:
    named = drawn.game.configure({"players": 2, "monsters": "clown+killtron"})
    solo = drawn.game.configure({"players": 1})
    who = ("all", "0", "clown", "deadline")
    assert lineup.never_held([named], who) == {"deadline": "the players have clown, killtron"}
    assert lineup.never_held([named, drawn], who) == {}
    assert lineup.never_held([solo], ("killtron",)) == {"killtron": "it is not among those that are drawn"}


def test_a_strategy_of_a_monster_is_a_factor_like_any_other() -> None:
    plan = study.plan(
        study.build(
            game="spooktacular",
            strategies={"all": "greedy"},
            factors={"strategy.deadline": "greedy,spoiler", "strategy.clown.leader": [0, 1]},
            games=60,
        )
    )
    assert [cell.players[0].label for cell in plan.cells] == [
        "greedy",
        "greedy (clown=greedy:leader=1)",
        "greedy (deadline=spoiler)",
        "greedy (deadline=spoiler, clown=greedy:leader=1)",
    ]
    keys = {store.cell_key(cell, plan.study) for cell in plan.cells}
    assert len(keys) == 4
