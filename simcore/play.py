"""What the kernels of every game share: asking a player, looking ahead, tracing, counting.

``decide`` is the only place where a policy is asked: it applies the line-up's restrictions, takes forced answers (a
look-ahead, a script), checks the answer and logs it. ``play_on`` is how a policy looks ahead: the present turn is
played again in the scratch game, from its start or from where the game was kept since, with the answers since then and
one option forced; at the last forced answer everything that the seat cannot know is dealt anew (the game's ``redeal``),
so that a look-ahead never knows the future.
"""

import numpy as np

from simcore import records
from simcore.jit import call_policy, call_redeal, call_turn, copy_to_play_on, shared, shared_inline
from simcore.rng import GOLDEN, mix, open_streams, scale, value

u64 = np.uint64
ALL_KINDS = u64(0xFFFFFFFFFFFFFFFF)
ONE = u64(1)
NONE = records.NONE
TRACE, BINS = records.TRACE, records.BINS
PLAYING, ENDLESS, ILLEGAL = int(records.Status.PLAYING), int(records.Status.ENDLESS), int(records.Status.ILLEGAL)
ASKED, OPTION, ANSWER = records.ASKED, records.OPTION, records.ANSWER
MILLION = 1_000_000.0


@shared
def open_record(game, rules, work, number):
    """The shared fields of a game by its number: the streams' keys, nothing asked, counted or remembered yet."""
    game["number"] = number
    game["status"] = PLAYING
    game["seats"] = rules["seats"]
    game["winner"] = NONE
    game["silent"] = 0
    game["asked"] = 0
    game["answers"] = 0
    game["forced"] = 0
    game["fault_seat"] = NONE
    game["fault_decision"] = 0
    game["fault_answer"] = 0
    game["turn"] = 0
    game["round"] = 0
    work["script_next"] = 0
    open_streams(game, rules)
    for seat in range(rules["seats"]):
        game["share"][seat] = 0
        for i in range(game["memory"].shape[1]):
            game["memory"][seat, i] = 0
    for t in range(rules["tallies"]):
        game["tally"][t] = 0
    for s in range(game["span"].shape[0]):
        game["span"][s] = 0


@shared_inline
def sit_down(game, rules, seat, player):
    """A player of the line-up takes a seat: its policy is asked for it."""
    game["player"][seat] = player
    play_by(game, rules, seat, player)


@shared_inline
def play_by(game, rules, seat, entry):
    """An entry of the line-up decides for a seat: the player's own, or the one for what he plays as."""
    game["entry"][seat] = entry
    game["policy"][seat] = rules["policy"][entry]


@shared_inline
def log(game, work, event, seat, a, b, c):
    """Trace an event, if this game is traced; in line, for a call would cost as much untraced as the rule itself."""
    if work["tracing"] == 1:
        write_event(game, work, event, seat, a, b, c)


@shared
def write_event(game, work, event, seat, a, b, c):
    """Write a trace event; only counted before work["trace_first"], so that a long game is traced in pieces."""
    if game["silent"] == 0:
        i = work["traced"] - work["trace_first"]
        if 0 <= i < TRACE:
            work["trace"][i]["event"] = event
            work["trace"][i]["seat"] = seat
            work["trace"][i]["a"] = a
            work["trace"][i]["b"] = b
            work["trace"][i]["c"] = c
        work["traced"] += 1


@shared_inline
def fail(game, status, seat):
    """End the game as ENDLESS or ILLEGAL (the first fault counts)."""
    if game["status"] == PLAYING:
        game["status"] = status
        game["fault_seat"] = seat
        game["fault_decision"] = game["decision"]


@shared_inline
def offer(game, option):
    """Add an option to the present decision."""
    n = game["options"]
    if n < game["option"].shape[0]:
        game["option"][n] = option
        game["options"] = n + 1
    else:
        fail(game, ENDLESS, game["active"])


