"""The Great Snowball Battle, described for the rest of the program: parameters and the ``GAME`` itself."""

from collections.abc import Mapping

from simcore.content import Content
from simcore.errors import InputError
from simcore.game import Game
from simcore.games.snowball import layout
from simcore.games.snowball.metrics import metrics
from simcore.games.snowball.position import DEALS, read_position
from simcore.games.snowball.tables import FIRST_PLAYER, KIDS, RULINGS, load_content, make_rules, overlays
from simcore.games.snowball.telling import name_option, tell
from simcore.parameter import Parameter, Value

VERSION = 2

PARAMETERS = (
    Parameter("players", "integer", 4, "number of players", 2, 6),
    Parameter(
        "events",
        "integer",
        None,
        "Events shuffled in; which ones stay in the box is drawn per game (B6)",
        0,
        60,
        source="rulebook",
    ),
    Parameter("event_density", "number", None, "share of the printed Events shuffled in, instead of `events`", 0, 1),
    Parameter("gear", "integer", 3, "gear cards per player: hits to be sent inside", 1, 9),
    Parameter("hand_size", "integer", 2, "cards in a hand", 1, 6),
    Parameter(
        "quickshots_per_number",
        "integer",
        None,
        "QuickShots of each number, instead of the content's",
        0,
        4,
        source="inferred",
    ),
    Parameter("cover_shift", "integer", 0, "added to every cover number", -7, 10),
    Parameter(
        "kids",
        "choice",
        "off",
        "kids: off, dealt at random, chosen, or fixed by kid.0..kid.5",
        choices=KIDS,
        source="study",
    ),
    *(
        Parameter(f"kid.{i}", "text", "none", f"the kid of player {i} where kids = fixed", source="study")
        for i in range(layout.SEATS)
    ),
    Parameter("first_player", "choice", "lowest_cover", "who starts", choices=FIRST_PLAYER),
    Parameter(
        "auto_clear_from", "integer", 5, "a hit player clears out at once from this many players on (7: never)", 2, 7
    ),
    Parameter("two_player_clear_rule", "flag", True, "with two players left nobody may clear out twice in a row (B1)"),
    Parameter(
        "turn_cap", "integer", 500, "a game is broken off after so many turns, and counted", 10, 1000, source="study"
    ),
    Parameter("seconds_per_turn", "number", 18.0, "pace at the table, for minutes only", 1, 600, source="estimated"),
    *RULINGS,
)


def check(settings: Mapping[str, Value | None], content: Content) -> None:
    """Refuse settings that contradict each other."""
    if settings["events"] is not None and settings["event_density"] is not None:
        raise InputError("events and event_density are two ways to say the same: give one of them")
    if settings["kids"] != "fixed":
        for i in range(layout.SEATS):
            if settings[f"kid.{i}"] != "none":
                raise InputError(f"kid.{i} = {settings[f'kid.{i}']} needs kids = fixed (kids is {settings['kids']})")
    named = [settings[f"kid.{i}"] for i in range(int(settings["players"] or 0)) if settings[f"kid.{i}"] != "none"]
    if len(set(named)) < len(named):
        raise InputError("kid.0 to kid.5: two players have the same kid")


def unused(settings: Mapping[str, Value | None], content: Content) -> tuple[str, ...]:
    """Kids are in play only where they are switched on."""
    return ("kids",) if settings["kids"] == "off" else ()


GAME = Game(
    name="snowball",
    title="The Great Snowball Battle",
    version=VERSION,
    summary="Take-that card game with player elimination: throw snowballs, clear out in time, be the last standing.",
    seats=(2, 6),
    parameters=PARAMETERS,
    roles={},
    layout=layout,
    load_content=load_content,
    make_rules=make_rules,
    metrics=metrics,
    tell=tell,
    name_option=name_option,
    overlays=overlays,
    check=check,
    unused=unused,
    kernels="simcore.games.snowball.turn",
    read_position=read_position,
    force_deal=DEALS,
)
