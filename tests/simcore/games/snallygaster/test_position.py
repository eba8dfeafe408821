"""A position from a file is the game that it says; what it leaves open is dealt anew; a forced deal is dealt."""

import tomllib
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, trace
from simcore.errors import InputError
from simcore.game import Configuration, Player, Strategy, find_game
from simcore.games.snallygaster import position as positions
from simcore.games.snallygaster import turn
from simcore.games.snallygaster.layout import NONE, SEATS, Deck, Event, Status
from simcore.games.snallygaster.rules import setup
from simcore.games.snallygaster.tables import RIDES, deck

ANYONE = Player(Strategy("any", "", "", turn.follow_up))
KID: dict[str, Any] = {"space": "p14"}


@cache
def configured(**settings: Any) -> Configuration:
    settings = {k.replace("__", "."): v for k, v in settings.items()}
    return find_game("snallygaster").configure({"players": 3, "monster": "dover-demon", **settings})


def read(data: dict[str, Any], **settings: Any) -> Any:
    """The record that a position becomes; two Kids in the Burbs unless it says otherwise."""
    return configured(**settings).game.read_position(configured(**settings), {"kid": [KID, KID], **data})[0]  # type: ignore[misc]


def played(data: dict[str, Any], number: int = 0, **settings: Any) -> trace.Trace:
    configuration = configured(**settings)
    start = configuration.game.read_position(configuration, {"kid": [KID, KID], **data})  # type: ignore[misc]
    return trace.play_one(configuration, [ANYONE] * configuration.seats, number, position=start)


def index(section: str, slug: str, **settings: Any) -> int:
    return list(configured(**settings).content.sections[section]).index(slug)


def slugs(section: str, monster: str = "dover-demon") -> list[str]:
    return [slug for slug, _ in deck(configured().content, section, monster)]


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_docstring_shows_every_key() -> None:
    """Its example is TOML, and has each key that there is (or names it in a remark)."""
    text = positions.__doc__ or ""
    lines = [line[4:] for line in text.split("\n") if line.startswith("    ")]
    shown = tomllib.loads("\n".join(lines))
    assert set(shown) <= set(positions.TOP_KEYS)
    assert set(shown["kid"][0]) == set(positions.KID_KEYS) and set(shown["lost_kid"]) <= set(positions.LOST_KID_KEYS)
    for key in (*positions.TOP_KEYS, *positions.KID_KEYS, *positions.LOST_KID_KEYS):
        assert key in text, key


def test_the_marks_are_those_of_the_rules() -> None:
    assert (positions.BY_LOT, positions.POWERED_DOWN) == (setup.BY_LOT, setup.POWERED_DOWN)
    assert (positions.RANDOM, positions.OFF) == (setup.RANDOM, setup.OFF) == (RIDES.index("random"), RIDES.index("off"))


FULL: dict[str, Any] = {
    "doom": 4,
    "round": 6,
    "kid_turns_left": 1,
    "slots_taken": [2],
    "double": "first",
    "again": 2,
    "hidden": "gas-station",
    "powered": "far-reach",
    "hand": ["junkyard", "greenhouse"],
    "piles": ["chapel", "none", "sawmill"],
    "untold": [3],
    "discards": ["bus-depot"],
    "played": [["bus-depot", 1, "none"], ["chapel", 1, "bus-depot"]],
    "lost_kid_top": ["town-pool"],
    "item_top": ["night-light", "grape-soda"],
    "search_top": ["curfew"],
    "search_discards": ["lost-and-found", "lost-and-found"],
    "symbols_spent": ["camera-quiet"],
    "symbol_top": ["radio-howl", "radio-luck", "camera-howl"],
    "new_hand_token": False,
    "cleared": ["bait-and-tackle"],
    "tokens": {"sawmill": 2, "chapel": 1},
    "stars": ["chapel"],
    "bystanders": ["chapel", "sawmill"],
    "monster": "old-town",
    "stun": True,
    "feds": {"red": "n1", "blue": "e6"},
    "goal": 2,
    "parts_left": [1],
    "kid": [
        {"space": "e5", "ride": "skateboard", "wheels_up": ["four", "six"], "symbols": ["radio", "book-howl"]},
        {"space": "treehouse 2", "items": ["grape-soda", "flash-cubes"], "face_down": ["grape-soda"], "curses": 2},
        {"ride": "none", "wheels": ["three", "four", "five", "six", "spare-five"]},
    ],
}


