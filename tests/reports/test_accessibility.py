"""Pages under axe-core in a real browser: no serious finding, in light and dark, at phone width and on a desk."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reports
from experiments import difference
from experiments.execution import run

pytestmark = pytest.mark.needs_browser
Look = Callable[..., dict[str, Any]]

RUN = """
const done = (found) => tell({ serious: found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
  .map((v) => [v.id, v.help, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary)]),
  passes: found.passes.map((p) => p.id) });
const asked = { preload: false, resultTypes: ["violations", "passes"] };
axe.run(document, asked).then(done, (e) => tell({ failed: String(e) }));
"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as axe-core-python brings it (its Python parts are not used)."""
    found = importlib.util.find_spec("axe_core_python")
    assert found is not None and found.submodule_search_locations
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text("utf-8")


@pytest.fixture
def audit(look: Look, axe: str) -> Callable[..., dict[str, Any]]:
    """``audit(page, before, width)``: what axe-core says of a page after the script `before`."""

    def run(page: Path, before: str = "", width: int = 1440) -> dict[str, Any]:
        found = look(page, f"{axe};{before};{RUN}", width)
        assert "failed" not in found and {"document-title", "html-has-lang"} <= set(found["passes"])
        return found

    return run


STEP = "for (let k = 0; k < 6; k += 1) document.querySelector('[data-step=next]').click()"


@pytest.mark.parametrize(
    "game, width",
    [("snowball", 390), ("snallygaster", 1440), pytest.param("spooktacular", 390, marks=pytest.mark.slow)],
)
def test_a_run_with_replays(played: Callable[[str], Path], audit: Callable[..., Any], game: str, width: int) -> None:
    assert audit(played(game), STEP, width)["serious"] == []


@pytest.mark.parametrize(
    "name", ["sweep", *(pytest.param(name, marks=pytest.mark.slow) for name in ("hostile", "unfinished"))]
)
def test_a_sweep(made: Callable[..., Path], audit: Callable[..., Any], name: str) -> None:
    assert audit(made(name))["serious"] == []


def test_an_open_cell(made: Callable[..., Path], audit: Callable[..., Any]) -> None:
    assert audit(made("sweep"), "document.querySelector('#cells button.open').click()")["serious"] == []


def test_two_results(played: Callable[[str], Path], audit: Callable[..., Any], tmp_path: Path) -> None:
    run("snowball", strategies="random", games=120, out=tmp_path / "later", replays=False)
    kept = difference.write(tmp_path / "d", difference.difference(played("snowball"), tmp_path / "later"))
    reports.render(kept)
    assert audit(kept, "document.querySelectorAll('details').forEach((d) => { d.open = true; })")["serious"] == []


def test_one_game(played: Callable[[str], Path], audit: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(reports.replay(played("spooktacular")), "utf-8")
    assert audit(tmp_path / "game.html", STEP)["serious"] == []


def test_in_the_dark(played: Callable[[str], Path], audit: Callable[..., Any], tmp_path: Path) -> None:
    """The dark colours, made those of every reader."""
    text = (played("snallygaster") / "report.html").read_text("utf-8")
    assert "(prefers-color-scheme: dark)" in text
    page = tmp_path / "dark.html"
    page.write_text(text.replace("(prefers-color-scheme: dark)", "all"), "utf-8")
    assert audit(page, STEP)["serious"] == []


def test_a_fault_is_found(played: Callable[[str], Path], audit: Callable[..., Any], tmp_path: Path) -> None:
    """A button without a name and a text too pale: the check can fail."""
    text = (played("snowball") / "report.html").read_text("utf-8")
    page = tmp_path / "faulty.html"
    pale = '<p id="pale">too pale</p><button type="button"></button>'
    style = "#pale{color:#ddd;background:#fff}</style>"
    page.write_text(text.replace("</main>", f"{pale}</main>").replace("</style>", style), "utf-8")
    found = audit(page)["serious"]
    assert {"button-name", "color-contrast"} <= {rule for rule, *_ in found} and "too pale" in json.dumps(found)
