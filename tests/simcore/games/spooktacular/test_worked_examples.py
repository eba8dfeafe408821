"""The rulebook's examples and FAQ answers, and the rulings of P1-P9, replayed move by move from positions."""

from typing import Any

from simcore import trace
from simcore.game import Configuration, Player, Strategy, find_game
from simcore.games.spooktacular import turn
from simcore.games.spooktacular.layout import Event, Option, Points, Status

ANYONE = Player(Strategy("any", "", "", turn.follow_up))
RED, YELLOW, GREEN, BLUE = range(4)


class Table:
    """A configuration, with the words of its content as options."""

    def __init__(self, **settings: Any) -> None:
        self.game = find_game("spooktacular")
        named = {k.replace("__", "."): v for k, v in settings.items()}
        self.configuration: Configuration = self.game.configure(named)
        sections = self.configuration.content.sections
        self.cards = list(sections["cards"])
        self.monsters = list(sections["monsters"])
        theater = str(self.configuration.settings["map"])
        self.rooms = [slug for slug, room in sections["rooms"].items() if room.map == theater]

    def card(self, slug: str, slot: int) -> int:
        return Option.CARD + 16 * self.cards.index(slug) + 65536 * slot

    def room(self, slug: str) -> int:
        return Option.ROOM + 16 * self.rooms.index(slug)

    def leave(self, colour: int, slug: str) -> int:
        return Option.LEAVE + 16 * colour + 65536 * self.rooms.index(slug)

    def play(self, position: dict[str, Any], moves: list[int], turns: int = 1) -> trace.Trace:
        """Play `moves` from the position; broken off after `turns` turns unless the game ends."""
        self.configuration = self.game.configure({**self.configuration.given, "turn_cap": 10 + turns})
        start = self.game.read_position(self.configuration, position)
        start[0]["turn"] = 10
        players = [ANYONE] * int(self.configuration.settings["players"])
        played = trace.play_one(self.configuration, players, 0, position=start, script=moves)
        assert played.outcome["status"] != Status.ILLEGAL, "the script names an option that is not on offer"
        return played


def events(played: trace.Trace, kind: Event) -> list[tuple[int, ...]]:
    rows = played.events[played.events["event"] == kind]
    return [tuple(int(row[k]) for k in ("seat", "a", "b", "c")) for row in rows]


def points(played: trace.Trace, kind: Points) -> list[tuple[int, int]]:
    """(seat, points) of a kind."""
    return [(seat, amount) for seat, amount, why, _ in events(played, Event.POINTS) if why == kind]


