"""What a run could not remove, on its way from the script's line by the sweep to a mail."""

import json
from datetime import timedelta
from typing import Any

import pytest

from stage.benchmark_hosts import output_of
from tests.stage.benchmark_functions.conftest import NAMES, QUICK, Stage
from tests.template.template_documents import resolved, with_includes

HOST = "i-0123456789abcdef0"
LEFT = ".efs-monitor-benchmark: data.x and 3 more: the file system is mounted read-only"


def with_alarm(stage: Stage) -> None:
    """The template's alarm about benchmarks that fail, for the home."""
    alarm: dict[str, Any] = resolved(with_includes()["Resources"]["ConsecutiveFailuresAlarm"]["Properties"])
    topic = {"AlarmActions": [NAMES.topic_arn("advice")], "OKActions": [NAMES.topic_arn("advice")]}
    stage.home.cloudwatch.put_metric_alarm(**alarm | topic)
    stage.wait()


def one_day(stage: Stage, days: int, left: str) -> None:
    """A run that measures everything; half an hour later the sweep, for the event was lost."""
    line = f"{json.dumps({'type': 'left', 'reason': left})}\n" if left else ""
    stage.hosts.says(HOST, output_of(HOST, QUICK) + line, status=1 if left else 0)
    stage.run(NAMES.daily_after(days=days))
    stage.wait(30)
    assert len(stage.collect()["collected"]) == 1
    stage.record_what_was_published()
    # The alarm has periods of an hour.
    stage.wait(65)


def mails(stage: Stage) -> list[dict[str, Any]]:
    """CloudWatch's own messages about the alarm, oldest first; the first one says that it is armed."""
    messages = [one.message for one in stage.home.published("advice") if "benchmark-failures" in one.message]
    return [json.loads(message) for message in messages]


def test_what_two_runs_could_not_remove_is_a_mail_after_the_second_sweep(stage: Stage) -> None:
    with_alarm(stage)
    one_day(stage, 0, LEFT)
    (line,) = stage.logged("benchmark")
    assert line["failures"] == [f"{HOST}: what it left behind is not removed yet, and counts as stored: {LEFT}"]
    assert [one["NewStateValue"] for one in mails(stage)] == ["OK"]
    one_day(stage, 1, LEFT)
    assert [one["NewStateValue"] for one in mails(stage)] == ["OK", "ALARM"]
    assert "or left files that it could not remove" in mails(stage)[-1]["AlarmDescription"]
    # What they measured counts all the same.
    assert stage.published("Success") == [[0.0], [0.0]]
    assert [line["status"] for line in stage.logged("measured")] == ["ok"] * 2 * len(QUICK)


def test_once_the_next_run_has_removed_it_the_mail_says_that_it_is_over(stage: Stage) -> None:
    with_alarm(stage)
    one_day(stage, 0, LEFT)
    one_day(stage, 1, LEFT)
    stage.sandbox.clock.move_to(stage.sandbox.clock.now() + timedelta(hours=24))
    stage.wait(5)
    one_day(stage, 2, "")
    assert [one["NewStateValue"] for one in mails(stage)] == ["OK", "ALARM", "OK"]


def hourly_report(stage: Stage) -> list[str]:
    """The subjects of what the report of silence that is due now mails of benchmarks."""
    outcome: dict[str, Any] = stage.home.call("report_silence", NAMES.hourly)
    return [subject for subject in outcome["mails"] if "behind" in subject]


@pytest.mark.whole
def test_what_one_run_could_not_remove_is_told_within_the_hour_once_and_its_end_once(stage: Stage) -> None:
    about = f"{NAMES.file_system_id} ({HOST})"
    one_day(stage, 0, LEFT)
    assert hourly_report(stage) == [f"ACTION: a benchmark left files behind, {about}"]
    mail = next(" ".join(one.message.split()) for one in stage.home.published("advice") if HOST in one.message)
    assert f"{HOST} at /mnt/efs, at " in mail
    assert LEFT in mail
    assert "sudo ls -lA /mnt/efs/.efs-monitor-benchmark" in mail
    stage.wait()
    assert hourly_report(stage) == []
    one_day(stage, 1, f"{LEFT} again")
    assert hourly_report(stage) == []
    one_day(stage, 2, "")
    assert hourly_report(stage) == [f"INFO: benchmarks leave nothing behind any more, {about}"]
    stage.wait()
    assert hourly_report(stage) == []


def test_a_run_that_was_refused_shows_nothing_of_what_lies_there(stage: Stage) -> None:
    one_day(stage, 0, LEFT)
    hourly_report(stage)
    refused = {"type": "machine", "version": 1, "run": "run-x", "instance": HOST, "refused": "PATH cannot be entered"}
    stage.hosts.says(HOST, json.dumps(refused) + "\n", status=2)
    stage.run(NAMES.daily_after(days=1))
    stage.wait(30)
    assert len(stage.collect()["collected"]) == 1
    assert hourly_report(stage) == []


def test_an_unreadable_ledger_ends_nothing_that_was_told(stage: Stage) -> None:
    one_day(stage, 0, LEFT)
    hourly_report(stage)
    stage.sandbox.client("ssm").put_parameter(Name=NAMES.benchmarks_parameter, Value="lost", Overwrite=True)
    assert hourly_report(stage) == []
