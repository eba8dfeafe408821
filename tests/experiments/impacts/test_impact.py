"""What a dealt card does: known answers, sums that must come out, pairing, what is refused, what is kept and said."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import experiments
import reports
from experiments import cli, study, traces
from experiments import statistics as st
from experiments.comparing import paired
from experiments.impacts import entries as en
from experiments.impacts.impact import measured
from experiments.impacts.pairs import Pair, Side, Table
from simcore import batch
from simcore.deals import kinds_of
from simcore.errors import InputError
from simcore.game import games

GAMES = 1200
TWO_ITEMS = """
[{lucky}]
name = "Lucky"
keyword = "condition"
effect = "cover +20"
copies = 1
source = "estimated"

[dud]
name = "Dud"
keyword = "modifier"
effect = "power +1"
blank = true
copies = {duds}
source = "published"
"""


def cell(game: str = "snowball", strategies: dict[str, str] | None = None, **base: Any) -> study.Cell:
    asked = study.build(game=game, base=base, strategies=strategies or {"all": "greedy"})
    return study.plan(asked).cells[0]


@pytest.fixture
def doomtrack(capfd) -> Callable[..., tuple[int, str, str]]:
    """Run a command line in this process: (exit code, stdout, stderr)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.call([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def deck(tmp_path) -> Callable[..., str]:
    """A content folder whose items are these and no others."""

    def of(text: str) -> str:
        shipped = games()["snowball"].load_content(()).sections["items"]
        removed = "".join(f"[{slug}]\nremove = true\n" for slug in shipped)
        (tmp_path / "items.toml").write_text(removed + text, encoding="utf-8")
        return str(tmp_path)

    return of


# --- how those fare who use it ---


USED = [("snallygaster", "item"), ("snallygaster", "ride"), ("spooktacular", "card")]


@pytest.mark.parametrize(("name", "of"), USED)
def test_wins_where_used_are_those_of_single_games(name: str, of: str) -> None:
    """Counted once more from single games: who wins, and whether it was used at all."""
    asked = en.asked(cell(name), of)
    pair = Table(asked, seed=3).pair(asked.entries[0])
    pair.play_to(GAMES)
    configuration, players = asked.cell.configuration, asked.cell.players
    metrics = [asked.deal.used(configuration, e.slug) for e in asked.entries]
    wins, uses, shared = np.zeros(len(metrics)), np.zeros(len(metrics), int), False
    for block in batch.play(configuration, players, games=GAMES, seed=3, block=1, threads=1, keep=True):
        share = block.outcomes[0]["share"][: configuration.seats]
        for k, m in enumerate(metrics):
            if name == "snallygaster":
                used = int(block.totals.sum[m.b] > 0)
                won = used * int(share.sum() > 0)
            else:
                used, won = int(block.totals.sum[m.b]), block.totals.sum[m.a] / 60
                plays = int(block.totals.sum[m.a - 1])
                assert (used > 0) == (plays > 0) and used <= min(plays, len(share))
                assert won <= min(1, used * share.max() / 60)
                shared |= used > 1
            wins[k], uses[k] = wins[k] + won, uses[k] + used
    for k in range(len(metrics)):
        found = pair.before.uses.told(k, GAMES)
        assert found.n == uses[k] and (found.value or 0) == pytest.approx(wins[k] / max(1, uses[k]))
        assert found.value is None or found.low <= found.value <= found.high
    assert uses.sum() > GAMES and 0 < wins.sum() < uses.sum() and shared == (name == "spooktacular")


def test_wins_where_used_rest_on_the_games_of_their_entry(doomtrack) -> None:
    """However far the ordinary deal is played for others, and after a stop."""
    asked = en.asked(cell("snallygaster"), "ride")
    one, other = (Table(asked, seed=5) for _ in range(2))
    first = one.pair(asked.entries[1])
    first.play_to(GAMES)
    alone = first.where_used()
    before, late = other.pair(asked.entries[0]), other.pair(asked.entries[1])
    before.play_to(2 * GAMES)
    late.play_to(GAMES)
    assert late.where_used() == alone and alone.n > 0
    assert Table(en.asked(cell(), "item"), seed=5).pair(en.asked(cell(), "item").entries[0]).where_used() is None
    code, out, _ = doomtrack("impact", "snallygaster", "--of", "ride", "--games", "600", "--strategy", "greedy")
    assert code == 0 and "win where used" in out and "no effect of it" in out
    code, out, _ = doomtrack("impact", "snallygaster", "--of", "ride", "--games", "600", "--format", "json")
    entries = json.loads(out)["entries"]
    assert all(e["low_where_used"] <= e["win_where_used"] <= e["high_where_used"] for e in entries if e["uses"])
    code, out, _ = doomtrack("impact", "snowball", "--games", "600")
    assert code == 0 and "where used" not in out


# --- known answers ----------------------------------------------------------------------------------------------------


def test_a_card_of_which_the_deck_consists_does_nothing(deck) -> None:
    """Whoever is dealt it would have had it anyway: every game is the same."""
    only = deck('[lid]\nname = "Lid"\nkeyword = "response"\neffect = "save"\ncopies = 20\nsource = "rulebook"\n')
    found = experiments.impact("snowball", strategies="greedy", content=[only], games=GAMES)
    (effect,) = found.effects
    assert (effect.change.change, effect.reached.touched, effect.change.method) == (0.0, 0, paired.SAME)
    assert effect.change.low is not None and effect.change.low < 0 < (effect.change.high or 0)


def test_the_text_of_a_blank_card_does_nothing(deck) -> None:
    folder = deck(TWO_ITEMS.format(lucky="lucky", duds=19))
    found = experiments.impact(
        "snowball", strategies="greedy", content=[folder], games=GAMES, versus="blank", entries="dud,lucky"
    )
    dud, lucky = found.get("dud"), found.get("lucky")
    assert (dud.change.change, dud.reached.touched, dud.reached.flipped) == (0.0, 0, 0)
    assert lucky.seen and (lucky.change.change or 0) > 0.1, "a cover of 20 more is worth much"


def test_one_lucky_card_among_blank_ones_is_worth_what_can_be_worked_out(deck) -> None:
    """One lucky card of 20, 4 players: who has it wins with w, the others share the rest. Ordinarily he has it in 1 of
    20 games, another in 3 of 20: w against (w + 16/4 + 3 (1 - w) / 3) / 20, so that 20 x base = 5 whatever w is."""
    folder = deck(TWO_ITEMS.format(lucky="lucky", duds=19))
    found = experiments.impact("snowball", strategies="greedy", content=[folder], games=6000)
    lucky, dud = found.get("lucky"), found.get("dud")
    w = lucky.change.variant or 0
    assert w > 0.35
    assert lucky.change.base == pytest.approx(0.25, abs=0.02) and (lucky.change.change or 0) > 0.1
    # a dud for him leaves the lucky card to the others in 3 of the other 19 places of the deck
    expected = 3 / 19 * (1 - w) / 3 + 16 / 19 / 4
    assert dud.change.variant == pytest.approx(expected, abs=0.02)
    assert abs(lucky.entry.copies * (lucky.change.change or 0) + 19 * (dud.change.change or 0)) / 20 < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "of", "strategy", "n"),
    [
        ("snowball", "item", "greedy", 60_000),
        ("snowball", "location", "greedy", 60_000),
        ("snallygaster", "ride", "greedy", 6_000),
        ("spooktacular", "monster", "greedy", 3_000),
    ],
)
def test_an_ordinary_deal_is_the_mean_of_all_forced_ones(game: str, of: str, strategy: str, n: int) -> None:
    """Each entry is dealt as often as it has copies: the impacts, so weighted, add up to nothing."""
    found = experiments.impact(game, of=of, strategies=strategy, games=n, seed=7)
    weight = np.array([e.entry.copies for e in found.effects], float)
    weight /= weight.sum()
    change = np.array([e.change.change or 0.0 for e in found.effects])
    half = np.array([(e.change.high or 0.0) - (e.change.low or 0.0) for e in found.effects]) / 2
    # the errors of the entries share that of the ordinary deal: no larger than if all were one
    assert abs(weight @ change) < 1.5 * (weight @ half)


