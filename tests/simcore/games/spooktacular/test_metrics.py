"""What is reported: one row a number, only of monsters that can be in play, and every slot that is counted."""

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from simcore import batch
from simcore.game import Configuration, How, Metric, Player, Strategy
from simcore.games.spooktacular import layout, metrics, tables, turn
from simcore.games.spooktacular.game import GAME
from simcore.games.spooktacular.layout import Ledger, Points, Span, Tally
from simcore.records import SIXTIETHS

ANYONE = Player(Strategy("any", "", "", turn.follow_up))


@cache
def configured(**settings: Any) -> Configuration:
    return GAME.configure(settings)


def groups(configuration: Configuration, name: str, group: str, group2: str = "") -> list[str]:
    return [
        m.group
        for m in configuration.metrics
        if m.name == name
        and m.group.startswith(group + "=")
        and (m.group2.startswith(group2 + "=") if group2 else not m.group2)
    ]


@pytest.mark.parametrize("settings", [{"players": 4}, {"players": 5, "same_monsters": True}, {"players": 1}], ids=str)
def test_each_row_is_there_once(settings: dict[str, Any]) -> None:
    rows = Counter((m.name, m.group, m.group2) for m in configured(**settings).metrics)
    assert max(rows.values()) == 1
    for metric in configured(**settings).metrics:
        assert metric.meaning and re.fullmatch(r"[a-z_]+", metric.name), metric
    assert len(batch.pairs(configured(**settings).metrics)) <= layout.PAIRS


def test_only_monsters_that_can_be_in_play_have_rows() -> None:
    named = configured(players=3, monsters="deadline+killtron+remover")
    monsters = ["monster=killtron", "monster=deadline", "monster=remover"]
    for name in ("win_share", "tickets", "monster_decisions"):
        assert groups(named, name, "monster") == monsters
    assert len(groups(named, "win_share", "monster", "against")) == 6
    assert set(groups(named, "points", "monster", "source")) == set(monsters)
    everybody = configured(players=2)
    kits = len(everybody.content.sections["monsters"])
    assert len(groups(everybody, "win_share", "monster")) == kits
    assert len(groups(everybody, "win_share", "monster", "against")) == kits * (kits - 1)
    assert len(groups(configured(players=2, same_monsters=True), "win_share", "monster", "against")) == kits * kits
    one = configured(players=2, monsters="deadline")
    assert len(groups(one, "win_share", "monster", "against")) == 2 * (kits - 1), "two drawn ones never meet"
    solo = configured(players=1)
    assert (
        groups(solo, "win_share", "monster", "against") == [] and len(groups(solo, "win_share", "monster")) == kits - 1
    )


def test_only_cards_that_can_be_in_play_have_rows() -> None:
    named = configured(players=2, monsters="deadline+remover")
    there = {slug for slug, c in named.content.sections["cards"].items() if c.monster in ("", "deadline", "remover")}
    assert {group.partition("=")[2] for group in groups(named, "played", "card")} == there
    assert not any(m.name == "played_share" for m in named.metrics)


def test_the_automaton_has_rows_only_where_it_plays() -> None:
    names = {"solo_win_rate", "automaton_win_share", "automaton_points"}
    assert names <= {m.name for m in configured(players=2, automaton="hard").metrics}
    assert not names & {m.name for m in configured(players=2).metrics}
    assert groups(configured(players=2, automaton="hard"), "win_share", "order") == ["order=0", "order=1"]


def read(made: tuple[Metric, ...]) -> set[int]:
    """Tally slots that metrics read."""
    spans = (How.SPAN_MEAN, How.SPAN_QUANTILE, How.SPAN_MAX, How.SPAN_SHARE, How.STATUS)
    return {slot for m in made if m.how not in spans for slot in (m.a, m.b) if slot >= 0}


