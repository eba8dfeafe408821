"""What cards say: the compiled rows of the effect language, and the agenda that works them off."""

import numpy as np

from simcore.games.snallygaster.kernel import kernel, make_option, option_a, option_kind
from simcore.games.snallygaster.layout import (
    ANY_SYMBOL,
    NONE,
    STEPS,
    Decision,
    Deck,
    Event,
    Ledger,
    Mechanics,
    Op,
    Option,
    Place,
    Source,
    Span,
    Status,
    Step,
    Tally,
    Window,
)
from simcore.games.snallygaster.rules.decks import discard, draw, draw_tile
from simcore.games.snallygaster.rules.doom import add_doom, refresh_items, refresh_wheels
from simcore.games.snallygaster.rules.feds import drive, feds_step
from simcore.games.snallygaster.rules.goals import show_monster
from simcore.games.snallygaster.rules.hand import new_hand_icon
from simcore.games.snallygaster.rules.kid import free_move, gain_item, move_kid, spare_wheel
from simcore.games.snallygaster.rules.monster import act, attack
from simcore.games.snallygaster.rules.monsters.curse import add_curse, lift_curses
from simcore.games.snallygaster.rules.monsters.mirrors import add_souls
from simcore.games.snallygaster.rules.steps import push, push_rows
from simcore.games.snallygaster.rules.tokens import (
    BY_EFFECT,
    choose_building,
    light_district,
    put_token,
    scatter,
    smash_mirror,
)
from simcore.games.snallygaster.rules.windows import ask_window, is_near, open_window
from simcore.play import ENDLESS, count_peak, decide, fail, log, offer


@kernel
def gain_symbol(game, rules, work, seat, kind):
    """The top tile of a kind (or of a kind that the Kid chooses), and what it says."""
    if kind == ANY_SYMBOL:
        game["options"] = 0
        for other in range(rules["symbols"]):
            offer(game, make_option(Option.SYMBOL, other, 0, 0))
        kind = option_a(decide(game, rules, work, seat, Decision.SYMBOL))
    tile = draw_tile(game, rules, work, kind)
    log(game, work, Event.SYMBOL, seat, tile, 0, 0)
    if tile == NONE:
        game["tally"][Ledger.NO_SYMBOL] += 1
        return
    game["tile_at"][tile] = seat
    game["symbols"][seat, kind] += 1
    game["symbols_out"] += 1
    count_peak(game, Span.SYMBOLS, game["symbols_out"])
    game["tally"][Tally.SYMBOLS] += 1
    game["tally"][Tally.COMPONENTS + 3 * rules["component_symbol"][kind]] += 1
    push_rows(game, seat, Source.SYMBOL, rules["tile_start"][tile], rules["tile_end"][tile])


@kernel
def draw_search_card(game, rules, work, seat):
    """The top search card: items may be used, then it is resolved, then discarded (rulebook, Searching Buildings)."""
    card = draw(game, rules, work, Deck.SEARCH)
    if card == NONE:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    game["tally"][Tally.SEARCHES] += 1
    game["tally"][Tally.COMPONENTS + 3 * rules["component_search"][card]] += 1
    if game["searched"] == 0:
        game["doom_before"] = game["doom"]
    game["searched"] += 1
    mood = game["mood"][card]
    game["card_mood"] = mood
    log(game, work, Event.CARD, seat, card, mood, 0)
    push(game, Step.CLOSE, seat, Source.SEARCH, card, 0)
    push_rows(game, seat, Source.SEARCH, rules["search_start"][card], rules["search_end"][card])
    if mood == 2:
        push(game, Step.EFFECT, seat, Source.SEARCH, rules["threat_op"], rules["threat_op"] + 1)
    open_window(game, rules, Window.SEARCH, Source.SEARCH)


@kernel
def choose_side(game, rules, work, seat, pc, source):
    """One of a card's sides."""
    sides = rules["op_a"][pc]
    game["options"] = 0
    for side in range(sides):
        offer(game, make_option(Option.BRANCH, side, 0, 0))
    side = option_a(decide(game, rules, work, seat, Decision.CHOICE))
    log(game, work, Event.CHOSE, seat, side, pc, 0)
    at = pc + 1
    for _ in range(side):
        at = rules["op_end"][at]
    push_rows(game, seat, source, at + 1, rules["op_end"][at])


