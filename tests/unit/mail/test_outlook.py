"""How long the credits last, and what drives them down, in words."""

import re
from dataclasses import replace
from datetime import timedelta
from itertools import accumulate, pairwise

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.benchmarks.past_rates import NewestRate
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.observations import MINUTE, Activity, BalancePoint
from efs_monitor.incidents.falling_since import fall_with_rests
from efs_monitor.incidents.falls_alike import falls_alike
from efs_monitor.incidents.situation import PastDay, Situation
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.low_credits_mails import credits_low, credits_recovering
from efs_monitor.mail.outlook import (
    LONGEST_FORECAST_MINUTES,
    Trend,
    driver,
    end_at_net_rate,
    end_at_permitted_rate,
    ends_soon,
    left_in_short,
    left_in_subject,
    minutes_in_words,
    since_when_it_falls,
    trend,
    what_follows,
    what_is_so,
    whole_minutes_left,
)
from efs_monitor.mail.recovered_mails import recovered
from efs_monitor.mail.remedies import remedies, way_out_of_zero, ways_out
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.each_minute import each_minute
from tests.unit.incidents.earlier_days import MINUTE_BYTES
from tests.unit.incidents.test_falls_alike import HOURLY
from tests.unit.incidents.test_falls_alike import falling as falling_alike
from tests.unit.mail.mail_cases import (
    HERE,
    IDLE,
    LISTING,
    MIXED,
    NEWEST,
    READING_A_LOT,
    TIME,
    WRITING,
    a_file_system,
    a_situation,
)
from tests.unit.strategies import NOW

GIB_A_MINUTE = 100 * 60 / 1024


def lasting(minutes: float, *, permitted_mib_per_second: float = 100, before: float | None = None) -> Situation:
    """As much as lasts so many minutes at 100 MiB/s, and `before` the same an hour ago."""
    return a_situation(
        balance_gib=minutes * GIB_A_MINUTE,
        hour_ago_gib=None if before is None else before * GIB_A_MINUTE,
        activity=None,
        permitted_mib_per_second=permitted_mib_per_second,
    )


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0.9, "Less than 1 minute of burst credits is left at full speed"),
        (1.9, "1 minute of burst credits is left at full speed"),
        (42.5, "42 minutes of burst credits are left at full speed"),
        (99, "99 minutes of burst credits are left at full speed"),
        (100, "100 minutes (1 h 40 min) of burst credits are left at full speed"),
        (179.99, "179 minutes (2 h 59 min) of burst credits are left at full speed"),
    ],
)
def test_minutes_are_promised_in_full_and_in_good_grammar(minutes: float, text: str) -> None:
    assert minutes_in_words(lasting(minutes)) == text


def test_where_metrics_are_late_credits_that_were_gone_may_have_come_back() -> None:
    late = replace(lasting(0, before=10), time=NEWEST + timedelta(minutes=41))
    for mail in (limited(late, HERE), credits_low(AlarmKind.CRITICAL, 60, late, HERE)):
        told = " ".join(mail.body.split())
        assert f"gone, if the load went on: the newest datapoint is of {NEWEST:%H:%M} UTC, 41 minutes ago." in told
        assert "Everything on it would now be limited to 4.9 MiB/s instead of 100 MiB/s" in told
    in_time = " ".join(limited(lasting(0, before=10), HERE).body.split())
    assert "if the load went on" not in in_time
    assert "Everything on it is now limited to 4.9 MiB/s instead of 100 MiB/s" in in_time


def test_minutes_name_the_rate_that_they_are_counted_by_where_a_region_may_permit_less() -> None:
    """The most that the size gives: neither full speed, nor what is permitted, is known."""
    capped = replace(lasting(120, before=120), may_be_capped=True)
    assert left_in_short(capped) == "120 min of credits left at 100 MiB/s"
    assert minutes_in_words(capped) == "120 minutes (2 h) of burst credits are left at 100 MiB/s"
    assert end_at_permitted_rate(capped).startswith(
        "Driven at 100 MiB/s without a pause, and with what is earned meanwhile, they last 2 h 6 min, until"
    )
    assert what_follows(capped) == "When they end, everything on it slows from up to 100 MiB/s to 4.9 MiB/s"
    gone = replace(lasting(0, before=0), may_be_capped=True)
    assert what_is_so(gone) == "Everything on it is now limited to 4.9 MiB/s instead of up to 100 MiB/s"
    assert "(60 minutes at 100 MiB/s)" in " ".join(facts(AlarmKind.CRITICAL, 60, capped).split())
    rising = replace(lasting(30, before=10), may_be_capped=True)
    assert end_at_net_rate(rising, 60).endswith("the balance is rising by 33 MiB/s.")
    lifted = " ".join(limit_lifted(60, rising, HERE).body.split())
    assert "may be driven at up to 100 MiB/s again" in lifted
    falling = replace(lasting(90, before=100), may_be_capped=True)
    low = " ".join(credits_low(AlarmKind.WARNING, 180, falling, HERE).body.split())
    assert "at the pace of now, until 03:58 UTC if driven at 100 MiB/s without a pause." in low


def test_an_alarm_that_is_on_above_its_threshold_is_said_to_end() -> None:
    """CloudWatch still looks at a low minute; while it falls it may be below again at once."""
    soon = "It is above 60 minutes: if it stays so, the alarm ends within 15 minutes."
    for before in (61, 55):
        above = lasting(61, before=before)
        assert ends_soon(above, 60) == soon
        for mail in (
            credits_low(AlarmKind.CRITICAL, 60, above, HERE),
            credits_recovering(AlarmKind.CRITICAL, 60, above, HERE, timedelta(hours=5), timedelta(days=1)),
        ):
            assert soon in " ".join(mail.body.split())
            assert soon in mail.chat.text
        assert soon not in " ".join(recovered(AlarmKind.CRITICAL, 60, above, HERE).body.split())
    assert ends_soon(lasting(60, before=60), 60) == soon
    assert ends_soon(lasting(59.9, before=55), 60) == ""
    assert ends_soon(lasting(61, before=70), 60) == ""
    assert ends_soon(lasting(61), 60) == ""


