"""Says how a contract was kept: a table for people, JSON (schema 1) and CSV for programs, sentences for a report."""

from __future__ import annotations

import json
import sys
from typing import Any

from experiments import metrics, speech, text, words
from experiments.adapting import telling
from experiments.checking.outcomes import WORST, Checked, Told, Verdict
from experiments.checking.promises import ALL, Ready
from experiments.metrics import Row

SCHEMA = 1
SAID = {Verdict.PASS: "holds", Verdict.FAIL: "fails", Verdict.UNDECIDED: "is undecided"}
WHOLE = {Verdict.PASS: "KEPT", Verdict.FAIL: "BROKEN", Verdict.UNDECIDED: "UNDECIDED"}
CSV_HEAD = ("line", "verdict", "cell", "parameters", "strategies", *Row._fields, "at_least", "at_most", "command")


class Voice:
    """Says numbers, bands and places of one checked contract."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.described = described(checked.ready)
        self.speech = speech.Speech(self.described)
        self.several = len(checked.contract.line_ups) > 1

    def bound(self, metric: str, x: float) -> str:
        """An end of a band, with all digits that it was given: `35 %`, `2 points`, `13 turns`."""
        if self.speech.percent(metric):
            return f"{100 * x:g} {'points' if self.speech.signed(metric) else '%'}"
        unit = self.described[metric]["unit"]
        return f"{x:g} {unit}" if unit else f"{x:g}"

    def wanted(self, told: Told) -> str:
        """The band of a line in the unit of its metric."""
        line, metric = told.line, self.checked.ready.items[told.items[0]].gauge.metric.name
        if line.of_fair is not None:
            return line.wants
        if line.between is not None:
            low, high = (self.bound(metric, x) for x in line.between)
            unit = low.partition(" ")[2]
            return f"{low.removesuffix(f' {unit}') if unit else low}..{high}"
        if line.within is not None:
            return f"within {self.bound(metric, line.within)}"
        ends = (("at least", line.at_least), ("at most", line.at_most))
        return ", ".join(f"{word} {self.bound(metric, x)}" for word, x in ends if x is not None)

    def number(self, at: int) -> str:
        """An item's value with its interval: `-3.6 points [-4.2, -3.0]`."""
        row = self.checked.row(at)
        if row.value is None:
            return "nothing to measure yet" if row.n else "not played"
        if row.low is None and row.high is None:
            return f"{self.speech.value(row.metric, row.value)} (no interval: too few games, or the same in all)"
        if row.low is None or row.high is None:
            interval = self.speech.interval(row).replace(" .. ", ", ")
            return f"{self.speech.value(row.metric, row.value)} [{interval}]"
        return self.speech.row(row)

    def place(self, at: int) -> str:
        """Where an item is: `seat=2, players=4, expert`; the line-up only if there are several."""
        item = self.checked.ready.items[at]
        group = item.gauge.metric.group
        return ", ".join(filter(None, ("" if item.gauge.kind == "quantile" else group, self.cell(at))))

    def cell(self, at: int) -> str:
        """The cell of an item, as far as its line tells cells apart."""
        item = self.checked.ready.items[at]
        line, cell = self.checked.contract.line[item.line], self.checked.ready.cells[item.cell]
        parts = [words.listed({n: cell.parameters[n] for n in line.each if n != ALL})]
        return ", ".join(filter(None, (*parts, self.checked.ready.line_up[item.cell] if self.several else "")))

    def flips(self, told: Told) -> str:
        """Where a line fails, is undecided, and holds: "" if it ends the same everywhere."""
        ready, each = self.checked.ready, [n for n in told.line.each if n != ALL]
        cells = dict.fromkeys(ready.items[at].cell for at in told.items)
        parts: list[str] = []
        for verdict in WORST:
            said = []
            for label in self.checked.contract.line_ups:
                places = told.cells_with(verdict, label)
                if places:
                    where = [f"with {label}"] if self.several else []
                    if len(places) < sum(ready.line_up[c] == label for c in cells):
                        values = ["/".join(words.shown(ready.cells[c].parameters[n]) for n in each) for c in places]
                        where.append(f"at {'/'.join(each)}={', '.join(values)}")
                    said.append(" ".join(where))
            if said:
                parts.append(f"{SAID[verdict]} {' and '.join(said)}")
        return "; ".join(parts) if len(parts) > 1 else ""


def described(ready: Ready) -> dict[str, dict[str, Any]]:
    """Unit, meaning and headline flag of every metric, users' own ones included."""
    kinds = list({c.configuration.seats: c for c in ready.cells}.values())
    found = metrics.described([m for c in kinds for m in metrics.metrics_of(c.configuration)])
    for item in ready.items:
        m = item.gauge.metric
        unit = "share" if item.gauge.share else m.unit
        found[m.name] = {"unit": unit, "meaning": found.get(m.name, {}).get("meaning", m.meaning), "headline": True}
    return found


