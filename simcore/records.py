"""The fields that the records of every game share: chance, decisions, look-ahead, trace, counting.

A game's ``layout.py`` builds its three dtypes from these lists and its own fields. The shared kernels (``rng``,
``play``) read and write only what is named here, so they serve any game. Every number is 8 bytes wide: with and
without compilation the same bits.
"""

from enum import IntEnum
from typing import Any

import numpy as np

NONE = -1
BINS = 1024  # values of a span that are told apart (the last bin holds all beyond)
TRACE = 1024  # events in the trace buffer; a longer game is played again from an offset
MOST_IN_BLOCK = 3000  # games in one block, a multiple of 60
UNCOPIED = "uncopied"  # the field from which on the copies for look-aheads do without
ASKED, OPTION, ANSWER = 60, 61, 62  # trace events of a decision, the same numbers in every game
SIXTIETHS = 60  # a win, in parts that 2 to 6 winners can share exactly

i8, u8, f8 = "i8", "u8", "f8"


class Status(IntEnum):
    """How a game stands or ended. The same numbers in every game."""

    PLAYING = 0
    WON = 1
    TIED = 2
    CAPPED = 3  # the turn cap was reached: an outcome, counted and shown
    ENDLESS = 4  # an effect did not end or a log was full: the fault of a card text or a policy
    ILLEGAL = 5  # a policy answered outside its options
    LOST = 6  # a co-operative game has beaten its players; WON there means that all have won together


def asked_fields(*, options: int, answers: int) -> list[Any]:
    """The options of the present decision, and this turn's answers."""
    return [("option", i8, (options,)), ("answer", i8, (answers,))]


def counted_fields(*, tallies: int, spans: int) -> list[Any]:
    """What is counted in a game."""
    return [("tally", i8, (tallies,)), ("span", i8, (spans,))]


def uncopied_fields(own: list[Any], *, options: int, answers: int, tallies: int, spans: int) -> list[Any]:
    """Last in a record: what the copies that look-aheads play on do without.

    Counters, options and answers, and the game's `own` fields of that kind: what is only counted, and what is written
    anew before it is read, in every turn and after every place where a turn is kept (``play.keep_on``).
    """
    shared = asked_fields(options=options, answers=answers) + counted_fields(tallies=tallies, spans=spans)
    return [(UNCOPIED, i8), *own, *shared]


def game_fields(
    *,
    seats: int,
    streams: int,
    memory: int,
    options: int = 0,
    answers: int = 0,
    tallies: int = 0,
    spans: int = 0,
) -> list[Any]:
    """Fields that a ``game`` record must have.

    Without `options`, `answers`, `tallies` and `spans` the game puts ``uncopied_fields`` last itself.
    """
    return [
        ("number", i8),  # game number: with the seed it fixes every draw
        ("status", i8),
        ("seats", i8),
        ("player", i8, (seats,)),  # player of the line-up who sits here: the line-up turns by one chair a game
        ("entry", i8, (seats,)),  # row of the line-up in ``rules`` that plays for it: the player's, or one for what he
        # plays as
        ("winner", i8),  # seat, NONE if none or several
        ("share", i8, (seats,)),  # win share in sixtieths, at the end
        ("turn", i8),
        ("round", i8),
        ("active", i8),
        # chance: one key a stream, and how many shuffles it has made
        ("key", u8, (streams,)),
        ("shuffles", i8, (streams,)),
        # the present decision, and this turn's answers
        ("decision", i8),
        *(asked_fields(options=options, answers=answers) if options else ()),
        ("options", i8),
        ("answers", i8),
        ("forced", i8),  # so many answers are given, by a look-ahead
        ("replay_seat", i8),  # who looks ahead
        ("replay_sample", i8),  # which of his re-deals this is
        ("asked", i8),  # decisions so far: keys a policy's own chance
        ("drawn", i8),  # draws of the policy within the present decision
        ("silent", i8),  # 1 in a scratch game: no trace
        ("fault_seat", i8),  # what went wrong first: who, asked what, answered what
        ("fault_decision", i8),
        ("fault_answer", i8),
        # policies
        ("policy", u8, (seats,)),
        ("memory", i8, (seats, memory)),
        *(counted_fields(tallies=tallies, spans=spans) if tallies else ()),
    ]


