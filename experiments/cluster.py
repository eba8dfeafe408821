"""Plays a study's games on a dask cluster, and gives them back in the order of their numbers.

Games go out in chunks: contiguous numbers, cut at fixed places, so that totals are the same bits as if they were played
here. Some more chunks than there are threads are out at any time, those of later cells among them. A chunk whose worker
is lost is played elsewhere (dask sees to it); one whose worker refuses is sent to others.
"""

from __future__ import annotations

import itertools
import logging
import pkgutil
import re
import signal
import socket
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from experiments import words
from experiments.playing import Asked, Here, Piece, Source
from experiments.worker import play_chunk, unpacked, words_of
from simcore.batch import BLOCK
from simcore.errors import InputError, PlayError

if TYPE_CHECKING:
    from experiments.study import Cell, Study

CHUNK = 20 * BLOCK  # games; chunks end at its multiples
AHEAD = 3  # chunks that are out for each thread of the cluster
FEWEST = 4  # chunks that are out at least
CONNECT = 3.0  # seconds to wait for a scheduler, and for its first worker
CLOSE = 10.0  # seconds to take leave, at most
ALONE = 60.0  # seconds to wait for a worker when all are gone
LOOK = 1.0  # seconds between two looks at which workers there are
TRIES = 3  # of a chunk that kills its workers (each of dask's own is several)
FRAMES = 1 << 16  # of a greeting, at most: its first eight bytes say how many follow
TASK = "experiments.worker:play_chunk"
LOCAL = re.compile(r"local:(\w+)")


@contextmanager
def source(scheduler: str | None, threads: int | None = None, keep: bool = False) -> Iterator[Source]:
    """Who plays: this process if no scheduler is named, else its cluster. Raises InputError if there is none."""
    if scheduler is None:
        yield Here(threads, keep)
        return
    with connected(scheduler, keep) as cluster:
        yield cluster


@contextmanager
def connected(where: str, keep: bool = False) -> Iterator[Cluster]:
    """A cluster by the address of its scheduler, or `local:N`. Raises InputError, one line, if there is none."""
    local = LOCAL.fullmatch(where)
    if local:
        processes = words.whole(f"--scheduler {where}: processes", local[1], 1, 256)
    elif not re.fullmatch(r"(tcp|tls)://.+:\d+", where):
        raise InputError(f"--scheduler {where!r}: should be tcp://host:port, or local:N for N processes here")
    else:
        _check_there(where)
    try:
        import distributed
    except ImportError:
        raise InputError('--scheduler: dask is not installed (in a clone: pip install ".[dask]")') from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    hosts: Any = None
    client: Any = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dask's own, about versions and ports
            if local:
                hosts = _local(processes)
            try:
                client = distributed.Client(  # type: ignore[no-untyped-call]
                    hosts if local else where, timeout=CONNECT, set_as_default=False, name="doomtrack"
                )
            except (OSError, TimeoutError, ValueError) as error:
                raise InputError(_nobody(where, str(error).strip().splitlines()[:1] or [""])) from None
        cluster = Cluster(where, client, keep)
        cluster.wait_for_workers(CONNECT)
        try:
            yield cluster
        finally:
            cluster.ends()
    finally:
        for open_one in (client, hosts):
            _close(open_one)


def _local(processes: int) -> Any:
    """A scheduler and workers on this machine, which listen to nobody else."""
    from distributed import LocalCluster

    with _deaf():
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=processes,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C: it is this one that calls their work back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _close(open_one: Any) -> None:
    """Take leave; what does not answer any more is left alone."""
    try:
        if open_one is not None:
            open_one.close(timeout=CLOSE)
    except Exception:  # noqa: S110 - dask has many kinds of it, and there is nothing to be done
        pass


def _check_there(where: str) -> None:
    """Raise InputError if no scheduler greets whoever connects: dask would wait for it without end."""
    protocol, _, address = where.partition("://")
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT) as connection:
            greeting = connection.recv(8) if protocol == "tcp" else b""  # of tls the other side waits first
    except (OSError, OverflowError) as error:
        raise InputError(_nobody(where, [getattr(error, "strerror", None) or str(error)])) from None
    if protocol == "tcp" and not 0 < int.from_bytes(greeting, "little") < FRAMES:
        raise InputError(_nobody(where, ["something else does"]))


def _nobody(where: str, why: Sequence[str]) -> str:
    return f"--scheduler {where}: no scheduler answers there ({why[0]}); start one with: dask scheduler"


