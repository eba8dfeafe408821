"""Games of every game and strategy as one digest a line-up; run as a program, in another process, it prints them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
TOTALS = ("sum", "square", "fired", "cross", "histogram", "status")


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
    import strategies
    from simcore.game import games
    from tests.contract.conserved import RICH

    for game in games().values():
        known = strategies.known(game.name)
        fewest = game.configure({"players": game.seats[0]})
        for name in known:
            yield f"{game.name} {name}", fewest, strategies.line_up(game.name, fewest.seats, [name])
        quick = [name for name, strategy in known.items() if not strategy.looks_ahead]
        for i, settings in enumerate(RICH[game.name]):
            configuration = game.configure(settings)
            names = [quick[seat % len(quick)] for seat in range(configuration.seats)]
            yield f"{game.name} rich {i}", configuration, strategies.line_up(game.name, configuration.seats, names)


def played(games: int) -> dict[str, Any]:
    """Digests by line-up, and what had to be compiled for them. One game of those who look ahead: they are slow."""
    from simcore import batch, jit

    compiled: list[str] = []
    jit.on_compile.append(compiled.append)
    found = {}
    for label, configuration, players in line_ups():
        count = 1 if any(player.strategy.looks_ahead for player in players) else games
        blocks = list(batch.play(configuration, players, games=count, first=4, seed=3, keep=True, threads=1))
        found[label] = digest(blocks)
    jit.on_compile.remove(compiled.append)
    return {"digests": found, "compiled": compiled, "disabled": jit.DISABLED}


def in_process(games: int, **environment: str) -> dict[str, Any]:
    """`played` in a process of its own, with more environment."""
    code = f"from tests.contract import bits; bits.main({games})"
    told = {**os.environ, **environment, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(games: int) -> None:
    """Print what `played` finds."""
    print(json.dumps(played(games)))
