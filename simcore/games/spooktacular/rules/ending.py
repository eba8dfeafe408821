"""The end of a game: tickets turned up, the winner, and what is counted only then (rulebook, Game End)."""

import numpy as np

from simcore.games.spooktacular.kernel import kernel
from simcore.games.spooktacular.layout import (
    LEAD_ROUNDS,
    LEADS,
    NONE,
    ROUNDS,
    Event,
    Ledger,
    Points,
    Span,
    Status,
    Stream,
    Tally,
)
from simcore.games.spooktacular.rules.scoring import change_points
from simcore.play import log
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card

WIN = 60  # a win in sixtieths
SIZES, BIG, BIGGER = len(LEADS), LEADS[1], LEADS[2]


@kernel
def turn_up_tickets(game, rules, work):
    """Points of the tickets: the pile's order is that of the tickets' own keys, and nobody has looked before."""
    shuffle = next_shuffle(game, Stream.TICKETS)
    n = rules["ticket_cards"]
    for i in range(n):
        put_card(work, i, shuffle, rules["ticket_id"][i], i)
    sort_cards(work, n)
    for k in range(game["taken"]):
        seat = game["taker"][k]
        points = rules["ticket_value"][sorted_card(work, k)]
        log(game, work, Event.TICKET_VALUE, seat, points, k, 0)
        change_points(game, rules, work, seat, points, Points.TICKET)


@kernel
def track_leader(game):
    """Who alone has the most points on the track; NONE."""
    most = np.int64(-1)
    leader = np.int64(NONE)
    for seat in range(game["seats"]):
        if game["points"][seat] > most:
            most = game["points"][seat]
            leader = np.int64(seat)
        elif game["points"][seat] == most:
            leader = np.int64(NONE)
    return leader


@kernel
def note_lead(game):
    """As a round begins, every second one: whether somebody alone has the most points, and by how many (leads.py)."""
    k = game["round"] >> 1
    if game["round"] & 1 == 0 or k >= LEAD_ROUNDS:
        return
    game["tally"][Tally.LEAD_BEGUN + k] = 1
    most = np.int64(-1)
    second = np.int64(-1)
    for seat in range(game["seats"]):
        points = game["points"][seat]
        second = max(second, min(points, most))
        most = max(most, points)
    lead = most - second
    if lead > 0:
        size = np.int64(lead >= BIG) + np.int64(lead >= BIGGER)
        game["tally"][Tally.LEAD_GAMES + k] = 1
        game["tally"][Tally.LEAD_SIZE_GAMES + SIZES * k + size] = 1


@kernel
def count_leaders(game):
    """What those who led alone as a round began have won."""
    for k in range(LEAD_ROUNDS):
        if game["tally"][Tally.LEAD_GAMES + k] == 1:
            share = game["share"][game["round_leader"][2 * k]]
            game["tally"][Tally.LEAD_SHARE + k] = share
            for slot in range(SIZES * k, SIZES * k + SIZES):
                game["tally"][Tally.LEAD_SIZE_SHARE + slot] = share * game["tally"][Tally.LEAD_SIZE_GAMES + slot]


@kernel
def end_game(game, rules, work):
    """Most points, then most tickets, then shared."""
    ahead = track_leader(game)
    turn_up_tickets(game, rules, work)
    best = np.int64(-1)
    winners = 0
    tie = 0
    for seat in range(game["seats"]):
        rank = 100 * game["points"][seat] + game["tickets"][seat]
        if best >= 0 and rank != best and rank // 100 == best // 100:
            tie = 1
        if rank > best:
            if rank // 100 != best // 100:
                tie = 0
            best = rank
            winners = 0
        if rank == best:
            winners += 1
    game["tally"][Ledger.TIE_TICKETS] += tie
    game["winner"] = NONE
    for seat in range(game["seats"]):
        if 100 * game["points"][seat] + game["tickets"][seat] == best:
            game["share"][seat] = WIN // winners
            if winners == 1:
                game["winner"] = seat
    if winners == 1:
        game["status"] = Status.WON
    else:
        game["status"] = Status.TIED
        game["tally"][Ledger.SHARED] += 1
        game["tally"][Tally.SHARED] = 1
    if ahead != NONE and game["share"][ahead] == 0:
        game["tally"][Tally.OVERTURNED] = 1


