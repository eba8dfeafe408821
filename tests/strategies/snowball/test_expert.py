"""The expert's three ideas, in positions laid out by hand: the end game, the exposure clock, card economy."""

import pytest

from simcore.games.snowball.layout import Decision, Option
from tests.strategies.snowball.positions import (
    WORK,
    Kid,
    answer,
    lay_out,
    number_thrown,
    option,
    player,
    scores,
    thrown_at,
)

EXPERT = "expert"
FAR, NEAR = 17, 9


def test_the_weights_are_named_in_the_kernels_order() -> None:
    from strategies.snowball import prospects

    names = {
        "two_gear": "TWO",
        "three_gear": "THREE",
        "final_two_gear": "FINAL_TWO",
        "final_three_gear": "FINAL_THREE",
    }
    for place, weight in enumerate(player(EXPERT).strategy.weights):
        assert getattr(prospects, names.get(weight.name, weight.name.upper())) == place


# --- (a) the end game ------------------------------------------------------------------------------------------------


def exposed(gear: int, **more: object) -> Kid:
    """A player whom any snowball hits."""
    return Kid(gear=gear, cover=NEAR, stack=(8,), **more)  # type: ignore[arg-type]


def test_a_trailing_player_strikes_the_leader_and_not_the_weakest() -> None:
    """R25: with three left the third one out ends the game, and the leader would have won it."""
    for order in (1, 2):
        table = [Kid(gear=2, cover=FAR, hand=(3, 5)), exposed(1), exposed(3)]
        if order == 2:
            table[1], table[2] = table[2], table[1]
        kind, _, target, _ = answer(lay_out(table), EXPERT)
        assert kind == Option.THROW and table[target].gear == 3


def test_a_last_gear_is_not_thrown_away_to_end_a_lost_game() -> None:
    kind, _, target, _ = answer(lay_out([Kid(gear=1, cover=FAR), exposed(1), Kid(gear=2, cover=FAR)]), EXPERT)
    assert (kind, target) != (Option.THROW, 1)


def test_the_leader_knocks_the_weakest_out() -> None:
    kind, _, target, _ = answer(lay_out([Kid(gear=3, cover=FAR), exposed(1), exposed(2)]), EXPERT)
    assert (kind, target) == (Option.THROW, 1)


def test_the_leader_is_not_struck_where_that_loses() -> None:
    """Four left: no hit ends the game, and the strongest rival is the one to weaken."""
    table = [Kid(gear=2, cover=FAR), exposed(1), exposed(3), Kid(gear=2, cover=FAR)]
    kind, _, target, _ = answer(lay_out(table), EXPERT)
    assert kind == Option.THROW and target in (1, 2)


def test_an_end_that_an_answer_could_turn_is_taken_with_the_safe_card() -> None:
    """2 against 1 after the hit wins; a QuickShot's answer in the same instant would leave 1 against 1."""
    table = [Kid(gear=2, cover=FAR, hand=(5, 6)), exposed(1), Kid(gear=1, cover=FAR)]
    for gone, safe in ((-5, 5), (-6, 6)):
        position = lay_out(table, gone=[gone])
        chosen = answer(position, EXPERT)
        assert chosen[0] == Option.THROW and chosen[2] == 1
        assert number_thrown(position, chosen) == safe


def test_an_answer_is_held_where_it_would_make_another_win() -> None:
    """The thrower's last gear, three left: without him the other one has more gear, and the game is over."""
    table = [Kid(gear=1, cover=FAR, hand=(-4, 5)), Kid(gear=1, cover=FAR), Kid(gear=3, cover=FAR)]
    ask = thrown_at(lay_out(table), thrower=1, target=2, number=4, decision=Decision.QUICKSHOT, seat=0)
    assert answer(ask, EXPERT)[0] == Option.PASS
    assert answer(ask, "greedy")[0] == Option.QUICKSHOT


