"""Exact probabilities of a small game: every shuffle and every choice, counted with fractions.

A game's solver is a plain function of a state and a ``Chance``: whatever is left to luck, a card's draw or a random
player's answer, it asks of ``chance.pick``. ``every_way`` runs it again and again until all answers have been given;
``Law`` goes on turn by turn, with equal states put together, until the game is over or broken off. Nothing here knows
a game, and nothing here is compiled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

CAPPED = "capped"


class Chance:
    """Answers by a script that grows as it is followed. `ways` of `all_ways`: how probable these answers are."""

    def __init__(self, script: list[list[int]]) -> None:
        self.script, self.depth = script, 0
        self.ways = self.all_ways = 1

    def pick(self, weighted: Sequence[tuple[int, Any]]) -> Any:
        """One of the values, each as likely as its whole-number weight says. What is certain is not asked."""
        if len(weighted) == 1:
            return weighted[0][1]
        if self.depth == len(self.script):
            self.script.append([0, len(weighted)])
        weight, value = weighted[self.script[self.depth][0]]
        self.depth += 1
        self.ways *= weight
        self.all_ways *= sum(w for w, _ in weighted)
        return value

    def any_of(self, values: Sequence[Any]) -> Any:
        """One of the values, all alike."""
        return self.pick([(1, value) for value in values])


def every_way(process: Callable[[Chance], Any]) -> Iterator[tuple[Fraction, Any]]:
    """Each way that `process` can go, with its probability. It must depend on nothing but the answers."""
    script: list[list[int]] = []
    while True:
        chance = Chance(script)
        result = process(chance)
        yield Fraction(chance.ways, chance.all_ways), result
        while script and script[-1][0] + 1 == script[-1][1]:
            script.pop()
        if not script:
            return
        script[-1][0] += 1


class End(NamedTuple):
    """The game is over. `winner` is a chair, or None."""

    status: str
    winner: int | None


@dataclass
class Law:
    """The exact distribution of (status, winner, turns), and the expected value of what is counted in a game."""

    ends: dict[tuple[str, int | None, int], Fraction]
    counts: dict[str, Fraction]
    states: int = 0

    def probability(self, status: str, winner: int | None = None) -> Fraction:
        """Of a status, or of a win by one chair."""
        return sum((p for (s, w, _), p in self.ends.items() if s == status and winner in (None, w)), Fraction(0))

    @property
    def turns(self) -> Fraction:
        """Expected number of turns."""
        return sum((turns * p for (_, _, turns), p in self.ends.items()), Fraction(0))


@dataclass
class _Move:
    """Where one turn from a state can lead, and what is counted on the way, on average."""

    to: dict[Hashable, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    counts: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))


def _gather(process: Callable[[Chance], tuple[Hashable, Mapping[str, int]]]) -> _Move:
    move = _Move()
    for probability, (state, counts) in every_way(process):
        move.to[state] += probability
        for name, n in counts.items():
            move.counts[name] += n * probability
    assert sum(move.to.values()) == 1
    return move


def law(
    start: Callable[[Chance], tuple[Hashable, Mapping[str, int]]],
    turn: Callable[[Hashable, Chance], tuple[Hashable, Mapping[str, int]]],
    *,
    first: int,
    cap: int,
) -> Law:
    """The law of a game: `start` sets it up, `turn` plays one turn from a state; both also say what they counted.

    A state is hashable and holds all that matters from there on, or is an ``End``. Turns are numbered from `first`;
    after turn `cap` the game is broken off.
    """
    opening = _gather(start)
    layer, counts = dict(opening.to), defaultdict(Fraction, opening.counts)
    ends: dict[tuple[str, int | None, int], Fraction] = defaultdict(Fraction)
    known: dict[Hashable, _Move] = {}
    for number in range(first, cap):
        after: dict[Hashable, Fraction] = defaultdict(Fraction)
        for state, probability in layer.items():
            move = known.get(state)
            if move is None:
                move = known[state] = _gather(lambda chance, state=state: turn(state, chance))  # type: ignore[misc]
            for name, n in move.counts.items():
                counts[name] += n * probability
            for to, share in move.to.items():
                if isinstance(to, End):
                    ends[to.status, to.winner, number + 1] += share * probability
                else:
                    after[to] += share * probability
        layer = after
    if layer:
        ends[CAPPED, None, cap] += sum(layer.values(), Fraction(0))
    assert sum(ends.values()) == 1
    return Law(dict(ends), dict(counts), len(known))
