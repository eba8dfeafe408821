"""Sentences with numbers, made from a study's rows: what it answers, what else it shows, and what to be wary of.

Every statement about a difference from fair play or between cells holds together with all others of its study
(family-wise 95 %, Bonferroni); a difference between cells is shown by intervals that don't overlap, which is right
however the cells' luck is shared. Where no difference is visible the sentence says how large one could still be, and
that the games are too few to say where that is much. What is asked is told before all else.
Nothing here ranks printed items, cards or kids: their texts may be estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from experiments import designs, kinds, lineup, words
from experiments import statistics as st
from experiments.kinds import Finding, Result, finding
from experiments.metrics import HEADLINES, Row
from experiments.speech import Speech, plain
from experiments.study import Cell, Plan

EFFECTS = tuple(h for h in HEADLINES if h not in ("win_share", "rounds", "first_out_wait_minutes"))
SHOWN_CELLS = 8  # a sweep of more cells is told by its extremes
WIDE = 0.02  # half-width of a win share from which a result is called rough
MANY_TIES = 0.05
PER_FACTOR = 5  # visible effects told of one factor, besides those on what is asked
SMALL_POINTS = 0.01  # an effect on a share that is known to be no larger is called none
SMALL_PART = 0.02  # and one on anything else, as a part of its value
CAPPED = 0.001  # a rate of capped games that may be higher is worth a warning


def where(parameters: dict[str, Any] | Any) -> str:
    """`players=4, gear=2`."""
    return words.listed(parameters)


def _place_of(cell: Cell) -> str:
    """Where a cell lies, but for what may not be ranked because its texts are estimated."""
    unranked = cell.configuration.game.unranked
    return where({k: v for k, v in cell.parameters.items() if k not in unranked})


# --- the whole --------------------------------------------------------------------------------------------------------


def make(plan: Plan, results: Sequence[Result], described: dict[str, dict[str, Any]]) -> list[Finding]:
    """All findings of a study, in order of importance: answers, findings, warnings."""
    if not results:
        return [finding("warning", "No cell was played to its end: there is nothing to report.")]
    speech = Speech(described)
    found = _sweep(plan, results, speech) if len(results) > 1 else _single(plan, results[0], speech)
    if not any(f["kind"] in ("answer", "finding") for f in found):
        found.append(finding("finding", "Nothing here departs visibly from fair play, and nothing else stands out."))
    found += _warnings(plan, results, speech)
    order = {"answer": 0, "finding": 1, "warning": 2}
    return sorted(found, key=lambda f: order[f["kind"]])


def asked_metrics(plan: Plan) -> list[tuple[str, str]]:
    """(metric, group) of the study's `answer` entries, then its own metrics."""
    found = []
    for text in plan.study.answer:
        metric, _, group = text.partition("[")
        found.append((metric.strip(), group.rstrip("] ").strip()))
    return found + [(name, "") for name in plan.study.metrics]


# --- one cell ---------------------------------------------------------------------------------------------------------


def _single(plan: Plan, result: Result, speech: Speech) -> list[Finding]:
    found = _asked_single(plan, result, speech)
    statements = 1 + result.cell.configuration.seats + len({p.label for p in result.cell.players})
    level = st.family(st.LEVEL, statements)
    told: Iterable[Callable[[Result, Speech, float], list[Finding]]] = (
        kinds.told,
        _start,
        _order,
        _strategies,
        kinds.race,
        _length,
        _wait,
        _drama,
        kinds.ahead,
    )
    for tell in told:
        found.extend(tell(result, speech, level))
    if not any(f["kind"] == "answer" for f in found) and found:
        found[0] = {**found[0], "kind": "answer"}
    return found