def test_every_slot_that_is_counted_is_read() -> None:
    made = (*configured(players=4).metrics, *configured(players=2, automaton="easy").metrics)
    slots = read(made)
    untold = {Tally.ROUNDS}
    for tally in Tally:
        assert tally in slots or tally in untold or tally == Tally.LEDGER, tally
    assert {*Ledger} <= slots and set(metrics.RULES) == {*Ledger}
    assert {Tally.POINTS + p for p in Points} <= slots
    spans = {m.a for m in made if m.how in (How.SPAN_MEAN, How.SPAN_QUANTILE, How.SPAN_MAX, How.SPAN_SHARE)}
    assert spans == {*Span}


def test_blocks_of_slots_do_not_overlap() -> None:
    ends = {
        **{first: SIZES[first] for first in SIZES},
        **{slot: 1 for slot in Tally if slot not in SIZES},
    }
    taken = [slot for first, size in ends.items() for slot in range(first, first + size)]
    assert len(set(taken)) == len(taken) and max(taken) < Tally.COMPONENTS
    made = configured(players=4)
    last = tables.component_names(made.settings, made.content)[-1][1]
    assert last + 3 <= made.rules[0]["matchup_first"]


SIZES = {
    **{Tally.LEDGER: len(Ledger), Tally.SHARE_ORDER: layout.SEATS, Tally.SHARE_PLAYER: layout.SEATS},
    **{Tally.POINTS: layout.POINTS, Tally.ROOM_GUESTS: layout.ROUNDS, Tally.ROUND_GAMES: layout.ROUNDS},
    **{t: layout.LEAD_ROUNDS for t in (Tally.LEAD_BEGUN, Tally.LEAD_GAMES, Tally.LEAD_SHARE)},
    **{t: layout.LEAD_ROUNDS * len(layout.LEADS) for t in (Tally.LEAD_SIZE_GAMES, Tally.LEAD_SIZE_SHARE)},
    **{Tally.TIER_GAMES: 3, Tally.TIER_SHARE: 3},
    **{Tally.MONSTER_GAMES: layout.KITS, Tally.MONSTER_SHARE: layout.KITS, Tally.MONSTER_TICKETS: layout.KITS},
    **{Tally.MONSTER_POINTS: layout.KITS * layout.POINTS, Tally.MONSTER_DECISIONS: layout.KITS, Tally.COMPONENTS: 0},
    Tally.GUESTS_IN_ROOM: layout.MAP_ROOMS * layout.ROUNDS,
}


@pytest.mark.parametrize("settings", [{"players": 3}, {"players": 2, "automaton": "nightmare"}], ids=str)
def test_shares_add_up_in_a_batch(settings: dict[str, Any]) -> None:
    made = configured(**settings)
    games, seats = 24, made.seats
    totals = batch.total(made, [ANYONE] * seats, games=games, threads=1, block=24)

    def of(name: str, group: str) -> int:
        rows = [m for m in made.metrics if m.name == name and m.group.startswith(group + "=") and not m.group2]
        return sum(int(totals.sum[m.a]) for m in rows)

    won = of("win_share", "order")
    assert won == of("win_share", "seat") == of("win_share", "monster") == of("win_share", "tier")
    bot = int(totals.sum[Tally.BOT_WON])
    assert won == totals.sum[Tally.PLAYERS_WON] and won + bot == SIXTIETHS * games
    games_of = sum(int(totals.sum[m.b]) for m in made.metrics if m.name == "win_share" and m.group.startswith("tier="))
    assert games_of == games * seats
    pairs = [m for m in made.metrics if m.name == "win_share" and m.group2.startswith("against=")]
    assert sum(int(totals.sum[m.b]) for m in pairs) == games * seats * (seats - 1)
    assert sum(int(totals.sum[m.a]) for m in pairs) == won * (seats - 1)
    by_monster = [m for m in made.metrics if m.name == "points" and m.group2]
    for source in Points:
        name = f"source={metrics.POINTS[source][0]}"
        assert sum(int(totals.sum[m.a]) for m in by_monster if m.group2 == name) == totals.sum[Tally.POINTS + source]
    assert totals.sum[Tally.BY_POINTS] + totals.sum[Tally.BY_TICKETS] == games
    assert of("played", "card") <= totals.sum[Tally.CARDS_PLAYED]
