"""The mail that comes again while nothing is left: what it says anew, what it leaves out, and when it is not enough."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.mode_lock import LOCK
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.layout import Message
from efs_monitor.mail.low_credits_mails import credits_low
from efs_monitor.mail.still_gone_mails import mail_with_all_remedies, still_gone
from efs_monitor.notify.repeats import Repeat

from tests.unit.each_minute import each_minute
from tests.unit.mail.mail_cases import FILE_SYSTEM_ID, HERE, NEWEST, TIME, a_situation, gone_for

CRITICAL, EXHAUSTED = AlarmKind.CRITICAL, AlarmKind.EXHAUSTED
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
GONE = gone_for(8)
GONE_SINCE = NEWEST - 8 * HOUR
TOLD = GONE_SINCE + 3 * MINUTE


def mail(situation: Situation = GONE, last: datetime = TIME - 4 * HOUR, pause: timedelta = 4 * HOUR) -> Message:
    repeat = Repeat(alarm=CRITICAL, brief=False, pause=pause, last=last)
    return still_gone(repeat, 60, situation, HERE, lasting=9 * HOUR, whole_mail=TOLD)


def text(situation: Situation = GONE, last: datetime = TIME - 4 * HOUR, pause: timedelta = 4 * HOUR) -> str:
    return " ".join(mail(situation, last, pause).body.split())


def test_it_says_for_how_long_they_are_gone_and_what_was_moved_since_the_mail_before() -> None:
    assert (
        "are gone since about 18:41 UTC on Sun 6 Jan. For 8 h 4 min everything on it has been limited to 4.9 MiB/s "
        "instead of 100 MiB/s. Since the mail before, of 22:45 UTC on Sun 6 Jan, clients moved 4.9 MiB/s on average as "
        "metered, of the 4.9 MiB/s that are permitted. What takes an hour at the rate of the busiest five minutes of "
        "the last 24 hours (60 MiB/s) takes 12 h 17 min now." in text()
    )


def test_for_how_long_is_not_said_where_the_first_that_is_known_of_the_day_was_gone_already() -> None:
    since = tuple(one for one in GONE.balances_of_the_day if one.time >= GONE_SINCE)
    permitted = tuple(one for one in GONE.permitted_of_the_day if one[0] >= GONE_SINCE)
    days = (replace(GONE.past_days[0], balances=since), *GONE.past_days[1:])
    cut = replace(GONE, past_days=days, permitted_of_the_day=permitted)
    told = text(cut)
    assert "are gone since 18:41 UTC on Sun 6 Jan or before. " in told
    assert "everything on it has been limited" not in told


def test_clients_that_took_less_since_then_show_it() -> None:
    last = TIME - 4 * HOUR
    idle = tuple(one._replace(metered_bytes=0.0) if one.time >= last + 2 * HOUR else one for one in GONE.last_day)
    assert "clients moved 2.4 MiB/s on average as metered, of the 4.9 MiB/s that" in text(replace(GONE, last_day=idle))


def test_the_first_five_minutes_after_that_mail_and_those_that_are_under_way_are_no_part_of_it() -> None:
    """Credits may have ended in them."""
    fast = {TIME - 4 * HOUR + MINUTE, NEWEST}
    work = tuple(one._replace(metered_bytes=1e12) if one.time in fast else one for one in GONE.last_day)
    assert "clients moved 4.9 MiB/s on average" in text(replace(GONE, last_day=work))


def test_five_minutes_of_which_some_are_missing_are_no_part_of_it_as_far_as_each_minute_is_known() -> None:
    """Of two of them four minutes and one are missing, with what was moved in these."""
    cut = NEWEST - 60 * MINUTE
    missing = {cut + minute * MINUTE for minute in range(1, 6)}
    empty = [BalancePoint(time=NEWEST - age * MINUTE, balance_bytes=0.0) for age in range(180, -1, -1)]
    known = tuple(one for one in empty if one.time not in missing)
    moved = {cut: 0.2, cut + 5 * MINUTE: 0.8}
    work = tuple(
        one._replace(metered_bytes=moved.get(one.time, 1.0) * one.metered_bytes)
        if one.time >= known[0].time
        else one._replace(metered_bytes=2 * one.metered_bytes)
        for one in GONE.last_day
    )
    whole = replace(GONE, last_day=work, earlier_balances=known[:-56], balances=known[-56:])
    # Two hours and 50 minutes of 4.88 MiB/s, and before those 50 of twice as much: 5.8 with the two of them.
    assert "clients moved 6.0 MiB/s on average" in text(whole)


def test_a_rate_that_covers_what_clients_had_is_told_with_that_they_may_want_more() -> None:
    """The command alone would hold down a load of which the busiest minutes were at the limit."""
    limited = "Clients were limited since, and may want more: they need a higher number."
    assert f"a month for 60 MiB/s. {limited} aws efs update-file-system" in text()


def test_where_more_was_permitted_since_then_than_now_it_says_what_is_permitted_now() -> None:
    """The file system has shrunk."""
    shrunk = tuple((time, 2 * rate) for time, rate in GONE.permitted_of_the_day)
    assert "on average as metered; 4.9 MiB/s are permitted now." in text(replace(GONE, permitted_of_the_day=shrunk))


def test_where_less_was_permitted_since_then_than_now_what_they_moved_is_not_of_what_is_permitted_now() -> None:
    """The file system has grown, and 23 MiB/s were told "of the 39 that are permitted" where 14 were for half of it."""
    assert "on average as metered; 4.9 MiB/s are permitted now." in text(limited_to(2.0, hours=2))


def limited_to(mib_per_second: float, hours: float) -> Situation:
    """As of now, but for the first hours without credits."""
    until = GONE_SINCE + (4 + hours) * HOUR
    first = {time for time, _ in GONE.permitted_of_the_day if GONE_SINCE <= time < until}
    permitted = tuple(
        (time, mib_per_second * MIB if time in first else most) for time, most in GONE.permitted_of_the_day
    )
    return replace(GONE, permitted_of_the_day=permitted)


@pytest.mark.parametrize(
    ("mib_per_second", "limit"),
    [
        (2.0, "2.0 to 4.9 MiB/s, 4.9 MiB/s by now, instead of 100 MiB/s with credits."),
        (4.0, "4.0 to 4.9 MiB/s, 4.9 MiB/s by now, instead of 100 MiB/s with credits."),
        (34.0, "4.9 to 34 MiB/s, 4.9 MiB/s by now, instead of 100 MiB/s with credits."),
        (4.5, "4.9 MiB/s instead of 100 MiB/s."),
        (5.3, "4.9 MiB/s instead of 100 MiB/s."),
    ],
)
def test_a_limit_that_moved_with_the_size_by_more_than_a_tenth_is_not_that_of_now_all_the_time(
    mib_per_second: float, limit: str
) -> None:
    """81, 34 and 57 MiB/s were told to have been 57 for four hours."""
    assert f"For 8 h 4 min everything on it has been limited to {limit}" in text(limited_to(mib_per_second, hours=0))


@pytest.mark.parametrize("mib_per_second", [100.0, 150.0])
def test_a_rate_that_may_be_one_with_credits_is_no_limit_of_that_time(mib_per_second: float) -> None:
    """What 2 TiB earn is what less than 1 TiB may be driven at with credits."""
    told = text(limited_to(mib_per_second, hours=0))
    assert "Everything on it is now limited to 4.9 MiB/s instead of 100 MiB/s." in told
    assert "has been limited" not in told


def test_where_nothing_is_known_since_then_nothing_is_said_of_it() -> None:
    assert "Since the mail before" not in text(last=NEWEST)


def test_a_day_at_the_limit_does_not_tell_how_much_longer_it_takes() -> None:
    held = tuple(one._replace(metered_bytes=4.9 * MIB * 300) for one in GONE.last_day)
    told = text(replace(GONE, last_day=held))
    assert "Since the mail before" in told
    assert "What takes an hour" not in told


def test_after_more_than_a_day_it_says_so() -> None:
    for_long = gone_for(25)
    told = text(for_long)
    assert "have been gone for more than a day. Everything on it is now limited to 4.9 MiB/s instead of 100" in told


def test_it_has_each_command_of_the_whole_mail_with_its_price_and_leaves_out_the_rest() -> None:
    whole = " ".join(credits_low(CRITICAL, 60, GONE, HERE, 9 * HOUR).body.split())
    told = text()
    for command in ("--throughput-mode elastic", "--provisioned-throughput-in-mibps 60", "nfsiostat 5 3"):
        assert told.count(command) == whole.count(command) == 1
    assert whole.count("for the 24 hours of the lock") == told.count("for the 24 hours of the lock") == 1
    assert "Price (us-east-1 list): A day like the last 24 hours" in told
    for rest in ("Limits: ", "Each operation is counted as", "Storing more data is no way out", "FIGURES of"):
        assert rest in whole
        assert rest not in told
    assert "Locked: should AWS answer" in told
    assert "Who drives it: mostly writes." in told
    assert _lines_before_the_links(mail()) < 0.75 * _lines_before_the_links(
        credits_low(CRITICAL, 60, GONE, HERE, 9 * HOUR)
    )


def _lines_before_the_links(message: Message) -> int:
    return message.body.partition("Runbook:")[0].count("\n")


def test_it_says_where_the_rest_stands_and_when_the_next_one_comes() -> None:
    told = (
        "The mail of 18:44 UTC on Sun 6 Jan says more about each of these. The next mail like this one comes in about"
    )
    assert f"{told} 4 hours, if it is so then." in text()
    assert f"{told} an hour, if it is so then." in text(pause=HOUR)


def test_its_subject_is_that_of_any_other_that_repeats_one() -> None:
    assert mail().subject.startswith("STILL CRITICAL for 9 h: burst credits gone, limited to 4.9 MiB/s, ")
    assert FILE_SYSTEM_ID in mail().subject
    assert "Since the mail before" in mail().chat.text
    assert [step for step in mail().chat.steps if "throughput-mode elastic" in step]


def test_a_mail_that_told_of_this_zero_has_the_rest() -> None:
    assert mail_with_all_remedies(GONE, TIME - 4 * HOUR) == TOLD
    assert mail_with_all_remedies(GONE, TOLD) == TOLD


@pytest.mark.parametrize(("before", "is_told"), [(10, True), (11, False)])
def test_one_of_ten_minutes_before_the_end_told_of_it(before: int, is_told: bool) -> None:
    """Exhausted goes off at a minute's worth, and the end of a slow load comes hours later."""
    last = GONE_SINCE - before * MINUTE
    early = replace(GONE, alarms_on=((EXHAUSTED, GONE_SINCE - HOUR),))
    assert (mail_with_all_remedies(early, last) is not None) is is_told


