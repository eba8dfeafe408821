"""Who plays: `{who: strategy}` texts, with weights changed by `strategy.WHO.WEIGHT`, into one player a seat.

WHO is a seat of the line-up (0, 1, ...), what players play as (a monster), a role, or `all`. The more particular one
wins: a seat over the monster over the role over `all`. A monster's strategy plays for whoever has the monster; with
which players that can happen, and whether it is known beforehand, `simcore.game.Configuration.cast` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError, nearest
from simcore.parameter import Parameter, Value

if TYPE_CHECKING:
    from simcore.game import Configuration, Game, Player, Weight

PREFIX = "strategy."
DEFAULT = "random"


def is_lineup(name: str) -> bool:
    """True for `strategy.WHO` and `strategy.WHO.WEIGHT`: they set the line-up, not the game."""
    return name.startswith(PREFIX)


def split(name: str) -> tuple[str, str]:
    """WHO and WEIGHT ('' if none) of `strategy.WHO[.WEIGHT]`. Raises InputError for another shape."""
    parts = name.split(".")
    if len(parts) not in (2, 3) or not all(parts):
        raise InputError(
            f"{name!r}: should read strategy.WHO or strategy.WHO.WEIGHT, as strategy.0 or strategy.all.patience"
        )
    return parts[1], parts[2] if len(parts) == 3 else ""


def check_who(game: Game, who: str, name: str, playable: Sequence[str] = ()) -> None:
    """Refuse a WHO that the game does not have. `playable`: what there is to play as, see Configuration."""
    most = game.seats[1]
    if who == "all" or who in game.roles or who in playable or (who.isdigit() and int(who) < most):
        return
    right = f"a seat 0..{most - 1}"
    right += f", a role ({', '.join(game.roles)})" if game.roles else ""
    right += f", one of the {game.played_as}" if playable else ""
    raise InputError(f"{name}: {who!r} is not {right} or all{nearest(who, ('all', *game.roles, *playable))}")


def never_held(configurations: Iterable[Configuration], who: Iterable[str]) -> dict[str, str]:
    """Of these, the monsters that nobody can have in any of the configurations, and why."""
    left = {w: "" for w in who if w != "all" and not w.isdigit()}
    for configuration in configurations if left else ():
        for w in [w for w in left if w in configuration.game.roles or any(w in cast for cast in configuration.cast)]:
            del left[w]
        given = ", ".join(dict.fromkeys(cast[0] for cast in configuration.cast if len(cast) == 1))
        left = dict.fromkeys(left, f"the players have {given}" if given else "it is not among those that are drawn")
    return left


def texts(
    settings: Mapping[str, Value],
    strategies: Mapping[str, str],
    game: Game,
    plugins: Sequence[str],
    configuration: Configuration | None = None,
) -> dict[str, str]:
    """The strategies with `strategy.*` settings applied: {who: "name:weight=x,..."}. `all` is always there.

    `configuration` says what there is to play as, and to whom it is given; without it, WHO is no monster.
    """
    playable = configuration.playable if configuration is not None else ()
    found = {"all": DEFAULT, **strategies}
    changes: list[tuple[str, str, Value]] = []
    for name, value in settings.items():
        who, weight = split(name)
        check_who(game, who, name, playable)
        if weight:
            changes.append((who, weight, value))
        else:
            found[who] = str(value)
    weights: dict[str, dict[str, Value]] = {who: {} for who in found}
    for who, weight, value in sorted(changes, key=lambda change: _level(game, change[0])):
        targets = [t for t in found if who in _broader(game, t, configuration)]
        targets += [who] if who not in targets else []
        of = {t: text_for(game, found, t, configuration) for t in targets}
        having = [t for t in targets if weight in _weights(game, of[t], plugins)]
        if not having:
            names = ", ".join(sorted({text.partition(":")[0] for text in of.values()}))
            known = (w for text in of.values() for w in _weights(game, text, plugins))
            raise InputError(f"strategy.{who}.{weight}: no weight {weight!r} in {names}{nearest(weight, known)}")
        for target in having:
            base = _source(game, found, target, configuration)
            found[target] = found[base]
            weights[target] = {**weights[base], **weights.get(target, {}), weight: value}
    return {who: _with(text, weights[who]) for who, text in found.items()}


def _level(game: Game, who: str) -> int:
    """How particular: all, a role, a monster, a seat."""
    return 0 if who == "all" else 1 if who in game.roles else 3 if who.isdigit() else 2


def _broader(game: Game, who: str, configuration: Configuration | None) -> list[str]:
    """Whose strategy `who` has: its own, else that of the monster that it is given, its role's, that of all."""
    of_role = [role for role, seats in game.roles.items() if who.isdigit() and int(who) in seats]
    cast = configuration.cast if configuration is not None and who.isdigit() else ()
    given = cast[int(who)] if who.isdigit() and int(who) < len(cast) else ()
    return list(dict.fromkeys([who, *(given if len(given) == 1 else ()), *of_role, "all"]))


