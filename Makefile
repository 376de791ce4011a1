# `make run` starts Throughline, `make test` tests it. PORT and DATA_DIR are heard:
#   make run PORT=8010 DATA_DIR=/somewhere/else
PYTHON_ENV := .venv/bin/python
TEMPLATES = find templates -name '*.html'

.PHONY: run install dev test quick benchmarks test-at model test-model train-reader train-texts peers mem0 audit docs lint types migrations check format words pins browser clean help

run: install ## start everything, until Ctrl-C
	@exec $(PYTHON_ENV) manage.py up

install: ## make .venv with what running needs
	@sh requirements/install.sh base

dev: ## make .venv with what development needs as well
	@sh requirements/install.sh dev

test: dev browser ## run all tests on throw-away databases; ARGS goes to pytest
	@$(PYTHON_ENV) -m pytest -n auto --maxprocesses 4 $(ARGS)

quick: dev ## run the tests that need no browser and start no copy; ARGS goes to pytest
	@$(PYTHON_ENV) -m pytest -n auto --maxprocesses 4 --ignore=tests/walks -m "not slow and not benchmark" $(ARGS)

benchmarks: dev ## run every benchmark to its end, as small as it gets
	@$(PYTHON_ENV) -m pytest -m benchmark tests/benchmarks $(ARGS)

test-at: dev browser ## the same at another time, in UTC: make test-at MOMENT="2032-02-29 23:50"
	@mkdir -p .pytest_cache && cc -shared -fPIC -o .pytest_cache/clock.so tests/clock.c
	@at=$$(date -ud "$(or $(MOMENT),MOMENT is missing)" +%s) && \
	    CLOCK_AHEAD=$$((at - $$(date +%s))) LD_PRELOAD=$(CURDIR)/.pytest_cache/clock.so \
	    $(PYTHON_ENV) -m pytest -n auto --maxprocesses 4 $(ARGS)

model: ## a real small language model on this machine, on MODEL_PORT (8081), until Ctrl-C
	@sh requirements/model.sh
	@exec .venv-model/bin/python benchmarks/support/small_model.py --port $(or $(MODEL_PORT),8081)

train-reader: ## train the reader of facts anew, in an environment of its own; takes about two hours
	@test -d .venv-train || python3 -m venv .venv-train
	@.venv-train/bin/python -m pip install --quiet --require-hashes -r requirements/train.txt
	@.venv-train/bin/python -m training.train --out memory/language/reader

train-texts: ## train the classifiers of texts anew, in the same environment; takes about two hours
	@test -d .venv-train || python3 -m venv .venv-train
	@.venv-train/bin/python -m pip install --quiet --require-hashes -r requirements/train.txt
	@.venv-train/bin/python -m training.train_texts --all --out memory/language/text/texts.onnx

peers: dev ## compare with other stores of memories, in an environment of their own: `python -m benchmarks peers`
	@test -d .venv-peers || python3 -m venv .venv-peers
	@.venv-peers/bin/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/peers.txt
	@$(PYTHON_ENV) -m benchmarks peers --out peers $(ARGS)

mem0: ## mem0's client, in an environment of its own; its tests are skipped without it
	@test -x .venv-mem0/bin/python || python3 -m venv .venv-mem0
	@.venv-mem0/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/mem0.txt

audit: dev ## secrets in files, licences (docs/licences.md), bill of materials (audit/) and known weaknesses of the pinned packages; asks the net
	@test -x .venv-audit/bin/python || python3 -m venv .venv-audit
	@.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/audit.txt
	@$(PYTHON_ENV) requirements/licences.py
	@git ls-files -z | xargs -0 .venv/bin/detect-secrets-hook --no-verify --baseline .secrets.baseline
	@mkdir -p audit
	@.venv-audit/bin/python -W ignore -m cyclonedx_py requirements --pyproject pyproject.toml --output-reproducible -o audit/sbom.json requirements/base.txt
	@.venv-audit/bin/pip-audit --strict --require-hashes --disable-pip --progress-spinner off -r requirements/base.txt $(ARGS)

docs: ## the documentation site, in site/
	@test -x .venv-docs/bin/python || python3 -m venv .venv-docs
	@.venv-docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/docs.txt
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict --quiet

test-model: dev ## try the product with that model; skipped with a reason where it is not installed
	@REAL_MODEL=1 $(PYTHON_ENV) -m pytest -rs tests/walks/test_small_model.py $(ARGS)

lint: dev ## style of code and templates, and who may import whom
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --quiet --check .
	@$(TEMPLATES) -exec .venv/bin/djlint --lint --quiet {} +
	@$(TEMPLATES) -exec .venv/bin/djade --check --target-version 5.2 {} +
	@.venv/bin/lint-imports

types: dev ## static types
	@.venv/bin/mypy config evaluation webhooks privacy conversations ledger memory personas accounts benchmarks clients/python/throughline_client

migrations: dev ## no model has changed without a migration
	@$(PYTHON_ENV) -W ignore manage.py makemigrations --check --dry-run

check: lint types migrations test ## all that CI does

format: dev ## put code and templates into shape
	@.venv/bin/ruff check --quiet --fix-only .
	@.venv/bin/ruff format --quiet .
	@$(TEMPLATES) -exec .venv/bin/djade --target-version 5.2 {} + || true

words: ## compile the sentences of locale/, after an edit; needs gettext
	@cd locale/en_GB/LC_MESSAGES && msgfmt --check -o django.mo django.po

pins: dev ## pin every dependency anew, after an edit of pyproject.toml
	@sh requirements/compile.sh $(ARGS)

browser: # for the browser tests; without one they are skipped and say so
	@if ! command -v chromium >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests ..."; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
	      --no-install-recommends chromium fonts-dejavu-core >/dev/null; } \
	      || echo "Chromium could not be installed; the browser tests will be skipped."; \
	fi

clean: ## remove .venv and caches; DATA_DIR stays
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

help:
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1	/p' Makefile
