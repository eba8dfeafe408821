"""A turn, a whole game, a block of games (rulebook, Gameplay, Game End), and what a seat cannot know dealt anew."""

import numpy as np

from simcore.games.spooktacular.kernel import inline, kernel
from simcore.games.spooktacular.layout import (
    NONE,
    ROUNDS,
    Event,
    Ledger,
    Source,
    Span,
    Status,
    Stream,
    Tally,
    When,
)
from simcore.games.spooktacular.rules.automaton import reveal
from simcore.games.spooktacular.rules.cards import shuffle_deck
from simcore.games.spooktacular.rules.effects import settle
from simcore.games.spooktacular.rules.ending import count_end, end_game, note_lead, track_leader
from simcore.games.spooktacular.rules.pieces import end_stuns, put_piece
from simcore.games.spooktacular.rules.setup import set_up, set_up_position
from simcore.games.spooktacular.rules.steps import push_rows
from simcore.games.spooktacular.rules.triggers import fire
from simcore.jit import call_turn
from simcore.play import clear_block, count_game, keep_turn_start, log, new_keys, random_below, write_row
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card


@inline
def begin(game, seat):
    """Nothing has happened in this turn."""
    game["active"] = seat
    game["effects"] = 0
    game["agenda_size"] = 0
    game["queued"] = 0
    game["replacing"] = 0
    game["spooked"] = 0
    game["devoured"] = 0
    game["played"] = 0
    game["returned"] = 0
    game["bot_card"] = NONE
    for other in range(game["seats"]):
        game["once"][other] = 0


@kernel
def set_up_monster(game, rules, work):
    """One monster's own set-up steps, in turn order (rulebook, Setup 6); the automaton comes last (Solo Mode)."""
    seat = game["seats"] - game["setting_up"] + rules["bot"]
    if seat >= game["seats"]:
        seat = np.int64(0)
    if game["answers"] == 0:  # else a look-ahead goes on amid it
        begin(game, seat)
        log(game, work, Event.SETUP, seat, 0, 0, 0)
        if seat < rules["bot"]:
            put_piece(game, rules, work, seat, 0, rules["most_doors"], seat)
        else:
            kit = game["kit"][seat]
            push_rows(game, seat, Source.SETUP, rules["setup_start"][kit], rules["setup_end"][kit], 0)
    settle(game, rules, work)
    game["setting_up"] -= 1
    if game["setting_up"] == 0:
        game["active"] = 0


@inline
def end_round(game, rules):
    """The last seat has played: who leads now; whether the game ends [P5]."""
    r = game["round"]
    if r < ROUNDS:
        game["round_leader"][r] = track_leader(game)
        game["tally"][Tally.ROUND_GAMES + r] += 1
        for room in range(game["crowd"].shape[0]):
            game["tally"][Tally.ROOM_GUESTS + r] += game["crowd"][room]
        for room in range(rules["rooms"]):
            game["tally"][Tally.GUESTS_IN_ROOM + ROUNDS * room + r] = game["crowd"][room]
    if game["last_round"] == 1:
        reached = np.int64(game["taken"] >= rules["tickets"])
        for seat in range(game["seats"]):
            reached |= np.int64(game["points"][seat] >= rules["target_score"])
        if reached == 0:
            game["tally"][Ledger.LATCHED] += 1
            if rules["end_latched"] == 0:
                game["last_round"] = 0
                game["trigger_seat"] = NONE


@inline
def begin_turn(game, rules, work, seat):
    """Stuns end; what the turn's steps say waits on the agenda."""
    begin(game, seat)
    log(game, work, Event.TURN, seat, game["turn"], game["round"], 0)
    end_stuns(game, work, seat)
    if seat < rules["bot"]:
        reveal(game, rules, work)
    else:
        kit = game["kit"][seat]
        push_rows(game, seat, Source.ABILITY, rules["turn_start"][kit], rules["turn_end"][kit], 0)
    fire(game, rules, seat, When.TURN, 0)


@kernel
def play_turn(game, rules, work):
    """One turn of the active player, or one monster's set-up. Can be played again from work["turn_start"]: its start,
    or a place between two rows of a text (see ``settle``)."""
    keep_turn_start(game, rules, work)
    if game["setting_up"] > 0:
        set_up_monster(game, rules, work)
        return 0
    seat = game["active"]
    asked = game["asked"]
    before = game["points"][seat]
    if game["answers"] == 0:  # else a look-ahead goes on amid the turn
        begin_turn(game, rules, work, seat)
    settle(game, rules, work)
    game["turn"] += 1
    if seat >= rules["bot"]:
        game["tally"][Tally.TURNS] += 1
        game["tally"][Tally.NO_CHOICE] += np.int64(game["asked"] == asked)
        game["tally"][Tally.NO_POINTS] += np.int64(game["points"][seat] <= before)
        game["tally"][Tally.MONSTER_DECISIONS + game["kit"][seat]] += game["asked"] - asked
    if game["status"] != Status.PLAYING:
        return 0
    if seat + 1 < game["seats"]:
        game["active"] = seat + 1
    else:
        end_round(game, rules)
        game["active"] = 0
        if game["last_round"] == 1:
            end_game(game, rules, work)
            return 0
        if game["turn"] < rules["turn_cap"]:
            game["round"] += 1
            note_lead(game)
    if game["turn"] >= rules["turn_cap"]:
        game["status"] = Status.CAPPED
    return 0


