"""A turn, a whole game, a block of games, and what a seat cannot know dealt anew."""

import numpy as np

from simcore.games.snallygaster.kernel import inline, kernel
from simcore.games.snallygaster.layout import (
    DOOM_SOURCES,
    MEMORY,
    NONE,
    ROUNDS,
    STATE_ROUNDS,
    STATES,
    Event,
    Span,
    Status,
    Stream,
    Tally,
)
from simcore.games.snallygaster.rules.decks import ITEMS, LOST_KID, SEARCH, own_id, shuffle_rest
from simcore.games.snallygaster.rules.lost_kid import four_steps
from simcore.games.snallygaster.rules.monsters.swoop import monster_by_lot
from simcore.games.snallygaster.rules.order import next_kid, pass_turn
from simcore.games.snallygaster.rules.search import take_turn
from simcore.games.snallygaster.rules.setup import set_up, set_up_position
from simcore.jit import call_turn
from simcore.play import clear_block, count_game, keep_turn_start, log, new_keys, random_below, write_row
from simcore.rng import next_shuffle, put_card, scale, sort_cards, sorted_card, value

SYMBOLS = int(Stream.SYMBOLS)


@inline
def begin(game, work, seat):
    """Nothing has happened in this turn."""
    game["active"] = seat
    game["abilities"] = 0
    game["traded"] = 0
    game["sent"] = 0
    game["searched"] = 0
    game["threatened"] = 0
    log(game, work, Event.TURN, seat, game["turn"], game["round"], game["alone"])


@kernel
def note_belief(game, rules, seat):
    """What the seat's policy gives to the true building, where it keeps a belief (layout.BELIEF)."""
    if game["rescued"] == 1 or seat == 0 or game["memory"][seat, MEMORY - 1] != 1:
        return
    believed = game["memory"][seat, rules["card_building"][game["hidden_card"][0]]]
    game["tally"][Tally.BELIEF_COUNT] += 1
    game["tally"][Tally.BELIEF_TRUE] += believed
    if game["round"] < ROUNDS:
        game["tally"][Tally.BELIEF_ROUND + game["round"]] += 1
        game["tally"][Tally.BELIEF_ROUND_TRUE + game["round"]] += believed


@kernel
def lost_kid_turn(game, rules, work):
    """The four steps, and once rescued a movement and a search."""
    if game["turn"] > 0:
        game["round"] += 1
    if game["round"] < ROUNDS:
        game["tally"][Tally.ALIVE_ROUND + game["round"]] = 1
    if game["round"] < STATE_ROUNDS:
        left = min(rules["doom_length"] - game["doom"], np.int64(STATES))
        game["tally"][Tally.STATE + STATES * game["round"] + left - 1] = 1
    game["alone"] = 0
    begin(game, work, 0)
    game["moving"] = 0
    four_steps(game, rules, work)
    if game["status"] == Status.PLAYING and game["rescued"] == 1:
        take_turn(game, rules, work, 0)


@kernel
def kid_turn(game, rules, work):
    """One turn of a Kid; the seat that had it."""
    seat = next_kid(game, rules, work)
    begin(game, work, seat)
    game["tally"][Tally.KID_TURNS] += 1
    if game["status"] == Status.PLAYING:
        take_turn(game, rules, work, seat)
    note_belief(game, rules, seat)
    return seat


@kernel
def play_turn(game, rules, work):
    """One turn of the Lost Kid or of a Kid. Can be played again from work["turn_start"]."""
    keep_turn_start(game, rules, work)
    game["effects"] = 0
    seat = np.int64(0)
    if game["kid_turns_left"] == 0:
        lost_kid_turn(game, rules, work)
    else:
        seat = kid_turn(game, rules, work)
    game["turn"] += 1
    game["tally"][Tally.TURNS] += 1
    if game["searched"] > 0:
        game["tally"][Tally.SEARCH_TURNS] += 1
        game["tally"][Tally.THREATENED] += game["threatened"]
        game["tally"][Tally.SEARCH_DOOM] += game["doom"] - game["doom_before"]
    if game["status"] == Status.PLAYING:
        if game["turn"] >= rules["turn_cap"]:
            game["status"] = Status.CAPPED
        else:
            pass_turn(game, rules, seat)
    return 0


