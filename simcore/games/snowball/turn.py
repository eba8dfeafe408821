"""A turn, a whole game, a block of games (rulebook, How to Play; R4, R29-R31, R43), and what a seat cannot know
dealt anew."""

import numpy as np

from simcore.games.snowball.kernel import inline, kernel, make_option, option_a
from simcore.games.snowball.layout import (
    LEAD_ROUNDS,
    NONE,
    Decision,
    Event,
    ItemUse,
    Keyword,
    Ledger,
    Option,
    Source,
    Span,
    Status,
    Step,
    Tally,
)
from simcore.games.snowball.rules.decks import (
    ITEMS,
    LOCATIONS,
    SNOWBALLS,
    in_play,
    lay,
    shuffle_rest,
)
from simcore.games.snowball.rules.effects import settle
from simcore.games.snowball.rules.hand import note_quickshots
from simcore.games.snowball.rules.hits import count_interval, end_lasting
from simcore.games.snowball.rules.place import clear_out, drop_item, next_seat
from simcore.games.snowball.rules.setup import set_up, set_up_position
from simcore.games.snowball.rules.steps import push
from simcore.games.snowball.rules.throw import offer_throws, throw
from simcore.jit import call_turn
from simcore.play import (
    clear_block,
    count_game,
    count_peak,
    decide,
    keep_turn_start,
    log,
    new_keys,
    offer,
    random_below,
    write_row,
)
from simcore.rng import next_shuffle, sort_cards, sorted_card


@inline
def clear_barred(game, rules, seat):
    """1 if the two-player rule forbids `seat` to Clear Out: two are left and it has thrown nothing since its last
    one [R31]."""
    if game["living"] == 2 and rules["two_player_clear_rule"] == 1 and game["cleared_last"][seat] == 1:
        return 1
    return 0


@inline
def offer_turn(game, rules, seat, barred):
    """Throw, Clear Out, or an Action item: exactly one of them [R4]."""
    offer_throws(game, rules, seat)
    if barred == 0:
        offer(game, make_option(Option.CLEAR_OUT, 0, 0, 0))
        kid = game["kid"][seat]
        if kid != NONE and game["kid_used"][seat] == 0 and rules["kid_free_clear"][kid] == 1:
            offer(game, make_option(Option.FREE_CLEAR, 0, 0, 0))
    if game["held_uses"][seat] & ItemUse.ACTS == 0:
        return
    for i in range(game["helds"][seat]):
        item = rules["item_kind"][game["held"][seat, i]]
        if rules["item_keyword"][item] == Keyword.ACTION and (barred == 0 or rules["item_clears"][item] == 0):
            offer(game, make_option(Option.ACTION, i, 0, 0))


@kernel
def use_action(game, rules, work, seat, slot):
    """Discard the Action item and do what it says [R10]."""
    card = game["held"][seat, slot]
    item = rules["item_kind"][card]
    log(game, work, Event.ACTION, seat, card, 0, 0)
    drop_item(game, rules, work, seat, slot, 3)
    game["tally"][Tally.ACTIONS] += 1
    if game["living"] == 2 and game["cleared_last"][seat] == 1 and rules["item_clears"][item] == 0:
        game["tally"][Ledger.ACTION_BETWEEN] += 1
    if rules["action_resets_clear_rule"] == 1 and rules["item_clears"][item] == 0:
        game["cleared_last"][seat] = 0
    push(game, Step.EFFECT, seat, rules["item_start"][item], rules["item_end"][item], Source.ACTION_ITEM)