def full(number: int = 0) -> trace.Trace:
    return played(FULL, number, players=4, monster="jersey-devil")


def test_everything_that_is_named_lies_there() -> None:
    game = read(FULL, players=4, monster="jersey-devil")
    configuration = configured(players=4, monster="jersey-devil")
    rules, names = configuration.rules[0], slugs("lost-kid-cards", "jersey-devil")
    assert (game["doom"], game["round"], game["turn"], game["kid_turns_left"]) == (4, 5, 17, 1)
    assert (game["slots_taken"], game["double_half"], game["again"], game["cycle"]) == (1 << 2, 0, 2, 1)
    assert names[game["hidden_card"][0]] == "gas-station"
    assert [names[c] for c in game["hand"][0, : game["hand_size"][0]]] == ["junkyard", "greenhouse"]
    assert [names[c] if c != NONE else "" for c in game["piles"][:3]] == ["chapel", "", "sawmill"]
    assert list(game["pile_told"][:3]) == [1, 0, 0] and game["plays"] == 2
    assert game["history"][1] == names.index("chapel") + 4096 * (1 + names.index("bus-depot"))
    assert game["tokens_out"] == 3 and game["tokens"][index("buildings", "sawmill")] == 2
    assert game["monster"][0] == game["monster_seen"] == index("districts", "old-town")
    assert game["monster_maybe"] == 1 << game["monster"][0]
    assert [int(rules["stop_space"][fed, game["fed_at"][fed]]) for fed in (0, 1)] == [
        int(rules["stop_space"][0, 2]),
        int(rules["stop_space"][1, 4]),
    ]
    assert game["stunned"] == 1 and game["new_hand_token"] == 0
    assert game["space"][2] == rules["treehouse_space"][1] and game["space"][3] == NONE and game["space"][0] == NONE
    assert bin(int(game["items"][2])).count("1") == 2 and bin(int(game["item_up"])).count("1") == 1
    assert game["ride"][1] == 0 and game["ride"][2] == positions.BY_LOT and game["ride"][3] == NONE
    assert bin(int(game["wheels_up"][1])).count("1") == 2 and game["wheels"][1] == rules["usual_wheels"]
    assert bin(int(game["wheels_up"][3])).count("1") == 5
    assert (game["curses"][2], game["curses_out"], game["symbols_out"], game["items_out"]) == (2, 2, 2, 2)
    assert game["goal"] == 1 and game["part_left"][0] == 1 and rules["part_times"][1, 0] == 2


def test_every_card_and_tile_is_in_one_place() -> None:
    """At the start of the game, and at its end."""
    configuration = configured(players=4, monster="jersey-devil")
    rules = configuration.rules[0]
    for number in range(20):
        game = full(number).final
        for kind in Deck:
            cards = game["deck"][kind, game["deck_next"][kind] : game["deck_size"][kind]].tolist()
            cards += game["discard"][kind, : game["discards"][kind]].tolist()
            if kind == Deck.LOST_KID:
                cards += game["hand"][0, : game["hand_size"][0]].tolist() + [int(game["hidden_card"][0])]
                cards += [int(c) for c in game["piles"] if c != NONE]
            if kind == Deck.ITEMS:
                held = [int(h) for h in game["items"]]
                assert sum(held) == int(np.bitwise_or.reduce(held))
                cards += [c for c in range(int(rules["item_cards"])) if sum(held) >> c & 1]
            count = int(rules[("cards", "item_cards", "search_cards")[kind]])
            assert sorted(cards) == list(range(count)), kind
        tiles = Counter()
        for kind in range(int(rules["symbols"])):
            in_stack = game["stack"][kind, : game["stack_size"][kind]].tolist()
            assert all(game["tile_at"][tile] == NONE and rules["tile_symbol"][tile] == kind for tile in in_stack)
            tiles.update(in_stack)
            for seat in range(SEATS):
                held = [t for t in range(20) if game["tile_at"][t] == seat and rules["tile_symbol"][t] == kind]
                assert len(held) == game["symbols"][seat, kind]
                tiles.update(held)
        tiles.update(t for t in range(20) if game["tile_at"][t] == SEATS)
        assert sorted(tiles.elements()) == list(range(int(rules["tiles"])))


def of(found: trace.Trace, event: Event) -> list[tuple[int, ...]]:
    rows = found.events[found.events["event"] == event]
    return [tuple(int(r[k]) for k in ("seat", "a", "b", "c")) for r in rows]


