#!/bin/sh
# Writes constraints.txt anew: the newest releases that fit pyproject.toml, the build backend's among them.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-python3.11}" -m venv "$scratch/venv" # the oldest Python supported: what it needs includes what newer ones need
pip="$scratch/venv/bin/python -m pip --disable-pip-version-check --no-input"
$pip install --quiet --upgrade pip setuptools
$pip install --quiet --no-build-isolation --editable ".[dev,dask]"
{
    sed -n '/^#/p' constraints.txt
    $pip freeze --all --exclude doomtrack | tr 'A-Z_' 'a-z-' | LC_ALL=C sort
} >"$scratch/constraints.txt"
cp "$scratch/constraints.txt" constraints.txt