def summary(checked: Checked) -> str:
    """`BROKEN: 1 of 6 lines fails, 2 are undecided.`"""
    verdicts = [t.verdict for t in checked.lines]
    many = len(verdicts)
    fails, open_ = verdicts.count(Verdict.FAIL), verdicts.count(Verdict.UNDECIDED)
    parts = []
    if fails:
        parts.append(f"{fails} of {many} lines fail{'s' if fails == 1 else ''}")
    if open_:
        of = "" if fails else f" of {many} lines"
        parts.append(f"{open_}{of} {'is' if open_ == 1 else 'are'} undecided")
    if not parts:
        parts.append("its one line holds" if many == 1 else f"all {many} lines hold")
    return f"{WHOLE[checked.verdict]}: {', '.join(parts)}"


# --- the terminal -----------------------------------------------------------------------------------------------------


def as_table(checked: Checked, *, every: bool = False) -> str:
    """The verdicts, then what does not hold: where, by how much, and the command that shows it."""
    voice, contract = Voice(checked), checked.contract
    game = checked.ready.plan.game
    played = sum(checked.games.values())
    cells = len(checked.ready.cells)
    head = (
        f"{contract.title or game.title}\n"
        f"{game.name} version {game.version}; {' and '.join(contract.line_ups)}; {played:,} games in {cells} "
        f"cell{'' if cells == 1 else 's'}, seed {contract.seed}, {checked.took:.1f} s; all verdicts hold together "
        f"with {100 * contract.level:g} %"
    )
    first, *rest = head.split("\n")
    body = []
    for told in checked.lines:
        place = voice.place(told.worst)
        worst = voice.number(told.worst) + (f" at {place}" if place else "")
        body.append([told.verdict, told.line.title, voice.wanted(told), f"{told.games:,}", worst])
    parts = ["\n".join([first, *map(text.wrapped, rest)])]
    if checked.ready.adapted:
        parts.append(telling.table(checked.ready.adapted, "cell"))
    parts.append(text.table(["verdict", "line", "wanted", "games", "worst number"], body, right=(3,)))
    parts += [_details(voice, told) for told in checked.lines if told.verdict is not Verdict.PASS]
    if every:
        parts.append(_every(voice))
    for cell, error in checked.failed.items():
        parts.append(text.wrapped(f"not played: {checked.ready.cells[cell].name}: {error}"))
    parts.append(text.wrapped(summary(checked) + _advice(checked)))
    if checked.folder is not None:
        parts.append(f"kept in {checked.folder} (doomtrack report {checked.folder})")
    return "\n\n".join(parts)


def _advice(checked: Checked) -> str:
    if checked.interrupted:
        return " (stopped)"
    if Verdict.UNDECIDED not in [t.verdict for t in checked.lines] or checked.failed:
        return ""
    more = "--budget gives them more; a band that ends at the truth stays open"
    return f" after {checked.contract.budget:,} games a cell ({more})"


def _details(voice: Voice, told: Told) -> str:
    """What a line that does not hold is about."""
    checked, at = told.checked, told.worst
    row, place = checked.row(at), voice.place(at)
    item = checked.ready.items[at]
    games = f" after {row.n:,} games" if row.n else ""
    said = [("worst", f"{place + ': ' if place else ''}{voice.number(at)}{games}, wanted {voice.wanted(told)}")]
    if told.line.of_fair is not None:
        ends = " .. ".join(
            voice.bound(row.metric, round(b, 5)) for b in (item.band.low, item.band.high) if b is not None
        )
        said[0] = (said[0][0], f"{said[0][1]} ({ends})")
    if where := voice.flips(told):
        said.append(("where", where))
    if told.line.why:
        said.append(("why", " ".join(told.line.why.split())))
    rest = text.table(["", ""], [*said, ("see", "")], indent=2, heading=False)
    return f"{told.verdict}  {told.line.title}\n{rest}    {checked.command(at)}"  # in one piece, to be copied


def _every(voice: Voice) -> str:
    checked = voice.checked
    body = [
        [
            o.verdict,
            checked.contract.line[i.line].title,
            f"{o.games:,}",
            ": ".join(filter(None, (voice.place(at), voice.number(at)))),
        ]
        for at, (i, o) in enumerate(zip(checked.ready.items, checked.outcomes, strict=True))
    ]
    return text.table(["verdict", "line", "games", "each number"], body, right=(2,))


# --- programs ---------------------------------------------------------------------------------------------------------


def _item(checked: Checked, at: int) -> dict[str, Any]:
    item, row = checked.ready.items[at], checked.row(at)
    cell = checked.ready.cells[item.cell]
    return {
        "verdict": str(checked.outcomes[at].verdict),
        "cell": cell.index,
        "parameters": dict(cell.parameters),
        "strategies": checked.ready.line_up[item.cell],
        "metric": row.metric,
        "group": row.group,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "n": row.n,
        "method": row.method,
        "at_least": item.band.low,
        "at_most": item.band.high,
        "command": checked.command(at),
    }