# --- what is left open -----------------------------------------------------------------------------------------------


def test_the_unknown_is_dealt_anew_in_every_game() -> None:
    opening: list[tuple[Any, ...]] = []
    for number in range(60):
        found = played({"round": 3, "hand": ["junkyard"]}, number)
        hand = tuple(a for _, a, *_ in of(found, Event.DRAW)[:4])
        assert hand[0] == slugs("lost-kid-cards").index("junkyard") and len(set(hand)) == 4
        opening.append((of(found, Event.HIDDEN)[0][2], hand[1:], tuple(a for _, a, *_ in of(found, Event.RIDE))))
    assert len({o[0] for o in opening}) > 15 and len({o[1] for o in opening}) == 60
    assert all(len(set(o[2])) == 2 for o in opening) and len({o[2] for o in opening}) > 20
    again = played({"round": 3, "hand": ["junkyard"]}, 7)
    assert again.events.tobytes() == played({"round": 3, "hand": ["junkyard"]}, 7).events.tobytes()


def test_the_hidden_location_is_where_it_can_be() -> None:
    left = ("chapel", "sawmill", "bus-depot")
    cleared = [slug for slug in configured().content.sections["buildings"] if slug not in left]
    data = {"cleared": cleared, "lost_kid_top": ["bus-depot"]}
    found = Counter(of(played(data, n), Event.HIDDEN)[0][2] for n in range(60))
    assert set(found) == {index("buildings", "chapel"), index("buildings", "sawmill")}, "not the card on top"
    assert min(found.values()) > 15


def test_known_tops_come_first_and_only_then_the_rest() -> None:
    """The hand that lacks is not dealt from them."""
    top = ["town-pool", "chapel"]
    for number in range(10):
        found = played({"lost_kid_top": top, "new_hand_token": False}, number)
        drawn = [slugs("lost-kid-cards")[a] for _, a, *_ in of(found, Event.DRAW)]
        assert not set(drawn[:4]) & set(top) and drawn[4:6] == top[: len(drawn[4:6])]


def test_symbol_tiles_on_top_come_first() -> None:
    """Also where Kids hold symbols of the kind, one of them by name."""
    top, rules = ["radio-howl", "radio-luck"], configured().rules[0]
    data = {"kid": [{**KID, "symbols": ["radio", "radio-quiet"]}, KID], "symbol_top": top}
    taken = 0
    for number in range(60):
        found = [a for _, a, *_ in of(played(data, number, doom_length=60), Event.SYMBOL) if a != NONE]
        names = [slugs("symbols")[a] for a in found if rules["tile_symbol"][a] == 2][:2]
        assert names == top[: len(names)]
        taken += len(names)
    assert taken > 10


def test_a_hidden_monster_is_drawn_from_where_it_can_be() -> None:
    maybe = ["old-town", "tower-hill"]
    data = {"monster_maybe": maybe, "shown": False}
    where = Counter(of(played(data, n, monster="snallygaster"), Event.MONSTER_AT)[0][1:3] for n in range(40))
    assert set(where) == {(index("districts", slug), 1) for slug in maybe} and min(where.values()) > 8
    game = read({"monster": "old-town", "shown": True}, monster="snallygaster")
    assert game["monster_seen"] == index("districts", "old-town")
    assert read({}, monster="snallygaster")["monster"][0] == NONE and read({})["monster"][0] != NONE


def test_a_rescued_lost_kid_is_on_the_board() -> None:
    data = {"hidden": "chapel", "round": 6, "lost_kid": {"space": "e5", "rescue_round": 4, "items": ["flat-tire"]}}
    game = read(data)
    assert (game["rescued"], game["freed_at"], game["rescue_round"]) == (1, index("buildings", "chapel"), 3)
    powered = set()
    for number in range(20):
        found = played(data, number)
        final, rules = found.final, configured().rules[0]
        assert (
            final["rescued"] == 1 and final["span"][2] == 4 and int(final["items"][0]) >> int(final["powered"][0]) & 1
        )
        assert int(final["items"][0]) < 1 << int(rules["powered_first"] + rules["powered_cards"])
        powered.add(int(final["powered"][0]))
    assert len(powered) == 4
    down = {**data, "powered": "far-reach", "lost_kid": {"space": "e5", "face_down": ["far-reach"]}}
    used = [of(played({**down, "lost_kid": {"space": "e5"}}, n), Event.USE) for n in range(30)]
    assert any(seat == 0 for events in used for seat, *_ in events), "face up: it can be used"
    first_turn = [played(down, n, turn_cap=16) for n in range(20)]
    assert not any(seat == 0 for found in first_turn for seat, *_ in of(found, Event.USE))


