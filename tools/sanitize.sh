#!/usr/bin/env bash
# Looks for undefined behaviour and races: tools/sanitize.sh [kernels] [miri] [address] [thread]; without arguments all
# four. CONTRIBUTING.md says what each one sees. The last two compile the libraries and take long.
#
# All but `kernels` need a nightly compiler:
#     rustup toolchain install nightly --no-self-update --profile minimal -c miri -c rust-src
# With RUSTUP_HOME set for this command it goes into a folder of its own, which NIGHTLY_HOME then names here.
# PYDDC, PYDD_PYTHON: the compiler and the Python that run kernels.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(rustc -vV | sed -n 's/^host: //p')
target_dir=${CARGO_TARGET_DIR:-$PWD/target}
python=${PYDD_PYTHON:-$PWD/.venv/bin/python}
pyddc=${PYDDC:-$target_dir/release/pyddc}

nightly() {
    local home=${NIGHTLY_HOME:-${RUSTUP_HOME:-$HOME/.rustup}}
    if ! RUSTUP_HOME=$home cargo +nightly miri --version >/dev/null 2>&1; then
        echo "sanitize: there is no nightly compiler with miri and rust-src; the head of $0 says how to install one" >&2
        exit 1
    fi
    RUSTUP_HOME=$home "$1" +nightly "${@:2}"
}

# Compiled kernels and the extension module in Python. An error counts where one of our files is in its stack: CPython and
# NumPy have reports of their own.
kernels() {
    local log
    log=$(mktemp)
    PYTHONMALLOC=malloc PYDD_NUM_THREADS=2 valgrind --quiet --error-limit=no --num-callers=30 --log-file="$log" \
        "$python" tests/python/memcheck/run.py "$pyddc"
    awk -v RS='==[0-9]+== \n' '/kernels\.|_runtime\.abi3/ { print; found = 1 } END { exit found }' "$log"
    rm "$log"
}

# Without what goes to libraries that use vector instructions, and without threads: the crate behind rayon's queues does
# not keep Miri's rules.
miri() {
    MIRIFLAGS=-Zmiri-disable-isolation nightly cargo miri test -p pydd-core --lib -- \
        --skip matmul --skip fft --skip linalg --skip parallel --skip pool
}

# All that Rust compiles of the runtime is instrumented, and the standard library, of which each has its own build.
instrumented() {
    RUSTFLAGS=-Zsanitizer=$1 nightly cargo "$2" -Zbuild-std --target "$target" --target-dir "$target_dir/$1" "${@:3}"
}

# Races; the standard library's own synchronisation must be seen. A test forks and goes on with threads.
thread() {
    TSAN_OPTIONS=die_after_fork=0 instrumented thread test -p pydd-core --lib
}

# Accesses outside of blocks or after their release, and what is never released.
address() {
    instrumented address test -p pydd-abi -p pydd-numeric -p pydd-core --lib
}

[ $# -gt 0 ] || set -- kernels miri address thread
for each in "$@"; do
    case $each in
        kernels | miri | address | thread) "$each" ;;
        *) echo "usage: $0 [kernels] [miri] [address] [thread]" >&2 && exit 2 ;;
    esac
done
