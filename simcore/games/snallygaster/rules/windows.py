"""Items and powered cards: who may use which when (rulebook, Using Items; L11, L14, L18)."""

from simcore.games.snallygaster.kernel import inline, kernel, make_option, option_a, option_kind
from simcore.games.snallygaster.layout import (
    NONE,
    Decision,
    Event,
    Ledger,
    Op,
    Option,
    Source,
    Status,
    Step,
    Tally,
    Window,
)
from simcore.games.snallygaster.rules.steps import push, push_rows
from simcore.play import decide, log, offer


@inline
def ready_items(game, rules, seat, window):
    """Bits of the seat's cards that lie face up and can be used in this window; powered cards in their owner's
    turn."""
    ready = game["items"][seat] & game["item_up"] & rules["window_items"][window]
    if seat != game["active"]:
        ready &= ~rules["powered_bits"]
    return ready


@kernel
def is_near(game, rules, seat, district, reach):
    """1 if a district is at most `reach` districts from a seat (0: the same)."""
    space = game["space"][seat]
    if space < 0:
        return 0
    bits = rules["district_bits"][space]
    for d in range(rules["districts"]):
        if (bits >> d) & 1 and rules["hops"][d, district] <= reach:
            return 1
    return 0


@kernel
def offer_items(game, rules, seat, window):
    """Offer the cards that are ready. Where all see that the monster is too far for one, it is not [L11]."""
    ready = ready_items(game, rules, seat, window)
    if ready == 0:
        return
    for card in range(rules["item_cards"] + rules["powered_cards"]):
        if (ready >> card) & 1:
            first = rules["item_start"][card]
            seen = game["monster_seen"]
            if rules["op"][first] == Op.WITHIN and seen != NONE:
                if is_near(game, rules, seat, seen, rules["op_a"][first]) == 0:
                    continue
            offer(game, make_option(Option.USE, card, 0, 0))


@kernel
def use_item(game, rules, work, seat, card, window):
    """Turn a card face down; what it says waits on the agenda."""
    game["item_up"] &= ~(1 << card)
    component = rules["component_item"][card]
    game["used"][component] = 1
    game["tally"][Tally.COMPONENTS + 3 * component + 1] += 1
    if window != Window.TURN:
        game["tally"][Ledger.REACTION] += 1
    log(game, work, Event.USE, seat, card, window, 0)
    push_rows(game, seat, Source.ITEM, rules["item_start"][card], rules["item_end"][card])


@inline
def open_window(game, rules, window, source):
    """Before what was pushed last: whoever has a card for it is asked."""
    ready = 0
    for seat in range(game["seats"]):
        if game["items"][seat] & game["item_up"] & rules["window_items"][window] != 0:
            ready = 1
    if ready == 1:
        push(game, Step.WINDOW, 0, source, window, 0)


@kernel
def ask_window(game, rules, work, window, source, asked):
    """The active seat first, then clockwise; who uses a card is asked again once it is resolved [L14]."""
    seat = game["active"]
    for _ in range(game["seats"]):
        if (asked >> seat) & 1 == 0 and game["space"][seat] >= 0 and ready_items(game, rules, seat, window) != 0:
            game["options"] = 0
            offer(game, make_option(Option.PASS, 0, 0, 0))
            offer_items(game, rules, seat, window)
            if game["options"] > 1:
                option = decide(game, rules, work, seat, Decision.WINDOW)
                if game["status"] != Status.PLAYING:
                    return
                if option_kind(option) == Option.USE:
                    push(game, Step.WINDOW, 0, source, window, asked)
                    use_item(game, rules, work, seat, option_a(option), window)
                    return
        asked |= 1 << seat
        seat += 1
        if seat >= game["seats"]:
            seat = 0