@inline
def take_turn(game, rules, work, seat):
    """Ask for the turn's action and begin it; a kid's free Clear Out comes in addition."""
    while True:
        barred = clear_barred(game, rules, seat)
        offer_turn(game, rules, seat, barred)
        game["tally"][Ledger.CLEAR_BARRED] += barred
        if game["options"] == 0:
            game["tally"][Ledger.FORCED_PASS] += 1
            game["tally"][Tally.NO_CHOICE] += 1
            log(game, work, Event.PASS, seat, 0, 0, 0)
            return
        if game["options"] == 1:
            game["tally"][Tally.NO_CHOICE] += 1
        option = decide(game, rules, work, seat, Decision.TURN)
        kind = option & 15
        if kind == Option.THROW:
            throw(game, rules, work, seat, option)
            return
        if kind == Option.ACTION:
            use_action(game, rules, work, seat, option_a(option))
            return
        if kind == Option.CLEAR_OUT:
            clear_out(game, rules, work, seat, Source.CHOICE, 1)
            return
        game["kid_used"][seat] = 1
        clear_out(game, rules, work, seat, Source.KID, 1)


@inline
def count_gear(game):
    """After a turn in which gear changed: who leads, who was ever behind (C13, lead changes)."""
    most = 0
    for seat in range(game["seats"]):
        most = max(most, game["gear"][seat])
    leaders = 0
    leader = 0
    for seat in range(game["seats"]):
        leads = np.int64(game["gear"][seat] == most)
        leaders |= leads << seat
        leader += leads * seat  # the one leader's seat, where there is one
    game["behind"] |= ((1 << game["seats"]) - 1) ^ leaders
    alone = leaders & (leaders - 1) == 0
    if alone:
        if game["leader"] != NONE and game["leader"] != leader:
            game["span"][Span.LEAD_CHANGES] += 1
        game["leader"] = leader
    if game["living"] == 3 and game["three_seen"] == 0:  # the moment three are left; with three players, the first loss
        game["three_seen"] = 1
        if alone:
            game["leader_at_three"] = leader


@inline
def count_peaks(game, rules):
    """Peak use of each component, at the end of a turn."""
    count_peak(game, Span.DECK_USED, in_play(game, SNOWBALLS, rules["cards"] - game["left_outs"]))
    count_peak(game, Span.ITEMS_USED, in_play(game, ITEMS, rules["item_cards"]))
    count_peak(game, Span.LOCATIONS_USED, in_play(game, LOCATIONS, rules["location_cards"]))


@inline
def note_leader(game):
    """As a round begins, every second one: who alone has the most gear (leads.py)."""
    k = game["round"] >> 1
    if game["round"] & 1 == 0 or k >= LEAD_ROUNDS:
        return
    game["tally"][Tally.LEAD_BEGUN + k] = 1
    most = 0
    leader = NONE
    for seat in range(game["seats"]):
        gear = game["gear"][seat]
        if gear > most:
            most = gear
            leader = seat
        elif gear == most:
            leader = NONE
    game["round_leader"][k] = leader


@inline
def pass_turn(game, seat):
    """Clockwise to the next player who is still in; a round ends as the turn passes the starting chair."""
    other = seat
    for _ in range(game["seats"]):
        other = next_seat(game, other)
        if other == game["start"]:
            game["round"] += 1
            note_leader(game)
        if game["gear"][other] > 0:
            game["active"] = other
            return


@kernel
def play_turn(game, rules, work):
    """One turn of the active player, from its start to the next player's.

    Can be played again from work["turn_start"].
    """
    seat = game["active"]
    keep_turn_start(game, rules, work)
    game["steps"] = 0
    game["gear_changed"] = 0
    log(game, work, Event.TURN, seat, game["turn"], game["round"], 0)
    count_interval(game, seat, 0)
    end_lasting(game, rules, work, seat)
    if game["agenda_size"] + game["drops"] != 0:
        settle(game, rules, work)
    if game["status"] == Status.PLAYING and game["gear"][seat] > 0:
        take_turn(game, rules, work, seat)
        if game["agenda_size"] + game["drops"] != 0:
            settle(game, rules, work)
    game["turn"] += 1
    game["turns_taken"][seat] += 1
    game["lost_between"][seat] = 0
    game["tally"][Tally.TURNS] += 1
    if game["gear_changed"] == 1:
        count_gear(game)
    count_peaks(game, rules)
    if game["status"] == Status.PLAYING:
        if game["turn"] >= rules["turn_cap"]:
            game["status"] = Status.CAPPED
        else:
            pass_turn(game, seat)
    return 0


