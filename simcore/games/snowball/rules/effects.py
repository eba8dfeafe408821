"""What Events and Action items do: the compiled rows of the effect language, and the agenda that works them off
(R36-R44, B2-B4)."""

from simcore.games.snowball.kernel import kernel, make_option, option_b
from simcore.games.snowball.layout import (
    STEPS,
    Decision,
    Event,
    Ledger,
    Loss,
    Op,
    Option,
    Source,
    Status,
    Step,
    Stream,
    Whom,
)
from simcore.games.snowball.rules.decks import (
    ITEMS,
    LOCATIONS,
    SNOWBALLS,
    cards_left,
    discard,
    draw,
    lay,
    numbered_left,
    shuffle_rest,
)
from simcore.games.snowball.rules.hand import add_card, discard_hand, hand_limit, note_quickshots, refill
from simcore.games.snowball.rules.hits import change_gear, end_test, resolve_hits, send_all_inside
from simcore.games.snowball.rules.place import (
    clear_out,
    drop_item,
    gain_item,
    gain_location,
    note_cover_drop,
    set_cover,
    set_covers,
)
from simcore.games.snowball.rules.steps import push
from simcore.games.snowball.rules.throw import go_on, offer_throws, resume, throw
from simcore.play import ENDLESS, decide, fail, log, offer
from simcore.rng import next_shuffle, sort_cards, sorted_card


@kernel
def granted_throw(game, rules, work, seat):
    """One throw that an item or an Event grants; it lapses without a card or with its thrower [B2]."""
    offer_throws(game, rules, seat)
    if game["options"] == 0:
        game["tally"][Ledger.NO_TARGET] += 1
        return
    throw(game, rules, work, seat, decide(game, rules, work, seat, Decision.EXTRA_THROW))


@kernel
def recover(game, rules, work, seat, amount):
    """Flip up to `amount` lost gear back, never above the starting gear [R38]."""
    gear = game["gear"][seat] + amount
    if gear > rules["gear"]:
        gear = rules["gear"]
    if gear == game["gear"][seat]:
        game["tally"][Ledger.NO_TARGET] += 1
        return
    change_gear(game, rules, work, seat, gear, Loss.EVENT)
    end_test(game, rules, 0, 0)


@kernel
def come_back(game, rules, work, seat):
    """An eliminated player returns: location, item and hand as at set-up, Events drawn are shuffled back [R44, B4]."""
    game["living"] += 1
    game["tally"][Ledger.RETURNED] += 1
    log(game, work, Event.BACK, seat, game["gear"][seat], 0, 0)
    game["cleared_last"][seat] = 0
    game["lost_between"][seat] = 0
    gain_location(game, rules, work, seat, draw(game, rules, work, LOCATIONS), Source.EVENT)
    gain_item(game, rules, work, seat, draw(game, rules, work, ITEMS))
    aside = 0
    while game["hand_size"][seat] < hand_limit(game, rules, seat) and numbered_left(game) > 0:
        card = draw(game, rules, work, SNOWBALLS)
        if rules["is_event"][rules["card_kind"][card]] == 1:
            game["events_open"] += 1  # neither in the deck nor in the discards for the moment
            game["under"][card] = aside - 1  # a list of those set aside
            aside = card + 1
            log(game, work, Event.SET_ASIDE, seat, card, 0, 0)
        else:
            add_card(game, rules, work, seat, card)
    if aside == 0:
        return
    while aside != 0:  # back into the draw deck, which is shuffled
        card = aside - 1
        aside = game["under"][card] + 1
        game["events_open"] -= 1
        if game["deck_next"][SNOWBALLS] > 0:
            game["deck_next"][SNOWBALLS] -= 1
            game["deck"][SNOWBALLS, game["deck_next"][SNOWBALLS]] = card
        else:
            game["deck"][SNOWBALLS, game["deck_size"][SNOWBALLS]] = card
            game["deck_size"][SNOWBALLS] += 1
    shuffle_rest(game, rules, work, SNOWBALLS)


