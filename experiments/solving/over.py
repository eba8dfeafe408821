"""What several searches say together: where the value lies, and what it hangs on.

That a factor moves the value is said only where intervals that hold together for all searches (family-wise 95 %,
Bonferroni) do not overlap, which is right however the searches share their luck. Values of parameters whose texts are
estimated (`Game.unranked`) are never put in an order.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments import words
from experiments.designs import Factor
from experiments.kinds import Finding, finding
from experiments.solving.crossing import SURE
from experiments.solving.solved import Found
from experiments.solving.telling import FLAT, FOUND, NOT_MONOTONE, UNREACHABLE, goal_of, metric_of
from experiments.speech import Speech, plain

LISTED = 8  # searches over one factor that are told one by one
NAMED = 4  # searches without an answer that are named


def told(factors: Sequence[Factor], found: Sequence[Found], level: float, speech: Speech) -> list[Finding]:
    """All sentences. `level`: that of each interval, so that all hold together."""
    asked = found[0].asked
    goal = goal_of(asked, speech)
    unranked = _unranked(found)
    answered = [f for f in found if f.status == FOUND]
    listed = len(factors) == 1 and len(found) <= LISTED and factors[0].name not in unranked
    sentences = [_where(asked.name, goal, answered, unranked, listed)] if answered else []
    sentences += _without(found, goal, unranked)
    sentences += _way(found, speech)
    sure = level <= SURE  # no place is ruled out with more than that
    for factor in factors if sure and len(answered) > 1 else ():
        if factor.name in unranked:
            sentences += _apart(factor, answered)
        else:
            sentences += _moves(factor, answered, unranked)
    return sentences


def _where(name: str, goal: str, answered: Sequence[Found], unranked: set[str], listed: bool) -> Finding:
    """Where the value lies in all searches that have one."""
    if listed:
        said = "; ".join(f"{f.shown} at {f.search.title}" for f in answered)
        return finding("answer", f"{name} for {goal}: {said}.")
    first, last = (f(answered, key=lambda a: a.answer.value or 0.0) for f in (min, max))
    if first.value == last.value:
        return finding("answer", f"{name} for {goal}: {first.number} in all searches that find one.")
    ends = [f"{f.shown}{_place(f, unranked)}" for f in (first, last)]
    return finding("answer", f"{name} for {goal}: from {' to '.join(ends)}.")


def _place(found: Found, left_out: set[str]) -> str:
    """` (players=2)`: a search, but for what may not be ranked."""
    said = words.listed({k: v for k, v in found.parameters.items() if k not in left_out})
    return f" ({said})" if said else ""


def _without(found: Sequence[Found], goal: str, unranked: set[str]) -> list[Finding]:
    """How many searches have no value, and why."""
    parts = []
    whys = (
        (UNREACHABLE, "it is out of reach"),
        (NOT_MONOTONE, "the metric is not monotone"),
        (FLAT, "no effect shows"),
    )
    for status, why in whys:
        those = [f for f in found if f.status == status]
        if not those:
            continue
        named = [f.search.title for f in those] if not unranked & set(those[0].parameters) else []
        where = f" ({'; '.join(named)})" if 0 < len(named) <= NAMED else ""
        parts.append(f"{why} in {len(those)}{where}")
    if not parts:
        return []
    many = sum(f.status != FOUND for f in found)
    kind = "answer" if many == len(found) else "finding"
    return [finding(kind, f"{many} of {len(found)} searches have no value for {goal}: {', '.join(parts)}.")]


def _way(found: Sequence[Found], speech: Speech) -> list[Finding]:
    """Which way the metric goes with the parameter."""
    known = [f for f in found if f.status in (FOUND, UNREACHABLE)]
    if not known:
        return []
    metric = metric_of(known[0].asked, speech)
    rising = sum(f.answer.rising for f in known)
    name = known[0].asked.name
    if rising in (0, len(known)):
        way = "rises" if rising else "falls"
        where = f"all {len(known)} searches that show it" if len(known) > 1 else "the one search that shows it"
        text = f"{metric[:1].upper()}{metric[1:]} {way} with {name} in {where}."
    else:
        text = f"{metric[:1].upper()}{metric[1:]} rises with {name} in {rising} searches, and falls in the others."
    return [finding("finding", text)]


# --- what the value hangs on ------------------------------------------------------------------------------------------


def _settings(factor: Factor, answered: Sequence[Found]) -> list[list[Found]]:
    """The searches by the setting of the other factors, where at least two values of the factor have an answer."""
    table: dict[str, list[Found]] = {}
    for f in answered:
        others = {k: v for k, v in f.parameters.items() if k != factor.name}
        table.setdefault(words.listed(others), []).append(f)
    return [fs for fs in table.values() if len(fs) > 1]


def _wide(found: Found) -> tuple[float, float]:
    return found.answer.wide or (found.answer.low or 0.0, found.answer.high or 0.0)


def _moves(factor: Factor, answered: Sequence[Found], unranked: set[str]) -> list[Finding]:
    """What a factor does to the value: the surest change, and in how many settings it shows."""
    settings = _settings(factor, answered)
    if not settings:
        return []
    name = answered[0].asked.name
    clear = []  # how far two searches of a setting surely lie apart
    for fs in settings:
        apart, a, b = max(((_wide(b)[0] - _wide(a)[1], a, b) for a in fs for b in fs if a is not b), key=_first)
        if apart > 0:
            clear.append((apart, a, b))
    if not clear:
        most = max(max(_wide(f)[1] for f in fs) - min(_wide(f)[0] for f in fs) for fs in settings)
        if most == 0:
            return [finding("finding", f"{factor.name} does not move {name}.")]
        return [
            finding(
                "finding", f"It is not sure that {factor.name} moves {name}: by {_apart_by(answered[0], most)} at most."
            )
        ]
    apart, low, high = max(clear, key=_first)
    order = [words.shown(v) for v in factor.values]
    ends = sorted((low, high), key=lambda f: order.index(words.shown(f.parameters[factor.name])))
    said = " and ".join(f"{f.shown} at {words.shown(f.parameters[factor.name])}" for f in ends)
    where = _place(low, {*unranked, factor.name})
    seen = f" That it moves is sure in {len(clear)} of {len(settings)} settings." if len(settings) > 1 else ""
    text = f"{factor.name} moves {name}: it is {said}{where}, at least {_apart_by(low, apart)} apart.{seen}"
    return [finding("finding", text)]


def _apart_by(found: Found, size: float) -> str:
    """A difference of two values: of listed ones as it is."""
    return f"{size:.6g}" if found.asked.axis.span is None else plain(size)


def _first(one: tuple[float, Found, Found]) -> float:
    return one[0]


def _apart(factor: Factor, answered: Sequence[Found]) -> list[Finding]:
    """How far the value lies apart over values whose texts are estimated, without saying which is which."""
    settings = _settings(factor, answered)
    if not settings:
        return []
    sizes = []
    for fs in settings:
        values = [f.answer.value or 0.0 for f in fs]
        sizes.append(max(values) - min(values))
    apart = " to ".join(dict.fromkeys(_apart_by(answered[0], size) for size in (min(sizes), max(sizes))))
    text = (
        f"Over {factor.name}, as this content has it, {answered[0].asked.name} lies {apart} apart. Their texts are "
        "estimated, so no order of the printed ones follows."
    )
    return [finding("finding", text)]


def _unranked(found: Sequence[Found]) -> set[str]:
    return set(found[0].done[0].cell.configuration.game.unranked)
