"""What mails say of moments that lie amid missing metrics: between which two they were."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.situation import DAY, STEP, PastDay, Situation
from efs_monitor.incidents.unknown_times import may_have_ended_unseen
from efs_monitor.mail.coming_day import LAST_DAY_UNKNOWN, what_comes_back
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.incident_so_far import so_far
from efs_monitor.mail.low_credits_mails import credits_low
from efs_monitor.mail.outlook import since_when_it_falls
from efs_monitor.mail.recovered_mails import recovered

from tests.unit.incidents.earlier_days import EARNED, a_day, a_life, now_with
from tests.unit.incidents.test_falling_since import minute_by_minute
from tests.unit.mail.mail_cases import (
    GONE_BEFORE,
    HERE,
    NEWEST,
    PERMITTED_ALL_DAY,
    QUIET,
    QUIET_DAY,
    WRITING_FAST,
    a_situation,
)

HOUR = timedelta(hours=1)


def without(day: PastDay, first_minutes_ago: int, last_minutes_ago: int) -> PastDay:
    """The day, of which CloudWatch lacks the minutes between."""
    since, until = (NEWEST - timedelta(minutes=ago) for ago in (first_minutes_ago, last_minutes_ago))
    return replace(day, balances=tuple(one for one in day.balances if not since <= one.time < until))


def of(situation: Situation, day: PastDay) -> Situation:
    """What was permitted is missing with the balance: else it would have been another mode."""
    known = {one.time for one in day.balances}
    permitted = tuple(one for one in situation.permitted_of_the_day if one[0] in known)
    return replace(situation, past_days=(day,), permitted_of_the_day=permitted)


def gone_now(day: PastDay) -> Situation:
    return of(a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9), day)


def said(body: str) -> str:
    return " ".join(body.split())


def test_an_earlier_limit_that_began_while_metrics_were_missing_is_told_with_both_moments() -> None:
    """It was gone from 120 to 70 minutes ago, which is from 00:41 to 01:31 UTC."""
    whole = said(limited(gone_now(GONE_BEFORE), HERE).body)
    assert "the last time from about 00:41 UTC to 01:31 UTC." in whole
    began = said(limited(gone_now(without(GONE_BEFORE, 150, 110)), HERE).body)
    assert "the last time from some time between 00:11 UTC and 00:51 UTC to 01:31 UTC." in began
    ended = said(limited(gone_now(without(GONE_BEFORE, 90, 50)), HERE).body)
    assert "the last time from about 00:41 UTC to some time between 01:11 UTC and 01:51 UTC." in ended


def test_an_end_of_the_credits_may_have_been_missed_where_metrics_are_missing_for_long_enough() -> None:
    """A minute of 100 MiB/s is 5.9 GiB, and takes 21 minutes to be earned."""

    def told(left_before_gib: float, left_after_gib: float, *, until: int = 660) -> str:
        edge = {NEWEST - timedelta(minutes=705): left_before_gib, NEWEST - timedelta(minutes=until): left_after_gib}
        points = tuple(
            one._replace(balance_bytes=edge[one.time] * GIB) if one.time in edge else one
            for one in GONE_BEFORE.balances
        )
        missing = without(replace(GONE_BEFORE, balances=points), 700, until)
        return said(limited(gone_now(missing), HERE).body)

    # 20 minutes and some 18 are less than the 45 between the two; 30 and 18 are more.
    assert "Credits were gone at least" in told(112, 5)
    assert "the last time that is known from about" in told(112, 5)
    assert "Credits were gone at least" not in told(168, 5)
    # That they were gone at its end is seen.
    assert "Credits were gone at least" not in told(112, 0)
    # But not whether they were so before, and a minute's worth had come back: 19 and 21 minutes are less than 90.
    assert "Credits were gone at least" in told(112, 0, until=615)
    assert "Credits were gone at least" not in told(420, 0, until=615)


def test_a_limit_that_ended_while_metrics_were_missing_and_had_begun_before_the_day_is_told_with_both_moments() -> None:
    points = tuple(
        BalancePoint(time=NEWEST - ago * timedelta(minutes=5), balance_bytes=0.0 if ago > 200 else 100.0 * GIB)
        for ago in range(300, 0, -1)
    )
    day = without(replace(GONE_BEFORE, balances=points), 201 * 5, 195 * 5)
    assert ", until some time between 09:56 UTC on Sun 6 Jan and 10:26 UTC on Sun 6 Jan." in said(
        limited(gone_now(day), HERE).body
    )


def test_credits_that_went_while_metrics_were_missing_are_gone_since_some_time_between_them() -> None:
    lows = tuple(
        BalancePoint(time=one.time, balance_bytes=0.0 if one.time >= NEWEST - timedelta(hours=3) else 100.0 * GIB)
        for one in GONE_BEFORE.balances
    )
    day = replace(GONE_BEFORE, balances=lows)
    told = said(credits_low(AlarmKind.CRITICAL, 60, gone_now(day), HERE).body)
    assert "are gone since about 23:41 UTC on Sun 6 Jan" in told
    told = said(credits_low(AlarmKind.CRITICAL, 60, gone_now(without(day, 200, 160)), HERE).body)
    assert "are gone since some time between 23:21 UTC on Sun 6 Jan and 00:01 UTC" in told
    # Once what was before is older than the day, the first that is known tells the latest time alone.
    first = replace(day, balances=tuple(one for one in lows if one.time >= NEWEST - timedelta(hours=3)))
    told = said(credits_low(AlarmKind.CRITICAL, 60, gone_now(first), HERE).body)
    assert "are gone since 23:41 UTC on Sun 6 Jan or before" in told
    # In another throughput mode there may be no balance, and nobody was limited.
    permitted = tuple((NEWEST - timedelta(hours=3, minutes=5 * ago), 300.0 * MIB) for ago in range(1, 5))
    returned = replace(gone_now(first), permitted_of_the_day=permitted[::-1])
    told = said(credits_low(AlarmKind.CRITICAL, 60, returned, HERE).body)
    assert "are gone since about 23:41 UTC on Sun 6 Jan" in told


def test_credits_that_were_gone_unseen_are_told_with_what_is_known_of_their_times() -> None:
    back = of(a_situation(balance_gib=8, hour_ago_gib=4, activity=QUIET), without(GONE_BEFORE, 150, 110))
    told = said(limit_lifted(60, back, HERE, ended_unseen=True).body)
    assert "The burst credits were gone from some time between 00:11 UTC and 00:51 UTC to 01:31 UTC." in told


def test_a_load_of_an_earlier_day_is_told_with_what_is_known_of_its_beginning_and_of_the_end_of_the_credits() -> None:
    """It began at 13:00 UTC, and the credits were gone at 13:50 UTC."""
    day = a_day(a_life(50, (24, 0.0), (30, -5.0), (240, 0.2)))

    def told(first: int, last: int) -> str:
        return what_comes_back(now_with(40, replace(day, balances=day.balances[:first] + day.balances[last:])), 60)

    assert told(0, 0).startswith(
        "Yesterday the credits fell from about 13:05 UTC, and were gone at about 13:50 UTC. If that load comes again"
    )
    assert told(22, 28).startswith(
        "Yesterday the credits fell from some time between 12:50 UTC and 13:20 UTC, and were gone at about 13:50 UTC."
    )
    assert told(31, 37).startswith(
        "Yesterday the credits fell from about 13:05 UTC, and were gone at some time between 13:35 UTC and 14:05 UTC."
    )


@pytest.mark.parametrize(("left_after", "latest"), [(1.0, " at the latest"), (1.5, "")])
def test_credits_that_may_have_ended_amid_missing_metrics_before_were_gone_at_the_latest(
    left_after: float, latest: str
) -> None:
    """20 minutes' worth are gone in 21 minutes, and a minute's worth comes back in another 21: 45 are missing."""
    lived = [*[30.0] * 37, 25.0, 20.0, *[0.0] * 8, left_after, 0.0, 0.0, 0.0, *(EARNED * step for step in range(240))]
    day = a_day(lived)
    seen = replace(day, balances=day.balances[:39] + day.balances[47:])
    assert f", and were gone at about 15:00 UTC{latest}. If that load" in what_comes_back(now_with(40, seen), 60)


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (100, "at least 77 minutes are left at 15:30 UTC."),
        (8, "they are gone at about 15:10 UTC at the earliest."),
        # All that it took while there were credits is known.
        (3, "they are gone at about 15:02 UTC."),
    ],
)
def test_what_is_left_of_a_load_that_is_taken_for_the_fastest_is_told_as_a_bound(left: float, told: str) -> None:
    """It took all in ten minutes, and went on for twenty more: how fast it was no five minutes tell."""
    lived = [*[7.0] * 48, 3.2, *[0.0] * 5, *(EARNED * (1 + step) for step in range(246))]
    assert f"If that load comes again, {told}" in what_comes_back(now_with(left, a_day(lived)), 180)


@pytest.mark.parametrize(
    ("missing", "left", "told"),
    [
        # Nobody knows how far a load went, and one comes after it: the second ends them, or the first did.
        (48, 150, "they are gone at about 22:45 UTC at the latest."),
        (48, 190, "at most 28 minutes are left at 23:00 UTC."),
        # In 25 minutes 60 minutes' worth cannot end.
        (5, 150, "they are gone at about 19:10 UTC."),
        (5, 190, "27 minutes are left at 19:25 UTC."),
    ],
)
def test_what_is_left_of_a_load_that_may_have_been_limited_unseen_is_told_as_a_bound(
    missing: int, left: float, told: str
) -> None:
    """For an hour it takes five minutes' worth in each five; after what is missing as much is there, and four hours
    later a load takes 60.
    """
    rising = [5 + EARNED * step for step in range(48)]
    lived = [120.0] * 24 + [120.0 - 5 * step for step in range(1, 13)] + [35.0] * missing + rising
    lived += [*(one for one in (rising[-1] - 5 * step for step in range(1, 5))), *[0.0] * 8]
    lived += [EARNED * step for step in range(1, 289 + 12 - len(lived))]
    day = a_day(lived)
    seen = replace(day, balances=day.balances[:36] + day.balances[36 + missing :])
    assert f"If that load comes again, like those before it, {told}" in what_comes_back(now_with(left, seen), 60)


@pytest.mark.parametrize(
    ("left", "told"), [(40, "are gone at about 13:39 UTC."), (340, "are gone at about 18:39 UTC at the latest.")]
)
def test_what_is_missing_after_the_end_of_the_credits_makes_it_no_bound(left: float, told: str) -> None:
    """A load from one o'clock on, of which four hours are missing after the first; an hour later nothing is there."""
    lived = [100.0] * 24 + [100.0 - 5 * step for step in range(1, 13)] + [40.0] * 48 + [0.0] * 12
    day = a_day([*lived, *(EARNED * step for step in range(289 + 12 - len(lived)))])
    seen = replace(day, balances=day.balances[:36] + day.balances[84:])
    assert f"If that load comes again, they {told}" in what_comes_back(now_with(left, seen), 60)


