"""What lies before a player: location, items, Thrown stack; cover numbers; clearing out (rulebook, Clearing Out;
R7-R11, R32)."""

import numpy as np

from simcore.games.snowball.kernel import inline, kernel, make_option, option_a
from simcore.games.snowball.layout import (
    HELD,
    KEPT,
    NONE,
    Decision,
    Event,
    ItemUse,
    Keyword,
    Ledger,
    Option,
    Source,
    Tally,
)
from simcore.games.snowball.rules.decks import ITEMS, LOCATIONS, SNOWBALLS, discard, draw
from simcore.play import decide, log, offer


@inline
def next_seat(game, seat):
    """The next chair clockwise (a division would cost more than the rest of a loop)."""
    seat += 1
    if seat >= game["seats"]:
        seat = 0
    return seat


@inline
def note_uses(game, rules, seat):
    """Bring the bits of what the items held are good for up to date."""
    uses = 0
    for i in range(game["helds"][seat]):
        uses |= rules["item_use"][game["held"][seat, i]]
    game["held_uses"][seat] = uses


@inline
def take_item(game, rules, seat, slot):
    """The item in `slot` leaves its place; the later ones move up."""
    card = game["held"][seat, slot]
    last = game["helds"][seat] - 1
    for i in range(last):
        game["held"][seat, i] = game["held"][seat, i + np.int64(i >= slot)]
    game["helds"][seat] = last
    note_uses(game, rules, seat)
    return card


@inline
def set_cover(game, rules, seat):
    """Bring cover numbers up to date: the printed one, and with Conditions held and lasting effects [R7]."""
    printed = rules["location_cover"][rules["location_kind"][game["location"][seat]]] + rules["cover_shift"]
    cover = printed + game["cover_bonus"]
    if game["held_uses"][seat] & ItemUse.COVERS:
        for i in range(game["helds"][seat]):
            cover += rules["item_cover"][rules["item_kind"][game["held"][seat, i]]]
    if cover < 1:
        cover = 1
    game["cover"][seat] = cover
    if printed < 1:
        printed = 1
    game["printed"][seat] = printed


@kernel
def set_covers(game, rules, owner):
    """All covers anew after a lasting effect of `owner` began or ended; where one drops to the stack's total, R8
    decides."""
    for seat in range(game["seats"]):
        if game["gear"][seat] > 0:
            set_cover(game, rules, seat)
            note_cover_drop(game, rules, seat, owner)


@kernel
def note_cover_drop(game, rules, seat, owner):
    """A cover at or below a stack that had not reached it: no hit by itself, or, by a ruling, a hit at once [R8].

    All stacks that one change exposes are hit together (rules/effects.py does it next); `owner` made the change.
    """
    if game["total"][seat] > 0 and game["reached"][seat] == 0 and game["total"][seat] >= game["cover"][seat]:
        game["tally"][Ledger.COVER_DROP] += 1
        game["reached"][seat] = 1
        if rules["cover_drop"] == 1:
            game["dropped"][seat] = 1
            game["drops"] = 1
            game["drop_owner"] = owner


@kernel
def keep_one(game, rules, work, seat, deck, wanted, decision):
    """Draw `wanted` cards of a deck and keep one, the others go to the discards; NONE if there is no card."""
    if wanted <= 1:
        return draw(game, rules, work, deck)
    if wanted > KEPT:
        wanted = KEPT
    game["offers"] = 0
    for _ in range(wanted):
        card = draw(game, rules, work, deck)
        if card != NONE:
            game["offer"][game["offers"]] = card
            game["offers"] += 1
    n = game["offers"]
    if n == 0:
        return NONE
    kept = 0
    if n > 1:
        game["options"] = 0
        for i in range(n):
            offer(game, make_option(Option.KEEP, i, 0, 0))
        kept = option_a(decide(game, rules, work, seat, decision))
    card = game["offer"][kept]
    for i in range(n):
        if i != kept:
            discard(game, deck, game["offer"][i])
            if deck == ITEMS:
                log(game, work, Event.DISCARD_ITEM, seat, game["offer"][i], 4, 0)
            else:
                log(game, work, Event.DISCARD_LOCATION, seat, game["offer"][i], 4, 0)
    return card


@kernel
def gain_location(game, rules, work, seat, card, source):
    """Move into a location."""
    game["location"][seat] = card
    set_cover(game, rules, seat)
    log(game, work, Event.LOCATION, seat, card, game["printed"][seat], source)


