"""A Kid's turn: wheel, movement, search, and free actions in between (rulebook, The Kid Turn, Search; L1, L12, L24)."""

import numpy as np

from simcore.games.snallygaster.kernel import (
    distance,
    in_treehouse,
    kernel,
    make_option,
    option_a,
    option_b,
    option_c,
    option_kind,
)
from simcore.games.snallygaster.layout import (
    ANY_COLOUR,
    Decision,
    Event,
    Ledger,
    Option,
    Part,
    Search,
    Source,
    Status,
    Tally,
    Window,
)
from simcore.games.snallygaster.rules.doom import add_doom, refresh_items, refresh_wheels
from simcore.games.snallygaster.rules.effects import draw_search_card, settle
from simcore.games.snallygaster.rules.goals import asks_for_rescue, do_part, is_open_here, rescue
from simcore.games.snallygaster.rules.kid import (
    begin_turn,
    end_movement,
    end_turn,
    move_flags,
    offer_ends,
    offer_free_actions,
    offer_spending,
    offer_stops,
    offer_wheels,
    ride_index,
    spend_for_steps,
    step_to,
    trade,
    use_wheel,
)
from simcore.games.snallygaster.rules.lost_kid import movement_of_card
from simcore.games.snallygaster.rules.monsters.curse import lift_curses
from simcore.games.snallygaster.rules.tokens import BY_TREEHOUSE, choose_building, put_token
from simcore.games.snallygaster.rules.windows import offer_items, use_item
from simcore.play import decide, log, offer

MOST_FREE_ACTIONS = 60  # between two moves: a limit for players who turn in circles


@kernel
def do_free_action(game, rules, work, seat, option):
    """A part of the goal, a trade, an item."""
    kind = option_kind(option)
    if kind == Option.GOAL:
        do_part(game, rules, work, seat, option_a(option))
    elif kind == Option.TRADE:
        trade(game, rules, work, seat, option)
    else:
        use_item(game, rules, work, seat, option_a(option), Window.TURN)
    settle(game, rules, work)


@kernel
def choose_wheel(game, rules, work, seat):
    """A wheel token, after any items."""
    while game["status"] == Status.PLAYING:
        game["options"] = 0
        offer_wheels(game, rules, seat)
        offer_items(game, rules, seat, Window.TURN)
        option = decide(game, rules, work, seat, Decision.WHEEL)
        if option_kind(option) == Option.WHEEL:
            use_wheel(game, rules, work, seat, option_a(option), option_b(option))
            return
        use_item(game, rules, work, seat, option_a(option), Window.TURN)
        settle(game, rules, work)


@kernel
def is_cut(game, rules):
    """1 if the movement is over because the Kid was hit or caught [L24]."""
    return np.int64(game["sent"] == 1 and rules["hit_ends_move"] == 1)


@kernel
def move(game, rules, work, seat):
    """The turn's movement: stops and free actions on the way, and its end."""
    game["moving"] = 1
    game["sent"] = 0  # who was hit before, while a wheel was chosen, moves all the same
    while game["status"] == Status.PLAYING and is_cut(game, rules) == 0:
        flags = move_flags(game, rules, seat)
        game["options"] = 0
        offer_ends(game, rules, seat, rules["way"][ride_index(game, seat), flags], game["steps"])
        offer_stops(game, rules, seat, flags)
        offer_spending(game, rules, seat)
        offer_free_actions(game, rules, seat)
        if game["options"] == 1 and seat != 0:
            game["tally"][Tally.NO_CHOICE] += 1
        option = decide(game, rules, work, seat, Decision.MOVE)
        kind = option_kind(option)
        if kind == Option.MOVE:
            end_movement(game, rules, work, seat, option_a(option))
            settle(game, rules, work)
            break
        if kind == Option.VIA:
            pass_space(game, rules, work, seat, option_a(option), flags)
        elif kind == Option.SYMBOL:
            spend_for_steps(game, rules, work, seat, option_a(option))
        else:
            do_free_action(game, rules, work, seat, option)
    game["moving"] = 0
    game["steps"] = 0


@kernel
def pass_space(game, rules, work, seat, space, flags):
    """A stop on the way."""
    game["steps"] -= distance(rules, flags, game["space"][seat], space)
    step_to(game, rules, work, seat, space, 0)
    settle(game, rules, work)


