"""The comparisons of several strategies as one result folder, over those that each strategy has of its own.

Its cells are all sides with all strategies, `strategy.all` a factor more; its changes have a column `strategy`; its
findings say what holds whoever plays, and what flips. It is made of finished comparisons and plays nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import designs, store
from experiments import metrics as mt
from experiments.comparing import contrast, folder, paired
from experiments.comparing.comparison import Comparison, sides_and_rows
from experiments.comparing.holding import FLIPS, LOWERED, RAISED, UNSEEN, Holding
from experiments.designs import Factor
from experiments.kinds import Finding, finding
from experiments.manifest import manifest
from experiments.study import Plan
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.comparing.paired import Change
    from experiments.speech import Speech

ALL = "strategy.all"
VERB = {RAISED: "raises", LOWERED: "lowers", paired.LARGER: "raises by more than the margin"}
VERB |= {paired.SMALLER: "lowers by more than the margin", paired.WITHIN: "keeps within the margin"}


def is_there(out: str | Path) -> bool:
    """Whether a folder holds such a result. Raises InputError if it is the result of something else."""
    if not (Path(out) / store.MANIFEST).exists():
        return False
    there = store.read_manifest(Path(out))
    if there.get("kind") != folder.KIND or "strategies" not in there.get(folder.KIND, {}):
        raise InputError(f"--out {out}: holds another result ({there.get('kind')}); choose another folder")
    return True


def write(path: Path, found: Mapping[str, Comparison], held: Sequence[Holding], command: str) -> None:
    """Cells, changes, findings and, last, the manifest."""
    import polars as pl

    ready = plan_of(found)
    cells, changes = [], []
    at = 0
    for name, result in found.items():
        first = at
        for _, rows, _games in sides_and_rows(result):
            cells.append(mt.frame(rows, at, json.dumps(dict(ready.cells[at].parameters))))
            at += 1
        changes.append(folder.frame(result).with_columns(pl.col("cell") + first, strategy=pl.lit(name)))
    store.write_frame(path / store.CELLS, pl.concat(cells))
    store.write_frame(path / folder.CHANGES, pl.concat(changes))
    store.write_json(path / store.FINDINGS, sentences(found, held))
    one = next(iter(found.values()))
    store.write_board(path, one.base.cell.configuration)
    seconds = sum(c.seconds for c in found.values())
    told = manifest(ready, folder.KIND, True, [], command or one.command, one.started, seconds, {})
    asked = {
        "base": one.base.label,
        "against": [v.side.label for v in one.variants],
        "until": one.margin,
        "on": list(one.on) if one.on else None,
        "strategies": list(found),
    }
    variants = [{**contrast.variant_data(v, c), "strategy": name} for name, c in found.items() for v in c.variants]
    holds = [h.data for h in held]
    told |= {"games": max(c.games for c in found.values()), folder.KIND: asked, "variants": variants, "holds": holds}
    store.write_json(path / store.MANIFEST, told)


def plan_of(found: Mapping[str, Comparison]) -> Plan:
    """All sides with all strategies as a plan: what varies between sides, and the strategy of all seats."""
    plans = {name: folder.plan_of([c.base, *(v.side for v in c.variants)]) for name, c in found.items()}
    one = next(iter(plans.values()))
    cells = [
        replace(cell, parameters={**cell.parameters, ALL: name}) for name, plan in plans.items() for cell in plan.cells
    ]
    cells = [replace(cell, index=k) for k, cell in enumerate(cells)]
    factor = Factor(ALL, tuple(found), "strategy of all seats")
    study = one.study.model_copy(update={"strategies": {}})
    again: dict[str, Any] = {}
    if one.asked:  # so that `trace DIR --cell` can build it
        again = {"design": designs.LIST, "cell": [dict(c.parameters) for c in cells], "factors": {}}
    return replace(one, study=study, factors=(*one.factors, factor), cells=tuple(cells), asked=again)


def sentences(found: Mapping[str, Comparison], held: Sequence[Holding]) -> list[Finding]:
    """Variant by variant what holds for all in one sentence, then number by number; then what to be wary of."""
    one = next(iter(found.values()))
    speech = contrast.speech_of(one)
    said: list[Finding] = []
    for variant in one.variants:
        subject = contrast.doing(variant.side)
        mine = [h for h in held if h.against == variant.side.label]
        sure = [f"{VERB[h.all]} {contrast.name_of(h.metric, h.group, speech)}" for h in mine if h.holds]
        flips = [contrast.name_of(h.metric, h.group, speech) for h in mine if h.all == FLIPS]
        who = f"with each of {_list(list(found))}"
        text = f"{subject} {_list(sure)} {who}." if sure else f"{subject} changes nothing visibly {who}."
        text += f" With the strategy these flip: {_list(flips)}." if flips else " No number flips with the strategy."
        said.append(finding("answer", text))
        for h in sorted(mine, key=lambda h: (h.all != FLIPS, not h.holds, h.all == UNSEEN)):
            amounts = [_amount(speech, c, s) for s, c in h.changes.items()]
            name = contrast.name_of(h.metric, h.group, speech)
            said.append(finding("finding", f"{subject}, {name}: {h.all}: {'; '.join(amounts)}."))
    said += [f for f in one.sentences if f["kind"] == "warning"]
    return said


def _amount(speech: Speech, change: Change, strategy: str) -> str:
    size, interval = contrast.amount(speech, change)
    return f"{size} ({interval}) with {strategy}" if interval else f"{size} with {strategy}"


def _list(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""
