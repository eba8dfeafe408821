"""A balance contract: what a game promises, as data. Built from keywords or read from TOML.

What depends on the game (which metrics there are, what they can be) is seen in ``experiments.promises``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from experiments import documents, lineup, words
from experiments import statistics as st
from simcore.errors import InputError, nearest

BUDGET = 1_000_000  # most games of a cell, unless the contract says otherwise
LEAST = 60  # games of a cell: one full rotation of any number of seats
TYPE = re.compile(r"(bool|int|float|str)$|(list|dict|tuple|constrained)\W")  # names of types where pydantic says where
CONTRACTS = Path(__file__).parent.parent / "contracts"

Real = Annotated[float, Field(allow_inf_nan=False, strict=False)]


def printable(given: object) -> object:
    """A text in one line, without control characters: it goes to terminals, XML and HTML."""
    if not isinstance(given, str):
        return given
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(given.split()))


class Line(BaseModel):
    """One promise: a metric, and the band that it must lie in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    why: str = ""
    metric: str = ""  # `name`, `name[kind]` for every group of a kind, `name[kind=value]` for one
    expression: str = ""  # in its place: polars SQL over one game's outcome, as with --metric
    quantile: Real | None = None  # of the metric, in place of its mean
    between: tuple[Real, Real] | None = None
    at_most: Real | None = None
    at_least: Real | None = None
    within: Real | None = None  # no farther from 0
    of_fair: tuple[Real, Real] | None = None  # in parts of the fair share, 1 / players
    each: dict[str, str | list[bool | int | float | str]] = Field(default_factory=dict)  # a grid, as in --vary
    versus: str | None = None  # of `impact[kind]`, as in doomtrack impact: deal or blank
    holder: int | str | None = None  # of `impact[kind]`: the player who is dealt it

    _one_line = field_validator("name", "why", mode="before")(printable)

    @field_validator("each", mode="before")
    @classmethod
    def _each(cls, given: object) -> object:
        if isinstance(given, Mapping):  # a bare number is a list of one
            return {k: [v] if isinstance(v, bool | int | float) else v for k, v in given.items()}
        return given

    @property
    def asks(self) -> str:
        """What is measured: `turns, quantile 0.5`."""
        said = [self.metric or self.expression]
        for name in ("quantile", "versus", "holder"):
            if (value := getattr(self, name)) is not None:
                said.append(f"{name} {words.shown(value)}")
        return ", ".join(said)

    @property
    def title(self) -> str:
        """Its name, or what it asks, and where."""
        each = words.listed(
            {n: v if isinstance(v, str) else ",".join(map(words.shown, v)) for n, v in self.each.items()}
        )
        return self.name or self.asks + (f" at each {each}" if each else "")

    @property
    def wants(self) -> str:
        """The band in the words of the file: `at most 0.001`."""
        for kind in ("between", "of_fair"):
            if (pair := getattr(self, kind)) is not None:
                return f"{pair[0]:g}..{pair[1]:g}{' of fair' if kind == 'of_fair' else ''}"
        parts = [
            f"{k.replace('_', ' ')} {v:g}"
            for k in ("at_least", "at_most", "within")
            if (v := getattr(self, k)) is not None
        ]
        return ", ".join(parts)