@kernel
def offer_searches(game, rules, seat):
    """What the Kid can search where he is: a token, a part of the open goal, a treehouse."""
    if is_cut(game, rules):
        return
    building = rules["building_of"][game["space"][seat]]
    if building >= 0 and game["tokens"][building] > 0:
        offer(game, make_option(Option.SEARCH, Search.TOKEN, 0, 0))
        if rules["rescue"] == 3 and game["rescued"] == 0:
            offer(game, make_option(Option.SEARCH, Search.TOKEN, 0, 1))
    for p in range(rules["parts"][game["goal"]]):
        if is_open_here(game, rules, seat, p, Part.SEARCH):
            offer(game, make_option(Option.SEARCH, Search.GOAL, p, 0))
    if in_treehouse(game, rules, seat):
        offer(game, make_option(Option.SEARCH, Search.TREEHOUSE, 0, 0))


@kernel
def search_token(game, rules, work, seat, guess):
    """Take a token off a building: it frees the Lost Kid, or the top search card is drawn [L1]."""
    building = rules["building_of"][game["space"][seat]]
    game["tokens"][building] -= 1
    game["tokens_out"] -= 1
    log(game, work, Event.SEARCH, seat, Search.TOKEN, building, 0)
    if game["rescued"] == 0:
        ruling = rules["rescue"]
        asked = ruling == 0 or (ruling == 2 and asks_for_rescue(game, rules) == 1) or (ruling == 3 and guess == 1)
        here = building == rules["card_building"][game["hidden_card"][0]]
        if here and asked:
            rescue(game, rules, work, seat)
            return
        if here:
            game["tally"][Ledger.HIDDEN_PASSED] += 1
        elif asked:
            game["cleared"] |= 1 << building
            if ruling == 3:
                game["tally"][Ledger.WRONG_GUESS] += 1
                log(game, work, Event.GUESS, seat, building, 0, 0)
                add_doom(game, rules, work, 1, Source.GUESS)
    if game["status"] == Status.PLAYING:
        draw_search_card(game, rules, work, seat)


@kernel
def search_treehouse(game, rules, work, seat):
    """Wheels and items come up, curses go, a token is put on any building (rulebook, Searching a Treehouse)."""
    game["tally"][Tally.TREEHOUSE_SEARCHES] += 1
    log(game, work, Event.SEARCH, seat, Search.TREEHOUSE, rules["treehouse_of"][game["space"][seat]], 0)
    if seat != 0:
        refresh_wheels(game, rules, work, seat)
    refresh_items(game, rules, work, seat)
    lift_curses(game, work, seat)
    building = choose_building(game, rules, work, seat, ANY_COLOUR)
    put_token(game, rules, work, building, BY_TREEHOUSE)


@kernel
def search(game, rules, work, seat):
    """One search at most, and free actions before and after it."""
    searched = 0
    for _ in range(MOST_FREE_ACTIONS):
        if game["status"] != Status.PLAYING:
            return
        game["options"] = 0
        offer(game, make_option(Option.PASS, 0, 0, 0))
        if searched == 0:
            offer_searches(game, rules, seat)
        offer_free_actions(game, rules, seat)
        if game["options"] == 1:
            return
        option = decide(game, rules, work, seat, Decision.SEARCH)
        kind = option_kind(option)
        if kind == Option.PASS:
            return
        if kind == Option.SEARCH:
            searched = 1
            what = option_a(option)
            if what == Search.TOKEN:
                search_token(game, rules, work, seat, option_c(option))
            elif what == Search.GOAL:
                log(game, work, Event.SEARCH, seat, Search.GOAL, option_b(option), 0)
                do_part(game, rules, work, seat, option_b(option))
            else:
                search_treehouse(game, rules, work, seat)
            settle(game, rules, work)
        else:
            do_free_action(game, rules, work, seat, option)


@kernel
def take_turn(game, rules, work, seat):
    """Wheel (or the card's movement), movement, search."""
    begin_turn(game, rules, work, seat)
    if seat == 0:
        movement_of_card(game, rules)
    else:
        choose_wheel(game, rules, work, seat)
    move(game, rules, work, seat)
    search(game, rules, work, seat)
    end_turn(game, rules, work, seat)
