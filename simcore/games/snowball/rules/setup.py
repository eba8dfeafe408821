"""How a game begins (rulebook, Setup; R1-R3, B6)."""

import numpy as np

from simcore.games.snowball.kernel import kernel, make_option, option_a
from simcore.games.snowball.layout import (
    COVERS,
    HAND,
    LEAD_ROUNDS,
    NONE,
    Decision,
    Event,
    Ledger,
    Option,
    Source,
    Stream,
)
from simcore.games.snowball.rules.decks import (
    ITEMS,
    LOCATIONS,
    SNOWBALLS,
    draw,
    leave_events_out,
    set_up_deck,
    shuffle_rest,
)
from simcore.games.snowball.rules.hand import add_card, hand_limit, note_quickshots
from simcore.games.snowball.rules.place import gain_item, gain_location, note_uses, set_cover
from simcore.jit import copy_record
from simcore.play import decide, log, offer, open_record, sit_down
from simcore.rng import card_key, mix

u64 = np.uint64
HALF = u64(32)
FULL = u64(0xFFFFFFFFFFFFFFFF)
OFF, RANDOM, CHOSEN, FIXED = 0, 1, 2, 3  # tables.py: the parameter `kids`
LOWEST, HIGHEST, BY_LOT, FIRST_SEAT = 0, 1, 2, 3  # the parameter `first_player`


@kernel
def open_game(game, rules, work, number):
    """A game by its number: keys, the line-up's turn of chairs, nothing asked yet."""
    open_record(game, rules, work, number)
    game["agenda_size"] = 0
    game["steps"] = 0
    game["suspensions"] = 0
    game["events_open"] = 0
    game["active"] = NONE
    seats = rules["seats"]
    for seat in range(seats):
        sit_down(game, rules, seat, (seat + seats - number % seats) % seats)


@kernel
def clear_places(game, rules):
    """Empty places, full gear."""
    game["living"] = game["seats"]
    game["cover_bonus"] = 0
    game["no_quickshots"] = 0
    game["gear_changed"] = 0
    game["flipped"] = 0
    game["leader"] = NONE
    game["first_out"] = NONE
    game["first_out_turn"] = 0
    game["first_exposed"] = NONE
    game["leader_at_three"] = NONE
    game["three_seen"] = 0
    for k in range(LEAD_ROUNDS):
        game["round_leader"][k] = NONE
    game["behind"] = 0
    game["shooters"] = 0
    game["struck"] = 0
    game["drops"] = 0
    game["throws"] = 0
    game["thrower"] = NONE
    game["thrown"] = NONE
    game["thrown_item"] = NONE
    game["thrown_at"] = NONE
    for seat in range(game["seats"]):
        game["gear"][seat] = rules["gear"]
        game["kid"][seat] = NONE
        game["kid_used"][seat] = 0
        game["helds"][seat] = 0
        game["held_uses"][seat] = 0
        game["total"][seat] = 0
        game["stack"][seat] = NONE
        game["stack_size"][seat] = 0
        game["stack_item"][seat] = NONE
        game["reached"][seat] = 0
        game["cleared_last"][seat] = 0
        game["lasting_cover"][seat] = 0
        game["lasting_no_quickshots"][seat] = 0
        game["hand_size"][seat] = 0
        game["hand_quickshots"][seat] = 0
        game["lost_between"][seat] = 0
        game["turns_taken"][seat] = 0
        game["hit"][seat] = 0
        game["shot"][seat] = 0
        game["dropped"][seat] = 0


@kernel
def kid_taken(game, kid):
    """1 if a player has this kid already."""
    for seat in range(game["seats"]):
        if game["kid"][seat] == kid:
            return 1
    return 0


@kernel
def random_kid(game, rules):
    """The kid whose own key is the lowest among those left."""
    best = NONE
    best_key = FULL
    for kid in range(rules["kid_cards"]):
        if kid_taken(game, kid) == 0:
            key = card_key(game["key"][Stream.KIDS], 0, rules["kid_id"][kid])
            if best == NONE or key < best_key:
                best = kid
                best_key = key
    return best


@kernel
def choose_kids(game, rules, work):
    """Kids: off, dealt, chosen in seat order, or fixed by the study (R1, F26)."""
    if rules["kids"] == OFF:
        return
    for seat in range(game["seats"]):
        if rules["kids"] == FIXED:
            kid = rules["kid_of"][game["player"][seat]]
        elif rules["kids"] == RANDOM:
            kid = random_kid(game, rules)
        else:
            game["options"] = 0
            for k in range(rules["kid_cards"]):
                if kid_taken(game, k) == 0:
                    offer(game, make_option(Option.KID, k, 0, 0))
            kid = option_a(decide(game, rules, work, seat, Decision.KID))
        game["kid"][seat] = kid
        if kid != NONE:
            game["tally"][rules["component_kid"][kid]] += 1
            log(game, work, Event.KID, seat, kid, 0, 0)


