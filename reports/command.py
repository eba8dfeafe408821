"""The command that plays one cell of a result again."""

from __future__ import annotations

import shlex
from typing import Any

from reports.result import Factor, Result
from reports.words import setting

# options of a sweep that mean nothing for one cell
DROPPED = ("--vary", "--design", "--points", "--out", "-o", "--scheduler", "--format", "--threads")
DEALT = "impact"  # the kind of result whose cells are what is dealt to a player
SWITCHES = ("--quiet", "--resume", "-q")


def base(result: Result) -> str:
    """The command for one cell without its factors.

    From what was asked, where the manifest holds it; else from the command line, with ``run`` for ``sweep``; else put
    together from the rest of the manifest.
    """
    game = str(result.manifest["game"])
    asked = result.manifest.get("asked")
    told = result.manifest.get(DEALT)
    if result.manifest["kind"] == DEALT and isinstance(asked, dict) and isinstance(told, dict):
        named = [
            w
            for name in ("of", "versus", "holder")
            if told.get(name) is not None
            for w in (f"--{name}", setting(told[name]))
        ]
        return shlex.join(["doomtrack", DEALT, game, *named, *_options(asked, asked.get("base"))])
    if isinstance(asked, dict):
        return shlex.join(["doomtrack", "run", game, *_options(asked, asked.get("base"))])
    told = result.manifest.get("command")
    try:
        words = shlex.split(told) if isinstance(told, str) else []
    except ValueError:
        words = []
    if len(words) > 2 and words[1] in {"run", "sweep"} and words[2] == game:
        return shlex.join(["doomtrack", "run", game, *_kept(words[3:])])
    varied = {f.name for f in result.factors}
    given = {name: value for name, value in _items(result.manifest.get("given")) if name not in varied}
    return shlex.join(["doomtrack", "run", game, *_options(result.manifest, given)])


def _kept(words: list[str]) -> list[str]:
    """The words of a command line without the options that are dropped and what follows them."""
    kept = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in DROPPED:
            skip = True
        elif word not in SWITCHES and not word.startswith(tuple(f"{name}=" for name in DROPPED if name[:2] == "--")):
            kept.append(word)
    return kept


def _options(told: dict[str, Any], given: Any) -> list[str]:
    """Options from a manifest or from what it says was asked: both name these things alike."""
    words = [word for name, value in _items(given) for word in option(name, value)]
    strategies = told.get("strategies")
    if not isinstance(strategies, dict) and isinstance(told.get("players"), list):
        strategies = dict(enumerate(told["players"]))
    for flag, pairs in (("--strategy", strategies), ("--metric", told.get("metrics"))):
        words += [word for who, text in _items(pairs) if isinstance(text, str) for word in (flag, f"{who}={text}")]
    for flag, files in (("--content", told.get("overlays")), ("--plugin", told.get("plugins"))):
        words += [word for file in (files if isinstance(files, list) else ()) for word in (flag, str(file))]
    for name in ("games", "precision", "seed"):
        if told.get(name) is not None:
            words += [f"--{name}", setting(told[name])]
    return words


def _items(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def option(name: str, value: Any) -> list[str]:
    """How one factor is set on the command line."""
    return ["-p", setting(value)] if name == "players" else ["--set", f"{name}={setting(value)}"]


def words_for(result: Result, factor: Factor, value: Any) -> str:
    """One factor's part of the command, quoted for a shell; where the cells are what is dealt, its entry."""
    if result.manifest["kind"] == DEALT:
        told = result.manifest.get(DEALT)
        of = told.get("of") if isinstance(told, dict) else None
        return shlex.join(["--entries", setting(value)]) if factor.name == of else ""
    return shlex.join(option(factor.name, value))


def of_cell(result: Result, cell: int) -> str:
    """The command that plays one cell again."""
    place = result.parameters[cell]
    return " ".join([base(result), *(words_for(result, f, place[f.name]) for f in result.factors if f.name in place)])
