"""The sides of a comparison: a base, and what each `--against` changes in it, ready to be played."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments import lineup, words
from experiments.study import Cell, Study, build, plan
from simcore.errors import InputError
from simcore.game import Game, find_game

CONTENT = "content"

Against = str | Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """One side: what it asks, its cell, and by which words it differs from the base (the base: by none)."""

    label: str
    study: Study
    cell: Cell
    changed: Mapping[str, Any]  # word -> its value here
    before: Mapping[str, Any]  # word -> its value in the base
    line_up: Mapping[str, str] = field(default_factory=dict)  # strategy.WHO -> who plays, where players were adapted

    def trace(self, number: int) -> str:
        """The line that tells one of its games."""
        said = ["doomtrack", "trace", self.study.game, *options(self.study)]
        return shlex.join([*said, "--game", str(number), "--seed", str(self.study.seed)])


def options(study: Study) -> list[str]:
    """The options that say what is played, and by whom."""
    said = [w for k, v in study.base.items() for w in ("--set", f"{k}={words.shown(v)}")]
    said += [w for k, v in study.strategies.items() for w in ("--strategy", v if k == "all" else f"{k}={v}")]
    said += [w for o in study.overlays for w in ("--content", o)]
    return said + [w for p in study.plugins for w in ("--plugin", p)]


def read_words(text: str, game: Game) -> dict[str, str]:
    """`k=v,k=w` as a dict. A comma within a value stays there.

    A comma ends a word where a name and `=` follow, unless the word is a strategy with weights: then what follows it
    without a dot is a weight (`strategy.0=expert:hold=1,patience=2` is one word; strategies stand last). Raises
    InputError.
    """
    parts: list[str] = []
    for part in text.split(","):
        name = part.partition("=")[0].strip()
        begins = "=" in part and bool(name) and all(c.isalnum() or c in "._-" for c in name)
        weighed = bool(parts) and parts[-1].strip().startswith(lineup.PREFIX) and ":" in parts[-1]
        if not parts or (begins and not (weighed and "." not in name and name != CONTENT)):
            parts.append(part)
        else:
            parts[-1] += f",{part}"
    return words.assignments("--against", parts)


def parted_strategies(text: str) -> list[str]:
    """`greedy,expert:hold=1,patience=2` as two: a part with `=` and no `:` is a weight of the one before it."""
    found: list[str] = []
    for part in (p.strip() for p in text.split(",")):
        if found and "=" in part and ":" not in part:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def sides(base: Study, against: Sequence[Against], *, strategy: str | None = None) -> list[Side]:
    """The base and one side for each of `against`; `strategy` plays on all seats of all sides. Raises InputError.

    What is wrong with a variant is said with its `--against`.
    """
    game = find_game(base.game)
    if not against:
        raise InputError("nothing to compare with: give --against K=V (or strategy.WHO=NAME, or content=OVERLAY)")
    if strategy is not None:
        base = build(**{**base.model_dump(), "strategies": {"all": strategy}})
    first = Side("A", base, plan(base).cells[0], {}, {})
    found = [first]
    for k, given in enumerate(against):
        changed = read_words(given, game) if isinstance(given, str) else dict(given)
        label = ",".join(f"{n}={words.shown(v)}" for n, v in changed.items())
        try:
            if not changed:
                raise InputError("changes nothing")
            side = _variant(first, game, changed, label)
        except InputError as error:
            raise InputError(f"--against {label or k + 1}: {error}") from None
        for other in found[1:]:
            if _same(side.cell, other.cell):
                raise InputError(f"--against {label}: the same as --against {other.label}; leave one out")
        found.append(side)
    return found


def _variant(first: Side, game: Game, changed: Mapping[str, Any], label: str) -> Side:
    fields = first.study.model_dump()
    for name, value in changed.items():
        if name == CONTENT:
            fields["overlays"] = [*fields["overlays"], str(value)]
        elif lineup.is_lineup(name) and not lineup.split(name)[1]:
            fields["strategies"][lineup.split(name)[0]] = str(value)
        else:
            fields["base"][name] = value
    study = build(**fields)
    cell = plan(study).cells[0]
    before = {n: _before(first.cell, game, n) for n in changed}
    if _same(cell, first.cell):
        said = "; ".join(f"{n} is {words.shown(v)} on both sides" for n, v in before.items() if v is not None)
        raise InputError(f"nothing differs{': ' if said else ''}{said}")
    now = {n: v if n == CONTENT else _before(cell, game, n) for n, v in changed.items()}
    return Side(label, study, cell, {n: changed[n] if v is None else v for n, v in now.items()}, before)


def _same(one: Cell, other: Cell) -> bool:
    """Whether two cells are the same in all that is set, not only in effect."""
    a, b = one.configuration, other.configuration
    return (
        dict(a.settings) == dict(b.settings)
        and a.content.digest == b.content.digest
        and [p.label for p in one.players] == [p.label for p in other.players]
    )


def _before(cell: Cell, game: Game, name: str) -> Any:
    """What a word is in a cell; None where that cannot be said in a word."""
    configuration = cell.configuration
    if name == CONTENT:
        return ", ".join(configuration.overlays) or "the game's own"
    if lineup.is_lineup(name):
        who, weight = lineup.split(name)
        text = cell.strategies.get(who)
        if weight:
            player = lineup.player_of(configuration, cell.players, who)
            usual = {w.name: w.default for w in player.strategy.weights}
            return float(player.weights.get(weight, usual[weight])) if weight in usual else None
        if text is None and who.isdigit() and int(who) < len(cell.players):
            return cell.players[int(who)].label
        return text if text is not None else lineup.text_for(game, cell.strategies, who, configuration)
    if name in configuration.settings:
        return configuration.settings[name]
    parameter = configuration.content.parameters().get(name)
    return parameter.default if parameter is not None else None
