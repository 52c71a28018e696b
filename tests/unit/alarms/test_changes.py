"""Which alarms are written after a decision."""

from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import (
    CREDIT_ALARMS,
    HELD_MARK,
    LEAD_ALARMS,
    SUSPENDED_MARK,
    AlarmKind,
    LiveAlarm,
    alarm_name,
)
from efs_monitor.alarms.changes import (
    AlarmUpdate,
    current_thresholds,
    ending_unheard,
    going_off,
    held_for_update,
    updates,
)
from efs_monitor.alarms.decision import Decision, decide
from efs_monitor.alarms.thresholds import Thresholds, thresholds_for
from efs_monitor.efs.credits import MIB, TIB, full_bucket_bytes
from efs_monitor.efs.file_system import FileSystem

from tests.unit.alarms.test_alarm import as_deployed
from tests.unit.strategies import DEFAULTS, bursting, elastic, provisioned, seen

NOW = datetime(2030, 1, 7, tzinfo=UTC)
FULL = full_bucket_bytes(TIB)
ASLEEP = f"{SUSPENDED_MARK} elastic"


def describe(kind: AlarmKind) -> str:
    return f"about {kind}"


def describe_asleep(kind: AlarmKind) -> str:
    return ASLEEP if kind in CREDIT_ALARMS else describe(kind)


def deployed(mib_per_second: int = 100) -> dict[AlarmKind, LiveAlarm]:
    thresholds = thresholds_for(mib_per_second * MIB, DEFAULTS)
    values = {
        AlarmKind.WARNING: thresholds.warning_bytes,
        AlarmKind.CRITICAL: thresholds.critical_bytes,
        AlarmKind.EXHAUSTED: thresholds.exhausted_bytes,
        AlarmKind.DRAINING: DEFAULTS.critical_minutes,
        AlarmKind.RISE: thresholds.rise_bytes_per_second,
    }
    return {
        kind: as_deployed(kind)._replace(threshold=float(value), description=describe(kind))
        for kind, value in values.items()
    }


def decided(file_system: FileSystem, mib_per_second: int, alarms: dict[AlarmKind, LiveAlarm]) -> Decision:
    return decide(file_system, seen((FULL, mib_per_second * MIB)), DEFAULTS, current_thresholds(alarms))


def after(changes: tuple[AlarmUpdate, ...]) -> dict[str, LiveAlarm]:
    return {change.after.name: change.after for change in changes}


def carried_out(alarms: dict[AlarmKind, LiveAlarm], changes: tuple[AlarmUpdate, ...]) -> dict[AlarmKind, LiveAlarm]:
    written = {change.before.name: change.after for change in changes}
    return {kind: written.get(alarm.name, alarm) for kind, alarm in alarms.items()}


def test_nothing_is_written_when_all_is_right() -> None:
    alarms = deployed()
    assert updates(decided(bursting(), 100, alarms), alarms, describe) == ()


def test_a_raise_writes_all_that_have_a_balance_or_a_rate_and_leaves_their_settings_alone() -> None:
    alarms = deployed()
    changes = updates(decided(bursting(2 * TIB), 200, alarms), alarms, describe)
    assert [change.after.name for change in changes] == [
        alarm.name for kind, alarm in alarms.items() if kind is not AlarmKind.DRAINING
    ]
    for change in changes:
        assert change.before.threshold is not None
        assert change.after.threshold == change.before.threshold * 2
        assert change.after.settings == change.before.settings
        assert not change.wake


def test_a_text_that_is_no_longer_true_is_written_even_when_the_threshold_stays() -> None:
    alarms = deployed()
    alarms[AlarmKind.WARNING] = alarms[AlarmKind.WARNING]._replace(description="yesterday's")
    (change,) = updates(decided(bursting(), 100, alarms), alarms, describe)
    assert change.after.description == "about warning"


def test_an_alarm_left_without_a_threshold_is_not_written_and_the_others_are() -> None:
    alarms = deployed()
    alarms[AlarmKind.WARNING] = alarms[AlarmKind.WARNING]._replace(threshold=None)
    changes = after(updates(decided(bursting(2 * TIB), 200, alarms), alarms, describe))
    assert sorted(changes) == ["home-critical", "home-exhausted", "home-permitted-throughput-rise"]


