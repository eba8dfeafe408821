"""Batches: the same bits however they are cut, the hooks, fair chairs, shared luck, and what is refused."""

import functools
import operator
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, records, trace
from simcore.batch import Totals
from simcore.errors import InputError, PlayError
from simcore.game import Configuration, How, Metric, Player, Strategy, find_game
from simcore.games.snowball import layout
from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import Decision, Event, Option, Span, Stream, Tally
from simcore.play import ENDLESS, fail, random_below

SNOWBALL = find_game("snowball")
MIXED = ("random", "greedy", "cautious", "opportunist", "expert", "random")


def configure(**settings: Any) -> Configuration:
    return SNOWBALL.configure(settings)


def line_up(seats: int = 4, names: Sequence[str] = MIXED) -> tuple[Player, ...]:
    return strategies.line_up("snowball", seats, list(names[:seats]))


def same(one: Totals, other: Totals) -> bool:
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(Totals))


def rows(configuration: Configuration, players: Sequence[Player], games: int, **options: Any) -> np.ndarray:
    """The outcomes, in the order in which they come."""
    return np.concatenate([b.outcomes for b in batch.play(configuration, players, games=games, keep=True, **options)])


# --- cut in any way --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> Totals:
    return batch.total(configure(), line_up(), games=2400, threads=1)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("block", [60, 1200, 3000, 7])
def test_totals_do_not_depend_on_threads_and_blocks(whole: Totals, threads: int, block: int) -> None:
    assert same(whole, batch.total(configure(), line_up(), games=2400, threads=threads, block=block))


@pytest.mark.parametrize("cuts", [[600, 1200], [1, 59, 1999], [2399]], ids=str)
def test_ranges_add_up_in_any_order(whole: Totals, cuts: list[int]) -> None:
    ends = [0, *cuts, 2400]
    parts = [(a, b) for a, b in zip(ends, ends[1:], strict=False)][::-1]
    found = [batch.total(configure(), line_up(), games=b - a, first=a, threads=1) for a, b in parts]
    assert same(whole, functools.reduce(operator.add, found))


def test_few_games_are_cut_finer_so_that_every_thread_has_some() -> None:
    for games in (1, 59, 600, 900, 4800, 10**6):
        for threads in (1, 2, 16):
            size = batch.block_for(games, threads)
            assert size % 60 == 0 and batch.BLOCK % size == 0, "seats rotate, and looks fall on the end of a block"
            assert size == batch.BLOCK or threads > 1
    assert batch.block_for(900, 2) == 120 and batch.block_for(4800, 2) == batch.BLOCK


def test_outcomes_come_in_order_and_do_not_depend_on_blocks() -> None:
    one = rows(configure(), line_up(), 700, first=30, threads=1)
    other = rows(configure(), line_up(), 700, first=30, threads=2, block=60)
    assert one["number"].tolist() == list(range(30, 730))
    assert one.tobytes() == other.tobytes()


def test_blocks_say_what_they_hold() -> None:
    blocks = list(batch.play(configure(), line_up(), games=250, first=5, block=100, threads=2))
    assert [(b.first, b.games, b.totals.games) for b in blocks] == [(5, 95, 95), (100, 100, 100), (200, 55, 55)]
    assert all(b.outcomes is None for b in blocks)


def test_outcomes_are_the_totals() -> None:
    found = next(batch.play(configure(), line_up(), games=600, keep=True))
    assert found.outcomes is not None
    assert (np.bincount(found.outcomes["status"], minlength=len(layout.Status)) == found.totals.status).all()
    assert found.outcomes["turns"].sum() == found.totals.sum[Tally.TURNS]
    share = found.outcomes["share"].sum(axis=0)
    assert (share == found.totals.sum[Tally.SHARE_PLAYER : Tally.SHARE_PLAYER + layout.SEATS]).all()


def test_a_batch_can_be_left_early() -> None:
    blocks = batch.play(configure(), line_up(), games=10**12, threads=2)
    first = next(blocks)
    blocks.close()
    assert first.totals.games == batch.BLOCK


def test_seeds_differ(whole: Totals) -> None:
    other = batch.total(configure(), line_up(), games=2400, threads=1, seed=2)
    assert not np.array_equal(whole.sum, other.sum)
    assert same(other, batch.total(configure(), line_up(), games=2400, threads=2, seed=2))
    one, two = (rows(configure(), line_up(), 600, seed=s) for s in (1, 2))
    alike = sum(a.tobytes() == b.tobytes() for a, b in zip(one, two, strict=True))
    assert alike < 3


