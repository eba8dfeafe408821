"""The content of Spooktacular and its compiled rules: kits, decks, standing rules, settings, bad input."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore import content as content_files
from simcore.cards import card_id
from simcore.content import Content
from simcore.errors import InputError
from simcore.game import Configuration
from simcore.games.spooktacular import kits, layout, tables, words
from simcore.games.spooktacular.game import GAME, PARAMETERS, check, unused
from simcore.games.spooktacular.layout import NONE, Bar, Op, Place, Rule, Tally, When

SMALL = Path(__file__).parents[2] / "data" / "theater"  # five kits
CARDS = ["haunt", "search", "mash", "flex", "warm-up", "line", "grab"]
TRAINER, CALLER, MUMMY, ROBOT, ANGLER = range(5)


def small(folder: Path | None = None, **files: str) -> Content:
    """The small content, with an overlay of files."""
    for section, text in files.items():
        assert folder is not None
        (folder / f"{section}.toml").write_text(text, encoding="utf-8")
    return content_files.load(SMALL, tables.sections(), [folder] if folder else [])


def read(content: Content, given: dict[str, Any]) -> dict[str, Any]:
    """Settings with the game's defaults, read against a content."""
    own = {p.name: p for p in GAME.own_parameters(content)}
    return {name: own[name].read(given[name]) if name in given else p.default for name, p in own.items()}


def compiled(content: Content | None = None, **given: Any) -> Any:
    """The rules record; a `.` in a setting's name is written `__`."""
    content = small() if content is None else content
    settings = read(content, {name.replace("__", "."): value for name, value in given.items()})
    check(settings, content)
    return tables.make_rules(settings, content)[0]


def refused(folder: Path | None = None, files: dict[str, str] | None = None, **given: Any) -> str:
    with pytest.raises(InputError) as error:
        compiled(small(folder, **(files or {})), **given)
    assert "\n" not in str(error.value)
    return str(error.value)


def rows(rules: Any, start: int, end: int) -> list[tuple[int, ...]]:
    """Op, values and reach (relative to the first row) of compiled rows."""
    return [
        (*(int(rules[c][i]) for c in ("op", "op_a", "op_b", "op_c", "op_d")), int(rules["op_end"][i]) - start)
        for i in range(start, end)
    ]


# --- kits and cards --------------------------------------------------------------------------------------------------


def test_the_pieces_of_a_kind_lie_together_the_figures_first() -> None:
    rules = compiled()
    assert rules["kit_pieces"][:5].tolist() == [2, 4, 5, 1, 8]
    assert rules["piece_kind"][MUMMY, :6].tolist() == [0, 1, 1, 1, 2, NONE]
    assert rules["piece_figure"][MUMMY, :5].tolist() == [1, 0, 0, 0, 0]
    assert rules["kind_first"][ANGLER, :3].tolist() == [0, 1, 3] and rules["kind_count"][ANGLER, :3].tolist() == [
        1,
        2,
        5,
    ]
    assert rules["kit_tier"][:5].tolist() == [0, 2, 1, 1, 0]


def test_phones_are_figures_unless_the_ruling_says_no() -> None:
    """P1."""
    assert compiled()["piece_figure"][CALLER, :4].tolist() == [1, 1, 1, 1]
    assert compiled(ruling__phones_are_monsters="off")["piece_figure"][CALLER].sum() == 0


def test_a_deck_is_the_basic_cards_then_the_monsters_own() -> None:
    rules = compiled()
    assert [CARDS[c] for c in rules["kit_card"][TRAINER, : rules["kit_cards"][TRAINER]]] == [*CARDS[:5], "warm-up"]
    assert [CARDS[c] for c in rules["kit_card"][ROBOT, : rules["kit_cards"][ROBOT]]] == [*CARDS[:3], "grab"]
    assert rules["card_basic"][:7].tolist() == [1, 1, 1, 0, 0, 0, 0]


def test_kits_with_the_same_texts_shuffle_alike() -> None:
    """The key of a unique card is its place among the kit's own, not its name; the kit itself has one of its own."""
    rules = compiled()
    ids = rules["kit_card_id"]
    assert ids[CALLER, 3] == ids[ROBOT, 3] == ids[TRAINER, 3] == card_id("unique", "0", 0)
    assert ids[TRAINER, 5] == card_id("unique", "1", 1) and ids[ROBOT, 0] == card_id("cards", "haunt", 0)
    assert len(set(rules["kit_id"][:5].tolist())) == 5


