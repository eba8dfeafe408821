"""What is reported of Snowball: each number as data over the tallies and spans of a batch."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from simcore import leads
from simcore.game import Configuration, How, Metric
from simcore.games.snowball import layout, tables
from simcore.games.snowball.layout import Ledger, Span, Status, Tally

RULES = {  # the rule ledger: which rule or ruling of the lists each entry is about, and what happened
    Ledger.OPENING_EVENT: ("R2", "an Event drawn in an opening hand is shuffled back"),
    Ledger.START_TIE: ("R3", "several players tie for the start"),
    Ledger.FORCED_PASS: ("R4", "a turn without any legal action"),
    Ledger.LATER_HIT: ("R7-later-hit", "a further snowball hits a stack that had reached its cover"),
    Ledger.CONDITION_SAVED: ("R7-condition", "a Condition or lasting effect keeps a stack below the cover"),
    Ledger.COVER_DROP: ("R8", "a cover falls to the total of a standing stack"),
    Ledger.UNUSED_ITEM: ("R9", "an unused item is lost by clearing out"),
    Ledger.QUICKSHOT_HIT: ("R12", "a QuickShot answers a throw"),
    Ledger.SEVERAL_QUICKSHOTS: ("R14", "a second QuickShot answers the same throw"),
    Ledger.QUICKSHOT_ANSWERED: ("R15", "a QuickShot answers a QuickShot"),
    Ledger.THROWN_QUICKSHOT: ("R16", "a QuickShot is thrown as a plain snowball"),
    Ledger.SAVED_FROM_QUICKSHOT: ("R17", "a QuickShot's hit is absorbed"),
    Ledger.BATTED: ("R18", "a snowball is deflected"),
    Ledger.BATTED_BACK: ("R18-chain", "a deflected snowball is deflected again"),
    Ledger.SAVED: ("R19", "a hit is absorbed"),
    Ledger.HELD_QUICKSHOT: ("R20", "a QuickShot that could answer is held"),
    Ledger.DOUBLE_HIT: ("R23", "target and thrower are hit by one throw"),
    Ledger.DOUBLE_OUT: ("R23-out", "two are sent inside together"),
    Ledger.DUEL_DECIDED: ("R25", "more gear wins when two remain"),
    Ledger.DUEL_TIED: ("R26", "two are left with equal gear"),
    Ledger.WON_BY_EVENT: ("R27", "a change of gear without a hit ends the game"),
    Ledger.SURVIVOR: ("R28", "one is left after a double elimination"),
    Ledger.ALL_OUT: ("R28-tie", "nobody is left"),
    Ledger.CLEAR_BARRED: ("R31", "the two-player rule forbids a Clear Out"),
    Ledger.AUTO_CLEAR: ("R32", "a hit player clears out at once"),
    Ledger.AUTO_CLEAR_SAVED: ("R32-saved", "... though the hit was absorbed"),
    Ledger.AUTO_CLEAR_SHRUNK: ("R33", "... with four or fewer players left"),
    Ledger.EVENT_CHAIN: ("R36", "an Event is drawn while another one's refill is open"),
    Ledger.SHORT_POOL: ("R37", "Snowplow meets a hand below its size"),
    Ledger.NO_TARGET: ("R38", "an effect finds nothing to do"),
    Ledger.EVENT_OFF_TURN: ("R39", "an Event is drawn on another player's turn"),
    Ledger.RESHUFFLE_SNOWBALLS: ("R40", "the snowball deck is reshuffled"),
    Ledger.RESHUFFLE_LOCATIONS: ("R40-locations", "the location deck is reshuffled"),
    Ledger.RESHUFFLE_ITEMS: ("R40-items", "the item deck is reshuffled"),
    Ledger.SHORT_HAND: ("R42", "no numbered card is left for a refill"),
    Ledger.NO_ITEM: ("R42-item", "no item is left"),
    Ledger.RETURNED: ("R44", "an eliminated player returns"),
    Ledger.THROWER_OUT: ("B2", "a granted throw lapses with its thrower"),
    Ledger.QUICKSHOT_NUMBER: ("R13", "a throw's total is not its printed number"),
    Ledger.LATE_QUICKSHOT: ("R21", "the refill after a throw draws a QuickShot of its number"),
    Ledger.ANSWER_BETWEEN: ("R22", "with two left, a QuickShot answer is all that was thrown since a Clear Out"),
    Ledger.LEFT_CARDS: ("R24", "a player sent inside leaves cards"),
    Ledger.ACTION_BETWEEN: ("R31-action", "with two left, an Action item is used since a Clear Out"),
    Ledger.FORCED_CLEAR: ("R31-forced", "with two left, a forced Clear Out"),
    Ledger.LASTING_LAPSED: ("B3", "a lasting effect ends with its drawer's elimination"),
}
QUANTILES = (0.05, 0.5, 0.95)


def _length(name: str, span: Span, scale: float, unit: str, meaning: str) -> list[Metric]:
    found = [Metric(name, How.SPAN_MEAN, span, scale=scale, unit=unit, meaning=f"{meaning}, mean")]
    for q in QUANTILES:
        group = f"quantile={q:g}"
        found.append(Metric(name, How.SPAN_QUANTILE, span, q=q, group=group, scale=scale, unit=unit, meaning=meaning))
    return found


def _shares(seats: int, covers: Sequence[int]) -> list[Metric]:
    meaning = "share of the wins, ties split"
    found = [
        Metric("win_share", How.SHARE, Tally.SHARE_PLAYER + i, group=f"seat={i}", meaning=meaning) for i in range(seats)
    ]
    found += [
        Metric("win_share", How.SHARE, Tally.SHARE_ORDER + i, group=f"order={i}", meaning="... by turn order, 0 starts")
        for i in range(seats)
    ]
    for cover in covers:
        a, b = Tally.START_COVER_SHARE + cover, Tally.START_COVER_PLAYERS + cover
        found.append(Metric("win_share", How.SHARE_OF, a, b, f"cover={cover}", meaning="... by the first cover drawn"))
    return found


def _components(components: Sequence[tuple[str, int]], with_kids: bool) -> list[Metric]:
    found = []
    for label, slot in components:
        section = label.partition("=")[0]
        if section == "kid":
            if with_kids:
                found.append(Metric("win_share", How.SHARE_OF, slot + 1, slot, label, meaning="... by kid"))
            continue
        found.append(Metric(f"{section}_drawn", How.MEAN, slot, group=label, unit="per game", meaning="times drawn"))
        if section == "item":
            found.append(
                Metric("item_used", How.RATIO, slot + 1, slot, label, unit="per draw", meaning="uses per draw")
            )
    return found


def metrics(configuration: Configuration) -> tuple[Metric, ...]:
    """All metrics of a configuration; names, groups and units as the results show them."""
    rules = configuration.rules[0]
    covers = np.unique(rules["location_cover"][rules["location_cover"] > 0]) + rules["cover_shift"]
    return _metrics(
        configuration.seats,
        float(configuration.settings["seconds_per_turn"]) / 60,
        tuple(covers.tolist()),
        tuple(tables.component_names(configuration.content)),
        configuration.settings["kids"] != "off",
    )


@lru_cache(maxsize=64)  # most cells of a study have the same ones
def _metrics(
    seats: int, minutes: float, covers: tuple[int, ...], components: tuple[tuple[str, int], ...], with_kids: bool
) -> tuple[Metric, ...]:
    found = [
        *_shares(seats, covers),
        Metric(
            "start_edge",
            How.MEAN,
            Tally.START_EDGE,
            scale=1 / (60 * seats),
            meaning="win share of the starting player less the mean share of all",
        ),
        Metric("tie_rate", How.STATUS, Status.TIED, meaning="games that end in a tie"),
        Metric("capped_rate", How.STATUS, Status.CAPPED, meaning="games broken off at the turn cap"),
        *_length("turns", Span.TURNS, 1, "turns", "turns in a game"),
        *_length("rounds", Span.ROUNDS, 1, "rounds", "rounds begun in a game"),
        *_length("minutes", Span.TURNS, minutes, "minutes", "length at the stated pace (seconds_per_turn)"),
        *_length("first_out_turn", Span.FIRST_OUT_TURN, 1, "turns", "turn in which the first player is sent inside"),
        *_length(
            "first_out_wait_minutes", Span.FIRST_OUT_WAIT, minutes, "minutes", "how long the first player out watches"
        ),
        Metric(
            "first_out_wait_share",
            How.RATIO,
            Tally.WAITED,
            Tally.TURNS,
            meaning="turns that the first player out watches, of all turns",
        ),
        Metric(
            "lead_changes",
            How.SPAN_MEAN,
            Span.LEAD_CHANGES,
            unit="per game",
            meaning="times the strict lead in gear passes on",
        ),
        Metric(
            "one_sided_rate", How.RATE, Tally.ONE_SIDED, meaning="games whose winner never had less gear than another"
        ),
        Metric(
            "hits_between_turns_twice",
            How.RATIO,
            Tally.INTERVALS_HIT_TWICE,
            Tally.INTERVALS,
            meaning="two gear or more lost between two own turns, per such span",
        ),
        Metric(
            "out_between_turns",
            How.RATIO,
            Tally.INTERVALS_OUT,
            Tally.INTERVALS,
            meaning="sent inside between two own turns",
        ),
        Metric(
            "out_before_first_turn", How.RATE, Tally.OUT_BEFORE_TURN, meaning="games in which someone never has a turn"
        ),
        *_length("max_lost_between_turns", Span.HITS_BETWEEN_TURNS, 1, "gear", "most gear lost between two own turns"),
        Metric(
            "no_choice_share", How.RATIO, Tally.NO_CHOICE, Tally.TURNS, meaning="turns with at most one legal action"
        ),
        Metric("hits_per_throw", How.RATIO, Tally.HITS, Tally.THROWS, meaning="snowballs that hit"),
        Metric(
            "quickshot_chances_per_throw",
            How.RATIO,
            Tally.RESPONSES,
            Tally.THROWS,
            meaning="throws that a QuickShot could answer",
        ),
        Metric("gear_lost", How.MEAN, Tally.GEAR_LOST, unit="per game", meaning="gear lost, by hits and by cards"),
        Metric(
            "quickshot_hits_per_throw",
            How.RATIO,
            Tally.QUICKSHOT_HITS,
            Tally.THROWS,
            meaning="throws answered by a QuickShot",
        ),
        Metric("throws", How.MEAN, Tally.THROWS, unit="per game", meaning="snowballs thrown"),
        Metric("clear_outs", How.MEAN, Tally.CLEAR_OUTS, unit="per game", meaning="Clear Outs chosen"),
        Metric("forced_clears", How.MEAN, Tally.FORCED_CLEARS, unit="per game", meaning="Clear Outs by rule or Event"),
        Metric("actions", How.MEAN, Tally.ACTIONS, unit="per game", meaning="Action items used"),
        Metric("events", How.MEAN, Tally.EVENTS, unit="per game", meaning="Events resolved"),
        Metric(
            "reshuffles", How.SPAN_MEAN, Span.RESHUFFLES, unit="per game", meaning="reshuffles of the snowball deck"
        ),
        Metric("decisions", How.MEAN, Tally.DECISIONS, unit="per game", meaning="questions asked of players"),
        Metric(
            "leader_at_three_share",
            How.SHARE_OF,
            Tally.LEADER_AT_THREE_SHARE,
            Tally.LEADER_AT_THREE,
            meaning="win share of whoever strictly leads as three are left",
        ),
        Metric(
            "first_exposed_share",
            How.SHARE_OF,
            Tally.FIRST_EXPOSED_SHARE,
            Tally.FIRST_EXPOSED,
            meaning="win share of the first player whose cover is reached",
        ),
        *leads.metrics("gear", layout.LEAD_ROUNDS, Tally.LEAD_BEGUN, Tally.LEAD_GAMES, Tally.LEAD_SHARE),
        Metric("winner_gear", How.SPAN_MEAN, Span.WINNER_GEAR, unit="gear", meaning="gear that the winner has left"),
        Metric("double_out_rate", How.RATE, Ledger.DOUBLE_OUT, meaning="games in which two are sent inside together"),
        *_components(components, with_kids),
    ]
    for span, what in (
        (Span.DECK_USED, "snowball-cards"),
        (Span.ITEMS_USED, "item-cards"),
        (Span.LOCATIONS_USED, "location-cards"),
        (Span.GEAR_FLIPPED, "gear-flipped"),
        (Span.STACK, "cards-in-a-stack"),
    ):
        group = f"component={what}"
        meaning = "most in use at once in any game seen" if span != Span.STACK else "tallest Thrown stack seen"
        found.append(Metric("component_peak", How.SPAN_MAX, span, group=group, unit="cards", meaning=meaning))
    for entry, (rule, meaning) in RULES.items():
        group = f"rule={rule}"
        found.append(Metric("rule_rate", How.RATE, Tally.LEDGER + entry, group=group, meaning=meaning))
        found.append(
            Metric("rule_count", How.MEAN, Tally.LEDGER + entry, group=group, unit="per game", meaning=meaning)
        )
    for span, name in ((Span.TURNS, "turns"), (Span.FIRST_OUT_TURN, "first_out_turn")):
        found.append(
            Metric(f"{name}_distribution", How.SPAN_SHARE, span, unit="turns", meaning="share of games by length")
        )
    return tuple(found)
