"""A study: one question to a game, as data. Read from TOML or built by the command line, and turned into cells.

``Study`` is what is asked; ``plan`` checks all of it (every cell's configuration and line-up is built) before the first
game is played, and names the cell that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from experiments import designs, documents, lineup, words
from experiments.designs import Factor, Layout
from simcore.errors import InputError, nearest
from simcore.game import Configuration, Game, Player, find_game
from simcore.parameter import Parameter, Value

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
    design: str | None = None  # which cells: a name of designs.DESIGNS; None is the grid, or the list if there is one
    points: int | None = None  # of a design that spreads points
    cell: list[dict[str, bool | int | float | str]] = Field(default_factory=list)  # of a list
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

    @field_validator("points", mode="before")
    @classmethod
    def _points(cls, given: object) -> int | None:
        return None if given is None else designs.number_of_points(given)

    @field_validator("cell", mode="before")
    @classmethod
    def _cell(cls, given: object) -> object:
        return [designs.cell_text(c) if isinstance(c, str) else c for c in given] if isinstance(given, list) else given

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
        """With design and games filled in where they are not given. Raises InputError for what does not go together."""
        design = designs.checked(self.design, self.points, self.cell, self.factors)
        if self.games is not None and self.precision is not None:
            raise InputError(
                "games and precision: give one of them (a fixed number of games, or the half-width to stop at)"
            )
        games = GAMES_A_CELL if self.games is None and self.precision is None else self.games
        return self.model_copy(update={"design": design, "games": games})


Asked = TypeVar("Asked", bound=Study)


@overload
def build(**fields: Any) -> Study: ...
@overload
def build(model: type[Asked], /, **fields: Any) -> Asked: ...
def build(model: type[Study] = Study, /, **fields: Any) -> Study:
    """A study from keywords, or one with more keys (`model`). Raises InputError for what does not fit, one line."""
    try:
        return model(**fields)
    except ValidationError as error:
        raise InputError(_first(error, model)) from None


def _first(error: ValidationError, model: type[Study]) -> str:
    """The first complaint of pydantic, in one line."""
    found = error.errors()[0]
    where = ".".join(str(p) for p in found["loc"] if not str(p).startswith(("bool", "int", "float", "str", "list[")))
    cause = (found.get("ctx") or {}).get("error")
    if isinstance(cause, InputError):
        return str(cause)
    if found["type"] == "extra_forbidden":
        if where in ("find", "target"):
            return f"has {where!r}: it is a search, which doomtrack solve plays"
        return f"no key {where!r}{nearest(where, model.model_fields) or '; known: ' + ', '.join(model.model_fields)}"
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
    return documents.read(file, "study", build)


def shipped(game: str) -> dict[str, Path]:
    """The studies that come with a game, by name (`c01-waiting`)."""
    return {p.stem: p for p in sorted((STUDIES / game).glob("*.toml"))}


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
    notes: tuple[str, ...] = ()  # on how the cells were chosen
    asked: Mapping[str, Any] = field(default_factory=dict)  # more that a result folder must keep to know it again


def _base(study: Study) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings of the game and of the line-up."""
    ours = {k: v for k, v in study.base.items() if not lineup.is_lineup(k)}
    theirs = {k: v for k, v in study.base.items() if lineup.is_lineup(k)}
    return ours, theirs


def _check_who(study: Study, base: Configuration, varied: Mapping[str, Any]) -> None:
    for name in study.strategies:
        if name.isdigit() and "players" not in varied:  # how many seats there are is seen with the cell
            continue
        lineup.check_who(base.game, name, f"--strategy {name}={study.strategies[name]}", base.playable)


def _varied(study: Study) -> dict[str, Any]:
    """What is varied, with the values as given; of a list of cells, what stands in them."""
    if study.design != designs.LIST:
        return dict(study.factors)
    names = dict.fromkeys(name for cell in study.cell for name in cell)
    return {name: [cell[name] for cell in study.cell if name in cell] for name in names}


