"""One throw, from declaration to its end (rulebook, Throwing and QuickShot; R5-R8, R12-R22, B2, B5).

Order [4.3 of the facts]: card, modifier and target declared; the target's items on "snowball thrown"; the snowball
lands; QuickShot answers; hits determined; items on "when hit"; gear flips together; eliminations together; end test;
automatic Clear Outs; refills. With ``ruling.refill = at_once`` a hand is refilled as soon as a card has left it: the
throw is then suspended while the agenda draws (and an Event may throw in between), and goes on afterwards.
"""

import numpy as np

from simcore.games.snowball.kernel import inline, kernel, make_option, option_a, option_b, option_c
from simcore.games.snowball.layout import (
    NONE,
    OPTIONS,
    SEATS,
    SHOOTERS,
    SUSPENDED,
    Bat,
    Decision,
    Event,
    ItemUse,
    Ledger,
    Option,
    Source,
    Span,
    Status,
    Step,
    Stream,
    Tally,
)
from simcore.games.snowball.rules.decks import ITEMS, SNOWBALLS, discard
from simcore.games.snowball.rules.hand import refill, take_card
from simcore.games.snowball.rules.hits import resolve_hits
from simcore.games.snowball.rules.place import drop_item, take_item
from simcore.games.snowball.rules.steps import push
from simcore.play import ENDLESS, count_peak, decide, fail, log, offer
from simcore.rng import value

NUMBERS = 63  # numbers that a bit can stand for


@inline
def same_earlier(game, rules, seat, slot):
    """1 if an earlier card of the hand is of the same kind: one option is enough for both."""
    kind = rules["card_kind"][game["hand"][seat, slot]]
    for i in range(slot):
        if rules["card_kind"][game["hand"][seat, i]] == kind:
            return 1
    return 0


@inline
def offer_again(game, count, more):
    """The first `count` options once more, each with `more` added."""
    n = game["options"]
    if n + count <= OPTIONS:
        for i in range(count):
            game["option"][n + i] = game["option"][i] + more
        game["options"] = n + count


@kernel
def offer_throws(game, rules, seat):
    """Every card at every living opponent [R5], then again with the kid's one-time power, with a Modifier held [R6],
    with both. The first options of a decision.
    """
    game["options"] = 0
    if game["hand_size"][seat] == 0:
        return
    targets = 0
    for target in range(game["seats"]):  # without an `if`, which would be foretold wrongly again and again
        game["option"][targets] = make_option(Option.THROW, 0, target, 0)
        targets += np.int64((game["gear"][target] > 0) & (target != seat))
    n = targets
    for slot in range(1, game["hand_size"][seat]):
        if same_earlier(game, rules, seat, slot) == 0 and n + SEATS <= OPTIONS:
            more = make_option(0, slot, 0, 0)
            for i in range(SEATS - 1):  # unrolled; what lies beyond the last target is written over, or not on offer
                game["option"][n + i] = game["option"][i] + more
            n += targets
    game["options"] = n
    kid = game["kid"][seat]
    boost = kid != NONE and game["kid_used"][seat] == 0 and rules["kid_boost"][kid] != 0
    if boost:
        offer_again(game, n, make_option(0, 0, 0, 8))
    if game["held_uses"][seat] & ItemUse.MODIFIES == 0:
        return
    for i in range(game["helds"][seat]):
        if rules["item_use"][game["held"][seat, i]] & ItemUse.MODIFIES:
            offer_again(game, n, make_option(0, 0, 0, 1 + i))
            if boost:
                offer_again(game, n, make_option(0, 0, 0, 9 + i))


@kernel
def suspend(game, seat):
    """Set the present throw aside: hands are refilled first, and an Event may throw in between [B5]."""
    n = game["suspensions"]
    if n >= SUSPENDED:
        fail(game, ENDLESS, seat)
        return
    game["suspensions"] = n + 1
    row = n
    game["suspended"][row, 0] = game["thrower"]
    game["suspended"][row, 1] = game["thrown"]
    game["suspended"][row, 2] = game["thrown_item"]
    game["suspended"][row, 3] = game["thrown_number"]
    game["suspended"][row, 4] = game["thrown_power"]
    game["suspended"][row, 5] = game["thrown_at"]
    game["suspended"][row, 6] = game["shooters"]
    game["suspended"][row, 7] = game["window_shooter"]
    game["suspended"][row, 8] = game["window_seat"]
    game["suspended"][row, 43] = game["struck"]
    game["suspended"][row, 44] = game["answered"]
    game["struck"] = 0
    for i in range(SEATS):
        game["suspended"][row, 9 + i] = game["hit"][i]
        game["suspended"][row, 15 + i] = game["shot"][i]
        game["hit"][i] = 0
        game["shot"][i] = 0
    for i in range(SHOOTERS):
        game["suspended"][row, 27 + i] = game["shooter"][i]
    push(game, Step.GO_ON, seat, 0, 0, Source.CHOICE)


