# `make help` lists the targets. Every target does the set-up that it needs, and a second run skips it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
PY := $(CURDIR)/$(VENV)/bin/python
PYTHON_FOLDERS := pylib tools runtime/math examples benchmarks tests/python tests/aarch64 tests/conformance tests/packages
STAMPS := build/stamps
CARGO ?= cargo
# `make LOCKED=--locked` fails where Cargo.lock is out of date, instead of updating it.
LOCKED ?=
# For `make fuzz-ir`.
SEEDS ?= 0..10000

# The extension module is built by maturin only: a test binary of it would need libpython to link.
CRATES := --workspace --exclude pydd-runtime-python

export PYTHON VENV LOCKED
# For the test harness: the Python that has the packages.
export PYDD_PYTHON := $(PY)

rust_files = $(shell find $(1) -type f \( -name '*.rs' -o -name '*.toml' -o -name '*.md' -o -name '*.pydd' -o -name '*.pir' \) -not -path '*/target/*')
COMMON := Cargo.toml Cargo.lock rust-toolchain.toml tools/wheel.sh tools/shell-files.sh
COMPILER_FILES := $(COMMON) $(call rust_files,driver frontend ir passes codegen runtime/abi runtime/numeric $(wildcard runtime/math)) \
	$(wildcard runtime/host/include/* runtime/host/rust/*)
RUNTIME_FILES := $(COMMON) $(filter-out runtime/host/%,$(call rust_files,runtime))
PYLIB_FILES = $(shell find pylib/$(1) -type f -not -path '*/__pycache__/*' -not -path '*/data/data/*')

# Seconds and seed of `make fuzz`; the same seed goes on where it ended.
FUZZ_SECONDS ?= 600
SEED ?= 1

.PHONY: help setup apt wheels host fakecuda demo demo-gpu bench-gpu fuzz-gpu test test-rust test-python test-long conformance fuzz fuzz-ir sanitize bench bench-passes bench-library accuracy packages docs docs-serve wheels-release test-aarch64 fmt lint clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: wheels ## a photograph in 16 colours, the Mandelbrot set, correlations of images, triangles of a graph: pictures and tables of times
	$(PY) examples/demo.py
	$(PY) examples/mandelbrot.py
	$(PY) examples/pearson.py
	$(PY) examples/triangles.py

demo-gpu: wheels fakecuda ## four programs on threads and on a GPU; where no card is, on a driver that interprets kernels
	$(PY) examples/gpu.py --driver build/fakecuda

host: apt ## pyddc and libpydd, the runtime for programs in C, C++ and Rust, in target/release
	$(CARGO) build --release $(LOCKED) -p pydd-driver -p pydd-host

fakecuda: ## build/fakecuda, a CUDA driver (and libraries) for tests without a GPU; tests/fakecuda/README.md says how to use it
	$(CARGO) build --release $(LOCKED) -p pydd-fakecuda
	@mkdir -p build/fakecuda
	for name in libcuda.so.1 libcublas.so.12 libcufft.so.11; do ln -sf "$$($(CARGO) metadata --no-deps --format-version 1 | $(PYTHON) -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')/release/libfakecuda.so" "build/fakecuda/$$name"; done

test: test-rust test-python ## all tests, but for the long ones

test-rust: wheels ## crates and case files
	$(CARGO) test --release $(LOCKED) $(CRATES)
	$(CARGO) build --release $(LOCKED) -p pydd-driver -p pydd-harness -p pydd-fakecuda
	$(CARGO) run --release $(LOCKED) -p pydd-harness

test-python: wheels ## the Python packages, as installed from their wheels
	$(PY) -m pytest -q tests/python

test-long: wheels $(STAMPS)/packages ## the tests that are too slow for every change
	PYDD_LONG=1 $(CARGO) test --release $(LOCKED) $(CRATES)
	$(CARGO) build --release $(LOCKED) -p pydd-driver -p pydd-harness -p pydd-fakecuda
	PYDD_LONG=1 $(CARGO) run --release $(LOCKED) -p pydd-harness
	$(CARGO) run --release $(LOCKED) -p pydd-harness -- fuzz --total
	PYDD_LONG=1 $(PY) -m pytest -q tests/python
	$(PY) tests/conformance --check
	$(PY) tests/packages build/packages

conformance: wheels ## every library function on every type, layout and parameter against NumPy; writes docs/coverage.md
	$(CARGO) build --release $(LOCKED) -p pydd-driver
	$(PY) tests/conformance --check --coverage docs/coverage.md

fuzz: ## mutated sources through the frontend and the passes
	$(CARGO) run --release $(LOCKED) -p pydd-fuzz -- --seconds $(FUZZ_SECONDS) --seed $(SEED)

fuzz-ir: ## random IR in the interpreter, after each pass and compiled; SEEDS=A..B
	$(CARGO) run --release $(LOCKED) -p pydd-irfuzz -- --seeds $(SEEDS)

bench-gpu: wheels fakecuda ## loops on a GPU against its copies, CuPy, cuSPARSE and CUDA C++; where no card is, a dry run
	$(PY) benchmarks/gpu.py --driver build/fakecuda

fuzz-gpu: fakecuda ## random IR on the driver of tests/fakecuda, with its threads in three orders, loops whole and in two or three parts; SEEDS=A..B
	for order in 1 2 3; do \
		FAKECUDA_SEED=$$order PYDD_DEVICE_PARTS=$$order $(CARGO) run --release $(LOCKED) -p pydd-irfuzz -- --seeds $(SEEDS) --device build/fakecuda; \
	done

packages: wheels $(STAMPS)/packages ## functions that public packages decorate for Numba, under pydd.jit
	$(PY) tests/packages build/packages --times

sanitize: wheels ## the runtime under Miri, AddressSanitizer and ThreadSanitizer, kernels under valgrind; needs a nightly compiler and valgrind, takes long
	$(CARGO) build --release $(LOCKED) -p pydd-driver
	tools/sanitize.sh

bench: wheels ## programs against NumPy, Numba and C; writes a table, JSON and a plot into benchmarks/results/
	$(PY) benchmarks/bench.py

bench-passes: wheels ## what fusion, sampling and the like are worth: programs with them left out, and with one after the other
	$(PY) benchmarks/passes.py

bench-library: wheels ## every function of the library against NumPy and SciPy; writes a table and JSON into benchmarks/results/
	$(PY) benchmarks/library.py

accuracy: wheels ## errors of elementary functions; writes the table of docs/math.md
	$(PY) tests/python/accuracy.py

docs: wheels ## the documentation as a site in build/site; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	@echo "open build/site/index.html"

docs-serve: wheels ## the same at http://127.0.0.1:8000, made anew when a page changes
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs serve --watch tools/docs

fmt: $(STAMPS)/venv ## format Rust and Python
	$(CARGO) fmt --all
	$(PY) -m ruff format --quiet $(PYTHON_FOLDERS)

lint: apt $(STAMPS)/venv ## formatting, clippy, ruff
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release $(LOCKED) --workspace --all-targets -- -D warnings
	$(PY) -m ruff format --quiet --check $(PYTHON_FOLDERS)
	$(PY) -m ruff check --quiet $(PYTHON_FOLDERS)

setup: apt $(STAMPS)/venv ## Debian packages and .venv

wheels: $(STAMPS)/pydd $(STAMPS)/pydd_runtime ## build both wheels and install them into .venv

wheels-release: $(STAMPS)/venv ## wheels for others, in build/release: manylinux_2_28, compressed; TARGET=aarch64-unknown-linux-gnu makes the runtime's for ARM
	tools/wheels-release.sh $(TARGET)

test-aarch64: wheels ## library functions compiled for 64-bit ARM, under emulation; after `make wheels-release TARGET=aarch64-unknown-linux-gnu`
	tools/test-aarch64.sh

clean: ## remove what was built here, but not cargo's target folder
	rm -rf build $(VENV)

apt:
	@tools/setup-apt.sh

$(STAMPS)/venv: requirements-dev.txt tools/setup-venv.sh | apt
	tools/setup-venv.sh $(VENV)
	@mkdir -p $(@D) && touch $@

$(STAMPS)/packages: tests/packages/requirements.txt $(STAMPS)/venv
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --target build/packages --upgrade -r $<
	@touch $@

# A wheel stamp bears the time at which its build began, so that what is edited meanwhile counts as new.
$(STAMPS)/pydd: $(STAMPS)/venv $(COMPILER_FILES) $(call PYLIB_FILES,pydd) | apt
	@touch $@.started
	tools/wheel.sh pydd pydd_compiler
	@mv $@.started $@

$(STAMPS)/pydd_runtime: $(STAMPS)/venv $(RUNTIME_FILES) $(call PYLIB_FILES,pydd_runtime) | apt
	@touch $@.started
	tools/wheel.sh pydd_runtime pydd_runtime
	@mv $@.started $@

# A .venv that was removed by hand is made again.
ifeq ($(wildcard $(VENV)/bin/python),)
$(STAMPS)/venv: .no-venv
.PHONY: .no-venv
.no-venv:
endif
