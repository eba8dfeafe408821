"""The rulebook's two-round example and the worked checks of the facts (section 4.8), replayed move by move from a
position."""

from typing import Any

import numpy as np
import pytest

from simcore import trace
from simcore.errors import InputError
from simcore.game import Configuration, Player, Strategy, find_game
from simcore.games.snowball import turn
from simcore.games.snowball.layout import Event, Option, Status

ANYONE = Player(Strategy("any", "", "", turn.follow_up))
CLEAR = int(Option.CLEAR_OUT)
HOLD = int(Option.PASS)


def throw(slot: int, target: int, modifier: int = 0) -> int:
    return Option.THROW + 16 * slot + 1024 * target + 65536 * modifier


def quickshot(slot: int) -> int:
    return Option.QUICKSHOT + 16 * slot


def save(item: int = 1) -> int:
    return Option.SAVE + 16 * item


def play(position: dict[str, Any], moves: list[int], turns: int, **settings: Any) -> tuple[Configuration, trace.Trace]:
    """Play `moves` from the position; the game is broken off after `turns` turns unless it ends."""
    first = position.get("turn", 0)
    named = {k.replace("__", "."): v for k, v in settings.items()}
    configuration = find_game("snowball").configure(
        {"players": len(position["player"]), "turn_cap": 10 + turns, **named}
    )
    position = {**position, "turn": first + 10}
    start = configuration.game.read_position(configuration, position)  # type: ignore[misc]
    played = trace.play_one(configuration, [ANYONE] * len(position["player"]), 0, position=start, script=moves)
    assert played.outcome["status"] != Status.ILLEGAL, "the script names an option that is not on offer"
    return configuration, played


def events(played: trace.Trace, kind: Event) -> list[tuple[int, ...]]:
    rows = played.events[played.events["event"] == kind]
    return [tuple(int(row[k]) for k in ("seat", "a", "b", "c")) for row in rows]


EXAMPLE = {
    "active": 0,
    "deck_top": [
        *("snowball-1", "snowball-3", "snowball-7", "snowball-8"),
        *("snowball-3", "snowball-1", "lucky-find", "snowball-4"),
    ],
    "location_top": ["woodpile", "porch"],
    "item_top": ["trashcan-lid", "gravel"],
    "player": [
        {"location": "open", "items": ["icicle"], "hand": ["quickshot-6", "snowball-2"]},
        {"location": "fence", "items": ["pinecone"], "hand": ["snowball-5", "snowball-4"]},
        {"location": "bush", "hand": ["snowball-6", "snowball-5"]},
        {"location": "tree", "hand": ["snowball-2", "snowball-8"]},
    ],
}
GUFF, CAT, FESHT, TILDE = range(4)


def test_the_rulebooks_two_rounds() -> None:
    moves = [
        CLEAR,  # Guff gets a Woodpile (9) and a Trashcan Lid
        throw(0, TILDE, modifier=1),  # Cat: 5 and the Pinecone at the Tree (12)
        throw(0, TILDE),  # Fesht: 6, a hit
        quickshot(0),  # Guff answers with the 6
        CLEAR,  # Tilde
        throw(0, CAT),  # Guff: 2
        throw(0, GUFF),  # Cat: 4
        throw(0, GUFF),  # Fesht: 5, a hit ...
        save(),  # ... absorbed by the Lid
        throw(0, GUFF),  # Tilde: 2, a hit
    ]
    configuration, played = play(EXAMPLE, moves, turns=8)
    lands = [(seat, total, hit) for seat, total, _, hit in events(played, Event.LAND)]
    assert lands == [(TILDE, 7, 0), (TILDE, 13, 1), (CAT, 2, 0), (GUFF, 4, 0), (GUFF, 9, 1), (GUFF, 11, 1)]
    assert [(seat, b) for seat, _, b, _ in events(played, Event.QUICKSHOT)] == [(GUFF, FESHT)]
    gear = [(seat, after) for seat, after, _, _ in events(played, Event.GEAR)]
    assert gear == [(FESHT, 2), (TILDE, 2), (GUFF, 2), (TILDE, 3)], "Fesht and Tilde together, Guff, then Lucky Find"
    assert len(events(played, Event.SAVE)) == 1
    told = configuration.game.tell(configuration, played.events)
    assert any("Lucky Find" in line for line in told)
    cards = configuration.rules[0]
    discarded = {int(cards["card_kind"][c]) for c in played.final["discard"][0][: played.final["discards"][0]]}
    names = [*configuration.content.sections["snowballs"], *configuration.content.sections["events"]]
    assert {names[k] for k in discarded} == {"quickshot-6", "snowball-5", "snowball-6", "lucky-find"}
    assert list(played.final["hand_size"][:4]) == [2, 2, 2, 2]
    assert not events(played, Event.CLEAR_OUT)[2:], "four players: nobody clears out by being hit"


