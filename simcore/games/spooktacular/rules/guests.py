"""Guests: added, moved, spooked, devoured, turned in as sets, carried (rulebook, Adding Guests, Spook, Devour; P2, P4).

A guest is only its colour: the 60 lie in the bag, in rooms, in devour piles or with passengers.
"""

import numpy as np

from simcore.games.spooktacular.kernel import (
    inline,
    kernel,
    make_option,
    option_a,
    option_kind,
    with_colour,
    with_room,
)
from simcore.games.spooktacular.layout import (
    BETWEEN,
    COLOURS,
    EXTRA,
    NONE,
    SPOOK_DOORS,
    Bar,
    Decision,
    Event,
    Ledger,
    Option,
    Points,
    Span,
    Stream,
    Tally,
    When,
)
from simcore.games.spooktacular.rules.automaton import ask
from simcore.games.spooktacular.rules.scoring import change_points, trigger_end
from simcore.games.spooktacular.rules.triggers import fire, fire_at, fire_door
from simcore.play import count_peak, log, offer
from simcore.rng import scale, value

SET_UP, BY_EFFECT, AFTER_SET = 0, 1, 2  # why guests are added
GUEST_LEAVES, GUEST_ENTERS, GUEST_ADDED = int(Bar.GUEST_LEAVES), int(Bar.GUEST_ENTERS), int(Bar.GUEST_ADDED)


@inline
def bars(game, bar, room):
    """1 if a standing rule forbids it to guests in this room (the same for whoever moves them)."""
    return (game["barred"][0, bar] >> room) & 1


@inline
def draw_guest(game):
    """A guest out of the bag at random: each draw has its own number."""
    r = scale(value(game["key"][Stream.BAG], game["guests_drawn"]), game["bag_size"])
    game["guests_drawn"] += 1
    game["bag_size"] -= 1
    colour = 0
    while r >= game["bag"][colour]:
        r -= game["bag"][colour]
        colour += 1
    game["bag"][colour] -= 1
    return colour


@kernel
def add_guests(game, rules, work, seat, room, n, why):
    """Guests from the bag into a room, as many as there are."""
    if bars(game, GUEST_ADDED, room) == 1:
        game["tally"][Ledger.NOT_LEFT] += 1
        return
    for _ in range(n):
        if game["bag_size"] == 0:
            game["tally"][Ledger.BAG_SHORT] += 1
            break
        colour = draw_guest(game)
        game["guests"][room, colour] += 1
        game["crowd"][room] += 1
        log(game, work, Event.ADD, seat, room, colour, why)
    count_peak(game, Span.GUESTS, game["crowd"][room])
    count_peak(game, Span.OUT, COLOURS * rules["guests_each"] - game["bag_size"])


@kernel
def move_guest(game, rules, work, seat, colour, a, b, door):
    """One guest from room a to room b; `door`: the door token (16 seat + piece) that it goes through, NONE."""
    game["guests"][a, colour] -= 1
    game["crowd"][a] -= 1
    game["guests"][b, colour] += 1
    game["crowd"][b] += 1
    log(game, work, Event.GUEST, seat, colour, a, b)
    count_peak(game, Span.GUESTS, game["crowd"][b])
    ctx = with_colour(with_room(0, b), colour)
    if game["listens"][When.GUEST_ENTERS] != 0:
        fire_at(game, rules, When.GUEST_ENTERS, b, NONE, ctx)
    if door != NONE:
        fire_door(game, rules, door, b, ctx)


@kernel
def choose_guest(game, rules, work, seat, room, may):
    """Colour of a guest in a room, the seat's choice; NONE: there is none, or it stops."""
    n = 0
    for colour in range(COLOURS):  # each is written, and kept if it is there: no branch to foretell
        game["option"][n] = make_option(Option.GUEST, colour, room)
        n += np.int64(game["guests"][room, colour] > 0)
    game["options"] = n
    if n == 0:
        return NONE
    if may == 1:
        offer(game, make_option(Option.PASS, 0, 0))
    option = ask(game, rules, work, seat, Decision.GUEST, room)
    if option_kind(option) == Option.PASS:
        return NONE
    return option_a(option)


@inline
def door_tokens(game, rules, seat, owner):
    """Kind of the owner's tokens that are doors for the seat; NONE."""
    kit = game["kit"][owner]
    if owner != seat and rules["doors_for_all"][kit] == 0:
        return NONE
    return rules["door_kind"][kit]


@inline
def beyond(game, owner, piece, room):
    """The room to which a door token leads from a room; NONE."""
    at = game["piece_at"][owner, piece] - BETWEEN
    if at >= 0 and at >> 4 == room:
        return at & 15
    if at >= 0 and at & 15 == room:
        return at >> 4
    return NONE