def test_a_subject_has_the_end_at_the_pace_and_the_minutes_at_full_speed_where_nothing_falls() -> None:
    """Counted from the mail, four minutes after the newest datapoint: 60 minutes in the hour, then 60 are left."""
    assert left_in_short(lasting(60, before=120)) == "credits gone at 03:41 UTC, in 56 min"
    assert left_in_short(lasting(60, before=60)) == "60 min of credits left at full speed"
    assert left_in_short(lasting(60, before=50)) == "60 min of credits left at full speed"
    assert left_in_short(lasting(60)) == "60 min of credits left at full speed"
    assert left_in_short(lasting(4, before=64)) == "burst credits may be gone by now"


def test_a_subject_that_leaves_hours_says_where_full_speed_leaves_minutes() -> None:
    """An hour and a quarter at the pace: another load may end them before anybody looks again."""
    told = "credits gone at 04:01 UTC, in 1 h 16 min"
    assert left_in_subject(lasting(20, before=35)) == f"{told}; 19 min at full speed"
    assert left_in_subject(replace(lasting(20, before=35), may_be_capped=True)) == f"{told}; 19 min at 100 MiB/s"
    assert left_in_subject(lasting(21, before=36)).endswith("; 20 min at full speed")
    # A phone has no room for it.
    assert left_in_short(lasting(20, before=35)) == told
    assert left_in_subject(lasting(24, before=42)) == "credits gone at 04:01 UTC, in 1 h 16 min"
    assert left_in_subject(lasting(10, before=22)) == "credits gone at 03:31 UTC, in 46 min"
    assert left_in_subject(lasting(10, before=10)) == "10 min of credits left at full speed"


def test_warning_and_critical_say_how_falls_as_fast_ended_where_the_pace_is_that_of_one() -> None:
    mail = credits_low(AlarmKind.CRITICAL, 60, falling_alike(*HOURLY), HERE)
    assert ", unless like 3 before, fs-" in mail.subject
    told = "They fell as fast 3 times before in the last 24 hours, for about 10 min at the longest"
    assert told in " ".join(mail.body.split())
    assert told in mail.chat.text
    assert "fell as fast" not in credits_low(AlarmKind.CRITICAL, 60, falling_alike(HOURLY[0]), HERE).body
    # Whose credits may be gone by now did not end as before; and an average with the calm before is not its pace.
    late = replace(falling_alike(*HOURLY), time=NOW + timedelta(hours=1))
    assert "unless" not in credits_low(AlarmKind.CRITICAL, 60, late, HERE).subject
    calm, of_the_fall = falling_alike(*HOURLY).balances[:-9], falling_alike(*HOURLY).balances[-9:]
    slowly = (one._replace(balance_bytes=one.balance_bytes + NOW.minute - one.time.minute) for one in calm)
    uneven = (
        one._replace(balance_bytes=before.balance_bytes if index % 2 else one.balance_bytes)
        for index, (before, one) in enumerate(pairwise(of_the_fall[:-1]), 1)
    )
    averaged = replace(falling_alike(*HOURLY), balances=(*slowly, of_the_fall[0], *uneven, of_the_fall[-1]))
    assert falls_alike(averaged) is not None
    assert "fell as fast" not in credits_low(AlarmKind.CRITICAL, 60, averaged, HERE).body
    # The pace of pulses is that of their rests, too: they are in it already.
    steps = accumulate((-0.6 if minute % 10 < 4 else 0.05 for minute in range(54)), initial=40.0)
    pulses = tuple(
        BalancePoint(time=NOW - (54 - index) * MINUTE, balance_bytes=left * MINUTE_BYTES)
        for index, left in enumerate(steps)
    )
    pulsing = replace(falling_alike(*HOURLY), balances=pulses)
    assert falls_alike(pulsing) is not None
    for mail in (credits_low(AlarmKind.CRITICAL, 60, pulsing, HERE), draining(60, pulsing, HERE)):
        assert "credits gone at" in mail.subject
        assert "unless" not in mail.subject
        assert "fell as fast" not in mail.body
    told = "Pulses of 14 GiB came about every 10 min, and took more than the rests between them earned."
    assert told in " ".join(draining(60, pulsing, HERE).body.split())


def test_an_end_of_the_day_after_tomorrow_is_none_for_a_subject() -> None:
    assert left_in_short(lasting(60, before=61.26)) == "credits gone at 02:18 UTC, in 47 h 33 min"
    assert left_in_short(lasting(60, before=61.24)) == "59 min of credits left at full speed"


def test_minutes_are_rounded_down() -> None:
    assert whole_minutes_left(lasting(59.99)) == 59


@pytest.mark.parametrize(
    ("minutes", "permitted_mib_per_second", "gone"),
    [(0, 4.9, True), (0, 100, True), (0.9, 4.9, True), (0.9, 100, False), (30, 4.9, False)],
)
def test_credits_are_gone_at_zero_or_when_the_limit_is_felt(
    minutes: float, permitted_mib_per_second: float, gone: bool
) -> None:
    assert lasting(minutes, permitted_mib_per_second=permitted_mib_per_second).credits_are_gone is gone


def test_a_rate_that_is_one_percent_above_the_baseline_is_the_limit() -> None:
    situation = lasting(0.9)
    felt = replace(situation, permitted_bytes_per_second=situation.baseline_bytes_per_second * 1.01)
    assert felt.credits_are_gone


def test_a_single_byte_of_credits_is_not_gone_before_the_limit_is_felt() -> None:
    assert not replace(lasting(1), balances=(BalancePoint(time=NEWEST, balance_bytes=1.0),)).credits_are_gone


def test_a_fall_that_shows_as_a_tenth_of_a_mib_is_one() -> None:
    hour = 0.05 * MIB * 3600
    balances = tuple(
        BalancePoint(time=NEWEST - timedelta(minutes=age), balance_bytes=10 * hour - lost)
        for age, lost in ((60, 0), (0, hour))
    )
    assert trend(replace(lasting(1), balances=each_minute(*balances))) is Trend.FALLING


@pytest.mark.parametrize(
    ("before", "expected"),
    [(None, Trend.UNKNOWN), (50, Trend.FALLING), (42.01, Trend.FLAT), (40, Trend.RISING)],
)
def test_the_trend_of_two_points_is_their_difference(before: float | None, expected: Trend) -> None:
    assert trend(lasting(42, before=before)) is expected


def minute_by_minute(*balances_gib: float) -> Situation:
    """A balance a minute, the last one the newest."""
    situation = a_situation(balance_gib=balances_gib[-1], hour_ago_gib=None, activity=IDLE)
    oldest = NEWEST - timedelta(minutes=len(balances_gib) - 1)
    points = (
        BalancePoint(time=oldest + timedelta(minutes=index), balance_bytes=balance * GIB)
        for index, balance in enumerate(balances_gib)
    )
    return replace(situation, balances=tuple(points))


