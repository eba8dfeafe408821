"""The rulebook's examples, set up from the content and played move by move; what the rules say of turns and tokens in
any game."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, trace
from simcore.game import Configuration, Player, Strategy, find_game
from simcore.games.snallygaster import turn
from simcore.games.snallygaster.layout import NONE, Direction, Event, Option, Part, Search, Source, Status, Tally
from simcore.games.snallygaster.telling import Names

ANYONE = Player(Strategy("any", "", "", turn.follow_up))
RED, BLUE = 0, 1
MONSTERS = ("dover-demon", "jersey-devil", "snallygaster", "bloody-mary")
SARAH, AHMAD, CHARLIE, INDIGO = 1, 2, 3, 4
QUIET = {"patrol_speed": 0}  # the Feds stay where they are in step 3


# --- how an example is played ----------------------------------------------------------------------------------------


@cache
def configured(**settings: Any) -> Configuration:
    return find_game("snallygaster").configure({"monster": "dover-demon", **settings})


class Town:
    """Numbers of what an example names."""

    def __init__(self, configuration: Configuration) -> None:
        self.rules, self.names = configuration.rules[0], Names(configuration)
        self.sections = configuration.content.sections

    def building(self, slug: str) -> int:
        return list(self.sections["buildings"]).index(slug)

    def district(self, slug: str) -> int:
        return list(self.sections["districts"]).index(slug)

    def space(self, at: str) -> int:
        return self.names.at.index(at)

    def card(self, name: str) -> int:
        return self.names.cards.index(name)


def option(kind: Option, a: int = 0, b: int = 0, c: int = 0) -> int:
    return int(kind) + 16 * a + 65536 * b + 4194304 * c


def play(
    position: dict[str, Any], moves: list[int], turns: int = 1, number: int = 0, **settings: Any
) -> tuple[Town, trace.Trace]:
    """Play `moves` from the position, then anything; the game is broken off after `turns` turns unless it ends."""
    kids = len(position["kid"])
    settings = {"players": {2: 3, 3: 4, 4: 5}[kids], "new_hand_token": False, **settings}
    settings = {k.replace("__", "."): v for k, v in settings.items()}
    begun = configured(**settings).game.read_position(configured(**settings), position)  # type: ignore[misc]
    configuration = configured(**settings, turn_cap=max(10, int(begun[0]["turn"]) + turns))
    if begun[0]["turn"] + turns < 10:  # turn_cap is 10 at least: begin later
        return play({**position, "round": position.get("round", 1) + 4}, moves, turns, number, **settings)
    seats = [ANYONE] * configuration.seats
    played = trace.play_one(configuration, seats, number, position=begun, script=moves)
    assert played.outcome["status"] != Status.ILLEGAL, "the script names an option that is not on offer"
    return Town(configuration), played


def events(played: trace.Trace, kind: Event) -> list[tuple[int, ...]]:
    rows = played.events[played.events["event"] == kind]
    return [tuple(int(row[k]) for k in ("seat", "a", "b", "c")) for row in rows]


def order(played: trace.Trace, *kinds: Event) -> list[Event]:
    return [Event(int(e)) for e in played.events["event"] if e in kinds]


def dooms(played: trace.Trace) -> list[tuple[int, int]]:
    """(amount, Source) of each step of the doom marker."""
    return [(a, c) for _, a, _, c in events(played, Event.DOOM)]


PLAY = option(Option.PLAY)  # the first card of the hand onto the first pile


def attack(where: str, *kids: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The Lost Kid is about to play a card with an attack where the monster is."""
    return {"round": 5, "monster": where, "hand": ["petrovs-house"], "kid": list(kids), **more}


# --- the Lost Kid's turn ---------------------------------------------------------------------------------------------


