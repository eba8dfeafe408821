"""What is dealt to whom: the entries of one kind that a game can deal to a player, and against what each is held.

`deal`: the ordinary deal, in which the player has whatever the shuffle gives him. `blank`: the same deal, with the
entry's text left blank on all of its copies: what the text alone does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from experiments import lineup
from experiments import metrics as mt
from experiments.study import Cell
from simcore.deals import Deal, kinds_of
from simcore.errors import InputError, nearest
from simcore.game import Configuration, Game, How, Metric

DEAL, BLANK = "deal", "blank"
VERSUS = (DEAL, BLANK)
METRIC = "impact"
UNIT = "percentage points"
WINS = (How.SHARE, How.RATE)  # how the metrics that count wins are computed


@dataclass(frozen=True)
class Entry:
    """One entry that is dealt: its slug, its name on the card, copies, and how sure its text is."""

    slug: str
    name: str
    copies: int
    source: str
    unsure: bool  # no finding ranks it: its text is estimated, or the game says so of its kind

    @property
    def label(self) -> str:
        """Its name, marked where nothing printed follows from it."""
        return f"{self.name}*" if self.unsure else self.name


@dataclass(frozen=True)
class Asked:
    """What is asked of one cell: these entries of a kind, dealt to this player, held against `versus`."""

    cell: Cell
    deal: Deal
    entries: tuple[Entry, ...]
    holder: int
    versus: str

    @cached_property
    def metric(self) -> Metric:
        """What counts as winning: the player's win share; in a co-operative game that of all."""
        return winning(self.cell.configuration, self.holder)

    @property
    def together(self) -> bool:
        """Whether all win or lose together."""
        return self.metric.name != "win_share"

    def forced(self, entry: Entry) -> dict[int, dict[str, Any]]:
        """The deal of an entry to the holder."""
        return self.deal.to(self.holder, entry.slug)

    def word(self, entry: Entry) -> str:
        """The same as `doomtrack trace --deal` takes it."""
        return f"{self.holder}.{self.deal.kind}={entry.slug}"

    def blanked(self, entry: Entry) -> Configuration:
        """The configuration with the entry's text blank."""
        own = self.cell.configuration
        path = f"{self.deal.section}.{entry.slug}.blank"
        return own.game.configure({**own.given, path: True}, own.overlays)


def options(asked: Asked, entry: str | None = None) -> list[str]:
    """The options of `doomtrack impact` that ask this, of one entry or of all."""
    configuration, said = asked.cell.configuration, ["--of", asked.deal.kind]
    if entry is not None or len(asked.entries) < len(configuration.content.sections[asked.deal.section]):
        said += ["--entries", entry or ",".join(e.slug for e in asked.entries)]
    if asked.versus != DEAL:
        said += ["--versus", asked.versus]
    if asked.holder != asked.deal.players(configuration.seats)[0]:
        said += ["--holder", str(asked.holder)]
    return said


def winning(configuration: Configuration, holder: int) -> Metric:
    """The metric that counts the holder's wins. Raises InputError where the game has none."""
    known = {(m.name, m.group): m for m in mt.metrics_of(configuration) if m.how in WINS and not m.group2}
    found = known.get(("win_share", f"seat={holder}")) or known.get(("win_rate", ""))
    if found is None:
        raise InputError(f"{configuration.game.name} counts neither win_share by seat nor win_rate: no impact on them")
    return found