# Over the hour 6 GiB more; in its last quarter 30 GiB less.
RISEN_AND_FALLING = minute_by_minute(*(900 + 0.8 * m for m in range(45)), *(935.2 - 2 * m for m in range(1, 16)))
FALLEN_AND_RISING = minute_by_minute(*(900 - 0.8 * m for m in range(45)), *(864.8 + 2 * m for m in range(1, 16)))


def test_a_balance_that_falls_now_is_not_said_to_rise_because_it_did_before() -> None:
    assert trend(RISEN_AND_FALLING) is Trend.FALLING
    assert end_at_net_rate(RISEN_AND_FALLING, 180).startswith(
        "At the pace of the last 15 minutes (falling by 34 MiB/s) they last 7 h 28 min, until 10:13 UTC"
    )
    assert "- Balance in the last 59 minutes: rose by 5.2 GiB, 1.5 MiB/s net." in said_of(RISEN_AND_FALLING)


def test_a_balance_that_rises_now_tells_the_pace_that_it_has_now() -> None:
    assert trend(FALLEN_AND_RISING) is Trend.RISING
    assert end_at_net_rate(FALLEN_AND_RISING, 180).startswith(
        "At the pace of the last 15 minutes they do not end: the balance is rising by 34 MiB/s and will be above"
    )


def test_no_action_is_needed_only_where_the_whole_hour_rose() -> None:
    """A batch may pause for a quarter of an hour."""
    sentence = "If that goes on, no action is needed."
    assert sentence not in credits_low(AlarmKind.WARNING, 180, FALLEN_AND_RISING, HERE).body
    all_rising = minute_by_minute(*(800 + minute for minute in range(60)))
    assert sentence in credits_low(AlarmKind.WARNING, 180, all_rising, HERE).body


@pytest.mark.parametrize("minutes_late", [2, 27])
def test_nor_where_metrics_are_late_and_then_a_brief_mail_says_how_old_its_figures_are(minutes_late: int) -> None:
    """The whole mail has their time above all figures."""
    rising = minute_by_minute(*(800 + minute for minute in range(60)))
    newest = rising.balances[-1].time
    late = replace(rising, time=newest + timedelta(minutes=minutes_late))
    day = timedelta(days=1)
    whole = credits_low(AlarmKind.WARNING, 180, late, HERE).body
    brief = " ".join(credits_recovering(AlarmKind.WARNING, 180, late, HERE, day, day).body.split())
    for body in (whole, brief):
        assert ("If that goes on, no action is needed." in body) is (minutes_late == 2)
    age = f"The newest datapoint is of {newest:%H:%M} UTC, 27 minutes ago: a load that has come since, at 100 MiB/s,"
    assert (age in brief) is (minutes_late == 27)


@pytest.mark.parametrize(("hours", "is_said"), [(24, True), (24.1, False)])
def test_nor_where_the_load_that_set_off_the_alarm_came_before_the_day_that_is_known(
    hours: float, is_said: bool
) -> None:
    """A batch of every second day, and a bucket that takes two days to fill: the calm day between says nothing."""
    all_rising = minute_by_minute(*(800 + minute for minute in range(60)))
    lasting, day = timedelta(hours=hours), timedelta(days=1)
    since = all_rising.time - lasting
    bodies = (
        credits_low(AlarmKind.WARNING, 180, all_rising, HERE, lasting).body,
        credits_recovering(AlarmKind.WARNING, 180, all_rising, HERE, lasting, day).body,
    )
    assert ["If that goes on, no action is needed." in body for body in bodies] == [is_said] * 2
    over = recovered(AlarmKind.WARNING, 180, minute_by_minute(*(1100 + minute for minute in range(60))), HERE, since)
    assert ("No action is needed." in over.body) is is_said
    assert ("Whether the load that set it off comes again is not known" in over.body) is not is_said


def _grew(lost: list[float], minutes: int) -> bool:
    """Whether each of the last minutes lost twice as much as those before on average, and about as much as the others.

    What is lost to the byte is compared here in floating point.
    """
    before, last = lost[:-minutes], lost[-minutes:]
    return 0 < min(last) >= 2 * sum(before) / len(before) and max(last) <= 1.5 * min(last)


@given(st.lists(st.floats(-50, 50), min_size=15, max_size=59))
def test_the_direction_is_that_of_the_last_quarter_of_an_hour_of_whole_pulses_or_of_a_load_that_began_or_grew_in_it(
    steps_gib: list[float],
) -> None:
    balances = list(accumulate(steps_gib, initial=5000.0))
    situation = minute_by_minute(*balances)
    pulses = situation.pulses
    minutes = 15 if pulses is None else pulses.span // MINUTE
    lately = balances[-16:]
    since_the_top = lately[::-1].index(max(lately))
    falls = all(after < before for before, after in pairwise(lately[-1 - since_the_top :]))
    if pulses is None and 3 <= since_the_top < 15 and falls:
        # Without the first minute in which it took credits.
        minutes = since_the_top - 1
    elif pulses is None:
        lost = [before - after for before, after in pairwise(lately)]
        minutes = next((m for m in range(5, 15) if _grew(lost, m)), minutes)
    # Whole pulses and rests end with the last pulse, which a rest may have followed.
    rest = 0 if pulses is None else (situation.balances[-1].time - pulses.last_end.time) // MINUTE
    moved_gib = balances[-1 - rest] - balances[-1 - rest - minutes]
    if abs(moved_gib) < minutes * 60 * 0.05 / 1024:
        expected = Trend.FLAT
    else:
        expected = Trend.RISING if moved_gib > 0 else Trend.FALLING
    assert trend(situation) is expected


