# make demo   trains three games with and without FARL and shows the difference (about a minute)
# make test   all checks and tests, in JOBS (2) processes; they have to pass before a change is merged
# make test-all  the same with the tests that repeat others at length; CI runs them
# make test-gpu  the tests that need an NVIDIA GPU
# make bench  moves per second of this machine
# make fuzz   attacks files, commands and processes for MINUTES (30), from SEED (1)
# make page   the scripts of pages from web/ (needs Node; what it makes is part of the repository)
# make site   the documentation as a site in build/site, with games to play (DEMOS=no: without; URL: its address)
# make notebooks  runs the notebooks of docs/notebooks and stores what they show
# make lock   updates both lock files from pyproject.toml (UPGRADE=--upgrade: to the newest versions)
#
# All of them first make .venv, from any Python >= 3.11 on the PATH (or PYTHON=...), unless it is up to date.
# `make demo` and `make bench` install only what tafl needs (requirements.lock), the others everything
# (requirements-dev.lock).

MINUTES ?= 30
SEED ?= 1
DEMOS ?= yes
URL ?=
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$p && break; done)

# Many containers set this; then every process would compile all modules of Numba again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup style types tests test test-all test-gpu demo bench fuzz page site notebooks lock clean

setup: $(DEV)

# Some systems ship venv without pip inside: then the pip outside installs into it.
PIP = pip="$(BIN)/python -m pip"; $$pip --version > /dev/null 2>&1 || pip="$(PYTHON) -m pip --python $(BIN)/python"; $$pip
# The locks name all dependencies, and Python compiles a module when it is first imported.
INSTALL = $(PIP) install --quiet --no-deps --no-compile

$(RUNTIME): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "tafl needs Python 3.11 or newer; none is on the PATH (set PYTHON=...)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m venv --without-pip --clear $(VENV)
	@$(INSTALL) --require-hashes --requirement requirements.lock
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(DEV): requirements-dev.lock $(RUNTIME)
	@$(INSTALL) --require-hashes --requirement requirements-dev.lock
	@touch $@

style: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup
	$(BIN)/mypy
	$(BIN)/lint-imports

# One file is run by one process: tests of a file share what they train and compile.
tests: setup
	$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m $(TESTS)

test: TESTS = "not long"
test-all: TESTS = "long or not long"
test test-all: style
	@$(MAKE) --no-print-directory --jobs 2 types tests TESTS='$(TESTS)'

test-gpu: setup
	@$(PIP) install --quiet "numba-cuda[cu12]==$(shell sed -n 's/^numba-cuda==\([^ ;]*\).*/\1/p' requirements-dev.lock)"
	$(BIN)/pytest -n 4 -m gpu tests/test_gpu.py

demo: $(RUNTIME)
	$(BIN)/tafl demo

bench: $(RUNTIME)
	$(BIN)/tafl bench

fuzz: setup
	$(BIN)/python tests/fuzz.py --minutes $(MINUTES) --seed $(SEED)

page:
	cd web && npm ci --no-audit --no-fund && npm run build

site: setup
	rm -rf build/demos
	if [ $(DEMOS) = yes ]; then $(BIN)/tafl page --all --out build/demos --docs ../ --url "$(URL)"; fi
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

notebooks: setup
	$(BIN)/python tests/notebooks.py

# uv is fetched where it is missing. The second lock starts from the versions of the first, so that they agree.
LOCK = $$uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --quiet
lock:
	@set -e; uv=$$(command -v uv) || { $(PYTHON) -m venv build/uv; build/uv/bin/pip install --quiet uv==0.13.8; uv=build/uv/bin/uv; }; \
	$(LOCK) $(UPGRADE) --extra dev --extra docs --output-file requirements-dev.lock; \
	cp requirements-dev.lock requirements.lock; \
	$(LOCK) --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks studies -name __pycache__ -type d -prune -exec rm -rf {} +
