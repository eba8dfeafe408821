"""Shuffling and drawing; orders follow the cards' own keys (rulebook, Game Setup and Decks Running Out; L3, L19)."""

import numpy as np

from simcore.games.snallygaster.kernel import inline, kernel
from simcore.games.snallygaster.layout import NONE, SEATS, Deck, Event, Ledger, Stream
from simcore.play import log
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card

u64 = np.uint64
LOST_KID, ITEMS, SEARCH = int(Deck.LOST_KID), int(Deck.ITEMS), int(Deck.SEARCH)  # also the numbers of their streams
SYMBOLS = int(Stream.SYMBOLS)


@inline
def own_id(rules, deck, card):
    """The card's own 64-bit key: the same in every variant that has this card."""
    if deck == LOST_KID:
        return rules["card_id"][card]
    if deck == ITEMS:
        return rules["item_id"][card]
    return rules["search_id"][card]


@kernel
def shuffle_rest(game, rules, work, deck):
    """Shuffle what is left in a draw deck, but for the cards that a position has fixed on top."""
    first = game["deck_next"][deck] + game["deck_fixed"][deck]
    n = game["deck_size"][deck] - first
    shuffle = next_shuffle(game, deck)
    for i in range(n):
        card = game["deck"][deck, first + i]
        put_card(work, i, shuffle, own_id(rules, deck, card), card)
    sort_cards(work, n)
    for i in range(n):
        game["deck"][deck, first + i] = sorted_card(work, i)


@kernel
def fill_deck(game, rules, work, deck, cards):
    """All cards of a deck, shuffled."""
    shuffle = next_shuffle(game, deck)
    for card in range(cards):
        put_card(work, card, shuffle, own_id(rules, deck, card), card)
    sort_cards(work, cards)
    for i in range(cards):
        game["deck"][deck, i] = sorted_card(work, i)
    game["deck_next"][deck] = 0
    game["deck_size"][deck] = cards
    game["deck_fixed"][deck] = 0
    game["discards"][deck] = 0


@kernel
def reshuffle(game, rules, work, deck):
    """The discards become the draw deck; the visible tops of the Lost Kid's piles stay out of it, or not [L3]."""
    if deck == LOST_KID and rules["lost_kid_reshuffle"] == 1:
        for pile in range(rules["pile_count"]):
            if game["piles"][pile] != NONE:
                discard(game, deck, game["piles"][pile])
                game["piles"][pile] = NONE
                game["pile_told"][pile] = 0
    n = game["discards"][deck]
    for i in range(n):
        game["deck"][deck, i] = game["discard"][deck, i]
    if deck == LOST_KID:
        for i in range(game["burieds"]):
            game["deck"][deck, n] = game["buried"][i]
            n += 1
        game["burieds"] = 0
    game["deck_next"][deck] = 0
    game["deck_size"][deck] = n
    game["discards"][deck] = 0
    if n == 0:
        return
    shuffle_rest(game, rules, work, deck)
    if deck == LOST_KID:
        game["tally"][Ledger.LOST_KID_RESHUFFLE] += 1
    elif deck == ITEMS:
        game["tally"][Ledger.ITEM_RESHUFFLE] += 1
    else:
        game["tally"][Ledger.SEARCH_RESHUFFLE] += 1
    log(game, work, Event.RESHUFFLE, NONE, deck, n, 0)


@inline
def discard(game, deck, card):
    """Put a card on the discards of its deck (for the Lost Kid's: under the tops of the piles)."""
    n = game["discards"][deck]
    game["discard"][deck, n] = card
    game["discards"][deck] = n + 1


@kernel
def draw(game, rules, work, deck):
    """The next card of a deck, the discards shuffled first if it is empty; NONE if there is none."""
    if game["deck_next"][deck] >= game["deck_size"][deck]:
        if game["discards"][deck] == 0 and deck != LOST_KID:
            return NONE
        reshuffle(game, rules, work, deck)
        if game["deck_size"][deck] == 0:
            return NONE
    i = game["deck_next"][deck]
    game["deck_next"][deck] = i + 1
    if game["deck_fixed"][deck] > 0:
        game["deck_fixed"][deck] -= 1
    return game["deck"][deck, i]


@kernel
def stack_tiles(game, rules, work, kind, where):
    """Shuffle the tiles of a kind that lie at `where` (NONE: new, SEATS: spent) into its stack."""
    n = 0
    shuffle = next_shuffle(game, SYMBOLS + kind)
    for tile in range(rules["tiles"]):
        if rules["tile_symbol"][tile] == kind and game["tile_at"][tile] == where:
            put_card(work, n, shuffle, rules["tile_id"][tile], tile)
            n += 1
    if n > 0:
        sort_cards(work, n)
    for i in range(n):  # drawn from the end
        tile = sorted_card(work, n - 1 - i)
        game["stack"][kind, i] = tile
        game["tile_at"][tile] = NONE
    game["stack_size"][kind] = n


@kernel
def draw_tile(game, rules, work, kind):
    """The top tile of a kind's stack, its spent tiles shuffled first if it is empty [L19]; NONE if there is none."""
    if game["stack_size"][kind] == 0:
        stack_tiles(game, rules, work, kind, SEATS)
        if game["stack_size"][kind] == 0:
            return NONE
        game["tally"][Ledger.STACK_SHUFFLED] += 1
        log(game, work, Event.RESHUFFLE, NONE, 3 + kind, game["stack_size"][kind], 0)
    n = game["stack_size"][kind] - 1
    game["stack_size"][kind] = n
    return game["stack"][kind, n]
