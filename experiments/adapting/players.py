"""Who of a line-up is tuned together, and line-ups in the words that people type."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from simcore.game import Configuration, Player, Weight

EFFORT = ("samples", "breadth", "tries", "sure", "fine")  # how much a look-ahead thinks: no habit, and paid in time


@dataclass(frozen=True)
class Group:
    """Players who play the same: seats of one role, or of a game without roles."""

    who: str  # `all seats`, `kids`, `seat 0`
    seats: tuple[int, ...]
    player: Player
    weights: tuple[Weight, ...]  # those that may change

    @property
    def present(self) -> dict[str, float]:
        """The values of all weights of the strategy."""
        return {w.name: float(self.player.weights.get(w.name, w.default)) for w in self.player.strategy.weights}


def groups(configuration: Configuration, players: Sequence[Player], hold: Collection[str] = ()) -> list[Group]:
    """The players of a line-up that are tuned together, in the order of their seats. `hold`: weights that stay."""
    role_of = {seat: role for role, seats in configuration.game.roles.items() for seat in seats}
    found: dict[tuple[str, str], list[int]] = {}
    for seat, player in enumerate(players):
        found.setdefault((role_of.get(seat, ""), player.label), []).append(seat)
    made = []
    for (role, _), seats in found.items():
        player = players[seats[0]]
        free = [w for w in player.strategy.weights if w.name not in hold and w.low < w.high]
        free = [w for w in free if not (player.strategy.looks_ahead and w.name in EFFORT)]
        whole = [s for s in configuration.game.roles.get(role, ()) if s < len(players)]
        who = f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"
        who = "all seats" if len(seats) == len(players) else role if role and seats == whole else who
        made.append(Group(who, tuple(seats), player, tuple(free)))
    return made


def win_together(configuration: Configuration) -> bool:
    """Whether all players of a game win or lose together."""
    return any(m.name == "win_rate" and not m.group for m in configuration.metrics)


def text_of(player: Player) -> str:
    """A player as people type it, exactly: `expert:end_game=0.31,forbid=clear_out`."""
    usual = {w.name: w.default for w in player.strategy.weights}
    said = [f"{k}={_number(v)}" for k, v in player.weights.items() if v != usual.get(k)]
    said += [f"forbid={'+'.join(player.forbid)}"] if player.forbid else []
    return f"{player.strategy.name}:{','.join(said)}" if said else player.strategy.name


def _number(value: float) -> str:
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


def line_up(configuration: Configuration, players: Sequence[Player]) -> dict[str, str]:
    """{WHO: text} of a line-up, as short as it can be said; `all` is always there."""
    texts = [text_of(p) for p in players]
    usual = max(dict.fromkeys(texts), key=texts.count)
    said, left = {"all": usual}, {s for s, t in enumerate(texts) if t != usual}
    for role, of in configuration.game.roles.items():
        seats = [s for s in of if s < len(texts)]
        if left.intersection(seats) and len({texts[s] for s in seats}) == 1:
            said[role] = texts[seats[0]]
            left -= set(seats)
    return said | {str(s): texts[s] for s in sorted(left)}


def changed_at(players: Sequence[Player], seats: Collection[int], weights: Mapping[str, float]) -> tuple[Player, ...]:
    """The line-up with these weights on these seats."""
    return tuple(replace(p, weights={**p.weights, **weights}) if seat in seats else p for seat, p in enumerate(players))
