"""The application: studies, how they are played, statistics, results, findings, and the command line.

``experiments.run(...)`` and ``experiments.sweep(...)`` are the commands of the same names, with the same words; their
result holds polars frames. Nothing heavy is imported before they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.execution import Result, run, sweep
    from experiments.study import Study

__all__ = ["Result", "Study", "run", "sweep"]


def __getattr__(name: str) -> Any:
    if name in ("run", "sweep", "Result"):
        from experiments import execution

        return getattr(execution, name)
    if name == "Study":
        from experiments.study import Study

        return Study
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
