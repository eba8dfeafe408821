"""Detective: weighs every search against its doom, and works out from all plays so far where the Lost Kid is.

(a) A belief over the buildings, by Bayes' rule, from a presumed way of choosing clues (``belief.py``).

(b) Positions: who stands in danger goes first; a Kid ends where the monster and the Feds hardly reach it, and not where
another is, unless its turn does not follow the common plan.

(c) A search as a price: the symbol or item against the threat of its card, the escape in its place; symbols go to
whoever can pay; items avert what is about to strike (``reacting.py``, ``pooling.py``).

Source: the rules and claims C6, D1 and D5; weights tuned by a seeded random search with the usual Lost Kid.
"""

from simcore.game import Strategy, Weight
from simcore.games.snallygaster.kernel import kernel, option_a
from simcore.play import weight
from strategies.snallygaster.belief import KEPT, note_own_token, update_belief
from strategies.snallygaster.clueing import is_lost_kids, usual_lost_kid
from strategies.snallygaster.moving import D_BUILDING, D_WHEEL, D_WINDOW, kid_answer
from strategies.snallygaster.reacting import react
from strategies.snallygaster.sight import BY_BELIEF, HIT_FAR, USE_ITEM, VALUE_COUNT, VALUES

CLUE, COVER, LEFT, TOKEN = 20, 21, 22, 23
FAR_SHARE = 0.25  # of the danger a district away, two away


@kernel
def play(game, rules, work, seat, decision):
    """The answer that is worth most, by all that is known."""
    if is_lost_kids(game, seat, decision) == 1:
        return usual_lost_kid(game, rules, work, seat, decision)
    if decision == D_WINDOW:
        work["score"][VALUES + USE_ITEM] = weight(game, rules, seat, USE_ITEM)
        return react(game, rules, work, seat)
    entry = game["entry"][seat]
    for k in range(VALUE_COUNT):
        work["score"][VALUES + k] = rules["weight"][entry, k]
    work["score"][VALUES + HIT_FAR] = FAR_SHARE
    work["score"][VALUES + BY_BELIEF] = 0.0
    if seat == 0 or game["rescued"] == 1:
        return kid_answer(game, rules, work, seat, decision)
    work["score"][VALUES + BY_BELIEF] = 1.0
    if decision == D_WHEEL or decision == D_BUILDING or game["memory"][seat, KEPT] != 1:
        update_belief(
            game,
            rules,
            work,
            seat,
            weight(game, rules, seat, CLUE),
            weight(game, rules, seat, COVER),
            weight(game, rules, seat, LEFT),
            weight(game, rules, seat, TOKEN),
        )
    index = kid_answer(game, rules, work, seat, decision)
    if decision == D_BUILDING:
        note_own_token(game, seat, option_a(game["option"][index]))
    return index


STRATEGY = Strategy(
    name="detective",
    idea="Reads all clues by Bayes' rule, and weighs every search and every place against its doom.",
    source="the rules; claims C6, D1, D5",
    policy=play,
    weights=(
        Weight("goal", 2.52, "worth of a part of the open goal done, in doom", 0.0, 20.0),
        Weight("symbol", 1.2, "worth of a symbol that the open goal needs", 0.0, 10.0),
        Weight("later", 0.7, "share of it that a later goal's symbol has", 0.0, 2.0),
        Weight("item", 0.34, "worth of an item", 0.0, 5.0),
        Weight("rescue", 1.67, "worth of the rescue", 0.0, 30.0),
        Weight("home", 0.12, "worth of a treehouse's search in itself", -2.0, 10.0),
        Weight("refresh", 0.01, "worth of a wheel turned up, for each step", 0.0, 1.0),
        Weight("risk", 1.0, "cost of a doom to be expected", 0.0, 20.0),
        Weight("hit_here", 0.4, "chance of a hit in the monster's district", 0.0, 1.0),
        Weight("hit_near", 0.35, "chance of a hit a district away", 0.0, 1.0),
        Weight("patience", 0.85, "what a turn's delay leaves of the worth of a goal", 0.0, 1.0),
        Weight("fed_next", 0.85, "chance to be caught where the next step of a Fed leads", 0.0, 1.0),
        Weight("fed_later", 0.3, "chance to be caught where the step after leads", 0.0, 1.0),
        Weight("delay", 0.375, "what a turn's delay leaves of a worth", 0.0, 1.0),
        Weight("nobody", 0.15, "doom of leaving the monster nobody to chase", 0.0, 3.0),
        Weight("pool", 2.94, "worth of bringing symbols together that pay for a part", 0.0, 10.0),
        Weight("spread", 0.6, "share of a worth left where another Kid is nearer", 0.0, 1.0),
        Weight("use_item", 0.72, "doom that an item must avert to be used", 0.0, 3.0),
        Weight("bystander", 0.2, "worth of a bystander", 0.0, 5.0),
        Weight("ride_on", 0.07, "worth of a step nearer to where it goes", 0.0, 2.0),
        Weight("presumed_clue", 0.7, "how much the Lost Kid is thought to play for clues", 0.0, 2.0),
        Weight("presumed_cover", 0.84, "how much it is thought to cover what misleads", 0.0, 1.0),
        Weight("presumed_left", 0.3, "how much it is thought to leave in view what helps", 0.0, 1.0),
        Weight("presumed_token", 0.7, "how surely it is thought to put a token of its choice where it is", 0.0, 1.0),
    ),
)