def test_no_end_of_the_credits_is_missed_where_another_mode_left_no_balance_or_no_load_can_end_them() -> None:
    day = a_day([*[30.0] * 37, 25.0, 20.0, *[0.0] * 8, 1.0, *[2.0] * 240])
    seen = now_with(40, replace(day, balances=day.balances[:39] + day.balances[47:]))
    assert may_have_ended_unseen(seen, seen.balances_of_the_day)
    permitted = tuple((one.time, 300.0 * MIB if one.balance_bytes == 0 else 100.0 * MIB) for one in day.balances)
    elastic = replace(seen, permitted_of_the_day=permitted)
    assert not may_have_ended_unseen(elastic, elastic.balances_of_the_day)
    capped = replace(seen, reference_bytes_per_second=seen.baseline_bytes_per_second / 2)
    assert not may_have_ended_unseen(capped, capped.balances_of_the_day)


def test_a_single_datapoint_after_missing_ones_tells_no_pace_and_the_mail_says_since_when_it_has_no_other() -> None:
    """It fell for twenty minutes, and had lost far more 40 minutes later."""
    whole = a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST)
    before = tuple(one for one in whole.balances if one.time < NEWEST - timedelta(minutes=40))
    one = replace(whole, balances=(*before, whole.balances[-1]))
    # Where the hour has nothing but the newest, the hours before it are known.
    hour_later = replace(
        one, balances=one.balances[-1:], earlier_balances=tuple(b._replace(time=b.time - HOUR) for b in before)
    )
    for situation, since in ((one, "02:01"), (hour_later, "01:01")):
        mail = credits_low(AlarmKind.CRITICAL, 60, situation, HERE)
        assert mail.subject.startswith("CRITICAL: 42 min of credits left at full speed, fs-")
        unknown = "How fast the balance falls is not known: CloudWatch has a single datapoint of it since"
        assert f"{unknown} {since} UTC." in said(mail.body)
        fell = draining(60, situation, HERE)
        assert fell.subject.startswith("DRAINING: 42 min of credits left at full speed, fell fast lately, fs-")
        assert f"They fell fast in some of the last minutes. {unknown} {since} UTC." in said(fell.body)
    two = replace(one, balances=(*before, *whole.balances[-2:]))
    assert "At the pace of the last minute (falling by 93 MiB/s) they last" in said(
        credits_low(AlarmKind.CRITICAL, 60, two, HERE).body
    )


