"""Kernels of the tests that write into an array: compiled once and cached like the game's own."""

from collections.abc import Callable
from typing import Any

import numpy as np

from simcore import jit


def sampler(layout: Any, example: np.ndarray) -> Callable[[Callable], Any]:
    """The decorator for kernel(game, rules, work, integers..., array), the array like `example`."""
    records = {
        name: jit.numba.from_dtype(dtype)
        for name, dtype in (("game", layout.GAME), ("rules", layout.RULES), ("work", layout.WORK))
    }

    def decorate(function: Callable) -> Any:
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        plain = [records.get(name, jit.types.int64) for name in names[:-1]]
        return jit._decorate(function, (*plain, jit.numba.typeof(example)))

    return decorate