@kernel
def offer_poorer(game, rules, seat):
    """Players with less gear than `seat`; by a ruling (longer game) also those sent inside [R44]."""
    game["options"] = 0
    for other in range(game["seats"]):
        if other != seat and game["gear"][other] < game["gear"][seat]:
            if game["gear"][other] > 0 or (rules["mom_hollering_eliminated"] == 1 and cards_left(game, LOCATIONS) > 0):
                offer(game, make_option(Option.TARGET, 0, other, 0))


@kernel
def help_poorer(game, rules, work, seat, amount, at_own_cost):
    """A chosen player with less gear gains gear, given by `seat` (never the last) or at no cost (Mom Hollering,
    F13)."""
    if at_own_cost == 1 and amount > game["gear"][seat] - 1:
        amount = game["gear"][seat] - 1
    offer_poorer(game, rules, seat)
    if game["options"] == 0 or amount <= 0:
        game["tally"][Ledger.NO_TARGET] += 1
        return
    other = option_b(decide(game, rules, work, seat, Decision.GIVE))
    before = game["gear"][other]
    if amount > rules["gear"] - before:
        amount = rules["gear"] - before
    if at_own_cost == 1:
        change_gear(game, rules, work, seat, game["gear"][seat] - amount, Loss.EVENT)
    change_gear(game, rules, work, other, before + amount, Loss.EVENT)
    if before == 0:
        come_back(game, rules, work, other)
    end_test(game, rules, 0, 0)


@kernel
def pool_hands(game, rules, work, seat):
    """Snowplow: all hands pooled, shuffled, handed back in the same sizes; the drawer's open refill waits [R37]."""
    n = 0
    shuffle = next_shuffle(game, Stream.SNOWPLOW)
    for other in range(game["seats"]):
        if game["gear"][other] > 0 and game["hand_size"][other] < hand_limit(game, rules, other):
            game["tally"][Ledger.SHORT_POOL] += 1
        for i in range(game["hand_size"][other]):
            lay(rules, work, n, shuffle, SNOWBALLS, game["hand"][other, i])
            n += 1
    sort_cards(work, n)
    n = 0
    for other in range(game["seats"]):
        for i in range(game["hand_size"][other]):
            game["hand"][other, i] = sorted_card(work, n)
            log(game, work, Event.POOL, other, game["hand"][other, i], 0, 0)
            n += 1
        note_quickshots(game, rules, other)


@kernel
def lose_gear(game, rules, work, seat, amount):
    """Gear lost without a hit: no automatic Clear Out, nothing saves."""
    gear = game["gear"][seat] - amount
    if gear < 0:
        gear = 0
    change_gear(game, rules, work, seat, gear, Loss.EVENT)
    outs = send_all_inside(game, rules, work)
    end_test(game, rules, 0, outs)


@kernel
def start_lasting(game, rules, work, seat, op, amount):
    """An effect until the drawer's next turn (F10)."""
    log(game, work, Event.LASTING, seat, op, amount, 0)
    if op == Op.LASTING_COVER:
        game["lasting_cover"][seat] += amount
        game["cover_bonus"] += amount
        set_covers(game, rules, seat)
    else:
        game["lasting_no_quickshots"][seat] += 1
        game["no_quickshots"] += 1


@kernel
def discard_held(game, rules, work, seat):
    """All items before `seat` to the discards, unused."""
    if game["helds"][seat] == 0:
        game["tally"][Ledger.NO_TARGET] += 1
    while game["helds"][seat] > 0:
        drop_item(game, rules, work, seat, game["helds"][seat] - 1, 1)
    set_cover(game, rules, seat)
    note_cover_drop(game, rules, seat, seat)


