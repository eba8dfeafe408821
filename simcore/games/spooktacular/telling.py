"""A game in sentences: trace events and options in the rulebook's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from simcore.effects import Effect
from simcore.game import Configuration
from simcore.games.spooktacular.layout import (
    COLOUR_NAMES,
    NONE,
    ROOMS,
    SUPPLY,
    Decision,
    Event,
    Option,
    Points,
    Status,
    When,
    option_parts,
)
from simcore.games.spooktacular.naming import Names, Table, phrase

WIDTH = 118  # of a line to which something more is joined
SHORT = 60  # letters of a text that is said again each time

ASKED = {
    Decision.CARD: "which card to play",
    Decision.ROOM: "which room",
    Decision.LEAVE: "which guest leaves by this door",
    Decision.GUEST: "which guest",
    Decision.FIGURE: "which figure is moved",
    Decision.TOKEN: "which of its own pieces",
    Decision.PLAYER: "which player",
    Decision.BRANCH: "which side to choose",
    Decision.MAY: "whether to do it",
    Decision.SPACE: "which space of the board",
    Decision.SLOT: "which slot of the program",
    Decision.DISCARD: "which card to discard",
    Decision.LOAD: "which card to load",
    Decision.REFILL: "which room gets the new guests",
}
POINTS = {
    Points.SPOOK: "for spooking",
    Points.TICKET: "for tickets",
    Points.CONSOLATION: "for the set",
    Points.BASIC: "by a basic card",
    Points.OWN: "",
    Points.THEFT: "stolen",
    Points.GIFT: "by another player",
    Points.STOLEN: "to a thief",
    Points.PAID: "by an effect",
}
TRIGGERS = {
    When.DEVOUR: "a guest is devoured",
    When.SET: "a set is turned in",
    When.SPOOKED: "guests are spooked",
    When.GUEST_ENTERS: "a guest comes in",
    When.MONSTER_ENTERS: "another monster comes in",
    When.PASSES: "a score reaches its token",
    When.GUEST_PASSES: "a guest goes through its door",
    When.TURN: "its turn begins",
    When.PUSHED: "another player moves its figure",
    When.ROBBED: "another player steals from it",
}
ENDS = {
    Status.CAPPED: "The turn cap is reached: no winner.",
    Status.ENDLESS: "An effect does not end: the game is broken off.",
    Status.ILLEGAL: "A strategy answers outside its options: the game is broken off.",
}


def _a(what: str) -> str:
    return f"{'an' if what[:1] in 'aeiou' else 'a'} {what}"


def _many(n: int, what: str) -> str:
    return f"{n} {what}" + ("s" if n != 1 else "")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _colours(colours: Iterable[int]) -> str:
    """`2 red, blue`: guests of one place by colour."""
    count = Counter(colours)
    return ", ".join((f"{n} " if (n := count[c]) > 1 else "") + COLOUR_NAMES[c] for c in sorted(count))


# --- options ---------------------------------------------------------------------------------------------------------


def name_option(configuration: Configuration, option: int) -> str:
    """An option in a few words; whose monster it is, is not known from an option alone."""
    return _option_text(Table(Names(configuration)), option)


def _option_text(table: Table, option: int) -> str:
    kind, a, b = option_parts(option)
    names = table.names

    def branch() -> str:
        side = table.branch(option)
        return phrase(side) if side is not None else f"side {a + 1}"

    named: dict[Option, Callable[[], str]] = {
        Option.PASS: lambda: "pass",
        Option.YES: lambda: "yes",
        Option.CARD: lambda: names.cards[a],
        Option.ROOM: lambda: table.room(a),
        Option.GUEST: lambda: f"a {COLOUR_NAMES[a]} guest in {table.room(b)}",
        Option.FIGURE: lambda: f"{table.piece(a >> 4, a & 15, placed=False)} in {table.room(b)}",
        Option.TOKEN: lambda: table.piece(a >> 4, a & 15),
        Option.PLAYER: lambda: table.seat(a),
        Option.BRANCH: branch,
        Option.SPACE: lambda: names.doing(a),
        Option.SLOT: lambda: f"slot {a + 1}",
        Option.LEAVE: lambda: f"a {COLOUR_NAMES[a]} guest to {table.room(b)}",
    }
    return named[kind]()


# --- events ----------------------------------------------------------------------------------------------------------

Row = tuple[int, int, int, int]  # seat, a, b, c of an event
Rows = Sequence[Row]  # of events that are told in one sentence
Sentence = Callable[[Table, Rows], str]


def _says(t: Table, text: Effect | None) -> str:
    """What a text says, in brackets; a long one only the first time."""
    said = phrase(text.nodes) if text is not None and text.nodes else ""
    if not said or (len(said) > SHORT and said in t.told):
        return ""
    t.told.add(said)
    return f" ({said})"


def _turn(t: Table, rows: Rows) -> str:
    seat, a, b, _ = rows[0]
    points = f", {_many(t.points[seat], 'point')}" if seat in t.points else ""
    return f"-- Round {b + 1}, turn {a + 1}: {t.seat(seat)}{points}"


def _card(t: Table, rows: Rows) -> str:
    seat, card, how, c = rows[0]
    who = _upper(t.names.who(seat))
    cards = "; ".join(t.names.cards[a] + _says(t, t.names.card_text(a)) for _, a, _, _ in rows)
    if how == 1:
        return f"{who} resolves slot {c + 1}: {cards}."
    if how == 2:
        return f"{who} copies the last card of {t.names.who(c)}: {cards}."
    return f"{who} {'reveals' if how == 3 else 'plays'} {cards}."


def _ability(t: Table, rows: Rows) -> str:
    seat, a, _, _ = rows[0]
    return f"{_upper(t.names.who(seat))} does {t.names.doing(a)}{_says(t, t.names.ability_text(a))}."


def _discard(t: Table, rows: Rows) -> str:
    seat, _, b, c = rows[0]
    cards = ", ".join(t.names.cards[a] for _, a, _, _ in rows)
    who = _upper(t.names.who(seat))
    if b == 2:
        return f"{who} discards {cards} from slot {c + 1}."
    return f"{who} discards {cards}." if b == 1 else f"{who} puts {cards} on the discards."


def _add(t: Table, rows: Rows) -> str:
    _, room, _, why = rows[0]
    guests = _colours(b for _, _, b, _ in rows)
    where = t.room(room)
    if why == 0:
        return f"Guests in {where}: {guests}."
    come = "comes" if len(rows) == 1 else "come"
    fewest = ", where the fewest figures are" if why == 2 else ""
    return f"{_many(len(rows), 'guest')} {come} from the bag to {where}{fewest}: {guests}."


def _moved(t: Table, rows: Rows) -> str:
    """`2 red to the Stage, blue to the Crypt`, with the rooms left where they are several."""
    ways: dict[tuple[int, int], list[int]] = {}
    for _, a, b, c in rows:
        ways.setdefault((b, c), []).append(a)
    several = len({b for b, _ in ways}) > 1
    return ", ".join(
        _colours(colours) + (f" from {t.room(b)}" if several else "") + f" to {t.room(c)}"
        for (b, c), colours in ways.items()
    )


def _guests(t: Table, rows: Rows) -> str:
    seat, rooms_left = rows[0][0], {b for _, _, b, _ in rows}
    where = f" from {t.room(rows[0][2])}" if len(rooms_left) == 1 else ""
    who = f"{_upper(t.names.who(seat))} moves {_many(len(rows), 'guest')}" if seat != NONE else "Guests move"
    return f"{who}{where}: {_moved(t, rows)}."


def _spook(t: Table, rows: Rows) -> str:
    """A spook: its own row first, then those of its guests, as far as they stand beside it in the trace."""
    seat, room, guests, _ = rows[0]
    who = f"{_upper(t.names.who(seat))} spooks {t.room(room)}"
    if len(rows) > 1:
        return f"{who}: {_moved(t, rows[1:])}."
    return f"{who}: {_many(guests, 'guest') if guests else 'no guest'} {'leaves' if guests < 2 else 'leave'}."


def _figure(t: Table, rows: Rows) -> str:
    owner, piece, room, mover = rows[0]
    if mover == NONE:
        return f"{_upper(', '.join(f'{_whose(t, s, p, NONE)} comes to {t.room(r)}' for s, p, r, _ in rows))}."
    if owner != mover or len(rows) > 1:
        moved = Counter((t.room(r), s, _kind(t, s, p), _whose(t, s, p, mover)) for s, p, r, _ in rows)
        told = [
            f"{whose if n == 1 else f'{n} {kind}s of {t.monster(s)}'} to {room}"
            for (room, s, kind, whose), n in moved.items()
        ]
        return f"{_upper(t.names.who(mover))} moves {', '.join(told)}."
    who, there = _upper(t.names.who(owner)), 0 <= t.at.get((owner, piece), SUPPLY) < ROOMS
    if owner in t.kit and t.names.lone(t.kit[owner], piece):
        return f"{who} {'moves to' if there else 'begins in'} {t.room(room)}."
    kind = _kind(t, owner, piece)
    return (
        f"{who} moves the {kind} to {t.room(room)}."
        if there
        else f"{who} puts {_one_of(t, owner, piece)} in {t.room(room)}."
    )


def _kind(t: Table, seat: int, piece: int) -> str:
    return t.names.kind(t.kit[seat], piece) if seat in t.kit else "figure"


def _whose(t: Table, seat: int, piece: int, mover: int) -> str:
    """A figure that somebody moves: his own by its kind, another's by its monster."""
    if seat == mover:
        return f"the {_kind(t, seat, piece)}"
    name = t.piece(seat, piece, placed=False)
    return name if name.startswith(("the ", "piece ")) or name == t.monster(seat) else f"the {name}"


