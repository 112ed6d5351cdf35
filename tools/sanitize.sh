#!/usr/bin/env bash
# Runs the tests of the runtime's crates under Miri, ThreadSanitizer and AddressSanitizer, and compiled kernels under valgrind:
# tools/sanitize.sh [miri] [thread] [address] [kernels]; without arguments all of them. CONTRIBUTING.md says what each can see.
#
# The first three need a nightly compiler:
#     rustup toolchain install nightly --no-self-update --profile minimal -c miri -c rust-src
# RUSTUP_HOME may name a folder of its own for it.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(rustc -vV | sed -n 's/^host: //p')
target_dir=${CARGO_TARGET_DIR:-target}

nightly() {
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        echo "sanitize: there is no nightly compiler with miri and rust-src; the head of $0 says how to install one" >&2
        exit 1
    fi
    cargo +nightly "$@"
}

# Miri knows no mapped memory of absurd size, no limits of stacks and no fork, and takes hours for arrays worth several threads.
miri() {
    MIRIFLAGS=-Zmiri-disable-isolation nightly miri test -p pydd-core -- "${MIRI_TESTS[@]}"
}

# The standard library is built anew, since its own synchronisation must be seen.
thread() {
    RUSTFLAGS=-Zsanitizer=thread nightly test -Zbuild-std --target "$target" --target-dir "$target_dir/thread" -p pydd-core
}

# Leaks count: LeakSanitizer is part of it.
address() {
    RUSTFLAGS=-Zsanitizer=address nightly test --target "$target" --target-dir "$target_dir/address" \
        -p pydd-abi -p pydd-numeric -p pydd-core
}

for what in "${@:-miri thread address}"; do
    for each in $what; do "$each"; done
done
