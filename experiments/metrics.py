"""From a batch's integer totals to rows: every metric of a configuration, with its interval.

A row is (metric, group, group2, x, value, low, high, n, method), the long form of ``cells.parquet``. A game says which
metrics it has and how each is computed (``simcore.game.How``); what depends on the line-up (win share by strategy) is
added here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments import statistics as st
from simcore import leads, records
from simcore.game import Configuration, How, Metric, Player

if TYPE_CHECKING:
    import polars as pl

    from simcore.batch import Totals

# What a person asks first, in this order: findings speak of these, precision looks at those among them that are shares.
HEADLINES = (
    "win_rate",
    "solo_win_rate",
    "rescue_rate",
    "rescue_round",
    "doom_per_round",
    "doom_beyond_reach",
    "win_share",
    "start_edge",
    "tie_rate",
    "capped_rate",
    "turns",
    "rounds",
    "minutes",
    "first_out_wait_minutes",
    "first_out_wait_share",
    "lead_changes",
    "one_sided_rate",
    "ended_by_tickets_rate",
    "overturned_rate",
    "final_lead_round",
    "margin",
)
# By span: what has not happened yet after so many turns or rounds, and whether games in which it never happens count.
SURVIVAL = {
    "turns": ("games that are still on after so many turns", False),
    "first_out_turn": ("games in which nobody is out after so many turns", True),
    "rounds": ("games that are still on after so many rounds", False),
    "rescue_round": ("games in which the Lost Kid is not freed after so many rounds", True),
    "final_lead_round": ("games whose winner does not lead for good after so many rounds", False),
}
SURVIVED = "_survival"
HEADLINE_GROUPS = ("", "seat", "order", "strategy", "role")


class Row(NamedTuple):
    """One number of one cell. `x` is the value on the axis of a distribution, else None."""

    metric: str
    group: str
    group2: str
    x: float | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str

    @property
    def estimate(self) -> st.Estimate:
        """Value and interval."""
        return st.Estimate(self.value, self.low, self.high, self.n, self.method)

    @property
    def label(self) -> str:
        """`metric`, `metric[group]` or `metric[group, group2]`."""
        groups = ", ".join(g for g in (self.group, self.group2) if g)
        return f"{self.metric}[{groups}]" if groups else self.metric


def row(metric: str, estimate: st.Estimate, group: str = "", group2: str = "", x: float | None = None) -> Row:
    """A row from an estimate."""
    return Row(metric, group, group2, x, *estimate)


def is_headline(metric: str, group: str = "", group2: str = "") -> bool:
    """True for the numbers that findings speak of: never those of printed items, cards or kids."""
    return metric in HEADLINES and group.partition("=")[0] in HEADLINE_GROUPS and not group2


def is_share(metric: Metric) -> bool:
    """True for a headline that is a rate or a share of all games: what `--precision` narrows."""
    return metric.how in (How.RATE, How.SHARE, How.STATUS) and is_headline(metric.name, metric.group, metric.group2)


def metrics_of(configuration: Configuration) -> tuple[Metric, ...]:
    """The game's metrics."""
    return configuration.metrics


def seats_by_strategy(players: Sequence[Player]) -> dict[str, list[int]]:
    """Players of the line-up by what they play, where it is mixed: the groups of win share by strategy.

    Who plays differently with one monster or another is in none of them: his win share is no strategy's.
    """
    found: dict[str, list[int]] = {}
    for k, player in enumerate(players):
        found.setdefault(player.label, []).append(k)
    if len(found) < 2:
        return {}
    return {label: seats for label, seats in found.items() if not players[seats[0]].playing_as}


