"""The result folder of a checked contract: verdicts, sentences, and how far each cell is, so that it can go on.

``Progress`` is all that a cell's next look depends on: the totals of its first games, the sums of its lines' own
expressions, which look was the last, and what each number showed when it was decided. It is written now and then and
stays when the cell is done, so that the same contract is not played again. A cell's key is a digest of all that it
depends on, its bands and levels, too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments import metrics, state, store
from experiments.checking.gauges import Reading
from experiments.checking.outcomes import Checked, Outcome, Verdict
from experiments.checking.promises import Item, Ready
from experiments.checking.verdicts import as_json, described, sentences
from experiments.manifest import manifest
from experiments.state import State
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.study import Study

KIND = "check"
SOURCES = (
    *("sequences.py", "comparing/paired.py", "impacts/pairs.py"),
    *(f"checking/{name}.py" for name in ("causal", "check", "gauges", "outcomes", "promises")),
)
VERDICTS = tuple(Verdict)


@dataclass(frozen=True)
class Progress:
    """How far a cell is. `looked`: games at the last look; `seconds`: what it took."""

    state: State
    looked: int
    outcomes: Sequence[Outcome]
    seconds: float


def write(path: Path, progress: Progress) -> None:
    """Keep it. Raises InputError."""
    shown = [
        (VERDICTS.index(o.verdict), np.nan if o.reading.value is None else o.reading.value, *o.reading[1:], o.games)
        for o in progress.outcomes
    ]
    store.write_arrays(
        path,
        {
            **state.arrays(progress.state),
            "looked": np.asarray(progress.looked),
            "shown": np.array(shown, np.float64).reshape(-1, 5),
            "seconds": np.asarray(progress.seconds),
        },
    )


def read(path: Path) -> Progress | None:
    """What was kept, or None. Raises InputError if it cannot be read."""
    found = store.read_arrays(path)
    if found is None:
        return None
    with state.readable(path):
        outcomes = [
            Outcome(VERDICTS[int(v)], Reading(None if np.isnan(x) else float(x), float(low), float(high)), int(games))
            for v, x, low, high, games in found["shown"]
        ]
        return Progress(state.of_arrays(found), int(found["looked"]), outcomes, float(found["seconds"]))


def key_of(ready: Ready, place: int, items: Sequence[Item], study: Study) -> str:
    """Digest of all that the verdicts of a cell depend on; `study`: with the expressions of its lines."""
    asked = [repr((i.gauge, i.band, i.tuning)) for i in items]
    cell = store.cell_key(ready.cells[place], study)
    return store.digest([cell, asked, ready.contract.budget, store.sources_digest(*SOURCES)])


def study_of(ready: Ready, items: Sequence[Item]) -> Study:
    """The contract's study with the expressions of these items only: another cell may lack what others speak of."""
    own = {i.gauge.metric.name: i.gauge.expression for i in items if i.gauge.expression}
    return ready.plan.study.model_copy(update={"metrics": own})


def _asked(ready: Ready, adapting: bool) -> dict[str, Any]:
    asked = json.loads(json.dumps(ready.contract.model_dump()))
    return {**({"adapt": True} if adapting else {}), **asked}


def refuse_another(out: str | Path | None, ready: Ready, *, adapting: bool) -> None:
    """Refuse a folder that holds something else than this contract's verdicts. Raises InputError."""
    if out is None or not (Path(out) / store.MANIFEST).is_file():
        return
    there = store.read_manifest(Path(out))
    if there.get("kind") != KIND:
        raise InputError(f"--out {out}: holds the result of a {there.get('kind')}; choose another folder")
    differs = store.difference(there.get("contract", {}).get("asked", {}), _asked(ready, adapting))
    if differs:
        raise InputError(f"--out {out}: holds another contract ({differs}); choose another folder")


class Keeper:
    """The result folder of a checked contract; without `out`, its sentences only."""

    def __init__(self, ready: Ready, out: str | Path | None, command: str, started: str) -> None:
        self.ready, self.command, self.started, self.folder = ready, command, started, None
        self.keys: list[str] = []
        if out is None:
            return
        if not str(out).strip():
            raise InputError("--out: no folder is named (leave --out away to keep nothing)")
        refuse_another(out, ready, adapting=bool(ready.adapted))
        items = [[i for i in ready.items if i.cell == place] for place in range(len(ready.cells))]
        self.keys = [key_of(ready, k, mine, study_of(ready, mine)) for k, mine in enumerate(items)]
        self.folder = store.Folder.open(out, ready.plan)
        self.folder.forget_others(set(self.keys))
        store.write_json(self.folder.path / store.MANIFEST, self._manifest(None))

    def _manifest(self, checked: Checked | None) -> dict[str, Any]:
        failed = []
        if checked is not None:
            for place, error in checked.failed.items():
                cell = self.ready.cells[place]
                failed.append({"cell": cell.index, "parameters": dict(cell.parameters), "error": error})
        finished = checked is not None and not checked.interrupted and not failed
        took = checked.took if checked is not None else 0.0
        found = manifest(self.ready.plan, KIND, finished, failed, self.command, self.started, took)
        asked = {
            "asked": _asked(self.ready, bool(self.ready.adapted)),
            **({} if checked is None else {"verdicts": as_json(checked)}),
        }
        return {**found, "metrics": described(self.ready), "contract": asked}

    def reached(self, place: int) -> Progress | None:
        """How far a cell is. Raises InputError if what is kept cannot be read."""
        return None if self.folder is None else read(self.folder.reached(self.keys[place]))

    def reach(self, place: int, progress: Progress) -> None:
        """Keep how far a cell is. Raises InputError."""
        if self.folder is not None:
            write(self.folder.reached(self.keys[place]), progress)

    def discard(self) -> None:
        """Take a new folder back: no cell could be played."""
        if self.folder is not None and self.folder.fresh:
            self.folder.discard()

    def close(self, checked: Checked) -> None:
        """Sentences and manifest; with a folder, all of it written, the manifest last."""
        import polars as pl

        checked.sentences = sentences(checked)
        checked.manifest = self._manifest(checked)
        if self.folder is None:
            return
        checked.folder = self.folder.path
        frames = []
        for place, cell in enumerate(self.ready.cells):
            mine = [checked.row(at) for at, item in enumerate(self.ready.items) if item.cell == place]
            parameters = json.dumps(dict(cell.parameters))
            frames.append(metrics.frame([r for r in mine if r.value is not None], cell.index, parameters))
        store.write_frame(self.folder.path / store.CELLS, pl.concat(frames))
        store.write_json(self.folder.path / store.FINDINGS, checked.sentences)
        store.write_json(self.folder.path / store.MANIFEST, checked.manifest)