@pytest.mark.whole
@given(st.floats(0.01, 50), st.floats(0.001, 0.5))
def test_a_balance_ends_where_its_pace_ends_it_within_the_time_that_is_told_however_slow_that_is(
    balance_gib: float, falling_mib_per_second: float
) -> None:
    """Of a minute's worth or two little is left to fall."""
    gib_a_minute = falling_mib_per_second * 60 / 1024
    situation = minute_by_minute(*(balance_gib + (59 - m) * gib_a_minute for m in range(60)))
    minutes = situation.minutes_left_at_net
    assert minutes is not None
    ends = minutes < LONGEST_FORECAST_MINUTES
    assert (trend(situation) is Trend.FALLING) is (ends or falling_mib_per_second >= 0.05)
    mail = limited(situation, HERE)
    hardly = "they last more than two days: the balance hardly falls."
    assert (hardly in " ".join(mail.body.split())) is (trend(situation) is Trend.FLAT)
    assert ("minutes: hardly fell." in mail.body) is (trend(situation) is Trend.FLAT)
    assert ("min of credits left" in mail.subject) is not ends
    # The other way.
    rising = replace(
        situation,
        balances=tuple(
            one._replace(balance_bytes=other.balance_bytes)
            for one, other in zip(situation.balances, reversed(situation.balances), strict=True)
        ),
    )
    mail = limited(rising, HERE)
    is_flat = falling_mib_per_second < 0.05
    assert ("they do not end: the balance hardly rises." in " ".join(mail.body.split())) is is_flat
    assert ("minutes: hardly rose." in mail.body) is is_flat


RISING_UNTIL_NOW = tuple(4 + 0.1 * minute for minute in range(30))


def test_a_load_that_has_just_begun_and_ends_the_last_minutes_worth_is_told_with_its_own_end() -> None:
    """6.9 GiB were left, and 3 are: the quarter of an hour fell by 2.6 MiB/s, and its last minute by 67."""
    mail = limited(minute_by_minute(*RISING_UNTIL_NOW, 3), HERE)
    assert mail.subject.startswith("NEARLY GONE: burst credits may be gone by now, fs-")
    assert "In the last minute they fell by 67 MiB/s: if that went on, they have been gone since 02:41 UTC." in (
        " ".join(mail.body.split())
    )
    # The average of the rise and of the load says nothing of either.
    assert "they last" not in mail.body
    assert "Driven at the permitted" not in mail.body
    assert "Balance: 3.0 GiB, 0.1 % of a full bucket. Exhausted is on" in " ".join(mail.body.split())
    assert "WHAT TO DO, fastest first" in mail.body


def risen_to(top_gib: float, *falls_gib: float) -> Situation:
    """An hour of a rise, and minutes in which it fell by so much."""
    rising = [top_gib - 0.66 * minute for minute in range(58, -1, -1)]
    return minute_by_minute(*rising, *(top_gib - one for one in accumulate(falls_gib)))


@pytest.mark.parametrize("falls_gib", [(3.25,), (2.7, 3.25)])
def test_the_end_of_critical_does_not_call_a_balance_rising_of_which_a_load_takes_since_a_minute_or_two(
    falls_gib: tuple[float, ...],
) -> None:
    """The next CRITICAL came a minute later, and had the credits gone in less than two hours."""
    mail = recovered(AlarmKind.CRITICAL, 60, risen_to(360, *falls_gib), HERE)
    for told in (" ".join(mail.body.split()), mail.chat.text):
        assert "In the last minute they fell by 55 MiB/s: if that goes on, they are gone at 04:" in told
        assert "do not end" not in told
        assert "rising" not in told


@pytest.mark.parametrize(("falls_gib", "is_told"), [((0.13,), True), ((0.12,), False), ((), False)])
def test_unless_what_it_takes_lasts_for_two_days(falls_gib: tuple[float, ...], is_told: bool) -> None:
    told = " ".join(recovered(AlarmKind.CRITICAL, 60, risen_to(360, *falls_gib), HERE).body.split())
    assert ("In the last minute they fell by" in told) is is_told
    assert ("they do not end: the balance is rising by" in told) is not is_told


@pytest.mark.parametrize(("falls_gib", "hours"), [((), 1), ((3.25,), 1), ((), 25), ((3.25,), 25)])
def test_nor_does_the_end_of_a_warning_say_then_that_no_action_is_needed_or_that_nothing_takes_credits(
    falls_gib: tuple[float, ...], hours: int
) -> None:
    situation = risen_to(1100, *falls_gib)
    told = " ".join(
        recovered(AlarmKind.WARNING, 180, situation, HERE, situation.time - timedelta(hours=hours)).body.split()
    )
    assert ("No action is needed." in told) is (not falls_gib and hours == 1)
    assert ("nothing that came since would take credits now" in told) is (not falls_gib and hours == 25)


def test_a_load_that_has_just_begun_and_may_end_what_is_left_within_minutes_is_told_with_when() -> None:
    """At the pace of the quarter of an hour, in which they mostly rose, they would rise for ever."""
    mail = limited(minute_by_minute(*RISING_UNTIL_NOW, 5.7), HERE)
    assert mail.subject.startswith("NEARLY GONE: under 1 min of credits left at full speed, fs-")
    assert "they do not end" in " ".join(mail.body.split())
    assert "In the last minute they fell by 20 MiB/s: if that goes on, they are gone at 02:45 UTC." in (
        " ".join(mail.body.split())
    )
    assert "the balance is rising, and either would lock" not in " ".join(mail.body.split())
    assert "no action is needed" not in mail.body


def test_draining_tells_of_a_last_minute_that_ends_them_at_once() -> None:
    falling = tuple(20 - 0.2 * minute for minute in range(20))
    mail = draining(60, minute_by_minute(*falling, 8), HERE)
    assert "if that went on, they have been gone since" in " ".join(mail.body.split())
    assert mail.subject.startswith("DRAINING: burst credits may be gone by now, fs-")


def on_and_off(*spells: tuple[int, float], left_gib: float = 150) -> Situation:
    """So many minutes, each of which changes the balance by so much, with what is left then."""
    changes = [gib for minutes, gib in spells for _ in range(minutes)]
    balances = list(accumulate(changes, initial=0.0))
    return minute_by_minute(*(left_gib + one - balances[-1] for one in balances))


@pytest.mark.parametrize("rise", [1.2, 0.7])
def test_draining_tells_a_load_that_pauses_for_minutes_at_its_pace_with_the_pauses(rise: float) -> None:
    """Its newest five minutes are four of a rest, in which they rose by more than the one of the load took, or by
    little less.
    """
    begins_again = on_and_off((12, 1), (7, -4), (12, rise), (1, -4))
    mail = draining(60, begins_again, HERE)
    text = " ".join(mail.body.split())
    assert mail.subject.startswith("DRAINING: credits gone at ")
    assert "that was the pace of the last 20 minutes. If that goes on, they are gone at" in text
    assert "Elastic and provisioned throughput are left out" not in text


