#!/usr/bin/env bash
# usage: shell-files.sh: puts the manual page and what shells complete, as the compiler prints them, where maturin takes what a wheel
# installs into `share`.
set -euo pipefail
data=$PWD/pylib/pydd/data/data
share=$data/share

pyddc() { "${CARGO:-cargo}" run --quiet --release ${LOCKED:-} -p pydd-driver --bin pyddc -- "$@"; }

rm -rf "$data"
mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
pyddc man > "$share/man/man1/pyddc.1"
pyddc completions bash > "$share/bash-completion/completions/pyddc"
pyddc completions zsh > "$share/zsh/site-functions/_pyddc"
pyddc completions fish > "$share/fish/vendor_completions.d/pyddc.fish"
