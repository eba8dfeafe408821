"""What is reported of The Snallygaster Situation: each number as data over the tallies and spans of a batch."""

from collections.abc import Sequence
from functools import lru_cache

from simcore.game import Configuration, How, Metric
from simcore.games.snallygaster import layout, tables
from simcore.games.snallygaster.layout import Ledger, Source, Span, Status, Tally

RULES = {  # the rule ledger: which rule or ruling of the list each entry is about, and what happened
    Ledger.RESCUED: ("L1", "the Lost Kid is freed"),
    Ledger.WRONG_GUESS: ("L1-guess", "a spoken guess is wrong"),
    Ledger.HIDDEN_PASSED: ("L1-passed", "the hidden building is searched without freeing the Lost Kid"),
    Ledger.LOST_KID_RESHUFFLE: ("L3", "the Lost Kid deck is reshuffled"),
    Ledger.NEW_HAND_ICON: ("L4", "a New Hand icon is used"),
    Ledger.ICON_CARDS: ("L4-cards", "a card is put away by a New Hand icon"),
    Ledger.FIVE_CARDS: ("L4-five", "a new hand before step 4"),
    Ledger.ACTION_USED: ("L5", "an action icon is used"),
    Ledger.ACTION_DECLINED: ("L5-declined", "an action icon is declined"),
    Ledger.MOVE_KID: ("L5-kid", "a card moves a Kid"),
    Ledger.NEW_HAND_TOKEN: ("L6", "the New Hand token is spent"),
    Ledger.SYMBOL_STEPS: ("L6-symbol", "a symbol is spent for steps"),
    Ledger.IMMUNE: ("L6-immune", "the monster attacks while a Kid is not on the board yet"),
    Ledger.FEDS_FLEE: ("L7", "an attacked Fed flees"),
    Ledger.FLIGHT_CAUGHT: ("L7-caught", "a fleeing Fed catches a Kid"),
    Ledger.NOBODY: ("L8", "there is no Kid to chase"),
    Ledger.TWO_DISTRICTS: ("L9", "two districts lie in the monster's direction"),
    Ledger.ROAD_HIT: ("L9-road", "a Kid is hit on a road between districts"),
    Ledger.TIED_KIDS: ("L28", "the monster has several ways towards the closest Kids"),
    Ledger.STUNNED: ("L10", "the Stun token stops the monster"),
    Ledger.STUN_WASTED: ("L10-second", "a second Stun token is lost"),
    Ledger.NOT_THERE: ("L11", "an item fails because the hidden monster is elsewhere"),
    Ledger.FREE_MOVE_HOME: ("L12", "a free move ends in a treehouse"),
    Ledger.WHEELS_USED_UP: ("L13", "a Kid has used the last wheel"),
    Ledger.DOUBLE_USED_UP: ("L13-double", "... between the two turns of a 2x"),
    Ledger.REACTION: ("L14", "an item is used out of turn or before a step"),
    Ledger.ROAD_BONUS: ("L15", "a movement ends with the road bonus"),
    Ledger.FREE_MOVE_BONUS: ("L15-free", "a free move ends with it"),
    Ledger.TREEHOUSE_TIE: ("L16", "several treehouses are nearest"),
    Ledger.DOUBLE_TURN: ("L17", "a Kid has the second turn of a 2x"),
    Ledger.LOST_KID_HIT: ("L18", "the rescued Lost Kid is hit"),
    Ledger.NO_TOKEN: ("L19", "no search token is left"),
    Ledger.STACK_SHUFFLED: ("L19-stack", "a symbol's spent tiles are shuffled"),
    Ledger.NO_SYMBOL: ("L19-symbol", "no tile of a symbol is left"),
    Ledger.TOGETHER_END: ("L20", "the last goal is done with doom to come in the same action"),
    Ledger.SPARE_WHEEL: ("L21", "a spare wheel comes into play"),
    Ledger.SPLIT: ("L22", "a Kid's turn does not follow the common plan"),
    Ledger.DROPPED: ("L23", "a spooky action is dropped"),
    Ledger.DOUBLED: ("L23-doubled", "a spooky action is doubled"),
    Ledger.MOVE_CUT: ("L24", "a Kid is hit in his own movement"),
    Ledger.NOTHING_TO_DO: ("L25", "an effect finds nothing to do"),
    Ledger.OFF_BOARD: ("L27", "the monster cannot move"),
    Ledger.TRADED: ("L30", "something is traded"),
    Ledger.PATROL: ("patrol", "a Fed completes its patrol"),
    Ledger.ITEM_RESHUFFLE: ("items", "the item deck is reshuffled"),
    Ledger.SEARCH_RESHUFFLE: ("searches", "the search deck is reshuffled"),
    Ledger.NO_ITEM: ("no-item", "no item is left"),
    Ledger.THREAT_CHANGED: ("search-threat", "a search card's threat is changed by search_threat"),
}
QUANTILES = (0.05, 0.5, 0.95)
DOOM_SOURCES = {
    Source.ATTACK: "attack",
    Source.CAUGHT: "feds-catch",
    Source.PATROL: "patrol",
    Source.CANNOT_MOVE: "cannot-move",
    Source.NOBODY: "no-kid-to-chase",
    Source.ICON: "doom-icon",
    Source.SEARCH: "search",
    Source.SYMBOL: "symbol",
    Source.NEW_HAND: "new-hand",
    Source.GUESS: "wrong-guess",
    Source.MONSTER: "monster-rule",
    Source.ITEM: "item-or-goal",
    Source.STORY: "story",
}


