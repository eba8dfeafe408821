"""A traced game is the game that the batch played; long ones in pieces; options and scores; sentences."""

import json
import re
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, records, trace
from simcore.game import Configuration, Player, find_game
from simcore.games.snowball.layout import Decision, Event, Option, Status
from simcore.trace import Trace

SNOWBALL = find_game("snowball")
RULINGS = {
    "ruling.quickshot_answers_quickshot": True,
    "ruling.mom_hollering_eliminated": "returns",
    "ruling.refill": "at_once",
}
CASES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "random": ({"players": 4}, ("random",) * 4),
    "mixed": ({"players": 6, "kids": "random"}, ("random", "greedy", "cautious", "opportunist", "expert", "random")),
    "rulings": ({"players": 5, "kids": "chosen", "quickshots_per_number": 2, **RULINGS}, ("random",) * 5),
    "ahead": ({"players": 3}, ("lookahead", "random", "greedy")),
}


def case(name: str) -> tuple[Configuration, tuple[Player, ...]]:
    settings, names = CASES[name]
    return SNOWBALL.configure(settings), strategies.line_up("snowball", len(names), list(names))


every_case = pytest.mark.parametrize("name", CASES)


def of(found: Trace, event: Event) -> np.ndarray:
    return found.events[found.events["event"] == event]


@every_case
def test_a_traced_game_is_the_one_of_the_batch(name: str) -> None:
    configuration, players = case(name)
    block = next(batch.play(configuration, players, games=12, first=60, seed=5, keep=True))
    assert block.outcomes is not None
    for row in block.outcomes:
        for why in (False, True):
            found = trace.play_one(configuration, players, int(row["number"]), seed=5, why=why)
            assert found.outcome.tobytes() == row.tobytes()
            assert (found.number, found.seed) == (row["number"], 5)


@every_case
def test_the_events_are_the_games(name: str) -> None:
    configuration, players = case(name)
    for number in range(10):
        found = trace.play_one(configuration, players, number)
        assert len(of(found, Event.TURN)) == found.outcome["turns"]
        assert of(found, Event.TURN)["a"].tolist() == list(range(found.outcome["turns"]))
        assert len(of(found, Event.THROW)) == found.outcome["throws"]
        assert len(of(found, Event.EVENT)) == found.outcome["events"]
        assert len(of(found, Event.END)) == 1 and found.events[-1]["event"] == Event.END
        assert found.events[-1]["a"] == found.outcome["status"]
        winner = found.events[-1]["b"]
        assert found.outcome["winner"] == (found.final["player"][winner] if winner >= 0 else -1)


# --- look-ahead ------------------------------------------------------------------------------------------------------


def test_what_a_look_ahead_tries_leaves_no_events() -> None:
    """The events go the same way as the game: gear changes are those of the outcome, turns are numbered through."""
    configuration, players = case("ahead")
    for number in range(6):
        found = trace.play_one(configuration, players, number)
        gear = np.full(3, 3)
        for row in of(found, Event.GEAR):
            assert gear[row["seat"]] == row["b"]
            gear[row["seat"]] = row["a"]
        assert (gear == found.final["gear"][:3]).all()
        answers = of(found, Event.ANSWER)
        assert len(answers) == found.final["asked"]


# --- in pieces -------------------------------------------------------------------------------------------------------


def test_a_long_game_is_traced_in_pieces() -> None:
    """Clearing out for ever: thousands of events, as many as one play of the game counts, in one row."""
    configuration = SNOWBALL.configure({"turn_cap": 600})
    players = strategies.line_up("snowball", 4, ["random:forbid=throw+action"])
    found = trace.play_one(configuration, players, 2, why=True)
    assert found.outcome["status"] == Status.CAPPED
    assert len(found.events) > 3 * records.TRACE
    rules, _ = batch.prepare(configuration, players)
    game, work = batch.new_work(configuration, None)
    work["tracing"], work["why"] = 1, 1
    SNOWBALL.kernel("play_block")(game[0], rules[0], work[0], 2, 1)
    assert work[0]["traced"] == len(found.events)
    assert work[0]["trace"].tobytes() == found.events[: records.TRACE].tobytes()
    assert of(found, Event.TURN)["a"].tolist() == list(range(600))
    asked = np.flatnonzero(found.events["event"] == Event.ASKED)
    for at in asked:
        n = int(found.events["b"][at])
        assert (found.events["event"][at + 1 : at + n + 1] == Event.OPTION).all()
        assert found.events["event"][at + n + 1] == Event.ANSWER


@pytest.mark.parametrize("cut", [1, 7, 500])
def test_the_trace_can_begin_anywhere(cut: int) -> None:
    configuration, players = case("mixed")
    whole = trace.play_one(configuration, players, 4).events
    rules, _ = batch.prepare(configuration, players)
    game, work = batch.new_work(configuration, None)
    work["tracing"], work["trace_first"] = 1, cut
    SNOWBALL.kernel("play_block")(game[0], rules[0], work[0], 4, 1)
    assert work[0]["traced"] == len(whole)
    seen = whole[cut : cut + records.TRACE]
    assert work[0]["trace"][: len(seen)].tobytes() == seen.tobytes()


