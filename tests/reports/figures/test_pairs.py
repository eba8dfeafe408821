"""Two groups at once: who fares how against whom, in one field for each pair; rooms over rounds."""

from pathlib import Path

from reports.figures import pairs
from reports.result import read
from tests.reports import folders

NAMES = ("ghost", "clown", "angler")


def folder(path: Path, names: tuple[str, ...]) -> Path:
    """A run in which each of the names meets each other one; the first of a pair wins the more, the later it stands."""
    lines: list[folders.Placed] = folders.grid([], n=1000)
    for i, name in enumerate(names):
        for other in names:
            if other != name:
                share = 0.2 + 0.05 * i
                row = ("win_share", f"monster={name}", f"against={other}", None, share, share - 0.01, share + 0.01)
                lines.append((0, {}, (*row, 1000, "delta")))
    return folders.write(path, folders.manifest("run", [], 1), lines)


def test_each_pair_has_a_field_and_nobody_is_ranked(tmp_path: Path) -> None:
    (figure,) = pairs.plan(read(folder(tmp_path / "result", NAMES)))
    assert figure.numbers is not None
    assert figure.numbers.rows and len(figure.numbers.rows) == 6
    assert "who fares how against whom" in figure.title and "fair share" in figure.title
    assert "where this monster is at the table" in figure.alt and "ghost" in figure.alt
    canvas = figure.draw()
    names = [text.get_text() for text in canvas.axes[0].get_yticklabels()]
    assert names == sorted(NAMES), "in the order of the names, not of the shares"


def test_two_alone_and_runs_without_pairs_have_no_such_figure(tmp_path: Path) -> None:
    assert pairs.plan(read(folder(tmp_path / "two", NAMES[:2]))) == []
    assert pairs.plan(read(folders.run(tmp_path / "run"))) == []


def test_groups_of_different_kinds_name_both(tmp_path: Path) -> None:
    lines = folders.grid([], n=1000)
    for i, room in enumerate(("stage", "crypt", "foyer")):
        for turn in range(1, 12):
            row = ("turns", f"room={room}", f"round={turn}", None, 1.0 + i + turn, turn + 0.5 + i, turn + 1.5 + i)
            lines.append((0, {}, (*row, 1000, "delta")))
    (figure,) = pairs.plan(read(folders.write(tmp_path / "result", folders.manifest("run", [], 1), lines)))
    assert figure.title.endswith("by room and round")
    columns = [text.get_text() for text in figure.draw().axes[0].get_xticklabels()]
    assert columns == [str(turn) for turn in range(1, 12)], "in the order of numbers"