@pytest.mark.parametrize(("in_the_hole", "goes_on"), [(-1.0, True), (-0.4, False)])
def test_a_load_that_went_on_while_metrics_were_missing_has_no_end_yet(in_the_hole: float, goes_on: bool) -> None:
    """50 minutes of a load, an hour of which nothing is known, and then a single minute."""
    lived = minute_by_minute([0.0] * 1500 + [-1.0] * 50 + [in_the_hole] * 60, left=90)
    newest = lived.balances[-1]
    since = newest.time - 60 * MINUTE

    def known(points: Sequence[BalancePoint]) -> tuple[BalancePoint, ...]:
        return tuple(one for one in points if one.time <= since or one.time == newest.time)

    day = lived.past_days[0]
    steps = (*(one for one in day.balances if one.time < since - STEP), *day.balances[-1:])
    seen = replace(
        lived,
        balances=(newest,),
        earlier_balances=known((*lived.earlier_balances, *lived.balances[:-1])),
        past_days=(replace(day, balances=steps),),
    )
    told = what_comes_back(seen, 180)
    assert ("the credits began to fall at about" in told) is goes_on
    assert ("If that load ends now and comes again" in told) is goes_on
    assert ("to some time between" in told) is not goes_on


def test_a_single_datapoint_after_missing_minutes_is_told_with_the_load_that_went_on_in_them() -> None:
    """Of 93 MiB/s before and since, 250 GiB last 46 minutes; half as much may have ended, and tells no end."""
    whole = a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST)
    before = tuple(one for one in whole.balances if one.time < NEWEST - timedelta(minutes=15))
    steady = replace(whole, balances=(*before, whole.balances[-1]))
    goes_on = "In the 16 minutes up to that they fell by 93 MiB/s, as before: if that goes on, they are gone at"
    assert f"since 02:26 UTC. {goes_on} 03:27 UTC." in said(credits_low(AlarmKind.CRITICAL, 60, steady, HERE).body)
    # Where the whole last hour is missing, those before it tell the same: that load is there, and no question.
    hour_missing = replace(
        whole,
        past_days=(),
        balances=whole.balances[-1:],
        earlier_balances=tuple(
            one._replace(time=one.time - HOUR, balance_bytes=one.balance_bytes + 326 * GIB) for one in whole.balances
        )[:-1],
    )
    told = said(credits_low(AlarmKind.CRITICAL, 60, hour_missing, HERE).body)
    assert "since 01:41 UTC. In the 61 minutes up to that they fell by 93 MiB/s, as before: if that goes on" in told
    assert LAST_DAY_UNKNOWN not in told
    alone = replace(hour_missing, earlier_balances=())
    assert LAST_DAY_UNKNOWN in said(credits_low(AlarmKind.CRITICAL, 60, alone, HERE).body)
    half = whole.balances[-1]._replace(balance_bytes=before[-1].balance_bytes - 45 * GIB)
    slower = replace(whole, balances=(*before, half))
    assert "as before" not in said(credits_low(AlarmKind.CRITICAL, 60, slower, HERE).body)