@shared
def restrict(game, mask):
    """Take the kinds of option that `mask` lacks away, unless nothing would be left."""
    kept = 0
    for i in range(game["options"]):
        if (mask >> u64(game["option"][i] & 15)) & ONE:
            kept += 1
    if kept == 0:
        return
    kept = 0
    for i in range(game["options"]):
        option = game["option"][i]
        if (mask >> u64(option & 15)) & ONE:
            game["option"][kept] = option
            kept += 1
    game["options"] = kept


@shared
def scripted_answer(game, rules, work):
    """Index of the option that the script names next; NONE if it is not on offer."""
    wanted = rules["script"][work["script_next"]]
    work["script_next"] += 1
    for i in range(game["options"]):
        if game["option"][i] == wanted:
            return i
    return NONE


@shared
def tell_options(game, work, seat, decision):
    """Trace, for `--why`, what a policy saw and what it thought of it."""
    log(game, work, ASKED, seat, decision, game["options"], 0)
    for i in range(game["options"]):
        scored = np.int64(i < work["scores"])
        thought = np.int64(0)
        if scored == 1:
            thought = np.int64(work["score"][i] * MILLION)
        log(game, work, OPTION, seat, game["option"][i], thought, scored)


@shared_inline
def ask(game, rules, work, seat, decision):
    """Index of the option that the script or the seat's policy takes, checked."""
    work["scores"] = 0
    if game["silent"] == 0 and work["script_next"] < rules["scripted"]:
        index = scripted_answer(game, rules, work)
    elif game["options"] == 1:
        index = np.int64(0)
    else:
        game["drawn"] = 0
        index = call_policy(game["policy"][seat], game, rules, work, seat, decision)
    if index < 0 or index >= game["options"]:
        if game["status"] == PLAYING:
            game["fault_answer"] = index
        fail(game, ILLEGAL, seat)
        index = np.int64(0)
    if work["why"] == 1:
        tell_options(game, work, seat, decision)
    return index


@shared
def decide(game, rules, work, seat, decision):
    """Ask `seat`: the option taken. The rule has written the legal options with `offer` (at least one)."""
    mask = rules["mask"][game["entry"][seat]]
    if mask != ALL_KINDS:
        restrict(game, mask)
    game["decision"] = decision
    game["asked"] += 1
    i = game["answers"]
    if i >= game["answer"].shape[0]:
        fail(game, ENDLESS, seat)
        return game["option"][0]
    if i < game["forced"]:
        index = game["answer"][i]
        if i == game["forced"] - 1:
            option = game["option"][index]
            call_redeal(rules["redeal"], game, rules, work, game["replay_seat"])
            game["answers"] = i + 1
            return option
    else:
        index = ask(game, rules, work, seat, decision)
        game["answer"][i] = index
    game["answers"] = i + 1
    option = game["option"][index]
    log(game, work, ANSWER, seat, decision, option, 0)
    return option


@shared
def play_on(game, rules, work, seat, index, sample):
    """Play the rest of this turn in work["scratch"] as if `seat` took option `index`; `sample` numbers the re-deals.

    For policies. All later answers come from the follow-up policy of the one who looks ahead. Afterwards
    work["scratch"] is the game at the end of the turn (its "status" says whether it ended). Needs looks_ahead in the
    strategy, so that turn starts are kept.
    """
    copy_to_play_on(work["scratch"], work["turn_start"])
    trial = work["scratch"]
    here = game["answers"]
    for i in range(game["options"]):  # the simple policies may write scores of their own
        work["kept_score"][i] = work["score"][i]
    for i in range(here):
        trial["answer"][i] = game["answer"][i]
    trial["answer"][here] = index
    trial["forced"] = here + 1
    trial["replay_seat"] = seat
    trial["replay_sample"] = sample
    trial["silent"] = 1
    for s in range(game["seats"]):
        trial["policy"][s] = rules["follow_up"][game["entry"][seat]]
    call_turn(rules["play_turn"], trial, rules, work)
    for i in range(game["options"]):
        work["score"][i] = work["kept_score"][i]
    return trial["status"]