def test_a_game_can_be_taken_up_where_it_was() -> None:
    """The rounds and turns go on as they would have."""
    for left, taken in ((0, []), (2, []), (1, [1])):
        found = played({"round": 6, "kid_turns_left": left, "slots_taken": taken})
        first = found.events[found.events["event"] == Event.TURN][0]
        assert first["b"] == 5 and first["a"] == 15 + (3 - left) % 3
        assert (first["seat"] == 0) == (left == 0) and first["seat"] not in taken
        assert found.outcome["rounds"] >= 6
    assert played({}).events[-1]["event"] == Event.END


def test_the_2x_token_goes_on_where_it_was() -> None:
    kids = [KID, KID, KID]
    second = played({"kid": kids, "kid_turns_left": 2, "slots_taken": [1, 3], "double": "second"}, players=4)
    turns = [seat for seat, *_ in of(second, Event.TURN)]
    assert turns[:3] == [2, 2, 0]
    again = played({"kid": kids, "kid_turns_left": 1, "slots_taken": [3], "double": "first", "again": 3}, players=4)
    turns = [seat for seat, *_ in of(again, Event.TURN)]
    assert turns[:2] == [3, 0] and sorted(turns[2:4]) == [1, 2]


def test_two_players_have_two_kids() -> None:
    found = played({}, players=2)
    assert found.outcome["status"] in (Status.WON, Status.LOST) and found.final["seats"] == 3


# --- what is refused -------------------------------------------------------------------------------------------------

