"""Draws a result folder: figures and one offline HTML page. Computes no statistic and knows no game.

``import reports`` is cheap: polars, matplotlib and jinja2 are loaded by the first call of ``render`` or ``read``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reports.errors import ReportError

if TYPE_CHECKING:
    from reports.result import Result

__all__ = ["ReportError", "read", "render", "replay", "summary"]


def read(folder: Path | str) -> Result:
    """Read and validate a result folder. Raises ReportError with one readable line."""
    from reports.result import read as read_folder

    return read_folder(folder)


def render(folder: Path | str, html: Path | str | None = None, png: Path | str | None = None) -> Path:
    """Write the report of a result folder and return the path of the page.

    html: the page to write (default: report.html in the folder). png: where the figures go, one PNG each (default:
    figures/ in the folder). Raises ReportError where there is nothing to report or a path cannot be written.
    """
    from reports import difference, page, result

    if result.read_manifest(Path(folder))["kind"] == difference.KIND:
        return difference.write(folder, html=html, png=png)
    return page.write(folder, html=html, png=png)


def replay(folder: Path | str) -> str:
    """The page of the first game in ``replays/`` of a folder, to step through, as text. Raises ReportError."""
    from reports.replays import page_of

    return page_of(folder)


def summary(folder: Path | str, png: Path | str | None = None, beside: Path | str | None = None) -> str:
    """A result folder in Markdown, for a pull request.

    png: draw the figures into this folder and link them, relative to the folder `beside` (default: the present one).
    Raises ReportError.
    """
    from reports.markdown import render as rendered

    return rendered(folder, png=png, beside=beside)
