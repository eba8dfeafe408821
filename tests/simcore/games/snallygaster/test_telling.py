"""Every event, question and option of a game has its words, and they name things as the content does."""

import re
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import records, trace
from simcore.game import Configuration, find_game
from simcore.games.snallygaster import town
from simcore.games.snallygaster.layout import (
    NONE,
    Ability,
    Decision,
    Event,
    Mechanics,
    Op,
    Option,
    Place,
    Search,
    Status,
    option_parts,
)
from simcore.games.snallygaster.telling import JOINED, RUN, WIDTH, Names, coordinates, name_option, tell

MONSTERS = ("dover-demon", "jersey-devil", "snallygaster", "bloody-mary")
VARIED: dict[str, dict[str, Any]] = {  # between them they show every event
    **{monster: {"monster": monster, "players": 4} for monster in MONSTERS},
    "two": {"players": 2, "event_density": 0.4, "starting_items": 4, "turn_cap": 60},
    "five": {"players": 5, "event_density": 1.7, "starting_items": 4, "ruling.rescue": "guess", "doom_length": 40},
    "long": {"players": 5, "doom_length": 60, "monster": "snallygaster", "search_threat": 0.1, "turn_cap": 500},
    "short": {"players": 3, "monster": "jersey-devil", "treehouses": 1, "search_threat": 1.0, "coordination": 0.5},
    "easy": {"players": 4, "doom_length": 60, "ruling.rescue": "any_end", "turn_cap": 900, "attack_doom": 0},
}
every_case = pytest.mark.parametrize("name", VARIED)


@cache
def configuration(name: str) -> Configuration:
    return find_game("snallygaster").configure(VARIED[name])


@cache
def played(name: str, number: int, why: bool = False) -> trace.Trace:
    made = configuration(name)
    players = strategies.line_up("snallygaster", made.seats, ["random"])
    return trace.play_one(made, players, number, why=why)


def row(event: int, seat: int = 0, a: int = 0, b: int = 0, c: int = 0) -> np.ndarray:
    found = np.zeros(1, records.TRACE_EVENT)
    for key, value in {"event": event, "seat": seat, "a": a, "b": b, "c": c}.items():
        found[key] = value
    return found


# --- each by itself --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("monster", MONSTERS)
def test_every_event_has_a_sentence(monster: str) -> None:
    """Whatever its numbers; only an answer is left out where no options are told."""
    for event in Event:
        for seat, a, b, c in ((0, 1, 1, 0), (1, 0, 0, 0), (2, 1, 2, 1)):
            if event in (Event.PUT, Event.TAKEN):
                a = int(Place.BYSTANDER)
            a = {Event.ABILITY: int(Ability.DIAGONAL), Event.END: int(Status.LOST)}.get(event, a)
            lines = tell(configuration(monster), row(event, seat, a, b, c))
            assert len(lines) == (event != Event.ANSWER), event
            assert all(line.strip() and line.rstrip().endswith((".", ":")) or event in _OPEN for line in lines), lines


_OPEN = (Event.TURN, Event.OPTION)  # a heading; a row of a list


def test_nothing_to_give_has_a_sentence() -> None:
    made = configuration("two")
    for event in (Event.ITEM, Event.SYMBOL):
        assert " left" in tell(made, row(event, 1, NONE))[0]
    assert "shuffled back" in tell(made, row(Event.DISCARD, 0, 3, NONE))[0]
    assert "covering" not in tell(made, row(Event.PLAY, 0, 3, 0, NONE))[0]


@pytest.mark.parametrize("status", [s for s in Status if s not in (Status.PLAYING, Status.TIED)])
def test_every_end_has_a_sentence(status: Status) -> None:
    assert tell(configuration("two"), row(Event.END, NONE, status, NONE))[0]


def test_every_question_has_words() -> None:
    said = {tell(configuration("five"), row(Event.ASKED, 1, decision, 2))[0] for decision in Decision}
    assert len(said) == len(Decision) and all("(2 options)" in line for line in said)


