"""A game in sentences."""

import numpy as np

from simcore.game import Configuration
from simcore.games.snallygaster.layout import Event, option_parts


def name_option(configuration: Configuration, option: int) -> str:
    kind, a, b, c = option_parts(option)
    return f"{kind.name.lower()} {a} {b} {c}"


def tell(configuration: Configuration, events: np.ndarray) -> list[str]:
    return [f"{Event(int(e['event'])).name} {e['seat']} {e['a']} {e['b']} {e['c']}" for e in events]
