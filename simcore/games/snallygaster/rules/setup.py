"""How a game begins (rulebook, Game Setup, Lost Kid, Kids & Pick a Monster; L1, L2, L17, L23)."""

import numpy as np

from simcore.games.snallygaster.kernel import kernel, make_option, option_a
from simcore.games.snallygaster.layout import (
    DECKS,
    NONE,
    Decision,
    Event,
    Ledger,
    Mechanics,
    Option,
    Source,
    Span,
    Stream,
    Tally,
)
from simcore.games.snallygaster.rules.decks import (
    ITEMS,
    LOST_KID,
    SEARCH,
    draw,
    fill_deck,
    shuffle_rest,
    stack_tiles,
)
from simcore.games.snallygaster.rules.effects import settle
from simcore.games.snallygaster.rules.goals import begin_goal, check_goal
from simcore.games.snallygaster.rules.hand import cover, fill_hand
from simcore.games.snallygaster.rules.kid import gain_item, place_kid
from simcore.games.snallygaster.rules.monsters.swoop import districts_with_tree, monster_by_lot
from simcore.games.snallygaster.rules.steps import push_rows
from simcore.games.snallygaster.rules.tokens import AT_SETUP, count_bits, put_token
from simcore.jit import copy_record
from simcore.play import decide, log, offer, open_record, sit_down
from simcore.rng import card_key, next_shuffle, put_card, sort_cards, sorted_card

u64 = np.uint64
ZERO, FULL = u64(0), u64(0xFFFFFFFFFFFFFFFF)
RANDOM, FIXED, OFF = 0, 1, 2  # tables.py: the parameter `rides`
BY_LOT = -2  # a position's ride that it does not name
ASIDE = -2  # where a tile is while its stack is shuffled
POWERED_DOWN = 1 << 62  # among the items of the Lost Kid in a position: the powered card lies face down


@kernel
def open_game(game, rules, work, number):
    """A game by its number: keys, who sits where, nothing asked or counted yet."""
    open_record(game, rules, work, number)
    game["active"] = 0
    game["agenda_size"] = 0
    game["effects"] = 0
    for seat in range(rules["seats"]):
        sit_down(game, rules, seat, rules["player_of"][seat])
    for c in range(rules["components"]):
        game["used"][c] = 0


@kernel
def clear_town(game, rules):
    """Nothing lies on the town, nobody stands on it."""
    game["doom"] = 0
    game["cycle"] = 0
    game["kid_turns_left"] = 0
    game["slots_taken"] = 0
    game["double_half"] = NONE
    game["again"] = NONE
    game["alone"] = 0
    game["item_up"] = 0
    game["steps"] = 0
    game["moving"] = 0
    game["abilities"] = 0
    game["traded"] = 0
    game["sent"] = 0
    for building in range(rules["buildings"]):
        game["tokens"][building] = 0
    game["tokens_out"] = 0
    game["stars"] = 0
    game["mirrors"] = 0
    game["trees"] = 0
    game["hatchlings"] = 0
    game["bystanders"] = 0
    game["lights"] = 0
    game["cleared"] = 0
    game["fed_at"][0] = 0
    game["fed_at"][1] = 0
    game["feds_held"] = 0
    game["monster_seen"] = NONE
    game["monster_maybe"] = 0
    game["souls"] = 0
    game["stunned"] = 0
    game["cancelled"] = 0
    game["dodging"] = 0
    game["fixed_on"] = NONE
    game["rescued"] = 0
    game["freed_at"] = NONE
    game["new_hand_token"] = rules["new_hand_token"]
    game["burieds"] = 0
    game["played"] = NONE
    game["plays"] = 0
    game["card_mood"] = 0
    game["goal"] = 0
    game["threatened"] = 0
    game["searched"] = 0
    game["doom_before"] = 0
    game["rescue_round"] = NONE
    game["last_doom_round"] = NONE
    game["curses_out"] = 0
    game["items_out"] = 0
    game["symbols_out"] = 0
    for pile in range(game["piles"].shape[0]):
        game["piles"][pile] = NONE
        game["pile_told"][pile] = 0
    for seat in range(rules["seats"]):
        game["space"][seat] = NONE
        game["ride"][seat] = NONE
        game["wheels"][seat] = 0
        game["wheels_up"][seat] = 0
        game["reused"][seat] = 0
        game["items"][seat] = 0
        game["curses"][seat] = 0
        game["hand_size"][seat] = 0
        game["hidden_card"][seat] = NONE
        game["powered"][seat] = NONE
        game["monster"][seat] = NONE
        for kind in range(rules["symbols"]):
            game["symbols"][seat, kind] = 0


