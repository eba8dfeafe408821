"""A user's own strategy from a Python file: the example, and everything that can be wrong with one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import strategies
from simcore import batch, jit
from simcore.errors import InputError, PlayError
from simcore.game import find_game

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "my_strategy.py"
HEAD = """
from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel
"""
GOOD = """
@kernel
def play(game, rules, work, seat, decision):
    return game["options"] - 1
"""
TAIL = "STRATEGIES = (Strategy(name='last', idea='Last.', source='test', policy=play),)\n"


def write(folder: Path, text: str, name: str = "own.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path | str) -> str:
    with pytest.raises(InputError) as error:
        strategies.load_plugin(path, "snowball")
    said = str(error.value)
    assert "\n" not in said and str(Path(path).name) in said
    return said


def test_the_example_plays() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    body = text.split("@kernel")[1].split("STRATEGIES")[0].strip().splitlines()
    assert len([line for line in body if '"""' not in line]) <= 10  # as its first line says
    configuration = find_game("snowball").configure({"players": 4})
    line_up = strategies.line_up("snowball", 4, {"0": "mine:alarm=2", "all": "random"}, [EXAMPLE])
    totals = batch.total(configuration, line_up, games=600)
    from simcore.games.snowball.layout import Tally

    assert totals.sum[Tally.SHARE_PLAYER] / 60 / 600 > 0.3  # better than chance


def test_a_plug_in_with_a_helper_beside_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        "from simcore.games.snowball.kernel import kernel\n\n@kernel\ndef first(game):\n    return 0\n",
        "own_helper.py",
    )
    body = (
        "from own_helper import first\n@kernel\ndef play(game, rules, work, seat, decision):\n    return first(game)\n"
    )
    path = write(tmp_path, HEAD + body + TAIL)
    player = strategies.player("snowball", "last", [path])
    assert player.strategy.idea == "Last."
    assert strategies.source_digest(player.strategy)
    configuration = find_game("snowball").configure({"players": 2})
    assert batch.total(configuration, [player, player], games=60).games == 60  # a constant answer is an integer, too


def test_the_digest_follows_the_plug_ins_text(tmp_path: Path) -> None:
    one = strategies.load_plugin(write(tmp_path, HEAD + GOOD + TAIL), "snowball")["last"]
    two = strategies.load_plugin(write(tmp_path, HEAD + GOOD.replace("- 1", "- 1 + 0") + TAIL), "snowball")["last"]
    assert strategies.source_digest(one) != strategies.source_digest(two)


def test_an_edited_plug_in_is_read_again(tmp_path: Path) -> None:
    write(tmp_path, HEAD + GOOD + TAIL)
    path = write(tmp_path, HEAD + GOOD + TAIL.replace("Last.", "Edited."))
    assert strategies.load_plugin(path, "snowball")["last"].idea == "Edited."


def test_a_folder_of_other_things_does_not_get_in_the_way(tmp_path: Path) -> None:
    write(tmp_path, "raise RuntimeError('not this one')\n", "strategies.py")
    write(tmp_path, "raise RuntimeError('not this one')\n", "simcore.py")
    assert "last" in strategies.load_plugin(write(tmp_path, HEAD + GOOD + TAIL), "snowball")