@shared_inline
def own_stream(game, seat):
    """Number of the seat's own stream: the last streams are the seats'."""
    return game["key"].shape[0] - game["policy"].shape[0] + seat


@shared
def new_keys(game, seat):
    """Give every stream a new key, which tells nothing of the true one: from the own stream of `seat`, decision
    and sample."""
    salt = mix(u64(game["asked"]) * GOLDEN + u64(game["replay_sample"] + 1))
    own = mix(game["key"][own_stream(game, seat)] ^ salt)
    for stream in range(game["key"].shape[0]):
        game["key"][stream] = mix(own + u64(stream + 1) * GOLDEN)
        game["shuffles"][stream] = 0


@shared_inline
def random_below(game, rules, seat, n):
    """0..n-1 for a policy, from the seat's own stream, keyed by decision and draw."""
    counter = game["asked"] * 64 + game["drawn"]
    game["drawn"] += 1
    return scale(value(game["key"][own_stream(game, seat)], counter), n)


@shared_inline
def weight(game, rules, seat, k):
    """The k-th named weight of the strategy that plays for `seat`."""
    return rules["weight"][game["entry"][seat], k]


@shared_inline
def keep_turn_start(game, rules, work):
    """At the start of a turn: forget the last turn's answers, and remember the game if a policy looks ahead."""
    if game["silent"] == 0:
        game["answers"] = 0
        game["forced"] = 0
        if rules["looks_ahead"] == 1:
            copy_to_play_on(work["turn_start"], game)


@shared_inline
def keep_on(game, rules, work):
    """Amid a turn, where the record says all that is still to be done: look-aheads play on from here.

    Only after an answer, so that ``play_turn`` knows by the answers that it has to go on with a turn.
    """
    if rules["looks_ahead"] == 1 and game["silent"] == 0 and game["answers"] > work["turn_start"]["answers"]:
        if game["status"] == PLAYING:
            copy_to_play_on(work["turn_start"], game)


@shared_inline
def count_peak(game, span, x):
    """Raise a per-game number to `x` where it is lower."""
    game["span"][span] = max(game["span"][span], x)


@shared
def clear_block(rules, work):
    """Set the totals of a block to zero."""
    work["games"] = 0
    work["decisions"] = 0
    for t in range(rules["tallies"]):
        work["sum"][t] = 0
        work["square"][t] = 0
        work["fired"][t] = 0
    for p in range(rules["pairs"]):
        work["cross"][p] = 0
    for s in range(work["ended"].shape[0]):
        work["ended"][s] = 0
    for s in range(work["histogram"].shape[0]):
        for v in range(BINS):
            work["histogram"][s, v] = 0


@shared
def write_row(game, work, row):
    """What every game's outcome row says: number, how it ended, how long it was, and what went wrong."""
    work["outcome"][row]["number"] = game["number"]
    work["outcome"][row]["status"] = game["status"]
    work["outcome"][row]["turns"] = game["turn"]
    work["outcome"][row]["rounds"] = game["round"] + 1
    work["outcome"][row]["fault_player"] = NONE
    if game["fault_seat"] != NONE:
        work["outcome"][row]["fault_player"] = game["player"][game["fault_seat"]]
    work["outcome"][row]["fault_decision"] = game["fault_decision"]
    work["outcome"][row]["fault_answer"] = game["fault_answer"]


@shared
def count_game(game, rules, work):
    """Add a finished game to the totals of the block. A negative span means: not defined for this game."""
    work["games"] += 1
    work["decisions"] += game["asked"]
    work["ended"][game["status"]] += 1
    for t in range(rules["tallies"]):
        x = game["tally"][t]
        work["sum"][t] += x
        work["square"][t] += x * x
        work["fired"][t] += np.int64(x != 0)
    for p in range(rules["pairs"]):
        work["cross"][p] += game["tally"][rules["pair_a"][p]] * game["tally"][rules["pair_b"][p]]
    for s in range(game["span"].shape[0]):
        v = game["span"][s]
        if v >= BINS:
            v = np.int64(BINS - 1)
        if v >= 0:
            work["histogram"][s, v] += 1