def _asked_single(plan: Plan, result: Result, speech: Speech) -> list[Finding]:
    found = []
    for metric, group in asked_metrics(plan):
        row = result.find(metric, group)
        if row is not None:
            text = f"{_capital(speech.name(metric, group))}: {speech.row(row)}."
            found.append(finding("answer", text, row))
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _fair(result: Result) -> float:
    """A seat's fair share: the mean of the shares by turn order; less than 1 / players where some games are capped."""
    seats = result.cell.configuration.seats
    shares = [r.value for r in result.rows if r.metric == "win_share" and r.group.startswith("order=")]
    known = [s for s in shares if s is not None]
    return sum(known) / seats if len(known) == seats else 1 / seats


def _start(result: Result, speech: Speech, level: float) -> list[Finding]:
    row = result.find("start_edge")
    bounds = st.at_level(row.estimate, level) if row is not None else None
    if row is None or row.value is None or bounds is None:
        return []
    fair = _fair(result)
    low, high = bounds
    starter = result.find("win_share", "order=0")
    won = row.value + fair if starter is None or starter.value is None else starter.value
    share = f"{plain(100 * won)} % of the games where {plain(100 * fair)} % would be fair"
    interval = speech.row(row).replace(", ", " to ")
    if low > 0:
        text = f"Starting is an advantage: whoever starts wins {share} ({interval})."
    elif high < 0:
        text = f"Starting is a disadvantage: whoever starts wins {share} ({interval})."
    else:
        most = speech.change("start_edge", max(-low, high), "")
        if max(-low, high) <= SMALL_POINTS:
            text = f"No edge of the starting player is visible: he wins {share}; any edge is at most ±{most}."
        else:
            text = (
                f"Too few games to say whether starting matters: whoever starts wins {share}. Taken alone the edge is "
                f"{interval}; counting all that is said of this result, it could be up to ±{most}."
            )
    return [finding("finding", text, row)]


def _order(result: Result, speech: Speech, level: float) -> list[Finding]:
    rows = [r for r in result.rows if r.metric == "win_share" and r.group.startswith("order=") and r.value is not None]
    if len(rows) < 3:  # with two players the starting player's edge says it all
        return []
    fair = _fair(result)  # an estimate, too: it moves with each share, so that taking it as known errs to the safe side
    off = [r for r in rows if (b := st.at_level(r.estimate, level)) is not None and not b[0] <= fair <= b[1]]
    best, worst = max(rows, key=lambda r: r.value or 0), min(rows, key=lambda r: r.value or 0)
    if not off:
        return []
    said = [
        f"{word} for the player {_place(r)} ({speech.row(r)})"
        for word, r in (("best", best), ("worst", worst))
        if r in off
    ]
    if not said:
        return []
    top = off[0] if best not in off else best
    text = f"The place in turn order matters: it is {' and '.join(said)}; fair is {plain(100 * fair)} %."
    return [finding("finding", text, top)]


def _place(row: Row) -> str:
    k = int(row.group.partition("=")[2])
    return "who starts" if k == 0 else f"who sits {k} after the starting player"


def _strategies(result: Result, speech: Speech, level: float) -> list[Finding]:
    rows = [
        r for r in result.rows if r.metric == "win_share" and r.group.startswith("strategy=") and r.value is not None
    ]
    if not rows:
        return []
    fair = _fair(result)
    rows.sort(key=lambda r: -(r.value or 0))
    shares = "; ".join(f"{r.group.partition('=')[2]} {speech.row(r)}" for r in rows)
    bounds = [b for r in rows if (b := _strategy_bounds(r, result, level)) is not None]
    if any(not b[0] <= fair <= b[1] for b in bounds):
        text = f"Win share of a seat by how it is played (fair: {plain(100 * fair)} %): {shares}."
    elif any(max(fair - b[0], b[1] - fair) > SMALL_POINTS for b in bounds):
        text = (
            "Too few games to say whether one strategy here does better than another "
            f"(fair: {plain(100 * fair)} %): {shares}."
        )
    else:
        text = f"No strategy here does visibly better than another (fair: {plain(100 * fair)} %): {shares}."
    return [finding("finding", text, rows[0])]


def _strategy_bounds(row: Row, result: Result, level: float) -> tuple[float, float] | None:
    seats = sum(1 for p in result.cell.players if f"strategy={p.label}" == row.group) or 1
    whole = st.at_level(row.estimate.scaled(seats), level)  # Wilson holds for the sum of the seats' shares
    return None if whole is None else (whole[0] / seats, whole[1] / seats)