def _tokens(t: Table, rows: Rows) -> str:
    """Pieces of one kind that one player places, moves or takes back."""
    seat, piece, place, _ = rows[0]
    who, kind = _upper(t.names.who(seat)), _kind(t, seat, piece)
    if len(rows) > 1:
        places = ", ".join(dict.fromkeys(_where(t, seat, b) for _, _, b, _ in rows))
        return f"{who} puts {len(rows)} {kind}s {t.place(seat, place).split()[0]} {places}."
    before = t.at.get((seat, piece), SUPPLY)
    if before == SUPPLY:
        return f"{who} puts {_one_of(t, seat, piece)} {t.place(seat, place)}."
    if place == SUPPLY:
        return f"{who} takes the {kind} {t.place(seat, before)} back."
    return f"{who} moves the {kind} from {_where(t, seat, before)} to {_where(t, seat, place)}."


def _one_of(t: Table, seat: int, piece: int) -> str:
    """`a jar`; `the tomb`, of which there is one."""
    kind = _kind(t, seat, piece)
    several = seat not in t.kit or t.names.count(t.kit[seat], piece) > 1
    return _a(kind) if several else f"the {kind}"


def _where(t: Table, seat: int, place: int) -> str:
    """A place without the word before it, but for `between`."""
    text = t.place(seat, place)
    return text if text.startswith("between ") else text.partition(" ")[2]


