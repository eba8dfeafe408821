"""Says an impact: sentences with numbers, the table for people, JSON (schema 1) and CSV for programs.

What sentences say of entries holds for all of them together (family-wise 95 %); the intervals of the table hold one by
one. The first sentence bounds all entries and ranks none. An entry is named with its effect only where its text is
printed; of those whose texts are estimated it is said how many show an effect, and the table marks them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from experiments import statistics as st
from experiments import text, words
from experiments.comparing import paired
from experiments.comparing.contrast import amount
from experiments.comparing.paired import Change
from experiments.impacts import entries as en
from experiments.impacts.result import Effect, Impact, as_row
from experiments.kinds import Finding, finding
from experiments.metrics import Row
from experiments.speech import Speech, plain

SCHEMA = 1
NAMED = 8  # entries that one sentence names
SMALL = 0.01  # a change on a share that is known to be no larger is called small
_SPEECH = Speech({})  # the metrics are win_share and win_rate: in points


# --- sentences --------------------------------------------------------------------------------------------------------


def sentences(result: Impact) -> list[Finding]:
    """The answer over all entries; entries with printed texts; those with estimated ones; what it means."""
    if not result.effects:
        return [finding("warning", "No entry was played to its end: there is nothing to report.")]
    found = [_answer(result)]
    if len(result.effects) == 1:
        return found + _warnings(result)
    printed = [e for e in result.effects if not e.entry.unsure]
    found += [finding("finding", _seen(result, e), _row(e)) for e in printed if e.seen]
    found += _unseen(result, [e for e in printed if not e.seen])
    found += _estimated(result, [e for e in result.effects if e.entry.unsure])
    return found + _warnings(result)


def whose(result: Impact) -> str:
    """`the win share of player 0`, `the win rate of all`."""
    asked = result.asked
    return "the win rate of all" if asked.together else f"the win share of player {asked.holder}"


def doing(result: Impact, name: str) -> str:
    """`Being dealt Pinecone`, `The text of Pinecone`."""
    asked = result.asked
    if asked.versus == en.BLANK:
        return f"The text of {name}"
    return f"Hiding at {name}" if asked.deal.kind == "hidden" else f"Being dealt {name}"


def _points(x: float) -> str:
    return f"{plain(100 * x)} points"


def _answer(result: Impact) -> Finding:
    """A bound for all entries, or how they stand to the margin; of one entry what is known of it."""
    if len(result.effects) == 1:
        return _one(result, result.effects[0])
    each = f"{len(result.effects)} {result.asked.deal.section}"
    if result.until is not None:
        return finding("answer", _decided(result, each, result.until))
    limits = [e.most for e in result.effects]
    most = max((m for m in limits if m is not None), default=None)
    if most is None or None in limits:
        said = f"Of {each} dealt to player {result.asked.holder}, {limits.count(None)} have no interval yet."
        return finding("answer", f"{said} Play more games.")
    what = "no text" if result.asked.versus == en.BLANK else f"no {result.asked.deal.called} that is dealt"
    said = f"Of {each}, {what} changes {whose(result)} by more than {_points(most)} either way"
    seen = sum(e.seen for e in result.effects)
    told = f"{seen or 'none'} of them visibly change{'s' if seen < 2 else ''} it"
    return finding("answer", f"{said}; {told} (95 %, all together).")


def _one(result: Impact, effect: Effect) -> Finding:
    if result.until is None:
        return finding("answer", _seen(result, effect) if effect.seen else _not_seen(result, effect), _row(effect))
    size, interval = amount(_SPEECH, effect.told)
    numbers = f"{size} ({interval}) after {effect.reached.games:,} games of each"
    doing_it, limit = doing(result, effect.entry.label), _points(result.until)
    if effect.verdict == paired.UNDECIDED:
        doing_it = f"{doing_it[:1].lower()}{doing_it[1:]}"
        said = f"Undecided: whether {doing_it} changes {whose(result)} by more than ±{limit}: {numbers}."
    elif effect.verdict == paired.WITHIN:
        said = f"{doing_it} changes {whose(result)} by no more than ±{limit}: {numbers}."
    else:
        verb = "raises" if effect.verdict == paired.LARGER else "lowers"
        said = f"{doing_it} {verb} {whose(result)} by more than {limit}: {numbers}."
    return finding("answer", said, _row(effect))


def _decided(result: Impact, each: str, margin: float) -> str:
    """How many keep within the margin; those that do not by name only where their texts are printed."""
    by: dict[str, list[Effect]] = {}
    for e in result.effects:
        by.setdefault(e.verdict, []).append(e)
    if set(by) == {paired.WITHIN}:
        return (
            f"Of {each}, none changes {whose(result)} by more than {_points(margin)} either way (95 %, all together)."
        )
    kinds = {
        paired.LARGER: f"raised by more than {_points(margin)}",
        paired.SMALLER: f"lowered by more than {_points(margin)}",
        paired.UNDECIDED: "undecided",
        paired.WITHIN: "within the margin",
    }
    parts = [f"{words_}: {len(by[v])}{_names(by[v])}" for v, words_ in kinds.items() if v in by]
    said = f"Of {each}, by what they do to {whose(result)} (margin: {_points(margin)}): {'; '.join(parts)}"
    return f"{said} (95 %, all together)."


def _names(effects: Sequence[Effect]) -> str:
    names = [e.entry.name for e in effects if not e.entry.unsure]
    hidden = len(effects) - len(names)
    more = f"{hidden} on estimated texts" if hidden else ""
    return f" ({', '.join(filter(None, [*names[:NAMED], more]))})"


def _row(effect: Effect) -> Row:
    c = effect.told
    return Row(en.METRIC, "", "", None, c.change, c.low, c.high, c.n, "paired")


def _seen(result: Impact, effect: Effect) -> str:
    size, interval = amount(_SPEECH, effect.told, sign=False)
    verb = "raises" if (effect.told.change or 0.0) > 0 else "lowers"
    return f"{doing(result, effect.entry.label)} {verb} {whose(result)} by {size} ({interval}{_from_to(effect)})."


def _from_to(effect: Effect) -> str:
    c = effect.told
    if c.base is None or c.variant is None:
        return ""
    width = None if c.low is None or c.high is None else c.high - c.low
    ends = [_SPEECH.value("win_share", x, width) for x in (c.base, c.variant)]
    return f"; from {ends[0].removesuffix(' %')} to {ends[1]}"


def _not_seen(result: Impact, effect: Effect) -> str:
    most = effect.most
    could = "how large it could be is not known yet" if most is None else f"it could be up to ±{_points(most)}"
    return f"No effect of {effect.entry.label} on {whose(result)} is visible; {could}."


def _unseen(result: Impact, effects: Sequence[Effect]) -> list[Finding]:
    """Entries with printed texts that show nothing: how large it could still be."""
    known = [(e, e.most) for e in effects if e.most is not None]
    if not known:
        return []
    small = [e.entry.name for e, most in known if most <= SMALL]
    open_ = [f"{e.entry.name} (±{_points(most)})" for e, most in known if most > SMALL]
    found = []
    if small:
        said = f"Hardly an effect on {whose(result)}, if any (at most ±{_points(SMALL)}): {', '.join(small)}."
        found.append(finding("finding", said))
    if open_:
        said = f"Too few games to see what these do to {whose(result)} (it could be by up to): {_listed(open_)}."
        found.append(finding("finding", said))
    return found


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _estimated(result: Impact, effects: Sequence[Effect]) -> list[Finding]:
    if not effects:
        return []
    many, seen = len(effects), sum(e.seen for e in effects)
    whole = "all" if many == len(result.effects) else str(many)
    text_ = (
        f"On estimated texts rest {whole} of them (marked in the table); {seen or 'none'} of these visibly "
        f"change{'s' if seen < 2 else ''} it. What they do is what such texts would do; no order of the printed ones "
        "follows."
    )
    return [finding("finding", text_)]


def _warnings(result: Impact) -> list[Finding]:
    asked = result.asked
    if asked.versus == en.BLANK:
        other = (
            f"the same deal with the text of that {asked.deal.called} blank on all of its copies, other players' too"
        )
    else:
        other = "the ordinary deal, in which he has what the shuffle gives him"
    what = (
        f"What is measured: the holder (player {asked.holder}) is dealt it at set-up, against {other}; all other luck "
        "is the same. It is not how often those win who use it: who gets to use a card is often ahead already."
    )
    if any(e.used is not None for e in result.effects):
        what += " That number stands beside it (win where used): it says how a card is used, not what it does."
    found = [finding("warning", what)]
    if result.until is not None:
        said = (
            "How many games an entry rests on was decided by what it showed: its interval allows for that; the value "
            "itself errs a little towards its verdict."
        )
        found.append(finding("warning", said))
    if {p.strategy.name for p in asked.cell.players} == {"random"}:
        said = "All seats choose at random: a card is then worth what it does by itself. Try a strategy."
        found.append(finding("warning", said))
    share = asked.cell.configuration.estimated_share
    if share > 0:
        said = (
            f"{round(100 * share)} % of this configuration's content is estimated: "
            "numbers that rest on it are no facts of the printed game."
        )
        found.append(finding("warning", said))
    if result.interrupted:
        found.append(finding("warning", f"Stopped: {len(result.effects)} of {len(asked.entries)} entries are here."))
    return found


# --- output -----------------------------------------------------------------------------------------------------------


def exit_code(result: Impact) -> int:
    """0 done, 3 an entry is undecided, 130 stopped."""
    return 130 if result.interrupted else 3 if result.undecided else 0


def show(result: Impact, how: str) -> None:
    """Print it."""
    print({"json": as_json, "csv": as_csv}.get(how, as_table)(result))


def as_json(result: Impact) -> str:
    """The documented schema."""
    asked = result.asked
    configuration = asked.cell.configuration
    metric = asked.metric
    data = {
        "schema": SCHEMA,
        "game": configuration.game.name,
        "version": configuration.game.version,
        "parameters": {**configuration.settings, **configuration.given},
        "strategies": [p.label for p in asked.cell.players],
        "seed": result.study.seed,
        "games": result.games,
        "seconds": round(result.seconds, 3),
        **{k: v for k, v in result.asked_words.items() if k != "entries"},
        "metric": f"{metric.name}[{metric.group}]" if metric.group else metric.name,
        "level_each": st.family(st.LEVEL, len(asked.entries)),
        "entries": [_entry(result, e) for e in result.effects],
        "findings": result.sentences,
    }
    return json.dumps(data, indent=1, allow_nan=False)


def _entry(result: Impact, effect: Effect) -> dict[str, object]:
    """An entry, the games that it gives another result, and the lines that show it."""
    first, lines = list(effect.reached.first), None
    if first:  # else no game shows it
        lines = {"before": result.trace(effect, before=True), "after": result.trace(effect)}
    return {**as_row(effect), "first_flipped": first, "command": result.line(effect.entry.slug), "trace": lines}


def as_csv(result: Impact) -> str:
    """One row an entry."""
    rows = [as_row(e) for e in result.effects]
    return text.csv(list(rows[0]) if rows else [], [list(r.values()) for r in rows]).rstrip("\n")


def as_table(result: Impact) -> str:
    """Heading, sentences, one line an entry."""
    parts = [_heading(result)]
    for kind, title, mark in (("answer", "", "="), ("finding", "", "-"), ("warning", "Be wary:\n", "-")):
        lines = [str(f["text"]) for f in result.sentences if f["kind"] == kind]
        if lines and kind == "warning":
            parts.append(_numbers(result))
        if lines:
            parts.append(title + text.bullets(lines, mark))
    if result.folder is not None:
        parts.append(f"kept in {result.folder} (doomtrack report {result.folder})")
    return "\n\n".join(p for p in parts if p)


def _heading(result: Impact) -> str:
    asked = result.asked
    cell, game = asked.cell, asked.cell.configuration.game
    who = ", ".join(f"{w}: {s}" if w != "all" else s for w, s in cell.strategies.items())
    given = f"; {words.listed(result.study.base)}" if result.study.base else ""
    against = "the ordinary deal" if asked.versus == en.DEAL else "the same with its text blank"
    return (
        f"{game.title}: {result.question}\n"
        f"{game.name} version {game.version}, {who}{given}\n"
        f"against {against}; {result.games:,} games of each at most, the same luck on both sides; seed "
        f"{result.study.seed}, {result.seconds:.1f} s"
    )


def _numbers(result: Impact) -> str:
    if not result.effects:
        return ""
    until = result.until is not None
    body = [_line(e, until) for e in result.effects]
    looks = "95 % at all looks" if until else "95 % interval"
    head = [result.asked.deal.kind, "impact", looks, "win with it", "games", "touched", "copies", "text"]
    if until:
        head.insert(3, "verdict")
    if used := any(e.used is not None for e in result.effects):
        head.insert(-2, "win where used")
        for line, effect in zip(body, result.effects, strict=True):
            line.insert(-2, _where_used(effect))
    said = text.table(head, body, right=tuple(range(1, len(head) - 1)))
    star = "*: rests on estimated texts; " if any(e.entry.unsure for e in result.effects) else ""
    other = "blank text" if result.asked.versus == en.BLANK else "ordinary deal"
    rest = f"impact in points, against the {other}; touched: games that it changes at all"
    if used:
        rest += "\nwin where used: of those who use it in the ordinary deal, no effect of it"
    return f"{said}\n{star}{rest}{_flip(result)}"


def _flip(result: Impact) -> str:
    """Where one entry is asked of: the first game that ends otherwise, on both sides."""
    effect = result.effects[0]
    if len(result.effects) > 1 or not effect.reached.first:
        return ""
    head = f"{effect.reached.flipped:,} games end with another result, the first is {effect.reached.first[0]}:"
    return f"\n\n{head}\n  {result.trace(effect, before=True)}\n  {result.trace(effect)}"


def _where_used(effect: Effect) -> str:
    used = effect.used
    if used is None or used.value is None:
        return "-"
    return f"{100 * used.value:.1f} % of {used.n:,}"


def _line(effect: Effect, until: bool) -> list[str]:
    change: Change = effect.change
    size, interval = amount(_SPEECH, change) if change.change is not None else ("-", "")
    touched = 100 * effect.reached.touched / max(1, effect.reached.games)
    with_it = "-" if change.variant is None else f"{100 * change.variant:.1f} %"
    line = [effect.entry.label, size.removesuffix(" points"), interval or "-"]
    line += [effect.verdict] if until else []
    return [
        *line,
        with_it,
        f"{change.n:,}",
        f"{touched:.0f} %",
        str(effect.entry.copies),
        effect.entry.source,
    ]
