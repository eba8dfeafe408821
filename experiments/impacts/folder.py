"""An impact as a result folder: one cell an entry, so that reports draw entries beside each other.

A finished entry is kept at once in parts/<key>.json, under a digest of all that its numbers depend on: the same command
goes on after the entries that are there. The cells are numbered by the change, and what was measured stands besides in
impact.parquet, one row an entry.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments import metrics as mt
from experiments import statistics as st
from experiments import store
from experiments.comparing.paired import Change, Touched
from experiments.designs import Factor
from experiments.impacts import entries as en
from experiments.impacts.entries import Entry
from experiments.impacts.result import Effect, Impact, frame
from experiments.manifest import manifest as manifest_of
from experiments.metrics import Row, row
from experiments.study import Cell, Plan, plan
from simcore.errors import InputError

KIND = "impact"
SOURCES = (
    "impacts/pairs.py",
    "impacts/uses.py",
    "impacts/impact.py",
    "comparing/paired.py",
    "sequences.py",
)  # of the numbers
TABLE = "impact.parquet"
USED = "win_where_used"
TEXT = "text"  # the factor that says how sure an entry's text is


def plan_of(result: Impact) -> Plan:
    """The entries as cells, in the order of their effects. It is told, never played: nothing but the deal differs."""
    asked, ready = result.asked, plan(result.study)
    known = [e.entry for e in result.effects] or list(asked.entries)
    kind = asked.deal.kind
    cells = tuple(
        Cell(k, {kind: e.slug, TEXT: e.source}, asked.cell.configuration, asked.cell.strategies, asked.cell.players)
        for k, e in enumerate(known)
    )
    sources = [s for s in _sources() if any(e.source == s for e in known)]
    factors = (
        Factor(kind, tuple(e.slug for e in known), f"{asked.deal.meaning} of player {asked.holder}"),
        Factor(TEXT, tuple(sources), "how sure its text is"),
    )
    return replace(ready, factors=factors, cells=cells, asked={**ready.asked, "factors": {}})


def _sources() -> tuple[str, ...]:
    from simcore.content import SOURCES

    return SOURCES


def described(result: Impact) -> dict[str, dict[str, Any]]:
    """Unit, meaning and headline flag of what the cells hold."""
    asked = result.asked
    whose = "the win rate of all" if asked.together else f"the win share of player {asked.holder}"
    other = "the ordinary deal" if asked.versus == en.DEAL else f"the same {asked.deal.kind} with its text blank"
    return {
        en.METRIC: {
            "unit": en.UNIT,
            "meaning": f"change of {whose} when he is dealt it, against {other}",
            "headline": True,
            "theme": "Who wins",
        },
        asked.metric.name: {
            "unit": "share",
            "meaning": f"{whose} when he is dealt it",
            "headline": True,
            "theme": "Who wins",
        },
        "games_touched": {"unit": "share", "meaning": "games that the other deal changes at all", "headline": False},
        "games_flipped": {"unit": "share", "meaning": "games that end with another result", "headline": False},
        USED: {
            "unit": "share",
            "meaning": "wins of those who use it in the ordinary deal: how it is used, not what it does",
            "headline": False,
        },
        "copies": {"unit": "", "meaning": "copies in the box", "headline": False},
    }


def rows(result: Impact, effect: Effect) -> list[Row]:
    """The numbers of one entry."""
    change, reached = effect.change, effect.reached
    found = [Row(en.METRIC, "", "", None, change.change, change.low, change.high, change.n, change.method)]
    if change.variant is not None:
        found.append(row(result.asked.metric.name, st.rate(change.variant * change.n, change.n)))
    for name, count in (("games_touched", reached.touched), ("games_flipped", reached.flipped)):
        found.append(row(name, st.rate(count, reached.games)))
    if effect.used is not None and effect.used.value is not None:
        found.append(row(USED, effect.used))
    return [*found, Row("copies", "", "", None, effect.entry.copies, None, None, change.n, "")]


class Keeper:
    """The folder of one impact; without `out` it keeps nothing."""

    def __init__(self, result: Impact, out: str | Path | None) -> None:
        self.result, self.folder, self._base = result, None, ""
        if out is None:
            return
        if not str(out).strip():
            raise InputError("--out: no folder is named (leave --out away to keep nothing)")
        folder = store.Folder.open(out, plan_of(result))
        if not folder.fresh:
            there = store.read_manifest(folder.path)
            if there.get("kind") != KIND:
                raise InputError(f"--out {out}: holds a {there.get('kind')}, not an impact; choose another folder")
            differs = store.difference(there.get(KIND, {}), result.asked_words)
            if differs:
                raise InputError(f"--out {out}: holds another impact ({differs}); choose another folder")
        self.folder = folder
        self._base = store.cell_key(result.asked.cell, result.study)
        store.write_json(folder.path / store.MANIFEST, self._manifest(False))

    def _key(self, entry: Entry) -> str:
        """Digest of all that the numbers of an entry depend on."""
        asked = self.result.asked
        other = asked.blanked(entry).digest if asked.versus == en.BLANK else ""
        parts = [self._base, entry.slug, len(asked.entries), {**self.result.asked_words, "entries": None}, other]
        return store.digest([*parts, store.sources_digest(*SOURCES)])

    def _path(self, entry: Entry) -> Path | None:
        return None if self.folder is None else self.folder.path / store.PARTS / f"{self._key(entry)}.json"

    def read(self, entry: Entry) -> Effect | None:
        """A finished entry, or None. Raises InputError for a part that cannot be read."""
        path = self._path(entry)
        if path is None or not path.is_file():
            return None
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            change, told = Change(*data["change"]), Change(*data["told"])
            games, touched, flipped, first = data["reached"]
            reached = Touched(games, touched, flipped, tuple(first))
            used = None if data["used"] is None else st.Estimate(*data["used"])
            return Effect(entry, change, told, reached, data["verdict"], used)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: cannot be read ({error.__class__.__name__}); delete it and run again") from None

    def keep(self, effect: Effect) -> None:
        """A finished entry."""
        path, reached = self._path(effect.entry), effect.reached
        if path is not None:
            numbers = [reached.games, reached.touched, reached.flipped, list(reached.first)]
            data = {"change": effect.change, "told": effect.told, "reached": numbers, "verdict": effect.verdict}
            store.write_json(path, {**data, "used": effect.used})

    def discard(self) -> None:
        """Take a new folder back that holds no finished entry."""
        if self.folder is not None and self.folder.fresh and not self.result.effects:
            self.folder.discard()

    def _manifest(self, finished: bool) -> dict[str, Any]:
        result = self.result
        found = manifest_of(plan_of(result), KIND, finished, [], result.command, result.started, result.seconds, {})
        return {
            **found,
            "question": f"{result.question[:1].upper()}{result.question[1:]}",
            "cells": len(result.asked.entries),
            "games": result.games or result.study.games,
            "metrics": described(result),
            KIND: result.asked_words,
        }

    def close(self) -> None:
        """Rows, sentences and manifest, the manifest last."""
        import polars as pl

        result = self.result
        if self.folder is None:
            return
        path = result.folder = self.folder.path
        cells = plan_of(result).cells
        frames = [
            mt.frame(rows(result, effect), cell.index, json.dumps(dict(cell.parameters)))
            for cell, effect in zip(cells, result.effects, strict=True)
        ]
        store.write_frame(path / store.CELLS, pl.concat(frames))
        store.write_frame(path / TABLE, frame(result))
        store.write_json(path / store.FINDINGS, result.sentences)
        store.write_json(path / store.MANIFEST, self._manifest(not result.interrupted))
