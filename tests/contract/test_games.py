"""What every game and every strategy owes: it ends, wins add up, nothing is lost, and nobody sees what he may not."""

from collections.abc import Callable

import numpy as np
import pytest

import strategies
from simcore import batch, jit, records, trace
from simcore.errors import InputError
from simcore.game import Configuration, Strategy, games
from simcore.records import Status
from tests.contract import caught
from tests.contract.caught import Caught, ask, collection, configurations, planted, redeal, rules_for
from tests.contract.games import ends, table
from tools.lineups import mixed, settings_of

GAMES = games()
CHECKS, LOSE, LIES, HEAPS, NEXT, CHEATS = (table(n) for n in ("CHECKS", "LOSE", "LIES", "HEAPS", "NEXT", "CHEATS"))
MANY = 400  # positions from which things are dealt anew many times
TOGETHER, AUTOMATON, SEATS = table("TOGETHER"), table("AUTOMATON"), table("SEATS")
STRATEGIES = [(game, name) for game in GAMES for name in strategies.known(game)]
every_game = pytest.mark.parametrize("game", GAMES)
every_strategy = pytest.mark.parametrize(("game", "name"), STRATEGIES)


SETTINGS = [(game, *setting) for game in GAMES.values() for setting in settings_of(game)]


@pytest.fixture(params=SETTINGS, ids=lambda setting: f"{setting[0].name}-{setting[1]}")
def configuration(request: pytest.FixtureRequest) -> Configuration:
    """Each parameter and ruling at its other values, each overlay."""
    game, _, settings, overlays = request.param
    try:
        found: Configuration = game.configure(settings, overlays)
    except InputError as error:  # a bound that only another setting makes possible
        pytest.skip(str(error))
    return found


