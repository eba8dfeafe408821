"""The agenda: effects that wait, on a bounded stack, so that chains of cards never recurse."""

from simcore.games.snowball.kernel import inline, kernel
from simcore.games.snowball.layout import AGENDA
from simcore.play import ENDLESS, fail


@inline
def push(game, step, seat, pc, end, source):
    """Put a step on top of the agenda: it is done before all that waits already."""
    n = game["agenda_size"]
    if n >= AGENDA:
        fail(game, ENDLESS, seat)
        return
    game["agenda_step"][n] = step
    game["agenda_seat"][n] = seat
    game["agenda_pc"][n] = pc
    game["agenda_end"][n] = end
    game["agenda_source"][n] = source
    game["agenda_size"] = n + 1
