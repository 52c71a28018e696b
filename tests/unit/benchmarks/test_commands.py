"""When a command, and what became of it on an instance, is over."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.benchmarks.commands import Command, Invocation

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