@kernel
def resume(game):
    """Take the throw up again."""
    row = game["suspensions"] - 1
    game["suspensions"] = row
    game["thrower"] = game["suspended"][row, 0]
    game["thrown"] = game["suspended"][row, 1]
    game["thrown_item"] = game["suspended"][row, 2]
    game["thrown_number"] = game["suspended"][row, 3]
    game["thrown_power"] = game["suspended"][row, 4]
    game["thrown_at"] = game["suspended"][row, 5]
    game["shooters"] = game["suspended"][row, 6]
    game["window_shooter"] = game["suspended"][row, 7]
    game["window_seat"] = game["suspended"][row, 8]
    game["struck"] = game["suspended"][row, 43]
    game["answered"] = game["suspended"][row, 44]
    for i in range(SEATS):
        game["hit"][i] = game["suspended"][row, 9 + i]
        game["shot"][i] = game["suspended"][row, 15 + i]
    for i in range(SHOOTERS):
        game["shooter"][i] = game["suspended"][row, 27 + i]


@inline
def throw(game, rules, work, seat, option):
    """Declare a throw and carry it on as far as it goes without a refill."""
    slot = option_a(option)
    target = option_b(option)
    extra = option_c(option)
    card = take_card(game, rules, seat, slot)
    kind = rules["card_kind"][card]
    number = rules["number"][kind]
    power = number
    modifier = NONE
    if extra & 7 != 0:
        modifier = take_item(game, rules, seat, (extra & 7) - 1)
        item = rules["item_kind"][modifier]
        power += rules["item_power"][item]
        game["tally"][rules["component_item"][item] + 1] += 1
    log(game, work, Event.THROW, seat, card, target, modifier)
    kid = game["kid"][seat]
    if kid != NONE:
        power += rules["kid_power"][kid]
        if extra >= 8:
            power += rules["kid_boost"][kid]
            game["kid_used"][seat] = 1
            log(game, work, Event.BOOST, seat, rules["kid_boost"][kid], 0, 0)
    game["throws"] += 1
    game["tally"][Tally.THROWS] += 1
    game["tally"][Ledger.THROWN_QUICKSHOT] += rules["is_quickshot"][kind]
    game["cleared_last"][seat] = 0
    game["thrower"] = seat
    game["thrown"] = card
    game["thrown_item"] = modifier
    game["thrown_number"] = number
    if rules["quickshot_number"] == 1:
        game["thrown_number"] = power
    game["thrown_power"] = power
    game["thrown_at"] = target
    if power != number:
        game["tally"][Ledger.QUICKSHOT_NUMBER] += 1
    game["answered"] = 1 << seat
    game["shooter"][0] = seat
    game["shooters"] = 0  # 0: not landed yet
    game["window_shooter"] = 0
    game["window_seat"] = 1
    if rules["refill"] == 1:
        suspend(game, seat)
        push(game, Step.REFILL, seat, 0, 0, Source.CHOICE)
        return
    go_on(game, rules, work)


@inline
def offer_bats(game, rules, seat, sender):
    """Options of `seat` at whom the snowball flies: hold the item, or send the snowball on [R18]."""
    game["options"] = 0
    offer(game, make_option(Option.PASS, 0, 0, 0))
    for i in range(game["helds"][seat]):
        bat = rules["item_bats"][rules["item_kind"][game["held"][seat, i]]]
        if bat == Bat.THROWER and game["gear"][sender] > 0:
            offer(game, make_option(Option.BAT, i, 1 + sender, 0))
        elif bat == Bat.ANYONE:
            for target in range(game["seats"]):
                if target != seat and game["gear"][target] > 0:
                    offer(game, make_option(Option.BAT, i, 1 + target, 0))
        elif bat == Bat.DISCARD:
            offer(game, make_option(Option.BAT, i, 0, 0))


