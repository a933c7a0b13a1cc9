# make run   set up and build the graph of the sample corpus
# make test  set up and run the tests
# make check lint, types, layers          make bench  benchmarks          make corpus  render the sample books anew
PYTHON ?= python3
VENV ?= .venv
PY = $(VENV)/bin/python

.PHONY: run test check bench corpus clean

run: $(VENV)/.default
	$(PY) run.py

test: $(VENV)/.test
	$(PY) -m pytest -q -n auto

check: $(VENV)/.dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: $(VENV)/.dev
	for script in benchmarks/*.py; do $(PY) $$script || exit 1; done

corpus: $(VENV)/.dev
	$(PY) -m corpus.render

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.default: pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) outputs
