"""Texts at work: the controls of the effect language, and the agenda that works compiled rows off.

What is left of an effect waits on the agenda while a row runs; triggers that the row sets off lie above it and are done
first. What a row picks goes into the context of what is left.
"""

import numpy as np

from simcore.games.spooktacular.kernel import (
    inline,
    kernel,
    make_option,
    option_a,
    option_kind,
    with_at,
    with_colour,
    with_piece,
    with_room,
    with_who,
)
from simcore.games.spooktacular.layout import (
    COLOURS,
    NONE,
    ROOMS,
    STEPS,
    Decision,
    Event,
    Ledger,
    Op,
    Option,
    Place,
    Source,
    Span,
    Status,
    Step,
)
from simcore.games.spooktacular.rules.automaton import ask
from simcore.games.spooktacular.rules.cards import PLAYED, card_of, put_away
from simcore.games.spooktacular.rules.counts import count
from simcore.games.spooktacular.rules.pieces import choose_place
from simcore.games.spooktacular.rules.places import joined, places
from simcore.games.spooktacular.rules.steps import push, push_rows
from simcore.games.spooktacular.rules.triggers import flush
from simcore.games.spooktacular.rules.verbs import (
    IN_LOOP,
    do_ability,
    do_guests,
    do_pick,
    do_pieces,
    do_points,
    do_program,
)
from simcore.play import count_peak, keep_on, log, offer


@kernel
def choose_branch(game, rules, work, seat, pc, source, ctx):
    """One side of "choose", the seat's choice."""
    game["options"] = 0
    row = pc + 1
    for side in range(rules["op_a"][pc]):
        offer(game, make_option(Option.BRANCH, side, 0))
    side = option_a(ask(game, rules, work, seat, Decision.BRANCH, NONE))
    for _ in range(side):
        row = rules["op_end"][row]
    push_rows(game, seat, source, row + 1, rules["op_end"][row], ctx)


@kernel
def for_tokens(game, rules, seat, pc, source, ctx):
    """Once for each of the seat's pieces of a kind in rooms."""
    kit = game["kit"][seat]
    kind = rules["op_a"][pc]
    rooms = places(game, rules, seat, rules["op_b"][pc], ctx)
    first = rules["kind_first"][kit, kind]
    n = rules["kind_count"][kit, kind]
    for j in range(n):
        piece = first + n - 1 - j
        room = game["piece_at"][seat, piece]
        if 0 <= room < ROOMS and ((rooms >> room) & 1 == 1 or rules["op_b"][pc] == Place.ANY):
            inner = with_room(with_piece(ctx, 16 * seat + piece), room)
            push_rows(game, seat, source, pc + 1, rules["op_end"][pc], inner)


@kernel
def for_players(game, rules, seat, pc, source, ctx):
    """Once for each other player: of all, in a place, or in it and next to it; clockwise from the seat."""
    rooms = places(game, rules, seat, rules["op_a"][pc], ctx)
    near = rooms
    if rules["op_b"][pc] == 2:
        for room in range(ROOMS):
            if (rooms >> room) & 1 == 1:
                near |= joined(game, seat, room)
    seats = 0
    if rules["op_b"][pc] == 0:
        seats = (1 << game["seats"]) - 1
    else:
        for room in range(ROOMS):
            if (near >> room) & 1 == 1:
                seats |= game["monsters"][room]
    other = seat
    for _ in range(game["seats"] - 1):  # the last one pushed is done first
        other -= 1
        if other < 0:
            other = game["seats"] - 1
        if (seats >> other) & 1 == 1:
            push_rows(game, seat, source, pc + 1, rules["op_end"][pc], with_who(ctx, other))


