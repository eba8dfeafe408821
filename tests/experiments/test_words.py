"""What people type."""

import pytest

from experiments import words
from simcore.errors import InputError
from simcore.parameter import Parameter

WHOLE = Parameter("gear", "integer", 3, "gear", 1, 9)
REAL = Parameter("pace", "number", 0.5, "pace", 0, 1)
CHOICE = Parameter("kids", "choice", "off", "kids", choices=("off", "random"))
FLAG = Parameter("rule", "flag", True, "rule")
LIST = Parameter("monsters", "list", "random", "who", choices=("random", "remover", "regoo"))
TEXT = Parameter("items.lid.effect", "text", "save", "what it does", choices=("save 2",))


@pytest.mark.parametrize(
    ("given", "number"),
    [("1e6", 10**6), ("1_000_000", 10**6), ("1200", 1200), (60, 60), ("1.5e3", 1500), ("1e12", 10**12), (2e3, 2000)],
)
def test_numbers_of_games(given, number):
    found = words.number_of_games(given)
    assert found == number and isinstance(found, int)


@pytest.mark.parametrize("given", ["0", "-5", "1e99", "1.5", "many", "", "nan", "inf", True, None, "1e13"])
def test_no_number_of_games(given):
    with pytest.raises(InputError, match="games: .* is not a whole number from 1 to 1e12"):
        words.number_of_games(given)


def test_half_widths():
    assert words.half_width("0.005") == 0.005
    for wrong in ("0", "-1", "0.6", "1e-9", "wide", "nan"):
        with pytest.raises(InputError, match="precision"):
            words.half_width(wrong)


def test_seeds():
    assert words.seed_number("12") == 12
    for wrong in ("-1", "1.5", "x", str(2**63)):
        with pytest.raises(InputError, match="seed"):
            words.seed_number(wrong)


def test_assignments():
    assert words.assignments("--set", ["gear=2", "items.lid.effect=save; save=1"]) == {
        "gear": "2",
        "items.lid.effect": "save; save=1",
    }
    for wrong in (["gear"], ["=2"], ["gear="], ["gear=1", "gear=2"]):
        with pytest.raises(InputError, match="--set"):
            words.assignments("--set", wrong)


def test_strategies():
    assert words.strategies(["random", "0=expert:hold=0.5,flee=1"]) == {"all": "random", "0": "expert:hold=0.5,flee=1"}
    assert words.strategies(["expert:hold=0.5"]) == {"all": "expert:hold=0.5"}
    for wrong in (["=x"], ["0="], ["random", "greedy"], [":a=1"]):
        with pytest.raises(InputError, match="--strategy"):
            words.strategies(wrong)


@pytest.mark.parametrize(
    ("parameter", "given", "values"),
    [
        (WHOLE, "1,2,5", [1, 2, 5]),
        (WHOLE, "2..4", [2, 3, 4]),
        (WHOLE, "1..9:4", [1, 5, 9]),
        (WHOLE, "1..9:5", [1, 6]),
        (WHOLE, "1,3..4", [1, 3, 4]),
        (WHOLE, [1, 2], [1, 2]),
        (REAL, "0..0.3:0.1", [0.0, 0.1, 0.2, 0.3]),
        (REAL, [0.25, "0.5"], [0.25, 0.5]),
        (CHOICE, "all", ["off", "random"]),
        (FLAG, "all", [False, True]),
        (FLAG, "on", [True]),
        (TEXT, "save 3,all", ["save 3", "save 2"]),
        (LIST, "all", ["remover", "regoo"]),
        (LIST, "random,regoo+random,remover + regoo", ["random", "regoo+random", "remover+regoo"]),
    ],
)
def test_factor_values(parameter, given, values):
    assert words.factor_values(parameter, given) == values


@pytest.mark.parametrize(
    ("parameter", "given", "complaint"),
    [
        (WHOLE, "5..2", r"gear: the range '5\.\.2' is empty; did you mean 2\.\.5"),
        (WHOLE, "1..3:0", "a step must be above 0"),
        (WHOLE, "1..3:-1", "a step must be above 0"),
        (WHOLE, "1,2,1", "the value 1 comes twice"),
        (WHOLE, "1..3,2", "the value 2 comes twice"),
        (WHOLE, "8..10", "gear: 10 is outside 1..9"),
        (WHOLE, "1,,2", "no value"),
        (WHOLE, "a..b", "'a' is not a number"),
        (WHOLE, "1..inf", "not a finite number"),
        (WHOLE, "all", "'all' is for parameters with choices"),
        (REAL, "0..1", "needs a step"),
        (REAL, "0..1:0.00001", "more than 10000"),
        (CHOICE, "of", "no choice 'of'; did you mean 'off'"),
        (LIST, "regoo,ergoo+random", "no choice 'ergoo'; did you mean 'regoo'"),
        (FLAG, "maybe", "neither on nor off"),
        (WHOLE, [], "no values"),
    ],
)
def test_no_factor_values(parameter, given, complaint):
    with pytest.raises(InputError, match=complaint):
        words.factor_values(parameter, given)


def test_shown():
    assert words.listed({"a": 1, "b": False, "c": 0.5, "d": "x"}) == "a=1, b=off, c=0.5, d=x"
