"""The page: everything a result folder says, in one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import json
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reports import cautions, cells, command, own, pages, replays, style, themes
from reports.errors import ReportError
from reports.figures import plan, undrawn
from reports.figures.figure import Figure, who_plays
from reports.result import Finding, Result, Row, one_line, read, text, title
from reports.words import (
    Measure,
    axis,
    count,
    digits,
    factor_name,
    interval,
    level,
    measure,
    number,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SVG_MOST = 64_000  # bytes up to which a figure goes into the page as SVG
PAGE = 2_950_000  # bytes of a page; figures that would make it larger lie in the folder of figures alone
ROOM = 1_750_000  # letters of figures in one page at most, however little else there is
FIRST_ROWS = 500  # rows of the table of cells that are in the page before its script runs
ANSWERS = 3  # answers in large letters; what is beyond stands with the findings
LIST = "figures.json"  # what the last report wrote into the folder of figures


@dataclass(frozen=True)
class Picture:
    """A figure as the page shows it."""

    figure: Figure
    source: str  # a data URI; empty where the page has no room for it
    width: int  # in CSS pixels
    height: int
    narrow: str = ""  # of a wide one: what a phone shows, a data URI


def write(folder: Path | str, *, html: Path | str | None = None, png: Path | str | None = None) -> Path:
    """Draw the figures of a result folder, write them and the page; returns the path of the page."""
    result = read(folder)
    page, figures_at = places(result.folder, html, png)
    figures, left = plan(result)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        blank = [Picture(figure, "data:,", 1, 1) for figure in figures]
        rest = len(render(result, blank, left).encode())
        pictures = draw(figures, figures_at, min(ROOM, PAGE - rest))
        save(page, render(result, pictures, left))
    except OSError as error:
        raise ReportError(f"the report cannot be written: {one_line(error)}") from None
    return page


def places(folder: Path, html: Path | str | None, png: Path | str | None) -> tuple[Path, Path]:
    """Where the page and the figures go: as asked, else into the result folder. Raises ReportError."""
    page = Path(html) if html is not None else folder / "report.html"
    figures_at = Path(png) if png is not None else folder / "figures"
    if page.is_dir():
        raise ReportError(f"{str(page)!r} is a folder; --html takes the name of the file to write")
    if figures_at.exists() and not figures_at.is_dir():
        raise ReportError(f"{str(figures_at)!r} is a file; --png takes the folder for the figures")
    return page, figures_at


def draw(figures: Sequence[Figure], folder: Path, room: int = ROOM) -> list[Picture]:
    """Draw each figure: a PNG with title into the folder, and the picture for the page, while there is room."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures: list[Picture] = []
    written = {}
    for figure in figures:
        canvas = figure.draw()
        whole, cut = style.png(canvas)
        (folder / f"{figure.key}.png").write_bytes(whole)
        written[f"{figure.key}.png"] = {"title": figure.title, "caption": figure.caption, "alt": figure.alt}
        width, height = (float(v) for v in canvas.get_size_inches())
        source = data_uri(cut, "image/png") if figure.wide else _column(canvas, cut)
        room -= len(source)
        if room < 0:  # nor do later ones get in, be they small: the page keeps to the order of the figures
            source = ""
        inner = height - (style.TITLE + style.FOOT) * style.CUT
        pictures.append(Picture(figure, source, round(width * 96), round(inner * 96)))
    for place, picture in enumerate(pictures):  # after all: none gives up its place for a second drawing of another
        if picture.figure.narrow is not None and picture.source and room > 0:
            canvas = picture.figure.narrow()
            narrow = _column(canvas, style.png(canvas)[1]).replace(" ", "%20")  # srcset ends an address at a space
            if len(narrow) <= room:
                room -= len(narrow)
                pictures[place] = replace(picture, narrow=narrow)
    forget(folder, set(written))
    save(folder / LIST, json.dumps(written, ensure_ascii=False, indent=1))
    return pictures


def _column(canvas: Canvas, cut: bytes) -> str:
    """A figure of one column as a data URI: SVG where that is small, else the PNG."""
    drawing = style.svg(canvas)
    if len(drawing) <= SVG_MOST:
        return data_uri(drawing, "image/svg+xml")
    return data_uri(cut, "image/png")


def forget(folder: Path, kept: set[str]) -> None:
    """Remove the figures of an earlier report that this one does not have; nothing else in the folder is touched."""
    try:
        before = json.loads((folder / LIST).read_text("utf-8"))
    except (OSError, ValueError):
        return
    for name in before if isinstance(before, dict) else ():
        old = folder / name
        if name not in kept and old.parent == folder and old.suffix == ".png":
            old.unlink(missing_ok=True)