@kernel
def set_up_density(game, rules):
    """How often each spooky action counts, decided card by card as the deck is built [L23]."""
    if rules["density"] == 0:
        return
    key = game["key"][Stream.DENSITY]
    for card in range(rules["cards"]):
        times = 0
        k = 0
        at = rules["card_start"][card]
        while at < rules["card_end"][card]:
            n = 1
            if card_key(key, k, rules["card_id"][card]) < rules["density_limit"]:
                n = 0 if rules["density"] == 1 else 2
            times |= n << (2 * k)
            k += 1
            at = rules["op_end"][at]
        game["times"][card] = times


@kernel
def set_up_threats(game, rules):
    """Which search cards lose their threat, or get one (search_threat)."""
    key = game["key"][Stream.THREAT]
    for card in range(rules["search_cards"]):
        game["mood"][card] = 0
        if rules["threat"] != 0:
            changed = card_key(key, 0, rules["search_id"][card]) < rules["threat_limit"]
            if changed and rules["threat"] == 1 and rules["search_threat"][card] == 1:
                game["mood"][card] = 1
                game["tally"][Ledger.THREAT_CHANGED] += 1
            elif changed and rules["threat"] == 2 and rules["search_threat"][card] == 0:
                game["mood"][card] = 2
                game["tally"][Ledger.THREAT_CHANGED] += 1


@kernel
def draw_powered(game, rules):
    """The Lost Kid's powered card: that of the lowest key."""
    best = FULL
    for i in range(rules["powered_cards"]):
        card = rules["powered_first"] + i
        key = card_key(game["key"][Stream.POWERED], 0, rules["item_id"][card])
        if i == 0 or key < best:
            best = key
            game["powered"][0] = card


@kernel
def keep_for_hiding(game, card):
    """A forced hidden location goes to the end of the deck, where the cards of the set-up are not drawn from."""
    last = game["deck_size"][LOST_KID] - 1
    for i in range(last):
        if game["deck"][LOST_KID, i] == card:
            game["deck"][LOST_KID, i] = game["deck"][LOST_KID, i + 1]
            game["deck"][LOST_KID, i + 1] = card


@kernel
def set_up_lost_kid(game, rules, work):
    """Powered card, five search tokens into three piles, the hidden location, the hand (rulebook, Lost Kid)."""
    draw_powered(game, rules)
    fill_deck(game, rules, work, LOST_KID, rules["cards"])
    if rules["deal_hidden"] != NONE:
        keep_for_hiding(game, rules["deal_hidden"])
    for i in range(rules["setup_tokens"]):
        card = draw(game, rules, work, LOST_KID)
        pile = i % rules["pile_count"]
        cover(game, pile, card, 0)
        log(game, work, Event.SETUP_CARD, 0, card, pile, 0)
        put_token(game, rules, work, rules["card_building"][card], AT_SETUP)
    hide(game, rules, work)
    fill_hand(game, rules, work)


