"""Synthetic studies and plug-ins for the tests of the application."""

from __future__ import annotations

from pathlib import Path

import pytest

PLUGIN = '''"""A strategy for tests."""
from simcore.game import Strategy, Weight
from simcore.games.snowball.kernel import kernel


@kernel
def play(game, rules, work, seat, decision):
    """{answer}"""
    return {answer}


STRATEGIES = (Strategy("mine", "answers {answer}", "a test", play),)
'''


@pytest.fixture(scope="session")
def plugins(tmp_path_factory) -> dict[str, str]:
    """Paths of plug-ins: one that is right, and one for each way to be wrong."""
    folder = tmp_path_factory.mktemp("plugins")
    texts = {
        "good": PLUGIN.format(answer="game['options'] - 1"),
        "illegal": PLUGIN.format(answer="game['options']"),
        "syntax": "def play(:\n",
        "signature": PLUGIN.format(answer="seat").replace("seat, decision)", "seat)"),
        "empty": "x = 1\n",
    }
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return {name: str(folder / f"{name}.py") for name in texts}


def everything(folder: Path) -> dict[str, bytes]:
    """Content of all files below a folder, by relative path."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def contents():
    """The function `everything`."""
    return everything
