"""`check --adapt`: each cell's line-up is tuned on its rules first, and what is printed and kept plays with it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import experiments
from experiments import cli, store, traces
from experiments.checking import verdicts
from experiments.checking.contract import Contract, build
from simcore.errors import InputError

FEW = 24_000


def contract(learners: str, strategies: Any) -> Contract:
    lines = [
        {"name": "short", "metric": "turns", "at_most": 500, "each": {"gear": "2,3"}},
        {"name": "no ties", "metric": "tie_rate", "at_most": 0.5},
    ]
    fields = {"game": "snowball", "plugins": [learners], "budget": 2400, "strategies": strategies, "line": lines}
    return build(**fields)


@pytest.fixture(scope="module")
def checked(learners: str, tmp_path_factory: Any) -> Any:
    """Two line-ups in two cells each, adapted and kept."""
    out = tmp_path_factory.mktemp("checked") / "kept"
    return experiments.check(contract(learners, ["aimed", "deaf"]), adapt=True, adapt_games=FEW, out=out)


def test_each_cell_plays_with_tuned_weights(checked: Any) -> None:
    ready = checked.ready
    assert len(ready.cells) == 4 and len(ready.adapted) == 4  # gear 3 is asked for twice, and tuned once
    for cell, label in zip(ready.cells, ready.line_up, strict=True):
        aims = {p.weights.get("aim") for p in cell.players}
        assert (label == "aimed") == all(a is not None and abs(a - 0.7) < 0.35 for a in aims)
    assert [name for name, a in ready.adapted if a.changed] == ["gear=2, all=aimed", "gear=3, all=aimed"]
    assert checked.exit_code == 0


def test_the_command_of_a_number_and_the_folder_play_the_same(checked: Any) -> None:
    manifest = json.loads((checked.folder / store.MANIFEST).read_text())
    assert manifest["contract"]["asked"]["adapt"] is True
    assert len(manifest["contract"]["verdicts"]["adapted"]) == 4
    for place, cell in enumerate(checked.ready.cells):
        again, _, _ = traces.cell_of_folder(checked.folder, cell.index)
        assert [p.label for p in again.players] == [p.label for p in cell.players]
        assert again.configuration.settings == cell.configuration.settings
        at = next(k for k, item in enumerate(checked.ready.items) if item.cell == place)
        assert cell.strategies["all"] in shlex.split(checked.command(at))


def test_the_folder_refuses_the_contract_without(checked: Any, learners: str) -> None:
    with pytest.raises(InputError, match="holds another contract"):
        experiments.check(contract(learners, ["aimed", "deaf"]), out=checked.folder)
    again = experiments.check(
        contract(learners, ["aimed", "deaf"]), adapt=True, adapt_games=FEW, out=checked.folder, threads=1
    )
    assert again.outcomes == checked.outcomes


def test_it_is_said(checked: Any) -> None:
    table = verdicts.as_table(checked)
    assert "Players adapted to the rules of each cell" in table and "--strategy aimed:aim=" in table
    assert any("on fresh games" in f["text"] for f in checked.sentences)
    assert verdicts.as_json(checked)["adapted"][0]["side"] == "gear=2, all=aimed"


def test_without_it_nothing_is_said_of_it(learners: str) -> None:
    found = experiments.check(contract(learners, ["deaf"]))
    assert "adapted" not in verdicts.as_json(found) and not found.ready.adapted


def test_roles_are_tuned_apart() -> None:
    lines = [{"name": "won", "metric": "win_rate", "at_most": 0.99}]
    fields = {"game": "snallygaster", "budget": 1200, "line": lines}
    asked = build(**fields, strategies={"kids": "detective:risk=0", "lost_kid": "balanced"})
    found = experiments.check(asked, adapt=True, adapt_games=11_000)
    ((_, how),) = found.ready.adapted
    assert {s.who for s in how.steps} == {"lost_kid", "kids"} and how.changed
    assert found.ready.cells[0].players[1].label != "detective:risk=0"


def test_the_command(learners: str, tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "targets.toml"
    path.write_text('game = "snowball"\nbudget = 1200\n[[line]]\nmetric = "turns"\nat_most = 500\n')
    line = ["check", str(path), "--plugin", learners, "--strategies", "aimed", "--adapt", "--adapt-games", str(FEW)]
    assert cli.call(line) == 0
    assert "aimed:aim=" in capfd.readouterr().out
    assert cli.call([*line[:-3], "--adapt-games", "5000"]) == 2
    assert "give --adapt, too" in capfd.readouterr().err
