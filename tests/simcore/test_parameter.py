"""What a parameter takes for a value, and how it refuses the rest."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.errors import InputError
from simcore.game import games
from simcore.parameter import Parameter

WHOLE = Parameter("n", "integer", 4, "how many", 2, 6)
NUMBER = Parameter("x", "number", 0.5, "how much", 0, 1)
FREE = Parameter("y", "number", 0, "anything")
FLAG = Parameter("f", "flag", True, "whether")
CHOICE = Parameter("c", "choice", "lowest", "which", choices=("lowest", "highest"))
LIST = Parameter("l", "list", "random", "who", choices=("random", "remover", "regoo"))
TEXT = Parameter("t", "text", "", "words")


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        (WHOLE, "3", 3),
        (WHOLE, 6, 6),
        (WHOLE, "2.0", 2),
        (WHOLE, "4e0", 4),
        (WHOLE, "0_6", 6),
        (NUMBER, "0.25", 0.25),
        (NUMBER, 1, 1.0),
        (FREE, "1e6", 1e6),
        (FREE, "1_000_000", 1e6),
        (FREE, "-3", -3.0),
        (FLAG, "on", True),
        (FLAG, "No", False),
        (FLAG, 1, True),
        (FLAG, False, False),
        (CHOICE, "highest", "highest"),
        (LIST, "regoo", "regoo"),
        (LIST, " regoo +random+ remover", "regoo+random+remover"),
        (TEXT, 5, "5"),
    ],
    ids=repr,
)
def test_values_are_read(parameter: Parameter, given: Any, value: Any) -> None:
    found = parameter.read(given)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("parameter", "given", "said"),
    [
        (WHOLE, "7", "n: 7 is outside 2..6"),
        (WHOLE, 1, "n: 1 is outside 2..6"),
        (WHOLE, "3.5", "n: '3.5' is not a whole number"),
        (WHOLE, "many", "n: 'many' is not a number"),
        (WHOLE, "", "n: '' is not a number"),
        (WHOLE, None, "n: None is not a number"),
        (WHOLE, "1e99", "n: 1e99 is outside 2..6"),
        (WHOLE, "nan", "n: 'nan' is not a finite number"),
        (NUMBER, math.inf, "x: inf is not a finite number"),
        (NUMBER, "1.01", "x: 1.01 is outside 0..1"),
        (FLAG, "perhaps", "f: 'perhaps' is neither on nor off"),
        (CHOICE, "higest", "c: no choice 'higest'; did you mean 'highest'?"),
        (LIST, "regoo+remuver", "l: no choice 'remuver'; did you mean 'remover'?"),
        (LIST, "", "l: no choice ''; known: random, remover, regoo"),
        (CHOICE, "zzz", "c: no choice 'zzz'; known: lowest, highest"),
    ],
    ids=repr,
)
def test_other_things_are_refused_in_one_line(parameter: Parameter, given: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parameter.read(given)
    assert str(caught.value) == said


@pytest.mark.parametrize("bounds", [(2, None), (None, 6)], ids=["low", "high"])
def test_one_bound_is_enough(bounds: tuple[float | None, float | None]) -> None:
    """A parameter that is bounded on one side refuses in words, too."""
    with pytest.raises(InputError, match="outside"):
        Parameter("n", "integer", 4, "", *bounds).read(1 if bounds[0] else 7)


@given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none()))
def test_whatever_is_given_is_read_or_refused(given: Any) -> None:
    for parameter in (WHOLE, NUMBER, FREE, FLAG, CHOICE, LIST, TEXT):
        try:
            value = parameter.read(given)
        except InputError as error:
            if "\n" not in str(given):
                assert "\n" not in str(error)
        else:
            assert parameter.read(value) == value


@pytest.mark.parametrize("name", games())
def test_defaults_are_values(name: str) -> None:
    """Of every parameter of every game and its content: the default is within its bounds, and means something."""
    game = games()[name]
    for path, parameter in game.all_parameters(game.load_content(())).items():
        assert parameter.name == path and parameter.meaning, path
        if parameter.default is not None:
            assert parameter.read(parameter.default) == parameter.default
