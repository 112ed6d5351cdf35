#!/usr/bin/env bash
# usage: wheels-release.sh [TARGET]: makes the wheels that are given to others, in build/release. For another machine than this one
# only the runtime's is made: the compiler needs LLVM's libraries for it.
set -euo pipefail
root=$PWD
venv=$root/${VENV:-.venv}
out=$root/build/release
target=${1:-}
mkdir -p "$out"

projects=(pydd pydd_runtime)
options=()
if [ -n "$target" ]; then
    projects=(pydd_runtime)
    options=(--target "$target")
    if [ "$target" = aarch64-unknown-linux-gnu ]; then
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=${CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER:-aarch64-linux-gnu-gcc}
    fi
fi
for project in "${projects[@]}"; do
    if [ "$project" = pydd ]; then tools/shell-files.sh; fi
    (
        cd "pylib/$project"
        # The tag is checked against what the binary asks for, and refused where that is newer.
        "$venv/bin/maturin" build --release ${LOCKED:-} --compatibility manylinux_2_28 --auditwheel check \
            --compression-level 9 --interpreter "$venv/bin/python" "${options[@]}" --out "$out"
    )
done
ls -l "$out"