def shares_add_up(configuration: Configuration, rows: np.ndarray) -> None:
    """A win is 60 sixtieths, whoever shares it; a game without a winner has none. Either one player wins, and has it
    all, or all win together: then no one is the winner, and each has the same. What an automaton wins is missing."""
    assert np.isin(rows["status"], ends(configuration.game.name)).all()
    ended = np.isin(rows["status"], [Status.WON, Status.TIED])
    field = AUTOMATON[configuration.game.name]
    if field and configuration.rules[0][field]:
        lost = ended & (rows["winner"] == records.NONE) & (rows["share"].sum(axis=1) < records.SIXTIETHS)
        assert (rows["share"][lost & (rows["status"] == Status.WON)] == 0).all()
        rows, ended = rows[~lost], ended[~lost]
    assert (rows["share"].sum(axis=1) == np.where(ended, records.SIXTIETHS, 0)).all()
    assert (rows["share"] >= 0).all()
    won = rows[rows["status"] == Status.WON]
    if TOGETHER[configuration.game.name]:
        assert (rows["winner"] == records.NONE).all()
        assert (won["share"][:, : configuration.seats] == records.SIXTIETHS // configuration.seats).all()
        return
    assert ((rows["winner"] >= 0) == (rows["status"] == Status.WON)).all()
    assert (won["share"][np.arange(len(won)), won["winner"]] == records.SIXTIETHS).all()


def play(configuration: Configuration, names: list[str], count: int) -> np.ndarray:
    players = strategies.line_up(configuration.game.name, configuration.seats, names)
    blocks = batch.play(configuration, players, games=count, keep=True, threads=1)
    found: np.ndarray = np.concatenate([block.outcomes for block in blocks])
    return found


# --- games end -------------------------------------------------------------------------------------------------------


@every_strategy
def test_every_strategy_plays_games_to_their_end(game: str, name: str) -> None:
    """Among themselves, with every number of players; whatever does not end is capped and counted."""
    slow = strategies.known(game)[name].looks_ahead
    for configuration in configurations(game):
        rows = play(configuration, [name], 12 if slow else 60)
        assert (rows["turns"] <= configuration.rules[0]["turn_cap"]).all() and (rows["turns"] > 0).all()
        shares_add_up(configuration, rows)


def test_every_setting_can_be_played(configuration: Configuration) -> None:
    rows = play(configuration, list(mixed(configuration.game, configuration.seats)), 60)
    shares_add_up(configuration, rows)


def test_no_card_is_lost_or_doubled(configuration: Configuration) -> None:
    """At the end of each game every card is somewhere, once."""
    game = configuration.game
    players = strategies.line_up(game.name, configuration.seats, ["random"])
    rules, _ = batch.prepare(configuration, players)
    record, work = batch.new_work(configuration, None)
    play_block = game.kernel("play_block")
    for number in range(12):
        play_block(record[0], rules[0], work[0], number, 1)
        CHECKS[game.name](record[0], rules[0])


@every_game
def test_every_player_has_his_seats(game: str) -> None:
    """As many as the rules say, and no seat is without a player; from game to game, too."""
    for configuration in configurations(game):
        players = configuration.seats
        rules, _ = batch.prepare(configuration, strategies.line_up(game, players, ["random"]))
        record, work = batch.new_work(configuration, None)
        for number in range(3):
            GAMES[game].kernel("play_block")(record[0], rules[0], work[0], number, 1)
            seats = int(record[0]["seats"])
            assert seats == rules[0]["seats"] == SEATS[game][players] >= players
            assert set(record[0]["player"][:seats].tolist()) == set(range(players))


@every_game
def test_a_card_lost_would_be_noticed(game: str) -> None:
    position = collection(game)[0]
    fresh = position.copy()
    rules = rules_for(position.configuration, next(iter(strategies.known(game).values())))
    CHECKS[game](fresh.game[0], rules[0])
    LOSE[game](fresh.game[0])
    with pytest.raises(AssertionError):
        CHECKS[game](fresh.game[0], rules[0])


@every_game
def test_positions_are_of_many_kinds(game: str) -> None:
    assert len(collection(game)) >= 60
    assert len({p.decision for p in collection(game)}) >= 4
    assert {p.configuration.seats for p in collection(game)} >= {c.seats for c in configurations(game)}
    assert sum(p.game[0]["answers"] > 0 for p in collection(game)) >= 30


# --- what a seat cannot see ------------------------------------------------------------------------------------------


@every_game
def test_a_redeal_leaves_what_the_seat_sees(game: str) -> None:
    """All public fields, the own hand and memory; and every card is still somewhere, once."""
    layout = GAMES[game].layout
    changed: set[str] = set()
    for position in collection(game):
        fresh = position.copy()
        redeal(fresh.game[0], position, sample=3)
        for field in layout.GAME.names:
            before, after = position.game[0][field], fresh.game[0][field]
            if not np.array_equal(before, after):
                changed.add(field)
                if field in layout.SEAT_ONLY:
                    assert np.array_equal(before[position.seat], after[position.seat]), field
                else:
                    assert field in (*layout.HIDDEN, *layout.UNREAD, "replay_sample"), field
        rules = rules_for(position.configuration, next(iter(strategies.known(game).values())))
        CHECKS[game](fresh.game[0], rules[0])
    assert "key" in changed and len(changed) >= 3


@every_game
def test_a_redeal_keeps_nothing_of_the_true_deal(game: str) -> None:
    """Dealt anew from two different truths that look alike to the seat, the game is the same."""
    for position in collection(game):
        true, other = position.copy(), position.copy()
        redeal(other.game[0], position, sample=5)
        assert other.game.tobytes() != position.game.tobytes()
        for record in (true.game[0], other.game[0]):
            redeal(record, position, sample=0)
        for field in GAMES[game].layout.GAME.names:
            one, two = true.game[0][field], other.game[0][field]
            if field not in HEAPS[game]:
                assert np.array_equal(one, two), field
        assert LIES[game](true.game[0]) == LIES[game](other.game[0])


@every_game
def test_redeals_differ_and_no_key_is_the_true_one(game: str) -> None:
    for position in collection(game)[::4]:
        keys = []
        for sample in range(4):
            fresh = position.copy()
            redeal(fresh.game[0], position, sample=sample)
            keys.append(fresh.game[0]["key"].copy())
        true = set(position.game[0]["key"].tolist())
        assert all(len(set(k.tolist()) & true) <= 1 for k in keys)  # the own stream's is kept by the test
        flat = [int(k) for row in keys for k in row if int(k) not in true]
        assert len(set(flat)) == len(flat)


def told_apart(game: str, strategy: Strategy) -> tuple[int, int]:
    """(positions tried, answers that changed) where only what the seat cannot see is dealt anew.

    A strategy that looks ahead plays the turn again from its start, which has to be the same deal: it is asked at the
    first decision of a turn, and the start is dealt anew alike.
    """
    tried = changed = 0
    for position in collection(game):
        if strategy.looks_ahead and not position.at_the_start:
            continue
        usual = ask(position.copy(), strategy)
        for sample in (1, 2):
            fresh = position.copy()
            redeal(fresh.game[0], position, sample)
            if strategy.looks_ahead:
                fresh.turn_start[0]["key"] = fresh.game[0]["key"]
                for field in (*GAMES[game].layout.HIDDEN, *GAMES[game].layout.SEAT_ONLY):
                    fresh.turn_start[0][field] = fresh.game[0][field]
            tried += 1
            changed += ask(fresh, strategy) != usual
    return tried, changed


@every_strategy
def test_no_strategy_sees_what_its_seat_may_not(game: str, name: str) -> None:
    tried, changed = told_apart(game, strategies.known(game)[name])
    assert tried >= 30 and changed == 0


@every_game
def test_a_strategy_that_reads_the_keys_is_caught(game: str) -> None:
    assert told_apart(game, Strategy("peek", "", "", planted(game, "peek")))[1] > 10


@pytest.mark.parametrize(("game", "what"), [(game, what) for game in GAMES for what in CHEATS[game]])
def test_a_strategy_that_reads_hidden_cards_is_caught(game: str, what: str) -> None:
    cheat = CHEATS[game][what]
    assert told_apart(game, Strategy(f"cheat {what}", "", "", cheat))[1] > 10


# --- looking ahead ---------------------------------------------------------------------------------------------------

NOT_REPLAYED = {"policy", "silent", "forced", "replay_seat", "replay_sample", "answer", "drawn", "memory"}


def look_ahead(position: Caught, index: int, sample: int, dealer: Callable | None = None) -> np.ndarray:
    """The work record after option `index` was played on from a caught position."""
    configuration = position.configuration
    rules = rules_for(configuration, next(iter(strategies.known(configuration.game.name).values()))).copy()
    if dealer is not None:
        rules[0]["redeal"] = jit.address(dealer)
    _, work = caught.records(configuration.game.name)
    work[0]["turn_start"] = position.turn_start[0]
    before = position.game.tobytes()
    try_option = jit.build(planted(configuration.game.name, "play_option"))
    try_option(position.game[0], rules[0], work[0], position.seat, index, sample)
    assert position.game.tobytes() == before
    return work


@every_game
def test_the_turn_played_again_comes_to_the_same_decision(game: str) -> None:
    """Deep inside an effect, too: every field is as it was when the policy was asked, and so are the answers."""
    for position in collection(game):
        work = look_ahead(position, 0, 0, planted(game, "keep"))
        again, here = work[0]["position"], int(position.game[0]["answers"])
        for field in set(GAMES[game].layout.GAME.names) - NOT_REPLAYED - caught.uncopied(game):
            assert np.array_equal(again[field], position.game[0][field]), (field, position.decision)
        assert (again["answer"][:here] == position.game[0]["answer"][:here]).all()
        assert again["silent"] == 1 and again["forced"] == here + 1


def turns(record: np.ndarray) -> int:
    """Turns that are over; a monster's own set-up, where there is one, is a turn before the first."""
    return int(record["turn"]) - (int(record["setting_up"]) if "setting_up" in (record.dtype.names or ()) else 0)


@every_game
def test_a_look_ahead_ends_the_turn_and_knows_no_true_key(game: str) -> None:
    for position in collection(game):
        for index in (0, int(position.game[0]["options"]) - 1):
            scratch = look_ahead(position, index, 1)[0]["scratch"]
            assert scratch["status"] in (Status.PLAYING, *ends(game))
            assert turns(scratch) == turns(position.game[0]) + 1 or scratch["status"] != Status.PLAYING
            assert not set(scratch["key"].tolist()) & set(position.game[0]["key"].tolist())
            rules = rules_for(position.configuration, next(iter(strategies.known(game).values())))
            CHECKS[game](scratch, rules[0])


@pytest.mark.parametrize(("game", "what"), [(game, what) for game in GAMES for what in NEXT[game]])
def test_what_is_hidden_is_no_likelier_to_be_the_truth(game: str, what: str) -> None:
    """Over positions and re-deals: the next hidden card, or what else is hidden, is the true one as often as by
    chance."""
    hits, expected = 0, 0.0
    positions = collection(game)
    for position in positions[:: 1 + len(positions) // MANY]:
        rules = rules_for(position.configuration, strategies.known(game)["random"])[0]
        truth = NEXT[game][what](position.game[0], rules, position.seat)
        if truth is None:
            continue
        for sample in range(40):
            fresh = position.copy()
            redeal(fresh.game[0], position, sample)
            card, chance = NEXT[game][what](fresh.game[0], rules, position.seat)
            hits += card == truth[0]
            expected += chance
    assert expected > 30
    assert abs(hits - expected) < 5 * np.sqrt(expected)


@every_game
def test_samples_see_different_futures(game: str) -> None:
    positions = [p for p in collection(game) if p.game[0]["options"] > 1][:20]
    size = caught.copied(GAMES[game].layout.GAME)

    def futures() -> list[bytes]:
        return [look_ahead(p, 0, sample)[0]["scratch"].tobytes()[:size] for p in positions for sample in (0, 1)]

    found = futures()
    assert len(set(found)) == len(found)
    assert futures() == found


@every_game
def test_a_traced_game_tells_of_every_turn(game: str) -> None:
    configuration = configurations(game)[-1]
    players = strategies.line_up(game, configuration.seats, ["random"])
    found = trace.play_one(configuration, players, 1)
    assert len(GAMES[game].tell(configuration, found.events)) > found.outcome["turns"]
