"""What the verbs of the effect language do: one function for each group of rows, one rule function for each verb."""

import numpy as np

from simcore.games.spooktacular.kernel import (
    ctx_colour,
    ctx_piece,
    ctx_room,
    ctx_space,
    ctx_who,
    inline,
    kernel,
    option_a,
    with_piece,
    with_room,
    with_space,
    with_who,
)
from simcore.games.spooktacular.layout import (
    BOARD,
    NONE,
    ROOMS,
    TRACK,
    Decision,
    Event,
    Ledger,
    Op,
    Piece,
    Place,
    Points,
    Rule,
    Source,
    Step,
    Stream,
    Who,
)
from simcore.games.spooktacular.rules.automaton import ask
from simcore.games.spooktacular.rules.cards import (
    copy_card,
    discard_cards,
    discard_slot,
    draw_cards,
    draw_up,
    load,
    play_card,
    reorder,
    run_slot,
    shift_slots,
)
from simcore.games.spooktacular.rules.counts import count
from simcore.games.spooktacular.rules.guests import (
    BY_EFFECT,
    add_guests,
    consume,
    devour,
    devour_some,
    drop_guests,
    move_guests,
    spook,
    take_guests,
)
from simcore.games.spooktacular.rules.pieces import (
    choose_piece,
    choose_place,
    choose_player,
    choose_room,
    guest_ways,
    mash,
    move_other,
    move_own,
    move_that,
    move_token,
    offer_figures,
    stun,
    swap,
)
from simcore.games.spooktacular.rules.places import own_room, places
from simcore.games.spooktacular.rules.scoring import change_points, steal
from simcore.games.spooktacular.rules.steps import push, push_rows
from simcore.games.spooktacular.rules.tokens import (
    advance,
    choose_space,
    fill_board,
    place_ahead,
    place_door,
    place_piece,
    put_on_space,
    return_any,
    return_piece,
    to_place,
)
from simcore.play import log
from simcore.rng import value

IN_LOOP = 1 << 40  # of a context: a pick that finds nothing ends the loop around it
FRACTION = 1.0 / 9007199254740992.0  # 2^-53
SHIFT = np.uint64(11)


@kernel
def scaled(game, rules, pc, n):
    """A number of a text; one of an estimated ability times kit_strength, rounded by lot to keep its mean."""
    if rules["op_scaled"][pc] == 0 or rules["kit_strength"] == 1.0:
        return n
    x = n * rules["kit_strength"]
    whole = np.int64(x)
    draw = game["shuffles"][Stream.STRENGTH]
    game["shuffles"][Stream.STRENGTH] = draw + 1
    u = (value(game["key"][Stream.STRENGTH], draw) >> SHIFT) * FRACTION
    game["tally"][Ledger.STRENGTH] += 1
    if u < x - whole:
        whole += 1
    return whole


@inline
def kind_of_points(source):
    """Points by a basic card's text, or by one's own."""
    if source == Source.CARD:
        return np.int64(Points.BASIC)
    return np.int64(Points.OWN)


@kernel
def other_player(game, rules, work, seat, who, ctx):
    """The other player that a text means; NONE."""
    if who == Who.THAT:
        return np.int64(ctx_who(ctx))
    seats = (1 << game["seats"]) - 1
    if who == Who.HERE:
        room = own_room(game, rules, seat)
        if room < 0:
            return NONE
        seats = game["monsters"][room]
    elif who == Who.LEADER:
        most = np.int64(-1)
        seats = 0
        for other in range(game["seats"]):
            if other != seat:
                if game["points"][other] > most:
                    most = game["points"][other]
                    seats = 0
                if game["points"][other] == most:
                    seats |= 1 << other
    return choose_player(game, rules, work, seat, seats)


@inline
def replaced(game, rules, work, seat, rule, source, ctx):
    """1 if a standing effect of the seat's takes the place of a rule: it waits on the agenda now."""
    kit = game["kit"][seat]
    if (rules["instead"][kit] >> rule) & 1 == 0:
        return 0
    if seat < rules["bot"]:  # the automaton uses no board; it ignores "play a card" (rulebook, Solo Mode)
        return np.int64(rule == Rule.PLAY)
    bit = 8 * seat + rule
    if (game["replacing"] >> bit) & 1 == 1:
        return 0
    game["tally"][Ledger.REPLACED] += 1
    if rules["instead_start"][kit, rule] < rules["instead_end"][kit, rule]:
        game["replacing"] |= 1 << bit
        push(game, Step.REPLACED, seat, 0, rule, 0, 0)
        push_rows(
            game, seat, source, rules["instead_start"][kit, rule], rules["instead_end"][kit, rule], ctx & ~IN_LOOP
        )
    return 1


