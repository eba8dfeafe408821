"""The demo: a sweep of every game, and a page as its last line."""

import subprocess
from pathlib import Path

import reports
from experiments import demo
from simcore import batch
from simcore.game import games


def test_every_game_has_a_sweep_of_its_own():
    assert set(demo.SWEEPS) >= set(games())


def test_the_last_line_is_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    small = {**demo.SWEEPS["snowball"], "vary": {"players": [2, 3]}, "games": 60}
    monkeypatch.setitem(demo.SWEEPS, "snowball", small)
    assert demo.main(["snowball"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert "120 games in 2 cells" in lines[0]
    assert Path(lines[-1]).is_file() and lines[-1].endswith(".html")

    played = []
    real = batch.play
    monkeypatch.setattr(batch, "play", lambda *a, **k: played.append(1) or real(*a, **k))
    monkeypatch.setattr(reports, "render", lambda folder: folder / "report.html")
    assert demo.main(["snowball"]) == 0
    assert len(played) == 3  # two cells again, whatever is there, and the games that replays are chosen from


def test_games_run_side_by_side(monkeypatch, capsys):
    class Process:
        def __init__(self, game):
            self.game, self.returncode = game, 3 if game == "bad" else 0

        def communicate(self):
            return f"{self.game}: played\npage-of-{self.game}.html\n", None

    monkeypatch.setattr(demo, "games", lambda: {"one": None, "two": None, "bad": None})
    monkeypatch.setattr(demo, "_start", Process)
    assert demo.main([]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "page-of-one.html"
    assert "two: page-of-two.html" in lines and "bad: failed (exit code 3)" in lines


def test_a_game_starts_in_a_process(monkeypatch):
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: started.append(command))
    demo._start("snowball")
    assert started[0][1:] == ["-m", "experiments.demo", "snowball"]
