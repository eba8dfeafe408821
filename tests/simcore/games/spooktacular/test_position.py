"""A position from a file is the game that it says; what it leaves open is dealt anew; a forced deal is dealt."""

import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore import batch, trace
from simcore import content as content_files
from simcore.errors import InputError
from simcore.game import Configuration, Player, Strategy
from simcore.games.spooktacular import position as positions
from simcore.games.spooktacular import tables, turn
from simcore.games.spooktacular.game import GAME
from simcore.games.spooktacular.layout import BETWEEN, BOARD, COLOUR_NAMES, COLOURS, EXTRA, NONE, SUPPLY, TRACK, Event

SMALL = Path(__file__).parents[2] / "data" / "theater"  # five kits
ANYONE = Player(Strategy("any", "", "", turn.follow_up))
ROOMS = ["a", "b", "c", "d", "e"]
TRAINER: dict[str, Any] = {"monster": "trainer", "pieces": {"figure": ["d"]}}
CALLER: dict[str, Any] = {"monster": "caller"}
MUMMY: dict[str, Any] = {"monster": "mummy", "pieces": {"figure": ["a"]}}
ROBOT: dict[str, Any] = {"monster": "robot", "pieces": {"figure": ["d"]}}
FULL: dict[str, Any] = {
    "round": 6,
    "active": 1,
    "guests": {"a": {"red": 2, "blue": 1}, "d": {"green": 3}},
    "player": [
        {
            "monster": "trainer",
            "points": 23,
            "tickets": 1,
            "pile": {"red": 1, "green": 2},
            "passengers": {"blue": 1},
            "hand": ["flex", "warm-up"],
            "deck_top": ["warm-up", "haunt"],
            "discards": ["mash"],
            "last_card": "mash",
            "stunned_by": [2],
            "pieces": {"figure": ["d"], "dumbbell": ["two"]},
        },
        {
            "monster": "mummy",
            "points": 31,
            "tickets": 2,
            "inside": {"red": 1},
            "pieces": {"figure": ["tomb"], "tomb": ["b"], "jar": ["supply", "track 27", "d"]},
        },
        {
            "monster": "robot",
            "hand": [],
            "program": ["none", "grab", "haunt"],
            "pieces": {"figure": ["b"]},
        },
    ],
}


def small() -> Any:
    return replace(GAME, load_content=lambda overlays: content_files.load(SMALL, tables.sections(), list(overlays)))


@cache
def configured(**settings: Any) -> Configuration:
    settings = {k.replace("__", "."): v for k, v in settings.items()}
    found: Configuration = small().configure({"players": 3, **settings})
    return found


def read(data: dict[str, Any], **settings: Any) -> Any:
    return positions.read_position(configured(**settings), data)[0]


def two(data: dict[str, Any], **settings: Any) -> Any:
    """A position of two players, trainer and mummy unless it says otherwise."""
    return read({"player": [TRAINER, MUMMY], **data}, players=2, **settings)


def played(data: dict[str, Any], number: int = 0, **settings: Any) -> trace.Trace:
    configuration = configured(**settings)
    start = positions.read_position(configuration, data)
    return trace.play_one(configuration, [ANYONE] * configuration.seats, number, position=start)


def of(found: trace.Trace, event: Event) -> list[tuple[int, ...]]:
    rows = found.events[found.events["event"] == event]
    return [tuple(int(r[k]) for k in ("seat", "a", "b", "c")) for r in rows]


def cards(game: Any, seat: int, places: Any, **settings: Any) -> list[str]:
    configuration = configured(**settings)
    slugs = list(configuration.content.sections["cards"])
    return [slugs[int(configuration.rules[0]["kit_card"][game["kit"][seat], place])] for place in places]


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_docstring_shows_every_key() -> None:
    text = positions.__doc__ or ""
    shown = tomllib.loads("\n".join(line[4:] for line in text.split("\n") if line.startswith("    ")))
    assert set(shown) == set(positions.TOP_KEYS)
    assert set(shown["player"][0]) == set(positions.PLAYER_KEYS)
    assert set(shown["automaton"]) <= set(positions.AUTOMATON_KEYS)
    for key in positions.AUTOMATON_KEYS:
        assert key in text, key


