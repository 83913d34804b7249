# Two commands on a machine with only Python 3.11+ and make:
#   make demo   a small real study, with its report
#   make test   the whole test suite
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test lint format benchmark clean

demo: $(VENV)/.installed
	$(BIN)/meeplecarlo demo

# The first test run compiles the games; doing it once up front keeps parallel test workers from each doing it.
test: $(VENV)/.installed-dev lint
	$(BIN)/python scripts/warm_cache.py
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

benchmark: $(VENV)/.installed-dev
	$(BIN)/python scripts/benchmark.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and f"meeplecarlo needs Python 3.11 or newer, but $(PYTHON) is {v}; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e ".[dev]"
	@touch $@ $(VENV)/.installed
