"""A study or a contract from a TOML file, with errors for people; what it names is looked for beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from simcore.errors import InputError

Model = TypeVar("Model", bound=BaseModel)
BESIDE = ("overlays", "plugins")  # the keys that name files and folders


def read(file: Path, kind: str, build: Callable[..., Model], absent: str = "") -> Model:
    """What the file says, built by `build` from its keys. `absent`: what is said besides of a file that is not there.

    Raises InputError, always with the file's name.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file}: there is no such {kind} file{absent}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read ({error.__class__.__name__})") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: not valid TOML: {error}") from None
    try:
        found = build(**data)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    except TypeError:
        raise InputError(f"{file}: not a {kind} (keys must be words)") from None
    beside = {
        name: [str(file.parent / p) if (file.parent / p).exists() else p for p in getattr(found, name)]
        for name in BESIDE
    }
    return found.model_copy(update=beside)