@kernel
def count_end(game, rules):
    """What is known only when the game is over."""
    won = np.int64(game["status"] == Status.WON)
    rounds = game["round"] + 1
    game["tally"][Tally.WON] = won
    game["tally"][Tally.ROUNDS] = rounds
    game["tally"][Tally.DECISIONS] = game["asked"]
    players = rules["player_of"][rules["kids"]] + 1
    for player in range(players):
        game["share"][player] = won * 60 // players
        game["tally"][Tally.SHARE_PLAYER + player] = game["share"][player]
    for r in range(min(rounds, ROUNDS)):
        game["tally"][Tally.WON_ROUND + r] = won
    for s in range(STATES * min(rounds, STATE_ROUNDS)):
        game["tally"][Tally.STATE_WON + s] = game["tally"][Tally.STATE + s] * won
    game["span"][Span.ROUNDS] = rounds
    game["span"][Span.TURNS] = game["turn"]
    game["span"][Span.DOOM] = game["doom"]
    game["span"][Span.DOOM_LEFT] = NONE
    game["span"][Span.GOALS_LOST] = NONE
    game["span"][Span.SEARCHES] = game["tally"][Tally.SEARCHES]
    game["span"][Span.LAST_DOOM_ROUND] = NONE
    if game["last_doom_round"] != NONE:
        game["span"][Span.LAST_DOOM_ROUND] = game["last_doom_round"] + 1
    if won == 1:
        game["span"][Span.DOOM_LEFT] = rules["doom_length"] - game["doom"]
        game["tally"][Tally.DOOM_LEFT] = rules["doom_length"] - game["doom"]
    elif game["status"] == Status.LOST:
        game["span"][Span.GOALS_LOST] = game["tally"][Tally.GOALS]
    if game["rescued"] == 1:
        game["tally"][Tally.RESCUED_WON] = won
        if game["rescue_round"] < ROUNDS:
            game["tally"][Tally.RESCUE_ROUND + game["rescue_round"]] = 1
            game["tally"][Tally.RESCUE_ROUND_WON + game["rescue_round"]] = won
    else:
        game["span"][Span.RESCUE_ROUND] = NONE
        game["tally"][Tally.LOST_BEFORE_RESCUE] = np.int64(game["status"] == Status.LOST)
    for c in range(rules["components"]):
        game["tally"][Tally.COMPONENTS + 3 * c + 2] = game["used"][c] * won


@kernel
def write_outcome(game, rules, work, row):
    """One row a game."""
    write_row(game, work, row)
    work["outcome"][row]["winner"] = NONE
    for player in range(game["share"].shape[0]):
        work["outcome"][row]["share"][player] = game["share"][player]
    work["outcome"][row]["won"] = game["tally"][Tally.WON]
    work["outcome"][row]["doom"] = game["doom"]
    work["outcome"][row]["goals"] = game["tally"][Tally.GOALS]
    work["outcome"][row]["rescue_round"] = game["span"][Span.RESCUE_ROUND]
    work["outcome"][row]["searches"] = game["tally"][Tally.SEARCHES]
    work["outcome"][row]["hits"] = game["tally"][Tally.HITS]
    work["outcome"][row]["catches"] = game["tally"][Tally.CATCHES]
    for source in range(DOOM_SOURCES):
        work["outcome"][row]["doom_by"][source] = game["tally"][Tally.DOOM + source]


@kernel
def play_game(game, rules, work, number):
    """One game by its number."""
    if rules["from_position"] == 1:
        set_up_position(game, rules, work, number)
    else:
        set_up(game, rules, work, number)
    while game["status"] == Status.PLAYING:
        call_turn(rules["play_turn"], game, rules, work)  # by address: what plays blocks compiles apart from the rules
    log(game, work, Event.END, NONE, game["status"], NONE, 0)
    count_end(game, rules)


