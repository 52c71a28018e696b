"""Which mail an alarm has: by what it is about, by what is known, and by whether it repeats an earlier one."""

import dataclasses
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.config import Config
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.errors import NoDatapoints
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.last_seen import NewestSeen, newest_seen
from efs_monitor.incidents.mode_lock import LOCK, SEEN_WITHIN
from efs_monitor.incidents.situation import PastDay, Situation
from efs_monitor.mail.alarm_mails import alarm_mail, end_mail, low_credits_mail
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.figureless_mails import alarm_without_figures, end_without_figures
from efs_monitor.mail.layout import Message
from efs_monitor.mail.low_credits_mails import credits_low, credits_recovering, not_low
from efs_monitor.mail.recovered_mails import recovered
from efs_monitor.mail.stack_context import stack_context_of
from efs_monitor.mail.still_gone_mails import still_gone
from efs_monitor.notify.repeats import Repeat

from tests.unit.mail.mail_cases import QUIET, TIME, WRITING, a_situation, gone_for
from tests.unit.strategies import DEFAULTS

WARNING, CRITICAL, EXHAUSTED, DRAINING = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED, AlarmKind.DRAINING
CONFIG = Config(
    stack_name="home",
    stack_id="arn:aws:cloudformation:eu-central-1:123456789012:stack/home/0a1b2c3d",
    file_system_id="fs-0123456789abcdef0",
    advice_topic_arn="arn:aws:sns:eu-central-1:123456789012:home-advice",
    runbook_url="",
)
STACK = stack_context_of(CONFIG)
REASON = "Threshold Crossed: 1 datapoint was less than the threshold."
FALLING = a_situation(balance_gib=340, hour_ago_gib=500, activity=WRITING)
RISING = a_situation(balance_gib=340, hour_ago_gib=325, activity=QUIET)
UNREAD = NoDatapoints("CloudWatch has no datapoint")
A_DAY = timedelta(days=1)


def a_change(kind: AlarmKind, **changes: object) -> AlarmChange:
    change = AlarmChange(
        kind=kind, state="ALARM", previous_state="OK", reason=REASON, time=TIME, since=TIME - timedelta(hours=2)
    )
    return dataclasses.replace(change, **changes)  # type: ignore[arg-type] # each is one of its fields


def of(change: AlarmChange, found: Situation | NoDatapoints = FALLING) -> Message:
    return alarm_mail(CONFIG, DEFAULTS, change, found, TIME)


def test_each_alarm_that_went_off_has_its_own_mail() -> None:
    assert of(a_change(WARNING)) == credits_low(WARNING, 180, FALLING, STACK)
    assert of(a_change(CRITICAL)) == credits_low(CRITICAL, 60, FALLING, STACK)
    assert of(a_change(DRAINING)) == draining(60, FALLING, STACK)
    assert of(a_change(EXHAUSTED)) == limited(FALLING, STACK)


@pytest.mark.parametrize(
    ("went_off_below_gib", "told"),
    [
        (352.0, ""),
        (
            400.0,
            " It went off below 400 GiB, and ended because its threshold was lowered to 352 GiB: the balance is still",
        ),
        # That of 60 minutes at 200 MiB/s, which were permitted until ten minutes ago.
        (
            703.1,
            " It went off below 703 GiB, and ended because its threshold was lowered with the size to 352 GiB: the",
        ),
        # More has come back than set it off.
        (360.0, ""),
        (None, ""),
    ],
)
def test_one_that_is_over_by_a_lower_threshold_alone_says_so(went_off_below_gib: float | None, told: str) -> None:
    left = a_situation(balance_gib=380, hour_ago_gib=396, activity=WRITING)
    (day,) = [one for one in left.past_days if one.back == A_DAY] or [PastDay(back=A_DAY, balances=left.balances)]
    rates = tuple((TIME - timedelta(minutes=ago), rate * MIB) for ago, rate in ((20, 200.0), (15, 200.0), (10, 100.0)))
    falling = tuple(BalancePoint(time=time, balance_bytes=(383 - step) * GIB) for step, (time, _) in enumerate(rates))
    shrunk = dataclasses.replace(
        left, permitted_of_the_day=rates, past_days=(dataclasses.replace(day, balances=falling),)
    )
    below = None if went_off_below_gib is None else went_off_below_gib * GIB
    over = a_change(CRITICAL, state="OK", previous_state="ALARM", threshold_bytes=below)
    body = " ".join(end_mail(CONFIG, DEFAULTS, over, shrunk, TIME).body.split())
    since = "It was on since 00:45 UTC."
    assert f"{since}{told}" in body
    assert ("ended because its threshold" in body) is bool(told)


