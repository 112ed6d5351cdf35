#!/usr/bin/env bash
# usage: test-aarch64.sh [OPTIONS OF tests/conformance]: runs callbacks and a sample of the library's functions, compiled for 64-bit ARM, under
# emulation: Debian's Python for ARM, NumPy's and SciPy's wheels for it, and the runtime's from
# `make wheels-release TARGET=aarch64-unknown-linux-gnu`.
set -euo pipefail
root=$PWD
venv=$root/${VENV:-.venv}
work=$root/build/aarch64
mirror=http://deb.debian.org/debian
packages="libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libffi8 libssl3 libbz2-1.0 liblzma5 libuuid1 libcrypt1
    libpython3.11-minimal libpython3.11-stdlib python3.11-minimal"

mkdir -p "$work/site"
if [ ! -x "$work/system/usr/bin/python3.11" ]; then
    curl -sf "$mirror/dists/bookworm/main/binary-arm64/Packages.xz" | xz -dc >"$work/Packages"
    for package in $packages; do
        file=$(awk -v name="$package" '/^Package: / { found = $2 == name } found && /^Filename: / { print $2; exit }' "$work/Packages")
        curl -sf "$mirror/$file" -o "$work/package.deb"
        dpkg-deb -x "$work/package.deb" "$work/system"
    done
fi
"$venv/bin/python" -m pip download --quiet --no-deps --only-binary :all: --python-version 3.11 --platform manylinux_2_28_aarch64 \
    --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 numpy==2.4.6 scipy==1.17.1 --dest "$work"
for wheel in "$work"/*.whl "$root"/build/release/pydd_runtime-*aarch64.whl; do
    "$venv/bin/python" -m zipfile -e "$wheel" "$work/site"
done

emulated() { PYTHONPATH=$work/site qemu-aarch64 -L "$work/system" "$work/system/usr/bin/python3.11" "$@"; }

emulated tests/aarch64/callbacks.py "$venv/bin/pyddc"
emulated tests/conformance --sample --check --option=--target=aarch64-linux --option=-O2 --failures "$work/failures.txt" "$@"
