"""Games of all kinds are refereed: random settings, rulings, monsters and texts, and traces with a fault put in."""

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
from simcore.games.spooktacular.game import GAME
from simcore.games.spooktacular.layout import COLOURS, Event, Option, Status
from simcore.games.spooktacular.tables import LEVELS, RULINGS, automaton
from simcore.games.spooktacular.theater import READINGS
from simcore.parameter import UNNAMED, Parameter
from tests.referees.spooktacular import Referee, RefereeError, follow
from tests.referees.tampering import Tampered

CONTENT = GAME.load_content(())
MONSTERS = tuple(CONTENT.sections["monsters"])
MAPS = tuple(CONTENT.sections["maps"])
COUNTED = ("status", "winner", "turns", "rounds", "stolen", "spooked", "devoured")
PHASES = (Phase.explicit, Phase.generate)  # no shrinking: a game does not get simpler, and it takes minutes
NARROWER = {  # keeps games short
    "turn_cap": (10, 200),
    "target_score": (21, 90),
    "start_score": (0, 20),
    "tickets_per_player": (1, 2),
    "consolation": (0, 9),
    "guests_each": (1, 20),
}
STRENGTHS = (0, 0.5, 1, 2, 3)  # between 1 and 2 two spooks in a row cannot be told apart
LEFT_OUT = ("players", "monsters", "same_monsters", "map", "locks", "automaton", "kit_strength", "seconds_per_turn")

# Texts with the words that the shipped ones leave out.
TEXTS: dict[str, tuple[str, ...]] = {
    "cards.flex.effect": (
        "for each colour in your room: devour that colour",
        "take 2 guests; drop 1 guest; discard 1; devour that colour",
        "add 2 guests to another room; move 1 guest from room with most guests to room with fewest guests",
        "pick leader; stun that player; pick another monster in any room; swap with that figure",
        "for each other player: (that player gains 1; that player draws 1)",
        "copy the last card of any other player; gain 1 per 2 doors of your room",
        "steal 2 from leader; lose 3; repeat 2: may spook in connected room",
        "for each other player in your room: steal 1 from that player; devour up to 3 in room with guests",
    ),
    "cards.coaching.effect": (
        "at connected room: (spook; devour 1; add 1 guest; mash for 1)",
        "move another monster; move a figure from any room to connected room",
        "move to another room; move up to 3 guests from room connected to that room to your room",
        "pick room with another monster; spook in that room; move your figure to that room",
        "if fewer than 2 guests in your room: add 4 guests; gain 1 per points behind up to 3",
    ),
    "cards.one-more-rep.effect": (
        "advance dumbbell 2; do that space; play a card",
        "put dumbbell on warm-up; do the space of your dumbbell",
        "return your dumbbell; place dumbbell in any room; pick your dumbbell in any room; spook in that room; "
        "return that dumbbell to free space; do that space",
    ),
    "monsters.remover.standing": (
        "when you devour: gain 1; when another monster enters your room: (steal 1 from that player; "
        "gain 1 per 2 guests in that room)",
        "when another player moves your figure: steal 1 from that player; when a guest enters your room: "
        "once a turn: gain 1",
        "instead of spook: (move; spook); when your turn begins: may draw 1",
        "always: no guest may leave your room; when you turn in a set: gain 2",
        "always: no other monster may leave your room; always: no other monster may enter your room",
        "instead of devour: (gain 1; devour 1); instead of add guests: add 1 guest",
        "when a guest enters connected room: once a turn: gain 1; when another player steals from you: gain 1",
    ),
    "monsters.angler.standing": (
        "always: your door are doors for all; when a guest passes your door: gain 1",
        "always: your door are doors for you alone; when you spook: gain 1",
    ),
    "monsters.nightslayerr.standing": ("always: no other monster may leave your room",),
    "monsters.screamin-eagle.standing": (
        "when you spook: place teammate in that room; always: no guest may enter room with your teammate",
    ),
    "cards.guidance-system.effect": ("move; draw 1", "nothing"),
}
TEXTED = (
    "remover",
    "remover",
    "angler",
    "mummygator",
    "killtron",
    "screamin-eagle",
    "nightslayerr",
    "mimic",
    "deadline",
)


def play(configuration: Configuration, players: tuple[Player, ...], number: int, seed: int) -> trace.Trace:
    return trace.play_one(configuration, players, number, seed=seed, why=True)


def configure(changed: dict[str, Any]) -> tuple[Configuration, tuple[Player, ...]]:
    configuration = GAME.configure(changed)
    return configuration, strategies.line_up("spooktacular", configuration.seats, ["random"])


def seating(configuration: Configuration, number: int) -> list[int]:
    """Which player of the line-up sits on each chair: it turns by one chair a game. -1: the automaton."""
    n = int(configuration.settings["players"])
    bot = [-1] if automaton(configuration.settings) != "off" else []
    return [*bot, *((chair - number) % n for chair in range(n))]


