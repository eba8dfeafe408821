"""Games of all kinds are refereed: random settings, rulings and contents, and traces with a fault put in."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, reject
from hypothesis import settings as examples
from hypothesis import strategies as st

import strategies
from simcore import trace
from simcore.errors import InputError
from simcore.game import Configuration, Player
from simcore.games.snallygaster.game import GAME, MONSTERS
from simcore.games.snallygaster.layout import NONE, Deck, Event, Option, Place, Status
from simcore.games.snallygaster.tables import RULINGS
from simcore.parameter import Parameter
from tests.referees.snallygaster import Referee, RefereeError
from tests.referees.snallygaster_cards import Box
from tests.referees.tampering import Tampered

RIDES = tuple(GAME.load_content(()).sections["rides"])
PRICES = {  # cheap goals: a random player gets to the last ones now and then
    name: 1
    for name, parameter in GAME.load_content(()).parameters().items()
    if name.startswith("goals.") and ".parts." in name and (parameter.low or 0) <= 1
}
KIND = {  # few doom, early rescues: games in which the Kids come far
    **PRICES,
    "doom_length": 60,
    "attack_doom": 0,
    "feds_reach": 0,
    "setup_tokens": 12,
}
COUNTED = ("status", "won", "doom", "goals", "turns", "rescue_round", "searches", "hits", "catches")
NARROWER = {  # keeps games short and decks large enough
    "turn_cap": (10, 150),
    "doom_length": (3, 40),
    "treehouses": (1, 4),
    "hidden_buildings": (13, 30),
}
PHASES = (Phase.explicit, Phase.generate)  # no shrinking: a game does not get simpler, and it takes minutes
LEFT_OUT = ("players", "monster", "seconds_per_turn", "clue_reach")


def play(configuration: Configuration, players: tuple[Player, ...], number: int, seed: int) -> trace.Trace:
    return trace.play_one(configuration, players, number, seed=seed, why=True)


def configure(changed: dict[str, Any]) -> tuple[Configuration, tuple[Player, ...]]:
    configuration = GAME.configure(changed)
    return configuration, strategies.line_up("snallygaster", configuration.seats, ["random"])


def check(configuration: Configuration, players: tuple[Player, ...], number: int, seed: int) -> Referee:
    """The referee has no objection, and agrees on the outcome and on where everything lies at the end."""
    played = play(configuration, players, number, seed)
    referee = Referee(configuration, played.events)
    said = referee.run()
    assert {k: int(played.outcome[k]) for k in COUNTED} == {k: said[k] for k in COUNTED}
    assert played.outcome["doom_by"].tolist() == said["doom_by"]
    check_places(referee, played.final)
    return referee


def bits(numbers: Any) -> int:
    return sum(1 << int(n) for n in numbers)


def check_places(referee: Referee, final: Any) -> None:
    """The record at the end says the same."""
    for me in referee.seats:
        i = me.chair
        assert final["space"][i] == me.space
        assert final["items"][i] == bits(me.items)
        assert final["symbols"][i].sum() == len(me.tiles)
        assert final["curses"][i] == me.curses
        if i:
            assert final["wheels"][i] == bits(me.wheels)
            assert final["wheels_up"][i] == bits(me.up)
    assert final["doom"] == referee.doom
    assert final["monster"][0] == referee.monster
    assert (final["monster_seen"] == NONE) == referee.hidden
    assert final["fed_at"].tolist() == referee.fed_at
    assert final["tokens"].sum() == final["tokens_out"] == referee.tokens.total()
    for name, place in (
        ("stars", Place.STAR),
        ("mirrors", Place.MIRROR),
        ("trees", Place.TREE),
        ("lights", Place.LIGHT),
    ):
        assert final[name] == bits(referee.lying[place]), name
    assert final["bystanders"] == bits(referee.lying[Place.BYSTANDER])
    assert sorted(final["hand"][0][: final["hand_size"][0]]) == sorted(referee.hand)
    assert final["piles"][: len(referee.tops)].tolist() == referee.tops
    assert final["rescued"] == referee.rescued
    for deck in (Deck.ITEMS, Deck.SEARCH, Deck.LOST_KID):
        left = final["deck"][deck][final["deck_next"][deck] : final["deck_size"][deck]]
        assert set(left) == referee.draw[deck], deck.name


# --- games of all kinds ---


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Any value of a parameter within its bounds."""
    if parameter.kind == "flag":
        return st.booleans()
    if parameter.kind == "choice":
        return st.sampled_from(parameter.choices)
    low, high = NARROWER.get(parameter.name, (parameter.low, parameter.high))
    return st.floats(low, high) if parameter.kind == "number" else st.integers(int(low), int(high))


