"""Solves for a parameter: the value at which a metric meets a target, with its interval and the curve on the way.

Every value plays the same game numbers (common random numbers). How the games are shared out, and what the interval
means, stands in ``experiments.crossing``; here a game is put behind it, and words to the answer.
"""

from __future__ import annotations

import datetime
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import crossing, designs, findings, kinds, lineup, manifest, store, words
from experiments import statistics as st
from experiments.crossing import Answer, Axis
from experiments.execution import Done, Result, with_players
from experiments.metrics import Counter, Row, described, metrics_of, seats_by_strategy
from experiments.playing import Here, expressions
from experiments.speech import Speech
from experiments.study import Cell, Plan, Study, build, parameter_of, plan
from simcore.errors import InputError, nearest
from simcore.game import How
from simcore.parameter import Value

if TYPE_CHECKING:
    import polars as pl

    from experiments.expressions import Expressions
    from simcore.batch import Totals

KIND = "solve"
BUDGET = 600_000  # games in all, of a search that says nothing
FOUND, UNREACHABLE, NOT_MONOTONE = "found", "unreachable", "not monotone"

Watch = Callable[[int, float], None]  # games so far, the value that is being played


@dataclass(frozen=True)
class Asked:
    """What is looked for: the parameter with its values or bounds, the metric, and what it should be."""

    name: str
    given: str  # as typed: `1..6`
    axis: Axis
    values: Mapping[float, Value]  # of a listed axis, as the parameter has them
    metric: str  # `turns`, `win_share[seat=0]`
    target: float
    within: float | None
    budget: int

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


@dataclass
class Solved:
    """What was found. `status`: found, unreachable or not monotone; `value` is None for the last."""

    asked: Asked
    answer: Answer
    result: Result
    rows: dict[float, Row] = field(repr=False)  # the metric at each value that was played

    @property
    def status(self) -> str:
        """How the search ended."""
        return self.answer.status

    @property
    def value(self) -> Value | None:
        """The value that meets the target, or comes nearest."""
        return None if self.answer.value is None else self.asked.value(self.answer.value)

    @property
    def interval(self) -> tuple[Value, Value] | None:
        """Its 95 % interval; of whole numbers from the first to the last that cannot be excluded."""
        if self.answer.low is None or self.answer.high is None:
            return None
        return self.asked.value(self.answer.low), self.asked.value(self.answer.high)

    @property
    def candidates(self) -> list[Value]:
        """The whole numbers that cannot be excluded; of a real parameter none."""
        return [self.asked.value(x) for x in self.answer.candidates]

    @property
    def sentences(self) -> list[str]:
        """The answer in words."""
        return [f["text"] for f in self.result.sentences if f["kind"] == "answer"]

    @cached_property
    def curve(self) -> pl.DataFrame:
        """The metric at each value that was played: value, metric, low, high, games, method."""
        import polars as pl

        body = [(float(x), r.value, r.low, r.high, self.games(x), r.method) for x, r in self.rows.items()]
        real = pl.Float64
        schema = {"x": real, "value": real, "low": real, "high": real, "games": pl.Int64, "method": pl.String}
        return pl.DataFrame(body, schema=schema, orient="row")

    def games(self, x: float) -> int:
        """Games at a value that was played."""
        return next(p.games for p in self.answer.points if p.x == x)


# --- what is asked ----------------------------------------------------------------------------------------------------


def target_of(given: str) -> tuple[str, float]:
    """`METRIC=VALUE` as metric and number; `win_share[seat=0]=30%` is 0.3. Raises InputError."""
    metric, equals, value = given.strip().rpartition("=")
    number = value.strip().removesuffix("%").strip()
    if not equals or not metric.strip() or not number or "]" in value:
        raise InputError(f"--target {given!r}: should read METRIC=VALUE, as win_rate=0.45 or win_share[seat=0]=0.3")
    return metric.strip(), real("--target", number) / (100 if value.strip().endswith("%") else 1)


def real(name: str, given: object) -> float:
    """A finite number. Raises InputError."""
    try:
        number = float(str(given).replace("_", ""))
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise InputError(f"{name}: {given!r} is not a number")
    return number


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
    return Axis(tuple(sorted(values))), values


def _known_metrics(cell: Cell, study: Study) -> dict[str, tuple[str, str, str]]:
    """Metrics with an interval, by label."""
    found = [(m.name, m.group, m.group2) for m in Counter(cell.configuration, cell.players).metrics if _usable(m.how)]
    found += [("win_share", f"strategy={label}", "") for label in seats_by_strategy(cell.players)]
    found += [(name, "", "") for name in study.metrics]
    return {Row(*names, None, None, None, None, 0, "").label: names for names in found}


