"""`doomtrack show`: what can be set in a game, and what its content is and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from experiments import options as o
from experiments import words
from simcore.errors import InputError, nearest


def parameters(game: str, overlays: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The game's own parameters and rulings: name, kind, default, bounds or choices, meaning, source."""
    from simcore.game import find_game

    found = find_game(game)
    return [_parameter(p) for p in found.own_parameters(found.load_content(tuple(overlays)))]


def content(game: str, entry: str = "", overlays: Sequence[str] = ()) -> dict[str, Any]:
    """Content by section, and how sure the cards in play by default are (as reports count them).

    `entry` picks one entry (`pinecone`, `items.pinecone`, `item=pinecone`) with its parameters, and in plain words
    where the game has them. Raises InputError with the nearest name.
    """
    from simcore.game import find_game

    configuration = find_game(game).configure(overlays=tuple(overlays))
    loaded = configuration.content
    wanted = _dotted(entry, loaded.sections)
    known = loaded.parameters()
    found: dict[str, list[dict[str, Any]]] = {}
    names: list[str] = []
    for section, entries in loaded.sections.items():
        names += [section, *entries, *(f"{section}.{slug}" for slug in entries)]
        for slug, card in entries.items():
            if wanted in ("", section, slug, f"{section}.{slug}"):
                about = card.model_dump(exclude_defaults=True)
                found.setdefault(section, []).append({"entry": f"{section}.{slug}", **about})
    if not found:
        raise InputError(f"{game}: no entry {entry!r}{nearest(entry, names)} (see: doomtrack show {game} --content)")
    picked = [f"{e['entry']}." for es in found.values() for e in es]
    explain = configuration.game.explain if entry and len(picked) == 1 else None
    return {
        "provenance": configuration.provenance,
        "estimated_share": configuration.estimated_share,
        "overlays": [about.name for about in loaded.overlays],
        "explained": explain(loaded, *picked[0].split(".")[:2]) if explain else [],
        "sections": found,
        "parameters": [_parameter(p) for p in known.values() if entry and p.name.startswith(tuple(picked))],
    }


def _dotted(entry: str, sections: Iterable[str]) -> str:
    """`items.pinecone` for `items=pinecone` and `item=pinecone`; other forms as they are."""
    section, equals, slug = entry.partition("=")
    if not equals:
        return entry
    return f"{next((s for s in sections if section in (s, _singular(s))), section)}.{slug}"


def _singular(section: str) -> str:
    return f"{section[:-3]}y" if section.endswith("ies") else section.removesuffix("s")


def _parameter(p: Any) -> dict[str, Any]:
    return {
        "name": p.name,
        "kind": p.kind,
        "default": p.default,
        "low": p.low,
        "high": p.high,
        "choices": list(p.choices),
        "meaning": p.meaning,
        "source": p.source,
    }


def _range(p: dict[str, Any]) -> str:
    if p["kind"] == "flag":
        return "on, off"
    if p["kind"] in ("choice", "list"):
        return ", ".join(p["choices"])
    if p["low"] is None and p["high"] is None:
        return str(p["kind"])
    return f"{'' if p['low'] is None else format(p['low'], 'g')}..{'' if p['high'] is None else format(p['high'], 'g')}"


def _table(rows: list[dict[str, Any]], name_of: str = "parameter") -> str:
    from experiments import text

    body = []
    for p in rows:
        default = "-" if p["default"] is None else words.shown(p["default"])
        if len(default) > 24 or len(_range(p)) > 24:  # effect texts and long lists of choices go where there is room
            default = default if len(default) <= 24 else "..."
        choices = _range(p)
        meaning = p["meaning"] if len(choices) <= 24 else f"{p['meaning']} ({choices})"
        body.append([p["name"], default, choices if len(choices) <= 24 else "...", p["source"], meaning])
    return text.table([name_of, "default", "values", "source", "meaning"], body)


