"""Scripted players: those that ship, one folder a game, and a user's own from a Python file.

A strategy is a ``simcore.game.Strategy``: idea, source, named weights and one kernel ``policy(game, rules, work, seat,
decision)`` that returns the index of an option. A *player* is a strategy with its weights and restrictions, written
``name``, ``name:weight=x,weight=y`` or ``name:forbid=clear_out+action``.

Nothing here imports numba until strategies are asked for. All bad input raises InputError, one line.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import math
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.errors import InputError, nearest
from simcore.game import Configuration, Player, Strategy, Weight, find_game

__all__ = ["known", "line_up", "load_plugin", "option_kinds", "player", "plugin_files", "source_digest"]

OURS = ("simcore", "strategies", "experiments", "reports")
POLICY = ("game", "rules", "work", "seat", "decision")
SIGNATURE = f"policy({', '.join(POLICY)})"
FORBID = "forbid"
Plugin = str | os.PathLike[str]

_known: dict[str, dict[str, Strategy]] = {}
_loaded: dict[tuple[str, str], str] = {}  # digests of plug-ins, by module and strategy
_plugins: dict[tuple[str, str], dict[str, Strategy]] = {}  # by game and `_tag`
_helpers: dict[Path, list[Path]] = {}  # plug-in -> the files beside it that it imported when it was last loaded


def known(game_name: str) -> dict[str, Strategy]:
    """The strategies that ship for a game, by name. Raises InputError for an unknown game."""
    if game_name not in _known:
        find_game(game_name)
        module = importlib.import_module(f"strategies.{game_name}")
        _known[game_name] = _by_name(module.ALL, f"strategies/{game_name}", {})
    return _known[game_name]


def player(game_name: str, text: str, plugins: Sequence[Plugin] = (), *, forbid: Iterable[str] = ()) -> Player:
    """The player that `text` describes: ``name`` or ``name:weight=x,...``.

    Among the weights, ``forbid=kind+kind`` takes kinds of option away. `plugins` are Python files with further
    strategies. Raises InputError with the nearest name or weight.
    """
    name, _, rest = str(text).partition(":")
    strategies = _all(game_name, plugins)
    strategy = strategies.get(name.strip())
    if strategy is None:
        raise InputError(f"{game_name}: no strategy {name.strip()!r}{nearest(name.strip(), strategies)}")
    weights: dict[str, float] = {}
    forbidden = list(forbid)
    for part in (p.strip() for p in rest.split(",")) if rest.strip() else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise InputError(f"strategy {text!r}: {part!r} is not weight=number (as in {name}:weight=0.5)")
        if key == FORBID:
            forbidden += value.split("+")
        elif key in weights:
            raise InputError(f"strategy {text!r}: weight {key!r} is given twice")
        else:
            weights[key] = _weight(strategy, key, value)
    return Player(strategy, weights, tuple(_option_kind(game_name, kind) for kind in dict.fromkeys(forbidden)))


def line_up(
    game_name: str,
    seats: int,
    given: Sequence[str] | Mapping[str, str],
    plugins: Sequence[Plugin] = (),
    *,
    configuration: Configuration | None = None,
) -> tuple[Player, ...]:
    """One player per seat of the line-up.

    `given` is a list of texts (one for all, or one a seat), or who -> text, where who is a seat number 0..seats-1, what
    one plays as (a monster), a role of the game, or "all" ("random" if absent). A seat's text comes before its
    monster's, that before its role's, and that before all's. The monsters are those of `configuration` (the game's
    default if absent): a player to whom it gives one has that one's strategy; one who draws his has it in
    `Player.playing_as`, and it plays in the games in which he draws that monster.
    """
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, Mapping):
        texts = list(given) or ["random"]
        if len(texts) == 1:
            texts *= seats
        if len(texts) != seats:
            raise InputError(f"{len(texts)} strategies for {seats} players: give one for all or one a player")
        return tuple(player(game_name, text, plugins) for text in texts)
    roles = find_game(game_name).roles
    chosen = [str(given.get("all", "random"))] * seats
    said = {str(who): str(text) for who, text in given.items()}
    if configuration is None and not all(who == "all" or who in roles or who.isdecimal() for who in said):
        configuration = find_game(game_name).configure({"players": seats})
    playable = configuration.playable if configuration is not None else ()
    of_that = {who: text for who, text in said.items() if who in playable and who != "all" and who not in roles}
    taken: dict[int, str] = {}
    for level in (roles.keys(), said.keys() - roles.keys() - of_that.keys() - {"all"}):  # a seat comes after its role
        taken.clear()
        for who, text in said.items():
            for seat in _seats(game_name, who, seats, roles, playable) if who in level else ():
                if seat in taken:
                    raise InputError(f"seat {seat} has two strategies ({taken[seat]} and {text})")
                taken[seat] = chosen[seat] = text
    found = [player(game_name, text, plugins) for text in chosen]
    if configuration is not None and of_that:
        others = {what: player(game_name, text, plugins) for what, text in of_that.items()}
        for seat in set(range(seats)) - taken.keys():
            found[seat] = _cast(found[seat], configuration.cast[seat], others)
    return tuple(found)


def option_kinds(game_name: str) -> tuple[str, ...]:
    """Names of the kinds of option of a game, as `forbid` takes them."""
    return tuple(option.name.lower() for option in find_game(game_name).layout.Option)


def source_digest(strategy: Strategy) -> str:
    """Digest of the sources that decide what a strategy answers (for a plug-in, of the modules in its folder too)."""
    from simcore import jit

    module = _plain(strategy.policy).__module__
    if (module, strategy.name) in _loaded:
        return _loaded[module, strategy.name]
    digest = hashlib.sha256(strategy.name.encode())
    for name, text in sorted(jit.reachable_sources(module).items()):
        shown = "plug-in" if name == module else name  # a plug-in's module name holds a path
        digest.update(f"{shown}\0{text}\0".encode())
    return digest.hexdigest()[:20]


def load_plugin(path: Plugin, game_name: str) -> dict[str, Strategy]:
    """The strategies of a user's Python file, compiled, by name.

    The file ends with ``STRATEGIES = (Strategy(...),)``; its policies carry the game's ``@kernel`` decorator. Raises
    InputError: no such file, an error in it, no strategy, a name that is taken, a wrong signature, what does not
    compile.
    """
    file = Path(path).resolve()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"plug-in {path}: cannot be read ({_short(error)})") from None
    tag = _tag(file, text)
    if (game_name, tag) not in _plugins:
        ship = known(game_name)
        with _Beside(file, tag) as beside:  # until all is compiled: machine code is looked up by module, too
            found = _run(file, text, tag)
            strategies = _by_name(found, f"plug-in {path}", ship)
            for strategy in strategies.values():
                _check_policy(strategy, game_name, f"plug-in {path}")
            texts = "\0".join((text, *(t for _, t in sorted(beside.texts.items()))))
            for strategy in strategies.values():  # as it was loaded, whatever becomes of the files
                digest = hashlib.sha256(f"{source_digest(strategy)}\0{texts}".encode()).hexdigest()[:20]
                _loaded[_plain(strategy.policy).__module__, strategy.name] = digest
        tag = _tag(file, text)
        _plugins[game_name, tag] = strategies
    return _plugins[game_name, tag]


def plugin_files(path: Plugin, game_name: str) -> tuple[Path, ...]:
    """A plug-in's file, and then those beside it that it imports. Raises InputError as `load_plugin`."""
    load_plugin(path, game_name)
    file = Path(path).resolve()
    return file, *_helpers.get(file, ())