def _usable(how: How) -> bool:
    return how not in (How.SPAN_SHARE, How.SPAN_MAX)


def _metric(given: str, cells: Sequence[Cell], study: Study, target: float) -> tuple[str, str, str]:
    """Name and groups of a metric that every cell has. Raises InputError, also for a target that it cannot have."""
    wanted = given.replace(" ", "")
    for cell in {c.configuration.seats: c for c in cells}.values():
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


# --- playing ----------------------------------------------------------------------------------------------------------


@dataclass
class _Place:
    """One value of the parameter, and the games it has played."""

    cell: Cell
    counter: Counter
    extra: Expressions | None
    totals: Totals | None = None


class Table:
    """The cells of a search: plays each on from where it was, and reads the metric off it."""

    def __init__(self, study: Study, asked: Asked, cells: Sequence[Cell], metric: tuple[str, str, str]) -> None:
        self.study, self.asked, self.metric = study, asked, metric
        self.places = {float(c.parameters[asked.name]): self._place(c) for c in cells}
        self.speech = Speech(described(metrics_of(cells[0].configuration)))
        self.threads: int | None = None
        self.watch: Watch | None = None

    def _place(self, cell: Cell) -> _Place:
        return _Place(cell, Counter(cell.configuration, cell.players), expressions(cell, self.study))

    def measure(self, x: float, games: int) -> st.Estimate:
        """The metric at a place after so many games, from number 0 on. Raises InputError where it has no interval."""
        if x not in self.places:
            self.places[x] = self._place(cells_at(self.study, self.asked.name, [self.asked.value(x)]).cells[0])
        place = self.places[x]
        first = 0 if place.totals is None else place.totals.games
        if first < games:
            for piece in Here(self.threads).pieces(place.cell, self.study, first, games):
                if place.extra is not None:
                    for sums in piece.sums:
                        place.extra.count(sums)
                if place.totals is None:
                    place.totals = copy(piece.totals)
                else:
                    place.totals.add(piece.totals)
                if self.watch is not None:
                    self.watch(sum(p.totals.games for p in self.places.values() if p.totals is not None), x)
        row = self.row(x)
        if row is None or None in (row.value, row.low, row.high):
            why = "there is none" if row is None else f"it has no interval ({row.method})"
            raise InputError(f"--target {self.asked.metric}: {why} at {words.listed(place.cell.parameters)}")
        return row.estimate

    def rows(self, x: float) -> list[Row]:
        """All rows of a place."""
        place = self.places[x]
        if place.totals is None:
            return []
        return place.counter.rows(place.totals) + (place.extra.rows() if place.extra is not None else [])

    @property
    def unit(self) -> float:
        """The step of a quantile, which has only whole values of it; 0 for all else."""
        counter = next(iter(self.places.values())).counter
        steps = [m.scale for m in counter.metrics if (m.name, m.group, m.group2) == self.metric]
        quantile = any(m.how is How.SPAN_QUANTILE and (m.name, m.group) == self.metric[:2] for m in counter.metrics)
        return abs(steps[0]) if quantile else 0.0

    def said(self, x: float) -> str:
        """The metric with its interval."""
        row = self.row(x)
        return "nothing" if row is None else self.speech.row(row)

    def row(self, x: float) -> Row | None:
        """The metric's row."""
        return next((r for r in self.rows(x) if (r.metric, r.group, r.group2) == self.metric and r.x is None), None)


def cells_at(study: Study, name: str, values: Sequence[Value]) -> Plan:
    """The study with one parameter varied."""
    return plan(study.model_copy(update={"factors": {name: list(values)}}))


# --- the whole --------------------------------------------------------------------------------------------------------


