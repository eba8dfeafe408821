"""Kits made at random from the grammar are played to an end and lose nothing; who is called what does not matter."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import batch
from simcore.effects import Form
from simcore.game import Configuration, find_game
from simcore.games.spooktacular import words
from simcore.games.spooktacular.layout import Bar, Ledger, Op
from simcore.records import Status
from tests.contract import caught, conserved

GAME = find_game("spooktacular")
FIGURES, TOKENS = {"figure": 1, "hand": 2}, {"egg": 5, "nest": 1, "gate": 3}
ABILITIES, SPACES = ("one", "two", "three"), ("first", "second", "third")
CARDS = 3  # own ones of each monster
KITS = 5  # in an overlay
OVERLAYS = 16
GAMES = 12  # of each line-up
ENDS = (Status.WON, Status.TIED, Status.CAPPED, Status.ENDLESS)


# --- texts from the grammar ------------------------------------------------------------------------------------------


@dataclass
class Writer:
    """Writes texts at random: each form of the grammar, in each of its variants, with any words that it knows."""

    chance: random.Random
    seen: set[str] = field(default_factory=set)

    def said(self, form: Form, callable_: Sequence[str]) -> str:
        """One way to say a form; `callable_`: abilities and spaces that this text may do."""
        known = words.vocabularies({**FIGURES, **TOKENS}, dict.fromkeys((*ABILITIES, *SPACES), 0), {}, SPACES)
        self.seen.add(form.pattern)
        parts = []
        for kind, name, vocabulary in self.chance.choice(form.variants):
            if kind == "word":
                parts.append(name)
            elif vocabulary:
                parts.append(self.chance.choice(list(self.phrases(form, known[vocabulary], vocabulary, callable_))))
            else:
                low, high = form.bounds_of(name)
                parts.append(str(self.chance.randint(low, min(high, low + 3))))
        return " ".join(parts)

    def phrases(self, form: Form, known: Mapping[str, int], vocabulary: str, callable_: Sequence[str]) -> Iterable[str]:
        if form.op == Op.EXTRA_ROOM:
            return ("nest",)
        if form.op == Op.DOORS:
            return ("gate",)
        if vocabulary == "ability":
            return [*callable_, *((words.THAT_SPACE,) if SPACES[0] in callable_ else ())]
        return known

    def verb(self, callable_: Sequence[str]) -> str:
        forms = [form for form in words.VERBS if self.may_say(form, callable_)]
        return self.said(self.chance.choice(forms), callable_)

    def may_say(self, form: Form, callable_: Sequence[str]) -> bool:
        if form.op == Op.DO:
            return bool(callable_)
        return form.op != Op.DO_SPACE or SPACES[0] in callable_

    def clause(self, callable_: Sequence[str], depth: int = 0) -> str:
        pick = self.chance.random()
        if depth > 2 or pick < 0.6:
            return self.verb(callable_)
        if pick < 0.7:
            return f"may {self.block(callable_, depth + 1)}"
        if pick < 0.8:
            sides = " | ".join(self.clause(callable_, depth + 1) for _ in range(self.chance.randint(2, 3)))
            return f"choose ({sides})"
        return f"{self.said(self.chance.choice(words.CONTROLS), callable_)}: {self.block(callable_, depth + 1)}"

    def block(self, callable_: Sequence[str], depth: int) -> str:
        return f"({'; '.join(self.clause(callable_, depth) for _ in range(self.chance.randint(1, 2)))})"

    def text(self, callable_: Sequence[str] = (*ABILITIES, *SPACES), most: int = 3) -> str:
        return "; ".join(self.clause(callable_) for _ in range(self.chance.randint(1, most)))

    def standing(self) -> str:
        """Triggers, replacements of different rules, and what always holds, said of one place each."""
        every = (*ABILITIES, *SPACES)
        triggers = [form for form in words.TRIGGERS if form.op == Op.WHEN]
        parts = [
            f"{self.said(form, every)}: {self.block(every, 1)}"
            for form in self.chance.sample(triggers, self.chance.randint(0, 3))
        ]
        (instead,) = (form for form in words.TRIGGERS if form.op == Op.INSTEAD)
        if self.chance.random() < 0.3:
            parts.append(f"{self.said(instead, every)}: {self.block(every, 1)}")
        doors = [form for form in words.STANDING_VERBS if form.op == Op.DOORS]
        others = [form for form in words.STANDING_VERBS if form.op != Op.DOORS]
        for form in (*self.chance.sample(others, self.chance.randint(0, 2)), *self.chance.sample(doors, 1)):
            parts.append(f"always: {self.said(form, every)}")
        self.chance.shuffle(parts)
        return "; ".join(parts)

    def kit(self, slug: str) -> tuple[str, str]:
        """A monster and its cards, as TOML."""
        monster = {
            "name": slug,
            "source": "estimated",
            "tier": self.chance.choice(("easy", "intermediate", "advanced")),
            "figures": FIGURES,
            "tokens": TOKENS,
            "setup": f"place figure in any room; {self.text(most=2)}; draw up",
            "turn": f"play a card; {self.text()}; draw up",
            "standing": self.standing(),
            "abilities": {name: self.text((*ABILITIES[i + 1 :], *SPACES)) for i, name in enumerate(ABILITIES)},
            "spaces": {name: self.text((), 2) for name in SPACES},
        }
        cards = "".join(
            toml(
                f"{slug}-{i}",
                {
                    "name": f"{slug} {i}",
                    "source": "estimated",
                    "monster": slug,
                    "copies": self.chance.randint(1, 2),
                    "effect": self.text(),
                },
            )
            for i in range(CARDS)
        )
        return toml(slug, monster), cards


def inline(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(k)} = {inline(v)}" for k, v in value.items()) + " }"
    return json.dumps(value)


def toml(slug: str, entry: Mapping[str, Any]) -> str:
    """An entry as TOML."""
    return f"[{slug}]\n" + "".join(f"{key} = {inline(value)}\n" for key, value in entry.items())


def overlay(folder: Path, monsters: str, cards: str) -> tuple[str]:
    folder.mkdir()
    (folder / "monsters.toml").write_text(monsters, encoding="utf-8")
    (folder / "cards.toml").write_text(cards, encoding="utf-8")
    return (str(folder),)


# --- kits at random --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Writer, list[Configuration]]:
    """Overlays with kits made at random, played by all numbers of players with and without the automaton."""
    writer, found = Writer(random.Random(5)), []
    for n in range(OVERLAYS):
        kits = [writer.kit(f"kit-{i}") for i in range(KITS)]
        folder = overlay(tmp_path_factory.mktemp("kits") / "made", *("".join(part) for part in zip(*kits, strict=True)))
        players = n % 5 + 1
        settings = {"players": players, "monsters": "+".join(f"kit-{(n + i) % KITS}" for i in range(players))}
        settings |= {"kit_strength": 1.5} if n % 4 == 1 else {}
        settings |= {"automaton": "easy"} if n % 3 == 1 and players < 5 else {}
        found.append(GAME.configure(settings, folder))
    return writer, found


def test_the_whole_grammar_is_said(made: tuple[Writer, list[Configuration]]) -> None:
    forms = (*words.VERBS, *words.CONTROLS, *words.STANDING_VERBS, *(f for f in words.TRIGGERS if f.op is not None))
    assert {form.pattern for form in forms} - made[0].seen == set()
    assert len(Bar) == sum(form.op == Op.BAR for form in words.STANDING_VERBS)


def test_every_game_comes_to_an_end_and_nothing_is_lost(made: tuple[Writer, list[Configuration]]) -> None:
    """Or its effects are too many, which is counted; guests, cards, pieces and points are where they can be."""
    ended: list[int] = []
    broken_off = 0
    for configuration in made[1]:
        rules, _ = batch.prepare(configuration, strategies.line_up(GAME.name, configuration.seats, ["random"]))
        game, work = batch.new_work(configuration, None)
        for number in range(GAMES):
            batch.call_kernel(configuration, rules, game, work, number, 1)
            status = int(game[0]["status"])
            assert status in ENDS
            conserved.check_guests(game[0], rules[0])
            if status != Status.ENDLESS:
                conserved.check(game[0], rules[0])
                assert game[0]["agenda_size"] == 0
            ended.append(status)
            broken_off += int(game[0]["tally"][Ledger.RUNAWAY] > 0)
    assert sum(status in (Status.WON, Status.TIED) for status in ended) > len(ended) / 2
    assert 0 < broken_off < len(ended), "a runaway chain should come up, and not always"


def test_nothing_is_lost_while_a_game_is_played(made: tuple[Writer, list[Configuration]]) -> None:
    """At decisions deep inside effects, too."""
    looked = 0
    for configuration in made[1]:
        rules = caught.rules_for(configuration, strategies.known(GAME.name)["random"])
        for number, asked in ((0, 5), (1, 12), (2, 23), (3, 40), (4, 61), (5, 90), (6, 130), (7, 200)):
            position = caught.caught(configuration, number, asked)
            if position is not None:
                conserved.check(position.game[0], rules[0])
                looked += 1
    assert looked > 3 * OVERLAYS


# --- what a monster is called ----------------------------------------------------------------------------------------

ORIGINALS = ("deadline", "mummygator", "beasts-of-business", "angler", "killer-car", "mimic")


def doubled(slug: str, folder: Path) -> tuple[str]:
    """An overlay in which a monster is there once more, called otherwise, and so are its cards."""
    content = GAME.load_content(())
    monster = content.sections["monsters"][slug].model_dump(exclude_defaults=True)
    monsters = toml("double", {**monster, "name": "Double"})
    cards = ""
    for name, card in content.sections["cards"].items():
        if card.monster == slug:
            said = card.model_dump(exclude_defaults=True)
            cards += toml(f"double-{name}", {**said, "name": f"Double {card.name}", "monster": "double"})
    return overlay(folder, monsters, cards)


def played(configuration: Configuration, strategy: str, games: int) -> tuple[np.ndarray, batch.Totals]:
    players = strategies.line_up(GAME.name, configuration.seats, [strategy])
    (block,) = batch.play(configuration, players, games=games, seed=3, keep=True, threads=1)
    assert block.outcomes is not None
    return block.outcomes, block.totals


@pytest.mark.parametrize("slug", ORIGINALS)
def test_two_kits_that_say_the_same_can_change_names(slug: str, tmp_path: Path) -> None:
    """The same games to the last decision; only that the one is called the other."""
    folder = doubled(slug, tmp_path / "overlay")
    one, two = (
        GAME.configure({"players": 3, "monsters": f"{names}+clown"}, folder)
        for names in (f"{slug}+double", f"double+{slug}")
    )
    monsters = list(one.content.sections["monsters"])
    a, b = monsters.index(slug), monsters.index("double")
    exchanged = np.arange(len(monsters))
    exchanged[[a, b]] = b, a
    for strategy, games in (("random", 600), ("greedy", 24)):
        rows, totals = played(one, strategy, games)
        other_rows, other = played(two, strategy, games)
        assert totals.decisions == other.decisions
        assert {a, b} <= set(rows["monster"][:, :3].ravel().tolist())
        rows["monster"][:, :3] = exchanged[rows["monster"][:, :3]]
        assert rows.tobytes() == other_rows.tobytes(), strategy


def test_another_text_would_be_noticed(tmp_path: Path) -> None:
    """The test above can fail: a double that says something else."""
    folder = doubled("clown", tmp_path / "overlay")
    settings = {"players": 2, "monsters.double.turn": "play a card; gain 1; draw up"}
    one, two = (GAME.configure({**settings, "monsters": names}, folder) for names in ("clown+double", "double+clown"))
    assert played(one, "random", 60)[0]["points"].tobytes() != played(two, "random", 60)[0]["points"].tobytes()
