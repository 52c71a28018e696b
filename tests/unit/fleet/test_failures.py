"""Which file systems of a fleet failed, and what people are told of many with the same trouble."""

from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.fleet.failures import failing
from efs_monitor.fleet.monitor_stack import MonitorStack
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reconciliation import DELETED
from efs_monitor.fleet.written_notes import as_texts, from_texts
from efs_monitor.mail.fleet_mails import FleetDay, fleet_digest

from tests.unit.fleet.fake_account import NOW, FakeAccount, file_system, file_system_id

BEFORE = NOW - timedelta(minutes=5)
ID = file_system_id(1)


def stack(status: str) -> dict[str, MonitorStack]:
    return {ID: MonitorStack(name=f"fleet-{ID}", status=status, file_system_id=ID)} if status else {}


@pytest.mark.parametrize(
    ("status", "note", "failed"),
    [
        ("", Note(gone=BEFORE), False),
        ("", Note(tries=1, tried=NOW), False),
        ("CREATE_IN_PROGRESS", Note(tries=1, tried=BEFORE), False),
        ("CREATE_IN_PROGRESS", Note(tries=2, tried=BEFORE), True),
        ("ROLLBACK_IN_PROGRESS", Note(tries=1, tried=BEFORE), True),
        ("ROLLBACK_COMPLETE", Note(tries=1, tried=BEFORE), True),
        ("DELETE_IN_PROGRESS", Note(tries=1, tried=BEFORE), True),
        ("DELETE_IN_PROGRESS", Note(gone=BEFORE, tries=1, tried=BEFORE, wanted=DELETED), False),
        ("DELETE_FAILED", Note(gone=BEFORE, tries=1, tried=BEFORE, wanted=DELETED), True),
        ("", Note(tries=1, tried=BEFORE), True),
        ("", Note(tries=2, tried=NOW), True),
        ("UPDATE_IN_PROGRESS", Note(tries=1, tried=BEFORE), False),
        ("UPDATE_ROLLBACK_COMPLETE", Note(tries=1, tried=BEFORE), True),
        ("CREATE_COMPLETE", Note(tries=1, tried=BEFORE, unchanged=True), False),
        ("CREATE_COMPLETE", Note(tries=1, tried=BEFORE, told="A1Z"), True),
    ],
)
@pytest.mark.parametrize("why", ["", "a reason"])
def test_tries_that_ended_with_nothing_to_show_are_failures_whether_a_reason_is_known_or_not(
    status: str, note: Note, why: str, *, failed: bool
) -> None:
    found = failing({ID: replace(note, why=why)}, stack(status), (), NOW)
    assert found.keys() == ({ID} if failed else set())
    assert not failed or why in found[ID]


def test_what_cloudformation_refused_in_this_very_run_has_failed() -> None:
    assert failing({ID: Note(tries=1, tried=NOW, why="no")}, {}, {ID}, NOW) == {ID: "no"}


@pytest.mark.parametrize(("tries", "said"), [(1, "once"), (2, "2 times")])
def test_of_a_failure_of_which_nobody_said_why_people_read_how_often_and_where_to_look(tries: int, said: str) -> None:
    found = failing({ID: Note(tries=tries, tried=BEFORE)}, {}, (), NOW)
    assert found == {ID: f"tried {said}; if anything said why, it is in the function's log"}


@pytest.mark.parametrize("count", [16, 17, 100, 1_000])
def test_one_cause_that_keeps_all_from_their_stacks_is_told_once_and_all_are_counted(count: int) -> None:
    said = "cloudformation:CreateStack on fleet-{} failed with ValidationError: Role x is invalid or"
    notes = {
        one: Note(tries=2, tried=BEFORE, wanted="1a2b3c4d", why=f"{said.format(one)} cannot be assumed")
        for one in map(file_system_id, range(count))
    }
    found = failing(from_texts(as_texts(notes)), {}, (), NOW)
    mail = fleet_digest(FleetDay(name="fleet", membership="every file system", watched=0, failing=found))
    body = " ".join(mail.body.split())
    assert mail.subject == f"ACTION: fleet fleet: {count:,} failed; 0 watched"
    assert body.count("cannot be assumed") == 1
    assert f"- {file_system_id(0)}, {file_system_id(1)} and {count - 2:,} more: cloudformation:CreateStack on" in body
    assert "Nothing is in the way" not in body


@pytest.mark.parametrize(
    ("count", "named"),
    [
        (1, "- a0: no a0."),
        (2, "- a0 and a1: no fs-*."),
        (3, "- a0, a1 and a2: no fs-*."),
        (4, "- a0, a1 and 2 more: no fs-*."),
    ],
)
def test_of_those_with_one_cause_three_are_named_and_of_more_two(count: int, named: str) -> None:
    found = {f"a{number}": f"no a{number}." for number in range(count)} | {"b": "no."}
    body = fleet_digest(FleetDay(name="fleet", membership="every file system", watched=0, refused=found)).body
    assert [line for line in body.splitlines() if line.startswith("- ")] == [named, "- b: no."]
    assert ("`efs-monitor fleet fleet` names those that are left out" in body) is (count > 3)


@pytest.mark.whole
def test_many_that_fail_again_and_again_keep_no_sound_one_waiting() -> None:
    broken = range(1, 151)
    account = FakeAccount(
        file_systems=[file_system(one) for one in broken], broken={file_system_id(one) for one in broken}
    )
    account.live(36)
    account.file_systems.append(file_system(10**6))
    account.live(2)
    assert account.stacks[f"fleet-{file_system_id(10**6)}"].status == "CREATE_COMPLETE"


@pytest.mark.whole
def test_of_many_that_leave_at_once_each_loses_its_stack_after_one_grace() -> None:
    account = FakeAccount(file_systems=[file_system(one) for one in range(100)])
    account.live(12)
    account.file_systems = []
    account.live(1)
    account.now += timedelta(days=1)
    account.live(11)
    assert account.stacks == {}
