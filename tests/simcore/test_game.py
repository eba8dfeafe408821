"""Finding a game, configuring it, and what a configuration is known by."""

from typing import Any

import pytest

from simcore.errors import InputError
from simcore.game import Player, Strategy, Weight, find_game, games
from simcore.parameter import Parameter
from simcore.records import Status
from tests.contract.games import table

every_game = pytest.mark.parametrize("name", games())


def test_games_are_found_by_name() -> None:
    assert set(games()) >= {"snowball", "snallygaster", "spooktacular"}
    assert all(find_game(name) is game and game.name == name for name, game in games().items())


def test_an_unknown_game_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="no game 'snowbal'; did you mean 'snowball'"):
        find_game("snowbal")


@every_game
def test_every_number_of_players_can_be_configured_and_no_other(name: str) -> None:
    """All that the parameter allows: alone, too, where one can play against an automaton."""
    game = find_game(name)
    (parameter,) = (p for p in game.parameters if p.name == "players")
    fewest, most = int(parameter.low or 0), int(parameter.high or 0)
    assert set(range(game.seats[0], game.seats[1] + 1)) <= set(table("SEATS")[name]) == set(range(fewest, most + 1))
    for players in range(fewest, most + 1):
        configuration = game.configure({"players": players})
        assert configuration.seats == players
        assert configuration.rules[0]["seats"] == table("SEATS")[name][players]
    for players in (fewest - 1, most + 1):
        with pytest.raises(InputError, match="players"):
            game.configure({"players": players})


@every_game
def test_a_digest_is_the_same_again_and_another_for_any_change(name: str) -> None:
    game = find_game(name)
    plain = game.configure()
    assert game.configure().digest == plain.digest
    assert game.configure({"players": plain.seats}).digest == plain.digest
    seen = {plain.digest}
    for players in range(game.seats[0], game.seats[1] + 1):
        seen.add(game.configure({"players": players}).digest)
    seen |= {game.configure(overlays=(overlay,)).digest for overlay in game.overlays()}
    assert len(seen) == game.seats[1] - game.seats[0] + 1 + len(game.overlays())


def copies(parameters: dict[str, Parameter]) -> tuple[str, Parameter]:
    """The number of copies of the first entry of which there can be another one."""
    return next((path, p) for path, p in parameters.items() if path.endswith(".copies") and p.low != p.high)


@every_game
def test_what_was_set_is_known(name: str) -> None:
    game = find_game(name)
    path, parameter = copies(game.configure().content.parameters())
    value = int(parameter.default or 0) + 1
    configuration = game.configure({path: value, "players": game.seats[0]})
    assert configuration.given == {path: value, "players": game.seats[0]}
    assert path not in configuration.settings and configuration.settings["players"] == game.seats[0]
    with pytest.raises(InputError, match=r"no parameter 'playrs'; did you mean 'players'\?"):
        game.configure({"playrs": 3})


@every_game
def test_configuring_changes_no_other_configuration(name: str) -> None:
    game = find_game(name)
    one = game.configure()
    before = one.rules.tobytes()
    path, _ = copies(one.content.parameters())
    game.configure({path: 0, "players": game.seats[1]})
    assert one.rules.tobytes() == before == game.configure().rules.tobytes()


@every_game
def test_a_game_has_what_the_program_asks_of_it(name: str) -> None:
    game = find_game(name)
    layout = game.layout
    assert all(
        hasattr(layout, n) for n in ("GAME", "RULES", "WORK", "OUTCOME", "Decision", "Option", "Event", "Stream")
    )
    assert set(layout.HIDDEN) | set(layout.SEAT_ONLY) | set(layout.UNREAD) <= set(layout.GAME.names)
    assert all(layout.GAME[n].base.itemsize == 8 for n in layout.GAME.names)
    assert {int(s) for s in layout.Status} == {int(s) for s in Status}
    for kernel in ("play_block", "play_turn", "redeal", "follow_up"):
        assert callable(game.kernel(kernel))
    names = [p.name for p in game.parameters]
    assert len(set(names)) == len(names)


@every_game
def test_metrics_are_named_once_and_point_within_the_record(name: str) -> None:
    game = find_game(name)
    for players in game.seats:
        configuration = game.configure({"players": players})
        metrics = game.metrics(configuration)
        named = [(m.name, m.group, m.group2) for m in metrics]
        assert len(set(named)) == len(named)
        tallies = int(configuration.rules[0]["tallies"])
        for m in metrics:
            spans = m.how.startswith("span")
            limit = game.layout.GAME["span"].shape[0] if spans else tallies
            assert 0 <= m.a < limit and m.b < tallies, m.name
            assert m.meaning, m.name


@pytest.mark.parametrize(
    ("weights", "label"),
    [({}, "bold"), ({"nerve": 0.5}, "bold:nerve=0.5"), ({"z": 2.0, "a": 1.0}, "bold:a=1,z=2")],
    ids=str,
)
def test_a_player_is_labelled_by_strategy_and_weights(weights: dict[str, Any], label: str) -> None:
    strategy = Strategy("bold", "", "", None, (Weight("nerve", 1.0, ""),))
    assert Player(strategy, weights).label == label


def test_players_with_different_restrictions_have_different_labels() -> None:
    strategy = Strategy("bold", "", "", None)
    assert Player(strategy).label != Player(strategy, forbid=("clear_out",)).label
