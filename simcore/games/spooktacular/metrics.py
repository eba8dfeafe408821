"""What is reported of Spooktacular: each number as data over the tallies and spans of a batch."""

from collections.abc import Iterator

from simcore import leads
from simcore.game import Configuration, How, Metric
from simcore.games.spooktacular import layout, tables
from simcore.games.spooktacular.layout import NONE, Ledger, Points, Span, Status, Tally
from simcore.games.spooktacular.naming import rooms

RULES = {  # the rule ledger: which rule or ruling of the list each entry is about, and what happened
    Ledger.SPOOK_FEWER: ("P2", "fewer guests than doors: the spooker chooses the doors"),
    Ledger.SPOOK_NOTHING: ("P2-nothing", "a spook moves nobody"),
    Ledger.ASKED_NEXT: ("P3", "the next player decides for the automaton"),
    Ledger.BOT_DREW: ("P3-draw", "the automaton ignores a draw"),
    Ledger.SET_IN_CARD: ("P4", "a set is turned in while the effect that devours goes on"),
    Ledger.REFILL_TIE: ("P4-tie", "several rooms have the fewest figures"),
    Ledger.REFILL_HERE: ("P4-here", "the new guests come to the eater's own room"),
    Ledger.BAG_SHORT: ("P4-bag", "fewer guests in the bag than should be added"),
    Ledger.CONSOLATION: ("P4-no-ticket", "a set is turned in and no ticket is left"),
    Ledger.LATCHED: ("P5", "the end stands though the points are gone again"),
    Ledger.OTHERS_TURN: ("P5-others", "the end is triggered in another player's turn"),
    Ledger.NO_DRAW: ("P6", "neither deck nor discards to draw from"),
    Ledger.HAND_ABOVE: ("P6-hand", "more cards than the hand size when drawing up"),
    Ledger.LOCKED_DOOR: ("P7", "a spook in a room with a locked door"),
    Ledger.MASH_SELF: ("P8", "the Masher is moved, too"),
    Ledger.MASH_FIGURES: ("P8-figures", "Mash moves several figures of a player, who counts once"),
    Ledger.STEAL_SHORT: ("steal", "fewer points than should be stolen"),
    Ledger.NO_CARD: ("no-card", "a card should be played from an empty hand"),
    Ledger.NO_MOVE: ("no-move", "a movement is not possible"),
    Ledger.NOT_LEFT: ("barred", "a standing rule forbids it"),
    Ledger.STUNNED: ("stunned", "a figure does not move, for it is stunned"),
    Ledger.RESHUFFLE: ("reshuffle", "the discards become a new deck"),
    Ledger.REPLACED: ("replaced", "a standing effect takes the place of a rule"),
    Ledger.SUPPLY_EMPTY: ("supply", "no token is left to place"),
    Ledger.TIE_TICKETS: ("end-tickets", "a tie in points is broken by tickets"),
    Ledger.SHARED: ("end-shared", "the victory is shared"),
    Ledger.STRENGTH: ("kit-strength", "a number is changed by kit_strength"),
    Ledger.RUNAWAY: ("runaway-chain", "a chain of effects uses up the turn's budget and is broken off"),
}
# A slot that no metric reads: Tally.ROUNDS is told from its span.
QUANTILES = (0.05, 0.5, 0.95)
POINTS = {  # what the rows are called, and what it means
    Points.SPOOK: ("spooking", "for guests spooked"),
    Points.TICKET: ("tickets", "on tickets, at the end"),
    Points.CONSOLATION: ("sets-without-ticket", "for sets turned in when no ticket was left"),
    Points.BASIC: ("basic-cards", "by the text of a basic card: Mash"),
    Points.OWN: ("own-effects", "by own cards and abilities"),
    Points.THEFT: ("theft", "stolen from others"),
    Points.GIFT: ("others-effects", "by another player's effect"),
    Points.STOLEN: ("stolen", "lost to thieves"),
    Points.PAID: ("paid", "lost by own effects"),
}
TIERS = ("easy", "intermediate", "advanced")


def in_play(configuration: Configuration) -> list[int]:
    """Kits that a player can have here: those named, and those that can be drawn if some are."""
    rules = configuration.rules[0]
    named = [int(kit) for kit in rules["monster_of"][: configuration.seats]]
    drawn = NONE in named
    return [kit for kit in range(int(rules["kits"])) if kit in named or (drawn and rules["kit_in_box"][kit])]