def _length(result: Result, speech: Speech, level: float) -> list[Finding]:
    minutes, turns = result.find("minutes"), result.find("turns")
    main = minutes or turns
    if main is None or main.value is None:
        return []
    unit = "minutes" if main is minutes else "turns"
    text = f"A game takes {speech.row(main)} {unit} on average"
    low, high = result.find(main.metric, "quantile=0.05"), result.find(main.metric, "quantile=0.95")
    if low is not None and high is not None and low.value is not None and high.value is not None:
        text += f", nine of ten games between {plain(low.value)} and {plain(high.value)}"
    pace = result.cell.configuration.settings.get("seconds_per_turn")
    if main is minutes and pace is not None:
        turned = f"{plain(turns.value)} turns at " if turns is not None and turns.value is not None else ""
        text += f" ({turned}{words.shown(pace)} seconds a turn)"
    return [finding("finding", text + ".", main)]


def _wait(result: Result, speech: Speech, level: float) -> list[Finding]:
    share, minutes = result.find("first_out_wait_share"), result.find("first_out_wait_minutes")
    row = share or minutes
    if row is None or row.value is None or row.value == 0:
        return []
    parts = []
    if minutes is not None and minutes.value is not None:
        parts.append(f"{speech.row(minutes)} minutes")
    if share is not None and share.value is not None:
        parts.append(f"{speech.row(share)} of the game")
    return [finding("finding", f"Whoever is out first waits {', '.join(parts)} for the end.", row)]


def _drama(result: Result, speech: Speech, level: float) -> list[Finding]:
    leads, one_sided = result.find("lead_changes"), result.find("one_sided_rate")
    if leads is None or leads.value is None:
        return []
    text = f"The lead changes {speech.row(leads)} times a game"
    if one_sided is not None and one_sided.value is not None:
        text += f"; in {speech.row(one_sided)} of the games the winner was never behind"
    return [finding("finding", text + ".", leads)]


# --- several cells ----------------------------------------------------------------------------------------------------


def _sweep(plan: Plan, results: Sequence[Result], speech: Speech) -> list[Finding]:
    compared = _effect_metrics(plan, results)
    asked = [a for a in asked_metrics(plan) if any(r.find(*a) is not None for r in results)]
    if not asked:  # the strategies, if they are what is varied, and the starting player's edge
        varied = any(f.name.startswith("strategy.") for f in plan.factors)
        asked = [m for m in compared[:1] if varied] + [m for m in compared if m == ("start_edge", "")] or compared[:1]
        asked = list(dict.fromkeys(asked))
    others = [m for m in compared if m not in asked]
    level = st.family(st.LEVEL, len(results) * max(1, len(asked) + len(others)))
    found = [f for metric, group in asked if (f := _over_cells(results, metric, group, speech)) is not None]
    part = plan.study.design not in (None, designs.GRID)
    unranked = results[0].cell.configuration.game.unranked
    ranked = [f for f in plan.factors if f.name not in unranked]
    for factor in ranked:
        for one in asked:
            found.extend(_effects(factor.name, factor.values, results, [one], speech, level, part))
    for factor in plan.factors:
        if factor.name in unranked:
            found.extend(_spread(factor.name, factor.values, results, asked[0], speech, level))
    for factor in ranked:
        found.extend(_effects(factor.name, factor.values, results, others, speech, level, part))
    return found


def _spread(
    factor: str, values: Sequence[Any], results: Sequence[Result], asked: tuple[str, str], speech: Speech, level: float
) -> list[Finding]:
    """How far a metric lies apart over values whose texts are estimated, without saying which is best."""
    settings = _settings(factor, values, results, *asked, level)
    if not settings or len(values) < 2:
        return []
    sizes = [max(x.mean for x in levels) - min(x.mean for x in levels) for levels in settings.values()]
    apart = " to ".join(dict.fromkeys(speech.change(asked[0], size, "") for size in (min(sizes), max(sizes))))
    text = (
        f"Over {factor}, as this content has it, {speech.name(*asked)} lies {apart} apart. Their texts are estimated, "
        "so no order of the printed ones follows."
    )
    return [finding("finding", text, next(iter(settings.values()))[0].row)]


