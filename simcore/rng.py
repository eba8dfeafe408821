"""Keyed, counter-based randomness: value = mix(key of the stream + counter), key = mix(seed, stream, game number).

The mix is the finalizer of splitmix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators";
constants of Stafford's variant 13), applied twice to the key and once to each value. Nothing is drawn in sequence: what
one source of chance uses never shifts another, and a game is fixed by seed and number alone.

A deck's order follows the cards' *own* keys, mix(stream key, shuffle number, card id): a deck with one card more
keeps the order of all others, so that two variants share their luck except where they differ.
"""

import numpy as np

from simcore.jit import shared, shared_inline

u64 = np.uint64
GOLDEN = u64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd
STREAM = u64(0xA0761D6478BD642F)  # odd constants keep stream, game number and shuffle number apart
NUMBER = u64(0xD1342543DE82EF95)
SHUFFLE = u64(0x8CB92BA72F3D8DD7)
SHIFT_A, SHIFT_B, SHIFT_C = u64(30), u64(27), u64(31)
MULTIPLY_A, MULTIPLY_B = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
HALF = u64(32)
FEW = 16  # cards of which each is compared with each: no branch hangs on the keys
KEY_BITS, CARD_BITS = u64(0xFFFFFFFFFFFFFF00), u64(0xFF)  # a card that is sorted: its key and its number


@shared_inline
def mix(z):
    """Finalizer of splitmix64: uint64 -> uint64, a bijection."""
    z = (z ^ (z >> SHIFT_A)) * MULTIPLY_A
    z = (z ^ (z >> SHIFT_B)) * MULTIPLY_B
    return z ^ (z >> SHIFT_C)


@shared
def stream_key(seed, stream, number):
    """Key of a stream in a game."""
    return mix(mix(u64(seed) + u64(stream + 1) * STREAM) ^ (u64(number) * NUMBER))


@shared
def open_streams(game, rules):
    """Give each stream its key for this game.

    rules["stream_number"]: NONE, the game's own number; >= 0, frozen to this game's luck; -1 - n, the luck of the
    n-th game after this one.
    """
    for stream in range(game["key"].shape[0]):
        number = rules["stream_number"][stream]
        if number < 0:
            number = game["number"] - 1 - number
        game["key"][stream] = stream_key(rules["seed"], stream, number)
        game["shuffles"][stream] = 0


@shared_inline
def value(key, counter):
    """The counter-th uint64 of a stream with this key."""
    return mix(key + u64(counter) * GOLDEN)


@shared_inline
def scale(bits, n):
    """uint64 -> 0..n-1, for n below 2^32; the bias is below n / 2^32 (multiply-shift, Lemire 2019 without
    rejection)."""
    return np.int64(((bits >> HALF) * u64(n)) >> HALF)


@shared_inline
def shuffle_key(key, shuffle):
    """Key of one shuffle of a stream."""
    return mix(key + u64(shuffle) * SHUFFLE)


@shared_inline
def next_shuffle(game, stream):
    """Key of the stream's next shuffle."""
    shuffle = game["shuffles"][stream]
    game["shuffles"][stream] = shuffle + 1
    return shuffle_key(game["key"][stream], shuffle)


@shared_inline
def card_key(key, shuffle, card_id):
    """What a card is sorted by in this shuffle of this stream."""
    return mix(shuffle_key(key, shuffle) + card_id)


@shared_inline
def put_card(work, n, of_shuffle, card_id, card):
    """The n-th card to be sorted: its key, with the card's number in the lowest byte (cards are below 256)."""
    work["sort_key"][n] = (mix(of_shuffle + card_id) & KEY_BITS) | u64(card)


@shared_inline
def sorted_card(work, i):
    """The i-th card in the order of the keys, after `sort_cards`."""
    return np.int64(work["sorted_key"][i] & CARD_BITS)


@shared
def sort_cards(work, n):
    """Sort the first n of work["sort_key"] into work["sorted_key"]: a few by their ranks, more by buckets of the top
    bits and insertion.

    Key and card are one number, so that one array is moved. Keys that tie in their upper 56 bits (probability 2^-56 a
    pair) fall to the lower card. No card may be there twice.
    """
    if n <= FEW:
        for i in range(n):
            key = work["sort_key"][i]
            rank = 0
            for j in range(n):
                rank += np.int64(work["sort_key"][j] < key)
            work["sorted_key"][rank] = key
        return
    buckets, shift = 64, u64(58)
    if n <= 32:
        buckets, shift = 32, u64(59)
    for bucket in range(buckets):
        work["sort_count"][bucket] = 0
    for i in range(n):
        work["sort_count"][np.int64(work["sort_key"][i] >> shift)] += 1
    start = 0
    for bucket in range(buckets):
        count = work["sort_count"][bucket]
        work["sort_count"][bucket] = start
        start += count
    for i in range(n):
        key = work["sort_key"][i]
        bucket = np.int64(key >> shift)
        j = work["sort_count"][bucket]
        work["sort_count"][bucket] = j + 1
        work["sorted_key"][j] = key
    last = work["sorted_key"][0]
    for i in range(1, n):
        key = work["sorted_key"][i]
        if key > last:
            last = key
            continue
        j = i - 1
        while j >= 0 and work["sorted_key"][j] > key:
            work["sorted_key"][j + 1] = work["sorted_key"][j]
            j -= 1
        work["sorted_key"][j + 1] = key
