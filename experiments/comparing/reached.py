"""How far a comparison is: each side's units, totals and touched games, and the variants that are done with.

It is written now and then, at the end of a unit, and stays when the comparison is done: the same one is then not played
again, one that was stopped goes on with the same bits. Its key is a digest of all that it depends on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments import metrics as mt
from experiments import state, store
from experiments.comparing import together
from experiments.comparing.paired import Change, Touched
from experiments.comparing.variants import Side
from simcore.batch import Totals

SOURCES = (*together.SOURCES, "comparing/comparison.py", "sequences.py")


class Tally(NamedTuple):
    """What one side's games gave; `units`: (units, metrics, 2)."""

    units: np.ndarray
    totals: Totals
    reached: Touched  # of a variant


@dataclass
class Variant:
    """What became of one variant: its changes against the base, over `reached.games` games of each."""

    side: Side
    changes: list[Change]
    told: list[Change]  # the headlines again, with intervals that hold together with all others of the comparison
    reached: Touched
    rows: list[mt.Row]
    decided: Change | None = None  # with `until`: the metric that decides, by its sequence
    verdict: str = ""

    def find(self, metric: str, group: str = "") -> Change:
        """One change. Raises KeyError."""
        for change in self.changes:
            if (change.metric, change.group, change.group2) == (metric, group, ""):
                return change
        raise KeyError(f"{metric}[{group}]")


@dataclass(frozen=True)
class Reached:
    """The first `games` games, in units of `unit`, of the base and the variants still played; and what is done with."""

    games: int = 0
    unit: int = 0
    tallies: Mapping[int, Tally] = field(default_factory=dict)  # by place of the side; 0: the base
    finished: Mapping[int, Variant] = field(default_factory=dict)
    seconds: float = 0.0


def key_of(sides: Sequence[Side], margin: float | None, on: tuple[str, str] | None) -> str:
    """Digest of all that a comparison's numbers depend on."""
    cells = [store.cell_key(s.cell, s.study) for s in sides]
    return store.digest([cells, margin, on, store.sources_digest(*SOURCES)])


def write(path: Path, reached: Reached) -> None:
    """Keep it. Raises InputError."""
    arrays: dict[str, np.ndarray] = {
        "reached": np.array([reached.games, reached.unit], np.int64),
        "seconds": np.asarray(reached.seconds),
        "sides": np.array(sorted(reached.tallies), np.int64),
        "finished": np.array(json.dumps({k: _plain(v) for k, v in reached.finished.items()})),
    }
    whole = len(reached.tallies) == 1  # nobody is played on: of the base its totals are enough
    for k, tally in reached.tallies.items():
        arrays |= state.totals_arrays(tally.totals, f"{k}_")
        arrays[f"{k}_units"] = tally.units[:0] if whole else tally.units
        arrays[f"{k}_touched"] = np.array(_numbers(tally.reached), np.int64)
    store.write_arrays(path, arrays)


def read(path: Path, sides: Sequence[Side]) -> Reached | None:
    """What was kept, or None. Raises InputError if it cannot be read."""
    found = store.read_arrays(path)
    if found is None:
        return None
    with state.readable(path):
        games, unit = found["reached"].tolist()
        tallies = {
            k: Tally(found[f"{k}_units"], state.totals_of(found, f"{k}_"), _touched(found[f"{k}_touched"].tolist()))
            for k in found["sides"].tolist()
        }
        finished = {int(k): _variant(sides[int(k)], v) for k, v in json.loads(str(found["finished"])).items()}
        return Reached(games, unit, tallies, finished, float(found["seconds"]))


def _numbers(touched: Touched) -> list[int]:
    return [touched.games, touched.touched, touched.flipped, *touched.first]


def _touched(numbers: Sequence[int]) -> Touched:
    games, touched, flipped, *first = numbers
    return Touched(games, touched, flipped, tuple(first))


def _plain(variant: Variant) -> dict[str, Any]:
    """All but the side; reals are written so that they are read as the same bits."""
    return {
        "changes": variant.changes,
        "told": variant.told,
        "reached": _numbers(variant.reached),
        "rows": variant.rows,
        "decided": variant.decided,
        "verdict": variant.verdict,
    }


def _variant(side: Side, given: Mapping[str, Any]) -> Variant:
    return Variant(
        side,
        [Change(*c) for c in given["changes"]],
        [Change(*c) for c in given["told"]],
        _touched(given["reached"]),
        [mt.Row(*r) for r in given["rows"]],
        None if given["decided"] is None else Change(*given["decided"]),
        given["verdict"],
    )