def test_an_answer_is_given_where_it_wins() -> None:
    table = [Kid(gear=3, cover=FAR, hand=(-4, 5)), Kid(gear=1, cover=FAR), Kid(gear=2, cover=FAR)]
    ask = thrown_at(lay_out(table), thrower=1, target=2, number=4, decision=Decision.QUICKSHOT, seat=0)
    assert answer(ask, EXPERT)[0] == Option.QUICKSHOT


def test_a_double_knock_out_is_counted_with_the_throw() -> None:
    """R28: target and thrower go in together; the third one is left alone. The third one answers, and wins."""
    table = [Kid(gear=1, cover=FAR, hand=(-4, 5)), Kid(gear=1, cover=FAR), exposed(1)]
    ask = thrown_at(lay_out(table), thrower=1, target=2, number=4, decision=Decision.QUICKSHOT, seat=0)
    assert answer(ask, EXPERT)[0] == Option.QUICKSHOT
    assert scores(ask, EXPERT)[option(Option.QUICKSHOT, 0)] == 1.0


def test_a_shot_back_ties_what_would_be_lost() -> None:
    """Two left, one gear each, the snowball hits me: my answer takes the thrower along (both inside: a tie)."""
    table = [exposed(1, hand=(-4, 5)), Kid(gear=1, cover=FAR), Kid(gear=0)]
    ask = thrown_at(lay_out(table), thrower=1, target=0, number=4, decision=Decision.QUICKSHOT, seat=0)
    assert answer(ask, EXPERT)[0] == Option.QUICKSHOT


def test_gear_goes_to_a_player_whom_it_does_not_make_the_winner() -> None:
    table = [Kid(gear=3), Kid(gear=1), Kid(gear=2)]
    position = lay_out(table)
    row = position.game[0]
    row["options"], row["option"][0], row["option"][1] = 2, option(Option.TARGET, 0, 1), option(Option.TARGET, 0, 2)
    position.decision = Decision.GIVE
    assert answer(position, EXPERT)[2] == 1


# --- (b) the exposure clock ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_whoever_is_exposed_clears_out(seats: int) -> None:
    table = [Kid(gear=2, cover=NEAR, stack=(8,))] + [Kid(gear=2, cover=13) for _ in range(seats - 1)]
    assert answer(lay_out(vary(table)), EXPERT)[0] == Option.CLEAR_OUT


@pytest.mark.parametrize("seats", [3, 4])
def test_whoever_is_safe_hits_the_exposed(seats: int) -> None:
    table = [Kid(gear=2, cover=FAR), exposed(3)] + [Kid(gear=2, cover=13) for _ in range(seats - 2)]
    kind, _, target, _ = answer(lay_out(vary(table), gone=(-4, -5)), EXPERT)
    assert (kind, target) == (Option.THROW, 1)


def vary(table: list[Kid]) -> list[Kid]:
    """The box has two locations of each cover number: give everyone else another one, and other cards in hand."""
    covers = iter((13, 14, 15, 16, 12, 11))
    hands = iter(((3, 6), (2, 7), (1, 8), (3, 7), (2, 6)))
    return [table[0]] + [
        Kid(kid.gear, next(covers) if not kid.stack else kid.cover, kid.stack, next(hands), kid.item)
        for kid in table[1:]
    ]


def clearing(position_stack: tuple[int, ...]) -> float:
    """How much better clearing out is thought to be than the best throw."""
    table = vary([Kid(gear=2, cover=FAR, stack=position_stack)] + [Kid(gear=2) for _ in range(3)])
    thought = scores(lay_out(table), EXPERT)
    throws = max(v for o, v in thought.items() if o & 15 == Option.THROW)
    return thought[option(Option.CLEAR_OUT)] - throws


def test_clearing_out_grows_more_urgent_as_the_gap_closes() -> None:
    urgency = [clearing(stack) for stack in ((), (5, 3), (8, 5), (8, 8))]
    assert urgency == sorted(urgency) and urgency[0] < urgency[-1]


