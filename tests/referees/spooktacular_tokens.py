"""Tokens and figures of one's own in Spooktacular: placed, put, returned; and what an effect picks to go on about."""

from __future__ import annotations

from typing import Any

from simcore.games.spooktacular.layout import (
    ABILITIES,
    BETWEEN,
    BOARD,
    EXTRA,
    NONE,
    SUPPLY,
    TRACK,
    Decision,
    Option,
    Place,
)
from tests.referees.spooktacular_moves import Moves
from tests.referees.spooktacular_places import Run
from tests.referees.spooktacular_table import option


class NothingLeft(Exception):
    """Nothing could be picked: an enclosing "until none" ends."""


class Tokens(Moves):
    """The table, and how pieces of one's own are used."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.loops = 0  # "until none" that are going on

    # --- tokens ---

    def do_place(self, run: Run, node: Any) -> None:
        me, (kind, place) = self.seats[run.seat], node.values
        own = self.kind(run, kind)
        if own == NONE:
            return
        spare = self.spare(run.seat, own)
        board = [i for i in self.on_board(run.seat, own) if (run.seat, i) != run.picked.piece]
        pieces = spare[:1] or board
        if not pieces:
            return
        figure = me.acts[pieces[0]]
        rooms = [r for r in self.places(run, place) if r < EXTRA and (not figure or self.may_enter(run.seat, r))]
        if not rooms:
            return
        piece = self.choose_piece(run.seat, pieces, "which of them is placed")
        room = self.choose_room(run.seat, rooms, "where it is placed")
        self.put_figure(run.seat, piece, room, run.seat, "a piece is placed")

    def do_place_door(self, run: Run, node: Any) -> None:
        kind, a, b = node.values
        own = self.kind(run, kind)
        spare = self.spare(run.seat, own)[:1] if own != NONE else []
        if not spare:
            return
        first = self.choose_room(run.seat, [r for r in self.places(run, a) if r < EXTRA], "one side of the door")
        second = NONE
        if first != NONE:
            rooms = [r for r in self.places(run, b, first) if r != first and r < EXTRA]
            second = self.choose_room(run.seat, rooms, "the other side of the door")
        if second != NONE:
            self.put_token(run.seat, spare[0], BETWEEN + 16 * first + second, "a door")

    def do_place_ahead(self, run: Run, node: Any) -> None:
        kind, ahead, who = node.values
        own = self.kind(run, kind)
        pieces = (self.spare(run.seat, own)[:1] or self.on_board(run.seat, own)) if own != NONE else []
        if not pieces:
            return
        player = self.who(run, who, "ahead of whom")
        if player != NONE:
            piece = self.choose_piece(run.seat, pieces, "which of them is placed")
            self.put_token(run.seat, piece, TRACK + self.seats[player].points + ahead, "on the score track")

    def do_fill(self, run: Run, node: Any) -> None:
        own = self.kind(run, node.values[0])
        for piece, space in zip(self.spare(run.seat, own), self.free_spaces(run.seat), strict=False):
            self.put_token(run.seat, piece, BOARD + space, "one on each space")

    def do_put(self, run: Run, node: Any) -> None:
        kind, space = node.values
        pieces = self.pieces_of(run, kind)
        if pieces:
            place = BOARD + space - len(self.seats[run.seat].monster.abilities)
            self.put_token(run.seat, pieces[0], place, "a marker")

    def do_advance(self, run: Run, node: Any) -> None:
        kind, steps = node.values
        me = self.seats[run.seat]
        own = self.kind(run, kind)
        pieces = self.on_board(run.seat, own) if own != NONE else []
        if pieces:
            space = (me.at[pieces[0]] - BOARD + steps) % len(me.monster.spaces)
            self.put_token(run.seat, pieces[0], BOARD + space, "a marker moves on")
            run.picked.space = space

    def do_return(self, run: Run, node: Any) -> None:
        kind, to_board = node.values
        me = self.seats[run.seat]
        if kind != NONE:
            pieces = [i for i in self.pieces_of(run, kind) if me.at[i] != SUPPLY]
            piece = self.choose_piece(run.seat, pieces, "which of them is returned")
        else:
            owner, piece = run.picked.piece or (NONE, NONE)
            piece = piece if owner == run.seat else NONE
            piece = NONE if piece != NONE and me.at[piece] == SUPPLY else piece
        if piece == NONE:
            return
        place = SUPPLY
        if to_board:
            free = self.free_spaces(run.seat)
            if not free:
                self.nothing_left()
                run.picked.space = NONE
                return
            first = ABILITIES * me.number + len(me.monster.abilities)
            choices = [option(Option.SPACE, first + i) for i in free]
            space = self.decide(run.seat, Decision.SPACE, choices, "to which space")[1] - first
            run.picked.space = space
            place = BOARD + space
        self.put_token(run.seat, piece, place, "a token is returned")
        self.turn_counts["returned"] += run.seat == self.active

    # --- picking ---

    def nothing_left(self) -> None:
        if self.loops:
            raise NothingLeft

    def do_pick_token(self, run: Run, node: Any) -> None:
        kind, place = node.values
        me = self.seats[run.seat]
        rooms = {*self.places(run, place)}
        pieces = [i for i in self.pieces_of(run, kind) if me.at[i] in rooms]
        piece = self.choose_piece(run.seat, pieces, "which token is picked")
        if piece == NONE:
            run.picked.piece, run.picked.room = None, NONE
            self.nothing_left()
            return
        run.picked.piece, run.picked.room = (run.seat, piece), me.at[piece]
        if place % 32 == Place.MONSTER:
            players = self.players_in(run, {me.at[piece]})
            run.picked.who = self.choose_player(run.seat, players, "whose monster")

    def do_pick_monster(self, run: Run, node: Any) -> None:
        rooms = {*self.places(run, node.values[0])}
        figures = [
            option(Option.FIGURE, 16 * s + i, self.seats[s].at[i])
            for s in self.others(run.seat)
            for i in self.first_of_equals(
                s, [i for i, at in enumerate(self.seats[s].at) if at in rooms and self.seats[s].is_figure[i]]
            )
        ]
        if not figures:
            run.picked.piece, run.picked.room, run.picked.who = None, NONE, NONE
            self.nothing_left()
            return
        _, figure, room = self.decide(run.seat, Decision.FIGURE, figures, "which monster is picked")
        run.picked.piece, run.picked.who, run.picked.room = (figure >> 4, figure & 15), figure >> 4, room

    def do_pick_room(self, run: Run, node: Any) -> None:
        run.picked.room = self.choose_room(run.seat, self.places(run, node.values[0]), "which room is picked")
        if run.picked.room == NONE:
            self.nothing_left()

    def do_pick_player(self, run: Run, node: Any) -> None:
        run.picked.who = self.who(run, node.values[0], "which player is picked")
        if run.picked.who == NONE:
            self.nothing_left()
