#!/usr/bin/env bash
# Installs the Debian packages that the build needs, and only those that are missing.
# gdb is for the tests of debug information, qemu-user for those of other processors. llvm-22-dev brings no C++ library to link against, and Debian's gcc brings none either: hence g++.
set -euo pipefail

packages=(llvm-22-dev libpolly-22-dev libzstd-dev zlib1g-dev libxml2-dev g++ gdb qemu-user)
if ! "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null; then
    packages+=(python3-venv)
fi

if ! command -v dpkg-query >/dev/null; then
    if [ -x "${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}/bin/llvm-config" ]; then
        exit 0
    fi
    echo "This is not a Debian system: install LLVM 22 with its static libraries (polly too), zstd, zlib and" >&2
    echo "libxml2 headers, and set LLVM_SYS_221_PREFIX to LLVM's folder. See CONTRIBUTING.md." >&2
    exit 1
fi

missing=()
for package in "${packages[@]}"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
        missing+=("$package")
    fi
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing; install them as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
