# Every verb sets up what it needs: `.venv` for the project, `.venv-sam` for the SAM and AWS command lines, `.venv-lint`
# for the security linters, `.venv-oldest` for the oldest libraries that a function can meet.
VERBS := help setup demo test unit sandbox invoke local-invoke backtest advise report drill benchmark smoke package lint format bench prove oldest security build generate examples pictures shellcheck lock clean
.DEFAULT_GOAL := help
.PHONY: $(VERBS)
SHELL := /bin/bash

# What may be given behind a verb: what this file reads, and what others read of the environment, where make puts it.
# Anything else is mistyped, and the verb would do another thing than was asked.
READ := ACCEPT_GIB ARGS BUILT CONTAINERS ENV EVENT FN FORCE HOLD INSTANCES OWN PROFILE PROOF REGION SCENARIO SIZE_MIB STACK WHOLE
READ_BY_OTHERS := AWS_% CI COLUMNS DOCKER_% EFS_MONITOR_% HOME LANG LC_% MAKE% NO_COLOR PATH PIP_% PYTEST_% PYTHON% SAM_% \
  SANDBOX_REGION SHELL SSL_% TERM TMPDIR TZ UPDATE_GOLDEN UV_% XDG_% %_PROXY %_proxy
GIVEN := $(foreach one,$(.VARIABLES),$(if $(filter command,$(origin $(one))),$(one)))
nearest = $(firstword $(foreach one,$(READ),$(if $(filter $(one)%,$(1))$(filter $(1)%,$(one)),$(one))))
$(foreach one,$(filter-out $(READ) $(READ_BY_OTHERS),$(GIVEN)),$(error \
  No verb takes $(one): $(if $(call nearest,$(one)),$(call nearest,$(one)) may be meant,`make help` names what each takes)))

PYTHON := .venv/bin/python
# Ctrl-C is answered with a sentence from the first import on.
RUN := $(PYTHON) -m tools.run
SETUP := .venv/ready .venv-sam/ready
# `sam build` takes python3.13 from PATH and no shim of pyenv.
export PATH := $(CURDIR)/.venv/bin:$(CURDIR)/.venv-sam/bin:$(PATH)
export PYTHONPATH := $(CURDIR):$(CURDIR)/src/layers/efs_monitor
export SAM_CLI_TELEMETRY := 0
# Containers often ask not to keep compiled modules: every process would compile this project's and its tests' anew.
unexport PYTHONDONTWRITEBYTECODE
# What works on a deployed stack works in that stack's Region; all else needs one only so that boto3 has one.
$(filter-out drill benchmark smoke,$(VERBS)): export AWS_DEFAULT_REGION ?= us-east-1
STACK_OR_ENVIRONMENT = $(if $(STACK),--stack "$$STACK") $(if $(ENV),--environment "$$ENV")

# Whoever reads the beginning of an answer, with head, is told of no error by make. One command in a line, so that
# nothing stands between make and Python: a shell that waits for it would be ended by `kill`, and Python would go on.
HALF_READ := EFS_MONITOR_UNREAD_STATUS=0

help: ## What can be made
	@python3 tools/verbs.py $(MAKEFILE_LIST)

# What keeps both from being made is said once, before they are made at the same time.
setup: ## Make both locked environments
	@$(MAKE) --silent --question $(SETUP) || tools/make-environment
	@$(MAKE) --silent --no-print-directory --jobs 2 $(SETUP)

# An environment that was moved with its folder is made anew: the paths in it lead to where it was. A link is its owner's.
MOVED := $(shell for one in .venv .venv-sam .venv-lint .venv-oldest; do \
  if [[ ! -L $$one && -s $$one/ready && $$(<$$one/ready) != "$(CURDIR)" ]]; then echo $$one/ready; fi; done)
.PHONY: $(MOVED)

.venv/ready: requirements/dev.txt
	@tools/make-environment .venv requirements/dev.txt

.venv-sam/ready: requirements/sam.txt
	@tools/make-environment .venv-sam requirements/sam.txt

.venv-lint/ready: requirements/lint.txt
	@tools/make-environment .venv-lint requirements/lint.txt

.venv-oldest/ready: requirements/oldest-runtime.txt
	@tools/make-environment .venv-oldest requirements/oldest-runtime.txt

build: setup ## Build functions and layer with the real `sam build`
	@$(RUN) tools.sam_build