def _devour(t: Table, rows: Rows) -> str:
    seat, _, room, _ = rows[0]
    return f"{_upper(t.names.who(seat))} devours in {t.room(room)}: {_colours(a for _, a, _, _ in rows)}."


def _passengers(verb: str) -> Sentence:
    def sentence(t: Table, rows: Rows) -> str:
        seat, _, room, _ = rows[0]
        where = t.room(room)
        said = verb.format(room=where, guests=_colours(a for _, a, _, _ in rows))
        return f"{_upper(t.names.who(seat))} {said}."

    return sentence


def _points(t: Table, rows: Rows) -> str:
    """Points of one player: how many, for what, and the score."""
    seat, _, _, now = rows[-1]
    why: Counter[int] = Counter()
    for _, a, b, _ in rows:
        why[b] += a
    parts = [
        f"{'gains' if n >= 0 else 'loses'} {_many(abs(n), 'point')} {POINTS[Points(b)]}".rstrip()
        for b, n in why.items()
    ]
    return f"{_upper(t.names.who(seat))} {', '.join(parts)} ({now})."


def _program(t: Table, rows: Rows) -> str:
    slots = ", ".join(f"slot {b + 1} {t.names.cards[a] if a != NONE else 'empty'}" for _, a, b, _ in rows)
    return f"Program of {t.names.who(rows[0][0])}: {slots}."


def _end(t: Table, rows: Rows) -> str:
    _, a, winner, _ = rows[0]
    if Status(a) in ENDS:
        return ENDS[Status(a)]
    scores = ", ".join(f"{t.names.who(s)} {n}" for s, n in sorted(t.points.items()))
    final = f" ({scores})" if scores else ""
    if winner != NONE:
        return f"{_upper(t.seat(winner))} wins{final}."
    return f"The victory is shared{final}."


def _trigger(t: Table, seat: int, a: int, b: int, c: int) -> str:
    """A standing effect; what it says where the monster has only one that this sets off."""
    texts = t.standing(seat, a)
    said = f": {phrase(texts[0])}" if len(texts) == 1 else ""
    return f"The standing rule of {t.seat(seat)} answers ({TRIGGERS[When(a)]}){said}."


