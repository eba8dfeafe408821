"""The agenda: effects that wait, on a bounded stack, so that chains of cards never recurse."""

from simcore.games.snallygaster.kernel import inline
from simcore.games.snallygaster.layout import AGENDA, Step
from simcore.play import ENDLESS, fail


@inline
def push(game, step, seat, source, a, b):
    """Put a step on top of the agenda: it is done before all that waits already."""
    n = game["agenda_size"]
    if n >= AGENDA:
        fail(game, ENDLESS, seat)
        return
    game["agenda"][n] = step + 16 * seat + 256 * source + 4096 * a + 16777216 * b
    game["agenda_size"] = n + 1


@inline
def push_rows(game, seat, source, start, end):
    """The same for the rows of an effect, if there are any."""
    if start < end:
        push(game, Step.EFFECT, seat, source, start, end)
