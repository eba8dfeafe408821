"""What a contract comes to: its cells, and every number that must lie in its band.

``ready`` checks all of it before the first game: every cell is built, every metric is found in it, every band can be
kept. One number of one cell is an ``Item``.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from experiments import lineup, study, words
from experiments import statistics as st
from experiments.checking import causal, gauges
from experiments.checking.contract import Contract, Line, called
from experiments.checking.gauges import Gauge, Tuning
from experiments.designs import LIST, Factor
from experiments.impacts.entries import METRIC
from experiments.sequences import GAMES
from experiments.study import Cell, Plan, Study
from simcore.errors import InputError, nearest
from simcore.game import How, find_game
from simcore.parameter import Value

if TYPE_CHECKING:
    from experiments.adapting.steps import Adapted

ALL = "strategy.all"


@dataclass(frozen=True)
class Band:
    """Where a number must lie, ends included; None where there is no bound."""

    low: float | None
    high: float | None

    def strain(self, value: float) -> float:
        """How near a value is to the end of the band: 0 in the middle, 1 at an end, more outside."""
        if self.low is None or self.high is None:
            end = self.high if self.low is None else self.low
            assert end is not None  # noqa: S101 - a band has one end at least
            over = (value - end) if self.low is None else (end - value)
            return 1 + over / max(abs(end), 1e-12)
        half = max((self.high - self.low) / 2, 1e-12)
        return abs(value - (self.low + self.high) / 2) / half


@dataclass(frozen=True)
class Item:
    """One number that must lie in its band: a line's metric of one group in one cell."""

    line: int
    cell: int  # place in Ready.cells
    gauge: Gauge
    band: Band
    tuning: Tuning


@dataclass(frozen=True)
class Ready:
    """A contract, checked: its cells, and what is decided in each. `line_up`: that of each cell, by its name."""

    contract: Contract
    plan: Plan
    line_up: tuple[str, ...]
    items: tuple[Item, ...]
    level: float  # of each item, so that all hold together with the contract's
    adapted: tuple[tuple[str, Adapted], ...] = ()  # how the players of each cell were tuned to it, where they were

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells."""
        return self.plan.cells

    def expressions(self) -> dict[str, str]:
        """The users' own metrics by name."""
        return {i.gauge.metric.name: i.gauge.expression for i in self.items if i.gauge.expression}


def ready(contract: Contract, threads: int | None = None, tune: Tune | None = None) -> Ready:
    """Check a contract and build all of its cells. Raises InputError, naming the line that is wrong.

    `threads`: of gauges that play games of their own; `tune`: gives each cell other players.
    """
    found: dict[Any, tuple[str, Cell]] = {}  # a configuration and line-up is played once, whatever lines ask for it
    asked: list[tuple[int, Any]] = []
    for label, who in contract.line_ups.items():
        for k, line in enumerate(contract.line):
            for cell in _cells(contract, k, line, who, tune):
                settings = {**cell.configuration.settings, **cell.configuration.given}
                key = (label, *sorted((n, str(v)) for n, v in settings.items()), *(p.label for p in cell.players))
                found.setdefault(key, (label, cell))
                asked.append((k, key))
    place = {key: at for at, key in enumerate(found)}
    gauged: dict[Any, list[Gauge]] = {}
    wanted: list[tuple[int, int, Gauge, Band]] = []
    for k, key in dict.fromkeys(asked):
        line, (label, cell) = contract.line[k], found[key]
        try:
            if key not in gauged:
                gauged[key] = gauges.of_cell(cell.configuration, cell.players)
            for gauge in _gauges(k, line, gauged[key], cell, contract.seed, threads):
                wanted.append((k, place[key], gauge, _band(line, gauge, cell.configuration.seats)))
        except InputError as error:
            raise InputError(f"{called(k, line)}{_at(cell)}: {error}") from None
    level = st.family(contract.level, len(wanted))
    items = tuple(
        Item(k, at, gauge, band, _tuning(level, band, gauge, contract.budget)) for k, at, gauge, band in wanted
    )
    plan, order = _plan(contract, [cell for _, cell in found.values()], items, tuned=tune is not None)
    moved = {old: new for new, old in enumerate(order)}
    items = tuple(sorted((replace(i, cell=moved[i.cell]) for i in items), key=lambda i: (i.line, i.cell)))
    labels = [label for label, _ in found.values()]
    return Ready(contract, plan, tuple(labels[old] for old in order), items, level)