def matchups(configuration: Configuration) -> Iterator[tuple[int, int, int]]:
    """Pairs of kits that two players can have in one game, with the first of the pair's two tally slots."""
    rules = configuration.rules[0]
    first, kits = int(rules["matchup_first"]), int(rules["kits"])
    if first == NONE or configuration.seats < 2:
        return
    named = [int(kit) for kit in rules["monster_of"][: configuration.seats]]
    there = in_play(configuration)
    for a in there:
        for b in there:
            twice = named.count(a) > 1 or (bool(rules["same_monsters"]) and _others_drawn(named, a))
            if a != b and _together(named, a, b) or a == b and twice:
                yield a, b, first + 2 * (kits * a + b)


def _together(named: list[int], a: int, b: int) -> bool:
    """Whether both can be in a game: each is named, or there are drawn ones enough for those that are not."""
    return sum(kit not in named for kit in (a, b)) <= named.count(NONE)


def _others_drawn(named: list[int], kit: int) -> bool:
    return named.count(NONE) >= (1 if kit in named else 2)


def _length(name: str, span: Span, scale: float, unit: str, meaning: str) -> list[Metric]:
    found = [Metric(name, How.SPAN_MEAN, span, scale=scale, unit=unit, meaning=f"{meaning}, mean")]
    for q in QUANTILES:
        group = f"quantile={q:g}"
        found.append(Metric(name, How.SPAN_QUANTILE, span, q=q, group=group, scale=scale, unit=unit, meaning=meaning))
    return found


def _shares(configuration: Configuration, kits: list[int], names: list[str]) -> list[Metric]:
    rules, seats = configuration.rules[0], configuration.seats
    meaning = "share of the wins, shared ones split"
    found = [
        Metric("win_share", How.SHARE, Tally.SHARE_PLAYER + i, group=f"seat={i}", meaning=meaning) for i in range(seats)
    ]
    found += [
        Metric("win_share", How.SHARE, Tally.SHARE_ORDER + i, group=f"order={i}", meaning="... by turn order, 0 starts")
        for i in range(seats)
    ]
    for kit in kits:
        a, b = Tally.MONSTER_SHARE + kit, Tally.MONSTER_GAMES + kit
        found.append(Metric("win_share", How.SHARE_OF, a, b, f"monster={names[kit]}", meaning="... by monster"))
    tiers = {int(rules["kit_tier"][kit]) for kit in kits}
    for tier in sorted(tiers):
        a, b = Tally.TIER_SHARE + tier, Tally.TIER_GAMES + tier
        found.append(Metric("win_share", How.SHARE_OF, a, b, f"tier={TIERS[tier]}", meaning="... by difficulty"))
    for a, b, slot in matchups(configuration):
        groups = f"monster={names[a]}", f"against={names[b]}"
        found.append(
            Metric("win_share", How.SHARE_OF, slot + 1, slot, *groups, meaning="... of games in which both play")
        )
    return found


def _automaton(configuration: Configuration) -> list[Metric]:
    """Games with the automaton: its wins and points, and how the players fare against it."""
    if not configuration.rules[0]["bot"]:
        return []
    return [
        Metric("solo_win_rate", How.SHARE, Tally.PLAYERS_WON, meaning="wins of the players over the automaton"),
        Metric("automaton_win_share", How.SHARE, Tally.BOT_WON, meaning="wins of the automaton, shared ones split"),
        Metric("automaton_points", How.MEAN, Tally.BOT_POINTS, unit="points", meaning="its points at the end"),
    ]


def _start(configuration: Configuration) -> list[Metric]:
    """The first player's edge over the other players; alone against the automaton there are none."""
    if configuration.seats < 2:
        return []
    return [
        Metric(
            "start_edge",
            How.MEAN,
            Tally.START_EDGE,
            scale=1 / (60 * configuration.seats),
            meaning="win share of the first player less the mean share of all",
        ),
    ]


