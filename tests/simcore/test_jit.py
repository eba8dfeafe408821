"""Compiled code that is never stale, never compiled twice, never recursive, and gives the same bits as plain Python."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
import types
import warnings
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import jit, play, rng
from simcore.game import games
from simcore.games.snowball import layout
from simcore.games.snowball.kernel import kernel
from simcore.records import UNCOPIED

ROOT = Path(__file__).resolve().parent.parent.parent


def process(code: str, *, cwd: Path = ROOT, path: str = "", **environment: str) -> str:
    """What a new Python prints."""
    settings = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")} | environment
    settings["PYTHONPATH"] = path or str(ROOT)
    done = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        cwd=cwd,
        env=settings,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- a small project of its own: simcore's foundation and one toy game ------------------------------------------------

TOY = {
    "simcore/toy/__init__.py": "",
    "simcore/toy/layout.py": """
        import numpy as np
        GAME = np.dtype([("x", "i8")], align=True)
        RULES = np.dtype([("y", "i8")], align=True)
        WORK = np.dtype([("z", "i8")], align=True)
        """,
    "simcore/toy/kernel.py": """
        from simcore.jit import kernels
        from simcore.toy.layout import GAME, RULES, WORK
        kernel = kernels(GAME, RULES, WORK)
        """,
    "simcore/toy/numbers.py": "STEP = 1\n",
    "simcore/toy/helper.py": """
        from simcore.toy.kernel import kernel
        from simcore.toy.numbers import STEP

        @kernel
        def helper(game, rules, work, n):
            return game["x"] + n * STEP
        """,
    "simcore/toy/turn.py": """
        from simcore.toy.helper import helper
        from simcore.toy.kernel import kernel

        @kernel
        def answer(game, rules, work, n):
            return helper(game, rules, work, n) + 100
        """,
    "simcore/toy/aside.py": "NOTHING = 0\n",
}
ASK = """
    import json
    import numpy as np
    from simcore import jit
    from simcore.toy import layout, turn
    compiled = []
    jit.on_compile.append(compiled.append)
    records = [np.zeros(1, d) for d in (layout.GAME, layout.RULES, layout.WORK)]
    records[0]["x"] = 7
    number = jit.build(turn.answer)(*(r[0] for r in records), 3)
    print(json.dumps([int(number), sorted(compiled)]))
    """


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "simcore").mkdir()
    for name in ("__init__", "jit", "compile"):
        shutil.copy(ROOT / "simcore" / f"{name}.py", tmp_path / "simcore")
    for name, text in TOY.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text), encoding="utf-8")
    return tmp_path


def ask(toy: Path, **environment: str) -> tuple[int, list[str]]:
    """What the toy's kernel answers in a new process, and what had to be compiled for it."""
    # without bytecode: Python takes an edit of the same size within the same second for none
    environment = {"DOOMTRACK_CACHE": str(toy / "cache"), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    number, compiled = json.loads(process(ASK, cwd=toy, path=str(toy), **environment))
    return number, compiled


def test_an_edit_in_another_module_gives_a_new_answer(toy: Path) -> None:
    """In a helper, and in a constant that the helper imports; an edit that cannot matter compiles nothing."""
    assert ask(toy) == (110, ["answer", "helper"])
    assert ask(toy) == (110, [])
    helper, numbers, aside = (toy / "simcore" / "toy" / f"{n}.py" for n in ("helper", "numbers", "aside"))
    helper.write_text(helper.read_text().replace("+ n", "- n"))
    assert ask(toy) == (104, ["answer", "helper"])
    numbers.write_text("STEP = 2\n")
    assert ask(toy) == (101, ["answer", "helper"])
    aside.write_text("NOTHING = 1\n")
    assert ask(toy) == (101, [])
    numbers.write_text("STEP = 1\n")  # back again: still there
    assert ask(toy) == (104, [])


def test_an_edit_behind_a_relative_import_gives_a_new_answer(toy: Path) -> None:
    for name in ("helper", "turn"):
        file = toy / "simcore" / "toy" / f"{name}.py"
        file.write_text(file.read_text().replace("from simcore.toy.", "from ."))
    assert ask(toy)[0] == 110
    (toy / "simcore" / "toy" / "numbers.py").write_text("STEP = 2\n")
    assert ask(toy)[0] == 113


def test_numbas_settings_have_code_of_their_own(toy: Path) -> None:
    assert ask(toy) == (110, ["answer", "helper"])
    assert ask(toy, NUMBA_BOUNDSCHECK="1") == (110, ["answer", "helper"])
    assert ask(toy) == (110, [])


def test_plain_python_gives_the_same(toy: Path) -> None:
    assert ask(toy, NUMBA_DISABLE_JIT="1") == (110, [])


SIDE_BY_SIDE = """
    import json
    from simcore import jit
    from simcore.toy import turn
    told = []
    jit.on_compile.append(told.append)
    jit.build_all([turn.answer])
    stats = turn.answer.stats
    print(json.dumps([told, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
    """


@pytest.mark.parametrize("crowded", [False, True], ids=["clean", "crowded"])
def test_cold_kernels_are_compiled_by_processes_and_loaded(toy: Path, tmp_path: Path, crowded: bool) -> None:
    """Also from a folder that holds another `simcore.py`, which the installed program does not look at."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if crowded:
        (elsewhere / "simcore.py").write_text("raise RuntimeError('not this one')\n")
    told = process(SIDE_BY_SIDE, cwd=elsewhere, path=str(toy), DOOMTRACK_CACHE=str(toy / "cache"))
    assert json.loads(told) == [["answer"], 1, 0]


# --- a folder for machine code ----------------------------------------------------------------------------------------


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache folder is not chosen yet."""
    monkeypatch.setattr(jit, "_cache_root", None)


def chosen() -> tuple[Path, list[str]]:
    """The folder, asked for twice, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        folder = jit.cache_root()
        assert jit.cache_root() == folder
    return folder, [str(w.message) for w in caught]


@pytest.mark.usefixtures("fresh")
def test_the_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOOMTRACK_CACHE", str(tmp_path / "deep" / "cache"))
    assert chosen() == (tmp_path / "deep" / "cache", [])


@pytest.mark.usefixtures("fresh")
def test_a_folder_that_cannot_be_made_gives_way_to_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write to a read-only folder: a path below a file is one that nobody can write to."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DOOMTRACK_CACHE", str(tmp_path / "file" / "cache"))
    folder, said = chosen()
    assert folder.is_dir() and jit.usable(folder)
    assert len(said) == 1 and str(tmp_path / "file" / "cache") in said[0] and "DOOMTRACK_CACHE" in said[0]
    folder.rmdir()


@pytest.mark.usefixtures("fresh")
def test_a_full_disk_gives_way_to_a_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(jit.shutil, "disk_usage", lambda folder: usage(10**9, 10**9, 0))
    monkeypatch.setenv("DOOMTRACK_CACHE", str(tmp_path / "cache"))
    folder, said = chosen()
    assert folder != tmp_path / "cache" and len(said) == 1
    folder.rmdir()


@pytest.mark.usefixtures("fresh")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write to a read-only folder")
def test_a_read_only_folder_gives_way_to_a_temporary_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv("DOOMTRACK_CACHE", str(tmp_path))
    folder, said = chosen()
    assert folder != tmp_path and len(said) == 1
    folder.rmdir()


def test_a_process_without_a_cache_folder_warns_once_and_works(toy: Path) -> None:
    (toy / "cache").write_text("a file")
    code = f"import warnings\nwarnings.simplefilter('always')\n{textwrap.dedent(ASK)}"
    settings = {**os.environ, "PYTHONPATH": str(toy), "DOOMTRACK_CACHE": str(toy / "cache"), "TMPDIR": str(toy)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=toy, env=settings, capture_output=True, text=True, timeout=300, check=False
    )
    assert json.loads(done.stdout)[0] == 110
    assert done.stderr.count("RuntimeWarning") == 1


def test_old_code_is_deleted_by_age_only(tmp_path: Path) -> None:
    now = time.time()
    for name, days in (("k-new", 1), ("k-old", 61), ("k-other-version", 59), ("other-old", 400)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").write_text("")
        os.utime(tmp_path / name, (now - days * 86400,) * 2)
    (tmp_path / "k-file").write_text("")
    os.utime(tmp_path / "k-file", (now - 400 * 86400,) * 2)
    jit.prune(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["k-file", "k-new", "k-other-version", "other-old"]
    jit.prune(tmp_path / "nothing here")


# --- no recursion -----------------------------------------------------------------------------------------------------


@kernel
def one(game, rules, work):
    return two(game, rules, work)


@kernel
def two(game, rules, work):
    return three(game, rules, work)


@kernel
def three(game, rules, work):
    if game["turn"] == 0:
        return 0
    return one(game, rules, work)


@kernel
def itself(game, rules, work):
    if game["turn"] == 0:
        return 0
    return itself(game, rules, work)


def test_recursion_is_refused_and_the_chain_named() -> None:
    for _ in range(2):  # and again
        with pytest.raises(RecursionError, match="one -> two -> three -> one"):
            jit.build(one)
    with pytest.raises(RecursionError, match="itself -> itself"):
        jit.build(itself)
    with pytest.raises(RecursionError, match="two -> three -> one -> two"):
        jit.check_acyclic(two)


def entries() -> dict[str, Any]:
    """The kernels that are called from Python or by address: of every game, and all strategies."""
    found: dict[str, Any] = {}
    for game in games().values():
        found |= {f"{game.name}.{n}": game.kernel(n) for n in ("play_block", "play_turn", "redeal", "follow_up")}
        found |= {f"{game.name}:{n}": s.policy for n, s in strategies.known(game.name).items()}
        own = {n: s.follow_up for n, s in strategies.known(game.name).items() if s.follow_up is not None}
        found |= {f"{game.name}:{n}, follow-up": follow_up for n, follow_up in own.items()}
    return found


def reached(entry: Any) -> list[Any]:
    """A kernel and all that it calls."""
    found: dict[int, Any] = {}
    waiting = [entry]
    while waiting:
        k = waiting.pop()
        if id(k) not in found:
            found[id(k)] = k
            waiting += jit.callees(k)
    return list(found.values())


ENTRIES = entries()
every_entry = pytest.mark.parametrize("name", ENTRIES)


@every_entry
def test_the_call_graph_has_no_circle(name: str) -> None:
    jit.check_acyclic(ENTRIES[name])


def codes(code: types.CodeType) -> list[types.CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return [code, *(deeper for c in inner for deeper in codes(c))]


@every_entry
def test_kernels_call_kernels_by_their_own_names(name: str) -> None:
    """`module.kernel(...)` or a function within a function would not show in the call graph."""
    for k in reached(ENTRIES[name]):
        function = k.py_func
        assert len(codes(function.__code__)) == 1 and not function.__closure__, function.__name__
        for used in function.__code__.co_names:
            stands_for = function.__globals__.get(used)
            if isinstance(stands_for, types.ModuleType):
                assert stands_for is np, f"{function.__name__} names the module {used}"


# --- signatures and addresses -----------------------------------------------------------------------------------------


@kernel
def signed(game, rules, work, n, f_x, u_y):
    return n + np.int64(f_x) + np.int64(u_y >> np.uint64(60)) + game["turn"]


def records() -> tuple[Any, Any, Any]:
    return tuple(np.zeros(1, d)[0] for d in (layout.GAME, layout.RULES, layout.WORK))  # type: ignore[return-value]


def test_a_kernel_is_compiled_for_the_signature_that_its_arguments_say() -> None:
    built = jit.build(signed)
    assert len(built.overloads) == 1
    arguments = next(iter(built.overloads))
    assert [str(a) for a in arguments[3:]] == ["int64", "float64", "uint64"]
    assert [a.dtype if hasattr(a, "dtype") else a for a in arguments[:3]] == [layout.GAME, layout.RULES, layout.WORK]
    game, rules, work = records()
    game["turn"] = 1000
    assert built(game, rules, work, 5, 2.5, np.uint64(2**64 - 1)) == 1000 + 5 + 2 + 15
    with pytest.raises(TypeError, match="No matching definition"):
        built(game, rules, rules, 5, 2.5, np.uint64(1))


@kernel
def fails(game, rules, work, seat, decision):
    if decision == 3:
        raise ValueError("from within")
    return seat * 10 + decision


@kernel
def by_address(game, rules, work):
    return jit_call(rules["policy"][0], game, rules, work, 4, rules["seats"])


jit_call = jit.call_policy


def test_a_policy_is_called_by_its_address_and_its_errors_come_through() -> None:
    game, rules, work = records()
    rules["policy"][0] = jit.address(fails)
    rules["seats"] = 2
    assert jit.address(fails) == rules["policy"][0] != 0
    caller = jit.build(by_address)
    assert caller(game, rules, work) == 42
    rules["seats"] = 3
    with pytest.raises(ValueError, match="from within"):
        caller(game, rules, work)


def test_records_are_copied_whole() -> None:
    game, _, work = records()
    chance = np.random.default_rng(1)
    game["hand"] = chance.integers(0, 99, game["hand"].shape)
    game["leader_at_three"] = 12345
    jit_copy(game, work)
    assert work["scratch"].tobytes() == game.tobytes()


@pytest.mark.parametrize("name", games())
def test_what_lies_behind_the_mark_is_not_copied(name: str) -> None:
    """What a look-ahead needs is; a game without the mark is copied whole."""
    dtypes = games()[name].layout

    @jit.kernels(dtypes.GAME, dtypes.RULES, dtypes.WORK)
    def copy(game, rules, work):  # type: ignore[no-untyped-def]
        jit.copy_to_play_on(work["scratch"], game)
        return 0

    game, rules, work = (np.zeros(1, d)[0] for d in (dtypes.GAME, dtypes.RULES, dtypes.WORK))
    for field in dtypes.GAME.names:
        game[field] = 7
    jit.build(copy)(game, rules, work)
    left = {field for field in dtypes.GAME.names if not (work["scratch"][field] == 7).all()}
    names = dtypes.GAME.names
    assert left == (set(names[names.index(UNCOPIED) :]) if UNCOPIED in names else set())
    assert (UNCOPIED in names) == (name in ("snowball", "spooktacular")) and not left & {
        "points",
        "hand",
        "memory",
        "policy",
    }
    assert all((work["scratch"][field] == 0).all() for field in left)


@kernel
def copy_to_scratch(game, rules, work):
    jit.copy_record(work["scratch"], game)
    return 0


def jit_copy(game: Any, work: Any) -> None:
    jit.build(copy_to_scratch)(game, records()[1], work)


# --- whole games: nothing compiled twice, the same bits without compilation -------------------------------------------

PLAY = """
    import hashlib, json
    import strategies
    from simcore import batch, jit
    from simcore.game import games

    compiled = []
    jit.on_compile.append(compiled.append)
    found = {}
    for game in games().values():
        for seats, names, settings in CASES:
            known = strategies.known(game.name)
            names = [n for n in names.split() if n in known] or ["random"]
            wanted = {k: v for k, v in settings.items() if k in {p.name for p in game.parameters}}
            configuration = game.configure({"players": seats, **wanted})
            players = strategies.line_up(game.name, seats, [names[i % len(names)] for i in range(seats)])
            blocks = batch.play(configuration, players, games=GAMES, keep=True, threads=1)
            digest = hashlib.sha256()
            for block in blocks:
                digest.update(block.outcomes.tobytes())
                for name in ("sum", "square", "fired", "cross", "histogram", "status"):
                    digest.update(getattr(block.totals, name).tobytes())
            found[f"{game.name} {seats} {names} {sorted(wanted)}"] = digest.hexdigest()
    print(json.dumps([found, compiled]))
    """
CASES = (
    (4, "random greedy cautious opportunist", {}),
    (3, "expert opportunist lookahead", {"kids": "random"}),
    (2, "greedy cautious", {"events": 6, "ruling.bat_chain": False}),
    (
        5,
        "random greedy",
        {
            "kids": "chosen",
            "quickshots_per_number": 2,
            "ruling.quickshot_answers_quickshot": True,
            "ruling.refill": "at_once",
            "ruling.quickshot_responders": "random",
            "ruling.mom_hollering_eliminated": "returns",
            "ruling.cover_drop": "at_once",
        },
    ),
)


def played(games: int, cases: Any = CASES, **environment: str) -> tuple[dict[str, str], list[str]]:
    code = f"CASES, GAMES = {cases!r}, {games}\n" + textwrap.dedent(PLAY)
    found, compiled = json.loads(process(code, **environment))
    return found, compiled


@pytest.fixture(scope="module")
def warm(kernel_cache: Path) -> dict[str, str]:
    """Digests of a few games, played by a process that may have had to compile."""
    return played(2, DOOMTRACK_CACHE=str(kernel_cache))[0]


def test_a_second_process_compiles_nothing_and_plays_the_same(warm: dict[str, str], kernel_cache: Path) -> None:
    assert played(2, DOOMTRACK_CACHE=str(kernel_cache)) == (warm, [])


def test_without_compilation_the_same_bits(warm: dict[str, str]) -> None:
    """Several strategies, rulings and kids; a digest over outcomes and all totals."""
    assert played(2, NUMBA_DISABLE_JIT="1") == (warm, [])


def test_shared_kernels_are_kernels() -> None:
    """What serves all games stands in the call graph, too."""
    names = {k.py_func.__name__ for k in reached(ENTRIES["snowball.play_turn"])}
    assert {"decide", "ask", "restrict", "log", "sort_cards", "put_card", "mix"} <= names
    assert {play.decide, rng.mix} <= set(reached(ENTRIES["snowball.play_turn"]))


def test_machine_code_is_an_object_with_the_kernels_symbol() -> None:
    symbol, code = jit.machine_code(ENTRIES["snowball.play_turn"])
    assert code.startswith(b"\x7fELF") and symbol.encode() in code


def test_a_part_of_an_entry_can_be_called_beside_it() -> None:
    """What an entry holds for itself alone, with fewer arguments, is not what other kernels call by its name."""
    code = """
import numpy as np
from simcore import jit
from simcore.game import find_game
from simcore.games.spooktacular import turn
game = find_game("spooktacular")
records = [np.zeros(1, d)[0] for d in (game.layout.GAME, game.layout.RULES, game.layout.WORK)]
records[1] = game.configure().rules[0]
jit.build_all([turn.play_turn, turn.play_block])
jit.build(turn.set_up)(*records, 0)
print(records[0]["crowd"].sum())
"""
    assert int(process(code)) > 0