@pytest.mark.parametrize("mail", ["LIMIT LIFTED", "RECOVERED"])
def test_a_mail_that_says_that_something_is_over_counts_from_the_newest_datapoint_where_metrics_are_late(
    mail: str,
) -> None:
    """What rose may fall since: driven at full speed from now on it ended 50 minutes later than it could have."""
    rising = a_situation(balance_gib=60, hour_ago_gib=40, activity=None)

    def body(minutes_late: int) -> str:
        late = replace(rising, time=NEWEST + minutes_late * MINUTE)
        over = limit_lifted(60, late, HERE) if mail == "LIMIT LIFTED" else recovered(AlarmKind.CRITICAL, 60, late, HERE)
        return said(over.body)

    in_time = body(4)
    assert "has come since" not in in_time
    assert "Driven at the permitted 100 MiB/s without a pause" in in_time
    for minutes_late, ends in ((50, "may have ended them at 02:51 UTC"), (11, "")):
        late = body(minutes_late)
        told = (
            f"The newest datapoint is of 02:41 UTC, {minutes_late} minutes ago: a load that has come since, at "
            f"100 MiB/s, {ends}."
        )
        assert (told in late) is bool(ends)
        assert ("Driven at the permitted" in late) is not bool(ends)
    late_lifted = limit_lifted(60, replace(rising, time=NEWEST + 50 * MINUTE), HERE)
    assert late_lifted.subject.startswith("LIMIT LIFTED: 10 min of credits left at full speed, as of 02:41 UTC, fs-")
    full = replace(
        rising, balances=tuple(one._replace(balance_bytes=20 * one.balance_bytes) for one in rising.balances)
    )
    lifted = limit_lifted(60, replace(full, time=NEWEST + 50 * MINUTE), HERE)
    assert "may be gone" not in lifted.subject
    enough = said(lifted.body)
    assert "a load that has come since, at 100 MiB/s, ends them at 06:16 UTC at the earliest." in enough