@kernel
def hide(game, rules, work):
    """The hidden location: a card of the deck by its own stream, so that the place is a source of luck of its own; a
    card that is drawn at random is as good as the top one. None that a position has fixed on top, and where it knows
    the Lost Kid not to be, he is not."""
    deck = LOST_KID
    first = game["deck_next"][deck] + game["deck_fixed"][deck]
    size = game["deck_size"][deck]
    found = first
    best = FULL
    for i in range(first, size):
        card = game["deck"][deck, i]
        if rules["card_hides"][card] == 1 and (game["cleared"] >> rules["card_building"][card]) & 1 == 0:
            key = card_key(game["key"][Stream.HIDDEN], 0, rules["card_id"][card])
            if rules["deal_hidden"] == card:
                key = ZERO
            if key < best:
                best = key
                found = i
    card = game["deck"][deck, found]
    for i in range(found, size - 1):
        game["deck"][deck, i] = game["deck"][deck, i + 1]
    game["deck_size"][deck] = size - 1
    game["hidden_card"][0] = card
    log(game, work, Event.HIDDEN, 0, card, rules["card_building"][card], 0)


@kernel
def set_up_kids(game, rules, work):
    """Wheels, rides, items."""
    kids = rules["kids"]
    for seat in range(1, kids + 1):
        game["wheels"][seat] = rules["usual_wheels"]
        game["wheels_up"][seat] = rules["usual_wheels"]
    if rules["rides"] != OFF:
        deal_rides(game, rules, work)
    fill_deck(game, rules, work, ITEMS, rules["item_cards"])
    for seat in range(1, kids + 1):  # before all others, so that nobody else is dealt a forced card
        if rules["deal_item"][seat] != NONE:
            gain_item(game, rules, work, seat, pick_item(game, rules, rules["deal_item"][seat]))
    for seat in range(1, kids + 1):
        first = np.int64(rules["deal_item"][seat] != NONE)
        n = rules["starting_items"]
        if game["ride"][seat] != NONE:
            n += rules["ride_pocket"][game["ride"][seat]]
        for _ in range(first, n):
            gain_item(game, rules, work, seat, draw(game, rules, work, ITEMS))


@kernel
def pick_item(game, rules, card):
    """A forced deal takes the item card out of the deck."""
    deck = ITEMS
    size = game["deck_size"][deck]
    for i in range(game["deck_next"][deck], size):
        if game["deck"][deck, i] == card:
            for j in range(i, size - 1):
                game["deck"][deck, j] = game["deck"][deck, j + 1]
            game["deck_size"][deck] = size - 1
            return card
    return np.int64(NONE)


@kernel
def deal_rides(game, rules, work):
    """A ride for each Kid: at random, or fixed by the study."""
    n = 0
    if rules["rides"] == RANDOM:
        shuffle = next_shuffle(game, Stream.RIDES)
        for ride in range(rules["ride_cards"]):
            put_card(work, ride, shuffle, rules["ride_id"][ride], ride)
        sort_cards(work, rules["ride_cards"])
    taken = 0
    for seat in range(1, rules["kids"] + 1):
        if rules["deal_ride"][seat] != NONE:
            taken |= 1 << rules["deal_ride"][seat]
    for seat in range(1, rules["kids"] + 1):
        ride = rules["ride_of"][seat]
        if rules["deal_ride"][seat] != NONE:
            ride = rules["deal_ride"][seat]
        elif rules["rides"] == RANDOM:
            ride = sorted_card(work, n)
            n += 1
            while (taken >> ride) & 1:
                ride = sorted_card(work, n)
                n += 1
        game["ride"][seat] = ride
        if ride != NONE:
            log(game, work, Event.RIDE, seat, ride, 0, 0)
            game["tally"][Tally.COMPONENTS + 3 * rules["component_ride"][ride]] += 1


