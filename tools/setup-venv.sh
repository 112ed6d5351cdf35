#!/usr/bin/env bash
# usage: setup-venv.sh FOLDER: makes the virtual environment and installs requirements-dev.txt.
set -euo pipefail
venv=$1
python=${PYTHON:-python3}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "$python does not run, or is older than Python 3.10; choose another: make PYTHON=/path/to/python3" >&2
    exit 1
fi
# A folder without a working interpreter is left from an interrupted run or a removed Python.
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --clear "$venv"
fi
"$venv/bin/python" -m pip install --disable-pip-version-check --quiet --requirement requirements-dev.txt