def test_everything_that_is_named_lies_there() -> None:
    game = read(FULL)
    assert (game["round"], game["turn"], game["active"], game["setting_up"]) == (5, 16, 1, 0)
    assert list(game["player"][:3]) == [0, 1, 2] and list(game["points"][:3]) == [23, 31, 10]
    assert list(game["tickets"][:3]) == [1, 2, 0] and game["taken"] == 3
    assert list(game["taker"][:4]) == [0, 1, 1, NONE]
    assert list(game["guests"][0]) == [2, 0, 0, 1, 0] and list(game["guests"][3]) == [0, 0, 3, 0, 0]
    assert list(game["guests"][EXTRA + 1]) == [1, 0, 0, 0, 0] and list(game["crowd"][:4]) == [3, 0, 0, 3]
    assert list(game["pile"][0]) == [1, 0, 2, 0, 0] and list(game["held"][0]) == [0, 0, 0, 1, 0]
    assert list(game["bag"]) == [8, 12, 7, 10, 12] and game["bag_size"] == 49
    assert list(game["piece_at"][0, :2]) == [3, BOARD + 2]
    assert list(game["piece_at"][1, :5]) == [EXTRA + 1, SUPPLY, TRACK + 27, 3, 1]
    assert game["stunned"][0] == 1 << 2 and game["stunned"][1] == 0
    assert cards(game, 0, game["hand"][0, :2]) == ["flex", "warm-up"] and game["hand_size"][0] == 2
    assert cards(game, 0, game["deck"][0, : game["deck_size"][0]]) == ["warm-up", "haunt", "search"]
    assert game["deck_fixed"][0] == 2 and cards(game, 0, game["discard"][0, :1]) == ["mash"]
    assert game["hand_size"][1] == NONE and game["deck_size"][1] == 3 and game["hand_size"][2] == 0
    assert game["program"][2, 0] == NONE and cards(game, 2, game["program"][2, 1:3]) == ["grab", "haunt"]
    assert list(configured().content.sections["cards"])[game["last_card"][0]] == "mash"
    assert game["last_round"] == 0 and game["trigger_seat"] == NONE


def test_doors_lie_between_two_rooms() -> None:
    angler = {"monster": "angler", "pieces": {"figure": ["d"], "door": ["a d"], "lure": ["track 12"]}}
    made = small().configure({"players": 2, "monsters.angler.copies": 1})
    found = positions.read_position(made, {"player": [angler, MUMMY]})[0]
    assert list(found["piece_at"][0, :4]) == [3, TRACK + 12, SUPPLY, BETWEEN + 3]


def test_a_position_is_played_on_from_where_it_is() -> None:
    for number in range(6):
        found = played(FULL, number)
        first = of(found, Event.TURN)[0]
        assert first == (1, 16, 5, 0)
        assert [row[1:3] for row in of(found, Event.KIT)] == [
            (list(configured().content.sections["monsters"]).index(slug), points)
            for slug, points in (("trainer", 23), ("mummy", 31), ("robot", 10))
        ]
        game = found.final
        total = game["guests"].sum(axis=0) + game["pile"].sum(axis=0) + game["held"].sum(axis=0) + game["bag"]
        assert list(total) == [12] * COLOURS
        assert found.outcome["rounds"] >= 6 and game["crowd"].sum() == game["guests"].sum()


def test_every_card_is_in_one_place() -> None:
    for number in range(6):
        game = played(FULL, number).final
        for seat in range(3):
            there = game["hand"][seat, : game["hand_size"][seat]].tolist()
            there += game["deck"][seat, game["deck_next"][seat] : game["deck_size"][seat]].tolist()
            there += game["discard"][seat, : game["discards"][seat]].tolist()
            there += [int(place) for place in game["program"][seat] if place != NONE]
            count = int(configured().rules[0]["kit_cards"][game["kit"][seat]])
            assert sorted(there) == list(range(count)), seat


def test_known_tops_come_first_and_the_rest_is_shuffled() -> None:
    slugs = list(configured().content.sections["cards"])
    dealt: Counter[tuple[str, ...]] = Counter()
    for number in range(40):
        found = played(FULL, number)
        mine = [slugs[a] for seat, a, *_ in of(found, Event.DRAW) if seat == 0]
        assert mine[:2] == ["warm-up", "haunt"][: len(mine)]
        dealt[tuple(slugs[a] for seat, a, *_ in of(found, Event.DRAW) if seat == 1)[:3]] += 1
    assert len(dealt) == 6, "a hand that is not named: every order of the three cards"


