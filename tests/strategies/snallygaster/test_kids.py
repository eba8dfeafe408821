"""The Kids' strategies: an answer to every decision, known positions, beliefs that grow, who is better than whom."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, jit
from simcore.game import Configuration, Player, Strategy, Weight, find_game
from simcore.games.snallygaster import layout
from simcore.games.snallygaster.kernel import kernel
from simcore.games.snallygaster.layout import BELIEF, MEMORY, NONE, Decision, Op, Option, Status, Step, Tally
from simcore.jit import copy_record
from simcore.play import random_below, weight
from strategies.snallygaster import belief, moving, pooling, sight

MONSTERS = ("jersey-devil", "bloody-mary", "dover-demon", "snallygaster")
KIDS = ("greedy", "cautious", "camper", "detective")
WHEEL, MOVE, CHOICE, WINDOW = (
    int(Decision.WHEEL),
    int(Decision.MOVE),
    int(Decision.CHOICE),
    int(Decision.WINDOW),
)
WORK = np.zeros(1, layout.WORK)  # a record of a megabyte: one for all


# --- positions -------------------------------------------------------------------------------------------------------


@kernel
def catch(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """The usual Kid, and chance; at the first such decision of a Kid (weight 0) in a round (weight 1) it stops."""
    if (
        decision == int(weight(game, rules, seat, 0))
        and game["round"] >= int(weight(game, rules, seat, 1))
        and seat > 0
    ):
        copy_record(work["position"], game)
        work["position"]["fault_seat"] = seat
        return -1
    if seat > 0 and decision != WHEEL:
        return moving.usual_kid(game, rules, work, seat, decision)
    return random_below(game, rules, seat, game["options"])


SPY = Player(Strategy("spy", "", "", catch, (Weight("decision", 0, "", 0, 99), Weight("round", 0, "", 0, 99))))


@cache
def configured(monster: str = "dover-demon", players: int = 4) -> Configuration:
    return find_game("snallygaster").configure({"players": players, "monster": monster})


_rules: dict[tuple[str, str], np.ndarray] = {}


def rules_of(configuration: Configuration, who: str) -> np.ndarray:
    """The rules record of a game in which everyone plays like `who`, made once."""
    key = (configuration.digest, who)
    if key not in _rules:
        player = SPY if who == "spy" else strategies.player("snallygaster", who)
        _rules[key] = batch.prepare(configuration, [player] * configuration.seats)[0]
    return _rules[key]


def caught(configuration: Configuration, number: int, decision: int, turn: int = 2) -> np.ndarray | None:
    """Game `number` just before a Kid answers such a decision, in this round or later; None if it ends before."""
    rules = rules_of(configuration, "spy")
    rules[0]["weight"][:, 0], rules[0]["weight"][:, 1] = decision, turn
    game = np.zeros(1, layout.GAME)
    WORK[0]["position"]["fault_seat"] = NONE
    configuration.game.kernel("play_block")(game[0], rules[0], WORK[0], number, 1)
    position = np.array([WORK[0]["position"]])
    return None if position[0]["fault_seat"] == NONE else position


def positions(configuration: Configuration, decision: int, games: int = 30) -> list[np.ndarray]:
    found = [caught(configuration, number, decision) for number in range(games)]
    return [position for position in found if position is not None]


def ask(configuration: Configuration, position: np.ndarray, who: str) -> int:
    """The option that `who` takes; `position` is changed as the policy changes it."""
    rules, row = rules_of(configuration, who), position[0]
    row["drawn"] = 0
    policy = jit.build(strategies.player("snallygaster", who).strategy.policy)
    index = int(policy(row, rules[0], WORK[0], int(row["fault_seat"]), int(row["decision"])))
    assert 0 <= index < row["options"]
    return int(row["option"][index])


def offer(row: Any, *options: int) -> None:
    row["option"][: len(options)] = options
    row["options"] = len(options)


# --- every decision, and only what may be seen -----------------------------------------------------------------------


@pytest.mark.parametrize("who", KIDS)
def test_every_decision_is_answered(who: str) -> None:
    for monster in MONSTERS:
        for players in (2, 3, 4, 5):
            configuration = configured(monster, players)
            line_up = strategies.line_up("snallygaster", configuration.seats, [who])
            totals = batch.total(configuration, line_up, games=120)
            assert totals.status[Status.WON] + totals.status[Status.LOST] == totals.games


@pytest.mark.parametrize("decision", [Decision.WHEEL, Decision.MOVE, Decision.SEARCH, Decision.CHOICE, Decision.WINDOW])
@pytest.mark.parametrize("monster", ["dover-demon", "snallygaster"])
def test_what_is_hidden_changes_no_answer(monster: str, decision: int) -> None:
    configuration = configured(monster)
    for position in positions(configuration, int(decision), 12):
        for who in KIDS:
            plain, other = position.copy(), position.copy()
            row, seat = other[0], int(other[0]["fault_seat"])
            for name in ("deck", "stack", "key", "hidden_card", "powered", "hand", "tally", "answer"):
                row[name] = 3
            row["monster"] = 5
            for s in set(range(5)) - {seat}:
                row["memory"][s] = 7
            assert ask(configuration, plain, who) == ask(configuration, other, who)


# --- known positions --------------------------------------------------------------------------------------------------


def test_the_smallest_wheel_that_reaches_the_goal() -> None:
    """Harris Drug Store, Talk To Lance: nothing else is on the board."""
    configuration = configured()
    rules = configuration.rules[0]
    found = set()
    for position in positions(configuration, WHEEL, 40):
        row = position[0]
        seat, goal = int(row["fault_seat"]), int(rules["part_where"][0, 0])
        row["goal"], row["part_left"][:], row["tokens"][:], row["bystanders"] = 0, 0, 0, 0
        row["part_left"][0], row["tokens_out"], row["abilities"] = 1, 12, 0
        row["items"][:], row["curses"][:], row["ride"][:] = 0, 0, NONE
        row["wheels_up"][seat] = rules["usual_wheels"]
        way = rules["way"][layout.RIDES, 0]
        offer(row, *(int(Option.WHEEL) + 16 * w for w in range(8) if (int(rules["usual_wheels"]) >> w) & 1))
        spaces = rules["building_space"][goal]
        for space in range(int(rules["spaces"])):
            needed = min(int(rules["need"][way, space, s]) for s in spaces)
            diagonal = min(int(rules["need"][rules["way"][layout.RIDES, 1], space, s]) for s in spaces)
            if needed != 5 or diagonal <= 3:
                continue
            if any(rules["stop_touch"][f, row["fed_at"][f], s] for f in range(2) for s in spaces):
                continue
            fresh = position.copy()
            fresh[0]["space"][seat] = space
            wheel = ask(configuration, fresh, "greedy") >> 4 & 4095
            found.add(int(rules["wheel_value"][wheel]))
            assert fresh[0]["memory"][seat, 40] - 1 in spaces
    assert found == {5}


def choice_of(configuration: Configuration, op: int) -> tuple[np.ndarray, int]:
    """A Kid before a search card whose second side has such a row, and no other Kid out; and its seat."""
    rules = configuration.rules[0]
    position = next(p for p in positions(configuration, CHOICE, 40))
    row, seat = position[0], int(position[0]["fault_seat"])
    for card in range(int(rules["search_cards"])):
        ops = rules["op"][rules["search_start"][card] : rules["search_end"][card]]
        if op in ops and Op.CHOOSE in ops and Op.SYMBOL in ops and Op.FREE_MOVE in ops:
            row["agenda"][0], row["agenda_size"] = int(Step.CLOSE) + 4096 * card, 1
            break
    offer(row, int(Option.BRANCH), int(Option.BRANCH) + 16)
    row["stunned"] = row["lights"] = row["mood"][:] = row["card_mood"] = row["rescued"] = 0
    row["symbols"][:] = 0
    for other in range(5):
        if other != seat:
            row["space"][other] = NONE
    return position, seat


@pytest.mark.parametrize("who", ["detective", "cautious"])
def test_a_threat_is_taken_only_where_it_is_idle(who: str) -> None:
    """An attack where the Kid stands is not worth a symbol; far away it is."""
    configuration = configured("jersey-devil")
    rules = configuration.rules[0]
    position, seat = choice_of(configuration, Op.ATTACK)
    row = position[0]
    row["space"][seat] = rules["building_space"][0, 0]
    home = int(np.flatnonzero([(int(rules["building_district_bits"][0]) >> d) & 1 for d in range(16)])[0])
    far = int(np.argmax(rules["hops"][home, : rules["districts"]]))
    for fed in range(2):
        stops = rules["stop_space"][fed, : rules["stops"][fed]]
        row["fed_at"][fed] = int(np.argmax(rules["distance"][0, row["space"][seat], stops]))
    for district, side in ((home, 0), (far, 1)):
        row["monster"][0] = row["monster_seen"] = district
        row["monster_maybe"] = 1 << district
        if who == "detective" or side == 0:
            assert ask(configuration, position, who) >> 4 & 4095 == side


def test_an_item_is_used_where_it_averts_a_hit() -> None:
    configuration = configured("jersey-devil")
    rules = configuration.rules[0]
    slugs = [i for i in range(int(rules["item_cards"])) if rules["op"][rules["item_start"][i]] == Op.CANCEL]
    row_of_attack = next(pc for pc in range(layout.OPS) if rules["op"][pc] == Op.ATTACK)
    position = positions(configuration, WINDOW)[0]
    row, seat = position[0], int(position[0]["fault_seat"])
    row["agenda"][0], row["agenda_size"] = int(Step.MONSTER) + 4096 * row_of_attack, 1
    offer(row, int(Option.PASS), int(Option.USE) + 16 * slugs[0])
    row["stunned"] = row["cancelled"] = row["lights"] = 0
    row["space"][:] = NONE
    row["space"][seat] = rules["building_space"][0, 0]
    home = int(np.flatnonzero([(int(rules["building_district_bits"][0]) >> d) & 1 for d in range(16)])[0])
    far = int(np.argmax(rules["hops"][home, : rules["districts"]]))
    for district, kind in ((home, Option.USE), (far, Option.PASS)):
        row["monster"][0] = row["monster_seen"] = district
        assert ask(configuration, position, "detective") & 15 == kind


def test_cautious_ends_out_of_reach() -> None:
    configuration = configured("jersey-devil")
    rules = configuration.rules[0]
    safe = unsafe = 0
    for position in positions(configuration, MOVE, 40):
        row, seat = position[0], int(position[0]["fault_seat"])
        if row["moving"] != 1 or row["monster_seen"] == NONE:
            continue
        row["items"][:], row["symbols"][:], row["memory"][seat, 40] = 0, 0, 0
        ends = [int(o) for o in row["option"][: row["options"]] if int(o) & 15 == Option.MOVE]
        offer(row, *ends)

        def reached(space: int, row: Any = row) -> bool:
            if rules["treehouse_of"][space] >= 0:
                return False
            bits = int(rules["district_bits"][space])
            near = min(rules["hops"][row["monster_seen"], d] for d in range(16) if (bits >> d) & 1) <= 1
            return near or any(rules["leg_touch"][f, row["fed_at"][f], space] for f in range(2))

        if all(reached(o >> 4) for o in ends):
            continue
        if reached(ask(configuration, position, "cautious") >> 4 & 4095):
            unsafe += 1
        else:
            safe += 1
    assert safe >= 10 and unsafe <= safe // 10


def test_symbols_go_to_whoever_is_nearest_to_paying() -> None:
    configuration = configured()
    rules = configuration.rules[0]
    position = positions(configuration, MOVE)[0]
    row = position[0]
    row["symbols"][:], row["goal"], row["part_left"][:] = 0, 1, 0
    row["part_left"][0] = 1  # two of a kind at a building
    kind, building = int(rules["part_symbol"][1, 0]), int(rules["part_where"][1, 0])
    assert rules["part_price"][1, 0] == 2
    row["symbols"][1, kind] = row["symbols"][2, kind] = 1
    there = int(rules["building_space"][building, 0])
    row["space"][1], row["space"][2] = int(np.argmax(rules["distance"][0, there, : rules["spaces"]])), there
    collector, hand_over = jit.build(pooling.collector), jit.build(pooling.hand_over)
    assert collector(row, rules, 0) == 2
    assert hand_over(row, rules, 0, 1) == 1 << 2 and hand_over(row, rules, 0, 2) == 1 << 1
    offer(row, int(Option.MOVE), *(int(Option.TRADE) + 16 * (64 + kind) + 65536 * 2 + 4194304 * way for way in (0, 1)))
    best = jit.build(pooling.best_trade)
    assert best(row, rules, WORK[0], 1) == 1  # seat 1 gives, and does not take
    row["symbols"][2, kind] = 2
    assert hand_over(row, rules, 0, 1) == 0  # seat 2 can pay


def test_a_symbol_that_a_goal_needs_is_no_spare() -> None:
    configuration = configured()
    rules = configuration.rules[0]
    row = positions(configuration, MOVE)[0][0]
    row["symbols"][:], row["goal"], row["part_left"][:] = 0, 1, 0
    row["part_left"][0] = 1
    kind = int(rules["part_symbol"][1, 0])
    needed = sum(
        int(rules["part_price"][g, p] * rules["part_times"][g, p])
        for g in range(1, int(rules["goals"]))
        for p in range(int(rules["parts"][g]))
        if rules["part_symbol"][g, p] == kind
    )
    for held, spare in ((needed, 0), (needed + 1, 1)):
        row["symbols"][1, kind] = held
        jit.build(sight.count_wants)(row, rules, WORK[0])
        assert WORK[0]["score"][sight.SPARE + kind] == spare


# --- belief -----------------------------------------------------------------------------------------------------------


def test_a_belief_sums_to_one_and_excludes_what_was_seen() -> None:
    configuration = configured()
    rules = configuration.rules[0]
    for position in positions(configuration, WHEEL, 20):
        row, seat = position[0], int(position[0]["fault_seat"])
        ask(configuration, position, "detective")
        if row["rescued"] == 1:
            continue
        kept = row["memory"][seat, : rules["buildings"]]
        assert row["memory"][seat, MEMORY - 1] == 1
        assert abs(int(kept.sum()) - BELIEF) < 64 and (kept >= 0).all()
        seen = {int(c) for c in row["piles"] if c != NONE} | {int(c) for c in row["discard"][0, : row["discards"][0]]}
        hiding = {int(rules["card_building"][c]) for c in range(int(rules["cards"])) if c not in seen}
        for building in range(int(rules["buildings"])):
            cleared = (int(row["cleared"]) >> building) & 1
            assert (kept[building] == 0) == (building not in hiding or bool(cleared))


def test_a_hint_played_draws_the_belief_to_its_landmark() -> None:
    configuration = configured()
    rules = configuration.rules[0]
    update = jit.build(belief.update_belief)
    row = positions(configuration, WHEEL)[0][0]
    seat = int(row["fault_seat"])
    row["plays"] = row["cleared"] = row["discards"][:] = 0
    row["piles"][:], row["pile_told"][:], row["memory"][seat] = NONE, 0, 0
    update(row, rules, WORK[0], seat, 1.0, 0.5, 0.3, 0.0)
    before = row["memory"][seat, : rules["buildings"]].copy()
    card = next(c for c in range(int(rules["cards"])) if rules["card_hint"][c] != NONE)
    row["history"][0], row["plays"], row["piles"][0], row["pile_told"][0] = card, 1, card, 1
    update(row, rules, WORK[0], seat, 1.0, 0.5, 0.3, 0.0)
    after = row["memory"][seat, : rules["buildings"]]
    told = rules["hint_weight"][rules["card_hint"][card], : rules["buildings"]]
    order = [b for b in np.argsort(told) if after[b] > 0]
    gains = after[order] / before[order]
    assert (np.diff(gains) >= -1e-3).all() and gains[-1] > 2 * gains[0]


@pytest.mark.parametrize("monster", MONSTERS)
def test_the_detectives_belief_in_the_truth_grows(monster: str) -> None:
    configuration = configured(monster)
    line_up = strategies.line_up("snallygaster", configuration.seats, ["detective"])
    totals = batch.total(configuration, line_up, games=1200)
    counts = totals.sum[Tally.BELIEF_ROUND : Tally.BELIEF_ROUND + 12].reshape(4, 3).sum(axis=1)
    given = totals.sum[Tally.BELIEF_ROUND_TRUE : Tally.BELIEF_ROUND_TRUE + 12].reshape(4, 3).sum(axis=1)
    means = given / counts / BELIEF  # by three rounds
    assert (np.diff(means) > 0.02).all()
    assert means[0] > 2 / configuration.rules[0]["buildings"] and means[3] > 2 * means[0]


# --- who is better ----------------------------------------------------------------------------------------------------


def wins(kids: str, monster: str, players: int, games: int = 600) -> float:
    configuration = configured(monster, players)
    line_up = strategies.line_up("snallygaster", configuration.seats, [kids])
    return float(batch.total(configuration, line_up, games=games).sum[Tally.WON]) / games


@pytest.mark.parametrize("players", [2, 4, 5])
@pytest.mark.parametrize("monster", MONSTERS)
def test_the_detective_is_best(monster: str, players: int) -> None:
    best = wins("detective", monster, players)
    assert best > wins("random", monster, players) + 0.15
    assert all(best > wins(other, monster, players) + 0.05 for other in ("greedy", "cautious", "camper"))


def test_greedy_is_better_than_chance_and_camping_does_not_win() -> None:
    greedy = wins("greedy", "dover-demon", 4)
    assert greedy > wins("random", "dover-demon", 4) + 0.15
    assert wins("camper", "dover-demon", 4) < greedy - 0.1
