"""One name for an incident, from the first alarm to the end of Warning."""

from datetime import UTC, datetime, timedelta, timezone

from efs_monitor.alarms.alarm import HELD_MARK, AlarmKind, LiveAlarm
from efs_monitor.incidents.identity import (
    EndedByMode,
    alarms_missing,
    alarms_on,
    ended_by_mode,
    incident_began,
    incident_id,
)

from tests.unit.alarms.test_alarm import as_deployed
from tests.unit.strategies import NOW

WARNING, CRITICAL, EXHAUSTED, DRAINING = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED, AlarmKind.DRAINING


def alarms(**on_for_minutes: float) -> dict[AlarmKind, LiveAlarm]:
    """Those that are named have been on for so long; the others have been OK for a day."""
    since = {AlarmKind[name.upper()]: minutes for name, minutes in on_for_minutes.items()}
    return {
        kind: as_deployed(kind)._replace(
            state="ALARM" if kind in since else "OK", transitioned=ago(since.get(kind, 24 * 60))
        )
        for kind in (WARNING, CRITICAL, EXHAUSTED, DRAINING)
    }


def ago(minutes: float) -> datetime:
    return NOW - timedelta(minutes=minutes)


def test_every_mail_from_warning_to_its_end_is_of_one_incident() -> None:
    """Warning went off two hours ago; each line is what CloudWatch has when the mail is written, and what it tells."""
    story = [
        incident_began(alarms(warning=120), ago(120)),
        incident_began(alarms(warning=120, draining=70), ago(70)),
        incident_began(alarms(warning=120, critical=60), ago(60)),
        incident_began(alarms(warning=120, critical=60, exhausted=30), ago(30)),
        incident_began(alarms(warning=120, critical=60)),
        incident_began(alarms(warning=120, critical=60), ago(30)),
        incident_began(alarms(warning=120), ago(60)),
        incident_began(alarms(), ago(120)),
    ]
    assert set(story) == {ago(120)}


def test_the_next_one_is_another() -> None:
    first, second = incident_began(alarms(warning=120), ago(120)), incident_began(alarms(warning=20), ago(20))
    assert first
    assert second
    assert incident_id("fs-1", first) != incident_id("fs-1", second)


def test_a_graver_alarm_that_went_off_first_began_it() -> None:
    assert incident_began(alarms(critical=0), ago(0)) == ago(0)
    assert incident_began(alarms(warning=9, critical=10)) == ago(10)


def test_a_drill_and_a_fall_begin_no_incident() -> None:
    drilled = alarms(critical=300, draining=200)
    drilled[CRITICAL] = drilled[CRITICAL]._replace(state_reason="DRILL: by hand")
    assert incident_began(drilled) is None
    assert incident_began(drilled, ago(20)) == ago(20)


def test_what_a_drill_set_is_of_one_drill_whatever_else_is_on() -> None:
    drilled = alarms(warning=300, critical=20, exhausted=19)
    for kind in (CRITICAL, EXHAUSTED):
        drilled[kind] = drilled[kind]._replace(state_reason="DRILL: by hand")
    assert incident_began(drilled, ago(19), drill=True) == ago(20)
    assert incident_began(drilled) == ago(300)


def test_where_nothing_is_on_and_nothing_is_told_there_is_none() -> None:
    assert incident_began(alarms()) is None
    assert incident_began({}) is None


def test_an_alarm_that_is_missing_or_of_which_nobody_knows_since_when_is_left_out() -> None:
    known = alarms(warning=120, critical=60)
    assert incident_began({CRITICAL: known[CRITICAL]}) == ago(60)
    assert incident_began({**known, WARNING: known[WARNING]._replace(transitioned=None)}) == ago(60)


def test_it_is_named_by_the_minute_in_which_it_began_wherever_the_clock_stands() -> None:
    moment = datetime(2030, 1, 7, 3, 41, 59, 999_000, tzinfo=timezone(timedelta(hours=1)))
    assert incident_id("fs-0123", moment) == "fs-0123-20300107T0241Z"
    assert incident_id("fs-0123", moment.astimezone(UTC)) == "fs-0123-20300107T0241Z"


def test_a_drill_has_a_name_of_its_own() -> None:
    named = incident_id("fs-0123", datetime(2030, 1, 7, 2, 41, tzinfo=UTC), drill=True)
    assert named == "drill-fs-0123-20300107T0241Z"


def test_a_change_of_the_mode_ends_the_incident_of_all_alarms_that_are_on() -> None:
    on = alarms(warning=120, critical=60, draining=40)
    assert ended_by_mode(on, NOW) == EndedByMode(alarms=(WARNING, CRITICAL, DRAINING), began=ago(120), time=NOW)
    assert ended_by_mode(alarms(), NOW) is None
    assert ended_by_mode({}, NOW) is None


def test_an_alarm_is_missing_where_others_are_there() -> None:
    there = alarms()
    assert alarms_missing(there) == ()
    assert alarms_missing({DRAINING: there[DRAINING], CRITICAL: there[CRITICAL]}) == (WARNING, EXHAUSTED)
    # Where none could be read nobody knows.
    assert alarms_missing({}) == ()


def test_what_told_nobody_or_was_a_drill_is_no_incident() -> None:
    drilled = alarms(critical=3)
    drilled[CRITICAL] = drilled[CRITICAL]._replace(state_reason="DRILL: by hand")
    assert ended_by_mode(drilled, NOW) is None
    drilled[CRITICAL] = drilled[CRITICAL]._replace(state_reason=f"{HELD_MARK} low")
    assert ended_by_mode(drilled, NOW) is None
    silenced = alarms(critical=3)
    silenced[CRITICAL] = silenced[CRITICAL]._replace(actions_enabled=False)
    assert ended_by_mode(silenced, NOW) is None


def test_the_alarms_that_are_on_are_told_with_since_when_the_mildest_first() -> None:
    on = alarms(warning=120, critical=60, exhausted=30, draining=10)
    told = ((WARNING, ago(120)), (CRITICAL, ago(60)), (EXHAUSTED, ago(30)))
    assert alarms_on(on) == told
    assert alarms_on(alarms()) == ()
    without = {kind: one for kind, one in on.items() if kind is not CRITICAL}
    assert alarms_on(without) == (told[0], told[2])
    untold = on | {
        WARNING: on[WARNING]._replace(actions_enabled=False),
        CRITICAL: on[CRITICAL]._replace(transitioned=None),
    }
    assert alarms_on(untold) == (told[2],)