@inline
def fly(game, rules, work):
    """Items on "snowball thrown at you": the final target, or NONE if the snowball is discarded [R18].

    A batted snowball keeps number and modifier; each player may bat it once; bat against bat only where the ruling
    allows.
    """
    sender = game["thrower"]
    batted = 0
    while True:
        seat = game["thrown_at"]
        if game["gear"][seat] == 0 or game["held_uses"][seat] & ItemUse.BATS == 0 or (batted >> seat) & 1 == 1:
            return
        if batted != 0 and rules["bat_chain"] == 0:
            return
        offer_bats(game, rules, seat, sender)
        if game["options"] == 1:
            return
        option = decide(game, rules, work, seat, Decision.BAT)
        if option & 15 != Option.BAT:
            return
        game["tally"][Ledger.BATTED] += 1
        if batted != 0:
            game["tally"][Ledger.BATTED_BACK] += 1
        batted |= 1 << seat
        target = option_b(option) - 1
        log(game, work, Event.BAT, seat, game["held"][seat, option_a(option)], target, 0)
        drop_item(game, rules, work, seat, option_a(option), 3)
        sender = seat
        game["thrown_at"] = target
        if target == NONE:
            return


@inline
def land(game, rules, work):
    """The snowball comes to rest; it hits if the stack now reaches the cover [R7]. One snowball, at most one hit."""
    seat = game["thrown_at"]
    if seat == NONE or game["gear"][seat] == 0:  # batted away, or its target is gone
        discard(game, SNOWBALLS, game["thrown"])
        log(game, work, Event.DISCARD, game["thrower"], game["thrown"], 3, 0)
        if game["thrown_item"] != NONE:
            discard(game, ITEMS, game["thrown_item"])
            log(game, work, Event.DISCARD_ITEM, game["thrower"], game["thrown_item"], 5, 0)
        return
    game["under"][game["thrown"]] = game["stack"][seat]
    game["stack"][seat] = game["thrown"]
    size = game["stack_size"][seat] + 1
    game["stack_size"][seat] = size
    count_peak(game, Span.STACK, size)
    if game["thrown_item"] != NONE:
        game["item_under"][game["thrown_item"]] = game["stack_item"][seat]
        game["stack_item"][seat] = game["thrown_item"]
    total = game["total"][seat] + game["thrown_power"]
    game["total"][seat] = total
    hits = 0
    if total >= game["cover"][seat]:
        hits = 1
        game["hit"][seat] = 1
        game["struck"] |= 1 << seat
        game["tally"][Tally.HITS] += 1
        game["tally"][Ledger.LATER_HIT] += game["reached"][seat]
        game["reached"][seat] = 1
        if game["first_exposed"] == NONE:
            game["first_exposed"] = seat
    elif total >= game["printed"][seat]:
        game["tally"][Ledger.CONDITION_SAVED] += 1
    log(game, work, Event.LAND, seat, total, game["cover"][seat], hits)


@inline
def matching_slot(game, rules, seat):
    """First hand slot with a QuickShot of the thrown number, which the hand has."""
    slot = 0
    while rules["quickshot_bit"][game["hand"][seat, slot]] >> game["thrown_number"] != 1:
        slot += 1
    return slot


@kernel
def another_holds(game, shooter):
    """1 if a QuickShot that could answer `shooter` is still in a hand."""
    for seat in range(game["seats"]):
        if seat != shooter and (game["hand_quickshots"][seat] >> game["thrown_number"]) & 1 == 1:
            return 1
    return 0


@kernel
def fastest(game, shooter, rank):
    """The rank-th (1, 2, ...) of the other seats in an order drawn for this throw."""
    key = game["key"][Stream.RESPONDERS]
    counter = (game["throws"] * SHOOTERS + game["window_shooter"]) * SEATS
    for seat in range(game["seats"]):
        if seat == shooter:
            continue
        before = 1
        for other in range(game["seats"]):
            if other != shooter and value(key, counter + other) < value(key, counter + seat):
                before += 1
        if before == rank:
            return seat
    return shooter