def asked(
    cell: Cell,
    of: str | None = None,
    entries: str | Sequence[str] = (),
    versus: str = DEAL,
    holder: int | str | None = None,
) -> Asked:
    """Check what is asked of a cell. `of`: a kind, None the game's first; `entries`: slugs, none all that can be dealt.

    Raises InputError with the nearest word.
    """
    configuration = cell.configuration
    deal = kind_of(configuration.game, of)
    if versus not in VERSUS:
        raise InputError(f"versus: no {versus!r}{nearest(versus, VERSUS)}")
    if versus == BLANK and not deal.blank:
        raise InputError(f"versus = blank: {deal.kind}: {deal.section} have no text that could be blank; use deal")
    player = holder_of(configuration, deal, holder)
    known = configuration.content.sections[deal.section]
    wanted = _listed(entries)
    unused = set(configuration.game.unused(configuration.settings, configuration.content))
    for slug in wanted:
        if slug not in known:
            raise InputError(f"entries: no {deal.kind} {slug!r}{nearest(slug, known)}")
        if wanted.count(slug) > 1:
            raise InputError(f"entries: {slug!r} comes twice")
        try:
            _try(configuration, deal.to(player, slug))
        except InputError as error:
            raise InputError(f"entries: {slug} cannot be dealt here: {error}") from None
    slugs = wanted
    why = "none is in play"
    for slug in known if not wanted else ():
        if f"{deal.section}.{slug}" in unused:
            continue
        try:
            _try(configuration, deal.to(player, slug))
            slugs.append(slug)
        except InputError as error:
            why = str(error)
    if not slugs:
        raise InputError(f"{configuration.game.name}: no {deal.kind} can be dealt to player {player} here: {why}")
    return Asked(cell, deal, tuple(_entry(configuration, deal, s) for s in slugs), player, versus)


def kind_of(game: Game, of: str | None) -> Deal:
    """The kind that is dealt. Raises InputError for one that the game cannot deal."""
    kinds = {deal.kind: deal for deal in kinds_of(game)}
    if not kinds:
        raise InputError(f"{game.name}: nothing can be dealt on purpose in this game")
    if of is None:
        return next(iter(kinds.values()))
    if of not in kinds:
        raise InputError(f"{game.name} cannot deal a kind of thing called {of!r}; it can deal: {', '.join(kinds)}")
    return kinds[of]


def holder_of(configuration: Configuration, deal: Deal, given: int | str | None) -> int:
    """Who is dealt it: a player of the line-up, or a role of one player. Raises InputError."""
    game, able = configuration.game, deal.players(configuration.seats)
    if given is None:
        return able[0]
    text = str(given)
    if text in game.roles and len(game.roles[text]) == 1:
        text = str(game.roles[text][0])
    if not text.isdigit():
        lineup.check_who(game, text, "holder")
        raise InputError(f"holder: {text!r} is not one player; say one of {_among(able)}")
    if int(text) not in able:
        raise InputError(f"holder: player {text} is dealt no {deal.kind} here; those who are: {_among(able)}")
    return int(text)


def read_deals(configuration: Configuration, given: Sequence[str]) -> dict[int, dict[str, Any]]:
    """`WHO.KIND=ENTRY` texts as a deal, as ``batch.prepare`` takes it. Raises InputError."""
    found: dict[int, dict[str, Any]] = {}
    for text in given:
        left, equals, slug = (part.strip() for part in text.partition("="))
        who, dot, kind = left.partition(".")
        if not equals or not dot or not slug:
            raise InputError(f"--deal {text!r}: should read WHO.KIND=ENTRY, as 0.item=sled")
        deal = kind_of(configuration.game, kind)
        player = holder_of(configuration, deal, who)
        for key, value in deal.to(player, slug)[player].items():
            mine = found.setdefault(player, {})
            if key in mine and not deal.many:
                raise InputError(f"--deal {text}: player {player} is dealt one {kind}, and {mine[key]} is given, too")
            mine[key] = [*mine.get(key, []), *value] if deal.many else value
    _try(configuration, found)
    return found


def _among(players: Sequence[int]) -> str:
    return ", ".join(map(str, players))


def _listed(entries: str | Sequence[str]) -> list[str]:
    parts = entries.split(",") if isinstance(entries, str) else entries
    return [p.strip() for p in map(str, parts) if p.strip()]


def _try(configuration: Configuration, deal: Mapping[int, Mapping[str, Any]]) -> None:
    configuration.game.force_deal(configuration, configuration.rules.copy()[0], deal)


def _entry(configuration: Configuration, deal: Deal, slug: str) -> Entry:
    entry, game = configuration.content.sections[deal.section][slug], configuration.game
    unranked = {game.named_in[name] for name in game.unranked if name in game.named_in}
    unsure = entry.certainty == "estimated" or deal.section in unranked
    return Entry(slug, entry.name, entry.copies, entry.certainty, unsure)