@st.composite
def given_settings(draw: st.DrawFn) -> dict[str, Any]:
    """Settings of the game and its rulings: most at their defaults, any of them changed; some with cheap goals."""
    chosen: dict[str, Any] = {"players": draw(st.integers(2, 5)), "monster": draw(st.sampled_from(MONSTERS))}
    if draw(st.booleans()):
        chosen |= KIND | {"turn_cap": 150, "ruling.rescue": draw(st.sampled_from(("any_end", "guess", "search")))}
    for parameter in GAME.parameters:
        if parameter.kind != "text" and parameter.name not in LEFT_OUT and draw(st.integers(0, 3)) == 0:
            chosen[parameter.name] = draw(values(parameter))
    if chosen.get("rides") == "fixed":
        named = draw(st.permutations(RIDES))
        chosen |= {f"ride.{i}": named[i] for i in range(1, 5) if draw(st.booleans())}
    return chosen


def refereed(chosen: dict[str, Any], number: int, seed: int) -> None:
    try:
        configuration, players = configure(chosen)
    except InputError:
        reject()
    check(configuration, players, number, seed)


@examples(max_examples=40, suppress_health_check=list(HealthCheck), phases=PHASES)
@given(given_settings(), st.integers(0, 10**9), st.integers(0, 2**62))
def test_no_objection(chosen: dict[str, Any], number: int, seed: int) -> None:
    refereed(chosen, number, seed)


@pytest.mark.slow
@examples(max_examples=1500, suppress_health_check=list(HealthCheck), phases=PHASES)
@given(given_settings(), st.integers(0, 10**9), st.integers(0, 2**62))
def test_no_objection_to_many_games(chosen: dict[str, Any], number: int, seed: int) -> None:
    refereed(chosen, number, seed)


@pytest.mark.parametrize("monster", MONSTERS)
def test_no_objection_to_the_game_as_it_ships(monster: str) -> None:
    for players in range(2, 6):
        configuration, line_up = configure({"players": players, "monster": monster})
        for number in range(2):
            check(configuration, line_up, number, 1)


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda r: r.name)
def test_no_objection_to_any_ruling(ruling: Parameter) -> None:
    for i, choice in enumerate(ruling.choices or (True, False)):
        monster = MONSTERS[(i + len(ruling.name)) % len(MONSTERS)]
        changed = {"ruling.rescue": "any_end", "turn_cap": 100, **KIND, "feds_reach": 1, ruling.name: choice}
        configuration, players = configure({"players": 4, "monster": monster, **changed})
        for number in range(2):
            check(configuration, players, number, 7)


EASY = {  # goals that a random player does by chance
    "goals.talk-to-lance.parts": "enter a treehouse",
    "goals.borrowed-spotlights.parts": "enter a treehouse",
    "goals.clear-the-channel.parts": "rescue",
    "goals.pull-the-plug.parts": "enter the monster; enter a treehouse",
}


@pytest.mark.parametrize("choice", ["listed", "lose"])
def test_games_are_won(choice: str) -> None:
    """The referee sees the last goal done, too."""
    rules = {
        "doom_length": 60,
        "attack_doom": 0,
        "ruling.rescue": "any_end",
        "ruling.last_doom": choice,
        "patrol_speed": 0,
    }
    configuration, players = configure({"players": 3, "monster": "dover-demon", **EASY, **rules})
    assert any(check(configuration, players, number, 3).status == Status.WON for number in range(10))


# --- the referee reads the cards by himself ---


@pytest.mark.parametrize("monster", MONSTERS)
def test_the_referee_reads_what_is_compiled(monster: str) -> None:
    configuration = GAME.configure({"monster": monster, "road_bonus": 2})
    box, rules = Box(configuration), configuration.rules[0]
    assert [c.building for c in box.clues] == rules["card_building"][: rules["cards"]].tolist()
    assert [c.movement for c in box.clues] == rules["card_movement"][: rules["cards"]].tolist()
    assert len(box.items) == rules["powered_first"] + rules["powered_cards"]
    assert [c.threat for c in box.searches] == (rules["search_threat"][: rules["search_cards"]] > 0).tolist()
    for window, cards in enumerate(rules["window_items"]):
        assert bits(i for i, item in enumerate(box.items) if window in item.windows) == cards, window
    assert [t.kind for t in box.tiles] == rules["tile_symbol"][: rules["tiles"]].tolist()
    assert [r.road for r in box.rides] == rules["ride_road"][: rules["ride_cards"]].tolist()
    assert [r.abilities for r in box.rides] == rules["ride_ability"][: rules["ride_cards"]].tolist()
    for g, goal in enumerate(box.goals):
        assert [n.times for n in goal.needs] == rules["part_times"][g][: rules["parts"][g]].tolist()
        assert [n.price for n in goal.needs] == rules["part_price"][g][: rules["parts"][g]].tolist()


# --- the referee can object ---

