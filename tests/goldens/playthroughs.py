"""Which games are told as goldens, and what is kept of many more: texts and digests of what is played now.

A golden is one game as text. Beside the goldens of a game lies `digests.toml`: a digest of many games of each line-up,
with every overlay and every value of a parameter, and the win shares that a later version is measured against.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import strategies
from simcore import batch, trace
from simcore.errors import InputError
from simcore.game import Configuration, Game, How, Player
from simcore.records import SIXTIETHS, Status
from tools.lineups import TOTALS, mixed, settings_of

SEED = 1
GAMES = 240  # in each digest
MEASURED = 24_000  # games of each playthrough's line-up, for the win shares
CANDIDATES = 40  # games looked at to find one worth telling
DIGESTS = "digests.toml"
RANDOM = ", random"  # ends the label of a line-up of random players


@dataclass(frozen=True)
class Playthrough:
    """A golden, told in the file `<name>.txt`. Without `strategies` (one a player) all that there are take turns."""

    name: str
    settings: tuple[tuple[str, Any], ...]
    overlays: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()


FOURS = {  # every monster of Spooktacular in one of them
    "documented": ("killtron", "deadline", "remover", "regoo"),
    "easy": ("doombox", "hell-chef", "grimhive", "nightslayerr"),
    "tokens": ("doctor-terror", "mummygator", "screamin-eagle", "angler"),
    "figures": ("beasts-of-business", "killer-car", "possessed-puppet", "twins"),
    "placeholders": ("clown", "vengeful-ghost", "taxidermist", "mimic"),
}

# Beside one for each number of players, `players-<n>`; one of the same name takes its place.
MORE: dict[str, tuple[Playthrough, ...]] = {
    "snowball": (Playthrough("kids", (("players", 3), ("kids", "chosen"))),),
    "snallygaster": tuple(
        Playthrough(monster, (("players", 4), ("monster", monster)))
        for monster in ("jersey-devil", "bloody-mary", "snallygaster")
    ),
    "spooktacular": (
        *(Playthrough(name, (("players", 4), ("monsters", "+".join(four)))) for name, four in FOURS.items()),
        Playthrough("solo", (("players", 1),)),
        Playthrough("automaton", (("players", 3), ("automaton", "hard"))),
    ),
}


def wanted(game: Game) -> tuple[Playthrough, ...]:
    """The goldens that a game has to have."""
    fewest, most = game.seats
    usual = [Playthrough(f"players-{n}", (("players", n),)) for n in range(fewest, most + 1)]
    return tuple({p.name: p for p in (*usual, *MORE.get(game.name, ()))}.values())


# --- line-ups --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LineUp:
    """What is played: settings, overlays, and a strategy for each player."""

    settings: tuple[tuple[str, Any], ...]
    overlays: tuple[str, ...]
    strategies: tuple[str, ...]

    def ready(self, game: Game) -> tuple[Configuration, tuple[Player, ...]]:
        """Configuration and players. Raises InputError where the game no longer has what is named."""
        configuration = game.configure(dict(self.settings), self.overlays)
        return configuration, strategies.line_up(game.name, configuration.seats, list(self.strategies))


def line_up(game: Game, playthrough: Playthrough) -> LineUp:
    """What a golden's game is played with."""
    settings, overlays = playthrough.settings, playthrough.overlays
    seats = game.configure(dict(settings), overlays).seats
    return LineUp(settings, overlays, playthrough.strategies or mixed(game, seats))


@cache
def line_ups(game: Game) -> dict[LineUp, str]:
    """All line-ups that have a digest, with a label: the goldens', random players, and one thing changed at a time."""
    found = {line_up(game, p): p.name for p in wanted(game)}
    for label, settings, overlays in settings_of(game):
        try:
            seats = game.configure(settings, overlays).seats
        except InputError:  # a bound that only another setting makes possible
            continue
        given = tuple(settings.items()), overlays
        found.setdefault(LineUp(*given, mixed(game, seats)), label)
        if label.startswith("players="):  # these tell a changed game from a changed strategy
            found.setdefault(LineUp(*given, ("random",) * seats), f"{label}{RANDOM}")
    return found