class _Resolved:
    """What the rows of a set of metrics need to know of them, whatever the games."""

    def __init__(self, metrics: tuple[Metric, ...]) -> None:
        from simcore.batch import pairs

        self.pair = {pair: k for k, pair in enumerate(pairs(metrics))}
        spans = {m.name: m for m in metrics if m.how is How.SPAN_QUANTILE}
        self.survivals = [spans[name] for name in SURVIVAL if name in spans]
        self.shares = [m for m in metrics if is_share(m)]
        self.rates, self.statuses, self.wins, self.rates_of = (
            [k for k, m in enumerate(metrics) if m.how is how] for how in (How.RATE, How.STATUS, How.SHARE, How.RATE_OF)
        )
        self.of_all = (*self.rates, *self.statuses, *self.wins)
        self.a, self.b = np.array([m.a for m in metrics], np.intp), np.array([m.b for m in metrics], np.intp)

    def proportions(self, totals: Totals, known: list[st.Estimate | None]) -> None:
        """Fill in those estimates that are proportions of whole games: all at once, for they are most of them."""
        a, b, of = self.a, self.b, self.rates_of
        won = totals.sum[a[self.wins]] / records.SIXTIETHS
        successes = np.concatenate([totals.fired[a[self.rates]], totals.status[a[self.statuses]], won])
        for k, bounds in zip(self.of_all, zip(*st.rates(successes, totals.games), strict=True), strict=True):
            known[k] = st.Estimate(*bounds, totals.games, "Wilson")
        among = totals.fired[b[of]]
        for k, n, bounds in zip(
            of,
            among.tolist(),
            zip(*st.rates(totals.fired[a[of]], np.maximum(among, 1)), strict=True),
            strict=True,
        ):
            known[k] = st.Estimate(*bounds, n, "Wilson") if n else st.nothing()


_resolved = lru_cache(maxsize=64)(_Resolved)  # most cells of a study have the same metrics


