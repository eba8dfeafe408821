"""The rules of the house, read off the sources: who imports what, how files are called, what is pinned."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {  # imports run one way
    "simcore": {"simcore"},
    "strategies": {"strategies", "simcore"},
    "reports": {"reports"},
    "experiments": {"experiments", "strategies", "simcore", "reports"},
}
PACKAGES = tuple(MAY_IMPORT)
LINES = 600  # of a module: a file has one idea
WORDS = ("TO" + "DO", "FIX" + "ME", "X" + "XX")  # joined here, so that this file does not hold them
HEAVY = ("numba", "llvmlite", "pandas", "polars", "matplotlib", "scipy")  # hundreds of milliseconds each
DISTRIBUTION = {"pil": "pillow"}  # where a package is imported under another name
SKIP = {".git", ".venv", "build", "dist", "results", "__pycache__", "htmlcov"}
TEXT = set(".py .toml .md .txt .sh .html .css .js .j2 .yaml .cfg .c".split()) | {""}  # suffixes of text files
WHOLE = {  # about a package as a whole
    *("tests/reports/test_accessibility.py", "tests/reports/test_browser.py", "tests/reports/figures/test_images.py"),
}
GAME_FILES = ("content", "game.py", "layout.py", "replay.py", "tables.py")  # the same names in every game


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
GAMES = sorted(p.parent for p in (ROOT / "simcore" / "games").glob("*/game.py"))
every_module = pytest.mark.parametrize("path", MODULES, ids=name)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def package(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def imports(path: Path) -> Iterator[tuple[str, str, int]]:
    """(module, name imported from it or "", line) of every import statement, also within functions."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:  # relative: counted from the file's own folder
                parts = path.relative_to(ROOT).with_suffix("").parts[: -node.level]
                base = ".".join((*parts, base)) if base else ".".join(parts)
            yield from ((base, alias.name, node.lineno) for alias in node.names)