@kernel
def kind_of(rules, deck, card):
    """What is printed on a card."""
    if deck == SNOWBALLS:
        return rules["card_kind"][card]
    if deck == LOCATIONS:
        return rules["location_kind"][card]
    return rules["item_kind"][card]


@kernel
def force(game, rules, work, deck, place, kind, forced):
    """A forced deal, before anything is dealt: the card at this place of the deck becomes one of this kind.

    It changes places with the first such card of the box that is forced on nobody else, wherever that lies: the other
    cards keep their places, and lie as in any shuffle in which this player has the card. (The first one in the deck's
    order would not do: the others of its kind would lie too deep.) Returns how many are forced; they lie in "aside".
    """
    at = NONE
    if place >= game["deck_size"][deck]:  # a box with too few cards for all
        return forced
    if kind_of(rules, deck, game["deck"][deck, place]) == kind:
        at = place
    else:
        for i in range(game["deck_next"][deck], game["deck_size"][deck]):
            card = game["deck"][deck, i]
            if kind_of(rules, deck, card) == kind and (at == NONE or card < game["deck"][deck, at]):
                taken = 0
                for k in range(forced):
                    if work["aside"][k] == i:
                        taken = 1
                if taken == 0:
                    at = i
    if at == NONE:
        return forced
    card = game["deck"][deck, at]
    game["deck"][deck, at] = game["deck"][deck, place]
    game["deck"][deck, place] = card
    work["aside"][forced] = place
    return forced + 1


@kernel
def deal_places(game, rules, work):
    """One location and one item for each player [R1]; a study may force a deal."""
    set_up_deck(game, rules, work, LOCATIONS, rules["location_cards"])
    forced = 0
    for seat in range(game["seats"]):
        kind = rules["deal_location"][game["player"][seat]]
        if kind != NONE:
            forced = force(game, rules, work, LOCATIONS, game["deck_next"][LOCATIONS] + seat, kind, forced)
    for seat in range(game["seats"]):
        gain_location(game, rules, work, seat, draw(game, rules, work, LOCATIONS), Source.CHOICE)
    set_up_deck(game, rules, work, ITEMS, rules["item_cards"])
    forced = 0
    for seat in range(game["seats"]):
        kind = rules["deal_item"][game["player"][seat]]
        if kind != NONE:
            forced = force(game, rules, work, ITEMS, game["deck_next"][ITEMS] + seat, kind, forced)
    for seat in range(game["seats"]):
        gain_item(game, rules, work, seat, draw(game, rules, work, ITEMS))


@kernel
def force_hands(game, rules, work):
    """The forced cards of the opening hands come to where those players' cards lie; Events stay where they are."""
    forced = 0
    place = game["deck_next"][SNOWBALLS]
    size = game["deck_size"][SNOWBALLS]
    for seat in range(game["seats"]):
        for i in range(hand_limit(game, rules, seat)):
            while place < size and rules["is_event"][rules["card_kind"][game["deck"][SNOWBALLS, place]]] == 1:
                place += 1
            if place >= size:
                return
            kind = np.int64(NONE)
            if i < HAND:
                kind = rules["deal_hand"][game["player"][seat], i]
            if kind != NONE:
                forced = force(game, rules, work, SNOWBALLS, place, kind, forced)
            place += 1


@kernel
def shuffle_back(game, rules, work, aside, u_lowest):
    """Events set aside return to random places of what is left of the deck [R2].

    The cards left have keys that are uniform above `u_lowest`, the key of the last card dealt; each Event set aside
    gets a new such key, so that the order stays uniform and all other cards keep theirs.
    """
    key = game["key"][SNOWBALLS]
    shuffle = game["shuffles"][SNOWBALLS]
    game["shuffles"][SNOWBALLS] = shuffle + 1
    for i in range(aside):
        card = work["aside"][i]
        bits = card_key(key, shuffle, rules["card_id"][card])
        new = u_lowest + (bits >> HALF) * ((FULL - u_lowest) >> HALF)
        j = game["deck_next"][SNOWBALLS] - 1
        game["deck_next"][SNOWBALLS] = j
        while j + 1 < game["deck_size"][SNOWBALLS] and work["sorted_key"][j + 1] < new:
            game["deck"][SNOWBALLS, j] = game["deck"][SNOWBALLS, j + 1]
            work["sorted_key"][j] = work["sorted_key"][j + 1]
            j += 1
        game["deck"][SNOWBALLS, j] = card
        work["sorted_key"][j] = new