def _at(cell: Cell) -> str:
    return f" at {words.listed(cell.parameters)}" if cell.parameters else ""


Tune = Callable[[Cell, Study], Cell]


def _cells(contract: Contract, k: int, line: Line, who: Mapping[str, str], tune: Tune | None) -> tuple[Cell, ...]:
    """The cells of one line with one line-up."""
    taken = {name for name in line.each if lineup.is_lineup(name) and not lineup.split(name)[1]}
    if taken and len(contract.line_ups) > 1:
        raise InputError(
            f"{called(k, line)}: each {min(taken)}: the contract has several line-ups already; leave one out"
        )
    asked = study.build(
        game=contract.game,
        base={name: v for name, v in contract.base.items() if name not in line.each},
        overlays=contract.overlays,
        plugins=contract.plugins,
        strategies={w: text for w, text in who.items() if f"strategy.{w}" not in taken},
        factors=line.each,
        seed=contract.seed,
    )
    try:
        cells = study.plan(asked).cells
        return cells if tune is None else tuple(tune(cell, asked) for cell in cells)
    except InputError as error:
        raise InputError(f"{called(k, line)}: {error}" if line.each else str(error)) from None


NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[\s*([^\]]+?)\s*\])?\s*")


def _gauges(k: int, line: Line, known: Sequence[Gauge], cell: Cell, seed: int, threads: int | None) -> list[Gauge]:
    """What a line measures in a cell: one gauge a group. Raises InputError for what the game lacks."""
    if line.expression:
        return [gauges.of_expression(expression_name(k, line, known), line.expression, cell.configuration)]
    game = cell.configuration.game.name
    match = NAMED.fullmatch(line.metric)
    if match is None:
        raise InputError(f"metric {line.metric!r}: should read NAME, NAME[KIND] or NAME[KIND=VALUE]")
    name, group = match[1], match[2] or ""
    if name == METRIC:
        return causal.gauges(line, group, cell, seed, threads)
    named = [g for g in known if g.metric.name == name]
    if not named and causal.CAUSAL.search(name):
        said = causal.called(cell.configuration.game)
        raise InputError(f"{game} has no metric {name!r}; what a dealt card does to its holder's chances is {said}")
    if not named:
        names = dict.fromkeys(g.metric.name for g in known)
        raise InputError(f"{game} has no metric {name!r}{nearest(name, names)} (see: doomtrack run {game} --all)")
    if line.quantile is not None:
        if group:
            raise InputError(f"metric {line.metric!r}: a quantile is of all games; leave [{group}] out")
        spans = [g for g in named if g.metric.how in (How.SPAN_MEAN, How.SPAN_QUANTILE)]
        if not spans:
            having = sorted({g.metric.name for g in known if g.metric.how is How.SPAN_MEAN})
            raise InputError(f"{name} has no quantiles; those that have: {', '.join(having)}")
        return [spans[0].at(line.quantile)]
    chosen = [g for g in named if g.metric.group == group or (group and g.kind == group)]
    if not chosen:
        kinds = list(dict.fromkeys(g.kind for g in named))
        there = "only as a whole" if kinds == [""] else f"by {', '.join(x for x in kinds if x)}"
        say = f" (say {name}[{kinds[0]}])" if not group and kinds[0] else ""
        if (
            group
            and name.startswith("win_")
            and group in {g.kind for g in known if not g.metric.name.startswith("win_")}
        ):
            said = causal.called(cell.configuration.game)
            raise InputError(
                f"{game} has no {name} by {group}; what a dealt card does to its holder's chances is {said}"
            )
        wanted = f"by {group.partition('=')[0]}" if group.partition("=")[0] not in kinds else f"of {group}"
        raise InputError(f"{game} has no {name} {wanted if group else 'as a whole'}; it has it {there}{say}")
    if any(g.metric.how is How.SPAN_MAX for g in chosen):
        raise InputError(f"{name} is the largest value seen: no number of games bounds it from above")
    return chosen


