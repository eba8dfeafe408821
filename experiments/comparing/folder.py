"""A comparison as a result folder: the sides are cells, the changes stand beside them in changes.parquet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments import designs, store
from experiments import metrics as mt
from experiments.comparing import adapted, contrast, reached
from experiments.comparing.comparison import Comparison, sides_and_rows
from experiments.comparing.reached import Reached
from experiments.comparing.variants import CONTENT, Side
from experiments.designs import Factor
from experiments.lineup import PREFIX
from experiments.manifest import manifest as manifest_of
from experiments.study import Cell, Plan, build, plan
from simcore.errors import InputError

KIND = "compare"
CHANGES = "changes.parquet"
OLD_HABITS = "old-habits"  # where players were adapted: the folder, within this one, of the comparison without


def plan_of(chosen: Sequence[Side]) -> Plan:
    """Base and variants as a plan: a list of cells where words of `--set` can say it, so that it can be played again.

    Where they cannot (content of another folder), the cells stand in a plan that is only told, never built anew.
    """
    base = chosen[0]
    varied = changed(chosen)
    if CONTENT not in varied:
        cells = [{**{n: v for n, v in varied.items() if v is not None}, **_words(s)} for s in chosen]
        try:
            fields = base.study.model_dump()
            fields["base"] = {k: v for k, v in fields["base"].items() if k not in varied}
            fields["strategies"] = {k: v for k, v in fields["strategies"].items() if f"strategy.{k}" not in varied}
            ready = plan(build(**{**fields, "design": designs.LIST, "cell": cells}))
            again = {"design": designs.LIST, "cell": [dict(c.parameters) for c in ready.cells], "factors": {}}
            return replace(ready, asked=again)  # so that `trace DIR --cell` can build it
        except InputError:
            pass  # it can still be told
    numbered = [
        Cell(k, {**varied, **_words(s)}, s.cell.configuration, s.cell.strategies, s.cell.players)
        for k, s in enumerate(chosen)
    ]
    factors = tuple(
        Factor(n, tuple(dict.fromkeys(c.parameters[n] for c in numbered)), "what is compared") for n in varied
    )
    return Plan(base.study, base.cell.configuration.game, factors, tuple(numbered), plan(base.study).given)


def changed(chosen: Sequence[Side]) -> dict[str, Any]:
    """All words that some variant changes, with their values in the base."""
    found: dict[str, Any] = {}
    for side in chosen[1:]:
        found.update({n: side.before[n] for n in side.changed if n not in found})
    tuned = {n: v for s in reversed(chosen) for n, v in s.line_up.items()}  # the base's, where it has such a player
    if tuned:
        found = {**{n: v for n, v in found.items() if not n.startswith(PREFIX)}, **tuned}
    return found


def _words(side: Side) -> dict[str, Any]:
    """What a side changes; of adapted players the whole line-up."""
    if not side.line_up:
        return dict(side.changed)
    return {**{n: v for n, v in side.changed.items() if not n.startswith(PREFIX)}, **side.line_up}


def _asked(
    chosen: Sequence[Side], margin: float | None, on: tuple[str, str] | None, adapting: bool = False
) -> dict[str, Any]:
    """What a comparison asks beyond its cells."""
    return {
        **({"adapt": True} if adapting else {}),
        "base": chosen[0].label,
        "against": [s.label for s in chosen[1:]],
        "until": margin,
        "on": list(on) if on else None,
    }


def refuse_another(
    out: str | Path | None,
    chosen: Sequence[Side],
    margin: float | None,
    on: tuple[str, str] | None,
    *,
    adapting: bool = False,
) -> None:
    """Refuse a folder that holds something else than this comparison, before any game is played. Raises InputError."""
    if out is None or not (Path(out) / store.MANIFEST).is_file():
        return
    there = store.read_manifest(Path(out))
    if there.get("kind") != KIND:
        raise InputError(f"--out {out}: holds a {there.get('kind')}, not a comparison; choose another folder")
    differs = store.difference(there.get(KIND, {}), _asked(chosen, margin, on, adapting))
    if differs:
        raise InputError(f"--out {out}: holds another comparison ({differs}); choose another folder")


class Place:
    """The folder of one comparison: new, empty, or holding the same one, which then goes on."""

    def __init__(
        self,
        out: str | Path,
        chosen: Sequence[Side],
        margin: float | None,
        on: tuple[str, str] | None,
        command: str,
        *,
        adapting: bool = False,
    ) -> None:
        """Open it. Raises InputError for the folder of anything else."""
        self.chosen, self.command, self._asked = chosen, command, _asked(chosen, margin, on, adapting)
        if not str(out).strip():
            raise InputError("--out: no folder is named (leave --out away to keep nothing)")
        key = reached.key_of(chosen, margin, on)
        refuse_another(out, chosen, margin, on, adapting=adapting)
        self.plan = plan_of(chosen)
        self.folder = store.Folder.open(out, self.plan)
        self.path, self._file = self.folder.path, self.folder.reached(key)
        self.folder.forget_others({key})
        if self.folder.fresh:
            store.write_json(self.path / store.MANIFEST, self._manifest(False, "", 0.0, 0))

    def reached(self) -> Reached | None:
        """How far it is. Raises InputError if what is kept cannot be read."""
        return reached.read(self._file, self.chosen)

    def reach(self, now: Reached) -> None:
        """Keep how far it is. Raises InputError."""
        reached.write(self._file, now)

    def discard(self) -> None:
        """Take a new folder back: its games cannot be played."""
        if self.folder.fresh:
            self._file.unlink(missing_ok=True)
            self.folder.discard()

    def _manifest(self, finished: bool, started: str, seconds: float, games: int) -> dict[str, Any]:
        told = manifest_of(self.plan, KIND, finished, [], self.command, started, seconds, {})
        return {**told, "games": games or told["games"], KIND: self._asked}

    def write(self, result: Comparison) -> None:
        """All files, the manifest last. Raises InputError."""
        import polars as pl

        frames = []
        for k, (_, rows, _games) in enumerate(sides_and_rows(result)):
            frames.append(mt.frame(rows, k, json.dumps(dict(self.plan.cells[k].parameters))))
        store.write_frame(self.path / store.CELLS, pl.concat(frames))
        store.write_frame(self.path / CHANGES, frame(result))
        store.write_json(self.path / store.FINDINGS, result.sentences)
        store.write_board(self.path, result.base.cell.configuration)
        manifest = self._manifest(True, result.started, result.seconds, result.games)
        manifest["variants"] = [contrast.variant_data(v, result) for v in result.variants]
        if result.adapted:
            manifest["adapted"] = adapted.as_data(result)
        store.write_json(self.path / store.MANIFEST, manifest)


def frame(result: Comparison) -> Any:
    """All changes: variant (its cell), against, and the columns of a change."""
    import polars as pl

    real, text, whole = pl.Float64, pl.String, pl.Int64
    schema = {"cell": whole, "against": text, "metric": text, "group": text, "group2": text}
    schema |= dict.fromkeys(("base", "variant", "change", "low", "high"), real)
    schema |= {"n": whole, "unpaired": whole, "method": text}
    rows = [(k, v.side.label, *c) for k, v in enumerate(result.variants, 1) for c in v.changes]
    return pl.DataFrame(rows, schema=schema, orient="row")
