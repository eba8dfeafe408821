"""The Lost Kid's turn: a card, its spooky actions, token and icon, the Feds, a new card (rulebook, The Lost Kid's Turn;
L3-L5, L23)."""

from simcore.games.snallygaster.kernel import inline, kernel, make_option, option_a, option_b, option_kind
from simcore.games.snallygaster.layout import (
    HISTORY,
    NONE,
    Ability,
    Decision,
    Event,
    Ledger,
    Option,
    Source,
    Status,
    Step,
)
from simcore.games.snallygaster.rules.effects import settle
from simcore.games.snallygaster.rules.hand import cover, draw_card, drop_from_hand, new_hand_token
from simcore.games.snallygaster.rules.steps import push, push_rows
from simcore.games.snallygaster.rules.tokens import STEP_2, put_token
from simcore.play import decide, log, offer


@inline
def offer_cards(game, rules):
    """Every card onto every pile, or first the New Hand token."""
    game["options"] = 0
    for slot in range(game["hand_size"][0]):
        for pile in range(rules["pile_count"]):
            offer(game, make_option(Option.PLAY, slot, pile, 0))
    if game["new_hand_token"] == 1:
        offer(game, make_option(Option.NEW_HAND, 0, 0, 0))


@kernel
def play_card(game, rules, work, slot, pile):
    """Lay a card of the hand onto a pile: all see which, where, and what it covers [L2]."""
    card = game["hand"][0, slot]
    covered = game["piles"][pile]
    drop_from_hand(game, slot)
    cover(game, pile, card, 1)
    game["played"] = card
    n = game["plays"]
    if n < HISTORY:
        game["history"][n] = card + 256 * pile + 4096 * (1 + covered)
    game["plays"] = n + 1
    log(game, work, Event.PLAY, 0, card, pile, covered)
    return card


@kernel
def spooky_actions(game, rules, work, card):
    """Step 1: the actions from left to right, each as often as event_density has made of it [L23]."""
    at = rules["card_start"][card]
    k = 0
    while at < rules["card_end"][card] and game["status"] == Status.PLAYING:
        stop = rules["op_end"][at]
        times = 1
        if rules["density"] != 0:
            times = (game["times"][card] >> (2 * k)) & 3
        if times == 0:
            game["tally"][Ledger.DROPPED] += 1
            log(game, work, Event.DROPPED, 0, at, 0, 0)
        elif times == 2:
            game["tally"][Ledger.DOUBLED] += 1
        for again in range(times):
            if game["status"] == Status.PLAYING:
                log(game, work, Event.ICON, 0, at, 0, again)
                push_rows(game, 0, Source.ICON, at, stop)
                settle(game, rules, work)
        at = stop
        k += 1


@kernel
def token_and_icon(game, rules, work, card):
    """Step 2: a search token on the card's building, then the action icon, if the Lost Kid wants it [L5]."""
    put_token(game, rules, work, rules["card_building"][card], STEP_2)
    start = rules["card_action"][card]
    if start == NONE:
        return
    game["options"] = 0
    offer(game, make_option(Option.PASS, 0, 0, 0))
    offer(game, make_option(Option.USE, 0, 0, 0))
    if option_kind(decide(game, rules, work, 0, Decision.ACTION_ICON)) == Option.USE:
        game["tally"][Ledger.ACTION_USED] += 1
        log(game, work, Event.ICON, 0, start, 1, 0)
        push_rows(game, 0, Source.ICON, start, rules["card_action_end"][card])
        settle(game, rules, work)
    else:
        game["tally"][Ledger.ACTION_DECLINED] += 1


@kernel
def draw_step(game, rules, work):
    """Step 4: a card is drawn; the New Hand token may be spent before, which makes five [L4]."""
    if game["new_hand_token"] == 1:
        game["options"] = 0
        offer(game, make_option(Option.PASS, 0, 0, 0))
        offer(game, make_option(Option.NEW_HAND, 0, 0, 0))
        if option_kind(decide(game, rules, work, 0, Decision.NEW_HAND)) == Option.NEW_HAND:
            new_hand_token(game, rules, work)
    if game["status"] != Status.PLAYING:
        return
    full = game["hand_size"][0] >= rules["hand_size"]
    if full:
        game["tally"][Ledger.FIVE_CARDS] += 1
    if full == 0 or rules["new_hand_before_draw"] == 0:
        draw_card(game, rules, work)


@kernel
def choose_card(game, rules, work):
    """The card of the turn; NONE if the hand and the deck are empty."""
    while game["status"] == Status.PLAYING:
        if game["hand_size"][0] == 0:
            draw_card(game, rules, work)
            if game["hand_size"][0] == 0:
                return NONE
        offer_cards(game, rules)
        option = decide(game, rules, work, 0, Decision.CARD)
        if option_kind(option) == Option.PLAY:
            return play_card(game, rules, work, option_a(option), option_b(option))
        new_hand_token(game, rules, work)
    return NONE


@kernel
def four_steps(game, rules, work):
    """The four steps of the Lost Kid's turn; afterwards game["played"] is the card."""
    game["played"] = NONE
    card = choose_card(game, rules, work)
    if game["status"] != Status.PLAYING:
        return
    if card != NONE:
        spooky_actions(game, rules, work, card)
        if game["status"] != Status.PLAYING:
            return
        token_and_icon(game, rules, work, card)
    if game["status"] != Status.PLAYING:
        return
    push(game, Step.FEDS, 0, Source.ICON, 1, rules["patrol_speed"])  # the red Fed, pushed last, drives first
    push(game, Step.FEDS, 0, Source.ICON, 0, rules["patrol_speed"])
    settle(game, rules, work)
    if game["status"] == Status.PLAYING:
        draw_step(game, rules, work)


@kernel
def movement_of_card(game, rules):
    """The rescued Lost Kid's steps this turn, and whether they may be diagonal."""
    card = game["played"]
    if card == NONE:
        return
    game["steps"] += rules["card_movement"][card]
    if rules["card_diagonal"][card] == 1:
        game["abilities"] |= Ability.DIAGONAL