package: build ## Pack what was built into dist/efs-monitor-VERSION.zip, from which the AWS command line alone deploys
	@$(RUN) tools.package

demo: setup ## Deploy to a local AWS and live through three days; SCENARIO=name or a .toml of your own
	@$(HALF_READ) $(PYTHON) -m stage.demo $(if $(SCENARIO),"$$SCENARIO")

sandbox: setup ## Keep a local AWS running and print its endpoint; SCENARIO=growth, REGION=eu-central-1, ARGS="--help" for all
	@$(HALF_READ) SANDBOX_REGION="$$REGION" $(RUN) stage $(if $(SCENARIO),--scenario "$$SCENARIO") $(ARGS)

invoke: setup ## Run one built function on one event: make invoke FN=Explain EVENT=events/warning-alarm.json
	@$(HALF_READ) $(RUN) stage.invoke "$$FN" "$$EVENT"

local-invoke: setup ## Every function with every event, by `sam local` in containers; CONTAINERS=1 insists, OWN=1 leaves out refusals, HOLD=1 stays
	@$(HALF_READ) $(RUN) stage.local_invoke $(if $(CONTAINERS),--containers) $(if $(OWN),--own) $(if $(HOLD),--hold)

backtest: setup ## What would have been told of a file system's past: make backtest ARGS="--from hungry", or ARGS=--help
	@$(HALF_READ) $(PYTHON) -m operate backtest $(if $(ARGS),$(ARGS),--from hungry)

advise: setup ## What a file system could have cheaper or faster: make advise ARGS="--from hungry", or ARGS=--help
	@$(HALF_READ) $(PYTHON) -m operate advise $(if $(ARGS),$(ARGS),--from hungry)

# What stands in the way of the folder is told by the command.
report: setup ## The same as one HTML page, with charts: make report ARGS="--from growing --out page.html", or ARGS=--help
	@mkdir -p out 2>/dev/null || true
	@$(HALF_READ) $(PYTHON) -m operate report $(or $(ARGS),--from hungry) $(if $(findstring --out,$(ARGS)),,--out out/report.html)

drill: setup ## Try the way of every alarm of a deployed stack: make drill ENV=home, or STACK=name (FORCE=1 although one is on)
	@$(PYTHON) -m operate drill $(STACK_OR_ENVIRONMENT) $(if $(FORCE),--force)

benchmark: setup ## Measure now what a deployed stack's instances get: make benchmark ENV=home (PROFILE=tutorial, SIZE_MIB=64, INSTANCES=i-0123456789abcdef0, ACCEPT_GIB=1.5)
	@$(PYTHON) -m operate benchmark $(STACK_OR_ENVIRONMENT) $(if $(PROFILE),--workloads "$$PROFILE") \
	  $(if $(SIZE_MIB),--size-mib "$$SIZE_MIB") $(if $(INSTANCES),--instances "$$INSTANCES") \
	  $(if $(ACCEPT_GIB),--accept-gib "$$ACCEPT_GIB")

# One of the shell, which drill and benchmark take, is left out here.
smoke: setup ## The proof on a real account: deploy beside ENV's stack, check, drill, delete: make smoke ENV=home
	@$(if $(filter STACK,$(GIVEN)),$(error smoke takes ENV and no STACK: it deploys one))
	@$(PYTHON) -m operate smoke "$$ENV" --build

lint: setup ## ruff, import-linter, mypy, samconfig.toml, cfn-lint on the template as written (as transformed: in the tests), sam validate
	@$(RUN) tools.linters lint

format: setup ## Format and sort imports
	@ruff check --fix .
	@ruff format .

unit: setup ## The fast tests only
	@$(RUN) tools.left_behind $(RUN) pytest tests/unit -q --numprocesses auto -p no:logging --hypothesis-profile few

test: lint ## Lints, tests, coverage of src and simulation; WHOLE=1 as CI does: more of them, none skipped
	@tools/whole-test $(if $(WHOLE),--whole)

