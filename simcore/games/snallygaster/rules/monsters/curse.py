"""Jersey Devil: whoever it hits gets a curse token; each takes a step off every wheel (estimated; L34)."""

from simcore.games.snallygaster.kernel import kernel
from simcore.games.snallygaster.layout import CURSES, CURSES_EACH, Event, Ledger, Span
from simcore.play import count_peak, log


@kernel
def add_curse(game, work, seat):
    """A curse token for a Kid, if the box has one and he has not two already."""
    if seat == 0 or game["curses_out"] >= CURSES or game["curses"][seat] >= CURSES_EACH:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    game["curses"][seat] += 1
    game["curses_out"] += 1
    count_peak(game, Span.CURSES, game["curses_out"])
    log(game, work, Event.CURSE, seat, game["curses"][seat], 0, 0)


@kernel
def lift_curses(game, work, seat):
    """All curse tokens of a Kid go back: a treehouse search, or a card."""
    if game["curses"][seat] > 0:
        game["curses_out"] -= game["curses"][seat]
        game["curses"][seat] = 0
        log(game, work, Event.CURSE, seat, 0, 0, 0)