def test_copies_of_a_basic_card_are_in_every_deck() -> None:
    rules = compiled(small().changed({"cards.haunt.copies": 2, "cards.mash.copies": 0}))
    assert [CARDS[c] for c in rules["kit_card"][ROBOT, : rules["kit_cards"][ROBOT]]] == [
        "haunt",
        "haunt",
        "search",
        "grab",
    ]


def test_abilities_have_the_kits_own_numbers() -> None:
    rules = compiled()
    assert rules["space_first"][:3].tolist() == [1, layout.ABILITIES + 1, 2 * layout.ABILITIES]
    assert rules["spaces"][:3].tolist() == [3, 2, 0]
    turn = rows(rules, rules["turn_start"][CALLER], rules["turn_end"][CALLER])
    assert turn[:3] == [(Op.ACT_FROM, 0, 0, 0, 0, 1), (Op.PLAY, 0, 0, 0, 0, 2), (Op.DO, layout.ABILITIES, 0, 0, 0, 3)]
    setup = rows(rules, rules["setup_start"][TRAINER], rules["setup_end"][TRAINER])
    assert setup[1] == (Op.PUT, 1, 1, 0, 0, 2)  # the dumbbell, which is its kind 1, on its ability 1: the first space
    flex = rows(rules, rules["card_start"][3], rules["card_end"][3])
    assert flex == [(Op.DO, 0, 0, 0, 0, 1)]
    answer = layout.ABILITIES
    assert rows(rules, rules["ability_start"][answer], rules["ability_end"][answer])[-1][:2] == (Op.DO, NONE)


def test_named_cards_are_loaded_by_their_numbers() -> None:
    rules = compiled()
    setup = rows(rules, rules["setup_start"][ROBOT], rules["setup_end"][ROBOT])
    assert setup[1:3] == [(Op.LOAD, CARDS.index("grab"), 0, 0, 0, 2), (Op.LOAD, 0, NONE, 0, 0, 3)]


def test_once_a_turn_has_a_bit_of_its_own_in_each_kit() -> None:
    """Basic cards first (Mash here), then the trainer's turn, space and card."""
    rules = compiled()
    found = {int(i): int(rules["op_a"][i]) for i in np.flatnonzero(rules["op"] == Op.ONCE)}
    bit = {CARDS[c]: found[int(rules["card_start"][c])] for c in (2, 4)}
    turn = next(a for i, a in found.items() if rules["turn_start"][TRAINER] <= i < rules["turn_end"][TRAINER])
    assert bit["mash"] == 0 and len(set(found.values())) == len(found) == 4
    assert {turn, bit["warm-up"]} <= {1, 2, 3}


def test_only_estimated_texts_of_monsters_are_scaled() -> None:
    rules = compiled(small().changed({"cards.haunt.effect": "spook"}))

    def scaled(start: Any, end: Any) -> set[int]:
        return set(rules["op_scaled"][int(start) : int(end)].tolist())

    assert scaled(rules["card_start"][0], rules["card_end"][0]) == {0}  # changed, but a basic card
    assert scaled(rules["card_start"][4], rules["card_end"][4]) == {1}
    assert scaled(rules["turn_start"][TRAINER], rules["turn_end"][TRAINER]) == {0}
    assert scaled(rules["ability_start"][0], rules["ability_end"][0]) == {1}  # `abilities` is estimated
    one, two = 2, 3
    assert scaled(rules["ability_start"][one], rules["ability_end"][one]) == {0}
    assert scaled(rules["ability_start"][two], rules["ability_end"][two]) == {1}  # `spaces.two`
    assert scaled(rules["trigger_start"][MUMMY, 0], rules["trigger_end"][MUMMY, 0]) == {1}


