"""What an impact gave: an effect an entry, and the whole as plain data."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import statistics as st
from experiments.comparing import paired
from experiments.comparing.paired import Change, Touched
from experiments.impacts import entries as en
from experiments.impacts.entries import Asked, Entry
from experiments.manifest import line_up_and_settings
from experiments.study import Study

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Effect:
    """What an entry does: the change with its own interval, and with one that holds together with all others."""

    entry: Entry
    change: Change  # base: the other deal; variant: the holder has the entry
    told: Change
    reached: Touched
    verdict: str = ""  # with `until`
    used: st.Estimate | None = None  # how those fare who use it in the ordinary deal: no effect

    @property
    def seen(self) -> bool:
        """Whether it is visible among all others that it does something."""
        return self.told.low is not None and self.told.high is not None and not self.told.low <= 0 <= self.told.high

    @property
    def most(self) -> float | None:
        """How large the change could be either way."""
        return None if self.told.low is None or self.told.high is None else max(-self.told.low, self.told.high)


@dataclass
class Impact:
    """What `impact` gave. `effects` are ordered by the change, the largest first."""

    asked: Asked
    study: Study
    effects: list[Effect]
    precision: float | None
    until: float | None
    seconds: float
    started: str
    command: str
    folder: Path | None = None
    sentences: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False

    @property
    def games(self) -> int:
        """Most games of a side."""
        return max((e.reached.games for e in self.effects), default=0)

    @property
    def undecided(self) -> bool:
        """Whether an entry was given up undecided."""
        return any(e.verdict == paired.UNDECIDED for e in self.effects)

    def get(self, slug: str) -> Effect:
        """What one entry does. Raises KeyError."""
        for effect in self.effects:
            if effect.entry.slug == slug:
                return effect
        raise KeyError(slug)

    @property
    def cells(self) -> pl.DataFrame:
        """One row an entry: its name, copies, source, change, interval, games, and how many games it touches."""
        return frame(self)

    @property
    def question(self) -> str:
        """What is asked, in a sentence."""
        kind, who = self.asked.deal.called, f"player {self.asked.holder}"
        if self.asked.versus == en.BLANK:
            return f"what does the text of each {kind} do to the chances of {who}, who is dealt it?"
        if self.asked.together:
            return f"what does each {kind} do to the chances of all, dealt to {who}?"
        return f"what does each {kind} do to the chances of {who}, who is dealt it?"

    @property
    def asked_words(self) -> dict[str, Any]:
        """What is asked beyond the configuration."""
        asked = self.asked
        return {
            "of": asked.deal.kind,
            "entries": [e.slug for e in asked.entries],
            "versus": asked.versus,
            "holder": asked.holder,
            "precision": self.precision,
            "until": self.until,
        }

    def trace(self, effect: Effect, *, before: bool = False) -> str:
        """The line that tells the first game which the entry gives another result; `before`: on the other side."""
        asked, study = self.asked, self.study
        said = ["doomtrack", "trace", study.game, *settings_words(study)]
        blank = asked.versus == en.BLANK
        if before and blank:
            said += ["--set", f"{asked.deal.section}.{effect.entry.slug}.blank=on"]
        if blank or not before:
            said += ["--deal", asked.word(effect.entry)]
        return shlex.join([*said, "--game", str(effect.reached.first[0]), "--seed", str(study.seed)])

    def line(self, slug: str) -> str:
        """The command that plays one entry again, as far as it was played."""
        return command_of(self.asked, self.study, slug, self.get(slug).reached.games)


def frame(result: Impact) -> pl.DataFrame:
    """One row an entry."""
    import polars as pl

    real, text, whole = pl.Float64, pl.String, pl.Int64
    schema: dict[str, Any] = {"entry": text, "name": text, "copies": whole, "source": text, "estimated": pl.Boolean}
    schema |= dict.fromkeys(("base", "dealt", "impact", "low", "high", "low_together", "high_together"), real)
    schema |= {"n": whole, "unpaired": whole, "touched": whole, "flipped": whole, "method": text, "verdict": text}
    schema |= dict.fromkeys(("win_where_used", "low_where_used", "high_where_used"), real) | {"uses": whole}
    return pl.DataFrame([list(as_row(e).values()) for e in result.effects], schema=schema, orient="row")


def as_row(effect: Effect) -> dict[str, Any]:
    """An entry as plain data: what JSON, CSV and impact.parquet hold."""
    e, c, told, reached = effect.entry, effect.change, effect.told, effect.reached
    used = effect.used
    return {
        "entry": e.slug,
        "name": e.name,
        "copies": e.copies,
        "source": e.source,
        "estimated": e.unsure,
        "base": c.base,
        "dealt": c.variant,
        "impact": c.change,
        "low": c.low,
        "high": c.high,
        "low_together": told.low,
        "high_together": told.high,
        "n": c.n,
        "unpaired": c.unpaired,
        "touched": reached.touched,
        "flipped": reached.flipped,
        "method": c.method,
        "verdict": effect.verdict or None,
        "win_where_used": None if used is None else used.value,
        "low_where_used": None if used is None else used.low,
        "high_where_used": None if used is None else used.high,
        "uses": None if used is None else used.n,
    }


def command_of(asked: Asked, study: Study, entry: str | None, games: int) -> str:
    """The command line that asks the same, of one entry or of all."""
    said_words = ["doomtrack", "impact", study.game, *en.options(asked, entry), *settings_words(study)]
    return shlex.join([*said_words, "--games", str(games), "--seed", str(study.seed)])


def settings_words(study: Study) -> list[str]:
    """The options that say what is played, and by whom."""
    return line_up_and_settings(study, study.base)