def test_draining_does_not_call_a_load_over_that_has_just_paused() -> None:
    """The newest datapoint is minutes old, and a rest of a minute or two is no end."""
    above_what_is_earned = on_and_off(*[(2, -2), (3, 2)] * 6, (1, -2), left_gib=110)
    paused = on_and_off(*[(2, -2), (3, 2)] * 6, (2, -2), (1, 2), left_gib=110)
    for situation in (above_what_is_earned, paused):
        mail = draining(60, situation, HERE)
        assert "falling on and off, fs-" in mail.subject
        assert "the last time at 02:4" in " ".join(mail.body.split())
        assert "a load that comes and goes takes them." in " ".join(mail.body.split())
    rests = draining(60, on_and_off((30, -1), (8, -4), (9, 1), left_gib=110), HERE)
    assert "at rest for now, fs-" in rests.subject
    assert "the last time at 02:32 UTC, and not since, up to 02:41 UTC: the load rests, or is over." in " ".join(
        rests.body.split()
    )


def test_a_slow_fall_that_ends_says_when() -> None:
    """0.2 GiB left of 10 GiB stored, falling by 0.049 MiB/s: that is an hour and ten minutes, and four are over."""
    situation = minute_by_minute(*(0.2 + (59 - m) * 0.049 * 60 / 1024 for m in range(60)))
    mail = limited(situation, HERE)
    assert mail.subject.startswith("NEARLY GONE: credits gone at 03:50 UTC, in 1 h 5 min, fs-")
    assert (
        "At the pace of the last 15 minutes (falling by less than 0.1 MiB/s) they last 1 h 5 min, until 03:50 UTC."
    ) in " ".join(mail.body.split())
    assert "- Balance in the last 59 minutes: fell by 0.2 GiB, less than 0.1 MiB/s net." in mail.body
    steady = replace(
        situation, balances=each_minute(situation.balances[0]._replace(balance_bytes=0.2 * GIB), situation.balances[-1])
    )
    assert "the balance neither falls nor rises" in " ".join(limited(steady, HERE).body.split())


def test_since_when_the_balance_falls_is_told_while_it_falls() -> None:
    day = PastDay(
        back=timedelta(days=1),
        balances=tuple(
            BalancePoint(time=NEWEST - age * timedelta(minutes=5), balance_bytes=(300 + 20 * min(age, 12)) * GIB)
            for age in range(60, -1, -1)
        ),
    )
    falling = replace(lasting(51, before=90), past_days=(day,))
    newest = falling.balances[-1]
    # Every minute around the highest is known.
    from_before = falling.balances[0]._replace(time=falling.balances[0].time - timedelta(minutes=10))
    falling = replace(falling, balances=each_minute(from_before, *falling.balances))
    assert since_when_it_falls(falling) == "The balance has been falling since 01:42 UTC."
    earlier = newest._replace(time=NEWEST - timedelta(minutes=20), balance_bytes=newest.balance_bytes + 90 * GIB)
    assert (
        since_when_it_falls(replace(falling, balances=each_minute(earlier, newest)))
        == "The balance has been falling since about 01:46 UTC."
    )
    # It rose for five minutes in the middle, which is too short to have been another fall.
    paused = day.balances[-5]._replace(balance_bytes=day.balances[-5].balance_bytes + 40 * GIB)
    with_pause = replace(day, balances=(*day.balances[:-5], paused, *day.balances[-4:]))
    assert since_when_it_falls(replace(falling, past_days=(with_pause,))) == (
        "With pauses, the balance has been falling since 01:42 UTC."
    )
    older = replace(day, balances=(day.balances[0]._replace(time=TIME - timedelta(hours=26)), day.balances[-1]))
    for_a_day = "The balance has been falling for more than a day."
    assert since_when_it_falls(replace(falling, past_days=(older,))) == for_a_day
    assert since_when_it_falls(replace(lasting(51, before=40), past_days=(day,))) == ""
    assert since_when_it_falls(lasting(51, before=90)) == ""


@pytest.mark.parametrize(("hours", "is_told"), [(3.9, True), (4.1, False)])
def test_a_fall_that_was_far_slower_for_most_of_its_time_began_with_another_load(hours: float, is_told: bool) -> None:
    """As much as the pace takes in an hour is a quarter of it over four hours."""
    falling = lasting(51, before=90)
    began = falling.balances[-1].time - timedelta(hours=hours)
    lost_bytes = (falling.drain_bytes_per_second or 0.0) * 3600
    day = PastDay(
        back=timedelta(days=1),
        balances=tuple(
            BalancePoint(
                time=began - timedelta(minutes=5) + age * timedelta(minutes=5),
                balance_bytes=falling.balance_bytes + lost_bytes * min(1.0, 1 - (age - 1) / (hours * 12)),
            )
            for age in range(round(hours * 12) + 2)
        ),
    )
    assert bool(since_when_it_falls(replace(falling, past_days=(day,)))) is is_told


def test_what_is_left_is_counted_from_the_mail_and_not_from_the_newest_datapoint() -> None:
    """An hour ago there was enough for 92 minutes, and four minutes ago for 62: two more are gone."""
    falling = lasting(62, before=92)
    assert falling.balance_bytes_by_now == pytest.approx(60 * GIB_A_MINUTE * GIB)
    assert minutes_in_words(falling) == "60 minutes of burst credits are left at full speed"
    assert end_at_permitted_rate(falling) == (
        "Driven at the permitted 100 MiB/s without a pause, and with what is earned meanwhile, they last 1 h 3 min, "
        "until 03:48 UTC."
    )
    assert end_at_net_rate(falling, 60) == (
        "At the pace of the last 15 minutes (falling by 50 MiB/s) they last 2 h, until 04:45 UTC."
    )


@pytest.mark.parametrize("before", [None, 50, 60])
def test_nothing_is_taken_off_for_the_minutes_since_then_where_it_does_not_fall(before: float | None) -> None:
    assert whole_minutes_left(lasting(60, before=before)) == 60


def test_metrics_that_come_late_make_for_few_minutes_left() -> None:
    late = replace(lasting(30, before=60), time=NEWEST + timedelta(minutes=40))
    assert minutes_in_words(late) == "10 minutes of burst credits are left at full speed"
    assert end_at_net_rate(late, 60).endswith("they last 20 min, until 03:41 UTC.")