def test_nor_is_it_written_to_suspend_the_others() -> None:
    alarms = deployed()
    alarms[AlarmKind.WARNING] = alarms[AlarmKind.WARNING]._replace(threshold=None)
    decision = decide(elastic(), seen((FULL, 100 * MIB)), DEFAULTS, current_thresholds(alarms))
    assert decision.suspended
    assert sorted(after(updates(decision, alarms, describe_asleep))) == [
        "home-critical",
        "home-draining",
        "home-exhausted",
    ]


def test_actions_switched_off_by_hand_stay_off() -> None:
    alarms = deployed()
    alarms[AlarmKind.CRITICAL] = alarms[AlarmKind.CRITICAL]._replace(actions_enabled=False)
    changes = after(updates(decided(bursting(2 * TIB), 200, alarms), alarms, describe))
    assert not changes["home-critical"].actions_enabled
    assert changes["home-warning"].actions_enabled


def test_a_suspension_silences_every_alarm_on_credits_at_a_threshold_that_no_balance_is_below() -> None:
    alarms = deployed()
    changes = after(updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    assert set(changes) == {alarm_name("home", kind) for kind in CREDIT_ALARMS}
    for kind in CREDIT_ALARMS:
        alarm = changes[alarms[kind].name]
        assert (alarm.actions_enabled, alarm.suspended, alarm.threshold) == (False, True, 0)


def test_only_rise_follows_the_size_while_the_others_are_suspended() -> None:
    alarms = deployed()
    asleep = carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    assert updates(decided(elastic(), 1024, asleep), asleep, describe_asleep) == ()
    (rise,) = updates(decided(elastic(2 * TIB), 1024, asleep), asleep, describe_asleep)
    assert (rise.kind, rise.after.threshold) == (AlarmKind.RISE, deployed(200)[AlarmKind.RISE].threshold)


def test_alarms_that_wake_have_the_thresholds_of_a_size_that_grew_meanwhile() -> None:
    alarms = deployed()
    asleep = carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    awake = carried_out(asleep, updates(decided(bursting(2 * TIB), 200, asleep), asleep, describe))
    assert {kind: one.threshold for kind, one in awake.items()} == {
        kind: one.threshold for kind, one in deployed(200).items()
    }


def test_one_that_was_switched_off_by_hand_is_not_written_in_another_mode() -> None:
    alarms = deployed()
    alarms[AlarmKind.CRITICAL] = alarms[AlarmKind.CRITICAL]._replace(actions_enabled=False)
    assert "home-critical" not in after(updates(decided(elastic(2 * TIB), 1024, alarms), alarms, describe_asleep))


def test_a_suspension_that_got_half_way_is_completed() -> None:
    alarms = deployed()
    whole = updates(decided(elastic(), 1024, alarms), alarms, describe_asleep)
    half = carried_out(alarms, whole[:1])
    rest = updates(decided(elastic(), 1024, half), half, describe_asleep)
    assert [change.after.name for change in rest] == ["home-critical", "home-exhausted", "home-draining"]


def test_alarms_count_as_suspended_as_soon_as_one_of_them_is() -> None:
    alarms = deployed()
    assert not current_thresholds(alarms).suspended
    whole = updates(decided(elastic(), 1024, alarms), alarms, describe_asleep)
    assert current_thresholds(carried_out(alarms, whole[:1])).suspended


def test_a_suspension_for_another_reason_is_told_in_the_alarms_and_wakes_none() -> None:
    alarms = deployed()
    asleep = carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    why = f"{SUSPENDED_MARK} provisioned"
    changes = updates(
        decided(provisioned(300), 300, asleep), asleep, lambda kind: why if kind in CREDIT_ALARMS else describe(kind)
    )
    assert [change.after.name for change in changes] == [alarm_name("home", kind) for kind in CREDIT_ALARMS]
    for change in changes:
        assert (change.after.description, change.after.actions_enabled, change.wake) == (why, False, False)


def test_resuming_wakes_what_was_suspended() -> None:
    alarms = deployed()
    asleep = carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    changes = updates(decided(bursting(), 100, asleep), asleep, describe)
    assert {change.after.name for change in changes} == {alarm_name("home", kind) for kind in CREDIT_ALARMS}
    assert all(change.wake and change.after.actions_enabled for change in changes)


def test_an_alarm_whose_balance_is_back_above_its_threshold_is_not_set_off_once_more_for_what_is_over() -> None:
    """It stays in ALARM for the minutes that CloudWatch still looks at, and ends by itself."""
    alarms = deployed()
    asleep = {
        kind: alarm._replace(state="ALARM")
        for kind, alarm in carried_out(
            alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep)
        ).items()
    }
    exhausted_bytes = thresholds_for(100 * MIB, DEFAULTS).exhausted_bytes

    def woken(newest_bytes: float | None) -> set[str]:
        changes = updates(decided(bursting(), 100, asleep), asleep, describe, newest_bytes)
        assert all(change.after.actions_enabled for change in changes)
        return {change.after.name.removeprefix("home-") for change in changes if change.wake}

    assert woken(exhausted_bytes) == {"warning", "critical", "draining"}
    assert woken(exhausted_bytes - 1) == {"warning", "critical", "exhausted", "draining"}
    assert woken(None) == {"warning", "critical", "exhausted", "draining"}
    changes = updates(decided(bursting(), 100, asleep), asleep, describe, exhausted_bytes)
    assert ending_unheard(changes) == (AlarmKind.EXHAUSTED,)
    low = (AlarmKind.WARNING, AlarmKind.CRITICAL)
    assert going_off(asleep, changes, exhausted_bytes) == low
    assert going_off(asleep, changes, None) == going_off(asleep, changes, float(FULL)) == ()
    # Silent ones tell nobody; and a run that was broken off has woken them already.
    assert going_off(asleep, (), exhausted_bytes) == ()
    assert going_off(carried_out(asleep, changes), (), exhausted_bytes) == low
    ok = asleep[AlarmKind.EXHAUSTED]._replace(state="OK")
    asleep[AlarmKind.EXHAUSTED] = ok
    assert ending_unheard(updates(decided(bursting(), 100, asleep), asleep, describe, exhausted_bytes)) == ()
    assert woken(exhausted_bytes) == {"warning", "critical", "exhausted", "draining"}