def test_standing_rules_fill_their_fields() -> None:
    rules = compiled()
    tomb = Place.INSIDE + words.BY_KIND * 2
    assert rules["room_kind"][:5].tolist() == [NONE, NONE, 2, NONE, NONE]
    assert rules["door_kind"][:5].tolist() == [NONE, NONE, NONE, NONE, 2] and rules["doors_for_all"][ANGLER] == 0
    assert rules["bar"][MUMMY, Bar.GUEST_LEAVES] == rules["bar"][MUMMY, Bar.MONSTER_ENTERS] == tomb + 1
    assert rules["bar"][MUMMY].astype(bool).sum() == 2 and rules["bar"][TRAINER].sum() == 0
    assert rules["changes_theater"][:5].tolist() == [0, 0, 1, 0, 1]
    assert rules["triggers"][:5].tolist() == [0, 0, 2, 0, 1]
    assert rules["trigger_when"][MUMMY, :2].tolist() == [When.GUEST_ENTERS, When.SET]
    assert rules["trigger_what"][MUMMY, 0] == tomb
    assert (rules["trigger_when"][ANGLER, 0], rules["trigger_what"][ANGLER, 0]) == (When.PASSES, 1)
    own = rows(rules, rules["trigger_start"][MUMMY, 1], rules["trigger_end"][MUMMY, 1])
    assert [row[0] for row in own] == [Op.DRAW, Op.GAIN]
    assert rules["instead"][:5].tolist() == [0, 0, 0, 1 << Rule.PLAY, 0]
    assert rules["instead_start"][ROBOT, Rule.PLAY] == rules["instead_end"][ROBOT, Rule.PLAY]
    assert not {Op.WHEN, Op.INSTEAD, Op.BAR, Op.EXTRA_ROOM, Op.DOORS} & {int(op) for op in rules["op"]}


def test_doors_for_all(tmp_path: Path) -> None:
    monsters = '[angler]\nstanding = "always: your door are doors for all"\n'
    assert compiled(small(tmp_path, monsters=monsters))["doors_for_all"][ANGLER] == 1


def test_a_blank_entry_keeps_its_place_and_does_nothing() -> None:
    rules = compiled(small().changed({"cards.haunt.blank": True, "monsters.mummy.blank": True}))
    assert rules["card_start"][0] == rules["card_end"][0] and rules["kit_card"][ROBOT, 0] == 0
    assert rules["triggers"][MUMMY] == 0 and rules["changes_theater"][MUMMY] == 0
    assert rules["turn_start"][MUMMY] == rules["turn_end"][MUMMY]


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_and_rulings() -> None:
    rules = compiled(
        ruling__trigger_order="first_player_first", ruling__locked_doors="absent", ruling__end_latched="off"
    )
    assert (rules["players"], rules["seats"], rules["bot"], rules["bot_kit"]) == (4, 4, 0, NONE)
    assert (rules["target_score"], rules["start_score"], rules["hand_size"]) == (50, 10, 3)
    assert (rules["trigger_order"], rules["locked_doors"], rules["end_latched"], rules["tomb_is_a_door"]) == (
        1,
        1,
        0,
        1,
    )
    assert rules["printed_doors"][1] == 3  # b, without the door to e, which is locked at 4


def test_rulings_are_rules_and_meant() -> None:
    for ruling in tables.RULINGS:
        name = ruling.name.removeprefix("ruling.")
        assert name in (layout.RULES.names or ()) and ruling.meaning.startswith("P"), name


def test_tickets() -> None:
    rules = compiled(tickets_per_player=1, ticket_values="4+5+6+12")
    assert (rules["tickets"], rules["ticket_cards"]) == (4, 4)
    assert rules["ticket_value"][:5].tolist() == [4, 5, 6, 12, 0]
    assert rules["ticket_id"][3] == card_id("tickets", "3", 0)


def test_the_default_is_the_printed_number_of_tickets() -> None:
    rules = compiled(players=5, same_monsters=True)
    assert (rules["tickets"], rules["ticket_cards"]) == (10, 10)


@pytest.mark.parametrize(
    ("players", "given", "bot", "points"),
    [(1, {}, 1, 10), (1, {"automaton": "nightmare"}, 1, 20), (3, {"automaton": "easy"}, 1, 5), (3, {}, 0, 0)],
)
def test_the_automaton(players: int, given: dict[str, str], bot: int, points: int) -> None:
    """P3: it counts as a player for tickets and locks; one player alone meets it at `normal`."""
    rules = compiled(players=players, **given)
    assert (rules["bot"], rules["seats"], rules["bot_points"]) == (bot, players + bot, points)
    assert rules["tickets"] == 2 * (players + bot)
    if bot:
        assert rules["bot_kit"] == ROBOT and rules["kit_in_box"][ROBOT] == 0
        assert [[CARDS[c] for c in deck] for deck in rules["bot_card"]] == [
            ["grab", "search", "mash"],
            ["mash", "search", "grab"],
            ["haunt", "search", "mash"],
        ]
        assert len(set(rules["bot_card_id"].ravel().tolist())) == 9
    assert bool(rules["open"] >> 4 & 1) == (players + bot != 4)  # e is locked at four


