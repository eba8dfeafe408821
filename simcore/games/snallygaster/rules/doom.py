"""The doom track, and the way to the nearest treehouse (rulebook, End of the Game, Monster Attacks; L12, L16, L24)."""

from simcore.games.snallygaster.kernel import kernel, make_option, option_a
from simcore.games.snallygaster.layout import Ability, Decision, Event, Ledger, Option, Source, Status, Tally
from simcore.play import decide, log, offer


@kernel
def add_doom(game, rules, work, amount, source):
    """Move the doom marker forward; at the end of the track all Kids lose."""
    if amount <= 0 or game["status"] != Status.PLAYING:
        return
    left = rules["doom_length"] - game["doom"]
    if amount > left:
        amount = left
    game["doom"] += amount
    game["tally"][Tally.DOOM + source] += amount
    game["tally"][Tally.DOOM_ALL] += amount
    if source == Source.ICON or source == Source.CANNOT_MOVE or source == Source.PATROL or source == Source.NEW_HAND:
        game["tally"][Tally.BEYOND] += amount
    game["last_doom_round"] = game["round"]
    log(game, work, Event.DOOM, game["active"], amount, game["doom"], source)
    if game["doom"] >= rules["doom_length"]:
        game["status"] = Status.LOST


@kernel
def refresh_wheels(game, rules, work, seat):
    """All own wheel tokens number side up, and a ride's reuse."""
    game["wheels_up"][seat] = game["wheels"][seat]
    game["reused"][seat] = 0
    log(game, work, Event.REFRESH, seat, 0, 0, 0)


@kernel
def refresh_items(game, rules, work, seat):
    """All own items face up; a powered card comes up otherwise [L18]."""
    game["item_up"] |= game["items"][seat] & ~rules["powered_bits"]
    log(game, work, Event.REFRESH, seat, 1, 0, 0)


@kernel
def nearest_treehouse(game, rules, work, seat):
    """The nearest treehouse, the Lost Kid's choice among several [L16]."""
    bits = rules["nearest_treehouses"][game["space"][seat]]
    if bits & (bits - 1) != 0:
        game["tally"][Ledger.TREEHOUSE_TIE] += 1
    game["options"] = 0
    for treehouse in range(rules["treehouses"]):
        if (bits >> treehouse) & 1:
            offer(game, make_option(Option.TREEHOUSE, treehouse, 0, 0))
    return option_a(decide(game, rules, work, 0, Decision.TREEHOUSE))


@kernel
def send(game, rules, work, seat, space, tree):
    """Put a Kid who was hit or caught on a space."""
    game["space"][seat] = space
    game["tally"][Tally.TREEHOUSE_SENT] += 1
    log(game, work, Event.SENT, seat, space, tree, 0)
    if seat == game["active"]:
        game["sent"] = 1
        if game["moving"] == 1 and rules["hit_ends_move"] == 1:
            game["tally"][Ledger.MOVE_CUT] += 1
    if tree == 0 and rules["sent_refreshes"] == 1:
        if seat != 0:
            refresh_wheels(game, rules, work, seat)
        refresh_items(game, rules, work, seat)
        game["item_up"] |= game["items"][seat]


@kernel
def send_home(game, rules, work, seat):
    """To the nearest treehouse: safe there, but not searched [L12]."""
    treehouse = nearest_treehouse(game, rules, work, seat)
    send(game, rules, work, seat, rules["treehouse_space"][treehouse], 0)


@kernel
def may_stop_on_feds(game, rules, seat):
    """1 if the seat may end a movement on a space that a Fed overlaps."""
    ability = game["abilities"] if seat == game["active"] else 0
    if game["ride"][seat] >= 0:
        ability |= rules["ride_ability"][game["ride"][seat]]
    return (ability & Ability.STOP_ON_FEDS) != 0