def test_sarah_on_a_road_beside_the_district_is_hit() -> None:
    """Monster Attacks: a road on the edge of the District is part of it; +1 doom, and to the nearest Treehouse."""
    town, played = play(attack("old-town", {"space": "f6"}, {"space": "f3"}), [PLAY], **QUIET)
    bits = int(town.rules["district_bits"][town.space("f6")])
    assert town.rules["is_road"][town.space("f6")] and bits & (bits - 1), "a road between several Districts"
    assert [seat for seat, *_ in events(played, Event.HIT)] == [SARAH], "the other one is two Districts away"
    assert dooms(played) == [(1, Source.ATTACK)]
    near = int(town.rules["nearest_treehouses"][town.space("f6")])
    treehouse = int(town.rules["treehouse_of"][played.final["space"][SARAH]])
    assert treehouse != NONE and near >> treehouse & 1
    assert int(played.final["space"][AHMAD]) == town.space("f3")


def test_a_kid_in_a_treehouse_is_safe() -> None:
    town, played = play(attack("lakeside", {"space": "treehouse 1"}, {"space": "p14"}), [PLAY], **QUIET)
    assert int(town.rules["district_bits"][played.final["space"][SARAH]]) >> town.district("lakeside") & 1
    assert not events(played, Event.HIT) and not dooms(played)


def test_everybody_in_the_district_is_hit_and_each_is_a_doom() -> None:
    kids = [{"space": "f7"}, {"space": "g7"}, {"space": "f6"}]
    _, played = play(attack("old-town", *kids), [PLAY], **QUIET)
    assert [seat for seat, *_ in events(played, Event.HIT)] == [1, 2, 3]
    assert dooms(played) == [(1, Source.ATTACK)] * 3


def test_ahmad_in_the_duchess_house_is_caught_as_the_feds_drive_by() -> None:
    """Caught by the Feds: 2 Intersections, and he is beside the road of the second."""
    position = {"round": 5, "hand": ["roller-rink"], "feds": {"red": "c11"}, "kid": [{"space": "p14"}, {"space": "d7"}]}
    town, played = play(position, [PLAY], **QUIET)
    assert town.rules["building_of"][town.space("d7")] == town.building("duchess-house")
    stops = [town.names.at[int(town.rules["stop_space"][RED, b])] for _, a, b, _ in events(played, Event.FED)]
    assert stops == ["e11", "e6"]
    assert order(played, Event.FED, Event.CAUGHT, Event.SENT) == [Event.FED, Event.FED, Event.CAUGHT, Event.SENT]
    assert events(played, Event.CAUGHT) == [(AHMAD, RED, 0, 0)]
    assert dooms(played) == [(1, Source.CAUGHT)]
    assert town.rules["treehouse_of"][played.final["space"][AHMAD]] != NONE


def test_a_full_patrol_is_a_doom() -> None:
    position = {
        "round": 5,
        "hand": ["roller-rink"],
        "feds": {"red": "e11"},
        "kid": [{"space": "p14"}, {"space": "p14"}],
    }
    town, played = play(position, [PLAY], **QUIET)
    assert int(played.final["fed_at"][RED]) == 0 and dooms(played) == [(1, Source.PATROL)]


def test_the_monster_cannot_move_east_at_the_edge_of_the_board() -> None:
    """Moving the Monster: +1 doom as a penalty, and it stays where it is without an attack."""
    kid = {"space": "p5"}  # in its District: it does nothing to him
    position = {"round": 5, "monster": "tower-hill", "hand": ["high-school"], "kid": [kid, {"space": "p14"}]}
    town, played = play(position, [PLAY], **QUIET)
    assert town.rules["neighbours"][town.district("tower-hill"), Direction.EAST] == 0
    assert events(played, Event.CANNOT) == [(0, Source.CANNOT_MOVE, 0, 0)]
    assert dooms(played) == [(1, Source.CANNOT_MOVE)]
    assert not events(played, Event.MONSTER) and not events(played, Event.ATTACK)
    assert int(played.final["monster"][0]) == town.district("tower-hill")