def expression_name(k: int, line: Line, known: Sequence[Gauge]) -> str:
    """What an expression is called among the metrics: its line's name as a word."""
    word = re.sub(r"\W+", "_", line.name, flags=re.ASCII).strip("_").lower() or f"line_{k + 1}"
    return f"{word}_" if word in {g.metric.name for g in known} else word


def _band(line: Line, gauge: Gauge, seats: int) -> Band:
    """The band in the metric's own unit. Raises InputError for one that the metric cannot lie in."""
    if line.of_fair is not None:
        if gauge.metric.name != "win_share" or not gauge.metric.group:
            raise InputError(
                f"of_fair is for win shares of groups (win_share[seat]); {gauge.metric.name} has no fair share"
            )
        return Band(line.of_fair[0] / seats, line.of_fair[1] / seats)
    if line.between is not None:
        band = Band(*line.between)
    elif line.within is not None:
        band = Band(-line.within, line.within)
    else:
        band = Band(line.at_least, line.at_most)
    name = gauge.metric.name
    if gauge.share or gauge.edge:
        least, unit = (0.0, "a share from 0 to 1") if gauge.share else (-1.0, "a difference from -1 to 1")
        for end in (band.high, band.low):
            if end is not None and not (least <= end <= 1 or (line.within is not None and abs(end) <= 1)):
                meant = f"; {end:g} % is {end / 100:g}" if 1 < abs(end) <= 100 else ""
                raise InputError(f"an impossible band: {name} is {unit}, and {end:g} is outside{meant}")
        if (band.low is None or band.low <= least) and (band.high is None or band.high >= 1):
            raise InputError(f"an empty promise: {name} is {unit} and lies in {line.wants} whatever happens")
    if gauge.metric.how is not How.SPAN_QUANTILE and band.low == band.high:
        raise InputError(f"an impossible band: no number of games shows that {name} is exactly {band.low:g}")
    if line.metric and gauge.kind in ("seat", "order") and name == "win_share" and "=" not in line.metric:
        if band.low is not None and band.low * seats > 1:
            raise InputError(f"an impossible band: {seats} players share one win, so not all can have {band.low:g}")
    return band


def _tuning(level: float, band: Band, gauge: Gauge, budget: int) -> Tuning:
    """Where a sequence is to be tightest: near the band's nearest end, after the games that the band will need."""
    if not gauge.share:
        return Tuning(level, 0.5, min(GAMES, budget))
    ends = [e for e in (band.low, band.high) if e is not None and 0 < e < 1]
    if len(ends) == 2:
        expect, half = sum(ends) / 2, abs(ends[1] - ends[0]) / 2
    elif ends:
        expect, half = ends[0], min(ends[0], 1 - ends[0]) / 2
    else:
        expect, half = 0.5, 0.1
    needed = 20 * expect * (1 - expect) / max(half, 1e-6) ** 2
    return Tuning(level, expect, int(min(budget, max(600, needed))))


# --- the plan of a result folder --------------------------------------------------------------------------------------


