"""A position as the start of a game."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simcore.errors import InputError
from simcore.game import Configuration


def read_position(configuration: Configuration, data: Mapping[str, Any]) -> np.ndarray:
    raise InputError("not yet")


def force_deal(configuration: Configuration, rules: Any, deal: Mapping[int, Mapping[str, Any]]) -> None:
    raise InputError("not yet")
