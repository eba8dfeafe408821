"""Compilation: the only module that imports numba.

A *kernel* is a jitted function over the three records of a game. ``kernels(GAME, RULES, WORK)`` gives the decorator: an
argument called ``game``, ``rules`` or ``work`` is that record, any other argument is an int64 (``f_...``: a float64,
``u_...``: a uint64), so each kernel is compiled once, for one signature. ``shared`` decorates the few kernels that
serve all games.

Nothing compiles at import. ``build`` compiles a kernel and, before it, the kernels that it calls (found by name in its
globals, which also gives the call graph: recursion between cached kernels kills the next process, so it is refused).
``address`` builds a kernel and returns its address; ``call_policy``, ``call_turn`` and ``call_redeal`` call one by its
address: 1.3 ns, and a policy compiles apart from the game that asks it.

numba does not notice an edit in another module. So each module's machine code lies in a folder named by a digest of all
project sources that the module can reach, of numba's version and of its settings (``NUMBA_BOUNDSCHECK`` among them).

With ``NUMBA_DISABLE_JIT=1`` kernels are plain Python, addresses are indices into a list, and the bits are the same.
"""

import gc
import hashlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.codegen import CPUCodeLibrary
from numba.core.errors import NumbaExperimentalFeatureWarning, NumbaWarning
from numba.experimental.function_type import _get_jit_address  # numba internal: kept here and nowhere else
from numba.extending import intrinsic
from numba.np import arrayobj

from simcore.records import UNCOPIED

DISABLED = bool(numba.config.DISABLE_JIT)
BOUNDSCHECK = bool(numba.config.BOUNDSCHECK)
KEEP_DAYS = 60  # machine code unused for so long is deleted
FREE_BYTES = 64 << 20  # a cache folder with less free room counts as full

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)
warnings.filterwarnings("error", message=".*[Cc]annot cache.*", category=NumbaWarning)
if DISABLED:  # keyed randomness wraps around on purpose
    warnings.filterwarnings("ignore", message="overflow encountered", category=RuntimeWarning)

# --- where machine code lies ------------------------------------------------------------------------------------------

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("simcore", "strategies")


def _default_cache() -> Path:
    if folder := os.environ.get("DOOMTRACK_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "doomtrack" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "doomtrack"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "doomtrack"


def usable(folder: Path) -> bool:
    """True if `folder` can be made, written to, and has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder) as probe:
            probe.write(b"x" * 4096)
            probe.flush()
        return shutil.disk_usage(folder).free > FREE_BYTES
    except OSError:
        return False


_cache_root: Path | None = None


def cache_root() -> Path:
    """The folder for machine code; a temporary one, with one warning, where the usual one is read-only or full."""
    global _cache_root
    if _cache_root is None:
        folder = _default_cache()
        if not usable(folder):
            fallback = Path(tempfile.mkdtemp(prefix="doomtrack-cache-"))
            warnings.warn(
                f"the cache folder {folder} cannot be used (read-only or full): compiled code goes to {fallback} for "
                "now; set DOOMTRACK_CACHE to a folder with room to keep it",
                RuntimeWarning,
                stacklevel=2,
            )
            folder = fallback
        prune(folder)
        _cache_root = folder
    return _cache_root


def prune(root: Path, days: float = KEEP_DAYS) -> None:
    """Delete the digests' folders that nobody has used for `days`; never one because it is another's."""
    limit = time.time() - days * 86400
    try:
        for folder in root.iterdir():
            if folder.is_dir() and folder.name.startswith("k-") and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:  # pruning is a courtesy
        pass


_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]+)|import\s+([^\n]+))", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")


@cache
def _source(file: Path, changed: int) -> tuple[str, tuple[str, ...]]:
    """Text of a module as of `changed`, and the modules that its import lines may mean (too many do no harm)."""
    text = file.read_text(encoding="utf-8")
    names: list[str] = []
    for package, members, modules in _IMPORT.findall(text):
        names += _NAME.findall(modules)
        if package:
            names += [package, *(f"{package}.{member}" for member in _NAME.findall(members))]
    return text, tuple(dict.fromkeys(names))


def reachable_sources(module: str) -> dict[str, str]:
    """Sources that `module` can reach by import: the project's modules and, for a plug-in, those in its folder."""
    start = Path(sys.modules[module].__file__ or "").resolve()
    roots = tuple(f"{root}{os.sep}" for root in (*(PROJECT / package for package in PACKAGES), start.parent))
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or not file or not os.path.realpath(file).startswith(roots):
            continue
        found[name], imported = _source(Path(file), os.stat(file).st_mtime_ns)
        package = sys.modules[name].__package__ or ""
        waiting.extend(resolve_name(n, package) if n.startswith(".") else n for n in imported)
    return found


_digests: dict[str, str] = {}


def source_digest(module: str) -> str:
    """Digest of all that decides the machine code of `module`: reachable sources, numba's version and settings."""
    if module not in _digests or module.partition(".")[0] not in PACKAGES:  # a plug-in may be edited and loaded again
        settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
        digest = hashlib.sha256(repr((numba.__version__, settings)).encode())
        for name, text in sorted(reachable_sources(module).items()):
            digest.update(f"{name}\0{text}\0".encode())
        _digests[module] = digest.hexdigest()[:20]
    return _digests[module]


# --- kernels ----------------------------------------------------------------------------------------------------------


def _plain_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp)


