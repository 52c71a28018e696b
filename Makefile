# Every verb sets up what it needs: `.venv` for the project, `.venv-sam` for the SAM and AWS command lines.
.DEFAULT_GOAL := help
.PHONY: help setup demo test unit sandbox invoke lint format bench coverage build fingerprint lock clean
SHELL := /bin/bash

PYTHON := .venv/bin/python
SETUP := .venv/ready .venv-sam/ready
# `sam build` takes python3.13 from PATH and no shim of pyenv.
export PATH := $(CURDIR)/.venv/bin:$(CURDIR)/.venv-sam/bin:$(PATH)
export PYTHONPATH := $(CURDIR):$(CURDIR)/src/layers/efs_monitor
export SAM_CLI_TELEMETRY := 0
export AWS_DEFAULT_REGION ?= us-east-1

help: ## What can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

setup: ## Make both locked environments
	@$(MAKE) --silent --no-print-directory --jobs 2 $(SETUP)

.venv/ready: requirements/dev.txt
	@tools/make-environment .venv requirements/dev.txt

.venv-sam/ready: requirements/sam.txt
	@tools/make-environment .venv-sam requirements/sam.txt

build: setup ## Build functions and layer with the real `sam build`
	@sam build

demo: setup ## Deploy to a local AWS and live through three days; SCENARIO=name or a .toml of your own
	@$(PYTHON) -m sandbox.demo $(SCENARIO)

sandbox: setup ## Keep a local AWS running and print its endpoint
	@$(PYTHON) -m sandbox

invoke: setup ## Run one built function on one event: make invoke FN=Explain EVENT=events/warning-alarm.json
	@$(PYTHON) -m sandbox.invoke "$(FN)" "$(EVENT)"

lint: setup ## ruff, mypy, cfn-lint on the template as written and as transformed, sam validate
	@ruff check .
	@ruff format --check .
	@mypy src/layers/efs_monitor/efs_monitor src/functions/*/app.py sim sandbox tools tests
	@cfn-lint template.yaml
	@sam validate --lint

format: setup ## Format and sort imports
	@ruff check --fix .
	@ruff format .

unit: setup ## The fast tests only
	@$(PYTHON) -m pytest tests/unit -q

test: lint ## Everything: lints, all tests, coverage of src and sim
	@$(PYTHON) -m pytest --cov --cov-report=term-missing:skip-covered --cov-fail-under=95

bench: setup ## Measure what the project promises about speed and size
	@$(PYTHON) -m sandbox.bench

fingerprint: setup ## The value for AlarmFingerprint in template.yaml
	@$(PYTHON) tools/fingerprint.py

lock: setup ## Pin newer versions of everything, with hashes
	@tools/lock

clean: ## Remove what was built
	@rm -rf .aws-sam out .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
