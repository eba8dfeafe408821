"""The Snallygaster Situation, described for the rest of the program: parameters and the ``GAME`` itself."""

from collections.abc import Mapping
from typing import Any

from simcore.content import Content
from simcore.errors import InputError
from simcore.game import Configuration, Game
from simcore.games.snallygaster import layout, town
from simcore.games.snallygaster.metrics import metrics
from simcore.games.snallygaster.position import DEALS, read_position
from simcore.games.snallygaster.tables import RIDES, RULINGS, load_content, make_rules, overlays
from simcore.games.snallygaster.telling import name_option, tell
from simcore.parameter import Parameter, Value

VERSION = 1
MONSTERS = ("dover-demon", "jersey-devil", "snallygaster", "bloody-mary")
KIDS = layout.SEATS - 1


def _integer(name: str, default: int | None, meaning: str, low: int, high: int, source: str = "rulebook") -> Parameter:
    return Parameter(name, "integer", default, meaning, low, high, source=source)


def _number(name: str, default: float | None, meaning: str, low: float, high: float, source: str) -> Parameter:
    return Parameter(name, "number", default, meaning, low, high, source=source)


PARAMETERS = (
    _integer("players", 4, "number of players, the Lost Kid among them (2: one player has two Kids)", 2, 5),
    Parameter("monster", "choice", "dover-demon", "the monster that terrorizes Lakeview", choices=MONSTERS),
    _integer("doom_length", 10, "doom steps after which all Kids lose", 1, 60, "published"),
    _number(
        "event_density",
        1.0,
        "spooky actions per Lost Kid card, relative to the content: below 1 some are dropped, above 1 some doubled "
        "(L23)",
        *(0, 2, "study"),
    ),
    _number("search_threat", None, "share of search cards with a threat, instead of the content's", 0, 1, "study"),
    _integer("treehouses", None, "open treehouses, the first of the town, instead of all", 1, 8, "estimated"),
    _integer("search_tokens", 12, "search tokens in the box", 1, 60),
    _integer("setup_tokens", 5, "search tokens placed at set-up", 0, 12),
    _integer("patrol_speed", 1, "intersections that each Fed drives in every Lost Kid turn", 0, 4),
    _integer("attack_doom", 1, "doom for each Kid that the monster hits", 0, 4),
    _integer("starting_items", 1, "items dealt to each Kid", 0, 4),
    Parameter("rides", "choice", "random", "rides: dealt at random, fixed by ride.1..ride.4, or off", choices=RIDES),
    *(
        Parameter(f"ride.{i}", "text", "none", f"the ride of Kid {i} where rides = fixed", source="study")
        for i in range(1, 1 + KIDS)
    ),
    _integer(
        "hidden_buildings", None, "buildings that may hide the Lost Kid, the lowest numbers, instead of all", 1, 40
    ),
    _integer("hand_size", 4, "cards in the Lost Kid's hand", 1, 8),
    _integer("piles", 3, "discard piles", 1, layout.PILES),
    _integer("kid_turns", 2, "Kid turns after each Lost Kid turn", 1, 6),
    _integer("feds_flight", 3, "intersections that attacked Feds flee", 0, 8),
    _integer("symbol_steps", 3, "steps for a symbol spent in a movement (0: not possible)", 0, 8),
    _integer("road_bonus", 1, "steps more after ending a movement on a road", 0, 4),
    Parameter("immunity", "flag", True, "a Kid cannot be hit or caught before the first turn"),
    Parameter("new_hand_token", "flag", True, "the Lost Kid has the New Hand token"),
    Parameter("double_token", "flag", True, "three Kids use the 2x token"),
    Parameter("fences", "flag", True, "fences stop movement", source="estimated"),
    _integer("feds_reach", 1, "spaces beside the road that a passing Fed touches", 0, 3, "estimated"),
    _number(
        "hint_clarity", 0.8, "how well clues can be read: 0 not at all, 1 as well as the town allows", 0, 1, "study"
    ),
    _number(
        "clue_reach", 4.0, "spaces at which a landmark's hint has lost most of its weight (e-fold)", 0.5, 30, "study"
    ),
    _number("coordination", 1.0, "share of the Kids' turns that follow one plan (L22)", 0, 1, "study"),
    _integer("turn_cap", 240, "a game is broken off after so many turns, and counted", 10, 1000, "study"),
    _number("seconds_per_turn", 65.0, "pace at the table, for minutes only", 1, 600, "estimated"),
    *RULINGS,
)


def check(settings: Mapping[str, Value | None], content: Content) -> None:
    """Refuse settings that contradict each other."""
    if settings["rides"] != "fixed":
        for i in range(1, 1 + KIDS):
            if settings[f"ride.{i}"] != "none":
                raise InputError(
                    f"ride.{i} = {settings[f'ride.{i}']} needs rides = fixed (rides is {settings['rides']})"
                )
    named = [settings[f"ride.{i}"] for i in range(1, 1 + KIDS) if settings[f"ride.{i}"] != "none"]
    if len(set(named)) < len(named):
        raise InputError("ride.1 to ride.4: two Kids have the same ride")
    if int(settings["setup_tokens"] or 0) > int(settings["search_tokens"] or 0):
        raise InputError("setup_tokens: more than there are search_tokens in the box")


def unused(settings: Mapping[str, Value | None], content: Content) -> tuple[str, ...]:
    """The town is not made of cards, and rides are in play only where they are dealt."""
    return (*town.SECTIONS, *(("rides",) if settings["rides"] == "off" else ()))


def board(configuration: Configuration) -> Mapping[str, Any]:
    """The town, for the reports."""
    return town.board(town.read_town(configuration.content), configuration.content)


GAME = Game(
    name="snallygaster",
    title="The Snallygaster Situation",
    version=VERSION,
    summary="Co-operative hunt: find the Lost Kid by its clues, then beat the monster before the doom track ends.",
    seats=(2, 5),
    parameters=PARAMETERS,
    roles={"lost_kid": (0,), "kids": (1, 2, 3, 4)},
    layout=layout,
    load_content=load_content,
    make_rules=make_rules,
    metrics=metrics,
    tell=tell,
    name_option=name_option,
    overlays=overlays,
    check=check,
    unused=unused,
    kernels="simcore.games.snallygaster.turn",
    read_position=read_position,
    force_deal=DEALS,
    unranked=("monster", *(f"ride.{i}" for i in range(1, 1 + KIDS))),
    board=board,
)
