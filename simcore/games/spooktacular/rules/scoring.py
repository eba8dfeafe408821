"""Points, and what ends the game (rulebook, Gameplay and Game End; P5)."""

from simcore.games.spooktacular.kernel import kernel, with_who
from simcore.games.spooktacular.layout import POINTS, Event, Ledger, Points, Tally, When
from simcore.games.spooktacular.rules.triggers import fire, fire_passed
from simcore.play import log


@kernel
def trigger_end(game, work, seat, why):
    """This round is the last. why: 0 points, 1 no ticket left."""
    if game["last_round"] == 1:
        return
    game["last_round"] = 1
    game["trigger_seat"] = seat
    if seat != game["active"]:
        game["tally"][Ledger.OTHERS_TURN] += 1
    game["tally"][Tally.BY_POINTS] = 1 - why
    game["tally"][Tally.BY_TICKETS] = why
    log(game, work, Event.LAST_ROUND, seat, why, 0, 0)


@kernel
def change_points(game, rules, work, seat, amount, kind):
    """A seat gains points (amount below 0: loses them, never below 0); the change."""
    before = game["points"][seat]
    after = max(before + amount, 0)
    change = after - before
    if change == 0:
        return 0
    game["points"][seat] = after
    if seat >= rules["bot"]:
        game["tally"][Tally.POINTS + kind] += abs(change)
        game["tally"][Tally.MONSTER_POINTS + POINTS * game["kit"][seat] + kind] += abs(change)
    log(game, work, Event.POINTS, seat, change, kind, after)
    if after >= rules["target_score"]:
        trigger_end(game, work, seat, 0)
    if change > 0 and game["listens"][When.PASSES] & ~(1 << seat) != 0:
        fire_passed(game, rules, seat, before, after)
    return change


@kernel
def steal(game, rules, work, seat, other, amount):
    """Take points from another player, as many as there are (rulebook, FAQ)."""
    taken = min(amount, game["points"][other])
    if taken < amount:
        game["tally"][Ledger.STEAL_SHORT] += 1
    if taken <= 0 or other == seat:
        return
    change_points(game, rules, work, other, -taken, Points.STOLEN)
    change_points(game, rules, work, seat, taken, Points.THEFT)
    if seat >= rules["bot"]:
        game["tally"][Tally.MOVED_POINTS] += taken
    fire(game, rules, other, When.ROBBED, with_who(0, seat))
