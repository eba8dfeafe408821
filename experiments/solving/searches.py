"""The searches of a question, all of it checked before the first game: one for each combination of what is varied."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments import designs, lineup, words
from experiments.designs import Factor
from experiments.metrics import Counter, Row, seats_by_strategy
from experiments.solving import crossing
from experiments.solving.crossing import Axis
from experiments.solving.question import Question
from experiments.speech import Speech
from experiments.study import Cell, Plan, Study, parameter_of, plan
from simcore.errors import InputError, nearest
from simcore.game import How, find_game
from simcore.parameter import Value

KIND = "solve"


@dataclass(frozen=True)
class Asked:
    """What is looked for: the parameter with its values or bounds, the metric, and what it should be."""

    name: str
    given: str  # as typed: `1..6`
    axis: Axis
    values: Mapping[float, Value]  # of a listed axis, as the parameter has them
    metric: str  # `turns`, `win_share[seat=0]`
    groups: tuple[str, str, str]  # the same as name and groups of a row
    target: float
    within: float | None
    budget: int
    unit: float = 0.0  # the step of a quantile, which has only whole values of it; 0 for all else

    @property
    def data(self) -> dict[str, Any]:
        """In plain data, to know it again."""
        return {
            "find": self.name,
            "over": self.given,
            "metric": self.metric,
            "target": self.target,
            "within": self.within,
            "budget": self.budget,
        }

    def value(self, x: float) -> Value:
        """The parameter's value at a place."""
        return self.values.get(x, x)

    def row(self, rows: Sequence[Row]) -> Row | None:
        """The metric's row among these."""
        return next((r for r in rows if (r.metric, r.group, r.group2) == self.groups and r.x is None), None)


@dataclass(frozen=True)
class Search:
    """One combination of what is varied. `cells`: those that are known beforehand, by place."""

    number: int
    parameters: Mapping[str, Value]
    study: Study  # with the combination set
    name: str  # of the parameter that is sought
    cells: Mapping[float, Cell] = field(repr=False)

    @property
    def title(self) -> str:
        """`monster=dover-demon, players=2`; nothing where nothing is varied."""
        return words.listed(self.parameters)

    def cell(self, x: float, value: Value) -> Cell:
        """The cell at a place. Raises InputError where the game refuses the value."""
        if x in self.cells:
            return self.cells[x]
        made = plan(self.study.model_copy(update={"factors": {self.name: [value]}})).cells[0]
        return dataclasses.replace(made, parameters={**self.parameters, self.name: value})


@dataclass(frozen=True)
class Ready:
    """A question, checked."""

    question: Question
    asked: Asked
    searches: tuple[Search, ...]
    plan: Plan  # a grid: what is varied, and the places that are known beforehand

    @property
    def factors(self) -> tuple[Factor, ...]:
        """What is varied."""
        return self.plan.factors[:-1]

    @property
    def study(self) -> Study:
        """What every cell is played by."""
        return self.plan.study


def checked(question: Question) -> Ready:
    """The searches of a question. Raises InputError for anything that is wrong in any of them."""
    find_game(question.game)
    if not question.find or not question.target:
        raise InputError(
            "solve: needs --find K=LO..HI and --target METRIC=VALUE, as --find gear=1..6 --target turns=40"
        )
    if len(question.find) != 1 or len(question.target) != 1:
        raise InputError("solve: needs one parameter to find and one target")
    ((name, given),), ((metric, target),) = question.find.items(), question.target.items()
    base = question.study
    if name in base.factors:
        raise InputError(f"{name}: both sought and varied; leave one out")
    axis, values = _axis(base, name, given)
    places = axis.values or tuple(axis.scouts())
    least = crossing.least_budget(axis)
    if question.budget < least:
        raise InputError(
            f"--budget {question.budget}: too few games for {len(axis.scouts())} values; at least {least}"
            + (" in each search" if base.factors else "")
        )
    at = [values.get(x, x) for x in places]
    study = base.model_copy(
        update={
            "factors": {**base.factors, name: at},
            "games": question.budget,
            "answer": [metric.replace(" ", "")],
        }
    )
    whole = plan(study)
    groups = _metric(metric, whole.cells, study, target)
    unit = _unit(whole.cells[0], groups)
    if unit and axis.span is not None:
        raise InputError(
            f"--target {metric}: a quantile goes in whole steps, which a real {name} does not meet at one "
            f"value; solve for a rate (--metric long='turns > {target:g}' --target long=0.05), or give a step"
        )
    shown = given if isinstance(given, str) else ",".join(words.shown(v) for v in given)
    asked = Asked(name, shown, axis, values, metric, groups, target, question.within, question.budget, unit)
    searches: list[Search] = []
    for k in range(0, len(whole.cells), len(places)):
        cells = whole.cells[k : k + len(places)]
        combination = {n: v for n, v in cells[0].parameters.items() if n != name}
        own = _set(study, combination)
        searches.append(Search(len(searches), combination, own, name, dict(zip(places, cells, strict=True))))
    return Ready(question, asked, tuple(searches), whole)


