"""Luck is fair and shared: no player and no chair is favored, and a change that a game never meets leaves it alone."""

import numpy as np
import pytest

import strategies
from simcore import batch
from simcore.game import Configuration, Player, Strategy, games
from tests.contract.caught import configurations, planted
from tests.contract.changes import Change
from tests.contract.games import table

GAMES = games()
CHANGES, EVEN = table("CHANGES"), table("EVEN")
TOGETHER, RICH = table("TOGETHER"), table("RICH")
every_change = pytest.mark.parametrize(
    ("game", "change"), [pytest.param(g, c, id=f"{g}-{c.name}") for g in CHANGES for c in CHANGES[g]]
)
many_games = pytest.mark.parametrize("count", [12_000, pytest.param(60_000, marks=pytest.mark.slow)])
SIGMA = 4.0  # 20 comparisons: one in a thousand runs would fail by luck, and the luck is the same in every run


def test_a_list_of_changes_is_written_for_every_game() -> None:
    assert CHANGES.keys() == EVEN.keys() == GAMES.keys()
    assert all(len(CHANGES[game]) >= 5 and EVEN[game] for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_ruling_is_among_the_changes(game: str) -> None:
    tried = {pair for change in CHANGES[game] for pair in change.change.items()}
    for parameter in GAMES[game].parameters:
        if parameter.source == "ruling":
            values = parameter.choices or (True, False)
            assert {(parameter.name, v) for v in values if v != parameter.default} <= tried, parameter.name


# --- a change that is not met ----------------------------------------------------------------------------------------


def play(configuration: Configuration, change: Change, strategy: Strategy) -> tuple[list[bytes], np.ndarray]:
    """Each game's outcome and number of decisions; and whether the change was met in it."""
    rules, _ = batch.prepare(configuration, [Player(strategy)] * configuration.seats)
    game, work = batch.new_work(configuration, None)
    outcomes, met, is_met = [], np.zeros(change.games, bool), change.mark(configuration)
    for number in range(change.games):
        batch.call_kernel(configuration, rules, game, work, number, 1)
        outcomes.append(work[0]["outcome"][0].tobytes() + game[0]["asked"].tobytes())
        met[number] = is_met(game[0])
    return outcomes, met


def with_and_without(game: str, change: Change, strategy: Strategy) -> tuple[np.ndarray, np.ndarray]:
    """Which games are the same with the change and without; and in which it was met, here or there."""
    usual, met = play(GAMES[game].configure(dict(change.base)), change, strategy)
    other, met_there = play(GAMES[game].configure({**change.base, **change.change}), change, strategy)
    return np.array([one == two for one, two in zip(usual, other, strict=True)]), met | met_there


@every_change
def test_a_change_that_is_not_met_changes_nothing(game: str, change: Change) -> None:
    """Outcome for outcome, bit by bit; and it is met, and matters, in some of the games."""
    strategy = strategies.known(game)[change.strategy]
    if change.policy is not None:
        strategy = Strategy("own", "", "", change.policy)
    alike, met = with_and_without(game, change, strategy)
    wrong = np.flatnonzero(~alike & ~met)
    assert len(wrong) == 0, f"games {wrong[:5].tolist()} differ though the change was not met in them"
    assert met.sum() >= 5, "the change is hardly ever met: this proves nothing"
    assert (~met).sum() >= 20, "nearly every game meets the change: this proves nothing"
    assert (~alike).any(), "the change does not matter where it is met: this proves nothing"


@pytest.mark.parametrize("game", GAMES)
def test_luck_drawn_in_sequence_would_be_noticed(game: str) -> None:
    """A planted fault: what one game draws shifts the luck of the next."""
    alike, met = with_and_without(game, CHANGES[game][0], Strategy("sequence", "", "", planted(game, "in_sequence")))
    assert (~alike & ~met).sum() > 20


# --- nobody is favored -----------------------------------------------------------------------------------------------

RIVALS = [game for game in GAMES if not TOGETHER[game]]  # in which one player wins
FRIENDS = [game for game in GAMES if TOGETHER[game]]  # in which all win, or lose


def unevenness(shares: np.ndarray) -> float:
    """By how many standard errors the most favored column differs from the mean of all."""
    apart = shares - shares.mean(axis=1, keepdims=True)
    spread = apart.std(axis=0) * np.sqrt(len(shares))
    return float(np.max(np.abs(apart.sum(axis=0)) / np.where(spread == 0, 1, spread)))


def shares(configuration: Configuration, name: str, games: int) -> np.ndarray:
    """Win shares in sixtieths: a row a game, a column a player of the line-up, all of one strategy."""
    players = strategies.line_up(configuration.game.name, configuration.seats, [name])
    blocks = batch.play(configuration, players, games=games, keep=True)
    rows = np.concatenate([b.outcomes["share"] for b in blocks if b.outcomes is not None])
    return rows[:, : configuration.seats].astype(float)


def by_chair(found: np.ndarray) -> np.ndarray:
    """The same by chair: in game k, player p sits k chairs on."""
    count, seats = found.shape
    chairs = (np.arange(seats) - np.arange(count)[:, None]) % seats
    turned: np.ndarray = np.take_along_axis(found, chairs, axis=1)
    return turned


@many_games
@pytest.mark.parametrize(
    "configuration",
    [pytest.param(c, id=f"{game}-{c.seats}") for game in RIVALS for c in configurations(game) if c.seats > 1],
)
def test_players_of_one_strategy_win_alike(configuration: Configuration, count: int) -> None:
    found = shares(configuration, "random", count)
    assert found.sum() > 0
    assert unevenness(found) < SIGMA


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in RIVALS for name in strategies.known(game) if name != "random"]
)
def test_players_of_every_strategy_win_alike(game: str, name: str) -> None:
    configuration = GAMES[game].configure()
    slow = strategies.known(game)[name].looks_ahead
    assert unevenness(shares(configuration, name, 240 if slow else 6_000)) < SIGMA


