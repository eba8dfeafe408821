"""Builds the wheel and compares it with the packages' files: content, templates and studies must be in it."""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("simcore", "strategies", "experiments", "reports")


def main() -> None:
    listed = subprocess.run(["git", "ls-files", "--", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    tracked = {line for line in listed.stdout.splitlines() if (ROOT / line).exists()}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "source"  # setuptools leaves a build folder behind: not here
        for file in [*tracked, "pyproject.toml", "README.md", "LICENSE"]:
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            (copy / file).write_bytes((ROOT / file).read_bytes())
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "wheel",
            "-qq",
            "--no-deps",
            "--no-build-isolation",
        ]
        subprocess.run([*pip, "--wheel-dir", folder, str(copy)], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        packed = {n for n in zipfile.ZipFile(wheel).namelist() if n.split("/")[0] in PACKAGES}
    if missing := sorted(tracked - packed):
        sys.exit(f"not in the wheel: {', '.join(missing)}")
    print(f"{wheel.name}: all {len(tracked)} files")


if __name__ == "__main__":
    main()
