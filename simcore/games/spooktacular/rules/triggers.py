"""Standing effects: what sets them off, and in which order they are done (rulings P9).

What a clause sets off is queued as it happens and put on the agenda when the clause is over: the active player's
effects first, then clockwise; of one player's, what happened first, then in the order of his board.
"""

from simcore.games.spooktacular.kernel import inline, kernel, with_piece, with_room, with_who
from simcore.games.spooktacular.layout import BETWEEN, QUEUE, STEPS, TRACK, Step, When
from simcore.games.spooktacular.rules.places import places
from simcore.games.spooktacular.rules.steps import push


@inline
def queue(game, owner, i, ctx):
    """The owner's i-th standing effect is to be done when the present clause is over."""
    n = game["queued"]
    if n >= QUEUE:  # a runaway chain
        game["effects"] = STEPS
        return
    game["queue"][n] = 16 * i + owner
    game["queue_context"][n] = ctx
    game["queued"] = n + 1


@kernel
def queue_all(game, rules, owner, when, ctx):
    """All of the owner's standing effects for `when`."""
    kit = game["kit"][owner]
    for i in range(rules["triggers"][kit]):
        if rules["trigger_when"][kit, i] == when:
            queue(game, owner, i, ctx)


@inline
def fire(game, rules, owner, when, ctx):
    """Something has happened to the owner itself."""
    if (game["listens"][when] >> owner) & 1 == 1 and game["setting_up"] == 0:
        queue_all(game, rules, owner, when, ctx)


@kernel
def fire_at(game, rules, when, room, mover, ctx):
    """A guest, or the mover's monster, has come into a room: who listens there?"""
    if game["setting_up"] > 0:
        return
    for owner in range(game["seats"]):
        if (game["listens"][when] >> owner) & 1 == 0 or (when == When.MONSTER_ENTERS and owner == mover):
            continue
        kit = game["kit"][owner]
        for i in range(rules["triggers"][kit]):
            if rules["trigger_when"][kit, i] == when:
                if (places(game, rules, owner, rules["trigger_what"][kit, i], 0) >> room) & 1 == 1:
                    queue(game, owner, i, ctx)


@kernel
def pass_tokens(game, rules, owner, i, seat, before, after):
    """The seat's score has risen past tokens that the owner's i-th standing effect is about: the lowest first."""
    kit = game["kit"][owner]
    kind = rules["trigger_what"][kit, i]
    first = rules["kind_first"][kit, kind]
    for points in range(before + 1, after + 1):
        for piece in range(first, first + rules["kind_count"][kit, kind]):
            if game["piece_at"][owner, piece] == TRACK + points:
                queue(game, owner, i, with_who(with_piece(0, 16 * owner + piece), seat))


@kernel
def fire_passed(game, rules, seat, before, after):
    """The seat's score has risen: tokens of others that it has reached or passed."""
    if game["setting_up"] > 0:
        return
    for owner in range(game["seats"]):
        if owner == seat or (game["listens"][When.PASSES] >> owner) & 1 == 0:
            continue
        kit = game["kit"][owner]
        for i in range(rules["triggers"][kit]):
            if rules["trigger_when"][kit, i] == When.PASSES:
                pass_tokens(game, rules, owner, i, seat, before, min(after, BETWEEN - TRACK - 1))


@kernel
def fire_door(game, rules, door, room, ctx):
    """A guest has gone through a door token (16 seat + piece) into a room."""
    owner = door >> 4
    if game["setting_up"] > 0 or (game["listens"][When.GUEST_PASSES] >> owner) & 1 == 0:
        return
    kit = game["kit"][owner]
    for i in range(rules["triggers"][kit]):
        if rules["trigger_when"][kit, i] == When.GUEST_PASSES:
            if rules["trigger_what"][kit, i] == rules["piece_kind"][kit, door & 15]:
                queue(game, owner, i, with_room(with_piece(ctx, door), room))


@kernel
def flush(game, rules):
    """Put what is queued on the agenda: the last one pushed is done first."""
    first = 0
    if rules["trigger_order"] == 0:
        first = game["active"]
    seats = game["seats"]
    for j in range(seats):
        owner = first + seats - 1 - j
        if owner >= seats:
            owner -= seats
        kit = game["kit"][owner]
        for k in range(game["queued"]):
            n = game["queued"] - 1 - k
            if game["queue"][n] & 15 == owner:
                i = game["queue"][n] >> 4
                start = rules["trigger_start"][kit, i]
                end = rules["trigger_end"][kit, i]
                if start < end:
                    when = rules["trigger_when"][kit, i]
                    push(game, Step.TRIGGER, owner, when, start, end, game["queue_context"][n])
    game["queued"] = 0