@kernel
def place_double(game, rules, work):
    """With three Kids the 2x token gets its place for the whole game: the Kids' choice [L17]."""
    if rules["kids"] != 3 or rules["double_token"] == 0:
        return
    game["options"] = 0
    offer(game, make_option(Option.BRANCH, 0, 0, 0))
    offer(game, make_option(Option.BRANCH, 1, 0, 0))
    game["double_half"] = option_a(decide(game, rules, work, 1, Decision.DOUBLE))
    log(game, work, Event.DOUBLE, 1, game["double_half"], 0, 0)


@kernel
def place_monster_first(game, rules, work):
    """The monster's lair; one that hides begins in a district with a tree, which the Lost Kid chooses."""
    game["monster"][0] = rules["lair"]
    game["monster_seen"] = rules["lair"]
    game["monster_maybe"] = 1 << rules["lair"]
    if rules["mechanics"] == Mechanics.SWOOP:
        bits = districts_with_tree(game, rules)
        if bits != 0:
            game["options"] = 0
            for d in range(rules["districts"]):
                if (bits >> d) & 1:
                    offer(game, make_option(Option.DISTRICT, d, 0, 0))
            game["monster"][0] = option_a(decide(game, rules, work, 0, Decision.LAIR))
            game["monster_maybe"] = bits
        game["monster_seen"] = NONE
    log(game, work, Event.MONSTER_AT, 0, game["monster"][0], np.int64(game["monster_seen"] == NONE), 0)


@kernel
def set_up(game, rules, work, number):
    """Everything before the first turn, in the order of the rulebook."""
    open_game(game, rules, work, number)
    clear_town(game, rules)
    set_up_density(game, rules)
    set_up_threats(game, rules)
    for kind in range(rules["symbols"]):
        for tile in range(rules["tiles"]):
            if rules["tile_symbol"][tile] == kind:
                game["tile_at"][tile] = NONE
        stack_tiles(game, rules, work, kind, NONE)
    fill_deck(game, rules, work, SEARCH, rules["search_cards"])
    set_up_lost_kid(game, rules, work)
    set_up_kids(game, rules, work)
    place_double(game, rules, work)
    game["active"] = 1  # what a story card or a goal lets somebody choose, the first Kid chooses
    push_rows(game, 1, Source.STORY, rules["setup_start"], rules["setup_end"])
    settle(game, rules, work)
    place_monster_first(game, rules, work)
    begin_goal(game, rules, work, 0)
    check_goal(game, rules, work)
    settle(game, rules, work)
    if rules["immunity"] == 0:
        for seat in range(1, rules["kids"] + 1):
            place_kid(game, rules, work, seat)
    game["active"] = 0


@kernel
def draw_hand_again(game, rules, work):
    """The hand of a position: the cards that it names, and as many as are lacking by lot; none of those fixed on top of
    the deck."""
    for i in range(game["hand_size"][0]):
        log(game, work, Event.DRAW, 0, game["hand"][0, i], 0, 0)
    deck = LOST_KID
    at = game["deck_next"][deck] + game["deck_fixed"][deck]
    while game["hand_size"][0] < rules["hand_size"] and at < game["deck_size"][deck]:
        card = game["deck"][deck, at]
        size = game["deck_size"][deck] - 1
        for i in range(at, size):
            game["deck"][deck, i] = game["deck"][deck, i + 1]
        game["deck_size"][deck] = size
        game["hand"][0, game["hand_size"][0]] = card
        game["hand_size"][0] += 1
        log(game, work, Event.DRAW, 0, card, 0, 0)


@kernel
def draw_rides_again(game, rules, work):
    """Kids whose ride a position does not name (BY_LOT) are dealt one of those left."""
    taken = 0
    for seat in range(1, rules["kids"] + 1):
        if game["ride"][seat] >= 0:
            taken |= 1 << game["ride"][seat]
    shuffle = next_shuffle(game, Stream.RIDES)
    n = 0
    for ride in range(rules["ride_cards"]):
        if (taken >> ride) & 1 == 0:
            put_card(work, n, shuffle, rules["ride_id"][ride], ride)
            n += 1
    if n > 0:
        sort_cards(work, n)
    k = 0
    for seat in range(1, rules["kids"] + 1):
        if game["ride"][seat] == BY_LOT:
            game["ride"][seat] = sorted_card(work, k)
            k += 1
        if game["ride"][seat] != NONE:
            log(game, work, Event.RIDE, seat, game["ride"][seat], 0, 0)