class Counter:
    """Computes the rows of one configuration and line-up from totals."""

    def __init__(self, configuration: Configuration, players: Sequence[Player]) -> None:
        self.configuration = configuration
        self.players = tuple(players)
        self.metrics = metrics_of(configuration)
        self.of = _resolved(self.metrics)

    def rows(self, totals: Totals) -> list[Row]:
        """All rows, in the game's order; win share by strategy after win share by seat."""
        found: list[Row] = []
        known: list[st.Estimate | None] = [None] * len(self.metrics)
        self.of.proportions(totals, known)
        for metric, estimate in zip(self.metrics, known, strict=True):
            if estimate is None:
                found += self._rows(metric, totals)
            else:
                found.append(row(metric.name, estimate, metric.group, metric.group2))
        after = max(
            (i for i, r in enumerate(found) if r.metric == "win_share" and r.group.startswith("seat=")), default=-1
        )
        last = [r for m in self.of.survivals for r in self._survival(m, totals)] + _settled(found)
        return found[: after + 1] + self._by_strategy(totals) + found[after + 1 :] + last

    def _survival(self, metric: Metric, totals: Totals) -> list[Row]:
        """The share of games with a larger span than x, for 0 and each x that was seen: one minus what has come."""
        counts = totals.histogram[metric.a]
        n = totals.games if SURVIVAL[metric.name][1] else int(counts.sum())
        left = n - np.cumsum(counts)
        counts = counts.copy()
        counts[0] = 1  # told in any case
        places = np.flatnonzero(counts)
        return _rates(f"{metric.name}{SURVIVED}", "", "", metric.scale * places, left[places], n)

    def widest(self, totals: Totals) -> float:
        """Widest half-width among the win shares and headline rates (infinite while there are none)."""
        widths = [r.estimate.half_width for m in self.of.shares for r in self._rows(m, totals)]
        return max(widths, default=math.inf)

    def _rows(self, metric: Metric, totals: Totals) -> list[Row]:
        if metric.how is How.SPAN_SHARE:
            counts = totals.histogram[metric.a]
            places = np.flatnonzero(counts)
            x = metric.scale * places
            return _rates(metric.name, metric.group, metric.group2, x, counts[places], int(counts.sum()))
        return [row(metric.name, _ESTIMATES[metric.how](self, metric, totals), metric.group, metric.group2)]

    # --- one function a way to compute ---

    def _rate(self, m: Metric, t: Totals) -> st.Estimate:
        return st.rate(int(t.fired[m.a]), t.games)

    def _rate_of(self, m: Metric, t: Totals) -> st.Estimate:
        return st.rate(int(t.fired[m.a]), int(t.fired[m.b]))

    def _status(self, m: Metric, t: Totals) -> st.Estimate:
        return st.rate(int(t.status[m.a]), t.games)

    def _share(self, m: Metric, t: Totals) -> st.Estimate:
        return st.rate(int(t.sum[m.a]) / records.SIXTIETHS, t.games)

    def _mean(self, m: Metric, t: Totals) -> st.Estimate:
        a = m.a
        reach = 1 / m.scale if m.name.endswith("_edge") else None  # an edge lies in -1..1
        found = st.mean(t.games, int(t.sum[a]), int(t.square[a]), seen=int(t.fired[a]), reach=reach, step=m.step)
        return found.scaled(m.scale)

    def _ratio(self, m: Metric, t: Totals) -> st.Estimate:
        return self._delta(m, t).scaled(m.scale)

    def _share_of(self, m: Metric, t: Totals) -> st.Estimate:
        return self._delta(m, t, sixtieths=True)

    def _delta(self, m: Metric, t: Totals, sixtieths: bool = False) -> st.Estimate:
        a, b = m.a, m.b
        unit = records.SIXTIETHS if sixtieths else 1
        sum_b, square_b = int(t.sum[b]) * unit, int(t.square[b]) * unit * unit
        cross = self.of.pair.get((a, b))
        return st.ratio(
            t.games,
            int(t.sum[a]),
            sum_b,
            int(t.square[a]),
            square_b,
            int(t.cross[cross]) * unit if cross is not None else 0,
            seen=int(t.fired[a]),
            proportion=sixtieths,
            trials=int(t.sum[b]),
            among=int(t.fired[b]),
            step=m.step,
        )

    def _span_mean(self, m: Metric, t: Totals) -> st.Estimate:
        counts = t.histogram[m.a]
        n, total, square = st.histogram_moments(counts)
        return st.mean(n, total, square, seen=n - int(counts[0]), apart=n - int(counts.max())).scaled(m.scale)

    def _span_quantile(self, m: Metric, t: Totals) -> st.Estimate:
        return st.quantile(t.histogram[m.a], m.q).scaled(m.scale)

    def _span_max(self, m: Metric, t: Totals) -> st.Estimate:
        return st.largest(t.histogram[m.a]).scaled(m.scale)

    def _by_strategy(self, totals: Totals) -> list[Row]:
        """Win share of one seat that plays a strategy: the mean over the seats that do, where the line-up is mixed."""
        seats = {m.group: m.a for m in self.metrics if m.name == "win_share" and m.how is How.SHARE}
        if not all(f"seat={k}" in seats for k in range(len(self.players))):
            return []
        found = []
        for label, mine in seats_by_strategy(self.players).items():
            total = sum(int(totals.sum[seats[f"seat={k}"]]) for k in mine) / records.SIXTIETHS
            # a game's shares of several seats add up to at most 1, so Wilson holds for their sum
            found.append(row("win_share", st.rate(total, totals.games).scaled(1 / len(mine)), f"strategy={label}"))
        return found


def _rates(metric: str, group: str, group2: str, x: np.ndarray, successes: np.ndarray, n: int) -> list[Row]:
    """Rows of a distribution over x, each with Wilson's interval: all at once, for they are most of a cell's rows."""
    if not n:
        return []
    numbers = zip(x.tolist(), *st.rates(successes, n), strict=True)
    return [Row(metric, group, group2, at, value, low, high, n, "Wilson") for at, value, low, high in numbers]


STATE, SETTLED = "win_rate_from_state", "as_good_as_known"


