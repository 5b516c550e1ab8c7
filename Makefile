# `make run` and `make test` need Python 3.11 or newer and nothing else of ours.
PYTHON ?= python3
VENV := .venv/bin
# With hashes, and for every platform and Python at once: what one of them alone needs has a marker.
PIN := UV_CUSTOM_COMPILE_COMMAND="make requirements" $(VENV)/uv pip compile --quiet --universal \
	--python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --upgrade

# Programs that may not keep their bytecode compile all of ours anew at each start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test chromium lesson lint bench load taps soak fuzz requirements

# Everything, on http://127.0.0.1:8000: make run [PORT=8000] [HOST=127.0.0.1]
run:
	@$(PYTHON) bootstrap.py
	@exec $(VENV)/python manage.py run

# Every check there is. While mypy calculates, a Chromium is installed if there is none.
test:
	@$(PYTHON) bootstrap.py --dev
	@$(MAKE) --no-print-directory --jobs 2 lint chromium
	@exec $(VENV)/pytest -n 2 --dist loadfile --no-loadscope-reorder

chromium:
	@$(VENV)/python -m tests.chromium

lint:
	@$(PYTHON) bootstrap.py --dev
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports --no-logo
	$(VENV)/djlint templates --lint --quiet

# A lesson of 40 rehearsed, with its figures: make lesson [CLIENTS=40] [PACE=1]
lesson:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.integration.rehearsal $(if $(CLIENTS),--clients $(CLIENTS)) $(if $(PACE),--pace $(PACE))

# Measures our algorithms beside the studies' own, and writes docs/benchmarks.md, in about eight
# minutes: make bench [BENCH=--long]
bench:
	@$(PYTHON) bootstrap.py
	@exec $(VENV)/python -m bench $(BENCH)

# Lessons of 40, 200 and 1,000 students on SQLite and PostgreSQL: make load [LOAD="--students 200"]
load:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.load $(LOAD)

# How long a press on a board takes until it is painted, and answered: make taps [TAPS="--kind goishi"]
taps:
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m tests.chromium
	@exec $(VENV)/python -m tests.load.taps $(TAPS)

# Kills worker, web, Redis and PostgreSQL 20 times each under load: make soak [SOAK="--kills 5"]
soak:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.load.soak $(SOAK)

# Throws odd texts at every reader: make fuzz [TEXTS=100000] [REQUESTS=20000] [SEED=1]; then odd
# requests of every role at every address.
fuzz:
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m tests.fuzz $(if $(TEXTS),--texts $(TEXTS)) $(if $(SEED),--seed $(SEED))
	@exec $(VENV)/python -m tests.fuzz_requests $(if $(REQUESTS),--requests $(REQUESTS)) $(if $(SEED),--seed $(SEED))

# Pins the newest versions that requirements*.in allow.
requirements:
	@$(PYTHON) bootstrap.py --dev
	$(PIN) --output-file requirements.txt requirements.in
	$(PIN) --output-file requirements-dev.txt requirements-dev.in
