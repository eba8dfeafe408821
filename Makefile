# Each target needs only Python 3.11+ and make: it makes .venv where there is none, installs, and does its job.
# Another interpreter: make PYTHON=python3.12 test.   More arguments for pytest: make test ARGS="-k snowball".

VENV := .venv
BIN := $(VENV)/bin
ARGS :=
export PYTHON
unexport PYTHONDONTWRITEBYTECODE # byte code is made at the first import, see tools/install.sh

.DEFAULT_GOAL := help
.PHONY: help demo test verify lint format goldens images bench clean pins

help:
	@echo "make demo     play a sweep of every game and write its HTML report"
	@echo "make test     the fast tests"
	@echo "make verify   the slow tests: statistics over many games"
	@echo "make lint     style, types, and the direction of imports"
	@echo "make format   put the code into the project's style"
	@echo "make goldens  compare all goldens with what is played now"
	@echo "make images   draw anew the images that figures are compared with"
	@echo "make bench    what games, pieces and starts cost; writes the README's table"
	@echo "make clean    remove .venv and what the tools leave behind (results stay)"
	@echo "make pins     raise the pinned releases in constraints.txt"

# What a stamp says is installed; it is done again when what is asked for has changed.
$(VENV)/.installed: pyproject.toml constraints.txt tools/install.sh
	@sh tools/install.sh $(VENV)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt tools/install.sh
	@sh tools/install.sh $(VENV) dev,dask
	@touch $(VENV)/.installed $@

demo: $(VENV)/.installed
	@$(BIN)/python -m experiments.demo

bench: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest tests/benchmarks/bench_*.py --benchmark-quiet --benchmark-json=$(VENV)/bench.json $(ARGS)
	@$(BIN)/python tools/bench_table.py $(VENV)/bench.json

test: $(VENV)/.installed-dev
	$(BIN)/python tools/warm_kernels.py
	$(BIN)/python -m pytest -m "not slow" -n auto --dist worksteal $(ARGS)

verify: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

goldens: $(VENV)/.installed-dev
	@$(BIN)/python tools/goldens.py $(ARGS)

images: $(VENV)/.installed-dev
	@$(BIN)/python -m tests.reports.figures.cases

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

pins:
	sh tools/pin.sh

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* htmlcov
	rm -rf .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