def rules_fields(*, seats: int, streams: int, weights: int, pairs: int, played_as: int = 0) -> list[Any]:
    """Fields that a ``rules`` record must have.

    `played_as`: how many things there are that a player can play as (monsters), each of which may have a strategy of
    its own; 0: strategies go by player alone.
    """
    entries = seats + played_as
    return [
        ("seed", u8),
        ("stream_number", i8, (streams,)),  # whose luck a stream takes, see rng.open_streams; NONE: the game's own
        ("seats", i8),
        ("turn_cap", i8),
        # the line-up, by entry: one a player, and then one for each strategy of what is played as
        ("policy", u8, (entries,)),  # address
        ("follow_up", u8, (entries,)),  # of the simple policy that finishes a turn when this one looks ahead
        ("weight", f8, (entries, weights)),
        ("mask", u8, (entries,)),  # kinds of option allowed, one bit a kind
        *([("entry_of", i8, (seats, played_as))] if played_as else ()),  # by player and what he plays as
        ("looks_ahead", i8),  # 1 if a policy of the line-up replays turns
        ("play_turn", u8),  # addresses of the game's own functions
        ("redeal", u8),
        # counting
        ("tallies", i8),  # slots in use
        ("pairs", i8),
        ("pair_a", i8, (pairs,)),
        ("pair_b", i8, (pairs,)),
        # a position as the start of a game, and a script of answers for its first turn(s)
        ("from_position", i8),
        ("script", i8, (256,)),
        ("scripted", i8),
    ]


TRACE_EVENT = np.dtype([("event", i8), ("seat", i8), ("a", i8), ("b", i8), ("c", i8)], align=True)


def work_fields(
    game: np.dtype, outcome: np.dtype, *, options: int, cards: int, tallies: int, pairs: int, spans: int
) -> list[Any]:
    """Fields that a ``work`` record must have: look-ahead, trace, sorting, and the results of a block."""
    return [
        ("turn_start", game),
        ("scratch", game),
        ("position", game),
        ("script_next", i8),
        ("tracing", i8),
        ("why", i8),  # 1: the trace also says what each policy saw and thought
        ("trace_first", i8),  # events before this one are only counted
        ("traced", i8),  # events so far, recorded or not
        ("trace", TRACE_EVENT, (TRACE,)),
        ("score", f8, (options,)),  # what the policy thought of each option, where it says so
        ("scores", i8),  # how many it wrote
        ("kept_score", f8, (options,)),  # the same, while a look-ahead plays on
        # sorting by the cards' own keys
        ("sort_key", u8, (cards,)),
        ("sorted_key", u8, (cards,)),
        ("sort_count", i8, (64,)),
        ("aside", i8, (cards,)),  # a list of cards, for a rule that sets some aside
        # results of a block
        ("games", i8),
        ("decisions", i8),
        ("sum", i8, (tallies,)),
        ("square", i8, (tallies,)),
        ("fired", i8, (tallies,)),  # games in which the slot was not 0
        ("cross", i8, (pairs,)),  # sum of products of the two slots of a pair
        ("ended", i8, (len(Status),)),  # games by Status
        ("histogram", i8, (spans, BINS)),
        ("outcome", outcome, (MOST_IN_BLOCK,)),
    ]


def outcome_fields(*, seats: int) -> list[Any]:
    """Fields that an ``outcome`` row must have; players are those of the line-up, not chairs."""
    return [
        ("number", i8),
        ("status", i8),
        ("winner", i8),
        ("turns", i8),
        ("rounds", i8),
        ("share", i8, (seats,)),
        ("fault_player", i8),  # where the status is ILLEGAL or ENDLESS
        ("fault_decision", i8),
        ("fault_answer", i8),
    ]
