"""The Lost Kid's strategies: the doom foreseen is the doom that the rules bring, known positions have known best
answers, and each strategy is better than the one below it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, jit
from simcore.game import Configuration, Player, Strategy, find_game
from simcore.games.snallygaster import layout
from simcore.games.snallygaster.kernel import kernel
from simcore.games.snallygaster.layout import NONE, Decision, Mechanics, Op, Option, Stream, Tally
from simcore.games.snallygaster.rules.lost_kid import four_steps, offer_cards
from simcore.jit import copy_record
from simcore.play import random_below
from strategies.snallygaster import foresight, planning, scene

MONSTERS = ("dover-demon", "jersey-devil", "snallygaster", "bloody-mary")
NAMES = ("clue_first", "threat_averse", "balanced", "expert")
CARD, DISTRICT, WHICH_KID, KID_TO = (
    int(Decision.CARD),
    int(Decision.DISTRICT),
    int(Decision.WHICH_KID),
    int(Decision.KID_TO),
)
DIGITS, MET = 10, 1  # in the memory of seat 0: which options `follow` takes, and how many choices there were
WORK = np.zeros(1, layout.WORK)  # a record of a megabyte: one for all


# --- positions -------------------------------------------------------------------------------------------------------


@kernel
def catch(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Plays at random; at the Lost Kid's card of the turn numbered by its weight it keeps the game, and stops."""
    if decision == CARD and game["round"] == int(rules["weight"][game["player"][seat], 0]):
        copy_record(work["position"], game)
        work["position"]["fault_seat"] = seat
        return -1
    return random_below(game, rules, seat, game["options"])


