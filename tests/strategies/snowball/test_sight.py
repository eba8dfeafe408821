"""What a seat can work out: cards unseen and chances, against the plain count over all cards."""

from collections import Counter

import numpy as np
import pytest

from simcore import jit
from simcore.games.snowball.layout import NONE, Deck
from strategies.snowball import sight
from tests.strategies.snowball.positions import Caught, Kid, collection, lay_out

SNOWBALLS = int(Deck.SNOWBALLS)


def unseen(position: Caught) -> list[int]:
    """Snowball-deck cards that the seat does not see, one by one."""
    row = position.game[0]
    seen = set(row["discard"][SNOWBALLS, : row["discards"][SNOWBALLS]].tolist())
    seen |= set(row["hand"][position.seat, : row["hand_size"][position.seat]].tolist())
    for player in range(row["seats"]):
        card = int(row["stack"][player])
        while card != NONE:
            seen.add(card)
            card = int(row["under"][card])
    return [c for c in range(position.configuration.rules[0]["cards"]) if c not in seen]


def count(position: Caught) -> Caught:
    fresh = position.copy()
    jit.build(sight.count_unseen)(fresh.game[0], fresh.configuration.rules[0], fresh.seat)
    return fresh


def test_counts_of_unseen_cards() -> None:
    numbers_unseen, quickshots_unseen = jit.build(sight.unseen_of), jit.build(sight.quickshots_unseen)
    for position in collection()[::5]:
        rules = position.configuration.rules[0]
        kinds = [rules["card_kind"][c] for c in unseen(position)]
        numbers = Counter(int(rules["number"][k]) for k in kinds)
        quickshots = Counter(int(rules["number"][k]) for k in kinds if rules["is_quickshot"][k])
        row = count(position).game[0]
        assert row["memory"][position.seat, 0] == sum(n for number, n in numbers.items() if number > 0)
        for number in range(1, 9):
            assert numbers_unseen(row, position.seat, number) == numbers[number]
            assert quickshots_unseen(row, position.seat, number) == quickshots[number]
        assert numbers_unseen(row, position.seat, 0) == quickshots_unseen(row, position.seat, 20) == 0


def test_chances() -> None:
    kids = [Kid(hand=(4, 5)), *(Kid(cover=c, hand=(1, 2)) for c in (13, 14))]
    position = count(lay_out(kids, gone=(8, 8, -8)))
    row, rules, seat = position.game[0], position.configuration.rules[0], 0
    numbers = [int(rules["number"][rules["card_kind"][c]]) for c in unseen(position)]
    numbers = [n for n in numbers if n > 0]
    fill = jit.build(sight.chance_to_fill)
    for missing in range(-3, 12):
        below = sum(n < missing for n in numbers) / len(numbers)
        assert fill(row, rules, seat, missing) == pytest.approx(1 - below**2)
    answered = jit.build(sight.chance_of_answer)
    assert answered(row, rules, seat, 8, 1.0) == 0.0  # its QuickShot is gone
    assert answered(row, rules, seat, 4, 1.0) == pytest.approx(4 / len(numbers))  # four cards in others' hands
    assert answered(row, rules, seat, 4, 2.0) == pytest.approx(8 / len(numbers))
    assert answered(row, rules, seat, 4, 99.0) == pytest.approx(0.95)
    row["no_quickshots"] = 1
    assert answered(row, rules, seat, 4, 1.0) == 0.0


def test_two_quickshots_of_a_number() -> None:
    position = count(lay_out([Kid(), Kid(cover=13), Kid(cover=14)], quickshots_per_number=2))
    row, rules = position.game[0], position.configuration.rules[0]
    unseen_numbered = row["memory"][0, 0]
    one = 4 / unseen_numbered
    assert jit.build(sight.chance_of_answer)(row, rules, 0, 7, 1.0) == pytest.approx(1 - (1 - one) ** 2)


def test_who_comes_next_and_who_leads() -> None:
    kids = [Kid(gear=2), Kid(gear=0), Kid(gear=3, cover=13), Kid(gear=1, cover=14)]
    row = lay_out(kids).game[0]
    assert [jit.build(sight.next_living)(row, s) for s in range(4)] == [2, 2, 3, 0]
    assert [jit.build(sight.distance)(row, 2, s) for s in range(4)] == [2, 3, 0, 1]
    assert jit.build(sight.most_gear_of_others)(row, 0) == 3 and jit.build(sight.most_gear_of_others)(row, 2) == 2
    assert jit.build(sight.least_gear_of_others)(row, 0) == 1 and jit.build(sight.least_gear_of_others)(row, 3) == 2


def test_items_before_a_player() -> None:
    items = ("pinecone", "trashcan-lid", "log-bat", "")
    kids = [Kid(cover=10 + i, item=item) for i, item in enumerate(items)]
    position = lay_out(kids)
    row, rules = position.game[0], position.configuration.rules[0]
    look = [jit.build(k) for k in (sight.modifier_power, sight.saves, sight.bat)]
    assert [[bool(k(row, rules, s)) for k in look] for s in range(4)] == np.eye(4, 3, dtype=bool).tolist()


@pytest.mark.parametrize(
    ("seats", "scope", "left", "clears"), [(4, "starting", 4, 0), (5, "starting", 3, 1), (5, "living", 3, 0)]
)
def test_automatic_clear_outs(seats: int, scope: str, left: int, clears: int) -> None:
    kids = [Kid(gear=1 if i < left else 0, cover=10 + i, hand=(i + 1, i + 2)) for i in range(seats)]
    position = lay_out(kids, **{"ruling.auto_clear_scope": scope})
    assert jit.build(sight.auto_clear)(position.game[0], position.configuration.rules[0]) == clears
