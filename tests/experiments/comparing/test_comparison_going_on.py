"""A comparison that was stopped goes on, a finished one is not played again, and its folder is known again."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import experiments
from experiments import cli, playing, store
from experiments.comparing import comparison, contrast, over_strategies, reached
from experiments.comparing.compare import compare, prepared
from experiments.comparing.comparison import Comparison
from simcore import batch
from simcore.errors import InputError, PlayError

ROOT = Path(__file__).resolve().parents[3]
AGAINST = ["gear=4", {"strategy.0": "greedy"}, {"kids.pitcher.effect.1": 2}]  # the last one touches no game
FIXED: dict[str, Any] = {"strategies": ["opportunist"], "games": 24_000}
UNTIL: dict[str, Any] = {"strategies": ["opportunist"], "games": 60_000, "until": 0.012, "on": "win_share[seat=0]"}
WAYS = pytest.mark.parametrize("how", [FIXED, UNTIL], ids=["fixed", "until"])


def plain(found: Comparison) -> dict[str, Any]:
    """All that must not depend on how it was played."""
    said = contrast.as_json(found)
    del said["seconds"]
    return {
        **said,
        "rows": found.rows,
        "told": [v.told for v in found.variants],
        "own": [v.rows for v in found.variants],
    }


def stopping(after: int) -> Any:
    """A watcher: Ctrl-C after so many parts."""
    left = itertools.count(after, -1)

    def watch(done: int, planned: int | None, variants: int) -> None:
        if next(left) == 1:
            raise KeyboardInterrupt

    return watch


@pytest.fixture
def firsts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where each batch that is played begins."""
    found: list[int] = []
    real = batch.play_together
    monkeypatch.setattr(batch, "play_together", lambda *a, **k: found.append(k["first"]) or real(*a, **k))
    return found


