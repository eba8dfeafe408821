"""Plain text for a terminal or a pipe: aligned tables, wrapped lines, CSV."""

from __future__ import annotations

import csv as _csv
import io
import shutil
import textwrap
from collections.abc import Sequence
from typing import Any

NARROWEST = 40


def width() -> int:
    """Columns to fill: the terminal's, 110 in a pipe."""
    return max(NARROWEST, shutil.get_terminal_size((110, 24)).columns)


def wrapped(text: str, indent: int = 0) -> str:
    """A paragraph, wrapped."""
    pad = " " * indent
    return textwrap.fill(text, width(), initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False)


def bullets(lines: Sequence[str], mark: str = "-") -> str:
    """Paragraphs, each behind a mark."""
    return "\n".join(
        textwrap.fill(line, width(), initial_indent=f"{mark} ", subsequent_indent="  ", break_on_hyphens=False)
        for line in lines
    )


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    indent: int = 0,
    heading: bool = True,
    right: Sequence[int] = (),
) -> str:
    """Columns under each other; the last one is wrapped. `right`: columns set flush right."""
    cells = [[str(c) for c in row] for row in rows]
    lines = [list(head), *cells] if heading else cells
    if not lines:
        return ""
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    room = max(20, width() - indent - sum(widths[:-1]) - 2 * (len(head) - 1))
    said = []
    for line in lines:
        start = "  ".join(
            c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(line[:-1], widths, strict=False))
        )
        start = " " * indent + (start + "  " if len(line) > 1 else "")
        last = line[-1].rjust(widths[-1]) if len(line) - 1 in right else line[-1]
        folded = textwrap.wrap(last, room, break_on_hyphens=False, drop_whitespace=len(line) - 1 not in right) or [""]
        said.append((start + folded[0]).rstrip())
        said.extend(" " * len(start) + more for more in folded[1:])
    return "\n".join(said)


def csv(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Comma-separated values; nothing for None."""
    out = io.StringIO()
    writer = _csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([["" if c is None else c for c in row] for row in rows])
    return out.getvalue()
