"""A monster's own strategy plays for whoever has the monster, drawn or named: bit by bit as if that player had it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, trace
from simcore.errors import InputError
from simcore.game import Configuration, Player, find_game
from simcore.games.spooktacular.layout import Status

GAMES = 300
GAME = find_game("spooktacular")
THINKS = "greedy:leader=1.5,breadth=2"
WAYS = {  # what differs: policy, follow-up and weights; what may be done; a simple policy without a look-ahead
    "looks ahead": ("random", THINKS),
    "restricted": ("random", "random:forbid=card+room+leave"),
    "looks ahead no more": ("greedy", "random"),
    "other weights": ("greedy", "greedy:ticket=0,colour=0"),
}
PLUGIN = """
from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel


@kernel
def last(game, rules, work, seat, decision):
    return game["options"] - 1


STRATEGIES = (Strategy("last", "Takes the last option.", "a test", last),)
"""


@cache
def configured(**settings: Any) -> Configuration:
    return GAME.configure(settings)


def lined(given: Mapping[str, str], configuration: Configuration, plugins: tuple[str, ...] = ()) -> tuple[Player, ...]:
    return strategies.line_up(GAME.name, configuration.seats, given, plugins, configuration=configuration)


def rows(configuration: Configuration, players: tuple[Player, ...], **more: Any) -> np.ndarray:
    blocks = batch.play(configuration, players, games=GAMES, keep=True, threads=1, block=GAMES, **more)
    found = next(iter(blocks)).outcomes
    assert found is not None
    return found


def held(found: np.ndarray, configuration: Configuration, monster: str) -> np.ndarray:
    """By game: the player who has the monster, -1 for nobody."""
    has = found["monster"][:, : configuration.seats] == configuration.playable.index(monster)
    return np.where(has.any(axis=1), has.argmax(axis=1), -1)


@pytest.mark.parametrize("way", WAYS)
def test_whoever_draws_the_monster_plays_as_if_he_had_its_strategy(way: str) -> None:
    usual, special = WAYS[way]
    configuration = configured(players=3)
    found = rows(configuration, lined({"all": usual, "angler": special}, configuration))
    who = held(found, configuration, "angler")
    assert {-1, 0, 1, 2} == set(who.tolist())
    without = rows(configuration, lined({"all": usual}, configuration))
    assert found[who == -1].tobytes() == without[who == -1].tobytes()
    for player in range(3):
        alone = rows(configuration, lined({"all": usual, str(player): special}, configuration))
        assert found[who == player].tobytes() == alone[who == player].tobytes()
        assert found[who == player].tobytes() != without[who == player].tobytes()


def test_two_monsters_with_two_strategies_meet() -> None:
    configuration = configured(players=5)
    given = {"all": "random", "deadline": THINKS, "clown": "greedy:forbid=pass"}
    found = rows(configuration, lined(given, configuration))
    one, other = (held(found, configuration, monster) for monster in ("deadline", "clown"))
    game = int(np.flatnonzero((one >= 0) & (other >= 0))[0])
    seats = {"all": "random", str(one[game]): THINKS, str(other[game]): "greedy:forbid=pass"}
    assert found[game].tobytes() == rows(configuration, lined(seats, configuration))[game].tobytes()


def test_a_player_who_is_given_the_monster_has_its_strategy_beforehand() -> None:
    configuration = configured(players=3, monsters="deadline+random+clown")
    given = {"all": "random", "deadline": THINKS, "clown": "greedy", "killtron": "planner"}
    players = lined(given, configuration)
    label = strategies.player(GAME.name, THINKS).label
    assert [p.label for p in players] == [label, "random (killtron=planner)", "greedy"]
    free = tuple(replace(p, playing_as={}) for p in lined({"all": "random"}, configuration))
    drawn = [replace(p, playing_as={"deadline": players[0], "clown": players[2]}) for p in free]  # kernels agree
    drawn[1] = players[1]
    assert rows(configuration, players).tobytes() == rows(configuration, tuple(drawn)).tobytes()


def test_several_players_with_the_same_monster_share_its_strategy() -> None:
    configuration = configured(players=3, monsters="clown+clown+angler", same_monsters=True)
    labels = [p.label for p in lined({"all": "random", "clown": "greedy"}, configuration)]
    assert labels == ["greedy", "greedy", "random"]


def test_a_seat_comes_before_the_monster_and_that_before_all() -> None:
    drawn = lined({"deadline": "spoiler", "all": "greedy", "1": "random"}, configured(players=3))
    assert [p.label for p in drawn] == ["greedy (deadline=spoiler)", "random", "greedy (deadline=spoiler)"]
    named = configured(players=3, monsters="deadline+deadline+clown", same_monsters=True)
    players = lined({"deadline": "spoiler", "all": "greedy", "1": "random"}, named)
    assert [p.label for p in players] == ["spoiler", "random", "greedy"]


def test_what_makes_no_difference_is_not_said() -> None:
    configuration = configured(players=2, monsters="clown")
    players = lined({"all": "greedy", "deadline": "greedy", "clown": "greedy"}, configuration)
    assert [p.label for p in players] == ["greedy", "greedy"]
    assert not lined({"all": "greedy", "clown": "spoiler"}, configuration)[1].playing_as  # player 0 has it


def test_the_automatons_monster_is_nobodys() -> None:
    configuration = configured(players=2, automaton="hard")
    players = lined({"all": "random", "killtron": "greedy", "deadline": "greedy"}, configuration)
    assert [p.label for p in players] == ["random (deadline=greedy)"] * 2
    found = rows(configuration, players)
    who = held(found, configuration, "deadline")
    without = rows(configuration, lined({"all": "random"}, configuration))
    assert (who >= 0).any() and found[who == -1].tobytes() == without[who == -1].tobytes()


def test_a_position_is_played_by_its_monsters_strategies() -> None:
    configuration = configured(players=2, turn_cap=11, **{"monsters.remover.turn": "choose (gain 1 | gain 5)"})
    pieces = {"figure": ["balcony-8"], "dumbbell": ["starting-space"]}
    start = GAME.read_position(
        configuration,
        {
            "active": 0,
            "player": [
                {"monster": "remover", "points": 10, "hand": [], "pieces": pieces},
                {"monster": "killtron", "points": 10, "pieces": {"figure": ["prop-room-8"]}},
            ],
        },
    )
    start[0]["turn"] = 10

    def points(given: Mapping[str, str]) -> set[int]:
        players = lined(given, configuration)
        outcomes = [trace.play_one(configuration, players, number, position=start).outcome for number in range(12)]
        assert all(outcome["status"] == Status.CAPPED for outcome in outcomes)
        return {int(outcome["points"][0]) for outcome in outcomes}

    assert points({"all": "random", "remover": "greedy"}) == {15}
    assert points({"all": "random", "killtron": "greedy"}) == {11, 15}  # at random


def test_a_monster_of_an_overlay_has_a_strategy_too(tmp_path: Path) -> None:
    text = '[ghost]\nname = "Ghost"\nsource = "estimated"\ntier = "easy"\nfigures = { figure = 1 }\nsetup = "draw up"\n'
    text += 'turn = "spook; play a card; draw up"\n'
    (tmp_path / "monsters.toml").write_text(text, encoding="utf-8")
    configuration = GAME.configure({"players": 2, "monsters": "ghost+clown"}, [tmp_path])
    assert [p.label for p in lined({"ghost": "spoiler"}, configuration)] == ["spoiler", "random"]
    with pytest.raises(InputError, match="no player 'ghost'"):
        strategies.line_up(GAME.name, 2, {"ghost": "spoiler"})


def test_a_plug_in_plays_for_a_monster(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(PLUGIN, encoding="utf-8")
    configuration = configured(players=2)
    found = rows(configuration, lined({"all": "random", "twins": "last"}, configuration, (str(path),)))
    who = held(found, configuration, "twins")
    alone = rows(configuration, lined({"all": "random", "1": "last"}, configuration, (str(path),)))
    assert (who == 1).any() and found[who == 1].tobytes() == alone[who == 1].tobytes()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"deadlin": "greedy"},
            "no player 'deadlin'; say a seat 0..3, one of the monsters or all; did you mean 'deadl",
        ),
        ({"9": "greedy"}, "no player '9'; say a seat 0..3 or all"),
        ({"deadline": "gredy"}, "no strategy 'gredy'; did you mean 'greedy'?"),
    ],
)
def test_wrong_line_ups(given: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as error:
        strategies.line_up(GAME.name, 4, given)
    assert said in str(error.value)


def test_what_nobody_plays_as_and_what_does_not_fit_is_refused() -> None:
    one = strategies.player(GAME.name, "random")
    with pytest.raises(InputError, match="nobody plays as 'deadlin' in spooktacular; did you mean 'deadline'"):
        batch.total(configured(players=2), [replace(one, playing_as={"deadlin": one}), one], games=60)
    kid = strategies.player("snowball", "random")
    with pytest.raises(InputError, match="nobody plays as 'deadline' in snowball"):
        batch.total(
            find_game("snowball").configure({"players": 2}), [replace(kid, playing_as={"deadline": kid}), kid], games=60
        )
    configuration = configured(players=2)
    thinking = strategies.player(GAME.name, "greedy")
    many = [
        replace(
            one,
            playing_as={
                monster: replace(thinking, weights={"leader": first + k / 100})
                for k, monster in enumerate(configuration.playable)
            },
        )
        for first in (1, 2)
    ]
    with pytest.raises(InputError, match="the line-up has 42 different ways to play, and 31 fit"):
        batch.total(configuration, many, games=60)
