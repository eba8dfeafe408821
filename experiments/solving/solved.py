"""What was found: one answer for each search, and all of them as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from experiments import words
from experiments.execution import Done, Result
from experiments.metrics import Row
from experiments.solving.crossing import Answer
from experiments.solving.searches import Asked, Search
from experiments.solving.telling import FOUND
from experiments.speech import Speech
from simcore.parameter import Value

if TYPE_CHECKING:
    import polars as pl

NOTHING_FOUND, FAILED, INTERRUPTED = 3, 4, 130  # exit codes


@dataclass
class Found:
    """What one search found. `status`: found, unreachable, not monotone or flat; `value` is None for the last two."""

    asked: Asked
    search: Search
    answer: Answer
    done: list[Done] = field(repr=False)  # the places that were measured, in order, with all their numbers
    rows: dict[float, Row] = field(repr=False)  # the metric at each of them
    remark: str = ""  # why there is no value, or what is to be known of it, in a few words
    said: list[str] = field(default_factory=list)  # the answer in sentences
    curve_said: list[str] = field(default_factory=list)  # which way the metric goes

    @property
    def status(self) -> str:
        """How the search ended."""
        return self.answer.status

    @property
    def parameters(self) -> Mapping[str, Value]:
        """The combination of what is varied."""
        return self.search.parameters

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
    def number(self) -> str:
        """The value in words; of a real one as many digits as its interval is worth."""
        return self._shown[0]

    @property
    def bounds(self) -> str:
        """The interval in words, as `8, 10`; of whole numbers nothing where no other can be nearer."""
        return self._shown[1]

    @property
    def shown(self) -> str:
        """Both: `9 [8, 10]`."""
        return f"{self.number} [{self.bounds}]" if self.bounds else self.number

    @property
    def _shown(self) -> tuple[str, str]:
        a = self.answer
        if a.value is None or a.low is None or a.high is None:
            return "", ""
        if a.candidates:
            ends = [words.shown(self.asked.value(x)) for x in (a.low, a.high)] if len(a.candidates) > 1 else []
            return words.shown(self.asked.value(a.value)), ", ".join(ends)
        said = Speech({}).row(Row("value", "", "", None, a.value, a.low, a.high, a.games, ""))
        number, _, ends_said = said.partition(" [")
        return number, ends_said.rstrip("]")

    @property
    def nearest(self) -> float | None:
        """The measured place nearest to the value, or None if there is no value."""
        if self.answer.value is None:
            return None
        return self.answer.at(self.answer.value).x

    @property
    def there(self) -> Row | None:
        """The metric at that place."""
        return None if self.nearest is None else self.rows[self.nearest]

    @property
    def spent(self) -> int:
        """Games at all places together."""
        return self.answer.games

    def games(self, x: float) -> int:
        """Games at a value that was played."""
        return next(p.games for p in self.answer.points if p.x == x)

    @cached_property
    def curve(self) -> pl.DataFrame:
        """The metric at each value that was played: x, value, low, high, games, method."""
        import polars as pl

        body = [(float(x), r.value, r.low, r.high, self.games(x), r.method) for x, r in self.rows.items()]
        real = pl.Float64
        schema = {"x": real, "value": real, "low": real, "high": real, "games": pl.Int64, "method": pl.String}
        return pl.DataFrame(body, schema=schema, orient="row")


@dataclass
class Solved:
    """What a question gave. Of a single search, `status`, `value`, `interval`, ... are at hand here as well."""

    asked: Asked
    searches: Sequence[Search]
    found: list[Found]  # in the order of the searches; those that failed or were not reached are missing
    result: Result

    @property
    def only(self) -> Found:
        """The answer of a single search. Raises ValueError where there are several, or none."""
        if len(self.searches) != 1 or not self.found:
            raise ValueError(f"{len(self.found)} of {len(self.searches)} searches are done: see .found and .table")
        return self.found[0]

    @property
    def status(self) -> str:
        """How the only search ended."""
        return self.only.status

    @property
    def answer(self) -> Answer:
        """Of the only search: what the games say, by places."""
        return self.only.answer

    @property
    def value(self) -> Value | None:
        """The value that the only search found."""
        return self.only.value

    @property
    def interval(self) -> tuple[Value, Value] | None:
        """Its 95 % interval."""
        return self.only.interval

    @property
    def candidates(self) -> list[Value]:
        """The whole numbers that the only search cannot exclude."""
        return self.only.candidates

    @property
    def curve(self) -> pl.DataFrame:
        """The curve of the only search."""
        return self.only.curve

    @property
    def rows(self) -> dict[float, Row]:
        """The metric at each value that the only search has played."""
        return self.only.rows

    def games(self, x: float) -> int:
        """Games at a value that the only search has played."""
        return self.only.games(x)

    @property
    def sentences(self) -> list[str]:
        """The answer in words."""
        return [f["text"] for f in self.result.sentences if f["kind"] == "answer"]

    @property
    def exit_code(self) -> int:
        """130 stopped, 4 a search failed, 3 one found nothing, else 0."""
        if self.result.interrupted:
            return INTERRUPTED
        if self.result.failed:
            return FAILED
        return 0 if all(f.status == FOUND for f in self.found) else NOTHING_FOUND

    @cached_property
    def table(self) -> pl.DataFrame:
        """One line a search: what is varied, status, value, low, high, the metric there with its interval, games."""
        import polars as pl

        names = list(self.searches[0].parameters)
        body: list[dict[str, Any]] = []
        for f in self.found:
            low, high = f.interval or (None, None)
            there = f.there
            body.append(
                {
                    **f.parameters,
                    "status": f.status,
                    self.asked.name: f.value,
                    "low": low,
                    "high": high,
                    "metric": self.asked.metric,
                    "metric_value": there.value if there else None,
                    "metric_low": there.low if there else None,
                    "metric_high": there.high if there else None,
                    "games": f.spent,
                }
            )
        columns = [*names, "status", self.asked.name, "low", "high"]
        columns += ["metric", "metric_value", "metric_low", "metric_high", "games"]
        return pl.DataFrame({c: [line[c] for line in body] for c in columns}, strict=False)
