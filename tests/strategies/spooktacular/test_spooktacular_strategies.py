"""Spooktacular's strategies: single decisions in positions laid out by hand, who beats whom, what weights do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, trace
from simcore.game import Configuration, find_game
from simcore.games.spooktacular.layout import Event, Points, Status, Tally
from strategies.spooktacular import ahead, worth

AHEAD = ("greedy", "spooker", "ticketer", "spoiler", "planner")
PLAIN = "play a card; draw up"
RED, YELLOW, GREEN, BLUE, PURPLE = range(5)


# --- single decisions ------------------------------------------------------------------------------------------------


class Table:
    """Two players, Remover and Killtron; Remover's turn says only `turn`."""

    def __init__(self, turn: str = PLAIN, **settings: Any) -> None:
        self.game = find_game("spooktacular")
        given = {"players": 2, "monsters": "remover+killtron", "turn_cap": 11, "monsters.remover.turn": turn}
        self.configuration: Configuration = self.game.configure({**given, **settings})
        sections = self.configuration.content.sections
        self.cards = list(sections["cards"])
        theater = str(self.configuration.settings["map"])
        self.rooms = [slug for slug, room in sections["rooms"].items() if room.map == theater]

    def turn(self, who: str, position: dict[str, Any]) -> trace.Trace:
        """One turn of Remover, played by `who`."""
        start = self.game.read_position(self.configuration, {"active": 0, **position})
        start[0]["turn"] = 10
        players = [strategies.player("spooktacular", who), strategies.player("spooktacular", "random")]
        played = trace.play_one(self.configuration, players, 0, position=start)
        assert played.outcome["status"] == Status.CAPPED
        return played

    def cards_played(self, played: trace.Trace) -> list[str]:
        return [self.cards[a] for _, a, _, _ in events(played, Event.CARD)]


def events(played: trace.Trace, kind: Event) -> list[tuple[int, ...]]:
    rows = played.events[played.events["event"] == kind]
    return [tuple(int(row[k]) for k in ("seat", "a", "b", "c")) for row in rows]


def gained(played: trace.Trace, kind: Points) -> int:
    return sum(amount for seat, amount, why, _ in events(played, Event.POINTS) if why == kind and seat == 0)


def remover(hand: Sequence[str], room: str = "balcony-8", **more: Any) -> dict[str, Any]:
    pieces = {"figure": [room], "dumbbell": ["starting-space"]}
    return {"monster": "remover", "points": 10, "hand": list(hand), "pieces": pieces, **more}


def killtron(room: str = "prop-room-8", **more: Any) -> dict[str, Any]:
    return {"monster": "killtron", "points": 10, "pieces": {"figure": [room]}, **more}


def place(guests: dict[str, dict[str, int]], *players: dict[str, Any]) -> dict[str, Any]:
    return {"guests": guests, "player": list(players)}


@pytest.mark.parametrize("who", AHEAD)
def test_haunt_pays_where_nothing_is_missing_and_a_meal_where_it_makes_a_set(who: str) -> None:
    table = Table()
    guests = {"balcony-8": {"red": 2, "yellow": 1}}
    eaten = place(guests, remover(["haunt", "consume"], pile={"red": 1, "yellow": 1}), killtron())
    assert table.cards_played(table.turn(who, eaten)) == ["haunt"]
    guests["balcony-8"]["red"] = 1
    last = place(
        guests, remover(["haunt", "consume"], pile={"yellow": 1, "green": 1, "blue": 1, "purple": 1}), killtron()
    )
    played = table.turn(who, last)
    assert table.cards_played(played) == ["consume"] and len(events(played, Event.TICKET)) == 1


@pytest.mark.parametrize("who", AHEAD)
def test_search_comes_before_haunt(who: str) -> None:
    table = Table()
    played = table.turn(
        who, place({"balcony-8": {"red": 1}}, remover(["haunt", "search"], pile={"red": 1}), killtron())
    )
    assert table.cards_played(played) == ["search", "haunt"] and gained(played, Points.SPOOK) == 4


@pytest.mark.parametrize("who", AHEAD)
def test_jumpscare_leads_to_the_full_room(who: str) -> None:
    table = Table()
    guests = {"stage-8": {"red": 5}, "gallery-8": {"red": 1}}
    played = table.turn(who, place(guests, remover(["haunt", "jumpscare"], pile={"red": 2}), killtron()))
    assert table.cards_played(played) == ["jumpscare", "haunt"]
    assert [table.rooms[b] for _, _, b, _ in events(played, Event.FIGURE)][-1] == "stage-8"
    assert gained(played, Points.SPOOK) == 5


@pytest.mark.parametrize("who", AHEAD)
def test_the_missing_colour_is_eaten_and_the_others_leave(who: str) -> None:
    table = Table(turn="devour 1; draw up")
    pile = {"red": 1, "yellow": 1, "green": 1, "blue": 1}
    guests = {"balcony-8": {"red": 1, "yellow": 1, "green": 1, "purple": 1}}
    played = table.turn(who, place(guests, remover([], pile=pile), killtron()))
    assert [a for _, a, _, _ in events(played, Event.DEVOUR)] == [PURPLE]
    played = Table(turn="spook; devour 1; draw up").turn(who, place(guests, remover([], pile=pile), killtron()))
    assert PURPLE not in [a for _, a, _, _ in events(played, Event.GUEST)]
    assert len(events(played, Event.TICKET)) == 1


