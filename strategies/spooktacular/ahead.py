"""The machine of all strategies that look ahead: options that matter are played on, and what they lead to is judged.

At a decision each option gets a score by rule of thumb (``quick.py``); the most promising ones are played to the end of
the turn, with quick answers for what follows, and the one with the best end (``worth.py``) is taken. Not played on is
what cannot matter: equal options, questions of detail (which guest leaves, which of equal rooms) unless the strategy
looks at them too, and what the rule of thumb is sure of. A strategy is a set of weights for this.
"""

from simcore.game import Weight
from simcore.games.spooktacular.kernel import kernel
from simcore.play import play_on, weight
from strategies.spooktacular.quick import CARD, DISCARD, GUEST, LEAVE, LOAD, OTHERWISE, REFILL, SLOT, rate
from strategies.spooktacular.worth import BREADTH, FINE, ROOM, SAMPLES, SURE, TRIES, judge

DETAILS = (1 << LEAVE) | (1 << GUEST) | (1 << REFILL) | (1 << SLOT) | (1 << DISCARD)
CARDS = (1 << CARD) | (1 << LOAD) | (1 << DISCARD)
BASIS = 1_000_000.0  # added to the scores of options that have been played on
TIE = 0.001  # of the rule of thumb, among equals
SAME = -100_000.0  # the score of an option that is another one's twin

FIELDS = (
    ("samples", 1.0, "times that an option is played on, dealt anew, if guests come out of the bag", 1.0, 64.0),
    ("breadth", 3.0, "options that are played on at a decision, the most promising first", 1.0, 96.0),
    ("sure", 1.2, "points by which the rule of thumb must prefer an option to take it unplayed", 0.0, 1000.0),
    ("fine", 0.0, "1: details are played on too (which guest leaves or is eaten, where a set's guests come)", 0.0, 1.0),
    ("ticket", 1.0, "worth of a ticket, in its expected points", 0.0, 10.0),
    ("colour", 1.0, "worth of a colour on the pile, in fifths of a set", 0.0, 10.0),
    ("spare", 0.4, "worth of a guest of a colour that is there already, in first ones", 0.0, 2.0),
    ("leader", 0.0, "cost of a point of the best other player", 0.0, 10.0),
    ("others", 0.0, "cost of a point of the other players on average", 0.0, 10.0),
    ("win", 0.0, "points between a win and a loss", 0.0, 1000.0),
    ("room", 0.0, "share of what the own rooms offer that is left in the next turn", 0.0, 5.0),
    ("near", 0.6, "what a room next door offers, in one where one stands", 0.0, 2.0),
    ("deny", 0.0, "cost of what the others' rooms offer them", 0.0, 5.0),
    ("card", 0.0, "worth of a card in the hand", 0.0, 5.0),
    ("token", 0.0, "worth of an own token or further figure in play", -2.0, 5.0),
    ("passenger", 0.0, "worth of a passenger", 0.0, 5.0),
    ("pace", 5.0, "points that a player is thought to make in a last turn", 0.0, 30.0),
    ("spread", 8.0, "points of lead at which a win counts as certain in the last round", 0.5, 50.0),
    ("tries", 1.0, "ways to go on that are tried: the rules of thumb, then the second best at one question", 1.0, 16.0),
    ("urgency", 0.0, "how much more the best other player counts as it nears the target", 0.0, 10.0),
    ("patience", 0.1, "chance to win that is thought to be left while the end is not triggered", 0.0, 1.0),
    ("program", 0.0, "worth of the cards of a program, in what they will bring", 0.0, 5.0),
)


def weights(**defaults: float) -> tuple[Weight, ...]:
    """The weights of a strategy: the common fields with its own defaults."""
    unknown = set(defaults) - {name for name, *_ in FIELDS}
    if unknown:
        raise ValueError(f"no such weight: {', '.join(sorted(unknown))}")
    return tuple(Weight(name, defaults.get(name, usual), says, low, high) for name, usual, says, low, high in FIELDS)


@kernel
def mark_twins(game, work, decision):
    """Cards that are there twice are played on once."""
    if (CARDS >> decision) & 1 == 0:
        return
    for i in range(1, game["options"]):
        for j in range(i):
            if (game["option"][j] ^ game["option"][i]) & 65535 == 0:
                work["score"][i] = SAME


@kernel
def second_score(game, work, best):
    """The second best score."""
    second = SAME
    for i in range(game["options"]):
        if i != best:
            second = max(second, work["score"][i])
    return second


@kernel
def try_option(game, rules, work, seat, i, samples, tries):
    """Mean worth of the end of this turn after option i: over the deals, the best of what can follow in each.

    Where no guest comes out of the bag or goes back, one deal is as good as several.
    """
    total = 0.0
    deals = 0
    for sample in range(samples):
        most = -BASIS
        for other in range(tries):
            work["score"][OTHERWISE] = other
            play_on(game, rules, work, seat, i, sample)
            most = max(most, judge(work["scratch"], rules, seat))
            if other > 0 and work["score"][OTHERWISE] > 0.0:  # no such question came
                break
        total += most
        deals += 1
        if work["scratch"]["bag_size"] == game["bag_size"]:
            break
    return total / max(deals, 1)


@kernel
def choose(game, rules, work, seat, decision):
    """Index of the option with the best end of turn."""
    best = rate(game, rules, work, seat, decision)
    mark_twins(game, work, decision)
    work["scores"] = game["options"]
    if (DETAILS >> decision) & 1 == 1 and weight(game, rules, seat, FINE) == 0.0:
        return best
    if game["setting_up"] > 0 and weight(game, rules, seat, ROOM) == 0.0:  # nothing to be had yet
        return best
    second = second_score(game, work, best)
    if second == SAME or work["score"][best] - second > weight(game, rules, seat, SURE):
        return best
    samples = int(weight(game, rules, seat, SAMPLES))
    tries = int(weight(game, rules, seat, TRIES))
    if (DETAILS >> decision) & 1 == 1:
        tries = 1
    thorough = weight(game, rules, seat, FINE)
    breadth = min(int(weight(game, rules, seat, BREADTH)), game["options"])
    lowest = BASIS
    first = 0.0
    for n in range(breadth):
        i = -1
        for j in range(game["options"]):
            score = work["score"][j]
            if score < 0.5 * BASIS and score > SAME and (i < 0 or score > work["score"][i]):
                i = j
        if i < 0:
            break
        worth = try_option(game, rules, work, seat, i, samples, tries)
        if n == 0:
            first = worth
        alike = n == 1 and worth == first
        worth += TIE * work["score"][i]
        lowest = min(lowest, worth)
        work["score"][i] = BASIS + worth
        if alike and thorough == 0.0:  # the two most promising lead to the same: the question matters little
            break
    best = 0
    for i in range(game["options"]):
        if work["score"][i] >= 0.5 * BASIS:
            work["score"][i] -= BASIS
        else:
            work["score"][i] = lowest - 1.0
        if work["score"][i] > work["score"][best]:
            best = i
    return best
