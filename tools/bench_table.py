"""Makes the summary of a run of the benchmarks, and from the summary the README's table.

    python tools/bench_table.py RUN.json     a run of pytest-benchmark (--benchmark-json): prints it, keeps it, writes
                                             the README's table
    python tools/bench_table.py              only writes the table anew, from the summary that is kept

A run that lacks a figure of the last summary (a part of the benchmarks, no C compiler) is printed and not kept, unless
--anew says that it replaces all.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "tests" / "benchmarks" / "summary.json"
README = ROOT / "README.md"
START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"
HEAD = ("game", "what", "measured", "promised")
EVERYWHERE = "(any)"  # in place of a game's name
MILLION = 1_000_000
GROUPS = ("rates", "pieces", "twin", "start", "pairing")  # of benchmarks, in the order of the table; others follow

Row = Mapping[str, Any]
Summary = Mapping[str, Any]


def summarize(run: Mapping[str, Any], numba: str) -> dict[str, Any]:
    """The machine and all rows that benchmarks noted, from the JSON of pytest-benchmark."""
    about = run["machine_info"]
    cpu = about.get("cpu", {})
    processor = cpu.get("brand_raw") or about.get("processor") or about["machine"]
    cores = f", {cpu['count']} cores" if cpu.get("count") else ""
    machine = (
        f"{processor}{cores}, {about['system']} {about['machine']}; Python {about['python_version']}, numba {numba}"
    )
    place = {group: i for i, group in enumerate(GROUPS)}
    ordered = sorted(run["benchmarks"], key=lambda b: place.get(b.get("group"), len(GROUPS)))
    return {"machine": machine, "rows": [row for b in ordered for row in b["extra_info"].get("rows", ())]}


def figure(value: float) -> str:
    """Three digits."""
    if math.isfinite(value) and abs(value) >= MILLION:
        return f"{float(f'{value:.3g}') / MILLION:g} M"
    return f"{float(f'{value:.3g}'):,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _joined(parts: Sequence[str]) -> str:
    """`2 players`, `4 players` -> `2 / 4 players`; the same text only once."""
    split = [part.rpartition(" ") for part in parts]
    if len({tail for _, _, tail in split}) == 1 and all(head for head, _, _ in split):
        return f"{' / '.join(dict.fromkeys(head for head, _, _ in split))} {split[0][2]}"
    return " / ".join(dict.fromkeys(parts))


def _measured(rows: Sequence[Row]) -> str:
    unit = rows[0]["unit"]
    said = " / ".join(figure(r["value"]) for r in rows) + (f" {unit}" if unit else "")
    beside = [r["beside"] for r in rows if "beside" in r]
    if not beside:
        return said
    return f"{said} ({beside[0][0]}: {' / '.join(v if isinstance(v, str) else figure(v) for _, v in beside)})"


def _promised(row: Row) -> str:
    unit = f" {row['unit']}" if row["unit"] else ""
    limits = [f"at {name} {figure(row[name])}{unit}" for name in ("most", "least") if name in row]
    return " and ".join(limits)


def lines(summary: Summary) -> list[tuple[str, str, str, str]]:
    """Cells of the table, see HEAD: figures of the same game and name stand in one line."""
    together: dict[tuple[str, str], list[Row]] = {}
    for row in summary["rows"]:
        together.setdefault((row["game"], row["what"]), []).append(row)
    found = []
    for (game, what), rows in together.items():
        at = _joined([r["at"] for r in rows if r["at"]])
        promised = _joined([text for r in rows if (text := _promised(r))])
        found.append((game or EVERYWHERE, f"{what}; {at}" if at else what, _measured(rows), promised))
    return found


def markdown(summary: Summary) -> str:
    """The table for the README, with a line on the machine."""
    table = [HEAD, ("---", "---", "---", "---"), *lines(summary)]
    rows = [
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |".replace("|  |", "| |") for row in table
    ]
    return "\n".join([*rows, "", f"Measured by `make bench` on: {summary['machine']}."])


def plain(summary: Summary) -> str:
    """The same for a terminal."""
    from experiments import text

    rows = [(game, what, f"{said} [{promised}]" if promised else said) for game, what, said, promised in lines(summary)]
    return text.table(("game", "what", "measured [promised]"), rows) + f"\n{summary['machine']}"


def missed(summary: Summary) -> list[str]:
    """Promises that were not kept."""
    return [
        f"{row['game'] or EVERYWHERE}: {row['what']}: {figure(row['value'])} {row['unit']}, promised {_promised(row)}"
        for row in summary["rows"]
        if not row.get("least", row["value"]) <= row["value"] <= row.get("most", row["value"])
    ]


def lacking(summary: Summary, before: Summary) -> list[str]:
    """Figures of the summary before that this one has not."""
    have = {(r["game"], r["what"], r["at"]) for r in summary["rows"]}
    return [
        ", ".join(filter(None, (r["game"], r["what"], r["at"])))
        for r in before["rows"]
        if (r["game"], r["what"], r["at"]) not in have
    ]


def inserted(page: str, table: str) -> str:
    """The page with the table between its markers. Raises ValueError where they are missing or not in order."""
    if page.count(START) != 1 or page.count(END) != 1 or page.index(START) > page.index(END):
        raise ValueError(f"the table needs one line {START} and, below it, one line {END}")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{table}\n{END}{after}"


def written(summary: Summary) -> str:
    """A summary as the file that is kept: a line a figure, so that a difference can be read."""
    rows = ",\n  ".join(json.dumps(row) for row in summary["rows"])
    return f'{{\n "machine": {json.dumps(summary["machine"])},\n "rows": [\n  {rows}\n ]\n}}\n'


def kept(path: Path = SUMMARY) -> dict[str, Any]:
    """The summary that is kept; an empty one where there is none."""
    if not path.exists():
        return {"machine": "", "rows": []}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def take(run: Path, anew: bool = False, summary: Path = SUMMARY) -> bool:
    """Print a run, and keep it if it is complete: whether it was kept."""
    found = summarize(json.loads(run.read_text(encoding="utf-8")), version("numba"))
    print(plain(found))
    if gaps := lacking(found, kept(summary)):
        if not anew:
            print(
                f"not kept: this run lacks {len(gaps)} figures of the last one ({gaps[0]}{', ...' * (len(gaps) > 1)})"
            )
            return False
        print(f"no longer measured: {'; '.join(gaps)}")
    summary.write_text(written(found), encoding="utf-8")
    return True


def refresh(readme: Path = README, summary: Path = SUMMARY) -> None:
    """Write the README's table anew."""
    page = readme.read_text(encoding="utf-8")
    try:
        fresh = inserted(page, markdown(kept(summary)))
    except ValueError as error:
        sys.exit(f"{readme.name}: {error}")
    if fresh != page:
        readme.write_text(fresh, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="?", type=Path, help="what --benchmark-json wrote")
    parser.add_argument("--anew", action="store_true", help="keep the run even if it lacks figures of the last one")
    given = parser.parse_args()
    if given.anew and given.run is None:
        parser.error("--anew is about a run: name its file")
    if given.run is not None and not given.run.is_file():
        parser.error(f"no file {given.run}")
    if given.run is None or take(given.run, given.anew):
        refresh()
    if given.run is not None and (failed := missed(summarize(json.loads(given.run.read_text(encoding="utf-8")), ""))):
        sys.exit("\n".join(f"promise not kept: {line}" for line in failed))


if __name__ == "__main__":
    main()