@kernel
def deal_hands(game, rules, work):
    """Opening hands of numbered cards; Events are set aside and, all hands complete, shuffled back [R2]."""
    set_up_deck(game, rules, work, SNOWBALLS, rules["cards"])
    force_hands(game, rules, work)
    aside = 0
    lowest = u64(0)
    for seat in range(game["seats"]):
        limit = hand_limit(game, rules, seat)
        while game["hand_size"][seat] < limit and game["deck_next"][SNOWBALLS] < game["deck_size"][SNOWBALLS]:
            i = game["deck_next"][SNOWBALLS]
            card = game["deck"][SNOWBALLS, i]
            game["deck_next"][SNOWBALLS] = i + 1
            if rules["is_event"][rules["card_kind"][card]] == 1:
                work["aside"][aside] = card
                aside += 1
                game["tally"][Ledger.OPENING_EVENT] += 1
                log(game, work, Event.SET_ASIDE, seat, card, 0, 0)
            else:
                lowest = work["sorted_key"][i]
                add_card(game, rules, work, seat, card)
    if aside > 0:
        shuffle_back(game, rules, work, aside, lowest)


@kernel
def start_number(game, rules, seat):
    """What decides who starts: the cover printed on the location, or by a ruling with its Condition [R3]."""
    if rules["first_player"] == LOWEST or rules["first_player"] == HIGHEST:
        cover = game["printed"][seat]
        if rules["start_cover"] == 1:
            cover = game["cover"][seat]
        if rules["first_player"] == HIGHEST:
            return -cover
        return cover
    if rules["first_player"] == BY_LOT:
        return 0
    return seat


@kernel
def choose_start(game, rules, work):
    """The lowest cover starts; ties by rock-paper-scissors, that is by lot [R3]."""
    best = start_number(game, rules, 0)
    for seat in range(1, game["seats"]):
        number = start_number(game, rules, seat)
        if number < best:
            best = number
    ties = 0
    start = NONE
    start_key = FULL
    for seat in range(game["seats"]):
        if start_number(game, rules, seat) == best:
            ties += 1
            key = mix(game["key"][Stream.FIRST_PLAYER] + u64(seat))
            if start == NONE or key < start_key:
                start = seat
                start_key = key
    game["start"] = start
    if ties > 1 and rules["first_player"] != BY_LOT:
        game["tally"][Ledger.START_TIE] += 1
    log(game, work, Event.START, start, ties, 0, 0)


@kernel
def set_up(game, rules, work, number):
    """A game ready for its first turn."""
    open_game(game, rules, work, number)
    clear_places(game, rules)
    leave_events_out(game, rules, work)
    choose_kids(game, rules, work)
    deal_places(game, rules, work)
    deal_hands(game, rules, work)
    choose_start(game, rules, work)
    game["active"] = game["start"]
    for seat in range(game["seats"]):
        cover = game["printed"][seat]
        if cover >= COVERS:
            cover = COVERS - 1
        game["start_cover"][seat] = cover


@kernel
def set_up_position(game, rules, work, number):
    """A game that starts from work["position"], at the beginning of a turn: the unknown rest of the decks is
    shuffled."""
    copy_record(game, work["position"])
    start = game["active"]
    first = game["start"]
    turn = game["turn"]
    round_number = game["round"]
    open_game(game, rules, work, number)
    game["active"] = start
    game["start"] = first
    game["turn"] = turn
    game["round"] = round_number
    for seat in range(game["seats"]):
        sit_down(game, rules, seat, seat)  # a position names its players by seat
        note_uses(game, rules, seat)
        if game["gear"][seat] > 0:
            set_cover(game, rules, seat)
    for deck in range(3):
        shuffle_rest(game, rules, work, deck)
    dealt = 0  # hands that the position leaves open are dealt from the numbered cards
    for seat in range(game["seats"]):
        note_quickshots(game, rules, seat)
        while game["gear"][seat] > 0 and game["hand_size"][seat] < hand_limit(game, rules, seat):
            slot = next_numbered(game, rules)
            if slot == NONE:
                break
            card = game["deck"][SNOWBALLS, slot]
            for j in range(slot, game["deck_size"][SNOWBALLS] - 1):
                game["deck"][SNOWBALLS, j] = game["deck"][SNOWBALLS, j + 1]
            game["deck_size"][SNOWBALLS] -= 1
            add_card(game, rules, work, seat, card)
            dealt += 1
    if dealt > 0:
        shuffle_rest(game, rules, work, SNOWBALLS)  # the Events passed over lie in front


@kernel
def next_numbered(game, rules):
    """Place of the first numbered card of the shuffled part of the snowball deck; NONE."""
    first = game["deck_next"][SNOWBALLS] + game["deck_fixed"][SNOWBALLS]
    for i in range(first, game["deck_size"][SNOWBALLS]):
        if rules["is_event"][rules["card_kind"][game["deck"][SNOWBALLS, i]]] == 0:
            return i
    return NONE
