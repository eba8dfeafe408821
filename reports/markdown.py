"""A result in Markdown, for a pull request or a chat: answer, warnings, verdicts, headline numbers, how to repeat it.

Texts of users are escaped, so that a name neither formats nor mentions anybody. Figures are linked where they have been
written; a difference of two results has its inputs and its headline changes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reports import cautions, cells, command, difference
from reports.errors import ReportError
from reports.figures import plan
from reports.figures.figure import Figure
from reports.page import draw, headline
from reports.result import Metric, Result, Row, one_line, read, read_manifest, text, title
from reports.words import clean, count, digits, factor_name, group, interval, level, measure, shown, tidy

MOST_CELLS = 40  # rows of the table of a sweep
MOST_COLUMNS = 5  # numbers of a cell in it
MOST_ROWS = 30  # numbers of one configuration, or of a difference
SPECIAL = re.compile(r"([\\`*_\[\]~])")
CODE = re.compile(
    r"(?<!`)(`[^\s`\\<>&|@](?:[^`\\<>&|@]*[^\s`\\<>&|@])?`)(?!`)"
)  # a command in a sentence; in it nothing else has a meaning
LINE_START = re.compile(r"^(\s*)([#+>-]|\d+[.)])(?=\s|$)")
VERDICTS = {"PASS": "✅ PASS", "FAIL": "❌ FAIL", "UNDECIDED": "❔ UNDECIDED"}


def escaped(said: Any) -> str:
    """A text on one line that means nothing to Markdown or HTML: no emphasis, link, tag, table cell or mention."""
    return _line_start(_plain(" ".join(clean(str(said)).split())))


def sentence(said: str) -> str:
    """As `escaped`, but commands between backticks stay code."""
    parts = CODE.split(" ".join(clean(said).split()))
    return _line_start("".join(part if k % 2 else _plain(part) for k, part in enumerate(parts)))


def _plain(flat: str) -> str:
    flat = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "&#124;")
    return SPECIAL.sub(r"\\\1", flat.replace("@", "&#64;")).replace("://", ":&#47;&#47;")


def _line_start(flat: str) -> str:
    return LINE_START.sub(lambda m: f"{m[1]}&#{ord(m[2][0])};{m[2][1:]}", flat)


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> list[str]:
    """A table in the pipes of GitHub; `right`: columns set flush right. The cells are escaped already."""
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join(' ---: ' if k in right else ' --- ' for k in range(len(head)))}|"]
    return [*lines, *(f"| {' | '.join(str(c) for c in row)} |" for row in rows), ""]


def fenced(words: str) -> list[str]:
    """A command as a block of code, whatever is in it."""
    flat = " ".join(clean(words).split())
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    return [fence, flat, fence, ""]


def render(folder: Path | str, *, png: Path | str | None = None, beside: Path | str | None = None) -> str:
    """A result folder, or that of a difference, as Markdown.

    png: draw the figures into this folder and link them, relative to the folder `beside` (default: the present one).
    Raises ReportError.
    """
    if read_manifest(Path(folder))["kind"] == difference.KIND:
        moved = difference.read(folder)
        drawn = _figures(difference.figures(moved), png, beside)
        return "\n".join([*_of_difference(moved), *drawn, *_sides(moved)]) + "\n"
    result = read(folder)
    lines = [f"## {escaped(headline(result))}", "", escaped(" · ".join(_facts(result))), ""]
    lines += _said([f.text for f in result.findings if f.kind == "answer"], strong=True)
    lines += _warned(cautions.of(result))
    lines += _verdicts(result)
    lines += _said([f.text for f in result.findings if f.kind not in ("answer", "warning")][:6])
    lines += _single(result) if result.single else _cells(result)
    lines += _figures(plan(result)[0] if png is not None else (), png, beside)
    return "\n".join([*lines, *_again(result)]) + "\n"


def _facts(result: Result) -> list[str]:
    m = result.manifest
    facts = [str(m.get("title") or title(str(m["game"]))), str(m["kind"])]
    facts += [f"{len(result.cells):,} cells"] if not result.single else []
    if isinstance(m.get("games"), int | float) and m["games"]:
        facts.append(f"{count(m['games'])} games" + ("" if result.single else " a cell"))
    return facts


def _said(texts: Sequence[str], *, strong: bool = False) -> list[str]:
    if strong:
        return [line for said in texts for line in (f"**{sentence(said)}**", "")]
    return [*(f"- {sentence(said)}" for said in texts), ""] if texts else []


def _warned(warnings: Sequence[str]) -> list[str]:
    return (
        ["> **Before you use these numbers**", ">", *(f"> - {sentence(w)}" for w in warnings), ""] if warnings else []
    )


# --- numbers ----------------------------------------------------------------------------------------------------------


def _verdicts(result: Result) -> list[str]:
    """The lines of a contract, where this is the result of a check."""
    contract = result.manifest.get("contract")
    verdicts = contract.get("verdicts") if isinstance(contract, dict) else None
    lines = verdicts.get("lines") if isinstance(verdicts, dict) else None
    if not isinstance(lines, list):
        return []
    rows = []
    for line in lines:
        if isinstance(line, dict) and isinstance(line.get("worst"), dict):
            wanted = f"{line.get('asks') or ''}: {line.get('wants') or ''}"
            rows.append((_verdict(line), escaped(line.get("line")), escaped(wanted), *_worst(result, line["worst"])))
    head = ("verdict", "line", "wanted", "worst number", "value", "95 % interval", "n")
    return [f"### Contract: {_verdict(verdicts)}", "", *table(head, rows, (4, 5, 6))]


def _verdict(entry: Any) -> str:
    said = str(entry.get("verdict"))
    return VERDICTS.get(said, escaped(said))


def _worst(result: Result, worst: dict[str, Any]) -> tuple[str, ...]:
    """Where a line's worst number is, the number, its interval, n."""
    name = text(worst.get("metric"))
    how = measure(result.metrics.get(name) or Metric(name, name))
    value, low, high, n = (_real(worst.get(k)) for k in ("value", "low", "high", "n"))
    places = digits([Row(0, "", "", "", None, value or 0.0, low, high, n, "")], how.factor)
    place = worst.get("parameters")
    where = cautions.settings(place) if isinstance(place, dict) and place else ""
    of = ", ".join(filter(None, (group(result, str(worst["group"])) if worst.get("group") else "", where)))
    return escaped(of or "all"), shown(value, how, places), interval(low, high, how, places), count(n)