@inline
def window(game, rules, work):
    """QuickShot answers, clockwise from whoever can be answered [R12-R18]. Returns 1 if the throw was suspended for a
    refill.

    Each matching QuickShot is a separate hit on the shooter, cover ignored; the card goes to the discards. Ruling
    `quickshot_responders`: all, the first in order, or the fastest (drawn). Ruling `quickshot_answers_quickshot`: an
    answer can be answered, too.
    """
    seats = game["seats"]
    number = game["thrown_number"]
    held = 0
    for seat in range(seats):
        held |= game["hand_quickshots"][seat]
    if number < 0 or number >= NUMBERS or (held >> number) & 1 == 0 or game["no_quickshots"] > 0:
        return 0
    while game["window_shooter"] < game["shooters"]:
        shooter = game["shooter"][game["window_shooter"]]
        if game["gear"][shooter] == 0:  # sent inside while the throw was suspended
            game["window_seat"] = seats
        while game["window_seat"] < seats:
            seat = shooter + game["window_seat"]
            if seat >= seats:
                seat -= seats
            if rules["quickshot_responders"] == 2:
                seat = fastest(game, shooter, game["window_seat"])
            if (game["hand_quickshots"][seat] >> number) & 1 == 0:
                game["window_seat"] += 1
                continue
            slot = matching_slot(game, rules, seat)
            game["tally"][Tally.RESPONSES] += 1
            game["options"] = 0
            offer(game, make_option(Option.PASS, 0, 0, 0))
            offer(game, make_option(Option.QUICKSHOT, slot, 0, 0))
            option = decide(game, rules, work, seat, Decision.QUICKSHOT)
            if option & 15 != Option.QUICKSHOT:
                game["tally"][Ledger.HELD_QUICKSHOT] += 1
                game["window_seat"] += 1
                continue
            card = take_card(game, rules, seat, slot)
            log(game, work, Event.QUICKSHOT, seat, card, shooter, 0)
            discard(game, SNOWBALLS, card)
            log(game, work, Event.DISCARD, seat, card, 4, 0)
            if game["shot"][shooter] > 0:
                game["tally"][Ledger.SEVERAL_QUICKSHOTS] += 1
            game["shot"][shooter] += 1
            game["struck"] |= 1 << shooter
            game["answered"] |= 1 << seat
            game["tally"][Tally.QUICKSHOT_HITS] += 1
            game["tally"][Ledger.QUICKSHOT_HIT] += 1
            if game["window_shooter"] > 0:
                game["tally"][Ledger.QUICKSHOT_ANSWERED] += 1
            if game["living"] == 2 and game["cleared_last"][seat] == 1:
                game["tally"][Ledger.ANSWER_BETWEEN] += 1
            if rules["quickshot_counts_as_throw"] == 1:
                game["cleared_last"][seat] = 0
            if rules["quickshot_answers_quickshot"] == 1 and game["shooters"] < SHOOTERS:
                game["shooter"][game["shooters"]] = seat
                game["shooters"] += 1
            if rules["quickshot_responders"] != 0:
                game["tally"][Ledger.SEVERAL_QUICKSHOTS] += another_holds(game, shooter)
                game["window_seat"] = seats
            if rules["refill"] == 1:
                suspend(game, seat)
                push(game, Step.REFILL, seat, 0, 0, Source.CHOICE)
                return 1
        game["window_shooter"] += 1
        game["window_seat"] = 1
    return 0


@kernel
def go_on(game, rules, work):
    """The throw from wherever it stands to its end."""
    if game["shooters"] == 0:
        fly(game, rules, work)
        land(game, rules, work)
        game["shooters"] = 1
    if window(game, rules, work) == 1:
        return
    thrower = game["thrower"]
    if game["struck"] != 0:
        resolve_hits(game, rules, work, thrower)
    if game["status"] == Status.PLAYING and rules["refill"] == 0:
        waiting = game["answered"]
        seat = thrower
        while waiting != 1 << thrower:  # thrower first, then clockwise [R21]: last pushed, first done
            seat -= 1
            if seat < 0:
                seat = game["seats"] - 1
            if (waiting >> seat) & 1 == 1:
                waiting ^= 1 << seat
                if game["gear"][seat] > 0:
                    push(game, Step.REFILL, seat, 0, 0, Source.CHOICE)
        if game["gear"][thrower] > 0:
            if game["agenda_size"] + game["drops"] == 0:  # nothing waits: at once, without a place on the agenda
                refill(game, rules, work, thrower, Source.CHOICE)
            else:
                push(game, Step.REFILL, thrower, 0, 0, Source.CHOICE)