# It puts an answer into CloudWatch's mouth, in the protocol of newer clients.
WRITTEN_FOR_JSON := tests/stage/monitor/test_edges.py::test_an_alarm_turned_into_anomaly_detection_has_no_threshold
FLEET_TESTS := tests/stage/fleet/test_reconcile_fleet.py
TOPICS_TESTS := tests/stage/monitor/test_stack_with_given_topics.py
# Each call that a function makes, in one of these.
EACH_CALL := tests/localaws/functions/test_runtime_versions.py \
  tests/stage/invocation/test_every_function_with_every_event.py \
  tests/stage/benchmark_functions/test_document_rollback.py::test_another_script_is_sent_once_it_is_deployed \
  tests/stage/monitor/test_late_alarms_handler.py \
  $(TOPICS_TESTS)::test_the_silence_of_another_accounts_topics_is_not_guessed_at \
  $(TOPICS_TESTS)::test_a_topic_that_is_deleted_later_is_told_and_the_rest_goes_on \
  $(TOPICS_TESTS)::test_a_topic_that_was_deleted_keeps_no_failed_update_from_being_rolled_back \
  $(TOPICS_TESTS)::test_a_key_that_lets_no_alarm_in_is_refused_with_the_statement_to_paste_whoever_made_the_topics \
  $(TOPICS_TESTS)::test_encrypted_topics_of_the_own_account_get_everything_and_stay_when_the_stack_goes \
  tests/stage/monitor/test_suspend_and_resume.py::test_alarms_that_are_fine_when_they_wake_tell_only_that_they_are_armed \
  $(FLEET_TESTS)::test_of_a_reason_that_the_digest_cuts_the_log_has_all \
  $(FLEET_TESTS)::test_each_change_and_each_refusal_is_in_the_log_with_its_reason \
  $(FLEET_TESTS)::test_topics_of_another_account_are_in_doubt_until_their_policies_let_the_stacks_in_and_the_fleet_look \
  $(FLEET_TESTS)::test_a_key_that_lets_no_alarm_in_any_more_keeps_no_update_from_being_rolled_back
# Left out with `days`: events that a function refuses. `make local-invoke` tries all of them.
oldest: export EFS_MONITOR_RUNTIME := requirements/oldest-runtime.txt
oldest: export PYTHONPATH := $(CURDIR)/.venv-oldest/lib/python3.13/site-packages:$(PYTHONPATH)
oldest: export EFS_MONITOR_BUILT := 1
oldest: setup .venv-oldest/ready ## Each call of the functions on the oldest boto3 and urllib3 that Lambda had; WHOLE=1 all of their tests, BUILT=1 with what was built
	@$(if $(BUILT),,$(MAKE) --no-print-directory build)
	@$(RUN) tools.left_behind $(RUN) pytest -q --numprocesses auto --dist loadfile \
	  $(if $(WHOLE),tests/stage/benchmark_functions $(wildcard tests/stage/monitor/test_*_handler.py) \
	    tests/stage/monitor/test_edges.py tests/stage/monitor/test_stack_tags.py tests/stage/monitor/test_alert_path.py \
	    tests/stage/monitor/test_suspend_and_resume.py tests/stage/monitor/test_hourly_runs.py \
	    tests/stage/monitor/test_chat_subscribers.py $(FLEET_TESTS) $(TOPICS_TESTS)) $(EACH_CALL) \
	  -m "not speed and not long and not days and not whole and not more" --deselect $(WRITTEN_FOR_JSON)

bench: setup ## Measure what the project promises about speed and size
	@$(RUN) stage.bench

generate: setup ## Write what is made of other files: src/included, which the template includes, and docs/benchmarks.md
	@$(RUN) tools.generate

security: setup .venv-lint/ready ## Others' judges on templates, policies and code, offline
	@$(RUN) tools.linters security

prove: setup ## The long proofs, each beside the time it may take; PROOF=name for one of them
	@$(RUN) tools.prove $(PROOF)

examples: setup ## Live through the histories in operate/example_histories again, and write them
	@$(RUN) tools.example_histories

pictures: setup ## Draw the pictures of docs/report.md and docs/parameters.md again; needs Chromium
	@$(RUN) tools.report_pictures
	@$(RUN) tools.dashboard_pictures

shellcheck: setup ## shellcheck on every shell script; needs Debian's shellcheck
	@command -v shellcheck >/dev/null || { echo "shellcheck is missing: apt-get install shellcheck" >&2; exit 2; }
	@$(PYTHON) -m tools.benchmark_document | shellcheck -
	@shellcheck localaws/ssm/shims/*.sh .ci/* tools/find-python tools/lock tools/make-environment tools/runtime-image tools/whole-test

lock: setup ## Pin newer versions of everything, with hashes
	@tools/lock

clean: ## Remove what was built
	@rm -rf .aws-sam build dist out *.egg-info .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