def _optimize_once(library: Any) -> None:
    for function in library._final_module.functions:
        if function.linkage.name == "linkonce_odr":  # from another module
            function.linkage = "private"
    passes, builder = library._codegen._module_pass_manager()
    passes.run(library._final_module, builder)


@contextmanager
def _compiling(entry: bool) -> Iterator[None]:
    """How kernels are compiled; `entry`: called from Python or by its address, not only from other kernels.

    - Without negative indices: Python's wrap-around costs three instructions at every access, and no rule needs it; one
      that slips in is caught by the bounds-check run.
    - Optimized once, where a kernel is an entry and holds all its callees: numba would optimize every callee again in
      every caller on the way up, each time twice (first for the sake of reference counts, which records do not have).
    - What comes from other modules is private to the entry: nobody else calls it, so that LLVM may drop arguments and
      results that nobody reads, and what it has put in line everywhere. Not "internal": the dynamic linker would find
      such a function by its name, for kernels that pass all arguments.
    - Records are shown by their name: writing out all their fields for messages nobody reads costs 8 % of the time.
    - Without the garbage collector: numba makes millions of small objects that live on; collecting costs another 8 %.
    """
    collecting, index, optimize = gc.isenabled(), arrayobj.fix_integer_index, CPUCodeLibrary._optimize_final_module
    shown = types.Record.__repr__
    gc.disable()
    types.Record.__repr__ = lambda record: record.name
    arrayobj.fix_integer_index = _plain_index
    CPUCodeLibrary._optimize_final_module = _optimize_once if entry else lambda library: None
    try:
        yield
    finally:
        arrayobj.fix_integer_index = index
        CPUCodeLibrary._optimize_final_module = optimize
        types.Record.__repr__ = shown
        if collecting:
            gc.enable()


# kernel -> its one signature (absent: shared, compiled for whoever calls it)
_signatures: dict[int, tuple[Any, ...]] = {}
_kernels: dict[int, Any] = {}  # kernel -> itself: all kernels that were decorated
_built: set[int] = set()
_busy: list[int] = []
on_compile: list[Callable[[str], None]] = []  # told the name of each kernel before it compiles