def test_the_blue_feds_flee_three_intersections() -> None:
    position = attack("old-town", {"space": "p14"}, {"space": "p14"}, feds={"blue": "h6", "red": "l16"})
    town, played = play(position, [PLAY], **QUIET)
    driven = events(played, Event.FED)
    assert [a for _, a, _, _ in driven] == [BLUE] * 3
    stops = [town.names.at[int(town.rules["stop_space"][BLUE, b])] for _, _, b, _ in driven]
    assert stops == ["j6", "l6", "n6"], "three further on their route"
    assert order(played, Event.ATTACK, Event.FED)[0] == Event.ATTACK


def test_a_lost_kid_card_puts_a_token_on_the_abandoned_house() -> None:
    position = {"round": 5, "hand": ["abandoned-house"], "kid": [{"space": "p14"}, {"space": "p14"}]}
    town, played = play(position, [PLAY], **QUIET)
    house = town.building("abandoned-house")
    assert [(a, b, c) for _, a, b, c in events(played, Event.TOKEN)] == [(house, 0, 0)]
    assert int(played.final["tokens"][house]) == 1 == int(played.final["tokens_out"])
    _, again = play({**position, "tokens": {"abandoned-house": 1}}, [PLAY], **QUIET)
    assert int(again.final["tokens"][house]) == 2, "a Building may have more than 1"


def test_jenkins_savings_and_loan_gets_a_token_from_a_set_up_card() -> None:
    """Each set-up card puts a token on its Building; the first three begin the piles."""
    configuration = configured(players=4)
    town = Town(configuration)
    jenkins, met = town.building("jenkins-savings-and-loan"), 0
    for number in range(40):
        played = trace.play_one(configuration, [ANYONE] * 4, number)
        cards = [(a, b) for _, a, b, _ in events(played, Event.SETUP_CARD)]
        tokens = [a for _, a, b, c in events(played, Event.TOKEN) if b == 3 and c == 0]
        assert [int(town.rules["card_building"][card]) for card, _ in cards] == tokens
        assert [pile for _, pile in cards] == [0, 1, 2, 0, 1]
        if jenkins in tokens:
            met += 1
            assert any(town.names.cards[card] == "A Round Steel Door" for card, _ in cards)
    assert met


def test_two_clues_point_at_the_duttons_house() -> None:
    """Important Rules for the Lost Kid: it lies between the dog house and the park sign."""
    town = Town(configured(players=4))
    landmarks, count = list(town.sections["landmarks"]), int(town.rules["buildings"])
    dogs, sign = (
        np.asarray(town.rules["hint_weight"][landmarks.index(slug), :count])
        for slug in ("dog-house", "celia-dempsey-park-sign")
    )
    house = town.building("duttons-house")

    def belief(*weights: np.ndarray) -> np.ndarray:
        product = np.prod(weights, axis=0)
        return product / product.sum()

    assert 1 / count < belief(dogs)[house] < belief(dogs, sign)[house], "close to the dog house; clearer with the sign"
    assert 1 / count < belief(sign)[house] < belief(dogs, sign)[house]
    assert belief(dogs, sign)[house] == belief(dogs, sign).max(), "of all Buildings the likeliest"


# --- the Kids' turns -------------------------------------------------------------------------------------------------