@kernel
def count_shares(game, rules):
    """Win shares by turn order, player, first cover and kid, in sixtieths."""
    seats = game["seats"]
    for seat in range(seats):
        share = game["share"][seat]
        order = seat - game["start"]
        if order < 0:
            order += seats
        game["tally"][Tally.SHARE_ORDER + order] += share
        game["tally"][Tally.SHARE_PLAYER + game["player"][seat]] += share
        cover = game["start_cover"][seat]
        game["tally"][Tally.START_COVER_PLAYERS + cover] += 1
        game["tally"][Tally.START_COVER_SHARE + cover] += share
        game["tally"][Tally.START_EDGE] -= share
        if seat == game["start"]:
            game["tally"][Tally.START_EDGE] += seats * share
        if game["kid"][seat] != NONE:
            game["tally"][rules["component_kid"][game["kid"][seat]] + 1] += share
    if game["first_exposed"] != NONE:
        game["tally"][Tally.FIRST_EXPOSED] = 1
        game["tally"][Tally.FIRST_EXPOSED_SHARE] = game["share"][game["first_exposed"]]
    if game["leader_at_three"] != NONE:
        game["tally"][Tally.LEADER_AT_THREE] = 1
        game["tally"][Tally.LEADER_AT_THREE_SHARE] = game["share"][game["leader_at_three"]]
    for k in range(LEAD_ROUNDS):
        if game["round_leader"][k] != NONE:
            game["tally"][Tally.LEAD_GAMES + k] = 1
            game["tally"][Tally.LEAD_SHARE + k] = game["share"][game["round_leader"][k]]
    winner = game["winner"]
    if winner != NONE:
        game["tally"][Tally.ONE_SIDED] = 1 - ((game["behind"] >> winner) & 1)
    game["tally"][Tally.DECISIONS] = game["asked"]


@kernel
def count_spans(game):
    """The per-game numbers with a histogram; -1 where a game has none."""
    game["span"][Span.TURNS] = game["turn"]
    game["span"][Span.ROUNDS] = game["round"] + 1
    game["span"][Span.FIRST_OUT_TURN] = NONE
    game["span"][Span.FIRST_OUT_WAIT] = NONE
    if game["first_out"] != NONE:
        game["span"][Span.FIRST_OUT_TURN] = game["first_out_turn"] + 1
        game["span"][Span.FIRST_OUT_WAIT] = game["turn"] - game["first_out_turn"] - 1
        game["tally"][Tally.WAITED] = game["turn"] - game["first_out_turn"] - 1
    game["span"][Span.RESHUFFLES] = game["tally"][Ledger.RESHUFFLE_SNOWBALLS]
    game["span"][Span.WINNER_GEAR] = NONE
    if game["winner"] != NONE:
        game["span"][Span.WINNER_GEAR] = game["gear"][game["winner"]]


@kernel
def write_outcome(game, work, row):
    """One row a game, by player of the line-up."""
    write_row(game, work, row)
    work["outcome"][row]["winner"] = NONE
    work["outcome"][row]["starter"] = game["player"][game["start"]]
    work["outcome"][row]["first_out"] = NONE
    work["outcome"][row]["first_out_turn"] = game["span"][Span.FIRST_OUT_TURN]
    if game["first_out"] != NONE:
        work["outcome"][row]["first_out"] = game["player"][game["first_out"]]
    if game["winner"] != NONE:
        work["outcome"][row]["winner"] = game["player"][game["winner"]]
    for seat in range(game["seats"]):
        work["outcome"][row]["share"][game["player"][seat]] = game["share"][seat]
        work["outcome"][row]["gear"][game["player"][seat]] = game["gear"][seat]
    work["outcome"][row]["lead_changes"] = game["span"][Span.LEAD_CHANGES]
    work["outcome"][row]["throws"] = game["tally"][Tally.THROWS]
    work["outcome"][row]["hits"] = game["tally"][Tally.HITS]
    work["outcome"][row]["quickshot_hits"] = game["tally"][Tally.QUICKSHOT_HITS]
    work["outcome"][row]["events"] = game["tally"][Tally.EVENTS]
    work["outcome"][row]["reshuffles"] = game["tally"][Ledger.RESHUFFLE_SNOWBALLS]
    work["outcome"][row]["double_outs"] = game["tally"][Ledger.DOUBLE_OUT]