def _length(name: str, span: Span, scale: float, unit: str, meaning: str) -> list[Metric]:
    found = [Metric(name, How.SPAN_MEAN, span, scale=scale, unit=unit, meaning=f"{meaning}, mean")]
    for q in QUANTILES:
        group = f"quantile={q:g}"
        found.append(Metric(name, How.SPAN_QUANTILE, span, q=q, group=group, scale=scale, unit=unit, meaning=meaning))
    return found


def _doom() -> list[Metric]:
    found = []
    for source, name in DOOM_SOURCES.items():
        slot, group = Tally.DOOM + source, f"doom_source={name}"
        found.append(
            Metric("doom", How.MEAN, slot, group=group, unit="per game", meaning="doom by where it comes from")
        )
        found.append(Metric("doom_share", How.RATIO, slot, Tally.DOOM_ALL, group, meaning="share of all doom"))
    return found


def _rounds() -> list[Metric]:
    found = []
    for r in range(layout.ROUNDS):
        group = f"round={r + 1}"
        found.append(
            Metric(
                "win_rate_from_round",
                How.RATE_OF,
                Tally.WON_ROUND + r,
                Tally.ALIVE_ROUND + r,
                group,
                unit="share",
                meaning="games won, of those that reach this round",
            )
        )
        found.append(
            Metric(
                "win_rate_if_rescued",
                How.RATE_OF,
                Tally.RESCUE_ROUND_WON + r,
                Tally.RESCUE_ROUND + r,
                group,
                unit="share",
                meaning="games won, of those rescued in this round",
            )
        )
        found.append(
            Metric(
                "belief",
                How.RATIO,
                Tally.BELIEF_ROUND_TRUE + r,
                Tally.BELIEF_ROUND + r,
                group,
                scale=1 / layout.BELIEF,
                unit="share",
                meaning="what the Kids' players give to the true building, in this round",
            )
        )
    return found


def _states() -> list[Metric]:
    """Games won by the doom left as a round begins: whether the result is still open."""
    found = []
    for r in range(layout.STATE_ROUNDS):
        for left in range(1, layout.STATES + 1):
            slot = layout.STATES * r + left - 1
            found.append(
                Metric(
                    "win_rate_from_state",
                    How.RATE_OF,
                    Tally.STATE_WON + slot,
                    Tally.STATE + slot,
                    f"doom_left={left}{'+' if left == layout.STATES else ''}",
                    f"round={r + 1}",
                    unit="share",
                    meaning="games won, of those that begin this round with so much doom left",
                )
            )
    return found


def _components(components: Sequence[tuple[str, int]]) -> list[Metric]:
    """Of what the configuration deals: how often it is seen and used. The games won where it was used are told only
    beside its impact (see ``won_where_used``): whoever uses much has lived long."""
    found = []
    for label, slot in components:
        found.append(Metric("seen", How.MEAN, slot, group=label, unit="per game", meaning="dealt, drawn or opened"))
        found.append(Metric("used", How.MEAN, slot + 1, group=label, unit="per game", meaning="used, or done"))
    return found


def won_where_used(configuration: Configuration, group: str) -> Metric | None:
    """Games won, of those in which a component (`item=doll` and the like) is used; None if it is not counted."""
    slot = dict(tables.component_names(configuration.settings, configuration.content)).get(group)
    return None if slot is None else Metric("win_rate_where_used", How.RATE_OF, slot + 2, slot + 1, group)


def metrics(configuration: Configuration) -> tuple[Metric, ...]:
    """All metrics of a configuration; names, groups and units as the results show them."""
    components = tuple(tables.component_names(configuration.settings, configuration.content))
    return _metrics(float(configuration.settings["seconds_per_turn"]) / 60, components)