def command(
    game: o.Game,
    entry: Annotated[
        str | None, typer.Argument(help="With --content: one entry, as item=pinecone.", show_default=False)
    ] = None,
    content_: Annotated[
        bool, typer.Option("--content", help="The content, with sources, in place of the parameters.")
    ] = False,
    overlay: Annotated[
        list[str] | None,
        typer.Option("--overlay", metavar="DIR|NAME", help="Show the content under an overlay.", show_default=False),
    ] = None,
    format_: o.FormatOption = "table",
) -> None:
    """Show a game's parameters, or its content (--content [ENTRY]) with where each part is known from."""
    how = o.output_format(format_)
    if content_ or entry is not None:
        _show_content(game, entry or "", overlay or (), how)
        return
    from experiments import text
    from experiments.study import read, shipped
    from simcore.game import find_game

    found = parameters(game, overlay or ())
    if how == "json":
        print(json.dumps({"schema": 1, "game": game, "parameters": found}, indent=1))
        return
    if how == "csv":
        print(
            text.csv(
                list(found[0]),
                [[*list(p.values())[:5], " ".join(p["choices"]), p["meaning"], p["source"]] for p in found],
            ),
            end="",
        )
        return
    about = find_game(game)
    print(f"{about.title} (version {about.version})\n{text.wrapped(about.summary)}\n")
    rulings = [p for p in found if p["name"].startswith("ruling.")]
    print(_table([p for p in found if p not in rulings]))
    if rulings:
        print(f"\n{_table(rulings, 'ruling')}")
    from experiments.commands.games import weights_table

    weights = weights_table(game)
    if weights:
        print(f"\nWeights of the strategies (--strategy NAME:WEIGHT=X, or --set strategy.WHO.WEIGHT=X):\n{weights}")
    print(f"\nNumbers of the content, by dotted path: doomtrack show {game} --content [ENTRY]")
    studies = shipped(game)
    if studies:
        print("\nStudies that ship (doomtrack sweep FILE):")
        print(
            text.table(
                ["", "", ""],
                [[f"{game}/{path.name}", s.claim, s.question] for path in studies.values() for s in (read(path),)],
                heading=False,
            )
        )
    from experiments.solving import question

    searches = question.shipped(game)
    if searches:
        print("\nSearches that ship (doomtrack solve FILE):")
        told = [[f"{game}/{path.name}", question.read(path).question] for path in searches.values()]
        print(text.table(["", ""], told, heading=False))


def _show_content(game: str, entry: str, overlays: Sequence[str], how: str) -> None:
    from experiments import text

    found = content(game, entry, overlays)
    if how == "json":
        print(json.dumps({"schema": 1, "game": game, **found}, indent=1, default=str))
        return
    rows = [e for entries in found["sections"].values() for e in entries]
    if how == "csv":
        keys = list(dict.fromkeys(k for e in rows for k in e))
        print(text.csv(keys, [[e.get(k) for k in keys] for e in rows]), end="")
        return
    if found["explained"]:
        print("\n".join(found["explained"]), end="\n\n")
    total = sum(found["provenance"].values()) or 1
    counts = ", ".join(f"{n} {source}" for source, n in found["provenance"].items())
    print(f"{total} cards in play by default: {counts} ({found['estimated_share']:.0%} estimated)\n")
    for section, entries in found["sections"].items():
        body = []
        for e in entries:
            about = "; ".join(
                f"{k} {_said(v)}" for k, v in e.items() if k not in ("entry", "name", "source", "copies", "note")
            )
            note = f" ({e['note']})" if entry and e.get("note") else ""
            body.append(
                [
                    e["entry"].partition(".")[2],
                    e.get("copies", 1),
                    e["source"],
                    f"{e['name']}{': ' if about else ''}{about}{note}",
                ]
            )
        print(text.table([section, "copies", "source", "what it is"], body, right=(1,)))
        print()
    if found["parameters"]:
        print(_table(found["parameters"]))


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k}: {_said(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return (
            " or ".join(_said(v) for v in value)
            if value and isinstance(value[0], str)
            else "..".join(_said(v) for v in value)
        )
    return f"'{value}'" if isinstance(value, str) and " " in value else words.shown(value)
