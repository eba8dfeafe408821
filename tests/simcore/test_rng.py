"""Keyed randomness against an implementation in plain integers, published numbers, and chi-square."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore import records, rng
from simcore.games.snowball import layout
from tests.simcore.chance import LEAST, alike, all_alike, independent

WORD = (1 << 64) - 1
words = st.integers(0, WORD)


# --- the same in Python's integers, written down from the papers -----------------------------------------------------


def mix(z: int) -> int:
    """Finalizer of splitmix64 (Steele, Lea & Flood 2014; java.util.SplittableRandom)."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def value(key: int, counter: int) -> int:
    return mix((key + counter * 0x9E3779B97F4A7C15) & WORD)


def stream_key(seed: int, stream: int, number: int) -> int:
    return mix(mix((seed + (stream + 1) * 0xA0761D6478BD642F) & WORD) ^ (number * 0xD1342543DE82EF95) & WORD)


def card_key(key: int, shuffle: int, card: int) -> int:
    return mix((mix((key + shuffle * 0x8CB92BA72F3D8DD7) & WORD) + card) & WORD)


def u64(number: int) -> np.uint64:
    return np.uint64(number)


# --- known answers ---------------------------------------------------------------------------------------------------

SPLITMIX = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)


@pytest.mark.parametrize("draw", [value, rng.value], ids=["plain", "kernel"])
def test_values_are_the_published_sequence_of_splitmix64(draw) -> None:  # type: ignore[no-untyped-def]
    """The first outputs of splitmix64 for the seed 1234567, as in its published test vectors."""
    key = 1234567 if draw is value else u64(1234567)
    assert [int(draw(key, counter)) for counter in range(1, 6)] == list(SPLITMIX)


KNOWN = (  # seed, stream, game number: key of the stream, key of a card in its shuffle 3
    (1, 0, 0, 0xF4982799526966FE, 0xC34C1DE10FBC0D3B),
    (1, 13, 999999, 0x97BC9D519E16869F, 0x191C5E3965F92DF0),
    (9223372036854775807, 5, 1000000000000000, 0xD8A345F03F776C5F, 0x9E708EEAA7409989),
)


@pytest.mark.parametrize("known", KNOWN, ids=lambda k: f"{k[0]}-{k[1]}-{k[2]}")
def test_keys_are_what_they_were(known: tuple[int, int, int, int, int]) -> None:
    """Raise a game's version where these change: results and seeds of before are another luck's."""
    seed, stream, number, key, card = known
    found = int(rng.stream_key(u64(seed), stream, number))
    assert found == key
    assert int(rng.card_key(u64(found), 3, u64(0x1234567890ABCDEF))) == card


@given(words)
def test_mix(z: int) -> None:
    assert int(rng.mix(u64(z))) == mix(z)


@given(words, st.integers(0, 2**40))
def test_value(key: int, counter: int) -> None:
    assert int(rng.value(u64(key), counter)) == value(key, counter)


@given(st.integers(0, 2**63 - 1), st.integers(0, 50), st.integers(0, 2**50))
def test_stream_key(seed: int, stream: int, number: int) -> None:
    assert int(rng.stream_key(u64(seed), stream, number)) == stream_key(seed, stream, number)


@given(words, st.integers(0, 10**6), words)
def test_card_key(key: int, shuffle: int, card: int) -> None:
    assert int(rng.card_key(u64(key), shuffle, u64(card))) == card_key(key, shuffle, card)


@given(words, st.integers(1, 2**32 - 1))
def test_scale(bits: int, n: int) -> None:
    found = int(rng.scale(u64(bits), n))
    assert found == ((bits >> 32) * n) >> 32
    assert 0 <= found < n


@pytest.mark.parametrize("n", [1, 2, 3, 60, 96, 2**31, 2**32 - 1])
def test_scale_reaches_both_ends(n: int) -> None:
    assert rng.scale(u64(0), n) == 0
    assert rng.scale(u64(WORD), n) == n - 1


# --- chance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 7, 61])
def test_scaled_values_are_uniform(n: int) -> None:
    key = u64(stream_key(11, 3, 5))
    drawn = np.array([rng.scale(u64(int(rng.value(key, i))), n) for i in range(20_000)])
    assert alike(np.bincount(drawn, minlength=n)) > LEAST
    assert independent(np.histogram2d(drawn[:-1] % 7, drawn[1:] % 7, bins=min(n, 7))[0]) > LEAST


def test_every_bit_is_fair_over_games_streams_and_seeds() -> None:
    """Keys of neighbouring seeds, streams and games: none twice, and half of the 64 bits change, each alike."""
    keys = np.array([[[stream_key(s, t, n) for n in range(60)] for t in range(14)] for s in range(20)], np.uint64)
    assert len(np.unique(keys)) == keys.size
    for axis in range(3):
        changed = keys.take(range(1, keys.shape[axis]), axis) ^ keys.take(range(keys.shape[axis] - 1), axis)
        ones = np.array([((changed >> u64(bit)) & u64(1)).sum() for bit in range(64)], float)
        spread = (ones - changed.size / 2) / np.sqrt(changed.size / 4)
        assert np.abs(spread).max() < 5