def _decorate(function: Callable[..., Any], signature: tuple[Any, ...] | None, **options: Any) -> Any:
    if DISABLED:
        kernel = function
    else:
        module = function.__module__
        folder = cache_root() / f"k-{source_digest(module)}"
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
        try:
            kernel = numba.njit(cache=signature is not None, nogil=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before
    _kernels[id(kernel)] = kernel
    if signature is not None:
        _signatures[id(kernel)] = signature
    return kernel


def shared(function: Callable[..., Any]) -> Any:
    """A kernel that serves all games: compiled for the records of each, as part of its callers.

    It has no cache file of its own: two games compiled side by side would write different code under one name.
    """
    return _decorate(function, None)


def shared_inline(function: Callable[..., Any]) -> Any:
    """The same for a few lines that are always compiled into their caller."""
    return _decorate(function, None, forceinline=True)


def _plain_type(name: str) -> Any:
    return {"f_": types.float64, "u_": types.uint64}.get(name[:2], types.int64)


def kernels(game: np.dtype, rules: np.dtype, work: np.dtype, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """The decorator for one game's kernels, see the module's text. `forceinline=True`: compiled into their callers."""
    records = {name: numba.from_dtype(dtype) for name, dtype in (("game", game), ("rules", rules), ("work", work))}

    def decorate(function: Callable[..., Any]) -> Any:
        names = inspect.signature(function).parameters
        return _decorate(function, tuple(records.get(n) or _plain_type(n) for n in names), **options)

    return decorate


def _plain(kernel: Any) -> Any:
    return getattr(kernel, "py_func", kernel)


def callees(kernel: Any) -> list[Any]:
    """The kernels that `kernel` names in its code."""
    function = _plain(kernel)
    found = [function.__globals__.get(name) for name in function.__code__.co_names]
    return [k for k in found if k is not None and id(k) in _kernels]


def check_acyclic(kernel: Any, path: tuple[Any, ...] = ()) -> None:
    """Raise RecursionError if a kernel reaches itself."""
    if kernel in path:
        chain = " -> ".join(_plain(k).__name__ for k in (*path, kernel))
        raise RecursionError(f"kernels must not recurse (it kills the next process): {chain}")
    for callee in callees(kernel):
        check_acyclic(callee, (*path, kernel))


def _cached(kernel: Any) -> bool:
    store = kernel._cache
    key = store._index_key(_signatures[id(kernel)], kernel.targetctx.codegen())
    return key in store._cache_file._load_index()


def build(kernel: Any) -> Any:
    """Compile `kernel` for its signature, its callees first, or load it from the cache."""
    if DISABLED or id(kernel) in _built:
        return kernel
    if id(kernel) in _busy:
        check_acyclic(kernel)
    signature = _signatures.get(id(kernel))
    if signature is None or not _cached(kernel):
        _busy.append(id(kernel))
        try:
            for callee in callees(kernel):
                build(callee)
        finally:
            _busy.pop()
        if signature is not None:
            for tell in on_compile:
                tell(_plain(kernel).__name__)
    if signature is not None:
        with _compiling(entry=not _busy):
            kernel.compile(signature)
        kernel.disable_compile()
    _built.add(id(kernel))
    return kernel


def build_all(wanted: Sequence[Any]) -> None:
    """Build several kernels; those that are not cached compile side by side, in processes of their own.

    The processes write to the cache and this one loads from it: code just compiled here would call the unoptimized
    copies of its callees that lie in the same process. What a process cannot import by name (a plug-in) or fails
    at is left to `build`, whose error then says what is wrong.
    """
    waiting = [k for k in wanted if not DISABLED and id(k) not in _built]
    if not waiting:  # nearly always: every cell of a study asks
        return
    cold = [k for k in waiting if not _cached(k)]
    names = dict.fromkeys(
        f"{k.__module__}:{_plain(k).__name__}" for k in cold if k.__module__.partition(".")[0] in PACKAGES
    )
    for name in names:
        for tell in on_compile:
            tell(name.partition(":")[2])
    crew = min(len(names), os.cpu_count() or 1)
    environment = {
        **os.environ,
        "DOOMTRACK_CACHE": str(cache_root()),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    started = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "simcore.compile", *list(names)[i::crew]],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for i in range(crew)
    ]
    try:
        for process in started:
            process.wait()
    finally:
        for process in started:
            process.kill()
    for kernel in wanted:
        build(kernel)


def machine_code(kernel: Any) -> tuple[str, bytes]:
    """Symbol and ELF object of an entry kernel, with all that it calls, as they lie in the cache: for profilers.

    Raises LookupError without compilation, or if the object is not in the cache.
    """
    if DISABLED:
        raise LookupError("kernels are plain Python: there is no machine code")
    build_all([kernel])
    signature = _signatures[id(kernel)]
    store = kernel._cache
    waiting = [store._cache_file.load(store._index_key(signature, kernel.targetctx.codegen()))]
    while waiting:  # numba keeps the object somewhere within nested tuples
        found = waiting.pop()
        if isinstance(found, bytes) and found.startswith(b"\x7fELF"):
            return str(kernel.overloads[signature].fndesc.mangled_name), found
        if isinstance(found, tuple | list):
            waiting.extend(found)
        elif isinstance(found, dict):
            waiting.extend(found.values())
    raise LookupError(f"{_plain(kernel).__name__}: no object code in the cache")


_addresses: dict[int, int] = {}  # of kernels that were asked for; a kernel lives on, see _kernels
_functions: list[Callable[..., Any]] = []  # JIT off: an address is an index into this list


def address(kernel: Any) -> int:
    """Address of a kernel (built first), to be put into a record and called by `call_policy` and its like."""
    if DISABLED:
        if kernel not in _functions:
            _functions.append(kernel)
        return _functions.index(kernel)
    if id(kernel) not in _addresses:
        build(kernel)
        signature = kernel.overloads[_signatures[id(kernel)]].signature
        _addresses[id(kernel)] = int(_get_jit_address(kernel, signature))
    return _addresses[id(kernel)]


# --- calls by address -------------------------------------------------------------------------------------------------


def _caller(arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    result = types.int64

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = context.call_conv.get_function_type(result, arguments)
        function = builder.inttoptr(values[0], kind.as_pointer())
        status, value = context.call_conv.call_function(builder, function, result, arguments, values[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return result(types.uint64, *arguments), codegen


@intrinsic
def call_policy(typingctx, address, game, rules, work, seat, decision):  # type: ignore[no-untyped-def]
    """policy(game, rules, work, seat, decision) -> option's index"""
    return _caller((game, rules, work, types.int64, types.int64))


@intrinsic
def call_turn(typingctx, address, game, rules, work):  # type: ignore[no-untyped-def]
    """play_turn(game, rules, work) -> 0"""
    return _caller((game, rules, work))


@intrinsic
def call_redeal(typingctx, address, game, rules, work, seat):  # type: ignore[no-untyped-def]
    """redeal(game, rules, work, seat) -> 0"""
    return _caller((game, rules, work, types.int64))


@intrinsic
def copy_record(typingctx, target, source):  # type: ignore[no-untyped-def]
    """Copy all of a record into another of the same type."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        cgutils.raw_memcpy(builder, values[0], values[1], context.get_constant(types.intp, target.size), 1)
        return context.get_dummy_value()

    return types.none(target, source), codegen


@intrinsic
def copy_to_play_on(typingctx, target, source):  # type: ignore[no-untyped-def]
    """Copy a ``game`` record into another, up to the field from which on look-aheads do without, if there is one."""
    size = target.fields[UNCOPIED].offset if UNCOPIED in target.fields else target.size

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        cgutils.raw_memcpy(builder, values[0], values[1], context.get_constant(types.intp, size), 1)
        return context.get_dummy_value()

    return types.none(target, source), codegen


if DISABLED:

    def copy_to_play_on(target, source):  # type: ignore[no-untyped-def]  # noqa: F811
        """Copy a ``game`` record into another, up to the field from which on look-aheads do without."""
        for name in target.dtype.names:
            if name == UNCOPIED:
                break
            target[name] = source[name]

    def copy_record(target, source):  # type: ignore[no-untyped-def]  # noqa: F811
        """Copy all of a record into another of the same type."""
        for name in target.dtype.names:
            target[name] = source[name]

    def call_policy(address, *arguments):  # type: ignore[no-untyped-def]  # noqa: F811
        """Call the function with this number."""
        return _functions[int(address)](*arguments)

    call_turn = call_redeal = call_policy