def test_a_whole_mail_comes_where_nobody_had_one_about_this_zero() -> None:
    last = TIME - 4 * HOUR
    assert mail_with_all_remedies(GONE, TOLD - MINUTE) is None
    assert mail_with_all_remedies(replace(GONE, alarms_on=GONE.alarms_on[:2]), last) is None
    assert mail_with_all_remedies(a_situation(balance_gib=100, hour_ago_gib=150, activity=None), last) is None


def test_a_whole_mail_comes_where_credits_come_back() -> None:
    back = each_minute(GONE.balances[0], BalancePoint(time=NEWEST, balance_bytes=2 * GIB))
    assert mail_with_all_remedies(replace(GONE, balances=back), TIME - 4 * HOUR) is None


def test_a_whole_mail_comes_where_the_first_one_left_the_remedies_out_for_the_lock() -> None:
    locked = replace(GONE, resumed=TOLD - LOCK + MINUTE)
    assert mail_with_all_remedies(locked, TIME - 4 * HOUR) is None
    assert mail_with_all_remedies(replace(GONE, resumed=TOLD - LOCK), TIME - 4 * HOUR) == TOLD


def test_who_takes_less_than_is_there_without_credits_is_not_limited() -> None:
    """0.8 MiB/s of a whole one were told as limited for two days: the end of the credits slows nobody who wants less.
    An hour that is not known, or five minutes at the limit in it, may want more.
    """
    activity = GONE.activity
    assert activity is not None

    def told(busiest_mib: float, observed_minutes: int = 60) -> str:
        took = replace(activity, busiest_bytes_per_second=busiest_mib * MIB, observed_minutes=observed_minutes)
        return " ".join(f"{(found := mail(replace(GONE, activity=took))).subject} {found.body}".split())

    below = told(4.6)
    assert "burst credits gone, no more than 4.9 MiB/s, " in below
    assert "For 8 h 4 min everything on it has had no more than 4.9 MiB/s instead of 100 MiB/s." in below
    for limited in (told(4.8), told(0, observed_minutes=29)):
        assert "burst credits gone, limited to 4.9 MiB/s, " in limited
        assert "everything on it has been limited to 4.9 MiB/s" in limited


