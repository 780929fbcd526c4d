# make run             installs what is missing, starts everything, prints the address
# make purge           removes what was forgotten from the data folder's files, too; the program must not run
# make backup          the data folder's database and secrets as one file, also while it runs (FILE=where.tar.gz)
# make restore FILE=…  a backup put into the data folder; the program must not run
# make test | lint     the tests, a real browser included | types, style, layers, templates, spelling
# make test-production every test of what differs by engine, on PostgreSQL, Redis, Neo4j and Chroma
# make test-faults     processes killed at every commit point, races from one start, all naughty strings
# make bench           figures: a turn, its growth, pages, start, memory (an hour; ARGS="turn pages" for some)
# make openapi         writes docs/openapi.json, the API as a file
# make quality         labelled sets and fitting; with EVALS=FOLDER (metrics.py and sets) the figures of docs/quality.md
# Variables: make run PORT=8123 DATA_DIR=/somewhere DEMO=0 PYTHON=python3.12

# The newest that runs and can make a virtual environment; where none does, install.py says what is needed.
PYTHON ?= $(or $(shell for name in python3.13 python3.12 python3.11; do $$name -c 'import ensurepip, venv' 2>/dev/null && echo $$name && break; done),python3)
PORT ?= 8000
BIN := .venv/bin
# On two cores a third worker computes while the others wait for the browser and the engines.
TEST_WORKERS ?= 3
TEMPLATES = $(shell find templates -name '*.html')

export DATA_DIR DEMO
# Every process that starts reads what another one compiled: seconds each, where the environment forbids to keep it.
export PYTHONDONTWRITEBYTECODE =

.PHONY: install install-dev run purge backup restore test test-production test-faults bench quality lint format openapi requirements

install:
	@$(PYTHON) kgadmin/embedded/install.py

install-dev:
	@$(PYTHON) kgadmin/embedded/install.py --dev

run: install
	@exec $(BIN)/python -m kgadmin.embedded --port $(PORT)

purge: install
	@$(BIN)/python -m kgadmin.embedded --purge

backup: install
	@$(BIN)/python -m kgadmin.embedded --backup "$(FILE)"

restore: install
	@$(BIN)/python -m kgadmin.embedded --restore "$(FILE)"

test: install-dev
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadgroup $(ARGS)

# PostgreSQL and Redis are Debian's (apt-get install postgresql redis-server), Neo4j is started by NEO4J_TEST_START.
test-production: install-dev
	@$(PYTHON) kgadmin/embedded/install.py --postgres
	$(BIN)/python -m tests.production $(ARGS)

bench: install-dev
	$(BIN)/python -m tests.bench $(ARGS)

test-faults: install-dev
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadgroup -m "faults and not production" $(ARGS)

quality: install-dev
	$(BIN)/python -m pytest -n $(TEST_WORKERS) tests/quality $(ARGS)
	@if [ -n "$(EVALS)" ]; then $(BIN)/python -m tests.quality table; else echo "EVALS names no folder: no figures."; fi

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djangofmt --check $(TEMPLATES)
	$(BIN)/djangofmt check $(TEMPLATES)
	$(BIN)/typos
	SECRET_KEY=for-this-check-only $(BIN)/python manage.py makemigrations --check --dry-run
	SECRET_KEY=for-this-check-only $(BIN)/python manage.py check

format: install-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djangofmt $(TEMPLATES)

openapi: install-dev
	SECRET_KEY=for-this-only $(BIN)/python manage.py export_openapi_schema --api kgadmin.api.api --sorted --indent 1 --output docs/openapi.json

# Torch's local version ("+cpu") names a wheel that only some indexes have.
requirements: install-dev
	for name in requirements requirements-dev; do \
		CUSTOM_COMPILE_COMMAND="make requirements" $(BIN)/pip-compile -q --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
			--no-emit-options --annotation-style line -o $$name.txt $$name.in || exit 1; \
		sed -i 's/^torch==\([0-9.]*\)+[a-z0-9]*/torch==\1/' $$name.txt; \
	done