@kernel
def door_between(game, rules, seat, a, b):
    """The first door token between two rooms that the seat may use; NONE."""
    if (game["own_joins"][seat, a] >> b) & 1 == 0:
        return NONE
    for owner in range(game["seats"]):
        kind = door_tokens(game, rules, seat, owner)
        if kind != NONE:
            first = rules["kind_first"][game["kit"][owner], kind]
            for piece in range(first, first + rules["kind_count"][game["kit"][owner], kind]):
                if beyond(game, owner, piece, a) == b:
                    return 16 * owner + piece
    return NONE


# --- spook ------------------------------------------------------------------------------------------------------------


@inline
def add_exit(game, to, door):
    """One more door to push a guest through."""
    n = game["exits"]
    if n < SPOOK_DOORS and bars(game, GUEST_ENTERS, to) == 0:
        game["exit_to"][n] = to
        game["exit_door"][n] = door
        game["exits"] = n + 1


@kernel
def list_exits(game, rules, seat, room):
    """The doors out of a room: printed ones clockwise from the top, tombs that lie there, the seat's door tokens."""
    game["exits"] = 0
    if bars(game, GUEST_LEAVES, room) == 1:
        return
    if room < rules["rooms"]:
        for k in range(rules["doors"][room]):
            add_exit(game, rules["door_to"][room, k], NONE)
    if rules["tomb_is_a_door"] == 1:
        tombs = game["joins"][room]
        if room < EXTRA:
            tombs &= ~((1 << EXTRA) - 1)
        for to in range(game["joins"].shape[0]):
            if (tombs >> to) & 1 == 1:
                add_exit(game, to, NONE)
    if game["own_joins"][seat, room] == 0:
        return
    for owner in range(game["seats"]):
        kind = door_tokens(game, rules, seat, owner)
        if kind != NONE:
            first = rules["kind_first"][game["kit"][owner], kind]
            for piece in range(first, first + rules["kind_count"][game["kit"][owner], kind]):
                to = beyond(game, owner, piece, room)
                if to != NONE:
                    add_exit(game, to, 16 * owner + piece)


@kernel
def choose_leaver(game, rules, work, seat, room, k):
    """Which guest leaves by the k-th door: its colour, NONE: none (fewer guests than doors are left)."""
    n = 0
    to = game["exit_to"][k]
    for colour in range(COLOURS):
        game["option"][n] = make_option(Option.LEAVE, colour, to)
        n += np.int64(game["guests"][room, colour] > 0)
    game["option"][n] = make_option(Option.PASS, 0, to)
    game["options"] = n + np.int64(game["crowd"][room] < game["exits"] - k)
    option = ask(game, rules, work, seat, Decision.LEAVE, room)
    if option_kind(option) == Option.PASS:
        return NONE
    return option_a(option)


@kernel
def spook(game, rules, work, seat, room):
    """For each door a guest goes out of it into the room behind; 1 point for each (rulebook, Spook)."""
    list_exits(game, rules, seat, room)
    exits = game["exits"]
    if room < rules["rooms"] and rules["doors"][room] < rules["printed_doors"][room]:
        game["tally"][Ledger.LOCKED_DOOR] += 1
    if game["crowd"][room] < exits:
        game["tally"][Ledger.SPOOK_FEWER] += 1
    moved = 0
    for k in range(exits):
        if game["crowd"][room] == 0:
            break
        colour = choose_leaver(game, rules, work, seat, room, k)
        if colour != NONE:
            move_guest(game, rules, work, seat, colour, room, game["exit_to"][k], game["exit_door"][k])
            moved += 1
    log(game, work, Event.SPOOK, seat, room, moved, 0)
    if moved == 0:
        game["tally"][Ledger.SPOOK_NOTHING] += 1
        return
    if seat >= rules["bot"]:
        game["tally"][Tally.SPOOKED] += moved
    if seat == game["active"]:
        game["spooked"] += moved
    fire(game, rules, seat, When.SPOOKED, with_room(0, room))
    change_points(game, rules, work, seat, moved, Points.SPOOK)


# --- devour -----------------------------------------------------------------------------------------------------------


@kernel
def refill_room(game, rules, work, seat):
    """The room with the fewest figures (guests and monsters), the seat's choice among several; NONE."""
    fewest = np.int64(100000)
    game["options"] = 0
    for room in range(rules["rooms"]):
        if (rules["open"] >> room) & 1 == 1 and bars(game, GUEST_ADDED, room) == 0:
            n = game["crowd"][room] + game["figures"][room]
            if n < fewest:
                fewest = n
                game["options"] = 0
            if n == fewest:
                offer(game, make_option(Option.ROOM, room, 0))
    if game["options"] == 0:
        return NONE
    if game["options"] > 1:
        game["tally"][Ledger.REFILL_TIE] += 1
    return option_a(ask(game, rules, work, seat, Decision.REFILL, NONE))


@inline
def set_complete(game, seat):
    """1 if the devour pile has a guest of each colour."""
    for colour in range(COLOURS):
        if game["pile"][seat, colour] == 0:
            return 0
    return 1