def player(monster: str, room: str, hand: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return {"monster": monster, "points": 10, "hand": hand or [], "pieces": {"figure": [room]}, **more}


def test_the_four_player_set_up() -> None:
    """Guests = doors - 1 in every open room, the bottom room locked, two tickets a player, 10 points (Setup)."""
    table = Table(players=4, monsters="remover+killtron+doombox+clown")
    played = trace.play_one(table.configuration, [ANYONE] * 4, 0)
    rules = table.configuration.rules[0]
    added = [a for _, a, _, c in events(played, Event.ADD) if c == 0]
    for room, slug in enumerate(table.rooms):
        doors = len(table.configuration.content.sections["rooms"][slug].doors)
        locked = slug == "crypt-8"
        assert added.count(room) == (0 if locked else doors - 1), slug
        assert (int(rules["open"]) >> room) & 1 == (not locked)
    assert int(rules["tickets"]) == 8
    assert [b for _, _, b, _ in events(played, Event.KIT)] == [10, 10, 10, 10]


def test_the_top_right_room_is_locked_for_two_and_three() -> None:
    for players in (2, 3):
        table = Table(players=players)
        shut = [s for r, s in enumerate(table.rooms) if not (int(table.configuration.rules[0]["open"]) >> r) & 1]
        assert shut == ["projection-room-8"]


def test_haunt_with_three_guests() -> None:
    """All three guests leave by different doors for 3 points; the second spook does nothing (Spook)."""
    table = Table(players=2, monsters="remover+killtron")
    position = {
        "active": 0,
        "guests": {"balcony-8": {"red": 1, "blue": 1, "green": 1}},
        "player": [
            player("remover", "balcony-8", ["haunt"], pieces={"figure": ["balcony-8"], "dumbbell": ["starting-space"]}),
            player("killtron", "foyer-8"),
        ],
    }
    moves = [table.leave(RED, "gallery-8"), table.leave(GREEN, "stage-8")]
    played = table.play(position, moves)
    rooms = table.rooms
    went = [(a, rooms[c]) for _, a, _, c in events(played, Event.GUEST)]
    assert went == [(RED, "gallery-8"), (GREEN, "stage-8"), (BLUE, "foyer-8")]
    assert points(played, Points.SPOOK) == [(0, 3)]
    assert [b for _, _, b, _ in events(played, Event.SPOOK)] == [3, 0]


def test_a_completed_set() -> None:
    """The fifth colour turns the set in at once: back to the bag, a ticket, three guests to the emptiest room [P4]."""
    table = Table(players=2, monsters="remover+killtron")
    position = {
        "active": 0,
        "guests": {"balcony-8": {"red": 1, "yellow": 1}, "stage-8": {"red": 2}, "gallery-8": {"blue": 1}},
        "player": [
            player(
                "remover",
                "balcony-8",
                ["consume"],
                pile={"green": 2, "blue": 1, "purple": 1},
                pieces={"figure": ["balcony-8"], "dumbbell": ["starting-space"]},
            ),
            player("killtron", "foyer-8"),
        ],
    }
    played = table.play(position, [Option.ROOM + 16 * table.rooms.index("crypt-8")])
    assert [a for _, a, _, _ in events(played, Event.DEVOUR)] == [RED, YELLOW]
    assert len(events(played, Event.SET)) == len(events(played, Event.TICKET)) == 1
    assert [table.rooms[a] for _, a, _, c in events(played, Event.ADD) if c == 2] == ["crypt-8"] * 3
    assert played.final["pile"][0].tolist() == [0, 0, 1, 0, 0], "a second green guest stays"
    assert int(played.final["tickets"][0]) == 1


def test_a_set_without_a_ticket_left_gives_five_points() -> None:
    table = Table(players=2, monsters="killtron+remover")
    position = {
        "active": 1,
        "last_round": True,
        "trigger": 0,
        "guests": {"balcony-8": {"red": 1}},
        "player": [
            player("killtron", "foyer-8", tickets=1),
            player(
                "remover",
                "balcony-8",
                ["consume"],
                tickets=3,
                pile={"green": 1, "yellow": 1, "blue": 1, "purple": 1},
                pieces={"figure": ["balcony-8"], "dumbbell": ["starting-space"]},
            ),
        ],
    }
    played = table.play(position, [table.room("crypt-8")])
    assert points(played, Points.CONSOLATION) == [(1, 5)]
    assert [c for *_, c in events(played, Event.ADD)] == [2, 2, 2], "the refill comes all the same"


def test_mash_against_regoo_pays_once() -> None:
    """Several figures of one player count once (FAQ)."""
    table = Table(players=3, monsters="remover+regoo+killtron")
    position = {
        "active": 0,
        "player": [
            player("remover", "stage-8", ["mash"], pieces={"figure": ["stage-8"], "dumbbell": ["starting-space"]}),
            player("regoo", "", pieces={"blob": ["stage-8", "stage-8", "foyer-8"]}),
            player("killtron", "stage-8"),
        ],
    }
    moves = [table.room("balcony-8"), table.room("gallery-8"), table.room("foyer-8")]
    played = table.play(position, moves)
    moved = [(seat, table.rooms[b]) for seat, _, b, c in events(played, Event.FIGURE) if c == 0 and seat != 0]
    assert moved == [(1, "balcony-8"), (1, "gallery-8"), (2, "foyer-8")]
    assert points(played, Points.BASIC) == [(0, 2), (0, 2)]


def test_one_steals_only_what_there_is() -> None:
    """Stealing from a player with fewer points takes what there is (FAQ)."""
    table = Table(
        players=2,
        monsters="killtron+remover",
        **{"cards.arc-lightning.effect": "steal 5 from another player in your room"},
    )
    position = {
        "active": 0,
        "player": [
            {**player("killtron", "stage-8", ["mash"]), "program": ["arc-lightning", "none", "none"]},
            {
                **player("remover", "stage-8", pieces={"figure": ["stage-8"], "dumbbell": ["starting-space"]}),
                "points": 3,
            },
        ],
    }
    played = table.play(position, [])
    assert points(played, Points.STOLEN) == [(1, -3)]
    assert points(played, Points.THEFT) == [(0, 3)]


def test_coaching_moves_guests_from_connected_rooms_only() -> None:
    table = Table(players=2, monsters="remover+killtron")
    position = {
        "active": 0,
        "guests": {"gallery-8": {"red": 1}, "foyer-8": {"blue": 1}, "prop-room-8": {"yellow": 1}},
        "player": [
            player("remover", "balcony-8", ["coaching"], pieces={"figure": ["balcony-8"], "dumbbell": ["warm-up"]}),
            player("killtron", "crypt-8"),
        ],
    }
    played = table.play(position, [])
    went = {(a, table.rooms[b], table.rooms[c]) for _, a, b, c in events(played, Event.GUEST)}
    assert went == {(RED, "gallery-8", "balcony-8"), (BLUE, "foyer-8", "balcony-8")}, "not the yellow one"
    assert len(events(played, Event.DRAW)) >= 3, "Fearsonal Fitness on the space that says: draw 3"


def deadline(phones: list[str], hand: list[str], others: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "active": 0,
        "player": [{"monster": "deadline", "points": 10, "hand": hand, "pieces": {"phone": phones}}, *others],
    }


def test_answering_the_phone_goes_on_while_there_are_phones_and_free_spaces() -> None:
    """Two phones ring, two spaces are free: both are answered, each space does its effect with that monster."""
    table = Table(players=2, monsters="deadline+killtron")
    position = deadline(
        [
            "foyer-8",
            "stage-8",
            "stage-8",
            *("call-waiting", "party-line", "call-forwarding", "crank-call", "last-call"),
        ],
        ["haunt"],
        [player("killtron", "stage-8", ["mash", "search"])],
    )
    first = Option.TOKEN + 16 * 0  # act from the phone in the foyer
    spaces = list(table.configuration.content.sections["monsters"]["deadline"].spaces)
    kit = int(table.configuration.rules[0]["space_first"][table.monsters.index("deadline")])
    collect = Option.SPACE + 16 * (kit + 3)
    moves = [first, collect, table.room("gallery-8")]
    played = table.play(position, moves)
    did = [spaces[a - kit] for _, a, _, _ in events(played, Event.ABILITY) if a >= kit]
    assert did == [spaces[3], spaces[5]], "both gain 2; move that monster"
    assert points(played, Points.OWN) == [(0, 2)]
    assert points(played, Points.GIFT) == [(1, 2)]
    moved = [(seat, table.rooms[b]) for seat, _, b, _ in events(played, Event.FIGURE) if seat == 1]
    assert moved[-1] == (1, "gallery-8"), "the Answering Monster moves by the last space"


def test_phones_are_figures_or_not() -> None:
    """P1: a phone in the room counts for Mash, or does not."""
    for flag, paid in ((True, [(1, 2)]), (False, [])):
        table = Table(players=2, monsters="deadline+remover", ruling__phones_are_monsters=flag)
        position = deadline(["stage-8"], ["haunt"], [])
        position["active"] = 1
        position["player"].append(
            player("remover", "stage-8", ["mash"], pieces={"figure": ["stage-8"], "dumbbell": ["starting-space"]})
        )
        played = table.play(position, [])
        assert points(played, Points.BASIC) == paid


def race(table: Table, mine: int, theirs: int, **more: Any) -> dict[str, Any]:
    return {
        "active": 0,
        "guests": {"stage-8": {"red": 2, "blue": 2}},
        "player": [
            {
                **player(
                    "remover", "stage-8", ["haunt"], pieces={"figure": ["stage-8"], "dumbbell": ["starting-space"]}
                ),
                "points": mine,
            },
            {**player("killtron", "stage-8", ["mash"]), "points": theirs, "program": ["arc-lightning", "none", "none"]},
        ],
        **more,
    }


def test_the_round_is_finished_and_the_end_stands() -> None:
    """50 points end the game after the round, even if they are stolen back [P5]."""
    table = Table(players=2, monsters="remover+killtron")
    played = table.play(race(table, 46, 30), [], turns=4)
    assert events(played, Event.LAST_ROUND) == [(0, 0, 0, 0)]
    assert points(played, Points.STOLEN) == [(0, -1)], "back to 49"
    assert played.outcome["status"] == Status.WON
    assert [seat for seat, _, _, _ in events(played, Event.TURN)] == [0, 1]


def test_the_end_not_latched() -> None:
    table = Table(players=2, monsters="remover+killtron", ruling__end_latched=False)
    played = table.play(race(table, 46, 30), [], turns=3)
    assert len(events(played, Event.TURN)) == 3, "the game goes on: nobody has 50 at the end of the round"


def test_a_locked_door_counts_for_the_set_up_but_lets_nobody_pass() -> None:
    table = Table(players=2, monsters="remover+killtron")
    position = {
        "active": 0,
        "guests": {"gallery-8": {"red": 5}},
        "player": [
            player("remover", "gallery-8", ["haunt"], pieces={"figure": ["gallery-8"], "dumbbell": ["starting-space"]}),
            player("killtron", "crypt-8"),
        ],
    }
    played = table.play(position, [])
    assert [b for _, _, b, _ in events(played, Event.SPOOK)] == [3, 2], "four doors printed, one to a locked room"
    counted = Table(players=2)
    absent = Table(players=2, ruling__locked_doors="absent")
    gallery = counted.rooms.index("gallery-8")
    guests = [int(t.configuration.rules[0]["setup_guests"][gallery]) for t in (counted, absent)]
    assert guests == [3, 2]


def test_a_hand_above_three_is_kept() -> None:
    """P6: no discard, and draw-up only below three."""
    table = Table(players=2, monsters="remover+killtron")
    position = {
        "active": 0,
        "player": [
            player(
                "remover",
                "balcony-8",
                ["haunt", "mash", "consume", "flex", "search"],
                pieces={"figure": ["balcony-8"], "dumbbell": ["starting-space"]},
            ),
            player("killtron", "crypt-8"),
        ],
    }
    played = table.play(position, [table.card("haunt", 0)])
    assert int(played.final["hand_size"][0]) == 4
    assert not events(played, Event.DRAW)


def test_killtron_ignores_play_a_card() -> None:
    """Search in a program is: add 3 guests (photograph of the board)."""
    table = Table(players=2, monsters="killtron+remover")
    position = {
        "active": 0,
        "player": [
            {**player("killtron", "stage-8", ["mash"]), "program": ["search", "none", "none"]},
            player("remover", "crypt-8", pieces={"figure": ["crypt-8"], "dumbbell": ["starting-space"]}),
        ],
    }
    played = table.play(position, [])
    assert len([1 for _, a, _, c in events(played, Event.ADD) if c == 1]) == 3
    assert [b for _, _, b, _ in events(played, Event.CARD)] == [1], "nothing else is played"