def test_the_wins_are_those_that_the_game_counts() -> None:
    for game, strategy in (("snowball", "greedy"), ("snallygaster", "greedy"), ("spooktacular", "random")):
        own = cell(game, {"all": strategy})
        deal = kinds_of(own.configuration.game)[0]
        asked = en.asked(own, deal.kind)
        side = Side(own.configuration, own.players, asked.metric, asked.holder, None, 3, 2)
        side.play_to(120)
        side.play_to(240)
        totals = batch.total(own.configuration, own.players, games=240, seed=3)
        m = asked.metric
        counted = totals.sum[m.a] if m.name == "win_share" else totals.fired[m.a]
        assert side.units.sums[:, 0, 0].sum() == counted and side.units.count == 4


def test_how_it_is_played_on_makes_no_difference() -> None:
    own = cell()
    asked = en.asked(own, "item", "sled")
    pairs = [Table(asked, 1, threads).pair(asked.entries[0]) for threads in (1, 2)]
    for games_ in (60, 600, 1800):
        pairs[0].play_to(games_)
    pairs[1].play_to(1800)
    one, two = ((p.change(), p.reached) for p in pairs)
    assert one == two and one[1].flipped > 0 and len(one[1].first) > 0


def test_a_game_is_touched_where_its_outcome_differs() -> None:
    own = cell()
    asked = en.asked(own, "item", "sled")
    pair = Table(asked, 1, 2).pair(asked.entries[0])
    pair.play_to(600)
    rows = [
        np.concatenate(
            [
                b.outcomes
                for b in batch.play(own.configuration, own.players, games=600, keep=True, deal=d)
                if b is not None
            ]
        )
        for d in (None, asked.forced(asked.entries[0]))
    ]
    differ = [a.tobytes() != b.tobytes() for a, b in zip(*rows, strict=True)]
    ends = (rows[0]["share"] != rows[1]["share"]).any(axis=1) | (rows[0]["status"] != rows[1]["status"])
    assert (pair.reached.touched, pair.reached.flipped) == (sum(differ), ends.sum())
    assert pair.reached.first == tuple(np.flatnonzero(ends)[:5])


