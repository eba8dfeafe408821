#!/bin/sh
# Makes a virtual environment with Doomtrack in it, editable, at the pinned releases:  sh tools/install.sh FOLDER [EXTRA,...]
# $PYTHON names the interpreter; without it, the first of python3, python3.13, ... that is 3.11 or newer.
set -eu
venv=$1
extras=${2:+"[$2]"}
here=$(cd "$(dirname "$0")/.." && pwd)

new_enough() {
    "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if ! new_enough "$venv/bin/python"; then # absent, or its interpreter is gone
    found=
    if [ -n "${PYTHON:-}" ]; then
        new_enough "$PYTHON" && found=$PYTHON
    else
        for candidate in python3 python3.13 python3.12 python3.11 python3.14 python; do
            if new_enough "$candidate"; then
                found=$candidate
                break
            fi
        done
    fi
    if [ -z "$found" ]; then
        echo "doomtrack needs Python 3.11 or newer, and ${PYTHON:-python3} is not. Install one, or name it: make PYTHON=/path/to/python3.12 ..." >&2
        exit 1
    fi
    echo "making $venv with $("$found" --version)"
    rm -rf "$venv"
    if ! "$found" -m venv "$venv"; then
        echo "$found cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)" >&2
        exit 1
    fi
fi

# The build backend is pinned too: it is installed first, and the build is not isolated from it. Byte code is left to the
# first import, which compiles the tenth of it that is used.
echo "installing what constraints.txt pins (half a minute or more the first time)"
pip() {
    "$venv/bin/python" -m pip --disable-pip-version-check --no-input install -qq --no-compile --constraint "$here/constraints.txt" "$@"
}
pip pip setuptools
pip --no-build-isolation --editable "$here$extras"