def texts() -> Iterator[Path]:
    """The project's own text files."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            f for f in folders if f not in SKIP and not f.endswith((".egg-info", "_cache")) and f != ".hypothesis"
        ]
        for file in files:
            path = Path(folder, file)
            if path.suffix in TEXT:
                yield path


# --- who imports what ---


@every_module
def test_imports_run_one_way(path: Path) -> None:
    others = set(PACKAGES) - MAY_IMPORT[package(path)]
    upward = [(line, module) for module, _, line in imports(path) if module.split(".")[0] in others]
    assert not upward


@every_module
def test_only_jit_imports_numba(path: Path) -> None:
    found = [line for module, _, line in imports(path) if module.split(".")[0] in ("numba", "llvmlite")]
    assert not found or name(path) == "simcore/jit.py"


@every_module
def test_no_private_name_crosses_packages(path: Path) -> None:
    own = package(path)
    wrong: list[tuple[int, str]] = []
    foreign: set[str] = set()  # names in this module that stand for something of another package
    for module, imported, line in imports(path):
        if module.split(".")[0] not in PACKAGES or module.split(".")[0] == own:
            continue
        parts = [*module.split("."), imported]
        wrong += [(line, ".".join(parts)) for part in parts if part.startswith("_") and not part.startswith("__")]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in set(PACKAGES) - {own}:
            foreign |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            foreign |= {
                (alias.asname or alias.name).split(".")[0]
                for alias in node.names
                if alias.name.split(".")[0] in set(PACKAGES) - {own}
            }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            base: ast.expr = node.value
            while isinstance(base, ast.Attribute):
                base = base.value
            if isinstance(base, ast.Name) and base.id in foreign:
                wrong.append((node.lineno, ast.unparse(node)))
    assert not wrong


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        re.split(r"[<>=!~\[ ;]", d)[0].lower()
        for d in project["dependencies"] + project["optional-dependencies"]["dask"]
    }
    used = {module.split(".")[0].lower() for path in MODULES for module, _, _ in imports(path)}
    used = {DISTRIBUTION.get(module, module) for module in used}
    assert used - declared - {m.lower() for m in sys.stdlib_module_names} - set(PACKAGES) == set()


def test_what_is_declared_is_pinned() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*data["project"]["dependencies"], *data["build-system"]["requires"]]
    for extra in data["project"]["optional-dependencies"].values():
        wanted += extra
    lines = [
        line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    assert all(re.fullmatch(r"[a-z0-9.-]+==[0-9][A-Za-z0-9.]*", line) for line in lines)
    pinned = {line.split("==")[0] for line in lines}
    assert {re.split(r"[<>=!~\[ ;]", w)[0].lower() for w in wanted} <= pinned


# --- what a file is ---


@every_module
def test_a_module_says_its_idea_and_is_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if text.strip():  # an empty __init__.py says nothing
        assert ast.get_docstring(tree(path))
    assert text.count("\n") <= LINES


@pytest.mark.parametrize("path", [p for p in MODULES if package(p) != "experiments"], ids=name)
def test_nothing_prints_but_the_application(path: Path) -> None:
    found = [n.lineno for n in ast.walk(tree(path)) if isinstance(n, ast.Call) and ast.unparse(n.func) == "print"]
    assert not found


def test_test_files_mirror_the_packages() -> None:
    """tests/simcore/test_rng.py is about simcore/rng.py, and so is tests/simcore/test_rng_chance.py.

    A game's folder may also hold tests of the game as a whole, under names of their own.
    """
    strays = []
    for path in (ROOT / "tests").rglob("test_*.py"):
        folder = path.relative_to(ROOT / "tests").parent
        if not folder.parts or folder.parts[0] not in PACKAGES:  # contract, referees, goldens, verify, benchmarks
            continue
        topics = {p.stem for p in (ROOT / folder).glob("*") if p.suffix == ".py" or p.is_dir()} | {folder.name}
        words = path.stem.removeprefix("test_").split("_")
        named = any("_".join(words[:k]) in topics for k in range(1, len(words) + 1))
        whole_game = folder.name in {game.name for game in GAMES}
        if not (ROOT / folder).is_dir() or not (named or whole_game or name(path) in WHOLE):
            strays.append(name(path))
    assert not strays


@pytest.mark.parametrize("folder", GAMES, ids=lambda p: p.name)
def test_every_game_has_the_same_files(folder: Path) -> None:
    assert [f for f in GAME_FILES if not (folder / f).exists()] == []
    assert (folder / "rules.py").exists() or (folder / "rules").is_dir()
    assert list((folder / "content").glob("*.toml"))


def test_no_note_to_self_is_left() -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
    found = [name(p) for p in texts() if pattern.search(p.read_text(encoding="utf-8", errors="replace"))]
    assert not found


def test_no_path_of_one_machine() -> None:
    pattern = re.compile("/" + r"(?:root|home|work)/")
    found = [name(p) for p in texts() if pattern.search(p.read_text(encoding="utf-8", errors="replace"))]
    assert not found


@pytest.mark.parametrize("folder", GAMES, ids=lambda p: p.name)
def test_the_changelog_tells_of_every_game_version(folder: Path) -> None:
    from simcore.game import find_game

    game = find_game(folder.name)
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for version in range(1, game.version + 1):
        assert f"{game.name} version {version}" in changelog


# --- the program as it is installed ---


@pytest.fixture
def console(require_tool) -> str:  # type: ignore[no-untyped-def]
    """The installed `doomtrack` of this interpreter."""
    return require_tool(str(Path(sys.executable).with_name("doomtrack")))


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A folder that holds other things called like our packages."""
    for package in PACKAGES:
        (tmp_path / f"{package}.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")
    for package in ("reports", "experiments"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError('nor this one')\n", encoding="utf-8")
    return tmp_path


def answer(command: list[str], folder: Path) -> str:
    """What `command` prints, run in `folder` without what this process adds to the import path."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("arguments", [["--help"], ["games"]], ids=" ".join)
def test_common_names_do_not_get_in_the_way(console: str, crowded: Path, arguments: list[str]) -> None:
    """The console script does not put the present folder on the import path."""
    assert answer([console, *arguments], crowded)


def test_python_m_is_safe_with_dash_p(console: str, crowded: Path) -> None:
    """`python -m` does put it there, and `-P` keeps it off."""
    assert "doomtrack" in answer([sys.executable, "-P", "-m", "experiments", "--help"], crowded).lower()


@pytest.mark.parametrize("path", [p for p in MODULES if package(p) != "experiments"], ids=name)
def test_a_helper_process_does_not_import_from_the_present_folder(path: Path) -> None:
    """`python -m` would; with `-P` before it, it does not."""
    assert not re.search(r'sys\.executable,\s*"-m"', path.read_text(encoding="utf-8"))


def test_help_is_quick() -> None:
    """`doomtrack --help` loads none of the large libraries."""
    code = (
        "import sys\n"
        "from experiments.cli import main\n"
        "sys.argv = ['doomtrack', '--help']\n"
        "try:\n    main()\n"
        "except SystemExit as done:\n    assert not done.code, done.code\n"
        f"print('loaded:', *[m for m in {HEAVY!r} if m in sys.modules])\n"
    )
    assert answer([sys.executable, "-c", code], ROOT).splitlines()[-1].strip() == "loaded:"


LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)\)")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/effect-language.md"])
def test_links_and_pictures_of_the_documentation_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing
