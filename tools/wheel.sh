#!/usr/bin/env bash
# usage: wheel.sh PROJECT DISTRIBUTION: builds the wheel of pylib/PROJECT and installs it from that wheel,
# so that tests see what a user gets. VENV names the virtual environment.
set -euo pipefail
root=$PWD
venv=$root/${VENV:-.venv}
project=$1 distribution=$2

if [ "$project" = pydd ]; then tools/shell-files.sh; fi
mkdir -p "$root/build/wheels"
rm -f "$root/build/wheels/$distribution"-*.whl
(
    cd "pylib/$project"
    "$venv/bin/maturin" build --release ${LOCKED:-} --compatibility linux --auditwheel skip \
        --compression-level "${WHEEL_COMPRESSION:-1}" --interpreter "$venv/bin/python" --out "$root/build/wheels"
)
"$venv/bin/python" -m pip install --disable-pip-version-check --quiet --force-reinstall --no-deps \
    "$root/build/wheels/$distribution"-*.whl