Task = Callable[..., dict[str, Any]]  # what a worker is asked to do: a function of ours


@dataclass
class _Chunk:
    first: int
    games: int
    words: tuple[Any, ...]  # what the task is told further
    future: Any = None
    tries: int = 0


@dataclass
class Line:
    """Chunks of the same games: those that are out, in order, and where the next one starts.

    `task` is called with `asked`, the first game, the number of games, and what `cut` adds; it answers with `refused`
    (by `worker`), `failed`, `wrong`, or what its caller knows how to read. `cut`: first game -> end of its chunk, and
    words for it.
    """

    task: Task
    asked: Mapping[str, Any]
    cut: Callable[[int], tuple[int, tuple[Any, ...]]]
    next: int
    most: int
    wanted: int  # games that will likely be needed
    rank: int = 0  # chunks of a lower one go first
    waiting: deque[_Chunk] = field(default_factory=deque)


def cell_line(asked: Asked, first: int, keep: bool) -> Line:
    """The chunks of one cell: they end at multiples of CHUNK, and a piece ends at each look."""
    most, looks = asked.most, asked.looks

    def cut(start: int) -> tuple[int, tuple[Any, ...]]:
        end = min((start // CHUNK + 1) * CHUNK, most)
        return end, ([n for n in looks if start < n < end],)

    wanted = min(most, first + CHUNK) if looks else most
    return Line(play_chunk, words_of(asked.cell, asked.study, keep), cut, first, most, wanted, asked.cell.index)


class Cluster:
    """A source of games: the workers of a dask scheduler."""

    def __init__(self, where: str, client: Any, keep: bool) -> None:
        self.where, self.keep = where, keep
        self._client = client
        self._lines: dict[int, Line] = {}
        self._coming: deque[Asked] = deque()
        self._present: Line | None = None
        self._threads: dict[str, int] = {}  # of each worker
        self._looked = 0.0
        self._refusals: dict[str, str] = {}
        self._greeted: set[str] = set()
        self._names = itertools.count()
        self._run = f"doomtrack-{time.time_ns():x}"

    # --- what is asked of a source ---

    def begins(self, coming: Sequence[Asked]) -> None:
        """These cells will be asked for, in this order."""
        self._coming = deque(coming)

    def expects(self, games: int) -> None:
        """About so many games of the present cell will be needed."""
        if self._present is not None:
            self._present.wanted = games

    def pieces(self, cell: Cell, study: Study, first: int, most: int, looks: Sequence[int] = ()) -> Iterator[Piece]:
        """Games `first` .. `most - 1` of a cell in order."""
        line = self._lines.get(cell.index)
        if line is None or (line.waiting[0].first if line.waiting else line.next) != first:
            self._forget(cell.index)
            line = cell_line(Asked(cell, study, most, looks), first, self.keep)
        self._coming = deque(a for a in self._coming if a.cell.index != cell.index)
        for answer in self.answers(line, cell.index):
            yield from map(unpacked, answer["pieces"])
            if "failed" in answer:
                raise PlayError(answer["failed"])
            if "wrong" in answer:
                raise InputError(answer["wrong"])

    def answers(self, line: Line, place: int = 0) -> Iterator[dict[str, Any]]:
        """The answers to a line's chunks, in order, until it ends or nobody wants more."""
        self._present = self._lines[place] = line
        try:
            while line.waiting or line.next < line.most:
                self._fill()
                if not line.waiting:  # more than was thought
                    self._send(line)
                chunk = line.waiting[0]
                answer = self._answer(line, chunk)
                line.waiting.popleft()
                chunk.future.release()
                yield answer
        finally:
            self._present = None
            self._forget(place)

    def remarks(self) -> list[str]:
        """Who was refused, and why: one line each."""
        return [f"worker {address}: {why}" for address, why in self._refusals.items()]

    # --- chunks ---

    def _fill(self) -> None:
        """Send chunks, those of the present cell first, until enough are out."""
        room = max(FEWEST, AHEAD * sum(self._threads.values())) - sum(len(x.waiting) for x in self._lines.values())
        order = [self._present, *(x for x in self._lines.values() if x is not self._present)]
        for line in (x for x in order if x is not None):
            while room > 0 and line.next < min(line.wanted, line.most):
                self._send(line)
                room -= 1
        while room > 0 and self._coming:
            asked = self._coming.popleft()
            line = self._lines[asked.cell.index] = cell_line(asked, 0, self.keep)
            while room > 0 and line.next < min(line.wanted, line.most):
                self._send(line)
                room -= 1

    def _send(self, line: Line) -> None:
        end, told = line.cut(line.next)
        chunk = _Chunk(line.next, end - line.next, told)
        line.next = end
        line.waiting.append(chunk)
        self._submit(line, chunk)

    def _submit(self, line: Line, chunk: _Chunk) -> None:
        others = [a for a in self._threads if a not in self._refusals] or None if self._refusals else None
        chunk.future = self._client.submit(
            line.task,
            line.asked,
            chunk.first,
            chunk.games,
            *chunk.words,
            key=f"{self._run}-{line.rank}-{chunk.first}-{next(self._names)}",
            pure=False,
            priority=-line.rank,
            workers=others,
            allow_other_workers=others is not None,  # else it would wait for ever where these are lost
        )

    def _answer(self, line: Line, chunk: _Chunk) -> dict[str, Any]:
        """What became of a chunk; it is sent again where a worker refuses it or dies of it."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        while True:
            self._look()
            try:
                answer: dict[str, Any] = chunk.future.result(timeout=LOOK)
            except TimeoutError:
                continue
            except FutureCancelledError:
                raise InputError(f"--scheduler {self.where}: the scheduler is gone; {GO_ON}") from None
            except KilledWorker:
                chunk.tries += 1
                if chunk.tries >= TRIES:
                    last = chunk.first + chunk.games - 1
                    raise PlayError(f"games {chunk.first} to {last}: every worker that plays them dies") from None
                self._submit(line, chunk)
                continue
            except Exception as error:  # whatever a worker may raise: the reader needs one line
                raise InputError(
                    f"--scheduler {self.where}: a worker could not play ({type(error).__name__}: {error})"
                ) from None
            if "refused" not in answer:
                return answer
            self._look(now=True)
            self._refuse(answer["worker"], answer["refused"])
            self._submit(line, chunk)

    # --- workers ---

    def _look(self, now: bool = False) -> None:
        """See now and then which workers there are. Raises InputError if there are none for long."""
        moment = time.monotonic()
        if not now and moment - self._looked < LOOK:
            return
        self._looked = moment
        self._threads = self._workers()
        if not self._threads:
            self.wait_for_workers(ALONE)
        self._greet()

    def _greet(self) -> None:
        """Ask new workers whether they know what will be asked of them: one that does not would die of a chunk."""
        new = [address for address in self._threads if address not in self._greeted]
        self._greeted.update(new)
        try:
            answers = self._client.run(pkgutil.resolve_name, TASK, workers=new, on_error="return") if new else {}
        except Exception:  # one of them has just gone; dask has many kinds of it
            return
        for address, answer in answers.items():
            if isinstance(answer, ImportError | AttributeError):
                self._refuse(address, f"has no doomtrack, or another ({answer})")

    def _refuse(self, address: str, why: str) -> None:
        """Give a worker nothing more. Raises InputError if no other is left."""
        self._refusals[address] = f"{why}; install the same version there"
        if not set(self._threads) - set(self._refusals):
            raise InputError(self.remarks()[-1])

    def _workers(self) -> dict[str, int]:
        try:
            return dict(self._client.nthreads())
        except Exception:  # dask has many kinds of it
            raise InputError(f"--scheduler {self.where}: the scheduler is gone; {GO_ON}") from None

    def wait_for_workers(self, seconds: float) -> None:
        """Wait until there is a worker. Raises InputError if none comes."""
        until = time.monotonic() + seconds
        while not (found := self._workers()):
            if time.monotonic() > until:
                raise InputError(
                    f"--scheduler {self.where}: it has no workers; start some with: dask worker {self.where}"
                )
            time.sleep(0.1)
        self._threads = found
        self._greet()

    def _forget(self, place: int) -> None:
        line = self._lines.pop(place, None)
        if line is not None and line.waiting:
            self._cancel([chunk.future for chunk in line.waiting])

    def ends(self) -> None:
        """Call back all that is out."""
        self._cancel([chunk.future for line in self._lines.values() for chunk in line.waiting])
        self._lines.clear()

    def _cancel(self, futures: list[Any]) -> None:
        try:
            self._client.cancel(futures, force=True)
        except Exception:  # noqa: S110 - the scheduler is gone: nothing is left to cancel
            pass


GO_ON = "what is finished is kept with --out, and the same command goes on"