def test_danger_grows_with_the_throwers_before_the_next_turn() -> None:
    """The same gap everywhere: whoever moves next loses least until then, I, who have just moved, most."""
    from strategies.snowball import prospects

    position = lay_out([Kid(gear=2, cover=14, stack=(8,)) for _ in range(4)])
    scores(position, EXPERT)
    dangers = WORK[0]["score"][prospects.DANGER : prospects.DANGER + 4].tolist()
    assert dangers[1] == 0 < dangers[2] < dangers[3] < dangers[0]


def test_two_left_a_clear_out_costs_the_next_one() -> None:
    table = [Kid(gear=2, cover=12, stack=(3,)), Kid(gear=2, cover=13)]
    clear = option(Option.CLEAR_OUT)
    bound = (
        scores(lay_out(table), "expert:clear_debt=0.5")[clear] - scores(lay_out(table), "expert:clear_debt=0")[clear]
    )
    free = [
        scores(lay_out(table, two_player_clear_rule=False), f"expert:clear_debt={debt}")[clear] for debt in (0.5, 0)
    ]
    assert bound < 0 and free[0] == free[1]


def test_no_target_is_prepared_for_the_leader_to_finish() -> None:
    """Three left, I trail. The leader throws next: with the weakest's stack nearly full he would end the game."""
    table = [Kid(gear=1, cover=15, hand=(8, 7)), Kid(gear=3, cover=FAR), Kid(gear=1, cover=16)]
    kind, _, target, _ = answer(lay_out(table), EXPERT)
    assert (kind, target) != (Option.THROW, 2)


def test_a_prepared_target_counts_for_less_than_a_hit() -> None:
    """What the next thrower may do with a nearly full stack is discounted by the weight `prepare`."""
    table = [Kid(gear=2, cover=15, hand=(8, 7)), *(Kid(gear=2, cover=c, hand=()) for c in (12, 13, 14))]
    throw = option(Option.THROW, 0, 3)
    thought = [scores(lay_out(table), f"expert:prepare={p}")[throw] for p in (-1, 0, 1, 3)]
    assert thought == sorted(thought, reverse=True) and thought[0] > thought[-1]


# --- (c) card economy -------------------------------------------------------------------------------------------------


def among_four(hand: tuple[int, ...], target: Kid, item: str = "") -> list[Kid]:
    """A safe player on turn, a target, and two who are out of reach: no hit ends the game."""
    others = [Kid(gear=2, cover=c, hand=(3, 7)) for c in (15, 16)]
    return [Kid(gear=2, cover=FAR, hand=hand, item=item), target, *others]


def chosen_number(hand: tuple[int, ...], target: Kid, gone: tuple[int, ...] = (), item: str = "") -> tuple[int, int]:
    """Number thrown at an exposed target by a safe player, and the modifier's part of the option."""
    position = lay_out(among_four(hand, target, item), gone=gone)
    chosen = answer(position, EXPERT)
    assert chosen[0] == Option.THROW
    return number_thrown(position, chosen), chosen[3]


def test_a_low_card_finishes_the_exposed() -> None:
    assert chosen_number((1, 8), exposed(2, hand=(3, 7)), gone=(-1, -8))[0] == 1
    assert chosen_number((7, 2), exposed(2, hand=(3, 7)), gone=(-7, -2))[0] == 2


def test_low_cards_are_kept_from_targets_that_they_do_not_hit() -> None:
    """The weight `keep_low` is what a 1 costs where it does not hit, and nothing where it does."""
    table = [Kid(gear=3, cover=FAR, hand=(1, 8)), exposed(2, hand=(4, 4)), Kid(gear=2, cover=16, hand=(3, 3))]
    usual, keen = (scores(lay_out(table), f"expert:keep_low={k}") for k in (0, 1))
    one_at_exposed, one_at_safe = option(Option.THROW, 0, 1), option(Option.THROW, 0, 2)
    assert keen[one_at_exposed] == usual[one_at_exposed] and keen[one_at_safe] < usual[one_at_safe]


