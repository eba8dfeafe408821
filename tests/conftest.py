"""What all tests share: the kernel cache, the random inputs' profile, and tools that a machine may lack."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run: a failure comes back, and CI does not fail by luck. No deadline, for kernels compile.
# HYPOTHESIS_PROFILE=explore tries new examples.
settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

TOOLS = {  # marker -> what to look for, any of them
    "needs_gcc": ("gcc", "cc", "clang"),
    "needs_browser": ("chromium", "chromium-browser", "google-chrome"),
}


def find_tool(*names: str) -> str:
    """Path of the first of `names` on this machine. Without any: skip, or fail where DOOMTRACK_REQUIRE_TOOLS is set."""
    for name in names:
        if path := shutil.which(name):
            return path
    message = f"needs {' or '.join(names)}, which is not on this machine"
    if os.environ.get("DOOMTRACK_REQUIRE_TOOLS"):
        pytest.fail(f"{message}, and DOOMTRACK_REQUIRE_TOOLS is set", pytrace=False)
    pytest.skip(message)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, names in TOOLS.items():
        if item.get_closest_marker(marker):
            find_tool(*names)


@pytest.fixture(scope="session")
def require_tool() -> Callable[..., str]:
    """`require_tool("gcc", "cc")` is the path of the first that there is; see `find_tool`."""
    return find_tool


@pytest.fixture(scope="session")
def kernel_cache() -> Path:
    """The folder in which compiled kernels lie for all tests and the processes that they start: the usual one."""
    from simcore import jit

    return jit.cache_root()