def test_cards_that_spook_make_the_automaton_chase_guests() -> None:
    assert [CARDS[c] for c in np.flatnonzero(compiled()["bot_chases_guests"])] == ["haunt"]


def test_without_the_automaton_its_decks_need_not_be_there(tmp_path: Path) -> None:
    files = {"automaton": "[deck-c]\nremove = true\n"}
    assert compiled(small(tmp_path, **files))["bot"] == 0
    assert "automaton.toml has 2 decks; the automaton plays from 3" in refused(tmp_path, files, automaton="easy")


def test_monsters_by_player() -> None:
    assert compiled()["monster_of"].tolist() == [NONE] * 5
    assert compiled(monsters="robot+random+mummy")["monster_of"].tolist() == [ROBOT, NONE, MUMMY, NONE, NONE]
    assert compiled()["kit_in_box"][:5].tolist() == [1, 1, 1, 1, 0]  # the angler has no copies
    same = compiled(players=5, monsters="+".join(["robot"] * 5), same_monsters="on")
    assert same["monster_of"].tolist() == [ROBOT] * 5 and same["same_monsters"] == 1


def test_a_monster_of_an_overlay_can_be_named(tmp_path: Path) -> None:
    ghost = '[ghost]\nname = "Ghost"\nsource = "estimated"\ntier = "easy"\nfigures = { figure = 1 }\n'
    content = small(tmp_path, monsters=f'{ghost}setup = "draw up"\nturn = "spook; draw up"\n')
    own = {p.name: p for p in GAME.own_parameters(content)}
    assert own["monsters"].choices == ("random", "trainer", "caller", "mummy", "robot", "angler", "ghost")
    assert own["map"].choices == ("theater-8",)
    rules = compiled(content, monsters="ghost")
    assert rules["monster_of"][0] == 5 and rules["kits"] == 6
    assert all(p is own[p.name] for p in PARAMETERS if p.name not in GAME.named_in)


def test_what_is_counted_apart() -> None:
    rules = compiled()
    names = tables.component_names(read(small(), {}), small())
    assert names[:2] == [("card=haunt", Tally.COMPONENTS), ("card=search", Tally.COMPONENTS + 3)]
    assert rules["components"] == 7 and rules["component_card"][:8].tolist() == [*range(7), NONE]
    assert rules["matchup_first"] == Tally.COMPONENTS + 21 and rules["tallies"] == rules["matchup_first"] + 2 * 25


def test_cards_not_in_play_are_no_provenance() -> None:
    content = small()
    named = read(content, {"monsters": "robot+trainer", "players": 2})
    out = unused(named, content)
    assert {"maps", "rooms", "locks", "automaton", "monsters.mummy", "cards.line"} <= set(out)
    assert not {"monsters.robot", "cards.flex", "cards.haunt", "cards.grab"} & set(out)
    assert sum(content.provenance(without=out).values()) == 3 + 1 + 3 + 2  # basic, robot's, trainer's, two boards
    drawn = unused(read(content, {"monsters": "robot"}), content)
    assert set(drawn) == {"maps", "rooms", "locks", "automaton"}
    alone = unused(read(content, {"monsters": "trainer", "players": 1}), content)
    assert "automaton" not in alone and "monsters.robot" not in alone and "monsters.mummy" in alone


