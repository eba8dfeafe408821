"""Every event, question and option of a game has its words, and they name things as the content does."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore import content as content_files
from simcore import records, trace
from simcore.game import Configuration, Player, Strategy
from simcore.games.spooktacular import position, tables, turn
from simcore.games.spooktacular.game import GAME
from simcore.games.spooktacular.layout import (
    ABILITIES,
    BETWEEN,
    BOARD,
    EXTRA,
    NONE,
    SUPPLY,
    TRACK,
    Decision,
    Event,
    Option,
    Points,
    Status,
    When,
)
from simcore.games.spooktacular.naming import Names, Table, phrase
from simcore.games.spooktacular.telling import WIDTH, name_option, tell

SMALL = Path(__file__).parents[2] / "data" / "theater"  # five kits, rooms Attic, Balcony, Catwalk, Den, Exit
ANYONE = Player(Strategy("any", "", "", turn.follow_up))
TRAINER, CALLER, MUMMY, ROBOT, ANGLER = range(5)
HAUNT, SEARCH, MASH, FLEX = range(4)
VARIED: dict[str, dict[str, Any]] = {  # between them they show nearly every event
    "two": {"players": 2},
    "four": {"players": 4},
    "five": {"players": 5, "same_monsters": True},
    "solo": {"players": 1},
    "automaton": {"players": 3, "automaton": "hard"},
    "tickets": {"players": 3, "tickets_per_player": 1, "guest_density": 2.0},
    "documented": {"players": 4, "monsters": "killtron+deadline+remover+mummygator"},
    "estimated": {"players": 4, "monsters": "killer-car+beasts-of-business+nightslayerr+angler"},
    "kits": {"players": 5},
}
every_case = pytest.mark.parametrize("name", VARIED)


@cache
def small() -> Configuration:
    game = replace(GAME, load_content=lambda overlays: content_files.load(SMALL, tables.sections(), list(overlays)))
    found: Configuration = game.configure({"players": 4})
    return found


@cache
def configured(name: str) -> Configuration:
    return GAME.configure(VARIED[name])


@cache
def played(name: str, number: int, why: bool = False) -> trace.Trace:
    made = configured(name)
    return trace.play_one(made, [ANYONE] * made.seats, number, why=why)


def rows(*events: tuple[int, ...]) -> np.ndarray:
    """Trace events from (event, seat, a, b, c), the last ones 0."""
    found = np.zeros(len(events), records.TRACE_EVENT)
    for i, event in enumerate(events):
        for key, value in zip(("event", "seat", "a", "b", "c"), event, strict=False):
            found[i][key] = value
    return found


KITS = [(Event.KIT, s, kit, 10) for s, kit in enumerate((TRAINER, CALLER, MUMMY, ROBOT))]


def told(*events: tuple[int, ...]) -> list[str]:
    """The lines of these events, among four monsters; without those about who is who."""
    return tell(small(), rows(*KITS, *events))[4:]


# --- each by itself --------------------------------------------------------------------------------------------------


def test_every_event_has_a_sentence() -> None:
    for event in Event:
        a = {Event.END: int(Status.CAPPED), Event.FIGURE: 0, Event.TOKEN: 1}.get(event, 2)
        if event == Event.ANSWER:
            continue
        lines = told((event, 0, a, 1, 1))
        assert len(lines) == 1 or event == Event.OPTION
        assert lines[0].strip().endswith((".", ":")) or event in _OPEN, lines


_OPEN = (Event.TURN, Event.SETUP, Event.OPTION)  # headings; a row of a list


@pytest.mark.parametrize("status", [s for s in Status if s not in (Status.PLAYING, Status.LOST)])
def test_every_end_has_a_sentence(status: Status) -> None:
    assert told((Event.END, NONE, status, NONE))[0].endswith(".")


def test_every_question_source_and_trigger_has_words() -> None:
    said = {told((Event.ASKED, 1, decision, 2))[0] for decision in Decision}
    assert len(said) == len(Decision) and all("(2 options)" in line for line in said)
    assert len({told((Event.POINTS, 1, 2, source, 12))[0] for source in Points}) == len(Points)
    assert len({told((Event.TRIGGER, 1, when))[0] for when in When}) == len(When)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ((Option.PASS, 0, 0), "pass"),
        ((Option.YES, 0, 0), "yes"),
        ((Option.CARD, MASH, 1), "Mash"),
        ((Option.ROOM, 1, 0), "the Balcony"),
        ((Option.ROOM, EXTRA + 2, 0), "the extra room of player 2"),
        ((Option.GUEST, 4, 3), "a purple guest in the Den"),
        ((Option.FIGURE, 16, 3), "piece 1 of player 1 in the Den"),
        ((Option.TOKEN, 33, 0), "piece 2 of player 2"),
        ((Option.PLAYER, 3, 0), "player 3"),
        ((Option.BRANCH, 1, 0), "side 2"),
        ((Option.SPACE, ABILITIES * TRAINER + 2, 0), "the space one"),
        ((Option.SLOT, 2, 0), "slot 3"),
        ((Option.LEAVE, 0, 4), "a red guest to the Exit"),
    ],
)
def test_an_option_in_a_few_words(option: tuple[int, int, int], words: str) -> None:
    kind, a, b = option
    assert name_option(small(), int(kind) + 16 * a + 65536 * b) == words


# --- what belongs together -------------------------------------------------------------------------------------------


def test_a_spook_is_one_sentence_with_its_guests_and_points() -> None:
    assert told(
        (Event.GUEST, 1, 0, 1, 2),
        (Event.GUEST, 1, 3, 1, 4),
        (Event.GUEST, 1, 0, 1, 2),
        (Event.SPOOK, 1, 1, 3),
        (Event.POINTS, 1, 3, Points.SPOOK, 13),
    ) == ["  Player 1 spooks the Balcony: 2 red to the Catwalk, blue to the Exit; gains 3 points for spooking (13)."]
    assert told((Event.SPOOK, 1, 1, 0)) == ["  Player 1 spooks the Balcony: no guest leaves."]


def test_guests_moved_before_a_spook_are_told_apart() -> None:
    assert told((Event.GUEST, 1, 0, 0, 1), (Event.GUEST, 1, 0, 1, 2), (Event.SPOOK, 1, 1, 1)) == [
        "  Player 1 moves 1 guest from the Attic: red to the Balcony.",
        "  Player 1 spooks the Balcony: red to the Catwalk.",
    ]


def test_guests_from_several_rooms() -> None:
    assert told((Event.GUEST, 0, 0, 0, 1), (Event.GUEST, 0, 1, 3, 1)) == [
        "  Player 0 moves 2 guests: red from the Attic to the Balcony, yellow from the Den to the Balcony."
    ]


def test_a_completed_set_is_told_in_one_line() -> None:
    """Rulebook, Devour: a yellow and a red guest are devoured, completing a set."""
    lines = told(
        (Event.DEVOUR, 0, 1, 3),
        (Event.DEVOUR, 0, 0, 3),
        (Event.SET, 0, 5),
        (Event.TICKET, 0, 1),
        *[(Event.ADD, 0, 4, c, 2) for c in (0, 2, 0)],
    )
    assert lines == [
        "  Player 0 devours in the Den: red, yellow; has a guest of each colour and turns the set in; "
        "takes a ticket and has 1.",
        "  3 guests come from the bag to the Exit, where the fewest figures are: 2 red, green.",
    ]
    assert told((Event.SET, 0, 0), (Event.POINTS, 0, 5, Points.CONSOLATION, 30)) == [
        "  Player 0 has a guest of each colour and turns the set in; no ticket is left; gains 5 points for the set "
        "(30)."
    ]


def test_figures_are_named_by_their_monsters() -> None:
    assert told((Event.FIGURE, 0, 0, 3, 0), (Event.FIGURE, 0, 0, 0, 0)) == [
        "  Player 0 begins in the Den.",
        "  Player 0 moves to the Attic.",
    ]
    assert told((Event.FIGURE, 1, 2, 3, 1), (Event.FIGURE, 1, 2, 0, 1)) == [
        "  Player 1 puts a phone in the Den.",
        "  Player 1 moves the phone to the Attic.",
    ]
    mashed = [(Event.FIGURE, 0, 0, 3, 3), (Event.FIGURE, 1, 0, 3, 3), (Event.FIGURE, 1, 1, 3, 3)]
    assert told(*mashed) == ["  Player 3 moves Trainer to the Den, 2 phones of Caller to the Den."]
    assert told((Event.FIGURE, 1, 0, 4, 3)) == ["  Player 3 moves the phone of Caller to the Exit."]


def test_tokens_are_told_by_where_they_lie() -> None:
    assert told((Event.TOKEN, 0, 1, BOARD), (Event.TOKEN, 0, 1, BOARD + 1)) == [
        "  Player 0 puts the dumbbell on the space start.",
        "  Player 0 moves the dumbbell from the space start to the space one.",
    ]
    assert told((Event.TOKEN, 2, 1, 0), (Event.TOKEN, 2, 2, 1), (Event.TOKEN, 2, 1, SUPPLY)) == [
        "  Player 2 puts 2 jars in the Attic, the Balcony.",
        "  Player 2 takes the jar in the Attic back.",
    ]
    assert told((Event.TOKEN, 2, 4, 3)) == ["  Player 2 puts the tomb in the Den."]
    assert told((Event.TOKEN, 2, 1, TRACK + 27)) == ["  Player 2 puts a jar at 27 on the score track."]
    assert told((Event.TOKEN, 2, 1, BETWEEN + 16 * 0 + 3)) == ["  Player 2 puts a jar between the Attic and the Den."]


def test_cards_and_what_they_say() -> None:
    assert told((Event.CARD, 0, FLEX), (Event.ABILITY, 0, 0), (Event.ABILITY, 0, 3)) == [
        "Player 0 plays Flex (do fitness).",
        "Player 0 does FITNESS (advance dumbbell 1; do that space).",
        "Player 0 does the space two (add 2 guests; once a turn: gain 2).",
    ]
    assert told((Event.CARD, 3, HAUNT, 1, 2)) == ["Player 3 resolves slot 3: Haunt (spook; spook)."]
    assert told((Event.CARD, 3, MASH, 2, 1)) == [
        "Player 3 copies the last card of player 1: Mash (once a turn: mash for 2)."
    ]
    answer = told((Event.ABILITY, 1, ABILITIES), (Event.ABILITY, 1, ABILITIES))
    assert "return that phone to free space" in answer[0] and answer[1] == "Player 1 does ANSWER."


def test_a_standing_rule_says_what_it_does() -> None:
    assert told((Event.TRIGGER, 2, When.SET)) == [
        "  The standing rule of player 2 (Mummy) answers (a set is turned in): draw 1; gain 1."
    ]


def test_a_card_goes_to_the_discards_only_where_options_are_told() -> None:
    played_card = (Event.DISCARD, 0, MASH, 0)
    assert told(played_card) == []
    lines = told((Event.ASKED, 0, Decision.CARD, 1), (Event.OPTION, 0, Option.CARD + 16 * MASH), played_card)
    assert lines[-1] == "  Player 0 puts Mash on the discards."
    assert told((Event.DISCARD, 0, MASH, 1), (Event.DISCARD, 0, FLEX, 1)) == ["  Player 0 discards Mash, Flex."]


def test_the_end_says_who_has_what() -> None:
    assert told(
        (Event.TICKET_VALUE, 2, 6),
        (Event.TICKET_VALUE, 2, 4, 1),
        (Event.POINTS, 2, 10, Points.TICKET, 52),
        (Event.END, 2, Status.WON, 2),
    ) == [
        "Player 2 shows 2 tickets: 6, 4; gains 10 points for tickets (52).",
        "Player 2 (Mummy) wins (player 0 10, player 1 10, player 2 52, player 3 10).",
    ]
    assert told((Event.END, NONE, Status.TIED, NONE))[0].startswith("The victory is shared (")
    assert told((Event.POINTS, 1, 42, Points.OWN, 52), (Event.LAST_ROUND, 1, 0))[-1] == (
        "Player 1 has 52 points: this is the LAST ROUND."
    )
    assert told((Event.LAST_ROUND, 1, 1)) == ["All tickets are taken: this is the LAST ROUND."]


def test_every_text_has_words() -> None:
    """What is quoted is what the text says, without bounds and line breaks."""
    for (section, slug, key), effect in configured("two").content.effects.items():
        said = phrase(effect.nodes)
        assert "\n" not in said and "{" not in said and "[" not in said, (section, slug, key)
        plain = re.sub(r"\{\s*(\d+)\s*\|[^}]*\}", r"\1", effect.text.lower())
        words = [Counter(re.findall(r"[\w'-]+", text.replace("guests", "guest"))) for text in (plain, said)]
        assert key == "standing" or not effect.nodes or words[0] == words[1], (section, slug, key)


# --- whole games -----------------------------------------------------------------------------------------------------


def test_nearly_every_event_happens_and_is_told() -> None:
    met: Counter[int] = Counter()
    for name in VARIED:
        for number in range(12):
            met.update(played(name, number).events["event"].tolist())
    met.update(played("four", 0, why=True).events["event"].tolist())
    assert {event.name for event in Event if not met[event]} == {"RUNAWAY"}, "no shipped chain of effects is endless"


@every_case
@pytest.mark.parametrize("why", [False, True], ids=["plain", "why"])
def test_sentences_name_things_by_their_names(name: str, why: bool) -> None:
    made = configured(name)
    for number in range(6):
        found = played(name, number, why)
        lines = tell(made, found.events)
        for line in lines:
            assert line.strip() and "\n" not in line
            assert not re.search(r"None|Option\.|Event\.|player -|\bside \d|nowhere|piece \d|room \d|extra room", line)
        headings = [line for line in lines if line.startswith("-- Round")]
        turns = found.events[found.events["event"] == Event.TURN]
        assert len(headings) == len(turns) == found.outcome["turns"]
        for line, turn_event in zip(headings, turns, strict=True):
            bot = made.rules[0]["bot"] and turn_event["seat"] == 0
            who = "the automaton" if bot else f"player {turn_event['seat']}"
            assert line.startswith(f"-- Round {turn_event['b'] + 1}, turn {turn_event['a'] + 1}: {who} (")


@every_case
def test_points_are_told_with_the_new_score(name: str) -> None:
    for number in range(6):
        found = played(name, number)
        text = "\n".join(tell(configured(name), found.events))
        gained = sum(int(n) for n in re.findall(r"gains (\d+) points?", text))
        events = found.events[found.events["event"] == Event.POINTS]
        assert gained == events["a"][events["a"] > 0].sum()
        lost = sum(int(n) for n in re.findall(r"loses (\d+) points?", text))
        assert lost == -events["a"][events["a"] < 0].sum()


SHOUTED = {
    Event.SPOOK: r" spooks ",
    Event.SET: "turns the set in",
    Event.TICKET: "takes a ticket",
    Event.LAST_ROUND: "LAST ROUND",
    Event.ABILITY: r"(?m)^(?:Player \d|The automaton) does ",
    Event.TRIGGER: "The standing rule of",
    Event.STUN: " stuns ",
}


@every_case
def test_what_matters_is_said_as_often_as_it_happens(name: str) -> None:
    for number in range(6):
        found = played(name, number)
        text = "\n".join(tell(configured(name), found.events))
        for event, words in SHOUTED.items():
            assert len(re.findall(words, text)) == (found.events["event"] == event).sum(), event


def test_what_belongs_together_stands_in_one_line() -> None:
    found = played("documented", 2)
    lines = tell(configured("documented"), found.events)
    assert len(lines) < 0.8 * (found.events["event"] != Event.ANSWER).sum()
    assert all(len(line) <= WIDTH for line in lines if "; gains " in line)


def test_questions_with_their_options_and_the_answer() -> None:
    for name in ("four", "kits", "automaton"):
        found = played(name, 1, why=True)
        lines = tell(configured(name), found.events)
        asked = [i for i, line in enumerate(lines) if " is asked " in line]
        assert len(asked) == (found.events["event"] == Event.ASKED).sum()
        for i in asked:
            count = int(re.search(r"\((\d+) options?\)", lines[i])[1])  # type: ignore[index]
            options = [line[16:].strip() for line in lines[i + 1 : i + 1 + count]]
            answer = lines[i + 1 + count]
            assert answer.startswith("    -> ") and answer[7:] in options
        plain = tell(configured(name), played(name, 1).events)
        assert not any(line.startswith("    ->") or " is asked " in line for line in plain)


def test_the_sides_of_a_choice_are_told() -> None:
    lines = [line for n in range(12) for line in tell(configured("kits"), played("kits", n).events)]
    chosen = [line for line in lines if " chooses: " in line]
    assert len(chosen) > 5 and not any("side" in line for line in chosen)


def test_a_game_from_a_position_is_told_with_its_monsters() -> None:
    made = GAME.configure({"players": 2, "monsters": "mummygator+remover"})
    room = next(iter(made.content.sections["rooms"]))
    player = [{"points": 33, "pieces": {"figure": [room], "tomb": [room]}}, {"pieces": {"figure": [room]}}]
    start = position.read_position(made, {"round": 4, "player": player})
    found = trace.play_one(made, [ANYONE] * 2, 0, position=start)
    lines = tell(made, found.events)
    assert lines[0] == "Player 0 is Mummygator." and "-- Round 4, turn 7: player 0 (Mummygator), 33 points" in lines


def test_the_automaton_reveals_its_three_cards_in_one_line() -> None:
    lines = tell(configured("solo"), played("solo", 0).events)
    revealed = [line for line in lines if " reveals " in line]
    assert len(revealed) == sum(line.startswith("-- Round") and "the automaton" in line for line in lines)
    assert lines[0] == "The automaton is Killtron 3000." and all(line.count("; ") >= 2 for line in revealed)


def test_a_table_knows_only_what_it_has_seen() -> None:
    table = Table(Names(small()))
    assert table.seat(1) == "player 1" and table.piece(1, 2) == "piece 3 of player 1" and table.room(NONE) == "nowhere"
    table.follow(Event.KIT, 1, CALLER, 10, 0)
    table.follow(Event.FIGURE, 1, 2, 3, 1)
    assert table.seat(1) == "player 1 (Caller)" and table.piece(1, 2) == "phone of Caller in the Den"
