"""Who plays: `{who: strategy}` texts, with weights changed by `strategy.WHO.WEIGHT`, into one player a seat.

WHO is a seat of the line-up (0, 1, ...), a role, or `all`. The more particular one wins: a seat over its role over
`all`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from simcore.errors import InputError, nearest
from simcore.parameter import Parameter, Value

if TYPE_CHECKING:
    from simcore.game import Game, Player, Weight

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


def check_who(game: Game, who: str, name: str) -> None:
    """Refuse a WHO that the game does not have."""
    most = game.seats[1]
    if who == "all" or who in game.roles or (who.isdigit() and int(who) < most):
        return
    seats = f"a seat 0..{most - 1}"
    roles = f", a role ({', '.join(game.roles)})" if game.roles else ""
    raise InputError(f"{name}: {who!r} is not {seats}{roles} or all{nearest(who, ('all', *game.roles))}")


def texts(
    settings: Mapping[str, Value], strategies: Mapping[str, str], game: Game, plugins: Sequence[str]
) -> dict[str, str]:
    """The strategies with `strategy.*` settings applied: {who: "name:weight=x,..."}. `all` is always there."""
    found = {"all": DEFAULT, **strategies}
    changes: list[tuple[str, str, Value]] = []
    for name, value in settings.items():
        who, weight = split(name)
        check_who(game, who, name)
        if weight:
            changes.append((who, weight, value))
        else:
            found[who] = str(value)
    for who, weight, value in changes:
        targets = list(found) if who == "all" else [who]
        having = [t for t in targets if _weight(game, found.get(t, found["all"]), weight, plugins) is not None]
        if not having:
            names = ", ".join(sorted({found.get(t, found["all"]).partition(":")[0] for t in targets}))
            raise InputError(
                f"strategy.{who}.{weight}: no weight {weight!r} in {names}"
                + nearest(weight, (w for t in targets for w in _weights(game, found.get(t, found["all"]), plugins)))
            )
        for target in having:
            base = found.get(target, found["all"])
            found[target] = (
                f"{base}{',' if ':' in base else ':'}{weight}={value if isinstance(value, str) else repr(value)}"
            )
    return found


def _weights(game: Game, text: str, plugins: Sequence[str]) -> dict[str, Weight]:
    import strategies

    player = strategies.player(game.name, text.partition(":")[0], plugins=tuple(plugins))
    return {w.name: w for w in player.strategy.weights}


def _weight(game: Game, text: str, weight: str, plugins: Sequence[str]) -> Weight | None:
    return _weights(game, text, plugins).get(weight)


def parameter(name: str, strategies_of: Mapping[str, Sequence[str]], game: Game, plugins: Sequence[str]) -> Parameter:
    """What `strategy.WHO[.WEIGHT]` can be varied over, as a parameter with bounds or choices.

    `strategies_of`: the strategies that may play for each WHO of the study. Raises InputError for an unknown WHO or
    weight.
    """
    who, weight = split(name)
    check_who(game, who, name)
    if not weight:
        return Parameter(name, "text", DEFAULT, f"strategy of {who}", source="study")
    candidates = list(strategies_of.get(who, ())) or list(strategies_of.get("all", (DEFAULT,)))
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


def players(game: Game, seats: int, who: Mapping[str, str], plugins: Sequence[str]) -> tuple[Player, ...]:
    """One player a seat. Raises InputError for an unknown name or weight, or a seat that is not there."""
    import strategies

    for name in who:
        if name.isdigit() and int(name) >= seats:
            raise InputError(f"--strategy {name}={who[name]}: there are {seats} seats, numbered 0..{seats - 1}")
    return tuple(strategies.line_up(game.name, seats, dict(who), tuple(plugins)))
