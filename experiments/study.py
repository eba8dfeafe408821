"""A study: one question to a game, as data. Read from TOML or built by the command line, and turned into cells.

``Study`` is what is asked; ``plan`` checks all of it (every cell's configuration and line-up is built) before the first
game is played, and names the cell that is wrong.
"""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from experiments import lineup, words
from simcore.errors import InputError
from simcore.game import Configuration, Game, Player, find_game
from simcore.parameter import Value

GAMES_A_CELL = 20_040  # of a sweep that says neither games nor precision; seats rotate exactly in multiples of 60
STUDIES = Path(__file__).parent / "studies"


class Study(BaseModel):
    """What is asked. `base`, `strategies` and `factors` use the words of `--set`, `--strategy` and `--vary`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    title: str = ""
    question: str = ""
    claim: str = ""  # number of the claim in the game's list of claims, as C1
    note: str = ""  # what the study cannot answer, and what it rests on
    base: dict[str, bool | int | float | str] = Field(default_factory=dict)
    overlays: list[str] = Field(default_factory=list)
    plugins: list[str] = Field(default_factory=list)
    strategies: dict[str, str] = Field(default_factory=dict)
    factors: dict[str, str | list[bool | int | float | str]] = Field(default_factory=dict)
    metrics: dict[str, str] = Field(default_factory=dict)
    answer: list[str] = Field(default_factory=list)  # metrics that answer the question, `name` or `name[group]`
    games: int | None = None  # a cell
    precision: float | None = None  # half-width of win shares and headline rates, in its place
    seed: int = 1

    @field_validator("games", mode="before")
    @classmethod
    def _games(cls, given: object) -> int | None:
        return None if given is None else words.number_of_games(given)

    @field_validator("precision", mode="before")
    @classmethod
    def _precision(cls, given: object) -> float | None:
        return None if given is None else words.half_width(given)

    @field_validator("seed", mode="before")
    @classmethod
    def _seed(cls, given: object) -> int:
        return words.seed_number(given)

    @field_validator("strategies", mode="before")
    @classmethod
    def _strategies(cls, given: object) -> object:
        if isinstance(given, str):
            return words.strategies([given])
        return words.strategies([str(g) for g in given]) if isinstance(given, list | tuple) else given

    @field_validator("factors", mode="before")
    @classmethod
    def _factors(cls, given: object) -> object:
        if isinstance(given, Mapping):  # a bare number is a list of one
            return {k: [v] if isinstance(v, bool | int | float) else v for k, v in given.items()}
        return given

    def resolved(self) -> Study:
        """With games filled in where neither games nor precision is given. Raises InputError if both are."""
        if self.games is not None and self.precision is not None:
            raise InputError(
                "games and precision: give one of them (a fixed number of games, or the half-width to stop at)"
            )
        if self.games is None and self.precision is None:
            return self.model_copy(update={"games": GAMES_A_CELL})
        return self


def build(**fields: Any) -> Study:
    """A study from keywords. Raises InputError for what does not fit, one line."""
    try:
        return Study(**fields)
    except ValidationError as error:
        raise InputError(_first(error)) from None


def _first(error: ValidationError) -> str:
    """The first complaint of pydantic, in one line."""
    found = error.errors()[0]
    where = ".".join(str(p) for p in found["loc"] if not str(p).startswith(("bool", "int", "float", "str", "list[")))
    cause = (found.get("ctx") or {}).get("error")
    if isinstance(cause, InputError):
        return str(cause)
    if found["type"] == "extra_forbidden":
        from simcore.errors import nearest

        return f"no key {where!r}{nearest(where, Study.model_fields) or '; known: ' + ', '.join(Study.model_fields)}"
    if found["type"] == "missing":
        return f"{where!r} is missing"
    return f"{where}: {found['msg'][0].lower()}{found['msg'][1:]}, not {found['input']!r}"


def read(path: str | Path) -> Study:
    """The study in a TOML file; its overlay folders and plug-ins are looked for beside it. Raises InputError.

    A path such as `snowball/c01-waiting.toml` that is not there names a study that ships.
    """
    file = Path(path)
    if not file.exists() and (STUDIES / file).is_file():  # one that ships: snowball/c01-waiting.toml
        file = STUDIES / file
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file}: there is no such study file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read ({error.__class__.__name__})") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: not valid TOML: {error}") from None
    try:
        study = build(**data)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    except TypeError:
        raise InputError(f"{file}: not a study (keys must be words)") from None
    beside = {
        name: [str(file.parent / p) if (file.parent / p).exists() else p for p in getattr(study, name)]
        for name in ("overlays", "plugins")
    }
    return study.model_copy(update=beside)


def shipped(game: str) -> dict[str, Path]:
    """The studies that come with a game, by name (`c01-waiting`)."""
    return {p.stem: p for p in sorted((STUDIES / game).glob("*.toml"))}


@dataclass(frozen=True)
class Factor:
    """What is varied: values in the order asked, with meaning and unit for the report."""

    name: str
    values: tuple[Value, ...]
    meaning: str
    unit: str = ""


@dataclass(frozen=True)
class Cell:
    """One configuration and line-up of a study."""

    index: int
    parameters: Mapping[str, Value]  # the factors' values here
    configuration: Configuration
    strategies: Mapping[str, str]  # {who: text}, weights included
    players: tuple[Player, ...]

    @property
    def name(self) -> str:
        """`cell 3 (players=2, gear=1)`."""
        return cell_name(self.index, self.parameters)


def cell_name(index: int, parameters: Mapping[str, Value]) -> str:
    """How a cell is called in messages."""
    return f"cell {index} ({words.listed(parameters)})" if parameters else f"cell {index}"


@dataclass(frozen=True)
class Plan:
    """A study, checked, with its cells ready to be played."""

    study: Study
    game: Game
    factors: tuple[Factor, ...]
    cells: tuple[Cell, ...]
    given: Mapping[str, Value] = field(default_factory=dict)  # base settings as read, `strategy.*` among them


def _base(study: Study, game: Game) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings of the game and of the line-up."""
    ours = {k: v for k, v in study.base.items() if not lineup.is_lineup(k)}
    theirs = {k: v for k, v in study.base.items() if lineup.is_lineup(k)}
    for name in study.strategies:
        if name.isdigit() and "players" not in study.factors:  # how many seats there are is seen with the cell
            continue
        lineup.check_who(game, name, f"--strategy {name}={study.strategies[name]}")
    return ours, theirs


