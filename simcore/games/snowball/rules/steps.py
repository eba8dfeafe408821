"""The agenda: effects that wait, on a bounded stack, so that chains of cards never recurse."""

from simcore.games.snowball.kernel import inline
from simcore.games.snowball.layout import AGENDA
from simcore.play import ENDLESS, fail


@inline
def push(game, step, seat, pc, end, source):
    """Put a step on top of the agenda: it is done before all that waits already."""
    n = game["agenda_size"]
    if n >= AGENDA:
        fail(game, ENDLESS, seat)
        return
    game["agenda"][n] = step + 16 * seat + 256 * source + 4096 * pc + 16777216 * end
    game["agenda_size"] = n + 1
