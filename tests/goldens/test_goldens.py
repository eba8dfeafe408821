"""Every game is played as its goldens say, its version is theirs, and new goldens are made on purpose only."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments.cli import app
from simcore import content
from simcore.game import Game, games
from simcore.games.snowball import tables
from tests.goldens import playthroughs
from tests.goldens.playthroughs import DIGESTS, Present, Stored
from tools import goldens
from tools.goldens import ROOT

GAMES = games()
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_file = pytest.mark.parametrize(
    ("game", "file"),
    [
        pytest.param(game, file, id=f"{game.name}-{file}")
        for game in GAMES.values()
        for file in (*(f"{p.name}.txt" for p in playthroughs.wanted(game)), DIGESTS)
    ],
)


@cache
def stored(game: Game) -> Stored:
    return playthroughs.read(goldens.folder(ROOT, game))


@cache
def present(game: Game) -> Present:
    return playthroughs.present(game, stored(game), measure=False)


@cache
def expected(game: Game) -> dict[str, str]:
    return goldens.expected(present(game), stored(game), game.version)


# --- the games there are ---------------------------------------------------------------------------------------------


@every_file
def test_a_game_is_played_as_its_golden_says(game: Game, file: str) -> None:
    if stored(game).texts.get(file) != expected(game)[file]:
        said = goldens.diff(file, stored(game).texts, expected(game))
        pytest.fail(f"{said}\nIf this is meant: python tools/goldens.py --regenerate {game.name}", pytrace=False)


@every_game
@pytest.mark.slow
def test_players_win_as_often_as_the_digests_say(game: Game) -> None:
    """Measured over many games: what a later version is compared with."""
    found = {p.name: playthroughs.win_shares(game, playthroughs.line_up(game, p)) for p in playthroughs.wanted(game)}
    assert found == stored(game).digests["measured"]


@every_game
def test_a_game_has_all_its_goldens_and_no_others(game: Game) -> None:
    assert stored(game).texts.keys() == expected(game).keys()


@every_game
def test_goldens_are_of_the_present_version(game: Game) -> None:
    assert stored(game).version == game.version == goldens.version_now(ROOT, game)
    first = f"{game.title}: {game.name} version {game.version}\n"
    assert all(text.startswith(first) for name, text in stored(game).texts.items() if name != DIGESTS)


@every_game
def test_overlays_and_rulings_have_digests(game: Game) -> None:
    found = playthroughs.line_ups(game)
    assert set(game.overlays()) <= {name for given in found for name in given.overlays}
    told = {pair for given in found for pair in given.settings}
    for parameter in game.parameters:
        values = parameter.choices or ((True, False) if parameter.kind == "flag" else ())
        for value in values:
            said = value if isinstance(value, str) else ("off", "on")[value]
            if parameter.source == "ruling" and value != parameter.default:
                assert (parameter.name, said) in told


@every_game
def test_playthroughs_are_of_mixed_players(game: Game) -> None:
    for playthrough in playthroughs.wanted(game):
        names = playthroughs.line_up(game, playthrough).strategies
        assert len(set(names)) > 1 or len(names) == 1


def test_every_monster_of_spooktacular_is_in_a_golden() -> None:
    """Named there: who is drawn is another one when the box changes."""
    wanted = playthroughs.wanted(GAMES["spooktacular"])
    named = [name for p in wanted for name in str(dict(p.settings).get("monsters", "")).split("+") if name]
    assert sorted(named) == sorted(GAMES["spooktacular"].load_content(()).sections["monsters"])
    assert {dict(p.settings)["players"] for p in wanted} == {1, 2, 3, 4, 5}


def test_the_folders_and_the_table_are_of_games_that_there_are() -> None:
    folders = {p.name for p in (ROOT / "tests" / "goldens").iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert folders == set(GAMES) and set(playthroughs.MORE) <= set(GAMES)


@every_game
def test_the_command_in_a_golden_tells_its_game(game: Game) -> None:
    text = stored(game).texts[f"{playthroughs.wanted(game)[-1].name}.txt"]
    (command,) = (line.removeprefix("command: ") for line in text.splitlines() if line.startswith("command: "))
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    told = re.sub(r"^in the chairs: .*\n", "", done.stdout, flags=re.MULTILINE)  # stands further up in a golden
    assert done.exit_code == 0 and f"\n\n{told}\noutcome" in text


# --- the command -----------------------------------------------------------------------------------------------------


class Tree:
    """A copied tree: Snowball with the content that lies in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.game = replace(GAMES["snowball"], load_content=self.load)
        self.folder = goldens.folder(root, self.game)
        self.loaded: dict[tuple[str, ...], content.Content] = {}

    def load(self, overlays: Sequence[str]) -> content.Content:
        overlays = tuple(overlays)
        if overlays not in self.loaded:
            place = self.root / "simcore/games/snowball/content"
            self.loaded[overlays] = content.load(place, tables.sections(), overlays)
        return self.loaded[overlays]

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        self.loaded.clear()

    def harden(self, number: int = 2) -> None:
        """Make Pinecones stronger."""
        self.edit("simcore/games/snowball/content/items.toml", f"power +{number}", f"power +{number + 1}")

    def run(self, *arguments: str) -> int:
        return goldens.main(arguments, self.root, {"snowball": self.game})

    @property
    def version(self) -> int:
        return goldens.version_now(self.root, self.game)

    @property
    def changelog(self) -> str:
        return goldens.changelog(self.root)

    def files(self) -> dict[str, str]:
        return dict(playthroughs.read(self.folder).texts)

    def commit(self) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        apart = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # as in a git hook
        for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "--no-gpg-sign", "-m", "x")):
            subprocess.run(["git", *words], cwd=self.root, env=apart, check=True, capture_output=True)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the command reads and writes, with small goldens."""
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "simcore/games/snowball", root / "simcore/games/snowball")
    shutil.copy(ROOT / "CHANGELOG.md", root)
    text = (root / "simcore/games/snowball/game.py").read_text(encoding="utf-8")
    (root / "simcore/games/snowball/game.py").write_text(goldens.VERSION.sub("VERSION = 1", text), encoding="utf-8")
    log = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    for version in range(1, goldens.version_in(text) + 1):
        first = "- snowball version 1: the first.\n"
        log = log.replace(goldens.entry(log, GAMES["snowball"], version), first if version == 1 else "")
    (root / "CHANGELOG.md").write_text(log, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        assert Tree(root).run("--regenerate", "snowball") == 0
    return root


def small(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(playthroughs, "GAMES", 24)
    patch.setattr(playthroughs, "MEASURED", 240)
    few = [s for s in playthroughs.settings_of(GAMES["snowball"]) if s[0] in ("players=4", "overlay=model-b")]
    patch.setattr(playthroughs, "settings_of", lambda game: few)


@pytest.fixture
def tree(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    small(monkeypatch)
    shutil.copytree(prepared, tmp_path / "tree")
    return Tree(tmp_path / "tree")


Said = Callable[[], str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return lambda: capsys.readouterr().out


def test_nothing_is_regenerated_where_nothing_differs(tree: Tree, said: Said) -> None:
    before = tree.files(), tree.version, tree.changelog
    assert tree.run() == 0
    assert "are what is played now" in said()
    assert tree.run("--regenerate", "snowball") == tree.run("--regenerate") == 1
    assert said().count("nothing to regenerate") == 2
    assert (tree.files(), tree.version, tree.changelog) == before


def test_another_number_in_the_content_is_noticed_and_told_once(tree: Tree, said: Said) -> None:
    before = tree.files()
    tree.harden()
    assert tree.run() == 1
    shown = said()
    assert re.search(r"--- (\S+) \(golden\)\n\+\+\+ \1 \(played now\)\n@@", shown)
    assert "digests.toml" in shown and "--regenerate snowball" in shown
    assert tree.files() == before and tree.version == 1

    assert tree.run("--regenerate", "snowball") == 1  # CHANGELOG.md says nothing yet
    shown = said()
    assert tree.version == 2 and "VERSION is 2 now" in shown
    assert (
        "- snowball version 2: <why>; win shares in % (240 games, standard error 3.2 at most), players-4: 0 expert"
        in shown
    )
    after = tree.files()
    assert after.keys() == before.keys() and after[DIGESTS] != before[DIGESTS]
    assert all("version 2\n" in text for name, text in after.items() if name != DIGESTS)
    assert "[before]" in after[DIGESTS] and "version 2" not in tree.changelog
    measured = playthroughs.read(tree.folder).digests
    assert measured["before"] == {"version": 1, **playthroughs.tomllib.loads(before[DIGESTS])["measured"]}
    assert tree.run("--regenerate", "snowball") == 1  # nothing differs, and still no word of it
    assert "write under Games" in said() and tree.files() == after and tree.version == 2

    assert tree.run("--regenerate", "snowball", "--why", "Pinecones strike harder.") == 0
    assert "Pinecones strike harder; win shares in %" in tree.changelog.replace("\n  ", " ")
    games = tree.changelog.split("### Games\n")[1]
    assert re.match(
        r"\n- snowball version 1: .*(\n- (?!snowball).*)*\n- snowball version 2: Pinecones strike harder; ", games
    )
    assert max(map(len, tree.changelog.splitlines())) <= 130
    assert tree.run() == 0 and tree.files() == after
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones once more") == 1
    assert "once more" not in tree.changelog


def test_the_first_goldens_of_a_game_are_of_its_first_version(tree: Tree, said: Said) -> None:
    before = tree.files()
    shutil.rmtree(tree.folder)
    tree.edit("CHANGELOG.md", "- snowball version 1: the first.\n", "")
    assert tree.run() == 1 and "is missing" in said()
    assert tree.run("--regenerate", "snowball") == 1
    assert "- snowball version 1: the first.\n" in said() and tree.version == 1 and tree.files() == before
    assert tree.run("--regenerate", "snowball", "--why", "The first") == 0
    assert "- snowball version 1: The first.\n" in tree.changelog


def test_a_second_change_before_the_commit_raises_no_further_version(
    tree: Tree, said: Said, require_tool: Callable[..., str]
) -> None:
    require_tool("git")
    tree.commit()
    published = playthroughs.read(tree.folder).digests["measured"]
    tree.harden()
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones strike harder") == 0
    first = tree.files()
    tree.harden(3)
    assert tree.run("--regenerate", "snowball") == 0  # the line is there, and may have to be said better
    assert tree.version == 2 and "see whether it is still true" in said()
    assert tree.files() != first
    assert playthroughs.read(tree.folder).digests["before"] == {"version": 1, **published}
    tree.harden(4)
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones strike hard") == 0
    assert tree.version == 2 and tree.changelog.count("snowball version 2") == 1
    assert "Pinecones strike hard;" in tree.changelog and "harder" not in tree.changelog
    tree.commit()
    tree.harden(5)
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones strike very hard") == 0
    assert tree.version == 3 and playthroughs.read(tree.folder).digests["before"]["version"] == 2


def test_without_git_the_change_log_says_what_is_published(tree: Tree) -> None:
    tree.harden()
    assert tree.run("--regenerate", "snowball") == 1 and tree.version == 2
    tree.harden(3)
    assert tree.run("--regenerate", "snowball") == 1 and tree.version == 2
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones") == 0
    tree.harden(4)
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones") == 0 and tree.version == 3


def test_a_version_raised_by_hand_is_not_raised_again(tree: Tree) -> None:
    tree.harden()
    tree.edit("simcore/games/snowball/game.py", "VERSION = 1", "VERSION = 2")
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones") == 0
    assert tree.version == 2 and tree.run() == 0


def test_other_words_are_not_another_version(tree: Tree, said: Said) -> None:
    before, usual = tree.files(), tree.game.tell
    tree.game = replace(tree.game, tell=lambda *given: [s.replace(" throws ", " hurls ") for s in usual(*given)])
    assert tree.run() == 1
    assert re.search(r"^-Player \d throws .*\n\+Player \d hurls ", said(), re.MULTILINE)
    assert tree.run("--regenerate", "snowball") == 0
    assert "plays the same games as before: the version stays 1" in said()
    after = tree.files()
    assert after[DIGESTS] == before[DIGESTS] and tree.version == 1 and "version 2" not in tree.changelog
    assert after == {name: text.replace(" throws ", " hurls ") for name, text in before.items()}


def test_what_is_counted_otherwise_is_noticed_and_is_not_another_version(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playthroughs, "TOTALS", ("sum", "square"))
    assert tree.run() == 1
    assert tree.run("--regenerate", "snowball") == 0 and tree.version == 1 and tree.run() == 0


def test_a_new_playthrough_or_strategy_is_not_another_version(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    more = playthroughs.Playthrough("boughs", (("players", 2),), ("model-b",), ("greedy", "cautious"))
    monkeypatch.setitem(playthroughs.MORE, "snowball", (more,))
    playthroughs.line_ups.cache_clear()
    assert tree.run("--regenerate", "snowball") == 0 and tree.version == 1
    assert "boughs.txt" in tree.files() and "kids.txt" not in tree.files()
    monkeypatch.setattr(playthroughs, "mixed", lambda game, seats: ("greedy",) * seats)
    playthroughs.line_ups.cache_clear()
    assert tree.run("--regenerate", "snowball") == 0 and tree.version == 1
    tree.harden()
    playthroughs.line_ups.cache_clear()
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones") == 0 and tree.version == 2
    playthroughs.line_ups.cache_clear()


def test_a_change_that_comes_with_new_line_ups_is_noticed(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line-ups that had a digest are played again, even those that shall have none any more."""
    tree.harden()
    monkeypatch.setattr(playthroughs, "mixed", lambda game, seats: ("greedy",) * seats)
    playthroughs.line_ups.cache_clear()
    assert tree.run("--regenerate", "snowball", "--why", "Pinecones") == 0 and tree.version == 2
    playthroughs.line_ups.cache_clear()


