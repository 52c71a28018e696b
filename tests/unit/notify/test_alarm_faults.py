"""What is wrong with the stack's own alarms."""

import dataclasses

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.mail.alarm_fault_mails import alarm_restored, edit_undone
from efs_monitor.mail.layout import Message
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.alarm_faults import faults_over, faults_told

from tests.unit.alarms.test_alarm import WIRING, as_deployed, with_setting
from tests.unit.mail.mail_cases import HERE

HOME: StackContext = dataclasses.replace(HERE, stack_name="home")
ALL = {kind: as_deployed(kind) for kind in AlarmKind}


def test_alarms_as_deployed_have_nothing_wrong() -> None:
    assert faults_told(ALL, WIRING, HOME) == {}


def test_each_deleted_alarm_is_a_finding_of_its_own() -> None:
    found = faults_told({}, WIRING, HOME)
    assert set(found) == {f"missing:{kind}" for kind in AlarmKind}
    assert found["missing:critical"].subject.startswith("ACTION: alarm deleted, nobody is warned")


def test_an_edit_is_told_with_both_values() -> None:
    edited = {**ALL, AlarmKind.CRITICAL: with_setting(ALL[AlarmKind.CRITICAL], "Period", 300)}
    ((key, message),) = faults_told(edited, WIRING, HOME).items()
    assert key.startswith("edited:critical:")
    assert "Period is 300, the stack has 60" in message.body


def test_the_same_edit_keeps_its_key_and_a_further_one_has_another() -> None:
    once = {**ALL, AlarmKind.WARNING: with_setting(ALL[AlarmKind.WARNING], "Period", 300)}
    twice = {**ALL, AlarmKind.WARNING: with_setting(once[AlarmKind.WARNING], "TreatMissingData", "breaching")}
    keys = [set(faults_told(alarms, WIRING, HOME)) for alarms in (once, once, twice)]
    assert keys[0] == keys[1] != keys[2]


def ended_of(told: set[str], found: dict[str, Message]) -> list[str]:
    return [message.subject for message in faults_over(told, found, WIRING.file_system_id, HOME)]


def test_an_alarm_that_is_back_and_an_edit_undone_are_told_in_stable_order() -> None:
    told = {"missing:warning", "edited:critical:0123456789ab"}
    assert ended_of(told, {}) == [
        edit_undone("home-critical", WIRING.file_system_id, HOME).subject,
        alarm_restored("home-warning", WIRING.file_system_id, HOME).subject,
    ]


def test_the_key_of_an_edit_is_the_same_in_every_version() -> None:
    """It is remembered: another one would have the same edit told again after the next deployment."""
    edited = with_setting(with_setting(ALL[AlarmKind.WARNING], "Period", 300), "TreatMissingData", "breaching")
    assert list(faults_told({**ALL, AlarmKind.WARNING: edited}, WIRING, HOME)) == ["edited:warning:dc384203c37a"]


def test_an_alarm_that_was_edited_further_or_deleted_since_is_no_edit_undone() -> None:
    once = {**ALL, AlarmKind.WARNING: with_setting(ALL[AlarmKind.WARNING], "Period", 300)}
    told = {"edited:warning:0123456789ab"}
    assert ended_of(told, faults_told(once, WIRING, HOME)) == []
    assert ended_of(told, faults_told({}, WIRING, HOME)) == []
    without_critical: dict[AlarmKind, LiveAlarm] = dict(ALL)
    del without_critical[AlarmKind.CRITICAL]
    assert len(ended_of(told, faults_told(without_critical, WIRING, HOME))) == 1


def test_a_key_of_an_older_version_is_forgotten_without_a_word() -> None:
    assert ended_of({"renamed:warning", "missing:drain", "file-system-gone"}, {}) == []
    assert len(ended_of({"file-system-gone", "missing:warning"}, {})) == 1


def test_a_new_threshold_or_text_is_no_edit() -> None:
    moved = {**ALL, AlarmKind.WARNING: ALL[AlarmKind.WARNING]._replace(threshold=7.0, description="new")}
    assert faults_told(moved, WIRING, HOME) == {}
