"""What a game is to the rest of the program: a frozen description, and one configuration of it.

``Game`` names the parameters, seats, streams, tallies, metrics and events; ``Game.configure`` turns settings and
content overlays into a ``Configuration``: validated, its content compiled into the read-only ``rules`` record.
``Player`` is one entry of the line-up. Nothing here imports numba: kernels are loaded when a batch is played.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from simcore.content import Content
from simcore.errors import InputError, nearest
from simcore.parameter import UNNAMED, Parameter, Value


class How(StrEnum):
    """How a metric is computed from a batch's integer totals (experiments does it, with its interval)."""

    RATE = "rate"  # games in which tally a was not 0, of all games
    RATE_OF = "rate_of"  # games in which tally a was not 0, of those in which tally b was not 0 (a only where b)
    SHARE = "share"  # win share: tally a in sixtieths, over games
    SHARE_OF = "share_of"  # win share of a group: tally a in sixtieths, over tally b (player-games)
    MEAN = "mean"  # tally a per game, times scale
    RATIO = "ratio"  # tally a over tally b, times scale
    SPAN_MEAN = "span_mean"  # mean of span a, times scale
    SPAN_QUANTILE = "span_quantile"  # quantile q of span a, times scale
    SPAN_MAX = "span_max"  # largest value of span a seen, times scale
    STATUS = "status"  # games that ended with status a
    SPAN_SHARE = "span_share"  # distribution: share of games with span a = x (one row a value)


@dataclass(frozen=True)
class Metric:
    """One number of a game's results. `name` and `group` are what users type and read; `meaning` says what it is.

    `step`: what `a` gains at least in a game in which it gains anything; it bounds what was never seen.
    """

    name: str
    how: How
    a: int
    b: int = -1
    group: str = ""
    group2: str = ""
    scale: float = 1.0
    q: float = 0.5
    unit: str = ""
    meaning: str = ""
    step: int = 1

    def __hash__(self) -> int:
        """Computed once: whole sets of metrics are keys."""
        found: int | None = self.__dict__.get("_hash")
        if found is None:
            found = hash((self.name, self.how, self.a, self.b, self.group, self.group2, self.scale, self.q))
            object.__setattr__(self, "_hash", found)
        return found


@dataclass(frozen=True)
class Weight:
    """A named weight of a strategy."""

    name: str
    default: float
    meaning: str
    low: float = -100.0
    high: float = 100.0


@dataclass(frozen=True)
class Strategy:
    """A scripted way to play: metadata, and the module and name of its jitted policy."""

    name: str
    idea: str  # one sentence
    source: str
    policy: Any  # the kernel policy(game, rules, work, seat, decision) -> option's index
    weights: tuple[Weight, ...] = ()
    looks_ahead: bool = False
    follow_up: Any = None  # the simple policy that finishes a turn when this one looks ahead; None: the game's own


@dataclass(frozen=True)
class Player:
    """One entry of the line-up: a strategy with its weights, and what it may do.

    `forbid` names kinds of option that are taken away wherever another is left (restricted play). `playing_as`: who
    plays in his place while he plays as this or that (a monster that is drawn, by its name in the content).
    """

    strategy: Strategy
    weights: Mapping[str, float] = field(default_factory=dict)
    forbid: tuple[str, ...] = ()
    playing_as: Mapping[str, Player] = field(default_factory=dict)

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """All that may play for him: his own strategy, and those of what he may play as."""
        return (self.strategy, *(other.strategy for other in self.playing_as.values()))

    @property
    def label(self) -> str:
        """`name` or `name:weight=x,...` with the weights that differ from the defaults, and what is forbidden.

        Then, in brackets, what plays in its place: `greedy (deadline=spoiler)`.
        """
        usual = {w.name: w.default for w in self.strategy.weights}
        changed = [f"{k}={v:g}" for k, v in sorted(self.weights.items()) if usual.get(k) != v]
        changed += [f"no {kind}" for kind in sorted(self.forbid)]
        own = f"{self.strategy.name}:{','.join(changed)}" if changed else self.strategy.name
        others = ", ".join(f"{what}={other.label}" for what, other in self.playing_as.items())
        return f"{own} ({others})" if others else own