def test_a_stray_and_a_missing_golden_are_noticed(tree: Tree, said: Said) -> None:
    (tree.folder / "old.txt").write_text("a game that nobody wants\n", encoding="utf-8")
    assert tree.run() == 1 and "old.txt is a stray" in said()
    (tree.folder / "old.txt").rename(tree.folder / "players-2.txt")
    (tree.folder / "players-3.txt").unlink()
    assert tree.run() == 1
    assert "a game that nobody wants" in (shown := said()) and "players-3.txt" in shown
    assert tree.run("--regenerate", "snowball") == 0 and tree.version == 1 and tree.run() == 0


def test_a_game_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], tree: Tree) -> None:
    for arguments in (("--regenerate", "snowbal"), ("--why", "because")):
        with pytest.raises(SystemExit) as refused:
            tree.run(*arguments)
        assert refused.value.code == 2
    shown = capsys.readouterr().err
    assert "no game 'snowbal'; known: snowball" in shown and "--why is about one game" in shown


@pytest.mark.slow
def test_the_command_in_a_copy_of_the_project(tmp_path: Path) -> None:
    """All of it as a program of its own, in plain Python: another path would compile everything again."""
    for folder in ("simcore", "strategies", "tools", "tests/goldens"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    tree = Tree(tmp_path)
    for name, usual, few in (("GAMES", "240", "1"), ("MEASURED", "24_000", "2")):
        tree.edit("tests/goldens/playthroughs.py", f"\n{name} = {usual}", f"\n{name} = {few}")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {"NUMBA_DISABLE_JIT": "1", "PATH": ""}
        command = [sys.executable, str(tmp_path / "tools/goldens.py"), *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    names = ", ".join(f'"{name}"' for name in GAMES)
    tree.edit("simcore/game.py", f"_GAMES = ({names})", '_GAMES = ("snowball",)')  # one is enough
    version = tree.version
    shutil.rmtree(tree.folder)
    first = run("--regenerate")
    assert first.returncode == 0 and tree.version == version, first.stderr
    tree.harden()
    told = run("--regenerate", "snowball")
    assert told.returncode == 1 and f"- snowball version {version + 1}: <why>" in told.stdout, told.stderr
    assert tree.version == version + 1
    assert run("--regenerate", "snowball", "--why", "Pinecones strike harder").returncode == 0
    assert f"- snowball version {version + 1}: Pinecones strike harder; " in tree.changelog
    assert run().returncode == 0
