"""What is wrong with the stack's own alarms."""

import dataclasses

from efs_monitor.alarms import AlarmKind
from efs_monitor.findings import findings
from efs_monitor.messages import Place

from tests.unit.messages.cases import HERE
from tests.unit.rules.test_alarms import WIRING, as_deployed, with_setting

HOME: Place = dataclasses.replace(HERE, stack_name="home")
ALL = {kind: as_deployed(kind) for kind in AlarmKind}


def test_alarms_as_deployed_have_nothing_wrong() -> None:
    assert findings(ALL, WIRING, HOME) == {}


def test_each_deleted_alarm_is_a_finding_of_its_own() -> None:
    found = findings({}, WIRING, HOME)
    assert set(found) == {"missing:warning", "missing:critical", "missing:permitted-throughput-rise"}
    assert found["missing:critical"].subject.startswith("ACTION: alarm deleted, nobody is warned")


def test_an_edit_is_told_with_both_values() -> None:
    edited = {**ALL, AlarmKind.CRITICAL: with_setting(ALL[AlarmKind.CRITICAL], "Period", 300)}
    ((key, message),) = findings(edited, WIRING, HOME).items()
    assert key.startswith("edited:critical:")
    assert "Period is 300, the stack has 60" in message.body


def test_the_same_edit_keeps_its_key_and_a_further_one_has_another() -> None:
    once = {**ALL, AlarmKind.WARNING: with_setting(ALL[AlarmKind.WARNING], "Period", 300)}
    twice = {**ALL, AlarmKind.WARNING: with_setting(once[AlarmKind.WARNING], "TreatMissingData", "breaching")}
    keys = [set(findings(alarms, WIRING, HOME)) for alarms in (once, once, twice)]
    assert keys[0] == keys[1] != keys[2]


def test_a_new_threshold_or_text_is_no_edit() -> None:
    moved = {**ALL, AlarmKind.WARNING: dataclasses.replace(ALL[AlarmKind.WARNING], threshold=7.0, description="new")}
    assert findings(moved, WIRING, HOME) == {}