def check(configuration: Configuration, players: tuple[Player, ...], number: int, seed: int) -> Referee:
    """The referee has no objection, and agrees on the outcome and on where everything lies at the end."""
    played = play(configuration, players, number, seed)
    seats = seating(configuration, number)
    referee = follow(configuration, played.events, seats)
    said = referee.said()
    outcome = played.outcome
    for key in COUNTED:
        if key != "winner":
            assert int(outcome[key]) == said[key], key
    for chair, player in enumerate(seats):
        if player >= 0:
            assert int(outcome["points"][player]) == said["points"][chair]
            assert int(outcome["tickets"][player]) == said["tickets"][chair]
            assert int(outcome["monster"][player]) == said["monster"][chair]
            assert int(outcome["share"][player]) == said["share"][chair]
    check_places(referee, played.final)
    return referee


def check_places(referee: Referee, final: Any) -> None:
    """The record at the end says the same."""
    for room, guests in referee.guests.items():
        assert final["guests"][room].tolist() == [guests[c] for c in range(COLOURS)], room
    assert final["bag"].tolist() == [referee.bag[c] for c in range(COLOURS)]
    for me in referee.seats:
        i = me.chair
        assert final["points"][i] == me.points
        assert final["piece_at"][i][: len(me.at)].tolist() == me.at
        assert final["pile"][i].tolist() == [me.pile[c] for c in range(COLOURS)]
        assert final["held"][i].tolist() == [me.held[c] for c in range(COLOURS)]
        assert final["hand_size"][i] == len(me.hand)
        assert final["discards"][i] == me.discards.total()
        assert final["deck_size"][i] - final["deck_next"][i] == me.deck.total() or me.bot


