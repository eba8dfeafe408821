"""Look-ahead: tries each option one turn ahead, by playing the rest of the turn again from the decision.

Source: flat one-ply Monte Carlo search (as in C7's "one-ply search"). Each option is played on `samples` times with
all that the seat cannot see dealt anew; random play finishes the turn. It proves the seam for any decision, deep
inside an effect too, and is slow. It judges a turn's end by the win share: the true one if the game is over, else
guessed from gear and from who stands exposed.
"""

from simcore import records
from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel
from simcore.play import play_on, weight
from strategies.snowball.manners import KID, usual_answer
from strategies.snowball.sight import best_option, gap

PLAYING = int(records.Status.PLAYING)
SIXTIETHS = records.SIXTIETHS
SAMPLES, OWN_GEAR, EXPOSED, LEADER = range(4)
LEAST = 0.1  # of a player who is still in


@kernel
def exposure(game, player):
    """How exposed a player stands: 1 if any snowball hits, 0 if none alone can."""
    missing = gap(game, player)
    if missing <= 1:
        return 1.0
    if missing > 8:
        return 0.0
    return (9.0 - missing) / 8.0


@kernel
def judge(game, rules, work, seat):
    """Win share of `seat` in the scratch game: the true one if it is over, else guessed from gear and exposure."""
    trial = work["scratch"]
    if trial["status"] != PLAYING:
        return trial["share"][seat] / SIXTIETHS
    if trial["gear"][seat] == 0:
        return 0.0
    own = 0.0
    others = 0.0
    most = 0.0
    for player in range(trial["seats"]):
        if trial["gear"][player] > 0:
            solid = trial["gear"][player] - weight(game, rules, seat, EXPOSED) * exposure(trial, player)
            if player == seat:
                own = max(solid, LEAST)
            else:
                others += max(solid, LEAST)
                most = max(most, solid)
    own *= weight(game, rules, seat, OWN_GEAR)
    return own / (own + others + weight(game, rules, seat, LEADER) * most)


@kernel
def play(game, rules, work, seat, decision):
    """The option with the best average one turn ahead."""
    if decision == KID:  # set-up: there is no turn to play on
        return usual_answer(game, rules, work, seat, decision)
    samples = int(weight(game, rules, seat, SAMPLES))
    options = game["options"]
    for i in range(options):
        total = 0.0
        for sample in range(samples):
            play_on(game, rules, work, seat, i, sample)
            total += judge(game, rules, work, seat)
        work["score"][i] = total / samples
    return best_option(game, work)


STRATEGY = Strategy(
    name="lookahead",
    idea="Plays each option to the end of the turn several times and takes the best; slow.",
    source="flat one-ply Monte Carlo search",
    policy=play,
    weights=(
        Weight("samples", 4.0, "times that each option is played on", 1.0, 256.0),
        Weight("own_gear", 1.0, "worth of an own gear, in gears of another's", 0.1, 10.0),
        Weight("exposed", 0.7, "gear that standing fully exposed costs", 0.0, 3.0),
        Weight("leader", 0.3, "cost of a gear of the strongest other player, in addition", 0.0, 10.0),
    ),
    looks_ahead=True,
)