def solve(
    game: str,
    *,
    find: Mapping[str, str | Sequence[Any]] | str,
    target: Mapping[str, float] | str,
    within: float | str | None = None,
    budget: int | float | str | None = None,
    players: int | None = None,
    settings: Mapping[str, Any] | None = None,
    strategies: Mapping[str, str] | Sequence[str] | str = (),
    content: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    metrics: Mapping[str, str] | None = None,
    seed: int = 1,
    threads: int | None = None,
    out: str | Path | None = None,
    watch: Watch | None = None,
    command: str = "",
) -> Solved:
    """The value of a parameter at which a metric meets a target: `doomtrack solve`, with the same words.

    `find` is `{"gear": "1..6"}` or `"gear=1..6"`, `target` is `{"turns": 40}` or `"turns=40"`. `within`: how far from
    the target the metric may be; games are then played until that can be told. `budget`: games in all. Raises
    InputError, also where the parameter changes nothing, and PlayError.
    """
    clock = time.perf_counter()
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    base = build(
        game=game,
        base=with_players(settings, players),
        strategies=strategies,
        overlays=[str(c) for c in content],
        plugins=[str(p) for p in plugins],
        metrics=dict(metrics or {}),
        seed=seed,
    )
    asked, cells, names = _ask(base, find, target, within, budget)
    study = base.model_copy(update={"games": asked.budget, "answer": [asked.metric]})
    ready = cells_at(study, asked.name, [asked.value(x) for x in asked.axis.scouts()])
    kept = Plan(ready.study, ready.game, ready.factors, ready.cells, ready.given, (), {KIND: asked.data})
    table = Table(study, asked, cells, names)
    if table.unit and asked.axis.span is not None:
        raise InputError(
            f"--target {asked.metric}: a quantile goes in whole steps, which a real {asked.name} does not meet at one "
            f"value; solve for a rate (--metric long='turns > {asked.target:g}' --target long=0.05), or give a step"
        )
    folder = None
    if out is not None:
        if not str(out).strip():
            raise InputError("--out: no folder is named (leave --out away to keep nothing)")
        folder = store.Folder.open(out, kept)
    table.threads, table.watch = threads, watch
    try:
        answer = crossing.find(asked.axis, asked.target, table.measure, asked.budget, asked.within, table.unit)
    except crossing.FlatError as flat:
        raise InputError(_flat(asked, flat, table)) from None
    finally:
        if folder is not None and folder.fresh and not (folder.path / store.MANIFEST).exists():
            folder.discard()
    seconds = time.perf_counter() - clock
    solved = _solved(asked, answer, table, kept, command or _command(base, asked, out), started, seconds)
    return _keep(solved, out, kept) if out is not None else solved


def _ask(
    study: Study,
    find: Mapping[str, str | Sequence[Any]] | str,
    target: Mapping[str, float] | str,
    within: float | str | None,
    budget: int | float | str | None,
) -> tuple[Asked, tuple[Cell, ...], tuple[str, str, str]]:
    """What is looked for, with all cells that are known beforehand, checked."""
    sought = words.assignments("--find", [find]) if isinstance(find, str) else dict(find)
    goals = dict([target_of(target)]) if isinstance(target, str) else dict(target)
    if len(sought) != 1 or len(goals) != 1:
        raise InputError("solve: needs one parameter to find and one target")
    ((name, given),), ((metric, wanted),) = sought.items(), goals.items()
    goal = real("--target", wanted)
    axis, values = _axis(study, name, given)
    tolerance = None
    if within is not None:
        tolerance = real("--within", str(within).removesuffix("%")) / (100 if str(within).endswith("%") else 1)
        if tolerance <= 0:
            raise InputError(f"--within {within}: must be above 0 (how far from the target the metric may be)")
    games = BUDGET if budget is None else words.number_of_games(budget)
    least = crossing.least_budget(axis)
    if games < least:
        raise InputError(f"--budget {games}: too few games for {len(axis.scouts())} values; at least {least}")
    shown = given if isinstance(given, str) else ",".join(words.shown(v) for v in given)
    asked = Asked(name, shown, axis, values, metric, goal, tolerance, games)
    cells = cells_at(study, name, [asked.value(x) for x in axis.values or axis.scouts()]).cells
    return asked, cells, _metric(metric, cells, study, goal)


