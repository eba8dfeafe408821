"""What the simple strategies stand for, in positions laid out by hand; and look-ahead."""

import pytest

from simcore import batch
from simcore.game import find_game
from simcore.games.snowball.layout import Decision, Option, Tally
from tests.strategies.snowball.positions import Kid, answer, lay_out, number_thrown, option, player, scores, thrown_at

NEAR, FAR = 9, 17
EXPOSED = Kid(gear=2, cover=NEAR, stack=(8,), hand=(3, 7))
SAFE = Kid(gear=2, cover=FAR, hand=(3, 6))


def me(hand: tuple[int, ...] = (1, 8), stack: tuple[int, ...] = (), cover: int = FAR, item: str = "") -> Kid:
    return Kid(gear=2, cover=cover, hand=hand, stack=stack, item=item)


def test_greedy_hits_whoever_can_be_hit_and_thinks_not_of_itself() -> None:
    position = lay_out([me(stack=(8,), cover=NEAR), SAFE, EXPOSED])
    chosen = answer(position, "greedy")
    assert chosen[0] == Option.THROW and chosen[2] == 2 and number_thrown(position, chosen) == 1


def test_greedy_fills_the_stack_that_is_nearest_to_its_cover() -> None:
    position = lay_out([me(hand=(2, 5)), SAFE, Kid(gear=2, cover=15, stack=(4, 4), hand=(3, 7))])
    chosen = answer(position, "greedy")
    assert chosen[2] == 2 and number_thrown(position, chosen) == 5


def test_greedy_spares_a_hit_that_an_item_absorbs() -> None:
    guarded = Kid(gear=3, cover=8, stack=(7,), item="trashcan-lid", hand=(3, 7))
    assert answer(lay_out([me(), guarded, EXPOSED]), "greedy")[2] == 2


@pytest.mark.parametrize(("stack", "clears"), [((), False), ((8,), False), ((8, 1), True), ((8, 8), True)])
def test_cautious_clears_out_as_soon_as_one_snowball_could_hit(stack: tuple[int, ...], clears: bool) -> None:
    position = lay_out([me(hand=(2, 5), stack=stack), SAFE, EXPOSED])
    assert (answer(position, "cautious")[0] == Option.CLEAR_OUT) == clears


def test_cautious_throws_if_it_may_not_clear_out() -> None:
    table = [Kid(gear=2, cover=NEAR, stack=(8,), cleared_last=1), SAFE]
    assert answer(lay_out(table), "cautious")[0] == Option.THROW
    assert answer(lay_out(table, two_player_clear_rule=False), "cautious")[0] == Option.CLEAR_OUT


def test_cautious_throws_what_is_hardly_answered() -> None:
    for gone, number in ((-4, 4), (-5, 5)):
        position = lay_out([me(hand=(4, 5)), SAFE, EXPOSED], gone=[gone])
        assert number_thrown(position, answer(position, "cautious")) == number


def test_opportunist_finishes_with_the_smallest_card() -> None:
    position = lay_out([me(hand=(5, 2)), SAFE, EXPOSED])
    chosen = answer(position, "opportunist")
    assert chosen[2] == 2 and number_thrown(position, chosen) == 2


def test_opportunist_holds_its_quickshot() -> None:
    position = lay_out([me(hand=(-2, 5)), SAFE, EXPOSED])
    assert number_thrown(position, answer(position, "opportunist")) == 5


def test_opportunist_flees_with_nobody_to_finish() -> None:
    position = lay_out([me(stack=(8, 6)), SAFE, Kid(gear=2, cover=16)])
    assert answer(position, "opportunist")[0] == Option.CLEAR_OUT
    position = lay_out([me(stack=(8, 6)), SAFE, EXPOSED])
    assert answer(position, "opportunist")[0] == Option.THROW


@pytest.mark.parametrize("name", ["greedy", "cautious", "opportunist", "expert"])
def test_everyone_uses_a_quickshot_a_bat_and_a_lid_where_they_help(name: str) -> None:
    table = [
        Kid(gear=3, cover=NEAR, stack=(8,), hand=(-4, 5)),
        *(Kid(gear=2, cover=c, hand=(3, 7)) for c in (13, 14, 15)),
    ]
    ask = thrown_at(lay_out(table), thrower=1, target=2, number=4, decision=Decision.QUICKSHOT, seat=0)
    assert answer(ask, name)[0] == Option.QUICKSHOT
    table[0] = Kid(gear=3, cover=NEAR, stack=(8,), hand=(2, 5), item="log-bat")
    ask = thrown_at(lay_out(table), thrower=1, target=0, number=4, decision=Decision.BAT, seat=0)
    assert answer(ask, name)[0] == Option.BAT


def test_lookahead_takes_the_win_that_a_hit_brings() -> None:
    """Three left, and mine is the most gear: whoever of the others goes inside, I have won."""
    table = [Kid(gear=3, cover=NEAR, stack=(8,), hand=(1, 8)), Kid(gear=1, cover=NEAR, stack=(8,), hand=(3, 7)), SAFE]
    position = lay_out(table)
    chosen = answer(position, "lookahead")
    assert chosen[0] == Option.THROW and chosen[2] == 1
    thought = scores(position, "lookahead")
    assert max(thought.values()) == 1.0


def test_lookahead_does_not_hand_the_win_to_another() -> None:
    table = [
        Kid(gear=1, cover=FAR, hand=(1, 8)),
        Kid(gear=1, cover=NEAR, stack=(8,), hand=(3, 7)),
        Kid(gear=3, cover=16),
    ]
    position = lay_out(table)
    chosen = answer(position, "lookahead")
    assert (chosen[0], chosen[2]) != (Option.THROW, 1)
    assert scores(position, "lookahead")[option(Option.THROW, 0, 1)] == 0.0


def win_share(one: str, field: str, seats: int, games: int) -> float:
    """Win share of one player in a field of another strategy, in fair shares."""
    configuration = find_game("snowball").configure({"players": seats})
    totals = batch.total(configuration, [player(one), *[player(field)] * (seats - 1)], games=games)
    return float(totals.sum[Tally.SHARE_PLAYER]) / 60 / games * seats


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("field", ["random", "greedy", "opportunist", "cautious"])
def test_the_expert_is_best(field: str, seats: int) -> None:
    assert win_share("expert", field, seats, 600) > 1.15
    assert win_share(field, "expert", seats, 600) < 0.85


@pytest.mark.parametrize("seats", [2, 4])
def test_lookahead_is_better_than_chance(seats: int) -> None:
    assert win_share("lookahead", "random", seats, 60) > 1.3
