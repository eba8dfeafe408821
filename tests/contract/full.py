"""Content and settings at the capacities of a game's records, and beyond them: how they are written and played."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import strategies
from simcore import batch
from simcore.errors import InputError, PlayError
from simcore.game import find_game
from tests.contract.games import ends, table
from tools.lineups import mixed

RUNAWAY = "a chain of effects did not end or outgrew its log"


@dataclass(frozen=True)
class Filling:
    """Settings and an overlay by section (TOML); `said`: what a refusal has to say, before or while it is played."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    said: str = ""

    @contextmanager
    def overlays(self) -> Iterator[tuple[str, ...]]:
        """The overlay's folder."""
        with tempfile.TemporaryDirectory() as folder:
            for section, text in self.files.items():
                Path(folder, f"{section}.toml").write_text(text, encoding="utf-8")
            yield (folder,) if self.files else ()


def many(count: int, body: str, name: str = "extra") -> str:
    """So many new entries."""
    return "".join(f"[{name}-{i}]\nname = '{name} {i}'\nsource = 'estimated'\n{body}\n" for i in range(count))


def copies(**entries: int) -> str:
    """So many copies of entries ('_' stands for '-')."""
    return "".join(f"[{slug.replace('_', '-')}]\ncopies = {n}\n" for slug, n in entries.items())


def effect(slug: str, text: str, number: int = 1) -> str:
    """Another text, and the number of copies."""
    return f"[{slug}]\ncopies = {number}\neffect = '{text}'\n"


def gone(*slugs: str) -> str:
    """Without these entries."""
    return "".join(f"[{slug}]\nremove = true\n" for slug in slugs)


def played(game_name: str, label: str, games: int) -> str:
    """'' if the content of `FULL` can be played by all kinds of players, else what went wrong."""
    game, filling = find_game(game_name), table("FULL")[game_name][label]
    try:
        with filling.overlays() as overlays:
            configuration = game.configure(dict(filling.settings), overlays)
        seats = configuration.seats
        for names in (["random"], mixed(game, seats)):
            totals = batch.total(configuration, strategies.line_up(game_name, seats, names), games=games, threads=1)
            if totals.games != totals.status[list(ends(game_name))].sum():
                return f"{totals.status.tolist()} games by status"
    except (InputError, PlayError) as error:
        return str(error)
    return ""


def all_played(games: int) -> dict[str, dict[str, str]]:
    """`played` of all, by game and label."""
    return {game: {label: played(game, label, games) for label in full} for game, full in table("FULL").items()}
