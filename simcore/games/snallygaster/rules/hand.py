"""The Lost Kid's hand and piles, and new hands (rulebook, Lost Kid, New Hand Token, Action Icons; L3, L4)."""

from simcore.games.snallygaster.kernel import inline, kernel, make_option, option_a
from simcore.games.snallygaster.layout import HAND, NONE, Decision, Deck, Event, Ledger, Option, Source, Status
from simcore.games.snallygaster.rules.decks import LOST_KID, discard, draw, shuffle_rest
from simcore.games.snallygaster.rules.doom import add_doom
from simcore.play import decide, log, offer


@inline
def draw_card(game, rules, work):
    """One Lost Kid card into the hand."""
    if game["hand_size"][0] >= HAND:
        return
    card = draw(game, rules, work, Deck.LOST_KID)
    if card == NONE:
        return
    n = game["hand_size"][0]
    game["hand"][0, n] = card
    game["hand_size"][0] = n + 1
    log(game, work, Event.DRAW, 0, card, 0, 0)


@kernel
def drop_from_hand(game, slot):
    """Take a card out of the hand; the others move up."""
    n = game["hand_size"][0] - 1
    for i in range(slot, n):
        game["hand"][0, i] = game["hand"][0, i + 1]
    game["hand"][0, n] = NONE
    game["hand_size"][0] = n


@kernel
def fill_hand(game, rules, work):
    """A new hand of as many cards as the rules say."""
    for _ in range(rules["hand_size"]):
        draw_card(game, rules, work)


@kernel
def new_hand_token(game, rules, work):
    """The New Hand token: +1 doom, the hand is shuffled into the deck, a new one is drawn. Once in a game."""
    game["new_hand_token"] = 0
    game["tally"][Ledger.NEW_HAND_TOKEN] += 1
    log(game, work, Event.NEW_HAND, 0, 0, NONE, 0)
    add_doom(game, rules, work, 1, Source.NEW_HAND)
    if game["status"] != Status.PLAYING:
        return
    deck = LOST_KID
    left = game["deck_size"][deck] - game["deck_next"][deck]
    for i in range(left):  # to the front, so that the hand fits behind
        game["deck"][deck, i] = game["deck"][deck, game["deck_next"][deck] + i]
    game["deck_next"][deck] = 0
    while game["hand_size"][0] > 0:
        card = game["hand"][0, 0]
        drop_from_hand(game, 0)
        game["deck"][deck, left] = card
        left += 1
        log(game, work, Event.DISCARD, 0, card, NONE, 0)
    game["deck_size"][deck] = left
    game["deck_fixed"][deck] = 0
    shuffle_rest(game, rules, work, deck)
    fill_hand(game, rules, work)


@kernel
def new_hand_icon(game, rules, work):
    """The New Hand icon: +1 doom, the hand is discarded to a pile of the Lost Kid's choice, a new one is drawn [L4]."""
    game["tally"][Ledger.NEW_HAND_ICON] += 1
    add_doom(game, rules, work, 1, Source.NEW_HAND)
    if game["status"] != Status.PLAYING:
        return
    game["options"] = 0
    for pile in range(rules["pile_count"]):
        offer(game, make_option(Option.BRANCH, pile, 0, 0))
    pile = option_a(decide(game, rules, work, 0, Decision.PILE))
    log(game, work, Event.NEW_HAND, 0, 1, pile, 0)
    while game["hand_size"][0] > 0:
        card = game["hand"][0, 0]
        drop_from_hand(game, 0)
        game["tally"][Ledger.ICON_CARDS] += 1
        log(game, work, Event.DISCARD, 0, card, pile, 0)
        if rules["new_hand_icon"] == 1:
            cover(game, pile, card, 0)
        else:  # nobody sees which cards they are
            game["buried"][game["burieds"]] = card
            game["burieds"] += 1
    fill_hand(game, rules, work)


@kernel
def cover(game, pile, card, told):
    """Lay a card on a pile; what it covers is among the discards."""
    if game["piles"][pile] != NONE:
        discard(game, Deck.LOST_KID, game["piles"][pile])
    game["piles"][pile] = card
    game["pile_told"][pile] = told