@pytest.mark.parametrize(("risen_minutes_ago", "is_told"), [(20, False), (40, True)])
def test_one_whose_balance_has_just_risen_above_the_lower_threshold_is_over_by_that(
    risen_minutes_ago: int, is_told: bool
) -> None:
    left = a_situation(balance_gib=380, hour_ago_gib=396, activity=WRITING)
    risen = TIME - timedelta(minutes=risen_minutes_ago)
    low = tuple(one._replace(balance_bytes=340.0 * GIB) for one in left.balances if one.time < risen)
    rising = dataclasses.replace(left, balances=(*low, *(one for one in left.balances if one.time >= risen)))
    over = a_change(CRITICAL, state="OK", previous_state="ALARM", threshold_bytes=400.0 * GIB)
    assert ("ended because its threshold" in end_mail(CONFIG, DEFAULTS, over, rising, TIME).body) is is_told


@pytest.mark.parametrize("kind", [WARNING, CRITICAL, EXHAUSTED, DRAINING])
def test_one_whose_figures_could_not_be_read_has_a_mail_without_them(kind: AlarmKind) -> None:
    told = alarm_without_figures(kind, CONFIG.file_system_id, REASON, str(UNREAD), STACK, TIME)
    assert of(a_change(kind), UNREAD) == told
    assert of(a_change(kind, threshold_bytes=400.0 * GIB), UNREAD) == told


SEEN = TIME - timedelta(hours=3)


def without_figures(resumed: datetime, kind: AlarmKind = CRITICAL) -> Message:
    return alarm_mail(CONFIG, DEFAULTS, a_change(kind), UNREAD, TIME, resumed)


@pytest.mark.parametrize("kind", [WARNING, CRITICAL, EXHAUSTED, DRAINING])
def test_without_figures_it_has_no_command_that_aws_refuses_for_certain(kind: AlarmKind) -> None:
    """The monitor has seen a change of the throughput mode three hours ago."""
    told = without_figures(SEEN, kind)
    body = " ".join(told.body.split())
    assert "update-file-system" not in told.body + " ".join(told.chat.steps)
    assert "until 23:45 UTC at the latest. Elastic and provisioned throughput are left out" in body
    assert told.short.endswith("Way out: less load, the mode is locked.")
    assert "when this monitor saw it" in told.chat.text
    assert "nfsiostat" in body


def test_when_nobody_knows_whether_the_lock_is_over_the_commands_come_back_after_what_is_free() -> None:
    told = without_figures(TIME - LOCK + SEEN_WITHIN)
    body = " ".join(told.body.split())
    assert body.index("a command that is refused changes nothing. 1. Slow down") < body.index("mode elastic")
    assert told.short.endswith("Way out: less load, the mode may be locked.")
    assert "Locked: should AWS answer" in body
    just_before = without_figures(TIME - LOCK + SEEN_WITHIN + timedelta(minutes=1))
    assert "update-file-system" not in just_before.body
    assert without_figures(TIME - LOCK) == of(a_change(CRITICAL), UNREAD)


def test_a_repeat_without_figures_heeds_the_lock_too() -> None:
    told = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, UNREAD, TIME, lasting=A_DAY, changed_seen=SEEN)
    assert told.subject.startswith("STILL CRITICAL for 24 h")
    assert "update-file-system" not in told.body


def test_one_that_an_old_threshold_set_off_is_told_not_to_be_low_but_in_a_drill() -> None:
    """Sixty minutes at 100 MiB/s are some 351 GiB."""
    higher = a_change(CRITICAL, threshold_bytes=600.0 * GIB)
    rich = a_situation(balance_gib=500, hour_ago_gib=520, activity=WRITING)
    assert of(higher, rich) == not_low(CRITICAL, 60, 600.0 * GIB, rich, STACK)
    assert of(higher) == of(a_change(CRITICAL))
    assert of(dataclasses.replace(higher, drill=True), rich) == credits_low(CRITICAL, 60, rich, STACK)


def test_one_that_lasts_says_for_how_long_and_has_a_brief_mail_while_the_balance_rises() -> None:
    told = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, RISING, TIME, lasting=A_DAY)
    assert told == credits_low(CRITICAL, 60, RISING, STACK, A_DAY)
    again = Repeat(alarm=CRITICAL, brief=True, pause=2 * A_DAY, last=TIME - A_DAY)
    brief = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, RISING, TIME, lasting=A_DAY, repeat=again)
    assert brief == credits_recovering(CRITICAL, 60, RISING, STACK, A_DAY, 2 * A_DAY)
    assert brief != told


