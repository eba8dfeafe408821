"""Snowball's kernels give the exact probabilities of small games; a rule got wrong, or a ruling changed, is noticed."""

from collections import Counter
from itertools import permutations

import pytest

from tests.verify.against import FARTHEST, LEAST, Measured, fit, table, worst
from tests.verify.enumeration import CAPPED, Chance, Law, every_way
from tests.verify.snowball_by_hand import MISTAKES, PILES, Over, Rules, Table, opening
from tests.verify.snowball_cases import CASES, FIRST, Case, answer, cards, exact, played, rules_of, seat

pytestmark = pytest.mark.slow

SEEN_IN = {  # mistake of the solver -> the case in which it must show
    "more than the cover": "throws",
    "stack is cleared by a hit": "two gear",
    "quickshot to the stack": "quickshots",
    "target cannot answer": "quickshots",
    "answer needs no number": "quickshots",
    "duel plays on": "duel of three",
    "two win by gear": "two gear",
    "modifier is kept": "modifiers",
    "condition is off": "conditions",
    "lid takes the snowball": "saves",
    "bat costs nothing": "bats",
    "action draws an item": "actions",
    "discards stay": "throws",
    "discards on top": "events by set-up",
    "event ends the refill": "event: until your next turn: covers +2",
    "any start": "throws",
    "highest starts": "throws",
    "event in hand": "events by set-up",
    "own turn only": "event: until your next turn: covers +2",
    "thrower is safe when the target is out": "quickshots",
}
RULINGS = [  # case, a parameter of the program, its other value
    ("throws", "two_player_clear_rule", False),
    ("throws", "hand_size", 1),
    ("quickshots", "ruling.quickshot_responders", "first_in_order"),
    ("duel of two", "ruling.quickshot_answers_quickshot", True),
    ("saves", "ruling.save_from_quickshot", False),
    ("bats", "ruling.bat_chain", False),
    ("duel of two", "ruling.quickshot_counts_as_throw", True),
    ("actions", "ruling.action_resets_clear_rule", True),
    ("event: for each player: clear out", "ruling.forced_clear_counts", True),
    ("automatic clear outs", "ruling.auto_clear_after", "gear_lost"),
    ("found in a duel", "ruling.end_test", "hits_only"),
]


def agrees(law: Law, seen: Measured, case: Case) -> bool:
    return worst(law, seen, case.players) < FARTHEST and fit(law, seen) > LEAST


@pytest.mark.parametrize("name", CASES)
def test_the_kernels_give_the_exact_probabilities(name: str) -> None:
    law, seen = answer(name)
    assert law.states > 5, "nothing happens in this case"
    assert agrees(law, seen, CASES[name]), table(law, seen, CASES[name].players)


def test_what_is_counted_happens_in_the_cases() -> None:
    """No count is zero in all of them: each of the rules in question was played."""
    happened = {name for case in CASES for name, n in answer(case)[0].counts.items() if n}
    assert happened >= set(answer("throws")[1].sums)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_rule_got_wrong_is_noticed(mistake: str) -> None:
    case = SEEN_IN[mistake]
    _, seen = answer(case)
    law = exact(CASES[case], mistake)
    far = worst(law, seen, CASES[case].players) > 2 * FARTHEST
    assert far, table(law, seen, CASES[case].players)


@pytest.mark.parametrize(("name", "parameter", "value"), RULINGS)
def test_a_changed_ruling_is_noticed_and_gives_its_own_exact_probabilities(
    name: str, parameter: str, value: object
) -> None:
    changed = CASES[name].under(**{parameter: value})
    seen = played(changed)
    assert agrees(exact(changed), seen, changed), table(exact(changed), seen, changed.players)
    assert not agrees(answer(name)[0], seen, changed), "the ruling made no difference"


def test_hands_that_a_position_leaves_open_leave_a_fair_deck() -> None:
    """Six numbered cards and an Event, four in open hands: the next card is the Event once in three times."""
    deck = cards({"2": 2, "3": 2, "3q": 2}, {3: 3}, None, {"event": ("discard hand", 1)})
    case = Case("R2", 2, deck, {"gear": 1}, {"player": [seat(1, 3), seat(1, 3)]}, turns=1)
    law, seen = exact(case), played(case)
    assert agrees(law, seen, case), table(law, seen, 2)


TWO_IN_PLACE = {
    "player": [seat(1, 4, hand=["ball-2", "ball-3"]), seat(1, 4, hand=["ball-2", "quick-3"])],
}


class Ordered(Table):
    """A table whose decks have an order, known from the start."""

    def lay(self) -> None:
        """Shuffle what is in the draw decks."""
        self.order = {pile: self.shuffled(pile) for pile in PILES}

    def shuffled(self, pile: str) -> list[str]:
        cards = sorted(self.draw[pile].elements())
        return list(self.chance.any_of(list(permutations(cards)))) if cards else []

    def take(self, pile: str) -> str | None:
        if not self.order[pile]:
            self.draw[pile] += self.discards[pile]
            self.discards[pile].clear()
            self.order[pile] = self.shuffled(pile)
        if not self.order[pile]:
            return None
        slug = self.order[pile].pop(0)
        self.draw[pile][slug] -= 1
        return slug


def by_orders(case: Case, rules: Rules, chance: Chance) -> tuple[str, int | None, int]:
    """One whole game with ordered decks."""
    table = Ordered(case.cards, rules, case.players, chance)
    table.restore(opening(case.cards, rules, case.players, chance, case.position)[0])
    table.lay()
    for turn in range(case.turns):
        try:
            table.turn()
        except Over as over:
            return over.end.status, over.end.winner, FIRST + turn + 1
    return CAPPED, None, FIRST + case.turns


def test_a_bag_is_a_shuffled_deck() -> None:
    """The solver draws from bags. With every order of each deck instead it gives the same law, to the last digit."""
    case = Case("", 2, cards({"2": 2, "3": 1, "3q": 2}, {4: 3}), {"gear": 1}, TWO_IN_PLACE, turns=2)
    rules = rules_of(case.settings)
    found: Counter[object] = Counter()
    for probability, end in every_way(lambda chance: by_orders(case, rules, chance)):
        found[end] += probability  # type: ignore[assignment]
    assert dict(found) == exact(case).ends