def _factors(study: Study, game: Game, base: Configuration) -> tuple[Factor, ...]:
    """The factors with their values read and checked one by one."""
    from simcore.errors import nearest

    known = game.all_parameters(base.content)
    playing: dict[str, list[str]] = {"all": [lineup.DEFAULT], **{w: [s] for w, s in study.strategies.items()}}
    for name, given in study.factors.items():
        if lineup.is_lineup(name) and not lineup.split(name)[1]:
            lineup.check_who(game, lineup.split(name)[0], name)
            playing[lineup.split(name)[0]] = lineup.strategy_values(name, _texts(given), game)
    found = []
    for name, given in study.factors.items():
        if name in study.base:
            raise InputError(f"{name}: both set ({words.shown(study.base[name])}) and varied; leave one out")
        if lineup.is_lineup(name) and not lineup.split(name)[1]:
            who = lineup.split(name)[0]
            if who in study.strategies:
                raise InputError(
                    f"{name}: both set (--strategy {who}={study.strategies[who]}) and varied; leave one out"
                )
            found.append(Factor(name, tuple(playing[who]), f"strategy of {'all seats' if who == 'all' else who}"))
            continue
        if lineup.is_lineup(name):
            parameter = lineup.parameter(name, playing, game, study.plugins)
        elif name in known:
            parameter = known[name]
        else:
            hint = nearest(name, known)
            raise InputError(f"{game.name}: no parameter {name!r} to vary{hint} (see: doomtrack show {game.name})")
        values = words.factor_values(parameter, given)
        found.append(Factor(name, tuple(values), parameter.meaning, getattr(parameter, "unit", "")))
    cells = math.prod(len(f.values) for f in found)
    if cells > words.MOST_CELLS:
        raise InputError(f"the sweep has {cells} cells, more than {words.MOST_CELLS}: vary less, or in larger steps")
    return tuple(found)


def _texts(given: str | list[Any]) -> str | list[str]:
    return given if isinstance(given, str) else [str(g) for g in given]


def plan(study: Study) -> Plan:
    """Check a study and build all of its cells (a full grid). Raises InputError, naming the cell that is wrong."""
    study = study.resolved()
    game = find_game(study.game)
    ours, theirs = _base(study, game)
    failed: InputError | None = None
    try:
        base = game.configure(ours, study.overlays)
    except InputError as error:
        if not study.factors:
            raise
        # what the base lacks may be given by a factor (players=5 needed by another setting): the cells decide
        base, failed = game.configure({}, study.overlays), error
    factors = _factors(study, game, base)
    cells = []
    lineups: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Player, ...]] = {}
    for index, values in enumerate(itertools.product(*(f.values for f in factors))):
        parameters = {f.name: v for f, v in zip(factors, values, strict=True)}
        try:
            settings = {**ours, **{k: v for k, v in parameters.items() if not lineup.is_lineup(k)}}
            changes = {**theirs, **{k: v for k, v in parameters.items() if lineup.is_lineup(k)}}
            configuration = game.configure(settings, study.overlays)
            who = lineup.texts(changes, study.strategies, game, study.plugins)
            known = (configuration.seats, tuple(who.items()))
            if known not in lineups:
                lineups[known] = lineup.players(game, configuration.seats, who, study.plugins)
            _check_expressions(study, configuration)
        except InputError as error:
            if failed is not None and str(error) == str(failed):
                raise failed from None  # wrong in every cell: the base is
            raise (InputError(f"{cell_name(index, parameters)}: {error}") if parameters else error) from None
        cells.append(Cell(index, parameters, configuration, who, lineups[known]))
    given = cells[0].configuration.given
    read_in = {k: given[k] for k in ours if k in given} | {k: words.plain(v) for k, v in theirs.items()}
    return Plan(study, game, factors, tuple(cells), read_in)


def _check_expressions(study: Study, configuration: Configuration) -> None:
    if study.metrics:
        from experiments.expressions import Expressions

        Expressions(study.metrics, configuration)