def _effect_metrics(plan: Plan, results: Sequence[Result]) -> list[tuple[str, str]]:
    """The headlines to compare over the cells.

    Win share of the seats or strategies that the study is about, and EFFECTS.
    """
    groups = [
        f"seat={f.name.split('.')[1]}"
        for f in plan.factors
        if f.name.startswith("strategy.") and f.name.split(".")[1].isdigit()
    ]
    if not groups:
        common = [
            {r.group for r in x.rows if r.metric == "win_share" and r.group.startswith(("strategy=", "role="))}
            for x in results
        ]
        groups = sorted(set.intersection(*common)) if common else []
    wanted = [("win_share", g) for g in dict.fromkeys(groups)] + [(m, "") for m in EFFECTS]
    return [w for w in wanted if sum(r.find(*w) is not None for r in results) > 1]


def _over_cells(results: Sequence[Result], metric: str, group: str, speech: Speech) -> Finding | None:
    rows = [(r.cell, row) for r in results if (row := r.find(metric, group)) is not None and row.value is not None]
    if not rows:
        return None
    name = _capital(speech.name(metric, group))
    raw = dict(zip((c.index for c, _ in rows), (row for _, row in rows), strict=True))
    if metric == "win_share" and len({c.configuration.seats for c, _ in rows}) > 1:
        name += LESS_FAIR
        rows = [(r.cell, _less_fair(raw[r.cell.index], r)) for r in results if r.cell.index in raw]
    low, high = min(rows, key=lambda p: p[1].value or 0), max(rows, key=lambda p: p[1].value or 0)
    named = all(_place_of(c) for c, _ in rows)
    if len(rows) <= SHOWN_CELLS and len(rows[0][0].parameters) == 1 and named:
        said = "; ".join(f"{where(c.parameters)}: {speech.row(r)}" for c, r in rows)
    else:
        ends = [f"{speech.row(r)}" + (f" ({at})" if (at := _place_of(c)) else "") for c, r in (low, high)]
        said = f"from {ends[0]} to {ends[1]}"
    far = max(rows, key=lambda p: abs(p[1].value or 0))[0]
    return finding("answer", f"{name}: {said}.", raw[far.index])


LESS_FAIR = " minus the fair share"


def _less_fair(row: Row, result: Result) -> Row:
    """A win share less a seat's fair share, as an edge: what can be compared over numbers of players."""
    fair = _fair(result)
    low, high = (None if b is None else b - fair for b in (row.low, row.high))
    value = None if row.value is None else row.value - fair
    return row._replace(metric=f"{row.metric}_edge", value=value, low=low, high=high)


@dataclass(frozen=True)
class _Level:
    """A metric at one value of a factor, with bounds that hold together with all others."""

    value: Any
    row: Row
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The estimate."""
        return self.row.value or 0.0


def _settings(
    factor: str, values: Sequence[Any], results: Sequence[Result], metric: str, group: str, level: float
) -> dict[str, list[_Level]]:
    """The metric over the values of a factor, by the setting of the other factors; only where all values are there."""
    table: dict[str, dict[str, _Level]] = {}
    for r in results:
        row = r.find(metric, group)
        if row is None or row.value is None:
            continue
        bounds = _bounds(row, r, level)
        if bounds is not None:
            if metric == "win_share" and factor == "players":
                fair = _fair(r)
                row, bounds = _less_fair(row, r), (bounds[0] - fair, bounds[1] - fair)
            value = r.cell.parameters[factor]
            others = where({k: v for k, v in r.cell.parameters.items() if k != factor})
            table.setdefault(others, {})[words.shown(value)] = _Level(value, row, *bounds)
    wanted = [words.shown(v) for v in values]
    return {others: [t[w] for w in wanted] for others, t in table.items() if len(t) == len(values)}


def _bounds(row: Row, result: Result, level: float) -> tuple[float, float] | None:
    """Bounds of a row at another level; Wilson's are taken on the sum that they hold for."""
    if row.metric == "win_share" and row.group.startswith("strategy="):
        return _strategy_bounds(row, result, level)
    return st.at_level(row.estimate, level)