@kernel
def gain_item(game, rules, work, seat, card):
    """Place an item face up before its player [R1, R9]; NONE: item deck and discards are empty [R42]."""
    log(game, work, Event.ITEM, seat, card, 0, 0)
    if card == NONE:
        game["tally"][Ledger.NO_ITEM] += 1
        return
    kind = rules["item_kind"][card]
    if game["helds"][seat] < HELD:
        game["held"][seat, game["helds"][seat]] = card
        game["helds"][seat] += 1
        game["held_uses"][seat] |= rules["item_use"][card]
        game["tally"][rules["component_item"][kind]] += 1
        if rules["item_keyword"][kind] == Keyword.CONDITION:  # in use from now on
            game["tally"][rules["component_item"][kind] + 1] += 1
        set_cover(game, rules, seat)
    else:  # only a card's text could bring this about: no room before the player
        discard(game, ITEMS, card)
        log(game, work, Event.DISCARD_ITEM, seat, card, 1, 0)


@kernel
def drop_item(game, rules, work, seat, slot, why):
    """Discard the held item in `slot`; why: 1 unused, 3 used (the trace's b). Returns the card."""
    card = take_item(game, rules, seat, slot)
    discard(game, ITEMS, card)
    log(game, work, Event.DISCARD_ITEM, seat, card, why, 0)
    if why == 3:
        game["tally"][rules["component_item"][rules["item_kind"][card]] + 1] += 1
    return card


@kernel
def empty_stack(game, rules, work, seat):
    """The Thrown stack to the discards: snowballs to theirs, modifiers to the items' [R6, R9]."""
    card = game["stack"][seat]
    while card != NONE:
        discard(game, SNOWBALLS, card)
        log(game, work, Event.DISCARD, seat, card, 2, 0)
        card = game["under"][card]
    card = game["stack_item"][seat]
    while card != NONE:
        discard(game, ITEMS, card)
        log(game, work, Event.DISCARD_ITEM, seat, card, 2, 0)
        card = game["item_under"][card]
    game["stack"][seat] = NONE
    game["stack_item"][seat] = NONE
    game["stack_size"][seat] = 0
    game["total"][seat] = 0
    game["reached"][seat] = 0


@kernel
def empty_place(game, rules, work, seat):
    """Items, location and stack to the discards."""
    while game["helds"][seat] > 0:
        drop_item(game, rules, work, seat, game["helds"][seat] - 1, 1)
    if game["location"][seat] != NONE:
        discard(game, LOCATIONS, game["location"][seat])
        log(game, work, Event.DISCARD_LOCATION, seat, game["location"][seat], 0, 0)
        game["location"][seat] = NONE
    empty_stack(game, rules, work, seat)


@kernel
def clear_out(game, rules, work, seat, source, locations):
    """Clear Out: discard item, location and stack, draw a location and an item [R9]; the hand stays.

    `locations`: how many are drawn by the effect's text, one is kept. Only a chosen Clear Out counts for the two-player
    rule; by a ruling a forced one too [R31].
    """
    log(game, work, Event.CLEAR_OUT, seat, source, 0, 0)
    for i in range(game["helds"][seat]):
        if rules["item_keyword"][rules["item_kind"][game["held"][seat, i]]] != Keyword.CONDITION:
            game["tally"][Ledger.UNUSED_ITEM] += 1
    empty_place(game, rules, work, seat)
    items = 1
    kid = game["kid"][seat]
    if kid != NONE:
        if rules["kid_locations"][kid] > locations:
            locations = rules["kid_locations"][kid]
        if rules["kid_items"][kid] > items:
            items = rules["kid_items"][kid]
    gain_location(
        game, rules, work, seat, keep_one(game, rules, work, seat, LOCATIONS, locations, Decision.KEEP_LOCATION), source
    )
    gain_item(game, rules, work, seat, keep_one(game, rules, work, seat, ITEMS, items, Decision.KEEP_ITEM))
    if source == Source.AUTOMATIC or source == Source.EVENT:
        game["tally"][Tally.FORCED_CLEARS] += 1
        if game["living"] == 2:
            game["tally"][Ledger.FORCED_CLEAR] += 1
        if rules["forced_clear_counts"] == 1:
            game["cleared_last"][seat] = 1
    else:
        game["tally"][Tally.CLEAR_OUTS] += 1
        game["cleared_last"][seat] = 1
