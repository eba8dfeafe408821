"""Who leads as a round begins, and how often he wins: the metrics that games of several contestants share.

A game counts every second round (2, 4, 6, ...): what a lead is worth changes slowly, and each number is a row of every
cell. As such a round begins, it counts in its tallies, a slot a round:

- `begun`: 1 if the round begins in this game;
- `games`: 1 if one contestant alone leads then. Where several share the lead there is no leader: such games count in
  `begun` only;
- `share`: his win share when the game is over, in sixtieths, so that shared wins are split.

The first round is not counted: nobody leads before anything has happened. Who "leads" is the game's to say, by what
decides a win in it and all can see. A game in which a lead has sizes may count the same by its size.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from simcore.game import How, Metric

SHARE = "leader_share"
CLEAR = "clear_leader_rate"
SIZE = "lead"  # the kind of group of the sizes


@dataclass(frozen=True)
class Sizes:
    """Leads told apart by their size: the least of each band, and the first slots of their `games` and `share`.

    The slot of a band is the first slot + number of bands x place of the round + place of the band.
    """

    least: Sequence[int]
    games: int
    share: int

    @property
    def names(self) -> list[str]:
        """`1-4`, `5-9`, `10+`."""
        ends = [
            f"-{after - 1}" if after - 1 > low else "" for low, after in zip(self.least, self.least[1:], strict=False)
        ]
        return [f"{low}{end}" for low, end in zip(self.least, [*ends, "+"], strict=True)]


def number(place: int) -> int:
    """The round, counted from 1, whose slot is at this place."""
    return 2 * place + 2


def metrics(by: str, rounds: int, begun: int, games: int, share: int, sizes: Sizes | None = None) -> list[Metric]:
    """Three families of numbers from the first slots of a game's tallies; `by` is what one leads in (gear, points).

    `leader_share[round=R]`, `clear_leader_rate[round=R]`, and with `sizes` also `leader_share[lead=5-9, round=R]`.
    """
    found = []
    for k in range(rounds):
        group = f"round={number(k)}"
        meaning = f"win share of who leads in {by} as a round begins"
        found.append(Metric(SHARE, How.SHARE_OF, share + k, games + k, group, unit="share", meaning=meaning))
        meaning = "games with one clear leader as a round begins"
        found.append(Metric(CLEAR, How.RATE_OF, games + k, begun + k, group, unit="share", meaning=meaning))
    if sizes is not None:
        for k in range(rounds):
            for i, name in enumerate(sizes.names):
                slot, groups = len(sizes.least) * k + i, (f"{SIZE}={name}", f"round={number(k)}")
                meaning = f"win share of who leads in {by} as a round begins, by his lead"
                a, b = sizes.share + slot, sizes.games + slot
                found.append(Metric(SHARE, How.SHARE_OF, a, b, *groups, unit="share", meaning=meaning))
    return found