def as_json(checked: Checked) -> dict[str, Any]:
    """The documented schema: the contract's verdict, one entry a line, and in it one a number."""
    contract, game = checked.contract, checked.ready.plan.game
    return {
        "schema": SCHEMA,
        "game": game.name,
        "version": game.version,
        "title": contract.title or game.title,
        "verdict": str(checked.verdict),
        "level": contract.level,
        "level_each": checked.ready.level,
        "budget": contract.budget,
        "seed": contract.seed,
        "strategies": list(contract.line_ups),
        "games": sum(checked.games.values()),
        "seconds": round(checked.took, 3),
        "lines": [_line(told) for told in checked.lines],
        "failed": [{"cell": checked.ready.cells[c].index, "error": e} for c, e in checked.failed.items()],
        **_adapted(checked),
    }


def _adapted(checked: Checked) -> dict[str, Any]:
    """How players were adapted, where they were."""
    found = [telling.as_data(how, name) for name, how in checked.ready.adapted]
    return {"adapted": found} if found else {}


def _line(told: Told) -> dict[str, Any]:
    return {
        "line": told.line.title,
        "asks": told.line.asks,
        "wants": told.line.wants,
        "why": told.line.why,
        "verdict": str(told.verdict),
        "strategies": {label: str(v) for label, v in told.by_line_up().items()},
        "games": told.games,
        "worst": _item(told.checked, told.worst),
        "numbers": [_item(told.checked, at) for at in told.items],
    }


def as_csv(checked: Checked) -> str:
    """One row a number."""
    body = []
    for at, item in enumerate(checked.ready.items):
        cell, row = checked.ready.cells[item.cell], checked.row(at)
        head = [checked.contract.line[item.line].title, checked.outcomes[at].verdict, cell.index]
        head += [json.dumps(dict(cell.parameters)), checked.ready.line_up[item.cell]]
        body.append([*head, *row, item.band.low, item.band.high, checked.command(at)])
    return text.csv(CSV_HEAD, body)


def show(checked: Checked, how: str, *, every: bool = False) -> None:
    """Print the verdicts to stdout; which workers were refused, and how to go on after Ctrl-C, to stderr."""
    if checked.interrupted and all(o.verdict is Verdict.UNDECIDED for o in checked.outcomes):
        pass  # there is nothing to show
    elif how == "json":
        print(json.dumps(as_json(checked), indent=1, allow_nan=False))
    elif how == "csv":
        print(as_csv(checked), end="")
    else:
        print(as_table(checked, every=every))
    for remark in checked.remarks:
        print(f"doomtrack: {remark}", file=sys.stderr)
    if checked.interrupted:
        print(f"doomtrack: {stopped(checked)}", file=sys.stderr)


def stopped(checked: Checked) -> str:
    """What to say after Ctrl-C."""
    if checked.folder is None:
        return "stopped: nothing is kept (with --out DIR it could go on)"
    cells = len(checked.ready.cells)
    done = f"{len(checked.settled)} of {cells} cells" if cells > 1 else ""
    begun = f"{checked.begun:,} games of the present one" if checked.begun else ""
    if not (checked.settled or checked.begun):
        return f"stopped: nothing was finished; go on with: {checked.manifest['command']}"
    are = "are" if cells > 1 or begun else "is"
    return (
        f"stopped: {' and '.join(filter(None, (done, begun)))} {are} kept in {checked.folder}; "
        f"go on with: {checked.manifest['command']}"
    )


# --- sentences --------------------------------------------------------------------------------------------------------


def sentences(checked: Checked) -> list[dict[str, Any]]:
    """The verdicts as findings: the whole, what fails, what is open, what holds; then what to be wary of."""
    from experiments.kinds import finding

    voice = Voice(checked)
    level = f"{100 * checked.contract.level:g} %"
    found = [finding("answer", f"{summary(checked)}; all verdicts hold together with {level}.")]
    for wanted in WORST:
        for told in checked.lines:
            if told.verdict is not wanted:
                continue
            place, where = voice.place(told.worst), voice.flips(told)
            said = f"{told.verdict}: {told.line.title} ({told.line.asks}: {voice.wanted(told)}). "
            said += f"{'Farthest out' if wanted is Verdict.FAIL else 'Nearest to the edge'}: {voice.number(told.worst)}"
            said += f" at {place}" if place else ""
            said += f"; it {where}." if where else "."
            found.append(finding("answer" if wanted is Verdict.FAIL else "finding", said, checked.row(told.worst)))
    for name, how in checked.ready.adapted:
        found += [finding("finding", said) for said in telling.sentences(how, f"Adapting to {name}")]
    if any(how.changed for _, how in checked.ready.adapted):
        found.append(finding("warning", telling.CAUTION))
    contract, first = checked.contract, checked.ready.cells[0].configuration
    if contract.note:
        found.append(finding("warning", contract.note))
    found.append(
        finding(
            "warning",
            "How many games a number rests on was decided by what it showed: its interval allows for that (it is a "
            "confidence sequence, wider than an ordinary one); the value itself errs a little towards its verdict.",
        )
    )
    if first.estimated_share > 0:
        share = f"{round(100 * first.estimated_share)} % of this configuration's content is estimated"
        found.append(finding("warning", f"{share}: numbers that rest on it are no facts of the printed game."))
    return found
