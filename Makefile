# Everything here needs only `make`, a POSIX shell and Python 3.11 or newer with its venv module.
# The settings of the service come from the environment: `make run PORT=9000`; see README.md for all.

PYTHON ?= python3
VENV ?= .venv
SPECTRAL_VERSION := 6.16.3
REDOCLY_VERSION := 2.77.0

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input
# uv takes seconds where pip takes a minute; pip is asked where only pip knows the way to the packages.
UV := $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python
INSTALL = sh -c '$(UV) "$$@" 2>/dev/null || $(PIP) "$$@"' install
CREATE_VENV = test -x $(BIN)/python || { \
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else 0' \
	&& echo "Setting up $(VENV), once …" && $(PYTHON) -m venv $(VENV); } \
	&& { $(PIP) --only-binary :all: --require-hashes --requirement deploy/requirements-uv.txt || true; }
LOCK := uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal \
	--python-version 3.11 --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help install run test slow chaos bench strength browser lint types openapi lint-openapi demo lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

install: $(VENV)/.dev ## Install everything for development into $(VENV)

run: $(VENV)/.runtime ## Serve on http://127.0.0.1:8000 (HOST, PORT, WORKERS, REDIS_URL, DATA_DIR from the environment)
	@exec $(BIN)/python -m service

demo: $(VENV)/.runtime ## Play a whole match against the running service and show it (ARGS="--help" tells how)
	@exec $(BIN)/python -m service.demo $(ARGS)

test: $(VENV)/.dev ## Run the tests, with branch coverage
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal --cov --cov-report=term-missing

slow: $(VENV)/.dev ## Run the tests that take minutes
	$(BIN)/python -m pytest -m slow

chaos: $(VENV)/.dev ## Kill, cut, race and stop a real service, long, and print the figures
	$(BIN)/python -m tests.load

bench: $(VENV)/.dev ## Measure how fast it is, beside its stack and its peers, into README.md (ARGS="--help" tells how)
	$(BIN)/python -m tests.load.bench $(or $(ARGS),--write)

strength: $(VENV)/.dev ## Play thousands of deals with the bots and print the share they win (ARGS="--help" tells how)
	$(BIN)/python -m tests.strength $(ARGS)

browser: $(VENV)/.dev ## Run the tests that drive the machine's Chromium (CHROMIUM names another one)
	$(BIN)/python -m pytest -m browser

lint: $(VENV)/.dev ## Check style, format and the walls between the packages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.dev ## Check the types, strictly
	$(BIN)/mypy

openapi: $(VENV)/.runtime ## Write openapi.yaml anew from the code, with its examples recorded anew
	$(BIN)/python -m tests.contract.record_examples
	$(BIN)/python -m service.api.openapi > openapi.yaml.new
	mv openapi.yaml.new openapi.yaml

lint-openapi: $(VENV)/.dev ## Check openapi.yaml (with npm on the machine, by spectral and redocly too)
	$(BIN)/openapi-spec-validator openapi.yaml
	@if command -v npx >/dev/null; then set -ex; \
		npx --yes @stoplight/spectral-cli@$(SPECTRAL_VERSION) lint --ruleset deploy/spectral.yaml --fail-severity error openapi.yaml; \
		npx --yes @redocly/cli@$(REDOCLY_VERSION) lint --extends recommended openapi.yaml; \
	else echo "npm is not on this machine: spectral and redocly are left out"; fi

lock: ## Write the lock files anew, with the newest versions that pyproject.toml allows
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --requirement deploy/requirements-uv.txt
	$(VENV)-lock/bin/$(LOCK) pyproject.toml --output-file requirements.txt
	$(VENV)-lock/bin/$(LOCK) --extra dev --constraints requirements.txt pyproject.toml --output-file requirements-dev.txt
	$(VENV)-lock/bin/$(LOCK) --group build --constraints requirements-dev.txt --output-file deploy/requirements-build.txt
	$(VENV)-lock/bin/$(LOCK) --group install --output-file deploy/requirements-uv.txt
	rm -rf $(VENV)-lock

clean: ## Remove what the other targets made
	rm -rf $(VENV) $(VENV)-lock build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find service tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.runtime: requirements.txt
	@$(CREATE_VENV)
	@$(INSTALL) --require-hashes --requirement requirements.txt
	@touch $@

# The checkout itself is installed without build isolation: its build tool is locked like the rest.
$(VENV)/.dev: requirements-dev.txt pyproject.toml
	@$(CREATE_VENV)
	@echo "Installing what development takes …"
	@$(INSTALL) --require-hashes --requirement requirements-dev.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.runtime $@
