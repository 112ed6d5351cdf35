#!/usr/bin/env bash
# Looks for undefined behaviour and races: tools/sanitize.sh [kernels] [miri] [thread]; without arguments all three.
# CONTRIBUTING.md says what each one sees.
#
# All but `kernels` need a nightly compiler:
#     rustup toolchain install nightly --no-self-update --profile minimal -c miri -c rust-src
# RUSTUP_HOME may name a folder of its own for it. PYDDC, PYDD_PYTHON: the compiler and the Python that `kernels` runs.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(rustc -vV | sed -n 's/^host: //p')
target_dir=${CARGO_TARGET_DIR:-$PWD/target}

nightly() {
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        echo "sanitize: there is no nightly compiler with miri and rust-src; the head of $0 says how to install one" >&2
        exit 1
    fi
    cargo +nightly "$@"
}

# Compiled kernels and the extension module in Python. An error counts where one of our files is in its stack: CPython and
# NumPy have reports of their own.
kernels() {
    local log
    log=$(mktemp)
    PYTHONMALLOC=malloc PYDD_NUM_THREADS=2 valgrind --quiet --error-limit=no --num-callers=30 --log-file="$log" \
        "${PYDD_PYTHON:-.venv/bin/python}" tests/python/memcheck/run.py "${PYDDC:-$target_dir/release/pyddc}"
    awk -v RS='==[0-9]+== \n' '/kernels\.|_runtime\.abi3/ { print; found = 1 } END { exit found }' "$log"
    rm "$log"
}

# Without what goes to libraries that use vector instructions, and without threads: the crate behind rayon's queues does
# not keep Miri's rules.
miri() {
    MIRIFLAGS=-Zmiri-disable-isolation nightly miri test -p pydd-core -- \
        --skip matmul --skip fft --skip linalg --skip parallel --skip pool
}

# The standard library is built anew, since its own synchronisation must be seen.
thread() {
    # A test forks and goes on with threads.
    TSAN_OPTIONS=die_after_fork=0 RUSTFLAGS=-Zsanitizer=thread nightly test -Zbuild-std --target "$target" \
        --target-dir "$target_dir/thread" -p pydd-core --lib
}

[ $# -gt 0 ] || set -- kernels miri thread
for each in "$@"; do
    case $each in
        kernels | miri | thread) "$each" ;;
        *) echo "usage: $0 [kernels] [miri] [thread]" >&2 && exit 2 ;;
    esac
done