@kernel
def end_loop(game, ctx):
    """A pick has found nothing: the loop around it is over, with all that waits of its round."""
    if ctx & IN_LOOP == 0:
        return
    while game["agenda_size"] > 0:
        n = game["agenda_size"] - 1
        game["agenda_size"] = n
        if game["agenda"][n] & 15 == Step.UNTIL:
            return


# --- verbs ------------------------------------------------------------------------------------------------------------


@kernel
def do_points(game, rules, work, seat, pc, source, ctx):
    """Rows about points and cards."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    b = rules["op_b"][pc]
    if op == Op.GAIN:
        change_points(game, rules, work, seat, scaled(game, rules, pc, a), kind_of_points(source))
    elif op == Op.GAIN_PER:
        n = a * (count(game, rules, seat, rules["op_c"][pc], ctx) // b)
        if rules["op_d"][pc] > 0:
            n = min(n, rules["op_d"][pc])
        change_points(game, rules, work, seat, scaled(game, rules, pc, n), kind_of_points(source))
    elif op == Op.LOSE:
        change_points(game, rules, work, seat, -scaled(game, rules, pc, a), Points.PAID)
    elif op == Op.GIVE:
        other = ctx_who(ctx)
        if other >= 0:
            change_points(game, rules, work, other, scaled(game, rules, pc, a), Points.GIFT)
    elif op == Op.STEAL:
        other = other_player(game, rules, work, seat, b, ctx)
        if other >= 0:
            steal(game, rules, work, seat, other, scaled(game, rules, pc, a))
    elif op == Op.DRAW:
        draw_cards(game, rules, work, seat, a)
    elif op == Op.DRAW_UP:
        draw_up(game, rules, work, seat)
    elif op == Op.THEY_DRAW:
        other = ctx_who(ctx)
        if other >= 0:
            draw_cards(game, rules, work, other, a)
    elif op == Op.DISCARD:
        discard_cards(game, rules, work, seat, a)
    elif op == Op.PLAY:
        if replaced(game, rules, work, seat, Rule.PLAY, source, ctx) == 0:
            play_card(game, rules, work, seat, ctx & 31)
    elif op == Op.COPY:
        other = other_player(game, rules, work, seat, a, ctx)
        if other >= 0:
            copy_card(game, rules, work, seat, other, ctx & 31)
    else:  # DO, DO_SPACE
        if op == Op.DO_SPACE:
            a = space_of(game, rules, seat, a)
        elif a == NONE:
            a = np.int64(ctx_space(ctx))
        if a >= 0:
            do_ability(game, rules, work, seat, a, ctx)


@kernel
def space_of(game, rules, seat, kind):
    """Ability number of the space on which the first of the seat's tokens of a kind on the board lies; NONE."""
    kit = game["kit"][seat]
    first = rules["kind_first"][kit, kind]
    for piece in range(first, first + rules["kind_count"][kit, kind]):
        at = game["piece_at"][seat, piece]
        if BOARD <= at < TRACK:
            return rules["space_first"][kit] + at - BOARD
    return NONE


@inline
def do_ability(game, rules, work, seat, ability, ctx):
    """A named ability, or a space of the board; it goes on with what has been picked."""
    log(game, work, Event.ABILITY, seat, ability, 0, 0)
    start = rules["ability_start"][ability]
    push_rows(game, seat, Source.ABILITY, start, rules["ability_end"][ability], ctx & ~IN_LOOP)