def _solved(
    asked: Asked, answer: Answer, table: Table, kept: Plan, command: str, started: str, seconds: float
) -> Solved:
    """The answer as a result: a sweep over the values that were played, with the answer's sentences."""
    places = [p.x for p in answer.points]
    ready = cells_at(table.study, asked.name, [asked.value(x) for x in places])
    done = [Done(c, table.rows(x), answer.at(x).games) for c, x in zip(ready.cells, places, strict=True)]
    written = manifest.manifest(ready, KIND, True, [], command, started, seconds, {})
    written |= {"games": None, "asked": store.asked(kept)}
    if lineup.is_lineup(asked.name):  # a weight that is sought is none of the line-up's own
        written["strategies"] = {"all": lineup.DEFAULT, **table.study.strategies}
    metric, group, _ = table.metric
    written["metrics"].get(metric, {})["headline"] = True
    rows = {x: r for x in places if (r := table.row(x)) is not None}
    said = Words(asked, answer, rows, Speech(written["metrics"]))
    main = rows[answer.at(answer.value).x]
    sentences = [kinds.finding("answer", t, main) for t in said.answer()]
    sentences += [kinds.finding("finding", t, main) for t in said.curve()]
    nearest_cell = next(d for d, x in zip(done, places, strict=True) if x == answer.at(answer.value).x)
    others = findings.make(ready, [kinds.Result(nearest_cell.cell, nearest_cell.rows)], written["metrics"])
    sentences += [f for f in others if f["kind"] == "warning"]
    written[KIND] = {
        **asked.data,
        "status": answer.status,
        "value": None if answer.value is None else asked.value(answer.value),
        "low": None if answer.low is None else asked.value(answer.low),
        "high": None if answer.high is None else asked.value(answer.high),
        "candidates": [asked.value(x) for x in answer.candidates],
        "games": answer.games,
    }
    return Solved(asked, answer, Result(ready, written, done, sentences), rows)


def _keep(solved: Solved, out: str | Path, kept: Plan) -> Solved:
    """Write the result folder, the manifest last."""
    folder, result = store.Folder.open(out, kept).path, solved.result
    store.write_frame(folder / store.CELLS, result.cells)
    store.write_json(folder / store.FINDINGS, result.sentences)
    store.write_json(folder / store.MANIFEST, result.manifest)
    result.folder = folder
    return solved


def _command(study: Study, asked: Asked, out: str | Path | None) -> str:
    """The command line that asks the same."""
    said = ["doomtrack", KIND, study.game, "--find", f"{asked.name}={asked.given}"]
    said += ["--target", f"{asked.metric}={asked.target:.12g}"]
    said += ["--within", f"{asked.within:g}"] if asked.within is not None else []
    said += [
        *manifest.line_up_and_settings(study, study.base),
        "--budget",
        str(asked.budget),
        "--seed",
        str(study.seed),
    ]
    said += [w for k, v in study.metrics.items() for w in ("--metric", f"{k}={v}")]
    return shlex.join([*said, *(["--out", str(out)] if out is not None else [])])


# --- words ------------------------------------------------------------------------------------------------------------


def _flat(asked: Asked, flat: crossing.FlatError, table: Table) -> str:
    """Why there is nothing to solve for, with the numbers."""
    low, high = min(flat.points, key=lambda p: p.value), max(flat.points, key=lambda p: p.value)
    games = max(p.games for p in flat.points)
    over = f"{words.shown(asked.value(flat.points[0].x))} to {words.shown(asked.value(flat.points[-1].x))}"
    ends = [f"{table.said(p.x)} at {words.shown(asked.value(p.x))}" for p in (low, high)]
    if flat.identical:
        return (
            f"--find {asked.name}: changes nothing: {asked.metric} is {table.said(low.x)} at each of the "
            f"{len(flat.points)} values tried from {over} ({games:,} games each, the same ones)"
        )
    return (
        f"--find {asked.name}: shows no effect on {asked.metric}: from {ends[0]} to {ends[1]}, {games:,} games each of "
        f"{len(flat.points)} values from {over}; ask for wider bounds, or more games (--budget)"
    )