def in_pulses(hours: float) -> Situation:
    """Ten minutes of each quarter of an hour have a GiB and full speed, for so long; the others have nothing."""
    begins = NEWEST - hours * HOUR

    def has_some(time: datetime) -> bool:
        return begins < time < NEWEST - 5 * MINUTE and (NEWEST - time) // (5 * MINUTE) % 3 != 0

    day = tuple(
        one._replace(balance_bytes=float(GIB)) if has_some(one.time) else one for one in GONE.balances_of_the_day
    )
    permitted = tuple((time, 100.0 * MIB if has_some(time) else rate) for time, rate in GONE.permitted_of_the_day)
    days = (replace(GONE.past_days[0], balances=day), *GONE.past_days[1:])
    return replace(GONE, past_days=days, permitted_of_the_day=permitted)


@pytest.mark.parametrize(("hours", "is_told"), [(3, True), (0, False)])
def test_of_a_load_in_pulses_it_says_from_when_on_they_were_gone_on_and_off(hours: float, is_told: bool) -> None:
    told = " ".join(credits_low(CRITICAL, 60, in_pulses(hours), HERE).body.split())
    since = "are gone since about 02:36 UTC, and were so on and off from about 18:41 UTC on Sun 6 Jan on."
    assert (since in told) is is_told
    assert ("on and off" in told) is is_told