def _set(study: Study, combination: Mapping[str, Value]) -> Study:
    """The study with a combination set."""
    base, strategies = dict(study.base), dict(study.strategies)
    for name, value in combination.items():
        if lineup.is_lineup(name) and not lineup.split(name)[1]:
            strategies[lineup.split(name)[0]] = str(value)
        else:
            base[name] = value
    return study.model_copy(update={"base": base, "strategies": strategies, "factors": {}})


def _axis(study: Study, name: str, given: str | Sequence[Any]) -> tuple[Axis, dict[float, Value]]:
    """Where to look for a parameter. Raises InputError for one that is no number."""
    if lineup.is_lineup(name) and not lineup.split(name)[1]:
        raise InputError(f"--find {name}: a strategy is no number; sweep it, or solve for one of its weights")
    parameter = parameter_of(study, name)
    if parameter.kind not in ("integer", "number"):
        raise InputError(f"--find {name}: is no number ({parameter.kind}); see what it does with doomtrack sweep")
    bounds = designs.span(parameter, given)
    if bounds is not None:
        return Axis(span=bounds), {}
    values = {float(v): v for v in words.factor_values(parameter, given)}
    if len(values) < 2:
        raise InputError(f"--find {name}: has one value; a range is needed, as {name}={next(iter(values)):g}..9")
    return Axis(tuple(sorted(values))), {x: values[x] for x in sorted(values)}


# --- the metric -------------------------------------------------------------------------------------------------------


def _known_metrics(cell: Cell, study: Study) -> dict[str, tuple[str, str, str]]:
    """Metrics with an interval, by label."""
    found = [(m.name, m.group, m.group2) for m in cell.configuration.metrics if _usable(m.how)]
    found += [("win_share", f"strategy={label}", "") for label in seats_by_strategy(cell.players)]
    found += [(name, "", "") for name in study.metrics]
    return {Row(*names, None, None, None, None, 0, "").label: names for names in found}


def _usable(how: How) -> bool:
    return how not in (How.SPAN_SHARE, How.SPAN_MAX)


def _metric(given: str, cells: Sequence[Cell], study: Study, target: float) -> tuple[str, str, str]:
    """Name and groups of a metric that every cell has. Raises InputError, also for a target that it cannot have."""
    wanted = given.replace(" ", "")
    for cell in {(c.configuration.seats, *(p.label for p in c.players)): c for c in cells}.values():
        known = {label.replace(" ", ""): names for label, names in _known_metrics(cell, study).items()}
        if wanted not in known:
            every = list(dict.fromkeys(n for n, _, _ in known.values()))
            same = [label for label in known if label.partition("[")[0] == wanted.partition("[")[0]]
            hint = f"; of that name there are: {', '.join(same[:8])}" if same else nearest(given, every)
            where = f" at {words.listed(cell.parameters)}" if len(cells) > 1 and same else ""
            raise InputError(f"--target: no metric {given!r}{where}{hint or '; known: ' + ', '.join(every)}")
    names = known[wanted]
    unit = next((m.unit for m in cells[0].configuration.game.metrics(cells[0].configuration) if m.name == names[0]), "")
    if Speech({names[0]: {"unit": unit}}).percent(names[0]):
        lowest = -1.0 if names[0].endswith("_edge") else 0.0
        if not lowest <= target <= 1:
            hint = f"; did you mean {target / 100:g} or {target:g}%?" if 1 < target <= 100 else ""
            raise InputError(f"--target {given}: {target:g} is outside {lowest:g}..1{hint}")
    return names


def _unit(cell: Cell, groups: tuple[str, str, str]) -> float:
    """The step of a quantile; 0 for all else."""
    metrics = Counter(cell.configuration, cell.players).metrics
    steps = [m.scale for m in metrics if (m.name, m.group, m.group2) == groups and m.how is How.SPAN_QUANTILE]
    return abs(steps[0]) if steps else 0.0