@kernel
def choose_fed(game, rules, work, seat):
    """Which Fed an effect moves."""
    game["options"] = 0
    offer(game, make_option(Option.BRANCH, 0, 0, 0))
    offer(game, make_option(Option.BRANCH, 1, 0, 0))
    return option_a(decide(game, rules, work, seat, Decision.FEDS))


@kernel
def is_declined(game, rules, work, seat):
    """1 if a "may" is declined."""
    game["options"] = 0
    offer(game, make_option(Option.PASS, 0, 0, 0))
    offer(game, make_option(Option.USE, 0, 0, 0))
    return np.int64(option_kind(decide(game, rules, work, seat, Decision.MAY)) == Option.PASS)


@kernel
def is_within(game, rules, work, seat, reach):
    """1 if the monster is near enough; the Lost Kid says whether it is, which all hear [L11]."""
    near = 0
    for d in range(rules["districts"]):
        near |= is_near(game, rules, seat, d, reach) << d
    if (near >> game["monster"][0]) & 1:
        game["monster_maybe"] &= near
        return 1
    game["monster_maybe"] &= ~near
    game["tally"][Ledger.NOT_THERE] += 1
    log(game, work, Event.FAILS, seat, 0, 0, 0)
    return 0


@kernel
def more_steps(game, rules, work, seat, steps):
    """More steps in the own movement; at any other time a movement at once."""
    if seat == game["active"] and game["moving"] > 0:
        game["steps"] += steps
    else:
        free_move(game, rules, work, seat, steps, 2)


@kernel
def do_control(game, rules, work, seat, pc, source, op, a):
    """A row that governs others."""
    stop = rules["op_end"][pc]
    if op == Op.CHOOSE:
        choose_side(game, rules, work, seat, pc, source)
    elif op == Op.MAY:
        if is_declined(game, rules, work, seat) == 0:
            push_rows(game, seat, source, pc + 1, stop)
    elif op == Op.WITHIN:
        if is_within(game, rules, work, seat, a) == 1:
            push_rows(game, seat, source, pc + 1, stop)
    elif op == Op.IF_RESCUED:
        if game["rescued"] == 1:
            push_rows(game, seat, source, pc + 1, stop)
    else:  # EACH_KID: last pushed, first done
        for i in range(1, game["seats"]):
            other = game["seats"] - i
            if game["space"][other] >= 0:
                push_rows(game, other, source, pc + 1, stop)


@kernel
def do_monster_word(game, rules, work, seat, pc, source, op, a):
    """Rows about the monster and what lies on the town."""
    if op <= Op.PUSH:
        push(game, Step.MONSTER, seat, source, pc, 0)
        open_window(game, rules, Window.MONSTER, source)
    elif op == Op.STUN:
        game["tally"][Ledger.STUN_WASTED] += game["stunned"]
        game["stunned"] = 1
    elif op == Op.CANCEL:
        game["cancelled"] = 1
    elif op == Op.DODGE:
        game["dodging"] |= 1 << seat
    elif op == Op.BYSTANDER:
        scatter(game, rules, work, Place.BYSTANDER, a)
    elif op == Op.STAR:
        scatter(game, rules, work, Place.STAR, a)
    elif op == Op.MIRROR:
        scatter(game, rules, work, Place.MIRROR, a)
    elif op == Op.TREE:
        scatter(game, rules, work, Place.TREE, a)
    elif op == Op.HATCHLING:
        scatter(game, rules, work, Place.HATCHLING, a)
    elif op == Op.LIGHT:
        for _ in range(a):
            light_district(game, rules, work, seat)
    elif op == Op.CURSE:
        add_curse(game, work, seat)
    elif op == Op.LIFT_CURSE:
        lift_curses(game, work, seat)
    elif op == Op.SMASH:
        smash_mirror(game, rules, work, seat)
    elif op == Op.SOUL:
        add_souls(game, rules, work, a)
    elif op == Op.REVEAL:
        show_monster(game, work)
    elif rules["mechanics"] == Mechanics.SWOOP and game["monster_seen"] != NONE:  # HIDE
        log(game, work, Event.SHOWN, 0, 0, game["monster_seen"], 0)
        game["monster_seen"] = NONE