def test_one_that_could_not_go_off_does_not_do_so_for_what_is_over_when_it_wakes() -> None:
    """It would by its new threshold: CloudWatch still looks at a minute below it."""
    alarms = deployed()
    asleep = carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    exhausted_bytes = thresholds_for(100 * MIB, DEFAULTS).exhausted_bytes

    def held(newest_bytes: float, lowest_bytes: float) -> tuple[AlarmKind, ...]:
        changes = updates(decided(bursting(), 100, asleep), asleep, describe, newest_bytes, lowest_bytes)
        over = tuple(one.kind for one in changes if one.is_held)
        assert all(not one.wake and one.after.actions_enabled for one in changes if one.kind in over)
        assert ending_unheard(changes) == over
        return over

    assert held(exhausted_bytes, exhausted_bytes - 1) == (AlarmKind.EXHAUSTED,)
    assert held(exhausted_bytes, exhausted_bytes) == held(exhausted_bytes - 1, exhausted_bytes - 1) == ()
    assert held(FULL, 0.0) == LEAD_ALARMS
    # One that did go off while it was silent ends by itself: it is in ALARM already.
    silent = on(asleep)
    changes = updates(decided(bursting(), 100, silent), silent, describe, float(FULL), 0.0)
    assert [one.kind for one in changes if one.ends_by_itself and not one.is_held] == [*LEAD_ALARMS]
    # Whatever was low, an alarm that acts has told of it.
    assert not any(one.is_held for one in updates(decided(bursting(), 100, alarms), alarms, describe, float(FULL), 0.0))


def on(alarms: dict[AlarmKind, LiveAlarm]) -> dict[AlarmKind, LiveAlarm]:
    return {kind: alarm._replace(state="ALARM") for kind, alarm in alarms.items()}


def test_what_was_heard_of_is_not_said_to_end_unheard() -> None:
    alarms = on(deployed())
    changes = updates(decided(bursting(2 * TIB), 200, alarms), alarms, describe, float(FULL))
    assert any(change.ends_by_itself for change in changes)
    assert ending_unheard(changes) == ()


def ended(changes: tuple[AlarmUpdate, ...]) -> set[str]:
    return {change.after.name.removeprefix("home-") for change in changes if change.is_ended}


