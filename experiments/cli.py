"""The command line: `doomtrack COMMAND ...`. Commands stand in ``experiments.commands``, one file each.

Exit codes: 0 done; 1 a contract failed; 2 bad input (one readable line); 3 undecided, or nothing found; 4 some cells
failed (the rest is kept); 130 Ctrl-C. Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

try:
    import typer

    from experiments.commands import (
        bench,
        check,
        compare,
        games,
        impact,
        replays,
        report,
        run,
        show,
        solve,
        sweep,
        trace,
    )
    from simcore.errors import InputError, PlayError
except KeyboardInterrupt:  # Ctrl-C while the program starts
    print("doomtrack: stopped", file=sys.stderr)
    sys.exit(130)

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[
    1
]  # every misuse of the command line; typer gives it no name of its own
INTERRUPTED = 130

app = typer.Typer(
    name="doomtrack",
    help="Is a tabletop game balanced, what makes it so, and what would a rule change do?",
    epilog="Try: doomtrack run snowball -p 4 --strategy expert",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, command in (
    ("games", games.command),
    ("show", show.command),
    ("run", run.command),
    ("sweep", sweep.command),
    ("compare", compare.command),
    ("check", check.command),
    ("solve", solve.command),
    ("impact", impact.command),
    ("trace", trace.command),
    ("replays", replays.command),
    ("report", report.command),
    ("bench", bench.command),
):
    app.command(name)(command)


def _one_line(text: object) -> str:
    return " ".join(str(text).split())


def _complain(text: object) -> None:
    print(f"doomtrack: {_one_line(text)}", file=sys.stderr)


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    _complain(f"warning: {message}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command line and exit with its code."""
    warnings.showwarning = _warn  # a remark for a person, not a line of source
    try:
        code = call(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:  # between the command and the end
        code = INTERRUPTED
    except BrokenPipeError:  # the reader (head, less) has left: not our fault, and not worth a word
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def call(arguments: Sequence[str] | None = None) -> int:
    """Run a command line: its exit code. Errors for people go to stderr as one line."""
    try:
        code = app(list(arguments) if arguments is not None else None, prog_name="doomtrack", standalone_mode=False)
        return int(code or 0)
    except USAGE_ERROR as error:
        context = getattr(error, "ctx", None)
        where = f" (see: {context.command_path} --help)" if context is not None else ""
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        if not text.strip():  # called without arguments: the help is out already
            return 2
        _complain(f"{text.rstrip('.')}{where}")
        return 2
    except (InputError, PlayError) as error:
        _complain(error)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        _complain("stopped")
        return INTERRUPTED


if __name__ == "__main__":
    main()
