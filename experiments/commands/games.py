"""`doomtrack games`: what there is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from experiments import options as o


def games() -> list[dict[str, Any]]:
    """Each game: name, title, version, seats, strategies with their ideas, overlays, studies, searches."""
    import strategies
    from experiments.solving import question
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
            "searches": list(question.shipped(name)),
        }
        for name, game in all_games().items()
    ]


def weights(game: str) -> list[dict[str, Any]]:
    """The weights of a game's strategies: strategy, weight, default, bounds, meaning."""
    import strategies

    return [
        {"strategy": s.name, "weight": w.name, "default": w.default, "low": w.low, "high": w.high, "meaning": w.meaning}
        for s in strategies.known(game).values()
        for w in s.weights
    ]


def weights_table(game: str, indent: int = 0) -> str:
    """The same for people; "" for a game without weights."""
    from experiments import text

    rows = [
        [f"{w['strategy']}:{w['weight']}", f"{w['default']:g}", f"{w['low']:g}..{w['high']:g}", w["meaning"]]
        for w in weights(game)
    ]
    return text.table(["weight", "default", "values", "meaning"], rows, indent=indent) if rows else ""


def overlays(game: str) -> dict[str, str]:
    """What each overlay that ships is, and why: title and reason in one line."""
    from simcore.game import find_game

    found = find_game(game)
    about = [found.configure(overlays=(name,)).content.overlays[-1] for name in found.overlays()]
    return {a.name: a.title + (f": {a.reason}" if a.reason else "") for a in about}


def command(
    weights_: Annotated[bool, typer.Option("--weights", help="Also the weights that each strategy has.")] = False,
    format_: o.FormatOption = "table",
) -> None:
    """List the games: players, strategies, overlays, studies, searches; with --weights the weights of strategies."""
    how = o.output_format(format_)
    found = games()
    if weights_:
        for g in found:
            g["weights"] = weights(g["game"])
    if how == "json":
        print(json.dumps({"schema": 1, "games": found}, indent=1))
        return
    from experiments import text

    if how == "csv" and weights_:
        head = ["strategy", "weight", "default", "low", "high", "meaning"]
        print(text.csv(["game", *head], [[g["game"], *w.values()] for g in found for w in g["weights"]]), end="")
        return
    if how == "csv":
        rows = [[g["game"], g["title"], g["players"][0], g["players"][1], " ".join(g["strategies"])] for g in found]
        print(text.csv(["game", "title", "fewest", "most", "strategies"], rows), end="")
        return
    for g in found:
        print(f"{g['game']}  {g['title']}, {g['players'][0]}-{g['players'][1]} players (version {g['version']})")
        print(text.wrapped(g["summary"], indent=2))
        print("\n  strategies")
        print(text.table(["", ""], [[name, idea] for name, idea in g["strategies"].items()], indent=4, heading=False))
        if weights_ and g["weights"]:
            print(f"\n  weights (--strategy NAME:WEIGHT=X)\n{weights_table(g['game'], indent=4)}")
        if g["overlays"]:
            print("\n  overlays (--content NAME)")
            print(text.table(["", ""], list(overlays(g["game"]).items()), indent=4, heading=False))
        for what in ("roles", "studies", "searches"):
            if g[what]:
                print(f"\n  {what}\n{text.wrapped(', '.join(g[what]), indent=4)}")
        print()