TREES = {"monster": "snallygaster"}
BAD: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({"wrong": 1}, "no key 'wrong'", {}),
    ({"dom": 1}, "did you mean 'doom'", {}),
    ({"doom": 10}, "10 is no whole number from 0 to 9", {}),
    ({"doom": True}, "True is no whole number", {}),
    ({"round": 200}, "after turn_cap", {}),
    ({"kid": [KID]}, r"1 \[\[kid\]\] tables for 2 Kids", {}),
    ({"kid": KID}, r"list of \[\[kid\]\] tables", {}),
    ({"kid": [{"spce": "e5"}, KID]}, "Kid 1: no key 'spce'; did you mean 'space'", {}),
    ({"kid": [{"space": "z9"}, KID]}, "Kid 1: no space 'z9'", {}),
    ({"kid": [{"space": "treehouse 9"}, KID]}, "9 is no whole number from 1 to 4", {}),
    ({"kid": [{"space": 5}, KID]}, "no space 5", {}),
    ({"kid": [{**KID, "items": ["grape-sda"]}, KID]}, "did you mean 'grape-soda'", {}),
    ({"kid": [{**KID, "items": ["flat-tire"]}, {**KID, "items": ["flat-tire"]}]}, "all copies of 'flat-tire'", {}),
    ({"kid": [{**KID, "items": "flat-tire"}, KID]}, "items is a list of names", {}),
    ({"kid": [{**KID, "face_down": ["flat-tire"]}, KID]}, "'flat-tire' is none of the items", {}),
    ({"kid": [{**KID, "ride": "skatebord"}, KID]}, "did you mean 'skateboard'", {}),
    ({"kid": [{**KID, "ride": "skateboard"}] * 2}, "all copies of 'skateboard'", {}),
    ({"kid": [{**KID, "ride": "skateboard"}, KID]}, "rides = off", {"rides": "off"}),
    ({"kid": [{**KID, "wheels_up": []}, KID]}, "one at least of the Kid's own wheels", {}),
    ({"kid": [{**KID, "wheels_up": ["spare-four"]}, KID]}, "one at least of the Kid's own wheels", {}),
    ({"kid": [{**KID, "wheels_up": ["four", "four"]}, KID]}, "'four' stands there twice", {}),
    ({"kid": [{**KID, "wheels": ["spare-four"]}] * 2}, "same spare wheel", {}),
    ({"kid": [{**KID, "curses": 1}, KID]}, "no curses", {}),
    ({"kid": [{**KID, "curses": 3}, KID]}, "3 is no whole number from 0 to 2", {"monster": "jersey-devil"}),
    ({"kid": [{**KID, "symbols": ["radios"]}, KID]}, "no card 'radios'", {}),
    ({"kid": [{**KID, "symbols": ["radio"] * 6}, KID]}, "6 radio symbols are more than", {}),
    ({"kid": [{**KID, "reused": 1}, KID]}, "reused is true or false", {}),
    ({"kid": [{}, KID], "kid_turns_left": 1, "slots_taken": [1]}, "who has taken a turn is on the board", {}),
    ({"kid_turns_left": 3}, "3 is no whole number from 0 to 2", {}),
    ({"kid_turns_left": 1}, "does not go with 0 slots taken", {}),
    ({"slots_taken": [1]}, "does not go with 1 slots taken", {}),
    ({"slots_taken": [3]}, "3 is no whole number from 1 to 2", {}),
    ({"slots_taken": [1, 2]}, "the tokens go home", {}),
    ({"slots_taken": 1}, "slots_taken is a list", {}),
    ({"double": "first"}, "only for three Kids", {}),
    ({"kid": [KID] * 3, "double": "third"}, "no half 'third'", {"players": 4}),
    ({"kid": [KID] * 3, "again": 2}, "has not just taken the slot", {"players": 4}),
    ({"kid": [KID] * 3, "again": 2, "slots_taken": [1], "kid_turns_left": 1}, "has not just", {"players": 4}),
    ({"tokens": {"sawmil": 1}}, "did you mean 'sawmill'", {}),
    ({"tokens": {"sawmill": 12, "chapel": 1}}, "tokens: 13, and there are 12", {}),
    ({"tokens": ["sawmill"]}, "tokens is a table", {}),
    ({"bystanders": ["sawmill", "sawmill"]}, "stands there twice", {}),
    ({"stars": ["sawmill", "chapel", "bus-depot", "bandstand", "greenhouse"]}, "stars: 5, and there are 4", {}),
    ({"lights": ["sawmill"]}, "no district 'sawmill'", {}),
    ({"hatchlings": ["sawmill"]}, "they sit on trees", TREES),
    ({"feds": {"green": "e6"}}, "no key 'green'", {}),
    ({"feds": {"red": "e7"}}, "feds, red: no stop 'e7'", {}),
    ({"monster": "oldtown"}, "did you mean 'old-town'", {}),
    ({"shown": False}, "does not hide", {}),
    ({"monster_maybe": ["old-town"]}, "only for a hidden monster", {}),
    ({"monster_maybe": ["old-town"], "monster": "tower-hill"}, "not among them", TREES),
    ({"fixed_on": 1}, "not fixed on anybody", TREES),
    ({"fixed_on": 3}, "3 is no whole number from 0 to 2", {}),
    ({"fixed_on": 0}, "seat 0 is not on the board", {}),
    ({"hidden": "sawmil"}, "did you mean 'sawmill'", {}),
    ({"hidden": "sawmill", "cleared": ["sawmill"]}, "'sawmill' is cleared", {}),
    ({"hidden": "sawmill", "hand": ["sawmill"]}, "no card of the Lost Kid deck can hide him in 'sawmill'", {}),
    ({"hidden": "video-arcade"}, "can hide him in 'video-arcade'", {"hidden_buildings": 10}),
    ({"powered": "far-reech"}, "did you mean 'far-reach'", {}),
    ({"hand": ["sawmill", "sawmill"]}, "all copies of 'sawmill'", {}),
    ({"hand": ["pine-barrens-howl"]}, "no card 'pine-barrens-howl'", {}),
    ({"piles": ["sawmill"] * 4}, "piles: 4, and there are 3", {}),
    ({"untold": [4]}, "4 is no whole number from 1 to 3", {}),
    ({"played": [["sawmill", 1]]}, "a list of", {}),
    ({"played": [["sawmill", 4, "none"]]}, "4 is no whole number from 1 to 3", {}),
    ({"new_hand_token": "spent"}, "true or false", {}),
    ({"lost_kid": {"space": "e5"}}, "hidden is missing", {}),
    ({"lost_kid": {}, "hidden": "chapel"}, "no space None", {}),
    ({"lost_kid": {"space": "none"}, "hidden": "chapel"}, "who is rescued is on the board", {}),
    ({"lost_kid": {"space": "e5", "rescue_round": 4}, "hidden": "chapel"}, "4 is no whole number from 1 to 1", {}),
    ({"goal": 5}, "5 is no whole number from 1 to 4", {}),
    ({"parts_left": [1, 1]}, "goal 1 has 1 parts", {}),
    ({"parts_left": [0]}, "nothing is left to do", {}),
    ({"goal": 3, "parts_left": [0, 1]}, "done by the rescue, and only by it", {}),
    ({"search_top": ["curfw"]}, "did you mean 'curfew'", {}),
    ({"symbol_top": ["radio-howl", "radio-howl"]}, "all copies of 'radio-howl'", {}),
]


