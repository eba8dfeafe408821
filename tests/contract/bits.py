"""Games of every game and strategy as one digest a line-up, played here or in a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import strategies
from simcore import batch, jit
from simcore.game import games as all_games
from tests.contract.games import table
from tools.lineups import TOTALS, mixed

ROOT = Path(__file__).resolve().parent.parent.parent


def digest(blocks: Sequence[Any]) -> str:
    """Of all outcomes and totals of the blocks, however the games were cut into them."""
    found = hashlib.sha256(b"".join(block.outcomes.tobytes() for block in blocks))
    games = sum(block.totals.games for block in blocks)
    decisions = sum(block.totals.decisions for block in blocks)
    found.update(f"{games} {decisions}".encode())
    for name in TOTALS:
        found.update(sum(getattr(block.totals, name) for block in blocks).tobytes())
    return found.hexdigest()[:20]


def line_ups() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """(label, configuration, players): everybody alike, for each strategy; and mixed, with settings that ask much."""
    for game in all_games().values():
        fewest = game.configure({"players": game.seats[0]})
        for name in strategies.known(game.name):
            yield f"{game.name} {name}", fewest, strategies.line_up(game.name, fewest.seats, [name])
        for i, settings in enumerate(table("RICH")[game.name]):
            configuration = game.configure(settings)
            seats = configuration.seats
            yield f"{game.name} rich {i}", configuration, strategies.line_up(game.name, seats, mixed(game, seats))
        if fewest.playable:  # each thing that one can play as by another strategy
            names = [*strategies.known(game.name)]
            given = {what: names[k % len(names)] for k, what in enumerate(fewest.playable)}
            players = strategies.line_up(game.name, fewest.seats, given, configuration=fewest)
            yield f"{game.name} by {game.played_as}", fewest, players


def played(games: int) -> dict[str, Any]:
    """Digests by line-up, and what had to be compiled for them. One game of those who look ahead: they are slow."""
    compiled: list[str] = []
    jit.on_compile.append(compiled.append)
    found = {}
    for label, configuration, players in line_ups():
        count = 1 if any(strategy.looks_ahead for player in players for strategy in player.strategies) else games
        blocks = list(batch.play(configuration, players, games=count, first=4, seed=3, keep=True, threads=1))
        found[label] = digest(blocks)
    jit.on_compile.remove(compiled.append)
    return {"digests": found, "compiled": compiled, "disabled": jit.DISABLED}


def in_process(call: str, **environment: str) -> Any:
    """What a call of this folder, like "bits.played(2)", gives in a process of its own with more environment."""
    code = f"import json; from tests.contract import {call.partition('.')[0]}; print(json.dumps({call}))"
    told = {**os.environ, **environment, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