def test_a_game_can_be_taken_up_where_it_was() -> None:
    """A game's state at a turn's start, written as a position, is that state."""
    configuration = configured(monsters="trainer+mummy+robot")
    row, _ = batch.prepare(configuration, [ANYONE] * 3)
    for number in range(0, 12, 3):  # the line-up has turned by no chair
        game, work = batch.new_work(configuration, None)
        turn.set_up(game[0], row[0], work[0], number)
        for _ in range(3 + 3 * 4 + number // 3):
            turn.play_turn(game[0], row[0], work[0])
        again = positions.read_position(configuration, written(configuration, game[0]))[0]
        for name in ("points", "tickets", "pile", "held", "kit", "piece_at", "program", "hand_size", "discards"):
            assert np.array_equal(again[name][:3], game[0][name][:3]), name
        for name in ("taken", "guests", "crowd", "bag", "bag_size", "active", "turn", "round", "last_round"):
            assert np.array_equal(again[name], game[0][name]), name
        for seat in range(3):
            held = [cards(g, seat, g["hand"][seat, : g["hand_size"][seat]]) for g in (again, game[0])]
            assert held[0] == held[1]


def written(configuration: Configuration, game: Any) -> dict[str, Any]:
    """A game at a turn's start as a file says it (of monsters without doors)."""
    monsters = configuration.content.sections["monsters"]

    def colours(row: Any) -> dict[str, int]:
        return {COLOUR_NAMES[c]: int(n) for c, n in enumerate(row) if n}

    def place(kit: Any, at: int) -> str:
        if at == SUPPLY:
            return "supply"
        if at >= BOARD:
            return str(list(kit.spaces)[at - BOARD])
        return ROOMS[at] if at < EXTRA else "tomb"

    players = []
    for seat in range(3):
        slug, kit = list(monsters.items())[int(game["kit"][seat])]
        first, pieces = 0, {}
        for kind, count in kit.kinds.items():
            pieces[kind] = [place(kit, int(at)) for at in game["piece_at"][seat, first : first + count]]
            first += count
        player = {
            "monster": slug,
            "points": int(game["points"][seat]),
            "tickets": int(game["tickets"][seat]),
            "pile": colours(game["pile"][seat]),
            "passengers": colours(game["held"][seat]),
            "inside": colours(game["guests"][EXTRA + seat]),
            "hand": cards(game, seat, game["hand"][seat, : game["hand_size"][seat]]),
            "discards": cards(game, seat, game["discard"][seat, : game["discards"][seat]]),
            "pieces": pieces,
        }
        if slug == "robot":
            player["program"] = [cards(game, seat, [p])[0] if p != NONE else "none" for p in game["program"][seat]]
        players.append(player)
    return {
        "round": int(game["round"]) + 1,
        "active": int(game["active"]),
        "guests": {ROOMS[r]: colours(game["guests"][r]) for r in range(5) if game["guests"][r].any()},
        "player": players,
    }


# --- the end ---------------------------------------------------------------------------------------------------------


def test_the_last_round_is_seen() -> None:
    game = two({"active": 1, "player": [{**TRAINER, "points": 50}, MUMMY]})
    assert (game["last_round"], game["trigger_seat"]) == (1, 0)
    game = two({"active": 1, "last_round": True, "trigger": 1})
    assert (game["last_round"], game["trigger_seat"]) == (1, 1)
    game = two({"active": 1, "player": [{**TRAINER, "tickets": 4}, MUMMY]})
    assert game["last_round"] == 1
    found = played({"active": 1, "player": [{**TRAINER, "points": 60}, MUMMY]}, players=2)
    assert len(of(found, Event.TURN)) == 1 and found.outcome["rounds"] == 1


# --- the automaton ---------------------------------------------------------------------------------------------------

AUTOMATON: dict[str, Any] = {"room": "d", "points": 17, "tickets": 1, "pile": {"red": 1}}


def test_the_automaton_sits_at_seat_0() -> None:
    data = {"active": 1, "automaton": AUTOMATON, "player": [TRAINER]}
    game = read(data, players=1)
    rules = configured(players=1).rules[0]
    assert game["kit"][0] == rules["bot_kit"] and game["piece_at"][0, 0] == 3 and game["points"][0] == 17
    assert game["player"][1] == 0 and game["seats"] == 1 and game["turn"] == 1
    for number in range(3):
        found = played(data, number, players=1)
        assert of(found, Event.TURN)[0] == (1, 1, 0, 0) and of(found, Event.TURN)[1][0] == 0
        assert found.outcome["bot_points"] >= 0
    assert read({"automaton": {"room": "d"}, "player": [TRAINER]}, players=1)["points"][0] == 10


# --- what contradicts itself -----------------------------------------------------------------------------------------

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 3}, "no key 'rounds'; did you mean 'round'?"),
    ({"round": 0}, "round: 0 is no whole number from 1"),
    ({"round": 900}, "is after turn_cap 400"),
    ({"active": 2}, "active: 2 is no seat; seats are 0..1"),
    ({"player": [TRAINER]}, "1 [[player]] tables for 2 players"),
    ({"player": TRAINER}, "player is a list of [[player]] tables"),
    ({"automaton": AUTOMATON}, "there is none in this configuration"),
    ({"player": [{"pieces": {}}, MUMMY]}, "player 0: monster is missing"),
    ({"player": [{**TRAINER, "monster": "trainr"}, MUMMY]}, "no monster 'trainr'; did you mean 'trainer'?"),
    ({"player": [{**TRAINER, "monster": "angler"}, MUMMY]}, "monster = 'angler' is not in play"),
    ({"player": [MUMMY, MUMMY]}, "'mummy' is played already"),
    ({"player": [{**TRAINER, "score": 3}, MUMMY]}, "no key 'score'"),
    ({"player": [{**TRAINER, "points": -1}, MUMMY]}, "points: -1 is no whole number from 0"),
    ({"player": [{**TRAINER, "points": True}, MUMMY]}, "points: True is no whole number"),
    ({"player": [{**TRAINER, "tickets": 3}, {**MUMMY, "tickets": 2}]}, "tickets: 5 are taken, and there are 4"),
    ({"player": [{**TRAINER, "pile": {"pink": 1}}, MUMMY]}, "no colour 'pink'"),
    ({"player": [{**TRAINER, "pile": {"red": 13}}, MUMMY]}, "red: 13 is no whole number from 0 to 12"),
    ({"player": [{**TRAINER, "pile": dict.fromkeys(COLOUR_NAMES, 1)}, MUMMY]}, "such a set is turned in at once"),
    ({"player": [{**TRAINER, "pile": {"red": 7}}, {**MUMMY, "pile": {"red": 6}}]}, "13 red guests, and there are 12"),
    ({"player": [{**TRAINER, "pile": 3}, MUMMY]}, "pile is a table, not 3"),
    ({"player": [{**TRAINER, "stunned_by": 1}, MUMMY]}, "stunned_by is a list of seats"),
    ({"player": [{**TRAINER, "stunned_by": [0]}, MUMMY]}, "nobody is stunned by his own monster"),
    ({"player": [{**TRAINER, "hand": "flex"}, MUMMY]}, "hand is a list of names"),
    ({"player": [{**TRAINER, "hand": ["flexx"]}, MUMMY]}, "trainer has no card 'flexx'; did you mean 'flex'?"),
    ({"player": [{**TRAINER, "hand": ["flex", "flex"]}, MUMMY]}, "'flex' is placed already; trainer has 1"),
    ({"player": [{**TRAINER, "hand": ["grab"]}, MUMMY]}, "trainer has no card 'grab'"),
    ({"player": [{**TRAINER, "last_card": "grab"}, MUMMY]}, "last_card: trainer has no card 'grab'"),
    ({"player": [{**TRAINER, "program": ["flex"]}, MUMMY]}, "program: trainer has none"),
    ({"player": [{**ROBOT, "program": ["none"] * 4}, MUMMY]}, "program: 4 cards, and there are 3 slots"),
    ({"player": [{"monster": "trainer"}, MUMMY]}, "pieces: the room of the figure of trainer is missing"),
    ({"player": [{**TRAINER, "pieces": {"jar": []}}, MUMMY]}, "no key 'jar'"),
    ({"player": [{**TRAINER, "pieces": {"figure": ["starts"]}}, MUMMY]}, "'starts' is no place; did you mean 'start'?"),
    ({"player": [{**TRAINER, "pieces": {"figure": ["xyzzy"]}}, MUMMY]}, "'xyzzy' is no place; known: a, b"),
    ({"player": [{**TRAINER, "pieces": {"figure": ["d", "d"]}}, MUMMY]}, "figure: 2, and trainer has 1"),
    ({"player": [{**TRAINER, "pieces": {"figure": ["track 999"]}}, MUMMY]}, "track: 999 is no whole number from 0"),
    ({"player": [{"monster": "caller", "pieces": {"phone": ["party", "party"]}}, MUMMY]}, "on the same space"),
    (
        {"player": [TRAINER, {"monster": "mummy", "pieces": {"figure": ["tomb"]}}]},
        "the tomb is in no room, so nothing is in it",
    ),
    (
        {"player": [TRAINER, {**MUMMY, "pieces": {"figure": ["d"], "tomb": ["d"], "jar": ["tomb"]}}]},
        "only figures can be in the tomb",
    ),
    ({"player": [TRAINER, {**MUMMY, "inside": {"red": 1}}]}, "no token of mummy that is a room is out"),
    ({"player": [{**TRAINER, "inside": {"red": 1}}, MUMMY]}, "no token of trainer that is a room is out"),
    ({"guests": {"cellar": {"red": 1}}}, "guests: no room 'cellar'"),
    ({"guests": {"d": {"red": 13}}}, "guests, d, red: 13 is no whole number from 0 to 12"),
    ({"active": 1, "last_round": "yes"}, "last_round is true or false"),
    (
        {"active": 1, "last_round": False, "player": [{**TRAINER, "points": 50}, MUMMY]},
        "player 0 has 50 points, so that this is the last round",
    ),
    (
        {"active": 1, "last_round": False, "player": [{**TRAINER, "tickets": 4}, MUMMY]},
        "all tickets are taken, so that this is the last round",
    ),
    ({"last_round": True}, "the round has ended where it is seat 0's turn"),
    ({"trigger": 1}, "trigger: nothing has triggered the end"),
    ({"active": 1, "last_round": True, "trigger": 5}, "trigger: 5 is no seat"),
]


