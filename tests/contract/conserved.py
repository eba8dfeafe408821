"""What lies where in a game of Spooktacular, and that all of it is there: cards, guests, pieces, points."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.spooktacular import layout
from simcore.games.spooktacular.layout import NONE, Points, Step, Tally

PLACES = ("deck", "discards", "hand", "program", "being played")


def lies(record: Any) -> dict[str, list[int]]:
    """Every place and the cards in it, in the order in which they lie (sets are sorted); cards of a player are places
    in its monster's list, those of the automaton are cards."""
    places: dict[str, list[int]] = {}
    waiting = record["agenda"][: int(record["agenda_size"])].tolist()
    for seat in range(int(record["seats"])):
        places[f"deck {seat}"] = record["deck"][seat, record["deck_next"][seat] : record["deck_size"][seat]].tolist()
        places[f"discards {seat}"] = sorted(record["discard"][seat, : record["discards"][seat]].tolist())
        places[f"hand {seat}"] = record["hand"][seat, : record["hand_size"][seat]].tolist()
        places[f"program {seat}"] = [int(card) for card in record["program"][seat] if card != NONE]
        places[f"being played {seat}"] = [
            row >> 12 & 65535 for row in waiting if row & 15 == Step.CARD_DONE and row >> 4 & 15 == seat
        ]
    for deck in range(3):
        places[f"automaton {deck}"] = record["bot_deck"][deck, record["bot_next"] : 3].tolist()
    return places


def check_cards(record: Any, rules: Any) -> None:
    """Every card of each player is in one place, once; the automaton has its three decks and no others."""
    places, bot = lies(record), int(rules["bot"])
    for seat in range(int(record["seats"])):
        found = [card for place in PLACES for card in places[f"{place} {seat}"]]
        cards = 0 if seat < bot else int(rules["kit_cards"][record["kit"][seat]])
        assert sorted(found) == list(range(cards)), seat
    for deck in range(3 * bot):
        assert sorted(record["bot_deck"][deck, :3].tolist()) == sorted(rules["bot_card"][deck].tolist())


def rooms(bits: Any) -> list[int]:
    """Rooms of a set."""
    return [room for room in range(layout.ROOMS) if int(bits) >> room & 1]


def tombs(record: Any, rules: Any) -> set[int]:
    """Rooms that are tokens of the monsters in the game."""
    seats = range(int(record["seats"]))
    return {layout.EXTRA + seat for seat in seats if rules["room_kind"][record["kit"][seat]] != NONE}


def check_guests(record: Any, rules: Any) -> None:
    """The guests of each colour are all there: in the bag, in rooms, on devour piles, or passengers."""
    seats = int(record["seats"])
    guests, pile, held = record["guests"], record["pile"][:seats], record["held"][:seats]
    assert min(guests.min(), record["bag"].min(), pile.min(), held.min()) >= 0
    found = guests.sum(axis=0) + record["bag"] + pile.sum(axis=0) + held.sum(axis=0)
    assert (found == rules["guests_each"]).all(), found
    assert (guests.sum(axis=1) == record["crowd"]).all() and record["bag"].sum() == record["bag_size"]
    assert set(np.flatnonzero(record["crowd"]).tolist()) <= {*rooms(rules["open"]), *tombs(record, rules)}
    assert (pile.min(axis=1) == 0).all(), "a set that was not turned in"


def check_pieces(record: Any, rules: Any) -> None:
    """Pieces are where they can be, and what is made of them says so."""
    can, seats = {*rooms(rules["open"]), *tombs(record, rules)}, int(record["seats"])
    figures, monsters = np.zeros(layout.ROOMS, int), np.zeros(layout.ROOMS, int)
    for seat in range(seats):
        kit = int(record["kit"][seat])
        pieces = int(rules["kit_pieces"][kit])
        assert (record["piece_at"][seat, pieces:] == layout.SUPPLY).all()
        for piece, at in enumerate(record["piece_at"][seat, :pieces].tolist()):
            if 0 <= at < layout.ROOMS:
                assert at in can, (seat, piece, at)
                if rules["piece_figure"][kit, piece]:
                    figures[at] += 1
                    monsters[at] |= 1 << seat
            elif at >= layout.BETWEEN:
                a, b = (at - layout.BETWEEN) >> 4, (at - layout.BETWEEN) & 15
                assert a != b and {a, b} <= set(rooms(rules["open"]))
            elif at >= layout.TRACK:
                assert at <= layout.TRACK + layout.MOST_TRACK
            else:
                assert at == layout.SUPPLY or 0 <= at - layout.BOARD < rules["spaces"][kit], (seat, piece, at)
        assert 0 <= record["acting"][seat] < pieces
    assert figures.tolist() == record["figures"].tolist() and monsters.tolist() == record["monsters"].tolist()


def check_theater(record: Any, rules: Any) -> None:
    """What is joined is what the map, tombs and door tokens join."""
    seats = int(record["seats"])
    joins, own = np.zeros(layout.ROOMS, int), np.zeros((seats, layout.ROOMS), int)
    joins[: rules["rooms"]] = rules["map_joins"][: rules["rooms"]]
    for seat in range(seats):
        kit = int(record["kit"][seat])
        for kind, first, count in zip(
            range(layout.KINDS), rules["kind_first"][kit].tolist(), rules["kind_count"][kit].tolist(), strict=True
        ):
            at = record["piece_at"][seat, first : first + count]
            if kind == rules["room_kind"][kit] and 0 <= at[0] < layout.ROOMS:
                joins[layout.EXTRA + seat] |= 1 << int(at[0])
                joins[at[0]] |= 1 << (layout.EXTRA + seat)
            for between in at[at >= layout.BETWEEN] if kind == rules["door_kind"][kit] else ():
                a, b = int(between - layout.BETWEEN) >> 4, int(between - layout.BETWEEN) & 15
                for other in range(seats) if rules["doors_for_all"][kit] else (seat,):
                    own[other, a] |= 1 << b
                    own[other, b] |= 1 << a
    assert joins.tolist() == record["joins"].tolist() and own.tolist() == record["own_joins"][:seats].tolist()


def check_scores(record: Any, rules: Any) -> None:
    """Points come from what is counted and go where it says (a look-ahead does not count); tickets are few."""
    seats, bot, taken = int(record["seats"]), int(rules["bot"]), int(record["taken"])
    assert record["points"][:seats].min() >= 0 and taken <= rules["tickets"]
    takers = np.bincount(record["taker"][:taken], minlength=seats)
    assert takers.tolist() == record["tickets"][:seats].tolist()
    if record["silent"] == 0:
        by = record["tally"][Tally.POINTS : Tally.POINTS + layout.POINTS].astype(int)
        lost = int(by[Points.STOLEN] + by[Points.PAID])
        start = int(rules["start_score"]) * (seats - bot)
        assert record["points"][bot:seats].sum() == start + by.sum() - 2 * lost
        assert bot or by[Points.STOLEN] == by[Points.THEFT]


def check(record: Any, rules: Any) -> None:
    """All of it."""
    check_cards(record, rules)
    check_guests(record, rules)
    check_pieces(record, rules)
    check_theater(record, rules)
    check_scores(record, rules)


def lose(record: Any) -> None:
    """A fault: a guest leaves the bag and is nowhere."""
    record["bag"][0] -= 1
    record["bag_size"] -= 1
