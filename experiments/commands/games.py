"""`doomtrack games`: what there is."""

from __future__ import annotations

import json
from typing import Any

from experiments import options as o


def games() -> list[dict[str, Any]]:
    """Each game: name, title, version, seats, strategies with their ideas, overlays, studies."""
    import strategies
    from experiments.study import shipped
    from simcore.game import games as all_games

    return [
        {
            "game": name,
            "title": game.title,
            "version": game.version,
            "summary": game.summary,
            "players": list(game.seats),
            "roles": list(game.roles),
            "strategies": {s.name: s.idea for s in strategies.known(name).values()},
            "overlays": list(game.overlays()),
            "studies": list(shipped(name)),
        }
        for name, game in all_games().items()
    ]


def command(format_: o.FormatOption = "table") -> None:
    """List the games: players, strategies, overlays, studies."""
    how = o.output_format(format_)
    found = games()
    if how == "json":
        print(json.dumps({"schema": 1, "games": found}, indent=1))
        return
    from experiments import text

    if how == "csv":
        rows = [[g["game"], g["title"], g["players"][0], g["players"][1], " ".join(g["strategies"])] for g in found]
        print(text.csv(["game", "title", "fewest", "most", "strategies"], rows), end="")
        return
    for g in found:
        print(f"{g['game']}  {g['title']}, {g['players'][0]}-{g['players'][1]} players (version {g['version']})")
        print(text.wrapped(g["summary"], indent=2))
        print("\n  strategies")
        print(text.table(["", ""], [[name, idea] for name, idea in g["strategies"].items()], indent=4, heading=False))
        for what in ("roles", "overlays", "studies"):
            if g[what]:
                print(f"\n  {what}\n{text.wrapped(', '.join(g[what]), indent=4)}")
        print()
