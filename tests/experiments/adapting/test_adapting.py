"""Tuning of players: what is planted is found, what does not matter is left alone, what does not hold is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import strategies as players_of
from experiments import lineup
from experiments.adapting import adapt as adapting
from experiments.adapting import telling, trials
from experiments.adapting.adapt import adapt
from experiments.adapting.players import groups, line_up, text_of, win_together
from experiments.adapting.steps import (
    ADOPTED,
    AS_BASE,
    FOR_ONE,
    NO_DIFFERENCE,
    NO_WEIGHTS,
    NOT_SHOWN,
    OWN,
    Adapted,
)
from experiments.study import Cell, Study, build, plan
from simcore.errors import InputError
from simcore.game import find_game


def cell_of(study: Study) -> Cell:
    return plan(study).cells[0]


def tuned(strategies: Any, learners: str = "", game: str = "snowball", base: Any = None, **more: Any) -> Adapted:
    """One cell, tuned."""
    fields = {"seed": more.pop("seed", 1), "base": base or {}, "plugins": [learners] if learners else []}
    study = build(game=game, strategies=strategies, **fields)
    return adapt([cell_of(study)], [study], **more)[0]


# --- with real games --------------------------------------------------------------------------------------------------


def test_a_planted_optimum_is_found(learners: str) -> None:
    found = tuned("aimed", learners, games=60_000)
    first = found.steps[0]
    assert first.verdict == ADOPTED and first.who == "all seats"
    (player, *others) = found.cell.players
    assert abs(player.weights["aim"] - 0.7) < 0.1
    assert all(p.label == player.label for p in others)
    assert first.gain is not None and first.gain.low is not None and first.gain.low > 0
    assert first.old is not None and first.old.value is not None and first.old.value < 0
    assert first.before == pytest.approx(0.25, abs=0.03)  # one among equals
    assert first.after == pytest.approx(first.before + first.gain.value)
    assert found.games <= 60_000 * 1.02
    assert found.steps[-1].round <= adapting.ROUNDS - 1


def test_what_is_never_read_makes_no_difference(learners: str) -> None:
    found = tuned("deaf", learners, games=6_000)
    assert [s.verdict for s in found.steps] == [NO_DIFFERENCE] and not found.changed
    assert found.cell is not None and found.cell.strategies == {"all": "deaf"}


def test_without_weights_it_says_so(learners: str) -> None:
    found = tuned("plain", learners)
    assert [s.verdict for s in found.steps] == [NO_WEIGHTS] and found.games == 0
    assert telling.sentences(found, "A") == ["A: all seats (plain) have no weights to tune, and stay as they are."]


def test_threads_do_not_matter(learners: str) -> None:
    one, three = (tuned("aimed", learners, games=8_000, rounds=1, threads=n) for n in (1, 3))
    assert one.steps == three.steps and one.games == three.games
    assert one.cell.strategies == three.cell.strategies
    assert tuned("aimed", learners, games=8_000, rounds=1, seed=2).steps != one.steps


def test_the_luck_of_the_search_is_its_own(learners: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore import batch

    seeds: dict[int, list[range]] = {}
    play = batch.play

    def noted(*args: Any, **more: Any) -> Any:
        seeds.setdefault(more["seed"], []).append(range(more["first"], more["first"] + more["games"]))
        return play(*args, **more)

    monkeypatch.setattr(batch, "play", noted)
    found = tuned("aimed", learners, games=8_000, rounds=1, seed=7)
    assert found.steps[0].gain is not None
    assert 7 not in seeds and len(seeds) == 3  # search; one new among the old; one old among the new
    assert all(0 <= s < 2**63 for s in seeds)


def test_weights_that_break_games_are_left_out(learners: str) -> None:
    found = tuned("fragile", learners, games=6_000, rounds=1)
    assert not found.changed  # the others change nothing
    assert 0 < sum(t.games == 0 for t in found.steps[0].tried) < len(found.steps[0].tried)


@pytest.mark.slow
def test_a_weight_that_does_not_matter_is_rarely_adopted(learners: str) -> None:
    """2.5 % is nominal for one new among the old; that an old one must lose, too, leaves less."""
    adopted = sum(tuned("coin", learners, games=3_000, rounds=1, seed=seed).changed for seed in range(200))
    assert adopted <= 10  # of 200; with 2.5 % more have a chance of 1.3 %


def test_held_weights_stay(learners: str) -> None:
    found = tuned("aimed", learners, games=20_000, hold=["aim"])
    assert [s.verdict for s in found.steps] == [NO_WEIGHTS]
    found = tuned({"all": "opportunist"}, games=20_000, rounds=1, hold=["alarm"])
    assert found.steps[0].tried and all("alarm" not in t.weights for t in found.steps[0].tried)


def test_the_table_is_what_counts_where_all_win_together() -> None:
    found = tuned(
        {"kids": "detective:risk=0", "lost_kid": "balanced:clue=0.3,threat=1"},
        game="snallygaster",
        games=8_000,
        rounds=1,
    )
    assert found.together and [s.who for s in found.steps] == ["lost_kid", "kids"]
    lost, kids = found.steps
    assert lost.verdict in (ADOPTED, NOT_SHOWN) and lost.old is None
    assert kids.verdict == ADOPTED and kids.old is None
    assert kids.gain is not None and kids.before is not None and kids.after is not None
    assert kids.after - kids.before == pytest.approx(kids.gain.value)
    assert "the table wins" in telling.sentences(found, "A")[1]


# --- line-ups and words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "who", "expected"),
    [
        ("snowball", {"all": "greedy"}, {"all": "greedy"}),
        ("snowball", {"all": "greedy", "2": "expert"}, {"all": "greedy", "2": "expert"}),
        ("snowball", {"0": "greedy", "1": "greedy:risk=1", "2": "greedy", "3": "greedy"}, None),
        ("snowball", {"all": "greedy:forbid=clear_out+action,waste=0.123456789"}, None),
        ("snallygaster", {"kids": "detective", "lost_kid": "expert"}, {"all": "detective", "lost_kid": "expert"}),
        ("snallygaster", {"all": "expert", "1": "greedy"}, {"all": "expert", "1": "greedy"}),
    ],
)
def test_a_line_up_is_said_in_few_words_and_read_again(game: str, who: dict, expected: dict | None) -> None:
    who = {k: v.replace("greedy:risk=1", "greedy:waste=1") for k, v in who.items()}
    cell = cell_of(build(game=game, strategies=who))
    said = line_up(cell.configuration, cell.players)
    assert expected is None or said == expected
    again = lineup.players(cell.configuration.game, cell.configuration.seats, said, ())
    assert [(p.label, dict(p.weights)) for p in again] == [
        (p.label, {k: v for k, v in p.weights.items() if f"{k}=" in text_of(p)}) for p in cell.players
    ]


def test_equal_players_are_tuned_together_by_role() -> None:
    cell = cell_of(build(game="snallygaster", strategies="expert"))
    found = groups(cell.configuration, cell.players)
    assert [(g.who, g.seats) for g in found] == [("lost_kid", (0,)), ("kids", (1, 2, 3))]
    assert win_together(cell.configuration)
    cell = cell_of(build(game="snowball", strategies={"all": "greedy", "1": "expert", "3": "expert"}))
    assert [g.who for g in groups(cell.configuration, cell.players)] == ["seats 0, 2", "seats 1, 3"]
    assert not win_together(cell.configuration)


def test_how_much_a_look_ahead_thinks_is_no_habit() -> None:
    cell = cell_of(build(game="spooktacular", strategies="planner"))
    (group,) = groups(cell.configuration, cell.players)
    names = {w.name for w in group.weights}
    assert "colour" in names and not names & {"samples", "breadth", "tries", "sure", "fine"}
    (group,) = groups(*_lookahead())
    assert "samples" not in {w.name for w in group.weights}


def _lookahead():
    cell = cell_of(build(game="snowball", strategies="lookahead"))
    return cell.configuration, cell.players


@pytest.mark.parametrize("text", ["", "many", 0, -5, 2.5, True])
def test_the_number_of_games_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match="adapt-games: "):
        adapting.number_of_games(text)


def test_too_few_games_are_refused_and_say_how_many() -> None:
    with pytest.raises(InputError, match=r"adapt-games: 1,000 are too few .*; 5,400 is the least here"):
        tuned("greedy", games=1_000)
    with pytest.raises(InputError, match="for 2 kinds of players; 10,800 is the least here"):
        tuned({"all": "greedy", "0": "expert"}, games=10_000)


# --- with planted games: what one wins against the others is a formula ------------------------------------------------


class Table:
    """Stands for `trials.Trial`: one player's chance to win is a quarter and `edge(own, others' weights)`."""

    edge: Any = None
    noise = 12.0  # standard deviation of a game, in sixtieths

    def __init__(self, side: Any, players: Any, group: Any, seed: int, threads: Any, count: Any) -> None:
        self.side, self.players, self.group, self.seed = side, players, group, seed

    def __call__(self, weights: Any, first: int, games: int) -> np.ndarray:
        player = self.players[self.group.seats[0]]
        others = {w.name: player.weights.get(w.name, w.default) for w in player.strategy.weights}
        own = {**others, **(weights or {})}
        gear = self.side.configuration.settings["gear"]
        luck = np.random.default_rng([self.seed % 2**32, first]).normal(size=games)
        drawn = np.random.default_rng([self.seed % 2**32, first, 1]).normal(size=games)
        moved = own != others
        lucky = self.noise * (luck + (0.5 * drawn if moved else 0.0))
        self.side.adapted.games += games
        return np.rint(15 + 60 * type(self).edge(own, others, gear) + lucky).astype(np.int64)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Play `adapt` on sides of different gear by an edge."""

    def play(edge: Any, gears: tuple[int, ...] = (3,), **more: Any) -> list[Adapted]:
        monkeypatch.setattr(Table, "edge", staticmethod(edge))
        monkeypatch.setattr(adapting, "Trial", Table)
        asked = [build(game="snowball", strategies="cautious", base={"gear": g}) for g in gears]
        return adapt([cell_of(s) for s in asked], asked, games=200_000, **more)

    return play


def alarm(found: Adapted) -> float:
    player = found.cell.players[0]
    return float(player.weights.get("alarm", 8.0))


def test_sides_that_need_the_same_get_the_same(planted: Any) -> None:
    def edge(own: Any, others: Any, gear: int) -> float:
        return 0.002 * (abs(others["alarm"] - 20) - abs(own["alarm"] - 20))

    base, variant = planted(edge, (3, 4))
    assert base.changed and base.cell.strategies == variant.cell.strategies
    assert abs(alarm(base) - 20) < 4


def test_sides_that_need_others_get_others(planted: Any) -> None:
    def edge(own: Any, others: Any, gear: int) -> float:
        best = 20 if gear == 3 else -5
        return 0.005 * (abs(others["alarm"] - best) - abs(own["alarm"] - best))

    base, variant = planted(edge, (3, 4))
    assert abs(alarm(base) - 20) < 4 and abs(alarm(variant) + 5) < 4
    assert variant.steps[-1].verdict == OWN and variant.steps[-1].gain.low > 0


def test_a_variant_takes_the_weights_of_the_base_where_its_own_are_no_better(planted: Any) -> None:
    """All alarms above 12 are as good as each other on the variant; the base knows which it wants."""

    def edge(own: Any, others: Any, gear: int) -> float:
        def worth(weights: Any) -> float:
            return -0.004 * abs(weights["alarm"] - 18) if gear == 3 else 0.06 * (weights["alarm"] > 12)

        return worth(own) - worth(others)

    base, variant = planted(edge, (3, 4))
    assert abs(alarm(base) - 18) < 3
    assert base.cell.strategies == variant.cell.strategies
    assert variant.steps[-1].verdict in (AS_BASE, NOT_SHOWN)


def test_what_only_exploits_the_others_is_not_adopted(planted: Any) -> None:
    """Around a circle each beats those a little behind: a change pays for one, and the old habit then pays again."""

    def edge(own: Any, others: Any, gear: int) -> float:
        return 0.1 * abs(np.sin((own["alarm"] - others["alarm"]) / 3.0))  # whoever differs gains

    (found,) = planted(edge)
    assert not found.changed
    assert found.steps[0].verdict in (FOR_ONE, NOT_SHOWN)


def test_nothing_returns_to_habits_that_were_left(planted: Any) -> None:
    """Stone, paper, scissors: 0..10 loses to 10..20, that to 20..30, and that to 0..10 again."""

    def edge(own: Any, others: Any, gear: int) -> float:
        one, other = (int(max(0.0, w["alarm"]) // 10) % 3 for w in (own, others))
        return (0.0, 0.08, -0.08)[(one - other) % 3]

    (found,) = planted(edge, rounds=5)
    kinds = [0] + [int(s.changed["alarm"][1] // 10) % 3 for s in found.steps if s.adopted and "alarm" in s.changed]
    assert kinds[:2] == [0, 1] and 0 not in kinds[1:]
    assert any(s.verdict == FOR_ONE for s in found.steps) or len(found.steps) < 5


@pytest.mark.slow
def test_false_adoptions_are_nominal(planted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing matters: of 300 tunings with three rounds each, at most 2.5 % adopt anything."""
    adopted = 0
    for seed in range(300):
        monkeypatch.setattr(adapting, "derived_seed", lambda s, *w, k=seed: trials.derived_seed(s, k, *w))
        adopted += planted(lambda own, others, gear: 0.0)[0].changed
    assert adopted <= 15  # 2.5 % of 300, and twice the chance of error


def test_the_record_is_plain_data(planted: Any) -> None:
    (found,) = planted(lambda own, others, gear: 0.002 * (own["alarm"] - others["alarm"]))
    data = telling.as_data(found, "base")
    assert data["changed"] and data["tuned_for"] == "win_share" and data["strategies"] == dict(found.cell.strategies)
    step = data["steps"][0]
    assert step["verdict"] == ADOPTED and step["weights"]["alarm"]["before"] == 8
    assert step["fresh_games"]["low"] > 0 and step["fresh_games"]["old_high"] < 0
    assert 0 < len(step["best_tries"]) <= telling.RECORDED
    best = step["best_tries"][0]["gain"]
    assert best == pytest.approx(step["fresh_games"]["gain"], abs=0.1)
    assert f"--strategy {found.cell.strategies['all']}" == data["option"]
    text = telling.table([("base", found)])
    assert "alarm" in text and data["option"] in text


def test_players_are_those_that_are_typed() -> None:
    player = players_of.player("snowball", "greedy:waste=0.25,forbid=clear_out")
    assert text_of(player) == "greedy:waste=0.25,forbid=clear_out"
    assert text_of(replace(player, weights={"waste": 0.1 + 0.2, "action": 0.45})) == (
        "greedy:waste=0.30000000000000004,forbid=clear_out"
    )
    assert find_game("snowball").name == "snowball"


def test_a_monsters_own_strategy_is_not_tuned() -> None:
    study = build(game="spooktacular", games=60, strategies={"all": "greedy", "deadline": "spoiler"})
    with pytest.raises(InputError, match="deadline has a strategy of its own"):
        adapt([plan(study).cells[0]], [study])
