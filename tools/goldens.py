"""The goldens: told games and digests of many more. Compares them with what is played now, or writes them anew.

    python tools/goldens.py                             the first difference, as a diff
    python tools/goldens.py --regenerate [GAME]         on purpose: new goldens, and a new version if the games changed
    python tools/goldens.py --regenerate GAME --why "Lucky Find recovers 2"     and the line in CHANGELOG.md

Games have changed where a line-up plays other games than its digest says. Then VERSION in the game's game.py is raised,
once until it is committed, and CHANGELOG.md has to say why and what it does to the win shares. Where only the words of
the telling, or what is counted, have changed, the version stays.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from simcore.game import Game, games  # noqa: E402
from tests.goldens import playthroughs  # noqa: E402
from tests.goldens.playthroughs import DIGESTS, Present, Stored  # noqa: E402

VERSION = re.compile(r"^VERSION = (\d+)$", re.MULTILINE)
DIFF_LINES = 60


# --- where things lie ------------------------------------------------------------------------------------------------


def folder(root: Path, game: Game) -> Path:
    """The folder of a game's goldens."""
    return root / "tests" / "goldens" / game.name


def source(game: Game) -> str:
    """The file with the game's VERSION, from the root."""
    return f"simcore/games/{game.name}/game.py"


def version_in(text: str) -> int:
    """The VERSION that a game.py says."""
    found = VERSION.findall(text)
    if len(found) != 1:
        raise SystemExit("game.py has to say VERSION = <number> on a line of its own, once")
    return int(found[0])


def version_now(root: Path, game: Game) -> int:
    """The game's VERSION as its file says, which may be newer than what was imported."""
    return version_in((root / source(game)).read_text(encoding="utf-8"))


def version_committed(root: Path, game: Game) -> int | None:
    """The VERSION in git's HEAD: 0 if the game is not in it, None where `root` is no git checkout."""

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)

    try:
        top = git("rev-parse", "--show-toplevel")
        if (
            top.returncode
            or Path(top.stdout.strip()).resolve() != root.resolve()
            or git("rev-parse", "HEAD").returncode
        ):
            return None
        head = git("show", f"HEAD:{source(game)}")
    except OSError:  # no git on this machine
        return None
    return 0 if head.returncode else version_in(head.stdout)


def due(root: Path, game: Game, stored: Stored) -> bool:
    """True if games that have changed need a new version: the present one is that of the goldens, and is published."""
    version = version_now(root, game)
    if stored.version != version:  # raised by hand
        return False
    committed = version_committed(root, game)
    if committed is None:  # what the change log does not tell of is still being made
        return bool(entry(changelog(root), game, version))
    return committed == version


# --- the change log --------------------------------------------------------------------------------------------------


def changelog(root: Path) -> str:
    """Text of CHANGELOG.md."""
    return (root / "CHANGELOG.md").read_text(encoding="utf-8")


def entry(text: str, game: Game, version: int) -> str:
    """The bullet that tells of a version of a game; '' if there is none."""
    found = re.search(rf"^- {game.name} version {version}:.*\n(?:  .*\n)*", text, re.MULTILINE)
    return found[0] if found else ""


def effect(present: Present, before: Mapping[str, Any]) -> str:
    """Win shares before and after: of the usual number of players, and where they have changed most."""
    name = f"players-{present.game.configure().seats}"
    pairs = {n: (before[n], after) for n, after in present.shares.items() if set(before.get(n, ())) == set(after)}
    if not pairs:
        return "no line-up was measured before"

    def largest(n: str) -> float:
        one, other = pairs[n]
        return max((abs(other[who] - one[who]) for who in one), default=0.0)

    most = max(pairs, key=largest)
    texts = []
    for n in dict.fromkeys([name if name in pairs else most, most]):
        one, other = pairs[n]
        shares = ", ".join(f"{who} {100 * one[who]:.1f} -> {100 * other[who]:.1f}" for who in one)
        texts.append(f"{n}: {shares}")
    games = playthroughs.MEASURED
    error = 100 * (0.25 / games) ** 0.5
    return f"win shares in % ({games} games, standard error {error:.1f} at most), {'; '.join(texts)}"


def bullet(game: Game, version: int, why: str, told: str) -> str:
    """The entry as it stands in CHANGELOG.md."""
    said = why.strip().rstrip(".")
    text = f"{said or '<why>'}; {told}" if version > 1 else said or "the first"
    text = f"- {game.name} version {version}: {text}."
    return "\n".join(textwrap.wrap(text, 120, subsequent_indent="  ", break_on_hyphens=False)) + "\n"


def with_entry(text: str, game: Game, version: int, new: str) -> str:
    """The change log with this entry in the place of an older one of the version, or last under the topmost Games."""
    if old := entry(text, game, version):
        return text.replace(old, new)
    sections = list(re.finditer(r"^## .*\n", text, re.MULTILINE))
    if not sections:
        raise SystemExit("CHANGELOG.md has no section (## ...) to write into")
    start = sections[0].end()
    end = sections[1].start() if len(sections) > 1 else len(text)
    top, rest = text[start:end], text[end:]
    heading = re.search(r"^### Games\n", top, re.MULTILINE)
    if heading is None:
        top = f"{top.rstrip()}\n\n### Games\n\n{new}"
    else:
        following = re.search(r"^### ", top[heading.end() :], re.MULTILINE)
        at = heading.end() + following.start() if following else len(top)
        top = f"{top[:at].rstrip()}\n{new if top[:at].rstrip() != '### Games' else chr(10) + new}" + (
            f"\n{top[at:]}" if following else ""
        )
    return text[:start] + top + (f"\n{rest}" if rest else "")


