"""The page in a real browser: its script sorts, filters and opens cells; nothing overflows; nothing is fetched."""

import html
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.needs_browser
Made = Callable[..., Path]
Look = Callable[..., dict[str, Any]]

READ = """
const byId = (id) => document.getElementById(id);
const column = (k) => [...byId("cells").tBodies[0].rows].map((r) => r.cells[k].firstChild.textContent);
const head = () => [...byId("cells").tHead.rows[0].cells];
const click = (k) => head()[k].querySelector("button").click();
const choose = (select, value) => { select.value = value; select.dispatchEvent(new Event("change")); };
"""


def test_the_table_sorts_filters_and_opens_cells(made: Made, look: Look) -> None:
    script = """
    const hidden = byId("reset").closest("[hidden]");
    const before = { rows: column(0).length, status: byId("status").textContent, hidden };
    click(3);
    const down = column(3), sorted = head()[3].getAttribute("aria-sort");
    click(3);
    const up = column(3);
    click(1);
    const gear = column(1);
    const selects = [...byId("filters").querySelectorAll("select")];
    choose(selects[1], "2");
    const players = column(2), status = byId("status").textContent;
    choose(byId("columns"), "2");
    const other = head().map((h) => h.textContent);
    byId("reset").click();
    const after = column(0).length;
    [...byId("cells").querySelectorAll("button.open")].find((b) => b.textContent === "7").click();
    tell({ before, down, up, sorted, gear, players, status, other, after,
           open: byId("cell").open, title: byId("cell-h").textContent, command: byId("cell-command").textContent,
           lines: byId("cell-rows").rows.length, focus: byId("cell").contains(document.activeElement) });
    """
    found = look(made("sweep"), READ + script)
    assert found["before"] == {"rows": 50, "status": "50 of 50 cells", "hidden": None}
    numbers = [float(t.replace("−", "-").removesuffix("\u202fpts")) for t in found["down"]]
    assert numbers == sorted(numbers, reverse=True) and found["sorted"] == "descending"
    assert found["up"] == sorted(found["up"], key=lambda t: float(t.replace("−", "-").removesuffix("\u202fpts")))
    assert found["gear"] == [str(k) for k in range(1, 11) for _ in range(5)]  # as numbers, not as words
    assert found["players"] == ["4"] * 10 and found["status"] == "10 of 50 cells"
    assert any("Turns" in h for h in found["other"]) and found["after"] == 50
    assert found["open"] and found["focus"] and found["title"] == "Cell 7: gear = 2, players = 4"
    assert found["command"] == "doomtrack run snowball --games 1e5 --seed 1 --set gear=2 -p 4"
    assert found["lines"] > 20


def test_the_script_writes_numbers_as_the_page_has_them(made: Made, look: Look) -> None:
    """The table before the script ran, and after, cell by cell."""
    for name in ("sweep", "hostile"):
        folder = made(name)
        script = "tell({ cells: [...byId('cells').tBodies[0].rows].map((r) => [...r.cells].map((c) => c.innerText)) });"
        found = look(folder, READ + script)["cells"]
        text = (folder / "report.html").read_text("utf-8")
        body = text[text.index('<table id="cells">') :]
        body = body[body.index("<tbody>") : body.index("</tbody>")]
        rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
        strip = re.compile(r"<[^>]+>")
        before = [
            [
                html.unescape(strip.sub("", c.replace("<small>", "\n")))
                for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", r)
            ]
            for r in rows
        ]
        plain = [[" ".join(c.split()) for c in row] for row in before]
        assert [[" ".join(c.split()) for c in row] for row in found] == plain


def test_one_configuration_can_be_searched_and_copied(made: Made, look: Look) -> None:
    script = """
    const rows = () => [...document.querySelectorAll("table.metrics tbody tr")].filter((r) => r.offsetParent).length;
    const all = rows();
    const find = document.getElementById("find");
    const seek = (text) => { find.value = text; find.dispatchEvent(new Event("input")); return rows(); };
    const rule = seek("rule: R13"), none = seek("no such thing"), again = seek("");
    document.querySelector("table.metrics button.open").click();
    const unfolded = rows();
    let copied = "";
    navigator.clipboard.writeText = async (text) => { copied = text; };
    document.getElementById("copy-csv").click();
    setTimeout(() => tell({ all, rule, none, again, unfolded, copied }), 100);
    """
    found = look(made("run"), script)
    assert found["rule"] == 2 and found["none"] == 0 and found["again"] == found["all"] < found["unfolded"]
    lines = found["copied"].strip().split("\n")
    assert lines[0] == "metric,group,group2,value,low,high,n,method"
    assert len(lines) > 150 and all(line.count(",") == 7 for line in lines)


def test_what_is_copied_is_safe_in_a_spreadsheet(made: Made, look: Look) -> None:
    script = """
    let copied = "";
    navigator.clipboard.writeText = async (text) => { copied = text; };
    document.getElementById("copy-csv").click();
    setTimeout(() => tell({ copied, title: document.title }), 100);
    """
    found = look(made("hostile"), script)
    assert "owned" not in found["title"].replace("document.title='owned'", "")
    assert not re.search(r"(^|,)[=+@]", found["copied"], re.MULTILINE)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", ["run", "sweep", "hostile"])