def _real(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _single(result: Result) -> list[str]:
    """The headline numbers of one configuration."""
    found, _ = cells.columns(result)
    chosen = [found[i] for i in cells.sets(result, found)[0][1]][:MOST_ROWS]
    rows = [
        (escaped(c.metric.title), escaped(c.label or "all"), c.text(0), c.ends(0), count(c.n[0]), escaped(_unit(c)))
        for c in chosen
    ]
    return ["### Numbers", "", *table(("metric", "of", "value", "95 % interval", "n", "unit"), rows, (2, 3, 4))]


def _unit(column: cells.Column) -> str:
    return column.how.axis if column.how.factor == 1 else ""


def _cells(result: Result) -> list[str]:
    """The headline numbers of each cell."""
    found, _ = cells.columns(result)
    chosen = [found[i] for i in cells.sets(result, found)[0][1]][:MOST_COLUMNS]
    head = ["cell", *(escaped(factor_name(f.name)) for f in result.factors)]
    head += [escaped(f"{c.metric.title}{f' ({c.label})' if c.label else ''}") for c in chosen]
    rows = []
    for place, cell in enumerate(result.cells[:MOST_CELLS]):
        had = result.parameters[cell]
        levels = [escaped(tidy(level(had[f.name]), 60)) if f.name in had else "" for f in result.factors]
        numbers = [c.text(place) + (f" [{c.ends(place)}]" if c.ends(place) else "") for c in chosen]
        rows.append((cell, *levels, *numbers, _counts([n for c in chosen if (n := c.n[place]) is not None])))
    right = range(1 + len(result.factors), len(head) + 1)
    lines = ["### Numbers", "", "Each with its 95 % interval.", "", *table([*head, "n"], rows, right)]
    left = len(result.cells) - MOST_CELLS
    return [*lines, f"{left:,} more cells are in the report.", ""] if left > 0 else lines


def _counts(n: Sequence[float]) -> str:
    """`14,400`, or `6,000 to 14,400`."""
    return "" if not n else count(min(n)) + ("" if min(n) == max(n) else f" to {count(max(n))}")


def _figures(figures: Sequence[Figure], png: Path | str | None, beside: Path | str | None) -> list[str]:
    """Draw the figures, and link each by a path that holds from where the text will lie; nothing without a folder."""
    if png is None:
        return []
    folder = Path(png)
    if folder.exists() and not folder.is_dir():
        raise ReportError(f"{str(folder)!r} is a file; --png takes the folder for the figures")
    try:
        draw(figures, folder)
    except OSError as error:
        raise ReportError(f"the figures cannot be written: {one_line(error)}") from None
    lines = ["### Figures", ""]
    for figure in figures:
        path = os.path.relpath((folder / f"{figure.key}.png").resolve(), Path(beside or ".").resolve())
        lines += [f"![{escaped(figure.alt)}]({quote(path.replace(os.sep, '/'))})", ""]
    return lines if figures else []


def _again(result: Result) -> list[str]:
    m = result.manifest
    versions = m.get("versions")
    known = [f"game version {m['version']}"] if m.get("version") is not None else []
    known += [f"seed {m['seed']}"] if m.get("seed") is not None else []
    known += [f"{k} {v}" for k, v in versions.items()] if isinstance(versions, dict) else []
    known += [f"content {m['content_digest']}"] if m.get("content_digest") else []
    words = str(m.get("command") or "") or command.base(result)
    return ["### To reproduce", "", *fenced(words), *([escaped(", ".join(known)), ""] if known else [])]


# --- two results ------------------------------------------------------------------------------------------------------


def _of_difference(found: difference.Difference) -> list[str]:
    said = {kind: [f.text for f in found.findings if f.kind == kind] for kind in ("answer", "finding", "warning")}
    lines = [f"## {escaped(found.head)}", "", *_said(said["answer"], strong=True)]
    lines += _warned([*found.trouble, *said["warning"]])
    lines += _said(said["finding"])
    given = [tuple(map(escaped, line)) for line in difference.inputs(found)]
    lines += ["### Inputs that differ", "", *table(("input", "before", "after"), given)] if given else []
    fore = difference.headlines(found)
    rows = [
        (escaped(metric.title), *((escaped(line.place),) if line.place else ()), escaped(line.group))
        + (line.before, line.after, line.change, line.interval, line.n)
        for metric, part in difference.by_metric(found, fore[:MOST_ROWS])
        for line in part
    ]
    wide = 1 if rows and len(rows[0]) == 8 else 0
    head = ("metric", *(("cell",) if wide else ()), "of", "before", "after", "change", "95 % interval", "n")
    lines += ["### Changes", "", *table(head, rows, range(2 + wide, 7 + wide))]
    left = len(fore) - MOST_ROWS
    lines += [f"{left:,} more headline numbers are in the report.", ""] if left > 0 else []
    return lines


def _sides(found: difference.Difference) -> list[str]:
    lines = ["### To reproduce", ""]
    for side in ("before", "after"):
        told = found.manifest.get(side)
        lines += fenced(str(told.get("command") or "")) if isinstance(told, dict) else []
    return lines
