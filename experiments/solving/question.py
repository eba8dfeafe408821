"""What a search asks, as data: a study with something to find. Built from keywords, or read from TOML.

A search that ships lies in ``experiments/searches/<game>``. What it varies (`factors`) makes several searches, one for
each combination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from experiments import designs, documents, words
from experiments.execution import combined, with_players
from experiments.study import Study, build
from experiments.study import read as read_study
from simcore.errors import InputError

BUDGET = 600_000  # games of a search that says nothing
SEARCHES = Path(__file__).parent.parent / "searches"
OWN = ("find", "target", "within", "budget")  # the keys that a study does not have
NOT_OURS = {  # keys of a study that a search cannot use, and why
    "games": "a search has a budget in its place (budget = 600_000)",
    "precision": "a search has `within` in its place, how far from the target the metric may be",
    "design": "searches are all combinations of the factors",
    "points": "searches are all combinations of the factors",
    "cell": "searches are all combinations of the factors",
    "answer": "it is the target that is told",
}


class Question(Study):
    """A study with something to find: `find`, `target` and `within` are the options of the same names."""

    find: dict[str, str | list[bool | int | float | str]] = Field(default_factory=dict)
    target: dict[str, float] = Field(default_factory=dict)
    within: float | None = None
    budget: int = BUDGET  # most games of one search

    @field_validator("find", mode="before")
    @classmethod
    def _find(cls, given: object) -> object:
        return words.assignments("--find", [given]) if isinstance(given, str) else given

    @field_validator("target", mode="before")
    @classmethod
    def _target(cls, given: object) -> object:
        if isinstance(given, str):
            return dict([target_of(given)])
        return {k: share("--target", v) for k, v in given.items()} if isinstance(given, Mapping) else given

    @field_validator("within", mode="before")
    @classmethod
    def _within(cls, given: object) -> float | None:
        if given is None:
            return None
        number = share("--within", given)
        if number <= 0:
            raise InputError(f"--within {given}: must be above 0 (how far from the target the metric may be)")
        return number

    @field_validator("budget", mode="before")
    @classmethod
    def _budget(cls, given: object) -> int:
        try:
            return words.number_of_games(given)
        except InputError as error:
            raise InputError(str(error).replace("games:", "budget:", 1)) from None

    @property
    def study(self) -> Study:
        """The same without what is to be found: what every search of it plays."""
        return Study(**{k: v for k, v in self.model_dump().items() if k not in OWN})


def target_of(given: str) -> tuple[str, float]:
    """`METRIC=VALUE` as metric and number; `win_share[seat=0]=30%` is 0.3. Raises InputError."""
    metric, equals, value = given.strip().rpartition("=")
    if not equals or not metric.strip() or not value.strip().removesuffix("%").strip() or "]" in value:
        raise InputError(f"--target {given!r}: should read METRIC=VALUE, as win_rate=0.45 or win_share[seat=0]=0.3")
    return metric.strip(), share("--target", value)


def share(name: str, given: object) -> float:
    """A finite number; `30%` is 0.3. Raises InputError."""
    text = str(given).strip()
    part = text.removesuffix("%").strip()
    try:
        number = float("nan") if isinstance(given, bool) else float(part.replace("_", ""))
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise InputError(f"{name}: {part!r} is not a number")
    return number / 100 if text.endswith("%") else number


def read(path: str | Path) -> Question:
    """The search in a TOML file, or what a study's file can give to one. Raises InputError with the file's name.

    A path such as `snallygaster/doom-length.toml` that is not there names a search that ships, or else a study.
    """
    file = Path(path)
    if not file.exists() and (SEARCHES / file).is_file():
        file = SEARCHES / file
    elif not file.exists():
        return plain(read_study(path))
    return documents.read(file, "search", _built)


def _built(**fields: Any) -> Question:
    """What a file says; of one that says what to find, all keys must be of use."""
    if not any(k in fields for k in ("find", "target")):
        return plain(build(**fields))
    for name, why in NOT_OURS.items():
        if name in fields:
            raise InputError(f"{name}: has no meaning in a search; {why}")
    return build(Question, **fields)


def plain(study: Study) -> Question:
    """A study as the start of a question: all but how many games it plays where."""
    if study.design not in (None, designs.GRID):
        raise InputError(f"design {study.design}: solve needs a grid of factors, or none (--vary)")
    return build(Question, **{k: v for k, v in study.model_dump().items() if k not in NOT_OURS})


def shipped(game: str) -> dict[str, Path]:
    """The searches that come with a game, by name (`doom-length`)."""
    return {p.stem: p for p in sorted((SEARCHES / game).glob("*.toml"))}


def asked(
    study: Study | str | Path,
    *,
    find: Mapping[str, str | Sequence[Any]] | str | None = None,
    target: Mapping[str, float] | str | None = None,
    within: float | str | None = None,
    budget: int | float | str | None = None,
    vary: Mapping[str, str | Sequence[Any]] | None = None,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    metrics: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> Question:
    """The question of a game, a study or a file, with these words added or put in place of its own.

    Raises InputError; what is missing, and what does not go together, is seen in ``experiments.solving.searches``.
    """
    if isinstance(study, Study):
        base = study if isinstance(study, Question) else plain(study)
    elif str(study).endswith(".toml"):
        base = read(study)
    else:
        base = build(Question, game=str(study))
    own: dict[str, Any] = {k: v for k, v in base.model_dump().items() if k in OWN}
    own |= {k: v for k, v in (("target", target), ("within", within), ("budget", budget)) if v is not None}
    if find is not None:
        own["find"] = find if isinstance(find, str) else {k: _listed(v) for k, v in find.items()}
    given = with_players(settings, players)
    sought = build(Question, game=base.game, **own).find
    free = base.study
    if find is not None:  # what a file sets or varies may be sought in its place
        changed = {k: {n: v for n, v in getattr(free, k).items() if n not in sought} for k in ("base", "factors")}
        free = free.model_copy(update=changed)
    for name in sought:
        if name in (vary or {}):
            raise InputError(f"{name}: both sought and varied; leave one out")
    whole = combined(
        free,
        vary=vary,
        settings=given,
        strategies=strategies,
        content=content,
        plugins=plugins,
        metrics=metrics,
        games=None,
        precision=None,
        seed=seed,
    )
    return build(Question, **whole.model_dump(), **own)


def _listed(values: Any) -> Any:
    return values if isinstance(values, str) else list(values)
