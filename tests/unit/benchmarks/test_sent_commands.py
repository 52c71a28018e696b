"""When a command, and what became of it on an instance, is over, and how it ended in words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.benchmarks.sent_commands import KILLED, LOST, Command, Invocation, ran_nothing, succeeded, why_failed

NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)
COMMAND = Command(
    command_id="e8d3c0e4",
    run_id="run-20261117t030000z-1a2b3c4d",
    plan="",
    status="InProgress",
    requested=NOW,
    expires=NOW + timedelta(minutes=10),
    instance_ids=("i-01234567",),
)
ALLOWED = timedelta(minutes=10)
TIMED_OUT = "the script ran longer than Systems Manager allowed and was killed"
ENDED = Invocation(
    instance_id="i-01234567", status="Failed", detail="Failed", started=NOW, ended=NOW + timedelta(minutes=1)
)


@pytest.mark.parametrize("status", ["Pending", "InProgress", "Delayed", "Cancelling"])
def test_a_command_that_has_not_ended_runs(status: str) -> None:
    assert replace(COMMAND, status=status).running(NOW)


@pytest.mark.parametrize("status", ["Success", "Cancelled", "TimedOut", "Failed", "Undeliverable", "NewWordOfAws"])
def test_every_other_status_is_an_end(status: str) -> None:
    assert not replace(COMMAND, status=status).running(NOW)


def test_what_never_ends_is_given_up_some_time_after_it_expired() -> None:
    """An instance that is terminated in the middle leaves it so."""
    assert COMMAND.running(COMMAND.expires + timedelta(minutes=15, seconds=-1))
    assert not COMMAND.running(COMMAND.expires + timedelta(minutes=15))


def test_a_run_is_known_by_how_its_id_ends() -> None:
    assert COMMAND.idempotency_key == "1a2b3c4d"


def test_with_its_output_an_end_is_complete() -> None:
    assert replace(ENDED, output="{}").complete(NOW)


def test_output_that_is_not_there_yet_is_waited_for_a_while() -> None:
    assert ENDED.ended is not None
    assert not ENDED.complete(ENDED.ended + timedelta(minutes=15))
    assert ENDED.complete(ENDED.ended + timedelta(minutes=15, seconds=1))


def test_nothing_is_waited_for_where_nothing_was_begun() -> None:
    assert replace(ENDED, started=None, ended=None).complete(NOW)


def test_an_instance_that_never_began_has_no_output_to_wait_for() -> None:
    assert ENDED.ended is not None
    assert replace(ENDED, started=None).complete(ENDED.ended)


def test_what_has_no_end_though_it_ended_is_not_waited_for() -> None:
    assert replace(ENDED, ended=None).complete(NOW)


def test_what_runs_is_not_complete_whatever_it_has_said() -> None:
    running = replace(ENDED, status="InProgress", ended=None, output="{}")
    assert running.running
    assert not running.complete(NOW + timedelta(days=1))


def ended(status: str, detail: str) -> Invocation:
    return Invocation(instance_id="i-01234567", status=status, detail=detail)


@pytest.mark.parametrize(
    ("status", "detail", "well"),
    [
        ("Success", "Success", True),
        ("Success", "", True),
        ("Failed", "Success", True),
        ("Success", "Failed", False),
        ("Failed", "", False),
        ("", "", False),
    ],
)
def test_the_finer_word_counts_and_the_status_where_there_is_none(status: str, detail: str, well: bool) -> None:
    assert succeeded(ended(status, detail)) is well


@pytest.mark.parametrize(
    ("status", "detail", "sentence"),
    [
        ("Failed", "Failed", "the script failed"),
        (
            "TimedOut",
            "Delivery Timed Out",
            "the command was not delivered in time: the instance, or its agent, was not there",
        ),
        ("TimedOut", "ExecutionTimedOut", "the script ran longer than Systems Manager allowed and was killed"),
        ("TimedOut", "", "Systems Manager ran out of time"),
        (
            "Undeliverable",
            "",
            "the command could not be delivered: the instance does not exist, or does not answer",
        ),
        ("Terminated", "", "the command was stopped because too many other instances had failed"),
        ("InvalidPlatform", "", "the document does not run on this platform: a benchmark host needs Linux"),
        ("NoInstancesInTag", "", "no instance has the tag any more"),
        ("Cancelled", "New Word", "the command was cancelled"),
        ("Failed", "Access Denied", "the instance may not run the command: see the role of its instance profile"),
        ("Odd", "Newer", "it ended with the status 'Newer'"),
        ("Odd", "", "it ended with the status 'Odd'"),
        ("", "", "it ended with the status 'unknown'"),
        ("InProgress", "Slow", "it had not ended, its status was Slow"),
        ("InProgress", "", "it had not ended, its status was InProgress"),
    ],
)
def test_why_it_did_not_end_well_is_said_as_exactly_as_it_is_known(status: str, detail: str, sentence: str) -> None:
    assert why_failed(ended(status, detail), ALLOWED).startswith(sentence)


@pytest.mark.parametrize(
    ("ran", "response_code", "sentence"),
    [
        (timedelta(seconds=1), 137, KILLED),
        (ALLOWED - timedelta(seconds=30, microseconds=1), 137, KILLED),
        (ALLOWED - timedelta(seconds=30), 137, TIMED_OUT),
        (ALLOWED, 137, TIMED_OUT),
        (timedelta(seconds=1), -1, TIMED_OUT),
        (timedelta(seconds=1), None, TIMED_OUT),
    ],
)
def test_a_time_out_long_before_the_time_is_somebody_elses_kill(
    ran: timedelta, response_code: int | None, sentence: str
) -> None:
    invocation = replace(
        ended("TimedOut", "Execution Timed Out"), started=NOW, ended=NOW + ran, response_code=response_code
    )
    assert why_failed(invocation, ALLOWED) == sentence


@pytest.mark.parametrize(("started", "end"), [(None, NOW), (NOW, None)])
def test_of_what_did_not_run_from_then_to_then_nobody_knows_that_it_was_killed(
    started: datetime | None, end: datetime | None
) -> None:
    invocation = replace(ended("TimedOut", "Execution Timed Out"), started=started, ended=end, response_code=137)
    assert why_failed(invocation, ALLOWED) == TIMED_OUT


@pytest.mark.parametrize(
    ("detail", "response_code", "output", "errors", "sentence"),
    [
        ("Failed", -1, "", "", KILLED),
        ("", -1, "", "", KILLED),
        ("Failed", -1, "{}", "signal: killed", KILLED),
        ("Failed", 1, "", "", LOST),
        ("Failed", 1, "{}", "", "the script failed"),
        ("Failed", 1, "", "exit status 1", "the script failed"),
        ("Failed", 2, "", "", "the script failed"),
        ("Cancelled", -1, "", "", "the command was cancelled"),
        ("Cancelled", 1, "", "", "the command was cancelled"),
        ("Cancelled", 137, "", "", "the command was cancelled"),
    ],
)
def test_a_failure_is_told_by_its_exit_status_and_by_whether_the_script_said_anything(
    detail: str, response_code: int, output: str, errors: str, sentence: str
) -> None:
    invocation = replace(
        ended(detail or "Failed", detail), response_code=response_code, output=output, error_output=errors, started=NOW
    )
    assert why_failed(invocation, ALLOWED) == sentence


@pytest.mark.parametrize(
    ("status", "output", "nothing"),
    [("Success", "", True), ("Success", " \n", True), ("Success", "{}", False), ("Failed", "", False)],
)
def test_a_success_without_a_word_is_one_of_a_script_that_never_ran(status: str, output: str, *, nothing: bool) -> None:
    assert ran_nothing(replace(ended(status, status), output=output)) is nothing
