"""What a designer can set, vary and solve for: one named number, choice, switch or text, with bounds and meaning."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simcore.errors import InputError, nearest

Value = int | float | str | bool
UNNAMED = "random"  # among the choices of a list: here nobody is named


@dataclass(frozen=True)
class Parameter:
    """A number, choice or switch that a designer can set, vary and solve for.

    `kind` is "integer", "number", "choice", "flag", "text" or "list" (several choices joined by "+"); `low` and `high`
    are inclusive bounds. A parameter whose default is None is off unless it is given.
    """

    name: str
    kind: str
    default: Value | None
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    source: str = (
        "rulebook"  # rulebook, published, inferred, estimated, ruling or study (a property of the study, not the game)
    )

    def read(self, given: object) -> Value:
        """The value that `given` (text or a value) stands for. Raises InputError if it is none of this parameter's."""
        if self.kind == "flag":
            word = str(given).lower()
            if word in ("on", "true", "yes", "1"):
                return True
            if word in ("off", "false", "no", "0"):
                return False
            raise InputError(f"{self.name}: {given!r} is neither on nor off")
        if self.kind == "choice":
            if str(given) in self.choices:
                return str(given)
            raise InputError(f"{self.name}: no choice {given!r}{nearest(str(given), self.choices)}")
        if self.kind == "list":
            names = [name.strip() for name in str(given).split("+")]
            for name in names:
                if name not in self.choices:
                    raise InputError(f"{self.name}: no choice {name!r}{nearest(name, self.choices)}")
            return "+".join(names)
        if self.kind == "text":
            return str(given)
        try:
            number = float(str(given).replace("_", ""))
        except ValueError:
            raise InputError(f"{self.name}: {given!r} is not a number") from None
        if not math.isfinite(number):
            raise InputError(f"{self.name}: {given!r} is not a finite number")
        if self.kind == "integer" and number != int(number):
            raise InputError(f"{self.name}: {given!r} is not a whole number")
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            low = "" if self.low is None else f"{self.low:g}"
            high = "" if self.high is None else f"{self.high:g}"
            raise InputError(f"{self.name}: {given} is outside {low}..{high}")
        return int(number) if self.kind == "integer" else number
