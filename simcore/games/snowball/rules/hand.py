"""Hands: always two cards, refilled at once; an Event drawn interrupts (rulebook, Setup and Playing an Event;
R35-R42)."""

import numpy as np

from simcore.games.snowball.kernel import inline, kernel
from simcore.games.snowball.layout import NONE, Event, Ledger, Source, Step, Tally
from simcore.games.snowball.rules.decks import SNOWBALLS, discard, draw, numbered_left
from simcore.games.snowball.rules.steps import push
from simcore.play import log


@inline
def hand_limit(game, rules, seat):
    """How many cards `seat` should hold: two, one more for a kid who says so."""
    limit = rules["hand_size"]
    if game["kid"][seat] != NONE:
        limit += rules["kid_hand"][game["kid"][seat]]
    return limit


@inline
def note_quickshots(game, rules, seat):
    """Bring the bits of the QuickShots in a hand up to date."""
    bits = 0
    for i in range(game["hand_size"][seat]):
        bits |= rules["quickshot_bit"][game["hand"][seat, i]]
    game["hand_quickshots"][seat] = bits


@inline
def add_card(game, rules, work, seat, card):
    """A card to the hand."""
    n = game["hand_size"][seat]
    game["hand"][seat, n] = card
    game["hand_size"][seat] = n + 1
    game["hand_quickshots"][seat] |= rules["quickshot_bit"][card]
    log(game, work, Event.CARD, seat, card, 0, 0)


@inline
def take_card(game, rules, seat, slot):
    """The card in `slot` leaves the hand; the later ones move up."""
    card = game["hand"][seat, slot]
    last = game["hand_size"][seat] - 1
    for i in range(last):
        game["hand"][seat, i] = game["hand"][seat, i + np.int64(i >= slot)]
    game["hand_size"][seat] = last
    if rules["quickshot_bit"][card] != 0:
        note_quickshots(game, rules, seat)
    return card


@kernel
def discard_hand(game, work, seat):
    """All cards of a hand to the discards."""
    for i in range(game["hand_size"][seat]):
        discard(game, SNOWBALLS, game["hand"][seat, i])
        log(game, work, Event.DISCARD, seat, game["hand"][seat, i], 1, 0)
    game["hand_size"][seat] = 0
    game["hand_quickshots"][seat] = 0


@kernel
def refill(game, rules, work, seat, source):
    """Draw until the hand is full; an Event drawn is resolved first, then the refill goes on [R35, R36].

    Source EVENT says that an Event has interrupted this refill before.
    """
    limit = hand_limit(game, rules, seat)
    while game["hand_size"][seat] < limit:
        if numbered_left(game) <= 0:
            game["tally"][Ledger.SHORT_HAND] += 1
            log(game, work, Event.SHORT, seat, 0, 0, 0)
            return
        card = draw(game, rules, work, SNOWBALLS)
        kind = rules["card_kind"][card]
        if rules["is_event"][kind] == 0:
            add_card(game, rules, work, seat, card)
            if rules["is_quickshot"][kind] == 1 and rules["number"][kind] == game["thrown_number"]:
                if source == Source.CHOICE and game["shooters"] > 0:
                    game["tally"][Ledger.LATE_QUICKSHOT] += 1
            continue
        game["events_open"] += 1
        game["tally"][Tally.EVENTS] += 1
        game["tally"][rules["component_kind"][kind]] += 1
        if source == Source.EVENT or game["events_open"] > 1:
            game["tally"][Ledger.EVENT_CHAIN] += 1
        if game["active"] != seat:
            game["tally"][Ledger.EVENT_OFF_TURN] += 1
        log(game, work, Event.EVENT, seat, card, 0, 0)
        push(game, Step.REFILL, seat, 0, 0, Source.EVENT)
        push(game, Step.EVENT_DONE, seat, card, 0, Source.EVENT)
        push(game, Step.EFFECT, seat, rules["event_start"][kind], rules["event_end"][kind], Source.EVENT)
        return