@pytest.mark.parametrize(("data", "message", "settings"), BAD, ids=lambda x: x if isinstance(x, str) else "")
def test_bad_positions_are_refused_in_one_line(data: dict[str, Any], message: str, settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(data, **settings)
    assert "\n" not in str(caught.value)


def test_a_position_is_for_its_number_of_players() -> None:
    start = configured().game.read_position(configured(), {"kid": [KID, KID]})  # type: ignore[misc]
    with pytest.raises(InputError, match="the position has 3 players, the configuration 4"):
        trace.play_one(configured(players=4), [ANYONE] * 4, 0, position=start)


# --- a forced deal ---------------------------------------------------------------------------------------------------


def dealt(deal: dict[int, dict[str, Any]], number: int) -> trace.Trace:
    return trace.play_one(configured(players=4, turn_cap=10), [ANYONE] * 4, number, deal=deal)


def test_a_forced_deal_is_dealt_in_every_game() -> None:
    deal = {0: {"hidden": "chapel"}, 1: {"ride": "kick-scooter"}, 3: {"item": "smoke-bomb", "ride": "skateboard"}}
    items, rides, others = slugs("items"), slugs("rides"), set()
    for number in range(80):
        found = dealt(deal, number)
        assert of(found, Event.HIDDEN)[0][2] == index("buildings", "chapel")
        assert [items[a] for seat, a, *_ in of(found, Event.ITEM) if seat == 3][0] == "smoke-bomb"
        assert sum(items[a] == "smoke-bomb" for _, a, *_ in of(found, Event.ITEM)) == 1
        ride = {seat: rides[a] for seat, a, *_ in of(found, Event.RIDE)}
        assert (ride[1], ride[3]) == ("kick-scooter", "skateboard") and len(set(ride.values())) == 3
        others.add(ride[2])
    assert len(others) == 5


def test_a_forced_deal_leaves_the_rest_of_the_luck() -> None:
    """The other Kids keep their items, but for who would have had the forced card or drawn after it."""
    same = 0
    for number in range(40):
        plain, forced = dealt({}, number), dealt({3: {"item": "smoke-bomb"}}, number)
        first = [{s: a for s, a, *_ in reversed(of(t, Event.ITEM)[:5])} for t in (plain, forced)]
        same += all(first[0].get(seat) == first[1].get(seat) for seat in (1, 2))
        assert of(plain, Event.HIDDEN) == of(forced, Event.HIDDEN)
    assert same > 25


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({4: {"item": "smoke-bomb"}}, "4 is no whole number from 0 to 3"),
        ({1: {"itm": "smoke-bomb"}}, "did you mean 'item'"),
        ({1: {"item": "smoke"}}, "no card 'smoke'"),
        ({1: {"ride": "scooter"}}, "did you mean 'kick-scooter'"),
        ({0: {"item": "smoke-bomb"}}, "no key 'item'"),
        ({1: {"hidden": "chapel"}}, "no key 'hidden'"),
        ({0: {"hidden": "chapl"}}, "did you mean 'chapel'"),
        ({1: {"item": "smoke-bomb"}, 2: {"item": "smoke-bomb"}}, "all copies of 'smoke-bomb'"),
    ],
)
def test_bad_deals_are_refused(deal: dict[int, dict[str, Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        dealt(deal, 0)


def test_no_ride_is_forced_where_none_is_dealt() -> None:
    configuration = configured(rides="off")
    with pytest.raises(InputError, match="rides = off"):
        trace.play_one(configuration, [ANYONE] * 3, 0, deal={1: {"ride": "skateboard"}})


def test_strategies_play_from_positions() -> None:
    configuration = configured(players=4, monster="jersey-devil")
    start = configuration.game.read_position(configuration, FULL)  # type: ignore[misc]
    players = strategies.line_up("snallygaster", 4, ["random"])
    total = batch.total(configuration, players, games=600, position=start, threads=1)
    assert total.games == 600 and total.status[[Status.WON, Status.LOST, Status.CAPPED]].sum() == 600
