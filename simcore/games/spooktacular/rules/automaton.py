"""The solo bot: an automated Killtron with three decks (rulebook, Solo Mode; P3).

It sits at seat 0. A decision of its own is narrowed by the printed priorities; what is left open is decided by the
player after it, for that player's own good. Its kit is Killtron's, so that it ignores "play a card"; draws are ignored
in rules/cards.py.
"""

import numpy as np

from simcore.games.spooktacular.kernel import inline, kernel, option_a, option_kind
from simcore.games.spooktacular.layout import (
    COLOURS,
    NONE,
    Decision,
    Event,
    Ledger,
    Op,
    Option,
    Source,
    Stream,
)
from simcore.games.spooktacular.rules.steps import push_rows
from simcore.play import decide, log
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card


@inline
def printed_doors(rules, room):
    """Door count in a room's corner; 0 for a room that is a token."""
    if room < rules["rooms"]:
        return rules["printed_doors"][room]
    return np.int64(0)


@inline
def colours_in(game, room, missing):
    """Different colours in a room; missing = 1: only those that the automaton's pile lacks."""
    n = 0
    for colour in range(COLOURS):
        if game["guests"][room, colour] > 0 and (missing == 0 or game["pile"][0, colour] == 0):
            n += 1
    return n


@kernel
def worth(game, rules, decision, option):
    """How much the printed priorities want an option: the highest are kept; 0 for all where none is printed."""
    kind = option_kind(option)
    a = option_a(option)
    op = rules["op"][game["row"]]
    if decision == Decision.LEAVE:  # priority 3: red before yellow, green, blue, purple; doors come clockwise
        if kind == Option.PASS:
            return NONE
        return COLOURS - a
    if decision == Decision.FIGURE:  # priority 4
        if kind == Option.FIGURE:
            return 1000 + game["points"][a >> 4]
        if game["pile"][0, a] == 0:
            return 100 - a
        return 50 - a
    if decision != Decision.ROOM:
        return 0
    if op == Op.MASH and game["moved_seat"] != 0:  # priority 5: other players; itself moves as it always does
        return 10000 - 20 * game["crowd"][a] - printed_doors(rules, a)
    if (op == Op.MOVE or op == Op.MASH) and game["bot_card"] != NONE:  # priorities 1 and 2
        if rules["bot_chases_guests"][game["bot_card"]] == 1:
            return 20 * game["crowd"][a] + printed_doors(rules, a)
        return 20 * colours_in(game, a, 1) + colours_in(game, a, 0)
    return 0


@kernel
def narrow(game, rules, decision):
    """Keep the options that the printed priorities want most."""
    best = np.int64(NONE - 1)
    for i in range(game["options"]):
        best = max(best, worth(game, rules, decision, game["option"][i]))
    kept = 0
    for i in range(game["options"]):
        option = game["option"][i]
        if worth(game, rules, decision, option) == best:
            game["option"][kept] = option
            kept += 1
    game["options"] = kept


@kernel
def ask(game, rules, work, seat, decision, room):
    """Ask for a decision of the seat's; `room`: what it is about, NONE. The option taken."""
    if game["options"] == 1:
        return game["option"][0]
    game["for_seat"] = seat
    game["about_room"] = room
    who = seat
    if seat < rules["bot"]:
        narrow(game, rules, decision)
        if game["options"] == 1:
            return game["option"][0]
        game["tally"][Ledger.ASKED_NEXT] += 1
        who = np.int64(1)
    return decide(game, rules, work, who, decision)


@kernel
def shuffle_bot(game, rules, work):
    """All three decks anew, each by the cards' own keys."""
    for deck in range(3):
        shuffle = next_shuffle(game, Stream.AUTOMATON + deck)
        for i in range(3):
            put_card(work, i, shuffle, rules["bot_card_id"][deck, i], i)
        sort_cards(work, 3)
        for i in range(3):
            game["bot_deck"][deck, i] = rules["bot_card"][deck, sorted_card(work, i)]
    game["bot_next"] = 0


@kernel
def reveal(game, rules, work):
    """The automaton's turn: the top card of each deck, resolved A, B, C."""
    if game["bot_next"] == 3:
        shuffle_bot(game, rules, work)
    at = game["bot_next"]
    game["bot_next"] = at + 1
    for deck in range(3):
        log(game, work, Event.CARD, 0, game["bot_deck"][deck, at], 3, deck)
    game["bot_card"] = game["bot_deck"][2, at]
    for j in range(3):  # the last one pushed is resolved first
        card = game["bot_deck"][2 - j, at]
        push_rows(game, 0, Source.CARD, rules["card_start"][card], rules["card_end"][card], 0)
