"""`doomtrack report`: the HTML page and the figures of a result folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcore.errors import InputError


def report(folder: str, html: str | None = None, png: str | None = None) -> Path:
    """Draw the report of a result folder: the path of the page. Raises InputError."""
    import reports

    try:
        return reports.render(folder, html=html, png=png)
    except reports.ReportError as error:
        raise InputError(str(error)) from None


def command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A result folder (of --out).", show_default=False)],
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="F", help="The page to write. Default: DIR/report.html.", show_default=False),
    ] = None,
    png: Annotated[
        str | None,
        typer.Option("--png", metavar="DIR", help="Where the figures go. Default: DIR/figures.", show_default=False),
    ] = None,
) -> None:
    """Write the report of a result folder: one offline HTML page, and its figures."""
    print(report(folder, html, png))