@pytest.mark.parametrize(("late", "ran_out"), [(9, False), (10, True), (11, True)])
def test_an_end_that_has_passed_by_the_time_of_the_mail_is_owned_up_to(late: int, ran_out: bool) -> None:
    falling = replace(lasting(10, before=70), time=NEWEST + timedelta(minutes=late))
    assert end_at_net_rate(falling, 60).endswith("they ran out at 02:51 UTC: they may be gone by now.") is ran_out
    assert (end_at_permitted_rate(falling) == "") is ran_out


def test_an_end_in_two_days_is_given_no_clock_time() -> None:
    # 4.9 of the 100 MiB/s are earned meanwhile.
    assert end_at_permitted_rate(lasting(2740)).endswith("they last more than two days.")
    assert "more than" not in end_at_permitted_rate(lasting(2739))


def test_an_end_far_beyond_the_minutes_that_are_left_says_what_they_leave_out() -> None:
    """Beside its Region's limit most of what may be driven is earned meanwhile."""

    def capped(minutes: float, *, standard_tib: int = 18, at_mib: float = 1024.0) -> str:
        situation = a_situation(
            balance_gib=minutes * 60 * at_mib / 1024,
            hour_ago_gib=None,
            activity=None,
            permitted_mib_per_second=at_mib,
            file_system=a_file_system(standard_bytes=standard_tib * TIB),
        )
        return end_at_permitted_rate(replace(situation, reference_bytes_per_second=at_mib * MIB))

    assert capped(38.5) == (
        "Driven at the permitted 1,024 MiB/s without a pause, and with what is earned meanwhile, which the 38 minutes "
        "above leave out, they last 5 h 17 min, until 08:02 UTC."
    )
    # A third of what is driven is earned, and less than that.
    assert ", which the 40 minutes above leave out, they last 1 h," in capped(40, standard_tib=1, at_mib=150)
    assert "with what is earned meanwhile, they last 54 min," in capped(38.5, standard_tib=6)
    # Of a single minute or less it stays as short as it is.
    assert ", which the 2 minutes above leave out, they last" in capped(2)
    assert "with what is earned meanwhile, they last 15 min," in capped(1.9)


def test_nothing_lasts_no_time_while_it_falls() -> None:
    assert end_at_net_rate(lasting(0, before=50), 60).endswith(
        "(falling by 83 MiB/s) they ran out at 02:41 UTC: they may be gone by now."
    )


def test_a_slow_fall_is_given_no_clock_time() -> None:
    assert end_at_net_rate(lasting(179, before=180), 180) == (
        "At the pace of the last 15 minutes (falling by 1.7 MiB/s) they last more than two days."
    )


def test_a_rising_balance_tells_when_the_alarm_ends() -> None:
    assert end_at_net_rate(lasting(170, before=160), 180) == (
        "At the pace of the last 15 minutes they do not end: the balance is rising by 17 MiB/s and will be above "
        "180 minutes at 03:41 UTC."
    )


def test_a_rising_balance_above_the_threshold_tells_no_such_time() -> None:
    assert end_at_net_rate(lasting(190, before=180), 180).endswith("the balance is rising by 17 MiB/s.")


def test_a_rising_balance_at_its_threshold_is_there_and_just_below_it_is_not() -> None:
    assert end_at_net_rate(lasting(180, before=170), 180).endswith("the balance is rising by 17 MiB/s.")
    # The mail is of 02:45 UTC, and the newest datapoint of 02:41 UTC.
    assert end_at_net_rate(lasting(179, before=169), 180).endswith("will be above 180 minutes at 02:47 UTC.")
    assert end_at_net_rate(lasting(179.9, before=170), 180).endswith("is above 180 minutes by now, if that went on.")


def test_a_rise_of_exactly_two_days_is_given_no_clock_time() -> None:
    # 2 minutes' worth an hour, 96 minutes' worth below.
    assert end_at_net_rate(lasting(84, before=82), 180).endswith("above 180 minutes in more than two days.")
    assert end_at_net_rate(lasting(85, before=83), 180).endswith("above 180 minutes at 02:11 UTC on Wed 9 Jan.")


def test_a_balance_rising_slowly_is_given_no_clock_time() -> None:
    assert way_out_of_zero(lasting(0.5, before=0, permitted_mib_per_second=4.9), 60, HERE.region) == (
        "They are coming back: the balance is rising by 0.8 MiB/s and will be above 60 minutes in more than two days."
    )


@pytest.mark.parametrize(
    ("activity", "kind"),
    [
        (READING_A_LOT, "mostly reads"),
        (WRITING, "mostly writes"),
        (LISTING, "mostly metadata"),
        (MIXED, "no single kind"),
    ],
)
def test_the_driver_is_what_spends_most_credits(activity: Activity, kind: str) -> None:
    assert driver(activity).startswith(kind)


def test_reads_are_weighed_at_the_third_that_they_cost() -> None:
    mostly_read = Activity(
        read_bytes=60,
        written_bytes=40,
        metadata_bytes=0,
        metered_bytes=60,
        busiest_bytes_per_second=0,
        observed_minutes=60,
    )
    assert driver(mostly_read).startswith("mostly writes, for reads count a third. Look for")
    assert driver(replace(mostly_read, read_bytes=40)).startswith("mostly writes. Look for")


@pytest.mark.parametrize(("written", "kind"), [(60, "mostly writes"), (59, "no single kind")])
def test_six_tenths_of_what_is_spent_make_a_driver(written: int, kind: str) -> None:
    mixed = Activity(
        read_bytes=0,
        written_bytes=written,
        metadata_bytes=100 - written,
        metered_bytes=100,
        busiest_bytes_per_second=0,
        observed_minutes=60,
    )
    assert driver(mixed).startswith(kind)


def test_a_fall_is_driven_by_what_was_done_lately_and_not_by_a_load_that_is_over() -> None:
    hour = replace(READING_A_LOT, lately=replace(WRITING, observed_minutes=15))
    falling = facts(AlarmKind.WARNING, 180, a_situation(balance_gib=800, hour_ago_gib=900, activity=hour))
    assert "- Who drives it, by the last 15 minutes: mostly writes" in falling
    flat = facts(AlarmKind.WARNING, 180, a_situation(balance_gib=900, hour_ago_gib=900, activity=hour))
    assert "- Who drives it: mostly reads" in flat
    for same in (replace(hour, lately=READING_A_LOT), replace(hour, lately=IDLE)):
        text = facts(AlarmKind.WARNING, 180, a_situation(balance_gib=800, hour_ago_gib=900, activity=same))
        assert "- Who drives it: mostly reads" in text


