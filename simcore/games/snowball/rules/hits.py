"""Hits, gear, elimination, the end (rulebook, Throwing and Winning; R19, R20, R23-R33)."""

from simcore.games.snowball.kernel import inline, kernel, make_option, option_a
from simcore.games.snowball.layout import (
    NONE,
    Decision,
    Event,
    ItemUse,
    Ledger,
    Loss,
    Option,
    Source,
    Span,
    Status,
    Tally,
)
from simcore.games.snowball.rules.decks import ITEMS, LOCATIONS, SNOWBALLS
from simcore.games.snowball.rules.hand import discard_hand
from simcore.games.snowball.rules.place import clear_out, drop_item, empty_place, next_seat, set_covers
from simcore.play import count_peak, decide, log, offer


@kernel
def change_gear(game, rules, work, seat, gear, loss):
    """Flip gear cards so that `seat` has `gear`; keeps what is counted about it."""
    before = game["gear"][seat]
    if gear == before:
        return
    game["gear"][seat] = gear
    game["gear_changed"] = 1
    game["flipped"] += before - gear
    count_peak(game, Span.GEAR_FLIPPED, game["flipped"])
    if gear < before:
        game["tally"][Tally.GEAR_LOST] += before - gear
        game["lost_between"][seat] += before - gear
    log(game, work, Event.GEAR, seat, gear, before, loss)


@kernel
def lift_lasting(game, rules, work, seat):
    """Covers and answers are again as without the lasting effects of `seat`."""
    game["cover_bonus"] -= game["lasting_cover"][seat]
    game["no_quickshots"] -= game["lasting_no_quickshots"][seat]
    game["lasting_cover"][seat] = 0
    game["lasting_no_quickshots"][seat] = 0
    log(game, work, Event.LASTING_ENDS, seat, 0, 0, 0)
    set_covers(game, rules, seat)


@inline
def end_lasting(game, rules, work, seat):
    """The lasting effects that `seat` started are over (at his next turn, or with his elimination [B3])."""
    if game["lasting_cover"][seat] != 0 or game["lasting_no_quickshots"][seat] != 0:
        lift_lasting(game, rules, work, seat)


@inline
def count_interval(game, seat, out):
    """Close the span between two own turns of `seat` (C3): what he lost in it, and whether he is out."""
    lost = game["lost_between"][seat]
    if game["turns_taken"][seat] == 0:
        game["tally"][Tally.OUT_BEFORE_TURN] += out
        return
    count_peak(game, Span.HITS_BETWEEN_TURNS, lost)
    game["tally"][Tally.INTERVALS] += 1
    game["tally"][Tally.INTERVALS_OUT] += out
    if lost >= 2:
        game["tally"][Tally.INTERVALS_HIT_TWICE] += 1


@kernel
def send_inside(game, rules, work, seat):
    """No gear left: out. His cards go to their discards, or by a ruling out of the game [R24]."""
    log(game, work, Event.OUT, seat, 0, 0, 0)
    game["living"] -= 1
    if game["first_out"] == NONE:
        game["first_out"] = seat
        game["first_out_turn"] = game["turn"]
    if game["active"] != seat:
        count_interval(game, seat, 1)
    if game["hand_size"][seat] > 0 or game["helds"][seat] > 0:
        game["tally"][Ledger.LEFT_CARDS] += 1
    before = game["discards"][SNOWBALLS], game["discards"][LOCATIONS], game["discards"][ITEMS]
    discard_hand(game, work, seat)
    empty_place(game, rules, work, seat)
    if rules["eliminated_cards"] == 1:
        game["discards"][SNOWBALLS], game["discards"][LOCATIONS], game["discards"][ITEMS] = before
    if game["lasting_cover"][seat] != 0 or game["lasting_no_quickshots"][seat] != 0:
        game["tally"][Ledger.LASTING_LAPSED] += 1
    end_lasting(game, rules, work, seat)