def test_each_road_takes_its_own_way() -> None:
    table = Table()
    position = place(
        {"balcony-8": {"yellow": 1, "green": 1, "purple": 1}},
        remover(["haunt", "consume"], pile={"red": 1, "green": 1, "blue": 1}),
        killtron(),
    )
    assert table.cards_played(table.turn("spooker", position)) == ["haunt"]
    assert table.cards_played(table.turn("ticketer", position)) == ["consume"]


def test_the_spoiler_takes_from_the_leader() -> None:
    table = Table(turn="choose (gain 2 | pick leader; steal 1 from that player); draw up")
    position = place({}, remover([]), killtron(points=25))
    assert gained(table.turn("spoiler", position), Points.THEFT) == 1
    assert gained(table.turn("greedy", position), Points.OWN) == 2


def test_the_planner_ends_the_game_only_when_it_is_ahead() -> None:
    """The second side is worth less, but does not bring the end."""
    table = Table(turn="choose (gain 3 | gain 1); draw up")
    behind = place({}, remover([], points=48), killtron(points=45, tickets=3))
    assert gained(table.turn("planner", behind), Points.OWN) == 1
    assert gained(table.turn("greedy", behind), Points.OWN) == 3
    ahead_of_all = place({}, remover([], points=48, tickets=1), killtron(points=30))
    assert gained(table.turn("planner", ahead_of_all), Points.OWN) == 3


def test_the_planner_goes_where_the_next_turn_finds_guests() -> None:
    table = Table(turn="move; draw up")
    position = place({"gallery-8": {"red": 4}, "stage-8": {"red": 1}}, remover([]), killtron())
    played = table.turn("planner", position)
    assert [table.rooms[b] for _, _, b, _ in events(played, Event.FIGURE)][-1] == "gallery-8"


# --- any decision, any table -----------------------------------------------------------------------------------------

TABLES: tuple[dict[str, Any], ...] = (
    {"players": 5},
    {"players": 3, "map": "theater-7", "kit_strength": 1.5},
    {"players": 1, "automaton": "hard"},
    {"players": 4, "automaton": "easy", "hand_size": 5},
    {"players": 2, "monsters": "killtron+deadline"},
)


@cache
def configured(number: int) -> Configuration:
    return find_game("spooktacular").configure(TABLES[number])


@pytest.mark.parametrize("who", AHEAD)
@pytest.mark.parametrize("number", range(len(TABLES)))
def test_every_question_gets_an_answer(number: int, who: str) -> None:
    configuration = configured(number)
    line = strategies.line_up("spooktacular", configuration.seats, [who])
    totals = batch.total(configuration, line, games=24)
    assert totals.status[Status.WON] + totals.status[Status.TIED] == 24


# --- who is better than whom -----------------------------------------------------------------------------------------

GAMES = 240


@cache
def four() -> Configuration:
    return find_game("spooktacular").configure({"players": 4})


def duel(one: str, other: str, games: int = GAMES) -> float:
    """Win share of two players like `one` against two like `other`."""
    line = [strategies.player("spooktacular", text) for text in (one, other, one, other)]
    shares = batch.total(four(), line, games=games, seed=7).sum[Tally.SHARE_PLAYER : Tally.SHARE_PLAYER + 4]
    return float(shares[0] + shares[2]) / 60 / games


def test_greedy_beats_random_and_planner_beats_greedy() -> None:
    assert duel("greedy", "random") > 0.9
    assert duel("planner", "greedy") > 0.57


def test_neither_road_is_the_only_one() -> None:
    assert 0.4 < duel("spooker", "ticketer", 600) < 0.6


# --- weights ---------------------------------------------------------------------------------------------------------


def test_the_fields_are_the_places_that_the_kernels_read() -> None:
    names = [name for name, *_ in ahead.FIELDS]
    assert names == [name.lower() for name, at in sorted(vars(worth).items(), key=by_place) if is_place(name, at)]


def is_place(name: str, at: Any) -> bool:
    return name.isupper() and isinstance(at, int) and name.lower() in {field for field, *_ in ahead.FIELDS}


def by_place(item: tuple[str, Any]) -> int:
    return item[1] if is_place(*item) else -1


@pytest.mark.parametrize(
    "change",
    ["breadth=1", "sure=0", "fine=0", "ticket=3", "colour=3", "spare=2", "leader=3", "others=3", "win=0", "room=3"]
    + ["near=2", "deny=3", "card=4", "token=4", "passenger=5", "pace=30", "spread=50", "tries=1"]
    + ["urgency=10", "patience=1"],
)
def test_a_weight_changes_the_play(change: str) -> None:
    usual, other = (sums(who) for who in ("planner", f"planner:{change}"))
    assert not np.array_equal(usual, other)


def test_samples_change_the_play_where_guests_are_drawn() -> None:
    assert not np.array_equal(sums("planner"), sums("planner:samples=6"))


@cache
def sums(who: str) -> np.ndarray:
    return batch.total(four(), strategies.line_up("spooktacular", 4, [who]), games=60).sum


def test_an_unknown_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="no such weight: luck"):
        ahead.weights(luck=1.0)
