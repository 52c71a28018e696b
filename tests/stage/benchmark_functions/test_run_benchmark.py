"""RunBenchmark: what it sends, and when it does not."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from efs_monitor.aws import cloudwatch_alarms, parameter_store
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.plan import decode
from efs_monitor.efs.credits import GIB
from efs_monitor.errors import EventRefused, SettingsRefused, StartedElsewhere
from efs_monitor.usecases.stored_ledger import StoredLedger

from localaws.ssm.instances import instances
from proofs.faults.starting_points import live
from tests.stage.benchmark_functions.conftest import NAMES, QUICK, Stage

HOST, OTHER = "i-0123456789abcdef0", "i-0123456789abcdef1"


@pytest.fixture
def ledger(stage: Stage) -> StoredLedger:
    """The ledger as a function would open it."""
    return StoredLedger(stage.sandbox.client("ssm"), NAMES.benchmarks_parameter, NAMES.file_system_id)


@contextmanager
def unreadable_versions() -> Iterator[None]:
    """Of a parameter only the newest version is found: of those before it nothing is known yet."""
    with patch.object(parameter_store, "read", lambda ssm, name, version=None: None if version else read(ssm, name)):
        yield


read = parameter_store.read
read_alarms = cloudwatch_alarms.read


def skipped(stage: Stage, reason: str) -> str:
    """The sentence of a skip, after all that must go with it was seen."""
    before = len(stage.published("Skipped"))
    answer = stage.run(NAMES.daily_after(days=1))
    assert answer.keys() == {"skipped", "sentence", "cost_bytes"}
    assert answer["skipped"] == reason
    assert stage.published("Skipped")[before:] == [[1.0]]
    (line,) = stage.logged("skipped")
    assert (line["skipped"], line["sentence"]) == (reason, answer["sentence"])
    return str(answer["sentence"])


def test_the_newest_version_of_the_document_is_sent_whatever_somebody_has_made_the_default(stage: Stage) -> None:
    ssm = stage.sandbox.client("ssm")
    content = ssm.get_document(Name="home-benchmark")["Content"]
    newer = {"Content": f"{content} ", "DocumentFormat": "JSON", "DocumentVersion": "$LATEST"}
    ssm.update_document(Name="home-benchmark", **newer)
    stage.run()
    (sent,) = stage.hosts.commands()
    assert sent["DocumentVersion"] == "2"


def test_the_timer_sends_the_document_with_the_plan_to_the_tagged_instance(stage: Stage) -> None:
    answer = stage.run()
    (sent,) = stage.hosts.commands()
    assert answer == {
        "run_id": sent["Parameters"]["RunId"][0],
        "command_id": sent["CommandId"],
        "instances": [HOST],
        "workloads": [one.id for one in QUICK],
        "cost_bytes": run_cost(QUICK, 1).metered_bytes,
    }
    assert sent["DocumentName"] == "home-benchmark"
    assert sent["InstanceIds"] == [HOST]
    assert decode(sent["Parameters"]["Plan"][0]) == QUICK
    assert answer["run_id"] in sent["Comment"]


def test_every_instance_of_a_run_knows_how_many_there_are(stage: Stage) -> None:
    stage.hosts.add(OTHER)
    stage.run()
    (sent,) = stage.hosts.commands()
    assert sent["InstanceIds"] == [HOST, OTHER]
    assert sent["Parameters"]["Instances"] == ["2"]
    assert (sent["MaxConcurrency"], sent["MaxErrors"]) == ("100%", "100%")


def test_an_event_that_is_delivered_twice_starts_one_run(stage: Stage) -> None:
    first = stage.run()
    assert stage.run() == first
    stage.wait(3)
    assert stage.run() == first
    assert len(stage.hosts.commands()) == 1
    assert (len(stage.logged("sent")), len(stage.logged("sent before"))) == (1, 2)


def test_a_rate_does_not_measure_with_its_first_start(stage: Stage) -> None:
    """It fires the moment, in the middle of a deployment."""
    daily, changed = ({"expression": expression} for expression in ("rate(1 day)", "rate(12 hours)"))
    for _ in range(2):
        assert stage.run(NAMES.daily | daily)["skipped"] == "schedule-begins"
    assert stage.hosts.commands() == []
    assert stage.published("Skipped") == []
    assert stage.logged("skipped")[0]["sentence"].startswith(
        "A schedule of a fixed rate fires the moment it is created"
    )
    stage.run(NAMES.daily_after(days=1) | daily)
    assert len(stage.hosts.commands()) == 1
    assert stage.run(NAMES.daily | daily)["skipped"] == "schedule-begins"
    # Changed, or created anew: it begins once more.
    assert stage.run(NAMES.daily_after(days=2) | changed)["skipped"] == "schedule-begins"
    anew = NAMES.daily_after(days=3) | changed | {"schedule": "arn:aws:scheduler:::schedule/default/anew"}
    assert stage.run(anew)["skipped"] == "schedule-begins"
    assert len(stage.hosts.commands()) == 1


def test_a_rate_that_comes_back_after_a_cron_begins_anew(stage: Stage) -> None:
    daily, at_night = {"expression": "rate(1 day)"}, {"expression": "cron(10 0 * * ? *)"}
    assert stage.run(NAMES.daily | daily)["skipped"] == "schedule-begins"
    assert "skipped" not in stage.run(NAMES.daily_after(days=1) | at_night)
    stage.wait(30)
    assert stage.run(NAMES.daily_after(days=2) | daily)["skipped"] == "schedule-begins"
    assert len(stage.hosts.commands()) == 1
    # A run by hand says nothing of the schedule.
    stage.by_hand()
    stage.wait(30)
    assert "skipped" not in stage.run(NAMES.daily_after(days=3) | daily)


def test_a_cron_expression_measures_with_its_first_start(stage: Stage) -> None:
    stage.run(NAMES.daily | {"expression": "cron(10 0 * * ? *)"})
    assert len(stage.hosts.commands()) == 1


def test_a_run_that_another_invocation_is_about_to_send_is_left_to_it(stage: Stage) -> None:
    ssm = stage.sandbox.client("ssm")
    here = StoredLedger(ssm, NAMES.benchmarks_parameter, NAMES.file_system_id)
    here.take_lease("1a2b3c4d", here.read(), stage.sandbox.clock.now())
    with pytest.raises(StartedElsewhere, match=r"at 00:02:00 UTC; .* Try again after 00:02:55 UTC"):
        stage.run()
    assert stage.hosts.commands() == []
    # It may have died: a minute later its run is nobody's.
    stage.wait()
    stage.run()
    assert len(stage.hosts.commands()) == 1


def test_a_lease_lasts_from_when_it_is_taken_however_long_was_read_before(stage: Stage, ledger: StoredLedger) -> None:
    """In an account that is throttled, the calls before it may take longer than a lease lasts."""
    clock = stage.sandbox.clock
    slow_until = clock.now() + timedelta(seconds=100)

    def slowly(*asked: Any) -> Any:
        clock.move_to(slow_until)
        return read_alarms(*asked)

    with patch.object(cloudwatch_alarms, "read", slowly):
        stage.run()
    lease = ledger.read().lease
    assert lease is not None
    assert lease.time >= slow_until.replace(microsecond=0)
    assert lease.is_held(slow_until)


def test_of_two_that_start_at_the_same_time_the_first_to_write_does(stage: Stage) -> None:
    here = StoredLedger(stage.sandbox.client("ssm"), NAMES.benchmarks_parameter, NAMES.file_system_id)
    now, read_by_both = stage.sandbox.clock.now(), here.read()
    first = here.take_lease("1a2b3c4d", read_by_both, now)
    with pytest.raises(StartedElsewhere):
        here.take_lease("1a2b3c4d", read_by_both, now)
    assert here.read().lease == first.lease


def test_what_another_entered_meanwhile_and_cannot_be_read_now_empties_no_ledger(ledger: StoredLedger) -> None:
    kept = ledger.save(ledger.read().with_billed("2030-01", "1a2b3c4d", 7), ledger.read())
    ledger.save(kept.with_billed("2030-01", "2b3c4d5e", 5), kept)
    with unreadable_versions():
        ours = ledger.save(kept.with_billed("2030-01", "3c4d5e6f", 3), kept)
    assert ours == ledger.read()
    assert ours.billed_runs == ("1a2b3c4d", "3c4d5e6f")
    assert ours.billed_in("2030-01") == 10


def test_while_it_cannot_be_read_whether_another_is_about_to_start_nothing_is_sent(
    stage: Stage, ledger: StoredLedger
) -> None:
    now, read_by_both = stage.sandbox.clock.now(), ledger.read()
    ledger.take_lease("1a2b3c4d", read_by_both, now)
    with unreadable_versions(), pytest.raises(StartedElsewhere, match=r"cannot be read yet.* Try again in a minute"):
        ledger.take_lease("1a2b3c4d", read_by_both, now)


def test_a_run_that_has_not_ended_is_waited_for(stage: Stage) -> None:
    stage.run()
    sentence = skipped(stage, "still-running")
    assert "has not ended" in sentence


def test_without_an_instance_that_answers_nothing_is_sent(stage: Stage) -> None:
    stage.hosts.lose(HOST)
    assert "tagged efs-monitor = fs-0123456789abcdef0" in skipped(stage, "no-target-online")
    assert stage.hosts.commands() == []


def test_a_replication_destination_is_not_measured_until_it_is_none(stage: Stage) -> None:
    file_systems = stage.sandbox.file_systems
    file_systems.set_replicated(NAMES.file_system_id)
    assert "fs-0123456789abcdef0 is a replication destination" in skipped(stage, "replication-destination")
    assert stage.hosts.commands() == []
    file_systems.set_replicated(NAMES.file_system_id, is_destination=False)
    assert stage.run(NAMES.daily_after(days=2))["instances"] == [HOST]


def test_an_instance_of_another_file_system_is_not_asked(stage: Stage) -> None:
    stage.hosts.add(OTHER, tag="fs-01234567")
    assert stage.run()["instances"] == [HOST]


def test_named_instances_measure_whatever_their_tags_say(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.hosts.add(OTHER, tag="fs-01234567")
    monkeypatch.setenv("BENCHMARK_INSTANCE_IDS", f"{OTHER},i-0123456789abcdef9")
    assert stage.run()["instances"] == [OTHER]


def test_while_warning_is_on_the_credits_are_left_alone(stage: Stage) -> None:
    live(stage.home, 700 * GIB, 2)
    assert "home-warning" in skipped(stage, "alarm-on")


def test_a_run_takes_no_more_than_its_share_of_the_balance(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHMARK_PROFILE", "tutorial")
    assert "MaxCreditSharePercent" in skipped(stage, "credit-share")


def test_without_a_balance_nothing_is_risked(stage: Stage) -> None:
    stage.sandbox.metrics.clear()
    assert "no recent credit balance" in skipped(stage, "balance-unknown")


def test_whoever_names_the_cost_overrides_share_and_alarm(stage: Stage) -> None:
    live(stage.home, 700 * GIB, 2)
    refused = stage.by_hand(profile="tutorial")
    assert refused["skipped"] == "alarm-on"
    assert f"accept_cost_bytes={refused['cost_bytes']}" in refused["sentence"]
    assert "skipped" in stage.by_hand(profile="tutorial", accept_cost_bytes=refused["cost_bytes"] - 1)
    assert stage.by_hand(profile="tutorial", accept_cost_bytes=refused["cost_bytes"])["instances"] == [HOST]


def test_nobody_overrides_a_run_under_way_or_an_instance_that_is_not_there(stage: Stage) -> None:
    stage.run()
    assert stage.by_hand(accept_cost_bytes=10**15)["skipped"] == "still-running"
    stage.wait()
    stage.hosts.lose(HOST)
    assert stage.by_hand(accept_cost_bytes=10**15)["skipped"] == "no-target-online"


def test_a_person_may_choose_among_the_instances_that_measure(stage: Stage) -> None:
    stage.hosts.add(OTHER)
    assert stage.by_hand(instance_ids=[OTHER])["instances"] == [OTHER]
    stage.wait()
    stranger = stage.by_hand(instance_ids=["i-0123456789abcdef9"])
    assert stranger["skipped"] == "no-target-online"
    assert "i-0123456789abcdef9" in stranger["sentence"]


def test_in_elastic_mode_what_a_month_is_billed_is_counted_to_the_byte(stage: Stage) -> None:
    stage.sandbox.file_systems.set_mode(NAMES.file_system_id, "elastic")
    for number in range(3):
        stage.run(NAMES.daily_after(days=number))
        stage.wait()
    assert stage.hosts.ledger()["billed_bytes"] == 3 * run_cost(QUICK, 1).billed_bytes


def test_in_elastic_mode_the_budget_ends_the_runs_of_a_month(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.sandbox.file_systems.set_mode(NAMES.file_system_id, "elastic")
    monkeypatch.setenv("MONTHLY_GIB_BUDGET", "1")
    stage.run()
    stage.wait()
    assert "MonthlyGiBBudget" in skipped(stage, "monthly-budget")
    # Another month.
    stage.sandbox.clock.move_to(stage.sandbox.clock.now() + timedelta(days=31))
    assert "run_id" in stage.run(NAMES.daily_after(days=2))


@pytest.mark.whole
@pytest.mark.parametrize("value", ["", "{}", "what is this", '{"file_system_id": "fs-0123456789abcdef0"}'])
def test_a_lost_ledger_is_written_anew_from_the_commands_of_the_month(stage: Stage, value: str) -> None:
    stage.sandbox.file_systems.set_mode(NAMES.file_system_id, "elastic")
    stage.run()
    stage.wait()
    ssm, name = stage.sandbox.client("ssm"), NAMES.benchmarks_parameter
    if value:
        ssm.put_parameter(Name=name, Value=value, Type="String", Overwrite=True)
    else:
        ssm.delete_parameter(Name=name)
    stage.sandbox.clock.move_to(stage.sandbox.clock.now() + timedelta(days=9))
    stage.run(NAMES.daily_after(days=9))
    assert stage.hosts.ledger()["billed_bytes"] == 2 * run_cost(QUICK, 1).billed_bytes


def test_a_schedule_of_another_stack_touches_nothing(stage: Stage) -> None:
    with pytest.raises(EventRefused, match="one of stack 'archive', not of home"):
        stage.run(NAMES.daily | {"stack": "archive"})
    assert stage.hosts.commands() == []


def test_an_unknown_profile_is_an_error_that_lists_the_known_ones(stage: Stage) -> None:
    with pytest.raises(SettingsRefused, match="quick, tutorial, sweep, copy"):
        stage.by_hand(profile="slow")


def test_an_instance_that_is_gone_is_no_target(stage: Stage) -> None:
    instances().pop(HOST)
    assert "tagged" in skipped(stage, "no-target-online")


def test_what_a_person_takes_upon_them_is_logged(stage: Stage) -> None:
    live(stage.home, 700 * GIB, 2)
    stage.by_hand(accept_cost_bytes=10**12)
    (line,) = stage.logged("overridden")
    assert "home-warning" in line["sentences"][0]