def three(gear: tuple[int, int, int], **more: Any) -> dict[str, Any]:
    """Seat 0 can hit seat 1 (stack at its cover) with a 5; the others' hands as given."""
    return {
        "active": 0,
        "player": [
            {"gear": gear[0], "location": "bush", "hand": ["snowball-5", "snowball-1"]},
            {
                "gear": gear[1],
                "location": "open",
                "hand": more.get("one", ["snowball-1", "snowball-2"]),
                "stack": ["snowball-8"],
            },
            {"gear": gear[2], "location": "tree", "hand": more.get("two", ["snowball-1", "snowball-2"])},
        ],
    }


def test_three_left_target_and_thrower_out_the_bystander_wins() -> None:
    _, played = play(three((1, 1, 2), two=["quickshot-5", "snowball-1"]), [throw(0, 1), quickshot(0)], turns=5)
    assert played.outcome["status"] == Status.WON and played.outcome["winner"] == 2


def test_three_left_the_target_answers_and_the_untouched_wins() -> None:
    _, played = play(three((1, 1, 1), one=["quickshot-5", "snowball-1"]), [throw(0, 1), quickshot(0)], turns=5)
    assert played.outcome["status"] == Status.WON and played.outcome["winner"] == 2


@pytest.mark.parametrize(("gear", "winner"), [((2, 1, 1), 0), ((1, 1, 2), 2), ((3, 1, 2), 0)])
def test_two_remain_and_more_gear_wins_at_once(gear: tuple[int, int, int], winner: int) -> None:
    _, played = play(three(gear), [throw(0, 1)], turns=5)
    assert played.outcome["winner"] == winner and played.outcome["turns"] == 11


def test_gear_is_compared_after_all_simultaneous_flips() -> None:
    """R25: A (2) sends B inside and is hit down to 1 by C's (1) QuickShot: equal, the game goes on."""
    _, played = play(three((2, 1, 1), two=["quickshot-5", "snowball-1"]), [throw(0, 1), quickshot(0)], turns=1)
    assert played.outcome["status"] == Status.CAPPED and list(played.final["gear"][:3]) == [1, 0, 1]


def test_the_last_two_out_together_tie() -> None:
    position = three((1, 1, 0), one=["quickshot-5", "snowball-1"])
    position["player"][2] = {"gear": 0}
    _, played = play(position, [throw(0, 1), quickshot(0)], turns=5)
    assert played.outcome["status"] == Status.TIED and list(played.outcome["share"][:3]) == [30, 30, 0]


def test_a_game_begun_by_two_ends_only_with_an_elimination() -> None:
    position = three((3, 3, 3))
    position["player"] = position["player"][:2]
    _, played = play(position, [throw(0, 1)], turns=1)
    assert played.outcome["status"] == Status.CAPPED and list(played.final["gear"][:2]) == [3, 2]


def test_quickshots_are_held_or_played_and_each_hits() -> None:
    """R14, R20: with two QuickShots of a number both players may answer; one holds, one hits."""
    position = three((3, 3, 3), one=["quickshot-5", "snowball-1"], two=["quickshot-5", "snowball-1"])
    moves = [throw(0, 1), HOLD, quickshot(0)]
    _, played = play(position, moves, turns=1, quickshots_per_number=2)
    assert list(played.final["gear"][:3]) == [2, 2, 3]
    _, played = play(position, [throw(0, 1), quickshot(0), quickshot(0)], turns=1, quickshots_per_number=2)
    assert list(played.final["gear"][:3]) == [1, 2, 3]
    _, played = play(
        position,
        [throw(0, 1), quickshot(0)],
        turns=1,
        quickshots_per_number=2,
        ruling__quickshot_responders="first_in_order",
    )
    assert list(played.final["gear"][:3]) == [2, 2, 3]


