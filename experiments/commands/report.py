"""`doomtrack report`: the page of a result folder, what changed between two, or either in Markdown."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from experiments import options as o
from simcore.errors import InputError

FORMATS = ("html", "md")


def report(folder: str, html: str | None = None, png: str | None = None) -> Path:
    """Draw the report of a result folder: the path of the page. Raises InputError."""
    import reports

    with _readable():
        return reports.render(folder, html=html, png=png)


def summary(folder: str | Path, png: str | None = None, beside: str | Path | None = None) -> str:
    """A result folder in Markdown; `png` draws its figures, linked relative to `beside`. Raises InputError."""
    import reports

    with _readable():
        return reports.summary(folder, png=png, beside=beside)


@contextmanager
def difference(before: str, after: str, out: str | None = None) -> Iterator[Path]:
    """The folder of what changed between two results: `out`, else one that is gone afterwards. Raises InputError."""
    from experiments import difference as d

    found = d.difference(before, after)
    if out is not None:
        yield d.write(out, found)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield d.write(folder, found)


@contextmanager
def _readable() -> Iterator[None]:
    import reports

    try:
        yield
    except reports.ReportError as error:
        raise InputError(str(error)) from None


def command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A result folder (of --out).", show_default=False)],
    after: Annotated[
        str | None,
        typer.Argument(metavar="[DIR2]", help="A later result: what changed from DIR to it?", show_default=False),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(
            "--html",
            metavar="F",
            help="The page to write. Default: DIR/report.html; of two, DIR2/difference.html.",
            show_default=False,
        ),
    ] = None,
    png: Annotated[
        str | None,
        typer.Option(
            "--png",
            metavar="DIR",
            help="Where the figures go. Default: DIR/figures; of two: DIR/figures of --out, else they are in the page "
            "alone; with --format md: none are drawn.",
            show_default=False,
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="html|md", help="A page, or Markdown for a pull request.")
    ] = "html",
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="F|DIR",
            help="With --format md: the file to write, in place of printing it. Else, of two results: a folder to keep "
            "the changes in, as a result.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write the report of a result folder: one offline HTML page, and its figures. Of two: what changed."""
    how = o.output_format(format_, FORMATS)
    _check(how, after, html, png, out)
    if after is None:
        if how == "html":
            print(report(folder, html, png))
        else:
            _print(summary(folder, png, Path(out).parent if out is not None else None), out)
        return
    with difference(folder, after, out if how == "html" else None) as found:
        if how == "html":
            print(report(str(found), html or str(Path(after) / "difference.html"), png))
        else:
            _print(summary(found, png, Path(out).parent if out is not None else None), out)


def _check(how: str, after: str | None, html: str | None, png: str | None, out: str | None) -> None:
    """Refuse options that would do nothing."""
    if how == "md" and html is not None:
        raise InputError("--html: writes a page; with --format md say --out FILE, or leave both away to print it")
    if after is None and how == "html" and out is not None:
        raise InputError("--out: is for --format md and for two results; a page is named with --html")
    if out is not None and not out.strip():
        raise InputError("--out: no file is named")


def _print(text: str, out: str | None) -> None:
    from experiments import store

    if out is None:
        print(text, end="")
        return
    path = Path(out)
    if path.is_dir():
        raise InputError(f"--out {path}: is a folder, not a file")
    store.make_folder(path.parent)
    store.write_text(path, text)
    print(path)