@kernel
def do_control(game, rules, work, seat, pc, source, ctx):
    """Rows that govern others."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    start = pc + 1
    end = rules["op_end"][pc]
    if op == Op.MAY:
        game["options"] = 0
        offer(game, make_option(Option.YES, 0, 0))
        offer(game, make_option(Option.PASS, 0, 0))
        if option_kind(ask(game, rules, work, seat, Decision.MAY, NONE)) == Option.YES:
            push_rows(game, seat, source, start, end, ctx)
    elif op == Op.CHOOSE:
        choose_branch(game, rules, work, seat, pc, source, ctx)
    elif op == Op.UNTIL_NONE:
        push(game, Step.UNTIL, seat, source, pc, 0, ctx)
        push_rows(game, seat, source, start, end, ctx | IN_LOOP)
    elif op == Op.FOR_TOKENS:
        for_tokens(game, rules, seat, pc, source, ctx)
    elif op == Op.FOR_ROOMS:
        rooms = places(game, rules, seat, a, ctx)
        for j in range(ROOMS):
            room = ROOMS - 1 - j
            if (rooms >> room) & 1 == 1:
                push_rows(game, seat, source, start, end, with_room(ctx, room))
    elif op == Op.FOR_PLAYERS:
        for_players(game, rules, seat, pc, source, ctx)
    elif op == Op.FOR_COLOURS:
        room = choose_place(game, rules, work, seat, a, ctx)
        if room >= 0:
            for j in range(COLOURS):
                colour = COLOURS - 1 - j
                if game["guests"][room, colour] > 0:
                    push_rows(game, seat, source, start, end, with_colour(with_room(ctx, room), colour))
    elif op == Op.IF:
        if count(game, rules, seat, rules["op_b"][pc], ctx) >= a:
            push_rows(game, seat, source, start, end, ctx)
    elif op == Op.IF_FEWER:
        if count(game, rules, seat, rules["op_b"][pc], ctx) < a:
            push_rows(game, seat, source, start, end, ctx)
    elif op == Op.AT:
        room = choose_place(game, rules, work, seat, a, ctx)
        if room >= 0:
            push_rows(game, seat, source, start, end, with_at(ctx, room))
    elif op == Op.ONCE:
        if (game["once"][seat] >> a) & 1 == 0:
            game["once"][seat] |= 1 << a
            push_rows(game, seat, source, start, end, ctx)
    else:  # REPEAT
        for _ in range(a):
            push_rows(game, seat, source, start, end, ctx)


@inline
def do_row(game, rules, work, seat, pc, end, source, ctx):
    """One row of an effect; what is left of it waits on the agenda, with what the row has picked."""
    stop = rules["op_end"][pc]
    waiting = game["agenda_size"]
    rest = np.int64(stop < end)
    push(game, Step.EFFECT, seat, source, stop, end, ctx)
    game["agenda_size"] = waiting + rest  # written in any case: whether there is a rest could not be foretold
    game["row"] = pc
    op = rules["op"][pc]
    if op == Op.DO and rules["op_a"][pc] >= 0:  # a frequent row: here, without a call
        do_ability(game, rules, work, seat, rules["op_a"][pc], ctx)
        return
    if op <= Op.DO:
        do_points(game, rules, work, seat, pc, source, ctx)
        return
    if op <= Op.DROP:
        do_guests(game, rules, work, seat, pc, source, ctx)
        return
    if op >= Op.MAY:
        do_control(game, rules, work, seat, pc, source, ctx)
        return
    if op <= Op.RETURN:
        picked = do_pieces(game, rules, work, seat, pc, source, ctx)
    elif op <= Op.PICK_PLAYER:
        picked = do_pick(game, rules, work, seat, pc, ctx)
    else:
        do_program(game, rules, work, seat, pc, ctx)
        return
    if rest == 1 and game["agenda_size"] > waiting:
        game["context"][waiting] = picked


@kernel
def break_off(game, rules, work):
    """A runaway chain has used up the turn's budget of effects: what waits is dropped, cards go where they belong."""
    game["tally"][Ledger.RUNAWAY] += 1
    log(game, work, Event.RUNAWAY, game["active"], game["agenda_size"], 0, 0)
    while game["agenda_size"] > 0:
        n = game["agenda_size"] - 1
        game["agenda_size"] = n
        waiting = game["agenda"][n]
        if waiting & 15 == Step.CARD_DONE:
            finish_card(game, rules, work, (waiting >> 4) & 15, (waiting >> 12) & 65535)
    game["queued"] = 0
    game["replacing"] = 0


@inline
def finish_card(game, rules, work, seat, place):
    """What the card says is done: to the discards."""
    put_away(game, seat, place)
    log(game, work, Event.DISCARD, seat, card_of(game, rules, seat, place), PLAYED, 0)


@kernel
def settle(game, rules, work):
    """Work the agenda off, the last step first."""
    while game["agenda_size"] + game["queued"] > 0:
        if game["queued"] > 0:
            flush(game, rules)
            continue
        keep_on(game, rules, work)
        count_peak(game, Span.AGENDA, game["agenda_size"])
        n = game["agenda_size"] - 1
        game["agenda_size"] = n
        waiting = game["agenda"][n]
        ctx = game["context"][n]
        step = waiting & 15
        seat = (waiting >> 4) & 15
        source = (waiting >> 8) & 15
        pc = (waiting >> 12) & 65535
        end = waiting >> 28
        if game["status"] != Status.PLAYING:
            return
        game["effects"] += 1
        if game["effects"] > STEPS:
            game["agenda_size"] = n + 1
            break_off(game, rules, work)
            return
        if step == Step.EFFECT:
            do_row(game, rules, work, seat, pc, end, source, ctx)
        elif step == Step.CARD_DONE:
            finish_card(game, rules, work, seat, pc)
        elif step == Step.TRIGGER:
            log(game, work, Event.TRIGGER, seat, source, 0, 0)
            do_row(game, rules, work, seat, pc, end, Source.STANDING, ctx)
        elif step == Step.UNTIL:
            push(game, Step.UNTIL, seat, source, pc, 0, ctx)
            push_rows(game, seat, source, pc + 1, rules["op_end"][pc], ctx | IN_LOOP)
        else:  # REPLACED
            game["replacing"] &= ~(1 << (8 * seat + pc))
