"""Writes the verdicts of a contract as JUnit XML, so that a designer's own CI shows them.

One suite a contract, one test case a line: a `failure` where it fails, `skipped` where the budget did not decide it, an
`error` where a cell could not be played. The form is what Jenkins and GitLab read: github.com/jenkinsci/xunit-plugin,
resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from experiments import store
from experiments.checking.outcomes import Checked, Told, Verdict
from experiments.checking.verdicts import Voice
from simcore.errors import InputError

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, section 2.2


def clean(text: str) -> str:
    """A text without the characters that no XML may hold; each becomes a replacement mark."""
    return FORBIDDEN.sub("\ufffd", text)


def writable(path: str | Path) -> None:
    """Refuse a place where no file can be written, before the games are played."""
    file = Path(path)
    if not str(path).strip() or file.is_dir():
        raise InputError(f"--junit {str(path)!r}: is no name of a file")
    if not file.parent.is_dir():
        raise InputError(f"--junit {file}: there is no folder {file.parent}")


def write(path: str | Path, checked: Checked, started: str) -> None:
    """Write the file, as a whole or not at all."""
    store.write_text(Path(path), as_xml(checked, started))


def as_xml(checked: Checked, started: str) -> str:
    """The verdicts as a document. `started`: ISO time at which the first game was begun."""
    contract, game = checked.contract, checked.ready.plan.game
    voice, lines = Voice(checked), checked.lines
    name = contract.title or f"{game.title}: balance contract"
    suite = ET.Element("testsuite", name=clean(name))
    kinds = [_case(suite, told, voice, f"doomtrack.{game.name}") for told in lines]
    counts = {
        "tests": len(lines),
        "failures": kinds.count("failure"),
        "errors": kinds.count("error"),
        "skipped": kinds.count("skipped"),
    }
    numbers = {k: str(v) for k, v in counts.items()} | {"time": f"{checked.took:.3f}"}
    suite.attrib |= {**numbers, "timestamp": started[:19], "hostname": "localhost", "id": "0", "package": "doomtrack"}
    properties = ET.Element("properties")
    said = {
        "game": f"{game.name} version {game.version}",
        "seed": contract.seed,
        "level": f"{contract.level:g}",
        "budget": contract.budget,
        "strategies": ", ".join(contract.line_ups),
        "games": sum(checked.games.values()),
    }
    for key, value in said.items():
        ET.SubElement(properties, "property", name=key, value=clean(str(value)))
    suite.insert(0, properties)
    suites = {k: v for k, v in numbers.items() if k != "skipped"}
    root = ET.Element("testsuites", {"name": "doomtrack check", **suites})
    root.append(suite)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, told: Told, voice: Voice, of: str) -> str:
    """Add the test case of a line; what it ended as, "" for a pass."""
    checked = told.checked
    case = ET.SubElement(suite, "testcase", name=clean(told.line.title), classname=of, time=f"{told.seconds:.3f}")
    numbers = []
    for at in told.items:
        verdict, place = checked.outcomes[at].verdict, voice.place(at)
        if verdict is told.verdict and verdict is not Verdict.PASS:
            said = f"{verdict} {place}: {voice.number(at)} after {checked.outcomes[at].games} games"
            numbers.append(f"{said}\n  {checked.command(at)}")
    place = voice.place(told.worst)
    message = (
        f"{told.line.asks}{f' at {place}' if place else ''}: {voice.number(told.worst)}, wanted {voice.wanted(told)}"
    )
    broken = [checked.failed[c] for c in checked.failed if any(checked.ready.items[at].cell == c for at in told.items)]
    kind = {Verdict.FAIL: "failure", Verdict.UNDECIDED: "error" if broken else "skipped"}.get(told.verdict, "")
    if kind:
        if kind == "error":
            message = broken[0]
        elif kind == "skipped":
            message = f"undecided: {message}"
        child = ET.SubElement(case, kind, message=clean(message))
        if kind != "skipped":
            child.set("type", str(told.verdict) if kind == "failure" else "PlayError")
        child.text = clean("\n".join(filter(None, [voice.flips(told), told.line.why, *numbers])))
    return kind
