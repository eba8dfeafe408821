"""Sentences that only some kinds of game have: a co-operative one, a race for points, a solo mode.

A kind is known by its metrics, not by the game's name. Also what a sentence and a played cell are, for all findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from experiments.metrics import SETTLED, Row
from experiments.speech import Speech, plain
from experiments.study import Cell
from simcore import leads

Finding = dict[str, Any]
COMMON = 0.1  # rounds are told in which so many games have a clear leader
LOST = ("source=stolen", "source=paid")  # where points go, not where they come from


@dataclass(frozen=True)
class Result:
    """One played cell, as findings need it."""

    cell: Cell
    rows: Sequence[Row]

    def find(self, metric: str, group: str = "") -> Row | None:
        """The row of a metric and group, or None."""
        return next(
            (r for r in self.rows if r.metric == metric and r.group == group and not r.group2 and r.x is None), None
        )


def finding(kind: str, text: str, row: Row | None = None) -> Finding:
    """One entry of findings.json."""
    numbers = ("metric", "group", "value", "low", "high", "n")
    return {"kind": kind, "text": text, **{name: getattr(row, name, None) for name in numbers}}


def told(result: Result, speech: Speech, level: float) -> list[Finding]:
    """Who wins, where it is not one player of several against the others."""
    return [f for tell in (_solo, _together) for f in tell(result, speech)]


def ahead(result: Result, speech: Speech, level: float) -> list[Finding]:
    """Several contestants: how often who leads early wins, and late, and whether the result is still open then."""
    rows = [r for r in result.rows if r.metric == leads.SHARE and not r.group2 and r.value is not None]
    clear = {r.group: r for r in result.rows if r.metric == leads.CLEAR}
    most = max((r.n for r in clear.values()), default=0)
    reached = [r for r in rows if r.group in clear and 2 * clear[r.group].n >= most]
    late = [r for r in reached if (clear[r.group].value or 0) >= COMMON]
    if not late:
        return []
    contestants = result.cell.configuration.seats + (result.find("automaton_win_share") is not None)
    text = f"Who alone leads as round {_round(late[0])} begins wins {speech.row(late[0])} of these games"
    if len(late) > 1:
        text += f", as round {_round(late[-1])} begins {speech.row(late[-1])}"
    text += f"; a fair share of {contestants} is {plain(100 / contestants)} %."
    found = [finding("finding", text, late[-1])]
    return found + _open(result, speech, "lead and round")


def _round(row: Row) -> str:
    return row.group.partition("=")[2]


def _solo(result: Result, speech: Speech) -> list[Finding]:
    row = result.find("solo_win_rate")
    if row is None or row.value is None:
        return []
    players = result.cell.configuration.seats
    who = "The player beats" if players == 1 else "One of the players beats"
    return [finding("finding", f"{who} the automaton in {speech.row(row)} of the games.", row)]


def race(result: Result, speech: Speech, level: float) -> list[Finding]:
    """A race for points: where they come from, what ends it, whether the track says who wins."""
    rows = [r for r in result.rows if r.metric == "points" and r.group.startswith("source=") and not r.group2]
    gained = [r for r in rows if (r.value or 0) > 0 and r.group not in LOST]
    if not gained:
        return []
    gained.sort(key=lambda r: -(r.value or 0))
    said = ", ".join(f"{r.group.partition('=')[2].replace('-', ' ')} {speech.row(r)}" for r in gained[:4])
    less = ", and less from others" if len(gained) > 4 else ""
    found = [finding("finding", f"Points of all players a game: {said}{less}.", gained[0])]
    ended, over = result.find("ended_by_tickets_rate"), result.find("overturned_rate")
    if ended is not None and ended.value is not None and over is not None and over.value is not None:
        text = f"The tickets run out in {speech.row(ended)} of the games, else somebody reaches the target; "
        text += f"hidden tickets overturn the leader on the track in {speech.row(over)}."
        found.append(finding("finding", text, over))
    return found


def _together(result: Result, speech: Speech) -> list[Finding]:
    """A co-operative game: whether the players win, and against what."""
    row = result.find("win_rate")
    if row is None or row.value is None:
        return []
    found = [finding("finding", f"The players win {speech.row(row)} of the games.", row)]
    for tell in (_doom, _rescue):
        found.extend(tell(result, speech))
    return found + _open(result, speech, "doom left and round")


def _doom(result: Result, speech: Speech) -> list[Finding]:
    """Where doom comes from, the largest sources first, and how much of it no turn could have prevented."""
    whole, beyond = result.find("doom_per_round"), result.find("doom_beyond_reach")
    rows = [r for r in result.rows if r.metric == "doom_share" and r.value]
    if whole is None or whole.value is None or not rows:
        return []
    rows.sort(key=lambda r: -(r.value or 0))
    said = ", ".join(f"{r.group.partition('=')[2].replace('-', ' ')} {plain(100 * (r.value or 0))} %" for r in rows[:5])
    text = f"Doom comes at {speech.row(whole)} a round: {said}{', and less from others' if len(rows) > 5 else ''}."
    if beyond is not None and beyond.value is not None:
        text += f" {plain(100 * beyond.value)} % of it is beyond what a turn of theirs can prevent."
    return [finding("finding", text, whole)]


def _open(result: Result, speech: Speech, state: str) -> list[Finding]:
    """From which round the result is as good as known in most of the games that still go on; by which state."""
    rows = [r for r in result.rows if r.metric == SETTLED and r.value is not None]
    if not rows:
        return []
    going = max(r.n for r in rows)
    late = next((r for k, r in enumerate(rows) if all((x.low or 0) > 0.5 for x in rows[k:])), None)
    if late is None:
        most = max(rows, key=lambda r: r.value or 0)
        if not most.value:
            return [_never(rows, state)]
        text = (
            f"Games stay open: in no round are most of them decided nine times in ten by {state} (at most "
            f"{speech.row(most)}, in round {_round(most)})."
        )
        return [finding("finding", text, most)]
    text = (
        f"From round {_round(late)} on, which {plain(100 * late.n / going)} % of the games reach, {state} tell the "
        f"result nine times in ten in most of them."
    )
    return [finding("finding", text, late)]


def _never(rows: Sequence[Row], state: str) -> Finding:
    """No state that was seen decides a game, as far as the intervals say."""
    doubt = max(rows, key=lambda r: r.high or 0)
    text = f"Games stay open: {state} never tell the result nine times in ten"
    if doubt.high:
        most = f"in round {_round(doubt)} they might in {plain(100 * doubt.high)} % of them"
        text += f", as far as these games show ({most})"
    return finding("finding", text + ".", doubt)


def _rescue(result: Result, speech: Speech) -> list[Finding]:
    rate, round_, won = (result.find(name) for name in ("rescue_rate", "rescue_round", "win_rate_rescued"))
    if rate is None or rate.value is None:
        return []
    text = f"The Lost Kid is freed in {speech.row(rate)} of the games"
    if round_ is not None and round_.value is not None:
        text += f", in round {plain(round_.value)} on average"
    if won is not None and won.value is not None:
        text += f"; of these games {plain(100 * won.value)} % are won"
    return [finding("finding", text + ".", rate)]