def _one(text: Callable[[Table, int, int, int, int], str]) -> Sentence:
    return lambda t, rows: text(t, *rows[0])


_SENTENCES: dict[Event, Sentence] = {
    Event.KIT: _one(lambda t, s, a, b, c: f"{_upper(t.names.who(s))} is {t.names.monsters[a]}."),
    Event.SETUP: _one(lambda t, s, a, b, c: f"-- Set-up: {t.seat(s)}"),
    Event.TURN: _turn,
    Event.CARD: _card,
    Event.DISCARD: _discard,
    Event.DRAW: lambda t, rows: (
        f"{_upper(t.names.who(rows[0][0]))} draws {', '.join(t.names.cards[a] for _, a, _, _ in rows)}."
    ),
    Event.RESHUFFLE: _one(
        lambda t, s, a, b, c: f"{_upper(t.names.who(s))} shuffles {_many(a, 'discard')} into a new deck."
    ),
    Event.ABILITY: _ability,
    Event.TRIGGER: _one(_trigger),
    Event.ADD: _add,
    Event.GUEST: _guests,
    Event.FIGURE: _figure,
    Event.TOKEN: _tokens,
    Event.SPOOK: _spook,
    Event.DEVOUR: _devour,
    Event.SET: _one(
        lambda t, s, a, b, c: (
            f"{_upper(t.names.who(s))} has a guest of each colour and turns the set in"
            + ("." if a > 0 else "; no ticket is left.")
        )
    ),
    Event.TICKET: _one(lambda t, s, a, b, c: f"{_upper(t.names.who(s))} takes a ticket and has {a}."),
    Event.POINTS: _points,
    Event.TAKE: _passengers("takes as passengers from {room}: {guests}"),
    Event.DROP: _passengers("drops passengers in {room}: {guests}"),
    Event.PROGRAM: _program,
    Event.STUN: _one(lambda t, s, a, b, c: f"{_upper(t.names.who(a))} stuns {t.seat(s)}."),
    Event.STUN_ENDS: _one(lambda t, s, a, b, c: f"{_upper(t.seat(s))} is no longer stunned by {t.names.who(a)}."),
    Event.RUNAWAY: _one(
        lambda t, s, a, b, c: f"The chain of effects does not end: {_many(a, 'effect')} that still wait are dropped."
    ),
    Event.LAST_ROUND: _one(
        lambda t, s, a, b, c: (
            ("All tickets are taken" if a else f"{_upper(t.names.who(s))} has {_many(t.points.get(s, 0), 'point')}")
            + ": this is the LAST ROUND."
        )
    ),
    Event.TICKET_VALUE: lambda t, rows: (
        f"{_upper(t.names.who(rows[0][0]))} shows {_many(len(rows), 'ticket')}: "
        f"{', '.join(str(a) for _, a, _, _ in rows)}."
    ),
    Event.END: _end,
}


def _asked(t: Table, seat: int, a: int, b: int, c: int) -> str:
    return f"    {_upper(t.names.who(seat))} is asked {ASKED[Decision(a)]} ({_many(b, 'option')}):"


def _option(t: Table, seat: int, a: int, b: int, c: int) -> str:
    text = _option_text(t, a)
    return f"      {b / 1e6:10.3f}  {text}" if c else f"               -  {text}"


_SENTENCES |= {
    Event.ASKED: _one(_asked),
    Event.OPTION: _one(_option),
}


# --- what belongs together -------------------------------------------------------------------------------------------


def _together(t: Table, event: Event, row: Row, last: Row, fresh: bool) -> bool:
    """Whether an event is told in the sentence of the one before it, which is of the same kind.

    `fresh`: the pieces of both come from the supply.
    """
    seat, a, b, c = row
    if event in (Event.DRAW, Event.PROGRAM, Event.POINTS, Event.TICKET_VALUE):
        return seat == last[0]
    if event == Event.CARD:
        return b == last[2] == 3  # the three cards that the automaton reveals
    if event == Event.ADD:
        return (a, c) == (last[1], last[3])
    if event == Event.GUEST:
        return seat == last[0]
    if event == Event.FIGURE:  # several moved by one effect; an own figure that moves twice is told twice
        return c == last[3] and (seat, a) != last[:2] and not (seat == c == last[0])
    if event == Event.TOKEN:
        alike = t.place(seat, b).split()[0] == t.place(seat, last[2]).split()[0]
        return seat == last[0] and fresh and alike and _kind(t, seat, a) == _kind(t, seat, last[1]) and b != SUPPLY
    if event == Event.DISCARD:
        return (seat, b) == (last[0], last[2]) and b != 2
    if event in (Event.DEVOUR, Event.TAKE, Event.DROP):
        return (seat, b) == (last[0], last[2])
    return False


