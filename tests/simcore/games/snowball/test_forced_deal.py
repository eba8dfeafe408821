"""A forced deal leaves all other cards as they lie in an ordinary deal in which the player happens to have the card."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import strategies
from simcore import batch
from simcore.game import find_game
from simcore.games.snowball.rules.setup import set_up

SNOWBALL = find_game("snowball")
GAMES, PLAYERS = 4000, 4
SECTIONS = {"item": "items", "location": "locations", "hand": "snowballs"}


def deals(deal: dict[int, dict[str, Any]], **settings: Any) -> list[dict[str, list[list[str]]]]:
    """What each player of the line-up has after the set-up, by kind and game."""
    configuration = SNOWBALL.configure({"players": PLAYERS, **settings})
    rules, _ = batch.prepare(configuration, strategies.line_up("snowball", PLAYERS, ["random"]), deal=deal)
    (game,), (work,) = batch.new_work(configuration, None)
    row, found = rules[0], []
    names = {kind: list(configuration.content.sections[section]) for kind, section in SECTIONS.items()}
    for number in range(GAMES):
        set_up(game, row, work, number)
        seats = [list(game["player"]).index(p) for p in range(PLAYERS)]
        found.append(
            {
                "item": [[names["item"][row["item_kind"][game["held"][s, 0]]]] for s in seats],
                "location": [[names["location"][row["location_kind"][game["location"][s]]]] for s in seats],
                "hand": [
                    [names["hand"][row["card_kind"][c]] for c in game["hand"][s, : game["hand_size"][s]]] for s in seats
                ],
            }
        )
    return found


@pytest.fixture(scope="module")
def ordinary() -> list[dict[str, list[list[str]]]]:
    return deals({})


@pytest.mark.parametrize(
    ("kind", "slug", "copies", "of"),
    [("item", "trashcan-lid", 4, 20), ("item", "sled", 1, 20), ("location", "hedge", 2, 20)],
)
def test_the_others_have_what_an_ordinary_deal_leaves_them(kind: str, slug: str, copies: int, of: int) -> None:
    for holder in (0, 3):
        forced = deals({holder: {kind: slug}})
        assert all(game[kind][holder] == [slug] for game in forced), "also where another player had the only copy"
        others = sum(hand == [slug] for game in forced for p, hand in enumerate(game[kind]) if p != holder)
        trials, chance = 3 * GAMES, (copies - 1) / (of - 1)
        assert abs(others - trials * chance) < 4 * (trials * chance) ** 0.5 + 1e-9


def test_a_forced_hand_leaves_the_others_what_an_ordinary_deal_leaves_them(ordinary: Any) -> None:
    """Against the games in which player 1 happens to have the card."""
    slug = Counter(card for game in ordinary for hand in game["hand"] for card in hand).most_common(1)[0][0]
    forced = deals({1: {"hand": [slug]}})
    assert all(game["hand"][1][0] == slug and len(game["hand"][1]) == 2 for game in forced)
    natural = [game for game in ordinary if game["hand"][1][0] == slug]
    for counted in ((0,), (2,), (3,), (1,)):
        rates = [
            sum(
                game["hand"][p][1:].count(slug) if p == 1 else game["hand"][p].count(slug)
                for p in counted
                for game in g
            )
            / len(g)
            for g in (forced, natural)
        ]
        assert abs(rates[0] - rates[1]) < 4 * (0.25 / len(natural)) ** 0.5


def test_only_the_player_and_who_had_the_card_have_another_deal(ordinary: Any) -> None:
    forced = deals({2: {"item": "sled"}})
    for before, after in zip(ordinary, forced, strict=True):
        assert before["hand"] == after["hand"] and before["location"] == after["location"]
        changed = [p for p in range(PLAYERS) if before["item"][p] != after["item"][p]]
        had = [p for p in range(PLAYERS) if before["item"][p] == ["sled"]]
        assert set(changed) <= {2, *had} and (had != [2] or not changed)
        for p in had:
            assert p == 2 or after["item"][p] == before["item"][2], "who had it has what the player would have had"


def test_several_are_forced_at_once() -> None:
    twos = {p: {"item": "trashcan-lid", "hand": ["snowball-2", "snowball-2"]} for p in range(2)}
    for game in deals(twos)[:200]:
        assert game["item"][:2] == [["trashcan-lid"]] * 2
        assert game["hand"][:2] == [["snowball-2", "snowball-2"]] * 2