@kernel
def turn_in_set(game, rules, work, seat, own):
    """A set goes back to the bag for a ticket, or 5 points; then 3 guests come to the emptiest room [P4]."""
    left = rules["tickets"] - game["taken"]
    log(game, work, Event.SET, seat, left, 0, 0)
    for colour in range(COLOURS):
        game["pile"][seat, colour] -= 1
        game["bag"][colour] += 1
    game["bag_size"] += COLOURS
    if seat >= rules["bot"]:
        game["tally"][Tally.SETS] += 1
        game["tally"][Tally.MONSTER_TICKETS + game["kit"][seat]] += np.int64(left > 0)
    if left > 0:
        game["taker"][game["taken"]] = seat
        game["taken"] += 1
        game["tickets"][seat] += 1
        log(game, work, Event.TICKET, seat, game["tickets"][seat], 0, 0)
        if left == 1:
            trigger_end(game, work, seat, 1)
    else:
        game["tally"][Ledger.CONSOLATION] += 1
        change_points(game, rules, work, seat, rules["consolation"], Points.CONSOLATION)
    room = np.int64(NONE)
    if rules["refill"] > 0 and game["bag_size"] > 0:
        room = refill_room(game, rules, work, seat)
    if room != NONE:
        if room == own:
            game["tally"][Ledger.REFILL_HERE] += 1
        add_guests(game, rules, work, seat, room, rules["refill"], AFTER_SET)
    fire(game, rules, seat, When.SET, 0)


@kernel
def devour(game, rules, work, seat, room, colour):
    """One guest of a room onto the devour pile; a complete set is turned in at once."""
    game["guests"][room, colour] -= 1
    game["crowd"][room] -= 1
    game["pile"][seat, colour] += 1
    log(game, work, Event.DEVOUR, seat, colour, room, 0)
    if seat >= rules["bot"]:
        game["tally"][Tally.DEVOURED] += 1
    if seat == game["active"]:
        game["devoured"] += 1
    fire(game, rules, seat, When.DEVOUR, with_colour(with_room(0, room), colour))
    if set_complete(game, seat) == 1:
        turn_in_set(game, rules, work, seat, room)


@kernel
def devour_some(game, rules, work, seat, room, n, may):
    """Devour n times, one guest after the other, as many as there are."""
    for i in range(n):
        colour = choose_guest(game, rules, work, seat, room, may)
        if colour == NONE:
            return
        sets = game["bag_size"]
        devour(game, rules, work, seat, room, colour)
        if game["bag_size"] != sets and i + 1 < n:
            game["tally"][Ledger.SET_IN_CARD] += 1


@kernel
def consume(game, rules, work, seat, room):
    """One guest of each colour that is in the room now, red first [P4]."""
    present = 0
    for colour in range(COLOURS):
        present |= np.int64(game["guests"][room, colour] > 0) << colour
    for colour in range(COLOURS):
        if (present >> colour) & 1 == 1 and game["guests"][room, colour] > 0:
            sets = game["bag_size"]
            devour(game, rules, work, seat, room, colour)
            if game["bag_size"] != sets and present >> (colour + 1) != 0:
                game["tally"][Ledger.SET_IN_CARD] += 1


# --- passengers -------------------------------------------------------------------------------------------------------


@kernel
def take_guests(game, rules, work, seat, room, n, may):
    """Guests of a room become passengers."""
    for _ in range(n):
        colour = choose_guest(game, rules, work, seat, room, may)
        if colour == NONE:
            return
        game["guests"][room, colour] -= 1
        game["crowd"][room] -= 1
        game["held"][seat, colour] += 1
        log(game, work, Event.TAKE, seat, colour, room, 0)
        aboard = 0
        for c in range(COLOURS):
            aboard += game["held"][seat, c]
        count_peak(game, Span.PASSENGERS, aboard)


@kernel
def drop_guests(game, rules, work, seat, room, n):
    """Passengers get off in a room: which ones is the seat's choice."""
    for _ in range(n):
        game["options"] = 0
        for colour in range(COLOURS):
            if game["held"][seat, colour] > 0:
                offer(game, make_option(Option.GUEST, colour, room))
        if game["options"] == 0 or bars(game, GUEST_ADDED, room) == 1:
            return
        colour = option_a(ask(game, rules, work, seat, Decision.GUEST, room))
        game["held"][seat, colour] -= 1
        game["guests"][room, colour] += 1
        game["crowd"][room] += 1
        log(game, work, Event.DROP, seat, colour, room, 0)


@kernel
def move_guests(game, rules, work, seat, a, b, n, may):
    """Guests from one room to another by an effect."""
    door = door_between(game, rules, seat, a, b)
    for _ in range(min(n, game["crowd"][a])):
        colour = choose_guest(game, rules, work, seat, a, may)
        if colour == NONE:
            return
        move_guest(game, rules, work, seat, colour, a, b, door)