def _plan(contract: Contract, cells: Sequence[Cell], items: Sequence[Item], *, tuned: bool) -> tuple[Plan, list[int]]:
    """All cells as those of one study, and the order in which it has them.

    What any line varies is a factor, the line-up, too, if there are several. A cell's index is its place in the full
    grid of the factors, so that `doomtrack trace DIR --cell C` finds it, though lines may leave some cells out. With
    `tuned` players each cell is listed with its own.
    """
    game = find_game(contract.game)
    several = len(contract.line_ups) > 1
    names = list(dict.fromkeys(n for line in contract.line for n in line.each)) + ([ALL] if several else [])
    names = list(dict.fromkeys(names))
    parameters = [{n: _value(cell, n, contract) for n in names} for cell in cells]
    values: dict[str, list[Value]] = {n: [] for n in names}
    for own in parameters:
        for n, value in own.items():
            if value not in values[n]:
                values[n].append(value)
    for found in values.values():
        if all(isinstance(v, int | float) for v in found):
            found.sort(key=float)
    size = math.prod(len(v) for v in values.values())
    index = list(range(len(cells)))
    if size <= words.MOST_CELLS:
        grid = {g: i for i, g in enumerate(itertools.product(*(map(str, values[n]) for n in names)))}
        index = [grid[tuple(str(own[n]) for n in names)] for own in parameters]
    order = sorted(range(len(cells)), key=lambda at: index[at])
    if tuned:
        index = [order.index(at) for at in range(len(cells))]
    factors = []
    for n in names:
        parameter = None if lineup.is_lineup(n) else game.all_parameters(cells[0].configuration.content).get(n)
        meaning = parameter.meaning if parameter is not None else f"strategy of {'all seats' if n == ALL else n[9:]}"
        factors.append(Factor(n, tuple(values[n]), meaning, getattr(parameter, "unit", "")))
    base = {n: v for n, v in contract.base.items() if n not in names}
    varied = {n.removeprefix(lineup.PREFIX) for n in names if lineup.is_lineup(n)}
    who = {} if several else {w: t for w, t in next(iter(contract.line_ups.values())).items() if w not in varied}
    answer = dict.fromkeys(i.gauge.metric.name for i in items)
    asked = Study(
        game=contract.game,
        title=contract.title,
        note=contract.note,
        base=base,
        overlays=contract.overlays,
        plugins=contract.plugins,
        strategies=who,
        factors={f.name: list(f.values) for f in factors},
        metrics={i.gauge.metric.name: i.gauge.expression for i in items if i.gauge.expression},
        answer=list(answer),
        seed=contract.seed,
    )
    placed = [replace(cells[at], index=index[at], parameters=parameters[at]) for at in order]
    given = placed[0].configuration.given
    more = _listed(contract, placed) if tuned else {}
    ready = Plan(asked, game, tuple(factors), tuple(placed), {k: given.get(k, v) for k, v in base.items()}, asked=more)
    return ready, order


def _listed(contract: Contract, cells: Sequence[Cell]) -> dict[str, Any]:
    """What a result folder keeps to play the games of cells again that have players of their own."""
    whos = list(dict.fromkeys(who for cell in cells for who in cell.strategies))
    said = []
    for cell in cells:
        seats, game = cell.configuration.seats, cell.configuration.game
        there = [w for w in whos if not w.isdigit() or int(w) < seats]
        own = {n: v for n, v in cell.parameters.items() if not lineup.is_lineup(n) and v != "unset"}
        said.append({**own, **{f"strategy.{w}": lineup.text_for(game, cell.strategies, w) for w in there}})
    varied = {n for cell in cells for n in cell.parameters}
    base = {n: v for n, v in contract.base.items() if not lineup.is_lineup(n) and n not in varied}
    return {"design": LIST, "cell": said, "factors": {}, "strategies": {}, "base": base}


def _value(cell: Cell, name: str, contract: Contract) -> Value:
    """What a factor is in a cell whose line does not vary it."""
    if name in cell.parameters:
        return cell.parameters[name]
    configuration = cell.configuration
    if lineup.is_lineup(name):
        who, weight = lineup.split(name)
        playing = {w: [t] for w, t in cell.strategies.items()}
        if not weight:
            return lineup.text_for(configuration.game, cell.strategies, who, configuration)
        default = lineup.parameter(name, playing, configuration.game, contract.plugins, configuration).default
        return contract.base.get(name, default if default is not None else 0)
    if name in configuration.given:
        return configuration.given[name]
    default = configuration.settings.get(name)
    if default is None:
        parameter = configuration.game.all_parameters(configuration.content).get(name)
        default = parameter.default if parameter is not None else None
    return default if default is not None else "unset"
