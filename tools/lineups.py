"""Plays every game in many configurations and line-ups, and prints a digest of each as JSON.

The other tools here run this in processes with different settings and compare. A digest covers all integer totals of a
batch, so that equal digests mean the same games, bit by bit.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOTALS = ("sum", "square", "fired", "cross", "histogram", "status")  # the arrays of batch.Totals


def settings_of(game: Any) -> Iterator[tuple[str, dict[str, Any], tuple[str, ...]]]:
    """(label, settings, overlays): the default with each number of players, then one thing changed at a time."""
    parameters = game.own_parameters(game.load_content(()))
    (players,) = (p for p in parameters if p.name == "players")
    usual = range(game.seats[0], game.seats[1] + 1)
    for count in (*usual, *(n for n in range(int(players.low), int(players.high) + 1) if n not in usual)):
        yield f"players={count}", {"players": count}, ()
    for overlay in game.overlays():
        yield f"overlay={overlay}", {}, (overlay,)
    for p in parameters:
        ends: tuple[Any, ...] = p.choices
        if p.kind == "flag":
            ends = ("on", "off")
        elif p.kind in ("integer", "number"):
            ends = tuple(v for v in (p.low, p.high) if v is not None)
        for value in ends:
            if p.name != "players" and value != p.default:
                yield f"{p.name}={value}", {p.name: value}, ()


def mixed(game: Any, seats: int) -> tuple[str, ...]:
    """A strategy for each seat: all in turn, the last of the list first, but those that look ahead, which are slow; the
    first of these, too, where else all would play alike."""
    import strategies

    known = strategies.known(game.name)
    names = [name for name, strategy in known.items() if not strategy.looks_ahead][::-1]
    if len(names) < 2:
        names = [name for name, strategy in known.items() if strategy.looks_ahead][:1] + names
    return tuple(names[seat % len(names)] for seat in range(seats))


def digest(totals: Any) -> str:
    found = hashlib.sha256(repr((totals.games, totals.decisions)).encode())
    for name in TOTALS:
        found.update(getattr(totals, name).tobytes())
    return found.hexdigest()[:16]


def play(games: int, brief: bool, only: str = "") -> dict[str, Any]:
    """Digests by line-up, and the names of the kernels that had to be compiled; `only`: of one game."""
    import strategies
    from simcore import batch, jit
    from simcore.errors import InputError
    from simcore.game import games as all_games

    compiled: list[str] = []
    jit.on_compile.append(compiled.append)
    digests: dict[str, str] = {}
    for game in all_games().values():
        if only not in ("", game.name):
            continue
        known = strategies.known(game.name)
        default = game.configure()
        for name in known:  # everybody plays alike
            players = strategies.line_up(game.name, default.seats, [name])
            digests[f"{game.name} all {name}"] = digest(batch.total(default, players, games=games, block=60))
        names = sorted(known, key=lambda name: known[name].looks_ahead)
        for label, settings, overlays in settings_of(game):  # everybody plays differently
            try:
                configuration = game.configure(settings, overlays)
            except InputError:  # a bound that only another setting makes possible
                continue
            mixed = {str(seat): names[seat % len(names)] for seat in range(configuration.seats)}
            players = strategies.line_up(game.name, configuration.seats, {"all": names[0], **mixed})
            digests[f"{game.name} {label}"] = digest(batch.total(configuration, players, games=games, block=60))
            if brief and label.startswith("players="):
                break
    return {"digests": digests, "compiled": compiled, "boundscheck": jit.BOUNDSCHECK, "disabled": jit.DISABLED}


def in_process(
    games: int, *, brief: bool = False, only: str = "", before: tuple[str, ...] = (), **environment: str
) -> dict[str, Any]:
    """`play` in a process of its own, with more environment; `before` stands between python and this file."""
    asked = ["--games", str(games), "--only", only, *(["--brief"] if brief else [])]
    command = [sys.executable, *before, str(Path(__file__)), *asked]
    done = subprocess.run(
        command, env={**os.environ, **environment}, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Line-ups that were played differently."""
    a, b = one["digests"], other["digests"]
    return sorted(label for label in a.keys() | b.keys() if a.get(label) != b.get(label))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=120, help="games of each line-up")
    parser.add_argument("--brief", action="store_true", help="one configuration a game")
    parser.add_argument("--only", default="", help="one game")
    given = parser.parse_args()
    print(json.dumps(play(given.games, given.brief, given.only)))