_Told = tuple[Event, list[Row]]


def _grouped(t: Table, events: np.ndarray, why: bool) -> list[_Told]:
    """The events as sentences: several of a kind in one, a spook with its guests."""
    found: list[_Told] = []
    out: set[tuple[int, int]] = set()  # pieces that have left the supply
    fresh = False  # whether those of the present sentence had not
    for entry in events:
        event = Event(int(entry["event"]))
        row = (int(entry["seat"]), int(entry["a"]), int(entry["b"]), int(entry["c"]))
        if event == Event.KIT:
            t.kit[row[0]] = row[1]
        if event == Event.ANSWER and not why and option_parts(row[2])[0] != Option.BRANCH:
            continue
        if event == Event.DISCARD and row[2] == 0 and not why:
            continue
        last = found[-1] if found else None
        new = row[:2] not in out
        if last and last[0] == event and _together(t, event, row, last[1][-1], fresh and new):
            last[1].append(row)
        elif last and event == Event.SPOOK and last[0] == Event.GUEST:
            guests = _of_spook(last[1], row)
            if guests:
                del last[1][-len(guests) :]
            if not last[1]:
                found.pop()
            found.append((event, [row, *guests]))
        else:
            found.append((event, [row]))
            fresh = new
        if event in (Event.FIGURE, Event.TOKEN):
            out.discard(row[:2]) if row[2] == SUPPLY else out.add(row[:2])
    t.kit.clear()  # they are told as they come
    return found


def _of_spook(guests: Rows, spook: Row) -> list[Row]:
    """The guests at the end of a run that a spook has moved."""
    seat, room, count, _ = spook
    own = [row for row in guests[-count:] if (row[0], row[2]) == (seat, room)] if count else []
    return own if len(own) == count else []


# Joined to the line before if that ends with one of these.
_SCORED = {Event.SPOOK, Event.SET, Event.TICKET, Event.FIGURE, Event.TICKET_VALUE, Event.POINTS, Event.DEVOUR}
JOINED = {Event.POINTS: _SCORED | {Event.TAKE, Event.DROP, Event.TOKEN, Event.ADD}}
JOINED |= {Event.SET: {Event.DEVOUR}, Event.TICKET: {Event.SET}}
# Told under the card, ability or step that causes them.
UNDER = {Event.ADD, Event.GUEST, Event.FIGURE, Event.TOKEN, Event.SPOOK, Event.DEVOUR, Event.SET, Event.TICKET}
UNDER |= {Event.POINTS, Event.TAKE, Event.DROP, Event.PROGRAM, Event.STUN, Event.DRAW, Event.DISCARD, Event.RESHUFFLE}
UNDER |= {Event.TRIGGER}


def _join(line: str, text: str) -> str:
    """A sentence after another in one line; the same subject is not named again."""
    subject = " ".join(text.split()[:2]) + " "
    last = line.strip().split(". ")[-1]
    return f"{line[:-1]}; {text[len(subject) :]}" if last.startswith(subject) else f"{line} {text}"


def tell(configuration: Configuration, events: np.ndarray) -> list[str]:
    """The events in sentences, several in one line; questions, options and answers only where options are traced."""
    table = Table(Names(configuration))
    why = bool((events["event"] == Event.ASKED).any())
    lines: list[str] = []
    before = Event.KIT
    for event, rows in _grouped(table, events, why):
        if event == Event.ANSWER:
            text = _answer(table, rows[0], why)
        else:
            text = _SENTENCES[event](table, rows)
        joined = _join(lines[-1], text) if lines and before in JOINED.get(event, set()) else ""
        if joined and len(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append(f"  {text}" if event in UNDER else text)
        for row in rows:
            table.follow(event, *row)
        before = event
    return lines


def _answer(table: Table, row: Row, why: bool) -> str:
    text = _option_text(table, row[2])
    return f"    -> {text}" if why else f"  {_upper(table.names.who(row[0]))} chooses: {text}."
