"""Replays: what they show agrees with the record at the game's end; the games they choose are what they are called."""

from importlib import import_module

import numpy as np
import pytest

import strategies
from simcore import batch
from simcore.game import find_game
from simcore.records import Status
from simcore.replay import finished, first_by, player_at, turns
from simcore.trace import play_one

MONSTERS = ("bloody-mary", "snallygaster", "jersey-devil")
CASES = [
    ("snowball", {"players": 4, "kids": "random"}, "greedy"),
    ("snowball", {"players": 2}, "expert"),
    ("snallygaster", {"players": 4}, "detective"),
    *(
        ("snallygaster", {"players": 3, "monster": m}, "expert")
        for m in ("bloody-mary", "snallygaster", "jersey-devil")
    ),
    ("spooktacular", {"players": 4}, "greedy"),
    ("spooktacular", {"players": 1}, "greedy"),
]


def ready(name, settings, strategy):
    configuration = find_game(name).configure(settings)
    players = [strategies.player(name, strategy)] * configuration.seats
    return configuration, players, import_module(f"simcore.games.{name}.replay")


@pytest.mark.parametrize("name, settings, strategy", CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_the_last_view_is_the_record(name: str, settings: dict, strategy: str) -> None:
    configuration, players, replay = ready(name, settings, strategy)
    for number in range(8):
        trace = play_one(configuration, players, number, seed=5)
        shown = replay.show(configuration, players, trace)
        assert len(shown.views) == int(trace.outcome["turns"]) + 1
        for view in shown.views:
            assert len(view.rows) == int(trace.final["seats"])
            assert all(len(row) == len(shown.heads) for row in view.rows)
            assert all(0 <= k < len(shown.things) and place >= 0 and n > 0 for k, place, n in view.at)
        AGREES[name](configuration, trace, shown, shown.views[-1])


def _snowball(configuration, trace, shown, view):
    final = trace.final
    for seat, row in enumerate(view.rows):
        said = dict(zip(shown.heads, row, strict=True))
        if said["Gear"] == "inside":
            assert final["gear"][seat] == 0
            continue
        assert int(said["Gear"]) == final["gear"][seat]
        assert int(said["Stack"]) == final["total"][seat]
        assert int(said["Printed cover"]) == final["printed"][seat]
        for head, size in (("Hand", "hand_size"), ("Items", "helds")):
            assert len([card for card in said[head].split(", ") if card]) == final[size][seat]


def _snallygaster(configuration, trace, shown, view):
    final, rules = trace.final, configuration.rules[0]
    assert view.tracks[0] == ("Doom", final["doom"], rules["doom_length"])
    assert view.tracks[1][1] == trace.outcome["goals"]
    lies = [(shown.things[k], place, n) for k, place, n in view.at]
    (monster,) = [(thing, place) for thing, place, _ in lies if thing.kind.startswith("monster")]
    assert monster[1] == final["monster"][0]
    assert ("hidden" in monster[0].kind) == (final["monster_seen"] == -1)
    spaces = {
        0 if thing.label == "L" else int(thing.label): place for thing, place, _ in lies if thing.kind == "player"
    }
    assert spaces == {seat: space for seat, space in enumerate(final["space"][: len(view.rows)]) if space != -1}
    feds = [place for thing, place, _ in lies if thing.kind.startswith("fed")]
    assert feds == [rules["stop_space"][fed, final["fed_at"][fed]] for fed in (0, 1)]
    tokens = {place: n for thing, place, n in lies if thing.name == "Search token"}
    assert tokens == {building: n for building, n in enumerate(final["tokens"]) if n}
    for thing, field in (("Star", "stars"), ("Mirror", "mirrors"), ("Tree", "trees"), ("Searchlight", "lights")):
        assert sum(1 << place for t, place, _ in lies if t.name == thing) == final[field]


def _spooktacular(configuration, trace, shown, view):
    final, rules = trace.final, configuration.rules[0]
    rooms = int(rules["rooms"])
    lies = [(shown.things[k], place, n) for k, place, n in view.at]
    guests = np.zeros((rooms, 5), dtype=int)
    for thing, room, n in lies:
        if thing.kind.startswith("guest"):
            guests[room, ("red", "yellow", "green", "blue", "purple").index(thing.kind.split()[1])] = n
    assert (guests == final["guests"][:rooms]).all()
    figures = np.zeros(rooms, dtype=int)
    for thing, room, n in lies:
        figures[room] += n if thing.kind == "figure" else 0
    assert (figures == final["figures"][:rooms]).all()
    assert [int(row[3]) for row in view.rows] == list(final["points"][: len(view.rows)])
    assert [int(row[4]) for row in view.rows] == list(final["tickets"][: len(view.rows)])


AGREES = {"snowball": _snowball, "snallygaster": _snallygaster, "spooktacular": _spooktacular}


def test_every_game_is_tried() -> None:
    from simcore.game import games

    assert set(AGREES) == set(games())


@pytest.mark.parametrize("name, settings, strategy", CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_the_chosen_games_are_what_they_are_called(name: str, settings: dict, strategy: str) -> None:
    configuration, players, replay = ready(name, settings, strategy)
    blocks = batch.play(configuration, players, games=240, seed=2, keep=True)
    rows = np.concatenate([b.outcomes for b in blocks])
    close, far = replay.closest(configuration, rows), replay.lopsided(configuration, rows)
    assert finished(rows)[[close, far]].all()
    if name == "snallygaster":
        won, lost = rows["status"] == Status.WON, rows["status"] == Status.LOST
        assert rows["status"][close] == Status.WON and rows["doom"][close] == rows["doom"][won].max()
        assert rows["status"][far] == Status.LOST and rows["goals"][far] == rows["goals"][lost].min()
    else:
        margin = rows["margin"] if name == "spooktacular" else np.array([_gear_ahead(r) for r in rows["gear"]])
        ended = margin[finished(rows)]
        assert margin[close] == ended.min() and margin[far] == ended.max()


def _gear_ahead(gear) -> int:
    first, second = sorted(gear.tolist(), reverse=True)[:2]
    return first - second


@pytest.mark.parametrize("name, settings, strategy", CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_how_far_back_a_winner_was(name: str, settings: dict, strategy: str) -> None:
    """Against what the views of the replay show, turn by turn; and what is said names that turn."""
    configuration, players, replay = ready(name, settings, strategy)
    seen = 0
    for number in range(40):
        trace = play_one(configuration, players, number, seed=9)
        if not replay.comebacks(configuration, np.array([trace.outcome]))[0]:
            continue
        size, when = replay.behind(configuration, trace)
        gaps = [_gap(name, trace, view) for view in replay.show(configuration, players, trace).views]
        assert size == pytest.approx(max(0, *gaps))
        if size > 0:
            seen += 1
            assert gaps[when + 1] == pytest.approx(size)
            assert f"after turn {when + 1}" in replay.said("comeback", configuration, trace)
    assert seen


def _gap(name: str, trace, view) -> float:
    if name == "snallygaster":
        (_, doom, length), (_, goals, all_goals) = view.tracks
        return doom / length - goals / all_goals
    column = 2 if name == "snowball" else 3
    held = [0 if row[column] == "inside" else int(row[column]) for row in view.rows]
    return max(held) - held[int(trace.final["winner"])]


def test_first_by_takes_the_earliest_of_the_least() -> None:
    mask = np.array([False, True, True, True, True])
    a, b = np.array([0, 2, 1, 1, 1]), np.array([0, 0, 5, 3, 3])
    assert first_by(mask, a, b) == 3
    assert first_by(mask, a) == 2
    assert first_by(mask, -a) == 1
    assert first_by(mask) == 1
    assert first_by(np.zeros(5, dtype=bool), a) is None


def test_names_of_players_follow_the_line_up_not_the_chairs() -> None:
    configuration = find_game("snowball").configure({"players": 3})
    names = ("random", "greedy", "cautious")
    players = [strategies.player("snowball", n) for n in names]
    for number in range(3):
        trace = play_one(configuration, players, number, seed=1)
        told = [player_at(players, trace, seat) for seat in range(3)]
        assert sorted(told) == sorted(names)
        assert told == [names[int(p)] for p in trace.final["player"][:3]]


def test_turns_hold_all_events_in_order() -> None:
    configuration = find_game("snowball").configure({"players": 3})
    trace = play_one(configuration, [strategies.player("snowball", "greedy")] * 3, 0, seed=1)
    parts = list(turns(trace, 7))
    assert [row for part in parts for row in part] == [tuple(int(v) for v in row) for row in trace.events]
    assert all(part[0][0] == 7 for part in parts[1:]) and all(row[0] != 7 for row in parts[0])