@kernel
def play_block(game, rules, work, first, games):
    """`games` games from number `first` on: totals and outcomes in `work`."""
    clear_block(rules, work)
    for i in range(games):
        play_game(game, rules, work, first + i)
        write_outcome(game, rules, work, i)
        count_game(game, rules, work)
    return 0


@kernel
def redeal(game, rules, work, seat):
    """Forget what `seat` cannot know: new keys for every stream, and decks, hand, hidden location, powered card and a
    hidden monster dealt anew.

    What is unknown is put into a canonical order first, so that nothing of the true deal is left.
    """
    new_keys(game, seat)
    for deck in (ITEMS, SEARCH):
        game["deck_fixed"][deck] = 0
        shuffle_rest(game, rules, work, deck)
    for kind in range(rules["symbols"]):
        redeal_stack(game, rules, work, kind)
    if seat == 0:
        game["deck_fixed"][LOST_KID] = 0
        shuffle_rest(game, rules, work, LOST_KID)
        return 0
    redeal_lost_kid(game, rules, work)
    if game["rescued"] == 0:
        key = game["key"][Stream.POWERED]
        game["powered"][0] = rules["powered_first"] + scale(value(key, 0), rules["powered_cards"])
    if game["monster_seen"] == NONE:
        monster_by_lot(game, rules, 1)
    return 0


@kernel
def redeal_stack(game, rules, work, kind):
    """The tiles left in a stack are known, their order is not."""
    n = game["stack_size"][kind]
    shuffle = next_shuffle(game, SYMBOLS + kind)
    for i in range(n):
        tile = game["stack"][kind, i]
        put_card(work, i, shuffle, rules["tile_id"][tile], tile)
    if n > 0:
        sort_cards(work, n)
    for i in range(n):
        game["stack"][kind, i] = sorted_card(work, i)


@kernel
def redeal_lost_kid(game, rules, work):
    """Hand, draw deck, cards put away unseen and hidden location are one pool of cards that a Kid does not see; where
    the Lost Kid is known not to be stays out of the choice."""
    deck = LOST_KID
    n = 0
    shuffle = next_shuffle(game, deck)
    for i in range(game["hand_size"][0]):
        card = game["hand"][0, i]
        put_card(work, n, shuffle, own_id(rules, deck, card), card)
        n += 1
    for i in range(game["deck_next"][deck], game["deck_size"][deck]):
        card = game["deck"][deck, i]
        put_card(work, n, shuffle, own_id(rules, deck, card), card)
        n += 1
    for i in range(game["burieds"]):
        card = game["buried"][i]
        put_card(work, n, shuffle, own_id(rules, deck, card), card)
        n += 1
    if game["rescued"] == 0:
        card = game["hidden_card"][0]
        put_card(work, n, shuffle, own_id(rules, deck, card), card)
        n += 1
    sort_cards(work, n)
    hidden = np.int64(NONE)
    if game["rescued"] == 1:
        hidden = game["hidden_card"][0]
    slot = 0
    under = 0
    at = game["deck_next"][deck]
    game["deck_fixed"][deck] = 0
    for i in range(n):
        card = sorted_card(work, i)
        if hidden == NONE and rules["card_hides"][card] == 1:
            if (game["cleared"] >> rules["card_building"][card]) & 1 == 0:
                hidden = card
                game["hidden_card"][0] = card
                continue
        if slot < game["hand_size"][0]:
            game["hand"][0, slot] = card
            slot += 1
        elif under < game["burieds"]:
            game["buried"][under] = card
            under += 1
        else:
            game["deck"][deck, at] = card
            at += 1


@kernel
def follow_up(game, rules, work, seat, decision):
    """The simple policy that finishes a turn for a look-ahead: any legal option."""
    return random_below(game, rules, seat, game["options"])