def test_every_option_has_words() -> None:
    said = {name_option(configuration("five"), int(kind) + 16 * 1 + 65536 * 2) for kind in Option}
    assert len(said) == len(Option)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ((Option.PLAY, 2, 1, 0), "play card 3 of the hand onto pile 2"),
        ((Option.TREEHOUSE, 1, 0, 0), "Treehouse 2 (p4)"),
        ((Option.MOVE, 0, 0, 0), "end at c1 (Bait & Tackle)"),
        ((Option.BUILDING, 26, 0, 0), "Clemency Hotel"),
        ((Option.KID, 0, 0, 0), "the Lost Kid"),
        ((Option.WHEEL, 0, 1, 0), "Wheel 3, face down, by the Ride"),
        ((Option.TRADE, 66, 2, 0), "give a radio Symbol to Kid 2"),
        ((Option.TRADE, 0, 2, 1), "take Cherry Bombs from Kid 2"),
        ((Option.SEARCH, Search.TOKEN, 0, 1), "search the Building's token, saying that the Lost Kid is here"),
    ],
)
def test_an_option_in_a_few_words(option: tuple[int, int, int, int], words: str) -> None:
    kind, a, b, c = option
    assert name_option(configuration("two"), int(kind) + 16 * a + 65536 * b + 4194304 * c) == words


def test_coordinates_are_those_of_the_town() -> None:
    made = configuration("two")
    plan = town.read_town(made.content)
    names = coordinates(next(iter(made.content.sections["town"].values())).spaces)
    assert list(names) == [town.place(int(r), int(c)) for r, c in plan.cells]


@pytest.mark.parametrize("monster", MONSTERS)
def test_every_card_text_has_words(monster: str) -> None:
    """Each op of the language, and every row that the content compiles to."""
    made = configuration(monster)
    names, rules = Names(made), made.rules[0]
    for at in np.flatnonzero(rules["op"]):
        if rules["op"][at] != Op.BRANCH:
            text = names.row(int(at))
            assert text and text != "nothing" and "None" not in text
    rows = made.rules.copy()
    names.rules = rows[0]
    for op in Op:
        rows[0]["op"][0], rows[0]["op_a"][0], rows[0]["op_b"][0], rows[0]["op_end"][0] = op, 1, 2, 1
        if op not in (Op.BRANCH, Op.CHOOSE):
            assert names.row(0) not in ("", "nothing"), op
    rows[0]["op"][0] = 0
    assert names.row(0) == names.effect(0, 0) == "nothing", "a blank card"


# --- whole games -----------------------------------------------------------------------------------------------------


def test_every_event_happens_and_is_told() -> None:
    """Of the games of all cases together; each sentence of each event is looked at below."""
    met: Counter[int] = Counter()
    for name in VARIED:
        for number in range(40):
            met.update(played(name, number).events["event"].tolist())
    met.update(played("five", 0, why=True).events["event"].tolist())
    assert {event.name for event in Event if not met[event]} == set()


@every_case
@pytest.mark.parametrize("why", [False, True], ids=["plain", "why"])
def test_sentences_name_things_by_their_names(name: str, why: bool) -> None:
    made = configuration(name)
    for number in range(8):
        found = played(name, number, why)
        lines = tell(made, found.events)
        for line in lines:
            assert line.strip() and RUN not in line and "\n" not in line
            assert not re.search(r"None|Option\.|Event\.|Kid -|\bside \d|of the hand|part \d of the Goal", line), line
            assert len(line) <= WIDTH or ": " in line or "shuffled" in line or "(" in line, line
        headings = [line for line in lines if line.startswith("-- Round")]
        turns = found.events[found.events["event"] == Event.TURN]
        assert len(headings) == len(turns) == found.outcome["turns"]
        for line, turn in zip(headings, turns, strict=True):
            who = f"Kid {turn['seat']}" if turn["seat"] else "the Lost Kid"
            assert line.startswith(f"-- Round {turn['b'] + 1}, turn {turn['a'] + 1}: {who}")


