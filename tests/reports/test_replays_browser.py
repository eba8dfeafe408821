"""Replays in a real browser: stepping by keys and buttons, links, phone width; nothing is fetched and nothing fails."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments import replays, traces
from experiments.study import build

pytestmark = pytest.mark.needs_browser
Look = Callable[..., dict[str, Any]]
Played = Callable[[str], Path]

GAMES = ("snowball", "snallygaster", "spooktacular")
READ = """
const one = () => [...document.querySelectorAll("article.replay")].find((a) => !a.hidden);
const press = (key, on) => (on || document.activeElement || document.body).dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const state = () => ({ id: one().id, place: one().querySelector(".place").textContent,
  title: one().querySelector(".turn h4").textContent, slider: Number(one().querySelector("input").value),
  rows: [...one().querySelectorAll(".table tbody tr")].map((r) => [...r.cells].map((c) => c.textContent)),
  things: one().querySelectorAll(".things .thing").length,
  said: one().querySelector(".board svg") ? one().querySelector(".board svg").getAttribute("aria-label") : "" });
"""


def told(folder: Path) -> list[dict[str, Any]]:
    import json

    found: list[dict[str, Any]] = json.loads((folder / "replays" / "index.json").read_text("utf-8"))["replays"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_steps(played: Played, look: Look, game: str) -> None:
    script = """
    const start = state(), count = [...document.querySelectorAll("article.replay")].filter((a) => !a.hidden).length;
    one().focus();
    press("ArrowRight"); press("ArrowRight");
    const second = state();
    press("ArrowLeft");
    const first = state();
    press("End");
    const end = state();
    press("ArrowRight");
    const beyond = state();
    press("Home"); press("ArrowLeft");
    const home = state();
    one().querySelector("[data-step=next]").click();
    const clicked = state();
    const slider = one().querySelector("input");
    slider.value = 5; slider.dispatchEvent(new Event("input"));
    const slid = state();
    const live = one().querySelector(".turn").getAttribute("aria-live");
    document.activeElement.blur();
    press("ArrowRight", document.body);
    const free = state();
    tell({ start, count, second, first, end, beyond, home, clicked, slid, live, free });
    """
    folder = played(game)
    found = look(folder, READ + script)
    turns = told(folder)[0]["turns"]
    last = len(turns) - 1
    places = {"start": 0, "second": 2, "first": 1, "end": last, "beyond": last, "home": 0, "clicked": 1, "slid": 5}
    for name, turn in {**places, "free": 6}.items():
        state = found[name]
        assert state["slider"] == turn, name
        assert state["title"] == turns[turn]["title"] and state["rows"] == turns[turn]["rows"], name
        assert state["things"] == len(turns[turn]["at"]), name
        assert state["place"] == (f"Turn {turn} of {last}" if turn else f"Set-up, before {last} turns")
        if turns[turn]["at"]:
            thing, _, _ = turns[turn]["at"][0]
            assert told(folder)[0]["things"][thing]["name"] in state["said"]
    assert found["count"] == 1 and found["live"] == "polite"


def test_a_link_shows_its_game_and_a_slider_keeps_its_keys(played: Played, look: Look) -> None:
    script = """
    const links = [...document.querySelectorAll(".replay-links a")];
    const before = state().id;
    links[2].click();
    const after = state(), hash = location.hash, focus = document.activeElement.id;
    const current = links.map((l) => l.getAttribute("aria-current"));
    one().querySelector("input").focus(); press("ArrowRight");
    const kept = state();
    const find = document.getElementById("find"); find.focus(); press("ArrowRight");
    tell({ before, after, hash, focus, current, kept, elsewhere: state() });
    """
    found = look(played("snowball"), READ + script)
    assert (found["before"], found["after"]["id"], found["hash"]) == ("replay-1", "replay-3", "#replay-3")
    assert found["focus"] == "replay-3" and found["current"][2] == "true" and found["current"].count("true") == 1
    assert found["kept"]["slider"] == 0 == found["elsewhere"]["slider"]  # their own keys are left to them


def test_an_address_names_a_game(played: Played, look: Look) -> None:
    assert look(played("snowball"), READ + "tell(state());", hash_="#replay-2")["id"] == "replay-2"


@pytest.mark.parametrize("game, part", [("snallygaster", ".road"), ("spooktacular", ".room")])
def test_the_board_is_drawn_alike_for_every_game(played: Played, look: Look, game: str, part: str) -> None:
    script = f"""
    const looks = [...document.querySelectorAll("article.replay")].map((article) => {{
      document.querySelector(`a[href="#${{article.id}}"]`).click();
      const svg = article.querySelector(".board > svg"), box = svg.querySelector("{part}").getBoundingClientRect();
      return [getComputedStyle(svg.querySelector("{part}")).fill, Math.round(box.width), Math.round(box.height),
        svg.querySelectorAll("*").length > 20, article.querySelectorAll(".lights path").length];
    }});
    tell({{ looks }});"""
    looks = look(played(game), script)["looks"]
    assert len(looks) == len(told(played(game)))
    assert len({tuple(found[:4]) for found in looks}) == 1 and looks[0][0] != "rgb(0, 0, 0)" and looks[0][3]
    assert {found[4] for found in looks} == {1 if game == "snallygaster" else 0}  # the Monster's District is lit


@pytest.mark.parametrize("game, width", [*((g, 390) for g in GAMES), ("snowball", 1440)])
def test_no_turn_overflows(played: Played, look: Look, game: str, width: int) -> None:
    script = """
    const width = document.documentElement.clientWidth, out = new Set();
    for (let left = Number(one().querySelector("input").max); left > 0; left -= 1) {
      one().querySelector("[data-step=next]").click();
      for (const e of one().querySelectorAll("*")) {
        const box = e.getBoundingClientRect();
        if (box.width && (box.right > width + 1 || box.left < -1) && !e.closest(".scroll")) out.add(e.tagName);
      }
    }
    tell({ width, page: document.documentElement.scrollWidth, out: [...out],
           fetched: performance.getEntriesByType("resource").map((e) => e.name.slice(0, 40)) });
    """
    found = look(played(game), READ + script, width)
    assert found["page"] <= width and found["out"] == []
    assert all(name.startswith("data:") for name in found["fetched"])


def test_hostile_things_are_laid_as_text(played: Played, folders: Any, look: Look, tmp_path: Path) -> None:
    import json
    import shutil

    import reports

    folder = tmp_path / "r"
    shutil.copytree(played("spooktacular"), folder)
    path = folder / "replays" / "index.json"
    index = json.loads(path.read_text("utf-8"))
    for k, thing in enumerate(index["replays"][0]["things"]):
        thing.update(name=folders.HOSTILE[k % 10], kind=folders.HOSTILE[k % 4], label=folders.HOSTILE[k % 3][:9])
    path.write_text(json.dumps(index), "utf-8")
    reports.render(folder)
    script = """press("ArrowRight", document.body);
    tell({ title: document.title, legend: one().querySelector(".legend").textContent,
           foreign: one().querySelectorAll(".player script, .player img").length });"""
    found = look(folder, READ + script)
    assert found["foreign"] == 0 and folders.HOSTILE[1] in found["legend"] and found["title"] != "owned"


def test_the_page_of_one_game_runs_under_its_policy(
    flags: tuple[str, ...], require_tool: Callable[..., str], tmp_path: Path
) -> None:
    """As it is, policy in force: its own style and script are let in, nothing is complained of."""
    browser = require_tool("chromium", "chromium-browser", "google-chrome")
    asked = build(game="snallygaster", base={"players": 3}, strategies={"all": "greedy"}, games=1, seed=4)
    cell = traces.cell_of_study(asked)
    page = tmp_path / "game.html"
    page.write_text(replays.alone(traces.trace(cell, 11, seed=4), asked), "utf-8")
    command = [browser, *flags, "--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Content Security Policy" not in done.stderr and "CONSOLE" not in done.stderr
    assert re.search(r"Set-up, before \d+ turns", done.stdout) and 'class="thing' in done.stdout
