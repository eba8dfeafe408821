"""The words of the monsters' cards and boards: patterns of verbs and controls, and the vocabularies they take.

Three kinds of text share one language: the effect of a card, the set-up, turn and abilities of a monster, and its
standing rules (``standing``), which alone know ``when``, ``instead of`` and ``always``. In every text *you* is the
monster's player, whoever's turn it is; a text that has picked something goes on about "that room", "that player", "that
monster", "that token". Places, pieces and counts about a token take the names of the monster's own components.

``docs/effect-language.md`` shows the language with examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simcore.effects import Control, Language, Verb
from simcore.games.spooktacular.layout import ABILITIES, NONE, SLOTS, Bar, Count, Op, Piece, Place, Rule, When, Who

BY_KIND = 32  # a place or count about a token of kind k: 32 k more
MOST = 60  # guests there are

# --- vocabularies that all monsters share ----------------------------------------------------------------------------

PLACES = {
    "your room": Place.HERE,
    "that room": Place.THERE,
    "any room": Place.ANY,
    "another room": Place.OTHER,
    "connected room": Place.NEXT,
    "room with another monster": Place.MONSTER,
    "room with guests": Place.GUESTS,
    "room connected to that room": Place.NEXT_THERE,
    "room with fewest guests": Place.FEWEST,
    "room with most guests": Place.MOST,
}
PIECES = {
    "your figure": Piece.OWN,
    "that figure": Piece.THAT,
    "that monster": Piece.THEIRS,
    "another monster": Piece.MONSTER,
    "a figure": Piece.FIGURE,
}
PLAYERS = {
    "that player": Who.THAT,
    "any other player": Who.ANY,
    "leader": Who.LEADER,
    "another player in your room": Who.HERE,
}
COUNTS = {
    "guests in your room": Count.GUESTS_HERE,
    "guests in that room": Count.GUESTS_THERE,
    "colours in your room": Count.COLOURS_HERE,
    "colours in that room": Count.COLOURS_THERE,
    "other players in your room": Count.PLAYERS_HERE,
    "other players in or next to your room": Count.PLAYERS_NEAR,
    "doors of your room": Count.DOORS_HERE,
    "guests in your pile": Count.PILE,
    "colours in your pile": Count.PILE_COLOURS,
    "your tickets": Count.TICKETS,
    "cards in your hand": Count.HAND,
    "your passengers": Count.PASSENGERS,
    "colours among your passengers": Count.PASSENGER_COLOURS,
    "guests spooked this turn": Count.SPOOKED,
    "guests devoured this turn": Count.DEVOURED,
    "cards played this turn": Count.PLAYED,
    "tokens returned this turn": Count.RETURNED,
    "points behind": Count.BEHIND,
}
RULES = {
    "play a card": Rule.PLAY,
    "move": Rule.MOVE,
    "spook": Rule.SPOOK,
    "devour": Rule.DEVOUR,
    "add guests": Rule.ADD,
}
THAT_SPACE = "that space"  # found out in play: may be any space of the board


def vocabularies(
    kinds: Iterable[str], abilities: Mapping[str, int], cards: Mapping[str, int], spaces: Iterable[str] = ()
) -> dict[str, Any]:
    """All vocabularies of a monster: those that all share, and those about its own tokens, abilities and cards.

    `kinds`: names of its components in their order; `abilities`: numbers of abilities and spaces; `cards`: numbers of
    the cards that it can load by name; `spaces`: which of the abilities are spaces of its board.
    """
    places: dict[str, int] = {**PLACES}
    pieces: dict[str, int] = {**PIECES}
    counts: dict[str, int] = {**COUNTS}
    tokens: dict[str, int] = {}
    for k, kind in enumerate(kinds):
        tokens[kind] = k
        places[f"room with your {kind}"] = Place.WITH + BY_KIND * k
        places[f"room without your {kind}"] = Place.WITHOUT + BY_KIND * k
        places[f"your {kind}"] = Place.INSIDE + BY_KIND * k
        pieces[f"your {kind}"] = Piece.TOKEN + k
        pieces[f"that {kind}"] = Piece.THAT
        for phrase, count in (
            ("rooms with your {}", Count.TOKEN_ROOMS),
            ("your {} in rooms", Count.TOKENS_OUT),
            ("your {} on the score track", Count.TOKENS_TRACK),
            ("your {} on your board", Count.TOKENS_BOARD),
            ("your {} in your room", Count.TOKENS_HERE),
            ("your {} in that room", Count.TOKENS_THERE),
            ("guests in rooms with your {}", Count.TOKEN_GUESTS),
            ("other players in rooms with your {}", Count.TOKEN_PLAYERS),
            ("guests in your {}", Count.INSIDE),
        ):
            counts[phrase.format(kind)] = count + BY_KIND * k
    pieces.setdefault("your figure", Piece.OWN)
    return {
        "place": {k: int(v) for k, v in places.items()},
        "piece": {k: int(v) for k, v in {**pieces, "your figure": Piece.OWN}.items()},
        "count": {k: int(v) for k, v in counts.items()},
        "player": {k: int(v) for k, v in PLAYERS.items()},
        "token": tokens,
        "that": {"that token": NONE, **{f"that {kind}": NONE for kind in tokens}},
        "ability": {**abilities, THAT_SPACE: NONE},
        "space": {name: abilities[name] for name in spaces},
        "card": {"a card": NONE, **cards},
        "slot": {"any slot": NONE, **{f"slot {i + 1}": i for i in range(SLOTS)}},
        "rule": {k: int(v) for k, v in RULES.items()},
    }


# --- verbs ------------------------------------------------------------------------------------------------------------

HERE = {"place": int(Place.HERE)}
FEW = (1, 9)
VERBS = (
    Verb("gain {n}", Op.GAIN, bounds=(0, 30), meaning="gain points"),
    Verb(
        "gain {n} per [{m}] {what:count} [up to {most}]",
        Op.GAIN_PER,
        bounds={"n": (0, 9), "m": (1, 9), "most": (1, 60)},
        defaults={"m": 1, "most": 0},
        meaning="points for each so many, at most",
    ),
    Verb("lose {n}", Op.LOSE, bounds=(0, 30), meaning="lose points, never below 0"),
    Verb("that player gains {n}", Op.GIVE, bounds=(0, 30), meaning="that player gains points"),
    Verb("steal {n} from {who:player}", Op.STEAL, bounds=(0, 30), meaning="take points, as many as there are"),
    Verb("draw {n}", Op.DRAW, bounds=FEW, meaning="draw cards"),
    Verb("draw up", Op.DRAW_UP, meaning="draw until the hand is full"),
    Verb("that player draws {n}", Op.THEY_DRAW, bounds=FEW, meaning="that player draws cards"),
    Verb("discard {n}", Op.DISCARD, bounds=FEW, meaning="discard cards from the hand"),
    Verb("play a card", Op.PLAY, meaning="play a card from the hand"),
    Verb("copy the last card of {who:player}", Op.COPY, meaning="do what that player's last card says"),
    Verb("do {what:ability}", Op.DO, meaning="do a named ability, or a space of the board"),
    Verb("do the space of your {token:token}", Op.DO_SPACE, meaning="do the space on which the token lies"),
    Verb(
        "add {n} guest[s] [to {where:place}]",
        Op.ADD,
        bounds=(0, 12),
        defaults={"where": int(Place.HERE)},
        meaning="guests drawn from the bag",
    ),
    Verb(
        "move up to {n} guest[s] from {a:place} to {b:place}",
        Op.MOVE_GUESTS,
        fixed=(1,),
        bounds=(1, MOST),
        meaning="move guests, as many as you like up to a number",
    ),
    Verb(
        "move {n} guest[s] from {a:place} to {b:place}",
        Op.MOVE_GUESTS,
        fixed=(0,),
        bounds=(1, MOST),
        meaning="move guests",
    ),
    Verb(
        "spook [in {where:place}]",
        Op.SPOOK,
        defaults={"where": int(Place.HERE)},
        meaning="a guest out of each door, a point for each",
    ),
    Verb("devour that colour [in {where:place}]", Op.DEVOUR_COLOUR, defaults={"where": int(Place.HERE)}),
    Verb(
        "devour each colour [in {where:place}]",
        Op.CONSUME,
        defaults={"where": int(Place.HERE)},
        meaning="devour one guest of each colour",
    ),
    Verb(
        "devour up to {n} [in {where:place}]",
        Op.DEVOUR,
        fixed=(1,),
        bounds=(1, MOST),
        defaults={"where": int(Place.HERE)},
        meaning="devour guests, as many as you like up to a number",
    ),
    Verb(
        "devour {n} [in {where:place}]",
        Op.DEVOUR,
        fixed=(0,),
        bounds=(1, MOST),
        defaults={"where": int(Place.HERE)},
        meaning="devour guests, one after the other",
    ),
    Verb(
        "take up to {n} guest[s] [from {where:place}]",
        Op.TAKE,
        fixed=(1,),
        bounds=(1, MOST),
        defaults={"where": int(Place.HERE)},
        meaning="guests become passengers on your board",
    ),
    Verb(
        "take {n} guest[s] [from {where:place}]",
        Op.TAKE,
        fixed=(0,),
        bounds=(1, MOST),
        defaults={"where": int(Place.HERE)},
        meaning="guests become passengers on your board",
    ),
    Verb(
        "drop {n} guest[s] [in {where:place}]",
        Op.DROP,
        bounds=(1, MOST),
        defaults={"where": int(Place.HERE)},
        meaning="passengers get off in a room",
    ),
    # figures and tokens
    Verb(
        "move [{piece:piece}] [from {where:place}] [to {to:place}]",
        Op.MOVE,
        defaults={"piece": int(Piece.OWN), "where": int(Place.ANY), "to": int(Place.NEXT)},
        meaning="your figure through a door, or what is named to where it says",
    ),
    Verb("mash for {n}", Op.MASH, bounds=FEW, meaning="all monsters out of your room, points for each player"),
    Verb("swap with that figure", Op.SWAP, meaning="your figure and that one change rooms"),
    Verb("stun {who:player}", Op.STUN, meaning="that player's figures do not move until your next turn"),
    Verb("act from your {token:token}", Op.ACT_FROM, meaning="choose the figure from which your effects work"),
    Verb("place {token:token} between {a:place} and {b:place}", Op.PLACE_DOOR, meaning="a door token"),
    Verb(
        "place {token:token} {n} ahead of {who:player}",
        Op.PLACE_AHEAD,
        bounds=(1, 20),
        meaning="a token on the score track",
    ),
    Verb(
        "place {token:token} in {where:place}",
        Op.PLACE,
        meaning="from the supply, else from your board",
    ),
    Verb("place {token:token}", Op.PLACE, fixed=(int(Place.HERE),), meaning="the same in your room"),
    Verb("fill your board with {token:token}", Op.FILL, meaning="one on each space, as far as they go"),
    Verb("put {token:token} on {space:space}", Op.PUT, meaning="a marker on a space of your board"),
    Verb(
        "advance {token:token} {n}", Op.ADVANCE, bounds=FEW, meaning="spaces onward, the last is followed by the first"
    ),
    Verb("return {that:that} to free space", Op.RETURN, fixed=(1,), meaning="to an empty space of your board"),
    Verb("return {that:that}", Op.RETURN, fixed=(0,), meaning="to your supply"),
    Verb("return your {token:token}", Op.RETURN, fixed=(0,), meaning="one of them to your supply"),
    Verb("pick your {token:token} in {where:place}", Op.PICK_TOKEN, meaning="that token, that room, that player"),
    Verb("pick another monster in {where:place}", Op.PICK_MONSTER, meaning="that monster, that player, that room"),
    Verb("pick another player", Op.PICK_PLAYER, fixed=(int(Who.ANY),), meaning="that player"),
    Verb("pick leader", Op.PICK_PLAYER, fixed=(int(Who.LEADER),), meaning="that player: who has the most points"),
    Verb("pick {where:place}", Op.PICK_ROOM, meaning="that room"),
    # the program
    Verb("run slot {n}", Op.RUN, bounds=(1, SLOTS), meaning="do what the card in a slot of the program says"),
    Verb("discard slot {n}", Op.DISCARD_SLOT, bounds=(1, SLOTS), meaning="the card in a slot to the discards"),
    Verb("shift slots", Op.SHIFT, meaning="cards move one slot to the right"),
    Verb("load {what:card} in {where:slot}", Op.LOAD, meaning="a card into an empty slot of the program"),
    Verb("reorder slots", Op.REORDER, meaning="put the program in another order"),
)
CONTROLS = (
    Control("until none", Op.UNTIL_NONE, meaning="again and again, until nothing is left to pick"),
    Control("for each your {token:token} [in {where:place}]", Op.FOR_TOKENS, defaults={"where": int(Place.ANY)}),
    Control("for each other player in or next to {where:place}", Op.FOR_PLAYERS, fixed=(2,)),
    Control("for each other player in {where:place}", Op.FOR_PLAYERS, fixed=(1,)),
    Control("for each other player", Op.FOR_PLAYERS, fixed=(int(Place.ANY), 0)),
    Control("for each colour in {where:place}", Op.FOR_COLOURS),
    Control("for each {where:place}", Op.FOR_ROOMS),
    Control("if {n} or more {what:count}", Op.IF, bounds=(1, 99)),
    Control("if fewer than {n} {what:count}", Op.IF_FEWER, bounds=(1, 99)),
    Control("at {where:place}", Op.AT, meaning="all of it works from that room"),
    Control("once a turn", Op.ONCE),
    Control("repeat {n}", Op.REPEAT, bounds=FEW),
)
ALWAYS = ("always",)
STANDING_VERBS = (
    Verb("{token:token} is a room joined to its place", Op.EXTRA_ROOM, within=ALWAYS),
    Verb("no guest may leave {where:place}", Op.BAR, fixed=(int(Bar.GUEST_LEAVES),), within=ALWAYS),
    Verb("no guest may enter {where:place}", Op.BAR, fixed=(int(Bar.GUEST_ENTERS),), within=ALWAYS),
    Verb("no guest may be added to {where:place}", Op.BAR, fixed=(int(Bar.GUEST_ADDED),), within=ALWAYS),
    Verb("no other monster may leave {where:place}", Op.BAR, fixed=(int(Bar.MONSTER_LEAVES),), within=ALWAYS),
    Verb("no other monster may enter {where:place}", Op.BAR, fixed=(int(Bar.MONSTER_ENTERS),), within=ALWAYS),
    Verb("your {token:token} are doors for you alone", Op.DOORS, fixed=(0,), within=ALWAYS),
    Verb("your {token:token} are doors for all", Op.DOORS, fixed=(1,), within=ALWAYS),
)
TRIGGERS = (
    Control("always"),
    Control("when you devour", Op.WHEN, fixed=(0, int(When.DEVOUR))),
    Control("when you turn in a set", Op.WHEN, fixed=(0, int(When.SET))),
    Control("when you spook", Op.WHEN, fixed=(0, int(When.SPOOKED))),
    Control("when a guest enters {where:place}", Op.WHEN, fixed=(int(When.GUEST_ENTERS),)),
    Control("when another monster enters {where:place}", Op.WHEN, fixed=(int(When.MONSTER_ENTERS),)),
    Control("when another player passes your {token:token}", Op.WHEN, fixed=(int(When.PASSES),)),
    Control("when a guest passes your {token:token}", Op.WHEN, fixed=(int(When.GUEST_PASSES),)),
    Control("when your turn begins", Op.WHEN, fixed=(0, int(When.TURN))),
    Control("when another player moves your figure", Op.WHEN, fixed=(0, int(When.PUSHED))),
    Control("when another player steals from you", Op.WHEN, fixed=(0, int(When.ROBBED))),
    Control("instead of {rule:rule}", Op.INSTEAD),
)
CARD = Language(
    "a card",
    VERBS,
    CONTROLS,
    may=Op.MAY,
    choose=(Op.CHOOSE, Op.BRANCH),
    calls=("ability",),
)
BOARD = Language(
    "a monster's board",
    VERBS,
    CONTROLS,
    may=Op.MAY,
    choose=(Op.CHOOSE, Op.BRANCH),
    calls=("ability",),
)
STANDING = Language(
    "a standing rule",
    (*STANDING_VERBS, *VERBS),
    (*TRIGGERS, *CONTROLS),
    may=Op.MAY,
    choose=(Op.CHOOSE, Op.BRANCH),
    calls=("ability",),
)


def ability_numbers(kit: int, abilities: Iterable[str], spaces: Iterable[str]) -> dict[str, int]:
    """Numbers of a monster's abilities and, after them, of its spaces."""
    return {name: ABILITIES * kit + i for i, name in enumerate((*abilities, *spaces))}