def test_one_that_lasts_without_credits_has_a_shorter_mail_once_they_were_told_to_be_gone() -> None:
    gone, pause = gone_for(8), timedelta(hours=4)
    told = Repeat(alarm=CRITICAL, brief=False, pause=pause, last=TIME - pause)
    shorter = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, gone, TIME, lasting=A_DAY, repeat=told)
    whole_mail = dict(gone.alarms_on)[EXHAUSTED]
    assert shorter == still_gone(told, 60, gone, STACK, lasting=A_DAY, whole_mail=whole_mail)
    untold = told._replace(last=TIME - 3 * pause)
    whole = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, gone, TIME, lasting=A_DAY, repeat=untold)
    assert whole == credits_low(CRITICAL, 60, gone, STACK, A_DAY)
    assert whole != shorter


@pytest.mark.parametrize(("lead_minutes", "promises_less"), [(180, False), (275, False), (276, True), (360, True)])
def test_a_brief_mail_promises_none_of_a_bucket_that_is_nearly_full(lead_minutes: int, promises_less: bool) -> None:
    """Three quarters of it last 275.2 minutes at 100 MiB/s."""
    brief = credits_recovering(WARNING, lead_minutes, RISING, STACK, A_DAY, A_DAY)
    below = " and is below three quarters of a full bucket" if promises_less else ""
    assert f"once a day while the balance does not fall{below}. When it falls" in " ".join(brief.body.split())


def test_one_that_lasts_and_whose_figures_could_not_be_read_says_for_how_long_it_is_on() -> None:
    told = low_credits_mail(CONFIG, DEFAULTS, WARNING, REASON, UNREAD, TIME, lasting=A_DAY)
    assert told == alarm_without_figures(
        WARNING, CONFIG.file_system_id, REASON, str(UNREAD), STACK, TIME, lasting=A_DAY
    )


def test_each_alarm_that_is_over_has_its_own_mail() -> None:
    critical, exhausted = a_change(CRITICAL), a_change(EXHAUSTED)
    assert end_mail(CONFIG, DEFAULTS, critical, RISING, TIME) == recovered(CRITICAL, 60, RISING, STACK, critical.since)
    assert end_mail(CONFIG, DEFAULTS, exhausted, RISING, TIME) == limit_lifted(60, RISING, STACK)
    unseen = end_mail(CONFIG, DEFAULTS, a_change(EXHAUSTED, ended_unseen=True), RISING, TIME)
    assert unseen == limit_lifted(60, RISING, STACK, ended_unseen=True)
    assert end_mail(CONFIG, DEFAULTS, critical, UNREAD, TIME) == end_without_figures(
        CRITICAL, CONFIG.file_system_id, REASON, str(UNREAD), STACK, TIME
    )


def test_the_end_of_a_warning_tells_of_the_critical_that_ended_with_it() -> None:
    over = a_change(WARNING)
    both = end_mail(CONFIG, DEFAULTS, over, RISING, TIME, with_critical=True)
    assert "is over, and Critical with it." in " ".join(both.body.split())
    assert "Critical with it" not in end_mail(CONFIG, DEFAULTS, over, RISING, TIME).body


def newest(*gib: float, ago: timedelta = timedelta(hours=2)) -> NewestSeen | None:
    """The last balances that are known, five minutes apart, the newest of which began so long ago."""
    steps = enumerate(reversed(gib))
    points = [
        BalancePoint(time=TIME - ago - back * timedelta(minutes=5), balance_bytes=one * GIB) for back, one in steps
    ]
    return newest_seen(points[::-1], 6 * GIB, TIME)


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (newest(80, 100), "The newest datapoint, of about 00:45 UTC, had 100 GiB of burst credits left."),
        (newest(10, 0), "The newest datapoint, of about 00:45 UTC, had nothing left of the burst credits."),
        (
            newest(120, 110, 100),
            "burst credits left, and they fell by 34 MiB/s. If that went on, they have been gone since about 01:40",
        ),
        (
            newest(420, 410, 400),
            "400 GiB of burst credits left, and they fell by 34 MiB/s. If that went on, they are gone at about 04:10",
        ),
        # To the minute of the mail.
        (newest(250, 240, 230), "they have been gone since about 02:45 UTC."),
    ],
)
def test_a_mail_without_figures_says_what_was_known_last(seen: NewestSeen | None, told: str) -> None:
    mail = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, UNREAD, TIME, lasting=A_DAY, newest=seen)
    assert told in " ".join(mail.body.split())
    assert told.rpartition("they fell by")[2][:20] in mail.chat.text


def test_and_nothing_where_nothing_is_known() -> None:
    mail = low_credits_mail(CONFIG, DEFAULTS, CRITICAL, REASON, UNREAD, TIME, lasting=A_DAY)
    assert "The newest datapoint" not in mail.body
