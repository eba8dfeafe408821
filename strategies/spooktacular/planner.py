"""Planner: the whole chain, what the next turn will find, the sets, the leader and the end.

The same machine as ``greedy`` with all of it in use: more options and the details played on, two ways to go on and two
deals where guests come out of the bag; what its rooms will still offer in the next turn, after the others' turns; sets
against spooks; what the best other player has, the more, the nearer he is to the target; and the end, which it triggers
when it is ahead with its tickets at their expected points, and leaves alone when it is not (so it does not pay a leader
and starves him). Source: one-turn search with an evaluation; weights from duels with ``greedy``.
"""

from simcore.game import Strategy
from simcore.games.spooktacular.kernel import kernel
from strategies.spooktacular.ahead import choose, weights
from strategies.spooktacular.quick import quick_but_once


@kernel
def play(game, rules, work, seat, decision):
    """The option that leads to the best position."""
    return choose(game, rules, work, seat, decision)


STRATEGY = Strategy(
    name="planner",
    idea="Weighs the whole turn, the next one, sets, the leader and the end of the game.",
    source="one-turn search with a position's worth; weights from duels with greedy",
    policy=play,
    weights=weights(
        samples=2.0,
        breadth=5.0,
        sure=8.0,
        fine=1.0,
        tries=2.0,
        leader=0.3,
        others=0.3,
        win=30.0,
        colour=0.85,
        near=0.3,
        room=0.4,
        deny=0.15,
        card=0.4,
        token=0.2,
        passenger=0.5,
        program=0.8,
        urgency=1.0,
    ),
    looks_ahead=True,
    follow_up=quick_but_once,
)