@kernel
def do_kid_word(game, rules, work, seat, pc, source, op, a):
    """Rows about Kids, Feds, doom and search tokens."""
    if op == Op.FEDS:
        fed = a
        if fed == 2:
            fed = choose_fed(game, rules, work, seat)
        push(game, Step.FEDS, seat, source, fed, rules["op_b"][pc])
    elif op == Op.HOLD_FEDS:
        game["feds_held"] += 1
    elif op == Op.DOOM:
        add_doom(game, rules, work, a, source)
    elif op == Op.TOKEN:
        building = choose_building(game, rules, work, seat, a)
        if building >= 0:
            put_token(game, rules, work, building, BY_EFFECT)
    elif op == Op.MOVE_KID:
        move_kid(game, rules, work, seat, a)
    elif op == Op.NEW_HAND:
        new_hand_icon(game, rules, work)
    elif op == Op.FREE_MOVE:
        free_move(game, rules, work, seat, a, 2)
    elif op == Op.MOVE:
        more_steps(game, rules, work, seat, a)
    elif op == Op.SYMBOL:
        gain_symbol(game, rules, work, seat, a)
    elif op == Op.ITEM:
        for _ in range(a):
            gain_item(game, rules, work, seat, draw(game, rules, work, Deck.ITEMS))
    elif op == Op.REFRESH_WHEELS:
        if seat != 0:
            refresh_wheels(game, rules, work, seat)
    elif op == Op.REFRESH_ITEMS:
        refresh_items(game, rules, work, seat)
    elif op == Op.SPARE_WHEEL:
        spare_wheel(game, rules, work, seat)
    elif op == Op.ABILITY:
        if seat == game["active"]:
            game["abilities"] |= a
            log(game, work, Event.ABILITY, seat, a, 0, 0)
    else:
        draw_search_card(game, rules, work, seat)


@kernel
def do_row(game, rules, work, seat, pc, end, source):
    """One row of an effect; what is left of it waits on the agenda."""
    stop = rules["op_end"][pc]
    if stop < end:
        push(game, Step.EFFECT, seat, source, stop, end)
    if source == Source.SEARCH and game["card_mood"] == 1 and rules["op_threat"][pc] == 1:
        return
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if op >= Op.WITHIN:
        do_control(game, rules, work, seat, pc, source, op, a)
    elif op <= Op.DODGE or op >= Op.BYSTANDER:
        do_monster_word(game, rules, work, seat, pc, source, op, a)
    else:
        do_kid_word(game, rules, work, seat, pc, source, op, a)


@kernel
def settle(game, rules, work):
    """Work the agenda off. Once the game is over, what waits is only cleared away."""
    while game["agenda_size"] > 0:
        n = game["agenda_size"] - 1
        game["agenda_size"] = n
        row = game["agenda"][n]
        step = row & 15
        seat = (row >> 4) & 15
        source = (row >> 8) & 15
        a = (row >> 12) & 4095
        b = row >> 24
        if step == Step.CLOSE:
            game["card_mood"] = 0
            discard(game, Deck.SEARCH, a)
            continue
        if game["status"] != Status.PLAYING:
            continue
        game["effects"] += 1
        if game["effects"] > STEPS:
            fail(game, ENDLESS, game["active"])
            continue
        if step == Step.EFFECT:
            do_row(game, rules, work, seat, a, b, source)
        elif step == Step.WINDOW:
            ask_window(game, rules, work, a, source, b)
        elif step == Step.MONSTER:
            act(game, rules, work, seat, a, source)
        elif step == Step.ATTACK:
            attack(game, rules, work, seat, a, source)
        elif step == Step.FEDS:
            feds_step(game, rules, a, b, source)
        elif step == Step.FED_DRIVES:
            drive(game, rules, work, a, source)
        else:  # WIN: the doom has not ended meanwhile [L20]
            game["status"] = Status.WON