@kernel
def do_guests(game, rules, work, seat, pc, source, ctx):
    """Rows about guests."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    b = rules["op_b"][pc]
    c = rules["op_c"][pc]
    if op == Op.ADD:
        if replaced(game, rules, work, seat, Rule.ADD, source, ctx) == 0:
            n = scaled(game, rules, pc, a)
            room = np.int64(NONE)
            if n > 0 and game["bag_size"] > 0:
                room = choose_place(game, rules, work, seat, b, ctx)
            elif n > 0:
                game["tally"][Ledger.BAG_SHORT] += 1
            if room >= 0:
                add_guests(game, rules, work, seat, room, n, BY_EFFECT)
    elif op == Op.SPOOK:
        if replaced(game, rules, work, seat, Rule.SPOOK, source, ctx) == 0:
            times = scaled(game, rules, pc, 1)
            room = choose_crowded(game, rules, work, seat, a, ctx)
            if room >= 0:
                for _ in range(times):
                    spook(game, rules, work, seat, room)
    elif op == Op.DEVOUR:
        if replaced(game, rules, work, seat, Rule.DEVOUR, source, ctx) == 0:
            room = choose_crowded(game, rules, work, seat, b, ctx)
            if room >= 0:
                devour_some(game, rules, work, seat, room, a, c)
    elif op == Op.CONSUME:
        if replaced(game, rules, work, seat, Rule.DEVOUR, source, ctx) == 0:
            room = choose_crowded(game, rules, work, seat, a, ctx)
            if room >= 0:
                consume(game, rules, work, seat, room)
    elif op == Op.DEVOUR_COLOUR:
        if replaced(game, rules, work, seat, Rule.DEVOUR, source, ctx) == 0:
            colour = ctx_colour(ctx)
            room = choose_place(game, rules, work, seat, a, ctx)
            if room >= 0 and colour >= 0 and game["guests"][room, colour] > 0:
                devour(game, rules, work, seat, room, colour)
    elif op == Op.MOVE_GUESTS:
        room = choose_origin(game, rules, work, seat, b, c, ctx)
        if room < 0:
            return
        there = destination(game, rules, work, seat, c, room, ctx)
        if there >= 0:
            move_guests(game, rules, work, seat, room, there, a, rules["op_d"][pc])
    elif op == Op.TAKE:
        room = choose_crowded(game, rules, work, seat, b, ctx)
        if room >= 0:
            take_guests(game, rules, work, seat, room, a, c)
    else:  # DROP
        room = choose_place(game, rules, work, seat, b, ctx)
        if room >= 0:
            drop_guests(game, rules, work, seat, room, a)


@kernel
def choose_crowded(game, rules, work, seat, code, ctx):
    """The room that a text means: one with guests, if there is one (as much as possible; golden rule)."""
    if code & 31 == Place.HERE:
        return choose_place(game, rules, work, seat, code, ctx)
    rooms = places(game, rules, seat, code, ctx)
    crowded = 0
    for room in range(ROOMS):
        if (rooms >> room) & 1 == 1 and game["crowd"][room] > 0:
            crowded |= 1 << room
    if crowded != 0:
        rooms = np.int64(crowded)
    return choose_room(game, rules, work, seat, rooms, NONE)


@inline
def as_seen_from(code):
    """Where guests go: "room connected to that room" is, of guests that leave a room, one joined to it."""
    if code & 31 == Place.NEXT_THERE:
        return np.int64(Place.NEXT)
    return np.int64(code)


@kernel
def choose_origin(game, rules, work, seat, code, to, ctx):
    """The room out of which guests are moved: one from which some can; NONE."""
    rooms = places(game, rules, seat, code, ctx)
    kept = np.int64(0)
    for room in range(ROOMS):
        if (rooms >> room) & 1 == 1 and guest_ways(game, rules, seat, room, as_seen_from(to), ctx) != 0:
            kept |= 1 << room
    return choose_room(game, rules, work, seat, kept, NONE)


@kernel
def destination(game, rules, work, seat, code, room, ctx):
    """Where guests of a room go, the seat's choice; NONE."""
    return choose_room(game, rules, work, seat, guest_ways(game, rules, seat, room, as_seen_from(code), ctx), room)


@kernel
def their_figure(game, rules, work, seat, ctx):
    """That player's figure: the one that was picked, else one in that room, the seat's choice among kinds; NONE."""
    other = ctx_who(ctx)
    figure = ctx_piece(ctx)
    if other < 0 or (figure >= 0 and figure >> 4 == other):
        return figure
    room = ctx_room(ctx)
    if room < 0:
        return NONE
    offer_figures(game, rules, seat, 1 << other, 1 << room, NONE, 0)
    if game["options"] == 0:
        return NONE
    return option_a(ask(game, rules, work, seat, Decision.FIGURE, room))