def test_pairing_pays() -> None:
    effect = experiments.impact("snowball", strategies="greedy", entries="pine-boughs", games=6000).get("pine-boughs")
    assert effect.change.unpaired is not None and effect.change.unpaired > 1.5 * 6000


# --- when it stops ----------------------------------------------------------------------------------------------------


def test_precision_stops_when_narrow() -> None:
    found = experiments.impact("snowball", strategies="greedy", entries="sled,log-bat", precision=0.02)
    for effect in found.effects:
        low, high = effect.change.low or 0, effect.change.high or 0
        assert (high - low) / 2 <= 0.02 and effect.reached.games < 20_000


def test_until_decides_family_wise() -> None:
    found = experiments.impact("snowball", strategies="greedy", entries="sled,trashcan-lid", until=0.03, games=30_000)
    assert found.get("trashcan-lid").verdict == paired.LARGER
    alone = experiments.impact("snowball", strategies="greedy", entries="trashcan-lid", until=0.03, games=30_000)
    one, two = alone.get("trashcan-lid"), found.get("trashcan-lid")
    assert one.reached.games <= two.reached.games, "among several an entry needs as many games or more"
    none = experiments.impact("snowball", strategies="greedy", entries="sled", until=0.0001, games=3000)
    assert none.undecided


def test_sentences_hold_together() -> None:
    found = experiments.impact("snowball", strategies="greedy", games=GAMES)
    for effect in found.effects:
        widen = st.t_value(19, st.family(st.LEVEL, len(found.effects))) / st.t_value(19)
        own, together = effect.change, effect.told
        assert (together.high or 0) - (together.low or 0) == pytest.approx(((own.high or 0) - (own.low or 0)) * widen)


class Planted(Side):
    """A side whose holder wins with this chance; half of the luck is common."""

    def __init__(self, like: Side, chance: float, seed: int, own: int) -> None:
        super().__init__(like.configuration, like.players, like.reader.metrics[0], 0, None, 1, 1)
        self.reader, self.chance, self.luck, self.own = like.reader, chance, seed, own

    def play_to(self, games: int, watch: Any = None) -> None:
        """Games of this chance; the first half of each unit has the same luck on both sides."""
        while self.games < games:
            k = self.units.count
            common = np.random.default_rng((self.luck, 0, k)).random(30)
            own = np.random.default_rng((self.luck, self.own, k)).random(30)
            won = np.concatenate([common, own]) < self.chance
            self.units.add(np.array([[60 * won.sum(), 60]]))
            self._whole.append(won.astype(np.uint64))
            self._end.append(won.astype(np.uint64))
            self.games += 60


@pytest.mark.slow
def test_planted_effects_are_covered() -> None:
    """Intervals of fixed length, with precision, and decisions with a margin: right as often as they say."""
    like = Side(cell().configuration, cell().players, en.winning(cell().configuration, 0), 0, None, 1, 1)
    like.play_to(60)
    right = {"games": 0, "precision": 0, "until": 0}
    entry = en.Entry("x", "X", 1, "published", False)
    repeats = 400
    for k in range(repeats):
        effect = 0.03

        def pair(k: int = k, effect: float = effect) -> Pair:
            before, after = Planted(like, 0.25, k, 1), Planted(like, 0.25 + effect, k, 2)
            return Pair(entry, before, after, (), 0)

        fixed = measured(pair(), 5, 3000)
        right["games"] += (fixed.change.low or 0) <= effect <= (fixed.change.high or 0)
        narrow = measured(pair(), 5, 9000, precision=0.02)
        right["precision"] += (narrow.change.low or 0) <= effect <= (narrow.change.high or 0)
        decided = measured(pair(), 5, 9000, until=0.03)  # the truth is the margin itself: neither larger nor smaller
        right["until"] += decided.verdict not in (paired.LARGER, paired.SMALLER)
    assert right["games"] > 0.93 * repeats and right["precision"] > 0.92 * repeats and right["until"] > 0.97 * repeats