BAD = {
    "empty": ("", "no strategy in it; it must end with STRATEGIES"),
    "no tuple": (HEAD + "STRATEGIES = 3\n", "no strategy in it"),
    "syntax": ("def play(:\n", "line 1: invalid syntax"),
    "null byte": ("a = 1\0\n", "null bytes"),
    "error at import": (HEAD + "\n1 / 0\n", "line 5: ZeroDivisionError: division by zero"),
    "no such module": ("import no_such_thing\n", "line 1: ModuleNotFoundError: No module named 'no_such_thing'"),
    "not decorated": (HEAD + GOOD.replace("@kernel\n", "") + TAIL, "is not compiled; it must be policy(game, rules"),
    "no function": (HEAD + TAIL.replace("=play", "=3"), "its policy is no function"),
    "too few": (
        HEAD + GOOD.replace(", decision)", ")") + TAIL,
        "wrong signature play(game, rules, work, seat); it must be policy(game, rules, work, seat, decision)",
    ),
    "other names": (
        HEAD + GOOD.replace("seat, decision", "who, what") + TAIL,
        "wrong signature play(game, rules, work, who",
    ),
    "unknown field": (
        HEAD + GOOD.replace('"options"', '"optoins"') + TAIL,
        "line 7: a record has no field 'optoins'; did you mean",
    ),
    "unknown name": (HEAD + GOOD.replace('game["options"]', "nothing") + TAIL, "does not compile"),
    "a float": (HEAD + GOOD.replace("- 1", "- 1.0") + TAIL, "returns float64, not the index of an option"),
    "taken": (HEAD + GOOD + TAIL.replace("'last'", "'expert'"), "the name 'expert' is taken by a strategy that ships"),
    "twice": (HEAD + GOOD + TAIL.replace("),)", "),) * 2"), "two strategies are called 'last'"),
    "no name": (HEAD + GOOD + TAIL.replace("'last'", "'a:b'"), "'a:b' is not a strategy's name"),
    "weight out of its bounds": (
        HEAD + GOOD + TAIL.replace("=play", "=play, weights=(Weight('w', 5.0, 'm', 0.0, 1.0),)"),
        "weight 'w': its default 5 is outside 0..1",
    ),
    "weight twice": (
        HEAD + GOOD + TAIL.replace("=play", "=play, weights=(Weight('w', 0.0, 'm'),) * 2"),
        "two weights are called 'w'",
    ),
}
COMPILED = ("not decorated", "unknown field", "unknown name", "a float")


@pytest.mark.parametrize("case", BAD)
def test_bad_plug_ins(tmp_path: Path, case: str) -> None:
    if jit.DISABLED and case in COMPILED:
        pytest.skip("nothing is compiled")
    text, said = BAD[case]
    assert said in refusal(write(tmp_path, text))


def test_files_that_are_none(tmp_path: Path) -> None:
    assert "cannot be read (no such file" in refusal(tmp_path / "none.py")
    assert "cannot be read (is a directory" in refusal(tmp_path)
    binary = tmp_path / "binary.py"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "cannot be read (UnicodeDecodeError" in refusal(binary)
    assert "not a Python file" in refusal(write(tmp_path, HEAD + GOOD + TAIL, "own.txt"))


def test_two_plug_ins_with_one_name(tmp_path: Path) -> None:
    a, b = write(tmp_path, HEAD + GOOD + TAIL, "a.py"), write(tmp_path, HEAD + GOOD + TAIL + "\n", "b.py")
    with pytest.raises(InputError, match="the name 'last' is taken by plug-in .*a.py"):
        strategies.player("snowball", "last", [a, b])


def test_an_illegal_answer_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + GOOD.replace("- 1", "+ 7") + TAIL)
    configuration = find_game("snowball").configure({"players": 2})
    with pytest.raises(PlayError, match="last.*none of its options.*doomtrack trace snowball"):
        batch.total(configuration, strategies.line_up("snowball", 2, ["last"], [path]), games=60)


# --- helpers beside a plug-in -----------------------------------------------------------------------------------------

HELPER = "from simcore.games.snowball.kernel import kernel\n\n\n@kernel\ndef first(game):\n    return {answer}\n"
HELPED = """
from helper import first


@kernel
def play(game, rules, work, seat, decision):
    return first(game)
"""


def with_helper(folder: Path, answer: str, name: str = "last") -> Path:
    folder.mkdir(exist_ok=True)
    write(folder, HELPER.format(answer=answer), "helper.py")
    return write(folder, HEAD + HELPED + TAIL.replace("'last'", f"'{name}'"))


def turns(path: Path, name: str = "last") -> int:
    from simcore.games.snowball.layout import Tally

    configuration = find_game("snowball").configure({"players": 2})
    totals = batch.total(configuration, strategies.line_up("snowball", 2, [name], [path]), games=60)
    return int(totals.sum[Tally.TURNS])


