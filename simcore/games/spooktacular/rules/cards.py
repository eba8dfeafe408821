"""Decks, hands and the program (rulebook, Play a Card; P6). Orders follow the cards' own keys.

Decks and hands hold places in the kit's list of cards, so that two copies of a card are two cards.
"""

from simcore.games.spooktacular.kernel import inline, kernel, make_option, option_a, option_b
from simcore.games.spooktacular.layout import (
    AGENDA,
    HAND,
    NONE,
    SLOTS,
    STEPS,
    Decision,
    Event,
    Ledger,
    Option,
    Source,
    Span,
    Step,
    Stream,
    Tally,
)
from simcore.games.spooktacular.rules.automaton import ask
from simcore.games.spooktacular.rules.steps import push, push_rows
from simcore.play import count_peak, log, offer
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card

PLAYED, BY_EFFECT, FROM_SLOT = 0, 1, 2  # why a card is discarded
FROM_HAND, FROM_PROGRAM, COPIED = 0, 1, 2  # how a card is played


@inline
def card_of(game, rules, seat, place):
    """The card at a place of the seat's list."""
    return rules["kit_card"][game["kit"][seat], place]


@kernel
def shuffle_deck(game, rules, work, seat):
    """Shuffle what is left in the seat's draw deck, but for cards that a position has fixed on top."""
    first = game["deck_next"][seat] + game["deck_fixed"][seat]
    n = game["deck_size"][seat] - first
    shuffle = next_shuffle(game, Stream.DECK + seat)
    if n <= 0:
        return
    kit = game["kit"][seat]
    for i in range(n):
        place = game["deck"][seat, first + i]
        put_card(work, i, shuffle, rules["kit_card_id"][kit, place], place)
    sort_cards(work, n)
    for i in range(n):
        game["deck"][seat, first + i] = sorted_card(work, i)


@kernel
def draw_cards(game, rules, work, seat, n):
    """Draw n cards; an empty deck is made of the discards, without any there is no draw [P6]."""
    if seat < rules["bot"]:
        game["tally"][Ledger.BOT_DREW] += 1
        return
    for _ in range(n):
        if game["deck_next"][seat] >= game["deck_size"][seat]:
            if game["discards"][seat] == 0:
                game["tally"][Ledger.NO_DRAW] += 1
                return
            for i in range(game["discards"][seat]):
                game["deck"][seat, i] = game["discard"][seat, i]
            game["deck_next"][seat] = 0
            game["deck_size"][seat] = game["discards"][seat]
            game["discards"][seat] = 0
            shuffle_deck(game, rules, work, seat)
            game["tally"][Ledger.RESHUFFLE] += 1
            log(game, work, Event.RESHUFFLE, seat, game["deck_size"][seat], 0, 0)
        size = game["hand_size"][seat]
        if size >= HAND:
            game["tally"][Ledger.NO_DRAW] += 1
            return
        place = game["deck"][seat, game["deck_next"][seat]]
        game["deck_next"][seat] += 1
        if game["deck_fixed"][seat] > 0:
            game["deck_fixed"][seat] -= 1
        game["hand"][seat, size] = place
        game["hand_size"][seat] = size + 1
        log(game, work, Event.DRAW, seat, card_of(game, rules, seat, place), 0, 0)
    count_peak(game, Span.HAND, game["hand_size"][seat])


@kernel
def draw_up(game, rules, work, seat):
    """Draw to the hand size; nothing if there are as many or more [P6]."""
    lacking = rules["hand_size"] - game["hand_size"][seat]
    if lacking < 0:
        game["tally"][Ledger.HAND_ABOVE] += 1
    if lacking > 0:
        draw_cards(game, rules, work, seat, lacking)


@inline
def put_away(game, seat, place):
    """A card to the discards."""
    n = game["discards"][seat]
    game["discard"][seat, n] = place
    game["discards"][seat] = n + 1


@kernel
def choose_card(game, rules, work, seat, decision):
    """Slot of a card of the hand, the seat's choice; NONE with an empty hand."""
    game["options"] = 0
    for slot in range(game["hand_size"][seat]):
        offer(game, make_option(Option.CARD, card_of(game, rules, seat, game["hand"][seat, slot]), slot))
    if game["options"] == 0:
        return NONE
    return option_b(ask(game, rules, work, seat, decision, NONE))


@kernel
def take_from_hand(game, seat, slot):
    """The card in a slot of the hand, which closes up."""
    place = game["hand"][seat, slot]
    size = game["hand_size"][seat] - 1
    for i in range(slot, size):
        game["hand"][seat, i] = game["hand"][seat, i + 1]
    game["hand_size"][seat] = size
    return place


@kernel
def discard_cards(game, rules, work, seat, n):
    """Discard n cards of the hand, the seat's choice."""
    for _ in range(n):
        slot = choose_card(game, rules, work, seat, Decision.DISCARD)
        if slot == NONE:
            return
        place = take_from_hand(game, seat, slot)
        put_away(game, seat, place)
        log(game, work, Event.DISCARD, seat, card_of(game, rules, seat, place), BY_EFFECT, 0)