@kernel
def stack_tiles_again(game, rules, work, kind):
    """The stack of a kind shuffled, with the tiles that a position knows on top of it; symbols that Kids hold without
    their tile being named get one of the others."""
    fixed = game["stack_size"][kind]
    for i in range(fixed):  # kept aside, in the order in which they will be drawn
        work["aside"][i] = game["stack"][kind, i]
        game["tile_at"][game["stack"][kind, i]] = ASIDE
    stack_tiles(game, rules, work, kind, NONE)
    first = 0
    for seat in range(game["seats"]):
        named = 0
        for tile in range(rules["tiles"]):
            if rules["tile_symbol"][tile] == kind and game["tile_at"][tile] == seat:
                named += 1
        for _ in range(named, game["symbols"][seat, kind]):
            game["tile_at"][game["stack"][kind, first]] = seat
            first += 1
    left = game["stack_size"][kind] - first
    for i in range(left):
        game["stack"][kind, i] = game["stack"][kind, first + i]
    for i in range(fixed):
        tile = work["aside"][fixed - 1 - i]
        game["stack"][kind, left + i] = tile
        game["tile_at"][tile] = NONE
    game["stack_size"][kind] = left + fixed


@kernel
def free_lost_kid(game, rules):
    """A position in which the Lost Kid is free: the powered card is his, face up unless it says face down."""
    card = game["powered"][0]
    down = game["items"][0] & POWERED_DOWN
    game["items"][0] &= ~POWERED_DOWN
    game["items"][0] |= 1 << card
    if down == 0:
        game["item_up"] |= 1 << card
    game["tally"][Tally.RESCUED] = 1
    game["span"][Span.RESCUE_ROUND] = game["rescue_round"] + 1


@kernel
def count_peaks(game):
    """The most of everything so far is what lies there."""
    game["span"][Span.TOKENS] = game["tokens_out"]
    game["span"][Span.SYMBOLS] = game["symbols_out"]
    game["span"][Span.ITEMS] = game["items_out"]
    game["span"][Span.CURSES] = game["curses_out"]
    game["span"][Span.BYSTANDERS] = count_bits(game["bystanders"])


@kernel
def set_up_position(game, rules, work, number):
    """A game that begins with a position from a file: what it does not fix is drawn anew in every game."""
    copy_record(game, work["position"])
    turn = game["turn"]
    round_number = game["round"]
    open_game(game, rules, work, number)
    game["turn"] = turn
    game["round"] = round_number
    set_up_density(game, rules)
    set_up_threats(game, rules)
    for deck in range(DECKS):
        shuffle_rest(game, rules, work, deck)
    for kind in range(rules["symbols"]):
        stack_tiles_again(game, rules, work, kind)
    if game["powered"][0] == NONE:
        draw_powered(game, rules)
    if game["hidden_card"][0] == NONE:
        hide(game, rules, work)
    else:
        card = game["hidden_card"][0]
        log(game, work, Event.HIDDEN, 0, card, rules["card_building"][card], 0)
    draw_hand_again(game, rules, work)
    draw_rides_again(game, rules, work)
    if game["monster"][0] == NONE:
        monster_by_lot(game, rules, 0)
    if game["rescued"] == 1:
        free_lost_kid(game, rules)
    count_peaks(game)
    log(game, work, Event.MONSTER_AT, 0, game["monster"][0], np.int64(game["monster_seen"] == NONE), 0)
    log(game, work, Event.OPENS, 0, game["goal"], 0, 0)