# --- games of all kinds ---


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Any value of a parameter within its bounds."""
    if parameter.kind == "flag":
        return st.booleans()
    if parameter.kind == "choice":
        return st.sampled_from(parameter.choices)
    low, high = NARROWER.get(parameter.name, (parameter.low or 0, parameter.high or 0))
    return st.floats(low, high) if parameter.kind == "number" else st.integers(int(low), int(high))


@st.composite
def given_settings(draw: st.DrawFn, texted: bool = False) -> dict[str, Any]:
    """Settings of the game and its rulings: most at their defaults, any of them changed."""
    players = draw(st.integers(1, 5))
    chosen: dict[str, Any] = {"players": players}
    if texted or draw(st.booleans()):
        names = draw(st.lists(st.sampled_from((UNNAMED, *(TEXTED if texted else MONSTERS))), max_size=players))
        chosen |= {"monsters": "+".join(names)} if names else {}
        chosen["same_monsters"] = True
    if draw(st.integers(0, 2)) == 0:
        chosen["automaton"] = draw(st.sampled_from(("off", *LEVELS)))
    for name, of in (("map", MAPS), ("locks", READINGS), ("kit_strength", STRENGTHS)):
        if draw(st.integers(0, 4)) == 0:
            chosen[name] = draw(st.sampled_from(of))
    for parameter in GAME.parameters:
        if parameter.kind != "text" and parameter.name not in LEFT_OUT and draw(st.integers(0, 4)) == 0:
            chosen[parameter.name] = draw(values(parameter))
    for path, texts in TEXTS.items() if texted else ():
        if draw(st.integers(0, 2)):
            chosen[path] = draw(st.sampled_from(texts))
    return chosen


def refereed(chosen: dict[str, Any], number: int, seed: int) -> None:
    try:
        configuration, players = configure(chosen)
    except InputError:
        reject()
    check(configuration, players, number, seed)


@examples(max_examples=150, suppress_health_check=list(HealthCheck), phases=PHASES, deadline=None)
@given(given_settings(), st.integers(0, 10**9), st.integers(0, 2**62))
def test_no_objection(chosen: dict[str, Any], number: int, seed: int) -> None:
    refereed(chosen, number, seed)


@examples(max_examples=60, suppress_health_check=list(HealthCheck), phases=PHASES, deadline=None)
@given(given_settings(texted=True), st.integers(0, 10**9), st.integers(0, 2**62))
def test_no_objection_to_other_texts(chosen: dict[str, Any], number: int, seed: int) -> None:
    refereed(chosen, number, seed)


@pytest.mark.slow
@examples(max_examples=1500, suppress_health_check=list(HealthCheck), phases=PHASES, deadline=None)
@given(st.booleans().flatmap(given_settings), st.integers(0, 10**9), st.integers(0, 2**62))
def test_no_objection_to_many_games(chosen: dict[str, Any], number: int, seed: int) -> None:
    refereed(chosen, number, seed)


@pytest.mark.parametrize("monster", MONSTERS)
def test_no_objection_to_any_monster(monster: str) -> None:
    for players in (2, 5):
        configuration, line_up = configure({"players": players, "monsters": monster})
        for number in range(2):
            check(configuration, line_up, number, 1)


@pytest.mark.parametrize("level", LEVELS)
def test_no_objection_to_the_automaton(level: str) -> None:
    for players in range(1, 5):
        configuration, line_up = configure({"players": players, "automaton": level})
        referee = check(configuration, line_up, players, 1)
        assert referee.seats[0].bot and referee.status in (Status.WON, Status.TIED)


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda r: r.name)
def test_no_objection_to_any_ruling(ruling: Parameter) -> None:
    for choice in ruling.choices or (True, False):
        changed = {"players": 4, "monsters": "deadline+mummygator+killtron", "automaton": "normal"}
        configuration, players = configure(changed | {"same_monsters": True, ruling.name: choice})
        for number in range(3):
            check(configuration, players, number, 7)


def test_no_objection_to_a_chain_that_is_broken_off() -> None:
    """P29: two ghosts steal from each other for ever."""
    revenge = {"monsters.vengeful-ghost.standing": "when another player steals from you: steal 2 from that player"}
    ghosts = {"players": 2, "monsters": "vengeful-ghost+vengeful-ghost", "same_monsters": True, "turn_cap": 12}
    configuration, players = configure(ghosts | revenge)
    for number in range(3):
        check(configuration, players, number, 3)
    events = play(configuration, players, 0, 3).events
    assert Event.RUNAWAY in events["event"]


# --- the referee can object ---

MUST = (
    Event.KIT, Event.SETUP, Event.TURN, Event.CARD, Event.DISCARD, Event.DRAW, Event.RESHUFFLE, Event.ABILITY,
    Event.TRIGGER, Event.ADD, Event.GUEST, Event.FIGURE, Event.TOKEN, Event.SPOOK, Event.DEVOUR, Event.SET,
    Event.TICKET, Event.POINTS, Event.TAKE, Event.PROGRAM, Event.STUN, Event.STUN_ENDS, Event.LAST_ROUND,
    Event.TICKET_VALUE, Event.END,
)  # fmt: skip
ALONE = (Event.ASKED, Event.OPTION)  # told only where `why` is on: without them the game is followed as well
PLAIN = (Event.SETUP,)  # their a says nothing
LIKELY = (Event.KIT, Event.TICKET_VALUE)  # another number may be right, too


@cache
def full_game() -> tuple[Configuration, np.ndarray]:
    """A game in which much happens."""
    changed = {"players": 5, "monsters": "killtron+mummygator+nightslayerr+killer-car+vengeful-ghost"}
    configuration, players = configure(changed)
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
        if event not in (*PLAIN, *LIKELY):
            assert FULL.objects(FULL.changed(at, a=int(events["a"][at]) + 1)), at
        assert FULL.objects(FULL.changed(at, seat=(int(events["seat"][at]) + 1) % 5)) or event in NOBODY, at


NOBODY = (Event.LAST_ROUND, Event.END)  # the seat that they name says nothing


@pytest.mark.parametrize("event", [Event.ADD, Event.DEVOUR, Event.GUEST, Event.DRAW])
def test_what_is_not_there_is_seen(event: Event) -> None:
    """A colour or a card of which there is none."""
    field = "b" if event == Event.ADD else "a"
    for at in FULL.rows_of(event):
        assert FULL.objects(FULL.changed(at, **{field: 60})), at


def test_wrong_points_are_seen() -> None:
    events = FULL.events
    for at in FULL.rows_of(Event.POINTS):
        for field in "abc":
            assert FULL.objects(FULL.changed(at, **{field: int(events[field][at]) + 1})), (at, field)


def test_illegal_offers_and_answers_are_seen() -> None:
    events = FULL.events
    for kind in (Option.CARD, Option.ROOM, Option.GUEST, Option.FIGURE, Option.LEAVE, Option.SLOT):
        offered = [i for i, e in enumerate(events) if e["event"] == Event.OPTION and int(e["a"]) & 15 == kind]
        at = offered[len(offered) // 2]
        assert "not legal" in FULL.objects(FULL.changed(at, a=int(kind) + 16 * 255)), kind.name
        asked = max(i for i in range(at) if events["event"][i] == Event.ASKED)
        fewer = FULL.changed(asked, b=int(events["b"][asked]) - 1)
        assert "not offered" in FULL.objects(np.delete(fewer, at)), kind.name
        answer = next(i for i in range(at, len(events)) if events["event"][i] == Event.ANSWER)
        assert "not legal" in FULL.objects(FULL.changed(answer, b=int(kind) + 16 * 255)), kind.name


def test_a_trace_without_options_is_followed_too() -> None:
    configuration, events = full_game()
    told = events[~np.isin(events["event"], ALONE)]
    Referee(configuration, told).run()
    at = next(i for i, e in enumerate(told) if e["event"] == Event.ANSWER and int(e["b"]) & 15 == Option.ROOM)
    told["b"][at] = int(Option.ROOM) + 16 * 255
    with pytest.raises(RefereeError, match="not legal"):
        Referee(configuration, told).run()