SHOUTED = {
    Event.HIT: "is HIT",
    Event.CAUGHT: "is CAUGHT",
    Event.DOOM: "DOOM",
    Event.RESCUE: "RESCUES",
    Event.GOAL: "is DONE",
    Event.ATTACK: "The Monster attacks",
    Event.PLAY: "The Lost Kid plays",
    Event.WHEEL: r" uses (?:Spare )?Wheel \d",
    Event.TOKEN: "Search token is ",
}


@every_case
def test_what_matters_is_said_as_often_as_it_happens(name: str) -> None:
    made = configuration(name)
    for number in range(8):
        found = played(name, number)
        text = "\n".join(tell(made, found.events))
        for event, words in SHOUTED.items():
            assert len(re.findall(words, text)) == (found.events["event"] == event).sum(), event


@every_case
def test_the_doom_is_told_of_its_track(name: str) -> None:
    made = configuration(name)
    length = int(made.rules[0]["doom_length"])
    for number in range(8):
        found = played(name, number)
        steps = [int(b) for b in found.events["b"][found.events["event"] == Event.DOOM]]
        text = "\n".join(tell(made, found.events))
        assert [int(n) for n in re.findall(rf"DOOM(?: \+\d+:)? (\d+) of {length}", text)] == steps


def test_what_belongs_together_stands_in_one_line() -> None:
    """As far as it has room; the same events without joining are more lines, and no word less of names."""
    made = configuration("dover-demon")
    events = played("dover-demon", 3).events
    lines = tell(made, events)
    assert len(lines) < 0.7 * (events["event"] != Event.ANSWER).sum()
    draws = [line for line in lines if line.startswith("The Lost Kid draws") and ", " in line]
    assert draws, "a hand in one line"
    assert all(event not in before for event, before in JOINED.items() if event == Event.TURN)


def test_questions_with_their_options_and_the_answer() -> None:
    found = played("five", 1, why=True)
    lines = tell(configuration("five"), found.events)
    asked = [i for i, line in enumerate(lines) if " is asked " in line]
    assert len(asked) == (found.events["event"] == Event.ASKED).sum()
    for i in asked:
        count = int(re.search(r"\((\d+) options?\)", lines[i])[1])  # type: ignore[index]
        options = [line[16:].strip() for line in lines[i + 1 : i + 1 + count]]
        answer = lines[i + 1 + count]
        assert answer.startswith("    -> ") and answer[7:] in options
        twice = [text for text, times in Counter(options).items() if times > 1]
        assert all("Grape Soda" in text for text in twice), "the Item of which there are two"
    plain = tell(configuration("five"), played("five", 1).events)
    assert not any(line.startswith("    ->") or " is asked " in line for line in plain)


def test_the_cards_of_the_hand_are_named_where_they_can_be_played() -> None:
    """The hand is followed from event to event, through new hands of both kinds."""
    for name in ("five", "long"):
        for number in range(6):
            found, names = played(name, number, why=True), Names(configuration(name))
            lines = iter(tell(configuration(name), found.events))
            answers = [
                (int(r["b"]), found.events[i + 1]["a"])
                for i, r in enumerate(found.events[:-1])
                if r["event"] == Event.ANSWER
                and r["a"] == Decision.CARD
                and option_parts(int(r["b"]))[0] == Option.PLAY
            ]
            assert answers
            for option, card in answers:
                wanted = f"    -> play {names.card(card)} onto pile {option_parts(option)[2] + 1}"
                assert wanted in lines


def test_the_sides_of_a_card_are_told() -> None:
    lines = [line for number in range(20) for line in tell(configuration("long"), played("long", number).events)]
    chosen = [line for line in lines if " chooses: " in line]
    assert (
        len(chosen) > 20 and any("free move of" in line for line in chosen) and any("Symbol" in line for line in chosen)
    )


def test_each_monster_is_told_by_what_it_does() -> None:
    said = {
        Mechanics.CURSE: ("jersey-devil", "Curse"),
        Mechanics.MIRRORS: ("bloody-mary", "Mirror token"),
        Mechanics.FIXATION: ("dover-demon", "is fixed on"),
        Mechanics.SWOOP: ("snallygaster", "moves unseen"),
    }
    for monster, words in said.values():
        assert any(words in line for n in range(10) for line in tell(configuration(monster), played(monster, n).events))