def test_a_quickshot_is_held_where_a_snowball_of_its_number_does() -> None:
    for hand in ((-4, 4), (4, -4)):
        position = lay_out(among_four(hand, exposed(2, hand=(3, 7))))
        chosen = answer(position, EXPERT)
        rules = position.configuration.rules[0]
        card = position.game[0]["hand"][0, chosen[1]]
        assert chosen[0] == Option.THROW and not rules["is_quickshot"][rules["card_kind"][card]]


def test_a_number_is_thrown_whose_quickshot_is_gone() -> None:
    assert chosen_number((5, 6), exposed(2, hand=(3, 7)), gone=(-5,))[0] == 5
    assert chosen_number((5, 6), exposed(2, hand=(3, 7)), gone=(-6,))[0] == 6


def test_the_own_quickshot_makes_its_number_safe() -> None:
    """Whoever holds the 5's only QuickShot throws a 5 without fear."""
    table = [Kid(gear=2, cover=FAR, hand=(-6, 5)), exposed(1), Kid(gear=1, cover=16)]
    other = [Kid(gear=2, cover=FAR, hand=(-5, 5)), exposed(1), Kid(gear=1, cover=16)]
    five = option(Option.THROW, 1, 1)
    settings = "expert:hold_quickshot=0"
    assert scores(lay_out(other), settings)[five] > scores(lay_out(table), settings)[five]


def test_the_modifier_is_a_finisher() -> None:
    target = Kid(gear=2, cover=NEAR, stack=(3,), hand=(5, 7))  # six are missing
    assert chosen_number((4, 3), target, gone=(-4, -3), item="pinecone") == (4, 1)  # 4 + 2
    near = Kid(gear=2, cover=NEAR, stack=(7,), hand=(5, 7))  # two are missing
    assert chosen_number((4, 3), near, gone=(-4, -3), item="pinecone")[1] == 0


def test_whoever_holds_the_lid_can_stay() -> None:
    """The same place, with and without a Lid: it is worth staying for, and would be lost by clearing out."""
    gaps = []
    for item in ("", "trashcan-lid"):
        table = vary([Kid(gear=2, cover=NEAR, stack=(8,), item=item)] + [Kid(gear=2) for _ in range(3)])
        thought = scores(lay_out(table), EXPERT)
        throws = max(v for o, v in thought.items() if o & 15 == Option.THROW)
        gaps.append(throws - thought[option(Option.CLEAR_OUT)])
    assert gaps[1] > gaps[0]


def test_the_lid_is_used_when_hit() -> None:
    position = lay_out([exposed(2, item="trashcan-lid"), Kid(), Kid()])
    row = position.game[0]
    row["options"], row["option"][0], row["option"][1] = 2, option(Option.PASS), option(Option.SAVE, 1)
    position.decision = Decision.SAVE
    assert answer(position, EXPERT)[0] == Option.SAVE


def test_the_bat_waits_for_a_snowball_that_matters() -> None:
    harmless = [Kid(gear=2, cover=FAR, item="log-bat"), Kid(gear=2, cover=FAR, hand=(3, 6)), Kid(gear=2, cover=16)]
    ask = thrown_at(lay_out(harmless), thrower=1, target=0, number=1, decision=Decision.BAT, seat=0)
    assert answer(ask, EXPERT)[0] == Option.PASS
    hits = [exposed(2, item="log-bat"), Kid(gear=2, cover=FAR, hand=(3, 6)), Kid(gear=2, cover=16)]
    ask = thrown_at(lay_out(hits), thrower=1, target=0, number=1, decision=Decision.BAT, seat=0)
    assert answer(ask, EXPERT)[0] == Option.BAT


def test_no_snowball_is_thrown_at_a_bat_that_sends_it_back() -> None:
    """Both are exposed; the one with a Bat would return the snowball."""
    table = [exposed(2, hand=(5, 6)), Kid(gear=2, cover=NEAR, stack=(7,), item="log-bat"), exposed_elsewhere()]
    thought = scores(lay_out(table), EXPERT)
    assert thought[option(Option.THROW, 0, 2)] > thought[option(Option.THROW, 0, 1)]


def exposed_elsewhere() -> Kid:
    return Kid(gear=2, cover=8, stack=(6,), hand=(3, 3))
