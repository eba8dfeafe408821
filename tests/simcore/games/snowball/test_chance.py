"""Every shuffle, deal and draw of Snowball by chi-square, through the game's own code; and no two deals alike."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch, jit
from simcore.game import Configuration, find_game
from simcore.games.snowball import layout, turn
from simcore.games.snowball.layout import Decision, Deck, Event, Stream
from simcore.games.snowball.rules import decks, effects, hits, setup, throw
from simcore.jit import copy_record
from simcore.rng import GOLDEN, mix, open_streams
from tests.simcore.chance import LEAST, alike, all_alike, independent, places
from tests.simcore.sampling import sampler

SNOWBALLS, LOCATIONS, ITEMS = int(Deck.SNOWBALLS), int(Deck.LOCATIONS), int(Deck.ITEMS)
SET_ASIDE = int(Event.SET_ASIDE)
NOTHING, POOL, RESHUFFLE, COME_BACK, REDEAL = range(5)  # what is done after the deal
CHUNK = 2000
u64 = np.uint64
set_up, send_inside, come_back, pool_hands = setup.set_up, hits.send_inside, effects.come_back, effects.pool_hands
reshuffle, redeal, draw, discard, fastest = decks.reshuffle, turn.redeal, decks.draw, decks.discard, throw.fastest


@sampler(layout, np.zeros(1, layout.GAME))
def deal_games(game, rules, work, first, then, sample, rows):
    """Deal the games from number `first` on, one a row; `memory` says which cards were set aside (1 a card)."""
    for i in range(rows.shape[0]):
        if then == REDEAL:  # one game, what a seat cannot see dealt anew again and again
            set_up(game, rules, work, first)
            game["replay_sample"] = sample + i
            redeal(game, rules, work, game["active"])
            copy_record(rows[i], game)
            continue
        work["traced"] = 0
        set_up(game, rules, work, first + i)
        for j in range(work["traced"]):
            if work["trace"][j]["event"] == SET_ASIDE:
                card = work["trace"][j]["a"]
                game["memory"][card // 16, card % 16] = 1
        if then == POOL:
            pool_hands(game, rules, work, 0)
        elif then == RESHUFFLE:  # the whole draw deck was used up
            for deck in range(3):
                while game["deck_next"][deck] < game["deck_size"][deck]:
                    discard(game, deck, draw(game, rules, work, deck))
                reshuffle(game, rules, work, deck)
        elif then == COME_BACK:
            game["gear"][0] = 0
            send_inside(game, rules, work, 0)
            game["gear"][0] = 1
            come_back(game, rules, work, 0)
        copy_record(rows[i], game)


@sampler(layout, np.zeros(1, u64))
def deal_digests(game, rules, work, first, found):
    """One number for all that lies where after the deal of each game."""
    for i in range(found.shape[0]):
        set_up(game, rules, work, first + i)
        digest = u64(game["start"])
        for seat in range(game["seats"]):
            digest = mix(digest * GOLDEN + u64(game["location"][seat]))
            digest = mix(digest * GOLDEN + u64(game["held"][seat, 0]))
            for slot in range(game["hand_size"][seat]):
                digest = mix(digest * GOLDEN + u64(game["hand"][seat, slot]))
        for deck in range(3):
            for place in range(game["deck_next"][deck], game["deck_size"][deck]):
                digest = mix(digest * GOLDEN + u64(game["deck"][deck, place]))
        found[i] = digest


@sampler(layout, np.zeros((1, 1, 1), int))
def order_responders(game, rules, work, games, throws, orders):
    """The order in which the others of four are the fastest to answer seat 1, by game and throw."""
    game["seats"] = 4
    for number in range(games):
        game["number"] = number
        open_streams(game, rules)
        for t in range(throws):
            game["throws"] = t + 1
            game["window_shooter"] = 0
            for rank in range(3):
                orders[number, t, rank] = fastest(game, 1, rank + 1)


def records_for(seed: int = 1, **settings: Any) -> tuple[Configuration, Any, Any, Any]:
    """A configuration and its three records, tracing on."""
    configuration = find_game("snowball").configure(settings)
    players = strategies.line_up("snowball", configuration.seats, ["random"])
    rules, _ = batch.prepare(configuration, players, seed=seed)
    game, work = batch.new_work(configuration, None)
    work[0]["tracing"] = 1
    return configuration, game[0], rules[0], work[0]


def dealt(
    games: int, then: int = NOTHING, *, first: int = 0, change: Mapping[str, int] | None = None, **settings: Any
) -> Iterator[np.ndarray]:
    """The GAME records of so many deals, in chunks (a row is overwritten by the next chunk's)."""
    _, game, rules, work = records_for(**settings)
    for field, number in (change or {}).items():
        rules[field] = number
    jit.build(deal_games)
    rows = np.zeros(CHUNK, layout.GAME)
    for start in range(0, games, CHUNK):
        deal_games(game, rules, work, first if then == REDEAL else first + start, then, start, rows)
        yield rows


def rules_of(**settings: Any) -> Any:
    return find_game("snowball").configure(settings).rules[0]


def is_event(rules: Any) -> np.ndarray:
    found: np.ndarray = rules["is_event"][rules["card_kind"][: rules["cards"]]] == 1
    return found


# --- the opening deal ------------------------------------------------------------------------------------------------


@cache
def opening() -> dict[str, np.ndarray]:
    """What 20,000 opening deals of four players come to."""
    rules = rules_of()
    cards = int(rules["cards"])
    left = cards - 8
    found: dict[str, Any] = {
        "hands": np.zeros((8, cards), int),
        "deck": np.zeros((cards, left), int),
        "aside": np.zeros((cards, left), int),
        "locations": np.zeros((20, 20), int),
        "items": np.zeros((20, 20), int),
        "top": [],
    }
    for rows in dealt(20_000):
        hands = rows["hand"][:, :4, :2].reshape(len(rows), 8)
        found["hands"] += places(hands, cards).T
        assert (rows["deck_size"] - rows["deck_next"] == [left, 16, 16]).all()
        first = rows["deck_next"][:, SNOWBALLS]
        order = rows["deck"][:, SNOWBALLS][np.arange(len(rows))[:, None], first[:, None] + np.arange(left)]
        together = np.sort(np.concatenate([hands, order], axis=1))
        assert (together == np.arange(cards)).all()
        found["deck"] += places(order, cards)
        aside = rows["memory"].reshape(len(rows), -1)[:, :cards] == 1
        found["aside"] += places(np.where(aside[np.arange(len(rows))[:, None], order], order, -1), cards)
        found["top"].append(order[:, :3])
        for deck, name, lie in (
            (LOCATIONS, "locations", rows["location"][:, :4]),
            (ITEMS, "items", rows["held"][:, :4, 0]),
        ):
            found[name] += places(np.concatenate([lie, rows["deck"][:, deck, 4:20]], axis=1), 20)
    found["top"] = np.concatenate(found["top"])
    return found


def test_every_numbered_card_is_as_likely_in_every_hand() -> None:
    events = is_event(rules_of())
    hands = opening()["hands"]
    assert not hands[:, events].any()
    assert all_alike(hands[:, ~events]) > LEAST


def test_every_card_is_as_likely_in_every_place_of_the_deck() -> None:
    """Also an Event, whether or not it was drawn into an opening hand and shuffled back [R2]."""
    table = opening()["deck"]
    assert all_alike(table) > LEAST
    events = is_event(rules_of())
    assert alike(table[events].sum(axis=0)) > LEAST
    assert alike(table[~events].sum(axis=0)) > LEAST


def test_an_event_set_aside_returns_to_any_place() -> None:
    events = is_event(rules_of())
    aside = opening()["aside"]
    assert not aside[~events].any()
    assert alike(aside.sum(axis=0)) > LEAST
    assert alike(aside[events].sum(axis=1)) > LEAST  # and any of them is as likely to be set aside


def test_neighbours_in_the_deck_are_independent() -> None:
    """The first cards of the deck, each an Event or not: like draws without return."""
    events = is_event(rules_of())
    top = opening()["top"]
    kinds = events[top] @ [4, 2, 1]
    n, e = 53, int(events.sum())
    expected = []
    for code in range(8):
        chance, left, first = 1.0, n, [e, n - e]
        for bit in (4, 2, 1):
            which = 0 if code & bit else 1
            chance *= first[which] / left
            first[which] -= 1
            left -= 1
        expected.append(chance * len(top))
    assert alike(np.bincount(kinds, minlength=8), np.array(expected)) > LEAST


@pytest.mark.parametrize("deck", ["locations", "items"])
def test_every_location_and_item_is_as_likely_for_everyone(deck: str) -> None:
    """Columns: the four players, then the deck from its top."""
    assert all_alike(opening()[deck]) > LEAST


def test_decks_are_shuffled_independently() -> None:
    table = np.zeros((20, 20), int)
    for rows in dealt(20_000):
        np.add.at(table, (rows["location"][:, 0], rows["held"][:, 0, 0]), 1)
    assert independent(table) > LEAST


def test_neighbouring_games_are_independent() -> None:
    table = np.zeros((20, 20), int)
    for rows in dealt(20_000):
        np.add.at(table, (rows["location"][:-1, 0], rows["location"][1:, 0]), 1)
    assert independent(table) > LEAST


# --- who starts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", [2, 4])
def test_a_tie_for_the_start_is_decided_by_fair_lots(ties: int) -> None:
    """[R3] Two of four, and all four where all locations have one cover."""
    rules = rules_of()
    change = {"location_cover": 12} if ties == 4 else {}
    for field, number in change.items():
        rules[field] = number
    lots = np.zeros(ties, int)
    for rows in dealt(20_000, change=change):
        covers = rules["location_cover"][rules["location_kind"][rows["location"][:, :4]]]
        lowest = covers == covers.min(axis=1)[:, None]
        assert lowest[np.arange(len(rows)), rows["start"]].all()
        among = np.flatnonzero(lowest.sum(axis=1) == ties)
        rank = (np.cumsum(lowest[among], axis=1) - 1)[np.arange(len(among)), rows["start"][among]]
        lots += np.bincount(rank, minlength=ties)
    assert lots.sum() > 200 and alike(lots) > LEAST


def test_a_start_by_lot_is_fair() -> None:
    counts = np.zeros(5, int)
    for rows in dealt(20_000, players=5, first_player="random"):
        counts += np.bincount(rows["start"], minlength=5)
    assert alike(counts) > LEAST


# --- other chance at set-up ------------------------------------------------------------------------------------------


def test_which_events_stay_in_the_box_is_drawn_fairly() -> None:
    """6 of 13: every Event as often, and every pair of Events as often together."""
    events = np.flatnonzero(is_event(rules_of()))
    alone, pairs = np.zeros(13, int), np.zeros((13, 13), int)
    for rows in dealt(20_000, events=6):
        assert (rows["left_outs"] == 7).all() and (rows["events_in"] == 6).all()
        out = np.zeros((len(rows), 13), int)
        for i, event in enumerate(events):
            out[:, i] = (rows["left_out"][:, :7] == event).any(axis=1)
            in_deck = (rows["deck"][:, SNOWBALLS, :61] == event) & (
                np.arange(61) >= rows["deck_next"][:, SNOWBALLS][:, None]
            )
            in_deck &= np.arange(61) < rows["deck_size"][:, SNOWBALLS][:, None]
            assert (in_deck.sum(axis=1) == 1 - out[:, i]).all()
        alone += out.sum(axis=0)
        pairs += out.T @ out
    assert alike(alone) > LEAST
    assert alike(pairs[np.triu_indices(13, 1)]) > LEAST


def test_fewer_events_are_some_of_the_more() -> None:
    """The Events of `events = 6` are among those of `events = 9` of the same game: variants share their luck."""
    fewer, more = (
        next(dealt(CHUNK, events=6))["left_out"][:, :7].copy(),
        next(dealt(CHUNK, events=9))["left_out"][:, :4],
    )
    assert all(set(m.tolist()) <= set(f.tolist()) for f, m in zip(fewer, more, strict=True))


def test_kids_are_dealt_fairly() -> None:
    kids = int(rules_of()["kid_cards"])
    table = np.zeros((4, kids), int)
    for rows in dealt(20_000, kids="random"):
        kid = np.sort(rows["kid"][:, :4])
        assert (kid[:, 1:] > kid[:, :-1]).all()
        table += places(rows["kid"][:, :4], kids).T
    assert all_alike(table) > LEAST


# --- shuffles during the game ----------------------------------------------------------------------------------------


def test_a_reshuffled_deck_has_every_card_anywhere() -> None:
    """And where a card lies afterwards says nothing of where it lay before."""
    tables = [np.zeros((cards, cards - 4 * n), int) for cards, n in ((61, 2), (20, 1), (20, 1))]
    then = np.zeros((53, 53), int)
    before = next(dealt(CHUNK)).copy()
    first = True
    for rows in dealt(10_000, RESHUFFLE):
        for deck, table in enumerate(tables):
            n = table.shape[1]
            assert (rows["deck_next"][:, deck] == 0).all() and (rows["deck_size"][:, deck] == n).all()
            table += places(rows["deck"][:, deck, :n], table.shape[0])
        if first:  # the first chunk deals the same games as `before`
            old = before["deck"][
                np.arange(CHUNK)[:, None], SNOWBALLS, before["deck_next"][:, [SNOWBALLS]] + np.arange(53)
            ]
            new = np.argsort(np.argsort(rows["deck"][:, SNOWBALLS, :53], axis=1), axis=1)
            ranks = np.argsort(np.argsort(old, axis=1), axis=1)
            assert (np.sort(old, axis=1) == np.sort(rows["deck"][:, SNOWBALLS, :53], axis=1)).all()
            for game in range(CHUNK):
                then[np.argsort(ranks[game]), np.argsort(new[game])] += 1
            first = False
    assert all(all_alike(table) > LEAST for table in tables)
    assert alike(then) > LEAST


def test_snowplow_hands_the_pool_back_fairly() -> None:
    """Every card of the pool as likely in every place, sizes as before."""
    table, games = np.zeros((8, 8), int), 10_000
    before = [rows["hand"][:, :4, :2].reshape(CHUNK, 8).copy() for rows in dealt(games)]
    for old, rows in zip(before, dealt(games, POOL), strict=True):
        assert (rows["hand_size"][:, :4] == 2).all()
        new = rows["hand"][:, :4, :2].reshape(CHUNK, 8)
        assert (np.sort(old) == np.sort(new)).all()
        for place in range(8):
            table[place] += (new == old[:, [place]]).sum(axis=0)
    assert alike(table) > LEAST


def test_a_return_shuffles_the_deck() -> None:
    """Whoever comes back draws no Event to the hand, and those set aside are anywhere in the deck [R44, B4]."""
    events = is_event(rules_of())
    table = np.zeros((61, 51), int)
    for rows in dealt(20_000, COME_BACK, players=3, events=13):
        assert not events[rows["hand"][:, 0, :2]].any()
        first, size = rows["deck_next"][:, SNOWBALLS], rows["deck_size"][:, SNOWBALLS]
        assert (size - first == 53).all()  # 61 less three hands less the two discarded
        table += places(rows["deck"][:, SNOWBALLS][np.arange(CHUNK)[:, None], first[:, None] + np.arange(51)], 61)
    assert all_alike(table) > LEAST


def test_the_fastest_to_answer_is_drawn_fairly() -> None:
    """Ruling quickshot_responders = random: every order of the other three, and none tells of the next throw's."""
    _, game, rules, work = records_for()
    orders = np.zeros((4000, 3, 3), int)
    jit.build(order_responders)
    order_responders(game, rules, work, 4000, 3, orders)
    assert (np.sort(orders, axis=2) == [0, 2, 3]).all()
    codes = orders @ [16, 4, 1]
    _, index, counts = np.unique(codes, return_inverse=True, return_counts=True)
    assert len(counts) == 6 and alike(counts) > LEAST
    index = index.reshape(4000, 3)
    table = np.zeros((6, 6), int)
    np.add.at(table, (index[:, 0], index[:, 1]), 1)
    assert independent(table) > LEAST


# --- players' chance -------------------------------------------------------------------------------------------------


def test_random_players_take_every_option_alike() -> None:
    """In whole games, by the number of options; from the trace."""
    configuration, game, rules, work = records_for(players=4, kids="random")
    play_block = configuration.game.kernel("play_block")
    work["why"] = 1
    counts: dict[int, np.ndarray] = {}
    by_decision: dict[int, np.ndarray] = {}
    for number in range(1500):
        work["trace_first"], work["traced"] = 0, 0
        play_block(game, rules, work, number, 1)
        trace = work["trace"][: min(int(work["traced"]), len(work["trace"]))]
        asked = np.flatnonzero(trace["event"] == Event.ASKED)
        for at in asked:
            n = int(trace["b"][at])
            if at + n + 1 >= len(trace) or n == 1:
                continue
            answer = trace[at + n + 1]
            assert answer["event"] == Event.ANSWER and answer["a"] == trace["a"][at]
            taken = trace["a"][at + 1 : at + n + 1] == answer["b"]
            counts.setdefault(n, np.zeros(n, int))[:] += taken
            if trace["a"][at] != Decision.TURN and n == 2:
                by_decision.setdefault(int(trace["a"][at]), np.zeros(2, int))[:] += taken
    tested = [alike(found) for n, found in counts.items() if found.sum() >= 10 * n]
    assert len(tested) >= 6 and min(tested) * len(tested) > LEAST
    tested = [alike(found) for found in by_decision.values() if found.sum() >= 50]
    assert len(tested) >= 3 and min(tested) * len(tested) > LEAST


def test_players_chance_is_their_own() -> None:
    """The streams of two seats answer independently."""
    _, game, rules, _ = records_for()
    table = np.zeros((3, 3), int)
    for number in range(3000):
        game["number"] = number
        open_streams(game, rules)
        keys = game["key"][[Stream.POLICY, Stream.POLICY + 1]]
        table[int(keys[0] >> u64(33)) % 3, int(keys[1] >> u64(33)) % 3] += 1
    assert independent(table) > LEAST


# --- what a look-ahead is dealt --------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"events": 6}, {"players": 6}], ids=["four", "box", "six"])
def test_a_redeal_is_a_fair_deal_of_what_the_seat_cannot_see(settings: dict[str, Any]) -> None:
    """Every unseen numbered card as likely in every other hand, every unseen card in every place of the deck."""
    rules = rules_of(**settings)
    cards, events = int(rules["cards"]), is_event(rules_of(**settings))
    hands, deck, box = [], [], []
    seen: set[int] = set()
    for rows in dealt(10_000, REDEAL, first=3, **settings):
        seat, seats = int(rows["active"][0]), int(rows["seats"][0])
        others = [s for s in range(seats) if s != seat]
        seen = set(rows["hand"][0, seat, :2].tolist())
        assert (rows["hand"][:, seat, :2] == rows["hand"][0, seat, :2]).all()
        hands.append(rows["hand"][:, others, :2].reshape(CHUNK, -1).copy())
        first, size = int(rows["deck_next"][0, SNOWBALLS]), int(rows["deck_size"][0, SNOWBALLS])
        deck.append(rows["deck"][:, SNOWBALLS, first:size].copy())
        box.append(rows["left_out"][:, : rows["left_outs"][0]].copy())
    unseen = [c for c in range(cards) if c not in seen]
    together = np.sort(np.concatenate([np.concatenate(x) for x in (hands, deck, box)], axis=1))
    assert (together == unseen).all()
    numbered = [c for c in unseen if not events[c]]
    table = places(np.concatenate(hands), cards)
    assert not table[events].any() and all_alike(table[numbered].T) > LEAST
    table = places(np.concatenate(deck), cards)
    assert alike(table[events].sum(axis=0)) > LEAST  # no Events on top
    assert all_alike(table[unseen]) > LEAST
    if box[0].shape[1]:
        assert alike(places(np.concatenate(box), cards)[events].sum(axis=1)) > LEAST


# --- no two alike ----------------------------------------------------------------------------------------------------


def digests(games: int, seed: int = 1, **settings: Any) -> np.ndarray:
    """A number for the whole opening deal of each game."""
    _, game, rules, work = records_for(seed, **settings)
    work["tracing"] = 0
    found = np.zeros(games, u64)
    jit.build(deal_digests)
    deal_digests(game, rules, work, 0, found)
    return found


def test_no_two_deals_are_alike() -> None:
    one, other = digests(200_000), digests(20_000, seed=2)
    assert len(np.unique(one)) == len(one)
    assert len(np.intersect1d(one, other)) == 0
    assert np.array_equal(one[:5000], digests(5000))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_no_two_deals_of_a_million_are_alike(players: int) -> None:
    found = np.concatenate([digests(1_000_000, players=players), digests(1_000_000, seed=2, players=players)])
    assert len(np.unique(found)) == len(found)
