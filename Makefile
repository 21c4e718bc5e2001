# make demo   trains three games with and without FARL and shows the difference (about two minutes)
# make test   all checks and tests; they have to pass before a change is merged
# make test-gpu  the tests that need a GPU by NVIDIA
# make bench  moves per second of this machine
# make fuzz   attacks files, commands and processes for MINUTES (30), from SEED (1)
# make page   the scripts of pages from web/ (needs Node; what it makes is part of the repository)
# make site   the documentation as a site in build/site, with games to play (DEMOS=no: without)
# make notebooks  runs the notebooks of docs/notebooks and stores what they show
# make lock   updates requirements.lock from pyproject.toml
#
# All of them first make .venv, from any Python >= 3.11 on the PATH (or PYTHON=...), unless it is up to date.

MINUTES ?= 30
SEED ?= 1
DEMOS ?= yes
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$p && break; done)

.PHONY: setup test test-gpu demo bench fuzz page site notebooks lock clean

setup: $(STAMP)

# Some systems ship venv without pip inside: then the pip outside installs into it.
$(STAMP): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "tafl needs Python 3.11 or newer; none is on the PATH (set PYTHON=...)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m venv --without-pip --clear $(VENV)
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; then pip="$(BIN)/python -m pip"; \
	else pip="$(PYTHON) -m pip --python $(BIN)/python"; fi; \
	$$pip install --quiet --require-hashes --requirement requirements.lock && \
	$$pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

test: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile

test-gpu: setup
	$(BIN)/python -m pip install --quiet "numba-cuda[cu12]>=0.30"
	$(BIN)/pytest -m gpu tests/test_gpu.py

demo: setup
	$(BIN)/tafl demo

bench: setup
	$(BIN)/tafl bench

fuzz: setup
	$(BIN)/python tests/fuzz.py --minutes $(MINUTES) --seed $(SEED)

page:
	cd web && npm install --no-package-lock --no-audit --no-fund && npm run build

site: setup
	rm -rf build/demos
	if [ $(DEMOS) = yes ]; then $(BIN)/tafl page --all --out build/demos; fi
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

notebooks: setup
	$(BIN)/python tests/notebooks.py

lock:
	uv pip compile pyproject.toml --extra dev --extra docs --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