# --- helpers ----------------------------------------------------------------------------------------------------------


def _all(game_name: str, plugins: Sequence[Plugin]) -> dict[str, Strategy]:
    strategies = dict(known(game_name))
    origin = dict.fromkeys(strategies, "a strategy that ships")
    if isinstance(plugins, str | os.PathLike):
        plugins = (plugins,)
    for path in dict.fromkeys(str(Path(p).resolve()) for p in plugins):
        for name, strategy in load_plugin(path, game_name).items():
            if name in strategies:
                raise InputError(f"plug-in {path}: the name {name!r} is taken by {origin[name]}; choose another")
            strategies[name], origin[name] = strategy, f"plug-in {path}"
    return strategies


def _by_name(found: Iterable[Strategy], where: str, taken: Mapping[str, Strategy]) -> dict[str, Strategy]:
    strategies: dict[str, Strategy] = {}
    for strategy in found:
        name = strategy.name
        if not name.replace("_", "").replace("-", "").isalnum():
            raise InputError(f"{where}: {name!r} is not a strategy's name; use letters, digits, - and _")
        if name in strategies:
            raise InputError(f"{where}: two strategies are called {name!r}")
        if name in taken:
            raise InputError(f"{where}: the name {name!r} is taken by a strategy that ships; choose another")
        _check_weights(strategy.weights, f"{where}: strategy {name!r}")
        strategies[name] = strategy
    return strategies


def _check_weights(weights: Sequence[Weight], where: str) -> None:
    names = [w.name for w in weights]
    for w in weights:
        if not w.name.isidentifier() or w.name == FORBID:
            raise InputError(f"{where}: {w.name!r} is not a weight's name; use letters, digits and _")
        if names.count(w.name) > 1:
            raise InputError(f"{where}: two weights are called {w.name!r}")
        if not w.low <= w.default <= w.high:
            raise InputError(f"{where}: weight {w.name!r}: its default {w.default:g} is outside {w.low:g}..{w.high:g}")