MUST = (
    Event.ITEM, Event.RIDE, Event.ICON, Event.MONSTER, Event.ATTACK, Event.HIT, Event.CAUGHT, Event.SENT, Event.FED,
    Event.DOOM, Event.WHEEL, Event.MOVE, Event.SEARCH, Event.CARD, Event.CHOSE, Event.SYMBOL, Event.USE, Event.TRADE,
    Event.REFRESH, Event.TOKEN, Event.PUT, Event.TAKEN, Event.CURSE, Event.OPENS, Event.RESCUE, Event.DISCARD,
    Event.NEW_HAND, Event.PART, Event.GOAL, Event.CANNOT, Event.END,
)  # fmt: skip
ALONE = (Event.ASKED, Event.OPTION)  # told only where `why` is on: without them the game is followed as well


@cache
def full_game() -> tuple[Configuration, np.ndarray]:
    """A game in which much happens."""
    changed = KIND | {"attack_doom": 1, "feds_reach": 1, "ruling.rescue": "any_end", "starting_items": 3}
    configuration, players = configure({"players": 5, "monster": "jersey-devil", **changed})
    for number in range(80):
        events = play(configuration, players, number, 3).events
        if set(MUST) <= {Event(e) for e in events["event"]}:
            return configuration, events
    raise AssertionError("no game has all of it")


FULL = Tampered(lambda: full_game()[1], lambda events: Referee(full_game()[0], events).run(), RefereeError)


def test_the_full_game_is_in_order() -> None:
    assert FULL.objects(FULL.events) == ""


@pytest.mark.parametrize("event", MUST, ids=lambda e: e.name)
def test_a_missing_event_is_seen(event: Event) -> None:
    for at in FULL.rows_of(event):
        assert FULL.objects(np.delete(FULL.events, at)), at


@pytest.mark.parametrize("event", MUST, ids=lambda e: e.name)
def test_an_event_told_twice_or_with_another_number_is_seen(event: Event) -> None:
    events = FULL.events
    for at in FULL.rows_of(event):
        assert FULL.objects(np.insert(events, at, events[at])), at
        if event != Event.CHOSE:
            assert FULL.objects(FULL.changed(at, a=int(events["a"][at]) + 1)) or event in FREE, at


FREE = (Event.CAUGHT, Event.HIT, Event.TRADE, Event.ICON, Event.SYMBOL)  # another number may be right, too


@pytest.mark.parametrize(
    "event", [Event.HIT, Event.CAUGHT, Event.SENT, Event.WHEEL, Event.MOVE, Event.SEARCH, Event.CARD]
)
def test_another_seat_is_seen(event: Event) -> None:
    events = FULL.events
    for at in FULL.rows_of(event):
        assert FULL.objects(FULL.changed(at, seat=(int(events["seat"][at]) + 1) % 5)), at


@pytest.mark.parametrize("event", [Event.ITEM, Event.CARD, Event.DRAW, Event.SETUP_CARD, Event.RIDE])
def test_another_card_is_seen(event: Event) -> None:
    """A card that lies elsewhere: the one that the event before it told."""
    events = FULL.events
    rows = np.flatnonzero(events["event"] == event)
    for before, at in zip(rows[:6], rows[1:7], strict=False):
        if events["a"][before] != events["a"][at]:
            assert FULL.objects(FULL.changed(at, a=events["a"][before])), at


def test_wrong_doom_is_seen() -> None:
    events = FULL.events
    for at in FULL.rows_of(Event.DOOM):
        for field in "abc":
            assert "doom" in FULL.objects(FULL.changed(at, **{field: int(events[field][at]) + 1}))


def test_illegal_offers_and_answers_are_seen() -> None:
    events = FULL.events
    for kind in (Option.MOVE, Option.PLAY, Option.WHEEL, Option.KID, Option.DISTRICT, Option.TREEHOUSE):
        offered = [i for i, e in enumerate(events) if e["event"] == Event.OPTION and int(e["a"]) & 15 == kind]
        at = offered[len(offered) // 2]
        assert "not legal" in FULL.objects(FULL.changed(at, a=int(kind) + 16 * 255)), kind.name
        asked = max(i for i in range(at) if events["event"][i] == Event.ASKED)
        if events["b"][asked] > 1:
            fewer = FULL.changed(asked, b=int(events["b"][asked]) - 1)
            assert "not offered" in FULL.objects(np.delete(fewer, at)), kind.name
        answer = next(i for i in range(at, len(events)) if events["event"][i] == Event.ANSWER)
        assert "not legal" in FULL.objects(FULL.changed(answer, b=int(kind) + 16 * 255)), kind.name


def test_a_trace_without_options_is_followed_too() -> None:
    configuration, events = full_game()
    told = events[~np.isin(events["event"], ALONE)]
    Referee(configuration, told).run()
    at = next(i for i, e in enumerate(told) if e["event"] == Event.ANSWER and int(e["b"]) & 15 == Option.MOVE)
    told["b"][at] = int(Option.MOVE) + 16 * 255
    with pytest.raises(RefereeError, match="not legal"):
        Referee(configuration, told).run()