def _effects(
    factor: str,
    values: Sequence[Any],
    results: Sequence[Result],
    told: Sequence[tuple[str, str]],
    speech: Speech,
    level: float,
    part: bool = False,
) -> list[Finding]:
    """What a factor does to these metrics: the largest changes, where there is none, and what is left open.

    `part`: the cells are no full grid, so that it is said where the others stood.
    """
    if len(values) < 2:
        return []
    visible: list[tuple[float, Finding]] = []
    none: list[tuple[str, str]] = []  # what, and how large an effect on it could still be
    unknown: list[tuple[str, str]] = []
    for metric, group in told:
        settings = _settings(factor, values, results, metric, group, level)
        changes = [(_ends(levels), others) for others, levels in settings.items()]
        seen = [((low, high), others) for (low, high), others in changes if high.low > low.high]
        if seen:
            (low, high), others = max(seen, key=lambda c: c[0][1].low - c[0][0].high)
            size = high.mean - low.mean
            if not speech.percent(metric):
                size /= max(abs(high.mean), abs(low.mean), 1e-12)
            told_of = _change(factor, values, metric, group, low, high, others, len(seen), len(changes), speech, part)
            visible.append((size, told_of))
        elif changes:
            most = max(max(x.high for x in levels) - min(x.low for x in levels) for levels in settings.values())
            size = max(abs(x.mean) for levels in settings.values() for x in levels)
            small = most <= (SMALL_POINTS if speech.percent(metric) else SMALL_PART * size)
            name = speech.name(metric, group) + (LESS_FAIR if (metric, factor) == ("win_share", "players") else "")
            name += _there(settings) if part else ""
            (none if small else unknown).append((name, f"±{speech.change(metric, most, '')}"))
    found = [f for _, f in sorted(visible, key=lambda p: -p[0])[:PER_FACTOR]]
    if none:
        said = "; ".join(f"{name} (at most {bound})" for name, bound in none)
        found.append(finding("finding", f"{factor} shows no visible effect on {said}."))
    if len(unknown) == 1:
        said = ": it could be by up to ".join(unknown[0])
        found.append(finding("finding", f"Too few games to say whether {factor} changes {said}."))
    elif unknown:
        said = "; ".join(f"{name} (by up to {bound})" for name, bound in unknown)
        found.append(finding("finding", f"Too few games to say whether {factor} changes {said}."))
    return found


def _there(settings: Iterable[str]) -> str:
    """Where the other factors stood: ` at players=4`."""
    places = [p for p in settings if p]
    return "" if not places else f" at {places[0]}" if len(places) == 1 else f" in {len(places)} settings of the others"


def _ends(levels: Sequence[_Level]) -> tuple[_Level, _Level]:
    """The two levels that are surest apart: lower and higher."""
    lower = sorted(levels, key=lambda x: (x.high, x.mean))[:2]  # of two, since one level may be at both ends
    higher = sorted(levels, key=lambda x: (-x.low, -x.mean))[:2]
    pairs = [(a, b) for a in lower for b in higher if a is not b]
    return max(pairs, key=lambda p: (p[1].low - p[0].high, p[1].mean - p[0].mean))


