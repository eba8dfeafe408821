"""Spooktacular, described for the rest of the program: parameters and the ``GAME`` itself."""

from collections.abc import Mapping
from typing import Any

from simcore.content import Content
from simcore.errors import InputError
from simcore.game import Configuration, Game
from simcore.games.spooktacular import layout, theater
from simcore.games.spooktacular.explaining import explain
from simcore.games.spooktacular.metrics import metrics
from simcore.games.spooktacular.position import DEALS, read_position
from simcore.games.spooktacular.tables import (
    LEVELS,
    OFF,
    RULINGS,
    automaton,
    load_content,
    make_rules,
    named_monsters,
    overlays,
    read_theater,
)
from simcore.games.spooktacular.telling import name_option, tell
from simcore.parameter import UNNAMED, Parameter, Value

VERSION = 1
MOST_WITH_AUTOMATON = layout.SEATS - 1


def _integer(name: str, default: int, meaning: str, low: int, high: int, source: str = "rulebook") -> Parameter:
    return Parameter(name, "integer", default, meaning, low, high, source=source)


def _number(name: str, default: float, meaning: str, low: float, high: float, source: str) -> Parameter:
    return Parameter(name, "number", default, meaning, low, high, source=source)


PARAMETERS = (
    _integer("players", 4, "number of players, the automaton not counted (1: solo mode)", 1, layout.SEATS),
    Parameter(
        "monsters",
        "list",
        UNNAMED,
        "monsters by player, joined by '+'; whoever is not named, or is random, gets a drawn one",
        choices=(UNNAMED,),
    ),
    Parameter("same_monsters", "flag", False, "several players may have the same monster", source="study"),
    _integer("target_score", 50, "points that trigger the last round", 11, 200),
    _integer("start_score", 10, "points at the start", 0, 100),
    _integer("tickets_per_player", 2, "tickets in the pile for each player, the automaton among them", 1, 12),
    Parameter(
        "ticket_values",
        "text",
        "4+4+5+5+6+6+7+7+8+8",
        "values of the tickets in the box, joined by '+'; those of a game are drawn from them",
        source="estimated",
    ),
    _integer("hand_size", 3, "cards up to which a hand is drawn", 1, 8),
    _integer("consolation", 5, "points for a set when no ticket is left", 0, 30),
    _integer("refill", 3, "guests added after a set, to the room with the fewest figures", 0, 12),
    _integer("guests_each", 12, "guests of each colour", 1, layout.GUESTS // layout.COLOURS),
    _number("guest_density", 1.0, "guests at set-up, relative to a room's doors - 1", 0, 3, "study"),
    Parameter("map", "choice", "theater-8", "the map", choices=("theater-8",), source="estimated"),
    Parameter(
        "locks",
        "choice",
        "captions",
        "P7: which rooms are locked: by the captions (2-3 players: top right, 4: bottom), nested (4: bottom, 2-3: "
        "both), or with a third lock at 2",
        choices=theater.READINGS,
        source="ruling",
    ),
    Parameter(
        "automaton",
        "choice",
        None,
        f"an automated Killtron as one more player: it starts with {', '.join(map(str, LEVELS.values()))} points; "
        "unset: normal with 1 player, else off",
        choices=(OFF, *LEVELS),
    ),
    _number("kit_strength", 1.0, "points, guests and spooks of estimated kits, relative to their texts", 0, 4, "study"),
    _integer("turn_cap", 400, "a game is broken off after so many turns, and counted", 10, 1000, "study"),
    _number("seconds_per_turn", 75.0, "pace at the table, for minutes only", 1, 600, "estimated"),
    *RULINGS,
)


def check(settings: Mapping[str, Value | None], content: Content) -> None:
    """Refuse settings that contradict each other."""
    players, level = int(settings["players"] or 0), automaton(settings)
    if players == 1 and level == OFF:
        raise InputError(f"automaton = off: one player plays against the automaton; it is {' or '.join(LEVELS)}")
    if players > MOST_WITH_AUTOMATON and level != OFF:
        raise InputError(
            f"automaton = {level}: the automaton joins games of up to {MOST_WITH_AUTOMATON} players, not of {players}"
        )
    names = named_monsters(settings)
    if len(names) > players:
        raise InputError(f"monsters: {len(names)} are named for {players} {'player' if players == 1 else 'players'}")
    twice = next((name for name in names if name != UNNAMED and names.count(name) > 1), "")
    if twice and not settings["same_monsters"]:
        raise InputError(f"monsters: {twice} is named twice; that needs same_monsters = on")
    target = int(settings["target_score"] or 0)
    starts = [("start_score", int(settings["start_score"] or 0))]
    starts += [(f"automaton = {level}", LEVELS[level])] if level != OFF else []
    for name, points in starts:
        if points >= target:
            raise InputError(f"{name}: {points} points at the start are not below target_score = {target}")


def unused(settings: Mapping[str, Value | None], content: Content) -> tuple[str, ...]:
    """The theater is not made of cards; where all monsters are named, the others stay in the box."""
    sections, entries = content.sections, list[str]()
    out = [*theater.SECTIONS, *(("automaton",) if automaton(settings) == OFF else ())]
    names = {*named_monsters(settings)}
    if UNNAMED not in names:
        if automaton(settings) != OFF:
            names |= {deck.monster for deck in sections["automaton"].values()}
        entries += [f"monsters.{slug}" for slug in sections["monsters"] if slug not in names]
        entries += [f"cards.{slug}" for slug, c in sections["cards"].items() if c.monster and c.monster not in names]
    return (*out, *entries)


def board(configuration: Configuration) -> Mapping[str, Any]:
    """The theater, for the reports."""
    settings, content = configuration.settings, configuration.content
    return theater.board(read_theater(settings, content), content, float(settings["guest_density"]))


def cast(configuration: Configuration) -> tuple[tuple[str, ...], ...]:
    """The monsters that each player may get: the one that is named, or all that can be drawn."""
    monsters, rules = configuration.playable, configuration.rules[0]
    fixed = [int(kit) for kit in rules["monster_of"][: configuration.seats]]
    box = [k for k in range(len(monsters)) if rules["kit_in_box"][k] and (rules["same_monsters"] or k not in fixed)]
    return tuple((monsters[kit],) if kit != layout.NONE else tuple(monsters[k] for k in box) for kit in fixed)


GAME = Game(
    name="spooktacular",
    title="Spooktacular",
    version=VERSION,
    summary="Movie monsters haunt, mash and devour a theater's guests: first past 50 points, or to the last ticket.",
    seats=(2, layout.SEATS),
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
    kernels="simcore.games.spooktacular.turn",
    read_position=read_position,
    force_deal=DEALS,
    unranked=("monsters",),
    board=board,
    explain=explain,
    named_in={"monsters": "monsters", "map": "maps"},
    played_as="monsters",
    cast=cast,
)
