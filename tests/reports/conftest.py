"""Made-up result folders and pages of them, each made once; a browser that looks at a page."""

import html
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import reports

Look = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def folders() -> ModuleType:
    """The makers of result folders (folders.py beside this file)."""
    spec = importlib.util.spec_from_file_location("report_folders", Path(__file__).with_name("folders.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def made(folders: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """``made("sweep")`` is the folder of that name, with its report written."""
    done: dict[str, Path] = {}

    def make(name: str, **options: object) -> Path:
        key = name + "".join(f"-{k}" for k in options)
        if key not in done:
            folder = getattr(folders, name)(tmp_path_factory.mktemp("results") / key, **options)
            reports.render(folder)
            done[key] = folder
        return done[key]

    return make


FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=4000",
    "--dump-dom",
)
FRAME = """<!doctype html>
<iframe src="{name}" style="width:{width}px;height:900px;border:0"></iframe><pre id="told"></pre>
<script>addEventListener("message", (e) => {{ document.getElementById("told").textContent = e.data; }});</script>"""


@pytest.fixture
def look(require_tool: Callable[..., str], tmp_path: Path) -> Look:
    """``look(page, script, width)``: what the script's ``tell(...)`` said of a page, or of a folder's report.

    The page's security policy forbids foreign scripts, so the test's own goes into a copy without it.
    """
    browser = require_tool("chromium", "chromium-browser", "google-chrome")

    def run(folder: Path, script: str, width: int = 1440, hash_: str = "") -> dict[str, Any]:
        page = folder / "report.html" if folder.is_dir() else folder
        text = page.read_text("utf-8")
        text, count = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        assert count == 1
        watch = """<script>window.wrong = []; addEventListener("error", (e) => wrong.push(String(e.message)));
            window.tell = (what) => parent.postMessage(JSON.stringify({...what, wrong}), "*");</script>"""
        text = text.replace("<head>", f"<head>{watch}", 1)
        text = text.replace("</body>", f"<script>addEventListener('load', () => {{ {script} }});</script></body>")
        (tmp_path / "copy.html").write_text(text, "utf-8")
        (tmp_path / "frame.html").write_text(FRAME.format(name=f"copy.html{hash_}", width=width), "utf-8")
        done = subprocess.run(
            [browser, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "frame.html").as_uri()],
            capture_output=True,
            text=True,
            timeout=300,
        )
        told = re.search(r'<pre id="told">(.+?)</pre>', done.stdout, re.DOTALL)
        assert told, done.stderr[-2000:]
        found: dict[str, Any] = json.loads(html.unescape(told[1]))
        assert found["wrong"] == []
        return found

    return run


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``played("snowball")`` is the folder of a run of that game, with its replays and its report written."""
    from experiments.execution import run

    done: dict[str, Path] = {}

    def make(game: str) -> Path:
        if game not in done:
            folder = tmp_path_factory.mktemp("played") / game
            run(game, strategies="greedy", games=120, seed=3, out=folder)
            reports.render(folder)
            done[game] = folder
        return done[game]

    return make


@pytest.fixture
def flags() -> tuple[str, ...]:
    """How the browser is started."""
    return FLAGS