# --- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_every_kind_can_be_dealt(name: str) -> None:
    game = games()[name]
    assert kinds_of(game)
    own = cell(name)
    for deal in kinds_of(game):
        asked = en.asked(own, deal.kind)
        assert len(asked.entries) > 3 and asked.holder in deal.players(own.configuration.seats)
        rules, _ = batch.prepare(own.configuration, own.players, deal=asked.forced(asked.entries[-1]))
        assert rules[0].tobytes() != batch.prepare(own.configuration, own.players)[0][0].tobytes()
        if deal.blank:
            assert asked.blanked(asked.entries[0]).digest != own.configuration.digest


REFUSED = {
    "kind": (["--of", "itme"], "cannot deal a kind of thing called 'itme'; it can deal: item, location, card"),
    "entry": (["--entries", "pincone"], "no item 'pincone'; did you mean 'pinecone'"),
    "twice": (["--entries", "sled,sled"], "'sled' comes twice"),
    "versus": (["--versus", "blnk"], "did you mean 'blank'"),
    "holder": (["--holder", "7"], "player 7 is dealt no item here; those who are: 0, 1, 2, 3"),
    "all": (["--holder", "all"], "'all' is not one player"),
    "who": (["--holder", "me"], "'me' is not a seat"),
    "both": (["--precision", "0.01", "--until", "0.01"], "give one of them"),
    "until": (["--until", "-1"], "not a margin above 0"),
    "games": (["--games", "60"], "too few to compare"),
    "event": (["--of", "event"], "it can deal: item, location, card"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_in_one_line(name: str, doomtrack) -> None:
    words, said = REFUSED[name]
    code, out, err = doomtrack("impact", "snowball", *words)
    assert code == 2 and not out and said in err and err.count("\n") == 1


def test_a_game_that_cannot_be_played_on_is_shown_with_its_deal(plugins, doomtrack) -> None:
    words = ["--plugin", plugins["illegal"], "--strategy", "mine", "--entries", "sled", "--games", "120"]
    code, _, err = doomtrack("impact", "snowball", *words)
    assert code == 2 and "could not be played on" in err and "--strategy all=mine" in err and "settings)" not in err


DEALS = {
    "0.itm=sled": "cannot deal a kind of thing called 'itm'",
    "0.item": "should read WHO.KIND=ENTRY",
    "item=sled": "should read WHO.KIND=ENTRY",
    "9.item=sled": "player 9 is dealt no item here",
    "0.item=slede": "no card 'slede'; did you mean 'sled'",
}


def test_a_game_is_told_with_what_was_dealt(doomtrack) -> None:
    _, plain, _ = doomtrack("trace", "snowball", "--game", 4)
    _, dealt, _ = doomtrack("trace", "snowball", "--game", 4, "--deal", "0.item=sled", "--deal", "1.card=snowball-2")
    assert "Player 0 gets Sled." in dealt and "Player 0 gets Sled." not in plain.partition("starts")[0]
    assert "Player 1 draws Snowball 2." in dealt
    for text, said in DEALS.items():
        code, _, err = doomtrack("trace", "snowball", "--deal", text)
        assert code == 2 and said in err and err.count("\n") == 1
    code, _, err = doomtrack("trace", "snowball", "--deal", "0.item=sled", "--deal", "0.item=icicle")
    assert code == 2 and "is dealt one item, and sled is given, too" in err


def test_the_lines_of_a_flipped_game_tell_two_games_with_other_ends(doomtrack) -> None:
    for versus in ("deal", "blank"):
        words = ["--strategy", "greedy", "--entries", "log-bat", "--games", "600", "--versus", versus]
        data = json.loads(doomtrack("impact", "snowball", *words, "--format", "json")[1])
        lines = data["entries"][0]["trace"]
        ends = []
        for line in (lines["before"], lines["after"]):
            out = doomtrack(*shlex.split(line)[1:], "--format", "jsonl")[1]
            ends.append(json.loads(out.splitlines()[0])["outcome"])
        assert (ends[0]["share"], ends[0]["status"]) != (ends[1]["share"], ends[1]["status"])


def test_what_cannot_be_dealt_here_is_refused(doomtrack) -> None:
    for words, said in (
        (
            ["snallygaster", "--of", "ride", "--set", "rides=off"],
            "no ride can be dealt to player 1 here: deal, Kid 1: rides = off",
        ),
        (["snallygaster", "--of", "item", "--holder", "0"], "player 0 is dealt no item here; those who are: 1, 2, 3"),
        (["snallygaster", "--of", "hidden", "--versus", "blank"], "have no text that could be blank"),
        (["snallygaster", "--of", "item", "--holder", "lost_kid"], "player 0 is dealt no item"),
        (["spooktacular", "--of", "card", "--entries", "speed-dial"], "cannot be dealt here"),
        (["spooktacular", "--set", "monsters=deadline", "--entries", "killtron"], "gives this player 'deadline'"),
    ):
        code, _, err = doomtrack("impact", *words)
        assert code == 2 and said in err and err.count("\n") == 1, (words, err)


# --- what is said and kept --------------------------------------------------------------------------------------------


def test_estimated_entries_are_not_ranked(doomtrack) -> None:
    found = experiments.impact("snowball", strategies="greedy", games=6000)
    names = {e.entry.name for e in found.effects if e.entry.unsure}
    assert names and len(names) < len(found.effects)
    said = [f["text"] for f in found.sentences]
    assert not [t for t in said if any(name in t for name in names)]
    assert any("Trashcan Lid" in t for t in said), "a printed text is named"
    monsters = experiments.impact("spooktacular", strategies="random", games=120, entries="deadline,killtron")
    assert all(e.entry.unsure for e in monsters.effects), "the game says that monsters are not ranked"


def test_the_command_prints_the_same_for_people_and_programs(doomtrack) -> None:
    words = ["impact", "snowball", "--strategy", "greedy", "--entries", "sled,pinecone", "--games", GAMES]
    code, table, _ = doomtrack(*words)
    assert code == 0 and "Sled*" in table and "Pinecone " in table and "What is measured" in table
    data = json.loads(doomtrack(*words, "--format", "json")[1])
    rows = list(csv.DictReader(io.StringIO(doomtrack(*words, "--format", "csv")[1])))
    assert [r["entry"] for r in rows] == [e["entry"] for e in data["entries"]]
    assert [float(r["impact"]) for r in rows] == [e["impact"] for e in data["entries"]]
    assert data["metric"] == "win_share[seat=0]" and data["versus"] == "deal"
    assert [e["impact"] for e in data["entries"]] == sorted((e["impact"] for e in data["entries"]), reverse=True)
    again = data["entries"][0]["command"].split()
    assert (
        json.loads(doomtrack(*again[1:], "--format", "json")[1])["entries"][0]["impact"] == data["entries"][0]["impact"]
    )


def test_a_folder_goes_on_and_makes_a_page(tmp_path, monkeypatch) -> None:
    words: dict[str, Any] = {"strategies": "greedy", "entries": "sled,pinecone,icicle", "games": GAMES}
    whole = experiments.impact("snowball", **words)
    original, calls = Table.pair, []

    def stopping(table: Table, entry: en.Entry) -> Any:
        calls.append(entry.slug)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return original(table, entry)

    monkeypatch.setattr(Table, "pair", stopping)
    part = experiments.impact("snowball", out=tmp_path / "it", **words)
    assert part.interrupted and len(part.effects) == 1
    monkeypatch.setattr(Table, "pair", lambda table, entry: (calls.append(entry.slug), original(table, entry))[1])
    rest = experiments.impact("snowball", out=tmp_path / "it", **words)
    assert calls[2:] == ["pinecone", "icicle"] and not rest.interrupted
    assert rest.effects == whole.effects
    assert json.loads((tmp_path / "it" / "manifest.json").read_text())["finished"]
    page = reports.render(tmp_path / "it").read_text(encoding="utf-8")
    assert "pinecone" in page and "--entries" in page and "impact" in page.lower()
    with pytest.raises(InputError, match="trace snowball --deal"):
        traces.cell_of_folder(tmp_path / "it", 0)
    with pytest.raises(InputError, match="holds another impact"):
        experiments.impact("snowball", out=tmp_path / "it", versus="blank", **words)
    with pytest.raises(InputError, match="holds another study"):
        experiments.impact("snowball", out=tmp_path / "it", seed=2, **words)


def test_nothing_is_left_of_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        experiments.impact("snowball", entries="nothing", out=tmp_path / "it")
    assert not (tmp_path / "it").exists()