def _points(configuration: Configuration, kits: list[int], names: list[str]) -> list[Metric]:
    found = []
    step = {Points.CONSOLATION: max(1, int(configuration.settings["consolation"]))}
    for source, (name, why) in POINTS.items():
        slot, group, meaning = Tally.POINTS + source, f"source={name}", f"points {why}, all players together"
        one = step.get(source, 1)
        found.append(Metric("points", How.MEAN, slot, group=group, unit="per game", meaning=meaning, step=one))
    for kit in kits:
        games = Tally.MONSTER_GAMES + kit
        for source, (name, why) in POINTS.items():
            slot = Tally.MONSTER_POINTS + layout.POINTS * kit + source
            groups = f"monster={names[kit]}", f"source={name}"
            unit, meaning, one = "per game", f"points {why}, of a monster", step.get(source, 1)
            found.append(Metric("points", How.RATIO, slot, games, *groups, unit=unit, meaning=meaning, step=one))
    return found


def _monsters(kits: list[int], names: list[str]) -> list[Metric]:
    found = []
    for first, name, meaning in (
        (Tally.MONSTER_TICKETS, "tickets", "tickets taken"),
        (Tally.MONSTER_DECISIONS, "monster_decisions", "decisions of more than one option, in own turns"),
    ):
        for kit in kits:
            games, group = Tally.MONSTER_GAMES + kit, f"monster={names[kit]}"
            found.append(
                Metric(name, How.RATIO, first + kit, games, group, unit="per game", meaning=f"{meaning}, of a monster")
            )
    return found


def _rounds(configuration: Configuration) -> list[Metric]:
    found = []
    rules = configuration.rules[0]
    for room, slug in enumerate(rooms(configuration)):
        for r in range(layout.ROUNDS) if int(rules["open"]) >> room & 1 else ():
            a, b = Tally.GUESTS_IN_ROOM + layout.ROUNDS * room + r, Tally.ROUND_GAMES + r
            groups, meaning = (f"room={slug}", f"round={r + 1}"), "guests in a room at the end of a round"
            found.append(Metric("guests_in_room", How.RATIO, a, b, *groups, unit="guests", meaning=meaning))
    for r in range(layout.ROUNDS):
        group = f"round={r + 1}"
        a, b = Tally.ROOM_GUESTS + r, Tally.ROUND_GAMES + r
        meaning = "guests in all rooms together at the end of a round"
        found.append(Metric("guests_in_rooms", How.RATIO, a, b, group, unit="guests", meaning=meaning))
    sizes = leads.Sizes(layout.LEADS, Tally.LEAD_SIZE_GAMES, Tally.LEAD_SIZE_SHARE)
    found += leads.metrics("points", layout.LEAD_ROUNDS, Tally.LEAD_BEGUN, Tally.LEAD_GAMES, Tally.LEAD_SHARE, sizes)
    return found


def _cards(configuration: Configuration, kits: list[int]) -> list[Metric]:
    """How often each card is played. The win share of who has played it is told only beside its impact (see
    ``won_where_used``): who is ahead plays other cards."""
    monsters = list(configuration.content.sections["monsters"])
    cards = configuration.content.sections["cards"]
    there = {"", *(monsters[kit] for kit in kits)}
    found = []
    for group, slot in tables.component_names(configuration.settings, configuration.content):
        if cards[group.partition("=")[2]].monster in there:
            found.append(Metric("played", How.MEAN, slot, group=group, unit="per game", meaning="times played or run"))
    return found


def won_where_used(configuration: Configuration, group: str) -> Metric | None:
    """Win share of the players who have played a card (`card=mash`) or run it; None if it is not counted."""
    slot = dict(tables.component_names(configuration.settings, configuration.content)).get(group)
    return None if slot is None else Metric("win_share_where_used", How.SHARE_OF, slot + 1, slot + 2, group)