@pytest.mark.parametrize(("faster_for", "told"), [(5, "5 minutes: mostly writes"), (15, "15 minutes: mostly metadata")])
def test_a_load_that_has_just_begun_is_driven_by_what_was_done_in_its_minutes(faster_for: int, told: str) -> None:
    """It falls ten times as fast for so many minutes."""
    scans = replace(IDLE, metadata_bytes=100, observed_minutes=15)
    hour = replace(READING_A_LOT, lately=scans, just_now=replace(WRITING, observed_minutes=5))
    situation = a_situation(balance_gib=800, hour_ago_gib=900, activity=hour)
    newest = situation.balances[-1].time
    balances = tuple(
        BalancePoint(newest - age * MINUTE, (800 + 5 * min(age, faster_for) + 0.5 * max(0, age - faster_for)) * GIB)
        for age in range(60, -1, -1)
    )
    falling = facts(AlarmKind.WARNING, 180, replace(situation, balances=balances))
    assert f"- Who drives it, by the last {told}" in falling


def test_an_idle_hour_has_no_driver() -> None:
    text = facts(AlarmKind.WARNING, 180, a_situation(balance_gib=900, hour_ago_gib=900, activity=IDLE))
    assert "- Clients moved no bytes in the last hour." in text
    assert "Who drives it" not in text


def through(*balances_gib: float) -> Situation:
    """Balances half an hour apart, the last one the newest, and each minute between them."""
    situation = a_situation(balance_gib=balances_gib[-1], hour_ago_gib=None, activity=None)
    ages = range(len(balances_gib) - 1, -1, -1)
    return replace(
        situation,
        balances=each_minute(
            *(
                BalancePoint(time=NEWEST - timedelta(minutes=30 * age), balance_bytes=balance * GIB)
                for age, balance in zip(ages, balances_gib, strict=True)
            )
        ),
    )


def said_of(situation: Situation) -> str:
    return facts(AlarmKind.WARNING, 180, situation)


def test_only_the_first_and_last_balance_tell_how_much_it_moved() -> None:
    assert "- Balance in the last hour: fell by 120 GiB, 34 MiB/s net." in said_of(through(1000, 500, 880))
    assert "- Balance in the last hour: rose by 120 GiB, 34 MiB/s net." in said_of(through(880, 1500, 1000))
    assert "- Balance in the last hour: neither fell nor rose." in said_of(through(1000, 500, 1000))


def test_a_rise_is_counted_from_the_newest_of_many_balances() -> None:
    # 96 GiB an hour; 1,055 GiB are 180 minutes at 100 MiB/s.
    assert end_at_net_rate(through(863, 100, 911, 959), 180).endswith("will be above 180 minutes at 03:40 UTC.")


def test_one_observed_minute_is_enough_to_tell_of_clients_and_none_is_not() -> None:
    at_work = Activity(
        read_bytes=0,
        written_bytes=60 * MIB,
        metadata_bytes=0,
        metered_bytes=60 * MIB,
        busiest_bytes_per_second=MIB,
        observed_minutes=1,
    )
    situation = replace(through(1000, 980), activity=at_work)
    assert (
        "- Clients in the one minute that CloudWatch has of the last hour: 1.0 MiB/s as metered (reads\n"
        "  count a third)."
    ) in said_of(situation)
    unknown = replace(situation, activity=replace(at_work, observed_minutes=0))
    assert "- Clients: not known, CloudWatch has no I/O metrics of the last hour." in said_of(unknown)


def test_the_time_of_a_benchmark_is_that_of_its_newest_result() -> None:
    results = tuple(
        NewestRate(workload=workload(one), time=TIME - timedelta(hours=hours), rate=50.0, past=past)
        for one, hours, past in (("touch-serial", 2, (100.0,) * 5), ("touch-parallel", 1, (60.0,) * 5))
    )
    line = said_of(replace(through(1000, 980), benchmark=results)).partition("- Newest")[2]
    assert " ".join(line.split()) == (
        "benchmark (in the hour from 01:45 UTC), far slower than usual: touch-serial 50 files/s (usually 100)."
    )


def test_a_shorter_history_is_named() -> None:
    situation = lasting(10, before=50)
    late = Situation(
        file_system=situation.file_system,
        time=TIME,
        balances=each_minute(
            BalancePoint(time=NEWEST - timedelta(minutes=12), balance_bytes=situation.balance_bytes * 2),
            situation.balances[-1],
        ),
        permitted_bytes_per_second=situation.permitted_bytes_per_second,
        reference_bytes_per_second=situation.reference_bytes_per_second,
        baseline_bytes_per_second=situation.baseline_bytes_per_second,
        activity=None,
    )
    assert end_at_net_rate(late, 60).startswith("At the pace of the last 12 minutes (falling by 83 MiB/s)")


@pytest.mark.parametrize(
    ("hour_ago_gib", "told"),
    [
        (200.1, "they last more than two days: the balance hardly falls."),
        (199.9, "they do not end: the balance hardly rises."),
        (200.0, "they do not end: the balance neither falls nor rises."),
    ],
)
def test_a_rate_that_is_too_small_for_a_figure_is_named_by_its_direction(hour_ago_gib: float, told: str) -> None:
    situation = a_situation(balance_gib=200, hour_ago_gib=hour_ago_gib, activity=MIXED)
    assert end_at_net_rate(situation, 60).endswith(told)


def test_where_credits_permit_no_more_than_is_there_without_them_their_end_slows_nothing() -> None:
    """As where the Region's cap is as low as what the size earns."""
    situation = a_situation(balance_gib=200, hour_ago_gib=250, activity=MIXED)
    capped = replace(situation, reference_bytes_per_second=5.0 * MIB, baseline_bytes_per_second=5.0 * MIB)
    assert what_follows(capped) == "When they end, everything on it is limited to 5.0 MiB/s"
    assert what_follows(situation) == "When they end, everything on it slows from 100 MiB/s to 4.9 MiB/s"


def until_when(situation: Situation) -> str:
    paragraphs = remedies(ways_out(situation.file_system.file_system_id, situation, HERE), situation, HERE)
    return " ".join(paragraphs[1].split())