def test_a_single_datapoint_of_a_size_tells_no_pace_and_the_mail_says_when_it_changed() -> None:
    """Nor does it say since when the balance falls. What is left by now is counted as if it had fallen as before: at
    the newest datapoint, which may be an hour old, there was more.
    """
    falling = a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST)
    changed = replace(falling, one_size_since=NEWEST)
    mail = credits_low(AlarmKind.CRITICAL, 60, changed, HERE)
    assert mail.subject.startswith("CRITICAL: 38 min of credits left at full speed, fs-")
    since, now = NEWEST.strftime("%H:%M UTC"), changed.time.strftime("%H:%M UTC")
    unknown = (
        f"How fast the balance falls is not known: CloudWatch has a single datapoint of it since the size changed, at "
        f"{since}. At the size before it fell by 93 MiB/s, and is taken to have gone on so until now."
    )
    assert unknown in said(mail.body)
    by_now = f"- Balance: 250 GiB, 12 % of a full bucket, 228 GiB by {now} at the pace of the size before."
    assert by_now in said(mail.body)
    late = credits_low(AlarmKind.CRITICAL, 60, replace(changed, time=NEWEST + 40 * MINUTE), HERE)
    assert late.subject.startswith("CRITICAL: 5 min of credits left at full speed, fs-")
    assert "has been falling" not in mail.body
    assert "At the pace of the last minute (falling by 93 MiB/s) they last" in said(
        credits_low(AlarmKind.CRITICAL, 60, replace(falling, one_size_since=NEWEST - MINUTE), HERE).body
    )


@pytest.mark.parametrize(("rate_mib", "is_told"), [(-20, False), (0, False), (20, True)])
def test_before_a_size_changed_it_may_not_have_fallen_and_then_as_much_is_left_as_there_was(
    rate_mib: int, is_told: bool
) -> None:
    level = a_situation(balance_gib=250, hour_ago_gib=250 + rate_mib * 3600 / 1024, activity=WRITING_FAST)
    changed = replace(level, one_size_since=NEWEST, time=NEWEST + 40 * MINUTE)
    mail = credits_low(AlarmKind.CRITICAL, 60, changed, HERE)
    assert ("At the size before it fell by" in said(mail.body)) is is_told
    assert ("at the pace of the size before" in said(mail.body)) is is_told
    assert (changed.balance_bytes_by_now < changed.balance_bytes) is is_told


