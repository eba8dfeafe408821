"""Games of all kinds are refereed: random settings, rulings, contents and line-ups, and traces with a fault put in."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject
from hypothesis import settings as examples
from hypothesis import strategies as st

import strategies
from simcore import trace
from simcore.errors import InputError
from simcore.game import Configuration, Player
from simcore.games.snowball.game import GAME
from simcore.games.snowball.layout import NONE, Deck, Event, Keyword, Option
from simcore.games.snowball.tables import RULINGS
from simcore.parameter import Parameter
from tests.referees.snowball import Referee, RefereeError
from tests.referees.snowball_cards import Box
from tests.referees.tampering import Tampered

NAMES = tuple(name for name, strategy in strategies.known("snowball").items() if not strategy.looks_ahead)
LINES = (
    *NAMES,
    *["random"] * len(NAMES),
    "random:forbid=clear_out",
    "random:forbid=pass",
    "random:forbid=throw+action",
)
COUNTED = ("status", "turns", "rounds", "throws", "hits", "quickshot_hits", "events", "reshuffles", "double_outs")
NARROWER = {
    "gear": (1, 5),
    "hand_size": (1, 4),
    "turn_cap": (10, 200),
}  # keeps games short and hands within the options
KIDS = tuple(GAME.load_content(()).sections["kids"])
CONTENT = {  # parameters of the content that are varied, with the values to take
    **{f"events.{slug}.copies": (0, 3) for slug in GAME.load_content(()).sections["events"]},
    **{f"items.{slug}.copies": (0, 6) for slug in GAME.load_content(()).sections["items"]},
    "events.mom-hollering.effect.1": (1, 2),
    "events.extra-throw.effect.1": (1, 2),
    "events.whiteout.effect.1": (1, 4),
    "items.icicle.effect.1": (1, 4),
    "items.pine-boughs.effect.1": (1, 4),
    "items.sled.effect.1": (1, 2),
    "items.lookout.effect.1": (1, 3),
    "items.double-armful.effect.1": (1, 3),
    "kids.scout.effect.1": (2, 3),
    "kids.deep-pockets.effect.1": (1, 2),
}
BATS = ("bat to thrower", "bat to anyone", "bat to discard")


def seating(number: int, seats: int) -> list[int]:
    """Which player of the line-up sits on each chair: it turns by one chair a game."""
    return [(chair - number) % seats for chair in range(seats)]


def play(configuration: Configuration, players: tuple[Player, ...], number: int, seed: int) -> trace.Trace:
    return trace.play_one(configuration, players, number, seed=seed, why=True)


def follow(configuration: Configuration, players: tuple[Player, ...], number: int, events: Any) -> tuple[Referee, dict]:
    """The referee after the game, and what he says its outcome is, by chair."""
    seats = seating(number, configuration.seats)
    referee = Referee(configuration, events, seats, [players[p].forbid for p in seats])
    return referee, referee.run()


def check(configuration: Configuration, players: tuple[Player, ...], number: int, seed: int) -> None:
    """The referee has no objection, and agrees on the outcome and on where every card lies at the end."""
    played = play(configuration, players, number, seed)
    referee, said = follow(configuration, players, number, played.events)
    seats = seating(number, configuration.seats)
    outcome = played.outcome
    assert {k: int(outcome[k]) for k in COUNTED} == {k: int(said[k]) for k in COUNTED}
    for name in ("winner", "starter", "first_out"):
        assert int(outcome[name]) == (seats[said[name]] if said[name] != NONE else NONE), name
    if said["first_out"] != NONE:
        assert int(outcome["first_out_turn"]) == said["first_out_turn"]
    for name in ("share", "gear"):
        assert [int(outcome[name][player]) for player in seats] == said[name], name
    check_places(referee, played.final)


def check_places(referee: Referee, final: Any) -> None:
    for me in referee.seats:
        i = me.chair
        assert sorted(final["hand"][i][: final["hand_size"][i]]) == sorted(me.hand)
        assert sorted(final["held"][i][: final["helds"][i]]) == sorted(me.items)
        assert final["gear"][i] == me.gear
        assert final["total"][i] == me.total
        assert sorted(pile(final["stack"][i], final["under"])) == sorted(me.stack)
        assert sorted(pile(final["stack_item"][i], final["item_under"])) == sorted(me.stack_items)
        if me.living:
            assert final["location"][i] == me.location
            assert bool(final["cleared_last"][i]) == me.may_not_clear
    for deck in Deck:
        left = final["deck"][deck][final["deck_next"][deck] : final["deck_size"][deck]]
        assert set(left) == referee.draw[deck], deck.name
        assert set(final["discard"][deck][: final["discards"][deck]]) == referee.discards[deck], deck.name


def pile(top: int, under: Any) -> Iterator[int]:
    while top != NONE:
        yield int(top)
        top = under[top]


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
    """Settings of the game, its rulings and its content: most at their defaults, any of them changed."""
    players = draw(st.integers(2, 6))
    chosen: dict[str, Any] = {"players": players, "turn_cap": 200}
    numbers = [p for p in GAME.parameters if p.kind != "text" and p.name not in ("players", "kids", "seconds_per_turn")]
    for parameter in numbers:
        if draw(st.integers(0, 3)) == 0:
            chosen[parameter.name] = draw(values(parameter))
    if "events" in chosen:
        chosen.pop("event_density", None)
        chosen["events"] %= 6
    chosen["kids"] = draw(st.sampled_from(("off", "random", "chosen", "fixed")))
    if chosen["kids"] == "fixed":
        named = draw(st.permutations(KIDS))
        chosen |= {f"kid.{i}": named[i] for i in range(players) if draw(st.booleans())}
    for name, (low, high) in CONTENT.items():
        if draw(st.integers(0, 7)) == 0:
            chosen[name] = draw(st.integers(low, high))
    if draw(st.integers(0, 3)) == 0:
        chosen["items.log-bat.effect"] = draw(st.sampled_from(BATS))
    return chosen


@examples(max_examples=250, suppress_health_check=list(HealthCheck))
@given(given_settings(), st.sets(st.sampled_from(GAME.overlays()), max_size=2), st.data())
def test_no_objection(chosen: dict[str, Any], overlays: set[str], data: st.DataObject) -> None:
    try:
        configuration = GAME.configure(chosen, sorted(overlays))
    except InputError:
        reject()
    texts = data.draw(st.lists(st.sampled_from(LINES), min_size=configuration.seats, max_size=configuration.seats))
    players = strategies.line_up("snowball", configuration.seats, texts)
    check(configuration, players, data.draw(st.integers(0, 10**9)), data.draw(st.integers(0, 2**62)))


@pytest.mark.parametrize("seats", range(2, 7))
def test_no_objection_to_the_game_as_it_ships(seats: int) -> None:
    configuration = GAME.configure({"players": seats})
    players = strategies.line_up("snowball", seats, ["random", *["expert"] * (seats - 1)])
    for number in range(12):
        check(configuration, players, number, 1)


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda r: r.name)
def test_no_objection_to_any_ruling(ruling: Parameter) -> None:
    for choice in ruling.choices or (True, False):
        changed = {"quickshots_per_number": 2, "events.whiteout.copies": 2, "kids": "random", ruling.name: choice}
        for seats in (2, 3, 5):
            configuration = GAME.configure({"players": seats, **changed})
            players = strategies.line_up("snowball", seats, ["random"])
            for number in range(4):
                check(configuration, players, number, 7)


def test_no_objection_to_players_who_look_ahead() -> None:
    configuration = GAME.configure({"players": 3, "gear": 1})
    check(configuration, strategies.line_up("snowball", 3, ["lookahead", "random", "random"]), 0, 1)


# --- the referee reads the cards by himself ---


@pytest.mark.parametrize("overlays", [(), *((name,) for name in GAME.overlays())], ids=lambda o: "+".join(o) or "none")
def test_the_referee_reads_what_is_compiled(overlays: tuple[str, ...]) -> None:
    configuration = GAME.configure({"cover_shift": 2}, overlays)
    box, rules = Box(configuration), configuration.rules[0]
    kinds = rules["card_kind"][: rules["cards"]]
    assert [c.number for c in box.cards] == rules["number"][kinds].tolist()
    assert [c.quickshot for c in box.cards] == (rules["is_quickshot"][kinds] > 0).tolist()
    assert [c.event for c in box.cards] == (rules["is_event"][kinds] > 0).tolist()
    items = rules["item_kind"][: rules["item_cards"]]
    assert [c.keyword for c in box.items] == [Keyword(k) for k in rules["item_keyword"][items]]
    assert [c.power for c in box.items] == rules["item_power"][items].tolist()
    assert [c.clears for c in box.items] == (rules["item_clears"][items] > 0).tolist()
    assert len(box.locations) == rules["location_cards"]
    assert len(box.kids) == rules["kid_cards"]


# --- the referee can object ---


@cache
def full_game() -> tuple[Configuration, tuple[Player, ...], np.ndarray]:
    """A game in which much happens: hits, answers, items, Events, eliminations, reshuffles."""
    configuration = GAME.configure({"players": 5, "kids": "random", "quickshots_per_number": 2})
    players = strategies.line_up("snowball", 5, ["random"])
    for number in range(60):
        events = play(configuration, players, 5 * number, 3).events
        if set(MUST) <= {Event(e) for e in events["event"]}:
            return configuration, players, events
    raise AssertionError("no game has all of it")


FULL = Tampered(lambda: full_game()[2], lambda events: follow(*full_game()[:2], 0, events), RefereeError)


MUST = (
    Event.BAT, Event.QUICKSHOT, Event.SAVE, Event.GEAR, Event.OUT, Event.ACTION, Event.RESHUFFLE, Event.POOL,
    Event.LASTING_ENDS, Event.SET_ASIDE,
)  # fmt: skip


def first(event: Event, **fields: int) -> int:
    """Where the first such event of the full game is."""
    events = FULL.events
    rows = [i for i, e in enumerate(events) if e["event"] == event and all(e[k] == v for k, v in fields.items())]
    return rows[0]


def test_the_full_game_is_in_order() -> None:
    assert FULL.objects(FULL.events) == ""


@pytest.mark.parametrize("event", sorted({*Event} - {Event.BACK, Event.PASS, Event.SHORT, Event.LEFT_OUT, Event.BOOST}))
def test_a_missing_event_is_seen(event: Event) -> None:
    events = FULL.events
    rows = np.flatnonzero(events["event"] == event)
    assert len(rows)
    for at in {rows[0], rows[len(rows) // 2], rows[-1]}:
        if event != Event.SET_ASIDE:  # it goes back whence it came
            assert FULL.objects(np.delete(events, at)), at


@pytest.mark.parametrize("event", sorted({*Event} - {Event.BACK, Event.PASS, Event.SHORT, Event.LEFT_OUT, Event.BOOST}))
def test_an_event_told_twice_or_of_another_seat_is_seen(event: Event) -> None:
    events = FULL.events
    rows = np.flatnonzero(events["event"] == event)
    for at in {rows[0], rows[len(rows) // 2], rows[-1]}:
        assert FULL.objects(np.insert(events, at, events[at])), at
        if event not in (Event.SET_ASIDE, Event.END):
            assert FULL.objects(FULL.changed(at, seat=(events["seat"][at] + 1) % 5)), at


@pytest.mark.parametrize("event", [Event.CARD, Event.EVENT, Event.LOCATION, Event.ITEM, Event.THROW, Event.QUICKSHOT])
def test_another_card_is_seen(event: Event) -> None:
    """A card that lies elsewhere, for every such event of the game: the one that the event before it told."""
    events = FULL.events
    rows = np.flatnonzero(events["event"] == event)
    for before, at in zip(rows[:40], rows[1:41], strict=False):
        if events["a"][before] != events["a"][at]:
            assert FULL.objects(FULL.changed(at, a=events["a"][before])), at


def test_wrong_numbers_are_seen() -> None:
    events = FULL.events
    land, gear, end = first(Event.LAND), first(Event.GEAR), first(Event.END)
    for field in "abc":
        assert "R7" in FULL.objects(FULL.changed(land, **{field: events[field][land] + 1}))
    assert FULL.objects(FULL.changed(land, c=1 - events["c"][land]))
    assert FULL.objects(FULL.changed(gear, a=events["a"][gear] - 1))
    assert FULL.objects(FULL.changed(gear, c=2))
    assert "over" in FULL.objects(FULL.changed(end, b=(events["b"][end] + 1) % 5))
    assert "over" in FULL.objects(FULL.changed(end, a=2))
    assert FULL.objects(FULL.changed(first(Event.START), a=5 - events["a"][first(Event.START)]))
    assert FULL.objects(FULL.changed(first(Event.TURN), b=1))
    assert FULL.objects(FULL.changed(first(Event.RESHUFFLE), b=1))


def test_illegal_offers_and_answers_are_seen() -> None:
    events = FULL.events
    throw = int(Option.THROW)
    at = next(i for i, e in enumerate(events) if e["event"] == Event.OPTION and e["a"] & 15 == throw)
    seat = int(events["seat"][at])
    assert "not legal" in FULL.objects(FULL.changed(at, a=throw + 1024 * seat))  # at himself
    assert "not legal" in FULL.objects(
        FULL.changed(at, a=throw + 16 * 9 + 1024 * ((seat + 1) % 5))
    )  # no such card in the hand
    asked = at - 1
    fewer = FULL.changed(asked, b=events["b"][asked] - 1)
    assert "not offered" in FULL.objects(np.delete(fewer, at))
    answer = next(i for i in range(at, len(events)) if events["event"][i] == Event.ANSWER)
    assert "not legal" in FULL.objects(FULL.changed(answer, b=throw + 1024 * seat))


def test_a_throw_at_oneself_is_seen_without_the_options_too() -> None:
    configuration, players, events = full_game()
    told = events[(events["event"] != Event.ASKED) & (events["event"] != Event.OPTION)]
    follow(configuration, players, 0, told)
    at = next(i for i, e in enumerate(told) if e["event"] == Event.ANSWER and e["b"] & 15 == Option.THROW)
    told["b"][at] = int(Option.THROW) + 1024 * int(told["seat"][at])
    assert "not legal" in FULL.objects(told)