# --- what is played now ----------------------------------------------------------------------------------------------


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@dataclass(frozen=True)
class Played:
    """Games of a line-up."""

    outcomes: np.ndarray
    totals: batch.Totals

    def digest(self, columns: Sequence[str]) -> str | None:
        """Of the games: these columns of all outcomes, and the number of decisions. None if a column is gone."""
        if not set(columns) <= set(self.outcomes.dtype.names or ()):
            return None
        parts = [f"{name}\0".encode() + self.outcomes[name].tobytes() for name in columns]
        return _short(b"".join([*parts, str(self.totals.decisions).encode()]))

    @property
    def counted(self) -> str:
        """Digest of all that was counted in the games."""
        return _short(b"".join(getattr(self.totals, name).tobytes() for name in TOTALS))


def play(game: Game, given: LineUp, games: int = GAMES) -> Played:
    """The first games of a line-up."""
    configuration, players = given.ready(game)
    blocks = list(batch.play(configuration, players, games=games, seed=SEED, keep=True))
    totals = blocks[0].totals
    for block in blocks[1:]:
        totals += block.totals
    return Played(np.concatenate([block.outcomes for block in blocks]), totals)


def win_shares(game: Game, given: LineUp) -> dict[str, float]:
    """Win rate, or each player's win share, over `MEASURED` games."""
    configuration, players = given.ready(game)
    totals = batch.total(configuration, players, games=MEASURED, seed=SEED)
    found: dict[str, float] = {}
    for metric in game.metrics(configuration):
        if metric.name == "win_share" and metric.how == How.SHARE and metric.group.startswith("seat="):
            seat = int(metric.group.removeprefix("seat="))
            found[f"{seat} {players[seat].label}"] = round(int(totals.sum[metric.a]) / SIXTIETHS / MEASURED, 5)
        elif metric.name == "win_rate" and not metric.group and metric.how in (How.RATE, How.STATUS):
            count = totals.fired[metric.a] if metric.how == How.RATE else totals.status[metric.a]
            found["win rate"] = round(int(count) / MEASURED, 5)
    return found


def worth_telling(game: Game, given: LineUp) -> int:
    """Number of a game, among the shorter third of the first `GAMES`, in which most kinds of things happen."""
    configuration, players = given.ready(game)
    rows = play(game, given).outcomes
    ended = rows[rows["status"] != Status.CAPPED]
    rows = ended if len(ended) else rows
    short = rows[rows["turns"] <= np.quantile(rows["turns"], 1 / 3)][:CANDIDATES]

    def interest(number: int) -> tuple[int, int]:
        events = trace.play_one(configuration, players, number, seed=SEED).events
        return len(np.unique(events["event"])), -len(events)

    return max((int(row["number"]) for row in short), key=interest)


def tell(game: Game, playthrough: Playthrough, number: int, version: int) -> str:
    """The text of a golden."""
    given = line_up(game, playthrough)
    configuration, players = given.ready(game)
    found = trace.play_one(configuration, players, number, seed=SEED)
    sitting = [player.label for player in players] + ["automaton"]
    chairs = [sitting[int(player)] for player in found.final["player"][: found.final["seats"]]]
    settings = [f"{k}={v if not isinstance(v, bool) else ('off', 'on')[v]}" for k, v in given.settings]
    command = ["doomtrack", "trace", game.name, *(word for s in settings for word in ("--set", s))]
    command += [word for overlay in given.overlays for word in ("--content", overlay)]
    command += [word for i, name in enumerate(given.strategies) for word in ("--strategy", f"{i}={name}")]
    command += ["--game", str(number), "--seed", str(SEED)]
    lines = [
        f"{game.title}: {game.name} version {version}",
        f"players: {configuration.seats}",
        f"strategies: {', '.join(f'{i} {player.label}' for i, player in enumerate(players))}",
        f"in the chairs: {', '.join(f'{chair} {label}' for chair, label in enumerate(chairs))}",
        f"settings: {', '.join(settings)}",
        f"content: {', '.join(given.overlays) or 'as it ships'}",
        f"seed: {SEED}",
        f"game: {number}",
        f"command: {shlex.join(command)}",
        "",
        f"game {number} of seed {SEED}: {', '.join(player.label for player in players)}",
        *game.tell(configuration, found.events),
        "",
        "outcome (by number of the strategy, not of the chair)",
        *(f"  {name}: {value}" for name, value in outcome(found.outcome, configuration.seats)),
    ]
    return "\n".join(lines) + "\n"


def outcome(row: Any, seats: int) -> Iterator[tuple[str, Any]]:
    """Fields of an outcome row; lists are cut to the players there are."""
    for name in row.dtype.names:
        value = row[name]
        if name == "status":
            yield name, Status(int(value)).name.lower()
        else:
            yield name, " ".join(str(v) for v in value[:seats]) if value.shape else int(value)