@kernel
def play_game(game, rules, work, number):
    """One game by its number."""
    if rules["from_position"] == 1:
        set_up_position(game, rules, work, number)
    else:
        set_up(game, rules, work, number)
    while game["status"] == Status.PLAYING:
        call_turn(rules["play_turn"], game, rules, work)  # by address: what plays blocks compiles apart from the rules
    log(game, work, Event.END, game["winner"], game["status"], game["winner"], 0)
    count_shares(game, rules)
    count_spans(game)


@kernel
def play_block(game, rules, work, first, games):
    """`games` games from number `first` on: totals and outcomes in `work`."""
    clear_block(rules, work)
    for i in range(games):
        play_game(game, rules, work, first + i)
        write_outcome(game, work, i)
        count_game(game, rules, work)
    return 0


@kernel
def redeal(game, rules, work, seat):
    """Forget what `seat` cannot know: new keys for every stream, and other hands, decks and the box dealt anew.

    The unknown cards are put in a canonical order first (their own order in the deck list), so that nothing of the true
    deal is left. Hands hold numbered cards only, so these come from the numbered ones.
    """
    new_keys(game, seat)
    for deck in (LOCATIONS, ITEMS):
        shuffle_unknown(game, rules, work, deck)
    redeal_snowballs(game, rules, work, seat)
    return 0


@kernel
def shuffle_unknown(game, rules, work, deck):
    """A draw deck whose cards are known but not their order: each card's key depends on the card alone."""
    game["deck_fixed"][deck] = 0
    shuffle_rest(game, rules, work, deck)


@kernel
def redeal_snowballs(game, rules, work, seat):
    """Others' hands, the draw deck and the Events in the box: one pool of cards that `seat` does not see."""
    n = 0
    shuffle = next_shuffle(game, SNOWBALLS)
    for other in range(game["seats"]):
        if other != seat:
            for i in range(game["hand_size"][other]):
                lay(rules, work, n, shuffle, SNOWBALLS, game["hand"][other, i])
                n += 1
    for i in range(game["deck_next"][SNOWBALLS], game["deck_size"][SNOWBALLS]):
        lay(rules, work, n, shuffle, SNOWBALLS, game["deck"][SNOWBALLS, i])
        n += 1
    for i in range(game["left_outs"]):
        lay(rules, work, n, shuffle, SNOWBALLS, game["left_out"][i])
        n += 1
    sort_cards(work, n)
    other = 0
    slot = 0
    outs = 0
    left = 0
    game["deck_fixed"][SNOWBALLS] = 0
    first = game["deck_next"][SNOWBALLS]
    for i in range(n):
        card = sorted_card(work, i)
        if rules["is_event"][rules["card_kind"][card]] == 1:
            if outs < game["left_outs"]:
                game["left_out"][outs] = card
                outs += 1
                continue
        else:
            while other < game["seats"] and (other == seat or slot >= game["hand_size"][other]):
                other += 1
                slot = 0
            if other < game["seats"]:
                game["hand"][other, slot] = card
                slot += 1
                continue
        game["deck"][SNOWBALLS, first + left] = card
        left += 1
    for other in range(game["seats"]):
        note_quickshots(game, rules, other)
    shuffle_rest(game, rules, work, SNOWBALLS)  # hands took numbered cards only: the Events among them lie in front


@kernel
def follow_up(game, rules, work, seat, decision):
    """The simple policy that finishes a turn for a look-ahead: any legal option."""
    return random_below(game, rules, seat, game["options"])
