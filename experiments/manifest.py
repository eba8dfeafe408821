"""What manifest.json holds: what was asked, of what, by which versions, and the command that asks it again."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from experiments import designs, metrics, store
from experiments.metrics import described_expressions
from experiments.study import Cell, Plan, Study
from simcore.errors import PlayError


def versions() -> dict[str, str]:
    """Versions that a result depends on."""
    found = {"doomtrack": "unknown", "python": platform.python_version()}
    for name in ("doomtrack", "numpy", "numba"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return found


def manifest(
    ready: Plan,
    kind: str,
    finished: bool,
    failed: Sequence[Mapping[str, Any]],
    command: str,
    started: str,
    seconds: float,
    kept_games: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What manifest.json holds: what was asked, of what, by which versions, and how to do it again.

    `kept_games`: cell -> folder of its rows, one a game.
    """
    study, game, first = ready.study, ready.game, ready.cells[0]
    content = first.configuration.content
    reported = [m for c in _kinds(ready) for m in metrics.metrics_of(c.configuration)]
    described, groups = metrics.described(reported), metrics.described_groups(reported)
    for name in (
        text.partition("[")[0].strip() for text in study.answer
    ):  # what the study asks for is a headline of it
        described.get(name, {})["headline"] = True
    seats = {c.configuration.seats for c in ready.cells}
    varied = {f.name for f in ready.factors}
    return {
        "schema": store.SCHEMA,
        "kind": kind,
        "question": study.question,
        "claim": study.claim,
        "note": study.note,
        "game": game.name,
        "title": study.title or game.title,
        "version": game.version,
        "given": dict(ready.given),
        "parameters": {k: v for k, v in {**first.configuration.settings, **ready.given}.items() if k not in varied},
        "overlays": list(study.overlays),
        "players": [p.label for p in first.players] if len(seats) == 1 else [],
        "strategies": {w: s for w, s in first.strategies.items() if f"strategy.{w}" not in varied},
        "factors": [
            {"name": f.name, "values": list(f.values), "meaning": f.meaning, "unit": f.unit} for f in ready.factors
        ],
        "metrics": {**described, **described_expressions(study.metrics)},
        "groups": groups,
        "seed": study.seed,
        "games": study.games,
        "precision": study.precision,
        "cells": len(ready.cells),
        "finished": finished,
        "failed": [dict(f) for f in failed],
        "command": command,
        "versions": versions(),
        "source_digest": store.kernel_source(game),
        "content_digest": content.digest,
        "provenance": first.configuration.provenance,
        "estimated_share": first.configuration.estimated_share,
        "notes": [n for n in (study.note,) if n],
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "started": started,
        "seconds": round(seconds, 3),
        "kept_games": dict(kept_games or {}),
        "asked": store.asked(ready),
    }


def _kinds(ready: Plan) -> list[Cell]:
    """One cell for each number of seats: other settings don't change which metrics there are by name."""
    return list({c.configuration.seats: c for c in ready.cells}.values())


def python_command(ready: Plan, kind: str, out: str | Path | None, keep_games: bool = False) -> str:
    """The command line that asks the same study."""
    study = ready.study
    words = ["doomtrack", "run" if kind == "run" else "sweep", study.game, *line_up_and_settings(study, study.base)]
    words += designs.options(study, ready.factors)
    words += [w for k, v in study.metrics.items() for w in ("--metric", f"{k}={v}")]
    words += ["--games", str(study.games)] if study.games else ["--precision", f"{study.precision:g}"]
    words += ["--seed", str(study.seed)]
    words += ["--out", str(out)] if out is not None else []
    words += ["--keep-games"] if keep_games else []
    return shlex.join(words)


def line_up_and_settings(study: Study, settings: Mapping[str, Any]) -> list[str]:
    """The options that say what is played, and by whom."""
    words = [w for k, v in settings.items() for w in ("--set", f"{k}={_word(v)}")]
    words += [w for k, v in study.strategies.items() for w in ("--strategy", f"{k}={v}")]
    words += [w for o in study.overlays for w in ("--content", o)]
    return words + [w for p in study.plugins for w in ("--plugin", p)]


def with_options(error: PlayError, study: Study, cell: Cell) -> PlayError:
    """The error with the options of its cell in the line that shows the game."""
    words = line_up_and_settings(study, {**study.base, **cell.parameters})
    said = f" {shlex.join(words)}" if words else ""
    return PlayError(str(error).replace(" (and the same line-up and settings)", said))


def _word(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