@dataclass(frozen=True, eq=False)
class Game:
    """All that the program knows of a game without playing it."""

    name: str
    title: str
    version: int  # raised when a golden changes on purpose
    summary: str
    seats: tuple[int, int]  # fewest, most
    parameters: tuple[Parameter, ...]
    roles: Mapping[str, tuple[int, ...]]  # names for WHO besides seat numbers and "all": players of the line-up
    layout: Any  # module: GAME, RULES, WORK, OUTCOME dtypes, enums Decision, Option, Event, Stream, Tally, Span
    load_content: Callable[[Sequence[Any]], Content]
    make_rules: Callable[[Mapping[str, Any], Content], np.ndarray]  # tables.py: a 1-element RULES array
    metrics: Callable[[Configuration], tuple[Metric, ...]]
    tell: Callable[[Configuration, np.ndarray], list[str]]  # trace events -> sentences
    name_option: Callable[[Configuration, int], str]
    overlays: Callable[[], tuple[str, ...]]  # names of the overlays that ship
    check: Callable[[Mapping[str, Any], Content], None]  # refuses settings that contradict each other
    unused: Callable[
        [Mapping[str, Any], Content], tuple[str, ...]
    ]  # sections and entries (section.slug) that settings leave out of play
    kernels: str  # module with play_block, play_turn, redeal
    read_position: Callable[
        [Configuration, Mapping[str, Any]], np.ndarray
    ]  # a position from a file -> 1-element GAME array
    force_deal: Callable[
        [Configuration, Any, Mapping[int, Mapping[str, Any]]], None
    ]  # writes a deal into a rules record
    unranked: tuple[str, ...] = ()  # parameters whose values no finding ranks: their texts are estimated
    board: Callable[[Configuration], Mapping[str, Any]] | None = None  # what reports draw of the table, as JSON data
    explain: Callable[[Content, str, str], list[str]] | None = None  # an entry (section, slug) in plain words, in lines
    named_in: Mapping[str, str] = field(default_factory=dict)  # parameter -> section whose entries are its choices
    played_as: str = ""  # section whose entries players play as (monsters): WHO may name one
    cast: Callable[[Configuration], tuple[tuple[str, ...], ...]] | None = None  # by player: what he may play as

    def kernel(self, name: str) -> Any:
        """A kernel of the game by name; loads the compiled modules."""
        return getattr(import_module(self.kernels), name)

    def all_parameters(self, content: Content) -> dict[str, Parameter]:
        """Parameters of the game and every number, text and switch of its content, by dotted path."""
        found = {p.name: p for p in self.own_parameters(content)}
        found.update(content.parameters())
        return found

    def own_parameters(self, content: Content) -> tuple[Parameter, ...]:
        """Parameters of the game; those that name entries of the content have all of them as choices."""
        return tuple(self._with_choices(p, content) for p in self.parameters)

    def _with_choices(self, parameter: Parameter, content: Content) -> Parameter:
        if parameter.name not in self.named_in:
            return parameter
        entries = content.sections[self.named_in[parameter.name]]
        return replace(parameter, choices=(*((UNNAMED,) if parameter.kind == "list" else ()), *entries))

    def configure(self, settings: Mapping[str, Any] | None = None, overlays: Sequence[Any] = ()) -> Configuration:
        """A validated configuration. Raises InputError naming what is wrong and what would be right."""
        content = self.load_content(overlays)
        known = self.all_parameters(content)
        given: dict[str, Value] = {}
        for name, value in (settings or {}).items():
            parameter = known.get(name)
            if parameter is None:
                raise InputError(
                    f"{self.name}: no parameter {name!r}{nearest(name, known)} (see: doomtrack show {self.name})"
                )
            given[name] = parameter.read(value)
        own = {p.name: given.get(p.name, p.default) for p in self.parameters}
        content = content.changed({k: v for k, v in given.items() if k not in own})
        self.check(own, content)
        found = Configuration(self, own, given, content, tuple(str(o) for o in overlays))
        found.digest  # noqa: B018 - compiles the record, which refuses what does not fit, and is needed of each cell
        return found


@dataclass(frozen=True, eq=False)
class Configuration:
    """One configuration of a game, ready to be played with a line-up."""

    game: Game
    settings: Mapping[str, Any]  # every parameter of the game
    given: Mapping[str, Value]  # what was set, content paths included
    content: Content
    overlays: tuple[str, ...]

    @property
    def rules(self) -> np.ndarray:
        """A 1-element RULES array, without seed and line-up; treat as read-only."""
        return _record(self)

    @property
    def seats(self) -> int:
        return int(self.settings["players"])

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The game's metrics here."""
        return _one_of_its_like(tuple(self.game.metrics(self)))

    @property
    def playable(self) -> tuple[str, ...]:
        """What there is to play as, in the order of the content; empty in games where all play the same."""
        return tuple(self.content.sections[self.game.played_as]) if self.game.played_as else ()

    @cached_property
    def cast(self) -> tuple[tuple[str, ...], ...]:
        """By player of the line-up: what he may play as; one entry where it is given, several where it is drawn."""
        return self.game.cast(self) if self.game.cast is not None else ((),) * self.seats

    @property
    def provenance(self) -> dict[str, int]:
        """Cards in play by how sure they are (rulebook, published, inferred, estimated)."""
        return self.content.provenance(without=self.game.unused(self.settings, self.content))

    @property
    def estimated_share(self) -> float:
        """Share of the cards in play that are estimated."""
        count = self.provenance
        return count["estimated"] / max(1, sum(count.values()))

    @cached_property
    def digest(self) -> str:
        """Digest of the compiled content and parameters, game and version."""
        found = hashlib.sha256(f"{self.game.name}\0{self.game.version}\0".encode())
        found.update(self.rules.view(np.uint8).data)  # not tobytes: the record may be megabytes
        return found.hexdigest()[:20]


# A study may have thousands of configurations, and a record may be megabytes: only those used last are kept, others are
# compiled again when they are played. Metrics are mostly those of the cell before.
RECORDS = 48 * 2**20  # bytes of records that are kept
_records: OrderedDict[Configuration, np.ndarray] = OrderedDict()


def _record(configuration: Configuration) -> np.ndarray:
    found = _records.pop(configuration, None)
    if found is None:
        found = configuration.game.make_rules(configuration.settings, configuration.content)
    _records[configuration] = found
    while len(_records) > max(1, RECORDS // found.nbytes):
        _records.popitem(last=False)
    return found


@lru_cache(maxsize=64)
def _one_of_its_like(metrics: tuple[Metric, ...]) -> tuple[Metric, ...]:
    return metrics


_GAMES = ("snowball", "snallygaster", "spooktacular")


def games() -> dict[str, Game]:
    """The games there are, by name."""
    return {name: import_module(f"simcore.games.{name}.game").GAME for name in _GAMES}


def find_game(name: str) -> Game:
    """The game called `name`. Raises InputError with the nearest name."""
    if name not in _GAMES:
        raise InputError(f"no game {name!r}{nearest(name, _GAMES)} (see: doomtrack games)")
    game: Game = import_module(f"simcore.games.{name}.game").GAME
    return game