@inline
def begin_card(game, rules, work, seat, card, ctx, how, where):
    """What a card says waits on the agenda."""
    log(game, work, Event.CARD, seat, card, how, where)
    game["last_card"][seat] = card
    if seat == game["active"]:
        game["played"] += 1
    if seat >= rules["bot"]:
        game["tally"][Tally.CARDS_PLAYED] += 1
        game["used"][card] |= 1 << seat
        if rules["component_card"][card] != NONE:
            game["tally"][Tally.COMPONENTS + 3 * rules["component_card"][card]] += 1
    source = Source.UNIQUE
    if rules["card_basic"][card] == 1:
        source = Source.CARD
    push_rows(game, seat, source, rules["card_start"][card], rules["card_end"][card], ctx)


@kernel
def play_card(game, rules, work, seat, ctx):
    """Play a card of the hand: do what it says, then discard it; with an empty hand nothing happens (FAQ)."""
    slot = choose_card(game, rules, work, seat, Decision.CARD)
    if slot == NONE:
        game["tally"][Ledger.NO_CARD] += 1
        return
    place = take_from_hand(game, seat, slot)
    if game["agenda_size"] + 2 > AGENDA:  # a runaway chain: the card goes where it belongs, and the chain ends
        put_away(game, seat, place)
        game["effects"] = STEPS
        return
    push(game, Step.CARD_DONE, seat, 0, place, 0, 0)
    begin_card(game, rules, work, seat, card_of(game, rules, seat, place), ctx, FROM_HAND, 0)


@kernel
def copy_card(game, rules, work, seat, other, ctx):
    """Do what another player's last card says; one that copies, or is about its monster's tokens, cannot be [P23]."""
    card = game["last_card"][other]
    if card == NONE or rules["card_uncopied"][card] == 1:
        return
    log(game, work, Event.CARD, seat, card, COPIED, other)
    source = Source.UNIQUE
    if rules["card_basic"][card] == 1:
        source = Source.CARD
    push_rows(game, seat, source, rules["card_start"][card], rules["card_end"][card], ctx)


# --- the program ------------------------------------------------------------------------------------------------------


@kernel
def run_slot(game, rules, work, seat, slot, ctx):
    """Do what the card in a slot says; it stays there."""
    place = game["program"][seat, slot]
    if place != NONE:
        begin_card(game, rules, work, seat, card_of(game, rules, seat, place), ctx, FROM_PROGRAM, slot)


@kernel
def discard_slot(game, rules, work, seat, slot):
    """The card in a slot to the discards."""
    place = game["program"][seat, slot]
    if place != NONE:
        game["program"][seat, slot] = NONE
        put_away(game, seat, place)
        log(game, work, Event.DISCARD, seat, card_of(game, rules, seat, place), FROM_SLOT, slot)


@kernel
def set_slot(game, rules, work, seat, slot, place):
    """A card lies in a slot now."""
    game["program"][seat, slot] = place
    if place != NONE:
        log(game, work, Event.PROGRAM, seat, card_of(game, rules, seat, place), slot, 0)


@kernel
def shift_slots(game, rules, work, seat):
    """The cards of slots 1 and 2 move one to the right, where there is room."""
    for slot in (2, 1):
        if game["program"][seat, slot] == NONE and game["program"][seat, slot - 1] != NONE:
            set_slot(game, rules, work, seat, slot, game["program"][seat, slot - 1])
            game["program"][seat, slot - 1] = NONE


@kernel
def choose_slot(game, rules, work, seat, slot):
    """An empty slot of the program: the one that is named, or the seat's choice; NONE."""
    game["options"] = 0
    for s in range(3):
        if game["program"][seat, s] == NONE and (slot == NONE or slot == s):
            offer(game, make_option(Option.SLOT, s, 0))
    if game["options"] == 0:
        return NONE
    return option_a(ask(game, rules, work, seat, Decision.SLOT, NONE))


@kernel
def in_deck(game, rules, seat, card):
    """Where in the draw deck a card lies; NONE."""
    for i in range(game["deck_next"][seat], game["deck_size"][seat]):
        if card_of(game, rules, seat, game["deck"][seat, i]) == card:
            return i
    return NONE


@kernel
def load(game, rules, work, seat, card, slot):
    """A card of the hand into the program, or the named one out of the deck."""
    if card == NONE:
        found = choose_slot(game, rules, work, seat, slot)
        if found == NONE:
            return
        at = choose_card(game, rules, work, seat, Decision.LOAD)
        if at != NONE:
            set_slot(game, rules, work, seat, found, take_from_hand(game, seat, at))
        return
    if in_deck(game, rules, seat, card) == NONE:
        return
    found = choose_slot(game, rules, work, seat, slot)
    if found == NONE:
        return
    i = in_deck(game, rules, seat, card)  # looked for anew: a look-ahead deals anew at the question above
    place = game["deck"][seat, i]
    for j in range(i, game["deck_size"][seat] - 1):
        game["deck"][seat, j] = game["deck"][seat, j + 1]
    game["deck_size"][seat] -= 1
    set_slot(game, rules, work, seat, found, place)


@kernel
def reorder(game, rules, work, seat):
    """The program in another order: which card comes first, then second."""
    for slot in range(2):
        game["options"] = 0
        for s in range(slot, SLOTS):
            if game["program"][seat, s] != NONE:
                offer(game, make_option(Option.SLOT, s, 0))
        if game["options"] < 2:
            return
        s = option_a(ask(game, rules, work, seat, Decision.SLOT, NONE))
        if s != slot:
            place = game["program"][seat, s]
            set_slot(game, rules, work, seat, s, game["program"][seat, slot])
            set_slot(game, rules, work, seat, slot, place)