def data_uri(content: bytes, kind: str) -> str:
    """Content as a URI: SVG as text (shorter), all else as base64."""
    if kind == "image/svg+xml":
        start = content.find(b"<svg")
        drawing = content[start:].decode("utf-8").replace('"', "'")
        return f"data:{kind};charset=utf-8," + quote(drawing, safe=" !$()*+,-./:;=?@[]^_`{|}~'")
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def save(path: Path, content: str) -> None:
    """Write a file in one step, so that a stopped report leaves no half page."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n", errors="replace") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def render(result: Result, pictures: Sequence[Picture], left: Sequence[str]) -> str:
    """The page as text."""
    found, all_columns = cells.columns(result)
    apart = [p.figure for p in pictures if not p.source]
    pictures = [p for p in pictures if p.source]
    m = result.manifest
    claim = text(m.get("claim")).strip()
    name = str(m.get("title") or title(str(m["game"])))
    head = headline(result)
    sections = own.sections(result)
    answers = [_said(result, f) for f in result.findings if f.kind == "answer"]
    findings = [_said(result, f) for f in result.findings if f.kind not in {"answer", "warning"}]
    told = replays.section(result.folder)
    parts = ("page", "replays") if told else ("page",)
    return pages.filled(
        "page.html.j2",
        parts,
        parts,
        head=head,
        claim="" if CODE.fullmatch(claim) else claim,
        line=" · ".join(_line(result, name)),
        answers=answers[:ANSWERS],
        findings=answers[ANSWERS:] + ([] if sections["contract"] else findings),  # the contract's table says them
        warnings=cautions.of(result),
        unfinished=not result.finished,
        own=sections,
        sections=_sections(pictures),
        left=left,
        flat=list(undrawn(result).values()),
        apart=apart,
        single=result.single,
        numbers=_numbers(found) if result.single else [],
        table=None if result.single else _table(result, found),
        shown_columns=len(found),
        all_columns=all_columns,
        made=_made(result),
        failed=[
            (cautions.settings(f.get("parameters") or {}) or f"cell {f.get('cell')}", str(f.get("error", "")))
            for f in result.failed
        ],
        command=str(m.get("command") or ""),
        cell_command=command.base(result),
        replays=told,
        data=cells.as_json(cells.data(result, found)),
    )


def headline(result: Result) -> str:
    """The heading: the question, else what the result is of."""
    m = result.manifest
    name = str(m.get("title") or title(str(m["game"])))
    return text(m.get("question")).strip() or own.heading(result, name) or headed(result, name)


def headed(result: Result, name: str) -> str:
    """The heading of a result without a question: its title and what varies, or who plays."""
    varied = [factor_name(f.name) for f in result.factors]
    if varied:
        if all(v in name for v in varied):
            return name
        return f"{name}: {' × '.join(varied) if len(varied) < 5 else f'{len(varied)} factors'}"
    players = result.players(result.cells[0])
    parts = [f"{players} player{'s' * (players > 1)}" if players else "", who_plays(result)]
    return f"{name}: {', '.join(filter(None, parts)) or 'one configuration'}"


def _line(result: Result, name: str) -> list[str]:
    """The line under the heading: game, kind, size."""
    m = result.manifest
    parts = [name, str(m["kind"])]
    if not result.single:
        parts.append(f"{len(result.cells):,} cells")
        parts.append(" × ".join(factor_name(f.name) for f in result.factors))
    players = result.players(result.cells[0])
    if players and not any(f.name == "players" for f in result.factors):
        parts.append(f"{players} players")
    if isinstance(m.get("games"), int | float) and m["games"]:
        parts.append(f"{count(m['games'])} games" + ("" if result.single else " a cell"))
    return parts


CODE = re.compile(r"[A-Za-z]{0,3}[-. ]?\d+[a-z]?")  # a claim that is only its number: C6
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")  # in a sentence, without its sign


def _said(result: Result, finding: Finding) -> dict[str, str]:
    """A finding's sentence, and in small print what the sentence itself does not say: interval and n."""
    metric = result.metrics.get(finding.metric)
    how = measure(metric) if metric is not None else Measure(1.0, "", "")
    parts = []
    if finding.value is not None and not _told(finding, how.factor):
        row = Row(0, "", "", "", None, finding.value, finding.low, finding.high, None, "")
        ends = interval(finding.low, finding.high, how, digits([row], how.factor) + 1)
        parts.append(f"interval {ends}" if ends else "")
    if finding.n is not None:
        parts.append(f"n\u00a0=\u00a0{count(finding.n)}")
    return {"text": finding.text, "number": ", ".join(filter(None, parts)), "kind": finding.kind}


def _told(finding: Finding, factor: float) -> bool:
    """Whether the sentence itself says the interval, whatever its brackets: both its ends, one after the other."""
    if finding.low is None or finding.high is None:
        return False
    written = NUMBER.findall(finding.text)
    ends = (abs(finding.low * factor), abs(finding.high * factor))
    # "lowers by 11.2 (9.5 to 12.8)" says the ends of -12.8 to -9.5
    return any(
        _rounded(one, first) and _rounded(other, second)
        for one, other in zip(written, written[1:], strict=False)
        for first, second in (ends, ends[::-1])
    )