def _source(game: Game, strategies: Mapping[str, Any], who: str, configuration: Configuration | None) -> str:
    return next((w for w in _broader(game, who, configuration) if w in strategies), "all")


def text_for(game: Game, strategies: Mapping[str, str], who: str, configuration: Configuration | None = None) -> str:
    """The strategy that `who` has where this is given: its own, its monster's, its role's, or that of all."""
    return strategies.get(_source(game, strategies, who, configuration), DEFAULT)


def player_of(configuration: Configuration, players: Sequence[Player], who: str) -> Player:
    """Who plays for `who`; of `all`, a role or a monster that several may have, the first."""
    if who.isdigit() and int(who) < len(players):
        return players[int(who)]
    for player, cast in zip(players, configuration.cast, strict=True):
        if who in player.playing_as or cast == (who,):
            return player.playing_as.get(who, player)
    return players[next((p for p in configuration.game.roles.get(who, ()) if p < len(players)), 0)]


def _with(text: str, weights: Mapping[str, Value]) -> str:
    changed = ",".join(f"{w}={value if isinstance(value, str) else repr(value)}" for w, value in weights.items())
    return f"{text}{',' if ':' in text else ':'}{changed}" if changed else text


def _weights(game: Game, text: str, plugins: Sequence[str]) -> dict[str, Weight]:
    import strategies

    player = strategies.player(game.name, text.partition(":")[0], plugins=tuple(plugins))
    return {w.name: w for w in player.strategy.weights}


def parameter(
    name: str,
    strategies_of: Mapping[str, Sequence[str]],
    game: Game,
    plugins: Sequence[str],
    configuration: Configuration | None = None,
) -> Parameter:
    """What `strategy.WHO[.WEIGHT]` can be varied over, as a parameter with bounds or choices.

    `strategies_of`: the strategies that may play for each WHO of the study. Raises InputError for an unknown WHO or
    weight.
    """
    who, weight = split(name)
    check_who(game, who, name, configuration.playable if configuration is not None else ())
    if not weight:
        return Parameter(name, "text", DEFAULT, f"strategy of {who}", source="study")
    candidates = list(strategies_of.get(_source(game, strategies_of, who, configuration), (DEFAULT,)))
    if who == "all":
        candidates = [text for each in strategies_of.values() for text in each]
    known: set[str] = set()
    for text in candidates:
        weights = _weights(game, text, plugins)
        known |= set(weights)
        if weight in weights:
            w = weights[weight]
            return Parameter(name, "number", w.default, w.meaning, w.low, w.high, source="study")
    played = ", ".join(dict.fromkeys(text.partition(":")[0] for text in candidates))
    hint = nearest(weight, known) if known else "; it has no weights"
    raise InputError(f"{name}: no weight {weight!r} in {played}{hint}")


def strategy_values(name: str, given: str | Sequence[str], game: Game) -> list[str]:
    """The strategies that `strategy.WHO` is varied over; `all` stands for every strategy of the game.

    In a text, a part such as `patience=2` belongs to the strategy before it: `random,expert:hold=1,patience=2` is two.
    """
    import strategies

    found: list[str] = []
    for part in [p.strip() for p in given.split(",")] if isinstance(given, str) else [str(g) for g in given]:
        if part == "all":
            found.extend(strategies.known(game.name))
        elif isinstance(given, str) and found and "=" in part and ":" not in part:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    if not found:
        raise InputError(f"{name}: no strategies to vary it over")
    for value in found:
        if found.count(value) > 1:
            raise InputError(f"{name}: the value {value} comes twice")
    return found


def players(
    game: Game,
    seats: int,
    who: Mapping[str, str],
    plugins: Sequence[str],
    configuration: Configuration | None = None,
) -> tuple[Player, ...]:
    """One player a seat. Raises InputError for an unknown name or weight, or a seat that is not there.

    `configuration` says what there is to play as; without it, the game's default does.
    """
    import strategies

    for name in who:
        if name.isdigit() and int(name) >= seats:
            raise InputError(f"--strategy {name}={who[name]}: there are {seats} seats, numbered 0..{seats - 1}")
    return tuple(strategies.line_up(game.name, seats, dict(who), tuple(plugins), configuration=configuration))