@kernel
def count_leads(game):
    """Lead changes, and the round since which the winner has led."""
    last = np.int64(NONE)
    since = np.int64(NONE)
    for r in range(min(game["round"] + 1, ROUNDS)):
        leader = game["round_leader"][r]
        if leader == NONE:
            since = np.int64(NONE)
            continue
        if last != NONE and leader != last:
            game["tally"][Tally.LEAD_CHANGES] += 1
        if leader != last or since == NONE:
            since = np.int64(r + 1)
        last = leader
    game["span"][Span.LEAD_CHANGES] = game["tally"][Tally.LEAD_CHANGES]
    game["span"][Span.FINAL_LEAD] = NONE
    winner = game["winner"]
    if winner != NONE:
        game["tally"][Tally.ONE_WINNER] = 1
        if since == NONE or last != winner:  # only the tickets have put the winner ahead
            since = game["round"] + 2
        game["tally"][Tally.FINAL_LEAD] = since
        game["span"][Span.FINAL_LEAD] = since


@kernel
def count_margin(game):
    """Points of the best and their lead over the second."""
    best = np.int64(-1)
    second = np.int64(-1)
    for seat in range(game["seats"]):
        points = game["points"][seat]
        if points > best:
            second = best
            best = points
        elif points > second:
            second = points
    game["span"][Span.WINNER_POINTS] = best
    game["span"][Span.MARGIN] = best - second


@kernel
def count_matchups(game, rules):
    """Games together and win share, by pair of monsters."""
    first = rules["matchup_first"]
    if first == NONE:
        return
    kits = rules["kits"]
    for seat in range(rules["bot"], game["seats"]):
        for other in range(rules["bot"], game["seats"]):
            if other != seat:
                slot = first + 2 * (kits * game["kit"][seat] + game["kit"][other])
                game["tally"][slot] += 1
                game["tally"][slot + 1] += game["share"][seat]


@kernel
def count_end(game, rules):
    """What is known only when the game is over."""
    game["tally"][Tally.ROUNDS] = game["round"] + 1
    game["tally"][Tally.DECISIONS] = game["asked"]
    for seat in range(rules["bot"], game["seats"]):
        share = game["share"][seat]
        kit = game["kit"][seat]
        game["tally"][Tally.SHARE_ORDER + seat - rules["bot"]] += share
        game["tally"][Tally.SHARE_PLAYER + game["player"][seat]] += share
        game["tally"][Tally.TIER_GAMES + rules["kit_tier"][kit]] += 1
        game["tally"][Tally.TIER_SHARE + rules["kit_tier"][kit]] += share
        game["tally"][Tally.MONSTER_GAMES + kit] += 1
        game["tally"][Tally.MONSTER_SHARE + kit] += share
        game["tally"][Tally.PLAYERS_WON] += share
        game["tally"][Tally.START_EDGE] -= share
    game["tally"][Tally.START_EDGE] += rules["players"] * game["share"][rules["bot"]]
    if rules["bot"] == 1:
        game["tally"][Tally.BOT_WON] = game["share"][0]
        game["tally"][Tally.BOT_POINTS] = game["points"][0]
    if game["last_round"] == 1:
        game["tally"][Tally.TRIGGER_GAMES] = 1
        if game["trigger_seat"] != NONE:
            game["tally"][Tally.TRIGGER_WON] = game["share"][game["trigger_seat"]]
    count_leads(game)
    count_leaders(game)
    count_margin(game)
    count_matchups(game, rules)
    game["span"][Span.ROUNDS] = game["round"] + 1
    game["span"][Span.TURNS] = game["turn"]
    game["span"][Span.TICKETS_LEFT] = rules["tickets"] - game["taken"]
    for card in range(rules["cards"]):
        used = game["used"][card]
        if used != 0 and rules["component_card"][card] != NONE:
            slot = Tally.COMPONENTS + 3 * rules["component_card"][card]
            for seat in range(game["seats"]):
                if (used >> seat) & 1 == 1:
                    game["tally"][slot + 1] += game["share"][seat]
                    game["tally"][slot + 2] += 1
