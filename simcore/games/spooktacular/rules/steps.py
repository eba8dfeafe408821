"""The agenda: effects that wait, on a bounded stack, so that chains of cards and triggers never recurse."""

from simcore.games.spooktacular.kernel import inline
from simcore.games.spooktacular.layout import AGENDA, STEPS, Step


@inline
def push(game, step, seat, source, pc, end, ctx):
    """Put a step on top of the agenda: it is done before all that waits already. A full agenda is a runaway chain."""
    n = game["agenda_size"]
    if n >= AGENDA:
        game["effects"] = STEPS
        return
    game["agenda"][n] = step + 16 * seat + 256 * source + 4096 * pc + 268435456 * end
    game["context"][n] = ctx
    game["agenda_size"] = n + 1


@inline
def push_rows(game, seat, source, start, end, ctx):
    """The same for the rows of an effect, if there are any."""
    if start < end:
        push(game, Step.EFFECT, seat, source, start, end, ctx)