@pytest.mark.parametrize("on_path", [False, True])
def test_two_plug_ins_each_with_a_helper_of_one_name(tmp_path: Path, monkeypatch, on_path: bool) -> None:
    one = with_helper(tmp_path / "p1", "0", "one")
    two = with_helper(tmp_path / "p2", 'game["options"] - 1', "two")
    alone = write(tmp_path, HEAD + GOOD + TAIL, "alone.py")
    if on_path:  # as with `python -m` in the plug-in's folder
        monkeypatch.syspath_prepend(str(tmp_path / "p1"))
        monkeypatch.chdir(tmp_path / "p1")
    found = turns(one, "one"), turns(two, "two"), turns(alone)
    assert found[0] != found[1] == found[2]
    assert "helper" not in sys.modules
    players = [strategies.player("snowball", n, [one, two]).strategy for n in ("one", "two")]
    assert strategies.source_digest(players[0]) != strategies.source_digest(players[1])


def test_helpers_compiled_in_different_processes_are_told_apart(tmp_path: Path) -> None:
    """Each is compiled where the other is not, and then both are loaded from the cache into one process."""
    answers = {"p1": "0", "p2": 'game["options"] - 1'}
    paths = {folder: with_helper(tmp_path / folder, answer, folder) for folder, answer in answers.items()}
    for path in paths.values():
        code = f"import strategies; strategies.load_plugin({str(path)!r}, 'snowball')"
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert turns(paths["p1"], "p1") != turns(paths["p2"], "p2")


def test_an_edited_helper_is_seen_again(tmp_path: Path) -> None:
    path = with_helper(tmp_path, 'game["options"] - 1')
    before, old = turns(path), strategies.load_plugin(path, "snowball")["last"]
    assert strategies.load_plugin(path, "snowball")["last"] is old
    with_helper(tmp_path, 'game["options"] * 0')
    new = strategies.load_plugin(path, "snowball")["last"]
    assert new is not old and turns(path) != before
    assert strategies.source_digest(new) != strategies.source_digest(old)
    with_helper(tmp_path, 'game["options"] - 1')
    assert turns(path) == before
    again = strategies.load_plugin(path, "snowball")["last"]
    assert strategies.source_digest(again) == strategies.source_digest(old)


def test_a_package_beside_a_plug_in(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", "from .inner import first\n", "__init__.py")
    write(tmp_path / "parts", HELPER.format(answer="0"), "inner.py")
    path = write(tmp_path, HEAD + HELPED.replace("from helper", "from parts") + TAIL)
    assert turns(path) > 0
    assert not {"parts", "parts.inner"} & set(sys.modules)


def test_an_error_in_a_helper_leaves_nothing(tmp_path: Path) -> None:
    path = with_helper(tmp_path, "0")
    write(tmp_path, "1 / 0\n", "helper.py")
    assert "ZeroDivisionError" in refusal(path)
    assert "helper" not in sys.modules and not any(type(f).__name__ == "_Beside" for f in sys.meta_path)
    with_helper(tmp_path, "0")
    assert turns(path) > 0


def test_a_module_beside_a_plug_in_never_takes_an_installed_ones_place(tmp_path: Path) -> None:
    write(tmp_path, "raise RuntimeError('not this one')\n", "colorsys.py")
    sys.modules.pop("colorsys", None)
    assert strategies.load_plugin(write(tmp_path, "import colorsys\n" + HEAD + GOOD + TAIL), "snowball")


def test_a_helper_mended_after_an_error_is_compiled_anew(tmp_path: Path) -> None:
    body = HELPED.replace("import first", "import first, second").replace("play", "fine")
    wrong = '@kernel\ndef play(game, rules, work, seat, decision):\n    return second(game)["x"] * 1.5\n'
    tail = "STRATEGIES = tuple(Strategy(n, 'i', 's', p) for n, p in (('last', fine), ('other', play)))\n"
    two = HELPER + "\n\n@kernel\ndef second(game):\n    return {second}\n"
    write(tmp_path, two.format(answer="0", second="0"), "helper.py")
    path = write(tmp_path, HEAD + body + wrong + tail)
    if not jit.DISABLED:
        assert "does not compile" in refusal(path)
    write(tmp_path, HEAD + body + wrong.replace('["x"] * 1.5', "") + tail)
    before = turns(path)
    write(tmp_path, two.format(answer='game["options"] - 1', second="0"), "helper.py")
    assert turns(path) != before