@kernel
def survivors(game):
    """The two seats with gear, as first * 8 + second (only asked when two are left)."""
    first = NONE
    for seat in range(game["seats"]):
        if game["gear"][seat] > 0:
            if first == NONE:
                first = seat
            else:
                return first * 8 + seat
    return first * 8 + first


@kernel
def win(game, seat):
    """`seat` has won."""
    game["status"] = Status.WON
    game["winner"] = seat
    game["share"][seat] = 60


@kernel
def end_at_two(game, rules, by_hit, outs):
    """Two or fewer are left: is the game over?

    From three players up it ends as soon as two are left with unequal gear; a game begun by two, only when one is sent
    inside: two different tests.
    """
    living = game["living"]
    if living == 2:
        if game["seats"] == 2:
            return
        pair = survivors(game)
        a, b = pair >> 3, pair & 7
        if game["gear"][a] == game["gear"][b]:
            game["tally"][Ledger.DUEL_TIED] = 1
        elif by_hit == 1 or rules["end_test"] == 0:
            game["tally"][Ledger.DUEL_DECIDED] += 1
            if by_hit == 0:
                game["tally"][Ledger.WON_BY_EVENT] += 1
            if game["gear"][a] > game["gear"][b]:
                win(game, a)
            else:
                win(game, b)
        return
    if living == 1:
        win(game, survivors(game) >> 3)
        if by_hit == 0:
            game["tally"][Ledger.WON_BY_EVENT] += 1
        if game["seats"] > 2 and outs & (outs - 1) != 0:
            game["tally"][Ledger.SURVIVOR] += 1
        return
    game["status"] = Status.TIED
    game["tally"][Ledger.ALL_OUT] += 1
    tied = 0
    for seat in range(game["seats"]):
        tied += (outs >> seat) & 1
    for seat in range(game["seats"]):
        if (outs >> seat) & 1 == 1:
            game["share"][seat] = 60 // tied


@inline
def end_test(game, rules, by_hit, outs):
    """Is the game over? After every change of gear [R25-R29]. `outs`: bits of the seats just sent inside."""
    if game["living"] <= 2 and game["status"] == Status.PLAYING:
        end_at_two(game, rules, by_hit, outs)


@kernel
def send_all_inside(game, rules, work):
    """Everyone who has just lost the last gear goes inside, together [R23]. Returns their bits."""
    outs = 0
    number = 0
    for seat in range(game["seats"]):
        if game["gear"][seat] == 0 and game["location"][seat] != NONE:
            send_inside(game, rules, work, seat)
            outs |= 1 << seat
            number += 1
    if number > 1:
        game["tally"][Ledger.DOUBLE_OUT] += 1
    return outs


@kernel
def write_saves(game, rules, seat, quickshot):
    """Options against one hit: Response items that save, a kid's one-time ability [R17, R19]."""
    game["options"] = 0
    offer(game, make_option(Option.PASS, 0, 0, 0))
    if quickshot == 0 or rules["save_from_quickshot"] == 1:
        for i in range(game["helds"][seat]):
            if rules["item_saves"][rules["item_kind"][game["held"][seat, i]]] == 1:
                offer(game, make_option(Option.SAVE, i + 1, 0, 0))
    kid = game["kid"][seat]
    if kid != NONE and game["kid_used"][seat] == 0:
        if rules["kid_saves"][kid] == 1 or (quickshot == 1 and rules["kid_saves_quickshot"][kid] == 1):
            offer(game, make_option(Option.SAVE, 0, 0, 0))