def records_for(seed: int, number: int, frozen: dict[int, int]) -> np.ndarray:
    """The keys of one game."""
    game, rules = np.zeros(1, layout.GAME), np.zeros(1, layout.RULES)
    game[0]["number"], rules[0]["seed"] = number, seed
    game[0]["shuffles"] = 9
    rules[0]["stream_number"] = records.NONE
    for stream, frozen_number in frozen.items():
        rules[0]["stream_number"][stream] = frozen_number
    rng.open_streams(game[0], rules[0])
    assert not game[0]["shuffles"].any()
    return game[0]["key"].copy()


def test_each_stream_has_its_key() -> None:
    keys = records_for(5, 77, {})
    assert [int(k) for k in keys] == [stream_key(5, stream, 77) for stream in range(layout.STREAMS)]


def test_a_frozen_stream_repeats_and_no_other() -> None:
    usual, frozen = records_for(5, 77, {}), records_for(5, 77, {2: 4})
    assert np.flatnonzero(usual != frozen).tolist() == [2]
    assert frozen[2] == records_for(5, 4, {})[2] == records_for(5, 1000, {2: 4})[2]
    assert records_for(6, 77, {2: 4})[2] != frozen[2]


# --- the order of cards ----------------------------------------------------------------------------------------------

SORT = np.dtype(
    [
        ("sort_key", "u8", (96,)),
        ("sorted_key", "u8", (96,)),
        ("sort_count", "i8", (64,)),
    ],
    align=True,
)


def in_order(keys: list[int]) -> list[int]:
    """The order in which the kernel puts cards 0, 1, ... with these keys."""
    work = np.zeros(1, SORT)
    n = len(keys)
    work[0]["sort_key"][:n] = [key & ~0xFF | card for card, key in enumerate(keys)]
    rng.sort_cards(work[0], n)
    assert work[0]["sorted_key"][:n].tolist() == sorted(work[0]["sort_key"][:n].tolist())
    return [int(rng.sorted_card(work[0], i)) for i in range(n)]


bunched = st.one_of(
    words, st.integers(0, 50), st.integers(WORD - 50, WORD), st.sampled_from([1 << 57, (1 << 57) - 1, 1 << 59])
)


@given(st.lists(bunched, max_size=96))
def test_cards_are_sorted_by_their_keys_and_ties_keep_their_order(keys: list[int]) -> None:
    """By the upper 56 bits: the lowest byte is the card."""
    assert in_order(keys) == sorted(range(len(keys)), key=lambda i: keys[i] >> 8)


@given(words, words, st.integers(0, 255))
def test_a_card_is_laid_by_its_key(of_shuffle: int, card_id: int, card: int) -> None:
    work = np.zeros(1, SORT)
    rng.put_card(work[0], 7, u64(of_shuffle), u64(card_id), card)
    assert int(work[0]["sort_key"][7]) == mix((of_shuffle + card_id) & WORD) & ~0xFF | card


@given(words, st.integers(0, 99), st.lists(words, min_size=2, max_size=60, unique=True), st.data())
def test_one_card_more_leaves_the_order_of_all_others(
    key: int, shuffle: int, cards: list[int], data: st.DataObject
) -> None:
    keys = [card_key(key, shuffle, card) for card in cards]
    extra = data.draw(st.integers(0, len(cards) - 1))
    with_it = [cards[i] for i in in_order(keys)]
    rest = cards[:extra] + cards[extra + 1 :]
    without = [rest[i] for i in in_order(keys[:extra] + keys[extra + 1 :])]
    assert [c for c in with_it if c != cards[extra]] == without


def orders(cards: list[int], times: int, *, one_game: bool) -> np.ndarray:
    """Orders of a few cards, shuffled again and again in one game, or once in many games."""
    found = []
    for i in range(times):
        key = u64(int(rng.stream_key(u64(3), 0, 0 if one_game else i)))
        found.append(in_order([int(rng.card_key(key, i if one_game else 0, u64(c))) for c in cards]))
    return np.array(found)


@pytest.mark.parametrize("one_game", [True, False], ids=["again", "games"])
@pytest.mark.parametrize("cards", [[1, 2, 3, 4], [0, 1 << 63, 77, mix(5)]], ids=["neighbours", "far"])
def test_every_order_is_alike(cards: list[int], one_game: bool) -> None:
    """All 24 orders of four cards, also where their keys are neighbours; and one order tells nothing of the next."""
    found = orders(cards, 5000, one_game=one_game) @ [64, 16, 4, 1]
    _, index, counts = np.unique(found, return_inverse=True, return_counts=True)
    assert len(counts) == 24
    assert alike(counts) > LEAST
    first = index // 4
    table = np.zeros((6, 6), int)
    np.add.at(table, (first[:-1], first[1:]), 1)
    assert independent(table) > LEAST


def test_streams_order_the_same_cards_independently() -> None:
    """Where a card comes in one stream's shuffle says nothing of where it comes in another's, of the same game."""
    table = np.zeros((4, 4), int)
    for number in range(3000):
        one, other = (
            in_order([int(rng.card_key(u64(int(rng.stream_key(u64(3), t, number))), 0, u64(c))) for c in range(4)])
            for t in (0, 6)
        )
        table[one.index(0), other.index(0)] += 1
    assert independent(table) > LEAST
    assert all_alike(table) > LEAST