def test_what_is_on_ends_as_it_falls_silent() -> None:
    alarms = on(deployed())
    everything = updates(decided(elastic(), 1024, alarms), alarms, describe_asleep, 1.0)
    assert ended(everything) == {"warning", "critical", "exhausted", "draining"}
    quiet = deployed() | {AlarmKind.CRITICAL: alarms[AlarmKind.CRITICAL]}
    assert ended(updates(decided(elastic(), 1024, quiet), quiet, describe_asleep, 1.0)) == {"critical"}
    switched_off = alarms[AlarmKind.CRITICAL]._replace(actions_enabled=False)
    quiet[AlarmKind.CRITICAL] = switched_off
    assert ended(updates(decided(elastic(), 1024, quiet), quiet, describe_asleep, 1.0)) == set()


def test_what_is_silent_and_on_ends_unheard() -> None:
    """A version of before left it at its threshold, or a run broke off."""
    alarms = deployed()
    asleep = on(carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep)))
    decision = decided(elastic(), 1024, asleep)
    for newest_bytes in (1.0, None):
        changes = updates(decision, asleep, describe_asleep, newest_bytes)
        assert ended(changes) == {"warning", "critical", "exhausted", "draining"}
        assert all(change.is_unheard and change.after == change.before for change in changes)
    assert ended(updates(decided(bursting(), 100, asleep), asleep, describe, None)) == set()


def written_by_cloudformation(*, went_off_after_minutes: int | None = None) -> dict[AlarmKind, LiveAlarm]:
    """Alarms that were suspended and are on: with the actions and thresholds of the last deployment since a minute, and
    in ALARM since so many minutes after it, or since before.
    """
    changed = timedelta(minutes=-30 if went_off_after_minutes is None else went_off_after_minutes)
    return {kind: alarm._replace(configured=NOW, transitioned=NOW + changed) for kind, alarm in on(deployed()).items()}


@pytest.mark.parametrize(("went_off", "is_unheard"), [(None, True), (0, False), (1, False)])
def test_what_cloudformation_switched_on_again_ends_heard_only_if_somebody_heard_of_it(
    went_off: int | None, is_unheard: bool
) -> None:
    alarms = written_by_cloudformation(went_off_after_minutes=went_off)
    decision = decided(elastic(), 1024, alarms)
    changes = updates(decision, alarms, describe_asleep, 1.0, was_suspended=True)
    assert ended(changes) == {"warning", "critical", "exhausted", "draining"}
    assert {change.is_unheard for change in changes if change.is_ended} == {is_unheard}
    # Nobody was told of a suspension: what is on was heard.
    assert not any(change.is_unheard for change in updates(decision, alarms, describe_asleep, 1.0))


def test_what_went_on_unheard_before_credits_matter_again_is_judged_afresh() -> None:
    """The mode was changed back amid an update, before which the alarms had been put into ALARM."""
    alarms = written_by_cloudformation()
    decision = decided(bursting(), 100, alarms)
    changes = updates(decision, alarms, describe, 1.0, was_suspended=True)
    assert {change.kind for change in changes if change.wake} == set(CREDIT_ALARMS)
    heard = written_by_cloudformation(went_off_after_minutes=1)
    assert updates(decision, heard, describe, 1.0, was_suspended=True) == ()
    assert updates(decision, alarms, describe, 1.0) == ()


STORED = thresholds_for(50 * MIB, DEFAULTS)
LOW = float(STORED.critical_bytes - 1)


def held_ready(
    alarms: dict[AlarmKind, LiveAlarm],
    lowest_bytes: float | None = LOW,
    *,
    was_suspended: bool = True,
    stored: Thresholds = STORED,
) -> dict[AlarmKind, AlarmUpdate]:
    """What is made of the alarms before an update."""
    decision = decided(provisioned(300), 300, alarms)
    changes = held_for_update(decision, alarms, describe_asleep, stored, lowest_bytes, was_suspended=was_suspended)
    assert all(one.after.suspended and not one.after.actions_enabled for one in changes)
    assert all(one.is_held or (one.is_ended and one.after.threshold == 0) for one in changes)
    return {one.kind: one for one in changes}


def suspended() -> dict[AlarmKind, LiveAlarm]:
    alarms = deployed()
    return carried_out(alarms, updates(decided(provisioned(300), 300, alarms), alarms, describe_asleep))