@dataclass(frozen=True)
class Words:
    """The answer in sentences."""

    asked: Asked
    found: Answer
    rows: Mapping[float, Row]
    speech: Speech

    @property
    def metric(self) -> str:
        """What the metric is called."""
        row = next(iter(self.rows.values()))
        return self.speech.name(row.metric, ", ".join(g for g in (row.group, row.group2) if g))

    @property
    def goal(self) -> str:
        """The metric at the target, in its unit: `turns = 40`, `win rate = 45 %`."""
        metric, target = next(iter(self.rows.values())).metric, self.asked.target
        if not self.speech.percent(metric):
            return f"{self.metric} = {target:g}"
        return f"{self.metric} = {100 * target:g} {'points' if metric.endswith('_edge') else '%'}"

    def at(self, x: float) -> str:
        """`gear = 3`."""
        return f"{self.asked.name} = {words.shown(self.asked.value(x))}"

    def row(self, x: float) -> str:
        """The metric at a place that was played."""
        return self.speech.row(self.rows[x])

    def answer(self) -> list[str]:
        """The answer, how sure it is, and whether it is near enough."""
        if self.found.status == NOT_MONOTONE:
            return self._not_monotone()
        if self.found.status == UNREACHABLE:
            return self._unreachable()
        return self._whole() if self.found.candidates else self._real()

    def _whole(self) -> list[str]:
        value, candidates = self.found.value or 0.0, self.found.candidates
        there = f": {self.row(value)}" if value in self.rows else ""
        said = [f"{self.at(value)} comes nearest to {self.goal}{there}{self._beside(value)}."]
        if len(candidates) == 1:
            said[0] += " No other value can be nearer (95 %)."
        else:
            listed = [words.shown(self.asked.value(x)) for x in candidates]
            shown = ", ".join(listed) if len(listed) <= 8 else f"{listed[0]} to {listed[-1]}"
            said.append(f"Which value is nearest is not certain: {shown} cannot be excluded (95 %).")
        return said + self._near()

    def _beside(self, value: float) -> str:
        """What the neighbours give: between which two the target is met."""
        values = self.asked.axis.values
        k = values.index(value)
        beside = [values[j] for j in (k - 1, k + 1) if 0 <= j < len(values) and values[j] in self.rows]
        said = [f"{words.shown(self.asked.value(x))} gives {self.row(x)}" for x in beside]
        return f" ({'; '.join(said)})" if said else ""

    def _real(self) -> list[str]:
        value, low, high = self.found.value or 0.0, self.found.low or 0.0, self.found.high or 0.0
        number = Speech({}).row(Row("value", "", "", None, value, low, high, self.found.games, ""))
        said = f"{self.asked.name} = {number} gives {self.goal}."
        ends = [words.shown(e) for e, reached in zip(self.asked.axis.ends, (low, high), strict=True) if e == reached]
        if ends:
            said += f" The interval ends at the bound {' and '.join(ends)}: it may reach beyond."
        x = self.found.at(value).x
        return [said, f"Measured nearest to it, at {words.shown(x)}: {self.row(x)}.", *self._near()]

    def _near(self) -> list[str]:
        """Whether the metric is within what was asked of the target, at the value."""
        if self.asked.within is None:
            return []
        low, high = self.found.band
        off = self.speech.change(self.rows[self.found.points[0].x].metric, self.asked.within, "")
        if high < self.asked.target - self.asked.within or low > self.asked.target + self.asked.within:
            return [f"That is not within {off} of the target."]
        if self.asked.target - self.asked.within <= low and high <= self.asked.target + self.asked.within:
            return [f"That is within {off} of the target (95 %)."]
        return [f"Whether that is within {off} of the target is open; more games would tell (--budget)."]

    def _range(self) -> str:
        low, high = (f(self.rows, key=lambda x: self.rows[x].value or 0.0) for f in (min, max))
        return f"it goes from {self.row(low)} at {self.at(low)} to {self.row(high)} at {self.at(high)}"

    def _unreachable(self) -> list[str]:
        first, last = (words.shown(self.asked.value(e)) for e in self.asked.axis.ends)
        value = self.found.at(self.found.value).x
        return [
            f"{self._capital(self.goal)} cannot be reached with {self.asked.name} from {first} to {last}: "
            f"{self._range()}. Nearest is {self.at(value)}."
        ]

    def _not_monotone(self) -> list[str]:
        turn = self.found.turn or ()
        shape = "; ".join(f"{self.row(p.x)} at {words.shown(self.asked.value(p.x))}" for p in turn)
        said = f"{self._capital()} is not monotone in {self.asked.name}: {shape}."
        met = [
            f"between {words.shown(self.asked.value(a))} and {words.shown(self.asked.value(b))}"
            for a, b in self.found.crossings
        ]
        if not met:
            return [f"{said} {self._capital(self.goal)} is met nowhere among the values tried: {self._range()}."]
        first, last = self.found.crossings[0]
        narrower = f"{words.shown(self.asked.value(first))}..{words.shown(self.asked.value(last))}"
        return [
            f"{said} {self._capital(self.goal)} is met {' and '.join(met)}; narrower bounds give an answer "
            f"(--find {self.asked.name}={narrower})."
        ]

    def curve(self) -> list[str]:
        """Which way it goes."""
        if self.found.status != FOUND:
            return []
        first, last = self.found.points[0].x, self.found.points[-1].x
        way = "rises" if self.found.rising else "falls"
        return [f"{self._capital()} {way} with {self.asked.name}: {self._range_of(first, last)}."]

    def _range_of(self, first: float, last: float) -> str:
        return f"{self.row(first)} at {self.at(first)}, {self.row(last)} at {self.at(last)}"

    def _capital(self, text: str = "") -> str:
        said = text or self.metric
        return said[:1].upper() + said[1:]