@dataclass(frozen=True)
class _Known:
    """What a name that is varied stands for: a parameter of the game, a weight, or (a text) a strategy."""

    study: Study
    game: Game
    base: Configuration
    playing: Mapping[str, list[str]]

    @classmethod
    def of(cls, study: Study, game: Game, base: Configuration, varied: Mapping[str, Any]) -> _Known:
        """With all strategies that may play, since a weight is looked for in them."""
        playing: dict[str, list[str]] = {"all": [lineup.DEFAULT], **{w: [s] for w, s in study.strategies.items()}}
        for name, given in varied.items():
            if lineup.is_lineup(name) and not lineup.split(name)[1]:
                lineup.check_who(game, lineup.split(name)[0], name, base.playable)
                distinct = given if isinstance(given, str) or study.design != designs.LIST else dict.fromkeys(given)
                playing[lineup.split(name)[0]] = lineup.strategy_values(name, _texts(distinct), game)
        return cls(study, game, base, playing)

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name. Raises InputError."""
        if lineup.is_lineup(name):
            return lineup.parameter(name, self.playing, self.game, self.study.plugins, self.base)
        known = self.game.all_parameters(self.base.content)
        if name not in known:
            hint = nearest(name, known)
            raise InputError(
                f"{self.game.name}: no parameter {name!r} to vary{hint} (see: doomtrack show {self.game.name})"
            )
        return known[name]

    def default(self, name: str, parameter: Parameter) -> Value | None:
        """The value where it is not varied: the one that is set, else the game's or the strategy's own."""
        if name in self.study.base:
            return parameter.read(self.study.base[name])
        if not lineup.is_lineup(name):
            own: Value | None = self.base.settings.get(name, parameter.default)
            return own
        who, weight = lineup.split(name)
        text = lineup.text_for(self.game, self.study.strategies, who, self.base)
        if not weight:
            return text
        import strategies

        player = strategies.player(self.game.name, text, plugins=tuple(self.study.plugins))
        return player.weights.get(weight, parameter.default)


def _factors(study: Study, known: _Known, varied: Mapping[str, Any]) -> tuple[Factor, ...]:
    """The factors with their values read and checked one by one."""
    found = []
    free = study.design in (designs.ONE, designs.LIST)  # what is set is then the base
    for name, given in varied.items():
        if name in study.base and not free:
            raise InputError(f"{name}: both set ({words.shown(study.base[name])}) and varied; leave one out")
        who, weight = lineup.split(name) if lineup.is_lineup(name) else ("", "")
        if who and not weight:
            if who in study.strategies and not free:
                raise InputError(
                    f"{name}: both set (--strategy {who}={study.strategies[who]}) and varied; leave one out"
                )
            meaning = f"strategy of {'all seats' if who == 'all' else who}"
            base = known.default(name, known.parameter(name)) if free else None
            found.append(Factor(name, tuple(known.playing[who]), meaning, base=base))
            continue
        parameter = known.parameter(name)
        bounds = designs.span(parameter, given) if study.design in designs.SPREAD else None
        if bounds is not None:
            values: list[Value] = []
        elif study.design == designs.LIST:
            values = [parameter.read(v) for v in given]
        else:
            values = words.factor_values(parameter, given)
        base = known.default(name, parameter) if free else None
        unit = getattr(parameter, "unit", "")
        found.append(Factor(name, tuple(values), parameter.meaning, unit, bounds, base))
    return tuple(found)


def _layout(study: Study, known: _Known, varied: Mapping[str, Any]) -> Layout:
    """The cells' values. A listed cell is read here, so that what is wrong in it is said with its place."""
    factors = _factors(study, known, varied) if study.design != designs.LIST else ()
    if study.design != designs.LIST:
        return designs.lay_out(study.design or designs.GRID, factors, study.points, study.seed)
    cells = []
    for index, cell in enumerate(study.cell):
        try:
            if not cell:
                raise InputError("is empty")
            cells.append({k: known.parameter(k).read(v) for k, v in cell.items()})
        except InputError as error:
            raise InputError(f"{cell_name(index, cell)}: {error}") from None
    return designs.listed(cells, _factors(study, known, varied))


def parameter_of(study: Study, name: str) -> Parameter:
    """What a name stands for in a study that does not vary it. Raises InputError as `plan` does."""
    game, varied = find_game(study.game), _varied(study)
    ours, _ = _base(study)
    try:
        base = game.configure(ours, study.overlays)
    except InputError:
        if not varied:
            raise
        base = game.configure({}, study.overlays)  # what it lacks may be given by a factor
    _check_who(study, base, varied)
    return _Known.of(study, game, base, varied).parameter(name)


def _texts(given: str | Iterable[Any]) -> str | list[str]:
    return given if isinstance(given, str) else [str(g) for g in given]


def plan(study: Study) -> Plan:
    """Check a study and build all of its cells. Raises InputError, naming the cell that is wrong."""
    study = study.resolved()
    game = find_game(study.game)
    varied = _varied(study)
    ours, theirs = _base(study)
    failed: InputError | None = None
    try:
        base = game.configure(ours, study.overlays)
    except InputError as error:
        if not varied:
            raise
        # what the base lacks may be given by a factor (players=5 needed by another setting): the cells decide
        base, failed = game.configure({}, study.overlays), error
    _check_who(study, base, varied)
    layout = _layout(study, _Known.of(study, game, base, varied), varied)
    cells = []
    lineups: dict[tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, str], ...]], tuple[Player, ...]] = {}
    for index, parameters in enumerate(layout.cells):
        try:
            settings = {**ours, **{k: v for k, v in parameters.items() if not lineup.is_lineup(k)}}
            changes = {**theirs, **{k: v for k, v in parameters.items() if lineup.is_lineup(k)}}
            configuration = game.configure(settings, study.overlays)
            who = lineup.texts(changes, study.strategies, game, study.plugins, configuration)
            known = (configuration.cast, tuple(who.items()))
            if known not in lineups:
                lineups[known] = lineup.players(game, configuration.seats, who, study.plugins, configuration)
            _check_expressions(study, configuration)
        except InputError as error:
            if failed is not None and str(error) == str(failed):
                raise failed from None  # wrong in every cell: the base is
            raise (InputError(f"{cell_name(index, parameters)}: {error}") if parameters else error) from None
        cells.append(Cell(index, parameters, configuration, who, lineups[known]))
    given = cells[0].configuration.given
    names = {f.name for f in layout.factors}
    read_in = {k: given[k] for k in ours if k in given and k not in names}
    read_in |= {k: words.plain(v) for k, v in theirs.items() if k not in names}
    asked = designs.asked(study.design or designs.GRID, layout.cells)
    return Plan(study, game, layout.factors, tuple(cells), read_in, layout.notes, asked)


def _check_expressions(study: Study, configuration: Configuration) -> None:
    if study.metrics:
        from experiments.expressions import Expressions

        Expressions(study.metrics, configuration)