@kernel
def write_outcome(game, rules, work, row):
    """One row a game, by player of the line-up."""
    write_row(game, work, row)
    work["outcome"][row]["winner"] = NONE
    if game["winner"] >= rules["bot"]:
        work["outcome"][row]["winner"] = game["player"][game["winner"]]
    work["outcome"][row]["starter"] = game["player"][rules["bot"]]
    work["outcome"][row]["bot_points"] = NONE
    if rules["bot"] == 1:
        work["outcome"][row]["bot_points"] = game["points"][0]
    for seat in range(rules["bot"], game["seats"]):
        player = game["player"][seat]
        work["outcome"][row]["share"][player] = game["share"][seat]
        work["outcome"][row]["points"][player] = game["points"][seat]
        work["outcome"][row]["tickets"][player] = game["tickets"][seat]
        work["outcome"][row]["monster"][player] = game["kit"][seat]
    work["outcome"][row]["ended_by"] = NONE
    if game["last_round"] == 1:
        work["outcome"][row]["ended_by"] = game["tally"][Tally.BY_TICKETS]
    work["outcome"][row]["lead_changes"] = game["tally"][Tally.LEAD_CHANGES]
    work["outcome"][row]["stolen"] = game["tally"][Tally.MOVED_POINTS]
    work["outcome"][row]["spooked"] = game["tally"][Tally.SPOOKED]
    work["outcome"][row]["devoured"] = game["tally"][Tally.DEVOURED]
    work["outcome"][row]["margin"] = game["span"][Span.MARGIN]


@kernel
def play_game(game, rules, work, number):
    """One game by its number."""
    if rules["from_position"] == 1:
        set_up_position(game, rules, work, number)
    else:
        set_up(game, rules, work, number)
    while game["status"] == Status.PLAYING:
        call_turn(rules["play_turn"], game, rules, work)  # by address: what plays blocks compiles apart from the rules
    log(game, work, Event.END, game["winner"], game["status"], game["winner"], 0)
    count_end(game, rules)


@kernel
def play_block(game, rules, work, first, games):
    """`games` games from number `first` on: totals and outcomes in `work`."""
    clear_block(rules, work)
    for i in range(games):
        play_game(game, rules, work, first + i)
        write_outcome(game, rules, work, i)
        count_game(game, rules, work)
    return 0


@kernel
def redeal(game, rules, work, seat):
    """Forget what `seat` cannot know: new keys for every stream (the bag's draws, the tickets), decks and other hands.

    The unknown cards of a player are put in a canonical order first (their place in the monster's list), so that
    nothing of the true deal is left.
    """
    new_keys(game, seat)
    for other in range(rules["bot"], game["seats"]):
        game["deck_fixed"][other] = 0
        if other == seat:
            shuffle_deck(game, rules, work, other)
        else:
            redeal_cards(game, rules, work, other)
    if rules["bot"] == 1:
        redeal_bot(game, rules, work)
    return 0


@kernel
def redeal_cards(game, rules, work, other):
    """Hand and draw deck of another player are one pool."""
    kit = game["kit"][other]
    shuffle = next_shuffle(game, Stream.DECK + other)
    n = game["hand_size"][other]
    for i in range(n):
        place = game["hand"][other, i]
        put_card(work, i, shuffle, rules["kit_card_id"][kit, place], place)
    for i in range(game["deck_next"][other], game["deck_size"][other]):
        place = game["deck"][other, i]
        put_card(work, n, shuffle, rules["kit_card_id"][kit, place], place)
        n += 1
    if n == 0:
        return
    sort_cards(work, n)
    size = game["hand_size"][other]
    for i in range(n):
        if i < size:
            game["hand"][other, i] = sorted_card(work, i)
        else:
            game["deck"][other, game["deck_next"][other] + i - size] = sorted_card(work, i)


@kernel
def redeal_bot(game, rules, work):
    """The cards that the automaton has still to reveal, deck by deck."""
    first = game["bot_next"]
    n = 3 - first
    if n <= 0:
        return
    for deck in range(3):
        shuffle = next_shuffle(game, Stream.AUTOMATON + deck)
        k = 0
        for i in range(3):
            card = rules["bot_card"][deck, i]
            copies = 0
            for j in range(first, 3):
                copies += np.int64(game["bot_deck"][deck, j] == card)
            for j in range(i):
                copies -= np.int64(rules["bot_card"][deck, j] == card)
            if copies > 0:
                put_card(work, k, shuffle, rules["bot_card_id"][deck, i], i)
                k += 1
        sort_cards(work, k)
        for i in range(k):
            game["bot_deck"][deck, first + i] = rules["bot_card"][deck, sorted_card(work, i)]


@kernel
def follow_up(game, rules, work, seat, decision):
    """The simple policy that finishes a turn for a look-ahead: any legal option."""
    return random_below(game, rules, seat, game["options"])