def test_before_an_update_what_is_low_by_the_stored_thresholds_is_put_into_alarm_at_these() -> None:
    changes = held_ready(suspended())
    assert {kind: one.after.threshold for kind, one in changes.items()} == {
        AlarmKind.WARNING: STORED.warning_bytes,
        AlarmKind.CRITICAL: STORED.critical_bytes,
    }
    assert not any(one.is_ended for one in changes.values())
    assert held_ready(suspended(), float(STORED.warning_bytes)) == held_ready(suspended(), None) == {}
    # A stack that was deployed while credits meant nothing has stored that.
    assert held_ready(suspended(), 0.0, stored=STORED.suspended) == {}


def test_what_is_held_already_is_left_as_it_is() -> None:
    asleep = suspended()
    held = on(carried_out(asleep, tuple(held_ready(asleep).values())))
    marked = {kind: alarm._replace(state_reason=f"{HELD_MARK} it is low.") for kind, alarm in held.items()}
    assert held_ready(marked) == {}
    ok = {kind: alarm._replace(state="OK") for kind, alarm in held.items()}
    assert held_ready(ok).keys() == {AlarmKind.WARNING, AlarmKind.CRITICAL}


def test_one_that_cloudwatch_put_into_alarm_before_the_monitor_could_is_marked_as_held() -> None:
    """Once CloudFormation has written it, nothing else tells that nobody heard of it."""
    asleep = suspended()
    held = on(carried_out(asleep, tuple(held_ready(asleep).values())))
    again = held_ready(held)
    assert again.keys() == {AlarmKind.WARNING, AlarmKind.CRITICAL}
    assert all(one.is_held and not one.is_ended and one.after == one.before for one in again.values())


@pytest.mark.parametrize(("went_off", "is_ended"), [(None, False), (1, True)])
def test_one_that_cloudformation_has_written_by_then_is_silenced_and_ended_for_whoever_heard_of_it(
    went_off: int | None, is_ended: bool
) -> None:
    changes = held_ready(written_by_cloudformation(went_off_after_minutes=went_off))
    assert {one.kind for one in changes.values() if one.is_held} == {AlarmKind.WARNING, AlarmKind.CRITICAL}
    assert {one.is_ended for one in changes.values()} == {is_ended}


def test_before_an_update_what_acts_and_is_on_is_ended_heard_and_held_only_if_it_is_low_by_the_stored_threshold() -> (
    None
):
    """The mode was changed minutes ago, and no run has seen it yet."""
    changes = held_ready(on(deployed()), was_suspended=False)
    assert changes.keys() == set(CREDIT_ALARMS)
    assert all(one.is_ended and not one.is_unheard for one in changes.values())
    assert {kind: one.after.threshold for kind, one in changes.items()} == {
        AlarmKind.WARNING: STORED.warning_bytes,
        AlarmKind.CRITICAL: STORED.critical_bytes,
        AlarmKind.EXHAUSTED: 0,
        AlarmKind.DRAINING: 0,
    }
    assert {kind for kind, one in changes.items() if one.is_held} == {AlarmKind.WARNING, AlarmKind.CRITICAL}
    without_balance = held_ready(on(deployed()), None, was_suspended=False)
    assert without_balance.keys() == set(CREDIT_ALARMS)
    assert not any(one.is_held for one in without_balance.values())


def test_what_acts_and_is_ok_is_held_if_it_is_low_by_the_stored_threshold() -> None:
    changes = held_ready(deployed(), was_suspended=False)
    assert changes.keys() == {AlarmKind.WARNING, AlarmKind.CRITICAL}
    assert all(one.is_held and not one.is_ended for one in changes.values())
    assert held_ready(deployed(), None, was_suspended=False) == {}


def held_and_written_by_cloudformation() -> dict[AlarmKind, LiveAlarm]:
    """Alarms that act again, and were put into ALARM while they were silent. Nobody was told of a suspension."""
    reason = f"{HELD_MARK} the balance is low."
    return {kind: alarm._replace(state_reason=reason) for kind, alarm in on(deployed()).items()}


def test_what_was_held_and_acts_again_ends_unheard_before_anybody_was_told_of_a_suspension() -> None:
    """It was ended, heard, before it was held."""
    alarms = held_and_written_by_cloudformation()
    changes = updates(decided(elastic(), 1024, alarms), alarms, describe_asleep, 1.0)
    assert ended(changes) == {"warning", "critical", "exhausted", "draining"}
    assert all(change.is_unheard for change in changes)
    ready = held_ready(alarms, was_suspended=False)
    assert ready.keys() == {AlarmKind.WARNING, AlarmKind.CRITICAL}
    assert not any(one.is_ended for one in ready.values())