@kernel
def saved(game, rules, work, seat, quickshot):
    """1 if `seat` absorbs this hit; one item or ability absorbs one hit [R19, R20]."""
    if game["held_uses"][seat] & ItemUse.SAVES == 0 and game["kid"][seat] == NONE:
        return 0
    write_saves(game, rules, seat, quickshot)
    if game["options"] == 1:
        return 0
    game["saving"] = quickshot
    option = decide(game, rules, work, seat, Decision.SAVE)
    if option & 15 != Option.SAVE:
        return 0
    slot = option_a(option)
    if slot == 0:
        game["kid_used"][seat] = 1
        log(game, work, Event.SAVE, seat, NONE, quickshot, 0)
    else:
        log(game, work, Event.SAVE, seat, game["held"][seat, slot - 1], quickshot, 0)
        drop_item(game, rules, work, seat, slot - 1, 3)
    game["tally"][Ledger.SAVED] += 1
    game["tally"][Ledger.SAVED_FROM_QUICKSHOT] += quickshot
    return 1


@kernel
def auto_clears(game, rules):
    """1 if a hit player clears out at once: games of five or six [R32]; R33 rules whether the start or the present
    counts."""
    count = game["seats"]
    if rules["auto_clear_scope"] == 1:
        count = game["living"]
    if count < rules["auto_clear_from"]:
        return 0
    return 1


@kernel
def count_losses(game, rules, work, seat):
    """Which hits on `seat` are absorbed.

    Then game["hit"] is the gear to flip, game["shot"] 1 + Loss of whoever was hit.
    """
    lost = 0
    loss = Loss.HIT
    if game["hit"][seat] > 0:
        lost += 1 - saved(game, rules, work, seat, 0)
    for _ in range(game["shot"][seat]):
        if saved(game, rules, work, seat, 1) == 0:
            lost += 1
            loss = Loss.QUICKSHOT
    game["hit"][seat] = lost
    game["shot"][seat] = 1 + loss


@inline
def order_struck(game, first):
    """Who is hit and still in, in turn order from seat `first`: into game["struck_seat"]. Returns how many."""
    n = 0
    seat = first
    struck = game["struck"]
    game["struck"] = 0
    while struck != 0:
        if (struck >> seat) & 1 == 1:
            struck ^= 1 << seat
            if game["gear"][seat] > 0:
                game["struck_seat"][n] = seat
                n += 1
            else:  # sent inside while the throw was suspended
                game["hit"][seat] = 0
                game["shot"][seat] = 0
        seat = next_seat(game, seat)
    return n


@kernel
def resolve_hits(game, rules, work, first):
    """All hits in game["hit"] and game["shot"] at once: saves, gear, eliminations, end test, automatic Clear Outs.

    In turn order from seat `first` (the thrower) [R23, R32]. game["struck"] says who is hit at all.
    """
    players = order_struck(game, first)
    for i in range(players):
        count_losses(game, rules, work, game["struck_seat"][i])
    if players > 1:
        game["tally"][Ledger.DOUBLE_HIT] += 1
    outs = 0
    for i in range(players):
        seat = game["struck_seat"][i]
        if game["hit"][seat] > 0:
            gear = game["gear"][seat] - game["hit"][seat]
            if gear <= 0:
                gear = 0
                outs = 1
            change_gear(game, rules, work, seat, gear, game["shot"][seat] - 1)
    if outs != 0:
        outs = send_all_inside(game, rules, work)
    end_test(game, rules, 1, outs)
    clears = auto_clears(game, rules)
    for i in range(players):
        seat = game["struck_seat"][i]
        if clears == 1 and game["gear"][seat] > 0 and game["status"] == Status.PLAYING:
            if game["hit"][seat] > 0 or rules["auto_clear_after"] == 0:
                game["tally"][Ledger.AUTO_CLEAR] += 1
                if game["hit"][seat] == 0:
                    game["tally"][Ledger.AUTO_CLEAR_SAVED] += 1
                if game["living"] <= 4 and game["seats"] > 4:
                    game["tally"][Ledger.AUTO_CLEAR_SHRUNK] += 1
                clear_out(game, rules, work, seat, Source.AUTOMATIC, 1)
        game["hit"][seat] = 0
        game["shot"][seat] = 0