def _settled(rows: Iterable[Row]) -> list[Row]:
    """Round by round, the share of games whose result is as good as known from the state they begin it in.

    A state is what the game tells apart: the doom left, or how large the lead of who leads alone is.
    """
    states: dict[str, list[st.Estimate]] = {}
    by_lead: dict[str, list[st.Estimate]] = {}
    begun: dict[str, int] = {}
    for r in rows:
        if r.metric == STATE:
            states.setdefault(r.group2, []).append(r.estimate)
        elif r.metric == leads.SHARE and r.group2:
            by_lead.setdefault(r.group2, []).append(r.estimate)
        elif r.metric == leads.CLEAR:
            begun[r.group] = r.n
    found = [row(SETTLED, st.settled(found), moment) for moment, found in states.items()]
    return found + [row(SETTLED, st.settled_by_leads(of, begun[moment]), moment) for moment, of in by_lead.items()]


_ESTIMATES: dict[How, Callable[[Counter, Metric, Any], st.Estimate]] = {
    How.RATE: Counter._rate,
    How.RATE_OF: Counter._rate_of,
    How.SHARE: Counter._share,
    How.SHARE_OF: Counter._share_of,
    How.MEAN: Counter._mean,
    How.RATIO: Counter._ratio,
    How.SPAN_MEAN: Counter._span_mean,
    How.SPAN_QUANTILE: Counter._span_quantile,
    How.SPAN_MAX: Counter._span_max,
    How.STATUS: Counter._status,
}


def described(metrics: Iterable[Metric]) -> dict[str, dict[str, Any]]:
    """Unit, meaning and headline flag of each metric by name, for the manifest."""
    found: dict[str, dict[str, Any]] = {}
    for m in metrics:
        if m.name not in found:
            meaning = "how often the rule, ruling or tie-break was needed" if m.group.startswith("rule=") else m.meaning
            found[m.name] = {"unit": m.unit, "meaning": meaning, "headline": m.name in HEADLINES}
            if m.name == STATE:
                sure = f"{100 * st.KNOWN:g} %"
                told = f"games whose state, as the round begins, leads to a win in {sure} at least, or to a loss"
                found[SETTLED] = {"unit": "share", "meaning": told, "headline": False}
        if m.name == leads.SHARE and m.group2:
            told = f"games in which a lead like this wins {100 * st.KNOWN:g} % at least"
            found[SETTLED] = {"unit": "share", "meaning": told, "headline": False}
        if m.how is How.SPAN_QUANTILE and m.name in SURVIVAL:
            found[f"{m.name}{SURVIVED}"] = {"unit": "share", "meaning": SURVIVAL[m.name][0], "headline": False}
    return found


def described_groups(metrics: Iterable[Metric]) -> dict[str, str]:
    """What the groups of the rule ledger mean, for the manifest: by `rule=R7` and the like."""
    return {m.group: m.meaning for m in metrics if m.group.startswith("rule=")}


def described_expressions(texts: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The same for metrics that a person wrote as expressions."""
    return {n: {"unit": "", "meaning": f"per game: {t}", "headline": True} for n, t in texts.items()}


def schema() -> dict[str, Any]:
    """Columns and types of `cells.parquet`."""
    import polars as pl

    return {
        "cell": pl.Int64,
        "parameters": pl.String,
        "metric": pl.String,
        "group": pl.String,
        "group2": pl.String,
        "x": pl.Float64,
        "value": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "n": pl.Int64,
        "method": pl.String,
    }


def frame(rows: Iterable[Row], cell: int = 0, parameters: str = "{}") -> pl.DataFrame:
    """The rows of one cell as a frame in the form of `cells.parquet`."""
    import polars as pl

    kinds, columns = schema(), list(zip(*rows, strict=True)) or [()] * len(Row._fields)
    given: dict[str, Sequence[Any]] = {"cell": [cell] * len(columns[0]), "parameters": [parameters] * len(columns[0])}
    given |= dict(zip(Row._fields, columns, strict=True))
    return pl.DataFrame([pl.Series(name, given[name], kind) for name, kind in kinds.items()])
