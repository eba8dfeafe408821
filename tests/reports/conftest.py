"""Made-up result folders and pages of them, each made once."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import reports


@pytest.fixture(scope="session")
def folders() -> ModuleType:
    """The makers of result folders (folders.py beside this file)."""
    spec = importlib.util.spec_from_file_location("report_folders", Path(__file__).with_name("folders.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def made(folders: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """``made("sweep")`` is the folder of that name, with its report written."""
    done: dict[str, Path] = {}

    def make(name: str, **options: object) -> Path:
        key = name + "".join(f"-{k}" for k in options)
        if key not in done:
            folder = getattr(folders, name)(tmp_path_factory.mktemp("results") / key, **options)
            reports.render(folder)
            done[key] = folder
        return done[key]

    return make
