"""What an instance is told of a run, how long it may take, and what of it is billed."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import yaml
from efs_monitor.benchmarks.benchmark_settings import BenchmarkSettings
from efs_monitor.benchmarks.cost import billed_bytes, run_cost, search_start, with_missing_runs
from efs_monitor.benchmarks.deadline import LONGEST_SECONDS, deadline_seconds, execution_timeout_seconds
from efs_monitor.benchmarks.ledger import Ledger
from efs_monitor.benchmarks.plan import decode, encode
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.refusals import Limits, Skip, SkipReason
from efs_monitor.benchmarks.requests import RunRequest
from efs_monitor.benchmarks.sending import (
    comment,
    described,
    first_start_described,
    limits_of,
    parameters,
    sent_by_another_document,
    skip_described,
    wanted_workloads,
)
from efs_monitor.benchmarks.sent_commands import Command
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.errors import SettingsRefused

from stage.sam_deployment import PROJECT

NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)
RUN_ID = "run-20261117t030000z-1a2b3c4d"
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
QUICK = workloads_of("quick")
SETTINGS = BenchmarkSettings(
    document_name="home-benchmark",
    parameter_name="/efs-monitor/home/benchmarks",
    path="/mnt/efs",
    local_path="",
    profile="quick",
    size_mib=0,
    instance_ids=(),
    max_credit_share_percent=1,
    monthly_gib_budget=10,
)
REQUEST = RunRequest(run_id=RUN_ID, by_hand=True)
COMMAND = Command(
    command_id="e8d3c0e4",
    run_id=RUN_ID,
    plan=encode(QUICK),
    status="Success",
    requested=NOW,
    expires=NOW,
    instance_ids=("i-01234567", "i-89abcdef"),
)


def file_system(mode: ThroughputMode) -> FileSystem:
    return FileSystem(file_system_id=FILE_SYSTEM_ID, name="home", mode=mode, standard_bytes=100 * GIB)


def test_the_stacks_settings_hold_where_a_person_wants_nothing_else() -> None:
    assert wanted_workloads(REQUEST, SETTINGS) == QUICK


def test_what_a_person_wants_goes_before_the_stacks_settings() -> None:
    wanted = replace(REQUEST, profile="tutorial", size_mib=16)
    assert wanted_workloads(wanted, SETTINGS) == workloads_of("tutorial", size_mib=16)


def test_the_own_size_of_a_profile_can_be_asked_for_though_the_stack_has_another() -> None:
    assert wanted_workloads(replace(REQUEST, size_mib=0), replace(SETTINGS, size_mib=16)) == QUICK


def test_with_a_local_path_each_dd_and_touch_has_its_local_baseline() -> None:
    found = wanted_workloads(REQUEST, replace(SETTINGS, local_path="/mnt/disk"))
    assert [one.id for one in found if one.id.endswith("-local")] == [f"{one.id}-local" for one in QUICK]


def test_an_unknown_profile_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingsRefused, match="quick, tutorial, sweep, copy"):
        wanted_workloads(replace(REQUEST, profile="fast"), SETTINGS)


def test_every_parameter_is_text_that_no_shell_would_take_for_more() -> None:
    given = parameters(RUN_ID, FILE_SYSTEM_ID, SETTINGS, QUICK, 3)
    assert given["Instances"] == "3"
    assert decode(given["Plan"]) == QUICK
    assert all(re.fullmatch(r"[A-Za-z0-9=,;/._-]*", value) for value in given.values())


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("local_path", ["", "/mnt/disk"])
def test_the_document_takes_every_parameter_and_asks_for_no_other(name: str, local_path: str) -> None:
    declared = yaml.safe_load((PROJECT / "src" / "documents" / "benchmark.yaml").read_text())["parameters"]
    settings = replace(SETTINGS, local_path=local_path)
    workloads = workloads_of(name, local_baselines=bool(local_path))
    given = parameters(RUN_ID, FILE_SYSTEM_ID, settings, workloads, 50)
    assert given.keys() == declared.keys()
    for parameter, value in given.items():
        assert re.fullmatch(declared[parameter]["allowedPattern"], value), parameter


def test_what_the_operator_allows_is_what_the_settings_say() -> None:
    allowed = limits_of(replace(SETTINGS, max_credit_share_percent=7, monthly_gib_budget=11))
    assert allowed == Limits(max_credit_share_percent=7, monthly_gib_budget=11)


def test_a_run_that_was_sent_is_told_field_by_field() -> None:
    run = Command(
        command_id="e8d3c0e4",
        run_id=RUN_ID,
        plan=encode(QUICK),
        status="Pending",
        requested=NOW,
        expires=NOW,
        instance_ids=("i-01234567", "i-89abcdef"),
    )
    assert described(run, file_system(ThroughputMode.ELASTIC)) == {
        "run_id": RUN_ID,
        "command_id": "e8d3c0e4",
        "instances": ["i-01234567", "i-89abcdef"],
        "workloads": [one.id for one in QUICK],
        "cost_bytes": run_cost(QUICK, 2).billed_bytes,
    }


def test_a_run_that_was_not_sent_is_told_with_its_reason() -> None:
    skip = Skip(cost_bytes=7, reason=SkipReason.ALARM_ON, sentence="Not now")
    assert skip_described(skip) == {"skipped": "alarm-on", "sentence": "Not now", "cost_bytes": 7}


def test_a_run_of_another_script_is_told_as_sent_and_costs_nothing_more() -> None:
    assert sent_by_another_document(RunRequest(run_id="run-20261117t030000z-1a2b3c4d", by_hand=False)) == {
        "run_id": "run-20261117t030000z-1a2b3c4d",
        "sentence": "Its run was sent before another script was deployed, and is not sent again",
        "cost_bytes": 0,
    }


def test_the_start_with_which_a_rate_begins_is_told_as_skipped() -> None:
    told = first_start_described()
    assert (told["skipped"], told["cost_bytes"]) == (SkipReason.SCHEDULE_BEGINS, 0)
    assert str(told["sentence"]).startswith("A schedule of a fixed rate fires the moment it is created, ")
    assert str(told["sentence"]).endswith("with its next start, and one by hand at any time")


def test_the_comment_names_the_run_and_fits() -> None:
    said = comment(parameters(RUN_ID, FILE_SYSTEM_ID, SETTINGS, QUICK, 1))
    assert said == f"efs-monitor measures {FILE_SYSTEM_ID}: {RUN_ID}"
    assert len(said) <= 100


@pytest.mark.parametrize("name", PROFILES)
def test_the_script_ends_by_itself_before_it_is_killed(name: str) -> None:
    workloads = workloads_of(name)
    assert deadline_seconds(workloads) + 60 <= execution_timeout_seconds(workloads)
    assert re.fullmatch("[1-9][0-9]{1,4}", str(deadline_seconds(workloads)))


@pytest.mark.parametrize("name", PROFILES)
def test_the_slowest_published_results_end_in_time(name: str) -> None:
    """25 MB/s for what is written, 63 files a second for what is touched."""
    workloads = workloads_of(name)
    seconds = sum(one.written_bytes / 25e6 + one.files / 63 for one in workloads)
    assert seconds < deadline_seconds(workloads) or deadline_seconds(workloads) == LONGEST_SECONDS


def test_nothing_runs_for_ever() -> None:
    assert deadline_seconds(workloads_of("tutorial", size_mib=20_480)) == LONGEST_SECONDS


def test_only_in_elastic_mode_a_run_is_billed_and_every_instance_counts() -> None:
    assert billed_bytes(COMMAND, file_system(ThroughputMode.ELASTIC)) == run_cost(QUICK, 2).billed_bytes
    assert billed_bytes(COMMAND, file_system(ThroughputMode.BURSTING)) == 0


def test_a_command_with_a_plan_of_somebody_elses_does_nothing() -> None:
    assert replace(COMMAND, plan="rm -rf").workloads == ()


def test_a_run_that_was_sent_and_not_entered_is_entered_by_the_next() -> None:
    elastic = file_system(ThroughputMode.ELASTIC)
    ledger = with_missing_runs(Ledger(), [COMMAND], elastic, NOW)
    assert ledger.billed_in("2026-11") == run_cost(QUICK, 2).billed_bytes
    assert with_missing_runs(ledger, [COMMAND], elastic, NOW) == ledger


def test_a_run_before_the_change_to_elastic_is_not_billed_after_it() -> None:
    ledger = with_missing_runs(Ledger(), [COMMAND], file_system(ThroughputMode.BURSTING), NOW)
    assert with_missing_runs(ledger, [COMMAND], file_system(ThroughputMode.ELASTIC), NOW).billed_in("2026-11") == 0


@pytest.mark.parametrize(
    ("ledger", "mode", "day"),
    [
        (Ledger(), ThroughputMode.ELASTIC, 16),
        (Ledger(known=False), ThroughputMode.BURSTING, 16),
        (Ledger(known=False), ThroughputMode.ELASTIC, 1),
    ],
)
def test_only_a_lost_ledger_of_billed_runs_makes_the_whole_month_worth_a_look(
    ledger: Ledger, mode: ThroughputMode, day: int
) -> None:
    assert search_start(ledger, file_system(mode), NOW).day == day


def test_a_whole_month_begins_at_midnight_in_utc() -> None:
    now = NOW.replace(day=17, hour=3, minute=4, second=5, microsecond=6)
    assert search_start(Ledger(known=False), file_system(ThroughputMode.ELASTIC), now) == datetime(
        2026, 11, 1, tzinfo=UTC
    )


def test_on_the_first_of_a_month_a_day_is_looked_back_all_the_same() -> None:
    first = NOW.replace(day=1)
    assert search_start(Ledger(known=False), file_system(ThroughputMode.ELASTIC), first) == datetime(
        2026, 10, 31, 3, 0, tzinfo=UTC
    )
