"""The Feds' patrols: intersection by intersection, whom they touch, the full round (rulebook, Moving the Feds; L7)."""

import numpy as np

from simcore.games.snallygaster.kernel import exposed, kernel
from simcore.games.snallygaster.layout import Event, Ledger, Source, Status, Step, Tally, Window
from simcore.games.snallygaster.rules.doom import add_doom, send_home
from simcore.games.snallygaster.rules.steps import push
from simcore.games.snallygaster.rules.windows import open_window
from simcore.play import log


@kernel
def feds_step(game, rules, fed, left, source):
    """A Fed has so many intersections to drive: one now, after the window for items, and then the others."""
    if left > 1:
        push(game, Step.FEDS, 0, source, fed, left - 1)
    if left > 0:
        push(game, Step.FED_DRIVES, 0, source, fed, 0)
        if matters(game, rules, fed):
            open_window(game, rules, Window.FEDS, source)


@kernel
def matters(game, rules, fed):
    """1 if the Fed's next intersection catches a Kid or ends its patrol: only then are items asked for [L14]."""
    leg = game["fed_at"][fed]
    if leg + 1 >= rules["stops"][fed]:
        return 1
    for seat in range(game["seats"]):
        if exposed(game, rules, seat) and rules["leg_touch"][fed, leg, game["space"][seat]] == 1:
            return 1
    return 0


@kernel
def drive(game, rules, work, fed, source):
    """One intersection: every Kid whose space the Fed touches is caught; back at the start, the patrol is full."""
    if game["feds_held"] > 0:
        game["feds_held"] -= 1
        game["dodging"] = 0
        log(game, work, Event.HELD, game["active"], fed, 0, 0)
        return
    if game["searched"] > 0:
        game["threatened"] = 1
    leg = game["fed_at"][fed]
    stop = leg + 1
    if stop >= rules["stops"][fed]:
        stop = np.int64(0)
    game["fed_at"][fed] = stop
    log(game, work, Event.FED, game["active"], fed, stop, 0)
    caught = 0
    for seat in range(game["seats"]):
        if exposed(game, rules, seat) and rules["leg_touch"][fed, leg, game["space"][seat]] == 1:
            caught |= 1 << seat
    if caught != 0:
        for seat in range(game["seats"]):
            if (caught >> seat) & 1 and game["status"] == Status.PLAYING:
                if (game["dodging"] >> seat) & 1:
                    log(game, work, Event.DODGED, seat, 0, 0, 0)
                    continue
                game["tally"][Tally.CATCHES] += 1
                if source == Source.ATTACK:
                    game["tally"][Ledger.FLIGHT_CAUGHT] += 1
                log(game, work, Event.CAUGHT, seat, fed, 0, 0)
                add_doom(game, rules, work, 1, Source.CAUGHT)
                if game["status"] == Status.PLAYING:
                    send_home(game, rules, work, seat)
    game["dodging"] = 0
    if stop == 0:
        game["tally"][Ledger.PATROL] += 1
        add_doom(game, rules, work, 1, Source.PATROL)