def _weight(strategy: Strategy, name: str, value: str) -> float:
    weights = {w.name: w for w in strategy.weights}
    if name not in weights:
        if not weights:
            raise InputError(f"strategy {strategy.name}: no weight {name!r}; it has none")
        raise InputError(f"strategy {strategy.name}: no weight {name!r}{nearest(name, weights) or _listed(weights)}")
    found = weights[name]
    try:
        number = float(value.replace("_", ""))
    except ValueError:
        raise InputError(f"strategy {strategy.name}: {name}={value}: not a number") from None
    if not math.isfinite(number) or not found.low <= number <= found.high:
        raise InputError(f"strategy {strategy.name}: {name}={value} is outside {found.low:g}..{found.high:g}")
    return number


def _listed(words: Iterable[str]) -> str:
    return f"; known: {', '.join(words)}"


def _option_kind(game_name: str, kind: str) -> str:
    kinds = option_kinds(game_name)
    name = kind.strip().lower().replace("-", "_")
    if name not in kinds:
        raise InputError(f"{game_name}: no kind of option {kind.strip()!r} to forbid{nearest(name, kinds)}")
    return name


def _cast(usual: Player, cast: Sequence[str], others: Mapping[str, Player]) -> Player:
    """The player who is `usual`, but for what he plays as: known beforehand, or drawn from `cast`."""
    if len(cast) == 1:
        return others.get(cast[0], usual)
    mine = {what: other for what, other in others.items() if what in cast and other.label != usual.label}
    return replace(usual, playing_as=mine)


def _seats(
    game_name: str, who: str, seats: int, roles: Mapping[str, Sequence[int]], playable: Sequence[str]
) -> tuple[int, ...]:
    if who == "all":
        return tuple(range(seats))
    if who.isdecimal() and int(who) < seats:
        return (int(who),)
    if who in roles:
        return tuple(seat for seat in roles[who] if seat < seats)
    right = f"a seat 0..{seats - 1}" + "".join(f", {role}" for role in roles)
    right += f", one of the {find_game(game_name).played_as}" if playable else ""
    close = nearest(who, playable)
    raise InputError(f"{game_name}: no player {who!r}; say {right} or all{close}")


def _plain(policy: Any) -> Any:
    return getattr(policy, "py_func", policy)