def test_far_numbers_and_large_seeds_are_played() -> None:
    first = 10**15
    found = rows(configure(), line_up(), 60, first=first, seed=2**63 - 1)
    assert found["number"].tolist() == list(range(first, first + 60))


# --- totals are sums over games --------------------------------------------------------------------------------------


def test_totals_are_the_sums_over_single_games() -> None:
    configuration, players = configure(players=5, kids="random"), line_up(5)
    totals = batch.total(configuration, players, games=60, first=60, threads=1)
    used = batch.pairs(SNOWBALL.metrics(configuration))
    tallies = int(configuration.rules[0]["tallies"])
    finals = [trace.play_one(configuration, players, number).final for number in range(60, 120)]
    tally = np.array([f["tally"][:tallies] for f in finals])
    span = np.array([f["span"] for f in finals])
    assert (totals.sum[:tallies] == tally.sum(axis=0)).all()
    assert (totals.square[:tallies] == (tally**2).sum(axis=0)).all()
    assert (totals.fired[:tallies] == (tally != 0).sum(axis=0)).all()
    assert totals.cross[: len(used)].tolist() == [int((tally[:, a] * tally[:, b]).sum()) for a, b in used]
    assert totals.decisions == sum(int(f["asked"]) for f in finals) == tally[:, Tally.DECISIONS].sum()
    for s in range(layout.SPANS):
        seen = span[:, s][span[:, s] >= 0]
        assert (totals.histogram[s] == np.bincount(seen, minlength=records.BINS)).all(), Span(s).name
    assert (totals.status == np.bincount([f["status"] for f in finals], minlength=len(layout.Status))).all()


def test_pairs_name_each_ratio_once() -> None:
    metrics = (
        Metric("x", How.RATIO, 3, 4),
        Metric("y", How.MEAN, 1),
        Metric("z", How.SHARE_OF, 5, 6),
        Metric("x2", How.RATIO, 3, 4),
    )
    assert batch.pairs(metrics) == ((3, 4), (5, 6))


