"""Dover Demon: fixed on one Kid, whom it chases at double speed; stopped by searchlights (estimated; L36)."""

from simcore.games.snallygaster.kernel import exposed, kernel
from simcore.games.snallygaster.layout import NONE, Event, Mechanics
from simcore.play import log


@kernel
def fix_on(game, rules, work, seat):
    """The demon is fixed on a Kid: the first who is placed, then whoever it hit last."""
    if rules["mechanics"] == Mechanics.FIXATION and game["fixed_on"] != seat:
        game["fixed_on"] = seat
        log(game, work, Event.FIXED, seat, 0, 0, 0)


@kernel
def chased_alone(game, rules):
    """The seat that the demon goes for at double speed; NONE where it is fixed on nobody who can be chased."""
    seat = game["fixed_on"]
    if rules["mechanics"] != Mechanics.FIXATION or seat == NONE or exposed(game, rules, seat) == 0:
        return NONE
    return seat