# --- files -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stored:
    """What the folder of a game holds: its texts by file name, and what the digests say."""

    texts: Mapping[str, str]
    digests: Mapping[str, Any]

    @property
    def version(self) -> int | None:
        """The version of the game whose goldens these are; None if there are none yet."""
        return self.digests.get("version")

    def number(self, name: str) -> int | None:
        """Number of the game that a golden tells."""
        for line in self.texts.get(f"{name}.txt", "").splitlines():
            if line.startswith("game: "):
                return int(line.removeprefix("game: "))
        return None

    def line_ups(self) -> dict[LineUp, str]:
        """Line-ups with the digests of their games."""
        return {
            LineUp(tuple(row["settings"].items()), tuple(row["overlays"]), tuple(row["strategies"])): row["played"]
            for row in self.digests.get("line_ups", ())
        }


def read(folder: Path) -> Stored:
    """What lies in the folder of a game, strays included."""
    texts = {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.glob("*")) if p.is_file()}
    return Stored(texts, tomllib.loads(texts.get(DIGESTS, "")))


def _inline(value: Any) -> str:
    """A value as TOML in one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(k)} = {_inline(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)


@dataclass(frozen=True)
class Present:
    """What a game plays now."""

    game: Game
    played: Mapping[LineUp, Played]  # those that have a digest, and all that had one
    shares: Mapping[str, Mapping[str, float]]  # by playthrough
    numbers: Mapping[str, int]  # by playthrough: the game that is told

    def changed(self, stored: Stored) -> list[str]:
        """Line-ups that once had a digest and now play other games; those that can no longer be played do not count."""
        columns, games = list(stored.digests.get("columns", ())), stored.digests.get("games", GAMES)
        labels = line_ups(self.game)
        found = []
        for given, digest in stored.line_ups().items():
            if given in self.played:
                played = self.played[given] if games == GAMES else play(self.game, given, games)
                if played.digest(columns) != digest:
                    found.append(labels.get(given, f"{dict(given.settings)} {' '.join(given.strategies)}"))
        return found

    def files(self, version: int, before: Mapping[str, Any]) -> dict[str, str]:
        """The texts of all files; `before`: version and win shares of the version before this one."""
        playthroughs = wanted(self.game)
        found = {f"{p.name}.txt": tell(self.game, p, self.numbers[p.name], version) for p in playthroughs}
        labels = line_ups(self.game)
        columns = list(next(iter(self.played.values())).outcomes.dtype.names or ())
        lines = [
            f"# Digests of {GAMES} games of each line-up. Never edited: python tools/goldens.py --regenerate "
            f"{self.game.name}",
            f"version = {version}",
            f"games = {GAMES}",
            f"columns = {_inline(columns)}",
            "line_ups = [",
        ]
        for given, label in labels.items():
            row = {
                "label": label,
                "settings": dict(given.settings),
                "overlays": given.overlays,
                "strategies": given.strategies,
                "played": self.played[given].digest(columns),
                "counted": self.played[given].counted,
            }
            lines.append(f"  {_inline(row)},")
        lines += ["]", "", f"[measured]  # over {MEASURED} games"]
        lines += [f"{json.dumps(name)} = {_inline(shares)}" for name, shares in self.shares.items()]
        if before:
            lines += ["", "[before]  # the same of the version before", f"version = {before['version']}"]
            lines += [f"{json.dumps(k)} = {_inline(shares)}" for k, shares in before.items() if k != "version"]
        found[DIGESTS] = "\n".join(lines) + "\n"
        return found


def present(game: Game, stored: Stored, measure: bool = True) -> Present:
    """Play all that has, or had, a digest; the win shares may be taken as they are stored."""
    played = {given: play(game, given) for given in line_ups(game)}
    for given in stored.line_ups():
        if given not in played:
            try:
                played[given] = play(game, given)
            except InputError:  # a parameter, an overlay or a strategy that is no more
                continue
    shares: dict[str, Mapping[str, float]] = {}
    numbers: dict[str, int] = {}
    for playthrough in wanted(game):
        given = line_up(game, playthrough)
        known = stored.digests.get("measured", {}).get(playthrough.name)
        shares[playthrough.name] = win_shares(game, given) if measure or known is None else known
        number = stored.number(playthrough.name)
        numbers[playthrough.name] = worth_telling(game, given) if number is None else number
    return Present(game, played, shares, numbers)