# --- chairs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_player_sits_in_each_chair_equally(seats: int) -> None:
    configuration, players = configure(players=seats), line_up(seats, ["random"] * 6)
    rules, _ = batch.prepare(configuration, players)
    game, work = batch.new_work(configuration, None)
    table = np.zeros((seats, seats), int)
    for number in range(60):
        configuration.game.kernel("play_block")(game[0], rules[0], work[0], number, 1)
        at = game[0]["player"][:seats]
        assert sorted(at) == list(range(seats))
        table[np.arange(seats), at] += 1
    assert (table == 60 // seats).all()


def test_where_a_strategy_stands_in_the_line_up_does_not_matter() -> None:
    """The line-up turned by one player: game k + 1 is played as game k was, chair by chair, but for its luck."""
    one = batch.total(configure(), line_up(4, ["expert", "random", "random", "random"]), games=6000)
    other = batch.total(configure(), line_up(4, ["random", "expert", "random", "random"]), games=6000)
    first = one.sum[Tally.SHARE_PLAYER] / 60 / 6000
    second = other.sum[Tally.SHARE_PLAYER + 1] / 60 / 6000
    assert abs(first - second) < 5 * np.sqrt(2 * 0.25 / 6000)


# --- hooks: frozen luck ----------------------------------------------------------------------------------------------


def dealt(configuration: Configuration, numbers: range, **hooks: Any) -> list[dict[str, Any]]:
    """What the trace says of each game's deal."""
    found = []
    for number in numbers:
        events = trace.play_one(configuration, line_up(4, ["random"] * 4), number, **hooks).events
        start = int(np.flatnonzero(events["event"] == Event.START)[0])
        at_start = events[:start]
        found.append(
            {
                name: tuple(at_start["a"][at_start["event"] == event])
                for name, event in (("locations", Event.LOCATION), ("items", Event.ITEM), ("snowballs", Event.CARD))
            }
        )
    return found


@pytest.mark.parametrize("stream", ["locations", "items", "snowballs"])
def test_a_frozen_source_of_luck_repeats_and_the_others_vary(stream: str) -> None:
    usual = dealt(configure(), range(8))
    frozen = dealt(configure(), range(8), freeze={stream: 5})
    for name in ("locations", "items", "snowballs"):
        if name == stream:
            assert {d[name] for d in frozen} == {usual[5][name]}
        else:
            assert [d[name] for d in frozen] == [d[name] for d in usual]
            assert len({d[name] for d in frozen}) == 8


def test_frozen_lots_start_the_same_chair() -> None:
    configuration = configure(first_player="random")
    starts = rows(configuration, line_up(), 60, freeze={"first_player": 3})
    chairs = (starts["starter"] + starts["number"]) % 4
    assert len(set(chairs.tolist())) == 1
    free = rows(configuration, line_up(), 60)
    assert len(set(((free["starter"] + free["number"]) % 4).tolist())) == 4


def test_every_source_of_chance_can_be_frozen_at_once() -> None:
    """Then all games of a rotation are the same game, with the players moved on a chair."""
    everything = {stream.name.lower(): 9 for stream in Stream}
    rules, _ = batch.prepare(configure(), line_up(4, ["random"] * 4), freeze=everything)
    assert (rules[0]["stream_number"] == 9).all(), "the seats' own streams have no name"
    found = rows(configure(), line_up(4, ["random"] * 4), 60, freeze=everything)
    assert len(set(found["turns"].tolist())) == 1


def test_a_redrawn_source_of_luck_is_that_of_a_later_game() -> None:
    usual = dealt(configure(), range(12))
    redrawn = dealt(configure(), range(8), redraw={"items": 3})
    for number, found in enumerate(redrawn):
        assert found["items"] == usual[number + 3]["items"] != usual[number]["items"]
        assert (found["locations"], found["snowballs"]) == (usual[number]["locations"], usual[number]["snowballs"])


# --- hooks: looking ahead ---------------------------------------------------------------------------------------------


@kernel
def scores_everything(game, rules, work, seat, decision):
    """Answers as the usual follow-up does, but writes down what it thinks of its options, as policies do."""
    for i in range(game["options"]):
        work["score"][i] = 1e6 * i
    work["scores"] = game["options"]
    return random_below(game, rules, seat, game["options"])


def test_what_finishes_a_turn_for_a_look_ahead_leaves_its_scores_alone() -> None:
    configuration, players = configure(players=3), line_up(3, ["lookahead"] * 3)
    usual = batch.total(configuration, players, games=12)
    assert same(usual, batch.total(configuration, players, games=12, follow_up=scores_everything))


# --- hooks: a position ------------------------------------------------------------------------------------------------


def laid_out(configuration: Configuration, **top: Any) -> np.ndarray:
    """Four players in a position: player 1's turn, his hand is known, the next item too."""
    content = configuration.content.sections
    locations, (first, *_) = list(content["locations"]), content["items"]
    players = [{"location": locations[i], "gear": 2} for i in range(3)]
    players[1] |= {"hand": ["snowball-2", "snowball-3"], "items": [first]}
    assert SNOWBALL.read_position is not None
    return SNOWBALL.read_position(
        configuration, {"active": 1, "player": [*players, {"gear": 0}], "item_top": [list(content["items"])[1]], **top}
    )


def test_a_position_starts_every_game_and_the_unknown_is_dealt_anew() -> None:
    configuration, players = configure(), line_up(4, ["random"] * 4)
    position = laid_out(configuration)
    before = position.tobytes()
    hands = set()
    for number in range(30):
        found = trace.play_one(configuration, players, number, position=position)
        events = found.events
        first = events[events["event"] == Event.TURN][0]
        assert first["seat"] == 1 and found.final["player"][:4].tolist() == [0, 1, 2, 3]
        dealt_cards = events[: int(np.flatnonzero(events["event"] == Event.TURN)[0])]
        hands.add(tuple(dealt_cards["a"][dealt_cards["event"] == Event.CARD]))
        got = events[(events["event"] == Event.ITEM)]
        if len(got):
            assert configuration.rules[0]["item_kind"][got[0]["a"]] == 1  # the one on top of the deck
        assert found.outcome["gear"][3] == 0 or (events["event"] == Event.BACK).any()
    assert len(hands) == 30 and all(len(hand) == 4 for hand in hands)
    assert position.tobytes() == before


def test_a_position_and_a_script_say_what_happens_first() -> None:
    """Player 1 throws his second card at player 2: the same throw in every game."""
    configuration, players = configure(), line_up(4, ["random"] * 4)
    script = [int(Option.THROW) + 16 * 1 + 1024 * 2]
    for number in range(10):
        events = trace.play_one(configuration, players, number, position=laid_out(configuration), script=script).events
        throw = events[events["event"] == Event.THROW][0]
        assert (throw["seat"], throw["b"]) == (1, 2)
        kind = configuration.rules[0]["card_kind"][throw["a"]]
        assert configuration.rules[0]["number"][kind] == 3


def test_a_position_is_played_the_same_on_two_threads() -> None:
    configuration = configure()
    position = laid_out(configuration)
    one, two = (batch.total(configuration, line_up(), games=600, position=position, threads=t) for t in (1, 2))
    assert same(one, two) and one.status[: layout.Status.ENDLESS].sum() == 600


# --- hooks: forced deals, forbidden options --------------------------------------------------------------------------


def test_a_forced_deal_gives_the_player_what_it_says_and_the_others_what_is_left() -> None:
    plain = configure()
    kinds = plain.rules[0]
    usual = dealt(plain, range(40))
    items, locations, snowballs = (list(plain.content.sections[s]) for s in ("items", "locations", "snowballs"))
    deal = {2: {"item": items[3]}, 1: {"location": locations[4]}, 0: {"hand": [snowballs[2]]}}
    forced = dealt(plain, range(40), deal=deal)
    same_item = 0
    for number, (one, other) in enumerate(zip(usual, forced, strict=True)):
        chair = [(player + number) % 4 for player in range(4)]
        assert kinds["item_kind"][other["items"][chair[2]]] == 3
        assert kinds["location_kind"][other["locations"][chair[1]]] == 4
        assert 2 in [kinds["card_kind"][c] for c in other["snowballs"][2 * chair[0] : 2 * chair[0] + 2]]
        for name in ("items", "locations", "snowballs"):
            assert len(set(other[name])) == len(other[name])
        same_item += sum(a == b for a, b in zip(one["items"], other["items"], strict=True))
    assert same_item > 40  # before the forced card the deal is the usual one


def test_a_forbidden_kind_of_option_is_taken_only_where_it_is_the_only_one() -> None:
    configuration = configure(quickshots_per_number=3, kids="random")
    name = "random:forbid=quickshot+save"
    for number in range(60):
        events = trace.play_one(configuration, strategies.line_up("snowball", 4, [name]), number, why=True).events
        offered = events["a"][events["event"] == Event.OPTION] & 15
        answers = events["b"][events["event"] == Event.ANSWER] & 15
        assert not np.isin(offered, [Option.QUICKSHOT, Option.SAVE]).any()
        assert not np.isin(answers, [Option.QUICKSHOT, Option.SAVE]).any()


def test_all_kinds_forbidden_is_as_none() -> None:
    """A turn has to be played: where nothing else is left, a forbidden option is taken all the same."""
    every = "+".join(kind.name.lower() for kind in Option)
    restricted = batch.total(configure(), strategies.line_up("snowball", 4, [f"random:forbid={every}"]), games=600)
    assert same(restricted, batch.total(configure(), strategies.line_up("snowball", 4, ["random"]), games=600))


def test_a_restriction_binds_its_player_only() -> None:
    players = strategies.line_up("snowball", 4, ["random:forbid=clear_out", "random", "random", "random"])
    seen = {True: 0, False: 0}
    for number in range(60):
        found = trace.play_one(configure(), players, number)
        events = found.events
        clears = events[(events["event"] == Event.CLEAR_OUT) & (events["a"] == layout.Source.CHOICE)]
        for seat in clears["seat"]:
            seen[bool(found.final["player"][seat] == 0)] += 1
    assert seen[True] == 0 and seen[False] > 30


def test_an_unknown_hook_word_is_refused() -> None:
    with pytest.raises(InputError, match="no source of chance 'itmes'"):
        batch.total(configure(), line_up(), games=6, freeze={"itmes": 1})
    with pytest.raises(InputError, match="items"):
        batch.total(configure(), line_up(), games=6, freeze={"items": -5})
    with pytest.raises(InputError, match="items"):
        batch.total(configure(), line_up(), games=6, redraw={"items": 0})
    with pytest.raises(InputError, match="no key 'itm'"):
        batch.total(configure(), line_up(), games=6, deal={0: {"itm": "pinecone"}})
    with pytest.raises(InputError, match="no kind of option 'jump'"):
        batch.total(configure(), [replace(p, forbid=("jump",)) for p in line_up()], games=6)
    with pytest.raises(InputError, match="script has 300 answers"):
        batch.total(configure(), line_up(), games=6, script=[0] * 300)


def test_a_script_gives_the_first_answers() -> None:
    clear_out = int(Option.CLEAR_OUT)
    found = trace.play_one(configure(), line_up(), 3, script=[clear_out, clear_out]).events
    answers = found[found["event"] == Event.ANSWER][:2]
    assert (answers["b"] == clear_out).all() and (answers["a"] == Decision.TURN).all()


def test_a_script_that_is_not_on_offer_is_a_fault() -> None:
    with pytest.raises(PlayError, match="none of its options"):
        batch.total(configure(), line_up(), games=6, script=[int(Option.KID)])


# --- faults ----------------------------------------------------------------------------------------------------------


@kernel
def beyond_its_options(game, rules, work, seat, decision):
    """Legal but for its tenth decision of a game."""
    if game["asked"] == 10:
        return game["options"]
    return random_below(game, rules, seat, game["options"])


@kernel
def wrong_at_its_turn(game, rules, work, seat, decision):
    """Illegal at its own turn only."""
    if decision == 0 and game["turn"] >= 6:
        return -7
    return random_below(game, rules, seat, game["options"])


@kernel
def never_ends(game, rules, work, seat, decision):
    """What an effect without an end comes to."""
    if game["turn"] == 4:
        fail(game, ENDLESS, seat)
    return 0


def planted(policy: Any, name: str) -> Player:
    return Player(Strategy(name, "", "", policy))


def test_an_answer_outside_the_options_names_who_where_and_how_to_see_it() -> None:
    players = [*line_up(3), planted(beyond_its_options, "beyond")]
    with pytest.raises(PlayError) as caught:
        batch.total(configure(), players, games=600, first=120, seed=9)
    said = str(caught.value)
    number = int(said.split()[1])
    assert 120 <= number < 720
    assert f"game {number} of seed 9" in said and "player 3 (beyond)" in said and "none of its options" in said
    assert f"doomtrack trace snowball --game {number} --seed 9" in said
    assert "\n" not in said
    outcome = trace.play_one(configure(), players, number, seed=9).outcome
    assert outcome["status"] == layout.Status.ILLEGAL and outcome["fault_player"] == 3
    decision = Decision(int(outcome["fault_decision"])).name.lower()
    assert f"decision {decision!r}" in said and f"answered {outcome['fault_answer']}" in said


def test_the_fault_is_told_of_the_first_wrong_answer() -> None:
    """What is asked while the broken-off turn runs out does not take the first fault's place."""
    players = [planted(wrong_at_its_turn, "wrong")] * 4
    configuration = configure(quickshots_per_number=3)
    told = set()
    for number in range(40):
        outcome = trace.play_one(configuration, players, number).outcome
        assert outcome["status"] == layout.Status.ILLEGAL and outcome["fault_answer"] == -7
        told.add(Decision(int(outcome["fault_decision"])).name)
    assert told == {"TURN"}


def test_the_fault_of_the_lowest_game_number_is_told() -> None:
    """Also on two threads, where another may have been found first."""
    players = [*line_up(3), planted(beyond_its_options, "beyond")]
    said = set()
    for threads in (1, 2):
        with pytest.raises(PlayError) as caught:
            batch.total(configure(), players, games=600, threads=threads, block=60)
        said.add(str(caught.value))
    assert len(said) == 1


def test_blocks_before_the_fault_are_kept() -> None:
    blocks = batch.play(configure(), [planted(never_ends, "endless")] * 4, games=600)
    with pytest.raises(PlayError, match=r"did not end .*player \d \(endless\)"):
        next(blocks)


def test_an_effect_that_does_not_end_is_a_fault() -> None:
    outcome = trace.play_one(configure(), [planted(never_ends, "endless")] * 4, 0).outcome
    assert outcome["status"] == layout.Status.ENDLESS
    assert outcome["share"].sum() == 0


# --- shared luck -----------------------------------------------------------------------------------------------------


def test_a_ruling_that_never_fires_changes_nothing() -> None:
    """Games in which no QuickShot was answered are the same with and without the ruling, bit by bit."""
    ruling = "ruling.quickshot_answers_quickshot"
    plain = {"quickshots_per_number": 2}
    usual = rows(configure(**plain), line_up(4, ["random"] * 4), 1200)
    other_configuration = configure(**plain, **{ruling: True})
    answered = np.zeros(1200, bool)
    rules, _ = batch.prepare(other_configuration, line_up(4, ["random"] * 4))
    game, work = batch.new_work(other_configuration, None)
    asked = np.zeros(1200, int)
    other = []
    for number in range(1200):
        SNOWBALL.kernel("play_block")(game[0], rules[0], work[0], number, 1)
        answered[number] = game[0]["tally"][layout.Ledger.QUICKSHOT_ANSWERED] > 0
        asked[number] = game[0]["tally"][Tally.RESPONSES]
        other.append(work[0]["outcome"][0].copy())
    alike = np.array([a.tobytes() == b.tobytes() for a, b in zip(usual, other, strict=True)])
    assert alike[asked == 0].all() and (asked == 0).sum() > 10
    assert answered.any() and not alike[answered].all()
    assert alike.mean() > 0.3


def test_a_card_more_that_nobody_draws_changes_nothing() -> None:
    """One more copy of an item: a game that never draws it is the same game, bit by bit."""
    plain = configure()
    items = plain.content.sections["items"]
    slug = next(iter(items))
    more = configure(**{f"items.{slug}.copies": items[slug].copies + 1})
    players = line_up(4, ["random"] * 4)
    usual, other = rows(plain, players, 1200), rows(more, players, 1200)
    extra = items[slug].copies  # the added card's number: the cards of a kind lie together, the first kind first
    assert more.rules[0]["item_kind"][extra] == 0
    alike = np.array([a.tobytes() == b.tobytes() for a, b in zip(usual, other, strict=True)])
    drawn = np.zeros(300, bool)
    for number in range(300):
        events = trace.play_one(more, players, number).events
        drawn[number] = (events["a"][events["event"] == Event.ITEM] == extra).any()
        reshuffled = (events["event"] == Event.RESHUFFLE) & (events["a"] == layout.Deck.ITEMS)
        drawn[number] |= reshuffled.any()
    assert alike[:300][~drawn].all() and (~drawn).sum() > 30
    print(f"identical games with one {slug} more: {alike.mean():.0%}")
    assert alike.mean() > 0.2


def test_more_turns_before_the_cap_leave_finished_games_alone() -> None:
    short, long = rows(configure(turn_cap=40), line_up(), 600), rows(configure(turn_cap=400), line_up(), 600)
    finished = short["status"] != layout.Status.CAPPED
    assert 0 < finished.sum() < 600
    assert short[finished].tobytes() == long[finished].tobytes()
    assert (short[~finished]["share"] == 0).all() and (short[~finished]["turns"] == 40).all()


# --- the record ------------------------------------------------------------------------------------------------------


def test_a_game_stays_small() -> None:
    """What a look-ahead copies of it; the contract has a limit for each game."""
    assert layout.GAME.fields[records.UNCOPIED][1] < 16 * 1024


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"games": 0}, "games must be"),
        ({"games": -5}, "games must be"),
        ({"games": 10**99}, "games must be"),
        ({"games": 6, "first": -1}, "number 0..2"),
        ({"games": 6, "first": 10**30}, "number"),
        ({"games": 6, "seed": -1}, "seed -1"),
        ({"games": 6, "seed": 2**63}, "outside"),
        ({"games": 6, "block": 0}, "a block has"),
        ({"games": 6, "block": 3001}, "a block has"),
    ],
    ids=str,
)
def test_bad_numbers_are_refused_in_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        batch.total(configure(), line_up(), **options)
    assert "\n" not in str(caught.value)


def test_a_line_up_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(InputError, match="4 players need a line-up of 4, not 3"):
        batch.total(configure(), line_up(3), games=6)


# --- several sides ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_sides_played_together_are_those_played_alone(threads: int) -> None:
    sides = [(configure(gear=gear), line_up(names=["greedy"] * 4)) for gear in (3, 4)]
    how: dict[str, Any] = {"games": 1500, "first": 600, "seed": 5, "block": 600, "threads": threads}

    def see(blocks: Sequence[batch.Block]) -> list[tuple[int, Totals, np.ndarray]]:
        return [(b.first, b.totals, b.outcomes.copy()) for b in blocks if b.outcomes is not None]

    seen = list(batch.play_together(sides, see, **how))
    assert [[first for first, *_ in block] for block in seen] == [[600] * 2, [1200] * 2, [1800] * 2]
    for k, (configuration, players) in enumerate(sides):
        alone = list(batch.play(configuration, players, keep=True, **how))
        for block, (_, totals, outcomes) in zip(alone, (s[k] for s in seen), strict=True):
            assert same(block.totals, totals) and np.array_equal(block.outcomes, outcomes)
