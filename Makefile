# `make run` serves the demo, `make test` runs every test; the rest is listed in CONTRIBUTING.md.
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
BIND   ?= 127.0.0.1:8000
WORKERS ?= 2
export ATLAS_DATA_DIR ?= $(CURDIR)/var

.PHONY: run install install-dev test quick check format bench screenshots demo-agent secret clean

run: install
	@umask 077; mkdir -p "$(ATLAS_DATA_DIR)"; test -s "$(ATLAS_DATA_DIR)/secret_key" || \
		$(PY) -c 'import secrets; print(secrets.token_urlsafe(48))' > "$(ATLAS_DATA_DIR)/secret_key"
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py collectstatic --no-input --verbosity 0
	@$(PY) manage.py demo --address http://$(BIND)
	@ATLAS_SECRET_KEY="$$(cat "$(ATLAS_DATA_DIR)/secret_key")" exec $(PY) manage.py serve --bind $(BIND) --workers $(WORKERS)

install: $(VENV)/.installed
install-dev: $(VENV)/.installed-dev

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Atlas Memory needs Python 3.11 or newer: install it, then run make PYTHON=/path/to/python3.11 run."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "This Python cannot make an environment: install its venv module (on Debian: apt install python3-venv)."; exit 1; }

$(VENV)/.installed: requirements.txt | $(VENV)/bin/python
	@echo "Installing the libraries (about a minute the first time) …"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.installed

test: install-dev
	$(PY) -m pytest -n 2 --dist loadgroup

quick: install-dev
	$(PY) -m pytest -n 2 --dist loadgroup -m "not slow and not browser"

check: install-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m djlint templates --lint --quiet
	$(PY) -m mypy memories atlas_site

format: install-dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

screenshots: install-dev
	$(PY) -m benchmarks.screenshots

bench: install-dev
	$(PY) -m benchmarks.recall $(if $(MILLION),--million)

demo-agent: install
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py demo_agent

secret:
	@$(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(48))'

clean:
	rm -rf $(VENV) staticfiles .mypy_cache .ruff_cache .pytest_cache