def test_there_is_time_for_less_load_until_a_load_that_has_just_begun_would_end_the_credits() -> None:
    """12 GiB a minute take 788 in 66, twenty of which are for another mode."""
    told = until_when(risen_to(800, 12))
    assert told.startswith(
        "There is time for that until 03:26 UTC if the last minute goes on, until 04:46 UTC if driven"
    )


def test_and_until_the_pace_does_where_full_speed_never_does() -> None:
    situation = a_situation(balance_gib=200, hour_ago_gib=250, activity=MIXED)
    capped = replace(situation, reference_bytes_per_second=4.9 * MIB, baseline_bytes_per_second=4.9 * MIB)
    told = until_when(replace(capped, permitted_bytes_per_second=4.9 * MIB, permitted_of_the_day=()))
    assert told.startswith("There is time for that until 06:21 UTC at the pace of now.")


def pulse_of_every_half_hour(left_gib: float) -> Situation:
    """Ten minutes of every half hour fall by 5 GiB each, for four hours, and so do the newest seven."""
    return on_and_off(*[(10, -5.0), (20, 0.3)] * 8, (7, -5.0), left_gib=left_gib)


@pytest.mark.parametrize(
    ("left_gib", "outcome"),
    [
        # Each of them, and the rest after it, take 44 GiB: the third from now on takes the last.
        (120, r"credits gone at \d\d:\d\d UTC, in 2\d min, or at \d\d:\d\d UTC in pulses, fs-"),
        # A subject has no date.
        (2_500, r"credits gone at .*, or after a day in pulses, fs-"),
        # This pulse may take the last.
        (20, r"(?!.*in pulses)"),
    ],
)
def test_the_subject_of_a_pulse_has_the_end_that_pulses_have_together(left_gib: float, outcome: str) -> None:
    assert re.match(f"DRAINING: {outcome}", draining(60, pulse_of_every_half_hour(left_gib), HERE).subject)


def test_falls_that_ended_are_told_of_metrics_that_are_late_too() -> None:
    """By the pace, and the age of the figures, nothing is left by now."""
    now = falling_alike(60, 120, 180, top=40)
    late = replace(now, time=now.time + timedelta(minutes=45))
    mail = draining(60, late, HERE)
    assert mail.subject.startswith("DRAINING: burst credits may be gone by now, unless like 3 before, fs-")
    assert "If this fall takes no more, at least" in " ".join(mail.body.split())


def jobs(*minutes: float, left: float = 50) -> Situation:
    """Minutes of a balance that ends with so many minutes' worth left, each with what it took, or earned below zero."""
    taken = [*accumulate(reversed(minutes))]
    worth = [left, *(left + one for one in taken)]
    newest = lasting(left).balances[-1].time
    points = [BalancePoint(newest - age * MINUTE, one * GIB_A_MINUTE * GIB) for age, one in enumerate(worth)][::-1]
    steps = {one.time - one.time.minute % 5 * MINUTE: one for one in sorted(points, key=lambda one: -one.balance_bytes)}
    day = PastDay(back=timedelta(days=1), balances=tuple(steps[time]._replace(time=time) for time in sorted(steps)))
    return replace(lasting(left), balances=tuple(points), past_days=(day,))


REST = -0.04
NO_RHYTHM = (*[0.96] * 6, *[REST] * 14, *[0.96] * 6, *[REST] * 22, *[0.6] * 3, *[REST] * 8)


def test_jobs_at_no_rhythm_end_the_credits_by_the_hour_and_no_subject_goes_by_a_quarter_of_it() -> None:
    """A quarter of an hour with one short job of three says half a day, and the hour says four hours."""
    situation = jobs(*NO_RHYTHM)
    told = " ".join(end_at_net_rate(situation, 60).split())
    assert "The load comes and goes: over the last 59 minutes they fell by " in told
    assert re.search(r"and at that they last 4 h \d+ min, until \d\d:\d\d UTC\.", told)
    assert left_in_short(situation) == "49 min of credits left at full speed"


@pytest.mark.parametrize(
    "minutes",
    [
        pytest.param((*[0.96] * 30, *[0.1] * 29), id="a slower load goes on"),
        pytest.param((*[0.2] * 40, *[REST] * 9, *[0.96] * 10), id="it is faster by now"),
        pytest.param((*[REST] * 40, *[0.96] * 3, *[REST] * 8), id="the first of them has just come"),
        pytest.param((*[0.3, 0.3, REST] * 20,), id="a pause of a minute"),
    ],
)
def test_the_pace_of_any_other_load_is_that_of_the_quarter_of_an_hour(minutes: tuple[float, ...]) -> None:
    told = end_at_net_rate(jobs(*minutes), 60)
    assert "comes and goes" not in told
    assert "At the pace of the last" in told or "In the last" in told


def test_the_pace_of_jobs_at_no_rhythm_is_of_all_minutes_since_the_first_of_them() -> None:
    rests = fall_with_rests(jobs(*NO_RHYTHM))
    assert rests is not None
    assert rests.minutes == 59
    assert rests.drain_bytes_per_second == pytest.approx(sum(NO_RHYTHM) * GIB_A_MINUTE * GIB / (59 * 60))


@pytest.mark.parametrize(("rests", "are_jobs"), [(4, False), (5, True), (6, True)])
def test_a_third_of_the_minutes_at_rest_makes_jobs_of_a_load(rests: int, *, are_jobs: bool) -> None:
    lately = (*[0.1] * (15 - rests), *[REST] * rests)
    assert (fall_with_rests(jobs(*[0.96] * 20, *[REST] * 20, *lately)) is not None) is are_jobs


@pytest.mark.parametrize(("first", "are_jobs"), [(0.3, False), (0.5, True)])
def test_jobs_took_half_as_much_again_as_lately_at_the_least(first: float, *, are_jobs: bool) -> None:
    """Lately 0.2 of a minute's worth in a minute; in all 0.27 or 0.35."""
    lately = (*[0.32] * 10, *[REST] * 5)
    assert (fall_with_rests(jobs(*[first] * 30, *lately)) is not None) is are_jobs


@pytest.mark.parametrize(("minutes", "are_jobs"), [(14, False), (16, True)])
def test_jobs_have_come_for_half_an_hour_at_the_least(minutes: int, *, are_jobs: bool) -> None:
    lately = (*[0.1] * 9, *[REST] * 6)
    assert (fall_with_rests(jobs(*[REST] * 10, *[0.96] * minutes, *lately)) is not None) is are_jobs