@kernel
def do_op(game, rules, work, seat, pc, end, source):
    """One row of an effect; what is left of the effect waits on the agenda where other things must happen first."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if op == Op.FOR_EACH:
        stop = rules["op_end"][pc]
        if stop < end:
            push(game, Step.EFFECT, seat, stop, end, source)
        other = seat
        for _ in range(game["seats"]):  # clockwise from `seat`: last pushed, first done
            other -= 1
            if other < 0:
                other = game["seats"] - 1
            if game["gear"][other] > 0 and (other != seat or a == Whom.PLAYER):
                reason = source
                if other != seat:
                    reason = Source.EVENT  # the others have not chosen it, whoever's card it is [R31]
                push(game, Step.EFFECT, other, pc + 1, stop, reason)
        return
    if pc + 1 < end:
        push(game, Step.EFFECT, seat, pc + 1, end, source)
    if op == Op.THROW:
        for _ in range(a):
            push(game, Step.THROW, seat, 0, 0, source)
    elif op == Op.CLEAR_OUT:
        clear_out(game, rules, work, seat, source, a)
    elif op == Op.RECOVER:
        recover(game, rules, work, seat, a)
    elif op == Op.RECOVER_POORER:
        help_poorer(game, rules, work, seat, a, 0)
    elif op == Op.GIVE:
        help_poorer(game, rules, work, seat, a, 1)
    elif op == Op.POOL_HANDS:
        pool_hands(game, rules, work, seat)
    elif op == Op.DISCARD_HAND:
        discard_hand(game, work, seat)
        push(game, Step.REFILL, seat, 0, 0, source)
    elif op == Op.DISCARD_ITEM:
        discard_held(game, rules, work, seat)
    elif op == Op.DRAW_ITEM:
        for _ in range(a):
            gain_item(game, rules, work, seat, draw(game, rules, work, ITEMS))
    elif op == Op.LOSE:
        lose_gear(game, rules, work, seat, a)
    elif op == Op.LASTING_COVER or op == Op.LASTING_NO_QUICKSHOTS:
        start_lasting(game, rules, work, seat, op, a)


@kernel
def event_done(game, work, seat, card):
    """An Event is resolved: to the discards [R36, R40]."""
    game["events_open"] -= 1
    discard(game, SNOWBALLS, card)
    log(game, work, Event.EVENT_DONE, seat, card, 0, 0)


@kernel
def hit_dropped(game, rules, work):
    """By a ruling: covers have dropped to their stacks' totals, which is a hit at once, on all of them together
    [R8]."""
    game["drops"] = 0
    for seat in range(game["seats"]):
        if game["dropped"][seat] == 1 and game["gear"][seat] > 0 and game["total"][seat] >= game["cover"][seat]:
            game["hit"][seat] = 1
            game["struck"] |= 1 << seat
        game["dropped"][seat] = 0
    resolve_hits(game, rules, work, game["drop_owner"])


@kernel
def settle(game, rules, work):
    """Work the agenda off, the last step first, until it is empty or the game is over."""
    while game["status"] == Status.PLAYING:
        if game["drops"] == 1:
            hit_dropped(game, rules, work)
            continue
        if game["agenda_size"] == 0:
            return
        game["steps"] += 1
        if game["steps"] > STEPS:
            fail(game, ENDLESS, game["active"])
            return
        n = game["agenda_size"] - 1
        game["agenda_size"] = n
        waiting = game["agenda"][n]
        step = waiting & 15
        seat = (waiting >> 4) & 15
        source = (waiting >> 8) & 15
        pc = (waiting >> 12) & 4095
        end = waiting >> 24
        if step == Step.REFILL:  # by far the most frequent
            if game["gear"][seat] > 0:
                refill(game, rules, work, seat, source)
        elif step == Step.EVENT_DONE:
            event_done(game, work, seat, pc)
        elif step == Step.GO_ON:
            resume(game)
            go_on(game, rules, work)
        elif game["gear"][seat] == 0:  # whoever is out does nothing more
            if step == Step.THROW:
                game["tally"][Ledger.THROWER_OUT] += 1
        elif step == Step.EFFECT:
            if pc < end:
                do_op(game, rules, work, seat, pc, end, source)
        else:
            granted_throw(game, rules, work, seat)
