"""How a game begins (rulebook, Setup and Solo Mode; P3, P7). The monsters' own set-up steps are turns of their own
before the first round (turn.py), so that a policy can look ahead from them too."""

import numpy as np

from simcore.games.spooktacular.kernel import kernel
from simcore.games.spooktacular.layout import (
    CARDS,
    COLOURS,
    NONE,
    PIECES,
    ROOMS,
    ROUNDS,
    SLOTS,
    SUPPLY,
    WHENS,
    Event,
    Stream,
)
from simcore.games.spooktacular.rules.automaton import shuffle_bot
from simcore.games.spooktacular.rules.cards import draw_up, shuffle_deck
from simcore.games.spooktacular.rules.guests import SET_UP, add_guests
from simcore.games.spooktacular.rules.places import is_room, refresh_theater
from simcore.jit import copy_record
from simcore.play import log, open_record, play_by, sit_down
from simcore.rng import card_key

u64 = np.uint64
FULL = u64(0xFFFFFFFFFFFFFFFF)


@kernel
def open_game(game, rules, work, number):
    """A game by its number: keys, the line-up's turn of chairs, nothing asked yet."""
    open_record(game, rules, work, number)
    game["agenda_size"] = 0
    game["queued"] = 0
    game["effects"] = 0
    game["active"] = 0
    game["replacing"] = 0
    game["last_round"] = 0
    game["trigger_seat"] = NONE
    players = rules["players"]
    first = rules["bot"]
    for i in range(players):
        sit_down(game, rules, first + i, (i + players - number % players) % players)
    if first == 1:
        game["player"][0] = players  # no player of the line-up, and never asked
        game["entry"][0] = players
    for card in range(CARDS):
        game["used"][card] = 0
    for r in range(ROUNDS):
        game["round_leader"][r] = NONE


@kernel
def taken(game, rules, kit):
    """1 if a seat has this monster already."""
    for seat in range(rules["bot"], game["seats"]):
        if game["kit"][seat] == kit:
            return 1
    return 0


@kernel
def draw_monsters(game, rules):
    """The monsters that are named, by player of the line-up; the others drawn, the lowest own keys first."""
    for seat in range(game["seats"]):
        game["kit"][seat] = NONE
    if rules["bot"] == 1:
        game["kit"][0] = rules["bot_kit"]
    for seat in range(rules["bot"], game["seats"]):
        game["kit"][seat] = rules["monster_of"][game["player"][seat]]
    for player in range(rules["players"]):
        for seat in range(rules["bot"], game["seats"]):
            if game["player"][seat] != player or game["kit"][seat] != NONE:
                continue
            best = np.int64(NONE)
            best_key = FULL
            shuffle = 0
            if rules["same_monsters"] == 1:
                shuffle = player
            for kit in range(rules["kits"]):
                if rules["kit_in_box"][kit] == 1 and (rules["same_monsters"] == 1 or taken(game, rules, kit) == 0):
                    key = card_key(game["key"][Stream.MONSTERS], shuffle, rules["kit_id"][kit])
                    if best == NONE or key < best_key:
                        best = kit
                        best_key = key
            game["kit"][seat] = best


@kernel
def line_up(game, rules):
    """Who plays which monster is known: each is played by its own strategy, if it has one."""
    for seat in range(rules["bot"], game["seats"]):
        play_by(game, rules, seat, rules["entry_of"][game["player"][seat], game["kit"][seat]])


@kernel
def listen(game, rules):
    """Which seats have a standing effect for what."""
    for when in range(WHENS):
        game["listens"][when] = 0
    for seat in range(rules["bot"], game["seats"]):  # the automaton uses no board
        kit = game["kit"][seat]
        for i in range(rules["triggers"][kit]):
            game["listens"][rules["trigger_when"][kit, i]] |= 1 << seat


@kernel
def clear_table(game, rules):
    """Nothing on the table, all guests in the bag."""
    for room in range(ROOMS):
        game["crowd"][room] = 0
        game["monsters"][room] = 0
        game["figures"][room] = 0
        for colour in range(COLOURS):
            game["guests"][room, colour] = 0
    for colour in range(COLOURS):
        game["bag"][colour] = rules["guests_each"]
    game["bag_size"] = COLOURS * rules["guests_each"]
    game["guests_drawn"] = 0
    game["taken"] = 0
    game["stunning"] = 0
    game["bot_card"] = NONE
    game["bot_next"] = 3
    for seat in range(game["seats"]):
        game["points"][seat] = rules["start_score"]
        game["tickets"][seat] = 0
        game["acting"][seat] = 0
        game["stunned"][seat] = 0
        game["last_card"][seat] = NONE
        game["once"][seat] = 0
        for colour in range(COLOURS):
            game["pile"][seat, colour] = 0
            game["held"][seat, colour] = 0
        for piece in range(PIECES):
            game["piece_at"][seat, piece] = SUPPLY
        for slot in range(SLOTS):
            game["program"][seat, slot] = NONE
    if rules["bot"] == 1:
        game["points"][0] = rules["bot_points"]