@kernel
def follow(game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """Seat 0 takes the digits in its memory where it chooses a district or a Kid, else everybody takes the first."""
    if seat == 0 and decision == CARD:
        return game["memory"][0, 0]
    if seat == 0 and (decision == DISTRICT or decision == WHICH_KID or decision == KID_TO):
        n = game["memory"][0, MET]
        game["memory"][0, MET] = n + 1
        game["memory"][0, 30 + n] = game["options"]
        return game["memory"][0, DIGITS + n]
    return 0


SPY = Player(Strategy("spy", "", "", catch))
FOLLOWER = Player(Strategy("follower", "", "", follow))


@cache
def configured(**settings: Any) -> Configuration:
    return find_game("snallygaster").configure({"players": 4, **settings})


_rules: dict[tuple[str, str], np.ndarray] = {}


def rules_of(configuration: Configuration, who: str) -> np.ndarray:
    """The rules record of a game in which everyone plays like `who`, made once."""
    key = (configuration.digest, who)
    if key not in _rules:
        _rules[key] = prepared(configuration, who)
    return _rules[key]


def prepared(configuration: Configuration, who: str) -> np.ndarray:
    known = {"spy": SPY, "follower": FOLLOWER}
    player = known.get(who) or strategies.player("snallygaster", who)
    return batch.prepare(configuration, [player] * configuration.seats)[0]


def caught(configuration: Configuration, number: int, turn: int) -> np.ndarray | None:
    """Game `number` of random play as the Lost Kid chooses the card of this round; None if it ends before."""
    rules = rules_of(configuration, "spy")
    rules[0]["weight"][:, 0] = turn
    game = np.zeros(1, layout.GAME)
    WORK[0]["position"]["fault_seat"] = NONE
    configuration.game.kernel("play_block")(game[0], rules[0], WORK[0], number, 1)
    position = np.array([WORK[0]["position"]])
    if position[0]["fault_seat"] == NONE:
        return None
    position[0]["fault_seat"] = NONE
    return position


def some_positions(configuration: Configuration, games: int = 12) -> Iterator[np.ndarray]:
    for number in range(games):
        for turn in (1, 2, 3, 5, 7):
            position = caught(configuration, number, turn)
            if position is not None:
                yield position


def ask(configuration: Configuration, position: np.ndarray, who: str, seat: int, decision: int) -> int:
    """The option that a strategy takes; the position stays as it is."""
    fresh, rules = position.copy(), rules_of(configuration, who)
    policy = jit.build(strategies.player("snallygaster", who).strategy.policy)
    index = int(policy(fresh[0], rules[0], WORK[0], seat, decision))
    return int(fresh[0]["option"][index])


def parts(option: int) -> tuple[Option, int, int, int]:
    return layout.option_parts(option)


def hold(configuration: Configuration, position: np.ndarray, *cards: str) -> None:
    """Give the Lost Kid this hand, and ask it for a card."""
    row, slugs = position[0], in_deck(configuration)
    row["hand"][0] = NONE
    for slot, slug in enumerate(cards):
        row["hand"][0, slot] = slugs.index(slug)
    row["hand_size"][0] = len(cards)
    jit.build(offer_cards)(row, configuration.rules[0])


def in_deck(configuration: Configuration) -> list[str]:
    """The slugs of the Lost Kid cards in play, by number."""
    monster = configuration.settings["monster"]
    section = configuration.content.sections["lost-kid-cards"]
    return [slug for slug, entry in section.items() if getattr(entry, "monster", "") in ("", monster)]


def number_of(configuration: Configuration, section: str, slug: str) -> int:
    return list(configuration.content.sections[section]).index(slug)


def space_in(configuration: Configuration, district: str) -> int:
    """A space of this district alone that no Fed touches."""
    rules = configuration.rules[0]
    d = number_of(configuration, "districts", district)
    for space in range(rules["spaces"]):
        if rules["district_bits"][space] == 1 << d and rules["treehouse_of"][space] < 0:
            if not rules["leg_touch"][:, :, space].any():
                return space
    raise LookupError(district)


def quiet(configuration: Configuration) -> np.ndarray:
    """A position with no Kid on the board but as a test puts them, nothing told, the Feds at their starts."""
    position = caught(configuration, 1, 1)
    assert position is not None
    row = position[0]
    row["space"], row["doom"], row["new_hand_token"], row["stunned"], row["lights"] = NONE, 0, 0, 0, 0
    row["piles"], row["pile_told"], row["fed_at"], row["feds_held"], row["item_up"] = NONE, 0, 0, 0, 0
    row["fixed_on"], row["mirrors"], row["discards"][0] = NONE, 0, 0
    row["tokens"] = 0
    return position


def put_monster(configuration: Configuration, position: np.ndarray, district: str) -> None:
    d = number_of(configuration, "districts", district)
    position[0]["monster"][0] = position[0]["monster_seen"] = d


# --- the doom foreseen is the doom that comes -------------------------------------------------------------------------


def put_by_lot(rules: Any, card: int) -> bool:
    """Whether a card scatters tokens that can change what its other actions do."""
    ops = rules["op"][rules["card_start"][card] : rules["card_end"][card]]
    return bool(np.isin(ops, [Op.MIRROR, Op.BYSTANDER, Op.TREE]).any())


def least_doom(configuration: Configuration, position: np.ndarray, index: int) -> tuple[int, int]:
    """The least doom after the four steps with option `index`, over all choices: the rules themselves play them; and in
    how many ways they can go."""
    rules, play = rules_of(configuration, "follower"), jit.build(four_steps)
    policy = jit.address(follow)
    digits: list[int] = []
    least, ways = 10**6, 0
    while True:
        ways += 1
        fresh = position.copy()
        row = fresh[0]
        row["policy"] = policy
        row["memory"][0] = 0
        row["memory"][0, 0] = index
        row["memory"][0, DIGITS : DIGITS + len(digits)] = digits
        row["answers"] = 0
        play(row, rules[0], WORK[0])
        least = min(least, int(row["doom"] - position[0]["doom"]))
        met = int(row["memory"][0, MET])
        widths = row["memory"][0, 30 : 30 + met].tolist()
        digits = (digits + [0] * met)[:met]
        while digits and digits[-1] + 1 >= widths[len(digits) - 1]:
            digits.pop()
        if not digits:
            return least, ways
        digits[-1] += 1


def foreseen(configuration: Configuration, position: np.ndarray, card: int) -> float:
    """The same as the planning has it."""
    rules, row = rules_of(configuration, "expert"), position.copy()[0]
    WORK[0]["score"][:] = 0.0
    jit.build(scene.look)(row, rules[0], WORK[0])
    return float(jit.build(planning.best_plan)(row, rules[0], WORK[0], planning.CARD_ROWS, card, 0))


SETTINGS = [
    *({"monster": monster} for monster in MONSTERS),
    {"monster": "dover-demon", "event_density": 1.8, "patrol_speed": 2},
    {"monster": "jersey-devil", "ruling.attack_order": "feds_first", "ruling.stun": "movement"},
    {"monster": "bloody-mary", "event_density": 0.6, "players": 5, "attack_doom": 2},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: "-".join(str(v) for v in s.values()))
def test_the_doom_foreseen_is_the_doom_that_comes(settings: dict[str, Any]) -> None:
    configuration = configured(**settings, doom_length=60)
    rules, tried, some = configuration.rules[0], 0, 0
    for position in some_positions(configuration):
        row = position[0]
        row["doom"], row["rescued"] = 0, 0
        for slot in range(row["hand_size"][0]):
            card = int(row["hand"][0, slot])
            if put_by_lot(rules, card):
                continue
            expected, ways = least_doom(configuration, position, slot * int(rules["pile_count"]))
            found = foreseen(configuration, position, card)
            assert found >= expected, (row["number"], row["round"], slot)
            if ways <= planning.MOST_PLANS:  # beyond, not all are tried
                assert found == expected, (row["number"], row["round"], slot)
            tried += 1
            some += expected > 0
    assert tried > 100
    assert some > 30


@pytest.mark.parametrize("name", ["balanced", "expert"])
def test_the_doom_without_a_choice_is_that_of_the_quick_look(name: str) -> None:
    """``doom_of`` takes the cheapest district at each choice: never less than the best plan, mostly the same."""
    configuration = configured(monster="jersey-devil", doom_length=60)
    same = tried = 0
    for position in some_positions(configuration):
        row = position[0]
        row["doom"] = 0
        for slot in range(row["hand_size"][0]):
            card = int(row["hand"][0, slot])
            jit.build(scene.look)(row, configuration.rules[0], WORK[0])
            quick = float(jit.build(foresight.doom_of)(row, configuration.rules[0], WORK[0], card))
            best = foreseen(configuration, position, card)
            assert quick >= best
            tried, same = tried + 1, same + (quick == best)
    assert same > 0.85 * tried


# --- known positions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_card_that_ends_the_game_is_not_played(name: str) -> None:
    configuration = configured(monster="jersey-devil")
    position = quiet(configuration)
    row = position[0]
    put_monster(configuration, position, "old-town")
    row["space"][1] = space_in(configuration, "market-square")
    row["doom"] = 9
    hold(configuration, position, "radio-station", "gas-station", "harris-drug-store")
    kind, slot, _, _ = parts(ask(configuration, position, name, 0, CARD))
    assert (kind, slot) == (Option.PLAY, 1)


@pytest.mark.parametrize("name", ["threat_averse", "balanced", "expert"])
def test_nobody_is_attacked_where_another_card_tells_as_much(name: str) -> None:
    """The monster east of it would hit a Kid; the other card with the same hint moves a Fed."""
    configuration = configured(monster="jersey-devil")
    position = quiet(configuration)
    row = position[0]
    put_monster(configuration, position, "old-town")
    for seat in (1, 2):
        row["space"][seat] = space_in(configuration, "market-square")
    hold(configuration, position, "bandstand", "gas-station")
    kind, slot, _, _ = parts(ask(configuration, position, name, 0, CARD))
    assert (kind, slot) == (Option.PLAY, 1)


def best_and_worst_hint(configuration: Configuration, building: int) -> tuple[int, int]:
    """The cards with the hints that give most and least to a building."""
    rules = configuration.rules[0]
    cards = [
        c for c in range(rules["cards"]) if rules["card_hint"][c] != NONE and rules["card_building"][c] != building
    ]
    told = [float(rules["hint_weight"][rules["card_hint"][c], building]) for c in cards]
    return cards[int(np.argmax(told))], cards[int(np.argmin(told))]


@pytest.mark.parametrize("name", ["clue_first", "balanced", "expert"])
def test_a_misleading_top_is_covered_and_a_good_one_is_kept(name: str) -> None:
    configuration = configured(monster="jersey-devil")
    slugs = in_deck(configuration)
    for hidden in ("duttons-house", "lake-lodge", "sawmill", "greenhouse"):
        position = quiet(configuration)
        row = position[0]
        put_monster(configuration, position, "mill-end")
        row["space"][1] = space_in(configuration, "tower-hill")
        row["hidden_card"][0] = slugs.index(hidden)
        good, bad = best_and_worst_hint(
            configuration, int(configuration.rules[0]["card_building"][slugs.index(hidden)])
        )
        for place in range(3):
            row["piles"][:3], row["pile_told"][:3] = good, 1
            row["piles"][place] = bad
            hold(configuration, position, "gas-station")
            kind, slot, pile, _ = parts(ask(configuration, position, name, 0, CARD))
            assert (kind, slot, pile) == (Option.PLAY, 0, place)


@pytest.mark.parametrize("name", ["clue_first", "balanced", "expert"])
def test_what_was_laid_at_set_up_tells_nothing(name: str) -> None:
    """Ruling L2: the good clue stays, whatever the set-up cards show."""
    configuration = configured(monster="jersey-devil")
    slugs = in_deck(configuration)
    position = quiet(configuration)
    row = position[0]
    put_monster(configuration, position, "mill-end")
    row["space"][1] = space_in(configuration, "tower-hill")
    row["hidden_card"][0] = slugs.index("duttons-house")
    good, bad = best_and_worst_hint(configuration, int(configuration.rules[0]["card_building"][row["hidden_card"][0]]))
    row["piles"][:3] = good
    row["pile_told"][:3] = (1, 0, 1)
    hold(configuration, position, slugs[bad])
    assert parts(ask(configuration, position, name, 0, CARD))[2] == 1


@pytest.mark.parametrize("name", NAMES)
def test_once_rescued_clues_count_for_nothing(name: str) -> None:
    same = {f"lost-kid-cards.{slug}.spooky": "feds blue 1" for slug in ("gas-station", "greenhouse")}
    configuration = configured(monster="jersey-devil", **same)
    slugs = in_deck(configuration)
    position = quiet(configuration)
    row = position[0]
    put_monster(configuration, position, "mill-end")
    row["hidden_card"][0], row["rescued"] = slugs.index("duttons-house"), 1
    row["space"][:2] = space_in(configuration, "tower-hill")
    good, _ = best_and_worst_hint(configuration, int(configuration.rules[0]["card_building"][row["hidden_card"][0]]))
    row["piles"][:3], row["pile_told"][:3] = (good, NONE, NONE), (1, 0, 0)
    hold(configuration, position, "gas-station", "greenhouse")  # the same icon; the first has the longer movement
    kind, slot, _, _ = parts(ask(configuration, position, name, 0, CARD))
    assert (kind, slot) == (Option.PLAY, 0)


@pytest.mark.parametrize("name", NAMES)
def test_of_two_districts_the_empty_one_is_attacked(name: str) -> None:
    """The town's south of Old Town is Chapel Green or Dempsey Park [L9]."""
    configuration = configured(monster="jersey-devil")
    green, park = (number_of(configuration, "districts", d) for d in ("chapel-green", "dempsey-park"))
    for taken, free in (("chapel-green", park), ("dempsey-park", green)):
        position = quiet(configuration)
        row = position[0]
        put_monster(configuration, position, "old-town")
        row["space"][1] = row["space"][2] = space_in(configuration, taken)
        row["played"] = in_deck(configuration).index("public-library")
        row["options"] = 2
        row["option"][:2] = [int(Option.DISTRICT) + 16 * d for d in sorted((green, park))]
        assert parts(ask(configuration, position, name, 0, DISTRICT))[1] == free


@pytest.mark.parametrize("name", NAMES)
def test_the_token_for_the_rescue_goes_to_the_hidden_building(name: str) -> None:
    configuration = configured()
    position = quiet(configuration)
    row = position[0]
    home = int(configuration.rules[0]["card_building"][row["hidden_card"][0]])
    row["options"] = 30
    row["option"][:30] = [int(Option.BUILDING) + 16 * b for b in range(30)]
    assert parts(ask(configuration, position, name, 0, int(Decision.BUILDING)))[1] == home


def test_the_expert_moves_the_kid_who_would_be_caught() -> None:
    """The card in play lets it move a Kid before the Feds drive: one of the three stands beside the red one's road."""
    configuration = configured(monster="jersey-devil")
    rules = configuration.rules[0]
    position = quiet(configuration)
    row = position[0]
    put_monster(configuration, position, "mill-end")
    row["space"][1:4] = space_in(configuration, "tower-hill")
    touched = np.flatnonzero(rules["leg_touch"][0, 0, : rules["spaces"]])
    row["space"][2] = next(s for s in touched if rules["treehouse_of"][s] < 0 and not rules["stop_touch"][0, 0, s])
    row["played"] = in_deck(configuration).index("harris-drug-store")
    row["options"] = 2
    row["option"][:2] = [int(Option.PASS), int(Option.USE)]
    assert parts(ask(configuration, position, "expert", 0, int(Decision.ACTION_ICON)))[0] == Option.USE
    row["options"] = 3
    row["option"][:3] = [int(Option.KID) + 16 * seat for seat in (1, 2, 3)]
    assert parts(ask(configuration, position, "expert", 0, WHICH_KID))[1] == 2


# --- what a strategy may see and write --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_depends_on_nothing_that_the_lost_kid_cannot_see(name: str) -> None:
    chance = np.random.default_rng(7)
    for monster in MONSTERS:
        configuration = configured(monster=monster)
        for position in some_positions(configuration, 4):
            before = ask(configuration, position, name, 0, CARD)
            other = position.copy()
            row = other[0]
            for field in layout.HIDDEN:
                row[field] = chance.integers(0, 40, row[field].shape)
            for field in layout.SEAT_ONLY:
                row[field][1:] = chance.integers(0, 40, row[field][1:].shape)
            assert row["key"].shape == (layout.STREAMS,) and Stream.POLICY < layout.STREAMS
            assert ask(configuration, other, name, 0, CARD) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_writes_only_to_its_own_memory(name: str) -> None:
    configuration = configured(monster="snallygaster")
    policy = jit.build(strategies.player("snallygaster", name).strategy.policy)
    for position in some_positions(configuration, 4):
        fresh = position.copy()
        policy(fresh[0], rules_of(configuration, name)[0], WORK[0], 0, CARD)
        fresh[0]["memory"][0] = position[0]["memory"][0]
        assert fresh.tobytes() == position.tobytes()


# --- better than the one below it -------------------------------------------------------------------------------------


def played(lost_kid: str, kids: str, games: int, **settings: Any) -> np.ndarray:
    configuration = configured(**settings)
    line_up = [strategies.player("snallygaster", lost_kid)]
    line_up += [strategies.player("snallygaster", kids)] * (configuration.seats - 1)
    totals = batch.total(configuration, line_up, games=games, threads=1)
    assert totals.status[layout.Status.ENDLESS] == totals.status[layout.Status.ILLEGAL] == 0
    found: np.ndarray = totals.sum / totals.games
    return found


@pytest.mark.parametrize("monster", MONSTERS)
def test_sense_outlasts_chance(monster: str) -> None:
    """Kids who move at random never win: there it shows in how long they last, and in how often they find it."""
    dull, plain, best = (played(name, "random", 1500, monster=monster) for name in ("random", "balanced", "expert"))
    for better in (plain, best):
        assert better[Tally.ROUNDS] > 1.3 * dull[Tally.ROUNDS]
        assert better[Tally.RESCUED] > dull[Tally.RESCUED]


def test_each_is_better_than_the_one_below_it() -> None:
    wins = {
        name: sum(played(name, "greedy", 2400, monster=monster)[Tally.WON] for monster in MONSTERS)
        for name in ("random", "balanced", "expert")
    }
    assert wins["expert"] > wins["balanced"] > 2 * wins["random"]


def test_the_two_sides_of_the_dilemma() -> None:
    """Who tells most is found soonest and brings the most doom; who harms least, the other way round."""
    open_hearted, careful = (played(name, "random", 3000, monster="jersey-devil") for name in NAMES[:2])
    assert open_hearted[Tally.DOOM_ALL] / open_hearted[Tally.ROUNDS] > careful[Tally.DOOM_ALL] / careful[Tally.ROUNDS]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", NAMES)
def test_every_seat_can_be_played_in_every_game(name: str, players: int) -> None:
    for monster in MONSTERS:
        played(name, name, 300, monster=monster, players=players)


def test_the_weights_are_named_in_the_kernels_order() -> None:
    from strategies.snallygaster import balanced, expert

    for module in (balanced, expert):
        for place, weight in enumerate(module.STRATEGY.weights):
            assert getattr(module, weight.name.upper()) == place
    assert Mechanics.SWOOP == scene.SWOOP