@lru_cache(maxsize=64)  # most cells of a study have the same ones
def _metrics(minutes: float, components: tuple[tuple[str, int], ...]) -> tuple[Metric, ...]:
    found = [
        Metric("win_rate", How.RATE, Tally.WON, meaning="games that the Kids win, all together"),
        Metric("capped_rate", How.STATUS, Status.CAPPED, meaning="games broken off at the turn cap"),
        *_length("rounds", Span.ROUNDS, 1, "rounds", "rounds begun in a game"),
        *_length("turns", Span.TURNS, 1, "turns", "turns of the Lost Kid and of the Kids"),
        *_length("minutes", Span.TURNS, minutes, "minutes", "length at the stated pace (seconds_per_turn)"),
        Metric("doom", How.MEAN, Tally.DOOM_ALL, unit="per game", meaning="doom steps"),
        Metric("doom_per_round", How.RATIO, Tally.DOOM_ALL, Tally.ROUNDS, unit="per round", meaning="doom per round"),
        *_doom(),
        Metric(
            "doom_beyond_reach",
            How.RATIO,
            Tally.BEYOND,
            Tally.DOOM_ALL,
            unit="share",
            meaning="doom by icons, edges of the town, patrols and new hands: no Kid's turn prevents it",
        ),
        Metric("rescue_rate", How.RATE, Tally.RESCUED, meaning="games in which the Lost Kid is freed"),
        *_length("rescue_round", Span.RESCUE_ROUND, 1, "round", "round of the rescue"),
        Metric(
            "win_rate_rescued",
            How.RATE_OF,
            Tally.RESCUED_WON,
            Tally.RESCUED,
            unit="share",
            meaning="games won, of those with a rescue",
        ),
        Metric(
            "lost_before_rescue",
            How.RATE,
            Tally.LOST_BEFORE_RESCUE,
            unit="share",
            meaning="games lost before the rescue",
        ),
        Metric("goals", How.MEAN, Tally.GOALS, unit="per game", meaning="goals done"),
        Metric("goals_when_lost", How.SPAN_MEAN, Span.GOALS_LOST, unit="goals", meaning="goals done in games lost"),
        Metric("doom_left", How.SPAN_MEAN, Span.DOOM_LEFT, unit="doom", meaning="doom steps left in games won"),
        Metric("searches", How.MEAN, Tally.SEARCHES, unit="per game", meaning="search cards drawn"),
        Metric(
            "search_threatened",
            How.RATIO,
            Tally.THREATENED,
            Tally.SEARCH_TURNS,
            unit="share",
            meaning="turns with a search card in which the monster or a Fed then moves",
        ),
        Metric(
            "doom_per_search",
            How.RATIO,
            Tally.SEARCH_DOOM,
            Tally.SEARCHES,
            unit="per search",
            meaning="doom in the turn after a search card was drawn",
        ),
        Metric(
            "treehouse_searches", How.MEAN, Tally.TREEHOUSE_SEARCHES, unit="per game", meaning="treehouses searched"
        ),
        Metric(
            "turns_in_treehouse",
            How.RATIO,
            Tally.IN_TREEHOUSE,
            Tally.KID_TURNS,
            unit="share",
            meaning="Kids' turns ending in a treehouse",
        ),
        Metric("sent_to_treehouse", How.MEAN, Tally.TREEHOUSE_SENT, unit="per game", meaning="Kids sent away"),
        Metric("symbols_gained", How.MEAN, Tally.SYMBOLS, unit="per game", meaning="symbol tiles gained"),
        Metric("hits", How.MEAN, Tally.HITS, unit="per game", meaning="Kids hit by the monster"),
        Metric("catches", How.MEAN, Tally.CATCHES, unit="per game", meaning="Kids caught by the Feds"),
        Metric("trades", How.MEAN, Ledger.TRADED, unit="per game", meaning="items and symbols traded"),
        Metric(
            "no_choice_share",
            How.RATIO,
            Tally.NO_CHOICE,
            Tally.KID_TURNS,
            meaning="movements with nothing to choose, per turn of a Kid",
        ),
        Metric("decisions", How.MEAN, Tally.DECISIONS, unit="per game", meaning="questions asked of players"),
        Metric(
            "belief",
            How.RATIO,
            Tally.BELIEF_TRUE,
            Tally.BELIEF_COUNT,
            scale=1 / layout.BELIEF,
            unit="share",
            meaning="what the Kids' players give to the true building, where they keep a belief",
        ),
        *_rounds(),
        *_states(),
        *_components(components),
    ]
    for span, what, unit in (
        (Span.TOKENS, "search-tokens", "tokens"),
        (Span.SYMBOLS, "symbol-tiles", "tiles"),
        (Span.ITEMS, "item-cards", "cards"),
        (Span.CURSES, "curse-tokens", "tokens"),
        (Span.BYSTANDERS, "bystanders", "tokens"),
    ):
        found.append(
            Metric(
                "component_peak",
                How.SPAN_MAX,
                span,
                group=f"component={what}",
                unit=unit,
                meaning="most in use at once in any game seen",
            )
        )
    for entry, (rule, meaning) in RULES.items():
        group = f"rule={rule}"
        found.append(Metric("rule_rate", How.RATE, Tally.LEDGER + entry, group=group, meaning=meaning))
        found.append(
            Metric("rule_count", How.MEAN, Tally.LEDGER + entry, group=group, unit="per game", meaning=meaning)
        )
    for span, name, unit in (
        (Span.ROUNDS, "rounds", "rounds"),
        (Span.RESCUE_ROUND, "rescue_round", "round"),
        (Span.LAST_DOOM_ROUND, "last_doom_round", "round"),
        (Span.DOOM, "doom", "doom"),
    ):
        found.append(Metric(f"{name}_distribution", How.SPAN_SHARE, span, unit=unit, meaning="share of games by value"))
    return tuple(found)
