"""What some kinds of result have on the page beside figures and cells: contract, changes, answers of a search."""

from __future__ import annotations

from typing import Any

from reports import changes, contract, search
from reports.result import Metric, Result, title
from reports.words import factor_name


def sections(result: Result) -> dict[str, Any]:
    """By name what contract.html.j2 and changes.html.j2 show; empty where the result holds nothing of it."""
    checked = contract.of(result)
    compared = changes.of(result)
    searches = search.of(result)
    return {
        "contract": contract.listed(result, checked) if checked else None,
        "changes": changes.listed(result, compared) if compared else None,
        "held": held(result) if compared else [],
        "strategies": [s for s in compared.strategies if s] if compared else [],
        "searches": search.listed(searches),
        "find": factor_name(searches[0].find) if searches else "",
    }


def held(result: Result) -> list[dict[str, Any]]:
    """What a change does with each strategy, and with all: a row a variant and metric."""
    told = result.manifest.get("holds")
    rows = []
    for entry in told if isinstance(told, list) else ():
        words = entry.get("verdicts") if isinstance(entry, dict) else None
        if not isinstance(words, dict):
            continue
        name = str(entry.get("metric") or "")
        metric = result.metrics.get(name) or Metric(name, title(name))
        rows.append(
            {
                "against": str(entry.get("against") or ""),
                "name": changes.name(result, metric, str(entry.get("group") or "")),
                "words": [str(w) for w in words.values()],
                "over_all": str(entry.get("over_all") or ""),
            }
        )
    return rows


def heading(result: Result, name: str) -> str:
    """What a contract, a comparison or a search is about, as the heading of its page; empty for all else."""
    if contract.of(result) is not None:
        return name
    compared = changes.of(result)
    if compared is not None:
        against = list(dict.fromkeys(v.against for v in compared.variants))
        listed = ", ".join(against[:3]) + (f" and {len(against) - 3} more" if len(against) > 3 else "")
        return f"{name}: what {listed} would change"
    searches = search.of(result)
    if not searches:
        return ""
    one = searches[0]
    goal, metric = search.goal(one), one.metric.title.lower()
    return f"{name}: {factor_name(one.find)} for {goal if metric in goal else f'{metric} of {goal}'}"