def _rounded(written: str, value: float) -> bool:
    """Whether a number of a text is this value, rounded as it is written."""
    return abs(float(written.replace(",", "")) - value) <= 0.501 * 10.0 ** -len(written.partition(".")[2])


def _sections(pictures: Sequence[Picture]) -> list[tuple[str, list[Picture]]]:
    names = list(dict.fromkeys(p.figure.metric.theme for p in pictures))
    return [(name, [p for p in pictures if p.figure.metric.theme == name]) for name in names]


def _numbers(found: Sequence[cells.Column]) -> list[tuple[str, list[dict[str, Any]]]]:
    """One configuration: by theme, each metric with its lines (the whole, then the groups)."""
    by_theme: dict[str, dict[str, list[cells.Column]]] = {}
    for column in found:
        by_theme.setdefault(column.metric.theme, {}).setdefault(column.metric.name, []).append(column)
    sections = []
    for theme in sorted(by_theme, key=themes.rank):
        metrics = [
            {
                "title": _headed(lines[0]),
                "meaning": lines[0].metric.meaning,
                "lines": [
                    {
                        "label": c.label or "all",
                        "value": c.text(0),
                        "interval": c.ends(0),
                        "n": count(c.n[0]),
                        "method": c.method,
                    }
                    for c in lines
                ],
            }
            for lines in by_theme[theme].values()
        ]
        sections.append((theme, metrics))
    return sections


def _headed(column: cells.Column) -> str:
    """A metric's title, with the unit where the numbers do not show it themselves."""
    return axis(column.metric) if column.how.factor == 1 else column.metric.title


def _table(result: Result, found: Sequence[cells.Column]) -> dict[str, Any]:
    """The table of cells as it stands before the script runs: the headline columns of the first rows."""
    head = [found[i] for i in cells.sets(result, found)[0][1]]
    rows = []
    for place, cell in enumerate(result.cells[:FIRST_ROWS]):
        parameters = result.parameters[cell]
        levels = [tidy(level(parameters[f.name]), 200) if f.name in parameters else "" for f in result.factors]
        rows.append({"cell": cell, "levels": levels, "numbers": [(c.text(place), c.ends(place)) for c in head]})
    return {
        "factors": [(factor_name(f.name), f.meaning, f.numeric) for f in result.factors],
        "head": [(_headed(c), c.label) for c in head],
        "rows": rows,
        "size": len(result.cells),
    }


def _made(result: Result) -> list[tuple[str, str]]:
    """How the result was made, as name and text."""
    m = result.manifest
    varied = {f.name for f in result.factors}
    given = {k: v for k, v in _items(m.get("given")) if k not in varied}
    rest = {k: v for k, v in _items(m.get("parameters")) if k not in varied and k not in given and v is not None}
    listed = m.get("players")
    seats = [f"seat {i}: {p}" for i, p in enumerate(listed if isinstance(listed, list) else [])]
    line_up = seats or [f"{who}: {strategy}" for who, strategy in _items(m.get("strategies"))]
    precision = m.get("precision")
    lines = [
        ("Game", f"{m['game']}, version {m['version']}" if m.get("version") is not None else str(m["game"])),
        ("Content", cautions.sources(result)),
        ("Overlays", ", ".join(str(o) for o in m.get("overlays") or [])),
        ("Line-up", ", ".join(line_up)),
        ("Varied", "; ".join(_varied(result))),
        ("Set", ", ".join(f"{k} = {level(v)}" for k, v in given.items())),
        ("Seed", "" if m.get("seed") is None else str(m["seed"])),
        ("Games a cell", count(m["games"]) if isinstance(m.get("games"), int | float) else ""),
        ("Precision", f"until ±{precision:g}" if isinstance(precision, int | float) else ""),
        ("Versions", ", ".join(f"{k} {v}" for k, v in _items(m.get("versions")))),
        ("Source digest", str(m.get("source_digest") or "")),
        ("Content digest", str(m.get("content_digest") or "")),
        ("Machine", str(m.get("machine") or "")),
        ("Started", str(m.get("started") or "")),
        ("Duration", duration(m.get("seconds"))),
        ("Folder", result.folder.resolve().name),
        ("As the game has it", ", ".join(f"{k} = {level(v)}" for k, v in rest.items())),
    ]
    return [(name, told) for name, told in lines if told]


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _varied(result: Result) -> list[str]:
    texts = []
    for factor in result.factors:
        values = [level(v) for v in factor.values]
        listed = ", ".join(values) if len(values) <= 12 else f"{len(values)} values from {values[0]} to {values[-1]}"
        texts.append(f"{factor.name} ({listed})" + (f": {factor.meaning.rstrip('.')}" if factor.meaning else ""))
    return texts


def duration(seconds: Any) -> str:
    """``200`` -> ``3 min 20 s``."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds < 0:
        return ""
    if seconds < 60:
        return f"{number(float(seconds), 1)} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
