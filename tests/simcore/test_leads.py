"""Who leads as a round begins: every number recounted from the traces of the games, and known answers."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import strategies
from simcore import batch, leads, trace
from simcore.game import Configuration, How, Metric, Player, find_game
from simcore.games.snowball.layout import Event as Snow
from simcore.games.snowball.layout import Option as Clear
from simcore.games.spooktacular.layout import LEADS
from simcore.games.spooktacular.layout import Event as Spook

GAMES = 120
TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "snowball": ("snowball", "greedy", {"players": 4}),
    "snowball, two": ("snowball", "cautious", {"players": 2, "gear": 5}),
    "snowball, capped": ("snowball", "random", {"players": 5, "turn_cap": 24}),
    "spooktacular": ("spooktacular", "random", {"players": 4}),
    "spooktacular, looking ahead": ("spooktacular", "greedy", {"players": 3}),
    "spooktacular, automaton": ("spooktacular", "random", {"players": 2, "automaton": "hard"}),
    "spooktacular, capped": ("spooktacular", "random", {"players": 3, "turn_cap": 30}),
}


def set_up(name: str) -> tuple[Configuration, list[Player]]:
    game, strategy, settings = TABLES[name]
    configuration = find_game(game).configure(settings)
    return configuration, list(strategies.line_up(game, configuration.seats, {"all": strategy}))


def begun(configuration: Configuration, told: trace.Trace) -> Iterator[tuple[int, dict[int, int]]]:
    """(round from 1, what each seat has then) for each round that begins, from the sentences of the trace alone."""
    snow = configuration.game.name == "snowball"
    has = {seat: int(configuration.settings["gear"]) for seat in range(configuration.seats)} if snow else {}
    last = -1
    for row in told.events:
        event, seat, a, b, c = (int(row[name]) for name in ("event", "seat", "a", "b", "c"))
        if snow and event in (Snow.GEAR, Snow.BACK):
            has[seat] = a
        elif not snow and event == Spook.KIT:
            has[seat] = b
        elif not snow and event == Spook.POINTS:
            has[seat] = c
        elif event == (Snow.TURN if snow else Spook.TURN) and b > last:
            last = b
            yield b + 1, dict(has)


def recount(configuration: Configuration, players: list[Player]) -> dict[tuple[str, str, str], tuple[float, int]]:
    """(sum, n) of each number, from plain dictionaries."""
    of: Counter[tuple[str, str, str]] = Counter()
    won: Counter[tuple[str, str, str]] = Counter()
    for number in range(GAMES):
        told = trace.play_one(configuration, players, number)
        for r, has in begun(configuration, told):
            ordered = sorted(has.values())
            group, lead = f"round={r}", ordered[-1] - ordered[-2]
            of[leads.CLEAR, group, ""] += 1
            if lead == 0:
                continue
            won[leads.CLEAR, group, ""] += 1
            share = int(told.final["share"][max(has, key=has.__getitem__)])
            band = "1-4" if lead < 5 else "5-9" if lead < 10 else "10+"
            for key in ((leads.SHARE, group, ""), (leads.SHARE, f"lead={band}", group)):
                of[key] += 1
                won[key] += share
    return {key: (won[key], n) for key, n in of.items()}


@pytest.mark.parametrize("name", TABLES)
def test_a_plain_recount_of_traces_finds_the_same(name: str) -> None:
    configuration, players = set_up(name)
    totals = batch.total(configuration, players, games=GAMES)
    plain = recount(configuration, players)
    told = [m for m in configuration.metrics if m.name in (leads.SHARE, leads.CLEAR)]
    assert sum(m.name == leads.CLEAR for m in told) == len({m.group for m in told if not m.group2 and m.group})
    for m in told:
        kept = totals.fired if m.how is How.RATE_OF else totals.sum
        assert (int(kept[m.a]), int(totals.fired[m.b])) == plain.get((m.name, m.group, m.group2), (0, 0)), m
    assert sum(int(totals.fired[m.b]) for m in told) > 2 * GAMES


def test_the_sizes_make_up_the_whole() -> None:
    configuration, players = set_up("spooktacular")
    totals = batch.total(configuration, players, games=600)
    told = [m for m in configuration.metrics if m.name == leads.SHARE]
    for whole in (m for m in told if not m.group2):
        parts = [m for m in told if m.group2 == whole.group]
        assert len(parts) == len(LEADS)
        for slot in ("a", "b"):
            assert totals.sum[getattr(whole, slot)] == sum(totals.sum[getattr(p, slot)] for p in parts)
        assert all(totals.square[m.b] == totals.sum[m.b] for m in (whole, *parts)), "a game counts once"


# --- known answers ----------------------------------------------------------------------------------------------------


def counted(configuration: Configuration, told: trace.Trace) -> dict[str, tuple[int, int]]:
    """(tally a, tally b) by label, of what is not 0 in one game."""

    def label(m: Metric) -> str:
        return f"{m.name}[{', '.join(filter(None, (m.group, m.group2)))}]"

    tally = told.final["tally"]
    made = [m for m in configuration.metrics if m.name in (leads.SHARE, leads.CLEAR)]
    return {label(m): (int(tally[m.a]), int(tally[m.b])) for m in made if tally[m.a] or tally[m.b]}


def play_on(game: str, position: dict[str, Any], script: list[int], **settings: Any) -> dict[str, tuple[int, int]]:
    """What is counted when the game is played on at random from the position, after the scripted answers."""
    configuration = find_game(game).configure(settings)
    start = configuration.game.read_position(configuration, position)
    line_up = strategies.line_up(game, configuration.seats, {"all": "random"})
    told = trace.play_one(configuration, line_up, 0, position=start, script=script)
    return counted(configuration, told) | {"share": tuple(told.final["share"][: configuration.seats].tolist())}


@pytest.mark.parametrize(("gear", "leader"), [((1, 3, 2), 1), ((2, 1, 2), None), ((3, 3, 3), None)])
def test_who_alone_has_the_most_gear_leads_in_snowball(gear: tuple[int, ...], leader: int | None) -> None:
    """The last player of the first round clears out, which changes nobody's gear, and the second round begins."""
    players = [{"gear": g, "location": "open", "hand": ["snowball-1", "snowball-2"]} for g in gear]
    for player, place in zip(players, ("open", "woodpile", "fence"), strict=True):
        player["location"] = place
    position = {"start": 0, "active": 2, "player": players}
    found = play_on("snowball", position, [int(Clear.CLEAR_OUT)], players=3)
    assert found["clear_leader_rate[round=2]"] == (int(leader is not None), 1)
    if leader is None:
        assert "leader_share[round=2]" not in found
    else:
        assert found["leader_share[round=2]"] == (found["share"][leader], 1)


@pytest.mark.parametrize(("leader", "round_"), [(0, 4), (1, 4), (0, 5)])
def test_points_on_the_track_lead_in_spooktacular(leader: int, round_: int) -> None:
    """Forty points are more than the last player of a round can make up for; odd rounds are not counted.

    Broken off after ten turns, before a sixth round begins.
    """
    players: list[dict[str, Any]] = [
        {"monster": "killtron", "points": 0, "pieces": {"figure": ["stage-8"]}},
        {"monster": "remover", "points": 0, "pieces": {"figure": ["stage-8"]}},
    ]
    players[leader]["points"] = 40
    position = {"round": round_ - 1, "active": 1, "player": players}
    found = play_on("spooktacular", position, [], players=2, monsters="killtron+remover", turn_cap=10)
    if round_ == 5:
        assert set(found) == {"share"}
    else:
        group = f"round={round_}"
        assert found[f"clear_leader_rate[{group}]"] == (1, 1)
        assert found[f"leader_share[lead=10+, {group}]"] == found[f"leader_share[{group}]"]
        assert found[f"leader_share[{group}]"] == (found["share"][leader], 1)
        assert not any("lead=1-4" in name or "lead=5-9" in name for name in found)