@many_games
@pytest.mark.parametrize(
    ("game", "settings"),
    [pytest.param(g, s, id=f"{g}-{s['players']}") for g in RIVALS if not isinstance(EVEN[g], str) for s in EVEN[g]],
)
def test_no_chair_is_better_where_the_rules_know_no_first(game: str, settings: dict, count: int) -> None:
    found = shares(GAMES[game].configure(settings), "random", count)
    assert unevenness(by_chair(found)) < SIGMA


@pytest.mark.parametrize("game", RIVALS)
def test_a_favored_player_would_be_noticed(game: str) -> None:
    """A win in fifty games taken from one player and given to another."""
    configuration = GAMES[game].configure()
    found = shares(configuration, "random", 12_000)
    assert unevenness(found) < SIGMA
    taken = np.flatnonzero(found[:, 0] > 0)
    taken = taken[: len(found) // 50]
    found[taken, 1] += found[taken, 0]
    found[taken, 0] = 0
    assert unevenness(found) > SIGMA


@pytest.mark.parametrize("game", FRIENDS)
def test_those_who_win_together_win_alike(game: str) -> None:
    """In every game: each has the same share, and some games are won; why there are no even chairs is said."""
    assert isinstance(EVEN[game], str) and EVEN[game]
    won = 0.0
    for settings in RICH[game]:
        found = shares(GAMES[game].configure(settings), "random", 1200)
        assert (found == found[:, :1]).all()
        won += found.sum()
    assert won > 0


@pytest.mark.parametrize("game", FRIENDS)
def test_roles_stay_with_their_players(game: str) -> None:
    """The line-up does not turn: who has a role has it in every game."""
    assert GAMES[game].roles
    for configuration in configurations(game):
        rules, _ = batch.prepare(configuration, strategies.line_up(game, configuration.seats, ["random"]))
        record, work = batch.new_work(configuration, None)
        seated = set()
        for number in range(12):
            batch.call_kernel(configuration, rules, record, work, number, 1)
            seated.add(tuple(record[0]["player"][: record[0]["seats"]].tolist()))
        assert len(seated) == 1


@pytest.mark.parametrize("game", RIVALS)
def test_the_chairs_turn_as_the_records_say(game: str) -> None:
    """`by_chair` takes the chairs from the number of the game; here they are those of the record."""
    configuration = configurations(game)[-1]
    players = strategies.line_up(game, configuration.seats, ["random"])
    rules, _ = batch.prepare(configuration, players)
    record, work = batch.new_work(configuration, None)
    numbers = np.tile(np.arange(configuration.seats), (12, 1))
    for number, at in enumerate(by_chair(numbers)):
        batch.call_kernel(configuration, rules, record, work, number, 1)
        assert record[0]["player"][: configuration.seats].tolist() == at.tolist()
