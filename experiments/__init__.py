"""The application: studies, how they are played, statistics, results, findings, and the command line.

``experiments.run(...)``, ``sweep``, ``compare``, ``check``, ``solve`` and ``impact`` are the commands of the same
names, with the same words; their results hold the numbers. Nothing heavy is imported before they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.checking.check import check
    from experiments.checking.contract import Contract
    from experiments.comparing.compare import compare
    from experiments.comparing.comparison import Comparison
    from experiments.execution import Result, run, sweep
    from experiments.impacts.impact import impact
    from experiments.impacts.result import Impact
    from experiments.solving.question import Question
    from experiments.solving.solve import solve
    from experiments.solving.solved import Solved
    from experiments.study import Study

__all__ = [
    "Comparison",
    "Contract",
    "Impact",
    "Question",
    "Result",
    "Solved",
    "Study",
    "check",
    "compare",
    "impact",
    "run",
    "solve",
    "sweep",
]

_HOME = {  # where each name lives
    "check": "checking.check",
    "Contract": "checking.contract",
    "compare": "comparing.compare",
    "Comparison": "comparing.comparison",
    "impact": "impacts.impact",
    "Impact": "impacts.result",
    "run": "execution",
    "sweep": "execution",
    "Result": "execution",
    "solve": "solving.solve",
    "Solved": "solving.solved",
    "Question": "solving.question",
    "Study": "study",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
