"""Errors name what would be right."""

from simcore.errors import InputError, PlayError, nearest


def test_the_nearest_word_is_named() -> None:
    assert nearest("gredy", ["random", "greedy"]) == "; did you mean 'greedy'?"


def test_a_few_words_are_listed_if_none_is_near() -> None:
    assert nearest("zzz", ["random", "greedy"]) == "; known: random, greedy"


def test_many_words_are_not_listed() -> None:
    assert nearest("zzz", [f"word{i}" for i in range(13)]) == ""
    assert nearest("zzz", []) == ""


def test_any_kind_of_word_is_taken() -> None:
    assert nearest("12", [12, 13]) == "; did you mean '12'?"  # type: ignore[list-item]
    assert nearest(5, ["five"]) == "; known: five"  # type: ignore[arg-type]


def test_errors_can_be_caught_as_what_they_are() -> None:
    assert issubclass(InputError, ValueError) and issubclass(PlayError, RuntimeError)
    assert not issubclass(PlayError, InputError)
