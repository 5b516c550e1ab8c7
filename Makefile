# `make run` and `make test` need Python 3.11 or newer and nothing else of ours.
PYTHON ?= python3
VENV := .venv/bin
PIP_COMPILE := CUSTOM_COMPILE_COMMAND="make requirements" $(VENV)/pip-compile --quiet --strip-extras \
	--allow-unsafe --no-annotate --no-emit-index-url --no-emit-trusted-host --no-emit-options

.PHONY: run test lint bench load soak fuzz requirements

# Everything, on http://127.0.0.1:8000: make run [PORT=8000] [HOST=127.0.0.1]
run:
	@$(PYTHON) bootstrap.py
	@exec $(VENV)/python manage.py run

# Every check there is.
test: lint
	@$(VENV)/python -m tests.chromium
	@exec $(VENV)/pytest -n 2 --dist loadfile

lint:
	@$(PYTHON) bootstrap.py --dev
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports --no-logo
	$(VENV)/djlint templates --lint --quiet

# Measures our algorithms beside the studies' own, and writes docs/benchmarks.md.
bench:
	@$(PYTHON) bootstrap.py
	@exec $(VENV)/python -m bench

# Lessons of 40, 200 and 1,000 students on SQLite and PostgreSQL: make load [LOAD="--students 200"]
load:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.load $(LOAD)

# Throws odd texts at every reader: make fuzz [TEXTS=100000] [SEED=1]
fuzz:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.fuzz $(if $(TEXTS),--texts $(TEXTS)) $(if $(SEED),--seed $(SEED))

# Pins the newest versions that requirements*.in allow.
requirements:
	@$(PYTHON) bootstrap.py --dev
	$(PIP_COMPILE) --upgrade --output-file requirements.txt requirements.in
	$(PIP_COMPILE) --upgrade --output-file requirements-dev.txt requirements-dev.in