@kernel
def deal(game, rules, work, seat):
    """The basic cards and the monster's own, shuffled; a study may force the first cards of the hand."""
    kit = game["kit"][seat]
    game["hand_size"][seat] = 0
    game["discards"][seat] = 0
    game["deck_next"][seat] = 0
    game["deck_fixed"][seat] = 0
    game["deck_size"][seat] = rules["kit_cards"][kit]
    if seat < rules["bot"]:
        game["deck_size"][seat] = 0
    for i in range(game["deck_size"][seat]):
        game["deck"][seat, i] = i
    shuffle_deck(game, rules, work, seat)
    if seat < rules["bot"]:
        return
    at = 0
    for k in range(game["deck_size"][seat]):
        card = rules["deal_hand"][game["player"][seat], k]
        if card == NONE:
            return
        for i in range(at, game["deck_size"][seat]):
            if rules["kit_card"][kit, game["deck"][seat, i]] == card:
                place = game["deck"][seat, i]
                for j in range(i, at, -1):
                    game["deck"][seat, j] = game["deck"][seat, j - 1]
                game["deck"][seat, at] = place
                at += 1
                break


@kernel
def set_up(game, rules, work, number):
    """A new game up to the monsters' own set-up steps."""
    open_game(game, rules, work, number)
    draw_monsters(game, rules)
    line_up(game, rules)
    clear_table(game, rules)
    listen(game, rules)
    game["setting_up"] = game["seats"]
    refresh_theater(game, rules)
    for seat in range(game["seats"]):
        log(game, work, Event.KIT, seat, game["kit"][seat], game["points"][seat], 0)
        deal(game, rules, work, seat)
    if rules["bot"] == 1:
        shuffle_bot(game, rules, work)
    for room in range(rules["rooms"]):
        add_guests(game, rules, work, NONE, room, rules["setup_guests"][room], SET_UP)


@kernel
def set_up_position(game, rules, work, number):
    """A position as the start: what is not known of it (deck orders) by this game's number."""
    copy_record(game, work["position"])
    open_game(game, rules, work, number)
    for seat in range(rules["bot"], game["seats"]):
        sit_down(game, rules, seat, work["position"]["player"][seat])
    line_up(game, rules)
    game["active"] = work["position"]["active"]
    game["turn"] = work["position"]["turn"]
    game["round"] = work["position"]["round"]
    game["last_round"] = work["position"]["last_round"]
    game["trigger_seat"] = work["position"]["trigger_seat"]
    game["setting_up"] = 0
    game["guests_drawn"] = 0
    game["stunning"] = 0
    for seat in range(game["seats"]):
        game["stunning"] |= game["stunned"][seat]
    listen(game, rules)
    for room in range(ROOMS):
        game["crowd"][room] = 0
        game["monsters"][room] = 0
        game["figures"][room] = 0
        for colour in range(COLOURS):
            game["crowd"][room] += game["guests"][room, colour]
    game["bag_size"] = 0
    for colour in range(COLOURS):
        game["bag_size"] += game["bag"][colour]
    for seat in range(game["seats"]):
        kit = game["kit"][seat]
        for piece in range(rules["kit_pieces"][kit]):
            at = game["piece_at"][seat, piece]
            if rules["piece_figure"][kit, piece] == 1 and is_room(at):
                game["figures"][at] += 1
                game["monsters"][at] |= 1 << seat
        log(game, work, Event.KIT, seat, kit, game["points"][seat], 0)
        shuffle_deck(game, rules, work, seat)
        if game["hand_size"][seat] < 0:  # the position does not say: dealt anew in every game
            game["hand_size"][seat] = 0
            draw_up(game, rules, work, seat)
    for seat in range(game["seats"]):
        for piece in range(rules["kit_pieces"][game["kit"][seat]]):
            at = game["piece_at"][seat, piece]
            if is_room(at) and rules["piece_figure"][game["kit"][seat], piece] == 1:
                log(game, work, Event.FIGURE, seat, piece, at, seat)
            elif at != SUPPLY:
                log(game, work, Event.TOKEN, seat, piece, at, 0)
    refresh_theater(game, rules)
    if rules["bot"] == 1:
        shuffle_bot(game, rules, work)