# --- what ships ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_what_ships_compiles(players: int) -> None:
    configuration = GAME.configure({"players": players})
    rules = configuration.rules[0]
    assert rules["kits"] == len(configuration.content.sections["monsters"]) and rules["matchup_first"] != NONE
    assert all(rules["kit_cards"][kit] >= 5 for kit in range(rules["kits"]))
    assert isinstance(configuration, Configuration) and GAME.board is not None
    assert GAME.board(configuration)["kind"] == "rooms"


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"players": 6}, "players: 6 is outside 1..5"),
        ({"players": 5, "automaton": "easy", "same_monsters": "on"}, "games of up to 4 players, not of 5"),
        ({"players": 1, "automaton": "off"}, "automaton = off: one player plays against the automaton"),
        ({"automaton": "hrad"}, "automaton: no choice 'hrad'; did you mean 'hard'"),
        ({"monsters": "robto"}, "monsters: no choice 'robto'; did you mean 'robot'"),
        ({"monsters": "robot+"}, "monsters: no choice ''"),
        ({"monsters": "robot+robot"}, "monsters: robot is named twice; that needs same_monsters = on"),
        ({"monsters": "robot+caller+mummy", "players": 2}, "monsters: 3 are named for 2 players"),
        ({"monsters": "robot+mummy", "players": 1}, "2 are named for 1 player"),
        ({"monsters": "angler"}, "angler has no copies in the content"),
        ({"monsters": "robot", "automaton": "easy", "players": 3}, "the automaton is robot; name another one"),
        ({"players": 5}, "5 are drawn, and the box has 4 to draw from"),
        ({"tickets_per_player": 3}, "4 players need 12 tickets, and ticket_values has 10"),
        ({"ticket_values": "4+x+5"}, "ticket_values: 'x' in '4+x+5' is no number"),
        ({"ticket_values": "+".join("4" * 25)}, "25 tickets, and 24 fit"),
        ({"start_score": 50}, "start_score: 50 points at the start are not below target_score = 50"),
        ({"target_score": 20, "automaton": "nightmare", "players": 3}, "automaton = nightmare: 20 points"),
        ({"map": "theatre-8"}, "map: no choice 'theatre-8'; did you mean 'theater-8'"),
        ({"locks": "third"}, "locks = third: locks.toml has no such reading"),
        ({"guest_density": 4}, "0..3"),
        ({"ruling.locked_doors": "present"}, "ruling.locked_doors"),
    ],
)
def test_bad_settings_are_refused(given: dict[str, Any], said: str) -> None:
    assert said in refused(**{name.replace(".", "__"): value for name, value in given.items()})