def test_a_fall_that_began_while_metrics_were_missing_began_between_two_moments() -> None:
    """It stood still until they went missing, 40 minutes before some that show it fall."""
    whole = a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST)
    newest = [one for one in whole.balances if one.time >= NEWEST - timedelta(minutes=9)]
    before = [newest[0]._replace(time=NEWEST - ago * MINUTE, balance_bytes=576 * GIB) for ago in range(60, 49, -1)]
    steps = [one for one in QUIET_DAY.balances if one.time <= NEWEST - timedelta(minutes=50)]
    day = replace(
        QUIET_DAY,
        balances=(*(one._replace(balance_bytes=576 * GIB) for one in steps), *newest[::5]),
    )
    fallen = of(replace(whole, balances=(*before, *newest)), day)
    assert since_when_it_falls(fallen) == (
        "The balance has been falling since some time between 01:52 UTC and 02:32 UTC."
    )
    assert "This fall began some time between 01:52 UTC and 02:32 UTC." in said(draining(60, fallen, HERE).body)
    # In another throughput mode there is no balance, and the fall begins with its end.
    elastic = replace(
        fallen,
        permitted_of_the_day=PERMITTED_ALL_DAY[:-12]
        + tuple((time, 3 * rate) for time, rate in PERMITTED_ALL_DAY[-12:]),
    )
    assert "some time" not in since_when_it_falls(elastic)


def test_credits_that_may_have_been_gone_while_nobody_could_see_it_are_told_with_all_that_is_known() -> None:
    """Seven hours ago they fell by 5 GiB a minute and would have lasted for ten more; of an hour nothing is known."""
    points = [
        BalancePoint(time=NEWEST - ago * MINUTE, balance_bytes=(50 + 5 * (ago - 420) if ago >= 420 else 10) * GIB)
        for ago in (*range(440, 419, -1), *range(360, -1, -1))
    ]
    situation = replace(
        a_situation(balance_gib=10, hour_ago_gib=None, activity=QUIET),
        balances=tuple(points[-61:]),
        earlier_balances=tuple(points[:-61]),
        past_days=(),
    )
    told = (
        "CloudWatch has no balance from 19:42 UTC on Sun 6 Jan to 20:41 UTC on Sun 6 Jan: credits may have been gone "
        "in that time, from about 19:51 UTC on Sun 6 Jan on if they went on falling as before."
    )
    assert so_far(AlarmKind.CRITICAL, situation) == told
    for mail in (
        credits_low(AlarmKind.CRITICAL, 60, situation, HERE),
        recovered(AlarmKind.WARNING, 1, situation, HERE),
    ):
        assert told in said(mail.body)
        assert told in mail.chat.text
    whole = replace(situation, earlier_balances=tuple(one._replace(balance_bytes=10 * GIB) for one in points[:-61]))
    assert so_far(AlarmKind.CRITICAL, whole) == ""
    # Of what is older than the minutes that are known there is the lowest of each five.
    older = (*points[:21:5], *points[21:81:5])
    day = PastDay(back=DAY, balances=tuple(older))
    in_steps = replace(situation, earlier_balances=(), past_days=(day,), permitted_of_the_day=())
    assert "CloudWatch has no balance from about 19:46 UTC on Sun 6 Jan to about 20:41 UTC" in so_far(
        AlarmKind.CRITICAL, in_steps
    )


def test_a_load_of_an_earlier_day_that_ended_while_metrics_were_missing_took_as_much_or_more_until_then() -> None:
    """From two hours from now on for an hour, of which the last half and half an hour more are missing."""
    day = a_day(a_life(80, (36, EARNED), (12, -5.0), (240, EARNED)))
    whole = what_comes_back(now_with(80, day), 60)
    assert "Yesterday the credits fell from about 14:05 UTC to 15:05 UTC, by about 353 GiB." in whole
    seen = replace(day, balances=day.balances[:43] + day.balances[55:])
    assert (
        "Yesterday the credits fell from about 14:05 UTC to some time between 14:35 UTC and 15:35 UTC, by 343 GiB or "
        "more. If that load comes again, 2"
    ) in what_comes_back(now_with(80, seen), 60)
