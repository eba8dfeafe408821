"""`python -m experiments.demo`: plays a sweep of every game there is, side by side, and writes their reports.

The last line printed is the path of an HTML report.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import experiments
from experiments import store
from simcore.errors import InputError
from simcore.game import games

RESULTS = Path("results") / "demo"
SWEEPS: dict[str, dict[str, Any]] = {
    "snowball": {
        "vary": {"players": "2..6", "gear": [1, 2, 3]},
        "strategies": ["opportunist"],
        "games": 4_020,
        "title": "The Great Snowball Battle: players and gear",
        "question": "Is starting fair, how long is a game, and how long does the first player out wait?",
        "answer": ["start_edge", "minutes", "first_out_wait_share"],
    },
    "snallygaster": {
        "vary": {"players": "2..5", "doom_length": [8, 10, 12]},
        "strategies": {"kids": "detective", "lost_kid": "balanced"},
        "games": 1_020,
        "title": "The Snallygaster Situation: players and the doom track",
        "question": "How often is the town saved, how long does it take, and where does the doom come from?",
        "answer": ["win_rate", "minutes", "doom_per_round"],
    },
    "spooktacular": {
        "vary": {"players": "2..5", "target_score": [40, 50, 60]},
        "strategies": ["greedy"],
        "games": 1_020,
        "title": "Spooktacular: players and the target score",
        "question": "Is starting fair, how long is a game, and what ends it?",
        "answer": ["start_edge", "minutes", "ended_by_tickets_rate"],
    },
}
OTHERWISE = {"vary": {"players": "all"}, "strategies": ["random"], "games": 2_040}


def sweep(game: str, folder: Path) -> Path:
    """Play the demo sweep of one game anew and write its report: the path of the page. Raises InputError."""
    import reports
    from experiments.study import build

    asked = SWEEPS.get(game, OTHERWISE)
    study = build(
        game=game,
        factors=asked["vary"],
        strategies=asked["strategies"],
        games=asked["games"],
        title=asked.get("title", ""),
        question=asked.get("question", ""),
        answer=asked.get("answer", []),
    )
    if (folder / store.MANIFEST).exists():  # an earlier demo, perhaps of another release: it makes way
        shutil.rmtree(folder)
    started = time.perf_counter()
    result = experiments.sweep(study, out=folder)
    played = sum(d.games for d in result.done)
    seconds = time.perf_counter() - started
    print(f"{result.manifest['title']}: {played:,} games in {len(result.done)} cells, {seconds:.0f} s")
    for finding in result.sentences[:3]:
        print(f"  {finding['text']}")
    return reports.render(folder)


def main(arguments: list[str]) -> int:
    """Without arguments: every game in a process of its own. With a game's name: that game."""
    if arguments:
        print(sweep(arguments[0], RESULTS / arguments[0]))
        return 0
    names = list(games())
    print(
        f"playing {', '.join(names)} (the first time the rules are compiled: about half a minute a game) ...",
        flush=True,
    )
    started = {name: _start(name) for name in names}
    pages, code = [], 0
    for name, process in started.items():
        out, _ = process.communicate()
        *said, page = out.strip().splitlines() or [""]
        print("\n".join(said))
        if process.returncode:
            print(f"{name}: failed (exit code {process.returncode})")
            code = process.returncode
        else:
            pages.append(page)
            print(f"{name}: {page}")
    if pages:
        print(pages[0])
    return code


def _start(game: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "experiments.demo", game], stdout=subprocess.PIPE, text=True)  # noqa: S603


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        print(f"demo: {error}", file=sys.stderr)
        sys.exit(2)