def test_nor_is_it_lost_where_credits_matter_again_by_then() -> None:
    alarms = held_and_written_by_cloudformation()
    changes = updates(decided(bursting(), 100, alarms), alarms, describe, 1.0)
    assert {change.kind for change in changes if change.wake} == set(CREDIT_ALARMS)


def test_nothing_is_held_that_credits_matter_to_or_that_somebody_switched_off_or_made_another() -> None:
    alarms = deployed()
    decision = decided(bursting(), 100, alarms)
    assert held_for_update(decision, alarms, describe, STORED, LOW, was_suspended=True) == ()
    asleep = suspended()
    asleep[AlarmKind.WARNING] = asleep[AlarmKind.WARNING]._replace(threshold=None)
    asleep[AlarmKind.CRITICAL] = alarms[AlarmKind.CRITICAL]._replace(actions_enabled=False)
    assert held_ready(asleep) == {}
    del asleep[AlarmKind.WARNING]
    assert held_ready(asleep) == {}


def test_one_that_is_not_there_keeps_no_other_from_being_held() -> None:
    asleep = suspended()
    del asleep[AlarmKind.WARNING]
    assert held_ready(asleep).keys() == {AlarmKind.CRITICAL}


def test_what_is_silent_and_off_is_unheard_where_a_balance_could_be_below_its_threshold() -> None:
    """A run that broke off has silenced it, and has not lowered its threshold yet."""

    def unheard(alarms: dict[AlarmKind, LiveAlarm]) -> set[AlarmKind]:
        return {one.kind for one in updates(decided(bursting(), 100, alarms), alarms, describe) if one.is_unheard}

    asleep = suspended()
    assert unheard(asleep) == set()
    asleep[AlarmKind.WARNING] = asleep[AlarmKind.WARNING]._replace(threshold=1.0)
    assert unheard(asleep) == {AlarmKind.WARNING}
    asleep[AlarmKind.WARNING] = asleep[AlarmKind.WARNING]._replace(description="somebody's own")
    assert unheard(asleep) == set()


def test_an_alarm_switched_off_by_hand_is_not_switched_on_by_suspend_and_resume() -> None:
    alarms = deployed()
    alarms[AlarmKind.WARNING] = alarms[AlarmKind.WARNING]._replace(actions_enabled=False)
    asleep = carried_out(alarms, updates(decided(elastic(), 1024, alarms), alarms, describe_asleep))
    awake = carried_out(asleep, updates(decided(bursting(), 100, asleep), asleep, describe))
    assert not awake[AlarmKind.WARNING].actions_enabled
    assert awake[AlarmKind.CRITICAL].actions_enabled


def test_a_missing_alarm_is_not_written() -> None:
    alarms = deployed()
    del alarms[AlarmKind.CRITICAL]
    assert "home-critical" not in after(updates(decided(bursting(2 * TIB), 200, alarms), alarms, describe))


def test_minutes_of_draining_that_somebody_edited_are_put_right() -> None:
    alarms = deployed()
    alarms[AlarmKind.DRAINING] = alarms[AlarmKind.DRAINING]._replace(threshold=5.0)
    (change,) = updates(decided(bursting(), 100, alarms), alarms, describe)
    assert (change.after.name, change.after.threshold) == ("home-draining", 60)


def test_the_thresholds_that_there_are_now_are_those_of_the_alarms() -> None:
    alarms = deployed()
    del alarms[AlarmKind.CRITICAL]
    current = current_thresholds(alarms)
    assert (current.warning_bytes, current.critical_bytes) == (alarms[AlarmKind.WARNING].threshold, None)


def test_only_alarms_that_are_awake_go_off_on_a_balance_below_them() -> None:
    alarms = deployed()
    assert going_off(alarms, (), 1.0) == (AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED)
    assert going_off(alarms, (), float(FULL)) == ()
    alarms[AlarmKind.WARNING] = alarms[AlarmKind.WARNING]._replace(actions_enabled=False)
    alarms[AlarmKind.CRITICAL] = alarms[AlarmKind.CRITICAL]._replace(description=ASLEEP)
    assert going_off(alarms, (), 1.0) == (AlarmKind.EXHAUSTED,)