@pytest.fixture
def doomtrack(capfd: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.call([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


WHOLE: dict[str, dict[str, Any]] = {}


def whole(how: dict[str, Any]) -> dict[str, Any]:
    return WHOLE.setdefault(str(how), plain(compare("snowball", AGAINST, **how)))


# --- going on ---------------------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.parametrize("after", [1, 37, 80])
def test_a_stopped_comparison_goes_on_with_the_same_numbers(
    tmp_path: Path, how: dict[str, Any], after: int, firsts: list[int]
) -> None:
    stopped = compare("snowball", AGAINST, **how, out=tmp_path / "r", watch=stopping(after))
    assert stopped.interrupted and stopped.begun > 0 and contrast.exit_code(stopped) == 130
    assert not store.read_manifest(tmp_path / "r")["finished"]
    firsts.clear()
    resumed = compare("snowball", AGAINST, **how, out=tmp_path / "r")
    assert firsts[0] == stopped.begun
    assert plain(resumed) == whole(how)
    assert store.read_manifest(tmp_path / "r")["finished"]


@WAYS
def test_it_may_be_stopped_again_and_again_on_any_number_of_threads(tmp_path: Path, how: dict[str, Any]) -> None:
    for times, threads in enumerate(itertools.cycle((1, 2, 3))):  # noqa: B007
        found = compare("snowball", AGAINST, **how, out=tmp_path / "r", watch=stopping(23), threads=threads)
        if not found.interrupted:
            break
    assert times > 2 and plain(found) == whole(how)


def test_a_variant_that_was_done_with_is_not_played_on(tmp_path: Path) -> None:
    """Stopped between two looks, after one variant was decided."""
    stopped = compare("snowball", AGAINST, **UNTIL, out=tmp_path / "r", watch=stopping(90))
    assert 0 < len(stopped.variants) < len(AGAINST)
    later: list[int] = []
    compare("snowball", AGAINST, **UNTIL, out=tmp_path / "r", watch=lambda d, p, variants: later.append(variants))
    assert max(later) == len(AGAINST) - len(stopped.variants)


@WAYS
def test_a_finished_comparison_is_not_played_again(tmp_path: Path, how: dict[str, Any], firsts: list[int]) -> None:
    first = compare("snowball", AGAINST, **how, out=tmp_path / "r")
    firsts.clear()
    again = compare("snowball", AGAINST, **how, out=tmp_path / "r")
    assert not firsts and contrast.as_table(again, every=True) == contrast.as_table(first, every=True)
    assert plain(again) == plain(first) == whole(how)


CODE = """
import sys
from experiments.comparing import comparison
from experiments.comparing.compare import compare
comparison.SAVE_EVERY = 0.0
compare("snowball", {against!r}, **{how!r}, out=sys.argv[1], threads=1)
"""


@WAYS
def test_a_killed_comparison_goes_on_with_the_same_numbers(tmp_path: Path, how: dict[str, Any]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = CODE.format(against=AGAINST, how=how)
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "r")], env=environment)
    parts, seen, deadline = tmp_path / "r" / "parts", set(), time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        seen |= {p.stat().st_mtime_ns for p in parts.glob("*.npz")} if parts.is_dir() else set()
        if len(seen) > 8:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    assert process.wait() == -signal.SIGKILL
    (file,) = parts.glob("*.npz")
    ready = prepared("snowball", AGAINST, **how)
    kept = reached.read(file, ready.sides)
    assert kept is not None and 0 < kept.games < 60_000 and len(kept.tallies) > 1
    assert plain(compare("snowball", AGAINST, **how, out=tmp_path / "r")) == whole(how)
    assert not list(parts.glob(".*"))


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(
    tmp_path: Path, doomtrack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = comparison.play
    monkeypatch.setattr(comparison, "play", lambda *a, **k: real(*a, **{**k, "watch": stopping(5)}))
    words = ("compare", "snowball", "--against", "gear=4", "--games", "6000")
    code, out, err = doomtrack(*words, "--out", tmp_path / "r")
    assert (code, out) == (130, "")
    assert err.startswith(f"doomtrack: stopped: 300 games of each side are kept in {tmp_path / 'r'}; go on with: doom")
    code, out, err = doomtrack(*words)
    assert (code, out, err) == (130, "", "doomtrack: stopped: nothing is kept (with --out DIR it could go on)\n")
    words = (*words, "--strategies", "greedy,random", "--out", tmp_path / "s")
    code, out, err = doomtrack(*words)
    assert (code, out) == (130, "") and "stopped: 300 games of each side with greedy are kept in" in err


# --- the folder -------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_read_as_it_was_written(tmp_path: Path) -> None:
    ready, seen = prepared("snowball", AGAINST, **UNTIL), []
    comparison.play(
        ready.sides,
        games=ready.games,
        margin=ready.margin,
        on=ready.on,
        threads=None,
        save=seen.append,
        source=playing.Here(),
        watch=lambda *_: None,
    )
    (done,) = seen
    reached.write(tmp_path / "x.npz", done)
    found = reached.read(tmp_path / "x.npz", ready.sides)
    assert found is not None and found.finished == done.finished and found.seconds == done.seconds
    assert (found.games, found.unit, list(found.tallies)) == (done.games, done.unit, [0])
    assert (found.tallies[0].totals.histogram == done.tallies[0].totals.histogram).all()
    assert reached.read(tmp_path / "y.npz", ready.sides) is None


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"games": 1200, "out": tmp_path / "r"}
    before = plain(compare("snowball", "gear=4", **asked))
    (file,) = (tmp_path / "r" / "parts").glob("*.npz")
    for damage in (b"no archive", file.read_bytes()[:-200]):
        file.write_bytes(damage)
        with pytest.raises(InputError, match=f"{file.name}: cannot be read .*; delete it and run again"):
            compare("snowball", "gear=4", **asked)
    store.write_arrays(file, {"reached": np.zeros(2)})
    with pytest.raises(InputError, match=r"cannot be read \(KeyError\)"):
        compare("snowball", "gear=4", **asked)
    file.unlink()
    assert plain(compare("snowball", "gear=4", **asked)) == before


def test_what_the_numbers_depend_on_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(against: Any = "gear=4", **more: Any) -> str:
        ready = prepared("snowball", against, **{"games": 6000, **more})
        return reached.key_of(ready.sides, ready.margin, ready.on)

    keys = [
        key(),
        key("gear=5"),
        key(["gear=4", "gear=5"]),
        key(games=12_000),
        key(seed=2),
        key(until=0.01),
        key(until=0.02),
        key(until=0.01, on="turns"),
        key(playing="greedy"),
        key(content=["null-items"]),
    ]
    monkeypatch.setattr(store, "strategy_source", lambda strategy: "edited")
    keys.append(key())
    assert len(set(keys)) == len(keys)


def test_another_folder_is_refused_and_nothing_in_it_is_touched(tmp_path: Path, contents: Any) -> None:
    stopped = compare("snowball", "gear=4", games=6000, out=tmp_path / "r", watch=stopping(3))
    assert stopped.interrupted
    experiments.run("snowball", games=60, out=tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("x")
    before = contents(tmp_path)
    for against, more, place, said in (
        ("gear=5", {}, "r", "choose another folder"),
        ("gear=4", {"until": 0.1}, "r", "holds another comparison"),
        ("gear=4", {"seed": 2}, "r", "seed is 1 there and 2 here"),
        ("gear=4", {}, "run", "holds a run, not a comparison"),
        ("gear=4", {}, "other", "holds something else"),
    ):
        with pytest.raises(InputError, match=said):
            compare("snowball", against, games=6000, out=tmp_path / place, **more)
    with pytest.raises(InputError, match="holds a compare|another study"):
        experiments.run("snowball", games=60, out=tmp_path / "r")
    assert contents(tmp_path) == before


def test_a_game_that_cannot_be_played_leaves_no_folder(tmp_path: Path, plugins: dict[str, str]) -> None:
    with pytest.raises(PlayError):
        compare("snowball", "strategy.1=mine", plugins=[plugins["illegal"]], games=1200, out=tmp_path / "a" / "r")
    assert not list(tmp_path.iterdir())


# --- over strategies --------------------------------------------------------------------------------------------------

OVER: dict[str, Any] = {"games": 6000}


def over(*names: str, **more: Any) -> dict[str, Comparison]:
    return over_strategies.compare_over("snowball", "gear=4", names, **OVER, **more)


def test_each_strategy_goes_on_in_its_folder(tmp_path: Path, firsts: list[int]) -> None:
    """Stopped within the second; a third is added later."""
    stopped = over("greedy", "random", out=tmp_path / "r", watch=stopping(120))
    assert [c.interrupted for c in stopped.values()] == [False, True]
    begun = stopped["random"].begun
    firsts.clear()
    resumed = over("greedy", "random", out=tmp_path / "r")
    assert firsts == [begun]
    more = over("greedy", "random", "opportunist", out=tmp_path / "r")
    assert firsts == [begun, 0]
    fresh = over("greedy", "random")
    assert {k: plain(c) for k, c in resumed.items()} == {k: plain(c) for k, c in fresh.items()}
    assert plain(more["random"]) == plain(fresh["random"])


def test_all_strategies_and_folders_are_checked_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "play_together", lambda *a, **k: pytest.fail("played"))
    with pytest.raises(InputError, match="--strategies exprt: "):
        over("greedy", "exprt", out=tmp_path / "r")
    assert not (tmp_path / "r").exists()
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "mine.txt").write_text("x")
    with pytest.raises(InputError, match=r"holds something else \(mine.txt\)"):
        over("greedy", "random", out=tmp_path / "r")
    with pytest.raises(InputError, match="would have the same folder"):
        over("random:x=1", "random-x=1", out=tmp_path / "s")
