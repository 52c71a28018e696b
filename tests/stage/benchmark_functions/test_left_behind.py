"""What a run could not remove, on its way from the script's line by the sweep to a mail."""

import json
from datetime import timedelta
from typing import Any

from stage.benchmark_hosts import output_of
from tests.stage.benchmark_functions.conftest import NAMES, QUICK, Stage
from tests.template.documents import as_written, resolved

HOST = "i-0123456789abcdef0"
LEFT = ".efs-monitor-benchmark: data.x and 3 more: the file system is mounted read-only"


def with_alarm(stage: Stage) -> None:
    """The template's alarm about benchmarks that fail, for the home."""
    alarm: dict[str, Any] = resolved(as_written()["Resources"]["ConsecutiveFailuresAlarm"]["Properties"])
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