def kit(**texts: str) -> str:
    """An overlay's monsters.toml with a sixth kit."""
    keys = {
        "name": '"Ghost"',
        "source": '"estimated"',
        "tier": '"easy"',
        "figures": "{ figure = 1 }",
        "setup": '"draw up"',
        "turn": '"spook; draw up"',
    } | texts
    return "[ghost]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"turn": '"sppok; draw up"'}, "[ghost], turn: no verb 'sppok' in a monster's board"),
        ({"turn": '"place jar in your room"'}, "'jar in your room' is no token; known: figure"),
        ({"turn": '"do haunting"'}, "'haunting' is no ability; known: that space"),
        ({"turn": '"do turn"'}, "'turn' is no ability"),
        ({"abilities": '{ turn = "spook" }'}, "'turn' is already the name of something else"),
        ({"abilities": '{ boo = "do boo" }'}, "[ghost]: boo -> boo call each other in a circle"),
        ({"abilities": '{ boo = "do hoo", hoo = "spook; do boo" }'}, "call each other in a circle"),
        ({"abilities": '{ boo = "do that space" }', "spaces": '{ one = "do boo" }'}, "call each other in a circle"),
        (
            {"abilities": '{ boo = "do the space of your figure" }', "spaces": '{ one = "do boo" }'},
            "call each other in a circle",
        ),
        ({"abilities": '{ boo = "spook" }', "spaces": '{ boo = "spook" }'}, "'boo' is already the name"),
        ({"abilities": '{ boo = "spook" }', "turn": '"put figure on boo"'}, "'boo' is no space"),
        ({"abilities": '{ "Boo Hoo" = "spook" }'}, "'Boo Hoo' cannot be the name of an ability or space"),
        ({"figures": "{}"}, "a monster has one figure at least"),
        ({"figures": "{ room = 1 }"}, "'room' is already the name of something else"),
        ({"tokens": "{ figure = 1 }"}, "'figure' is already the name of something else"),
        ({"tokens": "{ jar = 0 }"}, "jar = 0: from 1 to 16"),
        ({"tokens": "{ jar = 16 }"}, "17 pieces of ghost, and 16 fit"),
        ({"tokens": f"{{ {', '.join(f'{k} = 1' for k in 'abcdefgh')} }}"}, "9 kinds of piece of ghost, and 8 fit"),
        ({"tokens": '{ jar = "two" }'}, "tokens.jar = 'two' must be a whole number"),
        ({"tier": '"hard"'}, "tier = 'hard' is not valid; known: easy, intermediate, advanced"),
        ({"turns": '"spook"'}, "unknown key 'turns'; did you mean 'turn'"),
        (
            {"standing": '"spook"'},
            "'spook [in {where:place}]' stands outside 'when ...:', 'instead of ...:' and 'always:'",
        ),
        ({"standing": '"once a turn: when you spook: gain 1"'}, "'when you spook' stands inside 'once a turn'"),
        ({"standing": '"when you spook: always: no guest may leave your room"'}, "'always' stands inside"),
        ({"standing": '"no guest may leave your room"'}, "understood only after 'always:'"),
        ({"standing": '"always: may no guest may leave your room"'}, "'may' cannot hold always"),
        ({"standing": '"instead of move: spook; instead of move: gain 1"'}, "'move' is replaced twice"),
        ({"standing": '"instead of draw: spook"'}, "'draw' is no rule; known: play a card, move"),
        (
            {"standing": '"always: (no guest may leave your room; no guest may leave any room)"'},
            "'no guest may leave {where:place}' is said of two places",
        ),
        (
            {"standing": '"always: jar is a room joined to its place"', "tokens": "{ jar = 2 }"},
            "2 jar: only a lone piece can be a room",
        ),
        ({"standing": f'"{"; ".join(["when you spook: gain 1"] * 9)}"'}, "9 triggered effects of ghost, and 8 fit"),
        ({"turn": f'"{"; ".join(["once a turn: gain 1"] * 60)}"'}, "more than 60 times 'once a turn'"),
        ({"turn": f'"{"; ".join(["gain 1"] * 2048)}"'}, "rows, and 2048 fit"),
        (
            {"spaces": f"{{ {', '.join(f's{i} = {chr(34) * 2}' for i in range(25))} }}"},
            "25 abilities and spaces of ghost, and 24",
        ),
    ],
)
def test_bad_kits_are_refused(texts: dict[str, str], said: str, tmp_path: Path) -> None:
    assert said in refused(tmp_path, {"monsters": kit(**texts)})


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (
            "monster = 'trainre'\neffect = 'spook'",
            "cards.toml, X: monster = 'trainre' is no monster; did you mean 'trainer'",
        ),
        (
            "monster = 'caller'\neffect = 'do fitness'",
            "'fitness' is no ability; known: answer, party, crowd, that space",
        ),
        ("monster = 'caller'\neffect = 'place jar'", "'jar' is no token; known: phone"),
        ("effect = 'do fitness'", "'fitness' is no ability; known: that space"),
        ("effect = 'when you spook: gain 1'", "no control 'when you spook' in a card"),
        ("monster = 'mummy'\ncopies = 14\neffect = 'spook'", "17 cards in the deck of mummy, and 16 fit"),
        ("copies = 17\neffect = 'spook'", "copies = 17 must be 16 or less"),
    ],
)
def test_bad_cards_are_refused(cards: str, said: str, tmp_path: Path) -> None:
    text = f'[x]\nname = "X"\nsource = "estimated"\n{cards}\n'.replace("'", '"')
    assert said in refused(tmp_path, {"cards": text})


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ('cards = "grab search"', "[deck-a]: 2 cards; a deck of the automaton has 3"),
        ('cards = "flex search mash"', "'flex' is no card of robot"),
        ('cards = "grab serch mash"', "did you mean 'search'"),
        ('monster = "caller"', "'grab' is no card of caller"),
        ('monster = "robots"', "monster = 'robots' is no monster; did you mean 'robot'"),
        (
            'cards = "haunt search mash"\nmonster = "caller"',
            "[deck-b]: monster = 'robot', and another deck's is another one",
        ),
    ],
)
def test_bad_decks_of_the_automaton_are_refused(deck: str, said: str, tmp_path: Path) -> None:
    assert said in refused(tmp_path, {"automaton": f"[deck-a]\n{deck}\n"}, players=3, automaton="easy")


def test_more_kits_than_fit_are_refused(tmp_path: Path) -> None:
    many = "".join(kit().replace("[ghost]", f"[ghost-{i}]") for i in range(22))
    assert "27 monsters, and 26 fit" in refused(tmp_path, {"monsters": many})


def test_no_basic_card_is_refused() -> None:
    none = small().changed({f"cards.{slug}.copies": 0 for slug in CARDS[:3]})
    with pytest.raises(InputError, match="one basic card at least"):
        compiled(none)


def test_the_most_kits_and_cards_fit_among_the_tallies() -> None:
    assert Tally.COMPONENTS + 2 * layout.CARDS + 2 * layout.KITS**2 <= layout.TALLIES


def test_matchups_are_left_out_where_they_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "TALLIES", Tally.COMPONENTS + 30)
    rules = compiled()
    assert rules["matchup_first"] == NONE and rules["tallies"] == Tally.COMPONENTS + 21


def test_cards_of_a_monster() -> None:
    assert kits.cards_of(small(), "trainer") == ["flex", "warm-up"] and kits.cards_of(small(), "") == CARDS[:3]