# --- why -------------------------------------------------------------------------------------------------------------


@every_case
def test_why_adds_the_options_and_their_scores(name: str) -> None:
    """The answer is among the options; taking the added events away leaves the plain trace."""
    configuration, players = case(name)
    for number in range(6):
        plain, why = (trace.play_one(configuration, players, number, why=w) for w in (False, True))
        added = np.isin(why.events["event"], [Event.ASKED, Event.OPTION])
        assert why.events[~added].tobytes() == plain.events.tobytes()
        scored = 0
        for at in np.flatnonzero(why.events["event"] == Event.ASKED):
            asked, n = why.events[at], int(why.events["b"][at])
            options, answer = why.events[at + 1 : at + n + 1], why.events[at + n + 1]
            assert (options["event"] == Event.OPTION).all() and (options["seat"] == asked["seat"]).all()
            assert answer["event"] == Event.ANSWER and answer["a"] == asked["a"] and answer["seat"] == asked["seat"]
            assert answer["b"] in options["a"] and len(set(options["a"].tolist())) == n
            strategy = players[why.final["player"][asked["seat"]]].strategy.name
            if n > 1 and strategy != "random":
                assert (options["c"] == 1).all()
                assert options["b"][options["a"] == answer["b"]] == options["b"].max()
                scored += 1
            else:
                assert (options["c"] == 0).all()
        assert scored > 0 or name in ("random", "rulings")


# --- words -----------------------------------------------------------------------------------------------------------


@every_case
def test_dicts_are_json(name: str) -> None:
    configuration, players = case(name)
    found = trace.play_one(configuration, players, 1, why=True)
    lines = [json.loads(json.dumps(d)) for d in trace.as_dicts(configuration, found)]
    assert len(lines) == len(found.events)
    assert {frozenset(line) for line in lines} == {frozenset(("event", "seat", "a", "b", "c"))}
    assert lines[-1]["event"] == "end" and all(type(line["a"]) is int for line in lines)
    assert {line["event"] for line in lines} <= {e.name.lower() for e in Event}


@every_case
@pytest.mark.parametrize("why", [False, True], ids=["plain", "why"])
def test_sentences_name_things_by_their_names(name: str, why: bool) -> None:
    configuration, players = case(name)
    names = {entry.name for section in configuration.content.sections.values() for entry in section.values()}
    named = {Event.CARD: "draws", Event.LOCATION: "is now at", Event.EVENT: "draws the Event", Event.THROW: "throws"}
    for number in range(6):
        found = trace.play_one(configuration, players, number, why=why)
        text = SNOWBALL.tell(configuration, found.events)
        assert text[-1].endswith(("wins.", "tie.", "no winner."))
        for line in text:
            assert line.strip() and "None" not in line and "\n" not in line
            assert not re.search(r"(?<!score)\b[Pp]layer -", line) and "Option." not in line and "Event." not in line
            if any(verb in line for verb in named.values()):
                assert any(n in line for n in names), line
        for event in (Event.TURN, Event.OUT, Event.THROW):
            words = {Event.TURN: "-- Round", Event.OUT: "sent inside.", Event.THROW: " throws "}[event]
            said = sum(words in line and "the last two" not in line.lower() for line in text)
            assert said == len(of(found, event))


def test_every_event_can_be_told() -> None:
    """Each kind of event has its sentence, whatever its numbers."""
    configuration = SNOWBALL.configure({"players": 6})
    for event in Event:
        row = np.zeros(1, records.TRACE_EVENT)
        row["event"] = event
        row["a"] = row["b"] = 1
        told = SNOWBALL.tell(configuration, row)
        assert len(told) <= 1 and all(line.strip() for line in told)


def test_every_option_and_question_has_words() -> None:
    configuration = SNOWBALL.configure({"players": 4, "kids": "chosen"})
    said = {SNOWBALL.name_option(configuration, int(kind) + 16 * 1 + 1024 * 2) for kind in Option}
    assert len(said) == len(Option)
    for decision in Decision:
        rows = np.zeros(1, records.TRACE_EVENT)
        rows["event"], rows["a"], rows["b"] = Event.ASKED, decision, 2
        assert "2 options" in SNOWBALL.tell(configuration, rows)[0]


def test_an_option_names_the_kid() -> None:
    """A kid's number in the content is no name to a reader."""
    configuration = SNOWBALL.configure({"players": 4, "kids": "chosen"})
    kids = configuration.content.sections["kids"]
    first = next(iter(kids.values())).name
    assert first in SNOWBALL.name_option(configuration, int(Option.KID))
