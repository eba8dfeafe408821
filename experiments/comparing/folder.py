"""A comparison as a result folder: the sides are cells, the changes stand beside them in changes.parquet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments import designs, store
from experiments import metrics as mt
from experiments.comparing import adapted
from experiments.comparing.comparison import Comparison, sides_and_rows
from experiments.comparing.variants import CONTENT, Side
from experiments.designs import Factor
from experiments.lineup import PREFIX
from experiments.manifest import manifest as manifest_of
from experiments.study import Cell, Plan, build, plan
from simcore.errors import InputError

KIND = "compare"
CHANGES = "changes.parquet"
OLD_CHANGES = "changes-old-habits.parquet"  # where players were adapted: the same without


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
    adapted = {n: v for s in reversed(chosen) for n, v in s.line_up.items()}  # the base's, where it has such a player
    if adapted:
        found = {**{n: v for n, v in found.items() if not n.startswith(PREFIX)}, **adapted}
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


def opened(
    out: str | Path,
    chosen: Sequence[Side],
    margin: float | None,
    on: tuple[str, str] | None,
    *,
    adapting: bool = False,
) -> store.Folder:
    """The folder for this comparison: new, empty, or holding the same one. Raises InputError for anything else."""
    if not str(out).strip():
        raise InputError("--out: no folder is named (leave --out away to keep nothing)")
    folder = store.Folder.open(out, plan_of(chosen))
    if not folder.fresh:
        refuse_another(out, chosen, margin, on, adapting=adapting)
    return folder


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


def manifest(result: Comparison) -> dict[str, Any]:
    """The manifest, with what is asked of the changes."""
    chosen = [result.base, *(v.side for v in result.variants)]
    told = manifest_of(plan_of(chosen), KIND, True, [], result.command, result.started, result.seconds, {})
    more = {"adapted": adapted.as_data(result)} if result.adapted else {}
    return {**told, "games": result.games, KIND: _asked(chosen, result.margin, result.on, bool(result.adapted)), **more}


def write(folder: store.Folder, result: Comparison) -> None:
    """All files, the manifest last."""
    import polars as pl

    frames = []
    parameters = [c.parameters for c in plan_of([result.base, *(v.side for v in result.variants)]).cells]
    for k, (_, rows, _games) in enumerate(sides_and_rows(result)):
        frames.append(mt.frame(rows, k, json.dumps(dict(parameters[k]))))
    store.write_frame(folder.path / store.CELLS, pl.concat(frames))
    store.write_frame(folder.path / CHANGES, frame(result))
    if result.habits is not None:
        store.write_frame(folder.path / OLD_CHANGES, frame(result.habits))
    store.write_json(folder.path / store.FINDINGS, result.sentences)
    store.write_board(folder.path, result.base.cell.configuration)
    store.write_json(folder.path / store.MANIFEST, manifest(result))
    result.folder = folder.path


def frame(result: Comparison) -> Any:
    """All changes: variant (its cell), against, and the columns of a change."""
    import polars as pl

    real, text, whole = pl.Float64, pl.String, pl.Int64
    schema = {"cell": whole, "against": text, "metric": text, "group": text, "group2": text}
    schema |= dict.fromkeys(("base", "variant", "change", "low", "high"), real)
    schema |= {"n": whole, "unpaired": whole, "method": text}
    rows = [(k, v.side.label, *c) for k, v in enumerate(result.variants, 1) for c in v.changes]
    return pl.DataFrame(rows, schema=schema, orient="row")