@pytest.mark.parametrize(("data", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_contradicts_itself_is_refused(data: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        two(data)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_what_the_configuration_says_is_refused_where_it_is_not_so() -> None:
    for data, settings, words in (
        ({}, {"monsters": "caller"}, "but the configuration gives this player 'caller'"),
        ({"active": 1, "last_round": True}, {"ruling__end_latched": False}, "ruling.end_latched = off"),
    ):
        with pytest.raises(InputError, match=words):
            two(data, **settings)
    assert two({"player": [MUMMY, MUMMY]}, same_monsters=True)["kit"][1] == 2
    assert two({"player": [{"pieces": TRAINER["pieces"]}, MUMMY]}, monsters="trainer")["kit"][0] == 0
    with pytest.raises(InputError, match="automaton: room is missing"):
        read({"player": [TRAINER]}, players=1)


def test_a_locked_room_is_refused() -> None:
    configuration = GAME.configure({"players": 2, "monsters": "mummygator+remover"})
    rooms = list(configuration.content.sections["rooms"])
    locked = next(r for r in range(int(configuration.rules[0]["rooms"])) if not configuration.rules[0]["open"] >> r & 1)
    player = [{"pieces": {"figure": [rooms[0]]}}, {"pieces": {"figure": [rooms[locked]]}}]
    with pytest.raises(InputError, match=f"the room '{rooms[locked]}' is locked"):
        positions.read_position(configuration, {"player": player})


# --- a forced deal ---------------------------------------------------------------------------------------------------


def test_a_forced_deal_is_dealt() -> None:
    configuration = configured(monsters="trainer+mummy+robot")
    slugs = list(configuration.content.sections["cards"])
    for number in range(12):
        found = trace.play_one(configuration, [ANYONE] * 3, number, deal={0: {"hand": ["warm-up", "flex", "warm-up"]}})
        seat = next(s for s in range(3) if int(found.final["player"][s]) == 0)
        drawn = [slugs[a] for s, a, *_ in of(found, Event.DRAW) if s == seat]
        assert drawn[:3] == ["warm-up", "flex", "warm-up"]
    drawn_monster = configured()
    for number in range(12):
        found = trace.play_one(drawn_monster, [ANYONE] * 3, number, deal={1: {"hand": ["mash"]}})
        seat = next(s for s in range(3) if int(found.final["player"][s]) == 1)
        first = [slugs[a] for s, a, *_ in of(found, Event.DRAW) if s == seat][0]
        assert first == "mash"


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ({3: {"hand": []}}, "3 is no player; players are 0..2"),
        ({0: {"cards": []}}, "no key 'cards'"),
        ({0: {"hand": "mash"}}, "hand is a list of names"),
        ({0: {"hand": ["mush"]}}, "no card 'mush'; did you mean 'mash'?"),
        ({0: {"hand": ["mash", "haunt", "search", "flex"]}}, "4 cards, and a hand is drawn up to 3"),
        ({0: {"hand": ["grab"]}}, "trainer has no card 'grab'"),
        ({0: {"hand": ["flex", "flex"]}}, "'flex' is placed already"),
        ({1: {"hand": ["flex"]}}, "'flex' is a card of trainer, and this player's monster is drawn"),
        ({1: {"hand": ["mash", "mash"]}}, "'mash' 2 times, and a deck has 1"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(deal: dict[int, Any], words: str) -> None:
    configuration = configured(monsters="trainer")
    with pytest.raises(InputError) as error:
        positions.force_deal(configuration, configuration.rules.copy()[0], deal)
    assert words in str(error.value) and "\n" not in str(error.value)
