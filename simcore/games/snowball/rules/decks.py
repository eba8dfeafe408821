"""Shuffling and drawing from the three decks; orders follow the cards' own keys (rulebook, Setup; R2, R40-R42, B6)."""

import numpy as np

from simcore.games.snowball.kernel import inline, kernel
from simcore.games.snowball.layout import NONE, Deck, Event, Ledger, Stream
from simcore.play import log
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card

u64 = np.uint64
# also the numbers of their streams
SNOWBALLS, LOCATIONS, ITEMS = int(Deck.SNOWBALLS), int(Deck.LOCATIONS), int(Deck.ITEMS)


@inline
def own_id(rules, deck, card):
    """The card's own 64-bit key: the same in every variant that has this card."""
    if deck == SNOWBALLS:
        return rules["card_id"][card]
    if deck == LOCATIONS:
        return rules["location_id"][card]
    return rules["item_id"][card]


@inline
def lay(rules, work, n, u_shuffle, deck, card):
    """Lay the n-th card to those that are shuffled (`u_shuffle`: from next_shuffle)."""
    put_card(work, n, u_shuffle, own_id(rules, deck, card), card)


@kernel
def shuffle_rest(game, rules, work, deck):
    """Shuffle what is left in the draw deck, but for the cards that a position has fixed on top."""
    first = game["deck_next"][deck] + game["deck_fixed"][deck]
    n = game["deck_size"][deck] - first
    shuffle = next_shuffle(game, deck)
    for i in range(n):
        lay(rules, work, i, shuffle, deck, game["deck"][deck, first + i])
    sort_cards(work, n)
    for i in range(n):
        game["deck"][deck, first + i] = sorted_card(work, i)


@kernel
def reshuffle(game, rules, work, deck):
    """The discards become the draw deck [R40]."""
    n = game["discards"][deck]
    shuffle = next_shuffle(game, deck)
    for i in range(n):
        lay(rules, work, i, shuffle, deck, game["discard"][deck, i])
    sort_cards(work, n)
    for i in range(n):
        game["deck"][deck, i] = sorted_card(work, i)
    game["deck_next"][deck] = 0
    game["deck_size"][deck] = n
    game["discards"][deck] = 0
    game["tally"][Ledger.RESHUFFLE_SNOWBALLS + deck] += 1
    log(game, work, Event.RESHUFFLE, NONE, deck, n, 0)


@inline
def draw(game, rules, work, deck):
    """The next card of a deck, the discards shuffled first if it is empty [R40]; NONE if both are empty [R42]."""
    if game["deck_next"][deck] >= game["deck_size"][deck]:
        if game["discards"][deck] == 0:
            return NONE
        reshuffle(game, rules, work, deck)
    i = game["deck_next"][deck]
    card = game["deck"][deck, i]
    game["deck_next"][deck] = i + 1
    if game["deck_fixed"][deck] > 0:
        game["deck_fixed"][deck] -= 1
    if rules["reshuffle"] == 1 and i + 1 >= game["deck_size"][deck] and game["discards"][deck] > 0:
        reshuffle(game, rules, work, deck)
    return card


@inline
def discard(game, deck, card):
    """Put a card on the discards of its deck."""
    n = game["discards"][deck]
    game["discard"][deck, n] = card
    game["discards"][deck] = n + 1


@inline
def cards_left(game, deck):
    """Cards in a draw deck and its discards."""
    return game["deck_size"][deck] - game["deck_next"][deck] + game["discards"][deck]


@inline
def in_play(game, deck, cards):
    """Cards of a deck of `cards` that lie neither in the draw deck nor in its discards."""
    return cards - cards_left(game, deck)


@inline
def numbered_left(game):
    """Numbered cards in the draw deck and its discards: what a refill can still find [R42]."""
    return cards_left(game, SNOWBALLS) - (game["events_in"] - game["events_open"])


@kernel
def leave_events_out(game, rules, work):
    """Fewer Events than printed: which ones stay in the box is drawn [B6]. Fills the snowball deck's card list."""
    events = 0
    for card in range(rules["cards"]):
        events += rules["is_event"][rules["card_kind"][card]]
    game["events_in"] = events
    game["left_outs"] = 0
    if rules["events"] < events:
        game["events_in"] = rules["events"]
        n = 0
        shuffle = next_shuffle(game, Stream.EVENTS_OUT)
        for card in range(rules["cards"]):
            if rules["is_event"][rules["card_kind"][card]] == 1:
                lay(rules, work, n, shuffle, SNOWBALLS, card)
                n += 1
        sort_cards(work, n)
        for i in range(rules["events"], events):
            card = sorted_card(work, i)
            game["left_out"][game["left_outs"]] = card
            game["left_outs"] += 1
            log(game, work, Event.LEFT_OUT, NONE, card, 0, 0)


@inline
def is_left_out(game, card):
    """1 if the Event card stays in the box."""
    for i in range(game["left_outs"]):
        if game["left_out"][i] == card:
            return 1
    return 0


@kernel
def set_up_deck(game, rules, work, deck, cards):
    """All cards of a deck, shuffled. The keys stay in work["sorted_key"], in the deck's order."""
    n = 0
    shuffle = next_shuffle(game, deck)
    for card in range(cards):
        if deck != SNOWBALLS or game["left_outs"] == 0 or is_left_out(game, card) == 0:
            lay(rules, work, n, shuffle, deck, card)
            n += 1
    sort_cards(work, n)
    for i in range(n):
        game["deck"][deck, i] = sorted_card(work, i)
    game["deck_next"][deck] = 0
    game["deck_size"][deck] = n
    game["deck_fixed"][deck] = 0
    game["discards"][deck] = 0