# --- comparing -------------------------------------------------------------------------------------------------------


def expected(present: Present, stored: Stored, version: int) -> dict[str, str]:
    """The files as they should be, with the measurements of the version before as they are."""
    return present.files(version, stored.digests.get("before", {}))


def differences(stored: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Names of files that are missing, strays or other than wanted; told games come before digests."""
    names = sorted(stored.keys() | wanted.keys(), key=lambda name: (name == DIGESTS, name))
    return [name for name in names if stored.get(name) != wanted.get(name)]


def diff(name: str, stored: Mapping[str, str], wanted: Mapping[str, str], most: int = DIFF_LINES) -> str:
    """What differs in a file, readable."""
    if name not in wanted:
        return f"{name} is a stray: no golden of the game has this name"
    if name not in stored:
        return f"{name} is missing"
    pair = stored[name].splitlines(), wanted[name].splitlines()
    lines = list(unified_diff(*pair, f"{name} (golden)", f"{name} (played now)", lineterm=""))
    more = [f"... and {len(lines) - most} lines more"] if len(lines) > most else []
    return "\n".join([*lines[:most], *more])


def check(root: Path, game: Game) -> str:
    """'' if the goldens of a game are what is played now, else what differs."""
    stored = playthroughs.read(folder(root, game))
    version = version_now(root, game)
    wanted = expected(playthroughs.present(game, stored), stored, version)
    wrong = differences(stored.texts, wanted)
    if not wrong:
        return ""
    others = f"\nand {', '.join(wrong[1:])}" if wrong[1:] else ""
    return (
        f"{game.name}: {diff(wrong[0], stored.texts, wanted)}{others}\n"
        f"If this is meant: python tools/goldens.py --regenerate {game.name}"
    )


# --- writing anew ----------------------------------------------------------------------------------------------------


def write(place: Path, stored: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Make the folder hold what is wanted, and say what was done."""
    place.mkdir(parents=True, exist_ok=True)
    names = differences(stored, wanted)
    for name in names:
        if name in wanted:
            (place / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (place / name).unlink()
    return names


def regenerate(root: Path, game: Game, why: str = "") -> tuple[bool, bool]:
    """New goldens, a new version if it is due, an entry in the change log: (anything was written, nothing is left)."""
    stored = playthroughs.read(folder(root, game))
    present = playthroughs.present(game, stored)
    version = version_now(root, game)
    changed = present.changed(stored)
    before = dict(stored.digests.get("before", {}))
    if changed and due(root, game, stored):
        file = root / source(game)
        file.write_text(VERSION.sub(f"VERSION = {version + 1}", file.read_text(encoding="utf-8")), encoding="utf-8")
        version += 1
        print(f"{game.name}: VERSION is {version} now")
    if stored.version is not None and stored.version < version:  # what the goldens say was measured of their version
        before = {"version": stored.version, **stored.digests.get("measured", {})}
    names = write(folder(root, game), stored.texts, present.files(version, before))
    if names:
        print(f"{game.name}: wrote {', '.join(names)}")
    if changed:
        shown = ", ".join(changed[:5]) + (" ..." if len(changed) > 5 else "")
        print(f"{game.name}: {len(changed)} line-ups play other games than before: {shown}")
        if not any(label.endswith(playthroughs.RANDOM) for label in changed):
            print(f"{game.name}: random players play as before: a strategy has changed, or what they never meet")
    elif names and stored.version is not None:
        print(f"{game.name}: every line-up plays the same games as before: the version stays {version}")
    text = changelog(root)
    old = entry(text, game, version)
    if old and not changed:
        return bool(names), True
    new = bullet(game, version, why, effect(present, before))
    if why:
        (root / "CHANGELOG.md").write_text(with_entry(text, game, version, new), encoding="utf-8")
        print(f"CHANGELOG.md, under Games:\n{new}", end="")
        return True, True
    if old:
        print(f"CHANGELOG.md tells of {game.name} version {version}; see whether it is still true. Now:\n{new}", end="")
    else:
        print(f"CHANGELOG.md: write under Games what changed and why (or say it with --why):\n{new}", end="")
    return bool(names), bool(old)


def main(given: Sequence[str] | None = None, root: Path = ROOT, known: Mapping[str, Game] | None = None) -> int:
    """The exit code: 0 if the goldens are right (now)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--regenerate", metavar="GAME", nargs="?", const="", help="write anew what differs")
    parser.add_argument("--why", default="", help="what was changed, for CHANGELOG.md")
    asked = parser.parse_args(given)
    known = games() if known is None else known
    if asked.why and not asked.regenerate:
        parser.error("--why is about one game: --regenerate GAME --why TEXT")
    if asked.regenerate is None:
        for game in known.values():
            if said := check(root, game):
                print(said)
                return 1
        print(f"the goldens of {', '.join(known)} are what is played now")
        return 0
    if asked.regenerate and asked.regenerate not in known:
        parser.error(f"no game {asked.regenerate!r}; known: {', '.join(known)}")
    done = [regenerate(root, known[name], asked.why) for name in ([asked.regenerate] if asked.regenerate else known)]
    if not any(written for written, _ in done):
        print("nothing to regenerate: every golden is what is played now")
        return 1
    return int(not all(finished for _, finished in done))


if __name__ == "__main__":
    sys.exit(main())