class Contract(BaseModel):
    """What a game promises. `base`, `strategies` and `each` use the words of `--set`, `--strategy` and `--vary`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    title: str = ""
    note: str = ""  # what the contract rests on
    base: dict[str, bool | int | float | str] = Field(default_factory=dict)
    strategies: dict[str, str] | list[str] = Field(default_factory=dict)  # a table: one line-up; a list: several
    overlays: list[str] = Field(default_factory=list)
    plugins: list[str] = Field(default_factory=list)
    seed: int = 1
    level: float = st.LEVEL  # of all verdicts together
    budget: int = BUDGET
    line: list[Line] = Field(default_factory=list)

    _one_line = field_validator("title", "note", mode="before")(printable)

    @field_validator("budget", mode="before")
    @classmethod
    def _budget(cls, given: object) -> int:
        try:
            number = words.number_of_games(given)
        except InputError as error:
            raise InputError(str(error).replace("games:", "budget:", 1)) from None
        if number < LEAST:
            raise InputError(f"budget: {number} games a cell are too few; {LEAST} is the least (seats take turns)")
        return number

    @field_validator("seed", mode="before")
    @classmethod
    def _seed(cls, given: object) -> int:
        return words.seed_number(given)

    @field_validator("level", mode="before")
    @classmethod
    def _level(cls, given: object) -> float:
        try:
            number = math.nan if isinstance(given, bool) else float(str(given))
        except ValueError:
            number = math.nan
        if not 0.5 <= number <= 0.9999:
            raise InputError(f"level: {given!r} is not a level of confidence from 0.5 to 0.9999 (such as 0.95)")
        return number

    @field_validator("strategies", mode="before")
    @classmethod
    def _strategies(cls, given: object) -> object:
        return {"all": given} if isinstance(given, str) else given

    @property
    def line_ups(self) -> dict[str, dict[str, str]]:
        """The line-ups that every line is asked for, by what they are called."""
        if not isinstance(self.strategies, dict):
            return {text: {"all": text} for text in self.strategies}
        who = self.strategies or {"all": lineup.DEFAULT}
        return {who["all"] if set(who) == {"all"} else words.listed(who): who}


# --- reading ----------------------------------------------------------------------------------------------------------


def build(**fields: Any) -> Contract:
    """A contract from keywords. Raises InputError for what does not fit, one line."""
    try:
        contract = Contract(**fields)
    except ValidationError as error:
        raise InputError(_first(error, fields)) from None
    if not contract.line:
        raise InputError("promises nothing: give it a [[line]] with a metric and a band (see: doomtrack check --help)")
    if not contract.line_ups:
        raise InputError("strategies: the list is empty")
    for text in contract.line_ups if not isinstance(contract.strategies, dict) else ():
        if "=" in text.partition(":")[0]:
            raise InputError(
                f"strategies: {text!r} in a list; a list has line-ups of one strategy each, a table who plays what"
            )
    if not isinstance(contract.strategies, dict) and len(set(contract.strategies)) < len(contract.strategies):
        raise InputError("strategies: one of them comes twice")
    known: dict[str, int] = {}
    for k, line in enumerate(contract.line):
        try:
            _check(line)
        except InputError as error:
            raise InputError(f"{called(k, line)}: {error}") from None
        each = sorted((name, str(values).replace(" ", "")) for name, values in line.each.items())
        for same in (f"{line.asks} {each}", f"name {line.title!r}"):
            if same in known:
                other = f"line {known[same] + 1}"
                if same.startswith("name "):
                    raise InputError(f"{called(k, line)}: has the same name as {other}")
                both = "two bounds of one number stand in one line: between = [a, b]"
                raise InputError(f"{called(k, line)}: asks the same as {other} ({both})")
        known |= {f"name {line.title!r}": k, f"{line.asks} {each}": k}
    return contract


def called(k: int, line: Line) -> str:
    """How a line is called in messages: `line 2 (the start is fair)`."""
    return f"line {k + 1} ({line.title})" if line.title else f"line {k + 1}"


def _first(error: ValidationError, fields: Mapping[str, Any]) -> str:
    """The first complaint of pydantic, in one line."""
    found = error.errors()[0]
    cause = (found.get("ctx") or {}).get("error")
    if isinstance(cause, InputError):
        return str(cause)
    loc = [str(p) for p in found["loc"] if not TYPE.match(str(p))]
    where, model = "", Contract.model_fields
    if len(loc) > 1 and loc[0] == "line" and loc[1].isdigit():
        k = int(loc[1])
        given = fields["line"][k]
        name = given.get("name") or given.get("metric") or given.get("expression") if isinstance(given, Mapping) else ""
        where, loc, model = f"line {k + 1}{f' ({name})' if name else ''}: ", loc[2:], Line.model_fields
    key = ".".join(loc)
    if found["type"] == "extra_forbidden":
        return f"{where}no key {key!r}{nearest(key, model) or '; known: ' + ', '.join(model)}"
    if found["type"] == "missing":
        return f"{where}{key!r} is missing" + (" (two numbers are needed: [low, high])" if key[-1:].isdigit() else "")
    if key == "line" and found["type"] in ("list_type", "model_type", "dict_type"):
        return "line: write [[line]], with two brackets on each side"
    said = f"{found['msg'][0].lower()}{found['msg'][1:]}".replace("valid dictionary", "table").replace("tuple", "list")
    return f"{where}{f'{key}: ' if key else ''}{said.replace(' or instance of Line', '')}, not {found['input']!r}"


def _check(line: Line) -> None:
    """Refuse a line that says too little, too much, or what cannot be. What depends on the game is seen later."""
    bands = [k for k in ("between", "of_fair", "within") if getattr(line, k) is not None]
    one_sided = [k for k in ("at_least", "at_most") if getattr(line, k) is not None]
    if not line.metric and not line.expression:
        raise InputError('no metric (such as metric = "start_edge") and no expression')
    if line.metric and line.expression:
        raise InputError("metric and expression: give one of them")
    if line.expression and (line.quantile is not None or line.of_fair is not None):
        raise InputError("an expression has neither quantile nor of_fair")
    if not bands and not one_sided:
        raise InputError("no band: give between = [a, b], at_most, at_least, within or of_fair = [a, b]")
    if len(bands) > 1 or (bands and one_sided):
        raise InputError(f"{' and '.join(bands + one_sided)}: give one of them")
    for name in ("versus", "holder"):
        if getattr(line, name) is not None and not line.metric.strip().startswith("impact"):
            raise InputError(f'{name}: is for what a dealt card does (metric = "impact[item]")')
    if line.quantile is not None and not 0 < line.quantile < 1:
        raise InputError(f"quantile: {line.quantile:g} is not between 0 and 1 (the median is 0.5)")
    if line.within is not None and line.within <= 0:
        raise InputError(f"within: {line.within:g} leaves no room; it must be above 0")
    for low, high in filter(
        None, (line.between, line.of_fair, (line.at_least, line.at_most) if len(one_sided) == 2 else None)
    ):
        if low is not None and high is not None and low > high:
            raise InputError(f"an impossible band: {low:g} is above {high:g}; did you mean [{high:g}, {low:g}]?")
    if line.of_fair is not None and not 0 <= line.of_fair[0] < 1 < line.of_fair[1]:
        raise InputError(f"of_fair: the shares of all are 1 of fair on average, which {line.wants} leaves out")


def read(path: str | Path) -> Contract:
    """The contract in a TOML file; its overlay folders and plug-ins are looked for beside it. Raises InputError.

    The name of a game, or a file name that is not here, stands for a contract that ships.
    """
    file = Path(path)
    for ships in (CONTRACTS / file, CONTRACTS / f"{file}.toml"):
        if not file.is_file() and ships.is_file():
            file = ships
    known = ", ".join(p.stem for p in sorted(CONTRACTS.glob("*.toml")))
    return documents.read(file, "contract", _from_file, f" (those that ship: {known})")


def _from_file(**fields: Any) -> Contract:
    if not fields:
        raise InputError("is empty; a contract has a game and a [[line]] for each promise")
    return build(**fields)