def metrics(configuration: Configuration) -> tuple[Metric, ...]:
    """All metrics of a configuration; names, groups and units as the results show them."""
    minutes = float(configuration.settings["seconds_per_turn"]) / 60
    kits, names = in_play(configuration), list(configuration.content.sections["monsters"])
    found = [
        *_shares(configuration, kits, names),
        *_automaton(configuration),
        *_start(configuration),
        Metric("tie_rate", How.RATE, Tally.SHARED, meaning="games whose victory is shared"),
        Metric("capped_rate", How.STATUS, Status.CAPPED, meaning="games broken off at the turn cap"),
        *_length("turns", Span.TURNS, 1, "turns", "turns in a game, the automaton's too"),
        *_length("rounds", Span.ROUNDS, 1, "rounds", "rounds in a game"),
        *_length("minutes", Span.TURNS, minutes, "minutes", "length at the stated pace (seconds_per_turn)"),
        Metric("ended_by_points_rate", How.RATE, Tally.BY_POINTS, meaning="games that a score brings to their end"),
        Metric("ended_by_tickets_rate", How.RATE, Tally.BY_TICKETS, meaning="... the last ticket"),
        Metric(
            "trigger_win_share",
            How.SHARE_OF,
            Tally.TRIGGER_WON,
            Tally.TRIGGER_GAMES,
            meaning="win share of who triggers the last round",
        ),
        Metric(
            "lead_changes", How.MEAN, Tally.LEAD_CHANGES, unit="per game", meaning="times the lead in points passes on"
        ),
        Metric(
            "final_lead_round",
            How.RATIO,
            Tally.FINAL_LEAD,
            Tally.ONE_WINNER,
            unit="round",
            meaning="round from which the winner leads for good, mean",
        ),
        *_length("final_lead_round", Span.FINAL_LEAD, 1, "round", "round from which the winner leads for good")[1:],
        Metric(
            "overturned_rate", How.RATE, Tally.OVERTURNED, meaning="games in which hidden tickets overturn the track"
        ),
        *_length("winner_points", Span.WINNER_POINTS, 1, "points", "points of the winner, with tickets"),
        *_length("margin", Span.MARGIN, 1, "points", "points of the winner over the second"),
        Metric("tickets_left", How.SPAN_MEAN, Span.TICKETS_LEFT, unit="tickets", meaning="tickets left at the end"),
        *_points(configuration, kits, names),
        Metric("stolen_points", How.MEAN, Tally.MOVED_POINTS, unit="per game", meaning="points that players steal"),
        Metric(
            "guests_spooked", How.MEAN, Tally.SPOOKED, unit="per game", meaning="guests that players push through doors"
        ),
        Metric("guests_devoured", How.MEAN, Tally.DEVOURED, unit="per game", meaning="guests that players devour"),
        Metric("sets", How.MEAN, Tally.SETS, unit="per game", meaning="sets turned in"),
        *_monsters(kits, names),
        Metric("decisions", How.MEAN, Tally.DECISIONS, unit="per game", meaning="questions asked of players"),
        Metric(
            "no_choice_share",
            How.RATIO,
            Tally.NO_CHOICE,
            Tally.TURNS,
            meaning="turns without a decision of more than one option",
        ),
        Metric("no_points_share", How.RATIO, Tally.NO_POINTS, Tally.TURNS, meaning="turns that bring no points"),
        *_rounds(configuration),
        Metric("cards_played", How.MEAN, Tally.CARDS_PLAYED, unit="per game", meaning="cards played, runs included"),
        *_cards(configuration, kits),
    ]
    for span, what, unit, meaning in (
        (Span.GUESTS, "guests-in-a-room", "guests", ""),
        (Span.PASSENGERS, "passengers", "guests", ""),
        (Span.OUT, "guests-out-of-the-bag", "guests", ""),
        (Span.HAND, "cards-in-hand", "cards", ""),
        (Span.TOKENS, "tokens-of-a-kind", "tokens", ""),
        (Span.AGENDA, "effects-waiting", "effects", "most effects waiting at once in any game seen"),
    ):
        group = f"component={what}"
        said = meaning or "most in use at once in any game seen"
        found.append(Metric("component_peak", How.SPAN_MAX, span, group=group, unit=unit, meaning=said))
    found.append(
        Metric("guests_out", How.SPAN_MEAN, Span.OUT, unit="guests", meaning="most guests out of the bag at once")
    )
    for entry, (rule, meaning) in RULES.items():
        group = f"rule={rule}"
        found.append(Metric("rule_rate", How.RATE, entry, group=group, meaning=meaning))
        found.append(Metric("rule_count", How.MEAN, entry, group=group, unit="per game", meaning=meaning))
    for span, name, unit in (
        (Span.ROUNDS, "rounds", "rounds"),
        (Span.WINNER_POINTS, "winner_points", "points"),
        (Span.MARGIN, "margin", "points"),
        (Span.LEAD_CHANGES, "lead_changes", "changes"),
        (Span.TICKETS_LEFT, "tickets_left", "tickets"),
    ):
        found.append(Metric(f"{name}_distribution", How.SPAN_SHARE, span, unit=unit, meaning="share of games by value"))
    return tuple(found)
