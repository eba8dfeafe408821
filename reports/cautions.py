"""What a reader must know before the numbers: an unfinished result, estimated content, capped games."""

from __future__ import annotations

from typing import Any

from reports.result import Result
from reports.words import NARROW, count, factor_name, level, listing, tidy

CAPPED = "capped_rate"  # the metric of games that were stopped at the turn cap
SOURCES = ("rulebook", "published", "inferred", "estimated")


def of(result: Result) -> list[str]:
    """All warnings, the gravest first, each once."""
    said = [f.text for f in result.findings if f.kind == "warning"]
    told = result.manifest.get("notes")
    notes = [str(n) for n in (told if isinstance(told, list) else [told]) if n and str(n).strip()]
    estimated = estimate(result)
    spoken = " ".join((*said, *notes))
    if estimated and "content is estimated" in spoken:
        estimated = ""
    capped_too = capped(result)
    if capped_too and any("turn cap" in s for s in said):
        capped_too = ""
    found = [unfinished(result), failed(result), *result.trouble, estimated, *said, capped_too, *notes]
    return list(dict.fromkeys(tidy(w, 2000) for w in found if w))


def unfinished(result: Result) -> str:
    """Says how much of the result is here."""
    if result.finished:
        return ""
    here, asked = len(result.cells), result.asked
    if here + len(result.failed) >= asked:
        return "Unfinished: the experiment did not run to its end; its numbers may rest on fewer games than asked for."
    cells = f"{here:,} of {asked:,} cells {'is' if here == 1 else 'are'} here"
    return f"Unfinished: {cells}. Figures and tables show these; run the same command again to finish."


def failed(result: Result) -> str:
    """Says which cells could not be played."""
    if not result.failed:
        return ""
    first = result.failed[0]
    place = first.get("parameters")
    where = settings(place) if isinstance(place, dict) and place else f"cell {first.get('cell')}"
    count_of = len(result.failed)
    what = f"{count_of} cell{'s' * (count_of > 1)} failed and {'are' if count_of > 1 else 'is'} not shown"
    return f"{what}; the first: {where}: {tidy(str(first.get('error', '')), 300)}"


def estimate(result: Result) -> str:
    """The share of the content that is estimated, as the experiment counted it."""
    share = result.manifest.get("estimated_share")
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
        return ""
    percent = f"{share * 100:.0f}" if share >= 0.01 else f"{share * 100:.2g}"
    rest = sources(result)
    return f"{percent}{NARROW}% of this configuration's content is estimated" + (f" ({rest})." if rest else ".")


def sources(result: Result) -> str:
    """Where the content comes from: ``21 rulebook, 4 published, 6 inferred, 48 estimated``."""
    told = result.manifest.get("provenance")
    if not isinstance(told, dict):
        return ""
    names = [*(s for s in SOURCES if s in told), *(s for s in told if s not in SOURCES)]
    return ", ".join(f"{count(told[name])} {name}" for name in names if isinstance(told[name], int | float))


def capped(result: Result) -> str:
    """Says how many games were stopped at the turn cap, where any were."""
    if CAPPED not in result.metrics:
        return ""
    rows = [r for r in result.grouped(CAPPED, "") if r.value > 0]
    if not rows:
        return ""
    worst = max(rows, key=lambda r: r.value)
    rate = "all" if worst.value >= 1 else f"{max(worst.value * 100, 0.001):.2g}{NARROW}%"
    rate = f"fewer than {rate}" if worst.value < 1e-5 else rate
    if result.single:
        return f"Turn cap: {rate if worst.value >= 1 else rate + ' of'} games were stopped at the turn cap."
    where = settings({f.name: result.parameters[worst.cell].get(f.name) for f in result.factors})
    cells = f"{len(rows):,} of {len(result.cells):,} cells"
    return f"Turn cap: in {cells} games were stopped at the turn cap, at most {rate} ({where})."


def settings(place: dict[str, Any]) -> str:
    """A cell in words: ``gear = 4 and players = 3``."""
    return listing([f"{factor_name(str(name))} = {level(value)}" for name, value in place.items()])
