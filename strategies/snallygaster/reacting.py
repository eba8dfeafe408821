"""Items: what one is good for just before the monster or a Fed strikes, and in the own turn."""

from simcore.games.snallygaster.kernel import exposed, kernel, option_a, option_kind
from simcore.games.snallygaster.layout import NONE, Decision, Op, Option, Step
from strategies.snallygaster.pooling import parts_to_pool
from strategies.snallygaster.sight import (
    HOPE,
    SYMBOL,
    USE_ITEM,
    action_cost,
    count_wants,
    danger_at,
    fill_hope,
    look_at_monster,
    symbol_worth,
    value_of,
)

USE = int(Option.USE)
D_WHEEL, D_MOVE, D_SEARCH = int(Decision.WHEEL), int(Decision.MOVE), int(Decision.SEARCH)
STEP_MONSTER, STEP_FED = int(Step.MONSTER), int(Step.FED_DRIVES)
OP_LURE, OP_PUSH, OP_STUN, OP_CANCEL, OP_DODGE, OP_WITHIN = (
    int(Op.LURE),
    int(Op.PUSH),
    int(Op.STUN),
    int(Op.CANCEL),
    int(Op.DODGE),
    int(Op.WITHIN),
)
OP_HOLD, OP_MOVE, OP_FREE, OP_FEDS = int(Op.HOLD_FEDS), int(Op.MOVE), int(Op.FREE_MOVE), int(Op.FEDS)
OP_REFRESH_WHEELS, OP_SPARE, OP_SYMBOL, OP_TOKEN, OP_LIGHT, OP_LIFT, OP_ABILITY = (
    int(Op.REFRESH_WHEELS),
    int(Op.SPARE_WHEEL),
    int(Op.SYMBOL),
    int(Op.TOKEN),
    int(Op.LIGHT),
    int(Op.LIFT_CURSE),
    int(Op.ABILITY),
)
TRADE_ANYWHERE = 8


@kernel
def caught_by(game, rules, fed, only):
    """Kids whom the Fed's next intersection catches (or whether it catches one seat)."""
    n = 0
    for seat in range(game["seats"]):
        if (only == NONE or seat == only) and exposed(game, rules, seat) == 1 and (game["dodging"] >> seat) & 1 == 0:
            if rules["leg_touch"][fed, game["fed_at"][fed], game["space"][seat]] == 1:
                n += 1
    return n


@kernel
def shield_worth(game, rules, seat, card, threat, fed, f_all, f_me):
    """Doom that a card averts: f_all of the action about to happen, f_me of it this seat's own."""
    f_worth = 0.0
    for pc in range(rules["item_start"][card], rules["item_end"][card]):
        op = rules["op"][pc]
        if threat == STEP_MONSTER:
            if op == OP_CANCEL or op == OP_STUN:
                f_worth = max(f_worth, f_all)
            elif op == OP_DODGE:
                f_worth = max(f_worth, f_me)
            elif op == OP_PUSH:
                f_worth = max(f_worth, 0.7 * f_all)
            elif op == OP_LURE:
                f_worth = max(f_worth, 0.5 * f_all)
            elif op == OP_MOVE or op == OP_FREE:
                f_worth = max(f_worth, 0.6 * f_me)
        else:
            if op == OP_HOLD:
                f_worth = max(f_worth, f_all)
            elif op == OP_DODGE:
                f_worth = max(f_worth, f_me)
            elif op == OP_MOVE or op == OP_FREE:
                f_worth = max(f_worth, 0.8 * f_me)
    return f_worth


@kernel
def react(game, rules, work, seat):
    """A card that averts enough doom of what is about to happen, else none."""
    best = 0
    if game["agenda_size"] == 0:
        return best
    row = game["agenda"][game["agenda_size"] - 1]
    threat = row & 15
    a = (row >> 12) & 4095
    f_me = 0.0
    if threat == STEP_MONSTER and game["cancelled"] == 0:
        f_all = action_cost(game, rules, a)
        if exposed(game, rules, seat) == 1 and (game["dodging"] >> seat) & 1 == 0 and f_all > 0.5:
            out = 0
            for other in range(game["seats"]):
                out += exposed(game, rules, other)
            f_me = f_all / max(out, 1)
            if out > 1 and f_all >= 1.0:
                f_me = 0.65
    elif threat == STEP_FED and game["feds_held"] == 0:
        f_all = 1.0 * caught_by(game, rules, a, NONE)
        f_me = 1.0 * caught_by(game, rules, a, seat)
    else:
        return best
    f_best = value_of(work, USE_ITEM)
    for i in range(1, game["options"]):
        option = game["option"][i]
        if option_kind(option) == USE:
            f_worth = shield_worth(game, rules, seat, option_a(option), threat, a, f_all, f_me)
            work["score"][i] = f_worth
            if f_worth >= f_best:
                f_best = f_worth + 0.0001
                best = i
    return best


@kernel
def turn_item_worth(game, rules, work, seat, card, decision):
    """What using a card now in the own turn is worth; 0 or less: keep it. Steps are asked for elsewhere."""
    f_worth = 0.0
    for pc in range(rules["item_start"][card], rules["item_end"][card]):
        op = rules["op"][pc]
        if op == OP_SPARE:
            if decision == D_WHEEL:
                f_worth = max(f_worth, 1.0)
        elif op == OP_REFRESH_WHEELS:
            up = game["wheels_up"][seat]
            if decision == D_SEARCH and up != 0 and up & (up - 1) == 0:
                f_worth = max(f_worth, 0.8)
        elif op == OP_SYMBOL:
            if decision == D_SEARCH:
                count_wants(game, rules, work)
                if symbol_worth(rules, work, rules["op_a"][pc]) > 0.5 * value_of(work, SYMBOL):
                    f_worth = max(f_worth, 0.7)
        elif op == OP_TOKEN:
            if decision == D_SEARCH and game["rescued"] == 0 and game["tokens_out"] < rules["search_tokens"]:
                fill_hope(game, rules, work, seat)
                for b in range(rules["buildings"]):
                    if game["tokens"][b] == 0 and work["score"][HOPE + b] > 0.2:
                        f_worth = max(f_worth, 0.6)
        elif op == OP_LIGHT:
            if decision == D_SEARCH:
                look_at_monster(game, rules, work, seat)
                if danger_at(game, rules, work, game["space"][seat]) > 0.3:
                    f_worth = max(f_worth, 0.6)
        elif op == OP_LIFT:
            if game["curses"][seat] > 0 and decision == D_WHEEL:
                f_worth = max(f_worth, 0.9)
        elif op == OP_ABILITY and rules["op_a"][pc] == TRADE_ANYWHERE and parts_to_pool(game, rules, seat) != 0:
            f_worth = max(f_worth, 0.9)
        elif OP_PUSH <= op <= OP_DODGE or op == OP_WITHIN or op == OP_FEDS:
            return 0.0
    return f_worth
