"""What the tests of `solve` share."""

import pytest

from experiments import cli


@pytest.fixture
def doomtrack(capfd):
    """Run a command line in this process: (exit code, stdout, stderr)."""

    def call(text, *more):
        code = cli.call([*text.split(), *map(str, more)])
        out, err = capfd.readouterr()
        return code, " ".join(out.split()) if "--format" not in text else out, err

    return call
