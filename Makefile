# `make run`, `make test` and `make test-all` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv/bin
# Pins have hashes and serve every platform and Python. What only some of them need has a marker.
PIN := UV_CUSTOM_COMPILE_COMMAND="make requirements" $(VENV)/uv pip compile --quiet --universal \
	--python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --upgrade

# Without bytecode, programs would compile all modules anew at each start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-all check near coverage browsers chromium prepared lesson lint types style bench load taps soak fuzz requirements docs dist sbom

# Run the whole site on http://127.0.0.1:8000: make run [PORT=8000] [HOST=127.0.0.1]. `make run
# TIMES=1` prints how long the parts of the start take.
run:
	@$(PYTHON) bootstrap.py --run
	@exec $(VENV)/python manage.py run

# Run the checks that every change needs: make test [WORKERS=2]. While mypy is running, the other
# linters run, Chromium is installed if it is missing, the database with which tests begin is made,
# and the tests of a fresh clone are compiled, once for all workers. Four tests run at a time on two
# cores, because those of browsers and processes wait half of the time.
WORKERS ?= 4
PYTEST = $(VENV)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
test:
	@$(PYTHON) bootstrap.py --dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types style chromium prepared
	@$(PYTEST) -m "not thorough"

# Run every check there is: all ready tables, browsers, processes, and what takes long.
test-all: test
	@$(VENV)/python -m tests.webdriver
	@exec $(PYTEST) -m thorough

# Check a small change in about two minutes: run lint, and at the same time the tests of the apps and
# kinds that differ from a branch: make check [BASE=origin/main]
BASE ?= origin/main
check:
	@$(PYTHON) bootstrap.py --dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types style near

# Tests of rules that a change anywhere can break run always.
GENERAL := $(patsubst %,tests/web/test_%.py,translations rights every_page query_counts names)
near:
	@changed=$$(git diff --name-only --merge-base $(BASE) && git ls-files --others --exclude-standard) && \
	near=$$(echo "$$changed" | sed -En \
		-e 's#^(puzzleclass|templates|tests/web)/([a-z_]+)/.*#tests/web/\2#p' \
		-e 's#^puzzleclass/jobs/.*#tests/jobs#p' \
		-e 's#^solvers/([a-z_]+)/.*#tests/solvers/test_\1.py#p' \
		-e '/^tests\/(web|jobs|solvers)\/.*test_[a-z_]+\.py$$/p') && \
	$(VENV)/pytest -n 2 --dist loadfile $$(ls -d $(GENERAL) $$near 2>/dev/null)

# Show the lines and branches that no fast test reaches. Browser and integration tests are left
# out: make coverage [TESTS=tests/web]
FAST := tests/web tests/jobs tests/releases tests/solvers
coverage:
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/coverage erase
	$(VENV)/coverage run -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(or $(TESTS),$(FAST))
	@$(VENV)/coverage combine --quiet
	@$(VENV)/coverage report

browsers: chromium
	@$(VENV)/python -m tests.webdriver

chromium:
	@$(VENV)/python -m tests.chromium

prepared:
	@$(VENV)/python -m tests.prepared

# Check types and style, on two cores.
lint:
	@$(PYTHON) bootstrap.py --dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types style

types:
	$(VENV)/mypy

style:
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/lint-imports --no-logo
	$(VENV)/djlint templates --lint --quiet
	PATH="$(CURDIR)/$(VENV):$$PATH" npm run --silent lint

# Rehearse a lesson of 40 students by a plan, with questions and reasons, the discussion and looking
# back, compare its pages with brute force, and print its figures: make lesson [CLIENTS=40] [PACE=1]
lesson:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.integration.rehearsal $(if $(CLIENTS),--clients $(CLIENTS)) $(if $(PACE),--pace $(PACE))

# Measure our algorithms beside the studies' own, and write docs/benchmarks.md, which takes about
# ten minutes: make bench [BENCH=--long], or one part of it: make bench BENCH="--only memory"
bench:
	@$(PYTHON) bootstrap.py
	@exec $(VENV)/python -m bench $(BENCH)

# Play lessons of 40, 200 and 1,000 students on SQLite and PostgreSQL:
# make load [LOAD="--students 200"]
load:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.load $(LOAD)

# Measure how long a press on a board takes until it is painted, and until it is answered:
# make taps [TAPS="--kind goishi"]
taps:
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m tests.chromium
	@exec $(VENV)/python -m tests.load.taps $(TAPS)

# Kill the worker, the web server, Redis and PostgreSQL 20 times each under load:
# make soak [SOAK="--kills 5"]
soak:
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python -m tests.load.soak $(SOAK)

# Send odd texts to every reader, compare the answers about random boards with brute force and the
# rules in Python with those in JavaScript, then send odd requests of every role to every address:
# make fuzz [TEXTS=100000] [ANSWERS=300] [COUNTS=100000] [REASONS=2500] [RULES=100000] [TABLES=100000] [REQUESTS=20000] [SEED=1]
fuzz:
	@$(PYTHON) bootstrap.py --dev
	FUZZ_TEXTS=$(or $(TEXTS),100000) FUZZ_ANSWERS=$(or $(ANSWERS),300) FUZZ_TABLES=$(or $(TABLES),100000) \
	FUZZ_COUNTS=$(or $(COUNTS),100000) FUZZ_REASONS=$(or $(REASONS),2500) FUZZ_REQUESTS=$(or $(REQUESTS),20000) \
	FUZZ_RULES=$(or $(RULES),100000) FUZZ_SEED=$(or $(SEED),$(shell date +%s)) $(VENV)/pytest -n 2 --timeout 0 -k "agree or odd" \
	tests/solvers/test_readers.py tests/solvers/test_contract.py tests/solvers/test_rule_tables.py \
	tests/solvers/test_table_questions.py tests/solvers/test_estimates.py \
	tests/solvers/test_twins.py tests/solvers/test_reasons.py tests/solvers/test_browser_rules.py \
	tests/web/test_fuzz_requests.py

# Pin the newest versions that requirements*.in allow. The site's packages are pinned only once.
NOT_AGAIN = $$(sed -n 's/^\([a-z0-9._-]*\).*==.*/--no-emit-package \1/p' requirements.txt)
requirements:
	@$(PYTHON) bootstrap.py --dev
	$(PIN) --output-file requirements.txt requirements.in
	$(PIN) $(NOT_AGAIN) --output-file requirements-dev.txt requirements-dev.in
	$(PIN) $(NOT_AGAIN) --output-file requirements-docs.txt requirements-docs.in

# Build the documentation as a site, in docs/_site/index.html. A broken link is an error.
docs:
	@$(PYTHON) bootstrap.py --docs
	@$(VENV)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_site

# Build the distributions of the site and of the solvers, in dist/. To run them without make or git:
# uvx --find-links dist puzzleclass
dist:
	@$(PYTHON) bootstrap.py --dev
	$(VENV)/uv build --quiet --wheel --no-build-isolation --out-dir dist .
	$(VENV)/uv build --quiet --wheel --no-build-isolation --out-dir dist packaging/solvers

# Write a software bill of materials (CycloneDX) from the pinned packages, for security reviews.
sbom:
	@$(PYTHON) bootstrap.py --docs
	@$(VENV)/cyclonedx-py requirements --output-reproducible --output-file sbom.json requirements.txt
