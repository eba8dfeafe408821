"""Whose turn it is: two Kid turns after each Lost Kid turn, equal slots, the 2x token (rulebook, Choosing Which Kid
Will Go; L17, L22)."""

import numpy as np

from simcore.games.snallygaster.kernel import inline, kernel, make_option, option_a
from simcore.games.snallygaster.layout import NONE, Decision, Ledger, Option, Stream
from simcore.play import decide, offer
from simcore.rng import scale, value

u64 = np.uint64


@inline
def follows_plan(game, rules):
    """1 if the next Kid's turn follows the common plan [L22]."""
    if rules["together_always"] == 1:
        return 1
    bits = value(game["key"][Stream.TOGETHER], 2 * game["turn"])
    return np.int64(bits < rules["together_limit"])


@kernel
def lot(game, rules, n):
    """One of the Kids who may go, by lot."""
    bits = value(game["key"][Stream.TOGETHER], 2 * game["turn"] + 1)
    k = scale(bits, n)
    for seat in range(1, rules["kids"] + 1):
        if (game["slots_taken"] >> seat) & 1 == 0:
            if k == 0:
                return seat
            k -= 1
    return 1


@kernel
def next_kid(game, rules, work):
    """The Kid whose turn it is: the second turn of a 2x, or one who has had no slot yet."""
    game["alone"] = 1 - follows_plan(game, rules)
    game["tally"][Ledger.SPLIT] += game["alone"]
    if game["again"] != NONE:
        seat = game["again"]
        game["again"] = NONE
        game["tally"][Ledger.DOUBLE_TURN] += 1
        return seat
    first = NONE
    n = 0
    game["options"] = 0
    for seat in range(1, rules["kids"] + 1):
        if (game["slots_taken"] >> seat) & 1 == 0:
            if first == NONE:
                first = seat
            n += 1
            offer(game, make_option(Option.KID, seat, 0, 0))
    seat = first
    if n > 1:
        if game["alone"] == 1:
            seat = lot(game, rules, n)
        else:
            game["active"] = first
            seat = option_a(decide(game, rules, work, first, Decision.WHO))
    game["slots_taken"] |= 1 << seat
    if game["double_half"] != NONE and game["cycle"] == 2 * game["double_half"]:
        game["again"] = seat
    return seat


@inline
def pass_turn(game, rules, seat):
    """After a turn: the order tokens go home once all have had their slot."""
    if seat == 0:
        game["kid_turns_left"] = rules["kid_turns"]
        return
    game["kid_turns_left"] -= 1
    game["cycle"] += 1
    if game["again"] == NONE and game["slots_taken"] == (1 << (rules["kids"] + 1)) - 2:
        game["slots_taken"] = 0
        game["cycle"] = 0
