# One word for each habit. `make run` and `make test` need only python3 with
# venv, make and gcc; both set up what else they need in .venv first.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
READY := .venv/.ready
PIP = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt
WORKERS ?= 2

.DEFAULT_GOAL := run
.PHONY: setup run browser test prove page-check lint bench fuzz docs screenshots lock clean

$(INSTALLED): pyproject.toml constraints.txt  # what a user needs
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $(INSTALLED)

$(READY): pyproject.toml constraints.txt  # and what tests, benchmarks and linters need
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[dev]'
	@touch $(INSTALLED) $(READY)

setup: $(READY)

run: $(INSTALLED)  # again: nothing is played twice, `make clean` forgets it all
	@mkdir -p build
	$(BIN)/topple tournament docs/examples/five-games.toml --db build/five-games.db
	$(BIN)/topple report build/five-games.db > build/tables.txt
	@echo
	@echo 'Open build/five-games-report/report.html in a browser: tables and charts of these games.'
	@echo 'Play in the terminal:  $(BIN)/topple play hex human uct:time=1'
	@echo 'Play on a page:        $(BIN)/topple lab --db build/five-games.db'

browser: setup  # the tests of the lab's page need one; Chromium is installed where none is found
	@$(BIN)/python -m tests.e2e.browser

test: setup
	@$(MAKE) --no-print-directory --jobs 2 lint browser
	$(BIN)/topple warmup
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --durations 10 -m 'not prove'

prove: setup browser page-check  # what takes too long for `make test`: simulations, soak, full scale
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --durations 20 -m prove

page-check:  # types and lint of the lab's page; needs Node and npm
	npm install --silent --prefix tests/page_check
	tests/page_check/node_modules/.bin/tsc --project tests/page_check
	tests/page_check/node_modules/.bin/eslint --config tests/page_check/eslint.config.js src/topple/lab/static/js

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup browser
	$(BIN)/topple bench playouts
	$(BIN)/topple bench scaling
	$(BIN)/python -m benchmarks.twins
	$(BIN)/python -m benchmarks.arena
	$(BIN)/python -m benchmarks.open_spiel
	$(BIN)/python -m benchmarks.pettingzoo
	$(BIN)/python -m benchmarks.lab
	$(BIN)/python -m benchmarks.lab_page

fuzz: setup  # until stopped with Ctrl-C
	$(BIN)/python -m tests.games.fuzz

docs: setup  # run every example of the documentation
	$(BIN)/python -m pytest tests/core/test_docs.py

screenshots: setup browser  # of the lab, for README and docs
	$(BIN)/python -m tests.e2e.screenshots

lock: setup  # renew the pinned versions
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable '.[dev]'
	echo '# What `make setup` installs, pinned. Renew with `make lock`.' > .venv/constraints.txt
	$(BIN)/python -m pip freeze --exclude-editable >> .venv/constraints.txt
	mv .venv/constraints.txt constraints.txt

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist tests/page_check/node_modules