def test_the_log_bat_sends_the_snowball_with_its_modifier_to_the_thrower() -> None:
    position = three((3, 3, 3), two=["quickshot-5", "snowball-1"])
    position["player"][0]["items"] = ["pinecone"]
    position["player"][1]["items"] = ["log-bat"]
    bat = Option.BAT + 1024 * 1
    _, played = play(position, [throw(0, 1, modifier=1), bat, HOLD], turns=1)
    assert events(played, Event.LAND) == [(0, 7, 11, 0)]
    assert int(played.final["total"][1]) == 8 and int(played.final["helds"][1]) == 0


def test_two_left_nobody_clears_out_twice_in_a_row() -> None:
    position = three((2, 2, 0))
    position["player"][2] = {"gear": 0}
    position["player"][0]["cleared_last"] = True
    with pytest.raises(AssertionError, match="not on offer"):
        play(position, [CLEAR], turns=1)
    _, played = play(position, [CLEAR], turns=1, two_player_clear_rule=False)
    assert len(events(played, Event.CLEAR_OUT)) == 1


def test_five_players_a_hit_player_clears_out_at_once() -> None:
    position = three((3, 3, 3))
    position["player"] += [{"location": "porch", "hand": ["snowball-1", "snowball-2"]} for _ in range(2)]
    position["player"][4]["location"] = "tree"
    _, played = play(position, [throw(0, 1)], turns=1)
    assert [seat for seat, *_ in events(played, Event.CLEAR_OUT)] == [1]
    assert int(played.final["total"][1]) == 0
    _, played = play(position, [throw(0, 1)], turns=1, auto_clear_from=7)
    assert not events(played, Event.CLEAR_OUT)


def test_the_unknown_is_dealt_anew_in_every_game() -> None:
    configuration = find_game("snowball").configure({"players": 3})
    position = three((3, 3, 3))
    del position["player"][2]["hand"]
    start = configuration.game.read_position(configuration, position)  # type: ignore[misc]
    hands = set()
    for number in range(20):
        played = trace.play_one(configuration, [ANYONE] * 3, number, position=start, script=[CLEAR])
        drawn = [a for seat, a, _, _ in events(played, Event.CARD)][:2]
        hands.add(tuple(drawn))
    assert len(hands) > 15


BAD = [
    ({"active": 7, "player": [{"location": "open"}] * 3}, "no seat"),
    ({"wrong": 1}, "no key 'wrong'"),
    ({"player": []}, r"0 \[\[player\]\] tables for 3"),
    ({"player": [{"gear": 3}] * 3}, "location is missing"),
    ({"player": [{"location": "opn"}] * 3}, "did you mean 'open'"),
    ({"player": [{"location": "fort"}] * 3}, "all copies of 'fort'"),
    ({"player": [{"location": "open", "hand": ["snowplow"]}, {"gear": 0}, {"gear": 0}]}, "never in a hand"),
    ({"player": [{"gear": 0, "location": "open"}, {"gear": 0}, {"gear": 0}]}, "nothing else"),
    ({"player": [{"gear": 0}, {"location": "open"}, {"location": "open"}]}, "must be the turn"),
    ({"player": [{"location": "open", "gear": 9}] * 3}, "9 is no whole number from 0 to 3"),
    ({"player": [{"location": "open", "kid": "nobody"}] * 3}, "no kid 'nobody'"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_bad_positions_are_refused_in_one_line(data: dict[str, Any], message: str) -> None:
    configuration = find_game("snowball").configure({"players": 3})
    with pytest.raises(InputError, match=message) as caught:
        configuration.game.read_position(configuration, data)  # type: ignore[misc]
    assert "\n" not in str(caught.value)


def test_a_position_places_every_card_once() -> None:
    configuration = find_game("snowball").configure({"players": 4})
    game = configuration.game.read_position(configuration, EXAMPLE)[0]  # type: ignore[misc]
    cards = [
        *game["deck"][0][: game["deck_size"][0]],
        *np.concatenate([game["hand"][s][: game["hand_size"][s]] for s in range(4)]),
    ]
    assert sorted(cards) == list(range(61))
