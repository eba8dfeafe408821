"""The replays of a result: games told turn by turn beside the drawn board, stepped through with buttons or arrow keys.

``replays/index.json`` of a result folder holds what is shown. The text of every turn stands in the page as a list, so
that it can be read, searched and heard without the script; the script shows one turn at a time and lays things on the
board. The same player makes the page of a single game (`doomtrack trace --format html`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports import boards, cells, pages
from reports.errors import ReportError
from reports.result import one_line, read_board, text, title
from reports.words import level

SCHEMA = 1
FOLDER, INDEX = "replays", "index.json"
MOST = 450_000  # letters of replays in one page
TURN = {"title": str, "lines": list, "rows": list, "tracks": list, "at": list}
REPLAY = {"kind": str, "title": str, "why": str, "number": int, "command": str, "heads": list, "things": list}
THING = ("label", "name", "kind", "on")


@dataclass(frozen=True)
class Section:
    """What the page shows: replays as in the index, the drawn board, and the data of the script."""

    replays: list[dict[str, Any]]
    among: str  # of which games they are
    drawing: boards.Drawing | None
    data: str
    trouble: str = ""


def section(folder: Path) -> Section | None:
    """The replays of a result folder; None if it has none. What cannot be read is said, not raised."""
    path = folder / FOLDER / INDEX
    if not path.is_file():
        return None
    try:
        index = json.loads(path.read_text("utf-8"))
        found = _checked(index)
    except (OSError, ValueError, TypeError, KeyError) as error:
        return Section([], "", None, "{}", f"The replays cannot be read, so they are not shown: {one_line(error)}")
    kept: list[dict[str, Any]] = []
    left: list[dict[str, Any]] = []
    room = MOST
    for replay in found:
        room -= len(json.dumps(replay, ensure_ascii=False))
        (kept if room >= 0 else left).append(replay)
    trouble = ""
    if left:
        names = ", ".join(r["title"] for r in left)
        trouble = f"Not in this page, which would grow too large: {names}. `doomtrack trace` tells them."
    board, wrong = read_board(folder / FOLDER)
    drawing = boards.draw(board) if board is not None and any(r["things"] for r in kept) else None
    return Section(kept, _among(index), drawing, _data(kept, drawing), " ".join(filter(None, (trouble, *wrong))))


def _checked(index: Any) -> list[dict[str, Any]]:
    """The replays of an index; ValueError where one lacks what the page needs."""
    if not isinstance(index, dict) or index.get("schema") != SCHEMA or not isinstance(index.get("replays"), list):
        raise ValueError(f"index.json is no index of replays of schema {SCHEMA}")
    for replay in index["replays"]:
        if not isinstance(replay, dict) or not isinstance(replay.get("turns"), list) or not replay["turns"]:
            raise ValueError("a replay has no turns")
        _has(replay, REPLAY)
        if not all(
            isinstance(thing, dict) and all(isinstance(thing.get(k), str) for k in THING) for thing in replay["things"]
        ):
            raise ValueError(f"a thing of a replay lacks one of {', '.join(THING)}")
        for turn in replay["turns"]:
            _has(turn, TURN)
            if any(not 0 <= int(number) < len(replay["things"]) for number, _, _ in turn["at"]):
                raise ValueError("a turn of a replay names a thing that there is not")
    found: list[dict[str, Any]] = index["replays"]
    return found


def _has(entry: Any, wanted: Mapping[str, type]) -> None:
    for name, kind in wanted.items():
        if not isinstance(entry, dict) or not isinstance(entry.get(name), kind):
            raise ValueError(f"a replay lacks {name!r}")


def _among(index: dict[str, Any]) -> str:
    games = index.get("looked_at")
    parameters = index.get("parameters")
    where = ", ".join(f"{k} = {level(v)}" for k, v in parameters.items()) if isinstance(parameters, dict) else ""
    cell = f" of cell {index.get('cell')} ({where})" if where else ""
    return f"Chosen among the first {games:,} games{cell}." if isinstance(games, int) and games > 1 else ""


def _data(replays: list[dict[str, Any]], drawing: boards.Drawing | None) -> str:
    """What the script needs beyond the text, as JSON that can stand in a script element."""
    things = [
        {"things": r["things"], "turns": [[t["rows"], t["tracks"], t["at"]] for t in r["turns"]]} for r in replays
    ]
    board = None
    if drawing is not None:
        points = {kind: [[round(x, 1), round(y, 1)] for x, y in at] for kind, at in drawing.points.items()}
        board = {"points": points, "names": drawing.names, "room": drawing.room}
    return cells.as_json({"replays": things, "board": board})


def page_of(folder: Path | str) -> str:
    """The page of a game alone, from a folder with ``replays/``. Raises ReportError."""
    folder = Path(folder)
    found = section(folder)
    if found is None or not found.replays:
        raise ReportError(f"{str(folder)!r} holds no replay" + (f": {found.trouble}" if found is not None else ""))
    index = json.loads((folder / FOLDER / INDEX).read_text("utf-8"))
    replay = found.replays[0]
    name = text(index.get("title")) or title(str(index.get("game", "a game")))
    return pages.filled(
        "trace.html.j2",
        ("page", "replays"),
        ("replays", "copy"),
        head=f"{name}: {replay['title'][:1].lower()}{replay['title'][1:]}",
        replays=found,
    )