@kernel
def do_pieces(game, rules, work, seat, pc, source, ctx):
    """Rows about figures and tokens; the context with what they have picked."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    b = rules["op_b"][pc]
    c = rules["op_c"][pc]
    if op == Op.MOVE:
        if a == Piece.OWN:
            if replaced(game, rules, work, seat, Rule.MOVE, source, ctx) == 0:
                move_own(game, rules, work, seat, c, ctx)
        elif a == Piece.THAT:
            move_that(game, rules, work, seat, ctx_piece(ctx), c, ctx)
        elif a == Piece.THEIRS:
            move_that(game, rules, work, seat, their_figure(game, rules, work, seat, ctx), c, ctx)
        elif a >= Piece.TOKEN:
            move_token(game, rules, work, seat, a - Piece.TOKEN, b, c, ctx)
        else:
            return move_other(game, rules, work, seat, np.int64(a == Piece.FIGURE), b, c, ctx)
    elif op == Op.MASH:
        mash(game, rules, work, seat, scaled(game, rules, pc, a), kind_of_points(source), ctx)
    elif op == Op.SWAP:
        swap(game, rules, work, seat, ctx_piece(ctx))
    elif op == Op.STUN:
        other = other_player(game, rules, work, seat, a, ctx)
        if other >= 0:
            stun(game, work, seat, other)
    elif op == Op.ACT_FROM:
        piece = choose_piece(game, rules, work, seat, a, (1 << ROOMS) - 1)
        if piece >= 0:
            game["acting"][seat] = piece
    elif op == Op.PLACE:
        place_piece(game, rules, work, seat, a, b, ctx)
    elif op == Op.PLACE_DOOR:
        place_door(game, rules, work, seat, a, b, c, ctx)
    elif op == Op.PLACE_AHEAD:
        if to_place(game, rules, seat, a) == 1:
            place_ahead(game, rules, work, seat, a, b, other_player(game, rules, work, seat, c, ctx), ctx)
    elif op == Op.FILL:
        fill_board(game, rules, work, seat, a)
    elif op == Op.PUT:
        put_on_space(game, rules, work, seat, a, b)
    elif op == Op.ADVANCE:
        return with_space(ctx, advance(game, rules, work, seat, a, b))
    elif a >= 0:  # RETURN
        return_any(game, rules, work, seat, a)
    else:
        figure = ctx_piece(ctx)
        if figure < 0 or figure >> 4 != seat:
            return ctx
        number = np.int64(NONE)
        if b == 1:
            number = choose_space(game, rules, work, seat)
            if number == NONE:
                end_loop(game, ctx)
                return ctx
        return_piece(game, rules, work, seat, figure & 15, number)
        return with_space(ctx, number)
    return ctx


@kernel
def do_pick(game, rules, work, seat, pc, ctx):
    """Rows that pick; the context with it. Nothing to pick ends the loop around them."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if op == Op.PICK_TOKEN:
        rooms = places(game, rules, seat, rules["op_b"][pc], ctx)
        piece = choose_piece(game, rules, work, seat, a, rooms)
        if piece == NONE:
            end_loop(game, ctx)
            return with_piece(ctx, NONE)
        room = game["piece_at"][seat, piece]
        ctx = with_room(with_piece(ctx, 16 * seat + piece), room)
        if rules["op_b"][pc] == Place.MONSTER:
            ctx = with_who(ctx, choose_player(game, rules, work, seat, game["monsters"][room]))
        return ctx
    if op == Op.PICK_MONSTER:
        rooms = places(game, rules, seat, a, ctx)
        offer_figures(game, rules, seat, (1 << game["seats"]) - 1, rooms, NONE, 0)
        if game["options"] == 0:
            end_loop(game, ctx)
            return with_who(with_piece(ctx, NONE), NONE)
        figure = option_a(ask(game, rules, work, seat, Decision.FIGURE, NONE))
        room = game["piece_at"][figure >> 4, figure & 15]
        return with_who(with_piece(with_room(ctx, room), figure), figure >> 4)
    if op == Op.PICK_ROOM:
        room = choose_place(game, rules, work, seat, a, ctx)
        if room == NONE:
            end_loop(game, ctx)
        return with_room(ctx, room)
    other = other_player(game, rules, work, seat, a, ctx)
    if other == NONE:
        end_loop(game, ctx)
    return with_who(ctx, other)


@kernel
def do_program(game, rules, work, seat, pc, ctx):
    """Rows about the program."""
    op = rules["op"][pc]
    a = rules["op_a"][pc]
    if op == Op.RUN:
        run_slot(game, rules, work, seat, a - 1, ctx & 31)
    elif op == Op.DISCARD_SLOT:
        discard_slot(game, rules, work, seat, a - 1)
    elif op == Op.SHIFT:
        shift_slots(game, rules, work, seat)
    elif op == Op.LOAD:
        load(game, rules, work, seat, a, rules["op_b"][pc])
    else:
        reorder(game, rules, work, seat)