def _change(
    factor: str,
    values: Sequence[Any],
    metric: str,
    group: str,
    low: _Level,
    high: _Level,
    others: str,
    seen: int,
    settings: int,
    speech: Speech,
    part: bool,
) -> Finding:
    """The sentence about the surest change of a metric over the values of a factor."""
    first, last = (low, high) if values.index(low.value) < values.index(high.value) else (high, low)
    change = last.mean - first.mean
    surely = (high.low - low.high) * (1 if change > 0 else -1)
    where_else = f" ({others}; visible in {seen} of {settings} such settings)" if settings > 1 else ""
    if part and settings == 1 and others:
        where_else = f" ({others})"
    said = low.row.metric  # a win share less the fair share is said as an edge
    name = speech.name(metric, group) + ("" if said == metric else LESS_FAIR)
    text = (
        f"{factor} changes {name}: {speech.value(said, first.mean)} at "
        f"{words.shown(first.value)}, {speech.value(said, last.mean)} at {words.shown(last.value)}{where_else}, "
        f"a change of {speech.change(metric, change)}, at least {speech.change(metric, surely)}."
    )
    bounds = _sorted(last.low - first.high, last.high - first.low)
    return finding("finding", text, Row(metric, group, "", None, change, *bounds, last.row.n, "difference"))


def _sorted(a: float, b: float) -> tuple[float, float]:
    return (a, b) if a <= b else (b, a)


# --- warnings ---------------------------------------------------------------------------------------------------------


def _warnings(plan: Plan, results: Sequence[Result], speech: Speech) -> list[Finding]:
    found = [finding("warning", note) for note in (plan.study.note, *plan.notes) if note]
    if plan.study.design in designs.SPREAD and len(plan.factors) > 1:
        text = (
            f"The {len(plan.cells)} cells are spread over the ranges of {len(plan.factors)} factors, and as a rule no "
            "two differ in one factor only: what one of them does by itself is not told here."
        )
        found.append(finding("warning", text))
    capped = [(r, row) for r in results if (row := r.find("capped_rate")) is not None and (row.value or 0) > 0]
    if any((row.high or 0) > CAPPED for _, row in capped):
        worst, row = max(capped, key=lambda p: p[1].value or 0)
        cap = worst.cell.configuration.settings.get("turn_cap")
        at = f" ({where(worst.cell.parameters)})" if worst.cell.parameters else ""
        text = (
            f"Games that do not end: {'up to ' if len(results) > 1 else ''}{speech.row(row)} of the games{at} "
            f"reached the turn cap{'' if cap is None else f' of {cap}'}; "
            "nobody wins those, so win shares add up to less than 100 %."
        )
        found.append(finding("warning", text, row))
    ties = [(r, row) for r in results if (row := r.find("tie_rate")) is not None and (row.low or 0) > MANY_TIES]
    if ties:
        worst, row = max(ties, key=lambda p: p[1].value or 0)
        at = f" ({where(worst.cell.parameters)})" if worst.cell.parameters else ""
        found.append(finding("warning", f"Many ties: {speech.row(row)} of the games{at} end in one.", row))
    wide = [row for r in results for row in r.rows if row.metric == "win_share" and row.group.startswith("seat=")]
    width = max((w.estimate.half_width for w in wide), default=0.0)
    if width > WIDE:
        found.append(
            finding("warning", f"Few games: win shares are known only within ±{plain(100 * width)} points; play more.")
        )
    players = {s.name for r in results for p in r.cell.players for s in p.strategies}
    if players == {"random"}:
        found.append(
            finding(
                "warning",
                "All seats choose at random: this shows what rules and luck do by themselves, not how people fare. "
                "Try a strategy.",
            )
        )
    who = dict.fromkeys(w for r in results for w in r.cell.strategies)
    for name, why in lineup.never_held((r.cell.configuration for r in results), who).items():
        found.append(finding("warning", f"The strategy of {name} is never played: no player can have it, {why}."))
    configuration = results[0].cell.configuration
    share = configuration.estimated_share
    if share > 0:
        text = (
            f"{round(100 * share)} % of this configuration's content is estimated: "
            "numbers that rest on it are no facts of the printed game."
        )
        found.append(finding("warning", text))
    if str(configuration.settings.get("kids", "")) == "off" and "kids" not in {f.name for f in plan.factors}:
        found.append(
            finding(
                "warning",
                "Kids are off, because their texts are estimated: their abilities play no part in these numbers.",
            )
        )
    return found