def _short(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _tag(file: Path, text: str) -> str:
    """Digest of a plug-in's place, its text, and the texts of what it imported from its folder when last loaded."""
    digest = hashlib.sha256(f"{file}\0{text}".encode())
    for helper in _helpers.get(file, ()):
        digest.update(f"\0{helper}\0".encode() + (helper.read_bytes() if helper.is_file() else b""))
    return digest.hexdigest()[:12]


def _run(file: Path, text: str, tag: str) -> tuple[Strategy, ...]:
    """Import a plug-in under a name of its own: its strategies."""
    name = f"plugin_{''.join(c if c.isalnum() else '_' for c in file.stem)}_{tag}"
    spec = importlib.util.spec_from_file_location(name, file)
    try:
        code = compile(text, str(file), "exec")
    except SyntaxError as error:
        line = f"line {error.lineno}: " if error.lineno else ""
        raise InputError(f"plug-in {file}: {line}{error.msg}") from None
    except ValueError as error:
        raise InputError(f"plug-in {file}: {error}") from None
    if spec is None or spec.loader is None:
        raise InputError(f"plug-in {file}: not a Python file (its name must end with .py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)  # noqa: S102 - the text that was read, not what an older .pyc holds
    except Exception as error:
        del sys.modules[name]
        if isinstance(error, InputError):
            raise
        raise InputError(f"plug-in {file}: {_line_in(error, file)}{_short(error)}") from None
    found = getattr(module, "STRATEGIES", None)
    if isinstance(found, Strategy):
        found = (found,)
    if not isinstance(found, tuple | list) or not found or not all(isinstance(s, Strategy) for s in found):
        raise InputError(f"plug-in {file}: no strategy in it; it must end with STRATEGIES = (Strategy(...),)")
    return tuple(found)


class _Beside(MetaPathFinder):
    """While a plug-in is loaded, ``import helper`` finds ``helper.py`` in its folder.

    It is never found instead of a module of ours or an installed one. The module runs under a name of its own, which
    holds the plug-in's tag: under one name the machine code of two plug-ins' helpers could not be told apart.
    Afterwards the name ``helper`` is free again. `texts`: by file.
    """

    def __init__(self, file: Path, tag: str) -> None:
        self.file, self.folder, self.tag = file, file.parent, tag
        self.texts: dict[Path, str] = {}
        self.names: list[str] = []

    def __enter__(self) -> _Beside:
        importlib.invalidate_caches()  # a file that was just written is there
        sys.meta_path.insert(0, self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        for name in self.names:
            sys.modules.pop(name, None)
        _helpers[self.file] = sorted(self.texts)  # after an error, too: what was compiled by then has the old text

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module of the folder is, or None for all others."""
        top, dot, _ = name.partition(".")
        if top in OURS or (dot and top not in self.names):
            return None
        spec = PathFinder.find_spec(name, path if dot else [str(self.folder)])
        if spec is None:
            return None
        others = (f.find_spec(name, path, target) for f in sys.meta_path if f is not self)
        other = None if dot else next((o for o in others if o is not None), None)
        if other is not None and (spec.origin is None or _installed(other)):
            return None
        self.names.append(name)
        if isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(name, spec.loader.path, self)
        return spec


def _installed(spec: ModuleSpec) -> bool:
    """Whether a module is Python's or an installed one, and not just in a folder on the path (another plug-in's)."""
    homes = {os.path.realpath(sysconfig.get_path(p)) for p in ("stdlib", "platstdlib", "purelib", "platlib")}
    return not spec.has_location or os.path.realpath(spec.origin or "").startswith(tuple(f"{h}{os.sep}" for h in homes))


class _Loader(SourceFileLoader):
    """Runs the present text of a module beside a plug-in: an older .pyc of the same second and size would pass."""

    def __init__(self, name: str, path: str, beside: _Beside) -> None:
        super().__init__(name, path)
        self.beside = beside

    def exec_module(self, module: ModuleType) -> None:
        """Run it under a name of its own."""
        data = self.get_data(self.path)
        digest = hashlib.sha256(f"{self.beside.tag}\0{self.path}\0".encode() + data).hexdigest()[:12]
        code = self.source_to_code(data, self.path)
        module.__name__ = f"beside_{self.name.replace('.', '_')}_{digest}"
        sys.modules[module.__name__] = module  # kept: cached machine code asks for it by name
        self.beside.texts[Path(self.path)] = data.decode("utf-8", "replace")
        exec(code, module.__dict__)  # noqa: S102 - that is what a loader does


def _line_in(error: BaseException, file: Path) -> str:
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return f"line {lines[-1]}: " if lines else ""


def _check_policy(strategy: Strategy, game_name: str, where: str) -> None:
    """Refuse what is no kernel of this game, or would be called with the wrong arguments; compile it."""
    from simcore import jit

    where = f"{where}: strategy {strategy.name!r}"
    right = f"it must be {SIGNATURE}, decorated with @kernel of simcore.games.{game_name}.kernel"
    policy = strategy.policy
    if not callable(_plain(policy)):
        raise InputError(f"{where}: its policy is no function; {right}")
    arguments = tuple(inspect.signature(_plain(policy)).parameters)
    if arguments != POLICY:
        name = getattr(_plain(policy), "__name__", "policy")
        raise InputError(f"{where}: wrong signature {name}({', '.join(arguments)}); {right}")
    if jit.DISABLED:
        return
    if not hasattr(policy, "py_func"):
        raise InputError(f"{where}: its policy is not compiled; {right}")
    try:
        jit.build(policy)
    except Exception as error:  # whatever numba raises: the reader needs one line
        raise InputError(f"{where} does not compile: {_compile_error(error)}") from None
    compiled = next(iter(policy.overloads.values()), None)
    if compiled is None:
        raise InputError(f"{where}: its policy is not compiled; {right}")
    records = [str(getattr(a, "dtype", "")) for a in compiled.signature.args[:3]]
    layout = find_game(game_name).layout
    if records != [str(layout.GAME), str(layout.RULES), str(layout.WORK)]:
        raise InputError(f"{where}: its kernel is another game's; {right}")
    returned = str(compiled.signature.return_type)
    if returned != "int64" and not returned.startswith("Literal[int]"):
        raise InputError(f"{where}: it returns {returned}, not the index of an option (an integer)")


def _compile_error(error: Exception) -> str:
    """One line of numba's message: what it did not understand, and where."""
    text = str(error)
    lines = [line.strip() for line in text.splitlines()]
    skip = ("Failed in", "During:", "File ", "def ", "<source", "This error", "^")
    what = next((line for line in lines if line and not line.startswith(skip)), type(error).__name__)
    if missing := re.match(r"Field '(\w+)' was not found in record with fields \((.*)\)", what):
        fields = re.findall(r"\w+", missing[2])
        what = f"a record has no field {missing[1]!r}{nearest(missing[1], fields)}"
    place = re.search(r'File "[^"]*", line (\d+)', text)
    return f"line {place[1]}: {what}" if place else what