def kid_turn(kid: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The turn of Kid 1; the other one has had his."""
    other = {"space": "p14", "ride": "kick-scooter"}
    return {"round": 5, "kid_turns_left": 1, "slots_taken": [2], "kid": [{"ride": "trick-bike", **kid}, other], **more}


def stay(town: Town, at: str) -> list[int]:
    """The wheel three, and a movement that ends where it begins."""
    return [option(Option.WHEEL, 0), option(Option.MOVE, town.space(at))]


HOTEL: dict[str, Any] = {
    "tokens": {"clemency-hotel": 1},
    "search_top": ["phone-in-the-lobby"],
    "symbol_top": ["radio-howl"],
    "monster": "northgate",
    "feds": {"blue": "n6"},
}


def test_charlie_searches_the_clemency_hotel_and_takes_the_symbol() -> None:
    """Searching Buildings: the token goes, the card is a choice; the tile calls the Monster, and is kept."""
    town = Town(configured(players=3))
    token, radio = option(Option.SEARCH, Search.TOKEN), town.names.symbols.index("radio")
    moves = [*stay(town, "f7"), token, option(Option.BRANCH, 1)]
    town, played = play(kid_turn({"space": "f7"}, **HOTEL), moves, **QUIET)
    hotel = town.building("clemency-hotel")
    assert events(played, Event.SEARCH) == [(1, Search.TOKEN, hotel, 0)]
    assert int(played.final["tokens"][hotel]) == 0 == int(played.final["tokens_out"])
    assert [town.names.search_cards[a] for _, a, *_ in events(played, Event.CARD)] == ["The Phone In The Lobby"]
    assert [(a, b) for _, a, b, _ in events(played, Event.FED)] == [(RED, 1), (RED, 2)]
    assert [town.names.tiles[a] for _, a, *_ in events(played, Event.SYMBOL)] == ["Radio: Something Heard You"]
    assert [a for _, a, *_ in events(played, Event.MONSTER)] == [town.district("old-town")], "towards the closest Kid"
    assert int(played.final["symbols"][1, radio]) == 1, "kept"
    wanted = [Event.SEARCH, Event.CARD, Event.CHOSE, Event.FED, Event.FED, Event.SYMBOL, Event.MONSTER, Event.HIT]
    assert order(played, *wanted) == wanted


def test_charlie_may_get_away_instead() -> None:
    """A free move of 5 spaces, without another search."""
    town = Town(configured(players=3))
    far = next(  # five steps and no road bonus
        s for s in range(int(town.rules["spaces"])) if town.rules["distance"][0, town.space("f7"), s] == 5
    )
    position = kid_turn({"space": "f7"}, **HOTEL)
    away = [*stay(town, "f7"), option(Option.SEARCH, Search.TOKEN), option(Option.BRANCH, 0), option(Option.MOVE, far)]
    town, played = play(position, away, **QUIET)
    assert int(played.final["space"][1]) == far
    assert not events(played, Event.SYMBOL) and not events(played, Event.MONSTER) and not events(played, Event.FED)
    assert len(events(played, Event.SEARCH)) == 1


def test_indigo_at_harris_drug_store_does_the_first_goal_of_the_dover_demon() -> None:
    """Searching Goal Locations: the card is flipped, and no Search card is drawn."""
    town = Town(configured(players=3))
    store = town.building("harris-drug-store")
    at = town.names.at[int(town.rules["building_space"][store, 0])]
    assert (town.rules["part_kind"][0, 0], town.rules["part_where"][0, 0]) == (Part.SEARCH, store)
    position = kid_turn({"space": at}, tokens={"harris-drug-store": 1})
    town, played = play(position, [*stay(town, at), option(Option.SEARCH, Search.GOAL)], **QUIET)
    assert [town.names.goals[a] for _, a, *_ in events(played, Event.GOAL)] == ["Talk To Lance"]
    assert int(played.final["goal"]) == 1 and not events(played, Event.CARD)
    assert int(played.final["tokens"][store]) == 1, "a Search token there stays"


def test_wheels_come_up_again_after_the_last_and_in_a_treehouse() -> None:
    town = Town(configured(players=3))
    _, played = play(kid_turn({"space": "p14", "wheels_up": ["three"]}), stay(town, "p14"), **QUIET)
    assert int(played.final["wheels_up"][1]) == int(town.rules["usual_wheels"])
    at = town.names.at[int(town.rules["treehouse_space"][0])]
    kid = {"space": at, "wheels_up": ["three", "four"], "items": ["flat-tire"], "face_down": ["flat-tire"]}
    treehouse = option(Option.SEARCH, Search.TREEHOUSE)
    chapel = option(Option.BUILDING, town.building("chapel"))
    _, played = play(kid_turn(kid), [*stay(town, at), treehouse, chapel, option(Option.PASS)], **QUIET)
    assert int(played.final["wheels_up"][1]) == int(town.rules["usual_wheels"])
    assert int(played.final["item_up"]) == int(played.final["items"][1]) != 0
    assert int(played.final["tokens"][town.building("chapel")]) == 1


def test_a_rescued_lost_kid_moves_as_far_as_the_card_says() -> None:
    """After They Are Rescued: a card with a 5 moves up to 5 spaces, then he searches like a normal Kid."""
    town = Town(configured(players=3))
    hotel = town.building("clemency-hotel")
    target = int(town.rules["building_space"][hotel, 0])
    here = next(
        s
        for s in range(int(town.rules["spaces"]))
        if town.rules["distance"][0, s, target] == 5 and not town.rules["is_road"][s]
    )
    position = {
        "round": 6,
        "hidden": "chapel",
        "powered": "second-sight",
        "hand": ["funeral-home"],  # movement 5
        "tokens": {"clemency-hotel": 1},
        "search_top": ["lost-and-found"],
        "monster": "tower-hill",
        "feds": {"red": "l16", "blue": "n6"},
        "lost_kid": {"space": town.names.at[here]},
        "kid": [{"space": "p14"}, {"space": "p14"}],
    }
    moves = [PLAY, option(Option.MOVE, target), option(Option.SEARCH, Search.TOKEN), option(Option.PASS)]
    town, played = play(position, moves, **QUIET)
    assert events(played, Event.MOVE) == [(0, target, 1, 0)]
    assert events(played, Event.SEARCH) == [(0, Search.TOKEN, hotel, 0)]
    assert int(town.rules["card_movement"][town.card("Too Many Flowers")]) == 5
    further = next(
        s for s in range(int(town.rules["spaces"])) if town.rules["need"][town.rules["way"][-1, 0], here, s] == 6
    )
    with pytest.raises(AssertionError, match="not on offer"):
        play(position, [PLAY, option(Option.MOVE, further)], **QUIET)


# --- whose turn it is ------------------------------------------------------------------------------------------------


def seats(played: trace.Trace) -> list[int]:
    return [seat for seat, *_ in events(played, Event.TURN)]


def test_the_turn_order_of_five_players() -> None:
    """Lost Kid, Sarah, Ahmad, Lost Kid, Charlie, Indigo, and all tokens go home."""
    kids = [{"space": "p14"}] * 4
    position = {"round": 5, "kid_turns_left": 2, "kid": kids}
    who = [option(Option.KID, seat) for seat in (SARAH, AHMAD)]
    town = Town(configured(players=5))
    turn_of = [option(Option.WHEEL, 0), option(Option.MOVE, town.space("p14"))]
    _, played = play(position, [who[0], *turn_of, who[1], *turn_of], turns=6, rides="off", **QUIET)
    found = seats(played)
    assert found[:2] == [SARAH, AHMAD] and found[2] == 0 and found[5] == 0
    assert sorted(found[3:5]) == [CHARLIE, INDIGO]
    assert int(played.final["slots_taken"]) == 0 == int(played.final["cycle"])
    with pytest.raises(AssertionError, match="not on offer"):
        play(position, [who[0], *turn_of, who[0]], turns=2, rides="off", **QUIET)


@cache
def games(players: int, monster: str = "dover-demon", **settings: Any) -> list[trace.Trace]:
    configuration = configured(players=players, monster=monster, **settings)
    return [trace.play_one(configuration, [ANYONE] * players, number, seed=3) for number in range(30)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_kid_turns_after_each_lost_kid_turn_and_equal_slots(players: int) -> None:
    kids = {2: 2, 3: 2, 4: 3, 5: 4}[players]
    for played in games(players):
        found = seats(played)
        assert [i for i, seat in enumerate(found) if seat == 0] == list(range(0, len(found), 3))
        kid_turns = [seat for seat in found if seat]
        cycle = kids + (kids == 3)
        for i in range(0, len(kid_turns) - cycle + 1, cycle):
            taken = kid_turns[i : i + cycle]
            assert set(taken) == set(range(1, kids + 1)), "every Kid once before anybody's second"
            if kids == 3:
                half = events(played, Event.DOUBLE)[0][1]
                assert taken[2 * half] == taken[2 * half + 1], "2 turns in a row beside the 2x token"
                assert Counter(taken).most_common(1)[0] == (taken[2 * half], 2)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("monster", MONSTERS)
def test_nobody_is_hit_or_caught_before_the_first_turn(players: int, monster: str) -> None:
    arrived = 0
    for played in games(players, monster):
        there: set[int] = {0}
        for row in played.events:
            event, seat = int(row["event"]), int(row["seat"])
            if event == Event.ARRIVES:
                there.add(seat)
                arrived += 1
            if event in (Event.HIT, Event.CAUGHT, Event.SENT, Event.MOVE):
                assert seat in there
    assert arrived > 0


@pytest.mark.parametrize("players", [3, 4, 5])
def test_who_is_on_the_board_at_the_first_lost_kid_turns(players: int) -> None:
    """Nobody on the first; on the second two Kids, or with three Kids the one who has just taken both turns."""
    for played in games(players):
        there, before = 0, []
        for row in played.events:
            there += int(row["event"] == Event.ARRIVES)
            if row["event"] == Event.TURN and row["seat"] == 0:
                before.append(there)
        double = players == 4 and events(played, Event.DOUBLE)[0][1] == 0
        everybody = {3: 2, 4: 3, 5: 4}[players]
        assert before[:3] == [0, 1 if double else 2, everybody][: len(before[:3])]


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("monster", MONSTERS)
def test_search_tokens_come_and_go_as_the_rules_say(players: int, monster: str) -> None:
    """5 at set-up, one a Lost Kid card, one a treehouse search, more by effects; a search takes one; 12 in the box."""
    searches = 0
    for played in games(players, monster):
        placed: Counter[int] = Counter()
        out = most = 0
        for row in played.events:
            if row["event"] == Event.TOKEN and row["c"] == 0:
                placed[int(row["b"])] += 1
                out += 1
            elif row["event"] == Event.TOKEN:
                assert out == 12, "none is placed only where the supply is empty"
            elif row["event"] == Event.SEARCH and row["a"] == Search.TOKEN:
                out -= 1
                searches += 1
            most = max(most, out)
            assert 0 <= out <= 12
        assert out == int(played.final["tokens_out"]) == int(played.final["tokens"].sum())
        assert placed[3] == 5 and placed[0] <= len(events(played, Event.PLAY))
        treehouses = [a for _, a, *_ in events(played, Event.SEARCH)].count(Search.TREEHOUSE)
        assert placed[2] <= treehouses
        in_turn = 0
        for row in played.events:
            in_turn = 0 if row["event"] == Event.TURN else in_turn + int(row["event"] == Event.SEARCH)
            assert in_turn <= 1, "one search a turn, so two a round before the rescue"
    assert searches > 0


@pytest.mark.parametrize("monster", MONSTERS)
@pytest.mark.parametrize("name", strategies.known("snallygaster"))
def test_two_and_three_players_are_the_same_game(monster: str, name: str) -> None:
    """Bit for bit: who decides for the second Kid is all that differs."""
    two, three = (configured(players=n, monster=monster) for n in (2, 3))
    pair, trio = (strategies.line_up("snallygaster", n, [name] * n) for n in (2, 3))
    for number in range(10):
        a, b = (trace.play_one(c, p, number, seed=9) for c, p in ((two, pair), (three, trio)))
        assert a.events.tobytes() == b.events.tobytes()
        for field in a.outcome.dtype.names:
            if field != "share":
                assert np.array_equal(a.outcome[field], b.outcome[field]), field
    if name != "random":
        return
    sums = [batch.total(c, p, games=600, first=100, threads=1).sum for c, p in ((two, pair), (three, trio))]
    differ = np.flatnonzero(sums[0] != sums[1])
    assert set(differ.tolist()) <= set(range(Tally.SHARE_PLAYER, Tally.DOOM)), "the shares of the players"
