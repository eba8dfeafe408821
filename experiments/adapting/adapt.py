"""Tunes the named weights of a cell's players to the rules that they play by.

A group of equal players is tuned at a time: the seats of a role that play the same, or all seats that do. What is
wanted is what the players want:

- in a competitive game the win share of *one* of them who changes, among the others as they were (the seats of the
  group change in their turn). All their shares could not be raised: they share one win. What pays for one need not be
  better play: it may only exploit the others' habits, and lose once all have it. So all take it only if one who then
  kept the old habits would not gain by them (evolutionary stability: Maynard Smith & Price 1973, Nature 246:15).
- in a co-operative game the table's win rate; all seats of the group change together, the Lost Kid as well as the
  Kids, for all are on one side.

`search` proposes weights; they are adopted, by all seats of the group, only if fresh games that the search has not
played show them to be better (paired, family-wise over the groups and rounds of a cell). In the next round the new
line-up is tuned again. The luck of the search is its own: none of the games that the cell will be judged by.

The sides of a comparison are tuned side by side, on the same tries: what does best on one is tried on the others. Two
sides may still come to weights that are as good as each other, by what their searches happened upon, and a comparison
would show that difference, too. So a variant keeps weights of its own only where fresh games show that it needs them:
where they are not shown to be better than those of the base, but those are better than the old habits, it takes those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from experiments import lineup
from experiments import statistics as st
from experiments.adapting import search
from experiments.adapting.players import Group, changed_at, groups, line_up, win_together
from experiments.adapting.search import ROTATION, Stage, Try, Weights
from experiments.adapting.steps import (
    ADOPTED,
    AS_BASE,
    FOR_ONE,
    NO_DIFFERENCE,
    NO_WEIGHTS,
    NOT_SHOWN,
    OWN,
    Adapted,
    Step,
)
from experiments.adapting.trials import Side, Trial, derived_seed, gain, share, shown
from simcore.errors import InputError, PlayError
from simcore.game import Player

if TYPE_CHECKING:
    from experiments.study import Cell, Study

GAMES = 180_000  # of a cell's search and tests together, unless told otherwise
GAMES_AHEAD = 12_000  # where somebody looks ahead, and is a hundred times as slow
ROUNDS = 3  # at most; one where somebody looks ahead
SEARCHED = 0.5  # of the games of a round; the rest tests what was found
AGREEING = 0.25  # of all games, where there are several sides: whether a variant needs weights of its own

Hear = Callable[[int, int], None]  # games played, of at most


def number_of_games(given: object) -> int:
    """`--adapt-games`: the most games that the tuning of one side may take. Raises InputError."""
    from experiments import words

    try:
        return words.number_of_games(given)
    except InputError as error:
        raise InputError(str(error).replace("games:", "adapt-games:", 1)) from None


def adapt(
    cells: Sequence[Cell],
    studies: Sequence[Study],
    *,
    games: int | None = None,
    rounds: int | None = None,
    hold: Collection[str] = (),
    threads: int | None = None,
    hear: Hear | None = None,
) -> list[Adapted]:
    """Each cell with its players' weights tuned, and the record of it. The cells are sides of one comparison.

    `games`: the most for each cell (default: GAMES, or GAMES_AHEAD where somebody looks ahead), shared among rounds and
    groups. `rounds`: how often the line-up is gone through until nothing is adopted (default: ROUNDS, or once with
    look-ahead). `hold`: names of weights that are not touched. Raises InputError for too few games, PlayError if the
    present players cannot play on.
    """
    for what in (w for c in cells for p in c.players for w in p.playing_as):
        raise InputError(
            f"adapt: tunes the players of seats, and {what} has a strategy of its own, whoever draws it; "
            f"leave strategy.{what} out, or give the {cells[0].configuration.game.played_as} to players"
        )
    ahead = any(p.strategy.looks_ahead for c in cells for p in c.players)
    turns = rounds or (1 if ahead else ROUNDS)
    sides = [
        Side(s, c.players, c.configuration, Adapted(c, win_together(c.configuration)))
        for c, s in zip(cells, studies, strict=True)
    ]
    kept = AGREEING if len(sides) > 1 else 0.0
    kinds = max(_tuned(groups(s.configuration, s.players, hold)) for s in sides)
    least = math.ceil(search.fewest_games() / SEARCHED * turns * kinds / (1 - kept))
    most = max(least, GAMES_AHEAD if ahead else GAMES) if games is None else games
    if most < least:
        of = f" for {kinds} kinds of players" if kinds > 1 else ""
        raise InputError(
            f"adapt-games: {most:,} are too few to tell one habit from another{of}; {least:,} is the least here"
        )
    done, total = 0, most * len(cells)

    def count(played: int) -> None:
        nonlocal done
        done += played
        if hear is not None:
            hear(min(done, total), total)

    frame = _Frame(most * (1 - kept) / turns, most * kept, turns, studies[0].seed, threads, count)
    for turn in range(turns):
        several = [groups(s.configuration, s.players, hold) for s in sides]
        for at in range(max(map(len, several))):
            here = [
                _Tuning(s, of[at], turn, _tuned(of), frame)
                for s, of in zip(sides, several, strict=True)
                if at < len(of)
            ]
            _tune(here)
        if not any(step.adopted and step.round == turn for s in sides for step in s.adapted.steps):
            break
    for side in sides[1:]:
        _agree(sides[0], side, hold, frame)
    for side in sides:
        if side.adapted.changed:
            who = line_up(side.configuration, side.players)
            players = lineup.players(side.configuration.game, side.configuration.seats, who, side.study.plugins)
            side.adapted.cell = replace(side.adapted.cell, strategies=who, players=players)
    return [s.adapted for s in sides]


def _tuned(of: Sequence[Group]) -> int:
    return max(1, sum(bool(g.weights) for g in of))


def _tune(here: Sequence[_Tuning]) -> None:
    """One group on all sides."""
    for one in here:
        one.search()
    best = [(one, list(one.left)) for one in here]
    for one in here:
        one.choose([t for other, left in best if other is not one and other.like(one) for t in left])
    for one in here:
        one.settle([other for other in here if other.like(one) and other.present == one.present])


@dataclass(frozen=True)
class _Frame:
    """What is the same for all groups. Games of a cell: in one round, and to agree with the base."""

    games: float
    agreeing: float
    rounds: int
    seed: int
    threads: int | None
    count: Callable[[int], None]

    def trial(self, side: Side, group: Group, purpose: str, turn: int, players: Sequence[Player] = ()) -> Trial:
        """A trial with luck of its own."""
        seed = derived_seed(self.seed, purpose, turn, group.who)
        return Trial(side, tuple(players) or side.players, group, seed, self.threads, self.count)


@dataclass
class _Tuning:
    """One group of one cell in one round."""

    side: Side
    group: Group
    round: int
    groups: int  # that are tuned in this cell
    frame: _Frame
    tries: list[Try] = field(default_factory=list)
    left: list[Try] = field(default_factory=list)
    plan: tuple[Stage, ...] = ()
    searched: int = 0

    @property
    def games(self) -> float:
        """What this group may take in this round."""
        return self.frame.games / self.groups

    @property
    def present(self) -> dict[str, float]:
        """The values of the weights that may change."""
        return {w.name: self.group.present[w.name] for w in self.group.weights}

    def like(self, other: _Tuning) -> bool:
        """Whether the other group could use what this one found."""
        mine, theirs = self.group, other.group
        return (mine.who, mine.player.strategy.name) == (theirs.who, theirs.player.strategy.name)

    def _trial(self, purpose: str, players: Sequence[Player] = ()) -> Trial:
        return self.frame.trial(self.side, self.group, purpose, self.round, players)

    def search(self) -> None:
        """Try, halve, and remember the best."""
        if not self.group.weights:
            return
        self.plan = search.stages(int(SEARCHED * self.games))
        luck = np.random.default_rng(derived_seed(self.frame.seed, "tries", self.round, self.group.who))
        self.tries = search.propose(self.group.weights, self.present, self.plan[0].tries, luck)
        before = self.side.adapted.games
        self.left = search.halve(self.tries, self.plan, self._trial("search"))
        self.searched = self.side.adapted.games - before

    def choose(self, others: Sequence[Try]) -> None:
        """Put the best, and what did best on other sides, in order by games that none of them was chosen by.

        In a competitive game by two gains: of one among the old, and over one of the old among those who have changed.
        """
        if not self.left:
            return
        last = [Try(dict(t.weights)) for t in self.left]
        for t in others:
            if t.weights != self.present and t.weights not in [known.weights for known in last]:
                last.append(Try(dict(t.weights)))
        before, first = self.side.adapted.games, sum(stage.games for stage in self.plan[:-1])
        games = self.plan[-1].games
        if self.side.adapted.together:
            self.left = search.play_stage(last, first, games, self._trial("search"))
        else:
            games = max(1, int(games * (1 + len(self.left)) / (1 + 3 * len(last)) / ROTATION)) * ROTATION
            played = search.play_stage(last, first, games, self._trial("search"))
            self.left = []
            for t in played:
                everybody = self._trial("search", changed_at(self.side.players, self.group.seats, t.weights))
                try:
                    over = everybody(None, first, games) - everybody(self.present, first, games)
                except PlayError:  # it can be played by one, and not by all
                    continue
                t.gain = (t.gain + float(over.sum())) / 2
                self.left.append(t)
            self.left.sort(key=lambda t: -t.mean)
        self.searched += self.side.adapted.games - before

    def settle(self, alike: Sequence[_Tuning]) -> None:
        """Test on fresh games, and adopt. `alike`: the same players on all sides, this one among them.

        The best for all sides together goes before the best of this side, unless that is shown to be better here.
        """
        self.tries.sort(key=lambda t: (-t.games, -t.mean))
        verdict = NO_DIFFERENCE if self.group.weights else NO_WEIGHTS
        step = Step(self.round, self.group.who, self.group.player.strategy.name, {}, False, verdict)
        step = replace(step, searched=self.searched, tried=tuple(self.tries))
        wanted = [t.weights for t in (_best_of_all(alike), *self.left[:1]) if t is not None]
        if wanted:
            step = self._test([w for k, w in enumerate(wanted) if w not in wanted[:k]], step)
        self.side.adapted.steps.append(step)

    def _test(self, wanted: Sequence[Weights], step: Step) -> Step:
        """The first that is shown to be better than the present, or a later one that is shown to be better than it."""
        past = [] if self.side.adapted.together else self._past()
        plays = 1 + len(wanted) + (1 + len(past) if past else 0)
        games = max(2, int((1 - SEARCHED) * self.games / plays / ROTATION)) * ROTATION
        level = st.family(st.LEVEL, self.frame.rounds * self.groups * len(wanted))
        one = self._trial("fresh games")
        base, others = one(None, 0, games), [one(weights, 0, games) for weights in wanted]
        gains = [gain(other - base, level) for other in others]
        at = max(range(len(wanted)), key=lambda k: (shown(gains[k]), -k))
        if len(wanted) > 1 and shown(gains[1]) and shown(gain(others[1] - others[0], level)):
            at = 1
        weights, now = wanted[at], self.present
        adopted, verdict, old = shown(gains[at]), NOT_SHOWN, None
        if adopted and past:
            everybody = self._trial("fresh games, all", changed_at(self.side.players, self.group.seats, weights))
            without = everybody(None, 0, games)
            over = [gain(everybody(p, 0, games) - without, level) for p in past if p != weights]
            old = max(over, key=lambda found: found.value or 0.0)
            adopted, verdict = (old.value or 0.0) <= 0, FOR_ONE
        if adopted:
            self.side.take(self.group, weights)
        return replace(
            step,
            changed={n: (now[n], v) for n, v in weights.items() if v != now[n]},
            adopted=adopted,
            verdict=ADOPTED if adopted else verdict,
            before=share(base),
            after=share(others[at]),
            gain=gains[at],
            old=old,
        )

    def _past(self) -> list[dict[str, float]]:
        """The weights of this group now and in all rounds before."""
        found = [self.present]
        for players in self.side.past:
            weights = _weights_in(players, self.group)
            if weights not in found:
                found.append(weights)
        return found


def _agree(base: Side, side: Side, hold: Collection[str], frame: _Frame) -> None:
    """Give a variant the base's weights where its own are not shown to be better than those."""
    theirs = {(g.who, g.player.strategy.name): g for g in groups(base.configuration, base.players, hold)}
    mine = groups(side.configuration, side.players, hold)
    for group in mine:
        other, own = theirs.get((group.who, group.player.strategy.name)), _weights_in(side.players, group)
        wanted = own if other is None else _weights_in(base.players, replace(group, seats=other.seats))
        if wanted == own or not (_has_adopted(base, group) and _has_adopted(side, group)):
            continue
        first = _weights_in(side.past[0], group)
        games = max(2, int(frame.agreeing / _tuned(mine) / 5 / ROTATION)) * ROTATION
        level = st.family(st.LEVEL, 2 * _tuned(mine))
        turn = side.adapted.rounds
        old_ones = frame.trial(side, group, "old habits", turn, changed_at(side.players, group.seats, first))
        new_ones = frame.trial(side, group, "the base's", turn, changed_at(side.players, group.seats, wanted))
        among_old = gain(old_ones(wanted, 0, games) - old_ones(None, 0, games), level)
        now, with_own, with_old = (new_ones(w, 0, games) for w in (None, own, first))
        over_base, over_new = gain(with_own - now, level), gain(with_old - now, level)
        takes = shown(among_old) and (over_new.value or 0.0) <= 0 and not shown(over_base)
        if takes:
            side.take(group, wanted)
        changed = {n: (own[n], v) for n, v in wanted.items() if v != own[n]} if takes else {}
        verdict, name = AS_BASE if takes else OWN, group.player.strategy.name
        step = Step(turn, group.who, name, changed, takes, verdict, share(now), share(with_own), over_base)
        side.adapted.steps.append(step)


def _weights_in(players: Sequence[Player], group: Group) -> dict[str, float]:
    """A group's weights, as far as they may change, in a line-up."""
    player = players[group.seats[0]]
    return {w.name: float(player.weights.get(w.name, w.default)) for w in group.weights}


def _has_adopted(side: Side, group: Group) -> bool:
    return any(s.adopted and (s.who, s.strategy) == (group.who, group.player.strategy.name) for s in side.adapted.steps)


def _best_of_all(alike: Sequence[_Tuning]) -> Try | None:
    """Of the tries that all these sides have played last, the one that gained most on all of them together."""
    played: list[Mapping[tuple[tuple[str, float], ...], Try]] = []
    for one in alike:
        if one.left:
            played.append({tuple(t.weights.items()): t for t in one.left})
    if not played:
        return None
    means = {
        key: sum(of[key].mean for of in played) / len(played) for key in played[0] if all(key in of for of in played)
    }
    best = max(means, key=lambda key: means[key], default=None)
    return None if best is None else Try(dict(best), 1, means[best])