def test_nothing_overflows(made: Made, look: Look, name: str, width: int) -> None:
    script = """
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((e) => {
      const box = e.getBoundingClientRect();
      return box.width && box.right > width + 1 && !e.closest(".scroll, .card, .skip, .again");
    }).map((e) => e.tagName + "." + e.className);
    tell({ width, page: document.documentElement.scrollWidth, out,
           fetched: performance.getEntriesByType("resource").map((e) => e.name.slice(0, 40)),
           broken: [...document.images].filter((i) => !i.complete || !i.naturalWidth).length });
    """
    found = look(made(name), script, width)
    assert found["width"] == width and found["page"] <= width
    assert found["out"] == [] and found["broken"] == 0
    assert all(name.startswith("data:") for name in found["fetched"])


def test_the_policy_lets_the_page_run(
    made: Made, flags: tuple[str, ...], require_tool: Callable[..., str], tmp_path: Path
) -> None:
    """The page as it is, its policy in force: its own style and script are let in (their hashes are right)."""
    browser = require_tool("chromium", "chromium-browser", "google-chrome")
    page = made("sweep") / "report.html"
    command = [browser, *flags, "--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Content Security Policy" not in done.stderr and "CONSOLE" not in done.stderr
    assert "50 of 50 cells" in done.stdout


DECIDED = (
    ("compared", {}),
    ("compared", {"strategies": ["greedy", "expert"]}),
    ("checked", {}),
    ("solved", {"searches": 12}),
)


def test_tables_of_changes_sort_find_and_copy(made: Made, look: Look) -> None:
    script = """
    const sheet = document.querySelector("#changes table.sheet");
    const column = (k) => [...sheet.tBodies[0].rows].map((r) => r.cells[k].firstChild.textContent);
    const press = (k) => sheet.tHead.rows[0].cells[k].querySelector("button").click();
    press(4);
    const down = column(4), sorted = sheet.tHead.rows[0].cells[4].getAttribute("aria-sort");
    press(4);
    const up = column(4);
    press(0);
    const names = column(0);
    const bar = document.querySelector("#changes [data-sheet-tools]");
    const find = bar.querySelector("[data-sheet-find]");
    const seek = (text) => { find.value = text; find.dispatchEvent(new Event("input")); };
    seek("sled");
    const hit = [...document.querySelectorAll("#changes table.sheet tbody tr")].filter((r) => !r.hidden).length;
    const opened = [...document.querySelectorAll("#changes details")].every((d) => d.open);
    seek("");
    let copied = "";
    navigator.clipboard.writeText = async (text) => { copied = text; };
    bar.querySelector("[data-sheet-copy]").click();
    setTimeout(() => tell({ down, up, sorted, names, hit, opened, copied }), 100);
    """
    found = look(made("compared"), script)
    sizes = [float(re.sub(r"[^\d.-]", "", t.replace("−", "-"))) for t in found["down"]]
    assert sizes == sorted(sizes, reverse=True) and found["sorted"] == "descending"
    assert found["up"] == found["down"][::-1] and found["names"] == sorted(found["names"])
    assert found["hit"] == 2 and found["opened"]  # one of each variant
    lines = found["copied"].strip().split("\n")
    assert lines[0] == "variant,metric,group,group2,base,value,change,low,high,n,unpaired,method"
    assert len(lines) == 1 + 2 * 8


def test_numbers_of_a_contract_are_copied(made: Made, look: Look) -> None:
    script = """
    let copied = "";
    navigator.clipboard.writeText = async (text) => { copied = text; };
    document.querySelector("#contract [data-sheet-copy]").click();
    const band = document.querySelector("#contract .gauge").getBoundingClientRect();
    const commands = document.querySelectorAll("#contract [data-copy]").length;
    setTimeout(() => tell({ copied, wide: band.width, commands }), 100);
    """
    found = look(made("checked", hostile=True), script)
    assert found["copied"].startswith("metric,where,value,low,high,n,at_least,at_most,verdict\n")
    assert not re.search(r"(^|,)[=+@]", found["copied"], re.MULTILINE) and found["wide"] > 100
    assert found["commands"] == 10


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(
    ("name", "options"), DECIDED + (("checked", {"hostile": True}), ("compared", {"hostile": True}))
)
def test_pages_of_decisions_fit(made: Made, look: Look, name: str, options: dict[str, Any], width: int) -> None:
    test_nothing_overflows(lambda wanted: made(wanted, **options), look, name, width)


@pytest.mark.parametrize("width, narrow", [(390, True), (1440, False)])
def test_many_panels_fold_on_a_phone(made: Made, look: Look, width: int, narrow: bool) -> None:
    script = """
    tell({
      images: [...document.querySelectorAll("picture img")].map((i) => ({
        narrow: i.currentSrc === i.parentNode.querySelector("source").srcset.trim(),
        fits: i.closest(".card").scrollWidth <= i.closest(".card").clientWidth, seen: i.naturalWidth,
      })) });
    """
    images = look(made("sweep"), script, width)["images"]
    assert len(images) == 3
    assert all(i["narrow"] == narrow and i["fits"] and i["seen"] > 0 for i in images)
